/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why pageowner and allocprof have different sizes for a module.  pageowner has the pages whose
 * call stack contains the module; slabs, per-CPU chunks and page tables that the kernel allocates
 * during a call of the module are among them, and belong to allocation sites of vmlinux.
 * allocprof has the bytes of the sites of the module, objects in slabs among them.
 */
#pragma once

#include "view.h"

/*
 * Two lines for each module that is shown and has sites.  Nothing where the kernel does not profile
 * allocations, or not all of its counters, tags and records are in this dump.
 */
enum status owner_module_sites(struct owner_view *v, size_t shown);
