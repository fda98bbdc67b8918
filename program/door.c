// SPDX-License-Identifier: GPL-2.0-or-later
#include "door.h"

#include <sys/stat.h>
#include <unistd.h>

#include "file/vmcore.h"
#include "image.h"
#include "names/symbols.h"
#include "symbols/debug_file.h"
#include "symbols/namelist.h"
#include "translation.h"
#include "types/module_types.h"
#include "types/type_source.h"
#include "vmcoreinfo.h"
#include "vmlinux.h"

/* Where symbols are from; they are asked in this order. */
enum { FROM_DUMP, FROM_VMLINUX, SYMBOL_TABLES };

struct door {
	struct dump *session;
	struct vmcore *file;
	struct vmcoreinfo info;
	struct translation *translation;
	struct symbols *symbols[SYMBOL_TABLES]; /* NULL: there are none */
	bool types_of_file;			/* types are those of a vmlinux, not of the dump */
	bool loses_types;			/* some of these are not known */
	bool opening; /* they are being looked for: those of VMCOREINFO lead there */
	struct type_source types;
	const char *vmlinux, *modules, *arch;
	struct debug_paths objects; /* of modules */
	const char *missing, *incomplete, *damaged, *unknown_types;
	const char *unused; /* a vmlinux that was given, and why */
	const char *told;   /* for JSON: that, and what is missing; NULL: neither */
	struct door_user user;
	unsigned int page_shift;
};

static enum status door_read(void *priv, uint64_t addr, void *buf, size_t len)
{
	struct door *o = priv;

