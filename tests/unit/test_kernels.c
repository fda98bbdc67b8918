// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decoders on the types of kernels of which there is no dump: tests/facts/README.md. What they say is
 * held against tests/facts/refused; "make kernels-expected" writes that anew.
 */
#include <glob.h>
#include <stdlib.h>

#include "facts.h"
#include "opens.h"
#include "test.h"

#define TABLE "tests/facts/kernels.facts.xz"
#define SHOWN 30 /* lines of a difference */

static struct facts_table table;
static struct arena arena;

static struct hash_bytes untyped; /* variables that the table of types lacks */

static bool table_ready(void)
{
	size_t size;
	char *text;

	if (table.n)
		return true;
	text = facts_file(&arena, TABLE, &size);
	CHECK(text && !facts_table_read(&table, &arena, text) && table.n > 50);
	hash_bytes_init(&untyped, &arena, sizeof(bool));
	return table.n > 50;
}

static bool has_line(const char *text, const char *line, size_t len)
{
	for (const char *p = text; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : p)
		if (!strncmp(p, line, len) && (p[len] == '\n' || !p[len]))
			return true;
	return false;
}

/* The part of a text that is about one message: up to the next line that is not indented. */
static const char *part_of(const char *text, const char *head, size_t len, size_t *ret)
{
	for (const char *p = text; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : p) {
		const char *end;

		if (strncmp(p, head, len) || p[len] != '\n')
			continue;
		for (end = strchr(p, '\n'); end && end[1] == '\t';)
			end = strchr(end + 1, '\n');
		*ret = end ? (size_t)(end - p) : strlen(p);
		return p;
	}
	*ret = 0;
	return NULL;
}

/* Lines of a that b does not have under the same message. */
static unsigned int lines_missing(const char *a, const char *b, char mark)
{
	unsigned int n = 0;

	for (const char *p = a; *p;) {
		const char *head = p, *end = strchr(p, '\n');
		size_t len = end ? (size_t)(end - p) : strlen(p), size;
		const char *other = part_of(b, head, len, &size);
		char *copy = other ? strndup(other, size) : NULL;

		if (!other && n++ < SHOWN)
			printf("# %c %.*s\n", mark, (int)len, head);
		for (p += len + (end != NULL); *p == '\t'; p += len + (end != NULL)) {
			end = strchr(p, '\n');
			len = end ? (size_t)(end - p) : strlen(p);
			if (copy && !has_line(copy, p, len) && n++ < SHOWN)
				printf("# %c %.*s ... %.*s\n", mark, 60, head, (int)len, p);
		}
		free(copy);
	}
	return n;
}

/* "struct page stride: WHY"; the file alone has reasons. */
static void leave_reasons_out(char *text)
{
	char *to = text;

	for (char *line = text, *next; *line; line = next) {
		size_t len = strcspn(line, "\n");
		char *why = memmem(line, len, " -- ", 4);

		next = line + len + (line[len] == '\n');
		if (*line == '#')
			continue;
		len = why ? (size_t)(why - line) : len;
		memmove(to, line, len);
		to += len;
		*to++ = '\n';
	}
	*to = '\0';
}

static void compare(const char *path, void (*run)(struct facts_table *t, FILE *out))
{
	size_t size;
	char *expected = facts_file(&arena, path, &size), *got = NULL;
	FILE *out = open_memstream(&got, &size);

	CHECK(expected && out);
	if (!expected || !out)
		return;
	run(&table, out);
	fclose(out);
	leave_reasons_out(expected);
	if (strcmp(got, expected)) {
		printf("# %s is not what the decoders say (make kernels-expected writes it anew):\n",
		       path);
		lines_missing(got, expected, '+');
		lines_missing(expected, got, '-');
		CHECK(!"as expected");
	}
	free(got);
}

static void refusals_are_known(void)
{
	if (table_ready())
		compare("tests/facts/refused", facts_refused);
}

static void names_that_no_kernel_has_are_known(void)
{
	if (table_ready())
		compare("tests/facts/unanswered", facts_unanswered);
}

#define MOST_UNANSWERED 11 /* a name that no kernel confirms is a guess: few, each for a reason */
#define SHORTEST_REASON 10 /* letters */

static void each_of_them_has_its_reason(void)
{
	size_t size;
	char *text = facts_file(&arena, "tests/facts/unanswered", &size), *line;
	unsigned int n = 0;

	CHECK(text);
	while (text && (line = strsep(&text, "\n"))) {
		const char *why = strstr(line, " -- ");

		if (!*line || *line == '#')
			continue;
		n++;
		if (!why || strlen(why + 4) < SHORTEST_REASON) {
			printf("# %s: no reason\n", line);
			CHECK(!"a reason");
		}
	}
	CHECK(n <= MOST_UNANSWERED);
}

