// SPDX-License-Identifier: GPL-2.0-or-later
#include "holders.h"

#include "graph/edges.h"
#include "pages/kernel_map.h"

enum status owner_holders_open(struct owner_view *v)
{
	struct dump *d = v->dump;
	struct page_classes *c = v->classes ?: dump_alloc(d, sizeof(*c));
	struct slabs *s = dump_alloc(d, sizeof(*s));
	enum status st = v->classes ? ST_OK : page_classes_open(d, &v->states, &v->owner.ram, c);

	st = st ?: slabs_open(d, &v->owner.ext.memmap, s);
	if (st != ST_OK)
		return st;
	v->classes = c;
	v->slabs = s;
	/* Without page_owner there are no stacks whose symbols were asked for. */
	if (!v->stacks.symbols.dump)
		symbolizer_open(d, &v->stacks.symbols);
	return ST_OK;
}

static struct graph_sources sources_of(struct owner_view *v)
{
	return (struct graph_sources){
		.dump = v->dump,
		.ram = &v->owner.ram,
		.memmap = &v->owner.ext.memmap,
		.types = &v->states,
		.classes = v->classes,
		.slabs = v->slabs,
	};
}

static enum status find(struct owner_view *v, uint32_t most, bool *has_more, struct holders **ret)
{
	struct graph_sources sources = sources_of(v);
	struct holders *h = dump_alloc(v->dump, sizeof(*h));
	enum status st;

	sources.most_edges = most;
	st = holders_find(&sources, &v->stacks.symbols, h);
	*has_more = h->graph.has_more;
	return RESULT(st, ret, h);
}

/* By a view of its own, whose sources last as long. */
static enum status find_lasting(struct dump *d, uint32_t most, bool *has_more)
{
	struct dump *of = d->lasting;
	struct owner_view *v;
	enum status st;

	of->asking = d;
	v = dump_alloc(of, sizeof(*v));
	v->dump = of;
	kernel_map_if_linear(of);
	st = owner_view_open_states(v) ?: owner_holders_open(v) ?: find(v, most, has_more, &of->holders);
	d->interrupted |= of->interrupted;
	if (st != ST_OK) {
		arena_reset(of->arena);
		dump_beside(d, of->arena, of);
	}
	return st;
}

/* What was told as it was found is told to another command. */
static void tell_gaps(struct dump *d)
{
	struct dump *of = d->lasting;

	if (!of || of->asking == d)
		return;
	of->asking = d;
	for (const struct dump_gap *g = of->gaps; g; g = g->next)
		dump_lacks(d, g->part, g->why, "%s", g->reason);
}

enum status owner_holders_find_few(struct owner_view *v, uint32_t most, bool *has_more,
				   struct holders **ret)
{
	struct dump *d = v->dump, *of = d->lasting ?: d;
	enum status st = ST_OK;
	bool more = false;

	if (!of->holders)
		st = d->lasting ? find_lasting(d, most, &more) : find(v, most, &more, &d->holders);
	if (st == ST_OK) {
		tell_gaps(d);
		more = most && of->holders->graph.edges.n > most;
		st = more ? graph_has_more(d, most) : ST_OK;
	}
	if (has_more)
		*has_more = more;
	if (st != ST_OK)
		return st;
	/* Who shows structures asks for them. */
	of->holders->types = NULL;
	of->holders->step_type = NULL;
	*ret = of->holders;
	return ST_OK;
}

enum status owner_holders_find(struct owner_view *v, struct holders **ret)
{
	return owner_holders_find_few(v, 0, NULL, ret);
}

enum status owner_holders_find_watched(struct owner_view *v, const uint64_t *watched, size_t n,
				       struct holders *ret)
{
	struct graph_sources sources = sources_of(v);

	sources.watched = watched;
	sources.nwatched = n;
	return holders_find(&sources, &v->stacks.symbols, ret);
}

void owner_holders_gaps(struct owner_view *v, const struct holders *h)
{
	const struct graph_sources *s = &h->sources;
	const struct gap gaps[] = {
		{ "no struct page in this dump for %s: what it keeps is unknown", s->unreadable,
		  "page", "pages" },
		{ "the class of %s is unknown: what they keep is unknown", s->unknown, "page",
		  "pages" },
		{ "%s corrupt, or not in this dump: words of its objects are missing", s->bad_slabs,
		  "slab is", "slabs are" },
		{ "%s not in this dump: more may lead to what is told", h->graph.unreadable,
		  "part of a page with pointers is", "parts of pages with pointers are" },
		GAP_WHY("roots are missing: %s", s->problem),
	};

	REPORT_GAPS(&v->report, gaps);
}

void owner_holders_limits(struct owner_view *v)
{
	static const struct gap limits[] = {
		{ "%s not followed: more may lead to what is told", 1,
		  .why = "DMA addresses behind an IOMMU, those that are no row of eight, and what struct page has beside its list (buffer heads) are",
		  .is_note = true },
	};

	REPORT_GAPS(&v->report, limits);
}

void owner_holders_trust(struct owner_view *v, const struct holders *h)
{
	const struct graph *g = &h->graph;
	const struct holder_sums *s = &h->sums;
	const char *lost = s->of_none ? dump_text(v->dump,
						  "; nor does one lead to %s that names a module",
						  SIZE_TEXT(s->of_none))
				      : "";
	const char *text =
		holders_lack(h)
			? "holders are inferred from pointers, of which some are missing: what no root leads to is "
			  "unknown"
			: dump_text(
				  v->dump,
				  "holders are inferred from pointers: words lead to %s of %lu that are free, and no "
				  "root to %s of %lu (tasks, inodes, ...) that are in use for certain%s",
				  COUNT_OF(g->seen_pages, "page"), g->free_pages,
				  COUNT_OF(s->alive_unreached, "object"), s->alive, lost);
	const struct gap gaps[] = { { .text = "%s", .n = 1, .why = text, .is_note = true } };

	owner_holders_gaps(v, h);
	/* In text it is a line of the answer, as others of what it covers. */
	if (v->in->opts.json)
		REPORT_GAPS(&v->report, gaps);
	else
		sink_printf(v->out, "%s\n", text);
	owner_holders_limits(v);
}
