// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbols of a dump: tables that VMCOREINFO names, tables that are found, and some that are damaged. */
#include "names/symbols.h"

#include <elf.h>
#include <stdlib.h>
#include <unistd.h>

#include "kallsyms_image.h"
#include "names/table.h"
#include "vmcoreinfo.h"
#include "stub.h"
#include "test.h"

static struct kallsyms_image image;
static struct stub stub;
static uint64_t missing; /* a page of the image that is not in the dump; 0: none */
static struct stub_symbol known[16];

static enum status read_image(void *priv NOT_USED, uint64_t addr, void *buf, size_t len)
{
	if (addr < IMAGE_AT || addr + len > IMAGE_AT + IMAGE_BYTES)
		return ST_UNREADABLE;
	if (missing && addr < missing + 4096 && addr + len > missing)
		return ST_UNREADABLE;
	memcpy(buf, image.bytes + (addr - IMAGE_AT), len);
	return ST_OK;
}

static void know(const char *name, uint64_t addr)
{
	size_t i = 0;

	while (known[i].name)
		i++;
	known[i] = (struct stub_symbol){ .name = name, .addr = addr };
}

/* named: VMCOREINFO has the tables, all but the markers. */
static void open_image(struct kallsyms_image made, bool named)
{
	const struct kallsyms_places *p = &image.places;

	image = made;
	kallsyms_image_make(&image);
	memset(known, 0, sizeof(known));
	missing = 0;
	know("_stext", IMAGE_AT);
	know("init_uts_ns", IMAGE_AT + GAP * (image.n - 2));
	if (named) {
		know("kallsyms_names", p->names);
		know("kallsyms_num_syms", p->num_syms);
		know("kallsyms_token_table", p->token_table);
		know("kallsyms_token_index", p->token_index);
		know("kallsyms_offsets", p->offsets);
		if (p->relative_base)
			know("kallsyms_relative_base", p->relative_base);
	}
	STUB_OPEN(stub, .symbols = known, .ops.read = read_image);
}

static enum status decode(struct symbols **s)
{
	*s = NULL;
	return symbols_from_kallsyms(&stub.dump, IMAGE_AT - 0x1000000, IMAGE_AT + 0x10000000, s);
}

static void check_all(struct symbols *s)
{
	struct symbol closest;
	char name[16];
	uint64_t addr;

	CHECK(symbols_unnamed(s) == 0);
	for (uint32_t i = 0; i < image.n; i++) {
		image_name(&image, i, name);
		CHECK(symbols_find(s, name, &addr) == ST_OK && addr == IMAGE_AT + GAP * i);
		CHECK(symbols_closest(s, addr + 1, &closest) == ST_OK);
		CHECK_TEXT(closest.name, name);
		CHECK(closest.address == addr && (i == image.n - 1 || closest.size == GAP));
		CHECK(i == image.n - 1 || symbols_above(s, addr) == addr + GAP);
	}
	CHECK(symbols_find(s, "fn_9999", &addr) == ST_ABSENT);
	CHECK(symbols_closest(s, IMAGE_AT - 1, &closest) == ST_ABSENT);
	CHECK(symbols_find(s, "kallsyms_names", &addr) == ST_OK && addr == image.places.names);
}

static void tables_that_are_named(void)
{
	for (int encoding = KALLSYMS_PLAIN; encoding <= KALLSYMS_SELF; encoding++) {
		struct symbols *s;

		open_image((struct kallsyms_image){ .n = 2200,
						    .marker_bytes = 4,
						    .encoding = encoding },
			   true);
		CHECK(decode(&s) == ST_OK);
		if (s)
			check_all(s);
	}
}

/* Markers of an odd and an even number; longs before 4.20. */
static void tables_that_are_found(void)
{
	for (unsigned int i = 0; i < 8; i++) {
		struct symbols *s;

		open_image((struct kallsyms_image){ .n = i & 1 ? 2200 : 2305,
						    .marker_bytes = i & 2 ? 4 : 8,
						    .encoding = i & 4 ? KALLSYMS_PLAIN
								      : KALLSYMS_NEGATIVE,
						    .is_old = true },
			   false);
		CHECK(decode(&s) == ST_OK);
		if (s)
			check_all(s);
	}
}

