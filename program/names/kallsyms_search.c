// SPDX-License-Identifier: GPL-2.0-or-later
#include "names/kallsyms_search.h"

#define TOKENS 256
#define INDEX_BYTES (TOKENS * 2) /* 16 bits for each token */
#define GROUP 256		 /* names from one marker to the next */
#define LEAST_GROUPS 8		 /* a kernel of 2,000 symbols has no kallsyms worth the name */
#define MOST_GROUPS 32768	 /* of 8 million symbols */
#define MOST_RECORD 128		 /* bytes of a name in tokens: a length had one byte */
#define MOST_TOKEN 512		 /* bytes of a token, which is a part of a name */

/* Tables of this many bytes before kallsyms_token_index are looked at: those of a large kernel take 4 MiB. */
#define BEFORE (16u << 20)
#define CHUNK (4u << 20) /* each moves the bytes before it */
/* The image from its text on; the tables are behind the text. */
#define MOST_IMAGE (256u << 20)

struct search {
	struct dump *dump;
	uint64_t start;	   /* of what is looked at */
	uint8_t *bytes;	   /* BEFORE + CHUNK of it */
	uint64_t bytes_at; /* address of the first */
	size_t n;
	uint64_t end_of_text;  /* what lies behind this is no text or read-only data */
	uint64_t pages, zeros; /* before it; the latter have nothing but zeros */
	bool missing;	       /* a page before it is not in this dump */
};

static bool is_zero(const uint8_t *p, size_t n)
{
	return !*p && !memcmp(p, p + 1, n - 1);
}

static void count_page(struct search *s, uint64_t at, size_t n, bool missing)
{
	if (at >= s->end_of_text)
		return;
	s->pages++;
	s->missing |= missing;
	s->zeros += !missing && is_zero(s->bytes + s->n, n);
}

/* Up to an address; what is not in this dump is 0. */
static void read_all(struct search *s, uint64_t end)
{
	uint64_t page = dump_page_size(s->dump);

	for (uint64_t at = s->bytes_at + s->n; at < end; at = s->bytes_at + s->n) {
		uint64_t part = page - (at & (page - 1));
		bool missing;

		part = part < end - at ? part : end - at;
		missing = dump_try(s->dump, at, s->bytes + s->n, part) != ST_OK;
		if (missing)
			memset(s->bytes + s->n, 0, part);
		count_page(s, at, part, missing);
		s->n += part;
	}
}

/* Reads on; what is further back than tables reach is dropped. */
static bool read_on(struct search *s, uint64_t end)
{
	uint64_t at = s->bytes_at + s->n;
	size_t len = CHUNK < end - at ? CHUNK : end - at;

	if (at >= end)
		return false;
	if (s->n + len > BEFORE + CHUNK) {
		memmove(s->bytes, s->bytes + CHUNK, s->n - CHUNK);
		s->bytes_at += CHUNK;
		s->n -= CHUNK;
	}
	read_all(s, at + len);
	return true;
}

