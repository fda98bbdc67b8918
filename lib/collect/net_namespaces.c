// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/net_namespaces.h"

#include "files/inode_path.h"
#include "kernel/list.h"

struct search {
	struct dump *dump;
	struct field list, stashed; /* of struct net */
	struct field dentry_inode;
	struct field task_nsproxy,
		ns_net;		 /* where a task has its namespaces, and these the network */
	struct hash_u64 lived;	 /* of struct file_users by address of struct net: a task has it */
	struct hash_u64 proxies; /* of uint64_t, the address of struct net, by nsproxy */
	struct hash_u64 users;	 /* of struct file_user by tgid */
};

static const struct layout_row rows[] = {
	FINDS(struct search, list, "struct net", REQUIRED, "all", "list"),
	FINDS(struct search, stashed, "struct net", OPTIONAL, "all", "ns.stashed"),
	FINDS(struct search, dentry_inode, "struct dentry", OPTIONAL, "all", "d_inode"),
	FINDS(struct search, task_nsproxy, "struct task_struct", REQUIRED, "all", "nsproxy"),
	FINDS(struct search, ns_net, "struct nsproxy", REQUIRED, "all", "net_ns"),
};

/* A task that exits has left its namespaces: its nsproxy is NULL. */
static enum status add_task(void *arg, const struct task *task)
{
	struct search *x = arg;
	uint64_t proxy, *net;
	bool is_new = false;
	enum status st = dump_u64(x->dump, task->address + x->task_nsproxy.offset, &proxy,
				  "task_struct");

	if (st != ST_OK || !proxy)
		return st;
	net = hash_u64_get(&x->proxies, proxy, &is_new);
	if (is_new)
		st = dump_u64(x->dump, proxy + x->ns_net.offset, net, "nsproxy");
	if (st == ST_OK)
		file_users_add(x->dump->arena, hash_u64_get(&x->lived, *net, NULL),
			       file_user_of(&x->users, task));
	return st;
}

/* The inode of its file in nsfs, which the kernel keeps as long as it is open or mounted; 0: there is none. */
static enum status read_inode(const struct search *x, struct net_namespace *ns)
{
	enum status st = dump_u64(x->dump, ns->address + x->stashed.offset, &ns->dentry, "net");

	if (st != ST_OK || !ns->dentry)
		return st;
	return dump_u64(x->dump, ns->dentry + x->dentry_inode.offset, &ns->inode, "dentry");
}

static void add_namespace(const struct search *x, uint64_t address, uint64_t initial,
			  struct net_namespaces *ret)
{
	const struct file_users *users = hash_u64_find(&x->lived, address);
	struct net_namespace *ns = hash_u64_get(&ret->all, address, NULL);

	*ns = (struct net_namespace){ .address = address, .is_initial = address == initial };
	if (x->stashed.present && x->dentry_inode.present)
		ret->no_inode += read_inode(x, ns) != ST_OK;
	if (users)
		ns->users = *users;
	ret->n++;
	ret->empty.n += !users;
}

enum status net_namespaces_read(struct dump *d, struct net_namespaces *ret)
{
	struct search *x = dump_alloc(d, sizeof(*x));
	struct net_namespaces n = { 0 };
	struct tasks tasks;
	struct list_nodes l;
	uint64_t head, node, initial;
	enum status st = dump_has_symbol(d, "net_namespace_list")
				 ? dump_symbol(d, "net_namespace_list", &head)
				 : dump_absent(d, "this kernel has no network");

	if (st != ST_OK)
		return st;
	x->dump = d;
	hash_u64_init(&x->lived, d->arena, sizeof(struct file_users));
	hash_u64_init(&x->proxies, d->arena, sizeof(uint64_t));
	hash_u64_init(&x->users, d->arena, sizeof(struct file_user));
	hash_u64_init(&n.all, d->arena, sizeof(struct net_namespace));
	st = STRUCTS_OPEN(d, rows, x) ?: tasks_open(d, &tasks);
	if (st != ST_OK)
		return st;
	tasks.identity_only = true;
	st = tasks_walk(&tasks, add_task, x);
	if (st == ST_STOPPED)
		return st;
	n.problem = st == ST_OK ? NULL : dump_why(d);
	if (dump_symbol(d, "init_net", &initial) != ST_OK)
		initial = 0;
	l = list_of(d, head, "net_namespace_list");
	while (list_next(&l, &node))
		add_namespace(x, node - x->list.offset, initial, &n);
	n.empty.known = !n.problem;
	return RESULT(list_end(&l), ret, n);
}

struct mounted {
	const struct hash_u64 *dentries; /* of the files of namespaces */
	struct hash_u64 seen;		 /* of these: one may be mounted twice */
	struct mount_place first;
};

static enum status add_mount(void *arg, const struct mount_place *m, bool *done)
{
	struct mounted *x = arg;

	*done = false;
	if (hash_u64_has(x->dentries, m->root) && hash_u64_add(&x->seen, m->root) && x->seen.n == 1)
		x->first = *m;
	return ST_OK;
}

/* Of those in which no process lives; the inode of one, as all are of one file system; 0: none has a file. */
static uint64_t find_files(const struct net_namespaces *n, struct hash_u64 *dentries)
{
	uint64_t inode = 0;

	hash_u64_for_each(const struct net_namespace, ns, &n->all)
		if (ns->inode && !ns->users.n) {
			hash_u64_add(dentries, ns->dentry);
			inode = ns->inode;
		}
	return inode;
}

enum status net_namespaces_mounted(struct dump *d, const struct net_namespaces *n,
				   struct net_mounts *ret)
{
	struct inode_paths *paths = dump_alloc(d, sizeof(*paths));
	struct inodes *inodes = dump_alloc(d, sizeof(*inodes));
	struct hash_u64 dentries;
	struct mounted x = { .dentries = &dentries };
	struct net_mounts m = { 0 };
	struct inode inode;
	uint64_t address;
	enum status st;

	hash_u64_init(&dentries, d->arena, 0);
	hash_u64_init(&x.seen, d->arena, 0);
	address = find_files(n, &dentries);
	if (!address)
		return dump_absent(d, "no network namespace without a process has a file");
	st = inodes_open(d, inodes) ?: inode_paths_open(d, paths) ?:
				       inode_read(inodes, address, &inode) ?:
				       super_mounts_walk(paths, inode.sb, add_mount, &x);
	if (st != ST_OK)
		return st;
	m.n = x.seen.n;
	if (m.n && dentry_path(&paths->paths, x.first.root, x.first.vfsmount, &m.path) != ST_OK)
		m.path = NULL;
	*ret = m;
	return ST_OK;
}
