/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The other implementation of struct dump_ops: a dump that is read without crash.  What crash learns
 * from vmlinux comes from the dump itself: VMCOREINFO, the kernel's page tables, kallsyms, BTF.
 */
#pragma once

#include "dump/dump.h"

struct door;

struct door_request {
	const char *const *files; /* of one dump */
	size_t n;
	const char *vmlinux; /* NULL: none was given */
	const char *modules; /* folder of the objects of modules; NULL */
};

/* Polled by long loops, and what they show; NULL: nothing. */
struct door_user {
	bool (*stopped)(void);
	void (*progress)(uint64_t done, uint64_t total);
	void (*remark)(const char *text);
};

/*
 * session: of the program's whole life, as all that is opened; its message where this fails.  Where
 * only types or symbols are missing the door is open, and what rests on them is unknown.
 */
enum status door_open(struct dump *session, const struct door_request *r,
		      const struct door_user *user, struct door **ret);

/* A dump for one command, whose memory is arena. */
void door_dump(struct door *door, struct dump *d, struct arena *arena);

/* Whether memory is missing that should be in the file. */
bool door_is_incomplete(const struct door *o);

/* What is missing and the one thing that would help, a line; NULL: nothing is. */
const char *door_missing(const struct door *door);
