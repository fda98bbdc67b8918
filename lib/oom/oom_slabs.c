// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_slabs.h"

/* "kmalloc-2k            814056KB     814056KB"; false: another line. */
static bool take_row(const char *text, struct oom_slab *ret)
{
	size_t len = strcspn(text, " ");
	const char *p = text + len;
	struct oom_slab s = { "" };

	if (!len || len >= sizeof(s.name) || *p != ' ')
		return false;
	p = log_take_decimal(p + strspn(p, " "), &s.used_kib);
	p = p ? log_after(p, "KB") : NULL;
	p = p && *p == ' ' ? log_take_decimal(p + strspn(p, " "), &s.total_kib) : NULL;
	if (!p || strcmp(p, "KB") || s.used_kib > s.total_kib || s.total_kib > UINT32_MAX)
		return false;
	log_copy(s.name, sizeof(s.name), text, len);
	*ret = s;
	return true;
}

static void keep(struct oom_slabs *all, const struct oom_slab *s)
{
	unsigned int at = all->n < OOM_SLABS ? all->n++ : OOM_SLABS;

	for (; at && s->total_kib > all->slabs[at - 1].total_kib; at--)
		if (at < OOM_SLABS)
			all->slabs[at] = all->slabs[at - 1];
	if (at < OOM_SLABS)
		all->slabs[at] = *s;
}

void oom_slabs_read(const struct kernel_log *log, const struct kernel_record *from,
		    struct oom_slabs *ret)
{
	bool is_open = false;

	ret->n = 0;
	for (size_t i = (size_t)(from - log->records); i < log->n; i++) {
		const struct kernel_record *rec = &log->records[i];
		struct oom_slab s;

		if (from->has_caller && rec->has_caller && rec->caller != from->caller)
			continue;
		if (rec->text && log_after(rec->text, "Unreclaimable slab info:"))
			is_open = true;
		else if (is_open && rec->text && take_row(rec->text, &s))
			keep(ret, &s);
		else if (rec->text && log_after(rec->text, "Tasks state"))
			return;
	}
}
