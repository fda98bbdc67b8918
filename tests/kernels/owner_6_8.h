/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page_ext as of 6.3 with struct page_owner as of 6.8. */
#ifndef OFFSET
#define OFFSET 8
#endif
#ifndef NEVER
#define NEVER -1
#endif
struct page_ext {
	u64 flags;
};
#ifdef CASE_no_allocated
enum page_ext_flags { PAGE_EXT_OWNER, PAGE_EXT_OWNER_IN_USE };
#else
enum page_ext_flags { PAGE_EXT_OWNER, PAGE_EXT_OWNER_ALLOCATED };
#endif
enum page_ext_flags keep_page_ext_flags;

struct page_owner {
	u16 order;
	s16 last_migrate_reason;
	u32 gfp_mask, handle, free_handle;
	u64 ts_nsec, free_ts_nsec;
	char comm[16];
	s32 pid, tgid, free_pid, free_tgid;
};
#ifndef MORE_OF_ENTRY
#define MORE_OF_ENTRY /* what other clients keep behind */
#endif
struct entry {
	struct page_ext ext;
	struct page_owner owner;
	MORE_OF_ENTRY
};
#define ENTRY struct entry
#define OWNER(o, h, ...)                                                           \
	{                                                                          \
		.order = o, .last_migrate_reason = NEVER, .handle = h, __VA_ARGS__ \
	}

u64 page_ext_size = sizeof(struct entry);
struct page_ext_operations {
	u64 offset, size;
	void *need, *init;
	u8 need_shared_flags;
};
struct page_ext_operations page_owner_ops = { .offset = OFFSET, .size = sizeof(struct page_owner) };

struct static_key_false {
	struct static_key key;
};
#ifndef INITED
#define INITED 1 /* page_owner=on */
#endif
struct static_key_false page_owner_inited = { { { INITED } } };

#define BY(p, t, name, at) .pid = p, .tgid = t, .comm = name, .ts_nsec = at
