// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/filter.h"

#include <strings.h>

#include "cli/filter_forms.h"
#include "cli/filter_seen.h"
#include "util/likeness.h"
#include "util/units.h"

#define MAX_VALUE 256 /* of what is typed */

const char *const key_yes_no[] = { "yes", "no", NULL };

/* Whether a key has that name, whatever it is of use for. */
static bool key_names(const struct key *keys, size_t n, const char *name, size_t len)
{
	return ANY_OF(i, n, column_rank(keys[i].column, name, len) < COLUMN_RANKS);
}

void filter_add_columns(struct strbuf *s, const char *columns, const struct key_set *set)
{
	const char *but = " but ";

	strbuf_add(s, "%s of %s%s-o help", columns, set->call ?: "",
		   set->call && *set->call ? " " : "");
	for (size_t i = 0; i < set->ncolumns; i++) {
		if (!(set->columns[i].shown & NO_SORT_KEY))
			continue;
		strbuf_add(s, "%s%s", but, view_column(&set->columns[i])->name);
		but = ", ";
	}
}

/* Whether rows are matched by that column and by others: their name has all. */
static bool is_part_of_name(const struct key_set *set, const char *name, size_t len)
{
	bool ret = false;

	if (!set->matched_by || set->nmatched < 2 || !set->matched_by[1])
		return false;
	for (size_t i = 0; i < set->nmatched && set->matched_by[i]; i++)
		ret |= column_rank(set->matched_by[i], name, len) < COLUMN_RANKS;
	return ret;
}

/* What is accepted instead of a name: keys, and of rows the other columns. */
static enum status unknown_key(struct dump *d, const struct key_set *set, unsigned int use,
			       const char *name, size_t len)
{
	size_t column = column_find(set->columns, set->ncolumns, name, len);
	bool filters = use & KEY_FILTERS, has_columns = filters && set->filters_rows;
	struct strbuf and = STRBUF_OF(96);
	const char *hint = filter_hint_of_word(set, use, name, len), *told;
	struct known_names known;
	bool has_keys = false;

	if (filters && len && name[len - 1] == '!')
		return dump_usage(d, "-X %.*s=VALUE leaves out what -f keeps, and != is not known",
				  (int)len - 1, name);
	if (filters && ANY_OF(i, len, name[i] == '<' || name[i] == '>'))
		return dump_usage(d,
				  "'%.*s': a filter is KEY=VALUE, a range KEY=FROM.. KEY=..TO or "
				  "KEY=FROM..TO",
				  (int)len, name);
	if (filters && is_part_of_name(set, name, len))
		return dump_usage(d,
				  "%.*s is no key of -f here: name is, with all that rows are "
				  "matched by",
				  (int)len, name);
	known_names_init(&known, name, len);
	known.call = set->call;
	for (size_t i = 0; i < set->n; i++) {
		if (!(set->keys[i].use & use))
			continue;
		has_keys = true;
		if (!(set->keys[i].use & KEY_IMPLIED))
			known_names_add(&known, key_name(&set->keys[i]));
		column_names_like(&known, set->keys[i].column);
	}
	for (size_t i = 0; has_columns && i < set->ncolumns; i++)
		if (filter_takes_column(&set->columns[i]))
			column_names_like(&known, set->columns[i].id);
	if (has_columns)
		filter_add_columns(&and, has_keys ? ", and columns" : "columns", set);
	told = known_names_text(&known, filters ? "-f help" : "-g help");
	/* A key that is of use for others is not misspelt. */
	if (column == set->ncolumns && (key_names(set->keys, set->n, name, len) ||
					key_names(set->others, set->nothers, name, len)))
		return dump_usage(d, "%.*s is no key of -%c %s, known are: %s%s", (int)len, name,
				  filters ? 'f' : 'g', set->matched_by ? "with -d" : "here", told,
				  and.buf);
	if (column < set->ncolumns)
		return dump_usage(d, "%.*s is a column, but no key of -%c, known are: %s%s",
				  (int)len, name, filters ? 'f' : 'g', told, and.buf);
	return dump_usage(d, "unknown %s '%.*s'%s, known are: %s%s", filters ? "filter" : "group",
			  (int)len, name, *hint ? hint : known_names_hint(&known), told, and.buf);
}

bool filter_takes_column(const struct view_column *c)
{
	const struct column *column = view_column(c);

	return column->title && !(c->shown & NO_SORT_KEY);
}

