// SPDX-License-Identifier: GPL-2.0-or-later
/* What a file is of System V shared memory: its segment, and who made it. */
#include "files.h"

static void read_segments(struct files_view *f)
{
	struct dump *d = f->v->dump;
	enum status st = sysv_shms_read(d, &f->shms);

	f->has_shms = true;
	if (st != ST_OK && st != ST_ABSENT)
		f->shms.problem = dump_why(d);
	if (task_index_open(d, &f->tasks) != ST_OK)
		hash_u64_init(&f->tasks.tasks, d->arena, sizeof(struct task_name));
}

/* False: it is none, or that is unknown, as the cell says then. */
static bool is_segment(struct files_view *f, const struct file_row *r, const struct sysv_shm **shm,
		       struct cell *cell)
{
	if (!f->has_shms)
		read_segments(f);
	*shm = r->inode ? hash_u64_find(&f->shms.by_inode, r->inode->address) : NULL;
	*cell = r->inode && !f->shms.problem ? cell_none() : cell_text(NULL);
	return *shm;
}

#define SEGMENT_CELL(FUNCTION, CELL)                                        \
	struct cell FUNCTION(const void *record, void *view) {              \
		const struct sysv_shm *shm;                                 \
		struct cell cell;                                           \
                                                                            \
		return is_segment(view, record, &shm, &cell) ? CELL : cell; \
	}

SEGMENT_CELL(files_shm_id_cell, cell_int(shm->id))
SEGMENT_CELL(files_attaches_cell, cell_uint(shm->attaches))

struct cell files_created_cell(const void *record, void *view)
{
	struct files_view *f = view;
	const struct task_name *t;
	const struct sysv_shm *shm;
	const char *comm;
	struct cell cell;

	if (!is_segment(f, record, &shm, &cell))
		return cell;
	if (!shm->creator.known)
		return cell_text(NULL);
	t = shm->creator_life == SYSV_LIVE ? task_index_get(&f->tasks, (int32_t)shm->creator.n)
					   : NULL;
	comm = shm->creator_life == SYSV_ENDED ? "ended" : t ? t->comm : "?";
	return cell_text(dump_text(f->v->dump, "%lu(%s)", shm->creator.n, comm));
}
