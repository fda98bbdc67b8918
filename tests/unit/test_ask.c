// SPDX-License-Identifier: GPL-2.0-or-later
/* quantity, filter, allocators, ages, dict. */
#include "pageowner/groups.h"
#include "symbols/allocators.h"
#include "util/hash_bytes.h"
#include "cli/table.h"
#include "util/likeness.h"
#include "util/units.h"

#include "stub.h"
#include "test.h"

static bool range(enum range_kind q, const char *text, uint64_t low, uint64_t high)
{
	uint64_t a = 1, b = 1;

	return number_range_parse(q, text, strlen(text), &a, &b) && a == low && b == high;
}

static bool refused(enum range_kind q, const char *text)
{
	uint64_t a = 77, b = 78;

	return !number_range_parse(q, text, strlen(text), &a, &b) && a == 77 && b == 78;
}

static void ranges_have_both_ends(void)
{
	CHECK(range(RANGE_NUMBER, "5", 5, 5));
	CHECK(range(RANGE_NUMBER, "0x1f..", 31, UINT64_MAX));
	CHECK(range(RANGE_NUMBER, "..8", 0, 8));
	CHECK(range(RANGE_NUMBER, "2..8", 2, 8));
	CHECK(range(RANGE_HEX, "10..1f", 16, 31));
	CHECK(range(RANGE_SIZE, "64K..1536K", 65536, 1536 * 1024));
	CHECK(range(RANGE_SIZE, "4096", 4096, 4096));
	CHECK(range(RANGE_SIZE, "2g", 2ULL << 30, 2ULL << 30));
	CHECK(range(RANGE_TIME, "1500000us..2min", 1500000000, 120000000000));
	CHECK(range(RANGE_TIME, "..0", 0, 0));
	CHECK(range(RANGE_TIME, "0.000000001s", 1, 1));
	CHECK(range(RANGE_NUMBER, "18446744073709551615", UINT64_MAX, UINT64_MAX));
	CHECK(range(RANGE_TENTHS, "2.5..10%", 25, 100));
	CHECK(range(RANGE_MILLI, "0.25..", 250, UINT64_MAX));
	CHECK(range(RANGE_SIGNED, "-3..5", range_balance(-3), range_balance(5)));
}

/* Of each value the text that is printed of it is a range of those that are printed so. */
static void what_was_printed_is_found(void)
{
	static const struct {
		enum range_kind q;
		uint64_t v;
	} values[] = {
		{ RANGE_SIZE, 0 },
		{ RANGE_SIZE, 512 },
		{ RANGE_SIZE, 199546368 },
		{ RANGE_SIZE, 1023 * 1024 },
		{ RANGE_SIZE, 1432354816 },
		{ RANGE_SIZE, 1048524 },
		{ RANGE_SIZE, 109951162777600 },
		{ RANGE_LIMIT, 3ULL << 50 },
		{ RANGE_TIME, 679600000 },
		{ RANGE_TIME, 10774437123 },
		{ RANGE_TIME, 59960000000 },
		{ RANGE_TIME, 5 },
		{ RANGE_TIME, 90061000000000 },
		{ RANGE_MILLI, 20378456 },
		{ RANGE_MILLI, 2450 },
		{ RANGE_TENTHS, 25 },
	};
	char text[UNITS_BYTES], other[UNITS_BYTES];
	uint64_t low, high;

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		enum range_kind q = values[i].q;
		uint64_t v = values[i].v;

		number_range_text(q, v, text);
		CHECK(number_range_parse(q, text, strlen(text), &low, &high));
		CHECK(low <= v && v <= high);
		number_range_text(q, low, other);
		CHECK_TEXT(other, text);
		number_range_text(q, high, other);
		CHECK_TEXT(other, text);
		number_range_text(q, high + 1, other);
		CHECK(strcmp(other, text) != 0);
		if (!low)
			continue;
		number_range_text(q, low - 1, other);
		CHECK(strcmp(other, text) != 0);
	}
	CHECK(range(RANGE_LIMIT, "max", NUMBER_NO_LIMIT, UINT64_MAX));
	CHECK(range(RANGE_LIMIT, "..4096", 0, 4096) && refused(RANGE_SIZE, "max"));
	/* A stamp has no unit, and is to the microsecond. */
	CHECK(range(RANGE_TIME, "10.774437", 10774437000, 10774437999));
	CHECK(range(RANGE_TIME, "10.774437s", 10774437000, 10774437999));
	CHECK(range(RANGE_TIME, "10.774437..", 10774437000, UINT64_MAX));
	CHECK(refused(RANGE_TIME, "10.77") && refused(RANGE_TIME, "10.7744370"));
	/* What is not printed so is exact. */
	CHECK(range(RANGE_SIZE, "190M", 190 << 20, 190 << 20));
	CHECK(range(RANGE_SIZE, "1.5G", 3ULL << 29, 3ULL << 29));
	CHECK(range(RANGE_TIME, "10s", 10000000000, 10000000000));
	/* So is a limit of a range that is round: nothing below it is kept. */
	CHECK(range(RANGE_TIME, "100ms..", 100000000, UINT64_MAX));
	CHECK(range(RANGE_TIME, "..5us", 0, 5000) && range(RANGE_TIME, "0..0", 0, 0));
	CHECK(range(RANGE_TIME, "680ms..", 679500000, UINT64_MAX));
	CHECK(range(RANGE_TIME, "100ms", 99500000, 100500000));
	/* Both ends have what they print, below zero as well. */
	CHECK(number_range_parse(RANGE_SIZE, "1.5M..2.0M", 10, &low, &high));
	CHECK(low < 3 << 19 && high > 2 << 20);
	CHECK(number_range_parse(RANGE_BALANCE, "-1.5M", 5, &low, &high));
	CHECK(low < range_balance(-(3 << 19)) && high > range_balance(-(3 << 19)));
}

