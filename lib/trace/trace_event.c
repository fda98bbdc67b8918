// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/trace_event.h"

#define COMMON 4
#define FAULT 3

struct wanted {
	const char *name, *type; /* as the list of fields has them */
	enum trace_field_kind kind;
};

static enum status make_fields(struct dump *d, const struct layout_row *rows,
			       const struct wanted *wanted, size_t n, struct trace_field **ret)
{
	struct trace_field *fields = dump_alloc(d, n * sizeof(*fields));
	struct field f[COMMON];
	enum status st = layout_resolve(d, rows, n, f);

	if (st != ST_OK)
		return st;
	for (size_t i = 0; i < n; i++) {
		if (f[i].kind != KIND_INT || f[i].size > 8)
			return dump_unknown(d, "%s.%s", rows[i].type, rows[i].names[0]);
		fields[i] = (struct trace_field){ .name = wanted[i].name,
						  .type = wanted[i].type,
						  .kind = wanted[i].kind,
						  .offset = f[i].offset,
						  .size = f[i].size };
	}
	*ret = fields;
	return ST_OK;
}

/* Members of struct trace_entry, with their names in ftrace_common_fields. ST_UNKNOWN: no such type. */
static enum status event_types_common(struct dump *d, struct trace_field **ret, size_t *n)
{
	static const struct layout_row rows[COMMON] = {
		{ "struct trace_entry", { "type" }, REQUIRED, "all" },
		{ "struct trace_entry", { "flags" }, REQUIRED, "all" },
		{ "struct trace_entry", { "preempt_count" }, REQUIRED, "all" },
		{ "struct trace_entry", { "pid" }, REQUIRED, "all" },
	};
	static const struct wanted wanted[COMMON] = {
		{ "common_type", "unsigned short", TRACE_UINT },
		{ "common_flags", "unsigned char", TRACE_UINT },
		{ "common_preempt_count", "unsigned char", TRACE_UINT },
		{ "common_pid", "int", TRACE_INT },
	};
	enum status st = make_fields(d, rows, wanted, COMMON, ret);

	if (st != ST_OK)
		return st;
	*n = COMMON;
	decoder_trace(d,
		      "decide common fields of events by struct trace_entry: their list is not in "
		      "this dump");
	return ST_OK;
}

/* Classes of page faults, newest first. */
static const struct {
	const char *variable, *type, *since;
} classes[] = {
	{ "event_class_exceptions", "struct trace_event_raw_exceptions", "6.15" },
	{ "event_class_x86_exceptions", "struct trace_event_raw_x86_exceptions", "3.13 to 6.14" },
};

/*
 * The fields of page faults of the event class at the address class_at. ST_ABSENT: it is none of those
 * classes, or the kernel was built without its type.
 */
