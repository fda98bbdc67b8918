// SPDX-License-Identifier: GPL-2.0-or-later
/* Dump files of each format: what is in them is read, what is not is missing, never zero. */
#include "dump_file.h"
#include "file/vmcore.h"
#include "test.h"

#define MOST_FILES 4

static struct dump_file file, other, parts[3];

/* An open dump, and what it rests on. */
struct opened {
	struct arena arena;
	struct dump d;
	struct vmcore *v;
	enum status st;
	int fds[MOST_FILES];
	unsigned int n;
};

static void open_all(struct opened *o, struct dump_file *const *files, unsigned int n)
{
	char paths[MOST_FILES][64];
	const char *list[MOST_FILES];

	memset(o, 0, sizeof(*o));
	dump_init(&o->d, NULL, NULL, &o->arena);
	for (o->n = 0; o->n < n; o->n++) {
		o->fds[o->n] = dump_file_open(files[o->n], paths[o->n], sizeof(paths[o->n]));
		list[o->n] = paths[o->n];
	}
	o->st = vmcore_open(&o->d, list, n, &o->v);
}

static void open_one(struct opened *o, struct dump_file *f)
{
	open_all(o, &f, 1);
}

static void close_all(struct opened *o)
{
	arena_reset(&o->arena);
	for (unsigned int i = 0; i < o->n; i++)
		close(o->fds[i]);
}

/* Blocks that are read as they are; *wrong: those that are not as they are or should not be there. */
static unsigned int count_blocks(struct opened *o, unsigned int *wrong)
{
	uint8_t expected[BLOCK], got[BLOCK];
	unsigned int n = 0;

	*wrong = 0;
	for (unsigned int i = 0; i <= BLOCKS; i++) {
		enum status st = vmcore_read(o->v, (uint64_t)i * BLOCK, got, BLOCK);

		block_content(i, expected);
		n += st == ST_OK;
		if (st == ST_OK)
			*wrong += !block_is_there(i) || memcmp(expected, got, BLOCK) != 0;
		else
			*wrong += st != ST_UNREADABLE && st != ST_CORRUPT;
	}
	return n;
}

static bool is_whole(struct opened *o)
{
	unsigned int wrong;

	return o->st == ST_OK && count_blocks(o, &wrong) == 32 && !wrong;
}

/* Reads of any length, across blocks, are those of the blocks. */
static bool reads_parts(struct opened *o)
{
	static uint8_t all[BLOCKS * BLOCK], got[3 * BLOCK];
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < BLOCKS; i++)
		block_content(i, all + i * BLOCK);
	for (unsigned int i = 0; i < 2000; i++) {
		uint64_t at = i * 7919ULL * 13 % (BLOCKS * BLOCK), len = 1 + i * 31 % (2 * BLOCK);
		bool there = true;
		enum status st = vmcore_read(o->v, at, got, len);

		for (uint64_t j = at / BLOCK; j <= (at + len - 1) / BLOCK; j++)
			there &= block_is_there(j);
		wrong += there ? st != ST_OK || memcmp(got, all + at, len) != 0
			       : st != ST_UNREADABLE;
	}
	return !wrong;
}

/* Three blocks, then four of each five: the runs of what is there. */
static bool has_its_runs(struct opened *o)
{
	uint64_t phys = 0, end = 0;
	unsigned int n = 0, wrong = 0;

	while (vmcore_next(o->v, &phys, &end)) {
		wrong += phys != (n ? 5 * n - 1 : 0) * (uint64_t)BLOCK;
		wrong += end != (n == 8 ? 40 : 5 * n + 3) * (uint64_t)BLOCK;
		phys = end;
		n++;
	}
	phys = 2 * BLOCK + 8;
	wrong += !vmcore_next(o->v, &phys, &end) || phys != 2 * BLOCK + 8 || end != 3 * BLOCK;
	return n == 9 && !wrong;
}

static void compressed_by_each_method(void)
{
	static const unsigned int flags[] = { 0, CODEC_ZLIB, CODEC_LZO, CODEC_SNAPPY, CODEC_ZSTD };
	struct opened o;

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		kdump_file(&file, flags[i], 0, BLOCKS);
		open_one(&o, &file);
		if (flags[i] && !codec_is_built(flags[i])) {
			CHECK(o.st == ST_UNKNOWN && strstr(o.d.error, codec_name(flags[i])));
		} else {
			CHECK(is_whole(&o) && reads_parts(&o) && has_its_runs(&o));
			CHECK(o.st == ST_OK && !vmcore_facts(o.v)->incomplete);
		}
		close_all(&o);
	}
}

