// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/filter_values.h"

#include <fnmatch.h>
#include <string.h>
#include <strings.h>

#define PATH_BYTES 4096 /* of a longer one the whole text must match */

/* A path that a deleted file had: what is shown of it has the word behind it. */
static bool meets_deleted(const struct alternative *a, const char *text)
{
	size_t len = strlen(text), end = strlen(" (deleted)");
	char path[PATH_BYTES];

	if (*a->glob != '/' || *text != '/' || len <= end || len - end >= sizeof(path) ||
	    strcmp(text + len - end, " (deleted)") != 0)
		return false;
	memcpy(path, text, len - end);
	path[len - end] = '\0';
	return !strcmp(a->glob, path) || !fnmatch(a->glob, path, a->any_case ? FNM_CASEFOLD : 0);
}

/* What is shown is taken as it is, whatever a glob would make of its brackets. */
bool alternative_meets(const struct alternative *a, const char *text)
{
	/* As in parse_text(). */
	text += *text == '~' && text[1];
	if (a->is_whole)
		return !strcmp(a->typed, text);
	/* No pattern is needed for the bracket that a value begins with. */
	if (a->glob && *a->glob == '[' && *text == '[' &&
	    !fnmatch(a->glob + 1, text + 1, a->any_case ? FNM_CASEFOLD : 0))
		return true;
	if (a->glob && a->any_case)
		return !strcasecmp(a->glob, text) || !fnmatch(a->glob, text, FNM_CASEFOLD) ||
		       meets_deleted(a, text);
	if (a->glob)
		return !strcmp(a->glob, text) || !fnmatch(a->glob, text, 0) ||
		       meets_deleted(a, text);
	return a->regex && !regexec(a->regex, text, 0, NULL, 0);
}
