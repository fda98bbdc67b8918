// SPDX-License-Identifier: GPL-2.0-or-later
/* What zones make of a request by the report of the log alone: __zone_watermark_ok() of mm/page_alloc.c. */
#include "log_source.h"
#include "oom/mems_allowed.h"

#include <string.h>

/* Zones in the order of enum zone_type, as far as a kernel has them. */
static const char *const order[] = { "DMA", "DMA32", "Normal", "HighMem", "Movable" };

static int rank(const char *name)
{
	for (int i = 0; i < (int)ARRAY_SIZE(order); i++)
		if (!strcmp(order[i], name))
			return i;
	return -1;
}

/* Whether one of the names of gfp flags, which "|" joins, is that one. */
static bool has_flag(const char *gfp, const char *flag)
{
	size_t len = strlen(flag);

	for (const char *p = gfp; *p; p += *p == '|') {
		size_t n = strcspn(p, "|");

		if (n == len && !strncmp(p, flag, n))
			return true;
		p += n;
	}
	return false;
}

/* gfp_zone(): the highest zone that these flags may use; -1: their names are unknown. */
static int highest_zone(const char *gfp)
{
	static const char *const movable[] = { "GFP_HIGHUSER_MOVABLE", "GFP_TRANSHUGE",
					       "GFP_TRANSHUGE_LIGHT" };

	if (!*gfp || strstr(gfp, "0x"))
		return -1;
	if (has_flag(gfp, "GFP_DMA") || has_flag(gfp, "__GFP_DMA"))
		return rank("DMA");
	if (has_flag(gfp, "GFP_DMA32") || has_flag(gfp, "__GFP_DMA32"))
		return rank("DMA32");
	for (size_t i = 0; i < ARRAY_SIZE(movable); i++)
		if (has_flag(gfp, movable[i]))
			return rank("Movable");
	if (has_flag(gfp, "GFP_HIGHUSER") || has_flag(gfp, "__GFP_HIGHMEM"))
		return has_flag(gfp, "__GFP_MOVABLE") ? rank("Movable") : rank("HighMem");
	return rank("Normal");
}

static bool has_zone(const struct mem_info *m, const char *name)
{
	return ANY_OF(i, m->nzones, !strcmp(m->zones[i].name, name));
}

/* A kernel of 64 bits has no HighMem: what may be there is in lower zones. */
static int highest_zone_of(const struct oom_report *r)
{
	const int highest = highest_zone(r->gfp);

	return highest == rank("HighMem") && !has_zone(&r->mem, "HighMem") ? rank("Normal")
									   : highest;
}

static bool allows_node(const struct oom_report *r, const struct mem_zone *z, bool *is_known)
{
	const char *lists[] = { r->nodemask, r->mems_allowed };

	for (size_t i = 0; i < ARRAY_SIZE(lists) && z->node.known; i++) {
		bool bad = false;

		if (!*lists[i] || log_after(lists[i], "(null)") ||
		    mems_allowed_have(lists[i], z->node.value, &bad))
			continue;
		if (!bad)
			return false;
		*is_known = false;
	}
	return true;
}

static bool is_movable(const struct oom_report *r)
{
	return strstr(r->gfp, "MOVABLE") || strstr(r->gfp, "GFP_TRANSHUGE");
}

/* The order of the largest free block that a request may take: the letters are of the migrate types that have some. */
static int largest_of(const struct oom_report *r, const struct mem_zone *z)
{
	const bool is_atomic = strstr(r->gfp, "GFP_ATOMIC") || has_flag(r->gfp, "__GFP_HIGH");
	const char *letters = is_movable(r) ? "UMEC" : is_atomic ? "UMEH" : "UME";
	int largest = -1;

	for (unsigned int o = 0; o < z->orders; o++)
		if (z->free_blocks[o] && (!*z->types[o] || strpbrk(z->types[o], letters)))
			largest = (int)o;
	return largest;
}

/* Whether larger blocks are free that are of a type alone, by its letter. */
static bool has_block_of(const struct oom_report *r, const struct mem_zone *z, int largest,
			 char type)
{
	for (unsigned int o = largest < 0 ? 0 : (unsigned int)largest + 1; o < z->orders; o++)
		if ((int)o >= r->order && z->free_blocks[o] && strchr(z->types[o], type))
			return true;
	return false;
}

