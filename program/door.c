// SPDX-License-Identifier: GPL-2.0-or-later
#include "door.h"

#include <stdio.h>
#include <string.h>

#include "file/vmcore.h"
#include "image.h"
#include "mm/kernel_map.h"
#include "names/symbols.h"
#include "symbols/namelist.h"
#include "types/type_source.h"
#include "vmcoreinfo.h"
#include "vmlinux.h"

/* Pages of the kernel that were translated last: a direct-mapped cache. */
#define TLB_ENTRIES 1024

struct tlb_entry {
	uint64_t page; /* virtual; UINT64_MAX: none */
	uint64_t phys;
};

struct door {
	struct dump *session;
	struct vmcore *file;
	struct vmcoreinfo info;
	struct image image;
	struct kernel_map map;
	bool has_tables; /* map.tables are set */
	bool has_map;	 /* its ranges are set as well */
	struct symbols *symbols;
	struct type_source types;
	const char *vmlinux, *arch;
	bool looked; /* for a vmlinux that nobody named */
	const char *missing;
	struct door_user user;
	unsigned int page_shift;
	struct tlb_entry tlb[TLB_ENTRIES];
};

/* By page tables; of a page. */
static enum status walk(struct door *o, uint64_t page, uint64_t *ret)
{
	struct tlb_entry *e = &o->tlb[(page >> o->page_shift) % TLB_ENTRIES];
	enum status st = ST_OK;

	if (e->page == page) {
		*ret = e->phys;
		return ST_OK;
	}
	if (!o->has_tables)
		return ST_ABSENT;
	st = page_tables_walk(o->session, &o->map.tables, page, ret);
	if (st == ST_OK)
		*e = (struct tlb_entry){ page, *ret };
	return st;
}

static enum status translate(struct door *o, uint64_t addr, uint64_t *ret)
{
	uint64_t in_page = addr & ((1ULL << o->page_shift) - 1);
	enum status st;

	if (image_phys(&o->image, addr, ret))
		return ST_OK;
	if (o->has_map && addr >= o->map.direct_start && addr < o->map.direct_end) {
		*ret = o->map.direct_phys + (addr - o->map.direct_start);
		return ST_OK;
	}
	st = walk(o, addr - in_page, ret);
	if (st == ST_OK)
		*ret += in_page;
	return st;
}

static enum status door_read(void *priv, uint64_t addr, void *buf, size_t len)
{
	struct door *o = priv;

	while (len) {
		size_t room = (1ULL << o->page_shift) - (addr & ((1ULL << o->page_shift) - 1));
		size_t part = len < room ? len : room;
		uint64_t phys;

		if (translate(o, addr, &phys) != ST_OK ||
		    vmcore_read(o->file, phys, buf, part) != ST_OK)
			return ST_UNREADABLE;
		addr += part;
		buf = (char *)buf + part;
		len -= part;
	}
	return ST_OK;
}

static enum status door_read_phys(void *priv, uint64_t addr, void *buf, size_t len)
{
	struct door *o = priv;

	return vmcore_read(o->file, addr, buf, len) == ST_OK ? ST_OK : ST_UNREADABLE;
}

static enum status door_symbol(void *priv, const char *name, uint64_t *ret)
{
	struct door *o = priv;

	if (o->symbols && symbols_find(o->symbols, name, ret) == ST_OK)
		return ST_OK;
	/* kallsyms has no name of its own tables. */
	return vmcoreinfo_symbol(&o->info, name, ret);
}

static enum status door_closest(void *priv, uint64_t addr, struct symbol *ret)
{
	struct door *o = priv;
	uint64_t first, end;

	if (!o->symbols || (symbols_find(o->symbols, "_stext", &first) == ST_OK && addr < first) ||
	    (symbols_find(o->symbols, "_end", &end) == ST_OK && addr >= end))
		return ST_ABSENT;
	return symbols_closest(o->symbols, addr, ret);
}

static enum status door_variable(void *priv, const char *name, struct field *ret)
{
	struct door *o = priv;

	return o->types.variable ? o->types.variable(o->types.priv, name, ret) : ST_ABSENT;
}

static enum status door_type_size(void *priv, const char *type, uint64_t *ret)
{
	struct door *o = priv;

