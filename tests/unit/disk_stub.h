/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Disks, by the inodes of the file system of block devices, and what mounts them. */
#pragma once

#include "stub.h"

#define DISK_MEMBERS                                                          \
	{ "struct file_system_type", "fs_supers", FIELD(0, 8) },              \
		{ "struct super_block", "s_inodes", FIELD(0, 16) },           \
		{ "struct super_block", "s_instances", FIELD(16, 16) },       \
		{ "struct super_block", "s_list", FIELD(32, 16) },            \
		{ "struct super_block", "s_bdev", FIELD(48, 8) },             \
		{ "struct super_block", "s_root", FIELD(56, 8) },             \
		{ "struct dentry", "d_inode", FIELD(0, 8) },                  \
		{ "struct inode", "i_sb_list", FIELD(24, 16) },               \
		{ "struct inode", "i_sb", FIELD(16, 8) },                     \
		{ "struct bdev_inode", "bdev", FIELD(0, 64) },                \
		{ "struct bdev_inode", "vfs_inode", FIELD(64, 64) },          \
		{ "struct block_device", "bd_disk", FIELD(0, 8) },            \
		{ "struct gendisk", "disk_name", KINDED(KIND_ARRAY, 0, 32) }, \
		{ "struct gendisk", "queue", FIELD(32, 8) },                  \
		{ "struct gendisk", "fops", FIELD(40, 8) },                   \
		{ "struct gendisk", "private_data", FIELD(48, 8) },           \
	{                                                                     \
		"struct block_device_operations", "owner", FIELD(0, 8)        \
	}
