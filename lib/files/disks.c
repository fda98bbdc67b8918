// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/disks.h"

#include "files/inode_list.h"
#include "files/super_list.h"
#include "modules/module_sections.h"
#include "util/utf8.h"

#define MAX_DISKS (1U << 16) /* a machine has thousands at most */

struct device {
	uint64_t disk; /* struct gendisk; 0: no process has it open */
};

static const struct layout_row rows[] = {
	STRUCTURE(struct disks, device, "struct block_device"),
	READS(struct device, disk, REQUIRED, "all", "bd_disk"),
	STRUCTURE(struct disks, disk, "struct gendisk"),
	READS(struct disk, name, REQUIRED, "all", "disk_name"),
	READS(struct disk, queue, REQUIRED, "all", "queue"),
	READS(struct disk, operations, REQUIRED, "all", "fops"),
	READS(struct disk, own, REQUIRED, "all", "private_data"),
	STRUCTURE(struct disks, operations, "struct block_device_operations"),
	READS(struct disk, owner, REQUIRED, "all", "owner"),
	FINDS(struct disks, bdev, "struct bdev_inode", REQUIRED, "all", "bdev"),
	FINDS(struct disks, inode, "struct bdev_inode", REQUIRED, "all", "vfs_inode"),
	FINDS(struct disks, super_device, "struct super_block", REQUIRED, "all", "s_bdev"),
};

enum status disks_open(struct dump *d, struct disks *ret)
{
	*ret = (struct disks){ .dump = d };
	ret->last = &ret->first;
	hash_u64_init(&ret->by_address, d->arena, sizeof(struct disk *));
	return STRUCTS_OPEN(d, rows, ret);
}

struct disk *disks_find(const struct disks *x, uint64_t address)
{
	struct disk *const *disk = address ? hash_u64_find(&x->by_address, address) : NULL;

	return disk ? *disk : NULL;
}

static void note(struct disks *x, uint64_t address, struct disk *disk)
{
	if (address)
		*(struct disk **)hash_u64_get(&x->by_address, address, NULL) = disk;
}

static enum status add_disk(struct disks *x, uint64_t address, struct disk **ret)
{
	struct disk disk = { .address = address };
	enum status st = struct_read(&x->disk, address, &disk);

	if (st == ST_OK && disk.operations)
		st = struct_read(&x->operations, disk.operations, &disk);
	if (st != ST_OK)
		return st;
	if (x->n == MAX_DISKS)
		return dump_fail(x->dump, ST_UNKNOWN, "more than %u disks are not read", MAX_DISKS);
	*ret = dump_alloc(x->dump, sizeof(**ret));
	**ret = disk;
	*x->last = *ret;
	x->last = &(*ret)->next;
	x->n++;
	note(x, address, *ret);
	note(x, disk.queue, *ret);
	return ST_OK;
}

struct walk {
	struct disks *disks;
	struct first_problem problem;
};

static enum status add_device(void *arg, uint64_t inode)
{
	struct walk *w = arg;
	struct disks *x = w->disks;
	const uint64_t bdev = inode - x->inode.offset + x->bdev.offset;
	struct device device;
	struct disk *disk = NULL;
	enum status st = struct_read(&x->device, bdev, &device);

	if (st == ST_OK && device.disk) {
		disk = disks_find(x, device.disk);
		st = disk ? ST_OK : add_disk(x, device.disk, &disk);
	}
	if (st == ST_OK && disk) {
		note(x, bdev, disk);
		note(x, inode, disk);
	}
	return first_problem_keep(x->dump, &w->problem, st);
}

/* File systems on a disk: what waits for a page of one of their files waits for the disk. */
static enum status add_supers(struct walk *w)
{
	struct disks *x = w->disks;
	struct super_list list;
	struct list_nodes nodes;
	uint64_t super, bdev;
	enum status st = super_list_open(x->dump, &list);

	if (st != ST_OK)
		return first_problem_keep(x->dump, &w->problem, st);
	nodes = super_list_nodes(&list);
	while (st == ST_OK && super_list_next(&list, &nodes, &super)) {
		st = dump_u64(x->dump, super + x->super_device.offset, &bdev, "super_block");
		if (st == ST_OK)
			note(x, super, disks_find(x, bdev));
		st = first_problem_keep(x->dump, &w->problem, st);
	}
	return st ?: first_problem_keep(x->dump, &w->problem, list_end(&nodes));
}

