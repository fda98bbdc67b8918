// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/open_counts.h"

#include <sys/stat.h>

#include "files/open_files.h"
#include "util/address_set.h"
#include "util/largest.h"
#include "util/units.h"

#define TEXT 256
#define OTHER (OPEN_KINDS - 1)
#define BY_MODE (OPEN_KINDS - 4) /* from here on by the mode of the inode */
#define TERMINALS (OPEN_KINDS - 5)

/* Of the same kind each f_op that a kernel may have. */
static const struct {
	const char *one, *many, *symbols[2];
	bool has_dentry; /* each file has one of its own: alloc_file_pseudo() */
} kinds[OPEN_KINDS] = {
	{ "socket", "sockets", { "socket_file_ops" }, true },
	{ "pipe end", "pipe ends", { "pipefifo_fops", "pipeanon_fops" } }, /* the latter 6.15 */
	{ "eventfd", "eventfds", { "eventfd_fops" }, true },
	{ "epoll instance", "epoll instances", { "eventpoll_fops" }, true },
	{ "timerfd", "timerfds", { "timerfd_fops" }, true },
	{ "signalfd", "signalfds", { "signalfd_fops" }, true },
	{ "pidfd", "pidfds", { "pidfd_fops", "pidfs_file_operations" } },
	{ "inotify instance", "inotify instances", { "inotify_fops" }, true },
	{ "io_uring", "io_urings", { "io_uring_fops" }, true },
	{ "perf event", "perf events", { "perf_fops" }, true },
	{ "file of tmpfs", "files of tmpfs", { "shmem_file_operations" } },
	/* A master of a pseudo-terminal has a copy with another open(). */
	[TERMINALS] = { "end of a terminal", "ends of terminals", { "tty_fops", "ptmx_fops" } },
	[BY_MODE] = { "regular file", "regular files", { NULL } },
	{ "directory", "directories", { NULL } },
	{ "device file", "device files", { NULL } },
	[OTHER] = { "other file", "other files", { NULL } },
};

/* While it is counted. */
struct counting {
	struct open_count of;	   /* first */
	struct address_set files;  /* which are counted */
	struct hash_u64 processes; /* the same, by tgid */
};

struct search {
	struct dump *dump;
	struct open_counts *to;
	bool by_name;
	struct open_files open;
	struct hash_u64 kind_of; /* of unsigned int by f_op */
	struct structure inode;
	bool has_inode;
	struct counting *last;	      /* of the file before */
	const struct file_user *user; /* the same; NULL: none was */
};

void open_kinds_find(struct dump *d, struct hash_u64 *ret)
{
	uint64_t operations;

	hash_u64_init(ret, d->arena, sizeof(unsigned int));
	for (unsigned int i = 0; i < BY_MODE; i++)
		for (unsigned int k = 0; k < 2 && kinds[i].symbols[k]; k++)
			if (dump_has_symbol(d, kinds[i].symbols[k]) &&
			    dump_symbol(d, kinds[i].symbols[k], &operations) == ST_OK)
				*(unsigned int *)hash_u64_get(ret, operations, NULL) = i;
}

unsigned int open_kind(const struct hash_u64 *of, uint64_t operations)
{
	const unsigned int *kind = hash_u64_find(of, operations);

	return kind ? *kind : OTHER;
}

const char *open_kind_name(unsigned int kind)
{
	return kinds[kind].many;
}

struct of_mode {
	uint32_t mode;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct search, inode, "struct inode"),
	READS(struct of_mode, mode, REQUIRED, "all", "i_mode"),
};

