// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory of devices by the kernel's own lists: buffers of DMA-BUF, areas of CMA, balloons. */

#include "pools/balloon.h"
#include "pools/cma.h"
#include "vm/dma_buf_users.h"
#include "pageowner/view.h"
#include "pass.h"

#define FEW_USERS (USERS_TOLD * (DMA_BUF_NAME + 2) + 2 * TEXT_LIST_TAIL)

/* Who keeps a buffer: processes, else devices. */
struct buffer_users {
	const char *text;
	const struct text_list *all; /* NULL: unknown */
};

/* Buffers of one exporter with the same users. */
struct buffers {
	struct buffer_users users;
	const char *exporter;
	uint64_t bytes;
};

static struct buffer_users users_of(struct owner_view *v, struct dma_buf_users *u,
				    const struct dma_buf *buf, enum status *st)
{
	const struct text_list *list = NULL;
	struct file_all_users users;
	struct strbuf s = STRBUF_OF(FEW_USERS);

	if (dma_buf_users_of(u, buf, &users, st))
		list = file_users_list(&users.both, users.all_complete, &v->lists);
	if (!list)
		return (struct buffer_users){ "unknown processes", NULL };
	if (list->n)
		text_list_short(list, USERS_TOLD, &s);
	else
		strbuf_add(&s, "no process%s", buf->ndevices ? ", attached: " : "");
	if (!list->n && buf->devices)
		text_list_short(buf->devices, USERS_TOLD, &s);
	return (struct buffer_users){ intern(&v->texts, s.buf), list };
}

static enum status add_buffer(struct owner_view *v, struct dma_buf_users *u,
			      const struct dma_buf *buf, struct hash_bytes *groups)
{
	enum status st;
	struct buffer_users users = users_of(v, u, buf, &st);
	const char *exporter = intern(&v->texts, buf->exporter[0] ? buf->exporter : "unknown");
	const void *all = users.all && !users.all->n ? buf->devices : users.all;
	const void *key[] = { exporter, users.text, all };
	struct buffers *group;

	if (st != ST_OK)
		return st;
	group = hash_bytes_get(groups, key, sizeof(key), NULL)->value;
	group->users = users;
	group->exporter = exporter;
	group->bytes += buf->bytes;
	return ST_OK;
}

enum status summary_buffers(struct summary *s)
{
	struct owner_view *v = s->view;
	struct dump *d = s->dump;
	struct dma_buf_users *u = dump_alloc(d, sizeof(*u));
	struct hash_bytes groups;
	enum status st;

	st = dma_buf_users_read(d, 1ULL << d->page_shift, u);
	if (st != ST_OK)
		return st;
	if (u->is_partial)
		summary_unknown(s, "buffers of DMA-BUF", NOT_IN_DUMP, "%s",
				u->problem ?: "a part of their list");
	if (!summary_reaches(s, LIMIT_HOLDER, u->bytes >> d->page_shift))
		return ST_OK;
	hash_bytes_init(&groups, d->arena, sizeof(struct buffers));
	for (const struct found_buf *f = u->first; f && st == ST_OK; f = f->next)
		st = add_buffer(v, u, &f->buf, &groups);
	for (const struct hash_bytes_entry *e = groups.first; e && st == ST_OK; e = e->next) {
		const struct buffers *g = e->value;

		/* A buffer that was not found, or whose users were not, may be of this group. */
		summary_holder_users(
			s, "dma_buf", g->users.text, g->users.all, g->bytes >> d->page_shift,
			"memowner dmabuf",
			dump_text(d, "exporter %s%s", g->exporter,
				  dma_buf_users_complete(u) ? "" : ", and maybe more"));
	}
	return st;
}

static enum status put_cma(void *arg, const struct cma_area *area)
{
	struct summary *s = arg;

	if (!area->has_used)
		summary_unknown(s, "areas of CMA", NOT_IN_DUMP,
				"the bitmap of an area is not in this dump");
	else
		summary_holder(s, "cma", area->name[0] ? dump_strdup(s->dump, area->name) : NULL,
			       area->used, "memowner pools",
			       dump_text(s->dump, "area of %s", summary_size(s, area->pages)));
	return ST_OK;
}

enum status summary_cma(struct summary *s)
{
	return cma_walk(s->dump, put_cma, s);
}

struct balloons {
	struct summary *s;
	uint64_t pages;
};

static enum status put_balloon(void *arg, const struct balloon *balloon)
{
	struct balloons *b = arg;

	b->pages += balloon->pages;
	summary_holder(b->s, "balloon",
		       dump_text(b->s->dump, "%s (virtio_balloon)",
				 balloon->name[0] ? balloon->name : "?"),
		       balloon->pages, "memowner pools", NULL);
	return ST_OK;
}

enum status summary_balloons(struct summary *s)
{
	struct balloons b = { .s = s };
	uint64_t pages = 0;
	enum status st;

	if (!summary_may_hold(s, s->classes[CLASS_OFFLINE]))
		return ST_OK;
	st = summary_failed(s, "devices of virtio_balloon", balloons_walk(s->dump, put_balloon, &b))
		     ?: balloon_pages(s->dump, &pages);
	/* Of other drivers, or of one without debug information. */
	if (st == ST_OK && pages > b.pages)
		summary_holder(s, "balloon", NULL, pages - b.pages, "memowner pools", NULL);
	return st;
}

const char *summary_unplugged(const struct summary *s, const struct ram *ram)
{
	return dump_text(s->dump, "not plugged by %s", ram_first_driver(ram));
}
