/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A dump as a file: physical memory, and what the file says of the machine.  Formats: ELF, and the
 * compressed kdump of makedumpfile and QEMU (zlib, lzo, snappy, zstd), each also flattened
 * (makedumpfile -F), the latter split (--split) too.  A block of the file and a page of the kernel
 * are two numbers: QEMU writes arm64 dumps of 64 KiB blocks whatever the kernel's pages are.
 *
 * Every offset and length of a file is checked against its size: nothing in it is believed.
 */
#pragma once

#include "dump/dump.h"

/* No processor has a physical address of more bits; a loop up to here does not go round. */
#define VMCORE_MOST_PHYS (1ULL << 56)

struct vmcore;

#define VMCORE_MOST_CPUS 8192 /* CONFIG_NR_CPUS goes no higher */

/* Notes NT_PRSTATUS, with their headers. */
struct cpu_notes {
	const uint8_t **all;
	unsigned int n;
};

/* What the headers say. Texts live as long as the vmcore. */
struct vmcore_facts {
	const char *format;	/* "ELF", "kdump", "flattened kdump": for messages */
	const char *machine;	/* as uname -m has it; NULL: the file does not say */
	const char *release;	/* as uname -r; "": the file does not say, as QEMU's */
	const char *vmcoreinfo; /* its note, ended by a zero byte; NULL: there is none */
	size_t vmcoreinfo_bytes;
	struct cpu_notes cpu_notes;
	unsigned int block_bytes; /* 0 in ELF, which has none */
	const char *compression;  /* "zlib"; NULL: none, or the header does not say */
	const char *incomplete; /* why memory is missing that should be there; NULL: it is whole */
	bool is_damaged;	/* a block that was asked for does not uncompress */
};

/*
 * Opens the files of one dump: several are the parts of a split one, in any order.  Memory is that
 * of d->arena, which lives as long; the files are closed when it is reset.  ST_USAGE: a file
 * cannot be opened; ST_UNKNOWN: another format, the message names the tool that converts it;
 * ST_CORRUPT.
 */
enum status vmcore_open(struct dump *d, const char *const *paths, size_t n, struct vmcore **ret);

const struct vmcore_facts *vmcore_facts(const struct vmcore *v);

/*
 * All of len bytes of physical memory, whatever blocks they cross.  ST_UNREADABLE: one of them is
 * not in the file, or was left out; ST_CORRUPT: its block does not uncompress.  No message: a scan
 * asks for many.
 */
enum status vmcore_read(struct vmcore *v, uint64_t phys, void *buf, size_t len);

/*
 * The same of a few bytes in one page, for a search through all pages: what is around them is not
 * kept, and where a block begins they are what codec_start() has. *stored: bytes that the block takes
 * in the file, if it is compressed, else 0; with buf NULL that alone is asked for.
 */
enum status vmcore_peek(struct vmcore *v, uint64_t phys, void *buf, size_t len, size_t *stored);

/*
 * The next run of memory that is in the file, at or above *phys: its start and its end; false: no
 * more.
 */
bool vmcore_next(const struct vmcore *v, uint64_t *phys, uint64_t *end);

/*
 * VMCOREINFO where no note has it: the kernel's own page of it, vmcoreinfo_data, begins with
 * "OSRELEASE=".  Text as in the facts, in d->arena.  ST_ABSENT: it is not in this dump.
 */
enum status vmcore_find_vmcoreinfo(struct dump *d, struct vmcore *v, const char **ret,
				   size_t *bytes);
