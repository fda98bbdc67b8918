// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_marks.h"

#include <ctype.h>
#include <string.h>

#include "log/log_frame.h"
#include "log/log_text.h"
#include "util/array.h"

static const char *const heads[] = { " invoked oom-killer:",
				     ": page allocation failure: order:",
				     ": page allocation failure. order:",
				     ": vmalloc error: size ",
				     ": vmalloc size ",
				     ": vmalloc: allocation failure" };
static const char *const others[] = { "oom-kill:constraint=", "Kernel panic - not syncing",
				      "Killed process ", "SLUB: Unable to allocate memory on ",
				      "SLAB: Unable to allocate memory on " };

static const char *one_of(const char *text, const char *const *marks, size_t n)
{
	const char *at = NULL;

	for (size_t i = 0; i < n && !at; i++)
		at = strstr(text, marks[i]);
	return at;
}

const char *log_begins_report(const char *text)
{
	/* Up to 2.6.18 it has no name of a task, nor where somebody took that away. */
	static const char *const nameless[] = { "oom-killer: gfp_mask=",
						"page allocation failure: order:",
						"page allocation failure. order:" };

	return ANY_OF(i, ARRAY_SIZE(nameless), log_after(text, nameless[i]))
		       ? text
		       : one_of(text, heads, ARRAY_SIZE(heads));
}

unsigned int log_place_in_report(const char *text)
{
	static const char *const words[] = {
		"Mem-Info:",	 "active_anon:", "lowmem_reserve[]:",	 " total pagecache pages",
		"Total swap = ", " pages RAM",	 "oom-kill:constraint=", "Killed process ",
	};

	if (log_begins_report(text))
		return 1;
	for (unsigned int i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i][0] == ' ' ? isdigit((unsigned char)*text) && strstr(text, words[i])
				       : log_after(text, words[i]) != NULL)
			return i + 2;
	return strstr(text, "Killed process ") ? ARRAY_SIZE(words) + 1 : 0;
}

const char *log_panic(const char *text)
{
	return log_after(text, "Kernel panic - not syncing: ");
}

const char *log_panic_end(const char *text)
{
	const char *rest = log_after(text, "---[ end ");

	return rest ? log_panic(rest) : NULL;
}

enum log_panic_rest log_panic_rest(const char *text)
{
	char frame[LOG_FRAME];
	const char *name = log_frame(text, frame), *rest = log_after(text, "Rebooting in "),
		   *cpu = log_after(text, "CPU");
	uint64_t n;

	name += strspn(name, " ");
	/* Of arm the line has who called it. */
	if (log_after(name, "panic+0x") || log_after(text + strspn(text, " "), "panic from "))
		return LOG_PANIC_SURE;
	rest = rest ? log_take_decimal(rest, &n) : NULL;
	if (rest && log_after(rest, " seconds.."))
		return LOG_PANIC_SURE;
	cpu = cpu ? log_take_decimal(cpu, &n) : NULL;
	return cpu && !strcmp(cpu, ": stopping") ? LOG_PANIC_MAYBE : LOG_PANIC_NONE;
}

bool log_tells_of_lockup(const char *text)
{
	static const char *const words[] = { "BUG: soft lockup - CPU#",
					     "Watchdog detected hard LOCKUP on cpu",
					     "self-detected stall on CPU",
					     "detected stalls on CPUs/tasks" };

	return one_of(text, words, ARRAY_SIZE(words));
}

bool log_tells(const char *text)
{
	return log_begins_report(text) || one_of(text, others, ARRAY_SIZE(others));
}

bool log_tells_of_memory(const char *text)
{
	return log_tells(text) &&
	       (!strstr(text, "Kernel panic - not syncing") || strstr(text, "Out of memory") ||
		strstr(text, "deadlocked on memory"));
}

bool log_begins_counters(const char *text)
{
	/* Of 3.10 to 7.3; a kernel has some of these in the midst of a line. */
	static const char *const lines[] = {
		"active_anon:",
		"Active_anon:", /* 2.6.28 to 2.6.31 */
		"Active:",	/* up to 2.6.27, and the first of the next line of some */
		"slab:",
		"inactive_file:",
		"active_file:",
		"unevictable:",
		"slab_reclaimable:",
		"mapped:",
		"sec_pagetables:",
		"kernel_misc_reclaimable:",
		"free:",
	};

	text += *text == ' ';
	return ANY_OF(i, ARRAY_SIZE(lines),
		      log_after(text, lines[i]) &&
			      isdigit((unsigned char)*log_after(text, lines[i])));
}

