// SPDX-License-Identifier: GPL-2.0-or-later
/* What -l needs of the dump, and how it is shown. */
#include <stdlib.h>

#include "kernel/dump_info.h"
#include "symbols/debug_file.h"
#include "symbols/frame.h"
#include "modules/module_sections.h"
#include "symbols/dwarf_lines.h"
#include "stub.h"
#include "test.h"

#define NOTES 0xffffffff81800000ULL
#define MODULE 0xffffffffc0008000ULL
#define ATTRS 0xffff888000010000ULL
#define NAMES 0xffff888000020000ULL
#define LIST 0xffff888000030000ULL

static char order[8];

static void note_order(void *arg)
{
	strcat(order, arg);
}

static void hooks_run_last_first_and_once(void)
{
	struct arena a = { 0 };
	char one[] = "1", two[] = "2";

	*order = '\0';
	arena_at_reset(&a, note_order, one);
	arena_at_reset(&a, note_order, two);
	arena_reset(&a);
	CHECK_TEXT(order, "21");
	arena_reset(&a);
	CHECK_TEXT(order, "21");
}

static void spans_are_found_by_address(void)
{
	STUB(s);
	struct addr_ranges sp = { 0 };

	CHECK(!addr_ranges_find(&sp, 5));
	for (uint64_t i = 500; i--;)
		CHECK(addr_ranges_add(&s.dump, &sp, i * 10, i * 10 + 5, i) == ST_OK);
	CHECK(addr_ranges_add(&s.dump, &sp, 7, 7, 1) == ST_OK && sp.n == 500);
	CHECK(addr_ranges_add(&s.dump, &sp, 2000, 2100, 1000) == ST_OK);
	addr_ranges_sort(&sp);
	CHECK(addr_ranges_find(&sp, 0)->what == 0 && addr_ranges_find(&sp, 4)->what == 0);
	CHECK(!addr_ranges_find(&sp, 5) && !addr_ranges_find(&sp, 9) &&
	      !addr_ranges_find(&sp, 4995));
	CHECK(addr_ranges_find(&sp, 4994)->what == 499);
	/* Inside of another the inner one, between two inner ones the outer one. */
	CHECK(addr_ranges_find(&sp, 2051)->what == 205 &&
	      addr_ranges_find(&sp, 2056)->what == 1000);
}

static void paths_are_cleaned_without_looking(void)
{
	static const char *const cases[][3] = {
		{ NULL, "mm/slub.c", "mm/slub.c" },
		{ "/usr/src/linux", "mm/slub.c", "/usr/src/linux/mm/slub.c" },
		{ "/usr/src/build", "/usr/src/linux/mm//slub.c", "/usr/src/linux/mm/slub.c" },
		{ "/usr/src/build", "../linux/./mm/slub.c", "/usr/src/linux/mm/slub.c" },
		{ "./debian/build", "../../mm/slub.c", "mm/slub.c" },
		{ ".", "../../mm/a\033[1m.c", "../../mm/a?[1m.c" },
		{ NULL, "/../../x.c", "/x.c" },
		{ NULL, "", "" },
		{ NULL, "/", "/" },
		{ "a/..", "..", ".." },
	};
	char buf[SOURCE_PATH_BYTES], longest[SOURCE_PATH_BYTES + 8];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK(source_path(cases[i][0], cases[i][1], buf));
		CHECK_TEXT(buf, cases[i][2]);
	}
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	CHECK(!source_path(NULL, longest, buf));
	longest[SOURCE_PATH_BYTES - 1] = '\0';
	CHECK(!source_path("/", longest, buf));
	longest[SOURCE_PATH_BYTES - 3] = '\0';
	CHECK(source_path("/", longest, buf) && strlen(buf) == SOURCE_PATH_BYTES - 2);
}

