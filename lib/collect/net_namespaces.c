// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/net_namespaces.h"

#include "kernel/list.h"
#include "tasks/task.h"

struct search {
	struct dump *dump;
	struct field list; /* of struct net */
	struct field task_nsproxy,
		ns_net;		 /* where a task has its namespaces, and these the network */
	struct hash_u64 lived;	 /* by address of struct net: a task has it */
	struct hash_u64 proxies; /* nsproxies that were read */
};

static const struct layout_row rows[] = {
	FINDS(struct search, list, "struct net", REQUIRED, "all", "list"),
	FINDS(struct search, task_nsproxy, "struct task_struct", REQUIRED, "all", "nsproxy"),
	FINDS(struct search, ns_net, "struct nsproxy", REQUIRED, "all", "net_ns"),
};

/* A task that exits has left its namespaces: its nsproxy is NULL. */
static enum status add_task(void *arg, const struct task *task)
{
	struct search *x = arg;
	uint64_t proxy, net;
	bool is_new = false;
	enum status st = dump_u64(x->dump, task->address + x->task_nsproxy.offset, &proxy,
				  "task_struct");

	if (st == ST_OK && proxy)
		hash_u64_get(&x->proxies, proxy, &is_new);
	if (st != ST_OK || !is_new)
		return st;
	st = dump_u64(x->dump, proxy + x->ns_net.offset, &net, "nsproxy");
	if (st == ST_OK)
		hash_u64_get(&x->lived, net, NULL);
	return st;
}

enum status net_namespaces_read(struct dump *d, struct net_namespaces *ret)
{
	struct search *x = dump_alloc(d, sizeof(*x));
	struct net_namespaces n = { 0 };
	struct tasks tasks;
	struct list_nodes l;
	uint64_t head, node, empty = 0;
	enum status st = dump_has_symbol(d, "net_namespace_list")
				 ? dump_symbol(d, "net_namespace_list", &head)
				 : dump_fail(d, ST_ABSENT, "this kernel has no network");

	if (st != ST_OK)
		return st;
	x->dump = d;
	hash_u64_init(&x->lived, d->arena, 0);
	hash_u64_init(&x->proxies, d->arena, 0);
	st = STRUCTS_OPEN(d, rows, x) ?: tasks_open(d, &tasks);
	if (st != ST_OK)
		return st;
	tasks.identity_only = true;
	st = tasks_walk(&tasks, add_task, x);
	if (st == ST_STOPPED)
		return st;
	n.problem = st == ST_OK ? NULL : dump_why(d);
	l = list_of(d, head, "net_namespace_list");
	while (list_next(&l, &node)) {
		n.n++;
		empty += !hash_u64_has(&x->lived, node - x->list.offset);
	}
	n.empty = (struct maybe_u64){ empty, !n.problem };
	st = list_end(&l);
	if (st == ST_OK)
		*ret = n;
	return st;
}
