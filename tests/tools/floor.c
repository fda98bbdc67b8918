// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * floor FILE: what a reader of a dump takes at least: each byte of the file by pread(), 64 KiB at a time, and of a
 * compressed kdump each page uncompressed, by the library that the program has, and dropped.  Prints milliseconds of
 * CPU time, user and system, of the best of ROUNDS, how many bytes of memory these were, and how many of the file.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dump/dump.h"
#include "file/codec.h"

#define ROUNDS 5
#define WINDOW ((size_t)64 << 10)

/* Offsets in struct disk_dump_header. */
enum { H_BLOCK_SIZE = 428, H_SUB_HEADER = 432, H_BITMAPS = 436, HEADER_BYTES = 512 };

struct page_desc {
	uint64_t offset;
	uint32_t size, flags;
	uint64_t page_flags;
};

struct reader {
	int fd;
	off_t size;
	uint8_t *window, *page, *shared;
	off_t base, shared_at;
	size_t len;	/* of the window */
	uint64_t bytes; /* of the file that were read */
	struct codec *codec;
};

static void fail(const char *what)
{
	fprintf(stderr, "floor: %s\n", what);
	exit(1);
}

/* A page that is further back: that of zeros, which all of them share. */
static const uint8_t *at_shared(struct reader *r, off_t offset, size_t len)
{
	if (offset != r->shared_at) {
		if (pread(r->fd, r->shared, len, offset) != (ssize_t)len)
			fail("the file ends early");
		r->shared_at = offset;
		r->bytes += len;
	}
	return r->shared;
}

/* What the window has at an offset, which is asked for in rising order. */
static const uint8_t *at(struct reader *r, off_t offset, size_t len)
{
	if (offset < r->base)
		return at_shared(r, offset, len);
	if (offset + (off_t)len > r->base + (off_t)r->len) {
		ssize_t n = pread(r->fd, r->window, 2 * WINDOW, offset);

		if (n < (ssize_t)len)
			fail("the file ends early");
		r->base = offset;
		r->len = (size_t)n;
		r->bytes += r->len;
	}
	return r->window + (offset - r->base);
}

/* A file that is not compressed: what it has, without its holes. */
static uint64_t read_plain(struct reader *r)
{
	uint64_t bytes = 0;
	off_t from = 0, end;

	while ((from = lseek(r->fd, from, SEEK_DATA)) >= 0) {
		end = lseek(r->fd, from, SEEK_HOLE);
		for (; from < end; from += WINDOW) {
			size_t len = end - from < (off_t)WINDOW ? (size_t)(end - from) : WINDOW;

			if (pread(r->fd, r->window, len, from) != (ssize_t)len)
				fail("cannot read");
			bytes += len;
		}
	}
	r->bytes = bytes;
	return bytes;
}

static uint64_t read_kdump(struct reader *r, const uint8_t *header)
{
	uint32_t block = le32(header + H_BLOCK_SIZE);
	off_t desc = (off_t)block * (1 + le32(header + H_SUB_HEADER) + le32(header + H_BITMAPS));
	struct page_desc first, *all;
	uint64_t n, bytes = 0, highest = 0;

	if (block < 4096 || block > WINDOW ||
	    pread(r->fd, &first, sizeof(first), desc) != sizeof(first) ||
	    first.offset <= (uint64_t)desc || first.offset > (uint64_t)r->size)
		fail("no descriptors of pages");
	n = (first.offset - (uint64_t)desc) / sizeof(first);
	all = malloc(n * sizeof(*all));
	if (!all || pread(r->fd, all, n * sizeof(*all), desc) != (ssize_t)(n * sizeof(*all)))
		fail("cannot read the descriptors");
	r->bytes += n * sizeof(*all);
	/* Pages of zeros have one block, which any program needs once: offsets rise but for that. */
	for (uint64_t i = 0; i < n && all[i].size && all[i].size <= block; i++) {
		const uint8_t *in;

		if (all[i].offset <= highest)
			continue;
		highest = all[i].offset;
		in = at(r, (off_t)all[i].offset, all[i].size);

		if (all[i].flags & CODEC_FLAGS &&
		    !codec_block(r->codec, all[i].flags, in, all[i].size, r->page, block))
			fail("a page does not uncompress");
		bytes += block;
	}
	free(all);
	return bytes;
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	struct arena arena = { 0 };
	struct dump d = { .arena = &arena };
	struct reader r = { .fd = argc == 2 ? open(argv[1], O_RDONLY) : -1 };
	uint8_t header[HEADER_BYTES];
	double best = 0;
	uint64_t bytes = 0;

	if (r.fd < 0 || pread(r.fd, header, sizeof(header), 0) != sizeof(header))
		fail("usage: floor FILE");
	r.size = lseek(r.fd, 0, SEEK_END);
	r.window = malloc(2 * WINDOW);
	r.page = malloc(WINDOW);
	r.shared = malloc(WINDOW);
	if (!r.window || !r.page || !r.shared || codec_open(&d, &r.codec) != ST_OK)
		fail("no memory");
	for (int i = 0; i < ROUNDS; i++) {
		double start = now(), ms;

		r.len = 0;
		r.base = 0;
		r.shared_at = 0;
		r.bytes = 0;
		bytes = memcmp(header, "KDUMP   ", 8) ? read_plain(&r) : read_kdump(&r, header);
		ms = now() - start;
		best = !i || ms < best ? ms : best;
	}
	printf("%.1f ms for %.1f MiB, %.1f MiB of the file\n", best, (double)bytes / (1 << 20),
	       (double)r.bytes / (1 << 20));
	arena_reset(&arena);
	return 0;
}
