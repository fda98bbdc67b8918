/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open files in the order in which they were found, packed: 5 bytes of one that is much like the one before it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "util/arena.h"

struct file_user;

/* A struct file. */
struct known_file {
	uint64_t inode, operations;
};

/* A process has a file open. */
struct opened {
	uint64_t address;
	struct known_file file;
	const struct file_user *user;
};

struct open_block;

struct open_list {
	struct arena *arena;
	struct open_block *first, *last;
	struct opened before; /* the last one */
	uint64_t n;
};

struct open_list_at {
	const struct open_block *block; /* NULL: there are no more */
	unsigned int at;
	struct opened before;
};

void open_list_add(struct open_list *l, const struct opened *opened);

struct open_list_at open_list_begin(const struct open_list *l);

/* False: there are no more. */
bool open_list_next(struct open_list_at *at, struct opened *ret);
