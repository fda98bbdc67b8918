// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/filter.h"

#include <fnmatch.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "cli/columns.h"
#include "util/strbuf.h"

#define MAX_VALUE 256

struct alternative {
	struct alternative *next;
	bool unknown;	    /* "-" */
	uint64_t low, high; /* of a number */
	const char *glob;
	regex_t *regex;
};

/* "a b c" of the keys for one use. */
static const char *key_names(const struct key *keys, size_t n, unsigned int use, char *buf,
			     size_t size)
{
	struct strbuf s;

	strbuf_init(&s, buf, size);
	for (size_t i = 0; i < n; i++)
		if (keys[i].use & use)
			strbuf_add(&s, "%s%s", strbuf_between(&s, " "), keys[i].name);
	return buf;
}

static size_t find_key(const struct key *keys, size_t n, unsigned int use, const char *name,
		       size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (keys[i].use & use && column_is_key(keys[i].name, name, len))
			return i;
	return n;
}

static enum status check_choice(struct dump *d, const struct key *key, const char *value)
{
	char known[160];
	struct strbuf s;

	if (!key->choices)
		return ST_OK;
	strbuf_init(&s, known, sizeof(known));
	for (const char *const *c = key->choices; *c; c++) {
		if (!fnmatch(value, *c, 0))
			return ST_OK;
		strbuf_add(&s, "%s%s", strbuf_between(&s, " "), *c);
	}
	return dump_fail(d, ST_USAGE, "unknown %s '%s', known are: %s", key->name, value, known);
}

static void free_regex(void *arg)
{
	regfree(arg);
}

static enum status compile(struct dump *d, const char *text, regex_t **ret)
{
	regex_t *regex = dump_alloc(d, sizeof(*regex));
	char why[128];
	int error;

	if (!regex)
		return ST_NOMEM;
	error = regcomp(regex, text, REG_EXTENDED | REG_NOSUB);
	if (error) {
		regerror(error, regex, why, sizeof(why));
		return dump_fail(d, ST_USAGE, "regular expression '%s': %s", text, why);
	}
	if (!arena_at_reset(d->arena, free_regex, regex)) {
		regfree(regex);
		return ST_NOMEM;
	}
	*ret = regex;
	return ST_OK;
}

/* Bytes of the first value: up to a comma; a regular expression, which may have some, up to its end. */
static size_t value_length(const char *text)
{
	const char *end;

	if (*text != '/')
		return strcspn(text, ",");
	for (end = text + 1; *end && !(*end == '/' && (!end[1] || end[1] == ',')); end++)
		;
	return *end ? (size_t)(end + 1 - text) : strcspn(text, ",");
}

static bool is_regex(const char *value, size_t len)
{
	return len > 2 && value[0] == '/' && value[len - 1] == '/';
}

static enum status parse_text(struct dump *d, const struct key *key, const char *value, size_t len,
			      struct alternative *a)
{
	char *copy = dump_alloc(d, len + 1);

	if (!copy)
		return ST_NOMEM;
	memcpy(copy, value, len);
	if (!is_regex(value, len)) {
		a->glob = copy;
		return check_choice(d, key, copy);
	}
	copy[len - 1] = '\0';
	return compile(d, copy + 1, &a->regex);
}

static enum status parse_value(struct dump *d, const struct key *key, const char *value, size_t len,
			       struct alternative *a)
{
	if (!len || len > MAX_VALUE)
		return dump_fail(d, ST_USAGE,
				 "key %s needs a value of 1 to %d characters: %s=VALUE", key->name,
				 MAX_VALUE, key->name);
	if (len == 1 && *value == '-') {
		a->unknown = true;
		return ST_OK;
	}
	if (key->is_text)
		return parse_text(d, key, value, len, a);
	if (number_range_parse(key->quantity, value, len, &a->low, &a->high))
		return ST_OK;
	return dump_fail(d, ST_USAGE, "key %s takes %s, not '%.*s'", key->name,
			 range_help(key->quantity), (int)len, value);
}

