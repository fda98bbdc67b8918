// SPDX-License-Identifier: GPL-2.0-or-later
#include "screen.h"

#include "summary.h"

#define LABEL 10 /* columns of the name of a part */

bool screen_fits(const struct screen *sc, size_t columns)
{
	return !sc->out->columns || columns <= sc->out->columns;
}

void screen_put(const struct screen *sc, const char *label, const char *text)
{
	screen_put_behind(sc, LABEL, label, text);
}

void screen_put_behind(const struct screen *sc, unsigned int indent, const char *label,
		       const char *text)
{
	screen_put_whole(sc, indent, label, text, NULL);
}

/* A name may have any byte. */
static void put_word(const struct screen *sc, const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		sink_printf(sc->out, "%c",
			    (unsigned char)word[i] < 0x20 || word[i] == 0x7f ? '?' : word[i]);
}

/* A word in the line that has come to a column, or in the next one; the column behind it. */
static size_t add_word(const struct screen *sc, unsigned int indent, size_t column,
		       const char *word, size_t len)
{
	if (column > indent && !screen_fits(sc, column + 1 + len)) {
		sink_printf(sc->out, "\n%-*s", (int)indent, "");
		column = indent;
	} else if (column > indent) {
		sink_text(sc->out, " ");
		column++;
	}
	put_word(sc, word, len);
	return column + len;
}

void screen_put_whole(const struct screen *sc, unsigned int indent, const char *label,
		      const char *text, const char *behind)
{
	size_t column = indent;

	sink_printf(sc->out, "%-*s", (int)indent, label);
	while (*text) {
		size_t len = strcspn(text, " ");

		column = add_word(sc, indent, column, text, len);
		text += len + strspn(text + len, " ");
	}
	if (behind)
		add_word(sc, indent, column, behind, strlen(behind));
	sink_text(sc->out, "\n");
}

bool screen_count_lines(void *priv, const char *text, size_t n)
{
	unsigned int *lines = priv;

	for (size_t i = 0; i < n; i++)
		*lines += text[i] == '\n';
	return true;
}
