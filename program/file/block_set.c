// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/block_set.h"

#define RANK_BITS 512
#define RANK_WORDS (RANK_BITS / 64)

enum status block_set_read(struct dump *d, const struct input *in, uint64_t at, uint64_t start,
			   uint64_t end, struct block_set *ret)
{
	struct block_set s = { .start = start, .end = end, .base = start & ~63ULL };
	uint64_t words = (end - s.base + 63) / 64, bytes = (end - s.base + 7) / 8;

	/* Before memory is asked for: a file says of no more blocks than it has bits. */
	if (start > end || bytes > in->file.size || at > in->size || s.base / 8 > in->size - at ||
	    bytes > in->size - at - s.base / 8)
		return ST_UNREADABLE;
	s.words = dump_alloc(d, (words + 1) * sizeof(*s.words));
	s.ranks = dump_alloc(d, (words / RANK_WORDS + 1) * sizeof(*s.ranks));
	if (!input_read_table(in, at + s.base / 8, s.words, bytes))
		return ST_UNREADABLE;
	s.words[0] &= ~0ULL << start % 64;
	if (end % 64)
		s.words[words - 1] &= (1ULL << end % 64) - 1;
	for (uint64_t i = 0; i < words; i++) {
		if (i % RANK_WORDS == 0)
			s.ranks[i / RANK_WORDS] = s.n;
		s.n += __builtin_popcountll(s.words[i]);
	}
	*ret = s;
	return ST_OK;
}

void block_set_cut(struct block_set *s, uint64_t n)
{
	uint64_t word = 0, before = 0, rest;

	if (n >= s->n)
		return;
	while (before + __builtin_popcountll(s->words[word]) <= n)
		before += __builtin_popcountll(s->words[word++]);
	rest = s->words[word];
	for (; before < n; before++)
		rest &= rest - 1;
	s->end = s->base + word * 64 + __builtin_ctzll(rest);
	s->n = n;
}

bool block_set_has(const struct block_set *s, uint64_t block)
{
	return block >= s->start && block < s->end &&
	       s->words[(block - s->base) / 64] >> block % 64 & 1;
}

uint64_t block_set_rank(const struct block_set *s, uint64_t block)
{
	uint64_t word = (block - s->base) / 64, i = word / RANK_WORDS * RANK_WORDS;
	uint64_t n = s->ranks[word / RANK_WORDS];

	for (; i < word; i++)
		n += __builtin_popcountll(s->words[i]);
	return n + __builtin_popcountll(s->words[word] & ((1ULL << block % 64) - 1));
}

/* The first block at or above one whose bit is this; the end: none is. */
static uint64_t find(const struct block_set *s, uint64_t block, bool set)
{
	while (block < s->end) {
		uint64_t word = s->words[(block - s->base) / 64];

		word = (set ? word : ~word) >> block % 64;
		if (word) {
			block += __builtin_ctzll(word);
			break;
		}
		block = (block | 63) + 1;
	}
	return block < s->end ? block : s->end;
}

bool block_set_next(const struct block_set *s, uint64_t *block, uint64_t *end)
{
	uint64_t first = find(s, *block > s->start ? *block : s->start, true);

	if (first >= s->end)
		return false;
	*block = first;
	if (end)
		*end = find(s, first, false);
	return true;
}
