// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/ref_tracker.h"

#include "kernel/list.h"
#include "kernel/xarray.h"

struct walk {
	struct ref_trackers *ret;
	struct dump *dump;
	struct structure tracker;
	struct field head, lists[2]; /* of struct ref_tracker, ref_tracker_dir */
	/* Where directories are. */
	struct field net_list, net_devices, net_refs, net_notrefs, device_list, device_refs;
	struct hash_u64 seen; /* directories */
	enum status (*visit)(void *arg, const struct ref_tracker *t);
	void *arg;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, tracker, "struct ref_tracker"),
	FINDS(struct walk, head, "struct ref_tracker", REQUIRED, "5.17", "head"),
	READS(struct ref_tracker, taken, REQUIRED, "5.17", "alloc_stack_handle"),
	READS(struct ref_tracker, released, REQUIRED, "5.17", "free_stack_handle"),
	FINDS(struct walk, lists[0], "struct ref_tracker_dir", REQUIRED, "5.17", "list"),
	FINDS(struct walk, lists[1], "struct ref_tracker_dir", REQUIRED, "5.17", "quarantine"),
	FINDS(struct walk, net_list, "struct net", OPTIONAL, "all", "list"),
	FINDS(struct walk, net_devices, "struct net", OPTIONAL, "all", "dev_base_head"),
	FINDS(struct walk, net_refs, "struct net", OPTIONAL, "5.17", "refcnt_tracker"),
	FINDS(struct walk, net_notrefs, "struct net", OPTIONAL, "6.12", "notrefcnt_tracker"),
	FINDS(struct walk, device_list, "struct net_device", OPTIONAL, "all", "dev_list"),
	FINDS(struct walk, device_refs, "struct net_device", OPTIONAL, "5.17", "refcnt_tracker"),
};

/* A list that leads nowhere is counted, and the next one is walked. */
static enum status note(struct walk *w, enum status st)
{
	if (st == ST_OK || st == ST_STOPPED)
		return st;
	w->ret->broken++;
	if (!w->ret->problem)
		w->ret->problem = dump_why(w->dump);
	return ST_OK;
}

static enum status walk_list(struct walk *w, uint64_t directory, bool released)
{
	struct list_nodes l = list_of(w->dump, directory + w->lists[released].offset,
				      "a list of ref_tracker");
	uint64_t node;
	enum status st = ST_OK;

	while (st == ST_OK && list_next(&l, &node)) {
		struct ref_tracker t = { .address = node - w->head.offset,
					 .is_released = released };

		st = struct_read(&w->tracker, t.address, &t) ?: w->visit(w->arg, &t);
	}
	return note(w, st ?: list_end(&l));
}

static enum status walk_directory(struct walk *w, uint64_t directory)
{
	if (!hash_u64_add(&w->seen, directory))
		return ST_OK;
	w->ret->directories++;
	return walk_list(w, directory, false) ?: walk_list(w, directory, true);
}

static enum status walk_net(struct walk *w, uint64_t net)
{
	struct list_nodes l = list_of(w->dump, net + w->net_devices.offset, "dev_base_head");
	uint64_t node;
	enum status st = ST_OK;

	if (w->net_refs.present)
		st = walk_directory(w, net + w->net_refs.offset);
	if (st == ST_OK && w->net_notrefs.present)
		st = walk_directory(w, net + w->net_notrefs.offset);
	if (st != ST_OK || !w->device_refs.present || !w->device_list.present ||
	    !w->net_devices.present)
		return st;
	while (st == ST_OK && list_next(&l, &node))
		st = walk_directory(w, node - w->device_list.offset + w->device_refs.offset);
	return note(w, st ?: list_end(&l));
}

/* debugfs_dentries of lib/ref_tracker.c has a dentry for each directory, by its address. */
static enum status walk_entries(struct walk *w)
{
	struct dump *d = w->dump;
	struct xa_entries x;
	struct field head;
	uint64_t at, root = 0, directory, dentry;
	enum status st;

	if (!dump_has_symbol(d, "debugfs_dentries") ||
	    dump_ask(d, member, "struct xarray", "xa_head", &head) != ST_OK)
		return ST_OK;
	st = dump_symbol(d, "debugfs_dentries", &at)
		     ?: dump_u64(d, at + head.offset, &root, "debugfs_dentries");
	for (xa_begin(&x, d, root); st == ST_OK && xa_next(&x, &directory, &dentry);)
		st = walk_directory(w, directory);
	st = st ?: xa_end(&x);
	w->ret->complete = st == ST_OK;
	return note(w, st);
}

enum status ref_trackers_walk(struct dump *d, struct ref_trackers *ret,
			      enum status (*visit)(void *arg, const struct ref_tracker *t),
			      void *arg)
{
	struct walk w = { .ret = ret, .dump = d, .visit = visit, .arg = arg };
	struct list_nodes l;
	uint64_t nets = 0, node;
	enum status st;

	*ret = (struct ref_trackers){ 0 };
	if (!dump_has_symbol(d, "ref_tracker_alloc"))
		return dump_absent(d, "no ref_tracker_alloc in vmlinux");
	st = STRUCTS_OPEN(d, rows, &w);
	if (st != ST_OK)
		return st;
	hash_u64_init(&w.seen, d->arena, 0);
	if (w.net_list.present && dump_has_symbol(d, "net_namespace_list")) {
		st = dump_symbol(d, "net_namespace_list", &nets);
		l = list_of(d, nets, "net_namespace_list");
		while (st == ST_OK && list_next(&l, &node))
			st = walk_net(&w, node - w.net_list.offset);
		st = note(&w, st ?: list_end(&l));
	}
	st = st ?: walk_entries(&w);
	if (st == ST_OK && !ret->directories && !ret->broken)
		return dump_fail(d, ST_UNKNOWN,
				 "ref_tracker: no network namespaces, and no list of directories");
	return st;
}
