// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What objects of a module are that no type reaches: of the structures that the module alone has, the one that
 * nearly all of the objects that it keeps in a cache have the shape of.  A weaker proof than a pointer.
 */
#include "holders/types.h"

#define MAX_OWN 1024u	/* structures of a module that are tried */
#define LOOKED 256u	/* objects of a cache that decide */
#define MOST_PERCENT 90 /* of these have the shape of the one */
#define LEAST 3u
#define WORDS \
	3u /* of fewer objects: each has as many that lead to memory, and none that does not fit */

#define MAX_CLASSES 65536u /* drivers have some tens; objects of more have no type */
#define SINGLE_WORDS 2u	   /* of an object that is like others, and has no class */
#define MARGIN_PERCENT 10  /* more such words than with any other */
#define FEWER 2u	   /* times fewer pointers */

/* Objects of a cache that a module keeps, of one part or of all. */
struct class
{
	uint16_t owner, group;
	uint32_t n;	     /* that have words which lead to memory, LOOKED at most */
	uint16_t *own, nown; /* types that fit */
	uint32_t *fit;	     /* how many have the shape of each */
	uint32_t *full;	     /* and all of it */
	uint32_t *good;	     /* words of these that lead to memory where the type has a pointer */
	bool *found;	     /* that others of the cache are of, by their part */
	bool has_found;
	uint16_t type;
	uint32_t named_fit, named_good; /* the same of the structure that the cache is named by */
};

static uint16_t owner_of(const struct node_types *x, const struct span *s, uint32_t node)
{
	const struct node_type *n = &x->nodes[node];
	uint16_t owner;

	if (s->kind != NODE_OBJECT || n->votes || n->state != NODE_UNTYPED ||
	    graph_is_dead(x->g, node) ||
	    !(x->groups[s->group].is_mixed || x->groups[s->group].is_untold))
		return 0;
	owner = holders_owner(x->h, node);
	/* It has words that lead to memory, or name the module. */
	if (x->g->first[node] == x->g->first[node + 1] && x->g->tags[node] != owner)
		return 0;
	return owner != OWNER_NOBODY && graph_module(x->g, owner) ? owner : 0;
}

static void open_class(struct node_types *x, struct class *c, uint16_t owner, uint16_t group)
{
	const char *module = graph_module(x->g, owner)->name;
	const struct group_fit *f = &x->groups[group];

	*c = (struct class){ .owner = owner, .group = group };
	for (int fill = 0; fill < 2; fill++) {
		c->nown = 0;
		for (uint32_t i = 1; i <= x->ntypes && c->nown < MAX_OWN; i++) {
			const struct graph_type *t = &x->types[i - 1];

			if (!t->t.module || t->is_array || strcmp(t->t.module, module) != 0 ||
			    (!node_types_fits(x, group, i) &&
			     (!t->name || t->t.bytes <= f->least || t->t.bytes > f->high)))
				continue;
			if (fill)
				c->own[c->nown] = i;
			c->nown++;
		}
		if (fill)
			break;
		c->own = arena_alloc(x->arena, (c->nown + 1) * sizeof(*c->own));
		c->fit = arena_alloc(x->arena, (c->nown + 1) * sizeof(*c->fit));
		c->full = arena_alloc(x->arena, (c->nown + 1) * sizeof(*c->full));
		c->good = arena_alloc(x->arena, (c->nown + 1) * sizeof(*c->good));
		c->found = arena_alloc(x->arena, (c->nown + 1) * sizeof(*c->found));
	}
}

static void look(struct node_types *x, struct class *c, uint32_t node)
{
	if (c->n == LOOKED)
		return;
	c->n++;
	if (x->groups[c->group].named) {
		unsigned int fit = node_types_has_shape(x, node, x->groups[c->group].named);

		c->named_fit += fit > 0;
		c->named_good += fit ? x->good : 0;
	}
	for (uint32_t i = 0; i < c->nown; i++) {
		unsigned int fit = node_types_has_shape(x, node, c->own[i]);

		c->fit[i] += fit > 0;
		c->full[i] += fit == 100 && x->good >= WORDS;
		c->good[i] += fit ? x->good : 0;
	}
}

