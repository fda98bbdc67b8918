/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pressure stall information (kernel/sched/psi.c, CONFIG_PSI): struct psi_group, of the system and of each
 * cgroup of version 2.
 *
 * The kernel brings averages and totals up to date every two seconds while tasks of the group run, and when a
 * file of it is read; so what is recorded may be old.  What a file would have shown at the panic follows from
 * it and from what CPUs have not yet added, by the same arithmetic. Averages are by sched_clock(), which need not
 * be the clock of the log; what CPUs add is by that.
 */
#pragma once

#include "dump/structure.h"
#include "kernel/percpu.h"

/*
 * sched_clock(), which some code takes times from, beside local_clock(), which the log has (kernel/sched/clock.c):
 * the same plus an offset where it is stable; else corrected by each tick of a CPU, and both of the last tick
 * are kept.  Of a CPU whose frequency was measured wrong at boot the one runs faster than the other for good.
 */

struct sched_clock {
	uint64_t end; /* sched_clock() at the end */
	uint64_t ran,
		passed; /* what it ran while so much passed on the clock of the log, since boot */
};

/* By the time of the end on the clock of the log.  ST_UNKNOWN, ST_UNREADABLE */
enum status sched_clock_at(struct dump *d, uint64_t log_ns, struct sched_clock *ret);

/* How long before the end, on the clock of the log, it was ns; false: no such time since boot. */
bool sched_clock_age(const struct sched_clock *c, uint64_t ns, uint64_t *ret);

#define PSI_KINDS 7
#define PSI_AVERAGES 3	  /* of 10, 60 and 300 s */
#define PSI_MAX_STATES 16 /* NR_PSI_STATES is 6 to 8 */

/* A line of a file: "some" of /proc/pressure/memory. */
struct psi_kind {
	const char *resource, *share, *enumerator;
};

/* As the files have them: those of one resource together. */
extern const struct psi_kind psi_kinds[PSI_KINDS];

struct psi_figures {
	uint64_t avg[PSI_AVERAGES]; /* hundredths of a percent of the time */
	uint64_t total_ns;
};

struct psi_state {
	bool is_on; /* false: it is not kept of this group (cgroup.pressure), the rest is old */
	bool has_age;
	uint64_t age_ns; /* from the last update to the panic, as the log counts */
	struct psi_figures recorded[PSI_KINDS];
	bool has_now; /* what a file would have shown */
	struct psi_figures now[PSI_KINDS];
};

struct psi {
	struct dump *dump;
	struct structure group, cpu;
	struct percpu cpus;
	unsigned int states; /* that have a total: those of enum psi_states before PSI_NONIDLE */
	int64_t index[PSI_KINDS]; /* in them; -1: this kernel has none */
	uint64_t system;	  /* address of psi_system */
	uint64_t period_ns, tick_ns;
	bool has_time;	 /* the next two are known */
	uint64_t log_ns; /* of the end, on the clock of the log */
	struct sched_clock clock;
	bool has_cpus; /* what CPUs have not added can be read */
};

/* ST_ABSENT: built without it, or *off: it was not turned on at boot. */
enum status psi_open(struct dump *d, struct psi *ret, bool *off);

/* The time of the panic on the clock of the log; without it only what is recorded is known. */
void psi_set_time(struct psi *p, uint64_t log_ns);

enum status psi_read(struct psi *p, uint64_t group, struct psi_state *ret);

/* Whether groups have such a line. */
static inline bool psi_has(const struct psi *p, unsigned int kind)
{
	return p->index[kind] >= 0;
}
