// SPDX-License-Identifier: GPL-2.0-or-later
/* fs/proc/proc_sysctl.c: a directory is a tree of nodes, one for each entry of the tables in it. */
#include "kernel/sysctl.h"

#include "dump/structure.h"
#include "kernel/rb_tree.h"
#include "util/strbuf.h"

#define MAX_NAME 64	/* the longest of 7.3 has 31 letters */
#define MAX_NODES 65536 /* of a directory: vm has 60, net.ipv4.conf.* one for each device */
#define MAX_BYTES 64	/* of a variable: lowmem_reserve_ratio has 20 */
#define S_IFMT 0170000
#define S_IFREG 0100000
#define S_IFDIR 0040000

struct entry {
	uint64_t name, data, handler, least, most;
	uint32_t bytes;
	uint16_t mode;
};

struct header {
	uint64_t table, nodes;
};

struct directory {
	uint64_t root;
};

struct layouts {
	struct structure entry, header, directory;
	struct field top, node, of, begin;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct layouts, entry, "struct ctl_table"),
	POINTS(struct entry, name, REQUIRED, "all", "procname"),
	POINTS(struct entry, data, REQUIRED, "all", "data"),
	POINTS(struct entry, handler, REQUIRED, "all", "proc_handler"),
	POINTS(struct entry, least, REQUIRED, "all", "extra1"),
	POINTS(struct entry, most, REQUIRED, "all", "extra2"),
	READS(struct entry, bytes, REQUIRED, "all", "maxlen"),
	READS(struct entry, mode, REQUIRED, "all", "mode"),
	STRUCTURE(struct layouts, header, "struct ctl_table_header"),
	POINTS(struct header, table, REQUIRED, "all", "ctl_table"),
	POINTS(struct header, nodes, REQUIRED, "3.4", "node"),
	STRUCTURE(struct layouts, directory, "struct ctl_dir"),
	POINTS(struct directory, root, REQUIRED, "3.4", "root.rb_node"),
	FINDS(struct layouts, begin, "struct ctl_dir", REQUIRED, "3.4", "header"),
	FINDS(struct layouts, top, "struct ctl_table_root", REQUIRED, "3.4", "default_set.dir"),
	FINDS(struct layouts, node, "struct ctl_node", REQUIRED, "3.4", "node"),
	FINDS(struct layouts, of, "struct ctl_node", REQUIRED, "3.4", "header"),
};

struct walk {
	struct dump *dump;
	struct layouts l;
	struct rb_types rb;
	uint64_t entry_bytes, node_bytes;
};

static enum status walk_open(struct dump *d, struct walk *w)
{
	enum status st = STRUCTS_OPEN(d, rows, &w->l) ?: rb_types_open(d, &w->rb) ?:
		dump_ask(d, type_size, "struct ctl_table", &w->entry_bytes) ?:
		dump_ask(d, type_size, "struct ctl_node", &w->node_bytes);

	w->dump = d;
	if (st == ST_OK && !w->node_bytes)
		st = dump_unknown(d, "struct ctl_node has no size");
	return st;
}

/* The entry of a node: their arrays have one order. */
static enum status read_entry(struct walk *w, uint64_t rb, uint64_t *header, struct entry *ret,
			      char name[MAX_NAME])
{
	struct dump *d = w->dump;
	uint64_t node = rb - w->l.node.offset, i;
	struct header h;
	enum status st = dump_u64(d, node + w->l.of.offset, header, "ctl_node")
				 ?: struct_read(&w->l.header, *header, &h);

	if (st != ST_OK)
		return st;
	i = node - h.nodes;
	if (node < h.nodes || i % w->node_bytes || i / w->node_bytes >= MAX_NODES)
		return dump_corrupt(d, "ctl_node at %#lx is of no table", node);
	return struct_read(&w->l.entry, h.table + i / w->node_bytes * w->entry_bytes, ret)
		       ?: dump_string(d, ret->name, name, MAX_NAME, "name of a file in /proc/sys");
}

/* Nodes of a directory; found says what to go on with. */
static enum status each_entry(struct walk *w, uint64_t dir,
			      enum status (*found)(struct walk *w, void *arg, uint64_t header,
						   const struct entry *e, const char *name),
			      void *arg)
{
	struct dump *d = w->dump;
	struct first_problem problem = { 0 };
	struct directory at;
	struct rb_nodes n;
	enum status st = struct_read(&w->l.directory, dir, &at);
	uint64_t node;

	if (st != ST_OK)
		return st;
	rb_begin(&n, d, &w->rb, at.root, "tree of a directory in /proc/sys");
	for (unsigned int i = 0; st == ST_OK && i < MAX_NODES && rb_next(&n, &node); i++) {
		char name[MAX_NAME];
		struct entry e;
		uint64_t header;
		enum status read = read_entry(w, node, &header, &e, name);

		st = read == ST_OK ? found(w, arg, header, &e, name)
				   : first_problem_keep(d, &problem, read);
	}
	return st ?: rb_end(&n) ?: first_problem_end(d, &problem);
}

