/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of one file of a dump, by offset; of a flattened one, those of the file that it stands
 * for.
 */
#pragma once

#include "file/raw_file.h"

struct flat_index;

struct input {
	const char *path;
	struct raw_file file;
	uint64_t size;		       /* bytes; of what a flattened one stands for, any number */
	const struct flat_index *flat; /* NULL: it is not flattened */
	bool is_cut;		       /* flattened, and its last record is not there */
};

/* Why a file lacks what its headers tell of. */
static inline const char *input_cut(const struct input *in)
{
	return in->file.is_recent
		       ? "the file ends before its last page: it was cut off, or is still being "
			 "written, as it changed less than a minute ago"
		       : "the file ends before its last page: it was cut off";
}

/* It is closed when d->arena is reset.  ST_USAGE, ST_CORRUPT with a message. */
enum status input_open(struct dump *d, const char *path, struct input *ret);

/* All of len bytes at an offset; false: the file does not have them. */
bool input_read(const struct input *in, uint64_t at, void *buf, size_t len);

/*
 * The same for headers and tables: what no record of a flattened file has is zero, as it is where
 * such a file is rearranged.  Zeros in a table say that a page is absent; in a page they would be
 * false.
 */
bool input_read_table(const struct input *in, uint64_t at, void *buf, size_t len);
