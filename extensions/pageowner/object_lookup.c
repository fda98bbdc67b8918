// SPDX-License-Identifier: GPL-2.0-or-later
#include "object_lookup.h"

#include <string.h>

#include "symbols/frame.h"
#include "util/units.h"

enum {
	COL_ADDRESS,
	COL_CACHE,
	COL_BYTES,
	COL_STATE,
	COL_KFENCE,
	COL_GUARD,
	COL_PID,
	COL_CPU,
	COL_TS,
	COL_FREE_PID,
	COL_FREE_TS,
	COL_SITE,
	COL_STACK,
	COL_FREE_STACK,
	COLUMNS
};

static const struct view_column columns[COLUMNS] = {
	[COL_ADDRESS] = { COLUMN_address, IN_JSON, "of the object" },
	[COL_CACHE] = { COLUMN_cache, IN_JSON },
	[COL_BYTES] = { COLUMN_object_bytes, IN_JSON },
	[COL_STATE] = { COLUMN_object_state, IN_JSON },
	[COL_KFENCE] = { COLUMN_kfence, IN_JSON },
	[COL_GUARD] = { COLUMN_guard_page, IN_JSON },
	[COL_PID] = { COLUMN_pid, IN_JSON, "of KFENCE: the one that allocated" },
	[COL_CPU] = { COLUMN_cpu, IN_JSON, "of KFENCE: that of the allocation" },
	[COL_TS] = { COLUMN_ts_ns, IN_JSON, "of KFENCE" },
	[COL_FREE_PID] = { COLUMN_free_pid, IN_JSON, "of KFENCE" },
	[COL_FREE_TS] = { COLUMN_free_ts_ns, IN_JSON, "of KFENCE" },
	[COL_SITE] = { COLUMN_site, IN_JSON },
	[COL_STACK] = { COLUMN_stack, IN_JSON, "of KFENCE" },
	[COL_FREE_STACK] = { COLUMN_free_stack, IN_JSON, "of KFENCE" },
};

const struct view object_lookup_view = { "page-object", "ADDR", COLUMNS_OF(columns) };

enum status object_lookup_open(struct owner_view *v, struct object_lookup **ret)
{
	struct object_lookup *l = dump_alloc(v->dump, sizeof(*l));

	if (!l)
		return ST_NOMEM;
	l->v = v;
	l->slabs_status = slabs_open(v->dump, &v->owner.ext.memmap, &l->slabs);
	if (l->slabs_status != ST_OK)
		l->slabs_problem = arena_strdup(v->dump->arena, v->dump->error);
	l->kfence_status = kfence_open(v->dump, &l->kfence);
	if (l->kfence_status != ST_OK)
		l->kfence_problem = arena_strdup(v->dump->arena, v->dump->error);
	*ret = l;
	return ST_OK;
}

enum status object_lookup_slab(struct object_lookup *l, uint64_t head, const char *what,
			       struct slab *ret)
{
	struct owner_view *v = l->v;
	enum status st = l->slabs_status == ST_OK ? slab_at(&l->slabs, head, ret) : l->slabs_status;

	if (l->slabs_status == ST_OK && st != ST_OK)
		report_warn(&v->report, "%s of the slab at pfn %#llx is unknown: %s", what,
			    (unsigned long long)head, v->dump->error);
	else if (st != ST_OK && !l->has_warned)
		report_unknown(&v->report, "slab caches", availability_of(st), "%s",
			       l->slabs_problem);
	l->has_warned |= l->slabs_status != ST_OK;
	return st;
}

void object_lookup_put_cache(struct object_lookup *l, uint64_t head)
{
	const struct slab_cache *cache;
	struct slab slab;

	/* Of a slab with impossible numbers the cache may be known. */
	if (l->slabs_status == ST_OK && slab_cache_at(&l->slabs, head, &cache) == ST_OK &&
	    cache->name)
		sink_printf(l->v->out, " %s", cache->name);
	else if (object_lookup_slab(l, head, "the cache", &slab) == ST_OK)
		sink_text(l->v->out, " of a cache whose name is not in this dump");
	else
		sink_text(l->v->out, " of an unknown cache");
}

