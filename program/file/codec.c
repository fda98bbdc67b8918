// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/codec.h"

#include <zlib.h>

struct codec {
	z_stream zlib;
	bool has_zlib;
};

static void close_codec(void *arg)
{
	struct codec *c = arg;

	if (c->has_zlib)
		inflateEnd(&c->zlib);
}

enum status codec_open(struct dump *d, struct codec **ret)
{
	struct codec *c = dump_alloc(d, sizeof(*c));

	if (!c)
		return ST_NOMEM;
	if (!arena_at_reset(d->arena, close_codec, c))
		return dump_no_memory(d);
	c->has_zlib = inflateInit(&c->zlib) == Z_OK;
	if (!c->has_zlib)
		return dump_no_memory(d);
	*ret = c;
	return ST_OK;
}

static bool by_zlib(struct codec *c, const uint8_t *in, size_t in_len, void *out, size_t out_len)
{
	if (inflateReset(&c->zlib) != Z_OK)
		return false;
	c->zlib.next_in = (uint8_t *)in;
	c->zlib.avail_in = in_len;
	c->zlib.next_out = out;
	c->zlib.avail_out = out_len;
	return inflate(&c->zlib, Z_FINISH) == Z_STREAM_END && !c->zlib.avail_out;
}

static const struct method {
	unsigned int flag;
	const char *name;
	/* NULL: this build has no library for it. */
	bool (*block)(struct codec *c, const uint8_t *in, size_t in_len, void *out, size_t out_len);
} methods[] = {
	{ CODEC_ZLIB, "zlib", by_zlib },
	{ CODEC_LZO, "lzo", NULL },
	{ CODEC_SNAPPY, "snappy", NULL },
	{ CODEC_ZSTD, "zstd", NULL },
};

static const struct method *find(unsigned int flags)
{
	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++)
		if (methods[i].flag == (flags & CODEC_FLAGS))
			return &methods[i];
	return NULL;
}

enum status codec_block(struct codec *c, unsigned int flags, const uint8_t *in, size_t in_len,
			void *out, size_t out_len)
{
	const struct method *m = find(flags);

	if (!m)
		return ST_CORRUPT;
	if (!m->block)
		return ST_ABSENT;
	return m->block(c, in, in_len, out, out_len) ? ST_OK : ST_CORRUPT;
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
