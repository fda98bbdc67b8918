// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_repeats.h"

#include <string.h>

#include "log/log_marks.h"
#include "log/log_text.h"
#include "util/array.h"
#include "util/hash_bytes.h"
#include "util/hash_u64.h"

#define FEWEST 8      /* records that a report has at least */
#define LOOK_AHEAD 64 /* records of the second copy that the first may lack at its beginning */

/* syslog takes blanks off. */
static bool is_same(const struct kernel_record *a, const struct kernel_record *b)
{
	return a->ts_ns == b->ts_ns && a->text && b->text &&
	       !strcmp(a->text + strspn(a->text, " "), b->text + strspn(b->text, " "));
}

struct reader {
	struct kernel_record *records;
	size_t n;   /* that are kept */
	size_t end; /* of those that the text has */
	struct hash_u64
		pairs; /* of size_t, by two records that follow each other: the last such ones */
};

static uint64_t key_of(const struct kernel_record *r)
{
	const char *text = r->text + strspn(r->text, " ");

	return r->ts_ns ^ hash_bytes_of(text, strlen(text));
}

static uint64_t key_of_pair(const struct kernel_record *r, const struct kernel_record *behind)
{
	return key_of(r) * 31 ^ key_of(behind);
}

static void keep(struct reader *x, const struct kernel_record *r)
{
	const struct kernel_record copy = *r, *before = x->n ? &x->records[x->n - 1] : NULL;

	x->records[x->n++] = copy;
	if (before && before->text && copy.text)
		*(size_t *)hash_u64_get(&x->pairs, key_of_pair(before, &copy), NULL) = x->n - 2;
}

/* Which record the record i repeats, with the one behind it; n: none. */
static size_t first_of(const struct reader *x, size_t i)
{
	const struct kernel_record *r = &x->records[i];
	const size_t *k;

	/* Frames of one trace may repeat at one time; later ones do not have an earlier stamp. */
	if (i + 1 >= x->end || !r->text || !r[1].text || r[1].ts_ns <= r->ts_ns)
		return x->n;
	k = hash_u64_find(&x->pairs, key_of_pair(r, r + 1));
	/* What a better copy took the place of is not there any more. */
	return k && *k + 1 < x->n && is_same(&x->records[*k], r) &&
			       is_same(&x->records[*k + 1], r + 1)
		       ? *k
		       : x->n;
}

/* Where the second copy that the record i begins belongs; n: it begins none. */
static size_t copy_at(const struct reader *x, size_t i)
{
	size_t ret = x->n;

	for (size_t m = i; m < x->end && m < i + LOOK_AHEAD && ret == x->n; m++)
		ret = first_of(x, m);
	/* Lines before that one may be there too, with others between them. */
	while (ret < x->n && ret && x->records[ret - 1].ts_ns >= x->records[i].ts_ns)
		ret--;
	return ret;
}

/* Records of one copy. */
struct copy {
	struct kernel_record *records;
	size_t n;
};

/* It is older than what stands before it there, and is there already: of a third copy, whatever that lacks before it. */
static bool is_of_third(const struct copy *second, const struct kernel_record *r, uint64_t last)
{
	return r->ts_ns < last && ANY_OF(i, second->n, is_same(&second->records[i], r));
}

/* The second one goes up to what is newer than all before it, or to where a third one begins. */
static struct copy second_copy(const struct reader *x, size_t i, uint64_t newest)
{
	struct copy ret = { &x->records[i], 1 };
	uint64_t last = ret.records[0].ts_ns;

	while (i + ret.n < x->end && ret.records[ret.n].ts_ns <= newest &&
	       !is_same(&ret.records[ret.n], &ret.records[0]) &&
	       !is_of_third(&ret, &ret.records[ret.n], last)) {
		if (ret.records[ret.n].ts_ns > last)
			last = ret.records[ret.n].ts_ns;
		ret.n++;
	}
	return ret;
}

/* What of the first one is of the same time. */
static struct copy first_copy(const struct reader *x, size_t at, const struct copy *second)
{
	struct copy ret = { &x->records[at], 0 };
	uint64_t last = 0;

	for (size_t i = 0; i < second->n; i++)
		last = second->records[i].ts_ns > last ? second->records[i].ts_ns : last;
	while (at + ret.n < x->n && ret.records[ret.n].ts_ns <= last)
		ret.n++;
	return ret;
}

static size_t bytes_of(const struct copy *c)
{
	size_t ret = 0;

	for (size_t i = 0; i < c->n; i++)
		ret += c->records[i].text
			       ? strlen(c->records[i].text + strspn(c->records[i].text, " "))
			       : 0;
	return ret;
}

/* Of the same record one copy may have the date alone. */
static void take_dates(struct copy *to, const struct copy *from)
{
	for (size_t i = 0, at = 0; i < to->n; i++) {
		size_t k = at;

		while (k < from->n && !is_same(&from->records[k], &to->records[i]))
			k++;
		if (k == from->n)
			continue;
		to->records[i].date_s = to->records[i].date_s ?: from->records[k].date_s;
		at = k + 1;
	}
}

