// SPDX-License-Identifier: GPL-2.0-or-later
/* What single lines of the log say: of disks and file systems, of the hardware, of swap, servers and devices. */
#include "log/log_file.h"
#include "log/log_told.h"
#include "memowner/user_killed.h"
#include "story.h"

/* rec: the first of n such lines, or the last one. */
static void add(struct story *st, const struct kernel_record *rec, const char *text, unsigned int n)
{
	struct strbuf b = STRBUF_OF(STORY_TEXT);

	strbuf_add(&b, "the log has %s", text);
	if (n > 1)
		strbuf_add(&b, ", one of %s such lines", COUNT_TEXT(n));
	STORY_ADD(st, .kind = EVENT_WARNING, .ts = { rec->ts_ns, !st->has_no_times },
		  .log_date = log_file_date_text(st->s->dump, rec->date_s), .text = b.buf,
		  .command = "memowner log", .basis = "recorded");
}

static const char *named(struct story *st, const char *kind, const char *text)
{
	return dump_text(st->s->dump, "%s: %s", kind, text);
}

static void add_logged(struct story *st, const struct log_told *told)
{
	if (told->flood.n)
		add(st, told->flood.last, named(st, LOG_FLOOD_WORDS, told->flood.last->text),
		    (unsigned int)told->flood.n);
}

/*
 * The kernel's stamp of the last record up to a date; in front of the first one that has a date, if it is of before. Unknown:
 * no record has one, or it may be of another boot than these.
 */
static struct maybe_u64 place_of(const struct log_file *f, uint64_t date_s)
{
	struct maybe_u64 ret = { 0 };

	for (size_t i = 0; date_s && f->boots < 2 && i < f->log.n; i++) {
		const struct kernel_record *r = &f->log.records[i];

		if (r->date_s && (!ret.known || r->date_s <= date_s))
			ret = (struct maybe_u64){ r->ts_ns - (r->date_s > date_s && r->ts_ns),
						  true };
	}
	return ret;
}

/* By their dates; NULL: none is left. */
static const struct user_kill *next_kill(const struct user_kills *all, const struct user_kill *last)
{
	const struct user_kill *ret = NULL;

	for (const struct user_kill *k = all->of; k < all->of + USER_KILL_KINDS; k++)
		if (k->n &&
		    (!last || k->date_s > last->date_s ||
		     (k->date_s == last->date_s && k > last)) &&
		    (!ret || k->date_s < ret->date_s))
			ret = k;
	return ret;
}

/* What programs logged has a date at most: it stands behind what the kernel had logged by then. */
static void add_user_kills(struct story *st)
{
	const struct log_file *f = st->s->dump->log_file;
	const struct user_kill *kill = NULL;

	while (f && (kill = next_kill(&f->kills, kill))) {
		const struct maybe_u64 place = place_of(f, kill->date_s);
		struct strbuf b = STRBUF_OF(STORY_TEXT);

		user_kill_words(f, kill, NULL, &b);
		STORY_ADD(st, .kind = EVENT_WARNING, .ts = { place.n, false },
			  .is_placed = place.known && !st->has_no_times,
			  .log_date = log_file_date_text(st->s->dump, kill->date_s), .text = b.buf,
			  .command = "memowner", .basis = "recorded");
	}
}

void story_add_signs(struct story *st)
{
	const struct log_told *told = st->s->told;

	add_user_kills(st);

	/* That the log cannot be read is told by those who read its reports. */
	if (!told)
		return;
	if (told->disks.n)
		add(st, told->disks.first,
		    named(st, disk_errors_words(&told->disks), told->disks.text), told->disks.n);
	if (told->hardware.n)
		add(st, told->hardware.last,
		    named(st, hardware_errors_words(&told->hardware), told->hardware.text),
		    told->hardware.n);
	story_add_crashes(st);
	add_logged(st, told);
	for (int kind = 0; kind < SIGN_KINDS; kind++) {
		const struct log_sign *sign = &told->signs.of[kind];

		if (sign->n)
			add(st, sign->last, named(st, log_sign_words(kind), sign->text), sign->n);
	}
}
