// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Objects that each task has one of: of what has ended the parent has them that does not wait for it, of threads
 * their process. A zombie keeps its task_struct, signal_struct and sighand_struct until wait4() (release_task()).
 */
#include "cache_owners.h"
#include "memowner/groups.h"
#include "tasks/name_stem.h"

/* Of the children of a process those that have ended, or of a process its threads. */
struct task_owner {
	uint64_t n;		   /* objects */
	char comm[TASKS_COMM + 1]; /* of the first */
	uint64_t named;		   /* that have its name */
	struct file_user user;
};

struct task_owners {
	struct hash_u64 parents, processes; /* of struct task_owner by tgid */
	struct hash_u64 names;		    /* of struct file_user by tgid */
	struct hash_u64 ppids;		    /* of uint64_t by tgid, where it is known */
	struct hash_bytes kthreads;	    /* of uint64_t by stem: how many they are */
	const char *problem;		    /* NULL, or why there may be more */
	bool lacks_parents;
	struct task ended; /* a leader that has ended, if it is the last that was added */
	bool has_ended;
};

static void count(struct hash_u64 *all, int32_t tgid, const struct task *t)
{
	bool is_new;
	struct task_owner *of = hash_u64_get(all, (uint64_t)tgid, &is_new);

	if (is_new)
		snprintf(of->comm, sizeof(of->comm), "%s", t->comm);
	of->n++;
	of->named += !strcmp(of->comm, t->comm);
	of->user.tgid = tgid;
}

struct task_owners *task_owners_new(struct dump *d)
{
	struct task_owners *x = dump_alloc(d, sizeof(*x));

	hash_u64_init(&x->parents, d->arena, sizeof(struct task_owner));
	hash_u64_init(&x->processes, d->arena, sizeof(struct task_owner));
	hash_u64_init(&x->names, d->arena, sizeof(struct file_user));
	hash_u64_init(&x->ppids, d->arena, sizeof(uint64_t));
	hash_bytes_init(&x->kthreads, d->arena, sizeof(uint64_t));
	return x;
}

/* No thread of it is behind it: its parent has it. */
static void settle(struct task_owners *x)
{
	if (x->has_ended && x->ended.has_ppid)
		count(&x->parents, x->ended.ppid, &x->ended);
	x->lacks_parents |= x->has_ended && !x->ended.has_ppid;
	x->has_ended = false;
}

/* Threads come behind the leader of their process. */
enum status task_owners_add(void *arg, const struct task *t)
{
	struct task_owners *x = arg;
	struct file_user *name;

	if (x->has_ended && x->ended.tgid == t->tgid) {
		count(&x->processes, t->tgid, &x->ended);
		x->has_ended = false;
	}
	settle(x);

	if (t->pid == t->tgid) {
		name = hash_u64_get(&x->names, (uint64_t)t->tgid, NULL);
		name->tgid = t->tgid;
		snprintf(name->comm, sizeof(name->comm), "%s", t->comm);
	}
	if (t->pid == t->tgid && t->has_ppid)
		*(uint64_t *)hash_u64_get(&x->ppids, (uint64_t)t->tgid, NULL) = (uint64_t)t->ppid;
	if (t->is_kthread) {
		char stem[NAME_STEM];

		name_stem(t->comm, stem);
		++*(uint64_t *)hash_bytes_get(&x->kthreads, stem, strlen(stem) + 1, NULL)->value;
		return ST_OK;
	}
	/* It may wait for threads of its own, which no parent can reap before. */
	if (t->pid == t->tgid && t->state && strchr(TASK_DEAD_LETTERS, t->state)) {
		x->ended = *t;
		x->has_ended = true;
	} else {
		count(&x->processes, t->tgid, t);
	}
	return ST_OK;
}

static const char *zombies_text(struct asked_cache *a, const struct task_owner *most)
{
	return most && units_tenths(most->named, most->n) >= OWNERS_MOST
		       ? dump_text(a->s->dump, "of zombies %s,", most->comm)
		       : "of zombies,";
}

struct name_sum {
	uint64_t n, processes;
};

/* "of 691 processes feedpull", where processes of one name have more than any has; NULL: none have. */
static const char *largest_name(struct asked_cache *a, const struct hash_u64 *all, uint64_t *most)
{
	struct hash_bytes sums;
	const struct name_sum *best = NULL;
	const char *comm = NULL;

	hash_bytes_init(&sums, a->s->dump->arena, sizeof(struct name_sum));
	hash_u64_for_each(const struct task_owner, of, all) {
		const char *name = of->user.comm;
		struct name_sum *sum = hash_bytes_get(&sums, name, strlen(name) + 1, NULL)->value;

		sum->n += of->n;
		sum->processes++;
		if (*name && sum->processes > 1 && sum->n > *most) {
			best = sum;
			*most = sum->n;
			comm = name;
		}
	}
	return best ? dump_text(a->s->dump, "of %s processes %s", COUNT_TEXT(best->processes), comm)
		    : NULL;
}

