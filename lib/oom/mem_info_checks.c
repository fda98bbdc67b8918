// SPDX-License-Identifier: GPL-2.0-or-later
/* The figures of a Mem-Info block that stand there more than once, compared. */
#include "oom/oom_checks.h"
#include "util/strbuf.h"

#include <string.h>

/* What zones have by the same name, where nodes do not. */
static const struct {
	enum mem_counter all;
	enum mem_zone_counter zone;
} same[] = { { MEM_free, MEM_ZONE_free },
	     { MEM_free_pcp, MEM_ZONE_free_pcp },
	     { MEM_free_cma, MEM_ZONE_free_cma },
	     { MEM_bounce, MEM_ZONE_bounce },
	     /* Up to 5.10 */
	     { MEM_pagetables, MEM_ZONE_pagetables } };

static void leave_out(struct mem_info *m, struct log_number *n, const char *name, uint64_t other)
{
	if (!m->differs) {
		m->differs = name;
		m->differs_pages[0] = n->value;
		m->differs_pages[1] = other;
	}
	n->known = false;
}

#define MOVES 1024 /* a part of RAM: as much may be added between the two lines */

static bool is_far(uint64_t a, uint64_t b, uint64_t ram)
{
	return (a > b ? a - b : b - a) > ram / MOVES;
}

/* More than these have is no contradiction: some may be left out, or theirs is what lost a digit. */
static void compare(struct mem_info *m, struct log_number *n, const char *name, uint64_t others)
{
	if (n->known && oom_is_short_of(n->value, others) &&
	    (is_far(n->value, others, m->ram.known ? m->ram.value : 0) ||
	     (n->value && log_lost_digit(n->value, others))))
		leave_out(m, n, name, others);
}

/* Pages that no other of these counters has, too: RAM has all of them. */
static const enum mem_counter apart[] = { MEM_active_anon,	  MEM_inactive_anon,
					  MEM_active_file,	  MEM_inactive_file,
					  MEM_unevictable,	  MEM_slab_reclaimable,
					  MEM_slab_unreclaimable, MEM_free };

/* Where one of them alone has more than RAM that one is damaged; of several RAM is. */
static void compare_ram(struct mem_info *m)
{
	const char *before = m->differs;
	unsigned int more = 0;
	uint64_t most = 0;

	for (size_t i = 0; m->ram.known && i < ARRAY_SIZE(apart); i++) {
		const struct log_number *n = &m->pages[apart[i]];

		if (!n->known || n->value <= m->ram.value)
			continue;
		more++;
		most = n->value > most ? n->value : most;
	}
	if (more < 2)
		return;
	leave_out(m, &m->ram, "pages RAM", most);
	if (m->differs != before)
		m->differs_of = "one of its counters";
}

static uint64_t of_zones(const struct mem_info *m, enum mem_zone_counter counter, uint64_t page_kib)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < m->nzones; i++)
		sum += m->zones[i].kib[counter].value / page_kib;
	return sum;
}

/* Whether the pages that are reserved are those that one zone has less of, as its number lost a digit. */
static bool is_of_managed(const struct mem_info *m, uint64_t missing_kib)
{
	return ANY_OF(i, m->nzones,
		      log_lost_digit(m->zones[i].kib[MEM_ZONE_managed].value,
				     m->zones[i].kib[MEM_ZONE_managed].value + missing_kib));
}

/* In KiB: show_mem() sums up what zones have and do not manage. */
static uint64_t of_reserved(const struct mem_info *m)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < m->nzones; i++) {
		const struct log_number *present = &m->zones[i].kib[MEM_ZONE_present],
					*managed = &m->zones[i].kib[MEM_ZONE_managed];

		if (present->known && managed->known && present->value > managed->value)
			sum += present->value - managed->value;
	}
	return sum;
}

static void compare_reserved(struct mem_info *m, uint64_t page_kib)
{
	const uint64_t sum = of_reserved(m);

	if (sum / page_kib > m->reserved.value &&
	    !is_of_managed(m, sum - m->reserved.value * page_kib))
		compare(m, &m->reserved, "pages reserved", sum / page_kib);
}

/* In pages. */
static uint64_t of_blocks(const struct mem_zone *z)
{
	uint64_t pages = 0;

	for (unsigned int i = 0; i < z->orders; i++)
		pages += z->free_blocks[i] << i;
	return pages;
}

