// SPDX-License-Identifier: GPL-2.0-or-later
#include "cache_owners.h"

#include "memowner/verdict_words.h"
#include "pageowner/view.h"
#include "slab/cache_objects.h"

void cache_owners_add(struct cache_owners *o, uint64_t n, uint64_t firsts,
		      const struct file_users *users, const char *where)
{
	o->n += firsts;
	o->sum += n;
	if (n <= o->most)
		return;
	o->most = n;
	o->users = users;
	o->where = where;
}

void cache_owners_add_user(struct asked_cache *a, struct cache_owners *o, uint64_t n,
			   const struct file_user *user)
{
	struct file_users *users = dump_alloc(a->s->dump, sizeof(*users));

	if (user)
		file_users_add(a->s->dump->arena, users, user);
	cache_owners_add(o, n, n, users, NULL);
}

void owners_sum(struct hash_u64 *of, uint64_t key, uint64_t n)
{
	*(uint64_t *)hash_u64_get(of, key, NULL) += n;
}

uint64_t owners_most(const struct hash_u64 *of, uint64_t n)
{
	for (const struct hash_u64_entry *e = of->first; e; e = e->next)
		if (units_tenths(*(const uint64_t *)e->value, n) >= OWNERS_MOST)
			return e->key;
	return 0;
}

#define SAMPLE 65536 /* objects that are read */

static enum status add_sample(void *arg, uint64_t object)
{
	struct owners_sample *x = arg;

	if (x->met++ % x->step == 0)
		x->unread += x->read(x->arg, object) == ST_UNREADABLE;
	return ST_OK;
}

enum status owners_sample(struct asked_cache *a, uint64_t cache, struct owners_sample *x)
{
	struct dump *d = a->s->dump;
	struct cache_objects n;
	enum status st;

	x->step = a->s->slab_objects / SAMPLE + 1;
	st = cache_objects_walk(d, cache, add_sample, x, &n);
	if (st != ST_OK)
		x->problem = st == ST_ABSENT ? NULL : dump_why(d);
	else if (n.unreadable || n.unknown || x->unread)
		x->problem = "some of its slabs or objects cannot be read";
	d->error[0] = '\0';
	return st;
}

static const char *service_of(struct asked_cache *a, const struct file_user *user)
{
	struct task task;

	return a->has_places && tasks_find(&a->tasks, user->tgid, &task) == ST_OK
		       ? summary_service(task_cgroup(&a->places, &task), user->comm)
		       : NULL;
}

const char *cache_users_text(struct asked_cache *a, const struct file_users *users)
{
	const struct file_user *first = users->n ? users->all[0] : NULL;
	const char *service = first ? service_of(a, first) : NULL;

	if (!first)
		return "unknown processes";
	return dump_text(a->s->dump, "%s (%d)%s%s%s", first->comm, first->tgid,
			 service ? " of " : "", service ?: "",
			 users->n > 1
				 ? dump_text(a->s->dump, " and %s more", COUNT_TEXT(users->n - 1))
				 : "");
}

void cache_owners_unknown(struct asked_cache *a, const char *why)
{
	if (why)
		summary_unknown(a->s,
				dump_text(a->s->dump, "who has objects of %s",
					  slab_use_name(a->use) ?: "a cache"),
				NOT_IN_DUMP, "%s", why);
}

/* "3,000 of 3,100 objects of slab cache dentry are inodes that watches of inotify keep": of it. */
static void take_keeper(struct asked_cache *a, const struct cache_owners *o)
{
	const bool is_plain = !*o->place || !strcmp(o->place, "of ");
	size_t len = strlen(o->what);
	const char *text;

	while (is_plain && len && strchr(", ", o->what[len - 1]))
		len--;
	a->keeper = o->users->all[0];
	a->keeper_text = cache_users_text(a, o->users);
	text = dump_text(a->s->dump, "%.*s%s%s%s", (int)len, o->what, is_plain ? "" : " ",
			 is_plain ? "" : o->place, is_plain ? "" : "it");
	a->keeper_what = dump_text(a->s->dump, "%s%s of %s objects of slab cache %s are %s",
				   o->problem ? "at least " : "", COUNT_TEXT(o->most),
				   COUNT_TEXT(slab_use_most(a->use)),
				   slab_use_name(a->use) ?: "unknown", text);
	a->keeper_objects = dump_text(a->s->dump, "%s%s %s", o->problem ? "at least " : "",
				      COUNT_TEXT(o->most),
				      text + (strncmp(text, "of ", 3) ? 0 : 3));
	a->command =
		o->command
			?: "memowner processes -s held_bytes -n 5 -o +held_bytes,held_other_bytes,held_kinds";
}

