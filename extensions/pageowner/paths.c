// SPDX-License-Identifier: GPL-2.0-or-later
#include "paths.h"

#include "view.h"

static void add_label(struct owner_view *v, struct owner_path *path, const char *label)
{
	if (path->n < PATH_LABELS)
		path->labels[path->n++] = intern(&v->texts, label);
}

static void add_key(struct owner_view *v, enum owner_key key, uint64_t word,
		    struct owner_path *path)
{
	struct cell cell = owner_value_cell(v, key, word);
	char text[256];

	if (cell_words(&cell))
		snprintf(text, sizeof(text), "%s", cell_words(&cell));
	else if (cell.kind == CELL_UINT || cell.kind == CELL_INT)
		snprintf(text, sizeof(text), "%s %ld", key_name(&owner_keys[key]), cell.i);
	else
		snprintf(text, sizeof(text), "%s unknown", key_name(&owner_keys[key]));
	add_label(v, path, text);
}

static void add_frames(struct owner_view *v, const struct stack *stack, bool callee,
		       struct owner_path *path)
{
	char text[640], cut[32];

	snprintf(cut, sizeof(cut), "[truncated at %u]", stack->cut);
	if (stack->cut && !callee)
		add_label(v, path, cut);
	for (unsigned int i = 0; i < stack->n; i++)
		add_label(v, path,
			  function_text(stack->frames[callee ? i : stack->n - 1 - i], text,
					sizeof(text)));
	if (stack->cut && callee)
		add_label(v, path, cut);
}

static void fill_path(struct owner_groups *g, const struct owner_group *group, bool callee,
		      struct owner_path *path)
{
	const struct stack *stack = owner_stack(g->v, group->handle);

	path->group = group;
	path->n = 0;
	for (size_t i = 0; i < g->nkeys; i++)
		if (g->keys[i] != KEY_STACK)
			add_key(g->v, g->keys[i], group->keys[i], path);
	if (stack && stack->n)
		add_frames(g->v, stack, callee, path);
	else
		add_label(g->v, path, "[no stack]");
}

static bool has_stack_key(const struct owner_groups *g)
{
	for (size_t i = 0; i < g->nkeys; i++)
		if (g->keys[i] == KEY_STACK)
			return true;
	return false;
}

enum status owner_paths_open(void *owner_view, enum availability *why)
{
	struct owner_view *v = owner_view;
	struct owner_groups g;
	enum status st = owner_view_open(v, why);

	if (st != ST_OK)
		return st;
	owner_groups_init(v, &g);
	if (g.nkeys == GROUP_KEYS && !has_stack_key(&g))
		return dump_fail(v->dump, ST_USAGE, "-g takes at most %d keys beside the stack",
				 GROUP_KEYS - 1);
	return ST_OK;
}

enum status owner_paths(struct owner_groups *g, bool callee,
			void (*visit)(void *arg, const struct owner_path *path), void *arg)
{
	struct owner_path *path = dump_alloc(g->v->dump, sizeof(*path));
	enum status st;

	if (!has_stack_key(g))
		g->keys[g->nkeys++] = KEY_STACK;
	st = owner_groups_scan(g);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	hash_bytes_for_each(const struct owner_group, group, &g->groups) {
		if (!owner_selects_group(&g->select, group->pages << g->v->page_shift))
			continue;
		fill_path(g, group, callee, path);
		visit(arg, path);
	}
	return st;
}