static void a_range_that_ends_before_it_starts_is_told_apart(void)
{
	CHECK(number_range_is_reversed(RANGE_TIME, "9s..8s", 6));
	CHECK(number_range_is_reversed(RANGE_SIGNED, "3..-3", 5));
	CHECK(!number_range_is_reversed(RANGE_NUMBER, "8..8", 4));
	CHECK(!number_range_is_reversed(RANGE_NUMBER, "8..x", 4));
	CHECK(!number_range_is_reversed(RANGE_NUMBER, "..", 2));
}

static void what_is_no_range_is_refused(void)
{
	static const char *const numbers[] = { "",     "..",	 "x",  "-1",
					       "8..2", "1.5",	 "5K", "2..x",
					       "0x",   "1....2", "5 ", "18446744073709551616",
					       "1,2",  "+3",	 " 3" };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		CHECK(refused(RANGE_NUMBER, numbers[i]));
	CHECK(refused(RANGE_SIZE, "5Q"));
	CHECK(refused(RANGE_SIZE, "99999999999999T"));
	CHECK(refused(RANGE_TIME, "5"));
	CHECK(refused(RANGE_TIME, "5M5"));
	CHECK(refused(RANGE_TIME, "99999999999d"));
	CHECK(refused(RANGE_HEX, "1g"));
	CHECK(refused(RANGE_SIGNED, "1.5"));
	CHECK(refused(RANGE_TENTHS, "-1"));
	CHECK(refused(RANGE_MILLI, "1K"));
}

static const char *const colors[] = { "red", "blue", "Blue", NULL };

static const struct key keys[] = {
	{ COLUMN_name, "", KEY_FILTERS | KEY_GROUPS },
	{ COLUMN_class, "", KEY_FILTERS, .choices = colors },
	{ COLUMN_node, "", KEY_FILTERS | KEY_GROUPS, .also = COLUMN_head_pfn },
	{ COLUMN_bytes, "", KEY_OF_GROUP },
	{ COLUMN_age, "", KEY_FILTERS, .quantity = RANGE_TIME },
};

static const struct key_set set = { keys, sizeof(keys) / sizeof(keys[0]), NULL, 0, false };

static enum status parse(struct stub *s, const char *text, bool exclude, struct filters *ret)
{
	struct opts o = { .nfilters = 1, .filters = { { exclude, text } } };

	return filters_parse(&s->dump, &o, &set, ret);
}

