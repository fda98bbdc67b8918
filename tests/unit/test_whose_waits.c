// SPDX-License-Identifier: GPL-2.0-or-later
/* Of which processes it is asked what they wait for, and how that is told: who does not read its sockets. */
#include "collect/held.h"
#include "collect/stuck.h"
#include "collect/unread.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "stub.h"
#include "test.h"
#include "util/text_list.h"

#define AUDIT 0xffffffff82000000ULL
#define DAEMON 0xffff888000100000ULL

enum { WATCH = 117, SENDER = 110, READER = 107, RELAY = 90 };

static struct stub stub;
static struct report report;
static struct summary sum;
static struct held held;
static struct stuck_task tasks[5];
static struct stuck all;
static const struct file_user reader = { .tgid = READER, .comm = "edge" };
static const struct file_user relay = { .tgid = RELAY, .comm = "relay" };

static void add_process(int tgid, uint64_t pages)
{
	struct held_process *h = hash_u64_get(&held.processes, (uint64_t)tgid, NULL);

	h->bytes[HELD_SOCKETS] = pages << 12;
}

static void add_row(const char *by, int tgid, const char *used_by)
{
	static struct text_lists lists;

	text_lists_init(&lists, stub.dump.arena);
	if (used_by)
		text_lists_add(&lists, "%s", used_by);
	SUMMARY_ADD(&sum, .section = SECTION_HOLDER, .by = by, .name = "sockets",
		    .pid = { (uint64_t)tgid, tgid != 0 },
		    .used_by = used_by ? text_lists_end(&lists, 0, true) : NULL);
}

/* Pages of 4 KiB, 1000 of them: one that waits for itself, one that waits for the relay, which waits for a datagram. */
static void begin(void)
{
	static const int tgids[] = { WATCH, SENDER, READER, RELAY };
	static const char *const names[] = { "watch", "push", "edge", "relay" };

	STUB_OPEN(stub);
	report = (struct report){ .dump = &stub.dump };
	report.last_unknown = &report.unknown;
	held = (struct held){ 0 };
	hash_u64_init(&held.processes, stub.dump.arena, sizeof(struct held_process));
	hash_u64_init(&held.unread, stub.dump.arena, sizeof(struct unread));
	sum = (struct summary){
		.dump = &stub.dump, .report = &report, .ram_pages = 1000, .held = &held
	};
	memset(tasks, 0, sizeof(tasks));
	for (int i = 0; i < 4; i++) {
		tasks[i].task = (struct task){
			.pid = tgids[i], .tgid = tgids[i], .mm = 0x1000, .state = 'S'
		};
		snprintf(tasks[i].task.comm, sizeof(tasks[i].task.comm), "%s", names[i]);
		tasks[i].next = i < 3 ? &tasks[i + 1] : NULL;
		tasks[i].peer_by = "unix socket";
	}
	tasks[0].peer_is_own = true;
	tasks[2].peer = &relay;
	tasks[3].datagram = "of 10.0.0.53:53";
	all = (struct stuck){ .first = &tasks[0] };
}

/* What is told of the last row; "": nothing. asked: the process; 0: none. */
static const char *told(int asked)
{
	static char text[256];
	int32_t tgids[ASKED_MOST];
	const unsigned int n = summary_ask_waits(&sum, tgids, ASKED_MOST);

	CHECK(n == (asked != 0) && (!n || tgids[0] == asked));
	summary_tell_waits(&sum, &all);
	snprintf(text, sizeof(text), "%s", sum.last[SECTION_HOLDER]->wait ?: "");
	return text;
}

/* Who is to take records of the audit, and why that one does not. */
static void whose_audit_records(void)
{
	static const struct {
		uint64_t at, count;
		uint32_t nr, pad;
	} daemon = { .at = DAEMON + 8, .nr = SENDER };
	static uint64_t connection = DAEMON;
	static const struct stub_memory memory[] = { { AUDIT, &connection, 8 },
						     { DAEMON, &daemon, sizeof(daemon) },
						     { 0 } };
	static const struct stub_symbol symbols[] = { { "auditd_conn", AUDIT, { 0 } }, { 0 } };
	static const struct stub_member members[] = {
		{ "struct auditd_connection", "pid", KINDED(KIND_POINTER, 0, 8) },
		{ "struct pid", "numbers", KINDED(KIND_ARRAY, 8, 0) },
		{ 0 }
	};
	const struct statement *row;
	int32_t asked[ASKED_MOST];

	begin();
	STUB_OPEN(stub, .memory = memory, .symbols = symbols, .members = members);
	sum.dump = &stub.dump;
	SUMMARY_ADD(&sum, .section = SECTION_CANDIDATE, .by = "root", .name = "audit_hold_queue",
		    .remark = "audit_hold_queue -> list of skbuff_head_cache");
	row = sum.last[SECTION_CANDIDATE];
	tasks[1].datagram = "of 10.0.0.53:53";
	CHECK(summary_ask_waits(&sum, asked, ASKED_MOST) == 1 && asked[0] == SENDER);
	summary_tell_waits(&sum, &all);
	CHECK_TEXT(row->kept_by,
		   "the audit daemon is push (110); push (110) waits for a datagram of "
		   "10.0.0.53:53");
	/* Which of its threads is to take them is unknown; who it is, is not. */
	tasks[0].task.tgid = SENDER;
	summary_tell_waits(&sum, &all);
	CHECK_TEXT(row->kept_by, "the audit daemon is push (110)");
	connection = 0;
	CHECK(!summary_ask_waits(&sum, asked, ASKED_MOST));
	CHECK_TEXT(row->kept_by, "no audit daemon is connected");
}

