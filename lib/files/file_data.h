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

typedef enum status file_data_visit(void *arg, uint64_t object);

/* Calls visit for what private_data of a file points to, if anything; behind it, of a socket for its struct sock. */
enum status file_data_walk(const struct file_data *f, uint64_t file, uint64_t operations,
			   file_data_visit *visit, void *arg);

/* Calls visit for each item of an instance of epoll, by what private_data of a file with these f_op points to; others have none. */
enum status file_data_items(const struct file_data *f, uint64_t data, uint64_t operations,
			    file_data_visit *visit, void *arg);
