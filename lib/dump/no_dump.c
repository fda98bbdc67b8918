// SPDX-License-Identifier: GPL-2.0-or-later
/* A dump of which nothing is known: the answer may come from a text alone. */
#include "dump/dump.h"

static enum status no_read(void *priv, uint64_t addr, void *buf, size_t len)
{
	(void)priv, (void)addr, (void)buf, (void)len;
	return ST_UNREADABLE;
}

static enum status no_symbol(void *priv, const char *name, uint64_t *ret)
{
	(void)priv, (void)name, (void)ret;
	return ST_UNREADABLE;
}

static enum status no_variable(void *priv, const char *name, struct field *ret)
{
	(void)priv, (void)name, (void)ret;
	return ST_ABSENT;
}

static enum status no_type(void *priv, const char *type, uint64_t *ret)
{
	(void)priv, (void)type, (void)ret;
	return ST_ABSENT;
}

static enum status no_member(void *priv, const char *type, const char *member, struct field *ret)
{
	(void)priv, (void)type, (void)member, (void)ret;
	return ST_ABSENT;
}

static enum status no_enumerator(void *priv, const char *name, int64_t *ret)
{
	(void)priv, (void)name, (void)ret;
	return ST_ABSENT;
}

static bool no_enumerates(void *priv, const char *type, const char *name)
{
	(void)priv, (void)type, (void)name;
	return false;
}

static enum status no_closest(void *priv, uint64_t addr, struct symbol *ret)
{
	(void)priv, (void)addr, (void)ret;
	return ST_UNREADABLE;
}

static enum status no_phys(void *priv, uint64_t addr, uint64_t *ret)
{
	(void)priv, (void)addr, (void)ret;
	return ST_UNREADABLE;
}

static const char *no_types(void *priv NOT_USED)
{
	return "there is no dump";
}

void dump_forget(struct dump *d)
{
	static const struct dump_ops none = {
		.read = no_read,
		.symbol = no_symbol,
		.variable = no_variable,
		.type_size = no_type,
		.member = no_member,
		.bits = no_member,
		.enumerator = no_enumerator,
		.enumerates = no_enumerates,
		.closest = no_closest,
		.virt_to_phys = no_phys,
		.unknown_types = no_types,
	};
	struct dump_ops *ops = dump_alloc(d, sizeof(*ops));

	d->is_left_out = d->ops && d->ops->read && d->ops->read != no_read;
	*ops = none;
	if (d->ops) {
		ops->stopped = d->ops->stopped;
		ops->progress = d->ops->progress;
		ops->remark = d->ops->remark;
		ops->misquoted = d->ops->misquoted;
	}
	d->ops = ops;
	d->translate = NULL;
	d->map = NULL;
	d->open_walk = NULL;
	d->sockets = NULL;
	d->tcp_hash = NULL;
	d->holders = NULL;
	d->task_rows = NULL;
	d->kallsyms = NULL;
	d->linear_only = false;
	d->page_shift = 0;
	d->arch = NULL;
	d->load_module = d->module_types = NULL;
	d->symbols = SYMBOLS_FIT;
}