static void paths_are_shown_from_the_root_of_the_sources(void)
{
	char buf[SOURCE_PATH_BYTES];

	CHECK(source_root("/usr/src/linux/init/main.c", buf));
	CHECK_TEXT(buf, "/usr/src/linux");
	CHECK(!source_root("init/main.c", buf) && !source_root("/usr/xinit/main.c", buf));
	CHECK_TEXT(source_below("/usr/src/linux/mm/slub.c", "/usr/src/linux"), "mm/slub.c");
	CHECK_TEXT(source_below("/usr/src/linux-6/a.c", "/usr/src/linux"), "/usr/src/linux-6/a.c");
	CHECK_TEXT(source_below("/usr/src/linux", "/usr/src/linux"), "/usr/src/linux");
	CHECK_TEXT(source_below("/init/main.c", "/"), "init/main.c");
	CHECK_TEXT(source_below("a.c", NULL), "a.c");
	CHECK_TEXT(source_below("a.c", ""), "a.c");
}

/* A note of another type, then the build-id 01 02 03 04 05, padded. */
static uint32_t notes[] = {
	4, 6, 7, 0x554e47, 0x11111111, 0x1111, 4, 5, 3, 0x554e47, 0x04030201, 5
};

static struct stub_symbol note_symbols[] = {
	{ "__start_notes", NOTES, { 0 } },
	{ "__stop_notes", NOTES + sizeof(notes), { 0 } },
	{ 0 },
};

static enum status kernel_id(struct buildid *id)
{
	struct stub_memory memory[] = { { NOTES, notes, sizeof(notes) }, { 0 } };
	STUB(s, .memory = memory, .symbols = note_symbols);
	uint64_t at = 0;
	enum status st;

	st = buildid_kernel(&s.dump, id, &at);
	CHECK(st != ST_OK || at == NOTES);
	return st;
}

static void build_id_of_the_kernel(void)
{
	struct buildid id = { 0 }, other = { .bytes = { 1, 2, 3, 4, 6 }, .n = 5 };
	char text[BUILDID_TEXT];

	CHECK(kernel_id(&id) == ST_OK && id.n == 5);
	CHECK_TEXT(buildid_text(&id, text), "0102030405");
	CHECK(buildid_same(&id, &id) && !buildid_same(&id, &other));
	other.n = 4;
	CHECK(!buildid_same(&id, &other));
	/* One that is not there, of no length, too long; notes that lead outside. */
	notes[8] = 4;
	CHECK(kernel_id(&id) == ST_ABSENT);
	notes[8] = 3;
	notes[7] = 0;
	CHECK(kernel_id(&id) == ST_CORRUPT);
	notes[7] = BUILDID_BYTES + 1;
	CHECK(kernel_id(&id) == ST_CORRUPT);
	notes[7] = 20;
	CHECK(kernel_id(&id) == ST_UNREADABLE);
	notes[7] = 5;
	notes[1] = 0xfffffff0;
	CHECK(kernel_id(&id) == ST_CORRUPT);
	notes[1] = 6;
	CHECK(kernel_id(&id) == ST_OK);
}

/* Three sections, in the layouts before and since 6.14. */
struct attribute {
	uint64_t name, address;
};

static uint64_t module_bytes[] = { 0, ATTRS };
static struct {
	uint64_t list, n;
	struct attribute attrs[3];
} sections;
static uint64_t list[5];
static const char names[256] = ".text\0.data\0.note.gnu.build-id";

static const struct stub_memory section_memory[] = {
	{ MODULE, module_bytes, sizeof(module_bytes) },
	{ ATTRS, &sections, sizeof(sections) },
	{ LIST, list, sizeof(list) },
	{ NAMES, names, sizeof(names) },
	{ 0 },
};

static const struct stub_member counted[] = {
	{ "struct module", "sect_attrs", FIELD(8, 8) },
	{ "struct module_sect_attrs", "nsections", FIELD(8, 8) },
	{ "struct module_sect_attrs", "attrs", { .present = true, .offset = 16 } },
	{ "struct module_sect_attr", "battr.attr.name", FIELD(0, 8) },
	{ "struct module_sect_attr", "address", FIELD(8, 8) },
	{ 0 },
};