static enum status put_record(struct object_lookup *l, const struct cell *row)
{
	struct table t;
	enum status st = table_init(&t, l->v->dump, columns, COLUMNS, true);

	if (st == ST_OK)
		table_json_record(&t, l->v->out, "object", row);
	return st;
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
static enum status put_slab_object(struct object_lookup *l, const struct page_info *info,
				   uint64_t pfn, uint64_t byte)
{
	struct owner_view *v = l->v;
	struct cell row[COLUMNS] = { 0 };
	const char *site = NULL, *name, *state;
	struct slab slab;
	uint64_t tag;
	uint32_t i;

	if (object_lookup_slab(l, info->head, "the object", &slab) != ST_OK ||
	    slab_index(&slab, l->slabs.linear + (pfn << v->page_shift) + byte, &i) != ST_OK)
		return ST_OK;
	if (v->tags && slab_tag(&l->slabs, &slab, i, &tag) == ST_OK)
		site = tag_names_object(v->tags, tag);
	name = slab.cache->name;
	state = slab_state(l, &slab, i);
	row[COL_ADDRESS] = cell_hex(slab_object(&slab, i));
	row[COL_CACHE] = cell_text(name);
	row[COL_BYTES] = cell_uint(slab.cache->bytes);
	row[COL_STATE] = cell_text(state);
	row[COL_KFENCE] = cell_bool(false);
	row[COL_GUARD] = cell_bool(false);
	row[COL_SITE] = cell_text(site);
	if (v->in->opts.json)
		return put_record(l, row);
	sink_printf(v->out, "  in the object at 0x%llx of %s%s%s%s%s\n",
		    (unsigned long long)slab_object(&slab, i), name ? name : "an unnamed cache",
		    state ? ", " : "", state ? state : "", site ? ", at " : "", site ? site : "");
	return ST_OK;
}

static const char *const state_texts[KFENCE_STATES] = {
	[KFENCE_UNUSED] = "never used",
	[KFENCE_IN_USE] = "in use",
	[KFENCE_FREEING] = "waiting for RCU to be freed",
	[KFENCE_FREED] = "free",
};

/* "  allocated 3.2s before the panic by pid 42 on CPU 1", and the call stack. */
static enum status put_track(struct object_lookup *l, const char *what,
			     const struct kfence_track *t)
{
	struct owner_view *v = l->v;
	const struct stack *stack;
	char age[AGE_TEXT];
	enum status st;

	sink_printf(v->out, "  %s", what);
	if (t->has_time && age_text(&v->report.info, t->ts_ns, age))
		sink_printf(v->out, " %s", age);
	else if (t->has_time)
		sink_printf(v->out, " at %llu.%06llu", (unsigned long long)t->ts_ns / 1000000000,
			    (unsigned long long)t->ts_ns % 1000000000 / 1000);
	sink_printf(v->out, " by pid %d", t->pid);
	if (t->has_time)
		sink_printf(v->out, " on CPU %u", t->cpu);
	sink_text(v->out, "\n");
	st = symbolize_stack(&v->stacks.symbols, t->frames, t->n, &stack);
	if (st != ST_OK)
		return st;
	for (unsigned int i = 0; i < stack->n; i++)
		frame_put(stack->frames[i], v->out);
	return ST_OK;
}

/* NULL: the cache was destroyed, or cannot be read. */
static const char *kfence_cache(struct object_lookup *l, const struct kfence_object *o)
{
	const struct slab_cache *cache;

	if (!o->cache || l->slabs_status != ST_OK)
		return NULL;
	return slab_cache_get(&l->slabs, o->cache, &cache) == ST_OK ? cache->name : NULL;
}

static enum status kfence_record(struct object_lookup *l, const struct kfence_object *o, bool guard)
{
	struct symbolizer *symbols = &l->v->stacks.symbols;
	bool used = o->state != KFENCE_UNUSED,
	     freed = o->state == KFENCE_FREED || o->state == KFENCE_FREEING;
	const struct kfence_track *a = &o->allocated, *f = &o->freed;
	struct cell row[COLUMNS] = { 0 };
	const struct stack *stack, *free_stack;
	enum status st = symbolize_stack(symbols, a->frames, a->n, &stack);

