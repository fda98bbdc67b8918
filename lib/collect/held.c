// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/held.h"

#include "collect/bpf.h"
#include "collect/opened_memory.h"
#include "bpf/seccomp_users.h"
#include "collect/unread.h"
#include "dump/pointer.h"
#include "kernel/most_pages.h"
#include "net/packet_ring.h"
#include "net/xdp_umem.h"
#include "pages/page_mapcount.h"
#include "slab/kmalloc.h"
#include "tasks/posix_timers.h"
#include "util/units.h"
#include "vm/dma_buf_users.h"

#define MAX_COMPOUND 1024 /* pages of the largest block of the allocator: order 10 */

/* What is as one of many objects is told by their number. */
static const struct {
	const char *name, *one;
} kinds[HELD_KINDS] = {
	[HELD_SOCKETS] = { "sockets" },
	[HELD_PACKET_RINGS] = { "rings of packet sockets" },
	[HELD_UMEMS] = { "UMEM of AF_XDP" },
	[HELD_PERF] = { "buffers of perf" },
	[HELD_PIPES] = { "pipes" },
	[HELD_PIPE_RINGS] = { "rings of pipes", "ring of a pipe" },
	[HELD_BPF] = { "BPF maps and programs" },
	[HELD_IO_RINGS] = { "rings of io_uring" },
	[HELD_IO_BUFFERS] = { "buffers of io_uring" },
	[HELD_DMA_BUFS] = { "DMA-BUF" },
	[HELD_FILE_LOCKS] = { "file locks", "file lock" },
	[HELD_TIMERS] = { "POSIX timers", "POSIX timer" },
	[HELD_WATCHES] = { "watches of inotify and fanotify", "watch of inotify or fanotify" },
	[HELD_MOUNTS] = { "mounts", "mount" },
	[HELD_IO_REQUESTS] = { "requests of io_uring", "request of io_uring" },
	[HELD_COMPLETIONS] = { "completions of io_uring that wait for room",
			       "completion of io_uring that waits for room" },
	[HELD_TUN] = { "packets of tun and tap devices", "packet of a tun or tap device" },
	[HELD_KEYS] = { "keys", "key" },
	[HELD_SECCOMP] = { "seccomp filters", "seccomp filter" },
	[HELD_SIGNALS] = { "queued signals", "queued signal" },
};

struct search {
	const struct session *s;
	struct dump *dump;
	struct held *ret;
	struct page_to_pfn to_pfn;
	struct page_mapcounts mapcounts;
	struct pfnset pages; /* that were counted */
	struct most_pages most;
	enum held_kind kind;
	const struct file_users *users; /* of the object that is walked; NULL: by its socket */
	uint64_t sum;			/* pages of it */
	struct posix_timers timers;
	const char *problems[HELD_KINDS];
};

static enum status keep(struct search *x, enum held_kind kind, enum status st)
{
	if (st != ST_OK && st != ST_ABSENT && st != ST_STOPPED && !x->problems[kind])
		x->problems[kind] = dump_why(x->dump);
	return st == ST_STOPPED ? st : ST_OK;
}

static void note(struct search *x, enum held_kind kind, const char *problem)
{
	if (problem && !x->problems[kind])
		x->problems[kind] = problem;
}

static struct held_process *add_objects(struct search *x, enum held_kind kind,
					const struct file_user *user, uint64_t n, uint64_t bytes)
{
	struct held_process *p = hash_u64_get(&x->ret->processes, (uint64_t)user->tgid, NULL);
	uint64_t sum;

	p->tgid = user->tgid;
	p->comm = user->comm;
	if (__builtin_add_overflow(p->bytes[kind], bytes, &sum) ||
	    most_pages_exceeds(x->most.ram, sum >> x->dump->page_shift)) {
		note(x, kind, dump_text(x->dump, "what %d has is more than there is", p->tgid));
		return p;
	}
	p->bytes[kind] += bytes;
	p->n[kind] += n;
	p->all += bytes;
	return p;
}