static const struct stub_member listed[] = {
	{ "struct module", "sect_attrs", FIELD(8, 8) },
	{ "struct module_sect_attrs", "grp.bin_attrs", FIELD(0, 8) },
	{ "struct module_sect_attrs", "attrs", { .present = true, .offset = 16 } },
	{ "struct bin_attribute", "attr.name", FIELD(0, 8) },
	{ "struct bin_attribute", "private", FIELD(8, 8) },
	{ 0 },
};

static const struct stub_number element_sizes[] = {
	{ "struct module_sect_attr", sizeof(struct attribute) },
	{ "struct bin_attribute", sizeof(struct attribute) },
	{ 0 },
};

static enum status read_sections(const struct stub_member *members, unsigned int *n)
{
	STUB(s, .memory = section_memory, .members = members, .sizes = element_sizes);
	struct module_sections found = { 0 };
	uint64_t address = 0;
	enum status st;

	st = module_sections_read(&s.dump, MODULE, &found);
	*n = found.n;
	if (st == ST_OK) {
		CHECK(module_section_find(&found, ".data", &address) && address == 0x2000);
		CHECK(!module_section_find(&found, ".init.text", &address));
	}
	return st;
}

static void fill_sections(void)
{
	sections.list = LIST;
	sections.n = 3;
	for (unsigned int i = 0; i < 3; i++) {
		sections.attrs[i] = (struct attribute){ NAMES + 6 * i, 0x1000 * (i + 1) };
		list[i] = ATTRS + 16 + i * sizeof(struct attribute);
	}
	list[3] = 0;
}

static void sections_of_a_module(void)
{
	unsigned int n;

	fill_sections();
	CHECK(read_sections(counted, &n) == ST_OK && n == 3);
	CHECK(read_sections(listed, &n) == ST_OK && n == 3);
	CHECK(read_sections(counted + 5, &n) == ST_ABSENT);
	module_bytes[1] = 0;
	CHECK(read_sections(counted, &n) == ST_ABSENT);
	module_bytes[1] = ATTRS;
}

static void sections_that_cannot_be(void)
{
	unsigned int n;

	fill_sections();
	sections.n = 1000000;
	CHECK(read_sections(counted, &n) == ST_CORRUPT);
	sections.n = 4;
	CHECK(read_sections(counted, &n) == ST_UNREADABLE);
	list[1] = list[0];
	CHECK(read_sections(listed, &n) == ST_CORRUPT);
	fill_sections();
	list[3] = list[2] + sizeof(struct attribute);
	list[4] = list[3] + sizeof(struct attribute);
	CHECK(read_sections(listed, &n) == ST_UNREADABLE);
	fill_sections();
	sections.attrs[1].name = 8;
	CHECK(read_sections(counted, &n) == ST_UNREADABLE);
}

static void names_of_modules(void)
{
	CHECK(debug_module_same("snd-hda-intel", "snd_hda_intel"));
	CHECK(!debug_module_same("snd", "snd_hda") && !debug_module_same("snd_hda", "snd"));
}

static void debug_files_that_are_none(void)
{
	struct debug_image image = { .id = { .bytes = { 1 }, .n = 20 } };
	STUB(s);
	struct debug_file f;

	CHECK(debug_file_open(&s.dump, "/nowhere", &image, NULL, &f) == ST_UNREADABLE);
	CHECK(debug_file_open(&s.dump, "/", &image, NULL, &f) == ST_CORRUPT);
	CHECK(debug_file_open(&s.dump, "/dev/null", &image, NULL, &f) == ST_CORRUPT);
	/* An ELF file of another build: this program. */
	CHECK(debug_file_open(&s.dump, "/proc/self/exe", &image, NULL, &f) == ST_UNKNOWN);
}

