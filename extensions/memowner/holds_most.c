// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has most of what ran out, in a sentence beside the verdict: an owner, those that come near it, or none that is known. */
#include "claim_kinds.h"
#include "dying.h"
#include "groups.h"
#include "memory/cgroups.h"
#include "oom/memory_policy.h"
#include "verdict_words.h"

#define TEXT 2048

/* Whether the kind of shortage is one of which somebody has most: a setting, or a reason that is unknown, has none. */
static bool has_question(const struct summary *s)
{
	return verdict_is_out(s->verdict) ||
	       (summary_is_of_limit(s) && (!s->dump->log_file || s->limit_pages)) ||
	       (s->verdict == VERDICT_ZONE && s->short_zones.managed) ||
	       s->verdict == VERDICT_NO_BLOCK;
}

static const char *whole_text(const struct summary *s, const struct claims *c)
{
	const struct zone_sum *z = &s->short_zones;

	if (!c->of_zones)
		return !c->of_limit ? "RAM"
		       : claims_are_beyond(s)
			       ? dump_text(s->dump, "its %s", summary_size(s, c->whole))
		       : s->verdict == VERDICT_HIGH ? "memory.high"
						    : claims_limit_name(s);
	return z->mems_allowed ? dump_text(s->dump, "node %s", z->mems_allowed)
	       : z->zones == 1 ? dump_text(s->dump, "zone %s of node %u", z->zone, z->node)
			       : "these zones";
}

static const char *share_text(const struct summary *s, const struct claims *c, uint64_t pages,
			      const char *size)
{
	return dump_text(s->dump, "%s%s", size,
			 charged_share_text(s, pages, c->whole, c->of_limit, whole_text(s, c)));
}

/* Of what pointers tell the bytes are known, as the row has them. */
static struct maybe_u64 bytes_of(const struct claim *of, uint64_t pages)
{
	return of->row && of->row->section == SECTION_CANDIDATE && pages == of->row->pages.n
		       ? of->row->bytes
		       : (struct maybe_u64){ 0 };
}

static const char *size_text(const struct summary *s, const struct claim *of, uint64_t pages)
{
	const struct maybe_u64 bytes = bytes_of(of, pages);

	return bytes.known ? dump_text(s->dump, "%s", SIZE_TEXT((int64_t)bytes.n))
			   : summary_size(s, pages);
}

static bool add_sockets(const struct statement *row, struct strbuf *b)
{
	struct strbuf names = STRBUF_OF(256);

	if (row->section != SECTION_HOLDER || strcmp(row->by, "sockets") || !row->used_by ||
	    !row->used_by->n)
		return false;
	summary_user_names(row->used_by, &names);
	strbuf_add(b, "sockets %s%s", strncmp(names.buf, "passed to ", 10) ? "of " : "", names.buf);
	return true;
}

/* "sockets passed to hog (123) and not received" */
static void add_name(const struct summary *s, const struct claim *of, struct strbuf *b)
{
	if (!of->row || !add_sockets(of->row, b))
		claim_name(s, of, b);
}

/* Of a cgroup's kernel objects: what the process that asked last holds, as it is in that cgroup. */
static void add_asker(const struct summary *s, const struct claim *of, struct strbuf *b)
{
	if (of->class && !strcmp(of->class, "kernel") && s->asker_held.known &&
	    s->asker_held.n > of->pages / 2 && summary_is_limited(s, s->asker_cgroup))
		strbuf_add(b, "%s holds %s of kernel memory",
			   s->asker_process
				   ? dump_text(s->dump, "%s (%d)", s->asker_process, s->asker_tgid)
				   : SUMMARY_TASK(log_maybe(s->ran_out->pid), s->ran_out->comm),
			   summary_size(s, s->asker_held.n));
}

static uint64_t pages_of(const struct claim *of)
{
	return claim_is_of_one(of) ? of->row->most_pages : of->pages;
}

static uint64_t swapped_of(const struct claim *of)
{
	return claim_is_of_one(of) ? of->row->most_swapped : of->swapped;
}

/* What no line of a report has: nothing says of what kind it is. */
static bool is_rest(const struct claim *claim)
{
	return claim->class && !strcmp(claim->class, "rest");
}

