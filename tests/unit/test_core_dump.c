// SPDX-License-Identifier: GPL-2.0-or-later
/* Which process dumps core, of what signal, and who reads the dump. */
#include "files/pipe_writer.h"
#include "stub.h"
#include "tasks/core_dump.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (uint64_t)(i)*0x1000)
#define SIGNAL AT(0)
#define MM AT(1)
#define STATE AT(2)
#define DUMPER AT(3)
#define READER AT(4)
#define FILES AT(5)
#define TABLE AT(6)
#define FDS AT(7)
#define FILE_0 AT(8)
#define PIPE AT(9)
#define ENTRY AT(10)
#define FIFO_OPS AT(11)
#define ANON_OPS AT(12)

static struct {
	uint64_t state, code;
} signal_part;
static uint64_t mm_state, dumper, files, table, fds, fd_0;
static struct {
	uint64_t operations, pipe;
} file;
static struct {
	uint64_t queue[2], read[2];
} pipe_info;
static struct {
	uint64_t private, next, prev;
} entry;

static const struct stub_memory memory[] = {
	{ SIGNAL, &signal_part, sizeof(signal_part) },
	{ MM, &mm_state, sizeof(mm_state) },
	{ STATE, &dumper, sizeof(dumper) },
	{ READER, &files, sizeof(files) },
	{ FILES, &table, sizeof(table) },
	{ TABLE, &fds, sizeof(fds) },
	{ FDS, &fd_0, sizeof(fd_0) },
	{ FILE_0, &file, sizeof(file) },
	{ PIPE, &pipe_info, sizeof(pipe_info) },
	{ ENTRY, &entry, sizeof(entry) },
	{ 0 },
};

#define OF_STATE                                                \
	{                                                       \
		"struct core_state", "dumper.task", FIELD(0, 8) \
	}
#define OF_CODE                                                        \
	{                                                              \
		"struct signal_struct", "group_exit_code", FIELD(8, 4) \
	}
static const struct stub_member of_6_12[] = {
	{ "struct signal_struct", "core_state", FIELD(0, 8) }, OF_CODE, OF_STATE, { 0 }
};
static const struct stub_member of_5_10[] = {
	{ "struct mm_struct", "core_state", FIELD(0, 8) }, OF_CODE, OF_STATE, { 0 }
};
static const struct stub_member of_none[] = { OF_CODE, OF_STATE, { 0 } };

static enum status read_dump(const struct stub_member *members, const struct stub_memory *in,
			     struct core_dump *ret, char *why, size_t size)
{
	STUB(s, in, NULL, members);
	const struct task t = { .pid = 156, .tgid = 156, .signal = SIGNAL, .mm = MM };
	struct core_dumps c;
	enum status st;

	st = core_dumps_open(&s.dump, &c) ?: core_dump_read(&c, &t, ret);
	snprintf(why, size, "%s", st ? s.dump.error : "");
	return st;
}

static void who_dumps(void)
{
	struct core_dump c = { 0 };
	char why[256], text[32];

	dumper = DUMPER;
	/* The flag that a dump was made comes to the number at its end. */
	signal_part.code = 0x80 | 11;
	signal_part.state = STATE;
	mm_state = 0;
	CHECK(read_dump(of_6_12, memory, &c, why, sizeof(why)) == ST_OK);
	CHECK(c.task == DUMPER && c.signal == 11);
	CHECK_TEXT(core_dump_signal(c.signal, text, sizeof(text)), "SIGSEGV");
	CHECK_TEXT(core_dump_signal(42, text, sizeof(text)), "signal 42");
	CHECK_TEXT(core_dump_signal(9, text, sizeof(text)), "signal 9");
	CHECK(read_dump(of_5_10, memory, &c, why, sizeof(why)) == ST_ABSENT);
	signal_part.state = 0;
	CHECK(read_dump(of_6_12, memory, &c, why, sizeof(why)) == ST_ABSENT);
	CHECK_TEXT(why, "pid 156 dumps no core");
	mm_state = STATE;
	c = (struct core_dump){ 0 };
	CHECK(read_dump(of_5_10, memory, &c, why, sizeof(why)) == ST_OK && c.task == DUMPER);
}

static void unknown(void)
{
	struct core_dump c = { .signal = 99 };
	char why[256];

	signal_part.state = STATE;
	dumper = 0;
	CHECK(read_dump(of_6_12, memory, &c, why, sizeof(why)) == ST_CORRUPT);
	CHECK(strstr(why, "core_state at"));
	signal_part.state = 0x1000;
	CHECK(read_dump(of_6_12, memory, &c, why, sizeof(why)) == ST_UNREADABLE);
	CHECK(read_dump(of_6_12, &memory[1], &c, why, sizeof(why)) == ST_UNREADABLE);
	CHECK(read_dump(of_none, memory, &c, why, sizeof(why)) == ST_UNKNOWN);
	CHECK(strstr(why, "no core_state in"));
	CHECK(c.signal == 99);
}

