// SPDX-License-Identifier: GPL-2.0-or-later
#include "limits.h"

#include <stddef.h>

#define OF(class) [LIMIT_CLASS + CLASS_##class]

static const struct {
	uint64_t value; /* shares: tenths of a percent; the unit of others: limits.h */
	const char *reason;
	const char *remark; /* of the screen; NULL: it has none of its own */
} limits[LIMITS] = {
	[LIMIT_SPAN] = { 900, "a tenth may be what the owner always has: rings, caches" },
	[LIMIT_BURST] = { GROWTH_STEPS / 8,
			  "allocations that are spread evenly take eight times as long" },
	[LIMIT_LEAK] = { GROWTH_STEPS / 4, "what a boot or a job allocates takes less time" },
	[LIMIT_LEAK_END] = { GROWTH_STEPS / 8, "what leaks has not stopped before the panic" },
	[LIMIT_LEAK_SHARE] = { 250, "the rate of a leak follows the load, which varies" },
	[LIMIT_LEAK_BURST] = { 500, "else most of the pages are of a burst and nothing leaks" },
	[LIMIT_GROWTH_PAGES] = { GROWTH_STEPS, "fewer pages than steps are spread by chance" },
	[LIMIT_FAULTS] = { 1000, "the start of a program takes tens to hundreds of faults" },
	[LIMIT_LIFE] = { 1000, "a rate is per second: of less time it is a guess" },
	[LIMIT_SITE] = { 100, "below a tenth of RAM a site does not explain that memory ran out" },
	[LIMIT_FILE] = { 100, "smaller files are what a machine always caches: programs, logs" },
	[LIMIT_HOLDER] = { 100, "below a tenth of RAM it does not explain that memory ran out" },
	[LIMIT_CGROUP] = { 64,
			   "a CPU charges 64 pages in advance (MEMCG_CHARGE_BATCH): with less left it fails" },
	[LIMIT_FREE] = { 20, "watermarks keep one percent free: below two allocations wait",
			 "low" },
	OF(SLAB) = { 250, "file servers with all their inodes stay below a quarter",
		     "high: kernel objects" },
	OF(VMALLOC) = { 150, "large tables and eBPF maps of a busy host stay below",
			"high: vmalloc areas" },
	OF(PGTABLE) = { 80, "a page table maps 512 times its size: 0.2 percent if mapped once",
			"high: page tables" },
	OF(SHMEM) = { 400, "databases share up to this on purpose",
		      "high: tmpfs and shared memory" },
	OF(PERCPU) = { 100, "counters of cgroups and networks stay below", "high: per-CPU memory" },
	OF(KSTACK) = { 50, "16K for each thread: one percent of 16G is 10,000 threads",
		       "high: kernel stacks" },
	OF(ZSMALLOC) = { 200, "zswap takes a fifth by default", "high: compressed swap" },
	OF(PAGE_POOL) = { 100, "receive rings of network devices stay below a tenth",
			  "high: pages of network drivers" },
	OF(DIRECT) = { 200, "rings and buffers of drivers stay far below a fifth",
		       "high: straight from the page allocator" },
	OF(ANON) = { 600, "caches and the kernel need the rest", "high: memory of processes" },
	OF(RESERVED) = { 150,
			 "page_ext and initrd take less; the kernel image, its page structs and "
			 "crashkernel= are not counted",
			 "high: never given to the page allocator" },
	OF(OFFLINE) = { 100, "less is of no account", "high: given back to the host" },
};

uint64_t limit(enum limit which)
{
	return limits[which].value;
}

const char *limit_reason(enum limit which)
{
	return limits[which].reason;
}

const char *limit_of_class(enum page_class class, uint64_t tenths)
{
	uint64_t from = limit(LIMIT_CLASS + class);

	return from && tenths >= from ? limits[LIMIT_CLASS + class].remark : NULL;
}

const char *limit_of_free(uint64_t tenths)
{
	return tenths <= limit(LIMIT_FREE) ? limits[LIMIT_FREE].remark : NULL;
}

bool limit_has_rate(uint64_t faults, uint64_t life_ns)
{
	return faults >= limit(LIMIT_FAULTS) || life_ns >= limit(LIMIT_LIFE) * 1000000;
}

bool limit_has_site(uint64_t tenths)
{
	return tenths >= limit(LIMIT_SITE);
}

bool limit_has_file(uint64_t tenths)
{
	return tenths >= limit(LIMIT_FILE);
}

bool limit_has_holder(uint64_t tenths)
{
	return tenths >= limit(LIMIT_HOLDER);
}

bool limit_fills_cgroup(uint64_t usage, uint64_t max)
{
	return usage >= max || max - usage < limit(LIMIT_CGROUP);
}
