// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdict_words.h"

#include <stdlib.h>

#include "case.h"
#include "cgroup/memcg_counts.h"
#include "log/log_file.h"
#include "summary.h"
#include "zones/zones.h"

#define LIMITS_TOLD 2

const struct oom_report *summary_report_of_end(const struct summary *s, const char **older)
{
	const struct oom_report *r = s->ran_out;
	bool is_newest = r == s->last_report;
	uint64_t age;

	*older = NULL;
	/* A log that goes on without a panic is asked for its newest report. */
	if (!r || (is_newest && s->dump->log_file && !s->has_panic))
		return r;
	if (!age_at_panic(&s->report->info, r->ts_ns, &age)) {
		*older = is_newest ? NULL : "some time";
		return is_newest ? r : NULL;
	}
	if (is_newest && age <= limit(LIMIT_END) * 1000000000ULL)
		return r;
	*older = arena_strdup(s->dump->arena, units_time((char[UNITS_BYTES]){ 0 }, age));
	return NULL;
}

/* Whether all bytes of an address are characters, in the order of memory: no kernel has one there. */
static bool is_text(uint64_t address, char text[sizeof(uint64_t) + 1])
{
	for (size_t i = 0; i < sizeof(address); i++, address >>= 8) {
		text[i] = (char)address;
		if (text[i] < ' ' || text[i] > '~' || text[i] == '"')
			return false;
	}
	text[sizeof(address)] = '\0';
	return true;
}

bool summary_is_jump(const struct statement *row)
{
	uint64_t ip;

	return row->address.known && row->ip_symbol && log_after(row->ip_symbol, "0x") &&
	       log_take_hex(row->ip_symbol, &ip) && ip == row->address.n;
}

void summary_exception(const struct statement *row, struct strbuf *b)
{
	char text[sizeof(uint64_t) + 1];

	strbuf_add(b, "%s", row->name);
	for (char *p = b->buf; *p; p++)
		if (*p == '_')
			*p = ' ';
	if (row->called) {
		b->len = 0;
		strbuf_add(b, "%s", row->called);
	}
	if (row->address.known)
		strbuf_add(b, ", address 0x%lx", row->address.n);
	if (row->pointer)
		strbuf_add(b, ", %s", row->pointer);
	if (row->address.known && is_text(row->address.n, text))
		strbuf_add(b, ", which is the text \"%s\", likely written over a pointer", text);
	if (row->ip_symbol && !summary_is_jump(row))
		strbuf_add(b, ", in %s%s", row->ip_symbol, row->function ?: "");
	if (row->caller)
		strbuf_add(b, ", called by %s", row->caller);
	if (row->function)
		strbuf_add(b, "; it interrupted %s",
			   row->pid.known && !row->pid.n ? "the idle task"
							 : SUMMARY_TASK(row->pid, row->comm));
	else if (row->pid.known && !row->pid.n)
		strbuf_add(b, ", in %s",
			   row->is_interrupted ? "an interrupt of the idle task" : "the idle task");
	else
		strbuf_add(b,
			   row->is_interrupted ? ", in an interrupt; it interrupted %s"
					       : ", task %s",
			   SUMMARY_TASK(row->pid, row->comm));
	if (row->is_interrupted)
		strbuf_add(b, "%s", row->context ?: "");
	if (summary_is_jump(row))
		strbuf_add(b, ", which jumped there, where no code is%s", row->context ?: "");
	if (row->unloaded)
		strbuf_add(b, "; the module that was unloaded last is %s", row->unloaded);
}

bool verdict_is_gone(const struct summary *s, const char *cgroup)
{
	if (s->dump->log_file || !s->memcgs || s->memcgs_problem || !*cgroup)
		return false;
	for (const struct memcg_counts *c = s->memcgs; c; c = c->next)
		if (!c->removed && (!c->path || !strcmp(c->path, cgroup)))
			return false;
	return true;
}