/* Of those that take a dump alone: they need what only a dump has, and read no layout of their own. */
static bool is_left_out(const char *name)
{
	static const char
		*const names[] = {
			"counter_reader_open", /* counters_open() */
			"debug_file_open",
			"dwarf_lines_open",
			"event_reader_open", /* trace_events_open(), for one event */
			"flag_names_open",   /* pageflags_open(), names_open() */
			"free_pages_open",   /* free_areas_open(), pcp_lists_open() */
			"oom_reports_open",  /* the text of the log */
			"page_classes_open", /* all of its owners are opened here one by one */
			"memcg_stats_open",  /* memcg_counts_read() */
			"page_to_pfn_open",
			"pss_open",
			"site_index_open",
			"slab_caches_open",
			"stack_cache_open",
			"trace_stream_open", /* ring_buffer_open() */
			"ring_buffer_open",
			"kgtp_open",	       /* a module: its types are not in vmlinux */
			"rpc_waits_open",      /* the same */
			"conntracks_open",     /* the same, of most kernels */
			"assoc_arrays_open",   /* by keys_find() */
			"mapped_devices_open", /* modules: their types are not in vmlinux */
			"nbds_open",
			"journals_open",
			"scsi_hosts_open",   /* scsi_mod, a module of most kernels */
			"disk_account_open", /* needs the clock of the dump */
		};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static void check_header(const char *path)
{
	static const char mark[] = "\nenum status ";
	size_t size;
	char *text = facts_file(&arena, path, &size);

	for (char *p = text ? strstr(text, mark) : NULL; p; p = strstr(p + 1, mark)) {
		char name[128];
		int end = 0;

		if (sscanf(p,
			   "\nenum status %127[a-z0-9_](struct dump *d, struct %*[a-z0-9_] *ret);%n",
			   name, &end) != 1 ||
		    !end || strlen(name) < 5 || strcmp(name + strlen(name) - 5, "_open") ||
		    is_left_out(name) || open_function(name))
			continue;
		printf("# %s: %s() is not in tests/facts/opens_*.c\n", path, name);
		CHECK(!"every open function is run");
	}
}

static void every_open_function_is_run(void)
{
	glob_t headers;

	CHECK(!glob("lib/*/*.h", 0, NULL, &headers));
	for (size_t i = 0; i < headers.gl_pathc; i++)
		check_header(headers.gl_pathv[i]);
	globfree(&headers);
}

/* Those that no open function asks of a blank dump of these kernels. */
static bool is_of_others(const char *structure)
{
	static const char *const names[] = {
		/* Of modules, whose types are not in vmlinux. */
		"abd",
		"aggsum_bucket",
		"arc_sums",
		"brd_device",
		"net_bridge",
		"dm_dev",
		"dm_dev_internal",
		"dm_table",
		"ext4_inode_info",
		"ext4_sb_info",
		"ext4_super_block",
		"gtp_entry",
		"gtpsrc",
		"gtp_rb_s",
		"gtp_var",
		"hash_cell",
		"journal_s",
		"mapped_device",
		"nbd_config",
		"nbd_device",
		"nbd_sock",
		"nf_conn",
		"nf_conntrack_tuple_hash",
		"nf_ct_ext",
		"packet_ring_buffer",
		"packet_sock",
		"pgv",
		"rpc_clnt",
		"rpc_program",
		"rpc_task",
		"rpc_xprt",
		"scatterlist",
		"scsi_device",
		"scsi_host_template",
		"spl_kmem_cache",
		"tun_file",
		"tun_struct",
		"xfs_buf",
		"xfs_buftarg",
		"xfs_freecounter",
		"xfs_inode",
		"xfs_mount",
		"zbud_header",
		"zspage",
		/* Of options that none of them is built with: real dumps, and synthetic kernels, have them. */
		"alloc_tag_kernel_section",
		"kasan_alloc_meta",
		"kasan_free_meta",
		"kmemleak_object",
		"ref_tracker",
		"ref_tracker_dir",
		/* Asked for when there is one: a disk, an image of kexec, a stock of a CPU, a super block, a barn (6.18 to
		 * 7.0), times of a directory of cgroupfs. */
		"hd_struct",
		"io_tlb_mem",
		"kernfs_iattrs",
		"kexec_segment",
		"kimage",
		"memcg_stock_pcp",
		"node_barn",
		"obj_stock_pcp",
		"ptr_ring",
		"shmem_sb_info",
		"shrinker_info_unit",
		"super_operations",
		/* Asked for by the name of an event. */
		"trace_event_raw_exceptions",
		"trace_event_raw_x86_exceptions",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], structure))
			return true;
	return false;
}

