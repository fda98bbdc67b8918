// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner zones",
	"free memory of zones, and why an allocation fails",
	"[ORDER [GFP]]",
	"  Free blocks by order and migrate type, watermarks, lists of the CPUs,",
	"  reclaim; the newest report in the log that memory ran out; whether each zone,",
	"  in the order of the zonelist, serves that allocation, then and at the panic,",
	"  by this kernel's check. ORDER and GFP (default GFP_KERNEL; commas between",
	"  flags) ask of another.",
	"EXAMPLES",
	"  Why memory ran out; would 16 contiguous pages have been had?",
	"    memowner zones",
	"    memowner zones 4 GFP_ATOMIC,__GFP_COMP",
	NULL
};

static const struct view *const views[] = { &owner_zones_view };

static const struct command_option options[] = {
	{ 'o', .values = "+free_pages" },
	LAST_OPTIONS,
};

OWNER_NOUN(zones)
