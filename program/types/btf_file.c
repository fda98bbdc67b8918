// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Types of a vmlinux that has BTF in its section .BTF: that of a stock kernel is read in milliseconds, its
 * 200 MiB of debug information in seconds.  What BTF lacks, the types of some variables and of functions that were
 * put in line, is asked of these, when the first such question comes.
 */
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include "types/type_source.h"

#define MOST_BYTES (64u << 20) /* as in btf_source.c */
#define NAME_BYTES 128	       /* of a variable; more is in no kernel */

struct file_source {
	struct dump *dump;
	const char *path;
	struct type_source btf, debug; /* debug.priv NULL: there is none, or not yet */
	bool opened;
};

static const struct type_source *debug_of(struct file_source *f)
{
	struct dump *d = f->dump;
	char *error;

	if (!f->opened) {
		f->opened = true;
		error = arena_strdup(d->arena, d->error);
		if (types_from_dwarf(d, f->path, &f->debug) != ST_OK)
			f->debug.priv = NULL;
		/* Why there is none is no answer to what was asked. */
		snprintf(d->error, sizeof(d->error), "%s", error);
	}
	return f->debug.priv ? &f->debug : NULL;
}

/* Decoders ask for variables of other kernels as well. */
static bool is_here(struct dump *d, const char *name)
{
	char plain[NAME_BYTES];
	size_t n = strcspn(name, "[");
	uint64_t addr;

	if (n >= sizeof(plain))
		return false;
	memcpy(plain, name, n);
	plain[n] = '\0';
	return d->ops->symbol(d->priv, plain, &addr) == ST_OK;
}

static enum status find_variable(void *priv, const char *name, struct field *ret)
{
	struct file_source *f = priv;
	enum status st = f->btf.variable(f->btf.priv, name, ret);
	const struct type_source *more;

	if (st != ST_ABSENT || !is_here(f->dump, name))
		return st;
	more = debug_of(f);
	return more ? more->variable(more->priv, name, ret) : st;
}

static enum status find_size(void *priv, const char *type, uint64_t *ret)
{
	struct file_source *f = priv;

	return f->btf.type_size(f->btf.priv, type, ret);
}

static enum status find_member(void *priv, const char *type, const char *member, struct field *ret)
{
	struct file_source *f = priv;

	return f->btf.member(f->btf.priv, type, member, ret);
}

static enum status find_bits(void *priv, const char *type, const char *member, struct field *ret)
{
	struct file_source *f = priv;

	return f->btf.bits(f->btf.priv, type, member, ret);
}

static enum status find_text(void *priv, const char *type, char *buf, size_t size)
{
	struct file_source *f = priv;
	enum status st = f->btf.type_text(f->btf.priv, type, buf, size);
	const struct type_source *more;

	/* "struct x" is a type, another word a function. */
	if (st != ST_ABSENT || strchr(type, ' '))
		return st;
	more = debug_of(f);
	return more ? more->type_text(more->priv, type, buf, size) : st;
}

/* Types of the debug information have numbers of their own. */
#define OF_DEBUG (1ULL << 62)

static enum status find_typed(void *priv, const struct type_query *q, struct typed *ret)
{
	struct file_source *f = priv;
	bool by_number = q->by == TYPE_BY_NUMBER;
	enum status st = by_number && q->number & OF_DEBUG ? ST_ABSENT
							   : f->btf.typed(f->btf.priv, q, ret);
	struct type_query of_debug = *q;
	const struct type_source *more;

	if (st != ST_ABSENT || (q->by != TYPE_BY_VARIABLE && !by_number))
		return st;
	of_debug.base |= OF_DEBUG;
	more = debug_of(f);
	return more ? more->typed(more->priv, &of_debug, ret) : st;
}

static enum status find_enumerator(void *priv, const char *name, int64_t *ret)
{
	struct file_source *f = priv;

	return f->btf.enumerator(f->btf.priv, name, ret);
}

static bool enumerates(void *priv, const char *type, const char *name)
{
	struct file_source *f = priv;

	return f->btf.enumerates(f->btf.priv, type, name);
}

static void modules_readable(void *priv)
{
	struct file_source *f = priv;

	f->btf.modules(f->btf.priv);
}

/* A copy of the section; NULL: there is none with bytes in the file. */
static void *read_section(struct dump *d, Elf *elf, size_t *n)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (!elf || elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(scn, &header)
					   ? elf_strptr(elf, names, header.sh_name)
					   : NULL;
		Elf_Data *data;
		void *copy;

		if (!name || strcmp(name, ".BTF") || header.sh_type != SHT_PROGBITS ||
		    header.sh_size > MOST_BYTES)
			continue;
		data = elf_rawdata(scn, NULL);
		if (!data || !data->d_buf || !data->d_size)
			return NULL;
		copy = dump_alloc(d, data->d_size);
		memcpy(copy, data->d_buf, data->d_size);
		*n = data->d_size;
		return copy;
	}
	return NULL;
}

enum status types_from_vmlinux(struct dump *d, const char *path, const struct symbols *s,
			       struct type_source *ret)
{
	/* Not to wait for what is no file. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct file_source *f = dump_alloc(d, sizeof(*f));
	size_t n = 0;
	void *bytes;
	Elf *elf;

	if (fd < 0)
		return types_from_dwarf(d, path, ret);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	bytes = read_section(d, elf, &n);
	elf_end(elf);
	close(fd);
	f->dump = d;
	f->path = arena_strdup(d->arena, path);
	if (!bytes || types_of_btf(d, bytes, n, s, f->path, &f->btf) != ST_OK)
		return types_from_dwarf(d, path, ret);
	*ret = (struct type_source){
		.what = f->path,
		.variable = find_variable,
		.type_size = find_size,
		.member = find_member,
		.bits = find_bits,
		.typed = find_typed,
		.type_text = find_text,
		.enumerator = find_enumerator,
		.enumerates = enumerates,
		.modules = modules_readable,
		.priv = f,
	};
	return ST_OK;
}
