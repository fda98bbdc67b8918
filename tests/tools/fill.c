// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fill RAM PAGES STACKS: writes the page_ext table and the stack pools of the
 * synthetic kernel "huge": every page is allocated, by one of STACKS stacks.  In the first page,
 * which the kernel does not use, it writes the headers of an ELF core: the file is memory and dump.
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "huge.h"

/* Pages of one stack, side by side: in 6.12-kdump 95 of 100 rows have that of the row before. */
#define RUN 20
#define FIRST_BYTES 4096
#define DIRECT_BASE 0xffff888000000000UL

static uint32_t handle_of(uint64_t stack)
{
	return huge_handle(stack / HUGE_PER_POOL,
			   stack % HUGE_PER_POOL * sizeof(struct huge_record));
}

static void write_pages(FILE *f, uint64_t pages, uint64_t stacks)
{
	fseek(f, HUGE_TABLE, SEEK_SET);
	for (uint64_t pfn = 0; pfn < pages; pfn++) {
		uint64_t run = pfn / RUN;
		struct huge_entry e = { .flags = 3,
					.reason = -1,
					.gfp = 0xcc0,
					.ts = 1000000000 + pfn * 104729 % 99999989,
					.free_ts = 900000000 + pfn * 15485863 % 99999989,
					.pid = run * 31 % 999,
					.tgid = run * 31 % 99,
					.free_pid = run * 37 % 999,
					.free_tgid = run * 37 % 99,
					.comm = "filler",
					.handle = handle_of(run * 7919 % stacks),
					.free_handle = handle_of(run * 104729 % stacks) };

		fwrite(&e, sizeof(e), 1, f);
	}
}

static void write_stacks(FILE *f, uint64_t pages, uint64_t stacks)
{
	for (uint64_t i = 0; i < stacks; i++) {
		struct huge_record r = { .size = HUGE_FRAMES, .handle = handle_of(i), .count = 2 };

		for (int k = 0; k < HUGE_FRAMES; k++)
			r.entries[k] = HUGE_TEXT + (i * 31 + k) % 32;
		fseek(f, huge_record_at(pages, i / HUGE_PER_POOL, i % HUGE_PER_POOL * sizeof(r)),
		      SEEK_SET);
		fwrite(&r, sizeof(r), 1, f);
	}
}

/* kallsyms of 0 names, at an address where no byte is set: symbols are those of vmlinux. */
static const char info[] = "OSRELEASE=6.9.0-huge\nPAGESIZE=4096\nNUMBER(phys_base)=0\n"
			   "SYMBOL(_stext)=ffffffff81000000\n"
			   "SYMBOL(kallsyms_num_syms)=ffffffff80f00000\n"
			   "SYMBOL(kallsyms_names)=ffffffff80f00000\n"
			   "SYMBOL(kallsyms_token_table)=ffffffff80f00000\n"
			   "SYMBOL(kallsyms_token_index)=ffffffff80f00000\n"
			   "SYMBOL(kallsyms_offsets)=ffffffff80f00000\n";

/* Of memory, all but the first page, where they are. */
static void write_headers(FILE *f)
{
	struct {
		Elf64_Ehdr elf;
		Elf64_Phdr notes, memory;
		Elf64_Nhdr note;
		char name[12];
		char text[(sizeof(info) + 2) & ~3];
	} __attribute__((packed)) h = {
		.elf = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			 .e_type = ET_CORE,
			 .e_machine = EM_X86_64,
			 .e_version = EV_CURRENT,
			 .e_phoff = sizeof(Elf64_Ehdr),
			 .e_ehsize = sizeof(Elf64_Ehdr),
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_phnum = 2 },
		.note = { sizeof("VMCOREINFO"), sizeof(info) - 1, 0 },
		.name = "VMCOREINFO",
	};
	uint64_t end;

	/* To the end of the page. */
	fseek(f, 0, SEEK_END);
	while ((end = ftell(f)) % FIRST_BYTES)
		fputc(0, f);
	h.notes = (Elf64_Phdr){ .p_type = PT_NOTE,
				.p_offset = (char *)&h.note - (char *)&h,
				.p_filesz = sizeof(h) - ((char *)&h.note - (char *)&h) };
	h.memory = (Elf64_Phdr){ .p_type = PT_LOAD,
				 .p_flags = PF_R | PF_W | PF_X,
				 .p_offset = FIRST_BYTES,
				 .p_paddr = FIRST_BYTES,
				 .p_vaddr = DIRECT_BASE + FIRST_BYTES,
				 .p_filesz = end - FIRST_BYTES,
				 .p_memsz = end - FIRST_BYTES };
	memcpy(h.text, info, sizeof(info) - 1);
	fseek(f, 0, SEEK_SET);
	fwrite(&h, sizeof(h), 1, f);
}

int main(int argc, char **argv)
{
	uint64_t pages, stacks;
	FILE *f;

	if (argc != 4 || !(f = fopen(argv[1], "r+"))) {
		fprintf(stderr, "usage: fill RAM PAGES STACKS\n");
		return 1;
	}
	pages = strtoull(argv[2], NULL, 0);
	stacks = strtoull(argv[3], NULL, 0);
	write_pages(f, pages, stacks);
	write_stacks(f, pages, stacks);
	write_headers(f);
	return fclose(f) != 0;
}
