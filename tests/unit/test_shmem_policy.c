// SPDX-License-Identifier: GPL-2.0-or-later
/* The nodes to which a tmpfs is mounted. */
#include "files/shmem_policy.h"
#include "stub.h"
#include "test.h"

#define SUPER 0xffff888000100000ULL
#define INFO 0xffff888000200000ULL
#define POLICY 0xffff888000300000ULL

static uint64_t info, policy;
static struct {
	uint32_t refs;
	uint16_t mode, flags;
	uint64_t nodes[16];
} bytes;

static const struct stub_memory memory[] = {
	{ SUPER, &info, 8 }, { INFO, &policy, 8 }, { POLICY, &bytes, sizeof(bytes) }, { 0 }
};
static const struct stub_number enumerators[] = { { "MPOL_BIND", 2 }, { NULL } };

static enum status status; /* of what was told last */

static const char *told(const char *nodes, uint32_t size)
{
	static char text[128];
	struct shmem_policies policies;
	const struct stub_member members[] = {
		{ "struct super_block", "s_fs_info", KINDED(KIND_POINTER, 0, 8) },
		{ "struct shmem_sb_info", "mpol", KINDED(KIND_POINTER, 0, 8) },
		{ "struct mempolicy", "mode", FIELD(4, 2) },
		{ "struct mempolicy", "flags", FIELD(6, 2) },
		{ "struct mempolicy", nodes, FIELD(8, size) },
		{ 0 },
	};
	struct strbuf b = STRBUF_OF(128);
	STUB(s, .memory = memory, .members = members, .enumerators = enumerators);

	status = shmem_policies_open(&s.dump, &policies) ?: shmem_policy_add(&policies, SUPER, &b);
	snprintf(text, sizeof(text), "%s", b.buf);
	return text;
}

static void binds(void)
{
	info = INFO;
	policy = POLICY;
	bytes.mode = 2;
	bytes.nodes[0] = 2;
	CHECK_TEXT(told("nodes", 128), "mpol=bind:1");
	CHECK(status == ST_OK);
	CHECK_TEXT(told("v.nodes", 128), "mpol=bind:1");
	bytes.nodes[0] = 0x800000000000000b;
	bytes.nodes[1] = 1;
	bytes.nodes[15] = 1ULL << 63;
	bytes.flags = 1U << 15;
	CHECK_TEXT(told("nodes", 128), "mpol=bind=static:0-1,3,63-64,1023");
	bytes.flags = 1U << 14;
	CHECK_TEXT(told("nodes", 8), "mpol=bind=relative:0-1,3,63");
}

static void nothing(void)
{
	bytes.flags = 0;
	/* A layout that is none. */
	CHECK_TEXT(told("nodes", 136), "");
	CHECK(status == ST_UNKNOWN);
	CHECK_TEXT(told("nodes", 4), "");
	CHECK(status == ST_UNKNOWN);
	/* A kernel without NUMA. */
	CHECK_TEXT(told("others", 8), "");
	CHECK(status == ST_ABSENT);
	/* Another mode, no node, no policy, memory that is not in the dump. */
	bytes.mode = 3;
	CHECK_TEXT(told("nodes", 128), "");
	bytes.mode = 2;
	memset(bytes.nodes, 0, sizeof(bytes.nodes));
	CHECK_TEXT(told("nodes", 128), "");
	bytes.nodes[0] = 1;
	CHECK(status == ST_OK);
	policy = 0;
	CHECK_TEXT(told("nodes", 128), "");
	CHECK(status == ST_OK);
	policy = 0xffff888000900000ULL;
	CHECK_TEXT(told("nodes", 128), "");
	CHECK(status == ST_UNREADABLE);
}

TESTS({ "a mount that binds", binds }, { "none", nothing })
