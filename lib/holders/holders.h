/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Roots by the memory that they alone keep.  A node counts where what is reached and the walk agree on
 * the owner; else it is unknown.
 */
#pragma once

#include "graph/nodes.h"
#include "graph/retained.h"
#include "graph/walk.h"
#include "symbols/symbolize.h"

enum holder_kind {
	HOLDER_VARIABLE,
	HOLDER_PERCPU,
	HOLDER_BOOT,	/* memory from before the page allocator */
	HOLDER_STACK,	/* of a task */
	HOLDER_OBJECTS, /* of a cache, that name text or data of one module */
	HOLDER_FILE,	/* an open file that names them, and keeps much */
	HOLDER_NONE,	/* such objects that no variable, stack or memory of boot leads to */
	HOLDER_VMAP,	/* addresses that a module got of vmap(), to which no root leads */
	HOLDER_MEET,	/* an object, or pages, through which all ways from several roots lead */
	HOLDER_SEVERAL, /* roots of one owner */
	HOLDER_KINDS
};

#define HOLDER_NODES 16u

/* Nodes of a group, and some of them, of which each has the same chance to be there. */
struct holder_part {
	uint64_t bytes, objects;
	uint32_t node; /* the first */
	uint32_t nodes[HOLDER_NODES];
};

struct holder {
	enum holder_kind kind;
	uint16_t owner; /* for graph_owner_name(); of HOLDER_MEET OWNER_SHARED: of several */
	uint32_t root;	/* a node of it; of HOLDER_SEVERAL: ROOT_SHARED */
	bool is_behind; /* the variable is one behind roots of its module (behind.h) */
	bool is_met; /* it points to where ways from several roots meet, the one of a module that does */
	uint32_t before;    /* of HOLDER_OBJECTS: its variable of vmlinux; ROOT_NONE */
	const char *symbol; /* that the objects of HOLDER_OBJECTS name; NULL: not all the same */
	uint64_t bytes, objects;
	uint64_t walks; /* parts of the walk, of WALK_WHOLE, times bytes */
	/* The group with most bytes of these, and a node of it. */
	uint64_t part_bytes, part_objects;
	uint32_t part;
	const struct holder_part *largest; /* the same; NULL: that node alone was asked for */
};

/* Bytes of nodes that are no roots. */
struct holder_sums {
	uint64_t all, known;
	uint64_t shared;	 /* several owners reach them */
	uint64_t differs;	 /* one does, and most walks come to another */
	uint64_t unreached;	 /* no root does, nor does a hub or a word that few have */
	struct holder_part lost; /* of these the group with most bytes */
	uint64_t by_stacks;	 /* of known: words of stacks alone lead there */
	uint64_t of_none;	 /* of known: of HOLDER_NONE */
	/* Objects of caches that hold what is alive for certain, and of them those that no root reaches. */
	uint64_t alive, alive_unreached;
};

/* A node at which ways from several roots meet, with a percent of RAM or more behind it. */
struct met {
	uint64_t bytes;	   /* that they reach through it */
	uint32_t variable; /* of a module, that alone points to it; ROOT_NONE: none */
	bool is_tried;	   /* the variable was looked for */
};

struct holders {
	struct graph graph;
	struct graph_sources sources;
	struct arcs arcs;
	struct flow flow;
	struct retained retained;
	struct walk_end *ends; /* by node: owners */
	uint8_t *led_to;       /* a bit for each node: words lead there, from a variable on */
	uint32_t *meets;       /* by node (meets.h); NULL: unknown */
	struct hash_u64 met;   /* of struct met, by these, where much is behind them */
	struct hash_u64 files; /* by node of open files that are roots, and by owner: bytes */
	struct symbolizer *symbols;
	struct hash_u64 rows;	  /* of struct holder */
	struct hash_u64 behind;	  /* of struct behind, by the key of rows */
	struct hash_u64 lost;	  /* of const struct holder_part *, by group: no root leads there */
	struct node_types *types; /* NULL: steps of a way have the names of their caches */
	struct node_types *found_types; /* as they were found, for all that ask */
	/* "struct entry (kmalloc-64, type 90%)": what nearly all such steps are; NULL: unknown. */
	const char *(*step_type)(const struct holders *h, uint32_t node);
	struct hash_u64 steps;	      /* of objects that were counted for these */
	struct kallsyms *kallsyms;    /* NULL: no name was asked for */
	struct hash_u64 stacks;	      /* names by address */
	struct hash_u64 tasks;	      /* "157(sessionwatch)", by address of task_struct and stack */
	bool has_tasks;		      /* it was asked for */
	struct devices *devices;      /* NULL: none was asked for (devices.c) */
	struct armed_objects *armed;  /* (armed.h) */
	struct opened *opened;	      /* NULL: no open file was asked for (opened.c) */
	struct hash_u64 percpu_names; /* by address */
	struct holder_sums sums;
};

