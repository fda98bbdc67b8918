// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/shmem_policy.h"

#include "util/bits.h"

#define MAX_NODES 1024 /* 1 << CONFIG_NODES_SHIFT, which is 10 at most */

/* include/uapi/linux/mempolicy.h */
#define STATIC_NODES (1U << 15)
#define RELATIVE_NODES (1U << 14)

struct super {
	uint64_t info;
};
struct info {
	uint64_t policy;
};
struct policy {
	uint32_t mode, flags;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct shmem_policies, super, "struct super_block"),
	POINTS(struct super, info, OPTIONAL, "all", "s_fs_info"),
	STRUCTURE(struct shmem_policies, info, "struct shmem_sb_info"),
	POINTS(struct info, policy, OPTIONAL, "3.9", "mpol"),
	STRUCTURE(struct shmem_policies, policy, "struct mempolicy"),
	READS(struct policy, mode, OPTIONAL, "CONFIG_NUMA", "mode"),
	READS(struct policy, flags, OPTIONAL, "CONFIG_NUMA", "flags"),
	FINDS(struct shmem_policies, nodes, "struct mempolicy", OPTIONAL, "5.14, to 5.13", "nodes",
	      "v.nodes"),
};

enum status shmem_policies_open(struct dump *d, struct shmem_policies *ret)
{
	struct shmem_policies p = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &p);

	if (st == ST_OK && !(struct_has_all(&p.super) && struct_has_all(&p.info) &&
			     struct_has_all(&p.policy) && p.nodes.present))
		st = dump_absent(d, "this kernel has no policies of memory");
	if (st == ST_OK && (!p.nodes.size || p.nodes.size > MAX_NODES / 8 || p.nodes.size % 8))
		st = dump_unknown(d, "mempolicy.nodes has %u bytes", p.nodes.size);
	st = st ?: dump_enumerator(d, "MPOL_BIND", &p.bind);
	return RESULT(st, ret, p);
}

enum status shmem_policy_add(const struct shmem_policies *p, uint64_t super, struct strbuf *b)
{
	uint64_t nodes[MAX_NODES / 64] = { 0 };
	struct super of = { 0 };
	struct info info = { 0 };
	struct policy policy = { 0 };
	char text[256];
	enum status st = struct_read(&p->super, super, &of);

	if (st == ST_OK && of.info)
		st = struct_read(&p->info, of.info, &info);
	if (st != ST_OK || !info.policy)
		return st;
	st = struct_read(&p->policy, info.policy, &policy)
		     ?: dump_read(p->dump, info.policy + p->nodes.offset, nodes, p->nodes.size,
				  "mempolicy");
	if (st == ST_OK && policy.mode == p->bind &&
	    bits_print(nodes, p->nodes.size / 8, text, sizeof(text)))
		strbuf_add(b, "mpol=bind%s:%s",
			   policy.flags & STATIC_NODES	   ? "=static"
			   : policy.flags & RELATIVE_NODES ? "=relative"
							   : "",
			   text);
	return st;
}