static void filters_of_text(void)
{
	STUB(s);
	struct filters f;

	CHECK(parse(&s, "name=kw*,/^a.c$/", false, &f) == ST_OK);
	CHECK(filter_keeps_text(&f.filters[0], "kworker") &&
	      filter_keeps_text(&f.filters[0], "abc"));
	CHECK(!filter_keeps_text(&f.filters[0], "abcd") && !filter_keeps_text(&f.filters[0], NULL));
	CHECK(parse(&s, "name=/a,b/", true, &f) == ST_OK);
	CHECK(!filter_keeps_text(&f.filters[0], "xa,by") && filter_keeps_text(&f.filters[0], "a"));
	CHECK(filter_keeps_text(&f.filters[0], NULL));
	/* A path is no regular expression. */
	CHECK(parse(&s, "name=/web,/db", false, &f) == ST_OK);
	CHECK(filter_keeps_text(&f.filters[0], "/web") && filter_keeps_text(&f.filters[0], "/db"));
	CHECK(!filter_keeps_text(&f.filters[0], "/other"));
	/* So are two of which the last is the root, or has one at its end. */
	CHECK(parse(&s, "name=/db,/", false, &f) == ST_OK);
	CHECK(filter_keeps_text(&f.filters[0], "/db") && filter_keeps_text(&f.filters[0], "/"));
	CHECK(!filter_keeps_text(&f.filters[0], "/web") &&
	      !filter_keeps_text(&f.filters[0], "/x/db,y"));
	CHECK(parse(&s, "name=/db, /web,/", false, &f) == ST_OK);
	CHECK(filter_keeps_text(&f.filters[0], "/web") && filter_keeps_text(&f.filters[0], "/"));
	CHECK(parse(&s, "name=/^b{1,2}$/,/", false, &f) == ST_OK);
	CHECK(filter_keeps_text(&f.filters[0], "bb") && filter_keeps_text(&f.filters[0], "/"));
	CHECK(parse(&s, "name=/web,/db", false, &f) == ST_OK);
	/* A deleted file has its path, too, and no other word behind it. */
	CHECK(filter_keeps_text(&f.filters[0], "/web (deleted)") &&
	      !filter_keeps_text(&f.filters[0], "/web (removed)") &&
	      !filter_keeps_text(&f.filters[0], "/webs (deleted)"));
	CHECK(parse(&s, "name=/var/*.1", false, &f) == ST_OK);
	CHECK(filter_keeps_text(&f.filters[0], "/var/log.1 (deleted)"));
	CHECK(parse(&s, "name=web", false, &f) == ST_OK);
	CHECK(!filter_keeps_text(&f.filters[0], "web (deleted)"));
	CHECK(parse(&s, "name=-", false, &f) == ST_OK);
	CHECK(filter_keeps_text(&f.filters[0], NULL) && !filter_keeps_text(&f.filters[0], "-x"));
	/* What is empty has no value, be it a text or flags. */
	CHECK(filter_keeps_text(&f.filters[0], "") && filter_keeps_flags(&f.filters[0], "", NULL) &&
	      !filter_keeps_flags(&f.filters[0], "SLAB|DMA", NULL));
	CHECK(parse(&s, "name=/^$/", true, &f) == ST_OK);
	CHECK(!filter_keeps_text(&f.filters[0], "") &&
	      !filter_keeps_flags(&f.filters[0], "", NULL));
}

