/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many elements an array has. */
#pragma once

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
