/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a dump is of: the kernel's release, its CPUs, and when it panicked. */
#pragma once

#include "dump/dump.h"

struct dump_info {
	const char *kernel; /* release; NULL: unknown */
	uint64_t page_size; /* 0: unknown */
	bool has_cpus;
	unsigned int cpus; /* possible ones */
	bool has_mem_total;
	uint64_t mem_total_bytes; /* MemTotal of /proc/meminfo */
	bool has_panic_time;
	uint64_t panic_ns;	  /* local_clock(), as all time stamps of the kernel's records */
	const char *panic_source; /* of end_sources[]; NULL: unknown */
	const char *end_note;	  /* what the time is where that is no panic; NULL: it is one */
	bool of_log;		  /* times are up to the end of a text of the log, without a dump */
	bool may_have_panic;	  /* in a part of the log that could not be read */
	bool *is_asked;		  /* whether an age was; NULL: not known */
};

/*
 * Reads it; what is not in this dump stays unknown, and -D says why there is no panic time.
 * all: the release, the CPUs and MemTotal too, which only the meta line of JSON tells.
 */
void dump_info_read(struct dump *d, bool all, struct dump_info *ret);

/* The same that was saved: a word of end_sources[]; false: it is none of them. */
bool dump_info_end(struct dump_info *info, uint64_t ns, const char *source, bool may_have_panic);

/* What times are up to; who asks is told by end_text() what it is where that is no panic. false: unknown. */
bool time_of_panic(const struct dump_info *info, uint64_t *ret);

/*
 * The time from a time stamp to the panic, in nanoseconds.  false: unknown, for the panic's
 * time is not known, or the stamp is later: other CPUs run on while one panics, and what they
 * do then has no age.
 */
bool age_at_panic(const struct dump_info *info, uint64_t ts_ns, uint64_t *ret);

/* "3.2s before the panic", or "before the dump" where none is known; false: as age_at_panic(). */
#define AGE_TEXT 64
bool age_text(const struct dump_info *info, uint64_t ts_ns, char buf[AGE_TEXT]);

/* What ended the kernel: "panic", or "dump". */
const char *end_name(const struct dump_info *info);

/* It went on behind the time that ages are up to, for how long is unknown. */
bool end_is_assumed(const struct dump_info *info);

/* What ages are up to: that end, or "newest record of the log" if it is assumed. */
const char *age_end(const struct dump_info *info);

/* For the reader of ages: up to what they are, where that is no panic; false: it is one, or none was asked for. */
#define END_TEXT 96
bool end_text(const struct dump_info *info, char buf[END_TEXT]);
