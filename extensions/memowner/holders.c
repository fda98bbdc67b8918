// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who has much of the memory by the kernel's own lists: callers of vmalloc, zram, page pools, processes
 * by their sockets.
 */
#include "groups.h"
#include "collect/sockets.h"
#include "vm/kstacks.h"
#include "pools/page_pools.h"
#include "pools/zram.h"
#include "pools/zswap.h"
#include "pageowner/view.h"
#include "summary.h"
#include "verdict_words.h"

struct callers {
	struct owner_view *v;
	struct kstacks stacks;
	struct percpu_pages percpu;
	struct hash_u64 texts; /* pages by the address of the caller's text */
};

struct statement *summary_holder(struct summary *s, const char *by, const char *name,
				 uint64_t pages, const char *command, const char *remark)
{
	return summary_holder_users(s, by, name, NULL, pages, command, remark);
}

struct statement *summary_holder_users(struct summary *s, const char *by, const char *name,
				       const struct text_list *users, uint64_t pages,
				       const char *command, const char *remark)
{
	if (!summary_reaches(s, LIMIT_HOLDER, pages))
		return NULL;
	SUMMARY_ADD(s, .section = SECTION_HOLDER, .by = by, .name = name, .pages = { pages, true },
		    .used_by = users, .remark = remark, .command = command);
	summary_propose(s, command, pages);
	return s->last[SECTION_HOLDER];
}

const char *summary_end_of(struct summary *s, const char *comm, int32_t tgid)
{
	return dump_text(s->dump, "the end of %s (%d)", comm, tgid);
}

void summary_propose(struct summary *s, const char *command, uint64_t pages)
{
	if (!command || (s->next_holder && pages <= s->next_holder_pages))
		return;
	s->next_holder = command;
	s->next_holder_pages = pages;
}

struct statement *summary_held_of(struct summary *s, uint32_t memory, const char *comm,
				  int32_t tgid, uint64_t pages, const char *command,
				  const char *remark)
{
	struct statement *row = summary_holder(
		s, "held", comm ? dump_text(s->dump, "%s (%d)", comm, tgid) : "no process", pages,
		command, remark);

	if (!row)
		return NULL;
	row->memory = memory;
	row->comm = comm;
	row->pid = (struct maybe_u64){ (uint64_t)tgid, comm != NULL };
	if (comm && tgid > 0)
		row->release = summary_end_of(s, comm, tgid);
	return row;
}

void summary_name_several(struct summary *s, struct statement *row, uint64_t processes)
{
	row->name = dump_text(s->dump, "%s processes %s", COUNT_TEXT(processes), row->comm);
	row->pid.known = false;
	row->processes = (struct maybe_u64){ processes, true };
	if (row->release)
		row->release = "the end of these processes";
}

struct statement *summary_held_of_name(struct summary *s, uint32_t memory, const char *comm,
				       uint64_t processes, int32_t most, uint64_t pages,
				       const char *command, const char *remark)
{
	struct statement *row = summary_held_of(s, memory, dump_strdup(s->dump, comm), 0, pages,
						command, remark);

	if (!row)
		return NULL;
	summary_name_several(s, row, processes);
	row->most_pid = (struct maybe_u64){ (uint64_t)most, true };
	return row;
}

void summary_set_swapped(struct summary *s, struct statement *row, uint64_t pages, uint64_t swapped)
{
	row->pages.n = pages;
	row->bytes = (struct maybe_u64){ pages << s->dump->page_shift, true };
	row->swapped = (struct maybe_u64){ swapped, true };
	row->brief = row->remark;
	if (swapped)
		row->remark = dump_text(s->dump, "%s, in swap %s", row->remark,
					summary_size(s, swapped));
}

/* Areas of a caller. */
struct areas {
	uint64_t n, pages, most; /* most: pages of the largest */
};

static enum status add_area(void *arg, const struct vm_area *area)
{
	struct callers *c = arg;
	const struct frame *frame;
	const char *name;
	struct areas *all;
	char text[640];

	if (!vm_area_owns(area) || percpu_pages_have(&c->percpu, area) ||
	    kstacks_have(&c->stacks, area) || kstacks_may_have(&c->stacks, area))
		return ST_OK;
	frame = area->caller ? symbolize(&c->v->stacks.symbols, area->caller) : NULL;
	name = intern(&c->v->texts, frame ? function_text(frame, text, sizeof(text)) : "?");
	all = hash_u64_get(&c->texts, (uint64_t)(uintptr_t)name, NULL);
	all->n++;
	all->pages += area->nr_pages;
	all->most = area->nr_pages > all->most ? area->nr_pages : all->most;
	return ST_OK;
}

