// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/unuse_lock.h"

/* Of unuse_mm() and what it calls a compiler keeps those that it likes; kthread_unuse_mm() was unuse_mm() up to 5.7. */
bool unuse_has_lock(const char *function)
{
	return !strncmp(function, "unuse_p", 7) || is_function(function, "unuse_vma");
}

uint64_t unuse_find_mm(const struct task_stack *s, uint64_t from, uint64_t end,
		       const struct hash_u64 *mms, uint64_t mmap_lock)
{
	uint64_t found = 0, word;

	for (uint64_t at = from & ~7ULL; at < end; at += 8) {
		if (!task_stack_word(s, at, &word))
			continue;
		if (!hash_u64_has(mms, word))
			word -= mmap_lock;
		if (word == found || !hash_u64_has(mms, word))
			continue;
		if (found)
			return 0;
		found = word;
	}
	return found;
}

uint64_t unuse_mm_of(struct task_frames *at, const struct hash_u64 *mms, uint64_t mmap_lock)
{
	const struct unwind *w = &at->frames;
	unsigned int outer = w->n;

	for (unsigned int i = 0; i < w->n; i++)
		if (unuse_has_lock(task_frames_name(at, i)))
			outer = i + 1;
	if (outer >= w->n || at->stack.on_cpu)
		return 0;
	return unuse_find_mm(&at->stack, at->stack.sp - at->stacks.switch_span, w->f[outer].end,
			     mms, mmap_lock);
}
