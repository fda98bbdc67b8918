// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/dma_buf.h"

#include "kernel/list.h"
#include "util/utf8.h"

#define MAX_REFERENCES (1ULL << 40) /* more than objects that could have one fit into memory */
#define MAX_BYTES (1ULL << 43)	    /* of one buffer: the sum of a million fits 64 bits */

/* A dma_buf, and what its pointers lead to. */
struct buffer {
	struct dma_buf buf;
	uint64_t attachments, exporter, name;
	uint64_t private, count, ref; /* of its file */
	bool has_count, has_ref;
};

struct attachment {
	uint64_t device, name, init_name; /* the names are of the device */
};

static const struct layout_row rows[] = {
	STRUCTURE(struct dma_bufs, buf, "struct dma_buf"),
	POINTS(struct buffer, buf.bytes, REQUIRED, "all", "size"),
	READS(struct buffer, buf.file, REQUIRED, "all", "file"),
	PLACES(struct buffer, attachments, REQUIRED, "all", "attachments"),
	READS(struct buffer, exporter, REQUIRED, "all", "exp_name"),
	READS_IF(struct buffer, name, buf.has_name, OPTIONAL, "5.3", "name"),
	FINDS(struct dma_bufs, node, "struct dma_buf", OPTIONAL, "all; 6.12: CONFIG_DEBUG_FS",
	      "list_node"),
	FINDS(struct dma_bufs, attachment_node, "struct dma_buf_attachment", REQUIRED, "all",
	      "node"),
	STRUCTURE(struct dma_bufs, attachment, "struct dma_buf_attachment"),
	READS(struct attachment, device, REQUIRED, "all", "dev"),
	STRUCTURE(struct dma_bufs, file, "struct file"),
	READS(struct buffer, private, REQUIRED, "all", "private_data"),
	READS(struct buffer, buf.inode, REQUIRED, "3.9", "f_inode"),
	READS_IF(struct buffer, count, has_count, OPTIONAL, "to 6.12", "f_count"),
	READS_IF(struct buffer, ref, has_ref, OPTIONAL, "6.13", "f_ref.refcnt"),
	STRUCTURE(struct dma_bufs, inode, "struct inode"),
	READS(struct buffer, buf.mapping, REQUIRED, "all", "i_mapping"),
	READS(struct buffer, buf.number, REQUIRED, "all", "i_ino"),
	STRUCTURE(struct dma_bufs, device, "struct device"),
	READS(struct attachment, name, OPTIONAL, "all", "kobj.name"),
	READS(struct attachment, init_name, OPTIONAL, "all", "init_name"),
};

/* Where the list is (drivers/dma-buf/dma-buf.c); no symbol but the first is sure to be of DMA-BUF. */
enum { LIST_DMABUF, LIST_DEBUGFS, LIST_DB, LIST_FORKS };

static const struct fork list_forks[LIST_FORKS] = {
	[LIST_DMABUF] = { "dmabuf_list", "7.3", .symbol = "dmabuf_list" },
	[LIST_DEBUGFS] = { "debugfs_list, with CONFIG_DEBUG_FS", "6.12",
			   .members = { { "struct dma_buf", "list_node" } },
			   .symbol = "debugfs_list" },
	[LIST_DB] = { "db_list.head", "to 6.1", .members = { { "struct dma_buf_list", "head" } },
		      .symbol = "db_list" },
};

static enum status find_list(struct dma_bufs *b)
{
	struct dump *d = b->dump;
	size_t fork = fork_find(d, "the list of DMA-BUF buffers", list_forks, LIST_FORKS);
	struct field head = { 0 };

	if (fork == LIST_FORKS || !b->node.present)
		return ST_OK;
	if (fork == LIST_DB && dump_ask(d, member, "struct dma_buf_list", "head", &head) != ST_OK)
		return dump_unknown(d, "struct dma_buf_list");
	if (dump_symbol(d, list_forks[fork].symbol, &b->list) != ST_OK)
		return ST_CORRUPT;
	b->list += head.offset;
	return ST_OK;
}

enum status dma_bufs_open(struct dump *d, struct dma_bufs *ret)
{
	struct dma_bufs b = { .dump = d };
	enum status st = dump_built_with(d, "CONFIG_DMA_SHARED_BUFFER", "dma_buf_fops",
					 "struct dma_buf");

