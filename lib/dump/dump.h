/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract between the decoders and whatever holds the dump.
 *
 * Decoders reach the dump through struct dump_ops only.  They never print and
 * never end the program: a function returns a status, and the one that fails
 * leaves a message in dump->error.  A result is written only with ST_OK.
 */
#pragma once

#include <stdarg.h>
#include <stdio.h>

#include "dump/field.h"
#include "dump/typed.h"
#include "util/arena.h"
#include "util/array.h"
#include "util/not_used.h"

_Static_assert(sizeof(long) == sizeof(uint64_t), "formats have %lu for uint64_t");

/* "Absent", "unreadable" and "corrupt" are three outcomes up to the output. */
enum status {
	ST_OK,	       /* 0: a() ?: b() is b() where a() went well, else what a() returned */
	ST_ABSENT,     /* this kernel has no such thing */
	ST_UNREADABLE, /* the kernel has it, this dump does not */
	ST_CORRUPT,    /* it was read and cannot be true */
	ST_UNKNOWN,    /* a layout that this build does not know */
	ST_NOMEM,      /* no room: of memory, or by a limit of this build */
	ST_USAGE,      /* the user asked for what cannot be */
	ST_STOPPED,    /* interrupted, or the reader of the output is gone */
};

/* What a function returns that writes its result on success only: ST, and *RET is the value if that is ST_OK. */
#define RESULT(ST, RET, ...)                  \
	({                                    \
		enum status result_ = (ST);   \
                                              \
		if (result_ == ST_OK)         \
			*(RET) = __VA_ARGS__; \
		result_;                      \
	})

#define DUMP_ERROR 640 /* bytes of a message */

/* A symbol as the kernel would print it. */
struct symbol {
	const char *name; /* lives as long as the command */
	uint64_t address;
	uint64_t size; /* bytes to the next symbol, 0 if unknown */
};

/*
 * All addresses are kernel virtual.  No function keeps a pointer that it was
 * given.  Functions that return a status may set dump->error.
 */
struct dump_ops {
	/* All of len bytes, or ST_UNREADABLE with buf undefined. */
	enum status (*read)(void *priv, uint64_t addr, void *buf, size_t len);
	/* The same for physical addresses; NULL: the reader of the dump cannot. */
	enum status (*read_phys)(void *priv, uint64_t addr, void *buf, size_t len);
	/*
	 * Address of a symbol of vmlinux, moved by KASLR; ST_ABSENT; ST_UNREADABLE: the kernel may
	 * have it, part of the names is not in this dump.
	 */
	enum status (*symbol)(void *priv, const char *name, uint64_t *ret);
	/*
	 * Address of a symbol of a module, by its object file, where the reader of the dump has
	 * loaded one; ST_ABSENT. NULL if it never does.
	 */
	enum status (*object_symbol)(void *priv, const char *name, uint64_t *ret);
	/* Type of a variable of vmlinux, or of "variable[0]" (offset 0); ST_ABSENT. */
	enum status (*variable)(void *priv, const char *name, struct field *ret);
	/* Bytes of "struct x" or "union x" written with its keyword; ST_ABSENT. */
	enum status (*type_size)(void *priv, const char *type, uint64_t *ret);
	/* A member of such a type; "a.b" goes into nested ones; ST_ABSENT. */
	enum status (*member)(void *priv, const char *type, const char *member, struct field *ret);
	/* A member that is a bit field: member() knows nothing of its bits. */
	enum status (*bits)(void *priv, const char *type, const char *member, struct field *ret);
	/* Types by number, with what they lead to (typed.h); NULL: the reader of the dump has no members but by name. */
	enum status (*typed)(void *priv, const struct type_query *q, struct typed *ret);
	/* What debug information says of such a type, in lines; NULL: never known. */
	enum status (*type_text)(void *priv, const char *type, char *buf, size_t size);
	enum status (*enumerator)(void *priv, const char *name, int64_t *ret);
	/* Whether an enumerator is one of that type, "enum zone_stat_item". */
	bool (*enumerates)(void *priv, const char *type, const char *name);
	/* A number of the VMCOREINFO note; NULL if there is never one. */
	enum status (*vmcoreinfo)(void *priv, const char *key, int64_t *ret);
	/* A text of that note, at most size - 1 bytes; ST_ABSENT; NULL if there is never one. */
	enum status (*vmcoreinfo_text)(void *priv, const char *key, char *buf, size_t size);
	/* The note NT_PRSTATUS i of the dump, of a CPU each, with its header; NULL: no more. NULL if there is never one. */
	const uint8_t *(*cpu_note)(void *priv, unsigned int i);
	/* Nearest symbol of vmlinux at or below an address; ST_ABSENT; ST_UNREADABLE as above. */
	enum status (*closest)(void *priv, uint64_t addr, struct symbol *ret);
	/* Physical address of a kernel virtual one; ST_ABSENT: it is not mapped. */
	enum status (*virt_to_phys)(void *priv, uint64_t addr, uint64_t *ret);
	/*
	 * Path of file i that the reader of the dump has of the kernel (module NULL) or
	 * of a module; NULL: no more. It lives until the next call.
	 */
	const char *(*object)(void *priv, const char *module, unsigned int i);
	/* Messages that the reader of the dump printed since the command began. */
	unsigned long (*muted)(void *priv);
	/* Polled in long loops: true once the user has asked to stop. */
	bool (*stopped)(void *priv);
	/* Shown on a terminal only; may be called often. */
	void (*progress)(void *priv, uint64_t done, uint64_t total);
	/* A line for the user that is no part of the output; NULL: it is not shown. */
	void (*remark)(void *priv, const char *text);
	/*
	 * Why a word of a command line, an argument or the value of an option, cannot be what was
	 * meant: a clause; NULL: it can.  NULL if words come as they were meant.
	 */
	const char *(*misquoted)(void *priv, const char *word, bool is_argument);
	/*
	 * What the reader of the dump does not have of the kernel, and what would help: a clause;
	 * NULL: nothing is missing. NULL if it would not have opened the dump then.
	 */
	const char *(*missing)(void *priv);
	/*
	 * What is missing of the file of the dump, "FILE: incomplete: it was cut off"; NULL: it is whole,
	 * or that is unknown.  NULL if it never knows.
	 */
	const char *(*incomplete)(void *priv);
	/* Whether memory that was asked for is in the file, and damaged there.  NULL if it never knows. */
	bool (*damaged)(void *priv);
	/*
	 * Why no type of the kernel is known but what VMCOREINFO has: a clause that no layout is unknown for
	 * another reason; NULL: types are known.  NULL if they always are.
	 */
	const char *(*unknown_types)(void *priv);
	/* Whether some of the types that this kernel has are not known: one that is not found is no sign. NULL: they always are. */
	bool (*loses_types)(void *priv);
	/* Symbols are where VMCOREINFO says that some are: of another kernel there would be none. */
	bool places_symbols;
};

