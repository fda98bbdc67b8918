// SPDX-License-Identifier: GPL-2.0-or-later
/* A line that fills the log, with other numbers in it, and logs that none fills. */
#include "log/log_flood.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

#define RECORDS 1000

static struct kernel_record records[RECORDS];
static char texts[RECORDS][80];

/* Each nth is another one. */
static struct log_flood read_log(const char *line, const char *another, unsigned int nth)
{
	const struct kernel_log log = { .records = records, .n = RECORDS, .has_dropped = true };
	struct log_flood f;

	memset(records, 0, sizeof(records));
	for (unsigned int i = 0; i < RECORDS; i++) {
		snprintf(texts[i], sizeof(texts[i]), i % nth ? line : another, i, i * 7);
		records[i].text = texts[i];
		records[i].ts_ns = i * 1000;
	}
	log_flood_find(&log, &f);
	return f;
}

static void a_line_that_fills_it_is_found(void)
{
	struct log_flood f = read_log("linkmon: port %u: errors %u", "eth%u: link is up", 3);

	CHECK(f.n == 666 && f.all == RECORDS && f.has_dropped);
	CHECK(f.first == &records[1] && f.last == &records[998]);
	f = read_log("IN=eth%u OUT= MAC=52:54:%u", "device eth%u", 3);
	CHECK(f.n == 666);
	f = read_log("nvme%u: I/O error %u", "nvme%u: I/O error %u", RECORDS);
	CHECK(f.n == RECORDS);
}

static void of_less_than_half_nothing_is_said(void)
{
	CHECK(!read_log("a line of one form %u", "device eth%u", 2).n);
	/* Rows of a table of tasks, and of a form that changes with each line. */
	CHECK(!read_log("[%7u]     0 %u   100", "boot", 5).n);
	for (unsigned int i = 0; i < RECORDS; i++) {
		snprintf(texts[i], sizeof(texts[i]), "%c%c%c%c%c%c %c%c", 'a' + i % 26,
			 'a' + i / 26 % 26, 'a' + i / 676, 'b', 'c', 'd', 'e', 'f');
		records[i].text = texts[i];
	}
	struct log_flood f;

	log_flood_find(&(struct kernel_log){ .records = records, .n = RECORDS }, &f);
	CHECK(!f.n);
	log_flood_find(&(struct kernel_log){ .records = records }, &f);
	CHECK(!f.n);
	/* A report is no flood. */
	log_flood_find(&(struct kernel_log){ .records = records, .n = 1 }, &f);
	CHECK(!f.n);
	/* Records that are not in the dump are none. */
	f = read_log("a line of one form %u", "boot", 10);
	for (unsigned int i = 0; i < RECORDS; i += 2)
		records[i].text = NULL;
	log_flood_find(&(struct kernel_log){ .records = records, .n = RECORDS }, &f);
	CHECK(f.n == 500 && f.all == 500);
}

TESTS({ "a line that fills it is found", a_line_that_fills_it_is_found },
      { "of less than half nothing is said", of_less_than_half_nothing_is_said })
