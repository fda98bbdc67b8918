#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A decoder that refuses is told: the same dump, $SAMPLE, as if debug information lacked types.

load helper
load dump

setup_file() {
	of_sample
}

blind() {	# COMMAND...
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "extend $OBJECTS/blind.so" "$@" > "$OUT/said"
}

# If BRIEF each sixth name, and those of which the screen is tested.
some() {
	awk -v brief="${BRIEF:-}" -v kept=" $(parts | cut -d ' ' -f 1 | xargs) " '!brief || NR % 6 == 0 || index(kept, " " $0 " ")'
}

@test "the summary without any one of all types: what is missing has its reason, and it is not complete" {
	local type commands=("memowner_blind none memowner -j > $OUT/base")

	while read -r type; do
		commands+=("memowner_blind $type memowner -j > $OUT/without.$type")
	done < <("$TESTS/tools/silent" types | some)
	[ "${#commands[@]}" -gt $((BRIEF ? 30 : 150)) ]
	blind "${commands[@]}"
	"$TESTS/tools/silent" "$OUT/base" "$OUT"/without.*
	"$TESTS/tools/validate" "$OUT"/without.*
}

@test "the summary without any one symbol that it asks for: what is missing has its reason as well" {
	local name commands=("memowner_blind none memowner -j > $OUT/base")

	blind "memowner_blind ? memowner > $OUT/asked"
	while read -r name; do
		commands+=("memowner_blind @$name memowner -j > $OUT/nameless.$name")
	done < <(symbols "$OUT/asked" | some)
	[ "${#commands[@]}" -gt $((BRIEF ? 15 : 80)) ]
	blind "${commands[@]}"
	"$TESTS/tools/silent" "$OUT/base" "$OUT"/nameless.*
}

@test "each part that cannot be read is named on the screen, and in JSON with its status" {
	local type part commands=()

	while read -r type part; do
		commands+=("memowner_blind $type memowner > $OUT/text.$type")
	done < <(parts)
	blind "${commands[@]}"
	while read -r type part; do
		# A name may be at the end of a line; where the screen is full, -j has the reason, as is tested below.
		sed -n '/^unknown /,$p' "$OUT/text.$type" | tr -s '\n ' ' ' | grep -q -E "unknown ([^:]*, )?$part(, [^:]*)?: ((the kernel log cannot be read: )?unknown layout|memowner -j has the reasons)" ||
			{ echo "$type: $part"; cat "$OUT/text.$type"; false; }
		[ "$(wc -l < "$OUT/text.$type")" -le 40 ]
		jq -e --arg part "$part" 'select(.record == "summary") | (.complete | not) and
			any(.unknown[]; .part == $part and .status == "unknown_layout" and .reason != "")' "$OUT/without.$type" > /dev/null ||
			{ echo "$type: $part"; tail -n 1 "$OUT/without.$type"; false; }
	done < <(parts)
}