static enum status event_types_fields(struct dump *d, uint64_t class_at, struct trace_field **ret,
				      size_t *n)
{
	static const struct wanted wanted[FAULT] = {
		{ "address", "unsigned long", TRACE_UINT },
		{ "ip", "unsigned long", TRACE_UINT },
		{ "error_code", "unsigned long", TRACE_UINT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		const char *type = classes[i].type, *since = classes[i].since;
		const struct layout_row rows[FAULT] = {
			{ type, { "address" }, REQUIRED, since },
			{ type, { "ip" }, REQUIRED, since },
			{ type, { "error_code" }, REQUIRED, since },
		};
		uint64_t address;
		enum status st;

		if (!dump_has_symbol(d, classes[i].variable) ||
		    dump_symbol(d, classes[i].variable, &address) != ST_OK || address != class_at)
			continue;
		st = make_fields(d, rows, wanted, FAULT, ret);
		if (st == ST_UNKNOWN)
			break;
		if (st != ST_OK)
			return st;
		*n = FAULT;
		decoder_trace(d, "decide fields of an event by %s: their list is not in this dump",
			      type);
		return ST_OK;
	}
	return dump_absent(d, "no type of vmlinux has the fields of this event");
}

#define MAX_EVENTS (1 << 16) /* numbers of events have 16 bits */
#define MAX_FIELDS 256	     /* members of an event; system calls have the most, some ten */
#define NAME_BYTES 128	     /* of a member and its type, as a format file shows them */
#define RECORD_BYTES 4096    /* a record is no longer than a sub-buffer */

/* A trace_event_call, and the system of its class. */
struct call {
	uint64_t list, class, name, type, flags;
	uint64_t system;
};

/* A ftrace_event_field. */
struct member {
	uint64_t name, type;
	uint32_t offset, size;
	uint64_t is_signed;
};

/* A trace_event_file. */
struct file {
	uint64_t list, call, flags;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct trace_events, call, "struct trace_event_call"),
	LINKS(struct call, list, REQUIRED, "4.2", "list"),
	POINTS(struct call, class, REQUIRED, "4.2", "class"),
	POINTS(struct call, name, REQUIRED, "4.2", "name"),
	READS(struct call, type, REQUIRED, "4.2", "event.type"),
	READS(struct call, flags, REQUIRED, "4.2", "flags"),
	STRUCTURE(struct trace_events, class, "struct trace_event_class"),
	READS(struct call, system, REQUIRED, "4.2", "system"),
	FINDS(struct trace_events, class_fields, "struct trace_event_class", REQUIRED, "4.2",
	      "fields"),
	FINDS(struct trace_events, member_link, "struct ftrace_event_field", REQUIRED, "all",
	      "link"),
	STRUCTURE(struct trace_events, member, "struct ftrace_event_field"),
	READS(struct member, name, REQUIRED, "all", "name"),
	READS(struct member, type, REQUIRED, "all", "type"),
	READS(struct member, offset, REQUIRED, "all", "offset"),
	READS(struct member, size, REQUIRED, "all", "size"),
	/* An int to 6.11, a bit field from 6.12. */
	READS(struct member, is_signed, REQUIRED_BITS, "all", "is_signed"),
	FINDS(struct trace_events, tracepoint_name, "struct tracepoint", OPTIONAL, "all", "name"),
	STRUCTURE(struct trace_events, file, "struct trace_event_file"),
	LINKS(struct file, list, REQUIRED, "4.2", "list"),
	READS(struct file, call, REQUIRED, "4.2", "event_call"),
	READS(struct file, flags, REQUIRED, "4.2", "flags"),
};