	if (st == ST_OK)
		st = symbolize_stack(symbols, f->frames, f->n, &free_stack);
	if (st != ST_OK)
		return st;
	row[COL_ADDRESS] = cell_hex(o->address);
	row[COL_CACHE] = cell_text(kfence_cache(l, o));
	row[COL_BYTES] = cell_if(used, cell_uint(o->size));
	row[COL_STATE] = cell_text(state_texts[o->state]);
	row[COL_KFENCE] = cell_bool(true);
	row[COL_GUARD] = cell_bool(guard);
	row[COL_PID] = cell_if(used, cell_int(a->pid));
	row[COL_CPU] = cell_if(used && a->has_time, cell_uint(a->cpu));
	row[COL_TS] = cell_if(used && a->has_time, cell_uint(a->ts_ns));
	row[COL_FREE_PID] = cell_if(freed, cell_int(f->pid));
	row[COL_FREE_TS] = cell_if(freed && f->has_time, cell_uint(f->ts_ns));
	row[COL_STACK] = cell_if(used, cell_stack(stack));
	row[COL_FREE_STACK] = cell_if(freed, cell_stack(free_stack));
	return put_record(l, row);
}

static enum status kfence_text(struct object_lookup *l, uint32_t i, const struct kfence_object *o,
			       bool guard)
{
	struct sink *out = l->v->out;
	const char *cache = kfence_cache(l, o);
	enum status st;

	sink_printf(out, "  %sKFENCE object %u", guard ? "guard page behind " : "", i);
	if (o->state == KFENCE_UNUSED) {
		sink_text(out, ", never used\n");
		return ST_OK;
	}
	sink_printf(out, " at 0x%llx, %llu bytes of %s, %s\n", (unsigned long long)o->address,
		    (unsigned long long)o->size,
		    cache	? cache
		    : !o->cache ? "a cache that was destroyed"
				: "an unknown cache",
		    state_texts[o->state]);
	st = put_track(l, "allocated", &o->allocated);
	if (st == ST_OK && (o->state == KFENCE_FREED || o->state == KFENCE_FREEING))
		st = put_track(l, "freed", &o->freed);
	return st;
}

static enum status put_kfence(struct object_lookup *l, uint64_t pfn)
{
	struct owner_view *v = l->v;
	struct kfence_object o;
	bool guard;
	uint32_t i;
	enum status st = l->kfence_status;

	if (st != ST_OK) {
		report_unknown(&v->report, "the object of KFENCE", availability_of(st), "%s",
			       l->kfence_problem);
		return ST_OK;
	}
	if (kfence_index(&l->kfence, pfn, &i, &guard) != ST_OK) {
		if (!v->in->opts.json)
			sink_text(v->out, "  guard page before the first KFENCE object\n");
		return ST_OK;
	}
	st = kfence_object_at(&l->kfence, i, &o);
	if (st != ST_OK) {
		report_warn(&v->report, "KFENCE object %u is unknown: %s", i, v->dump->error);
		return ST_OK;
	}
	return v->in->opts.json ? kfence_record(l, &o, guard) : kfence_text(l, i, &o, guard);
}

enum status object_lookup_put(struct object_lookup *l, uint64_t pfn, bool has_byte, uint64_t byte)
{
	struct owner_view *v = l->v;
	struct page_info info;

	if (!v->has_states || page_type_at(&v->states, pfn, &info) != ST_OK)
		return ST_OK;
	if (info.state == PAGE_TYPE_KFENCE)
		return put_kfence(l, pfn);
	if (info.state == PAGE_TYPE_SLAB && has_byte)
		return put_slab_object(l, &info, pfn, byte);
	return ST_OK;
}
