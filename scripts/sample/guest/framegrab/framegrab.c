// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A driver of a camera that keeps its buffers: in vmalloc, in a slab cache of its own, or as
 * single pages, one of eight, so that no larger block is free; and the blocks that are. With
 * "frames" it frees the pages of its frames and keeps the buffers that describe them. A buffer of
 * DMA-BUF that it attaches to it keeps as well: there PAGES is the file descriptor of the writer.
 * With "pin" a kernel thread uses the writer's memory for good, with "hold" the driver has a
 * reference to its mm_struct.
 *
 * /sys/kernel/debug/framegrab/do     write "WAY PAGES", pages that it leaves free
 * /sys/kernel/debug/framegrab/clock  local_clock() in ns, the clock of page_owner
 *
 * All memory is zeroed, so that a dump of it stays small.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/dma-buf.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/sched/clock.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/version.h>
#include <linux/vmalloc.h>

#define FRAME_BYTES (64 * PAGE_SIZE)
#define BUF_BYTES 640
#define FRAME_ORDER 4

/* A parameter, so that the compiler has one call of a loop. */
static int bufs_per_page = 3;
module_param(bufs_per_page, int, 0444);

static struct kmem_cache *buf_cache;
static struct dentry *dir;
static LIST_HEAD(kept);

static noinline int framegrab_queue_frame(void)
{
	return vzalloc(FRAME_BYTES) ? 0 : -ENOMEM;
}

static noinline void *framegrab_get_buf(gfp_t gfp)
{
	return kmem_cache_alloc(buf_cache, gfp);
}

static int framegrab_keep_buf(void)
{
	return framegrab_get_buf(GFP_KERNEL) ? 0 : -ENOMEM;
}

/* Watermarks are no limit: a block that stays free would be a large one. */
static noinline struct page *framegrab_get_page(void)
{
	return alloc_page(GFP_NOWAIT | __GFP_MEMALLOC | __GFP_NOWARN | __GFP_ZERO);
}

/* Of eight neighbours one stays. */
static noinline int framegrab_scatter(void)
{
	struct page *page, *next;
	unsigned long n = 0;

	while ((page = framegrab_get_page())) {
		list_add(&page->lru, &kept);
		n++;
	}
	list_for_each_entry_safe(page, next, &kept, lru) {
		if (page_to_pfn(page) % 8 == 0)
			continue;
		list_del(&page->lru);
		__free_page(page);
		n--;
	}
	pr_info("framegrab: %lu pages are kept\n", n);
	return 0;
}

static void framegrab_release_frames(void)
{
	struct page *page, *next;

	list_for_each_entry_safe(page, next, &kept, lru) {
		list_del(&page->lru);
		__free_page(page);
	}
}

/*
 * No program reads the frames until no page is left.  Then their pages are freed and their
 * buffers are not: slabs of these lie between the free pages.
 */
static noinline int framegrab_drop_frames(void)
{
	unsigned long n = 0;
	struct page *page;
	int i;

	while ((page = framegrab_get_page())) {
		list_add(&page->lru, &kept);
		for (i = 0; i < bufs_per_page; i++)
			framegrab_get_buf(GFP_NOWAIT | __GFP_NOWARN);
		if (++n % 16 == 0)
			msleep(10);
	}
	framegrab_release_frames();
	pr_info("framegrab: %lu frames are dropped\n", n);
	return 0;
}

/* Frames of one block each, as many as there are, compaction tried. */
static noinline int framegrab_take_block(gfp_t gfp)
{
	return alloc_pages(gfp | __GFP_COMP | __GFP_ZERO, FRAME_ORDER) ? 0 : -ENOMEM;
}

static int framegrab_quiet_block(void)
{
	return framegrab_take_block(GFP_KERNEL | __GFP_NOWARN);
}

static int framegrab_loud_block(void)
{
	return framegrab_take_block(GFP_KERNEL);
}

