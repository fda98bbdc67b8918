/* SPDX-License-Identifier: GPL-2.0-or-later */
/* struct stack_record up to 6.7: a chain, and frames right behind the handle. */
struct stack_record {
	struct stack_record *next;
	u32 hash, size;
	union handle_parts handle;
	u64 entries[8];
	u64 pad;
};
#ifndef NEXT
#define NEXT 0
#endif
#define RECORD(h, n, refs, ...)                                                      \
	{                                                                            \
		.next = NEXT, .size = n, .handle = { h }, .entries = { __VA_ARGS__ } \
	}
