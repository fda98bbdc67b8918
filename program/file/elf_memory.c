// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/elf_memory.h"

#include <elf.h>
#include <stdlib.h>

#include "file/notes.h"
#include "file/window.h"

/* The field of 16 bits is full: the number is in sh_info of section 0. */
#define MANY_SEGMENTS 0xffff
#define MOST_SEGMENTS (1 << 20) /* of PT_LOAD; a core of a large machine has some thousands */
/* Of notes: every known writer makes one. */
#define MOST_NOTES 16

/* e_flags of makedumpfile -E where there was no room for all of it. */
#define NO_ROOM 0x1

#define WINDOW_ROOM (256 * 1024)

struct segment {
	uint64_t start, end; /* physical */
	uint64_t at;	     /* in the file */
};

struct elf_memory {
	const struct input *input;
	struct window window;
	uint64_t room;		  /* bytes of the file that no segment has yet */
	struct segment *segments; /* by start; they do not overlap */
	size_t n;
};

static const struct {
	uint16_t number;
	const char *name;
} machines[] = {
	{ EM_X86_64, "x86_64" }, { EM_AARCH64, "aarch64" },	  { EM_PPC64, "ppc64le" },
	{ EM_RISCV, "riscv64" }, { EM_LOONGARCH, "loongarch64" },
};

static const char *machine_name(uint16_t number)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		if (machines[i].number == number)
			return machines[i].name;
	return NULL;
}

static enum status read_headers(struct dump *d, const struct input *in, const Elf64_Ehdr *e,
				Elf64_Phdr **ret, size_t *ret_n)
{
	uint64_t n = e->e_phnum;
	Elf64_Phdr *all = NULL;
	Elf64_Shdr first;

	if (n == MANY_SEGMENTS && e->e_shentsize == sizeof(first) &&
	    input_read(in, e->e_shoff, &first, sizeof(first)) && first.sh_info)
		n = first.sh_info;
	if (!n || n > MOST_SEGMENTS || e->e_phentsize != sizeof(*all))
		return dump_fail(d, ST_CORRUPT, "%s: %lu ELF segments of %u bytes cannot be",
				 in->path, n, e->e_phentsize);
	if (e->e_phoff > in->size || n * sizeof(*all) > in->size - e->e_phoff)
		return dump_fail(d, ST_CORRUPT, "%s: its ELF segments lie behind its end",
				 in->path);
	all = dump_alloc(d, n * sizeof(*all));
	if (!input_read(in, e->e_phoff, all, n * sizeof(*all)))
		return dump_fail(d, ST_CORRUPT, "%s: its ELF segments cannot be read", in->path);
	*ret = all;
	*ret_n = n;
	return ST_OK;
}

ORDER_BY(by_start, struct segment, COMPARE(x->start, y->start))

/* What the file has of a segment; p_filesz below p_memsz: the rest was left out. */
static void add(struct elf_memory *e, const Elf64_Phdr *p, struct vmcore_facts *facts)
{
	uint64_t bytes = p->p_filesz < p->p_memsz ? p->p_filesz : p->p_memsz;
	uint64_t room = p->p_offset < e->input->size ? e->input->size - p->p_offset : 0;

	/* All together have no more bytes than the file: no loop over them is longer. */
	room = room < e->room ? room : e->room;
	if (bytes > room) {
		facts->incomplete = input_cut(e->input);
		bytes = room;
	}
	e->room -= bytes;
	if (bytes && p->p_paddr < VMCORE_MOST_PHYS && bytes <= VMCORE_MOST_PHYS - p->p_paddr)
		e->segments[e->n++] = (struct segment){ p->p_paddr, p->p_paddr + bytes,
							p->p_offset };
}

/*
 * Whether p_vaddr repeats p_paddr, as QEMU writes both where it does not walk page tables: that needs one segment above 0
 * that does, and none with an address of a kernel.
 */
static bool repeats_addresses(const Elf64_Phdr *all, size_t n)
{
	bool ret = false;

	for (size_t i = 0; i < n; i++) {
		if (all[i].p_type != PT_LOAD)
			continue;
		if (all[i].p_vaddr >= VMCORE_MOST_PHYS)
			return false;
		ret |= all[i].p_paddr && all[i].p_paddr == all[i].p_vaddr;
	}
	return ret;
}

/*
 * /proc/vmcore of x86 has the image of the kernel twice, in memory and by itself: one is enough. Of two that have only a
 * part in common one has a wrong address.
 */
static void cut_overlaps(struct elf_memory *e, struct vmcore_facts *facts)
{
	uint64_t end = 0;
	size_t kept = 0;

	qsort(e->segments, e->n, sizeof(*e->segments), by_start);
	for (size_t i = 0; i < e->n; i++) {
		struct segment s = e->segments[i];

		if (s.end <= end)
			continue;
		if (s.start < end) {
			facts->incomplete =
				facts->incomplete
					?: "ELF segments overlap: the address of one is wrong";
			s.at += end - s.start;
			s.start = end;
		}
		end = s.end;
		e->segments[kept++] = s;
	}
	e->n = kept;
}

