// SPDX-License-Identifier: GPL-2.0-or-later
/* Allocation sites by the folders and files of the source, the biggest first. */

#include "cli/tree.h"
#include "sites.h"

#define MAX_DEPTH 64 /* folders of a path in the source tree */

struct node {
	struct tree_node node; /* its weight: bytes */
	const char *path;      /* NULL: unknown */
	uint64_t calls, sites;
	bool is_known; /* the counters of each site */
};

struct folders {
	struct site_view *v;
	struct tree tree; /* of struct node */
	struct hash_bytes texts;
};

#define ROW struct node

CELL_FROM(parent_cell, ROW, tree_parent_cell(&r->node))
CELL_WITH(name_cell, ROW, struct folders, tree_name_cell(&v->tree, &r->node, v->v->in->opts.json))

static const struct view_column columns[] = {
	{ COLUMN_id, IN_JSON | KNOWN, UINT_OF(ROW, node.id) },
	{ COLUMN_parent, IN_JSON, CELL_BY(parent_cell) },
	{ COLUMN_depth, IN_JSON | KNOWN, UINT_OF(ROW, node.depth) },
	{ COLUMN_bytes, IN_BOTH | SIGNED, "of the node and of all below it",
	  INT_IF(ROW, node.weight, is_known) },
	{ COLUMN_calls, IN_BOTH, UINT_IF(ROW, calls, is_known) },
	{ COLUMN_sites, IN_BOTH | KNOWN, UINT_OF(ROW, sites) },
	{ COLUMN_path, IN_JSON, .width = TREE_NAME, TEXT_OF(ROW, path) },
	{ COLUMN_name, IN_BOTH | KNOWN, "last part of the path", TREE_NAME, CELL_BY(name_cell) },
	BASIS(recorded),
};

const struct view site_tree_view = { "tree", "-t tree", COLUMNS_OF(columns) };

/* len bytes of path are the node's, from the part at name on. */
static struct node *find_child(struct folders *f, struct node *parent, const char *path, size_t len,
			       const char *name)
{
	char *copy = dump_alloc(f->v->dump, len + 1);
	const char *text;
	struct node *n;

	memcpy(copy, path, len);
	text = intern(&f->texts, copy + (name - path));
	n = tree_child(&f->tree, parent, text);
	if (!n->sites)
		n->path = copy;
	return n;
}

static void add_to(struct node *n, const struct site *s)
{
	n->node.weight = (uint64_t)n->node.weight + s->bytes;
	n->calls += s->calls;
	n->is_known = (!n->sites || n->is_known) && s->readable;
	n->sites++;
}

/* A node for each directory of the path and for its file; below MAX_DEPTH the rest is one name. */
static void add_site(struct folders *f, const struct site *s)
{
	const char *path = s->file ?: "[unknown]", *name = path;
	struct node *n = (struct node *)f->tree.top;

	/* Built from its own folder, a header is ./include/... */
	while (!strncmp(name, "./", 2))
		path = name = name + 2;
	while (*name) {
		size_t len = strcspn(name, "/");

		if (n->node.depth + 1 == MAX_DEPTH)
			len = strlen(name);
		len += name[len] == '/';
		n = find_child(f, n, path, name + len - path, name);
		if (!s->file)
			n->path = NULL;
		add_to(n, s);
		name += len;
	}
}

enum status site_tree(struct site_view *v)
{
	struct folders f = { .v = v };

	tree_init(&f.tree, v->dump, sizeof(struct node));
	hash_bytes_init(&f.texts, v->dump->arena, 0);
	for (size_t i = 0; i < v->tags.n; i++)
		if (site_view_keeps(v, &v->tags.sites[i]))
			add_site(&f, &v->tags.sites[i]);
	tree_show(&f.tree, v->in, &v->report, &f);
	site_view_sums(v);
	site_view_end(v);
	return ST_OK;
}