/* "179 areas, the largest 812.0K"; NULL: one. */
static const char *areas_text(struct summary *s, const struct areas *all)
{
	return all->n > 1 ? dump_text(s->dump, "%s areas, the largest %s", COUNT_TEXT(all->n),
				      summary_size(s, all->most))
			  : NULL;
}

static const char *area_remark(struct summary *s, const char *caller, const struct areas *all)
{
	if (claim_is_of_chunks(caller))
		return "what the allocator of per-CPU memory keeps of its chunks";
	return !strncmp(caller, "n_tty_open", strlen("n_tty_open")) &&
			       summary_reaches(s, LIMIT_HOLDER, all->pages)
		       ? summary_terminals(s)
		       : areas_text(s, all);
}

enum status summary_callers(struct summary *s)
{
	struct owner_view *v = s->view;
	struct dump *d = s->dump;
	struct callers *c = dump_alloc(d, sizeof(*c));
	uint64_t end = v->owner.ram.ranges[v->owner.ram.n - 1].end;
	struct vm_layout layout;
	struct pfnset stacks;
	struct first_problem problem = { 0 };
	enum status st;

	if (!summary_may_hold(s, s->classes[CLASS_VMALLOC]))
		return ST_OK;
	c->v = v;
	if (!v->has_depot)
		symbolizer_open(d, &v->stacks.symbols);
	pfnset_init(&stacks, d->arena, end);
	hash_u64_init(&c->texts, d->arena, sizeof(struct areas));
	percpu_pages_open(d, &c->percpu);
	st = vm_layout_open(d, &layout) ?: kstacks_open(&layout, &stacks, &c->stacks) ?:
			vm_areas_walk(&layout, add_area, c);
	st = first_problem_keep(d, &problem, st);
	for (const struct hash_u64_entry *e = c->texts.first; e && st == ST_OK; e = e->next) {
		const char *caller = (const char *)(uintptr_t)e->key;
		const struct areas *all = (const struct areas *)e->value;

		summary_holder(s, "vmalloc", caller, all->pages, "memowner vmalloc",
			       area_remark(s, caller, all));
	}
	return st == ST_OK ? first_problem_end(d, &problem) : st;
}

struct devices {
	struct summary *s;
	unsigned int n;
	bool has_all; /* the pages of each are known */
};

/* "stores 116.0M"; what takes nearly as much as before is no gain. NULL: unknown. */
static const char *zram_remark(struct summary *s, const struct zram_device *z)
{
	const bool is_poor = z->has_stats && z->pages >= z->stored / 10 * 9;

	if (!z->has_stats || !z->stored)
		return NULL;
	return dump_text(s->dump, "stores %s%s", summary_size(s, z->stored),
			 is_poor ? ", hardly compressed" : "");
}

struct swap_on {
	const char *device;
	bool found, has_unknown;
};

static enum status compare_area(void *arg, const struct swap_area *area)
{
	struct swap_on *x = arg;
	const char *last = area->path ? strrchr(area->path, '/') : NULL;

	x->has_unknown |= !area->path;
	x->found |= last && !strcmp(last + 1, x->device);
	return ST_OK;
}

/* The file system on a disk of zram, whose deleted files stay in memory until they are discarded. */
static void tell_mount(struct summary *s, struct statement *row)
{
	const char *mount;

	if (summary_failed(s, "file systems on disks of zram",
			   super_of_disk(s->dump, row->name, &mount)) != ST_OK ||
	    !mount)
		return;
	row->remark = dump_text(s->dump, "%s; mounted as %s", row->remark, mount);
	row->release =
		dump_text(s->dump,
			  "removing files of %s and discarding their blocks (fstrim(8)), or a "
			  "reset of the disk",
			  mount);
}

/* A zram need not be swap: it may be the disk of a file system. */
static void tell_use(struct summary *s, struct statement *row)
{
	struct swap_on x = { .device = row->name };
	enum status st = row->name ? swap_areas_walk(s->dump, compare_area, &x) : ST_UNKNOWN;

	if (x.found)
		return;
	if ((st == ST_OK || st == ST_ABSENT) && !x.has_unknown) {
		row->called = dump_text(s->dump, "zram disk %s, which is no swap", row->name);
		row->remark = row->remark ? dump_text(s->dump, "no swap; %s", row->remark)
					  : "no swap";
		tell_mount(s, row);
	} else {
		row->called = dump_text(s->dump, "zram device %s", row->name ?: "of unknown name");
	}
}

