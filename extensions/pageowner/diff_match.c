// SPDX-License-Identifier: GPL-2.0-or-later
#include "diff_match.h"

#include <stdio.h>
#include <string.h>

#include "kernel/boot.h"
#include "scan_read.h"
#include "util/strbuf.h"
#include "view.h"

#define IDENTITY 32768
#define WHY 400

static const struct stack *stack_of(struct owner_view *v, uint32_t handle)
{
	return stack_cache_frames(&v->stacks, stack_cache_get(&v->stacks, handle));
}

static const char *part_of(const struct owner_match *m, const struct frame *f, bool masked,
			   char *buf, size_t size)
{
	if (masked && !f->symbol)
		return "";
	if (!m->by_function)
		return frame_text(f, buf, size);
	function_text(f, buf, size);
	/* Of "clone.constprop.0" the compiler adds what follows the name. */
	if (f->symbol)
		buf[strcspn(buf, ".")] = '\0';
	return buf;
}

/* Functions of the allocators differ most of all between kernels. */
static unsigned int first_frame(const struct owner_match *m, const struct stack *stack)
{
	const struct frame *caller = m->by_function ? stack_caller(stack) : NULL;
	unsigned int i = 0;

	while (caller && stack->frames[i] != caller)
		i++;
	return i;
}

/* The text of all keys of a group; text beyond the buffer does not distinguish groups. */
static size_t identity(const struct owner_match *m, struct owner_groups *g,
		       const struct owner_group *group, bool masked, char *buf)
{
	struct owner_view *v = g->v;
	struct strbuf s;

	strbuf_init(&s, buf, IDENTITY);
	for (size_t i = 0; i < g->nkeys; i++) {
		const struct stack *stack;
		struct cell cell;
		char text[640];

		if (g->keys[i] == KEY_STACK) {
			stack = stack_of(v, group->keys[i]);
			for (unsigned int f = stack ? first_frame(m, stack) : 0;
			     stack && f < stack->n; f++)
				strbuf_add(
					&s, "%s\t",
					part_of(m, stack->frames[f], masked, text, sizeof(text)));
			continue;
		}
		cell = owner_value_cell(v, g->keys[i], group->keys[i]);
		if (cell_words(&cell))
			strbuf_add(&s, "%s\n", cell_words(&cell));
		else
			strbuf_add(&s, "%d %llu\n", cell.kind, (unsigned long long)cell.u);
	}
	return s.len;
}

/* Pages of a group are those of all groups with its text. */
static void merge(struct owner_group **side, struct owner_group *group)
{
	if (*side && group)
		group->pages += (*side)->pages;
	if (group)
		*side = group;
}

static enum status add_groups(struct owner_match *m, struct owner_groups *g, bool is_now, char *buf)
{
	for (struct hash_bytes_entry *e = g->groups.first; e; e = e->next) {
		bool is_new;
		size_t len = identity(m, g, e->value, false, buf);
		struct hash_bytes_entry *entry = hash_bytes_get(&m->pairs, buf, len, &is_new);
		struct owner_pair *p;

		if (!entry)
			return dump_no_memory(m->dump);
		p = entry->value;
		merge(is_now ? &p->now : &p->before, e->value);
	}
	return ST_OK;
}

static bool has_bare_frame(struct owner_groups *g, const struct owner_group *group)
{
	const struct stack *stack = NULL;

	for (size_t i = 0; i < g->nkeys; i++)
		if (g->keys[i] == KEY_STACK)
			stack = stack_of(g->v, group->keys[i]);
	for (unsigned int i = 0; stack && i < stack->n; i++)
		if (!stack->frames[i]->symbol)
			return true;
	return false;
}

/* Pairs that miss a side, and have addresses: one of a scan is one of the other without them. */
static enum status match_rest(struct owner_match *m, struct owner_groups *now,
			      struct owner_groups *before, char *buf)
{
	for (struct hash_bytes_entry *e = m->pairs.first; e; e = e->next) {
		struct owner_pair *p = e->value, **first;
		struct owner_groups *g = p->now ? now : before;
		struct owner_group *group = p->now ? p->now : p->before;
		struct hash_bytes_entry *entry;
		bool is_new;

		if ((p->now && p->before) || !has_bare_frame(g, group))
			continue;
		entry = hash_bytes_get(&m->masked, buf, identity(m, g, group, true, buf), &is_new);
		if (!entry)
			return dump_no_memory(m->dump);
		first = entry->value;
		if (is_new) {
			*first = p;
			continue;
		}
		merge(&(*first)->now, p->now);
		merge(&(*first)->before, p->before);
		p->now = p->before = NULL;
	}
	return ST_OK;
}

