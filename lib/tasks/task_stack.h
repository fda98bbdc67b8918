/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel stack of a task, and the registers that it saved there when it last left its CPU:
 * x86_64 struct inactive_task_frame at thread.sp, arm64 thread.cpu_context.
 */
#pragma once

#include "dump/structure.h"
#include "tasks/cpu_notes.h"

/* Bits of a return address that pointer authentication may use; of kernel text they are set. */
#define ARM64_PAC (0xffffULL << 48)

struct task_stacks {
	struct dump *dump;
	struct structure task;
	struct field curr, bp, ret; /* of struct rq, struct inactive_task_frame */
	bool is_arm64;
	uint64_t size;	      /* THREAD_SIZE in bytes */
	uint64_t switch_span; /* bytes of struct inactive_task_frame */
	uint8_t *bytes;	      /* of the stack that was read last */
	uint64_t *running;    /* tasks of which struct task_struct does not say that they run */
	unsigned int nrunning;
	struct cpu_registers *cpus; /* of CPUs, where the dump has them */
	unsigned int ncpus;
};

struct task_stack {
	uint64_t base, size; /* bytes */
	const uint8_t *bytes;
	bool on_cpu;	    /* it did not save the registers below: they are not set, unless */
	bool has_registers; /* a CPU that was on this stack has them in the dump */
	bool irqs_off;	    /* by these: it ran with interrupts off */
	uint64_t irq_sp;    /* where a CPU left this stack for that of its interrupts; 0: unknown */
	uint64_t ip, sp, bp;
};

/* THREAD_SIZE in bytes, 0: unknown. */
uint64_t thread_size(struct dump *d);

enum status task_stacks_open(struct dump *d, struct task_stacks *ret);

/* The stack of a task_struct; ret->bytes is valid until the next call. */
enum status task_stack_read(const struct task_stacks *t, uint64_t task, struct task_stack *ret);

/* The aligned word at an address of the stack; false: it is not there. */
bool task_stack_word(const struct task_stack *s, uint64_t addr, uint64_t *ret);
