// SPDX-License-Identifier: GPL-2.0-or-later
/* Users of a file: each once, in the order of their tgids, all of them in text; too many are counted. */
#include "cli/filter_seen.h"
#include "files/open_files.h"
#include "stub.h"
#include "test.h"

static struct file_user users[FILE_USERS + 6];

/* Tgids from n down to 1. */
static void add(struct dump *d, struct file_users *u, unsigned int n)
{
	for (unsigned int i = n; i--;) {
		users[i].tgid = (int32_t)i + 1;
		snprintf(users[i].comm, sizeof(users[i].comm), "p%u", i + 1);
		file_users_add(d->arena, u, &users[i]);
		file_users_add(d->arena, u, &users[i]);
	}
}

static void all_are_named(void)
{
	STUB(s);
	struct file_users u = { 0 }, more = { 0 };
	const struct text_list *list;
	struct text_lists lists;
	char text[64];
	struct strbuf b;

	text_lists_init(&lists, s.dump.arena);
	CHECK(!file_users_list(&u, false, &lists));
	list = file_users_list(&u, true, &lists);
	CHECK(!*list->text && !list->n && !text_list_is_cut(list));
	add(&s.dump, &u, 5);
	add(&s.dump, &u, 5);
	list = file_users_list(&u, true, &lists);
	CHECK_TEXT(list->text, "1(p1), 2(p2), 3(p3), 4(p4), 5(p5)");
	CHECK(list->n == 5 && !text_list_is_cut(list) && list == file_users_list(&u, true, &lists));
	b = strbuf_in(text, sizeof(text));
	text_list_short(list, 2, &b);
	CHECK_TEXT(text, "1(p1), 2(p2) and 3 more");
	list = file_users_list(&u, false, &lists);
	CHECK_TEXT(list->text, "1(p1), 2(p2), 3(p3), 4(p4), 5(p5), others unknown");
	CHECK(text_list_is_cut(list) && !lists.cut);
	b = strbuf_in(text, sizeof(text));
	text_list_short(list, 1, &b);
	CHECK_TEXT(text, "1(p1) and 4 more, others unknown");
	users[5] = (struct file_user){ 6, "p6" };
	file_users_add(s.dump.arena, &more, &users[5]);
	file_users_add(s.dump.arena, &more, &users[1]);
	file_users_add_all(s.dump.arena, &u, &more);
	CHECK(u.n == 6 && u.kept == 6);
}

static void too_many_are_counted(void)
{
	STUB(s);
	struct file_users u = { 0 };
	const struct text_list *list;
	struct text_lists lists;

	text_lists_init(&lists, s.dump.arena);
	add(&s.dump, &u, FILE_USERS + 6);
	CHECK(u.n == FILE_USERS + 6 && u.kept == FILE_USERS);
	for (unsigned int i = 0; i < u.kept; i++)
		CHECK(u.all[i]->tgid == (int32_t)i + 1);
	list = file_users_list(&u, true, &lists);
	CHECK(list->n == FILE_USERS && list->more == 6 && text_list_is_cut(list));
	CHECK_TEXT(list->text + strlen(list->text) - 11, " and 6 more");
	CHECK(lists.cut == 1);
}

/* Whether -f KEY=WORD keeps a list. */
static bool keeps(struct stub *s, const struct text_list *list, const char *word, bool exclude)
{
	struct filter_seen seen = { .dump = &s->dump, .values = word };
	struct alternative a = { .glob = word, .typed = word };
	const struct filter f = { .first = &a, .seen = &seen, .exclude = exclude };

	return filter_keeps_list(&f, list);
}

static void filters_know_all(void)
{
	STUB(s);
	struct file_users u = { 0 };
	const struct text_list *list;
	struct text_lists lists;

	text_lists_init(&lists, s.dump.arena);
	add(&s.dump, &u, 12);
	list = file_users_list(&u, true, &lists);
	CHECK(keeps(&s, list, "12", false) && keeps(&s, list, "p12", false));
	CHECK(keeps(&s, list, "12(p12)", false) && keeps(&s, list, "*(p7)*", false));
	CHECK(keeps(&s, list, "p1?", false) && !keeps(&s, list, "13", false));
	CHECK(!keeps(&s, list, "p", false) && !keeps(&s, list, "(p1)", false));
	CHECK(!keeps(&s, list, "12", true) && keeps(&s, list, "13", true));
	text_lists_add(&lists, "khugepaged");
	text_lists_add(&lists, "/proc/PID/mem open in 55(a (b) c)");
	list = text_lists_end(&lists, 0, true);
	CHECK(keeps(&s, list, "khugepaged", false) && keeps(&s, list, "55", false));
	CHECK(keeps(&s, list, "a (b) c", false) && keeps(&s, list, "55(a (b) c)", false));
	CHECK(!keeps(&s, list, "b", false) && !keeps(&s, list, "a (b) c)", false));
}

TESTS({ "users of a file are all named, each once, by their tgids", all_are_named },
      { "of too many users the rest is counted", too_many_are_counted },
      { "a filter knows every user by tgid, name or both", filters_know_all })