/* "bound to node 1 by its memory policy": where a node ran out, why it has its memory there. */
static void add_policy(struct summary *s, const struct claim *of, struct strbuf *b)
{
	const struct maybe_u64 *pid = !of->row			? NULL
				      : of->row->most_pid.known ? &of->row->most_pid
								: &of->row->pid;
	char nodes[256];
	enum status st;

	if (s->dump->log_file || !pid || !pid->known || of->row->section != SECTION_GROUP)
		return;
	st = memory_policy_read(s->dump, (int32_t)pid->n, nodes, sizeof(nodes));
	if (st == ST_OK && *nodes)
		strbuf_add(b, "%sbound to node%s %s by its memory policy", strbuf_between(b, "; "),
			   strspn(nodes, "0123456789") == strlen(nodes) ? "" : "s", nodes);
	else if (st == ST_OK)
		strbuf_add(b, "%snot bound by a memory policy of its own", strbuf_between(b, "; "));
	else if (st != ST_ABSENT && st != ST_STOPPED)
		summary_unknown(s, "memory policies of processes", availability_of(st), "%s",
				dump_why(s->dump));
	s->dump->error[0] = '\0';
}

/* "52.2M that cannot be moved": where blocks are what is missing, a page of it keeps the whole of its block. */
static const char *claim_size_text(const struct summary *s, const struct claims *c,
				   const struct claim *of, uint64_t pages)
{
	const char *size = size_text(s, of, pages);

	return c->of_blocks && !is_rest(of) ? dump_text(s->dump, "%s that cannot be moved", size)
					    : size;
}

/* "132 processes indexer of crond.service: 121.4M, 47.5% of RAM" */
static void add_claim(struct summary *s, const struct claims *c, const struct claim *of,
		      struct strbuf *b)
{
	const uint64_t pages = pages_of(of), swapped = swapped_of(of);
	const char *size = claim_size_text(s, c, of, pages);
	struct strbuf detail = STRBUF_OF(1024);

	add_name(s, of, b);
	if (of->is_part && of->row && of->row->pages.known && of->row->pages.n > pages)
		size = dump_text(s->dump, "%s of its %s", size, summary_size(s, of->row->pages.n));
	strbuf_add(b, ": %s%s",
		   of->is_about	  ? "about "
		   : of->is_least ? "at least "
				  : "",
		   share_text(s, c, pages, size));
	/* What is in zram is in RAM: a part says so. */
	if (swapped && !claim_has_zram(of))
		strbuf_add(b, ", and %s in swap", summary_size(s, swapped));
	claim_detail(s, of, &detail);
	add_asker(s, of, &detail);
	if (c->of_zones)
		add_policy(s, of, &detail);
	if (of->row)
		summary_fate(of->row, strbuf_between(&detail, "; "), true, &detail);
	if (detail.len)
		strbuf_add(b, " (%s)", detail.buf);
}

/* What a process has in swap is in the memory of zram, where that is known to have it. */
static bool is_stored(const struct claim *zram, const struct claim *of)
{
	return zram->row && zram->row->comm && zram->row->by && !strcmp(zram->row->by, "zram") &&
	       of->row && of->row->section == SECTION_GROUP && of->swapped > of->pages &&
	       !strcmp(zram->row->comm, of->row->comm) &&
	       zram->row->pid.known == of->row->pid.known && zram->row->pid.n == of->row->pid.n;
}

/* What a cgroup without a process is charged for that no process maps: a little more is charged, to what keeps it. */
static bool is_charged_to(const struct claim *unmapped, const struct claim *cgroup)
{
	return claim_is_unmapped(unmapped) && cgroup->row &&
	       !strcmp(cgroup->row->by ?: "", "cgroup") && cgroup->row->processes.known &&
	       !cgroup->row->processes.n && unmapped->pages <= cgroup->pages &&
	       unmapped->pages * 100 >= cgroup->pages * CLAIM_SAME;
}

/* Structures of a cgroup for each CPU, which the one above it is charged for: of removed ones, too. */
static bool is_percpu_of(const struct claim *percpu, const struct claim *cgroup)
{
	const uint64_t less = percpu->pages < cgroup->pages ? percpu->pages : cgroup->pages;

	return !percpu->row && percpu->memory == 1U << CLASS_PERCPU && cgroup->row &&
	       cgroup->row->percpu.known && cgroup->row->percpu.n >= less / 2;
}

