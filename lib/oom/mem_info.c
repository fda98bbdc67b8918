// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/mem_info.h"
#include "log/log_marks.h"
#include "util/array.h"

#include <ctype.h>
#include <string.h>

#define MEM_COUNTER(name) #name,
const char *const mem_counter_names[MEM_NCOUNTERS] = { MEM_COUNTERS(MEM_COUNTER) };
static const char *const zone_counter_names[MEM_ZONE_NCOUNTERS] = { MEM_ZONE_COUNTERS(
	MEM_COUNTER) };
#undef MEM_COUNTER

/* zone_names[] of mm/page_alloc.c, later mm/show_mem.c. */
static const char *const zone_names[] = {
	"DMA", "DMA32", "Normal", "HighMem", "Movable", "Device"
};

static bool is_name_char(char c)
{
	/* "mapped-anon:1" of 2.6.18 */
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c && strchr("_()-", c));
}

/* "name:123kB" at text: the first value of a known name stays. NULL: no such item. */
static const char *take_item(const char *text, const char *unit, const char *const *names, size_t n,
			     struct log_number *values)
{
	size_t len = 0, unit_len = strlen(unit);
	const char *rest;
	uint64_t value;

	while (is_name_char(text[len]))
		len++;
	if (!len || text[len] != ':')
		return NULL;
	/* "shmem_thp: 0kB" of 4.8 to 5.15 */
	rest = text + len + 1;
	rest = log_take_figure(rest + (*rest == ' '), &value);
	/* reserved_highatomic was in KB before 7.0. */
	if (!rest || strncasecmp(rest, unit, unit_len))
		return NULL;
	rest += unit_len;
	if (*rest && *rest != ' ' && *rest != '\n')
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (strlen(names[i]) == len && !strncasecmp(names[i], text, len) &&
		    !values[i].known)
			values[i] = (struct log_number){ true, value };
	return rest;
}

/* Up to 4.7 a zone has what nodes have since, and behind it "pages_scanned:0 all_unreclaimable? no". */
#define SCANNED "pages_scanned:"

/* All items up to the end; false: the text is something else. */
static bool take_items(const char *text, const char *unit, const char *const *names, size_t n,
		       struct log_number *values)
{
	for (text += strspn(text, " \n"); *text && !log_after(text, SCANNED);
	     text += strspn(text, " \n")) {
		text = take_item(text, unit, names, n, values);
		if (!text)
			return false;
	}
	return true;
}

/* Whether a line of show_free_areas() goes on behind a counter, 3.10 to 7.3. */
static bool goes_on_behind(size_t which, const char *next_line)
{
	static const bool ends[MEM_NCOUNTERS] = {
		[MEM_isolated_anon] = true, [MEM_isolated_file] = true,
		[MEM_writeback] = true, /* since 5.8 */
		[MEM_unstable] = true,	    [MEM_slab_unreclaimable] = true,
		[MEM_bounce] = true,	    [MEM_kernel_misc_reclaimable] = true,
		[MEM_free_cma] = true,
	};

	/* Since 6.1. */
	if (which == MEM_pagetables)
		return !log_after(next_line, "sec_pagetables:");
	return !ends[which];
}

/* The number that ends a line is of one that may have been cut, where the kernel has more in that line. */
static void drop_cut(const char *text, struct log_number pages[MEM_NCOUNTERS])
{
	for (const char *end = text + strcspn(text, "\n"), *line = text;;
	     line = end + 1, end = line + strcspn(line, "\n")) {
		const char *item = end, *next = end + strspn(end, " \n");

		while (item > line && item[-1] != ' ')
			item--;
		for (size_t i = 0; i < MEM_NCOUNTERS; i++) {
			const char *number = log_after(item, mem_counter_names[i]);

			if (number && *number == ':' && goes_on_behind(i, next))
				pages[i].known = false;
		}
		if (!*end)
			return;
	}
}

#define FEW_DAMAGED 2 /* words */

/* Two values: a console may have printed the same line twice. */
static bool has_two(const char *text, const char *name)
{
	uint64_t first = 0, value;
	bool is_seen = false;

	for (text += strspn(text, " \n"); *text; text += strspn(text, " \n")) {
		const char *end = log_after(text, name);

		if (end && *end == ':' && log_take_figure(end + 1, &value)) {
			if (is_seen && value != first)
				return true;
			is_seen = true;
			first = value;
		}
		text += strcspn(text, " \n");
	}
	return false;
}

