// SPDX-License-Identifier: GPL-2.0-or-later
#include "limits.h"

#include <inttypes.h>

#define OF(class) [LIMIT_CLASS + CLASS_##class]

static const struct {
	uint64_t value;	  /* shares: tenths of a percent; the unit of others: limits.h */
	const char *name; /* and unit, for -D; NULL: the share of a class */
	const char *reason;
	const char *remark; /* of the screen; NULL: it has none of its own */
} limits[LIMITS] = {
	[LIMIT_SPAN] = { 900, "tenths of a percent of an owner in the time span that is shown",
			 "a tenth may be what the owner always has: rings, caches" },
	[LIMIT_BURST] = { GROWTH_STEPS / 8,
			  "64ths of the time since boot that a burst takes at most",
			  "allocations that are spread evenly take eight times as long" },
	[LIMIT_LEAK] = { GROWTH_STEPS / 4,
			 "64ths of the time since boot that a leak takes at least",
			 "what a boot or a job allocates takes less time" },
	[LIMIT_LEAK_END] = { GROWTH_STEPS / 8,
			     "last 64ths of the time since boot in which a leak still grew",
			     "what leaks has not stopped before the panic" },
	[LIMIT_LEAK_SHARE] = { 250,
			       "tenths of a percent of the mean rate in each quarter of a leak",
			       "the rate of a leak follows the load, which varies" },
	[LIMIT_LEAK_BURST] = { 500, "tenths of a percent of a leak that no eighth of the time has",
			       "else most of the pages are of a burst and nothing leaks" },
	[LIMIT_GROWTH_PAGES] = { GROWTH_STEPS, "pages of an owner for which GROWTH is shown",
				 "fewer pages than steps are spread by chance" },
	[LIMIT_LIFE] = { 1000, "milliseconds of life of a thread for which a rate is shown",
			 "a rate is per second: of less time it is a guess" },
	[LIMIT_IN_FAULT] = { 3, "threads of one process in a page fault with which it is told",
			     "a fault takes microseconds: of a machine that is well one is in it" },
	[LIMIT_SITE] = { 100, "tenths of a percent of System RAM for which a site is proposed",
			 "below a tenth of RAM a site does not explain that memory ran out" },
	[LIMIT_FILE] = { 100, "tenths of a percent of System RAM for which a file is shown",
			 "smaller files are what a machine always caches: programs, logs" },
	[LIMIT_HOLDER] = { 100, "tenths of a percent of System RAM for which a holder is shown",
			   "below a tenth of RAM it does not explain that memory ran out" },
	[LIMIT_UNOWNED] = { 250,
			    "tenths of a percent of System RAM of a class of the kernel without one "
			    "owner that is told though memory was not short",
			    "file servers with all their inodes stay below a quarter" },
	[LIMIT_HOARD] = { 200,
			  "tenths of a percent of System RAM of an owner in the kernel that is told "
			  "though memory was not short",
			  "rings and buffers of drivers stay far below a fifth" },
	[LIMIT_SPLITS] = { 250,
			   "tenths of a percent of what cannot be moved, of an owner that is told "
			   "where a block is missing",
			   "the caches of the kernel have less each" },
	[LIMIT_MOST] = { 500, "the same of any owner", "a database has up to half on purpose" },
	[LIMIT_CGROUP] = { 64, "pages below its limit with which a cgroup is full",
			   "a CPU charges 64 pages in advance (MEMCG_CHARGE_BATCH): with less left it fails" },
	[LIMIT_END] = { 60, "seconds before the end in which a report tells how it ended",
			"what is freed after a kill serves requests within seconds" },
	[LIMIT_STUCK] = { 1000, "milliseconds of a wait for a lock with which a machine hangs",
			  "the OOM reaper gives up on an mmap_lock after one second" },
	[LIMIT_ASLEEP] = { 5000,
			   "milliseconds of a sleep, in no call that waits for work, that is told",
			   "disks and drivers that are well answer within seconds" },
	[LIMIT_WORKS] = { 1000, "works of a workqueue that wait behind one that runs",
			  "of a queue that keeps up tens wait" },
	[LIMIT_PLENTY] = { 250,
			   "tenths of a percent of System RAM that are free, with which memory as a "
			   "whole did not run out",
			   "watermarks, boosted and with every reserve, keep less" },
	[LIMIT_OTHER_FREE] = { 50,
			       "tenths of a percent of System RAM free in zones that the request "
			       "may not use, with which a zone alone ran out; or free after a kill",
			       "lowmem_reserve keeps up to a few percent of a zone from others" },
	[LIMIT_AVAILABLE] = { 100,
			      "tenths of a percent of System RAM in MemAvailable, with which memory was "
			      "not short though little was free",
			      "page cache takes what is free on any machine that has read files, and "
			      "gives it back" },
	[LIMIT_SPREAD] = { 10, "seconds between the starts of processes of one name that are told",
			   "a service starts its workers within seconds" },
	[LIMIT_PIECES] = { 10,
			   "tenths of a percent of free memory in blocks of the order of a request, "
			   "less than which is hardly any",
			   "some blocks merge or are freed between a request and its report" },
	[LIMIT_CPU] = { 20000,
			"milliseconds for which a thread that could run has waited for a CPU, with "
			"which a machine hangs",
			"watchdogs report a CPU that does not get on after 20 seconds" },
	[LIMIT_ZONE] = { 50,
			 "tenths of a percent of the zones that a request may use, less than which "
			 "is free where they nearly ran out",
			 "an OOM kill comes at the min watermark, and a little is freed before it is "
			 "reported" },
	[LIMIT_ABOVE_MARKS] = { 100,
				"tenths of a percent of free memory above the min watermarks and "
				"reserves, with which these keep it",
				"the low watermark, below which kswapd reclaims, is a quarter above min" },
	[LIMIT_SHOWN] = { 20,
			  "tenths of a percent of System RAM for which a user of memory is "
			  "shown where no other is",
			  "below two percent one is as large as the next" },
	[LIMIT_COVERED] = { 800,
			    "tenths of a percent of a cgroup that those below it have which are "
			    "shown in its place",
			    "a slice has little beside its services" },
	[LIMIT_GRAPH] = { 2048, "MiB of memory of the kernel whose pointers are read",
			  "it takes a second or two; of more the command of its own does so" },
	[LIMIT_POINTERS] = { 24000,
			     "thousands of pointers to memory of the kernel that are followed",
			     "each costs a third of a microsecond; of more the command of its own "
			     "follows all" },
	[LIMIT_IDLE_POOL] = { 50,
			      "tenths of a percent of System RAM that are free in a pool of huge "
			      "pages, with most of the pool",
			      "the page allocator itself keeps one percent free, and may use none "
			      "of these" },
	[LIMIT_PRESSURE] = { 1000,
			     "hundredths of a percent of the last 10 seconds in which all tasks "
			     "waited for memory",
			     "a machine that has enough waits for a percent or two of the time" },
	[LIMIT_PRESSURE_ALL] = { 9000,
				 "hundredths of a percent of the last 10 seconds in which some task waited "
				 "for a CPU or for I/O",
				 "then always somebody waits: what tasks of a short moment do is less" },
	[LIMIT_PROTECTED] = { 250, "tenths of a percent of System RAM that memory.min protects",
			      "guarantees are for what must never wait: databases, sshd" },
	[LIMIT_NAMESPACES] = { 100, "network namespaces in which no process lives",
			       "a container has a process in its own; what a router keeps by "
			       "mounts alone are tens" },
	[LIMIT_ZOMBIES] = { 100, "zombies of a cgroup that are told beside its processes",
			    "a service that waits for its children has a few for moments" },
	[LIMIT_REMOVED] = { 100, "removed memory cgroups below one that are told",
			    "page cache of services that ended keeps tens" },
	[LIMIT_EMPTY] = { 500, "live memory cgroups below one in which no task is that are told",
			  "services that wait for their start have tens" },
	[LIMIT_COMMIT] = { 950, "tenths of a percent of the commit limit that are promised",
			   "3 percent of the largest process and some M are kept from users "
			   "(user_reserve_kbytes, admin_reserve_kbytes)" },
	[LIMIT_USED] = { 950,
			 "tenths of a percent of a limit of mappings, table entries or threads that "
			 "are used, with which requests are refused",
			 "one request may need several, and what is refused is given back" },
	[LIMIT_FULL] = { 10,
			 "tenths of a percent of a file system, with less of which left it is full",
			 "a log or a table grows by more at once" },
	[LIMIT_KEPT_FOR_ROOT] = { 50,
				  "tenths of a percent of a file system, with less of which free it may "
				  "be full for all but root",
				  "mke2fs keeps five percent, unless it is told otherwise" },
	[LIMIT_SWAP] = { 950, "tenths of a percent of swap, with which in use it is full",
			 "CPUs keep some free entries each, for the next page that they write" },
	[LIMIT_FREE] = { 20, "tenths of a percent of System RAM with which buddy is low",
			 "watermarks keep one percent free: below two allocations wait", "low" },
	OF(SLAB) = { 250, NULL, "file servers with all their inodes stay below a quarter",
		     "kernel objects" },
	OF(VMALLOC) = { 150, NULL, "large tables and eBPF maps of a busy host stay below",
			"vmalloc areas" },
	OF(PGTABLE) = { 80, NULL,
			"a page table maps 512 times its size: 0.2 percent if mapped once",
			"page tables" },
	OF(SHMEM) = { 400, NULL, "databases share up to this on purpose",
		      "tmpfs and shared memory" },
	OF(PERCPU) = { 100, NULL, "counters of cgroups and networks stay below", "per-CPU memory" },
	OF(KSTACK) = { 50, NULL, "16K for each thread: one percent of 16G is 10,000 threads",
		       "kernel stacks" },
	OF(ZSMALLOC) = { 200, NULL, "zswap takes a fifth by default", "pages of zram and zswap" },
	OF(PAGE_POOL) = { 100, NULL, "receive rings of network devices stay below a tenth",
			  "pages of network drivers" },
	OF(DIRECT) = { 200, NULL, "rings and buffers of drivers stay far below a fifth",
		       "straight from the page allocator" },
	OF(ANON) = { 600, NULL, "caches and the kernel need the rest", "memory of processes" },
	OF(RESERVED) = { 150, NULL,
			 "page_ext and initrd take less; the kernel image, its page structs and "
			 "crashkernel= are not counted",
			 "never given to the page allocator" },
	OF(OFFLINE) = { 100, NULL, "less is of no account", "given back to the host" },
};

