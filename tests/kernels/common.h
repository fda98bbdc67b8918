/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every synthetic kernel needs: enough for crash --minimal to open it, some
 * functions to stand in stacks, System RAM of two ranges and the SPARSEMEM
 * sections that cover them.
 *
 * A synthetic kernel is a C file whose objects are the dump.  Members have the
 * names and widths of the kernel that it stands for; their places are the
 * compiler's, since nothing may depend on them.
 */
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef short s16;
typedef unsigned int u32;
typedef int s32;
typedef unsigned long u64;
typedef long s64;

#define LINK_BASE 0xffffffff80000000UL /* link address of physical 0 */
#define DIRECT_BASE 0xffff888000000000UL

/* Where the direct map shows an object of ours. */
#define DIRECT(p) ((void *)((char *)(p)-LINK_BASE + DIRECT_BASE))

/* crash wants these. */
const char linux_banner[] = "Linux version " RELEASE " (synthetic@synthetic) (gcc) #1 SMP\n";
u64 page_offset_base = DIRECT_BASE;
u64 vmalloc_base = 0xffffc90000000000UL;
u64 vmemmap_base = 0xffffea0000000000UL;
u64 phys_base;

void _stext(void) {}
void alloc_pages(void) {}
void leak_first(void) {}
void leak_second(void) {}
void free_pages(void) {}
void startup_64(void)
{
	alloc_pages();
	leak_first();
	leak_second();
	free_pages();
}

/* A return address in a function: "function+0x2". */
#define IN(function) ((u64)(function) + 2)

#ifndef OWN_TASKS
struct list_head {
	struct list_head *next, *prev;
};
struct task_struct {
	s32 pid;
	struct list_head tasks;
	char comm[16];
};
struct task_struct init_task = { .comm = "swapper/0" };
#endif

/* System RAM: pfns 0x10..0x2f, if not others, in section 0, 0x8000..0x800f in section 1. */
#ifndef FIRST_PFN
#define FIRST_PFN 0x10
#define FIRST_PAGES 0x20
#endif
#define SECOND_PFN 0x8000
#define SECOND_PAGES 0x10

struct resource {
	u64 start, end;
	const char *name;
	u64 flags;
	struct resource *parent, *sibling, *child;
};
#define SYSTEM_RAM 0x81000200 /* IORESOURCE_SYSTEM_RAM | IORESOURCE_BUSY */

extern struct resource iomem_resource;
#ifndef OWN_RESOURCES
static struct resource ram_second = {
	.start = SECOND_PFN << 12,
	.end = ((SECOND_PFN + SECOND_PAGES) << 12) - 1,
	.name = "System RAM",
	.flags = SYSTEM_RAM,
};
static struct resource reserved = {
	.start = 0x30000,
	.end = 0x3ffff,
	.name = "Reserved",
	.sibling = DIRECT(&ram_second),
};
/* Starts and ends inside of pages: only whole ones count. */
static struct resource ram_first = {
	.start = (FIRST_PFN << 12) - 0x800,
	.end = ((FIRST_PFN + FIRST_PAGES) << 12) + 0x7ff,
	.name = "System RAM",
	.flags = SYSTEM_RAM,
	.sibling = DIRECT(&reserved),
};
struct resource iomem_resource = { .end = ~0UL, .child = DIRECT(&ram_first) };
#endif

struct static_key {
	struct {
		s32 counter;
	} enabled;
};

#ifndef MAX_PFN
#define MAX_PFN (SECOND_PFN + SECOND_PAGES)
#define HIGHEST_SECTION 1
#endif
u64 max_pfn = MAX_PFN;
u64 __highest_present_section_nr = HIGHEST_SECTION;
