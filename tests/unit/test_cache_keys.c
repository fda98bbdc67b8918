// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose keys are the objects of a cache: of the one process that keeps their keyring, or of the keyring itself. */
#include "kept/cache_owners.h"
#include "stub.h"
#include "test.h"

static struct stub stub;
static struct summary sum;
static struct report report;
static struct strbuf text;
static struct asked_cache a;
static struct key_users users;
static struct held held;
static struct keyring ring;

/* 100 keys of ticketd (5), of a cache with 102 objects. */
static void begin(bool has_process, bool is_kept)
{
	static struct slab_cache cache = { .name = "key_jar" };
	static struct slab_use use;
	static char buf[512];

	STUB_OPEN(stub);
	report = (struct report){ .dump = &stub.dump, .tells_unknown = true };
	report.last_unknown = &report.unknown;
	sum = (struct summary){ .dump = &stub.dump, .report = &report };
	use = (struct slab_use){ .cache = &cache, .taken = 102 };
	text = strbuf_in(buf, sizeof(buf));
	ring = (struct keyring){ .name = "_tickets", .is_kept = is_kept };
	ring.key = (struct kernel_key){ .address = 0x1000, .serial = 42, .uid = 7 };
	if (has_process)
		file_users_add(stub.dump.arena, &ring.users,
			       file_user_new(&stub.dump, 5, "ticketd"));
	users = (struct key_users){ .of = { .dump = &stub.dump } };
	hash_u64_init(&users.all, stub.dump.arena, sizeof(struct used_key));
	for (uint64_t i = 1; i <= 100; i++)
		*(struct used_key *)hash_u64_get(&users.all, i, NULL) =
			(struct used_key){ .key.address = i, .in = &ring, .links = 1 };
	held = (struct held){ .keys = &users };
	a = (struct asked_cache){ .s = &sum, .use = &use, .b = &text, .held = &held };
}

static void of_a_process(void)
{
	begin(true, false);
	cache_ask_keys(&a);
	CHECK(strstr(text.buf, "in keyring _tickets of uid 7, a keyring of ticketd (5)"));
	CHECK(a.keeper && a.keeper->tgid == 5 && !a.super_at);
	stub_close(&stub);
}

/* Who can search it is not who has it. */
static void of_what_outlives_it(void)
{
	begin(true, true);
	cache_ask_keys(&a);
	CHECK(strstr(text.buf, "in keyring _tickets of uid 7, which ticketd (5) can search"));
	CHECK(!a.keeper && a.super_at == 0x1000);
	CHECK_TEXT(a.keeper_text, "keys in keyring _tickets of uid 7");
	CHECK(strstr(a.keeper_objects, "100 keys") &&
	      strstr(a.keeper_objects, "; ticketd (5) can search the keyring"));
	CHECK(a.release && strstr(a.release, "keyctl clear 42") && strstr(a.release, "frees none"));
	stub_close(&stub);
	begin(false, true);
	cache_ask_keys(&a);
	CHECK(strstr(text.buf, "in keyring _tickets of uid 7, which no process can search"));
	CHECK(a.super_at == 0x1000);
	stub_close(&stub);
	/* Links or processes may be missing. */
	begin(false, true);
	users.problem = "a link";
	cache_ask_keys(&a);
	CHECK(!strstr(text.buf, "can search") && !a.release);
	CHECK(strstr(a.keeper_objects, "at least 100 keys"));
	stub_close(&stub);
}

TESTS({ "of a process", of_a_process }, { "of what outlives it", of_what_outlives_it })
