// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/user_counts.h"

#include "tasks/user_counter.h"

#define BUCKETS 1024	/* UCOUNTS_HASHTABLE_BITS is 10, 4.9 to 7.3 */
#define MAX_USERS 65536 /* of all buckets: a list that does not end */

struct ucounts {
	uint64_t next, before, ns;
	uint32_t uid;
};

struct search {
	struct dump *dump;
	const struct user_counts *of;
	struct field count, limit; /* of the kind that is asked for */
	unsigned int left;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct user_counts, ucounts, "struct ucounts"),
	READS(struct ucounts, next, REQUIRED, "4.9", "node.next"),
	READS(struct ucounts, before, REQUIRED, "4.9", "node.pprev"),
	READS(struct ucounts, ns, REQUIRED, "4.9", "ns"),
	READS(struct ucounts, uid, REQUIRED, "4.9", "uid.val"),
	FINDS(struct user_counts, counts, "struct ucounts", REQUIRED, "4.9", "ucount"),
	FINDS(struct user_counts, limits, "struct user_namespace", REQUIRED, "4.9", "ucount_max"),
};

static bool is_array_of(const struct field *f, int64_t n)
{
	return n > 0 && n <= UINT16_MAX && (f->size == n * 4 || f->size == n * 8);
}

enum status user_counts_open(struct dump *d, struct user_counts *ret)
{
	int64_t n;
	enum status st = dump_has_both(d, "ucounts_hashtable", "struct ucounts");

	*ret = (struct user_counts){ 0 };
	st = st ?: STRUCTS_OPEN(d, rows, ret) ?: dump_symbol(d, "init_user_ns", &ret->initial);
	if (st != ST_OK)
		return st;
	if (dump_ask(d, enumerator, "UCOUNT_COUNTS", &n) != ST_OK ||
	    !is_array_of(&ret->counts, n) || !is_array_of(&ret->limits, n))
		return dump_unknown(d, "counters of struct ucounts");
	ret->dump = d;
	ret->kinds = (uint32_t)n;
	return ST_OK;
}

static struct field element(const struct field *array, uint32_t n, uint32_t index)
{
	struct field f = *array;

	f.size /= n;
	f.offset += index * f.size;
	return f;
}

static enum status read_one(const struct search *x, uint64_t at, const struct ucounts *u,
			    struct user_count *ret)
{
	*ret = (struct user_count){ .uid = u->uid, .is_initial = u->ns == x->of->initial };
	return user_number_read(x->dump, at, &x->count, &ret->used)
		       ?: user_number_read(x->dump, u->ns, &x->limit, &ret->limit);
}

/* The first of a list points back to its head: what is no list of these is found by that. */
static enum status walk(struct search *x, uint64_t head,
			void (*visit)(void *arg, const struct user_count *c), void *arg)
{
	struct dump *d = x->dump;
	uint64_t at, before = head;
	enum status st = dump_u64(d, head, &at, "ucounts_hashtable");

	/* 6.15: the end of a list of hlist_nulls is an odd number. */
	while (st == ST_OK && at && !(at & 1)) {
		struct ucounts u = { 0 };
		struct user_count c;

		if (dump_stopped(d))
			return ST_STOPPED;
		at -= STRUCT_FIELD(&x->of->ucounts, struct ucounts, next)->offset;
		st = struct_read(&x->of->ucounts, at, &u);
		if (st == ST_OK && (u.before != before || !x->left--))
			st = dump_corrupt(d, "the list of struct ucounts at %#lx is damaged", head);
		st = st ?: read_one(x, at, &u, &c);
		if (st != ST_OK)
			break;
		visit(arg, &c);
		before = at + STRUCT_FIELD(&x->of->ucounts, struct ucounts, next)->offset;
		at = u.next;
	}
	return st;
}

enum status user_counts_walk(const struct user_counts *u, const char *kind,
			     void (*visit)(void *arg, const struct user_count *c), void *arg)
{
	struct dump *d = u->dump;
	struct search x = { .dump = d, .of = u, .left = MAX_USERS };
	struct first_problem problem = { 0 };
	uint64_t table = 0;
	int64_t index;
	enum status st;

	if (dump_ask(d, enumerator, kind, &index) != ST_OK || index < 0 || index >= u->kinds)
		return ST_ABSENT;
	x.count = element(&u->counts, u->kinds, (uint32_t)index);
	x.limit = element(&u->limits, u->kinds, (uint32_t)index);
	st = dump_symbol(d, "ucounts_hashtable", &table);
	for (unsigned int i = 0; i < BUCKETS && st == ST_OK; i++)
		if (first_problem_keep(d, &problem,
				       walk(&x, table + i * sizeof(table), visit, arg)) != ST_OK)
			return ST_STOPPED;
	return st ?: first_problem_end(d, &problem);
}
