// SPDX-License-Identifier: GPL-2.0-or-later
/* Blocks of snappy, written by hand: what its library writes is in test_vmcore. */
#include "file/snappy.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

#define ROOM 512

/* In memory of its own, so that a byte beside it is an error. */
static bool gives(const char *in, size_t in_len, const char *want, size_t len)
{
	uint8_t *from = memcpy(malloc(in_len ?: 1), in, in_len), *out = calloc(1, len ?: 1);
	bool ok = snappy_block(from, in_len, out, len) && !memcmp(out, want, len);

	free(from);
	free(out);
	return ok;
}

#define GIVES(IN, WANT) gives(IN, sizeof(IN) - 1, WANT, sizeof(WANT) - 1)

static void elements(void)
{
	CHECK(GIVES("\0", ""));
	CHECK(GIVES("\3\x08xyz", "xyz"));
	/* Copies: of 4 to 11 bytes by 11 bits, of 1 to 64 by 16, by 32. */
	CHECK(GIVES("\10\x0c"
		    "abcd"
		    "\x01\4",
		    "abcdabcd"));
	CHECK(GIVES("\7\x0c"
		    "abcd"
		    "\x0a\3\0",
		    "abcdbcd"));
	CHECK(GIVES("\6\x0c"
		    "abcd"
		    "\x07\4\0\0\0",
		    "abcdab"));
	/* Longer than far back. */
	CHECK(GIVES("\11\x04"
		    "ab"
		    "\x0d\2",
		    "ababababa"));
	CHECK(GIVES("\6\0a\x12\1\0", "aaaaaa"));
	/* What is copied in steps is not longer than asked for, and ends with the room. */
	CHECK(GIVES("\14\x1c"
		    "abcdefgh"
		    "\x01\10",
		    "abcdefghabcd"));
	CHECK(GIVES("\43\x1c"
		    "abcdefgh"
		    "\x1d\10\x3c"
		    "0123456789ABCDEF",
		    "abcdefghabcdefghabc0123456789ABCDEF"));
}

/* A length behind the tag, of 1 to 4 bytes; an offset of more than 8 bits. */
static void long_ones(void)
{
	char in[ROOM] = "\xb4\2\xf0\xff", text[ROOM];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)(i * 7);
	memcpy(text + 256, text, 52);
	memcpy(in + 4, text, 256);
	in[260] = (char)(51 << 2 | 2);
	in[261] = 0;
	in[262] = 1;
	CHECK(gives(in, 263, text, 308));
	in[260] = (char)(1 << 5 | 7 << 2 | 1);
	in[261] = 0;
	in[0] = '\x8b';
	CHECK(gives(in, 262, text, 267));
	memcpy(in, "\x80\2\xf4\xff\0", 5);
	memcpy(in + 5, text, 256);
	CHECK(gives(in, 261, text, 256));
	memcpy(in, "\x80\2\xfc\xff\0\0\0", 7);
	memcpy(in + 7, text, 256);
	CHECK(gives(in, 263, text, 256));
}

static void damaged(void)
{
	/* Another length, in the header and in what follows. */
	CHECK(!GIVES("\2\x08xyz", "xyz"));
	CHECK(!GIVES("\4\x08xyz", "xyz "));
	CHECK(!GIVES("\3\x04xy", "xyz"));
	CHECK(!GIVES("\3\x0cwxyz", "wxy"));
	CHECK(!GIVES("\3\x08xyz\0q", "xyz"));
	/* The input ends within an element or the length. */
	CHECK(!GIVES("", ""));
	CHECK(!GIVES("\x83", "xyz"));
	CHECK(!GIVES("\xff\xff\xff\xff\xff\xff", "xyz"));
	CHECK(!GIVES("\3\x08xy", "xyz"));
	CHECK(!GIVES("\3\xfc\1\0", "xyz"));
	CHECK(!GIVES("\10\x0c"
		     "abcd"
		     "\x01",
		     "abcdabcd"));
	CHECK(!GIVES("\10\x0c"
		     "abcd"
		     "\x0e\4",
		     "abcdabcd"));
	/* A literal that is longer than all there is, by 32 bits. */
	CHECK(!GIVES("\3\xfc\xff\xff\xff\xffxyz", "xyz"));
	CHECK(!gives("\50\x08xyz", 5, "", 40));
	/* From before the first byte, or from no distance. */
	CHECK(!GIVES("\10\x0c"
		     "abcd"
		     "\x01\5",
		     "abcdabcd"));
	CHECK(!GIVES("\10\x0c"
		     "abcd"
		     "\x01\0",
		     "abcdabcd"));
	/* A copy that is longer than the room. */
	CHECK(!GIVES("\7\x0c"
		     "abcd"
		     "\x01\4",
		     "abcdabc"));
}

TESTS({ "snappy: literals and copies", elements },
      { "snappy: long lengths and distances", long_ones },
      { "snappy: blocks that are damaged", damaged })
