// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pack IN OUT: memory with the headers of an ELF core in its first page, as fill writes it, as a
 * compressed kdump (makedumpfile's format, see its IMPLEMENTATION): all pages, by zlib at its
 * fastest, as makedumpfile -c does.
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define BLOCK 4096
#define VERSION 6
#define BY_ZLIB 1

/* Offsets in the first header, and in the second, a block further. */
enum { H_VERSION = 8, H_RELEASE = 142, H_MACHINE = 272, H_STATUS = 424, H_BLOCK_BYTES = 428 };
enum { H_SUB_BLOCKS = 432, H_BITMAP_BLOCKS = 436, H_BLOCKS = 440, H_CPUS = 460 };
enum { S_LEVEL = 8, S_INFO_AT = 32, S_INFO_BYTES = 40, S_BLOCKS_64 = 96 };

struct desc {
	uint64_t at;
	uint32_t bytes, flags;
	uint64_t page_flags;
};

static void fail(const char *what)
{
	fprintf(stderr, "pack: cannot %s\n", what);
	exit(1);
}

static void get(FILE *f, uint64_t at, void *buf, size_t n)
{
	if (fseek(f, at, SEEK_SET) || fread(buf, 1, n, f) != n)
		fail("read");
}

static void put(FILE *f, uint64_t at, const void *buf, size_t n)
{
	if (fseek(f, at, SEEK_SET) || fwrite(buf, 1, n, f) != n)
		fail("write");
}

static void put_headers(FILE *out, FILE *in, const Elf64_Phdr *notes, uint64_t blocks,
			uint32_t bitmap_blocks)
{
	uint8_t h[BLOCK] = "KDUMP   ", sub[BLOCK] = { 0 }, note[BLOCK];
	const Elf64_Nhdr *n = (const void *)note;
	uint64_t info_bytes, info_at = 2 * BLOCK - 1024;

	get(in, notes->p_offset, note, notes->p_filesz);
	info_bytes = n->n_descsz;
	memcpy(sub + BLOCK - 1024, note + sizeof(*n) + ((n->n_namesz + 3) & ~3), info_bytes);
	memcpy(h + H_VERSION, &(uint32_t){ VERSION }, 4);
	strcpy((char *)h + H_RELEASE, "6.9.0-huge");
	strcpy((char *)h + H_MACHINE, "x86_64");
	memcpy(h + H_STATUS, &(uint32_t){ BY_ZLIB }, 4);
	memcpy(h + H_BLOCK_BYTES, &(uint32_t){ BLOCK }, 4);
	memcpy(h + H_SUB_BLOCKS, &(uint32_t){ 1 }, 4);
	memcpy(h + H_BITMAP_BLOCKS, &bitmap_blocks, 4);
	memcpy(h + H_BLOCKS, &(uint32_t){ blocks }, 4);
	memcpy(h + H_CPUS, &(uint32_t){ 1 }, 4);
	memcpy(sub + S_INFO_AT, &info_at, 8);
	memcpy(sub + S_INFO_BYTES, &info_bytes, 8);
	memcpy(sub + S_BLOCKS_64, &blocks, 8);
	put(out, 0, h, sizeof(h));
	put(out, BLOCK, sub, sizeof(sub));
}

/* One page; of zeros there is one for all. */
static void put_page(FILE *out, const uint8_t *page, struct desc *d, uint64_t *end, uint64_t *zero)
{
	static const uint8_t zeros[BLOCK];
	uint8_t packed[2 * BLOCK];
	uLongf n = sizeof(packed);
	int is_zero = !memcmp(page, zeros, BLOCK);

	if (compress2(packed, &n, page, BLOCK, Z_BEST_SPEED) != Z_OK)
		fail("compress");
	*d = (struct desc){ *end, n < BLOCK ? n : BLOCK, n < BLOCK ? BY_ZLIB : 0, 0 };
	if (is_zero && *zero) {
		d->at = *zero;
		return;
	}
	if (is_zero)
		*zero = *end;
	put(out, *end, n < BLOCK ? packed : page, d->bytes);
	*end += d->bytes;
}

int main(int argc, char **argv)
{
	FILE *in = argc == 3 ? fopen(argv[1], "r") : NULL, *out = in ? fopen(argv[2], "w") : NULL;
	uint64_t first, blocks, bitmap_bytes, descs, data, zero = 0;
	struct {
		Elf64_Ehdr elf;
		Elf64_Phdr notes, memory;
	} h;
	uint8_t page[BLOCK], *bits;
	uint32_t bitmap_blocks;

	if (!out) {
		fprintf(stderr, "usage: pack IN OUT\n");
		return 1;
	}
	get(in, 0, &h, sizeof(h));
	first = h.memory.p_paddr / BLOCK;
	blocks = (h.memory.p_paddr + h.memory.p_filesz) / BLOCK;
	bitmap_blocks = 2 * ((blocks + 8 * BLOCK - 1) / (8 * BLOCK));
	bitmap_bytes = (uint64_t)bitmap_blocks / 2 * BLOCK;
	bits = calloc(1, bitmap_bytes);
	put_headers(out, in, &h.notes, blocks, bitmap_blocks);
	descs = 2 * BLOCK + 2 * bitmap_bytes;
	data = descs + (blocks - first) * sizeof(struct desc);
	for (uint64_t i = first; i < blocks; i++) {
		struct desc d;

		bits[i / 8] |= 1 << i % 8;
		get(in, i * BLOCK, page, BLOCK);
		put_page(out, page, &d, &data, &zero);
		put(out, descs + (i - first) * sizeof(d), &d, sizeof(d));
	}
	put(out, 2 * BLOCK, bits, bitmap_bytes);
	put(out, 2 * BLOCK + bitmap_bytes, bits, bitmap_bytes);
	return fclose(out) != 0;
}