/* The first word may be damaged: the next one is never the first of a line. */
static bool begins_counters(const char *text)
{
	const char *next = text + strcspn(text, " \n");
	const char *number = *next == ' ' ? log_after(next + 1, "inactive_anon:") : NULL;

	return log_begins_counters(text) || (number && isdigit((unsigned char)*number));
}

/* "dir", "shmem;0", "slab_unreclaim": what is left of a counter. Words of other lines do not begin as these do. */
static bool is_of_counter(const char *text)
{
	size_t len = 0;

	while (is_name_char(text[len]))
		len++;
	return len && ANY_OF(i, MEM_NCOUNTERS, !strncmp(text, mem_counter_names[i], len));
}

/* A blank stands in a number: what comes before it is a part. */
static bool drop_split(const char *before, const char *text, size_t len, struct log_number *pages)
{
	if (!before || strspn(text, "0123456789") != len)
		return false;
	for (size_t i = 0; i < MEM_NCOUNTERS; i++) {
		const char *number = log_after(before, mem_counter_names[i]);

		if (number && *number == ':')
			pages[i].known = false;
	}
	return true;
}

/*
 * The same as take_items(), of counters of which few words are damaged, *damaged: what they have is unknown. Words of other
 * lines have no colons.
 */
static bool take_most_items(const char *text, struct log_number *pages, unsigned int *damaged)
{
	const char *before = NULL;
	unsigned int read = 0;

	*damaged = 0;
	for (text += strspn(text, " \n"); *text; text += strspn(text, " \n")) {
		const char *next = take_item(text, "", mem_counter_names, MEM_NCOUNTERS, pages);
		const size_t len = strcspn(text, " \n");

		/* Behind the last of these stands what a mail left of other lines: "active_file:416796kB". */
		if (!next && pages[MEM_free].known) {
			*damaged += len < 2 || strncmp(text + len - 2, "kB", 2) != 0;
			break;
		}
		if (!next &&
		    (++*damaged > FEW_DAMAGED || (!memchr(text, ':', len) && !is_of_counter(text) &&
						  !drop_split(before, text, len, pages))))
			return false;
		read += next != NULL;
		before = next ? text : NULL;
		text = next ?: text + len;
	}
	return read > *damaged;
}

/* What lines that are lost have is unknown, and the rest stays. */
static bool take_counters(struct mem_info *m, const char *text)
{
	struct log_number pages[MEM_NCOUNTERS] = { 0 };
	unsigned int damaged;
	/* 2.6.28 to 2.6.31 have three counters in the first line, kernels before them one of each list. */
	const bool is_old = log_after(text, "Active_anon:") || log_after(text, "Active:");

	/* The first of these lines is lost. */
	text = log_after(text, "Mem-Info:\n") ?: text;
	if (!begins_counters(text) || !take_most_items(text, pages, &damaged))
		return false;
	m->is_joined = ANY_OF(i, MEM_NCOUNTERS, has_two(text, mem_counter_names[i]));
	if (m->is_joined)
		return true;
	if (!is_old)
		drop_cut(text, pages);
	for (size_t i = 0; i < MEM_NCOUNTERS; i++)
		if (!m->pages[i].known)
			m->pages[i] = pages[i];
	m->is_old |= is_old;
	m->lacks_counter |= damaged != 0;
	m->is_part = !is_old && !log_after(text, "active_anon:");
	return true;
}

/* "Node 0 DMA32", "DMA32": what follows; NULL: no zone. */
static const char *take_zone(const char *text, struct mem_zone *z)
{
	const char *rest = log_after(text, "Node ");

	if (rest) {
		text = log_take_figure(rest, &z->node.value);
		if (!text || *text++ != ' ')
			return NULL;
		z->node.known = true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(zone_names); i++) {
		rest = log_after(text, zone_names[i]);
		if (rest && (*rest == ' ' || *rest == ':')) {
			strcpy(z->name, zone_names[i]);
			return rest;
		}
	}
	return NULL;
}

#define STACKS MEM_INFO_LISTS

