// SPDX-License-Identifier: GPL-2.0-or-later
/* What classes of memory have that no row of users has. */
#include "claim_kinds.h"
#include "case.h"
#include "claims.h"
#include "groups.h"
#include "log_source.h"
#include "memory/cgroups.h"
#include "verdict_words.h"

#define KERNEL_OBJECTS "kernel"
#define UNMAPPED "unmapped"

/* Classes of which a user is to be told; in a text of the log some have other names. */
static uint32_t memory_of_class(const char *name)
{
	static const enum page_class told[] = { CLASS_VMALLOC, CLASS_PGTABLE,  CLASS_ANON,
						CLASS_SHMEM,   CLASS_HUGETLB,  CLASS_PERCPU,
						CLASS_KSTACK,  CLASS_ZSMALLOC, CLASS_PAGE_POOL,
						CLASS_DIRECT };

	for (size_t i = 0; i < ARRAY_SIZE(told); i++)
		if (!strcmp(page_class_name(told[i]), name))
			return 1U << told[i];
	/* Of a log, which has a counter of slab. */
	if (!strcmp(name, "rest"))
		return OF_LISTS & ~OF(SLAB);
	/* It is on a list of its own: what is locked, and all of ramfs. */
	if (!strcmp(name, "unevictable"))
		return OF_PROCESSES;
	return !strcmp(name, "anon or shmem") ? OF(ANON) | OF(SHMEM) : 0;
}

/*
 * Of many caches none of which has half of all, and no owner that is known a quarter: these say more.  What is of such
 * owners is theirs.
 */
static void add_slab(struct claims *c, const struct statement *row)
{
	struct claim claim = { .class = row->name, .memory = OF(SLAB), .pages = row->pages.n };

	if (!row->pages.known || strcmp(row->name, page_class_name(CLASS_SLAB)) != 0 ||
	    c->of_limit || !limit_of_class(CLASS_SLAB, units_tenths(row->pages.n, claims_given(c))))
		return;
	for (unsigned int i = 0; i < c->n; i++) {
		const struct claim *x = &c->all[i];
		const bool has_owner = x->depth > DEPTH_CALLER;

		if (claim_is_cgroup(x) || !(x->memory & OF(SLAB)))
			continue;
		if (x->pages >= row->pages.n / (has_owner ? 4 : 2))
			return;
		if (has_owner)
			claim.pages -= x->pages < claim.pages ? x->pages : claim.pages;
	}
	if (claim.pages > row->pages.n / 2)
		claims_add(c, &claim);
}

/* Whether all that a cgroup has is told as one. */
static bool is_whole(const struct claim *x)
{
	return claim_is_cgroup(x) && (x->largest || x->row->alike);
}

/* What cgroups that are told whole have of anonymous memory beside rows of their own. */
static uint64_t told_of_cgroups(const struct claims *c, unsigned int rows)
{
	uint64_t told = 0;

	for (const struct claim *g = c->all; g < c->all + rows; g++) {
		uint64_t inside = 0;

		if (!is_whole(g) ||
		    ANY_OF(i, rows, is_whole(&c->all[i]) && claim_is_inside(g, &c->all[i])))
			continue;
		for (const struct claim *x = c->all; x < c->all + rows; x++)
			if (!claim_is_cgroup(x) && x->memory & OF(ANON) && !x->nparts &&
			    claim_is_inside(x, g))
				inside += x->pages;
		told += g->pages > inside ? g->pages - inside : 0;
	}
	return told;
}

static bool is_of_cut_table(const struct summary *s, const struct claim *c)
{
	return c->memory == OF(ANON) && s->dump->log_file && s->verdict != VERDICT_ZONE &&
	       s->has_tasks && s->tasks_missing;
}

