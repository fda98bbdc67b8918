// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_score.h"

#include <string.h>

#include "dump/layout.h"

#define SIGNAL_GROUP_EXIT 4 /* include/linux/sched/signal.h, 5.10 to 7.3 */
#define MAX_ADJ 1000

static const struct layout_row rows[OOM_SCORE_FIELDS] = {
	[SIGNAL_ADJ] = { "struct signal_struct", { "oom_score_adj" }, REQUIRED, "2.6.36" },
	[SIGNAL_OOM_MM] = { "struct signal_struct", { "oom_mm" }, REQUIRED, "4.9" },
	[SIGNAL_FLAGS] = { "struct signal_struct", { "flags" }, REQUIRED, "all" },
	[TASK_VFORK] = { "struct task_struct", { "vfork_done" }, REQUIRED, "all" },
};

/* NULL behind the last. */
const char *const oom_standing_names[OOM_STANDINGS + 1] = {
	[OOM_ELIGIBLE] = "eligible",	 [OOM_VICTIM] = "victim",   [OOM_REAPED] = "reaped",
	[OOM_UNKILLABLE] = "unkillable", [OOM_SKIPPED] = "skipped", [OOM_VFORK] = "vfork",
	[OOM_OUTSIDE] = "outside",
};

/* 5.9: "mm, oom: make the calculation of oom badness more accurate" made the score signed. */
static enum oom_least find_least(struct dump *d)
{
	char text[2048], *line, *end;

	if (!d->ops->type_text ||
	    d->ops->type_text(d->priv, "struct oom_control", text, sizeof(text)) != ST_OK)
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
	static const struct layout_row task_rows[] = {
		{ "struct task_struct", { "real_parent" }, REQUIRED, "all" },
		{ "struct task_struct", { "mm" }, REQUIRED, "all" },
	};
	struct oom_scores s = { .dump = d };
	enum status st = layout_resolve(d, rows, OOM_SCORE_FIELDS, s.f);

	if (st == ST_OK)
		st = layout_resolve(d, task_rows, 1, &s.parent);
	if (st == ST_OK)
		st = layout_resolve(d, task_rows + 1, 1, &s.mm);
	if (st == ST_OK && (s.f[SIGNAL_ADJ].size != 2 || s.f[SIGNAL_FLAGS].size != 4))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: signal_struct");
	s.least = find_least(d);
	if (st == ST_OK)
		*ret = s;
	return st;
}

bool oom_score_of(const struct oom_scores *s, int64_t *points)
{
	if (*points < 1 && s->least == OOM_LEAST_ONE)
		*points = 1;
	return *points > 0 || s->least == OOM_LEAST_NONE;
}

/* vfork_done is set and the parent has the same memory. */
static enum status read_vfork(const struct oom_scores *s, const struct task *task, bool *ret)
{
	struct dump *d = s->dump;
	uint64_t done, parent, mm = 0;
	enum status st = dump_u64(d, task->address + s->f[TASK_VFORK].offset, &done, "task_struct");

	if (st == ST_OK && done)
		st = dump_u64(d, task->address + s->parent.offset, &parent, "task_struct");
	if (st == ST_OK && done)
		st = dump_u64(d, parent + s->mm.offset, &mm, "task_struct");
	if (st == ST_OK)
		*ret = done && mm == task->mm;
	return st;
}

enum status oom_process_read(const struct oom_scores *s, const struct task *task,
			     struct oom_process *ret)
{
	struct dump *d = s->dump;
	struct oom_process p;
	uint8_t adj[2];
	uint32_t flags = 0;
	enum status st = dump_read(d, task->signal + s->f[SIGNAL_ADJ].offset, adj, 2,
				   "signal_struct");

	if (st == ST_OK)
		st = dump_u64(d, task->signal + s->f[SIGNAL_OOM_MM].offset, &p.oom_mm,
			      "signal_struct");
	if (st == ST_OK)
		st = dump_u32(d, task->signal + s->f[SIGNAL_FLAGS].offset, &flags, "signal_struct");
	if (st == ST_OK)
		st = read_vfork(s, task, &p.in_vfork);
	if (st != ST_OK)
		return st;
	p.adj = (int16_t)le16(adj);
	p.is_exiting = flags & SIGNAL_GROUP_EXIT;
	if (p.adj < -MAX_ADJ || p.adj > MAX_ADJ)
		return dump_fail(d, ST_CORRUPT, "pid %d has an oom_score_adj of %d", task->tgid,
				 p.adj);
	*ret = p;
	return ST_OK;
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
		return skip ? OOM_REAPED : OOM_VICTIM;
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
