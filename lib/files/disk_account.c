// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/disk_account.h"

/* 0d02129e76ed "block: merge struct block_device and struct hd_struct" (5.11). */
static const struct layout_row rows[] = {
	FINDS(struct disk_account, device, "struct gendisk", REQUIRED, "all", "part0"),
	FINDS(struct disk_account, stamp, "struct block_device", OPTIONAL, "5.11", "bd_stamp"),
	FINDS(struct disk_account, old_stamp, "struct hd_struct", OPTIONAL, "to 5.10", "stamp"),
};

enum status disk_account_open(struct dump *d, struct disk_account *ret)
{
	enum status st;

	*ret = (struct disk_account){ .dump = d };
	st = STRUCTS_OPEN(d, rows, ret);
	if (st != ST_OK)
		return st;
	jiffies_open(d, &ret->jiffies);
	if (!ret->stamp.present && !ret->old_stamp.present)
		return dump_fail(d, ST_UNKNOWN, "neither block_device nor hd_struct has a stamp");
	return ret->jiffies.tick_ns ? ST_OK
				    : dump_fail(d, ST_UNKNOWN, "how long a jiffy is is unknown");
}

enum status disk_account_age(const struct disk_account *x, const struct disk *disk, uint64_t *ns)
{
	uint64_t at = disk->address + x->device.offset, stamp, age;
	enum status st = x->stamp.present ? dump_u64(x->dump, at, &at, "gendisk") : ST_OK;

	at += x->stamp.present ? x->stamp.offset : x->old_stamp.offset;
	st = st ?: dump_u64(x->dump, at, &stamp, "block_device");
	if (st == ST_OK && !jiffies_age(&x->jiffies, stamp, &age))
		st = dump_corrupt(x->dump, "%s: its stamp %#lx is later than the panic", disk->name,
				  stamp);
	return RESULT(st, ns, age);
}
