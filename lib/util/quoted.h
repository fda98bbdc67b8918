/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Quoted-printable, the form in which a mail is sent (RFC 2045, section 6.7): no line has more than 76 characters, a
 * longer one goes on behind "=", and a sign is "=3D", its number in hexadecimal.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define QUOTED_TEXT 16384 /* bytes of a line, as that of a log that is put together */

/* Of all lines of a text; zeroed, it has seen none. */
struct quoted {
	size_t broken; /* lines that go on */
	size_t signs;  /* that are written so */
	size_t equals; /* of these: "=" itself, which a log has in each report */
	size_t others; /* "=" that is neither, and lines that are too long */
};

/* A line without its end. */
void quoted_line(struct quoted *q, const char *line, size_t len);

/* Whether the text is of that form; headers of the mail before it are not. */
bool quoted_is(const struct quoted *q);

/* The line in place, with its new length; true: it goes on in the next one. */
bool quoted_decode(char *line, size_t *len);
