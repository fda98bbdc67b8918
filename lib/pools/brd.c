// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/brd.h"

#include "files/inode_path.h"
#include "kernel/list.h"
#include "kernel/xarray.h"
#include "modules/module_sections.h"
#include "util/utf8.h"

struct device {
	uint64_t disk, pages, counted;
	bool has_counted;
};

struct mounted {
	uint64_t bdev, root, disk, inode;
};

struct brd {
	struct dump *dump;
	const struct memory_parts *v;
	struct structure device, super, bdev, dentry;
	struct field link, disk_name, super_link;
	struct hash_u64 mounts; /* of texts, by address of struct gendisk */
	const char *no_mounts;	/* NULL, or why some are unknown */
	struct first_problem problem;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct brd, device, "struct brd_device"),
	POINTS(struct device, disk, REQUIRED, "all", "brd_disk"),
	POINTS(struct device, pages, REQUIRED, "all", "brd_pages.xa_head", "brd_pages.rnode"),
	READS_IF(struct device, counted, has_counted, OPTIONAL, "5.13", "brd_nr_pages"),
	FINDS(struct brd, link, "struct brd_device", REQUIRED, "all", "brd_list"),
	FINDS(struct brd, disk_name, "struct gendisk", REQUIRED, "all", "disk_name"),
};

static const struct layout_row mount_rows[] = {
	STRUCTURE(struct brd, super, "struct super_block"),
	POINTS(struct mounted, bdev, REQUIRED, "all", "s_bdev"),
	POINTS(struct mounted, root, REQUIRED, "all", "s_root"),
	FINDS(struct brd, super_link, "struct super_block", REQUIRED, "all", "s_list"),
	STRUCTURE(struct brd, bdev, "struct block_device"),
	POINTS(struct mounted, disk, REQUIRED, "all", "bd_disk"),
	STRUCTURE(struct brd, dentry, "struct dentry"),
	POINTS(struct mounted, inode, REQUIRED, "all", "d_inode"),
};

/* The first mount of each disk. */
static enum status read_super(struct brd *x, struct inodes *inodes, struct inode_paths *paths,
			      uint64_t address)
{
	struct mounted m = { 0 };
	struct inode inode;
	const char **path;
	enum status st = struct_read(&x->super, address, &m);

	if (st != ST_OK || !m.bdev || !m.root)
		return st;
	st = struct_read(&x->bdev, m.bdev, &m) ?: struct_read(&x->dentry, m.root, &m);
	if (st != ST_OK || !m.disk || !m.inode)
		return st;
	path = hash_u64_get(&x->mounts, m.disk, NULL);
	return *path ? ST_OK
		     : inode_read(inodes, m.inode, &inode) ?: inode_mount_path(paths, &inode, path);
}

static enum status read_mounts(struct brd *x)
{
	struct dump *d = x->dump;
	struct inodes *inodes = dump_alloc(d, sizeof(*inodes));
	struct inode_paths *paths = dump_alloc(d, sizeof(*paths));
	struct list_nodes l = list_of(d, 0, "super_blocks");
	uint64_t node;
	enum status st = STRUCTS_OPEN(d, mount_rows, x) ?: inodes_open(d, inodes) ?:
		inode_paths_open(d, paths) ?: dump_symbol(d, "super_blocks", &l.head);

	if (st != ST_OK)
		return st;
	while (list_next(&l, &node)) {
		st = read_super(x, inodes, paths, node - x->super_link.offset);
		if (st != ST_OK && !x->no_mounts)
			x->no_mounts = dump_why(d);
	}
	return list_end(&l);
}

static const char *name_of(struct brd *x, const struct device *b)
{
	const char *const *path = hash_u64_find(&x->mounts, b->disk);
	char disk[64];

	if (!b->disk || dump_string(x->dump, b->disk + x->disk_name.offset, disk, sizeof(disk),
				    "gendisk.disk_name") != ST_OK)
		return NULL;
	printable(disk);
	return path && *path ? dump_text(x->dump, "/dev/%s, %s%.400s", disk,
					 **path == '/' ? "mounted at " : "", *path)
			     : dump_text(x->dump, "/dev/%s%s", disk,
					 x->no_mounts ? ", where it is mounted is unknown" : "");
}

static enum status visit(struct brd *x, uint64_t address)
{
	struct dump *d = x->dump;
	struct memory_holder h = { .address = address, .counter = "brd_device.brd_nr_pages" };
	struct device b = { 0 };
	struct xa_entries e;
	uint64_t index, page;
	enum status st = struct_read(&x->device, address, &b), walked = ST_OK;

	if (st != ST_OK)
		return first_problem_keep(d, &x->problem, st);
	for (xa_begin(&e, d, b.pages); walked == ST_OK && xa_next(&e, &index, &page);)
		walked = x->v->page(x->v->arg, page);
	walked = walked ?: xa_end(&e);
	h.is_cut = walked != ST_OK;
	h.name = name_of(x, &b);
	h.counted = (struct maybe_u64){ b.counted << d->page_shift,
					b.has_counted && b.counted <= UINT32_MAX };
	return first_problem_keep(d, &x->problem, walked) ?: x->v->holder(x->v->arg, &h);
}

enum status brd_walk(struct dump *d, const struct memory_parts *v)
{
	struct brd x = { .dump = d, .v = v };
	struct list_nodes l = list_of(d, 0, "brd_devices");
	uint64_t node;
	enum status st = module_object_symbol(d, "brd", "brd_devices", &l.head)
				 ?: module_object_type(d, "brd", "struct brd_device")
				 ?: STRUCTS_OPEN(d, rows, &x);

	if (st != ST_OK)
		return st;
	hash_u64_init(&x.mounts, d->arena, sizeof(const char *));
	if (read_mounts(&x) != ST_OK && !x.no_mounts)
		x.no_mounts = dump_why(d);
	while (st == ST_OK && list_next(&l, &node))
		st = visit(&x, node - x.link.offset);
	return st ?: list_end(&l) ?: first_problem_end(d, &x.problem);
}
