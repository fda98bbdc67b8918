// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/saved_cmdlines.h"

#include "dump/layout.h"
#include "util/printable.h"

#define MAX_NAMES (1U << 17) /* saved_cmdlines_size takes no more than PID_MAX_DEFAULT */
#define MAX_INDEX (1U << 17) /* PID_MAX_DEFAULT is 4096 or 32768 */

enum { S_INDEX, S_PIDS, S_N, S_NAMES, S_FIELDS };

static const struct layout_row rows[S_FIELDS] = {
	[S_INDEX] = { "struct saved_cmdlines_buffer", { "map_pid_to_cmdline" }, REQUIRED, "3.17" },
	[S_PIDS] = { "struct saved_cmdlines_buffer", { "map_cmdline_to_pid" }, REQUIRED, "3.17" },
	[S_N] = { "struct saved_cmdlines_buffer", { "cmdline_num" }, REQUIRED, "3.17" },
	/* An array at the end since 6.9, a pointer before. */
	[S_NAMES] = { "struct saved_cmdlines_buffer", { "saved_cmdlines" }, REQUIRED, "3.17" },
};

enum status saved_cmdlines_open(struct dump *d, struct saved_cmdlines *ret)
{
	struct saved_cmdlines s = { .dump = d };
	struct field f[S_FIELDS];
	uint64_t buffer = 0, pids, names;
	uint32_t n;
	enum status st = ST_ABSENT;

	if (dump_has_symbol(d, "savedcmd"))
		st = dump_value(d, "savedcmd", &buffer);
	if (st == ST_ABSENT || (st == ST_OK && !buffer))
		return dump_fail(d, ST_ABSENT, "no names of tasks were saved");
	st = st ?: layout_resolve(d, rows, S_FIELDS, f);
	if (st != ST_OK)
		return st;
	s.nindex = f[S_INDEX].size / 4;
	if (f[S_INDEX].kind != KIND_ARRAY || s.nindex < 2 || s.nindex > MAX_INDEX ||
	    f[S_PIDS].size != 8)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: saved_cmdlines_buffer");
	st = dump_u64(d, buffer + f[S_PIDS].offset, &pids, "map_cmdline_to_pid")
		     ?: dump_u32(d, buffer + f[S_N].offset, &n, "cmdline_num");
	if (f[S_NAMES].kind == KIND_POINTER)
		st = st == ST_OK ? dump_u64(d, buffer + f[S_NAMES].offset, &names, "saved_cmdlines")
				 : st;
	else
		names = buffer + f[S_NAMES].offset;
	if (st == ST_OK && (!n || n > MAX_NAMES))
		st = dump_fail(d, ST_CORRUPT, "%u saved names of tasks", n);
	if (st != ST_OK)
		return st;
	s.n = n;
	s.index = dump_alloc(d, s.nindex * 4);
	s.pids = dump_alloc(d, s.n * 4);
	s.names = dump_alloc(d, s.n * SAVED_COMM);
	st = dump_read(d, buffer + f[S_INDEX].offset, s.index, s.nindex * 4,
			       "map_pid_to_cmdline") ?:
			dump_read(d, pids, s.pids, s.n * 4, "map_cmdline_to_pid") ?:
			dump_read(d, names, s.names, s.n * SAVED_COMM, "saved_cmdlines");
	if (st == ST_OK)
		*ret = s;
	return st;
}

const char *saved_cmdlines_find(const struct saved_cmdlines *s, int32_t pid, char *buf)
{
	uint64_t max = s->nindex - 1; /* PID_MAX_DEFAULT, a power of two */
	uint32_t i;

	if (pid <= 0)
		return NULL;
	i = s->index[(uint32_t)pid & (max - 1)];
	/* A pid of that very number has an entry of its own where pids are not folded. */
	if ((uint64_t)pid == max && (i >= s->n || s->pids[i] != (uint32_t)pid))
		i = s->index[max];
	if (i >= s->n || s->pids[i] != (uint32_t)pid)
		return NULL;
	memcpy(buf, s->names + (size_t)i * SAVED_COMM, SAVED_COMM);
	buf[SAVED_COMM - 1] = '\0';
	printable(buf);
	return *buf ? buf : NULL;
}