enum status disks_read(struct disks *x)
{
	struct walk w = { .disks = x };
	enum status st = inode_list_walk(x->dump, "bd_type", add_device, &w);

	st = first_problem_keep(x->dump, &w.problem, st) ?: add_supers(&w);
	x->problem = w.problem.text;
	return st;
}

#define NAME_ROOM 64 /* of a driver */

struct scsi_device {
	uint64_t queue, host;
};

struct host {
	uint64_t template;
	uint32_t number;
};

struct host_template {
	uint64_t module, proc_name, name;
};

static const struct layout_row host_rows[] = {
	FINDS(struct scsi_hosts, queuedata, "struct request_queue", REQUIRED, "all", "queuedata"),
	STRUCTURE(struct scsi_hosts, device, "struct scsi_device"),
	READS(struct scsi_device, queue, REQUIRED, "all", "request_queue"),
	READS(struct scsi_device, host, REQUIRED, "all", "host"),
	STRUCTURE(struct scsi_hosts, host, "struct Scsi_Host"),
	READS(struct host, template, REQUIRED, "all", "hostt"),
	READS(struct host, number, REQUIRED, "all", "host_no"),
	STRUCTURE(struct scsi_hosts, template, "struct scsi_host_template"),
	READS(struct host_template, module, REQUIRED, "all", "module"),
	READS(struct host_template, proc_name, REQUIRED, "all", "proc_name"),
	READS(struct host_template, name, REQUIRED, "all", "name"),
};

static uint64_t operations_of(struct dump *d, const char *module, const char *name)
{
	uint64_t ret;

	return module_object_symbol(d, module, name, &ret) == ST_OK ? ret : 0;
}

enum status scsi_hosts_open(struct dump *d, struct scsi_hosts *ret)
{
	enum status st;

	*ret = (struct scsi_hosts){ .dump = d };
	ret->operations[0] = operations_of(d, "sd_mod", "sd_fops");
	ret->operations[1] = operations_of(d, "sr_mod", "sr_bdops");
	if (!ret->operations[0] && !ret->operations[1])
		return dump_absent(d, "no driver of SCSI disks is known");
	st = module_object_type(d, "scsi_mod", "struct scsi_device")
		     ?: STRUCTS_OPEN(d, host_rows, ret);
	/* Templates have names of their own. */
	if (st == ST_OK && modules_open(d, &ret->modules) != ST_OK)
		ret->modules = (struct modules){ 0 };
	return st;
}

bool disk_is_scsi(const struct scsi_hosts *x, const struct disk *disk)
{
	return disk->operations &&
	       ANY_OF(i, ARRAY_SIZE(x->operations), x->operations[i] == disk->operations);
}

static const char *name_at(struct dump *d, uint64_t address)
{
	char text[NAME_ROOM];

	if (!address ||
	    dump_string(d, address, text, sizeof(text), "name of a SCSI host") != ST_OK || !*text)
		return NULL;
	printable(text);
	return dump_strdup(d, text);
}

static const char *driver_of(const struct scsi_hosts *x, const struct host_template *t)
{
	for (const struct module *m = x->modules.first; m && t->module; m = m->next)
		if (m->address == t->module)
			return m->name;
	return name_at(x->dump, t->proc_name) ?: name_at(x->dump, t->name);
}

enum status scsi_host_read(const struct scsi_hosts *x, const struct disk *disk,
			   struct scsi_host *ret)
{
	struct scsi_device device = { 0 };
	struct host host = { 0 };
	struct host_template template = { 0 };
	uint64_t at;
	enum status st = dump_u64(x->dump, disk->queue + x->queuedata.offset, &at, "request_queue")
				 ?: struct_read(&x->device, at, &device);

	if (st == ST_OK && device.queue != disk->queue)
		st = dump_corrupt(x->dump, "%s: scsi_device at %#lx has another queue", disk->name,
				  at);
	st = st ?: struct_read(&x->host, device.host, &host) ?:
		struct_read(&x->template, host.template, &template);
	if (st != ST_OK)
		return st;
	*ret = (struct scsi_host){ .driver = driver_of(x, &template),
				   .number = { host.number, true } };
	return ST_OK;
}
