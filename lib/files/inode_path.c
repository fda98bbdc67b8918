// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/inode_path.h"

#include "kernel/list.h"

#define MAX_ALIASES 1000   /* hard links */
#define MAX_MOUNTS 1000000 /* of one file system; sysctl fs.mount-max is 100,000 */
#define MAX_PARTIAL 64	   /* mounts of a part of a file system that are remembered */
#define MAX_DEPTH 4096	   /* dentries above a file */
#define MAX_ERROR (-4095)  /* MNT_NS_INTERNAL is an ERR_PTR() */

static const struct layout_row rows[] = {
	FINDS(struct inode_paths, alias_node, "struct dentry", REQUIRED, "7.1, 3.19", "d_alias",
	      "d_u.d_alias"),
	FINDS(struct inode_paths, alias_pprev, "struct dentry", REQUIRED, "all", "d_hash.pprev"),
	FINDS(struct inode_paths, hlist_next, "struct hlist_node", REQUIRED, "all", "next"),
	FINDS(struct inode_paths, super_mounts, "struct super_block", REQUIRED, "all", "s_mounts"),
	FINDS(struct inode_paths, super_active, "struct super_block", OPTIONAL, "all",
	      "s_active.counter"),
	FINDS(struct inode_paths, mount_instance, "struct mount", OPTIONAL, "to 6.17",
	      "mnt_instance"),
	FINDS(struct inode_paths, mount_next, "struct mount", OPTIONAL, "6.18", "mnt_next_for_sb"),
	FINDS(struct inode_paths, mount_ns, "struct mount", REQUIRED, "all", "mnt_ns"),
	FINDS(struct inode_paths, task_nsproxy, "struct task_struct", OPTIONAL, "all", "nsproxy"),
	FINDS(struct inode_paths, nsproxy_mnt, "struct nsproxy", OPTIONAL, "all", "mnt_ns"),
};

/* How struct super_block has its mounts. */
enum { MOUNTS_CHAIN, MOUNTS_LIST, MOUNT_FORKS };

static const struct fork mount_forks[MOUNT_FORKS] = {
	[MOUNTS_CHAIN] = { "a chain of struct mount", "6.18 or later: fs/mount.h of 7.3 has it",
			   .members = { { "struct mount", "mnt_next_for_sb" } } },
	[MOUNTS_LIST] = { "a list_head", "3.3: fs/mount.h" },
};

/* What of a mount shows files: its root, from the best namespace. */
struct shown {
	uint64_t root, vfsmount;
	bool by_init;
};

struct super_mounts {
	struct first_problem problem;
	struct shown whole; /* of the root of the file system; vfsmount 0: none */
	struct shown *parts;
	unsigned int nparts;
	bool is_cut; /* there are more parts */
};

enum status inode_paths_open(struct dump *d, struct inode_paths *ret)
{
	struct inode_paths p = { .dump = d };
	uint64_t task, nsproxy;
	enum status st = STRUCTS_OPEN(d, rows, &p);

	if (st != ST_OK)
		return st;
	p.fork = fork_find(d, "super_block.s_mounts", mount_forks, MOUNT_FORKS);
	if (p.fork == MOUNTS_LIST && !p.mount_instance.present)
		return dump_unknown(d, "mounts of struct super_block");
	if (!p.task_nsproxy.present || !p.nsproxy_mnt.present ||
	    dump_symbol(d, "init_task", &task) != ST_OK ||
	    dump_u64(d, task + p.task_nsproxy.offset, &nsproxy, "init_task") != ST_OK ||
	    dump_u64(d, nsproxy + p.nsproxy_mnt.offset, &p.namespace, "nsproxy") != ST_OK)
		p.namespace = 0;
	*ret = p;
	hash_u64_init(&ret->mounts, d->arena, sizeof(struct super_mounts));
	return file_paths_open(d, &ret->paths);
}

/* The dentry of an inode that has a name, else the first one. */
static enum status find_alias(struct inode_paths *p, const struct inode *inode, uint64_t *ret)
{
	struct dump *d = p->dump;
	uint64_t node = inode->alias, first = 0;

