// SPDX-License-Identifier: GPL-2.0-or-later
/* Texts of a kernel that runs, as /proc has them and as reports of a machine keep them. */
#include <ctype.h>
#include <stdlib.h>

#include "cli/baseline_side.h"
#include "dump/layout.h"

#define NAME_BYTES 128 /* KSYM_NAME_LEN up to 6.0; the formats of sscanf() have it */
#define KB 1024

static bool begins(const char *line, const char *text)
{
	return !strncmp(line, text, strlen(text));
}

/* Sizes of a file are hostile as well: one that has no room is unknown. */
static struct cell product(uint64_t a, uint64_t b, uint64_t c)
{
	int64_t n;
	bool over = __builtin_mul_overflow(a, b, &n);

	over |= __builtin_mul_overflow(n, c, &n) || n < 0;
	return cell_if(!over, cell_int(n));
}

/* slabinfo_show() of mm/slab_common.c; objects that are active there are those with free ones of CPUs. */
static bool slabinfo_begins(const char *line)
{
	return begins(line, "slabinfo - version: 2");
}

static size_t slabinfo_once(const char *line)
{
	return slabinfo_begins(line) ? strlen(line) : 0;
}

static enum status slabinfo_line(struct baseline_side *s, char *line)
{
	unsigned long active, objects, pages, slabs;
	char name[NAME_BYTES];

	if (*line == '#' || !*line || slabinfo_begins(line))
		return ST_OK;
	if (sscanf(line, "%127s %lu %lu %*u %*u %lu : tunables %*u %*u %*u : slabdata %*u %lu",
		   name, &active, &objects, &pages, &slabs) != 5)
		return ST_ABSENT;
	if (baseline_row(s) != ST_OK)
		return ST_USAGE;
	baseline_put_text(s, COLUMN_cache, name);
	baseline_put(s, COLUMN_bytes, product(slabs, pages, s->page_size));
	baseline_put(s, COLUMN_active_objects, product(active, 1, 1));
	return ST_OK;
}

const struct baseline_text baseline_slabinfo = {
	.name = "/proc/slabinfo",
	.place = "proc/slabinfo",
	.begins = slabinfo_begins,
	.once = slabinfo_once,
	.line = slabinfo_line,
	.must = "kmem_cache", /* the first cache that a kernel makes is the last line */
	.rests = "each cache: where lines were left out the text does not show it",
	.note = "/proc/slabinfo does not tell which caches are merged: one that is new, or gone, may have "
		"been counted in another",
};

/* s_show() of mm/vmalloc.c: "0xA-0xB SIZE caller+0x1/0x2 [module] pages=N vmalloc N0=N" */
static bool vmallocinfo_begins(const char *line)
{
	unsigned long first, end;

	return begins(line, "0x") && sscanf(line, "%lx-%lx", &first, &end) == 2;
}

/* The addresses of an area, unless kernel.kptr_restrict hides those of all. */
static size_t vmallocinfo_once(const char *line)
{
	unsigned long first;

	return vmallocinfo_begins(line) && sscanf(line, "%lx", &first) == 1 && first
		       ? strcspn(line, " ")
		       : 0;
}

static enum status vmallocinfo_line(struct baseline_side *s, char *line)
{
	unsigned long pages = 0;
	char caller[2 * NAME_BYTES], module[NAME_BYTES] = "";
	bool has_caller, is_gone;
	const char *at = strstr(line, " pages=");
	int n = 0;

