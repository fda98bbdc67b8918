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

/* One of them, and those behind it. */
struct note {
	const struct input *in;
	uint64_t next, bytes; /* what follows */
	unsigned int n;	      /* that were seen */
	uint64_t at, text;    /* of this one, and of its description */
	uint32_t type, name_bytes, text_bytes;
	uint8_t name[sizeof(name)];
};

/* ST_ABSENT: there is no more; ST_UNREADABLE. */
static enum status next_note(struct note *x)
{
	uint8_t header[NOTE_HEADER + sizeof(name)] = { 0 };
	size_t n = x->bytes < sizeof(header) ? x->bytes : sizeof(header);
	uint64_t whole;

	if (x->n++ == MOST_NOTES || x->bytes < NOTE_HEADER)
		return ST_ABSENT;
	if (!input_read(x->in, x->next, header, n))
		return ST_UNREADABLE;
	x->at = x->next;
	x->name_bytes = le32(header);
	x->text_bytes = le32(header + 4);
	x->type = le32(header + 8);
	memcpy(x->name, header + NOTE_HEADER, sizeof(x->name));
	x->text = x->at + NOTE_HEADER + ((x->name_bytes + 3ULL) & ~3ULL);
	whole = x->text - x->at + ((x->text_bytes + 3ULL) & ~3ULL);
	/* The last one may be cut. */
	x->next += whole;
	x->bytes = whole > x->bytes ? 0 : x->bytes - whole;
	return ST_OK;
}

enum status notes_vmcoreinfo(struct dump *d, const struct input *in, uint64_t at, uint64_t bytes,
			     const char **ret, size_t *ret_bytes)
{
	struct note x = { .in = in, .next = at, .bytes = bytes };
	enum status st;

	while ((st = next_note(&x)) == ST_OK)
		if (x.name_bytes >= sizeof(name) - 1 && x.name_bytes <= sizeof(name) &&
		    !memcmp(x.name, name, sizeof(name) - 1))
			return notes_text(d, in, x.text, x.text_bytes, ret, ret_bytes);
	return st;
}

#define NT_PRSTATUS 1
#define MOST_PRSTATUS 1024 /* bytes: of arm64 it has 392 */

void notes_cpus(struct dump *d, const struct input *in, uint64_t at, uint64_t bytes,
		struct cpu_notes *ret)
{
	struct note x = { .in = in, .next = at, .bytes = bytes };

	while (ret->n < VMCORE_MOST_CPUS && next_note(&x) == ST_OK) {
		uint64_t whole = x.text - x.at + x.text_bytes;
		uint8_t *note;

		if (x.type != NT_PRSTATUS || x.name_bytes != sizeof("CORE") ||
		    memcmp(x.name, "CORE", sizeof("CORE")) || x.text_bytes > MOST_PRSTATUS ||
		    x.at + whole > at + bytes)
			continue;
		if (!ret->all)
			ret->all = dump_alloc(d, VMCORE_MOST_CPUS * sizeof(*ret->all));
		note = dump_alloc(d, whole);
		if (!input_read(in, x.at, note, whole))
			return;
		ret->all[ret->n++] = note;
	}
}