/* Memory that no process has, of such as have ended or pinned, and the cgroup that it is charged to. */
static bool is_of_none(const struct summary *s, const struct claim *a, const struct claim *b)
{
	const bool is_none = claim_is_unmapped(a) || claim_is_of_orphans(s, a);
	const char *in = is_none && claim_is_cgroup(b) ? claim_charged_in(s, a) : NULL;

	return in && b->row->name && !strcmp(in, b->row->name);
}

/* Two names of one memory: together they are so much more than there is that half of the smaller one is in both. */
static bool is_same(const struct claims *c, const struct claim *a, const struct claim *b)
{
	const uint64_t sum = a->pages + b->pages, less = a->pages < b->pages ? a->pages : b->pages;

	return (sum > c->whole && sum - c->whole >= less / 2) || is_stored(a, b) ||
	       is_stored(b, a) || is_charged_to(a, b) || is_charged_to(b, a) ||
	       is_percpu_of(a, b) || is_percpu_of(b, a) || is_of_none(c->s, a, b) ||
	       is_of_none(c->s, b, a);
}

/* All shared memory, and a process of a table without a column of it: its rss may be of that. */
static bool is_shared_by(const struct summary *s, const struct claim *shared,
			 const struct claim *of)
{
	return s->lacks_anon && !shared->row && shared->memory == 1U << CLASS_SHMEM && of->row &&
	       of->row->section == SECTION_GROUP;
}

/* No one cgroup is known that it is charged to, or is. */
static bool is_unplaced(const struct claim *of)
{
	return of->row && !claim_cgroup_of(of->row);
}

/* A cgroup may have what it is not known to be beside; pages of zram whatever another has in swap. */
static bool may_have(const struct claim *of, const struct claim *x)
{
	if (of == x)
		return false;
	if (claim_is_cgroup(of))
		return x->row ? is_unplaced(of) || is_unplaced(x)
			      : !of->largest && !of->row->alike && x->memory & OF_PROCESSES;
	return of->memory == OF(ZSMALLOC) && !(of->row && of->row->comm) && x->swapped;
}

/* Who was granted what it has is no reason that memory is short: who has most beside it; NULL: that is no question. */
static const struct claim *find_beside(const struct summary *s, const struct claims *c,
				       const struct claim *of)
{
	const struct claim *beside = claim_is_granted(s, of) ? claims_beside(c, of) : NULL;

	return beside && !claim_is_granted(s, beside) ? beside : NULL;
}

static void put_row(struct summary *s, const struct claim *of, const char *remark)
{
	struct statement *put;

	const struct statement *row = of->row;
	struct strbuf name = STRBUF_OF(256);

	add_name(s, of, &name);
	SUMMARY_ADD(s, .section = SECTION_MOST, .of = row, .by = row ? row->by : NULL,
		    .name = (row && (!claim_is_lost(of) || row->module)) || of->victim
				    ? dump_strdup(s->dump, name.buf)
				    : NULL,
		    .pid = claim_is_of_one(of) ? row->most_pid
			   : row	       ? row->pid
			   : of->victim	       ? log_maybe(of->victim->pid)
					       : (struct maybe_u64){ 0 },
		    .comm = row		 ? row->comm
			    : of->victim ? of->victim->comm
					 : NULL,
		    .used_by = row ? row->used_by : NULL, .pages = { pages_of(of), true },
		    .bytes = bytes_of(of, pages_of(of)), .fate = row ? row->fate : NULL,
		    .fate_why = row ? row->fate_why : NULL,
		    .swapped = { swapped_of(of), swapped_of(of) != 0 },
		    .confidence = row ? row->confidence : (struct maybe_u64){ 0 }, .remark = remark,
		    /* Of a file system each part says the same. */
		    .release = row && (!of->nparts || row->inode) ? row->release : NULL);
	put = s->last[SECTION_MOST];
	for (unsigned int i = 0; i < of->nparts; i++)
		put->more[i] = of->parts[i].row;
}

