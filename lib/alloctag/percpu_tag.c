// SPDX-License-Identifier: GPL-2.0-or-later
#include "alloctag/percpu_tag.h"

#include "vm/percpu_lists.h"
#include "util/hash_u64.h"
#include "util/bits.h"

#define UNIT_SHIFT 2	      /* PCPU_MIN_ALLOC_SHIFT: an entry for 4 bytes */
#define MAX_CHUNK_PAGES 65536 /* as in lib/vm/percpu_chunks.c */
#define MEMCG_BYTES 2	      /* sizeof(struct obj_cgroup *) / PCPU_MIN_ALLOC_SIZE */

/*
 * struct pcpuobj_ext is the sister of struct slabobj_ext (lib/slab/slub.c), in vectors only: a change
 * to one may have come to the other as well.  6.10: mm: percpu: introduce pcpuobj_ext.
 */
enum { C_LIST, C_BASE, C_PAGES, C_EXTS, C_BOUNDS, C_ALLOCATED, X_TAG, C_FIELDS };

static const struct layout_row rows[C_FIELDS] = {
	[C_LIST] = { "struct pcpu_chunk", { "list" }, REQUIRED, "all" },
	[C_BASE] = { "struct pcpu_chunk", { "base_addr" }, REQUIRED, "all" },
	[C_PAGES] = { "struct pcpu_chunk", { "nr_pages" }, REQUIRED, "4.14" },
	[C_EXTS] = { "struct pcpu_chunk", { "obj_exts" }, OPTIONAL, "6.10" },
	[C_BOUNDS] = { "struct pcpu_chunk", { "bound_map" }, REQUIRED, "4.14" },
	[C_ALLOCATED] = { "struct pcpu_chunk", { "alloc_map" }, REQUIRED, "4.14" },
	[X_TAG] = { "struct pcpuobj_ext", { "tag" }, OPTIONAL, "6.10" },
};

struct walk {
	struct dump *dump;
	struct field f[C_FIELDS];
	uint64_t ext_bytes;
	uint64_t to_percpu; /* to add to an address of the first unit */
	struct layout_buffer chunk;
	uint8_t *buffer; /* for the bounds and tags of a chunk */
	uint64_t room;
	enum status (*visit)(void *arg, const struct percpu_object *o);
	void *arg;
};

/* An allocation ends where the next bit of bound_map is set. */
static uint64_t units_from(const uint8_t *bounds, uint64_t i, uint64_t n)
{
	uint64_t end = i + 1;

	while (end < n && !bit_has(bounds, end))
		end++;
	return end - i;
}

static enum status walk_chunk(struct walk *w, const uint8_t *raw)
{
	struct dump *d = w->dump;
	uint64_t exts = field_get(&w->f[C_EXTS], raw), pages = field_get(&w->f[C_PAGES], raw);
	uint64_t base = field_get(&w->f[C_BASE], raw), n;
	uint8_t *bounds, *allocated, *vector;
	enum status st;

	if (!exts)
		return ST_OK;
	if (!pages || pages > MAX_CHUNK_PAGES)
		return dump_corrupt(d, "a per-CPU chunk of %lu pages", pages);
	n = pages << d->page_shift >> UNIT_SHIFT;
	/* Its map has a bit more than there are units, for the end. */
	if (w->room < n / 8 * 2 + n * w->ext_bytes) {
		w->room = n / 8 * 2 + n * w->ext_bytes;
		w->buffer = dump_alloc(d, w->room);
	}
	bounds = w->buffer;
	allocated = bounds + n / 8;
	vector = allocated + n / 8;
	st = dump_read(d, field_get(&w->f[C_BOUNDS], raw), bounds, n / 8, "bound_map") ?:
		dump_read(d, field_get(&w->f[C_ALLOCATED], raw), allocated, n / 8, "alloc_map") ?:
		dump_read(d, exts, vector, n * w->ext_bytes, "pcpuobj_ext");
	for (uint64_t i = 0; i < n && st == ST_OK; i++) {
		struct percpu_object o = {
			.address = base + (i << UNIT_SHIFT) + w->to_percpu,
			.tag = le64(vector + i * w->ext_bytes + w->f[X_TAG].offset),
		};

		if (!o.tag)
			continue;
		/* Freed, or inside of a newer allocation. */
		o.is_free = !bit_has(allocated, i) || !bit_has(bounds, i);
		o.bytes = units_from(bounds, i, n) << UNIT_SHIFT;
		st = w->visit(w->arg, &o);
	}
	return st;
}

