/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call sites of 6.10 and later; NEXT_SEQ: as of 6.17. Their data is in sites.h. */
struct codetag {
	u32 flags, lineno;
	const char *modname, *function, *filename;
} __attribute__((aligned(8)));
union codetag_ref {
	struct codetag *ct;
};
struct alloc_tag_counters {
	u64 bytes, calls;
};
struct alloc_tag {
	struct codetag ct;
	struct alloc_tag_counters *counters;
} __attribute__((aligned(8)));

struct xarray {
	u32 lock, flags;
	void *xa_head;
};
struct xa_node {
	u8 shift, offset, count, nr_values;
	void *parent;
	void *slots[4];
};
struct idr {
	struct xarray idr_rt;
	u32 idr_base, idr_next;
};
struct codetag_type_desc {
	const char *section;
	u64 tag_size;
	void *callbacks[2];
};
struct codetag_type {
	struct list_head link;
	u32 count;
	struct idr mod_idr;
	u64 lock;
	struct codetag_type_desc desc;
#ifdef NEXT_SEQ
	u64 next_mod_seq;
#endif
};
struct codetag_range {
	struct codetag *start, *stop;
};
struct codetag_module {
	void *mod;
	struct codetag_range range;
#ifdef NEXT_SEQ
	u64 mod_seq;
#endif
};

/* What the references of objects.h lead to. */
static struct alloc_tag vmlinux_sites[4], module_sites[2];
#define TAKE DIRECT(&vmlinux_sites[0].ct)
#define TAKE_PAGES DIRECT(&vmlinux_sites[1].ct)
#define SLAB_PAGE DIRECT(&vmlinux_sites[2].ct)
#define TAKE_PERCPU DIRECT(&vmlinux_sites[3].ct)
#define TAKE_MODULE DIRECT(&module_sites[0].ct)
#define GONE DIRECT(&module_sites[1].ct) /* of a module that was unloaded */
#define EMPTY ((void *)1)		 /* CODETAG_EMPTY: charged to nobody, on purpose */
