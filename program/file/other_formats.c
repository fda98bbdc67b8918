// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/other_formats.h"

/* As much of a file as is looked at. */
#define FIRST_BYTES 1024

#define UNPACK(program) "compressed by " program ": unpack it first, `" program " -d`"
#define GUEST "let virsh dump --memory-only, or dump-guest-memory of QEMU's monitor, write a dump"
#define DISK(format) "a disk of a guest (" format "), no dump of its memory"
#define CRASH_ONLY "only crash reads it"

/* The first that fits; a more special one stands before. */
static const struct format {
	unsigned int at, bytes;
	const char *magic;
	const char *text;
} formats[] = {
	{ 0, 8, "DISKDUMP", "a dump of diskdump, of kernels before 2.6.13: " CRASH_ONLY },
	{ 0, 8, "sadump\0\0", "a dump of SADUMP: makedumpfile converts it" },
	{ 0, 8, "\xed\x23\x8f\x61\x73\x01\x19\xa8", "a dump of LKCD: " CRASH_ONLY },
	{ 0, 4, "\xd0\xbe\xd2\xbe",
	  "a suspended guest of VMware: vmss2core -N makes an ELF core of it" },
	{ 0, 4, "\xd1\xba\xd1\xba",
	  "a suspended guest of VMware: vmss2core -N makes an ELF core of it" },
	{ 0, 4, "\xd2\xbe\xd2\xbe",
	  "a suspended guest of VMware: vmss2core -N makes an ELF core of it" },
	{ 0, 4, "\xd3\xbe\xd3\xbe",
	  "a suspended guest of VMware: vmss2core -N makes an ELF core of it" },
	{ 0, 8, "PAGEDU64", "a crash dump of Windows, or of dump-guest-memory -w: " GUEST },
	{ 0, 8, "PAGEDUMP", "a crash dump of Windows of 32 bits" },
	{ 0, 16, "LibvirtQemudSave", "a guest that virsh save wrote: restore it, then " GUEST },
	{ 0, 16, "LibvirtQemudPart",
	  "a guest that virsh save is writing, or did not finish to write" },
	{ 0, 4, "QEVM", "a saved state of QEMU: restore it, then " GUEST },
	{ 0, 4, "QFI\xfb", "a disk of a guest (qcow2), no dump of its memory: " GUEST },
	{ 0, 4, "KDMV", DISK("VMDK") },
	{ 0, 8, "vhdxfile", DISK("VHDX") },
	{ 0, 22, "<<< Oracle VM VirtualB", DISK("VDI") },
	{ 0, 4, "\x14\x20\x28\x01",
	  "a saved guest of Hyper-V: let kdump, in the guest, write a dump" },
	{ 0, 4, "EMiL", "a raw dump of LiME: " CRASH_ONLY },
	{ 0, 4, "AVML", "a dump of AVML: avml-convert makes one of LiME of it, which crash reads" },
	{ 0, 2, "\x1f\x8b", UNPACK("gzip") "; a log is read as it is by memowner --log FILE" },
	{ 0, 6,
	  "\xfd"
	  "7zXZ\0",
	  UNPACK("xz") },
	{ 0, 4, "\x28\xb5\x2f\xfd", UNPACK("zstd") },
	{ 0, 3, "BZh", UNPACK("bzip2") },
	{ 0, 4, "\x04\x22\x4d\x18", UNPACK("lz4") },
	{ 0, 8, "\x89LZO\0\r\n\x1a", UNPACK("lzop") },
	{ 0, 4, "PK\3\4", "a zip archive: unpack it first" },
	{ 0, 6, "7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it first" },
	{ 257, 5, "ustar", "a tar archive: unpack it first" },
	{ 0, 7, "!<arch>", "an archive of objects or a Debian package, no dump" },
	{ 0, 4, "\xed\xab\xee\xdb", "an rpm package, no dump" },
	{ 0x202, 4, "HdrS", "a kernel (vmlinuz), no dump" },
	{ 56, 4, "ARM\x64", "a kernel (Image), no dump" },
};

static bool is_text(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] < ' ' && !strchr("\t\n\r\f\033", p[i]))
			return false;
	return n && !memchr(p, 0, n);
}

/* All that there is of a file that was cut off. */
static bool begins_dump(const uint8_t *first, size_t n)
{
	static const char *const magics[] = { "KDUMP   ", "\177ELF", "makedumpfile\0\0\0" };
	static const size_t bytes[] = { 8, 4, 16 };

	for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++)
		if (n < bytes[i] && !memcmp(first, magics[i], n))
			return true;
	return false;
}

static const char *describe(const uint8_t *first, size_t n)
{
	if (!n)
		return "an empty file";
	if (begins_dump(first, n))
		return "a dump that ends within its header";
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		const struct format *f = &formats[i];

		if (f->at + f->bytes <= n && !memcmp(first + f->at, f->magic, f->bytes))
			return f->text;
	}
	if (is_text(first, n))
		return "a text, no dump: give the vmcore; a log is read by memowner --log FILE";
	for (size_t i = 0; i < n; i++)
		if (first[i])
			return "no format of a dump that is known";
	return "it begins with zeros: no dump, or one that could not be written";
}

enum status other_format(struct dump *d, const struct input *in)
{
	uint8_t first[FIRST_BYTES] = { 0 };
	size_t n = in->size < sizeof(first) ? in->size : sizeof(first);

	if (!input_read_table(in, 0, first, n))
		return dump_fail(d, ST_USAGE, "%s: cannot be read", in->path);
	return dump_fail(d, ST_UNKNOWN, "%s: %s", in->path, describe(first, n));
}
