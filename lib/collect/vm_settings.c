// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/vm_settings.h"

#include <stdlib.h>

#include "kernel/jiffies.h"
#include "kernel/sysctl.h"
#include "log/printk.h"
#include "pages/huge_settings.h"
#include "pages/hugetlb.h"
#include "util/strbuf.h"
#include "zones/mem_total.h"
#include "zones/reclaim.h"
#include "zones/system_ram.h"

#define COMMAND_LINE 4096	/* COMMAND_LINE_SIZE is 2048 where it is most */
#define MAX_SETTINGS 1024	/* a kernel has 90 */
#define MOST_BYTES (1ULL << 52) /* no memory has more */

/*
 * A file of /proc/sys: what 4.18 to 7.3 have without a user's setting, and what it is for, for who asks why something was
 * refused or did not run. NULL, or no row: the configuration or the size of memory decides that, as of min_free_kbytes
 * and user_reserve_kbytes, or the release, as of compaction_proactiveness, which is 20, and 0 in RHEL 8.
 */
struct known {
	const char *name, *standard, *remark;
	const char *told; /* a value that no kernel has by itself, where the default is unknown */
};

static const struct known known[] = {
	{ "fs.aio-max-nr", "65536", "requests of io_setup() that all processes may have" },
	{ "fs.file-max", NULL, "open files that all processes may have" },
	{ "fs.mount-max", "100000", "mounts of a namespace" },
	{ "fs.nr_open", "1048576", "the most that RLIMIT_NOFILE can be" },
	{ "fs.pipe-max-size", "1048576", "bytes of a pipe of a user without CAP_SYS_RESOURCE" },
	{ "fs.pipe-user-pages-hard", "0", "pages of all pipes of a user; 0: no limit" },
	{ "fs.pipe-user-pages-soft", "16384", "pages of a user, above which pipes are small" },
	{ "fs.inotify.max_queued_events", "16384", "events that a queue holds" },
	{ "fs.inotify.max_user_instances", "128", "queues of inotify of a user" },
	{ "fs.inotify.max_user_watches", NULL, "watches of inotify of a user" },
	{ "fs.epoll.max_user_watches", NULL, "files in epoll of a user" },
	{ "kernel.keys.maxbytes", "20000", "bytes of keys of a user" },
	{ "kernel.keys.maxkeys", "200", "keys of a user" },
	{ "kernel.keys.root_maxbytes", "25000000", "bytes of keys of root" },
	{ "kernel.keys.root_maxkeys", "1000000", "keys of root" },
	{ "kernel.core_pattern", "core",
	  "file of a core dump; behind a |: the program that the kernel starts and pipes it to" },
	{ "kernel.core_pipe_limit", NULL,
	  "core dumps that are piped at once; 0: any number, and none waits for its reader" },
	{ "kernel.hung_task_timeout_secs", NULL, "seconds after which a wait is reported" },
	{ "kernel.msgmax", "8192", "bytes of a System V message" },
	{ "kernel.msgmnb", "16384", "bytes of a System V message queue" },
	{ "kernel.pid_max", NULL, "PIDs that there can be" },
	{ "kernel.sched_rt_period_us", "1000000", "period of kernel.sched_rt_runtime_us" },
	/* 1000000 where the fair server (6.8 and later) runs what they leave nothing for. */
	{ "kernel.sched_rt_runtime_us", NULL,
	  "time of each period that SCHED_FIFO and SCHED_RR may take; -1: all of it", "-1" },
	{ "kernel.shmall", "18446744073692774399", "pages of System V shared memory" },
	{ "kernel.shmmax", "18446744073692774399", "bytes of a System V segment" },
	{ "vm.block_dump", "0" },
	{ "vm.compact_memory", "0" },
	{ "vm.defrag_mode", "0" },
	{ "vm.dirty_background_bytes", "0", "dirty pages at which writing begins" },
	{ "vm.dirty_background_ratio", "10", "share of dirty pages at which writing begins" },
	{ "vm.dirty_bytes", "0", "dirty pages at which who writes is held back" },
	{ "vm.dirty_expire_centisecs", "3000" },
	{ "vm.dirty_ratio", "20", "share of dirty pages at which who writes is held back" },
	{ "vm.dirty_writeback_centisecs", "500" },
	{ "vm.dirtytime_expire_seconds", "43200" },
	{ "vm.drop_caches", "0" },
	{ "vm.enable_soft_offline", "1" },
	{ "vm.extfrag_threshold", "500" },
	{ "vm.hugetlb_shm_group", "0" },
	{ "vm.laptop_mode", "0", "dirty pages stay while the disk rests" },
	{ "vm.legacy_va_layout", "0" },
	{ "vm.max_map_count", "65530", "mappings of a process" },
	{ "vm.memfd_noexec", "0" },
	{ "vm.memory_failure_early_kill", "0" },
	{ "vm.memory_failure_recovery", "1" },
	{ "vm.min_free_kbytes", NULL, "free pages below which requests of processes wait" },
	{ "vm.min_slab_ratio", "5" },
	{ "vm.min_unmapped_ratio", "1" },
	{ "vm.numa_stat", "1" },
	{ "vm.numa_zonelist_order", "Node" },
	{ "vm.oom_dump_tasks", "1" },
	{ "vm.oom_kill_allocating_task", "0", "1: who asks is killed, not who has most" },
	{ "vm.overcommit_kbytes", "0", "what may be promised beside swap" },
	{ "vm.overcommit_memory", "0", "1: all is promised; 2: up to a limit" },
	{ "vm.overcommit_ratio", "50", "percent of memory that may be promised" },
	{ "vm.page-cluster", "3" }, /* swap_setup(): 2 below 16 MB of memory */
	{ "vm.page_lock_unfairness", "5" },
	{ "vm.panic_on_oom", "0", "the kernel ends in place of a process" },
	{ "vm.percpu_pagelist_fraction", "0" },
	{ "vm.percpu_pagelist_high_fraction", "0" },
	{ "vm.stat_interval", "1" },
	{ "vm.swappiness", "60", "0: processes keep their memory while there is page cache" },
	{ "vm.vfs_cache_pressure", "100", "0: dentries and inodes are never reclaimed" },
	{ "vm.vfs_cache_pressure_denom", "100" },
	{ "vm.watermark_boost_factor", "15000" },
	{ "vm.watermark_scale_factor", "10", "tenths of a percent between watermarks of zones" },
	{ "vm.zone_reclaim_mode", "0", "a node reclaims before it takes pages of another" },
};

