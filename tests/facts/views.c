// SPDX-License-Identifier: GPL-2.0-or-later
/* What a kernel's types mean for the views: which answer, which answer in part, which do not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "opens.h"

/* Functions by name. Without one of needs a view has no answer; without one of parts, less of it. */
static const struct {
	const char *view, *needs, *parts;
} views[] = {
	{ "memowner", "ram_open memmap_open page_types_open counters_open zones_open",
	  "kernel_log_read tasks_open slabs_open memcgs_open memcg_states_open vm_layout_open "
	  "free_areas_open pcp_lists_open zone_states_open file_paths_open task_stacks_open" },
	{ "pageowner", "ram_open memmap_open page_owner_open page_ext_open depot_open",
	  "page_types_open modules_open zones_open task_owners_open" },
	{ "memowner classes", "ram_open memmap_open page_types_open counters_open",
	  "free_areas_open pcp_lists_open vm_layout_open percpu_first_read percpu_chunks_walk "
	  "hugetlb_walk zswap_walk task_stacks_open page_pools_open" },
	{ "memowner zones", "zones_open zone_states_open free_areas_open",
	  "alloc_kernel_open pcp_lists_open kernel_log_read reclaim_open" },
	{ "memowner pages", "ram_open memmap_open page_types_open pageflags_open", "zones_open" },
	{ "memowner pressure", "psi_open", "cgroups_open" },
	{ "memowner shrinkers", "", "list_lrus_open memcgs_open" },
	{ "memowner fragmentation",
	  "ram_open memmap_open page_types_open zones_open pageblocks_open", "slabs_open" },
	{ "memowner caches", "memmap_open page_types_open slabs_open", "zones_open" },
	{ "memowner objects", "memmap_open page_types_open slabs_open", "slub_tracks_open" },
	{ "memowner files", "ram_open memmap_open page_types_open inodes_open",
	  "inode_paths_open file_paths_open cached_files_open open_files_open" },
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
	{ "memowner sockets", "socks_open open_files_open", "tcp_hash_walk sock_protocols_walk" },
	{ "pageowner ADDR", "memmap_open page_types_open",
	  "slabs_open rmap_open cached_files_open vm_layout_open" },
	{ "allocprof", "codetags_open", "page_tags_open module_tags_walk unloaded_tags_open" },
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

/* Each function runs once. */
static const char *said(struct facts *f, struct hash_bytes *answers, const char *name)
{
	bool is_new;
	struct hash_bytes_entry *e = hash_bytes_get(answers, name, strlen(name) + 1, &is_new);
	const char **text = e ? e->value : NULL;
	const struct open_function *open = open_function(name);

	if (!text || !open)
		return "no such function";
	if (!*text) {
		struct blank b = { 0 };

		blank_open(&b, f);
		*text = open_run(open, &b);
		blank_close(&b);
	}
	return *text;
}

/* The first of the functions that refuses, and its words; or all, a line each. */
static unsigned int refuse(struct facts *f, struct hash_bytes *answers, const char *names,
			   const char *view, const char *how, FILE *out)
{
	char copy[512], *rest = copy, *name;
	unsigned int n = 0;

	snprintf(copy, sizeof(copy), "%s", names);
	while ((name = strsep(&rest, " "))) {
		const char *text = *name ? said(f, answers, name) : "ok";

		if (!strcmp(text, "ok"))
			continue;
		fprintf(out, "  %-8s %-24s %s: %s\n", n ? "" : how, n ? "" : view, name, text);
		n++;
	}
	return n;
}

void facts_views(struct facts *f, FILE *out)
{
	struct hash_bytes answers;
	unsigned int whole = 0, part = 0;

	hash_bytes_init(&answers, f->arena, sizeof(const char *));
	fprintf(out, "%s: %s%s\n", f->name, f->arch,
		f->assumed ? ", symbols unknown: those of the most similar kernel are assumed"
			   : "");
	if (f->assumed && f->like)
		fprintf(out, "  (%s)\n", f->like->name);
	for (size_t i = 0; i < VIEWS; i++) {
		if (refuse(f, &answers, views[i].needs, views[i].view, "no", out))
			continue;
		if (refuse(f, &answers, views[i].parts, views[i].view, "in part", out)) {
			part++;
			continue;
		}
		fprintf(out, "  %-8s %s\n", "yes", views[i].view);
		whole++;
	}
	fprintf(out, "  %u views answer, %u in part, %zu not\n", whole, part, VIEWS - whole - part);
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
	return true;
}
