// SPDX-License-Identifier: GPL-2.0-or-later
/* Dentries as objects: negative ones, and where a name is. */
#include "files/dentries.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)

/* d_parent, d_name.name, d_inode, d_sb, a short name */
static uint64_t here[5] = { AT(9), AT(0) + 32, AT(7), AT(8), 0x61 };
static uint64_t negative[5] = { AT(9), AT(5) + 16, 0, AT(8), 0 };
static uint64_t none[5] = { 0, AT(5), 0, AT(8), 0 };

static const struct stub_memory memory[] = {
	{ AT(0), here, 40 },
	{ AT(1), negative, 40 },
	{ AT(2), none, 40 },
	{ 0 },
};
static const struct stub_member members[] = {
	{ "struct dentry", "d_parent", KINDED(KIND_POINTER, 0, 8) },
	{ "struct dentry", "d_name.name", KINDED(KIND_POINTER, 8, 8) },
	{ "struct dentry", "d_inode", KINDED(KIND_POINTER, 16, 8) },
	{ "struct dentry", "d_sb", KINDED(KIND_POINTER, 24, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct dentry", 40 }, { 0 } };

static void names_are_inside_or_beside(void)
{
	STUB(s, .memory = memory, .members = members, .sizes = sizes);
	struct dentries x;
	struct dentry_object o;

	CHECK(dentries_open(&s.dump, &x) == ST_OK && x.bytes == 40);
	CHECK(dentries_read(&x, AT(0), &o) == ST_OK && o.inode == AT(7) && !o.name);
	CHECK(dentries_read(&x, AT(1), &o) == ST_OK && !o.inode && o.name == AT(5) + 16 &&
	      o.parent == AT(9) && o.super == AT(8));
}

static void what_is_no_dentry_is_corrupt(void)
{
	STUB(s, .memory = memory, .members = members, .sizes = sizes);
	struct dentries x;
	struct dentry_object o;

	CHECK(dentries_open(&s.dump, &x) == ST_OK);
	CHECK(dentries_read(&x, AT(2), &o) == ST_CORRUPT);
	CHECK(dentries_read(&x, AT(3), &o) == ST_UNREADABLE);
}

TESTS({ "names are inside or beside", names_are_inside_or_beside },
      { "what is no dentry is corrupt", what_is_no_dentry_is_corrupt })