/* What rows may have of a class is at most all of each. */
void claims_add_classes(struct claims *c)
{
	const unsigned int rows = c->n;

	for (const struct statement *row = c->s->first[SECTION_CLASS]; row; row = row->next)
		add_slab(c, row);
	for (const struct statement *row = c->s->first[SECTION_CLASS]; row; row = row->next) {
		struct claim claim = { .class = row->name,
				       .memory = row->memory ?: memory_of_class(row->name) };
		/* Of a row of lines that are lost these are not. */
		const uint32_t of_rows = claim.memory & ~(row->memory ? c->s->table.told : 0);
		uint64_t told = 0;

		if (!claim.memory || !row->pages.known ||
		    (c->of_blocks && claim_is_movable(&claim)))
			continue;
		for (unsigned int i = 0; i < rows; i++)
			told += claim_told_of(c, &c->all[i], of_rows, &claim.is_about);
		/* What no process locked is of none: files of a ramfs. */
		if (claim.memory == OF_PROCESSES && c->s->log_mlocked.known &&
		    told > c->s->log_mlocked.n)
			told = c->s->log_mlocked.n;
		if (claim.memory == OF(ANON))
			told += c->s->unmapped_anon + told_of_cgroups(c, rows);
		if (claim.memory == OF(DIRECT) && told < c->s->counted_pages + c->s->inferred_pages)
			told = c->s->counted_pages + c->s->inferred_pages;
		claim.pages = row->pages.n - (told < row->pages.n ? told : row->pages.n);
		/* Rows that are missing may have what is in swap, too. */
		if (is_of_cut_table(c->s, &claim))
			claim.swapped = claims_lost_swap(c, claim.pages);
		if (row->memory)
			c->lost = claim.pages;
		else
			claims_add(c, &claim);
	}
}

/* Neither reclaim nor compaction has them, whatever their class. Some are known: buffers of io_uring. */
void claims_add_unmapped(struct claims *c)
{
	struct claim claim = { .class = UNMAPPED, .memory = CLAIM_PINNED };
	uint64_t told = 0;

	for (unsigned int i = 0; i < c->n; i++)
		told += c->all[i].row ? c->all[i].row->pinned : 0;
	claim.pages = c->s->unmapped_anon -
		      (told < c->s->unmapped_anon ? told : c->s->unmapped_anon);
	if (claim.pages && !c->of_limit && !c->of_zones)
		claims_add(c, &claim);
}

bool claim_is_unmapped(const struct claim *c)
{
	return c->class && !strcmp(c->class, UNMAPPED);
}

/* Which of their processes have it the log does not tell. */
void claims_add_nodes(struct claims *c)
{
	const struct oom_report *r = c->s->last_report;
	struct claim claim = { .class = page_class_name(CLASS_ANON), .memory = OF(ANON) };
	struct log_nodes n;

	if (!c->s->dump->log_file || !r || !log_nodes_sum(r, &n))
		return;
	claim.pages = n.anon;
	claim.memory |= n.has_shmem ? 0 : OF(SHMEM);
	claims_add(c, &claim);
	claim = (struct claim){ .class = page_class_name(CLASS_SHMEM),
				.memory = OF(SHMEM),
				.pages = n.shmem };
	if (n.has_shmem)
		claims_add(c, &claim);
}

/* Of a cgroup at its limit. */
void claims_add_kernel(struct claims *c)
{
	const struct claim claim = { .class = KERNEL_OBJECTS,
				     .pages = c->s->limit_kernel.n,
				     .memory = OF_LISTS };
	uint64_t told = 0;

	for (unsigned int i = 0; i < c->n; i++)
		told += !claim_is_cgroup(&c->all[i]) && c->all[i].memory & OF_LISTS
				? c->all[i].pages
				: 0;
	if (c->s->limit_kernel.known && told < claim.pages)
		claims_add(c, &claim);
}