/* Which says so after filters_parse() and the texts that were asked of it. */
static void words_that_nothing_has(void)
{
	STUB(s);
	struct filters f;
	char text[256];

	CHECK(parse(&s, "name=dent", false, &f) == ST_OK);
	CHECK(!filter_unmet(&f.filters[0], 0, true, text, sizeof(text)));
	filter_keeps_text(&f.filters[0], "inode_cache");
	filter_keeps_text(&f.filters[0], "dentry");
	filter_keeps_text(&f.filters[0], "dentry_open");
	CHECK(filter_unmet(&f.filters[0], 0, true, text, sizeof(text)));
	CHECK_TEXT(text, "-f name=dent: nothing that was read has it; the nearest is 'dentry', "
			 "'*dent*' is what has it in its name");
	CHECK(!filter_keeps_text(&f.filters[0], "den") && filter_keeps_text(&f.filters[0], "dent"));
	CHECK(!filter_unmet(&f.filters[0], 0, true, text, sizeof(text)));
	CHECK(parse(&s, "name=wab,/x/", true, &f) == ST_OK);
	CHECK(filter_keeps_text(&f.filters[0], "/shop/web"));
	CHECK(filter_unmet(&f.filters[0], 0, false, text, sizeof(text)));
	CHECK_TEXT(text, "-X name=wab: nothing that the filters before it keep has it; the nearest "
			 "is '/shop/web'");
	CHECK(filter_unmet(&f.filters[0], 1, false, text, sizeof(text)));
	CHECK_TEXT(text, "-X name=/x/: nothing that the filters before it keep has it; known are: "
			 "/shop/web; between slashes it is a regular expression, '/x' is the path");
	CHECK(!filter_unmet(&f.filters[0], 2, false, text, sizeof(text)));
	CHECK(parse(&s, "name=wab", false, &f) == ST_OK);
	CHECK(!filter_keeps_text(&f.filters[0], "/db") &&
	      !filter_keeps_text(&f.filters[0], "/shop/WEB") &&
	      !filter_keeps_text(&f.filters[0], "[not charged]"));
	CHECK(filter_unmet(&f.filters[0], 0, true, text, sizeof(text)));
	CHECK_TEXT(text, "-f name=wab: nothing that was read has it; the nearest is '/shop/WEB'");
	CHECK(parse(&s, "name=voic", false, &f) == ST_OK);
	CHECK(!filter_keeps_text(&f.filters[0], "/system.slice/invoicing.service/worker-pool-1"));
	CHECK(filter_unmet(&f.filters[0], 0, true, text, sizeof(text)));
	CHECK_TEXT(text, "-f name=voic: nothing that was read has it; '*voic*' is what has it in "
			 "its name");
	/* What is unknown of all is no answer; that there is none is one. */
	CHECK(parse(&s, "name=a,b", false, &f) == ST_OK && !filter_keeps_unknown(&f.filters[0]));
	CHECK(filter_unmet(&f.filters[0], 0, true, text, sizeof(text)));
	CHECK_TEXT(text, "-f name=a,b: it is unknown of all that was read");
	CHECK(parse(&s, "name=a", false, &f) == ST_OK && !filter_keeps_none(&f.filters[0]));
	CHECK(filter_unmet(&f.filters[0], 0, true, text, sizeof(text)));
	CHECK_TEXT(text, "-f name=a: nothing that was read has it; of all there is none ('-')");
}

/* What of two names is proposed for a word. */
static bool is_nearer(const char *word, const char *near, const char *other)
{
	unsigned int distance = likeness_distance(word, near);

	return likeness_is_near(word, distance) && distance < likeness_distance(word, other);
}

static void names_that_are_nearest(void)
{
	CHECK(is_nearer("kmalloc-2048", "kmalloc-2k", "kmalloc-64"));
	CHECK(is_nearer("kmalloc-rcl-1024", "kmalloc-rcl-1k", "kmalloc-rcl-128"));
	CHECK(is_nearer("inode", "inode_cache", "tracefs_inode_cache"));
	CHECK(is_nearer("inode", "inode_cache", "fuse_inode"));
	CHECK(is_nearer("procs", "processes", "pools"));
	CHECK(is_nearer("clases", "classes", "caches"));
	CHECK(likeness_distance("SLAB", "slab") == 0);
	/* A few letters of a word, or half of them, are no likeness. */
	CHECK(!likeness_is_near("age", likeness_distance("age", "badness_pages")));
	CHECK(!likeness_is_near("name", likeness_distance("name", "RAM%")));
	CHECK(likeness_is_near("age", likeness_distance("age", "oldest_age")));
	CHECK(!likeness_is_near("kmalloc-99999999999",
				likeness_distance("kmalloc-99999999999", "kmalloc-8")));
	CHECK(!likeness_is_near("kmalloc-0", likeness_distance("kmalloc-0", "buffer_head")));
}

