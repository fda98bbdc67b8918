// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/pipe_writer.h"

#include "tasks/task_stack.h"

static const struct layout_row rows[] = {
	FINDS(struct pipe_writers, files, "struct task_struct", REQUIRED, "all", "files"),
	FINDS(struct pipe_writers, fdt, "struct files_struct", REQUIRED, "all", "fdt"),
	FINDS(struct pipe_writers, fd, "struct fdtable", REQUIRED, "all", "fd"),
	FINDS(struct pipe_writers, operations, "struct file", REQUIRED, "all", "f_op"),
	FINDS(struct pipe_writers, queue, "struct pipe_inode_info", REQUIRED, "5.5; to 5.4",
	      "wr_wait", "wait"),
};

enum status pipe_writers_open(struct dump *d, struct pipe_writers *ret)
{
	struct pipe_writers p = { .dump = d };
	enum status st = pipes_find(d, &p.pipes) ?: STRUCTS_OPEN(d, rows, &p) ?:
		wait_queues_open(d, &p.queues);

	return RESULT(st, ret, p);
}

/* The pipe that a task has as file 0; 0: that is none. */
static enum status pipe_of_task(const struct pipe_writers *p, uint64_t task, uint64_t *ret)
{
	struct dump *d = p->dump;
	uint64_t files, table, fds, file, operations;
	enum status st = dump_u64(d, task + p->files.offset, &files, "task_struct");

	*ret = 0;
	if (st != ST_OK || !files)
		return st;
	st = dump_u64(d, files + p->fdt.offset, &table, "files_struct")
		     ?: dump_u64(d, table + p->fd.offset, &fds, "fdtable")
		     ?: dump_u64(d, fds, &file, "the descriptors of a process");
	if (st != ST_OK || !file)
		return st;
	st = dump_u64(d, file + p->operations.offset, &operations, "file");
	return st != ST_OK || !pipes_have(&p->pipes, operations)
		       ? st
		       : pipe_of_file(&p->pipes, file, ret);
}

enum status pipe_writer_waits(const struct pipe_writers *p, uint64_t task, uint64_t writer)
{
	struct dump *d = p->dump;
	uint64_t pipe, entry, waiter;
	struct list_nodes l;
	enum status st = pipe_of_task(p, task, &pipe);

	if (st != ST_OK)
		return st;
	if (!pipe)
		return dump_absent(d, "its file 0 is no pipe");
	l = wait_queue_of(&p->queues, pipe + p->queue.offset, "writers of a pipe");
	while (wait_queue_next(&p->queues, &l, &entry)) {
		st = wait_entry_task(&p->queues, entry, &waiter);
		if (st != ST_OK || waiter == writer)
			return st;
	}
	return list_end(&l) ?: dump_absent(d, "the thread does not wait to write to it");
}

/* A file that the kernel opened for a core dump is in no table of descriptors: the thread that dumps has it on its stack. */
enum status pipe_writer_has(const struct pipe_writers *p, uint64_t task, uint64_t writer)
{
	struct dump *d = p->dump;
	struct task_stacks stacks;
	struct task_stack stack;
	uint64_t pipe, word;
	enum status st = pipe_of_task(p, task, &pipe)
				 ?: task_stacks_open(d, &stacks)
				 ?: task_stack_read(&stacks, writer, &stack);

	if (st != ST_OK)
		return st;
	for (uint64_t at = stack.base; pipe && at < stack.base + stack.size; at += sizeof(word)) {
		uint64_t operations, of;

		if (task_stack_word(&stack, at, &word) && word >> 63 &&
		    dump_u64(d, word + p->operations.offset, &operations, "file") == ST_OK &&
		    pipes_have(&p->pipes, operations) &&
		    pipe_of_file(&p->pipes, word, &of) == ST_OK && of == pipe)
			return ST_OK;
	}
	return dump_absent(d, "the thread has no file of that pipe");
}
