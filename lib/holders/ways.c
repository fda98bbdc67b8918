// SPDX-License-Identifier: GPL-2.0-or-later
/* The way from a root to most of what it keeps, in words. */
#include "holders/armed.h"
#include "holders/behind.h"
#include "holders/content.h"
#include "holders/steps.h"
#include "holders/turns.h"
#include "holders/types.h"
#include "util/strbuf.h"
#include "util/units.h"

#define WAY_STEPS 100
#define WAY_TEXT 400
#define ARROW " -> " /* between two steps */
#define WAY_CUT " -> ..."
#define NEAR_NODES 262144u /* behind one, among which others are */

static const char *type_of(const struct holders *h, uint32_t node)
{
	return h->step_type ? h->step_type(h, node) : NULL;
}

static const char *cache_text(struct holders *h, uint32_t node)
{
	return type_of(h, node) ?: holder_cache_name(h, node);
}

struct way {
	struct holders *h;
	const struct holder *row;
	char text[WAY_TEXT];
	bool is_cut; /* more has no room there */
	struct turns names;
	const char *shown; /* the newest as it is shown, without a member, and where it begins */
	size_t begin;
	bool in_list, of_device, is_devres;
	bool is_before; /* what is added is in front of objects that are the root */
	const struct first_chunk *copies; /* that are the root, and told by their structure: */
	const char *copies_name;
};

/* What is like a node, behind it, and in its row begins so; NULL: it has no such start in common. */
static const char *begins_text(struct holders *h, uint32_t node)
{
	const struct graph *g = &h->graph;
	const struct span *like = graph_span_of(g, node);
	const struct holder *row = holders_row(h, node);
	struct content c = { 0 };

	if (!row || (like->kind != NODE_OBJECT && like->kind != NODE_DIRECT))
		return NULL;
	for (uint32_t i = node; i < g->nodes && i - node < NEAR_NODES && c.seen < CONTENT_NODES;
	     i++) {
		const struct span *s = graph_span_of(g, i);

		if (span_group(s) == span_group(like) && s->stride == like->stride &&
		    !graph_is_dead(g, i) && holders_row(h, i) == row)
			content_add(&c, i);
	}
	return content_begins(h, &c);
}

/* "struct card": what is inside of an object of another type; NULL: it is not known. */
static const char *inner_of(const struct holders *h, uint32_t node)
{
	const struct inner_type *inner = h->types && node < h->graph.nodes
						 ? node_types_inner(h->types, node)
						 : NULL;

	return inner ? h->types->types[inner->type - 1].t.name : NULL;
}

/* "struct card in kmalloc-2k" */
static const char *place_text(struct holders *h, uint32_t node, bool is_device)
{
	const char *inner = is_device || type_of(h, node) ? NULL : inner_of(h, node);

	return inner ? arena_text(h->graph.arena, "%s in %s", inner, holder_cache_name(h, node))
		     : cache_text(h, node);
}

#define PRIVATE " and its private "

/* "kmalloc-2k with scan_work [mydrv]", of much memory, which is looked at. */
static const char *step_name(const struct way *w, uint32_t node)
{
	struct holders *h = w->h;
	const struct holder *row = w->row;
	bool is_much = row->bytes >> h->graph.dump->page_shift >= h->sources.ram->pages / 100;
	bool names = row->owner && h->graph.tags[node] == row->owner && is_much;
	const char *symbol = names ? armed_text(h, node) ?: content_symbol(h, node, row->owner)
				   : NULL;
	const char *inside = holder_device_name(h, node);
	const char *device = inside ?: is_much ? holder_typed_device(h, node) : NULL;
	const char *type = inside ? inner_of(h, node) : NULL;

	const char *begins = is_much && row->owner && row->owner < OWNER_SHARED && !type_of(h, node)
				     ? begins_text(h, node)
				     : NULL;

	/* The root itself says nothing more. */
	if (symbol && !strncmp(w->text, symbol, strlen(symbol)))
		symbol = NULL;
	return arena_text(h->graph.arena, "%s%s%s%s%s%s%s%s%s", place_text(h, node, device != NULL),
			  begins ? " beginning with " : "", begins ?: "",
			  symbol ? armed_joint(symbol) : "", symbol ?: "",
			  device ? " of device " : "", device ?: "", type ? PRIVATE : "",
			  type ?: "");
}

