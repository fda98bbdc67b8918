// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/keys.h"

#include "kernel/object_bytes.h"
#include "util/utf8.h"

#define LINK_TAGS 3ULL	       /* of a leaf: bit 1 is KEYRING_PTR_SUBTYPE */
#define MAX_LINKS (1ULL << 40) /* keys of a keyring; each takes memory of its own */

static const struct layout_row rows[] = {
	STRUCTURE(struct keys, key, "struct key"),
	READS(struct kernel_key, serial, REQUIRED, "all", "serial"),
	READS(struct kernel_key, uid, REQUIRED, "3.14", "uid.val"),
	POINTS(struct kernel_key, type, REQUIRED, "3.13", "index_key.type"),
	POINTS(struct kernel_key, description, REQUIRED, "3.13", "index_key.description"),
	POINTS(struct kernel_key, payload, REQUIRED, "4.4", "payload.rcu_data0"),
	POINTS(struct kernel_key, array, REQUIRED, "3.13", "keys.root"),
	POINTS(struct kernel_key, links, REQUIRED, "3.13", "keys.nr_leaves_on_tree"),
	FINDS(struct keys, node, "struct key", REQUIRED, "all", "serial_node"),
	FINDS(struct keys, type_name, "struct key_type", REQUIRED, "all", "name"),
	FINDS(struct keys, task_cred, "struct task_struct", REQUIRED, "all", "real_cred"),
	STRUCTURE(struct keys, cred, "struct cred"),
	POINTS(struct key_cred, thread, REQUIRED, "all", "thread_keyring"),
	POINTS(struct key_cred, process, REQUIRED, "3.8", "process_keyring"),
	POINTS(struct key_cred, session, REQUIRED, "3.8", "session_keyring"),
};

enum status keys_find(struct dump *d, struct keys *ret)
{
	static const char *const objects[] = { "key_type_user", "key_type_logon" };
	enum status st = dump_built_with(d, "CONFIG_KEYS", "key_serial_tree", "struct key");

	*ret = (struct keys){ .dump = d };
	st = st ?: STRUCTS_OPEN(d, rows, ret) ?: rb_types_open(d, &ret->tree) ?:
		assoc_arrays_open(d, &ret->arrays) ?:
		dump_symbol(d, "key_serial_tree", &ret->root) ?:
		dump_symbol(d, "key_type_keyring", &ret->keyring) ?:
		object_bytes(d, "struct key", "key_jar", &ret->bytes);
	for (size_t i = 0; i < ARRAY_SIZE(objects) && st == ST_OK; i++)
		dump_ask(d, symbol, objects[i], &ret->with_objects[i]);
	return st;
}

/* The payload of a keyring is its array, and a link of its name. */
static enum status read_key(const struct keys *k, uint64_t address, struct kernel_key *ret)
{
	struct kernel_key key = { 0 };
	enum status st = struct_read(&k->key, address, &key);

	key.address = address;
	key.is_keyring = key.type == k->keyring;
	if (key.is_keyring)
		key.payload = 0;
	else
		key.array = key.links = 0;
	if (st == ST_OK && key.links > MAX_LINKS)
		st = dump_corrupt(k->dump, "the keyring at %#lx has %lu keys", address, key.links);
	return RESULT(st, ret, key);
}

enum status keys_walk(const struct keys *k,
		      enum status (*visit)(void *arg, const struct kernel_key *key), void *arg)
{
	struct first_problem problem = { 0 };
	struct rb_nodes *n = dump_alloc(k->dump, sizeof(*n));
	uint64_t node;
	enum status st = dump_u64(k->dump, k->root, &node, "key_serial_tree");

	if (st != ST_OK)
		return st;
	rb_begin(n, k->dump, &k->tree, node, "key_serial_tree");
	while (st == ST_OK && rb_next(n, &node)) {
		struct kernel_key key;

		st = read_key(k, node - k->node.offset, &key);
		st = st == ST_OK ? visit(arg, &key) : first_problem_keep(k->dump, &problem, st);
	}
	return st ?: rb_end(n) ?: first_problem_end(k->dump, &problem);
}

struct links {
	enum status (*visit)(void *arg, uint64_t key);
	void *arg;
};

static enum status visit_link(void *arg, uint64_t leaf)
{
	const struct links *l = arg;

	return l->visit(l->arg, leaf & ~LINK_TAGS);
}

enum status keyring_walk(const struct keys *k, const struct kernel_key *keyring,
			 enum status (*visit)(void *arg, uint64_t key), void *arg)
{
	struct links l = { visit, arg };

	return assoc_array_walk(&k->arrays, keyring->array, visit_link, &l);
}

bool key_has_object(const struct keys *k, const struct kernel_key *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(k->with_objects); i++)
		if (k->with_objects[i] && key->type == k->with_objects[i])
			return key->payload != 0;
	return false;
}

/* What is longer is cut off. A process chose it: what is not printable is no character of it. */
static const char *text_at(const struct keys *k, uint64_t at, const char *what)
{
	char buf[KEY_NAME + 1] = "";
	enum status st = at ? dump_string(k->dump, at, buf, KEY_NAME, what) : ST_ABSENT;

	if (st != ST_OK && st != ST_CORRUPT)
		return NULL;
	printable(buf);
	return buf[0] ? dump_strdup(k->dump, buf) : NULL;
}

const char *key_type_name(const struct keys *k, uint64_t type)
{
	uint64_t name = 0;

	return dump_u64(k->dump, type + k->type_name.offset, &name, "key_type") == ST_OK
		       ? text_at(k, name, "name of a key_type") ?: "unknown type"
		       : "unknown type";
}

const char *key_description(const struct keys *k, const struct kernel_key *key)
{
	return text_at(k, key->description, "description of a key");
}

enum status key_cred_of(const struct keys *k, uint64_t task, uint64_t *cred, struct key_cred *ret)
{
	struct key_cred c = { 0 };
	enum status st = dump_u64(k->dump, task + k->task_cred.offset, cred, "task_struct");

	if (st == ST_OK && *cred)
		st = struct_read(&k->cred, *cred, &c);
	return RESULT(st, ret, c);
}