static void add_history(const struct summary *s, const struct oom_report *r, const char *older,
			struct strbuf *b)
{
	const char *name = NULL, *cgroup = *r->oom_memcg ? r->oom_memcg : "of an unknown name";
	const struct oom_limit *limit = verdict_is_gone(s, r->oom_memcg)
						? oom_report_limit(r, &name)
						: NULL;

	if (!verdict_is_gone(s, r->oom_memcg)) {
		strbuf_add(b, "cgroup %.200s had reached its limit %s before", cgroup, older);
		return;
	}
	strbuf_add(b, "cgroup %.200s, which is gone, had reached its limit", cgroup);
	if (limit && limit->limit_kib.known)
		strbuf_add(b, " of %s", SIZE_TEXT(limit->limit_kib.value << 10));
	strbuf_add(b, " %s before, and that is over", older);
}

void verdict_add_request(const struct oom_report *r, struct strbuf *b)
{
	if (verdict_add_other_asker(r, b))
		strbuf_add(b, ": ");
	else if (r->kind != OOM_REPORT_ALLOCATION && !r->has_mem_info && !*r->constraint &&
		 strspn(r->nodemask, "0123456789"))
		/* Without a cpuset it is of all nodes, which begin with 0. */
		strbuf_add(
			b,
			*r->nodemask == '0'
				? "memory ran out, that of nodemask %s at least: "
				: "memory of the nodes ran out that the request may use, by nodemask %s: ",
			r->nodemask);
	else if (r->kind != OOM_REPORT_ALLOCATION)
		strbuf_add(b, "memory ran out: ");
	else if (r->vmalloc_bytes.known)
		/* vm_area_alloc_pages() of mm/vmalloc.c takes them one by one. */
		strbuf_add(b, "an allocation by vmalloc of %s, in blocks of order %d, failed: ",
			   SIZE_TEXT(r->vmalloc_bytes.value), r->order);
	else
		strbuf_add(b, "an allocation of order %d failed: ", r->order);
}

void verdict_add_no_report(const struct summary *s, const char *older, struct strbuf *b)
{
	const struct oom_report *r = s->ran_out;

	if (older && s->limit_is_over)
		strbuf_add(
			b,
			"cgroup %.200s had reached its limit %s before, which is over: %s of %s at the end",
			s->limit_path, older, summary_size(s, s->limit_usage.n),
			summary_size(s, s->limit_pages));
	else if (older && oom_report_is_of_cgroup(r))
		add_history(s, r, older, b);
	else if (older && r->kind == OOM_REPORT_ALLOCATION && r->has_order &&
		 !r->vmalloc_bytes.known)
		strbuf_add(b, "an allocation of order %d had failed %s before", r->order, older);
	else if (older && r->kind == OOM_REPORT_ALLOCATION)
		strbuf_add(b, "an allocation by vmalloc had failed %s before", older);
	else if (older)
		strbuf_add(b, "it had run out %s before", older);
	else if (s->log_unread)
		strbuf_add(b, "the log has %s", s->log_unread);
	else
		strbuf_add(b, "the log has no report that memory ran out%s",
			   s->last_report ? ", but one that sysrq-f asked for" : "");
}

bool verdict_has_no_report(const struct summary *s, const char *older)
{
	return !older && s->log_whole && !s->log_unread && !s->last_report;
}

const char *verdict_were(const struct summary *s)
{
	return s->dump->page_shift ? "was" : "were";
}

/* Where free pages of the dump are not known: those of the report that tells of the end. */
static bool add_reported_free(const struct summary *s, struct strbuf *b)
{
	const char *older;
	const struct oom_report *r = summary_report_of_end(s, &older);

	if (!r || !r->has_mem_info || !r->mem.pages[MEM_free].known ||
	    (s->ram_pages && r->mem.pages[MEM_free].value > s->ram_pages))
		return false;
	strbuf_add(b, "%s %s free at the report", summary_size(s, r->mem.pages[MEM_free].value),
		   verdict_were(s));
	return true;
}

