// SPDX-License-Identifier: GPL-2.0-or-later
#include "kgtp/tracepoint.h"

#include <stdlib.h>

#include "dump/structure.h"
#include "kgtp/variable.h"
#include "util/hash_u64.h"

#define MAX_TRACEPOINTS 4096 /* that somebody has typed */
#define MAX_SOURCES 1024     /* lines of one of them */
#define SOURCE_BYTES 16384   /* of one line */

/* Bits of gtp_entry.flags (gtp.c). */
#define CURRENT_REGS 1
#define KRETPROBE 32

/* The order of the enumerators in gtp.c. */
static const char *const types[] = { "kprobe", "uprobe", "watch_static", "watch_dynamic" };
static const char *const reasons[] = { "normal",    "frame_full",	"efault",
				       "wrong_reg", "expression_error", "expression_overflow" };

struct reader {
	struct dump *dump;
	struct structure entry, source;
	struct kgtp_tracepoints *all;
};

/* A gtp_entry. */
struct entry {
	struct kgtp_tracepoint t;
	uint64_t flags, type, reason, next, sources, actions;
	bool has_type, has_reason;
};

/* A gtpsrc. */
struct source {
	uint64_t next, text;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct reader, entry, "struct gtp_entry"),
	READS(struct entry, flags, OPTIONAL, "KGTP gtp.c", "flags"),
	READS_IF(struct entry, type, has_type, OPTIONAL, "KGTP gtp.c", "type"),
	READS(struct entry, t.number, REQUIRED, "KGTP gtp.c", "num"),
	READS(struct entry, t.address, REQUIRED, "KGTP gtp.c", "addr"),
	READS_IF(struct entry, reason, has_reason, OPTIONAL, "KGTP gtp.c", "reason"),
	READS(struct entry, next, REQUIRED, "KGTP gtp.c", "next"),
	READS(struct entry, t.disabled, OPTIONAL, "KGTP gtp.c", "disable"),
	READS(struct entry, t.pass, OPTIONAL, "KGTP gtp.c", "pass"),
	READS(struct entry, sources, OPTIONAL, "KGTP gtp.c", "src"),
	READS(struct entry, actions, OPTIONAL, "KGTP gtp.c", "action_cmd"),
	STRUCTURE(struct reader, source, "struct gtpsrc"),
	READS(struct source, next, OPTIONAL, "KGTP gtp.c", "next"),
	READS(struct source, text, OPTIONAL, "KGTP gtp.c", "src"),
};

static const char *word_of(bool known, uint64_t value, const char *const *words, size_t n)
{
	return known && value < n ? words[value] : NULL;
}

/* A list of strings; one that cannot be read ends it. */
static void read_sources(struct reader *r, uint64_t addr, struct kgtp_source **ret)
{
	struct dump *d = r->dump;
	struct kgtp_source **last = ret;
	struct source source;
	char *text;

	if (!struct_has_all(&r->source) || !addr)
		return;
	text = dump_alloc(d, SOURCE_BYTES);
	for (unsigned int i = 0; addr && i < MAX_SOURCES; i++) {
		struct kgtp_source *s;

		if (struct_read(&r->source, addr, &source) != ST_OK ||
		    dump_string(d, source.text, text, SOURCE_BYTES, "src of struct gtpsrc") !=
			    ST_OK)
			return;
		s = dump_alloc(d, sizeof(*s));
		s->text = dump_strdup(d, text);
		*last = s;
		last = &s->next;
		addr = source.next;
	}
}

/* The text of "at:START:LENGTH:HEX", a long one in pieces. */
static void find_name(struct dump *d, struct kgtp_tracepoint *t)
{
	size_t room = 1, n = 0;
	char *name;

	for (const struct kgtp_source *s = t->source; s; s = s->next)
		room += strlen(s->text);
	name = dump_alloc(d, room);
	for (const struct kgtp_source *s = t->source; s; s = s->next) {
		const char *hex = strrchr(s->text, ':');

		if (!strncmp(s->text, "at:", 3) && hex && strtoul(s->text + 3, NULL, 16) == n &&
		    hex_text_decode(hex + 1, name + n))
			n += strlen(name + n);
	}
	name[n] = '\0';
	t->name = n ? name : NULL;
}

static void add(struct reader *r, struct entry *e)
{
	struct kgtp_tracepoints *all = r->all;
	struct kgtp_tracepoint *t = &e->t;

	read_sources(r, e->sources, &t->source);
	t->type = word_of(e->has_type, e->type, types, ARRAY_SIZE(types));
	t->stopped = word_of(e->has_reason, e->reason, reasons, ARRAY_SIZE(reasons));
	t->kretprobe = e->flags & KRETPROBE;
	t->user_regs = e->flags & CURRENT_REGS;
	read_sources(r, e->actions, &t->actions);
	find_name(r->dump, t);
	all->t = arena_more(r->dump->arena, all->t, all->n, sizeof(*all->t));
	all->t[all->n++] = *t;
}

static enum status walk(struct reader *r, uint64_t next)
{
	struct dump *d = r->dump;
	struct hash_u64 seen;
	enum status st = ST_OK;

	hash_u64_init(&seen, d->arena, 1);
	while (st == ST_OK && next) {
		struct entry e = { 0 };

		if (!hash_u64_add(&seen, next) || r->all->n == MAX_TRACEPOINTS)
			return dump_corrupt(d, "gtp_list loops");
		if (dump_stopped(d))
			return ST_STOPPED;
		st = struct_read(&r->entry, next, &e);
		if (st != ST_OK)
			break;
		next = e.next;
		add(r, &e);
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
		st = dump_absent(d, "tracepoints have numbers only: the module has no symbol "
				    "gtp_list");
	else if (dump_ask(d, type_size, "struct gtp_entry", &size) != ST_OK)
		st = dump_fail(d, ST_UNKNOWN,
			       "tracepoints have numbers only: there is no debug information of "
			       "struct gtp_entry%s",
			       dump_load_module(d, s->module->name));
	else
		st = STRUCTS_OPEN(d, rows, &r);
	st = st ?: dump_u64(d, s->address[KGTP_LIST], &first, "gtp_list");
	if (st == ST_OK) {
		all.known = true;
		st = walk(&r, first);
	}
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK)
		all.problem = dump_why(d);
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
