// SPDX-License-Identifier: GPL-2.0-or-later
#include "log_huge.h"

#include "huge_users.h"

/* The size in pages is a power of two; false: it is none. */
static bool order_of(const struct summary *s, uint64_t kib, unsigned int *ret)
{
	unsigned int shift = s->dump->page_shift, order = 0;

	while (order < 32 && 1ULL << (order + shift) < kib << 10)
		order++;
	*ret = order;
	return shift && 1ULL << (order + shift) == kib << 10;
}

/* Those of all nodes, as the counters of the pool in a dump. How many are reserved no report has. */
static void put_size(struct summary *s, const struct mem_info *m, uint64_t kib)
{
	struct hugetlb_pool *pool = dump_alloc(s->dump, sizeof(*pool));

	*pool = (struct hugetlb_pool){ 0 };
	for (unsigned int i = 0; i < m->nhuge; i++) {
		pool->total += m->huge[i].kib == kib ? m->huge[i].total : 0;
		pool->free += m->huge[i].kib == kib ? m->huge[i].free : 0;
	}
	if (order_of(s, kib, &pool->order))
		summary_huge_pool(s, pool);
}

void log_huge_put(struct summary *s, const struct mem_info *m)
{
	for (unsigned int i = 0; !m->huge_more && i < m->nhuge; i++)
		if (!ANY_OF(j, i, m->huge[j].kib == m->huge[i].kib))
			put_size(s, m, m->huge[i].kib);
}