/* "__data_loc char[]" and so on. */
static void classify(struct trace_field *f, bool is_signed)
{
	static const struct {
		const char *prefix;
		enum trace_field_kind kind;
	} dynamic[] = { { "__data_loc", TRACE_DYNAMIC }, { "__rel_loc", TRACE_RELATIVE } };
	bool array = strchr(f->type, '[');

	f->is_text = array && (strstr(f->type, "char[") || strstr(f->type, "char ["));
	for (size_t i = 0; i < ARRAY_SIZE(dynamic); i++) {
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
	struct member m;
	char name[NAME_BYTES], type[NAME_BYTES];
	enum status st = struct_read(&e->member, address, &m) ?:
		dump_string(d, m.name, name, sizeof(name), "name of a field") ?:
		dump_string(d, m.type, type, sizeof(type), "type of a field");

	if (st != ST_OK)
		return st;
	field = (struct trace_field){
		.name = dump_strdup(d, name),
		.type = dump_strdup(d, type),
		.offset = m.offset,
		.size = m.size,
	};
	if (field.offset > RECORD_BYTES || field.size > RECORD_BYTES)
		return dump_corrupt(d, "field %s has %u bytes at %u", name, field.size,
				    field.offset);
	classify(&field, m.is_signed & 1);
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
	enum status st = dump_u64(d, head, &link, "fields of an event");

	while (st == ST_OK && link != head) {
		if (!first)
			return dump_corrupt(d, "an event has more than %d fields", MAX_FIELDS);
		st = read_field(e, link - e->member_link.offset, &fields[first - 1]);
		first--;
		st = st ?: dump_u64(d, link, &link, "ftrace_event_field.link");
	}
	if (st != ST_OK)
		return st;
	*n = MAX_FIELDS - first;
	exact = dump_alloc(d, (*n + 1) * sizeof(*exact));
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
	enum status st = dump_symbol(e->dump, "ftrace_common_fields", &head)
				 ?: read_fields(e, head, &fields, &n);

	if (st == ST_UNREADABLE)
		st = event_types_common(e->dump, &fields, &n);
	for (size_t i = 0; st == ST_OK && i < n; i++) {
		for (size_t k = 0; k < ARRAY_SIZE(wanted); k++) {
			if (strcmp(fields[i].name, wanted[k].name) ||
			    fields[i].size != wanted[k].size)
				continue;
			*wanted[k].field = fields[i];
			found++;
		}
		if (fields[i].offset + fields[i].size > c->size)
			c->size = fields[i].offset + fields[i].size;
	}
	if (st == ST_OK && found != ARRAY_SIZE(wanted))
		st = dump_unknown(e->dump, "common fields of events");
	return st;
}

enum status trace_events_open(struct dump *d, struct trace_events *ret)
{
	struct trace_events e = { .dump = d };
	enum status st = dump_has_both(d, "ftrace_events", "struct ftrace_event_field");

	if (st == ST_ABSENT)
		return dump_absent(
			d,
			"this kernel was built without CONFIG_EVENT_TRACING: it has no trace events");
	st = st ?: STRUCTS_OPEN(d, rows, &e);
	if (st != ST_OK)
		return st;
	/* The bits move from release to release. */
	e.tracepoint = dump_enumerator_or(d, "TRACE_EVENT_FL_TRACEPOINT", 0);
	if (!e.tracepoint)
		return dump_unknown(d, "no enumerator TRACE_EVENT_FL_TRACEPOINT");
	e.custom = dump_enumerator_or(d, "TRACE_EVENT_FL_CUSTOM", 0);
	return RESULT(read_common(&e), ret, e);
}

/* Whether a call is that of "system:name". */
static enum status matches(struct trace_events *e, const struct call *c, const char *system,
			   const char *name, bool *ret)
{
	struct dump *d = e->dump;
	uint64_t at = c->name;
	char text[NAME_BYTES];
	enum status st = dump_string(d, c->system, text, sizeof(text), "name of a trace system");

	*ret = false;
	if (st != ST_OK || strcmp(text, system))
		return st;
	/* A union with tp, the tracepoint that has the name: trace_event_name(). */
	if (!(c->flags & e->custom) && c->flags & e->tracepoint) {
		if (!e->tracepoint_name.present)
			return dump_unknown(d, "struct tracepoint");
		st = at ? dump_u64(d, at + e->tracepoint_name.offset, &at, "tracepoint") : ST_OK;
	}
	if (st == ST_OK && at)
		st = dump_string(d, at, text, sizeof(text), "name of a trace event");
	*ret = st == ST_OK && at && !strcmp(text, name);
	return st;
}

static enum status read_event(struct trace_events *e, const struct call *c, struct trace_event *ev)
{
	const char *hole;
	enum status st = read_fields(e, c->class + e->class_fields.offset, &ev->fields,
				     &ev->nfields);

	if (st == ST_UNREADABLE) {
		hole = dump_why(e->dump);
		st = event_types_fields(e->dump, c->class, &ev->fields, &ev->nfields);
		if (st == ST_ABSENT)
			st = dump_unreadable(e->dump, "%s", hole ? hole : "");
	}
	if (st != ST_OK)
		return st;
	if (!c->type || c->type > UINT16_MAX)
		return dump_corrupt(e->dump, "event %s has the number %lu", ev->name, c->type);
	ev->id = c->type;
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
	struct call c;
	uint64_t head, link;
	bool same = false;
	enum status st = dump_symbol(d, "ftrace_events", &head), broken = ST_OK;

	st = st ?: dump_u64(d, head, &link, "ftrace_events");
	for (unsigned int n = 0; st == ST_OK && link != head; n++) {
		if (n == MAX_EVENTS)
			return dump_corrupt(d, "the list of events does not end");
		ev.call = STRUCT_WITH(&e->call, struct call, list, link);
		st = struct_read(&e->call, ev.call, &c);
		if (st != ST_OK)
			return st;
		link = c.list;
		/* An event whose name cannot be read may be the one: then absent is not sure. */
		st = struct_read(&e->class, c.class, &c) ?: matches(e, &c, system, name, &same);
		if (st == ST_OK && same) {
			return RESULT(read_event(e, &c, &ev), ret, ev);
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
	return dump_absent(d, "this kernel has no event %s:%s", system, name);
}

const struct trace_field *trace_event_field(const struct trace_event *e, const char *name)
{
	return FIND_IN(e->fields, e->nfields, !strcmp(found->name, name));
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
			bits[i] = dump_enumerator_or(e->dump, file_bits[i], 0);
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
	struct file file;
	uint64_t link;
	enum status st = dump_u64(d, a->events, &link, "trace_array.events");

	for (unsigned int n = 0; st == ST_OK && link != a->events; n++) {
		if (n == MAX_EVENTS)
			return dump_corrupt(d, "the list of events does not end");
		st = struct_read(&e->file, STRUCT_WITH(&e->file, struct file, list, link), &file);
		if (st != ST_OK)
			return st;
		link = file.list;
		if (file.call != event->call)
			continue;
		decode_flags(e, file.flags, ret);
		return ST_OK;
	}
	return st
		       ?: dump_absent(d, "instance %s has no event %s:%s", a->name, event->system,
				      event->name);
}
