// SPDX-License-Identifier: GPL-2.0-or-later
#include "stuck_rows.h"

#include "collect/stuck_words.h"

const struct stuck_disk *stuck_disk_of(const struct stuck_task *s)
{
	static const struct disk no_disk;
	static const struct stuck_disk none = { .disk = &no_disk };

	return s->disk ?: &none;
}

struct cell stuck_disk_on_cell(const void *record, void *view)
{
	const struct owner_view *v = view;
	const struct stuck_disk *k = stuck_disk_of(record);
	const struct mapped_device *m = &k->mapped;
	struct strbuf b = STRBUF_OF(1024);

	for (unsigned int i = 0; i < m->nbelow; i++)
		strbuf_add(&b, "%s%s", i ? "," : "", m->below[i]->name);
	return cell_text(k->has_mapped && m->below_complete ? dump_strdup(v->dump, b.buf) : NULL);
}

struct cell stuck_disk_server_cell(const void *record, void *view)
{
	struct owner_view *v = view;
	const struct stuck_disk *k = stuck_disk_of(record);

	return k->servers.n || k->servers_complete
		       ? cell_list(file_users_list(&k->servers, k->servers_complete, &v->lists))
		       : cell_text(NULL);
}

/* Rows of other threads of its process. */
static const char *siblings_text(struct dump *d, const struct stuck *all,
				 const struct stuck_task *s)
{
	unsigned int n = 0;

	for (const struct stuck_task *row = all->first; row; row = row->next)
		n += row->task.tgid == s->task.tgid && row->task.pid != s->task.pid;
	if (!n)
		return "";
	return dump_text(d, ", but %u other thread%s of process %d %s (-f tgid=%d)", n,
			 n == 1 ? "" : "s", s->task.tgid, n == 1 ? "is" : "are", s->task.tgid);
}

static const char *other_text(struct dump *d, const struct stuck *all, bool is_row,
			      const struct stuck_task *s)
{
	if (is_row)
		return dump_text(d, "a filter before this one leaves out %s (%d)", s->task.comm,
				 s->task.pid);
	if (s->on_cpu)
		return dump_text(d, "%s (%d) was on a CPU: where is not known for certain",
				 s->task.comm, s->task.pid);
	if (!s->is_whole)
		return dump_text(d, "%s (%d) is at a place that is unknown", s->task.comm,
				 s->task.pid);
	return dump_text(d, "%s (%d) is at none of these places, on no lock%s%s", s->task.comm,
			 s->task.pid,
			 all->has_file_locks ? "" : " (locks of files are not all known)",
			 siblings_text(d, all, s));
}

static void add_others(struct dump *d, const struct stuck *all, bool is_row, bool by_pid,
		       struct other_names *ret)
{
	struct other_name **last = &ret->first;

	while (*last)
		last = &(*last)->next;
	for (const struct stuck_task *s = is_row ? all->first : all->others; s; s = s->next) {
		struct other_name *o = dump_alloc(d, sizeof(*o));

		*o = (struct other_name){
			.name = by_pid ? dump_text(d, "%d", s->task.pid) : s->task.comm,
			.text = other_text(d, all, is_row, s),
		};
		*last = o;
		last = &o->next;
	}
}

/* What became of a thread that is asked for and is no row. */
static void find_others(struct dump *d, bool by_pid, struct other_names *ret)
{
	struct stuck *all = dump_alloc(d, sizeof(*all));

	if (stuck_collect(d, &(struct stuck_wish){ 0 }, all) != ST_OK)
		return;
	add_others(d, all, true, by_pid, ret);
	add_others(d, all, false, by_pid, ret);
	if (!all->ends_early)
		ret->unknown = by_pid ? "no thread has this number" : "no thread has this name";
}

void stuck_others_by_pid(struct dump *d, struct other_names *ret)
{
	find_others(d, true, ret);
}

void stuck_others_by_name(struct dump *d, struct other_names *ret)
{
	find_others(d, false, ret);
}

struct cell stuck_does_cell(const void *record, void *view)
{
	const struct stuck_task *s = record;
	const struct owner_view *v = view;
	struct strbuf b = STRBUF_OF(1024);

	stuck_add_wait(s, &b);
	return cell_text(s->has_frames || s->on_cpu ? dump_strdup(v->dump, b.buf) : NULL);
}