void claims_add_cache(struct claims *c)
{
	struct claim claim = { .class = page_class_name(CLASS_FILE), .memory = OF(FILE) };
	uint64_t told = 0;

	if (!c->of_limit || !throttled_is_limit(c->s))
		return;
	for (unsigned int i = 0; i < c->n; i++)
		told += !claim_is_cgroup(&c->all[i]) && c->all[i].memory & OF(FILE)
				? c->all[i].pages
				: 0;
	claim.pages = c->s->throttled.cache -
		      (told < c->s->throttled.cache ? told : c->s->throttled.cache);
	if (claim.pages)
		claims_add(c, &claim);
}

/* Processes of one name, of which a log has the rss: they are known, and all that each has is not. */
static bool has_rss_alone(const struct summary *s)
{
	return s->lacks_anon && ANY_NEXT(g, s->first[SECTION_GROUP],
					 (!g->pages.known || g->is_least) && g->processes.known);
}

/* Whether most of it is of processes that have ended. */
static bool is_of_orphans(const struct summary *s, const struct claim *c)
{
	return c->memory == OF(ANON) && s->verdict != VERDICT_ZONE && !s->dump->log_file &&
	       s->orphan_anon > c->pages / 2;
}

/* Pages of anonymous memory of the processes that are in a cgroup itself. */
static uint64_t anon_in(const struct summary *s, const char *path)
{
	uint64_t pages = 0;

	hash_bytes_for_each(const struct process_group, g, &s->groups->groups)
		if (g->cgroup && !strcmp(g->cgroup, path))
			pages += g->sum.counted;
	return pages;
}

#define NEARLY_ALL 80 /* percent */

const char *claim_orphans_in(const struct summary *s)
{
	const uint64_t least = s->orphan_anon * NEARLY_ALL / 100;
	const char *ret = NULL;

	/* Those above have it as well: theirs is the shorter path. */
	for (const struct memcg_counts *c = s->memcgs; c && s->groups && least; c = c->next)
		if (!c->removed && c->path && c->known[STAT_ANON] &&
		    c->counts[STAT_ANON] >= least + anon_in(s, c->path) &&
		    (!ret || strlen(c->path) > strlen(ret)))
			ret = c->path;
	return ret && ret[1] ? ret : NULL;
}

/* What no counter of memory.stat has, as it is of no process, and no file. */
static uint64_t uncounted_of(const struct summary *s, const struct statement *row)
{
	static const unsigned int stats[] = { STAT_ANON, STAT_FILE, STAT_KERNEL };
	const struct memcg_counts *c = s->memcgs;
	uint64_t left = row->pages.n;

	while (c && (c->removed || !c->path || strcmp(c->path, row->name) != 0))
		c = c->next;
	for (size_t i = 0; i < ARRAY_SIZE(stats) && c; i++) {
		if (!c->known[stats[i]] || c->counts[stats[i]] > left)
			return 0;
		left -= c->counts[stats[i]];
	}
	return c ? left : 0;
}

/* The counters of anonymous memory are of pages that are mapped. */
static const char *unmapped_in(const struct summary *s, uint64_t pages)
{
	const struct statement *ret = NULL;

	for (const struct statement *row = s->first[SECTION_HOLDER]; row; row = row->next)
		if (row->name && row->name[0] == '/' && row->name[1] && row->by &&
		    !strcmp(row->by, "cgroup") && row->pages.known &&
		    uncounted_of(s, row) >= pages * NEARLY_ALL / 100 &&
		    (!ret || strlen(row->name) > strlen(ret->name)))
			ret = row;
	return ret ? ret->name : NULL;
}

const char *claim_charged_in(const struct summary *s, const struct claim *c)
{
	return claim_is_unmapped(c) ? unmapped_in(s, c->pages) : claim_orphans_in(s);
}

bool claim_is_of_orphans(const struct summary *s, const struct claim *c)
{
	return !c->row && is_of_orphans(s, c);
}

