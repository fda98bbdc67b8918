// SPDX-License-Identifier: GPL-2.0-or-later
#include "kgtp/symbols.h"

static const char *const symbol_names[KGTP_SYMBOLS] = {
	[KGTP_RB] = "gtp_rb",
	[KGTP_PAGE_COUNT] = "gtp_rb_page_count",
	[KGTP_RB_COUNT] = "gtp_rb_count",
	[KGTP_DISCARDED] = "gtp_rb_discard_page_number",
	[KGTP_CREATED] = "gtp_frame_create",
	[KGTP_CIRCULAR] = "gtp_circular",
	[KGTP_START] = "gtp_start",
	[KGTP_DISCONNECTED] = "gtp_disconnected_tracing",
	[KGTP_PIPE_PID] = "gtp_gtpframe_pipe_pid",
	[KGTP_LIST] = "gtp_list",
	[KGTP_VAR_LIST] = "gtp_var_list",
	[KGTP_FILE] = "gtp_frame_file",
	[KGTP_FILE_SIZE] = "gtp_frame_file_size",
	[KGTP_SIMPLE_START] = "gtp_frame_r_start",
	[KGTP_SIMPLE_FRAME] = "gtp_frame",
	[KGTP_FTRACE_ITER] = "gtp_frame_iter",
};

/* A module has it exactly if the kernel keeps symbols of data (CONFIG_KALLSYMS_ALL). */
#define DATA_SYMBOL "__this_module"
#define ASKED (KGTP_SYMBOLS + 1)

struct search {
	struct dump *dump;
	struct modules *modules;
	unsigned int unreadable; /* modules whose symbols are not all in this dump */
	unsigned int without;	 /* modules of which the kernel keeps no symbols of data */
	const char *one;	 /* the last of either */
};

static bool has_rings(const uint64_t *address)
{
	return address[KGTP_RB] && address[KGTP_PAGE_COUNT];
}

static void trace_found(struct dump *d, const struct kgtp_symbols *s)
{
	for (size_t i = 0; i < KGTP_SYMBOLS; i++)
		if (s->address[i])
			decoder_trace(d, "symbol %s of module %s at 0x%lx", symbol_names[i],
				      s->module->name, s->address[i]);
}

/* Another frame store than the rings of pages: named and refused. */
static enum status other_store(struct dump *d, const struct module *mod, const uint64_t *address)
{
	if (!address[KGTP_SIMPLE_FRAME])
		return ST_ABSENT;
	if (address[KGTP_SIMPLE_START])
		return dump_fail(d, ST_UNKNOWN,
				 "module %s is KGTP built with FRAME_SIMPLE=1: frames are in one "
				 "buffer (gtp_frame) instead of per-CPU rings, not decoded",
				 mod->name);
	if (address[KGTP_FTRACE_ITER])
		return dump_fail(d, ST_UNKNOWN,
				 "module %s is KGTP built with GTP_FTRACE_RING_BUFFER: frames are "
				 "in an ftrace ring buffer (gtp_frame), not decoded",
				 mod->name);
	return ST_ABSENT;
}

/* ST_ABSENT: the module is another one, or nothing tells. */
static enum status try_module(struct search *s, struct module *mod, struct kgtp_symbols *ret)
{
	const char *names[ASKED];
	uint64_t address[ASKED];
	enum status st;

	memcpy(names, symbol_names, sizeof(symbol_names));
	names[KGTP_SYMBOLS] = DATA_SYMBOL;
	st = modules_symbols(s->modules, mod, names, ASKED, address);
	if (has_rings(address)) {
		ret->module = mod;
		memcpy(ret->address, address, sizeof(ret->address));
		ret->source = "kallsyms of the module in the dump";
		return ST_OK;
	}
	if (other_store(s->dump, mod, address) == ST_UNKNOWN)
		return ST_UNKNOWN;
	if (st == ST_OK && address[KGTP_SYMBOLS])
		return ST_ABSENT;
	if (st == ST_OK || st == ST_ABSENT)
		s->without++;
	else
		s->unreadable++;
	s->one = mod->name;
	return ST_ABSENT;
}

/* An object file of a module that the reader of the dump has loaded knows its static data, too. */
static enum status try_objects(struct search *s, struct kgtp_symbols *ret)
{
	struct dump *d = s->dump;
	uint64_t address[KGTP_SYMBOLS] = { 0 };

	if (!d->ops->object_symbol)
		return ST_ABSENT;
	for (size_t i = 0; i < KGTP_SYMBOLS; i++)
		if (dump_ask(d, object_symbol, symbol_names[i], &address[i]) != ST_OK)
			address[i] = 0;
	if (!has_rings(address))
		return ST_ABSENT;
	ret->module = modules_find(s->modules, address[KGTP_RB]);
	if (!ret->module || ret->module != modules_find(s->modules, address[KGTP_PAGE_COUNT]))
		return ST_ABSENT;
	memcpy(ret->address, address, sizeof(address));
	ret->source = "the object file of the module";
	return ST_OK;
}

enum status kgtp_symbols_find(struct dump *d, struct modules *m, struct kgtp_symbols *ret)
{
	struct search search = { .dump = d, .modules = m };
	struct kgtp_symbols s = { 0 };
	const char *cut = NULL;
	enum status st = modules_open(d, m);

	if (st == ST_ABSENT)
		return dump_absent(d, "KGTP is a module, and this kernel has no modules");
	if (st != ST_OK)
		cut = dump_why(d);
	st = ST_ABSENT;
	for (struct module *mod = m->first; mod && st == ST_ABSENT; mod = mod->next)
		st = try_module(&search, mod, &s);
	if (st == ST_ABSENT)
		st = try_objects(&search, &s);
	if (st == ST_OK) {
		decoder_trace(d, "decide symbols of KGTP from %s", s.source);
		trace_found(d, &s);
		*ret = s;
	}
	if (st != ST_ABSENT)
		return st;
	if (cut)
		return dump_unreadable(
			d,
			"whether KGTP was loaded is unknown: the list of modules ends "
			"early, %s",
			cut);
	if (search.unreadable)
		return dump_unreadable(
			d,
			"whether KGTP was loaded is unknown: symbols of %u modules, %s "
			"among them, are not in this dump",
			search.unreadable, search.one);
	if (search.without)
		return dump_unreadable(d,
				       "whether KGTP was loaded is unknown: no symbols of data are "
				       "known of %u modules, %s among them%s",
				       search.without, search.one, dump_load_module(d, "MODULE"));
	return dump_absent(d,
			   "KGTP was not loaded: none of %u modules has gtp_rb and "
			   "gtp_rb_page_count",
			   m->n);
}
