// SPDX-License-Identifier: GPL-2.0-or-later
/* All that one process, processes of one name, or a file system in memory have: anonymous memory, kernel stacks, page tables, files, objects of slab caches. And what is left of a cgroup beside its members. */
#include "cgroup/cgroup.h"
#include "claim_kinds.h"
#include "graph/graph.h"
#include "groups.h"
#include "holders/holders.h"
#include "slab/slab_caches.h"

const char *claim_cgroup_of(const struct statement *row)
{
	return row->section == SECTION_HOLDER && !strcmp(row->by, "cgroup")
		       ? row->name
		       : row->charged ?: row->cgroup;
}

static bool is_of_several(const struct statement *row)
{
	return !row->pid.known && row->processes.known && row->processes.n > 1;
}

/* Of one file system; rows of processes of one name are of the same ones if they are of as many. */
static bool is_same_owner(const struct statement *a, const struct statement *b)
{
	if (a->inode || b->inode)
		return a->inode == b->inode;
	return a->pid.known == b->pid.known &&
	       (a->pid.known ? a->pid.n == b->pid.n
			     : a->processes.n == b->processes.n && !strcmp(a->comm, b->comm));
}

/* Files of a file system in memory, or objects of its inodes. */
static bool is_of_super(const struct statement *row)
{
	return row->inode && (row->section == SECTION_CACHE || row->section == SECTION_HOLDER);
}

static bool is_of_owner(const struct claim *c)
{
	if (c->row && is_of_super(c->row))
		return true;
	return c->row && c->row->comm && (c->row->pid.known || is_of_several(c->row)) &&
	       !claim_is_cgroup(c) &&
	       (c->row->section == SECTION_GROUP || c->row->section == SECTION_CACHE ||
		c->row->section == SECTION_HOLDER);
}

/* Rows of one owner so far, which share nothing. */
struct joining {
	struct claims *claims;
	claims_overlap *overlap;
	const struct statement *first;
	const struct claim *of[CLAIM_PARTS];
	unsigned int n;
};

static bool is_worth(const struct claims *c, const struct claim *x)
{
	return is_of_owner(x) && units_tenths(x->pages, c->whole) >= limit(LIMIT_SHOWN);
}

static bool may_join(const struct joining *j, const struct claim *x)
{
	return is_worth(j->claims, x) && is_same_owner(x->row, j->first) &&
	       !ANY_OF(i, j->n, j->overlap(x, j->of[i]));
}

/* The largest that may be joined; NULL: there is none. */
static const struct claim *next_part(const struct joining *j)
{
	const struct claims *c = j->claims;
	const struct claim *most = NULL;

	for (const struct claim *x = c->all; x < c->all + c->n; x++)
		if (may_join(j, x) && (!most || x->pages > most->pages))
			most = x;
	return most;
}

static void add_part(struct claim *joined, const struct claim *x)
{
	joined->parts[joined->nparts++] = (struct claim_part){ x->row, x->pages };
	joined->pages += x->pages;
	joined->swapped += x->swapped;
	joined->memory |= x->memory;
	joined->is_part |= x->is_part;
	joined->is_about |= x->is_about;
	joined->is_least |= x->is_least;
	/* Its cgroup is known. */
	if (!joined->row || x->row->section == SECTION_GROUP)
		joined->row = x->row;
}

static bool is_zram(const struct statement *row)
{
	return row && row->by && !strcmp(row->by, "zram");
}

bool claim_has_zram(const struct claim *c)
{
	return ANY_OF(i, c->nparts, is_zram(c->parts[i].row));
}

static void join(struct joining *j)
{
	struct claim joined = { .depth = DEPTH_JOINED };
	const struct claim *x;
	uint64_t beside;

	while (j->n < CLAIM_PARTS && (x = next_part(j))) {
		add_part(&joined, x);
		j->of[j->n++] = x;
	}
	/* Of a zram it has only what it has in swap: the rest is of others. */
	for (unsigned int i = 0; i < joined.nparts; i++) {
		struct claim_part *part = &joined.parts[i];

		if (!is_zram(part->row) || !joined.swapped || part->pages <= joined.swapped)
			continue;
		joined.pages -= part->pages - joined.swapped;
		part->pages = joined.swapped;
	}
	beside = j->n ? joined.pages - joined.parts[0].pages : 0;
	/* Less beside the largest is as good as told by that. */
	if (units_tenths(beside, j->claims->whole) * 2 >= limit(LIMIT_HOLDER))
		claims_add(j->claims, &joined);
}

