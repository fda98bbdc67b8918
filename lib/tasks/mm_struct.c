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
	READS_IF(struct mm_struct, maps, has_maps, OPTIONAL, "all", "map_count"),
	READS(struct mm_struct, pinned_vm, OPTIONAL, "3.2", "pinned_vm"),
	READS_IF(struct mm_struct, hugetlb, has_hugetlb, OPTIONAL, "4.4, CONFIG_HUGETLB_PAGE",
		 "hugetlb_usage"),
	READS_IF(struct mm_struct, flags, has_flags, OPTIONAL, "all; mm_flags_t since 6.18",
		 "flags"),
	READS(struct mm_struct, pgd, REQUIRED, "all", "pgd"),
};

enum status mm_structs_open(struct dump *d, struct mm_structs *ret)
{
	struct mm_structs m;

	most_pages_read(d, &m.most);
	return RESULT(STRUCTS_OPEN(d, rows, &m) ?: mm_counters_open(d, &m.counters) ?:
		struct_keep(&m.mm, &m.counters.rss), ret, m);
}

enum status mm_struct_read(const struct mm_structs *m, uint64_t addr, struct mm_struct *ret)
{
	struct mm_struct mm = { 0 };
	enum status st = struct_read(&m->mm, addr, &mm);

	if (st != ST_OK)
		return st;
	mm.has_exact = mm_counters_read(&m->counters, m->mm.raw, NULL, &mm.exact, &mm.read) ==
			       ST_OK &&
		       !mm_counts_lack(m->mm.dump, addr, &mm.exact, mm.total_vm, &m->most);
	if (mm.has_pgtables &&
	    most_pages_exceeds(m->most.ram, mm.pgtables_bytes >> m->mm.dump->page_shift)) {
		dump_lacks(m->mm.dump, "page tables", ST_CORRUPT,
			   "mm_struct.pgtables_bytes at %#lx is %lu, more than the machine has",
			   addr, mm.pgtables_bytes);
		mm.has_pgtables = false;
		mm.pgtables_bytes = 0;
	}
	*ret = mm;
	return ST_OK;
}

bool mm_counts_exceed(const struct mm_counts *n, uint64_t total_vm, const struct most_pages *most)
{
	const int64_t all[] = { n->anon, n->file, n->shmem, n->swap };
	uint64_t sum = 0;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		/* Below 0 by what other CPUs, or threads, have not added yet. */
		if (all[i] > 0 && (uint64_t)all[i] > most->both && (uint64_t)all[i] > total_vm)
			return true;
		if (all[i] < 0 && (uint64_t)-all[i] > most->both)
			return true;
		sum += all[i] > 0 ? (uint64_t)all[i] : 0;
	}
	return sum > most->both && sum > total_vm;
}

bool mm_counts_lack(struct dump *d, uint64_t mm, const struct mm_counts *n, uint64_t total_vm,
		    const struct most_pages *most)
{
	if (!mm_counts_exceed(n, total_vm, most))
		return false;
	dump_lacks(d, "memory of processes", ST_CORRUPT,
		   "the counters of the mm_struct at %#lx are more than the machine has", mm);
	return true;
}

static enum status find_indexes(struct dump *d, struct mm_counters *c)
{
	const struct {
		const char *name;
		int64_t *index;
	} of[] = {
		{ "MM_FILEPAGES", &c->file },
		{ "MM_ANONPAGES", &c->anon },
		{ "MM_SWAPENTS", &c->swap },
		{ "MM_SHMEMPAGES", &c->shmem },
	};

	for (size_t i = 0; i < ARRAY_SIZE(of); i++) {
		enum status st = dump_enumerator(d, of[i].name, of[i].index);

		if (st == ST_OK && *of[i].index >= MM_COUNTERS)
			st = dump_unknown(d, "%s is %ld", of[i].name, *of[i].index);
		if (st != ST_OK)
			return st;
	}
	return ST_OK;
}