@test "other views: what a hidden type costs is told as well" {
	local view type command commands=() files=()

	while read -r view command; do
		commands+=("memowner_blind none $command -j > $OUT/base.$view")
		while read -r type; do
			commands+=("memowner_blind $type $command -j > $OUT/view.$view.$type")
		done < <(costs $view)
	done < <(views)
	blind "${commands[@]}"
	while read -r view command; do
		"$TESTS/tools/silent" "$OUT/base.$view" "$OUT"/view.$view.*
		while read -r type; do
			files+=("$OUT/view.$view.$type")
		done < <(costs $view)
	done < <(views)
	[ "${#files[@]}" -ge 20 ]
	jq -c 'select(.record == "summary") | [((.complete | not) and (.unknown + .warnings | length > 0)), input_filename, .]' "${files[@]}" > "$OUT/summaries"
	[ "$(grep -c '^\[true,' "$OUT/summaries")" = ${#files[@]} ] || { grep -v '^\[true,' "$OUT/summaries"; false; }
}

@test "the cache of an address in a slab page that cannot be known is an unknown one, with the reason" {
	local page

	page=$(of list 'select(.class == "slab") | .pfn' | head -n 1)
	blind "memowner_blind none pageowner pfn:$page" "memowner_blind kmem_cache pageowner pfn:$page"
	[ "$(grep -c '^  now slab [a-z]' "$OUT/said")" = 2 ]
	grep -q '^  now slab of an unknown cache, ' "$OUT/said"
	grep -q '^warning: slab caches .*: unknown layout: struct kmem_cache has no member ' "$OUT/said"
}

@test "no view without rows has the status of one with rows" {
	local view commands=()

	for view in sockets cgroups pools files vmalloc processes caches; do
		commands+=("memowner_blind page memowner $view -j > $OUT/pageless.$view")
	done
	blind "${commands[@]}"
	for view in sockets cgroups pools files vmalloc processes caches; do
		echo "$view: $(tail -n 1 "$OUT/pageless.$view")"
		jq -e 'select(.record == "summary") | .status != "ok" or .rows_total > 0' "$OUT/pageless.$view" > /dev/null
	done
	jq -e 'select(.record == "summary") | .status == "unknown_layout"' "$OUT/pageless.sockets" > /dev/null
}

# The whole sweep is tests/tools/sweep without a pattern, some ten minutes for a dump.
@test "what was silent once: each view tells what it lacks" {
	local line command n=0

	while read -r line; do
		command=${line##*|}
		"$TESTS/tools/sweep" "$BUILD/tested" "$DIR" "^(${line%|*})\$" "$command" > "$OUT/swept" ||
			{ cat "$OUT/swept"; false; }
		# Something is hidden, and it is asked for.
		[[ "$(tail -n 1 "$OUT/swept")" =~ ^#\ [0-9]+\ runs,\ [1-9] ]] || { echo "$command: $(cat "$OUT/swept")"; false; }
		n=$((n + 1))
	done < <(lacking | some)
	[ "$n" -ge $((BRIEF ? 6 : 25)) ]
}

@test "a part of the sweep: views without one name or type that they ask for" {
	"$TESTS/tools/sweep" "$BUILD/tested" "$DIR" 5/60 '^[^%]' "pageowner -z -j" "memowner processes -j" \
		"memowner files -j" "memowner cgroups -j" "memowner pools -j" "memowner" > "$OUT/swept" ||
		{ cat "$OUT/swept"; false; }
	[[ "$(tail -n 1 "$OUT/swept")" =~ ^#\ [0-9]{2}\ runs ]]
}

lacking() {	# REGEX OF NAMES|COMMAND
	cat <<- EOF
		mod_kallsyms|pageowner -t tree -j
		mod_kallsyms|pageowner -t folded
		@early_handle|pageowner -t list -a -j -n 300
		@pcpu_get_vm_areas|memowner vmalloc -j
		@cached_stacks|memowner -j
		@gfpflag_names|pageowner -g gfp -j
		@migratetype_names|pageowner -g migratetype -j
		mem_section_usage|pageowner -g block_migratetype -j
		page_flags_fields|pageowner -t raw -n 3
		kthread|faults -j
		worker|faults -j
		@vm_event_states|faults -v -j
		@ftrace_events|faults -e -n 1 -j
		@ftrace_trace_arrays|faults -e -n 1 -j
		@trace_clocks|faults -e -n 1 -j
		maple_tree|faults -e -n 1 -j
		handle_parts|pageowner -t top -n 1 -j
		@stack_list|pageowner -k -n 1 -j
		stack|pageowner -k -n 1 -j
		@page_owner_inited|depot -a -n 1 -j
		@shmem_ops|memowner files -j
		@simple_dname|memowner files -j
		slabobj_ext|allocprof -C -j
		pcpuobj_ext|allocprof -C -j
		@page_alloc_tagging_ops|allocprof -C -j
		@stack_pools|allocprof -C -j
		@prb|pageowner -z -j
		%(MM_(FILE|ANON|SHMEM)PAGES|MM_SWAPENTS)|memowner processes -j
		%(MM_(FILE|ANON|SHMEM)PAGES|MM_SWAPENTS)|memowner
		%(PGFAULT|PGMAJFAULT|PSWPIN|PGSCAN_KSWAPD|OOM_KILL|WORKINGSET_REFAULT_ANON)|faults -v -j
		%(PG_reserved|PG_swapbacked|PGTY_slab|PGTY_table|PGTY_buddy)|pageowner -g class -j
		%(PGTY_slab|PGTY_buddy)|memowner objects -j
		%(NR_(ANON_MAPPED|FILE_PAGES|FREE_PAGES|SHMEM|SLAB_RECLAIMABLE_B|KERNEL_STACK_KB))|pageowner -m -j
		@(pcpu_nr_populated|pcpu_nr_units|nr_vmalloc_pages|_totalram_pages)|pageowner -m -j
		%(NR_(FILE_DIRTY|MLOCK|UNEVICTABLE|FREE_CMA_PAGES))|pageowner -z -j
		%MIGRATE_MOVABLE|pageowner -b -j
		%_SLAB_RECLAIM_ACCOUNT|memowner caches -j
		%PG_(dirty|mlocked|writeback)|memowner files -j
		%TRACE_EVENT_FL_TRACEPOINT|faults -e
		@prb|faults -e
		@prb|faults -t timeline
		module_sect_attrs?|pageowner -l -n 3 -j
		@pcpu_unit_pages|memowner classes -j
		kmem_cache_node|memowner caches -j
		%(MEMCG_KMEM|MEMCG_VMALLOC|NR_SECONDARY_PAGETABLE|NR_SWAPCACHE)|memowner cgroups -j
	EOF
}

# Names of functions are then those of vmlinux, and a frame of __init has no mark.
symbols() {	# FILE
	sed -n 's/^asked @//p' "$1" | grep -v -E '^(kallsyms_.*|_stext|_s?inittext|_einittext)$'
}

views() {	# NAME COMMAND
	cat <<- EOF
		top pageowner
		cgroups memowner cgroups
		users depot -u
		memory pageowner -m
		processes memowner processes
		tasks faults
		vmalloc memowner vmalloc
		pools memowner pools
		cache pageowner -g cache
		class pageowner -g class
	EOF
}

costs() {	# VIEW: types without which it is not complete
	case $1 in
	top) printf '%s\n' printk_info module @modules ;;
	cgroups) printf '%s\n' memcg_stock_pcp @cgrp_dfl_root @memory_cgrp_subsys ;;
	users) printf '%s\n' page_owner @page_owner_inited @page_ext_size @iomem_resource @kmem_cache ;;
	memory) printf '%s\n' page zone per_cpu_nodestat per_cpu_zonestat rq printk_info vm_struct module \
		@runqueues @cached_stacks @early_handle @modules @page_owner_inited ;;
	processes) printf '%s\n' cgroup css_set signal_struct task_struct @prb ;;
	tasks) printf '%s\n' cgroup css_set mm_struct ;;
	vmalloc) printf '%s\n' vmap_area rq module @runqueues @modules ;;
	pools) printf '%s\n' dentry swap_info_struct pcpu_chunk zram zs_pool @pcpu_first_chunk @pcpu_nr_units \
		@pcpu_base_addr @swap_info @nr_swapfiles ;;
	cache) printf '%s\n' kmem_cache slab page @kmem_cache @runqueues ;;
	class) printf '%s\n' page vm_struct @early_handle @runqueues ;;
	esac
}

parts() {	# TYPE PART
	cat <<- EOF
		kmem_cache caches
		slab caches
		inode files
		mem_cgroup cgroups
		cgroup cgroups of owners
		zone zones
		mem_section RAM
		mem_section buffers of DMA-BUF
		page classes
		page_owner owners
		stack_record owners
		alloc_tag sites
		task_struct processes
		task_struct deadlocks
		vm_fault threads in a page fault
		printk_info panic, OOM report
		module names of some modules
	EOF
}
