// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes records of each user of the stack depot, and keeps a ledger of them.
 *
 * /sys/kernel/debug/depotfix/do      write "WAY COUNT"
 * /sys/kernel/debug/depotfix/ledger  a line per record: way, state, address, size
 *
 * keep, shaped, tiny	objects that stay: of a cache, of one with a constructor, of kmalloc-8
 * drop, unshape, trim	frees some of them; KASAN keeps these in its quarantine
 * defer		objects that RCU frees
 * peek			reads one freed object of each cache: KASAN reports it
 * remember, forget	objects with and without a pointer to them: kmemleak reports the latter
 * hold, release	references to a network device and to its namespace
 * print		writes the reference trackers of all devices and namespaces to the log
 */
#include <linux/debugfs.h>
#include <linux/if_arp.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/ref_tracker.h>
#include <linux/rtnetlink.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <net/net_namespace.h>

#define MOST 256
#define OBJECT_BYTES 96
#define SHAPED_BYTES 40
#define TINY_BYTES 8
#define REMEMBERED_BYTES 200
#define FORGOTTEN_BYTES 320
#define DEFERRED_BYTES 448

/* The ledger must not be a reference that kmemleak finds. */
#define HIDE(p) (~(unsigned long)(p))

struct entry {
	const char *way, *state;
	unsigned long hidden;
	unsigned int size;
};

struct bag {
	void *p[MOST];
	unsigned int n;
};

static struct entry ledger[8 * MOST];
static unsigned int entries;
static struct bag kept, shaped, tiny, remembered;
static void *last_dropped, *last_unshaped;
static struct kmem_cache *object_cache, *shaped_cache;
static struct net_device *device;
static netdevice_tracker device_refs[MOST];
static netns_tracker net_refs[MOST];
static unsigned int held;
static struct dentry *dir;

static noinline int depotfix_record(const char *way, const void *p, unsigned int size)
{
	if (!p || entries == ARRAY_SIZE(ledger))
		return -ENOMEM;
	ledger[entries++] = (struct entry){ way, "live", HIDE(p), size };
	return 0;
}

static int depotfix_put(struct bag *bag, const char *way, void *p, unsigned int size)
{
	if (bag->n == MOST)
		return -ENOSPC;
	bag->p[bag->n++] = p;
	return depotfix_record(way, p, size);
}

static void *depotfix_take(struct bag *bag)
{
	void *p = bag->n ? bag->p[--bag->n] : NULL;

	for (unsigned int i = entries; p && i--;) {
		if (ledger[i].hidden == HIDE(p) && !strcmp(ledger[i].state, "live")) {
			ledger[i].state = "freed";
			break;
		}
	}
	return p;
}

static noinline int depotfix_keep(void)
{
	return depotfix_put(&kept, "keep", kmem_cache_zalloc(object_cache, GFP_KERNEL),
			    OBJECT_BYTES);
}

static noinline int depotfix_shape(void)
{
	return depotfix_put(&shaped, "shaped", kmem_cache_alloc(shaped_cache, GFP_KERNEL),
			    SHAPED_BYTES);
}

static noinline int depotfix_tiny(void)
{
	return depotfix_put(&tiny, "tiny", kzalloc(TINY_BYTES, GFP_KERNEL), TINY_BYTES);
}

static noinline int depotfix_remember(void)
{
	return depotfix_put(&remembered, "remember", kzalloc(REMEMBERED_BYTES, GFP_KERNEL),
			    REMEMBERED_BYTES);
}

static noinline int depotfix_forget(void)
{
	return depotfix_record("forget", kzalloc(FORGOTTEN_BYTES, GFP_KERNEL), FORGOTTEN_BYTES);
}

static noinline int depotfix_drop(void)
{
	void *p = depotfix_take(&kept);

	last_dropped = p ? p : last_dropped;
	if (p)
		kmem_cache_free(object_cache, p);
	return p ? 0 : -ENOENT;
}

static noinline int depotfix_unshape(void)
{
	void *p = depotfix_take(&shaped);

	last_unshaped = p ? p : last_unshaped;
	if (p)
		kmem_cache_free(shaped_cache, p);
	return p ? 0 : -ENOENT;
}

static noinline int depotfix_trim(void)
{
	void *p = depotfix_take(&tiny);

	kfree(p);
	return p ? 0 : -ENOENT;
}

struct deferred {
	struct rcu_head rcu;
	char rest[DEFERRED_BYTES - sizeof(struct rcu_head)];
};

static noinline void depotfix_reclaim(struct rcu_head *head)
{
	kfree(container_of(head, struct deferred, rcu));
}

static noinline int depotfix_defer(void)
{
	struct deferred *p = kzalloc(sizeof(*p), GFP_KERNEL);
	int err = depotfix_record("defer", p, sizeof(*p));

	if (err)
		return err;
	ledger[entries - 1].state = "freed";
	call_rcu(&p->rcu, depotfix_reclaim);
	return 0;
}

