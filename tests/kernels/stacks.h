/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Three stacks in two pools of four pages.  Records lie in units of 16 bytes;
 * SLOT is the unit at which the record of an index starts.  What a kernel
 * defines as SECOND is the record of the second stack.
 */
#define POOL_BYTES 16384
#define SLOT(i) ((i) * sizeof(struct stack_record) / 16)

#define HANDLE_FIRST HANDLE(0, SLOT(2))
#ifndef SECOND_SLOT
#define SECOND_SLOT 4
#endif
#define HANDLE_SECOND HANDLE(1, SLOT(SECOND_SLOT))
#define HANDLE_FREE HANDLE(0, SLOT(6))

#ifndef SECOND
#define SECOND RECORD(HANDLE_SECOND, 3, 2, IN(alloc_pages), IN(leak_second), IN(startup_64))
#endif

static struct stack_record pool0[POOL_BYTES / sizeof(struct stack_record)]
	__attribute__((aligned(4096))) = {
		[2] = RECORD(HANDLE_FIRST, 3, 7, IN(alloc_pages), IN(leak_first), IN(startup_64)),
		[6] = RECORD(HANDLE_FREE, 2, 0xc0000000, IN(free_pages), IN(startup_64)),
	};
static struct stack_record pool1[POOL_BYTES / sizeof(struct stack_record)]
	__attribute__((aligned(4096))) = { [SECOND_SLOT] = SECOND };
_Static_assert(sizeof(struct stack_record) % 16 == 0, "records start at units of 16 bytes");
