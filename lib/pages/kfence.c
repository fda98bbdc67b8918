// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/kfence.h"

#include "util/endian.h"

#define MAX_OBJECTS 65535 /* CONFIG_KFENCE_NUM_OBJECTS goes no higher */

static const struct layout_row rows[KFENCE_FIELDS] = {
	[KFENCE_STATE] = { "struct kfence_metadata", { "state" }, REQUIRED, "5.12" },
	[KFENCE_ADDRESS] = { "struct kfence_metadata", { "addr" }, REQUIRED, "5.12" },
	[KFENCE_SIZE] = { "struct kfence_metadata", { "size" }, REQUIRED, "5.12" },
	[KFENCE_CACHE] = { "struct kfence_metadata", { "cache" }, REQUIRED, "5.12" },
	[KFENCE_ALLOC_TRACK] = { "struct kfence_metadata", { "alloc_track" }, REQUIRED, "5.12" },
	[KFENCE_FREE_TRACK] = { "struct kfence_metadata", { "free_track" }, REQUIRED, "5.12" },
};

static const struct layout_row track_rows[KFENCE_TRACK_FIELDS] = {
	[KFENCE_PID] = { "struct kfence_track", { "pid" }, REQUIRED, "5.12" },
	[KFENCE_CPU] = { "struct kfence_track", { "cpu" }, OPTIONAL, "5.15" },
	[KFENCE_TS] = { "struct kfence_track", { "ts_nsec" }, OPTIONAL, "5.15" },
	[KFENCE_ENTRIES] = { "struct kfence_track", { "num_stack_entries" }, REQUIRED, "5.12" },
	[KFENCE_STACK] = { "struct kfence_track", { "stack_entries" }, REQUIRED, "5.12" },
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
		if (d->ops->enumerator(d->priv, state_names[i], &k->states[i]) != ST_OK)
			k->states[i] = -1;
	if (k->states[KFENCE_UNUSED] < 0 || k->states[KFENCE_IN_USE] < 0 ||
	    k->states[KFENCE_FREED] < 0)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: enum kfence_object_state");
	return ST_OK;
}

static enum status find_layout(struct kfence *k)
{
	struct dump *d = k->dump;
	uint64_t track;
	size_t span;
	enum status st = layout_resolve(d, rows, KFENCE_FIELDS, k->f);

	if (st == ST_OK)
		st = layout_resolve(d, track_rows, KFENCE_TRACK_FIELDS, k->t);
	if (st == ST_OK)
		st = find_states(k);
	if (st != ST_OK)
		return st;
	span = layout_span(k->f, KFENCE_FIELDS);
	if (d->ops->type_size(d->priv, "struct kfence_track", &track) != ST_OK ||
	    layout_span(k->t, KFENCE_TRACK_FIELDS) > track ||
	    k->f[KFENCE_ALLOC_TRACK].offset + track > span ||
	    k->f[KFENCE_FREE_TRACK].offset + track > span ||
	    d->ops->type_size(d->priv, "struct kfence_metadata", &k->stride) != ST_OK ||
	    span > k->stride)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: struct kfence_metadata");
	return layout_buffer(d, "struct kfence_metadata", span, &k->buffer);
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

/* Since 6.6 an allocated array: nothing but its records says how long it is. */
static enum status count_records(struct kfence *k)
{
	struct dump *d = k->dump;
	uint8_t address[8];

	for (uint32_t i = 0; i < MAX_OBJECTS; i++) {
		uint64_t at = k->metadata + i * k->stride + k->f[KFENCE_ADDRESS].offset;

		if (dump_stopped(d))
			return ST_STOPPED;
		if (dump_try(d, at, address, sizeof(address)) != ST_OK)
			continue;
		if (!is_of_its_page(k, i, le64(address)))
			break;
		k->objects = i + 1;
	}
	return k->objects ? ST_OK
			  : dump_fail(d, ST_UNREADABLE, "records of KFENCE are not in this dump");
}

static enum status find_records(struct kfence *k)
{
	struct dump *d = k->dump;
	struct field type;
	enum status st = dump_symbol(d, "kfence_metadata", &k->metadata);

