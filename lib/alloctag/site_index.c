// SPDX-License-Identifier: GPL-2.0-or-later
#include "alloctag/site_index.h"

#include <limits.h>
#include <stdlib.h>

#include "util/likeness.h"
#include "util/units.h"

#define TAG_DIGITS 12 /* a hexadecimal number of that length is an address without 0x */

enum status site_index_open(struct dump *d, const struct codetags *tags, struct site_index *ret)
{
	ret->tags = tags;
	ret->dump = d;
	hash_u64_init(&ret->read, d->arena, sizeof(struct site));
	hash_u64_init(&ret->by_tag, d->arena, sizeof(size_t));
	for (size_t i = 0; i < tags->n; i++) {
		size_t *n = hash_u64_get(&ret->by_tag, tags->sites[i].tag, NULL);

		*n = i + 1;
	}
	return ST_OK;
}

const struct site *site_of_tag(const struct site_index *x, uint64_t tag)
{
	const size_t *n = hash_u64_find(&x->by_tag, tag);

	return n ? &x->tags->sites[*n - 1] : NULL;
}

/*
 * A tag that is in none of the lists is of a module that was unloaded, unless the lists are not all
 * in this dump: codetags that could not be opened have none.
 */
static void find_owner(const struct codetags *tags, struct site *s)
{
	s->loaded = s->tag >= tags->vmlinux_start && s->tag < tags->vmlinux_stop;
	s->in_module = !s->loaded;
	if (s->loaded)
		s->module = "vmlinux";
	s->unloaded = !s->loaded && tags->n && !tags->problem;
}

struct site site_unnamed(const struct site_index *x, uint64_t tag)
{
	struct site s = { .tag = tag };

	find_owner(x->tags, &s);
	return s;
}

const struct site *site_named(struct site_index *x, uint64_t tag)
{
	const struct site *s = site_of_tag(x, tag);
	struct site *read;
	bool is_new;

	if (s)
		return s;
	read = hash_u64_get(&x->read, tag, &is_new);
	if (is_new && tag_read(x->dump, tag, read) == ST_OK)
		find_owner(x->tags, read);
	return read->tag ? read : NULL;
}

const char *site_name(const struct site *s, char *buf, size_t size)
{
	if (!s->file && !s->function && s->line)
		snprintf(buf, size, "0x%lx, line %u%s", s->tag, s->line,
			 s->unloaded ? " of an unloaded module" : "");
	else if (!s->file && !s->function)
		snprintf(buf, size, "0x%lx%s", s->tag,
			 s->unloaded ? ", which the kernel does not list" : "");
	else
		snprintf(buf, size, "%s:%u %s%s%s%s%s", s->file ? s->file : "?", s->line,
			 s->function ? s->function : "?", s->module ? " [" : "",
			 s->module ? s->module : "", s->module ? "]" : "",
			 s->unloaded ? ", of an unloaded module" : "");
	return buf;
}

/* "mm/slub.c" is the end of "./mm/slub.c", "b.c" is not of "slub.c". */
static bool is_file(const char *path, const char *end, size_t len)
{
	size_t n = path ? strlen(path) : 0;

	if (n < len || memcmp(path + n - len, end, len))
		return false;
	return n == len || path[n - len - 1] == '/';
}

/* What the user wrote: a line of a file, or else a function. */
struct wanted {
	const char *text;
	size_t file; /* length of its path, 0: a function */
	uint64_t line;
};

static bool meets(const struct wanted *w, const struct site *s)
{
	if (w->file)
		return s->line == w->line && is_file(s->file, w->text, w->file);
	return s->function && !strcmp(s->function, w->text);
}

static void parse(const char *text, struct wanted *ret)
{
	const char *colon = strrchr(text, ':');

	*ret = (struct wanted){ .text = text };
	if (colon && colon != text && units_parse(colon + 1, &ret->line))
		ret->file = colon - text;
}

static bool is_tag(const char *text, uint64_t *ret)
{
	bool marked = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');

	return (marked || strlen(text) >= TAG_DIGITS) && units_parse_hex(text, ret);
}

#define NEAREST_BYTES 256 /* of a message */