	if (!*line)
		return ST_OK;
	if (sscanf(line, "%*x-%*x %*u %127s%n", caller, &n) != 1 || !n)
		return ST_ABSENT;
	if (at)
		pages = strtoul(at + strlen(" pages="), NULL, 10);
	/* "unpurged vm_area", "vm_map_ram": no function has them. */
	is_gone = begins(caller, "0x"); /* text that is not mapped any more: of init, or unloaded */
	has_caller = is_gone || strchr(caller, '+');
	caller[strcspn(caller, "+")] = '\0';
	if (is_gone)
		strcat(caller, " [gone]");
	if (sscanf(line + n, " [%127[^]]]", module) == 1)
		snprintf(caller + strlen(caller), sizeof(caller) - strlen(caller), " [%.*s]",
			 NAME_BYTES - 4, module);
	if (baseline_row(s) != ST_OK)
		return ST_USAGE;
	if (has_caller) {
		baseline_put_text(s, COLUMN_caller, caller);
		baseline_put_text(s, COLUMN_module,
				  is_gone   ? "[gone]"
				  : *module ? module
					    : "vmlinux");
	}
	/* Areas of the per-CPU allocator have pages that are not told. */
	baseline_put(s, COLUMN_bytes,
		     cell_if(at || !strstr(line, " vmalloc"), product(pages, 1, s->page_size)));
	baseline_put(s, COLUMN_areas, cell_int(1));
	return ST_OK;
}

const struct baseline_text baseline_vmallocinfo = {
	.name = "/proc/vmallocinfo",
	.place = "proc/vmallocinfo",
	.begins = vmallocinfo_begins,
	.once = vmallocinfo_once,
	.line = vmallocinfo_line,
	.must = "unpurged vm_area", /* the last ones: threads that ended leave some, up to the next purge */
	.rests =
		"each area: where lines before the last ones were left out the text does not show it",
	.or_names = true,
	.has_many = true,
};

#define CLASS_DIRECT "direct"

/* meminfo_proc_show() of fs/proc/meminfo.c: the counter of each class, by what the view calls it. */
struct meminfo {
	struct hash_bytes values; /* of int64_t, in bytes, by name */
};

static bool meminfo_begins(const char *line)
{
	return begins(line, "MemTotal:");
}

static size_t meminfo_once(const char *line)
{
	return meminfo_begins(line) ? strlen("MemTotal:") : 0;
}

static enum status meminfo_line(struct baseline_side *s, char *line)
{
	struct meminfo *m = s->own;
	char name[NAME_BYTES], unit[4] = "";
	unsigned long n;

	if (!m) {
		s->own = m = dump_alloc(s->dump, sizeof(*m));
		hash_bytes_init(&m->values, s->dump->arena, sizeof(int64_t));
	}
	if (!*line)
		return ST_OK;
	if (sscanf(line, "%127[^:]: %lu %3s", name, &n, unit) < 2)
		return ST_ABSENT;
	/* Without a unit. */
	if (!*unit && begins(name, "HugePages_") && n <= INT64_MAX / KB)
		*(int64_t *)hash_bytes_get(&m->values, name, strlen(name), NULL)->value =
			(int64_t)n;
	if (strcmp(unit, "kB") || n > INT64_MAX / KB)
		return ST_OK;
	*(int64_t *)hash_bytes_get(&m->values, name, strlen(name), NULL)->value = n * KB;
	if (meminfo_begins(line)) {
		s->has_mem_total = true;
		s->mem_total_bytes = n * KB;
	}
	return ST_OK;
}

/* "Cached + Buffers - Shmem"; false: the text lacks one of them. */
static bool meminfo_sum(const struct meminfo *m, const char *counter, int64_t *ret)
{
	bool minus = false;

	*ret = 0;
	while (*counter) {
		size_t len = strcspn(counter, " ");
		const int64_t *value = hash_bytes_find(&m->values, counter, len);

		if (!value)
			return false;
		*ret += minus ? -*value : *value;
		counter += len;
		minus = begins(counter, " - ");
		if (!minus && !begins(counter, " + "))
			return !*counter;
		counter += 3;
	}
	return false;
}

/* Not in each kernel's meminfo, or in none. */
static bool may_lack(const char *counter)
{
	return begins(counter, "System RAM") || !strcmp(counter, "nr_zspages") ||
	       !strcmp(counter, "Balloon");
}

/* VmallocUsed has the stacks as well. */
static enum status has_stacks(struct dump *d, bool *ret)
{
	static const struct layout_row row = {
		"struct task_struct", { "stack_vm_area" }, OPTIONAL, "CONFIG_VMAP_STACK"
	};
	struct field f;
	enum status st = layout_resolve(d, &row, 1, &f);

