// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/mapped_device.h"

#include "kernel/list.h"
#include "modules/module_sections.h"
#include "util/utf8.h"

#define MAX_BIOS 1000000 /* of one device: each has memory of its own */
#define MAX_NAME 128	 /* DM_NAME_LEN */

/* DMF_BLOCK_IO_FOR_SUSPEND and DMF_SUSPENDED, bits 0 and 1 from 2.6.30 to 7.3: macros. */
#define SUSPENDED 3u

struct raw_device {
	uint64_t disk, flags, deferred, table, cell;
};

struct raw_cell {
	uint64_t name, device;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct mapped_devices, device, "struct mapped_device"),
	READS(struct raw_device, disk, REQUIRED, "all", "disk"),
	READS(struct raw_device, flags, REQUIRED, "all", "flags"),
	READS(struct raw_device, deferred, REQUIRED, "all", "deferred.head"),
	READS(struct raw_device, table, OPTIONAL, "all", "map"),
	READS(struct raw_device, cell, OPTIONAL, "all", "interface_ptr"),
	STRUCTURE(struct mapped_devices, cell, "struct hash_cell"),
	READS(struct raw_cell, name, OPTIONAL, "all", "name"),
	READS(struct raw_cell, device, OPTIONAL, "all", "md"),
	FINDS(struct mapped_devices, devices, "struct dm_table", OPTIONAL, "all", "devices"),
	FINDS(struct mapped_devices, node, "struct dm_dev_internal", OPTIONAL, "all", "list"),
	FINDS(struct mapped_devices, dm_dev, "struct dm_dev_internal", OPTIONAL, "3.17", "dm_dev"),
	FINDS(struct mapped_devices, bdev, "struct dm_dev", OPTIONAL, "all", "bdev"),
	FINDS(struct mapped_devices, next, "struct bio", REQUIRED, "all", "bi_next"),
};

enum status mapped_devices_open(struct dump *d, struct mapped_devices *ret)
{
	enum status st;

	*ret = (struct mapped_devices){ .dump = d };
	st = module_object_symbol(d, "dm_mod", "dm_blk_dops", &ret->operations[0])
		     ?: module_object_type(d, "dm_mod", "struct mapped_device")
		     ?: STRUCTS_OPEN(d, rows, ret);
	/* Of request-based devices, where this kernel has a table of their own. */
	if (st == ST_OK &&
	    module_object_symbol(d, "dm_mod", "dm_rq_blk_dops", &ret->operations[1]) != ST_OK)
		ret->operations[1] = 0;
	return st;
}

bool disk_is_mapped(const struct mapped_devices *x, const struct disk *disk)
{
	return disk->operations &&
	       ANY_OF(i, ARRAY_SIZE(x->operations), x->operations[i] == disk->operations);
}

/* struct hash_cell names its device, too: what else this address may lead to does not. */
static void read_name(const struct mapped_devices *x, uint64_t device, uint64_t cell,
		      struct mapped_device *ret)
{
	char text[MAX_NAME];
	struct raw_cell raw = { 0 };

	if (!cell || struct_read(&x->cell, cell, &raw) != ST_OK || raw.device != device ||
	    dump_string(x->dump, raw.name, text, sizeof(text), "name of a mapped device") != ST_OK)
		return;
	printable(text);
	for (char *c = text; *c; c++)
		*c = *c == ' ' ? '?' : *c;
	ret->name = dump_strdup(x->dump, text);
}

/* A list that ends with 0; a loop comes back to a mark. */
static void count_bios(const struct mapped_devices *x, uint64_t first, struct mapped_device *ret)
{
	uint64_t mark = 0;

	for (uint64_t bio = first; bio && ret->bios < MAX_BIOS; ret->bios++) {
		if (bio == mark || dump_stopped(x->dump))
			return;
		if (!(ret->bios & (ret->bios - 1)))
			mark = bio;
		if (dump_u64(x->dump, bio + x->next.offset, &bio, "bio") != ST_OK)
			return;
	}
	ret->bios_complete = ret->bios < MAX_BIOS;
}

static void read_below(const struct mapped_devices *x, const struct disks *disks, uint64_t table,
		       struct mapped_device *ret)
{
	struct dump *d = x->dump;
	struct list_nodes nodes;
	uint64_t node, dev = 0, bdev = 0;

	if (!table || !x->devices.present || !x->node.present || !x->dm_dev.present ||
	    !x->bdev.present)
		return;
	nodes = list_of(d, table + x->devices.offset, "devices of a mapped device");
	ret->below_complete = true;
	while (ret->nbelow < MAPPED_BELOW && list_next(&nodes, &node)) {
		const struct disk *disk = NULL;

		if (dump_u64(d, node - x->node.offset + x->dm_dev.offset, &dev, "dm_dev") ==
			    ST_OK &&
		    dump_u64(d, dev + x->bdev.offset, &bdev, "dm_dev") == ST_OK)
			disk = disks_find(disks, bdev);
		if (!disk)
			ret->below_complete = false;
		else if (!ANY_OF(i, ret->nbelow, ret->below[i] == disk))
			ret->below[ret->nbelow++] = disk;
	}
	ret->below_complete &= list_end(&nodes) == ST_OK && ret->nbelow < MAPPED_BELOW;
}

enum status mapped_device_read(const struct mapped_devices *x, const struct disks *disks,
			       const struct disk *disk, struct mapped_device *ret)
{
	struct mapped_device found = { 0 };
	struct raw_device raw = { 0 };
	enum status st = struct_read(&x->device, disk->own, &raw);

	if (st == ST_OK && raw.disk != disk->address)
		st = dump_corrupt(x->dump, "%s: mapped_device at %#lx is of another disk",
				  disk->name, disk->own);
	if (st != ST_OK)
		return st;
	found.has_flags = (raw.flags & SUSPENDED) == SUSPENDED;
	read_name(x, disk->own, raw.cell, &found);
	count_bios(x, raw.deferred, &found);
	read_below(x, disks, raw.table, &found);
	*ret = found;
	return ST_OK;
}
