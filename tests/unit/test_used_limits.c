// SPDX-License-Identifier: GPL-2.0-or-later
/* Limits of which nearly all is used: which are told, and in which words. */
#include "collect/limit_users.h"

#include "task_stub.h"
#include "test.h"
#include "util/strbuf.h"

#define TASK(i) (0x10000ULL + (i)*0x1000)
#define SIGNAL(i) (0x20000ULL + (i)*0x1000)
#define MM(i) (0x30000ULL + (i)*0x1000)
#define VALUES 0x40000ULL
#define ARP 0x41000ULL
#define OFFSETS 0x42000ULL
#define STATS 0x43000ULL
#define FORMER 0x44000ULL /* where no symbol is */
#define NAMES 0x45000ULL
#define TEXTS 0x46000ULL
#define FILES 0x47000ULL
#define FD_BITS 0x48000ULL
#define TABLE 0x49000ULL
#define CRED 0x4a000ULL
#define COUNTS 0x4b000ULL
#define TENTHS 950
#define RLIMITS 16

static struct utask tasks[3];
static struct limited {
	struct usignal s;
	uint64_t rlim[RLIMITS][2];
} signals[3];
static struct umm {
	uint64_t total_vm, rss[4], data_vm;
	int32_t map_count, unused;
} mms[2];
static struct values {
	int32_t max_map_count, threads, max_threads, pid_max;
	uint32_t pids;
} values;
static struct neighbours {
	int32_t gc_thresh3, entries, gc_entries, unused;
	uint64_t stats;
} arp;
/* As of mips: lnames. */
static struct limit_name {
	uint64_t name, unit;
} names[RLIMITS];
static char texts[RLIMITS][32];
static struct fd_table {
	uint32_t max, unused;
	uint64_t fd, bits;
} table;
static uint64_t files_struct;
static struct credentials {
	uint64_t counts, capabilities;
	uint32_t uid, unused;
} cred;
static uint64_t of_user;
static uint64_t fds[32];
static uint64_t cpus[3] = { 0, 0x100, 3 }, fulls[2];

static struct stub_memory memory[] = {
	{ TASK(0), &tasks[0], sizeof(tasks[0]) },
	{ TASK(1), &tasks[1], sizeof(tasks[0]) },
	{ TASK(2), &tasks[2], sizeof(tasks[0]) },
	{ SIGNAL(0), &signals[0], sizeof(signals[0]) },
	{ SIGNAL(1), &signals[1], sizeof(signals[0]) },
	{ SIGNAL(2), &signals[2], sizeof(signals[0]) },
	{ VALUES, &values, sizeof(values) },
	{ ARP, &arp, sizeof(arp) },
	{ OFFSETS, cpus, sizeof(cpus) },
	{ STATS + 0x10, &fulls[0], 8 },
	{ STATS + 0x110, &fulls[1], 8 },
	{ MM(0), &mms[0], sizeof(mms[0]) },
	{ MM(1), &mms[1], sizeof(mms[0]) },
	{ NAMES, names, sizeof(names) },
	{ FILES, &files_struct, sizeof(files_struct) },
	{ TABLE, &table, sizeof(table) },
	{ FD_BITS, fds, sizeof(fds) },
	{ TEXTS, texts, sizeof(texts) },
	{ CRED, &cred, sizeof(cred) },
	{ COUNTS, &of_user, sizeof(of_user) },
	{ 0 },
};
enum { MM_ROW = 11 };

#define NEIGH(member)                                                                  \
	{                                                                              \
		"struct neigh_table", #member,                                         \
			FIELD(offsetof(struct neighbours, member), sizeof(arp.member)) \
	}

