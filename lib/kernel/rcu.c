// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/rcu.h"

#include "kernel/list.h"

#define STATE_MASK \
	3 /* RCU_SEQ_STATE_MASK: 0 is idle; above it the number (kernel/rcu/rcu.h, 4.18) */
#define STATE_BITS 2
#define MAX_NODES 4096	    /* of a tree: 521 are for 8192 CPUs */
#define MAX_CPUS 64	    /* of a leaf: bits of a long */
#define MORE_CALLBACKS 4096 /* that a CPU was about to count */

struct state {
	uint64_t gp_seq, gp_start;
};

struct node {
	uint64_t qsmask;
	int32_t first, last;
	uint32_t level;
	uint64_t blocked, tasks;
};

struct data {
	uint64_t head, done, bypass;
	int64_t len;
};

struct callback {
	uint64_t next, function;
};

static const struct layout_row rows[] = {
	FINDS(struct rcu, nodes, "struct rcu_state", REQUIRED, "all", "node"),
	/* Only preemptible RCU has tasks that block a grace period. */
	FINDS(struct rcu, entry, "struct task_struct", OPTIONAL, "2.6.32", "rcu_node_entry"),
	STRUCTURE(struct rcu, state, "struct rcu_state"),
	READS(struct state, gp_seq, REQUIRED, "4.18", "gp_seq"),
	READS(struct state, gp_start, REQUIRED, "all", "gp_start"),
	STRUCTURE(struct rcu, node, "struct rcu_node"),
	READS(struct node, qsmask, REQUIRED, "all", "qsmask"),
	READS(struct node, first, REQUIRED, "all", "grplo"),
	READS(struct node, last, REQUIRED, "all", "grphi"),
	READS(struct node, level, REQUIRED, "all", "level"),
	PLACES(struct node, blocked, REQUIRED, "all", "blkd_tasks"),
	POINTS(struct node, tasks, REQUIRED, "2.6.37", "gp_tasks"),
	STRUCTURE(struct rcu, data, "struct rcu_data"),
	POINTS(struct data, head, REQUIRED, "4.12", "cblist.head"),
	LINKS(struct data, done, REQUIRED, "4.12", "cblist.tails"),
	READS(struct data, len, REQUIRED, "5.4 4.12", "cblist.len.counter", "cblist.len"),
	/* 5.4: what an offloaded CPU was given lately; counted in len. */
	POINTS(struct data, bypass, OPTIONAL, "5.4", "nocb_bypass.head"),
	STRUCTURE(struct rcu, callback, "struct callback_head"),
	POINTS(struct callback, next, REQUIRED, "all", "next"),
	POINTS(struct callback, function, REQUIRED, "all", "func"),
};

static enum status read_count(struct dump *d, const char *name, uint64_t *ret)
{
	uint32_t n = 0;

	return RESULT(dump_symbol_u32(d, name, &n), ret, n);
}

static enum status find_flavours(struct dump *d, struct rcu *ret)
{
	/* RCU_STATE_INITIALIZER() in kernel/rcu/tree.c makes both names, up to 4.19. */
	static const struct {
		const char *state, *data;
	} names[] = {
		{ "rcu_state", "rcu_data" },
		{ "rcu_sched_state", "rcu_sched_data" },
		{ "rcu_bh_state", "rcu_bh_data" },
		{ "rcu_preempt_state", "rcu_preempt_data" },
	};
	enum status st = ST_OK;

	for (unsigned int i = 0; i < sizeof(names) / sizeof(*names) && st == ST_OK; i++) {
		struct rcu_flavour *f = &ret->flavours[ret->nflavours];

		if (!dump_has_symbol(d, names[i].state))
			continue;
		st = dump_symbol(d, names[i].state, &f->at)
			     ?: dump_symbol(d, names[i].data, &f->data_at);
		ret->nflavours++;
	}
	return st != ST_OK || ret->nflavours ? st : dump_symbol(d, "rcu_state", &ret->flavours->at);
}

enum status rcu_open(struct dump *d, struct rcu *ret)
{
	uint64_t levels;
	enum status st;

