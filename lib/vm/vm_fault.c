// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/vm_fault.h"

#define KERNEL_HALF (1ULL << 63)
#define MAX_SPAN 512 /* struct vm_fault has about 100 bytes */

static const struct layout_row rows[VM_FAULT_FIELDS] = {
	[VMF_VMA] = { "struct vm_fault", { "vma" }, REQUIRED, "4.10" },
	[VMF_PGOFF] = { "struct vm_fault", { "pgoff" }, REQUIRED, "all" },
	[VMF_ADDRESS] = { "struct vm_fault", { "address" }, REQUIRED, "4.10" },
	[VMF_REAL_ADDRESS] = { "struct vm_fault", { "real_address" }, OPTIONAL, "5.18" },
	[VMF_FLAGS] = { "struct vm_fault", { "flags" }, REQUIRED, "all" },
};

enum status vm_faults_open(struct dump *d, const struct vmas *vmas, struct vm_faults *ret)
{
	struct vm_faults v = { .dump = d, .vmas = vmas };
	enum status st = layout_resolve(d, rows, VM_FAULT_FIELDS, v.f);

	v.span = layout_span(v.f, VM_FAULT_FIELDS);
	if (st == ST_OK && v.span > MAX_SPAN)
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct vm_fault");
	if (st == ST_OK)
		*ret = v;
	return st;
}

/* Whether bytes are one, by all that must agree. */
static bool agrees(const struct vm_faults *v, uint64_t mm, const uint8_t *bytes,
		   struct vm_fault *ret)
{
	const struct dump *d = v->dump;
	uint64_t addr = field_get(&v->f[VMF_VMA], bytes), low = dump_page_size(d) - 1;
	uint64_t page = field_get(&v->f[VMF_ADDRESS], bytes);
	struct vm_fault f = { .flags = field_get(&v->f[VMF_FLAGS], bytes), .address = page };
	struct vma found;

	if (!(addr & KERNEL_HALF) || addr & 7 || page & low || page & KERNEL_HALF)
		return false;
	if (v->f[VMF_REAL_ADDRESS].present) {
		f.address = field_get(&v->f[VMF_REAL_ADDRESS], bytes);
		if ((f.address & ~low) != page)
			return false;
	} else {
		f.is_page = true;
	}
	if (vma_read(v->vmas, addr, &f.vma) != ST_OK || page < f.vma.start || page >= f.vma.end)
		return false;
	if (f.vma.mm != mm && !(f.flags & VM_FAULT_REMOTE))
		return false;
	if (field_get(&v->f[VMF_PGOFF], bytes) !=
	    f.vma.pgoff + ((page - f.vma.start) >> d->page_shift))
		return false;
	/* A VMA that is no longer in the tree was freed, and may be another's. */
	if (vma_find(v->vmas, f.vma.mm, page, &found) != ST_OK || found.address != addr)
		return false;
	*ret = f;
	return true;
}

enum status vm_fault_find(const struct vm_faults *v, uint64_t mm, const uint8_t *bytes, size_t n,
			  struct vm_fault *ret)
{
	struct vm_fault found, f;
	bool is_found = false;

	for (size_t at = 0; at + v->span <= n; at += 8) {
		if (!agrees(v, mm, bytes + at, &f))
			continue;
		if (is_found && (f.address != found.address || f.vma.address != found.vma.address))
			return dump_fail(v->dump, ST_ABSENT, "a frame has two structs vm_fault");
		is_found = true;
		found = f;
	}
	if (!is_found)
		return dump_fail(v->dump, ST_ABSENT,
				 "no struct vm_fault agrees with a VMA of the task");
	*ret = found;
	return ST_OK;
}
