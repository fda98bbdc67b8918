// SPDX-License-Identifier: GPL-2.0-or-later
/* Removed cgroups of one path, as a service leaves that is started again and again: one row has all of them. */
#include "memowner/claim_kinds.h"
#include "memowner/claims.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

bool summary_joins_removed(struct summary *s, const char *path, uint64_t pages,
			   struct maybe_u64 kernel)
{
	for (struct statement *row = s->first[SECTION_HOLDER]; path && row; row = row->next) {
		if (!row->is_removed || !row->name || strcmp(row->name, path) != 0)
			continue;
		row->pages.n += pages;
		row->bytes.n += pages << s->dump->page_shift;
		row->kernel.n += kernel.n;
		row->kernel.known &= kernel.known;
		row->count = (struct maybe_u64){ row->count.known ? row->count.n + 1 : 2, true };
		row->remark = dump_text(
			s->dump, "%s of that path were removed, their counters still have that",
			COUNT_OF(row->count.n, "cgroup"));
		return true;
	}
	return false;
}

bool claim_is_top(const struct claim *c)
{
	static const char slice[] = ".slice";
	const char *path = claim_is_cgroup(c) && c->row ? c->row->name : NULL;
	const size_t n = path ? strlen(path) : 0;

	return n > strlen(slice) && strrchr(path, '/') == path &&
	       !strcmp(path + n - strlen(slice), slice);
}
