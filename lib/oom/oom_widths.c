// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_widths.h"

#include <string.h>

#define DIGITS "-0123456789"

/* The next number of a row: its width with the blanks before it, and how many these are; NULL: none follows. */
static const char *next_number(const char *at, unsigned int *width, unsigned int *blanks)
{
	size_t digits;

	at += *at == '[' || *at == ']';
	*blanks = (unsigned int)strspn(at, " ");
	digits = strspn(at + *blanks, DIGITS);
	*width = *blanks + (unsigned int)digits;
	return digits && *width < OOM_WIDEST ? at + *width : NULL;
}

/* One blank stands before a number that is too large for its column, too, and where a page shows all as one. */
static bool is_padded(unsigned int blanks)
{
	return blanks > 1;
}

void oom_widths_take(struct oom_widths *w, const char *row, unsigned int columns)
{
	unsigned int width, blanks;

	for (unsigned int i = 0; i < columns && i < OOM_WIDTHS; i++) {
		row = next_number(row, &width, &blanks);
		if (!row)
			return;
		w->rows[i][width] += is_padded(blanks);
	}
}

/* That of most rows, of two the wider one: characters are lost more often than they come in; 0: it is unknown. */
static unsigned int width_of(const unsigned int rows[OOM_WIDEST])
{
	unsigned int most = 0;

	for (unsigned int i = 1; i < OOM_WIDEST; i++)
		if (rows[i] && rows[i] >= rows[most])
			most = i;
	return most;
}

bool oom_widths_differ(const struct oom_widths *w, const char *row, unsigned int columns)
{
	unsigned int width, blanks;

	for (unsigned int i = 0; i < columns && i < OOM_WIDTHS; i++) {
		const unsigned int whole = width_of(w->rows[i]);

		row = next_number(row, &width, &blanks);
		if (!row)
			return false;
		if (whole && (width < whole || (is_padded(blanks) && width != whole)))
			return true;
	}
	return false;
}