/* Where roots meet: of the one module whose variable leads there. */
static uint16_t owner_of(const struct way *w)
{
	const struct flow *f = &w->h->flow;
	const struct holder *row = w->row;
	uint16_t ret = row->owner;

	if (row->kind != HOLDER_MEET)
		return ret;
	for (uint32_t k = f->in_at[row->root]; k < f->in_at[row->root + 1]; k++) {
		uint32_t src = f->in[k] & ARC_NODE;
		const struct span *s = src < w->h->graph.nodes ? graph_span_of(&w->h->graph, src)
							       : NULL;

		if (!s || s->kind != NODE_STATIC || !s->group || s->group == ret)
			continue;
		if (ret != OWNER_SHARED)
			return OWNER_SHARED;
		ret = s->group;
	}
	return ret;
}

/* "struct record (kmalloc-2k, by its size)": what a driver has with a device, behind the head of such an allocation. */
static const char *devres_name(const struct way *w, uint32_t node, uint64_t bytes)
{
	struct holders *h = w->h;
	const char *type = holder_sized_type(h, owner_of(w), bytes);

	return type ? arena_text(h->graph.arena, "%s (%s, by its size)", type,
				 holder_group_name(h, node))
		    : holder_group_name(h, node);
}

/* Bytes in front of the member: of "struct x (kmalloc-64)", "ledger [leaky]"; 0: of what else is none told. */
static size_t before_member(const struct way *w, const char *name)
{
	const char *private = strstr(name, PRIVATE "struct ");
	bool is_variable;

	if (private)
		return strlen(name);
	if (!strncmp(name, "struct ", 7))
		return 7 + strcspn(name + 7, " ");
	is_variable = w->row->kind == HOLDER_VARIABLE ||
		      (w->row->kind == HOLDER_PERCPU && !strstr(name, "per-CPU "));
	return !w->begin && (is_variable || w->copies) ? strcspn(name, " ") : 0;
}

/* What was added last, with the member that leads on; "": without. */
static void name_member(struct way *w, const char *member)
{
	size_t at = before_member(w, w->shown), room = WAY_TEXT - sizeof(WAY_CUT) + 1 - w->begin;

	if (!at || strlen(w->shown) + strlen(member) >= room)
		member = "";
	snprintf(w->text + w->begin, room, "%.*s%s%s", (int)at, w->shown, member, w->shown + at);
}

static void put(struct way *w, const char *name)
{
	const size_t room = WAY_TEXT - sizeof(WAY_CUT);
	size_t n = strlen(w->text), begin;

	if (turns_repeat(&w->names, name)) {
		/* The member that leads on from another one is not one of what is shown. */
		if (strcmp(w->names.last[0], name))
			w->shown = NULL;
		w->in_list = false;
		return;
	}
	if (!w->is_cut) {
		const char *list = !n || !w->in_list ? ""
				   : w->is_devres    ? "devres list of "
						     : "list of ";

		begin = n + (n ? strlen(ARROW) : 0) + strlen(list);
		w->is_cut = begin + strlen(name) > room;
		if (w->is_cut)
			strcpy(w->text + n, WAY_CUT);
		else
			snprintf(w->text + n, WAY_TEXT - n, "%s%s%s", n ? ARROW : "", list, name);
		w->begin = begin;
		w->shown = w->is_cut ? NULL : name;
	}
	w->in_list = false;
	turns_add(&w->names, name);
}

/* Where objects are the root, those of another one on the way are told already. */
static bool is_told(const struct way *w, uint32_t node)
{
	const struct graph *g = &w->h->graph;
	const struct span *s = graph_span_of(g, node);

	if (graph_is_root(s) || node == w->row->root)
		return true;
	return w->row->kind >= HOLDER_OBJECTS && w->row->root < g->nodes &&
	       w->h->flow.roots[node] != OWNER_NOBODY &&
	       span_group(s) == span_group(graph_span_of(g, w->row->root));
}

