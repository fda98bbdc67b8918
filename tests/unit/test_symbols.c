// SPDX-License-Identifier: GPL-2.0-or-later
/* kallsyms and module symbols, from tables made by hand. */
#include <elf.h>

#include "kernel/kallsyms.h"
#include "modules/module.h"
#include "modules/module_sections.h"
#include "stub.h"
#include "symbols/symbolize.h"
#include "test.h"

#define TEXT 0xffffffff81000000ULL
#define TABLES 0xffffffff82000000ULL

/*
 * Tokens: 'T', "do_", "exit", "fork", "_stext", "a", and one of two characters
 * that ends the table.  Each is a byte in names.
 */
#define TOKENS "T\0do_\0exit\0fork\0_stext\0a\0t\0"
enum { K_T, K_DO, K_EXIT, K_FORK, K_STEXT, K_A, K_t };

static const uint16_t token_index[256] = { 0, 2, 6, 11, 16, 23, 25 };

/* Sorted by address; do_exit and aexit share theirs, the first counts. */
static const uint8_t names[] = {
	2,    K_T, K_STEXT,		    /* 0x000 _stext */
	3,    K_T, K_DO,    K_FORK,	    /* 0x100 do_fork */
	3,    K_T, K_DO,    K_EXIT,	    /* 0x200 do_exit */
	3,    K_t, K_A,	    K_EXIT,	    /* 0x200 aexit */
	0x83, 0,   K_T,	    K_A,    K_FORK, /* 0x300 afork, with a length of two bytes */
};
static const uint32_t plain[] = { 0, 0x100, 0x200, 0x200, 0x300 };
/* -1 - offset from the base; per-CPU symbols would be positive. */
static const int32_t negative[] = { -1, -0x101, -0x201, -0x201, -0x301 };
static const uint32_t count = 5, marker[2] = { 0 };
static const uint64_t base = TEXT;

#define AT(i) (TABLES + (i)*0x1000)

static const struct stub_symbol symbols[] = {
	{ .name = "kallsyms_names", .addr = AT(0) },
	{ .name = "kallsyms_markers", .addr = AT(0) + sizeof(names) },
	{ .name = "kallsyms_offsets", .addr = AT(1) },
	{ .name = "kallsyms_relative_base", .addr = AT(2) },
	{ .name = "kallsyms_num_syms", .addr = AT(3) },
	{ .name = "kallsyms_token_table", .addr = AT(4) },
	{ .name = "kallsyms_token_index", .addr = AT(5) },
	{ .name = "_stext", .addr = TEXT },
	{ .name = "_end", .addr = TEXT + 0x400 },
	{ .name = "do_fork", .addr = TEXT + 0x100 },
	{ .name = "do_exit", .addr = TEXT + 0x200 },
	{ 0 },
};

static uint8_t name_table[4096], token_table[4096];

static void fill_memory(struct stub_memory *m, const void *offsets)
{
	memcpy(name_table, names, sizeof(names));
	memcpy(name_table + sizeof(names), marker, sizeof(marker));
	memcpy(token_table, TOKENS, sizeof(TOKENS));
	m[0] = (struct stub_memory){ AT(0), name_table, sizeof(name_table) };
	m[1] = (struct stub_memory){ AT(1), offsets, sizeof(plain) };
	m[2] = (struct stub_memory){ AT(2), &base, sizeof(base) };
	m[3] = (struct stub_memory){ AT(3), &count, sizeof(count) };
	m[4] = (struct stub_memory){ AT(4), token_table, sizeof(token_table) };
	m[5] = (struct stub_memory){ AT(5), token_index, sizeof(token_index) };
	m[6] = (struct stub_memory){ 0 };
}

