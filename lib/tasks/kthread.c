// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/kthread.h"

#include "dump/layout.h"

#define DESC_BYTES 64	     /* WORKER_DESC_LEN is 24 to 32 */
#define RESCUER "kworker/R-" /* 6.8: names of rescuers; before, that of the workqueue alone */

static const struct layout_row rows[KTHREAD_FIELDS] = {
	[KTHREAD_DATA] = { "struct kthread", { "data" }, OPTIONAL, "all" },
	[KTHREAD_FULL_NAME] = { "struct kthread", { "full_name" }, OPTIONAL, "5.17" },
	[WORKER_POOL] = { "struct worker", { "pool" }, OPTIONAL, "all" },
	[WORKER_WORK] = { "struct worker", { "current_work" }, OPTIONAL, "all" },
	[WORKER_DESC] = { "struct worker", { "desc" }, OPTIONAL, "all" },
	[WORKER_RESCUES] = { "struct worker", { "rescue_wq" }, OPTIONAL, "all" },
	[WORKQUEUE_NAME] = { "struct workqueue_struct", { "name" }, OPTIONAL, "all" },
};

void kthread_names_open(struct dump *d, struct kthread_names *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->dump = d;
	if (layout_resolve(d, rows, KTHREAD_FIELDS, ret->f) != ST_OK)
		memset(ret->f, 0, sizeof(ret->f));
}

/* A pointer in a structure; 0: none, or it cannot be read. */
static uint64_t pointer(struct kthread_names *k, uint64_t base, enum kthread_field field)
{
	uint8_t raw[8];
	const struct field *f = &k->f[field];

	if (!base || !f->present || f->size != sizeof(raw))
		return 0;
	if (dump_try(k->dump, base + f->offset, raw, sizeof(raw)) != ST_OK) {
		k->unreadable = true;
		return 0;
	}
	return le64(raw);
}

/* An array of characters in a structure; buf is untouched if it cannot be read or is empty. */
static bool characters(struct kthread_names *k, uint64_t base, enum kthread_field field,
		       char buf[DESC_BYTES])
{
	const struct field *f = &k->f[field];
	char raw[DESC_BYTES] = "";
	size_t len = f->size < DESC_BYTES ? f->size : DESC_BYTES - 1;

	if (!base || !f->present)
		return false;
	if (dump_try(k->dump, base + f->offset, raw, len) != ST_OK) {
		k->unreadable = true;
		return false;
	}
	if (!*raw)
		return false;
	memcpy(buf, raw, DESC_BYTES);
	return true;
}

/* wq_worker_comm() in kernel/workqueue.c. */
static void worker_name(struct kthread_names *k, uint64_t worker, const char *comm,
			char buf[KTHREAD_NAME])
{
	uint64_t rescues = pointer(k, worker, WORKER_RESCUES), name;
	char desc[DESC_BYTES];

	snprintf(buf, KTHREAD_NAME, "%s", comm);
	if (rescues && !strncmp(comm, RESCUER, strlen(RESCUER))) {
		name = k->f[WORKQUEUE_NAME].kind == KIND_POINTER
			       ? pointer(k, rescues, WORKQUEUE_NAME)
			       : 0;
		if (name ? dump_string(k->dump, name, desc, sizeof(desc), "name") == ST_OK
			 : characters(k, rescues, WORKQUEUE_NAME, desc))
			snprintf(buf, KTHREAD_NAME, RESCUER "%.*s",
				 (int)(KTHREAD_NAME - strlen(RESCUER) - 1), desc);
	}
	if (pointer(k, worker, WORKER_POOL) && characters(k, worker, WORKER_DESC, desc)) {
		size_t at = strlen(buf);

		snprintf(buf + at, KTHREAD_NAME - at, "%c%s",
			 pointer(k, worker, WORKER_WORK) ? '+' : '-', desc);
	}
}

/* The text that struct kthread points to; false: this kernel or this dump has none. */
static bool full_name(struct kthread_names *k, uint64_t kthread, char buf[KTHREAD_NAME])
{
	uint64_t full = pointer(k, kthread, KTHREAD_FULL_NAME);

	if (!full)
		return false;
	if (dump_string(k->dump, full, buf, KTHREAD_NAME, "name of a kernel thread") == ST_OK)
		return true;
	k->unreadable = true;
	return false;
}

/* Every kernel has these members; the full name of a thread came later. */
static bool lacks_types(const struct kthread_names *k, uint64_t flags)
{
	if (flags & PF_WQ_WORKER)
		return !k->f[KTHREAD_DATA].present || !k->f[WORKER_POOL].present ||
		       !k->f[WORKQUEUE_NAME].present;
	return flags & PF_KTHREAD && !k->f[KTHREAD_DATA].present;
}

const char *kthread_name(struct kthread_names *k, uint64_t flags, uint64_t kthread,
			 const char *comm, char buf[KTHREAD_NAME])
{
	k->unreadable = false;
	if (lacks_types(k, flags))
		dump_lacks(k->dump, "full names of kernel threads", ST_UNKNOWN,
			   "unknown layout: struct kthread, worker or workqueue_struct");
	if (flags & PF_WQ_WORKER)
		worker_name(k, pointer(k, kthread, KTHREAD_DATA), comm, buf);
	else if (!(flags & PF_KTHREAD) || !full_name(k, kthread, buf))
		snprintf(buf, KTHREAD_NAME, "%s", comm);
	k->partial += k->unreadable;
	return buf;
}
