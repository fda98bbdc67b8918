/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys that the kernel keeps for processes and for itself (security/keys/): payloads, and keyrings that link keys. */
#pragma once

#include "kernel/assoc_array.h"
#include "kernel/rb_tree.h"

#define KEY_NAME 64 /* bytes of a description that are kept */

struct keys {
	struct dump *dump;
	struct structure key, cred;
	struct field node, task_cred, type_name;
	struct rb_types tree;
	struct assoc_arrays arrays;
	uint64_t root;		  /* key_serial_tree */
	uint64_t keyring;	  /* key_type_keyring */
	uint64_t with_objects[2]; /* types whose payload is an object of kmalloc(); 0: none */
	uint64_t bytes;		  /* of a key in its cache */
};

struct kernel_key {
	uint64_t address, type, description;
	uint64_t payload;      /* its first word, of most types a pointer to an object */
	uint64_t array, links; /* of a keyring: the root of its array, the keys that it links */
	uint32_t uid;
	int32_t serial;
	bool is_keyring;
};

/* The keyrings of a task's credentials; 0: it has none. */
struct key_cred {
	uint64_t thread, process, session;
};

/* ST_ABSENT: built without CONFIG_KEYS; ST_UNKNOWN. *ret must stay where it is. */
enum status keys_find(struct dump *d, struct keys *ret);

/* Visits every key, as /proc/keys of who may see all has them. ST_UNREADABLE, ST_CORRUPT: some are missing. */
enum status keys_walk(const struct keys *k,
		      enum status (*visit)(void *arg, const struct kernel_key *key), void *arg);

/* Visits the addresses of the keys that a keyring links. */
enum status keyring_walk(const struct keys *k, const struct kernel_key *keyring,
			 enum status (*visit)(void *arg, uint64_t key), void *arg);

/* Whose payload is an object of kmalloc() for certain: user and logon. */
bool key_has_object(const struct keys *k, const struct kernel_key *key);

/* "user"; "unknown type" */
const char *key_type_name(const struct keys *k, uint64_t type);
/* At most KEY_NAME bytes, what is longer is cut off; NULL: it is not in the dump. */
const char *key_description(const struct keys *k, const struct kernel_key *key);

/* *cred: its address; 0: the task has none. */
enum status key_cred_of(const struct keys *k, uint64_t task, uint64_t *cred, struct key_cred *ret);
