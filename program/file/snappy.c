// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/snappy.h"

#include <string.h>

/* What is left of the input, and where the output is. */
struct state {
	const uint8_t *in, *in_end;
	uint8_t *out, *to, *out_end;
};

/* n bytes, the lowest first, 4 at most. */
static bool take_number(struct state *s, unsigned int n, uint32_t *ret)
{
	*ret = 0;
	if ((size_t)(s->in_end - s->in) < n)
		return false;
	for (unsigned int i = 0; i < n; i++)
		*ret |= (uint32_t)*s->in++ << 8 * i;
	return true;
}

/* The length of all: 7 bits a byte, the lowest first. */
static bool take_length(struct state *s, uint64_t *ret)
{
	*ret = 0;
	for (unsigned int shift = 0; shift < 35 && s->in < s->in_end; shift += 7) {
		uint8_t byte = *s->in++;

		*ret |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/* Copies of a length that the compiler knows take a third of the time: what is written behind is written again. */
#define STEP 8
#define SHORT_LITERAL 16

static bool put_literal(struct state *s, uint64_t len)
{
	uint64_t left = s->in_end - s->in, room = s->out_end - s->to;

	if (len > left || len > room)
		return false;
	if (len <= SHORT_LITERAL && left >= SHORT_LITERAL && room >= SHORT_LITERAL)
		memcpy(s->to, s->in, SHORT_LITERAL);
	else
		memcpy(s->to, s->in, len);
	s->in += len;
	s->to += len;
	return true;
}

/* Of what is longer than it is far back, the end repeats the beginning. */
static bool put_copy(struct state *s, uint32_t back, uint32_t len)
{
	size_t room = s->out_end - s->to;
	const uint8_t *from;
	uint8_t *to = s->to;

	if (!back || back > (size_t)(to - s->out) || len > room)
		return false;
	from = to - back;
	if (back == 1)
		memset(to, *from, len);
	else if (back >= STEP && room >= len + STEP)
		for (uint32_t i = 0; i < len; i += STEP)
			memcpy(to + i, from + i, STEP);
	else
		for (uint32_t i = 0; i < len; i++)
			to[i] = from[i];
	s->to += len;
	return true;
}

enum { LITERAL, COPY_1, COPY_2, COPY_4 };

#define LONG_LITERAL 60 /* from here on 1 to 4 bytes have the length */

/* A tag, whose low bits say what it is, and what belongs to it. */
static bool take_element(struct state *s)
{
	static const unsigned int bytes[] = { [COPY_1] = 1, [COPY_2] = 2, [COPY_4] = 4 };
	uint8_t tag = *s->in++, rest = tag >> 2;
	uint32_t n = rest;

	if ((tag & 3) == LITERAL)
		return (rest < LONG_LITERAL || take_number(s, rest - LONG_LITERAL + 1, &n)) &&
		       put_literal(s, (uint64_t)n + 1);
	if (!take_number(s, bytes[tag & 3], &n))
		return false;
	if ((tag & 3) == COPY_1)
		return put_copy(s, (uint32_t)(tag >> 5) << 8 | n, 4 + (rest & 7));
	return put_copy(s, n, rest + 1);
}

bool snappy_block(const uint8_t *in, size_t in_len, uint8_t *out, size_t out_len)
{
	struct state s = { in, in + in_len, out, out, out + out_len };
	uint64_t len;

	if (!take_length(&s, &len) || len != out_len)
		return false;
	while (s.in < s.in_end)
		if (!take_element(&s))
			return false;
	return s.to == s.out_end;
}
