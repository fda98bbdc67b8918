/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long tasks waited for memory, I/O, CPUs: pressure stall information of the machine and of cgroups. */
#pragma once

#include "dump/gap.h"
#include "kernel/psi.h"

/* A line of /proc/pressure, or of a file of a cgroup. */
struct pressure_line {
	const char *cgroup; /* "/web"; NULL: of the machine, or its name is not in this dump */
	bool is_system;
	unsigned int kind; /* index of psi_kinds */
	bool has_age;
	uint64_t age_ns; /* of the last update at the panic */
	bool has_now;	 /* what a file would have shown at the panic is known: */
	struct psi_figures now;
	struct psi_figures recorded; /* by the kernel, in the last update */
};

/* The kernel brings averages up to date every two seconds, where CPUs switch tasks. */
#define PRESSURE_OLD_NS 10000000000ull

struct pressure {
	struct pressure_line
		*lines; /* of the machine first, then of each cgroup, in the order of the tree */
	size_t n;
	bool is_off;						/* at boot */
	size_t unread, unnamed, uncounted, wrapped, turned_off; /* groups */
	size_t older; /* groups whose figures of the end differ from those of the last update */
	uint64_t newest_ns, oldest_ns; /* from these updates to the end */
	const char *tree_ends;	       /* NULL, or why cgroups are missing */
	struct gaps gaps;
};

/* Whether what a file would have shown at the end is known of a line: its age is (has_age). */
bool pressure_is_of_end(const struct pressure_line *l);
/* What is told of a line: as recorded, where that was long before the end; what it would be by then rests on that none waited. */
const struct psi_figures *pressure_told(const struct pressure_line *l);
/* Of ten seconds, in hundredths of a percent: at the end, else as recorded. */
uint64_t pressure_avg10(const struct pressure_line *l);

/* The line of a cgroup, NULL: of the machine, by the name that enum psi_states has; NULL: none, or its age is not known. */
const struct pressure_line *pressure_of(const struct pressure *p, const char *cgroup,
					const char *state);

/*
 * Of lines of memory, full, the one to tell, at least min of ten seconds; NULL: none waited that long.  That of a cgroup,
 * for of the whole machine kcompactd alone makes it full where nothing else runs: it counts where no cgroup has lines,
 * where one waited enough to be told and less than twice as much as the machine, or where memory is short: then it is
 * kswapd's own work in vain.  machine_too: the machine's may be told.
 */
const struct pressure_line *pressure_most(const struct pressure *p, uint64_t min, bool machine_too,
					  bool is_short);

/* ST_ABSENT: not built in, or ret->is_off. What was found before ST_STOPPED is in ret. */
enum status pressure_collect(struct dump *d, struct pressure *ret);
