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
	size_t column = LABEL;

	sink_printf(sc->out, "%-*s", LABEL, label);
	while (*text) {
		size_t len = strcspn(text, " ");

		if (column > LABEL && !screen_fits(sc, column + 1 + len)) {
			sink_printf(sc->out, "\n%-*s", LABEL, "");
			column = LABEL;
		} else if (column > LABEL) {
			sink_text(sc->out, " ");
			column++;
		}
		/* A name may have any byte. */
		for (size_t i = 0; i < len; i++)
			sink_printf(sc->out, "%c",
				    (unsigned char)text[i] < 0x20 || text[i] == 0x7f ? '?'
										     : text[i]);
		column += len;
		text += len + strspn(text + len, " ");
	}
	sink_text(sc->out, "\n");
}
