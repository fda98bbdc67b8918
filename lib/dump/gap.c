// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump/gap.h"

#include <string.h>

#include "util/strbuf.h"
#include "util/units.h"

const char *gap_text(struct dump *d, const struct gap *gap)
{
	char count[UNITS_PLURAL];
	const char *words[] = { count, gap->why }, **word = &words[!gap->one], *rest = gap->text;
	struct strbuf b = STRBUF_OF(DUMP_ERROR);

	if (gap->one)
		units_plural(count, gap->n, gap->one, gap->many);
	for (const char *at; word < words + 2 && (at = strstr(rest, "%s")); rest = at + 2)
		strbuf_add(&b, "%.*s%s", (int)(at - rest), rest, *word++);
	strbuf_add(&b, "%s", rest);
	return arena_strdup(d->arena, b.buf);
}

struct gaps gaps_copy(struct dump *d, const struct gap *rows, size_t n)
{
	struct gap *copy = dump_alloc(d, n * sizeof(*copy));
	struct gaps ret = { copy, 0 };

	for (size_t i = 0; i < n; i++)
		if (rows[i].n)
			copy[ret.n++] = rows[i];
	return ret;
}