static const struct symbols *asked;

static enum status find_symbol(void *priv NOT_USED, const char *name, uint64_t *ret)
{
	return symbols_find(asked, name, ret);
}

/* What is on a page that is missing, or may be, is unknown; all else is as it was. */
static void names_that_are_missing(void)
{
	struct symbols *s;
	struct symbol closest;
	size_t unnamed = 0;
	uint64_t addr;

	open_image((struct kallsyms_image){ .n = 2200, .marker_bytes = 4 }, true);
	missing = (image.places.names + 8192) & ~4095ULL;
	CHECK(decode(&s) == ST_OK);
	for (uint32_t i = 0; s && i < image.n; i++) {
		enum status st = symbols_closest(s, IMAGE_AT + GAP * i, &closest), by_name;
		char name[16];

		image_name(&image, i, name);
		by_name = symbols_find(s, name, &addr);
		CHECK(by_name == st);
		CHECK(st == ST_OK ? !strcmp(closest.name, name) && addr == IMAGE_AT + GAP * i
				  : st == ST_UNREADABLE);
		unnamed += st == ST_UNREADABLE;
	}
	CHECK(s && unnamed == symbols_unnamed(s) && unnamed > 256 && unnamed < 1100);
	CHECK(s && symbols_find(s, "fn_9999", &addr) == ST_UNREADABLE);
	/* What asks for it is told so, and nothing rests on it. */
	asked = s;
	stub.ops.symbol = find_symbol;
	CHECK(dump_symbol(&stub.dump, "fn_9999", &addr) == ST_UNREADABLE);
	CHECK(strstr(stub.dump.error, "fn_9999 is unknown"));
	CHECK(dump_has_symbol(&stub.dump, "fn_9999") && !dump_knows_symbol(&stub.dump, "fn_9999"));
	CHECK(dump_knows_symbol(&stub.dump, "init_uts_ns"));
}

/* Which symbols have their address on the page of the offsets that is missing. */
static bool is_lost(uint32_t i)
{
	return ((image.places.offsets + 4 * i) & ~4095ULL) == missing;
}

/* What is between two symbols on either side of the page may be of any on it; their names are known. */
static void check_lost(struct symbols *s)
{
	struct symbol closest;
	size_t lost = 0;
	char name[16];
	uint64_t addr;

	for (uint32_t i = 0; i < image.n; i++) {
		const bool is_last = i + 1 < image.n && is_lost(i + 1);

		image_name(&image, i, name);
		lost += is_lost(i);
		CHECK(symbols_find(s, name, &addr) == (is_lost(i) ? ST_UNREADABLE : ST_OK));
		CHECK(is_lost(i) || addr == IMAGE_AT + GAP * i);
		CHECK(symbols_closest(s, IMAGE_AT + GAP * i, &closest) ==
		      (is_lost(i) ? ST_UNREADABLE : ST_OK));
		if (is_lost(i))
			continue;
		CHECK_TEXT(closest.name, name);
		if (i == image.n - 1)
			break;
		CHECK(closest.size == (is_last ? 0 : GAP));
		CHECK(symbols_closest(s, addr + 1, &closest) == (is_last ? ST_UNREADABLE : ST_OK));
		CHECK(symbols_above(s, addr) == (closest.size ? addr + GAP : 0));
	}
	CHECK(lost > 100 && symbols_lost(s) == lost && !symbols_unnamed(s));
	CHECK(symbols_find(s, "fn_9999", &addr) == ST_ABSENT);
}

static void offsets_that_are_missing(void)
{
	for (unsigned int i = 0; i < 3; i++) {
		struct symbols *s;

		open_image(
			(struct kallsyms_image){
				.n = 2200, .marker_bytes = 4, .encoding = i, .is_old = true },
			true);
		/* They begin with a page; on the third are other tables. */
		for (unsigned int page = 0; page < 2; page++) {
			missing = image.places.offsets + page * 4096;
			CHECK(decode(&s) == ST_OK);
			if (s)
				check_lost(s);
		}
	}
}

