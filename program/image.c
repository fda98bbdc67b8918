// SPDX-License-Identifier: GPL-2.0-or-later
#include "image.h"

#define X86_START_KERNEL_MAP 0xffffffff80000000ULL
/* KERNEL_IMAGE_SIZE with KASLR: modules begin behind it. */
#define X86_IMAGE_BYTES (1ULL << 30)

/* No image is larger: what lies further than this behind _text is something else. */
#define MOST_BYTES (1ULL << 30)

static enum status find_x86(struct dump *d, const struct vmcoreinfo *info, struct image *ret)
{
	int64_t phys_base;

	if (vmcoreinfo_number(info, "NUMBER(phys_base)", &phys_base) != ST_OK)
		return dump_fail(d, ST_CORRUPT, "VMCOREINFO has no phys_base");
	*ret = (struct image){ X86_START_KERNEL_MAP, X86_IMAGE_BYTES,
			       phys_base - X86_START_KERNEL_MAP };
	return ST_OK;
}

static enum status find_arm64(struct dump *d, const struct vmcoreinfo *info, struct image *ret)
{
	uint64_t voffset, text;

	if (vmcoreinfo_hex(info, "NUMBER(kimage_voffset)", &voffset) != ST_OK ||
	    vmcoreinfo_symbol(info, "_stext", &text) != ST_OK)
		return dump_fail(d, ST_CORRUPT, "VMCOREINFO has no kimage_voffset, or no _stext");
	/* _text is up to 64 KiB before _stext, most often as much. */
	*ret = (struct image){ (text - 1) & ~0xffffULL, MOST_BYTES, -voffset };
	return ST_OK;
}

const char *image_arch(const struct vmcoreinfo *info)
{
	uint64_t voffset;
	int64_t base;

	if (vmcoreinfo_number(info, "NUMBER(phys_base)", &base) == ST_OK)
		return "x86_64";
	return vmcoreinfo_hex(info, "NUMBER(kimage_voffset)", &voffset) == ST_OK ? "aarch64" : NULL;
}

enum status image_find(struct dump *d, const struct vmcoreinfo *info, const char *arch,
		       struct image *ret)
{
	if (arch && !strcmp(arch, "x86_64"))
		return find_x86(d, info, ret);
	if (arch && !strcmp(arch, "aarch64"))
		return find_arm64(d, info, ret);
	return dump_fail(d, ST_UNKNOWN, "dumps of %s are not read: x86_64 and aarch64 are",
			 arch ? arch : "an unknown machine");
}

#define NAME_BYTES 65 /* of each member of struct new_utsname: sysname, nodename, release */

/* Whether one of the symbols of the image that VMCOREINFO always has is in memory of the dump. */
static bool leads_to_memory(const struct vmcoreinfo *info, const struct image *image,
			    struct vmcore *file)
{
	static const char *const names[] = { "_stext", "swapper_pg_dir", "init_uts_ns",
					     "node_online_map", "mem_section" };
	bool any = false;
	uint64_t addr, phys;
	char byte;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (vmcoreinfo_symbol(info, names[i], &addr) != ST_OK ||
		    !image_phys(image, addr, &phys))
			continue;
		any = true;
		if (vmcore_read(file, phys, &byte, 1) == ST_OK)
			return true;
	}
	return !any;
}

#define PART 4096 /* the least that a page has */

/* Zeros as far as that around them: what wrote the dump could not read it. */
static bool is_lost(struct vmcore *file, uint64_t phys)
{
	static const char zeros[PART];
	char part[PART];

	return vmcore_read(file, phys & ~(PART - 1ULL), part, PART) == ST_OK &&
	       !memcmp(part, zeros, PART);
}

#define X86_LAST 511			  /* entry of the top table that maps the image */
#define X86_PRESENT 1ULL		  /* of an entry */
#define X86_ADDRESS 0x000ffffffffff000ULL /* the same */

/* Another witness, of x86_64: the top page table leads to one of the image, level3_kernel_pgt or level4_kernel_pgt. */
static bool has_tables(const struct vmcoreinfo *info, const struct image *image,
		       struct vmcore *file)
{
	uint64_t top, phys, entry;

	return image->start == X86_START_KERNEL_MAP &&
	       vmcoreinfo_symbol(info, "swapper_pg_dir", &top) == ST_OK &&
	       image_phys(image, top + X86_LAST * sizeof(entry), &phys) &&
	       vmcore_read(file, phys, &entry, sizeof(entry)) == ST_OK && entry & X86_PRESENT &&
	       (entry & X86_ADDRESS) - (image->start + image->offset) < image->bytes;
}

enum status image_check(struct dump *d, const struct vmcoreinfo *info, const struct image *image,
			struct vmcore *file)
{
	char release[NAME_BYTES], found[NAME_BYTES];
	uint64_t uts, phys;
	int64_t offset;

	/* No dump that is whole is without it: makedumpfile leaves no page of the kernel's out. */
	if (!vmcore_facts(file)->incomplete && !leads_to_memory(info, image, file))
		return dump_fail(
			d, ST_CORRUPT,
			"VMCOREINFO is damaged: of the symbols that it has of the image none "
			"leads to memory of this dump");
	if (vmcoreinfo_symbol(info, "init_uts_ns", &uts) != ST_OK ||
	    vmcoreinfo_number(info, "OFFSET(uts_namespace.name)", &offset) != ST_OK ||
	    vmcoreinfo_text(info, "OSRELEASE", release, sizeof(release)) != ST_OK ||
	    !image_phys(image, uts + offset + 2 * NAME_BYTES, &phys) ||
	    vmcore_read(file, phys, found, sizeof(found)) != ST_OK || !strcmp(found, release) ||
	    (is_lost(file, phys) && has_tables(info, image, file)))
		return ST_OK;
	return dump_fail(
		d, ST_CORRUPT,
		"VMCOREINFO is damaged: init_uts_ns, at physical %#lx by it, has not the release %s",
		phys, release);
}