#ifdef CONFIG_DMA_SHARED_BUFFER
static noinline int framegrab_attach(int fd)
{
	struct platform_device *pdev = platform_device_register_simple("framegrab", -1, NULL, 0);
	struct dma_buf_attachment *attachment;
	struct dma_buf *buf;

	if (IS_ERR(pdev))
		return PTR_ERR(pdev);
	buf = dma_buf_get(fd);
	if (IS_ERR(buf))
		return PTR_ERR(buf);
	attachment = dma_buf_attach(buf, &pdev->dev);
	return PTR_ERR_OR_ZERO(attachment);
}
#else
static int framegrab_attach(int fd)
{
	return -EOPNOTSUPP;
}
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 8, 0)
#include <linux/mmu_context.h>
#define kthread_use_mm use_mm
#endif

static int framegrab_read_user(void *mm)
{
	kthread_use_mm(mm);
	for (;;)
		schedule_timeout_idle(HZ * 1000);
	return 0;
}

static noinline int framegrab_pin_user(void)
{
	struct task_struct *task;

	mmget(current->mm);
	task = kthread_run(framegrab_read_user, current->mm, "framegrab_read");
	return PTR_ERR_OR_ZERO(task);
}

static noinline int framegrab_hold_user(void)
{
	mmgrab(current->mm);
	return 0;
}

static int until(int (*leak)(void), unsigned long pages)
{
	int err = 0;

	while (!err && global_zone_page_state(NR_FREE_PAGES) > pages) {
		err = leak();
		cond_resched();
	}
	return err;
}

static noinline int framegrab_do(const char *way, unsigned long pages)
{
	if (!strcmp(way, "vmalloc"))
		return until(framegrab_queue_frame, pages);
	if (!strcmp(way, "slab"))
		return until(framegrab_keep_buf, pages);
	if (!strcmp(way, "scatter"))
		return framegrab_scatter();
	if (!strcmp(way, "frames"))
		return framegrab_drop_frames();
	if (!strcmp(way, "blocks"))
		return until(framegrab_quiet_block, pages);
	if (!strcmp(way, "report"))
		return until(framegrab_loud_block, pages);
	if (!strcmp(way, "attach"))
		return framegrab_attach(pages);
	if (!strcmp(way, "pin"))
		return framegrab_pin_user();
	if (!strcmp(way, "hold"))
		return framegrab_hold_user();
	return -EINVAL;
}

static ssize_t do_write(struct file *file, const char __user *ubuf, size_t len, loff_t *pos)
{
	char buf[64], way[32];
	unsigned long pages;
	int err;

	if (len >= sizeof(buf))
		return -EINVAL;
	if (copy_from_user(buf, ubuf, len))
		return -EFAULT;
	buf[len] = '\0';
	if (sscanf(buf, "%31s %lu", way, &pages) != 2)
		return -EINVAL;
	err = framegrab_do(way, pages);
	return err ? err : len;
}

static const struct file_operations do_fops = {
	.owner = THIS_MODULE,
	.write = do_write,
};

static int clock_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%llu\n", local_clock());
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(clock);

/* A cache with a constructor is not merged with another of its size. */
static void init_buf(void *buf)
{
	memset(buf, 0, BUF_BYTES);
}

static int __init framegrab_init(void)
{
	buf_cache = kmem_cache_create("framegrab_buf", BUF_BYTES, 0, 0, init_buf);
	if (!buf_cache)
		return -ENOMEM;
	dir = debugfs_create_dir("framegrab", NULL);
	debugfs_create_file("do", 0200, dir, NULL, &do_fops);
	debugfs_create_file("clock", 0400, dir, NULL, &clock_fops);
	return 0;
}

module_init(framegrab_init);
MODULE_DESCRIPTION("keeps memory in one of several ways");
MODULE_LICENSE("GPL");
MODULE_INFO(import_ns, "DMA_BUF"); /* MODULE_IMPORT_NS() takes a string from 6.13 on */
