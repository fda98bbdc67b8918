/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of the memory of modules, mod_tree: it reaches modules that the list "modules" does not
 * reach behind one that is not in the dump (kernel/module/tree_lookup.c, CONFIG_MODULES_TREE_LOOKUP).
 */
#pragma once

#include "dump/dump.h"

/*
 * Calls visit with the address of struct module for each node that can be read; a module has
 * several nodes. Nodes that cannot be read are passed over. ST_ABSENT: this kernel has no such tree.
 * visit ends the walk by any status but ST_OK.
 */
enum status module_tree_walk(struct dump *d, enum status (*visit)(void *arg, uint64_t module),
			     void *arg);

/*
 * The lowest and the highest address that memory of a module had since boot: mod_tree.addr_min and
 * addr_max, which are in the data of vmlinux, but not data in vmalloc (data_addr_min). ST_ABSENT: this
 * kernel keeps none.
 */
enum status module_tree_bounds(struct dump *d, uint64_t *start, uint64_t *end);
