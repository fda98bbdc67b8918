// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/kfence.h"

#include "dump/pointer.h"

#define MAX_OBJECTS 65535 /* CONFIG_KFENCE_NUM_OBJECTS goes no higher */

static const struct layout_row rows[] = {
	STRUCTURE(struct kfence, object, "struct kfence_metadata"),
	READS(struct kfence_object, value, REQUIRED, "5.12", "state"),
	READS(struct kfence_object, address, REQUIRED, "5.12", "addr"),
	READS(struct kfence_object, size, REQUIRED, "5.12", "size"),
	READS(struct kfence_object, cache, REQUIRED, "5.12", "cache"),
	PLACES(struct kfence_object, allocated_at, REQUIRED, "5.12", "alloc_track"),
	PLACES(struct kfence_object, freed_at, REQUIRED, "5.12", "free_track"),
	STRUCTURE(struct kfence, track, "struct kfence_track"),
	READS(struct kfence_track, pid, REQUIRED, "5.12", "pid"),
	READS_IF(struct kfence_track, cpu, has_cpu, OPTIONAL, "5.15", "cpu"),
	READS_IF(struct kfence_track, ts_ns, has_time, OPTIONAL, "5.15", "ts_nsec"),
	READS(struct kfence_track, n, REQUIRED, "5.12", "num_stack_entries"),
	READS(struct kfence_track, frames, REQUIRED, "5.12", "stack_entries"),
};

static const char *const state_names[KFENCE_STATES] = {
	[KFENCE_UNUSED] = "KFENCE_OBJECT_UNUSED",
	[KFENCE_IN_USE] = "KFENCE_OBJECT_ALLOCATED",
	[KFENCE_FREEING] = "KFENCE_OBJECT_RCU_FREEING", /* 6.13, by backport RHEL 10 */
	[KFENCE_FREED] = "KFENCE_OBJECT_FREED",
};

static enum status find_states(struct kfence *k)
{
	struct dump *d = k->dump;

	for (unsigned int i = 0; i < KFENCE_STATES; i++)
		k->states[i] = dump_enumerator_or(d, state_names[i], -1);
	if (k->states[KFENCE_UNUSED] < 0 || k->states[KFENCE_IN_USE] < 0 ||
	    k->states[KFENCE_FREED] < 0)
		return dump_unknown(d, "enum kfence_object_state");
	return ST_OK;
}

static enum status find_layout(struct kfence *k)
{
	struct dump *d = k->dump;
	enum status st = STRUCTS_OPEN(d, rows, k) ?: find_states(k);

	if (st == ST_OK &&
	    (dump_ask(d, type_size, "struct kfence_metadata", &k->stride) != ST_OK || !k->stride))
		st = dump_unknown(d, "struct kfence_metadata");
	return st;
}

static uint64_t page_of(const struct kfence *k, uint32_t i)
{
	return k->pool + (uint64_t)(i + 1) * 2 * dump_page_size(k->dump);
}

/* Each record has an address in its page from boot on: metadata_to_pageaddr(). */
static bool is_of_its_page(const struct kfence *k, uint32_t i, uint64_t address)
{
	return address - page_of(k, i) < dump_page_size(k->dump);
}

/*
 * Nothing but its records says how long an allocated array is (6.6), nor one whose type is missing, of which
 * the next symbol is the most that it can reach.
 */
static enum status count_records(struct kfence *k, uint64_t most)
{
	struct dump *d = k->dump;
	uint8_t address[8];

	for (uint32_t i = 0; i < most; i++) {
		uint64_t at = k->metadata + i * k->stride +
			      STRUCT_FIELD(&k->object, struct kfence_object, address)->offset;

		if (dump_stopped(d))
			return ST_STOPPED;
		if (dump_try(d, at, address, sizeof(address)) != ST_OK)
			continue;
		if (!is_of_its_page(k, i, le64(address)))
			break;
		k->objects = i + 1;
	}
	return k->objects ? ST_OK : dump_unreadable(d, "records of KFENCE are not in this dump");
}