void claims_join(struct claims *c, claims_overlap *overlap)
{
	const unsigned int rows = c->n;

	for (unsigned int i = 0; i < rows; i++) {
		struct joining j = { .claims = c, .overlap = overlap };

		if (!is_worth(c, &c->all[i]))
			continue;
		j.first = c->all[i].row;
		if (!ANY_OF(k, i, is_worth(c, &c->all[k]) && is_same_owner(c->all[k].row, j.first)))
			join(&j);
	}
}

/* A caller of vmalloc whose areas are nearly all maps of BPF: rows of these say whose they are. */
void claims_leave_maps(struct claims *c)
{
	uint64_t maps = 0;
	unsigned int n = 0;

	for (const struct claim *x = c->all; x < c->all + c->n; x++)
		maps += x->row && x->row->by && !strcmp(x->row->by, "bpf") ? x->pages : 0;
	for (unsigned int i = 0; i < c->n; i++) {
		const struct statement *row = c->all[i].row;
		const bool is_caller = row && row->section == SECTION_HOLDER && row->by &&
				       !strcmp(row->by, "vmalloc") &&
				       strstr(row->name ?: "", "map");

		if (!is_caller || maps * 100 < c->all[i].pages * CLAIM_SAME ||
		    maps * CLAIM_SAME > c->all[i].pages * 100)
			c->all[n++] = c->all[i];
	}
	c->n = n;
}

bool claim_is_of_chunks(const char *caller)
{
	return !strncmp(caller, "pcpu_", strlen("pcpu_"));
}

static bool is_of_chunks(const struct statement *row)
{
	if (row->section == SECTION_CANDIDATE)
		return !strncmp(row->remark ?: "", HOLDER_PERCPU_LISTS,
				strlen(HOLDER_PERCPU_LISTS));
	return row->section == SECTION_HOLDER && row->by && !strcmp(row->by, "vmalloc") &&
	       claim_is_of_chunks(row->name ?: "");
}

void claims_join_chunks(struct claims *c)
{
	struct claim *percpu = NULL;
	unsigned int n = 0;

	for (struct claim *x = c->all; x < c->all + c->n; x++)
		percpu = !x->row && x->memory == OF(PERCPU) ? x : percpu;
	if (!percpu)
		return;
	for (const struct claim *x = c->all; x < c->all + c->n; x++)
		if (x->row && x->row->section == SECTION_HOLDER && is_of_chunks(x->row))
			percpu->chunks += x->pages;
	percpu->pages += percpu->chunks;
	for (unsigned int i = 0; i < c->n; i++)
		if (!c->all[i].row || !is_of_chunks(c->all[i].row))
			c->all[n++] = c->all[i];
	c->n = n;
}

static bool is_of_packets(const struct statement *held)
{
	return held->section == SECTION_HOLDER && !strcmp(held->by, "held") && held->sockets &&
	       held->sockets * 100 >= held->pages.n * CLAIM_SAME;
}

/* A table of up to 6.9 in a log has what is anonymous and files as one. */
static void add_words(const struct summary *s, const struct statement *row, struct strbuf *b)
{
	if (row->section == SECTION_GROUP)
		strbuf_add(b, s->dump->log_file && s->lacks_anon ? "rss" : "anon");
	else if (row->section == SECTION_CACHE)
		strbuf_add(b, "slab cache %s", row->name ?: "unknown");
	else if (is_zram(row))
		strbuf_add(b, "its swap in %s", row->name ?: "zram");
	else if (is_of_packets(row))
		strbuf_add(b, "packets in queues of sockets");
	else
		strbuf_add(b, "%.200s", row->brief ?: row->remark ?: row->by);
}