/* Pages that the reserve for lower zones keeps from a request whose highest zone is that one. */
static bool reserve_of(const struct mem_info *m, const struct mem_zone *z, int highest,
		       uint64_t *ret)
{
	unsigned int index = 0;

	if (!z->nreserve)
		return false;
	/* Of each zone of the kernel there is an entry: those that no node has are among them. */
	for (int i = 0; i < highest; i++) {
		bool is_there = false;

		for (unsigned int j = 0; j < m->nzones; j++)
			is_there |= rank(m->zones[j].name) == i;
		index += is_there || (i != rank("HighMem") && i >= rank(m->zones[0].name));
	}
	*ret = z->reserve[index < z->nreserve ? index : z->nreserve - 1];
	return true;
}

/*
 * Free pages that a request of the OOM killer may not have, __zone_watermark_unusable_free(): of highatomic blocks,
 * whose size before 6.13 stands for their free pages, and of CMA unless it asks for movable memory.
 */
static uint64_t unusable_kib(const struct oom_report *r, const struct mem_zone *z)
{
	const struct log_number *highatomic = z->kib[MEM_ZONE_free_highatomic].known
						      ? &z->kib[MEM_ZONE_free_highatomic]
						      : &z->kib[MEM_ZONE_reserved_highatomic];

	return highatomic->value + (is_movable(r) ? 0 : z->kib[MEM_ZONE_free_cma].value);
}

static void add_zone(const struct oom_report *r, const struct mem_zone *z, int highest,
		     struct zone_sum *ret)
{
	const uint64_t page_kib = mem_info_page_kib(&r->mem).value;
	const struct log_number *free = &z->kib[MEM_ZONE_free], *min = &z->kib[MEM_ZONE_min],
				*managed = &z->kib[MEM_ZONE_managed];
	uint64_t reserve, pages, limit, unusable = unusable_kib(r, z) / (page_kib ?: 1);
	bool is_below;
	int largest;

	if (!free->known || !page_kib || rank(z->name) < 0) {
		ret->known = false;
		return;
	}
	pages = free->value / page_kib;
	if (rank(z->name) > highest || !allows_node(r, z, &ret->known)) {
		ret->others_movable &= rank(z->name) > highest;
		zone_sum_other(ret, z->name, z->node.known ? (unsigned int)z->node.value : NO_NODE,
			       pages);
		return;
	}
	if (!min->known || !reserve_of(&r->mem, z, highest, &reserve)) {
		ret->known = false;
		return;
	}
	limit = min->value / page_kib + reserve;
	is_below = pages <= unusable || pages - unusable <= limit;
	/* Below its mark a zone gives no page, whatever its blocks are; above it has one. */
	if (!z->orders && !is_below && r->order) {
		ret->known = false;
		return;
	}
	largest = z->orders ? largest_of(r, z) : 0;
	ret->free += pages;
	ret->has_blocks = r->order > 0 && z->orders && (ret->has_blocks || !ret->zones);
	for (unsigned int o = r->order > 0 ? (unsigned int)r->order : z->orders; o < z->orders; o++)
		ret->in_blocks += z->free_blocks[o] << o;
	ret->kept += limit;
	ret->is_empty = (ret->is_empty || !ret->zones) && managed->known && !managed->value;
	ret->managed = managed->known && (ret->managed || !ret->zones)
			       ? ret->managed + managed->value / page_kib
			       : 0;
	if (!is_movable(r))
		ret->cma += z->kib[MEM_ZONE_free_cma].value / page_kib;
	ret->file += (z->kib[MEM_ZONE_active_file].value + z->kib[MEM_ZONE_inactive_file].value) /
		     page_kib;
	ret->below += is_below;
	ret->no_block += !is_below && largest < r->order;
	ret->is_in_cma |= !is_below && !is_movable(r) && has_block_of(r, z, largest, 'C');
	ret->is_in_highatomic |= !is_below && has_block_of(r, z, largest, 'H');
	ret->served += !is_below && largest >= r->order;
	/* What lies below the mark of a zone the request may not take, be it one block. */
	ret->largest = !is_below && largest > ret->largest ? largest : ret->largest;
	ret->zone = z->name;
	ret->node = (unsigned int)z->node.value;
	ret->zones++;
}

