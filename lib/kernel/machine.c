// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/machine.h"

#include <time.h>

#include "dump/structure.h"

#define MAX_LINE 8192 /* COMMAND_LINE_SIZE is 2048 on x86 and arm64; bootconfig adds to it */
#define NS_PER_S 1000000000LL
#define LATEST 253402300799ULL	 /* the last second of the year 9999 */
#define LATEST_NS_S 9000000000LL /* seconds whose nanoseconds have 63 bits */

struct names_of {
	char host[66], build[66]; /* __NEW_UTS_LEN and an end, and one of ours */
};

/* The last tick, on both clocks: wall_to_monotonic is what makes the one of the other. */
struct clock {
	uint64_t utc_s;
	int64_t to_monotonic_s, to_monotonic_ns;
};

/* CLOCK_MONOTONIC of the last tick: base, and nanoseconds that are shifted. */
struct tick {
	uint64_t base, shifted_ns, shift;
};

struct layouts {
	struct structure names, clock, tick;
	struct field keeper; /* in struct tk_data */
	struct field letter;
};

static const struct layout_row name_rows[] = {
	STRUCTURE(struct layouts, names, "struct uts_namespace"),
	READS(struct names_of, host, REQUIRED, "all", "name.nodename"),
	READS(struct names_of, build, REQUIRED, "all", "name.version"),
};

static const struct layout_row clock_rows[] = {
	STRUCTURE(struct layouts, clock, "struct timekeeper"),
	READS(struct clock, utc_s, REQUIRED, "all", "xtime_sec"),
	READS(struct clock, to_monotonic_s, REQUIRED, "all", "wall_to_monotonic.tv_sec"),
	READS(struct clock, to_monotonic_ns, REQUIRED, "all", "wall_to_monotonic.tv_nsec"),
	FINDS(struct layouts, keeper, "struct tk_data", OPTIONAL, "6.13", "timekeeper"),
};

static const struct layout_row tick_rows[] = {
	STRUCTURE(struct layouts, tick, "struct timekeeper"),
	READS(struct tick, base, REQUIRED, "all", "tkr_mono.base"),
	READS(struct tick, shifted_ns, REQUIRED, "all", "tkr_mono.xtime_nsec"),
	READS(struct tick, shift, REQUIRED, "all", "tkr_mono.shift"),
	FINDS(struct layouts, keeper, "struct tk_data", OPTIONAL, "6.13", "timekeeper"),
};

static const struct layout_row letter_rows[] = {
	FINDS(struct layouts, letter, "struct taint_flag", REQUIRED, "all", "c_true"),
};

static void read_names(struct dump *d, struct machine *ret)
{
	struct layouts l;
	struct names_of names;
	uint64_t at;
	enum status st = STRUCTS_OPEN(d, name_rows, &l) ?: dump_symbol(d, "init_uts_ns", &at) ?:
			 struct_read(&l.names, at, &names);

	if (st != ST_OK) {
		decoder_trace(d, "decide no name of the machine: %s", d->error);
		return;
	}
	ret->host = *names.host ? dump_strdup(d, names.host) : NULL;
	ret->build = *names.build ? dump_strdup(d, names.build) : NULL;
}

/*
 * Where struct timekeeper is. Up to 6.12 tk_core is a structure without a name, whose copy
 * shadow_timekeeper is as new as itself (timekeeping_advance()); 6.13: timekeeping: Encapsulate
 * locking/unlocking of timekeeper_lock gave it the name struct tk_data; 6.17: timekeeping: Introduce
 * timekeeper ID made an array of it, tk_core first.
 */
static enum status find_keeper(struct dump *d, const struct layouts *l, uint64_t *ret)
{
	static const char *const names[] = { "timekeeper_data", "tk_core" };

	for (size_t i = 0; l->keeper.present && i < ARRAY_SIZE(names); i++)
		if (dump_has_symbol(d, names[i]) && dump_symbol(d, names[i], ret) == ST_OK) {
			*ret += l->keeper.offset;
			return ST_OK;
		}
	return dump_symbol(d, "shadow_timekeeper", ret);
}

static int64_t distance(int64_t a, int64_t b)
{
	return a > b ? a - b : b - a;
}

/* What is damaged converts nothing. */
static void keep_offsets(const struct clock *c, struct machine_clocks *ret)
{
	ret->has_utc = c->to_monotonic_s >= -LATEST_NS_S && c->to_monotonic_ns >= 0 &&
		       c->to_monotonic_ns < NS_PER_S;
	if (ret->has_utc)
		ret->utc_ns = -(c->to_monotonic_s * NS_PER_S + c->to_monotonic_ns);
	ret->agree = true;
}

bool monotonic_of_utc(const struct machine_clocks *c, uint64_t s, uint64_t *ret)
{
	const int64_t ns = s <= LATEST_NS_S ? (int64_t)s * NS_PER_S : INT64_MIN;

	if (!c->has_utc || ns < c->utc_ns)
		return false;
	*ret = (uint64_t)(ns - c->utc_ns);
	return true;
}

/*
 * A machine may have run on behind its last record: then the time is that of the record. The clock of
 * the log is not slewed by NTP, which turns the other one by 500 ppm at most: within that the last tick
 * is nearer to the end than what is computed from the log.
 */
