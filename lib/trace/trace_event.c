// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/trace_event.h"

#include <stdio.h>
#include <string.h>

#include "dump/layout.h"
#include "trace/event_types.h"

#define MAX_EVENTS (1 << 16) /* numbers of events have 16 bits */
#define MAX_FIELDS 256
#define NAME_BYTES 128
#define RECORD_BYTES 4096
#define CALL_BYTES 512
#define CLASS_BYTES 256
#define FIELD_BYTES 128
#define FILE_BYTES 256

enum {
	E_LIST,
	E_CLASS,
	E_NAME,
	E_TYPE,
	E_FLAGS,
	C_SYSTEM,
	C_FIELDS,
	F_LINK,
	F_NAME,
	F_TYPE,
	F_OFFSET,
	F_SIZE,
	F_SIGNED,
	T_NAME,
	EF_LIST,
	EF_CALL,
	EF_FLAGS,
	EVENT_FIELDS
};
_Static_assert(EVENT_FIELDS <= TRACE_EVENT_FIELDS, "room for what is resolved");

static const struct layout_row rows[EVENT_FIELDS] = {
	[E_LIST] = { "struct trace_event_call", { "list" }, REQUIRED, "4.2" },
	[E_CLASS] = { "struct trace_event_call", { "class" }, REQUIRED, "4.2" },
	[E_NAME] = { "struct trace_event_call", { "name" }, REQUIRED, "4.2" },
	[E_TYPE] = { "struct trace_event_call", { "event.type" }, REQUIRED, "4.2" },
	[E_FLAGS] = { "struct trace_event_call", { "flags" }, REQUIRED, "4.2" },
	[C_SYSTEM] = { "struct trace_event_class", { "system" }, REQUIRED, "4.2" },
	[C_FIELDS] = { "struct trace_event_class", { "fields" }, REQUIRED, "4.2" },
	[F_LINK] = { "struct ftrace_event_field", { "link" }, REQUIRED, "all" },
	[F_NAME] = { "struct ftrace_event_field", { "name" }, REQUIRED, "all" },
	[F_TYPE] = { "struct ftrace_event_field", { "type" }, REQUIRED, "all" },
	[F_OFFSET] = { "struct ftrace_event_field", { "offset" }, REQUIRED, "all" },
	[F_SIZE] = { "struct ftrace_event_field", { "size" }, REQUIRED, "all" },
	/* An int to 6.11, a bit field from 6.12. */
	[F_SIGNED] = { "struct ftrace_event_field", { "is_signed" }, REQUIRED_BITS, "all" },
	[T_NAME] = { "struct tracepoint", { "name" }, OPTIONAL, "all" },
	[EF_LIST] = { "struct trace_event_file", { "list" }, REQUIRED, "4.2" },
	[EF_CALL] = { "struct trace_event_file", { "event_call" }, REQUIRED, "4.2" },
	[EF_FLAGS] = { "struct trace_event_file", { "flags" }, REQUIRED, "4.2" },
};

static size_t call_span(const struct field *f)
{
	return layout_span(&f[E_LIST], C_SYSTEM - E_LIST);
}

static size_t class_span(const struct field *f)
{
	return layout_span(&f[C_SYSTEM], F_LINK - C_SYSTEM);
}

static size_t field_span(const struct field *f)
{
	return layout_span(&f[F_LINK], T_NAME - F_LINK);
}

static size_t file_span(const struct field *f)
{
	return layout_span(&f[EF_LIST], EVENT_FIELDS - EF_LIST);
}

static uint64_t bit(struct dump *d, const char *name)
{
	int64_t v;

	return d->ops->enumerator(d->priv, name, &v) == ST_OK && v > 0 ? v : 0;
}

/* "__data_loc char[]" and so on. */
static void classify(struct trace_field *f, bool is_signed)
{
	static const struct {
		const char *prefix;
		enum trace_field_kind kind;
	} dynamic[] = { { "__data_loc", TRACE_DYNAMIC }, { "__rel_loc", TRACE_RELATIVE } };
	bool array = strchr(f->type, '[');

	f->is_text = array && (strstr(f->type, "char[") || strstr(f->type, "char ["));
	for (size_t i = 0; i < sizeof(dynamic) / sizeof(dynamic[0]); i++) {
		if (strncmp(f->type, dynamic[i].prefix, strlen(dynamic[i].prefix)))
			continue;
		f->kind = f->size == 4 ? dynamic[i].kind : TRACE_BYTES;
		return;
	}
	if (array)
		f->kind = f->is_text ? TRACE_TEXT : TRACE_BYTES;
	else if (strchr(f->type, '*'))
		f->kind = f->size == 8 ? TRACE_POINTER : TRACE_BYTES;
	else if (f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8)
		f->kind = is_signed ? TRACE_INT : TRACE_UINT;
	else
		f->kind = TRACE_BYTES;
}

