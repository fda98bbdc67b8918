// SPDX-License-Identifier: GPL-2.0-or-later
#include "paths.h"

#include <stdio.h>

#include "view.h"

static const char *key_label(struct owner_view *v, enum owner_key key, uint64_t word)
{
	struct cell cell = owner_value_cell(v, key, word);
	char text[256];

	if (cell_words(&cell))
		snprintf(text, sizeof(text), "%s", cell_words(&cell));
	else if (cell.kind == CELL_UINT || cell.kind == CELL_INT)
		snprintf(text, sizeof(text), "%s %lld", key_name(&owner_keys[key]),
			 (long long)cell.i);
	else
		snprintf(text, sizeof(text), "%s unknown", key_name(&owner_keys[key]));
	return intern(&v->texts, text);
}

static enum status add_label(struct owner_view *v, struct owner_path *path, const char *label)
{
	if (!label)
		return dump_no_memory(v->dump);
	if (path->n < PATH_LABELS)
		path->labels[path->n++] = label;
	return ST_OK;
}

static enum status add_cut(struct owner_view *v, const struct stack *stack, struct owner_path *path)
{
	char text[32];

	if (!stack->cut)
		return ST_OK;
	snprintf(text, sizeof(text), "[truncated at %u]", stack->cut);
	return add_label(v, path, intern(&v->texts, text));
}

static enum status add_frames(struct owner_view *v, const struct stack *stack, bool callee,
			      struct owner_path *path)
{
	enum status st = callee ? ST_OK : add_cut(v, stack, path);

	for (unsigned int i = 0; i < stack->n && st == ST_OK; i++) {
		const struct frame *f = stack->frames[callee ? i : stack->n - 1 - i];
		char text[640];

		st = add_label(v, path, intern(&v->texts, function_text(f, text, sizeof(text))));
	}
	return st == ST_OK && callee ? add_cut(v, stack, path) : st;
}

static enum status fill_path(struct owner_groups *g, const struct owner_group *group, bool callee,
			     struct owner_path *path)
{
	struct owner_view *v = g->v;
	const struct stack *stack = NULL;
	enum status st = ST_OK;

	path->group = group;
	path->n = 0;
	for (size_t i = 0; i < g->nkeys && st == ST_OK; i++)
		if (g->keys[i] != KEY_STACK)
			st = add_label(v, path, key_label(v, g->keys[i], group->keys[i]));
	if (group->handle)
		stack = stack_cache_frames(&v->stacks, stack_cache_get(&v->stacks, group->handle));
	if (st != ST_OK)
		return st;
	if (!stack || !stack->n)
		return add_label(v, path, intern(&v->texts, "[no stack]"));
	return add_frames(v, stack, callee, path);
}

static bool has_stack_key(const struct owner_groups *g)
{
	for (size_t i = 0; i < g->nkeys; i++)
		if (g->keys[i] == KEY_STACK)
			return true;
	return false;
}

enum status owner_tree_open(struct owner_view *v, enum availability *why)
{
	struct owner_groups g;

	(void)why;
	owner_groups_init(v, &g);
	if (g.nkeys == GROUP_KEYS && !has_stack_key(&g))
		return dump_fail(v->dump, ST_USAGE, "-g takes at most %d keys beside the stack",
				 GROUP_KEYS - 1);
	return ST_OK;
}

enum status owner_paths(struct owner_groups *g, bool callee, struct scan_stats *cov,
			enum status (*visit)(void *arg, const struct owner_path *path), void *arg)
{
	struct owner_path *path = dump_alloc(g->v->dump, sizeof(*path));
	enum status st = ST_OK, scanned;

	if (!path)
		return ST_NOMEM;
	if (!has_stack_key(g))
		g->keys[g->nkeys++] = KEY_STACK;
	scanned = owner_groups_scan(g, cov);
	if (scanned != ST_OK && scanned != ST_STOPPED)
		return scanned;
	for (struct hash_bytes_entry *e = g->groups.first; e && st == ST_OK; e = e->next) {
		const struct owner_group *group = e->value;

		if (!owner_selects_group(&g->select, group->pages << g->v->page_shift))
			continue;
		st = fill_path(g, group, callee, path);
		if (st == ST_OK)
			st = visit(arg, path);
	}
	return st == ST_OK ? scanned : st;
}
