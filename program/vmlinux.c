// SPDX-License-Identifier: GPL-2.0-or-later
#include "vmlinux.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "symbols/debug_file.h"
#include "symbols/namelist.h"

#define PATH_BYTES 4096	  /* PATH_MAX */
#define RELEASE_BYTES 128 /* uname -r has 65 at most */
#define DEBUG_ROOT "/usr/lib/debug"

/* %s: the release, as uname -r says it. */
static const char *const by_release[] = {
	"/usr/lib/debug/boot/vmlinux-%s",		   /* Debian */
	"/usr/lib/debug/lib/modules/%s/vmlinux",	   /* Fedora, RHEL */
	"/usr/lib/debug/usr/lib/modules/%s/vmlinux",	   /* the same, merged /usr */
	"/usr/lib/debug/boot/vmlinux-%s.debug",		   /* SUSE */
	"/usr/lib/debug/usr/lib/modules/%s/vmlinux.debug", /* the same, merged /usr */
	"/usr/lib/debug/lib/modules/%s/vmlinux.debug",
	"/lib/modules/%s/build/vmlinux", /* a kernel that was built here */
	"/boot/vmlinux-%s",
};

static const char *const beside[] = { "vmlinux", "vmlinux-%s", "vmlinux.debug",
				      "vmlinux-%s.debug" };

struct search {
	struct dump *dump;
	bool (*use)(void *arg, const char *path);
	void *arg;
};

/* The path for as long as the session lasts; NULL: it is of another build, or of no use. */
static const char *take(struct search *s, const char *path)
{
	bool is_proven = false;
	const char *kept;

	if (access(path, R_OK) || namelist_compare(s->dump, path, &is_proven) != ST_OK ||
	    !is_proven)
		return NULL;
	kept = arena_strdup(s->dump->arena, path);
	return s->use(s->arg, kept) ? kept : NULL;
}

/* A release of the dump that could lead out of a folder is none. */
static bool find_release(struct dump *d, char *ret)
{
	return d->ops->vmcoreinfo_text &&
	       d->ops->vmcoreinfo_text(d->priv, "OSRELEASE", ret, RELEASE_BYTES) == ST_OK && *ret &&
	       *ret != '.' && !strchr(ret, '/');
}

/* folder "": the names are paths. A name with a place for the release needs one. */
static const char *try_names(struct search *s, const char *folder, const char *const *names,
			     size_t n, const char *release)
{
	char path[PATH_BYTES];
	const char *ret = NULL;

	for (size_t i = 0; i < n && !ret; i++) {
		const char *place = strstr(names[i], "%s");
		int before = place ? (int)(place - names[i]) : (int)strlen(names[i]);

		if (place && !release)
			continue;
		if ((size_t)snprintf(path, sizeof(path), "%s%.*s%s%s", folder, before, names[i],
				     place ? release : "", place ? place + 2 : "") < sizeof(path))
			ret = take(s, path);
	}
	return ret;
}

/* Of libdebuginfod, which is loaded at run time. */
struct client;

struct debuginfod {
	struct client *(*begin)(void);
	void (*end)(struct client *c);
	int (*find)(struct client *c, const unsigned char *id, int bytes, char **path);
	void (*watch)(struct client *c, int (*fn)(struct client *c, long a, long b));
};

static struct dump *waiting; /* for an answer of a server */

static int stop(struct client *c NOT_USED, long a NOT_USED, long b NOT_USED)
{
	return dump_stopped(waiting);
}

static bool load(struct debuginfod *ret)
{
	void *library = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return false;
	*(void **)&ret->begin = dlsym(library, "debuginfod_begin");
	*(void **)&ret->end = dlsym(library, "debuginfod_end");
	*(void **)&ret->find = dlsym(library, "debuginfod_find_debuginfo");
	*(void **)&ret->watch = dlsym(library, "debuginfod_set_progressfn");
	return ret->begin && ret->end && ret->find && ret->watch;
}

static const char *ask_server(struct search *s, const struct buildid *id)
{
	struct dump *d = s->dump;
	const char *urls = getenv("DEBUGINFOD_URLS"), *ret = NULL;
	struct debuginfod library = { NULL };
	struct client *client;
	char *path = NULL;
	int fd;

	if (!urls || !*urls || !id->n || !load(&library))
		return NULL;
	client = library.begin();
	if (!client)
		return NULL;
	dump_remark(d, "asking for debug information at DEBUGINFOD_URLS, %s", urls);
	waiting = d;
	library.watch(client, stop);
	fd = library.find(client, id->bytes, id->n, &path);
	library.end(client);
	if (fd >= 0) {
		close(fd);
		ret = path ? take(s, path) : NULL;
	}
	free(path);
	return ret;
}

const char *vmlinux_find(struct dump *d, const char *dump_path,
			 bool (*use)(void *arg, const char *path), void *arg)
{
	char release[RELEASE_BYTES], path[PATH_BYTES];
	const char *known = find_release(d, release) ? release : NULL, *ret = NULL;
	struct search s = { d, use, arg };
	struct buildid id = { .n = 0 };
	char *slash;

	if (!namelist_id_of_dump(d, &id))
		return NULL;
	if (debug_build_id_path(DEBUG_ROOT, &id, path, sizeof(path)))
		ret = take(&s, path);
	if (!ret && (size_t)snprintf(path, sizeof(path), "%s", dump_path) < sizeof(path)) {
		slash = strrchr(path, '/');
		slash = slash ? slash + 1 : path;
		*slash = '\0';
		ret = try_names(&s, path, beside, ARRAY_SIZE(beside), known);
	}
	if (!ret)
		ret = try_names(&s, "", by_release, ARRAY_SIZE(by_release), known);
	return ret ? ret : ask_server(&s, &id);
}

const char *vmlinux_refused(struct dump *d, const char *dump_path)
{
	const char *slash = strrchr(dump_path, '/');
	const int folder = slash ? (int)(slash + 1 - dump_path) : 0;
	char release[RELEASE_BYTES], path[PATH_BYTES];
	bool has_release = find_release(d, release), is_proven;

	for (size_t i = 0; i < ARRAY_SIZE(beside); i++) {
		const char *place = strstr(beside[i], "%s");
		const int before = (int)(place ? place - beside[i] : (long)strlen(beside[i]));

		if ((!place || has_release) &&
		    (size_t)snprintf(path, sizeof(path), "%.*s%.*s%s%s", folder, dump_path, before,
				     beside[i], place ? release : "",
				     place ? place + 2 : "") < sizeof(path) &&
		    !access(path, R_OK) && namelist_compare(d, path, &is_proven) == ST_UNKNOWN)
			return arena_text(d->arena, "%s: %s: it is not used", path, d->error);
	}
	d->error[0] = '\0';
	return NULL;
}
