// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump_file.h"

#include "file/whole.h"

/* A path and a clause; of a longer path the end is cut, as of any warning. */
static char told[256];
static bool checked;

static enum status ask(struct dump *d, void *arg)
{
	const char *path = arg, *why = file_incomplete(d, path);

	if (why)
		snprintf(told, sizeof(told), "%s: incomplete: %s", path, why);
	return ST_OK;
}

void dump_file_check(struct dump *d, const char *path)
{
	if (checked || !path)
		return;
	checked = true;
	dump_guard(d, ask, (void *)path);
}

const char *dump_file_incomplete(void *priv NOT_USED)
{
	return *told ? told : NULL;
}
