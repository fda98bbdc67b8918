// SPDX-License-Identifier: GPL-2.0-or-later
/* Texts that users give: saved scans, filters. What fuzzers of texts share. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "pageowner/scan_read.h"
#include "pageowner/view.h"

#define BYTES 4096

void fuzz_array(const char *text, size_t size)
{
	size_t len = strnlen(text, size);

	if (len == size)
		__builtin_trap();
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
			__builtin_trap();
}

void fuzz_line(const char *const *lines, size_t n, const uint8_t *bytes, char *ret, size_t size)
{
	const char *first = lines[bytes[0] % n], *second = lines[bytes[1] % n];
	int cut = (int)strlen(first), skip = (int)strlen(second);

	if (bytes[2] & 1)
		cut = bytes[3] % (cut + 1);
	if (bytes[2] & 2)
		skip = bytes[4] % (skip + 1);
	snprintf(ret, size, "%.*s%s", cut, first, second + skip);
	if (bytes[2] & 4 && *ret)
		ret[bytes[5] % strlen(ret)] = (char)bytes[6];
}

/* A file of a known beginning and the fuzzer's bytes. */
static int file_of(struct dump *d, const char *head, char *path, size_t size)
{
	char bytes[BYTES];
	int fd = memfd_create("fuzz", 0);

	if (fd < 0 || dump_read(d, 0xffff888000000000, bytes, sizeof(bytes), "fuzz") != ST_OK ||
	    write(fd, head, strlen(head)) < 0 || write(fd, bytes, sizeof(bytes)) < 0) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	snprintf(path, size, "/proc/self/fd/%d", fd);
	return fd;
}

void fuzz_saved(struct dump *d, struct sink *out, uint32_t seed)
{
	static const char *const heads[] = {
		"crash-memowner scan 1\n",
		"crash-memowner scan 1\nstack\t0x1\t0\ta+0x1\tb+0x2 [m]\npages\t0x1\t0\t0x1\t1\tc\t",
		"crash-memowner scan 1\nstack\t0x1\t0\t",
		"",
	};
	struct cmdline in = { .ngroups = 2, .groups = { KEY_CALLER, KEY_COMM } };
	struct owner_view v = { .dump = d, .in = &in, .out = out };
	struct owner_groups groups;
	char path[64];
	int fd = file_of(d, heads[seed % 4], path, sizeof(path));

	if (fd < 0)
		return;
	owner_view_init(&v);
	if (owner_saved_open(&v, path) == ST_OK) {
		owner_groups_init(&v, &groups);
		owner_groups_scan(&groups);
	}
	close(fd);
}

void fuzz_filter(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	struct opts o = { .nfilters = 1 };
	struct filters f;
	const struct filter *one;
	char text[128] = "size=";
	static const char *const names[] = { "size=",  "age=",	"stack=",      "pfn=",	  "phys=",
					     "owner=", "RAM%=", "span_start=", "GROWTH=", "" };
	size_t at = snprintf(text, sizeof(text), "%s", names[seed % 10]);
	const struct key_set set = { owner_keys, OWNER_KEYS, owner_top_view.columns,
				     owner_top_view.ncolumns, true };

	if (dump_read(d, 0xffff888000000000, text + at, sizeof(text) - at - 1, "fuzz") != ST_OK)
		return;
	text[sizeof(text) - 1] = '\0';
	/* Expressions that take for ever are the user's own. */
	if (strchr(text, '/') || strchr(text, '*'))
		return;
	o.filters[0].text = text;
	if (filters_parse(d, &o, &set, &f) != ST_OK)
		return;
	one = f.n ? f.filters : f.rows;
	filter_keeps_number(one, seed);
	filter_keeps_text(one, "text");
	for (unsigned int n = 0; filter_unmet(one, n, seed & 1, text, sizeof(text)); n++)
		filter_lacks(one, text);
}
