// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads that wait for each other, in the words of the verdict. */
#include "collect/stuck_circle.h"
#include "memowner/memory_waits.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

bool deadlock_is_alone(const struct stuck_task *t)
{
	return t->userfault && t->holder == t;
}

bool deadlock_has(const struct stuck_task *t)
{
	return t->is_deadlocked && !deadlock_is_alone(t) && stuck_circle_is_sure(t);
}

#define DEADLOCKED_SHOWN 4

static const char *module_of(const struct stuck_task *t)
{
	return t->module_frame ? t->module_frame->module : NULL;
}

static bool is_same_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* Each function once. */
static void add_function(const struct stuck_task *t, struct strbuf *b)
{
	const char *name = t->module_frame->symbol ?: "a function without a name";

	if (!strstr(b->buf, name))
		strbuf_add(b, "%s%s", strbuf_between(b, ", "), name);
}

void deadlock_add_words(const struct summary *s, const struct stuck *all, struct strbuf *b)
{
	struct strbuf names = STRBUF_OF(256), in = STRBUF_OF(192);
	const char *module = NULL;
	bool is_self = false;
	size_t n = 0;

	for (const struct stuck_task *t = all->first; t; t = t->next) {
		if (!summary_waits_long(s, t) || !deadlock_has(t))
			continue;
		if (n++ < DEADLOCKED_SHOWN)
			strbuf_add(&names, "%s%s (%d)", n > 1 ? ", " : ": ", t->task.comm,
				   t->task.pid);
		module = n == 1 ? module_of(t) : is_same_text(module, module_of(t)) ? module : NULL;
		if (module)
			add_function(t, &in);
		is_self = n == 1 && t->holder == t;
	}
	strbuf_add(b, "%s%s%s", PLURAL_TEXT(s->deadlocked, "thread ", "threads "),
		   is_self  ? "waits for itself"
		   : n == 1 ? "is in a deadlock"
			    : "are in a deadlock",
		   names.buf);
	if (n > DEADLOCKED_SHOWN)
		strbuf_add(b, " and %zu more", n - DEADLOCKED_SHOWN);
	if (module)
		strbuf_add(b, ", asleep in %s [%s]", in.buf, module);
}