/* If one process alone has it. */
static void add(struct search *x, enum held_kind kind, const struct file_users *users,
		uint64_t bytes)
{
	if (users && users->n == 1 && bytes)
		add_objects(x, kind, users->all[0], 1, bytes);
}

static void count(struct search *x, uint64_t pfn)
{
	if (pfnset_has(&x->pages, pfn))
		return;
	pfnset_add(&x->pages, pfn);
	x->sum++;
}

/* The whole of the block that a part of it keeps. */
static enum status add_kernel_page(struct search *x, uint64_t pfn)
{
	struct page_info info, tail;
	enum status st = page_type_at(x->s->types, pfn, &info);

	if (st != ST_OK || info.state != PAGE_TYPE_OTHER)
		return st;
	count(x, pfn);
	for (uint64_t i = 0; i < MAX_COMPOUND && info.head_flags & x->mapcounts.head_flag; i++) {
		if (page_type_at(x->s->types, info.head + i, &tail) != ST_OK ||
		    tail.head != info.head)
			break;
		count(x, info.head + i);
	}
	return ST_OK;
}

static enum status add_part(void *arg, uint64_t address, uint64_t bytes)
{
	struct search *x = arg;
	struct dump *d = x->dump;
	const uint64_t mask = dump_page_size(d) - 1, end = address + bytes;
	enum status st = ST_OK;

	for (uint64_t at = address & ~mask; at < end && st == ST_OK; at += mask + 1) {
		uint64_t phys;

		if (dump_stopped(d))
			return ST_STOPPED;
		st = dump_pointer_phys(d, at, "the page", &phys)
			     ?: add_kernel_page(x, phys >> d->page_shift);
	}
	return st;
}

/* Data of a pipe that came from a file is the file's; what is mapped is in the RSS of someone. */
static enum status add_page(void *arg, uint64_t page)
{
	struct search *x = arg;
	struct page_info info;
	uint32_t maps;
	uint64_t pfn = 0;
	enum status st = page_to_pfn_find(&x->to_pfn, page, &pfn);

	if (st == ST_ABSENT)
		return dump_corrupt(x->dump, "%#lx is no struct page", page);
	st = st ?: page_type_at(x->s->types, pfn, &info);
	if (st != ST_OK)
		return st;
	if (info.state == PAGE_TYPE_OTHER)
		count(x, pfn);
	if (info.state != PAGE_TYPE_ANON)
		return ST_OK;
	st = page_mapcount(&x->mapcounts, pfn, &info, &maps);
	if (st == ST_OK && !maps)
		count(x, pfn);
	return st;
}

static enum status end_holder(void *arg, const struct memory_holder *h)
{
	struct search *x = arg;
	const struct socket *of_sock = x->ret->sockets ? sockets_find(x->ret->sockets, h->sock)
						       : NULL;

	add(x, x->kind,
	    x->users
		    ?: h->sock && of_sock ? of_sock->users
					  : NULL,
	    x->sum << x->dump->page_shift);
	if (h->is_cut)
		note(x, x->kind, "a part of it is not in this dump");
	x->sum = 0;
	return ST_OK;
}

static enum status find_sockets(struct search *x)
{
	const struct sockets *sockets;
	enum status st = sockets_collect(x->s, &sockets);

	if (st != ST_OK)
		return keep(x, HELD_SOCKETS, st);
	x->ret->sockets = sockets;
	for (size_t i = 0; i < sockets->n; i++) {
		const struct socket *s = sockets->all[i];

		if (s->walked)
			add(x, HELD_SOCKETS, s->users, s->bytes);
	}
	unread_find(sockets, &x->ret->unread);
	note(x, HELD_SOCKETS, sockets->problem);
	return sockets->is_partial ? ST_STOPPED : ST_OK;
}

static void add_bpf(struct search *x, const struct bpf_object *o)
{
	if (!o->bytes.known)
		note(x, HELD_BPF, "the memory of a map is unknown");
	add(x, HELD_BPF, &o->holders.users,
	    (o->bytes.known ? o->bytes.n : 0) + (o->jited.known ? o->jited.n : 0));
}

