// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/scsi_host.h"

#include "modules/module_sections.h"

#define NAME_ROOM 64 /* of a driver */

struct raw_device {
	uint64_t queue, host;
};

struct raw_host {
	uint64_t template;
	uint32_t number;
};

struct raw_template {
	uint64_t module, proc_name, name;
};

static const struct layout_row rows[] = {
	FINDS(struct scsi_hosts, queuedata, "struct request_queue", REQUIRED, "all", "queuedata"),
	STRUCTURE(struct scsi_hosts, device, "struct scsi_device"),
	READS(struct raw_device, queue, REQUIRED, "all", "request_queue"),
	READS(struct raw_device, host, REQUIRED, "all", "host"),
	STRUCTURE(struct scsi_hosts, host, "struct Scsi_Host"),
	READS(struct raw_host, template, REQUIRED, "all", "hostt"),
	READS(struct raw_host, number, REQUIRED, "all", "host_no"),
	STRUCTURE(struct scsi_hosts, template, "struct scsi_host_template"),
	READS(struct raw_template, module, REQUIRED, "all", "module"),
	READS(struct raw_template, proc_name, REQUIRED, "all", "proc_name"),
	READS(struct raw_template, name, REQUIRED, "all", "name"),
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
	st = module_object_type(d, "scsi_mod", "struct scsi_device") ?: STRUCTS_OPEN(d, rows, ret);
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
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	return dump_strdup(d, text);
}

static const char *driver_of(const struct scsi_hosts *x, const struct raw_template *t)
{
	for (const struct module *m = x->modules.first; m && t->module; m = m->next)
		if (m->address == t->module)
			return m->name;
	return name_at(x->dump, t->proc_name) ?: name_at(x->dump, t->name);
}

enum status scsi_host_read(const struct scsi_hosts *x, const struct disk *disk,
			   struct scsi_host *ret)
{
	struct raw_device device = { 0 };
	struct raw_host host = { 0 };
	struct raw_template template = { 0 };
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
