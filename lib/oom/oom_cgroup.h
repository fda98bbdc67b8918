/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counters of a cgroup in the OOM report of its limit (mem_cgroup_print_oom_meminfo() of
 * mm/memcontrol.c, since 5.3: the lines of its
 * memory.stat; before, a line of each cgroup with the names of v1). Text only.
 */
#pragma once

#include "log/kernel_log.h"
#include "log/log_text.h"

/* Those that do not overlap; see oom_cgroup_read() of two that do in the log. */
#define OOM_CGROUP_COUNTERS(X) \
	X(anon)                \
	X(file)                \
	X(shmem)               \
	X(kernel_stack)        \
	X(pagetables)          \
	X(sec_pagetables)      \
	X(percpu)              \
	X(sock)                \
	X(vmalloc)             \
	X(slab)                \
	X(zswap)               \
	X(kernel)

enum oom_cgroup_counter {
#define OOM_CGROUP_COUNTER(name) OOM_CGROUP_##name,
	OOM_CGROUP_COUNTERS(OOM_CGROUP_COUNTER)
#undef OOM_CGROUP_COUNTER
		OOM_CGROUP_NCOUNTERS
};

struct oom_cgroup {
	struct log_number bytes[OOM_CGROUP_NCOUNTERS];
	struct log_number kernel; /* with slab, page tables, ..., which have counters as well */
};

extern const char *const oom_cgroup_names[OOM_CGROUP_NCOUNTERS];

/*
 * Those behind a record of the log, up to the end of its report. "file" has shared memory in the log, and here what is
 * of other files; "kernel" (5.18) has there what other counters have as well, and here what none of them has.
 */
void oom_cgroup_read(const struct kernel_log *log, const struct kernel_record *from,
		     struct oom_cgroup *ret);