static enum status find_bpf(struct search *x)
{
	struct bpf_objects *b = dump_alloc(x->dump, sizeof(*b));
	enum status st = bpf_collect(x->dump, b);

	if (st != ST_OK)
		return keep(x, HELD_BPF, st);
	for (size_t i = 0; i < b->n; i++)
		if (b->all[i].is_alone)
			add_bpf(x, &b->all[i]);
	note(x, HELD_BPF, b->problem);
	return b->is_partial ? ST_STOPPED : ST_OK;
}

/* The pages of a udmabuf are those of a memfd, which is a file. */
static enum status find_dma_bufs(struct search *x)
{
	struct dma_buf_users *u = dump_alloc(x->dump, sizeof(*u));
	enum status st = dma_buf_users_read(x->dump, 1, u);

	if (st != ST_OK)
		return keep(x, HELD_DMA_BUFS, st);
	for (const struct found_buf *f = u->first; f && st == ST_OK; f = f->next) {
		struct file_all_users users;

		if (dma_buf_users_of(u, &f->buf, &users, &st) && users.all_complete &&
		    f->buf.has_devices && !f->buf.ndevices && strcmp(f->buf.exporter, "udmabuf"))
			add(x, HELD_DMA_BUFS, &users.both, f->buf.bytes);
	}
	note(x, HELD_DMA_BUFS, u->problem ?: u->users_problem);
	return st;
}

static enum status add_lock(void *arg, const struct file_users *users, uint64_t bytes)
{
	add(arg, HELD_FILE_LOCKS, users, bytes);
	return ST_OK;
}

static enum status find_locks(struct search *x, const struct opened_memory *m)
{
	enum status st = ST_OK;

	if (m->has_locks && m->is_complete)
		st = keep(x, HELD_FILE_LOCKS, file_locks_walk(&m->locks, add_lock, x));
	else if (m->has_locks)
		note(x, HELD_FILE_LOCKS, m->open.problem);
	note(x, HELD_FILE_LOCKS, m->locks_problem.text);
	return st;
}

static enum status add_pipe_ring(struct search *x, struct slabs *slabs, const struct pipes *pipes,
				 uint64_t pipe, const struct file_users *users)
{
	uint64_t ring, asked, bytes;
	enum status st = pipe_ring(pipes, pipe, &ring, &asked)
				 ?: kmalloc_bytes(slabs, x->s->types, ring, &bytes);

	if (st == ST_OK && bytes < asked)
		st = dump_corrupt(x->dump, "the ring of the pipe at %#lx has %lu of %lu bytes",
				  pipe, bytes, asked);
	if (st == ST_OK)
		add(x, HELD_PIPE_RINGS, users, bytes);
	return keep(x, HELD_PIPE_RINGS, st);
}

/* A pipe has its ring, full or empty. Where pipes may be missing, HELD_PIPES says so. */
static enum status find_pipe_rings(struct search *x, const struct opened_memory *m)
{
	const struct hash_u64_entry *e = m->all[OPENED_PIPE].first;
	struct slabs *slabs = dump_alloc(x->dump, sizeof(*slabs));
	enum status st = ST_OK;

	if (!e || !m->is_complete)
		return ST_OK;
	st = slabs_open(x->dump, x->s->memmap, slabs);
	if (st != ST_OK)
		return keep(x, HELD_PIPE_RINGS, st == ST_ABSENT ? ST_UNKNOWN : st);
	for (; e && st == ST_OK; e = e->next) {
		const struct file_users *users = (const struct file_users *)e->value;

		if (dump_stopped(x->dump))
			return ST_STOPPED;
		if (users->n == 1)
			st = add_pipe_ring(x, slabs, &m->pipes, e->key, users);
	}
	return st;
}

