/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON Lines, written as it comes: one object a line.  Values of 64 bits that
 * are addresses, handles or masks are hexadecimal strings; counts are numbers.
 * Text from a dump need not be UTF-8: bytes that are not become U+0080..U+00FF.
 */
#pragma once

#include "util/sink.h"

struct json {
	struct sink *sink;
	bool comma;	 /* something stands before the next value */
	const char *key; /* of the next value, as it is written; NULL: the key that is given is */
	size_t key_bytes;
};

/* A line: {"record":RECORD, ... } */
void json_open_line(struct json *j, struct sink *sink, const char *record);
void json_close_line(struct json *j);

/* The key of the next value as it is written: "key": in its quotes; a longer one than most is not taken. */
void json_ready_key(struct json *j, const char *text, size_t n);

/* A key and its value as they are written, at most as long as a key that is taken. */
void json_ready(struct json *j, const char *text, size_t n);

/* key NULL: an element of an array */
void json_open_object(struct json *j, const char *key);
void json_close_object(struct json *j);
void json_open_array(struct json *j, const char *key);
void json_close_array(struct json *j);
void json_uint(struct json *j, const char *key, uint64_t v);
void json_int(struct json *j, const char *key, int64_t v);
void json_hex(struct json *j, const char *key, uint64_t v);
void json_bool(struct json *j, const char *key, bool v);
void json_null(struct json *j, const char *key);
/* Text that is a number already, such as 61.2 */
void json_number(struct json *j, const char *key, const char *text);
/* NULL is null */
void json_text(struct json *j, const char *key, const char *text);
