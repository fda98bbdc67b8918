// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/mixed_reports.h"

#include <string.h>

#include "oom/oom_line.h"

/* ns behind the first line of a report: within which another may be printed beside it. */
#define NEAR 10000000000ULL

/* Lines that no report has twice. */
enum seen {
	SEEN_MEM_INFO = 1 << 0,
	SEEN_USAGE = 1 << 1,
	SEEN_TASKS = 1 << 2,
	SEEN_TABLE = 1 << 3,
};

static bool is_finished(const struct oom_report *r)
{
	return r->stage >= (r->kind == OOM_REPORT_OOM ? STAGE_OOM_KILL : STAGE_TOTALS);
}

bool oom_has_whole_block(const struct oom_report *r)
{
	return r->has_mem_info && r->mem.reserved.known;
}

static bool is_of_cgroup(const struct oom_report *r)
{
	return r->kind == OOM_REPORT_OOM && r->scope == OOM_SCOPE_MEMCG && !r->is_old;
}

void oom_mixed_head(struct oom_reports *all, struct oom_report *before, struct oom_report *head)
{
	if (!before || before->has_caller || !before->has_head)
		return;
	head->follows_open = !is_finished(before) ||
			     (before->kind == OOM_REPORT_ALLOCATION && before->follows_oom);
	head->follows_oom = head->follows_open &&
			    (before->follows_oom || before->kind == OOM_REPORT_OOM);
	head->is_doubtful = head->follows_open && all->is_soon && !oom_has_whole_block(before) &&
			    !is_of_cgroup(before);
	/* The line that has the pid may be of the other task of that name. */
	head->is_same_task = head->follows_open && all->is_soon && !before->pid.known &&
			     !strcmp(before->comm, head->comm);
	/* It may have those of the one before it. */
	if (before->follows_open && !is_finished(before) && before->has_mem_info)
		oom_mix(all, before);
}

/* Whether the lines of another report may follow. */
static bool may_be_mixed(const struct oom_report *r, const struct kernel_record *rec)
{
	return !r->is_mixed && !r->has_caller && !rec->has_caller &&
	       (r->follows_open ||
		(r->has_head && !is_finished(r) && rec->ts_ns <= r->ts_ns + NEAR));
}

static const struct oom_report *before_of(const struct oom_reports *all, const struct oom_report *r)
{
	return r->follows_open && r > all->reports ? r - 1 : NULL;
}

static bool has_comm(const char *text, const struct oom_report *r)
{
	const char *end = r ? log_after(text, r->comm) : NULL;

	return end && *end == ' ';
}

/* A line that dump_stack_print_info() or cpuset_print_current_mems_allowed() prints of a task. */
static const char *task_of(const char *text)
{
	const char *comm = log_after(text, "CPU: ") ? log_find(text, " Comm: ") : NULL;

	if (!comm && log_find(text, " cpuset=") && log_find(text, " mems_allowed="))
		comm = text;
	return comm;
}

static bool tells_cgroup(const char *text)
{
	static const char *const starts[] = {
		"Task in ", "memory: usage ", "Memory cgroup stats for ",
		"Memory cgroup out of memory: ", "oom-kill:constraint=CONSTRAINT_MEMCG,"
	};

	return oom_line_names_cgroup(text) ||
	       ANY_OF(i, ARRAY_SIZE(starts), log_after(text, starts[i]));
}

/* Since 3.8 a report of a cgroup has no Mem-Info block, see dump_header(). */
static bool contradicts(const struct oom_report *r, const char *text)
{
	static const char *const of_all[] = { "Mem-Info:", "Out of memory: ",
					      "oom-kill:constraint=" };

	if (r->kind != OOM_REPORT_OOM || r->is_old || is_finished(r))
		return false;
	if (tells_cgroup(text))
		return r->has_mem_info || r->seen & SEEN_MEM_INFO;
	/* It ends before it tells of whom memory ran out, and no other report has begun. */
	if (log_after(text, "oom-kill:constraint=") && !log_find(text, ",global_oom") &&
	    !r->follows_open)
		return false;
	return r->scope == OOM_SCOPE_MEMCG &&
	       ANY_OF(i, ARRAY_SIZE(of_all), log_after(text, of_all[i]));
}

/*
 * dump_header() prints the stack before what the cgroup or the machine has, and that comes before a panic: what a second
 * report of the OOM killer has too early is of the first.
 */
