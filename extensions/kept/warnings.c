// SPDX-License-Identifier: GPL-2.0-or-later
/* Warnings of the log: what the kernel panicked of by panic_on_warn; the module that called panic() itself. */
#include "log/oops.h"
#include "log/warning.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "symbols/allocators.h"

#define AT_ONCE_NS \
	1000000000ULL /* a report and its panic are of one moment, serial consoles print slowly */

const char *summary_frame(const struct summary *s, const char *frame)
{
	char name[MODULE_FRAME_BYTES];

	if (!frame)
		return NULL;
	frame_name(frame, name, sizeof(name));
	return dump_strdup(s->dump, name);
}

/* check_panic_on_warn(), and KASAN by its own option. */
static bool is_by_warning(const char *panic)
{
	return strstr(panic, "panic_on_warn set") || strstr(panic, "kasan.fault=panic");
}

/* The trap that BUG() and its like are, the OOM killer and watchdogs have words of their own. */
static bool has_no_words(const struct summary *s)
{
	const struct statement *panic = s->first[SECTION_PANIC];

	return panic && panic->name && !s->panic_cause && !s->is_oops &&
	       !strstr(panic->name, "Out of memory") && !s->first[SECTION_EXCEPTION];
}

/* "refcount_t: underflow ...": seconds before the end, of a driver or a file system that may have had to do with it. */
static void add_before(struct summary *s, const struct log_warning *w)
{
	struct statement *row = s->last[SECTION_PANIC];
	struct strbuf b = STRBUF_OF(1024);
	uint64_t age;

	if (!row || row->remark || !module_frames_first(&w->modules) ||
	    !age_at_panic(&s->report->info, w->last->ts_ns, &age) ||
	    age > limit(LIMIT_END) * 1000000000ULL)
		return;
	strbuf_add(&b, "%s before, the log has ", TIME_TEXT(age));
	log_warning_text(w, allocators_has, &b);
	row->remark = dump_strdup(s->dump, b.buf);
}

/* A pid is given again. */
static bool is_of(const struct log_warning *w, uint64_t pid, const char *comm)
{
	return w->pid.known && w->pid.value == pid && !strcmp(w->comm, comm);
}

const char *summary_warning_of(const struct summary *s, uint64_t pid, const char *comm)
{
	const struct log_warnings *all = s->warnings;
	struct strbuf b = STRBUF_OF(1024);
	uint64_t age;

	for (unsigned int i = 0; all && i < all->n; i++) {
		const struct log_warning *w = is_of(&all->all[i], pid, comm) ? &all->all[i]
									     : &all->last[i];

		if (!is_of(w, pid, comm) ||
		    !age_at_panic(&s->report->info, (w->is_last ? w->last : w->first)->ts_ns, &age))
			continue;
		strbuf_add(&b, "%s before the end the log has ", TIME_TEXT(age));
		log_warning_text(w, allocators_has, &b);
		return dump_strdup(s->dump, b.buf);
	}
	return NULL;
}

/* Of the stack protector the text has the function: "Kernel stack is corrupted in: f+0x9a/0xa0 [m]". */
static bool names(const char *text, const char *frame)
{
	char function[MODULE_FRAME_BYTES];

	snprintf(function, sizeof(function), " %.*s+0x", (int)strcspn(frame, " "), frame);
	return strstr(text, function);
}

/* The kernel panicked before it printed the stack of a report: that of the panic is of the same task. */
static void take_stack(struct log_warning *w, const struct oops_log *oops)
{
	w->modules = oops->panic_modules;
	for (; w->nframes < oops->panic_nframes && w->nframes < WARNING_FRAMES; w->nframes++)
		log_copy(w->frames[w->nframes], MODULE_FRAME_BYTES, oops->panic_frames[w->nframes],
			 OOPS_SYMBOL);
	if (w->pid.known || !oops->panic_pid.known)
		return;
	w->pid = oops->panic_pid;
	log_copy(w->comm, sizeof(w->comm), oops->panic_comm, strlen(oops->panic_comm));
}

/* fortify_panic() and its like warn, and die of a BUG() at once: what is wrong stands in the warning. */
static void tell_bug(struct summary *s, const struct log_warning *w)
{
	struct statement *row = s->last[SECTION_EXCEPTION];
	const struct oops *o = s->oops;

	if (row && o && o->kind == OOPS_BUG && !*o->said && *w->text && w->pid.known &&
	    o->pid.known && w->pid.value == o->pid.value && o->ts_ns >= w->last->ts_ns &&
	    o->ts_ns - w->last->ts_ns < AT_ONCE_NS)
		row->called = dump_text(s->dump, "bug (%s)", w->text);
}

/* Of the function that spins for a lock, or its caller: " [hsring]"; NULL: none of a module. */
static const char *module_of_stall(const struct cpu_stall *stall)
{
	return strchr(stall->place, '[') ?: strchr(stall->caller, '[');
}

/*
 * A task that slept with a spin lock keeps it from CPUs that then spin for it. Which lock that was the log does not say: one
 * of the same module is likely it.
 */
static void add_sleeper(struct summary *s, const struct cpu_stall *stall)
{
	const char *module = module_of_stall(stall);

	if (!s->is_stalled || !stall_is_spinning(stall) || !module)
		return;
	for (unsigned int i = s->warnings->n; i-- > 0;) {
		const struct log_warning *w = &s->warnings->last[i];
		const char *frame = module_frames_first(&w->modules);

		if (!log_after(w->text, "scheduling while atomic: ") || !w->pid.known || !frame ||
		    !strstr(frame, module))
			continue;
		s->panic_cause = dump_text(
			s->dump,
			"%s; %s went to sleep with a spin lock, in %s (\"scheduling while atomic\"): likely the one "
			"that is waited for",
			s->panic_cause, SUMMARY_TASK(log_maybe(w->pid), w->comm),
			summary_frame(s, frame));
		return;
	}
}

void summary_add_warnings(struct summary *s, const struct kernel_log *log,
			  const struct oops_log *oops)
{
	struct log_warnings *all = dump_alloc(s->dump, sizeof(*all));
	struct statement *panic = s->last[SECTION_PANIC];
	struct strbuf b = STRBUF_OF(1024);
	const char *frame = module_frames_first(&oops->panic_modules);
	const struct log_warning *w;

	log_warnings_read(log, all);
	s->warnings = all;
	w = all->newest;
	if (w && oops->has_panic && is_by_warning(oops->panic) &&
	    oops->panic_ns - w->last->ts_ns < AT_ONCE_NS) {
		struct log_warning told = *w;

		if (!told.nframes)
			take_stack(&told, oops);
		strbuf_add(&b, "%s: ", s->panic_cause ?: "the kernel panicked of a report");
		log_warning_text(&told, allocators_has, &b);
		s->is_warned = true;
		panic->caller = summary_frame(s, module_frames_first(&told.modules) ?: frame);
	} else if (frame && has_no_words(s)) {
		panic->caller = summary_frame(s, frame);
		strbuf_add(&b, "the kernel panicked: %s", panic->name);
		if (!names(panic->name, panic->caller))
			strbuf_add(&b, ", called by %s", panic->caller);
		if (panic->pid.known && !panic->pid.n)
			strbuf_add(&b, ", in the idle task");
		else if (panic->pid.known)
			strbuf_add(&b, ", task %s", SUMMARY_TASK(panic->pid, panic->comm));
		s->is_warned = true;
	} else if (w) {
		tell_bug(s, w);
		add_before(s, w);
		add_sleeper(s, &oops->stall);
	}
	if (b.len)
		s->panic_cause = dump_strdup(s->dump, b.buf);
}
