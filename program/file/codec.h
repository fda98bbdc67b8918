/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a block is compressed.  zlib is in each build, by libdeflate where that is there, and snappy
 * without a library; lzo and zstd are where the Makefile found their headers (HAVE_LIBDEFLATE, HAVE_LZO,
 * HAVE_ZSTD).
 */
#pragma once

#include "dump/dump.h"

/* Flags of a page, and of the header for all pages, in makedumpfile's format. */
enum { CODEC_ZLIB = 0x1, CODEC_LZO = 0x2, CODEC_SNAPPY = 0x4, CODEC_ZSTD = 0x20 };
#define CODEC_FLAGS (CODEC_ZLIB | CODEC_LZO | CODEC_SNAPPY | CODEC_ZSTD)

struct codec;

/* Freed when d->arena is reset. */
enum status codec_open(struct dump *d, struct codec **ret);

/*
 * A whole block of out_len bytes; false: it does not uncompress, or to another length, or not in
 * this build.
 */
bool codec_block(struct codec *c, unsigned int flags, const uint8_t *in, size_t in_len, void *out,
		 size_t out_len);

/*
 * The first out_len bytes of a block that has more, as far as they repeat nothing of before them;
 * what stood in out is left behind.  A sixth of the work of a whole block.  false: it does not
 * uncompress, or only as a whole.
 */
bool codec_start(struct codec *c, unsigned int flags, const uint8_t *in, size_t in_len, void *out,
		 size_t out_len);

/* "zlib", "lzo": for messages. */
const char *codec_name(unsigned int flags);

/* Whether this build has what these flags need. */
bool codec_is_built(unsigned int flags);
