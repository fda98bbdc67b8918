// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "layout.h"

static const char *resolve_row(struct dump *d, const struct layout_row *row, struct field *ret)
{
	const size_t max = sizeof(row->names) / sizeof(row->names[0]);
	bool bits = row->need == REQUIRED_BITS || row->need == OPTIONAL_BITS;

	for (size_t i = 0; i < max && row->names[i]; i++)
		if ((bits ? d->ops->bits : d->ops->member)(d->priv, row->type, row->names[i],
							   ret) == DUMP_OK)
			return row->names[i];
	memset(ret, 0, sizeof(*ret));
	return NULL;
}

enum status layout_resolve(struct dump *d, const struct layout_row *rows, size_t n,
			   struct field *ret)
{
	const struct layout_row *missing = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct layout_row *row = &rows[i];
		const char *name = resolve_row(d, row, &ret[i]);

		if (!name) {
			dump_note(d, "member %s.%s absent", row->type, row->names[0]);
			if ((row->need == REQUIRED || row->need == REQUIRED_BITS) && !missing)
				missing = row;
			continue;
		}
		if (ret[i].bit_size)
			dump_note(d, "member %s.%s at %u, bits %u..%u", row->type, name,
				  ret[i].offset, ret[i].bit_offset,
				  ret[i].bit_offset + ret[i].bit_size - 1);
		else
			dump_note(d, "member %s.%s at %u, %u bytes", row->type, name, ret[i].offset,
				  ret[i].size);
	}
	if (missing)
		return dump_fail(d, DUMP_UNKNOWN, "unknown layout: %s has no member %s",
				 missing->type, missing->names[0]);
	return DUMP_OK;
}

size_t layout_span(const struct field *fields, size_t n)
{
	size_t span = 0;

	for (size_t i = 0; i < n; i++)
		if (fields[i].present && fields[i].offset + fields[i].size > span)
			span = fields[i].offset + fields[i].size;
	return span;
}
