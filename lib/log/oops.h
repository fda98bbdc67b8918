/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel's log says of its last oops and of the panic: the lines of
 * arch/x86/mm/fault.c, arch/x86/kernel/{traps,dumpstack,process_64}.c, arch/arm64/mm/fault.c,
 * arch/arm64/kernel/{traps,process}.c and arch/riscv/mm/fault.c, as 4.19 to 7.3 print them.
 * Text only: nothing here reads the dump.
 */
#pragma once

#include "log/kernel_log.h"
#include "log/module_frames.h"
#include "log/oops_code.h"
#include "log/stall.h"
#include "util/strbuf.h"

#define OOPS_LINE 256
#define OOPS_SYMBOL 128
#define OOPS_COMM LOG_COMM
#define OOPS_FRAMES 24
#define OOPS_MODULE 64 /* MODULE_NAME_LEN is less */

enum oops_kind {
	OOPS_NONE,
	OOPS_PAGE_FAULT,
	OOPS_GENERAL_PROTECTION,
	OOPS_STACK_OVERFLOW, /* a guard page of a stack was hit */
	OOPS_DOUBLE_FAULT,
	OOPS_BUG,	/* BUG() and its like */
	OOPS_EXCEPTION, /* another one: the headline names it */
	OOPS_KINDS
};

/* An oops: a fault or an exception of the kernel itself. */
struct oops {
	enum oops_kind kind;
	uint64_t ts_ns;		       /* of its first line, local_clock() */
	char headline[OOPS_LINE];      /* that line */
	struct log_number address;     /* that was accessed */
	struct log_number pf_code;     /* of "#PF: error_code()" */
	struct log_number die_code;    /* before "[#1]": the error code of this kind of exception */
	struct log_number esr, scause; /* of arm64, of riscv */
	struct log_number cr2;
	struct log_number cs; /* of x86: its two low bits are the mode */
	struct log_number sp;
	struct oops_registers registers;
	struct oops_code code; /* at ip */
	struct log_number cpu, pid;
	char comm[OOPS_COMM + 1]; /* "" with pid unknown */
	char ip[OOPS_SYMBOL];	  /* "symbol+0x1f/0x30 [module]", "0x0"; "": not told */
	char frames[OOPS_FRAMES][OOPS_SYMBOL]; /* of the call trace, those without '?' */
	unsigned int nframes;
	struct module_frames modules; /* of its trace, all of it */
	char said
		[OOPS_LINE]; /* what the kernel found, of a BUG() that says it in the line before; "" */
	char unloaded[OOPS_MODULE]; /* the module that was unloaded last; "": none, or not told */
	bool in_irq;	   /* its trace leads through an interrupt: the task was interrupted */
	unsigned int more; /* oopses that began before this one was printed */
};

/* "victim[45]: segfault at 10 ip 401e1d sp 7ffe error 6": a fault of user mode. */
struct user_fault {
	bool known;
	uint64_t ts_ns;
	uint64_t address, ip, sp, code;
	int32_t pid;
	char comm[OOPS_COMM + 1];
};

/* "INFO: task mariadbd:437 blocked for more than 20 seconds.": the newest that khungtaskd found. */
struct hung_task {
	uint64_t ts_ns;
	struct log_number pid, seconds;
	char comm[OOPS_COMM + 1];	       /* "" with pid unknown */
	char frames[OOPS_FRAMES][OOPS_SYMBOL]; /* of its call trace */
	unsigned int nframes;
	uint64_t
		n; /* of the same check, with those before; hung_task_warnings may keep back the rest */
};

struct oops_log {
	struct oops oops; /* the last one before the panic */
	struct user_fault user;
	struct hung_task hung;
	struct cpu_stall stall; /* the newest before the panic */
	bool has_panic;
	uint64_t panic_ns;
	char panic[OOPS_LINE]; /* behind "Kernel panic - not syncing: " */
	/* Of the stack that panic() prints of its own task; without one after an oops. */
	struct log_number panic_cpu, panic_pid;
	char panic_comm[OOPS_COMM + 1];
	struct module_frames panic_modules;	     /* of the same stack */
	char panic_frames[OOPS_FRAMES][OOPS_SYMBOL]; /* the same, those without '?' */
	unsigned int panic_nframes;
	bool is_by_file; /* the same stack: that task wrote to /proc/sysrq-trigger */
	/* State of the parser. */
	bool is_open;			      /* the oops is being printed */
	bool is_hung;			      /* the newest task of khungtaskd is, and no oops */
	bool in_trace;			      /* so is the call trace of either */
	bool in_panic_trace, had_panic_trace; /* the stack that panic() prints */
	char before[OOPS_LINE];		      /* what may be of a BUG() that follows */
	bool has_gap; /* records between the end of the oops and the panic are missing */
};

/* The line of one, without the frames and the time. */
bool hung_line(const char *line, struct hung_task *ret);

/* Takes the lines of the log from the oldest to the newest into a zeroed struct. */
void oops_log_line(struct oops_log *log, uint64_t ts_ns, const char *line);

/* In place of a line that is not in the dump. */
void oops_log_gap(struct oops_log *log);

/* Either of them, for each line of a record. */
void oops_log_record(struct oops_log *log, const struct kernel_record *rec);

/* Whether the oops is what the kernel died of: by the panic's text, or as there is no panic. */
bool oops_is_fatal(const struct oops_log *log);

/* Whether the last fault of user mode is what ended the first process, and so the kernel. */
bool oops_is_of_init(const struct oops_log *log);

/*
 * Whether the panic was one of an exception, or may have been, of which the log has neither an
 * oops nor a fault of user mode any more.
 */
bool oops_is_missing(const struct oops_log *log);

/* The error code of a page fault as the processor gave it; false: not told. */
bool oops_fault_code(const struct oops *o, uint64_t *ret);

/* Of a stack overflow the frame of a function that has half of the call trace or more, as it calls itself; NULL: none has. */
const char *oops_recurring(const struct oops *o);

/* "page_fault" and so on: the word of JSON. */
const char *oops_kind_name(enum oops_kind kind);
/* "divide error": of OOPS_EXCEPTION what the headline calls it; NULL: another kind, or it has no name there. */
const char *oops_exception_name(const struct oops *o);
/* The signal that ended the first process, 0 where it exited; false: another panic, or it does not say. */
bool oops_init_signal(const char *panic, unsigned int *ret);

/*
 * "init (1), the first process, died of signal 7 (SIGBUS)", of a panic of its end. The signal is the kernel's or its
 * own: no other process can send it one that ends it. false: another panic, or it does not say how.
 */
bool oops_init_text(const char *panic, const char *name, struct strbuf *b);
