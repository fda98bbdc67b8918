/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system call that a thread is in, by the registers of user mode at the top of its kernel stack (struct pt_regs,
 * task_pt_regs()): of x86-64 and arm64, for 64-bit code.
 */
#pragma once

#include "tasks/task_stack.h"

struct user_calls {
	struct dump *dump;
	const struct user_abi *abi; /* NULL: of neither */
	struct field number, first, second, third, fourth, code, stack;
	uint64_t bytes; /* of a struct pt_regs; 0: its registers are others, or not known */
};

void user_calls_open(struct dump *d, struct user_calls *ret);

/* How many files select(), poll() or the like was asked for. Without one it waits for time, or a signal. */
enum user_files { USER_FILES_UNKNOWN, USER_FILES_NONE, USER_FILES_SOME };

/*
 * Whether it is futex(FUTEX_WAIT) until a word is not 2, for any time: what glibc and Go ask for
 * where a lock is taken and waited for (sysdeps/nptl/lowlevellock.h: 2, and lock_futex.go: mutex_sleeping). A wait for work
 * has other numbers, but by chance: it is inferred.
 */
bool user_call_locks(const struct user_calls *x, const struct task_stack *stack);

enum user_files user_call_files(const struct user_calls *x, const struct task_stack *stack);
