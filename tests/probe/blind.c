// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A command for tests: another command, as if debug information lacked some types.
 *
 *	memowner_blind kmem_cache,@swap_info memowner -j
 *
 * NAME is a struct, union or enum, whose members and size are then unknown; @NAME a symbol, which the
 * kernel then does not have; %NAME an enumerator. ? hides nothing and prints what the command asked for.
 */
#include <stdio.h>
#include <string.h>

#include "through.h"

#define MAX_NAMES 16
#define MAX_ASKED 1024

static char *help[] = { "memowner_blind", "a command without some types, for tests", "", NULL };

static struct {
	const struct dump_ops *ops;
	const char *names[MAX_NAMES];
	size_t n;
} hidden;

static struct {
	char names[MAX_ASKED][64];
	size_t n;
} asked;

/* Whether what the command asks for is hidden: '@' a symbol, '%' an enumerator, 0 a type. */
static bool is_hidden(char kind, const char *what)
{
	char name[64];
	size_t i;

	/* A type without its keyword and without a member of it. */
	if (!kind && strchr(what, ' '))
		what = strchr(what, ' ') + 1;
	snprintf(name, sizeof(name), "%.*s%.*s", !!kind, &kind, kind ? 62 : (int)strcspn(what, "."),
		 what);
	for (i = 0; i < asked.n && strcmp(asked.names[i], name); i++)
		;
	if (i == asked.n && i < MAX_ASKED)
		strcpy(asked.names[asked.n++], name);
	for (i = 0; i < hidden.n; i++)
		if (!strcmp(hidden.names[i], name))
			return true;
	return false;
}

static enum status member(void *priv, const char *type, const char *name, struct field *ret)
{
	return is_hidden(0, type) ? ST_ABSENT : hidden.ops->member(priv, type, name, ret);
}

static enum status bits(void *priv, const char *type, const char *name, struct field *ret)
{
	return is_hidden(0, type) ? ST_ABSENT : hidden.ops->bits(priv, type, name, ret);
}

static enum status type_size(void *priv, const char *type, uint64_t *ret)
{
	return is_hidden(0, type) ? ST_ABSENT : hidden.ops->type_size(priv, type, ret);
}

static enum status symbol(void *priv, const char *name, uint64_t *ret)
{
	return is_hidden('@', name) ? ST_ABSENT : hidden.ops->symbol(priv, name, ret);
}

static enum status enumerator(void *priv, const char *name, int64_t *ret)
{
	return is_hidden('%', name) ? ST_ABSENT : hidden.ops->enumerator(priv, name, ret);
}

static enum status run(struct dump *d, struct sink *out, int argc, char **argv)
{
	const struct command *command = argc > 2 ? command_find(commands, argv[2]) : NULL;
	struct dump_ops ops = *d->ops;
	char *rest;
	enum status st;

	if (!command)
		return dump_fail(d, ST_USAGE, "memowner_blind NAME[,NAME] COMMAND [ARGUMENT]...");
	hidden.ops = d->ops;
	hidden.n = asked.n = 0;
	for (char *name = strtok_r(argv[1], ",", &rest); name && hidden.n < MAX_NAMES;
	     name = strtok_r(NULL, ",", &rest))
		hidden.names[hidden.n++] = name;
	ops.member = member;
	ops.bits = bits;
	ops.type_size = type_size;
	ops.symbol = symbol;
	ops.enumerator = enumerator;
	st = run_through(&ops, command, d, out, argc - 2, argv + 2);
	for (size_t i = 0; !strcmp(argv[1], "?") && i < asked.n; i++)
		sink_printf(out, "asked %s\n", asked.names[i]);
	return st;
}

const struct command blind_command = { "memowner_blind", run, help, NULL };
