// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/unit_restart.h"

#include <string.h>

static struct unit_restart *find(struct unit_restarts *x, const char *name, size_t len)
{
	struct unit_restart *r = x->all;
	char copy[UNIT_NAME];

	log_copy(copy, sizeof(copy), name, len);
	while (r < x->all + x->n && strcmp(r->name, copy) != 0)
		r++;
	if (r == x->all + UNIT_RESTARTS)
		return NULL;
	if (r == x->all + x->n) {
		x->n++;
		memcpy(r->name, copy, sizeof(copy));
	}
	return r;
}

void unit_restarts_read(const struct kernel_log *log, struct unit_restarts *ret)
{
	static const char scheduled[] = ": Scheduled restart job, restart counter is at ";

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < log->n; i++) {
		const char *text = log->records[i].text, *name, *behind;
		struct unit_restart *r;
		uint64_t counter;

		name = text ? log_after(text, "systemd[1]: ") : NULL;
		behind = name ? log_find(name, scheduled) : NULL;
		if (!behind || !log_take_decimal(behind, &counter))
			continue;
		r = find(ret, name, (size_t)(behind - name) - strlen(scheduled));
		if (!r) {
			ret->more++;
			continue;
		}
		r->counter = counter;
		r->first = r->first ?: &log->records[i];
		r->last = &log->records[i];
	}
}
