// SPDX-License-Identifier: GPL-2.0-or-later
#include "log_source.h"

#include "cli/textfile.h"
#include "log/log_file.h"

static enum status take(void *arg, char *line, size_t len, bool ends)
{
	log_reader_line(arg, line, len, ends);
	return ST_OK;
}

/* By the counters of the newest report, else by what the log says of the processor. */
static unsigned int page_shift_of(struct dump *d, const struct log_file *f)
{
	struct oom_reports all;

	oom_reports_read(d, &f->log, &all);
	for (unsigned int i = all.n; i--;) {
		const struct log_number kib = mem_info_page_kib(&all.reports[i].mem);

		for (unsigned int shift = 12; kib.known && shift <= 16; shift += 2)
			if (kib.value << 10 == 1ULL << shift)
				return shift;
	}
	return f->page_shift;
}

enum status log_source_open(struct dump *d, const char *path)
{
	struct log_file *f = dump_alloc(d, sizeof(*f));
	struct log_reader *r;
	enum status st;

	dump_forget(d);
	r = log_reader_open(d);
	st = textfile_read_any(d, path, take, r);
	/* The command line is right: what is in the file is not. */
	if (st == ST_USAGE)
		return ST_UNREADABLE;
	if (st != ST_OK)
		return st;
	if (log_reader_end(r, f) != ST_OK)
		return dump_fail(d, ST_UNREADABLE, "'%s': no line is one of a kernel's log", path);
	d->log_file = f;
	d->page_shift = page_shift_of(d, f);
	return ST_OK;
}
