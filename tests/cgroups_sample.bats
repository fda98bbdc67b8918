#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Memory cgroups of a real dump, $SAMPLE: counters against the pages and objects that are charged,
# and against memory.stat of T0 in the guest.

load helper
load dump

setup_file() {
	of_sample
}

# Up to 5.12 CPUs hold back a part of each counter, in the kernel's own file too, as the answer says: bytes.
lag() {
	echo $(($(summary_of cgroups '[.warnings[] | capture("may be up to (?<n>[0-9]+) off for each CPU").n][0] // "0"') * $(meta_of cgroups .cpus) * 4096))
}

@test "memory.current is what was found to be charged, to the page: pages, objects by bytes, stocks of CPUs" {
	local whole

	# Built without CONFIG_MEMCG.
	has memcg_web || { [ "$(summary_of cgroups .status)" = not_built ]; return; }
	[ "$(of cgroups '"\(.memcg) \(.memcg_state) \(.memcg_version)"' | sort | xargs)" = '/ online v2 /db online v2 /web online v2' ]
	whole=$(summary_of cgroups .complete)
	[ "$whole" = "$([ -n "$LIKE" ] && echo "$whole" || echo true)" ]
	[ "$whole" = true ] || return 0
	of cgroups 'select(.memcg != "/") | [.pages, .counted_pages, .difference_pages, .cause] | @tsv' > "$OUT/causes"
	run awk -F '\t' '{ n = $1; gsub(/[^0-9 ]/, "", $4); split($4, c, " "); for (i in c) n += c[i] } n != $2 || $1 - $2 != $3' "$OUT/causes"
	[ -z "$output" ]
	[ "$(wc -l < "$OUT/causes")" = 2 ]
	refute grep unknown "$OUT/causes"
	# Kernel memory is its pages, and those that objects are charged from.
	[ "$(of cgroups 'select(.memcg != "/" and .kernel_bytes and .kernel_bytes / 4096 != .memcg_charged.kernel + (.cause | capture("memory (?<n>[0-9]+)").n | tonumber)) | .memcg')" = '' ]
	# No page of these is of the swap cache without being mapped.
	[ "$(of cgroups 'select(.memcg != "/" and (.memcg_stat.anon - .memcg_charged.anon * 4096 | fabs) > '"$(lag)"') | .memcg')" = '' ]
	[ "$(of cgroups 'select(.memcg != "/" and (.memcg_stat.file - (.memcg_charged.file + .memcg_charged.shmem) * 4096 | fabs) > '"$(lag)"') | .memcg')" = '' ]
	[ "$(of cgroups 'select(.memcg != "/" and .swap_entries * 4096 != .swap_usage_bytes) | .memcg')" = '' ]
}

@test "memory.stat of T0: what was swapped out since is in swap, page tables and stacks are the same" {
	local key unknown='^$'

	[ "$(summary_of cgroups .complete)" = true ] || return 0
	stat_of() { awk -v k=$1 '$1 == k { n = $2 } END { print n == "" ? "none" : n }' "$TRUTH/memcg_web"; }
	# Up to 5.1 the lengths of LRU lists are elsewhere.
	[[ $SAMPLE != 4.* ]] || unknown='^(in)?active_|^unevictable$'
	[ "$(of cgroups 'select(.memcg == "/web") | .memcg_stat.anon + .swap_usage_bytes - '"$(stat_of anon)"' | fabs <= '"$(lag)")" = true ]
	for key in file kernel_stack pagetables percpu sock shmem file_dirty file_writeback unevictable; do
		[[ ! $key =~ $unknown ]] || continue
		[ "$(of cgroups "select(.memcg == \"/web\") | .memcg_stat.$key // \"none\"")" = "$(stat_of $key)" ] || { echo $key; false; }
	done
	# Every key of this kernel's file that is a size, but sums and huge pages.
	diff <(awk -v unknown="$unknown" '$1 ~ unknown || $1 ~ /^(workingset|pg|sw[a-z]*_|thp|zswp|numa|psw)/ || $1 ~ /_thp$|^slab$|^hugetlb$|^zswap_incomp$/ { next } { print $1 }' "$TRUTH/memcg_web" | sort) \
		<(of cgroups 'select(.memcg == "/web") | .memcg_stat | keys[]' | sort)
}

@test "processes and the largest of a cgroup are those of faults -g" {
	[ "$(summary_of cgroups .complete)" = true ] || return 0
	for memcg in /db /web; do
		[ "$(of cgroups 'select(.memcg == "'$memcg'") | "\(.rss_bytes) \(.comm)"')" = \
			"$(of faults 'select(.cgroup == "'$memcg'") | "\(.rss_bytes) \(.comm)"' | sort -n | tail -n 1)" ]
	done
	[ "$(of cgroups 'select(.memcg == "/") | "\(.usage_bytes) \(.max_limit) \(.peak_bytes)"')" = 'null null null' ]
	[ "$(of cgroups 'select(.memcg == "/web") | "\(.max_limit + 0) \(.min_limit) \(.memcg_events.oom_kill) \(.peak_bytes >= .usage_bytes)"')" = '9223372036854772000 0 0 true' ]
}
