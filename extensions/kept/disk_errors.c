// SPDX-License-Identifier: GPL-2.0-or-later
/* What file systems and disks found wrong, by the log, and who has such a disk open beside its file system. */
#include "log/log_told.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

#define WRITERS 3 /* that are named */

/* Who has a block device open that a file system is on. */
struct openers {
	struct open_files *files;
	struct inodes inodes;
	uint32_t dev;
	const struct file_user *all[WRITERS],
		*last; /* last: that was counted, descriptor by descriptor */
	unsigned int n;
	uint64_t inode; /* that was looked at last */
	bool is_of_disk;
};

static enum status visit(void *arg, uint64_t file, uint64_t operations,
			 const struct file_user *user)
{
	struct openers *x = arg;
	struct inode inode;

	(void)file;
	(void)operations;
	if (x->files->inode != x->inode) {
		x->inode = x->files->inode;
		x->is_of_disk = inode_read(&x->inodes, x->inode, &inode) == ST_OK &&
				(inode.mode & INODE_FORMAT) == INODE_BLOCK && inode.rdev == x->dev;
	}
	if (user->is_device || !x->is_of_disk || x->last == user)
		return ST_OK;
	x->last = user;
	if (x->n < WRITERS)
		x->all[x->n] = user;
	x->n++;
	return ST_OK;
}

/* Where the file system of a device is mounted, and its number; ST_ABSENT: none is on it. */
static enum status find_device(struct dump *d, struct inodes *inodes, const char *device,
			       uint32_t *dev, const char **name)
{
	struct inode_paths *paths = dump_alloc(d, sizeof(*paths));
	const bool has_paths = inode_paths_open(d, paths) == ST_OK;
	struct super_list list;
	struct list_nodes nodes;
	uint64_t super;
	enum status st = super_list_open(d, &list);

	if (st != ST_OK)
		return st;
	nodes = super_list_nodes(&list);
	while (super_list_next(&list, &nodes, &super)) {
		struct inode root;

		if (!super_root(&list, inodes, super, &root) || strcmp(root.super->id, device) != 0)
			continue;
		*dev = root.super->dev;
		*name = super_name(d, has_paths ? paths : NULL, &root);
		return ST_OK;
	}
	return list_end(&nodes) ?: ST_ABSENT;
}

/* "; img-flash (414) has the block device of /data (vda) open beside the file system" */
static void add_openers(struct summary *s, const struct disk_errors *e, struct strbuf *b)
{
	struct dump *d = s->dump;
	struct openers *x = dump_alloc(d, sizeof(*x));
	const char *name = NULL;
	enum status st;

	*x = (struct openers){ .files = dump_alloc(d, sizeof(*x->files)) };
	if (!*e->device)
		return;
	st = inodes_open(d, &x->inodes) ?: find_device(d, &x->inodes, e->device, &x->dev, &name);
	if (st == ST_OK) {
		strbuf_add(b, "; the file system is %s", name);
		st = open_files_visit(x->files, d, visit, x);
	}
	if (st != ST_OK) {
		if (st != ST_ABSENT && st != ST_STOPPED)
			summary_unknown(s, "who has a disk open", availability_of(st), "%s",
					dump_why(d));
		d->error[0] = '\0';
		return;
	}
	for (unsigned int i = 0; i < x->n && i < WRITERS; i++)
		strbuf_add(b, "%s%s (%d)", i ? ", " : "; ", x->all[i]->comm, x->all[i]->tgid);
	if (x->n > WRITERS)
		strbuf_add(b, " and %s", PLURAL_TEXT(x->n - WRITERS, "more", "more"));
	if (x->n)
		strbuf_add(b, " %s the block device of %s open beside its file system",
			   x->n > 1 ? "have" : "has", name);
	else if (!x->files->complete)
		summary_unknown(s, "who has a disk open", NOT_IN_DUMP, "%s", x->files->problem);
}

void summary_add_disk_errors(struct summary *s)
{
	struct statement *panic = s->last[SECTION_PANIC];
	struct strbuf b = STRBUF_OF(1024);
	const struct disk_errors *e = &s->told->disks;

	if (!e->n)
		return;
	strbuf_add(&b, "%s", e->text);
	summary_add_when(s, e->first->ts_ns, &b);
	if (e->n > 1)
		strbuf_add(&b, ", and %s of disks and file systems behind it",
			   COUNT_OF(e->n - 1, "more error"));
	if (!s->dump->log_file)
		add_openers(s, e, &b);
	if (panic && panic->name && strstr(panic->name, "forced after error") && !s->panic_cause) {
		s->panic_cause = dump_text(s->dump,
					   "a file system that is mounted with errors=panic found "
					   "an error: %s",
					   b.buf);
		s->is_warned = true;
		return;
	}
	summary_add_logged(s, e->first,
			   dump_text(s->dump, "the log has an error of a %s: %s",
				     e->is_fs ? "file system" : "disk", b.buf));
}
