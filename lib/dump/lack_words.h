/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One word for one thing, wherever text says why something is not told; doc/json.md has them beside the status of JSON.
 *
 *	unknown       the dump lacks it, or it cannot be read
 *	not recorded  the kernel was not told to: an option of boot, or of a driver, turns it on
 *	not there     this kernel has none
 */
#pragma once

#include "dump/gap.h"

#define WORD_UNKNOWN "unknown"
#define WORD_NOT_RECORDED "not recorded"
#define WORD_NOT_THERE "not there"

/* One of these; AVAILABLE: nothing more is known of why. */
const char *availability_word(enum availability a);

/* Whether a note begins with one of the last two: that is no warning. */
bool lack_is_no_warning(const char *note);
