// SPDX-License-Identifier: GPL-2.0-or-later
/* Allocation sites by the folders and files of the source, the biggest first. */
#include <string.h>

#include "cli/tree.h"
#include "sites.h"
#include "util/hash_bytes.h"

#define MAX_DEPTH 64

enum {
	COL_ID,
	COL_PARENT,
	COL_DEPTH,
	COL_BYTES,
	COL_CALLS,
	COL_SITES,
	COL_PATH,
	COL_NAME,
	COLUMNS
};

static const struct view_column columns[COLUMNS] = {
	[COL_ID] = { COLUMN_id, IN_JSON | KNOWN },
	[COL_PARENT] = { COLUMN_parent, IN_JSON },
	[COL_DEPTH] = { COLUMN_depth, IN_JSON | KNOWN },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH | SIGNED, "of the node and of all below it" },
	[COL_CALLS] = { COLUMN_calls, IN_BOTH },
	[COL_SITES] = { COLUMN_sites, IN_BOTH | KNOWN },
	[COL_PATH] = { COLUMN_path, IN_JSON, .width = TREE_NAME },
	[COL_NAME] = { COLUMN_name, IN_BOTH | KNOWN, "last part of the path", TREE_NAME },
};

const struct view site_tree_view = { "tree", "-t tree", COLUMNS_OF(columns) };

struct node {
	struct tree_node node; /* its weight: bytes */
	const char *path;      /* NULL: unknown */
	uint64_t calls, sites;
	bool unreadable;
};

struct folders {
	struct site_view *v;
	struct tree tree; /* of struct node */
	struct hash_bytes texts;
};

/* len bytes of path are the node's, from the part at name on. */
static struct node *find_child(struct folders *f, struct node *parent, const char *path, size_t len,
			       const char *name)
{
	char *copy = dump_alloc(f->v->dump, len + 1);
	const char *text;
	struct node *n;

	if (!copy)
		return NULL;
	memcpy(copy, path, len);
	text = intern(&f->texts, copy + (name - path));
	n = text ? tree_child(&f->tree, parent, text) : NULL;
	if (n && !n->sites)
		n->path = copy;
	return n;
}

static void add_to(struct node *n, const struct site *s)
{
	n->node.weight = (uint64_t)n->node.weight + s->bytes;
	n->calls += s->calls;
	n->sites++;
	n->unreadable |= !s->readable;
}

/* A node for each directory of the path and for its file; below MAX_DEPTH the rest is one name. */
static enum status add_site(struct folders *f, const struct site *s)
{
	const char *path = s->file ? s->file : "[unknown]", *name = path;
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
		if (!n)
			return dump_no_memory(f->v->dump);
		if (!s->file)
			n->path = NULL;
		add_to(n, s);
		name += len;
	}
	return ST_OK;
}

static enum status fill_row(void *arg, const struct tree_node *t, struct cell *row)
{
	struct folders *f = arg;
	const struct node *n = (const struct node *)t;

	row[COL_ID] = cell_uint(t->id);
	row[COL_PARENT] = tree_parent_cell(&f->tree, t);
	row[COL_DEPTH] = cell_uint(t->depth);
	row[COL_BYTES] = cell_if(!n->unreadable, cell_int(t->weight));
	row[COL_CALLS] = cell_if(!n->unreadable, cell_uint(n->calls));
	row[COL_SITES] = cell_uint(n->sites);
	row[COL_PATH] = cell_text(n->path);
	row[COL_NAME] = tree_name_cell(&f->tree, t, f->v->in->opts.json);
	return ST_OK;
}

enum status site_tree(struct site_view *v)
{
	struct folders f = { .v = v };
	enum status st = tree_init(&f.tree, v->dump, sizeof(struct node));

	hash_bytes_init(&f.texts, v->dump->arena, 0);
	for (size_t i = 0; i < v->tags.n && st == ST_OK; i++)
		if (site_view_keeps(v, &v->tags.sites[i]))
			st = add_site(&f, &v->tags.sites[i]);
	if (st == ST_OK)
		st = tree_show(&f.tree, v->in, &v->report, fill_row, &f);
	if (st != ST_OK)
		return st;
	site_view_sums(v);
	site_view_end(v);
	return ST_OK;
}
