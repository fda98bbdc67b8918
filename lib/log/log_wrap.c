// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_wrap.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "log/log_fold.h"
#include "log/log_frame.h"
#include "log/log_marks.h"
#include "log/log_text.h"
#include "util/array.h"

#define LINE 4096
#define BLANKS " \t"
#define ANSWER "all_unreclaimable?"

/* The last word of a text, with its length; "": there is none. */
static const char *last_word(const char *text, size_t *len)
{
	const char *end = text + strlen(text), *p;

	while (end > text && strchr(BLANKS, end[-1]))
		end--;
	for (p = end; p > text && !strchr(BLANKS, p[-1]); p--)
		;
	*len = (size_t)(end - p);
	return p;
}

static bool ends_in(const char *text, const char *what)
{
	size_t len, n = strlen(what);
	const char *word = last_word(text, &len);

	return len >= n && !strncmp(word + len - n, what, n);
}

static bool is_digit(char c)
{
	return isdigit((unsigned char)c) != 0;
}

/* "12kB", "4096KB", at most with a comma: a value that is whole. */
static bool is_size(const char *word, size_t len)
{
	len -= len && word[len - 1] == ',';
	return len > 2 && word[len - 1] == 'B' && strchr("kK", word[len - 2]) &&
	       is_digit(word[len - 3]);
}

/* Whether a text begins with one of the words, which NULL ends. */
static bool starts_with(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (log_after(text, *words))
			return true;
	return false;
}

/* "0", "-1000": nothing but a number. */
static bool is_number(const char *text)
{
	const char *end = text + (*text == '-');

	end += strspn(end, "0123456789");
	return end > text && is_digit(end[-1]) && !end[strspn(end, BLANKS)];
}

/* "... invoked oom-killer: gfp_mask=0x140dca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0" */
static enum log_wrap of_head(const char *text, const char *more)
{
	static const char *const words[] = { "gfp_mask=", "nodemask=",	    "order=",
					     "oom_adj=",  "oom_score_adj=", NULL };
	const char *adj = log_find(text, ", oom_score_adj=");

	/* What comes behind the whole line, which may have been cut. */
	if (log_after(more, "CPU: ") || log_find(more, " cpuset="))
		return LOG_WRAP_NONE;
	if (adj && (is_digit(adj[*adj == '-']) || !is_number(more)))
		return LOG_WRAP_NONE;
	if (starts_with(more, words))
		return LOG_WRAP_BLANK;
	return strchr(more, ',') || log_find(more, "=") || adj ? LOG_WRAP_WORD : LOG_WRAP_NONE;
}

/* "...: page allocation failure: order:5, mode:0x40cc0(GFP_KERNEL), nodemask=(null),cpuset=/,mems_allowed=0" */
static enum log_wrap of_failure(const char *text, const char *more)
{
	static const char *const words[] = { "order:", "mode:", "nodemask=", NULL };
	size_t len;
	const char *word = last_word(text, &len);

	if (log_find(text, ",mems_allowed="))
		return LOG_WRAP_NONE;
	if (starts_with(more, words))
		return LOG_WRAP_BLANK;
	if (log_breaks_mask(word, more))
		return LOG_WRAP_WORD;
	return memchr(word, '(', len) != NULL && !strchr(more, ' ') == !log_find(more, ", ")
		       ? LOG_WRAP_WORD
		       : LOG_WRAP_NONE;
}

/* "...: vmalloc: allocation failure: 4096 bytes, mode:0xcc0(GFP_KERNEL), nodemask=(null),cpuset=/,mems_allowed=0" */
static enum log_wrap of_vmalloc(const char *text, const char *more)
{
	static const char *const words[] = { "page order ", "failed to ",  "exceeds ",
					     "allocated ",  "allocation ", "bytes,",
					     "order ",	    "pages,",	   "total pages,",
					     "mode:",	    "nodemask=",   NULL };

	if (log_find(text, ",mems_allowed="))
		return LOG_WRAP_NONE;
	return starts_with(more, words) ? LOG_WRAP_BLANK : of_failure(text, more);
}

