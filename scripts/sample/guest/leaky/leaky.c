// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A driver that leaks on purpose and keeps a ledger of it.
 *
 * Each way of allocating is one function whose name shows up in stacks and in
 * /proc/allocinfo.  All memory is zeroed, so that a dump of it stays small.
 *
 * /sys/kernel/debug/leaky/do      write "WAY COUNT", "until_free PAGES" or "free.WAY COUNT"
 * /sys/kernel/debug/leaky/ledger  what is still held: a line per allocation
 * /sys/kernel/debug/leaky/clock   local_clock() in ns, the clock of page_owner
 */
#include <linux/debugfs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

/* Before 6.5, caches of a size merge. */
#ifndef SLAB_NO_MERGE
#define SLAB_NO_MERGE 0
#endif

enum kind { PAGES, OBJECT, LARGE, VMALLOC, PERCPU };

static const char *const kind_names[] = {
	[PAGES] = "pages",     [OBJECT] = "object", [LARGE] = "large",
	[VMALLOC] = "vmalloc", [PERCPU] = "percpu",
};

struct entry {
	struct list_head node;
	const char *way;
	unsigned long addr; /* struct page for PAGES, else what the allocator gave */
	unsigned int size;  /* order for PAGES, else bytes */
	enum kind kind;
};

#define KMALLOC_SIZE 1000	   /* comes from kmalloc-1k */
#define LARGE_SIZE (3 * PAGE_SIZE) /* beyond the kmalloc caches: order 2 */
#define OBJECT_SIZE 200
#define VMALLOC_SIZE (16 * PAGE_SIZE)
#define PERCPU_SIZE 2048

static LIST_HEAD(ledger);
static DEFINE_MUTEX(ledger_lock);
static struct kmem_cache *leaky_cache;
static struct dentry *dir;

static noinline int leaky_record(const char *way, enum kind kind, const void *addr,
				 unsigned int size)
{
	struct entry *e;

	if (!addr)
		return -ENOMEM;
	e = kmalloc(sizeof(*e), GFP_KERNEL);
	if (!e)
		return -ENOMEM;
	e->way = way;
	e->kind = kind;
	e->addr = (unsigned long)addr;
	e->size = size;
	list_add_tail(&e->node, &ledger);
	return 0;
}

/* The big one: a receive ring that is refilled and never drained. */
static noinline int leaky_rx_refill(void)
{
	return leaky_record(__func__, PAGES, alloc_page(GFP_KERNEL | __GFP_ZERO), 0);
}

static noinline int leaky_rx_refill_atomic(void)
{
	return leaky_record(__func__, PAGES, alloc_page(GFP_ATOMIC | __GFP_ZERO), 0);
}

static noinline int leaky_order2_compound(void)
{
	return leaky_record(__func__, PAGES, alloc_pages(GFP_KERNEL | __GFP_COMP | __GFP_ZERO, 2),
			    2);
}

static noinline int leaky_order3_plain(void)
{
	return leaky_record(__func__, PAGES, alloc_pages(GFP_KERNEL | __GFP_ZERO, 3), 3);
}

static noinline int leaky_kmalloc(void)
{
	return leaky_record(__func__, OBJECT, kzalloc(KMALLOC_SIZE, GFP_KERNEL), KMALLOC_SIZE);
}

static noinline int leaky_kmalloc_large(void)
{
	return leaky_record(__func__, LARGE, kzalloc(LARGE_SIZE, GFP_KERNEL), LARGE_SIZE);
}

static noinline int leaky_own_cache(void)
{
	return leaky_record(__func__, OBJECT, kmem_cache_zalloc(leaky_cache, GFP_KERNEL),
			    OBJECT_SIZE);
}

static noinline int leaky_vmalloc(void)
{
	return leaky_record(__func__, VMALLOC, vzalloc(VMALLOC_SIZE), VMALLOC_SIZE);
}

static noinline int leaky_percpu(void)
{
	return leaky_record(__func__, PERCPU, (const void __force *)__alloc_percpu(PERCPU_SIZE, 64),
			    PERCPU_SIZE);
}

/* Not a leak: leaves free records behind. */
static noinline int leaky_churn(void)
{
	struct page *page = alloc_page(GFP_KERNEL | __GFP_ZERO);

	if (!page)
		return -ENOMEM;
	__free_page(page);
	return 0;
}

/* Each call is another of 2^12 stacks: a bit of the number says which way to go. */
static noinline int leaky_left(unsigned int path, unsigned int depth);

static noinline int leaky_right(unsigned int path, unsigned int depth)
{
	int err = depth ? (path & 1 ? leaky_right : leaky_left)(path >> 1, depth - 1)
			: leaky_rx_refill();

	barrier();
	return err;
}

static noinline int leaky_left(unsigned int path, unsigned int depth)
{
	int err = depth ? (path & 1 ? leaky_right : leaky_left)(path >> 1, depth - 1)
			: leaky_rx_refill();

	barrier();
	return err;
}

static noinline int leaky_many(void)
{
	static unsigned int path;

	return leaky_left(path++, 12);
}

/* Deeper than page_owner looks. */
static noinline int leaky_deep(void)
{
	return leaky_right(~0U, 24);
}

/* What comes into places that others have left. */
static noinline int leaky_late_page(void)
{
	return leaky_record(__func__, PAGES, alloc_page(GFP_KERNEL | __GFP_ZERO), 0);
}

static noinline int leaky_late_kmalloc(void)
{
	return leaky_record(__func__, OBJECT, kzalloc(KMALLOC_SIZE, GFP_KERNEL), KMALLOC_SIZE);
}

