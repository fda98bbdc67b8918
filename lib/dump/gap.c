// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump/gap.h"

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
	return dump_strdup(d, b.buf);
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

struct gaps gaps_join(struct dump *d, const struct gaps *all, size_t n)
{
	struct gap *rows;
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += all[i].n;
	rows = dump_alloc(d, sum * sizeof(*rows));
	sum = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < all[i].n; k++)
			rows[sum++] = all[i].rows[k];
	return (struct gaps){ rows, sum };
}

const char *availability_name(enum availability a)
{
	static const char *const names[] = {
		[AVAILABLE] = "ok",
		[NOT_BUILT] = "not_built",
		[OFF_AT_BOOT] = "off_at_boot",
		[OFF_LATER] = "off_later",
		[NOT_IN_DUMP] = "not_in_dump",
		[UNKNOWN_LAYOUT] = "unknown_layout",
		[OVER_LIMIT] = "over_limit",
		[CORRUPT] = "corrupt",
	};

	return names[a];
}

enum availability availability_of(enum status st)
{
	switch (st) {
	case ST_OK:
		return AVAILABLE;
	case ST_ABSENT:
		return NOT_BUILT;
	case ST_UNREADABLE:
		return NOT_IN_DUMP;
	case ST_CORRUPT:
		return CORRUPT;
	case ST_NOMEM:
		return OVER_LIMIT;
	default:
		return UNKNOWN_LAYOUT;
	}
}

bool availability_hides(enum availability a)
{
	return a == NOT_IN_DUMP || a == UNKNOWN_LAYOUT || a == OVER_LIMIT || a == CORRUPT;
}
