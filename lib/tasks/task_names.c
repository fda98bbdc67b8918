// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/task_names.h"

#include <stdio.h>
#include <string.h>

#define ASKED " wrote to /proc/sysrq-trigger"

struct search {
	struct dump *dump;
	const char *text;
	struct task_names *ret;
	struct task first; /* thread of the process that is looked at: it comes before the others */
	size_t at[TASK_NAMES];
};

static void add(struct search *x, const struct task *t, size_t at)
{
	struct task_names *r = x->ret;
	size_t i = 0, last;

	while (i < r->n && x->at[i] < at)
		if (r->all[i++].tgid == t->tgid)
			return;
	if (i == TASK_NAMES)
		return;
	/* It takes the place of one that stands behind it: of its own process, or the last. */
	for (last = i; last < r->n && r->all[last].tgid != t->tgid; last++)
		;
	if (last == r->n)
		last = r->n < TASK_NAMES ? r->n++ : TASK_NAMES - 1;
	memmove(&r->all[i + 1], &r->all[i], (last - i) * sizeof(r->all[0]));
	memmove(&x->at[i + 1], &x->at[i], (last - i) * sizeof(x->at[0]));
	x->at[i] = at;
	t = x->first.tgid == t->tgid ? &x->first : t;
	r->all[i].tgid = t->tgid;
	r->all[i].start_ns = t->pid == t->tgid && !t->is_kthread ? t->start_ns : 0;
	memcpy(r->all[i].comm, t->comm, sizeof(t->comm));
}

/* "job (7), child of init (1)": whose child it is says who it is, and is no other cause. */
static bool is_parent(const char *text, const char *at)
{
	static const char *const words[] = { "child of ", "children of " };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const size_t n = strlen(words[i]);

		if ((size_t)(at - text) >= n && !strncmp(at - n, words[i], n))
			return true;
	}
	return false;
}

/* "hactl (303)", and no word that ends so. */
static enum status add_task(void *arg, const struct task *t)
{
	struct search *x = arg;
	char name[TASKS_COMM + 16];

	if (dump_stopped(x->dump))
		return ST_STOPPED;
	if (t->pid == t->tgid)
		x->first = *t;
	snprintf(name, sizeof(name), "%s (%d)", t->comm, t->pid);
	for (const char *at = x->text; t->tgid && (at = strstr(at, name)) != NULL; at++)
		if ((at == x->text || strchr(" \n(,", at[-1])) && !is_parent(x->text, at) &&
		    strncmp(at + strlen(name), ASKED, strlen(ASKED)) != 0) {
			add(x, t, (size_t)(at - x->text));
			break;
		}
	return ST_OK;
}

void task_names_find(struct dump *d, const char *text, struct task_names *ret)
{
	struct search x = { .dump = d, .text = text, .ret = ret };
	struct tasks tasks;

	*ret = (struct task_names){ 0 };
	if (!*text || d->log_file || tasks_open(d, &tasks) != ST_OK)
		return;
	tasks.identity_only = true;
	tasks_walk(&tasks, add_task, &x);
}
