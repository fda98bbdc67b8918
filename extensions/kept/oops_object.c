// SPDX-License-Identifier: GPL-2.0-or-later
/* The slab object that the exception of the end leads to, and which module keeps it by pointers. */
#include "collect/oops_object.h"

#include "holders/content.h"
#include "pageowner/holders.h"
#include "memowner/summary.h"
#include "slab/free_damage.h"

#define POISON_FREE 0x6b /* a macro of include/linux/poison.h: slub_debug=P, to 7.3 */

/* "has the text \"head=2 state=\" there", "is filled with 0x6b"; NULL: neither. */
static const char *content_of(struct summary *s, const struct oops_object *of)
{
	const char *text = content_quoted(s->dump->arena, of->begin, of->nbegin);

	if (of->is_filled && of->begin[0])
		return dump_text(
			s->dump, "is filled with %#x%s", of->begin[0],
			of->begin[0] == POISON_FREE ? ", as slub_debug=P fills what is freed" : "");
	return text ? dump_text(s->dump, "%s the text %s",
				*of->bad.name ? "has there" : "begins with", text)
		    : NULL;
}

static bool open_graph(struct summary *s, struct holders **ret)
{
	return !summary_has_many_pointers(s, &(uint64_t){ 0 }) &&
	       owner_holders_find_few(s->view, (uint32_t)limit(LIMIT_POINTERS) * 1000, NULL, ret) ==
		       ST_OK;
}

static bool find_node(struct holders *h, uint64_t address, uint32_t *ret)
{
	const struct span *span;
	uint32_t place;

	return graph_find(&h->graph, address, &span, ret, &place) && !graph_is_root(span);
}

/* The module that keeps an object by pointers; NULL: none is known to. */
static const char *module_of(struct holders *h, uint64_t address, uint64_t *tenths)
{
	uint32_t node;
	uint16_t owner;

	if (!find_node(h, address, &node))
		return NULL;
	owner = holders_owner(h, node);
	if (!owner || owner >= OWNER_SHARED)
		return NULL;
	*tenths = h->ends[node].parts[0] * 1000ULL / WALK_WHOLE;
	return graph_owner_name(&h->graph, owner);
}

/* Of an object whose keeper is not known: where its walks back end, if most do at a module. */
static const char *ends_of(struct summary *s, struct holders *h, uint64_t address)
{
	const struct walk_end *e;
	const char *ends;
	uint32_t node;

	if (!find_node(h, address, &node))
		return "";
	e = &h->ends[node];
	/* Owner 0 is vmlinux. */
	if (!e->names[0] || e->parts[0] <= WALK_WHOLE / 2)
		return "";
	ends = holders_ends_text(s->dump->arena, h, node);
	return ends ? dump_text(s->dump, "; who keeps it is unknown: by pointers, %s", ends) : "";
}

/* "; module ccx keeps it, by pointers, confidence of the owner 98.5%"; without its module no pointer says who does. */
static const char *keeper_of(struct summary *s, uint64_t address, struct statement *row)
{
	struct holders *h;
	uint64_t tenths = 0;

	if (!open_graph(s, &h))
		return "";
	row->module = module_of(h, address, &tenths);
	if (!row->module)
		return ends_of(s, h, address);
	row->confidence = (struct maybe_u64){ tenths, true };
	return dump_text(s->dump, "; module %s keeps it, by pointers, confidence of the owner %s%%",
			 row->module, PERCENT_TEXT(tenths, 1000));
}

static const char *const uses[] = {
	[OOPS_USE_UNKNOWN] = "free or in use", [OOPS_IN_USE] = "in use", [OOPS_FREE] = "free"
};

