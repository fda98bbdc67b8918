// SPDX-License-Identifier: GPL-2.0-or-later
/* Users of the stack depot. */
#include "fuzz.h"
#include "kernel/ref_tracker.h"
#include "slab/kasan.h"
#include "slab/kmemleak.h"

static enum status use_object(void *arg NOT_USED, const struct kmemleak_object *o)
{
	if (o->comm[KMEMLEAK_COMM - 1])
		__builtin_trap();
	return ST_OK;
}

static enum status use_reference(void *arg NOT_USED, const struct ref_tracker *t NOT_USED)
{
	return ST_OK;
}

void fuzz_users(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	const struct slab_cache cache = { .address = 0xffff888000000000 + (seed & 0xfffff8),
					  .size = seed >> 8 & 0xfff };
	const struct slab slab = { .cache = &cache, .address = 0xffff888000100000 };
	struct ref_trackers found;
	struct kasan_object o;
	struct kasan kasan;
	bool has_frames;

	kmemleak_walk(d, &has_frames, use_object, NULL);
	if (ref_trackers_walk(d, &found, use_reference, NULL) == ST_OK &&
	    !found.broken != !found.problem)
		__builtin_trap();
	if (kasan_open(d, &kasan) == ST_OK &&
	    kasan_object_at(&kasan, &slab, seed & 7, &o) == ST_OK && o.state != KASAN_QUARANTINED &&
	    o.freed)
		__builtin_trap();
}
