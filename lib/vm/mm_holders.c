// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/mm_holders.h"

#include "kernel/list.h"

static const struct layout_row rows[HOLDER_FIELDS] = {
	[HOLDER_TASK_MM] = FIELD_ROW("struct task_struct", REQUIRED, "all", "mm"),
	[HOLDER_ACTIVE_MM] = FIELD_ROW("struct task_struct", REQUIRED, "all", "active_mm"),
	[HOLDER_OOM_MM] = FIELD_ROW("struct signal_struct", OPTIONAL, "4.9", "oom_mm"),
	[HOLDER_RQ_IDLE] = FIELD_ROW("struct rq", OPTIONAL, "all", "idle"),
	[HOLDER_FILE_DATA] = FIELD_ROW("struct file", REQUIRED, "all", "private_data"),
	[HOLDER_SEQ_PRIVATE] = FIELD_ROW("struct seq_file", OPTIONAL, "all", "private"),
	[HOLDER_MAPS_MM] = FIELD_ROW("struct proc_maps_private", OPTIONAL, "7.2, all",
				     "lock_ctx.mm", "mm"),
	[HOLDER_UFFD_MM] = FIELD_ROW("struct userfaultfd_ctx", OPTIONAL, "4.3", "mm"),
	[HOLDER_RING_MM] = FIELD_ROW("struct io_ring_ctx", OPTIONAL, "5.9", "mm_account"),
	/* Up to 6.0 there are two structures of this name: what each scanner points to is its own. */
	[HOLDER_SLOT_NODE] = FIELD_ROW("struct mm_slot", OPTIONAL, "2.6.38; of ksmd 6.1",
				       "mm_node"),
	[HOLDER_SLOT_MM] = FIELD_ROW("struct mm_slot", OPTIONAL, "2.6.38", "mm"),
	[HOLDER_SCAN_LIST] = FIELD_ROW("struct khugepaged_scan", OPTIONAL, "2.6.38", "mm_head"),
	[HOLDER_KSM_SLOT] = FIELD_ROW("struct ksm_mm_slot", OPTIONAL, "6.1", "slot"),
	[HOLDER_HUGE_NODE] = FIELD_ROW("struct khugepaged_scan.mm_slot", OPTIONAL, "6.1, 2.6.38",
				       "slot.mm_node", "mm_node"),
	[HOLDER_HUGE_MM] = FIELD_ROW("struct khugepaged_scan.mm_slot", OPTIONAL, "6.1, 2.6.38",
				     "slot.mm", "mm"),
	[HOLDER_KSM_NODE] = FIELD_ROW("struct ksm_scan.mm_slot", OPTIONAL, "6.1, 2.6.32",
				      "slot.mm_node", "mm_list"),
	[HOLDER_KSM_MM] = FIELD_ROW("struct ksm_scan.mm_slot", OPTIONAL, "6.1, 2.6.32", "slot.mm",
				    "mm"),
};

/* Files that keep an mm_struct: the way from struct file to the pointer, ended by HOLDER_FIELDS. */
#define PROC_SEQ                                                                    \
	{                                                                           \
		HOLDER_FILE_DATA, HOLDER_SEQ_PRIVATE, HOLDER_MAPS_MM, HOLDER_FIELDS \
	}
#define PROC_MM                                 \
	{                                       \
		HOLDER_FILE_DATA, HOLDER_FIELDS \
	}

