// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/rodata.h"

#define MAX_BYTES (64 << 20) /* of read-only data; a kernel has some MB */

struct search {
	struct dump *dump;
	const struct rodata_part *parts;
	const char **found;
	size_t n;
	size_t holes; /* pages that could not be read */
};

/* The string that has a part at a place of buf; none if it has no end in buf, or is too long. */
static void whole(struct dump *d, const char *buf, size_t len, const char *at, const char *start,
		  const char **ret)
{
	const char *end = memchr(at, '\0', buf + len - at);
	char copy[RODATA_STRING];

	while (at > buf && *at && strncmp(at, start, strlen(start)))
		at--;
	if (!end || strncmp(at, start, strlen(start)) || (size_t)(end - at) >= sizeof(copy))
		return;
	memcpy(copy, at, end - at + 1);
	*ret = dump_strdup(d, copy);
}

static void search(struct search *s, const char *buf, size_t len)
{
	for (size_t i = 0; i < s->n; i++) {
		const char *part = s->parts[i].part, *at;

		if (s->found[i])
			continue;
		at = memmem(buf, len, part, strlen(part));
		if (at)
			whole(s->dump, buf, len, at, s->parts[i].start, &s->found[i]);
	}
}

static bool is_complete(const struct search *s)
{
	return !ANY_OF(i, s->n, !s->found[i]);
}

/* Page by page, each behind the end of the one before: a string may lie across. */
static enum status search_range(struct search *s, uint64_t start, uint64_t end, char *buf)
{
	struct dump *d = s->dump;
	size_t page = dump_page_size(d), kept = 0;

	for (uint64_t addr = start & ~(page - 1); addr < end; addr += page) {
		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		if (dump_try(d, addr, buf + kept, page) != ST_OK) {
			s->holes++;
			kept = 0;
			continue;
		}
		search(s, buf, kept + page);
		if (is_complete(s))
			break;
		memmove(buf, buf + kept + page - RODATA_STRING, RODATA_STRING);
		kept = RODATA_STRING;
	}
	return ST_OK;
}

enum status rodata_find(struct dump *d, const struct rodata_part *parts, const char **ret, size_t n)
{
	struct search s = { .dump = d, .parts = parts, .found = ret, .n = n };
	uint64_t start, end;
	char *buf;
	enum status st = dump_symbol(d, "__start_rodata", &start);

	memset(ret, 0, n * sizeof(*ret));
	st = st ?: dump_symbol(d, "__end_rodata", &end);
	if (st != ST_OK)
		return st;
	if (end <= start || end - start > MAX_BYTES)
		return dump_corrupt(d, "read-only data is impossible: %#lx-%#lx", start, end);
	buf = dump_alloc(d, dump_page_size(d) + RODATA_STRING);
	st = search_range(&s, start, end, buf);
	if (st == ST_OK && s.holes && !is_complete(&s))
		return dump_unreadable(d, "%zu pages of read-only data are not in this dump",
				       s.holes);
	return st;
}
