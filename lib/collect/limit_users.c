// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/limit_users.h"

#include "cgroup/cgroup.h"
#include "collect/open_counts.h"
#include "files/open_files.h"
#include "net/local_ports.h"
#include "util/largest.h"
#include "util/units.h"

#define KINDS 3

/* A process by its threads; the name of another thread may differ. */
struct counted {
	char comm[TASKS_COMM + 1];
	uint64_t n; /* threads, or connections */
};

struct search {
	struct dump *dump;
	const struct used_limit *of; /* whose threads are counted */
	struct cgroups cgroups;
	struct task_users users;
	struct hash_u64 processes; /* of struct counted by tgid */
	uint64_t unknown;	   /* threads of which the cgroup, or the user, is */
};

static enum status add_thread(void *arg, const struct task *t)
{
	struct search *x = arg;
	struct counted *c;
	const char *path = NULL;
	uint32_t uid;
	bool is_new;

	if (dump_stopped(x->dump))
		return ST_STOPPED;
	if (x->of->cgroup) {
		path = cgroups_of_set(&x->cgroups, t->css_set).cgroup;
		x->unknown += !path;
		if (!path || !cgroup_is_below(path, x->of->cgroup))
			return ST_OK;
	}
	if (x->of->of_user && task_user(&x->users, t->address, &uid) != ST_OK) {
		x->unknown++;
		return ST_OK;
	}
	if (x->of->of_user && uid != x->of->uid)
		return ST_OK;
	c = hash_u64_get(&x->processes, (uint64_t)t->tgid, &is_new);
	c->n++;
	if (is_new || t->pid == t->tgid)
		snprintf(c->comm, sizeof(c->comm), "%s", t->comm);
	return ST_OK;
}

static void keep(struct limit_users *ret, const struct largest *most)
{
	for (unsigned int i = 0; i < most->n; i++)
		ret->all[ret->n++] = *(const struct limit_user *)most->of[i].item;
}

static void sum_names(struct search *x, struct limit_users *ret)
{
	struct hash_bytes names;
	struct largest most = { .room = LIMIT_USERS };

	hash_bytes_init(&names, x->dump->arena, sizeof(struct limit_user));
	hash_u64_for_each(const struct counted, c, &x->processes) {
		bool is_new;
		struct limit_user *u =
			hash_bytes_get(&names, c->comm, strlen(c->comm) + 1, &is_new)->value;

		if (is_new) {
			u->comm = c->comm;
			u->tgid = (int32_t)hash_u64_entry_of(c)->key;
		}
		u->processes++;
		u->n += c->n;
	}
	for (const struct hash_bytes_entry *e = names.first; e; e = e->next)
		largest_add(&most, ((const struct limit_user *)e->value)->n, e->value);
	keep(ret, &most);
}

static enum status find_threads(struct dump *d, const struct used_limit *l, struct limit_users *ret)
{
	struct search *x = dump_alloc(d, sizeof(*x));
	struct tasks tasks;
	enum status st;

	x->dump = d;
	x->of = l;
	hash_u64_init(&x->processes, d->arena, sizeof(struct counted));
	st = tasks_open(d, &tasks);
	if (st == ST_OK && l->cgroup)
		st = cgroups_open(d, &x->cgroups) ?: cgroups_check_sets(&x->cgroups);
	if (st == ST_OK && l->of_user)
		st = task_users_open(d, &x->users);
	if (st != ST_OK)
		return st;
	tasks.identity_only = true;
	st = tasks_walk(&tasks, add_thread, x);
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK)
		ret->problem = dump_why(d);
	else if (x->unknown)
		ret->problem = dump_text(d, "the %s of %s is not in this dump",
					 l->of_user ? "user" : "cgroup",
					 COUNT_OF(x->unknown, "thread"));
	sum_names(x, ret);
	return ST_OK;
}

/* Processes that have one of those connections open. */
static void count_connection(struct search *x, const struct file_users *users)
{
	for (unsigned int i = 0; i < users->kept; i++) {
		struct counted *c;
		bool is_new;

		if (users->all[i]->is_device)
			continue;
		c = hash_u64_get(&x->processes, (uint64_t)users->all[i]->tgid, &is_new);
		c->n++;
		if (is_new)
			snprintf(c->comm, sizeof(c->comm), "%s", users->all[i]->comm);
	}
}

static enum status find_connections(struct dump *d, const struct port_use *ports,
				    struct limit_users *ret)
{
	struct search *x = dump_alloc(d, sizeof(*x));
	struct open_files *open = dump_alloc(d, sizeof(*open));
	struct socks *socks = dump_alloc(d, sizeof(*socks));
	enum status st = socks_open(d, socks) ?: open_files_open_by(d, open, "socket_file_ops")
							 ?: open_files_read(open, NULL);

	if (st != ST_OK)
		return st;
	ret->problem = open->problem;
	x->dump = d;
	hash_u64_init(&x->processes, d->arena, sizeof(struct counted));
	for (const struct hash_u64_entry *e = open->inodes.first; e; e = e->next) {
		struct sock sock;
		uint64_t address;

		if (dump_stopped(d))
			return ST_STOPPED;
		st = sock_of_inode(socks, e->key, &address) ?: sock_read(socks, address, &sock);
		if (st == ST_OK && port_use_has(ports, &sock))
			count_connection(x, (const struct file_users *)e->value);
		else if (st != ST_OK && st != ST_ABSENT && !ret->problem)
			ret->problem = dump_why(d);
	}
	sum_names(x, ret);
	return ST_OK;
}

/* Files of one kind, or of all. */
static uint64_t count_of(const struct open_count *of, const char *kind)
{
	if (!kind)
		return of->n;
	for (unsigned int k = 0; k < OPEN_KINDS; k++)
		if (!strcmp(open_kind_name(k) ?: "", kind))
			return of->of_kind[k];
	return 0;
}

static enum status find_files(struct dump *d, const char *kind, struct limit_users *ret)
{
	struct open_counts c;
	struct largest most = { .room = LIMIT_USERS };
	enum status st = open_counts_read(d, true, &c);

	if (st != ST_OK)
		return st;
	for (const struct hash_bytes_entry *e = c.all.first; e; e = e->next)
		largest_add(&most, count_of(e->value, kind), e->value);
	for (unsigned int i = 0; i < most.n; i++) {
		const struct open_count *of = most.of[i].item;

		if (count_of(of, kind))
			ret->all[ret->n++] =
				(struct limit_user){ of->comm, of->tgid, of->processes,
						     count_of(of, kind),
						     kind ? NULL : open_kinds_text(d, of, KINDS) };
	}
	ret->problem = c.problem;
	return ST_OK;
}

enum status limit_users_find(struct dump *d, const struct used_limit *l, struct limit_users *ret)
{
	*ret = (struct limit_users){ 0 };
	switch (l->counts) {
	case LIMIT_COUNTS_FILES:
		return find_files(d, NULL, ret);
	case LIMIT_COUNTS_INOTIFY:
		return find_files(d, "inotify instances", ret);
	case LIMIT_COUNTS_THREADS:
		return find_threads(d, l, ret);
	case LIMIT_COUNTS_PORTS:
		return find_connections(d, l->ports, ret);
	case LIMIT_COUNTS_OTHER:
		break;
	}
	return ST_ABSENT;
}

void limit_user_text(const struct limit_user *u, struct strbuf *b)
{
	if (u->processes > 1)
		strbuf_add(b, "%s processes %s", COUNT_TEXT(u->processes), u->comm);
	else
		strbuf_add(b, "%s (%d)", u->comm, u->tgid);
}