/* Of nodes that a request may not use the report has no zones, see SHOW_MEM_FILTER_NODES: but the sum of all. */
static void add_other_nodes(const struct oom_report *r, struct zone_sum *ret)
{
	const struct log_number *free = &r->mem.pages[MEM_free];
	uint64_t there = ret->free + ret->other_free;

	/* With panic_on_oom=2 the kernel panics before it prints the constraint. */
	if ((!strcmp(r->constraint, "CONSTRAINT_CPUSET") ||
	     !strcmp(r->constraint, "CONSTRAINT_MEMORY_POLICY") ||
	     (!*r->constraint && r->outcome == OOM_PANICKED)) &&
	    r->mem.pagecache.known && free->known && free->value > there) {
		ret->others_movable = false;
		zone_sum_other(ret, "", NO_NODE, free->value - there);
	}
}

/*
 * __show_free_areas() with max_zone_idx leaves out zones that the request may not use (seen in 7.3): what
 * those it has reserve for requests of higher zones tells that these have pages.
 */
static void add_hidden_zones(const struct oom_report *r, int highest, struct zone_sum *ret)
{
	const struct log_number *free = &r->mem.pages[MEM_free];
	/* Above it a kernel of 64 bits has no other. */
	const bool is_movable_alone = highest == rank("Normal") && has_zone(&r->mem, "DMA32");
	bool is_hidden = false;

	for (unsigned int i = 0; i < r->mem.nzones; i++) {
		const struct mem_zone *z = &r->mem.zones[i];
		uint64_t reserve;

		if (rank(z->name) > highest)
			return;
		is_hidden |= z->nreserve && reserve_of(&r->mem, z, highest, &reserve) &&
			     z->reserve[z->nreserve - 1] > reserve;
	}
	if (is_hidden && r->mem.pagecache.known && free->known &&
	    free->value > ret->free + ret->other_free)
		zone_sum_other(ret, is_movable_alone ? "Movable" : "", NO_NODE,
			       free->value - ret->free - ret->other_free);
}

bool log_zone_sum(const struct oom_report *r, struct zone_sum *ret)
{
	int highest = highest_zone_of(r);

	/* One whose line is lost may be the one that serves the request. */
	*ret = (struct zone_sum){ .known = r->has_mem_info && r->mem.nzones && highest >= 0 &&
					   mem_info_has_zones(&r->mem),
				  .others_movable = highest == rank("Normal"),
				  .largest = -1 };
	for (unsigned int i = 0; ret->known && i < r->mem.nzones; i++)
		add_zone(r, &r->mem.zones[i], highest, ret);
	if (ret->known) {
		add_other_nodes(r, ret);
		add_hidden_zones(r, highest, ret);
	}
	return ret->known;
}

uint64_t log_zones_cma(const struct oom_report *r)
{
	/* Flags whose names are unknown may allow it. */
	if (!r->has_mem_info || highest_zone(r->gfp) < 0 || is_movable(r))
		return 0;
	return r->mem.pages[MEM_free_cma].value;
}

bool log_zones_have_node(const struct oom_report *r, uint64_t node)
{
	const struct mem_zone z = { .node = { true, node } };
	bool is_known = r->has_mem_info && highest_zone(r->gfp) == rank("Movable");

	return allows_node(r, &z, &is_known) && is_known;
}

bool log_nodes_sum(const struct oom_report *r, struct log_nodes *ret)
{
	const struct mem_info *m = &r->mem;
	const uint64_t page_kib = mem_info_page_kib(m).value;
	struct log_nodes sum = { .has_shmem = true };

	for (unsigned int i = 0; page_kib && i < m->nnodes; i++) {
		if (!log_zones_have_node(r, m->nodes[i].node))
			continue;
		sum.has_shmem &= m->nodes[i].shmem_kib.known;
		sum.anon += m->nodes[i].lru_anon_kib / page_kib;
		sum.shmem += m->nodes[i].shmem_kib.value / page_kib;
	}
	if (!sum.anon || (sum.has_shmem && sum.shmem > sum.anon))
		return false;
	sum.anon -= sum.has_shmem ? sum.shmem : 0;
	*ret = sum;
	return true;
}

bool log_zones_above_high(const struct oom_report *r)
{
	for (unsigned int i = 0; i < r->mem.nzones; i++) {
		const struct mem_zone *z = &r->mem.zones[i];
		const struct log_number *free = &z->kib[MEM_ZONE_free],
					*high = &z->kib[MEM_ZONE_high];

		if (!free->known || !high->known ||
		    free->value <= high->value + z->kib[MEM_ZONE_free_cma].value)
			return false;
	}
	return r->has_mem_info && r->mem.nzones && mem_info_has_zones(&r->mem);
}
