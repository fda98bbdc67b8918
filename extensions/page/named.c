// SPDX-License-Identifier: GPL-2.0-or-later
#include "named.h"

#define ASKED " wrote to /proc/sysrq-trigger" /* who ended the machine, for what others did */
#define LABEL 10 /* columns of a label of the first screen, as screen.c has it */

static bool is_of_cause(const char *label, const char *line)
{
	static const char *const labels[] = { "verdict", "holder", "stuck", "limit", "frees it" };

	/* Who asked last is a victim, if it has not to do with the holder. */
	return ANY_OF(i, ARRAY_SIZE(labels), !strcmp(label, labels[i])) ||
	       (!strcmp(label, "trigger") &&
		(strstr(line, " is the holder") || strstr(line, " uses what is named")));
}

void page_named_take(struct page_named *a, const char *line, size_t n)
{
	size_t label = LABEL;

	if (!a->text.buf)
		a->text = STRBUF(a->room);
	if (n <= LABEL || line[LABEL - 1] != ' ' || line[LABEL] == ' ') {
		a->is_taken = false;
		return;
	}
	while (label && line[label - 1] == ' ')
		label--;
	if (label)
		a->is_taken = is_of_cause(arena_text(a->dump->arena, "%.*s", (int)label, line),
					  arena_text(a->dump->arena, "%.*s", (int)n, line));
	if (a->is_taken)
		strbuf_add(&a->text, "%.*s\n", (int)(n - LABEL), line + LABEL);
}

struct search {
	struct page_named *named;
	struct task first; /* thread of the process that is looked at: it comes before the others */
	size_t at[PAGE_NAMED]; /* where the text has them, in that order */
};

static void add(struct search *x, const struct task *t, size_t at)
{
	struct page_named *a = x->named;
	size_t i = 0, last;

	while (i < a->n && x->at[i] < at)
		if (a->all[i++].tgid == t->tgid)
			return;
	if (i == PAGE_NAMED)
		return;
	/* It takes the place of one that stands behind it: of its own process, or the last. */
	for (last = i; last < a->n && a->all[last].tgid != t->tgid; last++)
		;
	if (last == a->n)
		last = a->n < PAGE_NAMED ? a->n++ : PAGE_NAMED - 1;
	memmove(&a->all[i + 1], &a->all[i], (last - i) * sizeof(a->all[0]));
	memmove(&x->at[i + 1], &x->at[i], (last - i) * sizeof(x->at[0]));
	a->all[i].tgid = t->tgid;
	memcpy(a->all[i].comm, x->first.tgid == t->tgid ? x->first.comm : t->comm, sizeof(t->comm));
	x->at[i] = at;
}

/* "hactl (303)", and no word that ends so. */
static enum status add_task(void *arg, const struct task *t)
{
	struct search *x = arg;
	const char *text = x->named->text.buf;
	char name[TASKS_COMM + 16];

	if (dump_stopped(x->named->dump))
		return ST_STOPPED;
	if (t->pid == t->tgid)
		x->first = *t;
	snprintf(name, sizeof(name), "%s (%d)", t->comm, t->pid);
	for (const char *at = text; t->tgid && (at = strstr(at, name)) != NULL; at++)
		if ((at == text || strchr(" \n(,", at[-1])) &&
		    strncmp(at + strlen(name), ASKED, strlen(ASKED)) != 0) {
			add(x, t, (size_t)(at - text));
			break;
		}
	return ST_OK;
}

void page_named_find(struct page_named *a)
{
	struct search x = { .named = a };
	struct tasks tasks;

	if (!a->text.len || a->dump->log_file || tasks_open(a->dump, &tasks) != ST_OK)
		return;
	tasks.identity_only = true;
	tasks_walk(&tasks, add_task, &x);
}

const char *page_named_tgids(const struct page_named *a)
{
	struct strbuf b = STRBUF_OF(PAGE_NAMED * 16);

	for (size_t i = 0; i < a->n; i++)
		strbuf_add(&b, "%s%d", strbuf_between(&b, ","), a->all[i].tgid);
	return a->n ? arena_strdup(a->dump->arena, b.buf) : NULL;
}

const char *page_named_words(const struct page_named *a)
{
	struct strbuf b = STRBUF_OF(PAGE_NAMED * 48);

	for (size_t i = 0; i < a->n; i++)
		strbuf_add(&b, "%s%s (%d)", strbuf_between(&b, ", "), a->all[i].comm,
			   a->all[i].tgid);
	return a->n ? arena_strdup(a->dump->arena, b.buf) : NULL;
}