/* "the processes count 79.0M of it; up to 69 of 75 mm_structs in use are of no process, and something holds them" */
static void add_orphans(const struct summary *s, struct strbuf *b)
{
	const char *in = claim_orphans_in(s);

	strbuf_add(b,
		   "all processes together count %s; something holds the address spaces of "
		   "processes that have ended",
		   summary_size(s, s->processes_anon));
	if (s->mm_objects > s->mms)
		strbuf_add(b, ": up to %s of %s mm_structs in use are of no process",
			   COUNT_TEXT(s->mm_objects - s->mms), COUNT_TEXT(s->mm_objects));
	if (in)
		strbuf_add(b, "; nearly all of it is charged to %s", in);
	if (s->orphans_by)
		strbuf_add(b, "; %s", s->orphans_by);
}

/* Of a table with rss alone: less than half of it can be of a row that has no claim of its own. */
static bool is_of_no_row(const struct summary *s, const struct claim *c)
{
	const struct maybe_u64 rss = s->table.rss;
	uint64_t anon = 0, told;

	for (const struct statement *row = s->first[SECTION_CLASS]; row; row = row->next)
		if (!strcmp(row->name, page_class_name(CLASS_ANON)))
			anon = row->pages.n;
	told = anon > c->pages ? anon - c->pages : 0;
	return s->dump->log_file && c->memory == OF(ANON) && !s->ran_out_in_cgroup &&
	       s->verdict != VERDICT_ZONE && s->has_tasks && !s->tasks_missing && rss.known &&
	       anon && (rss.n > told ? rss.n - told : 0) < c->pages / 2;
}

/* A row of the table that is lost leaves no trace. */
static void add_no_row(const struct summary *s, const struct claim *c, struct strbuf *b)
{
	const struct oom_report *r = s->last_report;

	if (!s->dump->log_file || c->memory != OF(ANON) || !s->has_tasks || !r ||
	    s->verdict == VERDICT_ZONE ||
	    (s->lacks_anon && !s->tasks_missing && !is_of_no_row(s, c)))
		return;
	if (!s->tasks_missing)
		strbuf_add(b, "of pid 1, which it leaves out, of a row that is lost, or of no "
			      "process any more");
	if (s->table.lacks_asker)
		strbuf_add(b, "%s%s, which asked, has no row", strbuf_between(b, "; "),
			   SUMMARY_TASK(log_maybe(r->pid), r->comm));
	if (!c->swapped && s->table.no_swap.known &&
	    summary_reaches(s, LIMIT_HOLDER, s->table.no_swap.n))
		strbuf_add(b, "%s%s of swap has none either", strbuf_between(b, "; "),
			   summary_size(s, s->table.no_swap.n));
}

/* Of a log with call sites: these may have what no counter of it has. */
static void add_site(const struct summary *s, const struct claim *c, struct strbuf *b)
{
	const struct statement *site = s->first[SECTION_SITE];

	if (s->dump->log_file && site && c->class && !strcmp(c->class, "rest"))
		strbuf_add(b, "the largest call site has %s: %s", SIZE_TEXT(site->bytes.n),
			   site->name);
}

