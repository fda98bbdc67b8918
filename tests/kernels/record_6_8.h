/* SPDX-License-Identifier: GPL-2.0-or-later */
/* struct stack_record of 6.8 and later. */
struct rcu_list {
	struct rcu_list *next, *prev;
};
struct stack_record {
	struct rcu_list hash_list;
	u32 hash, size;
	union handle_parts handle;
	struct {
		struct {
			s32 counter;
		} refs;
	} count;
	u64 entries[8];
};
#define RECORD(h, n, refs, ...)                                                               \
	{                                                                                     \
		.size = n, .handle = { h }, .count = { { refs } }, .entries = { __VA_ARGS__ } \
	}
