// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/task_places.h"

enum status task_places_open_files(struct dump *d, struct task_places *ret)
{
	enum status st = dump_ask(d, member, "struct mm_struct", "exe_file", &ret->exe_file)
				 ?: file_paths_open(d, &ret->files);

	ret->has_files = st == ST_OK;
	return st;
}

void task_places_open(struct dump *d, struct task_places *ret)
{
	ret->has_cgroups = cgroups_open(d, &ret->cgroups) == ST_OK &&
			   cgroups_check_sets(&ret->cgroups) == ST_OK;
	ret->is_v1 = cgroups_memory_is_v1(d);
	task_places_open_files(d, ret);
	if (!ret->has_cgroups || !ret->has_files)
		decoder_trace(d, "decide no %s of a process: %s",
			      ret->has_cgroups ? "executable" : "cgroup", d->error);
}

const char *task_cgroup(struct task_places *p, const struct task *t)
{
	struct css_set_paths paths;

	if (!p->has_cgroups)
		return NULL;
	paths = cgroups_of_set(&p->cgroups, t->css_set);
	return p->is_v1 ? paths.memcg : paths.cgroup;
}

const char *task_executable(struct task_places *p, const struct task *t)
{
	const char *path;
	uint8_t raw[8];

	if (!p->has_files || !t->mm ||
	    dump_try(p->files.dump, t->mm + p->exe_file.offset, raw, sizeof(raw)) != ST_OK ||
	    !le64(raw) || file_path(&p->files, le64(raw), &path) != ST_OK)
		return NULL;
	return path;
}