/* Variables behind files of /proc/sys/net, which are of a namespace or are not in the tables that are walked. */
static const struct net_limit {
	const char *name, *symbol, *remark;
	unsigned int n, bytes; /* numbers, and bytes of each */
} net_limits[] = {
	{ "net.core.rmem_max", "sysctl_rmem_max", "bytes that SO_RCVBUF can be at most", 1, 4 },
	{ "net.core.wmem_max", "sysctl_wmem_max", "bytes that SO_SNDBUF can be at most", 1, 4 },
	{ "net.ipv4.tcp_mem", "sysctl_tcp_mem", "pages of TCP: low, pressure, the most", 3, 8 },
	{ "net.ipv4.udp_mem", "sysctl_udp_mem", "pages of UDP: low, pressure, the most", 3, 8 },
	{ "net.netfilter.nf_conntrack_max", "nf_conntrack_max", "connections of conntrack", 1, 4 },
};

/* Parameters of the command line that take memory or CPUs away from others, where no variable is as good. */
static const struct {
	const char *name, *remark;
} given[] = {
	{ "isolcpus", "CPUs that the scheduler leaves alone" },
	{ "kernelcore", "memory of which the rest is for pages that can be moved alone" },
	{ "mem", "memory above that is not used" },
	{ "memmap", "ranges of memory that are not used, or as what" },
	{ "movablecore", "memory for pages that can be moved alone" },
	{ "swiotlb", "buffers for DMA of devices that do not reach all memory" },
};

