/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Questions about types of the kernel: the part of dump_ops that debug
 * information answers. What it needs of crash comes as struct type_lookup.
 */
#pragma once

#include "dump/dump.h"

enum type_question {
	TYPE_SIZE,    /* bytes; member is NULL */
	MEMBER_PLACE, /* bytes from the start; of a bit field, of the byte that it starts in */
	MEMBER_BYTES,
	MEMBER_CODE, /* gdb's code of its type */
};

/* Look-ups in crash and its gdb. Names are copies that crash may write to. */
struct type_lookup {
	/* crash's own look-up: type is a tag without its keyword. -1: no such type or member. */
	long (*info)(char *type, char *member, enum type_question question);
	/* Tag of a member's type, NULL if it has none. */
	const char *(*member_type)(char *type, char *member);
	/* The value of an enumerator; false: there is none of that name. */
	bool (*enumerator)(char *name, int64_t *ret);
	/* Runs a gdb command; false if gdb refuses it. Its answer is one line. */
	bool (*ask_gdb)(char *command, char *answer, size_t size);
};

/*
 * Before each command: the user may have told gdb otherwise. TYPES_CAN_COME: crash has commands that
 * load the debug information of a module, so that what was missing is asked for again.
 */
void types_reset(bool types_can_come);

/* For dump_ops; priv is a const struct type_lookup. */
enum status types_variable(void *priv, const char *name, struct field *ret);
enum status types_type_size(void *priv, const char *type, uint64_t *ret);
enum status types_member(void *priv, const char *type, const char *member, struct field *ret);
enum status types_bits(void *priv, const char *type, const char *member, struct field *ret);
enum status types_type_text(void *priv, const char *type, char *buf, size_t size);
enum status types_enumerator(void *priv, const char *name, int64_t *ret);
bool types_enumerates(void *priv, const char *type, const char *name);

/*
 * What debug information answered, kept for the commands of a session, which ask the same: gdb takes
 * up to tens of milliseconds for a question.
 */

struct type_answer {
	enum {
		TYPE_UNASKED,
		TYPE_FOUND,
		TYPE_MISSING, /* until type_memo_next(): "mod -s" may add it */
		TYPE_ABSENT,  /* as long as the extension is loaded */
	} outcome;
	union {
		struct field field;
		uint64_t size;
		int64_t value;
	};
};

/*
 * The answer to a question of two names, the second of which may be empty: of outcome TYPE_UNASKED
 * until the caller writes it. It stays where it is. NULL: there is no memory, or a name is too long.
 */
struct type_answer *type_memo(char question, const char *name, const char *second);

/* Before a command, where "mod -s" may have come: what is missing is asked for again. */
void type_memo_next(void);

/* Frees all answers. */
void type_memo_close(void);
