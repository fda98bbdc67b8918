// SPDX-License-Identifier: GPL-2.0-or-later
/* What processes hold beside their memory and files: BPF maps, by who holds them, and of one process all of it. */
#include "collect/bpf.h"
#include "collect/held.h"
#include "pageowner/view.h"
#include "summary.h"

/* Maps with the same users. */
struct maps {
	uint64_t bytes, n;
	bool unsized; /* of one the size is unknown */
	const struct text_list *users;
	const struct bpf_object *largest;
};

static bool is_much(const struct summary *s, uint64_t bytes)
{
	return summary_reaches(s, LIMIT_HOLDER, bytes >> s->dump->page_shift);
}

static const char *users_text(struct summary *s, const struct maps *m)
{
	const struct text_list *pins = m->largest->pinned;
	struct strbuf b = STRBUF_OF(USERS_TOLD * 64 + TEXT_LIST_TAIL);

	if (!m->users || text_list_is_cut(m->users))
		strbuf_add(&b, "unknown processes");
	else if (m->users->n)
		text_list_short(m->users, USERS_TOLD, &b);
	else
		strbuf_add(&b, "no process%s%s", pins && pins->n ? ", pinned: " : "",
			   pins && pins->n ? pins->text : "");
	return arena_strdup(s->dump->arena, b.buf);
}

static void put_maps(struct summary *s, const struct bpf_objects *b, const struct maps *m)
{
	struct arena *a = s->dump->arena;
	const char *more = m->n > 1 ? arena_text(a, "the largest of %s is ",
						 PLURAL_TEXT(m->n, "map", "maps"))
				    : "";

	summary_holder_users(
		s, "bpf", users_text(s, m), m->users, m->bytes >> s->dump->page_shift,
		"memowner bpf",
		arena_text(a, "%s%s %s, ID %u, %s%s%s", more, m->largest->type ?: "map",
			   m->largest->name ?: "without a name", m->largest->id,
			   SIZE_TEXT(m->largest->bytes.n), b->problem ? ", at least" : "",
			   m->unsized ? ", the size of others is unknown" : ""));
}

enum status summary_bpf(struct summary *s)
{
	struct bpf_objects *b = dump_alloc(s->dump, sizeof(*b));
	enum status st = bpf_collect(s->dump, b);
	struct hash_u64 groups;

	if (st != ST_OK)
		return st;
	hash_u64_init(&groups, s->dump->arena, sizeof(struct maps));
	for (const struct bpf_object *o = b->all; o < b->all + b->nmaps; o++) {
		struct maps *m = hash_u64_get(&groups, (uint64_t)(uintptr_t)o->used_by, NULL);

		m->users = o->used_by;
		m->unsized |= !o->bytes.known;
		if (!o->bytes.known)
			continue;
		m->n++;
		m->bytes += o->bytes.n;
		if (!m->largest || m->largest->bytes.n < o->bytes.n)
			m->largest = o;
	}
	for (const struct hash_u64_entry *e = groups.first; e; e = e->next)
		if (((const struct maps *)e->value)->largest)
			put_maps(s, b, (const struct maps *)e->value);
	if (b->problem)
		summary_unknown(s, "BPF maps", NOT_IN_DUMP, "%s", b->problem);
	return ST_OK;
}

/* Sockets, if their packets are in pages and not in slabs, BPF maps and buffers of DMA-BUF have rows of their own. */
static bool is_told(const struct summary *s, const struct held_process *p)
{
	return (is_much(s, p->bytes[HELD_SOCKETS]) &&
		summary_reaches(s, LIMIT_HOLDER, s->socket_pages)) ||
	       is_much(s, p->bytes[HELD_BPF]) || is_much(s, p->bytes[HELD_DMA_BUFS]);
}

enum status summary_held(struct summary *s)
{
	const struct session session = owner_session(s->view);
	struct arena *a = s->dump->arena;
	struct held *h = dump_alloc(s->dump, sizeof(*h));
	enum status st = held_collect(&session, h);

	hash_u64_for_each(const struct held_process, p, &h->processes)
		if (is_much(s, p->all) && !is_told(s, p))
			summary_holder(
				s, "held", arena_text(a, "%s (%d)", p->comm, p->tgid),
				p->all >> s->dump->page_shift,
				is_much(s, p->bytes[HELD_SOCKETS])
					? "memowner sockets"
					: "memowner processes -s held_bytes -o +held_bytes,held_kinds",
				arena_text(a, "%s%s", held_text(s->dump, p),
					   h->problem ? ", at least" : ""));
	return st;
}
