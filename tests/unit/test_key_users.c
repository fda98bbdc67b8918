// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys of the kernel: which keyring links them, which process has that, and who is freed with them. */
#include "collect/key_users.h"
#include "task_stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define INIT AT(0)
#define TASK(i) AT(1 + (i))
#define SIGNAL(i) AT(10 + (i))
#define CRED AT(20)
#define KEY(i) AT(30 + (i))
#define NODE(i) AT(40 + (i))
#define SHORTCUT AT(45)
#define TYPE(i) AT(50 + (i))
#define NAME(i) AT(60 + (i))
#define TASKS 2
#define KEYS 5
#define SLOTS 16
#define OF_USER 0
#define OF_KEYRING 1
#define PROCESS_RING 0 /* indices of keys */
#define TOKENS 1
#define FIRST 2 /* this and the next are tokens, the last is linked by no keyring */

struct keytask {
	struct utask task;
	uint64_t cred;
};
static struct keytask tasks[TASKS];
static struct usignal signals[TASKS];
static struct {
	uint64_t thread, process, session;
} cred;
static struct akey {
	uint64_t parent, right, left; /* rb_node */
	int32_t serial;
	uint32_t uid;
	uint64_t type, description;
	union {
		uint64_t payload;
		struct {
			uint64_t name[2], root, links;
		};
	};
} keys[KEYS];
static struct anode {
	uint64_t back, slot, slots[SLOTS];
} nodes[2];
static struct {
	uint64_t back;
	uint32_t slot, level;
	uint64_t next;
} shortcut;
static uint64_t types[2], root, cache = AT(71);
static const char type_names[2][KEY_NAME] = { "user", "keyring" };
static const char names[KEYS][KEY_NAME] = { "_pid.100", "sso\ntokens", "a", "b", "c" };
static const uint32_t threads = 1, size = 256;

#define MEMORY(at, of)                \
	{                             \
		at, &(of), sizeof(of) \
	}
static const struct stub_memory memory[] = {
	MEMORY(INIT, tasks[0]),		MEMORY(TASK(1), tasks[1]), MEMORY(SIGNAL(0), signals[0]),
	MEMORY(SIGNAL(1), signals[1]),	MEMORY(CRED, cred),	   MEMORY(KEY(0), keys[0]),
	MEMORY(KEY(1), keys[1]),	MEMORY(KEY(2), keys[2]),   MEMORY(KEY(3), keys[3]),
	MEMORY(KEY(4), keys[4]),	MEMORY(NODE(0), nodes[0]), MEMORY(NODE(1), nodes[1]),
	MEMORY(SHORTCUT, shortcut),	MEMORY(TYPE(0), types[0]), MEMORY(TYPE(1), types[1]),
	MEMORY(NAME(0), names[0]),	MEMORY(NAME(1), names[1]), MEMORY(NAME(5), type_names[0]),
	MEMORY(NAME(6), type_names[1]), MEMORY(AT(70), cache),	   MEMORY(AT(71), size),
	MEMORY(AT(72), threads),	MEMORY(AT(73), root),	   { 0 },
};
static const struct stub_symbol symbols[] = { { "init_task", INIT, { 0 } },
					      { "key_jar", AT(70), { 0 } },
					      { "nr_threads", AT(72), FIELD(0, 4) },
					      { "key_serial_tree", AT(73), { 0 } },
					      { "key_type_user", TYPE(OF_USER), { 0 } },
					      { "key_type_keyring", TYPE(OF_KEYRING), { 0 } },
					      { 0 } };