/* Files of one f_op are of one type: the first one tells. */
static unsigned int kind_of(struct search *x, uint64_t operations)
{
	static const struct {
		uint64_t type;
		unsigned int kind;
	} types[] = { { S_IFREG, BY_MODE },
		      { S_IFDIR, BY_MODE + 1 },
		      { S_IFCHR, BY_MODE + 2 },
		      { S_IFBLK, BY_MODE + 2 } };
	const unsigned int *known = hash_u64_find(&x->kind_of, operations);
	unsigned int kind = OTHER;
	struct of_mode of;

	if (known)
		return *known;
	if (!operations || !x->has_inode || !x->open.inode ||
	    struct_read(&x->inode, x->open.inode, &of) != ST_OK)
		return OTHER;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		kind = (of.mode & S_IFMT) == types[i].type ? types[i].kind : kind;
	*(unsigned int *)hash_u64_get(&x->kind_of, operations, NULL) = kind;
	return kind;
}

static struct counting *counting_of(struct search *x, const struct file_user *user)
{
	const void *key = x->by_name ? (const void *)user->comm : &user->tgid;
	const size_t size = x->by_name ? strlen(user->comm) + 1 : sizeof(user->tgid);
	bool is_new;
	struct counting *c = hash_bytes_get(&x->to->all, key, size, &is_new)->value;

	if (is_new) {
		c->of.comm = user->comm;
		c->of.tgid = user->tgid;
		address_set_init(&c->files, x->dump->arena);
		hash_u64_init(&c->processes, x->dump->arena, 0);
	}
	c->of.processes += hash_u64_add(&c->processes, (uint32_t)user->tgid);
	return c;
}

static enum status count(void *arg, uint64_t file, uint64_t operations,
			 const struct file_user *user)
{
	struct search *x = arg;
	struct counting *c = x->user == user ? x->last : counting_of(x, user);

	if (dump_stopped(x->dump))
		return ST_STOPPED;
	x->last = c;
	x->user = user;
	/* A process may have several descriptors of it. */
	if (!address_set_add(&c->files, file))
		return ST_OK;
	c->of.n++;
	c->of.of_kind[kind_of(x, operations)]++;
	return ST_OK;
}

enum status open_counts_read(struct dump *d, bool by_name, struct open_counts *ret)
{
	struct search *x = dump_alloc(d, sizeof(*x));
	enum status st;

	*ret = (struct open_counts){ 0 };
	hash_bytes_init(&ret->all, d->arena, sizeof(struct counting));
	x->dump = d;
	x->to = ret;
	x->by_name = by_name;
	open_kinds_find(d, &x->kind_of);
	x->has_inode = STRUCTS_OPEN(d, rows, x) == ST_OK;
	st = open_files_visit(&x->open, d, count, x);
	ret->complete = st == ST_OK && x->open.complete;
	ret->problem = ret->complete ? NULL : x->open.problem ?: dump_why(d);
	return dump_stopped(d) ? ST_STOPPED : st;
}

const struct open_count *open_counts_of(const struct open_counts *c, int32_t tgid)
{
	return hash_bytes_find(&c->all, &tgid, sizeof(tgid));
}

const char *open_kinds_text(struct dump *d, const struct open_count *c, unsigned int room)
{
	struct largest most = { .room = room };
	struct strbuf b = STRBUF_OF(TEXT);
	uint64_t rest = c->n;

	for (unsigned int i = 0; i < OTHER; i++)
		if (c->of_kind[i])
			largest_add(&most, c->of_kind[i], &kinds[i]);
	for (unsigned int i = 0; i < most.n; i++) {
		const size_t at = (size_t)((const char *)most.of[i].item - (const char *)kinds) /
				  sizeof(kinds[0]);

		strbuf_add(&b, "%s%s", strbuf_between(&b, ", "),
			   PLURAL_TEXT(most.of[i].size, kinds[at].one, kinds[at].many));
		rest -= most.of[i].size;
	}
	if (rest)
		strbuf_add(&b, "%s%s", strbuf_between(&b, ", "),
			   PLURAL_TEXT(rest, kinds[OTHER].one, kinds[OTHER].many));
	return dump_strdup(d, b.buf);
}

uint64_t open_counts_dentries(const struct open_count *c)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < OPEN_KINDS; i++)
		n += kinds[i].has_dentry ? c->of_kind[i] : 0;
	return n;
}

uint64_t open_counts_terminals(const struct open_count *c)
{
	return c->of_kind[TERMINALS];
}