/* They may be of another report, or of a part that is lost. */
static const char *where_free_is(const struct summary *s)
{
	const char *older;
	const struct oom_report *r = summary_report_of_end(s, &older);
	const bool came = r && ((r->has_mem_info && r->mem.pages[MEM_free].known) || r->is_mixed ||
				r->is_doubtful || r->blocks);

	if (r && r->is_cut && !r->is_behind_gap)
		return "unknown: the log begins within the report";
	if (came && s->reports.has_counters)
		return "unknown: figures of the report were not read";
	if (s->log_cut)
		return "unknown: a part of the log is missing";
	if (s->dump->log_file && s->dump->log_file->cut_at)
		return dump_text(s->dump, "unknown: %s", verdict_unread(s));
	if (s->reports.has_free)
		return "unknown: what the log has of it was not read, or is of another report";
	if (verdict_unread(s))
		return dump_text(s->dump, "unknown: %s", verdict_unread(s));
	return s->reports.has_zones
		       ? "unknown: this log has it of zones alone, or of another report"
		       : "not in this log";
}

/* By the counters of zones, the log, or why not. */
static void add_other_free(const struct summary *s, struct strbuf *b)
{
	const char *no_types = s->of_case->has_no_types ? " without types of this kernel" : "";
	enum status st = ST_ABSENT;
	uint64_t pages;

	if (!s->dump->log_file) {
		st = zones_free(s->view, false, &pages);
		if (st == ST_OK) {
			strbuf_add(b, "%s was free by the counters of zones",
				   summary_size(s, pages));
			return;
		}
		if (zones_free(s->view, true, &pages) == ST_OK) {
			strbuf_add(b,
				   "%s was free by the counters of zones, without what CPUs had "
				   "not added to them yet",
				   summary_size(s, pages));
			return;
		}
	}
	if (add_reported_free(s, b))
		return;
	strbuf_add(b, "how much was free is %s%s",
		   s->dump->log_file	 ? where_free_is(s)
		   : st == ST_UNREADABLE ? "not in this dump"
					 : "unknown",
		   s->dump->log_file || st == ST_UNREADABLE ? "" : no_types);
}

void verdict_add_free(const struct summary *s, struct strbuf *b)
{
	/* Spans of zones have holes, of how much it is a part is not known then. */
	if (!s->free.known || s->is_derived) {
		add_other_free(s, b);
		return;
	}
	if (s->dump->page_shift)
		strbuf_add(b, "%s of %s was", summary_size(s, s->free.n),
			   summary_size(s, s->ram_pages));
	else
		strbuf_add(b, "%lu of %lu pages were", s->free.n, s->ram_pages);
	strbuf_add(b, " free, %s%%", PERCENT_TEXT(s->free.n, s->ram_pages));
}

void verdict_add_free_then(const struct summary *s, const struct oom_report *r,
			   struct maybe_u64 *number, struct strbuf *b)
{
	const struct log_number *free = &r->mem.pages[MEM_free];
	char age[AGE_TEXT];
	uint64_t since;

	if (s->dump->log_file || r->kind != OOM_REPORT_OOM || !r->has_mem_info || !free->known ||
	    free->value > s->ram_pages || !s->free.known ||
	    !age_at_panic(&s->report->info, r->ts_ns, &since) || since < RECOVERED_NS ||
	    !age_text(&s->report->info, r->ts_ns, age)) {
		verdict_add_free(s, b);
		return;
	}
	*number = (struct maybe_u64){ free->value, true };
	strbuf_add(b, "%s of %s was free at the report, %s%%, %s; at the end %s",
		   summary_size(s, free->value), summary_size(s, s->ram_pages),
		   PERCENT_TEXT(free->value, s->ram_pages), age, summary_size(s, s->free.n));
}