/*
 * ram, memmap, types, classes, slabs of sources are set, and watched: addresses whose memory has the words that
 * lead there even if it is free.  symbols stays where it is.  ST_NOMEM: the
 * graph needs more than its room; ST_STOPPED.
 */
enum status holders_find(const struct graph_sources *sources, struct symbolizer *symbols,
			 struct holders *ret);

/*
 * "76.9% of walks back end at leaky, 23.0% at vmlinux": the two owners at which most end; NULL: none does, or that
 * owner has no name.
 */
const char *holders_ends_text(struct arena *a, const struct holders *h, uint32_t node);

/* Whether a root leads to a node in whatever way, by the words that were read. */
bool holders_reach(const struct holders *h, uint32_t node);

/* Words are missing, of which any may lead anywhere: that none leads to a node is unknown, and so are the sums. */
bool holders_lack(const struct holders *h);

/* The owner of a node on which both agree; OWNER_NOBODY: unknown. */
uint16_t holders_owner(const struct holders *h, uint32_t node);

/*
 * The same of the memory at an address of the kernel: a module, vmlinux, "several", "unknown" or "none", to
 * which no root leads (unknown where words are missing); NULL: the graph has no node of it, or it is a root.  confidence: of WALK_WHOLE, that of
 * the first two; 0 of the others.
 */
const char *holders_word(struct holders *h, uint64_t address, uint16_t *confidence);

/* The row that a node is in; NULL: none. */
const struct holder *holders_row(const struct holders *h, uint32_t node);

/* The row that a node of a known owner is in, with the node as its largest part, for holder_way(). */
struct holder holders_row_of(const struct holders *h, uint32_t node);

/* "jiffies+0x0", "ledger+0x10 [leaky]", "stack of 42(sh) [leaky]+0x3f8": a byte of a root. */
const char *holder_root_name(struct holders *h, uint32_t node, uint32_t byte);

/* "ledger [leaky]", "stack of 42(sh) [leaky]"; lives as long as the command. */
const char *holder_name(struct holders *h, const struct holder *row);

/* "kmalloc-64 with leaky_ops [leaky]": objects of a row; what: they are. */
const char *holder_objects_name(struct holders *h, const struct holder *row, const char *what);

/* "ledger [leaky]": the variable or function at an address. */
const char *holder_symbol_name(struct holders *h, uint64_t addr, uint16_t owner);

/* The per-CPU variable of vmlinux at an address of its symbol; NULL: none has a name. */
const char *holder_percpu_name(struct holders *h, uint64_t addr);

/* "stack of 42(sh) [leaky]", the same text each time. */
const char *holder_stack_name(struct holders *h, const struct span *s);

/* "open file /dev/vgx0 of 157(signage-player)": the struct file that a node is; NULL: it is unknown. (opened.c) */
const char *holder_file_name(struct holders *h, uint32_t node);

/* "eth0": the device that an object is, or has inside; NULL: none that is known. (devices.c) */
const char *holder_device_name(struct holders *h, uint32_t node);

/* Of a node that several roots reach: where they meet, if a variable of one module points there; ROOT_NONE. */
uint32_t holders_meet(const struct holders *h, uint32_t node);

/*
 * The first variable that points to a node, of the only module of which one does; ROOT_NONE: there is none, or, if it is
 * to be alone, one of vmlinux does as well. Objects that point there too are those of others, as a device that has its
 * driver's data.
 */
uint32_t holders_variable(const struct holders *h, uint32_t node, bool alone);

/*
 * "open file /dev/vgx0 of 157(player), inode_cache": what leads to a node at which roots meet, but one, or ROOT_NONE.
 * NULL: nothing else does.
 */
const char *holder_meet_sources(struct holders *h, uint32_t node, uint32_t but);

/* "kmalloc-64", "direct pages": what nodes of a group are. */
#define HOLDER_PERCPU_LISTS "the lists of per-CPU chunks" /* a page of boot that has them */
const char *holder_group_name(const struct holders *h, uint32_t node);

/* The same with caches that were merged into it, of which objects may be as well; caches of kmalloc have none told. */
const char *holder_cache_name(const struct holders *h, uint32_t node);

/* Behind the structure of a node: "kmalloc-64", or "cache vmap_area and 6 merged", whose name is of another structure. */
const char *holder_typed_cache(const struct holders *h, uint32_t node);

/* From the root to the largest part: "ledger [leaky] -> list of kmalloc-64 -> direct pages". (ways.c) */
const char *holder_way(struct holders *h, const struct holder *row);

/*
 * "ledger [leaky] -> kmalloc-64 -> 2 more -> direct pages" of such a way, without another one; of the
 * steps between, the last list or object whose structure is known stays.  NULL: it is short.
 */
const char *holder_way_brief(struct arena *a, const char *way);

/* Structures for holder_way(), where those of a module that keeps 1 % of RAM are known; else it has caches. (way_types.c) */
enum status holders_find_types(struct holders *h);

/* "variable", "stack", ... */
extern const char *const holder_kind_names[HOLDER_KINDS + 1];