static void facts_of_headers(void)
{
	struct opened o;
	const struct vmcore_facts *f;

	kdump_file(&file, CODEC_ZLIB, 0, BLOCKS);
	open_one(&o, &file);
	f = vmcore_facts(o.v);
	CHECK_TEXT(f->format, "kdump");
	CHECK_TEXT(f->machine, "x86_64");
	CHECK_TEXT(f->release, "6.12.0");
	CHECK_TEXT(f->vmcoreinfo, INFO);
	CHECK(f->vmcoreinfo_bytes == sizeof(INFO) - 1 && f->block_bytes == BLOCK);
	close_all(&o);
	/* QEMU does not know its name. */
	strcpy((char *)file.bytes + 12 + 4 * 65, "Unknown");
	open_one(&o, &file);
	CHECK(!vmcore_facts(o.v)->machine);
	close_all(&o);
	elf_file(&file, 192);
	open_one(&o, &file);
	f = vmcore_facts(o.v);
	CHECK_TEXT(f->format, "ELF");
	CHECK_TEXT(f->machine, "x86_64");
	CHECK_TEXT(f->release, "");
	CHECK_TEXT(f->vmcoreinfo, INFO);
	close_all(&o);
}

static void elf_with_headers_anywhere(void)
{
	struct opened o;

	for (size_t at = 64; at <= 1024; at += 64) {
		elf_file(&file, at);
		open_one(&o, &file);
		CHECK(is_whole(&o) && reads_parts(&o));
		close_all(&o);
	}
}

static void elf_with_the_number_of_segments_in_a_section(void)
{
	Elf64_Shdr section = { .sh_info = 2 + BLOCKS / 5 };
	struct opened o;

	elf_file(&file, 64);
	put64(&file, offsetof(Elf64_Ehdr, e_shoff), file.n);
	memcpy(file.bytes + offsetof(Elf64_Ehdr, e_phnum), "\xff\xff\x40\0\1\0", 6);
	memcpy(file.bytes + file.n, &section, sizeof(section));
	file.n += sizeof(section);
	open_one(&o, &file);
	CHECK(is_whole(&o));
	close_all(&o);
}

/* /proc/vmcore of x86 once had the image of the kernel by itself as well. */
static void elf_with_segments_that_overlap(void)
{
	uint8_t got[BLOCK], expected[BLOCK];
	struct opened o;
	size_t at = 64;

	elf_file(&file, 4096);
	put64(&file, offsetof(Elf64_Ehdr, e_phoff), at);
	memcpy(file.bytes + offsetof(Elf64_Ehdr, e_phnum), "\4\0", 2);
	at = elf_segment(&file, at, PT_LOAD, 8 * BLOCK, file.n - 8 * BLOCK, 8 * BLOCK, 8 * BLOCK);
	at = elf_segment(&file, at, PT_LOAD, 0, file.n - 12 * BLOCK, 12 * BLOCK, 12 * BLOCK);
	at = elf_segment(&file, at, PT_LOAD, 2 * BLOCK, file.n - 10 * BLOCK, BLOCK, BLOCK);
	elf_segment(&file, at, PT_LOAD, UINT64_MAX - 8, 4096, 4096, 4096);
	open_one(&o, &file);
	CHECK(o.st == ST_OK);
	for (unsigned int i = 0; i < 16; i++) {
		memcpy(expected, file.bytes + file.n - (i < 12 ? 12 - i : 16 - i) * BLOCK, BLOCK);
		CHECK(vmcore_read(o.v, i * BLOCK, got, BLOCK) == ST_OK &&
		      !memcmp(got, expected, BLOCK));
	}
	close_all(&o);
}

/* Where a segment does not begin with a block of the cache. */
static void elf_with_a_segment_of_some_bytes(void)
{
	uint8_t got[16];
	struct opened o;

	elf_file(&file, 64);
	memcpy(file.bytes + offsetof(Elf64_Ehdr, e_phnum), "\2\0", 2);
	elf_segment(&file, 64 + sizeof(Elf64_Phdr), PT_LOAD, 5000, file.n - BLOCK, 100, 100);
	open_one(&o, &file);
	CHECK(vmcore_read(o.v, 5000, got, 16) == ST_OK &&
	      !memcmp(got, file.bytes + file.n - BLOCK, 16));
	CHECK(vmcore_read(o.v, 5084, got, 16) == ST_OK);
	CHECK(vmcore_read(o.v, 4999, got, 16) == ST_UNREADABLE);
	CHECK(vmcore_read(o.v, 5085, got, 16) == ST_UNREADABLE);
	close_all(&o);
}