static void lists_in_part(void)
{
	STUB(s);
	struct filters f;
	char text[256];

	CHECK(parse(&s, "name=web,wep,-", false, &f) == ST_OK);
	CHECK(filter_keeps_text(&f.filters[0], "web") && !filter_keeps_text(&f.filters[0], "db"));
	CHECK(filter_unmet(&f.filters[0], 0, true, text, sizeof(text)));
	CHECK_TEXT(text, "-f name=wep: nothing that was read has it; the nearest is 'web'");
	CHECK(filter_unmet(&f.filters[0], 1, true, text, sizeof(text)));
	CHECK_TEXT(text, "-f name=-: nothing that was read has it; known are: web, db");
	CHECK(!filter_unmet(&f.filters[0], 2, true, text, sizeof(text)));
	CHECK(parse(&s, "node=67,451", false, &f) == ST_OK);
	CHECK(!filter_keeps_number(&f.filters[0], 3));
	CHECK(filter_unmet(&f.filters[0], 0, true, text, sizeof(text)));
	CHECK_TEXT(text, "-f node=67: nothing that was read has it; it is 3; a comma is between "
			 "values: 67451 is one");
	CHECK(filter_unmet(&f.filters[0], 1, true, text, sizeof(text)));
	CHECK_TEXT(text, "-f node=451: nothing that was read has it; it is 3");
	/* A time as nobody prints it is exact; one that is out of all is no such mistake. */
	CHECK(parse(&s, "age=8s,20s", false, &f) == ST_OK);
	CHECK(!filter_keeps_number(&f.filters[0], 7990000000) &&
	      !filter_keeps_number(&f.filters[0], 9000000000));
	CHECK(filter_unmet(&f.filters[0], 0, true, text, sizeof(text)));
	CHECK_TEXT(text, "-f age=8s: nothing that was read has it; it is from 8.0s to 9.0s; it is "
			 "exact: 8.0s is all that is printed so");
	CHECK(filter_unmet(&f.filters[0], 1, true, text, sizeof(text)));
	CHECK_TEXT(text, "-f age=20s: nothing that was read has it; it is from 8.0s to 9.0s");
	CHECK(parse(&s, "name=a,b,c,d,e,f,g,h", false, &f) == ST_OK);
	CHECK(!filter_keeps_text(&f.filters[0], "x"));
	CHECK(filter_unmet(&f.filters[0], 6, true, text, sizeof(text)));
	CHECK_TEXT(text, "-f name=a,b,c,d,e,f,g,h: nothing that was read has 2 more of these "
			 "values");
	CHECK(!filter_unmet(&f.filters[0], 7, true, text, sizeof(text)));
}

static void values_with_commas(void)
{
	STUB(s);
	struct filters f;
	char text[128];

	CHECK(parse(&s, "name=[tmpfs, not mounted]", false, &f) == ST_OK);
	CHECK(filter_keeps_text(&f.filters[0], "[tmpfs, not mounted]"));
	CHECK(!filter_keeps_text(&f.filters[0], "/"));
	CHECK(!filter_unmet(&f.filters[0], 0, true, text, sizeof(text)));
	CHECK(parse(&s, "name=[tmpfs\\, *],/web", false, &f) == ST_OK);
	CHECK(filter_keeps_text(&f.filters[0], "[tmpfs, not mounted]") &&
	      filter_keeps_text(&f.filters[0], "/web") && !filter_keeps_text(&f.filters[0], "q"));
	CHECK(parse(&s, "name=a, b", false, &f) == ST_OK);
	CHECK(filter_keeps_text(&f.filters[0], "b") && filter_keeps_text(&f.filters[0], "a, b"));
	CHECK(parse(&s, "name=[kwork*", false, &f) == ST_OK);
	CHECK(filter_keeps_text(&f.filters[0], "[kworker/0:1]"));
	CHECK(parse(&s, "name=[kwork*]", false, &f) == ST_OK);
	CHECK(filter_keeps_text(&f.filters[0], "[kworker/0:1]") &&
	      !filter_keeps_text(&f.filters[0], "[other]"));
}

