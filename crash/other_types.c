// SPDX-License-Identifier: GPL-2.0-or-later
#include "other_types.h"

#include "types/module_types.h"

struct other {
	struct type_lookup lookup; /* first: types_variable() and its like take it for theirs */
	struct dump *d;
	const struct dump_ops *ops;
	struct type_source file; /* vmlinux; typed NULL: it cannot be read */
	bool opened;
};

static void open_file(struct other *o)
{
	const char *path = o->ops->object(o, NULL, 0);
	char *error = dump_strdup(o->d, o->d->error);
	enum status st;

	st = path ? types_from_vmlinux(o->d, path, NULL, &o->file) : ST_ABSENT;
	o->opened = true;
	if (st != ST_OK) {
		o->file.typed = NULL;
		dump_lacks(o->d, "members of structures", st, "%s",
			   path ? o->d->error : "crash has no vmlinux");
	}
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

	return o->ops->object(arg, module, i);
}

void *other_types(struct dump *d, const struct dump_ops *ops, const struct type_lookup *lookup,
		  struct dump_ops *ret)
{
	struct other *o = dump_alloc(d, sizeof(*o));
	const struct type_source crash = {
		.variable = ops->variable,
		.type_size = ops->type_size,
		.member = ops->member,
		.bits = ops->bits,
		.typed = ask_typed,
		.type_text = ops->type_text,
		.enumerator = ops->enumerator,
		.enumerates = ops->enumerates,
		.priv = o,
	};
	const struct module_places places = { .object = object_of_module,
					      .arg = o,
					      .has_btf = true };
	struct type_source all;

	*o = (struct other){ .lookup = *lookup, .d = d, .ops = ops };
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
