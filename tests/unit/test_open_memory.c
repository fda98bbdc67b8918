// SPDX-License-Identifier: GPL-2.0-or-later
/* Open files by the hundred thousand: they are counted, and what is kept of each is a few bytes. */
#include <string.h>

#include "collect/open_counts.h"
#include "files/open_files.h"
#include "files/open_list.h"
#include "kept/cache_owners.h"
#include "pageowner/view.h"
#include "process_stub.h"
#include "test.h"
#include "util/address_set.h"

#define TASKS 3
#define FDS 50000
#define STRIDE 192 /* of objects of a slab cache */
#define FDS_AT(i) (0x1000000ULL + (i)*0x1000000ULL)
#define FILE_AT(i) (0xffff888000100000ULL + (i)*STRIDE)
#define DATA(i) (0xffff888080100000ULL + (i)*STRIDE)
#define INODE 0xffff888000001000ULL
#define TIMERS 0x90000ULL
#define OTHERS 0x90100ULL
#define TTYS 0x90200ULL
#define MASTERS 0x90300ULL

static struct utask tasks[TASKS];
static struct usignal signals[TASKS];
static struct ufiles files[TASKS];
static uint64_t fds[TASKS][FDS];
static struct {
	uint64_t inode, operations, data, rest[STRIDE / 8 - 3];
} file[FDS];

/* Of all inodes. */
static uint16_t mode;

static const struct stub_member members[] = { TASK_MEMBERS,
					      { "struct file", "private_data", FIELD(16, 8) },
					      { "struct inode", "i_mode", FIELD(0, 2) },
					      { 0 } };
static const struct stub_symbol symbols[] = { { "init_task", TASK(0), { 0 } },
					      { "timerfd_fops", TIMERS, { 0 } },
					      { "tty_fops", TTYS, { 0 } },
					      { "ptmx_fops", MASTERS, { 0 } },
					      { 0 } };
static const struct stub_number counters[] = { TASK_COUNTERS, { 0 } };
static const struct stub_memory memory[] = { PROCESS_MEMORY(0),
					     PROCESS_MEMORY(1),
					     PROCESS_MEMORY(2),
					     { FILE_AT(0), file, sizeof(file) },
					     { INODE, &mode, sizeof(mode) },
					     { 0 } };
static const char *const names[TASKS] = { "init", "hog", "hog" };

/* A process has all of them, timers but for ten; its child the first hundred, each twice. */
static void set_up(void)
{
	memset(fds, 0, sizeof(fds));
	for (unsigned int i = 0; i < TASKS; i++) {
		set_process(&tasks[i], &signals[i], i, TASKS, names[i]);
		set_files(&files[i], i, FDS, FDS_AT(i));
	}
	for (unsigned int i = 0; i < FDS; i++) {
		file[i].inode = INODE;
		file[i].operations = i < 10 ? OTHERS : TIMERS;
		file[i].data = DATA(i);
		fds[1][i] = FILE_AT(i);
	}
	for (unsigned int i = 0; i < 200; i++)
		fds[2][i] = FILE_AT(i % 100);
}

/* Both ends of a pseudo-terminal. */
static void terminals(void)
{
	STUB(s, memory, symbols, members, .enumerators = counters);
	struct open_counts all;
	const struct open_count *c;

	set_up();
	for (unsigned int i = 0; i < 8; i++)
		file[i].operations = i % 2 ? TTYS : MASTERS;
	CHECK(open_counts_read(&s.dump, false, &all) == ST_OK);
	c = open_counts_of(&all, 1);
	CHECK(c && open_counts_terminals(c) == 8);
	CHECK_TEXT(open_kinds_text(&s.dump, c, 3),
		   "49,990 timerfds, 8 ends of terminals, 2 other files");
}

static void each_is_counted_once(void)
{
	STUB(s, memory, symbols, members, .enumerators = counters);
	struct open_counts by_tgid, by_name;
	const struct open_count *c;
	size_t before, walked;

	set_up();
	before = s.arena.bytes;
	CHECK(open_counts_read(&s.dump, false, &by_tgid) == ST_OK && by_tgid.complete);
	CHECK(by_tgid.all.n == 2);
	c = open_counts_of(&by_tgid, 1);
	CHECK(c && c->n == FDS && c->processes == 1);
	CHECK_TEXT(open_kinds_text(&s.dump, c, 2), "49,990 timerfds, 10 other files");
	c = open_counts_of(&by_tgid, 2);
	CHECK(c && c->n == 100 && c->processes == 1);
	CHECK_TEXT(open_kinds_text(&s.dump, c, 2), "90 timerfds, 10 other files");
	CHECK(!open_counts_of(&by_tgid, 0));
	walked = s.arena.bytes;
	/* The tables are read, each file is kept, and once more whether it was counted. */
	CHECK(walked - before < 24 * FDS);
	CHECK(open_counts_read(&s.dump, true, &by_name) == ST_OK && by_name.all.n == 1);
	c = hash_bytes_find(&by_name.all, "hog", 4);
	CHECK(c && c->n == FDS && c->processes == 2 && c->tgid == 1);
	CHECK(s.arena.bytes - walked < 16 * FDS);
}