/* None of n has a tenth, or less than what is lost: what is largest says so little that it is no answer. */
static void put_none(struct summary *s, const struct claims *c, unsigned int n)
{
	bool is_certain;
	const struct claim *most = claims_largest(c, &is_certain);
	struct strbuf b = STRBUF_OF(TEXT);

	strbuf_add(&b, "unknown: ");
	if (n)
		strbuf_add(&b, "lines of the report are damaged, cut or lost");
	else if (c->of_blocks)
		strbuf_add(&b, "no owner that is known has much of what cannot be moved");
	else
		strbuf_add(&b,
			   c->has_unplaced ? "of no owner is it known that it has a tenth of %s"
					   : "no owner that is known has a tenth of %s",
			   whole_text(s, c));
	if (!is_certain && !c->has_unplaced)
		strbuf_add(&b, "; how much some have is unknown");
	if (most && is_certain && (!n || most->pages >= c->least)) {
		strbuf_add(&b, "; the largest is ");
		add_claim(s, c, most, &b);
	}
	claims_add_lost(c, NULL, whole_text(s, c), &b);
	SUMMARY_ADD(s, .section = SECTION_MOST, .remark = dump_strdup(s->dump, b.buf));
}

/* A setting keeps what requests do not get: no process has it. */
static void put_setting(struct summary *s)
{
	const struct claims c = { .whole = s->ram_pages };

	if (s->kept_by_setting)
		SUMMARY_ADD(s, .section = SECTION_MOST,
			    .remark = dump_text(s->dump,
						"no process: the setting vm.min_free_kbytes keeps "
						"free %s",
						share_text(s, &c, s->kept_by_setting,
							   summary_size(s, s->kept_by_setting))));
}

/* Of what is charged to a cgroup more is not unknown than those that are told leave of it. */
static uint64_t unknown_of(const struct claims *c, const struct claim *const *lead, unsigned int n)
{
	const struct summary *s = c->s;
	uint64_t rest = c->whole;

	if (!c->of_limit)
		return s->pages_missing;
	for (unsigned int i = 0; i < n; i++)
		rest -= lead[i]->pages < rest ? lead[i]->pages : rest;
	return summary_lacks_processes(s) || s->pages_missing > rest ? rest : s->pages_missing;
}

/* Pages whose use is not in the dump may be of somebody else; so what a log does not place in these zones. */
static bool may_hide_more(const struct claims *c, const struct claim *const *lead, unsigned int n)
{
	if (c->s->dump->log_file)
		return c->has_unplaced && lead[0]->pages < c->whole / 2;
	return unknown_of(c, lead, n) > lead[0]->pages;
}

/* Pages that the kernel cannot give back, of all; so page cache that it can is no hoard. All of RAM: unknown. */
static uint64_t count_stays(const struct summary *s)
{
	struct mem_available available;

	/* The verdict tells that it cannot be read. */
	if (s->dump->log_file || mem_available_read(s->dump, &available) != ST_OK ||
	    available.pages > s->ram_pages)
		return s->ram_pages;
	return s->ram_pages - available.pages;
}

/* Of a cgroup's pages at most those that are no page cache of files; all, where its counters do not say. */
static uint64_t without_cache(const struct summary *s, const char *path, uint64_t pages)
{
	for (const struct memcg_counts *c = s->memcgs; c && path; c = c->next) {
		const uint64_t stays = c->counts[STAT_ANON] + c->counts[STAT_SHMEM] +
				       c->counts[STAT_KERNEL];

		if (c->removed || !c->path || strcmp(c->path, path) != 0)
			continue;
		return c->known[STAT_ANON] && c->known[STAT_SHMEM] && c->known[STAT_KERNEL] &&
				       stays < pages
			       ? stays
			       : pages;
	}
	return pages;
}

/*
 * One of the kernel, a pool of huge pages that is used up, or most of RAM: what services and their page cache have on any
 * machine is no finding.
 */
static bool is_hoard(const struct summary *s, const struct claim *of, uint64_t stays)
{
	const bool is_of_kernel = claim_is_of_kernel(of) || (of->row && of->row->is_used_up);
	uint64_t pages = is_of_kernel || of->pages < stays ? of->pages : stays;

	/* That the kernel can free it the verdict says with MemAvailable. */
	if (of->row && of->row->is_idle)
		return false;
	/* A class of which no one owner is known. */
	if (!of->row)
		return of->class && is_of_kernel && summary_reaches(s, LIMIT_UNOWNED, of->pages);
	if (claim_is_cgroup(of))
		pages = without_cache(s, of->row->name, pages);
	return summary_reaches(s, is_of_kernel ? LIMIT_HOARD : LIMIT_MOST, pages);
}

