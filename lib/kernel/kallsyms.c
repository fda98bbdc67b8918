// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/kallsyms.h"

#include <string.h>

#include "util/endian.h"

#define MAX_SYMBOLS 8000000
#define MAX_NAME 512 /* KSYM_NAME_LEN since 6.1 */
#define CHECKS 64    /* symbols compared with vmlinux's */

static const char *const encodings[] = {
	[KALLSYMS_PLAIN] = "plain offsets",
	[KALLSYMS_NEGATIVE] = "negative offsets",
	[KALLSYMS_SELF] = "offsets from themselves",
};

static uint64_t address(const struct kallsyms *k, uint32_t i)
{
	int32_t offset = k->offsets[i];

	switch (k->encoding) {
	case KALLSYMS_SELF:
		return k->base + i * sizeof(*k->offsets) + (int64_t)offset;
	case KALLSYMS_NEGATIVE:
		return offset >= 0 ? (uint64_t)offset : k->base - 1 - (int64_t)offset;
	default:
		return k->base + (uint32_t)offset;
	}
}

/* Length of the record at p, of which room bytes are there; 0 if it runs over. */
static size_t record_length(const uint8_t *p, size_t room, size_t *header)
{
	size_t len;

	if (room < 2)
		return 0;
	*header = p[0] & 0x80 ? 2 : 1;
	len = *header == 2 ? (p[0] & 0x7f) | p[1] << 7 : p[0];
	return len && *header + len <= room ? len : 0;
}

/* Expands tokens; returns false where they make no name. */
static bool expand(const struct kallsyms *k, const uint8_t *p, size_t len, char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		size_t at = k->token_index[p[i]];

		for (; at < k->token_bytes && k->tokens[at]; at++) {
			if (n == MAX_NAME)
				return false;
			name[n++] = k->tokens[at];
		}
		if (at == k->token_bytes)
			return false;
	}
	if (n < 2)
		return false;
	/* The first character is the type. */
	memmove(name, name + 1, n - 1);
	name[n - 1] = '\0';
	return true;
}

static enum status symbol_name(struct kallsyms *k, uint32_t i, char *name)
{
	struct dump *d = k->dump;
	uint8_t marker[8];
	size_t len, header;
	uint64_t at, room;
	const uint8_t *p;
	enum status st = dump_read(d, k->markers + (i >> 8) * k->marker_bytes, marker,
				   k->marker_bytes, "kallsyms_markers");

	if (st != ST_OK)
		return st;
	at = le_bytes(marker, k->marker_bytes);
	if (at >= k->name_bytes)
		return dump_fail(d, ST_CORRUPT, "kallsyms has no name for symbol %u", i);
	p = k->names + at;
	room = k->name_bytes - at;
	for (i &= 255;; i--) {
		len = record_length(p, room, &header);
		if (!len || !i)
			break;
		p += header + len;
		room -= header + len;
	}
	if (!len || !expand(k, p + header, len, name))
		return dump_fail(d, ST_CORRUPT, "kallsyms has no name for symbol %u", i);
	return ST_OK;
}

/* Markers were longs before 4.20: the second one must point behind 256 names. */
static enum status marker_width(struct kallsyms *k)
{
	size_t at = 0, header = 0;
	uint8_t m[16];

	k->marker_bytes = 4;
	if (k->n <= 256)
		return ST_OK;
	for (unsigned int i = 0; i < 256; i++) {
		size_t len = record_length(k->names + at, k->name_bytes - at, &header);

		if (!len)
			return dump_fail(k->dump, ST_CORRUPT, "kallsyms_names is corrupt");
		at += header + len;
	}
	if (dump_read(k->dump, k->markers, m, sizeof(m), "kallsyms_markers") != ST_OK)
		return ST_UNREADABLE;
	if (le32(m + 4) == at)
		return ST_OK;
	k->marker_bytes = 8;
	if (le64(m + 8) == at)
		return ST_OK;
	return dump_fail(k->dump, ST_UNKNOWN, "unknown layout: kallsyms_markers");
}

/* Some of the decoded symbols must be where vmlinux has them. */
static enum status verify(struct kallsyms *k)
{
	struct dump *d = k->dump;
	char name[MAX_NAME + 1];
	unsigned int checked = 0, good = 0;

	for (unsigned int i = 0; i < CHECKS; i++) {
		uint32_t at = (uint64_t)k->n * (2 * i + 1) / (2 * CHECKS);
		uint64_t addr;

		if (symbol_name(k, at, name) != ST_OK ||
		    d->ops->symbol(d->priv, name, &addr) != ST_OK)
			continue;
		checked++;
		good += addr == address(k, at);
	}
	decoder_trace(d,
		      "decide kallsyms: %u symbols, %s, %u of %u checked ones agree with vmlinux",
		      k->n, encodings[k->encoding], good, checked);
	/* Static symbols may share a name, so not all can agree. */
	if (!good || good * 2 < checked)
		return dump_fail(d, ST_UNKNOWN, "kallsyms contradicts the symbols of vmlinux");
	return ST_OK;
}

static enum status read_tokens(struct kallsyms *k)
{
	struct dump *d = k->dump;
	uint8_t index[sizeof(k->token_index)];
	uint64_t tokens, token_index;
	size_t page = dump_page_size(d);
	enum status st = dump_symbol(d, "kallsyms_token_table", &tokens);

