// SPDX-License-Identifier: GPL-2.0-or-later
#include "classes/file_pages.h"

void file_pages_open(struct dump *d, struct page_types *types, struct file_pages *ret)
{
	*ret = (struct file_pages){
		.types = types,
		.dirty = page_flag_always(d, "PG_dirty"),
		.writeback = page_flag_always(d, "PG_writeback"),
		.mlocked = page_flag_always(d, "PG_mlocked"),
		.unevictable = page_flag_always(d, "PG_unevictable"),
		.head = page_flag_mask(d, "PG_head"),
	};
	hash_u64_init(&ret->uses, d->arena, sizeof(struct file_use));
	hash_u64_init(&ret->charged, d->arena, sizeof(uint64_t));
}

static bool find_class(const struct page_info *info, enum page_class class, enum file_class *ret)
{
	*ret = class == CLASS_SHMEM	? FILE_SHMEM
	       : class == CLASS_HUGETLB ? FILE_HUGETLB
					: FILE_CACHE;
	return class == CLASS_FILE || class == CLASS_SHMEM ||
	       (class == CLASS_HUGETLB && info->mapping);
}

enum status file_pages_add(struct file_pages *p, uint64_t pfn, const struct page_info *info,
			   enum page_class class)
{
	struct page_users users;
	enum file_class kind;
	struct file_use *u;
	uint64_t key;

	if (!find_class(info, class, &kind))
		return ST_OK;
	key = file_key(info->mapping, kind);
	if (!p->use || p->last != key) {
		p->use = hash_u64_get(&p->uses, key, NULL);
		p->last = key;
		p->last_memcg = 0;
	}
	u = p->use;
	if (!u->pages)
		u->memcg = info->memcg;
	u->shares_memcg += info->memcg == u->memcg;
	if (info->memcg && info->memcg != p->last_memcg) {
		uint64_t *one = hash_u64_get(&p->charged, info->memcg, NULL);

		*one = !*one || kind == FILE_SHMEM ? info->mapping & ~3ULL : *one;
	}
	p->last_memcg = info->memcg;
	u->pages++;
	u->dirty += (info->head_flags & p->dirty) != 0;
	u->writeback += (info->head_flags & p->writeback) != 0;
	u->mlocked += (info->head_flags & p->mlocked) != 0;
	u->unevictable += (info->head_flags & (p->mlocked | p->unevictable)) != 0;
	if (info->head != pfn || info->head_flags & p->head)
		u->large++;
	else if (page_type_users(p->types, pfn, &users) == ST_OK)
		u->mapped += users.mapcount >= 0;
	return ST_OK;
}

enum status file_pages_want(struct file_pages *p, uint64_t mapping, enum file_class class)
{
	hash_u64_get(&p->uses, file_key(mapping, class), NULL);
	return ST_OK;
}

uint64_t file_pages_of(const struct file_pages *p, uint64_t mapping)
{
	uint64_t pages = 0;

	for (unsigned int i = 0; i < FILE_CLASSES; i++) {
		const struct file_use *u = hash_u64_find(&p->uses, file_key(mapping, i));

		pages += u ? u->pages : 0;
	}
	return pages;
}