	for (unsigned int i = 0; node && i < MAX_ALIASES; i++) {
		uint64_t dentry = node - p->alias_node.offset, pprev;
		enum status st = dump_u64(d, dentry + p->alias_pprev.offset, &pprev, "dentry")
					 ?: dump_u64(d, node + p->hlist_next.offset, &node,
						     "dentry");

		if (st != ST_OK)
			return st;
		first = first ? first : dentry;
		if (!pprev)
			continue;
		*ret = dentry;
		return ST_OK;
	}
	if (!first)
		return dump_absent(d, "no dentry has inode %lu", inode->number);
	*ret = first;
	return ST_OK;
}

struct search {
	struct dump *dump;
	uint64_t super_root;
	struct super_mounts *mounts;
};

/* Where a mount is visible; false: nowhere, it is internal or was detached. */
static bool is_better(const struct shown *now, bool by_init)
{
	return !now->vfsmount || (by_init && !now->by_init);
}

/* All files are visible to init: no mount is better. */
static enum status add_mount(void *arg, const struct mount_place *m, bool *done)
{
	struct search *x = arg;
	struct super_mounts *s = x->mounts;
	const struct shown shown = { m->root, m->vfsmount, m->by_init };

	if (shown.root == x->super_root) {
		if (is_better(&s->whole, shown.by_init))
			s->whole = shown;
		*done = s->whole.by_init;
		return ST_OK;
	}
	if (!s->parts)
		s->parts = dump_alloc(x->dump, MAX_PARTIAL * sizeof(*s->parts));
	for (unsigned int i = 0; i < s->nparts; i++)
		if (s->parts[i].root == shown.root) {
			if (is_better(&s->parts[i], shown.by_init))
				s->parts[i] = shown;
			return ST_OK;
		}
	s->is_cut |= s->nparts == MAX_PARTIAL;
	if (s->nparts < MAX_PARTIAL)
		s->parts[s->nparts++] = shown;
	return ST_OK;
}

/* False: it is of the kernel itself, or was detached. */
static enum status read_mount(struct inode_paths *p, uint64_t mount, struct mount_place *ret,
			      bool *is_attached)
{
	struct mount_place m = { .vfsmount = mount + p->paths.mnt.offset };
	uint64_t ns;
	enum status st = dump_u64(p->dump, mount + p->mount_ns.offset, &ns, "mount")
				 ?: vfsmount_root(&p->paths, m.vfsmount, &m.root);

	*is_attached = st == ST_OK && ns && ns < (uint64_t)(int64_t)MAX_ERROR;
	m.by_init = ns == p->namespace;
	return RESULT(st, ret, m);
}

static enum status visit_mount(struct inode_paths *p, uint64_t mount, mount_visit *visit, void *arg,
			       bool *done)
{
	struct mount_place place;
	bool is_attached;
	enum status st = read_mount(p, mount, &place, &is_attached);

	return st == ST_OK && is_attached ? visit(arg, &place, done) : st;
}

/* The kernel lets go of a super_block when it has no mount any more: cleanup_mnt(). */
static enum status check_unmounted(struct inode_paths *p, uint64_t super)
{
	uint32_t active;
	enum status st = p->super_active.present ? dump_u32(p->dump, super + p->super_active.offset,
							    &active, "super_block")
						 : ST_OK;

	if (st != ST_OK || !p->super_active.present || !active)
		return st;
	return dump_corrupt(p->dump, "super_block at %#lx has no mount, and s_active is %u", super,
			    active);
}

static enum status walk_chain(struct inode_paths *p, uint64_t super, mount_visit *visit, void *arg)
{
	struct dump *d = p->dump;
	uint64_t at, mark = 0;
	enum status st = dump_u64(d, super + p->super_mounts.offset, &at, "super_block");
	bool done = false;

	if (st == ST_OK && !at)
		return check_unmounted(p, super);
	for (unsigned int i = 0; st == ST_OK && at && !done; i++) {
		if (at == mark || i == MAX_MOUNTS)
			return dump_corrupt(d, "mounts of a super_block loop at %#lx", at);
		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		if (!(i & (i - 1))) /* a loop comes back to it */
			mark = at;
		st = visit_mount(p, at, visit, arg, &done)
			     ?: dump_u64(d, at + p->mount_next.offset, &at, "mount");
	}
	return st;
}