static void check_lookups(struct stub *s)
{
	struct kallsyms k;
	struct symbol sym;

	stub_open(s);
	CHECK(kallsyms_open(&s->dump, &k) == ST_OK);
	if (test_failed)
		return;
	CHECK(kallsyms_lookup(&k, TEXT + 0x1ff, &sym) == ST_OK);
	CHECK_TEXT(sym.name, "do_fork");
	CHECK(sym.address == TEXT + 0x100 && sym.size == 0x100);
	CHECK(kallsyms_lookup(&k, TEXT + 0x200, &sym) == ST_OK);
	CHECK_TEXT(sym.name, "do_exit");
	CHECK(sym.size == 0x100);
	CHECK(kallsyms_lookup(&k, TEXT + 0x3ff, &sym) == ST_OK);
	CHECK_TEXT(sym.name, "afork");
	CHECK(sym.size == 0x100);
	CHECK(kallsyms_lookup(&k, TEXT - 1, &sym) == ST_ABSENT);
	CHECK(kallsyms_lookup(&k, TEXT + 0x400, &sym) == ST_ABSENT);
	stub_close(s);
}

static void plain_offsets(void)
{
	struct stub_memory m[8];
	struct stub s = { .memory = m, .symbols = symbols };

	fill_memory(m, plain);
	check_lookups(&s);
}

static void negative_offsets(void)
{
	struct stub_memory m[8];
	struct stub s = { .memory = m, .symbols = symbols };

	fill_memory(m, negative);
	check_lookups(&s);
}

/* 7.3: no base, each offset counts from where it stands. */
static void offsets_from_themselves(void)
{
	struct stub_symbol without[sizeof(symbols) / sizeof(symbols[0])];
	struct stub_memory m[8];
	struct stub s = { .memory = m, .symbols = without };
	uint32_t self[5];
	size_t n = 0;

	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++)
		if (!symbols[i].name || strcmp(symbols[i].name, "kallsyms_relative_base"))
			without[n++] = symbols[i];
	for (size_t i = 0; i < 5; i++)
		self[i] = (uint32_t)(TEXT + plain[i] - (AT(1) + 4 * i));
	fill_memory(m, self);
	check_lookups(&s);
}

static void tables_that_contradict_vmlinux(void)
{
	static const uint32_t elsewhere[] = { 8, 0x108, 0x208, 0x208, 0x308 };
	struct stub_memory m[8];
	STUB(s, .memory = m, .symbols = symbols);
	struct symbolizer sym;
	struct kallsyms k;
	char buf[64];

	fill_memory(m, elsewhere);
	CHECK(kallsyms_open(&s.dump, &k) == ST_UNKNOWN);
	/* Names then come from vmlinux. */
	symbolizer_open(&s.dump, &sym);
	CHECK_TEXT(frame_text(symbolize(&sym, TEXT + 0x123), buf, sizeof(buf)), "do_fork+0x23");
}

static void names_that_run_over(void)
{
	struct stub_memory m[8];
	STUB(s, .memory = m, .symbols = symbols);
	struct kallsyms k;
	struct symbol sym;

	fill_memory(m, plain);
	CHECK(kallsyms_open(&s.dump, &k) == ST_OK);
	k.names[3] = 200;
	CHECK(kallsyms_lookup(&k, TEXT + 0x100, &sym) == ST_CORRUPT);
	k.names[3] = 0;
	CHECK(kallsyms_lookup(&k, TEXT + 0x300, &sym) == ST_CORRUPT);
}

/* A list with one module whose text has two symbols and some that are not printed. */
#define HEAD 0x1000ULL
#define MODULE 0x2000ULL
#define KALLSYMS 0x3000ULL
#define SYMTAB 0x4000ULL
#define STRTAB 0x5000ULL
#define MOD_TEXT 0xffffffffc0000000ULL

struct module_mem {
	uint64_t base;
	uint32_t size, pad;
};

static struct {
	uint32_t state, pad;
	uint64_t next, prev;
	char name[56];
	struct module_mem mem[2];
	uint64_t kallsyms;
} module = { .next = HEAD,
	     .name = "leaky",
	     .mem = { { MOD_TEXT, 0x1000, 0 }, { MOD_TEXT + 0x2000, 0x100, 0 } },
	     .kallsyms = KALLSYMS };
