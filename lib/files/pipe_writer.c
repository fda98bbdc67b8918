// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/pipe_writer.h"

#include "kernel/list.h"

static const struct layout_row rows[] = {
	FINDS(struct pipe_writers, files, "struct task_struct", REQUIRED, "all", "files"),
	FINDS(struct pipe_writers, fdt, "struct files_struct", REQUIRED, "all", "fdt"),
	FINDS(struct pipe_writers, fd, "struct fdtable", REQUIRED, "all", "fd"),
	FINDS(struct pipe_writers, operations, "struct file", REQUIRED, "all", "f_op"),
	FINDS(struct pipe_writers, queue, "struct pipe_inode_info", REQUIRED, "5.5; to 5.4",
	      "wr_wait", "wait"),
	FINDS(struct pipe_writers, head, "struct wait_queue_head", REQUIRED, "4.13", "head"),
	FINDS(struct pipe_writers, private, "struct wait_queue_entry", REQUIRED, "4.13", "private"),
	FINDS(struct pipe_writers, entry, "struct wait_queue_entry", REQUIRED, "4.13", "entry"),
};

enum status pipe_writers_open(struct dump *d, struct pipe_writers *ret)
{
	struct pipe_writers p = { .dump = d };
	enum status st = pipes_find(d, &p.pipes) ?: STRUCTS_OPEN(d, rows, &p);

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
	uint64_t pipe, node, waiter;
	struct list_nodes l;
	enum status st = pipe_of_task(p, task, &pipe);

	if (st != ST_OK)
		return st;
	if (!pipe)
		return dump_fail(d, ST_ABSENT, "its file 0 is no pipe");
	l = list_of(d, pipe + p->queue.offset + p->head.offset, "writers of a pipe");
	while (list_next(&l, &node)) {
		st = dump_u64(d, node - p->entry.offset + p->private.offset, &waiter,
			      "wait_queue_entry");
		if (st != ST_OK || waiter == writer)
			return st;
	}
	return list_end(&l) ?: dump_fail(d, ST_ABSENT, "the thread does not wait to write to it");
}
