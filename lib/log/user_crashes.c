// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/user_crashes.h"

#include <string.h>

#include "util/array.h"

/* The end of "comm[pid]" with what stands behind it; NULL: it is none. */
static const char *behind_task(const char *line)
{
	static const char *const marks[] = { "]: segfault at ", "] general protection fault ip:",
					     "] general protection ip:", "] trap ",
					     "]: unhandled exception: " };

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		const char *mark = strstr(line, marks[i]);

		if (mark)
			return mark;
	}
	return NULL;
}

static struct user_crash *find(struct user_crashes *all, const char *comm, size_t len)
{
	struct user_crash *c = all->all;

	for (; c < all->all + all->n; c++)
		if (strlen(c->comm) == len && !strncmp(c->comm, comm, len))
			return c;
	if (all->n == CRASHED)
		return NULL;
	log_copy(c->comm, sizeof(c->comm), comm, len);
	all->n++;
	return c;
}

static void take(const struct kernel_record *rec, struct user_crashes *ret)
{
	const char *line = log_after(rec->text, "traps: ") ?: rec->text;
	const char *mark = behind_task(line), *open = mark;
	struct user_crash *c;
	uint64_t pid;

	while (open && open > line && *open != '[')
		open--;
	if (!open || open == line || log_take_decimal(open + 1, &pid) != mark ||
	    (size_t)(open - line) > LOG_COMM)
		return;
	c = find(ret, line, (size_t)(open - line));
	if (!c)
		return;
	c->first = c->n++ ? c->first : rec;
	c->last = rec;
}

void user_crashes_read(const struct kernel_log *log, struct user_crashes *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < log->n; i++)
		if (log->records[i].text)
			take(&log->records[i], ret);
}
