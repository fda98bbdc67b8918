// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/percpu_lists.h"

#include "util/hash_u64.h"

#define MAX_SLOTS 256	  /* of chunk lists, for each type of chunk */
#define MAX_TYPES 4	  /* 5.9 to 5.13 have lists of chunks that memcg charges */
#define MAX_CHUNKS 100000 /* in all lists */

struct walk {
	struct dump *dump;
	const struct field *link;
	struct hash_u64 seen;
	struct first_problem problem;
	enum status (*visit)(void *arg, uint64_t chunk);
	void *arg;
};

static enum status walk_list(struct walk *w, uint64_t head)
{
	struct dump *d = w->dump;
	uint64_t node;
	enum status st = dump_u64(d, head, &node, "lists of per-CPU chunks");

	while (st == ST_OK && node != head) {
		uint64_t chunk = node - w->link->offset;

		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		if (!hash_u64_add(&w->seen, node) || w->seen.n > MAX_CHUNKS)
			return dump_corrupt(d, "per-CPU chunks without end");
		st = dump_u64(d, node, &node, "pcpu_chunk")
			     ?: first_problem_keep(d, &w->problem, w->visit(w->arg, chunk));
	}
	return st;
}

/* Without SMP a per-CPU address is the address itself (mm/percpu.c). */
enum status percpu_distance(struct dump *d, uint64_t *ret)
{
	uint64_t base, start;

	*ret = 0;
	if (!dump_has_symbol(d, "__per_cpu_offset"))
		return ST_OK;
	return RESULT(dump_value(d, "pcpu_base_addr", &base)
			      ?: dump_symbol(d, "__per_cpu_start", &start),
		      ret, start - base);
}

/* 5.9 renamed pcpu_slot (mm: memcg/percpu: account percpu memory to memory cgroups). */
enum status percpu_lists_find(struct dump *d, uint64_t *ret)
{
	return dump_value(d, dump_has_symbol(d, "pcpu_slot") ? "pcpu_slot" : "pcpu_chunk_lists",
			  ret);
}

enum status percpu_lists_walk(struct dump *d, const struct field *link,
			      enum status (*visit)(void *arg, uint64_t chunk), void *arg)
{
	struct walk w = { .dump = d, .link = link, .visit = visit, .arg = arg };
	uint64_t lists = 0, slots = 0;
	int64_t types = dump_enumerator_or(d, "PCPU_NR_CHUNK_TYPES", 1);
	enum status st = link->size == 16 ? percpu_lists_find(d, &lists)
					  : dump_unknown(d, "struct pcpu_chunk.list");

	hash_u64_init(&w.seen, d->arena, 1);
	st = st ?: dump_value(d, "pcpu_nr_slots", &slots);
	if (st == ST_OK && (slots > MAX_SLOTS || types < 1 || types > MAX_TYPES))
		st = dump_corrupt(d, "%lu lists of per-CPU chunks", slots);
	for (uint64_t i = 0; st == ST_OK && i < slots * (uint64_t)types; i++)
		st = first_problem_keep(d, &w.problem, walk_list(&w, lists + 16 * i));
	return st ?: first_problem_end(d, &w.problem);
}
