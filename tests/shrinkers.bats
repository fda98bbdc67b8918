#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# $SAMPLE told each scan of a shrinker (scripts/sample/guest/shrinkers): memowner shrinkers beside the tracepoint.

load helper

@test "what was put off is the sum of all scans" {
	local dir=$BUILD/samples/$SAMPLE out=$BATS_TEST_TMPDIR

	# ... mm_shrink_slab_end: FUNCTION ADDRESS: nid: 0 [pid: 1 memcg_id: 28] unused scan count 12 new scan count 34 ...
	sed -n 's/.* mm_shrink_slab_end: [^ ]* \(0x\)*\([0-9a-f]*\): nid: [0-9]* .*unused scan count \([0-9]*\) new scan count \([0-9]*\) .*/0x\2 \3 \4/p' "$dir/truth/scans" |
		awk '{ n[$1] += $3 - $2 } END { for (address in n) if (n[address]) print address, n[address] }' | sort > "$out/told"
	[ "$(wc -l < "$out/told")" -ge 2 ]
	"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" shrinkers -n 0 -j > "$out/found"
	diff "$out/told" <(jq -r 'select(.record == "row" and .deferred_objects != 0) | "\(.address) \(.deferred_objects)"' "$out/found" | sort)
}
