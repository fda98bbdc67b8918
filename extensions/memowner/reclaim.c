// SPDX-License-Identifier: GPL-2.0-or-later
/* Why memory was not freed: tasks that waited for it, kswapd that gave up, what memory.min protects. */
#include "cgroup/memcg_state.h"
#include "kernel/psi.h"
#include "limits.h"
#include "summary.h"
#include "util/units.h"
#include "zones/reclaim.h"

#define TEXT 160 /* the longest sentence with its numbers has 120 */

static void add(struct summary *s, const char *name, struct maybe_u64 pages, const char *text)
{
	summary_add(s, &(struct statement){ .section = SECTION_RECLAIM,
					    .name = name,
					    .pages = pages,
					    .remark = arena_strdup(s->dump->arena, text) });
}

/* "all tasks waited for memory in 36.43% of the last 10 s (PSI full)": those that were not idle, at once */
static void add_pressure(struct summary *s)
{
	const struct dump_info *end = &s->report->info;
	const struct psi_figures *full;
	struct psi psi;
	struct psi_state state;
	char text[TEXT];
	bool off;
	unsigned int kind = 0;
	enum status st = psi_open(s->dump, &psi, &off);

	while (strcmp(psi_kinds[kind].enumerator, "PSI_MEM_FULL"))
		kind++;
	if (st == ST_OK && end->has_panic_time)
		psi_set_time(&psi, end->panic_ns);
	st = st ?: psi_read(&psi, psi.system, &state);
	summary_failed(s, "pressure", st);
	if (st != ST_OK || psi.index[kind] < 0)
		return;
	full = state.has_now ? &state.now[kind] : &state.recorded[kind];
	if (full->avg[0] < limit(LIMIT_PRESSURE))
		return;
	snprintf(text, sizeof(text),
		 "all tasks waited for memory in %lu.%02lu%% of the last 10 s (PSI full)",
		 full->avg[0] / 100, full->avg[0] % 100);
	if (!state.has_now && state.has_age)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 ", as of %s before the end", TIME_TEXT(state.age_ns));
	add(s, "pressure", (struct maybe_u64){ 0 }, text);
	s->is_pressed = true;
}

static void add_kswapd(struct summary *s)
{
	struct node_reclaims nodes;
	char text[TEXT];
	enum status st = reclaim_open(s->dump, &nodes);

	summary_failed(s, "kswapd", st);
	for (size_t i = 0; st == ST_OK && i < nodes.n; i++) {
		if (nodes.nodes[i].failures < RECLAIM_RETRIES)
			continue;
		snprintf(text, sizeof(text),
			 "kswapd of node %u gave up: %u runs in a row freed nothing",
			 nodes.nodes[i].node, nodes.nodes[i].failures);
		add(s, "kswapd", (struct maybe_u64){ 0 }, text);
	}
}

/* What cgroups right below the root have, as far as their memory.min goes. */
static void add_protected(struct summary *s)
{
	struct memcg_states states;
	struct memcg_state root;
	char text[TEXT];
	uint64_t at, pages;
	enum status st;

	if (!s->has_cgroups || !s->ram_pages)
		return;
	st = memcg_states_open(s->dump, &states) ?: dump_value(s->dump, "root_mem_cgroup", &at) ?:
		memcg_state_read(&states, at, &root);
	summary_failed(s, "memory.min", st);
	pages = st == ST_OK && root.has[MEMCG_CHILDREN_MIN] ? root.value[MEMCG_CHILDREN_MIN] : 0;
	if (pages > s->ram_pages || units_tenths(pages, s->ram_pages) < limit(LIMIT_PROTECTED))
		return;
	snprintf(text, sizeof(text), "memory.min of cgroups protects %s from reclaim",
		 SIZE_TEXT(pages << s->dump->page_shift));
	add(s, "memory.min", (struct maybe_u64){ pages, true }, text);
}

enum status summary_reclaim(struct summary *s)
{
	add_pressure(s);
	add_kswapd(s);
	add_protected(s);
	return ST_OK;
}