/* What a class has that no row has. */
const char *claim_class_text(const struct summary *s, const struct claim *c)
{
	struct class_text {
		enum page_class class;
		const char *text;
	};
	/* It does not tell whose they are. */
	static const struct class_text of_log[] = {
		{ CLASS_SHMEM, "tmpfs and shared memory" },
		{ CLASS_FILE, "page cache of files" },
		{ CLASS_KSTACK, "kernel stacks" },
	};
	static const struct class_text texts[] = {
		{ CLASS_SLAB, "kernel objects (slab)" },
		{ CLASS_VMALLOC, "vmalloc areas of several callers" },
		{ CLASS_PGTABLE, "page tables of several processes" },
		{ CLASS_FILE, "page cache of files that it read or wrote" },
		{ CLASS_SHMEM, "tmpfs and shared memory of several files" },
		{ CLASS_HUGETLB, "huge pages" },
		{ CLASS_PERCPU, "per-CPU memory" },
		{ CLASS_KSTACK, "kernel stacks of several threads" },
		{ CLASS_ZSMALLOC, "pages of zram and zswap" },
		{ CLASS_PAGE_POOL, "pages of network drivers" },
	};

	if (s->table.unsized && c->memory & OF(ANON) && !(c->memory & ~(OF(ANON) | OF(SHMEM))))
		return dump_text(s->dump, "memory of processes, first of the table %s",
				 s->table.unsized);
	if (!strcmp(c->class, UNMAPPED))
		return "anonymous pages that no process maps and something else holds";
	if (!strcmp(c->class, KERNEL_OBJECTS))
		return "kernel objects that are charged to it";
	if (c->memory == CLAIM_SOCKETS)
		return "packets in queues of sockets";
	if (c->memory == OF(PGTABLE) && (!s->has_tasks || s->tasks_missing || s->lacks_tables))
		return "page tables of processes that are not known";
	if (c->memory == OF(PGTABLE) && s->dump->log_file && s->table.tables < c->pages / 2)
		return "page tables that no row of the table of processes has";
	for (size_t i = 0; s->dump->log_file && i < ARRAY_SIZE(of_log); i++)
		if (c->memory == 1U << of_log[i].class)
			return of_log[i].text;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (c->memory == 1U << texts[i].class)
			return texts[i].text;
	if (is_of_orphans(s, c))
		return "anonymous memory that no process there is has";
	if (is_of_no_row(s, c))
		return "anonymous memory that no row of the table of processes has";
	/* Each has some of it; what they share the table counts for each. */
	if (c->memory == OF(ANON) && s->verdict != VERDICT_ZONE && s->untold_first)
		return dump_text(
			s->dump, "anonymous memory of several processes, %sby rss first %s",
			s->tasks_missing ? "of which rows are missing, " : "", s->untold_first);
	/* A table that is whole has all processes but the first one. */
	if (c->memory == OF(ANON) && s->dump->log_file && s->verdict != VERDICT_ZONE &&
	    s->has_tasks && !s->tasks_missing && !has_rss_alone(s) &&
	    (!s->lacks_anon || !s->untold_each || c->pages <= s->untold_each))
		return s->lacks_anon ? "anonymous memory of processes, of which the table has rss "
				       "alone"
				     : "anonymous memory that no row of the table of processes has";
	if (is_of_cut_table(s, c))
		return "anonymous memory that no row of the table of processes has, of which rows "
		       "are missing";
	/* Rows have the memory of all nodes. */
	if (c->memory == OF(ANON) && s->verdict == VERDICT_ZONE && s->dump->log_file &&
	    s->has_tasks && !s->tasks_missing)
		return "anonymous memory of processes, of which no row tells the node";
	if (c->memory == OF(ANON))
		return s->verdict != VERDICT_ZONE && s->has_tasks &&
				       (!s->tasks_missing || s->table.is_beside) &&
				       (!s->lacks_anon || has_rss_alone(s) ||
					(s->untold_each && c->pages > s->untold_each))
			       ? "anonymous memory of several processes"
			       : "anonymous memory of processes that are not known";
	if (c->memory == OF_PROCESSES)
		return "unevictable memory (ramfs, or locked) that no process is known to have";
	if (c->memory == (OF(ANON) | OF(SHMEM)))
		return "anonymous and shared memory whose processes are not known";
	if (s->dump->log_file)
		return s->has_sites ? "memory that is in no class of the report"
				    : "memory that no line of the report has";
	return s->has_owner	? "direct pages of several callers"
	       : s->lacks_lists ? "direct pages, of which it is unknown who has them"
				: "direct pages of which nothing recorded who has them";
}