/* The member of a step that leads to the next one, if that is the last name and the next one has its own. */
static const char *member_of(const struct way *w, const uint32_t *steps, uint32_t n)
{
	const struct graph *g = &w->h->graph;
	const char *type = steps[n] < g->nodes ? type_of(w->h, steps[n]) : NULL;
	const char *inner = inner_of(w->h, steps[n]);
	uint32_t shown = n && steps[n - 1] >= g->nodes ? 2 : 1;
	bool is_copy = w->copies && w->shown == w->copies_name &&
		       steps[n] - w->copies->node < g->cpus.n;
	bool is_root = is_copy ||
		       (steps[n] == w->row->root && !w->begin && w->row->kind != HOLDER_NONE);

	if (n < shown || steps[n - shown] >= g->nodes ||
	    (is_told(w, steps[n - shown]) && !(w->is_before && steps[n - shown] == w->row->root)))
		return "";
	/* A step that has more in its name than its type is the one that was added. */
	if (!is_root && !type && (!inner || !w->shown || !strstr(w->shown, inner)))
		return "";
	if (!is_root && type && (!w->shown || strncmp(w->shown, type, strlen(type))))
		return "";
	return holder_step_member(w->h, steps[n], steps[n - 1]);
}

/* Steps that begin at the far end. */
static void put_steps(struct way *w, const uint32_t *steps, uint32_t n)
{
	uint64_t bytes;
	uint32_t at;

	while (n--) {
		if (steps[n] >= w->h->graph.nodes) {
			w->in_list = true;
			continue;
		}
		if (!is_told(w, steps[n])) {
			w->is_devres = w->in_list && w->of_device &&
				       holder_is_devres(w->h, steps[n], &bytes, &at);
			put(w, w->is_devres ? devres_name(w, steps[n], bytes)
					    : step_name(w, steps[n]));
			w->of_device = holder_device_name(w->h, steps[n]);
		}
		/* Objects that are the root are told behind what is in front of them. */
		if (w->shown && !(w->is_before && steps[n] == w->row->root))
			name_member(w, member_of(w, steps, n));
	}
}

/* "timer_bases -> list of ": what leads to objects that are the root. */
static void put_before(struct way *w)
{
	const struct holder *row = w->row;
	struct holder before = { .kind = HOLDER_VARIABLE, .root = row->before };
	uint32_t steps[WAY_STEPS], n;

	if (row->kind != HOLDER_OBJECTS || row->before == ROOT_NONE)
		return;
	if (graph_span_of(&w->h->graph, row->before)->kind == NODE_PERCPU)
		before.kind = HOLDER_PERCPU;
	n = behind_way(&w->h->flow, row->root, row->before, steps, WAY_STEPS);
	if (!n)
		return;
	w->is_before = true;
	put(w, holder_name(w->h, &before));
	put_steps(w, steps, n);
	w->is_before = false;
}

/*
 * "struct session.cpus (kmalloc-64, type 100%) -> struct counts (per-CPU, type 100%)": copies of boot are roots, which
 * have the name of the variable that leads to their number.
 */
static void put_copies(struct way *w)
{
	struct holders *h = w->h;
	const struct holder *row = w->row;
	const struct span *s = row->root < h->graph.nodes ? graph_span_of(&h->graph, row->root)
							  : NULL;
	const struct first_chunk *f;

	if (row->kind != HOLDER_PERCPU || !h->types || !s || !row->owner)
		return;
	f = hash_u64_find(&h->graph.first_chunk, graph_percpu_base(&h->graph, s));
	if (!f || f->owner != row->owner || !f->variable || !node_types_number_word(h->types, f))
		return;
	w->copies_name = holder_copy_type(h, row->owner, f);
	if (!w->copies_name)
		return;
	w->copies = f;
	if (graph_span_of(&h->graph, f->holder)->kind == NODE_OBJECT)
		put(w, step_name(w, f->holder));
	if (w->shown)
		name_member(w, holder_number_member(h, f));
	put(w, w->copies_name);
}

/* " of device tun0": objects of a row are roots, and the way begins at one of them. */
static const char *root_device(struct way *w)
{
	const struct flow *f = &w->h->flow;
	const char *name = NULL, *type;
	uint32_t node = w->row->part;

	for (unsigned int i = 0; i < WAY_STEPS && f->parent[node] != UINT32_MAX; i++)
		node = f->parent[node];
	if (w->row->kind == HOLDER_OBJECTS && f->roots[node] == w->row->owner &&
	    node < w->h->graph.nodes)
		name = holder_device_name(w->h, node);
	type = name ? inner_of(w->h, node) : NULL;
	if (!name && w->row->kind == HOLDER_OBJECTS && node < w->h->graph.nodes)
		name = holder_typed_device(w->h, node);
	return name ? arena_text(w->h->graph.arena, " of device %s%s%s", name, type ? PRIVATE : "",
				 type ?: "")
		    : "";
}

