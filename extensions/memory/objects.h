/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slab objects with who allocated or freed each: by its struct track (slub_debug=U), else by the
 * call site of its slabobj_ext (allocation profiling).
 */
#pragma once

#include "pageowner/view.h"

/* One for each stack or call site; those of equal objects are the same. */
struct object_owner {
	uint32_t handle;	   /* of the stack depot, or 0 */
	const struct stack *stack; /* NULL: none, or its record is corrupt */
	const char *site;	   /* "file:line function [module]", or NULL */
	struct stack_values values;
};

struct slab_object {
	const struct slub_object *object;
	const struct object_owner *owner; /* NULL: unknown */
	const char *site;		  /* by allocation profiling; NULL: none, or unknown */
	bool has_pid, has_age;
	int32_t pid;
	uint64_t age_ns;
};

struct objects {
	struct owner_view *v;
	struct slabs slabs;
	struct slub_tracks tracks;
	bool has_tracks;	  /* struct track is known */
	bool freed;		  /* free objects, by their last free */
	struct hash_bytes owners; /* of struct object_owner */
	/* What was seen. */
	uint64_t slabs_seen, bad_slabs, unreadable_pages;
	uint64_t slab_pages,
		object_bytes; /* of these slabs, and of the objects that were visited */
	uint64_t tracked, sited,
		unowned;	/* objects with a track, with a call site alone, neither */
	uint64_t unknown_sites; /* objects with a slabobj_ext, or its tag, not in this dump */
	uint64_t unsure;	/* objects that are free or in use: unknown */
	uint64_t bad_tracks, bad_stacks;
	const char *track_problem;
};

/* Any status but ST_OK: slabs cannot be decoded. */
enum status objects_open(struct owner_view *v, bool freed, struct objects *ret);

/*
 * Calls visit with each object that is in use, or free if o->freed.  wants: whether the slabs of a
 * cache are walked.  ST_STOPPED: what was seen until then.
 */
enum status objects_walk(struct objects *o, bool (*wants)(void *arg, const struct slab_cache *c),
			 void (*visit)(void *arg, const struct slab_object *object), void *arg);

/* The memory cgroup that each slab object is charged to, by the struct obj_cgroup in the vector of its slab. */

struct object_memcgs {
	struct owner_view *v; /* NULL: not asked for */
	struct slabs *slabs;
	bool is_known; /* this kernel charges objects one by one, and its layout is known */
	struct field own, first; /* of mem_cgroup: its obj_cgroup, that which it began with */
	struct field nodes, node_own, node_first; /* nodeinfo, of it the same by node */
	uint64_t nnodes;
	struct hash_u64 states; /* of enum obj_cgroup_state by address of obj_cgroup */
	uint64_t slab;		/* address of the memory of the slab that was asked for last */
	enum status status;	/* of its vector */
	const uint64_t *objcgs;
	uint64_t unknown; /* objects */
};

/* How a cgroup came to an obj_cgroup. */
enum obj_cgroup_state {
	OBJCG_UNTRIED,
	OBJCG_OWN,
	OBJCG_TAKEN, /* that of a cgroup below it that was removed (memcg_reparent_objcgs()) */
	OBJCG_UNKNOWN,
};

/* In place.  v->has_memcgs. */
void object_memcgs_open(struct owner_view *v, struct slabs *slabs, struct object_memcgs *ret);

/* "/web", MEMCG_NOT_CHARGED, NULL: unknown; equal texts are one.  Cheap for the objects of one slab. */
const char *object_memcg(struct object_memcgs *m, const struct slab_object *o);
/* How it came to be charged; OBJCG_UNTRIED: it is charged to none. */
enum obj_cgroup_state object_memcg_state(struct object_memcgs *m, const struct slab_object *o);

/*
 * In text, below the rows: where inodes are asked for by holder, the view that has them by file system; where caches are
 * told, that those that were merged into one share its name.
 */
void objects_put_beside(const struct owner_view *v, const struct slabs *slabs);
/* In text: how much more than their objects the slabs have that were walked. */
void objects_put_slabs(const struct owner_view *v, const struct objects *o);

/* Whether filters ask for objects that are not in use. */
bool objects_want_free(const struct cmdline *in);