/* "Node 0 active_anon:89728kB ... kernel_stack:1576kB ... all_unreclaimable? yes Balloon:0kB" */
static bool take_items_of_node(struct mem_info *m, const char *text, uint64_t node)
{
	/* In the order of the counters of the system. */
	static const char *const names[] = { "active_anon", "inactive_anon", "isolated(anon)",
					     "active_file", "inactive_file", "kernel_stack",
					     "gpu_active",  "gpu_reclaim",   "Balloon",
					     "shmem",	    "isolated(file)" };
	struct log_number kib[ARRAY_SIZE(names)] = { 0 };
	struct log_number *const sums[ARRAY_SIZE(names)] = {
		[STACKS] = &m->node_stacks_kib, &m->gpu_kib, &m->gpu_kib, &m->balloon_kib, NULL,
		&m->isolated_file_kib
	};
	struct log_number same[MEM_NCOUNTERS] = { 0 };

	for (const char *item = text; *item; item += strcspn(item, " "), item += *item == ' ')
		take_item(item, "kB", mem_counter_names, MEM_NCOUNTERS, same);
	for (size_t i = 0; i < MEM_NCOUNTERS; i++)
		m->nodes_kib[i] += same[i].value;
	for (size_t i = 0; i < MEM_NCOUNTERS; i++)
		m->nodes_with[i] += same[i].known;
	while (!log_after(text, "all_unreclaimable?")) {
		text = take_item(text, "kB", names, ARRAY_SIZE(names), kib);
		if (text && *text == ' ') {
			text++;
			continue;
		}
		/* Behind the stacks nothing is lost that is summed up, but what came with 6.16. */
		if ((text && *text) || !kib[STACKS].known)
			return false;
		m->cuts_node = true;
		text = "";
		break;
	}
	for (size_t i = 0; i < MEM_INFO_LISTS; i++)
		m->node_kib[i] += kib[i].value;
	text += *text ? strlen("all_unreclaimable?") : 0;
	text += strcspn(text + (*text == ' '), " ") + (*text == ' ');
	/* Since 6.16; what is cut there leaves it unknown. */
	while (text && *text == ' ')
		text = take_item(text + 1, "kB", names, ARRAY_SIZE(names), kib);
	for (size_t i = MEM_INFO_LISTS; i < ARRAY_SIZE(names); i++)
		if (kib[i].known && sums[i])
			*sums[i] = (struct log_number){ true, sums[i]->value + kib[i].value };
	/* A list whose number does not come has none in any node, as sums have it. */
	if (m->nnodes < MEM_INFO_NODES)
		m->nodes[m->nnodes++] = (struct mem_node){
			node, kib[0].value + kib[1].value + kib[2].value, kib[MEM_INFO_LISTS + 4]
		};
	return true;
}

/* A line that was cut leaves sums of the nodes unknown. */
static bool take_node(struct mem_info *m, const char *text)
{
	uint64_t node;

	text = log_after(text, "Node ");
	text = text ? log_take_figure(text, &node) : NULL;
	text = text ? log_after(text, " ") : NULL;
	if (!text || !log_after(text, "active_anon:"))
		return false;
	m->lacks_node |= !take_items_of_node(m, text, node);
	return true;
}

/* Sizes are those of levels of page tables, or of several entries of one. */
static bool is_huge_size(uint64_t kib)
{
	return kib && kib <= UINT32_MAX && !(kib & (kib - 1));
}

/* "Node 0 hugepages_total=3 hugepages_free=3 hugepages_surp=0 hugepages_size=2048kB" */
static bool take_hugetlb(struct mem_info *m, const char *text)
{
	uint64_t node, total, free, surplus, kib;
	const char *rest = log_after(text, "Node ");

	if (rest)
		rest = log_take_figure(rest, &node);
	rest = rest ? log_after(rest, " hugepages_total=") : NULL;
	rest = rest ? log_take_figure(rest, &total) : NULL;
	rest = rest ? log_after(rest, " hugepages_free=") : NULL;
	rest = rest ? log_take_figure(rest, &free) : NULL;
	rest = rest ? log_after(rest, " hugepages_surp=") : NULL;
	rest = rest ? log_take_figure(rest, &surplus) : NULL;
	rest = rest ? log_after(rest, " hugepages_size=") : NULL;
	rest = rest ? log_take_figure(rest, &kib) : NULL;
	if (!rest || strcmp(rest, "kB") || total > UINT32_MAX || free > total ||
	    !is_huge_size(kib)) {
		m->lacks_huge |= strstr(text, " hugepages_") != NULL;
		return false;
	}
	m->hugetlb_kib = (struct log_number){ true, m->hugetlb_kib.value + total * kib };
	m->hugetlb_free_kib = (struct log_number){ true, m->hugetlb_free_kib.value + free * kib };
	if (total && m->nhuge < MEM_INFO_HUGE)
		m->huge[m->nhuge++] = (struct mem_huge){ node, kib, total, free };
	else
		m->huge_more += total != 0;
	return true;
}

