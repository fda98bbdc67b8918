// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What processes hold beside their memory and files: BPF maps and message queues, by who holds them or sent last,
 * and of one process all of it.
 */
#include "collect/bpf.h"
#include "collect/held.h"
#include "files/mqueue.h"
#include "files/sysv_msg.h"
#include "pageowner/view.h"
#include "summary.h"
#include "verdict_words.h"

/* Maps with the same users. */
struct maps {
	uint64_t bytes, n;
	bool unsized;	     /* of one the size is unknown */
	const char *charged; /* the cgroup of all of them; NULL: several, none, or unknown */
	const struct text_list *users;
	const struct bpf_object *largest, *second;
	struct summary_pins pins;
};

static bool is_much(const struct summary *s, uint64_t bytes)
{
	return summary_reaches(s, LIMIT_HOLDER, bytes >> s->dump->page_shift);
}

void summary_add_pins(struct summary_pins *p, const struct text_list *of)
{
	p->n++;
	p->is_open |= !of || of->is_open;
	if (!of || !of->n)
		return;
	p->pinned++;
	p->paths += of->n + of->more;
	p->first = p->first ?: of;
}

void summary_pins_text(const struct summary_pins *p, struct strbuf *b)
{
	if (!p->pinned)
		return;
	if (p->n == 1)
		strbuf_add(b, ", pinned (");
	else if (p->pinned == p->n)
		strbuf_add(b, ", all %s pinned (", COUNT_TEXT(p->n));
	else
		strbuf_add(b, ", %s%s of %s pinned (", p->is_open ? "at least " : "",
			   COUNT_TEXT(p->pinned), COUNT_TEXT(p->n));
	strbuf_add(b, "%.*s", (int)text_list_bytes(p->first, 0), p->first->text);
	if (p->paths > 1)
		strbuf_add(b, " and %s more", COUNT_TEXT(p->paths - 1));
	strbuf_add(b, ")");
}

static const char *users_text(struct summary *s, const struct text_list *users,
			      const struct summary_pins *pins)
{
	struct strbuf b = STRBUF_OF(USERS_TOLD * 64 + TEXT_LIST_TAIL);

	if (!users || text_list_is_cut(users))
		strbuf_add(&b, "unknown processes");
	else if (users->n)
		text_list_short(users, USERS_TOLD, &b);
	else
		strbuf_add(&b, "no process");
	if (users && !users->n && !text_list_is_cut(users) && pins)
		summary_pins_text(pins, &b);
	return dump_strdup(s->dump, b.buf);
}

/* "lru_hash flow_table (ID 1, 66.3M)" */
static const char *map_text(struct arena *a, const struct bpf_object *o)
{
	return arena_text(a, "%s %s (ID %u, %s)", o->type ?: "map", o->name ?: "without a name",
			  o->id, SIZE_TEXT(o->bytes.n));
}

static void put_maps(struct summary *s, const struct bpf_objects *b, const struct maps *m)
{
	struct arena *a = s->dump->arena;
	struct statement *row;
	const char *more = m->n > 1 ? arena_text(a, m->n > 2 ? "the largest of %s are " : "%s: ",
						 COUNT_OF(m->n, "map"))
				    : "";

	row = summary_holder_users(s, "bpf", users_text(s, m->users, &m->pins), m->users,
				   m->bytes >> s->dump->page_shift, "memowner bpf",
				   arena_text(a, "%s%s%s%s%s%s", more, map_text(a, m->largest),
					      m->second ? " and " : "",
					      m->second ? map_text(a, m->second) : "",
					      b->problem ? ", and maybe more" : "",
					      m->unsized ? ", the size of others is unknown" : ""));
	/* Who made them is in it, or was. */
	if (row && m->charged && *m->charged == '/' && m->charged[1])
		row->charged = m->charged;
	if (row && m->pins.pinned == m->pins.n && m->users && !m->users->n &&
	    !text_list_is_cut(m->users))
		row->release =
			"removing the files in bpffs that pin them, where no program uses them";
}

/*
 * Pages of areas: an array, whose elements are its structure's; of one of each CPU, and of a hash, they are elsewhere
 * as well.  Up to 8 pages (1 << PAGE_ALLOC_COSTLY_ORDER) may be of kmalloc().
 */
static uint64_t area_pages(const struct summary *s, const struct bpf_object *o)
{
	const uint64_t pages = o->bytes.known ? o->bytes.n >> s->dump->page_shift : 0;

	if (pages <= 8 || !o->type || strcmp(o->type, "array") != 0 || !o->used_by ||
	    !o->used_by->n || text_list_is_cut(o->used_by))
		return 0;
	return pages;
}

enum status summary_bpf(struct summary *s)
{
	struct bpf_objects *b = dump_alloc(s->dump, sizeof(*b));
	enum status st = bpf_collect(s->dump, b);
	struct hash_u64 groups;

