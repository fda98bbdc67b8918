// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/filter_values.h"

#include <fnmatch.h>
#include <strings.h>

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
		return !strcasecmp(a->glob, text) || !fnmatch(a->glob, text, FNM_CASEFOLD);
	if (a->glob)
		return !strcmp(a->glob, text) || !fnmatch(a->glob, text, 0);
	return a->regex && !regexec(a->regex, text, 0, NULL, 0);
}
