// SPDX-License-Identifier: GPL-2.0-or-later
/* Allocation sites by the folders and files of the source, the biggest first. */
#include <string.h>

#include "cli/tree.h"
#include "sites.h"
#include "util/hash_bytes.h"

#define MAX_DEPTH 64

enum { N_ID, N_PARENT, N_DEPTH, N_BYTES, N_CALLS, N_SITES, N_PATH, N_NAME, N_COLUMNS };

static const struct column columns[N_COLUMNS] = {
	[N_ID] = { "id", "ID", .shown = IN_JSON, .help = "number of the node" },
	[N_PARENT] = { "parent", "PARENT", .shown = IN_JSON,
		       .help = "that of its folder; null: a root" },
	[N_DEPTH] = { "depth", "DEPTH", .shown = IN_JSON, .help = "0: a root" },
	[N_BYTES] = { "bytes", "SIZE", FORMAT_SIZE, IN_BOTH,
		      .help = "bytes of it and of all below; can be negative" },
	[N_CALLS] = { "calls", "CALLS", .shown = IN_BOTH,
		      .help = "allocations that are not freed" },
	[N_SITES] = { "sites", "SITES", .shown = IN_BOTH, .help = "sites in it" },
	[N_PATH] = { "path", "PATH", FORMAT_PATH, IN_JSON, TREE_NAME,
		     .help = "folder or file, whole; null: not in this dump" },
	[N_NAME] = { "name", "NAME", FORMAT_TEXT, IN_BOTH, TREE_NAME,
		     .help = "its last part; a folder's ends with /" },
};

const struct view site_tree_view = { "tree", "srgPdC", columns, N_COLUMNS, .prepare = NULL };

struct node {
	struct tree_node node; /* its weight: bytes */
	const char *path;      /* NULL: unknown */
	uint64_t calls, sites;
	bool unreadable;
};

struct folders {
	struct site_view *v;
	struct tree tree; /* of struct node */
	struct dict texts;
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
	text = dict_text(&f->texts, copy + (name - path));
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

/* Each folder of the path, and its file; deeper ones than any source has end in one name. */
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
			return dump_fail(f->v->dump, DUMP_NOMEM, "out of memory");
		if (!s->file)
			n->path = NULL;
		add_to(n, s);
		name += len;
	}
	return DUMP_OK;
}

static enum status fill_row(void *arg, const struct tree_node *t, struct cell *row)
{
	struct folders *f = arg;
	const struct node *n = (const struct node *)t;

	row[N_ID] = cell_uint(t->id);
	row[N_PARENT] = tree_parent_cell(&f->tree, t);
	row[N_DEPTH] = cell_uint(t->depth);
	row[N_BYTES] = cell_if(!n->unreadable, cell_int(t->weight));
	row[N_CALLS] = cell_if(!n->unreadable, cell_uint(n->calls));
	row[N_SITES] = cell_uint(n->sites);
	row[N_PATH] = cell_text(n->path);
	row[N_NAME] = tree_name_cell(&f->tree, t, f->v->in->opts.json);
	return DUMP_OK;
}

enum status site_tree(struct site_view *v)
{
	struct folders f = { .v = v };
	enum status st = tree_init(&f.tree, v->dump, sizeof(struct node));

	dict_init(&f.texts, v->dump->arena, 0);
	for (size_t i = 0; i < v->tags.n && st == DUMP_OK; i++)
		if (site_view_keeps(v, &v->tags.sites[i]))
			st = add_site(&f, &v->tags.sites[i]);
	if (st == DUMP_OK)
		st = tree_show(&f.tree, v->in, &v->report, fill_row, &f);
	if (st != DUMP_OK)
		return st;
	site_view_sums(v);
	site_view_end(v);
	return DUMP_OK;
}