/* "SLUB: Unable to allocate memory on node -1, gfp=0x820(GFP_ATOMIC)" */
static enum log_wrap of_slab(const char *text, const char *more)
{
	static const char *const words[] = { "node ", "(of ", "on node ", "gfp=", NULL };
	const char *gfp = log_find(text, ", gfp=");

	if (gfp && ends_in(gfp, ")"))
		return LOG_WRAP_NONE;
	if (!gfp && starts_with(more, words))
		return LOG_WRAP_BLANK;
	return gfp && strchr(gfp, '(') && ends_in(more, ")") && !strchr(more, ' ') ? LOG_WRAP_WORD
										   : LOG_WRAP_NONE;
}

/* "cache: a, object size: 480, buffer size: 544, default order: 1, min order: 0" */
static enum log_wrap of_cache(const char *text, const char *more)
{
	static const char *const words[] = {
		"object size: ", "size: ", "buffer size: ", "default ", "min order: ",
		"order: ",	 NULL
	};
	const char *order = log_find(text, ", min order: ");

	if (order && is_digit(*order))
		return LOG_WRAP_NONE;
	if (starts_with(more, words) || (is_digit(*more) && ends_in(text, ":")))
		return LOG_WRAP_BLANK;
	return log_find(more, ", min order: ") && !log_after(more, "cache: ") ? LOG_WRAP_WORD
									      : LOG_WRAP_NONE;
}

/* "CPU: 0 PID: 5 Comm: a Not tainted 6.12.95 #1" */
static enum log_wrap of_cpu(const char *text, const char *more)
{
	if (strstr(text, " #") || *more == '[' || (*more != '#' && !strstr(more, " #")))
		return LOG_WRAP_NONE;
	return log_breaks_release(text, more) ? LOG_WRAP_WORD : LOG_WRAP_BLANK;
}

/* A word of such a line: "free:43680kB", "thp: " and "0kB" of some kernels, "all_unreclaimable?" */
static bool is_counter(const char *word, size_t len)
{
	const char *colon = memchr(word, ':', len);

	return (colon && colon > word && (is_size(word, len) || colon == word + len - 1)) ||
	       (len == strlen(ANSWER) && !strncmp(word, ANSWER, len));
}

/* A counter of such a record, "isolated_anon:0", of a name that a kernel has. */
static bool is_page_counter(const char *word)
{
	static const char *const names[] = { "active_anon",
					     "inactive_anon",
					     "isolated_anon",
					     "active_file",
					     "inactive_file",
					     "isolated_file",
					     "unevictable",
					     "dirty",
					     "writeback",
					     "unstable",
					     "slab_reclaimable",
					     "slab_unreclaimable",
					     "mapped",
					     "shmem",
					     "pagetables",
					     "sec_pagetables",
					     "bounce",
					     "kernel_misc_reclaimable",
					     "free",
					     "free_pcp",
					     "free_cma",
					     "slab" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *number = log_after(word, names[i]);

		if (number && *number == ':' && number[1] &&
		    !number[1 + strspn(number + 1, "0123456789")])
			return true;
	}
	return false;
}

/* "active_anon:1 inactive_anon:2" and the lines behind it, of pages; a terminal breaks "isolated_anon:" and its number. */
static enum log_wrap of_pages(const char *text, const char *more)
{
	size_t n = strspn(more, "abcdefghijklmnopqrstuvwxyz_"), len;
	const char *word = last_word(text, &len);
	char both[LINE];

	if (n && more[n] == ':' && is_digit(more[n + 1]) && is_digit(text[strlen(text) - 1]))
		return LOG_WRAP_BLANK;
	snprintf(both, sizeof(both), "%.*s%.*s", (int)len, word, (int)strcspn(more, BLANKS), more);
	/* A whole number and another one, which is no counter, are of one. */
	return text[strlen(text) - 1] != ' ' && is_page_counter(both) ? LOG_WRAP_WORD
								      : LOG_WRAP_NONE;
}

