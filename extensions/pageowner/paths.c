// SPDX-License-Identifier: GPL-2.0-or-later
#include "paths.h"

#include <stdio.h>

#include "view.h"

static const char *key_label(struct owner_view *v, enum owner_key key, uint64_t word)
{
	struct cell cell = owner_word_cell(v, key, word);
	char text[256];

	if (cell.kind == CELL_TEXT)
		snprintf(text, sizeof(text), "%s", cell.text);
	else if (cell.kind == CELL_UINT || cell.kind == CELL_INT)
		snprintf(text, sizeof(text), "%s %lld", owner_keys[key].name, (long long)cell.i);
	else
		snprintf(text, sizeof(text), "%s unknown", owner_keys[key].name);
	return dict_text(&v->texts, text);
}

static enum status add_label(struct owner_view *v, struct owner_path *path, const char *label)
{
	if (!label)
		return dump_fail(v->dump, DUMP_NOMEM, "out of memory");
	if (path->n < PATH_LABELS)
		path->labels[path->n++] = label;
	return DUMP_OK;
}

static enum status add_cut(struct owner_view *v, const struct stack *stack, struct owner_path *path)
{
	char text[32];

	if (!stack->cut)
		return DUMP_OK;
	snprintf(text, sizeof(text), "[cut at %u]", stack->cut);
	return add_label(v, path, dict_text(&v->texts, text));
}

static enum status add_frames(struct owner_view *v, const struct stack *stack, bool callee,
			      struct owner_path *path)
{
	enum status st = callee ? DUMP_OK : add_cut(v, stack, path);

	for (unsigned int i = 0; i < stack->n && st == DUMP_OK; i++) {
		const struct frame *f = stack->frames[callee ? i : stack->n - 1 - i];
		char text[640];

		st = add_label(v, path, dict_text(&v->texts, function_text(f, text, sizeof(text))));
	}
	return st == DUMP_OK && callee ? add_cut(v, stack, path) : st;
}

static enum status fill_path(struct owner_groups *g, const struct owner_group *group, bool callee,
			     struct owner_path *path)
{
	struct owner_view *v = g->v;
	const struct stack *stack = NULL;
	enum status st = DUMP_OK;

	path->group = group;
	path->n = 0;
	for (size_t i = 0; i < g->nkeys && st == DUMP_OK; i++)
		if (g->keys[i] != KEY_STACK)
			st = add_label(v, path, key_label(v, g->keys[i], group->keys[i]));
	if (group->handle)
		stack = stacks_frames(&v->stacks, stacks_get(&v->stacks, group->handle));
	if (st != DUMP_OK)
		return st;
	if (!stack || !stack->n)
		return add_label(v, path, dict_text(&v->texts, "[no stack]"));
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
		return dump_fail(v->dump, DUMP_USAGE, "-g takes at most %d keys beside the stack",
				 GROUP_KEYS - 1);
	return DUMP_OK;
}

enum status owner_paths(struct owner_groups *g, bool callee, struct coverage *cov,
			enum status (*visit)(void *arg, const struct owner_path *path), void *arg)
{
	struct owner_path *path = dump_alloc(g->v->dump, sizeof(*path));
	enum status st = DUMP_OK, scanned;

	if (!path)
		return DUMP_NOMEM;
	if (!has_stack_key(g))
		g->keys[g->nkeys++] = KEY_STACK;
	scanned = owner_groups_scan(g, cov);
	if (scanned != DUMP_OK && scanned != DUMP_STOPPED)
		return scanned;
	for (struct dict_entry *e = g->groups.first; e && st == DUMP_OK; e = e->next) {
		const struct owner_group *group = e->value;

		if (!owner_selects_group(&g->select, group->pages << g->v->page_shift))
			continue;
		st = fill_path(g, group, callee, path);
		if (st == DUMP_OK)
			st = visit(arg, path);
	}
	return st == DUMP_OK ? scanned : st;
}