static bool is_json_name(const struct column *column, const char *name, size_t len)
{
	return strlen(column->name) == len && !strncasecmp(column->name, name, len);
}

/* How values of a column are typed; name is what the user calls it. */
static enum range_kind column_quantity(const struct column *column, bool is_signed,
				       const char *name, size_t len)
{
	is_signed |= column->type == JSON_INT;
	switch (column->format) {
	case FORMAT_SIZE:
		return is_signed ? RANGE_BALANCE : RANGE_SIZE;
	case FORMAT_LIMIT:
		return RANGE_LIMIT;
	case FORMAT_TIME:
	case FORMAT_SECONDS:
		return RANGE_TIME;
	case FORMAT_STAMP:
		/* As it is printed; under the name of JSON a number would be nanoseconds. */
		return is_json_name(column, name, len) ? RANGE_TIME : RANGE_STAMP;
	case FORMAT_PERCENT:
		return RANGE_TENTHS;
	case FORMAT_HUNDREDTHS:
		return RANGE_HUNDREDTHS;
	case FORMAT_MILLI:
		/* As text has it, or under the name of JSON as JSON has it. */
		return is_json_name(column, name, len) ? RANGE_NUMBER : RANGE_MILLI;
	default:
		return column->type == JSON_HEX ? RANGE_HEX
		       : is_signed		? RANGE_SIGNED
						: RANGE_NUMBER;
	}
}

struct key key_of_column(const struct view_column *c, const char *name, size_t len)
{
	bool is_bool = view_column(c)->type == JSON_BOOL;

	return (struct key){ .column = c->id,
			     .is_any = view_column(c)->type == JSON_ANY,
			     .quantity = column_quantity(view_column(c), c->shown & SIGNED, name,
							 len),
			     .elsewhere = c->elsewhere,
			     .choices = is_bool ? key_yes_no : c->choices };
}

size_t key_find(const struct key *keys, size_t n, unsigned int use, const char *name, size_t len)
{
	for (unsigned int rank = 0; rank < COLUMN_RANKS; rank++)
		for (size_t i = 0; i < n; i++)
			if (keys[i].use & use && column_rank(keys[i].column, name, len) == rank)
				return i;
	for (size_t i = 0; i < n; i++)
		if (keys[i].use & use && column_rank(keys[i].also, name, len) < COLUMN_RANKS)
			return i;
	return n;
}

static void free_regex(void *arg)
{
	regfree(arg);
}

/* Behind a comma, and blanks as a list is printed with. */
static const char *next_value(const char *comma)
{
	return comma + 1 + strspn(comma + 1, " ");
}

/*
 * Bytes of a regular expression with its ends; 0: there is none.  It may have commas, but "/db,/"
 * and "/db,/web/" are lists of paths.
 */
static size_t regex_length(const char *text)
{
	for (size_t n = *text == '/'; n && text[n]; n++) {
		if (text[n] == '/' && (!text[n + 1] || text[n + 1] == ','))
			return n + 1;
		if (text[n] == ',' && *next_value(text + n) == '/')
			return 0;
	}
	return 0;
}

/* Bytes of the first value: up to a comma; a regular expression up to its end. */
static size_t value_length(const char *text)
{
	size_t n = regex_length(text);

	if (n)
		return n;
	while (text[n] && text[n] != ',')
		n += text[n] == '\\' && text[n + 1] ? 2 : 1;
	return n;
}

static bool is_regex(const char *value, size_t len)
{
	return len > 2 && value[0] == '/' && value[len - 1] == '/';
}

static bool meets_one(const struct alternative *a, const char *const *known)
{
	for (; *known; known++)
		if (alternative_meets(a, *known))
			return true;
	return false;
}

static enum status unknown_value(struct dump *d, const struct filter *f, const char *typed,
				 const char *const *known)
{
	struct known_names names;

	known_names_init(&names, typed, strlen(typed));
	for (; *known; known++)
		known_names_add(&names, *known);
	f->seen->refused = typed;
	return dump_usage(d, "unknown %s '%s'%s, known are: %s", f->name, typed,
			  known_names_hint(&names), known_names_text(&names, NULL));
}

/*
 * A text of a known set: as it is, or in any case where no value of the set is written so (the
 * states T and t of a thread are two).
 */
