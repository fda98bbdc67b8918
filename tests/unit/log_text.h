/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text that is read as a log, with the OOM reports in it. */
#pragma once

#include <string.h>

#include "log/log_file.h"
#include "oom/oom_report.h"
#include "stub.h"

static struct stub stub;
static struct log_file file;
static struct oom_reports reports;
static bool is_open;

static enum status read_bytes(const char *text, size_t len)
{
	struct log_reader *r;
	enum status st;

	if (is_open)
		stub_close(&stub);
	stub_open(&stub);
	is_open = true;
	r = log_reader_open(&stub.dump, false);
	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t n = end ? (size_t)(end - text) - at : len - at;
		char *line = arena_alloc(stub.dump.arena, n + 1);

		memcpy(line, text + at, n);
		log_reader_line(r, line, n, end != NULL);
		at += n + (end != NULL);
	}
	st = log_reader_end(r, &file);
	if (st == ST_OK)
		oom_reports_read(&stub.dump, &file.log, &reports);
	return st;
}

static inline enum status read_text(const char *text)
{
	return read_bytes(text, strlen(text));
}

static inline const char *record(size_t i)
{
	return i < file.log.n ? file.log.records[i].text : NULL;
}
