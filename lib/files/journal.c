// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/journal.h"

#include "modules/module_sections.h"

#define MAX_WAITING 65536 /* entries of a queue */

static const struct layout_row rows[] = {
	FINDS(struct journals, thread, "struct journal_s", REQUIRED, "all", "j_task"),
	FINDS(struct journals, wait[0], "struct journal_s", REQUIRED, "all", "j_wait_done_commit"),
	FINDS(struct journals, wait[1], "struct journal_s", REQUIRED, "all",
	      "j_wait_transaction_locked"),
};

enum status journals_open(struct dump *d, struct journals *ret)
{
	struct journals x = { .dump = d };
	enum status st = module_object_type(d, "jbd2", "struct journal_s")
				 ?: wait_queues_open(d, &x.queues)
				 ?: STRUCTS_OPEN(d, rows, &x);

	return RESULT(st, ret, x);
}

/* One of the nodes of a queue is its head, inside of the journal; the others are entries. */
static bool find_head(const struct journals *x, uint64_t node,
		      const struct journal_threads *threads, uint64_t *ret)
{
	for (unsigned int i = 0; i < JOURNAL_QUEUES; i++) {
		uint64_t journal = node - x->queues.head.offset - x->wait[i].offset;
		uint8_t raw[8];

		if (dump_try(x->dump, journal + x->thread.offset, raw, sizeof(raw)) != ST_OK ||
		    !threads->is(threads->arg, le64(raw)))
			continue;
		*ret = le64(raw);
		return true;
	}
	return false;
}

enum status journal_wait_find(const struct journals *x, uint64_t task, const struct task_stack *s,
			      const struct journal_threads *threads, uint64_t *ret)
{
	uint64_t word;

	for (uint64_t at = s->sp & ~7ULL; at < s->base + s->size; at += 8) {
		struct list_nodes l;
		uint64_t node;

		if (!task_stack_word(s, at, &word) || word != task)
			continue;
		node = at - x->queues.private.offset + x->queues.entry.offset;
		l = list_of(x->dump, node, "entries of a wait queue");
		for (unsigned int n = 0; n < MAX_WAITING && list_next(&l, &node); n++)
			if (find_head(x, node, threads, ret))
				return ST_OK;
	}
	return dump_absent(x->dump, "it is in no queue of a journal");
}