/* Both copies may be damaged, each elsewhere: lines of both are not put together, the one that has more is taken. */
static void choose(struct reader *x, struct dump *d, struct copy *first, struct copy *second)
{
	const size_t at = (size_t)(first->records - x->records), rest = x->n - at - first->n;
	struct kernel_record *tail;

	take_dates(first, second);
	if (bytes_of(second) <= bytes_of(first))
		return;
	take_dates(second, first);
	tail = dump_alloc(d, (second->n + rest) * sizeof(*tail));
	memcpy(tail, second->records, second->n * sizeof(*tail));
	memcpy(tail + second->n, first->records + first->n, rest * sizeof(*tail));
	x->n = at;
	for (size_t i = 0; i < second->n + rest; i++)
		keep(x, &tail[i]);
}

void log_drop_repeats(struct dump *d, struct kernel_log *log)
{
	struct reader x = { .records = log->records, .end = log->n };
	uint64_t newest = 0;
	struct copy first, second;

	hash_u64_init(&x.pairs, d->arena, sizeof(size_t));
	for (size_t i = 0; i < x.end && !dump_stopped(d); i++) {
		const struct kernel_record r = x.records[i];
		const size_t at = r.text && r.ts_ns < newest ? copy_at(&x, i) : x.n;

		if (at == x.n) {
			keep(&x, &r);
			newest = r.ts_ns > newest ? r.ts_ns : newest;
			continue;
		}
		second = second_copy(&x, i, newest);
		first = first_copy(&x, at, &second);
		i += second.n - 1;
		choose(&x, d, &first, &second);
	}
	log->n = x.n;
}

bool log_twins_line(struct log_twins *t, const struct log_line *l)
{
	const char *text = l->text + strspn(l->text, " ");
	const uint64_t hash = hash_bytes_of(text, strlen(text));
	bool is_second;

	if (!*text)
		return false;
	if (l->has_ts || l->kind == LOG_LINE_OTHER) {
		*t = (struct log_twins){ 0 };
		return false;
	}
	is_second = t->is_open && t->hash == hash && t->date_s == l->date_s;
	if (is_second)
		t->pairs++;
	else if (t->is_open)
		t->pairs = 0;
	t->is_open = !is_second;
	t->hash = hash;
	t->date_s = l->date_s;
	return is_second && t->pairs > LOG_TWINS;
}

static bool is_equal(const struct kernel_record *a, const struct kernel_record *b)
{
	return a->date_s == b->date_s && is_same(a, b);
}

/* Pairs of records one behind the other from the record i, of another text each. */
static size_t pairs_at(const struct kernel_log *log, size_t i)
{
	const struct kernel_record *r = log->records;
	size_t ret = 0;

	while (i + 1 < log->n && is_equal(&r[i], &r[i + 1]) &&
	       (!ret || !is_equal(&r[i - 1], &r[i]))) {
		i += 2;
		ret++;
	}
	return ret;
}

static void drop_pairs(struct kernel_log *log)
{
	size_t n = 0;

	for (size_t i = 0; i < log->n;) {
		const size_t pairs = pairs_at(log, i);

		if (pairs < LOG_TWINS) {
			log->records[n++] = log->records[i++];
			continue;
		}
		for (size_t p = 0; p < pairs; p++, i += 2)
			log->records[n++] = log->records[i];
	}
	log->n = n;
}

/* Figures that no other report has: the counters, or the usage of the cgroup with how often it was at its limit. */
static bool has_figures(const char *text)
{
	return text && (log_after(text + strspn(text, " "), "active_anon:") ||
			log_after(text + strspn(text, " "), "Active_anon:") ||
			log_after(text, "memory: usage "));
}

static bool is_of_killer(const struct kernel_record *r)
{
	return r->text &&
	       (strstr(r->text, " invoked oom-killer:") || strstr(r->text, "Killed process "));
}

/* How many records from *at on repeat those of which the record first is one, as *at is; 0: they are too few, or of no report. */
static size_t repeated(const struct kernel_log *log, size_t first, size_t *at)
{
	const struct kernel_record *r = log->records;
	const size_t apart = *at - first;
	size_t from = *at, to = *at + 1;

	while (from > first + 1 && from > apart && is_equal(&r[from - 1 - apart], &r[from - 1]))
		from--;
	while (to < log->n && to - apart < from && is_equal(&r[to - apart], &r[to]))
		to++;
	*at = from;
	return to - from >= FEWEST && ANY_OF(i, to - from, is_of_killer(&r[from + i])) ? to - from
										       : 0;
}

static void drop_copies(struct dump *d, struct kernel_log *log)
{
	struct hash_u64 seen; /* of size_t, by records with such figures */

	hash_u64_init(&seen, d->arena, sizeof(size_t));
	for (size_t i = 0; i < log->n && !dump_stopped(d); i++) {
		const struct kernel_record *r = &log->records[i];
		size_t *first, at = i, n = 0;
		bool is_new;

		if (!has_figures(r->text))
			continue;
		first = hash_u64_get(&seen, r->date_s ^ hash_bytes_of(r->text, strlen(r->text)),
				     &is_new);
		if (!is_new && *first < i && is_equal(&log->records[*first], r))
			n = repeated(log, *first, &at);
		else
			*first = i;
		if (!n)
			continue;
		memmove(&log->records[at], &log->records[at + n],
			(log->n - at - n) * sizeof(*log->records));
		log->n -= n;
		i = at - 1;
	}
}

void log_drop_again(struct dump *d, struct kernel_log *log)
{
	drop_pairs(log);
	drop_copies(d, log);
}
