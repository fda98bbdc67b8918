/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether an ELF file was cut off: libelf then finds no section, as if it had none. */
#pragma once

/* What it ends before, "its section headers"; NULL: it is all there, or no ELF file of 64 bits, little-endian. */
const char *elf_cut(int fd);