static enum status find_opened(struct search *x, const struct memory_parts *v)
{
	static const enum held_kind of[OPENED_KINDS] = {
		[OPENED_PERF] = HELD_PERF,
		[OPENED_PIPE] = HELD_PIPES,
		[OPENED_IO_URING] = HELD_IO_RINGS,
	};
	struct opened_memory *m = dump_alloc(x->dump, sizeof(*m));
	enum status st = opened_memory_read(x->dump, m);

	for (enum opened_kind i = 0; i < OPENED_KINDS; i++) {
		note(x, of[i], m->problems[i].text);
		/* Another process may have it open as well. */
		if (m->operations[i] && !m->is_complete)
			note(x, of[i], m->open.problem);
		for (const struct hash_u64_entry *e = m->all[i].first;
		     e && st == ST_OK && m->is_complete; e = e->next) {
			x->users = (const struct file_users *)e->value;
			x->sum = 0;
			x->kind = of[i];
			st = keep(x, x->kind, opened_memory_walk(m, i, e->key, v));
			if (st != ST_OK || i != OPENED_IO_URING)
				continue;
			x->sum = 0;
			x->kind = HELD_IO_BUFFERS;
			st = keep(x, x->kind, io_ring_buffers(&m->rings, e->key, v));
		}
	}
	x->users = NULL;
	return st ?: find_pipe_rings(x, m) ?: find_locks(x, m);
}

static enum status find_packet_rings(struct search *x, const struct memory_parts *v)
{
	x->kind = HELD_PACKET_RINGS;
	x->sum = 0;
	return keep(x, x->kind, packet_rings_walk(x->dump, v));
}

static enum status find_umems(struct search *x, const struct memory_parts *v)
{
	x->kind = HELD_UMEMS;
	x->sum = 0;
	return keep(x, x->kind, xdp_umems_walk(x->dump, v));
}

static enum status add_timers(void *arg, const struct task *task)
{
	struct search *x = arg;
	enum status st;
	uint64_t n;

	if (task->pid != task->tgid)
		return ST_OK;
	st = keep(x, HELD_TIMERS, posix_timers_count(&x->timers, task->signal, &n));
	if (!n)
		return st;
	add_objects(x, HELD_TIMERS, file_user_new(x->dump, task->tgid, task->comm), n,
		    n * x->timers.bytes);
	return st;
}

static enum status find_timers(struct search *x)
{
	struct tasks *tasks = dump_alloc(x->dump, sizeof(*tasks));
	enum status st = posix_timers_find(x->dump, &x->timers) ?: tasks_open(x->dump, tasks);

	tasks->identity_only = true;
	return keep(x, HELD_TIMERS, st ?: tasks_walk(tasks, add_timers, x));
}

static enum status find_watches(struct search *x)
{
	struct watchers *w = dump_alloc(x->dump, sizeof(*w));
	enum status st = watchers_collect(x->dump, w);

	if (st != ST_OK)
		return keep(x, HELD_WATCHES, st);
	x->ret->watchers = w;
	hash_u64_for_each(const struct watcher, of, &w->all)
		if (w->is_complete && of->users.n == 1 && of->watches)
			add_objects(x, HELD_WATCHES, of->users.all[0], of->watches, of->bytes);
	note(x, HELD_WATCHES, w->problem);
	return ST_OK;
}

static enum status find_mounts(struct search *x)
{
	struct mount_namespaces *m = dump_alloc(x->dump, sizeof(*m));
	enum status st = mount_namespaces_read(x->dump, m);

	if (st != ST_OK)
		return keep(x, HELD_MOUNTS, st);
	x->ret->mounts = m;
	for (const struct mount_namespace *ns = m->all; ns < m->all + m->n; ns++) {
		const struct file_user *keeper = mount_namespace_keeper(m, ns);

		if (keeper && ns->mounts)
			add_objects(x, HELD_MOUNTS, keeper, ns->mounts,
				    ns->mounts * m->mount_bytes);
	}
	note(x, HELD_MOUNTS, m->problem);
	return ST_OK;
}

