// SPDX-License-Identifier: GPL-2.0-or-later
/* A small dump file of each format in which the input writes over some places. */
#include <stdlib.h>

#include "dump_file.h"
#include "file/vmcore.h"
#include "fuzz.h"
#include "util/endian.h"

enum { TEMPLATES = 9, PARTS = 2 };

/* What one place of the input does to the file. */
struct change {
	uint32_t at;
	uint16_t what;
	uint16_t file;
	uint64_t value;
};

#define CHANGES 24
/* Of one dump: the window, the cache and the like of each part, and what follows the file's size.
 */
#define MOST_BYTES (16u << 20)
#define MOST_RUNS 5000

static struct dump_file templates[TEMPLATES][PARTS], files[PARTS];

static void make_templates(void)
{
	static const unsigned int flags[] = { 0, CODEC_ZLIB, CODEC_LZO, CODEC_SNAPPY, CODEC_ZSTD };

	if (templates[0][0].n)
		return;
	for (unsigned int i = 0; i < 5; i++)
		kdump_file(&templates[i][0], flags[i], 0, BLOCKS);
	kdump_file(&templates[5][0], CODEC_ZLIB, 0, 13);
	kdump_file(&templates[5][1], CODEC_ZLIB, 13, BLOCKS);
	elf_file(&templates[6][0], 192);
	flat_file(&templates[7][0], &templates[1][0]);
	flat_file(&templates[8][0], &templates[6][0]);
}

/* Headers, tables and records are the first bytes: most changes are of these. */
static size_t place(const struct dump_file *f, const struct change *c)
{
	static const size_t starts[] = { 0, 424, BLOCK, 2 * BLOCK, 4 * BLOCK, 64, 192, 0 };
	static const size_t sizes[] = { 64, 48, 128, 2 * BLOCK, 1024, 700, 700, 0 };
	size_t start = starts[c->what >> 8 & 7], n = sizes[c->what >> 8 & 7];

	n = n ? n : f->n;
	start = start + c->at % n;
	return start < f->n ? start : f->n - 1;
}

static void apply(struct dump_file *f, const struct change *c)
{
	size_t at = place(f, c), n;

	switch (c->what & 7) {
	case 0: /* cut */
		f->n = c->what & 8 ? at : f->n;
		break;
	case 1: /* a run of one byte */
		n = c->value % 5000 < f->n - at ? c->value % 5000 : f->n - at;
		memset(f->bytes + at, c->value >> 32, n);
		break;
	case 2: /* from elsewhere */
		n = c->value % 300 < f->n - at ? c->value % 300 : f->n - at;
		memmove(f->bytes + at, f->bytes + (c->value >> 32) % (f->n - n + 1), n);
		break;
	default:
		n = 1u << (c->what & 3);
		n = n < f->n - at ? n : f->n - at;
		memcpy(f->bytes + at, &c->value, n);
	}
}

static void read_all(struct dump *d, struct vmcore *v)
{
	uint64_t phys = 0, end = 0, last = 0;
	uint8_t block[BLOCK];
	const char *text;
	size_t bytes;

	for (unsigned int runs = 0; runs < MOST_RUNS && vmcore_next(v, &phys, &end); runs++) {
		if (phys < last || end <= phys)
			abort();
		vmcore_read(v, phys, block, BLOCK);
		vmcore_read(v, phys + 8, block, 16);
		vmcore_read(v, end - 8, block, 16);
		last = phys = end;
	}
	for (unsigned int i = 0; i < BLOCKS; i++)
		vmcore_read(v, (uint64_t)i * BLOCK + 100, block, i % 3 ? 100 : BLOCK);
	if (vmcore_find_vmcoreinfo(d, v, &text, &bytes) == ST_OK && strlen(text) != bytes)
		abort();
}

static void open_and_read(struct dump *outer, const char *const *paths, size_t n)
{
	struct arena *arena = arena_within(outer->arena);
	struct dump d;
	struct vmcore *v;

	dump_init(&d, NULL, NULL, arena);
	if (vmcore_open(&d, paths, n, &v) == ST_OK)
		read_all(&d, v);
	else if (!*d.error || strchr(d.error, '\n'))
		abort();
	if (arena->bytes > MOST_BYTES)
		abort();
	arena_reset(arena);
}

void fuzz_vmcore(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	struct change changes[CHANGES];
	unsigned int kind = seed % TEMPLATES, parts = kind == 5 ? 2 : 1;
	char paths[PARTS][64];
	const char *list[PARTS];
	int fds[PARTS];

	make_templates();
	if (dump_try(d, 0, changes, sizeof(changes)) != ST_OK)
		return;
	for (unsigned int i = 0; i < parts; i++) {
		memcpy(files[i].bytes, templates[kind][i].bytes, templates[kind][i].n);
		files[i].n = templates[kind][i].n;
	}
	for (unsigned int i = 0; i < 1 + (seed >> 8) % CHANGES; i++)
		if (files[changes[i].file % parts].n)
			apply(&files[changes[i].file % parts], &changes[i]);
	for (unsigned int i = 0; i < parts; i++) {
		fds[i] = dump_file_open(&files[i], paths[i], sizeof(paths[i]));
		list[i] = paths[i];
	}
	open_and_read(d, list, parts);
	for (unsigned int i = 0; i < parts; i++)
		close(fds[i]);
}
