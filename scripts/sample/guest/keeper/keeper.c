// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A driver that keeps pages in the ways in which drivers do, each way below a variable of its own.
 *
 * /sys/kernel/debug/keeper/keep	write "WAY PAGES": it keeps that many more
 * /sys/kernel/debug/keeper/ledger	a line for each page: WAY ROOT PFN
 * /sys/kernel/debug/keeper/pin		it pins the memory that is written, and never releases it
 * /sys/kernel/debug/keeper/pins	how many regions it pinned, and their pages
 *
 * ROOT is the variable below which the page is kept, or the thread whose stack has its address. The ledger
 * is found through the same variables: nothing else names a page.
 */
#include <linux/debugfs.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rbtree.h>
#include <linux/scatterlist.h>
#include <linux/seq_file.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/radix-tree.h>
#include <linux/xarray.h>
#ifndef DEFINE_XARRAY
#define OLD_TREE
#endif

#define TABLE_PAGES 4096
#define RING_PAGES 512
#define CPU_PAGES 32
#define STACK_PAGES 64

/* Pages in a list through struct page. */
static LIST_HEAD(rx_pages);

/* Addresses of struct page in an array of vmalloc, and in one of kmalloc. */
static struct page **big_table;
static unsigned int big_pages;
static struct page **small_table;
static unsigned int small_pages;

/* Lists of scattered pages. */
struct transfer {
	struct list_head node;
	struct scatterlist sg[32];
	unsigned int n;
};
static LIST_HEAD(transfers);

#ifdef CONFIG_NET
/* Packets that no socket fetches. */
static struct sk_buff_head backlog;
#endif

#ifdef OLD_TREE
static RADIX_TREE(by_index, GFP_KERNEL);
#else
static DEFINE_XARRAY(by_index);
#endif
static unsigned long next_index;

/* A ring of descriptors: it has the bus addresses, and nothing else has any. */
struct descriptor {
	__le64 address;
	__le32 length;
	__le32 flags;
};
struct ring {
	struct descriptor *descriptors;
	unsigned int head;
};
static struct ring *tx_ring;

/* A structure for each buffer, with the address of its memory: in a list and in a tree. */
struct buffer {
	union {
		struct list_head node;
		struct rb_node rb;
	};
	unsigned long key;
	void *data;
};
static LIST_HEAD(buffers);
static struct rb_root buffer_tree = RB_ROOT;

struct cpu_cache {
	unsigned int n;
	void *pages[CPU_PAGES];
};
static DEFINE_PER_CPU(struct cpu_cache, cpu_caches);

/* What a sleeping thread has on its stack alone. */
static struct task_struct *worker;
static unsigned int worker_pages;
static struct page *const *worker_stack;

/* Memory of processes: a region is what one write has. */
struct region {
	struct list_head node;
	struct page **pages;
	unsigned int n;
};
static LIST_HEAD(regions);

static DEFINE_MUTEX(lock);
static struct dentry *dir;

static struct page *new_page(void)
{
	return alloc_page(GFP_KERNEL | __GFP_ZERO);
}

static noinline int keep_lru(struct page *page)
{
	list_add_tail(&page->lru, &rx_pages);
	return 0;
}

static noinline int keep_vmalloc(struct page *page)
{
	if (big_pages == TABLE_PAGES)
		return -ENOSPC;
	big_table[big_pages++] = page;
	return 0;
}

static noinline int keep_kmalloc(struct page *page)
{
	if (small_pages == RING_PAGES)
		return -ENOSPC;
	small_table[small_pages++] = page;
	return 0;
}

static noinline int keep_sg(struct page *page)
{
	struct transfer *t = list_empty(&transfers) ? NULL :
			     list_last_entry(&transfers, struct transfer, node);

	if (!t || t->n == ARRAY_SIZE(t->sg)) {
		t = kzalloc(sizeof(*t), GFP_KERNEL);
		if (!t)
			return -ENOMEM;
		sg_init_table(t->sg, ARRAY_SIZE(t->sg));
		list_add_tail(&t->node, &transfers);
	}
	sg_set_page(&t->sg[t->n++], page, PAGE_SIZE, 0);
	return 0;
}

#ifdef CONFIG_NET
static noinline int keep_skb(struct page *page)
{
	struct sk_buff *skb = skb_peek_tail(&backlog);
	unsigned int n = skb ? skb_shinfo(skb)->nr_frags : 0;

	if (!skb || n == 8) {
		skb = alloc_skb(128, GFP_KERNEL);
		if (!skb)
			return -ENOMEM;
		skb_queue_tail(&backlog, skb);
		n = 0;
	}
	skb_add_rx_frag(skb, n, page, 0, PAGE_SIZE, PAGE_SIZE);
	return 0;
}
#endif

static noinline int keep_xarray(struct page *page)
{
#ifdef OLD_TREE
	return radix_tree_insert(&by_index, next_index++, page);
#else
	return xa_err(xa_store(&by_index, next_index++, page, GFP_KERNEL));
#endif
}

