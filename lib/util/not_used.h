/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A parameter that a function has for the sake of its type alone. */
#pragma once

#define NOT_USED __attribute__((unused))