struct collect {
	struct dump *dump;
	struct vm_settings *to;
};

/* NULL: nothing is known of it. */
static const struct known *known_of(const char *name)
{
	return FIND_IN(known, ARRAY_SIZE(known), !strcmp(found->name, name));
}

/* init_per_zone_wmark_min(): without a user's setting user_min_free_kbytes is -1. */
static void look_at_min_free(struct dump *d, struct vm_setting *s)
{
	const uint64_t kib = s->value ? strtoull(s->value, NULL, 10) : UINT64_MAX;
	uint64_t at;
	uint32_t user;

	if (kib < MOST_BYTES >> 10)
		s->kept = (struct maybe_u64){ kib << 10, true };
	if (!dump_has_symbol(d, "user_min_free_kbytes") ||
	    dump_symbol(d, "user_min_free_kbytes", &at) != ST_OK ||
	    dump_u32(d, at, &user, "user_min_free_kbytes") != ST_OK)
		return;
	s->has_changed = true;
	s->changed = user != UINT32_MAX;
}

static struct vm_setting *vm_settings_room(struct dump *d, struct vm_settings *to)
{
	if (to->n < to->room)
		return &to->all[to->n++];
	dump_corrupt(d, "there are more than %d settings", MAX_SETTINGS);
	return NULL;
}

/* of NULL: nothing is known of it. */
static struct vm_setting *vm_settings_add(struct dump *d, struct vm_settings *to, const char *name,
					  const struct sysctl *from, const struct known *of)
{
	char value[SYSCTL_TEXT];
	struct vm_setting *s = vm_settings_room(d, to);
	enum status st;

	if (!s)
		return NULL;
	*s = (struct vm_setting){ .name = name };
	if (of) {
		s->standard = of->standard;
		s->remark = of->remark;
	}
	st = sysctl_value(d, from, to->tick_ns, value);
	if (st == ST_OK)
		s->value = dump_strdup(d, value);
	s->why = availability_of(st);
	if (st == ST_CORRUPT && !to->corrupt++)
		to->corrupt_why = dump_why(d);
	to->unread += st == ST_UNREADABLE;
	if (st == ST_UNKNOWN && !to->unknown++)
		to->unknown_why = dump_why(d);
	s->has_changed = s->value && s->standard;
	s->changed = s->has_changed && strcmp(s->value, s->standard);
	return s;
}

static enum status add(void *arg, const struct sysctl *from)
{
	struct collect *c = arg;
	const char *name = dump_text(c->dump, "vm.%s", from->name);
	struct vm_setting *s = vm_settings_add(c->dump, c->to, name, from, known_of(name));

	if (!s)
		return ST_CORRUPT;
	if (!strcmp(name, "vm.min_free_kbytes"))
		look_at_min_free(c->dump, s);
	return ST_OK;
}

static void vm_settings_gaps(struct dump *d, struct vm_settings *to)
{
	const struct gap gaps[] = {
		{ "the value of %s is not in this dump", to->unread, "setting", "settings" },
		{ "the value of %s is unknown: %s", to->unknown, "setting", "settings",
		  to->unknown_why },
		{ "the value of %s is corrupt: %s", to->corrupt, "setting", "settings",
		  to->corrupt_why },
		{ "of %s that exclude each other more than one is set", to->contradicted, "setting",
		  "settings" },
	};

	to->gaps = GAPS_OF(d, gaps);
}

void vm_settings_check(struct vm_settings *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const char *name = sysctl_excluded(s->all[i].name);
		struct vm_setting *other = name ? vm_settings_find(s, name) : NULL;

		if (!other || !s->all[i].value || !other->value || !strcmp(s->all[i].value, "0") ||
		    !strcmp(other->value, "0"))
			continue;
		s->all[i].value = other->value = NULL;
		s->all[i].why = other->why = CORRUPT;
		s->all[i].has_changed = other->has_changed = false;
		s->contradicted += 2;
	}
}

