// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/input.h"

#include "file/flat_index.h"

enum status input_open(struct dump *d, const char *path, struct input *ret)
{
	char magic[sizeof(FLAT_SIGNATURE)];
	bool ended = true;
	enum status st;

	*ret = (struct input){ .path = path };
	st = raw_file_open(d, path, &ret->file);
	if (st != ST_OK)
		return st;
	ret->size = ret->file.size;
	if (!raw_file_read(&ret->file, 0, magic, sizeof(magic)) ||
	    memcmp(magic, FLAT_SIGNATURE, sizeof(magic)))
		return ST_OK;
	st = flat_index_open(d, &ret->file, &ret->flat, &ret->size, &ended);
	ret->is_cut = !ended;
	return st;
}

static bool read_flat(const struct input *in, uint64_t at, char *buf, size_t len, bool table)
{
	while (len) {
		struct flat_run run = flat_index_at(in->flat, at);
		size_t part = len < run.bytes ? len : run.bytes;

		if (run.is_gap && !table)
			return false;
		if (run.is_gap)
			memset(buf, 0, part);
		else if (!raw_file_read(&in->file, run.at, buf, part))
			return false;
		at += part;
		buf += part;
		len -= part;
	}
	return true;
}

static bool read_either(const struct input *in, uint64_t at, void *buf, size_t len, bool table)
{
	if (at > in->size || len > in->size - at)
		return false;
	return in->flat ? read_flat(in, at, buf, len, table)
			: raw_file_read(&in->file, at, buf, len);
}

bool input_read(const struct input *in, uint64_t at, void *buf, size_t len)
{
	return read_either(in, at, buf, len, false);
}

bool input_read_table(const struct input *in, uint64_t at, void *buf, size_t len)
{
	return read_either(in, at, buf, len, true);
}
