// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/event_reader.h"

#include "util/utf8.h"

#define IDLE "<idle>" /* what the trace file calls pid 0 */

static void open_names(struct event_reader *r)
{
	struct dump *d = r->dump;
	enum status st = saved_cmdlines_open(d, &r->saved);

	r->has_saved = st == ST_OK;
	if (!r->has_saved)
		r->saved_problem = dump_why(d);
	hash_u64_init(&r->names, d->arena, sizeof(const char *));
	r->has_tasks = task_index_open(d, &r->tasks) == ST_OK;
}

enum status event_reader_open(struct dump *d, const char *system, const char *const *names,
			      size_t n, bool all, struct event_reader *r)
{
	enum status st, missing = ST_OK;

	memset(r, 0, sizeof(*r));
	r->dump = d;
	st = trace_arrays_open(d, &r->arrays) ?: trace_events_open(d, &r->formats);
	if (st != ST_OK)
		return st;
	for (size_t i = 0; i < n && r->nevents < READER_EVENTS; i++) {
		st = trace_events_find(&r->formats, system, names[i], &r->events[r->nevents]);
		if (st == ST_STOPPED)
			return st;
		if (st == ST_OK)
			r->nevents++;
		else if (missing == ST_OK || missing == ST_ABSENT)
			missing = st;
	}
	if (!r->nevents)
		return missing;
	st = trace_stream_open(d, &r->arrays, all, &r->stream);
	if (st != ST_OK)
		return st;
	open_names(r);
	return ST_OK;
}

static bool has_dynamic(const struct trace_event *e)
{
	return ANY_OF(i, e->nfields,
		      e->fields[i].kind == TRACE_DYNAMIC || e->fields[i].kind == TRACE_RELATIVE ||
			      !e->fields[i].size);
}

/* Whether a record is as long as its event: what has no dynamic fields has one size. */
static bool fits(const struct trace_event *e, uint32_t len)
{
	const uint32_t rounding = 8; /* sizeof() of its structure, and to 4 in the buffer */

	return len >= e->size && (len < e->size + rounding || has_dynamic(e));
}

uint64_t event_number(const struct event_record *rec, const struct trace_field *f)
{
	uint64_t v = le_bytes(rec->data + f->offset, f->size <= 8 ? f->size : 8);
	unsigned int unused = f->size < 8 ? 64 - 8 * f->size : 0;

	return f->kind == TRACE_INT ? (uint64_t)((int64_t)(v << unused) >> unused) : v;
}

/* Clocks that the start of a task can be compared with. */
static bool has_start_times(const struct trace_clock *c)
{
	return c->is_sched || (c->name && !strcmp(c->name, "mono"));
}

static const char *comm_of(struct event_reader *r, const struct event_record *rec)
{
	const struct trace_array *a = rec->ring->buffer->array;
	const struct task_name *task;
	const char **name;
	char buf[SAVED_COMM];
	bool is_new;

	/* The names are of this boot. */
	if (a->other_boot)
		return NULL;
	if (!rec->pid)
		return IDLE;
	name = hash_u64_get(&r->names, (uint32_t)rec->pid, &is_new);
	if (is_new && r->has_saved && saved_cmdlines_find(&r->saved, rec->pid, buf))
		*name = dump_strdup(r->dump, buf);
	if (*name || !r->has_tasks || !has_start_times(&a->clock))
		return *name;
	task = task_index_find(&r->tasks, rec->pid, trace_clock_log(&a->clock, rec->ts));
	return task ? task->comm : NULL;
}

