// SPDX-License-Identifier: GPL-2.0-or-later
/* Which processes had files of the module open in which the kernel died: they use it, and may have asked for what died. */
#include "files/open_files.h"
#include "memowner/case.h"
#include "modules/module.h"
#include "story.h"

#define OPENERS 3 /* of more it is a file system or a protocol, which all use */

struct openers {
	struct dump *dump;
	struct modules modules;
	const struct module *module;
	int32_t tgids[OPENERS];
	size_t n;
};

/* name ends before ']' */
static const struct module *module_named(const struct modules *all, const char *name)
{
	const size_t n = strcspn(name, "]");
	const struct module *m = all->first;

	while (m && (strlen(m->name) != n || strncmp(m->name, name, n) != 0))
		m = m->next;
	return m;
}

static enum status visit(void *arg, uint64_t file NOT_USED, uint64_t operations,
			 const struct file_user *user)
{
	struct openers *x = arg;

	if (user->is_device || user->in_flight || x->n > OPENERS ||
	    !module_has(x->module, operations) ||
	    ANY_OF(i, x->n < OPENERS ? x->n : OPENERS, x->tgids[i] == user->tgid))
		return ST_OK;
	if (x->n < OPENERS)
		x->tgids[x->n] = user->tgid;
	x->n++;
	return ST_OK;
}

static void add_opener(struct story *st, const struct openers *x, const struct task *t)
{
	const struct summary *s = st->s;
	struct maybe_u64 age = { 0 };

	age.known = t->start_ns && age_at_panic(&s->report->info, t->start_ns, &age.n);
	if (!age.known || !s->of_case)
		return;
	STORY_ADD(st, .kind = EVENT_START, .clock = CLOCK_OF_TASKS,
		  .ts = story_before_end(
			  s, s->of_case->machine.clocks.agree ? age : (struct maybe_u64){ 0 }),
		  .what = t->comm, .stays = true,
		  .text = dump_text(s->dump,
				    "%s (%d), which had a file of module %s open at the end, "
				    "started, %s before the %s",
				    t->comm, t->pid, x->module->name, TIME_TEXT(age.n),
				    age_end(&s->report->info)),
		  .command = dump_text(s->dump, "faults -f pid=%d -o +life_ns", t->pid));
}

void story_add_openers(struct story *st, const char *module)
{
	struct dump *d = st->s->dump;
	struct open_files open;
	struct tasks tasks;
	struct openers *x = dump_alloc(d, sizeof(*x));

	*x = (struct openers){ .dump = d };
	if (modules_open(d, &x->modules) == ST_OK &&
	    (x->module = module_named(&x->modules, module)) != NULL &&
	    open_files_visit(&open, d, visit, x) == ST_OK && tasks_open(d, &tasks) == ST_OK)
		for (size_t i = 0; i < x->n && x->n <= OPENERS; i++) {
			struct task t;

			if (!story_names(st, (uint64_t)x->tgids[i]) &&
			    tasks_find(&tasks, x->tgids[i], &t) == ST_OK)
				add_opener(st, x, &t);
		}
	d->error[0] = '\0';
}