static void put(struct asked_cache *a, struct task_owners *x, struct hash_u64 *all)
{
	const bool is_parent = all == &x->parents;
	struct cache_owners o = { .place = is_parent ? "not reaped by " : "of ",
				  .problem = x->problem };
	const struct task_owner *most = NULL;

	hash_u64_for_each(struct task_owner, of, all) {
		const struct file_user *name = hash_u64_find(&x->names, (uint64_t)of->user.tgid);

		if (name)
			of->user = *name;
		most = !most || of->n > most->n ? of : most;
		cache_owners_add_user(a, &o, of->n, name);
	}
	if (!is_parent)
		o.where = largest_name(a, all, &o.most);
	o.what = is_parent ? zombies_text(a, most) : "of threads";
	o.command = is_parent ? "faults -g ppid,state,comm -f state=Z -s threads -n 5"
			      : "faults -g tgid -s threads -n 5";
	cache_owners_put(a, &o);
}

/* Each has a process of its own, and a name with a number. */
static void put_kthreads(struct asked_cache *a, const struct task_owners *x)
{
	struct cache_owners o = { .place = "of ", .problem = x->problem, .what = "of" };
	const char *stem = NULL;

	for (const struct hash_bytes_entry *e = x->kthreads.first; e; e = e->next) {
		const uint64_t n = *(const uint64_t *)e->value;

		if (n > o.most) {
			o.most = n;
			stem = (const char *)e->key;
		}
	}
	if (o.most < MANY_PROCESSES)
		return;
	o.n = o.sum = o.most;
	o.where = dump_text(a->s->dump, "%s kernel threads %s", COUNT_TEXT(o.most), stem);
	o.command = "memowner stuck -a -g function,waits_for -n 5";
	cache_owners_put(a, &o);
	if (units_tenths(o.most, slab_use_most(a->use)) < OWNERS_MOST)
		return;
	a->keeper_text = o.where;
	a->keeper_group = stem;
	a->keeper_of = o.most;
	a->keeper_objects = NULL;
	a->keeper_what = dump_text(a->s->dump, "%s of %s objects of slab cache %s are of threads",
				   COUNT_TEXT(o.most), COUNT_TEXT(slab_use_most(a->use)),
				   slab_use_name(a->use) ?: "unknown");
	a->command = o.command;
}

#define ENDED_LEAST \
	1000 /* fewer may wait for the end of a grace period of RCU (delayed_put_task_struct()) */

static uint64_t sum_of(const struct hash_u64 *all)
{
	uint64_t sum = 0;

	hash_u64_for_each(const struct task_owner, of, all)
		sum += of->n;
	return sum;
}

/* No list has what is left of a thread behind release_task() and the last reference to it. */
static void put_ended(struct asked_cache *a, const struct task_owners *x)
{
	struct cache_owners o = { .what = "of threads that have exited,",
				  .where = "to which something refers still" };
	uint64_t objects, known = sum_of(&x->processes) + sum_of(&x->parents);

	for (const struct hash_bytes_entry *e = x->kthreads.first; e; e = e->next)
		known += *(const uint64_t *)e->value;
	if (x->problem || !slab_use_objects(a->use, &objects) || objects < known ||
	    objects - known < ENDED_LEAST || objects - known < objects / 2)
		return;
	o.n = o.sum = o.most = objects - known;
	cache_owners_put(a, &o);
	a->keeper_text = dump_text(a->s->dump, "%s %s", "threads that have exited,", o.where);
	a->keeper_what = dump_text(a->s->dump, "%s of %s objects of slab cache %s are %s %s",
				   COUNT_TEXT(o.n), COUNT_TEXT(objects),
				   slab_use_name(a->use) ?: "unknown", o.what, o.where);
	a->s->leftover = a->keeper_what;
}

/* Once for all caches. */
static struct task_owners *find_owners(struct asked_cache *a)
{
	struct task_owners *x = a->task_owners;
	struct tasks tasks;
	enum status st;

	if (x) {
		settle(x);
		return x;
	}
	x = a->task_owners = task_owners_new(a->s->dump);
	st = tasks_open(a->s->dump, &tasks) ?: tasks_walk(&tasks, task_owners_add, x);
	settle(x);
	if (st != ST_OK)
		x->problem = dump_why(a->s->dump);
	else if (x->lacks_parents)
		x->problem = "parents of some zombies are unknown";
	return x;
}

const struct file_user *cache_parent_of(struct asked_cache *a, int32_t tgid)
{
	const struct task_owners *x = find_owners(a);
	const uint64_t *ppid = hash_u64_find(&x->ppids, (uint64_t)tgid);

	return ppid ? hash_u64_find(&x->names, *ppid) : NULL;
}

void cache_ask_tasks(struct asked_cache *a)
{
	struct task_owners *x = find_owners(a);

	put(a, x, &x->parents);
	put(a, x, &x->processes);
	put_kthreads(a, x);
	put_ended(a, x);
}

/* One object is of all threads of a process. */
void cache_ask_processes(struct asked_cache *a)
{
	struct task_owners *x = find_owners(a);

	put(a, x, &x->parents);
	put_kthreads(a, x);
}
