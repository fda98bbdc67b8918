// SPDX-License-Identifier: GPL-2.0-or-later
/* What a kernel's types mean for the views: which answer, which answer in part, which do not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "opens.h"

/*
 * Functions by name. Without one of needs a view has no answer; without one of parts, less of it. What the kernel does
 * not have is no part of an answer.
 */
static const struct {
	const char *view, *needs, *parts;
	const char *boot; /* the option that it has records with; NULL: it needs none */
} views[] = {
	{ "memowner", "ram_open memmap_open page_types_open counters_open zones_open",
	  "kernel_log_read tasks_open slabs_open memcgs_open memcg_states_open vm_layout_open "
	  "free_areas_open pcp_lists_open zone_states_open file_paths_open task_stacks_open" },
	{ "pageowner", "ram_open memmap_open page_owner_open page_ext_open depot_open",
	  "page_types_open modules_open zones_open task_owners_open", "page_owner=on" },
	{ "pageowner -k", "page_owner_open stack_list_open depot_open", "", "page_owner=on" },
	{ "memowner case", "machine_read",
	  "kernel_log_read taint_letters_read percpu_open hugetlb_walk psi_open" },
	{ "memowner classes", "ram_open memmap_open page_types_open counters_open",
	  "free_areas_open pcp_lists_open vm_layout_open percpu_first_read percpu_chunks_walk "
	  "hugetlb_walk zswap_walk task_stacks_open page_pools_open" },
	{ "memowner zones", "zones_open zone_states_open free_areas_open",
	  "alloc_kernel_open pcp_lists_open kernel_log_read reclaim_open" },
	{ "memowner pages", "ram_open memmap_open page_types_open pageflags_open", "zones_open" },
	{ "memowner pressure", "psi_open", "cgroups_open" },
	{ "memowner rcu", "rcu_open", "" },
	{ "memowner shrinkers", "", "list_lrus_open memcgs_open" },
	{ "memowner fragmentation",
	  "ram_open memmap_open page_types_open zones_open pageblocks_open", "slabs_open" },
	{ "memowner caches", "memmap_open page_types_open slabs_open", "zones_open" },
	{ "memowner objects", "memmap_open page_types_open slabs_open", "slub_tracks_open" },
	{ "memowner files", "ram_open memmap_open page_types_open inodes_open",
	  "inode_paths_open file_paths_open cached_files_open open_files_open" },
	{ "memowner filesystems", "super_list_open super_spaces_open inode_paths_open",
	  "percpu_counters_open" },
	{ "memowner vmalloc", "vm_layout_open", "modules_open" },
	{ "memowner processes", "tasks_open mm_counters_open oom_scores_open",
	  "page_tables_open page_mapcounts_open memcgs_open mm_holders_read file_maps_open" },
	{ "memowner cgroups", "memcgs_open memcg_states_open",
	  "memcg_counts_read memcg_events_read memcg_charges_open cgroups_open" },
	{ "memowner pools", "memmap_open page_types_open",
	  "hugetlb_walk cma_walk swap_areas_walk zram_walk zswap_walk percpu_chunks_walk "
	  "page_pools_open balloons_walk dma_bufs_open" },
	{ "memowner counted", "open_files_open",
	  "trace_arrays_open ring_layout_open bpf_maps_open" },
	{ "memowner dmabuf", "dma_bufs_open", "open_files_open" },
	{ "memowner bpf", "bpf_maps_open bpf_progs_open", "open_files_open cgroups_open" },
	{ "memowner holders", "ram_open memmap_open page_types_open kernel_map_open",
	  "slabs_open vm_layout_open percpu_open modules_open file_paths_open open_files_open" },
	{ "memowner log", "kernel_log_read", "" },
	{ "memowner stuck", "tasks_open task_frames_open",
	  "rwsems_open mmap_locks_open oom_scores_open mm_structs_open last_ran_open" },
	{ "memowner story", "kernel_log_read",
	  "tasks_open vm_events_read psi_open reclaim_open memcgs_open cgroups_open" },
	{ "memowner sockets", "socks_open open_files_open", "tcp_hash_walk sock_protocols_walk" },
	{ "pageowner ADDR", "memmap_open page_types_open",
	  "slabs_open rmap_open cached_files_open vm_layout_open" },
	{ "allocprof", "codetags_open", "page_tags_open module_tags_walk unloaded_tags_open",
	  "sysctl.vm.mem_profiling=1" },
	{ "depot", "depot_open", "slub_tracks_open kasan_open kmemleak_walk ref_trackers_walk" },
	{ "faults", "tasks_open mm_counters_open", "cgroups_open memcgs_open last_ran_open" },
	{ "faults -v", "vm_events_read", "memcg_events_read" },
	{ "faults -e", "trace_arrays_open ring_layout_open trace_events_open",
	  "saved_cmdlines_open" },
	{ "faults -b", "tasks_open task_stacks_open unwinder_open",
	  "vm_faults_open vmas_open mmap_locks_open" },
	{ "faults -x", "kernel_log_read exception_frames_open", "vmas_open" },
	{ "faults -k", "kgtp_registers_open", "" },
};