	*ret = (struct rcu){ .dump = d };
	if (!dump_has_symbol(d, "rcu_state") && !dump_has_symbol(d, "rcu_num_lvls"))
		return dump_absent(d, "this kernel has no RCU of the tree: no rcu_state");
	st = STRUCTS_OPEN(d, rows, ret);
	ret->dump = d;
	if (st == ST_OK && dump_ask(d, type_size, "struct rcu_node", &ret->node_bytes) != ST_OK)
		st = dump_unknown(d, "struct rcu_node");
	st = st ?: find_flavours(d, ret)
	     ?: read_count(d, "rcu_num_lvls", &levels) ?: read_count(d, "rcu_num_nodes", &ret->nnodes)
	     ?: percpu_open(d, &ret->cpus);
	if (st == ST_OK && (!levels || !ret->node_bytes || ret->nnodes > MAX_NODES ||
			    ret->nnodes * ret->node_bytes > ret->nodes.size))
		st = dump_corrupt(d, "rcu_num_nodes is %lu, with %lu levels", ret->nnodes, levels);
	if (st == ST_OK)
		ret->leaf = levels - 1;
	/* Red Hat's 8.4 and later have both. */
	ret->has_offsets = dump_has_symbol(d, "kfree_call_rcu") &&
			   !dump_has_symbol(d, "kvfree_call_rcu");
	return st;
}

static bool is_longer(const struct rcu_grace *a, const struct rcu_grace *b)
{
	return a->is_running && (!b->is_running || (int64_t)(a->start - b->start) < 0);
}

enum status rcu_grace_read(const struct rcu *r, struct rcu_grace *ret)
{
	enum status st = ST_OK;

	*ret = (struct rcu_grace){ 0 };
	for (unsigned int i = 0; i < r->nflavours && st == ST_OK; i++) {
		struct state s = { 0 };
		struct rcu_grace grace;

		st = struct_read(&r->state, r->flavours[i].at, &s);
		grace = (struct rcu_grace){ .is_running = s.gp_seq & STATE_MASK,
					    .number = s.gp_seq >> STATE_BITS,
					    .start = s.gp_start };
		if (!i || is_longer(&grace, ret))
			*ret = grace;
	}
	return st;
}

static enum status visit_cpus(const struct node *n,
			      enum status (*visit)(void *arg, const struct rcu_blocker *b),
			      void *arg)
{
	enum status st = ST_OK;

	for (int32_t i = 0; i < MAX_CPUS && n->first + i <= n->last && st == ST_OK; i++)
		if (n->qsmask >> i & 1)
			st = visit(arg, &(struct rcu_blocker){ .is_cpu = true,
							       .cpu = (uint64_t)(n->first + i) });
	return st;
}

/* Those from gp_tasks on to the end of the list (rcu_preempt_ctxt_queue() in kernel/rcu/tree_plugin.h). */
static enum status visit_tasks(const struct rcu *r, const struct node *n,
			       enum status (*visit)(void *arg, const struct rcu_blocker *b),
			       void *arg)
{
	struct list_nodes list = list_of(r->dump, n->blocked, "tasks that block a grace period");
	bool blocks = false;
	uint64_t entry;
	enum status st = ST_OK;

	while (st == ST_OK && list_next(&list, &entry)) {
		/* From the end on, behind a hole in the list. */
		const bool is_last = list.way == LIST_BACKWARD && entry == n->tasks;

		blocks |= entry == n->tasks || list.way == LIST_BACKWARD;
		if (blocks)
			st = visit(arg, &(struct rcu_blocker){ .task = entry - r->entry.offset });
		if (is_last)
			break;
	}
	st = st ?: list_end(&list);
	return st != ST_OK || blocks
		       ? st
		       : dump_corrupt(r->dump,
				      "the task that blocks a grace period is not in its list");
}

