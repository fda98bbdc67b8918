/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file on a disk.  It is read, not mapped: one that is cut short, or a disk that fails, while we
 * run is an error of one read and no signal, and no page of it counts as memory of ours.
 */
#pragma once

#include "dump/dump.h"

struct raw_file {
	const char *path;
	int fd;
	uint64_t size;	/* bytes, when it was opened */
	bool is_recent; /* it changed within a minute before: it may still be written */
};

/* It is closed when d->arena is reset.  ST_USAGE: it cannot be opened, or is no file. */
enum status raw_file_open(struct dump *d, const char *path, struct raw_file *ret);

/* All of len bytes at an offset; false: the file does not have them. */
bool raw_file_read(const struct raw_file *f, uint64_t at, void *buf, size_t len);
