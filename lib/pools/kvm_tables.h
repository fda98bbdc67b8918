/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page tables of KVM's guests by its own counter (arch/x86/kvm/mmu/mmu.c, kvm_mod_used_mmu_pages()), for kernels that have
 * no item of /proc/vmstat for them: since 6.1 that is nr_sec_page_table_pages (ebc97a52b5d6 "mm: add NR_SECONDARY_PAGETABLE
 * to count secondary page table uses."). What the TDP MMU allocates, which 5.10 has off by default, is not in it.
 */
#pragma once

#include "dump/dump.h"

#define KVM_TABLES_COUNTER "kvm_total_used_mmu_pages"

/*
 * Whether there may be page tables of the TDP MMU: unless there is no virtual machine (vm_list), or its switch is off (since
 * fe5db27d36ff "kvm: x86/mmu: Init / Uninit the TDP MMU"). What cannot be read may be.
 */
bool kvm_may_have_more(struct dump *d);

/* Pages, no more than max. ST_ABSENT: KVM is not in vmlinux, nor a loaded module; ST_UNKNOWN: it has no such variable. */
enum status kvm_tables_read(struct dump *d, uint64_t max, uint64_t *pages);
