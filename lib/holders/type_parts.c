// SPDX-License-Identifier: GPL-2.0-or-later
/* Which structures have another one in them, at a place: all that the kernel and its modules have, once. */
#include "holders/types.h"

#define MAX_STRUCTS 65536u /* numbers of types have 16 bits; kernels have some 15,000 */

struct whole {
	uint32_t next; /* number + 1 of another with that part */
	uint16_t type;
};

static uint64_t part_key(uint16_t part, uint32_t offset)
{
	return (uint64_t)part << 32 | offset;
}

static void add_parts(struct node_types *x, uint16_t whole)
{
	/* A copy: the array of types moves. */
	const struct typed t = x->types[whole - 1].t;

	for (uint32_t i = 0; i < t.ninner; i++) {
		const struct type_query q = { .by = TYPE_BY_NUMBER, .number = t.inner[i].type };
		uint16_t part = node_types_get(x, &q);
		struct whole *w = part && part != whole ? chunks_add(&x->wholes) : NULL;
		uint32_t *first;
		bool is_new;

		if (!w)
			continue;
		first = hash_u64_get(&x->parts, part_key(part, t.inner[i].offset), &is_new);
		*w = (struct whole){ *first, whole };
		*first = x->wholes.n;
	}
}

void node_types_open_parts(struct node_types *x)
{
	struct type_query q = { .by = TYPE_BY_ORDER };
	uint32_t seen = 0;
	uint8_t *had = arena_alloc(x->arena, MAX_STRUCTS / 8);

	hash_u64_init(&x->parts, x->arena, sizeof(uint32_t));
	chunks_init(&x->wholes, x->arena, &x->g->budget, sizeof(struct whole));
	while (seen++ < MAX_STRUCTS && !dump_stopped(x->g->dump)) {
		uint16_t type = node_types_get(x, &q);

		if (!x->next)
			break;
		q.number = x->next;
		if (!type || !x->types[type - 1].name || had[type / 8] >> type % 8 & 1)
			continue;
		had[type / 8] |= 1 << type % 8;
		add_parts(x, type);
	}
}

uint16_t node_types_whole(struct node_types *x, uint16_t part, uint32_t offset, uint32_t *at)
{
	const uint32_t *first = *at ? NULL : hash_u64_find(&x->parts, part_key(part, offset));
	uint32_t i = *at ? *at - 1 : first ? *first : 0;
	const struct whole *w;

	if (!i)
		return 0;
	w = chunks_at(&x->wholes, i - 1);
	*at = w->next + 1;
	return w->type;
}
