// SPDX-License-Identifier: GPL-2.0-or-later
#include "opens.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "facts.h"
#include "opens_table.h"

bool open_is_asked(struct facts *f)
{
	return f->type(f, "struct shrinker", 0) != NULL;
}

/* Whose types were read once more. */
static bool is_asked_all(struct facts *f)
{
	return f->type(f, "struct mnt_namespace", 0) != NULL;
}

/* Whose types were read since. */
static bool is_asked_newest(struct facts *f)
{
	return f->type(f, "struct percpu_rw_semaphore", 0) != NULL;
}

/* Whose types of disks were read. */
static bool is_asked_disks(struct facts *f)
{
	return f->type(f, "struct blk_mq_tags", 0) != NULL;
}

/* Whose types of what sends packets were read. */
static bool is_asked_net(struct facts *f)
{
	return f->type(f, "struct netdev_queue", 0) != NULL;
}

const struct open_function *open_nth(struct facts *f, unsigned int i)
{
	const struct open_function *const tables[] = { opens_of_mm,
						       opens_of_others,
						       open_is_asked(f) ? opens_later : NULL,
						       is_asked_all(f) ? opens_last : NULL,
						       is_asked_newest(f) ? opens_newest : NULL,
						       is_asked_disks(f) ? opens_disks : NULL,
						       is_asked_net(f) ? opens_net : NULL };

	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++)
		for (const struct open_function *o = tables[t]; o && o->name; o++)
			if (!i--)
				return o;
	return NULL;
}

bool open_is_of(struct facts *f, const struct open_function *open)
{
	const struct open_function *o;

	for (unsigned int i = 0; (o = open_nth(f, i)); i++)
		if (o == open)
			return true;
	return false;
}

const struct open_function *open_function(const char *name)
{
	static const struct open_function *const tables[] = { opens_of_mm,  opens_of_others,
							      opens_later,  opens_last,
							      opens_newest, opens_disks,
							      opens_net };

	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++)
		for (const struct open_function *o = tables[t]; o->name; o++)
			if (!strcmp(o->name, name))
				return o;
	return NULL;
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
	enum status st;

	return open_run_status(f, b, &st);
}

const char *open_run_status(const struct open_function *f, struct blank *b, enum status *status)
{
	struct dump *d = &b->dump;
	char text[DUMP_ERROR];
	enum status st;

	d->error[0] = '\0';
	st = f->run(d);
	/* A blank dump has no values: what is missing or cannot be true was found in its layout. */
	*status = st == ST_UNREADABLE || st == ST_CORRUPT ? ST_OK : st;
	if (*status == ST_OK)
		return "ok";
	if (st == ST_ABSENT && !*d->error)
		return "absent";
	snprintf(text, sizeof(text), "%s", *d->error ? d->error : "no message");
	leave_addresses_out(text);
	return arena_strdup(b->facts->arena, text);
}