static bool is_too_early(const struct oom_reports *all, const struct oom_report *r,
			 const char *text)
{
	const struct oom_report *before = before_of(all, r);

	if (!before || before->kind != OOM_REPORT_OOM || r->kind != OOM_REPORT_OOM)
		return false;
	if (log_after(text, "Kernel panic - not syncing: Out of memory: "))
		return !r->has_mem_info && !(r->seen & (SEEN_MEM_INFO | SEEN_USAGE));
	return tells_cgroup(text) && r->stage < STAGE_CPU;
}

bool oom_mixed_line(const struct oom_reports *all, struct oom_report *r,
		    const struct kernel_record *rec)
{
	static const struct {
		const char *start;
		unsigned int bit;
	} once[] = { { "Mem-Info:", SEEN_MEM_INFO },
		     { "memory: usage ", SEEN_USAGE },
		     { "Tasks state (", SEEN_TASKS },
		     /* The number of blanks is another since 5.5. */
		     { "[ pid ]", SEEN_TABLE },
		     { "[  pid  ]", SEEN_TABLE } };
	const char *comm;

	/* "** replaying previous printk message **" */
	if (!may_be_mixed(r, rec) ||
	    (all->before && !strcmp(all->before, rec->text) && all->before_ns == rec->ts_ns))
		return false;
	if (contradicts(r, rec->text) || is_too_early(all, r, rec->text))
		return true;
	for (unsigned int i = 0; i < ARRAY_SIZE(once); i++) {
		if (!log_after(rec->text, once[i].start))
			continue;
		if (r->seen & once[i].bit)
			return true;
		r->seen |= once[i].bit;
	}
	comm = task_of(rec->text);
	return comm && !has_comm(comm, r) && has_comm(comm, before_of(all, r));
}

bool oom_mixed_part(const struct oom_report *r, const struct kernel_record *rec,
		    enum mem_info_part part, const struct mem_info *info)
{
	if (info->is_joined)
		return true;
	if (!may_be_mixed(r, rec))
		return false;
	if (r->scope == OOM_SCOPE_MEMCG && !r->is_old && !is_finished(r))
		return true;
	if (part == MEM_INFO_COUNTERS)
		return r->stage > STAGE_COUNTERS ||
		       (r->stage == STAGE_COUNTERS && !mem_info_goes_on(&r->mem, info));
	return (r->follows_open && !r->has_mem_info) || mem_info_has(&r->mem, info);
}

/* The task of both has one name. */
static bool is_same_task(const struct oom_reports *all, const struct oom_report *r)
{
	const struct oom_report *before = before_of(all, r);

	return !before || !strcmp(before->comm, r->comm);
}

static void forget_victim(struct oom_report *r)
{
	r->scope = OOM_SCOPE_UNKNOWN;
	r->outcome = OOM_OUTCOME_UNKNOWN;
	r->constraint[0] = r->oom_memcg[0] = r->task_memcg[0] = '\0';
	r->constraint_derived = r->is_group = r->has_stats = r->not_reaped = false;
	r->memory = r->swap = r->memsw = r->kmem = (struct oom_limit){ 0 };
	memset(&r->victim, 0, sizeof(r->victim));
	r->left_kib.known = false;
	r->kills = r->more_victims = 0;
	r->others[0] = '\0';
	r->kill_ns = 0;
	if (r->stage >= STAGE_OOM_KILL) {
		r->nodemask[0] = r->mems_allowed[0] = r->cpuset[0] = '\0';
		r->is_open = false;
	}
}

void oom_mix(struct oom_reports *all, struct oom_report *r)
{
	memset(&r->mem, 0, sizeof(r->mem));
	r->has_mem_info = false;
	r->asked_in[0] = r->function[0] = r->system_call[0] = '\0';
	r->is_mixed = all->has_mixed = true;
	/* Whose first line is lost may be the OOM killer's. */
	r->follows_oom |= !r->follows_open;
	if (is_same_task(all, r)) {
		/* Each has one line of its task: that of the first came before the second began, and the next is its own. */
		if (r->is_same_task || !before_of(all, r) || !before_of(all, r)->pid.known) {
			r->pid = r->cpu = (struct log_number){ 0 };
			r->is_same_task = true;
		}
		if (r->kind == OOM_REPORT_OOM)
			r->mems_allowed[0] = r->cpuset[0] = '\0';
	}
	if (oom_is_double(r))
		forget_victim(r);
}

