// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/key_users.h"

#define DEPTH 8 /* keyrings in keyrings: KEYRING_SEARCH_MAX_DEPTH is 6 */

struct search {
	struct dump *dump;
	struct key_users *ret;
	struct keyring *keyring; /* that is walked */
	struct hash_u64 users;	 /* of struct file_user by tgid */
	struct first_problem problem;
};

static enum status add_key(void *arg, const struct kernel_key *key)
{
	struct search *x = arg;
	struct keyring *ring;

	if (!key->is_keyring) {
		((struct used_key *)hash_u64_get(&x->ret->all, key->address, NULL))->key = *key;
		return ST_OK;
	}
	ring = hash_u64_get(&x->ret->keyrings, key->address, NULL);
	ring->key = *key;
	ring->name = key_description(&x->ret->of, key);
	return ST_OK;
}

/* A key that is not in the tree of all is being removed. */
static enum status add_link(void *arg, uint64_t key)
{
	struct search *x = arg;
	struct used_key *used = hash_u64_has(&x->ret->all, key)
					? hash_u64_get(&x->ret->all, key, NULL)
					: NULL;
	struct keyring *ring = hash_u64_has(&x->ret->keyrings, key)
				       ? hash_u64_get(&x->ret->keyrings, key, NULL)
				       : NULL;

	if (used) {
		used->in = used->in ?: x->keyring;
		used->links++;
	}
	if (ring) {
		struct keyring_link *link = dump_alloc(x->dump, sizeof(*link));

		*link = (struct keyring_link){ x->keyring, ring->parents };
		ring->parents = link;
	}
	return ST_OK;
}

static enum status add_task(void *arg, const struct task *task)
{
	struct search *x = arg;
	struct key_cred c = { 0 };
	const uint64_t *const rings[] = { &c.thread, &c.process, &c.session };
	uint64_t cred = 0;
	enum status st = key_cred_of(&x->ret->of, task->address, &cred, &c);

	if (st != ST_OK)
		return first_problem_keep(x->dump, &x->problem, st);
	for (size_t i = 0; i < ARRAY_SIZE(rings); i++)
		if (*rings[i] && hash_u64_has(&x->ret->keyrings, *rings[i]))
			file_users_add(x->dump->arena,
				       &((struct keyring *)hash_u64_get(&x->ret->keyrings,
									*rings[i], NULL))
						->users,
				       file_user_of(&x->users, task));
	return ST_OK;
}

/* Who has a keyring has those that it links; what no process has that is known is kept by something else. */
static void pass_on(struct search *x)
{
	bool again = true;

	hash_u64_for_each(struct keyring, ring, &x->ret->keyrings)
		ring->is_kept = !ring->users.n && !ring->parents;
	for (unsigned int i = 0; i < DEPTH && again; i++) {
		again = false;
		hash_u64_for_each(struct keyring, ring, &x->ret->keyrings)
			for (const struct keyring_link *l = ring->parents; l; l = l->next) {
				const unsigned int had = ring->users.n;
				const bool was_kept = ring->is_kept;

				if (l->of == ring)
					continue;
				file_users_add_all(x->dump->arena, &ring->users, &l->of->users);
				ring->is_kept |= l->of->is_kept;
				again |= ring->users.n != had || ring->is_kept != was_kept;
			}
	}
}

enum status key_users_collect(struct dump *d, struct key_users *ret)
{
	struct search *x = dump_alloc(d, sizeof(*x));
	struct tasks *tasks = dump_alloc(d, sizeof(*tasks));
	enum status st;

	x->dump = d;
	x->ret = ret;
	*ret = (struct key_users){ 0 };
	hash_u64_init(&ret->all, d->arena, sizeof(struct used_key));
	hash_u64_init(&ret->keyrings, d->arena, sizeof(struct keyring));
	hash_u64_init(&x->users, d->arena, sizeof(struct file_user));
	st = keys_find(d, &ret->of) ?: tasks_open(d, tasks);
	if (st != ST_OK)
		return st;
	tasks->identity_only = true;
	st = first_problem_keep(d, &x->problem, keys_walk(&ret->of, add_key, x));
	hash_u64_for_each(struct keyring, ring, &ret->keyrings) {
		x->keyring = ring;
		if (st == ST_OK && ring->key.array)
			st = first_problem_keep(d, &x->problem,
						keyring_walk(&ret->of, &ring->key, add_link, x));
	}
	st = st ?: first_problem_keep(d, &x->problem, tasks_walk(tasks, add_task, x));
	if (st != ST_OK)
		return st;
	pass_on(x);
	ret->problem = x->problem.text;
	return ST_OK;
}

const struct file_user *key_keeper(const struct key_users *u, const struct used_key *key)
{
	return !u->problem && key->links == 1 && key->in && !key->in->is_kept &&
			       key->in->users.n == 1
		       ? key->in->users.all[0]
		       : NULL;
}