static enum status put_zram(void *arg, const struct zram_device *z)
{
	struct devices *v = arg;
	struct dump *d = v->s->dump;
	struct statement *row;

	v->n++;
	v->has_all &= z->has_pages;
	row = summary_holder(v->s, "zram", z->name[0] ? dump_strdup(d, z->name) : NULL, z->pages,
			     "memowner pools", zram_remark(v->s, z));
	if (row)
		tell_use(v->s, row);
	return ST_OK;
}

static enum status put_zswap(void *arg, const struct zswap_pool *pool)
{
	struct summary *s = arg;

	if (!pool->has_pages)
		summary_unknown(s, "pools of zswap", NOT_IN_DUMP,
				"the pages of a pool are unknown");
	else
		summary_holder(s, "zswap",
			       dump_text(s->dump, "%s (%s)", pool->allocator,
					 pool->compressor[0] ? pool->compressor : "?"),
			       pool->pages, "memowner pools", NULL);
	return ST_OK;
}

enum status summary_zram(struct summary *s)
{
	struct devices v = { .s = s, .has_all = true };
	enum status st = ST_OK;

	if (summary_may_hold(s, s->classes[CLASS_ZSMALLOC]))
		st = zram_walk(s->dump, put_zram, &v);
	if (st == ST_ABSENT)
		s->no_zram = dump_why(s->dump);
	/* Without the types of its module only what is not told here is unknown. */
	if (st == ST_UNKNOWN && v.n && v.has_all)
		st = ST_OK;
	if (st == ST_OK && !v.has_all)
		st = dump_unreadable(s->dump, "the pages of a device are unknown");
	return st;
}

/* Of zram and zswap a kernel may have one, or none that has a name: told if there is much of that class. */
enum status summary_zswap(struct summary *s)
{
	const uint64_t pages = s->classes[CLASS_ZSMALLOC];
	enum status st = summary_may_hold(s, pages) ? zswap_walk(s->dump, put_zswap, s) : ST_OK;

	if (st != ST_ABSENT || !s->no_zram || !summary_reaches(s, LIMIT_HOLDER, pages))
		return st;
	return dump_fail(s->dump, ST_UNKNOWN, "the user of zsmalloc is not known: %s", s->no_zram);
}

struct pool_pages {
	struct owner_view *v;
	struct hash_u64 pages; /* by address of the pool */
};

static enum status count_page(void *arg, uint64_t pfn)
{
	struct pool_pages *p = arg;
	struct page_info info;
	uint64_t *pages;

	if (page_type_at(&p->v->states, pfn, &info) != ST_OK || !info.pool)
		return ST_OK;
	pages = hash_u64_get(&p->pages, info.pool, NULL);
	++*pages;
	return ST_OK;
}

enum status summary_page_pools(struct summary *s)
{
	struct owner_view *v = s->view;
	struct pool_pages found = { .v = v };
	struct first_problem problem = { 0 };
	struct page_pools pools;
	enum status st = ST_ABSENT;

	if (summary_may_hold(s, s->classes[CLASS_PAGE_POOL]))
		st = page_pools_open(s->dump, &pools);
	if (st != ST_OK)
		return st;
	hash_u64_init(&found.pages, s->dump->arena, sizeof(uint64_t));
	st = ram_walk(s->dump, &v->owner.ram, count_page, &found);
	for (const struct hash_u64_entry *e = found.pages.first; e && st == ST_OK; e = e->next) {
		struct page_pool pool = { 0 };

		/* Its pages are known, its name is not. */
		st = page_pool_read(&pools, e->key, &pool);
		if (st != ST_OK)
			pool.device[0] = pool.driver[0] = '\0';
		st = first_problem_keep(s->dump, &problem, st);
		if (st != ST_OK)
			break;
		summary_holder(s, "page_pool",
			       dump_text(s->dump, "%s (%s)", pool.device[0] ? pool.device : "?",
					 pool.driver[0] ? pool.driver : "?"),
			       *(const uint64_t *)e->value, "memowner pools", NULL);
	}
	st = st ?: first_problem_end(s->dump, &problem);
	return st == ST_OK && summary_may_hold(s, 0) ? summary_fail_missing(s) : st;
}

