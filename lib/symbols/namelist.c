// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols/namelist.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <unistd.h>

#define BANNER_BYTES 1024 /* with the names of who built it, where, and of a compiler: 200 to 300 */
#define BANNER_START "Linux version "
#define MAX_SECTIONS 65536 /* of an ELF file; numbers have 16 bits */
#define MAX_LISTS 4	   /* a stripped vmlinux and its debug file */

/* A vmlinux that the reader of the dump has open. */
struct list {
	int fd;
	Elf *elf;
};

static bool list_open(const char *path, struct list *l)
{
	elf_version(EV_CURRENT);
	l->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	l->elf = l->fd >= 0 ? elf_begin(l->fd, ELF_C_READ_MMAP, NULL) : NULL;
	return l->elf && elf_kind(l->elf) == ELF_K_ELF;
}

static void list_close(struct list *l)
{
	elf_end(l->elf);
	if (l->fd >= 0)
		close(l->fd);
}

static bool id_of_list(Elf *elf, struct buildid *ret)
{
	const void *bits;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &bits);

	if (n <= 0 || (size_t)n > sizeof(ret->bytes))
		return false;
	memcpy(ret->bytes, bits, n);
	ret->n = n;
	return true;
}

/* Two hexadecimal digits a byte, as VMCOREINFO has it. */
static bool id_of_text(const char *text, struct buildid *ret)
{
	size_t digits = strspn(text, "0123456789abcdefABCDEF");
	unsigned int byte;

	if (text[digits] || digits % 2 || digits < 16 || digits / 2 > sizeof(ret->bytes))
		return false;
	ret->n = digits / 2;
	for (unsigned int i = 0; i < ret->n; i++) {
		sscanf(text + 2 * i, "%2x", &byte);
		ret->bytes[i] = byte;
	}
	return true;
}

/* Not dump_symbol(): that asks whether symbols fit, which is the question. */
bool namelist_id_of_dump(struct dump *d, struct buildid *ret)
{
	char text[2 * BUILDID_BYTES + 1];
	uint64_t start, end;

	if (d->ops->vmcoreinfo_text &&
	    dump_ask(d, vmcoreinfo_text, "BUILD-ID", text, sizeof(text)) == ST_OK &&
	    id_of_text(text, ret))
		return true;
	return dump_ask(d, symbol, "__start_notes", &start) == ST_OK &&
	       dump_ask(d, symbol, "__stop_notes", &end) == ST_OK &&
	       buildid_in_notes(d, start, end, ret) == ST_OK;
}

/* Bytes of the file at an address of the linker, as far as its section has them. */
static size_t list_bytes(Elf *elf, uint64_t addr, char *buf, size_t size)
{
	Elf_Scn *section = NULL;

	for (size_t n = 0; n < MAX_SECTIONS && (section = elf_nextscn(elf, section)); n++) {
		GElf_Shdr header;
		Elf_Data *data;
		size_t room;

		if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) ||
		    header.sh_type == SHT_NOBITS || addr < header.sh_addr ||
		    addr - header.sh_addr >= header.sh_size)
			continue;
		data = elf_rawdata(section, NULL);
		if (!data || !data->d_buf || addr - header.sh_addr >= data->d_size)
			return 0;
		room = data->d_size - (addr - header.sh_addr);
		memcpy(buf, (char *)data->d_buf + (addr - header.sh_addr),
		       room < size ? room : size);
		return room < size ? room : size;
	}
	return 0;
}

static bool list_symbol(Elf *elf, const char *name, uint64_t *ret)
{
	Elf_Scn *section = NULL;

	for (size_t n = 0; n < MAX_SECTIONS && (section = elf_nextscn(elf, section)); n++) {
		GElf_Shdr header;
		Elf_Data *data;
		GElf_Sym symbol;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
			const char *found = elf_strptr(elf, header.sh_link, symbol.st_name);

			if (found && !strcmp(found, name)) {
				*ret = symbol.st_value;
				return true;
			}
		}
	}
	return false;
}

/* A banner ends with its line; what is no banner is none. */
static bool is_banner(char *text, size_t n)
{
	char *end = n ? memchr(text, '\n', n) : NULL;

	if (!end || strncmp(text, BANNER_START, strlen(BANNER_START)))
		return false;
	*end = '\0';
	return true;
}

