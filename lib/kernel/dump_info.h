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
	bool has_seconds; /* panic_ns and stamps are by times of day alone: no time since boot, ages in whole seconds */
	bool may_have_panic; /* in a part of the log that could not be read */
	bool *is_asked;	     /* whether an age was; NULL: not known */
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

/* Before the longest of some ages, or before one: "up to ", or nothing; "at least " if the end is assumed. */
const char *age_bound(const struct dump_info *info, bool is_longest);

/* For the reader of ages: up to what they are, where that is no panic; false: it is one, or none was asked for. */
#define END_TEXT 96
bool end_text(const struct dump_info *info, char buf[END_TEXT]);

/* The kernel's release, to be shown and to look for files; nothing else is decided by it. */

/* NULL: it is not in this dump. */
const char *kernel_release(struct dump *d);

/* An option of the kernel command line that this kernel booted with. */

/*
 * The value of the last "name=value", which is the one that counts; *ret is NULL with
 * ST_OK if there is none.  Any other status: the command line is not known.
 */
enum status boot_option(struct dump *d, const char *name, const char **ret);

/*
 * When the kernel ended, on the clock of the log: the record of its panic. A machine that was dumped
 * while it ran has none, and may have logged nothing for long: then the latest of the clocks that the
 * scheduler keeps for each CPU (rq.clock, which is that of the log) and of the jiffies since boot.
 */

enum end_source {
	END_PANIC_RECORD,
	END_RUN_QUEUE,
	END_JIFFIES,
	END_NEWEST_RECORD, /* of the log: no clock was found that can be believed */
};

/* Words of JSON. */
extern const char *const end_sources[];

/*
 * ST_ABSENT: the log has no record, and no clock can be believed. *is_whole, always set: a record of a panic
 * that is not the source is not there; otherwise it may be in the part of the log that was not read.
 */
enum status end_time_read(struct dump *d, uint64_t *ns, enum end_source *source, bool *is_whole);

/* Pages that the page allocator manages: MemTotal of /proc/meminfo. */

enum status mem_total_read(struct dump *d, uint64_t *pages);

/* The build-id that a linker put into an image: of the dump's kernel and of its modules. */

#define BUILDID_BYTES 64 /* linkers make 8, 16, 20 or 32 */
#define BUILDID_TEXT 16	 /* of buildid_text() */

struct buildid {
	uint8_t bytes[BUILDID_BYTES];
	unsigned int n; /* bytes */
};

/*
 * Of the running kernel, from the notes in its memory.  *notes, if not NULL, is where
 * these begin.  ST_ABSENT: it has none; ST_UNREADABLE: it is not in this dump.
 */
enum status buildid_kernel(struct dump *d, struct buildid *ret, uint64_t *notes);

/* Of the notes in memory from addr to end; the same answers. */
enum status buildid_in_notes(struct dump *d, uint64_t addr, uint64_t end, struct buildid *ret);

bool buildid_same(const struct buildid *a, const struct buildid *b);

/* The first digits, for messages; returns buf. */
const char *buildid_text(const struct buildid *id, char buf[static BUILDID_TEXT]);
