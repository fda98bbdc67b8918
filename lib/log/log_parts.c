// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_parts.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "log/log_line.h"
#include "log/log_text.h"
#include "util/arena.h"
#include "util/array.h"

#define MOST (64 << 20) /* bytes that are kept: a store of a machine has far less */
#define NAME 32		/* "Emergency#12" */

struct part_line {
	struct part_line *next;
	size_t len;
	bool ends;
	char text[];
};

struct part {
	struct part *older;
	uint64_t number; /* 1: the newest */
	struct part_line *first, **last;
};

struct log_parts {
	struct arena *arena, *kept; /* kept: of the lines of one dump */
	struct log_parts_to to;
	char name[NAME];      /* of the dump whose lines are kept; "": none are */
	struct part *newest;  /* by number */
	struct part *current; /* whose lines these are */
	size_t bytes;
};

struct log_parts *log_parts_open(struct arena *a, struct log_parts_to to)
{
	struct log_parts *p = arena_alloc(a, sizeof(*p));

	memset(p, 0, sizeof(*p));
	p->arena = a;
	p->to = to;
	return p;
}

/* "Oops#1 Part2": bytes of the name of the dump; 0: it is no such line. */
static size_t take_header(const char *line, uint64_t *number)
{
	static const char *const reasons[] = { "Panic",	  "Oops", "Emergency", "Shutdown",
					       "Restart", "Halt", "Poweroff",  "Unknown" };
	const char *at = NULL, *end;
	uint64_t count;

	for (size_t i = 0; !at && i < sizeof(reasons) / sizeof(*reasons); i++)
		at = log_after(line, reasons[i]);
	at = at && *at == '#' ? log_take_decimal(at + 1, &count) : NULL;
	end = at ? log_after(at, " Part") : NULL;
	end = end ? log_take_decimal(end, number) : NULL;
	if (!end || end[strspn(end, " \r")] || at - line >= NAME)
		return 0;
	return at - line;
}

static void give(struct log_parts *p, const struct part *part)
{
	for (struct part_line *l = part->first; l; l = l->next)
		p->to.line(p->to.arg, l->text, l->len, l->ends);
}

/* What stands between two parts that are not neighbours is missing. */
static void give_gap(struct log_parts *p)
{
	char text[] = "** printk messages dropped **";

	p->to.line(p->to.arg, text, strlen(text), true);
}

void log_parts_end(struct log_parts *p)
{
	struct part *oldest_first = NULL, *next;

	for (struct part *at = p->newest; at; at = next) {
		next = at->older;
		at->older = oldest_first;
		oldest_first = at;
	}
	/* older is now the newer one. */
	for (struct part *at = oldest_first; at; at = at->older) {
		give(p, at);
		if (at->older && at->number - at->older->number > 1)
			give_gap(p);
	}
	p->newest = p->current = NULL;
	p->bytes = 0;
	*p->name = '\0';
	if (p->kept)
		arena_reset(p->kept);
}

static void begin_part(struct log_parts *p, const char *name, size_t len, uint64_t number)
{
	struct part **at = &p->newest, *part;

	if (strlen(p->name) != len || strncmp(p->name, name, len)) {
		log_parts_end(p);
		memcpy(p->name, name, len);
		p->name[len] = '\0';
	}
	if (!p->kept)
		p->kept = arena_within(p->arena);
	while (*at && (*at)->number < number)
		at = &(*at)->older;
	/* Part1 of another dump, which has the same name. */
	if (*at && (*at)->number == number) {
		log_parts_end(p);
		memcpy(p->name, name, len);
		p->name[len] = '\0';
		at = &p->newest;
	}
	part = arena_alloc(p->kept, sizeof(*part));
	*part = (struct part){ .older = *at, .number = number };
	part->last = &part->first;
	*at = p->current = part;
}

static void keep(struct log_parts *p, const char *line, size_t len, bool ends)
{
	struct part_line *l = arena_alloc(p->kept, sizeof(*l) + len + 1);

	l->next = NULL;
	l->len = len;
	l->ends = ends;
	memcpy(l->text, line, len);
	l->text[len] = '\0';
	*p->current->last = l;
	p->current->last = &l->next;
	p->bytes += len;
}

void log_parts_line(struct log_parts *p, char *line, size_t len, bool ends)
{
	uint64_t number = 0;
	const size_t name = take_header(line, &number);

	if (name) {
		begin_part(p, line, name, number);
	} else if (*p->name && p->bytes + len <= MOST) {
		keep(p, line, len, ends);
	} else {
		if (*p->name)
			log_parts_end(p);
		p->to.line(p->to.arg, line, len, ends);
	}
}

#define NS_PER_US 1000
#define BESIDE 1000000000ULL /* ns: from the end of a part to the begin of the next one */

