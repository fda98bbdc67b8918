#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A stock kernel, $SAMPLE, with buffers, rings and pipes of known sizes (scripts/sample/guest/listed): memowner counted
# against what the guest's processes say of theirs, tracefs, and the pools files of its devices.

load helper

setup_file() {
	export OUT=$BATS_FILE_TMPDIR DIR=$BUILD/samples/$SAMPLE
	"$BUILD/memowner" "$DIR/vmcore" counted -n 0 -j > "$OUT/json"
	"$BUILD/memowner" "$DIR/vmcore" classes -j > "$OUT/classes"
	"$BUILD/memowner" "$DIR/vmcore" sockets -n 0 -j > "$OUT/sockets"
	jq -c 'select(.record == "row")' "$OUT/json" > "$OUT/rows"
}

told() { awk -v kind="$1" -v comm="$2" '$1 == kind && $2 == comm { print $3 }' "$DIR/truth/listed" | sort -n | xargs; }
found() {	# KIND COMM: what each row lists, of every class
	jq -r --arg kind "$1" --arg comm "$2" 'select(.kind == $kind and (.used_by | test("^[0-9]+\\(" + $comm + "\\)$"))) | .pages + .other_pages' "$OUT/rows" | sort -n | xargs
}
rows() { jq -r --arg counter "$1" 'select(.counter == $counter) | .counted_pages' "$OUT/rows"; }
part() { jq -r --arg name "$1" 'select(.record == "part" and .name == $name) | .pages' "$OUT/json"; }

@test "rings of packet sockets: each has the pages that its process asked for" {
	[ "$(told packet packetd | wc -w)" = 3 ]
	[ "$(found packet packetd)" = "$(told packet packetd)" ]
	[ "$(jq -r 'select(.kind == "packet") | .name' "$OUT/rows" | sort | xargs)" = 'rx rx, ifindex 1 tx, ifindex 1' ]
	# Of sockets they are a column, and no part of the queues; a socket may have two.
	[ "$(jq -s 'map(select(.record == "row" and .protocol == "PACKET" and (.used_by // "" | test("packetd"))) | .ring_bytes) | add / 4096' "$OUT/sockets")" = \
		"$(told packet packetd | tr ' ' '+' | bc)" ]
	[ "$(jq -s 'map(select(.record == "row" and .protocol != "PACKET" and .ring_bytes != null)) | length' "$OUT/sockets")" = 0 ]
}

@test "buffers of perf: one that two events share is counted once" {
	[ "$(jq -c 'select(.kind == "perf") | [.pages, .counted_pages, .structures]' "$OUT/rows")" = '[194,194,2]' ]
	[ "$(found perf perfd)" = 194 ]
	# What one process alone has open is free when it is gone.
	[ "$("$BUILD/memowner" "$DIR/vmcore" processes -f comm=perfd -o +held_kinds,held_other_bytes -j | jq -r 'select(.record == "row") | [.held_kinds, .held_other_bytes] | @tsv')" = $'buffers of perf 776.0K\t794624' ]
}

@test "pipes: the pages of what is in them, and one that is kept" {
	[ "$(told pipe piped)" = 258 ]
	[ "$(found pipe piped)" = 258 ]
	[ "$(jq -r 'select(.kind == "pipe" and (.used_by | test("piped"))) | .structures' "$OUT/rows")" = 3 ]
}

# A sub-buffer has a header of 16 bytes; a CPU has one more than its ring, which the reader has. One that never was
# online has none, whatever tracefs says of it. With page_owner the pages from before it are of another class.
@test "buffers of ftrace: as large as tracefs says, in whole sub-buffers" {
	local name folder page=4096 cpus functions n

	cpus=$(sed -n 's/.*smp: Brought up .* \([0-9]*\) CPUs.*/\1/p' "$DIR/truth/console")
	for name in global second; do
		folder=/sys/kernel/tracing
		[ $name = global ] || folder+=/instances/$name
		[ "$(jq -r --arg name $name 'select(.kind == "ftrace" and .name == $name) | .pages + .other_pages' "$OUT/rows")" = \
			"$(awk -F : -v folder="$folder/per_cpu/cpu" -v page=$page -v cpus="$cpus" 'index($1, folder) == 1 && substr($1, length(folder) + 1) + 0 < cpus {
				n = int(($2 * 1024 + page - 17) / (page - 16)); sum += n + 1 } END { print sum }' "$DIR/truth/trace_kb")" ]
	done
	[ "$(jq -r 'select(.name == "second (snapshot)") | .pages' "$OUT/rows")" = "$(jq -r 'select(.name == "second") | .pages' "$OUT/rows")" ]
	# The file of 4.19 has the number of functions alone; each has 16 bytes, of which a last page is not full.
	functions=$(jq -r 'select(.kind == "ftrace" and (.name | test("functions"))) | .pages + .other_pages' "$OUT/rows")
	if grep -q 'dyn_ftrace_total_info:.* pages:' "$DIR/truth/trace"; then
		[ "$functions" = "$(sed -n 's/.*dyn_ftrace_total_info:.* pages:\([0-9]*\) .*/\1/p' "$DIR/truth/trace")" ]
	else
		n=$(sed -n 's/.*dyn_ftrace_total_info:\([0-9]*\).*/\1/p' "$DIR/truth/trace")
		[ "$functions" -ge $((n * 16 / page)) ]
		[ "$functions" -le $((n * 16 / page + 2)) ]
	fi
}

