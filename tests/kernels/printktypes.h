/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ring buffer of the log (5.10 and later). */
struct prb_data_blk_lpos {
	u64 begin, next;
};
struct prb_desc {
	u64 state_var;
	struct prb_data_blk_lpos text_blk_lpos;
};
struct printk_info {
	u64 seq, ts_nsec;
	u16 text_len;
	u8 facility, flags;
	u32 caller_id;
};
struct prb_desc_ring {
	u32 count_bits;
	struct prb_desc *descs;
	struct printk_info *infos;
	u64 head_id, tail_id;
};
struct prb_data_ring {
	u32 size_bits;
	char *data;
	u64 head_lpos, tail_lpos;
};
struct printk_ringbuffer {
	struct prb_desc_ring desc_ring;
	struct prb_data_ring text_data_ring;
	u64 fail;
};
