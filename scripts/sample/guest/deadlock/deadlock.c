// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads that wait for locks for ever, each in a way that machines without memory know.
 *
 * /sys/kernel/debug/deadlock/do		write a word; who writes it does:
 *	mutex	take the mutex, then read the semaphore: has the one, waits for the other
 *	rwsem	write the semaphore, then take the mutex: the other half of the deadlock
 *	wait	take the mutex
 *	mmap	write-lock its mmap_lock, then take the mutex
 *	shrink	from now on, who reclaims slabs takes a mutex of their own, then that one: who comes first has it
 * /sys/kernel/debug/deadlock/locks	each lock, its address, the thread that took it
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/seq_file.h>
#include <linux/shrinker.h>
#include <linux/uaccess.h>
#include <linux/version.h>

static DEFINE_MUTEX(deadlock_mutex);
static DEFINE_MUTEX(reclaim_mutex);
static DECLARE_RWSEM(deadlock_rwsem);
static pid_t mutex_holder, rwsem_holder, mmap_holder, reclaim_holder;
static struct mm_struct *mmap_of;
static bool shrinks;
static struct dentry *dir;

static unsigned long count(struct shrinker *s, struct shrink_control *sc)
{
	return shrinks ? 1024 : 0;
}

static unsigned long scan(struct shrinker *s, struct shrink_control *sc)
{
	mutex_lock(&reclaim_mutex);
	reclaim_holder = current->pid;
	mutex_lock(&deadlock_mutex);
	mutex_unlock(&deadlock_mutex);
	mutex_unlock(&reclaim_mutex);
	return SHRINK_STOP;
}

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 7, 0)
static struct shrinker old_shrinker = {
	.count_objects = count,
	.scan_objects = scan,
	.seeks = DEFAULT_SEEKS,
};

static int add_shrinker(void)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 0, 0)
	return register_shrinker(&old_shrinker);
#else
	return register_shrinker(&old_shrinker, "deadlock");
#endif
}
#else
static int add_shrinker(void)
{
	struct shrinker *shrinker = shrinker_alloc(0, "deadlock");

	if (!shrinker)
		return -ENOMEM;
	shrinker->count_objects = count;
	shrinker->scan_objects = scan;
	shrinker_register(shrinker);
	return 0;
}
#endif

static ssize_t act(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	char word[16] = "";

	if (len >= sizeof(word) || copy_from_user(word, buf, len))
		return -EINVAL;
	if (!strncmp(word, "mutex", 5)) {
		mutex_lock(&deadlock_mutex);
		mutex_holder = current->pid;
		while (!rwsem_holder)
			msleep(10);
		down_read(&deadlock_rwsem);
	} else if (!strncmp(word, "rwsem", 5)) {
		down_write(&deadlock_rwsem);
		rwsem_holder = current->pid;
		mutex_lock(&deadlock_mutex);
	} else if (!strncmp(word, "mmap", 4)) {
		mmap_write_lock(current->mm);
		mmap_holder = current->pid;
		mmap_of = current->mm;
		mutex_lock(&deadlock_mutex);
	} else if (!strncmp(word, "wait", 4)) {
		mutex_lock(&deadlock_mutex);
	} else if (!strncmp(word, "shrink", 6)) {
		shrinks = true;
	}
	return len;
}

static int locks_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "deadlock_mutex %#lx %d\n", (unsigned long)&deadlock_mutex, mutex_holder);
	seq_printf(m, "deadlock_rwsem %#lx %d\n", (unsigned long)&deadlock_rwsem, rwsem_holder);
	seq_printf(m, "reclaim_mutex %#lx %d\n", (unsigned long)&reclaim_mutex, reclaim_holder);
	if (mmap_of)
		seq_printf(m, "mmap_lock %#lx %d\n", (unsigned long)&mmap_of->mmap_lock,
			   mmap_holder);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(locks);

static const struct file_operations do_fops = {
	.owner = THIS_MODULE,
	.write = act,
};

static int __init deadlock_init(void)
{
	int err = add_shrinker();

	if (err)
		return err;
	dir = debugfs_create_dir("deadlock", NULL);
	debugfs_create_file_unsafe("do", 0200, dir, NULL, &do_fops);
	debugfs_create_file("locks", 0400, dir, NULL, &locks_fops);
	return 0;
}
module_init(deadlock_init);
MODULE_DESCRIPTION("Threads that wait for locks for ever");
MODULE_LICENSE("GPL");
