// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose objects of task_struct and its like are: of parents that do not wait for their children, of processes with threads. */
#include "kept/cache_owners.h"
#include "stub.h"
#include "tasks/name_stem.h"
#include "test.h"

static struct stub stub;
static struct summary sum;
static struct report report;
static struct strbuf text;
static struct asked_cache a;

/* A cache with that many objects, and init (1), spoold (5), which has threads 6 to 9. */
static void begin(uint64_t taken)
{
	static struct slab_use use;
	static char buf[512];

	STUB_OPEN(stub);
	report = (struct report){ .dump = &stub.dump, .tells_unknown = true };
	report.last_unknown = &report.unknown;
	sum = (struct summary){ .dump = &stub.dump, .report = &report };
	/* Two more that a CPU has on its free list. */
	use = (struct slab_use){ .taken = taken + 2, .idle = 2, .is_idle_known = true };
	text = strbuf_in(buf, sizeof(buf));
	a = (struct asked_cache){ .s = &sum, .use = &use, .b = &text };
	a.task_owners = task_owners_new(&stub.dump);
	task_owners_add(a.task_owners, &(struct task){ .pid = 1, .tgid = 1, .comm = "init" });
	for (int i = 5; i < 10; i++)
		task_owners_add(a.task_owners,
				&(struct task){ .pid = i, .tgid = 5, .comm = "spoold" });
}

static void zombies(int from, int to, const char *comm, bool has_ppid)
{
	struct task t = { .has_ppid = has_ppid, .ppid = 5, .state = 'Z' };

	snprintf(t.comm, sizeof(t.comm), "%s", comm);
	for (t.pid = from; t.pid <= to; t.pid++) {
		t.tgid = t.pid;
		task_owners_add(a.task_owners, &t);
	}
}

static void of_parents(void)
{
	begin(106);
	zombies(100, 199, "filter", true);
	cache_ask_tasks(&a);
	CHECK_TEXT(text.buf, "100 of 106 objects are of zombies filter, not reaped by spoold (5)");
	CHECK(a.keeper && a.keeper->tgid == 5);
	CHECK_TEXT(a.keeper_objects, "100 zombies filter, not reaped by it");
	CHECK(strstr(a.keeper_what, "100 of 106 objects of slab cache ") &&
	      strstr(a.keeper_what, " are of zombies filter, not reaped by it"));
	CHECK(strstr(a.command, "-g ppid"));
	/* They have several names; a thread has no signal_struct of its own. */
	begin(102);
	zombies(100, 149, "filter", true);
	zombies(150, 199, "sort", true);
	cache_ask_processes(&a);
	CHECK_TEXT(text.buf, "100 of 102 objects are of zombies, not reaped by spoold (5)");
	/* Their first threads have ended, others have not: no parent can reap them. */
	begin(106);
	for (int i = 100; i < 200; i += 2) {
		zombies(i, i, "worker", true);
		task_owners_add(a.task_owners,
				&(struct task){ .pid = i + 1, .tgid = i, .comm = "worker" });
	}
	cache_ask_tasks(&a);
	CHECK(!strstr(text.buf, "zombies"));
	/* Of a few their parent is no matter. */
	begin(1000);
	zombies(100, 110, "filter", true);
	cache_ask_tasks(&a);
	CHECK_TEXT(text.buf, "");
	CHECK(!a.keeper);
}