/* Of two that are told who has it comes before what it is. */
static bool says_more(const struct claim *x, const struct claim *than)
{
	if (!than || !x->row != !than->row)
		return !than || x->row;
	return x->pages > than->pages || (x->pages == than->pages && x->depth > than->depth);
}

static const struct claim *find_hoard(const struct summary *s, struct claims *c)
{
	const struct claim *lead[CLAIMS_TOLD], *most = NULL;
	uint64_t stays;

	claims_find(s, c);
	if (!c->whole)
		return NULL;
	stays = count_stays(s);
	if (claims_lead(c, lead) && lead[0]->row && is_hoard(s, lead[0], stays))
		return lead[0];
	/* What processes, or a cgroup, have more of is no reason not to tell it. */
	for (const struct claim *x = c->all; x < c->all + c->n; x++)
		if (is_hoard(s, x, stays) && says_more(x, most))
			most = x;
	return most;
}

void summary_add_hoarder(const struct summary *s, struct strbuf *b)
{
	struct claims *c = dump_alloc(s->dump, sizeof(*c));
	const struct claim *of = find_hoard(s, c);

	if (!of)
		return;
	strbuf_add(b, ", but %s, ", share_text(s, c, of->pages, size_text(s, of, of->pages)));
	if (claim_is_lost(of) && !of->row->module) {
		strbuf_add(b, "has no owner that is known");
		return;
	}
	if (!of->row) {
		strbuf_add(b, "is in ");
		add_name(s, of, b);
		strbuf_add(b, ", of no one owner that is known");
		return;
	}
	strbuf_add(b, claim_is_lost(of) ? "is in " : "is kept by ");
	add_name(s, of, b);
	if (of->row->is_used_up)
		strbuf_add(b, ", of which none is free");
}

/* Of several the largest; 0: it is of no process. */
static int32_t tgid_of(const struct claim *of)
{
	const struct statement *row = of->row;

	return !row		     ? 0
	       : row->most_pid.known ? (int32_t)row->most_pid.n
	       : row->pid.known	     ? (int32_t)row->pid.n
	       : row->user_pid.known ? (int32_t)row->user_pid.n
				     : summary_only_user(row->used_by);
}

/* Of a file system in memory where it is mounted, as one word of a command line; NULL: it is none, or has no such path. */
static const char *mount_of(const struct claim *of)
{
	const struct statement *row = of->row;

	return row && row->section == SECTION_HOLDER && row->inode && row->name &&
			       *row->name == '/' &&
			       strspn(row->name, PLAIN_PATH) == strlen(row->name)
		       ? row->name
		       : NULL;
}

/* Of two that are as large the one that nothing was granted. */
static void put_first(const struct summary *s, const struct claim *lead[], unsigned int n)
{
	const struct claim *first = lead[0];

	if (n != 2 || !claim_is_granted(s, first) || claim_is_granted(s, lead[1]))
		return;
	lead[0] = lead[1];
	lead[1] = first;
}

/* The process that reads its core dump, with much memory: a copy of what will be free when it is done; NULL: none does. */
static const struct claim *core_reader_of(const struct claims *c, const struct claim *of)
{
	const struct statement *row = of->row;

	for (const struct claim *x = c->all; row && row->pid.known && x < c->all + c->n; x++)
		if (x->row && x->row->section == SECTION_GROUP && x->row->core_of &&
		    (uint64_t)x->row->core_of == row->pid.n && !x->nparts &&
		    units_tenths(x->pages, c->whole) >= limit(LIMIT_HOLDER))
			return x;
	return NULL;
}

/* Whose size is as ever, and who grows with each page of it: the second is why memory runs out. */
static bool put_core_reader(const struct claims *c, const struct claim *lead[], unsigned int *n)
{
	const struct claim *dumping = lead[0], *reader = core_reader_of(c, dumping);

	if (!reader)
		return lead[0]->row && lead[0]->row->core_of;
	lead[0] = reader;
	lead[1] = dumping;
	*n = 2;
	return true;
}

/* Each cgroup has per-CPU memory of its own, whether a task is in it or not. */
static bool is_of_empty(const struct claim *percpu, const struct claim *cgroup)
{
	return percpu->memory == 1U << CLASS_PERCPU && cgroup->row && cgroup->row->empty;
}

