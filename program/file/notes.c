// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/notes.h"

/* A note for each CPU, two with QEMU's: more than any machine has. */
#define MOST_NOTES 65536

enum { NOTE_HEADER = 12 }; /* bytes of a name, of a description, type: 32 bits each */

static const char name[] = "VMCOREINFO";

enum status notes_text(struct dump *d, const struct input *in, uint64_t at, uint64_t bytes,
		       const char **ret, size_t *ret_bytes)
{
	char *text;

	if (!bytes || bytes > NOTES_MOST_VMCOREINFO)
		return ST_ABSENT;
	text = dump_alloc(d, bytes + 1);
	if (!input_read(in, at, text, bytes))
		return ST_UNREADABLE;
	*ret = text;
	*ret_bytes = strlen(text);
	return *ret_bytes ? ST_OK : ST_ABSENT;
}

enum status notes_vmcoreinfo(struct dump *d, const struct input *in, uint64_t at, uint64_t bytes,
			     const char **ret, size_t *ret_bytes)
{
	uint8_t header[NOTE_HEADER + sizeof(name)];

	for (unsigned int i = 0; i < MOST_NOTES && bytes >= NOTE_HEADER; i++) {
		size_t n = bytes < sizeof(header) ? bytes : sizeof(header);
		uint64_t name_bytes, text_bytes, whole;

		if (!input_read(in, at, header, n))
			return ST_UNREADABLE;
		name_bytes = (le32(header) + 3ULL) & ~3ULL;
		text_bytes = le32(header + 4);
		whole = NOTE_HEADER + name_bytes + ((text_bytes + 3) & ~3ULL);
		if (n == sizeof(header) && le32(header) >= sizeof(name) - 1 &&
		    le32(header) <= sizeof(name) &&
		    !memcmp(header + NOTE_HEADER, name, sizeof(name) - 1))
			return notes_text(d, in, at + NOTE_HEADER + name_bytes, text_bytes, ret,
					  ret_bytes);
		if (whole > bytes)
			break;
		at += whole;
		bytes -= whole;
	}
	return ST_ABSENT;
}