void verdict_add_swap(const struct summary *s, struct strbuf *b)
{
	const struct swap_sum *swap = &s->swap;

	if (!swap->known)
		return;
	if (swap->emptied)
		strbuf_add(b,
			   "; swap%s%s is being turned off by swapoff(): of %s %s is still in it",
			   swap->emptied->path ? " on " : "", swap->emptied->path ?: "",
			   summary_size(s, swap->emptied->pages),
			   summary_size(s, swap->emptied->used));
	else if (!swap->pages)
		strbuf_add(b, "; no swap");
	else if (swap->used == swap->pages)
		strbuf_add(b, "; swap of %s was full", summary_size(s, swap->pages));
	else
		strbuf_add(b, "; %s of %s of swap was used%s%s", summary_size(s, swap->used),
			   summary_size(s, swap->pages), s->no_swap ? ", " : "", s->no_swap ?: "");
}

/*
 * get_scan_count(): a cgroup's own reclaim takes no anonymous memory then, that of the machine does where hardly anything
 * else is left.  A victim gave swap back.
 */
void verdict_add_unused_swap(const struct summary *s, const struct oom_report *r, struct strbuf *b)
{
	struct dump *d = s->dump;
	uint64_t swappiness;

	if (d->log_file || r->outcome == OOM_KILLED || s->swap.emptied || !s->limit_swap.known ||
	    !summary_reaches(s, LIMIT_HOLDER, s->limit_swap.n))
		return;
	if (dump_value(d, "vm_swappiness", &swappiness) == ST_OK && !swappiness)
		strbuf_add(b,
			   "; %s of swap was free, which reclaim of a cgroup does not use with "
			   "vm.swappiness=0",
			   summary_size(s, s->limit_swap.n));
	d->error[0] = '\0';
}

void verdict_add_idle_pools(const struct summary *s, struct strbuf *b)
{
	if (s->idle_pools)
		strbuf_add(b, "; %s, for hugetlbfs alone", s->idle_pools);
}

bool verdict_is_committed(const struct commit *c)
{
	return c->mode.known && c->mode.n == COMMIT_NEVER && c->limit.known && c->committed.known &&
	       limit_ends_promises(c->committed.n, c->limit.n);
}

#define REFUSED_TOLD 3 /* processes */
#define REFUSED_WITHIN \
	3600000000000ULL /* ns before the end: what was refused earlier is not told */

/* "7 requests for address space, the last 5.9s before the panic: importd (162) 60.0M 5 times, ..." */
static void add_refused(const struct summary *s, const char *what, struct strbuf *b)
{
	const struct commit_refusals *r = &s->refusals;
	const struct log_file *f = s->dump->log_file;
	uint64_t age;

	strbuf_add(b, "%s%s%s", s->log_dropped || s->log_cut || r->suppressed ? "at least " : "",
		   PLURAL_TEXT(r->n, "request", "requests"), what);
	if ((!f || !f->has_no_times) && age_at_panic(&s->report->info, r->all[0].last->ts_ns, &age))
		strbuf_add(b, ", %s%s before the %s", r->n > 1 ? "the last " : "", TIME_TEXT(age),
			   f		  ? "end"
			   : s->has_panic ? "panic"
					  : "dump");
	strbuf_add(b, ": ");
	commit_refusals_text(r, REFUSED_TOLD, b);
}

/* Whether it is told of a dump. */
static bool has_refused(const struct summary *s)
{
	uint64_t age;

	return s->refusals.n &&
	       age_at_panic(&s->report->info, s->refusals.all[0].last->ts_ns, &age) &&
	       age <= REFUSED_WITHIN;
}

void verdict_put_refusals(struct summary *s)
{
	struct strbuf b = STRBUF_OF(512);
	const struct kernel_record *last = s->refusals.all[0].last;

	if (!s->refusals.n)
		return;
	strbuf_add(&b, "vm.overcommit_memory refused ");
	add_refused(s, " for address space, by the log", &b);
	summary_add_logged(s, last, b.buf);
}

