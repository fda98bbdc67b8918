// SPDX-License-Identifier: GPL-2.0-or-later
#include "stuck_holder_cells.h"

#include "collect/stuck_reused.h"

static uint64_t readers_of(const struct stuck_task *r)
{
	return r->holder && r->holds == HOLDS_READER ? r->holder->readers : 0;
}

static bool is_doubtful(const struct stuck_task *r)
{
	return r->holds == HOLDS_ITSELF || stuck_owner_is_doubted(r);
}

struct cell stuck_doubtful_cell(const void *record, void *view NOT_USED)
{
	const struct stuck_task *r = record;

	return cell_if(r->holder, cell_bool(is_doubtful(r) || r->holds == HOLDS_AGAIN));
}

struct cell stuck_readers_cell(const void *record, void *view NOT_USED)
{
	const struct stuck_task *r = record;

	return cell_if(readers_of(r), cell_uint(readers_of(r)));
}

static bool is_hidden(const struct stuck_task *r, const struct owner_view *v)
{
	return stuck_owner_is_doubted(r) && !v->in->opts.json;
}

struct cell stuck_held_by_cell(const void *record, void *view)
{
	/* That a word of its stack is the lock does not prove that it did not give it back. */
	static const char *const marks[HOLDS_KINDS] = { [HOLDS_NOTED] = "last reader",
							[HOLDS_AGAIN] = "last reader",
							[HOLDS_LAST] = "took it last",
							[HOLDS_QUEUED] = "waits first" };
	const struct stuck_task *r = record;
	const struct owner_view *v = view;

	if (!r->holder)
		return cell_text(r->peer ? r->peer->comm : NULL);
	if (is_hidden(r, v))
		return cell_text("unknown");
	if (is_doubtful(r))
		return cell_text(dump_text(v->dump, "%s (doubtful)", r->holder->task.comm));
	if (marks[r->holds])
		return cell_text(
			dump_text(v->dump, "%s (%s)", r->holder->task.comm, marks[r->holds]));
	if (r->holder->work && r->holder->work->function && r->holds != HOLDS_WORK)
		return cell_text(dump_text(v->dump, "%s (%s)", r->holder->task.comm,
					   r->holder->work->function));
	if (readers_of(r) > 1)
		return cell_text(
			dump_text(v->dump, "%s (1 of %lu)", r->holder->task.comm, readers_of(r)));
	return cell_text(r->holder->task.comm);
}

struct cell stuck_holder_cell(const void *record, void *view)
{
	const struct stuck_task *r = record;

	if (is_hidden(r, view))
		return cell_text(NULL);
	return r->holder ? cell_int(r->holder->task.pid)
	       : r->peer ? cell_int(r->peer->tgid)
			 : cell_text(NULL);
}

struct cell stuck_holder_comm_cell(const void *record, void *view)
{
	const struct stuck_task *r = record;

	if (is_hidden(r, view))
		return cell_text(NULL);
	return cell_text(r->holder ? r->holder->task.comm : r->peer ? r->peer->comm : NULL);
}
