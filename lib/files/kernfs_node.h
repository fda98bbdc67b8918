/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nodes of kernfs, of which sysfs and the files of cgroups are made (fs/kernfs/dir.c): who reads, writes or maps one has
 * an active reference; who removes it sleeps in kernfs_drain() until there are none.
 */
#pragma once

#include "dump/structure.h"

struct kernfs_nodes {
	struct dump *dump;
	struct structure node;
	struct field open; /* the node of a struct kernfs_open_file */
};

struct kernfs_drained {
	uint64_t node;
	uint32_t references; /* active ones that are left */
	const char *path;    /* from the root of its file system on */
};

enum status kernfs_nodes_open(struct dump *d, struct kernfs_nodes *ret);

/* A node that is being removed, and still has active references; ST_ABSENT: at this address there is none. */
enum status kernfs_drained_read(const struct kernfs_nodes *k, uint64_t address,
				struct kernfs_drained *ret);

/* Whether an address is that of an open file of a node. */
bool kernfs_is_open_file(const struct kernfs_nodes *k, uint64_t address, uint64_t node);
