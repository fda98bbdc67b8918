// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbols of a vmlinux. */
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include "names/table.h"

#define MOST_SYMBOLS 8000000 /* as in lib/kernel/kallsyms.c */

static Elf_Scn *symbol_table(Elf *elf, GElf_Shdr *header)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, header) && header->sh_type == SHT_SYMTAB)
			return scn;
	return NULL;
}

/*
 * Those that have an address of the kernel: on x86_64 up to 6.12 that of a per-CPU variable is its offset in the
 * section .data..percpu, which starts at 0 and is not moved.
 */
static bool is_kept(const GElf_Sym *sym)
{
	unsigned int type = GELF_ST_TYPE(sym->st_info);

	return sym->st_shndx != SHN_UNDEF && type != STT_FILE && type != STT_SECTION &&
	       (sym->st_shndx != SHN_ABS || sym->st_value >> 32);
}

/* "$d" and "$x" of arm64 and names of the assembler are no symbols. */
static bool is_named(const char *name)
{
	return name && *name && *name != '$' && strncmp(name, ".L", 2);
}

/*
 * VMCOREINFO says where one symbol is, and all others must then be where it says.  (Of mem_section, node_data and
 * vmemmap, which may be pointers, it says where they point.)
 */
static enum status move(struct dump *d, struct symbols *s, const char *path)
{
	static const char *const names[] = { "_stext", "init_uts_ns", "swapper_pg_dir",
					     "init_top_pgt", "prb" };
	uint64_t slide = 0, known, own;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (d->ops->symbol(d->priv, names[i], &known) != ST_OK ||
		    symbols_find(s, names[i], &own) != ST_OK)
			continue;
		if (!i)
			slide = known - own;
		else if (known - own != slide)
			return dump_fail(d, ST_USAGE,
					 "%.400s is the vmlinux of another kernel: %s is elsewhere",
					 path, names[i]);
	}
	symbols_move(s, slide);
	return ST_OK;
}

static const char *text_of(const void *names, uint32_t place, char *buf NOT_USED)
{
	return ((const char *const *)names)[place];
}

static enum status read_table(struct dump *d, Elf *elf, const char *path, struct symbols **ret)
{
	GElf_Shdr header;
	Elf_Scn *scn = symbol_table(elf, &header);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	size_t n = data && header.sh_entsize ? data->d_size / header.sh_entsize : 0;
	const char **names;
	struct symbols *s;
	enum status st = ST_OK;

	if (!n || n > MOST_SYMBOLS)
		return dump_fail(
			d, ST_ABSENT,
			"%.400s has no symbols: the vmlinux with debug information has them", path);
	names = dump_alloc(d, n * sizeof(*names));
	s = symbols_new(d, n, text_of, names);
	for (size_t i = 1; i < n && st == ST_OK; i++) {
		GElf_Sym sym;
		const char *name;

		if (!gelf_getsym(data, i, &sym) || !is_kept(&sym))
			continue;
		name = elf_strptr(elf, header.sh_link, sym.st_name);
		if (!is_named(name))
			continue;
		names[i] = arena_strdup(d->arena, name);
		st = symbols_add(s, sym.st_value, i, kallsyms_hash_text(name));
	}
	st = st ?: symbols_complete(s) ?: move(d, s, path);
	if (st == ST_OK)
		*ret = s;
	return st;
}

enum status symbols_from_elf(struct dump *d, const char *path, struct symbols **ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	enum status st;
	Elf *elf;

	if (fd < 0)
		return dump_fail(d, ST_USAGE, "%s: %m", path);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF || gelf_getclass(elf) != ELFCLASS64)
		st = dump_fail(d, ST_USAGE, "%s is no ELF file of 64 bits", path);
	else
		st = read_table(d, elf, path, ret);
	elf_end(elf);
	close(fd);
	return st;
}