static const struct file_use {
	const char *operations, *what;
	enum mm_holder_field way[4];
} file_uses[] = {
	{ "proc_mem_operations", "/proc/PID/mem open in", PROC_MM },
	{ "proc_environ_operations", "/proc/PID/environ open in", PROC_MM },
	{ "proc_auxv_operations", "/proc/PID/auxv open in", PROC_MM },
	{ "proc_pagemap_operations", "/proc/PID/pagemap open in", PROC_MM },
	{ "proc_pid_maps_operations", "/proc/PID/maps open in", PROC_SEQ },
	{ "proc_pid_smaps_operations", "/proc/PID/smaps open in", PROC_SEQ },
	{ "proc_pid_smaps_rollup_operations", "/proc/PID/smaps_rollup open in", PROC_SEQ },
	{ "proc_pid_numa_maps_operations", "/proc/PID/numa_maps open in", PROC_SEQ },
	{ "userfaultfd_fops",
	  "userfaultfd open in",
	  { HOLDER_FILE_DATA, HOLDER_UFFD_MM, HOLDER_FIELDS } },
	{ "io_uring_fops",
	  "io_uring open in",
	  { HOLDER_FILE_DATA, HOLDER_RING_MM, HOLDER_FIELDS } },
};

static void note_problem(struct mm_holders *h, const char *text)
{
	if (!h->problem)
		h->problem = dump_strdup(h->dump, text);
}

/* What a part lacks costs its holders, not those of the other parts. */
static enum status keep_going(struct mm_holders *h, enum status st)
{
	if (st == ST_OK || st == ST_STOPPED)
		return st;
	note_problem(h, h->dump->error);
	return ST_OK;
}

static struct mm_holder *add_holder(struct mm_holders *h, uint64_t mm, const char *what)
{
	struct mm_holder **first, *holder = dump_alloc(h->dump, sizeof(*holder));

	first = hash_u64_get(&h->by_mm, mm, NULL);
	holder->next = *first;
	holder->what = what;
	*first = holder;
	return holder;
}

static enum status add_task_holder(struct mm_holders *h, uint64_t mm, const char *what,
				   int32_t tgid, const char *comm)
{
	file_users_add(h->dump->arena, &add_holder(h, mm, what)->users,
		       file_user_new(h->dump, tgid, comm));
	return ST_OK;
}

static enum status add_oom_mm(struct mm_holders *h, const struct task *t)
{
	uint64_t mm;
	enum status st;

	if (!h->f[HOLDER_OOM_MM].present)
		return ST_OK;
	if (!hash_u64_add(&h->signals, t->signal))
		return ST_OK;
	st = dump_u64(h->dump, t->signal + h->f[HOLDER_OOM_MM].offset, &mm, "signal_struct");
	return st == ST_OK && mm ? add_task_holder(h, mm, "oom_mm of", t->tgid, t->comm) : st;
}

/* A task that gave up its CPU has lost its active_mm, unless it has memory (context_switch()). */
static enum status add_active_mm(struct mm_holders *h, uint64_t task, bool is_kthread, int32_t pid,
				 const char *comm)
{
	uint64_t mm, active;
	enum status st = dump_u64(h->dump, task + h->f[HOLDER_TASK_MM].offset, &mm, "task_struct")
				 ?: dump_u64(h->dump, task + h->f[HOLDER_ACTIVE_MM].offset, &active,
					     "task_struct");

	if (st != ST_OK)
		return st;
	if (!mm && active)
		return add_task_holder(h, active, "active_mm of", pid, comm);
	return mm && is_kthread ? add_task_holder(h, mm, "kthread_use_mm() of", pid, comm) : ST_OK;
}

static enum status visit_task(void *arg, const struct task *t)
{
	struct mm_holders *h = arg;

	if (dump_stopped(h->dump))
		return ST_STOPPED;
	return keep_going(h, add_active_mm(h, t->address, t->is_kthread, t->pid, t->comm))
		       ?: keep_going(h, add_oom_mm(h, t));
}

static enum status add_idle_task(struct mm_holders *h, uint64_t rq, unsigned int cpu)
{
	char comm[TASKS_COMM + 1];
	uint64_t idle;
	enum status st = dump_u64(h->dump, rq + h->f[HOLDER_RQ_IDLE].offset, &idle, "rq");

	/* A possible CPU that was never online has none. */
	if (st != ST_OK || !idle)
		return st;
	snprintf(comm, sizeof(comm), "swapper/%u", cpu);
	return add_active_mm(h, idle, true, 0, comm);
}

