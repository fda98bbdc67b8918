// SPDX-License-Identifier: GPL-2.0-or-later
/* This test itself is the vmlinux: its build ID, and the banner that it has, against those of a dump. */
#include "symbols/namelist.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "stub.h"
#include "test.h"

/* It ends with its page; the next one is not in the dump. */
#define BANNER (0xffffffff81001000ULL - sizeof(banner))
#define SELF "/proc/self/exe"

/* Names of a compiler and of where it was made make long ones: clang's of Android have some 300 letters. */
#define COMPILER                                                                                               \
	"(somebody@a-machine-with-a-name-of-some-length) (Somebody's build of a compiler, with words "         \
	"about each pass that was switched on or off, version 18.0.0 (https://a.machine.invalid/that/has/the/" \
	"sources/of/the/compiler 0123456789abcdef0123456789abcdef01234567), and a linker of the same)"
extern const char linux_banner[400];
const char linux_banner[400] = "Linux version 6.12.0 (this test) " COMPILER "\n";

static char build_id[2 * BUILDID_BYTES + 1], banner[400], release[64];

static enum status vmcoreinfo_text(void *priv NOT_USED, const char *key, char *buf, size_t size)
{
	const char *text = !strcmp(key, "BUILD-ID")    ? build_id
			   : !strcmp(key, "OSRELEASE") ? release
						       : "";

	if (!*text)
		return ST_ABSENT;
	snprintf(buf, size, "%s", text);
	return ST_OK;
}

static void read_own_id(void)
{
	int fd = open(SELF, O_RDONLY);
	Elf *elf;
	const void *bits;
	ssize_t n;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	n = dwelf_elf_gnu_build_id(elf, &bits);
	CHECK(n >= 8 && n <= BUILDID_BYTES);
	for (ssize_t i = 0; i < n; i++)
		snprintf(build_id + 2 * i, 3, "%02x", ((const uint8_t *)bits)[i]);
	elf_end(elf);
	close(fd);
}

static const struct stub_symbol symbols[] = { { .name = "linux_banner", .addr = BANNER }, { 0 } };
static const struct stub_memory memory[] = { { BANNER, banner, sizeof(banner) }, { 0 } };

/* of what the dump has: namelist_compare() */
static enum status compared(bool *is_proven, char *error)
{
	STUB(s, .memory = memory, .symbols = symbols);
	enum status st;

	s.ops.vmcoreinfo_text = vmcoreinfo_text;
	st = namelist_compare(&s.dump, SELF, is_proven);
	strcpy(error, s.dump.error);
	return st;
}

static void build_ids(void)
{
	char error[DUMP_ERROR], *last;
	bool is_proven = false;

	strcpy(banner, "Linux version 5.10.0 (another)\n");
	read_own_id();
	CHECK(compared(&is_proven, error) == ST_OK && is_proven);
	/* Capital digits are the same bytes. */
	for (char *c = build_id; *c; c++)
		*c -= *c >= 'a' ? 'a' - 'A' : 0;
	CHECK(compared(&is_proven, error) == ST_OK && is_proven);
	last = &build_id[strlen(build_id) - 1];
	*last = *last == '0' ? '1' : '0';
	CHECK(compared(&is_proven, error) == ST_UNKNOWN && !is_proven);
	CHECK(strstr(error, "another build") && strstr(error, "build ID"));
}

/* What is no build ID leaves it to the banner. */
static void banners(void)
{
	static const char *const none[] = { "", "12345", "123456", "0123456789abcdef0",
					    "0123456789abcdefg" };
	char error[DUMP_ERROR];
	bool is_proven;

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		strcpy(build_id, none[i]);
		strcpy(banner, linux_banner);
		CHECK(compared(&is_proven, error) == ST_OK && !is_proven);
		strcpy(banner, "Linux version 6.12.0 (another)\n");
		CHECK(compared(&is_proven, error) == ST_UNKNOWN && !is_proven);
		CHECK(strstr(error, "which says \"Linux version 6.12.0 (another)\""));
		/* No line, and nothing of a kernel: it says nothing, and that is told. */
		memset(banner, 'x', sizeof(banner));
		CHECK(compared(&is_proven, error) == ST_ABSENT && !is_proven);
		CHECK_TEXT(error, "the dump has no build ID, and linux_banner cannot be compared");
		strcpy(banner, "Minix version 6.12.0\n");
		CHECK(compared(&is_proven, error) == ST_ABSENT);
	}
}

/* Where the banner of the dump is missing, too, VMCOREINFO has the release. */
static void releases(void)
{
	char error[DUMP_ERROR];
	bool is_proven;

	*build_id = '\0';
	strcpy(banner, "x\n");
	strcpy(release, "6.12.0");
	CHECK(compared(&is_proven, error) == ST_ABSENT);
	strcpy(release, "6.12.01");
	CHECK(compared(&is_proven, error) == ST_UNKNOWN);
	CHECK(strstr(error, "another build") &&
	      strstr(error, "the release of the dump is 6.12.01"));
	strcpy(release, "6.12");
	CHECK(compared(&is_proven, error) == ST_UNKNOWN);
	/* What the dump says itself goes before. */
	strcpy(banner, linux_banner);
	CHECK(compared(&is_proven, error) == ST_OK);
	*release = '\0';
}

static void no_elf_files(void)
{
	STUB(s);
	bool is_proven;

	CHECK(namelist_compare(&s.dump, "/nowhere", &is_proven) == ST_UNREADABLE);
	CHECK(namelist_compare(&s.dump, "/proc/self/status", &is_proven) == ST_UNREADABLE);
}

TESTS({ "build IDs of vmlinux and of the dump", build_ids },
      { "banners, where a build ID is missing", banners },
      { "releases, where the banner is missing", releases },
      { "files that are no ELF", no_elf_files })