/* The counters were read one behind the other, at a time when they changed. */
#define NEARLY 32

static bool is_near(uint64_t a, uint64_t b)
{
	return a && a + a / NEARLY >= b && b + b / NEARLY >= a;
}

/* What makes free pages and those of RAM what zones have of both in KiB: a zone may be missing, as no line tells. */
static bool fits_zones(const struct mem_info *m, uint64_t kib)
{
	uint64_t free = 0, present = 0;

	for (unsigned int i = 0; i < m->nzones; i++) {
		free += m->zones[i].kib[MEM_ZONE_free].value;
		present += m->zones[i].kib[MEM_ZONE_present].value;
	}
	return m->pages[MEM_free].known && m->ram.known && m->ram.value < UINT64_MAX / 64 &&
	       is_near(m->pages[MEM_free].value * kib, free) &&
	       is_near(m->ram.value * kib, present);
}

struct log_number mem_info_page_kib(const struct mem_info *m)
{
	if (m->page_kib.known)
		return m->page_kib;
	for (uint64_t kib = 4; kib <= 64; kib *= 4)
		if (fits_zones(m, kib))
			return (struct log_number){ true, kib };
	for (uint64_t kib = 4; kib <= 64; kib *= 4) {
		uint64_t pages = 0;
		bool fits = true;

		for (size_t i = 0; fits && i < MEM_INFO_LISTS; i++) {
			fits = m->pages[i].known && m->pages[i].value < UINT64_MAX / 64 &&
			       m->pages[i].value * kib == m->node_kib[i];
			pages |= m->pages[i].value;
		}
		if (fits && pages)
			return (struct log_number){ true, kib };
	}
	return (struct log_number){ 0 };
}

static const struct mem_zone *find_zone(const struct mem_info *m, const struct mem_zone *z)
{
	return FIND_IN(m->zones, m->nzones,
		       !strcmp(found->name, z->name) && found->node.known == z->node.known &&
			       found->node.value == z->node.value);
}

static struct mem_zone *same_zone(struct mem_info *m, const struct mem_zone *z)
{
	const struct mem_zone *found = find_zone(m, z);

	return found ? &m->zones[found - m->zones] : NULL;
}

static bool take_zone_counters(struct mem_info *m, const char *text)
{
	struct mem_zone z = { 0 };
	const char *rest = take_zone(text, &z);

	if (!rest || !log_after(rest, " free:"))
		return false;
	if (!take_items(rest, "kB", zone_counter_names, MEM_ZONE_NCOUNTERS, z.kib) ||
	    !z.kib[MEM_ZONE_min].known) {
		m->lacks_zone = true;
		m->open_zone = 0;
		return true;
	}
	if (m->nzones == MEM_INFO_ZONES || same_zone(m, &z)) {
		m->zones_more |= !same_zone(m, &z);
		m->open_zone = 0;
		return true;
	}
	m->zones[m->nzones++] = z;
	m->open_zone = m->nzones;
	return true;
}

static bool take_reserve(struct mem_info *m, const char *text)
{
	const char *rest = log_after(text, "lowmem_reserve[]:");
	uint64_t values[MEM_INFO_ZONES];
	unsigned int n = 0;

	if (!rest)
		return false;
	while (*rest == ' ' && n < MEM_INFO_ZONES) {
		rest = log_take_figure(rest + 1, &values[n]);
		if (!rest)
			return false;
		n++;
	}
	if (*rest)
		return false;
	if (m->open_zone) {
		memcpy(m->zones[m->open_zone - 1].reserve, values, n * sizeof(values[0]));
		m->zones[m->open_zone - 1].nreserve = n;
	}
	m->open_zone = 0;
	return true;
}

/* " 2*4kB (UM)": blocks of an order and the migrate types that have some. */
static const char *take_order(const char *text, struct mem_zone *z, uint64_t *page_kib)
{
	uint64_t size, blocks;
	const char *types;
	size_t len;

	text = *text == ' ' ? log_take_figure(text + 1, &blocks) : NULL;
	if (!text || *text != '*')
		return NULL;
	text = log_take_figure(text + 1, &size);
	text = text ? log_after(text, "kB") : NULL;
	if (!text || z->orders == MEM_INFO_ORDERS)
		return NULL;
	if (!z->orders)
		*page_kib = size;
	if (size != *page_kib << z->orders)
		return NULL;
	types = log_after(text, " (");
	if (types) {
		len = strcspn(types, ")");
		if (types[len] != ')' || len >= MEM_INFO_TYPES)
			return NULL;
		log_copy(z->types[z->orders], MEM_INFO_TYPES, types, len);
		text = types + len + 1;
	}
	z->free_blocks[z->orders++] = blocks;
	return text;
}

