/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call sites of 6.10 and later. Their data is in sites.h. */
#include "codetagtypes.h"

/* What the references of objects.h lead to. */
static struct alloc_tag vmlinux_sites[4], module_sites[2];
#define TAKE DIRECT(&vmlinux_sites[0].ct)
#define TAKE_PAGES DIRECT(&vmlinux_sites[1].ct)
#define SLAB_PAGE DIRECT(&vmlinux_sites[2].ct)
#define TAKE_PERCPU DIRECT(&vmlinux_sites[3].ct)
#define TAKE_MODULE DIRECT(&module_sites[0].ct)
#define GONE DIRECT(&module_sites[1].ct) /* of a module that was unloaded */
#define EMPTY ((void *)1)		 /* CODETAG_EMPTY: charged to nobody, on purpose */
