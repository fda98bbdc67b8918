/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types behind damaged ones: what is between them has numbers and nothing else. */
#pragma once

#include "btf/btf.h"

#define BTF_LOST UINT32_MAX /* in btf.at: no type is known of this number */

/* Bytes of the type at that place; 0: none fits there. */
uint32_t btf_length(const struct btf *b, uint32_t at);

/*
 * Of *n types what is at *at does not fit. Types do not have their numbers: where the next ones are found, and how many are lost
 * before them, only one number may be right, by which each function refers to a prototype (btf_func_check() of kernel/bpf/btf.c).
 * Marks these in b->at and b->lost, and returns where to go on; false: that is not known, or it is the second time.
 */
bool btf_bridge(struct dump *d, struct btf *b, uint32_t *n, uint32_t *at);
