// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/kvm_tables.h"

#include "kernel/percpu_counter.h"
#include "modules/module_sections.h"

enum status kvm_tables_read(struct dump *d, uint64_t max, uint64_t *pages)
{
	struct percpu_counters counters;
	uint64_t address, n = 0;
	enum status st = module_object_symbol(d, "kvm", KVM_TABLES_COUNTER, &address)
				 ?: percpu_counters_open(d, &counters)
				 ?: percpu_counter_positive(&counters, address, &n);

	if (st == ST_OK && n > max)
		st = dump_corrupt(d, "%s is %lu pages", KVM_TABLES_COUNTER, n);
	return RESULT(st, pages, n);
}

bool kvm_may_have_more(struct dump *d)
{
	uint64_t address, next;
	uint8_t on = 1;
	enum status st = module_object_symbol(d, "kvm", "vm_list", &address)
				 ?: dump_u64(d, address, &next, "vm_list");

	if (st == ST_OK && next == address)
		return false;
	st = module_object_symbol(d, "kvm", "tdp_mmu_enabled", &address)
		     ?: dump_read(d, address, &on, 1, "tdp_mmu_enabled");
	d->error[0] = '\0';
	return st != ST_OK || on;
}
