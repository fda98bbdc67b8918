// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/boot.h"

#define MAX_BANNER 256 /* bytes that have the release: the third word */

/* Out of "Linux version RELEASE (...". */
/* What the kernel wrote of itself for a dump. */
static const char *noted_release(struct dump *d)
{
	char release[MAX_BANNER];

	if (!d->ops->vmcoreinfo_text ||
	    dump_ask(d, vmcoreinfo_text, "OSRELEASE", release, sizeof(release)) != ST_OK ||
	    !*release)
		return NULL;
	return arena_strdup(d->arena, release);
}

const char *kernel_release(struct dump *d)
{
	static const char prefix[] = "Linux version ";
	char banner[MAX_BANNER];
	uint64_t addr;

	if (dump_symbol(d, "linux_banner", &addr) != ST_OK ||
	    dump_read(d, addr, banner, sizeof(banner) - 1, "linux_banner") != ST_OK)
		return noted_release(d);
	banner[sizeof(banner) - 1] = '\0';
	if (strncmp(banner, prefix, strlen(prefix)))
		return noted_release(d);
	banner[strlen(prefix) + strcspn(banner + strlen(prefix), " \n")] = '\0';
	return arena_strdup(d->arena, banner + strlen(prefix));
}

#define MAX_LINE 8192 /* COMMAND_LINE_SIZE is 2048 on x86 and arm64; bootconfig adds to it */

enum status boot_option(struct dump *d, const char *name, const char **ret)
{
	size_t len = strlen(name);
	const char *found = NULL;
	char *line, *rest, *option;
	uint64_t addr;
	enum status st = dump_value(d, "saved_command_line", &addr);

	if (st != ST_OK)
		return st;
	line = dump_alloc(d, MAX_LINE);
	st = dump_string(d, addr, line, MAX_LINE, "saved_command_line");
	if (st != ST_OK)
		return st;
	for (option = strtok_r(line, " \t\n", &rest); option;
	     option = strtok_r(NULL, " \t\n", &rest))
		if (!strncmp(option, name, len) && option[len] == '=')
			found = option + len + 1;
	*ret = found;
	return ST_OK;
}