static enum status check_set(struct dump *d, const struct filter *f, struct alternative *a,
			     const char *const *known)
{
	if (a->unknown || meets_one(a, known))
		return ST_OK;
	a->any_case = true;
	return a->glob && meets_one(a, known) ? ST_OK : unknown_value(d, f, a->typed, known);
}

static enum status compile(struct dump *d, const char *text, int flags, regex_t **ret)
{
	regex_t *regex = dump_alloc(d, sizeof(*regex));
	char why[128];
	int error;

	/* glibc frees nothing of one that is zeroed. */
	arena_at_reset(d->arena, free_regex, regex);
	error = regcomp(regex, text, REG_EXTENDED | REG_NOSUB | flags);
	if (error) {
		regerror(error, regex, why, sizeof(why));
		return dump_usage(d, "regular expression '%s': %s", text, why);
	}
	*ret = regex;
	return ST_OK;
}

/* The names that JSON has for yes and no. */
static const char *yes_or_no(const struct key *key, const char *value)
{
	if (key->choices == key_yes_no && !strcasecmp(value, "true"))
		return key_yes_no[0];
	if (key->choices == key_yes_no && !strcasecmp(value, "false"))
		return key_yes_no[1];
	return value;
}

static char *copy_of(struct dump *d, const char *text, size_t len)
{
	return memcpy(dump_alloc(d, len + 1), text, len);
}

/* "a\,b" is "a,b". */
static void unescape_commas(char *text)
{
	char *to = text;

	for (; *text; *to++ = *text++) {
		if (*text == '\\' && text[1] == ',')
			text++;
		else if (*text == '\\' && text[1])
			*to++ = *text++;
	}
	*to = '\0';
}

static enum status parse_text(struct dump *d, const struct filter *f, const struct key *key,
			      const char *value, size_t len, struct alternative *a)
{
	const bool any_case = key->choices || key->is_set || key->any_case;
	char *copy = copy_of(d, value, len);
	enum status st = ST_OK;

	if (is_regex(value, len)) {
		copy[len - 1] = '\0';
		st = compile(d, copy + 1, any_case ? REG_ICASE : 0, &a->regex);
		if (st == ST_OK && !any_case)
			st = compile(d, copy + 1, REG_ICASE, &a->folded);
	} else {
		unescape_commas(copy);
		/* "~" marks what is inferred, in text, and is no part of the value. */
		a->any_case = key->any_case;
		a->glob = yes_or_no(key, copy + (*copy == '~' && copy[1]));
	}
	return st == ST_OK && key->choices ? check_set(d, f, a, key->choices) : st;
}

static enum status parse_value(struct dump *d, const struct filter *f, const struct key *key,
			       const char *value, size_t len, struct alternative *a)
{
	if (!len && (*value == ',' || value[-1] == ','))
		return dump_usage(d, "key %s: a comma is between values, and one of these is empty",
				  f->name);
	if (!len || len > MAX_VALUE)
		return dump_usage(d, "key %s needs a value of 1 to %d characters: %s=VALUE",
				  f->name, MAX_VALUE, f->name);
	a->typed = copy_of(d, value, len);
	if (len == 1 && *value == '-') {
		a->unknown = true;
		return ST_OK;
	}
	if (key_is_text(key))
		return parse_text(d, f, key, value, len, a);
	a->glob = key->is_any && !is_regex(value, len) ? a->typed : NULL; /* a text of some rows */
	if (number_range_parse(key->quantity, value, len, &a->low, &a->high))
		return ST_OK;
	if (number_range_is_reversed(key->quantity, value, len))
		return dump_usage(d, "key %s: the range '%.*s' ends before it starts", f->name,
				  (int)len, value);
	if (key->is_any) {
		a->low = 1; /* no number */
		return parse_text(d, f, key, value, len, a);
	}
	return dump_usage(d, "key %s takes %s, not '%.*s'%s%s", f->name, range_help(key->quantity),
			  (int)len, value, key->elsewhere ? "; " : "",
			  key->elsewhere ?: filter_hint_of_number(value, len));
}

/* The values behind "KEY=". */
static enum status parse_values(struct dump *d, const char *text, size_t len, const struct key *key,
				struct filter *f)
{
	struct alternative **end = &f->first;

