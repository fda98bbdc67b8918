/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text as pairs of hexadecimal digits, as GDB sends names and sources. */
#pragma once

#include <stdbool.h>

/* ret has room for half of hex and an end. False: not pairs of digits, or a byte of 0. */
bool hex_text_decode(const char *hex, char *ret);