	*ret = st == ST_OK && f.present;
	return st;
}

/*
 * Direct memory has no counter: it is what all others leave of MemTotal, on both sides. name: "direct, zsmalloc" where the
 * text lacks a counter of a class, which has its pages of these on both.
 */
static void put_rest(struct baseline_side *s, const struct baseline_row *direct,
		     struct baseline_side *now, const char *name, int64_t counted,
		     int64_t counted_now)
{
	size_t pages = baseline_index(now, COLUMN_counted_pages);
	struct cell *cell = direct ? (struct cell *)&direct->cells[pages] : NULL;

	if (!cell || cell->kind != CELL_NULL || !s->has_mem_total || !now->has_mem_total ||
	    baseline_row(s) != ST_OK)
		return;
	*cell = cell_int((int64_t)(now->mem_total_bytes / now->page_size) - counted_now);
	*(struct cell *)&direct->cells[baseline_index(now, COLUMN_class)] = cell_text(name);
	baseline_put_text(s, COLUMN_class, name);
	baseline_put(s, COLUMN_counted_pages,
		     cell_int((int64_t)(s->mem_total_bytes / s->page_size) - counted));
}

static bool has_class(const struct baseline_side *s, const char *name)
{
	size_t class = baseline_index(s, COLUMN_class);

	return ANY_NEXT(row, s->rows,
			cell_words(&row->cells[class]) &&
				!strcmp(cell_words(&row->cells[class]), name));
}

/* What there was of classes of which nothing is left. */
static void put_gone(struct baseline_side *s, const struct baseline_side *now, int64_t *counted)
{
	const char *name, *counter;
	int64_t bytes;

	for (size_t i = 0; now->baseline->none && (name = now->baseline->none(i, &counter)); i++) {
		if (!counter || has_class(now, name) || !meminfo_sum(s->own, counter, &bytes) ||
		    bytes <= 0 || baseline_row(s) != ST_OK)
			continue;
		baseline_put_text(s, COLUMN_class, name);
		baseline_put(s, COLUMN_counted_pages, cell_int(bytes / (int64_t)s->page_size));
		*counted += bytes / (int64_t)s->page_size;
	}
}

/* What is in use of huge pages, where all of them are of the size that has these counters. */
static void put_used(struct baseline_side *s)
{
	static const char *const names[] = { "HugePages_Total", "HugePages_Free", "Hugepagesize",
					     "Hugetlb" };
	const struct meminfo *m = s->own;
	const int64_t *n[ARRAY_SIZE(names)];
	int64_t bytes;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!(n[i] = hash_bytes_find(&m->values, names[i], strlen(names[i]))))
			return;
	if (*n[1] <= *n[0] && !__builtin_mul_overflow(*n[0], *n[2], &bytes) && bytes == *n[3])
		baseline_put(s, COLUMN_used_bytes, cell_int((*n[0] - *n[1]) * *n[2]));
}

