// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/dump_info.h"

#include <elf.h>

#include "dump/layout.h"
#include "kernel/jiffies.h"
#include "kernel/most_pages.h"
#include "kernel/percpu.h"
#include "log/log_file.h"
#include "log/printk.h"
#include "util/units.h"

#define NS_PER_S 1000000000ULL

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
	bool is_whole, has_end;

	if (d->log_file)
		take_log(d->log_file, &info);
	else if (all)
		read_machine(d, &info);
	has_end = (!d->log_file || !d->log_file->has_no_times || d->log_file->has_seconds) &&
		  end_time_read(d, &info.panic_ns, &source, &is_whole) == ST_OK;
	info.has_seconds = has_end && d->log_file && d->log_file->has_seconds;
	info.has_panic_time = has_end && !info.has_seconds;
	if (has_end) {
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
	uint64_t panic = info->panic_ns;

	if (ts_ns > panic || (!info->has_seconds && !time_of_panic(info, &panic)))
		return false;
	*ret = panic - ts_ns;
	if (info->has_seconds)
		*ret -= *ret % NS_PER_S;
	/* What has the same time of day may be nearly a second, or nothing, before it. */
	return *ret || !info->has_seconds;
}

const char *end_name(const struct dump_info *info)
{
	return !info->end_note ? "panic" : info->of_log ? "end of the log" : "dump";
}

bool end_is_assumed(const struct dump_info *info)
{
	return !info->of_log && info->end_note == notes[END_NEWEST_RECORD];
}

