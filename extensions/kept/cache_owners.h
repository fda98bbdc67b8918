/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who has the objects of a large slab cache, for each reason that the kernel's own lists or counters tell. */
#pragma once

#include "collect/held.h"
#include "collect/net_namespaces.h"
#include "collect/open_counts.h"
#include "collect/task_places.h"
#include "files/super_inodes.h"
#include "net/ipv6_routes.h"
#include "slab/slab_caches.h"
#include "memowner/summary.h"

#define OWNERS_LEAST 100 /* tenths of a percent of the objects: owners of fewer are not named */
#define OWNERS_MOST \
	800 /* of what all owners have: one is named alone; of the objects: their owner is known */

/* Who has objects of one cache for one reason. */
struct cache_owners {
	const char *what;    /* "mounts" */
	const char *place;   /* "in the mount namespace of " */
	const char *problem; /* NULL, or why there may be more */
	uint64_t n;	     /* objects */
	uint64_t sum,
		most; /* what each has, added up: some have several; of the one that has most */
	const struct file_users *users; /* of that one */
	const char *where;   /* in place of its users: "in the initial mount namespace" */
	const char *command; /* that shows who has them; NULL: what processes hold does */
};

/* A cache that is asked for. */
struct asked_cache {
	struct summary *s;
	const struct held *held;
	const struct slab_use *use;
	const struct of_cache *of; /* whose variable points to it */
	struct tasks tasks;
	struct task_places places;
	bool has_places;
	struct slabs slabs;
	bool has_slabs;
	struct ipv6_routes routes;
	bool has_ipv6;			       /* routes is filled */
	const struct net_namespaces *nets;     /* NULL: not known */
	const char *nets_problem;	       /* NULL, or why they are not known */
	struct hash_u64 walked;		       /* of struct net_routes by address of struct net */
	struct task_owners *task_owners;       /* NULL: not read yet */
	struct map_owners *map_owners;	       /* the same */
	struct inode_owners *inode_owners;     /* the same */
	struct open_counts *open_counts;       /* the same */
	struct data_owners *data_owners;       /* the same */
	struct route_objects *route_objects;   /* the same */
	struct negative_names *negative_names; /* the same */
	struct tracked *tracked;	       /* NULL: little of connection tracking, or unknown */
	uint64_t n;			       /* objects with an owner */
	struct strbuf *b;		       /* who has them */
	/* The only process that has most of them, in the row; NULL: none that is known. */
	const struct file_user *keeper;
	const char *keeper_group; /* or kernel threads of that stem; how many they are: */
	uint64_t keeper_of;
	bool is_idle; /* nearly all of its inodes or their dentries are on an LRU list */
	uint64_t
		super_at; /* or the address of the super_block of the file system that has them; 0: none */
	const struct super_changes
		*changes; /* of its inodes, of which the cache is; NULL: unknown */
	const char *keeper_text, *keeper_what, *keeper_objects, *command, *release;
};

/* firsts: of n, those that no other has, or that are counted here. */
void cache_owners_add(struct cache_owners *o, uint64_t n, uint64_t firsts,
		      const struct file_users *users, const char *where);

/* Of things that are counted by a key, uint64_t: the key that has nearly all of n; 0: none has. */
void owners_sum(struct hash_u64 *of, uint64_t key, uint64_t n);
uint64_t owners_most(const struct hash_u64 *of, uint64_t n);

/* Objects of a large cache, of which each n-th is read. */
struct owners_sample {
	/* ST_UNREADABLE: it may be one of them; another one than ST_OK: it is none. */
	enum status (*read)(void *arg, uint64_t object);
	void *arg;
	uint64_t step; /* of how many one is read */
	uint64_t met, unread;
	const char *problem; /* NULL, or why there may be more */
};

/* Reads those that are in use. Another status than ST_OK: none is known, with the problem. */
enum status owners_sample(struct asked_cache *a, uint64_t cache, struct owners_sample *x);