static const struct {
	uint64_t symtab;
	uint32_t num, pad;
	uint64_t strtab;
} mod_kallsyms = { SYMTAB, 7, 0, STRTAB };
#define STRINGS "\0first\0second\0$x\0alias\0data\0"
static const Elf64_Sym symtab[7] = {
	{ 0 },
	{ .st_name = 7, .st_shndx = 1, .st_value = MOD_TEXT + 0x200 },	/* second */
	{ .st_name = 1, .st_shndx = 1, .st_value = MOD_TEXT + 0x100 },	/* first */
	{ .st_name = 14, .st_shndx = 1, .st_value = MOD_TEXT + 0x180 }, /* $x, a mapping symbol */
	/* alias of first, later */
	{ .st_name = 17, .st_shndx = 1, .st_value = MOD_TEXT + 0x100, .st_size = 8 },
	{ .st_name = 1, .st_shndx = 0, .st_value = MOD_TEXT + 0x300 }, /* undefined */
	{ .st_name = 23, .st_shndx = 2, .st_value = MOD_TEXT + 0x2010 },
};
static const uint64_t list_head[2] = { MODULE + 8, MODULE + 8 };

static const struct stub_member members[] = {
	{ "struct module", "state", FIELD(0, 4) },
	{ "struct module", "list", KINDED(KIND_STRUCT, 8, 16) },
	{ "struct module", "name", KINDED(KIND_ARRAY, 24, 56) },
	{ "struct module", "mem", KINDED(KIND_ARRAY, 80, 32) },
	{ "struct module", "kallsyms", FIELD(112, 8) },
	{ "struct module_memory", "base", FIELD(0, 8) },
	{ "struct module_memory", "size", FIELD(8, 4) },
	{ "struct mod_kallsyms", "symtab", FIELD(0, 8) },
	{ "struct mod_kallsyms", "num_symtab", FIELD(8, 4) },
	{ "struct mod_kallsyms", "strtab", FIELD(16, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct module_memory", 16 }, { 0 } };
static const struct stub_number enumerators[] = { { "MODULE_STATE_UNFORMED", 3 }, { 0 } };
static const struct stub_symbol module_symbols[] = { { .name = "modules", .addr = HEAD }, { 0 } };
static char strings[4096] = STRINGS;
static const struct stub_memory module_memory[] = {
	{ HEAD, list_head, sizeof(list_head) },
	{ MODULE, &module, sizeof(module) },
	{ KALLSYMS, &mod_kallsyms, sizeof(mod_kallsyms) },
	{ SYMTAB, symtab, sizeof(symtab) },
	{ STRTAB, strings, sizeof(strings) },
	{ 0 },
};

static struct stub module_stub(void)
{
	return (struct stub){ .memory = module_memory,
			      .symbols = module_symbols,
			      .members = members,
			      .sizes = sizes,
			      .enumerators = enumerators };
}

static void symbols_of_a_module(void)
{
	struct stub s = module_stub();
	struct symbolizer sym;
	char buf[64];

	stub_open(&s);
	symbolizer_open(&s.dump, &sym);
	CHECK(sym.modules.n == 1);
	CHECK_TEXT(frame_text(symbolize(&sym, MOD_TEXT + 0x1a0), buf, sizeof(buf)),
		   "first+0xa0 [leaky]");
	CHECK(symbolize(&sym, MOD_TEXT + 0x1a0)->size == 0x100);
	CHECK_TEXT(frame_text(symbolize(&sym, MOD_TEXT + 0x200), buf, sizeof(buf)),
		   "second+0x0 [leaky]");
	CHECK(symbolize(&sym, MOD_TEXT + 0x200)->size == 0xe00);
	/* The kernel ends the last symbol with the text, below the data that it is in. */
	CHECK_TEXT(frame_text(symbolize(&sym, MOD_TEXT + 0x2047), buf, sizeof(buf)),
		   "data+0x37 [leaky]");
	CHECK(symbolize(&sym, MOD_TEXT + 0x2047)->size == (uint64_t)-0x1010);
	CHECK_TEXT(frame_text(symbolize(&sym, MOD_TEXT + 0x50), buf, sizeof(buf)),
		   "0xffffffffc0000050 [leaky]");
	CHECK_TEXT(frame_text(symbolize(&sym, MOD_TEXT + 0x1800), buf, sizeof(buf)),
		   "0xffffffffc0001800");
	stub_close(&s);
}

/*
 * Up to 6.3: text and data are one range, and the text ends inside of it. There ends the last symbol of
 * the text, and the last of data as well, below its start: the kernel prints data+0x37/0xffff... of it.
 */
static void the_last_symbols_of_one_range(void)
{
	static const struct stub_member layouts[] = {
		{ "struct module", "state", FIELD(0, 4) },
		{ "struct module", "list", KINDED(KIND_STRUCT, 8, 16) },
		{ "struct module", "name", KINDED(KIND_ARRAY, 24, 56) },
		{ "struct module", "core_layout", KINDED(KIND_STRUCT, 80, 16) },
		{ "struct module", "kallsyms", FIELD(112, 8) },
		{ "struct module_layout", "base", FIELD(0, 8) },
		{ "struct module_layout", "size", FIELD(8, 4) },
		{ "struct module_layout", "text_size", FIELD(12, 4) },
		{ "struct mod_kallsyms", "symtab", FIELD(0, 8) },
		{ "struct mod_kallsyms", "num_symtab", FIELD(8, 4) },
		{ "struct mod_kallsyms", "strtab", FIELD(16, 8) },
		{ 0 },
	};
	static const struct stub_number layout_sizes[] = { { "struct module_layout", 16 }, { 0 } };
	const struct module_mem before = module.mem[0];
	struct stub s = module_stub();
	struct symbolizer sym;
	char buf[96];

	s.members = layouts;
	s.sizes = layout_sizes;
	module.mem[0] = (struct module_mem){ MOD_TEXT, 0x3000, 0x1000 };
	stub_open(&s);
	symbolizer_open(&s.dump, &sym);
	CHECK(sym.modules.n == 1);
	CHECK(symbolize(&sym, MOD_TEXT + 0x1a0)->size == 0x100);
	CHECK(symbolize(&sym, MOD_TEXT + 0x200)->size == 0xe00);
	CHECK_TEXT(frame_text(symbolize(&sym, MOD_TEXT + 0x2047), buf, sizeof(buf)),
		   "data+0x37 [leaky]");
	CHECK(symbolize(&sym, MOD_TEXT + 0x2047)->size == (uint64_t)-0x1010);
	stub_close(&s);
	module.mem[0] = before;
}

/* As debug information of a module, which the stub never has, and without it. */
static void variables_of_a_module(void)
{
	struct stub s = module_stub();
	uint64_t addr = 0;

	stub_open(&s);
	s.dump.load_module = "mod -s";
	CHECK(module_object_symbol(&s.dump, "leaky", "second", &addr) == ST_OK &&
	      addr == MOD_TEXT + 0x200);
	CHECK(module_object_symbol(&s.dump, "leaky", "modules", &addr) == ST_OK && addr == HEAD);
	CHECK(module_object_symbol(&s.dump, "leaky", "third", &addr) == ST_UNKNOWN);
	CHECK_TEXT(s.dump.error, "the symbols of module leaky are not loaded: mod -s leaky");
	CHECK(module_object_symbol(&s.dump, "zram", "second", &addr) == ST_ABSENT);
	CHECK_TEXT(s.dump.error, "second is not in vmlinux, module zram is not loaded");
	CHECK(module_object_type(&s.dump, "leaky", "struct module_memory") == ST_OK);
	CHECK(module_object_type(&s.dump, "leaky", "struct leak") == ST_UNKNOWN);
	CHECK_TEXT(s.dump.error, "the types of module leaky are not loaded: mod -s leaky");
	/* Who opened the dump cannot load one. */
	s.dump.load_module = NULL;
	CHECK(module_object_type(&s.dump, "leaky", "struct leak") == ST_UNKNOWN);
	CHECK_TEXT(s.dump.error, "the types of module leaky are not known");
	s.dump.module_types = "--modules DIR";
	CHECK(module_object_type(&s.dump, "leaky", "struct entry") == ST_UNKNOWN);
	CHECK_TEXT(s.dump.error,
		   "the types of module leaky are not known: --modules DIR gives them");
	/* It may be one that cannot be read. */
	module.next = 0x123456;
	CHECK(module_object_symbol(&s.dump, "zram", "second", &addr) == ST_UNREADABLE);
	module.next = HEAD;
	stub_close(&s);
}

/* A lock_class_key has no size without CONFIG_LOCKDEP, and the address of the variable behind it. */
static void a_variable_beside_a_symbol_without_a_size(void)
{
	struct stub s = module_stub();
	struct symbol found = { 0 };
	struct modules m;

	stub_open(&s);
	CHECK(modules_open(&s.dump, &m) == ST_OK);
	CHECK(modules_lookup(&m, m.first, MOD_TEXT + 0x110, &found) == ST_OK);
	CHECK_TEXT(found.name, "first");
	CHECK(modules_variable(&m, m.first, MOD_TEXT + 0x110, &found) == ST_OK);
	CHECK_TEXT(found.name, "alias");
	CHECK(modules_variable(&m, m.first, MOD_TEXT + 0x2010, &found) == ST_OK);
	CHECK_TEXT(found.name, "data");
	stub_close(&s);
}

static void modules_that_are_not_formed_yet(void)
{
	struct stub s = module_stub();
	struct modules m;

	stub_open(&s);
	module.state = 3;
	CHECK(modules_open(&s.dump, &m) == ST_OK && m.n == 0);
	module.state = 0;
	stub_close(&s);
}

static void a_list_that_loops(void)
{
	struct stub s = module_stub();
	struct modules m;

	stub_open(&s);
	module.next = MODULE + 8;
	CHECK(modules_open(&s.dump, &m) == ST_CORRUPT);
	CHECK_TEXT(s.dump.error, "the list of modules loops");
	module.next = 0x123456;
	CHECK(modules_open(&s.dump, &m) == ST_UNREADABLE && m.n == 1);
	module.next = HEAD;
	stub_close(&s);
}

#define HOLE 0x9000ULL /* a struct module that is not in the dump */
#define MOD_TREE 0xa000ULL
#define TREE_NODE 0xb000ULL

/* The module is behind the hole: it is reached from the other end, or through the tree. */
static const uint64_t cut_forth[2] = { HOLE + 8, MODULE + 8 }, cut_both[2] = { HOLE + 8, HOLE + 8 };
static const uint64_t mod_tree[3] = { 0, TREE_NODE + 8, TREE_NODE + 32 };
static const uint64_t tree_node[7] = { MODULE };
static const struct stub_symbol image_symbols[] = { { .name = "modules", .addr = HEAD },
						    { .name = "mod_tree", .addr = MOD_TREE },
						    { .name = "_stext", .addr = TEXT },
						    { .name = "_end", .addr = TEXT + 0x100000 },
						    { 0 } };

static enum frame_label label_beside(const uint64_t *head, bool has_tree, enum status *st)
{
	static const struct stub_member tree[] = {
		{ "struct mod_tree_root", "root.tree", KINDED(KIND_ARRAY, 8, 16) },
		{ "struct mod_tree_node", "mod", FIELD(0, 8) },
		{ "struct mod_tree_node", "node.node", KINDED(KIND_ARRAY, 8, 48) },
		{ "struct rb_node", "__rb_parent_color", FIELD(0, 8) },
		{ "struct rb_node", "rb_right", FIELD(8, 8) },
		{ "struct rb_node", "rb_left", FIELD(16, 8) },
		{ 0 },
	};
	struct stub_memory memory[8];
	struct stub_member all[17];
	struct stub s = module_stub();
	enum frame_label label;
	struct symbolizer sym;
	struct modules m;
	char buf[64];

	memcpy(memory, module_memory, sizeof(module_memory));
	memory[0].bytes = head;
	memory[5] = (struct stub_memory){ MOD_TREE, mod_tree, sizeof(mod_tree) };
	memory[6] = (struct stub_memory){ TREE_NODE, tree_node, sizeof(tree_node) };
	memory[7] = (struct stub_memory){ 0 };
	memcpy(all, members, sizeof(members));
	memcpy(all + 10, tree, sizeof(tree));
	s.memory = memory;
	s.symbols = image_symbols;
	s.members = has_tree ? all : members;
	stub_open(&s);
	*st = modules_open(&s.dump, &m);
	symbolizer_open(&s.dump, &sym);
	if (m.n)
		CHECK_TEXT(frame_text(symbolize(&sym, MOD_TEXT + 0x1a0), buf, sizeof(buf)),
			   "first+0xa0 [leaky]");
	else
		*st = ST_ABSENT;
	label = symbolize(&sym, MOD_TEXT + 0x1800)->label;
	stub_close(&s);
	return label;
}

static void a_module_that_is_not_in_the_dump(void)
{
	enum status st;

	CHECK(label_beside(list_head, false, &st) == LABEL_GONE && st == ST_OK);
	module.prev = HOLE + 8;
	CHECK(label_beside(cut_forth, false, &st) == LABEL_UNKNOWN && st == ST_UNREADABLE);
	CHECK(label_beside(cut_both, false, &st) == LABEL_UNKNOWN && st == ST_ABSENT);
	CHECK(label_beside(cut_both, true, &st) == LABEL_UNKNOWN && st == ST_UNREADABLE);
	module.prev = 0;
}

/* What no call reaches is of no module, of those that were unloaded either. */
static void addresses_that_no_module_has(void)
{
	static const struct {
		const char *arch;
		uint64_t addr;
		enum frame_label label;
	} rows[] = {
		{ "x86_64", MOD_TEXT + 0x1800, LABEL_GONE },
		{ "x86_64", TEXT - 0x1000, LABEL_NONE },
		{ "x86_64", 0xffffffffff000000, LABEL_NONE },
		{ "x86_64", 0xffff888000001000, LABEL_NONE },
		{ "x86_64", 0x41414141, LABEL_NONE },
		{ "aarch64", TEXT - 0x1000, LABEL_GONE },
		{ "aarch64", TEXT - (5ULL << 30), LABEL_NONE },
	};
	struct stub s = module_stub();
	struct symbolizer sym;

	s.symbols = image_symbols;
	stub_open(&s);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		s.dump.arch = rows[i].arch;
		symbolizer_open(&s.dump, &sym);
		CHECK(symbolize(&sym, rows[i].addr)->label == rows[i].label);
	}
	stub_close(&s);
}

static void a_module_without_a_name(void)
{
	struct stub s = module_stub();
	struct modules m;

	stub_open(&s);
	memset(module.name, 'x', sizeof(module.name));
	CHECK(modules_open(&s.dump, &m) == ST_CORRUPT);
	memset(module.name, 0, sizeof(module.name));
	strcpy(module.name, "leaky");
	stub_close(&s);
}

TESTS({ "kallsyms: plain offsets", plain_offsets },
      { "kallsyms: negative offsets", negative_offsets },
      { "kallsyms: offsets from themselves", offsets_from_themselves },
      { "kallsyms: tables that contradict vmlinux are not believed",
	tables_that_contradict_vmlinux },
      { "kallsyms: names that run over", names_that_run_over },
      { "modules: symbols", symbols_of_a_module },
      { "the last symbols of a module with one range", the_last_symbols_of_one_range },
      { "variables and types of a module", variables_of_a_module },
      { "variables of a module: a symbol without a size is beside one",
	a_variable_beside_a_symbol_without_a_size },
      { "modules: unformed ones are left out", modules_that_are_not_formed_yet },
      { "modules: a list that loops or breaks off", a_list_that_loops },
      { "modules: behind one that is not in the dump, and no text is said to be gone",
	a_module_that_is_not_in_the_dump },
      { "modules: addresses that none has", addresses_that_no_module_has },
      { "modules: no name", a_module_without_a_name })
