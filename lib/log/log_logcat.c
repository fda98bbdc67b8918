// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_logcat.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "log/log_text.h"

#define LEVELS "VDIWEFS"
#define DIGITS "0123456789"
#define OTHERS "android " /* a host: in its place syslog has one */
#define HEAD 64

struct logcat {
	unsigned int month, day;
	const char *clock; /* "10:20:30.123", clock_len bytes */
	size_t clock_len;
	bool is_kernel;
	const char *tag, *text; /* tag_len bytes; "": the kernel's words have none */
	size_t tag_len;
};

static const char *behind_blanks(const char *p)
{
	return p + strspn(p, " ");
}

/* "11-20 10:20:30.123", of -v year "2026-11-20 10:20:30.123", of -v zone with " +0000" */
static const char *take_time(const char *p, struct logcat *ret)
{
	int n = 0, clock = 0;

	if (strspn(p, DIGITS) == 4 && p[4] == '-')
		p += strlen("2026-");
	if (sscanf(p, "%2u-%2u %n%*2u:%*2u:%*2u.%*9u%n", &ret->month, &ret->day, &clock, &n) != 2 ||
	    !n || p[2] != '-' || !ret->month || ret->month > 12)
		return NULL;
	ret->clock = p + clock;
	ret->clock_len = (size_t)(n - clock);
	p += n;
	if (p[0] == ' ' && strchr("+-", p[1]) && strspn(p + 2, DIGITS) == 4)
		p += strlen(" +0000");
	return *p == ' ' ? behind_blanks(p) : NULL;
}

/* "0     0 W ", with -v uid "root     0     0 W ": the kernel is process 0 */
static const char *take_threads(const char *p, struct logcat *ret)
{
	uint64_t pid, tid;
	size_t user = strcspn(p, " ");
	const char *rest = behind_blanks(p + user),
		   *third = behind_blanks(rest + strspn(rest, DIGITS));

	/* Of three words the first is a user, who may be a number. */
	p = isdigit((unsigned char)*third) ? rest : p;
	p = log_take_decimal(p, &pid);
	p = p && *p == ' ' ? log_take_decimal(behind_blanks(p), &tid) : NULL;
	if (!p || *p != ' ' || !p[1] || !strchr(LEVELS, p[1]) || p[2] != ' ')
		return NULL;
	ret->is_kernel = !pid && !tid;
	return p + 3;
}

/* "CPU     : 0 PID: 12": the tag is padded. */
static bool take_tag(const char *p, const char *end, struct logcat *ret)
{
	if (!end)
		return false;
	ret->tag = p;
	ret->tag_len = (size_t)(end - p);
	while (ret->tag_len && p[ret->tag_len - 1] == ' ')
		ret->tag_len--;
	ret->text = end + 1 + (end[1] == ' ');
	return true;
}

/* "W/CPU     (    0): 0 PID: 12" of -v time */
static bool take_brief(const char *p, struct logcat *ret)
{
	uint64_t pid;
	const char *open, *end;

	if (!*p || !strchr(LEVELS, *p) || p[1] != '/')
		return false;
	open = strstr(p, "): ");
	end = open;
	while (open && open > p && *open != '(')
		open--;
	if (!open || *open != '(' || !log_take_decimal(behind_blanks(open + 1), &pid))
		return false;
	take_tag(p + 2, open, ret);
	ret->is_kernel = !pid;
	ret->text = end + strlen("): ");
	return true;
}

static bool parse(const char *line, struct logcat *ret)
{
	const char *p = take_time(line, ret), *words;

	if (!p)
		return false;
	words = take_threads(p, ret);
	return words ? take_tag(words, strchr(words, ':'), ret) : take_brief(p, ret);
}

/* logd takes the blanks behind the colon: "active_anon:12" and "oom-kill:constraint=" had none. */
static bool had_blank(const struct logcat *l)
{
	size_t i = l->tag_len;

	while (i && (islower((unsigned char)l->tag[i - 1]) || l->tag[i - 1] == '_'))
		i--;
	if (i < l->tag_len && (!i || l->tag[i - 1] == ' '))
		return !isdigit((unsigned char)*l->text);
	return l->tag_len != strlen("oom-kill") || !log_after(l->tag, "oom-kill");
}

bool log_logcat_line(char *line)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	char head[HEAD];
	struct logcat l;
	const char *behind;
	size_t n, len;

	if (!parse(line, &l) || l.clock_len > HEAD / 2)
		return false;
	behind = !l.tag_len ? "" : !l.is_kernel || had_blank(&l) ? ": " : ":";
	n = (size_t)snprintf(head, sizeof(head), "%.3s %2u %.*s %s", months + 3 * (l.month - 1),
			     l.day, (int)l.clock_len, l.clock, l.is_kernel ? "kernel: " : OTHERS);
	len = strlen(behind);
	/* It is no longer than it was: the numbers of threads go. */
	if (n + l.tag_len + len > (size_t)(l.text - line))
		return false;
	memmove(line + n, l.tag, l.tag_len);
	memcpy(line, head, n);
	memcpy(line + n + l.tag_len, behind, len);
	memmove(line + n + l.tag_len + len, l.text, strlen(l.text) + 1);
	return true;
}
