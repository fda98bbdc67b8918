/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From where a way is of a module. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "util/strbuf.h"

/*
 * "engine with reap [drv]" of "timer_bases -> engine with reap [drv] -> requests": the first step that names the module,
 * if it is no part of what it leads to; else the first one.  len: bytes of it.
 */
const char *way_root(const char *way, const char *module, size_t *len);

/*
 * What memory of a way is: audit records of a queue of the kernel's, or "network packets (struct sk_buff)" by their type;
 * "a list of network packets (struct sk_buff) of device agg0", "a list of kmalloc-4k with pending work flush [drv]": the last
 * list of a way; false: none leads through one of which its cache says what it has.
 */
bool way_list_text(const char *way, struct strbuf *b);