/* A zone and its blocks, whose line adds up: they are the same pages. */
static void compare_blocks(struct mem_info *m, struct mem_zone *z, uint64_t page_kib)
{
	struct log_number *free = &z->kib[MEM_ZONE_free];
	const uint64_t pages = of_blocks(z);

	if (!free->known || !oom_is_short_of(free->value / page_kib, pages))
		return;
	leave_out(m, free, "free of a zone", pages);
	m->differs_pages[0] /= page_kib;
	*free = (struct log_number){ true, pages * page_kib };
}

/* Whether they have as much as the line of the zone, but for what went by between. */
static bool blocks_tell(const struct mem_zone *z, uint64_t page_kib)
{
	const struct log_number *free = &z->kib[MEM_ZONE_free];
	const uint64_t pages = of_blocks(z);

	return free->known && z->orders && !oom_is_short_of(free->value / page_kib, pages) &&
	       !oom_is_short_of(pages, free->value / page_kib);
}

/* NR_FILE_PAGES has the lists of files, shared memory and the swap cache; what was mlocked may be of these. */
static void compare_cache(struct mem_info *m, uint64_t page_kib)
{
	static const enum mem_counter of_it[] = { MEM_active_file, MEM_inactive_file, MEM_shmem };
	struct log_number *n = m->pages;
	uint64_t sum = n[MEM_isolated_file].value + n[MEM_unevictable].value + m->swap_cache.value;
	bool is_known = m->pagecache.known && n[MEM_unevictable].known && m->swap_cache.known;

	for (size_t i = 0; i < ARRAY_SIZE(of_it); i++) {
		is_known &= n[of_it[i]].known;
		sum += n[of_it[i]].value;
	}
	if (!is_known || !oom_is_short_of(sum, m->pagecache.value))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(of_it); i++)
		if (m->nodes_kib[of_it[i]] / page_kib < n[of_it[i]].value)
			leave_out(m, &n[of_it[i]], mem_counter_names[of_it[i]],
				  n[of_it[i]].value + m->pagecache.value - sum);
}

/*
 * More than all zones have, of each of which its blocks have it once more: it has digits of the next number, and is what
 * these have.
 */
static void compare_more(struct mem_info *m, uint64_t page_kib)
{
	struct log_number *free = &m->pages[MEM_free];
	const uint64_t zones = of_zones(m, MEM_ZONE_free, page_kib);

	if (!free->known || !m->nzones || !mem_info_has_zones(m) || !m->ram.known ||
	    of_zones(m, MEM_ZONE_present, page_kib) != m->ram.value ||
	    !oom_is_short_of(zones, free->value) ||
	    ANY_OF(i, m->nzones, !blocks_tell(&m->zones[i], page_kib)))
		return;
	leave_out(m, free, mem_counter_names[MEM_free], zones);
	*free = (struct log_number){ true, zones };
}

/* A node that has pages on its lists has a zone, of which the report has a line. */
static bool lacks_zone_of_node(const struct mem_info *m)
{
	for (unsigned int i = 0; i < m->nnodes && m->nzones && !m->zones_more; i++)
		if (m->nodes[i].lru_anon_kib &&
		    !ANY_OF(k, m->nzones, m->zones[k].node.value == m->nodes[i].node))
			return true;
	return false;
}

/* Others of a part of the nodes tell nothing of the rest. */
#define NEARLY 32
#define CHANGED 64

static bool is_far_less(uint64_t others, uint64_t n)
{
	return others + others / NEARLY + CHANGED < n;
}

static bool is_less(uint64_t others, uint64_t n)
{
	return is_far_less(others, n) || (!others && n);
}

static bool knows_zones(const struct mem_info *m)
{
	return m->nzones && mem_info_has_zones(m) &&
	       !ANY_OF(i, m->nzones, !m->zones[i].kib[MEM_ZONE_present].known);
}

/*
 * RAM is what zones have, and what they do not manage is reserved. Reports leave out zones that the request may not use (6.0,
 * 974f4367dd31 "mm: reduce noise in show_mem for lowmem allocations"): those that are there have all that is reserved, free
 * and on the lists of the whole system, or it is unknown.
 */