	if (st != ST_OK)
		return st;
	if (d->ops->variable(d->priv, "kfence_metadata", &type) != ST_OK)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: no type of kfence_metadata");
	if (type.kind == KIND_ARRAY) {
		k->objects = type.size / k->stride;
		return k->objects && k->objects <= MAX_OBJECTS
			       ? ST_OK
			       : dump_fail(d, ST_UNKNOWN, "unknown layout: kfence_metadata");
	}
	st = dump_u64(d, k->metadata, &k->metadata, "kfence_metadata");
	if (st == ST_OK && !k->metadata)
		return dump_fail(d, ST_ABSENT, "KFENCE is off");
	return st == ST_OK ? count_records(k) : st;
}

enum status kfence_open(struct dump *d, struct kfence *ret)
{
	struct kfence k = { .dump = d };
	uint64_t phys;
	enum status st;

	if (!dump_has_symbol(d, "__kfence_pool"))
		return dump_fail(d, ST_ABSENT, "this kernel has no KFENCE");
	st = dump_value(d, "__kfence_pool", &k.pool);
	if (st == ST_OK && !k.pool)
		return dump_fail(d, ST_ABSENT, "KFENCE is off");
	if (st == ST_OK && (k.pool % dump_page_size(d) || !d->ops->virt_to_phys ||
			    d->ops->virt_to_phys(d->priv, k.pool, &phys) != ST_OK))
		return dump_fail(d, ST_CORRUPT, "the pool of KFENCE is at %#llx",
				 (unsigned long long)k.pool);
	if (st == ST_OK)
		st = find_layout(&k);
	if (st == ST_OK)
		st = find_records(&k);
	if (st != ST_OK)
		return st;
	k.pfn = phys >> d->page_shift;
	k.pages = ((uint64_t)k.objects + 1) * 2;
	decoder_trace(d, "decide KFENCE has %u objects at %#llx", k.objects,
		      (unsigned long long)k.pool);
	*ret = k;
	return ST_OK;
}

static void decode_track(const struct kfence *k, const struct field *at, struct kfence_track *ret)
{
	const uint8_t *raw = k->buffer.raw + at->offset;
	const struct field *stack = &k->t[KFENCE_STACK];
	uint64_t n = field_get(&k->t[KFENCE_ENTRIES], raw);

	ret->pid = field_get_signed(&k->t[KFENCE_PID], raw);
	ret->has_time = k->t[KFENCE_TS].present && k->t[KFENCE_CPU].present;
	ret->cpu = field_get(&k->t[KFENCE_CPU], raw);
	ret->ts_ns = field_get(&k->t[KFENCE_TS], raw);
	for (ret->n = 0; ret->n < n && ret->n < KFENCE_FRAMES && 8 * ret->n + 8 <= stack->size;
	     ret->n++)
		ret->frames[ret->n] = le64(raw + stack->offset + 8 * ret->n);
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
	const uint8_t *raw = k->buffer.raw;
	struct kfence_object o = { 0 };
	enum status st;

	if (i >= k->objects)
		return ST_ABSENT;
	st = layout_read(k->dump, k->metadata + i * k->stride, &k->buffer,
			 "struct kfence_metadata");
	if (st != ST_OK)
		return st;
	o.state = state_of(k, field_get(&k->f[KFENCE_STATE], raw));
	o.address = field_get(&k->f[KFENCE_ADDRESS], raw);
	o.size = field_get(&k->f[KFENCE_SIZE], raw);
	o.cache = field_get(&k->f[KFENCE_CACHE], raw);
	if (o.state == KFENCE_STATES || !is_of_its_page(k, i, o.address) ||
	    o.size > page_of(k, i) + dump_page_size(k->dump) - o.address)
		return dump_fail(k->dump, ST_CORRUPT, "the record of KFENCE object %u is corrupt",
				 i);
	if (o.state != KFENCE_UNUSED)
		decode_track(k, &k->f[KFENCE_ALLOC_TRACK], &o.allocated);
	if (o.state == KFENCE_FREEING || o.state == KFENCE_FREED)
		decode_track(k, &k->f[KFENCE_FREE_TRACK], &o.freed);
	*ret = o;
	return ST_OK;
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
