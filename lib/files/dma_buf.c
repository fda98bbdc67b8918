// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/dma_buf.h"

#include <string.h>

#include "dump/first_problem.h"
#include "dump/fork.h"
#include "dump/layout.h"
#include "kernel/list_ends.h"
#include "util/printable.h"

#define MAX_BUFFERS (1U << 20)
#define MAX_ATTACHMENTS (1U << 16) /* of one buffer */
#define MAX_REFERENCES (1ULL << 40)
#define MAX_BYTES (1ULL << 43) /* of one buffer: the sum of MAX_BUFFERS fits 64 bits */

static const struct layout_row rows[DMA_BUF_FIELDS] = {
	[BUF_SIZE] = { "struct dma_buf", { "size" }, REQUIRED, "all" },
	[BUF_FILE] = { "struct dma_buf", { "file" }, REQUIRED, "all" },
	[BUF_ATTACHMENTS] = { "struct dma_buf", { "attachments" }, REQUIRED, "all" },
	[BUF_EXPORTER] = { "struct dma_buf", { "exp_name" }, REQUIRED, "all" },
	[BUF_NAME] = { "struct dma_buf", { "name" }, OPTIONAL, "5.3" },
	[BUF_NODE] = { "struct dma_buf", { "list_node" }, OPTIONAL, "all; 6.12: CONFIG_DEBUG_FS" },
	[ATTACHMENT_NODE] = { "struct dma_buf_attachment", { "node" }, REQUIRED, "all" },
	[ATTACHMENT_DEVICE] = { "struct dma_buf_attachment", { "dev" }, REQUIRED, "all" },
	[BUF_FILE_PRIVATE] = { "struct file", { "private_data" }, REQUIRED, "all" },
	[BUF_FILE_INODE] = { "struct file", { "f_inode" }, REQUIRED, "3.9" },
	[BUF_FILE_COUNT] = { "struct file", { "f_count" }, OPTIONAL, "to 6.12" },
	[BUF_FILE_REF] = { "struct file", { "f_ref.refcnt" }, OPTIONAL, "6.13" },
	[BUF_INODE_MAPPING] = { "struct inode", { "i_mapping" }, REQUIRED, "all" },
	[BUF_INODE_NUMBER] = { "struct inode", { "i_ino" }, REQUIRED, "all" },
	[BUF_DEVICE_NAME] = { "struct device", { "kobj.name" }, OPTIONAL, "all" },
	[BUF_DEVICE_INIT_NAME] = { "struct device", { "init_name" }, OPTIONAL, "all" },
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

	if (fork == LIST_FORKS || !b->f[BUF_NODE].present)
		return ST_OK;
	if (fork == LIST_DB &&
	    d->ops->member(d->priv, "struct dma_buf_list", "head", &head) != ST_OK)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: struct dma_buf_list");
	if (dump_symbol(d, list_forks[fork].symbol, &b->list) != ST_OK)
		return ST_CORRUPT;
	b->list += head.offset;
	return ST_OK;
}

enum status dma_bufs_open(struct dump *d, struct dma_bufs *ret)
{
	struct dma_bufs b = { .dump = d };
	enum status st = dump_has_both(d, "dma_buf_fops", "struct dma_buf");

	if (st == ST_ABSENT)
		return dump_fail(d, ST_ABSENT,
				 "this kernel was built without CONFIG_DMA_SHARED_BUFFER");
	if (st == ST_OK)
		st = layout_resolve(d, rows, DMA_BUF_FIELDS, b.f);
	if (st == ST_OK && b.f[BUF_SIZE].size != 8)
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct dma_buf");
	if (st == ST_OK)
		st = dump_symbol(d, "dma_buf_fops", &b.ops);
	if (st == ST_OK)
		st = find_list(&b);
	if (st == ST_OK)
		*ret = b;
	return st;
}

