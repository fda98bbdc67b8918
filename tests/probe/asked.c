// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A command for tests: another command, and what it asked of types, symbols and memory, with the answers:
 *
 *	memowner_asked FILE memowner -j
 *	memowner_asked FILE -t struct:page enum:zone_type
 *
 * A line is added to FILE for each question: its kind, its one or two names, the answer, each behind a tab.
 * -t asks for the texts of types.  Of memory a line is added for one in 64 pages, and with --minimal, where crash
 * does not translate all addresses, none.
 */
#include <stdio.h>
#include <string.h>

#include "through.h"

static char *help[] = { "memowner_asked", "a command and what it asks of types, for tests", "",
			NULL };

static const struct dump_ops *real;
static FILE *file;
static bool whole; /* the dump was opened without --minimal */

static enum status note_field(const char *question, const char *name, const char *second,
			      enum status st, const struct field *f)
{
	fprintf(file, "%s\t%s\t%s\t", question, name, second);
	if (st == ST_OK)
		fprintf(file, "kind %d at %u size %u bits %u+%u\n", f->kind, f->offset, f->size,
			f->bit_offset, f->bit_size);
	else
		fprintf(file, "absent\n");
	return st;
}

static enum status variable(void *priv, const char *name, struct field *ret)
{
	return note_field("variable", name, "", real->variable(priv, name, ret), ret);
}

static enum status member(void *priv, const char *type, const char *name, struct field *ret)
{
	return note_field("member", type, name, real->member(priv, type, name, ret), ret);
}

static enum status bits(void *priv, const char *type, const char *name, struct field *ret)
{
	return note_field("bits", type, name, real->bits(priv, type, name, ret), ret);
}

static enum status type_size(void *priv, const char *type, uint64_t *ret)
{
	enum status st = real->type_size(priv, type, ret);

	if (st == ST_OK)
		fprintf(file, "size\t%s\t\t%llu\n", type, (unsigned long long)*ret);
	else
		fprintf(file, "size\t%s\t\tabsent\n", type);
	return st;
}

static enum status enumerator(void *priv, const char *name, int64_t *ret)
{
	enum status st = real->enumerator(priv, name, ret);

	if (st == ST_OK)
		fprintf(file, "enumerator\t%s\t\t%lld\n", name, (long long)*ret);
	else
		fprintf(file, "enumerator\t%s\t\tabsent\n", name);
	return st;
}

static bool enumerates(void *priv, const char *type, const char *name)
{
	bool ret = real->enumerates(priv, type, name);

	fprintf(file, "enumerates\t%s\t%s\t%d\n", type, name, ret);
	return ret;
}

static void note_address(const char *question, const char *name, enum status st, uint64_t addr)
{
	if (st == ST_OK)
		fprintf(file, "%s\t%s\t\t%#llx\n", question, name, (unsigned long long)addr);
	else
		fprintf(file, "%s\t%s\t\tabsent\n", question, name);
}

static enum status symbol(void *priv, const char *name, uint64_t *ret)
{
	enum status st = real->symbol(priv, name, ret);

	note_address("symbol", name, st, *ret);
	return st;
}

/* Of several symbols of one address it does not matter which. */
static enum status closest(void *priv, uint64_t addr, struct symbol *ret)
{
	enum status st = real->closest(priv, addr, ret);
	char text[32];

	snprintf(text, sizeof(text), "%#llx", (unsigned long long)addr);
	note_address("closest", text, st, ret->address);
	return st;
}

/* Of pages by chance, the same ones each time. */
static bool is_noted(uint64_t addr)
{
	return whole && !((addr >> 12) * 0x9e3779b97f4a7c15ULL >> 58);
}

static enum status virt_to_phys(void *priv, uint64_t addr, uint64_t *ret)
{
	enum status st = real->virt_to_phys(priv, addr, ret);
	char text[32];

	snprintf(text, sizeof(text), "%#llx", (unsigned long long)addr);
	if (is_noted(addr))
		note_address("phys", text, st, *ret);
	return st;
}

static enum status note_read(const char *question, uint64_t addr, size_t len, const void *buf,
			     enum status st)
{
	uint64_t sum = 0;

	if (!is_noted(addr))
		return st;
	for (size_t i = 0; st == ST_OK && i < len; i++)
		sum = (sum ^ ((const uint8_t *)buf)[i]) * 0x100000001b3ULL;
	fprintf(file, "%s\t%#llx\t%zu\t", question, (unsigned long long)addr, len);
	if (st == ST_OK)
		fprintf(file, "%#llx\n", (unsigned long long)sum);
	else
		fprintf(file, "absent\n");
	return st;
}

static enum status read_virtual(void *priv, uint64_t addr, void *buf, size_t len)
{
	return note_read("read", addr, len, buf, real->read(priv, addr, buf, len));
}

static enum status read_phys(void *priv, uint64_t addr, void *buf, size_t len)
{
	return note_read("read_phys", addr, len, buf, real->read_phys(priv, addr, buf, len));
}

/* In one line, with '|' for the ends of its lines. */
static enum status type_text(void *priv, const char *type, char *buf, size_t size)
{
	enum status st = real->type_text(priv, type, buf, size);

	fprintf(file, "text\t%s\t%zu\t", type, size);
	for (const char *p = st == ST_OK ? buf : "absent"; *p; p++)
		fputc(*p == '\n' ? '|' : *p, file);
	fputc('\n', file);
	return st;
}

static enum status ask_texts(struct dump *d, char **types)
{
	static char text[65536];

	for (; *types; types++) {
		char *colon = strchr(*types, ':');

		if (colon)
			*colon = ' ';
		type_text(d->priv, *types, text, sizeof(text));
	}
	return ST_OK;
}

static enum status run(struct dump *d, struct sink *out, int argc, char **argv)
{
	bool texts = argc > 2 && !strcmp(argv[2], "-t");
	const struct command *command = argc > 2 && !texts ? command_find(commands, argv[2]) : NULL;
	struct dump_ops ops = *d->ops;
	enum status st;

	if (!command && !texts)
		return dump_fail(d, ST_USAGE, "memowner_asked FILE COMMAND [ARGUMENT]...");
	file = fopen(argv[1], "a");
	if (!file)
		return dump_fail(d, ST_USAGE, "memowner_asked: cannot write %s", argv[1]);
	real = d->ops;
	ops.variable = variable;
	ops.member = member;
	ops.bits = bits;
	ops.type_size = type_size;
	ops.enumerator = enumerator;
	ops.enumerates = enumerates;
	ops.type_text = type_text;
	ops.symbol = symbol;
	ops.closest = closest;
	ops.virt_to_phys = virt_to_phys;
	ops.read = read_virtual;
	ops.read_phys = read_phys;
	whole = !d->linear_only;
	st = texts ? ask_texts(d, argv + 3)
		   : run_through(&ops, command, d, out, argc - 2, argv + 2);
	fclose(file);
	return st;
}

const struct command asked_command = { "memowner_asked", run, help, NULL };
