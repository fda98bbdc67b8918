// SPDX-License-Identifier: GPL-2.0-or-later
#include "memory/rcu_waits.h"

#include "noun.h"

#define ROW struct rcu_wait
#define BELOW struct rcu_holder

CELL_FROM(bytes_cell, ROW, cell_if(r->cache_at != 0, cell_uint(r->bytes)))
CELL_FROM(cache_cell, ROW, cell_text(r->cache_at ? r->cache : r->is_unknown ? NULL : ""))

static const struct view_column columns[] = {
	{ COLUMN_callbacks, IN_BOTH | KNOWN, UINT_OF(ROW, n) },
	{ COLUMN_bytes, IN_BOTH,
	  "of the objects of the cache; null: of what is freed no slab is known",
	  CELL_BY(bytes_cell) },
	{ COLUMN_ready_callbacks, IN_BOTH | KNOWN, UINT_OF(ROW, ready) },
	{ COLUMN_cache, IN_BOTH, "empty: what is freed is not known as an object of slab",
	  CELL_BY(cache_cell) },
	{ COLUMN_function, IN_BOTH, "that frees it", TEXT_OF(ROW, function) },
	{ COLUMN_module, IN_JSON | OR_NONE, "of the function", TEXT_OF(ROW, module) },
	BASIS(derived),
};

static const struct key keys[] = {
	{ COLUMN_cache, "slab cache of what is freed", KEY_FILTERS },
	{ COLUMN_function, "function that frees it", KEY_FILTERS },
	{ COLUMN_callbacks, "number of callbacks", KEY_FILTERS },
};

CAN_HAVE(is_cpu, BELOW, void, r->is_cpu)
CELL_WITH(age_cell, BELOW, struct owner_view,
	  cell_if(((struct rcu_waits *)v->own)->has_age,
		  cell_uint(((struct rcu_waits *)v->own)->age_ns)))

static const struct view_column holder_columns[] = {
	{ COLUMN_grace_age_ns, IN_BOTH, CELL_BY(age_cell) },
	{ COLUMN_cpu, IN_BOTH, "that has told no quiescent state since its start",
	  .can_have = is_cpu, UINT_IF(BELOW, cpu, is_cpu) },
	{ COLUMN_pid, IN_BOTH, "of the task in a read-side section, or that the CPU ran",
	  INT_IF(BELOW, pid, has_task) },
	{ COLUMN_comm, IN_BOTH, TEXT_OF(BELOW, comm) },
	{ COLUMN_task_state, IN_JSON, TEXT_OF(BELOW, state) },
	{ COLUMN_function, IN_BOTH, "where it is, beyond what gives up the CPU",
	  TEXT_OF(BELOW, function) },
	{ COLUMN_module, IN_BOTH | OR_NONE, "of that function", TEXT_OF(BELOW, module) },
	BASIS(derived),
};

static const struct view holder_view = { "rcu-holder", "", COLUMNS_OF(holder_columns) };

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	struct rcu_waits *r = v->own = dump_alloc(v->dump, sizeof(*r));
	struct session session;
	enum status st;

	owner_view_init(v);
	st = owner_view_open_states(v);
	*why = availability_of(st);
	if (st != ST_OK)
		return st;
	session = owner_session(v);
	st = rcu_waits_collect(&session, r);
	v->collected = (struct collected){ .gaps = r->gaps, .is_partial = r->is_partial };
	if (st == ST_OK) {
		struct rcu_wait *all = dump_alloc(v->dump, (r->all.n + 1) * sizeof(*all));
		size_t n = 0;

		hash_bytes_for_each(const struct rcu_wait, w, &r->all)
			all[n++] = *w;
		v->collected = (struct collected){ COLLECTED_ARRAY(all, n),
						   COLLECTED_BELOW(r->holders, r->nholders),
						   .gaps = r->gaps, .is_partial = r->is_partial };
	}
	*why = st == ST_ABSENT ? NOT_BUILT : availability_of(st);
	return st;
}

static void put_text(void *arg)
{
	struct owner_view *v = arg;
	const struct rcu_waits *r = v->own;

	if (!r->n && r->problem)
		sink_text(v->out, "callbacks of RCU are unknown\n");
	else
		sink_printf(v->out, "%s%s; %s%s\n", r->problem ? "at least " : "",
			    PLURAL_TEXT(r->n, "callback of RCU", "callbacks of RCU"),
			    r->unknown && !r->bytes    ? "what they free is unknown"
			    : r->problem || r->unknown ? "at least "
						       : "",
			    r->unknown && !r->bytes ? ""
						    : dump_text(v->dump, "%s of slab objects",
								SIZE_TEXT(r->bytes)));
	if (!r->has_grace)
		return;
	if (!r->grace.is_running)
		sink_text(v->out, "no grace period is running\n");
	else
		sink_printf(v->out, "a grace period is running%s%s; it waits for %s\n",
			    r->has_age ? ", since " : "", r->has_age ? TIME_TEXT(r->age_ns) : "",
			    r->nall ? "what is above"
			    : r->problem
				    ? "what is not known"
				    : "no CPU and no task: its kernel thread has not ended it");
}

static const struct view view = {
	"rcu",
	"",
	COLUMNS_OF(columns),
	KEYS_OF(keys),
	.below = &holder_view,
	ROWS_ARE("row", "rows", "bytes,callbacks,function", 20),
	.open = open_view,
	.show = owner_collected_show,
	.put_text = put_text,
};

static char *help[] = {
	"memowner rcu",
	"what was freed and waits for RCU, and what blocks that",
	"",
	"  Callbacks of all CPUs by their function and the slab cache of what they free:",
	"  memory that is not used, and that is free again when the grace period has",
	"  ended. Below, what the one that runs waits for: a task that sleeps inside of",
	"  rcu_read_lock(), a CPU that told no quiescent state. What kfree_rcu() gathers",
	"  on its own is in no row.",
	"EXAMPLES",
	"  All; what is freed by one function:",
	"    memowner rcu",
	"    memowner rcu -f function=i_callback",
	NULL
};

static const struct baseline baseline = {
	.by = { { COLUMN_function, COLUMN_cache } },
	.amounts = { { COLUMN_bytes } },
	.counts = { { COLUMN_callbacks } },
	.many = "callbacks",
};

static const struct view diff_view = { BASELINE_OF(baseline, "function", "functions"), NO_KEYS };

static const struct view *const views[] = { &view, &diff_view };

static const struct command_option options[] = {
	RANKED_ROWS("callbacks=1..", "callbacks", "+module"), DIFF, LAST_OPTIONS
};

OWNER_NOUN(rcu)
