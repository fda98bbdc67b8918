// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/kallsyms.h"

#include <ctype.h>

#define MAX_SYMBOLS 8000000	   /* a stock kernel has some 150,000 */
#define MAX_NAME KALLSYMS_MAX_NAME /* KSYM_NAME_LEN since 6.1 */
#define CHECKS 64		   /* symbols compared with vmlinux's */
#define GROUP 256		   /* symbols from one marker to the next */
/* Bytes behind a name and behind the tokens that may be copied. */
#define SLACK (KALLSYMS_NAME_ROOM - MAX_NAME)

static const char *const encodings[] = {
	[KALLSYMS_PLAIN] = "plain offsets",
	[KALLSYMS_NEGATIVE] = "negative offsets",
	[KALLSYMS_SELF] = "offsets from themselves",
};

/* Which page of the offsets has that of a symbol. */
static uint64_t offset_page(const struct kallsyms *k, uint32_t i)
{
	const unsigned int shift = k->dump->page_shift;
	const uint64_t at = k->places.offsets;

	return ((at + (uint64_t)i * sizeof(*k->offsets)) >> shift) - (at >> shift);
}

bool kallsyms_is_lost(const struct kallsyms *k, uint32_t i)
{
	return k->missing_offsets && k->missing_offsets[offset_page(k, i)];
}

