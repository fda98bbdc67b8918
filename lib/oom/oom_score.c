// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_score.h"

#define SIGNAL_GROUP_EXIT 4 /* include/linux/sched/signal.h, 5.10 to 7.3 */
#define MAX_ADJ 1000	    /* OOM_SCORE_ADJ_MAX */

/* What a signal_struct and a task_struct say. */
struct oom_read {
	uint64_t oom_mm, flags, vfork_done, parent;
	int16_t adj;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct oom_scores, signal, "struct signal_struct"),
	READS(struct oom_read, adj, REQUIRED, "2.6.36", "oom_score_adj"),
	READS(struct oom_read, oom_mm, REQUIRED, "4.9", "oom_mm"),
	READS(struct oom_read, flags, REQUIRED, "all", "flags"),
	STRUCTURE(struct oom_scores, task, "struct task_struct"),
	READS(struct oom_read, vfork_done, REQUIRED, "all", "vfork_done"),
	READS(struct oom_read, parent, REQUIRED, "all", "real_parent"),
	FINDS(struct oom_scores, mm, "struct task_struct", REQUIRED, "all", "mm"),
};

/* NULL behind the last. */
const char *const oom_standing_names[OOM_STANDINGS + 1] = {
	[OOM_ELIGIBLE] = "eligible", [OOM_VICTIM] = "victim",	      [OOM_REAPED] = "reaped",
	[OOM_GIVEN_UP] = "given_up", [OOM_UNKILLABLE] = "unkillable", [OOM_SKIPPED] = "skipped",
	[OOM_VFORK] = "vfork",	     [OOM_OUTSIDE] = "outside",
};

/* 5.9: "mm, oom: make the calculation of oom badness more accurate" made the score signed. */
static enum oom_least find_least(struct dump *d)
{
	char text[2048], *line, *end;

	if (!d->ops->type_text ||
	    dump_ask(d, type_text, "struct oom_control", text, sizeof(text)) != ST_OK)
		return OOM_LEAST_UNKNOWN;
	end = strstr(text, " chosen_points;");
	if (!end)
		return OOM_LEAST_UNKNOWN;
	*end = '\0';
	line = strrchr(text, ';');
	return line && strstr(line, "unsigned") ? OOM_LEAST_ONE : OOM_LEAST_NONE;
}

enum status oom_scores_open(struct dump *d, struct oom_scores *ret)
{
	struct oom_scores s = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &s);

	s.least = find_least(d);
	return RESULT(st, ret, s);
}

bool oom_score_of(const struct oom_scores *s, int64_t *points)
{
	if (*points < 1 && s->least == OOM_LEAST_ONE)
		*points = 1;
	return *points > 0 || s->least == OOM_LEAST_NONE;
}

enum status oom_process_read(const struct oom_scores *s, const struct task *task,
			     struct oom_process *ret)
{
	struct dump *d = s->dump;
	struct oom_read p;
	uint64_t mm = 0;
	enum status st = struct_read(&s->signal, task->signal, &p)
				 ?: struct_read(&s->task, task->address, &p);

	if (st == ST_OK && p.vfork_done)
		st = dump_u64(d, p.parent + s->mm.offset, &mm, "task_struct");
	if (st == ST_OK && (p.adj < -MAX_ADJ || p.adj > MAX_ADJ))
		st = dump_corrupt(d, "pid %d has an oom_score_adj of %d", task->tgid, p.adj);
	if (st != ST_OK)
		return st;
	*ret = (struct oom_process){
		.adj = p.adj,
		.is_exiting = p.flags & SIGNAL_GROUP_EXIT,
		.oom_mm = p.oom_mm,
		/* vfork_done is set and the parent has the same memory. */
		.in_vfork = p.vfork_done && mm == task->mm,
	};
	return ST_OK;
}

/* __oom_reap_task_mm() sets MMF_UNSTABLE before it takes a page. exit_mmap() does not: then there is no user. */
enum oom_standing oom_victim_standing(const struct mm_struct *mm)
{
	if (!mm->has_flags)
		return OOM_STANDING_UNKNOWN;
	if (!(mm->flags & MMF_OOM_SKIP))
		return OOM_VICTIM;
	return mm->flags & MMF_UNSTABLE || !mm->users ? OOM_REAPED : OOM_GIVEN_UP;
}

enum oom_standing oom_standing(const struct oom_process *p, const struct mm_struct *mm,
			       const struct task *task)
{
	bool skip = mm->flags & MMF_OOM_SKIP;

	if (!mm->has_flags)
		return OOM_STANDING_UNKNOWN;
	if (task->tgid == 1)
		return OOM_UNKILLABLE;
	if (p->oom_mm)
		return oom_victim_standing(mm);
	if (p->adj == OOM_ADJ_MIN)
		return OOM_UNKILLABLE;
	if (skip)
		return OOM_SKIPPED;
	return p->in_vfork ? OOM_VFORK : OOM_ELIGIBLE;
}

int64_t oom_badness(const struct mm_counts *n, uint64_t pgtables_bytes, int adj, uint64_t total,
		    unsigned int page_shift)
{
	uint64_t points = (uint64_t)mm_counts_rss(n) + (uint64_t)n->swap +
			  (pgtables_bytes >> page_shift);

	/* As the kernel divides first, adj counts in whole thousandths. */
	return points + (uint64_t)(int64_t)adj * (total / 1000);
}