struct wanted {
	const char *name;
	uint64_t dir; /* 0: not found */
};

static enum status find_directory(struct walk *w, void *arg, uint64_t header, const struct entry *e,
				  const char *name)
{
	struct wanted *want = arg;

	if ((e->mode & S_IFMT) == S_IFDIR && !strcmp(name, want->name))
		want->dir = header - w->l.begin.offset;
	return ST_OK;
}

struct visitor {
	enum status (*visit)(void *arg, const struct sysctl *s);
	void *arg;
};

static enum status visit_file(struct walk *w, void *arg, uint64_t header NOT_USED,
			      const struct entry *e, const char *name)
{
	const struct visitor *v = arg;
	struct dump *d = w->dump;
	struct symbol by = { 0 };
	struct sysctl s = {
		.data = e->data, .bytes = e->bytes, .least = e->least, .most = e->most
	};

	/* Files have the bits of access alone, before 4.0 as after. */
	if (((e->mode & S_IFMT) && (e->mode & S_IFMT) != S_IFREG) || !e->data)
		return ST_OK;
	s.name = dump_strdup(d, name);
	if (dump_ask(d, closest, e->handler, &by) == ST_OK && by.address == e->handler)
		s.handler = by.name;
	return v->visit(v->arg, &s);
}

/* The address of the one that is named, a '/' between the names of those that it is in. */
static enum status open_directory(struct walk *w, uint64_t top, const char *path, uint64_t *ret)
{
	char names[MAX_NAME], *rest = names;
	enum status st = ST_OK;

	snprintf(names, sizeof(names), "%s", path);
	while (st == ST_OK && rest) {
		struct wanted want = { .name = strsep(&rest, "/") };

		st = each_entry(w, top, find_directory, &want);
		if (want.dir)
			st = ST_OK;
		else if (st == ST_OK)
			st = dump_absent(w->dump, "/proc/sys has no %s", path);
		top = want.dir;
	}
	return RESULT(st, ret, top);
}

enum status sysctl_walk(struct dump *d, const char *directory,
			enum status (*visit)(void *arg, const struct sysctl *s), void *arg)
{
	struct visitor v = { visit, arg };
	struct walk w;
	uint64_t root, dir;
	enum status st = walk_open(d, &w) ?: dump_symbol(d, "sysctl_table_root", &root) ?:
			 open_directory(&w, root + w.l.top.offset, directory, &dir);

	return st ?: each_entry(&w, dir, visit_file, &v);
}

static uint64_t number_at(const uint8_t *raw, uint32_t bytes)
{
	return bytes == 1 ? *raw : bytes == 4 ? le32(raw) : le64(raw);
}

static bool handler_has(const struct sysctl *s, const char *part)
{
	return s->handler && strstr(s->handler, part);
}

/* A page of zeros may be one of .bss of which no variable was ever set, or one that was lost. */
static enum status check_page(struct dump *d, uint64_t at, const void *copy, size_t bytes,
			      const char *name)
{
	enum status st = dump_check(d, at, copy, bytes, name);

	if (st == ST_OK || *(const uint8_t *)copy)
		return st;
	return dump_fail(d, ST_UNKNOWN, "%s is 0, or its page was lost: each byte of it is 0",
			 name);
}

/* A name in a variable of fixed size. */
static enum status text_value(struct dump *d, const struct sysctl *s, char text[SYSCTL_TEXT])
{
	size_t bytes = s->bytes < SYSCTL_TEXT ? s->bytes : SYSCTL_TEXT - 1;
	enum status st = dump_read(d, s->data, text, bytes, s->name)
				 ?: check_page(d, s->data, text, bytes, s->name);

	if (st != ST_OK)
		return st;
	text[bytes] = '\0';
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f)
			*c = '?';
	return ST_OK;
}

/* A file that shows whether a static key is on: the count of who wants it is its first member. */
static enum status key_value(struct dump *d, const struct sysctl *s, char text[SYSCTL_TEXT])
{
	uint32_t enabled;
	enum status st = dump_u32(d, s->data, &enabled, s->name)
				 ?: check_page(d, s->data, &enabled, sizeof(enabled), s->name);

