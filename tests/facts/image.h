/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an unpacked image of a kernel has of types and symbols: vmlinux, its text without headers, or a BTF. */
#pragma once

#include "dump/dump.h"

/* The largest BTF in the bytes; false: there is none with types of a kernel. */
bool image_btf(struct arena *arena, const uint8_t *bytes, size_t size, const uint8_t **btf,
	       size_t *btf_size);

/*
 * Calls visit with each name of the kernel's own symbol table (kallsyms), which is compressed. False: there
 * is none that is known.
 */
bool image_symbols(const uint8_t *bytes, size_t size, bool big_endian,
		   void (*visit)(void *arg, const char *name), void *arg);