static void filters_of_numbers(void)
{
	STUB(s);
	struct filters f;

	CHECK(parse(&s, "node=5,8..", false, &f) == ST_OK);
	CHECK(filter_keeps_number(&f.filters[0], 5) && filter_keeps_number(&f.filters[0], 9));
	CHECK(!filter_keeps_number(&f.filters[0], 7) && !filter_keeps_unknown(&f.filters[0]));
	CHECK(filter_keeps_span(&f.filters[0], 6, 8) && !filter_keeps_span(&f.filters[0], 6, 7));
	CHECK(parse(&s, "node=5", true, &f) == ST_OK);
	CHECK(!filter_keeps_number(&f.filters[0], 5) && filter_keeps_unknown(&f.filters[0]));
}

static bool keeps(struct stub *s, const char *text, const struct cell c)
{
	struct filters f;

	CHECK(parse(s, text, false, &f) == ST_OK);
	return table_keeps_key(f.filters, &(struct view_column){ COLUMN_node, 0 }, &c);
}

static void filters_of_cells(void)
{
	const struct cell unknown = { .kind = CELL_NULL };
	STUB(s);

	CHECK(keeps(&s, "node=..8", cell_int(-5)));
	CHECK(!keeps(&s, "node=..8", cell_uint(9)));
	/* What is unknown is not 0. */
	CHECK(!keeps(&s, "node=..8", unknown) && !keeps(&s, "node=..8", cell_none()));
	CHECK(keeps(&s, "node=-", unknown) && keeps(&s, "node=-", cell_none()));
	CHECK(keeps(&s, "class=red", cell_text("red")) && !keeps(&s, "class=red", cell_text(NULL)));
}

static void wrong_filters_are_named(void)
{
	STUB(s);
	struct filters f;

	CHECK(parse(&s, "weight=5", false, &f) == ST_USAGE);
	CHECK_TEXT(s.dump.error, "unknown filter 'weight', known are: name class node bytes age");
	CHECK(parse(&s, "node", false, &f) == ST_USAGE);
	CHECK(parse(&s, "node=", false, &f) == ST_USAGE);
	CHECK(parse(&s, "node=5,", false, &f) == ST_USAGE);
	CHECK(parse(&s, "node=five", false, &f) == ST_USAGE);
	CHECK_TEXT(s.dump.error,
		   "key node takes a number like 5, 0x1f, 2.., ..8 or 2..8, not 'five'");
	CHECK(parse(&s, "class=green", false, &f) == ST_USAGE);
	CHECK_TEXT(s.dump.error, "unknown class 'green', known are: red blue Blue");
	CHECK(parse(&s, "name=/a(/", false, &f) == ST_USAGE);
	CHECK(parse(&s, "class=b*", false, &f) == ST_OK);
}

static void values_of_a_set_are_checked_in_any_case(void)
{
	static const char *const nodes[] = { "0", "2", NULL },
				 *const names[] = { "DMA", "Normal", NULL },
				 *const none[] = { NULL };
	STUB(s);
	struct filters f;

	CHECK(parse(&s, "class=RED", false, &f) == ST_OK &&
	      filter_keeps_text(&f.filters[0], "red"));
	CHECK(!filter_keeps_text(&f.filters[0], "blue"));
	CHECK(parse(&s, "CLASS=/^B/", false, &f) == ST_OK &&
	      filter_keeps_text(&f.filters[0], "blue"));
	CHECK(parse(&s, "class=Gr*", true, &f) == ST_USAGE);
	CHECK_TEXT(s.dump.error, "unknown class 'Gr*', known are: red blue Blue");
	CHECK(parse(&s, "class=/green/", false, &f) == ST_USAGE);
	/* Of two values that differ by case, the one that is written. */
	CHECK(parse(&s, "class=Blue", false, &f) == ST_OK &&
	      !filter_keeps_text(&f.filters[0], "blue"));
	/* What only the dump tells. */
	CHECK(parse(&s, "node=1..2", false, &f) == ST_OK &&
	      filters_check(&s.dump, &f, keys, 2, nodes) == ST_OK);
	CHECK(parse(&s, "node=0,7..", true, &f) == ST_OK &&
	      filters_check(&s.dump, &f, keys, 2, nodes) == ST_USAGE);
	CHECK_TEXT(s.dump.error, "unknown node '7..', known are: 0 2");
	CHECK(filters_check(&s.dump, &f, keys, 0, nodes) == ST_OK);
	CHECK(filters_check(&s.dump, &f, keys, 2, none) == ST_OK);
	CHECK(parse(&s, "node=-", false, &f) == ST_OK &&
	      filters_check(&s.dump, &f, keys, 2, nodes) == ST_OK);
	CHECK(parse(&s, "name=normal", false, &f) == ST_OK &&
	      filters_check(&s.dump, &f, keys, 0, names) == ST_OK);
	CHECK(filter_keeps_text(&f.filters[0], "Normal"));
}

