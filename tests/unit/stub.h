/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A dump made of tables, for tests of the decoders. */
#pragma once

#include "dump/dump.h"
#include "util/sink.h"

struct stub_memory {
	uint64_t addr;
	const void *bytes;
	size_t len;
};

struct stub_symbol {
	const char *name;
	uint64_t addr;
	struct field type; /* as a variable; absent: no debug information */
};

struct stub_member {
	const char *type, *name;
	struct field field;
};

struct stub_number {
	const char *name; /* of a type (its size) or an enumerator */
	int64_t value;
};

/* Each table ends with a row of zeros; NULL is an empty one. */
struct stub {
	const struct stub_memory *memory;
	const struct stub_symbol *symbols;
	const struct stub_member *members;
	const struct stub_number *sizes, *enumerators;
	struct dump_ops ops; /* what is NULL when it is opened is by the tables, if at all */
	struct dump dump;
	struct arena arena;
	struct stub *opened_before; /* that is open, too */
	unsigned int reads;
};

#define FIELD(o, s)                                                                                \
	{                                                                                          \
		.present = true, .kind = (s) <= 8 ? KIND_INT : KIND_STRUCT, .offset = o, .size = s \
	}
#define KINDED(k, o, s)                                            \
	{                                                          \
		.present = true, .kind = k, .offset = o, .size = s \
	}
#define BITS(o, s, at, n)                   \
	{                                   \
		true, KIND_INT, o, s, at, n \
	}

/* stub->dump is ready to use until stub_close(), or the end of the test. */
void stub_open(struct stub *s);
void stub_close(struct stub *s);
/* The same of one that is made anew of these members, and may be open. */
void stub_reopen(struct stub *s, struct stub with);
#define STUB_OPEN(STUB, ...) stub_reopen(&(STUB), (struct stub){ __VA_ARGS__ })
/* One of these members that is open from here to the end of the block. */
#define STUB(NAME, ...)                                                          \
	struct stub NAME __attribute__((cleanup(stub_close))) = { __VA_ARGS__ }; \
	stub_open(&(NAME))

/* Collects what is written. */
struct text {
	struct sink sink;
	char buf[65536];
	size_t n;
};

void text_open(struct text *t);
/* What has been written so far. */
const char *text_get(struct text *t);
