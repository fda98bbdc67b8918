/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many files processes have open, and of which kinds: each struct file once. */
#pragma once

#include "dump/dump.h"
#include "util/hash_bytes.h"

#define OPEN_KINDS 16 /* of files with a f_op of their own, by their mode, and all others */

/* Of a process, or of all processes of one name. */
struct open_count {
	const char *comm;
	int32_t tgid;	    /* of the first one */
	uint64_t processes; /* of the name that have a file open */
	uint64_t n, of_kind[OPEN_KINDS];
};

struct open_counts {
	struct hash_bytes all; /* of struct open_count, by tgid (an int32_t) or by name */
	bool complete;	       /* each descriptor of every process was read */
	const char *problem;   /* NULL, or what was missing first: there may be more */
};

/* by_name: of the processes of a name together. ST_UNKNOWN: a layout that this build does not know. */
enum status open_counts_read(struct dump *d, bool by_name, struct open_counts *ret);

/* NULL: it has none, or, unless complete, none is known. */
const struct open_count *open_counts_of(const struct open_counts *c, int32_t tgid);

/* "2,408 sockets, 1,204 eventfds": the largest first; room: how many of them. */
const char *open_kinds_text(struct dump *d, const struct open_count *c, unsigned int room);

/* Those that have a dentry of their own without a name: sockets, eventfds. */
uint64_t open_counts_dentries(const struct open_count *c);

/* Those that are ends of terminals, masters of pseudo-terminals too. */
uint64_t open_counts_terminals(const struct open_count *c);

/* Kinds of files by their f_op: of unsigned int, below OPEN_KINDS. */
void open_kinds_find(struct dump *d, struct hash_u64 *ret);
unsigned int open_kind(const struct hash_u64 *kinds, uint64_t operations);
/* "timerfds" */
const char *open_kind_name(unsigned int kind);