	if (st != ST_OK)
		return st;
	hash_u64_init(&groups, s->dump->arena, sizeof(struct maps));
	for (const struct bpf_object *o = b->all; o < b->all + b->nmaps; o++) {
		struct maps *m = hash_u64_get(&groups, (uint64_t)(uintptr_t)o->used_by, NULL);

		if (!m->pins.n)
			m->charged = o->memcg;
		else if (!o->memcg || !m->charged || strcmp(m->charged, o->memcg) != 0)
			m->charged = NULL;
		m->users = o->used_by;
		summary_add_pins(&m->pins, o->pinned);
		m->unsized |= !o->bytes.known;
		s->map_areas += area_pages(s, o);
		if (!o->bytes.known)
			continue;
		m->n++;
		m->bytes += o->bytes.n;
		/* Of those that are as large the newest, which a list has first. */
		if (!m->largest || m->largest->bytes.n <= o->bytes.n) {
			m->second = m->largest;
			m->largest = o;
		} else if (!m->second || m->second->bytes.n <= o->bytes.n) {
			m->second = o;
		}
	}
	hash_u64_for_each(const struct maps, of, &groups)
		if (of->largest)
			put_maps(s, b, of);
	if (b->problem)
		summary_unknown(s, "BPF maps", NOT_IN_DUMP, "%s", b->problem);
	return ST_OK;
}

/* Those of one IPC namespace. */
struct queues {
	uint64_t n, messages, bytes, most;
	const char *largest;	/* its path, or its ID */
	struct sysv_queue sysv; /* the largest */
	const char *charged;	/* the cgroup of a message of each; NULL: several, or unknown */
	struct file_users users;
};

struct queue_search {
	struct arena *arena;
	struct owner_view *view;
	struct mqueues queues;
	struct slabs slabs;
	bool has_slabs;
	struct first_problem problem;
	struct hash_u64 namespaces; /* of struct queues by address of super_block */
	struct hash_u64 inodes;	    /* of that address */
};

/* The cgroup that is charged for an object; NULL: unknown. */
static const char *charged_to(struct queue_search *x, uint64_t object)
{
	const struct session session = owner_session(x->view);
	struct dump *d = x->view->dump;
	const uint64_t *objcgs;
	struct page_info info;
	struct slab slab;
	uint64_t phys;
	uint32_t i;

	return x->has_slabs && dump_phys(d, object, &phys) == ST_OK &&
			       page_type_at(session.types, phys >> d->page_shift, &info) == ST_OK &&
			       info.state == PAGE_TYPE_SLAB &&
			       slab_at(&x->slabs, info.head, &slab) == ST_OK &&
			       slab_index(&slab, object, &i) == ST_OK &&
			       slab_objcgs(&x->slabs, &slab, &objcgs) == ST_OK && objcgs[i]
		       ? memcgs_path(&x->view->memcgs, objcgs[i])
		       : NULL;
}

/* Those of a namespace, where this queue is the largest so far; NULL: it is not. */
static struct queues *count_queue(struct queue_search *x, uint64_t namespace, uint64_t message,
				  uint64_t messages, uint64_t bytes)
{
	const char *charged = charged_to(x, message);
	struct queues *all = hash_u64_get(&x->namespaces, namespace, NULL);

	if (!all->n++)
		all->charged = charged;
	else if (!charged || !all->charged || strcmp(all->charged, charged) != 0)
		all->charged = NULL;
	all->messages += messages;
	all->bytes += bytes;
	if (bytes <= all->most)
		return NULL;
	all->most = bytes;
	return all;
}

static enum status add_queue(void *arg, const struct fs_file *file)
{
	struct queue_search *x = arg;
	struct queues *all;
	struct mqueue q;
	enum status st = mqueue_read(&x->queues, file->inode.address, &q);

	if (st != ST_OK || !q.messages)
		return first_problem_keep(x->view->dump, &x->problem, st);
	all = count_queue(x, file->inode.sb, q.message, q.messages, q.bytes);
	if (all)
		all->largest = file->path;
	*(uint64_t *)hash_u64_get(&x->inodes, file->inode.address, NULL) = file->inode.sb;
	return ST_OK;
}

static enum status add_sysv_queue(void *arg, const struct sysv_queue *q)
{
	struct queue_search *x = arg;
	struct queues *all;

	if (!q->messages)
		return ST_OK;
	all = count_queue(x, q->namespace, q->message, q->messages, q->bytes);
	if (all) {
		all->sysv = *q;
		all->largest = arena_text(x->arena, "ID %d, key %#x,", q->id, q->key);
	}
	return ST_OK;
}

static bool are_much(const struct summary *s, const struct queues *q)
{
	return summary_reaches_of(s, LIMIT_HOLDER, q->bytes >> s->dump->page_shift, q->charged);
}