static bool has_most(const struct class *c, uint32_t i)
{
	const uint32_t has = c->n < LEAST ? c->full[i] : c->fit[i];

	return has * 100 >= c->n * MOST_PERCENT;
}

/* How many pointers a type has. */
static uint32_t pointers(const struct node_types *x, uint16_t type)
{
	const struct typed *t = &x->types[type - 1].t;
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->nwords; i++)
		n += t->words[i].form != WORD_LONG && t->words[i].offset < t->bytes;
	return n;
}

static bool is_open(const struct node_types *x, uint16_t type)
{
	return x->types[type - 1].t.is_open;
}

/* Whether a type has nearly as many pointers that are set as the one that has most. */
static bool is_rival(const struct class *c, uint32_t i, uint32_t best)
{
	return has_most(c, i) && c->good[i] * (100ULL + MARGIN_PERCENT) > best * 100ULL;
}

/*
 * What is of one part is of one structure: of those that nearly all have the shape of, the one that has pointers where
 * others have numbers.  Where several have as many, those that may be of any size do not count, and the others have twice
 * as many pointers.
 */
static void choose_of_part(const struct node_types *x, struct class *c)
{
	uint32_t best = 0;
	uint64_t fewest = UINT64_MAX;
	bool has_closed = false;

	for (uint32_t i = 0; i < c->nown; i++)
		best = has_most(c, i) && c->good[i] > best ? c->good[i] : best;
	for (uint32_t i = 0; best && i < c->nown; i++)
		has_closed |= is_rival(c, i, best) && !is_open(x, c->own[i]);
	for (uint32_t i = 0; best && i < c->nown; i++) {
		const uint64_t n = pointers(x, c->own[i]);

		if (!is_rival(c, i, best) || (has_closed && is_open(x, c->own[i])))
			continue;
		if (n < fewest) {
			c->type = n * FEWER <= fewest ? c->own[i] : 0;
			fewest = n;
		} else if (n < fewest * FEWER) {
			c->type = 0;
		}
	}
}

/* The one that nearly all have the shape of, and none of which another has it as well. */
static void choose(const struct node_types *x, struct class *c)
{
	uint32_t others = 0;

	for (uint32_t i = 0; i < c->nown; i++) {
		/* What may be of any size has too many shapes. */
		if (is_open(x, c->own[i]))
			continue;
		if (!c->type && has_most(c, i))
			c->type = c->own[i];
		else
			others += c->fit[i];
	}
	if (others * 100 > c->n * (100 - MOST_PERCENT))
		c->type = 0;
}

/* What the cache was created for has the shape as well, and no fewer pointers that are set. */
static void leave_named(struct class *c)
{
	if (c->named_fit * 100 < c->n * MOST_PERCENT)
		return;
	for (uint32_t i = 0; c->type && i < c->nown; i++)
		if (c->own[i] == c->type &&
		    c->named_good * (100ULL + MARGIN_PERCENT) > c->good[i] * 100ULL)
			c->type = 0;
}

/* The class of an object, by its part where these are told; NULL: it has none. */
static struct class *class_of(struct node_types *x, struct hash_u64 *classes, const uint32_t *roles,
			      const struct span *s, uint32_t node)
{
	uint16_t owner = owner_of(x, s, node);
	uint64_t key = (uint64_t)owner << 16 | s->group;
	struct class *c;
	bool is_new;

	if (!owner || (roles && !roles[node]))
		return NULL;
	key |= roles ? (uint64_t)roles[node] << 32 : 0;
	if (classes->n >= MAX_CLASSES)
		return (struct class *)hash_u64_find(classes, key);
	c = hash_u64_get(classes, key, &is_new);
	if (is_new)
		open_class(x, c, owner, s->group);
	return c;
}

/*
 * What has no class of its own and is of a structure that others of the cache are of: the one that alone has pointers
 * at all of its words.
 */
static uint16_t single_of(struct node_types *x, const struct class *c, uint32_t node)
{
	uint32_t best = 0, second = 0, at = 0;

	for (uint32_t i = 0; i < c->nown; i++) {
		uint32_t good = !is_open(x, c->own[i]) &&
						node_types_has_shape(x, node, c->own[i]) == 100
					? x->good
					: 0;

		if (good <= best) {
			second = good > second ? good : second;
			continue;
		}
		second = best;
		best = good;
		at = i;
	}
	return best >= SINGLE_WORDS && second < best && c->found[at] ? c->own[at] : 0;
}

