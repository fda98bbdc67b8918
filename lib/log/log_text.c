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

void log_take_task(struct log_number *cpu, struct log_number *pid, char *comm, const char *line)
{
	static const char *const behind[] = { " Kdump: loaded", " Not tainted", " Tainted: " };
	const char *name = log_find(line, " Comm: ");
	size_t len;

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
	log_copy(comm, LOG_COMM + 1, name, len);
}

bool log_take_suppressed(const char *line, const char *function, uint64_t *ret)
{
	const char *of = log_after(line, function), *n = of ? log_after(of, ": ") : NULL;
	const char *end = n ? log_take_decimal(n, ret) : NULL;

	return end && !strcmp(end, " callbacks suppressed") && *ret <= UINT32_MAX;
}
