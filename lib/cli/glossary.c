// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/cmdline.h"

#include <string.h>

#define INDENT 21 /* columns of a name and the space behind it */
#define ROOM (GLOSSARY_WIDTH - INDENT)

/* Bytes of text that fit into a line, up to a space; a longer word is not broken. */
static size_t line_length(const char *text)
{
	size_t len = strlen(text), fits = 0;

	if (len <= ROOM)
		return len;
	for (size_t i = 0; i < len && (i <= ROOM || !fits); i++)
		if (text[i] == ' ')
			fits = i;
	return fits ?: len;
}

void glossary_entry(struct sink *out, const char *name, const char *help)
{
	do {
		size_t len = line_length(help);

		sink_printf(out, "%-*s %.*s\n", INDENT - 1, name, (int)len, help);
		help += len;
		help += strspn(help, " ");
		name = "";
	} while (*help);
}

void glossary_print(struct sink *out, const char *title, const struct term *terms)
{
	if (!terms)
		return;
	sink_printf(out, "\n%s:\n", title);
	for (; terms->name; terms++)
		glossary_entry(out, terms->name, terms->help);
}