const char *age_bound(const struct dump_info *info, bool is_longest)
{
	return end_is_assumed(info) ? "at least " : is_longest ? "up to " : "";
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
	snprintf(buf, AGE_TEXT, "%s%s before the %s", info->has_seconds ? "about " : "",
		 TIME_TEXT(ns), age_end(info));
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

#define MAX_BANNER 256 /* bytes that have the release: the third word */

/* Out of "Linux version RELEASE (...". */
/* What the kernel wrote of itself for a dump. */
static const char *noted_release(struct dump *d)
{
	char release[MAX_BANNER];

	if (!d->ops->vmcoreinfo_text ||
	    dump_ask(d, vmcoreinfo_text, "OSRELEASE", release, sizeof(release)) != ST_OK ||
	    !*release)
		return NULL;
	return dump_strdup(d, release);
}

const char *kernel_release(struct dump *d)
{
	static const char prefix[] = "Linux version ";
	char banner[MAX_BANNER];
	uint64_t addr;

	if (dump_symbol(d, "linux_banner", &addr) != ST_OK ||
	    dump_read(d, addr, banner, sizeof(banner) - 1, "linux_banner") != ST_OK)
		return noted_release(d);
	banner[sizeof(banner) - 1] = '\0';
	if (strncmp(banner, prefix, strlen(prefix)))
		return noted_release(d);
	banner[strlen(prefix) + strcspn(banner + strlen(prefix), " \n")] = '\0';
	return dump_strdup(d, banner + strlen(prefix));
}

#define MAX_LINE 8192 /* COMMAND_LINE_SIZE is 2048 on x86 and arm64; bootconfig adds to it */

enum status boot_option(struct dump *d, const char *name, const char **ret)
{
	size_t len = strlen(name);
	const char *found = NULL;
	char *line, *rest, *option;
	uint64_t addr;
	enum status st = dump_value(d, "saved_command_line", &addr);

	if (st != ST_OK)
		return st;
	line = dump_alloc(d, MAX_LINE);
	st = dump_string(d, addr, line, MAX_LINE, "saved_command_line");
	if (st != ST_OK)
		return st;
	for (option = strtok_r(line, " \t\n", &rest); option;
	     option = strtok_r(NULL, " \t\n", &rest))
		if (!strncmp(option, name, len) && option[len] == '=')
			found = option + len + 1;
	*ret = found;
	return ST_OK;
}

#define AGREE_NS (60 * NS_PER_S) /* a CPU that is idle leaves its clock behind */
#define COARSE_NS NS_PER_S	 /* jiffies begin with the timer, not with the clock of the log */

/*
 * jiffies follow the clock that NTP slews, by 500 ppm at most (MAXFREQ of include/linux/timex.h); the clock of
 * the log does not.  So they may have parted by this since boot.
 */
static uint64_t drift(uint64_t ns)
{
	return ns / 2000;
}

const char *const end_sources[] = { "panic_record", "run_queue", "jiffies", "newest_record", NULL };

static const struct layout_row clock_row = { "struct rq", { "clock" }, REQUIRED, "all" };

/* The latest of all CPUs; 0: unknown. */
static uint64_t run_queue_clock(struct dump *d)
{
	struct percpu cpus;
	struct field clock;
	uint64_t base, ns, newest = 0;

	if (layout_resolve(d, &clock_row, 1, &clock) != ST_OK || clock.size != 8 ||
	    dump_symbol(d, "runqueues", &base) != ST_OK || percpu_open(d, &cpus) != ST_OK)
		return 0;
	for (unsigned int i = 0; i < cpus.n; i++) {
		enum status st = dump_u64(d, base + cpus.offset[i] + clock.offset, &ns,
					  "struct rq");

		/* The latest may be that one. */
		if (st != ST_OK)
			dump_lacks(d, "clocks of some CPUs", st, "%s", d->error);
		else if (ns > newest)
			newest = ns;
	}
	return newest;
}

/* They begin five minutes before they wrap in 32 bits (INITIAL_JIFFIES). 0: unknown. */
static uint64_t jiffies_since_boot(struct dump *d)
{
	struct jiffies j;
	uint64_t ns;

	jiffies_open(d, &j);
	if (!j.tick_ns ||
	    !jiffies_age(&j, (uint32_t) - (uint32_t)(300 * (NS_PER_S / j.tick_ns)), &ns))
		return 0;
	return ns;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

enum status end_time_read(struct dump *d, uint64_t *ns, enum end_source *source, bool *is_whole)
{
	uint64_t end = 0, queue, ticks;
	bool is_panic = false;
	enum end_source of = END_NEWEST_RECORD;
	enum status st = printk_panic_time(d, &end, &is_panic, is_whole);

	if (st == ST_OK && is_panic) {
		*ns = end;
		*source = END_PANIC_RECORD;
		return ST_OK;
	}
	queue = run_queue_clock(d);
	ticks = jiffies_since_boot(d);
	decoder_trace(d, "value  clocks at the end: log %lu, run queues %lu, jiffies %lu ns", end,
		      queue, ticks);
	/* One that is alone, or that another contradicts, may be damaged. */
	if (ticks && queue && distance(ticks, queue) > AGREE_NS + drift(ticks))
		queue = ticks = 0;
	if (ticks && queue > end) {
		end = queue;
		of = END_RUN_QUEUE;
	}
	if (queue && ticks > end && ticks - end > COARSE_NS + drift(ticks)) {
		end = ticks;
		of = END_JIFFIES;
	}
	if (!end)
		return st ?: dump_absent(d, "no clock can be believed");
	*ns = end;
	*source = of;
	return ST_OK;
}

#define MOST_PAGES (1ULL << 52) /* of 4 KiB: all addresses of 64 bits */

/*
 * 5.0: mm: convert totalram_pages and totalhigh_pages variables to atomic. Both are 64 bits wide, and
 * vendors took the change to 4.18.
 */
enum status mem_total_read(struct dump *d, uint64_t *pages)
{
	static const char *const names[] = { "_totalram_pages", "totalram_pages" };
	const char *name = names[!dump_has_symbol(d, names[0]) && dump_has_symbol(d, names[1])];
	struct most_pages most;
	uint64_t n;
	enum status st = dump_symbol_u64(d, name, &n);

	if (st != ST_OK)
		return st;
	if (!n || n > MOST_PAGES)
		return dump_corrupt(d, "%s is %ld pages, which no machine has", name, (int64_t)n);
	most_pages_read(d, &most);
	if (n > most.ram)
		return dump_corrupt(d, "%s is %lu pages, max_pfn %lu", name, n, most.ram);
	*pages = n;
	return ST_OK;
}

#define MAX_NOTES 64	     /* a kernel has two to five */
#define MAX_NOTE_BYTES 65536 /* of one note */

static uint64_t padded(uint32_t size)
{
	return ((uint64_t)size + 3) & ~3ULL;
}

/* Notes are a header, a name and contents, each padded to 4 bytes (elf(5)). */
enum status buildid_in_notes(struct dump *d, uint64_t addr, uint64_t end, struct buildid *ret)
{
	for (unsigned int i = 0; i < MAX_NOTES && addr < end; i++) {
		uint8_t raw[sizeof(Elf64_Nhdr) + 4];
		uint32_t name, size, type;
		uint64_t contents;
		enum status st = dump_read(d, addr, raw, sizeof(raw), "a build-id");

		if (st != ST_OK)
			return st;
		name = le32(raw);
		size = le32(raw + 4);
		type = le32(raw + 8);
		if (name > MAX_NOTE_BYTES || size > MAX_NOTE_BYTES)
			return dump_corrupt(d, "the note at %#lx is corrupt", addr);
		contents = addr + sizeof(Elf64_Nhdr) + padded(name);
		if (type == NT_GNU_BUILD_ID && name == 4 && !memcmp(raw + 12, "GNU", 4)) {
			struct buildid id = { .n = size };

			if (!size || size > sizeof(id.bytes))
				return dump_corrupt(d, "a build-id of %u bytes", size);
			return RESULT(dump_read(d, contents, id.bytes, size, "a build-id"), ret,
				      id);
		}
		addr = contents + padded(size);
	}
	return dump_absent(d, "it was linked without a build-id");
}

enum status buildid_kernel(struct dump *d, struct buildid *ret, uint64_t *at)
{
	uint64_t start, end;
	enum status st = dump_symbol(d, "__start_notes", &start)
				 ?: dump_symbol(d, "__stop_notes", &end);

	st = st ?: buildid_in_notes(d, start, end, ret);
	if (st == ST_OK && at)
		*at = start;
	return st;
}

bool buildid_same(const struct buildid *a, const struct buildid *b)
{
	return a->n == b->n && !memcmp(a->bytes, b->bytes, a->n);
}

const char *buildid_text(const struct buildid *id, char buf[static BUILDID_TEXT])
{
	*buf = '\0';
	for (unsigned int i = 0; i < id->n && 2 * i + 3 < BUILDID_TEXT; i++)
		sprintf(buf + 2 * i, "%02x", id->bytes[i]);
	return buf;
}