#define VIEWS (sizeof(views) / sizeof(views[0]))

/* What a function says; each runs once. Kernels of the table are not asked what their facts do not have. */
struct answer {
	bool was_asked;
	enum status status;
	const char *text;
};

/* What a command line decides. */
static bool is_of_boot(const char *text)
{
	return strstr(text, "was off at boot");
}

/* Page tables, registers and stacks of an architecture that no decoder knows, however the kernel was built. */
static bool is_of_architecture(const struct facts *f, const char *text)
{
	static const char *const words[] = { " of a known architecture",
					     "registers of this architecture",
					     "struct pt_regs has no",
					     "where a task saves its stack pointer" };

	if (!strcmp(f->arch, "x86_64") || !strcmp(f->arch, "arm64"))
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

/* "virtio_balloon": a module brings its types and symbols along; NULL: it is of none. */
static const char *module_of(const char *text, char name[64])
{
	const char *of = strstr(text, " module ");

	return of && (strstr(of, " is not loaded") || strstr(of, " are not known")) &&
			       sscanf(of, " module %63[a-z0-9_]", name) == 1
		       ? name
		       : NULL;
}

static struct answer said(struct facts *f, struct hash_bytes *answers, const char *name)
{
	bool is_new;
	struct hash_bytes_entry *e = hash_bytes_get(answers, name, strlen(name) + 1, &is_new);
	const struct open_function *open = open_function(name);
	struct answer *a = e ? e->value : NULL;

	if (!a || !open)
		return (struct answer){ true, ST_UNKNOWN, "no such function" };
	if (!a->was_asked) {
		struct blank b = { 0 };

		*a = (struct answer){ .was_asked = true };
		if (!open_is_of(f, open))
			return *a;
		blank_open(&b, f);
		a->text = open_run_status(open, &b, &a->status);
		blank_close(&b);
	}
	return *a;
}

/* How much of a view there is, the least of its functions; from UNKNOWN on less than all. */
enum degree { WHOLE, OF_MODULE, NOT_BUILT, UNKNOWN, NOT_ASKED, OF_ARCHITECTURE };

static enum degree degree_of(const struct facts *f, const struct answer *a)
{
	char name[64];

	if (!a->text)
		return NOT_ASKED;
	if (a->status == ST_OK || is_of_boot(a->text))
		return WHOLE;
	if (is_of_architecture(f, a->text))
		return OF_ARCHITECTURE;
	if (module_of(a->text, name))
		return OF_MODULE;
	return a->status == ST_ABSENT ? NOT_BUILT : UNKNOWN;
}

static void put_why(struct facts *f, const char *name, enum degree degree, const char *text,
		    FILE *out)
{
	char module[64];

	fprintf(out, "%14s%s: ", "", name);
	if (degree == OF_MODULE)
		fprintf(out, "not in vmlinux: of module %s, where that is loaded\n",
			module_of(text, module));
	else if (degree == OF_ARCHITECTURE)
		fprintf(out, "page tables, registers and stacks of %s are not known\n", f->arch);
	else if (degree == NOT_ASKED)
		fprintf(out, "the table does not have what it asks of this kernel\n");
	else if (f->by_order)
		fprintf(out,
			"the table lacks symbols and some types of this kernel, and cannot say: %s\n",
			text);
	else if (f->assumed)
		fprintf(out, "unknown, as symbols are assumed: %s\n", text);
	else
		fprintf(out, "%s%s\n", degree == NOT_BUILT ? "not built: " : "", text);
}

/* Of all of these functions the least, and with out why, a line for each. */
static enum degree least(struct facts *f, struct hash_bytes *answers, const char *names, FILE *out)
{
	char copy[512], *rest = copy, *name;
	enum degree least = WHOLE;

	snprintf(copy, sizeof(copy), "%s", names);
	while ((name = strsep(&rest, " "))) {
		const struct answer a = *name ? said(f, answers, name)
					      : (struct answer){ true, ST_OK, "ok" };
		enum degree degree = degree_of(f, &a);

		least = degree > least ? degree : least;
		if (out && degree != WHOLE)
			put_why(f, name, degree, a.text, out);
	}
	return least;
}

/* Without one of needs there is no view; without one of parts less of it. */
enum word { YES, IN_PART, NOT_THERE, NO, UNKNOWN_YET, WORDS };

static enum word word_of(const struct facts *f, enum degree needs, enum degree parts)
{
	if (needs <= OF_MODULE)
		return parts < UNKNOWN ? YES : IN_PART;
	if (needs == OF_ARCHITECTURE)
		return NO;
	if (needs == NOT_ASKED || f->assumed)
		return UNKNOWN_YET;
	return needs == NOT_BUILT ? NOT_THERE : NO;
}

void facts_views(struct facts *f, FILE *out)
{
	static const char *const words[WORDS] = { "yes", "in part", "not built", "no", "unknown" };
	unsigned int n[WORDS] = { 0 };
	struct hash_bytes answers;

	hash_bytes_init(&answers, f->arena, sizeof(struct answer));
	fprintf(out, "%s: %s%s\n", f->name, f->arch,
		f->assumed ? ", symbols unknown: those of the most similar kernel are assumed"
			   : "");
	if (f->assumed && f->like)
		fprintf(out, "  (%s%s%s)\n", f->like->name,
			f->near ? ", and what went away since of " : "",
			f->near ? f->near->name : "");
	for (size_t i = 0; i < VIEWS; i++) {
		enum degree needs = least(f, &answers, views[i].needs, NULL);
		enum degree parts = least(f, &answers, views[i].parts, NULL);
		enum word word = word_of(f, needs, parts);

		n[word]++;
		fprintf(out, "  %-10s  %s%s%s\n", words[word], views[i].view,
			views[i].boot && needs <= OF_MODULE ? ", with boot option " : "",
			views[i].boot && needs <= OF_MODULE ? views[i].boot : "");
		least(f, &answers, views[i].needs, out);
		if (needs <= OF_MODULE)
			least(f, &answers, views[i].parts, out);
	}
	fprintf(out, "  %u views answer, %u in part, %u not built, %u not, %u unknown\n", n[0],
		n[1], n[2], n[3], n[4]);
}

/* The last word of a view is that of a row. */
static bool has_view(const char *command, const char *noun)
{
	char name[128];

	snprintf(name, sizeof(name), "%s%s%s", command, *noun ? " " : "", noun);
	for (size_t i = 0; i < VIEWS; i++)
		if (!strcmp(views[i].view, name))
			return true;
	printf("# no word of %s\n", name);
	return false;
}

static bool has_all_views(void)
{
	bool all = true;

#define NOUN(noun) all &= has_view("memowner", #noun);
#include "nouns.def"
#undef NOUN
#define COMMAND(command) all &= has_view(#command, "");
#include "commands.def"
#undef COMMAND
	return all;
}

bool facts_views_known(void)
{
	for (size_t i = 0; i < VIEWS; i++) {
		char copy[1024], *rest = copy, *name;

		snprintf(copy, sizeof(copy), "%s %s", views[i].needs, views[i].parts);
		while ((name = strsep(&rest, " ")))
			if (*name && !open_function(name)) {
				printf("# %s: no function %s\n", views[i].view, name);
				return false;
			}
	}
	return has_all_views();
}
