// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_victims.h"

#include "oom/mixed_reports.h"
#include "oom/oom_line.h"

/* ns: the thread tries for a second, and since 5.18 begins after two. */
#define REAPED_SOON 10000000000ULL

/* Where lines of two are mixed: the report that has the line "oom-kill:" of the victim, and no other. */
static struct oom_report *of_line(struct oom_reports *all, const struct kernel_record *rec,
				  const struct oom_victim *victim)
{
	for (unsigned int i = all->n; all->has_mixed && victim->pid.known && i--;) {
		struct oom_report *r = &all->reports[i];

		if (!r->has_head && !r->has_caller && !r->kills && r->stage == STAGE_OOM_KILL &&
		    r->victim.pid.known && r->victim.pid.value == victim->pid.value &&
		    rec->ts_ns >= r->ts_ns) {
			r->stage = STAGE_KILLED;
			return r;
		}
	}
	return NULL;
}

/* Where a line on a victim belongs: behind that of its report, unless reports are limited. */
static struct oom_report *of_victim(struct oom_reports *all, const struct kernel_record *rec,
				    const struct oom_victim *victim)
{
	struct oom_report *r = of_line(all, rec, victim);

	if (r)
		return r;
	oom_reopen(all, rec);
	oom_leave_double(all, rec);
	r = oom_open_report(all, rec);
	/* Up to 5.1 a child may be killed in its place. */
	if (r && all->has_mixed && !r->has_head && !r->has_caller && r->victim.pid.known &&
	    victim->pid.known && r->victim.pid.value != victim->pid.value)
		r->is_open = false;
	r = oom_open_report(all, rec);
	if (r && r->kind == OOM_REPORT_OOM && r->stage < STAGE_KILLED &&
	    (r->has_head || r->has_mem_info || r->scope == OOM_SCOPE_MEMCG ||
	     r->stage == STAGE_OOM_KILL)) {
		r->stage = STAGE_KILLED;
		return r;
	}
	if (r && r->is_group && r->stage == STAGE_KILLED)
		return r;
	oom_close_reports(all, rec);
	oom_mix_rest(all, rec);
	return oom_start(all, rec, OOM_REPORT_OOM, STAGE_KILLED, NULL);
}

/* What the line before has of the same victim, where this one is cut. */
static void keep_name(struct oom_victim *victim, const struct oom_victim *before)
{
	/* One that lost a digit is of the same. */
	if (before->pid.known && victim->pid.known && before->has_comm && victim->has_comm &&
	    !strcmp(before->comm, victim->comm) &&
	    log_lost_digit(victim->pid.value, before->pid.value))
		victim->pid = before->pid;
	if (!before->pid.known || before->pid.value != victim->pid.value)
		return;
	if (!victim->uid.known)
		victim->uid = before->uid;
	if (!victim->has_comm && before->has_comm) {
		victim->has_comm = true;
		strcpy(victim->comm, before->comm);
	}
}

/* With memory.oom.group there is a line of each, of the first one once more where it still has memory. */
static void add_victim(struct oom_report *r, const struct oom_victim *victim)
{
	const size_t used = strlen(r->others);
	char text[sizeof(", 1234567890123456789 ()") + OOM_COMM];

	if (!victim->pid.known || (r->victim.pid.known && victim->pid.value == r->victim.pid.value))
		return;
	snprintf(text, sizeof(text), "%s%s (%llu)", used ? ", " : "",
		 victim->has_comm ? victim->comm : "-", (unsigned long long)victim->pid.value);
	if (r->more_victims || used + strlen(text) >= sizeof(r->others))
		r->more_victims++;
	else
		strcpy(r->others + used, text);
}

bool oom_take_victim(struct oom_reports *all, const struct kernel_record *rec)
{
	struct oom_victim victim;
	struct oom_report *r;
	bool is_cut = false, was_killed = oom_line_killed(rec->text, &victim, &is_cut);

	if (!was_killed && !oom_line_exiting(rec->text, &victim))
		return false;
	r = of_victim(all, rec, &victim);
	if (is_cut) {
		/* Who it was the line before may say. */
		if (!r->kills)
			r->outcome = OOM_KILLED;
	} else if (!r->kills) {
		keep_name(&victim, &r->victim);
		r->victim = victim;
		r->outcome = was_killed ? OOM_KILLED : OOM_EXITING;
	} else if (was_killed) {
		add_victim(r, &victim);
	}
	r->kills += was_killed;
	if (was_killed)
		r->kill_ns = rec->ts_ns;
	if (log_after(rec->text, "Memory cgroup out of memory: "))
		oom_ran_out_in_cgroup(r);
	else if (log_after(rec->text, "Out of memory") && r->scope == OOM_SCOPE_UNKNOWN)
		r->scope = OOM_SCOPE_GLOBAL;
	return true;
}

