// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/open_list.h"

#define BLOCK_BYTES 16384 /* of files at once */
#define FIELDS 4
#define FIELD_MOST 10 /* bytes of 64 bits, of 7 each */

struct open_block {
	struct open_block *next;
	unsigned int n; /* bytes that are taken */
	uint8_t packed[BLOCK_BYTES];
};

/* The difference to the same field of the file before, its sign in the lowest bit: 7 bits in each byte, all but the last marked. */
static uint8_t *pack(uint8_t *to, uint64_t now, uint64_t before)
{
	const uint64_t by = now - before;
	uint64_t word = by << 1 ^ (by >> 63 ? UINT64_MAX : 0);

	for (; word >> 7; word >>= 7)
		*to++ = (uint8_t)word | 0x80;
	*to++ = (uint8_t)word;
	return to;
}

static const uint8_t *unpack(const uint8_t *from, uint64_t *value)
{
	uint64_t word = 0;
	unsigned int shift = 0;

	for (; *from & 0x80; shift += 7)
		word |= (uint64_t)(*from++ & 0x7f) << shift;
	word |= (uint64_t)*from++ << shift;
	*value += word >> 1 ^ (word & 1 ? UINT64_MAX : 0);
	return from;
}

void open_list_add(struct open_list *l, const struct opened *opened)
{
	const struct opened *before = &l->before;
	struct open_block *b = l->last;
	uint8_t *to;

	if (!b || BLOCK_BYTES - b->n < FIELDS * FIELD_MOST) {
		b = arena_alloc(l->arena, sizeof(*b));
		*(l->last ? &l->last->next : &l->first) = b;
		l->last = b;
	}
	to = pack(b->packed + b->n, opened->address, before->address);
	to = pack(to, opened->file.inode, before->file.inode);
	to = pack(to, opened->file.operations, before->file.operations);
	to = pack(to, (uintptr_t)opened->user, (uintptr_t)before->user);
	b->n = (unsigned int)(to - b->packed);
	l->before = *opened;
	l->n++;
}

struct open_list_at open_list_begin(const struct open_list *l)
{
	return (struct open_list_at){ .block = l->first };
}

bool open_list_next(struct open_list_at *at, struct opened *ret)
{
	const uint8_t *from;
	struct opened *of = &at->before;
	uint64_t user = (uintptr_t)of->user;

	if (at->block && at->at == at->block->n) {
		at->block = at->block->next;
		at->at = 0;
	}
	if (!at->block)
		return false;
	from = unpack(at->block->packed + at->at, &of->address);
	from = unpack(from, &of->file.inode);
	from = unpack(from, &of->file.operations);
	from = unpack(from, &user);
	of->user = (const struct file_user *)(uintptr_t)user;
	at->at = (unsigned int)(from - at->block->packed);
	*ret = *of;
	return true;
}
