// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/mount_namespaces.h"

#include "kernel/object_bytes.h"

struct namespace
{
	uint32_t mounts, count;
};

struct proxy {
	uint64_t mnt;
};

struct search {
	struct dump *dump;
	struct structure ns, proxy;
	struct field task_nsproxy;
	struct hash_u64 proxies;    /* of uint64_t, the address of the mnt_namespace, by nsproxy */
	struct hash_u64 namespaces; /* of struct mount_namespace */
	struct hash_u64 users;	    /* of struct file_user by tgid */
	struct first_problem problem;
};

static const struct layout_row rows[] = {
	FINDS(struct search, task_nsproxy, "struct task_struct", REQUIRED, "all", "nsproxy"),
	STRUCTURE(struct search, proxy, "struct nsproxy"),
	POINTS(struct proxy, mnt, REQUIRED, "all", "mnt_ns"),
	STRUCTURE(struct search, ns, "struct mnt_namespace"),
	/* 6.8: mounts is a tree, and what counted them has another name. */
	READS(struct namespace, mounts, REQUIRED, "6.8, 4.9", "nr_mounts", "mounts"),
	/* RHEL 8 has the one of struct ns_common as well, and does not use it. */
	READS(struct namespace, count, OPTIONAL, "to 5.10, 6.18, 5.11", "count.counter",
	      "ns.__ns_ref.refs.counter", "ns.count.refs.counter"),
};

static enum status find_namespace(struct search *x, uint64_t proxy, uint64_t *ret)
{
	bool is_new;
	uint64_t *known = hash_u64_get(&x->proxies, proxy, &is_new);
	struct proxy p = { 0 };
	enum status st = is_new ? struct_read(&x->proxy, proxy, &p) : ST_OK;

	if (is_new)
		*known = p.mnt;
	if (is_new && p.mnt)
		((struct mount_namespace *)hash_u64_get(&x->namespaces, p.mnt, NULL))->proxies++;
	*ret = *known;
	return st;
}

/* A task that exits has left its namespaces: its nsproxy is NULL. */
static enum status add_task(void *arg, const struct task *task)
{
	struct search *x = arg;
	uint64_t proxy, at = 0;
	enum status st = dump_u64(x->dump, task->address + x->task_nsproxy.offset, &proxy,
				  "task_struct");

	if (st == ST_OK && proxy)
		st = find_namespace(x, proxy, &at);
	if (st == ST_OK && at)
		file_users_add(
			x->dump->arena,
			&((struct mount_namespace *)hash_u64_get(&x->namespaces, at, NULL))->users,
			file_user_of(&x->users, task));
	return first_problem_keep(x->dump, &x->problem, st);
}

/* Of init_task; 0: not known. */
static uint64_t find_initial(const struct search *x)
{
	uint64_t task, proxy;
	struct proxy p;

	return dump_symbol(x->dump, "init_task", &task) == ST_OK &&
			       dump_u64(x->dump, task + x->task_nsproxy.offset, &proxy,
					"init_task") == ST_OK &&
			       struct_read(&x->proxy, proxy, &p) == ST_OK
		       ? p.mnt
		       : 0;
}

static enum status read_namespaces(struct search *x, struct mount_namespaces *ret)
{
	const uint64_t initial = find_initial(x);

	ret->all = dump_alloc(x->dump, (x->namespaces.n + 1) * sizeof(*ret->all));
	for (const struct hash_u64_entry *e = x->namespaces.first; e; e = e->next) {
		struct mount_namespace *m = &ret->all[ret->n];
		struct namespace ns;
		enum status st = struct_read(&x->ns, e->key, &ns);

		if (first_problem_keep(x->dump, &x->problem, st) != ST_OK)
			return ST_STOPPED;
		if (st != ST_OK)
			continue;
		*m = *(const struct mount_namespace *)e->value;
		m->mounts = ns.mounts;
		m->is_initial = e->key == initial;
		m->count = (struct maybe_u64){ ns.count,
					       STRUCT_HAS(&x->ns, struct namespace, count) };
		ret->n++;
	}
	return ST_OK;
}

enum status mount_namespaces_read(struct dump *d, struct mount_namespaces *ret)
{
	struct search *x = dump_alloc(d, sizeof(*x));
	struct mount_namespaces m = { 0 };
	struct tasks *tasks = dump_alloc(d, sizeof(*tasks));
	enum status st = STRUCTS_OPEN(d, rows, x) ?: tasks_open(d, tasks) ?:
		object_bytes(d, "struct mount", "mnt_cache", &m.mount_bytes);

	if (st != ST_OK)
		return st;
	x->dump = d;
	hash_u64_init(&x->proxies, d->arena, sizeof(uint64_t));
	hash_u64_init(&x->namespaces, d->arena, sizeof(struct mount_namespace));
	hash_u64_init(&x->users, d->arena, sizeof(struct file_user));
	tasks->identity_only = true;
	st = tasks_walk(tasks, add_task, x);
	st = first_problem_keep(d, &x->problem, st) ?: read_namespaces(x, &m);
	if (st != ST_OK)
		return st;
	m.problem = x->problem.text;
	*ret = m;
	return ST_OK;
}

const struct file_user *mount_namespace_keeper(const struct mount_namespaces *m,
					       const struct mount_namespace *ns)
{
	return !m->problem && ns->users.n == 1 && !ns->is_initial && ns->count.known &&
			       ns->count.n == ns->proxies
		       ? ns->users.all[0]
		       : NULL;
}