static enum status find_records(struct kfence *k)
{
	struct dump *d = k->dump;
	struct field type;
	enum status st = dump_symbol(d, "kfence_metadata", &k->metadata);

	if (st != ST_OK)
		return st;
	if (dump_ask(d, variable, "kfence_metadata", &type) != ST_OK)
		return dump_unknown(d, "no type of kfence_metadata");
	if (type.kind == KIND_ARRAY)
		return type.size / k->stride <= MAX_OBJECTS
			       ? count_records(k, type.size / k->stride)
			       : dump_unknown(d, "kfence_metadata");
	st = dump_u64(d, k->metadata, &k->metadata, "kfence_metadata");
	if (st == ST_OK && !k->metadata)
		return dump_absent(d, "KFENCE is off");
	return st ?: count_records(k, MAX_OBJECTS);
}

enum status kfence_open(struct dump *d, struct kfence *ret)
{
	struct kfence k = { .dump = d };
	uint64_t phys;
	enum status st;

	if (!dump_has_symbol(d, "__kfence_pool"))
		return dump_absent(d, "this kernel was built without CONFIG_KFENCE");
	st = dump_value(d, "__kfence_pool", &k.pool);
	if (st == ST_OK && !k.pool)
		return dump_absent(d, "KFENCE is off");
	if (st == ST_OK && k.pool % dump_page_size(d))
		return dump_corrupt(d, "the pool of KFENCE is at %#lx", k.pool);
	st = st ?: dump_pointer_phys(d, k.pool, "the pool of KFENCE", &phys) ?: find_layout(&k) ?: find_records(&k);
	if (st != ST_OK)
		return st;
	k.pfn = phys >> d->page_shift;
	k.pages = ((uint64_t)k.objects + 1) * 2;
	decoder_trace(d, "decide KFENCE has %u objects at %#lx", k.objects, k.pool);
	*ret = k;
	return ST_OK;
}

static enum status read_track(const struct kfence *k, uint64_t at, struct kfence_track *ret)
{
	uint32_t room = STRUCT_FIELD(&k->track, struct kfence_track, frames)->size / 8;
	enum status st = struct_read(&k->track, at, ret);

	room = room < KFENCE_FRAMES ? room : KFENCE_FRAMES;
	ret->n = ret->n < room ? ret->n : room;
	ret->has_time = ret->has_time && ret->has_cpu;
	return st;
}

static enum kfence_state state_of(const struct kfence *k, int64_t value)
{
	unsigned int i = 0;

	while (i < KFENCE_STATES && (k->states[i] < 0 || k->states[i] != value))
		i++;
	return i;
}

enum status kfence_object_at(struct kfence *k, uint32_t i, struct kfence_object *ret)
{
	struct kfence_object o = { 0 };
	enum status st;

	if (i >= k->objects)
		return ST_ABSENT;
	st = struct_read(&k->object, k->metadata + i * k->stride, &o);
	if (st != ST_OK)
		return st;
	o.state = state_of(k, o.value);
	if (o.state == KFENCE_STATES || !is_of_its_page(k, i, o.address) ||
	    o.size > page_of(k, i) + dump_page_size(k->dump) - o.address)
		return dump_corrupt(k->dump, "the record of KFENCE object %u is corrupt", i);
	if (o.state != KFENCE_UNUSED)
		st = read_track(k, o.allocated_at, &o.allocated);
	if (st == ST_OK && (o.state == KFENCE_FREEING || o.state == KFENCE_FREED))
		st = read_track(k, o.freed_at, &o.freed);
	return RESULT(st, ret, o);
}

enum status kfence_index(const struct kfence *k, uint64_t pfn, uint32_t *ret, bool *guard)
{
	uint64_t page = pfn - k->pfn;

	if (page >= k->pages || page < 2)
		return ST_ABSENT;
	*ret = page / 2 - 1;
	*guard = page % 2;
	return ST_OK;
}