static size_t round_up(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

/* Whether 256 numbers rise from 0: the first four, which tell most places apart, at once. */
static bool is_index(const uint8_t *p)
{
	uint64_t first = le64(p);
	uint16_t before = 0;

	if (first & 0xffff || !(first >> 16 & 0xffff))
		return false;
	for (unsigned int i = 1; i < TOKENS; i++) {
		uint16_t v = le16(p + 2 * i);

		if (v <= before || v - before > MOST_TOKEN)
			return false;
		before = v;
	}
	return true;
}

/* Whether strings start at each place that an index says, and the last one ends before it. */
static bool are_tokens(const uint8_t *tokens, const uint8_t *index)
{
	size_t last = le16(index + INDEX_BYTES - 2), end = index - tokens;

	for (unsigned int i = 0; i < TOKENS - 1; i++) {
		size_t at = le16(index + 2 * i), next = le16(index + 2 * i + 2);

		if (memchr(tokens + at, '\0', next - at) != tokens + next - 1)
			return false;
	}
	return round_up(last + strnlen((const char *)tokens + last, end - last) + 1) == end;
}

/* Token table before an index. */
static bool find_tokens(const struct search *s, size_t index, size_t *ret)
{
	size_t least = round_up(le16(s->bytes + index + INDEX_BYTES - 2) + 1);

	for (size_t len = least; len <= least + MOST_TOKEN && len <= index; len += 8)
		if (are_tokens(s->bytes + index - len, s->bytes + index)) {
			*ret = index - len;
			return true;
		}
	return false;
}

static uint64_t number_at(const struct search *s, size_t at, size_t width)
{
	return le_bytes(s->bytes + at, width);
}

/* Markers of a width that end at the token table, from a 0 on; 0: there are none. */
static size_t find_markers(const struct search *s, size_t end, size_t width, size_t *first)
{
	size_t at = end, n = 0;
	uint64_t above = 0;

	/* Behind an odd number of them are 4 bytes of nothing. */
	if (at >= 8 && !number_at(s, at - width, width))
		at -= width;
	while (at >= width && n < MOST_GROUPS) {
		uint64_t v = number_at(s, at - width, width);

		if (n && (v + 2 * GROUP > above || v + MOST_RECORD * GROUP < above))
			return 0;
		at -= width;
		n++;
		above = v;
		if (!v)
			break;
	}
	*first = at;
	return !above && n >= LEAST_GROUPS && !(at & 7) ? n : 0;
}

/* Behind n records; 0: they do not end where they may. */
static size_t skip(const struct search *s, size_t at, size_t end, size_t n)
{
	for (; n; n--) {
		if (at >= end || !s->bytes[at])
			return 0;
		at += 1 + s->bytes[at];
	}
	return at <= end ? at : 0;
}

/* Whether names between two places are as many as say the number before them and the markers. */
static bool are_names(const struct search *s, size_t names, size_t markers, size_t groups,
		      size_t width)
{
	uint32_t n = le32(s->bytes + names - 8);
	uint64_t last = number_at(s, markers + (groups - 1) * width, width);
	size_t rest = n - (groups - 1) * GROUP, end;

	if (n <= (groups - 1) * GROUP || n > groups * GROUP || le32(s->bytes + names - 4))
		return false;
	end = skip(s, names + last, markers, rest);
	return end && round_up(end) == markers &&
	       skip(s, names, markers, GROUP) == names + number_at(s, markers + width, width);
}

static bool find_names(const struct search *s, size_t markers, size_t groups, size_t width,
		       struct kallsyms_places *ret)
{
	uint64_t last = number_at(s, markers + (groups - 1) * width, width);

	/* The last group has a name, and 256 at most. */
	for (size_t back = round_up(last + 1); back <= last + MOST_RECORD * GROUP; back += 8) {
		size_t names = markers - back, offsets;

		if (back + 16 > markers)
			return false;
		if (!are_names(s, names, markers, groups, width))
			continue;
		offsets = round_up((size_t)le32(s->bytes + names - 8) * 4) + 16;
		if (offsets > names)
			return false;
		*ret = (struct kallsyms_places){
			.num_syms = s->bytes_at + names - 8,
			.names = s->bytes_at + names,
			.markers = s->bytes_at + markers,
			.offsets = s->bytes_at + names - offsets,
			.relative_base = s->bytes_at + names - 16,
		};
		return true;
	}
	return false;
}

static bool find_before(const struct search *s, size_t index, struct kallsyms_places *ret)
{
	size_t tokens, markers;

	if (!find_tokens(s, index, &tokens))
		return false;
	for (size_t width = 4; width <= 8; width += 4) {
		size_t groups = find_markers(s, tokens, width, &markers);

		if (!groups || !find_names(s, markers, groups, width, ret))
			continue;
		ret->token_table = s->bytes_at + tokens;
		ret->token_index = s->bytes_at + index;
		return true;
	}
	return false;
}

/* init_uts_ns is data that can be written, which every kernel has behind what is read only. */
static uint64_t find_end_of_text(struct dump *d, uint64_t start, uint64_t end)
{
	uint64_t data;

	return d->ops->symbol(d->priv, "init_uts_ns", &data) == ST_OK && data > start && data < end
		       ? data
		       : end;
}

static enum status fail_search(const struct search *s)
{
	if (s->missing)
		return dump_fail(
			s->dump, ST_UNREADABLE,
			"kallsyms was not found, and part of the kernel's image is not in this dump");
	if (s->zeros > s->pages / 2)
		return dump_fail(s->dump, ST_CORRUPT,
				 "kallsyms was not found: %lu of %lu pages of the kernel's image "
				 "have nothing but zeros",
				 s->zeros, s->pages);
	return dump_fail(s->dump, ST_ABSENT, "kallsyms was not found");
}

static enum status search_from(struct search *s, uint64_t start, uint64_t end,
			       struct kallsyms_places *ret)
{
	size_t at = 0;

	s->start = s->bytes_at = start & ~7ULL;
	s->n = s->pages = s->zeros = s->missing = 0;
	while (read_on(s, end)) {
		/* From where the last chunk was left, as far as a whole index fits. */
		size_t from = at > s->bytes_at - s->start ? at - (s->bytes_at - s->start) : 0;

		for (; from + INDEX_BYTES <= s->n; from += 8)
			if (is_index(s->bytes + from) && find_before(s, from, ret))
				return ST_OK;
		at = from + (s->bytes_at - s->start);
		if (dump_stopped(s->dump))
			return ST_STOPPED;
	}
	return ST_ABSENT;
}

/* Of what is not written more than half is text, which the tables are behind: all is read where they are not. */
enum status kallsyms_search(struct dump *d, uint64_t start, uint64_t end,
			    struct kallsyms_places *ret)
{
	struct search s = { .dump = d };
	enum status st;

	s.bytes = dump_alloc(d, BEFORE + CHUNK);
	if (end - start > MOST_IMAGE)
		end = start + MOST_IMAGE;
	s.end_of_text = find_end_of_text(d, start, end);
	st = search_from(&s, start + (s.end_of_text - start) / 2, s.end_of_text, ret);
	if (st == ST_ABSENT)
		st = search_from(&s, start, end, ret);
	return st == ST_ABSENT ? fail_search(&s) : st;
}

#define MOST_NAMES (64u << 20) /* bytes of kallsyms_names */
#define MOST_BYTES 512	       /* of a name in tokens: since 6.1 a length has two bytes */

/* Whether n words are the markers of names that end before them; second: the second one, 0: unknown. */
static bool are_markers(const uint8_t *p, uint32_t n, uint32_t second, size_t names)
{
	uint32_t before = 0;

	if (le32(p) || (second && le32(p + 4) != second))
		return false;
	for (uint32_t i = 1; i < n; i++) {
		uint32_t v = le32(p + 4 * (size_t)i);

		if (v < before + 2 * GROUP || v - before > MOST_BYTES * GROUP)
			return false;
		before = v;
	}
	return before < names;
}

/* Where the first group of names ends; 0: part of it is missing, or they are none. */
static uint32_t end_of_group(const uint8_t *p, size_t room)
{
	size_t at = 0;

	for (unsigned int i = 0; i < GROUP; i++) {
		size_t len;

		if (at + 2 > room || !p[at])
			return 0;
		len = p[at] & 0x80 ? 2 + ((p[at] & 0x7f) | p[at + 1] << 7) : 1 + p[at];
		at += len;
	}
	return at;
}

static uint64_t next_table(const struct kallsyms_places *p)
{
	const uint64_t tables[] = { p->token_table, p->token_index, p->offsets, p->relative_base };
	uint64_t ret = p->names + MOST_NAMES;

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		if (tables[i] > p->names && tables[i] < ret)
			ret = tables[i];
	return ret;
}

enum status kallsyms_find_markers(struct dump *d, struct kallsyms_places *places)
{
	struct search s = { .dump = d, .bytes_at = places->names, .end_of_text = UINT64_MAX };
	uint64_t end = next_table(places);
	uint32_t symbols, groups, second;
	size_t bytes;
	enum status st = dump_u32(d, places->num_syms, &symbols, "kallsyms_num_syms");

	if (st != ST_OK)
		return st;
	groups = symbols / GROUP + !!(symbols % GROUP);
	if (groups < 2 || groups > MOST_GROUPS || groups * 4 > end - places->names)
		return dump_fail(d, ST_CORRUPT, "kallsyms is damaged: of %u symbols", symbols);
	s.bytes = dump_alloc(d, end - places->names);
	read_all(&s, end);
	second = end_of_group(s.bytes, s.n);
	bytes = (size_t)groups * 4;
	/* Addresses of the tables are multiples of 4. */
	for (size_t at = ((places->names + s.n - bytes) & ~3ULL) - places->names; at < s.n; at -= 4)
		if (are_markers(s.bytes + at, groups, second, at)) {
			places->markers = places->names + at;
			return ST_OK;
		}
	return dump_fail(d, s.missing ? ST_UNREADABLE : ST_CORRUPT, "kallsyms_markers %s",
			 s.missing ? "are not in this dump" : "are not behind the names");
}
