/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two headers of a compressed kdump (makedumpfile's IMPLEMENTATION and diskdump_mod.h; QEMU
 * writes the same), as machines of 64 bits lay them out.
 */
#pragma once

#include "file/input.h"

#define KDUMP_SIGNATURE "KDUMP   "

#define KDUMP_MOST_BLOCK 65536 /* bytes */

/* What the status says, beside flags of codec.h. */
#define KDUMP_INCOMPLETE 0x8 /* there was no room for all pages */

struct kdump_header {
	unsigned int block_bytes; /* a power of two, 4096 to KDUMP_MOST_BLOCK */
	unsigned int status;
	uint64_t time; /* seconds since 1970; QEMU's is 0 */
	char machine[66], release[66];
	uint64_t blocks;	/* of memory; no more than the bitmap has bits */
	uint64_t bitmap, descs; /* offsets in the file; descs may lie behind its end */
	bool is_split;
	uint64_t start, end; /* blocks of this file: 0 to blocks unless it is split */
	/* VMCOREINFO itself and all notes: offset, bytes; 0: not there. */
	uint64_t info_at, info_bytes, notes_at, notes_bytes;
};

/* ST_CORRUPT, ST_UNKNOWN with a message. */
enum status kdump_header_read(struct dump *d, const struct input *in, struct kdump_header *ret);
