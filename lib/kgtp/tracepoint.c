// SPDX-License-Identifier: GPL-2.0-or-later
#include "kgtp/tracepoint.h"

#include <stdlib.h>
#include <string.h>

#include "dump/layout.h"
#include "kgtp/hex_text.h"
#include "util/endian.h"
#include "util/hash_u64.h"

#define MAX_TRACEPOINTS 4096
#define MAX_SOURCES 1024
#define ENTRY_BYTES 4096 /* of struct gtp_entry: 536 in 4.19 */
#define SOURCE_BYTES 16384

/* Bits of gtp_entry.flags (gtp.c). */
#define CURRENT_REGS 1
#define KRETPROBE 32

enum {
	TP_FLAGS,
	TP_TYPE,
	TP_NUM,
	TP_ADDR,
	TP_REASON,
	TP_NEXT,
	TP_DISABLE,
	TP_PASS,
	TP_SRC,
	TP_ACTION,
	SRC_NEXT,
	SRC_TEXT,
	TP_FIELDS
};

static const struct layout_row rows[TP_FIELDS] = {
	[TP_FLAGS] = { "struct gtp_entry", { "flags" }, OPTIONAL, "KGTP gtp.c" },
	[TP_TYPE] = { "struct gtp_entry", { "type" }, OPTIONAL, "KGTP gtp.c" },
	[TP_NUM] = { "struct gtp_entry", { "num" }, REQUIRED, "KGTP gtp.c" },
	[TP_ADDR] = { "struct gtp_entry", { "addr" }, REQUIRED, "KGTP gtp.c" },
	[TP_REASON] = { "struct gtp_entry", { "reason" }, OPTIONAL, "KGTP gtp.c" },
	[TP_NEXT] = { "struct gtp_entry", { "next" }, REQUIRED, "KGTP gtp.c" },
	[TP_DISABLE] = { "struct gtp_entry", { "disable" }, OPTIONAL, "KGTP gtp.c" },
	[TP_PASS] = { "struct gtp_entry", { "pass" }, OPTIONAL, "KGTP gtp.c" },
	[TP_SRC] = { "struct gtp_entry", { "src" }, OPTIONAL, "KGTP gtp.c" },
	[TP_ACTION] = { "struct gtp_entry", { "action_cmd" }, OPTIONAL, "KGTP gtp.c" },
	[SRC_NEXT] = { "struct gtpsrc", { "next" }, OPTIONAL, "KGTP gtp.c" },
	[SRC_TEXT] = { "struct gtpsrc", { "src" }, OPTIONAL, "KGTP gtp.c" },
};

/* The order of the enumerators in gtp.c. */
static const char *const types[] = { "kprobe", "uprobe", "watch_static", "watch_dynamic" };
static const char *const reasons[] = { "normal",    "frame_full",	"efault",
				       "wrong_reg", "expression_error", "expression_overflow" };

struct reader {
	struct dump *dump;
	struct field f[TP_FIELDS];
	size_t span;
	uint8_t *buf;
	struct kgtp_tracepoints *all;
	size_t room;
};

static const char *word_of(const struct field *f, const uint8_t *buf, const char *const *words,
			   size_t n)
{
	uint64_t v = field_get(f, buf);

	return f->present && v < n ? words[v] : NULL;
}

/* A list of strings; one that cannot be read ends it. */
static enum status read_sources(struct reader *r, uint64_t addr, struct kgtp_source **ret)
{
	struct dump *d = r->dump;
	struct kgtp_source **last = ret;
	uint8_t buf[64];
	size_t span = layout_span(&r->f[SRC_NEXT], 2);
	char *text;

	if (!r->f[SRC_NEXT].present || !r->f[SRC_TEXT].present || span > sizeof(buf) || !addr)
		return ST_OK;
	text = dump_alloc(d, SOURCE_BYTES);
	if (!text)
		return ST_NOMEM;
	for (unsigned int i = 0; addr && i < MAX_SOURCES; i++) {
		struct kgtp_source *s;

		if (dump_read(d, addr, buf, span, "struct gtpsrc") != ST_OK ||
		    dump_string(d, field_get(&r->f[SRC_TEXT], buf), text, SOURCE_BYTES,
				"src of struct gtpsrc") != ST_OK)
			return ST_OK;
		s = dump_alloc(d, sizeof(*s));
		if (s)
			s->text = arena_strdup(d->arena, text);
		if (!s || !s->text)
			return dump_no_memory(d);
		*last = s;
		last = &s->next;
		addr = field_get(&r->f[SRC_NEXT], buf);
	}
	return ST_OK;
}

/* The text of "at:START:LENGTH:HEX", a long one in pieces. */
static enum status find_name(struct dump *d, struct kgtp_tracepoint *t)
{
	size_t room = 1, n = 0;
	char *name;