struct trace_line {
	struct trace_line *next;
	char text[];
};

/* What a decoder could not find: a part of the answer that is unknown because of it. */
struct dump_gap {
	struct dump_gap *next;
	const char *part, *reason;
	enum status why;
};

struct kernel_map;
struct kallsyms;
struct holders;
struct log_file;
struct open_walk;
struct sockets;
struct tcp_hash;
struct task_rows;

struct dump {
	const struct dump_ops *ops;
	void *priv;
	/*
	 * NULL, or set by kernel_map_open(): physical address of what lies outside of the
	 * direct map and the image. ST_ABSENT: it lies inside; ST_UNREADABLE:
	 * it is not mapped, or a table is not in this dump.
	 */
	enum status (*translate)(struct dump *d, uint64_t addr, uint64_t *ret);
	struct kernel_map *map;
	const struct kallsyms *kallsyms; /* as read when the dump was opened; NULL: not */
	const struct log_file *log_file; /* all that is known, and no dump; NULL: a dump is there */
	struct open_walk *open_walk;	 /* open files of all processes; NULL: not asked for */
	const struct sockets *sockets;	 /* by sockets_collect(); NULL: not asked for */
	struct tcp_hash *tcp_hash;	 /* by tcp_hash_walk(); NULL: not asked for */
	const struct hash_u64 *
		socks; /* of const struct sock * by address, NULL: it cannot be read; that of sockets */
	struct hash_u64 *sock_of_socket; /* by sock_is_of_socket(); NULL: it was told of none */
	struct task_rows *task_rows; /* of the last walk over all threads; NULL: none was kept */
	struct holders *holders;     /* by owner_holders_find(); NULL: not asked for */
	/*
	 * NULL, or the same dump for as long as several commands run: what is found by it once is for all of them. Of
	 * that: the command that asks, which is told what it is told.
	 */
	struct dump *lasting, *asking;
	bool is_left_out;    /* it is there, and dump_forget() has left it for a text */
	bool linear_only;    /* ops->read is right for the direct map and the image alone */
	struct arena *arena; /* everything the command allocates */
	unsigned int page_shift;
	const char *arch; /* as uname -m has it; NULL: unknown */
	/*
	 * What the user does to load the object file of a module, before its name: "mod -s"; NULL:
	 * nothing can be done.
	 */
	const char *load_module;
	const char *typed_behind; /* what stands before commands that are typed; NULL: nothing */
	const char *module_types; /* the option that gives types of modules; NULL: there is none */
	bool interrupted;	  /* by dump_stopped() */
	bool no_data;		  /* the answer of the command is why it has none */
	enum { SYMBOLS_UNTRIED, SYMBOLS_FIT, SYMBOLS_DISAGREE } symbols; /* see dump_symbol() */
	bool tracing;							 /* -D */
	struct trace_line *trace, **last_trace;
	struct dump_gap *gaps; /* see dump_lacks() */
	bool told_gaps;	       /* a report has them */
#define DUMP_TOLD_OTHER (-1)
	int32_t told_tgid; /* of the process that a summary named; 0: none, DUMP_TOLD_OTHER: what has most is no process */
	const char *told_mount; /* where the file system is mounted that it named; NULL: none */
	char error[DUMP_ERROR];
};

