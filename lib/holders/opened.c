// SPDX-License-Identifier: GPL-2.0-or-later
/* Open files that keep memory: their paths, and the processes that have them open. */
#include "files/dentry_path.h"
#include "files/open_files.h"
#include "holders/holders.h"

#define USERS_TOLD 3

struct opened {
	struct holders *h;
	struct hash_u64 users; /* struct file_users by address of struct file */
	struct hash_u64 names; /* by node */
	struct file_paths paths;
	struct text_lists lists;
	struct open_files *files;
	struct field mm; /* of struct vm_area_struct */
	bool has_paths, is_complete;
};

static enum status add_user(void *arg, uint64_t file, uint64_t operations NOT_USED,
			    const struct file_user *user)
{
	struct opened *o = arg;
	struct graph *g = &o->h->graph;
	const struct span *span;
	uint32_t node, place;

	if (graph_find(g, file, &span, &node, &place) && !place)
		file_users_add(g->arena, hash_u64_get(&o->users, file, NULL), user);
	return ST_OK;
}

static struct opened *find_users(struct holders *h)
{
	struct dump *d = h->graph.dump;
	struct opened *o = dump_alloc(d, sizeof(*o));
	struct open_files *files = dump_alloc(d, sizeof(*files));
	enum status st;

	o->h = h;
	o->files = files;
	if (dump_ask(d, member, "struct vm_area_struct", "vm_mm", &o->mm) != ST_OK)
		o->mm.present = false;
	hash_u64_init(&o->users, d->arena, sizeof(struct file_users));
	hash_u64_init(&o->names, d->arena, sizeof(const char *));
	text_lists_init(&o->lists, d->arena);
	o->has_paths = file_paths_open(d, &o->paths) == ST_OK;
	st = open_files_open(d, files);
	files->visit = add_user;
	files->arg = o;
	st = st ?: open_files_read(files, NULL);
	o->is_complete = st == ST_OK && files->complete;
	return o;
}

/* Processes that map a file, by the areas that lead to it. */
static const struct file_users *find_maps(struct opened *o, uint32_t node)
{
	const struct flow *f = &o->h->flow;
	const struct graph *g = f->g;
	struct file_users *ret = dump_alloc(g->dump, sizeof(*ret));

	for (uint32_t k = f->in_at[node]; o->mm.present && k < f->in_at[node + 1]; k++) {
		const uint32_t src = f->in[k] & ARC_NODE;
		const struct span *s = src < g->nodes ? graph_span_of(g, src) : NULL;
		const struct file_user *user;
		uint64_t mm;

		if (!s || s->kind != NODE_OBJECT || !g->caches[s->group]->kind ||
		    strcmp(g->caches[s->group]->kind, "vm_area_struct") != 0 ||
		    dump_u64(g->dump, span_address(s, src) + o->mm.offset, &mm, "mm_struct") !=
			    ST_OK)
			continue;
		user = open_files_mm(o->files, mm);
		if (user)
			file_users_add(g->arena, ret, user);
	}
	return ret->n ? ret : NULL;
}

static const char *find_name(struct opened *o, uint32_t node, uint64_t file)
{
	struct strbuf b = STRBUF_OF(USERS_TOLD * 64 + TEXT_LIST_TAIL);
	const struct file_users *users = hash_u64_find(&o->users, file);
	const struct file_users *maps = users ? NULL : find_maps(o, node);
	const char *path;

	if (users || maps)
		text_list_short(file_users_list(users ?: maps, o->is_complete, &o->lists),
				USERS_TOLD, &b);
	if (!o->has_paths || file_path(&o->paths, file, &path) != ST_OK)
		path = NULL;
	/* Of a cache into which others were merged it may be something else. */
	if (!users && !maps && !path)
		return NULL;
	return arena_text(o->h->graph.arena, "%sfile%s%s%s%s", users ? "open " : "",
			  path ? " " : "", path ?: "",
			  users		   ? " of "
			  : maps	   ? " mapped by "
			  : o->is_complete ? " that no process has open"
					   : "",
			  b.buf);
}

const char *holder_file_name(struct holders *h, uint32_t node)
{
	const char **name;
	bool is_new;

	if (!h->opened)
		h->opened = find_users(h);
	name = hash_u64_get(&h->opened->names, node, &is_new);
	if (is_new)
		*name = find_name(h->opened, node,
				  span_address(graph_span_of(&h->graph, node), node));
	return *name;
}
