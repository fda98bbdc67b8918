// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/fd_bits.h"

#define WORDS 64 /* that are read at once */

struct table {
	uint64_t table, bits;
	uint32_t max;
};

static const struct layout_row rows[] = {
	FINDS(struct fd_bits, task_files, "struct task_struct", REQUIRED, "all", "files"),
	STRUCTURE(struct fd_bits, files, "struct files_struct"),
	READS(struct table, table, REQUIRED, "all", "fdt"),
	STRUCTURE(struct fd_bits, table, "struct fdtable"),
	READS(struct table, max, REQUIRED, "all", "max_fds"),
	READS(struct table, bits, REQUIRED, "all", "open_fds"),
};

enum status fd_bits_open(struct dump *d, struct fd_bits *ret)
{
	*ret = (struct fd_bits){ .dump = d };
	return STRUCTS_OPEN(d, rows, ret);
}

/* n bits from the first on. */
static enum status count(struct dump *d, uint64_t bits, uint64_t n, uint64_t *ret)
{
	enum status st = ST_OK;
	uint64_t words[WORDS];

	for (uint64_t at = 0; st == ST_OK && at < n; at += 64ULL * WORDS) {
		uint64_t left = n - at, some = left / 64 + (left % 64 != 0);

		some = some < WORDS ? some : WORDS;
		st = dump_read(d, bits + at / 8, words, some * 8, "bits of open files");
		for (uint64_t i = 0; st == ST_OK && i < some; i++) {
			const uint64_t valid = left - i * 64;

			*ret += (unsigned int)__builtin_popcountll(
				valid < 64 ? words[i] & ((1ULL << valid) - 1) : words[i]);
		}
	}
	return st;
}

enum status fd_bits_count(const struct fd_bits *f, uint64_t task, uint64_t limit, uint64_t least,
			  uint64_t *ret)
{
	struct dump *d = f->dump;
	struct table t = { 0 };
	uint64_t files, n = 0;
	enum status st = dump_u64(d, task + f->task_files.offset, &files, "task_struct");

	if (st != ST_OK || !files)
		return RESULT(st, ret, 0);
	st = struct_read(&f->files, files, &t) ?: struct_read(&f->table, t.table, &t);
	if (st == ST_OK && t.max > FD_TABLE_MOST)
		st = dump_corrupt(d, "fdtable at %#lx has %u descriptors", t.table, t.max);
	if (st == ST_OK && t.max >= least)
		st = count(d, t.bits, t.max < limit ? t.max : limit, &n);
	return RESULT(st, ret, n);
}