void dump_init(struct dump *d, const struct dump_ops *ops, void *priv, struct arena *arena);

/* The same dump with memory of its own, of which nothing was asked yet. */
void dump_beside(const struct dump *d, struct arena *arena, struct dump *ret);

/* From here on it is one of which nothing is known: what its user asks and is told stays. */
void dump_forget(struct dump *d);

/* Sets dump->error and returns st, so that a failure is one statement. */
__attribute__((format(printf, 3, 4))) enum status dump_fail(struct dump *d, enum status st,
							    const char *fmt, ...);
#define dump_absent(d, ...) dump_fail(d, ST_ABSENT, __VA_ARGS__)
#define dump_unreadable(d, ...) dump_fail(d, ST_UNREADABLE, __VA_ARGS__)
#define dump_corrupt(d, ...) dump_fail(d, ST_CORRUPT, __VA_ARGS__)
#define dump_usage(d, ...) dump_fail(d, ST_USAGE, __VA_ARGS__)
/* Of a structure, or a part of it, that is in no form that this build knows. */
#define dump_unknown(d, fmt, ...) dump_fail(d, ST_UNKNOWN, "unknown layout: " fmt, ##__VA_ARGS__)

/* Memory that a library asked for could not be had: ends dump_guard(). */
__attribute__((noreturn)) enum status dump_no_memory(struct dump *d);

/* fn(d, arg); ST_NOMEM with a message: it was ended by memory that could not be had, as arena_try() says. */
enum status dump_guard(struct dump *d, enum status (*fn)(struct dump *d, void *arg), void *arg);

/*
 * Notes a part of the answer ("names of gfp flags") that a decoder goes on without, and why, once for
 * each part: every report that ends after it has it as a part that is unknown, and is not complete. For
 * what the kernel must have: what it was built without is no gap. A st of ST_ABSENT is told as ST_UNKNOWN.
 */
__attribute__((format(printf, 4, 5))) void dump_lacks(struct dump *d, const char *part,
						      enum status st, const char *fmt, ...);

/* What is left out of an output that is the kernel's text alone: to standard error. */
__attribute__((format(printf, 2, 3))) void dump_remark(struct dump *d, const char *fmt, ...);

/* ": mod -s NAME", behind what is missing because no object file of a module is loaded. */
const char *dump_load_module(struct dump *d, const char *name);

/* The message of what failed last, for as long as the command runs. */
static inline const char *dump_why(const struct dump *d)
{
	return arena_strdup(d->arena, d->error);
}

/* The reader of the dump itself: dump_ask(d, type_size, "struct page", &bytes). */
#define dump_ask(d, op, ...) ((d)->ops->op((d)->priv, __VA_ARGS__))

/* Records a decision or a value for -D; nothing without it. */
__attribute__((format(printf, 2, 3))) void decoder_trace(struct dump *d, const char *fmt, ...);

/* All of len bytes; no message if they cannot be read. */
enum status dump_try(struct dump *d, uint64_t addr, void *buf, size_t len);

/* Reads with a message that names what was being read. */
enum status dump_read(struct dump *d, uint64_t addr, void *buf, size_t len, const char *what);
enum status dump_u32(struct dump *d, uint64_t addr, uint32_t *ret, const char *what);
enum status dump_u64(struct dump *d, uint64_t addr, uint64_t *ret, const char *what);
/*
 * Of a copy of what is in use, within a page: ST_CORRUPT: it is zeros, or ones, and so is all of its page. No
 * kernel wrote that: who made the dump put it in place of what could not be read.
 */
