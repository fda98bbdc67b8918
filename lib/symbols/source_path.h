/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of source files as /proc/allocinfo has them, from those that a compiler recorded. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define SOURCE_PATH_BYTES 4096 /* PATH_MAX */

/*
 * dir/name without ".", ".." and doubled slashes, nothing of it looked up; name alone
 * if it is absolute or dir is NULL.  Control characters become '?'.  False: too long.
 */
bool source_path(const char *dir, const char *name, char buf[static SOURCE_PATH_BYTES]);

/* What is left of path below the folder dir; path itself if it is not below it. */
const char *source_below(const char *path, const char *dir);

/*
 * The folder that the kernel's sources lie in, if path is its init/main.c, which
 * every kernel has; then buf has it and the answer is true.
 */
bool source_root(const char *path, char buf[static SOURCE_PATH_BYTES]);
