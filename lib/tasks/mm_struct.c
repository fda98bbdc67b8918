// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/mm_struct.h"

#define MAX_REFERENCES 0x7fffffff /* atomic_t */

static const struct layout_row rows[] = {
	STRUCTURE(struct mm_structs, mm, "struct mm_struct"),
	READS_TO(struct mm_struct, users, MAX_REFERENCES, REQUIRED, "all", "mm_users"),
	READS_TO(struct mm_struct, count, MAX_REFERENCES, REQUIRED, "all", "mm_count"),
	READS_IF(struct mm_struct, pgtables_bytes, has_pgtables, OPTIONAL, "4.15",
		 "pgtables_bytes"),
	READS(struct mm_struct, total_vm, REQUIRED, "all", "total_vm"),
	READS(struct mm_struct, locked_vm, REQUIRED, "all", "locked_vm"),
	READS_IF(struct mm_struct, data_vm, has_data, OPTIONAL, "all", "data_vm"),
	READS(struct mm_struct, pinned_vm, OPTIONAL, "3.2", "pinned_vm"),
	READS_IF(struct mm_struct, hugetlb, has_hugetlb, OPTIONAL, "4.4, CONFIG_HUGETLB_PAGE",
		 "hugetlb_usage"),
	READS_IF(struct mm_struct, flags, has_flags, OPTIONAL, "all; mm_flags_t since 6.18",
		 "flags"),
	READS(struct mm_struct, owner, OPTIONAL, "CONFIG_MEMCG", "owner"),
	READS(struct mm_struct, pgd, REQUIRED, "all", "pgd"),
};

enum status mm_structs_open(struct dump *d, struct mm_structs *ret)
{
	struct mm_structs m;
	enum status st = STRUCTS_OPEN(d, rows, &m) ?: mm_counters_open(d, &m.counters) ?:
		struct_keep(&m.mm, &m.counters.rss);

	if (st == ST_OK)
		*ret = m;
	return st;
}

enum status mm_struct_read(const struct mm_structs *m, uint64_t addr, struct mm_struct *ret)
{
	struct mm_struct mm = { .address = addr };
	enum status st = struct_read(&m->mm, addr, &mm);

	if (st != ST_OK)
		return st;
	mm.has_exact = mm_counters_read(&m->counters, m->mm.raw, NULL, &mm.exact, &mm.read) ==
		       ST_OK;
	*ret = mm;
	return ST_OK;
}
