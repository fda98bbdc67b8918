// SPDX-License-Identifier: GPL-2.0-or-later
/* Who removes a file of sysfs and waits until no thread uses it, maybe from within its own use of that file. */
#include "collect/stuck_drains.h"
#include "collect/in_fault.h"
#include "collect/stuck.h"
#include "stub.h"
#include "test.h"
#include "util/strbuf.h"

enum { SCHEDULE, DRAIN, REMOVE, DROP, STORE, USE, WRITE, PROC, PROC_USE, N };

#define TEXT(i) (0xffffffff81000000ULL + 0x100 * (i))
#define AT(i) (0xffff888000100000ULL + 0x1000 * (i))
#define STACK AT(8)
#define BIAS 0x80000001U

static const struct stub_symbol symbols[] = { { "__schedule", TEXT(SCHEDULE), FIELD(0, 0) },
					      { "kernfs_drain", TEXT(DRAIN), FIELD(0, 0) },
					      { "kernfs_remove_by_name_ns", TEXT(REMOVE),
						FIELD(0, 0) },
					      { "hub_drop", TEXT(DROP), FIELD(0, 0) },
					      { "dev_attr_store", TEXT(STORE), FIELD(0, 0) },
					      { "kernfs_fop_write_iter", TEXT(USE), FIELD(0, 0) },
					      { "vfs_write", TEXT(WRITE), FIELD(0, 0) },
					      { "proc_entry_rundown", TEXT(PROC), FIELD(0, 0) },
					      { "proc_reg_write", TEXT(PROC_USE), FIELD(0, 0) },
					      { 0 } };
static struct {
	uint64_t parent, name;
	uint32_t active;
} nodes[3];
static uint64_t open_file[2], words[N * 2];
static char names[2][256];
static const struct stub_memory memory[] = { { AT(0), &nodes[0], sizeof(nodes[0]) },
					     { AT(1), &nodes[1], sizeof(nodes[1]) },
					     { AT(2), &nodes[2], sizeof(nodes[2]) },
					     { AT(3), names[0], sizeof(names[0]) },
					     { AT(4), names[1], sizeof(names[1]) },
					     { AT(5), open_file, sizeof(open_file) },
					     { 0 } };
static const struct stub_member members[] = {
	{ "struct kernfs_node", "parent", KINDED(KIND_POINTER, 0, 8) },
	{ "struct kernfs_node", "name", KINDED(KIND_POINTER, 8, 8) },
	{ "struct kernfs_node", "active", FIELD(16, 4) },
	{ "struct kernfs_open_file", "kn", KINDED(KIND_POINTER, 8, 8) },
	{ 0 }
};

/* fan3/remove below the root, of which one reference is left. */
static void set_up(void)
{
	memset(words, 0, sizeof(words));
	memset(nodes, 0, sizeof(nodes));
	nodes[1].parent = AT(0);
	nodes[1].name = AT(3);
	nodes[2].parent = AT(1);
	nodes[2].name = AT(4);
	nodes[2].active = BIAS + 1;
	snprintf(names[0], sizeof(names[0]), "fan3");
	snprintf(names[1], sizeof(names[1]), "remove");
	open_file[1] = AT(2);
	words[3] = AT(2);
	words[6] = AT(5);
}

/* What is told of a thread with these frames, two words each; "": it is in no such wait. */
static const char *told(const unsigned int *f, unsigned int n)
{
	static char ret[512];
	static struct task_frames at;
	struct strbuf b = STRBUF_OF(512);
	const struct stuck_drain *drain;
	struct stuck_task s = { 0 };
	STUB(stub, .symbols = symbols, .memory = memory, .members = members);

	memset(&at, 0, sizeof(at));
	at.dump = &stub.dump;
	symbolizer_open(&stub.dump, &at.symbols);
	for (unsigned int i = 0; i < n; i++)
		at.frames.f[i] = (struct unwind_frame){ .ip = TEXT(f[i]) + 8,
							.sp = STACK + 16 * i,
							.end = STACK + 16 * (i + 1) };
	at.frames.n = n;
	at.stack = (struct task_stack){ .base = STACK,
					.size = sizeof(words),
					.bytes = (const uint8_t *)words };
	drain = stuck_drain_find(&stub.dump, &at);
	if (!drain)
		return "";
	stuck_drain_words(drain, &b);
	s.drain = drain;
	snprintf(ret, sizeof(ret), "%s%s", b.buf, stuck_drains_itself(&s) ? "; itself" : "");
	return ret;
}

static const unsigned int own[] = { SCHEDULE, DRAIN, REMOVE, DROP, STORE, USE, WRITE };
static const unsigned int other[] = { SCHEDULE, DRAIN, REMOVE, DROP, WRITE };
static const unsigned int none[] = { SCHEDULE, REMOVE, STORE, USE, WRITE };
static const unsigned int of_proc[] = { SCHEDULE, PROC, DROP, PROC_USE, WRITE };

static void in_its_own_use(void)
{
	set_up();
	CHECK_TEXT(told(own, 7),
		   "waits for the last active reference of sysfs attribute /fan3/remove, which it "
		   "has itself: it is in kernfs_fop_write_iter of that, whose function hub_drop "
		   "removes it; itself");
	/* It writes to another one. */
	open_file[1] = AT(1);
	CHECK_TEXT(told(own, 7),
		   "waits for the last active reference of sysfs attribute /fan3/remove, likely by "
		   "itself (inferred): it is in kernfs_fop_write_iter of such a file, whose "
		   "function hub_drop removes it; itself");
	/* Without types it is unknown of which file. */
	CHECK_TEXT(told(of_proc, 5),
		   "waits for the end of each use of a file of proc, likely by itself (inferred): "
		   "it is in proc_reg_write of such a file, whose function hub_drop removes it; "
		   "itself");
}

static void of_others(void)
{
	set_up();
	nodes[2].active = BIAS + 3;
	CHECK_TEXT(told(other, 5), "waits for 3 active references of sysfs attribute /fan3/remove");
	CHECK_TEXT(told(none, 5), "");
}

/* What is no node that is being removed. */
static void no_node(void)
{
	static const uint32_t active[] = { BIAS, 0, 5, BIAS + 70000 };

	for (size_t i = 0; i < ARRAY_SIZE(active); i++) {
		set_up();
		nodes[2].active = active[i];
		CHECK_TEXT(told(other, 5),
			   "waits for the end of each active reference of a sysfs attribute");
	}
	set_up();
	names[1][0] = 7;
	CHECK_TEXT(told(other, 5),
		   "waits for the end of each active reference of a sysfs attribute");
	/* A circle of parents. */
	set_up();
	nodes[0] = nodes[1];
	nodes[0].parent = AT(1);
	CHECK_TEXT(told(other, 5),
		   "waits for the end of each active reference of a sysfs attribute");
}

TESTS({ "in its own use", in_its_own_use }, { "of others", of_others }, { "no node", no_node })
