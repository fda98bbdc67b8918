// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/file_data.h"

#include "net/sock.h"

static const struct layout_row rows[] = {
	FINDS(struct file_data, data, "struct file", REQUIRED, "all", "private_data"),
	FINDS(struct file_data, sk, "struct socket", OPTIONAL, "all", "sk"),
	FINDS(struct file_data, items, "struct eventpoll", OPTIONAL, "4.14", "rbr.rb_root.rb_node"),
	FINDS(struct file_data, item, "struct epitem", OPTIONAL, "all", "rbn"),
};

static uint64_t operations_of(struct dump *d, const char *name)
{
	uint64_t address = 0;

	return dump_has_symbol(d, name) && dump_symbol(d, name, &address) == ST_OK ? address : 0;
}

enum status file_data_open(struct dump *d, struct file_data *ret)
{
	struct file_data f = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &f);

	if (st != ST_OK)
		return st;
	if (f.sk.present)
		f.sockets = operations_of(d, "socket_file_ops");
	if (f.items.present && f.item.present && rb_types_open(d, &f.nodes) == ST_OK)
		f.instances = operations_of(d, "eventpoll_fops");
	d->error[0] = '\0';
	return RESULT(ST_OK, ret, f);
}

enum status file_data_walk(const struct file_data *f, uint64_t file, uint64_t operations,
			   file_data_visit *visit, void *arg)
{
	uint64_t data, sk;
	enum status st = dump_u64(f->dump, file + f->data.offset, &data, "file");

	if (st != ST_OK || !data)
		return st;
	st = visit(arg, data);
	if (st != ST_OK || operations != f->sockets || !operations)
		return st;
	sk = sock_of_socket(f->dump, data);
	if (!sk)
		st = dump_u64(f->dump, data + f->sk.offset, &sk, "socket");
	return st ?: sk ? visit(arg, sk) : ST_OK;
}

enum status file_data_items(const struct file_data *f, uint64_t data, uint64_t operations,
			    file_data_visit *visit, void *arg)
{
	struct rb_nodes nodes;
	uint64_t root, node;
	enum status st;

	if (operations != f->instances || !operations)
		return ST_OK;
	st = dump_u64(f->dump, data + f->items.offset, &root, "eventpoll");
	if (st != ST_OK)
		return st;
	rb_begin(&nodes, f->dump, &f->nodes, root, "items of epoll");
	while (st == ST_OK && rb_next(&nodes, &node))
		st = visit(arg, node - f->item.offset);
	return st ?: rb_end(&nodes);
}
