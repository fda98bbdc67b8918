// SPDX-License-Identifier: GPL-2.0-or-later
#include "types/index_file.h"

#include <dirent.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_SECTIONS 65536	/* of an ELF file; numbers have 16 bits */
#define MOST_BYTES (1ULL << 30) /* of .gdb_index or an index that was kept */
#define MOST_ID 64		/* bytes of a build ID */
#define MOST_KEPT \
	(256ULL << 20)	 /* bytes of all files: some 40 kernels of distributions, 6 MB each */
#define MOST_FILES 4096	 /* that are looked at in the folder */
#define SHORTEST_NAME 16 /* hexadecimal digits: a build ID has 40, or 32 */

/* Of another version, or of another machine, is none. */
#define MAGIC "MOTYPE1"

struct head {
	char magic[8];
	uint32_t row_bytes, n, nslots, string_bytes;
	uint64_t made_of, sum; /* sum: of all that follows */
};

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ULL;
	return h ^ h >> 29;
}

static uint64_t sum_of(const void *bytes, size_t n, uint64_t h)
{
	const uint8_t *p = bytes;
	uint64_t v = 0;

	for (; n >= 8; n -= 8, p += 8) {
		memcpy(&v, p, 8);
		h = mix(h, v);
	}
	v = 0;
	memcpy(&v, p, n);
	return mix(h, v);
}

/* The same build may have its debug information in several forms, whose offsets differ. */
static uint64_t sizes_of_sections(Dwarf *dwarf, uint64_t h)
{
	Elf *elf = dwarf ? dwarf_getelf(dwarf) : NULL;
	Elf_Scn *section = NULL;
	size_t names;

	if (!elf || elf_getshdrstrndx(elf, &names))
		return h;
	for (size_t i = 0; i < MAX_SECTIONS && (section = elf_nextscn(elf, section)); i++) {
		GElf_Shdr header;
		const char *name;

		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (name && (!strncmp(name, ".debug_", 7) || !strncmp(name, ".zdebug_", 8)))
			h = mix(sum_of(name, strlen(name), h), header.sh_size);
	}
	return h;
}

/* Of names that are paths from the root alone: a cache in whatever folder this runs in is none. */
static bool put_folder(char *path, size_t size)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && *cache == '/')
		return (size_t)snprintf(path, size, "%s/crash-memowner/types/", cache) < size;
	return home && *home == '/' &&
	       (size_t)snprintf(path, size, "%s/.cache/crash-memowner/types/", home) < size;
}

bool index_file_name(const struct dwarf_graph *w, struct index_file *ret)
{
	const uint8_t *id;
	const void *bits;
	ssize_t n = dwelf_elf_gnu_build_id(dwarf_getelf(w->dwarf), &bits);
	size_t len;

	id = bits;
	if (n < 8 || n > MOST_ID || !put_folder(ret->path, sizeof(ret->path) - 2 * MOST_ID))
		return false;
	len = strlen(ret->path);
	for (ssize_t i = 0; i < n; i++)
		len += sprintf(ret->path + len, "%02x", id[i]);
	ret->made_of = sizes_of_sections(w->alt, sizes_of_sections(w->dwarf, 1));
	return true;
}

/* Rows, slots and strings, one behind the other. */
static bool take(struct name_index *x, uint8_t *map, size_t size, uint64_t made_of)
{
	struct name_index found = { .map = map, .map_bytes = size };
	struct head h;
	size_t rows, slots;

	memcpy(&h, map, sizeof(h));
	rows = (size_t)h.n * sizeof(struct name_row);
	slots = (size_t)h.nslots * sizeof(uint32_t);
	if (memcmp(h.magic, MAGIC, sizeof(h.magic)) || h.row_bytes != sizeof(struct name_row) ||
	    h.made_of != made_of || size != sizeof(h) + rows + slots + h.string_bytes ||
	    h.sum != sum_of(map + sizeof(h), size - sizeof(h), made_of))
		return false;
	found.n = h.n;
	found.nslots = h.nslots;
	found.string_bytes = h.string_bytes;
	found.rows = (struct name_row *)(map + sizeof(h));
	found.slots = (uint32_t *)(map + sizeof(h) + rows);
	found.strings = (char *)(map + sizeof(h) + rows + slots);
	if (!name_index_sound(&found))
		return false;
	free(x->rows);
	free(x->slots);
	free(x->strings);
	*x = found;
	return true;
}

