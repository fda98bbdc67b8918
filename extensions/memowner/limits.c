// SPDX-License-Identifier: GPL-2.0-or-later
#include "limits.h"

#include <stddef.h>

static const struct {
	uint64_t value;
	const char *reason;
} limits[LIMITS] = {
	[LIMIT_SPAN] = { 90, "a tenth may be what the owner always has: rings, caches" },
	[LIMIT_BURST] = { GROWTH_STEPS / 8,
			  "allocations that are spread evenly take eight times as long" },
	[LIMIT_LEAK] = { GROWTH_STEPS / 4, "what fills memory at boot or by a job ends sooner" },
	[LIMIT_LEAK_END] = { GROWTH_STEPS / 8, "what leaks has not stopped before the panic" },
	[LIMIT_GROWTH_PAGES] = { GROWTH_STEPS, "fewer pages than steps are spread by chance" },
};

uint64_t limit(enum limit which)
{
	return limits[which].value;
}

/* Tenths of a percent of System RAM. */
static const struct {
	uint64_t from;
	const char *remark;
	const char *reason;
} classes[PAGE_CLASSES] = {
	[CLASS_SLAB] = { 250, "high: kernel objects",
			 "slabs of file servers, with their inodes, stay below a quarter" },
	[CLASS_VMALLOC] = { 150, "high: vmalloc areas",
			    "large tables and eBPF maps of a busy host stay below" },
	[CLASS_PGTABLE] = { 80, "high: page tables",
			    "a page table of 4K maps 2M: one 512th of what is mapped once" },
	[CLASS_SHMEM] = { 400, "high: tmpfs and shared memory",
			  "databases share up to this on purpose" },
	[CLASS_PERCPU] = { 100, "high: per-CPU memory", "cgroups and counters stay below" },
	[CLASS_KSTACK] = { 50, "high: kernel stacks", "16K for each thread: thousands of threads" },
	[CLASS_ZSMALLOC] = { 200, "high: compressed swap",
			     "zram and zswap take a fifth by default" },
	[CLASS_DIRECT] = { 200, "high: of drivers and subsystems, by caller below",
			   "rings and buffers of drivers stay far below a fifth" },
	[CLASS_ANON] = { 600, "high: memory of processes",
			 "most of RAM in processes is for them to answer" },
	[CLASS_RESERVED] = { 150, "high: never given to the allocator (crashkernel=)",
			     "the kernel, its page structs and page_ext take less" },
	[CLASS_OFFLINE] = { 100, "high: given back to the host by a balloon or virtio-mem",
			    "less is of no account" },
};

const char *limit_of_class(enum page_class class, uint64_t tenths)
{
	return classes[class].from && tenths >= classes[class].from ? classes[class].remark : NULL;
}

/* Watermarks of the kernel keep about one percent free: below two there is nothing to give. */
#define FREE_LOW 20

const char *limit_of_free(uint64_t tenths)
{
	return tenths <= FREE_LOW ? "low" : NULL;
}
