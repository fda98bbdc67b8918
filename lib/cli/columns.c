// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/columns.h"

#include <string.h>
#include <strings.h>

const struct column column_catalogue[COLUMN_IDS] = {
#define COLUMN(name_, title_, format_, type_, width_, ...) \
	[COLUMN_##name_] = { #name_, title_, FORMAT_##format_, JSON_##type_, width_, __VA_ARGS__ },
#include "cli/columns.def"
#undef COLUMN
};

/* Names as they are, or in any case. */
static bool is_name(const char *name, const char *text, size_t len)
{
	return name && strlen(name) == len && !memcmp(name, text, len);
}

static bool is_header(const char *name, const char *text, size_t len)
{
	return name && strlen(name) == len && !strncasecmp(name, text, len);
}

static bool has_name(const struct column *c, const char *text, size_t len)
{
	return is_name(c->name, text, len);
}

static bool has_title(const struct column *c, const char *text, size_t len)
{
	return is_header(c->title, text, len);
}

static bool has_alias(const struct column *c, const char *text, size_t len)
{
	return is_header(c->alias, text, len) || is_header(c->name, text, len);
}

size_t column_find(const struct view_column *columns, size_t n, const char *name, size_t len)
{
	/* The first that finds one: a name is never taken for another column's header. */
	static bool (*const rules[])(const struct column *c, const char *text, size_t len) = {
		has_name,
		has_title,
		has_alias,
	};

	for (size_t rule = 0; rule < sizeof(rules) / sizeof(rules[0]); rule++)
		for (size_t i = 0; i < n; i++)
			if (rules[rule](view_column(&columns[i]), name, len))
				return i;
	return n;
}

bool column_is_key(const char *key, const char *text, size_t len)
{
	if (is_header(key, text, len))
		return true;
	for (size_t i = COLUMN_NONE + 1; i < COLUMN_IDS; i++)
		if (!strcmp(column_catalogue[i].name, key))
			return has_title(&column_catalogue[i], text, len);
	return false;
}