/* What has no f_op that tells is told by the mode of its inode. */
static void others_are_told_by_their_mode(void)
{
	static const struct {
		uint16_t mode;
		const char *text;
	} cases[] = { { 0100644, "49,990 timerfds, 10 regular files" },
		      { 040755, "49,990 timerfds, 10 directories" },
		      { 020600, "49,990 timerfds, 10 device files" },
		      { 060600, "49,990 timerfds, 10 device files" },
		      { 0120777, "49,990 timerfds, 10 other files" } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		STUB(s, memory, symbols, members, .enumerators = counters);
		struct open_counts all;

		set_up();
		mode = cases[i].mode;
		CHECK(open_counts_read(&s.dump, false, &all) == ST_OK);
		CHECK_TEXT(open_kinds_text(&s.dump, open_counts_of(&all, 1), 2), cases[i].text);
	}
	mode = 0;
}

static void objects_behind_them_take_few_bytes(void)
{
	static struct slab_cache cache = { .name = "kmalloc-256" };
	static struct owner_view view;
	STUB(s, memory, symbols, members, .enumerators = counters);
	struct report report = { .dump = &s.dump, .tells_unknown = true };
	struct summary sum = { .dump = &s.dump, .report = &report, .view = &view };
	const struct slab_use use = { .cache = &cache, .taken = FDS };
	struct strbuf text = STRBUF_OF(256);
	struct asked_cache a = { .s = &sum, .use = &use, .b = &text };
	size_t before = s.arena.bytes;

	set_up();
	report.last_unknown = &report.unknown;
	cache_ask_data(&a);
	CHECK(!report.unknown);
	CHECK(s.arena.bytes - before < 32 * FDS);
}

static void files_are_packed_as_they_are(void)
{
	static const uint64_t odd[] = { 0,   1,		 UINT64_MAX, 1ULL << 63,	   127,
					128, UINT64_MAX, INT64_MAX,  0xffff888000100000ULL };
	STUB(s);
	struct open_list l = { .arena = &s.arena };
	struct open_list_at at = open_list_begin(&l);
	struct file_user users[2];
	struct opened of;
	size_t before = s.arena.bytes;

	CHECK(!open_list_next(&at, &of));
	for (unsigned int i = 0; i < FDS; i++)
		open_list_add(&l, &(struct opened){ FILE_AT(i), { 7, TIMERS }, &users[0] });
	CHECK(s.arena.bytes - before < 6 * FDS);
	for (unsigned int i = 0; i < 5000; i++)
		open_list_add(&l, &(struct opened){ odd[i % 9],
						    { odd[i % 7], odd[i % 5] },
						    i % 3 ? &users[i % 2] : NULL });
	CHECK(l.n == FDS + 5000);
	at = open_list_begin(&l);
	for (unsigned int i = 0; i < FDS; i++)
		CHECK(open_list_next(&at, &of) && of.address == FILE_AT(i) && of.file.inode == 7 &&
		      of.file.operations == TIMERS && of.user == &users[0]);
	for (unsigned int i = 0; i < 5000; i++)
		CHECK(open_list_next(&at, &of) && of.address == odd[i % 9] &&
		      of.file.inode == odd[i % 7] && of.file.operations == odd[i % 5] &&
		      of.user == (i % 3 ? &users[i % 2] : NULL));
	CHECK(!open_list_next(&at, &of) && !open_list_next(&at, &of));
}

static void a_set_has_what_was_added(void)
{
	STUB(s);
	struct address_set set;
	size_t before;

	address_set_init(&set, &s.arena);
	CHECK(!address_set_has(&set, 0) && address_set_add(&set, 0) && !address_set_add(&set, 0));
	/* Not aligned: each is another. */
	for (uint64_t i = 1; i < 64; i++)
		CHECK(!address_set_has(&set, i) && address_set_add(&set, i));
	CHECK(address_set_add(&set, UINT64_MAX) && address_set_has(&set, UINT64_MAX));
	CHECK(address_set_add(&set, 4096) && !address_set_has(&set, 8192));
	CHECK(set.n == 66 && address_set_has(&set, 63) && !address_set_has(&set, 64));
	before = s.arena.bytes;
	for (unsigned int i = 0; i < FDS; i++)
		CHECK(address_set_add(&set, FILE_AT(i)));
	for (unsigned int i = 0; i < FDS; i++)
		CHECK(address_set_has(&set, FILE_AT(i)) && !address_set_has(&set, FILE_AT(i) + 8));
	CHECK(s.arena.bytes - before < 10 * FDS);
}

TESTS({ "terminals", terminals },
      { "each open file is counted once, of a process and of a name", each_is_counted_once },
      { "others are told by their mode", others_are_told_by_their_mode },
      { "objects behind them take few bytes", objects_behind_them_take_few_bytes },
      { "open files are packed as they are", files_are_packed_as_they_are },
      { "a set of addresses has what was added", a_set_has_what_was_added })
