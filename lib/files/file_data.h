/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects that an open file leads to, and that are freed with it. */
#pragma once

#include "dump/structure.h"
#include "kernel/rb_tree.h"

struct file_data {
	struct dump *dump;
	struct field data, sk, items, item;
	struct rb_types nodes;
	uint64_t sockets, instances; /* f_op of sockets, and of epoll; 0: the kernel has none */
};

enum status file_data_open(struct dump *d, struct file_data *ret);

/*
 * Calls visit for what private_data of a file points to; behind it, of a socket for its struct sock, of an instance of
 * epoll for each of its items.
 */
enum status file_data_walk(const struct file_data *f, uint64_t file, uint64_t operations,
			   enum status (*visit)(void *arg, uint64_t object), void *arg);