/* The last is not there before 5.0. */
static struct stub_member members[] = {
	TASK_MEMBERS,
	{ "struct signal_struct", "rlim",
	  KINDED(KIND_ARRAY, offsetof(struct limited, rlim), 16 * RLIMITS) },
	{ "struct mm_struct", "data_vm", FIELD(offsetof(struct umm, data_vm), 8) },
	{ "struct mm_struct", "map_count", FIELD(offsetof(struct umm, map_count), 4) },
	{ "struct pid_namespace", "pid_allocated", FIELD(offsetof(struct values, pids), 4) },
	{ "struct neigh_statistics", "table_fulls", FIELD(0x10, 8) },
	{ "struct limit_names", "name", FIELD(0, 8) },
	{ "struct fdtable", "open_fds", KINDED(KIND_POINTER, offsetof(struct fd_table, bits), 8) },
	/* Where this test has no use for faults. */
	{ "struct task_struct", "real_cred", FIELD(offsetof(struct utask, min), 8) },
	{ "struct cred", "ucounts", FIELD(0, 8) },
	{ "struct cred", "cap_effective", FIELD(8, 8) },
	{ "struct cred", "uid.val", FIELD(16, 4) },
	{ "struct ucounts", "rlimit", FIELD(0, 8) },
	NEIGH(gc_thresh3),
	NEIGH(entries),
	NEIGH(stats),
	NEIGH(gc_entries),
	{ 0 },
};
static struct stub_member *const last = &members[ARRAY_SIZE(members) - 2];

#define VALUE(member) (VALUES + offsetof(struct values, member))

static const struct stub_symbol symbols[] = {
	{ "init_task", TASK(0), { 0 } },
	{ "sysctl_max_map_count", VALUE(max_map_count), { 0 } },
	{ "nr_threads", VALUE(threads), { 0 } },
	{ "max_threads", VALUE(max_threads), { 0 } },
	{ "init_pid_ns", VALUES, { 0 } },
	{ "pid_max", VALUE(pid_max), { 0 } },
	{ "arp_tbl", ARP, { 0 } },
	{ "__per_cpu_offset", OFFSETS, KINDED(KIND_ARRAY, 0, 16) },
	{ "lnames", NAMES, { 0 } },
	{ "__cpu_possible_mask", OFFSETS + 16, FIELD(0, 8) },
	{ 0 },
};
static const struct stub_number counters[] = { TASK_COUNTERS, { "UCOUNT_RLIMIT_NPROC", 0 }, { 0 } };
static const struct stub_number sizes[] = {
	{ "struct limit_names", 16 }, { "struct files_struct", 8 }, { "struct fdtable", 24 }, { 0 }
};
static const char *arch;
static struct stub stub;

/* Two processes, and nothing that is at a limit. */
static void set_up(void)
{
	stub = (struct stub){ .memory = memory,
			      .members = members,
			      .symbols = symbols,
			      .enumerators = counters,
			      .sizes = sizes };
	arch = "x86_64";
	memset(names, 0, sizeof(names));
	*last = (struct stub_member)NEIGH(gc_entries);
	memory[MM_ROW].addr = MM(0);
	for (unsigned int i = 0; i < 3; i++) {
		tasks[i] = (struct utask){ .tasks = { TASK((i + 1) % 3), TASK((i + 2) % 3) },
					   .node = { SIGNAL(i), SIGNAL(i) },
					   .pid = (int)i * 123,
					   .tgid = (int)i * 123,
					   .comm = "java",
					   .signal = SIGNAL(i),
					   .mm = i ? MM(i - 1) : 0,
					   .min = CRED,
					   .flags = i ? 0 : PF_KTHREAD };
		signals[i] = (struct limited){ .s = { .head = { TASK(i) + 16, TASK(i) + 16 } } };
		memset(signals[i].rlim, 0xff, sizeof(signals[i].rlim));
	}
	for (unsigned int i = 0; i < 2; i++)
		mms[i] = (struct umm){ .total_vm = 1000, .data_vm = 100, .map_count = 62253 };
	values = (struct values){ 65530, 949, 1000, 32768, 949 | 1U << 31 };
	arp = (struct neighbours){ 1024, 1100, 972, 0, STATS };
	fulls[0] = fulls[1] = 43130;
	cred = (struct credentials){ COUNTS, 0, 0, 0 };
	of_user = 60;
}