static void flattened(void)
{
	struct opened o;

	kdump_file(&other, CODEC_ZLIB, 0, BLOCKS);
	flat_file(&file, &other);
	open_one(&o, &file);
	CHECK(is_whole(&o) && reads_parts(&o) && has_its_runs(&o));
	CHECK(o.st == ST_OK && !vmcore_facts(o.v)->incomplete);
	CHECK_TEXT(o.st == ST_OK ? vmcore_facts(o.v)->format : "", "flattened kdump");
	close_all(&o);
	elf_file(&other, 192);
	flat_file(&file, &other);
	open_one(&o, &file);
	CHECK(is_whole(&o));
	CHECK_TEXT(o.st == ST_OK ? vmcore_facts(o.v)->format : "", "flattened ELF");
	close_all(&o);
}

/* Cut anywhere: what is read is right, and that something is missing is said. */
static void check_cut(struct dump_file *f, size_t n)
{
	unsigned int there = 0, wrong = 0;
	struct dump_file *short_one = &other;
	struct opened o;

	memcpy(short_one, f, sizeof(*f));
	short_one->n = n;
	open_one(&o, short_one);
	if (o.st == ST_OK) {
		there = count_blocks(&o, &wrong);
		CHECK(!wrong);
		CHECK(there == 32 || vmcore_facts(o.v)->incomplete);
	} else {
		CHECK(*o.d.error && !strchr(o.d.error, '\n'));
	}
	close_all(&o);
}

static void cut_off(void)
{
	static struct dump_file whole, flat;

	kdump_file(&whole, CODEC_ZLIB, 0, BLOCKS);
	for (size_t n = 0; n < whole.n; n += 97)
		check_cut(&whole, n);
	flat_file(&flat, &whole);
	for (size_t n = 0; n < flat.n; n += 131)
		check_cut(&flat, n);
	elf_file(&whole, 64);
	for (size_t n = 0; n < whole.n; n += 997)
		check_cut(&whole, n);
}

#define ZEROS 8000u

/* Blocks of zeros behind the last other one: all share the bytes of the first, which stand before all. */
static void kdump_with_zeros(struct dump_file *f)
{
	const size_t table = 4 * BLOCK, data = table + 32 * 24, more = ZEROS * 24;
	uint64_t at;

	kdump_file(f, CODEC_ZLIB, 0, BLOCKS);
	put32(f, 440, BLOCKS + 1 + ZEROS);
	put64(f, BLOCK + 96, BLOCKS + 1 + ZEROS);
	for (unsigned int i = BLOCKS + 1; i <= BLOCKS + ZEROS; i++)
		f->bytes[3 * BLOCK + i / 8] |= 1 << i % 8;
	memmove(f->bytes + data + more, f->bytes + data, f->n - data);
	f->n += more;
	for (size_t i = 0; i < 32; i++) {
		memcpy(&at, f->bytes + table + i * 24, sizeof(at));
		put64(f, table + i * 24, at + more);
	}
	for (size_t i = 0; i < ZEROS; i++)
		memcpy(f->bytes + data + i * 24, f->bytes + table, 24);
}

static void cut_off_before_the_last_that_is_no_zeros(void)
{
	static struct dump_file whole;
	struct opened o;

	kdump_with_zeros(&whole);
	open_one(&o, &whole);
	CHECK(is_whole(&o) && !vmcore_facts(o.v)->incomplete);
	close_all(&o);
	check_cut(&whole, whole.n - 1);
}