/* What comes behind "all_unreclaimable?". */
static enum log_wrap of_answer(const char *tail, const char *more)
{
	static const char *const words[] = { "yes", "no", NULL }, *const since_6_16[] = {
		"Balloon:", "gpu_", NULL
	};

	static const char *const cut[][2] = { { "n", "o" }, { "y", "es" }, { "ye", "s" } };

	tail += strspn(tail, BLANKS);
	if (!*tail)
		return starts_with(more, words) ? LOG_WRAP_BLANK : LOG_WRAP_NONE;
	for (size_t i = 0; i < ARRAY_SIZE(cut); i++)
		if (!strcmp(tail, cut[i][0]))
			return log_after(more, cut[i][1]) ? LOG_WRAP_WORD : LOG_WRAP_NONE;
	return starts_with(more, since_6_16) ? LOG_WRAP_BLANK : LOG_WRAP_NONE;
}

/* "Node 0 DMA32 free:43680kB min:23972kB ... free_cma:0kB", "Node 0 active_anon:0kB ... all_unreclaimable? no" */
static enum log_wrap of_counters(const char *text, const char *more)
{
	size_t len, n = strcspn(more, BLANKS);
	const char *word = last_word(text, &len), *tail = log_find(text, ANSWER);
	char both[LINE];

	/* What comes behind a zone whose line was cut. */
	if (log_after(more, "lowmem_reserve[]:"))
		return LOG_WRAP_NONE;
	if (tail)
		return of_answer(tail, more);
	/* "anon_thp: 0kB" of some kernels */
	if (is_size(word, len)) {
		if (log_find(text, " free_cma:") || !is_counter(more, n))
			return LOG_WRAP_NONE;
		return LOG_WRAP_BLANK;
	}
	snprintf(both, sizeof(both), "%.*s%.*s", (int)len, word, (int)n, more);
	if (is_counter(both, strlen(both)))
		return LOG_WRAP_WORD;
	return is_counter(more, n) ? LOG_WRAP_BLANK : LOG_WRAP_NONE;
}

/* "Node 0 DMA: 1*4kB (U) 1*8kB (M) ... 3*4096kB (M) = 15360kB" */
static enum log_wrap of_blocks(const char *text, const char *more)
{
	size_t len, n = strcspn(more, " ");
	const char *word = last_word(text, &len), *sum = log_find(text, " = ");
	bool is_whole = is_size(word, len) || (len && (word[len - 1] == ')' || *word == '='));

	if (sum && ends_in(sum, "kB"))
		return LOG_WRAP_NONE;
	if (strspn(more, "0123456789*kB()UMEHCI=") < n)
		return LOG_WRAP_NONE;
	return is_whole ? LOG_WRAP_BLANK : LOG_WRAP_WORD;
}

/* "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),...,task=a,pid=5,uid=0" */
static enum log_wrap of_constraint(const char *text, const char *more)
{
	const char *uid = NULL;

	for (const char *p = text; (p = log_find(p, ",uid=")); uid = p)
		;
	if (uid && *uid && !strchr(uid, ','))
		return LOG_WRAP_NONE;
	if (!strchr(more, ',') && !strchr(more, '=') && !(uid && is_digit(*more)))
		return LOG_WRAP_NONE;
	return LOG_WRAP_WORD;
}

/* "Killed process 5 (a) total-vm:58412kB, anon-rss:49152kB, ... UID:0 pgtables:136kB oom_score_adj:0" */
static enum log_wrap of_killed(const char *text, const char *more)
{
	static const char *const words[] = { "(",	  "total-vm:",	    "anon-rss:",
					     "file-rss:", "shmem-rss:",	    "UID:",
					     "pgtables:", "oom_score_adj:", NULL };
	size_t len;
	const char *word = last_word(text, &len), *adj = log_find(text, " oom_score_adj:"),
		   *shmem = log_find(text, " shmem-rss:");
	bool is_size_last = is_size(word, len);

