// SPDX-License-Identifier: GPL-2.0-or-later
/* Errors of the hardware: what the kernel ended of, what the log has of them, and pages that are out of use for them. */
#include "log/log_told.h"

#include "memowner/summary.h"
#include "memowner/verdict_words.h"

/* "CPU 3: Machine Check Exception: ... (Machine check: Processor context corrupt), 2.0s before the panic, and one before it" */
static const char *words_of(const struct summary *s, const struct hardware_errors *e)
{
	struct strbuf b = STRBUF_OF(2 * HARDWARE_ERROR_TEXT + 128);
	uint64_t age;

	strbuf_add(&b, "%s", e->text);
	if (*e->reason)
		strbuf_add(&b, " (%s)", e->reason);
	/* That of the panic comes in the same second. */
	if (age_at_panic(&s->report->info, e->last->ts_ns, &age) && age >= 1000000000)
		summary_add_when(s, e->last->ts_ns, &b);
	if (e->n > 1)
		strbuf_add(&b, ", and %s before it", COUNT_OF(e->n - 1, "error"));
	return dump_strdup(s->dump, b.buf);
}

/* unknown_nmi_error() of arch/x86/kernel/nmi.c: a setting makes a panic of it; "": a log, or none is known to. */
static const char *setting_of(struct dump *d, const char *panic)
{
	static const char *const all[] = { "unknown_nmi_panic", "panic_on_unrecovered_nmi" };
	uint32_t on;

	for (size_t i = 0;
	     !d->log_file && log_after(panic, "NMI: Not continuing") && i < ARRAY_SIZE(all); i++)
		if (dump_has_symbol(d, all[i]) && dump_symbol_u32(d, all[i], &on) == ST_OK && on)
			return dump_text(d, "; panic by kernel.%s=%u", all[i], on);
	d->error[0] = '\0';
	return "";
}

static const char *cause_of(const struct summary *s, const struct hardware_errors *e,
			    const char *panic)
{
	const bool is_nmi = e->n ? e->is_nmi : strstr(panic, "NMI") != NULL;

	return dump_text(s->dump, "%s%s%s%s%s",
			 is_nmi ? "the kernel ended of an NMI that nothing in it had waited for "
				  "(a hardware watchdog that expired, a management controller and "
				  "a hypervisor send one, and hardware that fails)"
				: "the kernel ended of an error of the hardware",
			 e->n ? ": " : ", of which the log that was read has no more",
			 e->n ? words_of(s, e) : "", is_nmi ? setting_of(s->dump, panic) : "",
			 is_nmi ? summary_watchdogs(s->dump) : "");
}

void summary_add_hardware(struct summary *s)
{
	struct statement *panic = s->last[SECTION_PANIC];
	struct hardware_errors e = s->told->hardware;

	if (panic && panic->name && !s->panic_cause && hardware_error_is_panic(panic->name)) {
		s->panic_cause = cause_of(s, &e, panic->name);
		s->is_warned = true;
	} else if (e.n && !s->last_report) {
		summary_add_logged(s, e.last,
				   dump_text(s->dump, "the log has %s: %s",
					     hardware_errors_words(&e), words_of(s, &e)));
	}
	if (e.pfn.known)
		e.address = (struct log_number){ true, e.pfn.value << s->dump->page_shift };
	if (!s->dump->log_file && !s->next_object && e.address.known)
		s->next_object = dump_text(s->dump, "memowner phys:%#lx", e.address.value);
}

/* mm/memory-failure.c: /proc/meminfo has them as HardwareCorrupted. */
enum status summary_poisoned(struct summary *s)
{
	struct dump *d = s->dump;
	uint64_t n;
	enum status st;

	if (!dump_has_symbol(d, "num_poisoned_pages"))
		return ST_OK;
	st = dump_symbol_u64(d, "num_poisoned_pages", &n);
	if (st == ST_OK && n > s->ram_pages)
		st = dump_corrupt(d, "num_poisoned_pages is %lu", n);
	if (st == ST_OK && n)
		SUMMARY_ADD(s, .section = SECTION_STUCK,
			    .remark = dump_text(d,
						"%s, %s, %s out of use for errors of the hardware "
						"(HardwareCorrupted)",
						COUNT_OF(n, "page"), SIZE_TEXT(n << d->page_shift),
						n > 1 ? "are" : "is"));
	return st;
}
