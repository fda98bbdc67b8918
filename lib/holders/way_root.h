/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From where a way is of a module. */
#pragma once

#include <stddef.h>

/*
 * "engine with reap [drv]" of "timer_bases -> engine with reap [drv] -> requests": the first step that names the module,
 * if it is no part of what it leads to; else the first one.  len: bytes of it.
 */
const char *way_root(const char *way, const char *module, size_t *len);
