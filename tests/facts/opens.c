// SPDX-License-Identifier: GPL-2.0-or-later
#include "opens.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "facts.h"
#include "opens_table.h"

const struct open_function *open_nth(unsigned int i)
{
	for (const struct open_function *f = opens_of_mm; f->name; f++)
		if (!i--)
			return f;
	for (const struct open_function *f = opens_of_others; f->name; f++)
		if (!i--)
			return f;
	return NULL;
}

const struct open_function *open_function(const char *name)
{
	const struct open_function *f;

	for (f = opens_of_views; f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	for (unsigned int i = 0; (f = open_nth(i)) && strcmp(f->name, name);)
		i++;
	return f;
}

/* "at 0xffffffff82100000" depends on what was asked for before. */
static void leave_addresses_out(char *text)
{
	char *to = text;

	for (const char *p = text; *p;) {
		if (p[0] == '0' && p[1] == 'x') {
			const char *end = p + 2;

			while (isxdigit((unsigned char)*end))
				end++;
			if (end - p > 10) {
				memmove(to, "0x...", 5);
				to += 5;
				p = end;
				continue;
			}
		}
		*to++ = *p++;
	}
	*to = '\0';
}

const char *open_run(const struct open_function *f, struct blank *b)
{
	struct dump *d = &b->dump;
	char text[DUMP_ERROR];
	enum status st;

	d->error[0] = '\0';
	st = f->run(d);
	/* A blank dump has no values: what is missing or cannot be true was found in its layout. */
	if (st == ST_OK || st == ST_UNREADABLE || st == ST_CORRUPT)
		return "ok";
	if (st == ST_ABSENT && !*d->error)
		return "absent";
	snprintf(text, sizeof(text), "%s", *d->error ? d->error : "no message");
	leave_addresses_out(text);
	return arena_strdup(b->facts->arena, text);
}