static void meminfo_end(struct baseline_side *s, struct baseline_side *now)
{
	size_t class = baseline_index(now, COLUMN_class);
	size_t column = baseline_index(now, COLUMN_counter);
	size_t pages = baseline_index(now, COLUMN_counted_pages);
	const struct baseline_row *direct = NULL;
	struct strbuf rest = STRBUF_OF(NAME_BYTES);
	int64_t counted = 0, counted_now = 0, stacks = 0, stacks_now = 0;
	bool has_vmalloc = false, in_vmalloc;

	strbuf_add(&rest, CLASS_DIRECT);

	for (const struct baseline_row *row = now->rows; row; row = row->next) {
		const char *counter = cell_words(&row->cells[column]);
		const char *name = cell_words(&row->cells[class]);
		const struct cell *cell = &row->cells[pages];
		int64_t bytes;

		if (name && !strcmp(name, CLASS_DIRECT))
			direct = row;
		if (!name || !counter || cell->kind != CELL_INT)
			continue;
		if (!meminfo_sum(s->own, counter, &bytes)) {
			if (!may_lack(counter))
				s->lacks = dump_text(s->dump, "it has no %s", counter);
			else if (!begins(counter, "System RAM") && cell->i)
				strbuf_add(&rest, ", %s", name);
			continue;
		}
		if (baseline_row(s) != ST_OK)
			return;
		baseline_put_text(s, COLUMN_class, name);
		baseline_put(s, COLUMN_counted_pages, cell_int(bytes / (int64_t)s->page_size));
		if (!strcmp(counter, "Hugetlb"))
			put_used(s);
		counted += bytes / (int64_t)s->page_size;
		counted_now += cell->i;
		has_vmalloc |= !strcmp(counter, "VmallocUsed");
		if (strcmp(counter, "KernelStack"))
			continue;
		stacks = bytes / (int64_t)s->page_size;
		stacks_now = cell->i;
	}
	put_gone(s, now, &counted);
	if (s->lacks || has_stacks(s->dump, &in_vmalloc) != ST_OK)
		return;
	if (has_vmalloc && in_vmalloc) {
		counted -= stacks;
		counted_now -= stacks_now;
	}
	put_rest(s, direct, now, arena_strdup(s->dump->arena, rest.buf), counted, counted_now);
}

const struct baseline_text baseline_meminfo = {
	.name = "/proc/meminfo",
	.place = "proc/meminfo",
	.begins = meminfo_begins,
	.once = meminfo_once,
	.line = meminfo_line,
	.end = meminfo_end,
	.is_part = true,
	.note = "classes are compared by the kernel's counters, which /proc/meminfo has without "
		"what CPUs have not added to them yet: a small difference may be that; direct is what these "
		"leave of MemTotal, free pages in lists of CPUs among it, and a class of which /proc/meminfo has no "
		"counter is named with it",
};

/* frag_show_print() of mm/vmstat.c: "Node 0, zone DMA 1 0 ...", free blocks of each order. */
#define ORDERS 64

static bool is_zone(const char *line, unsigned int *node, char zone[NAME_BYTES], int *end)
{
	*end = 0;
	return sscanf(line, "Node %u, zone %127s%n", node, zone, end) == 2 && *end;
}

/* "Node 0, zone      DMA", of which each text has one line. */
static size_t zone_once(const char *line)
{
	char zone[NAME_BYTES];
	unsigned int node;
	int end;

	return is_zone(line, &node, zone, &end) ? (size_t)end : 0;
}

static bool buddyinfo_begins(const char *line)
{
	char zone[NAME_BYTES];
	unsigned int node;
	int end;

	return is_zone(line, &node, zone, &end) && isdigit(line[end + strspn(line + end, " ")]);
}

static enum status buddyinfo_row(struct baseline_side *s, unsigned int node, const char *zone)
{
	if (baseline_row(s) != ST_OK)
		return ST_USAGE;
	baseline_put(s, COLUMN_node, cell_int(node));
	baseline_put_text(s, COLUMN_zone, zone);
	return ST_OK;
}

static enum status buddyinfo_line(struct baseline_side *s, char *line)
{
	bool by_order = baseline_index(s, COLUMN_order) < s->ncolumns;
	char zone[NAME_BYTES], *end;
	uint64_t pages = 0;
	unsigned int node;
	int at;

	if (!*line)
		return ST_OK;
	if (!is_zone(line, &node, zone, &at))
		return ST_ABSENT;
	for (unsigned int order = 0; order < ORDERS; order++) {
		unsigned long blocks = strtoul(line + at, &end, 10);

		if (end == line + at)
			break;
		at = end - line;
		if (blocks > (uint64_t)INT64_MAX >> order)
			return ST_ABSENT;
		pages += blocks << order;
		if (by_order && buddyinfo_row(s, node, zone) != ST_OK)
			return ST_USAGE;
		if (by_order) {
			baseline_put(s, COLUMN_order, cell_int(order));
			baseline_put(s, COLUMN_blocks, cell_int((int64_t)blocks));
		}
	}
	if (!by_order && buddyinfo_row(s, node, zone) != ST_OK)
		return ST_USAGE;
	if (!by_order)
		baseline_put(s, COLUMN_listed_pages, product(pages, 1, 1));
	return ST_OK;
}

