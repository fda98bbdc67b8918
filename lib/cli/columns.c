// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/columns.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "util/array.h"
#include "util/likeness.h"

const struct column column_catalogue[COLUMN_IDS] = {
#define COLUMN(name_, title_, format_, type_, width_, ...) \
	[COLUMN_##name_] = { #name_,                       \
			     title_,                       \
			     FORMAT_##format_,             \
			     JSON_##type_,                 \
			     width_,                       \
			     __VA_ARGS__,                  \
			     .key = "\"" #name_ "\":",     \
			     .key_bytes = sizeof("\"" #name_ "\":") - 1 },
#include "cli/columns.def"
#undef COLUMN
};

const char *const basis_words[] = { "recorded", "derived", "inferred", NULL };

static bool is_any_case(const char *name, const char *text, size_t len)
{
	return name && strlen(name) == len && !strncasecmp(name, text, len);
}

/* "usage" of usage_bytes, "blocked" of blocked_ns: text tells the unit with the value. */
static bool is_without_unit(const char *name, const char *text, size_t len)
{
	static const char *const units[] = { "_bytes", "_ns", "_pages", "_limit", "_milli" };

	if (!len || strncasecmp(name, text, len) != 0)
		return false;
	return ANY_OF(i, sizeof(units) / sizeof(*units), !strcmp(name + len, units[i]));
}

unsigned int column_rank(enum column_id id, const char *text, size_t len)
{
	const struct column *c = &column_catalogue[id];

	if (!c->name)
		return COLUMN_RANKS;
	if (strlen(c->name) == len && !memcmp(c->name, text, len))
		return 0;
	if (is_any_case(c->title, text, len))
		return 1;
	if (is_any_case(c->alias, text, len) || is_any_case(c->name, text, len))
		return 2;
	return is_without_unit(c->name, text, len) ? 3 : COLUMN_RANKS;
}

/* What other tools, and other views, call it. */
static const struct {
	enum column_id id;
	const char *word;
} others[] = {
	{ COLUMN_file, "name" }, { COLUMN_file, "path" },    { COLUMN_cache, "name" },
	{ COLUMN_comm, "name" }, { COLUMN_comm, "command" }, { COLUMN_pid, "tgid" },
};

void column_names_like(struct known_names *known, enum column_id id)
{
	const struct column *c = &column_catalogue[id];
	const char *unit = strrchr(c->name, '_');
	char form[LIKENESS_BYTES];

	known_names_also(known, c->name);
	known_names_also(known, c->title);
	known_names_also(known, c->alias);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (others[i].id == id)
			known_names_like(known, others[i].word, c->name);
	/* Where rows have no column of that name. */
	if (c->alias && !strcmp(c->alias, "size"))
		known_names_like(known, "bytes", c->name);
	/* SWAP of swap_usage_bytes as swap_bytes. */
	if (c->title && unit &&
	    (size_t)snprintf(form, sizeof(form), "%s%s", c->title, unit) < sizeof(form))
		known_names_like(known, form, c->name);
}

size_t column_find(const struct view_column *columns, size_t n, const char *name, size_t len)
{
	for (unsigned int rank = 0; rank < COLUMN_RANKS; rank++)
		for (size_t i = 0; i < n; i++)
			if (column_rank(columns[i].id, name, len) == rank)
				return i;
	return n;
}

const char *view_column_why(const struct view_column *c)
{
	static const char with[] = "with -o";
	const char *note = c->note;

	if (!note || strncmp(note, with, sizeof(with) - 1) != 0)
		return note;
	note += sizeof(with) - 1;
	return *note == ';' ? note + 2 : NULL;
}
