// SPDX-License-Identifier: GPL-2.0-or-later
/* With -g: columns that members alone have choose members, as keys do. */
#include "cli/cmdline.h"
#include "cli/filter_seen.h"

/* Whether a column of members is none of groups, and none that has to be asked for in another way. */
static bool is_of_members(const struct view *view, const struct key_set *set,
			  const struct view_column *c)
{
	if (!filter_takes_column(c) || c->needs_option || c->needs_key)
		return false;
	for (size_t i = 0; i < view->ncolumns; i++)
		if (view->columns[i].id == c->id)
			return false;
	for (size_t i = 0; i < set->n; i++)
		if (set->keys[i].column == c->id)
			return false;
	return true;
}

void member_keys_add(struct dump *d, const struct view *view, struct key_set *set)
{
	struct key *keys;

	if (!view->member_columns)
		return;
	keys = dump_alloc(d, (set->n + view->nmember_columns) * sizeof(*keys));
	memcpy(keys, set->keys, set->n * sizeof(*keys));
	for (size_t i = 0; i < view->nmember_columns; i++) {
		const struct view_column *c = &view->member_columns[i];

		if (!is_of_members(view, set, c))
			continue;
		keys[set->n] = key_of_column(c, "", 0);
		keys[set->n].use = KEY_FILTERS | KEY_IMPLIED;
		set->keys = keys;
		set->n++;
	}
}

void member_keys_tell(struct cmdline *in)
{
	for (unsigned int i = 0; in->ngroups && i < in->filters.n; i++) {
		struct filter *f = &in->filters.filters[i];

		if (!(in->keys[f->key].use & KEY_OF_GROUP) &&
		    !ANY_OF(k, in->ngroups, in->groups[k] == f->key))
			f->seen->member = in->shown->member;
	}
}