uint64_t kallsyms_address(const struct kallsyms *k, uint32_t i)
{
	const uint64_t page = k->missing_offsets ? dump_page_size(k->dump) : 0;
	int32_t offset;

	while (kallsyms_is_lost(k, i)) {
		uint64_t in_page = (k->places.offsets + (uint64_t)i * sizeof(*k->offsets)) &
				   (page - 1);

		if (in_page / sizeof(*k->offsets) >= i)
			return 0;
		i -= in_page / sizeof(*k->offsets) + 1;
	}
	offset = k->offsets[i];
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

static bool is_missing(const struct kallsyms *k, uint64_t at, size_t len)
{
	uint64_t in_page = k->names_at & (dump_page_size(k->dump) - 1);
	unsigned int shift = k->dump->page_shift;

	for (uint64_t i = (at + in_page) >> shift; i <= (at + len - 1 + in_page) >> shift; i++)
		if (k->missing[i])
			return true;
	return false;
}

/* The record at a place of the stream; false: it is not there, or is none. */
static bool record_at(const struct kallsyms *k, uint64_t at, size_t *header, size_t *len)
{
	if (at >= k->name_bytes || (k->incomplete && is_missing(k, at, 1)))
		return false;
	*len = record_length(k->names + at, k->name_bytes - at, header);
	return *len && !(k->incomplete && is_missing(k, at, *header + *len));
}

/* Where the names of a group of symbols start. */
static uint64_t marker(const struct kallsyms *k, uint32_t group)
{
	return le_bytes(k->markers + (size_t)group * k->marker_bytes, k->marker_bytes);
}

/*
 * The places of the records of a group, as many as are there; none if they do not end where the next
 * group starts, unless part of them is missing.
 */
static unsigned int find_group(const struct kallsyms *k, uint32_t group, uint64_t ret[GROUP])
{
	bool is_last = group + 1 >= (k->n + GROUP - 1) / GROUP;
	unsigned int n = is_last ? k->n - group * GROUP : GROUP;
	uint64_t at = marker(k, group);
	size_t header, len;

	for (unsigned int i = 0; i < n; i++) {
		if (!record_at(k, at, &header, &len))
			return is_last || k->incomplete ? i : 0;
		ret[i] = at;
		at += header + len;
	}
	return is_last || at == marker(k, group + 1) ? n : 0;
}

/*
 * Expands tokens; 0: they make no name.  The first character is the type and no part of the name.
 * Most tokens are short: copied as blocks of one size, a kernel's names take half of the time.
 */
const char *kallsyms_name(const struct kallsyms *k, uint64_t at, char name[KALLSYMS_NAME_ROOM])
{
	size_t header, len, n = 0;
	const uint8_t *p;

	if (!record_at(k, at, &header, &len))
		return NULL;
	p = k->names + at + header;

	for (size_t i = 0; i < len; i++) {
		const char *token = k->tokens + k->token_index[p[i]];
		uint16_t bytes = k->token_length[p[i]];

		if (bytes > MAX_NAME - n)
			return NULL;
		memcpy(name + n, token, SLACK);
		if (bytes > SLACK)
			memcpy(name + n, token, bytes);
		n += bytes;
	}
	name[n] = '\0';
	return n > 1 ? name + 1 : NULL;
}

/* Any odd number: what it multiplies keeps all of its bits. */
#define FACTOR 0x9e3779b97f4a7c15ULL

static uint32_t finish(uint64_t sum)
{
	return sum >> 32 ? sum >> 32 : 1;
}

static uint64_t sum_of(const char *text, size_t n)
{
	uint64_t sum = 0;

	while (n--)
		sum = sum * FACTOR + (uint8_t)text[n];
	return sum;
}

uint32_t kallsyms_hash_text(const char *name)
{
	return finish(sum_of(name, strlen(name)) * FACTOR);
}

/* A sum over characters is one over tokens, each moved to its place; without the first character. */
uint32_t kallsyms_hash(const struct kallsyms *k, uint64_t at)
{
	uint64_t sum = 0, type = 0;
	size_t header, len, n = 0;
	const uint8_t *p;

	if (!record_at(k, at, &header, &len))
		return 0;
	p = k->names + at + header;
	for (size_t i = 0; i < len; i++) {
		uint16_t bytes = k->token_length[p[i]];

		if (bytes > MAX_NAME - n)
			return 0;
		if (!n)
			type = (uint8_t)k->tokens[k->token_index[p[i]]];
		sum += k->token_hash[p[i]] * k->powers[n];
		n += bytes;
	}
	return n > 1 ? finish(sum - type) : 0;
}

static const char *symbol_name(struct kallsyms *k, uint32_t i, char name[KALLSYMS_NAME_ROOM])
{
	uint64_t at = marker(k, i / GROUP);
	size_t len, header;
	const char *ret;

	for (uint32_t left = i % GROUP; left && record_at(k, at, &header, &len); left--)
		at += header + len;
	ret = kallsyms_name(k, at, name);
	if (!ret)
		dump_corrupt(k->dump, "kallsyms has no name for symbol %u", i);
	return ret;
}

enum status kallsyms_each(const struct kallsyms *k,
			  enum status (*visit)(void *arg, uint32_t i, uint64_t at), void *arg)
{
	enum status st = ST_OK;
	uint64_t places[GROUP];
	unsigned int n = 0;

	for (uint32_t i = 0; i < k->n && st == ST_OK; i++) {
		if (!(i % GROUP))
			n = find_group(k, i / GROUP, places);
		st = visit(arg, i, i % GROUP < n ? places[i % GROUP] : KALLSYMS_LOST);
	}
	return st;
}

/* The first symbol of a name. */
struct seeker {
	const struct kallsyms *kallsyms;
	const char *name;
	uint32_t hash, number;
	bool found;
};

static enum status compare(void *arg, uint32_t i, uint64_t at)
{
	struct seeker *s = arg;
	char buf[KALLSYMS_NAME_ROOM];
	const char *name;

	if (kallsyms_hash(s->kallsyms, at) != s->hash)
		return ST_OK;
	name = kallsyms_name(s->kallsyms, at, buf);
	s->found = name && !strcmp(name, s->name);
	s->number = i;
	return s->found ? ST_STOPPED : ST_OK;
}

bool kallsyms_find(const struct kallsyms *k, const char *name, uint32_t *ret)
{
	struct seeker s = { .kallsyms = k, .name = name, .hash = kallsyms_hash_text(name) };

	kallsyms_each(k, compare, &s);
	*ret = s.number;
	return s.found;
}

bool kallsyms_has_data(const struct kallsyms *k)
{
	uint32_t number;

	return kallsyms_find(k, "init_uts_ns", &number);
}

/* Markers were longs before 4.20: the upper half of the first one is 0, the second one is not. */
static enum status read_markers(struct kallsyms *k, uint64_t markers)
{
	struct dump *d = k->dump;
	uint32_t groups = (k->n + GROUP - 1) / GROUP;
	uint8_t m[8];
	enum status st;

	k->marker_bytes = 4;
	if (groups > 1) {
		st = dump_read(d, markers, m, sizeof(m), "kallsyms_markers");
		if (st != ST_OK)
			return st;
		k->marker_bytes = le32(m + 4) ? 4 : 8;
	}
	k->markers = dump_alloc(d, (size_t)groups * k->marker_bytes);
	return dump_read(d, markers, k->markers, (size_t)groups * k->marker_bytes,
			 "kallsyms_markers");
}

/* The second marker must point behind the names of the first group, if these are there. */
static enum status check_markers(struct kallsyms *k)
{
	size_t header, len;
	uint64_t at = 0;

	if (k->n <= GROUP)
		return ST_OK;
	for (unsigned int i = 0; i < GROUP; i++) {
		if (!record_at(k, at, &header, &len))
			return k->incomplete ? ST_OK
					     : dump_corrupt(k->dump, "kallsyms_names is corrupt");
		at += header + len;
	}
	return marker(k, 1) == at ? ST_OK : dump_unknown(k->dump, "kallsyms_markers");
}

/* Some of the decoded symbols must be where vmlinux has them. */
static enum status verify(struct kallsyms *k)
{
	struct dump *d = k->dump;
	char buf[KALLSYMS_NAME_ROOM];
	unsigned int checked = 0, good = 0;

	for (unsigned int i = 0; i < CHECKS; i++) {
		uint32_t at = (uint64_t)k->n * (2 * i + 1) / (2 * CHECKS);
		const char *name = kallsyms_is_lost(k, at) ? NULL : symbol_name(k, at, buf);
		uint64_t addr;

		if (!name || dump_ask(d, symbol, name, &addr) != ST_OK)
			continue;
		checked++;
		good += addr == kallsyms_address(k, at);
	}
	decoder_trace(d,
		      "decide kallsyms: %u symbols, %s, %u of %u checked ones agree with vmlinux",
		      k->n, encodings[k->encoding], good, checked);
	/* Static symbols may share a name, so not all can agree. */
	if (!good || good * 2 < checked)
		return dump_fail(d, ST_UNKNOWN, "kallsyms contradicts the symbols of vmlinux");
	return ST_OK;
}

/* Characters of names that compilers and linkers make. */
static bool is_of_names(const char *token, size_t len)
{
	return !ANY_OF(i, len,
		       !isalnum((unsigned char)token[i]) && !strchr("_.$@?:<>+-=", token[i]));
}

/* Each token starts behind the end of the one before. */
static bool follows(const struct kallsyms *k, unsigned int i)
{
	size_t at = k->token_index[i];

	return i ? at && at < k->token_bytes && !k->tokens[at - 1] : !at;
}

/* A token that is of another place, or in no name, is damaged: which name it makes is unknown. */
static void measure_tokens(struct kallsyms *k)
{
	for (unsigned int i = 0; i < 256; i++) {
		size_t at = k->token_index[i], len = MAX_NAME + 1;
		const char *end = follows(k, i) ? memchr(k->tokens + at, '\0', k->token_bytes - at)
						: NULL;

		if (end && (i == 255 || end - k->tokens + 1 == k->token_index[i + 1]))
			len = end - (k->tokens + at);
		if (len <= MAX_NAME && !is_of_names(k->tokens + at, len))
			len = MAX_NAME + 1;
		k->token_length[i] = len <= MAX_NAME ? len : MAX_NAME + 1;
		k->token_hash[i] = sum_of(k->tokens + at, len <= MAX_NAME ? len : 0);
	}
	k->powers[0] = 1;
	for (unsigned int i = 1; i <= MAX_NAME; i++)
		k->powers[i] = k->powers[i - 1] * FACTOR;
}

/* A character, or a token of a higher number. */
static bool is_part(const struct kallsyms *k, unsigned int i, const char *text, size_t len)
{
	if (len == 1)
		return k->token_length[(uint8_t)*text] == 1;
	for (unsigned int j = i + 1; j < 256; j++)
		if (k->token_length[j] == len && !memcmp(k->tokens + k->token_index[j], text, len))
			return true;
	return false;
}

/*
 * scripts/kallsyms.c gives each character of the names its own number; all others, from 255 down, are two that
 * are there already.  A token that is neither has other letters than it had: any name may be false.
 */
static bool is_token(const struct kallsyms *k, unsigned int i)
{
	const char *text = k->tokens + k->token_index[i];
	size_t len = k->token_length[i];

	if (len <= 1)
		return !len || (uint8_t)*text == i;
	for (size_t first = 1; first < len; first++)
		if (is_part(k, i, text, first) && is_part(k, i, text + first, len - first))
			return true;
	return false;
}

static enum status check_tokens(const struct kallsyms *k)
{
	/* Of what is not there nothing can be said. */
	for (unsigned int i = 0; i < 256; i++)
		if (k->token_length[i] > MAX_NAME)
			return ST_OK;
	for (unsigned int i = 0; i < 256; i++)
		if (!is_token(k, i))
			return dump_corrupt(k->dump, "kallsyms_token_table is corrupt");
	return ST_OK;
}

static enum status read_tokens(struct kallsyms *k, const struct kallsyms_places *places)
{
	struct dump *d = k->dump;
	uint8_t index[sizeof(k->token_index)];
	uint64_t tokens = places->token_table;
	size_t page = dump_page_size(d);
	enum status st = dump_read(d, places->token_index, index, sizeof(index),
				   "kallsyms_token_index");

	if (st != ST_OK)
		return st;
	for (unsigned int i = 0; i < 256; i++)
		k->token_index[i] = le16(index + 2 * i);
	k->tokens = dump_alloc(d, KALLSYMS_TOKEN_BYTES + SLACK);
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
	measure_tokens(k);
	return check_tokens(k);
}

/* How many there are up to the last one that is in this dump; 0: none. */
static uint32_t read_present_offsets(struct kallsyms *k)
{
	struct dump *d = k->dump;
	const uint64_t at = k->places.offsets, bytes = (uint64_t)k->n * sizeof(*k->offsets);
	const uint64_t page = dump_page_size(d);
	uint64_t last = 0, len;
	uint8_t *missing = dump_alloc(d, bytes / page + 2);
	bool is_whole = true;

	k->offsets = dump_alloc(d, bytes);
	for (uint64_t i = 0, n = 0; i < bytes; i += len, n++) {
		len = page - ((at + i) & (page - 1));
		if (len > bytes - i)
			len = bytes - i;
		missing[n] = dump_try(d, at + i, (uint8_t *)k->offsets + i, len) != ST_OK;
		is_whole &= !missing[n];
		if (!missing[n])
			last = i + len;
	}
	k->missing_offsets = is_whole ? NULL : missing;
	return last / sizeof(*k->offsets);
}

static enum status read_offsets(struct kallsyms *k, const struct kallsyms_places *places)
{
	struct dump *d = k->dump;
	uint32_t last;
	enum status st;

	last = read_present_offsets(k);
	if (!last)
		return dump_fail(d, ST_UNREADABLE, "kallsyms_offsets at %#lx is not in this dump",
				 places->offsets);
	st = places->relative_base
		     ? dump_u64(d, places->relative_base, &k->base, "kallsyms_relative_base")
		     : ST_OK;
	if (st != ST_OK)
		return st;
	if (!places->relative_base) {
		k->encoding = KALLSYMS_SELF;
		k->base = places->offsets;
	} else if ((int32_t)k->offsets[last - 1] < 0) {
		/* Sorted by address, the last symbol is no per-CPU one: its sign tells. */
		k->encoding = KALLSYMS_NEGATIVE;
	}
	return ST_OK;
}

/* All names at once: looked up one by one, they would be read over and over. */
static enum status read_names(struct kallsyms *k, const struct kallsyms_places *places)
{
	struct dump *d = k->dump;
	uint64_t names = places->names, page = dump_page_size(d), at, len;
	uint8_t *missing;

	/* The markers have followed the names in every release. */
	if (places->markers <= names || places->markers - names > (uint64_t)k->n * MAX_NAME)
		return dump_unknown(d, "kallsyms_markers are not behind the names");
	k->names_at = names;
	k->name_bytes = places->markers - names;
	k->names = dump_alloc(d, k->name_bytes);
	k->missing = missing = dump_alloc(d, k->name_bytes / page + 2);
	for (at = 0; at < k->name_bytes; at += len, missing++) {
		len = page - ((names + at) & (page - 1));
		if (len > k->name_bytes - at)
			len = k->name_bytes - at;
		*missing = dump_try(d, names + at, k->names + at, len) != ST_OK;
		k->incomplete |= *missing;
	}
	return ST_OK;
}

enum status kallsyms_read(struct dump *d, const struct kallsyms_places *places,
			  struct kallsyms *ret)
{
	struct kallsyms k = { .dump = d, .places = *places };
	enum status st = dump_u32(d, places->num_syms, &k.n, "kallsyms_num_syms");

	if (st == ST_OK && (!k.n || k.n > MAX_SYMBOLS))
		st = dump_corrupt(d, "kallsyms is damaged: of %u symbols", k.n);
	st = st ?: read_names(&k, places) ?: read_offsets(&k, places) ?: read_tokens(&k, places) ?:
			read_markers(&k, places->markers) ?: check_markers(&k);
	return RESULT(st, ret, k);
}

static enum status find_places(struct dump *d, struct kallsyms_places *ret)
{
	const struct {
		const char *name;
		uint64_t *place;
	} wanted[] = {
		{ "kallsyms_num_syms", &ret->num_syms },
		{ "kallsyms_names", &ret->names },
		{ "kallsyms_markers", &ret->markers },
		{ "kallsyms_token_table", &ret->token_table },
		{ "kallsyms_token_index", &ret->token_index },
		{ "kallsyms_offsets", &ret->offsets },
	};
	enum status st = ST_OK;

	if (!dump_has_symbol(d, "kallsyms_names"))
		return dump_absent(d, "this kernel has no kallsyms");
	for (size_t i = 0; i < ARRAY_SIZE(wanted) && st == ST_OK; i++)
		st = dump_symbol(d, wanted[i].name, wanted[i].place);
	ret->relative_base = 0;
	if (st == ST_OK && dump_has_symbol(d, "kallsyms_relative_base"))
		st = dump_symbol(d, "kallsyms_relative_base", &ret->relative_base);
	return st;
}

/* Once for all commands: read anew they are 7 of 100 of the time of memowner of 6.12-kdump. */
static enum status read_or_take(struct dump *d, const struct kallsyms_places *places,
				struct kallsyms *ret)
{
	if (!d->kallsyms || memcmp(&d->kallsyms->places, places, sizeof(*places)))
		return kallsyms_read(d, places, ret);
	*ret = *d->kallsyms;
	ret->dump = d;
	return ST_OK;
}

enum status kallsyms_open(struct dump *d, struct kallsyms *ret)
{
	struct kallsyms_places places;
	struct kallsyms k;

	enum status st = find_places(d, &places) ?: read_or_take(d, &places, &k) ?:
		dump_symbol(d, "_stext", &k.first) ?: dump_symbol(d, "_end", &k.last) ?: verify(&k);

	return RESULT(st, ret, k);
}

enum status kallsyms_lookup(struct kallsyms *k, uint64_t addr, struct symbol *ret)
{
	char buf[KALLSYMS_NAME_ROOM];
	const char *name;
	uint32_t low, next;

	if (addr < k->first || addr >= k->last || addr < kallsyms_address(k, 0))
		return dump_absent(k->dump, "no symbol at %#lx", addr);
	next = COUNT_FRONT(i, k->n, kallsyms_address(k, i) <= addr);
	low = next - 1;
	/* One whose address is lost may be there, or between, and ends the one before. */
	if (kallsyms_is_lost(k, low) || (next < k->n && kallsyms_is_lost(k, next)))
		return dump_fail(
			k->dump, ST_UNREADABLE,
			"the symbol at %#lx is unknown: kallsyms_offsets is not all in this dump",
			addr);
	/* Of several symbols at one address the kernel prints the first. */
	while (low && kallsyms_address(k, low - 1) == kallsyms_address(k, low))
		low--;
	name = symbol_name(k, low, buf);
	if (!name)
		return ST_CORRUPT;
	ret->name = dump_strdup(k->dump, name);
	ret->address = kallsyms_address(k, low);
	ret->size = (next < k->n ? kallsyms_address(k, next) : k->last) - ret->address;
	return ST_OK;
}
