// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose files have most of what waits to be written: the load of a disk that does not keep up. */
#include "memowner/files.h"

struct sum {
	uint64_t pages;
};

/* Page cache of a file that is to be written, or is being written; 0: of shared memory. */
static uint64_t waits_in(const struct file_use *use)
{
	return file_key_mapping(hash_u64_key(use)) &&
			       file_key_class(hash_u64_key(use)) != FILE_SHMEM
		       ? use->dirty + use->writeback
		       : 0;
}

/* The cgroup that most of it is charged to, of files whose pages are all charged to one; NULL: less than half is. */
static const char *charged_to(struct summary *s, const struct summary_files *f, uint64_t all,
			      uint64_t *pages)
{
	struct hash_bytes sums;

	hash_bytes_init(&sums, s->dump->arena, sizeof(struct sum));
	hash_u64_for_each(const struct file_use, use, &f->pages.uses) {
		const char *of = waits_in(use) ? summary_file_charge(s->view, use) : NULL;

		if (of)
			((struct sum *)hash_bytes_get(&sums, of, strlen(of), NULL)->value)->pages +=
				waits_in(use);
	}
	hash_bytes_for_each(const struct sum, sum, &sums) {
		const struct hash_bytes_entry *e = hash_bytes_entry_of(sum);

		*pages = sum->pages;
		if (sum->pages > all / 2)
			return dump_text(s->dump, "%.*s", (int)e->key_size, (const char *)e->key);
	}
	return NULL;
}

void summary_find_unwritten(struct summary *s, struct summary_files *f)
{
	const struct file_use *most = NULL;
	uint64_t all = 0, pages = 0;
	const char *cgroup, *name = NULL;
	struct cached_file *file;

	hash_u64_for_each(const struct file_use, use, &f->pages.uses) {
		all += waits_in(use);
		most = waits_in(use) > (most ? waits_in(most) : 0) ? use : most;
	}
	if (!most || !summary_reaches(s, LIMIT_SHOWN, all))
		return;
	file = cached_file_at(&f->files, file_key_mapping(hash_u64_key(most)));
	if (waits_in(most) > all / 2)
		name = file->status == ST_OK ? cached_file_name(&f->files, file)
					     : "a file whose name is not known";
	cgroup = charged_to(s, f, all, &pages);
	if (name)
		s->throttled.writes = dump_text(
			s->dump, "of all these %s are of %s%.200s%s%s",
			summary_size(s, waits_in(most)), *name == '/' ? "file " : "", name,
			cgroup ? ", charged to " : "", cgroup ? summary_last_of(cgroup) : "");
	else if (cgroup)
		s->throttled.writes = dump_text(s->dump,
						"of all these %s are of files charged to %s",
						summary_size(s, pages), summary_last_of(cgroup));
}