/* The node at that offset in the state of each flavour, which all have the same CPUs. */
static enum status visit_node(const struct rcu *r, uint64_t offset,
			      enum status (*visit)(void *arg, const struct rcu_blocker *b),
			      void *arg, struct first_problem *problem)
{
	struct node of[RCU_FLAVOURS] = { { 0 } }, cpus = { 0 };
	enum status st = ST_OK;

	for (unsigned int i = 0; i < r->nflavours && st == ST_OK; i++) {
		struct node n = { 0 };
		uint64_t mask;

		st = first_problem_keep(r->dump, problem,
					struct_read(&r->node, r->flavours[i].at + offset, &n));
		if (st != ST_OK || n.level != r->leaf || n.first < 0)
			continue;
		of[i] = n;
		mask = cpus.qsmask | n.qsmask;
		cpus = n;
		cpus.qsmask = mask;
	}
	st = st ?: first_problem_keep(r->dump, problem, visit_cpus(&cpus, visit, arg));
	for (unsigned int i = 0; i < r->nflavours && st == ST_OK; i++)
		if (r->entry.present && of[i].tasks)
			st = first_problem_keep(r->dump, problem,
						visit_tasks(r, &of[i], visit, arg));
	return st;
}

enum status rcu_blockers_walk(const struct rcu *r,
			      enum status (*visit)(void *arg, const struct rcu_blocker *b),
			      void *arg)
{
	struct first_problem problem = { 0 };
	enum status st = ST_OK;

	for (uint64_t i = 0; i < r->nnodes && st == ST_OK; i++)
		st = visit_node(r, r->nodes.offset + i * r->node_bytes, visit, arg, &problem);
	return st ?: first_problem_end(r->dump, &problem);
}

/* A list without a way back: its length, which its CPU counts, bounds it. */
static enum status visit_list(const struct rcu *r, uint64_t head, uint64_t link, uint64_t done,
			      uint64_t *left,
			      enum status (*visit)(void *arg, const struct rcu_callback *c),
			      void *arg)
{
	bool is_ready = done != 0;
	enum status st = ST_OK;

	while (head && st == ST_OK) {
		struct callback c = { 0 };

		if (dump_stopped(r->dump))
			return ST_STOPPED;
		if (!(*left)--)
			return dump_corrupt(r->dump,
					    "a CPU has more callbacks of RCU than it counts");
		is_ready &= link != done;
		st = struct_read(&r->callback, head, &c);
		if (st == ST_OK)
			st = visit(arg,
				   &(struct rcu_callback){ .address = head,
							   .function = c.function,
							   .is_offset = r->has_offsets &&
									c.function < RCU_OFFSETS,
							   .is_ready = is_ready });
		link = STRUCT_FIELD(&r->callback, struct callback, next)->offset + head;
		head = c.next;
	}
	return st;
}

static enum status visit_cpu(const struct rcu *r, uint64_t at, uint64_t *counted,
			     enum status (*visit)(void *arg, const struct rcu_callback *c),
			     void *arg, struct first_problem *problem)
{
	struct data c = { 0 };
	uint64_t left;
	enum status st = first_problem_keep(r->dump, problem, struct_read(&r->data, at, &c));

	if (st != ST_OK || (!c.head && !c.bypass) || c.len < 0)
		return st;
	left = (uint64_t)c.len + MORE_CALLBACKS;
	*counted += (uint64_t)c.len;
	st = first_problem_keep(r->dump, problem,
				visit_list(r, c.head,
					   at + STRUCT_FIELD(&r->data, struct data, head)->offset,
					   c.done, &left, visit, arg));
	return st
		       ?: first_problem_keep(r->dump, problem,
					     visit_list(r, c.bypass, 0, 0, &left, visit, arg));
}

enum status rcu_callbacks_walk(const struct rcu *r,
			       enum status (*visit)(void *arg, const struct rcu_callback *c),
			       void *arg, uint64_t *counted)
{
	struct first_problem problem = { 0 };
	enum status st = ST_OK;

	*counted = 0;
	for (unsigned int f = 0; f < r->nflavours; f++)
		for (unsigned int i = 0; i < r->cpus.n && st == ST_OK; i++)
			st = visit_cpu(r, r->flavours[f].data_at + r->cpus.offset[i], counted,
				       visit, arg, &problem);
	return st ?: first_problem_end(r->dump, &problem);
}
