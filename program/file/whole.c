// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/whole.h"

#include "file/elf_memory.h"
#include "file/kdump_part.h"
#include "file/vmcore.h"

static const char *of_kdump(struct dump *d, const struct input *in)
{
	struct kdump_part part;

	return kdump_part_open(d, in, 1, &part) == ST_OK ? kdump_part_incomplete(&part) : NULL;
}

static const char *of_elf(struct dump *d, const struct input *in)
{
	struct vmcore_facts facts = { .release = "" };
	struct elf_memory *elf;

	return elf_memory_open(d, in, &facts, &elf) == ST_OK ? facts.incomplete : NULL;
}

const char *file_incomplete(struct dump *d, const char *path)
{
	const char *ret = NULL;
	struct input *in = dump_alloc(d, sizeof(*in));
	char magic[8];

	if (input_open(d, path, in) == ST_OK && input_read_table(in, 0, magic, sizeof(magic)))
		ret = !memcmp(magic, KDUMP_SIGNATURE, sizeof(magic)) ? of_kdump(d, in)
		      : !memcmp(magic, "\177ELF", 4)		     ? of_elf(d, in)
								     : NULL;
	*d->error = 0;
	return !ret && in->is_cut ? input_cut(in) : ret;
}