void claim_add_parts(const struct summary *s, const struct claim *c, struct strbuf *b)
{
	const char *objects = NULL, *wait = NULL;

	for (unsigned int i = 0; i < c->nparts; i++) {
		strbuf_add(b, "%s", i ? ", " : "");
		add_words(s, c->parts[i].row, b);
		strbuf_add(b, " %s", summary_size(s, c->parts[i].pages));
		objects = objects ?: c->parts[i].row->objects;
		wait = wait ?: c->parts[i].row->wait;
	}
	if (objects && !strstr(b->buf, objects))
		strbuf_add(b, "; %s", objects);
	if (wait)
		strbuf_add(b, "; %s", wait);
}

void claim_add_shared(const struct summary *s, const struct statement *row, struct strbuf *b)
{
	for (const struct statement *p = s->first[SECTION_PROCESS]; p; p = p->next) {
		const uint64_t of_others = p->merged + p->shared;

		if (p->pid.n != row->most_pid.n || !summary_reaches(s, LIMIT_SHOWN, p->shared))
			continue;
		strbuf_add(b, "%s%s of it shared by fork", strbuf_between(b, "; "),
			   summary_size(s, p->shared));
		if (p->rss_anon > (int64_t)of_others)
			strbuf_add(b, ", its own %s",
				   summary_size(s, (uint64_t)p->rss_anon - of_others));
	}
}

bool claim_is_beside_packets(const struct statement *a, const struct statement *b)
{
	const struct statement *cache = a->section == SECTION_CACHE ? a : b;

	return is_of_packets(cache == a ? b : a) && cache->section == SECTION_CACHE &&
	       cache->keeper && cache->name && strncmp(cache->name, "kmalloc-", 8) != 0 &&
	       strncmp(cache->name, "skbuff_", 7) != 0;
}

bool claim_is_inside(const struct claim *c, const struct claim *cgroup)
{
	const char *of = c->row ? claim_cgroup_of(c->row) : NULL;

	return c != cgroup && of && cgroup->row->name && cgroup_is_below(of, cgroup->row->name);
}

bool summary_is_of_these(const struct text_list *alike, const char *cgroup)
{
	for (unsigned int i = 0; cgroup && i < alike->n; i++) {
		char path[1024];

		snprintf(path, sizeof(path), "%.*s", (int)text_list_bytes(alike, i),
			 alike->text + alike->starts[i]);
		if (cgroup_is_below(cgroup, path))
			return true;
	}
	return false;
}

/* The cgroup that they are below has them all, and what is of several of them is told as in that. */
bool claim_is_of_these(const struct claim *alike, const struct claim *x)
{
	const char *of = x->row ? claim_cgroup_of(x->row) : NULL;

	return !of ? alike->memory & x->memory
		   : summary_is_of_these(alike->row->alike, of) ||
			       cgroup_is_below(alike->row->cgroup, of);
}

bool summary_is_least(const struct summary *s, const struct statement *row)
{
	return row->is_least ||
	       (s->tasks_missing && !(s->table.is_beside && row->section == SECTION_GROUP) &&
		is_of_several(row) && strcmp(row->by ?: "", "cgroup") != 0);
}

static bool is_member(const struct claim *x, const struct claim *g)
{
	return x->row && x->row->section == SECTION_GROUP && x->row->cgroup && g->row->name &&
	       !strcmp(x->row->cgroup, g->row->name);
}

/* Of processes of one cgroup none of which has half of it the largest; NULL: one has, or it has no two. */
static const struct statement *find_family(const struct claims *c, const struct claim *g)
{
	const struct claim *most = NULL;
	unsigned int members = 0;

	for (const struct claim *x = c->all; claim_is_cgroup(g) && x < c->all + c->n; x++)
		if (is_member(x, g)) {
			if (x->is_least)
				return NULL;
			members++;
			most = !most || x->pages > most->pages ? x : most;
		}
	return members > 1 && !c->of_zones && !c->of_limit && most->pages < g->row->pages.n / 2
		       ? most->row
		       : NULL;
}

