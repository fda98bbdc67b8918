// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/opened_memory.h"

static enum status find(struct dump *d, enum opened_kind kind, struct opened_memory *ret)
{
	enum status st = ST_ABSENT;

	switch (kind) {
	case OPENED_PERF:
		st = perf_buffers_find(d, &ret->perf);
		ret->operations[kind] = ret->perf.operations;
		break;
	case OPENED_PIPE:
		st = pipes_find(d, &ret->pipes);
		ret->operations[kind] = ret->pipes.operations;
		break;
	case OPENED_IO_URING:
		st = io_rings_find(d, &ret->rings);
		ret->operations[kind] = ret->rings.operations;
		break;
	case OPENED_KINDS:
		break;
	}
	if (st != ST_OK)
		ret->operations[kind] = 0;
	return st;
}

static enum status of_file(const struct opened_memory *m, enum opened_kind kind, uint64_t file,
			   uint64_t *ret)
{
	return kind == OPENED_PERF   ? perf_buffer_of_file(&m->perf, file, ret)
	       : kind == OPENED_PIPE ? pipe_of_file(&m->pipes, file, ret)
				     : io_ring_of_file(&m->rings, file, ret);
}

enum status opened_memory_walk(const struct opened_memory *m, enum opened_kind kind,
			       uint64_t address, const struct memory_parts *v)
{
	return kind == OPENED_PERF   ? perf_buffer_walk(&m->perf, address, v)
	       : kind == OPENED_PIPE ? pipe_walk(&m->pipes, address, v)
				     : io_ring_walk(&m->rings, address, v);
}

static enum status keep(struct opened_memory *m, enum opened_kind kind, enum status st)
{
	return st == ST_ABSENT ? ST_OK : first_problem_keep(m->dump, &m->problems[kind], st);
}

static enum status visit_file(void *arg, uint64_t file, uint64_t operations,
			      const struct file_user *user)
{
	struct opened_memory *m = arg;
	enum opened_kind kind = 0;
	uint64_t address = 0;
	enum status st;

	if (m->has_locks)
		first_problem_keep(m->dump, &m->locks_problem,
				   file_locks_add(&m->locks, file, m->open.inode, user));
	if (pipes_have(&m->pipes, operations))
		operations = m->operations[OPENED_PIPE];
	while (kind < OPENED_KINDS && (!operations || m->operations[kind] != operations))
		kind++;
	if (kind == OPENED_KINDS)
		return ST_OK;
	st = of_file(m, kind, file, &address);
	if (st != ST_OK || !address)
		return keep(m, kind, st);
	file_users_add(m->dump->arena, hash_u64_get(&m->all[kind], address, NULL), user);
	return ST_OK;
}

enum status opened_memory_read(struct dump *d, struct opened_memory *ret)
{
	enum status st = ST_OK;

	*ret = (struct opened_memory){ .dump = d };
	for (enum opened_kind kind = 0; kind < OPENED_KINDS; kind++) {
		hash_u64_init(&ret->all[kind], d->arena, sizeof(struct file_users));
		st = st ?: keep(ret, kind, find(d, kind, ret));
	}
	if (st == ST_OK) {
		st = file_locks_find(d, &ret->locks);
		ret->has_locks = st == ST_OK;
		st = st == ST_ABSENT ? ST_OK : first_problem_keep(d, &ret->locks_problem, st);
	}
	if (st != ST_OK)
		return st;
	st = open_files_visit(&ret->open, d, visit_file, ret);
	ret->is_complete = st == ST_OK && ret->open.complete;
	for (enum opened_kind kind = 0; kind < OPENED_KINDS && st != ST_STOPPED; kind++)
		if (ret->operations[kind] && st != ST_OK)
			keep(ret, kind, st);
	if (ret->has_locks)
		first_problem_keep(d, &ret->locks_problem, st);
	return st == ST_STOPPED ? st : ST_OK;
}
