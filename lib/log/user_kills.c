// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/user_kills.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "log/log_line.h"
#include "log/log_text.h"

/* "host name[123]: words", "name: words": the words behind the tag of a program; NULL: it is another's, or none's. */
static const char *said_by(const char *line, const char *name)
{
	const size_t len = strlen(name);

	for (const char *p = line; (p = strstr(p, name)); p += len) {
		const char *rest = p + len;

		if (p > line && p[-1] != ' ')
			continue;
		if (*rest == '[')
			rest += 1 + strspn(rest + 1, "0123456789");
		if (log_after(rest, "]: ") || log_after(rest, ": "))
			return log_after(rest, "]: ") ?: log_after(rest, ": ");
	}
	return NULL;
}

static void put(struct user_kill *kill, const char *before, const char *text, int len)
{
	snprintf(kill->text, sizeof(kill->text), "%s%.*s", before, len, text);
}

/* "web.service: A process of this unit has been killed by the OOM killer." */
static bool take_unit(struct user_kill *kill, const char *line)
{
	const char *words = said_by(line, "systemd"), *end;

	end = words ? strstr(words, ": A process of this unit has been killed by the OOM killer")
		    : NULL;
	if (!end || end == words || memchr(words, ' ', (size_t)(end - words)))
		return false;
	put(kill, "the OOM killer killed a process of ", words, (int)(end - words));
	return true;
}

/* "Killed /a/b.scope due to memory pressure for /a being 60.00% > 50.00% for > 20s with reclaim activity" */
static bool take_oomd(struct user_kill *kill, const char *line)
{
	const char *words = said_by(line, "systemd-oomd"),
		   *path = words ? log_after(words, "Killed ") : NULL,
		   *end = path ? strstr(path, " due to ") : NULL;

	if (!end || *path != '/')
		return false;
	put(kill, "systemd-oomd killed ", path, (int)(end - path));
	return true;
}

/* "5 uid 1000 \"a\": badness 900, VmRSS 300 MiB", before 1.3 without the uid */
static bool put_process(struct user_kill *kill, const char *signal, const char *text)
{
	const char *name = strchr(text, '"'), *end = name ? strstr(name + 1, "\": badness ") : NULL;
	uint64_t pid;

	if (!end || !log_take_decimal(text, &pid))
		return false;
	snprintf(kill->text, sizeof(kill->text), "earlyoom sent %s to %.*s (%llu)", signal,
		 (int)(end - name - 1), name + 1, (unsigned long long)pid);
	return true;
}

static bool take_earlyoom(struct user_kill *kill, const char *line)
{
	static const char *const starts[][2] = {
		{ "sending SIGTERM to process ", "SIGTERM" },
		{ "sending SIGKILL to process ", "SIGKILL" },
	};
	const char *words = said_by(line, "earlyoom");

	for (size_t i = 0; words && i < 2; i++)
		if (log_after(words, starts[i][0]))
			return put_process(kill, starts[i][1], log_after(words, starts[i][0]));
	return false;
}

/* "Kill 'a' (5), uid 10446, oom_score_adj 900 to free 140528kB rss", of the driver "Killing 'a' (5), adj 900," */
static bool take_lmkd(struct user_kill *kill, const char *line)
{
	const char *words = said_by(line, "lowmemorykiller"), *name, *end;
	uint64_t pid;

	name = words ? log_after(words, "Kill '") ?: log_after(words, "Killing '") : NULL;
	end = name ? strstr(name, "' (") : NULL;
	if (!end || !log_take_decimal(end + strlen("' ("), &pid))
		return false;
	snprintf(kill->text, sizeof(kill->text), "lowmemorykiller killed %.*s (%llu)",
		 (int)(end - name), name, (unsigned long long)pid);
	return true;
}

bool user_kills_line(struct user_kills *all, const char *line)
{
	static bool (*const takes[USER_KILL_KINDS])(struct user_kill *, const char *) = {
		[USER_KILL_UNIT] = take_unit,
		[USER_KILL_OOMD] = take_oomd,
		[USER_KILL_EARLYOOM] = take_earlyoom,
		[USER_KILL_LMKD] = take_lmkd,
	};

	for (int kind = 0; kind < USER_KILL_KINDS; kind++) {
		struct log_line l;

		if (!takes[kind](&all->of[kind], line))
			continue;
		log_line_parse(line, "", &l);
		all->of[kind].date_s = l.date_s;
		all->of[kind].n++;
		return true;
	}
	return false;
}
