/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Network namespaces, the processes in them, and in how many no thread lives: those a mount, an open file or a socket keeps. */
#pragma once

#include "files/open_files.h"
#include "util/maybe.h"

struct net_namespace {
	uint64_t address; /* of struct net */
	bool is_initial;  /* init_net */
	uint64_t inode;	  /* of its file, if one is open or mounted; 0: none, or unknown */
	uint64_t dentry;  /* of that file; 0: as above */
	struct file_users users;
};

struct net_namespaces {
	struct hash_u64 all;	/* of struct net_namespace */
	uint64_t n;		/* of net_namespace_list */
	uint64_t no_inode;	/* of these, whose inode cannot be read */
	struct maybe_u64 empty; /* no task's nsproxy has them; unknown: a task may be missing */
	const char *problem;	/* NULL, or why it is */
};

/* Of namespaces in which no process lives those that are mounted: "ip netns add" binds their file to a name. */
struct net_mounts {
	uint64_t n;
	const char *path; /* of one, the first in the order of the kernel; NULL: it is unknown */
};

/* ST_ABSENT: none has a file; ST_UNKNOWN: a layout that this build does not know. */
enum status net_namespaces_mounted(struct dump *d, const struct net_namespaces *n,
				   struct net_mounts *ret);

/* ST_ABSENT: this kernel has no network. */
enum status net_namespaces_read(struct dump *d, struct net_namespaces *ret);
