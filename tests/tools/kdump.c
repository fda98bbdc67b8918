// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks into or damages a compressed kdump file (makedumpfile's format, see its
 * IMPLEMENTATION), one page frame at a time:
 *
 *	kdump garble FILE PFN COUNT	the compressed bytes of these pages
 *	kdump drop FILE PFN COUNT	these pages were never dumped
 *	kdump drop FILE -		nor those that standard input names, a PFN on a line
 *	kdump has FILE PFN COUNT	"yes" or "no" for each: was it dumped?
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Offsets in struct disk_dump_header. */
enum { H_BLOCK_SIZE = 428, H_SUB_HEADER = 432, H_BITMAPS = 436, H_MAX_PFN = 440 };

struct page_desc {
	uint64_t offset;
	uint32_t size, flags;
	uint64_t page_flags;
};

struct kdump {
	FILE *file;
	uint32_t block, pfns;
	uint64_t bitmap, descs; /* offsets of the dumpable bitmap and of the descriptors */
	uint8_t *bits;
};

static void fail(const char *what)
{
	fprintf(stderr, "kdump: %s\n", what);
	exit(1);
}

static void get(const struct kdump *k, uint64_t at, void *buf, size_t len)
{
	if (fseek(k->file, at, SEEK_SET) || fread(buf, 1, len, k->file) != len)
		fail("cannot read");
}

static void put(const struct kdump *k, uint64_t at, const void *buf, size_t len)
{
	if (fseek(k->file, at, SEEK_SET) || fwrite(buf, 1, len, k->file) != len)
		fail("cannot write");
}

static void open_dump(struct kdump *k, const char *path)
{
	uint32_t sub, bitmaps;
	char magic[8];

	k->file = fopen(path, "r+");
	if (!k->file)
		fail("cannot open the file");
	get(k, 0, magic, sizeof(magic));
	if (memcmp(magic, "KDUMP   ", sizeof(magic)))
		fail("no compressed kdump");
	get(k, H_BLOCK_SIZE, &k->block, 4);
	get(k, H_SUB_HEADER, &sub, 4);
	get(k, H_BITMAPS, &bitmaps, 4);
	get(k, H_MAX_PFN, &k->pfns, 4);
	/* Two bitmaps: pages that exist, pages that were dumped. */
	k->bitmap = (uint64_t)k->block * (1 + sub + bitmaps / 2);
	k->descs = (uint64_t)k->block * (1 + sub + bitmaps);
	k->bits = malloc(k->pfns / 8 + 1);
	if (!k->bits)
		fail("no memory");
	get(k, k->bitmap, k->bits, k->pfns / 8 + 1);
}

static int is_dumped(const struct kdump *k, uint64_t pfn)
{
	return pfn < k->pfns && k->bits[pfn / 8] >> pfn % 8 & 1;
}

/* Descriptors exist for dumped pages only: how many come before this one. */
static uint64_t desc_index(const struct kdump *k, uint64_t pfn)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < pfn; i++)
		n += is_dumped(k, i);
	return n;
}

static void garble(struct kdump *k, uint64_t pfn)
{
	struct page_desc desc;
	uint8_t byte;

	if (!is_dumped(k, pfn))
		fail("the page is not in the dump");
	get(k, k->descs + desc_index(k, pfn) * sizeof(desc), &desc, sizeof(desc));
	for (uint32_t i = 0; i < desc.size; i++) {
		get(k, desc.offset + i, &byte, 1);
		byte ^= 0x5a;
		put(k, desc.offset + i, &byte, 1);
	}
}

static void drop(struct kdump *k, uint64_t pfn)
{
	uint64_t index = desc_index(k, pfn), n = desc_index(k, k->pfns);
	/* Zeros behind the last one: a descriptor there would contradict the bitmap. */
	size_t len = (n - index) * sizeof(struct page_desc);
	void *rest = calloc(1, len + 1);

	if (!is_dumped(k, pfn) || !rest)
		fail("the page is not in the dump");
	get(k, k->descs + (index + 1) * sizeof(struct page_desc), rest,
	    len - sizeof(struct page_desc));
	put(k, k->descs + index * sizeof(struct page_desc), rest, len);
	free(rest);
	k->bits[pfn / 8] &= ~(1 << pfn % 8);
	put(k, k->bitmap + pfn / 8, &k->bits[pfn / 8], 1);
}

/* Many pages at once; those that are not in the dump are passed over. */
static void drop_list(struct kdump *k, FILE *list)
{
	uint64_t n = desc_index(k, k->pfns), pfn, kept = 0;
	struct page_desc *descs = malloc((n + 1) * sizeof(*descs));
	uint8_t *gone = calloc(1, k->pfns / 8 + 1);

	if (!descs || !gone)
		fail("no memory");
	while (fscanf(list, "%" SCNu64, &pfn) == 1)
		if (is_dumped(k, pfn))
			gone[pfn / 8] |= 1 << pfn % 8;
	get(k, k->descs, descs, n * sizeof(*descs));
	n = 0;
	for (pfn = 0; pfn < k->pfns; pfn++) {
		if (!is_dumped(k, pfn))
			continue;
		if (!(gone[pfn / 8] >> pfn % 8 & 1))
			descs[kept++] = descs[n];
		n++;
	}
	for (uint64_t i = 0; i < k->pfns / 8 + 1; i++)
		k->bits[i] &= ~gone[i];
	memset(descs + kept, 0, (n - kept) * sizeof(*descs));
	put(k, k->descs, descs, n * sizeof(*descs));
	put(k, k->bitmap, k->bits, k->pfns / 8 + 1);
	free(descs);
	free(gone);
}

int main(int argc, char **argv)
{
	struct kdump k = { 0 };
	uint64_t pfn, count;

	if (argc == 4 && !strcmp(argv[1], "drop") && !strcmp(argv[3], "-")) {
		open_dump(&k, argv[2]);
		drop_list(&k, stdin);
		free(k.bits);
		return fclose(k.file) != 0;
	}
	if (argc != 5)
		fail("usage: kdump garble|drop|has FILE PFN COUNT");
	open_dump(&k, argv[2]);
	pfn = strtoull(argv[3], NULL, 0);
	count = strtoull(argv[4], NULL, 0);
	for (; count--; pfn++) {
		if (!strcmp(argv[1], "garble"))
			garble(&k, pfn);
		else if (!strcmp(argv[1], "has"))
			puts(is_dumped(&k, pfn) ? "yes" : "no");
		else
			drop(&k, pfn);
	}
	free(k.bits);
	return fclose(k.file) != 0;
}