/* The function that is most like a word. */
static void nearest_function(const struct codetags *tags, const char *word, char *buf)
{
	unsigned int least = UINT_MAX;

	for (size_t i = 0; i < tags->n; i++) {
		const char *name = tags->sites[i].function;
		unsigned int distance = name ? likeness_distance(word, name) : UINT_MAX;

		if (distance >= least || !likeness_is_near(word, distance))
			continue;
		least = distance;
		snprintf(buf, NEAREST_BYTES, "; the nearest is '%s'", name);
	}
}

/* The line that is nearest in files of a name, or else the file that is most like it. */
static void nearest_line(const struct codetags *tags, const struct wanted *w, char *buf)
{
	uint64_t least = UINT64_MAX;
	char path[NEAREST_BYTES];
	bool has_file = false;

	snprintf(path, sizeof(path), "%.*s", (int)w->file, w->text);
	for (size_t i = 0; i < tags->n; i++) {
		const struct site *s = &tags->sites[i];
		bool is_it = is_file(s->file, w->text, w->file);
		uint64_t distance = s->line > w->line ? s->line - w->line : w->line - s->line;

		if (!s->file || (has_file && !is_it))
			continue;
		if (is_it && !has_file)
			least = UINT64_MAX;
		has_file |= is_it;
		if (!is_it)
			distance = likeness_distance(path, s->file);
		if (distance >= least || (!is_it && !likeness_is_near(path, distance)))
			continue;
		least = distance;
		if (is_it)
			snprintf(buf, NEAREST_BYTES, "; the nearest is '%s:%u'", s->file, s->line);
		else
			snprintf(buf, NEAREST_BYTES, "; the nearest file is '%s'", s->file);
	}
}

/* A module or a file has more than one. */
static const char *filter_of(struct dump *d, const struct codetags *tags, const char *text)
{
	const size_t len = strlen(text);

	for (size_t i = 0; i < tags->n; i++) {
		const struct site *s = &tags->sites[i];

		if (s->module && !strcmp(s->module, text))
			return dump_text(d, "; it is a module: -f module=%s keeps its sites", text);
		if (s->file && is_file(s->file, text, len))
			return dump_text(d, "; it is a file: -f file=%s keeps its sites", s->file);
	}
	return NULL;
}

static enum status unknown_site(struct dump *d, const struct codetags *tags, const char *text)
{
	const char *filter = filter_of(d, tags, text);
	char nearest[NEAREST_BYTES] = "";
	struct wanted w;

	parse(text, &w);
	if (filter)
		snprintf(nearest, sizeof(nearest), "%s", filter);
	else if (w.file)
		nearest_line(tags, &w, nearest);
	else
		nearest_function(tags, text, nearest);
	return dump_usage(
		d, "no call site '%s'%s: a site is FILE:LINE, a function or the address of a tag%s",
		text, nearest,
		tags->lists_unloaded ? "" : "; of an unloaded module, the address that -C shows");
}

static enum status find_tag(struct dump *d, const struct codetags *tags, const char *text,
			    uint64_t tag, struct sites *ret)
{
	const struct site *s;
	struct site_index x;
	enum status st = site_index_open(d, tags, &x);

	if (st != ST_OK)
		return st;
	s = site_named(&x, tag);
	if (!s)
		return unknown_site(d, tags, text);
	ret->sites[0] = *s;
	ret->n = 1;
	return ST_OK;
}

enum status sites_find(struct dump *d, const struct codetags *tags, const char *text,
		       struct sites *ret)
{
	struct sites found = { .sites = dump_alloc(d, SITES_FOUND * sizeof(*found.sites)) };
	struct wanted w;
	uint64_t tag;
	enum status st = ST_OK;

	if (is_tag(text, &tag)) {
		st = find_tag(d, tags, text, tag, &found);
	} else {
		parse(text, &w);
		for (size_t i = 0; i < tags->n; i++) {
			if (!meets(&w, &tags->sites[i]))
				continue;
			if (found.n == SITES_FOUND)
				return dump_usage(d, "'%s' is more than %d call sites", text,
						  SITES_FOUND);
			found.sites[found.n++] = tags->sites[i];
		}
		st = found.n ? ST_OK : unknown_site(d, tags, text);
	}
	return RESULT(st, ret, found);
}
