/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small dump files, for tests of the reader.  Their memory is BLOCKS blocks, of which every fifth
 * was left out; which bytes each has is a function of its number.
 */
#pragma once

#include <elf.h>
#include <endian.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#ifdef HAVE_LZO
#include <lzo/lzo1x.h>
#endif
#ifdef HAVE_SNAPPY
#include <snappy-c.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "file/codec.h"

#define BLOCK 4096u
#define BLOCKS 40u
#define INFO "OSRELEASE=6.12.0\nPAGESIZE=4096\nSYMBOL(_stext)=ffffffff81000000\n"
#define INFO_BLOCK 21u /* the kernel's own page of it */

struct dump_file {
	size_t n;
	uint8_t bytes[1 << 19];
};

static inline bool block_is_there(unsigned int i)
{
	return i < BLOCKS && i % 5 != 3;
}

static inline void make_block(unsigned int i, uint8_t *ret)
{
	uint32_t x = i * 2654435761u + 1;

	if (i == INFO_BLOCK) {
		memcpy(ret, INFO, sizeof(INFO));
		return;
	}
	for (unsigned int j = 0; i % 4 && j < BLOCK; j++) {
		x = x * 1103515245 + 12345;
		ret[j] = i % 4 == 1   ? "a text of the kernel "[(i + j) % 21]
			 : i % 4 == 2 ? x >> 16
				      : (x >> 24) % 3;
	}
}

/* Made once: tests ask for each hundreds of times. */
static inline void block_content(unsigned int i, uint8_t *ret)
{
	static uint8_t made[BLOCKS + 1][BLOCK];
	static bool is_made[BLOCKS + 1];

	if (!is_made[i])
		make_block(i, made[i]);
	is_made[i] = true;
	memcpy(ret, made[i], BLOCK);
}

static inline void put32(struct dump_file *f, size_t at, uint32_t v)
{
	memcpy(f->bytes + at, &v, sizeof(v));
}

static inline void put64(struct dump_file *f, size_t at, uint64_t v)
{
	memcpy(f->bytes + at, &v, sizeof(v));
}

/* 0: it does not become shorter. */
static inline size_t compress_block(unsigned int flag, const uint8_t *in, uint8_t *out, size_t room)
{
	uLongf n = room;

	if (flag == CODEC_ZLIB)
		return compress2(out, &n, in, BLOCK, 6) == Z_OK && n < BLOCK ? n : 0;
#ifdef HAVE_LZO
	if (flag == CODEC_LZO) {
		static uint8_t work[LZO1X_1_MEM_COMPRESS];
		lzo_uint bytes = room;

		return lzo1x_1_compress(in, BLOCK, out, &bytes, work) == LZO_E_OK && bytes < BLOCK
			       ? bytes
			       : 0;
	}
#endif
#ifdef HAVE_SNAPPY
	if (flag == CODEC_SNAPPY) {
		size_t bytes = room;

		return snappy_compress((const char *)in, BLOCK, (char *)out, &bytes) == SNAPPY_OK &&
				       bytes < BLOCK
			       ? bytes
			       : 0;
	}
#endif
#ifdef HAVE_ZSTD
	if (flag == CODEC_ZSTD) {
		size_t bytes = ZSTD_compress(out, room, in, BLOCK, 1);

		return bytes < BLOCK ? bytes : 0;
	}
#endif
	return 0;
}

/* Data of a block, once for all that are zero; returns its descriptor's place behind it. */
static inline void kdump_block_file(struct dump_file *f, unsigned int i, unsigned int flag,
				    size_t desc, size_t *zero)
{
	uint8_t block[BLOCK], packed[2 * BLOCK];
	size_t n;

	block_content(i, block);
	n = compress_block(flag, block, packed, sizeof(packed));
	put32(f, desc + 8, n ? n : BLOCK);
	put32(f, desc + 12, n ? flag : 0);
	if (i % 4 == 0 && *zero) {
		put64(f, desc, *zero);
		return;
	}
	if (i % 4 == 0)
		*zero = f->n;
	put64(f, desc, f->n);
	memcpy(f->bytes + f->n, n ? packed : block, n ? n : BLOCK);
	f->n += n ? n : BLOCK;
}

