/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BPF programs that are attached to cgroups without a link (BPF_PROG_ATTACH, as systemd does): those of each cgroup
 * of the default hierarchy, by struct cgroup_bpf (include/linux/bpf-cgroup-defs.h).
 */
#pragma once

#include "cgroup/cgroup.h"

/*
 * Calls visit with the address of a struct bpf_prog and of its cgroup, once for each way in which it is attached.
 * ST_ABSENT: built without CONFIG_CGROUP_BPF; ST_UNREADABLE, ST_CORRUPT: some are missing.
 */
enum status bpf_cgroups_walk(struct dump *d,
			     enum status (*visit)(void *arg, uint64_t prog, uint64_t cgroup),
			     void *arg);