static bool zones_are_all(const struct mem_info *m, uint64_t kib)
{
	static const struct {
		enum mem_counter all;
		enum mem_zone_counter zone;
	} lists[] = { { MEM_free, MEM_ZONE_free },
		      { MEM_active_anon, MEM_ZONE_active_anon },
		      { MEM_inactive_anon, MEM_ZONE_inactive_anon },
		      { MEM_active_file, MEM_ZONE_active_file },
		      { MEM_inactive_file, MEM_ZONE_inactive_file } };

	return knows_zones(m) && m->reserved.known && of_reserved(m) / kib == m->reserved.value &&
	       !ANY_OF(i, ARRAY_SIZE(lists),
		       !m->pages[lists[i].all].known || is_far_less(of_zones(m, lists[i].zone, kib),
								    m->pages[lists[i].all].value));
}

/* Of the three that have it two agree: all zones, what they do not manage, and the line of each of both. */
static void compare_sums(struct mem_info *m, uint64_t kib)
{
	const uint64_t present = of_zones(m, MEM_ZONE_present, 1) / kib;

	if (!m->ram.known || !m->reserved.known || !knows_zones(m))
		return;
	if (log_has_other_digit(m->ram.value, present) && zones_are_all(m, kib)) {
		leave_out(m, &m->ram, "pages RAM", present);
		m->ram = (struct log_number){ true, present };
	} else if (m->ram.value == present &&
		   log_has_other_large_digit(m->reserved.value, of_reserved(m) / kib)) {
		leave_out(m, &m->reserved, "pages reserved", of_reserved(m) / kib);
	}
}

/* One of another digit than that of all nodes: a report has those that the request may use. */
static void compare_nodes(struct mem_info *m, uint64_t kib)
{
	if (!m->ram.known || of_zones(m, MEM_ZONE_present, 1) / kib < m->ram.value)
		return;
	for (size_t i = 0; i < MEM_NCOUNTERS && !m->lacks_node && m->nnodes; i++)
		if (m->pages[i].known && m->nodes_with[i] == m->nnodes &&
		    is_far(m->pages[i].value, m->nodes_kib[i] / kib, m->ram.value) &&
		    log_has_other_large_digit(m->pages[i].value, m->nodes_kib[i] / kib))
			leave_out(m, &m->pages[i], mem_counter_names[i], m->nodes_kib[i] / kib);
}

void mem_info_compare(struct mem_info *m)
{
	const uint64_t kib = mem_info_page_kib(m).value;

	m->lacks_zone |= lacks_zone_of_node(m);
	if (!kib)
		return;
	for (size_t i = 0; i < MEM_NCOUNTERS; i++)
		compare(m, &m->pages[i], mem_counter_names[i], m->nodes_kib[i] / kib);
	compare(m, &m->ram, "pages RAM", of_zones(m, MEM_ZONE_present, kib));
	compare_ram(m);
	compare_sums(m, kib);
	compare_nodes(m, kib);
	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		compare(m, &m->pages[same[i].all], mem_counter_names[same[i].all],
			of_zones(m, same[i].zone, kib));
	compare_more(m, kib);
	if (m->reserved.known)
		compare_reserved(m, kib);
	for (unsigned int i = 0; i < m->nzones; i++)
		compare_blocks(m, &m->zones[i], kib);
	compare_cache(m, kib);
}

static bool is_alone(const struct mem_info *m, enum mem_counter counter, uint64_t page_kib)
{
	uint64_t others = m->nodes_kib[counter] / page_kib;

	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		if (same[i].all == counter && !others)
			others = of_zones(m, same[i].zone, page_kib);
	return m->pages[counter].known && is_less(others, m->pages[counter].value);
}

