// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/event_types.h"

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
			return dump_fail(d, ST_UNKNOWN, "unknown layout: %s.%s", rows[i].type,
					 rows[i].names[0]);
		fields[i] = (struct trace_field){ .name = wanted[i].name,
						  .type = wanted[i].type,
						  .kind = wanted[i].kind,
						  .offset = f[i].offset,
						  .size = f[i].size };
	}
	*ret = fields;
	return ST_OK;
}

enum status event_types_common(struct dump *d, struct trace_field **ret, size_t *n)
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

enum status event_types_fields(struct dump *d, uint64_t class_at, struct trace_field **ret,
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
	return dump_fail(d, ST_ABSENT, "no type of vmlinux has the fields of this event");
}
