// SPDX-License-Identifier: GPL-2.0-or-later
#include "session.h"

#include <stdio.h>
#include <string.h>

static struct arena arena;

const struct command *session_command(const char *name)
{
	for (const struct command *const *c = port_commands; *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}

static bool output_write(void *priv, const char *s, size_t n)
{
	(void)priv;
	return fwrite(s, 1, n, stdout) == n;
}

int session_run(struct door *door, int argc, char **argv)
{
	static struct sink out;
	const struct command *c = session_command(argv[0]);
	enum status st;
	struct dump d;

	if (!c) {
		fprintf(stderr, "memowner: %s: no such command\n", argv[0]);
		return SESSION_USAGE;
	}
	door_dump(door, &d, &arena);
	sink_init(&out, output_write, NULL);
	st = c->run(&d, &out, argc, argv);
	sink_flush(&out);
	fflush(stdout);
	if (st != ST_OK && st != ST_STOPPED)
		fprintf(stderr, "%s: %s\n", c->name, d.error);
	arena_reset(&arena);
	return st == ST_OK ? SESSION_OK : st == ST_USAGE ? SESSION_USAGE : SESSION_FAILED;
}
