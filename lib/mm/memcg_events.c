// SPDX-License-Identifier: GPL-2.0-or-later
#include "mm/memcg_events.h"

enum status memcg_events_read(struct dump *d, struct memcg_tree *ret)
{
	struct memcg_counter kinds[VM_EVENTS];

	for (size_t i = 0; i < VM_EVENTS; i++)
		kinds[i] = (struct memcg_counter){ vm_event_kinds[i].enumerator,
						   vm_event_kinds[i].of_memcg };
	return memcg_counts_read(d, kinds, VM_EVENTS, ret);
}