@test "DMA pools: blocks of each, as the device's file pools counts them" {
	[ "$(awk '!/poolinfo/ && $NF > 0 { print $NF }' "$DIR/truth/pools" | sort -n | xargs)" = \
		"$(jq -r 'select(.kind == "dma_pool" and (.name | test("^atomic") | not)) | .pages' "$OUT/rows" | sort -n | xargs)" ]
	# Since 6.17 the pools of NVMe have other names.
	[ -n "$(jq -r 'select(.kind == "dma_pool" and (.name | test("^(prp list|nvme descriptor)"))) | .pages' "$OUT/rows")" ]
	[ "$(sed -n 's,.*/pool_size_\(.*\):\([0-9]*\)$,atomic_pool_\1 \2,p' "$DIR/truth/dma_pools" | awk '$2 > 0 { print $1, $2 / 4096 }' | sort)" = \
		"$(jq -r 'select(.kind == "dma_pool" and (.name | test("^atomic"))) | "\(.name) \(.pages)"' "$OUT/rows" | sort)" ]
}

@test "buffers of XFS: every object of their slab cache, those that are written on the LRU list" {
	grep -q '^xfs ' "$DIR/truth/modules" || skip "it has none"
	[ "$(jq -s 'map(select(.kind == "xfs") | .structures) | add' "$OUT/rows")" = \
		"$("$BUILD/memowner" "$DIR/vmcore" caches -f cache=xfs_buf -n 0 -j | jq 'select(.record == "row") | .inuse_objects')" ]
	jq -s -e 'map(select(.name == "vda, on the LRU list")) | .[0].structures > 150 and .[0].pages > 600' "$OUT/rows"
}

@test "TTM: the buffers of a process, and that of the console; pools as debugfs has them" {
	local console

	grep -q '^ttm ' "$DIR/truth/modules" || skip "it has no driver of a display"
	# 32 bits for a pixel, 8 times 16 pixels for a character.
	console=$(sed -n 's/.*colour frame buffer device \([0-9]*\)x\([0-9]*\).*/\1 \2/p' "$DIR/truth/console" | awk '{ print $1 * 8 * $2 * 16 * 4 / 4096 }')
	[ "$(rows ttm_pages_allocated)" = "$(told ttm ttmd | tr ' ' '\n' | awk -v sum="$console" '{ sum += $1 } END { print sum }')" ]
	[ "$(rows allocated_pages)" = "$(sed -n 's/.*:total[^:]*:[ ]*\([0-9]*\) of.*/\1/p' "$DIR/truth/ttm" | sed 's/^0$//')" ]
}

@test "no row differs from the kernel's own number" {
	[ "$(jq -r 'select(.difference_pages != null and .difference_pages != 0) | "\(.kind) \(.name) \(.difference_pages)"' "$OUT/rows")" = '' ]
}

@test "packets: what the sockets have, as memowner sockets" {
	[ "$(jq -s 'map(select(.kind == "socket") | .pages + .other_pages) | add' "$OUT/rows")" = \
		"$(jq -s 'map(select(.record == "row") | .pages) | add' "$OUT/sockets")" ]
	[ "$(found socket locald)" -gt 0 ]
}

@test "the parts: direct pages of memowner classes, the sum of the rows, the rest" {
	[ "$(part direct)" = "$(jq -r 'select(.class == "direct") | .pages' "$OUT/classes")" ]
	[ "$(part listed)" = "$(jq -s 'map(.pages // 0) | add' "$OUT/rows")" ]
	[ "$(part counted)" = "$(jq -s 'map(select(.pages == null) | .counted_pages) | add // 0' "$OUT/rows")" ]
	[ "$(part rest)" = $(($(part direct) - $(part listed) - $(part counted))) ]
	[ "$(jq -r 'select(.record == "summary") | .complete' "$OUT/json")" = true ]
}

@test "the summary: a ring that has a tenth of memory, with the others on the line of class direct; its process has it" {
	local pages

	pages=$(told packet packetd | tr ' ' '\n' | tail -n 1)
	[ "$pages" -gt 6600 ] || skip "the ring is small"
	"$BUILD/memowner" "$DIR/vmcore" -j > "$OUT/summary"
	jq -s -e 'any(.[]; .record == "class" and .name == "direct" and (.remark | test("M in 3 packet rings$")))' "$OUT/summary"
	grep -q 'packetd' "$OUT/summary"
}

@test "the story: each figure is in the output of the command that it names" {
	"$BUILD/memowner" "$DIR/vmcore" story -j > "$OUT/story"
	has_figures "$OUT/story" alone "$BUILD/memowner" "$DIR/vmcore"
}