/* Each kernel thread is a process of its own, and its name has a number. */
static void of_kernel_threads(void)
{
	char stem[NAME_STEM];

	CHECK_TEXT(name_stem("fbgw/12", stem), "fbgw/*");
	CHECK_TEXT(name_stem("jbd2/vda-8", stem), "jbd*");
	CHECK_TEXT(name_stem("kswapd", stem), "kswapd");
	CHECK_TEXT(name_stem("9pd", stem), "9pd");
	CHECK_TEXT(name_stem("", stem), "");
	begin(110);
	for (int i = 100; i < 200; i++) {
		struct task t = { .pid = i, .tgid = i, .is_kthread = true };

		snprintf(t.comm, sizeof(t.comm), "fbgw/%d", i);
		task_owners_add(a.task_owners, &t);
	}
	cache_ask_tasks(&a);
	CHECK_TEXT(text.buf, "100 of 110 objects are of 100 kernel threads fbgw/*");
	CHECK(!a.keeper && a.keeper_of == 100);
	CHECK_TEXT(a.keeper_group, "fbgw/*");
	CHECK_TEXT(a.keeper_text, "100 kernel threads fbgw/*");
	/* Of more objects who has most is not known. */
	begin(200);
	for (int i = 100; i < 200; i++) {
		struct task t = { .pid = i, .tgid = i, .is_kthread = true };

		snprintf(t.comm, sizeof(t.comm), "fbgw/%d", i);
		task_owners_add(a.task_owners, &t);
	}
	cache_ask_processes(&a);
	CHECK(!a.keeper_group && *text.buf);
}

static void of_threads(void)
{
	begin(6);
	cache_ask_tasks(&a);
	CHECK_TEXT(text.buf, "5 of 6 objects are of threads of spoold (5)");
	CHECK_TEXT(a.keeper_objects, "5 threads");
	/* It is not all of them. */
	begin(10);
	cache_ask_tasks(&a);
	CHECK_TEXT(text.buf, "5 of 10 objects are of threads of spoold (5)");
	CHECK(!a.keeper);
	/* Many processes of a name have what none of them has much of. */
	begin(66);
	for (int i = 100; i < 160; i++)
		task_owners_add(a.task_owners,
				&(struct task){ .pid = i, .tgid = i, .comm = "feedpull" });
	cache_ask_tasks(&a);
	CHECK_TEXT(text.buf, "60 of 66 objects are of threads of 60 processes feedpull");
	CHECK(!a.keeper);
}

/* VMAs are of an mm_struct, which threads, and what vfork() made, have too. */
static void of_maps(void)
{
	struct task t = { .pid = 9, .tgid = 9, .comm = "jitd", .mm = 0x1000 };

	begin(110);
	a.map_owners = map_owners_new(&stub.dump);
	map_owners_add(a.map_owners, &t, 100);
	t.pid = 10;
	map_owners_add(a.map_owners, &t, 100);
	map_owners_add(a.map_owners, &(struct task){ .pid = 5, .tgid = 5, .mm = 0x2000 }, 3);
	cache_ask_maps(&a);
	CHECK_TEXT(text.buf, "100 of 110 objects are mappings of jitd (9)");
	CHECK(a.keeper && a.keeper->tgid == 9);
	CHECK_TEXT(a.keeper_objects, "100 mappings");
	/* What they consist of names no one; each may have some of a kind. */
	begin(150);
	a.map_owners = map_owners_new(&stub.dump);
	map_owners_add(a.map_owners, &t, 100);
	map_owners_add(a.map_owners, &(struct task){ .pid = 5, .tgid = 5, .mm = 0x2000 }, 3);
	cache_ask_map_parts(&a);
	CHECK_TEXT(text.buf, "150 of 150 objects are parts of mappings (inferred) of jitd (9)");
	CHECK(a.keeper && a.keeper->tgid == 9);
	begin(150);
	a.map_owners = map_owners_new(&stub.dump);
	map_owners_add(a.map_owners, &t, 100);
	map_owners_add(a.map_owners, &(struct task){ .pid = 5, .tgid = 5, .mm = 0x2000 }, 30);
	cache_ask_map_parts(&a);
	CHECK(!a.keeper && !*text.buf);
	begin(1000);
	a.map_owners = map_owners_new(&stub.dump);
	map_owners_add(a.map_owners, &t, 100);
	cache_ask_map_parts(&a);
	CHECK(!a.keeper);
	/* More than there are objects: a number is wrong. */
	begin(90);
	a.map_owners = map_owners_new(&stub.dump);
	map_owners_add(a.map_owners, &t, 100);
	cache_ask_maps(&a);
	CHECK_TEXT(text.buf, "");
	CHECK(!a.keeper);
}