/* Of what no process has the cgroup that it is charged to is told with it: what it is says more. */
static unsigned int without_charge(const struct summary *s, const struct claim *lead[],
				   unsigned int n)
{
	if (n != 2 || !(is_of_none(s, lead[0], lead[1]) || is_of_none(s, lead[1], lead[0])))
		return n;
	if (claim_is_cgroup(lead[0]))
		lead[0] = lead[1];
	return 1;
}

void summary_holds_most(struct summary *s)
{
	const struct claim *lead[CLAIMS_TOLD], *beside, *hoard = NULL;
	struct claims *c = dump_alloc(s->dump, sizeof(*c));
	struct strbuf b = STRBUF_OF(TEXT);
	const char *twins;
	unsigned int n;
	bool same, is_core, hides_more;

	if (s->verdict == VERDICT_KEPT)
		put_setting(s);
	if (summary_needs_hoard(s) ? !(hoard = find_hoard(s, c)) : !has_question(s))
		return;
	if (!hoard)
		claims_find(s, c);
	if (!c->whole || (!c->n && !c->has_unplaced && !c->lost))
		return;
	n = claims_lead(c, lead);
	if (hoard && (!n || lead[0] != hoard)) {
		lead[0] = hoard;
		n = 1;
	}
	if (!n || c->lost > lead[0]->pages + lead[0]->swapped) {
		put_none(s, c, n);
		return;
	}
	put_first(s, lead, n);
	n = without_charge(s, lead, n);
	is_core = put_core_reader(c, lead, &n);
	twins = is_core ? NULL : summary_twins_text(c, lead, &n);
	hides_more = may_hide_more(c, lead, n);
	if (hides_more)
		strbuf_add(&b, claim_is_top(lead[0]) ? "unknown; all below it together: "
						     : "of what is known: ");
	if (c->of_blocks && is_rest(lead[0]))
		strbuf_add(&b, "whether it can be moved is unknown: ");
	same = n == 2 && is_same(c, lead[0], lead[1]);
	for (unsigned int i = 0; i < n; i++) {
		strbuf_add(&b, "%s",
			   !i		? ""
			   : same	? lead[0]->victim && !s->dump->log_file
						  ? "; now "
						  : "; mostly the same memory: "
			   : i + 1 == n ? "; and "
					: "; ");
		add_claim(s, c, lead[i], &b);
	}
	if (c->of_blocks && !is_rest(lead[0]))
		strbuf_add(&b, "; such pages keep the blocks that they are in from being free");
	if (twins)
		strbuf_add(&b, "; %s", twins);
	beside = n == 1 && !is_core ? find_beside(s, c, lead[0]) : NULL;
	if (is_core) {
		strbuf_add(&b, "; one cause: a core dump that is read%s%s",
			   s->core_pattern ? ", kernel.core_pattern is " : "",
			   s->core_pattern ?: "");
	} else if (beside) {
		strbuf_add(&b, "; of what was not granted most is in ");
		add_claim(s, c, beside, &b);
		lead[n++] = beside;
	} else if (!same && ANY_OF(i, n * n,
				   is_shared_by(s, lead[i / n], lead[i % n]) ||
					   may_have(lead[i / n], lead[i % n]))) {
		strbuf_add(&b, "; a part may be the same memory");
	} else if (n == 2 && !same &&
		   (is_of_empty(lead[0], lead[1]) || is_of_empty(lead[1], lead[0]))) {
		strbuf_add(&b, "; one cause, inferred: the structures of %s without a task",
			   COUNT_OF(s->empty_cgroups, "cgroup"));
	} else if (n > 1 && !same && !ANY_OF(i, n, lead[i]->row && lead[i]->row->fate_why)) {
		strbuf_add(&b, "; %s",
			   claim_steady_text(s, lead[n - 1])
				   ?: n > 2 ? "none is much larger than the others"
					    : "neither is much larger");
	}
	claims_add_lost(c, lead[0], whole_text(s, c), &b);
	for (unsigned int i = 0; i < n; i++) {
		put_row(s, lead[i], i ? NULL : dump_strdup(s->dump, b.buf));
		s->last[SECTION_MOST]->of_known = hides_more;
	}
	s->dump->told_mount = mount_of(lead[0]);
	s->dump->told_tgid = tgid_of(lead[0]) ?: DUMP_TOLD_OTHER;
}
