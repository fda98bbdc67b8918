/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What debug information answered, kept for the commands of a session, which ask the same: gdb takes
 * up to tens of milliseconds for a question.
 */
#pragma once

#include "dump/dump.h"

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