static bool take_blocks(struct mem_info *m, const char *text)
{
	struct mem_zone z = { 0 }, *to;
	const char *rest = take_zone(text, &z);
	uint64_t total, page_kib = 0, sum = 0;

	rest = rest ? log_after(rest, ":") : NULL;
	/* The kernel ends the name with ": ", each order with a blank of its own. */
	while (rest && *rest == ' ' && rest[1] != '=')
		rest = take_order(rest, &z, &page_kib);
	rest = rest ? log_after(rest, " = ") : NULL;
	rest = rest ? log_take_figure(rest, &total) : NULL;
	if (!rest || strcmp(rest, "kB") || !z.orders)
		return false;
	for (unsigned int i = 0; i < z.orders; i++)
		sum += z.free_blocks[i] * (page_kib << i);
	/* A number of it lost a digit. */
	if (sum != total)
		return true;
	if (!m->page_kib.known)
		m->page_kib = (struct log_number){ true, page_kib };
	to = same_zone(m, &z);
	m->lacks_zone |= !to && !m->zones_more;
	if (to && !to->orders) {
		memcpy(to->free_blocks, z.free_blocks, sizeof(z.free_blocks));
		memcpy(to->types, z.types, sizeof(z.types));
		to->orders = z.orders;
	}
	return true;
}

/* "65406 pages RAM", "Free swap  = 0kB" */
static bool take_total(struct mem_info *m, const char *text)
{
	const struct {
		const char *before, *behind;
		struct log_number *to;
	} totals[] = {
		{ "", " total pagecache pages", &m->pagecache },
		{ "", " pages in swap cache", &m->swap_cache },
		{ "Free swap  = ", "kB", &m->free_swap_kib },
		{ "Total swap = ", "kB", &m->total_swap_kib },
		/* A page shows two blanks as one. */
		{ "Free swap = ", "kB", &m->free_swap_kib },
		{ "", " pages RAM", &m->ram },
		{ "", " pages reserved", &m->reserved },
		/* arm up to 3.15 */
		{ "", " pages of RAM", &m->ram },
		{ "", " reserved pages", &m->reserved },
	};

	for (size_t i = 0; i < ARRAY_SIZE(totals); i++) {
		const char *rest = log_after(text, totals[i].before);
		uint64_t value;

		rest = rest ? log_take_figure(rest, &value) : NULL;
		if (!rest || strcmp(rest, totals[i].behind))
			continue;
		if (!totals[i].to->known)
			*totals[i].to = (struct log_number){ true, value };
		return true;
	}
	return false;
}

bool mem_info_goes_on(const struct mem_info *m, const struct mem_info *record)
{
	return !m->pages[MEM_free].known &&
	       !ANY_OF(i, MEM_NCOUNTERS,
		       m->pages[i].known && record->pages[i].known &&
			       m->pages[i].value != record->pages[i].value);
}

bool mem_info_has(const struct mem_info *m, const struct mem_info *record)
{
	const struct {
		const struct log_number *here, *there;
	} sums[] = {
		{ &m->pagecache, &record->pagecache },
		{ &m->swap_cache, &record->swap_cache },
		{ &m->free_swap_kib, &record->free_swap_kib },
		{ &m->total_swap_kib, &record->total_swap_kib },
		{ &m->ram, &record->ram },
		{ &m->reserved, &record->reserved },
	};

	return ANY_OF(i, ARRAY_SIZE(sums), sums[i].here->known && sums[i].there->known) ||
	       (record->nzones && find_zone(m, &record->zones[0]));
}

enum mem_info_part mem_info_record(struct mem_info *m, const char *text)
{
	if (take_counters(m, text))
		return MEM_INFO_COUNTERS;
	if (take_node(m, text) || take_zone_counters(m, text) || take_reserve(m, text))
		return MEM_INFO_ZONE;
	if (take_blocks(m, text))
		return MEM_INFO_BLOCKS;
	return take_hugetlb(m, text) || take_total(m, text) ? MEM_INFO_TOTALS : MEM_INFO_NONE;
}
