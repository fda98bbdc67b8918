// SPDX-License-Identifier: GPL-2.0-or-later
#include "slab/kmemleak.h"

#include "dump/structure.h"
#include "kernel/jiffies.h"
#include "kernel/list.h"

/* OBJECT_ALLOCATED and OBJECT_REPORTED in mm/kmemleak.c, the same in 4.19 to 7.3. */
#define ALLOCATED 1
#define REPORTED 2
#define BLACK (-1) /* KMEMLEAK_BLACK, of count: never a leak */

struct walk {
	struct dump *dump;
	struct structure object;
	struct field list;
	struct jiffies jiffies;
	enum status (*visit)(void *arg, const struct kmemleak_object *o);
	void *arg;
};

/* A struct kmemleak_object. */
struct leak {
	struct kmemleak_object o;
	uint64_t flags, jiffies, frames;
	int64_t least, count;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, object, "struct kmemleak_object"),
	READS(struct leak, flags, REQUIRED, "all", "flags"),
	FINDS(struct walk, list, "struct kmemleak_object", REQUIRED, "all", "object_list"),
	READS(struct leak, o.pointer, REQUIRED, "all", "pointer"),
	READS(struct leak, o.bytes, REQUIRED, "all", "size"),
	READS(struct leak, o.handle, OPTIONAL, "6.2", "trace_handle"),
	LINKS(struct leak, frames, OPTIONAL, "to 6.1", "trace"),
	READS(struct leak, jiffies, REQUIRED, "all", "jiffies"),
	READS(struct leak, o.pid, REQUIRED, "all", "pid"),
	READS(struct leak, o.comm, REQUIRED, "all", "comm"),
	READS(struct leak, least, REQUIRED, "all", "min_count"),
	READS(struct leak, count, REQUIRED, "all", "count"),
};

static enum status visit_node(struct walk *w, uint64_t node)
{
	struct leak leak = { .o.address = node - w->list.offset };
	enum status st = struct_read(&w->object, leak.o.address, &leak);

	/* It is being deleted. */
	if (st != ST_OK || !(leak.flags & ALLOCATED))
		return st;
	leak.o.has_age = jiffies_age(&w->jiffies, leak.jiffies, &leak.o.age_ns);
	/* As kmemleak_seq_show() has it: pointers may have been found since it was reported. */
	leak.o.is_reported = leak.flags & REPORTED && leak.count != BLACK &&
			     leak.count < leak.least;
	return w->visit(w->arg, &leak.o);
}

static enum status open_layout(struct walk *w, bool *has_frames)
{
	struct dump *d = w->dump;
	uint64_t enabled;
	bool has_handle;
	enum status st = STRUCTS_OPEN(d, rows, w);

	if (st != ST_OK)
		return st;
	has_handle = STRUCT_HAS(&w->object, struct leak, o.handle);
	*has_frames = !has_handle && STRUCT_HAS(&w->object, struct leak, frames);
	if (!has_handle)
		return dump_fail(d, ST_UNKNOWN,
				 *has_frames ? "kmemleak before 6.2 has frames and no handles"
					     : "unknown layout: struct kmemleak_object");
	/* Turned off for an error, it frees its objects in the background. */
	if (dump_value(d, "kmemleak_enabled", &enabled) == ST_OK && !enabled)
		return dump_absent(d, "kmemleak is off");
	return ST_OK;
}

enum status kmemleak_walk(struct dump *d, bool *has_frames,
			  enum status (*visit)(void *arg, const struct kmemleak_object *o),
			  void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	struct list_nodes list;
	uint64_t head, node;
	enum status st;

	*has_frames = false;
	if (!dump_has_symbol(d, "kmemleak_alloc"))
		return dump_absent(d, "no kmemleak_alloc in vmlinux");
	st = open_layout(&w, has_frames) ?: dump_symbol(d, "object_list", &head);
	if (st != ST_OK)
		return st;
	jiffies_open(d, &w.jiffies);
	list = list_of(d, head, "object_list of kmemleak");
	while (st == ST_OK && list_next(&list, &node))
		st = visit_node(&w, node);
	return st ?: list_end(&list);
}