static void tables_that_are_missing(void)
{
	struct symbols *s;

	open_image((struct kallsyms_image){ .n = 2200, .marker_bytes = 4 }, true);
	missing = image.places.token_index & ~4095ULL;
	CHECK(decode(&s) == ST_UNREADABLE && !s);
	open_image((struct kallsyms_image){ .n = 2200, .marker_bytes = 4, .is_old = true }, false);
	known[1].addr = IMAGE_AT + IMAGE_BYTES - 8; /* data, behind what is searched */
	missing = image.places.token_index & ~4095ULL;
	CHECK(decode(&s) == ST_UNREADABLE && strstr(stub.dump.error, "--vmlinux"));
}

/* Each symbol has its own name or none. */
static void check_damaged(size_t least, size_t most)
{
	struct symbols *s;
	struct symbol closest;
	size_t unnamed = 0;

	CHECK(decode(&s) == ST_OK);
	for (uint32_t i = 0; s && i < image.n; i++) {
		enum status st = symbols_closest(s, IMAGE_AT + GAP * i, &closest);
		char name[16];

		image_name(&image, i, name);
		CHECK(st == ST_OK ? !strcmp(closest.name, name) : st == ST_UNREADABLE);
		unnamed += st == ST_UNREADABLE;
	}
	CHECK(unnamed >= least && unnamed <= most);
}

/* A token of another place, or of characters that no name has, is none; so are names behind a wrong length. */
static void names_that_are_damaged(void)
{
	uint8_t *p;

	open_image((struct kallsyms_image){ .n = 2200, .marker_bytes = 4 }, true);
	image.bytes[image.places.token_table - IMAGE_AT + 2] = '|';
	check_damaged(2197, 2197);
	open_image((struct kallsyms_image){ .n = 2200, .marker_bytes = 4 }, true);
	image.bytes[image.places.token_index - IMAGE_AT + 2] += 1;
	check_damaged(2197, 2200);
	open_image((struct kallsyms_image){ .n = 2200, .marker_bytes = 4 }, true);
	p = image.bytes + (image.places.names - IMAGE_AT);
	for (unsigned int i = 0; i < 300; i++)
		p += 1 + *p;
	*p += 1;
	check_damaged(212, 256);
}

static void check_refused(const char *why)
{
	struct symbols *s;

	CHECK(decode(&s) == ST_CORRUPT && !s);
	CHECK(strstr(stub.dump.error, why));
}

/* In token 1, token 2, and "e". Letters for letters: no name looks damaged, and all that have the token are false. */
static void tokens_that_have_other_letters(void)
{
	static const unsigned int changed[] = { 2, 5, 147 };

	for (size_t i = 0; i < sizeof(changed) / sizeof(changed[0]); i++) {
		open_image((struct kallsyms_image){ .n = 2200, .marker_bytes = 4 }, true);
		image.bytes[image.places.token_table - IMAGE_AT + changed[i]] = 'q';
		check_refused("kallsyms_token_table is corrupt");
	}
}

static void offsets_that_do_not_rise(void)
{
	open_image((struct kallsyms_image){ .n = 2200, .marker_bytes = 4 }, true);
	image.bytes[image.places.offsets - IMAGE_AT + 4 * 700 + 2] ^= 1;
	check_refused("kallsyms_offsets is corrupt");
}

static void check_data(bool expected)
{
	struct kallsyms k;

	CHECK(kallsyms_read(&stub.dump, &image.places, &k) == ST_OK &&
	      kallsyms_has_data(&k) == expected);
}

static void no_symbols_of_data(void)
{
	struct symbols *s;

	open_image((struct kallsyms_image){ .n = 2200, .marker_bytes = 4, .text_only = true },
		   true);
	CHECK(decode(&s) == ST_UNKNOWN && !s);
	check_data(false);
	CHECK(strstr(stub.dump.error, "CONFIG_KALLSYMS_ALL") &&
	      strstr(stub.dump.error, "--vmlinux"));
}

static void vmcoreinfo_of_another_kernel(void)
{
	struct symbols *s;

	open_image((struct kallsyms_image){ .n = 2200, .marker_bytes = 4 }, true);
	known[0].addr += 8;
	CHECK(decode(&s) == ST_CORRUPT && !s);
	known[0].addr -= 8;
	known[1].addr += 8;
	CHECK(decode(&s) == ST_CORRUPT && !s);
}

