// SPDX-License-Identifier: GPL-2.0-or-later

#include "dump/layout.h"
#include "kernel/list.h"
#include "names/symbols.h"
#include "types/btf_graph.h"
#include "types/globals.h"

#define MOST_BYTES (64u << 20)	  /* of the BTF of a kernel; stock ones have 4 to 6 MiB */
#define MOST_IMAGE (256ULL << 20) /* of an image in which it is searched */
#define HEADER 24

struct btf_source {
	struct btf_graph btf;
	const struct symbols *symbols;
	struct type_source source;
	bool modules_readable, has_modules;
};

/* BTF knows per-CPU variables, all others the table. */
static enum status find_variable(struct type_graph *g, const char *name, struct field *ret)
{
	struct btf_source *s = g->priv;
	const struct globals_kernel k = {
		.type_size = s->source.type_size,
		.enumerator = s->source.enumerator,
		.priv = g,
	};
	char plain[128];
	uint64_t addr, above = 0;
	size_t len = strcspn(name, "[");

	if (len >= sizeof(plain))
		return ST_ABSENT;
	memcpy(plain, name, len);
	plain[len] = '\0';
	if (s->symbols) {
		if (symbols_find(s->symbols, plain, &addr) != ST_OK)
			return ST_ABSENT;
		above = symbols_above(s->symbols, addr);
		above = above > addr ? above - addr : 0;
	}
	return global_find(&k, name, above, ret);
}

enum { MODULE_LIST, MODULE_BTF, BTF_DATA, BTF_BYTES, BTF_NAME, FIELDS };

#define NAME_BYTES 64 /* of a module: MODULE_NAME_LEN is less */

static const struct layout_row rows[FIELDS] = {
	[MODULE_LIST] = { "struct btf_module", { "list" }, REQUIRED, "5.11" },
	[MODULE_BTF] = { "struct btf_module", { "btf" }, REQUIRED, "5.11" },
	[BTF_DATA] = { "struct btf", { "data" }, REQUIRED, "4.18" },
	[BTF_BYTES] = { "struct btf", { "data_size" }, REQUIRED, "4.18" },
	[BTF_NAME] = { "struct btf", { "name" }, REQUIRED, "5.11" },
};

struct module_walk {
	struct btf_source *s;
	struct field f[FIELDS];
};

/* One that cannot be read is left out: its types are not known then. */
static void add_module(struct module_walk *w, uint64_t node)
{
	struct dump *d = w->s->btf.graph.dump;
	uint64_t btf, data;
	char name[NAME_BYTES] = "";
	uint32_t bytes;
	void *copy;

	if (dump_u64(d, node - w->f[MODULE_LIST].offset + w->f[MODULE_BTF].offset, &btf,
		     "struct btf_module") != ST_OK ||
	    dump_u64(d, btf + w->f[BTF_DATA].offset, &data, "struct btf") != ST_OK ||
	    dump_u32(d, btf + w->f[BTF_BYTES].offset, &bytes, "struct btf") != ST_OK || !bytes ||
	    bytes > MOST_BYTES)
		return;
	if (dump_try(d, btf + w->f[BTF_NAME].offset, name, sizeof(name) - 1) != ST_OK)
		*name = '\0';
	copy = dump_alloc(d, bytes);
	if (dump_read(d, data, copy, bytes, "BTF of a module") == ST_OK &&
	    btf_graph_add(&w->s->btf, copy, bytes, *name ? arena_strdup(d->arena, name) : NULL) ==
		    ST_OK)
		decoder_trace(d, "BTF of a module, %u bytes", bytes);
}

/* Modules follow when a name is asked for that vmlinux lacks. */
static bool add_modules(struct type_graph *g)
{
	struct btf_source *s = g->priv;
	struct module_walk w = { .s = s };
	unsigned int before = s->btf.n;
	struct list_nodes list;
	uint64_t head, node;

	if (!s->modules_readable || s->has_modules)
		return false;
	s->has_modules = true;
	for (size_t i = 0; i < FIELDS; i++)
		if (s->source.member(g, rows[i].type, rows[i].names[0], &w.f[i]) != ST_OK)
			return false;
	if (g->dump->ops->symbol(g->dump->priv, "btf_modules", &head) != ST_OK)
		return false;
	list = list_of(g->dump, head, "list of BTF of modules");
	while (list_next(&list, &node))
		add_module(&w, node);
	return s->btf.n > before;
}

static void modules_readable(void *priv)
{
	struct type_graph *g = priv;
	struct btf_source *s = g->priv;

	s->modules_readable = true;
}

/* Bytes of the BTF that begins there; 0: none does. Nothing lies between its types and its strings. */
static uint32_t begins(const uint8_t *p)
{
	uint64_t bytes = (uint64_t)HEADER + le32(p + 16) + le32(p + 20);

	return btf_search(p, HEADER, 0) == 0 && le32(p + 8) == 0 && le32(p + 12) == le32(p + 16) &&
			       le32(p + 12) && bytes <= MOST_BYTES
		       ? bytes
		       : 0;
}

