/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a block is compressed.  A method that this build has no library for is known by name: zlib is
 * always there, the others are found by the Makefile (HAVE_LIBDEFLATE, HAVE_LZO, HAVE_SNAPPY, HAVE_ZSTD).
 */
#ifndef MEMOWNER_FILE_CODEC_H
#define MEMOWNER_FILE_CODEC_H

#include "dump/dump.h"

/* Flags of a page in makedumpfile's format; what a dump is compressed with has the same ones. */
enum { CODEC_ZLIB = 0x1, CODEC_LZO = 0x2, CODEC_SNAPPY = 0x4, CODEC_ZSTD = 0x20 };
#define CODEC_FLAGS (CODEC_ZLIB | CODEC_LZO | CODEC_SNAPPY | CODEC_ZSTD)

struct codec;

/* Freed when d->arena is reset. */
enum status codec_open(struct dump *d, struct codec **ret);

/*
 * A whole block of out_len bytes.  ST_CORRUPT: it does not uncompress, or to another length; ST_ABSENT: this build
 * has no library for it.
 */
enum status codec_block(struct codec *c, unsigned int flags, const uint8_t *in, size_t in_len,
			void *out, size_t out_len);

/* "zlib", "lzo, ...": for messages. */
const char *codec_name(unsigned int flags);

/* Whether this build has what these flags need. */
bool codec_is_built(unsigned int flags);

#endif
