// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/kernfs_node.h"

#define REMOVED 0x80000001U /* KN_DEACTIVATED_BIAS, INT_MIN + 1: to which references are added */
#define REFERENCES 65536U   /* more are a word of something else */
#define MAX_NAME 256	    /* NAME_MAX is 255 */
#define MAX_PATH 1024	    /* of sysfs, which is told as a whole: paths have some hundred bytes */
#define MAX_DEPTH 32	    /* devices behind bridges behind bridges have some twenty */

struct raw_node {
	uint64_t parent, name;
	uint32_t active;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct kernfs_nodes, node, "struct kernfs_node"),
	READS(struct raw_node, parent, REQUIRED, "6.15, all", "__parent", "parent"),
	READS(struct raw_node, name, REQUIRED, "all", "name"),
	READS(struct raw_node, active, REQUIRED, "all", "active"),
	FINDS(struct kernfs_nodes, open, "struct kernfs_open_file", REQUIRED, "all", "kn"),
};

enum status kernfs_nodes_open(struct dump *d, struct kernfs_nodes *ret)
{
	*ret = (struct kernfs_nodes){ .dump = d };
	return STRUCTS_OPEN(d, rows, ret);
}

/* A name has no byte that does not print. */
static bool is_name(const char *name)
{
	for (const char *p = name; *p; p++)
		if ((unsigned char)*p <= 0x20 || (unsigned char)*p >= 0x7f || *p == '/')
			return false;
	return *name;
}

/* Written from the end. */
static enum status read_path(const struct kernfs_nodes *k, const struct raw_node *of,
			     const char **ret)
{
	char path[MAX_PATH], name[MAX_NAME];
	struct raw_node n = *of;
	size_t at = sizeof(path) - 1;

	path[at] = '\0';
	for (unsigned int depth = 0; depth < MAX_DEPTH && n.parent; depth++) {
		enum status st = dump_string(k->dump, n.name, name, sizeof(name),
					     "name of a kernfs_node");
		size_t len;

		if (st != ST_OK)
			return st;
		len = strlen(name);
		if (!is_name(name) || len + 1 > at)
			return ST_ABSENT;
		at -= len;
		memcpy(path + at, name, len);
		path[--at] = '/';
		st = struct_read(&k->node, n.parent, &n);
		if (st != ST_OK)
			return st;
	}
	/* kernfs_create_root() gives the root no name: what has one has lost its parent. */
	if (n.parent || !path[at] ||
	    (n.name &&
	     (dump_string(k->dump, n.name, name, sizeof(name), "name of a kernfs_node") != ST_OK ||
	      name[0])))
		return ST_ABSENT;
	*ret = dump_strdup(k->dump, path + at);
	return ST_OK;
}

enum status kernfs_drained_read(const struct kernfs_nodes *k, uint64_t address,
				struct kernfs_drained *ret)
{
	struct kernfs_drained found = { .node = address };
	struct raw_node n = { 0 };
	enum status st = struct_read(&k->node, address, &n);

	if (st == ST_OK && (n.active <= REMOVED || n.active - REMOVED >= REFERENCES))
		st = ST_ABSENT;
	found.references = n.active - REMOVED;
	return RESULT(st ?: read_path(k, &n, &found.path), ret, found);
}

bool kernfs_is_open_file(const struct kernfs_nodes *k, uint64_t address, uint64_t node)
{
	uint64_t of;

	return dump_u64(k->dump, address + k->open.offset, &of, "kernfs_open_file") == ST_OK &&
	       of == node;
}
