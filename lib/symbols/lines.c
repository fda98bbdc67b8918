// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols/lines.h"

#include <unistd.h>

#define MAX_OBJECTS 4	/* that crash names for one image */
#define PATH_BYTES 4096 /* PATH_MAX */
#define DEBUG_ROOT "/usr/lib/debug"

/* The folders where distributions put modules. */
static const char *const module_folders[] = { "/usr/lib/debug/lib/modules", "/lib/modules" };

void lines_open(struct dump *d, const char *dir, struct lines *ret)
{
	*ret = (struct lines){ .dump = d, .dir = dir };
	hash_u64_init(&ret->modules, d->arena, sizeof(struct lines_image));
	debug_paths_init(&ret->in_dir, d);
	debug_paths_init(&ret->elsewhere, d);
}

/* One image, vmlinux or a module, and the best reason why it has no lines. */
struct search {
	struct lines *lines;
	const char *module; /* NULL: vmlinux */
	struct lines_image *image;
	enum status reason;
	unsigned int refused; /* files */
	char path[256];
	char text[DUMP_ERROR];
};

static void warn(struct lines *l, const char *text)
{
	if (l->nwarnings == LINES_WARNINGS)
		return;
	l->warnings[l->nwarnings] = dump_strdup(l->dump, text);
	l->nwarnings++;
}

/* How much a reason tells: the right file without lines more than one of another build. */
static unsigned int weight(enum status st)
{
	return st == ST_ABSENT ? 3 : st == ST_UNKNOWN ? 2 : 1;
}

/* True: this file is the one. */
static bool try_file(struct search *s, const char *path)
{
	struct lines *l = s->lines;
	struct dump *d = l->dump;
	enum status st = debug_file_open(d, path, &s->image->in_dump,
					 s->module ? l->kernel.file.lines.root : NULL,
					 &s->image->file);

	decoder_trace(d, "debug file %s: %s", path, st == ST_OK ? "used" : d->error);
	if (st == ST_OK)
		return true;
	if (!s->refused++ || weight(st) > weight(s->reason)) {
		s->reason = st;
		snprintf(s->path, sizeof(s->path), "%s", path);
		snprintf(s->text, sizeof(s->text), "%s", d->error);
	}
	return false;
}

static bool try_paths(struct search *s, const struct debug_paths *paths)
{
	for (const struct debug_path *p = paths->first; p; p = p->next) {
		if (s->module ? !p->module || !debug_module_same(p->module, s->module)
			      : !!p->module)
			continue;
		if (try_file(s, p->path))
			return true;
		if (dump_stopped(s->lines->dump))
			break;
	}
	return false;
}

static const char *object(const struct dump *d, const char *module, unsigned int i)
{
	return d->ops->object ? dump_ask(d, object, module, i) : NULL;
}

/* A release of the dump that could lead out of the folder is none. */
static bool is_folder_name(const char *release)
{
	return *release && *release != '.' && !strchr(release, '/');
}

static void walk_elsewhere(struct lines *l)
{
	struct dump *d = l->dump;
	const char *release = kernel_release(d);
	char path[PATH_BYTES];

	for (unsigned int i = 0; i < MAX_OBJECTS; i++) {
		const char *namelist = object(d, NULL, i);
		char *slash;

		if (!namelist)
			break;
		if ((size_t)snprintf(path, sizeof(path), "%s", namelist) >= sizeof(path))
			continue;
		slash = strrchr(path, '/');
		if (slash)
			*slash = '\0';
		/* In the root of all files is no module. */
		debug_paths_walk(&l->elsewhere, slash ? path : ".");
	}
	if (!release || !is_folder_name(release))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(module_folders); i++) {
		snprintf(path, sizeof(path), "%s/%s", module_folders[i], release);
		debug_paths_walk(&l->elsewhere, path);
	}
}

/* A package of debug information names its files by build-id: no folder need be searched. */
static bool try_build_id(struct search *s, const char *root)
{
	char path[PATH_BYTES];

	return debug_build_id_path(root, &s->image->in_dump.id, path, sizeof(path)) &&
	       !access(path, R_OK) && try_file(s, path);
}

static bool try_elsewhere(struct search *s)
{
	struct lines *l = s->lines;

	for (unsigned int i = 0; i < MAX_OBJECTS; i++) {
		const char *path = object(l->dump, s->module, i);

		if (!path)
			break;
		if (try_file(s, path))
			return true;
	}
	if (try_build_id(s, DEBUG_ROOT))
		return true;
	if (!s->module)
		return false;
	if (!l->walked_elsewhere) {
		l->walked_elsewhere = true;
		walk_elsewhere(l);
	}
	return try_paths(s, &l->elsewhere);
}

/* What the folder of -l does not have comes from where it would come without one. */
static bool try_all(struct search *s)
{
	struct lines *l = s->lines;

	if (l->dir && try_build_id(s, l->dir))
		return true;
	if (l->dir && !l->walked_dir) {
		l->walked_dir = true;
		debug_paths_walk(&l->in_dir, l->dir);
	}
	return try_paths(s, &l->in_dir) || (!s->refused && try_elsewhere(s));
}

static void warn_of(struct search *s)
{
	const char *kind = s->module ? "module " : "", *name = s->module ? s->module : "vmlinux";
	char buf[DUMP_ERROR + 640], more[32] = "";

	if (s->refused > 1)
		snprintf(more, sizeof(more), " (and %u more)", s->refused - 1);
	if (s->refused)
		snprintf(buf, sizeof(buf), "no lines of %s%s: %s: %s%s", kind, name, s->path,
			 s->text, more);
	else if (s->module)
		snprintf(buf, sizeof(buf),
			 "no lines of module %s: found no %s.ko and no %s.ko.debug%s", name, name,
			 name, s->lines->elsewhere.cut ? " among the first files" : "");
	else
		snprintf(buf, sizeof(buf), "no lines of vmlinux: found none");
	warn(s->lines, buf);
}

static enum status kernel_in_dump(struct dump *d, struct debug_image *ret)
{
	return buildid_kernel(d, &ret->id, &ret->notes);
}

static void open_image(struct lines *l, struct lines_image *image, const struct module *mod)
{
	struct search s = { .lines = l, .module = mod ? mod->name : NULL, .image = image };
	struct dump *d = l->dump;
	enum status st = mod ? debug_image_of_module(d, mod->address, &image->in_dump)
			     : kernel_in_dump(d, &image->in_dump);
	char buf[DUMP_ERROR + 128];

	image->tried = true;
	if (st == ST_OK) {
		image->usable = try_all(&s);
		if (!image->usable && !d->interrupted)
			warn_of(&s);
		return;
	}
	snprintf(buf, sizeof(buf), "no lines of %s%s: its build-id cannot be checked: %s",
		 mod ? "module " : "", mod ? mod->name : "vmlinux", d->error);
	warn(l, buf);
}

const struct src_lines *lines_of_call(struct lines *l, uint64_t addr, const struct module *mod)
{
	struct lines_image *image = &l->kernel;
	struct src_lines found, *ret;

	/* It names the folder of the sources for modules too. */
	if (!image->tried)
		open_image(l, image, NULL);
	if (mod)
		image = hash_u64_get(&l->modules, mod->address, NULL);
	if (image && !image->tried)
		open_image(l, image, mod);
	if (!image || !image->usable || !addr ||
	    dwarf_lines_find(&image->file.lines, addr - 1 - image->file.slide, &found) != ST_OK)
		return NULL;
	ret = dump_alloc(l->dump, sizeof(*ret));
	*ret = found;
	return ret;
}
