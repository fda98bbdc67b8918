/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory cgroup above memory.high, or at memory.max, whose tasks wait for that, where nothing ran out. */
#pragma once

#include "collect/pressure.h"
#include "util/maybe.h"

struct summary;
struct strbuf;
struct task_frames;
struct task;

struct throttled {
	const char *path;     /* NULL: none is */
	uint64_t usage, high; /* pages; high is memory.max if is_max */
	bool is_max;
	struct maybe_u64 avg10; /* "full" of its own PSI, in hundredths of a percent */
	uint64_t cache;		/* of usage: page cache of files; 0: unknown */
	bool no_oom;		/* the kernel counts no oom of it */
	const char *
		files; /* "36 files in /srv/data, the largest 5.0M", which cache is; NULL: unknown */
	uint64_t unwritten; /* of these, pages that reclaim cannot have now */
	const char *as_of;  /* ", as of 45.7s before the end"; "": of the end */
	uint64_t threads;   /* that sleep because of it */
	const char *first;  /* of these the one that has most */
	uint64_t most;	    /* pages that it has */
	/* Of the machine: "39.1M of it is of file /a/b, charged to nightly.service"; NULL: of many. (overview/unwritten.c) */
	const char *writes;
	/* By summary_pressure(). */
	bool is_read;
	struct first_problem unread; /* why it cannot be */
	struct pressure pressure;
};

/* PSI of the machine and of all cgroups, which is read once; else as pressure_collect(). */
enum status summary_pressure(struct summary *s, const struct pressure **ret);

/* A cgroup at its memory.high, or its memory.max; the one that waits most is kept. */
void throttled_add(struct summary *s, const char *path, uint64_t usage, uint64_t high, bool is_max);

/* Behind all of them: what is charged to it is told first, if memory was not short, and nothing else ended the machine. */
void throttled_take(struct summary *s);

/* Whether it is the cgroup whose limit is told first. */
bool throttled_is_limit(const struct summary *s);

/* Whether most of what is charged to it is page cache that reclaim gives back: it is full as any limit is that files reach. */
bool throttled_is_cache(const struct summary *s);

/* Whether frames of a thread, the innermost first, are those of a task that is throttled; counts it. */
void throttled_count(struct summary *s, const struct task *t, const char *cgroup,
		     struct task_frames *at);

/* "cgroup /web is throttled: 55.2M, over its memory.high of 48.0M; ...", "cgroup /db is at its limit and reclaims: ..." */
void throttled_add_text(const struct summary *s, struct strbuf *b);
