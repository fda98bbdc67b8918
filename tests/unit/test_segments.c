// SPDX-License-Identifier: GPL-2.0-or-later
/* ELF segments that contradict themselves or each other. */
#include "dump_file.h"
#include "file/vmcore.h"
#include "stub.h"
#include "test.h"

static struct dump_file file;

/* Two segments of four blocks, at block 0 and at another, whose p_vaddr is as given. */
static const char *problem(uint64_t second, uint64_t first_vaddr, uint64_t vaddr, bool reads[2])
{
	static struct arena arena;
	const size_t at = 64 + sizeof(Elf64_Phdr);
	const uint64_t addresses[2] = { 4 * BLOCK, second }, vaddrs[2] = { first_vaddr, vaddr };
	const char *list[1], *ret;
	struct vmcore *v;
	struct dump d;
	char path[64];
	uint8_t byte;
	int fd;

	elf_file(&file, 64);
	memcpy(file.bytes + offsetof(Elf64_Ehdr, e_phnum), "\3\0", 2);
	for (unsigned int i = 0; i < 2; i++) {
		elf_segment(&file, at + i * sizeof(Elf64_Phdr), PT_LOAD, addresses[i],
			    file.n - (8 - 4 * i) * BLOCK, 4 * BLOCK, 4 * BLOCK);
		put64(&file, at + i * sizeof(Elf64_Phdr) + offsetof(Elf64_Phdr, p_vaddr),
		      vaddrs[i]);
	}
	dump_init(&d, NULL, NULL, &arena);
	fd = dump_file_open(&file, path, sizeof(path));
	*list = path;
	if (vmcore_open(&d, list, 1, &v) != ST_OK)
		return "not open";
	ret = vmcore_facts(v)->incomplete;
	for (unsigned int i = 0; i < 2; i++)
		reads[i] = vmcore_read(v, addresses[i], &byte, 1) == ST_OK;
	close(fd);
	arena_reset(&arena);
	return ret;
}

static void addresses_that_differ(void)
{
	bool reads[2];

	CHECK(!problem(16 * BLOCK, 4 * BLOCK, 16 * BLOCK, reads) && reads[0] && reads[1]);
	CHECK_TEXT(problem(17 * BLOCK, 4 * BLOCK, 16 * BLOCK, reads),
		   "the two addresses of an ELF segment differ, those of others do not: it is left "
		   "out");
	CHECK(reads[0] && !reads[1]);
	/* Writers that leave it 0, or have the addresses of the kernel there. */
	CHECK(!problem(16 * BLOCK, 0, 0, reads) && reads[0] && reads[1]);
	CHECK(!problem(16 * BLOCK, 0xffff888000004000, 0xffffffff81000000, reads) && reads[1]);
}

static void segments_that_overlap(void)
{
	bool reads[2];

	CHECK_TEXT(problem(7 * BLOCK, 0, 0, reads),
		   "ELF segments overlap: the address of one is wrong");
	/* The image of the kernel lies in memory. */
	CHECK(!problem(4 * BLOCK, 0, 0, reads) && reads[0] && reads[1]);
}

TESTS({ "addresses that differ", addresses_that_differ },
      { "segments that overlap", segments_that_overlap })
