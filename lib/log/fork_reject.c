// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/fork_reject.h"

#include <string.h>

#include "log/log_text.h"

void fork_rejects_read(const struct kernel_log *log, struct fork_rejects *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < log->n; i++) {
		const char *text = log->records[i].text, *path;

		path = text ? log_after(text, "cgroup: fork rejected by pids controller in") : NULL;
		if (!path)
			continue;
		path += *path == ' ';
		if (!ret->n++)
			ret->first = &log->records[i];
		ret->last = &log->records[i];
		ret->path[0] = '\0';
		/* A path that is too long is not told in part. */
		if (*path == '/' && strlen(path) < FORK_PATH)
			log_copy(ret->path, FORK_PATH, path, strlen(path));
		if (ret->n == 1)
			memcpy(ret->first_path, ret->path, FORK_PATH);
	}
}
