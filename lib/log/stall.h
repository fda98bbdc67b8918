/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU that did not get on, by the lines of kernel/rcu/tree_stall.h, tree_exp.h and kernel/watchdog.c, as 4.18
 * to 7.3 print them. Text only: nothing here reads the dump.
 */
#pragma once

#include "log/log_text.h"

#define STALL_COMM LOG_COMM
#define STALL_PLACE 160

enum stall_kind { STALL_NONE, STALL_RCU, STALL_SOFT, STALL_HARD };

struct cpu_stall {
	enum stall_kind kind;
	struct log_number cpu;	   /* the first one that is named */
	unsigned int more;	   /* that are named, too */
	struct log_number jiffies; /* for so long RCU waited */
	struct log_number seconds; /* for so long no other task ran there */
	struct log_number pid; /* of the named task, of RCU the one that ran there or blocks it */
	char comm[STALL_COMM + 1]; /* "": unknown */
	bool in_user;		   /* of RCU: it ran in user mode */
	bool has_place;		   /* the registers and the stack of that task are printed */
	/* "symbol+0x9/0x20 [module]" that the task ran when RCU or the watchdog looked; "": unknown. */
	char place[STALL_PLACE + 1];
	char caller[STALL_PLACE +
		    1]; /* of its stack the first one of a module, if that is none; "": unknown */
	/* Of an interrupt: the first one of a module in the stack that it interrupted; "": unknown. */
	char interrupted[STALL_PLACE + 1];
	bool is_behind_irq;	 /* that stack is printed */
	bool is_open;		 /* more lines of it follow */
	unsigned int task_lines; /* of RCU: the next lines, in which its task may be named */
};

/* Takes the lines of the log from the oldest to the newest into a zeroed struct: the newest report stays. */
void stall_line(struct cpu_stall *s, const char *line);

/* Lines are missing. */
void stall_gap(struct cpu_stall *s);

/* Whether it is what the kernel panicked of, by the panic's text. */
bool stall_is_fatal(const struct cpu_stall *s, const char *panic);

/* Whether a function is one that spins until another CPU gives up a lock. */
bool stall_spins_in(const char *function);
/* Whether it spun for a lock, which a task on another CPU has. */
bool stall_is_spinning(const struct cpu_stall *s);
