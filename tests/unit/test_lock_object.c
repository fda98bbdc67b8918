// SPDX-License-Identifier: GPL-2.0-or-later
/* Locks of inodes and of file systems, by their addresses; what only looks like one. */
#include "files/lock_object.h"
#include <stdlib.h>

#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (uint64_t)(i)*0x1000)
#define HEAD AT(0)
#define SUPER AT(1)
#define OTHER_SUPER AT(2) /* that the list does not have */
#define TYPE AT(3)
#define ROOT AT(4)
#define INODE(i) AT(5 + (i))
#define TYPE_NAME AT(8)

struct links {
	uint64_t next, prev;
};
struct a_super {
	struct links list;
	uint64_t root, type, op, umount, rename;
	uint32_t dev, unused;
	char id[64];
};
struct an_inode {
	uint64_t sb, mapping, number, size, alias, rwsem, host, mmap_rwsem;
	uint32_t mode, flags, nlink, rdev;
};

static struct links head;
static struct a_super supers[2];
static struct an_inode inodes[2];
static uint64_t type[1] = { TYPE_NAME }, root[1] = { INODE(0) };
static const char type_name[64] = "ext4";

static const struct stub_memory memory[] = {
	{ HEAD, &head, sizeof(head) },
	{ SUPER, &supers[0], sizeof(supers[0]) },
	{ OTHER_SUPER, &supers[1], sizeof(supers[1]) },
	{ TYPE, type, sizeof(type) },
	{ ROOT, root, sizeof(root) },
	{ INODE(0), &inodes[0], sizeof(inodes[0]) },
	{ INODE(1), &inodes[1], sizeof(inodes[1]) },
	{ TYPE_NAME, type_name, sizeof(type_name) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "super_blocks", HEAD, FIELD(0, 16) }, { 0 } };

#define OF_SUPER(name, member, bytes)                                                      \
	{                                                                                  \
		"struct super_block", name, FIELD(offsetof(struct a_super, member), bytes) \
	}
#define OF_INODE(name, member, bytes)                                                 \
	{                                                                             \
		"struct inode", name, FIELD(offsetof(struct an_inode, member), bytes) \
	}

static const struct stub_member members[] = {
	OF_SUPER("s_list", list, 16),
	OF_SUPER("s_root", root, 8),
	OF_SUPER("s_type", type, 8),
	OF_SUPER("s_op", op, 8),
	OF_SUPER("s_dev", dev, 4),
	OF_SUPER("s_id", id, 32),
	OF_SUPER("s_umount", umount, 8),
	OF_SUPER("s_vfs_rename_mutex", rename, 8),
	OF_INODE("i_sb", sb, 8),
	OF_INODE("i_mapping", mapping, 8),
	OF_INODE("i_ino", number, 8),
	OF_INODE("i_size", size, 8),
	OF_INODE("i_dentry.first", alias, 8),
	OF_INODE("i_rwsem", rwsem, 8),
	OF_INODE("i_data.host", host, 8),
	OF_INODE("i_data.i_mmap_rwsem", mmap_rwsem, 8),
	OF_INODE("i_mode", mode, 2),
	OF_INODE("i_flags", flags, 4),
	OF_INODE("i_nlink", nlink, 4),
	OF_INODE("i_rdev", rdev, 4),
	{ "struct dentry", "d_inode", FIELD(0, 8) },
	{ "struct file_system_type", "name", FIELD(0, 8) },
	{ "struct address_space", "host", FIELD(0, 8) },
	{ "struct address_space", "nrpages", FIELD(0, 8) },
	{ 0 },
};

static void fill(void)
{
	head = (struct links){ SUPER, SUPER };
	supers[0] = (struct a_super){ { HEAD, HEAD }, ROOT, TYPE, .id = "vda" };
	supers[1] = (struct a_super){ { HEAD, HEAD }, ROOT, TYPE, .id = "vdb" };
	for (unsigned int i = 0; i < 2; i++)
		inodes[i] = (struct an_inode){ .sb = SUPER, .number = 12 + i, .host = INODE(i) };
}

/* "": none. */
static void check(uint64_t lock, const char *expected)
{
	STUB(s, memory, symbols, members);
	struct lock_objects *x = calloc(1, sizeof(*x));
	const char *name;

	CHECK(lock_objects_open(&s.dump, x) == ST_OK);
	name = lock_object_name(x, lock);
	CHECK_TEXT(name ?: "", expected);
	free(x);
}

#define LOCK(i, member) (INODE(i) + offsetof(struct an_inode, member))
#define SUPER_LOCK(super, member) (super + offsetof(struct a_super, member))

static void locks_of_objects(void)
{
	fill();
	check(LOCK(1, rwsem), "i_rwsem of inode 13 on vda");
	check(LOCK(1, mmap_rwsem), "i_mmap_rwsem of inode 13 on vda");
	check(SUPER_LOCK(SUPER, umount), "s_umount of vda (ext4)");
	check(SUPER_LOCK(SUPER, rename), "s_vfs_rename_mutex of vda (ext4)");
}

static void what_is_none(void)
{
	fill();
	check(LOCK(1, rwsem) + 8, "");
	check(AT(20), "");
	check(8, "");
	/* A super_block that the list does not have, and an inode of one. */
	check(SUPER_LOCK(OTHER_SUPER, umount), "");
	inodes[1].sb = OTHER_SUPER;
	check(LOCK(1, rwsem), "");
	/* Its pages name another one. */
	fill();
	inodes[1].host = INODE(0);
	check(LOCK(1, rwsem), "");
	/* The root is of another file system. */
	fill();
	inodes[0].sb = OTHER_SUPER;
	check(SUPER_LOCK(SUPER, umount), "");
}

TESTS({ "locks of inodes and file systems", locks_of_objects },
      { "what is a member of neither", what_is_none })