	if ((adj && *adj) || (shmem && is_size_last && !strchr(shmem, ',')))
		return LOG_WRAP_NONE;
	if (starts_with(more, words) || (is_digit(*more) && ends_in(text, "process")))
		return LOG_WRAP_BLANK;
	if (is_size_last || (!strchr(more, ':') && !strchr(more, ')') && !adj &&
			     !is_size(more, strcspn(more, " "))))
		return LOG_WRAP_NONE;
	return LOG_WRAP_WORD;
}

/* "memory: usage 524288kB, limit 524288kB, failcnt 69" */
static enum log_wrap of_limit(const char *text, const char *more)
{
	static const char *const words[] = { "usage ", "limit ", "failcnt ", NULL };
	const char *failcnt = log_find(text, ", failcnt ");

	if (failcnt && *failcnt)
		return LOG_WRAP_NONE;
	if (starts_with(more, words) ||
	    (is_digit(*more) && (ends_in(text, "failcnt") || ends_in(text, "limit"))))
		return LOG_WRAP_BLANK;
	return LOG_WRAP_NONE;
}

/* "Task in /a killed as a result of limit of /b" */
static enum log_wrap of_task(const char *text, const char *more)
{
	if (strstr(text, " limit of /") || *more == '[')
		return LOG_WRAP_NONE;
	return strstr(more, " limit of /") || log_after(more, "limit of /") || *more == '/' ||
			       log_after(more, "of /")
		       ? LOG_WRAP_BLANK
		       : LOG_WRAP_NONE;
}

/* "Node 0 hugepages_total=0 hugepages_free=0 hugepages_surp=0 hugepages_size=2048kB" */
static enum log_wrap of_huge(const char *text, const char *more)
{
	size_t len;
	const char *word = last_word(text, &len);

	if (strstr(text, " hugepages_size=") && is_size(word, len))
		return LOG_WRAP_NONE;
	if (log_after(more, "hugepages_"))
		return LOG_WRAP_BLANK;
	return strstr(more, "_size=") || ends_in(more, "kB") ? LOG_WRAP_WORD : LOG_WRAP_NONE;
}

static enum log_wrap of_stats(const char *text, const char *more)
{
	if (ends_in(text, ":"))
		return LOG_WRAP_NONE;
	return *more == '/' && ends_in(text, "for") ? LOG_WRAP_BLANK : LOG_WRAP_NONE;
}

/* "[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name" */
static bool is_header(const char *text)
{
	text += *text == '[' ? 1 + strspn(text + 1, " ") : 0;
	return log_after(text, "pid") && strchr(text, ']') && strstr(text, " uid");
}

unsigned int log_wrap_columns(const char *text)
{
	unsigned int n = 0;

	if (*text != '[' || !is_header(text) || !ends_in(text, "name"))
		return 0;
	for (text += strspn(text, "[ ]"); *text; text += strspn(text, "[ ]"), n++)
		text += strcspn(text, " ]");
	return n;
}

static enum log_wrap of_header(const char *text, const char *more)
{
	static const char *const words[] = {
		"uid",		 "tgid",      "total_vm",	"rss",	    "rss_anon",
		"rss_file",	 "rss_shmem", "pgtables_bytes", "swapents", "nr_ptes",
		"oom_score_adj", "name",      "nr_pmds",	"cpu",	    NULL
	};

	if (log_wrap_columns(text) || !ends_in(more, "name"))
		return starts_with(more, words) && !log_wrap_columns(text) ? LOG_WRAP_BLANK
									   : LOG_WRAP_NONE;
	return starts_with(more, words) ? LOG_WRAP_BLANK : LOG_WRAP_WORD;
}

/* Fields of a row; *names: words that are no number come behind them. */
static unsigned int fields_of(const char *text, unsigned int columns, bool *names)
{
	unsigned int n = 0;

	*names = false;
	for (text += strspn(text, "[ ]"); *text && n < columns; text += strspn(text, "[ ]"), n++) {
		size_t len = strcspn(text, " ]"), minus = *text == '-';

		if (strspn(text + minus, "0123456789") + minus < len)
			*names = true;
		text += len;
	}
	return n;
}

