// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/ref_tracker.h"

#include "dump/structure.h"
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
	uint64_t directory;
	bool released;
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

static bool is_end(enum status st)
{
	return st == ST_STOPPED;
}

/* A list that leads nowhere is counted, and the next one is walked. */
static enum status note(struct walk *w, enum status st)
{
	if (st == ST_OK || is_end(st))
		return st;
	w->ret->broken++;
	if (!w->ret->problem)
		w->ret->problem = dump_why(w->dump);
	return ST_OK;
}

static enum status visit_tracker(void *arg, uint64_t node)
{
	struct walk *w = arg;
	struct ref_tracker t = { .address = node - w->head.offset,
				 .directory = w->directory,
				 .is_released = w->released };
	return struct_read(&w->tracker, t.address, &t) ?: w->visit(w->arg, &t);
}

static enum status walk_directory(struct walk *w, uint64_t directory)
{
	enum status st = ST_OK;
	bool is_new;

	hash_u64_get(&w->seen, directory, &is_new);
	if (!is_new)
		return ST_OK;
	w->ret->directories++;
	w->directory = directory;
	for (unsigned int list = 0; list < 2 && st == ST_OK; list++) {
		w->released = list;
		st = note(w, list_walk(w->dump, directory + w->lists[list].offset,
				       "a list of ref_tracker", visit_tracker, w));
	}
	return st;
}

static enum status visit_device(void *arg, uint64_t node)
{
	struct walk *w = arg;

	return walk_directory(w, node - w->device_list.offset + w->device_refs.offset);
}

static enum status visit_net(void *arg, uint64_t node)
{
	struct walk *w = arg;
	uint64_t net = node - w->net_list.offset;
	enum status st = ST_OK;

	if (w->net_refs.present)
		st = walk_directory(w, net + w->net_refs.offset);
	if (st == ST_OK && w->net_notrefs.present)
		st = walk_directory(w, net + w->net_notrefs.offset);
	if (st != ST_OK || !w->device_refs.present || !w->device_list.present ||
	    !w->net_devices.present)
		return st;
	return note(w, list_walk(w->dump, net + w->net_devices.offset, "dev_base_head",
				 visit_device, w));
}

/* debugfs_dentries of lib/ref_tracker.c has a dentry for each directory, by its address. */
static enum status visit_entry(void *arg, uint64_t index, uint64_t dentry)
{
	(void)dentry;
	return walk_directory(arg, index);
}

static enum status walk_entries(struct walk *w)
{
	struct dump *d = w->dump;
	struct field head;
	uint64_t at, root;
	enum status st;

	if (!dump_has_symbol(d, "debugfs_dentries") ||
	    dump_ask(d, member, "struct xarray", "xa_head", &head) != ST_OK)
		return ST_OK;
	st = dump_symbol(d, "debugfs_dentries", &at) ?:
		dump_u64(d, at + head.offset, &root, "debugfs_dentries") ?:
		xarray_walk(d, root, visit_entry, w);
	w->ret->complete = st == ST_OK;
	return note(w, st);
}

enum status ref_trackers_walk(struct dump *d, struct ref_trackers *ret,
			      enum status (*visit)(void *arg, const struct ref_tracker *t),
			      void *arg)
{
	struct walk w = { .ret = ret, .dump = d, .visit = visit, .arg = arg };
	uint64_t nets;
	enum status st;

	*ret = (struct ref_trackers){ .dump = d };
	if (!dump_has_symbol(d, "ref_tracker_alloc"))
		return dump_fail(d, ST_ABSENT, "no ref_tracker_alloc in vmlinux");
	st = STRUCTS_OPEN(d, rows, &w);
	if (st != ST_OK)
		return st;
	hash_u64_init(&w.seen, d->arena, 0);
	if (w.net_list.present && dump_has_symbol(d, "net_namespace_list")) {
		st = dump_symbol(d, "net_namespace_list", &nets)
			     ?: list_walk(d, nets, "net_namespace_list", visit_net, &w);
		st = note(&w, st);
	}
	st = st ?: walk_entries(&w);
	if (st == ST_OK && !ret->directories && !ret->broken)
		return dump_fail(d, ST_UNKNOWN,
				 "ref_tracker: no network namespaces, and no list of directories");
	return st;
}
