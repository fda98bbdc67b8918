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
				 : dump_fail(d, ST_ABSENT, "built without CONFIG_FANOTIFY");

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
		return dump_fail(f->dump, ST_UNKNOWN,
				 "unknown layout: events of fanotify, as of 4.19");
	/* An event by file handle has no path, and what is there may be no address. */
	while (list_next(&l, &node))
		if (dump_u64(f->dump, node - f->event.list.offset + f->event.dentry.offset, &dentry,
			     "fanotify_event") == ST_OK &&
		    dump_u64(f->dump, dentry + f->dentry_inode.offset, &inode, "dentry") == ST_OK)
			visit(arg, inode);
	return list_end(&l);
}