/* Pages of packets in the queues of the sockets that the same processes have open. */
struct socket_user {
	uint64_t pages, received, sent; /* bytes that they count in queues of either kind */
	uint64_t file_pages;		/* of pages: page cache */
	uint64_t bytes;		   /* of all packets; of a unix socket they count for the sender */
	const struct socket *most; /* that has most pages of them */
	uint64_t not_accepted;	   /* connections that wait for accept() */
	const struct text_list *users; /* NULL: unknown */
	struct hash_u64 peers; /* bytes sent, by the address of the users of the other end */
};

static void add_socket(struct socket_user *user, const struct socket *use)
{
	user->pages += use->pages;
	user->file_pages += use->file_pages;
	user->most = !user->most || use->pages > user->most->pages ? use : user->most;
	user->bytes += use->walked ? use->bytes : 0;
	user->users = use->used_by;
	user->not_accepted += use->not_accepted;
	user->received += use->sock.rmem > 0 ? use->sock.rmem : 0;
	if (use->sock.wmem_queued <= 0)
		return;
	user->sent += use->sock.wmem_queued;
	*(uint64_t *)hash_u64_get(&user->peers, (uint64_t)(uintptr_t)use->peer_used_by,
				  NULL) += use->sock.wmem_queued;
}

static void sum_users(struct summary *s, const struct sockets *x, struct hash_u64 *users)
{
	for (size_t i = 0; i < x->n; i++) {
		const struct socket *use = x->all[i];
		struct socket_user *user;
		bool is_new;

		user = hash_u64_get(users, (uint64_t)(uintptr_t)use->used_by, &is_new);
		if (is_new)
			hash_u64_init(&user->peers, s->dump->arena, sizeof(uint64_t));
		add_socket(user, use);
		s->socket_pages += use->pages;
	}
}

static const char *socket_users_name(struct summary *s, const struct text_list *users)
{
	struct strbuf b = STRBUF_OF(USERS_TOLD * 32 + TEXT_LIST_TAIL);

	if (!users || !users->n)
		return "no known process";
	text_list_short(users, USERS_TOLD, &b);
	return dump_strdup(s->dump, b.buf);
}

/* By which socket, where that has nearly all. */
static const char *received_text(struct summary *s, const struct socket_user *user)
{
	static const char text[] = "received and not read";
	struct strbuf b = STRBUF_OF(256);

	if (user->most->pages / 9 < user->pages / 10)
		return text;
	strbuf_add(&b, "%s, of ", text);
	summary_socket_name(user->most, &b);
	return dump_strdup(s->dump, b.buf);
}

/* Which queues they are in, where nine tenths are in those of one kind; NULL: they are in both. */
static const char *queues_text(struct summary *s, const struct socket_user *user)
{
	const uint64_t most = (user->received + user->sent) / 10 * 9;
	const char *to;

	if (user->not_accepted)
		return dump_text(s->dump, "%s that it has not accepted%s",
				 COUNT_OF(user->not_accepted, "connection"),
				 user->received > most ? ", whose data no process reads" : "");
	if (user->received > most)
		return received_text(s, user);
	if (user->sent <= most)
		return NULL;
	for (const struct hash_u64_entry *e = user->peers.first; e; e = e->next) {
		const struct text_list *peers = (const struct text_list *)(uintptr_t)e->key;

		if (peers && peers->n && *(const uint64_t *)e->value > user->sent / 10 * 9)
			return dump_text(s->dump, "in send queues, to %s",
					 socket_users_name(s, peers));
	}
	to = summary_receivers(s, &user->peers, user->sent);
	return to ? dump_text(s->dump, "in send queues, to %s", to) : "in send queues";
}

/* What of packets is in objects of slab caches is no page of theirs. */
static const char *packets_text(struct summary *s, const struct sockets *all,
				const struct socket_user *user)
{
	const char *queues = queues_text(s, user);
	const uint64_t queued = user->received + user->sent;
	const uint64_t counted = (queued > user->bytes ? queued : user->bytes) >>
				 s->dump->page_shift;

	if (user->file_pages > user->pages / 2)
		return dump_text(
			s->dump, "%s%s%s of it page cache, which is not reclaimed meanwhile",
			queues ?: "", queues ? "; " : "", summary_size(s, user->file_pages));
	/* Nor is what of them cannot be read. */
	if (all->problem || counted <= user->pages + user->pages / 20)
		return queues;
	return dump_text(s->dump, "%s%s%s with what of packets is in slab caches", queues ?: "",
			 queues ? "; " : "", summary_size(s, counted));
}

