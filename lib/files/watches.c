// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/watches.h"

#include "kernel/list.h"
#include "kernel/object_bytes.h"

#define EVICTABLE 0x200 /* FSNOTIFY_MARK_FLAG_NO_IREF, 5.19; a bit that no mark had before */

struct mark {
	uint64_t connector;
	uint32_t flags;
};

struct connector {
	uint64_t object, first;
	uint32_t type;
};

static const struct layout_row rows[] = {
	FINDS(struct watches, file_group, "struct file", REQUIRED, "all", "private_data"),
	FINDS(struct watches, marks, "struct fsnotify_group", REQUIRED, "all", "marks_list"),
	FINDS(struct watches, events, "struct fsnotify_group", REQUIRED, "all",
	      "notification_list"),
	FINDS(struct watches, event_link, "struct fsnotify_event", REQUIRED, "all", "list"),
	FINDS(struct watches, link, "struct fsnotify_mark", REQUIRED, "all", "g_list"),
	FINDS(struct watches, only, "struct fsnotify_mark", REQUIRED, "4.12", "obj_list"),
	FINDS(struct watches, inode_marks, "struct inode", REQUIRED, "all", "i_fsnotify_marks"),
	FINDS(struct watches, inode_super, "struct inode", REQUIRED, "all", "i_sb"),
	STRUCTURE(struct watches, mark, "struct fsnotify_mark"),
	POINTS(struct mark, connector, REQUIRED, "4.12", "connector"),
	READS(struct mark, flags, REQUIRED, "all", "flags"),
	STRUCTURE(struct watches, connector, "struct fsnotify_mark_connector"),
	READS(struct connector, type, REQUIRED, "4.18", "type"),
	POINTS(struct connector, object, REQUIRED, "4.18", "obj"),
	POINTS(struct connector, first, REQUIRED, "4.12", "list.first"),
};

/* A mark of fanotify is a bare struct fsnotify_mark to 6.7. */
static enum status find_bytes(struct dump *d, struct watches *w)
{
	const char *const fanotify = dump_type_bytes(d, "struct fanotify_mark")
					     ? "struct fanotify_mark"
					     : "struct fsnotify_mark";
	enum status st = ST_OK;

	if (w->operations[WATCH_INOTIFY])
		st = object_bytes(d, "struct inotify_inode_mark", "inotify_inode_mark_cachep",
				  &w->bytes[WATCH_INOTIFY]);
	if (st == ST_OK && w->operations[WATCH_FANOTIFY])
		st = object_bytes(d, fanotify, "fanotify_mark_cache", &w->bytes[WATCH_FANOTIFY]);
	return st
		       ?: object_bytes(d, "struct fsnotify_mark_connector",
				       "fsnotify_mark_connector_cachep", &w->connector_bytes);
}

enum status watches_find(struct dump *d, struct watches *ret)
{
	static const struct {
		const char *operations, *type; /* that a kernel has with it alone */
	} kinds[WATCH_KINDS] = { { "inotify_fops", "struct inotify_inode_mark" },
				 { "fanotify_fops", "struct fanotify_event" } };
	struct watches w = { .dump = d };
	int64_t type;
	enum status st = ST_OK;
	bool has_any = false;

	for (unsigned int i = 0; i < WATCH_KINDS && st == ST_OK; i++) {
		st = dump_has_both(d, kinds[i].operations, kinds[i].type)
			     ?: dump_symbol(d, kinds[i].operations, &w.operations[i]);
		has_any |= st == ST_OK;
		st = st == ST_ABSENT ? ST_OK : st;
	}
	if (st == ST_OK && !has_any)
		return dump_absent(d, "this kernel was built without inotify");
	st = st ?: STRUCTS_OPEN(d, rows, &w) ?: find_bytes(d, &w) ?:
		dump_enumerator(d, "FSNOTIFY_OBJ_TYPE_INODE", &type);
	if (st != ST_OK)
		return st;
	w.of_inode = (uint64_t)type;
	*ret = w;
	return ST_OK;
}

enum watch_kind watch_kind_of(const struct watches *w, uint64_t operations)
{
	enum watch_kind kind = 0;

	while (kind < WATCH_KINDS && (!operations || w->operations[kind] != operations))
		kind++;
	return kind;
}

const char *watch_kind_name(enum watch_kind kind)
{
	return kind == WATCH_INOTIFY ? "inotify" : "fanotify";
}

enum status watches_of_file(const struct watches *w, uint64_t file, uint64_t *ret)
{
	return dump_u64(w->dump, file + w->file_group.offset, ret, "struct file");
}

/*
 * To 6.9 obj leads to the member of the inode that leads back to the connector, since then to the inode: what leads
 * back tells.
 */
static enum status find_inode(const struct watches *w, const struct connector *c, uint64_t at,
			      uint64_t *ret)
{
	const uint64_t marks = w->inode_marks.offset;
	uint64_t back = 0;
	enum status st = dump_u64(w->dump, c->object, &back, "fsnotify_mark_connector");

	*ret = c->object - marks;
	if (st == ST_OK && back == at)
		return ST_OK;
	*ret = c->object;
	st = dump_u64(w->dump, c->object + marks, &back, "inode");
	if (st == ST_OK && back != at)
		st = dump_corrupt(w->dump, "the fsnotify_mark_connector at %#lx is of no inode",
				  at);
	return st;
}

static enum status read_watch(const struct watches *w, uint64_t address, struct watch *ret)
{
	struct mark mark;
	struct connector c;
	uint64_t next = 0;
	enum status st = struct_read(&w->mark, address, &mark);

	*ret = (struct watch){ 0 };
	if (st != ST_OK || !mark.connector)
		return st;
	st = struct_read(&w->connector, mark.connector, &c);
	ret->is_first = st == ST_OK && c.first == address + w->only.offset;
	if (ret->is_first) {
		st = dump_u64(w->dump, c.first, &next, "fsnotify_mark");
		ret->is_alone = !next;
	}
	/* One that is taken away has no object any more. */
	if (st != ST_OK || c.type != w->of_inode || !c.object)
		return st;
	st = find_inode(w, &c, mark.connector, &ret->inode)
		     ?: dump_u64(w->dump, ret->inode + w->inode_super.offset, &ret->super, "inode");
	ret->pins = st == ST_OK && !(mark.flags & EVICTABLE);
	return st;
}

enum status watches_walk(const struct watches *w, uint64_t group,
			 enum status (*visit)(void *arg, const struct watch *watch), void *arg)
{
	struct list_nodes l = list_of(w->dump, group + w->marks.offset, "marks_list");
	struct first_problem problem = { 0 };
	uint64_t node;
	enum status st = ST_OK;

	while (st == ST_OK && list_next(&l, &node)) {
		struct watch watch;

		st = read_watch(w, node - w->link.offset, &watch);
		st = st == ST_OK ? visit(arg, &watch) : first_problem_keep(w->dump, &problem, st);
	}
	return st ?: list_end(&l) ?: first_problem_end(w->dump, &problem);
}

enum status watch_events_walk(const struct watches *w, uint64_t group,
			      void (*visit)(void *arg, uint64_t event), void *arg)
{
	struct list_nodes l = list_of(w->dump, group + w->events.offset, "notification_list");
	uint64_t node;

	while (list_next(&l, &node))
		visit(arg, node - w->event_link.offset);
	return list_end(&l);
}