static void read_time(struct dump *d, const struct dump_info *info, struct machine *ret)
{
	struct layouts l;
	struct clock clock;
	int64_t end_s, tick_s, utc_s;
	uint64_t at;
	bool agree;
	enum status st = STRUCTS_OPEN(d, clock_rows, &l) ?: find_keeper(d, &l, &at) ?:
			 struct_read(&l.clock, at, &clock);

	if (st != ST_OK) {
		decoder_trace(d, "decide no time of day: %s", d->error);
		return;
	}
	if (!info->has_panic_time || clock.utc_s > LATEST ||
	    clock.to_monotonic_s < -(int64_t)LATEST || clock.to_monotonic_s > 0)
		return;
	end_s = (int64_t)(info->panic_ns / NS_PER_S);
	tick_s = (int64_t)clock.utc_s + clock.to_monotonic_s;
	decoder_trace(d, "value  last tick at %ld s since boot, %lu s since 1970", tick_s,
		      clock.utc_s);
	agree = distance(tick_s, end_s) <= 2 + end_s / 2000;
	utc_s = agree ? (int64_t)clock.utc_s : end_s - clock.to_monotonic_s;
	/* Before its last record no machine has ticked last: one of both clocks is damaged. */
	if (utc_s > (int64_t)clock.utc_s || utc_s < 0)
		return;
	ret->end_utc_s = (struct maybe_u64){ (uint64_t)utc_s, true };
	if (!agree)
		return;
	keep_offsets(&clock, &ret->clocks);
	ret->clocks.apart_s = (uint64_t)distance(tick_s, end_s);
}

enum status tick_read(struct dump *d, uint64_t *monotonic_ns)
{
	struct layouts l;
	struct tick tick;
	uint64_t at;
	enum status st = STRUCTS_OPEN(d, tick_rows, &l) ?: find_keeper(d, &l, &at) ?:
			 struct_read(&l.tick, at, &tick);

	if (st != ST_OK)
		return st;
	if (tick.shift > 63 || tick.base > INT64_MAX / 2 ||
	    tick.shifted_ns >> tick.shift >= NS_PER_S)
		return dump_corrupt(d, "the timekeeper has no time");
	*monotonic_ns = tick.base + (tick.shifted_ns >> tick.shift);
	return ST_OK;
}

static void read_line(struct dump *d, struct machine *ret)
{
	char *line = dump_alloc(d, MAX_LINE);
	uint64_t addr;
	enum status st = dump_value(d, "saved_command_line", &addr)
				 ?: dump_string(d, addr, line, MAX_LINE, "saved_command_line");

	if (st == ST_ABSENT)
		st = dump_unknown(d, "there is no symbol saved_command_line");
	ret->no_line = problem_of_part(d, st);
	if (st != ST_OK)
		return;
	line[strcspn(line, "\n")] = '\0';
	ret->command_line = line;
}

void machine_read(struct dump *d, const struct dump_info *info, struct machine *ret)
{
	*ret = (struct machine){ 0 };
	read_names(d, ret);
	read_time(d, info, ret);
	read_line(d, ret);
	ret->taint.known = dump_symbol_u64(d, "tainted_mask", &ret->taint.n) == ST_OK;
	d->error[0] = '\0';
}

const char *utc_text(uint64_t seconds, char buf[UTC_TEXT])
{
	time_t t = (time_t)seconds;
	struct tm tm;

	if (seconds > LATEST || !gmtime_r(&t, &tm) ||
	    !strftime(buf, UTC_TEXT, "%Y-%m-%d %H:%M:%S UTC", &tm))
		snprintf(buf, UTC_TEXT, "unknown");
	return buf;
}

/* How many there are only the size of the table tells, which a symbol does not have: up to what is no letter. */
enum status taint_letters_read(struct dump *d, struct taint_letters *ret)
{
	struct layouts l;
	uint64_t at, bytes;
	uint8_t raw[64];
	enum status st = STRUCTS_OPEN(d, letter_rows, &l) ?:
			 dump_ask(d, type_size, "struct taint_flag", &bytes) ?:
			 dump_symbol(d, "taint_flags", &at);

	if (st != ST_OK)
		return st;
	if (bytes > sizeof(raw) || l.letter.offset >= bytes)
		return dump_fail(d, ST_UNKNOWN, "struct taint_flag has %lu bytes", bytes);
	ret->n = 0;
	while (ret->n < TAINT_LETTERS) {
		st = dump_read(d, at + ret->n * bytes, raw, bytes, "taint_flags[]");
		if (st != ST_OK)
			return ret->n ? ST_OK : st;
		if (raw[l.letter.offset] < 'A' || raw[l.letter.offset] > 'Z')
			break;
		ret->set[ret->n++] = (char)raw[l.letter.offset];
	}
	return ret->n ? ST_OK : dump_corrupt(d, "taint_flags[] has no letters");
}

const char *taint_text(const struct taint_letters *t, uint64_t mask, char buf[TAINT_LETTERS + 1])
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < TAINT_LETTERS; i++)
		if (mask >> i & 1)
			buf[n++] = i < t->n ? t->set[i] : '?';
	buf[n] = '\0';
	return buf;
}
