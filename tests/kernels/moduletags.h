/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The area of tags of modules, and the tree of what is where in it (6.13 and later). */
struct maple_range_64 {
	void *parent;
	u64 pivot[3];
	void *slot[4];
};
struct maple_arange_64 {
	void *parent;
	u64 pivot[2];
	void *slot[3];
	u64 gap[3];
};
struct maple_tree {
	u64 ma_lock;
	u32 ma_flags;
	void *ma_root;
};
struct alloc_tag_module_section {
	union {
		u64 start_addr;
		struct alloc_tag *first_tag;
	};
	u64 end_addr, size;
};
