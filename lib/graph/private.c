// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What an open file, an entry of proc or a file of debugfs has as private data is of the module whose functions get
 * it: where others lead there as well, as the inode does, it is a root of that module.
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
	struct field inode; /* which has the data; else the object has them itself */
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

/* What the word at a byte of a node leads to is of the module that the object at an address names. */
static void add(const struct finder *f, uint32_t src, uint32_t from, uint64_t names)
{
	struct graph *g = f->g;
	struct edge e;
	uint32_t number;
	bool leads = graph_word_at(g, src, from, &e, &number);
	const struct span *to = leads ? graph_span_of(g, e.dst) : NULL;
	const char *name = to && to->kind == NODE_OBJECT ? g->caches[to->group]->name : NULL;
	uint16_t owner, *of;
	bool is_new;

	/* What has a cache of its own is the kernel's. */
	if (!name || !strstr(name, "kmalloc-") || g->tags[e.dst] != OWNER_NOBODY)
		return;
	owner = module_of(f, names);
	if (!owner)
		return;
	of = hash_u64_get(&g->privates, e.dst, &is_new);
	*of = is_new || *of == owner ? owner : OWNER_SHARED;
}

/* Of what a dentry names a file of debugfs is, until it is open; its inode has the data. */
static void add_node(const struct finder *f, const struct span *s, uint32_t node)
{
	uint64_t object = span_address(s, node);
	struct edge inode;
	uint32_t number;

	if (!f->inode.present) {
		add(f, node, f->data.offset, object);
		return;
	}
	if (graph_word_at(f->g, node, f->inode.offset, &inode, &number) && inode.to < PLACE_MAX)
		add(f, inode.dst, inode.to + f->data.offset, object);
}

static void find(const struct finder *f, const char *cache)
{
	const struct graph *g = f->g;

	for (uint32_t k = 0; k < g->spans.n; k++) {
		const struct span *s = graph_span(g, k);
		bool is_kind = s->kind == NODE_OBJECT && g->caches[s->group]->name &&
			       !strcmp(g->caches[s->group]->name, cache);

		for (uint32_t n = s->first; is_kind && n < s->first + s->count; n++)
			if (!graph_is_dead(g, n))
				add_node(f, s, n);
	}
}

void graph_find_private(struct graph *g)
{
	struct dump *d = g->dump;
	struct finder debugfs = { .g = g };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct finder f = { .g = g };

		if (layout_resolve(d, &kinds[i].data, 1, &f.data) == ST_OK && f.data.present &&
		    layout_resolve(d, kinds[i].names, ARRAY_SIZE(f.names), f.names) == ST_OK)
			find(&f, kinds[i].cache);
	}
	if (dump_ask(d, member, "struct inode", "i_private", &debugfs.data) == ST_OK &&
	    dump_ask(d, member, "struct dentry", "d_inode", &debugfs.inode) == ST_OK &&
	    dump_ask(d, member, "struct dentry", "d_fsdata", &debugfs.names[0]) == ST_OK &&
	    debugfs.data.present && debugfs.inode.present)
		find(&debugfs, "dentry");
}