	st = st ?: STRUCTS_OPEN(d, rows, &b) ?: dump_symbol(d, "dma_buf_fops", &b.ops) ?:
			find_list(&b);
	if (st != ST_OK)
		return st;
	b.devices = dump_alloc(d, sizeof(*b.devices));
	text_lists_init(b.devices, d->arena);
	*ret = b;
	return ST_OK;
}

/* false: not in this dump, and *ret is "". */
static bool read_text(const struct dma_bufs *b, uint64_t at, char ret[DMA_BUF_NAME],
		      const char *what)
{
	if (at && dump_string(b->dump, at, ret, DMA_BUF_NAME, what) == ST_OK) {
		printable(ret);
		return true;
	}
	ret[0] = '\0';
	return !at;
}

/* As dev_name(). */
static bool device_name(const struct dma_bufs *b, uint64_t node, char ret[DMA_BUF_NAME])
{
	struct attachment a;

	if (struct_read(&b->attachment, node - b->attachment_node.offset, &a) != ST_OK ||
	    struct_read(&b->device, a.device, &a) != ST_OK)
		return false;
	if (!a.init_name)
		a.init_name = a.name;
	return a.init_name && read_text(b, a.init_name, ret, "name of a device") && ret[0];
}

static enum status read_attachments(const struct dma_bufs *b, uint64_t head, struct dma_buf *buf)
{
	struct list_nodes l = list_of(b->dump, head, "attachments of a dma_buf");
	char name[DMA_BUF_NAME];
	uint64_t node;

	while (list_next(&l, &node)) {
		text_lists_add(b->devices, "%s", device_name(b, node, name) ? name : "?");
		buf->ndevices++;
	}
	buf->has_devices = list_end(&l) == ST_OK;
	buf->devices = text_lists_end(b->devices, 0, buf->has_devices);
	return dump_stopped(b->dump) ? ST_STOPPED : ST_OK;
}

static enum status read_file(const struct dma_bufs *b, struct buffer *of)
{
	struct dma_buf *buf = &of->buf;
	enum status st = struct_read(&b->file, buf->file, of);

	if (st == ST_OK && of->private != buf->address)
		st = dump_corrupt(b->dump, "the file of the dma_buf at %#lx is of another",
				  buf->address);
	if (st != ST_OK)
		return st;
	/* file_ref_t counts from 0; a file without references is below zero (include/linux/file_ref.h). */
	buf->references = of->has_ref ? of->ref + 1 : of->count;
	buf->has_references = (of->has_ref || of->has_count) && buf->references <= MAX_REFERENCES;
	return struct_read(&b->inode, buf->inode, of);
}

enum status dma_buf_of_file(const struct dma_bufs *b, uint64_t file, uint64_t *ret)
{
	struct buffer of;

	return RESULT(struct_read(&b->file, file, &of), ret, of.private);
}

enum status dma_buf_read(const struct dma_bufs *b, uint64_t address, struct dma_buf *ret)
{
	struct buffer of = { .buf.address = address };
	struct dma_buf *buf = &of.buf;
	enum status st = struct_read(&b->buf, address, &of) ?: read_file(b, &of);

	if (st == ST_OK && buf->bytes >= MAX_BYTES)
		st = dump_corrupt(b->dump, "the dma_buf at %#lx has %lu bytes", address,
				  buf->bytes);
	if (st != ST_OK)
		return st;
	read_text(b, of.exporter, buf->exporter, "exporter of a dma_buf");
	buf->has_name = buf->has_name && read_text(b, of.name, buf->name, "name of a dma_buf");
	return RESULT(read_attachments(b, of.attachments, buf), ret, *buf);
}

enum status dma_bufs_walk(const struct dma_bufs *b,
			  enum status (*visit)(void *arg, const struct dma_buf *buf), void *arg)
{
	struct list_nodes l = list_of(b->dump, b->list, "list of dma_bufs");
	struct dma_buf buf;
	uint64_t node;
	enum status st = ST_OK;

	if (!b->list)
		return dump_absent(b->dump, "this kernel keeps no list of its buffers");
	while (st == ST_OK && list_next(&l, &node)) {
		st = dma_buf_read(b, node - b->node.offset, &buf);
		st = st == ST_OK ? visit(arg, &buf) : first_problem_keep(b->dump, &l.problem, st);
	}
	return st ?: list_end(&l);
}
