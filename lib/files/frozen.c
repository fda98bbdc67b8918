// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/frozen.h"

#define MAX_SEMS 16 /* of one file system: it has three */

/* enum of include/linux/fs.h, since 7.0 fs/super_types.h */
static const char *const state_names[FREEZE_STATES] = { "SB_FREEZE_WRITE", "SB_FREEZE_PAGEFAULT",
							"SB_FREEZE_FS", "SB_FREEZE_COMPLETE" };

struct writers {
	uint32_t state;
	uint64_t sems;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct frozen, super, "struct super_block"),
	READS(struct writers, state, REQUIRED, "3.6", "s_writers.frozen"),
	PLACES(struct writers, sems, REQUIRED, "4.4", "s_writers.rw_sem"),
	FINDS(struct frozen, sems, "struct super_block", REQUIRED, "4.4", "s_writers.rw_sem"),

	FINDS(struct frozen, waiters, "struct percpu_rw_semaphore", REQUIRED, "5.7", "waiters"),
};

enum status frozen_open(struct dump *d, struct frozen *ret)
{
	enum status st;

	*ret = (struct frozen){ .dump = d };
	hash_u64_init(&ret->waits, d->arena, sizeof(struct frozen_wait));
	st = STRUCTS_OPEN(d, rows, ret) ?: super_list_open(d, &ret->list) ?: wait_queues_open(d, &ret->queues);
	for (size_t i = 0; st == ST_OK && i < FREEZE_STATES; i++)
		st = dump_enumerator(d, state_names[i], &ret->states[i]);
	if (st == ST_OK &&
	    (dump_ask(d, type_size, "struct percpu_rw_semaphore", &ret->sem_bytes) != ST_OK ||
	     !ret->sem_bytes || ret->sems.size % ret->sem_bytes ||
	     ret->sems.size / ret->sem_bytes > MAX_SEMS))
		st = dump_unknown(d, "s_writers.rw_sem");
	return st;
}

static const char *state_name(const struct frozen *f, uint32_t state)
{
	for (size_t i = 0; i < FREEZE_STATES; i++)
		if (f->states[i] == (int64_t)state)
			return state_names[i];
	return NULL;
}

/* The queue of one of its locks: each entry is on the stack of the task that waits. */
static enum status add_waits(struct frozen *f, const struct frozen_super *super, uint64_t lock)
{
	struct list_nodes queue = wait_queue_of(&f->queues, lock + f->waiters.offset,
						"tasks that wait for a frozen file system");
	uint64_t entry, task;
	enum status st = ST_OK;

	while (st == ST_OK && wait_queue_next(&f->queues, &queue, &entry)) {
		st = wait_entry_task(&f->queues, entry, &task);
		if (st != ST_OK)
			break;
		*(struct frozen_wait *)hash_u64_get(&f->waits, task, NULL) = (struct frozen_wait){
			.super = super,
			.lock = lock,
			.entry = entry,
		};
	}
	hash_u64_for_each(struct frozen_wait, wait, &f->waits)
		if (wait->lock == lock)
			wait->waiters = queue.n;
	return st ?: list_end(&queue);
}

static enum status add_super(struct frozen *f, uint64_t address, struct frozen_super ***last)
{
	struct frozen_super *super;
	struct first_problem problem = { 0 };
	struct writers w = { 0 };
	enum status st = struct_read(&f->super, address, &w);

	if (st != ST_OK || !w.state)
		return st;
	if (!state_name(f, w.state))
		return dump_corrupt(f->dump, "super_block at %#lx: %u is no SB_FREEZE_...", address,
				    w.state);
	super = dump_alloc(f->dump, sizeof(*super));
	*super = (struct frozen_super){
		.address = address,
		.state = state_name(f, w.state),
		.is_complete = (int64_t)w.state == f->states[FREEZE_STATES - 1],
	};
	**last = super;
	*last = &super->next;
	f->n++;
	for (uint64_t at = 0; st == ST_OK && at < f->sems.size; at += f->sem_bytes)
		st = first_problem_keep(f->dump, &problem, add_waits(f, super, w.sems + at));
	return st ?: first_problem_end(f->dump, &problem);
}

static void set_names(struct frozen *f)
{
	struct inodes *inodes = dump_alloc(f->dump, sizeof(*inodes));
	struct inode_paths *paths = dump_alloc(f->dump, sizeof(*paths));

	if (!f->first)
		return;
	if (inodes_open(f->dump, inodes) != ST_OK)
		inodes = NULL;
	if (inode_paths_open(f->dump, paths) != ST_OK)
		paths = NULL;
	for (struct frozen_super *s = f->first; s; s = s->next) {
		struct inode root;
		const bool has_root = inodes && super_root(&f->list, inodes, s->address, &root);

		s->root = has_root ? root.address : 0;
		s->name = has_root ? super_name(f->dump, paths, &root)
				   : dump_text(f->dump, "super_block at %#lx", s->address);
	}
}

enum status frozen_read(struct frozen *f)
{
	struct list_nodes supers = super_list_nodes(&f->list);
	struct frozen_super **last = &f->first;
	struct first_problem problem = { 0 };
	enum status st = ST_OK;
	uint64_t super;

	while (st == ST_OK && super_list_next(&f->list, &supers, &super))
		st = first_problem_keep(f->dump, &problem, add_super(f, super, &last));
	st = st ?: first_problem_keep(f->dump, &problem, list_end(&supers));
	f->problem = problem.text;
	set_names(f);
	return st;
}
