// SPDX-License-Identifier: GPL-2.0-or-later
/* A size of one damaged object is in the sum of its process: what is more than all memory is no sum. */
#include "collect/held.h"
#include "kernel/most_pages.h"
#include "util/units.h"

const char *held_doubt(struct dump *d, struct held *h, enum held_kind kind)
{
	const char *ret = NULL;
	struct most_pages most;

	most_pages_read(d, &most);
	hash_u64_for_each(struct held_process, p, &h->processes) {
		const uint64_t bytes = p->bytes[kind];

		if (!most_pages_exceeds(most.ram, bytes >> d->page_shift) || !d->page_shift)
			continue;
		ret = dump_text(d, "those of %s (%d) would be %s, more than the machine has",
				p->comm, p->tgid, SIZE_TEXT(bytes));
		p->all -= bytes;
		p->bytes[kind] = 0;
		p->n[kind] = 0;
	}
	return ret;
}
