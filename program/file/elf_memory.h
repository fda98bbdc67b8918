/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory in an ELF core: /proc/vmcore, QEMU's dump-guest-memory, makedumpfile -E.  64 bits,
 * little-endian.
 */
#pragma once

#include "file/input.h"
#include "file/vmcore.h"

struct elf_memory;

/* Reads of this length and longer are of the file itself: neither ahead nor through a cache. */
#define ELF_DIRECT_BYTES (32 * 1024)

/* ST_UNKNOWN, ST_CORRUPT with a message. */
enum status elf_memory_open(struct dump *d, const struct input *in, struct vmcore_facts *facts,
			    struct elf_memory **ret);

/* As vmcore_read() and vmcore_next(). */
enum status elf_memory_read(struct elf_memory *e, uint64_t phys, void *buf, size_t len);
bool elf_memory_next(const struct elf_memory *e, uint64_t *phys, uint64_t *end);
