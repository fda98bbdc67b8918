// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner [--vmlinux FILE] VMCORE [COMMAND [ARGUMENTS]]: the commands without crash. */
#include <stdio.h>
#include <string.h>

#include "session.h"

static struct arena arena;

int main(int argc, char **argv)
{
	static const struct door_user nobody_asks;
	struct door_request r = { .n = 1 };
	char *summary[] = { "memowner", NULL };
	struct dump session;
	struct door *door;
	const char *file;
	int i = 1, status;

	if (argc > 2 && !strcmp(argv[1], "--vmlinux")) {
		r.vmlinux = argv[2];
		i = 3;
	}
	if (i >= argc) {
		fprintf(stderr, "usage: memowner [--vmlinux FILE] VMCORE [COMMAND [ARGUMENTS]]\n");
		return SESSION_USAGE;
	}
	file = argv[i++];
	r.files = &file;
	dump_init(&session, NULL, NULL, &arena);
	if (door_open(&session, &r, &nobody_asks, &door) != ST_OK) {
		fprintf(stderr, "memowner: %s\n", session.error);
		return SESSION_FAILED;
	}
	if (door_missing(door))
		fprintf(stderr, "memowner: %s\n", door_missing(door));
	status = i < argc ? session_run(door, argc - i, argv + i) : session_run(door, 1, summary);
	arena_reset(&arena);
	return status;
}
