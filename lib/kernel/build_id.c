// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/build_id.h"

#include <elf.h>

#define MAX_NOTES 64	     /* a kernel has two to five */
#define MAX_NOTE_BYTES 65536 /* of one note */

static uint64_t padded(uint32_t size)
{
	return ((uint64_t)size + 3) & ~3ULL;
}

/* Notes are a header, a name and contents, each padded to 4 bytes (elf(5)). */
enum status buildid_in_notes(struct dump *d, uint64_t addr, uint64_t end, struct buildid *ret)
{
	for (unsigned int i = 0; i < MAX_NOTES && addr < end; i++) {
		uint8_t raw[sizeof(Elf64_Nhdr) + 4];
		uint32_t name, size, type;
		uint64_t contents;
		enum status st = dump_read(d, addr, raw, sizeof(raw), "a build-id");

		if (st != ST_OK)
			return st;
		name = le32(raw);
		size = le32(raw + 4);
		type = le32(raw + 8);
		if (name > MAX_NOTE_BYTES || size > MAX_NOTE_BYTES)
			return dump_fail(d, ST_CORRUPT, "the note at %#lx is corrupt", addr);
		contents = addr + sizeof(Elf64_Nhdr) + padded(name);
		if (type == NT_GNU_BUILD_ID && name == 4 && !memcmp(raw + 12, "GNU", 4)) {
			struct buildid id = { .n = size };

			if (!size || size > sizeof(id.bytes))
				return dump_fail(d, ST_CORRUPT, "a build-id of %u bytes", size);
			st = dump_read(d, contents, id.bytes, size, "a build-id");
			if (st == ST_OK)
				*ret = id;
			return st;
		}
		addr = contents + padded(size);
	}
	return dump_fail(d, ST_ABSENT, "it was linked without a build-id");
}

enum status buildid_kernel(struct dump *d, struct buildid *ret, uint64_t *notes)
{
	uint64_t start, end;
	enum status st = dump_symbol(d, "__start_notes", &start)
				 ?: dump_symbol(d, "__stop_notes", &end);

	if (st != ST_OK)
		return st;
	st = buildid_in_notes(d, start, end, ret);
	if (st == ST_OK && notes)
		*notes = start;
	return st;
}

bool buildid_same(const struct buildid *a, const struct buildid *b)
{
	return a->n == b->n && !memcmp(a->bytes, b->bytes, a->n);
}

const char *buildid_text(const struct buildid *id, char buf[static BUILDID_TEXT])
{
	*buf = '\0';
	for (unsigned int i = 0; i < id->n && 2 * i + 3 < BUILDID_TEXT; i++)
		sprintf(buf + 2 * i, "%02x", id->bytes[i]);
	return buf;
}
