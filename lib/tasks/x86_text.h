/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text of x86-64, as compilers write that of the kernel: where instructions end, and what leads where. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the instruction at code, of which n bytes are there; 0: one that is not known here, or cut. */
size_t x86_length(const uint8_t *code, size_t n);

/*
 * Whether a function of n bytes comes to the offset `to` by the instruction that ends at `from` alone, from < to: no jump
 * from elsewhere leads between both. False where an instruction is not known, or a jump may lead anywhere: to an address
 * in a register, or to a part of the function that a compiler moved away.
 */
bool x86_comes_by(const uint8_t *text, size_t n, size_t from, size_t to);