void mem_info_alone(const struct mem_info *m, struct strbuf *b)
{
	static const struct {
		const char *name;
		enum mem_counter counter;
	} classes[] = {
		{ "anon", MEM_active_anon },
		{ "anon", MEM_inactive_anon },
		{ "file", MEM_active_file },
		{ "file", MEM_inactive_file },
		{ "unevictable", MEM_unevictable },
		{ "slab", MEM_slab_reclaimable },
		{ "slab", MEM_slab_unreclaimable },
		{ "shmem", MEM_shmem },
		{ "pgtable", MEM_pagetables },
		{ "buddy", MEM_free },
		{ "pcp", MEM_free_pcp },
	};
	const uint64_t kib = mem_info_page_kib(m).value ?: 1;
	const char *last = "";

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		if (!is_alone(m, classes[i].counter, kib) || !strcmp(last, classes[i].name))
			continue;
		last = classes[i].name;
		strbuf_add(b, "%s%s", strbuf_between(b, ", "), last);
	}
	if (m->reserved.known && is_less(of_reserved(m) / kib, m->reserved.value))
		strbuf_add(b, "%sreserved", strbuf_between(b, ", "));
	if (m->ram.known && is_less(of_zones(m, MEM_ZONE_present, kib), m->ram.value))
		strbuf_add(b, "%sSystem RAM", strbuf_between(b, ", "));
	if (m->node_stacks_kib.known)
		strbuf_add(b, "%skstack", strbuf_between(b, ", "));
	if (of_zones(m, MEM_ZONE_zspages, kib))
		strbuf_add(b, "%szsmalloc", strbuf_between(b, ", "));
	if (m->hugetlb_kib.known && m->hugetlb_kib.value)
		strbuf_add(b, "%shugetlb", strbuf_between(b, ", "));
}

/* Whether zones and nodes of the report are all there are: together they have what RAM is. */
static bool has_all(const struct mem_info *m, uint64_t kib)
{
	uint64_t present = 0;

	for (unsigned int i = 0; i < m->nzones; i++) {
		present += m->zones[i].kib[MEM_ZONE_present].value;
		if (!ANY_OF(k, m->nnodes, m->nodes[k].node == m->zones[i].node.value))
			return false;
	}
	return kib && m->ram.known && present / kib == m->ram.value && !m->lacks_zone &&
	       !m->lacks_node && m->nnodes < MEM_INFO_NODES;
}

bool mem_info_has_nodes(const struct mem_info *m)
{
	const uint64_t kib = mem_info_page_kib(m).value;
	uint64_t all = 0, of_nodes = 0;

	if (has_all(m, kib))
		return true;
	for (size_t i = 0; i < MEM_INFO_LISTS; i++) {
		/* A list that is lost tells of no node that is left out. */
		if (!m->pages[i].known || m->pages[i].value > UINT32_MAX)
			return false;
		all += m->pages[i].value;
		of_nodes += m->node_kib[i] / (kib ?: 1);
	}
	for (unsigned int i = 0; i < m->nzones; i++)
		if (!ANY_OF(k, m->nnodes, m->nodes[k].node == m->zones[i].node.value))
			return false;
	return kib && m->nnodes && !m->lacks_node && of_nodes + all / NEARLY >= all;
}

static void fill(struct log_number *n, uint64_t kib, uint64_t page_kib)
{
	if (!n->known)
		*n = (struct log_number){ true, kib / page_kib };
}

/* What all zones have. */
static void fill_of_zones(struct mem_info *m, uint64_t page_kib)
{
	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		if (!ANY_OF(k, m->nzones, !m->zones[k].kib[same[i].zone].known))
			fill(&m->pages[same[i].all], of_zones(m, same[i].zone, 1), page_kib);
}

static void fill_ram(struct mem_info *m, uint64_t kib)
{
	if (kib && !m->ram.known && zones_are_all(m, kib))
		m->ram = (struct log_number){ true, of_zones(m, MEM_ZONE_present, 1) / kib };
}

void mem_info_fill(struct mem_info *m)
{
	static const enum mem_counter of_nodes[] = { MEM_active_anon, MEM_inactive_anon,
						     MEM_active_file, MEM_inactive_file,
						     MEM_unevictable, MEM_shmem,
						     MEM_pagetables,  MEM_sec_pagetables };
	const uint64_t kib = mem_info_page_kib(m).value;

	/* What was left out tells of a line that is damaged: which one is unknown. */
	if (m->differs)
		return;
	fill_ram(m, kib);
	if (!has_all(m, kib))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(of_nodes); i++)
		if (m->nodes_with[of_nodes[i]] == m->nnodes)
			fill(&m->pages[of_nodes[i]], m->nodes_kib[of_nodes[i]], kib);
	if (m->nodes_with[MEM_active_anon] == m->nnodes) {
		fill(&m->pages[MEM_isolated_anon], m->node_kib[MEM_isolated_anon], kib);
		fill(&m->pages[MEM_isolated_file], m->isolated_file_kib.value, kib);
	}
	fill_of_zones(m, kib);
}
