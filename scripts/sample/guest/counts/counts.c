// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What each shrinker counts, as shrinker_debugfs_count_show() of mm/shrinker_debug.c asks it: Debian's kernels are built
 * without CONFIG_SHRINKER_DEBUG, and 5.10 has no such file.
 *
 * /sys/kernel/debug/counts	"ADDRESS FUNCTION CGROUP NODE OBJECTS", those with any; CGROUP is - where the shrinker does
 *				not tell cgroups apart, NODE where it does not tell nodes apart
 *
 * It maps MAPPED pages of its own by vmap(), too, which memowner counted lists.
 */
#include <linux/debugfs.h>
#include <linux/kprobes.h>
#include <linux/memcontrol.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/shrinker.h>
#include <linux/vmalloc.h>

#define MAPPED 700

static struct list_head *shrinkers;
static struct mem_cgroup *(*next_cgroup)(struct mem_cgroup *root, struct mem_cgroup *prev,
					 struct mem_cgroup_reclaim_cookie *reclaim);
static struct dentry *file;
static struct page *pages[MAPPED];
static void *mapped;

static void count(struct seq_file *m, struct shrinker *s, struct mem_cgroup *memcg)
{
	bool tells_nodes = s->flags & SHRINKER_NUMA_AWARE;
	char path[256] = "-", node[16] = "-";
	int nid;

	if (memcg)
		cgroup_path(memcg->css.cgroup, path, sizeof(path));
	for_each_online_node(nid) {
		struct shrink_control sc = { .gfp_mask = GFP_KERNEL, .nid = nid, .memcg = memcg };
		unsigned long n = s->count_objects(s, &sc);

		if (tells_nodes)
			snprintf(node, sizeof(node), "%d", nid);
		if (n && n != SHRINK_EMPTY)
			seq_printf(m, "%px %ps %s %s %lu\n", s, s->count_objects, path, node, n);
		if (!tells_nodes)
			break;
	}
}

/* No shrinker comes or goes while the guest asks. */
static int counts_show(struct seq_file *m, void *unused)
{
	struct shrinker *s;

	list_for_each_entry(s, shrinkers, list) {
		struct mem_cgroup *memcg = NULL;

		if (!(s->flags & SHRINKER_MEMCG_AWARE)) {
			count(m, s, NULL);
			continue;
		}
		while ((memcg = next_cgroup(NULL, memcg, NULL)))
			if (mem_cgroup_online(memcg))
				count(m, s, memcg);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(counts);

static void unmap_pages(void)
{
	int i;

	vunmap(mapped);
	for (i = 0; i < MAPPED && pages[i]; i++)
		__free_page(pages[i]);
}

static noinline int map_pages(void)
{
	int i;

	for (i = 0; i < MAPPED; i++) {
		pages[i] = alloc_page(GFP_KERNEL);
		if (!pages[i])
			break;
	}
	mapped = i == MAPPED ? vmap(pages, MAPPED, VM_MAP, PAGE_KERNEL) : NULL;
	if (!mapped)
		unmap_pages();
	return mapped ? 0 : -ENOMEM;
}

/* What the kernel does not export. */
static int __init counts_init(void)
{
	struct kprobe probe = { .symbol_name = "kallsyms_lookup_name" };
	unsigned long (*lookup)(const char *name);
	int ret = register_kprobe(&probe);

	if (ret)
		return ret;
	lookup = (void *)probe.addr;
	unregister_kprobe(&probe);
	shrinkers = (void *)lookup("shrinker_list");
	next_cgroup = (void *)lookup("mem_cgroup_iter");
	if (!shrinkers || !next_cgroup)
		return -ENOENT;
	ret = map_pages();
	if (ret)
		return ret;
	file = debugfs_create_file("counts", 0444, NULL, NULL, &counts_fops);
	return 0;
}

static void __exit counts_exit(void)
{
	debugfs_remove(file);
	unmap_pages();
}

module_init(counts_init);
module_exit(counts_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("what each shrinker counts");
