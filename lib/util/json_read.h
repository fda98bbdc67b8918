/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of JSON Lines as util/json.h writes them, and as other tools do: read in place. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum json_kind {
	JSON_IS_NULL,
	JSON_IS_NUMBER,
	JSON_IS_TEXT,
	JSON_IS_WORD, /* true or false */
	JSON_IS_NEST, /* an array or an object, as it is written */
};

struct json_member {
	const char *name; /* NULL: an element of an array */
	enum json_kind kind;
	char *text;
};

/* false: no more is asked for */
typedef bool json_visitor(void *arg, const struct json_member *m);

/*
 * Visits the members of an object, or the elements of an array, in a text that ends behind it.  The text
 * is written to.  false: it is none; members before what is wrong were visited.
 */
bool json_read(char *text, json_visitor *visit, void *arg);

/* A whole number; false: it is none, or has no room. */
bool json_whole(const struct json_member *m, int64_t *ret);
