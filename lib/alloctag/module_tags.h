/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The alloc tags of loaded modules by the symbols that bound them, __start_alloc_tags and
 * __stop_alloc_tags of each module (include/asm-generic/codetag.lds.h): where struct codetag_module
 * is not in the dump. Kernels without CONFIG_KALLSYMS_ALL keep no such symbols.
 */
#pragma once

#include "modules/module.h"

/*
 * Calls visit for each module that has tags. ST_UNREADABLE: the list of modules, or the symbols of
 * one of them, are not in this dump or not kept; the other modules were visited.
 */
enum status module_tags_walk(struct dump *d,
			     enum status (*visit)(void *arg, uint64_t start, uint64_t stop),
			     void *arg);
