// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/sysv_ipc.h"

#include "kernel/list.h"
#include "kernel/xarray.h"
#include "util/hash_u64.h"

struct walk {
	struct dump *dump;
	struct field ids, idr, supers, instance, namespace;
	enum sysv_kind kind;
	uint64_t stride; /* bytes of a struct ipc_ids */
	struct hash_u64 seen;
	struct first_problem problem;
	enum status (*visit)(void *arg, uint64_t namespace, uint64_t perm);
	void *arg;
};

static const struct layout_row rows[] = {
	FINDS(struct walk, ids, "struct ipc_namespace", REQUIRED, "all", "ids"),
	FINDS(struct walk, idr, "struct ipc_ids", REQUIRED, "all", "ipcs_idr"),
	FINDS(struct walk, supers, "struct file_system_type", REQUIRED, "all", "fs_supers"),
	FINDS(struct walk, instance, "struct super_block", REQUIRED, "all", "s_instances"),
	FINDS(struct walk, namespace, "struct super_block", REQUIRED, "all", "s_fs_info"),
};

static const struct layout_row pid_rows[] = {
	FINDS(struct sysv_pids, numbers, "struct pid", OPTIONAL, "all", "numbers"),
	FINDS(struct sysv_pids, tasks, "struct pid", OPTIONAL, "all", "tasks"),
};

static enum status walk_namespace(struct walk *w, uint64_t namespace)
{
	uint64_t head, index, perm;
	struct xa_entries x;
	enum status st;

	if (!hash_u64_add(&w->seen, namespace))
		return ST_OK;
	st = idr_head(w->dump,
		      namespace + w->ids.offset + (uint64_t)w->kind * w->stride + w->idr.offset,
		      "ipcs_idr", &head);
	if (st != ST_OK)
		return first_problem_keep(w->dump, &w->problem, st);
	for (xa_begin(&x, w->dump, head); st == ST_OK && xa_next(&x, &index, &perm);)
		st = first_problem_keep(w->dump, &w->problem, w->visit(w->arg, namespace, perm));
	return st ?: first_problem_keep(w->dump, &w->problem, xa_end(&x));
}

/* Each namespace has mounted an mqueue of its own: mq_init_ns(). */
static enum status walk_namespaces(struct walk *w, uint64_t type)
{
	struct list_nodes supers = hlist_of(w->dump, type + w->supers.offset,
					    "super blocks of mqueue");
	uint64_t super, namespace;
	enum status st = ST_OK;

	while (st == ST_OK && list_next(&supers, &super)) {
		st = dump_u64(w->dump, super - w->instance.offset + w->namespace.offset, &namespace,
			      "super_block");
		st = st == ST_OK && namespace ? walk_namespace(w, namespace)
					      : first_problem_keep(w->dump, &w->problem, st);
	}
	return st ?: list_end(&supers);
}

enum status sysv_ipc_walk(struct dump *d, enum sysv_kind kind,
			  enum status (*visit)(void *arg, uint64_t namespace, uint64_t perm),
			  void *arg)
{
	struct walk *w = dump_alloc(d, sizeof(*w));
	uint64_t first = 0, type = 0;
	enum status st;

	*w = (struct walk){ .dump = d, .kind = kind, .visit = visit, .arg = arg };
	hash_u64_init(&w->seen, d->arena, 0);
	st = STRUCTS_OPEN(d, rows, w) ?: dump_symbol(d, "init_ipc_ns", &first);
	if (st == ST_OK && dump_ask(d, type_size, "struct ipc_ids", &w->stride) != ST_OK)
		st = dump_unknown(d, "struct ipc_ids");
	st = st ?: walk_namespace(w, first);
	if (st == ST_OK && dump_symbol(d, "mqueue_fs_type", &type) == ST_OK)
		st = first_problem_keep(d, &w->problem, walk_namespaces(w, type));
	return st ?: first_problem_end(d, &w->problem);
}

enum status sysv_pids_open(struct dump *d, struct sysv_pids *ret)
{
	enum status st;

	*ret = (struct sysv_pids){ .dump = d };
	st = STRUCTS_OPEN(d, pid_rows, ret);
	/* 4.19: pid: Implement PIDTYPE_TGID. */
	if (st == ST_OK && dump_ask(d, enumerator, "PIDTYPE_TGID", &ret->tgid) != ST_OK)
		ret->tasks.present = false;
	return st;
}

/* numbers[0] is a struct upid, which begins with the number. */
int32_t sysv_pid(const struct sysv_pids *p, uint64_t pid)
{
	uint32_t nr = 0;

	return pid && p->numbers.present &&
			       dump_u32(p->dump, pid + p->numbers.offset, &nr, "pid") == ST_OK
		       ? (int32_t)nr
		       : 0;
}

/* A process that has exited leaves the list when it is reaped: __unhash_process(). */
enum sysv_life sysv_pid_life(const struct sysv_pids *p, uint64_t pid)
{
	const uint64_t at = (uint64_t)p->tgid * sizeof(at);
	uint64_t first;

	if (!pid || !p->tasks.present || p->tgid < 0 || at + sizeof(at) > p->tasks.size ||
	    dump_u64(p->dump, pid + p->tasks.offset + at, &first, "pid") != ST_OK)
		return SYSV_LIFE_UNKNOWN;
	return first ? SYSV_LIVE : SYSV_ENDED;
}