/* What stands before a number that is reckoned from it. */
static inline const char *owners_about(const struct owners_sample *x)
{
	return x->problem ? "at least " : x->step > 1 ? "about " : "";
}

/* "watcher (700) of job.service and 2 more" */
const char *cache_users_text(struct asked_cache *a, const struct file_users *users);

/* The same of n that one process has; NULL: it is not known. */
void cache_owners_add_user(struct asked_cache *a, struct cache_owners *o, uint64_t n,
			   const struct file_user *user);

/* Behind what there is of others, if they are enough. */
void cache_owners_put(struct asked_cache *a, const struct cache_owners *o);

/* Why the lists of a cache say nothing; NULL: the kernel has none. */
void cache_owners_unknown(struct asked_cache *a, const char *why);

/* The cache of the slab that has an object; NULL: there is none, or it is not known. */
const struct slab_cache *cache_of_object(struct asked_cache *a, uint64_t object);

/* Whether an object is of the cache that is asked for. */
bool is_in_cache(struct asked_cache *a, uint64_t object);

/* Routes of IPv6, and nodes of their trees, by network namespace. (cache_routes.c) */
void cache_routes_open(struct asked_cache *a);
void cache_ask_nodes(struct asked_cache *a);
void cache_ask_routes(struct asked_cache *a);

/* Keys, and payloads of keys, by keyring. (cache_keys.c) */
void cache_ask_keys(struct asked_cache *a);
void cache_ask_payloads(struct asked_cache *a);

/* What each thread, or each process, has one of, by parents that do not wait for them, or processes. (cache_tasks.c) */
void cache_ask_tasks(struct asked_cache *a);
void cache_ask_processes(struct asked_cache *a);
struct task_owners *task_owners_new(struct dump *d);
/* The parent of a process; NULL: unknown, or it has none. */
const struct file_user *cache_parent_of(struct asked_cache *a, int32_t tgid);
/* A visitor of tasks_walk(). */
enum status task_owners_add(void *owners, const struct task *t);

/* Mounts, by their namespaces and whose those are. (cache_mounts.c) */
void cache_ask_mounts(struct asked_cache *a);

/* VMAs, by what uses their mm_struct. (cache_maps.c) */
void cache_ask_maps(struct asked_cache *a);
void cache_ask_map_parts(struct asked_cache *a);
struct map_owners *map_owners_new(struct dump *d);
void map_owners_add(struct map_owners *x, const struct task *t, uint64_t maps);

/* Entries of connection tracking, whose rows are added behind those of caches. (cache_conntrack.c) */
void cache_conntrack_open(struct asked_cache *a);
void cache_ask_conntrack(struct asked_cache *a);
void cache_put_conntrack(struct asked_cache *a);

/* Memory cgroups that were removed. (cache_memcgs.c) */
void cache_ask_memcgs(struct asked_cache *a);

/*
 * By file system inodes, and what belongs to each; of a cache that is not large those alone of file systems that a
 * large one led to. (cache_inodes.c)
 */
void cache_ask_inodes(struct asked_cache *a, bool is_large);

/* Signals that processes have not taken. (cache_signals.c) */
void cache_ask_signals(struct asked_cache *a);

/* Objects that were freed and wait for RCU. (rcu.c) */
void cache_ask_freed(struct asked_cache *a);

/* Open files. (cache_files.c) */
void cache_ask_files(struct asked_cache *a);
void cache_ask_dentries(struct asked_cache *a);

/* Dentries of files that do not exist, and their long names. (cache_dentries.c) */
void cache_ask_negative(struct asked_cache *a);
void cache_ask_long_names(struct asked_cache *a);

/* IPv4 routes, and what belongs to them. (cache_ipv4.c) */
void cache_ask_ipv4(struct asked_cache *a);
void cache_ask_ipv4_parts(struct asked_cache *a);

/* What open files lead to. (cache_data.c) */
void cache_ask_data(struct asked_cache *a);
