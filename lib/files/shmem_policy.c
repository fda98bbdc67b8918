// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/shmem_policy.h"

#define MAX_NODES 1024 /* 1 << CONFIG_NODES_SHIFT, which is 10 at most */

/* include/uapi/linux/mempolicy.h */
#define STATIC_NODES (1U << 15)
#define RELATIVE_NODES (1U << 14)

static bool find(struct dump *d, const char *type, const char *name, uint32_t bytes,
		 struct field *f)
{
	return dump_ask(d, member, type, name, f) == ST_OK && f->present && f->size == bytes;
}

static bool follow(struct dump *d, const char *type, const char *name, uint64_t *at)
{
	struct field f;

	return find(d, type, name, sizeof(*at), &f) &&
	       dump_try(d, *at + f.offset, at, sizeof(*at)) == ST_OK && *at;
}

static bool read_short(struct dump *d, uint64_t at, const char *name, uint16_t *ret)
{
	struct field f;

	return find(d, "struct mempolicy", name, sizeof(*ret), &f) &&
	       dump_try(d, at + f.offset, ret, sizeof(*ret)) == ST_OK;
}

/* Up to 5.13 they are in a union. */
static bool read_nodes(struct dump *d, uint64_t at, uint64_t nodes[MAX_NODES / 64])
{
	static const char *const names[] = { "nodes", "v.nodes" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct field f;

		if (dump_ask(d, member, "struct mempolicy", names[i], &f) == ST_OK && f.present)
			return f.size && f.size <= MAX_NODES / 8 && !(f.size % 8) &&
			       dump_try(d, at + f.offset, nodes, f.size) == ST_OK;
	}
	return false;
}

static bool has_node(const uint64_t *nodes, unsigned int i)
{
	return i < MAX_NODES && nodes[i / 64] >> i % 64 & 1;
}

/* "0-1,3" */
static void add_nodes(const uint64_t *nodes, struct strbuf *b)
{
	const char *between = "";

	for (unsigned int i = 0; i < MAX_NODES; i++) {
		const unsigned int first = i;

		if (!has_node(nodes, i))
			continue;
		while (has_node(nodes, i + 1))
			i++;
		strbuf_add(b, "%s%u", between, first);
		if (i > first)
			strbuf_add(b, "-%u", i);
		between = ",";
	}
}

void shmem_policy_add(struct dump *d, uint64_t super, struct strbuf *b)
{
	uint64_t nodes[MAX_NODES / 64] = { 0 }, any = 0;
	uint16_t mode, flags;
	int64_t bind;

	if (follow(d, "struct super_block", "s_fs_info", &super) &&
	    follow(d, "struct shmem_sb_info", "mpol", &super) &&
	    read_short(d, super, "mode", &mode) && read_short(d, super, "flags", &flags) &&
	    dump_enumerator(d, "MPOL_BIND", &bind) == ST_OK && mode == bind &&
	    read_nodes(d, super, nodes)) {
		for (size_t i = 0; i < ARRAY_SIZE(nodes); i++)
			any |= nodes[i];
		if (any) {
			strbuf_add(b, "mpol=bind%s:",
				   flags & STATIC_NODES	    ? "=static"
				   : flags & RELATIVE_NODES ? "=relative"
							    : "");
			add_nodes(nodes, b);
		}
	}
	d->error[0] = '\0';
}
