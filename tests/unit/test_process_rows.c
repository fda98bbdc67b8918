// SPDX-License-Identifier: GPL-2.0-or-later
/* Which process a row of the table in the log is of, and what became of it. */
#include <string.h>

#include "memory/processes.h"
#include "stub.h"
#include "test.h"

#define SECOND 1000000000ULL

static struct stub stub;
static struct processes p;

static struct process *add_process(int32_t tgid, const char *comm, uint64_t start_ns)
{
	struct process *q = dump_alloc(&stub.dump, sizeof(*q));

	q->has_task = true;
	q->task.pid = q->task.tgid = tgid;
	q->task.start_ns = start_ns;
	snprintf(q->task.comm, sizeof(q->task.comm), "%s", comm);
	*(struct process **)hash_u64_get(&p.by_tgid, (uint64_t)tgid, NULL) = q;
	return q;
}

static struct oom_task *add_row(int32_t tgid, const char *comm)
{
	struct oom_task *row = hash_u64_get(&p.table.rows, (uint64_t)tgid, NULL);

	row->value[OOM_TASK_TGID] = tgid;
	snprintf(row->comm, sizeof(row->comm), "%s", comm);
	return row;
}

static void ready(void)
{
	STUB_OPEN(stub);
	p = (struct processes){ .has_table = true };
	p.table.ts_ns = 11 * SECOND;
	hash_u64_init(&p.by_tgid, stub.dump.arena, sizeof(struct process *));
	hash_u64_init(&p.table.rows, stub.dump.arena, sizeof(struct oom_task));
}

/* The clock of the log was 2 ms behind that of the start of the youngest process. */
static void youngest(void)
{
	const struct oom_task *row;

	ready();
	row = add_row(258, "init");
	CHECK(process_row(&p, add_process(258, "init", 11 * SECOND + 2000000)) == row);
	CHECK(!process_row(&p, add_process(258, "init", 60 * SECOND)));
	CHECK(process_row_fate(&p, row) == ROW_EXITED);
}

/* A thread has the memory, the table may have its name. */
static void of_an_exited_leader(void)
{
	struct process *q;

	ready();
	q = add_process(105, "ingestd", SECOND);
	q->thread_comm = "ingestd-flush";
	add_row(105, "ingestd");
	CHECK(process_row(&p, q));
	add_row(105, "ingestd-flush");
	CHECK(process_row(&p, q));
	add_row(105, "other");
	CHECK(!process_row(&p, q));
}

static void fates(void)
{
	struct process *parent;

	ready();
	CHECK(process_row_fate(&p, add_row(1, "gone")) == ROW_EXITED);
	parent = add_process(2, "now", SECOND);
	CHECK(process_row_fate(&p, add_row(2, "then")) == ROW_OTHER_NAME);
	*(struct process **)hash_u64_get(&p.by_tgid, 3, NULL) = parent;
	CHECK(process_row_fate(&p, add_row(3, "child")) == ROW_SHARED_MEMORY);
}

TESTS({ "the youngest process", youngest }, { "of an exited leader", of_an_exited_leader },
      { "what became of others", fates })
