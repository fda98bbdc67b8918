// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/mqueue.h"

#define MAX_QUEUE \
	(1ULL << 40) /* bytes, messages: HARD_MSGMAX and HARD_MSGSIZEMAX are 2^16 and 2^24 */

struct queue {
	uint64_t data, messages, root;
};

static const struct layout_row rows[] = {
	FINDS(struct mqueues, inode, "struct mqueue_inode_info", REQUIRED, "all", "vfs_inode"),
	STRUCTURE(struct mqueues, queue, "struct mqueue_inode_info"),
	READS(struct queue, data, REQUIRED, "all", "qsize"),
	READS(struct queue, messages, REQUIRED, "all", "attr.mq_curmsgs"),
	POINTS(struct queue, root, REQUIRED, "3.5", "msg_tree.rb_node"),
	FINDS(struct mqueues, node, "struct posix_msg_tree_node", REQUIRED, "3.5", "rb_node"),
	FINDS(struct mqueues, list, "struct posix_msg_tree_node", REQUIRED, "3.5", "msg_list"),
	FINDS(struct mqueues, link, "struct msg_msg", REQUIRED, "all", "m_list"),
};

enum status mqueues_find(struct dump *d, struct mqueues *ret)
{
	enum status st = dump_built_with(d, "CONFIG_POSIX_MQUEUE", "mqueue_fs_type",
					 "struct mqueue_inode_info");

	*ret = (struct mqueues){ .dump = d };
	st = st ?: STRUCTS_OPEN(d, rows, ret);
	if (st == ST_OK && dump_ask(d, type_size, "struct msg_msg", &ret->header) != ST_OK)
		st = dump_unknown(d, "struct msg_msg");
	return st;
}

enum status mqueue_read(const struct mqueues *m, uint64_t inode, struct mqueue *ret)
{
	struct queue q;
	uint64_t link = 0;
	enum status st = struct_read(&m->queue, inode - m->inode.offset, &q);

	if (st != ST_OK)
		return st;
	if (q.messages > MAX_QUEUE || q.data > MAX_QUEUE)
		return dump_corrupt(m->dump,
				    "the message queue at %#lx has %lu messages of %lu bytes",
				    inode, q.messages, q.data);
	/* The first of the priority at the root of the tree. */
	if (q.root && dump_u64(m->dump, q.root - m->node.offset + m->list.offset, &link,
			       "posix_msg_tree_node") != ST_OK)
		link = 0;
	*ret = (struct mqueue){ .messages = q.messages,
				.bytes = q.data + q.messages * m->header,
				.message = link ? link - m->link.offset : 0 };
	return ST_OK;
}
