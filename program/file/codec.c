// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/codec.h"

#include "file/snappy.h"

#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#else
#include <zlib.h>
#endif
#ifdef HAVE_LZO
#include <lzo/lzo1x.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

/* What a library keeps between blocks. */
struct codec {
#ifdef HAVE_LIBDEFLATE
	struct libdeflate_decompressor *deflate;
#else
	z_stream deflate;
#endif
#ifdef HAVE_ZSTD
	ZSTD_DCtx *zstd;
#endif
};

#ifdef HAVE_LIBDEFLATE
static bool open_deflate(struct codec *c)
{
	c->deflate = libdeflate_alloc_decompressor();
	return c->deflate;
}

static void close_deflate(struct codec *c)
{
	if (c->deflate)
		libdeflate_free_decompressor(c->deflate);
}

static bool by_zlib(struct codec *c, const uint8_t *in, size_t in_len, void *out, size_t out_len)
{
	/* Without a place for the length, another one is an error. */
	return libdeflate_zlib_decompress(c->deflate, in, in_len, out, out_len, NULL) ==
	       LIBDEFLATE_SUCCESS;
}

static bool zlib_start(struct codec *c, const uint8_t *in, size_t in_len, void *out, size_t out_len)
{
	return libdeflate_zlib_decompress(c->deflate, in, in_len, out, out_len, NULL) ==
	       LIBDEFLATE_INSUFFICIENT_SPACE;
}
#else
static bool open_deflate(struct codec *c)
{
	return inflateInit(&c->deflate) == Z_OK;
}

static void close_deflate(struct codec *c)
{
	inflateEnd(&c->deflate);
}

/* What inflate() says; a block that has more than out_len bytes does not end. */
static int inflated(struct codec *c, const uint8_t *in, size_t in_len, void *out, size_t out_len)
{
	if (inflateReset(&c->deflate) != Z_OK)
		return Z_STREAM_ERROR;
	c->deflate.next_in = (uint8_t *)in;
	c->deflate.avail_in = in_len;
	c->deflate.next_out = out;
	c->deflate.avail_out = out_len;
	return inflate(&c->deflate, Z_FINISH);
}

static bool by_zlib(struct codec *c, const uint8_t *in, size_t in_len, void *out, size_t out_len)
{
	return inflated(c, in, in_len, out, out_len) == Z_STREAM_END && !c->deflate.avail_out;
}

static bool zlib_start(struct codec *c, const uint8_t *in, size_t in_len, void *out, size_t out_len)
{
	return inflated(c, in, in_len, out, out_len) == Z_BUF_ERROR && !c->deflate.avail_out;
}
#endif

#ifdef HAVE_LZO
static bool by_lzo(struct codec *c NOT_USED, const uint8_t *in, size_t in_len, void *out,
		   size_t out_len)
{
	lzo_uint n = out_len;

	return lzo1x_decompress_safe(in, in_len, out, &n, NULL) == LZO_E_OK && n == out_len;
}
#else
#define by_lzo NULL
#endif

static bool by_snappy(struct codec *c NOT_USED, const uint8_t *in, size_t in_len, void *out,
		      size_t out_len)
{
	return snappy_block(in, in_len, out, out_len);
}

#ifdef HAVE_ZSTD
static bool by_zstd(struct codec *c, const uint8_t *in, size_t in_len, void *out, size_t out_len)
{
	/* What is no length is an error code, which is larger. */
	return ZSTD_decompressDCtx(c->zstd, out, out_len, in, in_len) == out_len;
}
#else
#define by_zstd NULL
#endif

static const struct method {
	unsigned int flag;
	const char *name;
	/* NULL: this build has no library for it. */
	bool (*block)(struct codec *c, const uint8_t *in, size_t in_len, void *out, size_t out_len);
} methods[] = {
	{ CODEC_ZLIB, "zlib", by_zlib },
	{ CODEC_LZO, "lzo", by_lzo },
	{ CODEC_SNAPPY, "snappy", by_snappy },
	{ CODEC_ZSTD, "zstd", by_zstd },
};

static void close_codec(void *arg)
{
	struct codec *c = arg;

	close_deflate(c);
#ifdef HAVE_ZSTD
	ZSTD_freeDCtx(c->zstd);
#endif
}

enum status codec_open(struct dump *d, struct codec **ret)
{
	struct codec *c = dump_alloc(d, sizeof(*c));

	/* None of them minds what was never opened. */
	arena_at_reset(d->arena, close_codec, c);
	if (!open_deflate(c))
		return dump_no_memory(d);
#ifdef HAVE_ZSTD
	c->zstd = ZSTD_createDCtx();
	if (!c->zstd)
		return dump_no_memory(d);
#endif
	*ret = c;
	return ST_OK;
}

static const struct method *find(unsigned int flags)
{
	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++)
		if (methods[i].flag == (flags & CODEC_FLAGS))
			return &methods[i];
	return NULL;
}

bool codec_block(struct codec *c, unsigned int flags, const uint8_t *in, size_t in_len, void *out,
		 size_t out_len)
{
	const struct method *m = find(flags);

	return m && m->block && m->block(c, in, in_len, out, out_len);
}

bool codec_start(struct codec *c, unsigned int flags, const uint8_t *in, size_t in_len, void *out,
		 size_t out_len)
{
	return (flags & CODEC_FLAGS) == CODEC_ZLIB && zlib_start(c, in, in_len, out, out_len);
}

const char *codec_name(unsigned int flags)
{
	const struct method *m = find(flags);

	return m ? m->name : "an unknown method";
}

bool codec_is_built(unsigned int flags)
{
	const struct method *m = find(flags);

	return m && m->block;
}
