// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What was freed and waits for RCU, and who does not let the grace period end.
 *
 * /sys/kernel/debug/rcupile/do		write a word:
 *	sleep	a thread sleeps inside of rcu_read_lock(), for ever; where the kernel's RCU has no list of such tasks, no thread
 *	spin	a thread runs on the last CPU without preemption, for ever
 *	free N	N objects of a cache of its own are freed by call_rcu()
 *	drop N	N objects of kmalloc() are, by another function
 * /sys/kernel/debug/rcupile/ledger	what was done: function, number, bytes of an object; kind of a thread, CPU, pid
 */
#include <linux/debugfs.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

struct waiting {
	struct rcu_head rcu;
	char rest[184];
};

#define DROPPED 1000

static struct kmem_cache *cache;
static unsigned int nfreed, ndropped;
static struct task_struct *sleeper, *spinner;
static struct dentry *dir;

static void rcupile_free(struct rcu_head *head)
{
	kmem_cache_free(cache, container_of(head, struct waiting, rcu));
}

static void rcupile_drop(struct rcu_head *head)
{
	kfree(container_of(head, struct waiting, rcu));
}

/* Caches with a constructor are not merged. */
static void constructed(void *object) {}

static int sleeps(void *unused)
{
	rcu_read_lock();
	for (;;) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		schedule();
	}
	return 0;
}

static int spins(void *unused)
{
	preempt_disable();
	for (;;)
		cpu_relax();
	return 0;
}

static void queue(unsigned int n, struct kmem_cache *of, rcu_callback_t function,
		  unsigned int *done)
{
	for (; n; n--) {
		struct waiting *w = of ? kmem_cache_alloc(of, GFP_KERNEL)
				       : kmalloc(DROPPED, GFP_KERNEL);

		if (!w)
			return;
		call_rcu(&w->rcu, function);
		++*done;
	}
}

static ssize_t act(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	char word[24] = "";
	unsigned int n;

	if (len >= sizeof(word) || copy_from_user(word, buf, len))
		return -EINVAL;
	if (sscanf(word, "free %u", &n) == 1)
		queue(n, cache, rcupile_free, &nfreed);
	else if (sscanf(word, "drop %u", &n) == 1)
		queue(n, NULL, rcupile_drop, &ndropped);
	else if (!strncmp(word, "sleep", 5) && IS_ENABLED(CONFIG_PREEMPT_RCU))
		sleeper = kthread_run(sleeps, NULL, "rcu-sleeper");
	else if (!strncmp(word, "spin", 4)) {
		spinner = kthread_create(spins, NULL, "rcu-spinner");
		kthread_bind(spinner, num_online_cpus() - 1);
		wake_up_process(spinner);
	}
	return len;
}

static int ledger_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "rcupile_free %u %u\n", nfreed, kmem_cache_size(cache));
	seq_printf(m, "rcupile_drop %u %u\n", ndropped, DROPPED);
	if (sleeper)
		seq_printf(m, "sleeper - %d\n", sleeper->pid);
	if (spinner)
		seq_printf(m, "spinner %u %d\n", num_online_cpus() - 1, spinner->pid);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(ledger);

static const struct file_operations do_fops = {
	.owner = THIS_MODULE,
	.write = act,
};

static int __init rcupile_init(void)
{
	cache = kmem_cache_create("rcupile_object", sizeof(struct waiting), 0, 0, constructed);
	if (!cache)
		return -ENOMEM;
	dir = debugfs_create_dir("rcupile", NULL);
	debugfs_create_file_unsafe("do", 0200, dir, NULL, &do_fops);
	debugfs_create_file("ledger", 0400, dir, NULL, &ledger_fops);
	return 0;
}
module_init(rcupile_init);
MODULE_DESCRIPTION("Memory that waits for RCU");
MODULE_LICENSE("GPL");