bool event_reader_next(struct event_reader *r, struct event_record *ret)
{
	const struct trace_common *c = &r->formats.common;
	struct trace_ring *ring;

	while ((ring = trace_stream_next(&r->stream))) {
		struct event_record rec = {
			.ring = ring,
			.doubt = ring->doubt,
			.ts = ring->record.ts,
			.data = ring->record.data,
			.len = ring->record.len,
		};
		uint64_t id;

		r->records++;
		if (rec.len < c->size)
			continue;
		id = event_number(&rec, &c->type);
		while (rec.which < r->nevents && r->events[rec.which].id != id)
			rec.which++;
		if (rec.which == r->nevents)
			continue;
		rec.event = &r->events[rec.which];
		if (!fits(rec.event, rec.len)) {
			r->misfits++;
			continue;
		}
		rec.pid = event_number(&rec, &c->pid);
		rec.comm = comm_of(r, &rec);
		r->found++;
		*ret = rec;
		return true;
	}
	return false;
}

#define MAX_HEX 64 /* bytes */

static const char *hex(struct dump *d, const uint8_t *data, uint32_t len)
{
	uint32_t n = len < MAX_HEX ? len : MAX_HEX;
	char *text = dump_alloc(d, 2 * n + 3);

	for (uint32_t i = 0; i < n; i++)
		sprintf(text + 2 * i, "%02x", data[i]);
	if (n < len)
		strcpy(text + 2 * n, "..");
	return text;
}

const char *event_text(struct event_reader *r, const struct event_record *rec,
		       const struct trace_field *f)
{
	uint32_t offset = f->offset, len = f->size;
	char *text;

	if (f->kind == TRACE_DYNAMIC || f->kind == TRACE_RELATIVE) {
		uint32_t where = le32(rec->data + f->offset);

		offset = where & 0xffff;
		len = where >> 16;
		if (f->kind == TRACE_RELATIVE)
			offset += f->offset + f->size;
	}
	if (offset > rec->len || len > rec->len - offset)
		return NULL;
	if (!f->is_text)
		return hex(r->dump, rec->data + offset, len);
	text = dump_alloc(r->dump, len + 1);
	memcpy(text, rec->data + offset, len);
	return text;
}

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
	struct saved_cmdlines s = { 0 };
	struct field f[S_FIELDS];
	uint64_t buffer = 0, pids, names;
	uint32_t n;
	enum status st = ST_ABSENT;

	if (dump_has_symbol(d, "savedcmd"))
		st = dump_value(d, "savedcmd", &buffer);
	if (st == ST_ABSENT || (st == ST_OK && !buffer))
		return dump_absent(d, "no names of tasks were saved");
	st = st ?: layout_resolve(d, rows, S_FIELDS, f);
	if (st != ST_OK)
		return st;
	s.nindex = f[S_INDEX].size / 4;
	if (f[S_INDEX].kind != KIND_ARRAY || s.nindex < 2 || s.nindex > MAX_INDEX ||
	    f[S_PIDS].size != 8)
		return dump_unknown(d, "saved_cmdlines_buffer");
	st = dump_u64(d, buffer + f[S_PIDS].offset, &pids, "map_cmdline_to_pid")
		     ?: dump_u32(d, buffer + f[S_N].offset, &n, "cmdline_num");
	if (f[S_NAMES].kind == KIND_POINTER)
		st = st == ST_OK ? dump_u64(d, buffer + f[S_NAMES].offset, &names, "saved_cmdlines")
				 : st;
	else
		names = buffer + f[S_NAMES].offset;
	if (st == ST_OK && (!n || n > MAX_NAMES))
		st = dump_corrupt(d, "%u saved names of tasks", n);
	if (st != ST_OK)
		return st;
	s.n = n;
	s.index = dump_alloc(d, s.nindex * 4);
	s.pids = dump_alloc(d, s.n * 4);
	s.names = dump_alloc(d, s.n * SAVED_COMM);
	return RESULT(dump_read(d, buffer + f[S_INDEX].offset, s.index, s.nindex * 4,
			       "map_pid_to_cmdline") ?:
			dump_read(d, pids, s.pids, s.n * 4, "map_cmdline_to_pid") ?:
			dump_read(d, names, s.names, s.n * SAVED_COMM, "saved_cmdlines"), ret, s);
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