/* A row that is whole, and whose name does not look like one more number. */
static bool is_row(const char *text, unsigned int columns)
{
	bool names;

	return fields_of(text, columns, &names) == columns && names;
}

/* "[    155]     0   155    14603    12430   139264        0             0 java" */
static enum log_wrap of_row(const char *text, const char *more, unsigned int columns)
{
	char both[LINE];
	bool names;
	size_t len = strlen(text);

	if (!columns || *more == '[' || fields_of(text, columns, &names) >= columns || names)
		return LOG_WRAP_NONE;
	/* Between two digits both may be: the one that makes a row is it. */
	if (len && is_digit(text[len - 1]) && is_digit(*more)) {
		snprintf(both, sizeof(both), "%s %s", text, more);
		if (is_row(both, columns))
			return LOG_WRAP_BLANK;
		snprintf(both, sizeof(both), "%s%s", text, more);
		return is_row(both, columns) ? LOG_WRAP_WORD : LOG_WRAP_BLANK;
	}
	if (fields_of(text, columns, &names) + 1 < columns && !is_digit(*more) && *more != '-')
		return LOG_WRAP_NONE;
	return LOG_WRAP_BLANK;
}

/* The ends of panics for lack of memory: any other may be whole. */
static enum log_wrap of_panic(const char *text, const char *more)
{
	static const char *const panics[] = {
		"Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled",
		"Kernel panic - not syncing: Out of memory: compulsory panic_on_oom is enabled",
		"Kernel panic - not syncing: System is deadlocked on memory",
	};
	size_t len = strlen(text);

	while (len && text[len - 1] == ' ')
		len--;
	for (size_t i = 0; i < ARRAY_SIZE(panics); i++) {
		const char *rest = panics[i] + len;

		if (strlen(panics[i]) <= len || strncmp(panics[i], text, len))
			continue;
		if (*rest == ' ' && !strncmp(rest + 1, more, strcspn(more, " ")))
			return LOG_WRAP_BLANK;
		if (*rest != ' ' && !strncmp(rest, more, strcspn(more, " ")))
			return LOG_WRAP_WORD;
	}
	return LOG_WRAP_NONE;
}

/* "[c000000007eeb370] [c00000000079cce0]", "show_stack from": a mail breaks frames before the function. */
static bool is_frame_begin(const char *text)
{
	const char *addresses = log_frame_addresses(text);

	return (addresses && !*addresses) || (ends_in(text, "from") && !strstr(text, "+0x")) ||
	       (addresses && *addresses == '(' && ends_in(text, ">]"));
}

static bool is_row_start(const char *text)
{
	if (*text != '[')
		return false;
	text += 1 + strspn(text + 1, " ");
	return is_digit(*text) && text[strspn(text, "0123456789")] == ']';
}

/* "Node 0 DMA32:", "Normal:" and what comes behind it */
static bool is_zone(const char *text, const char *what)
{
	static const char *const names[] = { "DMA", "DMA32", "Normal", "HighMem", "Movable" };

	if (log_after(text, "Node "))
		text += strlen("Node ") + strcspn(text + strlen("Node "), " ");
	text += *text == ' ';
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *rest = log_after(text, names[i]);

		if (rest && log_after(rest, what))
			return true;
	}
	return false;
}

#define HEX "0123456789abcdef"

/* "Code: 53 48 83 <ec> 10": a terminal may break a byte. */
static enum log_wrap of_code(const char *text, const char *more)
{
	const char *last = strrchr(text, ' ') + 1;

	if (more[strspn(more, HEX "<>() ")])
		return LOG_WRAP_NONE;
	return strspn(last + (*last == '<'), HEX) == 1 && more[strspn(more, HEX)] != '\0' &&
			       strspn(more, HEX) == 1
		       ? LOG_WRAP_WORD
		       : LOG_WRAP_BLANK;
}

/* Records that begin with these words, of which a terminal's last column took some. */
static enum log_wrap of_beginning(const char *text, const char *more)
{
	static const char *const words[] = { "Out of memory: Killed process ",
					     "Memory cgroup out of memory: Killed process ",
					     "oom-kill:constraint=" };
	char both[LINE];