void oom_mix_rest(struct oom_reports *all, const struct kernel_record *rec)
{
	struct oom_report *r = all->n ? &all->reports[all->n - 1] : NULL;

	if (r && !r->is_open && r->follows_open && !r->is_mixed && !rec->has_caller &&
	    rec->ts_ns <= r->ts_ns + NEAR)
		oom_mix(all, r);
}

/* Behind its block, what the OOM killer alone prints. */
static bool is_behind_block(const char *text)
{
	static const char *const starts[] = { "Unreclaimable slab info:",
					      "Tasks state (",
					      "[ pid ]",
					      "[  pid  ]",
					      "oom-kill:constraint=",
					      "Out of memory: ",
					      "Kernel panic - not syncing: Out of memory" };

	return ANY_OF(i, ARRAY_SIZE(starts), log_after(text, starts[i]));
}

/* The newest report and the one before it: one is of the OOM killer, and stands in none but the other. */
static struct oom_report *find_pair(const struct oom_reports *all, const struct kernel_record *rec,
				    struct oom_report **other)
{
	struct oom_report *r = all->n > 1 ? &all->reports[all->n - 1] : NULL, *killer;

	if (!r || !r->follows_open || r->has_caller || rec->has_caller || r[-1].follows_open ||
	    rec->ts_ns > r->ts_ns + NEAR || r->kind == r[-1].kind)
		return NULL;
	killer = r->kind == OOM_REPORT_OOM ? r : r - 1;
	*other = killer == r ? r - 1 : r;
	return killer->kind == OOM_REPORT_OOM && (*other)->kind == OOM_REPORT_ALLOCATION ? killer
											 : NULL;
}

/* All that was printed of the block of the newest report is of the other, which began before it and is at its end. */
static void hand_over(struct oom_report *from, struct oom_report *to)
{
	if (from->is_mixed || to->is_mixed || to->has_mem_info || to->seen & SEEN_MEM_INFO ||
	    from->blocks != 1 || !oom_has_whole_block(from))
		return;
	to->mem = from->mem;
	to->has_mem_info = true;
}

static void set_past(struct oom_reports *all, struct oom_report *killer, struct oom_report *other)
{
	killer->is_past = true;
	if (killer > other) {
		killer->is_doubtful = false;
	} else if (other->is_doubtful) {
		hand_over(other, killer);
		oom_mix(all, other);
		other->is_doubtful = false;
	}
}

/* The block of the OOM killer has come; so has that of the other, if another one did behind the first line of both. */
static bool is_rest(const struct oom_report *killer, const struct oom_report *other)
{
	const struct oom_report *newest = killer > other ? killer : other;
	bool had_begun = killer < other && killer->seen & SEEN_MEM_INFO;

	return newest->blocks <= !(is_of_cgroup(killer) || had_begun) &&
	       (other == newest || (!other->is_mixed && !(other->seen & SEEN_MEM_INFO)));
}

void oom_mixed_order(struct oom_reports *all, const struct kernel_record *rec)
{
	struct oom_report *other, *killer = find_pair(all, rec, &other), *newest;

	if (!killer)
		return;
	if (!killer->is_past && tells_cgroup(rec->text) && !killer->is_old) {
		killer->is_past = true;
		other->is_doubtful = false;
	} else if (!killer->is_past && is_behind_block(rec->text)) {
		set_past(all, killer, other);
	}
	if (!log_after(rec->text, "Mem-Info:"))
		return;
	newest = killer > other ? killer : other;
	if (killer->is_past && !all->rest && is_rest(killer, other)) {
		memset(&other->mem, 0, sizeof(other->mem));
		other->has_mem_info = other->is_mixed = other->is_doubtful = false;
		other->stage = STAGE_CPU;
		all->rest = (unsigned int)(other - all->reports) + 1;
		all->has_mixed = true;
	}
	newest->blocks++;
}

void oom_mix_doubtful(struct oom_reports *all)
{
	for (struct oom_report *r = all->reports; r < all->reports + all->n; r++)
		if (r->is_doubtful && r->has_mem_info && !r->is_mixed)
			oom_mix(all, r);
}

bool oom_is_double(const struct oom_report *r)
{
	return r->is_mixed && r->follows_oom && r->kind == OOM_REPORT_OOM;
}
