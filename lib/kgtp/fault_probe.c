// SPDX-License-Identifier: GPL-2.0-or-later
#include "kgtp/fault_probe.h"
#include "util/array.h"

#include <stddef.h>
#include <string.h>

/* arch/x86/mm/fault.c, arch/arm64/mm/fault.c, mm/memory.c and what it calls, old and new. */
static const char *const handlers[] = {
	"do_page_fault",
	"__do_page_fault",
	"do_user_addr_fault",
	"do_kern_addr_fault",
	"do_mem_abort",
	"do_translation_fault",
	"handle_mm_fault",
	"__handle_mm_fault",
	"handle_pte_fault",
	"do_anonymous_page",
	"do_fault",
	"__do_fault",
	"do_read_fault",
	"do_cow_fault",
	"do_shared_fault",
	"do_wp_page",
	"do_swap_page",
	"do_numa_page",
	"do_huge_pmd_anonymous_page",
	"do_huge_pmd_wp_page",
	"hugetlb_fault",
	"hugetlb_no_page",
	"hugetlb_wp",
	"filemap_fault",
	"filemap_map_pages",
	"shmem_fault",
	"handle_userfault",
};

bool kgtp_handles_faults(const char *function)
{
	for (size_t i = 0; i < ARRAY_SIZE(handlers); i++)
		if (!strcmp(function, handlers[i]))
			return true;
	return false;
}
