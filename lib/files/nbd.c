// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/nbd.h"

#include "modules/module_sections.h"

struct raw_device {
	uint64_t disk, config;
};

struct raw_config {
	uint64_t sockets;
	int32_t n;
};

struct raw_socket {
	uint64_t socket;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct nbds, device, "struct nbd_device"),
	READS(struct raw_device, disk, REQUIRED, "all", "disk"),
	READS(struct raw_device, config, REQUIRED, "4.12", "config"),
	STRUCTURE(struct nbds, config, "struct nbd_config"),
	READS(struct raw_config, sockets, REQUIRED, "4.12", "socks"),
	READS(struct raw_config, n, REQUIRED, "4.12", "num_connections"),
	STRUCTURE(struct nbds, socket, "struct nbd_sock"),
	READS(struct raw_socket, socket, REQUIRED, "4.12", "sock"),
	FINDS(struct nbds, sk, "struct socket", REQUIRED, "all", "sk"),
};

enum status nbds_open(struct dump *d, struct nbds *ret)
{
	*ret = (struct nbds){ .dump = d };
	return module_object_symbol(d, "nbd", "nbd_fops", &ret->operations)
		       ?: module_object_type(d, "nbd", "struct nbd_device")
		       ?: STRUCTS_OPEN(d, rows, ret);
}

bool disk_is_nbd(const struct nbds *x, const struct disk *disk)
{
	return disk->operations && disk->operations == x->operations;
}

static enum status read_socket(const struct nbds *x, uint64_t array, unsigned int i, uint64_t *ret)
{
	struct raw_socket raw = { 0 };
	uint64_t at;

	return dump_u64(x->dump, array + 8 * i, &at, "sockets of nbd")
		       ?: struct_read(&x->socket, at, &raw)
		       ?: dump_u64(x->dump, raw.socket + x->sk.offset, ret, "struct socket");
}

enum status nbd_read(const struct nbds *x, const struct disk *disk, struct nbd *ret)
{
	struct nbd found = { .complete = true };
	struct raw_device device = { 0 };
	struct raw_config config = { 0 };
	enum status st = struct_read(&x->device, disk->own, &device);

	if (st == ST_OK && device.disk != disk->address)
		st = dump_corrupt(x->dump, "%s: nbd_device at %#lx is of another disk", disk->name,
				  disk->own);
	if (st == ST_OK && !device.config)
		st = dump_absent(x->dump, "%s is not connected", disk->name);
	st = st ?: struct_read(&x->config, device.config, &config);
	for (int32_t i = 0; st == ST_OK && i < config.n; i++) {
		if (i == NBD_SOCKETS) {
			found.complete = false;
			break;
		}
		st = read_socket(x, config.sockets, (unsigned int)i, &found.socks[found.n]);
		found.n += st == ST_OK;
	}
	return RESULT(st, ret, found);
}
