/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the vmlinux of a dump is, when none was given. */
#pragma once

#include "dump/dump.h"

/*
 * A vmlinux, or its file of debug information, whose build ID is that of the dump: where distributions
 * put it, beside the file of the dump, or what a server of debuginfod has, which is asked only if
 * DEBUGINFOD_URLS is set, as its own programs do.  The first that use() takes: a vmlinux may be stripped.
 * NULL: there is none. The path is in d->arena.
 */
const char *vmlinux_find(struct dump *d, const char *dump_path,
			 bool (*use)(void *arg, const char *path), void *arg);

/*
 * Why a file beside the dump, which has the name of a vmlinux, is not used: "/x/vmlinux: vmlinux is of another build ...:
 * it is not used". NULL: there is none that says it. The text is in d->arena.
 */
const char *vmlinux_refused(struct dump *d, const char *dump_path);