	return o->types.type_size ? o->types.type_size(o->types.priv, type, ret) : ST_ABSENT;
}

static enum status door_member(void *priv, const char *type, const char *member, struct field *ret)
{
	struct door *o = priv;

	return o->types.member ? o->types.member(o->types.priv, type, member, ret) : ST_ABSENT;
}

static enum status door_bits(void *priv, const char *type, const char *member, struct field *ret)
{
	struct door *o = priv;

	return o->types.bits ? o->types.bits(o->types.priv, type, member, ret) : ST_ABSENT;
}

static enum status door_type_text(void *priv, const char *type, char *buf, size_t size)
{
	struct door *o = priv;

	return o->types.type_text ? o->types.type_text(o->types.priv, type, buf, size) : ST_ABSENT;
}

static enum status door_enumerator(void *priv, const char *name, int64_t *ret)
{
	struct door *o = priv;

	return o->types.enumerator ? o->types.enumerator(o->types.priv, name, ret) : ST_ABSENT;
}

static bool door_enumerates(void *priv, const char *type, const char *name)
{
	struct door *o = priv;

	return o->types.enumerates && o->types.enumerates(o->types.priv, type, name);
}

static enum status door_vmcoreinfo(void *priv, const char *key, int64_t *ret)
{
	struct door *o = priv;

	return vmcoreinfo_number(&o->info, key, ret);
}

static enum status door_vmcoreinfo_text(void *priv, const char *key, char *buf, size_t size)
{
	struct door *o = priv;

	return vmcoreinfo_text(&o->info, key, buf, size);
}

static enum status door_virt_to_phys(void *priv, uint64_t addr, uint64_t *ret)
{
	return translate(priv, addr, ret) == ST_OK ? ST_OK : ST_ABSENT;
}

static const char *door_object(void *priv, const char *module, unsigned int i)
{
	struct door *o = priv;

	return module || i ? NULL : o->vmlinux;
}

static bool door_stopped(void *priv)
{
	struct door *o = priv;

	return o->user.stopped && o->user.stopped();
}

static void door_progress(void *priv, uint64_t done, uint64_t total)
{
	struct door *o = priv;

	if (o->user.progress)
		o->user.progress(done, total);
}

static void door_remark(void *priv, const char *text)
{
	struct door *o = priv;

	if (o->user.remark)
		o->user.remark(text);
}

static const char *missing(void *priv)
{
	return door_missing(priv);
}

static const struct dump_ops ops = {
	.read = door_read,
	.read_phys = door_read_phys,
	.symbol = door_symbol,
	.variable = door_variable,
	.type_size = door_type_size,
	.member = door_member,
	.bits = door_bits,
	.type_text = door_type_text,
	.enumerator = door_enumerator,
	.enumerates = door_enumerates,
	.vmcoreinfo = door_vmcoreinfo,
	.vmcoreinfo_text = door_vmcoreinfo_text,
	.closest = door_closest,
	.virt_to_phys = door_virt_to_phys,
	.object = door_object,
	.stopped = door_stopped,
	.progress = door_progress,
	.remark = door_remark,
	.missing = missing,
};

void door_dump(struct door *o, struct dump *d, struct arena *arena)
{
	dump_init(d, &ops, o, arena);
	d->page_shift = o->page_shift;
	d->arch = o->arch;
	d->load_module = "--modules DIR with";
}

/* Of a dump that is not all there: what rests on the rest is unknown. */
static void say_incomplete(const struct door *o, const char *path)
{
	const struct vmcore_facts *f = vmcore_facts(o->file);
	char line[256];

	if (!f->incomplete || !o->user.remark)
		return;
	snprintf(line, sizeof(line), "%s: incomplete: %s", path, f->incomplete);
	o->user.remark(line);
}

static enum status find_vmcoreinfo(struct dump *d, struct door *o)
{
	const struct vmcore_facts *f = vmcore_facts(o->file);

	if (f->vmcoreinfo) {
		o->info = (struct vmcoreinfo){ f->vmcoreinfo, f->vmcoreinfo_bytes };
		return ST_OK;
	}
	return vmcore_find_vmcoreinfo(d, o->file, &o->info.text, &o->info.bytes);
}

static enum status set_page_size(struct dump *d, struct door *o)
{
	int64_t bytes;