static enum status read_field(struct trace_events *e, uint64_t address, struct trace_field *ret)
{
	struct dump *d = e->dump;
	struct trace_field field;
	uint8_t raw[FIELD_BYTES];
	char name[NAME_BYTES], type[NAME_BYTES];
	enum status st = dump_read(d, address, raw, field_span(e->f), "ftrace_event_field");

	if (st == ST_OK)
		st = dump_string(d, field_get(&e->f[F_NAME], raw), name, sizeof(name),
				 "name of a field");
	if (st == ST_OK)
		st = dump_string(d, field_get(&e->f[F_TYPE], raw), type, sizeof(type),
				 "type of a field");
	if (st != ST_OK)
		return st;
	field = (struct trace_field){
		.name = arena_strdup(d->arena, name),
		.type = arena_strdup(d->arena, type),
		.offset = field_get(&e->f[F_OFFSET], raw),
		.size = field_get(&e->f[F_SIZE], raw),
	};
	if (!field.name || !field.type)
		return dump_no_memory(d);
	if (field.offset > RECORD_BYTES || field.size > RECORD_BYTES)
		return dump_fail(d, ST_CORRUPT, "field %s has %u bytes at %u", name, field.size,
				 field.offset);
	classify(&field, field_get(&e->f[F_SIGNED], raw) & 1);
	*ret = field;
	return ST_OK;
}

/* A list of fields has the one that was declared last first. */
static enum status read_fields(struct trace_events *e, uint64_t head, struct trace_field **ret,
			       size_t *n)
{
	struct dump *d = e->dump;
	struct trace_field *fields = dump_alloc(d, MAX_FIELDS * sizeof(*fields)), *exact;
	size_t first = MAX_FIELDS;
	uint64_t link;
	enum status st = fields ? dump_u64(d, head, &link, "fields of an event") : ST_NOMEM;

	while (st == ST_OK && link != head) {
		if (!first)
			return dump_fail(d, ST_CORRUPT, "an event has more than %d fields",
					 MAX_FIELDS);
		st = read_field(e, link - e->f[F_LINK].offset, &fields[first - 1]);
		first--;
		if (st == ST_OK)
			st = dump_u64(d, link, &link, "ftrace_event_field.link");
	}
	if (st != ST_OK)
		return st;
	*n = MAX_FIELDS - first;
	exact = dump_alloc(d, (*n + 1) * sizeof(*exact));
	if (!exact)
		return ST_NOMEM;
	memcpy(exact, fields + first, *n * sizeof(*exact));
	*ret = exact;
	return ST_OK;
}

/* Where all records have their number and their task. */
static enum status read_common(struct trace_events *e)
{
	struct trace_common *c = &e->common;
	const struct {
		const char *name;
		struct trace_field *field;
		uint32_t size;
	} wanted[] = {
		{ "common_type", &c->type, 2 },
		{ "common_flags", &c->flags, 1 },
		{ "common_preempt_count", &c->preempt_count, 1 },
		{ "common_pid", &c->pid, 4 },
	};
	struct trace_field *fields;
	uint64_t head;
	size_t n, found = 0;
	enum status st = dump_symbol(e->dump, "ftrace_common_fields", &head);

	if (st == ST_OK)
		st = read_fields(e, head, &fields, &n);
	if (st == ST_UNREADABLE)
		st = event_types_common(e->dump, &fields, &n);
	for (size_t i = 0; st == ST_OK && i < n; i++) {
		for (size_t k = 0; k < sizeof(wanted) / sizeof(wanted[0]); k++) {
			if (strcmp(fields[i].name, wanted[k].name) ||
			    fields[i].size != wanted[k].size)
				continue;
			*wanted[k].field = fields[i];
			found++;
		}
		if (fields[i].offset + fields[i].size > c->size)
			c->size = fields[i].offset + fields[i].size;
	}
	if (st == ST_OK && found != sizeof(wanted) / sizeof(wanted[0]))
		st = dump_fail(e->dump, ST_UNKNOWN, "unknown layout: common fields of events");
	return st;
}

