// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/trace_array.h"

#include "dump/structure.h"
#include "kernel/static_key.h"

#define MAX_ARRAYS 4096 /* instances; each is a folder of tracefs that somebody has made */
#define MAX_CLOCKS 64	/* a kernel has 8 to 12 */
#define CLOCK_BYTES 24	/* an entry of trace_clocks */

struct reader {
	struct structure
		array; /* 7.3 reads 8 KiB: the system calls that may be traced come first */
	struct field list;
	uint64_t global;
};

/* A struct trace_array. */
struct array {
	struct trace_array a;
	uint64_t name, allocated, clock;
	bool has_allocated;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct reader, array, "struct trace_array"),
	FINDS(struct reader, list, "struct trace_array", REQUIRED, "all", "list"),
	READS(struct array, name, REQUIRED, "all", "name"),
	READS(struct array, a.buffer, REQUIRED, "5.6; to 5.5", "array_buffer.buffer",
	      "trace_buffer.buffer"),
	READS(struct array, a.snapshot, OPTIONAL,
	      "7.0, CONFIG_TRACER_SNAPSHOT; to 6.19, CONFIG_TRACER_MAX_TRACE",
	      "snapshot_buffer.buffer", "max_buffer.buffer"),
	READS_IF(struct array, allocated, has_allocated, OPTIONAL, "with it", "allocated_snapshot"),
	READS(struct array, clock, REQUIRED, "all", "clock_id"),
	PLACES(struct array, a.events, REQUIRED, "all", "events"),
	READS(struct array, a.buffer_disabled, OPTIONAL, "all", "buffer_disabled"),
	READS(struct array, a.stop_count, OPTIONAL, "all", "stop_count"),
	READS(struct array, a.other_boot, OPTIONAL, "6.12", "text_delta"),
};

/*
 * The clock "local" is sched_clock(), the log has local_clock() (kernel/sched/clock.c): with a
 * stable TSC sched_clock() + __sched_clock_offset; else corrected by ticks, on each CPU by
 * another amount, and the two cannot be compared.  A kernel whose sched_clock() is always
 * stable has neither variable.
 */
static bool find_log_offset(struct dump *d, int64_t *ret)
{
	uint64_t offset = 0;
	bool stable = true;
	enum status st = dump_has_symbol(d, "__sched_clock_stable")
				 ? static_key_read(d, "__sched_clock_stable", &stable)
				 : ST_ABSENT;

	if (st == ST_OK && stable && dump_has_symbol(d, "__sched_clock_offset"))
		st = dump_value(d, "__sched_clock_offset", &offset);
	if ((st != ST_OK && st != ST_ABSENT) || !stable)
		return false;
	*ret = (int64_t)offset;
	return true;
}

/*
 * trace_clocks is an array of a structure without a name, { func, name, in_ns }: two pointers
 * and an int in every release, so what its entries have is checked, not looked up.
 */
static void read_clock(struct dump *d, uint64_t id, struct trace_clock *ret)
{
	static const char *const sched[] = { "local", "global", "perf" };
	uint8_t raw[CLOCK_BYTES];
	struct field all, one;
	char name[TRACE_NAME];
	uint64_t clocks;
	uint32_t in_ns;

	if (dump_ask(d, variable, "trace_clocks", &all) != ST_OK ||
	    dump_ask(d, variable, "trace_clocks[0]", &one) != ST_OK || one.size != CLOCK_BYTES ||
	    all.size % one.size || all.size / one.size > MAX_CLOCKS || id >= all.size / one.size ||
	    dump_symbol(d, "trace_clocks", &clocks) != ST_OK ||
	    dump_read(d, clocks + id * one.size, raw, one.size, "trace_clocks") != ST_OK ||
	    dump_string(d, le64(raw + 8), name, sizeof(name), "name of a clock") != ST_OK)
		return;
	in_ns = le32(raw + 16);
	if (in_ns > 1)
		return;
	ret->name = dump_strdup(d, name);
	ret->known = true;
	ret->in_ns = in_ns;
	for (size_t i = 0; i < ARRAY_SIZE(sched); i++)
		ret->is_sched |= !strcmp(name, sched[i]);
	if (!strcmp(name, "local"))
		ret->is_sched = find_log_offset(d, &ret->log_offset);
}

static enum status decode(struct dump *d, const struct reader *r, struct trace_array *a)
{
	struct array read = { .a = *a };
	enum status st = struct_read(&r->array, a->address, &read);

	if (st != ST_OK)
		return st;
	*a = read.a;
	a->is_global = a->address == r->global || !read.name;
	if (a->is_global)
		snprintf(a->name, sizeof(a->name), "global");
	else if (dump_string(d, read.name, a->name, sizeof(a->name), "name of an instance") !=
		 ST_OK)
		snprintf(a->name, sizeof(a->name), "?%lx", a->address);
	a->snapshot_unused = read.has_allocated && !read.allocated;
	read_clock(d, read.clock, &a->clock);
	if (!a->clock.known)
		dump_lacks(d, "clocks of trace buffers", ST_UNKNOWN,
			   "the kernel's table trace_clocks was not found");
	decoder_trace(d, "decide instance %s: buffer %#lx, second %#lx%s, clock %s", a->name,
		      a->buffer, a->snapshot, a->snapshot_unused ? " (not allocated)" : "",
		      a->clock.name ? a->clock.name : "unknown");
	return ST_OK;
}

/* A member that the address is of already; the list has few. */
static bool known(const struct trace_arrays *all, uint64_t address)
{
	return ANY_OF(i, all->n, all->at[i].address == address);
}

static enum status add(struct dump *d, const struct reader *r, uint64_t address,
		       struct trace_arrays *all)
{
	struct trace_array a = { .address = address };
	enum status st = decode(d, r, &a);

	if (st != ST_OK)
		return st;
	all->at = arena_more(d->arena, all->at, all->n, sizeof(*all->at));
	all->at[all->n++] = a;
	return ST_OK;
}

static void problem(struct dump *d, struct trace_arrays *all)
{
	all->problem = dump_text(d, "the list of tracing instances ends early: %s", d->error);
}

enum status trace_arrays_open(struct dump *d, struct trace_arrays *ret)
{
	struct trace_arrays all = { 0 };
	struct reader r = { 0 };
	uint64_t head, link;
	enum status st = dump_has_both(d, "ftrace_trace_arrays", "struct trace_array");

	if (st == ST_ABSENT)
		return dump_absent(
			d, "this kernel was built without CONFIG_TRACING: no trace buffers");
	st = st ?: STRUCTS_OPEN(d, rows, &r) ?: dump_symbol(d, "ftrace_trace_arrays", &head);
	if (st != ST_OK)
		return st;
	/* It is in vmlinux: found whatever the list is like. */
	if (dump_symbol(d, "global_trace", &r.global) == ST_OK) {
		st = add(d, &r, r.global, &all);
		if (st != ST_OK)
			return st;
	}
	st = dump_u64(d, head, &link, "ftrace_trace_arrays");
	while (st == ST_OK && link != head) {
		uint64_t address = link - r.list.offset;

		if (!known(&all, address))
			st = add(d, &r, address, &all);
		else if (address != r.global)
			st = dump_corrupt(d, "an instance is in it twice");
		if (st == ST_OK && all.n > MAX_ARRAYS)
			st = dump_corrupt(d, "more than %d instances", MAX_ARRAYS);
		st = st ?: dump_u64(d, link, &link, "trace_array.list");
	}
	if (st != ST_OK && !all.n)
		return st;
	if (st != ST_OK)
		problem(d, &all);
	*ret = all;
	return ST_OK;
}
