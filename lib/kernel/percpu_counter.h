/* SPDX-License-Identifier: GPL-2.0-or-later */
/* struct percpu_counter (lib/percpu_counter.c): a count, and what each CPU has not added to it. */
#pragma once

#include "dump/structure.h"
#include "kernel/percpu.h"

struct percpu_counters {
	struct dump *dump;
	struct structure counter;
	struct percpu cpus;
	enum status cpus_status; /* of cpus, which a kernel without SMP does not need */
};

/* *ret must stay where it is. */
enum status percpu_counters_open(struct dump *d, struct percpu_counters *ret);

/* As percpu_counter_sum() has it. ST_UNREADABLE: a part of a CPU is not in this dump. */
enum status percpu_counter_sum(const struct percpu_counters *c, uint64_t at, int64_t *ret);

/* As percpu_counter_sum_positive() has it: below 0 is 0. */
enum status percpu_counter_positive(const struct percpu_counters *c, uint64_t at, uint64_t *ret);

/* The same of a variable. */
enum status percpu_counter_value(struct dump *d, const char *name, uint64_t *ret);