/* What is searched: a page, behind the end of the one before, since a header may lie in both. */
#define SEARCHED 4096
#define CARRIED (HEADER - 4)

static void search_page(const uint8_t *buf, uint64_t addr, uint64_t *found, uint64_t *bytes)
{
	for (uint32_t at = 0; at + HEADER <= CARRIED + SEARCHED; at += 4) {
		uint32_t n = le_bytes(buf + at, 2) == 0xeb9f ? begins(buf + at) : 0;

		if (n > *bytes) {
			*bytes = n;
			*found = addr + at;
		}
	}
}

/* Where no symbol says where it is: in the image, the largest, as one of a test may be there too. */
static enum status search(struct dump *d, uint64_t *addr, uint64_t *bytes)
{
	uint8_t buf[CARRIED + SEARCHED] = { 0 };
	uint64_t start, end;

	if (d->ops->symbol(d->priv, "_stext", &start) != ST_OK)
		return ST_ABSENT;
	if (d->ops->symbol(d->priv, "_end", &end) != ST_OK || end < start ||
	    end - start > MOST_IMAGE)
		end = start + MOST_IMAGE;
	*bytes = 0;
	for (start &= ~(uint64_t)(SEARCHED - 1); start < end && !dump_stopped(d);
	     start += SEARCHED) {
		if (dump_try(d, start, buf + CARRIED, SEARCHED) == ST_OK)
			search_page(buf, start - CARRIED, addr, bytes);
		else
			memset(buf + CARRIED, 0, SEARCHED);
		memmove(buf, buf + SEARCHED, CARRIED);
	}
	return *bytes ? ST_OK : ST_ABSENT;
}

static enum status locate(struct dump *d, const struct symbols *s, uint64_t *addr, uint64_t *bytes)
{
	uint64_t end;

	if (d->ops->symbol(d->priv, "__start_BTF", addr) == ST_OK &&
	    d->ops->symbol(d->priv, "__stop_BTF", &end) == ST_OK && end > *addr &&
	    end - *addr <= MOST_BYTES) {
		*bytes = end - *addr;
		return ST_OK;
	}
	/* Where all symbols are known, there is none. */
	if ((!s || symbols_unnamed(s) || symbols_lost(s)) && search(d, addr, bytes) == ST_OK)
		return ST_OK;
	return dump_fail(
		d, ST_ABSENT,
		"this kernel has no BTF (CONFIG_DEBUG_INFO_BTF): its types are known by vmlinux "
		"alone, --vmlinux FILE");
}

enum status types_of_btf(struct dump *d, const void *bytes, size_t n, const struct symbols *s,
			 const char *what, struct type_source *ret)
{
	struct btf_source *source = dump_alloc(d, sizeof(*source));
	enum status st = btf_graph_open(d, bytes, n, &source->btf);

	if (st != ST_OK)
		return st;
	source->symbols = s;
	source->btf.graph.more = add_modules;
	source->btf.graph.variable = find_variable;
	type_graph_source(&source->btf.graph, what, &source->source);
	source->source.modules = modules_readable;
	source->source.lost = source->btf.parts[0]->lost;
	*ret = source->source;
	return ST_OK;
}

/*
 * Page by page: of one that is missing the types are damaged ones, if it has nothing else. The header tells where they are, in the
 * bytes behind it.
 */
static bool read_rest(struct dump *d, uint64_t addr, uint64_t bytes, uint8_t *ret)
{
	uint64_t from, end;

	if (bytes < HEADER || dump_try(d, addr, ret, HEADER) != ST_OK)
		return false;
	from = (uint64_t)le32(ret + 4) + le32(ret + 8);
	end = from + le32(ret + 12);
	for (uint64_t at = 0, len; at < bytes; at += len) {
		len = dump_page_size(d) - ((addr + at) & (dump_page_size(d) - 1));
		len = len < bytes - at ? len : bytes - at;
		if (dump_try(d, addr + at, ret + at, len) == ST_OK)
			continue;
		if (at < from || at + len > end)
			return false;
		memset(ret + at, 0, len);
	}
	return true;
}

enum status types_from_btf(struct dump *d, const struct symbols *s, struct type_source *ret)
{
	uint64_t addr, bytes;
	enum status st = locate(d, s, &addr, &bytes);
	bool is_holed;
	void *copy;

	if (st != ST_OK)
		return st;
	copy = dump_alloc(d, bytes);
	st = dump_read(d, addr, copy, bytes, "BTF");
	is_holed = st == ST_UNREADABLE && read_rest(d, addr, bytes, copy);
	if (st == ST_OK || is_holed)
		st = types_of_btf(d, copy, bytes, s, "BTF of the dump", ret);
	/* What does not fit is what is missing. */
	if (st == ST_UNREADABLE || (is_holed && st == ST_CORRUPT))
		return dump_fail(
			d, ST_UNREADABLE,
			"parts of the kernel's BTF are not in this dump: its types come from vmlinux "
			"alone, --vmlinux FILE");
	return st;
}