static void without_room_for_all(void)
{
	unsigned int wrong;
	struct opened o;

	/* Descriptors of what could not be written are zero. */
	kdump_file(&file, CODEC_ZLIB, 0, BLOCKS);
	put32(&file, 424, CODEC_ZLIB | 8);
	memset(file.bytes + 4 * BLOCK + 20 * 24, 0, 12 * 24);
	open_one(&o, &file);
	CHECK(o.st == ST_OK && vmcore_facts(o.v)->incomplete);
	CHECK(count_blocks(&o, &wrong) == 20 && !wrong);
	close_all(&o);
	/* So are those that are not written yet, or will never be. */
	put32(&file, 424, CODEC_ZLIB);
	open_one(&o, &file);
	CHECK(o.st == ST_OK && vmcore_facts(o.v)->incomplete &&
	      strstr(vmcore_facts(o.v)->incomplete, "or is still at it"));
	CHECK(count_blocks(&o, &wrong) == 20 && !wrong);
	close_all(&o);
	elf_file(&file, 64);
	put32(&file, offsetof(Elf64_Ehdr, e_flags), 1);
	open_one(&o, &file);
	CHECK(o.st == ST_OK && vmcore_facts(o.v)->incomplete);
	close_all(&o);
}

static void split(void)
{
	struct dump_file *list[4] = { &parts[2], &parts[0], &parts[1], &parts[0] };
	unsigned int wrong;
	struct opened o;

	kdump_file(&parts[0], CODEC_ZLIB, 0, 13);
	kdump_file(&parts[1], CODEC_ZLIB, 13, 14);
	kdump_file(&parts[2], CODEC_ZLIB, 14, BLOCKS);
	open_all(&o, list, 3);
	CHECK(is_whole(&o) && reads_parts(&o));
	CHECK(o.st == ST_OK && !vmcore_facts(o.v)->incomplete);
	CHECK_TEXT(o.st == ST_OK ? vmcore_facts(o.v)->format : "", "split kdump");
	close_all(&o);
	open_all(&o, list, 2);
	CHECK(o.st == ST_OK &&
	      strstr(vmcore_facts(o.v)->incomplete, "of 40 pages, 2 files have 39"));
	CHECK(count_blocks(&o, &wrong) == 32 && !wrong);
	close_all(&o);
	open_all(&o, list + 1, 1);
	CHECK(o.st == ST_OK && strstr(vmcore_facts(o.v)->incomplete, "of 40 pages, 1 file has 13"));
	CHECK(count_blocks(&o, &wrong) == 11 && !wrong);
	close_all(&o);
	open_all(&o, list, 4);
	CHECK(o.st == ST_USAGE && strstr(o.d.error, "the same part as"));
	close_all(&o);
}

static void files_that_are_not_of_one_dump(void)
{
	struct dump_file *list[2] = { &parts[0], &parts[1] };
	struct opened o;

	kdump_file(&parts[0], CODEC_ZLIB, 0, 13);
	kdump_file(&parts[1], CODEC_ZLIB, 13, BLOCKS);
	put64(&parts[1], 408, 1700000001);
	open_all(&o, list, 2);
	CHECK(o.st == ST_USAGE && strstr(o.d.error, "another dump"));
	close_all(&o);
	kdump_file(&parts[1], CODEC_ZLIB, 0, BLOCKS);
	open_all(&o, list, 2);
	CHECK(o.st == ST_USAGE && strstr(o.d.error, "no part of a split dump"));
	close_all(&o);
	elf_file(&parts[1], 64);
	open_all(&o, list, 2);
	CHECK(o.st == ST_USAGE && strstr(o.d.error, "--split"));
	close_all(&o);
}

/* A bit too many or too few: each page behind it would be the one before or behind. */
static void a_bitmap_that_its_descriptors_contradict(void)
{
	static const struct {
		unsigned int byte;
		uint8_t bits;
	} wrong[] = { { 0, 0x08 }, { 0, 0x01 }, { 4, 0x80 }, { 2, 0x08 } };
	struct opened o;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		kdump_file(&file, CODEC_ZLIB, 0, BLOCKS);
		file.bytes[3 * BLOCK + wrong[i].byte] ^= wrong[i].bits;
		open_one(&o, &file);
		CHECK(o.st == ST_CORRUPT && strstr(o.d.error, "its table of pages contradicts"));
		close_all(&o);
	}
	/* In a part of a split dump there is room for the descriptors of all pages, as makedumpfile has it. */
	kdump_file(&file, CODEC_ZLIB, 0, 14);
	memmove(file.bytes + 4 * BLOCK + 32 * 24, file.bytes + 4 * BLOCK + 12 * 24,
		file.n - 4 * BLOCK - 12 * 24);
	file.n += 20 * 24;
	for (unsigned int i = 0; i < 12; i++)
		file.bytes[4 * BLOCK + 24 * i + 1] += 480 >> 8;
	open_one(&o, &file);
	CHECK(o.st == ST_OK);
	close_all(&o);
	/* A block of zeros that no page is, as makedumpfile -d 1 has it, is no contradiction. */
	kdump_file(&file, CODEC_ZLIB, 0, BLOCKS);
	for (unsigned int i = 0; i < 32; i++)
		put64(&file, 4 * BLOCK + 24 * i, 4 * BLOCK + 32 * 24 + 40 + 64 * i);
	open_one(&o, &file);
	CHECK(o.st == ST_OK);
	close_all(&o);
}

