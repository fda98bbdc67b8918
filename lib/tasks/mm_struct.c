// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/mm_struct.h"

#include "dump/layout.h"

#define MAX_REFERENCES 0x7fffffff /* atomic_t */

static const struct layout_row rows[MM_FIELDS] = {
	[MM_USERS] = { "struct mm_struct", { "mm_users" }, REQUIRED, "all" },
	[MM_COUNT] = { "struct mm_struct", { "mm_count" }, REQUIRED, "all" },
	[MM_PGTABLES] = { "struct mm_struct", { "pgtables_bytes" }, OPTIONAL, "4.15" },
	[MM_TOTAL] = { "struct mm_struct", { "total_vm" }, REQUIRED, "all" },
	[MM_LOCKED] = { "struct mm_struct", { "locked_vm" }, REQUIRED, "all" },
	[MM_PINNED] = { "struct mm_struct", { "pinned_vm" }, OPTIONAL, "3.2" },
	[MM_FLAGS] = { "struct mm_struct", { "flags" }, OPTIONAL, "all; mm_flags_t since 6.18" },
	[MM_OWNER] = { "struct mm_struct", { "owner" }, OPTIONAL, "CONFIG_MEMCG" },
	[MM_PGD] = { "struct mm_struct", { "pgd" }, REQUIRED, "all" },
};

enum status mm_structs_open(struct dump *d, struct mm_structs *ret)
{
	struct mm_structs m = { .dump = d };
	size_t span, counters;
	enum status st = layout_resolve(d, rows, MM_FIELDS, m.f);

	if (st == ST_OK)
		st = mm_counters_open(d, &m.counters);
	if (st != ST_OK)
		return st;
	span = layout_span(m.f, MM_FIELDS);
	counters = layout_span(&m.counters.rss, 1);
	st = layout_buffer(d, "struct mm_struct", span > counters ? span : counters, &m.copy);
	if (st == ST_OK)
		*ret = m;
	return st;
}

enum status mm_struct_read(const struct mm_structs *m, uint64_t addr, struct mm_struct *ret)
{
	const struct field *f = m->f;
	const uint8_t *raw = m->copy.raw;
	struct mm_struct mm = { .address = addr };
	enum status st = layout_read(m->dump, addr, &m->copy, "mm_struct");

	if (st != ST_OK)
		return st;
	mm.users = field_get(&f[MM_USERS], raw);
	mm.count = field_get(&f[MM_COUNT], raw);
	if (mm.users > MAX_REFERENCES || mm.count > MAX_REFERENCES)
		return dump_fail(m->dump, ST_CORRUPT,
				 "mm_struct at %#llx has %d users and %d references",
				 (unsigned long long)addr, (int)mm.users, (int)mm.count);
	mm.has_pgtables = f[MM_PGTABLES].present;
	mm.pgtables_bytes = field_get(&f[MM_PGTABLES], raw);
	mm.total_vm = field_get(&f[MM_TOTAL], raw);
	mm.locked_vm = field_get(&f[MM_LOCKED], raw);
	mm.pinned_vm = field_get(&f[MM_PINNED], raw);
	mm.pgd = field_get(&f[MM_PGD], raw);
	mm.has_flags = f[MM_FLAGS].present && f[MM_FLAGS].size == 8;
	mm.flags = mm.has_flags ? field_get(&f[MM_FLAGS], raw) : 0;
	mm.owner = field_get(&f[MM_OWNER], raw);
	mm.has_exact = mm_counters_read(&m->counters, raw, NULL, &mm.exact, &mm.read) == ST_OK;
	*ret = mm;
	return ST_OK;
}
