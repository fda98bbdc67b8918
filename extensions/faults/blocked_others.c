// SPDX-License-Identifier: GPL-2.0-or-later
#include "blocked_others.h"

#include "collect/stuck.h"

struct others {
	struct dump *dump;
	struct stuck all;
	struct hash_u64
		in_fault; /* of unsigned int by tgid: its threads that are in a page fault */
	struct other_name **last;
	bool by_pid;
};

static const char *text_of(struct others *o, const struct stuck_task *s)
{
	const unsigned int *n = hash_u64_find(&o->in_fault, (uint64_t)s->task.tgid);
	const bool is_known = s->has_frames && s->is_whole;

	if (s->fault)
		return dump_text(o->dump, "a filter before this one leaves out %s (%d)",
				 s->task.comm, s->task.pid);
	if (!n)
		return dump_text(o->dump,
				 is_known ? "%s (%d) is in no page fault"
					  : "whether %s (%d) is in a page fault is unknown",
				 s->task.comm, s->task.pid);
	return dump_text(o->dump,
			 is_known ? "%s (%d) is in no page fault, but %u other thread%s of process "
				    "%d %s (-f tgid=%d)"
				  : "whether %s (%d) is in a page fault is unknown, but %u other "
				    "thread%s of process %d %s (-f tgid=%d)",
			 s->task.comm, s->task.pid, *n, *n == 1 ? "" : "s", s->task.tgid,
			 *n == 1 ? "is" : "are", s->task.tgid);
}

static void add(struct others *o, const struct stuck_task *s)
{
	struct other_name *name = dump_alloc(o->dump, sizeof(*name));

	*name = (struct other_name){
		.name = o->by_pid ? dump_text(o->dump, "%d", s->task.pid) : s->task.comm,
		.text = text_of(o, s),
	};
	*o->last = name;
	o->last = &name->next;
}

static void find_others(struct dump *d, bool by_pid, struct other_names *ret)
{
	struct others *o = dump_alloc(d, sizeof(*o));

	if (stuck_collect(d, &(struct stuck_wish){ 0 }, &o->all) != ST_OK)
		return;
	const struct stuck_task *const lists[] = { o->all.first, o->all.others };

	o->dump = d;
	o->by_pid = by_pid;
	o->last = &ret->first;
	hash_u64_init(&o->in_fault, d->arena, sizeof(unsigned int));
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		for (const struct stuck_task *s = lists[i]; s; s = s->next)
			if (s->fault)
				++*(unsigned int *)hash_u64_get(&o->in_fault,
								(uint64_t)s->task.tgid, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		for (const struct stuck_task *s = lists[i]; s; s = s->next)
			add(o, s);
	if (!o->all.ends_early && !o->all.unreadable && !o->all.frameless)
		ret->unknown = by_pid ? "no thread has this number" : "no thread has this name";
}

void blocked_others_by_pid(struct dump *d, struct other_names *ret)
{
	find_others(d, true, ret);
}

void blocked_others_by_name(struct dump *d, struct other_names *ret)
{
	find_others(d, false, ret);
}