static enum status visit_chunk(void *arg, uint64_t at)
{
	struct walk *w = arg;
	return layout_read(w->dump, at, &w->chunk, "pcpu_chunk") ?: walk_chunk(w, w->chunk.raw);
}

static enum status open_walk(struct walk *w)
{
	struct dump *d = w->dump;
	enum status st = layout_resolve(d, rows, C_FIELDS, w->f);

	if (st == ST_OK && w->f[C_EXTS].present &&
	    dump_ask(d, type_size, "struct pcpuobj_ext", &w->ext_bytes) != ST_OK)
		return dump_unknown(d, "struct pcpuobj_ext");
	if (st == ST_OK && (!w->f[C_EXTS].present || !w->f[X_TAG].present))
		return dump_absent(d, "this kernel keeps no tags of per-CPU memory");
	if (st == ST_OK && (dump_ask(d, type_size, "struct pcpuobj_ext", &w->ext_bytes) != ST_OK ||
			    w->ext_bytes > 64 || w->f[X_TAG].offset + 8 > w->ext_bytes))
		st = dump_unknown(d, "struct pcpuobj_ext");
	st = st ?: layout_buffer(d, "struct pcpu_chunk", layout_span(w->f, X_TAG), &w->chunk);
	return st ?: percpu_distance(d, &w->to_percpu);
}

enum status percpu_objects_walk(struct dump *d,
				enum status (*visit)(void *arg, const struct percpu_object *o),
				void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	return open_walk(&w) ?: percpu_lists_walk(d, &w.f[C_LIST], visit_chunk, &w);
}

/* What the per-CPU references to one tag add up to. */
struct tag_sum {
	uint64_t calls, bytes;
	bool has_free; /* how large it was when it was freed is not known */
};

static enum status add_to_sum(void *arg, const struct percpu_object *o)
{
	struct tag_sum *sum = hash_u64_get(arg, o->tag, NULL);

	sum->calls++;
	sum->bytes += o->bytes;
	sum->has_free |= o->is_free;
	return ST_OK;
}

static uint64_t right_sites(const struct codetags *tags, const struct hash_u64 *by_tag,
			    uint64_t factor)
{
	uint64_t n = 0;

	for (size_t i = 0; i < tags->n; i++) {
		const struct site *s = &tags->sites[i];
		const struct tag_sum *sum = s->readable ? hash_u64_find(by_tag, s->tag) : NULL;

		n += sum && !sum->has_free && s->calls == sum->calls &&
		     (uint64_t)s->bytes == sum->bytes * factor;
	}
	return n;
}

enum status percpu_factor(struct dump *d, const struct codetags *tags, uint64_t *ret)
{
	const uint64_t factors[] = { 1, tags->cpus, tags->cpus + MEMCG_BYTES };
	struct hash_u64 by_tag; /* of struct tag_sum */
	uint64_t best = 0, most = 0;
	enum status st;

	hash_u64_init(&by_tag, d->arena, sizeof(struct tag_sum));
	/* A chunk that is missing leaves sites with less than they counted: they do not decide. */
	st = percpu_objects_walk(d, add_to_sum, &by_tag);
	if (st == ST_STOPPED)
		return st;
	for (unsigned int i = 0; i < ARRAY_SIZE(factors); i++) {
		uint64_t n = right_sites(tags, &by_tag, factors[i]);

		if (n > most) {
			most = n;
			best = factors[i];
		}
	}
	decoder_trace(d, "decide per-CPU memory counts %lu times: %lu sites are right with it",
		      best, most);
	*ret = best;
	return ST_OK;
}