/* QEMU writes dumps of arm64 in blocks of 64 KiB, whatever the kernel's pages are. */
static void blocks_of_another_size(void)
{
	static uint8_t all[2 * 65536], got[20000];
	uint64_t phys = 0, end = 0;
	struct opened o;
	size_t data;

	kdump_file(&other, 0, 0, BLOCKS);
	memset(&file, 0, sizeof(file));
	memcpy(file.bytes, other.bytes, BLOCK);
	put32(&file, 428, 65536);
	put32(&file, 440, 2);
	put32(&file, 432, 1);
	put32(&file, 436, 2);
	memcpy(file.bytes + 65536, other.bytes + BLOCK, BLOCK);
	put64(&file, 65536 + 96, 2);
	file.bytes[2 * 65536] = file.bytes[3 * 65536] = 3;
	data = 4 * 65536 + 48;
	for (unsigned int i = 0; i < 2; i++) {
		for (unsigned int j = 0; j < 16; j++)
			block_content(16 * i + j, all + i * 65536 + j * BLOCK);
		put64(&file, 4 * 65536 + 24 * i, data + i * 65536);
		put32(&file, 4 * 65536 + 24 * i + 8, 65536);
	}
	memcpy(file.bytes + data, all, sizeof(all));
	file.n = data + sizeof(all);
	open_one(&o, &file);
	CHECK(o.st == ST_OK && vmcore_facts(o.v)->block_bytes == 65536);
	CHECK(vmcore_read(o.v, 60000, got, sizeof(got)) == ST_OK &&
	      !memcmp(got, all + 60000, sizeof(got)));
	CHECK(vmcore_next(o.v, &phys, &end) && phys == 0 && end == 2 * 65536);
	close_all(&o);
}

static void vmcoreinfo_in_memory(void)
{
	const char *text = NULL;
	size_t n = 0;
	struct opened o;

	/* No note, and a page that begins as that of it does. */
	kdump_file(&file, 0, 0, BLOCKS);
	put64(&file, BLOCK + 40, 0);
	strcpy((char *)file.bytes + 4 * BLOCK + 32 * 24, "OSRELEASE=a text of something else");
	open_one(&o, &file);
	CHECK(o.st == ST_OK && !vmcore_facts(o.v)->vmcoreinfo);
	CHECK(vmcore_find_vmcoreinfo(&o.d, o.v, &text, &n) == ST_OK && n == sizeof(INFO) - 1);
	CHECK_TEXT(text, INFO);
	close_all(&o);
	elf_file(&file, 64);
	memset(file.bytes + 64 + 10 * sizeof(Elf64_Phdr), 0, 200);
	open_one(&o, &file);
	CHECK(o.st == ST_OK && !vmcore_facts(o.v)->vmcoreinfo);
	CHECK(vmcore_find_vmcoreinfo(&o.d, o.v, &text, &n) == ST_OK);
	CHECK_TEXT(text, INFO);
	close_all(&o);
	/* Of the first four blocks none is it. */
	kdump_file(&file, CODEC_ZLIB, 0, 4);
	put64(&file, BLOCK + 40, 0);
	open_one(&o, &file);
	CHECK(vmcore_find_vmcoreinfo(&o.d, o.v, &text, &n) == ST_ABSENT && *o.d.error);
	close_all(&o);
}

/* A search that goes on behind the last address would begin anew. */
static void memory_up_to_the_last_address(void)
{
	struct opened o;
	const char *text;
	uint64_t end, phys = 1 << 20;
	size_t n;

	elf_file(&file, 64);
	memcpy(file.bytes + offsetof(Elf64_Ehdr, e_phnum), "\2\0", 2);
	elf_segment(&file, 64 + sizeof(Elf64_Phdr), PT_LOAD, -4095ULL, file.n - BLOCK, 4094, 4094);
	open_one(&o, &file);
	CHECK(o.st == ST_OK && vmcore_find_vmcoreinfo(&o.d, o.v, &text, &n) == ST_ABSENT);
	CHECK(!vmcore_next(o.v, &phys, &end));
	close_all(&o);
}

