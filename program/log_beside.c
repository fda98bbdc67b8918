// SPDX-License-Identifier: GPL-2.0-or-later
#include "log_beside.h"

#include <string.h>
#include <unistd.h>

/* Of RHEL and Fedora, and of SUSE. */
static const char *const names[] = { "vmcore-dmesg.txt", "vmcore-dmesg-incomplete.txt", "dmesg.txt",
				     NULL };

const char *log_beside(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *log = NULL;
	const int dir = (int)(name - path);

	/* Debian has dmesg.202611231742 beside dump.202611231742. */
	if (!strncmp(name, "dump.", strlen("dump.")))
		log = arena_text(a, "%.*sdmesg.%s", dir, path, name + strlen("dump."));
	for (const char *const *n = names; *n && (!log || access(log, R_OK)); n++)
		log = arena_text(a, "%.*s%s", dir, path, *n);
	return log && !access(log, R_OK)
		       ? arena_text(a, "its log is in %s: memowner --log %s", log, log)
		       : NULL;
}