/* Structures that a table of rows names, "struct NAME" in quotes. */
static void check_rows(const char *path, const char *rows, const char *end,
		       const struct hash_bytes *asked)
{
	for (const char *p = rows; (p = strstr(p, "\"struct ")) && p < end; p++) {
		char name[128], structure[128];

		if (sscanf(p, "\"struct %127[a-z0-9_]\"", structure) != 1 ||
		    is_of_others(structure))
			continue;
		snprintf(name, sizeof(name), "struct %s", structure);
		if (hash_bytes_find(asked, name, strlen(name) + 1))
			continue;
		printf("# %s: %s is asked of no kernel of the table\n", path, name);
		CHECK(!"each structure is held against kernels");
	}
}

static void every_structure_is_asked_for(void)
{
	static const char mark[] = "layout_row ";
	struct facts_names names;
	glob_t sources;

	facts_names_open(&names, &arena);
	for (unsigned int k = 0; table_ready() && k < table.n; k++)
		facts_ask(&table.kernels[k], &names);
	CHECK(!glob("lib/*/*.c", 0, NULL, &sources));
	for (size_t i = 0; i < sources.gl_pathc; i++) {
		size_t size;
		const char *text = facts_file(&arena, sources.gl_pathv[i], &size), *end;

		for (const char *p = text; p && (p = strstr(p, mark)); p = end) {
			end = strstr(p, "\n};");
			end = end ?: p + strlen(p);
			check_rows(sources.gl_pathv[i], p, end, &names.types);
		}
	}
	globfree(&sources);
}

/* gdb gives either of two structures of one name: the answer must be the same. */
static void either_structure_of_a_name(void)
{
	const struct open_function *f;

	for (unsigned int k = 0; table_ready() && k < table.n; k++) {
		for (unsigned int i = 0; (f = open_nth(&table.kernels[k], i)); i++) {
			struct blank a = { .untyped = &untyped }, b = { .second = true };
			const char *first, *second;
			bool is_known;

			blank_open(&a, &table.kernels[k]);
			blank_open(&b, &table.kernels[k]);
			first = open_run(f, &a);
			second = open_run(f, &b);
			/* Of TTM up to 5.10, which gdb may have: refused then, in words. */
			is_known = !strcmp(f->name, "dma_pools_walk") &&
				   strstr(second, "struct dma_pool has no");
			if (!is_known && strcmp(first, second)) {
				printf("# %s, %s: \"%s\" or \"%s\"\n", table.kernels[k].name,
				       f->name, first, second);
				CHECK(!"the same");
			}
			blank_close(&a);
			blank_close(&b);
		}
	}
}

/* BTF has no variables: what is asked for without a table of its type is unknown there. */
static void types_of_variables_are_in_the_table(void)
{
	for (const struct hash_bytes_entry *e = untyped.first; e; e = e->next) {
		printf("# %s is not in program/types/globals.c\n", (const char *)e->key);
		CHECK(!"its type is in the table");
	}
}

static void views_ask_functions_that_there_are(void)
{
	CHECK(facts_views_known());
}

static char *views_of(const char *kernel)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (unsigned int k = 0; table_ready() && k < table.n; k++)
		if (!strcmp(table.kernels[k].name, kernel))
			facts_views(&table.kernels[k], out);
	fclose(out);
	return text;
}

static void a_view_says_what_it_lacks(void)
{
	/* Without options, each a part or a need. */
	char *tiny = views_of("memowner-6.12-tiny"),
	     *cloud = views_of("debian-trixie-6.12.107+deb13-cloud-amd64"),
	     *power = views_of("debian-trixie-6.12.107+deb13-powerpc64le"),
	     *assumed = views_of("rhel9.6-5.14.0-570.32.1.el9_6-x86_64");

	CHECK(strstr(tiny, "  not built   memowner sockets\n"));
	CHECK(strstr(tiny, "  not built   memowner cgroups\n"));
	CHECK(strstr(tiny, "  yes         memowner processes\n"));
	CHECK(strstr(tiny, "  yes         pageowner, with boot option page_owner=on\n"));
	CHECK(!strstr(tiny, "unknown layout"));
	CHECK(strstr(cloud, "  not built   pageowner\n"));
	CHECK(strstr(cloud, "page_ext_open: not built: "
			    "this kernel was built without CONFIG_PAGE_EXTENSION\n"));
	CHECK(strstr(cloud, "zram_walk: not in vmlinux: of module zram, where that is loaded\n"));
	CHECK(!strstr(cloud, "unknown layout") && !strstr(cloud, " is not loaded"));
	CHECK(strstr(power, "  no          faults -b\n"));
	CHECK(strstr(power, "page tables, registers and stacks of ppc64le are not known\n"));
	/* Of symbols that are assumed nothing is denied. */
	CHECK(!strstr(assumed, "not built") || strstr(assumed, ", 0 not built, 0 not,"));
	free(tiny), free(cloud), free(power), free(assumed);
}