	if (st == ST_OK)
		snprintf(text, SYSCTL_TEXT, "%d", (int)enabled > 0);
	return st;
}

static enum status read_bound(struct dump *d, uint64_t at, uint32_t *ret)
{
	return dump_u32(d, at, ret, "extra1, extra2")
		       ?: dump_check(d, at, ret, sizeof(*ret), "extra1, extra2");
}

/* What is not between two bounds was never written: proc_dointvec_minmax(). Some are 0 until then, as drop_caches. */
static enum status check_bounds(struct dump *d, const struct sysctl *s, int32_t value)
{
	uint32_t least, most;

	if (!value || !s->least || !s->most || read_bound(d, s->least, &least) != ST_OK ||
	    read_bound(d, s->most, &most) != ST_OK || (int32_t)least > (int32_t)most) {
		d->error[0] = '\0';
		return ST_OK;
	}
	if (value < (int32_t)least || value > (int32_t)most)
		return dump_corrupt(d, "%s is %d, which its file takes from %d to %d alone",
				    s->name, value, (int32_t)least, (int32_t)most);
	return ST_OK;
}

/* The least that dirty_bytes_handler() and its like take is an unsigned long; 0 is what the file of a ratio sets. */
static enum status check_least(struct dump *d, const struct sysctl *s, uint64_t value)
{
	uint64_t least;

	if (!value || !s->least || s->most || !handler_has(s, "dirty_") ||
	    dump_u64(d, s->least, &least, "extra1") != ST_OK ||
	    dump_check(d, s->least, &least, sizeof(least), "extra1") != ST_OK) {
		d->error[0] = '\0';
		return ST_OK;
	}
	return value < least ? dump_corrupt(d, "%s is %lu, which its file takes from %lu on",
					    s->name, value, least)
			     : ST_OK;
}

/* kernel/sysctl.c: what the handlers are named by is how they show numbers. */
enum status sysctl_value(struct dump *d, const struct sysctl *s, uint64_t tick_ns,
			 char text[SYSCTL_TEXT])
{
	bool is_bool = handler_has(s, "dobool"), of_jiffies = handler_has(s, "jiffies");
	/* Of a bool maxlen was that of an int up to 6.3. */
	uint32_t bytes = is_bool ? 1 : s->bytes;
	uint32_t each = bytes == 1 ? 1 : bytes == 8 || handler_has(s, "doulong") ? 8 : 4;
	bool is_unsigned = each != 4 || handler_has(s, "douint");
	uint8_t raw[MAX_BYTES];
	struct strbuf b;
	enum status st;

	if (handler_has(s, "dostring") || handler_has(s, "zonelist_order"))
		return text_value(d, s, text);
	if (handler_has(s, "static_key") || handler_has(s, "mem_profiling"))
		return key_value(d, s, text);
	if (!bytes || bytes > MAX_BYTES || bytes % each || (of_jiffies && !tick_ns))
		return dump_fail(d, ST_UNKNOWN, "how %s is shown is not known", s->name);
	st = dump_read(d, s->data, raw, bytes, s->name)
		     ?: check_page(d, s->data, raw, bytes, s->name);
	if (st == ST_OK && bytes == 4 && !of_jiffies && !is_unsigned)
		st = check_bounds(d, s, (int32_t)le32(raw));
	if (st == ST_OK && bytes == 8)
		st = check_least(d, s, le64(raw));
	if (st != ST_OK)
		return st;
	b = strbuf_in(text, SYSCTL_TEXT);
	for (uint32_t at = 0; at < bytes; at += each) {
		uint64_t n = number_at(raw + at, each);

		if (of_jiffies)
			n = n * tick_ns /
			    (handler_has(s, "ms_jiffies") ? 1000000
			     : handler_has(s, "userhz")	  ? 10000000
							  : 1000000000);
		if (is_unsigned)
			strbuf_add(&b, "%s%lu", at ? " " : "", n);
		else
			strbuf_add(&b, "%s%d", at ? " " : "", (int)(uint32_t)n);
	}
	return ST_OK;
}

const char *sysctl_excluded(const char *name)
{
	static const char *const pairs[][2] = {
		{ "vm.dirty_ratio", "vm.dirty_bytes" },
		{ "vm.dirty_background_ratio", "vm.dirty_background_bytes" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		for (size_t k = 0; k < 2; k++)
			if (!strcmp(pairs[i][k], name))
				return pairs[i][!k];
	return NULL;
}
