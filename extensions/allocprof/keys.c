// SPDX-License-Identifier: GPL-2.0-or-later
#include "keys.h"

#include <string.h>

#define BOTH (KEY_FILTERS | KEY_GROUPS)

const struct key site_keys[SITE_KEYS] = {
	[SITE_MODULE] = { COLUMN_module, "module that contains the site, or vmlinux", BOTH,
			  .is_text = true },
	[SITE_FUNCTION] = { COLUMN_function, "function that contains the site", BOTH,
			    .is_text = true },
	[SITE_FILE] = { COLUMN_file, "source file; mm/* matches every file below mm", BOTH,
			.is_text = true },
	[SITE_DIR] = { COLUMN_dir, "directory of the file", BOTH, .is_text = true },
	[SITE_LINE] = { COLUMN_line, "line number in the file", KEY_FILTERS,
			.quantity = RANGE_NUMBER },
	[SITE_SIZE] = { COLUMN_bytes, "bytes counted at the site; ..-1 selects negative sums",
			KEY_FILTERS, .quantity = RANGE_BALANCE },
	[SITE_CALLS] = { COLUMN_calls, "allocations counted at the site, less those freed",
			 KEY_FILTERS, .quantity = RANGE_NUMBER },
	[SITE_ACCURATE] = { COLUMN_accurate,
			    "whether the kernel counted every allocation (6.18 and later)",
			    KEY_FILTERS, .is_text = true, .choices = key_yes_no },
	[SITE_LOADED] = { COLUMN_loaded, "whether the module of the site is loaded", KEY_FILTERS,
			  .is_text = true, .choices = key_yes_no },
};

static const char *dir_of(struct dump *d, const char *file)
{
	const char *slash = file ? strrchr(file, '/') : NULL;
	char *dir;

	if (!file)
		return NULL;
	if (!slash || slash == file)
		return slash ? "/" : ".";
	dir = dump_alloc(d, slash - file + 1);
	if (dir)
		memcpy(dir, file, slash - file);
	return dir;
}

const char *site_text(struct dump *d, const struct codetags *tags, const struct site *s,
		      enum site_key key)
{
	switch (key) {
	case SITE_MODULE:
		return s->module;
	case SITE_FUNCTION:
		return s->function;
	case SITE_FILE:
		return s->file;
	case SITE_DIR:
		return dir_of(d, s->file);
	case SITE_ACCURATE:
		return !tags->has_flag ? NULL : s->flags & SITE_INACCURATE ? "no" : "yes";
	case SITE_LOADED:
		return s->loaded ? "yes" : s->unloaded ? "no" : NULL;
	default:
		return NULL;
	}
}

static bool keeps(struct dump *d, const struct codetags *tags, const struct filter *f,
		  const struct site *s)
{
	if (site_keys[f->key].is_text)
		return filter_keeps_text(f, site_text(d, tags, s, f->key));
	if (f->key == SITE_LINE)
		return filter_keeps_number(f, s->line);
	if (!s->readable)
		return filter_keeps_unknown(f);
	return filter_keeps_number(f, f->key == SITE_SIZE ? range_balance(s->bytes) : s->calls);
}

bool site_selects(struct dump *d, const struct codetags *tags, const struct filters *filters,
		  const struct site *s)
{
	for (unsigned int i = 0; i < filters->n; i++)
		if (!keeps(d, tags, &filters->filters[i], s))
			return false;
	return true;
}