static void numbers_of_vmcoreinfo(void)
{
	static const char text[] = "NUMBER(low)=-4096\nNUMBER(high)=9223372036854775808\n"
				   "SYMBOL(top)=ffffffffffffff00\nSYMBOL(more)=1ffffffffffffff00\n";
	const struct vmcoreinfo v = { text, sizeof(text) - 1 };
	uint64_t address;
	int64_t n = 0;

	CHECK(vmcoreinfo_number(&v, "NUMBER(low)", &n) == ST_OK && n == -4096);
	/* Too large for one with a sign: it is no other number. */
	CHECK(vmcoreinfo_number(&v, "NUMBER(high)", &n) == ST_ABSENT && n == -4096);
	CHECK(vmcoreinfo_symbol(&v, "top", &address) == ST_OK && address == -256ULL);
	CHECK(vmcoreinfo_symbol(&v, "more", &address) == ST_ABSENT);
}

static const char *added[7];

static const char *text_of(const void *names, uint32_t place, char *buf NOT_USED)
{
	return ((const char *const *)names)[place];
}

static void add(struct symbols *s, const char *name, uint64_t addr)
{
	size_t i = symbols_count(s);

	added[i] = name;
	CHECK(symbols_add(s, addr, i, kallsyms_hash_text(name)) == ST_OK);
}

static void names_that_several_have(void)
{
	struct symbols *s;
	struct symbol closest;
	uint64_t addr;

	STUB_OPEN(stub);
	s = symbols_new(&stub.dump, 7, text_of, added);
	add(s, "static_one", IMAGE_AT + 0x300);
	add(s, "alias", IMAGE_AT + 0x200);
	add(s, "real", IMAGE_AT + 0x200);
	add(s, "static_one", IMAGE_AT + 0x100);
	add(s, "cut.isra.0", IMAGE_AT + 0x400);
	add(s, "whole.part.0", IMAGE_AT + 0x50);
	add(s, "whole", IMAGE_AT + 0x500);
	CHECK(symbols_add(s, IMAGE_AT, 0, 1) == ST_CORRUPT);
	CHECK(symbols_complete(s) == ST_OK && symbols_count(s) == 7);
	CHECK(symbols_find(s, "static_one", &addr) == ST_OK && addr == IMAGE_AT + 0x100);
	CHECK(symbols_closest(s, IMAGE_AT + 0x210, &closest) == ST_OK);
	CHECK_TEXT(closest.name, "alias");
	CHECK(closest.size == 0x100);
	CHECK(symbols_find(s, "cut", &addr) == ST_OK && addr == IMAGE_AT + 0x400);
	CHECK(symbols_find(s, "whole", &addr) == ST_OK && addr == IMAGE_AT + 0x500);
	CHECK(symbols_find(s, "who", &addr) == ST_ABSENT);
	CHECK(symbols_above(s, IMAGE_AT + 0x500) == 0);
}

/* To look through them for each question would be a circle of hours. */
static void one_name_of_all(void)
{
	struct symbols *s;

	STUB_OPEN(stub);
	added[0] = "same";
	s = symbols_new(&stub.dump, 70000, text_of, added);
	for (uint32_t i = 0; i < 70000; i++)
		CHECK(symbols_add(s, IMAGE_AT + i, 0, kallsyms_hash_text("same")) == ST_OK);
	CHECK(symbols_complete(s) == ST_CORRUPT);
}

/* A vmlinux that has nothing but a symbol table, whose strings stand behind the symbols. */
struct list {
	Elf64_Ehdr header;
	Elf64_Shdr sections[3];
	Elf64_Sym symbols[8];
	char strings[128];
};

static void list_add(struct list *l, size_t i, const char *name, uint64_t value, uint16_t section,
		     unsigned int type)
{
	char *free = l->strings + 1;

	while (*free)
		free += strlen(free) + 1;
	strcpy(free, name);
	l->symbols[i] = (Elf64_Sym){ .st_name = free - l->strings,
				     .st_info = ELF64_ST_INFO(STB_GLOBAL, type),
				     .st_shndx = section,
				     .st_value = value };
}