static noinline int keep_ring(struct page *page)
{
	if (tx_ring->head == RING_PAGES)
		return -ENOSPC;
	tx_ring->descriptors[tx_ring->head++] = (struct descriptor){
		.address = cpu_to_le64(page_to_phys(page)),
		.length = cpu_to_le32(PAGE_SIZE),
		.flags = cpu_to_le32(1),
	};
	return 0;
}

static struct buffer *new_buffer(struct page *page)
{
	struct buffer *b = kzalloc(sizeof(*b), GFP_KERNEL);

	if (b)
		b->data = page_address(page);
	return b;
}

static noinline int keep_list(struct page *page)
{
	struct buffer *b = new_buffer(page);

	if (!b)
		return -ENOMEM;
	list_add_tail(&b->node, &buffers);
	return 0;
}

static noinline int keep_tree(struct page *page)
{
	struct rb_node **link = &buffer_tree.rb_node, *parent = NULL;
	struct buffer *b = new_buffer(page);

	if (!b)
		return -ENOMEM;
	/* In no order of addresses. */
	b->key = page_to_pfn(page) * 0x9e3779b97f4a7c15UL;
	while (*link) {
		parent = *link;
		link = b->key < rb_entry(parent, struct buffer, rb)->key ? &parent->rb_left :
									  &parent->rb_right;
	}
	rb_link_node(&b->rb, parent, link);
	rb_insert_color(&b->rb, &buffer_tree);
	return 0;
}

static noinline int keep_percpu(struct page *page)
{
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		struct cpu_cache *c = per_cpu_ptr(&cpu_caches, cpu);

		if (c->n == CPU_PAGES)
			continue;
		c->pages[c->n++] = page_address(page);
		return 0;
	}
	return -ENOSPC;
}

static int work(void *unused)
{
	struct page *pages[STACK_PAGES];
	unsigned int i;

	for (i = 0; i < worker_pages; i++)
		pages[i] = new_page();
	WRITE_ONCE(worker_stack, pages);
	while (!kthread_should_stop()) {
		set_current_state(TASK_INTERRUPTIBLE);
		barrier_data(pages);
		schedule();
	}
	return 0;
}

static noinline int keep_stack(unsigned long pages)
{
	if (worker || pages > STACK_PAGES)
		return -ENOSPC;
	worker_pages = pages;
	worker = kthread_run(work, NULL, "keeper_stack");
	if (IS_ERR(worker))
		return PTR_ERR(worker);
	while (!READ_ONCE(worker_stack))
		schedule_timeout_uninterruptible(1);
	return 0;
}

static const struct {
	const char *name;
	int (*keep)(struct page *page);
} ways[] = {
	{ "lru", keep_lru },
	{ "vmalloc", keep_vmalloc },
	{ "kmalloc", keep_kmalloc },
	{ "sg", keep_sg },
#ifdef CONFIG_NET
	{ "skb", keep_skb },
#endif
	{ "xarray", keep_xarray },
	{ "ring", keep_ring },
	{ "list", keep_list },
	{ "tree", keep_tree },
	{ "percpu", keep_percpu },
};

static int keep(const char *name, unsigned long pages)
{
	int i, err = 0;

	if (!strcmp(name, "stack"))
		return keep_stack(pages);
	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		if (strcmp(name, ways[i].name))
			continue;
		while (pages-- && !err) {
			struct page *page = new_page();

			err = page ? ways[i].keep(page) : -ENOMEM;
			if (err && page)
				__free_page(page);
			cond_resched();
		}
		return err;
	}
	return -EINVAL;
}

static ssize_t keep_write(struct file *file, const char __user *ubuf, size_t len, loff_t *pos)
{
	char buf[64], name[32];
	unsigned long pages;
	int err;

	if (len >= sizeof(buf))
		return -EINVAL;
	if (copy_from_user(buf, ubuf, len))
		return -EFAULT;
	buf[len] = '\0';
	if (sscanf(buf, "%31s %lu", name, &pages) != 2)
		return -EINVAL;
	mutex_lock(&lock);
	err = keep(name, pages);
	mutex_unlock(&lock);
	return err ? err : len;
}

static const struct file_operations keep_fops = {
	.owner = THIS_MODULE,
	.write = keep_write,
};

static ssize_t pin_write(struct file *file, const char __user *ubuf, size_t len, loff_t *pos)
{
	unsigned long start = (unsigned long)ubuf & PAGE_MASK;
	int n = len >> PAGE_SHIFT, done = 0, got = 0;
	struct region *r = kzalloc(sizeof(*r), GFP_KERNEL);

	if (!r)
		return -ENOMEM;
	r->pages = kvcalloc(n, sizeof(*r->pages), GFP_KERNEL);
	for (; r->pages && done < n; done += got) {
		got = pin_user_pages_fast(start + ((unsigned long)done << PAGE_SHIFT), n - done,
					  FOLL_WRITE, r->pages + done);
		if (got <= 0)
			break;
	}
	r->n = done;
	mutex_lock(&lock);
	list_add_tail(&r->node, &regions);
	mutex_unlock(&lock);
	return done == n ? len : -EFAULT;
}

