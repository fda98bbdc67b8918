/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kernels of phones have between the stamp and the words of a line: who wrote it, as print_caller() of
 * kernel/printk/printk.c tells elsewhere. Text only.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The words behind it, and the task or, with LOG_CALLER_CPU, the CPU that wrote them; NULL: no such thing is there. */
const char *log_behind_context(const char *text, uint32_t *caller, bool *has_caller);
