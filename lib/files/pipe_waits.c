// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/pipe_waits.h"

static const struct layout_row rows[] = {
	FINDS(struct pipe_waits, mode, "struct file", REQUIRED, "all", "f_mode"),
	FINDS(struct pipe_waits, readers, "struct pipe_inode_info", REQUIRED, "5.5; to 5.4",
	      "rd_wait", "wait"),
	FINDS(struct pipe_waits, writers, "struct pipe_inode_info", REQUIRED, "5.5; to 5.4",
	      "wr_wait", "wait"),
};

enum status pipe_waits_open(struct dump *d, struct pipe_waits *ret)
{
	struct pipe_waits w = { .dump = d };
	enum status st = pipes_find(d, &w.pipes) ?: STRUCTS_OPEN(d, rows, &w) ?:
		wait_queues_open(d, &w.queues);

	return RESULT(st, ret, w);
}

enum status pipe_ends_of_file(const struct pipe_waits *w, uint64_t file, uint32_t *ends)
{
	uint32_t mode;
	enum status st = dump_u32(w->dump, file + w->mode.offset, &mode, "file");

	return RESULT(st, ends, mode & (PIPE_END_READS | PIPE_END_WRITES));
}

enum status pipe_waits_walk(const struct pipe_waits *w, uint64_t pipe, bool of_writers,
			    enum status (*visit)(void *arg, uint64_t task), void *arg)
{
	const struct field *queue = of_writers ? &w->writers : &w->readers;
	struct list_nodes l = wait_queue_of(&w->queues, pipe + queue->offset,
					    "tasks that wait for a pipe");
	uint64_t entry, task;
	enum status st = ST_OK;

	while (st == ST_OK && wait_queue_next(&w->queues, &l, &entry))
		st = wait_entry_task(&w->queues, entry, &task) ?: visit(arg, task);
	return st ?: list_end(&l);
}