/* "64.0M of chunks, and 66.4M that their allocator keeps of them; no root that is known leads to ..." */
static void add_chunks(const struct summary *s, const struct claim *c, struct strbuf *b)
{
	const uint64_t pages = c->pages - c->chunks;
	const char *asked = summary_asked_in(s);

	if (c->chunks)
		strbuf_add(b, "%s of chunks, and %s that their allocator keeps of them",
			   summary_size(s, pages), summary_size(s, c->chunks));
	for (const struct statement *row = s->first[SECTION_CANDIDATE]; row; row = row->next)
		if (row->pages.known && row->pages.n > pages / 2 && row->remark &&
		    !strncmp(row->remark, "none: ", 6) &&
		    strstr(row->remark, " objects of per-CPU memory"))
			strbuf_add(b, "%s%.300s, low confidence%s%s", strbuf_between(b, "; "),
				   row->remark + 6, asked ? "; memory ran out in " : "",
				   asked ?: "");
		else if (row->pages.known && row->pages.n > pages / 2 && row->module &&
			 row->remark && strstr(row->remark, "per-CPU memory"))
			strbuf_add(b, "%s%s of it kept by variable %.200s, by pointers",
				   strbuf_between(b, "; "), summary_size(s, row->pages.n),
				   row->name);
}

static bool may_be_half(const struct claim *c, const struct statement *row)
{
	return row->pages.known && row->pages.n <= c->pages && row->pages.n >= c->pages / 2;
}

/* "; by pointers 58.3M of it from task 290(inventoryd) -> files_cache -> filp -> seq_file -> kmalloc-cg-4k, ..." */
static void add_charged_way(const struct summary *s, const struct claim *c, struct strbuf *b)
{
	for (const struct statement *row = s->first[SECTION_CANDIDATE]; row; row = row->next) {
		const char *way = row->remark ? strstr(row->remark, " -> ") : NULL;
		const char *from = way ? strstr(row->remark, " reached from ") : NULL;

		if (!way || !row->confidence.known || !may_be_half(c, row))
			continue;
		strbuf_add(b,
			   "%sby pointers %s of it from %.*s%.300s, confidence of the owner %s%%",
			   strbuf_between(b, "; "), summary_size(s, row->pages.n),
			   (int)((from && from < way ? from : way) - row->remark), row->remark, way,
			   PERCENT_TEXT(row->confidence.n, 1000));
		return;
	}
}

/* Of kernel memory that a cgroup is charged: the cache that may be half of it, and who has its objects. */
static void add_charged_cache(const struct summary *s, const struct claim *c, struct strbuf *b)
{
	for (const struct statement *row = s->first[SECTION_CACHE]; row; row = row->next) {
		if (!may_be_half(c, row))
			continue;
		strbuf_add(b, "slab cache %.100s has %s%s%.300s", row->name ?: "of unknown name",
			   summary_size(s, row->pages.n), row->kept_by ? ": " : "",
			   row->kept_by ?: "");
		if (!row->kept_by)
			add_charged_way(s, c, b);
		return;
	}
}

/* Of a node what processes of a name must have, as all others together have less than it has. */
static void add_least(const struct summary *s, const struct claim *c, struct strbuf *b)
{
	uint64_t all = s->table.anon.n;

	if (c->memory != OF(ANON) || s->verdict != VERDICT_ZONE || !s->dump->log_file ||
	    !s->table.anon.known || s->tasks_missing)
		return;
	/* Pid 1 has no row. */
	for (const struct statement *row = s->first[SECTION_CLASS]; row; row = row->next)
		if (!strcmp(row->name, page_class_name(CLASS_ANON)) && row->pages.n > all)
			all = row->pages.n;
	for (const struct statement *row = s->first[SECTION_GROUP]; row; row = row->next) {
		const uint64_t others = row->pages.n < all ? all - row->pages.n : 0;

		if (!row->pages.known || c->pages < others || c->pages - others < c->pages / 2)
			continue;
		strbuf_add(b, "%s%s %s at least %s of it", strbuf_between(b, "; "),
			   row->pid.known ? SUMMARY_TASK(row->pid, row->comm)
					  : dump_text(s->dump, "%s processes %s",
						      COUNT_TEXT(row->processes.n), row->comm),
			   row->pid.known ? "has" : "have", summary_size(s, c->pages - others));
		return;
	}
}