static enum status walk_list(struct inode_paths *p, uint64_t super, mount_visit *visit, void *arg)
{
	struct list_nodes l = list_of(p->dump, super + p->super_mounts.offset,
				      "super_block.s_mounts");
	enum status st = ST_OK;
	bool done = false;
	uint64_t node;

	while (st == ST_OK && !done && list_next(&l, &node))
		st = visit_mount(p, node - p->mount_instance.offset, visit, arg, &done);
	if (st != ST_OK || done)
		return st;
	st = list_end(&l);
	return st == ST_OK && !l.n ? check_unmounted(p, super) : st;
}

enum status super_mounts_walk(struct inode_paths *p, uint64_t super, mount_visit *visit, void *arg)
{
	return p->fork == MOUNTS_CHAIN ? walk_chain(p, super, visit, arg)
				       : walk_list(p, super, visit, arg);
}

static enum status find_mounts(struct inode_paths *p, const struct inode *inode,
			       const struct super_mounts **ret)
{
	bool is_new;
	struct super_mounts *s = hash_u64_get(&p->mounts, inode->sb, &is_new);

	struct search x = { p->dump, inode->super->root, s };

	if (is_new)
		s->problem = problem_of_part(p->dump,
					     super_mounts_walk(p, inode->sb, add_mount, &x));
	if (s->problem.text)
		return first_problem_end(p->dump, &s->problem);
	*ret = s;
	return ST_OK;
}

/* The mount of a part that has a dentry in it, as vfsmount; 0: none of those that are known. */
static enum status find_part(struct inode_paths *p, const struct super_mounts *s, uint64_t dentry,
			     struct shown *ret)
{
	uint64_t parent;

	for (unsigned int depth = 0; s->nparts && depth < MAX_DEPTH; depth++) {
		enum status st = dentry_parent(&p->paths, dentry, &parent);

		if (st != ST_OK)
			return st;
		for (unsigned int i = 0; i < s->nparts; i++)
			if (s->parts[i].root == dentry && is_better(ret, s->parts[i].by_init))
				*ret = s->parts[i];
		if (ret->by_init || parent == dentry)
			return ST_OK;
		dentry = parent;
	}
	return ST_OK;
}

static enum status find_mount(struct inode_paths *p, const struct inode *inode, uint64_t dentry,
			      uint64_t *ret)
{
	const struct super_mounts *s = NULL;
	struct shown shown;
	enum status st = find_mounts(p, inode, &s);

	if (st != ST_OK)
		return st;
	shown = s->whole;
	if (!shown.by_init)
		st = find_part(p, s, dentry, &shown);
	if (st == ST_OK && !shown.vfsmount && s->is_cut)
		st = dump_fail(p->dump, ST_NOMEM, "more than %d mounts of parts of a file system",
			       MAX_PARTIAL);
	return RESULT(st, ret, shown.vfsmount);
}

enum status inode_path(struct inode_paths *p, const struct inode *inode, struct inode_name *ret)
{
	struct inode_name name = { NULL, false };
	uint64_t dentry = 0, mnt = 0;
	enum status st = find_alias(p, inode, &dentry)
				 ?: dentry_is_pseudo(&p->paths, dentry, &name.is_pseudo);

	if (st == ST_OK && !name.is_pseudo)
		st = find_mount(p, inode, dentry, &mnt);
	st = st ?: dentry_path(&p->paths, dentry, mnt, &name.path);
	if (st == ST_OK && !mnt && !name.is_pseudo)
		name.path = dump_text(p->dump, "[%s, not mounted]%s", inode->super->type,
				      name.path);
	return RESULT(st, ret, name);
}

enum status inode_mount_path(struct inode_paths *p, const struct inode *inode, const char **ret)
{
	const struct super_mounts *s = NULL;
	struct shown shown;
	enum status st = find_mounts(p, inode, &s);

	if (st != ST_OK)
		return st;
	shown = s->whole;
	for (unsigned int i = 0; i < s->nparts; i++)
		if (is_better(&shown, s->parts[i].by_init))
			shown = s->parts[i];
	if (shown.vfsmount)
		return dentry_path(&p->paths, shown.root, shown.vfsmount, ret);
	*ret = dump_text(p->dump, "[%.100s, not mounted]", inode->super->type);
	return ST_OK;
}