/* "R14 points to +0x30 of the object 0xffff... of kmalloc-512, which is in use" */
static void put(struct summary *s, struct statement *row, const struct oops_object *of)
{
	struct arena *a = s->dump->arena;
	const char *cache = of->cache->name ?: "an unknown cache", *content = content_of(s, of);
	struct strbuf b = STRBUF_OF(768);
	/* What is free has no keeper, whatever word is left of it. */
	const char *keeper = of->use == OOPS_IN_USE ? keeper_of(s, of->address, row) : "";
	const bool is_used_free = of->use == OOPS_FREE && oops_tells(row->called, of);

	strbuf_add(&b, "%s%s points to +%#lx of the object %#lx of %s, which is %s", of->at.name,
		   is_used_free ? ", an address that the text of the bug names," : "", of->offset,
		   of->address, cache, uses[of->use]);
	if (oops_is_double_free(s->oops, of))
		strbuf_add(&b, " already: it was likely freed twice");
	else if (*of->bad.name)
		strbuf_add(&b, "; its word at +%#lx, %#lx, was taken for a pointer (%s)",
			   of->word_offset, of->bad.value, of->bad.name);
	else if (is_used_free)
		strbuf_add(&b, ": it was likely used after it was freed");
	else if (!oops_tells(row->called, of))
		strbuf_add(&b, ", or the register is left over");
	strbuf_add(&b, "%s%s%s", content ? "; it " : "", content ?: "", keeper);
	row->remark = arena_strdup(a, b.buf);
	if (*of->bad.name)
		row->brief = arena_text(a, "that pointer lies in an object of %s, which is %s%s",
					cache, uses[of->use], keeper);
	else if (oops_is_double_free(s->oops, of))
		row->brief = arena_text(a, "an object of %s was likely freed twice", cache);
	else if (is_used_free)
		row->brief = arena_text(a, "an object of %s was likely used after it was freed",
					cache);
	s->next_object = arena_text(a, "memowner virt:%#lx", of->at.value);
}

/* The module that keeps most objects of the slab, and how many; NULL: none is known to. */
static const char *neighbour_of(struct summary *s, const struct slab *slab, uint32_t *ret)
{
	struct holders *h;
	struct hash_u64 counts; /* of uint32_t by the address of a name of a module */
	const char *most = NULL;
	uint64_t tenths;

	*ret = 0;
	if (!open_graph(s, &h))
		return NULL;
	hash_u64_init(&counts, s->dump->arena, sizeof(uint32_t));
	for (uint32_t i = 0; i < slab->objects; i++) {
		const char *module = module_of(h, slab_object(slab, i), &tenths);
		uint32_t *n = module ? hash_u64_get(&counts, (uintptr_t)module, NULL) : NULL;

		if (!n || ++*n <= *ret)
			continue;
		*ret = *n;
		most = module;
	}
	return most;
}

/*
 * "the list of free objects of kmalloc-64 on CPU 1 leads there: it was written over; of its slab module drv keeps 48 of
 * 64 objects": the allocator met what another one did, often the one whose objects are beside it.
 */
static void put_damage(struct summary *s, struct statement *row, const struct free_damage *f)
{
	struct strbuf b = STRBUF_OF(512);
	uint32_t n = 0;
	const char *module = f->has_slab ? neighbour_of(s, &f->slab, &n) : NULL;

	strbuf_add(&b, "the list of free objects of %s on CPU %u leads there: it was written over",
		   f->cache->name ?: "an unknown cache", f->cpu);
	if (module)
		strbuf_add(&b, "; of that slab module %s keeps %u of %u objects, by pointers",
			   module, n, f->slab.objects);
	row->remark = row->brief = dump_strdup(s->dump, b.buf);
	if (module)
		s->next_object = dump_text(s->dump, "memowner objects -g cache,type -f holder=%s",
					   module);
	else if (f->cache->name && strspn(f->cache->name, PLAIN_COMM) == strlen(f->cache->name))
		s->next_object = dump_text(s->dump, "memowner objects -g holder,type -f cache=%s",
					   f->cache->name);
}

static enum status find_damage(struct summary *s, const struct session *session,
			       struct statement *row)
{
	struct free_damage f;
	enum status st = ST_ABSENT;

	if (s->oops->address.known && s->view->slabs)
		st = free_damage_find(s->view->slabs, session_end(session), s->oops->address.value,
				      &f);
	if (st == ST_OK)
		put_damage(s, row, &f);
	return st;
}

enum status summary_oops_object(struct summary *s)
{
	struct statement *row = s->first[SECTION_EXCEPTION];
	const struct session session = owner_session(s->view);
	struct oops_object of;
	enum status st;

	if (!row || !s->oops || !s->oops->registers.n || !session.types)
		return ST_OK;
	st = owner_holders_open(s->view)
		     ?: oops_object_find(&session, s->view->slabs, s->oops, &of);
	if (st == ST_OK)
		put(s, row, &of);
	else if (st == ST_ABSENT)
		st = find_damage(s, &session, row);
	return st == ST_ABSENT ? ST_OK : st;
}