/* All of them, each in a line. */
static const char *told(struct used_limits *l)
{
	static char text[1024];
	struct strbuf b = STRBUF(text);

	stub_open(&stub);
	stub.dump.arch = arch;
	used_limits_collect(&stub.dump, TENTHS, l);
	used_limits_add_ports(&stub.dump, l);
	for (unsigned int i = 0; i < l->n; i++) {
		used_limit_text(&l->all[i], &b);
		strbuf_add(&b, "\n");
	}
	stub_close(&stub);
	return text;
}

static void test_none(void)
{
	struct used_limits l;

	set_up();
	CHECK_TEXT(told(&l), "");
	CHECK(!l.partial && !l.more);
}

static void test_processes(void)
{
	struct used_limits l;

	set_up();
	mms[0].map_count = 65531;
	signals[2].rlim[9][0] = 1024 << 12;
	signals[2].rlim[2][0] = 104 << 12;
	CHECK_TEXT(
		told(&l),
		"java (123) has 65,531 of 65,530 mappings that vm.max_map_count allows\n"
		"java (246) has 3.9M of 4.0M of address space that its RLIMIT_AS allows\n"
		"java (246) has 400.0K of 416.0K of data mappings that its RLIMIT_DATA allows\n");
	CHECK(!l.partial);
	/* Of one memory the limit is reached once. */
	tasks[2].mm = MM(0);
	signals[2].rlim[9][0] = signals[2].rlim[2][0] = UINT64_MAX;
	CHECK_TEXT(told(&l),
		   "java (123) has 65,531 of 65,530 mappings that vm.max_map_count allows\n");
	/* The fullest comes first. */
	tasks[2].mm = MM(1);
	mms[1].map_count = 131060;
	CHECK_TEXT(told(&l),
		   "java (246) has 131,060 of 65,530 mappings that vm.max_map_count allows\n"
		   "java (123) has 65,531 of 65,530 mappings that vm.max_map_count allows\n");
	tasks[2].mm = MM(0);
	/* Damage. */
	mms[0].map_count = -1;
	values.max_map_count = values.threads = -1;
	CHECK_TEXT(told(&l), "");
}

static void test_machine(void)
{
	struct used_limits l;

	set_up();
	arp.gc_entries = 1024;
	values.threads = 960;
	values.pid_max = 999;
	CHECK_TEXT(told(&l),
		   "the IPv4 neighbour table has 1,024 of 1,024 entries that "
		   "net.ipv4.neigh.default.gc_thresh3 allows, which refused 86,260 requests since "
		   "boot\n"
		   "this kernel has 960 of 1,000 threads that kernel.threads-max allows\n");
	values.pids = 990 | 1U << 31;
	CHECK(strstr(told(&l), "this kernel has 990 of 999 PIDs that kernel.pid_max allows\n"));
	/* Those that may be dropped are: nothing was refused. */
	fulls[0] = fulls[1] = 0;
	CHECK(!strstr(told(&l), "neighbour"));
}

static void test_former_table(void)
{
	struct used_limits l;

	set_up();
	*last = (struct stub_member){ 0 };
	CHECK(strstr(told(&l), "the IPv4 neighbour table has 1,100 of 1,024 entries"));
}