/* As makedumpfile lays it out; of the blocks from start to end, split unless these are all. */
static inline void kdump_file(struct dump_file *f, unsigned int flag, unsigned int start,
			      unsigned int end)
{
	size_t bitmaps = 2 * BLOCK, desc = 4 * BLOCK, zero = 0;

	memset(f, 0, sizeof(*f));
	memcpy(f->bytes, "KDUMP   ", 8);
	put32(f, 8, 6);
	strcpy((char *)f->bytes + 12 + 2 * 65, "6.12.0");
	strcpy((char *)f->bytes + 12 + 4 * 65, "x86_64");
	put64(f, 408, 1700000000);
	put32(f, 424, flag);
	put32(f, 428, BLOCK);
	put32(f, 432, 1);
	put32(f, 436, 2);
	put32(f, 440, BLOCKS);
	if (start || end != BLOCKS) {
		put32(f, BLOCK + 12, 1);
		put64(f, BLOCK + 80, start);
		put64(f, BLOCK + 88, end);
	}
	put64(f, BLOCK + 32, BLOCK + 1024);
	put64(f, BLOCK + 40, sizeof(INFO) - 1);
	put64(f, BLOCK + 96, BLOCKS);
	memcpy(f->bytes + BLOCK + 1024, INFO, sizeof(INFO) - 1);
	for (unsigned int i = 0; i < BLOCKS; i++) {
		f->bytes[bitmaps + i / 8] |= 1 << i % 8;
		if (block_is_there(i))
			f->bytes[bitmaps + BLOCK + i / 8] |= 1 << i % 8;
		if (block_is_there(i) && i >= start && i < end)
			f->n += 24;
	}
	f->n += desc;
	for (unsigned int i = start; i < end; i++) {
		if (!block_is_there(i))
			continue;
		kdump_block_file(f, i, flag, desc, &zero);
		desc += 24;
	}
}

static inline size_t elf_segment(struct dump_file *f, size_t at, uint32_t type, uint64_t phys,
				 uint64_t offset, uint64_t bytes, uint64_t memory)
{
	Elf64_Phdr p = { .p_type = type,
			 .p_offset = offset,
			 .p_paddr = phys,
			 .p_filesz = bytes,
			 .p_memsz = memory };

	memcpy(f->bytes + at, &p, sizeof(p));
	return at + sizeof(p);
}

/* A segment for each run; that which was left out is the end of one, as makedumpfile -E has it. */
static inline void elf_file(struct dump_file *f, size_t phoff)
{
	Elf64_Ehdr h = { .e_type = ET_CORE,
			 .e_machine = EM_X86_64,
			 .e_phoff = phoff,
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_phnum = 2 + BLOCKS / 5 };
	size_t at = phoff, note = phoff + h.e_phnum * sizeof(Elf64_Phdr);
	const uint32_t header[] = { sizeof("VMCOREINFO"), sizeof(INFO) - 1, 0 };

	memset(f, 0, sizeof(*f));
	memcpy(h.e_ident, "\177ELF\2\1\1", 7);
	memcpy(f->bytes, &h, sizeof(h));
	memcpy(f->bytes + note, header, sizeof(header));
	strcpy((char *)f->bytes + note + 12, "VMCOREINFO");
	memcpy(f->bytes + note + 24, INFO, sizeof(INFO) - 1);
	f->n = note + 24 + sizeof(INFO) + 16;
	at = elf_segment(f, at, PT_NOTE, 0, note, f->n - note, 0);
	for (unsigned int i = 0; i <= BLOCKS; i += 5) {
		unsigned int first = i ? i - 1 : 0, n = (i < BLOCKS ? i + 3 : BLOCKS) - first;

		at = elf_segment(f, at, PT_LOAD, (uint64_t)first * BLOCK, f->n, (uint64_t)n * BLOCK,
				 (uint64_t)(n + 1) * BLOCK);
		for (unsigned int j = 0; j < n; j++, f->n += BLOCK)
			block_content(first + j, f->bytes + f->n);
	}
}

static inline void flat_record(struct dump_file *f, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	put64(f, f->n, htobe64(at));
	put64(f, f->n + 8, htobe64(n));
	if (n != UINT64_MAX)
		memcpy(f->bytes + f->n + 16, bytes, n);
	f->n += 16 + (n != UINT64_MAX ? n : 0);
}

/*
 * As makedumpfile -F writes it, in records of different lengths; the first of them is wrong, and
 * written once more at the end, as its header is.
 */
static inline void flat_file(struct dump_file *f, const struct dump_file *of)
{
	static uint8_t wrong[3 * BLOCK];
	size_t at = 0;

	memset(f, 0, sizeof(*f));
	memcpy(f->bytes, "makedumpfile", 12);
	put64(f, 16, htobe64(1));
	put64(f, 24, htobe64(1));
	f->n = 4096;
	memset(wrong, 0x5a, sizeof(wrong));
	flat_record(f, 0, wrong, 100);
	flat_record(f, 50, wrong, sizeof(wrong));
	for (size_t i = 0; at < of->n; i++) {
		size_t n = 1 + i * 977 % 9000;

		n = n < of->n - at ? n : of->n - at;
		flat_record(f, at, of->bytes + at, n);
		at += n;
	}
	flat_record(f, 0, of->bytes, BLOCK + 200);
	flat_record(f, UINT64_MAX, NULL, UINT64_MAX);
}

/* A file of these bytes without a name in a folder: its descriptor, and a path that opens it. */
static inline int dump_file_open(const struct dump_file *f, char *path, size_t size)
{
	int fd = memfd_create("dump", MFD_CLOEXEC);

	if (fd >= 0 && write(fd, f->bytes, f->n) != (ssize_t)f->n) {
		close(fd);
		return -1;
	}
	snprintf(path, size, "/proc/self/fd/%d", fd);
	return fd;
}
