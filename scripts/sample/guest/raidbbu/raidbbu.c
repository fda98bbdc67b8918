// SPDX-License-Identifier: GPL-2.0-or-later
/* A disk in memory, whose controller stops to complete writes when the parameter "park" says so. */
#include <linux/version.h>
#include <linux/module.h>
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/vmalloc.h>

#define BYTES (16u << 20)

static bool park;
module_param(park, bool, 0644);

#define DISKS 2
static struct bbu {
	struct blk_mq_tag_set set;
	struct gendisk *disk;
	char *store;
} bbus[DISKS];
static int major;

static blk_status_t queue_rq(struct blk_mq_hw_ctx *hctx, const struct blk_mq_queue_data *bd)
{
	struct request *rq = bd->rq;
	char *store = ((struct bbu *)hctx->queue->tag_set->driver_data)->store;
	loff_t at = blk_rq_pos(rq) << 9;
	struct req_iterator iter;
	struct bio_vec v;

	blk_mq_start_request(rq);
	if (park && (op_is_write(req_op(rq)) || req_op(rq) == REQ_OP_FLUSH))
		return BLK_STS_OK;
	if (req_op(rq) == REQ_OP_READ || req_op(rq) == REQ_OP_WRITE)
		rq_for_each_segment(v, rq, iter)
		{
			char *p = page_address(v.bv_page) + v.bv_offset;

			if (req_op(rq) == REQ_OP_WRITE)
				memcpy(store + at, p, v.bv_len);
			else
				memcpy(p, store + at, v.bv_len);
			at += v.bv_len;
		}
	blk_mq_end_request(rq, BLK_STS_OK);
	return BLK_STS_OK;
}

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 0, 0)
static enum blk_eh_timer_return timed_out(struct request *rq)
#else
static enum blk_eh_timer_return timed_out(struct request *rq, bool reserved)
#endif
{
	return BLK_EH_RESET_TIMER;
}

static const struct blk_mq_ops ops = { .queue_rq = queue_rq, .timeout = timed_out };
static const struct block_device_operations fops = { .owner = THIS_MODULE };

static int add(struct bbu *b, int i)
{
	int err;

	b->store = vzalloc(BYTES);
	if (!b->store)
		return -ENOMEM;
	b->set.ops = &ops;
	b->set.nr_hw_queues = i ? 1 : 2;
	b->set.queue_depth = 32;
	b->set.numa_node = NUMA_NO_NODE;
	b->set.driver_data = b;
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 14, 0)
	b->set.flags = BLK_MQ_F_SHOULD_MERGE;
#endif
	err = blk_mq_alloc_tag_set(&b->set);
	if (err)
		return err;
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
	b->disk = blk_mq_alloc_disk(&b->set, NULL, NULL);
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(5, 14, 0)
	b->disk = blk_mq_alloc_disk(&b->set, NULL);
#else
	b->disk = alloc_disk(1);
	b->disk->queue = blk_mq_init_queue(&b->set);
#endif
	if (IS_ERR(b->disk))
		return PTR_ERR(b->disk);
	b->disk->major = major;
	b->disk->first_minor = i;
	b->disk->minors = 1;
	b->disk->fops = &fops;
	sprintf(b->disk->disk_name, "bbud%d", i);
	set_capacity(b->disk, BYTES >> 9);
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 15, 0)
	return add_disk(b->disk);
#else
	add_disk(b->disk);
	return 0;
#endif
}

static int __init start(void)
{
	int i, err = 0;

	major = register_blkdev(0, "bbud");
	for (i = 0; i < DISKS && !err; i++)
		err = add(&bbus[i], i);
	return err;
}
module_init(start);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("disk that stops to complete writes");
