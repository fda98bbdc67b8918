// SPDX-License-Identifier: GPL-2.0-or-later
#include "zone_use.h"

#include "claim_kinds.h"
#include "log_source.h"
#include "pageowner/view.h"
#include "summary.h"
#include "verdict.h"
#include "verdict_words.h"

#define LOOKED_UP 131072 /* anonymous pages whose process is looked for: microseconds each */
#define UNNAMED "?"	 /* no path of a cgroup: all of those without one */
#define OF_FILES (OF(FILE) | OF(SHMEM) | OF(HUGETLB))

struct walk {
	const struct summary *s;
	struct owner_view *v;
	struct zone_use *use;
	struct mappers *mappers; /* NULL: who maps a page is not known */
	uint64_t step, anon; /* each step-th anonymous page is looked up; anonymous pages so far */
	struct hash_u64 mappings; /* of struct zone_part by address_space */
	/* Of the page before: neighbours often have the same. */
	uint64_t memcg;
	struct zone_use_of *of;
};

static bool is_here(const struct walk *w, uint64_t pfn)
{
	const struct zone_sum *z = &w->s->short_zones;

	return ANY_OF(i, z->nspans, pfn >= z->spans[i].start && pfn < z->spans[i].end);
}

static void count(struct zone_part *part, bool here)
{
	part->all++;
	part->here += here;
}

static struct zone_use_of *find(struct walk *w, uint64_t memcg)
{
	const char *path;

	if (w->of && w->memcg == memcg)
		return w->of;
	path = memcg ? memcgs_path(&w->v->memcgs, memcg) : "";
	/* Whose name is not in the dump is no root. */
	if (!path)
		path = UNNAMED;
	else if (!strcmp(path, "/"))
		path = "";
	w->memcg = memcg;
	w->of = hash_bytes_get(&w->use->cgroups, path, strlen(path) + 1, NULL)->value;
	return w->of;
}

static enum status add_process(struct walk *w, uint64_t pfn, bool here)
{
	struct page_mappers found = { 0 };
	const struct mapper_name *name;
	enum status st;

	if (!w->mappers || w->anon++ % w->step)
		return ST_OK;
	st = mappers_find(w->mappers, pfn, &found);
	if (st != ST_OK || found.processes != 1 || !found.mappings)
		return st == ST_STOPPED ? st : ST_OK;
	name = hash_u64_find(&w->mappers->names, found.users->mm);
	if (!name || !name->process.tgid)
		return ST_OK;
	count(hash_u64_get(&w->use->processes, (uint64_t)name->process.tgid, NULL), here);
	count(hash_bytes_get(&w->use->names, name->process.comm, strlen(name->process.comm) + 1,
			     NULL)
		      ->value,
	      here);
	return ST_OK;
}

static enum status add_page(void *arg, uint64_t pfn)
{
	const bool here = is_here(arg, pfn);
	struct walk *w = arg;
	struct page_info info;
	enum page_class class;

	if (page_type_at(&w->v->states, pfn, &info) != ST_OK)
		return ST_OK;
	class = page_class_at(w->v->classes, &info, pfn, RECORD_NONE, 0);
	count(&w->use->classes[class], here);
	if (info.mapping && (class == CLASS_SHMEM || class == CLASS_FILE))
		count(hash_u64_get(&w->mappings, info.mapping, NULL), here);
	if (w->v->has_memcgs && class == CLASS_ANON)
		count(&find(w, info.memcg)->anon, here);
	else if (w->v->has_memcgs && (class == CLASS_SHMEM || class == CLASS_FILE))
		count(&find(w, info.memcg)->files, here);
	return class == CLASS_ANON ? add_process(w, pfn, here) : ST_OK;
}

/* By a report alone: what is the kernel's is in the zones that are not Movable. */
static void place_kernel(struct zone_use *ret)
{
	for (unsigned int i = 0; i < PAGE_CLASSES; i++)
		if (1U << i & (OF_LISTS | OF(KSTACK) | OF(PGTABLE)))
			ret->classes[i] = (struct zone_part){ .here = 1, .all = 1 };
	ret->known = true;
}