#define OF(class) (1U << CLASS_##class)

/* Page cache that packets have is not reclaimed as long as they do. */
static uint32_t socket_memory(const struct socket_user *user)
{
	return OF(DIRECT) | OF(PAGE_POOL) | (user->file_pages ? OF(FILE) | OF(SHMEM) : 0);
}

/* What the sockets of processes of one name have together, each process its own. */
struct socket_name {
	struct socket_user sum;
	const char *comm;
	struct hash_u64 processes; /* of uint64_t, pages, by tgid */
	uint64_t most;		   /* pages of one */
	int32_t tgid;		   /* that has them */
};

static void add_process(struct summary *s, struct hash_bytes *names, const struct socket *use)
{
	const struct file_user *user = use->users && use->users->n == 1 ? use->users->all[0] : NULL;
	struct socket_name *n;
	uint64_t *pages;
	bool is_new;

	if (!user || user->is_device || !use->pages)
		return;
	n = hash_bytes_get(names, user->comm, strlen(user->comm) + 1, &is_new)->value;
	if (is_new) {
		n->comm = user->comm;
		hash_u64_init(&n->sum.peers, s->dump->arena, sizeof(uint64_t));
		hash_u64_init(&n->processes, s->dump->arena, sizeof(uint64_t));
	}
	add_socket(&n->sum, use);
	pages = hash_u64_get(&n->processes, (uint64_t)user->tgid, NULL);
	*pages += use->pages;
	if (*pages > n->most) {
		n->most = *pages;
		n->tgid = user->tgid;
	}
}

/* Several of which none has half. */
static void put_names(struct summary *s, const struct sockets *x)
{
	struct hash_bytes names;

	hash_bytes_init(&names, s->dump->arena, sizeof(struct socket_name));
	for (size_t i = 0; i < x->n; i++)
		add_process(s, &names, x->all[i]);
	hash_bytes_for_each(const struct socket_name, n, &names) {
		const char *packets = packets_text(s, x, &n->sum);
		struct statement *row;

		if (n->processes.n < 2 || n->most >= n->sum.pages / 2)
			continue;
		row = summary_held_of_name(s, socket_memory(&n->sum), n->comm, n->processes.n,
					   n->tgid, n->sum.pages,
					   "memowner sockets -o +peer_used_by",
					   dump_text(s->dump, "packets of sockets%s%s",
						     packets ? ", " : "", packets ?: ""));
		if (row) {
			row->release = "the end of these connections";
			row->is_least = x->problem;
		}
	}
}

/* Who shares a socket with others is named with them. */
enum status summary_sockets(struct summary *s)
{
	/* Packets are in pages of the one class or of the other; sendfile() lends them page cache. */
	const uint64_t pages = s->classes[CLASS_PAGE_POOL] + s->classes[CLASS_DIRECT];
	const bool has_own = summary_may_hold(s, pages);
	const struct sockets *x;
	struct hash_u64 users;
	enum status st;

	st = has_own || summary_may_hold(s, pages + s->classes[CLASS_FILE])
		     ? summary_sockets_once(s, &x)
		     : ST_ABSENT;
	if (st != ST_OK)
		return st;
	hash_u64_init(&users, s->dump->arena, sizeof(struct socket_user));
	sum_users(s, x, &users);
	s->socket_pages = has_own ? s->socket_pages : 0;
	if (x->problem)
		summary_unknown(s, "sockets", NOT_IN_DUMP, "%s", x->problem);
	put_names(s, x);
	hash_u64_for_each(const struct socket_user, user, &users) {
		/* What has page cache alone is with what the process holds. */
		struct statement *row =
			has_own ? summary_holder_users(s, "sockets",
						       socket_users_name(s, user->users),
						       user->users, user->pages, SOCKETS_BY_PEER,
						       packets_text(s, x, user))
				: NULL;

		if (row && user->file_pages)
			row->memory = socket_memory(user);
		if (row) {
			row->cgroup = summary_cgroup_of_user(s, user->users);
			row->is_least = x->problem;
		}
	}
	return ST_OK;
}

bool summary_may_hold(const struct summary *s, uint64_t pages)
{
	return summary_reaches(s, LIMIT_HOLDER, pages + s->pages_missing);
}

enum status summary_fail_missing(struct summary *s)
{
	return dump_unreadable(s->dump, "the use of %s is unknown",
			       COUNT_OF(s->pages_missing, "page"));
}