	for (const struct kgtp_source *s = t->source; s; s = s->next)
		room += strlen(s->text);
	name = dump_alloc(d, room);
	if (!name)
		return ST_NOMEM;
	for (const struct kgtp_source *s = t->source; s; s = s->next) {
		const char *hex = strrchr(s->text, ':');

		if (strncmp(s->text, "at:", 3) || !hex || strtoul(s->text + 3, NULL, 16) != n ||
		    !hex_text_decode(hex + 1, name + n))
			continue;
		n += strlen(name + n);
	}
	name[n] = '\0';
	t->name = n ? name : NULL;
	return ST_OK;
}

static enum status add(struct reader *r)
{
	struct kgtp_tracepoints *all = r->all;
	const struct field *f = r->f;
	uint64_t flags = field_get(&f[TP_FLAGS], r->buf);
	struct kgtp_tracepoint t = {
		.number = field_get(&f[TP_NUM], r->buf),
		.address = field_get(&f[TP_ADDR], r->buf),
		.type = word_of(&f[TP_TYPE], r->buf, types, sizeof(types) / sizeof(types[0])),
		.stopped = word_of(&f[TP_REASON], r->buf, reasons,
				   sizeof(reasons) / sizeof(reasons[0])),
		.kretprobe = flags & KRETPROBE,
		.user_regs = flags & CURRENT_REGS,
		.disabled = field_get(&f[TP_DISABLE], r->buf),
		.pass = field_get_signed(&f[TP_PASS], r->buf),
	};
	enum status st = read_sources(r, field_get(&f[TP_SRC], r->buf), &t.source);

	if (st == ST_OK)
		st = read_sources(r, field_get(&f[TP_ACTION], r->buf), &t.actions);
	if (st == ST_OK)
		st = find_name(r->dump, &t);
	if (st != ST_OK)
		return st;
	if (all->n == r->room) {
		size_t room = r->room ? 2 * r->room : 32;
		struct kgtp_tracepoint *more = dump_alloc(r->dump, room * sizeof(*more));

		if (!more)
			return ST_NOMEM;
		if (all->n)
			memcpy(more, all->t, all->n * sizeof(*more));
		all->t = more;
		r->room = room;
	}
	all->t[all->n++] = t;
	return ST_OK;
}

static enum status walk(struct reader *r, uint64_t next)
{
	struct dump *d = r->dump;
	struct hash_u64 seen;
	enum status st = ST_OK;

	hash_u64_init(&seen, d->arena, 1);
	while (st == ST_OK && next) {
		bool is_new;

		if (!hash_u64_get(&seen, next, &is_new))
			return dump_no_memory(d);
		if (!is_new || r->all->n == MAX_TRACEPOINTS)
			return dump_fail(d, ST_CORRUPT, "gtp_list loops");
		if (dump_stopped(d))
			return ST_STOPPED;
		st = dump_read(d, next, r->buf, r->span, "struct gtp_entry");
		if (st != ST_OK)
			break;
		next = field_get(&r->f[TP_NEXT], r->buf);
		st = add(r);
	}
	return st;
}

enum status kgtp_tracepoints_read(struct dump *d, const struct kgtp_symbols *s,
				  struct kgtp_tracepoints *ret)
{
	struct kgtp_tracepoints all = { 0 };
	struct reader r = { .dump = d, .all = &all };
	uint64_t size, first = 0;
	enum status st;

	if (!s->address[KGTP_LIST])
		st = dump_fail(d, ST_ABSENT,
			       "tracepoints have numbers only: the module has no symbol "
			       "gtp_list");
	else if (d->ops->type_size(d->priv, "struct gtp_entry", &size) != ST_OK)
		st = dump_fail(d, ST_UNKNOWN,
			       "tracepoints have numbers only: there is no debug information of "
			       "struct gtp_entry%s",
			       dump_load_module(d, s->module->name));
	else
		st = layout_resolve(d, rows, TP_FIELDS, r.f);
	r.span = layout_span(r.f, SRC_NEXT);
	if (st == ST_OK && r.span > ENTRY_BYTES)
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct gtp_entry spans %zu bytes",
			       r.span);
	r.buf = st == ST_OK ? dump_alloc(d, ENTRY_BYTES) : NULL;
	if (st == ST_OK && !r.buf)
		return ST_NOMEM;
	if (st == ST_OK)
		st = dump_u64(d, s->address[KGTP_LIST], &first, "gtp_list");
	if (st == ST_OK) {
		all.known = true;
		st = walk(&r, first);
	}
	if (st == ST_NOMEM || st == ST_STOPPED)
		return st;
	if (st != ST_OK)
		all.problem = arena_strdup(d->arena, d->error);
	decoder_trace(d, "decide %zu tracepoints%s%s", all.n, all.problem ? ": " : "",
		      all.problem ? all.problem : "");
	*ret = all;
	return ST_OK;
}

const struct kgtp_tracepoint *kgtp_tracepoint_find(const struct kgtp_tracepoints *all,
						   uint64_t number, bool has_pc, uint64_t pc)
{
	const struct kgtp_tracepoint *found = NULL;
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct kgtp_tracepoint *t = &all->t[i];

		if (t->number != number)
			continue;
		if (has_pc && t->address == pc)
			return t;
		found = t;
		n++;
	}
	return n == 1 ? found : NULL;
}
