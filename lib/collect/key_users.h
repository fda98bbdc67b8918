/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys of the kernel, the keyrings that link them, and the processes whose keyrings these are. */
#pragma once

#include "files/open_files.h"
#include "tasks/keys.h"

struct keyring {
	struct kernel_key key;
	const char *name;	 /* its description; NULL: unknown */
	struct file_users users; /* that have it, or one that links it, as a keyring of theirs */
	const struct keyring_link *parents; /* keyrings that link it */
	bool is_kept; /* something else keeps it, or a keyring that links it */
};

struct keyring_link {
	struct keyring *of;
	const struct keyring_link *next;
};

struct used_key {
	struct kernel_key key;
	const struct keyring *in; /* that links it, the first that was found; NULL: none is known */
	unsigned int links;	  /* keyrings that do */
};

struct key_users {
	struct keys of;
	struct hash_u64 all;	  /* of struct used_key by address, no keyrings */
	struct hash_u64 keyrings; /* of struct keyring by address */
	const char *problem;	  /* NULL, or why keys, links or processes may be missing */
};

/* ST_ABSENT: built without CONFIG_KEYS; ST_UNKNOWN; ST_STOPPED. *ret must stay where it is. */
enum status key_users_collect(struct dump *d, struct key_users *ret);

/* The process with which a key is freed; NULL: it is not known that there is one. */
const struct file_user *key_keeper(const struct key_users *u, const struct used_key *key);
