// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_facts.h"

#include <ctype.h>

#include "log/log_fold.h"
#include "log/log_text.h"

#define CHANGES 1000 /* of the release and the taint, in a file of any length */
#define FIRST "Linux version "

const char *log_facts_text(struct dump *d, const char *text, size_t len)
{
	char buf[LOG_FILE_TEXT];

	log_copy(buf, sizeof(buf), text, len);
	return arena_strdup(d->arena, buf);
}

static bool is_same_text(const char *known, const char *text, size_t len)
{
	return known && strlen(known) == len && !strncmp(known, text, len);
}

static bool lost_character(const char *text, size_t len, const char *whole)
{
	size_t same = 0;

	if (strlen(whole) != len + 1)
		return false;
	while (same < len && text[same] == whole[same])
		same++;
	return !strncmp(text + same, whole + same + 1, len - same);
}

/* Where the one sign is that differs; len: there is none, or more than one. */
static size_t other_sign(const char *text, size_t len, const char *whole)
{
	size_t at = 0;

	if (strlen(whole) != len)
		return len;
	while (at < len && text[at] == whole[at])
		at++;
	return at < len && !strncmp(text + at + 1, whole + at + 1, len - at - 1) ? at : len;
}

/* Digits make another release: "5.10.0-8", "5.10.0-9". */
static bool has_other_sign(const char *text, size_t len, const char *whole)
{
	const size_t at = other_sign(text, len, whole);

	return at < len && !(isdigit((unsigned char)text[at]) && isdigit((unsigned char)whole[at]));
}

bool log_facts_has_other_digit(const char *text, const char *whole)
{
	const size_t len = strlen(text);

	return other_sign(text, len, whole) < len;
}

#define LOST_MOST 8	/* characters that a console loses at once */
#define RELEASE_LEAST 8 /* characters that are left, by which a release is known */

/* Characters in a row, a letter or a hyphen among them: of numbers alone it is another release. */
static bool lost_characters(const char *text, size_t len, const char *whole)
{
	const size_t lost = strlen(whole) - len;
	size_t same = 0;

	if (strlen(whole) <= len || lost > LOST_MOST || len < RELEASE_LEAST)
		return false;
	while (same < len && text[same] == whole[same])
		same++;
	if (strncmp(text + same, whole + same + lost, len - same) != 0)
		return false;
	/* "5.10.0-32-amd64" is no damage of "5.10.0-32-cloud-amd64", but another kernel. */
	while (same && whole[same - 1] == whole[same + lost - 1])
		same--;
	if (whole[same] == '-' && (!whole[same + lost] || whole[same + lost] == '-'))
		return false;
	return strspn(whole + same, "0123456789.") < lost;
}

bool log_facts_is_damaged(const char *text, size_t len, const char *whole)
{
	return lost_characters(text, len, whole) || lost_character(text, len, whole) ||
	       has_other_sign(text, len, whole);
}

/* " Not tainted 6.12.95 #1", " Tainted: G           O       6.12.95 #1" of dump_stack_print_info() */
static void take_release(struct dump *d, const char *text, unsigned int *changes,
			 struct log_file *f)
{
	const char *comm = log_find(text, log_after(text, "Pid: ") ? ", comm: " : " Comm: "),
		   *mark = NULL, *end, *begin, *hash;
	char letters[64];
	size_t n = 0;
	uint64_t number;
	bool is_clean;

	if (!comm)
		return;
	for (const char *p = comm; (p = strstr(p, "ainted")); p++)
		mark = p;
	end = mark ? strstr(mark, " #") : NULL;
	if (!end)
		return;
	for (begin = end; begin > mark && begin[-1] != ' '; begin--)
		;
	is_clean = mark[-1] == 't';
	mark += strlen("ainted");
	if (mark > begin || (!is_clean && *mark != ':'))
		return;
	/* "5.10.0-32-amd64": of a line that was broken within it a part is left. */
	if (begin < end &&
	    (*begin < '0' || *begin > '9' || !memchr(begin, '.', (size_t)(end - begin)) ||
	     !log_are_taint_letters(mark, begin - mark)))
		return;
	hash = end + strlen(" #");
	/* Characters are not as in the banner of this boot, or are lost of what another line has. */
	if (f->release && begin < end && (f->build || (size_t)(end - begin) < strlen(f->release)) &&
	    log_facts_is_damaged(begin, end - begin, f->release))
		end = begin;
	/* A mail may have reports of several kernels: that of the newest one, which is the one that is told. */
	if (begin < end && !is_same_text(f->release, begin, end - begin)) {
		if ((*changes)++ >= CHANGES) {
			f->release = f->build = f->taint = NULL;
			return;
		}
		f->release = log_facts_text(d, begin, end - begin);
		f->release_ends = false;
		f->build = NULL;
	}
	if (log_take_decimal(hash, &number))
		f->number = (unsigned int)(number < UINT32_MAX ? number : 0);
	for (const char *p = mark; !is_clean && p < begin && n < sizeof(letters) - 1; p++)
		/* G: no module is proprietary. */
		if (isupper((unsigned char)*p) && *p != 'G')
			letters[n++] = *p;
	letters[n] = '\0';
	if (!is_same_text(f->taint, letters, n) && (*changes)++ < CHANGES)
		f->taint = arena_strdup(d->arena, letters);
}

