/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests for address space that vm.overcommit_memory refused, by the lines of __vm_enough_memory() (mm/util.c): since
 * 6.2, since 6.10 with their size. The kernel limits their rate. Text only.
 */
#pragma once

#include "log/kernel_log.h"
#include "log/log_text.h"
#include "util/strbuf.h"

#define REFUSED_COMM 16
#define REFUSED_KEPT 16 /* processes */

struct commit_refused {
	struct log_number pid;
	char comm[REFUSED_COMM + 1];
	unsigned int n;
	struct log_number bytes; /* of the largest request; unknown: no line has it */
	bool is_largest;	 /* others had another size */
	const struct kernel_record *last;
};

struct commit_refusals {
	unsigned int n;				 /* lines */
	uint64_t suppressed;			 /* that the kernel did not print */
	struct commit_refused all[REFUSED_KEPT]; /* those that came last, the newest first */
	unsigned int kept;
	bool has_more; /* of other processes */
};

void commit_refusals_read(const struct kernel_log *log, struct commit_refusals *ret);

/* "importd (130) 60.0M 5 times, nightly (131) 300.0M and others": as many processes as that, the newest first */
void commit_refusals_text(const struct commit_refusals *r, unsigned int processes,
			  struct strbuf *b);
