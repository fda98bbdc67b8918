// SPDX-License-Identifier: GPL-2.0-or-later
#include "other_types.h"

#include "types/module_types.h"

struct other {
	struct dump *d;
	const struct dump_ops *ops;
	void *priv;
	struct type_source file; /* vmlinux; typed NULL: it cannot be read */
	bool opened;
};

static enum status ask_variable(void *priv, const char *name, struct field *ret)
{
	const struct other *o = priv;

	return o->ops->variable(o->priv, name, ret);
}

static enum status ask_size(void *priv, const char *type, uint64_t *ret)
{
	const struct other *o = priv;

	return o->ops->type_size(o->priv, type, ret);
}

static enum status ask_member(void *priv, const char *type, const char *member, struct field *ret)
{
	const struct other *o = priv;

	return o->ops->member(o->priv, type, member, ret);
}

static enum status ask_bits(void *priv, const char *type, const char *member, struct field *ret)
{
	const struct other *o = priv;

	return o->ops->bits(o->priv, type, member, ret);
}

static enum status ask_text(void *priv, const char *type, char *buf, size_t size)
{
	const struct other *o = priv;

	return o->ops->type_text(o->priv, type, buf, size);
}

static enum status ask_enumerator(void *priv, const char *name, int64_t *ret)
{
	const struct other *o = priv;

	return o->ops->enumerator(o->priv, name, ret);
}

static bool enumerates(void *priv, const char *type, const char *name)
{
	const struct other *o = priv;

	return o->ops->enumerates(o->priv, type, name);
}

static void open_file(struct other *o)
{
	const char *path = o->ops->object(o->priv, NULL, 0);
	char *error = arena_strdup(o->d->arena, o->d->error);

	o->opened = true;
	if (!path || types_from_vmlinux(o->d, path, NULL, &o->file) != ST_OK)
		o->file.typed = NULL;
	/* Why there is none is no answer to what was asked. */
	snprintf(o->d->error, sizeof(o->d->error), "%s", error);
}

static enum status ask_typed(void *priv, const struct type_query *q, struct typed *ret)
{
	struct other *o = priv;

	if (!o->opened)
		open_file(o);
	return o->file.typed ? o->file.typed(o->file.priv, q, ret) : ST_ABSENT;
}

static const char *object_of_module(void *arg, const char *module, unsigned int i)
{
	const struct other *o = arg;

	return o->ops->object(o->priv, module, i);
}

void *other_types(struct dump *d, const struct dump_ops *ops, void *priv, struct dump_ops *ret)
{
	struct other *o = dump_alloc(d, sizeof(*o));
	const struct type_source crash = {
		.variable = ask_variable,
		.type_size = ask_size,
		.member = ask_member,
		.bits = ask_bits,
		.typed = ask_typed,
		.type_text = ask_text,
		.enumerator = ask_enumerator,
		.enumerates = enumerates,
		.priv = o,
	};
	const struct module_places places = { .object = object_of_module,
					      .arg = o,
					      .has_btf = true };
	struct type_source all;

	*o = (struct other){ .d = d, .ops = ops, .priv = priv };
	module_types_behind(d, &crash, &places, &all);
	*ret = *ops;
	ret->variable = all.variable;
	ret->type_size = all.type_size;
	ret->member = all.member;
	ret->bits = all.bits;
	ret->typed = all.typed;
	ret->type_text = all.type_text;
	ret->enumerator = all.enumerator;
	ret->enumerates = all.enumerates;
	return all.priv;
}
