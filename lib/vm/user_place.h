/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where an address of user mode lies in what the process has mapped there. */
#pragma once

#include "dump/dump.h"

/*
 * "/bin/supd+0x278fb", the byte of the file, or "[vdso]+0x9c0", of what a process has mapped there. mm: its mm_struct; pid: of any of its threads.
 * ST_ABSENT: it maps nothing there, or what has no name.
 */
enum status user_place_of(struct dump *d, uint64_t mm, uint64_t address, const char **ret);
enum status user_place_text(struct dump *d, int32_t pid, uint64_t address, const char **ret);