static void type_one(struct node_types *x, struct class *c, uint32_t node, struct chunks *known)
{
	uint16_t type = c->type ? c->type : c->has_found ? single_of(x, c, node) : 0;
	const bool of_few = !c->type || c->n < LEAST;
	unsigned int fit = type ? node_types_has_shape(x, node, type) : 0;
	uint32_t *kept = fit ? chunks_add(known) : NULL;

	if (!kept)
		return;
	*kept = node;
	fit = fit * (of_few ? FEW_PERCENT : SHAPE_PERCENT) / 100;
	x->nodes[node] = (struct node_type){ .type = type,
					     .votes = 1,
					     .fit = fit,
					     .state = NODE_TYPED,
					     .by_shape = true,
					     .of_few = of_few };
}

/* known: NULL, or where the classes are decided, those that are of their types. */
static void each(struct node_types *x, struct hash_u64 *classes, const uint32_t *roles,
		 struct chunks *known)
{
	for (uint32_t i = 0; i < x->g->spans.n; i++) {
		const struct span *s = graph_span(x->g, i);

		for (uint32_t k = s->first; s->kind == NODE_OBJECT && k < s->first + s->count;
		     k++) {
			struct class *c = class_of(x, classes, roles, s, k);

			if (c && known)
				type_one(x, c, k, known);
			else if (c)
				look(x, c, k);
		}
	}
}

/* Structures of the classes by part, by the key of those of all parts. */
static void keep_found(struct class *of_part, struct class *all)
{
	for (uint32_t i = 0; of_part->type && i < all->nown && i < of_part->nown; i++)
		if (all->own[i] == of_part->type) {
			all->found[i] = true;
			all->has_found = true;
		}
}

static uint64_t key_of_all(const struct class *c)
{
	return (uint64_t)c->owner << 16 | c->group;
}

static void find_of_parts(struct node_types *x, const uint32_t *roles, struct hash_u64 *all,
			  struct chunks *known)
{
	struct hash_u64 classes;

	hash_u64_init(&classes, x->arena, sizeof(struct class));
	each(x, &classes, roles, NULL);
	hash_u64_for_each(struct class, c, &classes) {
		struct class *of_all;
		bool is_new;

		choose_of_part(x, c);
		leave_named(c);
		if (!c->type)
			continue;
		of_all = hash_u64_get(all, key_of_all(c), &is_new);
		if (is_new)
			open_class(x, of_all, c->owner, c->group);
		keep_found(c, of_all);
	}
	each(x, &classes, roles, known);
}

static void find_of_all(struct node_types *x, struct hash_u64 *all, struct chunks *known)
{
	each(x, all, NULL, NULL);
	hash_u64_for_each(struct class, c, all) {
		choose(x, c);
		leave_named(c);
	}
	each(x, all, NULL, known);
}

/* A part for each object that may be of such a class; NULL: there is no room. */
static uint32_t *find_roles(struct node_types *x, struct budget *own, struct arena *arena)
{
	uint32_t *ret = budget_alloc(own, arena, x->g->nodes * sizeof(*ret));

	for (uint32_t i = 0; ret && i < x->g->spans.n; i++) {
		const struct span *s = graph_span(x->g, i);

		for (uint32_t k = s->first; k < s->first + s->count; k++)
			ret[k] = owner_of(x, s, k) ? 0 : ROLE_OF_NOBODY;
	}
	if (ret)
		node_types_roles(x, ret, arena);
	return ret;
}

bool node_types_of_modules(struct node_types *x, struct chunks *known)
{
	const uint32_t before = known->n;
	struct arena *arena = arena_within(x->arena);
	struct budget own = x->g->budget;
	uint32_t *roles = find_roles(x, &own, arena);
	struct hash_u64 all;

	hash_u64_init(&all, x->arena, sizeof(struct class));
	if (roles)
		find_of_parts(x, roles, &all, known);
	find_of_all(x, &all, known);
	node_types_find_inner(x);
	arena_reset(arena);
	return known->n > before;
}
