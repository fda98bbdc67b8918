/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A block that snappy compressed, as format_description.txt of its library has it.  The library is one of C++, which
 * alone costs a third of the time in which the program starts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A whole block of out_len bytes; false: it does not uncompress, or to another length. */
bool snappy_block(const uint8_t *in, size_t in_len, uint8_t *out, size_t out_len);