/* Of 100 files 97 are timerfds, each with a dentry of its own; files of tmpfs have one with a name. */
static void of_files(void)
{
	static const int32_t tgid = 9;
	struct open_count *c;

	for (int dentries = 0; dentries < 2; dentries++) {
		begin(110);
		a.open_counts = dump_alloc(&stub.dump, sizeof(*a.open_counts));
		hash_bytes_init(&a.open_counts->all, stub.dump.arena, sizeof(struct open_count));
		c = hash_bytes_get(&a.open_counts->all, &tgid, sizeof(tgid), NULL)->value;
		*c = (struct open_count){
			.comm = "watchd", .tgid = 9, .n = 100, .of_kind = { [4] = 97, [10] = 3 }
		};
		if (dentries)
			cache_ask_dentries(&a);
		else
			cache_ask_files(&a);
		CHECK(strstr(text.buf, dentries ? "97 of 110 objects are of open files ("
						: "100 of 110 objects are of open files ("));
		CHECK(strstr(text.buf, "97 timerfds") && strstr(text.buf, " of watchd (9)"));
	}
	/* More than there are objects: what several share counts for each. */
	begin(90);
	a.open_counts = dump_alloc(&stub.dump, sizeof(*a.open_counts));
	hash_bytes_init(&a.open_counts->all, stub.dump.arena, sizeof(struct open_count));
	c = hash_bytes_get(&a.open_counts->all, &tgid, sizeof(tgid), NULL)->value;
	*c = (struct open_count){ .comm = "watchd", .tgid = 9, .n = 100 };
	cache_ask_files(&a);
	CHECK_TEXT(text.buf, "");
}

static struct mount_namespace spaces[8];
static struct mount_namespaces mounts;
static struct held held;

/* Of the initial one, of init's child, and of sandboxes below spoold (5). */
static void spread(uint32_t each, unsigned int sandboxes, int32_t last_ppid)
{
	begin(1010);
	memset(spaces, 0, sizeof(spaces));
	mounts = (struct mount_namespaces){ .all = spaces, .n = 1 + sandboxes };
	held = (struct held){ .mounts = &mounts };
	a.held = &held;
	spaces[0] = (struct mount_namespace){ .mounts = each, .is_initial = true };
	for (unsigned int i = 1; i <= sandboxes; i++) {
		const int32_t pid = 100 + (int32_t)i;
		struct task t = { .pid = pid, .tgid = pid, .has_ppid = true, .comm = "sandbox" };

		t.ppid = i == sandboxes ? last_ppid : 5;
		task_owners_add(a.task_owners, &t);
		spaces[i] = (struct mount_namespace){ .mounts = each,
						      .proxies = 1,
						      .count = { 1, true } };
		file_users_add(stub.dump.arena, &spaces[i].users,
			       file_user_new(&stub.dump, pid, "sandbox"));
	}
	cache_ask_mounts(&a);
}

static void of_mounts(void)
{
	spread(125, 7, 5);
	CHECK_TEXT(text.buf, "1,000 of 1,010 objects are mounts in 8 mount namespaces, "
			     "7 of them of processes sandbox, children of spoold (5)");
	CHECK(!a.keeper);
	/* One of another parent; and of init, which did not start them, each says nothing. */
	spread(125, 7, 1);
	CHECK_TEXT(text.buf, "1,000 of 1,010 objects are mounts in 8 mount namespaces, "
			     "7 of them of processes sandbox");
	spread(300, 2, 5);
	CHECK_TEXT(text.buf,
		   "900 of 1,010 objects are mounts in 3 mount namespaces, the largest part, 600, "
		   "in 2 of them of processes sandbox, children of spoold (5)");
	/* Who has the others is not known where a file keeps them, too. */
	begin(1010);
	a.held = &held;
	spaces[1].count.n = spaces[2].count.n = 2;
	cache_ask_mounts(&a);
	CHECK_TEXT(text.buf,
		   "900 of 1,010 objects are mounts in 3 mount namespaces, the largest part, 300, "
		   "in the initial mount namespace");
}

TESTS({ "of kernel threads", of_kernel_threads }, { "mounts", of_mounts },
      { "open files", of_files }, { "mappings", of_maps },
      { "zombies by their parents", of_parents }, { "threads by their processes", of_threads })