enum status vm_settings_collect(struct dump *d, struct vm_settings *ret)
{
	struct collect c = { d, ret };
	struct jiffies jiffies;
	enum status st;

	*ret = (struct vm_settings){ .all = dump_alloc(d, MAX_SETTINGS * sizeof(*ret->all)),
				     .room = MAX_SETTINGS };
	jiffies_open(d, &jiffies);
	ret->tick_ns = jiffies.tick_ns;
	st = sysctl_walk(d, "vm", add, &c);
	vm_settings_check(ret);
	vm_settings_gaps(d, ret);
	return st;
}

#define MOST_SHIFT 32 /* of a table's 32 bits of hash */
#define BUCKET 8      /* bytes of struct hlist_bl_head, hlist_head, inet_ehash_bucket */
#define LITTLE 100    /* what keeps less than a hundredth of memory is no news */

struct adding {
	struct dump *dump;
	struct vm_settings *to;
	const char *directory; /* with dots */
	uint64_t ram;	       /* bytes; 0: unknown */
};

static bool is_little(const struct adding *a, struct maybe_u64 kept)
{
	return kept.known && kept.n < a->ram / LITTLE;
}

static enum status add_file(void *arg, const struct sysctl *from)
{
	struct adding *a = arg;
	const char *name = dump_text(a->dump, "%s.%s", a->directory, from->name);
	const struct known *of = known_of(name);
	struct vm_setting *s;

	if (!of)
		return ST_OK;
	s = vm_settings_add(a->dump, a->to, name, from, of);
	if (!s)
		return ST_CORRUPT;
	s->is_minor = !of->standard && !(s->value && of->told && !strcmp(s->value, of->told));
	return ST_OK;
}