/* One of which no line has that it was killed: not one of a name that is known, or where others are not. */
static void take_other(struct oom_reports *all, const struct oom_victim *victim)
{
	char name[OOM_COMM + sizeof(" (4294967295)")];
	const size_t used = strlen(all->reaped);

	if (!victim->has_comm || !victim->pid.known || victim->pid.value > UINT32_MAX ||
	    all->dropped || all->has_mixed)
		return;
	snprintf(name, sizeof(name), "%s (%lu)", victim->comm, victim->pid.value);
	for (unsigned int i = 0; i < all->n; i++)
		if (all->reports[i].more_victims || strstr(all->reports[i].others, name) ||
		    (all->reports[i].victim.has_comm &&
		     !strcmp(all->reports[i].victim.comm, victim->comm)))
			return;
	if (strstr(all->reaped, name))
		return;
	if (all->more_reaped || used + strlen(name) + sizeof(", ") > sizeof(all->reaped))
		all->more_reaped++;
	else
		snprintf(all->reaped + used, sizeof(all->reaped) - used, "%s%s", used ? ", " : "",
			 name);
}

/*
 * Whose memory was freed has been killed: the victim, where the line that says so is lost. Two reports that lack theirs
 * leave it open.
 */
static void take_freed(struct oom_reports *all, const struct kernel_record *rec,
		       const struct oom_victim *victim)
{
	struct oom_report *of = NULL;
	unsigned int n = 0;

	for (unsigned int i = 0; i < all->n; i++) {
		struct oom_report *r = &all->reports[i];
		bool is_named = r->victim.pid.known && r->victim.pid.value == victim->pid.value;

		if (r->kind != OOM_REPORT_OOM || rec->ts_ns < r->ts_ns)
			continue;
		if (is_named && r->outcome != OOM_OUTCOME_UNKNOWN)
			return;
		if (r->outcome != OOM_OUTCOME_UNKNOWN || rec->ts_ns > r->ts_ns + REAPED_SOON ||
		    (r->victim.pid.known && !is_named))
			continue;
		of = r;
		n++;
	}
	if (!n)
		take_other(all, victim);
	if (n != 1 || all->dropped)
		return;
	of->outcome = OOM_KILLED;
	of->by_reaper = !of->victim.pid.known;
	if (of->by_reaper)
		of->victim = *victim;
}

static void take_left(struct oom_reports *all, const struct kernel_record *rec,
		      const struct oom_victim *victim, struct log_number left_kib)
{
	for (unsigned int i = all->n; i--;) {
		struct oom_report *r = &all->reports[i];

		if (r->outcome != OOM_KILLED || !r->victim.pid.known ||
		    r->victim.pid.value != victim->pid.value || r->ts_ns > rec->ts_ns)
			continue;
		r->left_kib = left_kib;
		break;
	}
}

static void take_not_freed(struct oom_reports *all, uint64_t pid)
{
	for (unsigned int i = all->n; i--;) {
		struct oom_report *r = &all->reports[i];

		if (r->outcome != OOM_KILLED || !r->victim.pid.known || r->victim.pid.value != pid)
			continue;
		r->not_reaped = true;
		break;
	}
}

/* "oom_reaper: unable to reap pid:4242 (java)": the memory of a victim stays. */
static bool is_not_reaped(const char *text, uint64_t *pid)
{
	const char *p = log_after(text, "oom_reaper: unable to reap pid:");

	return p && (p = log_take_decimal(p, pid)) && log_after(p, " (");
}

bool oom_take_reaped(struct oom_reports *all, const struct kernel_record *rec)
{
	struct oom_victim victim;
	struct log_number left_kib = { 0 };
	uint64_t pid;

	if (is_not_reaped(rec->text, &pid)) {
		take_not_freed(all, pid);
	} else if (oom_line_reaped(rec->text, &victim, &left_kib)) {
		take_freed(all, rec, &victim);
		take_left(all, rec, &victim, left_kib);
	} else {
		return false;
	}
	return true;
}
