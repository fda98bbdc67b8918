// SPDX-License-Identifier: GPL-2.0-or-later
#include "slab/kmemleak.h"

#include <string.h>

#include "dump/layout.h"
#include "kernel/jiffies.h"
#include "kernel/list.h"
#include "util/printable.h"

#define MAX_BYTES 512
/* OBJECT_ALLOCATED and OBJECT_REPORTED in mm/kmemleak.c, the same in 4.19 to 7.3. */
#define ALLOCATED 1
#define REPORTED 2
#define BLACK (-1) /* KMEMLEAK_BLACK, of count: never a leak */

enum {
	LEAK_FLAGS,
	LEAK_LIST,
	LEAK_POINTER,
	LEAK_BYTES,
	LEAK_HANDLE,
	LEAK_FRAMES,
	LEAK_JIFFIES,
	LEAK_PID,
	LEAK_COMM,
	LEAK_LEAST,
	LEAK_COUNT,
	LEAK_FIELDS
};

static const struct layout_row rows[LEAK_FIELDS] = {
	[LEAK_FLAGS] = { "struct kmemleak_object", { "flags" }, REQUIRED, "all" },
	[LEAK_LIST] = { "struct kmemleak_object", { "object_list" }, REQUIRED, "all" },
	[LEAK_POINTER] = { "struct kmemleak_object", { "pointer" }, REQUIRED, "all" },
	[LEAK_BYTES] = { "struct kmemleak_object", { "size" }, REQUIRED, "all" },
	[LEAK_HANDLE] = { "struct kmemleak_object", { "trace_handle" }, OPTIONAL, "6.2" },
	[LEAK_FRAMES] = { "struct kmemleak_object", { "trace" }, OPTIONAL, "to 6.1" },
	[LEAK_JIFFIES] = { "struct kmemleak_object", { "jiffies" }, REQUIRED, "all" },
	[LEAK_PID] = { "struct kmemleak_object", { "pid" }, REQUIRED, "all" },
	[LEAK_COMM] = { "struct kmemleak_object", { "comm" }, REQUIRED, "all" },
	[LEAK_LEAST] = { "struct kmemleak_object", { "min_count" }, REQUIRED, "all" },
	[LEAK_COUNT] = { "struct kmemleak_object", { "count" }, REQUIRED, "all" },
};

struct walk {
	struct dump *dump;
	struct field f[LEAK_FIELDS];
	size_t bytes;
	struct jiffies jiffies;
	enum status (*visit)(void *arg, const struct kmemleak_object *o);
	void *arg;
};

/* As kmemleak_seq_show() has it: pointers may have been found since it was reported. */
static bool is_reported(const struct walk *w, const uint8_t *raw)
{
	int64_t count = field_get_signed(&w->f[LEAK_COUNT], raw);

	return field_get(&w->f[LEAK_FLAGS], raw) & REPORTED && count != BLACK &&
	       count < field_get_signed(&w->f[LEAK_LEAST], raw);
}

static enum status visit_node(void *arg, uint64_t node)
{
	struct walk *w = arg;
	const struct field *f = w->f;
	struct kmemleak_object o = { .address = node - f[LEAK_LIST].offset };
	uint8_t raw[MAX_BYTES];
	size_t comm = f[LEAK_COMM].size < KMEMLEAK_COMM ? f[LEAK_COMM].size : KMEMLEAK_COMM - 1;
	enum status st = dump_read(w->dump, o.address, raw, w->bytes, "kmemleak_object");

	if (st != ST_OK)
		return st;
	/* It is being deleted. */
	if (!(field_get(&f[LEAK_FLAGS], raw) & ALLOCATED))
		return ST_OK;
	o.pointer = field_get(&f[LEAK_POINTER], raw);
	o.bytes = field_get(&f[LEAK_BYTES], raw);
	o.handle = field_get(&f[LEAK_HANDLE], raw);
	o.pid = field_get_signed(&f[LEAK_PID], raw);
	memcpy(o.comm, raw + f[LEAK_COMM].offset, comm);
	printable(o.comm);
	o.has_age = jiffies_age(&w->jiffies, field_get(&f[LEAK_JIFFIES], raw), &o.age_ns);
	o.is_reported = is_reported(w, raw);
	return w->visit(w->arg, &o);
}

static enum status open_layout(struct walk *w, bool *has_frames)
{
	struct dump *d = w->dump;
	uint64_t enabled;
	enum status st = layout_resolve(d, rows, LEAK_FIELDS, w->f);

	if (st != ST_OK)
		return st;
	*has_frames = w->f[LEAK_FRAMES].present && !w->f[LEAK_HANDLE].present;
	if (!w->f[LEAK_HANDLE].present)
		return dump_fail(d, ST_UNKNOWN,
				 *has_frames ? "kmemleak before 6.2 has frames and no handles"
					     : "unknown layout: struct kmemleak_object");
	w->bytes = layout_span(w->f, LEAK_FIELDS);
	if (w->bytes > MAX_BYTES)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: struct kmemleak_object");
	/* Turned off for an error, it frees its objects in the background. */
	if (dump_value(d, "kmemleak_enabled", &enabled) == ST_OK && !enabled)
		return dump_fail(d, ST_ABSENT, "kmemleak is off");
	return ST_OK;
}

enum status kmemleak_walk(struct dump *d, bool *has_frames,
			  enum status (*visit)(void *arg, const struct kmemleak_object *o),
			  void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	uint64_t head;
	enum status st;

	*has_frames = false;
	if (!dump_has_symbol(d, "kmemleak_alloc"))
		return dump_fail(d, ST_ABSENT, "no kmemleak_alloc in vmlinux");
	st = open_layout(&w, has_frames);
	if (st == ST_OK)
		st = dump_symbol(d, "object_list", &head);
	if (st != ST_OK)
		return st;
	jiffies_open(d, &w.jiffies);
	return list_walk(d, head, "object_list of kmemleak", visit_node, &w);
}
