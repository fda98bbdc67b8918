// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner files: what -f, -g and -o ask for, that takes time to read. */
#include "files.h"

bool files_use_key(const struct cmdline *in, size_t key)
{
	return cmdline_groups_by(in, key) || cmdline_filters_by(in, key);
}

/* The tables of all processes are read for them. */
bool files_need_users(const struct cmdline *in)
{
	static const enum column_id of_users[] = { COLUMN_used_by, COLUMN_process, COLUMN_opened_by,
						   COLUMN_mapped_by };

	if (files_use_key(in, FILE_BY_PROCESS) || files_use_key(in, FILE_BY_USERS))
		return true;
	return in->ngroups && ANY_OF(i, ARRAY_SIZE(of_users),
				     table_needs(&in->table, of_users[i]) ||
					     cmdline_filters_column(in, of_users[i]));
}
