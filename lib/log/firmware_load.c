// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/firmware_load.h"

#include <string.h>

#include "log/log_text.h"

#define WORDS ": Direct firmware load for "

/* Whether a word before them is the name, or the first folder of the path behind them. */
static bool is_of(const char *text, const char *name)
{
	const char *file = log_find(text, WORDS), *end = file ? file - strlen(WORDS) : NULL;
	const size_t n = strlen(name);

	if (!file || !strstr(file, " failed with error "))
		return false;
	if (!strncmp(file, name, n) && file[n] == '/')
		return true;
	for (const char *at = text; at < end; at += strcspn(at, " :") + 1)
		if (strcspn(at, " :") == n && !strncmp(at, name, n))
			return true;
	return false;
}

const struct kernel_record *firmware_load_failed(const struct kernel_log *log, const char *name)
{
	for (size_t i = log->n; i > 0; i--)
		if (log->records[i - 1].text && is_of(log->records[i - 1].text, name))
			return &log->records[i - 1];
	return NULL;
}
