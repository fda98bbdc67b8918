// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/elf_cut.h"

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fits(uint64_t at, uint64_t bytes, uint64_t size)
{
	return at <= size && bytes <= size - at;
}

static bool read_at(int fd, uint64_t at, void *buf, size_t n)
{
	return pread(fd, buf, n, (off_t)at) == (ssize_t)n;
}

const char *elf_cut(int fd)
{
	Elf64_Ehdr header = { .e_shnum = 0 };
	Elf64_Shdr section;
	struct stat st;
	uint64_t size;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !read_at(fd, 0, header.e_ident, EI_NIDENT) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    header.e_ident[EI_DATA] != ELFDATA2LSB)
		return NULL;
	size = (uint64_t)st.st_size;
	if (!read_at(fd, 0, &header, sizeof(header)))
		return "the end of its header";
	if (!header.e_shoff || header.e_shentsize != sizeof(section))
		return NULL;
	/* A number that has no room in the header is in the first of them. */
	if (!fits(header.e_shoff, (header.e_shnum ?: 1) * sizeof(section), size))
		return "its section headers";
	for (unsigned int i = 0; i < header.e_shnum; i++) {
		if (!read_at(fd, header.e_shoff + i * sizeof(section), &section, sizeof(section)))
			return NULL;
		if (section.sh_type != SHT_NULL && section.sh_type != SHT_NOBITS &&
		    !fits(section.sh_offset, section.sh_size, size))
			return "the end of its sections";
	}
	return NULL;
}
