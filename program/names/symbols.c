// SPDX-License-Identifier: GPL-2.0-or-later
#include "names/symbols.h"

enum status symbols_from_kallsyms(struct dump *d, uint64_t image, uint64_t end,
				  struct symbols **ret)
{
	(void)image;
	(void)end;
	(void)ret;
	return dump_fail(d, ST_ABSENT, "no kallsyms");
}

enum status symbols_from_elf(struct dump *d, const char *path, uint64_t slide, struct symbols **ret)
{
	(void)slide;
	(void)ret;
	return dump_fail(d, ST_ABSENT, "%s has no symbols", path);
}

enum status symbols_of_modules(struct dump *d, struct symbols **ret)
{
	(void)ret;
	return dump_fail(d, ST_ABSENT, "no symbols of modules");
}

enum status symbols_find(const struct symbols *s, const char *name, uint64_t *ret)
{
	(void)s;
	(void)name;
	(void)ret;
	return ST_ABSENT;
}

enum status symbols_closest(const struct symbols *s, uint64_t addr, struct symbol *ret)
{
	(void)s;
	(void)addr;
	(void)ret;
	return ST_ABSENT;
}

uint64_t symbols_above(const struct symbols *s, uint64_t addr)
{
	(void)s;
	(void)addr;
	return 0;
}

size_t symbols_count(const struct symbols *s)
{
	(void)s;
	return 0;
}