static struct queue_search *open_search(struct summary *s)
{
	struct queue_search *x = dump_alloc(s->dump, sizeof(*x));
	const struct session session = owner_session(s->view);

	x->arena = s->dump->arena;
	hash_u64_init(&x->namespaces, x->arena, sizeof(struct queues));
	hash_u64_init(&x->inodes, x->arena, sizeof(uint64_t));
	x->view = s->view;
	x->has_slabs = s->view->has_memcgs && session.types &&
		       slabs_open(s->dump, session.memmap, &x->slabs) == ST_OK;
	return x;
}

static void put_row(struct summary *s, struct queue_search *x, const struct queues *q,
		    const char *kind, const char *name, const struct text_list *users,
		    const char *noun, const char *problem, const char *last)
{
	const char *brief = arena_text(x->arena, "%s of at least %s in %s, the largest %s %s%s",
				       COUNT_OF(q->messages, "message"), LEAST_TEXT(q->bytes),
				       PLURAL_TEXT(q->n, noun, arena_text(x->arena, "%ss", noun)),
				       q->largest ?: "without a name", SIZE_TEXT(q->most), problem);

	SUMMARY_ADD(s, .section = SECTION_HOLDER, .by = kind, .name = name, .used_by = users,
		    .cgroup = q->charged, .pages = { q->bytes >> s->dump->page_shift, true },
		    .command = "memowner caches", .brief = brief,
		    .remark = arena_text(x->arena, "%s%s", brief, last));
}

/* Descriptors are read where a row is to name who has them. */
static enum status put_queues(struct summary *s, struct queue_search *x, const char *problem)
{
	struct open_files *o = dump_alloc(s->dump, sizeof(*o));
	bool has_users, has_rows = false;
	enum status st;

	hash_u64_for_each(struct queues, q, &x->namespaces)
		has_rows |= are_much(s, q);
	if (!has_rows)
		return ST_OK;
	st = open_files_open(s->dump, o) ?: open_files_read(o, &x->inodes);
	has_users = st == ST_OK;
	summary_failed(s, "users of message queues", st);
	if (has_users && !o->complete)
		summary_unknown(s, "users of message queues", NOT_IN_DUMP, "%s", o->problem);
	for (const struct hash_u64_entry *e = x->inodes.first; e && has_users; e = e->next) {
		const struct file_users *users = open_files_find(o, e->key);
		struct queues *q = hash_u64_get(&x->namespaces, *(const uint64_t *)e->value, NULL);

		if (users)
			file_users_add_all(x->arena, &q->users, users);
	}
	hash_u64_for_each(struct queues, q, &x->namespaces) {
		const struct text_list *users =
			has_users ? file_users_list(&q->users, o->complete, &s->view->lists) : NULL;

		if (!are_much(s, q))
			continue;
		put_row(s, x, q, "mqueue", users_text(s, users, NULL), users, "POSIX message queue",
			problem ? arena_text(x->arena, "; others may be missing: %s", problem) : "",
			"");
	}
	return st == ST_STOPPED ? st : ST_OK;
}

/* "app[345], no longer there"; of a queue that was never received from, none. */
static const char *last_of(struct summary *s, int32_t pid)
{
	struct tasks *tasks = dump_alloc(s->dump, sizeof(*tasks));
	struct task task;
	enum status st = pid ? tasks_open(s->dump, tasks) : ST_UNKNOWN;

	if (!pid)
		return "an unknown process, or none";
	tasks->identity_only = true;
	st = st ?: tasks_find(tasks, pid, &task);
	return st == ST_OK ? dump_text(s->dump, "%s[%d]", task.comm, pid)
			   : dump_text(s->dump, "PID %d%s", pid,
				       st == ST_ABSENT ? ", which has ended" : "");
}

/* "; order-archiver[121] waits in msgrcv() for messages of type 4" */
static const char *receivers_text(struct summary *s, const struct sysv_queue *q)
{
	if (!q->waiting || !q->waits)
		return "";
	return dump_text(s->dump, "; %s waits in msgrcv() for messages of %s%s",
			 last_of(s, q->waits),
			 !q->waits_for	    ? "any type"
			 : q->waits_for < 0 ? dump_text(s->dump, "types up to %ld", -q->waits_for)
					    : dump_text(s->dump, "type %ld", q->waits_for),
			 q->waiting > 1 ? dump_text(s->dump, ", and %s more",
						    COUNT_OF(q->waiting - 1, "thread"))
					: "");
}

enum status summary_sysv_queues(struct summary *s)
{
	struct queue_search *x = open_search(s);
	enum status st = sysv_queues_walk(s->dump, add_sysv_queue, x);
	const char *problem = st == ST_OK ? ""
					  : arena_text(x->arena, "; others may be missing: %s",
						       dump_why(s->dump));