/* " on workqueue fw_event0" */
static const char *root_queue(struct way *w)
{
	const struct holder *row = w->row;
	const char *name = row->kind == HOLDER_OBJECTS ? holder_queue_name(w->h, row->root) : NULL;

	return name ? arena_text(w->h->graph.arena, " in workqueue %s", name) : "";
}

/* " of configfs item bench01, configfs item bench02", of much memory: all objects of the module are looked at. */
static const char *root_items(struct way *w)
{
	const struct holder *row = w->row;
	struct graph *g = &w->h->graph;
	const char *names = row->kind == HOLDER_OBJECTS && row->root < g->nodes &&
					    row->bytes >> g->dump->page_shift >=
						    w->h->sources.ram->pages / 100
				    ? holder_item_names(w->h, row->root)
				    : NULL;

	return names ? arena_text(g->arena, " of %s", names) : "";
}

/* " of open file /dev/cap0 of 157(previewd)": objects of a driver that are the private data of a file. */
static const char *root_file(struct way *w)
{
	const struct graph *g = &w->h->graph;
	const struct flow *f = &w->h->flow;
	const struct holder *row = w->row;
	const char *name = NULL;

	if (row->kind != HOLDER_OBJECTS)
		return "";
	for (uint32_t k = f->in_at[row->root]; !name && k < f->in_at[row->root + 1]; k++) {
		uint32_t src = f->in[k] & ARC_NODE;
		const struct span *s = src < g->nodes ? graph_span_of(g, src) : NULL;
		const char *kind = s && s->kind == NODE_OBJECT ? g->caches[s->group]->kind : NULL;

		if (kind && !strcmp(kind, "filp"))
			name = holder_file_name(w->h, src);
	}
	return name ? arena_text(g->arena, " of %s", name) : "";
}

static const char *root_text(struct way *w, const char *type)
{
	const struct holder *row = w->row;
	const struct graph *g = &w->h->graph;
	const char *objects;
	bool is_part;

	if (!type && row->kind != HOLDER_NONE)
		return arena_text(g->arena, "%s%s%s%s%s", holder_name(w->h, row), root_queue(w),
				  root_device(w), root_items(w), root_file(w));
	objects = holder_objects_name(w->h, row, type ?: holder_cache_name(w->h, row->root));
	if (row->kind != HOLDER_NONE)
		return arena_text(g->arena, "%s%s%s%s%s", objects, root_queue(w), root_device(w),
				  root_items(w), root_file(w));
	is_part = row->part_objects && span_group(graph_span_of(g, row->part)) ==
					       span_group(graph_span_of(g, row->root));
	return arena_text(g->arena, "none: no root leads to %s%s%s",
			  is_part ? COUNT_TEXT(row->part_objects) : "", is_part ? " of " : "",
			  objects);
}

/* The steps from the part to the root, backwards. */
static const char *way_to(struct holders *h, const struct holder *of, uint32_t part)
{
	struct holder shown = *of, *row = &shown;
	struct way w = { .h = h, .row = row };
	bool are_objects = row->kind == HOLDER_OBJECTS || row->kind == HOLDER_NONE;
	uint32_t steps[WAY_STEPS], n = 0, root, end, met;
	const char *type;

	row->part = part;
	root = h->retained.roots[row->part];
	/* Of many that are one row, that of the part. */
	if (are_objects && root < h->graph.nodes && !hash_u64_has(&h->graph.privates, row->root) &&
	    span_group(graph_span_of(&h->graph, root)) ==
		    span_group(graph_span_of(&h->graph, row->root)))
		row->root = root;
	/* Of the copies for each CPU as well. */
	if (row->kind == HOLDER_PERCPU && root < h->graph.nodes)
		row->root = root;
	type = are_objects ? type_of(h, row->root) : NULL;
	put_before(&w);
	put(&w, root_text(&w, type));
	turns_add(&w.names, type);
	put_copies(&w);
	if (row->is_behind)
		n = behind_way(&h->flow, row->part, row->root, steps, WAY_STEPS);
	met = row->is_met ? holders_meet(h, row->part) : ROOT_NONE;
	end = row->kind == HOLDER_MEET ? row->root : met;
	for (uint32_t at = n ? UINT32_MAX : row->part;
	     n < WAY_STEPS && at != UINT32_MAX && at != end; at = h->flow.parent[at])
		steps[n++] = at;
	if (met != ROOT_NONE && n < WAY_STEPS)
		steps[n++] = met;
	/* The first one is of the root, where that is one node. */
	if ((row->kind == HOLDER_VARIABLE || row->kind == HOLDER_MEET) && n && n < WAY_STEPS &&
	    steps[n - 1] != row->root)
		steps[n++] = row->root;
	put_steps(&w, steps, n);
	return arena_strdup(h->graph.arena, w.text);
}

