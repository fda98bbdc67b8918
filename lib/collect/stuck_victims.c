// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_victims.h"

#include "util/hash_u64.h"

struct process {
	struct stuck_task *leader; /* NULL: it was not found */
	struct stuck_task *stands;
};

static bool stands_before(const struct stuck_task *s, const struct stuck_task *other)
{
	if (s->task.has_memory != other->task.has_memory)
		return s->task.has_memory;
	return !s->task.has_memory && s->task.pid == s->task.tgid;
}

void stuck_choose_victims(struct dump *d, struct stuck_task *first)
{
	struct hash_u64 processes; /* by signal_struct */

	hash_u64_init(&processes, d->arena, sizeof(struct process));
	for (struct stuck_task *s = first; s; s = s->next) {
		struct process *p;

		if (!s->is_victim)
			continue;
		p = hash_u64_get(&processes, s->task.signal, NULL);
		if (s->task.pid == s->task.tgid)
			p->leader = s;
		if (!p->stands || stands_before(s, p->stands))
			p->stands = s;
	}
	hash_u64_for_each(const struct process, p, &processes) {
		p->stands->stands_for_victim = true;
		p->stands->victim_leader = p->leader;
	}
}