/* "<6>[   12.345678] ", with all six digits. */
static bool take_stamp(const char *line, uint64_t *ns)
{
	const char *p = *line == '<' ? strchr(line, '>') : NULL, *fraction;
	uint64_t s, us;

	p = log_after(p ? p + 1 : line, "[");
	p = p ? log_take_decimal(p + strspn(p, " "), &s) : NULL;
	fraction = p && *p == '.' ? p + 1 : NULL;
	p = fraction ? log_take_decimal(fraction, &us) : NULL;
	if (!p || p - fraction != 6 || *p != ']' || s > UINT32_MAX)
		return false;
	*ns = (s * 1000000 + us) * NS_PER_US;
	return true;
}

void log_order_line(struct log_order *o, const char *line)
{
	const size_t number = o->lines++;
	uint64_t ns;

	if (!take_stamp(line, &ns)) {
		o->is_other |= *line && !o->n;
		return;
	}
	/* What other CPUs wrote late is later than the first line of its part. */
	if (o->n && ns >= o->parts[o->n - 1].first_ns) {
		if (ns > o->parts[o->n - 1].last_ns)
			o->parts[o->n - 1].last_ns = ns;
		return;
	}
	if (o->n == LOG_ORDER_PARTS) {
		o->is_other = true;
		return;
	}
	o->parts[o->n].line = number;
	o->parts[o->n].first_ns = o->parts[o->n].last_ns = ns;
	o->n++;
}

bool log_order_is_reversed(const struct log_order *o)
{
	for (unsigned int i = 1; i < o->n; i++)
		if (o->parts[i].last_ns > o->parts[i - 1].first_ns ||
		    o->parts[i - 1].first_ns - o->parts[i].last_ns > BESIDE)
			return false;
	return o->n > 1 && !o->is_other;
}

#define BYTES 2048 /* of a line that is kept */
#define LATE 64	   /* records by which one is late, and not of another boot */

struct held {
	char text[BYTES];
	size_t len;
	uint64_t number;
};

struct log_window {
	struct log_parts_to to;
	struct held *held[LOG_WINDOW + 1]; /* the first n by their numbers */
	unsigned int n;
	bool has_next;
	uint64_t next;
};

struct log_window *log_window_open(struct arena *a, struct log_parts_to to)
{
	struct log_window *w = arena_alloc(a, sizeof(*w));

	*w = (struct log_window){ .to = to };
	for (unsigned int i = 0; i < ARRAY_SIZE(w->held); i++)
		w->held[i] = arena_alloc(a, sizeof(*w->held[i]));
	return w;
}

static void give_first(struct log_window *w)
{
	struct held *first = w->held[0];

	w->to.line(w->to.arg, first->text, first->len, true);
	w->next = first->number >= w->next ? first->number + 1 : w->next;
	w->n--;
	memmove(w->held, w->held + 1, w->n * sizeof(*w->held));
	w->held[w->n] = first;
}

void log_window_end(struct log_window *w)
{
	while (w->n)
		give_first(w);
}

/* Behind those of the same number: a packet may be in fragments. */
static void hold(struct log_window *w, const char *line, size_t len, uint64_t number)
{
	struct held *to = w->held[w->n];
	unsigned int at = w->n++;

	memcpy(to->text, line, len + 1);
	to->len = len;
	to->number = number;
	for (; at && w->held[at - 1]->number > number; at--)
		w->held[at] = w->held[at - 1];
	w->held[at] = to;
}

/* Of a line that is one record as a whole. */
static bool take_number(const struct log_window *w, const char *line, size_t len, bool ends,
			uint64_t *number)
{
	struct log_line l;

	if (!ends || len >= BYTES || !isdigit((unsigned char)*line))
		return false;
	log_line_parse(line, "", &l);
	*number = l.sequence;
	return l.has_sequence && (!w->has_next || *number + LATE >= w->next);
}

void log_window_line(struct log_window *w, char *line, size_t len, bool ends)
{
	uint64_t number;

	if (!take_number(w, line, len, ends, &number)) {
		log_window_end(w);
		w->has_next = false;
		w->to.line(w->to.arg, line, len, ends);
		return;
	}
	w->next = w->has_next ? w->next : number;
	w->has_next = true;
	hold(w, line, len, number);
	if (w->n > LOG_WINDOW)
		give_first(w);
	while (w->n && w->held[0]->number <= w->next)
		give_first(w);
}

bool log_sequence_lacks(struct log_sequence *s, uint64_t number, uint32_t *lost)
{
	const uint64_t n = number - s->last - 1;
	const bool ret = s->has_last && number > s->last && n;

	*lost = ret && n < UINT32_MAX ? (uint32_t)n : 0;
	*s = (struct log_sequence){ true, number };
	return ret;
}