	if (st == ST_STOPPED || st == ST_ABSENT)
		return st;
	if (st != ST_OK)
		summary_unknown(s, "System V message queues", NOT_IN_DUMP, "%s", dump_why(s->dump));
	hash_u64_for_each(struct queues, q, &x->namespaces)
		if (are_much(s, q))
			put_row(s, x, q, "sysv_msg",
				arena_text(x->arena, "last message sent by %s",
					   last_of(s, q->sysv.sender)),
				NULL, "System V message queue", problem,
				arena_text(x->arena, ", last message received by %s%s",
					   last_of(s, q->sysv.receiver),
					   receivers_text(s, &q->sysv)));
	return ST_OK;
}

enum status summary_queues(struct summary *s)
{
	struct queue_search *x = open_search(s);
	const char *problem = NULL;
	enum status st = mqueues_find(s->dump, &x->queues)
		     ?: fs_files_walk(s->dump, "mqueue_fs_type", add_queue, x)
		     ?: first_problem_end(s->dump, &x->problem);
	if (st == ST_STOPPED || st == ST_ABSENT)
		return st;
	if (st != ST_OK) {
		problem = dump_why(s->dump);
		summary_unknown(s, "message queues", NOT_IN_DUMP, "%s", problem);
	}
	return x->namespaces.first ? put_queues(s, x, problem) : ST_OK;
}

/* Sockets, if their packets are in pages and not in slabs, BPF maps and buffers of DMA-BUF have rows of their own. */
static bool is_told(const struct summary *s, const struct held_process *p)
{
	return (is_much(s, p->bytes[HELD_SOCKETS]) &&
		summary_reaches(s, LIMIT_HOLDER, s->socket_pages)) ||
	       is_much(s, p->bytes[HELD_BPF]) || is_much(s, p->bytes[HELD_DMA_BUFS]);
}

/* That no process holds much is no statement where a list of what they hold cannot be read. */
static void put_unknown(struct summary *s, const struct gaps *gaps)
{
	if (gaps->n)
		summary_unknown(
			s, "what processes hold", NOT_IN_DUMP, "%s%s",
			gap_text(s->dump, &gaps->rows[0]),
			gaps->n > 1 ? dump_text(s->dump, "; %s more", COUNT_OF(gaps->n - 1, "kind"))
				    : "");
}

/* What the process that asked last has, if it is known that it has no more. */
static void take_asker(struct summary *s, const struct held *h, enum status st)
{
	const struct oom_report *r = s->ran_out;
	const struct held_process *p = r && r->pid.known
					       ? hash_u64_find(&h->processes, r->pid.value)
					       : NULL;

	s->asker_held = (struct maybe_u64){ p ? p->all >> s->dump->page_shift : 0,
					    st == ST_OK && !h->problem && !h->gaps.n };
}

/* Buffers of io_uring are anonymous memory, mostly. */
static void put_process(struct summary *s, const struct held *h, const struct held_process *p)
{
	const char *largest = is_much(s, p->bytes[HELD_SOCKETS])
				      ? summary_largest_socket(s, h->sockets, p->tgid,
							       p->bytes[HELD_SOCKETS])
						?: summary_sockets_state(s, h->sockets, p->tgid)
				      : NULL;
	struct statement *row = summary_held_of(
		s, 0, dump_strdup(s->dump, p->comm), p->tgid, p->all >> s->dump->page_shift,
		is_much(s, p->bytes[HELD_SOCKETS])
			? SOCKETS_BY_PEER
			: "memowner processes -s held_bytes -o +held_bytes,held_other_bytes,held_kinds",
		dump_text(s->dump, "%s%s%s", held_text(s->dump, p, p->all / HELD_FEW),
			  largest ?: "", h->problem ? ", and maybe more" : ""));

	if (!row)
		return;
	row->pinned = (p->bytes[HELD_IO_BUFFERS] + p->bytes[HELD_UMEMS]) >> s->dump->page_shift;
	row->sockets = p->bytes[HELD_SOCKETS] >> s->dump->page_shift;
}

enum status summary_held(struct summary *s)
{
	const struct session session = owner_session(s->view);
	struct held *h = dump_alloc(s->dump, sizeof(*h));
	enum status st = held_collect(&session, h);

	hash_u64_for_each(const struct held_process, p, &h->processes)
		summary_keep(s, p->tgid, 0, p->all >> s->dump->page_shift);
	hash_u64_for_each(const struct held_process, p, &h->processes)
		if (is_much(s, p->all) && !is_told(s, p))
			put_process(s, h, p);
	put_unknown(s, &h->gaps);
	take_asker(s, h, st);
	s->held = h;
	return st ?: summary_cache_owners(s, h);
}