static enum status find_requests(struct search *x)
{
	struct io_users *u = dump_alloc(x->dump, sizeof(*u));
	enum status st = io_users_collect(x->dump, u);

	if (st != ST_OK)
		return keep(x, HELD_IO_REQUESTS, st);
	x->ret->io_users = u;
	hash_u64_for_each(const struct io_user, of, &u->users)
		add_objects(x, HELD_IO_REQUESTS, of->user, of->in_flight,
			    of->in_flight * u->of.request_bytes);
	hash_u64_for_each(const struct io_ring, ring, &u->rings) {
		if (!u->is_complete || ring->users.n != 1)
			continue;
		if (ring->lists.free)
			add_objects(x, HELD_IO_REQUESTS, ring->users.all[0], ring->lists.free,
				    ring->lists.free * u->of.request_bytes);
		if (ring->lists.overflow)
			add_objects(x, HELD_COMPLETIONS, ring->users.all[0], ring->lists.overflow,
				    ring->lists.overflow * u->of.overflow_bytes);
	}
	note(x, HELD_IO_REQUESTS, u->problem ?: u->rings_problem);
	note(x, HELD_COMPLETIONS, u->rings_problem);
	return ST_OK;
}

static enum status find_tun(struct search *x)
{
	struct tun_users *t = dump_alloc(x->dump, sizeof(*t));
	enum status st = tun_users_collect(x->dump, t);

	if (st != ST_OK)
		return keep(x, HELD_TUN, st);
	x->ret->tun_users = t;
	hash_u64_for_each(const struct tun_user, u, &t->all)
		if (t->is_complete && u->users.n == 1 && u->queue.packets)
			add_objects(x, HELD_TUN, u->users.all[0], u->queue.packets, u->queue.bytes);
	note(x, HELD_TUN, t->problem);
	return ST_OK;
}

/* A payload that is not known to be an object of its own is not counted. */
static enum status add_key(struct search *x, struct slabs *slabs, const struct key_users *k,
			   const struct used_key *key)
{
	const struct file_user *keeper = key_keeper(k, key);
	uint64_t payload = 0;
	enum status st = ST_OK;

	if (!keeper)
		return ST_OK;
	if (key_has_object(&k->of, &key->key))
		st = kmalloc_bytes(slabs, x->s->types, key->key.payload, &payload);
	add_objects(x, HELD_KEYS, keeper, 1, k->of.bytes + (st == ST_OK ? payload : 0));
	return keep(x, HELD_KEYS, st);
}

static enum status find_keys(struct search *x)
{
	struct key_users *k = dump_alloc(x->dump, sizeof(*k));
	struct slabs *slabs = dump_alloc(x->dump, sizeof(*slabs));
	enum status st = key_users_collect(x->dump, k);

	if (st != ST_OK)
		return keep(x, HELD_KEYS, st);
	x->ret->keys = k;
	note(x, HELD_KEYS, k->problem);
	if (!k->all.n)
		return ST_OK;
	st = slabs_open(x->dump, x->s->memmap, slabs);
	if (st != ST_OK)
		return keep(x, HELD_KEYS, st == ST_ABSENT ? ST_UNKNOWN : st);
	hash_u64_for_each(const struct used_key, key, &k->all) {
		if (dump_stopped(x->dump))
			return ST_STOPPED;
		st = add_key(x, slabs, k, key);
		if (st != ST_OK)
			return st;
	}
	return ST_OK;
}

static enum status find_signals(struct search *x)
{
	struct signal_users *u = dump_alloc(x->dump, sizeof(*u));
	enum status st = signal_users_collect(x->dump, u);

	if (st != ST_OK)
		return keep(x, HELD_SIGNALS, st);
	x->ret->signals = u;
	hash_u64_for_each(const struct signal_user, of, &u->all)
		if (of->n)
			add_objects(x, HELD_SIGNALS, of->user, of->n, of->n * u->of.bytes)
				->of_kind[HELD_SIGNALS] = signal_words(x->dump, of);
	note(x, HELD_SIGNALS, u->problem);
	return ST_OK;
}

