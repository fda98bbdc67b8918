// SPDX-License-Identifier: GPL-2.0-or-later
#include "diff_match.h"

#include "kernel/boot.h"
#include "scan_read.h"
#include "util/strbuf.h"
#include "view.h"

#define IDENTITY 32768
#define WHY 400

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
	struct strbuf s = strbuf_in(buf, IDENTITY);

	for (size_t i = 0; i < g->nkeys; i++) {
		const struct stack *stack;
		struct cell cell;
		char text[640];

		if (g->keys[i] == KEY_STACK) {
			stack = owner_stack(v, group->keys[i]);
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
			strbuf_add(&s, "%d %lu\n", cell.kind, cell.u);
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

static void add_groups(struct owner_match *m, struct owner_groups *g, bool is_now, char *buf)
{
	for (struct hash_bytes_entry *e = g->groups.first; e; e = e->next) {
		bool is_new;
		size_t len = identity(m, g, e->value, false, buf);
		struct owner_pair *p = hash_bytes_get(&m->pairs, buf, len, &is_new)->value;

		merge(is_now ? &p->now : &p->before, e->value);
	}
}

static bool has_bare_frame(struct owner_groups *g, const struct owner_group *group)
{
	const struct stack *stack = NULL;

	for (size_t i = 0; i < g->nkeys; i++)
		if (g->keys[i] == KEY_STACK)
			stack = owner_stack(g->v, group->keys[i]);
	for (unsigned int i = 0; stack && i < stack->n; i++)
		if (!stack->frames[i]->symbol)
			return true;
	return false;
}

/* Pairs that miss a side, and have addresses: one of a scan is one of the other without them. */
static void match_rest(struct owner_match *m, struct owner_groups *now, struct owner_groups *before,
		       char *buf)
{
	for (struct hash_bytes_entry *e = m->pairs.first; e; e = e->next) {
		struct owner_pair *p = e->value, **first;
		struct owner_groups *g = p->now ? now : before;
		struct owner_group *group = p->now ? p->now : p->before;
		bool is_new;

		if ((p->now && p->before) || !has_bare_frame(g, group))
			continue;
		first = hash_bytes_get(&m->masked, buf, identity(m, g, group, true, buf), &is_new)
				->value;
		if (is_new) {
			*first = p;
			continue;
		}
		merge(&(*first)->now, p->now);
		merge(&(*first)->before, p->before);
		p->now = p->before = NULL;
	}
}

/* Sizes of the functions of stacks by name; 0: functions of different size have the name. */
static void add_sizes(struct owner_groups *g, struct hash_bytes *sizes)
{
	struct owner_view *v = g->v;
	char text[640];

	for (struct hash_bytes_entry *e = g->groups.first; e; e = e->next) {
		const struct owner_group *group = e->value;
		const struct stack *stack = owner_stack(v, group->handle);

		for (unsigned int i = 0; stack && i < stack->n; i++) {
			const struct frame *f = stack->frames[i];
			uint64_t *size;
			bool is_new;

			if (!f->symbol || !f->size)
				continue;
			function_text(f, text, sizeof(text));
			size = hash_bytes_get(sizes, text, strlen(text), &is_new)->value;
			*size = is_new || *size == f->size ? f->size : 0;
		}
	}
}

static void compare_sizes(struct owner_match *m, struct owner_groups *now,
			  struct owner_groups *before)
{
	struct hash_bytes ours, theirs;

	hash_bytes_init(&ours, m->dump->arena, sizeof(uint64_t));
	hash_bytes_init(&theirs, m->dump->arena, sizeof(uint64_t));
	add_sizes(now, &ours);
	add_sizes(before, &theirs);
	for (struct hash_bytes_entry *e = theirs.first; e; e = e->next) {
		uint64_t size = *(uint64_t *)e->value, other;
		char why[WHY];
		bool is_new;

		other = *(uint64_t *)hash_bytes_get(&ours, e->key, e->key_size, &is_new)->value;
		if (is_new || !size || !other || other == size)
			continue;
		snprintf(why, sizeof(why), "%.*s has %lu bytes now, %lu in %s", (int)e->key_size,
			 (const char *)e->key, other, size, before->v->saved->path);
		m->by_function = arena_strdup(m->dump->arena, why);
		return;
	}
}

/* Whether the two scans are of one kernel: by its release, else by the sizes of functions. */
static void choose_text(struct owner_match *m, struct owner_groups *now,
			struct owner_groups *before)
{
	const struct saved_scan *saved = now->v->saved;
	const char *ours = saved ? saved->kernel : kernel_release(m->dump);
	const char *theirs = before->v->saved->kernel;
	char why[WHY];

	if (!ours || !theirs || !strcmp(ours, theirs)) {
		compare_sizes(m, now, before);
		return;
	}
	snprintf(why, sizeof(why), "the kernel is %s now, %s in %s", ours, theirs,
		 before->v->saved->path);
	m->by_function = arena_strdup(m->dump->arena, why);
}

void owner_match_groups(struct owner_groups *now, struct owner_groups *before,
			struct owner_match *ret)
{
	struct owner_match *m = ret;
	char *buf = dump_alloc(now->v->dump, IDENTITY);

	*m = (struct owner_match){ .dump = now->v->dump };
	hash_bytes_init(&m->pairs, m->dump->arena, sizeof(struct owner_pair));
	hash_bytes_init(&m->masked, m->dump->arena, sizeof(struct owner_pair *));
	for (size_t i = 0; i < now->nkeys; i++)
		if (now->keys[i] == KEY_STACK)
			choose_text(m, now, before);
	add_groups(m, now, true, buf);
	add_groups(m, before, false, buf);
	match_rest(m, now, before, buf);
}
