/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_ext and struct page_owner up to 6.7. OWNER_SINCE is the release whose
 * members it has: 4.19, 504 (free_handle), 511 (ts_nsec, pid), 513
 * (free_ts_nsec), 518 (comm, tgid).
 */
struct page_ext {
	u64 flags;
};
struct page_owner {
	u16 order;
	s16 last_migrate_reason;
	u32 gfp_mask, handle;
#if OWNER_SINCE >= 504
	u32 free_handle;
#endif
#if OWNER_SINCE >= 511
	u64 ts_nsec;
#endif
#if OWNER_SINCE >= 513
	u64 free_ts_nsec;
#endif
#if OWNER_SINCE >= 518
	char comm[16];
#endif
#if OWNER_SINCE >= 511
	s32 pid;
#endif
#if OWNER_SINCE >= 518
	s32 tgid;
#endif
};
/* Entries follow each other without a gap: 20 bytes in 4.19. */
struct entry {
	struct page_ext ext;
	struct page_owner owner;
} __attribute__((packed, aligned(4)));
#define ENTRY struct entry
#define OWNER(o, h, ...)                                                        \
	{                                                                       \
		.order = o, .last_migrate_reason = -1, .handle = h, __VA_ARGS__ \
	}

#if OWNER_SINCE >= 518
#define BY(p, t, name, at) .pid = p, .tgid = t, .comm = name, .ts_nsec = at
#elif OWNER_SINCE >= 511
#define BY(p, t, name, at) .pid = p, .ts_nsec = at
#else
#define BY(p, t, name, at) .last_migrate_reason = -1
#endif
#if OWNER_SINCE >= 513
#define FREED(h, pid, at) .free_handle = h, .free_ts_nsec = at
#elif OWNER_SINCE >= 504
#define FREED(h, pid, at) .free_handle = h
#else
#define FREED(h, pid, at)
#endif

struct page_ext_operations {
	u64 offset, size;
	void *need, *init;
};
struct page_ext_operations page_owner_ops = { .offset = 8, .size = sizeof(struct page_owner) };

struct static_key_false {
	struct static_key key;
};
struct static_key_false page_owner_inited = { { { 1 } } };
