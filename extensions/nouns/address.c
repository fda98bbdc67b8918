// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner ADDR: a page or an object, which no noun names. */
#include "noun.h"

#include "cli/noun_words.h"
#include "util/likeness.h"
#include "vm/address.h"

static char *help[] = {
	"memowner",
	"one page or object by its address",
	"ADDR...",
	"  ADDR is pfn:N, phys:X, page:X (address of a struct page), virt:X (kernel",
	"  address) or user:PID:X (address in a process); pfn:N-M has one row for each",
	"  page. N is decimal, or hexadecimal with 0x; X is hexadecimal, with or without",
	"  0x. A bare number is the address of a struct page or a kernel address. -c",
	"  adds pages on each side. Of memory of the kernel the words of the dump follow that",
	"  are its virtual or per-CPU address, or that of its struct page; what keeps it by",
	"  these is inferred, and its line begins with ~. DMA addresses are followed where",
	"  eight in a row agree, as in a ring of descriptors. Not looked for: words of the",
	"  allocators' own records (vm_struct, slabs, per-CPU chunks).",
	"EXAMPLES",
	"  A page by its number; the page at a physical address:",
	"    memowner pfn:4425 -c 2",
	"    memowner phys:1149000",
	"  An object of a slab cache, and what refers to it:",
	"    memowner virt:ffff888001149400",
	NULL
};

static const struct view *const views[] = { &owner_page_view };

static const struct command_option options[] = {
	{ 'c', .values = "1" },
	{ 'o', .values = "+pfn" },
	{ 'l' },
	LAST_OPTIONS,
};

#define NOUN(name) " " #name
static const char nouns[] = ""
#include "nouns.def"
	;
#undef NOUN

static bool is_noun(const char *text)
{
	size_t len = strlen(text);

	for (const char *p = nouns; (p = strstr(p, text)); p += len)
		if (p != nouns && p[-1] == ' ' && (p[len] == ' ' || !p[len]))
			return true;
	return false;
}

#define COMMAND(name) #name,
static const char *const commands[] = {
#include "commands.def"
};
#undef COMMAND

static bool is_command(const char *text)
{
	return ANY_OF(i, ARRAY_SIZE(commands), !strcmp(commands[i], text));
}

/* A word may be the noun that was meant. */
static enum status check_address(struct dump *d, const char *text)
{
	struct address address;
	enum status st = address_parse(d, text, &address);
	const char *noun = noun_of_word(text);
	char hint[LIKENESS_HINT];

	if (st == ST_USAGE && process_of_word(text))
		return dump_fail(d, st, "'%s' is no address: memowner processes -f pid=%s has it",
				 text, process_of_word(text));
	if (st != ST_USAGE || !address_is_name(text))
		return st;
	if (is_command(text))
		return dump_fail(d, st, "'%s' is a command of its own, without memowner before it",
				 text);
	if (is_noun(text))
		return dump_fail(d, st, "addresses and views are asked for apart: memowner %s",
				 text);
	if (address_is_kind(text))
		snprintf(hint, sizeof(hint), ", an address is one word, as pfn:N or phys:X");
	else if (noun)
		snprintf(hint, sizeof(hint), ", the nearest is %s", noun);
	else
		likeness_hint(hint, text, strlen(text), nouns + 1);
	return dump_fail(d, st, "'%s' is no address and no view%s, views are:%s", text, hint,
			 nouns);
}

static enum status check(void *arg)
{
	struct owner_view *v = arg;

	v->shows_references = true;
	return opts_near(v->dump, &v->in->opts);
}

OWNER_NOUN(address, .with_arguments = &owner_page_view, .check = check,
	   .check_argument = check_address, .keys = owner_keys, .nkeys = OWNER_KEYS)
