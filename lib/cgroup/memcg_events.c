// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/memcg_events.h"

enum status memcg_events_read(struct dump *d, struct memcg_tree *ret)
{
	struct memcg_counter kinds[VM_EVENTS];
	struct memcg_tree tree;
	enum status st;

	for (size_t i = 0; i < VM_EVENTS; i++)
		kinds[i] = (struct memcg_counter){
			{ vm_event_kinds[i].enumerator },
			vm_event_kinds[i].of_memcg,
			MEMCG_TIMES,
			vm_event_kinds[i].instead ? vm_event_kinds[i].instead
						  : vm_event_kinds[i].enumerator,
		};
	st = memcg_counts_read(d, kinds, VM_EVENTS, 0, &tree);
	if (st != ST_OK)
		return st;
	if (tree.stats_problem)
		return dump_fail(d, tree.stats_status, "%s", tree.stats_problem);
	*ret = tree;
	return ST_OK;
}