static void keys_have_the_names_of_their_columns(void)
{
	STUB(s);
	struct filters f;

	CHECK(parse(&s, "SIZE=1", false, &f) == ST_OK && f.filters[0].key == 3);
	CHECK(parse(&s, "size=1", false, &f) == ST_OK && f.filters[0].key == 3);
	CHECK(parse(&s, "Bytes=1", false, &f) == ST_OK && f.filters[0].key == 3);
	CHECK(parse(&s, "HEAD=1", false, &f) == ST_OK && f.filters[0].key == 2);
	CHECK(parse(&s, "siz=1", false, &f) == ST_USAGE);
}

static void groups_are_keys_once(void)
{
	STUB(s);
	size_t found[2], n = 0;

	CHECK(keys_parse(&s.dump, "node,name", &set, found, 2, &n) == ST_OK);
	CHECK(n == 2 && found[0] == 2 && found[1] == 0);
	CHECK(keys_parse(&s.dump, "node,NODE", &set, found, 2, &n) == ST_USAGE);
	CHECK(keys_parse(&s.dump, "class", &set, found, 2, &n) == ST_USAGE);
	CHECK_TEXT(s.dump.error, "class is no key of -g here, known are: name node");
	CHECK(keys_parse(&s.dump, "", &set, found, 2, &n) == ST_USAGE);
	CHECK(keys_parse(&s.dump, "node,", &set, found, 2, &n) == ST_USAGE);
	CHECK(keys_parse(&s.dump, "node,name", &set, found, 1, &n) == ST_USAGE);
}

static void wrong_words_name_the_nearest_and_count_what_has_no_room(void)
{
	struct known_names k;
	char name[16];

	known_names_init(&k, "slak", 4);
	known_names_add(&k, "slack_bytes");
	CHECK_TEXT(known_names_hint(&k), "");
	known_names_also(&k, "SLACK");
	known_names_also(&k, NULL);
	CHECK_TEXT(known_names_hint(&k), ", the nearest is SLACK");
	CHECK_TEXT(known_names_text(&k, "-o help"), "slack_bytes");
	k.more = 1;
	k.call = "-d FILE";
	CHECK_TEXT(known_names_text(&k, "-o help"), "slack_bytes ... and 1 more (-d FILE -o help)");
	/* The nearest may be one that is not told. */
	known_names_init(&k, "column_98", 9);
	for (unsigned int i = 0; i < 100; i++) {
		sprintf(name, "column_%u", i);
		known_names_add(&k, name);
	}
	CHECK_TEXT(known_names_hint(&k), ", the nearest is column_98");
	CHECK(strlen(known_names_text(&k, "-o help")) < sizeof(k.text) - 1);
	CHECK(strstr(k.text, "column_0 column_1 "));
	CHECK(strstr(k.text, " ... and 60 more (-o help)"));
}

static void allocators_are_known_under_all_their_names(void)
{
	static const char *const yes[] = { "post_alloc_hook",
					   "__alloc_pages_noprof",
					   "__alloc_pages_nodemask",
					   "alloc_pages_mpol_noprof",
					   "___slab_alloc.constprop.0",
					   "kmem_cache_alloc_node_noprof",
					   "__kmalloc_large_node_noprof",
					   "vzalloc_noprof",
					   "devm_kmalloc",
					   "__vmalloc_node_range.isra.0",
					   "__reset_page_owner",
					   "reset_page_owner",
					   "__unfreeze_partials",
					   "__put_partials",
					   "kmem_cache_free",
					   "kmem_cache_free_bulk.part.0",
					   "kfree",
					   "vfree",
					   "free_pcp_prepare",
					   "free_unref_page_prepare",
					   "free_unref_folios",
					   "__free_frozen_pages",
					   "free_pages_prepare",
					   "__folio_put" };
	static const char *const no[] = { "do_anonymous_page",
					  "alloc_page_buffers",
					  "leaky_kmalloc",
					  "copy_process",
					  "free_pages_and_swap_cache",
					  "free_pgtables",
					  "kfree_rcu_shrink_scan",
					  "kfree_skbmem",
					  "rcu_core",
					  "zram_write_page",
					  "devm_kobject",
					  "_noprof",
					  "" };

	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		CHECK(allocators_has(yes[i]));
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		CHECK(!allocators_has(no[i]));
}