static void add_files(struct adding *a)
{
	static const char *const directories[][2] = {
		{ "fs", "fs" },
		{ "fs/epoll", "fs.epoll" },
		{ "fs/inotify", "fs.inotify" },
		{ "kernel", "kernel" },
		{ "kernel/keys", "kernel.keys" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(directories); i++) {
		enum status st;

		a->directory = directories[i][1];
		st = sysctl_walk(a->dump, directories[i][0], add_file, a);
		if (st != ST_OK && st != ST_ABSENT)
			dump_lacks(a->dump, dump_text(a->dump, "settings of %s.*", a->directory),
				   st, "%s", a->dump->error);
	}
}

/* A parameter of boot, or what it was if it was not given. */
static void add_of_boot(struct adding *a, const char *name, enum status st, uint64_t value,
			uint64_t bytes, const char *standard, const char *remark)
{
	struct vm_setting *s;

	if (st == ST_ABSENT)
		return;
	if (st == ST_OK && bytes > MOST_BYTES)
		st = dump_corrupt(a->dump, "%s: %lu bytes", name, bytes);
	s = vm_settings_room(a->dump, a->to);
	if (!s)
		return;
	*s = (struct vm_setting){ .name = name, .standard = standard, .remark = remark };
	a->to->unread += st == ST_UNREADABLE;
	a->to->unknown += st != ST_OK && st != ST_UNREADABLE;
	if (st != ST_OK)
		return;
	s->value = dump_text(a->dump, "%lu", value);
	s->kept = (struct maybe_u64){ bytes, true };
	s->has_changed = standard;
	s->changed = standard && strcmp(s->value, standard) != 0;
	s->is_minor = !standard && is_little(a, s->kept);
}

/* ST_ABSENT: the kernel has none. */
static enum status read_word(struct dump *d, const char *name, uint32_t *ret)
{
	return dump_has_symbol(d, name) ? dump_symbol_u32(d, name, ret) : ST_ABSENT;
}

/* The number of buckets by its mask: a power of 2. */
static enum status buckets_of(struct dump *d, const char *name, uint32_t mask, uint64_t *ret)
{
	*ret = (uint64_t)mask + 1;
	return *ret & mask ? dump_corrupt(d, "%s is %#x", name, mask) : ST_OK;
}

static enum status dentry_buckets(struct dump *d, uint64_t *ret)
{
	uint32_t shift = 0;
	enum status st = read_word(d, "d_hash_shift", &shift);

	if (st == ST_OK && (!shift || shift > MOST_SHIFT))
		return dump_corrupt(d, "d_hash_shift is %u", shift);
	*ret = st == ST_OK ? 1ULL << (MOST_SHIFT - shift) : 0;
	return st;
}

static enum status inode_buckets(struct dump *d, uint64_t *ret)
{
	uint32_t mask = 0;

	return read_word(d, "i_hash_mask", &mask) ?: buckets_of(d, "i_hash_mask", mask, ret);
}

static enum status socket_buckets(struct dump *d, uint64_t *ret)
{
	struct field f;
	uint64_t at;
	uint32_t mask = 0;
	enum status st;

	if (!dump_has_symbol(d, "tcp_hashinfo") ||
	    dump_ask(d, member, "struct inet_hashinfo", "ehash_mask", &f) != ST_OK || f.size != 4)
		return ST_ABSENT;
	st = dump_symbol(d, "tcp_hashinfo", &at)
		     ?: dump_u32(d, at + f.offset, &mask, "tcp_hashinfo")
		     ?: dump_check(d, at + f.offset, &mask, sizeof(mask), "tcp_hashinfo");
	return st ?: buckets_of(d, "tcp_hashinfo.ehash_mask", mask, ret);
}

static enum status add_pool(void *arg, const struct hugetlb_pool *pool)
{
	struct adding *a = arg;
	const unsigned int shift = pool->order + a->dump->page_shift;

	if (shift < 64 && pool->total <= MOST_BYTES >> shift)
		add_of_boot(a, dump_text(a->dump, "hugepages-%lukB", ((uint64_t)1 << shift) >> 10),
			    ST_OK, pool->total, pool->total << shift, "0",
			    "huge pages that hugetlbfs alone can give away");
	return ST_OK;
}

static void add_of_huge(void *arg, const struct huge_setting *s)
{
	add_of_boot(arg, s->name, s->status, s->value, s->bytes, "0", s->remark);
}

/* Its file computes it. */
static void add_threads(struct adding *a)
{
	uint32_t n = 0;
	enum status st = read_word(a->dump, "max_threads", &n);
	struct vm_setting *s = st == ST_ABSENT ? NULL : vm_settings_room(a->dump, a->to);

	if (!s)
		return;
	*s = (struct vm_setting){ .name = "kernel.threads-max",
				  .remark = "threads that there can be",
				  .is_minor = true };
	a->to->unread += st != ST_OK;
	if (st == ST_OK)
		s->value = dump_text(a->dump, "%u", n);
}

static void add_parameters(struct adding *a)
{
	struct dump *d = a->dump;
	uint64_t n = 0, bytes = 0, at;
	enum status st = crash_kernel_pages(d, &n);

	add_of_boot(a, "crashkernel", st, n << d->page_shift, n << d->page_shift, "0",
		    "set aside for a capture kernel");
	st = printk_bytes(d, &n, &bytes);
	add_of_boot(a, "log_buf_len", st, n, bytes, NULL, "buffers of the kernel's log");
	st = dentry_buckets(d, &n);
	add_of_boot(a, "dhash_entries", st, n, n * BUCKET, NULL, "hash table of dentries");
	st = inode_buckets(d, &n);
	add_of_boot(a, "ihash_entries", st, n, n * BUCKET, NULL, "hash table of inodes");
	st = socket_buckets(d, &n);
	add_of_boot(a, "thash_entries", st, n, n * BUCKET, NULL, "hash table of TCP sockets");
	if (dump_has_symbol(d, "totalcma_pages")) {
		st = dump_symbol(d, "totalcma_pages", &at)
			     ?: dump_u64(d, at, &n, "totalcma_pages")
			     ?: dump_check(d, at, &n, sizeof(n), "totalcma_pages");
		if (st == ST_OK && n > MOST_BYTES >> d->page_shift)
			st = dump_corrupt(d, "totalcma_pages is %lu", n);
		add_of_boot(a, "cma", st, n << d->page_shift, n << d->page_shift, NULL,
			    "for pages that can be moved alone, until a driver asks for them");
	}
	st = hugetlb_walk(d, add_pool, a);
	if (st != ST_OK && st != ST_ABSENT)
		dump_lacks(d, "pools of huge pages", st, "%s", d->error);
}

/* "256 512 1024"; ST_ABSENT: this kernel has none. */
static enum status net_value(struct dump *d, const struct net_limit *l, struct strbuf *b)
{
	uint64_t at, n = 0;
	enum status st = dump_has_symbol(d, l->symbol) ? dump_symbol(d, l->symbol, &at) : ST_ABSENT;

	for (unsigned int i = 0; st == ST_OK && i < l->n; i++) {
		st = dump_read(d, at + (uint64_t)l->bytes * i, &n, l->bytes, l->symbol);
		strbuf_add(b, "%s%lu", i ? " " : "", n);
	}
	return st;
}

/* What the last word of a command line says that begins with a name and "="; NULL: none does. */
static const char *given_in(const char *line, const char *name)
{
	const size_t len = strlen(name);
	const char *found = NULL;

	for (const char *p = line; *p; p += strcspn(p, " "), p += strspn(p, " "))
		if (!strncmp(p, name, len) && p[len] == '=')
			found = p + len + 1;
	return found;
}

static void add_given(struct dump *d, struct vm_settings *to)
{
	char *line = dump_alloc(d, COMMAND_LINE);
	struct vm_setting *s;
	uint64_t at;

	if (dump_value(d, "saved_command_line", &at) != ST_OK ||
	    dump_string(d, at, line, COMMAND_LINE, "saved_command_line") != ST_OK)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(given); i++) {
		const char *value = given_in(line, given[i].name);

		if (!value || !(s = vm_settings_room(d, to)))
			continue;
		*s = (struct vm_setting){ .name = given[i].name, .remark = given[i].remark };
		s->value = dump_text(d, "%.*s", (int)strcspn(value, " "), value);
		s->has_changed = s->changed = true;
	}
}