/* The first bytes of this program: neither sections nor segments are left. */
static void debug_file_that_was_cut(void)
{
	struct debug_image image = { .id = { .bytes = { 1 }, .n = 20 } };
	char start[100], path[64];
	FILE *program = fopen("/proc/self/exe", "r"), *cut = tmpfile();
	STUB(s);
	struct debug_file f;

	CHECK(program && cut);
	CHECK(fread(start, 1, sizeof(start), program) == sizeof(start));
	CHECK(fwrite(start, 1, sizeof(start), cut) == sizeof(start) && !fflush(cut));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(cut));
	CHECK(debug_file_open(&s.dump, path, &image, NULL, &f) == ST_CORRUPT);
	CHECK_TEXT(s.dump.error, "it was cut off: it ends before its section headers");
	fclose(program);
	fclose(cut);
}

static void frames_in_text(void)
{
	static const struct src_loc calls[] = { { "inner", "mm/a.h", 12 }, { NULL, NULL, 0 } };
	struct src_lines source = { { "f", "mm/f.c", 7 }, calls, 2, true };
	struct frame f = { .symbol = "f", .offset = 0x1f, .module = "m", .source = &source };
	char path[300];
	static struct text t;

	text_open(&t);
	frame_put(&f, &t.sink);
	CHECK_TEXT(text_get(&t), "    inner  mm/a.h:12 (inlined)\n    ? (inlined)\n"
				 "    f+0x1f [m]  mm/f.c:7\n");
	/* The line is not known; nothing is. */
	source = (struct src_lines){ .at = { "f", "mm/f.c", 0 } };
	text_open(&t);
	frame_put(&f, &t.sink);
	f.source = NULL;
	frame_put(&f, &t.sink);
	CHECK_TEXT(text_get(&t), "    f+0x1f [m]  mm/f.c\n    f+0x1f [m]\n");
	/* A file gets a long path as it is, a terminal in a line of its own. */
	memset(path, 'p', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	source = (struct src_lines){ .at = { "f", path, 4711 } };
	f.source = &source;
	text_open(&t);
	frame_put(&f, &t.sink);
	CHECK(strstr(text_get(&t), path) && strstr(text_get(&t), "p:4711\n"));
	text_open(&t);
	t.sink.columns = 80;
	frame_put(&f, &t.sink);
	CHECK(strstr(text_get(&t), "    f+0x1f [m]\n      ppp") && strstr(text_get(&t), path));
}

static void a_build_id_names_a_file(void)
{
	const struct buildid id = { { 0xab, 0x01, 0xff }, 3 }, none = { .n = 0 };
	char buf[64];

	CHECK_TEXT(debug_build_id_path("/usr/lib/debug", &id, buf, sizeof(buf)),
		   "/usr/lib/debug/.build-id/ab/01ff.debug");
	CHECK_TEXT(debug_build_id_path("d", &id, buf, 26), "d/.build-id/ab/01ff.debug");
	CHECK(!debug_build_id_path("d", &id, buf, 25));
	CHECK(!debug_build_id_path("d", &none, buf, sizeof(buf)));
}

TESTS({ "a build-id names a file", a_build_id_names_a_file },
      { "arena: hooks", hooks_run_last_first_and_once },
      { "spans: by address", spans_are_found_by_address },
      { "source path: cleaned", paths_are_cleaned_without_looking },
      { "source path: from the root", paths_are_shown_from_the_root_of_the_sources },
      { "build-id: of the kernel", build_id_of_the_kernel },
      { "module sections: both layouts", sections_of_a_module },
      { "module sections: hostile ones", sections_that_cannot_be },
      { "debug files: names of modules", names_of_modules },
      { "debug files: refused", debug_files_that_are_none },
      { "debug files: cut off", debug_file_that_was_cut }, { "frames: text", frames_in_text })