#define KEY_AT(member) offsetof(struct akey, member)
static const struct stub_member members[] = {
	TASK_MEMBERS,
	{ "struct task_struct", "real_cred", KINDED(KIND_POINTER, 120, 8) },
	{ "struct cred", "thread_keyring", KINDED(KIND_POINTER, 0, 8) },
	{ "struct cred", "process_keyring", KINDED(KIND_POINTER, 8, 8) },
	{ "struct cred", "session_keyring", KINDED(KIND_POINTER, 16, 8) },
	{ "struct key", "serial_node", KINDED(KIND_STRUCT, 0, 24) },
	{ "struct key", "serial", FIELD(KEY_AT(serial), 4) },
	{ "struct key", "uid.val", FIELD(KEY_AT(uid), 4) },
	{ "struct key", "index_key.type", KINDED(KIND_POINTER, KEY_AT(type), 8) },
	{ "struct key", "index_key.description", KINDED(KIND_POINTER, KEY_AT(description), 8) },
	{ "struct key", "payload.rcu_data0", KINDED(KIND_POINTER, KEY_AT(payload), 8) },
	{ "struct key", "keys.root", KINDED(KIND_POINTER, KEY_AT(root), 8) },
	{ "struct key", "keys.nr_leaves_on_tree", FIELD(KEY_AT(links), 8) },
	{ "struct key_type", "name", KINDED(KIND_POINTER, 0, 8) },
	{ "struct rb_node", "__rb_parent_color", FIELD(0, 8) },
	{ "struct rb_node", "rb_right", KINDED(KIND_POINTER, 8, 8) },
	{ "struct rb_node", "rb_left", KINDED(KIND_POINTER, 16, 8) },
	{ "struct assoc_array_node", "back_pointer", KINDED(KIND_POINTER, 0, 8) },
	{ "struct assoc_array_node", "parent_slot", FIELD(8, 1) },
	{ "struct assoc_array_node", "slots", KINDED(KIND_ARRAY, 16, 8 * SLOTS) },
	{ "struct assoc_array_shortcut", "back_pointer", KINDED(KIND_POINTER, 0, 8) },
	{ "struct assoc_array_shortcut", "parent_slot", FIELD(8, 4) },
	{ "struct assoc_array_shortcut", "next_node", KINDED(KIND_POINTER, 16, 8) },
	{ "struct kmem_cache", "size", FIELD(0, 4) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct key", 224 },
					    { "struct mm_struct", 64 },
					    { 0 } };
static const struct stub_number enumerators[] = { TASK_COUNTERS, { 0 } };

_Static_assert(offsetof(struct keytask, cred) == 120, "as the table has it");

/* The process keyring of 100 links another, which links two keys: one in a node behind a shortcut. */
static void fill(void)
{
	memset(tasks, 0, sizeof(tasks));
	memset(keys, 0, sizeof(keys));
	memset(nodes, 0, sizeof(nodes));
	for (unsigned int i = 0; i < TASKS; i++) {
		const uint64_t at = i ? TASK(1) : INIT;

		tasks[i].task = (struct utask){ .pid = 100 * (int32_t)i, .tgid = 100 * (int32_t)i };
		snprintf(tasks[i].task.comm, 16, "%s", i ? "tokend" : "swapper");
		tasks[i].task.signal = SIGNAL(i);
		tasks[i].task.tasks = (struct link){ i ? INIT : TASK(1), i ? INIT : TASK(1) };
		tasks[i].task.node = (struct link){ SIGNAL(i), SIGNAL(i) };
		signals[i].head = (struct link){ at + 16, at + 16 };
	}
	tasks[1].cred = CRED;
	cred.process = KEY(PROCESS_RING);
	/* A tree to the right. */
	root = KEY(0);
	for (unsigned int i = 0; i < KEYS; i++) {
		keys[i].parent = i ? KEY(i - 1) : 0;
		keys[i].right = i + 1 < KEYS ? KEY(i + 1) : 0;
		keys[i].serial = 1000 + (int32_t)i;
		keys[i].uid = 7;
		keys[i].type = TYPE(i < FIRST ? OF_KEYRING : OF_USER);
		keys[i].description = NAME(i);
		if (i >= FIRST)
			keys[i].name[0] = AT(80 + i);
		/* Of what is no keyring these are other words of the payload. */
		keys[i].root = keys[i].links = ~0ULL;
	}
	types[OF_USER] = NAME(5);
	types[OF_KEYRING] = NAME(6);
	keys[PROCESS_RING].root = SHORTCUT | 3;
	keys[PROCESS_RING].links = 1;
	shortcut.back = 0;
	shortcut.next = NODE(0) | 1;
	nodes[0].back = SHORTCUT | 3;
	nodes[0].slots[5] = KEY(TOKENS) | 2;
	keys[TOKENS].root = NODE(1) | 1;
	keys[TOKENS].links = 2;
	nodes[1].slot = 255; /* as the kernel leaves it in a root */
	nodes[1].slots[0] = KEY(FIRST);
	nodes[1].slots[15] = KEY(FIRST + 1);
}

static enum status collect(struct stub *s, struct key_users *u)
{
	STUB_OPEN(*s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes,
		  .enumerators = enumerators);
	return key_users_collect(&s->dump, u);
}

static const struct used_key *key_at(const struct key_users *u, unsigned int i)
{
	return hash_u64_find(&u->all, KEY(i));
}

static void keys_of_a_process(void)
{
	static struct key_users u;
	const struct used_key *key;
	const struct file_user *keeper;
	struct stub s;

	fill();
	CHECK(collect(&s, &u) == ST_OK && !u.problem && u.all.n == 3 && u.keyrings.n == 2);
	CHECK(u.of.bytes == 256);
	key = key_at(&u, FIRST + 1);
	CHECK(key && key->links == 1 && key->in && key->in->key.address == KEY(TOKENS));
	CHECK(key && key->key.uid == 7 && key_has_object(&u.of, &key->key));
	CHECK(key && key->key.payload == AT(80 + FIRST + 1));
	CHECK(key && key->in && key->in->name && !strcmp(key->in->name, "sso?tokens"));
	CHECK(key && key->in && key->in->users.n == 1 && key->in->users.all[0]->tgid == 100);
	keeper = key ? key_keeper(&u, key) : NULL;
	CHECK(keeper && keeper->tgid == 100);
	CHECK(!strcmp(key_type_name(&u.of, TYPE(OF_USER)), "user"));
	key = key_at(&u, KEYS - 1);
	CHECK(key && !key->in && !key_keeper(&u, key));
	stub_close(&s);
}

static void what_others_keep(void)
{
	static struct key_users u;
	struct stub s;

	/* Two keyrings link it. */
	fill();
	nodes[0].slots[1] = KEY(FIRST);
	CHECK(collect(&s, &u) == ST_OK && key_at(&u, FIRST)->links == 2);
	CHECK(!key_keeper(&u, key_at(&u, FIRST)) && key_keeper(&u, key_at(&u, FIRST + 1)));
	stub_close(&s);
	/* No process has it. */
	fill();
	cred.process = 0;
	CHECK(collect(&s, &u) == ST_OK && !u.problem && !key_keeper(&u, key_at(&u, FIRST)));
	CHECK(key_at(&u, FIRST)->in && !key_at(&u, FIRST)->in->users.n);
	stub_close(&s);
	/* Nor the keyring that links what a process has. */
	fill();
	cred.process = KEY(TOKENS);
	CHECK(collect(&s, &u) == ST_OK && key_at(&u, FIRST)->in->users.n == 1);
	CHECK(!key_keeper(&u, key_at(&u, FIRST)));
	stub_close(&s);
}

static void what_is_damaged(void)
{
	static struct key_users u;
	struct stub s;

	fill();
	nodes[1].slots[3] = NODE(1) | 1; /* a circle */
	CHECK(collect(&s, &u) == ST_OK && u.problem && key_at(&u, FIRST)->links == 1);
	CHECK(!key_keeper(&u, key_at(&u, FIRST)));
	stub_close(&s);
	fill();
	nodes[0].slot = 2; /* it is in slot 0 of the shortcut */
	CHECK(collect(&s, &u) == ST_OK && u.problem && !key_at(&u, FIRST)->in->users.n);
	stub_close(&s);
	fill();
	keys[2].right = AT(99); /* in no dump */
	CHECK(collect(&s, &u) == ST_OK && u.problem && u.all.n == 1);
	stub_close(&s);
	fill();
	keys[TOKENS].links = ~0ULL;
	CHECK(collect(&s, &u) == ST_OK && u.problem && u.keyrings.n == 1 && u.all.n == 3);
	stub_close(&s);
}

static void a_kernel_without_them(void)
{
	static struct key_users u;
	struct stub s = { .members = members };

	stub_open(&s);
	CHECK(key_users_collect(&s.dump, &u) == ST_ABSENT);
	stub_close(&s);
	STUB_OPEN(s, .members = members, .sizes = sizes);
	CHECK(key_users_collect(&s.dump, &u) == ST_UNKNOWN);
	stub_close(&s);
}

TESTS({ "keys of a process", keys_of_a_process }, { "what others keep", what_others_keep },
      { "what is damaged", what_is_damaged }, { "a kernel without them", a_kernel_without_them })
