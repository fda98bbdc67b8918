// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_marks.h"

#include <string.h>

#include "util/array.h"

static const char *const heads[] = { " invoked oom-killer: ",
				     ": page allocation failure: order:",
				     ": page allocation failure. order:",
				     ": vmalloc error: size ",
				     ": vmalloc size ",
				     ": vmalloc: allocation failure" };
static const char *const others[] = { "oom-kill:constraint=", "Kernel panic - not syncing",
				      "Killed process " };

static bool has_one_of(const char *text, const char *const *marks, size_t n)
{
	return ANY_OF(i, n, strstr(text, marks[i]));
}

bool log_begins_report(const char *text)
{
	return has_one_of(text, heads, ARRAY_SIZE(heads));
}

bool log_tells(const char *text)
{
	return log_begins_report(text) || has_one_of(text, others, ARRAY_SIZE(others));
}