static const char *write_list(uint64_t uts)
{
	static char path[] = "/tmp/test_names.XXXXXX";
	struct list l = {
		.header = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			    .e_type = ET_EXEC,
			    .e_machine = EM_X86_64,
			    .e_version = EV_CURRENT,
			    .e_shoff = offsetof(struct list, sections),
			    .e_ehsize = sizeof(Elf64_Ehdr),
			    .e_shentsize = sizeof(Elf64_Shdr),
			    .e_shnum = 3 },
		.sections[1] = { .sh_type = SHT_SYMTAB,
				 .sh_offset = offsetof(struct list, symbols),
				 .sh_size = sizeof(l.symbols),
				 .sh_link = 2,
				 .sh_entsize = sizeof(Elf64_Sym) },
		.sections[2] = { .sh_type = SHT_STRTAB,
				 .sh_offset = offsetof(struct list, strings),
				 .sh_size = sizeof(l.strings) },
	};
	int fd;

	strcpy(path, "/tmp/test_names.XXXXXX");
	fd = mkstemp(path);
	list_add(&l, 1, "init_uts_ns", uts, 1, STT_OBJECT);
	list_add(&l, 2, "_stext", 0xffffffff80000000, 1, STT_NOTYPE);
	list_add(&l, 3, "runqueues", 0x2ac0, 1, STT_OBJECT);
	list_add(&l, 4, "head.S", 0xffffffff80000000, SHN_ABS, STT_FILE);
	list_add(&l, 5, "$d", 0xffffffff80000010, 1, STT_NOTYPE);
	list_add(&l, 6, "kexec_size", 0x100, SHN_ABS, STT_NOTYPE);
	list_add(&l, 7, "elsewhere", 0, SHN_UNDEF, STT_NOTYPE);
	CHECK(fd >= 0 && write(fd, &l, sizeof(l)) == sizeof(l));
	close(fd);
	return path;
}

static void symbols_of_vmlinux(void)
{
	struct symbols *s = NULL;
	const char *path;
	uint64_t addr;

	open_image((struct kallsyms_image){ .n = 2200, .marker_bytes = 4 }, true);
	path = write_list(0xffffffff80000000 + GAP * 2198);
	CHECK(symbols_from_elf(&stub.dump, path, &s) == ST_OK);
	CHECK(s && symbols_count(s) == 3);
	CHECK(s && symbols_find(s, "_stext", &addr) == ST_OK && addr == IMAGE_AT);
	/* A per-CPU variable is not moved. */
	CHECK(s && symbols_find(s, "runqueues", &addr) == ST_OK && addr == 0x2ac0);
	unlink(path);
	path = write_list(0xffffffff80000100);
	CHECK(symbols_from_elf(&stub.dump, path, &s) == ST_USAGE);
	CHECK(strstr(stub.dump.error, "another kernel"));
	CHECK(truncate(path, 400) == 0);
	CHECK(symbols_from_elf(&stub.dump, path, &s) != ST_OK);
	CHECK(truncate(path, 0) == 0);
	CHECK(symbols_from_elf(&stub.dump, path, &s) == ST_USAGE);
	unlink(path);
	CHECK(symbols_from_elf(&stub.dump, path, &s) == ST_USAGE);
}

TESTS({ "kallsyms that VMCOREINFO names", tables_that_are_named },
      { "kallsyms that is found by its form", tables_that_are_found },
      { "names that are missing are unknown", names_that_are_missing },
      { "addresses that are missing are unknown, and no others", offsets_that_are_missing },
      { "tables that are missing", tables_that_are_missing },
      { "names that are damaged are unknown", names_that_are_damaged },
      { "tokens that have other letters", tokens_that_have_other_letters },
      { "offsets that do not rise", offsets_that_do_not_rise },
      { "no symbols of data", no_symbols_of_data },
      { "VMCOREINFO of another kernel is told", vmcoreinfo_of_another_kernel },
      { "numbers of VMCOREINFO", numbers_of_vmcoreinfo },
      { "of several of one name the lowest, names that gcc made", names_that_several_have },
      { "too many symbols of one name are damage", one_name_of_all },
      { "symbols of a vmlinux, moved, and of another one", symbols_of_vmlinux })