static struct facts *kernel_named(const char *name)
{
	for (unsigned int k = 0; table_ready() && k < table.n; k++)
		if (!strcmp(table.kernels[k].name, name))
			return &table.kernels[k];
	return NULL;
}

/* Of arm64 the table has symbols of 6.12 and later alone; 5.10 is the release of others. */
static void symbols_of_a_release_are_those_of_another_architecture(void)
{
	struct facts f = *kernel_named("debian-bullseye-5.10.0-32-arm64");

	facts_assume(&f, &table);
	CHECK(!strcmp(f.like->arch, "arm64") && f.near && strstr(f.near->name, "5.10"));
	CHECK(facts_assumed_symbol(&f, "memcg_nr_cache_ids"));
	CHECK(facts_assumed_symbol(&f, "init_mm"));
	CHECK(f.near->symbol(f.near, "__start_orc_unwind_ip") &&
	      !facts_assumed_symbol(&f, "__start_orc_unwind_ip"));
}

/* What a table by order does not have is a gap of the table, not a layout that no decoder knows. */
static void a_table_by_order_says_what_it_lacks(void)
{
	char *ubuntu = views_of("ubuntu-5.4.0-26-generic-amd64");

	CHECK(strstr(ubuntu,
		     "the table lacks symbols and some types of this kernel, and cannot say: "));
	CHECK(!strstr(ubuntu, ": unknown, as symbols are assumed"));
	free(ubuntu);
}

/*
 * Vendors take structures of later releases into earlier ones: half of the types are those of another
 * kernel. Every decoder says something of that, and reads what it has room for.
 */
struct mixture {
	struct facts *own, *other;
	unsigned int seed;
};

static struct facts *part(const struct mixture *m, const char *name)
{
	unsigned int hash = m->seed;

	for (const char *p = name; *p; p++)
		hash = hash * 31 + (unsigned char)*p;
	return hash >> 8 & 1 ? m->own : m->other;
}

static const struct fact_type *mixed_type(struct facts *f, const char *name, unsigned int nth)
{
	struct facts *from = part(f->source, name);

	return from->type(from, name, nth);
}

static bool mixed_symbol(struct facts *f, const char *name)
{
	struct facts *from = part(f->source, name);

	return from->symbol(from, name);
}

static bool mixed_enumerator(struct facts *f, const char *name, int64_t *ret)
{
	struct facts *from = part(f->source, "enumerators");

	return from->enumerator(from, name, ret);
}

static void mixed_kernels(void)
{
	const struct open_function *f;

	for (unsigned int k = 0; table_ready() && k < table.n; k++) {
		for (unsigned int seed = 0; seed < 2; seed++) {
			struct facts *other = &table.kernels[(k + 7 * seed + 3) % table.n];
			struct mixture m = { &table.kernels[k], other, seed };
			struct facts mixed = table.kernels[k];

			mixed.type = mixed_type;
			mixed.symbol = mixed_symbol;
			mixed.enumerator = mixed_enumerator;
			mixed.signature = NULL;
			mixed.source = &m;
			for (unsigned int i = 0; (f = open_nth(&table.kernels[k], i)); i++) {
				struct blank b = { 0 };
				const char *said;

				blank_open(&b, &mixed);
				said = open_run(f, &b);
				if (!strcmp(said, "no message") &&
				    strcmp(f->name, "tag_names_open")) {
					printf("# %s of %s mixed with %s refuses without a word\n",
					       f->name, table.kernels[k].name, other->name);
					CHECK(!"a message");
				}
				blank_close(&b);
			}
		}
	}
	arena_reset(&arena);
}

TESTS({ "what decoders refuse on each kernel is as expected", refusals_are_known },
      { "names that no kernel has are known", names_that_no_kernel_has_are_known },
      { "they are few, each with its reason", each_of_them_has_its_reason },
      { "every open function of lib/ is run", every_open_function_is_run },
      { "every structure of a table of rows is asked of kernels", every_structure_is_asked_for },
      { "of two structures of one name, either", either_structure_of_a_name },
      { "types of variables that are asked for are in the table",
	types_of_variables_are_in_the_table },
      { "views ask functions that there are", views_ask_functions_that_there_are },
      { "a view says what it lacks, and what no symbol denies", a_view_says_what_it_lacks },
      { "symbols that are not known: of its architecture, and of its release",
	symbols_of_a_release_are_those_of_another_architecture },
      { "a table by order says what it lacks", a_table_by_order_says_what_it_lacks },
      { "kernels with structures of another release", mixed_kernels })
