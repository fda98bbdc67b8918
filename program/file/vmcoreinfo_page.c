// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/vmcore.h"

static const char first[] = "OSRELEASE=";

/* vmcoreinfo_data is a page; the smallest of any kernel. */
#define STEP 4096

/* Even. */
#define PIECES 64u

/* With pages of 64 KiB it has as many. */
#define MOST_TEXT 65536

/* Lines of KEY=VALUE up to a zero byte, PAGESIZE among them. */
static bool is_vmcoreinfo(const char *text, size_t bytes)
{
	if (strnlen(text, bytes) == bytes || !strstr(text, "\nPAGESIZE="))
		return false;
	while (*text) {
		size_t line = strcspn(text, "\n");

		if (text[line] != '\n' || !memchr(text, '=', line))
			return false;
		text += line + 1;
	}
	return true;
}

/* As much of the page as there is text, which ends with zeros. */
static enum status take(struct dump *d, struct vmcore *v, uint64_t phys, const char **ret,
			size_t *bytes)
{
	char *text = dump_alloc(d, MOST_TEXT);
	size_t n = 0;

	do {
		if (vmcore_read(v, phys + n, text + n, STEP) != ST_OK)
			return ST_ABSENT;
		n += STEP;
	} while (n < MOST_TEXT && !memchr(text + n - STEP, 0, STEP));
	if (!is_vmcoreinfo(text, n))
		return ST_ABSENT;
	*ret = text;
	*bytes = strlen(text);
	return ST_OK;
}

/*
 * Some 3,000 bytes of names and numbers, then zeros: a block of one page takes from a fifth to
 * three quarters of it, whatever compressed it.  Those are looked at first, as most pages are
 * smaller.
 */
static bool is_likely(const struct vmcore *v, size_t stored)
{
	size_t block = vmcore_facts(v)->block_bytes;

	return block == STEP && stored >= block / 5 && stored <= block * 3 / 4;
}

static enum status look_at(struct dump *d, struct vmcore *v, uint64_t phys, bool likely,
			   const char **ret, size_t *bytes)
{
	/* None of its words is there twice. */
	char start[sizeof(first) - 1] = "";
	size_t stored;

	vmcore_peek(v, phys, NULL, 0, &stored);
	if (is_likely(v, stored) != likely ||
	    vmcore_peek(v, phys, start, sizeof(start), &stored) != ST_OK ||
	    memcmp(start, first, sizeof(start)))
		return ST_ABSENT;
	return take(d, v, phys, ret, bytes);
}

/* Where each of equal parts of what is in the file begins; holes may be far larger than it. */
static void cut(const struct vmcore *v, uint64_t starts[PIECES + 1])
{
	uint64_t all = 0, piece, done = 0, phys, end = 0;
	unsigned int n = 0;

	for (phys = 0; vmcore_next(v, &phys, &end); phys = end)
		all += end - phys;
	piece = all / PIECES + 1;
	for (phys = 0; vmcore_next(v, &phys, &end); phys = end) {
		for (; n < PIECES && n * piece < done + (end - phys); n++)
			starts[n] = phys + (n * piece - done);
		done += end - phys;
	}
	while (n <= PIECES)
		starts[n++] = end;
}

static enum status search_piece(struct dump *d, struct vmcore *v, bool likely, uint64_t phys,
				uint64_t stop, const char **ret, size_t *bytes)
{
	enum status st = ST_ABSENT;
	uint64_t end;

	while (st == ST_ABSENT && phys < stop && vmcore_next(v, &phys, &end)) {
		phys = (phys + STEP - 1) & -(uint64_t)STEP;
		for (; st == ST_ABSENT && phys < end && phys < stop; phys += STEP)
			st = look_at(d, v, phys, likely, ret, bytes);
	}
	return st;
}

/* Boot took the page from one of the ends of memory: from the last piece and the first to the middle. */
static enum status search(struct dump *d, struct vmcore *v, bool likely, const char **ret,
			  size_t *bytes)
{
	enum status st = ST_ABSENT;
	uint64_t starts[PIECES + 1];

	cut(v, starts);
	for (unsigned int i = 0; i < PIECES && st == ST_ABSENT; i++) {
		const uint64_t *piece = &starts[i % 2 ? i / 2 : PIECES - 1 - i / 2];

		st = search_piece(d, v, likely, piece[0], piece[1], ret, bytes);
	}
	return st;
}

enum status vmcore_find_vmcoreinfo(struct dump *d, struct vmcore *v, const char **ret,
				   size_t *bytes)
{
	enum status st = search(d, v, true, ret, bytes);

	if (st == ST_ABSENT)
		st = search(d, v, false, ret, bytes);
	if (st == ST_ABSENT)
		return dump_fail(d, ST_ABSENT, "no VMCOREINFO: neither as a note nor in memory");
	return st;
}
