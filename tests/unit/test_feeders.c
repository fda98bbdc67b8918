// SPDX-License-Identifier: GPL-2.0-or-later
/* Who feeds the watchdog that the kernel ended of: the only process that has it open, by the tables of open files. */
#include <string.h>

#include "collect/held.h"
#include "collect/stuck.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "process_stub.h"
#include "test.h"

#define TASKS 3
#define FDS 8
#define FDS_AT(i) (0x50000ULL + (i)*0x1000)
#define FILE_AT(i) (0xffff888000100000ULL + (i)*64)
#define INODE 0xffff888000001000ULL
#define WATCHDOG 0x90000ULL
#define OTHERS 0x90100ULL

static struct utask tasks[TASKS];
static struct usignal signals[TASKS];
static struct ufiles files[TASKS];
static uint64_t fds[TASKS][FDS];
static struct {
	uint64_t inode, operations, rest[6];
} file[2];
static uint16_t mode = 020600;

static const struct stub_member members[] = { TASK_MEMBERS,
					      { "struct inode", "i_mode", FIELD(0, 2) },
					      { 0 } };
static const struct stub_symbol symbols[] = { { "init_task", TASK(0), { 0 } },
					      { "watchdog_fops", WATCHDOG, { 0 } },
					      { 0 } };
static const struct stub_number counters[] = { TASK_COUNTERS, { 0 } };
static const struct stub_memory memory[] = { PROCESS_MEMORY(0),
					     PROCESS_MEMORY(1),
					     PROCESS_MEMORY(2),
					     { FILE_AT(0), file, sizeof(file) },
					     { INODE, &mode, sizeof(mode) },
					     { 0 } };

static struct stub stub;
static struct report report;
static struct summary sum;
static struct held held;

static void set_up(void)
{
	static const char *const names[TASKS] = { "swapper", "watchdogd", "shell" };

	memset(fds, 0, sizeof(fds));
	for (unsigned int i = 0; i < TASKS; i++) {
		set_process(&tasks[i], &signals[i], i, TASKS, names[i]);
		set_files(&files[i], i, FDS, FDS_AT(i));
	}
	file[0].inode = file[1].inode = INODE;
	file[0].operations = WATCHDOG;
	file[1].operations = OTHERS;
	fds[1][2] = FILE_AT(1);
	fds[1][5] = FILE_AT(0);
	fds[2][0] = FILE_AT(1);
	STUB_OPEN(stub, memory, symbols, members, .enumerators = counters);
	report = (struct report){ .dump = &stub.dump, .tells_unknown = true };
	report.last_unknown = &report.unknown;
	held = (struct held){ 0 };
	hash_u64_init(&held.processes, stub.dump.arena, sizeof(struct held_process));
	sum = (struct summary){
		.dump = &stub.dump, .report = &report, .ram_pages = 1000, .held = &held
	};
}

/* The process that is asked what it waits for; 0: none. */
static int32_t asked(void)
{
	int32_t tgids[ASKED_MOST];
	unsigned int n;

	SUMMARY_ADD(&sum, .section = SECTION_PANIC, .name = "Software Watchdog Timer expired");
	sum.panic_cause = "a watchdog expired";
	n = summary_ask_waits(&sum, tgids, ASKED_MOST);
	CHECK(n <= 1 && !*stub.dump.error);
	return n ? tgids[0] : 0;
}

static void who_has_it_open(void)
{
	set_up();
	CHECK(asked() == 1);
	CHECK_TEXT(sum.panic_cause,
		   "a watchdog expired; watchdogd (1) has the watchdog open, and did "
		   "not feed it in time");
	CHECK(sum.first[SECTION_PANIC]->user_pid.n == 1 && !sum.first[SECTION_MISSING]);
	/* Twice by one process. */
	set_up();
	fds[1][6] = FILE_AT(0);
	CHECK(asked() == 1);
	/* By fork() by two: which of them was to feed it is unknown. */
	set_up();
	fds[2][3] = FILE_AT(0);
	CHECK(!asked());
	CHECK_TEXT(sum.panic_cause, "a watchdog expired");
	set_up();
	fds[1][5] = 0;
	CHECK(!asked());
	CHECK_TEXT(sum.panic_cause, "a watchdog expired; no process has the watchdog open");
}

/* Where a table cannot be read nothing is denied. */
static void damaged_tables(void)
{
	set_up();
	files[1].fd = 0x1000;
	CHECK(!asked());
	CHECK_TEXT(sum.panic_cause, "a watchdog expired");
	CHECK(sum.first[SECTION_MISSING] != NULL);
	set_up();
	files[1].max = UINT32_MAX;
	CHECK(!asked() && sum.first[SECTION_MISSING]);
	CHECK_TEXT(sum.panic_cause, "a watchdog expired");
	/* A list of processes that breaks off, or that is a circle of its own. */
	set_up();
	tasks[0].tasks.next = tasks[0].tasks.prev = 0x1000;
	CHECK(!asked() && sum.first[SECTION_MISSING]);
	CHECK_TEXT(sum.panic_cause, "a watchdog expired");
	set_up();
	fds[1][5] = 0;
	tasks[2].tasks.next = TASK(1);
	CHECK(!asked() && sum.first[SECTION_MISSING]);
	CHECK_TEXT(sum.panic_cause, "a watchdog expired");
	/* One file that cannot be read. */
	set_up();
	fds[1][5] = 0xffff888000900000ULL;
	CHECK(!asked());
	CHECK(!strstr(sum.panic_cause, "no process"));
}

TESTS({ "who has it open", who_has_it_open }, { "tables that are damaged", damaged_tables })
