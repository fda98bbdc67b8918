/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The story of a machine: what its summary, its log, its threads and its files know, as events in the order of their
 * times. Nothing is looked for here: each sentence has figures of another command, which it names.
 */
#pragma once

#include "log/standstill.h"
#include "memowner/summary.h"
#include "tasks/task_names.h"

/* In the order of those that have the same time. */
enum event_kind {
	/* What is known of all of it stands first, however the times are. */
	EVENT_VERDICT,
	EVENT_HOLDER, /* who has most of what ran out */
	EVENT_BOOT,
	EVENT_LOG,     /* begins: older records are missing */
	EVENT_START,   /* of a process */
	EVENT_GROWTH,  /* of an owner of page_owner: its oldest page, or the span that has most */
	EVENT_WRITTEN, /* a file, the last time */
	EVENT_WAIT,    /* threads in memory management or on a lock, since they ran last */
	EVENT_DEADLOCK,
	EVENT_OOM,
	EVENT_ALLOCATION,
	EVENT_MEM_INFO, /* a list of memory alone */
	EVENT_FORK,	/* pids.max refused one */
	EVENT_REACHED,	/* a limit of other things than memory, by the log */
	EVENT_MORE,	/* reports that are not kept */
	EVENT_CHANGE,	/* of memory between the first and the last report */
	EVENT_GROWN,	/* processes, between two tables of them */
	EVENT_WARNING,	/* of the kernel, after which it went on or panicked */
	EVENT_EXCEPTION,
	EVENT_PANIC,
	EVENT_END, /* of a dump or a log without a panic */
	/* What follows is of the end. */
	EVENT_LIMIT, /* of other things than memory, that is used up */
	EVENT_MEMORY,
	EVENT_USER,
	EVENT_PRESSURE, /* PSI */
	EVENT_RECLAIM,
	EVENT_VICTIM, /* of the OOM killer that still has memory */
	EVENT_KINDS
};

/* On which clock the kernel noted the time. */
enum event_clock { CLOCK_OF_LOG, CLOCK_OF_TASKS, CLOCK_OF_FILES, EVENT_CLOCKS };

struct story_event {
	struct story_event *next;
	enum event_kind kind;
	enum event_clock clock;
	struct maybe_u64
		ts; /* since boot, ns, on the clock of the log; unknown: what clock it is of does not tell */
	struct maybe_u64 utc_s;
	const char *log_date; /* of a text of the log; NULL: none */
	const char *day;      /* "11-20 04:42:26", by one of both; NULL: unknown */
	const char *what;     /* whom it is about; NULL: the machine */
	const char *text;     /* the sentence, without its end */
	struct maybe_u64 bytes;
	const char *command, *basis; /* the command without -L FILE */
	struct maybe_u64 confidence; /* of what is inferred: tenths of a percent */
	bool stays;		     /* on a page that has no room for all of its kind */
	bool is_above;		     /* of -H: its table stands above the story */
	bool is_placed; /* ts is unknown, and has the number of the record behind which it stands by its date */
	unsigned int seq;
};

struct story {
	struct summary *s;
	struct task_names named;     /* by what the summary says of the cause */
	struct story_event **events; /* in their order */
	size_t n;
	struct story_event *first, **last; /* in the order in which they were found */
	struct maybe_u64 deadlock;	   /* since when the first one is; unknown: there is none */
	const char *died_work;		   /* of the exception: that its kworker ran; NULL */
	bool has_no_times;		   /* the log has none: its order alone is known */
	bool is_partial;		   /* interrupted */
};

/* Of a summary whose parts have run. */
void story_collect(struct story *st);

extern const char *const event_names[];
extern const char *const event_clocks[];

/* The page: sentences behind their times. */
void story_print(const struct story *st);

#define STORY_TEXT 2048

/* A copy becomes an event, with its time of day. */
struct story_event *story_add(struct story *st, const struct story_event *event);
#define STORY_ADD(story, ...) story_add(story, &(struct story_event){ __VA_ARGS__ })

/* Of a text of the log: the summary of it, or memowner log. */
const char *story_command(const struct story *st, const char *command);

/* The end, on the clock of the log, and a time by its age then. */
struct maybe_u64 story_end(const struct summary *s);
struct maybe_u64 story_before_end(const struct summary *s, struct maybe_u64 age);

/* A command as it is typed: of a text of the log with -L FILE. */
const char *story_typed(const struct summary *s, const char *command);

/* "memowner processes -g comm -f comm=NAME", and -n 0 where a filter does not take the name as it is. */
const char *story_filtered(const struct summary *s, const char *command, const char *filter,
			   const char *name);

/* Where the events come from. */
/* The boot, and processes that have much. */
void story_add_start(struct story *st);
/* Whom the summary names, and when they started. */
void story_find_named(struct story *st);
void story_add_named(struct story *st);
static inline bool story_names(const struct story *st, uint64_t tgid)
{
	return ANY_OF(i, st->named.n, (uint64_t)st->named.all[i].tgid == tgid);
}

/* Starts of processes of which the summary has no ID: of a cgroup's limit, of a crowd, beside what began. */
void story_add_starts(struct story *st);
/* What started then: not whoever came by when others were in a deadlock already. */
bool story_tells_start(const struct story *st, struct maybe_u64 ts);
/* "; its thread a (7) has ... page faults, more than all others of it": as it touched the memory; NULL: none has. */
const char *story_most_faults(const struct summary *s, const struct statement *process);
/* Owners by the time stamps of page_owner. */
void story_add_growth(struct story *st);
/* Files by the last change of their data. */
void story_add_files(struct story *st);
/* Whether one is an event: its data have not been as they are since before the boot. */
bool story_tells_file(const struct story *st, const struct statement *row);
/* Reports of the log. */
void story_add_reports(struct story *st);
/* Who had files of a module open, and when those started; module: its name, up to ']' or the end. */
void story_add_openers(struct story *st, const char *module);
/* What khungtaskd reported, beside the panic that has one of these. */
void story_add_hung(struct story *st, const struct standstills *all);
/* Whether the task of a lockup allocated memory, by the call trace that the log has of it. */
bool story_lockup_allocates(const struct kernel_log *log, const struct standstill *of);
/* Single lines of the log. */
void story_add_signs(struct story *st);
/* Programs that ended by exceptions of their own: what the log has of it. */
void story_add_crashes(struct story *st);
/* Services that were started again and again. */
void story_add_restarts(struct story *st);
/* Threads by what they wait for. */
void story_add_waits(struct story *st);
/* The exception, the panic. */
void story_add_end(struct story *st);
/* The verdict, and who has most, as the summary says it. */
void story_add_verdict(struct story *st);
/* Who has the memory at the end. */
void story_add_state(struct story *st);

static inline bool story_is_first(const struct story_event *e)
{
	return e->kind <= EVENT_HOLDER;
}

static inline bool story_is_state(const struct story_event *e)
{
	return e->kind >= EVENT_LIMIT;
}
