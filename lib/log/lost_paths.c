// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/lost_paths.h"

#include <string.h>

#include "log/log_text.h"

static void forget(struct lost_paths *p, const char *path)
{
	for (unsigned int i = 0; i < p->n; i++)
		if (!strcmp(p->of[i], path)) {
			memmove(p->of[i], p->of[i + 1], (size_t)(--p->n - i) * LOST_PATH);
			return;
		}
}

static void take(struct lost_paths *p, const struct kernel_record *rec)
{
	const char *device = log_after(rec->text, "device-mapper: multipath: ");
	const char *lost = device ? log_find(device, ": Failing path ") : NULL;
	const char *back = device ? log_find(device, ": Reinstating path ") : NULL;
	const char *path = lost ?: back;
	size_t of_device = device ? strcspn(device, " ") : 0, n = path ? strcspn(path, " ") : 0;
	char text[LOST_PATH];

	if (path && n && path[n - 1] == '.')
		n--;
	if (!path || of_device < 2 || of_device > LOST_PATH || !n || n >= LOST_PATH)
		return;
	of_device--; /* the colon */
	if (strlen(p->device) != of_device || strncmp(p->device, device, of_device) != 0)
		*p = (struct lost_paths){ 0 };
	log_copy(p->device, sizeof(p->device), device, of_device);
	log_copy(text, sizeof(text), path, n);
	forget(p, text);
	if (!lost)
		return;
	p->is_cut |= p->n == LOST_PATHS;
	if (p->n == LOST_PATHS)
		return;
	memcpy(p->of[p->n++], text, sizeof(text));
	p->last = rec;
}

void lost_paths_read(const struct kernel_log *log, struct lost_paths *ret)
{
	*ret = (struct lost_paths){ 0 };
	for (size_t i = 0; i < log->n; i++)
		if (log->records[i].text)
			take(ret, &log->records[i]);
}