enum status trace_events_open(struct dump *d, struct trace_events *ret)
{
	struct trace_events e = { .dump = d };
	enum status st = dump_has_both(d, "ftrace_events", "struct ftrace_event_field");

	if (st == ST_ABSENT)
		return dump_fail(
			d, ST_ABSENT,
			"this kernel was built without CONFIG_EVENT_TRACING: it has no trace events");
	if (st == ST_OK)
		st = layout_resolve(d, rows, EVENT_FIELDS, e.f);
	if (st == ST_OK && (call_span(e.f) > CALL_BYTES || class_span(e.f) > CLASS_BYTES ||
			    field_span(e.f) > FIELD_BYTES || file_span(e.f) > FILE_BYTES ||
			    e.f[E_CLASS].size != 8 || e.f[E_NAME].size != 8))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct trace_event_call");
	if (st != ST_OK)
		return st;
	/* The bits move from release to release. */
	e.tracepoint = bit(d, "TRACE_EVENT_FL_TRACEPOINT");
	e.custom = bit(d, "TRACE_EVENT_FL_CUSTOM");
	st = read_common(&e);
	if (st == ST_OK)
		*ret = e;
	return st;
}

/* Whether a call, in raw, is that of "system:name". */
static enum status matches(struct trace_events *e, const uint8_t *raw, const uint8_t *class,
			   const char *system, const char *name, bool *ret)
{
	struct dump *d = e->dump;
	uint64_t flags = field_get(&e->f[E_FLAGS], raw), at = field_get(&e->f[E_NAME], raw);
	char text[NAME_BYTES];
	enum status st = dump_string(d, field_get(&e->f[C_SYSTEM], class), text, sizeof(text),
				     "name of a trace system");

	*ret = false;
	if (st != ST_OK || strcmp(text, system))
		return st;
	/* A union with tp, the tracepoint that has the name: trace_event_name(). */
	if (!(flags & e->custom) && flags & e->tracepoint) {
		if (!e->f[T_NAME].present)
			return dump_fail(d, ST_UNKNOWN, "unknown layout: struct tracepoint");
		st = at ? dump_u64(d, at + e->f[T_NAME].offset, &at, "tracepoint") : ST_OK;
	}
	if (st == ST_OK && at)
		st = dump_string(d, at, text, sizeof(text), "name of a trace event");
	*ret = st == ST_OK && at && !strcmp(text, name);
	return st;
}

static enum status read_event(struct trace_events *e, uint64_t call, const uint8_t *raw,
			      uint64_t class, struct trace_event *ev)
{
	uint64_t id = field_get(&e->f[E_TYPE], raw);
	const char *hole;
	enum status st = read_fields(e, class + e->f[C_FIELDS].offset, &ev->fields, &ev->nfields);

	if (st == ST_UNREADABLE) {
		hole = arena_strdup(e->dump->arena, e->dump->error);
		st = event_types_fields(e->dump, class, &ev->fields, &ev->nfields);
		if (st == ST_ABSENT)
			st = dump_fail(e->dump, ST_UNREADABLE, "%s", hole ? hole : "");
	}
	if (st != ST_OK)
		return st;
	if (!id || id > UINT16_MAX)
		return dump_fail(e->dump, ST_CORRUPT, "event %s has the number %llu", ev->name,
				 (unsigned long long)id);
	ev->call = call;
	ev->id = id;
	ev->size = e->common.size;
	for (size_t i = 0; i < ev->nfields; i++)
		if (ev->fields[i].offset + ev->fields[i].size > ev->size)
			ev->size = ev->fields[i].offset + ev->fields[i].size;
	decoder_trace(e->dump, "decide event %s:%s has number %u, %zu fields, %u bytes", ev->system,
		      ev->name, ev->id, ev->nfields, ev->size);
	for (size_t i = 0; i < ev->nfields; i++)
		decoder_trace(e->dump, "field  %s %s at %u, %u bytes", ev->fields[i].type,
			      ev->fields[i].name, ev->fields[i].offset, ev->fields[i].size);
	return ST_OK;
}

enum status trace_events_find(struct trace_events *e, const char *system, const char *name,
			      struct trace_event *ret)
{
	struct trace_event ev = { .system = system, .name = name };
	struct dump *d = e->dump;
	uint8_t raw[CALL_BYTES], class[CLASS_BYTES];
	uint64_t head, link, class_at;
	bool same = false;
	enum status st = dump_symbol(d, "ftrace_events", &head), broken = ST_OK;