void verdict_add_commit(const struct summary *s, const struct commit *c, struct strbuf *b)
{
	strbuf_add(b,
		   "committed address space is %s of %s, which vm.overcommit_memory=2 enforces; ",
		   summary_size(s, c->committed.n), summary_size(s, c->limit.n));
	/* What was mapped before the mode was set may not be counted. */
	if (s->data_of && s->data_pages <= c->committed.n &&
	    units_tenths(s->data_pages, c->committed.n) >= limit(LIMIT_HOLDER))
		strbuf_add(b, "%s in private writable mappings of %s; ",
			   summary_size(s, s->data_pages), s->data_of);
	if (has_refused(s)) {
		add_refused(s, " for more refused", b);
		strbuf_add(b, "; ");
	}
}

/* What refuses requests with the errors of memory that ran out: ENOMEM, ENOBUFS, EAGAIN. */
static void add_limits(const struct used_limits *l, struct strbuf *b)
{
	for (unsigned int i = 0; i < l->n && i < LIMITS_TOLD; i++) {
		strbuf_add(b, "%s",
			   l->all[i].refused && !l->all[i].refused_in ? "a limit refused requests: "
								      : "");
		used_limit_text(&l->all[i], b);
		strbuf_add(b, "; ");
	}
	if (l->n + l->more > LIMITS_TOLD)
		strbuf_add(b, "%u more limits are nearly used; ", l->n + l->more - LIMITS_TOLD);
}

#define CLAUSES 3 /* of a cause: what stands behind them is told in the line "stuck" */

static bool has_watchdog(const struct summary *s)
{
	return s->is_hung || s->is_stalled || s->is_init_dead || s->is_warned;
}

/* A watchdog that ended the machine, and what stands still: where memory was not short that is what happened. */
static void add_no_memory(const struct summary *s, struct strbuf *b)
{
	/* khungtaskd tells of who waits: why they do comes first. */
	const char *cause = verdict_cause(s, CLAUSES), *why = s->is_hung ? cause : NULL;
	const char *const all[] = {
		why,
		has_watchdog(s) ? s->panic_cause : NULL,
		s->starved.spinning,
		s->frozen,
		s->oom_off,
		s->busy_cpu,
		s->faulting,
		s->reclaiming
			? arena_text(s->dump->arena, "%s in reclaim",
				     PLURAL_TEXT(s->reclaiming, "thread waits", "threads wait"))
			: NULL,
		why ? NULL : cause,
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i])
			strbuf_add(b, "%s; ", all[i]);
	if (has_refused(s)) {
		const struct maybe_u64 *mode = &s->of_case->commit.mode;

		strbuf_add(b, "vm.overcommit_memory%s refused ",
			   mode->known && mode->n == COMMIT_NEVER ? "=2" : "");
		add_refused(s, " for address space", b);
		strbuf_add(b, "; ");
	}
	add_limits(&s->of_case->used, b);
	verdict_add_logged_limits(s, b);
	if (!b->len)
		verdict_add_signs(s, b);
	if (!b->len && s->leftover)
		strbuf_add(b, "%s; ", s->leftover);
}

#define DYING 10000000000ULL /* ns: within which a kernel that dies of an exception is silent */

/* Without a panic a task alone dies, and the kernel goes on: what a log that ends there does not tell. */
static const char *exception_words(const struct summary *s, const struct statement *row)
{
	const struct log_file *f = s->dump->log_file;
	uint64_t since;

	if (s->has_panic)
		return "the kernel died of";
	return !f || (!f->has_no_times && row->ts.known &&
		      age_at_panic(&s->report->info, row->ts.n, &since) && since > DYING)
		       ? "a task was ended by"
		       : "the kernel had an exception:";
}

void verdict_begin_end(const struct summary *s, enum verdict verdict, struct strbuf *b)
{
	const struct statement *row = s->first[SECTION_EXCEPTION];
	struct strbuf text = STRBUF_OF(512);

	/* Where a report tells that memory ran out it comes first. */
	if (verdict != VERDICT_NOT_SHORT && (verdict != VERDICT_UNKNOWN || s->ran_out))
		return;
	if (row) {
		summary_exception(row, &text);
		/* Whose fault is in user space: the kernel ends as it does not go on without init. */
		if (!strcmp(row->name, "user_fault"))
			strbuf_add(b, "init died of SIGSEGV: %s, and the kernel ends with it; ",
				   text.buf);
		else
			strbuf_add(b, "%s %s; %s%s", exception_words(s, row), text.buf,
				   row->brief ?: "", row->brief ? "; " : "");
	}
	if (verdict == VERDICT_NOT_SHORT)
		add_no_memory(s, b);
}

