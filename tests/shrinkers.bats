#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# $SAMPLE told each scan of a shrinker (scripts/sample/guest/shrinkers), and what each counts, by node and cgroup:
# memowner shrinkers beside the tracepoint and beside what its functions return (scripts/sample/guest/counts).

load helper

@test "what was put off is the sum of all scans" {
	local dir=$BUILD/samples/$SAMPLE out=$BATS_TEST_TMPDIR

	# ... mm_shrink_slab_end: FUNCTION ADDRESS: nid: 0 [pid: 1 memcg_id: 28] unused scan count 12 new scan count 34 ...
	sed -n 's/.* mm_shrink_slab_end: [^ ]* \(0x\)*\([0-9a-f]*\): nid: [0-9]* .*unused scan count \([0-9]*\) new scan count \([0-9]*\) .*/0x\2 \3 \4/p' "$dir/truth/scans" |
		awk '{ n[$1] += $3 - $2 } END { for (address in n) if (n[address]) print address, n[address] }' | sort > "$out/told"
	[ -s "$out/told" ]
	"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" shrinkers -n 0 -j > "$out/found"
	diff "$out/told" <(jq -r 'select(.record == "row" and .deferred_objects != 0) | "\(.address) \(.deferred_objects)"' "$out/found" | sort)
}

# Of shadow nodes the function returns what exceeds an eighth of the pages, the view has all.
WITHOUT=count_shadow_nodes

@test "objects of each shrinker are what its function counts" {
	local dir=$BUILD/samples/$SAMPLE out=$BATS_TEST_TMPDIR

	"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" shrinkers -n 0 -j > "$out/json"
	# What only a function knows is unknown, and not compared.
	jq -r --arg without $WITHOUT 'select(.record == "row" and .objects != null and .function != $without) | "\(.address) \(.objects)"' "$out/json" |
		sort > "$out/found"
	awk '{ n["0x" $1] += $5 } END { for (address in n) print address, n[address] }' "$dir/truth/counts" | sort > "$out/counts"
	join -a 1 -e 0 -o 0,2.2 "$out/found" "$out/counts" > "$out/told"
	[ "$(awk '$2' "$out/found" | wc -l)" -ge 3 ]
	echo "# $(comm -12 "$out/told" "$out/found" | wc -l) of $(wc -l < "$out/told") shrinkers as their functions count, $(awk '$2' "$out/found" | wc -l) have objects" >&3
	diff "$out/told" "$out/found"
}

@test "objects of each node and cgroup are what the functions count there" {
	local dir=$BUILD/samples/$SAMPLE out=$BATS_TEST_TMPDIR

	"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" shrinkers -g function,node,memcg -n 0 -j > "$out/json"
	jq -r --arg without $WITHOUT 'select(.record == "row" and .objects != null and .objects > 0 and .function != $without) |
		"\(.function)/\(.memcg // "/")/\(.node // "-") \(.objects)"' "$out/json" | sort > "$out/found"
	awk '{ sub("^-$", "/", $3); n[$2 "/" $3 "/" $4] += $5 } END { for (part in n) print part, n[part] }' "$dir/truth/counts" | sort > "$out/counts"
	# What the view has, of functions that it knows.
	join "$out/counts" <(cut -d ' ' -f 1 "$out/found") > "$out/told"
	[ "$(awk -F "[/ ]" '$3 == "names" { n += $NF } END { print n + 0 }' "$out/found")" -gt 1000 ]
	echo "# $(comm -12 "$out/told" "$out/found" | wc -l) of $(wc -l < "$out/found") parts as their functions count" >&3
	diff <(cut -d ' ' -f 1 "$out/told") <(cut -d ' ' -f 1 "$out/found")
	# Of the root a file of /proc that the guest read moves to the node of the CPU that reads it next.
	join "$out/told" "$out/found" | awk '($2 - $3) ^ 2 > ($1 ~ /\/\/\// ? 4 : 0)' | refute grep .
	# None that the functions count is missing.
	join -v 1 "$out/counts" "$out/found" > "$out/missing"
	cut -d / -f 1 "$out/missing" | sort -u | comm -12 - <(cut -d / -f 1 "$out/found" | sort -u) | refute grep .
}

@test "pages that a driver maps by vmap() are listed as those of its function" {
	local dir=$BUILD/samples/$SAMPLE

	[ "$("$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" counted -n 0 -j |
		jq -r 'select(.kind == "vmap" and .name == "map_pages [counts]") | "\(.pages) \(.other_pages) \(.structures)"')" = '700 0 1' ]
}
