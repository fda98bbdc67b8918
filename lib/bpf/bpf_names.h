/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of an enumeration by name, as the debug information of the kernel has them. */
#pragma once

#include "dump/dump.h"

#define BPF_NAMES 64 /* values of one enumeration */

struct bpf_names {
	const char *of[BPF_NAMES]; /* "lru_hash" of BPF_MAP_TYPE_LRU_HASH; NULL: unknown */
};

/* Names in capitals, "LRU_HASH", with the prefix before them: those that the kernel has. */
void bpf_names_open(struct dump *d, const char *prefix, const char *const *names, size_t n,
		    struct bpf_names *ret);

static inline const char *bpf_name(const struct bpf_names *x, uint32_t value)
{
	return value < BPF_NAMES ? x->of[value] : NULL;
}
