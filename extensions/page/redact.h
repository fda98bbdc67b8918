/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pseudonyms for what names people and machines: host, commands, paths, cgroups, addresses. One name has one
 * pseudonym in a report. What is not known to be a name is looked at by its form: a path, an address.
 */
#pragma once

#include "dump/dump.h"
#include "util/hash_bytes.h"

enum redact_kind {
	REDACT_HOST,
	REDACT_COMMAND,
	REDACT_PATH,
	REDACT_PART,	/* the last name of a path, alone */
	REDACT_ADDRESS, /* of memory or of the network */
	REDACT_DEVICE,	/* a name that a driver or a user gave it */
	REDACT_BPF,	/* name of a BPF map or program, as who loaded it gave it */
	REDACT_LINE,	/* command line of the kernel */
	REDACT_KINDS
};

struct redact {
	struct dump *dump;
	struct hash_bytes names; /* of struct pseudonym by name */
	struct hash_bytes threads,
		processes; /* keys are names of those of the kernel, and of others */
	uint64_t n;	   /* of all kinds */
	size_t longest;	   /* name that is looked for */
	const char *line;  /* command line of the kernel; NULL: unknown */
};

void redact_open(struct dump *d, struct redact *ret);

/* Names in a line of JSON, by their keys. */
void redact_learn_record(struct redact *r, const char *line, size_t n);

/* A text with pseudonyms, in the arena of the dump. */
const char *redact_text(struct redact *r, const char *text, size_t n);

/* The whole of a cell: column is the name that its column has in JSON. */
const char *redact_cell(struct redact *r, const char *column, const char *text);

/* Values of a line of JSON, by their keys. */
const char *redact_record(struct redact *r, const char *line, size_t n);