void verdict_add_end(const struct summary *s, enum verdict verdict, struct strbuf *b)
{
	const bool is_no_memory = verdict == VERDICT_NOT_SHORT;

	if (s->panics_of_any && (verdict == VERDICT_CGROUP || verdict == VERDICT_ZONE))
		strbuf_add(b, "; panic_on_oom=2 makes even that a panic");
	else if (s->panic_cause && !(is_no_memory && has_watchdog(s)) &&
		 !strstr(b->buf, s->panic_cause))
		strbuf_add(b, "; %s", s->panic_cause);
}

const char *verdict_setting(struct summary *s, const char *name)
{
	struct vm_settings settings = { 0 };
	const char *value = NULL;

	if (!s->dump->log_file && vm_settings_collect(s->dump, &settings) == ST_OK)
		value = vm_settings_value(&settings, name);
	s->dump->error[0] = '\0';
	return value;
}

bool verdict_available(struct summary *s, uint64_t *pages, uint64_t *stays)
{
	struct mem_available available;
	const char *pressure;
	enum status st;

	if (s->dump->log_file)
		return false;
	st = mem_available_read(s->dump, &available);
	/* Several ask. */
	if (!report_has_unknown(s->report, "MemAvailable"))
		summary_failed(s, "MemAvailable", st);
	if (st != ST_OK)
		return false;
	*pages = available.pages;
	/* Then no dentry and no inode is freed, which is nearly all that slab caches could give back. */
	pressure = stays ? verdict_setting(s, "vm.vfs_cache_pressure") : NULL;
	if (pressure && !strcmp(pressure, "0")) {
		*stays = available.reclaimable < *pages ? available.reclaimable : *pages;
		*pages -= *stays;
	}
	return true;
}

void verdict_add_available(const struct summary *s, uint64_t available, uint64_t stays,
			   struct strbuf *b)
{
	strbuf_add(b, ", MemAvailable %s", summary_size(s, available + stays));
	if (stays)
		strbuf_add(b, ", which counts %s of slab caches that vm.vfs_cache_pressure=0 keeps",
			   summary_size(s, stays));
}

bool verdict_has_swap(const struct summary *s)
{
	return !s->swap.known || s->swap.used < s->swap.pages;
}

/* Free memory that is below the watermarks, as vm.min_free_kbytes sets them. */
bool verdict_add_watermarks(struct summary *s, struct strbuf *b)
{
	const char *kib;
	struct zone_sum z;
	uint64_t pages;

	if (!s->free.known || !summary_reaches(s, LIMIT_PLENTY, s->free.n))
		return false;
	kib = verdict_setting(s, "vm.min_free_kbytes");
	pages = kib ? strtoull(kib, NULL, 10) >> (s->dump->page_shift - 10) : 0;
	if (pages <= s->free.n / 2 || pages > s->ram_pages)
		return false;
	strbuf_add(b, "%s of what is free may be had: ", pages < s->free.n ? "little" : "nothing");
	verdict_add_free(s, b);
	strbuf_add(b,
		   "; vm.min_free_kbytes, %s, keeps %s, below which requests of processes wait or "
		   "reclaim",
		   kib, summary_size(s, pages));
	/* Whether one was refused at the end, or waited for others. */
	if (s->view && zone_sum_read(s->view, NULL, &z))
		strbuf_add(b,
			   z.served ? "; at the end the kernel would be served (GFP_KERNEL, order "
				      "0), with %s above the min watermarks"
				    : "; at the end no zone would serve the kernel (GFP_KERNEL, "
				      "order 0)",
			   summary_size(s, z.above));
	s->kept_by_setting = pages;
	verdict_add_swap(s, b);
	return true;
}
