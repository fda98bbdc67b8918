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

	*pages = n > max ? 0 : n;
	return n > max ? dump_corrupt(d, "%s is %lu pages", KVM_TABLES_COUNTER, n) : st;
}