	while (len) {
		uint64_t phys, bytes;
		size_t part;

		if (translation_phys(o->translation, addr, &phys, &bytes) != ST_OK)
			return ST_UNREADABLE;
		part = len < bytes ? len : bytes;
		if (vmcore_read(o->file, phys, buf, part) != ST_OK)
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

/*
 * The dump's own symbols come first: they cannot be another kernel's.  vmlinux has what they lack: names
 * that are not in this dump, or all.  VMCOREINFO leads to the former, and is no source itself: of some
 * symbols it has the value (mem_section, vmemmap).
 */
static enum status door_symbol(void *priv, const char *name, uint64_t *ret)
{
	struct door *o = priv;
	enum status st = ST_UNREADABLE;

	if (o->opening)
		return vmcoreinfo_symbol(&o->info, name, ret);
	for (size_t i = 0; i < SYMBOL_TABLES && st == ST_UNREADABLE; i++)
		if (o->symbols[i])
			st = symbols_find(o->symbols[i], name, ret);
	/* kallsyms may have functions alone (CONFIG_KALLSYMS_ALL). */
	return st != ST_OK && vmcoreinfo_symbol(&o->info, name, ret) == ST_OK ? ST_OK : st;
}

static enum status door_closest(void *priv, uint64_t addr, struct symbol *ret)
{
	struct door *o = priv;
	uint64_t first, end;
	enum status st = ST_ABSENT;

	if ((door_symbol(o, "_stext", &first) == ST_OK && addr < first) ||
	    (door_symbol(o, "_end", &end) == ST_OK && addr >= end))
		return ST_ABSENT;
	for (size_t i = 0; i < SYMBOL_TABLES && st != ST_OK; i++)
		if (o->symbols[i])
			st = symbols_closest(o->symbols[i], addr, ret);
	return st;
}

/* What there is of types, if there is any. */
#define ASK(priv, op, none, ...)                                                   \
	({                                                                         \
		const struct type_source *types = &((struct door *)(priv))->types; \
                                                                                   \
		types->op ? types->op(types->priv, __VA_ARGS__) : (none);          \
	})

static enum status door_variable(void *priv, const char *name, struct field *ret)
{
	return ASK(priv, variable, ST_ABSENT, name, ret);
}

static enum status door_type_size(void *priv, const char *type, uint64_t *ret)
{
	return ASK(priv, type_size, ST_ABSENT, type, ret);
}

static enum status door_member(void *priv, const char *type, const char *member, struct field *ret)
{
	return ASK(priv, member, ST_ABSENT, type, member, ret);
}

static enum status door_bits(void *priv, const char *type, const char *member, struct field *ret)
{
	return ASK(priv, bits, ST_ABSENT, type, member, ret);
}

static enum status door_typed(void *priv, const struct type_query *q, struct typed *ret)
{
	return ASK(priv, typed, ST_ABSENT, q, ret);
}

static enum status door_type_text(void *priv, const char *type, char *buf, size_t size)
{
	return ASK(priv, type_text, ST_ABSENT, type, buf, size);
}

static enum status door_enumerator(void *priv, const char *name, int64_t *ret)
{
	return ASK(priv, enumerator, ST_ABSENT, name, ret);
}

static bool door_enumerates(void *priv, const char *type, const char *name)
{
	return ASK(priv, enumerates, false, type, name);
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
	struct door *o = priv;
	uint64_t bytes;

	return translation_phys(o->translation, addr, ret, &bytes);
}

/* Below the folder of --modules, which is looked through when the first is asked for. */
static const char *object_of_module(void *arg, const char *module, unsigned int i)
{
	struct door *o = arg;

	if (o->modules && !o->objects.dump) {
		debug_paths_init(&o->objects, o->session);
		debug_paths_walk(&o->objects, o->modules);
	}
	for (const struct debug_path *p = o->objects.first; p; p = p->next)
		if (p->module && debug_module_same(p->module, module) && !i--)
			return p->path;
	return NULL;
}

static const char *door_object(void *priv, const char *module, unsigned int i)
{
	struct door *o = priv;

	if (module)
		return object_of_module(o, module, i);
	return i ? NULL : o->vmlinux;
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

static const uint8_t *door_cpu_note(void *priv, unsigned int i)
{
	const struct vmcore_facts *f = vmcore_facts(((const struct door *)priv)->file);

	return i < f->cpu_notes.n ? f->cpu_notes.all[i] : NULL;
}

static const char *missing(void *priv)
{
	const struct door *o = priv;

	return o->told;
}

static const char *incomplete(void *priv)
{
	const struct door *o = priv;

	return o->incomplete || !vmcore_facts(o->file)->is_damaged ? o->incomplete : o->damaged;
}

static bool damaged(void *priv)
{
	const struct door *o = priv;

	return vmcore_facts(o->file)->is_damaged;
}

static const char *unknown_types(void *priv)
{
	const struct door *o = priv;

	return o->unknown_types;
}

static bool loses_types(void *priv)
{
	const struct door *o = priv;

	return o->loses_types;
}

static const struct dump_ops ops = {
	.read = door_read,
	.read_phys = door_read_phys,
	.symbol = door_symbol,
	.variable = door_variable,
	.type_size = door_type_size,
	.member = door_member,
	.bits = door_bits,
	.typed = door_typed,
	.type_text = door_type_text,
	.enumerator = door_enumerator,
	.enumerates = door_enumerates,
	.vmcoreinfo = door_vmcoreinfo,
	.vmcoreinfo_text = door_vmcoreinfo_text,
	.cpu_note = door_cpu_note,
	.closest = door_closest,
	.virt_to_phys = door_virt_to_phys,
	.object = door_object,
	.stopped = door_stopped,
	.progress = door_progress,
	.remark = door_remark,
	.missing = missing,
	.incomplete = incomplete,
	.damaged = damaged,
	.unknown_types = unknown_types,
	.loses_types = loses_types,
	.places_symbols = true,
};

void door_dump(struct door *o, struct dump *d, struct arena *arena)
{
	dump_init(d, &ops, o, arena);
	d->page_shift = o->page_shift;
	d->arch = o->arch;
	d->map = translation_map(o->translation);
	d->kallsyms = o->session->kallsyms;
	d->module_types = o->modules ? NULL : "--modules DIR";
}

/* Of a dump that is not all there: what rests on the rest is unknown. */
static void find_incomplete(struct dump *d, struct door *o, const char *path)
{
	const struct vmcore_facts *f = vmcore_facts(o->file);

	o->damaged = arena_text(
		d->arena,
		"%s: damaged: a page that was asked for does not uncompress; it is not in this dump",
		path);
	if (!f->incomplete)
		return;
	o->incomplete = arena_text(d->arena, "%s: incomplete: %s", path, f->incomplete);
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

/* The file that is no dump of a kernel; of one that is not all there, that is the likely reason. */
static enum status find_kernel(struct dump *d, struct door *o, const char *path,
			       struct image *image)
{
	const struct vmcore_facts *f = vmcore_facts(o->file);
	enum status st = find_vmcoreinfo(d, o) ?: set_page_size(d, o);

	o->arch = f->machine ? f->machine : image_arch(&o->info);
	st = st ?: image_find(d, &o->info, o->arch, image) ?:
			image_check(d, &o->info, image, o->file);
	if (st == ST_OK)
		return st;
	return dump_fail(d, st, "%s: %s%s%s", path, arena_strdup(d->arena, d->error),
			 f->incomplete ? "; the dump is incomplete: " : "",
			 f->incomplete ? f->incomplete : "");
}

static void note_missing(struct dump *d, struct door *o)
{
	o->missing = arena_strdup(d->arena, d->error);
}

static bool use_symbols(void *arg, const char *path)
{
	struct door *o = arg;

	return symbols_from_elf(o->session, path, &o->symbols[FROM_VMLINUX]) == ST_OK;
}

static const struct symbols *own_symbols(const struct door *o)
{
	return o->symbols[o->symbols[FROM_DUMP] ? FROM_DUMP : FROM_VMLINUX];
}

static bool use_types(void *arg, const char *path)
{
	struct door *o = arg;

	if (types_from_vmlinux(o->session, path, own_symbols(o), &o->types) != ST_OK)
		return false;
	o->types_of_file = true;
	return true;
}

/* Where the dump has not all: the vmlinux that was given, or one that is found. */
static bool need_vmlinux(struct dump *d, struct door *o, const struct door_request *r,
			 bool (*use)(void *arg, const char *path))
{
	const char *found;

	if (o->vmlinux && use(o, o->vmlinux))
		return true;
	found = vmlinux_find(d, r->files[0], use, o);
	if (found)
		o->vmlinux = found;
	return found;
}

/*
 * The dump's own, and those of a vmlinux where the dump has not all.  False: there are none, and nothing is
 * known.
 */
static bool find_symbols(struct dump *d, struct door *o, const struct door_request *r,
			 const struct image *image)
{
	struct symbols **own = &o->symbols[FROM_DUMP];
	enum status st = symbols_from_kallsyms(d, image->start, image->start + image->bytes, own);

	if (st == ST_OK && !symbols_unnamed(*own) && !symbols_lost(*own))
		return true;
	if (st == ST_OK && symbols_lost(*own))
		dump_fail(
			d, ST_UNREADABLE,
			"addresses of %zu of %zu symbols are not in this dump: --vmlinux FILE gives them",
			symbols_lost(*own), symbols_count(*own));
	else if (st == ST_OK)
		dump_fail(
			d, ST_UNREADABLE,
			"names of %zu symbols are not in this dump, or corrupt: --vmlinux FILE gives them",
			symbols_unnamed(*own));
	note_missing(d, o);
	if (!need_vmlinux(d, o, r, use_symbols))
		return st == ST_OK;
	o->missing = NULL;
	return true;
}

/* The log is known. */
static void do_without_types(struct dump *d, struct door *o)
{
	types_from_vmcoreinfo(d, &o->types);
	o->unknown_types =
		vmcore_facts(o->file)->incomplete
			? "types of this kernel are not known: --vmlinux FILE gives them, and not "
			  "what an incomplete dump lacks"
			: "types of this kernel are not known: --vmlinux FILE gives them";
}

/* What a file that is given and not used has says nothing of this kernel: nor that it may be its vmlinux. */
static void leave_vmlinux(struct dump *d, struct door *o, const char *why)
{
	o->unused = why;
	dump_remark(d, "%s", why);
	if (!o->symbols[FROM_VMLINUX])
		o->vmlinux = NULL;
}

/* A vmlinux has them. */
static void tell_lost(struct dump *d, struct door *o, const struct door_request *r)
{
	o->loses_types = true;
	dump_corrupt(
		d,
		"%u types of this kernel's BTF are damaged, missing or beside such: what needs "
		"one of them is unknown, --vmlinux FILE gives them",
		o->types.lost);
	if (o->missing)
		return;
	note_missing(d, o);
	if (!need_vmlinux(d, o, r, use_types))
		return;
	o->missing = NULL;
	o->loses_types = false;
}

/* Of a vmlinux that was given, since it has more; else of the dump; else of a vmlinux that is found. */
static void find_types(struct dump *d, struct door *o, const struct door_request *r)
{
	if (o->vmlinux && use_types(o, o->vmlinux))
		return;
	if (o->vmlinux)
		leave_vmlinux(d, o, arena_strdup(d->arena, d->error));
	if (types_from_btf(d, own_symbols(o), &o->types) == ST_OK) {
		if (o->types.lost)
			tell_lost(d, o, r);
		return;
	}
	if (!o->missing)
		note_missing(d, o);
	if (need_vmlinux(d, o, r, use_types))
		o->missing = NULL;
	else
		do_without_types(d, o);
}

/*
 * Without symbols or types the log is known.  A vmlinux of another build is not used:
 * its types would turn any memory into statements.  Each step needs what the one before found: page tables
 * symbols, the direct map types, types of modules page tables.
 */
static void find_names(struct dump *d, struct door *o, const struct door_request *r,
		       const struct image *image)
{
	struct translation *t = o->translation;
	bool has_symbols, has_btf, is_proven;

	if (o->vmlinux && namelist_compare(d, o->vmlinux, &is_proven) == ST_UNKNOWN)
		leave_vmlinux(d, o, arena_text(d->arena, "%s: it is not used", d->error));
	has_symbols = find_symbols(d, o, r, image);
	o->opening = false;
	translation_find_tables(t, d);
	if (!has_symbols) {
		do_without_types(d, o);
		/* BTF may be there: what is missing first is where variables are. */
		if (o->missing && !vmcore_facts(o->file)->incomplete)
			o->unknown_types = o->missing;
		return;
	}
	find_types(d, o, r);
	translation_find_direct_map(t, d);
	d->map = translation_map(t);
	if (o->types.modules)
		o->types.modules(o->types.priv);
	/* A vmlinux whose types are its BTF has those of modules from the dump already. */
	has_btf = o->types_of_file && !o->types.modules;
	if (!o->unknown_types && (o->modules || has_btf))
		module_types_behind(d, &o->types,
				    &(struct module_places){
					    .object = o->modules ? object_of_module : NULL,
					    .arg = o,
					    .has_btf = has_btf,
					    .symbols = own_symbols(o),
				    },
				    &o->types);
}

/* Who puts a vmlinux beside a dump expects that it is used. */
static void tell_beside(struct dump *d, struct door *o, const char *why)
{
	if (why && !o->vmlinux && !o->unused)
		leave_vmlinux(d, o, why);
}

static enum status check_paths(struct dump *d, const struct door_request *r)
{
	struct stat sb;

	if (r->vmlinux && stat(r->vmlinux, &sb))
		return dump_fail(d, ST_USAGE, "%s: %m", r->vmlinux);
	if (r->vmlinux && S_ISDIR(sb.st_mode))
		return dump_fail(d, ST_USAGE, "%s: a directory; give the vmlinux in it",
				 r->vmlinux);
	if (r->modules && stat(r->modules, &sb))
		return dump_fail(d, ST_USAGE, "%s: %m", r->modules);
	if (r->modules && !S_ISDIR(sb.st_mode))
		return dump_fail(d, ST_USAGE, "%s: no directory; give the one that has the modules",
				 r->modules);
	if (r->modules && access(r->modules, R_OK | X_OK))
		return dump_fail(d, ST_USAGE, "%s: %m", r->modules);
	return ST_OK;
}

/* In one line with what is missing, which is missing for that. */
static void say_incomplete(struct dump *d, const struct door *o)
{
	if (o->incomplete && o->user.remark)
		o->user.remark(o->missing
				       ? arena_text(d->arena, "%s; %s", o->incomplete, o->missing)
				       : o->incomplete);
}

enum status door_open(struct dump *d, const struct door_request *r, const struct door_user *user,
		      struct door **ret)
{
	struct door *o = dump_alloc(d, sizeof(*o));
	const char *beside;
	struct image image;
	enum status st;

	o->session = d;
	o->user = *user;
	o->vmlinux = r->vmlinux;
	o->modules = r->modules;
	o->opening = true;
	st = check_paths(d, r) ?: vmcore_open(d, r->files, r->n, &o->file) ?:
		find_kernel(d, o, r->files[0], &image);
	if (st != ST_OK)
		return st;
	o->translation = translation_new(d, &image);
	find_incomplete(d, o, r->files[0]);
	door_dump(o, d, d->arena);
	beside = r->vmlinux ? NULL : vmlinux_refused(d, r->files[0]);
	find_names(d, o, r, &image);
	tell_beside(d, o, beside);
	o->told = !o->unused   ? o->missing
		  : o->missing ? arena_text(d->arena, "%s; %s", o->unused, o->missing)
			       : o->unused;
	say_incomplete(d, o);
	*ret = o;
	return ST_OK;
}

bool door_is_incomplete(const struct door *o)
{
	return o->incomplete != NULL;
}

const char *door_missing(const struct door *o)
{
	return o->missing;
}
