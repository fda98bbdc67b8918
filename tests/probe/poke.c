// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A command for tests: another command, as if variables of the kernel had other values.
 *
 *	memowner_poke sysctl_overcommit_memory:4=2,hstates/hstate.nr_huge_pages:8=150 memowner -j
 *
 * SYMBOL[/TYPE.MEMBER][+OFFSET]:BYTES=VALUE, numbers as in C; an address, 0x..., is a symbol too.
 */
#include <stdlib.h>
#include <string.h>

#include "through.h"
#include "util/arena.h"

#define MAX_VALUES 32

static char *help[] = { "memowner_poke", "a command with other values, for tests", "", NULL };

struct value {
	uint64_t at;
	size_t bytes;
	uint8_t raw[8];
};

static struct {
	const struct dump_ops *ops;
	struct value values[MAX_VALUES];
	size_t n;
} poked;

static enum status read_over(void *priv, uint64_t addr, void *buf, size_t len)
{
	enum status st = poked.ops->read(priv, addr, buf, len);

	for (size_t i = 0; st == ST_OK && i < poked.n; i++)
		for (size_t k = 0; k < poked.values[i].bytes; k++)
			if (poked.values[i].at + k - addr < len)
				((uint8_t *)buf)[poked.values[i].at + k - addr] =
					poked.values[i].raw[k];
	return st;
}

static enum status parse(struct dump *d, char *text)
{
	struct value *v = &poked.values[poked.n];
	char *equals = strchr(text, '='), *colon = strchr(text, ':'), *plus = strchr(text, '+');
	char *member = strchr(text, '/'), *dot = member ? strchr(member, '.') : NULL;
	struct field field = { 0 };
	uint64_t value;
	enum status st;

	if (!equals || !colon || poked.n == MAX_VALUES || (member && !dot))
		return dump_fail(d, ST_USAGE, "%s: SYMBOL[/TYPE.MEMBER][+OFFSET]:BYTES=VALUE",
				 text);
	*equals = *colon = '\0';
	if (plus)
		*plus = '\0';
	if (member)
		*member = *dot = '\0';
	v->at = strtoull(text, NULL, 16);
	st = strncmp(text, "0x", 2) ? dump_symbol(d, text, &v->at) : ST_OK;
	if (st == ST_OK && member)
		st = d->ops->member(d->priv, arena_text(d->arena, "struct %s", member + 1), dot + 1,
				    &field);
	if (st != ST_OK)
		return dump_fail(d, ST_USAGE, "%s: there is none", text);
	v->at += field.offset + (plus ? strtoull(plus + 1, NULL, 0) : 0);
	v->bytes = strtoull(colon + 1, NULL, 0);
	value = strtoull(equals + 1, NULL, 0);
	if (v->bytes > sizeof(v->raw))
		return dump_fail(d, ST_USAGE, "%s: at most 8 bytes", text);
	for (size_t k = 0; k < v->bytes; k++)
		v->raw[k] = (uint8_t)(value >> 8 * k);
	poked.n++;
	return ST_OK;
}

static enum status run(struct dump *d, struct sink *out, int argc, char **argv)
{
	const struct command *command = argc > 2 ? command_find(commands, argv[2]) : NULL;
	struct dump_ops ops = *d->ops;
	char *rest;
	enum status st = ST_OK;

	if (!command)
		return dump_fail(d, ST_USAGE, "memowner_poke VALUE[,VALUE] COMMAND [ARGUMENT]...");
	poked.ops = d->ops;
	poked.n = 0;
	for (char *text = strtok_r(argv[1], ",", &rest); st == ST_OK && text;
	     text = strtok_r(NULL, ",", &rest))
		st = parse(d, text);
	ops.read = read_over;
	return st ?: run_through(&ops, command, d, out, argc - 2, argv + 2);
}

const struct command poke_command = { "memowner_poke", run, help, NULL };
