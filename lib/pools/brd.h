/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RAM disks (drivers/block/brd.c): a page that was written once is kept until the device ends. */
#pragma once

#include "dump/memory_parts.h"

/*
 * A holder for each device: "/dev/ram1, mounted at /srv".  ST_ABSENT: brd is not in vmlinux, nor a loaded
 * module; ST_UNKNOWN: its types are not known.
 */
enum status brd_walk(struct dump *d, const struct memory_parts *v);