static const struct file_operations pin_fops = {
	.owner = THIS_MODULE,
	.write = pin_write,
};

static int pins_show(struct seq_file *m, void *v)
{
	unsigned int n = 0, pages = 0;
	struct region *r;

	mutex_lock(&lock);
	list_for_each_entry(r, &regions, node) {
		n++;
		pages += r->n;
	}
	mutex_unlock(&lock);
	seq_printf(m, "%u %u\n", n, pages);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(pins);

static void tell(struct seq_file *m, const char *way, const char *root, unsigned long pfn)
{
	seq_printf(m, "%s %s 0x%lx\n", way, root, pfn);
}

static void tell_tables(struct seq_file *m)
{
	unsigned int i, cpu;

	for (i = 0; i < big_pages; i++)
		tell(m, "vmalloc", "big_table", page_to_pfn(big_table[i]));
	for (i = 0; i < small_pages; i++)
		tell(m, "kmalloc", "small_table", page_to_pfn(small_table[i]));
	for (i = 0; i < tx_ring->head; i++)
		tell(m, "ring", "tx_ring",
		     PHYS_PFN(le64_to_cpu(tx_ring->descriptors[i].address)));
	for_each_possible_cpu(cpu) {
		struct cpu_cache *c = per_cpu_ptr(&cpu_caches, cpu);

		for (i = 0; i < c->n; i++)
			tell(m, "percpu", "cpu_caches", page_to_pfn(virt_to_page(c->pages[i])));
	}
	for (i = 0; worker_stack && i < worker_pages; i++)
		tell(m, "stack", "keeper_stack", page_to_pfn(worker_stack[i]));
}

static void tell_lists(struct seq_file *m)
{
	struct transfer *t;
	struct rb_node *rb;
	struct buffer *b;
	struct page *page;
	unsigned long index;
	unsigned int i;

	list_for_each_entry(page, &rx_pages, lru)
		tell(m, "lru", "rx_pages", page_to_pfn(page));
	list_for_each_entry(t, &transfers, node)
		for (i = 0; i < t->n; i++)
			tell(m, "sg", "transfers", page_to_pfn(sg_page(&t->sg[i])));
	list_for_each_entry(b, &buffers, node)
		tell(m, "list", "buffers", page_to_pfn(virt_to_page(b->data)));
	for (rb = rb_first(&buffer_tree); rb; rb = rb_next(rb)) {
		b = rb_entry(rb, struct buffer, rb);
		tell(m, "tree", "buffer_tree", page_to_pfn(virt_to_page(b->data)));
	}
#ifdef OLD_TREE
	for (index = 0; index < next_index; index++)
		if ((page = radix_tree_lookup(&by_index, index)))
#else
	xa_for_each(&by_index, index, page)
#endif
		tell(m, "xarray", "by_index", page_to_pfn(page));
}

static void tell_packets(struct seq_file *m)
{
#ifdef CONFIG_NET
	struct sk_buff *skb;
	unsigned int i;

	skb_queue_walk(&backlog, skb)
		for (i = 0; i < skb_shinfo(skb)->nr_frags; i++)
			tell(m, "skb", "backlog",
			     page_to_pfn(skb_frag_page(&skb_shinfo(skb)->frags[i])));
#endif
}

static int ledger_show(struct seq_file *m, void *v)
{
	mutex_lock(&lock);
	tell_lists(m);
	tell_tables(m);
	tell_packets(m);
	mutex_unlock(&lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(ledger);

static int __init keeper_init(void)
{
#ifdef CONFIG_NET
	skb_queue_head_init(&backlog);
#endif
	big_table = vzalloc(TABLE_PAGES * sizeof(*big_table));
	small_table = kcalloc(RING_PAGES, sizeof(*small_table), GFP_KERNEL);
	tx_ring = kzalloc(sizeof(*tx_ring), GFP_KERNEL);
	if (!big_table || !small_table || !tx_ring)
		return -ENOMEM;
	tx_ring->descriptors = kcalloc(RING_PAGES, sizeof(*tx_ring->descriptors), GFP_KERNEL);
	if (!tx_ring->descriptors)
		return -ENOMEM;
	dir = debugfs_create_dir("keeper", NULL);
	debugfs_create_file("keep", 0200, dir, NULL, &keep_fops);
	debugfs_create_file("ledger", 0400, dir, NULL, &ledger_fops);
	debugfs_create_file("pin", 0200, dir, NULL, &pin_fops);
	debugfs_create_file("pins", 0400, dir, NULL, &pins_fops);
	return 0;
}

/* It stays: what it keeps cannot be kept without it. */
module_init(keeper_init);
MODULE_DESCRIPTION("keeps pages in the ways in which drivers do");
MODULE_LICENSE("GPL");
