#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A stock kernel, $SAMPLE, whose driver keeps pages in the ways in which drivers do (scripts/sample/guest/keeper):
# what its ledger says of each page, and the graph of pointers was not told.

load helper

setup_file() {
	export OUT=$BATS_FILE_TMPDIR DIR=$BUILD/samples/$SAMPLE
	"$BUILD/tools/graph_truth" "$DIR/vmcore" "" "$DIR/truth/keeper_ledger" > "$OUT/truth"
	"$BUILD/memowner" "$DIR/vmcore" > "$OUT/screen"
}

@test "98 % of the pages, and 80 % of those of each way, have the root that keeps them, none one of another owner" {
	jq -c .ways "$OUT/truth"
	[ "$(jq '.ways | length' "$OUT/truth")" = "$(cut -d ' ' -f 1 "$DIR/truth/keeper_ledger" | sort -u | wc -l)" ]
	jq -e '[.ways[]] | map(.[0]) as $all | map(.[1]) as $right | ($all | add) > 40000 and ($right | add) * 100 >= ($all | add) * 98' "$OUT/truth"
	# A stale word above a part of a tree makes that part unknown.
	jq -e '.ways | all(.[]; .[1] * 100 >= .[0] * 80)' "$OUT/truth"
	jq -e '.ways | all(.[]; .[2] == 0)' "$OUT/truth"
}

@test "the first screen names the driver, the variable and the way, and that they are inferred" {
	grep -q -E '^~ root +[0-9.]+M +[0-9.]+% .* buffers \[keeper\] -> list of kmalloc-64 -> direct pages, confidence of the owner [0-9.]+%$' "$OUT/screen"
	grep -q -E '^ +panic .*; taint OE?L? \(keeper OE?\)$' "$OUT/screen"
	[ "$(wc -l < "$OUT/screen")" -le 40 ]
}

@test "memory of processes that ended, pinned: lists of the driver name each page, as it says itself" {
	local pages regions

	[ -e "$DIR/truth/keeper_pins" ] || skip "made before the driver pinned memory"
	read -r regions pages < "$DIR/truth/keeper_pins"
	[ "$pages" -gt 20000 ]
	"$BUILD/memowner" "$DIR/vmcore" memowner -j > "$OUT/summary"
	jq -s -e --argjson n "$pages" '.[] | select(.record == "candidate" and (.name | startswith("regions [keeper]"))) | .pages == $n and .confidence >= 99' "$OUT/summary"
	"$BUILD/memowner" "$DIR/vmcore" holders -j > "$OUT/roots"
	[ "$(jq -r 'select(.record == "total") | select(.name | startswith("pages that no process maps")) | "\(.name) \(.objects)"' "$OUT/roots")" = \
		"pages that no process maps, named by $regions lists of page pointers of regions [keeper] $pages" ]
}
