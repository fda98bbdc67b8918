// SPDX-License-Identifier: GPL-2.0-or-later
/* Extended attributes of an inode of tmpfs: in a list, in a tree, damaged. */
#include "files/xattrs.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (uint64_t)(i)*0x1000)
#define INFO AT(0) /* struct shmem_inode_info */
#define INODE (INFO + 32)
#define ATTRIBUTE(i) AT(1 + (i))
#define LINKS_AT 8 /* of an attribute, behind what is not read */
#define HEADER 48

struct links {
	uint64_t next, prev;
};

static struct {
	uint64_t seals, root;
	struct links list;
} info;
static struct attribute_bytes {
	uint64_t flags;
	uint64_t links[3]; /* parent and color, right, left; or next, prev */
	uint64_t name, size;
} attributes[3];

static const struct stub_memory memory[] = {
	{ INFO, &info, sizeof(info) },
	{ ATTRIBUTE(0), &attributes[0], sizeof(attributes[0]) },
	{ ATTRIBUTE(1), &attributes[1], sizeof(attributes[1]) },
	{ ATTRIBUTE(2), &attributes[2], sizeof(attributes[2]) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct simple_xattr", HEADER },
					    { "struct shmem_inode_info", sizeof(info) },
					    { "struct rb_node", 24 },
					    { 0 } };
static const struct stub_member list_members[] = {
	{ "struct simple_xattr", "list", FIELD(LINKS_AT, 16) },
	{ "struct simple_xattr", "size", FIELD(40, 8) },
	{ "struct shmem_inode_info", "xattrs.head", FIELD(16, 16) },
	{ "struct shmem_inode_info", "vfs_inode", FIELD(32, 8) },
	{ 0 },
};
/* 7.3: the head is no member of a structure of its own. */
static const struct stub_member last_members[] = {
	{ "struct simple_xattr", "node", FIELD(LINKS_AT, 16) },
	{ "struct simple_xattr", "size", FIELD(40, 8) },
	{ "struct shmem_inode_info", "xattrs.next", FIELD(16, 8) },
	{ "struct shmem_inode_info", "vfs_inode", FIELD(32, 8) },
	{ 0 },
};
static const struct stub_member tree_members[] = {
	{ "struct simple_xattr", "rb_node", FIELD(LINKS_AT, 24) },
	{ "struct simple_xattr", "size", FIELD(40, 8) },
	{ "struct shmem_inode_info", "xattrs.rb_root.rb_node", FIELD(8, 8) },
	{ "struct shmem_inode_info", "vfs_inode", FIELD(32, 8) },
	{ "struct rb_node", "__rb_parent_color", FIELD(0, 8) },
	{ "struct rb_node", "rb_right", FIELD(8, 8) },
	{ "struct rb_node", "rb_left", FIELD(16, 8) },
	{ 0 },
};
/* A hash table, of which no kernel at hand has one. */
static const struct stub_member other_members[] = {
	{ "struct simple_xattr", "hash_node", FIELD(LINKS_AT, 8) },
	{ "struct simple_xattr", "size", FIELD(40, 8) },
	{ "struct shmem_inode_info", "vfs_inode", FIELD(32, 8) },
	{ 0 },
};

static void fill(void)
{
	const uint64_t node[] = { ATTRIBUTE(0) + LINKS_AT, ATTRIBUTE(1) + LINKS_AT,
				  ATTRIBUTE(2) + LINKS_AT };

	memset(attributes, 0, sizeof(attributes));
	for (unsigned int i = 0; i < 3; i++)
		attributes[i].size = 1000 + i;
	info.root = node[1];
	info.list = (struct links){ INFO + 16, INFO + 16 };
	attributes[1].links[1] = node[2];
	attributes[1].links[2] = node[0];
	attributes[0].links[0] = attributes[2].links[0] = node[1];
}

/* The same three in a list. */
static void fill_list(void)
{
	fill();
	info.root = 0;
	info.list = (struct links){ ATTRIBUTE(0) + LINKS_AT, ATTRIBUTE(2) + LINKS_AT };
	for (unsigned int i = 0; i < 3; i++) {
		attributes[i].links[0] = i < 2 ? ATTRIBUTE(i + 1) + LINKS_AT : INFO + 16;
		attributes[i].links[1] = i ? ATTRIBUTE(i - 1) + LINKS_AT : INFO + 16;
	}
}

struct seen {
	uint64_t n, bytes, objects;
};

static void see(void *arg, uint64_t object, uint64_t bytes)
{
	struct seen *seen = arg;

	seen->n++;
	seen->bytes += bytes;
	for (unsigned int i = 0; i < 3; i++)
		seen->objects |= (uint64_t)(object == ATTRIBUTE(i)) << i;
}

static enum status walk(const struct stub_member *members, struct seen *seen)
{
	struct stub s = { memory, NULL, members, sizes, NULL };
	struct xattrs x;
	enum status st;

	*seen = (struct seen){ 0 };
	stub_open(&s);
	st = xattrs_open(&s.dump, &x) ?: xattrs_walk(&x, INODE, see, seen);
	stub_close(&s);
	return st;
}

static void has_all(const struct stub_member *members)
{
	struct seen seen;

	CHECK(walk(members, &seen) == ST_OK);
	CHECK(seen.n == 3 && seen.objects == 7 && seen.bytes == 3 * HEADER + 3003);
}

static void in_a_list(void)
{
	struct seen seen;

	fill_list();
	has_all(list_members);
	has_all(last_members);
	info.list = (struct links){ INFO + 16, INFO + 16 };
	CHECK(walk(list_members, &seen) == ST_OK && !seen.n);
}

static void in_a_tree(void)
{
	struct seen seen;

	fill();
	has_all(tree_members);
	info.root = 0;
	CHECK(walk(tree_members, &seen) == ST_OK && !seen.n);
}

static void damaged(void)
{
	struct seen seen;

	/* A value that is larger than one can be is not counted. */
	fill_list();
	attributes[1].size = 65537;
	CHECK(walk(list_members, &seen) == ST_CORRUPT && seen.n == 2 && seen.objects == 5);
	attributes[1].size = 65536;
	CHECK(walk(list_members, &seen) == ST_OK && seen.n == 3);
	fill_list();
	attributes[0].links[0] = AT(70);
	CHECK(walk(list_members, &seen) == ST_UNREADABLE && seen.n == 3);
	fill();
	attributes[2].links[0] = 0;
	CHECK(walk(tree_members, &seen) == ST_CORRUPT && seen.n == 2);
	info.root = AT(70);
	CHECK(walk(tree_members, &seen) == ST_UNREADABLE && !seen.n);
}

static void of_another_form(void)
{
	struct seen seen;

	fill();
	CHECK(walk(other_members, &seen) == ST_UNKNOWN && !seen.n);
}

TESTS({ "in a list", in_a_list }, { "in a tree", in_a_tree }, { "damaged", damaged },
      { "another form", of_another_form })
