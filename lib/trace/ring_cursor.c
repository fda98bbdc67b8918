// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/ring_cursor.h"

#define WRITE_MASK 0xfffffU /* RB_WRITE_MASK; above it buffer_page.write counts nested writers */

const char *ring_doubt_name(enum ring_doubt doubt)
{
	static const char *const names[] = {
		[RING_CONSUMED] = "consumed",
		[RING_UNCOMMITTED] = "uncommitted",
		[RING_CUT] = "cut",
		[RING_DAMAGED] = "damaged",
	};

	return doubt < ARRAY_SIZE(names) ? names[doubt] : NULL;
}

void ring_cursor_start(struct ring_cursor *c, const struct ring_cpu *cpu, bool all)
{
	*c = (struct ring_cursor){ .cpu = cpu, .all = all };
	c->raw = dump_alloc(cpu->buffer->dump, cpu->buffer->subbuf);
}

static void note(struct ring_cursor *c, const char *problem)
{
	c->damaged = true;
	if (!c->tally.problem)
		c->tally.problem = problem;
}

/* All records once: whether they fill the committed bytes. */
static void check(struct ring_cursor *c, uint64_t ts)
{
	struct ring_record record;
	struct ring_page page;

	ring_page_start(&page, c->page.data, c->commit, ts);
	while (ring_page_next(&page, &record))
		;
	if (page.problem)
		note(c, page.problem);
	c->tally.damaged += c->damaged;
}

static bool load(struct ring_cursor *c, const struct ring_place *place)
{
	const struct ring_buffer *b = c->cpu->buffer;
	const struct ring_layout *l = b->layout;
	uint32_t header = l->start.offset, room = b->subbuf - header, reserved;
	struct buffer_page page;
	uint64_t commit;

	c->damaged = false;
	if (struct_read(&l->page, place->page, &page) != ST_OK ||
	    dump_read(b->dump, page.data, c->raw, header, "sub-buffer") != ST_OK)
		goto unreadable;
	commit = field_get(&l->commit, c->raw);
	c->tally.lossy += !!(commit & RING_COMMIT_MISSED);
	commit &= ~(uint64_t)RING_COMMIT_FLAGS;
	if (place->past_commit)
		commit = 0;
	if (commit > room) {
		note(c, "more is committed than a sub-buffer has room for");
		commit = room;
	}
	c->commit = commit;
	c->consumed = place == c->cpu->places ? page.read : 0;
	/* Where the writer went on, write may be past the end of what it left. */
	c->reserved = c->commit;
	reserved = page.write & WRITE_MASK;
	if ((place->past_commit || place->page == c->cpu->commit) && reserved > c->commit)
		c->reserved = reserved < room ? reserved : room;
	if (!c->reserved)
		return false;
	if (dump_read(b->dump, page.data + header, c->raw + header, c->reserved, "sub-buffer") !=
	    ST_OK)
		goto unreadable;
	c->tally.subbufs++;
	c->tally.uncommitted += c->reserved - c->commit;
	ring_page_start(&c->page, c->raw + header, c->commit, field_get(&l->stamp, c->raw));
	check(c, c->page.ts);
	return true;
unreadable:
	c->tally.unreadable++;
	return false;
}

/* The next record of the loaded sub-buffer, be it wanted or not. */
static bool next_here(struct ring_cursor *c, struct ring_record *ret, enum ring_doubt *doubt)
{
	if (!ring_page_next(&c->page, ret)) {
		/* What was reserved follows where the committed records end. */
		if (!c->all || c->damaged || c->page.size == c->reserved)
			return false;
		c->page.size = c->reserved;
		c->page.problem = NULL;
		if (!ring_page_next(&c->page, ret))
			return false;
	}
	*doubt = c->damaged || ring_cpu_is_damaged(c->cpu) ? RING_DAMAGED
		 : c->cpu->damage & RING_HOLE		   ? RING_CUT
		 : ret->offset >= c->commit		   ? RING_UNCOMMITTED
		 : ret->offset < c->consumed		   ? RING_CONSUMED
							   : RING_SURE;
	return true;
}

bool ring_cursor_next(struct ring_cursor *c, struct ring_record *ret, enum ring_doubt *doubt)
{
	for (;;) {
		while (c->loaded && next_here(c, ret, doubt)) {
			bool taken = ret->offset < c->consumed;

			if (ret->offset < c->commit) {
				c->tally.records += !taken;
				c->tally.consumed += taken;
			}
			if (!taken || c->all)
				return true;
		}
		if (c->next == c->cpu->nplaces || dump_stopped(c->cpu->buffer->dump))
			return false;
		c->loaded = load(c, &c->cpu->places[c->next]);
		c->next++;
	}
}