static void ages_have_steps(void)
{
	CHECK_TEXT(ages_name(ages_step(0)), "<100ms");
	CHECK_TEXT(ages_name(ages_step(999999999)), "100ms-1s");
	CHECK_TEXT(ages_name(ages_step(1000000000)), "1s-10s");
	CHECK_TEXT(ages_name(ages_step(UINT64_MAX)), ">7d");
	CHECK(!ages_name(AGES) && ages_cell(AGES).kind == CELL_NULL);
	CHECK_TEXT(cell_words(&(struct cell){ .kind = CELL_RANKED, .ranked = ages_cell(3).ranked }),
		   "10s-1min");
}

static void dict_tells_keys_apart(void)
{
	struct arena a = { 0 };
	struct hash_bytes d;
	bool is_new;
	uint64_t key[2];

	hash_bytes_init(&d, &a, sizeof(uint64_t));
	for (key[0] = 0; key[0] < 200; key[0]++)
		for (key[1] = 0; key[1] < 50; key[1]++) {
			struct hash_bytes_entry *e = hash_bytes_get(&d, key, sizeof(key), &is_new);

			CHECK(e && is_new);
			*(uint64_t *)e->value = key[0] * 50 + key[1];
		}
	CHECK(d.n == 10000);
	for (key[0] = 0; key[0] < 200; key[0]++)
		for (key[1] = 0; key[1] < 50; key[1]++) {
			struct hash_bytes_entry *e = hash_bytes_get(&d, key, sizeof(key), &is_new);

			CHECK(e && !is_new && *(uint64_t *)e->value == key[0] * 50 + key[1]);
		}
	CHECK(intern(&d, "one") == intern(&d, "one") && intern(&d, "one") != intern(&d, "on"));
	CHECK(!intern(&d, NULL));
	arena_reset(&a);
}

static int resets;

static void count_reset(void *arg)
{
	resets = resets * 10 + *(int *)arg;
}

static void arena_tells_at_reset(void)
{
	struct arena a = { 0 };
	int one = 1, two = 2;

	arena_at_reset(&a, count_reset, &one);
	arena_at_reset(&a, count_reset, &two);
	arena_reset(&a);
	CHECK(resets == 21);
	arena_reset(&a);
	CHECK(resets == 21);
}

TESTS({ "ranges have both ends", ranges_have_both_ends },
      { "what was printed is found", what_was_printed_is_found },
      { "a range that ends before it starts", a_range_that_ends_before_it_starts_is_told_apart },
      { "what is no range is refused", what_is_no_range_is_refused },
      { "filters of text: globs, regular expressions, unknown, not", filters_of_text },
      { "words that nothing has are told, with the nearest", words_that_nothing_has },
      { "names that are nearest to a word", names_that_are_nearest },
      { "each word of a list is told as one alone is", lists_in_part },
      { "a value as it is printed has its commas and brackets", values_with_commas },
      { "filters of numbers", filters_of_numbers }, { "filters of cells", filters_of_cells },
      { "wrong filters are named with what is accepted", wrong_filters_are_named },
      { "values of a known set are checked, in any case", values_of_a_set_are_checked_in_any_case },
      { "keys have the names of their columns", keys_have_the_names_of_their_columns },
      { "groups are keys, each once", groups_are_keys_once },
      { "wrong words name the nearest, and count what has no room",
	wrong_words_name_the_nearest_and_count_what_has_no_room },
      { "allocators are known under all their names", allocators_are_known_under_all_their_names },
      { "ages have steps", ages_have_steps }, { "dict tells keys apart", dict_tells_keys_apart },
      { "an arena tells at its reset", arena_tells_at_reset })
