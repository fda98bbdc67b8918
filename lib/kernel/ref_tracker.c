// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/ref_tracker.h"

#include "dump/layout.h"
#include "kernel/list.h"
#include "kernel/xarray.h"

#define MAX_BYTES 128

enum {
	TRACKER_HEAD,
	TRACKER_TAKEN,
	TRACKER_RELEASED,
	TRACKER_FIELDS,
	DIR_LIVE = TRACKER_FIELDS,
	DIR_RELEASED,
	FIELDS
};

static const struct layout_row rows[FIELDS] = {
	[TRACKER_HEAD] = { "struct ref_tracker", { "head" }, REQUIRED, "5.17" },
	[TRACKER_TAKEN] = { "struct ref_tracker", { "alloc_stack_handle" }, REQUIRED, "5.17" },
	[TRACKER_RELEASED] = { "struct ref_tracker", { "free_stack_handle" }, REQUIRED, "5.17" },
	[DIR_LIVE] = { "struct ref_tracker_dir", { "list" }, REQUIRED, "5.17" },
	[DIR_RELEASED] = { "struct ref_tracker_dir", { "quarantine" }, REQUIRED, "5.17" },
};

/* Where directories are. */
enum { NET_LIST, NET_DEVICES, NET_REFS, NET_NOTREFS, DEVICE_LIST, DEVICE_REFS, PLACES };

static const struct layout_row places[PLACES] = {
	[NET_LIST] = { "struct net", { "list" }, OPTIONAL, "all" },
	[NET_DEVICES] = { "struct net", { "dev_base_head" }, OPTIONAL, "all" },
	[NET_REFS] = { "struct net", { "refcnt_tracker" }, OPTIONAL, "5.17" },
	[NET_NOTREFS] = { "struct net", { "notrefcnt_tracker" }, OPTIONAL, "6.12" },
	[DEVICE_LIST] = { "struct net_device", { "dev_list" }, OPTIONAL, "all" },
	[DEVICE_REFS] = { "struct net_device", { "refcnt_tracker" }, OPTIONAL, "5.17" },
};

struct walk {
	struct ref_trackers *ret;
	struct dump *dump;
	struct field f[FIELDS], p[PLACES];
	struct hash_u64 seen; /* directories */
	uint64_t directory;
	bool released;
	enum status (*visit)(void *arg, const struct ref_tracker *t);
	void *arg;
};

static bool is_end(enum status st)
{
	return st == ST_NOMEM || st == ST_STOPPED;
}

/* A list that leads nowhere is counted, and the next one is walked. */
static enum status note(struct walk *w, enum status st)
{
	if (st == ST_OK || is_end(st))
		return st;
	w->ret->broken++;
	if (!w->ret->problem)
		w->ret->problem = arena_strdup(w->dump->arena, w->dump->error);
	return ST_OK;
}

static enum status visit_tracker(void *arg, uint64_t node)
{
	struct walk *w = arg;
	uint8_t raw[MAX_BYTES];
	struct ref_tracker t = { .directory = w->directory, .is_released = w->released };
	enum status st;

	t.address = node - w->f[TRACKER_HEAD].offset;
	st = dump_read(w->dump, t.address, raw, layout_span(w->f, TRACKER_FIELDS), "ref_tracker");
	if (st != ST_OK)
		return st;
	t.taken = field_get(&w->f[TRACKER_TAKEN], raw);
	t.released = field_get(&w->f[TRACKER_RELEASED], raw);
	return w->visit(w->arg, &t);
}

static enum status walk_directory(struct walk *w, uint64_t directory)
{
	enum status st = ST_OK;
	bool is_new;

	if (!hash_u64_get(&w->seen, directory, &is_new))
		return dump_no_memory(w->dump);
	if (!is_new)
		return ST_OK;
	w->ret->directories++;
	w->directory = directory;
	for (unsigned int list = 0; list < 2 && st == ST_OK; list++) {
		w->released = list;
		st = note(w, list_walk(w->dump, directory + w->f[DIR_LIVE + list].offset,
				       "a list of ref_tracker", visit_tracker, w));
	}
	return st;
}

static enum status visit_device(void *arg, uint64_t node)
{
	struct walk *w = arg;

	return walk_directory(w, node - w->p[DEVICE_LIST].offset + w->p[DEVICE_REFS].offset);
}

static enum status visit_net(void *arg, uint64_t node)
{
	struct walk *w = arg;
	const struct field *p = w->p;
	uint64_t net = node - p[NET_LIST].offset;
	enum status st = ST_OK;

	if (p[NET_REFS].present)
		st = walk_directory(w, net + p[NET_REFS].offset);
	if (st == ST_OK && p[NET_NOTREFS].present)
		st = walk_directory(w, net + p[NET_NOTREFS].offset);
	if (st != ST_OK || !p[DEVICE_REFS].present || !p[DEVICE_LIST].present ||
	    !p[NET_DEVICES].present)
		return st;
	return note(w, list_walk(w->dump, net + p[NET_DEVICES].offset, "dev_base_head",
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
	    d->ops->member(d->priv, "struct xarray", "xa_head", &head) != ST_OK)
		return ST_OK;
	st = dump_symbol(d, "debugfs_dentries", &at);
	if (st == ST_OK)
		st = dump_u64(d, at + head.offset, &root, "debugfs_dentries");
	if (st == ST_OK)
		st = xarray_walk(d, root, visit_entry, w);
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
	st = layout_resolve(d, rows, FIELDS, w.f);
	if (st == ST_OK && layout_span(w.f, TRACKER_FIELDS) > MAX_BYTES)
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct ref_tracker");
	if (st == ST_OK)
		st = layout_resolve(d, places, PLACES, w.p);
	if (st != ST_OK)
		return st;
	hash_u64_init(&w.seen, d->arena, 0);
	if (w.p[NET_LIST].present && dump_has_symbol(d, "net_namespace_list")) {
		st = dump_symbol(d, "net_namespace_list", &nets);
		if (st == ST_OK)
			st = list_walk(d, nets, "net_namespace_list", visit_net, &w);
		st = note(&w, st);
	}
	if (st == ST_OK)
		st = walk_entries(&w);
	if (st == ST_OK && !ret->directories && !ret->broken)
		return dump_fail(d, ST_UNKNOWN,
				 "ref_tracker: no network namespaces, and no list of directories");
	return st;
}
