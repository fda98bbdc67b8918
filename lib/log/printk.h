/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel log, newest record first: the ring of descriptors of 5.10 and
 * later (kernel/printk/printk_ringbuffer.h), before that the records of log_buf.h.
 */
#pragma once

#include "dump/dump.h"

struct log_record {
	uint64_t seq;
	uint64_t ts_ns;	  /* local_clock() */
	bool from_user;	  /* written to /dev/kmsg (facility is not LOG_KERN) */
	const char *text; /* valid until visit returns; control characters as they are */
	bool is_torn;	  /* the text is not in this dump: "" */
	bool has_caller;
	uint32_t caller; /* pid of the task that wrote it, or LOG_CALLER_CPU + a CPU */
};

/* printk_caller_id(): outside of a task, in an interrupt, the CPU writes. */
#define LOG_CALLER_CPU 0x80000000U

/*
 * Calls visit for each record that is in the dump, newest first, until it
 * returns a status other than ST_OK.  ST_ABSENT: the kernel has neither.
 */
enum status printk_walk(struct dump *d, enum status (*visit)(void *arg, const struct log_record *r),
			void *arg);

/*
 * When the panic was logged, else the time of the newest record: then *is_panic is false. *is_whole is always
 * set: no panic is in a part of the log that could not be read.
 */
enum status printk_panic_time(struct dump *d, uint64_t *ns, bool *is_panic, bool *is_whole);

/*
 * Bytes of the log's buffers, of which *text are for its text: log_buf_len= makes them larger, and since 5.10 a
 * record of 112 bytes stands beside each 32 of them.  They are memory of boot.  ST_ABSENT: the kernel has neither form.
 */
enum status printk_bytes(struct dump *d, uint64_t *text, uint64_t *ret);
