// SPDX-License-Identifier: GPL-2.0-or-later
/* Which thread stands for a victim of the OOM killer, and what is said of it. */
#include "collect/stuck_victims.h"
#include "collect/stuck_words.h"
#include "stub.h"
#include "test.h"

#define SIGNAL 0x1000
#define OTHER_SIGNAL 0x2000
#define MM 0x3000

static struct stuck_task thread_of(int32_t tgid, int32_t pid, const char *comm, bool has_memory)
{
	struct stuck_task s = {
		.task = { .pid = pid, .tgid = tgid, .signal = SIGNAL, .mm = has_memory ? MM : 0 },
		.is_victim = true,
	};

	s.task.has_memory = has_memory;
	snprintf(s.task.comm, sizeof(s.task.comm), "%s", comm);
	return s;
}

static void link_all(struct stuck_task *s, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++)
		s[i].next = &s[i + 1];
}

static const char *words_of(const struct stuck_task *s, struct strbuf *b)
{
	stuck_victim_words(s, 12, b);
	return b->buf;
}

/* A zombie whose other threads still have the memory. */
static void first_thread_has_exited(void)
{
	struct stuck_task s[] = {
		thread_of(70, 70, "server", false),
		thread_of(70, 71, "pool-1", true),
		thread_of(70, 72, "pool-2", false),
		thread_of(90, 90, "other", true),
	};
	struct strbuf b = STRBUF_OF(512);
	STUB(stub);

	s[1].waits_for = "io";
	s[2].task.mm = MM;
	s[3].task.signal = OTHER_SIGNAL;
	s[3].is_victim = false;
	link_all(s, ARRAY_SIZE(s));
	stuck_choose_victims(&stub.dump, s);
	CHECK(!s[0].stands_for_victim && s[1].stands_for_victim && !s[2].stands_for_victim);
	CHECK(!s[3].stands_for_victim && s[1].victim_leader == &s[0]);
	CHECK_TEXT(words_of(&s[1], &b), "OOM victim server (70): whether it is reaped is unknown; "
					"its first thread has no mm_struct any more; pool-1 (71) "
					"waits for io");
}

static void first_thread_stands(void)
{
	struct stuck_task lives[] = { thread_of(70, 70, "server", true),
				      thread_of(70, 71, "pool-1", false) };
	struct stuck_task gone[] = { thread_of(70, 71, "pool-1", false),
				     thread_of(70, 70, "server", false) };
	struct stuck_task lost[] = { thread_of(70, 71, "pool-1", false) };
	struct strbuf b = STRBUF_OF(512), of_lost = STRBUF_OF(512);
	STUB(stub);

	lives[1].task.mm = MM;
	link_all(lives, 2);
	link_all(gone, 2);
	stuck_choose_victims(&stub.dump, lives);
	stuck_choose_victims(&stub.dump, gone);
	stuck_choose_victims(&stub.dump, lost);
	CHECK(lives[0].stands_for_victim && !lives[1].stands_for_victim);
	CHECK(!gone[0].stands_for_victim && gone[1].stands_for_victim);
	CHECK(lost[0].stands_for_victim && !lost[0].victim_leader);
	CHECK_TEXT(words_of(&lives[0], &b),
		   "OOM victim server (70): whether it is reaped is unknown; "
		   "is at a place that is unknown");
	lives[0].task.state = 'Z';
	b = STRBUF_OF(512);
	CHECK_TEXT(words_of(&lives[0], &b),
		   "OOM victim server (70): whether it is reaped is unknown; "
		   "has exited, and its parent has not waited for it");
	CHECK_TEXT(words_of(&lost[0], &of_lost),
		   "OOM victim pool-1 (70): whether it is reaped is unknown; "
		   "its first thread was not found; pool-1 (71) is at a place "
		   "that is unknown");
}

static const char *does(const struct frame *caller, const struct frame *function)
{
	static char buf[512];
	struct strbuf b = { buf, sizeof(buf), 0, false };
	struct stuck_task s = thread_of(70, 70, "reader", true);

	*buf = '\0';
	s.waits_for = "other";
	s.caller = caller;
	s.function = function;
	stuck_task_words(&s, &b);
	return buf;
}

/* An address is none: the frame that has it may be of a rule that is damaged. */
static void a_place_has_a_name(void)
{
	static const struct frame named = { .symbol = "msleep" };
	static const struct frame address = { .addr = 0x401c3c80 };
	static const struct frame of_module = { .addr = 0xffffffffc0000010, .module = "xge" };
	static const struct frame gone = { .addr = 0xffffffffc0000010, .label = LABEL_GONE };

	CHECK_TEXT(does(&named, &named), "reader (70) is asleep in msleep");
	CHECK_TEXT(does(&address, &named), "reader (70) is at a place that is unknown");
	CHECK_TEXT(does(&of_module, &named), "reader (70) is asleep in a function of module xge");
	CHECK_TEXT(does(&gone, &named),
		   "reader (70) is asleep in text of no module that is loaded");
	CHECK_TEXT(does(NULL, &named), "reader (70) is asleep in msleep");
	CHECK_TEXT(does(NULL, &address), "reader (70) is at a place that is unknown");
}

/* A zombie of which nothing is left keeps nothing: its parent is to wait for it. */
static void nothing_is_left(void)
{
	for (unsigned int is = 0; is < 4; is++) {
		struct stuck_task s = thread_of(70, 70, "portald", false);
		STUB(stub);

		s.task.state = is == 1 ? 'D' : 'Z';
		s.has_victim_mm = true;
		s.victim_mm.has_exact = true;
		s.victim_mm.users = is == 2;
		s.victim_mm.exact.anon = is == 3;
		stuck_choose_victims(&stub.dump, &s);
		CHECK(s.stands_for_victim == (is != 0));
	}
}

/* What a FUSE server does is what a thread of it does that lives. */
static void server_without_its_first(void)
{
	struct stuck_task s[] = { thread_of(70, 70, "server", false),
				  thread_of(70, 71, "pool-1", true),
				  thread_of(80, 80, "reader", true) };
	const struct file_user user = { .tgid = 70, .comm = "server" }, *users[] = { &user };
	struct fuse_conn conn = { .dev = 38, .users = { .all = users, .n = 1, .kept = 1 } };
	struct fuse fuse = { .first = &conn, .users_complete = true };
	struct stuck all = { .first = s, .fuse = &fuse };
	struct strbuf b = STRBUF_OF(512);

	s[0].task.state = 'Z';
	s[1].task.state = 'T';
	s[2].fuse.conn = &conn;
	s[2].is_on_server = true;
	link_all(s, 3);
	CHECK(stuck_fuse_words(&all, &conn, &b));
	CHECK(strstr(b.buf, "server (70), which is stopped"));
}

TESTS({ "the first thread has exited", first_thread_has_exited },
      { "a zombie of which nothing is left", nothing_is_left },
      { "the first thread stands for its process", first_thread_stands },
      { "a server without its first thread", server_without_its_first },
      { "a place has a name", a_place_has_a_name })