	f->name = copy_of(d, text, len);
	f->seen = dump_alloc(d, sizeof(*f->seen));
	f->seen->dump = d;
	f->seen->column = column_catalogue[key->column].name;
	f->seen->type = column_catalogue[key->column].type;
	f->seen->values = dump_strdup(d, text + len + (text[len] == '='));
	f->seen->has_choices = key->choices != NULL;
	f->seen->hint = key->choices ? NULL : key->elsewhere;
	f->seen->other_names = key->other_names;
	f->seen->quantity = key->quantity;
	f->seen->is_hex = column_catalogue[key->column].format == FORMAT_PFN ||
			  column_catalogue[key->column].type == JSON_HEX;
	text += len;
	text += *text == '=';
	for (;; text = next_value(text)) {
		struct alternative *a = dump_alloc(d, sizeof(*a));
		enum status st;

		len = value_length(text);
		st = f->first && !key_is_text(key) ? filter_check_comma(d, f, text, len) : ST_OK;
		st = st ?: parse_value(d, f, key, text, len, a);
		if (st != ST_OK)
			return st;
		*end = a;
		end = &a->next;
		text += len;
		if (!*text)
			break;
	}
	if (f->first->next)
		*end = filter_whole_value(d, key, f->seen->values);
	return ST_OK;
}

static bool is_signed(const struct key *key)
{
	return key->quantity == RANGE_BALANCE || key->quantity == RANGE_SIGNED;
}

/* The index of a column; of what rows are matched by, and so of what groups them, that of their name. */
static size_t row_column(const struct key_set *set, const char *group, const char *name, size_t len)
{
	size_t found = column_find(set->columns, set->ncolumns, name, len);
	size_t grouped = group ? key_find(set->keys, set->n, KEY_GROUPS, group, strlen(group))
			       : set->n;
	bool matches = set->matched_by && !is_part_of_name(set, name, len) &&
		       (column_rank(*set->matched_by, name, len) < COLUMN_RANKS ||
			(grouped < set->n &&
			 key_find(set->keys, set->n, KEY_GROUPS, name, len) == grouped));

	return found == set->ncolumns && matches
		       ? column_find(set->columns, set->ncolumns, "name", strlen("name"))
		       : found;
}

/* Whether a name is that of a key, or of a column that can be one. */
static bool is_key(const struct key_set *set, const char *name, size_t len)
{
	size_t column = column_find(set->columns, set->ncolumns, name, len);

	return key_find(set->keys, set->n, KEY_FILTERS | KEY_OF_GROUP, name, len) < set->n ||
	       (set->filters_rows && column < set->ncolumns &&
		filter_takes_column(&set->columns[column]));
}

/* "rss=5M..,swap=1M..": what stands behind a comma is one more value of the first key. */
static enum status refuse_other_key(struct dump *d, const struct key_set *set, bool exclude,
				    const char *text)
{
	const char *value = text + strcspn(text, "=");
	size_t len = strcspn(text, "=");

	for (value += *value == '='; *value;) {
		size_t n = value_length(value), name = strcspn(value, "=");

		if (value > text + len + 1 && name < n && is_key(set, value, name))
			return dump_usage(
				d, "'%.*s' would be a value of %.*s: another key is another -%c",
				(int)n, value, (int)len, text, exclude ? 'X' : 'f');
		value += n;
		if (*value)
			value = next_value(value);
	}
	return ST_OK;
}

/* -f holder=ip is of the name of the holder, whose number it is else. */
static size_t named_key(const struct key_set *set, size_t key, const char *value)
{
	const char *name = column_catalogue[set->keys[key].named_by].name;

	return set->keys[key].named_by && !strchr("0123456789.-", value[*value == '='])
		       ? key_find(set->keys, set->n, KEY_FILTERS, name, strlen(name))
		       : key;
}

/* What the column of a key says of rows that have none, where it is one of this view. */
static const char *key_why(const struct key_set *set, enum column_id id)
{
	for (size_t i = 0; i < set->ncolumns; i++)
		if (set->columns[i].id == id)
			return view_column_why(&set->columns[i]);
	return NULL;
}

