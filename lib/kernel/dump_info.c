// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/dump_info.h"

#include "kernel/boot.h"
#include "kernel/end_time.h"
#include "kernel/mem_total.h"
#include "kernel/percpu.h"
#include "log/log_file.h"
#include "util/units.h"

/* Of what ages and rates are up to, where that is no panic. */
static const char *const notes[] = {
	[END_PANIC_RECORD] = NULL,
	[END_RUN_QUEUE] = "the latest clock of a CPU's run queue",
	[END_JIFFIES] = "the ticks since boot",
	[END_NEWEST_RECORD] = "the newest record of the log, assumed",
};

static void read_machine(struct dump *d, struct dump_info *info)
{
	struct percpu cpus;
	uint64_t pages;

	info->kernel = kernel_release(d);
	info->has_cpus = percpu_open(d, &cpus) == ST_OK;
	if (info->has_cpus)
		info->cpus = cpus.n;
	info->has_mem_total = d->page_shift && mem_total_read(d, &pages) == ST_OK &&
			      pages <= UINT64_MAX >> d->page_shift;
	if (info->has_mem_total)
		info->mem_total_bytes = pages << d->page_shift;
}

static void take_log(const struct log_file *f, struct dump_info *info)
{
	info->of_log = true;
	info->kernel = f->release;
	info->has_cpus = f->has_cpus;
	info->cpus = f->cpus;
}

void dump_info_read(struct dump *d, bool all, struct dump_info *ret)
{
	struct dump_info info = { .page_size = d->page_shift ? dump_page_size(d) : 0 };
	enum end_source source;
	bool is_whole;

	if (d->log_file)
		take_log(d->log_file, &info);
	else if (all)
		read_machine(d, &info);
	info.has_panic_time = !(d->log_file && d->log_file->has_no_times) &&
			      end_time_read(d, &info.panic_ns, &source, &is_whole) == ST_OK;
	if (info.has_panic_time) {
		info.panic_source = end_sources[source];
		info.end_note = notes[source];
		info.may_have_panic = source != END_PANIC_RECORD && !is_whole;
		decoder_trace(d, "decide panic at %lu ns, by %s", info.panic_ns, info.panic_source);
	} else {
		decoder_trace(d, "decide panic time unknown: %s", d->error);
	}
	info.is_asked = dump_alloc(d, sizeof(*info.is_asked));
	d->error[0] = '\0';
	*ret = info;
}

bool dump_info_end(struct dump_info *info, uint64_t ns, const char *source, bool may_have_panic)
{
	for (size_t i = 0; end_sources[i]; i++) {
		if (strcmp(end_sources[i], source))
			continue;
		info->has_panic_time = true;
		info->panic_ns = ns;
		info->panic_source = end_sources[i];
		info->end_note = notes[i];
		info->may_have_panic = may_have_panic;
		return true;
	}
	return false;
}

bool time_of_panic(const struct dump_info *info, uint64_t *ret)
{
	if (!info->has_panic_time)
		return false;
	*ret = info->panic_ns;
	if (info->is_asked)
		*info->is_asked = true;
	return true;
}

bool age_at_panic(const struct dump_info *info, uint64_t ts_ns, uint64_t *ret)
{
	uint64_t panic;

	if (ts_ns > info->panic_ns || !time_of_panic(info, &panic))
		return false;
	*ret = panic - ts_ns;
	return true;
}

const char *end_name(const struct dump_info *info)
{
	return !info->end_note ? "panic" : info->of_log ? "end of the log" : "dump";
}

bool end_is_assumed(const struct dump_info *info)
{
	return !info->of_log && info->end_note == notes[END_NEWEST_RECORD];
}

const char *age_end(const struct dump_info *info)
{
	return end_is_assumed(info) ? "newest record of the log" : end_name(info);
}

bool age_text(const struct dump_info *info, uint64_t ts_ns, char buf[AGE_TEXT])
{
	uint64_t ns;

	if (!age_at_panic(info, ts_ns, &ns))
		return false;
	snprintf(buf, AGE_TEXT, "%s before the %s", TIME_TEXT(ns), age_end(info));
	return true;
}

bool end_text(const struct dump_info *info, char buf[END_TEXT])
{
	if (!info->end_note || !info->is_asked || !*info->is_asked)
		return false;
	snprintf(buf, END_TEXT, "times are up to %lu.%03lu s, %s", (info->panic_ns / 1000000000),
		 (info->panic_ns / 1000000 % 1000), info->end_note);
	return true;
}
