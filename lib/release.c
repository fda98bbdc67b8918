// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "release.h"

#define MAX_BANNER 256

/* Out of "Linux version RELEASE (...". */
const char *kernel_release(struct dump *d)
{
	static const char prefix[] = "Linux version ";
	char banner[MAX_BANNER];
	uint64_t addr;

	if (dump_symbol(d, "linux_banner", &addr) != DUMP_OK ||
	    dump_read(d, addr, banner, sizeof(banner) - 1, "linux_banner") != DUMP_OK)
		return NULL;
	banner[sizeof(banner) - 1] = '\0';
	if (strncmp(banner, prefix, strlen(prefix)))
		return NULL;
	banner[strlen(prefix) + strcspn(banner + strlen(prefix), " \n")] = '\0';
	return arena_strdup(d->arena, banner + strlen(prefix));
}
