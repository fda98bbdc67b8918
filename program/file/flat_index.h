/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A flattened file (makedumpfile -F, QEMU's dump-guest-memory -z): records "offset, bytes, data" of
 * a file that was written to a pipe.  Numbers are big-endian.  A record may write over an earlier
 * one.
 */
#pragma once

#include "file/raw_file.h"

#define FLAT_SIGNATURE "makedumpfile\0\0\0" /* 16 bytes with the last one */

struct flat_index;

struct flat_run {
	uint64_t at;	/* offset in the flattened file */
	uint64_t bytes; /* that stand there in one piece, or that no record has */
	bool is_gap;
};

/*
 * Reads the headers of all records; *size: bytes of the file that it stands for; *ended: its last
 * record says that it is the last.  ST_CORRUPT: it has no record.
 */
enum status flat_index_open(struct dump *d, const struct raw_file *in,
			    const struct flat_index **ret, uint64_t *size, bool *ended);

/* What an offset of the file that it stands for leads to. */
struct flat_run flat_index_at(const struct flat_index *f, uint64_t at);