/* Descriptors that are taken, of a process whose table has more room than it may use. */
static void test_descriptors(void)
{
	struct used_limits l;

	set_up();
	tasks[2].files = FILES;
	signals[2].rlim[7][0] = 1000;
	files_struct = TABLE;
	table = (struct fd_table){ .max = 2048, .bits = FD_BITS };
	memset(fds, 0, sizeof(fds));
	memset(fds, 0xff, 949 / 8);
	CHECK_TEXT(told(&l), "");
	/* 960 of the first 1,000; what is behind was taken before the limit was set. */
	memset(fds, 0xff, 120);
	memset((uint8_t *)fds + 125, 0xff, 100);
	CHECK_TEXT(told(&l), "java (246) has 960 of 1,000 descriptors that RLIMIT_NOFILE allows\n");
	memset(fds, 0xff, sizeof(fds));
	CHECK_TEXT(told(&l),
		   "java (246) has 1,000 of 1,000 descriptors that RLIMIT_NOFILE allows\n");
	/* A table that has no room for so many has not so many. */
	table.max = 256;
	CHECK_TEXT(told(&l), "");
	CHECK(!l.partial);
	table.max = 1U << 23;
	CHECK_TEXT(told(&l), "");
	CHECK(l.partial);
	/* What is missing of it costs no other limit. */
	table.max = 2048;
	table.bits = FORMER;
	signals[2].rlim[9][0] = 1024 << 12;
	CHECK_TEXT(told(&l),
		   "java (246) has 3.9M of 4.0M of address space that its RLIMIT_AS allows\n");
	CHECK(l.partial);
	signals[2].rlim[9][0] = UINT64_MAX;
	/* RLIM_INFINITY, and a process that gave its table back. */
	signals[2].rlim[7][0] = UINT64_MAX;
	CHECK_TEXT(told(&l), "");
	CHECK(!l.partial);
	signals[2].rlim[7][0] = 10;
	tasks[2].files = 0;
	CHECK_TEXT(told(&l), "");
	CHECK(!l.partial);
}

/* What fork() refuses a user. */
static void test_forks(void)
{
	struct used_limits l;
	struct limit_users u;

	set_up();
	cred.uid = 33;
	signals[2].rlim[6][0] = 60;
	CHECK_TEXT(told(&l), "user 33 has 60 of 60 processes and threads that RLIMIT_NPROC allows: "
			     "fork() by java (246) fails (EAGAIN)\n");
	of_user = 58;
	CHECK_TEXT(told(&l),
		   "user 33 has 58 of 60 processes and threads that RLIMIT_NPROC allows\n");
	/* A limit that is far below: its process is to fork nothing. */
	of_user = 130;
	CHECK_TEXT(told(&l), "");
	of_user = 56;
	CHECK_TEXT(told(&l), "");
	CHECK(!l.partial);
	of_user = 60;
	stub_open(&stub);
	stub.dump.arch = arch;
	used_limits_collect(&stub.dump, TENTHS, &l);
	CHECK(l.n == 1 && limit_users_find(&stub.dump, &l.all[0], &u) == ST_OK && !u.problem);
	/* The threads of root are not of it. */
	CHECK(u.n == 1 && u.all[0].processes == 2);
	cred.uid = 34;
	CHECK(limit_users_find(&stub.dump, &l.all[0], &u) == ST_OK && !u.n);
	stub_close(&stub);
	cred.uid = 33;
	cred.counts = FORMER;
	CHECK_TEXT(told(&l), "");
	CHECK(l.partial);
}

static void test_unreadable(void)
{
	struct used_limits l;

	set_up();
	mms[1].map_count = 65530;
	memory[MM_ROW].addr = FORMER;
	CHECK_TEXT(told(&l),
		   "java (246) has 65,530 of 65,530 mappings that vm.max_map_count allows\n");
	CHECK(l.partial);
}