/* A process has no physical addresses. */
static bool is_process(const struct elf_memory *e, const Elf64_Phdr *all, size_t n)
{
	size_t loads = 0;

	for (size_t i = 0; i < n; i++) {
		if (all[i].p_type != PT_LOAD)
			continue;
		if (all[i].p_paddr)
			return false;
		loads++;
	}
	return loads > 1 && e->n;
}

static enum status read_segments(struct dump *d, struct elf_memory *e, const Elf64_Ehdr *h,
				 struct vmcore_facts *facts)
{
	Elf64_Phdr *all = NULL;
	size_t n = 0, notes = 0;
	enum status st = read_headers(d, e->input, h, &all, &n);
	bool repeats;

	if (st != ST_OK)
		return st;
	e->segments = dump_alloc(d, n * sizeof(*e->segments));
	repeats = repeats_addresses(all, n);
	for (size_t i = 0; i < n; i++) {
		if (all[i].p_type == PT_LOAD && repeats && all[i].p_vaddr != all[i].p_paddr)
			facts->incomplete =
				facts->incomplete
					?: "the two addresses of an ELF segment differ, those of others do not: it is left out";
		else if (all[i].p_type == PT_LOAD)
			add(e, &all[i], facts);
		if (all[i].p_type != PT_NOTE || notes++ >= MOST_NOTES)
			continue;
		if (!facts->vmcoreinfo)
			notes_vmcoreinfo(d, e->input, all[i].p_offset, all[i].p_filesz,
					 &facts->vmcoreinfo, &facts->vmcoreinfo_bytes);
		notes_cpus(d, e->input, all[i].p_offset, all[i].p_filesz, &facts->cpu_notes);
	}
	if (!facts->vmcoreinfo && is_process(e, all, n))
		return dump_fail(d, ST_UNKNOWN, "%s: the core of a process, no dump of a kernel",
				 e->input->path);
	cut_overlaps(e, facts);
	return ST_OK;
}

static enum status check_kind(struct dump *d, const struct input *in, const Elf64_Ehdr *h)
{
	if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB)
		return dump_fail(d, ST_UNKNOWN,
				 "%s: ELF of 32 bits or big-endian: only crash reads such dumps",
				 in->path);
	if (h->e_type != ET_CORE)
		return dump_fail(
			d, ST_UNKNOWN,
			"%s: an ELF file that is no dump: the vmcore is missing, a vmlinux "
			"is given by --vmlinux",
			in->path);
	if (!h->e_phnum && h->e_shnum)
		return dump_fail(
			d, ST_UNKNOWN,
			"%s: an ELF core without segments, as xl dump-core writes: only crash "
			"reads it",
			in->path);
	return ST_OK;
}

enum status elf_memory_open(struct dump *d, const struct input *in, struct vmcore_facts *facts,
			    struct elf_memory **ret)
{
	struct elf_memory *e = dump_alloc(d, sizeof(*e));
	enum status st;
	Elf64_Ehdr h;

	if (!input_read_table(in, 0, &h, sizeof(h)))
		return dump_fail(d, ST_CORRUPT, "%s: it ends within its header", in->path);
	e->input = in;
	e->room = in->file.size;
	st = check_kind(d, in, &h) ?: read_segments(d, e, &h, facts);
	if (st == ST_OK)
		window_open(d, in, WINDOW_ROOM, &e->window);
	if (st != ST_OK)
		return st;
	facts->format = in->flat ? "flattened ELF" : "ELF";
	facts->machine = machine_name(h.e_machine);
	if (h.e_flags & NO_ROOM)
		facts->incomplete = "makedumpfile had no room for all pages";
	*ret = e;
	return ST_OK;
}

/* The first segment that ends above an address; NULL: none does. */
static const struct segment *find(const struct elf_memory *e, uint64_t phys)
{
	size_t low = COUNT_FRONT(i, e->n, e->segments[i].end <= phys);

	return low < e->n ? &e->segments[low] : NULL;
}

enum status elf_memory_read(struct elf_memory *e, uint64_t phys, void *buf, size_t len)
{
	while (len) {
		const struct segment *s = find(e, phys);
		const uint8_t *from;
		size_t part;

		if (!s || s->start > phys)
			return ST_UNREADABLE;
		part = len < s->end - phys ? len : s->end - phys;
		/* What is as long gains nothing by reading ahead. */
		if (part >= ELF_DIRECT_BYTES) {
			if (!input_read(e->input, s->at + (phys - s->start), buf, part))
				return ST_UNREADABLE;
		} else {
			from = window_at(&e->window, s->at + (phys - s->start), part);
			if (!from)
				return ST_UNREADABLE;
			memcpy(buf, from, part);
		}
		phys += part;
		buf = (char *)buf + part;
		len -= part;
	}
	return ST_OK;
}

bool elf_memory_next(const struct elf_memory *e, uint64_t *phys, uint64_t *end)
{
	const struct segment *s = find(e, *phys);

	if (!s)
		return false;
	if (s->start > *phys)
		*phys = s->start;
	*end = s->end;
	/* Segments that touch are one run. */
	while (++s < e->segments + e->n && s->start == *end)
		*end = s->end;
	return true;
}
