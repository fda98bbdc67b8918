// SPDX-License-Identifier: GPL-2.0-or-later
/* What open files lead to, of whatever kind: data of timerfds, eventfds, instances of epoll and their items, sockets. */
#include "cache_owners.h"

#include "files/file_data.h"
#include "files/open_files.h"

/* Of one object. */
struct data_user {
	const struct file_user *user; /* NULL: several processes have the file open */
	unsigned int kind;
};

struct data_owners {
	struct dump *dump;
	struct file_data of;
	struct open_files open;
	struct hash_u64 kinds;	 /* of unsigned int by f_op */
	struct hash_u64 objects; /* of struct data_user by address */
	const struct file_user *user;
	unsigned int kind;
	const char *problem;
};

/* Objects of a cache that files of one process lead to. */
struct data_count {
	const struct file_user *user;
	uint64_t n, of_kind[OPEN_KINDS];
};

static enum status add_object(void *arg, uint64_t object)
{
	struct data_owners *x = arg;
	bool is_new;
	struct data_user *of = hash_u64_get(&x->objects, object, &is_new);

	if (is_new)
		*of = (struct data_user){ x->user, x->kind };
	else if (of->user && of->user->tgid != x->user->tgid)
		of->user = NULL;
	return ST_OK;
}

static enum status add_file(void *arg, uint64_t file, uint64_t operations,
			    const struct file_user *user)
{
	struct data_owners *x = arg;
	enum status st;

	if (dump_stopped(x->dump))
		return ST_STOPPED;
	x->user = user;
	x->kind = open_kind(&x->kinds, operations);
	st = file_data_walk(&x->of, file, operations, add_object, x);
	if (st != ST_OK && st != ST_ABSENT && st != ST_STOPPED && !x->problem)
		x->problem = dump_why(x->dump);
	return st == ST_STOPPED ? st : ST_OK;
}

static struct data_owners *read_owners(struct dump *d)
{
	struct data_owners *x = dump_alloc(d, sizeof(*x));
	enum status st;

	x->dump = d;
	hash_u64_init(&x->objects, d->arena, sizeof(struct data_user));
	open_kinds_find(d, &x->kinds);
	st = file_data_open(d, &x->of) ?: open_files_visit(&x->open, d, add_file, x);
	if (st != ST_OK)
		x->problem = dump_why(d);
	else if (!x->open.complete && !x->problem)
		x->problem = x->open.problem;
	return x;
}

/* "parts of open files, mostly timerfds,": of the process that has most. */
static const char *data_text(struct dump *d, const struct data_count *most)
{
	unsigned int kind = 0;

	for (unsigned int i = 0; i < OPEN_KINDS; i++)
		kind = most->of_kind[i] > most->of_kind[kind] ? i : kind;
	return units_tenths(most->of_kind[kind], most->n) < OWNERS_MOST
		       ? "parts of open files"
		       : arena_text(d->arena, "parts of open files, mostly %s,",
				    open_kind_name(kind));
}

static void count_objects(struct asked_cache *a, struct hash_u64 *counts)
{
	const struct data_owners *x = a->data_owners;

	for (const struct hash_u64_entry *e = x->objects.first; e; e = e->next) {
		const struct data_user *of = (const struct data_user *)e->value;
		struct data_count *c;

		if (!is_in_cache(a, e->key))
			continue;
		c = hash_u64_get(counts, of->user ? (uint64_t)(uint32_t)of->user->tgid : ~0ULL,
				 NULL);
		c->user = of->user;
		c->n++;
		c->of_kind[of->kind]++;
	}
}

void cache_ask_data(struct asked_cache *a)
{
	struct cache_owners o = { .place = "of " };
	const struct data_count *most = NULL;
	const uint64_t told = a->n;
	struct hash_u64 counts;

	/* What is told already. */
	if (units_tenths(a->n, slab_use_most(a->use)) >= OWNERS_MOST)
		return;
	if (!a->data_owners)
		a->data_owners = read_owners(a->s->dump);
	o.problem = a->data_owners->problem;
	hash_u64_init(&counts, a->s->dump->arena, sizeof(struct data_count));
	count_objects(a, &counts);
	hash_u64_for_each(const struct data_count, c, &counts) {
		most = !most || c->n > most->n ? c : most;
		if (c->user)
			cache_owners_add_user(a, &o, c->n, c->user);
		else
			cache_owners_add(&o, c->n, c->n, NULL, "that several processes have open");
	}
	if (most) {
		o.what = data_text(a->s->dump, most);
		o.command =
			"memowner processes -s open_files -n 5 -o pid,comm,open_files,open_kinds";
		cache_owners_put(a, &o);
	}
	/* Objects of files that were not read may be in any large cache. */
	if (a->n == told)
		cache_owners_unknown(a, o.problem);
}
