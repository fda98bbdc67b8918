// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/seccomp_wait.h"

#include "kernel/list.h"

#define MAX_FILTERS 4096 /* of a chain: its instructions are 32,768 at most */

struct filter {
	uint64_t prev, requests;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct seccomp_waits, filter, "struct seccomp_filter"),
	POINTS(struct filter, prev, REQUIRED, "3.5", "prev"),
	POINTS(struct filter, requests, REQUIRED, "5.0", "notif"),
	FINDS(struct seccomp_waits, requests, "struct notification", REQUIRED, "5.0",
	      "notifications"),
	FINDS(struct seccomp_waits, node, "struct seccomp_knotif", REQUIRED, "5.0", "list"),
};

enum status seccomp_waits_open(struct dump *d, struct seccomp_waits *ret)
{
	enum status st = dump_built_with(d, "CONFIG_SECCOMP_FILTER", "seccomp_notify_ops",
					 "struct seccomp_knotif");

	*ret = (struct seccomp_waits){ .dump = d };
	return st ?: seccomp_filters_open(d, &ret->filters) ?: STRUCTS_OPEN(d, rows, ret);
}

static bool has_request(const struct seccomp_waits *w, uint64_t requests,
			const struct task_stack *s)
{
	struct list_nodes l = list_of(w->dump, requests + w->requests.offset,
				      "notifications of seccomp");
	uint64_t node;

	while (list_next(&l, &node))
		if (node >= s->sp && node < s->base + s->size)
			return true;
	return false;
}

enum status seccomp_wait_find(const struct seccomp_waits *w, uint64_t task,
			      const struct task_stack *s, uint64_t *filter)
{
	uint64_t at;
	enum status st = seccomp_of_task(&w->filters, task, &at);

	for (unsigned int i = 0; st == ST_OK && at && i < MAX_FILTERS; i++) {
		struct filter f;

		st = struct_read(&w->filter, at, &f);
		if (st == ST_OK && f.requests && has_request(w, f.requests, s)) {
			*filter = at;
			return ST_OK;
		}
		at = f.prev;
	}
	return st ?: dump_absent(w->dump, "no filter has a request of the task");
}