/* Of processes that share them none has them alone. */
static enum status find_seccomp(struct search *x)
{
	struct seccomp_users *u = dump_alloc(x->dump, sizeof(*u));
	enum status st = seccomp_users_collect(x->dump, u);

	if (st != ST_OK)
		return keep(x, HELD_SECCOMP, st);
	for (size_t i = 0; i < u->n; i++) {
		const struct seccomp_user *of = &u->all[i];

		if (of->users.n != 1 || u->problem)
			continue;
		add_objects(x, HELD_SECCOMP, of->users.all[0], of->n, of->all)
			->of_kind[HELD_SECCOMP] = of->threads > 1
							  ? dump_text(x->dump, " of its %s threads",
								      COUNT_TEXT(of->threads))
							  : NULL;
	}
	note(x, HELD_SECCOMP, u->problem);
	return ST_OK;
}

/* What is an object of a slab cache each. */
static enum status find_objects(struct search *x)
{
	return find_timers(x) ?: find_watches(x) ?: find_mounts(x) ?: find_requests(x) ?: find_tun(x)
			      ?: find_keys(x) ?: find_signals(x) ?: find_seccomp(x);
}

static void put_gaps(struct search *x)
{
	struct gap gaps[HELD_KINDS] = { { 0 } };

	for (size_t i = 0; i < HELD_KINDS; i++) {
		gaps[i] = (struct gap)GAP_WHY(
			dump_text(x->dump, "HELD is a lower bound, %s may be missing: %%s",
				  kinds[i].name),
			x->problems[i]);
		if (!x->ret->problem)
			x->ret->problem = x->problems[i];
	}
	memcpy(x->ret->problems, x->problems, sizeof(x->problems));
	x->ret->gaps = GAPS_OF(x->dump, gaps);
}

enum status held_collect(const struct session *s, struct held *ret)
{
	struct dump *d = s->dump;
	struct search *x = dump_alloc(d, sizeof(*x));
	const struct memory_parts parts = { add_part, add_page, end_holder, x };
	enum status st;

	memset(ret, 0, sizeof(*ret));
	hash_u64_init(&ret->processes, d->arena, sizeof(struct held_process));
	hash_u64_init(&ret->unread, d->arena, sizeof(struct unread));
	*x = (struct search){ .s = s, .dump = d, .ret = ret };
	most_pages_read(d, &x->most);
	pfnset_init(&x->pages, d->arena, session_end(s));
	st = find_sockets(x) ?: find_bpf(x) ?: find_dma_bufs(x) ?: find_objects(x);
	if (st == ST_OK) {
		st = page_to_pfn_open(d, s->memmap, session_end(s), &x->to_pfn)
			     ?: page_mapcounts_open(s->types, &x->mapcounts);
		st = st == ST_OK ? find_packet_rings(x, &parts) ?: find_umems(x, &parts) ?: find_opened(x, &parts)
				 : keep(x, HELD_IO_RINGS, st);
	}
	put_gaps(x);
	return st;
}

const char *held_text(struct dump *d, const struct held_process *p, uint64_t least)
{
	struct strbuf b = STRBUF_OF(HELD_KINDS * 64 + 128);
	bool told[HELD_KINDS] = { false };

	for (;;) {
		size_t most = HELD_KINDS;

		for (size_t i = 0; i < HELD_KINDS; i++)
			if (!told[i] && p->bytes[i] && p->bytes[i] >= least &&
			    (most == HELD_KINDS || p->bytes[i] > p->bytes[most]))
				most = i;
		if (most == HELD_KINDS)
			return dump_strdup(d, b.buf);
		strbuf_add(&b, "%s%s%s %s", strbuf_between(&b, ", "),
			   kinds[most].one
				   ? PLURAL_TEXT(p->n[most], kinds[most].one, kinds[most].name)
				   : kinds[most].name,
			   p->of_kind[most] ?: "", SIZE_TEXT(p->bytes[most]));
		told[most] = true;
	}
}
