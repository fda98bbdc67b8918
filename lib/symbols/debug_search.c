// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols/debug_search.h"

#include <dirent.h>
#include <limits.h>
#include <sys/stat.h>

#include "util/strbuf.h"

#define MAX_DEPTH 12	   /* folders below that of debug files */
#define MAX_ENTRIES 200000 /* files that are looked at; the answer says that it is cut */
#define MAX_PATHS 20000	   /* folders that are looked at, in the same way */

void debug_paths_init(struct debug_paths *p, struct dump *d)
{
	*p = (struct debug_paths){ .dump = d };
	p->last = &p->first;
}

static char plain(char c)
{
	return c == '-' ? '_' : c;
}

bool debug_module_same(const char *a, const char *b)
{
	while (*a && plain(*a) == plain(*b)) {
		a++;
		b++;
	}
	return !*a && !*b;
}

/* Not vmlinux.o, .lds, .a and what else a build leaves. */
static bool is_vmlinux(const char *name)
{
	return !strcmp(name, "vmlinux") || !strcmp(name, "vmlinux.debug") ||
	       !strncmp(name, "vmlinux-", strlen("vmlinux-"));
}

/* Length of NAME in NAME.ko or NAME.ko.debug; 0: it is no such name. */
static size_t module_length(const char *name)
{
	static const char *const ends[] = { ".ko", ".ko.debug" };
	size_t len = strlen(name);

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (len > strlen(ends[i]) && !strcmp(name + len - strlen(ends[i]), ends[i]))
			return len - strlen(ends[i]);
	return 0;
}

static void add(struct debug_paths *p, const char *path, const char *name)
{
	struct dump *d = p->dump;
	size_t len = module_length(name);
	struct debug_path *found;

	if (!len && !is_vmlinux(name))
		return;
	if (p->n == MAX_PATHS) {
		p->cut = true;
		return;
	}
	found = dump_alloc(d, sizeof(*found));
	found->path = arena_strdup(d->arena, path);
	if (len) {
		char *module = arena_strdup(d->arena, name);

		module[len] = '\0';
		found->module = module;
	}
	*p->last = found;
	p->last = &found->next;
	p->n++;
}

/* Of a directory entry: DT_DIR, DT_REG (what a link leads to counts) or DT_UNKNOWN. */
static int type_of(const char *path, int type)
{
	struct stat st;

	if (type == DT_DIR || type == DT_REG)
		return type;
	if (type == DT_UNKNOWN && !lstat(path, &st) && S_ISDIR(st.st_mode))
		return DT_DIR;
	return !stat(path, &st) && S_ISREG(st.st_mode) ? DT_REG : DT_UNKNOWN;
}

static void close_folder(void *arg)
{
	DIR **folder = arg;

	if (*folder)
		closedir(*folder);
	*folder = NULL;
}

static enum status walk(struct debug_paths *p, const char *dir, unsigned int depth)
{
	enum status st = ST_OK;
	struct dirent *e;
	char path[PATH_MAX];
	DIR **f = dump_alloc(p->dump, sizeof(*f));

	arena_at_reset(p->dump->arena, close_folder, f);
	*f = opendir(dir);
	if (!*f)
		return ST_OK;
	while (st == ST_OK && (e = readdir(*f))) {
		const char *slash = dir[strlen(dir) - 1] == '/' ? "" : "/";

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		if (p->entries++ >= MAX_ENTRIES) {
			p->cut = true;
			break;
		}
		if (p->entries % 256 == 0 && dump_stopped(p->dump))
			break;
		if ((size_t)snprintf(path, sizeof(path), "%s%s%s", dir, slash, e->d_name) >=
		    sizeof(path))
			continue;
		switch (type_of(path, e->d_type)) {
		case DT_DIR:
			if (depth < MAX_DEPTH)
				st = walk(p, path, depth + 1);
			else
				p->cut = true;
			break;
		case DT_REG:
			add(p, path, e->d_name);
			break;
		}
	}
	close_folder(f);
	return st;
}

enum status debug_paths_walk(struct debug_paths *p, const char *dir)
{
	return *dir ? walk(p, dir, 0) : ST_OK;
}

const char *debug_build_id_path(const char *root, const struct buildid *id, char *buf, size_t size)
{
	struct strbuf s = strbuf_in(buf, size);

	if (id->n < 2)
		return NULL;
	strbuf_add(&s, "%s/.build-id/", root);
	for (unsigned int i = 0; i < id->n; i++)
		strbuf_add(&s, i == 1 ? "/%02x" : "%02x", id->bytes[i]);
	strbuf_add(&s, ".debug");
	return s.cut ? NULL : buf;
}
