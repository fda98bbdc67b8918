/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol table that the kernel prints from, read out of the dump
 * (kernel/kallsyms.c, scripts/kallsyms.c).
 *
 * Addresses are a sorted array of 32-bit offsets from kallsyms_relative_base or,
 * in kernels without it (7.3), from where each offset itself stands.
 * Names are one stream of records: a length (two bytes if the high bit of the
 * first is set), then that many token numbers; a token stands for a piece of
 * text, and the first character of a name is its type.  A marker per 256 names
 * says where in the stream they start.  With the tokens 1 = "do_" and 2 = "exit",
 * the record 03 'T' 01 02 is the text symbol "do_exit".
 */
#pragma once

#include "dump/dump.h"

#define KALLSYMS_TOKEN_BYTES 65536		    /* token_index is 16 bits wide */
#define KALLSYMS_MAX_NAME 512			    /* KSYM_NAME_LEN since 6.1 */
#define KALLSYMS_NAME_ROOM (KALLSYMS_MAX_NAME + 16) /* a token is copied as 16 bytes */
#define KALLSYMS_LOST UINT64_MAX /* the place of a record that is not in this dump */

enum kallsyms_encoding {
	KALLSYMS_PLAIN,	   /* from the base */
	KALLSYMS_NEGATIVE, /* below the base but one; positive ones are per-CPU and absolute */
	KALLSYMS_SELF,	   /* from the entry */
};

/* Addresses of its tables. */
struct kallsyms_places {
	uint64_t num_syms, names, markers, token_table, token_index, offsets;
	uint64_t relative_base; /* 0: there is none */
};

struct kallsyms {
	struct dump *dump;
	struct kallsyms_places places;
	uint32_t n;
	uint32_t *offsets;
	uint8_t *missing_offsets; /* a byte for each page of them; NULL: all are in this dump */
	uint64_t base;		  /* kallsyms_relative_base, or the address of the offsets */
	enum kallsyms_encoding encoding;
	uint8_t *names; /* all of the stream */
	uint64_t name_bytes;
	uint8_t *missing; /* a byte for each page of the stream, not 0: it is not in this dump */
	bool incomplete;  /* a page of it is missing */
	uint64_t names_at;
	uint8_t *markers; /* all of them */
	unsigned int marker_bytes;
	char *tokens;
	size_t token_bytes; /* how much of the tokens could be read */
	uint16_t token_index[256];
	uint16_t token_length[256]; /* more than a name has: it does not end, or is not there */
	uint64_t token_hash[256], powers[KALLSYMS_MAX_NAME + 1]; /* for kallsyms_hash() */
	uint64_t first, last; /* addresses of the kernel image: _stext, _end */
};

/* ST_ABSENT: no CONFIG_KALLSYMS; ST_UNKNOWN: tables that contradict the symbols of vmlinux. */
enum status kallsyms_open(struct dump *d, struct kallsyms *ret);

/*
 * The tables of these places, with the encoding that is usual for them: nothing says that they are the
 * kernel's own, and kallsyms_lookup() does not know where the image ends.
 */
enum status kallsyms_read(struct dump *d, const struct kallsyms_places *places,
			  struct kallsyms *ret);

/* Address of symbol i, which is below n; where it is lost, that of the last one before, or 0: it is not below that. */
uint64_t kallsyms_address(const struct kallsyms *k, uint32_t i);

/* Whether the address of symbol i is not in this dump: its name may be. */
bool kallsyms_is_lost(const struct kallsyms *k, uint32_t i);

/*
 * Calls visit for each symbol in the order of the table, which rises by address; at: where the record of its
 * name is, or KALLSYMS_LOST. visit ends it by any status but ST_OK.
 */
enum status kallsyms_each(const struct kallsyms *k,
			  enum status (*visit)(void *arg, uint32_t i, uint64_t at), void *arg);

/* The name of a record, written to buf; NULL: it is lost or corrupt. */
const char *kallsyms_name(const struct kallsyms *k, uint64_t at, char buf[KALLSYMS_NAME_ROOM]);

/* A hash of that name, from sums of its tokens, in less time than it takes to write it; 0: lost or corrupt. */
uint32_t kallsyms_hash(const struct kallsyms *k, uint64_t at);

/* The same of a text. */
uint32_t kallsyms_hash_text(const char *name);

/* The first symbol of a name; false: there is none, or it cannot be seen. */
bool kallsyms_find(const struct kallsyms *k, const char *name, uint32_t *ret);

/* Whether it has variables, as with CONFIG_KALLSYMS_ALL: one that every kernel has. false: or it cannot be seen. */
bool kallsyms_has_data(const struct kallsyms *k);

/* What %pS prints for an address of the kernel image; ST_ABSENT outside of it; ST_UNREADABLE: the symbol there may be lost. */
enum status kallsyms_lookup(struct kallsyms *k, uint64_t addr, struct symbol *ret);