/* systemd's own line in the kernel's log; one in an initramfs may have another before it. */
static void take_hostname(struct dump *d, const char *text, struct log_file *f)
{
	const char *name = log_after(text, "systemd[1]: Hostname set to <");
	const size_t len = name ? strcspn(name, ">") : 0;

	if (len && name[len] == '>' && !is_same_text(f->host, name, len))
		f->host = log_facts_text(d, name, len);
}

/*
 * "foo: loading out-of-tree module taints kernel.", and add_taint() behind the trace of a warning or an oops: what a line
 * before it has as not tainted is tainted since, by what letters no line tells.
 */
static void take_taint(const char *text, struct log_file *f)
{
	if (f->taint && !*f->taint &&
	    (strstr(text, " taints kernel") || strstr(text, " tainting kernel") ||
	     log_after(text, "---[ end trace ")))
		f->taint = NULL;
}

/* "Linux version 6.12.95 (who@where) (compiler) #1 SMP ..." */
static void take_banner(struct dump *d, const char *text, struct log_file *f)
{
	const char *rest = log_after(text, FIRST), *build;

	if (!rest)
		return;
	f->release = log_facts_text(d, rest, strcspn(rest, " "));
	f->release_ends = !rest[strcspn(rest, " ")];
	for (build = rest; (build = strstr(build, ") #")); rest = build++)
		;
	if (!strncmp(rest, ") #", 3))
		f->build = log_facts_text(d, rest + 2, strlen(rest + 2));
}

/* "smp: Brought up 1 node, 2 CPUs", up to 4.6 "x86: Booted up 1 node, 2 CPUs" */
static void take_online(const char *text, struct log_file *f)
{
	const char *rest = log_after(text, "smp: Brought up "), *cpus;
	uint64_t n;

	rest = rest ? rest : log_after(text, "x86: Booted up ");
	cpus = rest ? log_find(rest, ", ") : NULL;
	if (!cpus || !log_find(rest, " node") || !log_find(cpus, " CPU") ||
	    !log_take_decimal(cpus, &n) || !n || n >= UINT32_MAX)
		return;
	f->has_cpus = true;
	f->cpus = (unsigned int)n;
}

/*
 * "Memory: 972436K/1048032K available (17852K kernel code, ...", mem_init_print_info() of mm/page_alloc.c since 3.11, later
 * of mm/mm_init.c: what the page allocator got, of the pages that the firmware gave.
 */
static void take_memory(const char *text, struct log_file *f)
{
	const char *rest = log_after(text, "Memory: ");
	uint64_t free, all;

	rest = rest ? log_take_decimal(rest, &free) : NULL;
	rest = rest ? log_after(rest, "K/") : NULL;
	rest = rest ? log_take_decimal(rest, &all) : NULL;
	if (rest && log_after(rest, "K available (") && free <= all)
		f->boot_ram_kib = all;
}

void log_facts_take(struct dump *d, const char *text, unsigned int *changes, struct log_file *f)
{
	const char *line = log_after(text, "Command line: ");

	line = line ? line : log_after(text, "Kernel command line: ");
	if (line && !f->command_line)
		f->command_line = log_facts_text(d, line, strlen(line));
	take_online(text, f);
	take_memory(text, f);
	take_banner(d, text, f);
	if (log_after(text, "CPU: ") || log_after(text, "Pid: "))
		take_release(d, text, changes, f);
	take_taint(text, f);
	take_hostname(d, text, f);
	/* Pages of x86 are of 4 KiB; these functions no other processor has. */
	if (!f->page_shift &&
	    (log_after(text, "BIOS-e820: ") || log_after(text, "RIP: 00") ||
	     log_after(text, " do_syscall_64+") || log_after(text, " asm_exc_page_fault+") ||
	     log_after(text, " entry_SYSCALL_64_after_hwframe+")))
		f->page_shift = 12;
}