/* The numbers of limits are those of the architecture: mips has 6 for the address space. */
static void test_numbers(void)
{
	struct used_limits l;

	set_up();
	signals[2].rlim[6][0] = 1024 << 12;
	signals[2].rlim[2][0] = 104 << 12;
	arch = NULL;
	CHECK_TEXT(told(&l), "");
	CHECK(l.partial);
	for (unsigned int i = 0; i < RLIMITS; i++) {
		names[i].name = TEXTS + i * sizeof(texts[0]);
		snprintf(texts[i], sizeof(texts[i]), "%s",
			 i == 2	  ? "Max data size"
			 : i == 6 ? "Max address space"
			 : i == 9 ? "Max locked memory"
			 : i == 5 ? "Max open files"
			 : i == 7 ? "Max processes"
				  : "Max nice priority");
	}
	CHECK_TEXT(
		told(&l),
		"java (246) has 3.9M of 4.0M of address space that its RLIMIT_AS allows\n"
		"java (246) has 400.0K of 416.0K of data mappings that its RLIMIT_DATA allows\n");
	CHECK(!l.partial);
	/* A table that has not both is no such table. */
	texts[6][0] = 'm';
	CHECK_TEXT(told(&l), "");
	CHECK(l.partial);
}

/* Threads of one name are together, those of the first processes too. */
static void test_users(void)
{
	struct limit_users u;
	struct used_limits l;
	char text[64];
	struct strbuf b = STRBUF(text);

	set_up();
	values.threads = 960;
	stub_open(&stub);
	stub.dump.arch = arch;
	used_limits_collect(&stub.dump, TENTHS, &l);
	CHECK(l.n == 1 && l.all[0].counts == LIMIT_COUNTS_THREADS);
	CHECK(limit_users_find(&stub.dump, &l.all[0], &u) == ST_OK && !u.problem);
	CHECK(u.n == 1 && u.all[0].n == 2 && u.all[0].processes == 2);
	limit_user_text(&u.all[0], &b);
	CHECK_TEXT(text, "2 processes java");
	/* Of another name there is another row, the largest first. */
	stub.dump.task_rows = NULL; /* a walk of another command */
	strcpy(tasks[1].comm, "init");
	tasks[2].pid =
		247; /* a thread of its own name, of a process whose first one is not there */
	CHECK(limit_users_find(&stub.dump, &l.all[0], &u) == ST_OK);
	CHECK(u.n == 2 && u.all[0].n == 1 && u.all[1].n == 1);
	b = STRBUF(text);
	limit_user_text(&u.all[0], &b);
	strbuf_add(&b, ", ");
	limit_user_text(&u.all[1], &b);
	CHECK_TEXT(text, "init (123), java (246)");
	l.all[0].counts = LIMIT_COUNTS_OTHER;
	CHECK(limit_users_find(&stub.dump, &l.all[0], &u) == ST_ABSENT);
}

/* Who has most of them stands before the rest. */
static void test_effect(void)
{
	struct used_limit l = { .whose = "TCP to 10.0.0.5:443",
				.noun = "local ports",
				.setting = "net.ipv4.ip_local_port_range",
				.used = 1024,
				.limit = 1024,
				.effect = "connect() to it fails (EADDRNOTAVAIL)" };
	char text[256];
	struct strbuf b = STRBUF(text);

	used_limit_text(&l, &b);
	CHECK_TEXT(text, "TCP to 10.0.0.5:443 has 1,024 of 1,024 local ports that "
			 "net.ipv4.ip_local_port_range allows: connect() to it fails "
			 "(EADDRNOTAVAIL)");
	b = STRBUF(text);
	l.by = "payd (305) has 1,002 of them";
	used_limit_text(&l, &b);
	CHECK(strstr(text, " allows: payd (305) has 1,002 of them, connect() to it fails"));
}

TESTS({ "what a limit that is used up does", test_effect },
      { "below 95 percent nothing is told", test_none },
      { "mappings, address space and data of a process", test_processes },
      { "numbers of limits", test_numbers }, { "neighbours, threads, PIDs", test_machine },
      { "before 5.0 all neighbours are counted", test_former_table },
      { "who uses one up", test_users }, { "descriptors of a process", test_descriptors },
      { "threads of a user", test_forks },
      { "an mm_struct that is missing makes the answer a part", test_unreadable })