void cache_owners_put(struct asked_cache *a, const struct cache_owners *o)
{
	const bool is_one = units_tenths(o->most, o->sum) >= OWNERS_MOST;

	if (!o->n || units_tenths(o->n, slab_use_most(a->use)) < OWNERS_LEAST)
		return;
	a->n += o->n;
	strbuf_add(a->b, "%s%s%s", strbuf_between(a->b, "; "), o->problem ? "at least " : "",
		   COUNT_TEXT(is_one ? o->most : o->n));
	if (!strstr(a->b->buf, "objects"))
		strbuf_add(a->b, " of %s objects", COUNT_TEXT(slab_use_most(a->use)));
	strbuf_add(a->b, " are %s", o->what);
	if (!is_one)
		strbuf_add(a->b, ", the largest part, %s,", COUNT_TEXT(o->most));
	strbuf_add(a->b, " %s%s", o->where ?: o->place,
		   o->where ? "" : cache_users_text(a, o->users));
	cache_owners_unknown(a, o->problem);
	if (!o->where && o->users && o->users->n == 1 &&
	    units_tenths(o->most, slab_use_most(a->use)) >= OWNERS_MOST)
		take_keeper(a, o);
}

bool is_in_cache(struct asked_cache *a, uint64_t object)
{
	const struct slab_cache *cache = cache_of_object(a, object);

	return cache && cache->address == a->use->cache->address;
}

const struct slab_cache *cache_of_object(struct asked_cache *a, uint64_t object)
{
	const struct slab_cache *cache;

	return a->has_slabs && slab_cache_of(&a->slabs, owner_session(a->s->view).types, object,
					     &cache) == ST_OK
		       ? cache
		       : NULL;
}

static void add_cache(struct summary *s, struct largest *largest, const struct slab_use *u)
{
	s->slab_objects += u->objects;
	if (u->pages)
		largest_add(largest, u->pages, u);
}

/* Beside those of processes: who is left over. */
static enum status count_mms(struct summary *s, struct slab_caches *caches)
{
	hash_bytes_for_each(const struct slab_use, u, &caches->uses) {
		if (!u->cache || strcmp(slab_use_name(u) ?: "", "mm_struct") != 0)
			continue;
		if (slab_caches_find_idle(caches, u->cache) == ST_STOPPED)
			return ST_STOPPED;
		s->mm_objects += slab_use_most(u);
	}
	return ST_OK;
}

#define ABSENT_MANY \
	10 /* percent of those that were asked for: of a dump with single holes fewer are missing */

/* Without its slabs nearly all that the kernel knows of processes, cgroups, files and sockets is missing: why so stands first. */
static void tell_absent(struct summary *s, struct slab_caches *c)
{
	slab_caches_try(c);
	if (c->absent < 4 || c->absent * 100 < c->tried * ABSENT_MANY)
		return;
	summary_unknown(
		s, MUCH_MISSING, NOT_IN_DUMP,
		"the last page of %s of %s slabs that were looked at is not in this dump, as where "
		"makedumpfile is older than its kernel",
		COUNT_TEXT(c->absent), COUNT_TEXT(c->tried));
}

enum status summary_put_caches(struct summary *s, struct slab_caches *caches)
{
	struct largest largest = { .room = SUMMARY_CACHES };

	slab_caches_close(caches);
	tell_absent(s, caches);
	hash_bytes_for_each(const struct slab_use, of, &caches->uses)
		add_cache(s, &largest, of);
	s->largest_cache = largest.n ? largest.of[0].item : NULL;
	for (unsigned int i = 0; i < largest.n; i++) {
		const struct slab_use *u = largest.of[i].item;
		bool is_large = summary_reaches(s, LIMIT_HOLDER, u->pages);
		const char *merged = u->cache ? slab_merged_text(s->dump, u->cache, is_large)
					      : NULL;

		/* Who has its objects has none of those. */
		if (u->cache && slab_caches_find_idle(caches, u->cache) == ST_STOPPED)
			return ST_STOPPED;
		s->has_caches = true;
		SUMMARY_ADD(s, .section = SECTION_CACHE, .name = slab_use_name(u),
			    .pages = { u->pages, true }, .remark = merged,
			    .is_rest = u->kind != SLAB_USE_LARGE && !u->cache,
			    .called = u->kind != SLAB_USE_LARGE && !u->cache
					      ? "slabs of which the cache is unknown"
					      : NULL);
		s->caches[i].use = u;
		s->caches[i].row = s->last[SECTION_CACHE];
	}
	if (count_mms(s, caches) == ST_STOPPED)
		return ST_STOPPED;
	return s->pages_missing && !s->has_caches ? summary_fail_missing(s) : ST_OK;
}
