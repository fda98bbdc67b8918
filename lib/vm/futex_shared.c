// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/futex_shared.h"

static const struct layout_row rows[] = {
	FINDS(struct shared_futexes, inode, "struct file", REQUIRED, "all", "f_inode"),
	FINDS(struct shared_futexes, sequence, "struct inode", OPTIONAL, "5.6", "i_sequence"),
	FINDS(struct shared_futexes, mapping, "struct inode", REQUIRED, "all", "i_mapping"),
	FINDS(struct shared_futexes, tree, "struct address_space", REQUIRED, "4.14",
	      "i_mmap.rb_root.rb_node"),
	FINDS(struct shared_futexes, node, "struct vm_area_struct", REQUIRED, "3.7", "shared.rb"),
	FINDS(struct shared_futexes, mm, "struct vm_area_struct", REQUIRED, "all", "vm_mm"),
};

enum status shared_futexes_open(struct dump *d, struct shared_futexes *ret)
{
	*ret = (struct shared_futexes){ .dump = d };
	return STRUCTS_OPEN(d, rows, ret) ?: rb_types_open(d, &ret->rb) ?: vmas_open(d, &ret->vmas);
}

/* Whether a mapping is of the inode and the page of a key, at an address of it. */
static bool is_of_key(const struct shared_futexes *x, const struct vma *vma, uint64_t address,
		      const struct futex_key *key, uint64_t *inode)
{
	const uint64_t page = vma->pgoff + (address - vma->start) / dump_page_size(x->dump);
	uint64_t sequence;

	if (!vma->file || page != key->page ||
	    dump_u64(x->dump, vma->file + x->inode.offset, inode, "file") != ST_OK || !*inode)
		return false;
	if (!x->sequence.present)
		return *inode == key->object;
	return dump_u64(x->dump, *inode + x->sequence.offset, &sequence, "inode") == ST_OK &&
	       sequence == key->object;
}

enum status shared_futex_find(struct shared_futexes *x, uint64_t mm, const struct futex_key *key,
			      const struct task_stack *s, struct shared_futex *ret)
{
	const uint64_t page = dump_page_size(x->dump);
	struct shared_futex found = { 0 };
	uint64_t last = 0;
	struct vma vma;

	/* It is nearest to the end of the stack, in the registers of user mode. */
	for (uint64_t at = s->base + s->size - 8; at >= s->sp && at >= s->base; at -= 8) {
		if (!task_stack_word(s, at, &found.address) ||
		    found.address % page != key->offset || found.address == last ||
		    !found.address || found.address >> 63)
			continue;
		last = found.address;
		if (vma_find(&x->vmas, mm, found.address, &vma) != ST_OK ||
		    !is_of_key(x, &vma, found.address, key, &found.inode))
			continue;
		if (vma_name(&x->vmas, &vma, &found.name) != ST_OK)
			found.name = NULL;
		*ret = found;
		return ST_OK;
	}
	return dump_absent(x->dump, "no mapping of the process has the futex");
}

enum status shared_futex_is_mapped(const struct shared_futexes *x, uint64_t inode, uint64_t mm,
				   bool *ret)
{
	struct rb_nodes n;
	uint64_t mapping, root, node, of;
	enum status st = dump_u64(x->dump, inode + x->mapping.offset, &mapping, "inode")
				 ?: dump_u64(x->dump, mapping + x->tree.offset, &root,
					     "address_space");

	*ret = false;
	if (st != ST_OK)
		return st;
	for (rb_begin(&n, x->dump, &x->rb, root, "i_mmap"); rb_next(&n, &node);)
		if (dump_u64(x->dump, node - x->node.offset + x->mm.offset, &of,
			     "vm_area_struct") == ST_OK &&
		    of == mm) {
			*ret = true;
			return ST_OK;
		}
	return rb_end(&n);
}
