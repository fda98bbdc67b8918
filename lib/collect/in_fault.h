/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a task is inside a page fault, and what its stack tells of the fault. */
#pragma once

#include "collect/task_frames.h"
#include "collect/waits.h"
#include "tasks/task.h"
#include "vm/vm_fault.h"

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
	enum wait_kind waits_for;     /* WAIT_NONE: unknown */
	const struct frame *function; /* where it waits; NULL: unknown */
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
