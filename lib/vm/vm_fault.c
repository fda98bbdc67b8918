// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/vm_fault.h"

#define KERNEL_HALF (1ULL << 63)

struct on_stack {
	uint64_t vma, pgoff, address, real_address, flags;
	bool has_real_address;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct vm_faults, fault, "struct vm_fault"),
	READS(struct on_stack, vma, REQUIRED, "4.10", "vma"),
	READS(struct on_stack, pgoff, REQUIRED, "all", "pgoff"),
	READS(struct on_stack, address, REQUIRED, "4.10", "address"),
	READS_IF(struct on_stack, real_address, has_real_address, OPTIONAL, "5.18", "real_address"),
	READS(struct on_stack, flags, REQUIRED, "all", "flags"),
};

enum status vm_faults_open(struct dump *d, const struct vmas *vmas, struct vm_faults *ret)
{
	struct vm_faults v = { .dump = d, .vmas = vmas };
	enum status st = STRUCTS_OPEN(d, rows, &v);

	return RESULT(st, ret, v);
}

/* Whether bytes are one, by all that must agree. */
static bool agrees(const struct vm_faults *v, uint64_t mm, const uint8_t *bytes,
		   struct vm_fault *ret)
{
	const struct dump *d = v->dump;
	uint64_t low = dump_page_size(d) - 1;
	struct on_stack s;
	struct vm_fault f = { 0 };
	struct vma found;

	if (struct_decode(&v->fault, 0, bytes, &s) != ST_OK || !(s.vma & KERNEL_HALF) ||
	    s.vma & 7 || s.address & low || s.address & KERNEL_HALF)
		return false;
	f.flags = s.flags;
	f.address = s.has_real_address ? s.real_address : s.address;
	f.is_page = !s.has_real_address;
	if ((f.address & ~low) != s.address)
		return false;
	if (vma_read(v->vmas, s.vma, &f.vma) != ST_OK || s.address < f.vma.start ||
	    s.address >= f.vma.end || (f.vma.mm != mm && !(f.flags & VM_FAULT_REMOTE)) ||
	    s.pgoff != f.vma.pgoff + ((s.address - f.vma.start) >> d->page_shift))
		return false;
	/* A VMA that is no longer in the tree was freed, and may be another's. */
	if (vma_find(v->vmas, f.vma.mm, s.address, &found) != ST_OK || found.address != s.vma)
		return false;
	*ret = f;
	return true;
}

enum status vm_fault_find(const struct vm_faults *v, uint64_t mm, const uint8_t *bytes, size_t n,
			  struct vm_fault *ret)
{
	struct vm_fault found, f;
	bool is_found = false;

	for (size_t at = 0; at + v->fault.end <= n; at += 8) {
		if (!agrees(v, mm, bytes + at, &f))
			continue;
		if (is_found && (f.address != found.address || f.vma.address != found.vma.address))
			return dump_absent(v->dump, "a frame has two structs vm_fault");
		is_found = true;
		found = f;
	}
	if (!is_found)
		return dump_absent(v->dump, "no struct vm_fault agrees with a VMA of the task");
	*ret = found;
	return ST_OK;
}