const struct baseline_text baseline_buddyinfo = {
	.name = "/proc/buddyinfo",
	.place = "proc/buddyinfo",
	.begins = buddyinfo_begins,
	.once = zone_once,
	.alike = { "Page block order:", "Number of blocks type" }, /* of /proc/pagetypeinfo */
	.line = buddyinfo_line,
	.has_all = true,
};

/* zoneinfo_show_print() of mm/vmstat.c: of each zone the counter of its free pages. */
static bool zoneinfo_begins(const char *line)
{
	char zone[NAME_BYTES];
	unsigned int node;
	int end;

	return is_zone(line, &node, zone, &end) && !line[end + strspn(line + end, " ")];
}

/* A zone without pages that are managed is listed too; the view has none of it. */
struct zoneinfo {
	unsigned int node;
	char zone[NAME_BYTES];
	unsigned long free;
};

static enum status zoneinfo_line(struct baseline_side *s, char *line)
{
	struct zoneinfo *z = s->own;
	unsigned long managed;
	int end;

	if (!z)
		s->own = z = dump_alloc(s->dump, sizeof(*z));
	if (zoneinfo_begins(line)) {
		is_zone(line, &z->node, z->zone, &end);
		z->free = 0;
	} else if (sscanf(line, " pages free %lu", &z->free) == 1) {
		return ST_OK;
	} else if (sscanf(line, " managed %lu", &managed) == 1 && managed) {
		if (buddyinfo_row(s, z->node, z->zone) != ST_OK)
			return ST_USAGE;
		baseline_put(s, COLUMN_free_pages, product(z->free, 1, 1));
	}
	return ST_OK;
}

const struct baseline_text baseline_zoneinfo = {
	.name = "/proc/zoneinfo",
	.place = "proc/zoneinfo",
	.begins = zoneinfo_begins,
	.once = zone_once,
	.line = zoneinfo_line,
	.has_all = true,
};

/* psi_show() of kernel/sched/psi.c, with the name of the file before each line: "/proc/pressure/io:some avg10=0.18". */
static bool pressure_row(const char *line, char resource[16], char tasks[8], unsigned int avg10[2])
{
	const char *at = strstr(line, "pressure/");

	return at && sscanf(at, "pressure/%15[a-z]:%7[a-z] avg10=%3u.%2u avg60=", resource, tasks,
			    &avg10[0], &avg10[1]) == 4;
}

static bool pressure_begins(const char *line)
{
	char resource[16], tasks[8];

	return pressure_row(line, resource, tasks, (unsigned int[2]){ 0 });
}

static size_t pressure_once(const char *line)
{
	return pressure_begins(line) ? (size_t)(strstr(line, " avg10=") - line) : 0;
}

static enum status pressure_line(struct baseline_side *s, char *line)
{
	char resource[16], tasks[8];
	unsigned int avg10[2];

	if (!*line)
		return ST_OK;
	if (!pressure_row(line, resource, tasks, avg10))
		return ST_ABSENT;
	if (baseline_row(s) != ST_OK)
		return ST_USAGE;
	baseline_put_text(s, COLUMN_resource, resource);
	baseline_put_text(s, COLUMN_stalled_tasks, tasks);
	baseline_put_text(s, COLUMN_cgroup, "/");
	baseline_put(s, COLUMN_avg10_percent, cell_int((int64_t)avg10[0] * 100 + avg10[1]));
	return ST_OK;
}

const struct baseline_text baseline_pressure = {
	.name = "/proc/pressure/* with their names (grep -r . /proc/pressure)",
	.place = "proc/pressure",
	.files = (const char *const[]){ "cpu", "io", "irq", "memory", NULL },
	.begins = pressure_begins,
	.once = pressure_once,
	.line = pressure_line,
	.is_part = true,
};