/* Of someone else's file nothing is taken: a name that it leaves out would be one that the kernel lacks. */
bool index_file_read(const struct index_file *f, struct name_index *x)
{
	int fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	void *map;
	bool ok;

	if (fd < 0)
		return false;
	ok = !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	     st.st_size > (off_t)sizeof(struct head) && st.st_size <= (off_t)MOST_BYTES;
	map = ok ? mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	/* The time of last use: prune() removes what was not used for longest. */
	if (map != MAP_FAILED)
		futimens(fd, NULL);
	close(fd);
	if (map == MAP_FAILED)
		return false;
	ok = take(x, map, st.st_size, f->made_of);
	if (!ok)
		munmap(map, st.st_size);
	return ok;
}

static bool make_folders(const char *path)
{
	char copy[sizeof(((struct index_file *)0)->path)];

	strcpy(copy, path);
	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(copy, 0700) && errno != EEXIST)
			return false;
		*slash = '/';
	}
	return true;
}

static bool put(int fd, const void *bytes, size_t n)
{
	const char *p = bytes;

	while (n) {
		ssize_t done = write(fd, p, n);

		if (done <= 0)
			return false;
		p += done;
		n -= done;
	}
	return true;
}

static bool put_all(int fd, const struct index_file *f, const struct name_index *x)
{
	size_t rows = x->n * sizeof(*x->rows), slots = x->nslots * sizeof(*x->slots);
	struct head h = {
		.magic = MAGIC,
		.row_bytes = sizeof(*x->rows),
		.n = x->n,
		.nslots = x->nslots,
		.string_bytes = x->string_bytes,
		.made_of = f->made_of,
	};
	uint8_t *body = malloc(rows + slots + x->string_bytes);
	bool ok = body;

	if (ok) {
		memcpy(body, x->rows, rows);
		memcpy(body + rows, x->slots, slots);
		memcpy(body + rows + slots, x->strings, x->string_bytes);
		h.sum = sum_of(body, rows + slots + x->string_bytes, f->made_of);
		ok = put(fd, &h, sizeof(h)) && put(fd, body, rows + slots + x->string_bytes);
	}
	free(body);
	return ok;
}

/* A build id in hexadecimal: what else is in the folder is of others, and stays. */
static bool is_own(const char *name)
{
	const size_t len = strlen(name);

	return len >= SHORTEST_NAME && strspn(name, "0123456789abcdef") == len;
}

/* Bytes of its files in a folder; of the one that was not used for longest the name. */
static uint64_t folder_bytes(DIR *folder, char oldest[static NAME_MAX + 1])
{
	uint64_t bytes = 0;
	time_t since = 0;
	struct dirent *entry;

	*oldest = '\0';
	rewinddir(folder);
	for (size_t i = 0; i < MOST_FILES && (entry = readdir(folder)); i++) {
		struct stat st;

		if (!is_own(entry->d_name) ||
		    fstatat(dirfd(folder), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode))
			continue;
		bytes += st.st_size;
		if (!*oldest || st.st_mtime < since) {
			since = st.st_mtime;
			snprintf(oldest, NAME_MAX + 1, "%s", entry->d_name);
		}
	}
	return bytes;
}

/* The file that was just written stays, whatever its size. */
static void prune(const struct index_file *f)
{
	const char *name = strrchr(f->path, '/') + 1;
	char folder_name[sizeof(f->path)], oldest[NAME_MAX + 1];
	DIR *folder;

	snprintf(folder_name, sizeof(folder_name), "%.*s", (int)(name - f->path), f->path);
	folder = opendir(folder_name);
	if (!folder)
		return;
	for (size_t i = 0; i < MOST_FILES && folder_bytes(folder, oldest) > MOST_KEPT; i++) {
		if (!*oldest || !strcmp(oldest, name) || unlinkat(dirfd(folder), oldest, 0))
			break;
	}
	closedir(folder);
}

/* Under another name first: who reads it meanwhile finds the old one, or none. */
void index_file_write(const struct index_file *f, const struct name_index *x)
{
	char other[sizeof(f->path) + 16];
	bool ok;
	int fd;

	if (!make_folders(f->path))
		return;
	snprintf(other, sizeof(other), "%s.XXXXXX", f->path);
	fd = mkostemp(other, O_CLOEXEC);
	if (fd < 0)
		return;
	ok = put_all(fd, f, x);
	ok = !close(fd) && ok;
	if (!ok || rename(other, f->path))
		unlink(other);
	else
		prune(f);
}