	if (st == ST_OK)
		st = dump_u64(d, head, &link, "ftrace_events");
	for (unsigned int n = 0; st == ST_OK && link != head; n++) {
		uint64_t call = link - e->f[E_LIST].offset;

		if (n == MAX_EVENTS)
			return dump_fail(d, ST_CORRUPT, "the list of events does not end");
		st = dump_read(d, call, raw, call_span(e->f), "trace_event_call");
		if (st != ST_OK)
			return st;
		class_at = field_get(&e->f[E_CLASS], raw);
		link = le64(raw + e->f[E_LIST].offset);
		/* An event whose name cannot be read may be the one: then absent is not sure. */
		st = dump_read(d, class_at, class, class_span(e->f), "trace_event_class");
		if (st == ST_OK)
			st = matches(e, raw, class, system, name, &same);
		if (st == ST_OK && same) {
			st = read_event(e, call, raw, class_at, &ev);
			if (st == ST_OK)
				*ret = ev;
			return st;
		}
		if (st != ST_OK && broken == ST_OK)
			broken = st;
		st = ST_OK;
		same = false;
		if (!(n & 1023) && dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
	}
	if (st != ST_OK)
		return st;
	if (broken != ST_OK)
		return dump_fail(d, broken,
				 "no event %s:%s was found, but not all names can be read", system,
				 name);
	return dump_fail(d, ST_ABSENT, "this kernel has no event %s:%s", system, name);
}

const struct trace_field *trace_event_field(const struct trace_event *e, const char *name)
{
	for (size_t i = 0; i < e->nfields; i++)
		if (!strcmp(e->fields[i].name, name))
			return &e->fields[i];
	return NULL;
}

/* Bits of trace_event_file.flags, whose numbers are enumerators: they move as well. */
static const char *const file_bits[TRACE_FILE_BITS] = {
	[TRACE_FILE_ENABLED] = "EVENT_FILE_FL_ENABLED",
	[TRACE_FILE_WAS_ENABLED] = "EVENT_FILE_FL_WAS_ENABLED",
	[TRACE_FILE_SOFT_DISABLED] = "EVENT_FILE_FL_SOFT_DISABLED",
	[TRACE_FILE_FILTERED] = "EVENT_FILE_FL_FILTERED",
	[TRACE_FILE_PID_FILTER] = "EVENT_FILE_FL_PID_FILTER",
};

static void decode_flags(struct trace_events *e, uint64_t flags, struct trace_event_state *ret)
{
	uint64_t *bits = e->file_bits;

	/* Once. */
	if (!bits[TRACE_FILE_ENABLED])
		for (size_t i = 0; i < TRACE_FILE_BITS; i++)
			bits[i] = bit(e->dump, file_bits[i]);
	*ret = (struct trace_event_state){
		.known = bits[TRACE_FILE_ENABLED],
		.enabled = flags & bits[TRACE_FILE_ENABLED],
		.was_enabled_known = bits[TRACE_FILE_WAS_ENABLED],
		.was_enabled = flags & bits[TRACE_FILE_WAS_ENABLED],
		.soft_disabled = flags & bits[TRACE_FILE_SOFT_DISABLED],
		.filtered = flags & bits[TRACE_FILE_FILTERED],
		.pid_filtered = flags & bits[TRACE_FILE_PID_FILTER],
	};
}

enum status trace_event_state(struct trace_events *e, const struct trace_array *a,
			      const struct trace_event *event, struct trace_event_state *ret)
{
	struct dump *d = e->dump;
	uint8_t raw[FILE_BYTES];
	uint64_t link;
	enum status st = dump_u64(d, a->events, &link, "trace_array.events");

	for (unsigned int n = 0; st == ST_OK && link != a->events; n++) {
		if (n == MAX_EVENTS)
			return dump_fail(d, ST_CORRUPT, "the list of events does not end");
		st = dump_read(d, link - e->f[EF_LIST].offset, raw, file_span(e->f),
			       "trace_event_file");
		if (st != ST_OK)
			return st;
		link = le64(raw + e->f[EF_LIST].offset);
		if (field_get(&e->f[EF_CALL], raw) != event->call)
			continue;
		decode_flags(e, field_get(&e->f[EF_FLAGS], raw), ret);
		return ST_OK;
	}
	if (st != ST_OK)
		return st;
	return dump_fail(d, ST_ABSENT, "instance %s has no event %s:%s", a->name, event->system,
			 event->name);
}
