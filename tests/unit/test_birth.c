// SPDX-License-Identifier: GPL-2.0-or-later
/* When a file was made, by what its file system keeps with its inode (lib/files/inode.c). */
#include "files/inode.h"
#include "stub.h"
#include "test.h"

#define INODE 0xffff888000100000ULL /* of the file system; struct inode is behind 64 bytes */

static uint64_t words[16];
static const struct stub_memory memory[] = { { INODE, words, sizeof(words) }, { 0 } };
static enum status status; /* of what was asked last */

static uint64_t born(const char *type, bool is_shmem, const struct stub_member *members)
{
	struct super super = { .type = type, .is_shmem = is_shmem };
	struct inode inode = { .address = INODE + 64, .super = &super };
	struct births births;
	uint64_t seconds = 7;
	STUB(s, .memory = memory, .members = members);

	births_open(&s.dump, &births);
	status = birth_read(&births, &inode, &seconds);
	return seconds;
}

static void file_systems(void)
{
	static const struct stub_member tmpfs[] = {
		{ "struct shmem_inode_info", "vfs_inode", FIELD(64, 32) },
		{ "struct shmem_inode_info", "i_crtime.tv_sec", FIELD(8, 8) },
		{ 0 },
	};
	static const struct stub_member xfs_5_10[] = {
		{ "struct xfs_inode", "i_vnode", FIELD(64, 32) },
		{ "struct xfs_inode", "i_d.di_crtime.tv_sec", FIELD(16, 8) },
		{ 0 },
	};
	static const struct stub_member none[] = {
		{ "struct shmem_inode_info", "vfs_inode", FIELD(64, 32) },
		{ 0 },
	};

	words[1] = 1764500000;
	words[2] = 1764500001;
	CHECK(born("tmpfs", true, tmpfs) == 1764500000 && status == ST_OK);
	CHECK(born("xfs", false, xfs_5_10) == 1764500001 && status == ST_OK);
	/* Up to 5.17 tmpfs keeps none, and what has a time of another file system is no witness. */
	CHECK(born("tmpfs", true, none) == 7 && status == ST_ABSENT);
	CHECK(born("ext4", false, tmpfs) == 7 && status == ST_ABSENT);
	CHECK(born("vfat", false, tmpfs) == 7 && status == ST_ABSENT);
	/* The inodes of this file system have no room for it. */
	words[1] = 0;
	CHECK(born("tmpfs", true, tmpfs) == 7 && status == ST_ABSENT);
}

TESTS({ "file systems that keep it, and others", file_systems })
