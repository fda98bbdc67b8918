/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loaded modules and the symbols that the kernel keeps of them: the list
 * "modules" and struct mod_kallsyms, whose symbols are Elf64_Sym
 * (kernel/module/kallsyms.c).
 */
#pragma once

#include "dump/dump.h"

#define MODULE_RANGES 16
#define MODULE_NAME 64 /* bytes, with the end */

struct module_range {
	uint64_t base, size;
	bool is_init; /* of what is freed once the module is loaded */
};

struct module_symbol {
	uint64_t value;
	uint32_t name;	/* offset in the string table */
	uint32_t index; /* in the symbol table: of equals the first wins */
	uint32_t size;	/* 0: of none, such as a lock_class_key without CONFIG_LOCKDEP */
};

struct module {
	struct module *next;
	const char *name;
	uint64_t address;			   /* of struct module */
	struct module_range ranges[MODULE_RANGES]; /* text first */
	unsigned int nranges;
	uint64_t text_end[2]; /* where a symbol that is the last ends; of init, if it has any */
	uint64_t symtab, strtab;
	uint32_t nsymtab;
	bool loaded;		       /* the next two are filled */
	struct module_symbol *symbols; /* rising by value */
	uint32_t n;
};

struct modules {
	struct dump *dump;
	struct module *first;
	unsigned int n;
};

/*
 * ST_ABSENT: a kernel without modules.  ST_UNREADABLE or ST_CORRUPT: a module of the list cannot be
 * read; ret has those that are before it and behind it, and those of the tree of modules, but
 * others may be missing.
 */
enum status modules_open(struct dump *d, struct modules *ret);

/*
 * Name of the module that was unloaded last, as oopses tell it (kernel/module/main.c);
 * ST_ABSENT: none was, or the kernel keeps no name.
 */
enum status modules_last_unloaded(struct dump *d, char name[MODULE_NAME]);

/* Whether an address is in a range of it. */
static inline bool module_has(const struct module *m, uint64_t addr)
{
	return ANY_OF(i, m->nranges, addr - m->ranges[i].base < m->ranges[i].size);
}

/* The module that an address belongs to, or NULL. */
struct module *modules_find(const struct modules *m, uint64_t addr);

/*
 * What %pS prints for an address of a module; ST_ABSENT if it has no symbol
 * there, ST_UNREADABLE if its symbols are not in this dump.
 */
enum status modules_lookup(struct modules *m, struct module *mod, uint64_t addr,
			   struct symbol *ret);

/* The same of a variable, where of several symbols with its address one that has a size names it. */
enum status modules_variable(struct modules *m, struct module *mod, uint64_t addr,
			     struct symbol *ret);

/* Bytes of the largest symbol at an address; 0: none that was loaded begins there. */
uint32_t module_symbol_bytes(const struct module *mod, uint64_t addr);

/*
 * Addresses of the symbols of those names that a module has; 0 for a name that it has not.
 * ST_ABSENT: the kernel keeps no symbols of it; ST_UNREADABLE: some of them, or of the
 * names, are not in this dump, so a 0 means nothing. ret is filled even so.
 */
enum status modules_symbols(struct modules *m, struct module *mod, const char *const *names,
			    size_t n, uint64_t *ret);

/*
 * The tree of the memory of modules, mod_tree: it reaches modules that the list "modules" does not
 * reach behind one that is not in the dump (kernel/module/tree_lookup.c, CONFIG_MODULES_TREE_LOOKUP).
 */

/*
 * Calls visit with the address of struct module for each node that can be read; a module has
 * several nodes. Nodes that cannot be read are passed over. ST_ABSENT: this kernel has no such tree.
 * visit ends the walk by any status but ST_OK.
 */
enum status module_tree_walk(struct dump *d, enum status (*visit)(void *arg, uint64_t module),
			     void *arg);

/*
 * The lowest and the highest address that memory of a module had since boot: mod_tree.addr_min and
 * addr_max, which are in the data of vmlinux, but not data in vmalloc (data_addr_min). ST_ABSENT: this
 * kernel keeps none.
 */
enum status module_tree_bounds(struct dump *d, uint64_t *start, uint64_t *end);