/* The ends of objects: the metadata is at the start. */
static noinline int depotfix_peek(void)
{
	if (!last_dropped || !last_unshaped)
		return -ENOENT;
	pr_info("depotfix: peek at %lx\n", (unsigned long)last_dropped);
	READ_ONCE(*((char *)last_dropped + OBJECT_BYTES - 1));
	pr_info("depotfix: peek at %lx\n", (unsigned long)last_unshaped);
	READ_ONCE(*((char *)last_unshaped + SHAPED_BYTES - 1));
	return 0;
}

static noinline int depotfix_hold(void)
{
	if (held == MOST)
		return -ENOSPC;
	netdev_hold(device, &device_refs[held], GFP_KERNEL);
	get_net_track(dev_net(device), &net_refs[held], GFP_KERNEL);
	held++;
	return 0;
}

static noinline int depotfix_release(void)
{
	if (!held)
		return -ENOENT;
	held--;
	netdev_put(device, &device_refs[held]);
	put_net_track(dev_net(device), &net_refs[held]);
	return 0;
}

static void print_dir(struct ref_tracker_dir *refs, const char *what)
{
	struct list_head *node;
	unsigned int live = 0, released = 0;
	unsigned long flags;

	spin_lock_irqsave(&refs->lock, flags);
	list_for_each(node, &refs->list) live++;
	list_for_each(node, &refs->quarantine) released++;
	spin_unlock_irqrestore(&refs->lock, flags);
	pr_info("depotfix: dir %lx %s live %u released %u\n", (unsigned long)refs, what, live,
		released);
	ref_tracker_dir_print(refs, 1000);
}

static int depotfix_print(void)
{
	struct net_device *dev;
	struct net *net;

	rtnl_lock();
	down_read(&net_rwsem);
	for_each_net(net)
	{
		print_dir(&net->refcnt_tracker, "net-refcnt");
		print_dir(&net->notrefcnt_tracker, "net-notrefcnt");
		for_each_netdev(net, dev) print_dir(&dev->refcnt_tracker, dev->name);
	}
	up_read(&net_rwsem);
	rtnl_unlock();
	return 0;
}

static const struct {
	const char *name;
	int (*run)(void);
} ways[] = {
	{ "keep", depotfix_keep },	   { "shaped", depotfix_shape },
	{ "tiny", depotfix_tiny },	   { "drop", depotfix_drop },
	{ "unshape", depotfix_unshape },   { "trim", depotfix_trim },
	{ "defer", depotfix_defer },	   { "peek", depotfix_peek },
	{ "remember", depotfix_remember }, { "forget", depotfix_forget },
	{ "hold", depotfix_hold },	   { "release", depotfix_release },
	{ "print", depotfix_print },
};

static int depotfix_do(const char *way, unsigned int n)
{
	int err = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(ways); i++) {
		if (strcmp(ways[i].name, way))
			continue;
		while (n-- && !err)
			err = ways[i].run();
		return err;
	}
	return -EINVAL;
}

static ssize_t do_write(struct file *file, const char __user *ubuf, size_t len, loff_t *pos)
{
	char buf[64], way[32];
	unsigned int n;
	int err;

	if (len >= sizeof(buf))
		return -EINVAL;
	if (copy_from_user(buf, ubuf, len))
		return -EFAULT;
	buf[len] = '\0';
	if (sscanf(buf, "%31s %u", way, &n) != 2)
		return -EINVAL;
	err = depotfix_do(way, n);
	return err ? err : len;
}

static const struct file_operations do_fops = {
	.owner = THIS_MODULE,
	.write = do_write,
};

static int ledger_show(struct seq_file *m, void *v)
{
	for (unsigned int i = 0; i < entries; i++)
		seq_printf(m, "%s %s %lx %u\n", ledger[i].way, ledger[i].state,
			   HIDE(ledger[i].hidden), ledger[i].size);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(ledger);

static netdev_tx_t device_xmit(struct sk_buff *skb, struct net_device *dev)
{
	kfree_skb(skb);
	return NETDEV_TX_OK;
}

static const struct net_device_ops device_ops = {
	.ndo_start_xmit = device_xmit,
};

static void device_setup(struct net_device *dev)
{
	dev->netdev_ops = &device_ops;
	dev->type = ARPHRD_NONE;
	dev->mtu = 1500;
}

static void shape(void *p)
{
	memset(p, 0, SHAPED_BYTES);
}

static int __init depotfix_init(void)
{
	object_cache = kmem_cache_create("depotfix_object", OBJECT_BYTES, 0, 0, NULL);
	shaped_cache = kmem_cache_create("depotfix_shaped", SHAPED_BYTES, 0, 0, shape);
	device = alloc_netdev(0, "fix0", NET_NAME_ENUM, device_setup);
	if (!object_cache || !shaped_cache || !device || register_netdev(device))
		return -ENOMEM;
	dir = debugfs_create_dir("depotfix", NULL);
	debugfs_create_file("do", 0200, dir, NULL, &do_fops);
	debugfs_create_file("ledger", 0400, dir, NULL, &ledger_fops);
	return 0;
}

module_init(depotfix_init);
MODULE_DESCRIPTION("makes records of the users of the stack depot");
MODULE_LICENSE("GPL");
