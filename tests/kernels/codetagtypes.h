/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types of call sites of 6.10 and later; NEXT_SEQ: as of 6.17. */
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
#ifdef NEXT_SEQ
	void *callbacks[6];
#else
	void *callbacks[2];
#endif
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
