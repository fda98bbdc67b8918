/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A number that may be unknown: { 5, true }. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct maybe_u64 {
	uint64_t n;
	bool known;
};
