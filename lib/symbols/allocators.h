/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that allocate or free pages for others: a stack is told by the first frame that is
 * none of them.  Each row of the table says why the function is there.
 */
#pragma once

#include <stdbool.h>

/* A name as kallsyms has it, with the suffixes of compilers (.isra.0) and of 6.10 (_noprof). */
bool allocators_has(const char *symbol);