/* From where a way is another one; NULL: it is the same. */
static const char *behind_common(const char *way, const char *other)
{
	const char *ret = other;

	for (size_t i = 0; way[i] == other[i]; i++) {
		if (!way[i])
			return NULL;
		if (!strncmp(other + i, ARROW, strlen(ARROW)))
			ret = other + i + 4;
	}
	return ret;
}

#define MET_TEXT 32	 /* of the words in front of who else leads there */
#define OTHER_PERCENT 25 /* of the nodes that were looked at */

const char *holder_way(struct holders *h, const struct holder *row)
{
	uint32_t n, others, part = holder_typical(h, row, NULL, &n),
			    other = holder_typical(h, row, &part, &others);
	const char *way = way_to(h, row, part), *also = NULL, *others_of = NULL;
	bool is_much = row->bytes >> h->graph.dump->page_shift >= h->sources.ram->pages / 100;

	if (is_much && row->owner && row->owner < OWNER_SHARED &&
	    row->part_objects >= HOLDER_NODES && others * 100 >= HOLDER_NODES * OTHER_PERCENT)
		also = behind_common(way, way_to(h, row, other));
	if (row->is_met && holders_meet(h, part) != ROOT_NONE)
		others_of = holder_meet_sources(h, holders_meet(h, part), row->root);
	if (others_of && strlen(way) + strlen(others_of) < WAY_TEXT - MET_TEXT)
		return arena_text(h->graph.arena, "%s; reached from %s too", way, others_of);
	return also && strlen(way) + strlen(also) < WAY_TEXT
		       ? arena_text(h->graph.arena, "%s; and by %s", way, also)
		       : way;
}

#define BRIEF_START 2 /* steps: who keeps it, and by what */
#define BRIEF_END 3   /* and what it is, which the last ones say */
#define BRIEF_STEPS (BRIEF_START + BRIEF_END)
#define BRIEF_KEPT 2u /* of those between */

static bool is_telling(const char *step)
{
	return !strncmp(step, "list of ", 8) || !strncmp(step, "struct ", 7);
}

/* Of the steps first to end those that say most, which are the last ones that are lists or of a known structure. */
static void find_telling(const char *const *steps, size_t first, size_t end, bool *is_kept)
{
	unsigned int kept = 0;

	for (size_t i = end; i > first && kept < BRIEF_KEPT; i--) {
		is_kept[i - 1] = is_telling(steps[i - 1]);
		kept += is_kept[i - 1];
	}
}

const char *holder_way_brief(struct arena *a, const char *way)
{
	const char *steps[WAY_TEXT / 5], *also = strstr(way, "; ");
	const int whole = also ? (int)(also - way) : (int)strlen(way);
	bool is_kept[ARRAY_SIZE(steps)] = { false };
	struct strbuf b = STRBUF_OF(WAY_TEXT + 64);
	size_t n = 0, more = 0;

	for (const char *at = way; at && at < way + whole && n < ARRAY_SIZE(steps);
	     at = strstr(at, ARROW)) {
		at += n ? strlen(ARROW) : 0;
		steps[n++] = at;
	}
	/* "1 more" is no shorter than that one. */
	if (n <= BRIEF_STEPS + 1)
		return NULL;
	find_telling(steps, BRIEF_START, n - BRIEF_END, is_kept);
	strbuf_add(&b, "%.*s", (int)(steps[BRIEF_START] - way), way);
	for (size_t i = BRIEF_START; i < n - BRIEF_END; i++) {
		if (!is_kept[i]) {
			more++;
			continue;
		}
		if (more)
			strbuf_add(&b, "%zu more" ARROW, more);
		more = 0;
		strbuf_add(&b, "%.*s", (int)(steps[i + 1] - steps[i]), steps[i]);
	}
	if (more)
		strbuf_add(&b, "%zu more" ARROW, more);
	strbuf_add(&b, "%.*s", (int)(way + whole - steps[n - BRIEF_END]), steps[n - BRIEF_END]);
	return arena_strdup(a, b.buf);
}
