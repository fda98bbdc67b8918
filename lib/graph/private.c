// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What an open file or an entry of proc has as private data is of the module whose functions get it: where others
 * lead there as well, as the inode does, it is a root of that module.
 */
#include "graph/edges.h"

struct data_kind {
	const char *cache;
	struct layout_row data, names[3]; /* pointers to functions, or to tables of them */
};

static const struct data_kind kinds[] = {
	{ "filp",
	  FIELD_ROW("struct file", OPTIONAL, NULL, "private_data"),
	  { FIELD_ROW("struct file", OPTIONAL, NULL, "f_op") } },
	{ "proc_dir_entry",
	  FIELD_ROW("struct proc_dir_entry", OPTIONAL, NULL, "data"),
	  { FIELD_ROW("struct proc_dir_entry", OPTIONAL, NULL, "proc_ops", "proc_fops"),
	    FIELD_ROW("struct proc_dir_entry", OPTIONAL, NULL, "single_show"),
	    FIELD_ROW("struct proc_dir_entry", OPTIONAL, NULL, "seq_ops") } },
};

struct finder {
	struct graph *g;
	struct field data, names[3];
};

/* The one module that the pointers of an object name; 0: none, or several. */
static uint16_t module_of(const struct finder *f, uint64_t addr)
{
	uint16_t ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(f->names); i++) {
		const struct span *to;
		uint32_t node, place;
		uint8_t word[8];

		if (!f->names[i].present ||
		    dump_try(f->g->dump, addr + f->names[i].offset, word, 8) != ST_OK ||
		    !graph_find(f->g, le64(word), &to, &node, &place) || to->kind > NODE_STATIC ||
		    !graph_module(f->g, to->group))
			continue;
		if (ret && ret != to->group)
			return 0;
		ret = to->group;
	}
	return ret;
}

static void add(struct finder *f, const struct span *s, uint32_t node)
{
	struct graph *g = f->g;
	uint32_t number;
	const struct edge *e = graph_word(g, node, f->data.offset, &number);
	const struct span *to = e ? graph_span_of(g, e->dst) : NULL;
	const char *name = to && to->kind == NODE_OBJECT ? g->caches[to->group]->name : NULL;
	uint16_t owner, *of;
	bool is_new;

	/* What has a cache of its own is the kernel's. */
	if (!name || !strstr(name, "kmalloc-") || g->tags[e->dst] != OWNER_NOBODY)
		return;
	owner = module_of(f, span_address(s, node));
	if (!owner)
		return;
	of = hash_u64_get(&g->privates, e->dst, &is_new);
	*of = is_new || *of == owner ? owner : OWNER_SHARED;
}

void graph_find_private(struct graph *g)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct finder f = { .g = g };

		if (layout_resolve(g->dump, &kinds[i].data, 1, &f.data) != ST_OK ||
		    !f.data.present ||
		    layout_resolve(g->dump, kinds[i].names, ARRAY_SIZE(f.names), f.names) != ST_OK)
			continue;
		for (uint32_t k = 0; k < g->spans.n; k++) {
			const struct span *s = graph_span(g, k);
			bool is_kind = s->kind == NODE_OBJECT && g->caches[s->group]->name &&
				       !strcmp(g->caches[s->group]->name, kinds[i].cache);

			for (uint32_t n = s->first; is_kind && n < s->first + s->count; n++)
				if (!graph_is_dead(g, n))
					add(&f, s, n);
		}
	}
}