static enum status parse_filter(struct dump *d, const struct opt_filter *o, const struct opts *opts,
				const struct key_set *set, struct filters *ret)
{
	struct filter f = { .exclude = o->exclude };
	size_t len = strcspn(o->text, "=");
	struct key key;
	enum status st = refuse_other_key(d, set, o->exclude, o->text);

	if (st != ST_OK)
		return st;
	f.key = key_find(set->keys, set->n, KEY_FILTERS | KEY_OF_GROUP, o->text, len);
	if (f.key < set->n) {
		f.key = named_key(set, f.key, o->text + len);
		key = set->keys[f.key];
		/* A column may have another unit under the name that it has in JSON. */
		if (!key.quantity || key.use & KEY_IMPLIED)
			key.quantity = column_quantity(&column_catalogue[key.column],
						       is_signed(&key), o->text, len);
		f.is_function = key.is_function;
		f.forms = key.forms;
		f.is_signed = is_signed(&key);
		st = parse_values(d, o->text, len, &key, &f)
			     ?: filter_open_flags(d, &column_catalogue[key.column], opts->saved,
						  &f);
		if (st == ST_USAGE && f.seen->refused)
			st = filter_hint_of_choice(d, set, &key, f.seen->refused);
		f.seen->only = set->only;
		f.seen->why = key_why(set, key.column);
		ret->filters[ret->n++] = f;
		return st;
	}
	f.key = row_column(set, opts->group, o->text, len);
	if (!set->filters_rows || f.key == set->ncolumns ||
	    !filter_takes_column(&set->columns[f.key]))
		return unknown_key(d, set, KEY_FILTERS | KEY_OF_GROUP, o->text, len);
	key = key_of_column(&set->columns[f.key], o->text, len);
	f.is_signed = is_signed(&key);
	st = parse_values(d, o->text, len, &key, &f)
		     ?: filter_open_flags(d, &column_catalogue[key.column], opts->saved, &f);
	if (st == ST_USAGE && f.seen->refused)
		st = filter_hint_of_choice(d, set, &key, f.seen->refused);
	f.seen->only = set->only;
	f.seen->why = view_column_why(&set->columns[f.key]);
	ret->rows[ret->nrows++] = f;
	return st;
}

/* "-f comm=a -f comm=b": only one row that has both is kept by them. */
static void find_before(const struct filter *all, unsigned int n)
{
	for (unsigned int i = 0; n && i < n - 1; i++)
		if (all[i].key == all[n - 1].key && !all[i].exclude && !all[n - 1].exclude)
			all[n - 1].seen->before = all[i].seen->values;
}

enum status filters_parse(struct dump *d, const struct opts *o, const struct key_set *set,
			  struct filters *ret)
{
	struct filters filters = { .n = 0 };

	for (unsigned int i = 0; i < o->nfilters; i++) {
		enum status st = parse_filter(d, &o->filters[i], o, set, &filters);

		if (st != ST_OK)
			return st;
		find_before(filters.filters, filters.n);
		find_before(filters.rows, filters.nrows);
	}
	*ret = filters;
	return ST_OK;
}

/* Whether one of some numbers, written as texts, is in a range. */
static bool spans_one(const struct alternative *a, const char *const *known)
{
	uint64_t v;

	for (; *known; known++)
		if (units_parse(*known, &v) && v >= a->low && v <= a->high)
			return true;
	return false;
}

enum status filters_check(struct dump *d, const struct filters *f, const struct key *keys,
			  size_t key, const char *const *known)
{
	for (unsigned int i = 0; i < f->n && *known; i++) {
		if (f->filters[i].key != key)
			continue;
		for (struct alternative *a = f->filters[i].first; a; a = a->next) {
			enum status st = ST_OK;

			if (key_is_text(&keys[key]))
				st = check_set(d, &f->filters[i], a, known);
			else if (!a->unknown && !spans_one(a, known))
				st = unknown_value(d, &f->filters[i], a->typed, known);
			if (st != ST_OK)
				return st;
		}
	}
	return ST_OK;
}

enum status keys_parse(struct dump *d, const char *text, const struct key_set *set, size_t *ret,
		       size_t room, size_t *count)
{
	size_t found = 0;

	do {
		size_t len = strcspn(text, ",");
		size_t key = key_find(set->keys, set->n, KEY_GROUPS, text, len);

		if (key == set->n)
			return unknown_key(d, set, KEY_GROUPS, text, len);
		for (size_t i = 0; i < found; i++)
			if (ret[i] == key)
				return dump_usage(d, "-g has '%s' twice",
						  key_name(&set->keys[key]));
		if (found == room)
			return dump_usage(d, "-g takes at most %zu keys", room);
		ret[found++] = key;
		text += len;
	} while (*text++ == ',');
	*count = found;
	return ST_OK;
}
