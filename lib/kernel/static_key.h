/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Static keys (include/linux/jump_label.h): DEFINE_STATIC_KEY_FALSE(), DEFINE_STATIC_KEY_TRUE().
 *
 * The two types wrap a struct static_key, whose counter is above zero while the key is on.  It is
 * in memory with and without CONFIG_JUMP_LABEL.
 */
#pragma once

#include "dump/dump.h"

/*
 * Whether a key of vmlinux is on.  ST_ABSENT: this kernel has no such key; ST_UNREADABLE;
 * ST_UNKNOWN: struct static_key has another layout.
 */
enum status static_key_read(struct dump *d, const char *name, bool *ret);