void settings_add_given(struct dump *d, struct vm_settings *to)
{
	for (size_t i = 0; i < ARRAY_SIZE(net_limits); i++) {
		struct strbuf b = STRBUF_OF(SYSCTL_TEXT);
		enum status st = net_value(d, &net_limits[i], &b);
		struct vm_setting *s = st == ST_ABSENT ? NULL : vm_settings_room(d, to);

		if (!s)
			continue;
		*s = (struct vm_setting){ .name = net_limits[i].name, .is_minor = true };
		s->remark = net_limits[i].remark;
		to->unread += st == ST_UNREADABLE;
		to->unknown += st != ST_OK && st != ST_UNREADABLE;
		if (st == ST_OK)
			s->value = dump_strdup(d, b.buf);
	}
	add_given(d, to);
}

enum status settings_add(struct dump *d, struct vm_settings *to)
{
	struct adding a = { .dump = d, .to = to };
	uint64_t pages = 0;

	if (mem_total_sure(d, &pages) == ST_OK && pages < MOST_BYTES >> d->page_shift)
		a.ram = pages << d->page_shift;
	add_files(&a);
	huge_settings_walk(d, add_of_huge, &a);
	add_threads(&a);
	settings_add_given(d, to);
	add_parameters(&a);
	vm_settings_gaps(d, to);
	d->error[0] = '\0';
	return dump_stopped(d) ? ST_STOPPED : ST_OK;
}
