// SPDX-License-Identifier: GPL-2.0-or-later
/* All that one frame has, memory joined from its pieces. */

#include "kgtp/frame.h"

/* The first walk counts, the second copies. */
struct collector {
	struct kgtp_reader *reader;
	const struct kgtp_frame *frame;
	struct kgtp_content *content;
	bool copying;
	struct kgtp_room used;
	bool started;
	bool again; /* the last entry was MEM */
	size_t page;
};

/* Whether an entry is of another frame; the rules are those of frame.c. */
static bool is_end(struct collector *c, const struct kgtp_entry *e)
{
	bool first = !c->started, new_page = e->page != c->page;

	c->started = true;
	if (e->kind != KGTP_MISSING)
		c->page = e->page;
	if (first)
		return false;
	switch (e->kind) {
	case KGTP_HEAD:
		return true;
	case KGTP_PAGE_BEGIN:
		return e->id != c->frame->id;
	case KGTP_REG:
	case KGTP_MEM:
	case KGTP_VAR:
		/* Only PAGE_BEGIN names the frame of a page. */
		return new_page;
	default:
		return false;
	}
}

static void copy_memory(struct collector *c, const struct kgtp_entry *e)
{
	struct kgtp_memory *m = c->content->memory + c->used.memory;

	if (c->again && m[-1].address + m[-1].size == e->memory) {
		m--;
	} else {
		*m = (struct kgtp_memory){ .address = e->memory,
					   .bytes = c->content->bytes + c->used.bytes };
		c->used.memory++;
	}
	memcpy(m->bytes + m->size, e->data, e->size);
	m->size += e->size;
	m->pieces++;
	m->unsure |= e->unsure;
}

static void see_memory(struct collector *c, const struct kgtp_entry *e)
{
	if (!e->size)
		return;
	if (c->copying)
		copy_memory(c, e);
	else
		c->used.memory++;
	c->used.bytes += e->size;
	c->again = true;
}

static void see_variable(struct collector *c, const struct kgtp_entry *e)
{
	if (c->copying)
		c->content->variables[c->used.variables] =
			(struct kgtp_collected){ e->number, e->value, e->unsure };
	c->used.variables++;
}

static void see_regs(struct collector *c, const struct kgtp_entry *e)
{
	struct kgtp_content *t = c->content;

	/* The first counts: a frame has no other. */
	if (!c->copying || t->has_regs)
		return;
	memcpy(t->regs, e->data, e->size);
	t->has_regs = true;
	t->regs_unsure = e->unsure;
}

static bool see(void *arg, const struct kgtp_entry *e)
{
	struct collector *c = arg;

	if (is_end(c, e))
		return false;
	if (e->kind != KGTP_MEM && e->kind != KGTP_PAGE_BEGIN && e->kind != KGTP_CLOSED)
		c->again = false;
	if (e->kind == KGTP_MEM)
		see_memory(c, e);
	else if (e->kind == KGTP_VAR)
		see_variable(c, e);
	else if (e->kind == KGTP_REG)
		see_regs(c, e);
	else if (e->kind == KGTP_WRITING)
		c->content->unwritten = e->size;
	return true;
}

static enum status walk(struct collector *c, bool copying)
{
	c->copying = copying;
	c->used = (struct kgtp_room){ 0 };
	c->started = c->again = false;
	return kgtp_entries_walk(c->reader, c->frame->ring, c->frame->start, see, c);
}

/* Room for what was counted; what there was before is used again if it is enough. */
static void make_room(struct collector *c)
{
	struct dump *d = c->reader->dump;
	struct kgtp_content *t = c->content;
	const struct kgtp_room *u = &c->used;

	if (!t->regs)
		t->regs = dump_alloc(d, c->reader->regs + 1);
	if (!t->memory || t->room.bytes < u->bytes || t->room.memory < u->memory ||
	    t->room.variables < u->variables) {
		t->room = (struct kgtp_room){ 2 * u->bytes + 1, 2 * u->memory + 1,
					      2 * u->variables + 1 };
		t->bytes = dump_alloc(d, t->room.bytes);
		t->memory = dump_alloc(d, t->room.memory * sizeof(*t->memory));
		t->variables = dump_alloc(d, t->room.variables * sizeof(*t->variables));
	}
}

enum status kgtp_frame_content(struct kgtp_reader *r, const struct kgtp_frame *f,
			       struct kgtp_content *ret)
{
	struct collector c = { .reader = r, .frame = f, .content = ret };
	enum status st;

	ret->has_regs = ret->regs_unsure = false;
	ret->nmemory = ret->nvariables = ret->unwritten = 0;
	st = walk(&c, false);
	if (st == ST_OK)
		make_room(&c);
	st = st ?: walk(&c, true);
	if (st != ST_OK)
		return st;
	ret->nmemory = c.used.memory;
	ret->nvariables = c.used.variables;
	/* Where in the last range the fault was is not recorded. */
	if (f->defects & KGTP_READ_FAULT && ret->nmemory)
		ret->memory[ret->nmemory - 1].unsure = true;
	return ST_OK;
}