#define OF_PIPE                                                                                  \
	{ "struct task_struct", "files", FIELD(0, 8) },                                          \
		{ "struct files_struct", "fdt", FIELD(0, 8) },                                   \
		{ "struct fdtable", "fd", FIELD(0, 8) }, { "struct file", "f_op", FIELD(0, 8) }, \
		{ "struct file", "private_data", FIELD(8, 8) },                                  \
		{ "struct pipe_inode_info", "bufs", FIELD(64, 8) },                              \
		{ "struct pipe_inode_info", "ring_size", FIELD(72, 4) },                         \
		{ "struct pipe_inode_info", "head", FIELD(76, 4) },                              \
		{ "struct pipe_inode_info", "tail", FIELD(80, 4) },                              \
		{ "struct pipe_inode_info", "tmp_page", FIELD(88, 16) },                         \
		{ "struct pipe_buffer", "page", FIELD(0, 8) },                                   \
		{ "struct wait_queue_head", "head", FIELD(0, 16) },                              \
		{ "struct wait_queue_entry", "private", FIELD(0, 8) },                           \
	{                                                                                        \
		"struct wait_queue_entry", "entry", FIELD(8, 16)                                 \
	}
static const struct stub_member with_two[] = {
	OF_PIPE, { "struct pipe_inode_info", "wr_wait", FIELD(0, 16) }, { 0 }
};
static const struct stub_member with_one[] = { OF_PIPE,
					       { "struct pipe_inode_info", "wait", FIELD(0, 16) },
					       { 0 } };
static const struct stub_symbol symbols[] = { { "pipefifo_fops", FIFO_OPS, { 0 } },
					      { "anon_pipe_write", 1, { 0 } },
					      { "pipeanon_fops", ANON_OPS, { 0 } },
					      { 0 } };
static const struct stub_number sizes[] = { { "struct pipe_buffer", 40 }, { 0 } };

static enum status waits(const struct stub_member *members, const struct stub_memory *in)
{
	STUB(s, in, symbols, members, sizes);
	struct pipe_writers p;

	return pipe_writers_open(&s.dump, &p) ?: pipe_writer_waits(&p, READER, DUMPER);
}

static void ready(void)
{
	files = FILES;
	table = TABLE;
	fds = FDS;
	fd_0 = FILE_0;
	file.operations = ANON_OPS;
	file.pipe = PIPE;
	pipe_info.queue[0] = pipe_info.queue[1] = ENTRY + 8;
	entry.private = DUMPER;
	entry.next = entry.prev = PIPE;
}

static void who_reads(void)
{
	ready();
	CHECK(waits(with_two, memory) == ST_OK && waits(with_one, memory) == ST_OK);
	entry.private = READER;
	CHECK(waits(with_two, memory) == ST_ABSENT);
	pipe_info.queue[0] = pipe_info.queue[1] = PIPE;
	CHECK(waits(with_two, memory) == ST_ABSENT);
	ready();
	file.operations = AT(20);
	CHECK(waits(with_two, memory) == ST_ABSENT);
	ready();
	fd_0 = 0;
	CHECK(waits(with_two, memory) == ST_ABSENT);
	ready();
	files = 0;
	CHECK(waits(with_two, memory) == ST_ABSENT);
	ready();
	files = 0x1000;
	CHECK(waits(with_two, memory) == ST_UNREADABLE);
	/* A link back that leads elsewhere. */
	ready();
	entry.private = READER;
	entry.prev = AT(20);
	CHECK(waits(with_two, memory) == ST_CORRUPT);
}

#define STACK AT(32)

/* One that does not sleep has the file of the dump on its stack. */
static enum status has(uint64_t word)
{
	static uint64_t stack[512], task[4];
	static const struct stub_memory more[] = {
		{ READER, &files, sizeof(files) }, { FILES, &table, sizeof(table) },
		{ TABLE, &fds, sizeof(fds) },	   { FDS, &fd_0, sizeof(fd_0) },
		{ FILE_0, &file, sizeof(file) },   { DUMPER, task, sizeof(task) },
		{ STACK, stack, sizeof(stack) },   { 0 },
	};
	static const struct stub_member members[] = {
		OF_PIPE,
		{ "struct pipe_inode_info", "wr_wait", FIELD(0, 16) },
		{ "struct task_struct", "stack", FIELD(8, 8) },
		{ "struct task_struct", "on_cpu", FIELD(16, 4) },
		{ "struct task_struct", "thread.sp", FIELD(24, 8) },
		{ "struct inactive_task_frame", "bp", FIELD(40, 8) },
		{ "struct inactive_task_frame", "ret_addr", FIELD(48, 8) },
		{ 0 }
	};
	static const struct stub_number with_stack[] = { { "struct pipe_buffer", 40 },
							 { "struct inactive_task_frame", 56 },
							 { "union thread_union", sizeof(stack) },
							 { 0 } };
	STUB(s, more, symbols, members, with_stack);
	struct pipe_writers p;

	task[1] = STACK;
	task[3] = STACK + 0x700;
	stack[300] = word;
	return pipe_writers_open(&s.dump, &p) ?: pipe_writer_has(&p, READER, DUMPER);
}

static void who_writes(void)
{
	ready();
	CHECK(has(FILE_0) == ST_OK);
	CHECK(has(0) == ST_ABSENT);
	CHECK(has(AT(20)) == ST_ABSENT);
	file.operations = AT(20);
	CHECK(has(FILE_0) == ST_ABSENT);
}

TESTS({ "who writes the dump", who_writes }, { "who dumps core", who_dumps },
      { "whether one does is unknown", unknown }, { "who reads the dump", who_reads })