/* The release in a banner: its third word. */
static bool is_release(const char *banner, const char *release)
{
	const char *word = banner + strlen(BANNER_START);
	size_t n = strlen(release);

	return !strncmp(word, release, n) && (word[n] == ' ' || !word[n]);
}

/* VMCOREINFO tells the release, where the banner is not in the dump. */
static enum status compare_releases(struct dump *d, const char *in_list, const char *missing)
{
	char release[BANNER_BYTES] = "";

	if (*in_list && d->ops->vmcoreinfo_text &&
	    dump_ask(d, vmcoreinfo_text, "OSRELEASE", release, sizeof(release)) == ST_OK &&
	    *release && !is_release(in_list, release))
		return dump_fail(
			d, ST_UNKNOWN,
			"vmlinux is of another build than the kernel of this dump: it says \"%s\", the "
			"release of the dump is %s",
			in_list, release);
	return dump_absent(d, "%s", missing);
}

/* ids: which of both have a build ID, as words. */
static enum status compare_banners(struct dump *d, Elf *elf, const char *ids)
{
	char in_list[BANNER_BYTES] = "", in_dump[BANNER_BYTES] = "", missing[DUMP_ERROR];
	uint64_t linked, addr;
	bool listed = list_symbol(elf, "linux_banner", &linked);

	/* Every kernel has one: this is a part of one, and says nothing. */
	if (!listed && !ids)
		return ST_OK;
	snprintf(missing, sizeof(missing), "%s, and linux_banner cannot be compared",
		 ids ? ids : "neither vmlinux nor the dump has a build ID");
	if (!listed || !is_banner(in_list, list_bytes(elf, linked, in_list, sizeof(in_list)))) {
		*in_list = '\0';
		return compare_releases(d, in_list, missing);
	}
	if (dump_ask(d, symbol, "linux_banner", &addr) != ST_OK ||
	    dump_string(d, addr, in_dump, sizeof(in_dump), "linux_banner") != ST_OK ||
	    !is_banner(in_dump, sizeof(in_dump)))
		return compare_releases(d, in_list, missing);
	if (!strcmp(in_list, in_dump))
		return ST_OK;
	return dump_fail(
		d, ST_UNKNOWN,
		"vmlinux is of another build than the kernel of this dump, which says \"%s\"",
		in_dump);
}

static enum status compare(struct dump *d, Elf *elf, bool *is_proven)
{
	char list_text[BUILDID_TEXT], dump_text[BUILDID_TEXT];
	struct buildid list, dump;
	bool has_list = id_of_list(elf, &list), has_dump = namelist_id_of_dump(d, &dump);

	*is_proven = false;
	if (!has_list || !has_dump)
		return compare_banners(d, elf,
				       has_list	  ? "the dump has no build ID"
				       : has_dump ? "vmlinux has no build ID"
						  : NULL);
	*is_proven = buildid_same(&list, &dump);
	if (*is_proven)
		return ST_OK;
	return dump_fail(
		d, ST_UNKNOWN,
		"vmlinux is of another build than the kernel of this dump: its build ID is %s..., "
		"that of the dump is %s...",
		buildid_text(&list, list_text), buildid_text(&dump, dump_text));
}

enum status namelist_compare(struct dump *d, const char *path, bool *is_proven)
{
	struct list l;
	enum status st = list_open(path, &l) ? compare(d, l.elf, is_proven) : ST_UNREADABLE;

	list_close(&l);
	return st;
}

enum status namelist_check(struct dump *d)
{
	enum status st = ST_OK;

	for (unsigned int i = 0; i < MAX_LISTS && st == ST_OK; i++) {
		const char *path = d->ops->object ? dump_ask(d, object, NULL, i) : NULL;
		bool is_proven;

		if (!path)
			break;
		st = namelist_compare(d, path, &is_proven);
		if (st == ST_ABSENT)
			dump_lacks(d, "the build of vmlinux", ST_UNKNOWN, "%s", d->error);
		if (st == ST_UNREADABLE || st == ST_ABSENT)
			st = ST_OK;
	}
	if (st == ST_OK)
		d->error[0] = '\0';
	return st;
}