/* Who has the watchdog open is of no other panic; of whom it is known what that one waits for. */
static void who_feeds_a_watchdog(void)
{
	static const struct {
		const char *panic, *told;
	} panics[] = {
		{ "Software Watchdog Timer expired",
		  "of edge: edge (107) waits on a unix socket for relay (90); relay (90) waits for "
		  "a datagram of 10.0.0.53:53" },
		{ "watchdog pretimeout event",
		  "of edge: edge (107) waits on a unix socket for relay (90); relay (90) waits for "
		  "a datagram of 10.0.0.53:53" },
		{ "Watchdog detected hard LOCKUP on cpu 0", "of edge" },
	};
	int32_t asked[ASKED_MOST];

	for (size_t i = 0; i < ARRAY_SIZE(panics); i++) {
		begin();
		SUMMARY_ADD(&sum, .section = SECTION_PANIC, .name = panics[i].panic);
		sum.panic_cause = "of edge";
		/* Whose operations are unknown, none is told. */
		CHECK(!summary_ask_waits(&sum, asked, ASKED_MOST));
		CHECK_TEXT(sum.panic_cause, "of edge");
		/* Of the last it is not asked. */
		CHECK(!sum.first[SECTION_MISSING] == (i + 1 == ARRAY_SIZE(panics)));
		sum.first[SECTION_PANIC]->user_pid = (struct maybe_u64){ READER, true };
		summary_tell_waits(&sum, &all);
		CHECK_TEXT(sum.panic_cause, panics[i].told);
	}
}

static void who_does_not_read(void)
{
	begin();
	add_process(WATCH, 300);
	add_row("held", WATCH, NULL);
	CHECK_TEXT(told(WATCH),
		   "watch (117) waits on a unix socket, both ends of which it alone has open");
	/* It runs; which of its threads would read is unknown. */
	tasks[0].task.state = 'R';
	CHECK_TEXT(told(WATCH), "");
	tasks[0].task.state = 'S';
	tasks[1].task.tgid = WATCH;
	CHECK_TEXT(told(WATCH), "");
	/* Little, and memory of another kind. */
	begin();
	add_process(WATCH, 90);
	add_row("held", WATCH, NULL);
	CHECK_TEXT(told(0), "");
	begin();
	add_process(WATCH, 300);
	add_row("bpf", WATCH, NULL);
	CHECK_TEXT(told(0), "");
}

/* The other end does not read: that one is asked, and whom it waits for. */
static void who_does_not_read_what_is_sent(void)
{
	struct unread *u;

	begin();
	add_process(SENDER, 300);
	u = hash_u64_get(&held.unread, SENDER, NULL);
	u->reader = &reader;
	add_row("sockets", 0, "110(push)");
	CHECK_TEXT(told(READER), "edge (107) waits on a unix socket for relay (90); relay (90) "
				 "waits for a datagram of 10.0.0.53:53");
}

/* Two asleep alike and one that waits for the relay; what runs is not asleep, wherever its stack is. */
static void many_threads(void)
{
	static const struct frame frame = { .symbol = "futex_wait_queue" };
	const struct statement *row;

	begin();
	for (int i = 0; i < 3; i++) {
		tasks[i].task.tgid = WATCH;
		tasks[i].function = &frame;
	}
	SUMMARY_ADD(&sum, .section = SECTION_HOLDER, .by = "held", .memory = 1U << CLASS_KSTACK,
		    .pid = { WATCH, true });
	row = sum.last[SECTION_HOLDER];
	summary_tell_threads(&sum, &all);
	CHECK(row->wait &&
	      strstr(row->wait, "2 of its threads are asleep in futex_wait_queue; "
				"edge (107) waits on a unix socket for relay (90)") == row->wait);
	CHECK_TEXT(row->command, "memowner stuck -a -g comm,function -f tgid=117");
	sum.last[SECTION_HOLDER]->wait = NULL;
	tasks[0].task.state = 'R';
	summary_tell_threads(&sum, &all);
	CHECK(!row->wait);
}

TESTS({ "whose audit records", whose_audit_records },
      { "who feeds a watchdog", who_feeds_a_watchdog }, { "who does not read", who_does_not_read },
      { "who does not read what is sent", who_does_not_read_what_is_sent },
      { "many threads of a process", many_threads })