/* They are not on the list of tasks. */
static enum status add_idle_tasks(struct mm_holders *h)
{
	struct dump *d = h->dump;
	struct percpu cpus;
	uint64_t rq;
	enum status st;

	if (!h->f[HOLDER_RQ_IDLE].present)
		return dump_fail(d, ST_UNKNOWN, "struct rq has no idle task");
	st = dump_symbol(d, "runqueues", &rq) ?: percpu_open(d, &cpus);
	for (unsigned int i = 0; st == ST_OK && i < cpus.n; i++)
		st = keep_going(h, add_idle_task(h, rq + cpus.offset[i], cpus.cpu[i]));
	return st;
}

static enum status follow(struct mm_holders *h, const struct file_use *use, uint64_t file,
			  uint64_t *mm)
{
	enum status st = ST_OK;

	*mm = file;
	for (size_t i = 0; st == ST_OK && *mm && use->way[i] != HOLDER_FIELDS; i++) {
		if (!h->f[use->way[i]].present)
			return dump_fail(h->dump, ST_UNKNOWN, "unknown layout of what is behind %s",
					 use->operations);
		st = dump_u64(h->dump, *mm + h->f[use->way[i]].offset, mm, use->operations);
	}
	return st;
}

static enum status visit_file(void *arg, uint64_t file, uint64_t operations,
			      const struct file_user *user)
{
	struct mm_holders *h = arg;
	const struct file_use *const *use = hash_u64_find(&h->file_uses, operations);
	struct mm_holder **holder;
	bool is_new;
	uint64_t mm;
	enum status st;

	if (!use)
		return ST_OK;
	holder = hash_u64_get(&h->by_file, file, &is_new);
	if (is_new) {
		st = follow(h, *use, file, &mm);
		if (st != ST_OK || !mm)
			return keep_going(h, st);
		*holder = add_holder(h, mm, (*use)->what);
	}
	if (*holder)
		file_users_add(h->dump->arena, &(*holder)->users, user);
	return ST_OK;
}

static enum status add_files(struct mm_holders *h)
{
	const struct file_use **use;
	uint64_t at;
	enum status st;

	for (size_t i = 0; i < ARRAY_SIZE(file_uses); i++) {
		if (!dump_has_symbol(h->dump, file_uses[i].operations))
			continue;
		st = dump_symbol(h->dump, file_uses[i].operations, &at);
		if (st != ST_OK)
			return st;
		use = hash_u64_get(&h->file_uses, at, NULL);
		*use = &file_uses[i];
	}
	st = open_files_visit(&h->files, h->dump, visit_file, h);
	if (st == ST_OK && !h->files.complete)
		note_problem(h, h->files.problem);
	return st;
}

struct scanner {
	struct mm_holders *h;
	const char *what;
	struct field node, mm; /* in a slot: its place in the list, and whose it is */
};

/* list: the list_head in the variable; not present: the layout is not known. */
static enum status add_scanner(const struct scanner *s, const char *variable,
			       const struct field *list)
{
	struct dump *d = s->h->dump;
	struct list_nodes slots;
	uint64_t at = 0, node, mm;
	enum status st;

	if (!dump_has_symbol(d, variable))
		return ST_OK;
	if (!list->present || !s->node.present || !s->mm.present)
		return dump_fail(d, ST_UNKNOWN, "unknown layout of %s", variable);
	st = dump_symbol(d, variable, &at);
	slots = list_of(d, at + list->offset, variable);
	while (st == ST_OK && list_next(&slots, &node)) {
		st = dump_u64(d, node - s->node.offset + s->mm.offset, &mm, "mm_slot");
		if (st == ST_OK)
			add_holder(s->h, mm, s->what);
	}
	return st ?: list_end(&slots);
}