static enum status read_pointer(const struct dma_bufs *b, uint64_t base, enum dma_buf_field field,
				uint64_t *ret, const char *what)
{
	return dump_u64(b->dump, base + b->f[field].offset, ret, what);
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
static bool device_name(const struct dma_bufs *b, uint64_t device, char ret[DMA_BUF_NAME])
{
	uint64_t at = 0;

	if (b->f[BUF_DEVICE_INIT_NAME].present &&
	    read_pointer(b, device, BUF_DEVICE_INIT_NAME, &at, "device") != ST_OK)
		return false;
	if (!at && (!b->f[BUF_DEVICE_NAME].present ||
		    read_pointer(b, device, BUF_DEVICE_NAME, &at, "device") != ST_OK))
		return false;
	return at && read_text(b, at, ret, "name of a device") && ret[0];
}

struct attachments {
	const struct dma_bufs *b;
	struct dma_buf *buf;
	struct strbuf text;
};

static enum status add_attachment(void *arg, uint64_t node)
{
	struct attachments *a = arg;
	uint64_t attachment = node - a->b->f[ATTACHMENT_NODE].offset, device;
	char name[DMA_BUF_NAME];
	bool known = read_pointer(a->b, attachment, ATTACHMENT_DEVICE, &device,
				  "dma_buf_attachment") == ST_OK &&
		     device_name(a->b, device, name);

	a->buf->ndevices++;
	strbuf_add(&a->text, "%s%s", strbuf_between(&a->text, ", "), known ? name : "?");
	return ST_OK;
}

static enum status read_attachments(const struct dma_bufs *b, struct dma_buf *buf)
{
	struct attachments a = { .b = b, .buf = buf };
	enum status st;

	strbuf_init(&a.text, buf->devices, DMA_BUF_DEVICES);
	st = list_walk_ends(b->dump, buf->address + b->f[BUF_ATTACHMENTS].offset, MAX_ATTACHMENTS,
			    "attachments of a dma_buf", add_attachment, &a);
	buf->has_devices = st == ST_OK;
	return st == ST_NOMEM || st == ST_STOPPED ? st : ST_OK;
}

/* file_ref_t counts from 0; a file without references is below zero (include/linux/file_ref.h). */
static void read_references(const struct dma_bufs *b, uint64_t file, struct dma_buf *buf)
{
	bool is_ref = b->f[BUF_FILE_REF].present;
	enum dma_buf_field field = is_ref ? BUF_FILE_REF : BUF_FILE_COUNT;
	uint64_t n;

	if (!b->f[field].present || read_pointer(b, file, field, &n, "file") != ST_OK)
		return;
	n += is_ref;
	buf->has_references = n <= MAX_REFERENCES;
	buf->references = n;
}

static enum status read_file(const struct dma_bufs *b, struct dma_buf *buf)
{
	struct dump *d = b->dump;
	uint64_t file, back;
	enum status st = read_pointer(b, buf->address, BUF_FILE, &file, "dma_buf");

	if (st == ST_OK)
		st = dma_buf_of_file(b, file, &back);
	if (st == ST_OK && back != buf->address)
		st = dump_fail(d, ST_CORRUPT, "the file of the dma_buf at %#llx is of another",
			       (unsigned long long)buf->address);
	if (st == ST_OK)
		st = read_pointer(b, file, BUF_FILE_INODE, &buf->inode, "file");
	if (st != ST_OK)
		return st;
	read_references(b, file, buf);
	st = read_pointer(b, buf->inode, BUF_INODE_MAPPING, &buf->mapping, "inode");
	return st == ST_OK ? read_pointer(b, buf->inode, BUF_INODE_NUMBER, &buf->number, "inode")
			   : st;
}

enum status dma_buf_of_file(const struct dma_bufs *b, uint64_t file, uint64_t *ret)
{
	return read_pointer(b, file, BUF_FILE_PRIVATE, ret, "file");
}

enum status dma_buf_read(const struct dma_bufs *b, uint64_t address, struct dma_buf *ret)
{
	struct dma_buf buf = { .address = address };
	uint64_t exporter, name = 0;
	enum status st = read_pointer(b, address, BUF_SIZE, &buf.bytes, "dma_buf");

	if (st == ST_OK)
		st = read_pointer(b, address, BUF_EXPORTER, &exporter, "dma_buf");
	if (st == ST_OK && b->f[BUF_NAME].present)
		st = read_pointer(b, address, BUF_NAME, &name, "dma_buf");
	if (st == ST_OK)
		st = read_file(b, &buf);
	if (st == ST_OK && buf.bytes >= MAX_BYTES)
		st = dump_fail(b->dump, ST_CORRUPT, "the dma_buf at %#llx has %llu bytes",
			       (unsigned long long)address, (unsigned long long)buf.bytes);
	if (st != ST_OK)
		return st;
	read_text(b, exporter, buf.exporter, "exporter of a dma_buf");
	buf.has_name = b->f[BUF_NAME].present && read_text(b, name, buf.name, "name of a dma_buf");
	st = read_attachments(b, &buf);
	if (st == ST_OK)
		*ret = buf;
	return st;
}

struct walk {
	const struct dma_bufs *b;
	enum status (*visit)(void *arg, const struct dma_buf *buf);
	void *arg;
	struct first_problem problem; /* of a buffer */
};

static enum status visit_node(void *arg, uint64_t node)
{
	struct walk *w = arg;
	struct dump *d = w->b->dump;
	struct dma_buf buf;
	enum status st = dma_buf_read(w->b, node - w->b->f[BUF_NODE].offset, &buf);

	return st == ST_OK ? w->visit(w->arg, &buf) : first_problem_keep(d, &w->problem, st);
}

enum status dma_bufs_walk(const struct dma_bufs *b,
			  enum status (*visit)(void *arg, const struct dma_buf *buf), void *arg)
{
	struct walk w = { .b = b, .visit = visit, .arg = arg };
	enum status st;

	if (!b->list)
		return dump_fail(b->dump, ST_ABSENT, "this kernel keeps no list of its buffers");
	st = list_walk_ends(b->dump, b->list, MAX_BUFFERS, "list of dma_bufs", visit_node, &w);
	return st == ST_OK ? first_problem_end(b->dump, &w.problem) : st;
}