/* "270.1M is pinned (FOLL_PIN), and out of tree is rnic_lite: candidate, low confidence" */
static void add_pins(const struct summary *s, const struct claim *c, struct strbuf *b)
{
	const char *by = s->of_case ? s->of_case->tainted_by : NULL;

	const char *in;

	if (!claim_is_unmapped(c))
		return;
	in = claim_charged_in(s, c);
	if (in)
		strbuf_add(b, "%snearly all of it is charged to %s", strbuf_between(b, "; "), in);
	if (summary_reaches(s, LIMIT_SHOWN, s->pinned))
		strbuf_add(b, "%s%s is pinned and not released (FOLL_PIN)", strbuf_between(b, "; "),
			   summary_size(s, s->pinned));
	if (by && *by)
		strbuf_add(b, "%staint by %.100s: candidate, low confidence",
			   strbuf_between(b, "; "), by);
}

void summary_add_kernel_charge(const struct summary *s, uint64_t least, struct strbuf *b)
{
	const struct memcg_counts *most = NULL;
	uint64_t pages = 0;

	for (const struct memcg_counts *g = s->memcgs; g; g = g->next) {
		/* Up to 5.17 its slab objects alone are told, in bytes. */
		const bool is_all = g->known[STAT_KERNEL];
		const uint64_t kernel = is_all ? g->counts[STAT_KERNEL]
					       : (g->counts[STAT_SLAB_RECLAIMABLE] +
						  g->counts[STAT_SLAB_UNRECLAIMABLE]) >>
							 s->dump->page_shift;

		if (!g->parent || g->removed || !g->path ||
		    !(is_all ||
		      (g->known[STAT_SLAB_RECLAIMABLE] && g->known[STAT_SLAB_UNRECLAIMABLE])) ||
		    kernel < least || kernel > s->ram_pages)
			continue;
		if (kernel > (g->parent == most ? pages / 2 : pages)) {
			most = g;
			pages = kernel;
		}
	}
	if (most)
		strbuf_add(b, "; cgroup %.200s is charged %s of kernel memory", most->path,
			   summary_size(s, pages));
}

/* "no owner of most of it is known; 417 network namespaces have objects in many caches: candidate, low confidence" */
void claim_class_detail(const struct summary *s, const struct claim *c, struct strbuf *b)
{
	if (c->class && !strcmp(c->class, KERNEL_OBJECTS))
		add_charged_cache(s, c, b);
	if (c->memory == OF(PERCPU))
		add_chunks(s, c, b);
	if (is_of_orphans(s, c))
		add_orphans(s, b);
	if (c->memory == CLAIM_SOCKETS)
		strbuf_add(b, "whose these are this log does not tell");
	if (c->memory == OF(FILE) && throttled_is_limit(s)) {
		strbuf_add(b, "%s", s->throttled.files ?: "");
		if (throttled_is_cache(s))
			strbuf_add(b, "%sthe kernel gives it back when memory is asked for",
				   strbuf_between(b, "; "));
	}
	add_least(s, c, b);
	add_pins(s, c, b);
	add_no_row(s, c, b);
	add_site(s, c, b);
	if (c->memory != OF(SLAB))
		return;
	strbuf_add(b, "no owner of most of it is known");
	summary_add_kernel_charge(s, c->pages / 4, b);
	for (const struct statement *row = s->first[SECTION_CANDIDATE]; row; row = row->next)
		if (!row->pages.known && row->brief)
			strbuf_add(
				b,
				"; %s have objects in many caches%s%s: candidate, low confidence",
				row->brief, row->kept_by ? ", " : "", row->kept_by ?: "");
}