static bool is_large(const struct claims *c, uint64_t pages)
{
	return units_tenths(pages, c->whole) >= limit(LIMIT_HOLDER);
}

/* Whether a cgroup between has it as well. */
static bool is_deeper(const struct claims *c, const struct claim *x, const struct claim *g)
{
	return ANY_OF(i, c->n,
		      &c->all[i] != x && claim_is_cgroup(&c->all[i]) &&
			      claim_is_inside(&c->all[i], g) && claim_is_inside(x, &c->all[i]));
}

/* A few cgroups below one say more than that; of many it is the name. */
static bool has_few_below(const struct claims *c, const struct claim *g)
{
	unsigned int n = 0;

	for (const struct claim *x = c->all; x < c->all + c->n; x++)
		n += claim_is_cgroup(x) && claim_is_inside(x, g) && !is_deeper(c, x, g) &&
		     is_large(c, x->row->pages.n);
	return n <= CLAIMS_TOLD && !c->of_limit;
}

bool summary_charges_caches(const struct summary *s, const struct statement *cgroup)
{
	uint64_t pages = 0;

	for (const struct statement *row = s->first[SECTION_CACHE]; row; row = row->next) {
		const char *of = row->is_rest ? NULL : claim_cgroup_of(row);

		pages += of && row->pages.known && cgroup_is_below(of, cgroup->name) ? row->pages.n
										     : 0;
	}
	return pages <=
	       (cgroup->kernel.known ? cgroup->kernel.n : cgroup->pages.n - cgroup->sockets);
}

/*
 * Of a cgroup what is of its members, or of a few cgroups below it, is theirs: the rest has no better name. What is too
 * small to be told is in it: its figure is that of its row.
 */
void claims_leave_rest(struct claims *c)
{
	for (struct claim *g = c->all; g < c->all + c->n; g++) {
		const bool is_few = claim_is_cgroup(g) && has_few_below(c, g);
		const bool has_caches = claim_is_cgroup(g) && summary_charges_caches(c->s, g->row);
		uint64_t told = 0, swapped = 0;

		if (claim_is_cgroup(g) && !c->of_limit)
			g->pages -= g->row->sockets;
		/* Of cgroups of the same names each has little, and all are one. */
		if (!g->row->alike)
			g->largest = find_family(c, g);
		for (const struct claim *x = c->all;
		     claim_is_cgroup(g) && !g->row->alike && x < c->all + c->n; x++) {
			const uint64_t pages = claim_is_cgroup(x) ? x->row->pages.n : x->pages;

			if (claim_is_inside(x, g) &&
			    (has_caches || x->row->section != SECTION_CACHE) &&
			    (is_few ? !is_deeper(c, x, g) : !claim_is_cgroup(x)) &&
			    !(g->largest && is_member(x, g)) && is_large(c, pages + x->swapped)) {
				told += pages;
				swapped += x->swapped;
			}
		}
		g->pages -= told < g->pages ? told : g->pages;
		g->swapped -= swapped < g->swapped ? swapped : g->swapped;
	}
}

bool claims_are_beyond(const struct summary *s)
{
	return s->verdict == VERDICT_HIGH && s->limit_usage.known &&
	       s->limit_usage.n > s->limit_pages;
}

const char *claim_objects_text(const struct summary *s, const char *way)
{
	static const char step[] = " -> list of ";
	const char *list = NULL;

	/* Of a device or a queue they are some of them. */
	for (const char *at = strstr(way, " of device ") ? NULL : strstr(way, step); at;
	     at = strstr(at + 1, step))
		list = at + strlen(step);
	for (size_t i = 0; list && i < ARRAY_SIZE(s->caches) && s->caches[i].use; i++) {
		const struct slab_use *u = s->caches[i].use;
		const char *name = u->cache ? u->cache->kind : NULL;

		/* Of a cache of everything, or of packets, they may be of anyone. */
		if (!name || !u->is_idle_known || !strncmp(name, "kmalloc", strlen("kmalloc")) ||
		    !strncmp(name, "skbuff", strlen("skbuff")) ||
		    strncmp(list, name, strlen(name)) || !strchr(" ,;", list[strlen(name)]))
			continue;
		return dump_text(s->dump, ", of which there are %s",
				 COUNT_TEXT(u->taken - u->idle));
	}
	return "";
}

