/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a task is inside a page fault, and what its stack tells of the fault. */
#pragma once

#include "symbols/symbolize.h"
#include "tasks/task.h"
#include "tasks/unwind.h"
#include "vm/vm_fault.h"

/* The frames of a task's kernel stack, with the names of their functions. */

struct task_frames {
	struct dump *dump;
	struct symbolizer symbols;
	struct task_stacks stacks;
	struct unwinder unwinder;
	/* Of the task that was read last. */
	struct task_stack stack;
	struct unwind frames;
};

/* *ret must stay where it is. */
enum status task_frames_open(struct dump *d, struct task_frames *ret);

/*
 * What else but ST_OK: its stack is not in this dump, or no stack, or of a task on a CPU no frames are
 * known; it has no frames then.
 */
enum status task_frames_read(struct task_frames *f, uint64_t task);

/* The function of frame i; "": unknown. */
const char *task_frames_name(struct task_frames *f, unsigned int i);

/* The same with the offset of its address. */
const struct frame *task_frames_at(struct task_frames *f, unsigned int i);

/* All frames, with lines where symbols.lines is set; it lives as long as the command. */
const struct stack *task_frames_stack(struct task_frames *f);

enum in_fault_mode {
	MODE_UNKNOWN,
	MODE_USER,
	MODE_KERNEL, /* a copy to or from user memory */
	MODE_GUP,    /* no exception: the kernel asked for the page (get_user_pages()) */
	FAULT_MODES
};

enum address_source {
	ADDRESS_UNKNOWN,
	ADDRESS_VM_FAULT, /* to the byte */
	ADDRESS_PAGE,	  /* of struct vm_fault: the page only */
	ADDRESS_STACK,	  /* derived: the only user address in the frames of the fault */
};

struct in_fault {
	enum in_fault_mode mode;
	uint64_t regs; /* struct pt_regs of the exception, 0: none */
	enum address_source source;
	uint64_t address;
	bool has_flags;
	uint64_t flags; /* VM_FAULT_WRITE and so on */
	bool has_vma;
	struct vma vma;
	bool has_handler; /* it reached handle_mm_fault() */
};

struct fault_finder {
	struct dump *dump;
	struct task_frames at; /* of the task that was looked at last */
	struct vmas vmas;
	struct vm_faults faults;
};

/* *ret must stay where it is, as struct vmas. */
enum status fault_finder_open(struct dump *d, struct fault_finder *ret);

/*
 * ST_ABSENT: the task is in no page fault.  What else but ST_OK: its stack is not in this
 * dump, or no stack.
 */
enum status fault_find(struct fault_finder *f, const struct task *task, struct in_fault *ret);

/* The same of frames that task_frames_read() has read into at. */
enum status fault_of_frames(struct fault_finder *f, const struct task *task, struct in_fault *ret);

/*
 * The lock that a thread inside a page fault has for reading, which no lock says of a reader: handle_mm_fault() is
 * called with mmap_lock, or since 6.4 with the lock of the VMA, and only a fault that may be tried again gives
 * it back before it waits (fault_flag_allow_retry_first()).
 */

struct fault_locks {
	struct dump *dump;
	struct field mmap_lock;
	struct field vma_lock, vma_rwsem;   /* of vm_area_struct and vma_lock: 6.4 to 6.14 */
	struct field vma_count, vma_writer; /* of vm_area_struct and mm_struct: 6.15 */
	bool only_mmap_lock;		    /* no VMA has a lock */
};

struct fault_lock {
	/*
	 * The rw_semaphore that it has; 0: none is known. Of a VMA: it has that if another one waits for it, who
	 * has mmap_lock then. Since 6.15 a VMA counts its readers, and vma_writer_wait stands for the lock of the
	 * one that is waited for.
	 */
	uint64_t lock;
	uint64_t vma_start; /* of the VMA whose lock it is; 0: it is mmap_lock */
	uint64_t mmap_lock; /* of its memory, whether it has it or not; 0: unknown */
};

/* mmap_lock: as mmap_locks_open() found it. */
enum status fault_locks_open(struct dump *d, const struct field *mmap_lock,
			     struct fault_locks *ret);

/* The task_struct that waits for the readers of a VMA of mm, since 6.15; 0: none does. */
enum status fault_lock_writer(const struct fault_locks *l, uint64_t mm, uint64_t *ret);

/* at has the frames of the fault. ST_ABSENT: what the fault has is not known. */
enum status fault_lock_find(struct fault_locks *l, struct task_frames *at,
			    const struct in_fault *fault, struct fault_lock *ret);

/* Stacks that cannot be followed to the end: of which threads they are, and how far they were. */

#define CUT_STACKS 3u /* that are named */

struct cut_stacks {
	size_t n;
	unsigned int named;
	const char *names; /* of the first ones; NULL: none is cut */
};

/* One more: that of the task whose frames were read last. */
void cut_stacks_add(struct cut_stacks *c, const struct task *t, struct task_frames *at);
