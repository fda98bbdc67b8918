// SPDX-License-Identifier: GPL-2.0-or-later
/* Files that are no dump: each is told by one line. */
#include "dump_file.h"
#include "file/vmcore.h"
#include "test.h"

static struct dump_file file;

static void check_refused(const char *words)
{
	struct arena arena = { 0 };
	char path[64];
	const char *list[] = { path };
	struct vmcore *v;
	struct dump d;
	int fd;

	dump_init(&d, NULL, NULL, &arena);
	fd = dump_file_open(&file, path, sizeof(path));
	CHECK(vmcore_open(&d, list, 1, &v) != ST_OK);
	CHECK(strstr(d.error, words) && !strchr(d.error, '\n'));
	arena_reset(&arena);
	close(fd);
}

static void other_formats(void)
{
	static const struct {
		const char *bytes;
		size_t at, n;
		const char *message;
	} kinds[] = {
		{ "", 0, 0, "an empty file" },
		{ "\0\0\0\0\0\0\0\0", 0, 8, "begins with zeros" },
		{ "Oops: general protection fault\n", 0, 31, "a text" },
		{ "\x1f\x8b\x08", 0, 3, "gzip -d" },
		{ "\xfd"
		  "7zXZ\0",
		  0, 6, "xz -d" },
		{ "\x28\xb5\x2f\xfd", 0, 4, "zstd -d" },
		{ "sadump\0\0", 0, 8, "makedumpfile converts it" },
		{ "\xed\x23\x8f\x61\x73\x01\x19\xa8", 0, 8, "LKCD" },
		{ "PAGEDU64", 0, 8, "Windows" },
		{ "\xd2\xbe\xd2\xbe", 0, 4, "vmss2core" },
		{ "LibvirtQemudPart", 0, 16, "virsh save" },
		{ "KDMV", 0, 4, "VMDK" },
		{ "vhdxfile", 0, 8, "VHDX" },
		{ "<<< Oracle VM VirtualBox Disk Image >>>\n", 0, 40, "VDI" },
		{ "\x14\x20\x28\x01", 0, 4, "Hyper-V" },
		{ "HdrS", 0x202, 4, "vmlinuz" },
		{ "\1\2\3\4", 0, 4, "no format" },
		{ "\177ELF\1\1\1", 0, 7, "32 bits" },
		{ "\177ELF", 0, 4, "ends within its header" },
		{ "makedumpfile\0\0\0\0", 0, 16, "without a record" },
		{ "KDUMP   ", 0, 8, "ends within its header" },
		{ "KDUMP", 0, 5, "a dump that ends within its header" },
		{ "K", 0, 1, "a dump that ends within its header" },
		{ "\177E", 0, 2, "a dump that ends within its header" },
		{ "makedumpfile", 0, 12, "a dump that ends within its header" },
		{ "KDE", 0, 3, "a text" },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		memset(&file, 0, sizeof(file));
		memcpy(file.bytes + kinds[i].at, kinds[i].bytes, kinds[i].n);
		file.n = kinds[i].at + kinds[i].n;
		/* A header of 32 bits is shorter. */
		if (strstr(kinds[i].message, "32 bits"))
			file.n = 64;
		check_refused(kinds[i].message);
	}
}

static void a_vmlinux_and_a_core_of_a_process(void)
{
	elf_file(&file, 64);
	memcpy(file.bytes + offsetof(Elf64_Ehdr, e_type), "\2\0", 2);
	check_refused("--vmlinux");
	elf_file(&file, 64);
	memset(file.bytes + 64 + 10 * sizeof(Elf64_Phdr), 0, 200);
	for (unsigned int i = 1; i < 10; i++)
		put64(&file, 64 + i * sizeof(Elf64_Phdr) + offsetof(Elf64_Phdr, p_paddr), 0);
	check_refused("process");
}

static void what_is_no_file(void)
{
	static const char *const paths[] = { "/", "/nowhere", "/dev/null" };
	struct arena arena = { 0 };
	struct vmcore *v;
	struct dump d;

	for (unsigned int i = 0; i < 3; i++) {
		dump_init(&d, NULL, NULL, &arena);
		CHECK(vmcore_open(&d, &paths[i], 1, &v) == ST_USAGE && strstr(d.error, paths[i]));
		arena_reset(&arena);
	}
}

TESTS({ "other formats, each by one line", other_formats },
      { "a vmlinux, the core of a process", a_vmlinux_and_a_core_of_a_process },
      { "what is no file", what_is_no_file })