enum status dump_check(struct dump *d, uint64_t addr, const void *copy, size_t len,
		       const char *what);
/* At most size - 1 bytes; an unterminated or unreadable string is an error. */
enum status dump_string(struct dump *d, uint64_t addr, char *buf, size_t size, const char *what);

/* Physical address of any kernel virtual one, by dump.translate where it is set. */
enum status dump_phys(struct dump *d, uint64_t addr, uint64_t *ret);

/* ST_CORRUPT: symbols do not lead to what they name.  ST_OK: they do, or that is unknown. */
enum status dump_symbols_fit(struct dump *d);

/*
 * Symbol, then its value of 1, 2, 4 or 8 bytes as the type of the variable says.
 * ST_CORRUPT: vmlinux has it, but symbols do not lead to what they name.  ST_UNKNOWN: there is none:
 * a compiler or a vendor may have renamed it, so that alone tells of nothing that it is absent.
 */
enum status dump_symbol(struct dump *d, const char *name, uint64_t *ret);
/* True where it is unknown, too: what then asks for the symbol says so. */
bool dump_has_symbol(struct dump *d, const char *name);
/* For a statement that rests on the symbol alone: false where it is unknown. */
bool dump_knows_symbol(struct dump *d, const char *name);
/* Of a type; 0: it has none, or is not known. */
uint64_t dump_type_bytes(struct dump *d, const char *type);
/* A type without a member is none. False where no types are known: then the lack of one says nothing of the kernel. */
bool dump_lacks_type(struct dump *d, const char *type);
/* Whether no type of this kernel is known at all, for which each answer has its reason. */
bool dump_has_no_types(const struct dump *d);
/*
 * Whether this kernel has what the symbol is the door to, and whose type ("struct x") it has only with
 * that: ST_ABSENT without both, ST_UNKNOWN without the symbol alone.
 */
enum status dump_has_both(struct dump *d, const char *name, const char *type);
/* The same with the option that both come with, "CONFIG_NET", in the message of ST_ABSENT. */
enum status dump_built_with(struct dump *d, const char *option, const char *name, const char *type);
enum status dump_value(struct dump *d, const char *name, uint64_t *ret);
/* Variables whose size is known without a type, as BTF has none of them: ST_CORRUPT, too: its page is blank (dump_check()). */
enum status dump_symbol_u32(struct dump *d, const char *name, uint32_t *ret);
enum status dump_symbol_u64(struct dump *d, const char *name, uint64_t *ret);
/* An enumerator that every kernel has. ST_UNKNOWN: debug information has none of that name. */
enum status dump_enumerator(struct dump *d, const char *name, int64_t *ret);
/* The same, or what stands for none; the bit of that number, or 0. */
int64_t dump_enumerator_or(struct dump *d, const char *name, int64_t none);
uint64_t dump_enumerator_bit(struct dump *d, const char *name);
/* Notes as a gap that there is no such enumerator, nor INSTEAD, which other releases have; NULL: none do. */
void dump_expects(struct dump *d, const char *part, const char *name, const char *instead);

/*
 * Whether the user has asked to stop; stays so for the rest of the command.  Then that is the
 * message, so that none of before is told as the reason.
 */
static inline bool dump_stopped(struct dump *d)
{
	if (d->ops->stopped && d->ops->stopped(d->priv))
		d->interrupted = true;
	if (d->interrupted)
		dump_fail(d, ST_STOPPED, "interrupted");
	return d->interrupted;
}

static inline uint64_t dump_page_size(const struct dump *d)
{
	return 1ULL << d->page_shift;
}

/* Of the command's arena. */
static inline void *dump_alloc(struct dump *d, size_t size)
{
	return arena_alloc(d->arena, size);
}
#define dump_strdup(d, text) arena_strdup((d)->arena, text)
#define dump_text(d, ...) arena_text((d)->arena, __VA_ARGS__)

/* A walk goes on behind what it cannot read, and ends with the first of these problems. */

/* Starts as zero. */
struct first_problem {
	enum status status;
	const char *text; /* in the arena of the dump */
};

/* What ends the walk: ST_STOPPED; ST_OK for all else, which is kept with the dump's error. */
enum status first_problem_keep(struct dump *d, struct first_problem *p, enum status st);

/* That of a part by itself, as it was just opened. */
static inline struct first_problem problem_of_part(const struct dump *d, enum status opened)
{
	return (struct first_problem){ opened, opened == ST_OK ? NULL : dump_why(d) };
}

/* The problem that was kept, as the dump's error, or ST_OK. */
enum status first_problem_end(struct dump *d, const struct first_problem *p);