static const struct {
	const char *name;
	int (*leak)(void);
} ways[] = {
	{ "rx_refill", leaky_rx_refill },
	{ "rx_refill_atomic", leaky_rx_refill_atomic },
	{ "order2_compound", leaky_order2_compound },
	{ "order3_plain", leaky_order3_plain },
	{ "kmalloc", leaky_kmalloc },
	{ "kmalloc_large", leaky_kmalloc_large },
	{ "own_cache", leaky_own_cache },
	{ "vmalloc", leaky_vmalloc },
	{ "percpu", leaky_percpu },
	{ "churn", leaky_churn },
	{ "many", leaky_many },
	{ "deep", leaky_deep },
	{ "late_page", leaky_late_page },
	{ "late_kmalloc", leaky_late_kmalloc },
};

/* Memory that is still free, in pages, while the same leak goes on. */
static noinline int leaky_until_free(unsigned long pages)
{
	while (global_zone_page_state(NR_FREE_PAGES) > pages) {
		int err = leaky_rx_refill();

		if (err)
			return err;
		cond_resched();
	}
	return 0;
}

static void leaky_give_back(struct entry *e)
{
	if (e->kind == PAGES)
		__free_pages((struct page *)e->addr, e->size);
	else if (e->kind == VMALLOC)
		vfree((void *)e->addr);
	else if (e->kind == PERCPU)
		free_percpu((void __percpu *)e->addr);
	else
		kfree((void *)e->addr);
	list_del(&e->node);
	kfree(e);
}

/* Every third allocation of a way, the oldest first: what is left lies between what is free. */
static noinline int leaky_free(const char *way, unsigned long count)
{
	struct entry *e, *next;
	unsigned int i = 0;

	list_for_each_entry_safe(e, next, &ledger, node) {
		if (strcmp(e->way + strlen("leaky_"), way) || i++ % 3)
			continue;
		if (!count--)
			return 0;
		leaky_give_back(e);
	}
	return -ENOENT;
}

static noinline int leaky_do(const char *name, unsigned long count)
{
	int i, err = 0;

	if (!strcmp(name, "until_free"))
		return leaky_until_free(count);
	if (!strncmp(name, "free.", 5))
		return leaky_free(name + 5, count);
	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		if (strcmp(name, ways[i].name))
			continue;
		while (count-- && !err)
			err = ways[i].leak();
		return err;
	}
	return -EINVAL;
}

static ssize_t do_write(struct file *file, const char __user *ubuf, size_t len, loff_t *pos)
{
	char buf[64], name[32];
	unsigned long count;
	int err;

	if (len >= sizeof(buf))
		return -EINVAL;
	if (copy_from_user(buf, ubuf, len))
		return -EFAULT;
	buf[len] = '\0';
	if (sscanf(buf, "%31s %lu", name, &count) != 2)
		return -EINVAL;
	mutex_lock(&ledger_lock);
	err = leaky_do(name, count);
	mutex_unlock(&ledger_lock);
	return err ? err : len;
}

static const struct file_operations do_fops = {
	.owner = THIS_MODULE,
	.write = do_write,
};

static void *ledger_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&ledger_lock);
	return seq_list_start(&ledger, *pos);
}

static void *ledger_next(struct seq_file *m, void *v, loff_t *pos)
{
	return seq_list_next(v, &ledger, pos);
}

static void ledger_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&ledger_lock);
}

/* WAY KIND SIZE ADDRESS [PFN...]: size is an order for pages, else bytes. */
static int ledger_show(struct seq_file *m, void *v)
{
	const struct entry *e = list_entry(v, struct entry, node);
	unsigned int off;

	seq_printf(m, "%s %s %u 0x%lx", e->way, kind_names[e->kind], e->size, e->addr);
	if (e->kind == PAGES)
		seq_printf(m, " 0x%lx", page_to_pfn((struct page *)e->addr));
	if (e->kind == OBJECT || e->kind == LARGE)
		seq_printf(m, " 0x%lx", page_to_pfn(virt_to_page((void *)e->addr)));
	for (off = 0; e->kind == VMALLOC && off < e->size; off += PAGE_SIZE)
		seq_printf(m, " 0x%lx", vmalloc_to_pfn((void *)(e->addr + off)));
	seq_putc(m, '\n');
	return 0;
}

static const struct seq_operations ledger_sops = {
	.start = ledger_start,
	.next = ledger_next,
	.stop = ledger_stop,
	.show = ledger_show,
};
#ifdef DEFINE_SEQ_ATTRIBUTE
DEFINE_SEQ_ATTRIBUTE(ledger);
#else /* 4.19, 5.4 */
static int ledger_open(struct inode *inode, struct file *file)
{
	return seq_open(file, &ledger_sops);
}

static const struct file_operations ledger_fops = {
	.owner = THIS_MODULE,
	.open = ledger_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = seq_release,
};
#endif

static int clock_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%llu\n", local_clock());
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(clock);

static int __init leaky_init(void)
{
	leaky_cache = kmem_cache_create("leaky_cache", OBJECT_SIZE, 0, SLAB_NO_MERGE, NULL);
	if (!leaky_cache)
		return -ENOMEM;
	dir = debugfs_create_dir("leaky", NULL);
	debugfs_create_file("do", 0200, dir, NULL, &do_fops);
	debugfs_create_file("ledger", 0400, dir, NULL, &ledger_fops);
	debugfs_create_file("clock", 0400, dir, NULL, &clock_fops);
	return 0;
}

/* What was leaked stays: unloading shows memory without a module. */
static void __exit leaky_exit(void)
{
	debugfs_remove_recursive(dir);
}

module_init(leaky_init);
module_exit(leaky_exit);
MODULE_DESCRIPTION("leaks memory in known ways and keeps a ledger of it");
MODULE_LICENSE("GPL");
