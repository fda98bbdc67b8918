// SPDX-License-Identifier: GPL-2.0-or-later
#include "object_lookup.h"

#include "references.h"

/* An object; members of KFENCE alone are zero of others. */
struct object_row {
	uint64_t address, bytes;
	const char *cache, *state, *site; /* NULL: unknown */
	bool has_bytes, is_kfence, is_guard;
	struct kfence_track allocated, freed;
	bool is_used, is_freed, has_time, has_free_time;
	const struct stack *stack, *free_stack;
	const char *of; /* of one in use; NULL: no list has it */
};

#define ROW struct object_row

static const struct view_column columns[] = {
	{ COLUMN_address, IN_JSON, "of the object", HEX_OF(ROW, address) },
	{ COLUMN_cache, IN_JSON, TEXT_OF(ROW, cache) },
	{ COLUMN_object_bytes, IN_JSON, UINT_IF(ROW, bytes, has_bytes) },
	{ COLUMN_object_state, IN_JSON, TEXT_OF(ROW, state) },
	{ COLUMN_object_of, IN_JSON, TEXT_OF(ROW, of) },
	{ COLUMN_kfence, IN_JSON, BOOL_OF(ROW, is_kfence) },
	{ COLUMN_guard_page, IN_JSON, BOOL_OF(ROW, is_guard) },
	{ COLUMN_pid, IN_JSON, "of KFENCE: the one that allocated",
	  INT_IF(ROW, allocated.pid, is_used) },
	{ COLUMN_cpu, IN_JSON, "of KFENCE: that of the allocation",
	  UINT_IF(ROW, allocated.cpu, has_time) },
	{ COLUMN_ts_ns, IN_JSON, "of KFENCE", UINT_IF(ROW, allocated.ts_ns, has_time) },
	{ COLUMN_free_pid, IN_JSON, "of KFENCE", INT_IF(ROW, freed.pid, is_freed) },
	{ COLUMN_free_ts_ns, IN_JSON, "of KFENCE", UINT_IF(ROW, freed.ts_ns, has_free_time) },
	{ COLUMN_site, IN_JSON, TEXT_OF(ROW, site) },
	{ COLUMN_stack, IN_JSON, "of KFENCE", STACK_OF(ROW, stack) },
	{ COLUMN_free_stack, IN_JSON, "of KFENCE", STACK_OF(ROW, free_stack) },
	BASIS(derived),
};

const struct view object_lookup_view = { "page-object", "ADDR", COLUMNS_OF(columns),
					 .command = "memowner", .below = &references_view };

struct object_lookup *object_lookup_open(struct owner_view *v)
{
	struct object_lookup *l = dump_alloc(v->dump, sizeof(*l));

	l->v = l->of.v = v;
	l->no_slabs = problem_of_part(v->dump,
				      slabs_open(v->dump, &v->owner.ext.memmap, &l->slabs));
	l->no_kfence = problem_of_part(v->dump, kfence_open(v->dump, &l->kfence));
	return l;
}

enum status object_lookup_slab(struct object_lookup *l, uint64_t head, const char *what,
			       struct slab *ret)
{
	struct owner_view *v = l->v;
	enum status st = l->no_slabs.status ?: slab_at(&l->slabs, head, ret);

	if (!l->no_slabs.text && st != ST_OK)
		report_warn(&v->report, "%s of the slab at pfn %#lx is unknown: %s", what, head,
			    v->dump->error);
	else if (st != ST_OK && !l->has_warned)
		report_unknown(&v->report, "slab caches", availability_of(st), "%s",
			       l->no_slabs.text);
	l->has_warned |= l->no_slabs.text != NULL;
	return st;
}

void object_lookup_put_cache(struct object_lookup *l, uint64_t head)
{
	const struct slab_cache *cache;
	struct slab slab;

	/* Of a slab with impossible numbers the cache may be known. */
	if (!l->no_slabs.text && slab_cache_at(&l->slabs, head, &cache) == ST_OK && cache->name)
		sink_printf(l->v->out, " %s", cache->name);
	else if (object_lookup_slab(l, head, "the cache", &slab) == ST_OK)
		sink_text(l->v->out, " of a cache whose name is not in this dump");
	else
		sink_text(l->v->out, " of an unknown cache");
}

/* NULL: unknown, as the list of free objects is cut, or sheaves are. */
static const char *slab_state(struct object_lookup *l, const struct slab *slab, uint32_t i)
{
	uint64_t bits[SLAB_FREE_WORDS];
	enum status st = slab_free_objects(&l->slabs, slab, bits);

	if (bits[i / 64] >> i % 64 & 1)
		return "free";
	return st == ST_OK && l->slabs.sheaves_complete ? "in use" : NULL;
}

/* "  in the object at 0xffff888001149400 of kmalloc-1k, in use, at fs/dcache.c:1636 __d_alloc" */
static void put_slab_object(struct object_lookup *l, const struct page_info *info, uint64_t pfn,
			    uint64_t byte)
{
	struct owner_view *v = l->v;
	struct object_row row = { .has_bytes = true };
	struct slab slab;
	const char *merged;
	uint64_t tag;
	uint32_t i;

	if (object_lookup_slab(l, info->head, "the object", &slab) != ST_OK ||
	    slab_index(&slab, l->slabs.linear + (pfn << v->page_shift) + byte, &i) != ST_OK)
		return;
	if (v->tags && slab_tag(&l->slabs, &slab, i, &tag) == ST_OK)
		row.site = tag_names_object(v->tags, tag);
	row.address = slab_object(&slab, i);
	row.cache = slab.cache->name;
	row.bytes = slab.cache->bytes;
	row.state = slab_state(l, &slab, i);
	if (!row.state || !strcmp(row.state, "in use"))
		row.of = object_of_text(&l->of, row.address, row.bytes);
	if (v->in->opts.json) {
		rows_put_record(&v->report, &object_lookup_view, &row, v);
		return;
	}
	/* It may be of any of these. */
	merged = slab_merged_text(v->dump, slab.cache, true);
	sink_printf(v->out, "  in the object at 0x%lx of %s%s%s%s%s%s%s%s%s\n", row.address,
		    row.cache ?: "an unnamed cache", merged ? " " : "", merged ?: "",
		    row.state ? ", " : "", row.state ?: "", row.of ? ": " : "", row.of ?: "",
		    row.site ? ", at " : "", row.site ?: "");
}

