// SPDX-License-Identifier: GPL-2.0-or-later
/* Sets of System V semaphores: no process has them, and the end of who made them removes none. */
#include "memowner/summary.h"

#include "files/sysv_ipc.h"
#include "files/sysv_sem.h"
#include "pageowner/view.h"

/* Those that one user made. */
struct sets {
	struct maybe_u64 uid;
	uint64_t n, sems, bytes, ended;
	const char *charged; /* the cgroup of each; NULL: several, or unknown */
};

struct search {
	struct summary *s;
	struct sysv_pids pids;
	struct hash_u64 users; /* of struct sets by uid; NO_UID: unknown */
};

#define NO_UID UINT64_MAX /* a uid has 32 bits */

static const char *charged_to(struct search *x, uint64_t address)
{
	struct owner_view *v = x->s->view;
	struct page_info info;
	uint64_t phys;

	return v->has_memcgs && dump_phys(v->dump, address, &phys) == ST_OK &&
			       page_type_at(&v->states, phys >> v->dump->page_shift, &info) ==
				       ST_OK &&
			       info.memcg
		       ? memcgs_path(&v->memcgs, info.memcg)
		       : NULL;
}

static enum status add_set(void *arg, const struct sysv_sem_set *set)
{
	struct search *x = arg;
	struct sets *all = hash_u64_get(&x->users, set->has_uid ? set->uid : NO_UID, NULL);
	const char *charged = charged_to(x, set->address);

	if (!all->n++)
		all->charged = charged;
	else if (!charged || !all->charged || strcmp(all->charged, charged) != 0)
		all->charged = NULL;
	all->uid = (struct maybe_u64){ set->uid, set->has_uid };
	all->sems += set->sems;
	all->bytes += set->bytes;
	all->ended += sysv_pid(&x->pids, set->pid) &&
		      sysv_pid_life(&x->pids, set->pid) == SYSV_ENDED;
	return ST_OK;
}

static void put_sets(struct summary *s, const struct sets *all, const char *problem)
{
	struct arena *a = s->dump->arena;
	const char *uid = all->uid.known ? arena_text(a, "made by uid %lu", all->uid.n)
					 : "made by whom is unknown";
	const char *brief = arena_text(a, "%s, %s%s", COUNT_OF(all->sems, "semaphore"), uid,
				       problem);

	SUMMARY_ADD(
		s, .section = SECTION_HOLDER, .by = "sysv_sem",
		.name = arena_text(a, "%s of System V semaphores", COUNT_OF(all->n, "set")),
		.cgroup = all->charged, .charged = all->charged,
		.pages = { all->bytes >> s->dump->page_shift, true }, .brief = brief,
		.remark = all->ended ? arena_text(a, "%s, %s last used by a process that has ended",
						  brief,
						  all->ended == all->n ? "each"
								       : COUNT_TEXT(all->ended))
				     : brief,
		.release = "removing these sets (ipcrm -s ID)");
}

enum status summary_sem_sets(struct summary *s)
{
	struct search x = { .s = s };
	struct sysv_sem_sets sets;
	const char *problem = "";
	enum status st;

	hash_u64_init(&x.users, s->dump->arena, sizeof(struct sets));
	st = sysv_sem_sets_open(s->dump, &sets)
		     ?: sysv_pids_open(s->dump, &x.pids)
		     ?: sysv_sem_sets_walk(&sets, add_set, &x);
	if (st == ST_STOPPED || st == ST_ABSENT)
		return st;
	if (st != ST_OK) {
		problem = dump_text(s->dump, "; others may be missing: %s", dump_why(s->dump));
		summary_unknown(s, "sets of System V semaphores", NOT_IN_DUMP, "%s",
				dump_why(s->dump));
	}
	hash_u64_for_each(const struct sets, all, &x.users)
		if (summary_reaches_of(s, LIMIT_HOLDER, all->bytes >> s->dump->page_shift,
				       all->charged))
			put_sets(s, all, problem);
	return ST_OK;
}
