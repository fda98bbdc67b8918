// SPDX-License-Identifier: GPL-2.0-or-later
#include "alloctag/alloc_tag.h"

#include <ctype.h>

#define MAX_TEXT 256	 /* a path in the source tree, or a function */
#define MAX_LINE 1000000 /* of a source file */

const struct layout_row alloc_tag_rows[TAG_FIELDS] = {
	[TAG_COUNTERS] = { "struct alloc_tag", { "counters" }, REQUIRED, "6.10" },
	[TAG_FLAGS] = { "struct alloc_tag", { "ct.flags" }, REQUIRED, "6.10" },
	[TAG_LINE] = { "struct alloc_tag", { "ct.lineno" }, REQUIRED, "6.10" },
	[TAG_MODULE] = { "struct alloc_tag", { "ct.modname" }, REQUIRED, "6.10" },
	[TAG_FUNCTION] = { "struct alloc_tag", { "ct.function" }, REQUIRED, "6.10" },
	[TAG_FILE] = { "struct alloc_tag", { "ct.filename" }, REQUIRED, "6.10" },
};

/* A name of source or of a module: nothing that cannot be printed, and no spaces. */
static const char *read_name(struct dump *d, uint64_t addr)
{
	char text[MAX_TEXT];

	if (!addr || dump_string(d, addr, text, sizeof(text), "name of an alloc tag") != ST_OK ||
	    !*text)
		return NULL;
	for (const char *p = text; *p; p++)
		if (!isgraph((unsigned char)*p))
			return NULL;
	return arena_strdup(d->arena, text);
}

enum status tag_read(struct dump *d, uint64_t tag, struct site *ret)
{
	struct site site = { .tag = tag, .in_module = true };
	struct field f[TAG_FIELDS];
	uint8_t raw[128];
	size_t span;
	enum status st = layout_resolve(d, alloc_tag_rows, TAG_FIELDS, f);

	if (st != ST_OK)
		return st;
	span = layout_span(f, TAG_FIELDS);
	if (span > sizeof(raw))
		return dump_fail(d, ST_UNKNOWN, "unknown layout: struct alloc_tag spans %zu bytes",
				 span);
	st = dump_read(d, tag, raw, span, "alloc tag");
	if (st != ST_OK)
		return st;
	site.line = field_get(&f[TAG_LINE], raw);
	site.module = read_name(d, field_get(&f[TAG_MODULE], raw));
	site.function = read_name(d, field_get(&f[TAG_FUNCTION], raw));
	site.file = read_name(d, field_get(&f[TAG_FILE], raw));
	if (!site.line || site.line > MAX_LINE || !site.function || !site.file ||
	    !strchr(site.file, '.'))
		return dump_fail(d, ST_CORRUPT, "%#lx is no alloc tag", tag);
	*ret = site;
	return ST_OK;
}
