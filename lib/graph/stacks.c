// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks of live tasks.  Those that no task has are full of words of before. */
#include "graph/edges.h"
#include "graph/nodes.h"
#include "tasks/task.h"
#include "tasks/task_stack.h"

struct finder {
	struct graph *g;
	uint64_t size;
};

static enum status add_task(void *arg, const struct task *task)
{
	struct finder *f = arg;
	struct graph *g = f->g;
	struct dump *d = g->dump;
	struct graph_task *kept;
	uint64_t pfn = (task->stack - g->linear) >> d->page_shift;

	if (!task->stack || task->stack & (dump_page_size(d) - 1))
		return ST_OK;
	if (!graph_add(g, NODE_STACK, task->stack, (uint32_t)f->size, 1, 0))
		return ST_OK;
	kept = chunks_add(&g->tasks);
	if (kept)
		*kept = (struct graph_task){ task->address, task->kthread };
	if (pfn >= g->end) {
		graph_map(g, task->stack, task->stack + f->size, g->spans.n - 1, 1);
		return ST_OK;
	}
	for (uint64_t i = 0; i < f->size >> d->page_shift && pfn + i < g->end; i++)
		g->page_spans[pfn + i] = g->spans.n;
	return ST_OK;
}

enum status graph_add_stacks(struct graph *g, struct graph_sources *s)
{
	struct dump *d = g->dump;
	struct finder f = { .g = g, .size = thread_size(d) };
	struct tasks *tasks = dump_alloc(d, sizeof(*tasks));
	enum status st = tasks_open(d, tasks);

	g->first_stack = g->spans.n;
	if (st == ST_OK && (!f.size || f.size > PLACE_MAX))
		st = dump_unknown(d, "no size of union thread_union");
	tasks->identity_only = true;
	st = st ?: tasks_walk(tasks, add_task, &f);
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK)
		graph_lacks(s, "stacks of tasks");
	return ST_OK;
}

/* Its struct kthread names the function. */
void graph_tag_threads(struct graph *g)
{
	for (uint32_t i = g->first_stack; i < g->spans.n && i - g->first_stack < g->tasks.n; i++) {
		uint16_t *tag = &g->tags[graph_span(g, i)->first];
		const struct span *s;
		uint32_t node, place;

		if (graph_module(g, *tag) ||
		    !graph_find(g, graph_task(g, i)->kthread, &s, &node, &place))
			continue;
		if (s->kind == NODE_OBJECT && !place && graph_module(g, g->tags[node]))
			*tag = g->tags[node];
	}
}
