// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/fanotify.h"

#include "kernel/list.h"

static const struct layout_row fanotify_rows[] = {
	FINDS(struct fanotify, file_group, "struct file", REQUIRED, "all", "private_data"),
	FINDS(struct fanotify, event.list, "struct fanotify_path_event", OPTIONAL, "5.7",
	      "fae.fse.list"),
	FINDS(struct fanotify, event.dentry, "struct fanotify_path_event", OPTIONAL, "5.7",
	      "path.dentry"),
	/* One of 5.7 has no path. */
	FINDS(struct fanotify, before.list, "struct fanotify_event", OPTIONAL, "to 5.6",
	      "fse.list"),
	FINDS(struct fanotify, before.dentry, "struct fanotify_event", OPTIONAL, "to 5.6",
	      "path.dentry"),
	FINDS(struct fanotify, dentry_inode, "struct dentry", REQUIRED, "all", "d_inode"),
	STRUCTURE(struct fanotify, group, "struct fsnotify_group"),
	PLACES(struct fanotify_queue, events, REQUIRED, "all", "notification_list"),
	READS(struct fanotify_queue, length, REQUIRED, "all", "q_len"),
	READS(struct fanotify_queue, max_length, REQUIRED, "all", "max_events"),
};

enum status fanotify_find(struct dump *d, struct fanotify *ret)
{
	struct fanotify f = { .dump = d };
	enum status st = dump_has_symbol(d, "fanotify_fops")
				 ? dump_symbol(d, "fanotify_fops", &f.operations)
				 : dump_absent(d, "built without CONFIG_FANOTIFY");

	st = st ?: STRUCTS_OPEN(d, fanotify_rows, &f);
	if (!f.event.dentry.present && f.before.dentry.present)
		f.event = f.before;
	return RESULT(st, ret, f);
}

enum status fanotify_of_file(const struct fanotify *f, uint64_t file, struct fanotify_queue *ret)
{
	uint64_t group;
	enum status st = dump_u64(f->dump, file + f->file_group.offset, &group, "file");

	return st ?: struct_read(&f->group, group, ret);
}

enum status fanotify_walk(const struct fanotify *f, const struct fanotify_queue *q,
			  void (*visit)(void *arg, uint64_t inode), void *arg)
{
	struct list_nodes l = list_of(f->dump, q->events, "notification_list");
	uint64_t node, dentry, inode;

	if (!q->length)
		return ST_OK;
	if (!f->event.list.present || !f->event.dentry.present)
		return dump_unknown(f->dump, "events of fanotify, as of 4.19");
	/* An event by file handle has no path, and what is there may be no address. */
	while (list_next(&l, &node))
		if (dump_u64(f->dump, node - f->event.list.offset + f->event.dentry.offset, &dentry,
			     "fanotify_event") == ST_OK &&
		    dump_u64(f->dump, dentry + f->dentry_inode.offset, &inode, "dentry") == ST_OK)
			visit(arg, inode);
	return list_end(&l);
}

static const struct layout_row wait_rows[] = {
	FINDS(struct fanotify_waits, ops, "struct fsnotify_group", REQUIRED, "all", "ops"),
	FINDS(struct fanotify_waits, queued, "struct fsnotify_group", REQUIRED, "all",
	      "notification_list"),
	FINDS(struct fanotify_waits, read, "struct fsnotify_group", REQUIRED,
	      "CONFIG_FANOTIFY_ACCESS_PERMISSIONS", "fanotify_data.access_list"),
	FINDS(struct fanotify_waits, event, "struct fanotify_perm_event", REQUIRED, "5.0",
	      "fae.fse.list"),
};

enum status fanotify_waits_open(struct dump *d, struct fanotify_waits *ret)
{
	enum status st = dump_built_with(d, "CONFIG_FANOTIFY_ACCESS_PERMISSIONS",
					 "fanotify_fsnotify_ops", "struct fanotify_perm_event");

	*ret = (struct fanotify_waits){ .dump = d };
	return st
		       ?: dump_symbol(d, "fanotify_fsnotify_ops", &ret->operations)
		       ?: STRUCTS_OPEN(d, wait_rows, ret);
}

#define MAX_EVENTS 100000 /* of a queue: 16,384 unless it has no limit */

static bool has_word(const struct task_stack *s, uint64_t from, uint64_t to, uint64_t value)
{
	uint64_t word;

	for (uint64_t at = from & ~7ULL; at < to; at += 8)
		if (task_stack_word(s, at, &word) && word == value)
			return true;
	return false;
}

static bool has_event(const struct fanotify_waits *w, uint64_t list, const struct task_stack *s,
		      uint64_t from, uint64_t to)
{
	struct list_nodes l = list_of(w->dump, list, "permission events");
	uint64_t node;

	for (unsigned int n = 0; n < MAX_EVENTS && list_next(&l, &node); n++)
		if (has_word(s, from, to, node - w->event.offset))
			return true;
	return false;
}

enum status fanotify_wait_find(const struct fanotify_waits *w, const struct task_stack *s,
			       uint64_t from, uint64_t to, uint64_t *group)
{
	uint64_t word;
	uint8_t ops[8];

	for (uint64_t at = from & ~7ULL; at < to; at += 8) {
		if (!task_stack_word(s, at, &word) || word & 7 || !(word >> 63) ||
		    dump_try(w->dump, word + w->ops.offset, ops, sizeof(ops)) != ST_OK ||
		    le64(ops) != w->operations)
			continue;
		if (has_event(w, word + w->read.offset, s, from, to) ||
		    has_event(w, word + w->queued.offset, s, from, to)) {
			*group = word;
			return ST_OK;
		}
	}
	return dump_absent(w->dump, "no group of fanotify has an event of the task");
}
