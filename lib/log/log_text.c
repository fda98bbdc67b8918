// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_text.h"

#include <ctype.h>
#include <string.h>

#include "util/utf8.h"

const char *log_after(const char *line, const char *start)
{
	size_t len = strlen(start);

	return strncmp(line, start, len) ? NULL : line + len;
}

const char *log_find(const char *line, const char *what)
{
	const char *p = strstr(line, what);

	return p ? p + strlen(what) : NULL;
}

const char *log_take_hex(const char *text, uint64_t *ret)
{
	uint64_t v = 0;
	unsigned int n = 0;

	if (text[0] == '0' && text[1] == 'x')
		text += 2;
	for (; isxdigit((unsigned char)*text) && n < 17; text++, n++)
		v = v << 4 |
		    (unsigned int)(isdigit((unsigned char)*text) ? *text - '0'
								 : (*text | 32) - 'a' + 10);
	if (!n || n > 16)
		return NULL;
	*ret = v;
	return text;
}

const char *log_take_decimal(const char *text, uint64_t *ret)
{
	uint64_t v = 0;
	unsigned int n = 0;

	for (; isdigit((unsigned char)*text) && n < 20; text++, n++)
		v = v * 10 + (*text - '0');
	if (!n || n > 19)
		return NULL;
	*ret = v;
	return text;
}

const char *log_take_figure(const char *text, uint64_t *ret)
{
	return text[0] == '0' && isdigit((unsigned char)text[1]) ? NULL
								 : log_take_decimal(text, ret);
}

bool log_has_other_digit(uint64_t a, uint64_t b)
{
	unsigned int others = 0;

	for (; a && b; a /= 10, b /= 10)
		others += a % 10 != b % 10;
	return !a && !b && others == 1;
}

/* How much a number may have changed since the other was read: a part of it, or as much as this. */
#define NEARLY 32
#define CHANGED 256

bool log_has_other_large_digit(uint64_t a, uint64_t b)
{
	const uint64_t apart = a < b ? b - a : a - b;

	return apart >= CHANGED && apart >= a / NEARLY && apart >= b / NEARLY &&
	       log_has_other_digit(a, b);
}

bool log_lost_digit(uint64_t less, uint64_t whole)
{
	for (uint64_t ten = 1; whole >= 10 && ten <= whole; ten *= 10) {
		if (whole / ten / 10 * ten + whole % ten == less)
			return true;
		if (ten > UINT64_MAX / 10)
			break;
	}
	return false;
}

bool log_lost_digits(uint64_t less, uint64_t whole)
{
	if (less >= whole)
		return false;
	for (; less && whole; whole /= 10)
		if (less % 10 == whole % 10)
			less /= 10;
	return !less;
}

void log_copy(char *to, size_t size, const char *from, size_t len)
{
	if (len >= size)
		len = size - 1;
	for (size_t i = 0; i < len; i++)
		to[i] = from[i] ? from[i] : '?';
	to[len] = '\0';
	printable(to);
}

static void set_decimal(struct log_number *n, const char *text)
{
	if (text && !n->known && log_take_decimal(text, &n->value))
		n->known = true;
}

#define CUT "..."

/* Bytes of a name without the part of the words behind it with which the line ends; the kernel always has these. */
static size_t without_part(const char *name, size_t len, const char *behind)
{
	for (size_t part = len < strlen(behind) ? len : strlen(behind); part; part--)
		if (!strncmp(name + len - part, behind, part))
			return len - part;
	return len;
}

void log_take_task(struct log_number *cpu, struct log_number *pid, char *comm, const char *line)
{
	static const char *const behind[] = { " Kdump: loaded", " Not tainted", " Tainted: " };
	const char *name = log_find(line, " Comm: ");
	size_t len, cut;

	if (!log_after(line, "CPU: ") || !name || pid->known)
		return;
	set_decimal(cpu, line + strlen("CPU: "));
	set_decimal(pid, log_find(line, " PID: "));
	/* It may have blanks. */
	len = strlen(name);
	for (size_t i = 0; i < sizeof(behind) / sizeof(behind[0]); i++) {
		const char *end = strstr(name, behind[i]);

		if (end && (size_t)(end - name) < len)
			len = end - name;
	}
	cut = len;
	for (size_t i = 0; !name[len] && i < sizeof(behind) / sizeof(behind[0]); i++) {
		const size_t kept = without_part(name, len, behind[i]);

		cut = kept < cut ? kept : cut;
	}
	/* A name that ends its line was cut, unless it is as long as any. */
	log_copy(comm, LOG_COMM + 1, name, cut);
	if (!name[len] && cut == len && len + strlen(CUT) <= LOG_COMM)
		strcat(comm, CUT);
}

#define TAB 8

size_t log_expand_tabs(const char *line, size_t len, char *to, size_t size)
{
	size_t n = 0;

	if (!memchr(line, '\t', len))
		return 0;
	for (size_t i = 0; i < len; i++) {
		const size_t more = line[i] == '\t' ? TAB - n % TAB : 1;

		if (n + more >= size)
			return 0;
		memset(to + n, line[i] == '\t' ? ' ' : line[i], more);
		n += more;
	}
	to[n] = '\0';
	return n;
}

bool log_take_suppressed(const char *line, const char *function, uint64_t *ret)
{
	const char *of = log_after(line, function), *n = of ? log_after(of, ": ") : NULL;
	const char *end = n ? log_take_decimal(n, ret) : NULL;

	return end && !strcmp(end, " callbacks suppressed") && *ret <= UINT32_MAX;
}