/* By a report alone: of one size, and where all zones of a node are of the request, or none. */
static void place_huge(const struct oom_report *r, struct zone_use *ret)
{
	struct zone_part part = { 0 };

	for (unsigned int i = 0; i < r->mem.nhuge; i++) {
		const struct mem_huge *huge = &r->mem.huge[i];

		if (huge->kib != r->mem.huge[0].kib)
			return;
		part.all += huge->total;
		part.here += log_zones_have_node(r, huge->node) ? huge->total : 0;
	}
	ret->classes[CLASS_HUGETLB] = part;
	ret->known |= part.here != 0;
}

static void add_part(struct hash_u64 *files, uint64_t address, const struct zone_part *of)
{
	struct zone_part *to = hash_u64_get(files, address, NULL);

	to->here += of->here;
	to->all += of->all;
}

/* Whose inode cannot be read is in no file system that is told. */
static void place_files(const struct walk *w, struct zone_use *ret)
{
	struct inodes inodes;

	if (inodes_open(w->s->dump, &inodes) != ST_OK)
		return;
	hash_u64_for_each(const struct zone_part, of, &w->mappings) {
		struct mapping mapping;
		struct inode inode;

		if (mapping_read(&inodes, hash_u64_entry_of(of)->key, &mapping) != ST_OK ||
		    !mapping.host || inode_read(&inodes, mapping.host, &inode) != ST_OK)
			continue;
		add_part(&ret->files, inode.address, of);
		add_part(&ret->files, inode.sb, of);
	}
}

void zone_use_read(const struct summary *s, struct zone_use *ret)
{
	struct owner_view *v = s->view;
	struct walk w = { .s = s, .v = v, .use = ret, .step = 1 + s->ram_pages / LOOKED_UP };
	struct mappers mappers;

	*ret = (struct zone_use){ 0 };
	hash_bytes_init(&ret->cgroups, s->dump->arena, sizeof(struct zone_use_of));
	hash_u64_init(&ret->processes, s->dump->arena, sizeof(struct zone_part));
	hash_bytes_init(&ret->names, s->dump->arena, sizeof(struct zone_part));
	hash_u64_init(&ret->files, s->dump->arena, sizeof(struct zone_part));
	hash_u64_init(&w.mappings, s->dump->arena, sizeof(struct zone_part));
	if (s->dump->log_file && s->short_zones.others_movable)
		place_kernel(ret);
	if (s->dump->log_file && s->last_report && !s->last_report->mem.huge_more)
		place_huge(s->last_report, ret);
	if (s->dump->log_file || !v->has_states || !v->classes || !s->short_zones.nspans)
		return;
	if (mappers_open(s->dump, &v->owner.ext.memmap, &v->states, &mappers) == ST_OK)
		w.mappers = &mappers;
	ret->known = ram_walk(s->dump, &v->owner.ram, add_page, &w) == ST_OK;
	if (!ret->known)
		return;
	place_files(&w, ret);
	zone_use_mark(ret, s->first[SECTION_GROUP]);
}

static struct zone_part file_part(const struct zone_use *u, const struct statement *row)
{
	const struct zone_part *part = row && row->inode ? hash_u64_find(&u->files, row->inode)
							 : NULL;

	return part ? *part : (struct zone_part){ 0 };
}

static struct zone_part process_part(const struct zone_use *u, const struct statement *row)
{
	const struct zone_part *part = NULL;

	if (row && row->section == SECTION_GROUP && row->pid.known &&
	    (!row->processes.known || row->processes.n == 1))
		part = hash_u64_find(&u->processes, row->pid.n);
	else if (row && row->section == SECTION_GROUP && row->comm)
		part = hash_bytes_find(&u->names, row->comm, strlen(row->comm) + 1);
	return part ? *part : (struct zone_part){ 0 };
}

static const struct zone_use_of *cgroup_part(const struct zone_use *u, const char *cgroup)
{
	/* What is charged to the root is charged to none. */
	const char *path = cgroup && strcmp(cgroup, "/") != 0 ? cgroup : "";
	const struct hash_bytes_entry *e = cgroup ? u->cgroups.first : NULL;

	while (e && strcmp((const char *)e->key, path) != 0)
		e = e->next;
	return e ? (const struct zone_use_of *)e->value : NULL;
}