/* "and 4 merged (fib6_nodes, bridge_fdb_cache)": the name is that of the first which was made, whose objects may be few. */
void claim_add_merged(const char *remark, struct strbuf *b)
{
	const char *names = log_after(remark, "and ") ? strstr(remark, " merged (") : NULL;

	if (names && names < strchr(remark, ')'))
		strbuf_add(b, " or one that is merged with it %.*s)",
			   (int)strcspn(names + strlen(" merged "), ")"),
			   names + strlen(" merged "));
}

bool claim_add_listed(const struct statement *row, struct strbuf *b)
{
	const char *way = row->name && strstr(row->name, " reached from ") ? row->remark : NULL;
	const char *list = way ? strstr(way, " -> list of ") : NULL;
	size_t n;

	if (!list || row->section != SECTION_CANDIDATE)
		return false;
	list += strlen(" -> list of ");
	n = strcspn(list, " ,;");
	if (!n || !strncmp(list, "kmalloc", strlen("kmalloc")) ||
	    !strncmp(list + n, " -> kmalloc", 11))
		return false;
	strbuf_add(b, "objects of slab cache %.*s, and what they lead to", (int)n, list);
	return true;
}

const struct claim *claims_largest(const struct claims *c, bool *is_certain)
{
	const struct claim *most = NULL;
	uint64_t next = 0;

	for (const struct claim *x = c->all; x < c->all + c->n; x++)
		most = x->row && x->pages && (!most || x->pages > most->pages) ? x : most;
	*is_certain = !c->has_unplaced && !summary_lacks_processes(c->s);
	for (const struct claim *x = c->all; x < c->all + c->n; x++) {
		if (!x->row || x == most)
			continue;
		next = x->pages > next ? x->pages : next;
		*is_certain = *is_certain && !x->is_least;
	}
	*is_certain = *is_certain && next + c->s->pages_missing <= (most ? most->pages : 0);
	return most;
}

bool summary_is_lost(const struct statement *row)
{
	return row->section == SECTION_CANDIDATE && row->name && !strncmp(row->name, "none", 4);
}

bool claim_add_lost(const struct statement *row, struct strbuf *b)
{
	const char *text = row->remark ?: "", *end = strstr(text, "; ");

	if (!*text || row->confidence.known || !summary_is_lost(row))
		return false;
	strbuf_add(b, "%.*s, low confidence", end ? (int)(end - text) : (int)strlen(text), text);
	return true;
}

const char *summary_doubt(const struct statement *candidate)
{
	return candidate->confidence.known ? "inferred by pointers"
	       : candidate->order.known	   ? "candidate, medium confidence"
					   : "candidate, low confidence";
}

static bool is_module_without_size(const struct statement *row)
{
	return !row->pages.known && row->name && !strcmp(row->by, "module");
}

void claim_add_candidate(const struct summary *s, struct strbuf *b)
{
	const struct statement *one = NULL;

	for (const struct statement *row = s->first[SECTION_CANDIDATE]; row; row = row->next) {
		if (!is_module_without_size(row))
			continue;
		if (one)
			return;
		one = row;
	}
	if (one)
		strbuf_add(b, "; module %.64s is not of the kernel's source: %s", one->name,
			   summary_doubt(one));
}

void claim_add_lost_areas(const struct summary *s, const struct statement *areas, struct strbuf *b)
{
	const struct statement *lost = s->first[SECTION_CANDIDATE];
	struct strbuf text = STRBUF_OF(400);

	while (lost && !summary_is_lost(lost))
		lost = lost->next;
	if (!lost || s->lost_kind != NODE_AREA ||
	    lost->pages.n * 100 < areas->pages.n * CLAIM_SAME || !claim_add_lost(lost, &text))
		return;
	strbuf_add(b, "; %s", text.buf + strcspn(text.buf, " ") + (strchr(text.buf, ' ') != NULL));
}
