// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/fragments.h"

struct dir {
	int64_t bytes, most;
	int32_t timeout, queues;
};

static const struct layout_row rows[] = {
	/* A struct netns_frags in its place to 5.2. */
	FINDS(struct fragments_of, ipv4, "struct net", REQUIRED, "5.3", "ipv4.fqdir"),
	FINDS(struct fragments_of, ipv6, "struct net", OPTIONAL, "5.3", "ipv6.fqdir"),
	STRUCTURE(struct fragments_of, dir, "struct fqdir"),
	READS(struct dir, bytes, REQUIRED, "5.3", "mem.counter"),
	READS(struct dir, most, REQUIRED, "5.3", "high_thresh"),
	READS(struct dir, timeout, REQUIRED, "5.3", "timeout"),
	READS(struct dir, queues, REQUIRED, "5.3", "rhashtable.nelems.counter"),
};

enum status fragments_open(struct dump *d, struct fragments_of *ret)
{
	struct fragments_of f = { .dump = d };
	uint64_t bytes;
	enum status st;

	if (!dump_has_symbol(d, "init_net"))
		return dump_absent(d, "this kernel was built without CONFIG_NET");
	if (dump_ask(d, type_size, "struct fqdir", &bytes) != ST_OK)
		return dump_absent(d, "fragments are counted in no struct fqdir, as to 5.2");
	st = STRUCTS_OPEN(d, rows, &f);
	if (st == ST_OK)
		jiffies_open(d, &f.jiffies);
	return RESULT(st, ret, f);
}

enum status fragments_read(const struct fragments_of *f, uint64_t net, bool is_ipv6,
			   struct fragments *ret)
{
	const struct field *at = is_ipv6 ? &f->ipv6 : &f->ipv4;
	uint64_t address;
	struct dir dir;
	enum status st = at->present ? dump_u64(f->dump, net + at->offset, &address, "net")
				     : ST_ABSENT;

	if (st != ST_OK)
		return st;
	if (!address)
		return ST_ABSENT;
	st = struct_read(&f->dir, address, &dir);
	if (st == ST_OK && (dir.bytes < 0 || dir.queues < 0))
		st = dump_corrupt(f->dump, "fqdir at %#lx has %ld bytes in %d queues", address,
				  dir.bytes, dir.queues);
	if (st != ST_OK)
		return st;
	*ret = (struct fragments){
		.bytes = (uint64_t)dir.bytes,
		.queues = (uint64_t)dir.queues,
		.most = dir.most > 0 ? (uint64_t)dir.most : 0,
		.timeout_ns = dir.timeout > 0 ? (uint64_t)dir.timeout * f->jiffies.tick_ns : 0,
	};
	return ST_OK;
}