/* Without the type of a pointer, the structure of that name, which since 6.1 is one. */
static struct scanner scanner_of(struct mm_holders *h, const char *what, enum mm_holder_field node,
				 enum mm_holder_field mm)
{
	const struct field *f = h->f;
	bool by_pointer = f[node].present && f[mm].present;

	return (struct scanner){ h, what, f[by_pointer ? node : HOLDER_SLOT_NODE],
				 f[by_pointer ? mm : HOLDER_SLOT_MM] };
}

static enum status add_scanners(struct mm_holders *h)
{
	struct scanner huge = scanner_of(h, "khugepaged", HOLDER_HUGE_NODE, HOLDER_HUGE_MM);
	struct scanner same = scanner_of(h, "ksmd", HOLDER_KSM_NODE, HOLDER_KSM_MM);
	struct field head = h->f[HOLDER_KSM_NODE];
	enum status st = keep_going(h,
				    add_scanner(&huge, "khugepaged_scan", &h->f[HOLDER_SCAN_LIST]));

	if (st != ST_OK)
		return st;
	/* The head of ksmd's list is a slot of its own. */
	if (!head.present) {
		head = h->f[HOLDER_KSM_SLOT];
		head.offset += h->f[HOLDER_SLOT_NODE].offset;
	}
	return keep_going(h, add_scanner(&same, "ksm_mm_head", &head));
}

enum status mm_holders_read(struct dump *d, struct mm_holders *ret)
{
	struct tasks tasks;
	enum status st;

	*ret = (struct mm_holders){ .dump = d };
	hash_u64_init(&ret->by_mm, d->arena, sizeof(struct mm_holder *));
	hash_u64_init(&ret->by_file, d->arena, sizeof(struct mm_holder *));
	hash_u64_init(&ret->signals, d->arena, 0);
	hash_u64_init(&ret->file_uses, d->arena, sizeof(struct file_use *));
	st = layout_resolve(d, rows, HOLDER_FIELDS, ret->f) ?: tasks_open(d, &tasks);
	if (st != ST_OK)
		return st;
	tasks.identity_only = true;
	return keep_going(ret, tasks_walk(&tasks, visit_task, ret)) ?:
		keep_going(ret, add_idle_tasks(ret)) ?: keep_going(ret, add_files(ret)) ?:
		add_scanners(ret);
}

static const struct mm_holder *first_holder(const struct mm_holders *h, uint64_t mm)
{
	struct mm_holder *const *first = hash_u64_find(&h->by_mm, mm);

	return first ? *first : NULL;
}

uint64_t mm_holders_count(const struct mm_holders *h, uint64_t mm)
{
	uint64_t n = 0;

	for (const struct mm_holder *i = first_holder(h, mm); i; i = i->next)
		n++;
	return n;
}

const struct text_list *mm_holders_list(const struct mm_holders *h, uint64_t mm,
					struct text_lists *lists)
{
	uint64_t more = 0;

	for (const struct mm_holder *holder = first_holder(h, mm); holder; holder = holder->next) {
		const struct file_users *u = &holder->users;

		if (!u->n)
			text_lists_add(lists, "%s", holder->what);
		for (unsigned int i = 0; i < u->kept; i++)
			text_lists_add(lists, "%s%s%d(%s)", i ? "" : holder->what, i ? "" : " ",
				       u->all[i]->tgid, u->all[i]->comm);
		more += u->n - u->kept;
	}
	return text_lists_end(lists, more, !h->problem);
}

static const struct layout_row mmap_lock_rows[] = {
	FIELD_ROW("struct mm_struct", REQUIRED, "all", "mmap_lock", "mmap_sem"),
};

enum status mmap_locks_open(struct dump *d, struct mmap_locks *ret)
{
	struct mmap_locks l = { 0 };

	return RESULT(layout_resolve(d, mmap_lock_rows, ARRAY_SIZE(mmap_lock_rows), &l.lock)
			      ?: rwsems_open(d, &l.rwsems),
		      ret, l);
}
