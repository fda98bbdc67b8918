// SPDX-License-Identifier: GPL-2.0-or-later
/* Allocation sites by the folders and files of the source, the biggest first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dict.h"
#include "siteview.h"
#include "units.h"

#define DEFAULT_NODES 40
#define INDENT_MAX 60
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
	[N_PATH] = { "path", "PATH", FORMAT_PATH, IN_JSON, INDENT_MAX,
		     .help = "folder or file, whole; null: not in this dump" },
	[N_NAME] = { "name", "NAME", FORMAT_TEXT, IN_BOTH, INDENT_MAX,
		     .help = "its last part; a folder's ends with /" },
};

const struct view site_tree_view = { "tree", "srgPdC", columns, N_COLUMNS, .prepare = NULL };

struct node {
	struct node *parent, *sibling, *child;
	const char *name, *path; /* path NULL: unknown */
	uint64_t id, depth, calls, sites;
	int64_t bytes;
	bool unreadable, shown;
};

struct tree {
	struct site_view *v;
	struct dict nodes; /* of struct node, by parent and name */
	struct dict texts;
	struct node root;
};

/* len bytes of path are the node's, from the part at name on. */
static struct node *find_child(struct tree *t, struct node *parent, const char *path, size_t len,
			       const char *name)
{
	struct arena *arena = t->v->dump->arena;
	char *copy = arena_alloc(arena, len + 1);
	const void *key[2] = { parent, NULL };
	struct dict_entry *e;
	struct node *n;
	bool is_new;

	if (!copy)
		return NULL;
	memcpy(copy, path, len);
	key[1] = dict_text(&t->texts, copy + (name - path));
	e = key[1] ? dict_get(&t->nodes, key, sizeof(key), &is_new) : NULL;
	if (!e)
		return NULL;
	n = e->value;
	if (is_new) {
		n->parent = parent;
		n->name = key[1];
		n->path = copy;
		n->id = t->nodes.n;
		n->depth = parent == &t->root ? 0 : parent->depth + 1;
		n->sibling = parent->child;
		parent->child = n;
	}
	return n;
}

static void add_to(struct node *n, const struct site *s)
{
	n->bytes = (uint64_t)n->bytes + s->bytes;
	n->calls += s->calls;
	n->sites++;
	n->unreadable |= !s->readable;
}

/* Each folder of the path, and its file; deeper ones than any source has end in one name. */
static enum status add_site(struct tree *t, const struct site *s)
{
	const char *path = s->file ? s->file : "[unknown]", *name = path;
	struct node *n = &t->root;

	/* Built from its own folder, a header is ./include/... */
	while (!strncmp(name, "./", 2))
		path = name = name + 2;
	while (*name) {
		size_t len = strcspn(name, "/");

		if (n->depth + 1 == MAX_DEPTH)
			len = strlen(name);
		len += name[len] == '/';
		n = find_child(t, n, path, name + len - path, name);
		if (!n)
			return dump_fail(t->v->dump, DUMP_NOMEM, "out of memory");
		if (!s->file)
			n->path = NULL;
		add_to(n, s);
		name += len;
	}
	return DUMP_OK;
}

/* The biggest first; of equals the older one, so that a folder comes before what is in it. */
static int compare(const void *x, const void *y)
{
	const struct node *a = *(struct node *const *)x, *b = *(struct node *const *)y;

	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static const char *indented(struct tree *t, const struct node *n)
{
	char text[INDENT_MAX + 320];
	int indent = n->depth < INDENT_MAX / 2 ? (int)n->depth : INDENT_MAX / 2;

	if (t->v->in->opts.json)
		return n->name;
	snprintf(text, sizeof(text), "%*s%s", indent, "", n->name);
	return arena_strdup(t->v->dump->arena, text);
}

static enum status add_row(struct tree *t, const struct node *n)
{
	struct cell *row = table_add(&t->v->in->table);

	if (!row)
		return DUMP_NOMEM;
	row[N_ID] = cell_uint(n->id);
	row[N_PARENT] = cell_if(n->parent != &t->root, cell_uint(n->parent->id));
	row[N_DEPTH] = cell_uint(n->depth);
	row[N_BYTES] = cell_if(!n->unreadable, cell_int(n->bytes));
	row[N_CALLS] = cell_if(!n->unreadable, cell_uint(n->calls));
	row[N_SITES] = cell_uint(n->sites);
	row[N_PATH] = cell_text(n->path);
	row[N_NAME] = cell_text(indented(t, n));
	return DUMP_OK;
}

/* A node's shown children in order, each with what is below it; no deeper than MAX_DEPTH. */
static enum status add_children(struct tree *t, const struct node *parent)
{
	struct node **children;
	size_t n = 0;
	enum status st = DUMP_OK;

	for (struct node *c = parent->child; c; c = c->sibling)
		n += c->shown;
	if (!n)
		return DUMP_OK;
	children = dump_alloc(t->v->dump, n * sizeof(*children));
	if (!children)
		return DUMP_NOMEM;
	n = 0;
	for (struct node *c = parent->child; c; c = c->sibling)
		if (c->shown)
			children[n++] = c;
	qsort(children, n, sizeof(*children), compare);
	for (size_t i = 0; i < n && st == DUMP_OK; i++) {
		st = add_row(t, children[i]);
		if (st == DUMP_OK)
			st = add_children(t, children[i]);
	}
	return st;
}

/* The biggest nodes, and with each the folders that it is in: with negative sums these can be less. */
static enum status choose(struct tree *t, uint64_t rows, uint64_t *shown)
{
	struct node **nodes = dump_alloc(t->v->dump, (t->nodes.n + 1) * sizeof(*nodes));
	size_t n = 0;

	if (!nodes)
		return DUMP_NOMEM;
	for (struct dict_entry *e = t->nodes.first; e; e = e->next)
		nodes[n++] = e->value;
	qsort(nodes, n, sizeof(*nodes), compare);
	*shown = 0;
	for (size_t i = 0; i < n && *shown < rows; i++) {
		uint64_t more = 0;

		for (struct node *a = nodes[i]; a != &t->root && !a->shown; a = a->parent)
			more++;
		if (*shown + more > rows)
			break;
		for (struct node *a = nodes[i]; a != &t->root && !a->shown; a = a->parent)
			a->shown = true;
		*shown += more;
	}
	return DUMP_OK;
}

enum status site_tree(struct site_view *v)
{
	struct tree t = { .v = v };
	struct report *r = &v->report;
	enum status st = DUMP_OK;

	dict_init(&t.nodes, v->dump->arena, sizeof(struct node));
	dict_init(&t.texts, v->dump->arena, 0);
	for (size_t i = 0; i < v->tags.n && st == DUMP_OK; i++)
		if (site_view_keeps(v, &v->tags.sites[i]))
			st = add_site(&t, &v->tags.sites[i]);
	r->rows_total = t.nodes.n;
	if (st == DUMP_OK)
		st = choose(&t, opts_rows(&v->in->opts, DEFAULT_NODES, t.nodes.n), &r->rows_shown);
	if (st == DUMP_OK)
		st = add_children(&t, &t.root);
	if (st != DUMP_OK)
		return st;
	report_table(r, &v->in->table);
	if (!r->json && r->rows_shown < r->rows_total)
		sink_printf(v->out, "... %llu smaller branches (-n 0 shows all)\n",
			    (unsigned long long)(r->rows_total - r->rows_shown));
	site_view_sums(v);
	site_view_end(v);
	return DUMP_OK;
}
