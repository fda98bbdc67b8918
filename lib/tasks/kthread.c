// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/kthread.h"

#define DESC_BYTES 64	     /* WORKER_DESC_LEN is 24 to 32 */
#define RESCUER "kworker/R-" /* 6.8: names of rescuers; before, that of the workqueue alone */

struct kthread {
	uint64_t data, full_name;
};

struct worker {
	uint64_t pool, work, rescues;
	char desc[DESC_BYTES];
};

static const struct layout_row rows[] = {
	STRUCTURE(struct kthread_names, kthread, "struct kthread"),
	POINTS(struct kthread, data, OPTIONAL, "all", "data"),
	POINTS(struct kthread, full_name, OPTIONAL, "5.17", "full_name"),
	STRUCTURE(struct kthread_names, worker, "struct worker"),
	POINTS(struct worker, pool, OPTIONAL, "all", "pool"),
	POINTS(struct worker, work, OPTIONAL, "all", "current_work"),
	READS(struct worker, desc, OPTIONAL, "all", "desc"),
	POINTS(struct worker, rescues, OPTIONAL, "all", "rescue_wq"),
	FINDS(struct kthread_names, wq_name, "struct workqueue_struct", OPTIONAL, "all", "name"),
};

void kthread_names_open(struct dump *d, struct kthread_names *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->dump = d;
	if (STRUCTS_OPEN(d, rows, ret) != ST_OK)
		ret->kthread.n = ret->worker.n = 0;
}

/* Leaves the record as it is where there is none, or it cannot be read. */
static void read_part(struct kthread_names *k, const struct structure *s, uint64_t at, void *ret)
{
	if (at && s->end && struct_read(s, at, ret) != ST_OK)
		k->unreadable = true;
}

bool kthread_workqueue(struct kthread_names *k, uint64_t workqueue, char buf[KTHREAD_NAME])
{
	uint64_t at = workqueue + k->wq_name.offset;

	if (!k->wq_name.present)
		return false;
	if ((k->wq_name.kind == KIND_POINTER && dump_u64(k->dump, at, &at, "name") != ST_OK) ||
	    dump_string(k->dump, at, buf, KTHREAD_NAME, "name") != ST_OK) {
		k->unreadable = true;
		return false;
	}
	return *buf;
}

/* wq_worker_comm() in kernel/workqueue.c. */
static void worker_name(struct kthread_names *k, uint64_t at, const char *comm,
			char buf[KTHREAD_NAME])
{
	struct worker w = { 0 };
	char name[KTHREAD_NAME];
	size_t len;

	read_part(k, &k->worker, at, &w);
	snprintf(buf, KTHREAD_NAME, "%s", comm);
	if (w.rescues && !strncmp(comm, RESCUER, strlen(RESCUER)) &&
	    kthread_workqueue(k, w.rescues, name))
		snprintf(buf, KTHREAD_NAME, RESCUER "%.*s",
			 (int)(KTHREAD_NAME - strlen(RESCUER) - 1), name);
	len = strlen(buf);
	if (w.pool && w.desc[0])
		snprintf(buf + len, KTHREAD_NAME - len, "%c%s", w.work ? '+' : '-', w.desc);
}

/* Every kernel has these members; the full name of a thread came later. */
static bool lacks_types(const struct kthread_names *k, uint64_t flags)
{
	return (flags & (PF_WQ_WORKER | PF_KTHREAD) &&
		!STRUCT_HAS(&k->kthread, struct kthread, data)) ||
	       (flags & PF_WQ_WORKER &&
		!(STRUCT_HAS(&k->worker, struct worker, pool) && k->wq_name.present));
}

const char *kthread_name(struct kthread_names *k, uint64_t flags, uint64_t address,
			 const char *comm, char buf[KTHREAD_NAME])
{
	struct kthread thread = { 0 };

	k->unreadable = false;
	if (lacks_types(k, flags))
		dump_lacks(k->dump, "full names of kernel threads", ST_UNKNOWN,
			   "unknown layout: struct kthread, worker or workqueue_struct");
	if (flags & (PF_WQ_WORKER | PF_KTHREAD))
		read_part(k, &k->kthread, address, &thread);
	if (flags & PF_WQ_WORKER) {
		worker_name(k, thread.data, comm, buf);
	} else if (!(flags & PF_KTHREAD) || !thread.full_name ||
		   dump_string(k->dump, thread.full_name, buf, KTHREAD_NAME,
			       "name of a kernel thread") != ST_OK) {
		k->unreadable |= flags & PF_KTHREAD && thread.full_name;
		snprintf(buf, KTHREAD_NAME, "%s", comm);
	}
	k->partial += k->unreadable;
	return buf;
}
