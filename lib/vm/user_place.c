// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/user_place.h"

#include "tasks/task.h"
#include "vm/vma.h"

enum status user_place_of(struct dump *d, uint64_t mm, uint64_t address, const char **ret)
{
	struct vmas *vmas = dump_alloc(d, sizeof(*vmas));
	struct vma vma;
	const char *name = NULL;
	enum status st = vmas_open(d, vmas)
				 ?: vma_find(vmas, mm, address, &vma)
				 ?: vma_name(vmas, &vma, &name);

	if (st == ST_OK && !name)
		st = dump_absent(d, "what is mapped there has no name");
	if (st != ST_OK)
		return st;
	*ret = dump_text(d, "%s+0x%lx", name,
			 address - vma.start + (vma.file ? vma.pgoff << d->page_shift : 0));
	return ST_OK;
}

enum status user_place_text(struct dump *d, int32_t pid, uint64_t address, const char **ret)
{
	struct tasks tasks;
	struct task task;
	enum status st = tasks_open(d, &tasks) ?: tasks_find(&tasks, pid, &task);

	if (st == ST_OK && !task.mm)
		st = dump_absent(d, "the task has no memory of its own");
	return st ?: user_place_of(d, task.mm, address, ret);
}