/* Sizes of the functions of stacks by name; 0: functions of different size have the name. */
static enum status add_sizes(struct owner_groups *g, struct hash_bytes *sizes)
{
	struct owner_view *v = g->v;
	char text[640];

	for (struct hash_bytes_entry *e = g->groups.first; e; e = e->next) {
		const struct owner_group *group = e->value;
		const struct stack *stack = group->handle ? stack_of(v, group->handle) : NULL;

		for (unsigned int i = 0; stack && i < stack->n; i++) {
			const struct frame *f = stack->frames[i];
			struct hash_bytes_entry *entry;
			bool is_new;

			if (!f->symbol || !f->size)
				continue;
			function_text(f, text, sizeof(text));
			entry = hash_bytes_get(sizes, text, strlen(text), &is_new);
			if (!entry)
				return dump_no_memory(v->dump);
			if (is_new)
				*(uint64_t *)entry->value = f->size;
			else if (*(uint64_t *)entry->value != f->size)
				*(uint64_t *)entry->value = 0;
		}
	}
	return ST_OK;
}

static enum status compare_sizes(struct owner_match *m, struct owner_groups *now,
				 struct owner_groups *before)
{
	struct hash_bytes ours, theirs;
	enum status st;

	hash_bytes_init(&ours, m->dump->arena, sizeof(uint64_t));
	hash_bytes_init(&theirs, m->dump->arena, sizeof(uint64_t));
	st = add_sizes(now, &ours);
	if (st == ST_OK)
		st = add_sizes(before, &theirs);
	for (struct hash_bytes_entry *e = theirs.first; st == ST_OK && e; e = e->next) {
		struct hash_bytes_entry *entry;
		uint64_t size = *(uint64_t *)e->value;
		char why[WHY];
		bool is_new;

		entry = hash_bytes_get(&ours, e->key, e->key_size, &is_new);
		if (!entry)
			return dump_no_memory(m->dump);
		if (is_new || !size || !*(uint64_t *)entry->value ||
		    *(uint64_t *)entry->value == size)
			continue;
		snprintf(why, sizeof(why), "%.*s has %llu bytes now, %llu in %s", (int)e->key_size,
			 (const char *)e->key, *(unsigned long long *)entry->value,
			 (unsigned long long)size, before->v->saved->path);
		m->by_function = arena_strdup(m->dump->arena, why);
		return m->by_function ? ST_OK : ST_NOMEM;
	}
	return st;
}

/* Whether the two scans are of one kernel: by its release, else by the sizes of functions. */
static enum status choose_text(struct owner_match *m, struct owner_groups *now,
			       struct owner_groups *before)
{
	const struct saved_scan *saved = now->v->saved;
	const char *ours = saved ? saved->kernel : kernel_release(m->dump);
	const char *theirs = before->v->saved->kernel;
	char why[WHY];

	if (!ours || !theirs || !strcmp(ours, theirs))
		return compare_sizes(m, now, before);
	snprintf(why, sizeof(why), "the kernel is %s now, %s in %s", ours, theirs,
		 before->v->saved->path);
	m->by_function = arena_strdup(m->dump->arena, why);
	return m->by_function ? ST_OK : ST_NOMEM;
}

enum status owner_match_groups(struct owner_groups *now, struct owner_groups *before,
			       struct owner_match *ret)
{
	struct owner_match *m = ret;
	char *buf;
	enum status st;

	*m = (struct owner_match){ .dump = now->v->dump };
	hash_bytes_init(&m->pairs, m->dump->arena, sizeof(struct owner_pair));
	hash_bytes_init(&m->masked, m->dump->arena, sizeof(struct owner_pair *));
	buf = dump_alloc(m->dump, IDENTITY);
	st = buf ? ST_OK : ST_NOMEM;
	for (size_t i = 0; st == ST_OK && i < now->nkeys; i++)
		if (now->keys[i] == KEY_STACK)
			st = choose_text(m, now, before);
	if (st == ST_OK)
		st = add_groups(m, now, true, buf);
	if (st == ST_OK)
		st = add_groups(m, before, false, buf);
	return st == ST_OK ? match_rest(m, now, before, buf) : st;
}