	if (vmcoreinfo_number(&o->info, "PAGESIZE", &bytes) != ST_OK || bytes < 4096 ||
	    bytes > 65536 || (bytes & (bytes - 1)))
		return dump_fail(d, ST_CORRUPT, "VMCOREINFO has no PAGESIZE that can be");
	o->page_shift = __builtin_ctzll(bytes);
	return ST_OK;
}

static void note_missing(struct dump *d, struct door *o)
{
	o->missing = arena_strdup(d->arena, d->error);
}

/* One that nobody named is looked for where the dump has not all: once. */
static const char *need_vmlinux(struct dump *d, struct door *o, const struct door_request *r)
{
	if (!o->vmlinux && !o->looked)
		o->vmlinux = vmlinux_find(d, r->files[0]);
	o->looked = true;
	return o->vmlinux;
}

/* Symbols of the dump are better than those of vmlinux: they need no shift. */
static bool find_symbols(struct dump *d, struct door *o, const struct door_request *r)
{
	uint64_t slide = 0, end = o->image.start + o->image.bytes;

	if (symbols_from_kallsyms(d, o->image.start, end, &o->symbols) == ST_OK)
		return true;
	note_missing(d, o);
	vmcoreinfo_hex(&o->info, "KERNELOFFSET", &slide);
	if (!need_vmlinux(d, o, r) || symbols_from_elf(d, o->vmlinux, slide, &o->symbols) != ST_OK)
		return false;
	o->missing = NULL;
	return true;
}

/* Of a vmlinux that was given, since it has more; else of the dump; else of a vmlinux that is found. */
static void find_types(struct dump *d, struct door *o, const struct door_request *r)
{
	if (o->vmlinux && types_from_dwarf(d, o->vmlinux, &o->types) == ST_OK)
		return;
	if (o->vmlinux)
		note_missing(d, o);
	if (types_from_btf(d, o->symbols, &o->types) == ST_OK)
		return;
	if (!o->missing)
		note_missing(d, o);
	if (need_vmlinux(d, o, r) && types_from_dwarf(d, o->vmlinux, &o->types) == ST_OK)
		o->missing = NULL;
}

/*
 * Without symbols nothing is known; without types the log is.  A vmlinux of another build is not used:
 * its types would turn any memory into statements.
 */
static void find_names(struct dump *d, struct door *o, const struct door_request *r)
{
	if (o->vmlinux && namelist_check(d) != ST_OK) {
		note_missing(d, o);
		o->vmlinux = NULL;
	}
	if (find_symbols(d, o, r))
		find_types(d, o, r);
}

/* Tables first, by the addresses of VMCOREINFO: with them, what lies outside of the image is read. */
static void find_map(struct dump *d, struct door *o)
{
	struct dump probe;

	door_dump(o, &probe, d->arena);
	if (page_tables_open(&probe, &o->map.tables) == ST_OK)
		o->has_tables = true;
	if (kernel_map_open(&probe) == ST_OK) {
		o->map = *probe.map;
		o->has_map = true;
	}
}

enum status door_open(struct dump *d, const struct door_request *r, const struct door_user *user,
		      struct door **ret)
{
	struct door *o = dump_alloc(d, sizeof(*o));
	enum status st = o ? ST_OK : ST_NOMEM;

	if (st != ST_OK)
		return st;
	o->session = d;
	o->user = *user;
	o->vmlinux = r->vmlinux;
	for (size_t i = 0; i < TLB_ENTRIES; i++)
		o->tlb[i].page = UINT64_MAX;
	st = vmcore_open(d, r->files, r->n, &o->file);
	if (st == ST_OK) {
		say_incomplete(o, r->files[0]);
		st = find_vmcoreinfo(d, o);
	}
	if (st == ST_OK)
		st = set_page_size(d, o);
	if (st != ST_OK)
		return st;
	o->arch = vmcore_facts(o->file)->machine;
	st = image_find(d, &o->info, o->arch, &o->image);
	if (st != ST_OK)
		return st;
	door_dump(o, d, d->arena);
	find_names(d, o, r);
	find_map(d, o);
	if (o->types.modules)
		o->types.modules(o->types.priv);
	*ret = o;
	return ST_OK;
}

const char *door_missing(const struct door *o)
{
	return o->missing;
}
