/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of the kernel that are no report, and tell of what went wrong: of swap, of servers, devices and worker pools
 * that do not get on, of state that cannot be. What disks and file systems, limits and the hardware have is in
 * files of their own. 4.19 to 7.3. Text only.
 */
#pragma once

#include "log/kernel_log.h"

enum sign_kind {
	SIGN_IMPOSSIBLE, /* struct page, page tables, counters or swap entries: overwritten, or a defect of the kernel */
	SIGN_SWAP,	/* mm/page_io.c */
	SIGN_BOUNCE,	/* kernel/dma/swiotlb.c */
	SIGN_PERCPU,	/* mm/percpu.c */
	SIGN_PAGE_POOL, /* net/core/page_pool.c */
	SIGN_RETRY,	/* XFS asks for memory again and again */
	SIGN_FAULT,	/* mm/oom_kill.c, 5.16: VM_FAULT_OOM came to pagefault_out_of_memory() */
	SIGN_SERVER,	/* of files, on the network, by the last line on it */
	SIGN_DEVICE,
	SIGN_POOL,     /* drivers/md/dm-thin.c, dm-snap.c: by the last line on it */
	SIGN_WORKERS,  /* kernel/workqueue.c */
	SIGN_NETDEV,   /* net/core/dev.c: what refers to one does not end */
	SIGN_LISTEN,   /* net/ipv4/tcp_input.c */
	SIGN_REALTIME, /* kernel/sched/rt.c */
	SIGN_AUDIT,    /* kernel/audit.c */
	SIGN_BALLOON,  /* drivers/virtio/virtio_balloon.c */
	SIGN_HEAT, /* arch/x86/kernel/cpu/mce/therm_throt.c, drivers/thermal/intel/therm_throt.c */
	SIGN_KINDS
};

#define SIGN_TEXT 192

struct log_sign {
	unsigned int n; /* lines; 0: none */
	const struct kernel_record *first, *last;
	char text[SIGN_TEXT]; /* of the last */
	size_t row;	      /* of the table, of the first */
	bool is_mixed; /* there are others than that of the first: it may be what they came of */
};

struct log_signs {
	struct log_sign of[SIGN_KINDS];
};

void log_signs_read(const struct kernel_log *log, struct log_signs *ret);

/* "an error of a swap device" */
const char *log_sign_words(enum sign_kind kind);