	if (st == ST_OK)
		st = dump_symbol(d, "kallsyms_token_index", &token_index);
	if (st == ST_OK)
		st = dump_read(d, token_index, index, sizeof(index), "kallsyms_token_index");
	if (st != ST_OK)
		return st;
	for (unsigned int i = 0; i < 256; i++)
		k->token_index[i] = le16(index + 2 * i);
	k->tokens = dump_alloc(d, KALLSYMS_TOKEN_BYTES);
	if (!k->tokens)
		return ST_NOMEM;
	/* The table is a few KiB; how many is not said, and behind it may be the end of the dump. */
	while (k->token_bytes < KALLSYMS_TOKEN_BYTES) {
		size_t len = page - ((tokens + k->token_bytes) & (page - 1));

		if (len > KALLSYMS_TOKEN_BYTES - k->token_bytes)
			len = KALLSYMS_TOKEN_BYTES - k->token_bytes;
		if (dump_try(d, tokens + k->token_bytes, k->tokens + k->token_bytes, len) != ST_OK)
			break;
		k->token_bytes += len;
		if (k->token_bytes > k->token_index[255] + (size_t)MAX_NAME)
			break;
	}
	return ST_OK;
}

static enum status read_offsets(struct kallsyms *k)
{
	struct dump *d = k->dump;
	uint64_t offsets;
	enum status st = dump_symbol(d, "kallsyms_offsets", &offsets);

	if (st == ST_OK) {
		k->offsets = dump_alloc(d, (size_t)k->n * sizeof(*k->offsets));
		if (!k->offsets)
			return ST_NOMEM;
		st = dump_read(d, offsets, k->offsets, (size_t)k->n * sizeof(*k->offsets),
			       "kallsyms_offsets");
	}
	if (st != ST_OK)
		return st;
	if (!dump_has_symbol(d, "kallsyms_relative_base")) {
		k->encoding = KALLSYMS_SELF;
		k->base = offsets;
	} else if ((int32_t)k->offsets[k->n - 1] < 0) {
		/* Sorted by address, the last symbol is no per-CPU one: its sign tells. */
		k->encoding = KALLSYMS_NEGATIVE;
	}
	return ST_OK;
}

static enum status read_bounds(struct kallsyms *k)
{
	struct dump *d = k->dump;
	uint64_t num, base;
	enum status st = dump_symbol(d, "kallsyms_num_syms", &num);

	if (st == ST_OK)
		st = dump_u32(d, num, &k->n, "kallsyms_num_syms");
	if (st == ST_OK && dump_symbol(d, "kallsyms_relative_base", &base) == ST_OK)
		st = dump_u64(d, base, &k->base, "kallsyms_relative_base");
	if (st == ST_OK)
		st = dump_symbol(d, "kallsyms_markers", &k->markers);
	if (st == ST_OK)
		st = dump_symbol(d, "_stext", &k->first);
	if (st == ST_OK)
		st = dump_symbol(d, "_end", &k->last);
	if (st != ST_OK)
		return st;
	if (!k->n || k->n > MAX_SYMBOLS)
		return dump_fail(d, ST_CORRUPT, "kallsyms of %u symbols", k->n);
	return ST_OK;
}

/* All names at once: looked up one by one, they would be read over and over. */
static enum status read_names(struct kallsyms *k)
{
	struct dump *d = k->dump;
	uint64_t names, page = dump_page_size(d), at, len;
	enum status st = dump_symbol(d, "kallsyms_names", &names);

	if (st != ST_OK)
		return st;
	/* The markers have followed the names in every release. */
	if (k->markers <= names || k->markers - names > (uint64_t)k->n * MAX_NAME)
		return dump_fail(d, ST_UNKNOWN,
				 "unknown layout: kallsyms_markers are not behind the names");
	k->name_bytes = k->markers - names;
	k->names = dump_alloc(d, k->name_bytes);
	if (!k->names)
		return ST_NOMEM;
	/* A page that is missing stays 0: a name of no length, which is none. */
	for (at = 0; at < k->name_bytes; at += len) {
		len = page - ((names + at) & (page - 1));
		if (len > k->name_bytes - at)
			len = k->name_bytes - at;
		if (dump_try(d, names + at, k->names + at, len) != ST_OK)
			memset(k->names + at, 0, len);
	}
	return ST_OK;
}

enum status kallsyms_open(struct dump *d, struct kallsyms *ret)
{
	struct kallsyms k = { .dump = d };
	enum status st;

	if (!dump_has_symbol(d, "kallsyms_names"))
		return dump_fail(d, ST_ABSENT, "this kernel has no kallsyms");
	st = read_bounds(&k);
	if (st == ST_OK)
		st = read_names(&k);
	if (st == ST_OK)
		st = read_offsets(&k);
	if (st == ST_OK)
		st = read_tokens(&k);
	if (st == ST_OK)
		st = marker_width(&k);
	if (st == ST_OK)
		st = verify(&k);
	if (st == ST_OK)
		*ret = k;
	return st;
}

enum status kallsyms_lookup(struct kallsyms *k, uint64_t addr, struct symbol *ret)
{
	char name[MAX_NAME + 1];
	uint32_t low = 0, high = k->n, next;
	enum status st;

	if (addr < k->first || addr >= k->last || addr < address(k, 0))
		return dump_fail(k->dump, ST_ABSENT, "no symbol at %#llx",
				 (unsigned long long)addr);
	while (high - low > 1) {
		uint32_t mid = low + (high - low) / 2;

		if (address(k, mid) <= addr)
			low = mid;
		else
			high = mid;
	}
	/* Of several symbols at one address the kernel prints the first. */
	while (low && address(k, low - 1) == address(k, low))
		low--;
	for (next = low + 1; next < k->n && address(k, next) == address(k, low); next++)
		;
	st = symbol_name(k, low, name);
	if (st != ST_OK)
		return st;
	ret->name = arena_strdup(k->dump->arena, name);
	if (!ret->name)
		return dump_no_memory(k->dump);
	ret->address = address(k, low);
	ret->size = (next < k->n ? address(k, next) : k->last) - ret->address;
	return ST_OK;
}
