/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last page fault of a task that ended in a signal to it: thread.cr2 with thread.trap_nr (set_signal_archinfo() in
 * arch/x86/mm/fault.c), the file that is mapped there, and why that has no page: it ends before, or its tmpfs is full.
 */
#pragma once

#include "files/inode.h"
#include "kernel/percpu_counter.h"
#include "util/strbuf.h"
#include "vm/vma.h"

struct signal_faults {
	struct dump *dump;
	struct structure task, file, super, shmem;
	struct vmas vmas;
	struct inodes inodes;
	struct percpu_counters counters;
};

struct signal_fault {
	uint64_t address;
	bool is_write;
	const char *file; /* what is mapped there, NULL: no file, or unknown */
	uint64_t offset;  /* of the address in the file, bytes */
	bool has_size;
	uint64_t size;	      /* of the file, bytes */
	bool is_beyond;	      /* its page begins behind the last one of the file */
	bool has_space;	      /* a tmpfs with a limit: */
	uint64_t space, used; /* bytes */
	bool is_full;
};

/* *ret must stay where it is. ST_UNKNOWN: a layout that this build does not know; ST_ABSENT: another architecture. */
enum status signal_faults_open(struct dump *d, struct signal_faults *ret);

/* Of a task_struct and its mm_struct; ST_ABSENT: no signal of it came of a page fault. */
enum status signal_fault_read(struct signal_faults *x, uint64_t task, uint64_t mm,
			      struct signal_fault *ret);

/* "a write to byte 5242880 of /run/x (8.0M), whose tmpfs is full: ...", "a read of byte 4096 of /x, which ends before it, at ..." */
void signal_fault_words(const struct signal_fault *f, struct strbuf *b);
