// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/loop.h"

#include "kernel/xarray.h"
#include "modules/module_sections.h"

enum status loop_walk(struct dump *d,
		      enum status (*visit)(void *arg, uint64_t index, const uint64_t *words,
					   unsigned int n),
		      void *arg)
{
	uint64_t idr, head = 0, index, device, words[LOOP_WORDS];
	uint8_t bytes[sizeof(words)];
	struct xa_entries x;
	enum status st = module_object_symbol(d, "loop", "loop_index_idr", &idr)
				 ?: idr_head(d, idr, "loop_index_idr", &head);

	if (st != ST_OK)
		return st;
	for (xa_begin(&x, d, head); st == ST_OK && xa_next(&x, &index, &device);) {
		st = dump_read(d, device, bytes, sizeof(bytes), "loop_device");
		for (unsigned int i = 0; i < LOOP_WORDS; i++)
			words[i] = le64(bytes + 8 * i);
		st = st ?: visit(arg, index, words, LOOP_WORDS);
	}
	return st ?: xa_end(&x);
}
