// SPDX-License-Identifier: GPL-2.0-or-later
#include "keys.h"

#include <stdio.h>

#define BOTH (KEY_FILTERS | KEY_GROUPS)

const struct key fault_keys[FAULT_KEYS] = {
	[KEY_PID] = { COLUMN_pid, "thread", KEY_FILTERS, .quantity = RANGE_NUMBER },
	[KEY_TGID] = { COLUMN_tgid, "process; its group has the faults of its exited threads too",
		       BOTH, .quantity = RANGE_NUMBER },
	[KEY_PPID] = { COLUMN_ppid, "parent of the process", BOTH, .quantity = RANGE_NUMBER },
	[KEY_COMM] = { COLUMN_comm, "name of the thread; of a kernel thread the full name", BOTH,
		       .is_text = true },
	[KEY_STATE] = { COLUMN_task_state, "state of the thread: the letter of /proc/PID/stat",
			BOTH, .is_text = true, .choices = task_state_letters },
	[KEY_MEMCG] = { COLUMN_memcg, "cgroup that the memory of the process is charged to", BOTH,
			.is_text = true },
	[KEY_CGROUP] = { COLUMN_cgroup, "cgroup on the default hierarchy (cgroup v2)", BOTH,
			 .is_text = true },
	[KEY_KTHREAD] = { COLUMN_kthread, "whether it is a kernel thread", BOTH, .is_text = true,
			  .choices = key_yes_no },
	[KEY_MAJ] = { COLUMN_maj_flt, "major faults of the thread", KEY_FILTERS,
		      .quantity = RANGE_NUMBER },
	[KEY_MIN] = { COLUMN_min_flt, "minor faults of the thread", KEY_FILTERS,
		      .quantity = RANGE_NUMBER },
	[KEY_RSS] = { COLUMN_rss_bytes, "memory of the process that is resident", KEY_FILTERS,
		      .quantity = RANGE_SIZE },
	[KEY_SWAP] = { COLUMN_swap_bytes, "memory of the process that is in swap", KEY_FILTERS,
		       .quantity = RANGE_SIZE },
};

const struct term fault_terms[] = {
	{ "major fault", "page fault that had to wait for a device: page cache or swap was read. "
			 "Since 5.9 a fault that the kernel had to retry is major too" },
	{ "minor fault", "page fault that was resolved from memory" },
	{ "rate", "faults of both kinds per second from the start of the thread to the panic" },
	{ "exited", "faults of threads that exited count for their process, where the key of -g "
		    "belongs to a process: tgid, ppid, memcg, cgroup, kthread" },
	{ "kernel thread", "its name stands in brackets in text" },
	{ NULL, NULL },
};

static const char *number(char buf[16], int32_t v)
{
	snprintf(buf, 16, "%d", v);
	return buf;
}

const char *thread_text(const struct thread *t, enum fault_key key, char buf[16])
{
	const struct task *task = t->task;

	switch (key) {
	case KEY_PID:
		return number(buf, task->pid);
	case KEY_TGID:
		return number(buf, task->tgid);
	case KEY_PPID:
		return task->has_ppid ? number(buf, task->ppid) : NULL;
	case KEY_COMM:
		return t->name;
	case KEY_STATE:
		snprintf(buf, 16, "%c", task->state);
		return task->state ? buf : NULL;
	case KEY_MEMCG:
		return t->paths.memcg;
	case KEY_CGROUP:
		return t->paths.cgroup;
	case KEY_KTHREAD:
		return task->is_kthread ? "yes" : "no";
	default:
		return NULL;
	}
}

static bool keeps_number(const struct filter *f, bool known, int64_t v)
{
	return known ? filter_keeps_number(f, v < 0 ? 0 : v) : filter_keeps_unknown(f);
}

static bool keeps(const struct filter *f, const struct thread *t, unsigned int page_shift)
{
	const struct task *task = t->task;
	char buf[16];

	switch ((enum fault_key)f->key) {
	case KEY_PID:
		return keeps_number(f, true, task->pid);
	case KEY_TGID:
		return keeps_number(f, true, task->tgid);
	case KEY_PPID:
		return keeps_number(f, task->has_ppid, task->ppid);
	case KEY_MAJ:
		return filter_keeps_number(f, task->maj_flt);
	case KEY_MIN:
		return filter_keeps_number(f, task->min_flt);
	case KEY_RSS:
		return keeps_number(f, task->has_mm, (int64_t)((uint64_t)task->rss << page_shift));
	case KEY_SWAP:
		return keeps_number(f, task->has_mm, (int64_t)((uint64_t)task->swap << page_shift));
	default:
		return filter_keeps_text(f, thread_text(t, f->key, buf));
	}
}

bool thread_selects(const struct filters *filters, const struct thread *t, unsigned int page_shift)
{
	for (unsigned int i = 0; i < filters->n; i++)
		if (!keeps(&filters->filters[i], t, page_shift))
			return false;
	return true;
}
