// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols/debug_file.h"

#include <dirent.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/elf_cut.h"
#include "util/strbuf.h"

#define MAX_SECTIONS 65536 /* of an ELF file; numbers have 16 bits */
#define NOTE_BYTES 256	   /* of a module: one build-id */
#define SLIDE_ALIGN 4096   /* kernels are moved by whole pages */

/* What the libraries hold until the arena is reset. */
struct handles {
	int fd;
	Elf *elf;
	Dwarf *dwarf;
	Dwfl *dwfl; /* of a module; has elf and dwarf of its own */
	const struct module_sections *sections;
};

static void close_handles(void *arg)
{
	struct handles *h = arg;

	dwfl_end(h->dwfl);
	dwarf_end(h->dwarf);
	elf_end(h->elf);
	if (h->fd >= 0)
		close(h->fd);
}

static enum status open_elf(struct dump *d, const char *path, struct handles *h)
{
	struct stat st;

	/* A fifo would block. */
	h->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (h->fd < 0 || fstat(h->fd, &st))
		return dump_unreadable(d, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return dump_corrupt(d, "it is no regular file");
	elf_version(EV_CURRENT);
	/* Private: libdwfl relocates a module in place. */
	h->elf = elf_begin(h->fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	if (!h->elf || elf_kind(h->elf) != ELF_K_ELF)
		return dump_corrupt(d, "it is no ELF file");
	return ST_OK;
}

static enum status fail_cut(struct dump *d, const char *where)
{
	return dump_corrupt(d, "it was cut off: it ends before %s", where);
}

static enum status check_id(struct dump *d, const struct handles *h, const struct buildid *want)
{
	char have_text[BUILDID_TEXT], want_text[BUILDID_TEXT];
	struct buildid have = { 0 };
	const void *bits;
	ssize_t n = dwelf_elf_gnu_build_id(h->elf, &bits);
	const char *cut = elf_cut(h->fd);

	if (n <= 0 || (size_t)n > sizeof(have.bytes))
		return cut ? fail_cut(d, cut) : dump_fail(d, ST_UNKNOWN, "it has no build-id");
	memcpy(have.bytes, bits, n);
	have.n = n;
	if (!buildid_same(&have, want))
		return dump_fail(d, ST_UNKNOWN, "its build-id is %s..., in the dump it is %s...",
				 buildid_text(&have, have_text), buildid_text(want, want_text));
	return ST_OK;
}

/* Where the linker put the section .notes, whose start is __start_notes. */
static bool notes_address(Elf *elf, uint64_t *ret)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	for (size_t n = 0; n < MAX_SECTIONS && (section = elf_nextscn(elf, section)); n++) {
		GElf_Shdr header;
		const char *name;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE)
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (name && !strcmp(name, ".notes")) {
			*ret = header.sh_addr;
			return true;
		}
	}
	return false;
}

static enum status open_kernel(struct dump *d, const struct debug_image *image, struct handles *h,
			       uint64_t *slide)
{
	uint64_t notes;

	if (!notes_address(h->elf, &notes))
		return dump_corrupt(d, "it has no section .notes");
	*slide = image->notes - notes;
	if (*slide % SLIDE_ALIGN)
		return dump_corrupt(d, "its section .notes is elsewhere");
	h->dwarf = dwarf_begin_elf(h->elf, DWARF_C_READ, NULL);
	return h->dwarf ? ST_OK : dump_absent(d, "it has no debug information");
}

/* libdwfl takes over the ELF that was checked. */
static int give_elf(Dwfl_Module *mod NOT_USED, void **priv, const char *name NOT_USED,
		    Dwarf_Addr base NOT_USED, char **file_name NOT_USED, Elf **elf)
{
	struct handles *h = *priv;

	*elf = h->elf;
	h->elf = NULL;
	return -1;
}

static int find_no_debuginfo(Dwfl_Module *mod NOT_USED, void **priv NOT_USED,
			     const char *name NOT_USED, Dwarf_Addr base NOT_USED,
			     const char *file NOT_USED, const char *link NOT_USED,
			     GElf_Word crc NOT_USED, char **ret NOT_USED)
{
	return -1;
}

