// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/filter_verdict.h"

#include "cli/filter_seen.h"

bool filter_verdict_add(struct filter_verdict *v, const struct filter *f, bool keeps, bool unknown)
{
	if (keeps && unknown && f->exclude && !v->kept)
		v->kept = f;
	if (keeps)
		return true;
	/* -X of what is unknown, "-X KEY=-", is what was asked for. */
	v->refused = !unknown || f->exclude;
	if (!v->open)
		v->open = f;
	return !v->refused;
}

bool filter_verdict_keeps(const struct filter_verdict *v, uint64_t n, const char *one,
			  const char *many)
{
	const struct filter *f = v->open ?: v->kept;
	struct filter_seen *seen;

	if (v->refused || !f)
		return !v->refused;
	seen = f->seen;
	seen->in_doubt += n;
	seen->one = one;
	seen->many = many;
	return !v->open;
}