uint64_t limit(enum limit which)
{
	return limits[which].value;
}

const char *limit_reason(enum limit which)
{
	return limits[which].reason;
}

void limits_trace(struct dump *d)
{
	for (unsigned int i = 0; i < LIMITS; i++) {
		if (limits[i].name)
			decoder_trace(d, "limit  %" PRIu64 " %s: %s", limit(i), limits[i].name,
				      limit_reason(i));
		else if (limit(i))
			decoder_trace(d,
				      "limit  %" PRIu64
				      " tenths of a percent of System RAM with which class %s is "
				      "high: %s",
				      limit(i), page_class_name(i - LIMIT_CLASS), limit_reason(i));
	}
}

const char *limit_of_class(enum page_class class, uint64_t tenths)
{
	uint64_t from = limit(LIMIT_CLASS + class);

	return from && tenths >= from ? limits[LIMIT_CLASS + class].remark : NULL;
}

struct maybe_u64 limit_high(enum page_class class, uint64_t tenths)
{
	return (struct maybe_u64){ limit(LIMIT_CLASS + class),
				   limit_of_class(class, tenths) != NULL };
}

const char *limit_of_free(uint64_t tenths)
{
	return tenths <= limit(LIMIT_FREE) ? limits[LIMIT_FREE].remark : NULL;
}

bool limit_has_rate(uint64_t life_ns)
{
	return life_ns >= limit(LIMIT_LIFE) * 1000000;
}

bool limit_ends_promises(uint64_t committed, uint64_t max)
{
	return max && committed >= max / 1000 * limit(LIMIT_COMMIT);
}

bool limit_fills_cgroup(uint64_t usage, uint64_t max)
{
	return usage >= max || max - usage < limit(LIMIT_CGROUP);
}

bool limit_covers_cgroup(uint64_t below, uint64_t usage)
{
	return below && below >= usage / 1000 * limit(LIMIT_COVERED);
}