static int section_address(Dwfl_Module *mod NOT_USED, void **priv, const char *module NOT_USED,
			   Dwarf_Addr base NOT_USED, const char *name, GElf_Word index NOT_USED,
			   const GElf_Shdr *header NOT_USED, Dwarf_Addr *ret)
{
	const struct handles *h = *priv;
	uint64_t address;

	/* That of a section which the kernel did not load. */
	*ret = (Dwarf_Addr)-1;
	if (name && module_section_find(h->sections, name, &address))
		*ret = address;
	return 0;
}

/*
 * A module's object is relocatable, and so is its debug information: libdwfl relocates
 * it to where the kernel put the sections, so that addresses are those of the dump.
 */
static enum status open_module(struct dump *d, const struct debug_image *image, struct handles *h,
			       Dwarf **ret)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = give_elf,
		.find_debuginfo = find_no_debuginfo,
		.section_address = section_address,
	};
	uint64_t base = image->sections.sections[0].address;
	Dwfl_Module *mod;
	Dwarf_Addr bias;
	void **priv;
	GElf_Ehdr header;

	if (!gelf_getehdr(h->elf, &header) || header.e_type != ET_REL)
		return dump_corrupt(d, "it is no module");
	h->sections = &image->sections;
	h->dwfl = dwfl_begin(&callbacks);
	mod = dwfl_report_module(h->dwfl, "module", base, base + 1);
	if (!mod || dwfl_report_end(h->dwfl, NULL, NULL))
		return dump_corrupt(d, "%s", dwfl_errmsg(-1));
	dwfl_module_info(mod, &priv, NULL, NULL, NULL, NULL, NULL, NULL);
	*priv = h;
	*ret = dwfl_module_getdwarf(mod, &bias);
	return !*ret ? dump_absent(d, "it has no debug information") : ST_OK;
}

static Dwarf *renew_kernel(void *arg)
{
	struct handles *h = arg;

	dwarf_end(h->dwarf);
	h->dwarf = dwarf_begin_elf(h->elf, DWARF_C_READ, NULL);
	return h->dwarf;
}

enum status debug_image_of_module(struct dump *d, uint64_t module, struct debug_image *ret)
{
	struct debug_image image = { 0 };
	uint64_t notes;
	enum status st = module_sections_read(d, module, &image.sections);

	if (st != ST_OK)
		return st;
	if (!module_section_find(&image.sections, ".note.gnu.build-id", &notes))
		return dump_absent(d, "it was linked without a build-id");
	return RESULT(buildid_in_notes(d, notes, notes + NOTE_BYTES, &image.id), ret, image);
}

enum status debug_file_open(struct dump *d, const char *path, const struct debug_image *image,
			    const char *root, struct debug_file *ret)
{
	struct handles *h = dump_alloc(d, sizeof(*h));
	struct debug_file f = { 0 };
	Dwarf *dwarf = NULL;
	const char *cut;
	enum status st;

	h->fd = -1;
	arena_at_reset(d->arena, close_handles, h);
	st = open_elf(d, path, h) ?: check_id(d, h, &image->id);
	if (st == ST_OK && image->sections.n) {
		st = open_module(d, image, h, &dwarf);
	} else if (st == ST_OK) {
		st = open_kernel(d, image, h, &f.slide);
		dwarf = h->dwarf;
	}
	st = st ?: dwarf_lines_open(d, dwarf, root, &f.lines);
	cut = st == ST_ABSENT || st == ST_CORRUPT ? elf_cut(h->fd) : NULL;
	if (cut)
		return fail_cut(d, cut);
	if (st == ST_ABSENT)
		dump_fail(d, st, "it has no debug information");
	if (st != ST_OK)
		return st;
	if (h->dwarf) {
		f.lines.renew = renew_kernel;
		f.lines.arg = h;
	}
	*ret = f;
	return ST_OK;
}

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
	found->path = dump_strdup(d, path);
	if (len) {
		char *module = dump_strdup(d, name);

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
