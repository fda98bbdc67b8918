// SPDX-License-Identifier: GPL-2.0-or-later
#include "stuck_disk.h"

const struct stuck_disk *stuck_disk_of(const struct stuck_task *s)
{
	static const struct disk no_disk;
	static const struct stuck_disk none = { .disk = &no_disk };

	return s->disk ?: &none;
}

struct cell stuck_disk_on_cell(const void *record, void *view)
{
	const struct owner_view *v = view;
	const struct stuck_disk *k = stuck_disk_of(record);
	const struct mapped_device *m = &k->mapped;
	struct strbuf b = STRBUF_OF(1024);

	for (unsigned int i = 0; i < m->nbelow; i++)
		strbuf_add(&b, "%s%s", i ? "," : "", m->below[i]->name);
	return cell_text(k->has_mapped && m->below_complete ? arena_strdup(v->dump->arena, b.buf)
							    : NULL);
}

struct cell stuck_disk_server_cell(const void *record, void *view)
{
	struct owner_view *v = view;
	const struct stuck_disk *k = stuck_disk_of(record);

	return k->servers.n || k->servers_complete
		       ? cell_list(file_users_list(&k->servers, k->servers_complete, &v->lists))
		       : cell_text(NULL);
}
