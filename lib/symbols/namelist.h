/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether vmlinux is of the kernel that died.  crash compares them, but not with --minimal, and types
 * and symbols of another build turn any memory into statements.
 */
#pragma once

#include "kernel/dump_info.h"

/*
 * ST_UNKNOWN: vmlinux is of another build, and dump->error says which.  ST_OK: it is the right one, or
 * neither a build ID nor linux_banner says that it is not: dump_lacks().  The build ID of the dump is that
 * of VMCOREINFO (5.9: kdump: append kernel build-id string to VMCOREINFO), else of the notes in memory.
 */
enum status namelist_check(struct dump *d);

/*
 * The same of a file that is not the one in use.  ST_UNREADABLE: it is no ELF file, without a message.
 * ST_ABSENT: what could be compared is missing, which dump->error says.
 * is_proven: its build ID is that of the dump.
 */
enum status namelist_compare(struct dump *d, const char *path, bool *is_proven);

/* The build ID of the dump, as above; false: it is not known. */
bool namelist_id_of_dump(struct dump *d, struct buildid *ret);