/* Of letters and digits alone, and of those that look alike one. 0: another character. */
static char fold(char c)
{
	c = (char)tolower((unsigned char)c);
	if (strchr("1l|!", c))
		return c ? 'i' : 0;
	return c == '0' ? 'o' : isalnum((unsigned char)c) ? c : 0;
}

static bool begins_folded(const char *text, const char *words)
{
	for (; *words; words++) {
		const char c = fold(*words);

		if (!c)
			continue;
		while (*text && !fold(*text))
			text++;
		if (fold(*text) != c)
			return false;
		text++;
	}
	return true;
}

static bool has_folded(const char *text, const char *words)
{
	for (; *text; text++)
		if (fold(*text) == fold(*words) && begins_folded(text, words))
			return true;
	return false;
}

bool log_is_respelled(const char *text)
{
	/* A line that is broken, or cut, begins so. */
	return ((log_after(text, "Kernel panic") ||
		 has_folded(text, "kernel panic - not syncing")) &&
		!log_panic(text) && !log_panic_end(text)) ||
	       (has_folded(text, "invoked oom-killer") && !strstr(text, " invoked oom-killer"));
}

bool log_tells_of_gap(const char *text, uint32_t *lost)
{
	const bool is_of_console = strstr(text, " printk messages dropped");
	const char *n = log_find(text, is_of_console ? "** " : "Missed ");
	uint64_t value;

	*lost = 0;
	if (is_of_console || (n && strstr(text, " kernel messages"))) {
		if (n && log_take_decimal(n, &value) && value <= UINT32_MAX)
			*lost = (uint32_t)value;
		return true;
	}
	return log_find(text, "rsyslogd") && strstr(text, " messages lost");
}

bool log_has_path(const char *text)
{
	static const char *const starts[] = { "oom-kill:", "Task in ", "Tasks in ",
					      "Memory cgroup stats for " };

	return ANY_OF(i, ARRAY_SIZE(starts), log_after(text, starts[i]));
}

bool log_is_of_head(const char *head, const char *next)
{
	const char *end = log_begins_report(head);
	const size_t len = end ? (size_t)(end - head) : 0;
	const char *comm = log_after(next, "CPU: ") ? log_find(next, " Comm: ") : NULL;

	if (!len)
		return false;
	if (comm)
		return !strncmp(comm, head, len) && comm[len] == ' ';
	return !strncmp(next, head, len) && log_after(next + len, " cpuset=") != NULL;
}

bool log_is_broken_stamp(const char *text)
{
	const char *p = log_after(text, "[");
	uint64_t unused;

	p = p ? log_take_decimal(p + strspn(p, " "), &unused) : NULL;
	p = p && *p == '.' ? p + 1 + strspn(p + 1, "0123456789") : NULL;
	return p && *p && *p != ']';
}

#define NAME 32 /* bytes: of TASK_COMM_LEN - 1, with what a tool may have before it */

bool log_is_first_line(const char *text)
{
	const char *at = log_begins_report(text);

	return at && at - text <= NAME;
}

bool log_is_bare_head(const char *text)
{
	return log_begins_report(text) && !log_is_broken_stamp(text);
}

bool log_tells_whole(const char *text)
{
	return log_tells(text) && !log_is_broken_stamp(text);
}

bool log_is_below(const char *counters, const char *line)
{
	return strchr(" \t", *line) && log_begins_counters(counters);
}

#define MIXED 3 /* as often one way as the other: lines are in order, but for boots and late CPUs */
#define BACKWARD 4 /* steps back in time: as many are no few boots */

static void step_by_place(struct log_steps *s, unsigned int place)
{
	s->rises += place && place > s->place && s->place;
	s->falls += place && place < s->place;
	s->place = place ?: s->place;
}

/* Boots one behind the other have dates that go on. */
void log_steps_take(struct log_steps *s, const struct log_line *l)
{
	const bool by_date = l->date_s && s->date_s && l->date_s != s->date_s;
	const uint64_t now = by_date ? l->date_s : l->has_ts ? l->ts_ns : 0;
	const uint64_t before = by_date ? s->date_s : s->ts_ns;

	s->forward += now && before && now > before;
	s->backward += now && before && now < before;
	if (!l->date_s && !l->has_ts)
		step_by_place(s, log_place_in_report(l->text));
	s->date_s = l->date_s;
	s->ts_ns = l->has_ts ? l->ts_ns : 0;
}

bool log_steps_go_back(const struct log_steps *s)
{
	return (s->backward >= BACKWARD && s->backward > MIXED * s->forward) ||
	       (s->falls >= BACKWARD && s->falls > MIXED * s->rises);
}

bool log_steps_are_mixed(const struct log_steps *s)
{
	return !log_steps_go_back(s) && s->backward >= BACKWARD &&
	       MIXED * s->backward > s->forward * 2;
}
