// SPDX-License-Identifier: GPL-2.0-or-later
#include "keys.h"

const struct term owner_terms[] = {
	{ "allocation", "one call of the page allocator: 2^order pages" },
	{ "caller", "the first function of a call stack that is not part of the kernel's "
		    "allocators" },
	{ "live, free", "page_owner's state of a page at the panic: allocated, or freed after its "
			"last allocation" },
	{ "owner", "the process that allocated a page: dead if no process has its tgid at the "
		   "panic" },
	{ "tail page", "a page of an allocation of order 1 or more, other than its first" },
	{ "truncated", "the kernel stores a limited number of frames; outer callers of a truncated "
		       "stack may be missing" },
	{ "[gone]", "text that is mapped by no module at the panic" },
	{ "[not charged]",
	  "a page that no memory cgroup is charged for: free, of the kernel without "
	  "__GFP_ACCOUNT, or allocated before cgroups" },
	{ "[by object]", "a slab page with objects that cgroups may be charged for, each object "
			 "its own" },
	{ "unknown, -", "this kernel does not record the value, or the dump does not contain it" },
	{ "class", "current use of a page, one of the following" },
	{ "slab", "slabs of SLUB; large kmalloc only where the kernel marks its pages (6.15 and "
		  "later), before that it is direct" },
	{ "vmalloc", "pages mapped by vmalloc, stacks of threads not included" },
	{ "pgtable", "page tables" },
	{ "anon", "anonymous memory of processes, swap cache included" },
	{ "file", "page cache; memowner files tells the files" },
	{ "shmem", "shared memory and tmpfs; memowner files tells the files" },
	{ "hugetlb", "huge pages of hugetlbfs" },
	{ "percpu", "chunks of the per-CPU allocator" },
	{ "kstack", "kernel stacks of threads" },
	{ "zsmalloc", "compressed pages of zswap and zram" },
	{ "page_pool", "pages of network drivers, in a pool or in packets (5.14 and later)" },
	{ "early", "allocated during boot before page_owner started, and in no class above" },
	{ "direct", "allocated straight from the page allocator by a driver or subsystem that "
		    "struct page does not name" },
	{ "offline", "given to the host by a balloon or virtio-mem" },
	{ "guard", "guard pages of debug_pagealloc" },
	{ "buddy", "free, in the lists of the buddy allocator" },
	{ "pcp", "free, in the lists of one CPU" },
	{ "unaccepted", "memory that the guest has not accepted from its hypervisor yet" },
	{ "reserved", "never given to the page allocator, or in an image of kexec -l" },
	{ "removed", "in a memory block that is offline: in no zone" },
	{ "class free", "freed, and in none of the free lists" },
	{ NULL, NULL },
};