static const char *const state_texts[KFENCE_STATES] = {
	[KFENCE_UNUSED] = "never used",
	[KFENCE_IN_USE] = "in use",
	[KFENCE_FREEING] = "waiting for RCU to be freed",
	[KFENCE_FREED] = "free",
};

/* "  allocated 3.2s before the panic by pid 42 on CPU 1", and the call stack. */
static void put_track(struct owner_view *v, const char *what, const struct kfence_track *t,
		      const struct stack *stack)
{
	char age[AGE_TEXT];

	sink_printf(v->out, "  %s", what);
	if (t->has_time && age_text(&v->report.info, t->ts_ns, age))
		sink_printf(v->out, " %s", age);
	else if (t->has_time)
		sink_printf(v->out, " at %lu.%06lu", t->ts_ns / 1000000000,
			    t->ts_ns % 1000000000 / 1000);
	sink_printf(v->out, " by pid %d", t->pid);
	if (t->has_time)
		sink_printf(v->out, " on CPU %u", t->cpu);
	sink_text(v->out, "\n");
	for (unsigned int i = 0; i < stack->n; i++)
		frame_put(stack->frames[i], v->out);
}

/* NULL: the cache was destroyed, or cannot be read. */
static const char *kfence_cache(struct object_lookup *l, const struct kfence_object *o)
{
	const struct slab_cache *cache;

	if (!o->cache || l->no_slabs.text)
		return NULL;
	return slab_cache_get(&l->slabs, o->cache, &cache) == ST_OK ? cache->name : NULL;
}

static void kfence_text(struct owner_view *v, uint32_t i, const struct kfence_object *o,
			const struct object_row *row)
{
	struct sink *out = v->out;

	sink_printf(out, "  %sKFENCE object %u", row->is_guard ? "guard page behind " : "", i);
	if (!row->is_used) {
		sink_text(out, ", never used\n");
		return;
	}
	sink_printf(out, " at 0x%lx, %lu bytes of %s, %s\n", o->address, o->size,
		    row->cache
			    ?: !o->cache ? "a cache that was destroyed"
					 : "an unknown cache",
		    row->state);
	put_track(v, "allocated", &o->allocated, row->stack);
	if (row->is_freed)
		put_track(v, "freed", &o->freed, row->free_stack);
}

static void put_kfence_object(struct object_lookup *l, uint32_t i, const struct kfence_object *o,
			      bool guard)
{
	struct owner_view *v = l->v;
	bool used = o->state != KFENCE_UNUSED,
	     freed = o->state == KFENCE_FREED || o->state == KFENCE_FREEING;
	struct object_row row = {
		.address = o->address,
		.bytes = o->size,
		.cache = kfence_cache(l, o),
		.state = state_texts[o->state],
		.has_bytes = used,
		.is_kfence = true,
		.is_guard = guard,
		.allocated = o->allocated,
		.freed = o->freed,
		.is_used = used,
		.is_freed = freed,
		.has_time = used && o->allocated.has_time,
		.has_free_time = freed && o->freed.has_time,
	};

	if (used)
		row.stack = symbolize_stack(&v->stacks.symbols, o->allocated.frames,
					    o->allocated.n);
	if (freed)
		row.free_stack = symbolize_stack(&v->stacks.symbols, o->freed.frames, o->freed.n);
	if (v->in->opts.json)
		rows_put_record(&v->report, &object_lookup_view, &row, v);
	else
		kfence_text(v, i, o, &row);
}

static void put_kfence(struct object_lookup *l, uint64_t pfn)
{
	struct owner_view *v = l->v;
	struct kfence_object o;
	bool guard;
	uint32_t i;

	if (l->no_kfence.text)
		report_unknown(&v->report, "the object of KFENCE",
			       availability_of(l->no_kfence.status), "%s", l->no_kfence.text);
	else if (kfence_index(&l->kfence, pfn, &i, &guard) != ST_OK)
		sink_text(v->out,
			  v->in->opts.json ? "" : "  guard page before the first KFENCE object\n");
	else if (kfence_object_at(&l->kfence, i, &o) != ST_OK)
		report_warn(&v->report, "KFENCE object %u is unknown: %s", i, v->dump->error);
	else
		put_kfence_object(l, i, &o, guard);
}

void object_lookup_put(struct object_lookup *l, uint64_t pfn, bool has_byte, uint64_t byte)
{
	struct owner_view *v = l->v;
	struct page_info info;

	if (!v->has_states || page_type_at(&v->states, pfn, &info) != ST_OK)
		return;
	if (info.state == PAGE_TYPE_KFENCE)
		put_kfence(l, pfn);
	else if (info.state == PAGE_TYPE_SLAB && has_byte)
		put_slab_object(l, &info, pfn, byte);
}
