/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dentries as objects of their cache (include/linux/dcache.h): one without an inode is negative, the name of a file
 * that was looked up and does not exist.
 */
#pragma once

#include "dump/structure.h"

struct dentries {
	struct dump *dump;
	struct structure dentry;
	uint64_t bytes; /* of a struct dentry */
};

struct dentry_object {
	uint64_t parent, inode, super; /* addresses; inode 0: it is negative */
	uint64_t name; /* address of a long one, in an object of its own; 0: it is in the dentry */
};

enum status dentries_open(struct dump *d, struct dentries *ret);

/* ST_CORRUPT: what is there is no dentry, as it has neither parent nor file system. */
enum status dentries_read(const struct dentries *x, uint64_t address, struct dentry_object *ret);