/* rss_stat is an array of percpu_counter, or a structure with atomic longs. */
static enum status open_percpu(struct mm_counters *c)
{
	static const struct layout_row counter_rows[] = {
		FIELD_ROW("struct percpu_counter", REQUIRED, "all", "count"),
		FIELD_ROW("struct percpu_counter", REQUIRED, "CONFIG_SMP", "counters"),
	};
	struct dump *d = c->dump;

	if (dump_ask(d, type_size, "struct percpu_counter", &c->stride) != ST_OK ||
	    layout_resolve(d, counter_rows, 1, &c->count) != ST_OK)
		return dump_unknown(d, "mm_struct.rss_stat");
	c->is_percpu = true;
	if (layout_resolve(d, counter_rows + 1, 1, &c->counters) != ST_OK)
		memset(&c->counters, 0, sizeof(c->counters));
	return ST_OK;
}

enum status mm_counters_open(struct dump *d, struct mm_counters *ret)
{
	static const struct layout_row row = FIELD_ROW("struct mm_struct", REQUIRED, "all",
						       "rss_stat");
	struct mm_counters c = { .dump = d, .stride = 8 };
	enum status st = layout_resolve(d, &row, 1, &c.rss) ?: percpu_open(d, &c.cpus) ?:
		find_indexes(d, &c);

	if (st != ST_OK)
		return st;
	if (c.rss.kind == KIND_ARRAY)
		st = open_percpu(&c);
	return RESULT(st, ret, c);
}

struct reading {
	const struct mm_counters *c;
	const uint8_t *mm;
	const int64_t *cached;
	enum status st;
	uint64_t parts; /* of a counter on CPUs, 0: there are none */
	bool has_part;	/* a CPU has one that is not 0 */
};

/* What is in mm_struct, and the sum with what is elsewhere; both wrap as the kernel's. */
static int64_t read_counter(struct reading *r, int64_t index, int64_t *read)
{
	const struct mm_counters *c = r->c;
	size_t at = c->rss.offset + index * c->stride;
	uint64_t counters, sum;

	*read = 0;
	if (at + c->stride > c->rss.offset + c->rss.size)
		return 0;
	sum = c->is_percpu ? field_get(&c->count, r->mm + at) : le64(r->mm + at);
	*read = (int64_t)sum > 0 ? (int64_t)sum : 0;
	if (!c->is_percpu)
		return sum + (r->cached ? (uint64_t)r->cached[index] : 0);
	counters = field_get(&c->counters, r->mm + at);
	for (unsigned int i = 0; counters && i < c->cpus.n; i++) {
		uint32_t v;
		enum status st = dump_u32(c->dump, counters + c->cpus.offset[i], &v,
					  "percpu_counter");

		if (st == ST_OK)
			sum += (uint64_t)(int32_t)v;
		else
			r->st = st;
		r->has_part |= st == ST_OK && v;
	}
	r->parts = counters;
	return sum;
}

/*
 * A process that has memory has touched it, which a CPU has not added yet but by chance: where the pages of the parts of
 * all CPUs are zeros, they are not in the dump.
 */
static bool lacks_parts(const struct reading *r)
{
	const struct mm_counters *c = r->c;
	const uint32_t none = 0;

	if (r->st != ST_OK || r->has_part || !r->parts || !c->cpus.n)
		return false;
	for (unsigned int i = 0; i < c->cpus.n; i++)
		if (dump_check(c->dump, r->parts + c->cpus.offset[i], &none, sizeof(none),
			       "percpu_counter") == ST_OK)
			return false;
	return true;
}

enum status mm_counters_read(const struct mm_counters *c, const void *mm, const int64_t *cached,
			     struct mm_counts *exact, struct mm_counts *read)
{
	struct reading r = { c, mm, cached, ST_OK, 0, false };
	struct mm_counts n;

	n.file = read_counter(&r, c->file, &read->file);
	n.anon = read_counter(&r, c->anon, &read->anon);
	n.shmem = read_counter(&r, c->shmem, &read->shmem);
	n.swap = read_counter(&r, c->swap, &read->swap);
	if (lacks_parts(&r))
		r.st = ST_CORRUPT;
	if (r.st == ST_OK)
		*exact = n;
	return r.st;
}