static void headers_that_cannot_be(void)
{
	static const struct {
		size_t at;
		uint64_t value;
	} words[] = {
		{ 428, 0 },
		{ 428, 4095 },
		{ 428, 1ULL << 31 },
		{ 432, 0xffffffff },
		{ 436, 0xffffffff },
		{ 436, 0 },
		{ BLOCK + 96, 1 << 20 },
		{ BLOCK + 96, 1ULL << 62 },
	};
	struct opened o;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		kdump_file(&file, CODEC_ZLIB, 0, BLOCKS);
		put32(&file, words[i].at, words[i].value);
		if (words[i].at > BLOCK)
			put64(&file, words[i].at, words[i].value);
		open_one(&o, &file);
		CHECK(o.st != ST_OK && *o.d.error && !strchr(o.d.error, '\n'));
		close_all(&o);
	}
}

static void descriptors_that_cannot_be(void)
{
	static const uint32_t wrong[][4] = {
		{ 0, 0, 0, CODEC_ZLIB },
		{ 0, 0, 70000, CODEC_ZLIB },
		{ 0xffffffff, 0xffffffff, 100, CODEC_ZLIB },
		{ 0xffffff00, 0x7fffffff, 100, CODEC_ZLIB },
		{ 5 * BLOCK, 0, 100, 0 },
		{ 5 * BLOCK, 0, 100, 0x3 },
		{ 5 * BLOCK, 0, 100, CODEC_ZLIB },
		{ 5 * BLOCK, 0, 100, CODEC_LZO },
		{ 5 * BLOCK, 0, 100, CODEC_SNAPPY },
		{ 5 * BLOCK, 0, 100, CODEC_ZSTD },
	};
	unsigned int bad;
	struct opened o;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		kdump_file(&file, CODEC_ZLIB, 0, BLOCKS);
		/* That of block 12, one of zeros, which would be the first that is read of them. */
		memcpy(file.bytes + 4 * BLOCK + 10 * 24, wrong[i], 16);
		open_one(&o, &file);
		CHECK(o.st == ST_OK && count_blocks(&o, &bad) == 31 && !bad);
		close_all(&o);
	}
}

/* The file is shorter than it was: an error of each read, no signal. */
static void cut_off_while_it_is_read(void)
{
	unsigned int wrong;
	struct opened o;

	elf_file(&file, 64);
	open_one(&o, &file);
	CHECK(o.st == ST_OK && !ftruncate(o.fds[0], 5 * BLOCK));
	CHECK(count_blocks(&o, &wrong) < 6 && !wrong);
	close_all(&o);
	kdump_file(&file, 0, 0, BLOCKS);
	open_one(&o, &file);
	CHECK(o.st == ST_OK && !ftruncate(o.fds[0], 9 * BLOCK));
	CHECK(count_blocks(&o, &wrong) < 14 && !wrong);
	close_all(&o);
}

TESTS({ "kdump: compressed by each method", compressed_by_each_method },
      { "facts of headers", facts_of_headers },
      { "ELF: headers of segments anywhere", elf_with_headers_anywhere },
      { "ELF: the number of segments in a section", elf_with_the_number_of_segments_in_a_section },
      { "ELF: segments that overlap", elf_with_segments_that_overlap },
      { "ELF: a segment of some bytes", elf_with_a_segment_of_some_bytes },
      { "flattened: a later record counts", flattened }, { "cut off anywhere", cut_off },
      { "cut off before the last block that is no zeros",
	cut_off_before_the_last_that_is_no_zeros },
      { "without room for all pages", without_room_for_all }, { "split", split },
      { "files that are not of one dump", files_that_are_not_of_one_dump },
      { "blocks of 64 KiB", blocks_of_another_size },
      { "VMCOREINFO in memory", vmcoreinfo_in_memory },
      { "memory up to the last address", memory_up_to_the_last_address },
      { "headers that cannot be", headers_that_cannot_be },
      { "descriptors that cannot be", descriptors_that_cannot_be },
      { "a bitmap that its descriptors contradict", a_bitmap_that_its_descriptors_contradict },
      { "cut off while it is read", cut_off_while_it_is_read })
