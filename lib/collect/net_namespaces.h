/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Network namespaces, the processes in them, and in how many no thread lives: those a mount, an open file or a socket keeps. */
#pragma once

#include "files/open_files.h"
#include "util/maybe.h"

struct net_namespace {
	uint64_t address; /* of struct net */
	bool is_initial;  /* init_net */
	uint64_t
		inode; /* of its file, where one is open or mounted; 0: there is none, it cannot be read, or the kernel does not tell */
	struct file_users users;
};

struct net_namespaces {
	struct hash_u64 all;	/* of struct net_namespace */
	uint64_t n;		/* of net_namespace_list */
	uint64_t no_inode;	/* of these, whose inode cannot be read */
	struct maybe_u64 empty; /* no task's nsproxy has them; unknown: a task may be missing */
	const char *problem;	/* NULL, or why it is */
};

/* ST_ABSENT: this kernel has no network. */
enum status net_namespaces_read(struct dump *d, struct net_namespaces *ret);
