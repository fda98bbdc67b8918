/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The case: which machine, which kernel, when it ended, and what tainted it. */
#pragma once

#include "cli/rows.h"
#include "collect/limit_users.h"
#include "collect/vm_settings.h"
#include "modules/module_taint.h"
#include "pages/commit.h"
#include "tasks/khugepaged.h"

/* Of texts NULL is unknown. */
struct summary_case {
	struct machine machine;
	const char *kernel, *arch;
	unsigned int page_shift;
	struct maybe_u64 cpus, present_cpus, online_cpus,
		uptime_ns;   /* cpus: possible ones, of a log those that it tells */
	const char *log_end; /* date and time of the end of a text of the log; NULL */
	bool of_log;	     /* of a text of the log, without a dump */
	unsigned int boot,
		later_boots;	/* of_log: its number in the file, and how many are behind it */
	const char *boot_word;	/* of_log: "boot", or "part" where it may be none */
	const char *boot_why;	/* of_log: why it is that one, "as asked" */
	bool end_is_assumed;	/* it was at that time or later */
	const char *end;	/* "panic", "dump", "log": what the time is of */
	const char *taint;	/* letters; "": it is not tainted */
	const char *tainted_by; /* "framegrab OE"; "": no loaded module */
	bool has_modules;
	struct tainting_modules modules; /* if has_modules */
	const char *vmlinux;		 /* of vmlinux_words[] */
	bool has_no_types;		 /* nor has the dump any */
	struct commit commit;
	struct used_limits used;
	struct limit_users limit_users[USED_LIMITS]; /* of used.all */
	bool has_thp;				     /* false: unknown, or the kernel has none */
	struct khugepaged thp;
	const char *limits; /* those that are nearly used, in words; "": none; NULL: unknown */
};

/* "this_build", "unproven", "none" */
extern const char *const vmlinux_words[];

extern const struct view case_view;
/* The same record of memowner case. */
extern const struct view case_record_view;

/* What cannot be read is unknown; dump_lacks() says why. */
void case_read(struct dump *d, const struct report *r, struct summary_case *ret);

/* Its two halves: local ports, and who uses limits, are known by what other parts read as well. */
void case_begin(struct dump *d, const struct report *r, struct summary_case *ret);
void case_end(struct dump *d, struct summary_case *ret);

/* Two lines in words, each behind a label. */
#define CASE_LINE 512
/* "2 CPUs", "2 CPUs of 128 possible", "4 possible CPUs": where one of the counts is known. */
void case_add_cpus(const struct summary_case *c, struct strbuf *b);
void case_machine_text(const struct summary_case *c, char buf[CASE_LINE]);
void case_end_text(const struct summary_case *c, char buf[CASE_LINE]);
/* The same without the letters of each module, and with no more of these than fit into that room. */
void case_end_brief(const struct summary_case *c, size_t room, char buf[CASE_LINE]);

/* Of limits that are used up, those that the first screen and the story name. */
#define LIMITS_SHOWN 2

struct screen;
/* All of it, each behind its label. */
void case_put(const struct screen *sc, const struct summary_case *c);
