// SPDX-License-Identifier: GPL-2.0-or-later
#include "alloctag/alloc_tag.h"

#include <ctype.h>
#include <string.h>

#include "dump/field.h"
#include "dump/layout.h"

#define MAX_TEXT 256
#define MAX_LINE 1000000

enum { R_LINE, R_MODULE, R_FUNCTION, R_FILE, R_FIELDS };

static const struct layout_row rows[R_FIELDS] = {
	[R_LINE] = { "struct alloc_tag", { "ct.lineno" }, REQUIRED, "6.10" },
	[R_MODULE] = { "struct alloc_tag", { "ct.modname" }, REQUIRED, "6.10" },
	[R_FUNCTION] = { "struct alloc_tag", { "ct.function" }, REQUIRED, "6.10" },
	[R_FILE] = { "struct alloc_tag", { "ct.filename" }, REQUIRED, "6.10" },
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
	struct field f[R_FIELDS];
	uint8_t raw[128];
	size_t span;
	enum status st = layout_resolve(d, rows, R_FIELDS, f);

	if (st != ST_OK)
		return st;
	span = layout_span(f, R_FIELDS);
	if (span > sizeof(raw))
		return dump_fail(d, ST_UNKNOWN, "unknown layout: struct alloc_tag spans %zu bytes",
				 span);
	st = dump_read(d, tag, raw, span, "alloc tag");
	if (st != ST_OK)
		return st;
	site.line = field_get(&f[R_LINE], raw);
	site.module = read_name(d, field_get(&f[R_MODULE], raw));
	site.function = read_name(d, field_get(&f[R_FUNCTION], raw));
	site.file = read_name(d, field_get(&f[R_FILE], raw));
	if (!site.line || site.line > MAX_LINE || !site.function || !site.file ||
	    !strchr(site.file, '.'))
		return dump_fail(d, ST_CORRUPT, "%#llx is no alloc tag", (unsigned long long)tag);
	*ret = site;
	return ST_OK;
}
