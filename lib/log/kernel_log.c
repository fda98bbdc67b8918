// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/kernel_log.h"

#include "log/log_file.h"
#include "log/printk.h"

struct reader {
	struct dump *dump;
	struct kernel_log *log;
	size_t room;
	uint64_t oldest; /* sequence number */
	bool is_full;
};

static void grow(struct reader *r)
{
	struct kernel_log *log = r->log;
	size_t room = r->room ? r->room * 2 : 256;
	struct kernel_record *records = dump_alloc(r->dump, room * sizeof(*records));

	if (log->n)
		memcpy(records, log->records, log->n * sizeof(*records));
	log->records = records;
	r->room = room;
}

static enum status keep(void *arg, const struct log_record *rec)
{
	struct reader *r = arg;
	struct kernel_log *log = r->log;
	struct kernel_record *to;

	r->oldest = rec->seq;
	if (rec->from_user)
		return ST_OK;
	if (log->n == LOG_MAX_RECORDS) {
		r->is_full = true;
		return ST_STOPPED;
	}
	if (log->n == r->room)
		grow(r);
	to = &log->records[log->n];
	*to = (struct kernel_record){ .ts_ns = rec->ts_ns,
				      .has_caller = rec->has_caller,
				      .caller = rec->caller };
	if (!rec->is_torn) {
		to->text = arena_strdup(r->dump->arena, rec->text);
	}
	log->is_cut |= rec->is_torn;
	log->n++;
	return ST_OK;
}

static void reverse(struct kernel_log *log)
{
	for (size_t i = 0; i < log->n / 2; i++) {
		struct kernel_record other = log->records[i];

		log->records[i] = log->records[log->n - 1 - i];
		log->records[log->n - 1 - i] = other;
	}
}

uint64_t kernel_log_end(const struct dump *d, const struct kernel_log *log)
{
	uint64_t ret = log->records[log->n - 1].ts_ns;

	for (size_t i = log->n; i--;)
		if (log->records[i].ts_ns > ret && log->records[i].ts_ns - ret < log_beside(d))
			ret = log->records[i].ts_ns;
	return ret;
}

uint64_t kernel_log_start(const struct kernel_log *log, bool has_unstamped)
{
	uint64_t ret = log->records[0].ts_ns;

	for (size_t i = 1; i < log->n; i++) {
		const struct kernel_record *rec = &log->records[i];

		if (rec->text && (rec->ts_ns < ret || (has_unstamped && !ret)) &&
		    (rec->ts_ns || !has_unstamped))
			ret = rec->ts_ns;
	}
	return ret;
}

/* run_init_process() in init/main.c, since 4.20 ("init: print what init process is run"). */
static bool is_of_init(const char *text)
{
	static const char run[] = "Run ", end[] = " as init process";
	const size_t n = text ? strlen(text) : 0;

	return n > strlen(run) + strlen(end) && !strncmp(text, run, strlen(run)) &&
	       !strcmp(text + n - strlen(end), end);
}

void kernel_log_find_init(struct kernel_log *log)
{
	log->misses_processes = log->has_dropped;
	for (size_t i = 0; i < log->n && log->misses_processes; i++)
		log->misses_processes = !is_of_init(log->records[i].text);
}

enum status kernel_log_read(struct dump *d, struct kernel_log *ret)
{
	struct kernel_log log = { 0 };
	struct reader r = { .dump = d, .log = &log };
	enum status st;

	if (d->log_file) {
		*ret = d->log_file->log;
		return ST_OK;
	}
	st = printk_walk(d, keep, &r);
	if (st == ST_ABSENT)
		return st;
	if (st == ST_STOPPED && r.is_full)
		st = ST_OK;
	log.is_cut |= st != ST_OK;
	log.has_dropped = r.oldest > 0;
	reverse(&log);
	kernel_log_find_init(&log);
	*ret = log;
	return st;
}