	if (!text[strspn(text, " abcdefghijklmnopqrstuvwxyz_:")] && !strchr(text + 1, ' ') &&
	    !log_begins_counters(more)) {
		snprintf(both, sizeof(both), "%s%s", text, more);
		return log_begins_counters(both) ? LOG_WRAP_WORD : LOG_WRAP_NONE;
	}
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const char *rest = log_after(words[i], text);

		if (rest && *rest && log_after(more, rest + (*rest == ' ')))
			return *rest == ' ' ? LOG_WRAP_BLANK : LOG_WRAP_WORD;
	}
	return LOG_WRAP_NONE;
}

#define THREE "RAX: 0123456789abcdef RBX: 0123456789abcdef RCX: 0123456789abcdef"

/* Three registers of x86-64 are of one length: broken within a word, or where the blank is that was lost. */
static enum log_wrap of_registers(const char *text, const char *more)
{
	const size_t len = strlen(text) + strlen(more);

	if (text[strlen(text) - 1] == ' ')
		return len == strlen(THREE) ? LOG_WRAP_WORD : LOG_WRAP_NONE;
	return len == strlen(THREE)	  ? LOG_WRAP_WORD
	       : len + 1 == strlen(THREE) ? LOG_WRAP_BLANK
					  : LOG_WRAP_NONE;
}

enum log_wrap log_wrap(const char *text, const char *more, unsigned int columns)
{
	static const char *const limits[] = { "memory: usage", "memory+swap: usage", "swap: usage",
					      "kmem: usage", NULL };
	static const char *const registers[] = { "RAX: ", "RDX: ", "RBP: ", "R10: ",
						 "R13: ", "CR2: ", NULL };

	more += strspn(more, BLANKS);
	if (!*more || is_row_start(more))
		return LOG_WRAP_NONE;
	if (ends_in(text, "invoked"))
		return log_after(more, "oom-killer:") ? LOG_WRAP_BLANK : LOG_WRAP_NONE;
	if (strstr(text, " invoked oom-killer:"))
		return of_head(text, more);
	if (strstr(text, "page allocation failure:"))
		return of_failure(text, more);
	if (strstr(text, ": vmalloc") && log_begins_report(text))
		return of_vmalloc(text, more);
	if (log_after(text, "SLUB: Unable to allocate memory on "))
		return of_slab(text, more);
	if (log_after(text + strspn(text, BLANKS), "cache: "))
		return of_cache(text, more);
	if (log_after(text, "UBSAN: ") && ends_in(text, " in"))
		return LOG_WRAP_BLANK;
	if (log_after(text, "Kernel panic - not syncing:"))
		return of_panic(text, more);
	if (log_after(text, "CPU: ") && strstr(text, " PID: "))
		return of_cpu(text, more);
	if (log_after(text, "Code: "))
		return of_code(text, more);
	if (starts_with(text, registers))
		return of_registers(text, more);
	if (log_begins_counters(text))
		return of_pages(text, more);
	if (is_zone(text, " free:") || (log_after(text, "Node ") && strstr(text, " active_anon:")))
		return of_counters(text, more);
	if (log_after(text, "Node ") && strstr(text, " hugepages_"))
		return of_huge(text, more);
	if (is_zone(text, ":"))
		return of_blocks(text, more);
	if (log_after(text, "oom-kill:"))
		return of_constraint(text, more);
	if (strstr(text, "Killed process"))
		return of_killed(text, more);
	if (starts_with(text, limits))
		return of_limit(text, more);
	if (log_after(text, "Task in /"))
		return of_task(text, more);
	if (log_after(text, "Memory cgroup stats for"))
		return of_stats(text, more);
	if (is_header(text))
		return of_header(text, more);
	if (is_frame_begin(text))
		return strstr(more, "+0x") ? LOG_WRAP_BLANK : LOG_WRAP_NONE;
	return is_row_start(text) ? of_row(text, more, columns) : of_beginning(text, more);
}
