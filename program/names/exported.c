// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of exported symbols, which struct kernel_symbol has a second time: offsets to the value and to the
 * name (since 4.19, CONFIG_HAVE_ARCH_PREL32_RELOCATIONS), since 5.4 to that of the namespace as well.
 */

#include "names/table.h"
#include "util/endian.h"

#define MOST_BYTES (4u << 20) /* of the table, and of the names */
#define NAME_AT 4	      /* in an entry */
#define NAME_BYTES 256	      /* of an exported function or variable */
/* Letters that changed make many names others: fewer are what a kernel exports and does not list. */
#define FEW 4

/* A piece of memory; pages that are not in the dump are zeros. */
struct piece {
	uint64_t start;
	uint8_t *bytes;
	size_t n;
};

static enum status read_piece(struct dump *d, uint64_t start, uint64_t end, struct piece *ret)
{
	const uint64_t page = dump_page_size(d);

	*ret = (struct piece){ start, dump_alloc(d, end - start + 1), end - start };
	for (uint64_t at = start, part; at < end; at += part) {
		part = page - (at & (page - 1));
		part = part < end - at ? part : end - at;
		if (dump_try(d, at, ret->bytes + (at - start), part) != ST_OK)
			memset(ret->bytes + (at - start), 0, part);
	}
	ret->bytes[ret->n] = 0;
	return ST_OK;
}

static uint64_t name_of(const struct piece *table, size_t at)
{
	return table->start + at + NAME_AT + (int64_t)(int32_t)le32(table->bytes + at + NAME_AT);
}

/* Where the names of entries of a size are; false: these are no entries of that size. */
static bool find_names(const struct piece *table, size_t size, uint64_t *start, uint64_t *end)
{
	*start = UINT64_MAX;
	*end = 0;
	for (size_t at = 0; at + size <= table->n; at += size) {
		uint64_t name = name_of(table, at);

		/* Of a page that is missing. */
		if (!le32(table->bytes + at + NAME_AT))
			continue;
		*start = name < *start ? name : *start;
		*end = name + NAME_BYTES > *end ? name + NAME_BYTES : *end;
		if (*end < *start || *end - *start > MOST_BYTES)
			return false;
	}
	return *end > *start;
}

/* The name at an address; NULL: it does not begin there, or is not in the dump. */
static const char *name_at(const struct piece *names, uint64_t address)
{
	const char *name = (const char *)names->bytes + (address - names->start);

	if (!*name || (address > names->start && name[-1]))
		return NULL;
	return strnlen(name, NAME_BYTES) < NAME_BYTES ? name : NULL;
}

/* Functions: CONFIG_KALLSYMS_ALL decides on data. */
struct exports {
	uint64_t text, end;
	size_t named, absent;
};

static bool is_function(const struct exports *e, const struct piece *table, size_t at)
{
	uint64_t value = table->start + at + (int64_t)(int32_t)le32(table->bytes + at);

	return value >= e->text && value < e->end;
}

static enum status count_names(struct dump *d, const struct symbols *s, const struct piece *table,
			       size_t size, struct exports *ret)
{
	struct piece names;
	uint64_t start, end, address;
	enum status st;

	ret->named = ret->absent = 0;
	if (table->n % size || !find_names(table, size, &start, &end))
		return ST_OK;
	st = read_piece(d, start, end, &names);
	for (size_t at = 0; st == ST_OK && at + size <= table->n; at += size) {
		uint64_t value = name_of(table, at);
		const char *name = value >= start && value < end ? name_at(&names, value) : NULL;

		if (!name || !is_function(ret, table, at))
			continue;
		ret->named++;
		ret->absent += symbols_find(s, name, &address) == ST_ABSENT;
	}
	return st;
}

/* ST_ABSENT: a kernel without modules has none.  Where names have other letters, both or one may be missing. */
static enum status find_table(struct dump *d, const struct symbols *s, const char *first,
			      const char *last, struct piece *ret)
{
	uint64_t start, end;
	const enum status has_first = symbols_find(s, first, &start);
	const enum status has_last = symbols_find(s, last, &end);
	const bool has_start = has_first == ST_OK, has_end = has_last == ST_OK;

	/* Where either is is lost. */
	if (has_first == ST_UNREADABLE || has_last == ST_UNREADABLE)
		return ST_ABSENT;
	if (has_start != has_end)
		return dump_fail(d, ST_CORRUPT,
				 "names of kallsyms are damaged: it has %s, but no %s",
				 has_start ? first : last, has_start ? last : first);
	if (!has_start || end <= start || end - start > MOST_BYTES)
		return ST_ABSENT;
	return read_piece(d, start, end, ret);
}

/* Of a size that is not that of the entries few names are found where offsets lead. */
static enum status count(struct dump *d, const struct symbols *s, const char *first,
			 const char *last, struct exports *sum)
{
	static const size_t sizes[] = { 12, 8 };
	struct exports best = *sum, e = *sum;
	struct piece table;
	enum status st = find_table(d, s, first, last, &table);

	if (st != ST_OK)
		return st == ST_ABSENT ? ST_OK : st;
	best.named = best.absent = 0;
	for (size_t i = 0; st == ST_OK && i < ARRAY_SIZE(sizes); i++) {
		st = count_names(d, s, &table, sizes[i], &e);
		if (st == ST_OK && e.named > best.named)
			best = e;
	}
	sum->named += best.named;
	sum->absent += best.absent;
	return st;
}

enum status symbols_check_exports(struct dump *d, const struct symbols *s)
{
	static const char *const ends[] = { "_etext", "__start_rodata", "_sdata" };
	struct exports e = { 0 };
	enum status st;

	/* What is absent may be one of those without a name. */
	if (symbols_unnamed(s) || d->ops->symbol(d->priv, "_stext", &e.text) != ST_OK)
		return ST_OK;
	for (size_t i = 0; i < ARRAY_SIZE(ends) && !e.end; i++)
		symbols_find(s, ends[i], &e.end);
	st = count(d, s, "__start___ksymtab", "__stop___ksymtab", &e)
		     ?: count(d, s, "__start___ksymtab_gpl", "__stop___ksymtab_gpl", &e);
	if (st != ST_OK || e.absent <= FEW)
		return st;
	return dump_fail(d, ST_CORRUPT,
			 "names of kallsyms are damaged: %zu of %zu exported functions have others",
			 e.absent, e.named);
}