/* Classes that are all in these zones, or in others, as objects of the kernel are not in ZONE_MOVABLE. */
static struct zone_part class_part(const struct zone_use *u, uint32_t memory)
{
	struct zone_part sum = { 0 };

	for (unsigned int i = 0; i < PAGE_CLASSES; i++)
		if (memory >> i & 1) {
			sum.here += u->classes[i].here;
			sum.all += u->classes[i].all;
		}
	return !sum.here || sum.here * 100 >= sum.all * ZONE_USE_WHOLE ? sum
								       : (struct zone_part){ 0 };
}

uint64_t zone_use_least(const struct zone_use *u, uint32_t memory, uint64_t pages)
{
	uint64_t others = 0, here = 0, least;

	if (!memory || memory & CLAIM_CGROUP)
		return 0;
	for (unsigned int i = 0; i < PAGE_CLASSES; i++)
		if (memory >> i & 1) {
			here += u->classes[i].here;
			others += u->classes[i].all - u->classes[i].here;
		}
	least = pages > others ? pages - others : 0;
	return least < here ? least : here;
}

struct zone_part zone_use_find(const struct zone_use *u, const struct statement *row,
			       const char *cgroup, uint32_t memory)
{
	const struct zone_part process = process_part(u, row), files = file_part(u, row);
	/* The root has what is of any process without a cgroup. */
	const bool is_any = row && row->section == SECTION_GROUP && row->processes.known &&
			    row->processes.n > 1 && (!cgroup || !cgroup[1]);
	const struct zone_use_of *of = is_any ? NULL : cgroup_part(u, cgroup);

	if (memory == OF(HUGETLB))
		return u->classes[CLASS_HUGETLB];
	if (process.all)
		return process;
	if (files.all)
		return files;
	if (of && memory == OF(ANON))
		return of->anon;
	if (of && memory && !(memory & ~OF_FILES))
		return of->files;
	/* Of a class each page was looked at. */
	if (!row && memory && !(memory & (memory - 1)) && memory < 1U << PAGE_CLASSES)
		return u->classes[__builtin_ctz(memory)];
	return class_part(u, memory & CLAIM_CGROUP ? 0 : memory);
}

#define ELSEWHERE 10 /* percent: of a process that has less there the zones are no question */

void zone_use_mark(const struct zone_use *u, struct statement *groups)
{
	for (struct statement *row = groups; row && u->known; row = row->next) {
		const struct zone_part of = zone_use_find(u, row, row->charged ?: row->cgroup,
							  OF(ANON));

		row->is_elsewhere = of.all && of.here * 100 < of.all * ELSEWHERE;
	}
}

uint64_t zone_sum_free(const struct summary *s, const struct zone_sum *z)
{
	return s->free.known && !z->other_free && !s->dump->log_file ? s->free.n : z->free;
}

void zone_sum_add_free(struct summary *s, const struct zone_sum *z, struct strbuf *b)
{
	uint64_t available;

	if (!s->free.known || z->other_free || s->dump->log_file) {
		strbuf_add(b, "%s %s free", summary_size(s, z->free), verdict_were(s));
		return;
	}
	verdict_add_free(s, b);
	/* Then it is no question of blocks alone. */
	if (verdict_available(s, &available, NULL) &&
	    !summary_reaches(s, LIMIT_AVAILABLE, available))
		strbuf_add(b, " (MemAvailable %s: memory was nearly used up, too)",
			   summary_size(s, available));
}

bool zone_sum_is_used_up(struct summary *s, const struct oom_report *r, const struct zone_sum *z)
{
	uint64_t available;

	return r->kind == OOM_REPORT_OOM && s->free.known &&
	       !summary_reaches(s, LIMIT_OTHER_FREE, z->free) &&
	       verdict_available(s, &available, NULL) &&
	       !summary_reaches(s, LIMIT_OTHER_FREE, available);
}