static enum status parse_filter(struct dump *d, const char *text, const struct key *keys, size_t n,
				struct filter *f)
{
	size_t len = strcspn(text, "=");
	char known[256];

	f->key = find_key(keys, n, KEY_FILTERS | KEY_OF_GROUP, text, len);
	if (f->key == n)
		return dump_fail(
			d, ST_USAGE, "unknown filter '%.*s', known are: %s", (int)len, text,
			key_names(keys, n, KEY_FILTERS | KEY_OF_GROUP, known, sizeof(known)));
	text += len;
	text += *text == '=';
	do {
		struct alternative *a = dump_alloc(d, sizeof(*a));
		enum status st;

		if (!a)
			return ST_NOMEM;
		len = value_length(text);
		st = parse_value(d, &keys[f->key], text, len, a);
		if (st != ST_OK)
			return st;
		a->next = f->first;
		f->first = a;
		text += len;
	} while (*text++ == ',');
	return ST_OK;
}

enum status filters_parse(struct dump *d, const struct opts *o, const struct key *keys, size_t n,
			  struct filters *ret)
{
	struct filters filters = { .n = o->nfilters };

	for (unsigned int i = 0; i < o->nfilters; i++) {
		enum status st = parse_filter(d, o->filters[i].text, keys, n, &filters.filters[i]);

		if (st != ST_OK)
			return st;
		filters.filters[i].exclude = o->filters[i].exclude;
	}
	*ret = filters;
	return ST_OK;
}

bool filter_keeps_span(const struct filter *f, uint64_t first, uint64_t last)
{
	for (const struct alternative *a = f->first; a; a = a->next)
		if (!a->unknown && last >= a->low && first <= a->high)
			return !f->exclude;
	return f->exclude;
}

bool filter_keeps_number(const struct filter *f, uint64_t v)
{
	return filter_keeps_span(f, v, v);
}

bool filter_keeps_unknown(const struct filter *f)
{
	for (const struct alternative *a = f->first; a; a = a->next)
		if (a->unknown)
			return !f->exclude;
	return f->exclude;
}

/* What is shown is taken as it is, whatever a glob would make of its brackets. */
static bool meets(const struct alternative *a, const char *text)
{
	if (a->glob)
		return !strcmp(a->glob, text) || !fnmatch(a->glob, text, 0);
	return a->regex && !regexec(a->regex, text, 0, NULL, 0);
}

bool filter_keeps_text(const struct filter *f, const char *text)
{
	if (!text)
		return filter_keeps_unknown(f);
	for (const struct alternative *a = f->first; a; a = a->next)
		if (meets(a, text))
			return !f->exclude;
	return f->exclude;
}

bool filter_keeps_any(const struct filter *f, const char *(*text)(void *arg, size_t i, bool whole),
		      void *arg, size_t n)
{
	for (const struct alternative *a = f->first; a; a = a->next)
		for (size_t i = 0; i < n; i++)
			if ((a->glob && meets(a, text(arg, i, false))) ||
			    meets(a, text(arg, i, true)))
				return !f->exclude;
	return f->exclude;
}

enum status keys_parse(struct dump *d, const char *text, const struct key *keys, size_t n,
		       size_t *ret, size_t room, size_t *count)
{
	size_t found = 0;
	char known[256];

	do {
		size_t len = strcspn(text, ","), key = find_key(keys, n, KEY_GROUPS, text, len);

		if (key == n)
			return dump_fail(d, ST_USAGE, "unknown group '%.*s', known are: %s",
					 (int)len, text,
					 key_names(keys, n, KEY_GROUPS, known, sizeof(known)));
		for (size_t i = 0; i < found; i++)
			if (ret[i] == key)
				return dump_fail(d, ST_USAGE, "-g has '%s' twice", keys[key].name);
		if (found == room)
			return dump_fail(d, ST_USAGE, "-g takes at most %zu keys", room);
		ret[found++] = key;
		text += len;
	} while (*text++ == ',');
	*count = found;
	return ST_OK;
}
