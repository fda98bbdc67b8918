#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A synthetic kernel for each generation of page_ext, page_owner and stack depot: all
# say the same, as far as their kernels record it.

load helper

# "pageowner -t list -a -j", a line per row, unknown as -.
list_of() {
	synthetic "$1" 'pageowner -t list -a -j' | jq -n -r "$STACK"'
		foreach inputs as $r ({};
			if $r.record == "stack" then .[$r.handle] = ($r.stack | stack) else . end;
			. as $s | $r | select(.record == "row") |
			[.pfn, .order, .gfp_mask, .pid, .tgid, .comm, .ts_ns, .free_ts_ns, .free_pid, .free_tgid,
			 .allocated, .last_migrate_reason, $s[.handle], $s[.free_handle // "none"]]
			| map(if . == null then "-" else . end) | join("|"))'
}

# struct page of these kernels has no members: class and cgroup are unknown.
same_list() {	# KERNEL EXPECTED
	diff -u <(printf '%s\n' "$2") <(list_of "$1")
	[ "$(summary "$1" status complete live freed empty undecodable skipped unreadable ram_pages)" = \
		'ok false 7 1 40 0 0 0 48' ]
}

WITH_FREE_PID="16|0|0xcc0|7|7|leaker|1000|0|0|0|true|-|$FIRST|-
17|0|0xcc0|8|7|leaker-2|2000|0|0|0|true|-|$FIRST|-
20|2|0x40cc0|7|7|leaker|3000|0|0|0|true|-|$FIRST|-
21|2|0x40cc0|7|7|leaker|3000|0|0|0|true|-|$FIRST|-
22|2|0x40cc0|7|7|leaker|3000|0|0|0|true|-|$FIRST|-
23|2|0x40cc0|7|7|leaker|3000|0|0|0|true|-|$FIRST|-
24|0|0x0|9|9|gone|4000|5000|9|9|false|-|$FIRST|$FREE
32771|0|0x100cca|1|1|init|6000|5500|2|2|true|-|$SECOND|$FREE"

WITHOUT_FREE_PID="16|0|0xcc0|7|7|leaker|1000|0|-|-|true|-|$FIRST|-
17|0|0xcc0|8|7|leaker-2|2000|0|-|-|true|-|$FIRST|-
20|2|0x40cc0|7|7|leaker|3000|0|-|-|true|-|$FIRST|-
21|2|0x40cc0|7|7|leaker|3000|0|-|-|true|-|$FIRST|-
22|2|0x40cc0|7|7|leaker|3000|0|-|-|true|-|$FIRST|-
23|2|0x40cc0|7|7|leaker|3000|0|-|-|true|-|$FIRST|-
24|0|0x0|9|9|gone|4000|5000|-|-|false|-|$FIRST|$FREE
32771|0|0x100cca|1|1|init|6000|5500|-|-|true|-|$SECOND|$FREE"

WITHOUT_TIME="16|0|0xcc0|-|-|-|-|-|-|-|true|-|$FIRST|-
17|0|0xcc0|-|-|-|-|-|-|-|true|-|$FIRST|-
20|2|0x40cc0|-|-|-|-|-|-|-|true|-|$FIRST|-
21|2|0x40cc0|-|-|-|-|-|-|-|true|-|$FIRST|-
22|2|0x40cc0|-|-|-|-|-|-|-|true|-|$FIRST|-
23|2|0x40cc0|-|-|-|-|-|-|-|true|-|$FIRST|-
24|0|0x0|-|-|-|-|-|-|-|false|-|$FIRST|$FREE
32771|0|0x100cca|-|-|-|-|-|-|-|true|-|$SECOND|$FREE"

HEADS_ONLY=$(sed 's/|[^|]*$/|-/; /^24|/d' <<< "$WITHOUT_TIME")
WITHOUT_TASK="16|0|0xcc0|7|-|-|1000|-|-|-|true|-|$FIRST|-
17|0|0xcc0|8|-|-|2000|-|-|-|true|-|$FIRST|-
20|2|0x40cc0|7|-|-|3000|-|-|-|true|-|$FIRST|-
21|2|0x40cc0|7|-|-|3000|-|-|-|true|-|$FIRST|-
22|2|0x40cc0|7|-|-|3000|-|-|-|true|-|$FIRST|-
23|2|0x40cc0|7|-|-|3000|-|-|-|true|-|$FIRST|-
24|0|0x0|9|-|-|4000|-|-|-|false|-|$FIRST|$FREE
32771|0|0x100cca|1|-|-|6000|-|-|-|true|-|$SECOND|$FREE"

WITH_FREE_TIME=$(awk -F '|' -v OFS='|' '{ $8 = $1 == 24 ? 5000 : $1 == 32771 ? 5500 : 0; print }' <<< "$WITHOUT_TASK")

@test "4.19: extra_mem, entries of 20 bytes, a record on first pages only, bit 1" {
	diff -u <(echo "$HEADS_ONLY") <(list_of v4_19)
	[ "$(summary v4_19 status live freed empty undecodable)" = 'ok 7 0 41 0' ]
	# A look-up from a page behind the first finds the first.
	run synthetic v4_19 'pageowner pfn:0x16' 'pageowner pfn:0x18'
	[ "${lines[0]}" = 'pfn 0x16 is allocated, page 2 of the allocation at pfn 0x14' ]
	# A free clears the record of a first page.
	grep -q -x 'pfn 0x18 has no page_owner record: free, or never allocated while it was on' <<< "$output"
}

@test "5.3: the same with bit 0" {
	diff -u <(echo "$HEADS_ONLY") <(list_of v4_19-owner_0)
}

@test "5.4 to 5.10: slabs, 21 bits of index, records without time or task" {
	same_list v5_10 "$WITHOUT_TIME"
}

@test "what a kernel does not record is said so: ages, time and task of an allocation and of a free" {
	run synthetic v5_10 'pageowner -n 1 -o +ages' 'pageowner pfn:0x8003' 'pageowner -t list -n 1'
	[ "$(grep -c '^ *pages by age' <<< "$output")" = 0 ]
	grep -qx 'not recorded by this kernel: OLDEST, YOUNGEST, pages by age at the panic' <<< "$output"
	grep -qx 'not recorded by this kernel: PID, COMM, TIME' <<< "$output"
	grep -qx '  allocated (time and task not recorded by this kernel), order 0, gfp 0x100cca' <<< "$output"
	grep -qx '  previously freed (time and task not recorded by this kernel)' <<< "$output"
	run synthetic v5_11 'pageowner -n 1' 'pageowner -n 1 -o pages' 'pageowner pfn:0x8003'
	# It records them, and does not say when it died.
	[ "$(grep -c '^unknown without the time of the panic: OLDEST, YOUNGEST$' <<< "$output")" = 1 ]
	grep -qx '  allocated at 0.000006 by pid 1, order 0, gfp 0x100cca' <<< "$output"
	refute grep -q 'not recorded.*OLDEST' <<< "$output"
}

@test "FLATMEM: tables of nodes, that start at a whole block" {
	local page

	same_list v5_10-flat "$WITHOUT_TIME"
	page=$(synthetic v5_10-flat 'pageowner -D' | sed -n 's/^node   pfn 0x8000-0x800f, mem_map 0x\([0-9a-f]*\),.*/\1/p')
	# struct page of the second node's fourth page, 64 bytes each.
	run synthetic v5_10-flat "pageowner -j page:$(printf %x $((0x$page + 3 * 64)))" "pageowner page:$(printf %x $((0x$page + 16 * 64)))"
	[ "$(head -n 2 <<< "$output" | jq -r 'select(.record == "row") | .pfn')" = 32771 ]
	grep -q -x 'warning: 0x[0-9a-f]* is no struct page' <<< "$output"
}

@test "5.11: time and thread" {
	same_list v5_11 "$WITHOUT_TASK"
}

@test "5.13: time of the last free; the depot's table behind a pointer (5.12)" {
	same_list v5_15 "$WITH_FREE_TIME"
}

@test "5.18: name and process of who allocated" {
	same_list v6_1-5_19 "$WITHOUT_FREE_PID"
}

@test "6.1: the user's bits in the handle, nobody says who freed" {
	same_list v6_1 "$WITHOUT_FREE_PID"
}

@test "6.3: slabs are called pools" {
	same_list v6_1-pools "$WITHOUT_FREE_PID"
}

@test "migrated before 6.9: all pages of an allocation have the owner of the first" {
	same_list v6_1-migrated "$WITHOUT_FREE_PID"
	[ "$(synthetic v6_1-migrated 'pageowner -j pfn:0x17' | jq -r 'select(.record == "row") | .comm')" = leaker ]
}

@test "6.8: no valid bit, the index is the pool" {
	same_list v6_8 "$WITH_FREE_PID"
}

@test "6.9: index plus one" {
	same_list v6_9 "$WITH_FREE_PID"
}

@test "SPARSEMEM without EXTREME, and EXTREME with an array of roots" {
	same_list v6_9-static "$WITH_FREE_PID"
	same_list v6_9-array "$WITH_FREE_PID"
}

@test "a section that was going offline is left out, and told" {
	diff -u <(grep -v ^32771 <<< "$WITH_FREE_PID") <(list_of v6_9-offline)
	[ "$(summary v6_9-offline status live skipped ram_pages)" = 'ok 6 16 48' ]
	run synthetic v6_9-offline 'pageowner pfn:0x8003'
	[ "${lines[0]}" = 'pfn 0x8003 is in memory that was being taken offline' ]
	[ "${lines[2]}" = '  now unknown: struct page has an unknown layout' ]
}

@test "6.17: the pools are behind a pointer" {
	same_list v6_17 "$WITH_FREE_PID"
}

@test "7.3: never migrated is a number of its own" {
	same_list v6_17-never "$(sed '/^32771/s/true|-/true|memory_failure/' <<< "$WITH_FREE_PID")"
}

@test "a vendor's index plus one under the old name" {
	same_list vendor_plus_1 "$WITH_FREE_PID"
}

states_of() {
	synthetic "$1" 'pageowner -t list -a -j -o pfn,type,head_pfn,memcg' |
		jq -r 'select(.record == "row") | "\(.pfn) \(.type) \(.head_pfn) \(.memcg)"'
}

@test "what pages are, and who is charged: flags and macros, bits of an enumeration in two places, the top byte" {
	for kernel in v5_10-types v6_9-types_6_10 v6_9-types_6_11 v6_17-types_7_1; do
		diff -u - <(states_of $kernel) <<-END
		16 slab 16 [by object]
		17 pgtable 17 [not charged]
		20 anon 20 /web
		21 anon 20 /web
		22 anon 20 /web
		23 anon 20 /web
		24 buddy 24 [not charged]
		32771 file 32771 /web/db
		END
	done
}

@test "a page in a free block is free, whatever its record says" {
	run synthetic v6_9-stale 'pageowner -t list -j -o pfn' 'pageowner pfn:0x19' 'pageowner -t raw'
	[ "$(grep -c '"record":"row"' <<< "$output")" -ge 1 ]
	refute grep -q '"pfn":25' <<< "$output"
	grep -qx 'pfn 0x19 is free' <<< "$output"
	refute grep -q '^PFN 25 ' <<< "$output"
}

@test "flags of a tail page are those of its compound page" {
	run synthetic raw-cgroup 'pageowner pfn:0x15' 'pageowner pfn:0x14'
	[ "${lines[2]}" = '  now anon, in the compound page at pfn 0x14 with flags 0x400001000000010c uptodate|lru|0x100|zone=1|lastcpupid=0x1, charged to /web' ]
	grep -qx '  now anon, flags 0x400001000000010c uptodate|lru|0x100|zone=1|lastcpupid=0x1, charged to /web' <<< "$output"
}

# The lines of page_owner's file behind the first of each record, without addresses.
raw_of() {
	synthetic "$1" 'pageowner -t raw' | grep -v '^ 0xffffffff81'
}

@test "raw: the formats of each generation, from its own read-only data" {
	diff -u - <(raw_of raw-old) <<-END
	Page allocated via order 0, mask 0xcc0(GFP_KERNEL)
	PFN 16 type Unmovable Block 0 type Reclaimable Flags 0x200(slab)

	Page allocated via order 0, mask 0xcc0(GFP_KERNEL)
	PFN 17 type Unmovable Block 0 type Reclaimable Flags 0x0()

	Page allocated via order 2, mask 0x40cc0(GFP_KERNEL|__GFP_COMP)
	PFN 20 type Unmovable Block 0 type Reclaimable Flags 0x400001000000010c(uptodate|lru|0x100)

	Page allocated via order 0, mask 0x100cca(GFP_KERNEL|__GFP_MOVABLE|0x100002)
	PFN 32771 type Movable Block 64 type Movable Flags 0x0()
	Page has been migrated, last migrate reason: memory_failure

	END
	diff -u - <(raw_of raw-fields) <<-END
	Page allocated via order 0, mask 0xcc0(GFP_KERNEL), pid 7, ts 1000 ns
	PFN 16 type Unmovable Block 0 type Reclaimable Flags 0x0(zone=0|lastcpupid=0x0)

	Page allocated via order 0, mask 0xcc0(GFP_KERNEL), pid 8, ts 2000 ns
	PFN 17 type Unmovable Block 0 type Reclaimable Flags 0x0(zone=0|lastcpupid=0x0)

	Page allocated via order 2, mask 0x40cc0(GFP_KERNEL|__GFP_COMP), pid 7, ts 3000 ns
	PFN 20 type Unmovable Block 0 type Reclaimable Flags 0x400001000000010c(uptodate|lru|0x100|zone=1|lastcpupid=0x1)

	Page allocated via order 0, mask 0x100cca(GFP_KERNEL|__GFP_MOVABLE|0x100002), pid 1, ts 6000 ns
	PFN 32771 type Movable Block 128 type Movable Flags 0x0(zone=0|lastcpupid=0x0)
	Page has been migrated, last migrate reason: memory_failure

	END
	diff -u - <(raw_of raw | tail -n 7) <<-END
	Page allocated via order 2, mask 0x40cc0(GFP_KERNEL|__GFP_COMP), pid 7, ts 3000 ns, free_ts 0 ns
	PFN 20 type Unmovable Block 0 type Reclaimable Flags 0x400001000000010c(uptodate|lru|0x100|zone=1|lastcpupid=0x1)

	Page allocated via order 0, mask 0x100cca(GFP_KERNEL|__GFP_MOVABLE|0x100002), pid 1, ts 6000 ns, free_ts 5500 ns
	PFN 32771 type Movable Block 64 type Movable Flags 0x0(zone=0|lastcpupid=0x0)
	Page has been migrated, last migrate reason: memory_failure

	END
}

@test "raw: cgroups, their names cut as the kernel cuts them" {
	diff -u - <(raw_of raw-cgroup) <<-END
	Page allocated via order 0, mask 0xcc0(GFP_KERNEL), pid 7, tgid 7 (leaker), ts 1000 ns
	PFN 0x10 type Unmovable Block 0 type Reclaimable Flags 0x0(zone=0|lastcpupid=0x0)
	Slab cache page

	Page allocated via order 0, mask 0xcc0(GFP_KERNEL), pid 8, tgid 7 (leaker-2), ts 2000 ns
	PFN 0x11 type Unmovable Block 0 type Reclaimable Flags 0x0(zone=0|lastcpupid=0x0)

	Page allocated via order 2, mask 0x40cc0(GFP_KERNEL|__GFP_COMP), pid 7, tgid 7 (leaker), ts 3000 ns
	PFN 0x14 type Unmovable Block 0 type Reclaimable Flags 0x400001000000010c(uptodate|lru|0x100|zone=1|lastcpupid=0x1)
	Charged to memcg web

	Page allocated via order 0, mask 0x100cca(GFP_KERNEL|__GFP_MOVABLE|0x100002), pid 1, tgid 1 (init), ts 6000 ns
	PFN 0x8003 type Movable Block 64 type Movable Flags 0x0(zone=0|lastcpupid=0x0)
	Page has been migrated, last migrate reason: memory_failure
	Charged (via objcg) to offline memcg a-name-of-eighty-five-letters-of-which-the-kernel-prints-no-more-than-seventy-n

	END
}

@test "raw: what is left out is told beside the text; control characters in a file, ? on a terminal" {
	local kernel=$BUILD/kernels/raw-control

	synthetic raw-control "pageowner -t raw > $BATS_TEST_TMPDIR/raw"
	grep -q $'tgid 7 (a\033\\[2J\r$' "$BATS_TEST_TMPDIR/raw"
	grep -q $'^b\x7f), ts 8000 ns$' "$BATS_TEST_TMPDIR/raw"
	grep -qx 'pageowner: left out: 1 record with a part that is not in this dump, or is corrupt' "$BATS_TEST_TMPDIR/err"
	refute grep -q 'left out' "$BATS_TEST_TMPDIR/raw"
	synthetic raw-cgroup "pageowner -t raw > $BATS_TEST_TMPDIR/whole"
	refute grep -q 'left out' "$BATS_TEST_TMPDIR/err"
	echo "extend $OBJECTS/memowner.so" > "$BATS_TEST_TMPDIR/extend"
	run "$BUILD/tools/pty" 10000 'pageowner -t raw' $CRASH --minimal -s --no_scroll -i "$BATS_TEST_TMPDIR/extend" \
		"$kernel/vmlinux" "$kernel/ram@0x0"
	[[ "$output" = *'tgid 7 (a?[2J?'* ]]
	[[ "$output" = *'b?), ts 8000 ns'* ]]
	[[ "$output" = *'pageowner: left out: 1 record'* ]]
}

blocks_of() {
	synthetic "$1" 'pageowner -t list -j' | jq -r 'select(.record == "row") | "\(.pfn) \(.block_migratetype)"' | xargs
}

@test "types of pageblocks: from either end of a word, in sections and zones, isolation as a bit" {
	for kernel in raw raw-old raw-fields raw-cgroup raw-flat; do
		[ "$(blocks_of $kernel)" = '16 Reclaimable 17 Reclaimable 20 Reclaimable 32771 Movable' ]
	done
	[ "$(blocks_of raw-isolate)" = '16 Isolate 17 Isolate 20 Isolate 32771 Movable' ]
	# Blocks of 512 pages: by the distance of bitmaps; with FLATMEM by that there are huge pages.
	[ "$(raw_of raw | awk '/^PFN/ { print $6 }' | xargs)" = '0 0 0 64' ]
	[ "$(raw_of raw-isolate | awk '/^PFN/ { print $6 }' | xargs)" = '0 0 0 64' ]
	[ "$(raw_of raw-flat | awk '/^PFN/ { print $6 }' | xargs)" = '0 0 0 64' ]
	# A kernel without any of it.
	[ "$(blocks_of v5_10)" = '16 null 17 null 20 null 32771 null' ]
}

@test "raw: a text that cannot be known is refused" {
	run synthetic raw-vendor 'pageowner -t raw'
	[ "$output" = 'no data: unknown layout: page_owner prints Page allocated via order %u, mask %#x(%pGg), pid %d, allocator %s' ]
	run synthetic raw-silent 'pageowner -t raw'
	[ "$output" = 'no data: unknown layout: the kernel has no text "Page allocated via order "' ]
}

# Of "pageowner -z ARGUMENTS": what each zone makes of a request.
answers_of() {	# KERNEL ARGUMENTS...
	synthetic "$1" "pageowner -z ${*:2} -j" | jq -r 'select(.record == "row") |
		"\(.zone) \(.result) \(.usable_pages) \(.limit_pages) \(.largest_order)"' | paste -s -d ,
}

@test "zones: free blocks, lists of CPUs and watermarks, in both forms of lists of CPUs" {
	local k pcp

	for k in 6.13:3 5.10:2 6.1:3; do
		pcp=${k#*:}
		k=${k%:*}
		k=zones_6_13$([ $k = 6.13 ] || echo "-${k/./_}")
		synthetic $k 'pageowner -z -j' > "$BATS_TEST_TMPDIR/zones"
		[ "$(jq -r 'select(.record == "row") | "\(.node) \(.zone) \(.managed_pages) \(.present_pages) \(.spanned_pages) \(.free_pages) \(.counted_pages) \(.listed_pages) \(.pcp_pages) \(.min_pages) \(.boost_pages) \(.low_pages) \(.high_pages) \(.reserve_pages) \(.highatomic_pages) \(.result)"' "$BATS_TEST_TMPDIR/zones")" = "0 DMA32 30 31 32 15 16 16 $pcp 6 2 7 8 null 16 null
1 Normal 16 16 16 9 9 9 0 2 0 3 4 null 0 null" ]
		[ "$(jq -r 'select(.record == "blocks" and .blocks > 0) | "\(.zone) \(.migratetype) \(.order) \(.blocks) \(.pages)"' "$BATS_TEST_TMPDIR/zones" | paste -s -d ,)" = \
			'DMA32 Unmovable 0 2 2,DMA32 Movable 2 1 4,DMA32 HighAtomic 3 1 8,DMA32 CMA 1 1 2,DMA32 null 0 2 2,DMA32 null 1 1 2,DMA32 null 2 1 4,DMA32 null 3 1 8,Normal Unmovable 0 1 1,Normal Movable 3 1 8,Normal null 0 1 1,Normal null 3 1 8' ]
		[ "$(jq -r 'select(.record == "node") | "\(.node) \(.kswapd_failures) \(.kswapd_order) \(.compact_order) \(.unevictable_pages) \(.mlocked_pages) \(.dirty_pages) \(.writeback_pages) \(.swap_pages) \(.swap_free_pages)"' "$BATS_TEST_TMPDIR/zones" | paste -s -d ,)" = \
			'0 17 3 3 1 3 5 6 100 10,1 0 0 0 0 0 0 0 100 10' ]
		# 25 - 14 + 31 - 10 + 8 - 4; the low watermarks are 10.
		[ "$(jq -r 'select(.record == "node") | "\(.available_pages) \(.available_file_pages) \(.available_kernel_pages) \(.totalreserve_pages)"' "$BATS_TEST_TMPDIR/zones" | sort -u)" = '36 21 4 14' ]
		[ "$(jq -r 'select(.record == "summary") | "\(.status) \(.complete)"' "$BATS_TEST_TMPDIR/zones")" = 'ok true' ]
		# CPU 0 has a block, CPU 1 one that is of order 1 and on the list of Movable since 5.14.
		[ "$(jq -r 'select(.record == "pcp" and .blocks > 0) | "\(.zone) \(.migratetype) \(.order) \(.blocks) \(.pages)"' "$BATS_TEST_TMPDIR/zones" | paste -s -d ,)" = \
			"DMA32 Unmovable 0 1 1,DMA32 Movable $([ $pcp = 2 ] && echo 0 1 1 || echo 1 1 2)" ]
		[ "$(jq -r 'select(.record == "pcp" and .zone == "Normal") | "\(.migratetype) \(.order)"' "$BATS_TEST_TMPDIR/zones" | wc -l)" = $([ $pcp = 2 ] && echo 3 || echo 13) ]
		# -m finds the same pages one by one.
		[ "$(synthetic $k 'pageowner -m -j' | jq -r 'select(.record == "row" and .class != "unknown") | "\(.class) \(.pages)"' | paste -s -d ,)" = "buddy 25,pcp $pcp" ]
	done
}

@test "swap: free pages below zero, while swapoff() empties an area, are unknown and the total is not" {
	local out=$BATS_TEST_TMPDIR

	synthetic zones_6_13-swapoff 'pageowner -z' > "$out/text"
	grep -q '^swap: 400.0K, how much is free is unknown$' "$out/text"
	grep -q '^warning: free swap is unknown: nr_swap_pages is -40, as while swapoff() empties an area$' "$out/text"
	synthetic zones_6_13-swapoff 'pageowner -z -j' > "$out/json"
	[ "$(jq -r 'select(.record == "node") | "\(.swap_pages) \(.swap_free_pages)"' "$out/json" | sort -u)" = '100 null' ]
	[ "$(jq -r 'select(.record == "summary") | .complete' "$out/json")" = false ]
	[ "$(synthetic zones_6_13 'pageowner -z' | grep -c '^swap: 40.0K of 400.0K free$')" = 1 ]
}

@test "blocks: of two zones, by order; pageblocks of five types; what one page keeps; unknown pages" {
	synthetic zones_6_13-blocks 'pageowner -b 2 -j' > "$BATS_TEST_TMPDIR/blocks"
	of_blocks() { jq -r "select(.record == \"$1\") | $2" "$BATS_TEST_TMPDIR/blocks" | paste -s -d ,; }
	# ZONE ORDER nr_free, pages below it; blocks that are free, by moving, by reclaim, unmovable, unknown.
	[ "$(of_blocks row '"\(.zone) \(.order) \(.blocks) \(.lower_pages) \(.whole_blocks) \(.movable_blocks) \(.reclaimable_blocks) \(.unmovable_blocks) \(.unknown_blocks)"')" = \
		'DMA32 0 2 0 16 15 0 1 0,DMA32 1 1 2 7 8 0 1 0,DMA32 2 1 4 3 4 0 1 0,DMA32 3 1 8 1 2 0 1 0,Normal 0 1 0 9 null null null 7,Normal 1 0 1 4 null null null 4,Normal 2 0 1 2 null null null 2,Normal 3 1 1 1 null null null 1' ]
	[ "$(of_blocks row 'select(.is_request) | .order')" = 2,2 ]
	# TYPE pageblocks, lost, unknown, lost blocks of order 2; pages free, of CPUs, movable, unmovable, unknown.
	[ "$(of_blocks type '"\(.zone) \(.block_migratetype) \(.pageblocks) \(.lost_blocks) \(.unknown_blocks) \(.lost_order_blocks) \(.listed_pages) \(.pcp_pages) \(.movable_pages) \(.unmovable_pages) \(.unknown_pages) \(.mixed_blocks)"')" = \
		'DMA32 Unmovable 1 0 0 0 6 1 1 0 0 null,DMA32 Movable 1 0 0 0 0 0 8 0 0 null,DMA32 HighAtomic 1 0 0 0 8 0 0 0 0 null,DMA32 CMA 1 1 0 1 2 2 3 1 0 null,Normal Unmovable 1 null 1 null 1 null null null 7 null,Normal Movable 1 0 0 0 8 0 0 0 0 null' ]
	[ "$(of_blocks owner '"\(.class) \(.pages) \(.affected_blocks) \(.sole_blocks) \(.lost_order_blocks)"')" = 'pgtable 1 1 1 1' ]
	[ "$(of_blocks near '"\(.block_pfn) \(.pfn) \(.pages) \(.mobility) \(.class) \(.listed_pages) \(.movable_pages)"')" = '32 33 1 unmovable pgtable 2 1' ]
	[ "$(of_blocks summary '"\(.status) \(.complete)"')" = 'ok false' ]
	of_blocks summary '.warnings[]' | grep -q 'callers and ages of unmovable pages are unknown: '
	# An order that is one page away: by a page that can be moved, and by one on the list of a CPU.
	[ "$(synthetic zones_6_13-blocks 'pageowner -b 1 -j' | jq -r 'select(.record == "near") | "\(.block_pfn) \(.pfn) \(.mobility) \(.movable_pages)"' | paste -s -d ,)" = \
		'16 16 movable 0,18 18 pcp 0,32 33 unmovable 1' ]
	[ "$(synthetic zones_6_13-blocks 'pageowner -b 4')" = "pageowner: an order is a number from 0 to 3, not '4'" ]
	[ "$(synthetic zones_6_13 'pageowner -b')" = 'no data: unknown layout: pageblocks' ]
	[[ "$(synthetic zones_6_13-blocks 'pageowner -b -g caller')" = 'pageowner: -g caller needs page_owner: '* ]]
	[ "$(synthetic zones_6_13-blocks 'pageowner -b -g class,state')" = 'pageowner: -g state cannot be combined with fragmentation: its groups are of pages in use' ]
	[ "$(synthetic zones_6_13-blocks 'pageowner -b -g class -f block_migratetype=unmovable -j' | jq -r 'select(.record == "row") | .class')" = '' ]
	[ "$(synthetic zones_6_13-blocks 'pageowner -b -g block_migratetype -j' | jq -r 'select(.record == "row") | "\(.block_migratetype) \(.pages) \(.mixed_pages)"')" = 'CMA 1 1' ]
}

@test "zones: classes of pages by node and zone" {
	[ "$(synthetic zones_6_13 'pageowner -m -g node,zone -j' | jq -r 'select(.record == "row" and .class != "unknown") | "\(.node) \(.zone) \(.class) \(.pages)"' | sort | paste -s -d ,)" = \
		'0 DMA32 buddy 16,0 DMA32 pcp 3,1 Normal buddy 9' ]
	# Of those that -n leaves out their sum.
	[ "$(synthetic zones_6_13 'pageowner -m -g node,zone -n 1' | grep -E '^\.\.\. [0-9]+ more rows? with [0-9.]+K \(-n 0 shows all\)$')" != '' ]
	# zsmalloc is a module: that it has pages is known by its counter alone.
	[ "$(synthetic zones_6_13-zspages 'pageowner -m -j' | jq -r 'select(.record == "row" and .class == "zsmalloc") | "\(.pages) \(.counted_pages)"')" = 'null 3' ]
	# A pool of zswap in a form that is not known costs its own pages.
	[ "$(synthetic zones_6_13-zspages 'pageowner -m -j' | jq -r 'select(.class == "buddy").pages')" = 25 ]
	[ "$(synthetic zones_6_13 'pageowner -m -j' | jq -r 'select(.record == "row" and .class == "zsmalloc") | .class')" = '' ]
	[ "$(synthetic zones_6_13 'pageowner -m -g module')" = "pageowner: module is no key of -g here, known are: node zone" ]
}

@test "zones: who serves a request, by the reserves of each generation" {
	# Free 15: highatomic 8 of 16 are free, CMA 2; min 4 and a boost of 2, reserve 2.
	[ "$(answers_of zones_6_13 0)" = 'DMA32 below_watermark 5 8 null,Normal served 9 2 null' ]
	[ "$(answers_of zones_6_13-5_10 0)" = 'DMA32 below_watermark -3 8 null,Normal served 9 2 null' ]
	[ "$(answers_of zones_6_13-6_1 0)" = 'DMA32 below_watermark -3 8 null,Normal served 9 2 null' ]
	# __GFP_HIGH has the highatomic pages since 6.3.
	[ "$(answers_of zones_6_13 0 GFP_KERNEL,__GFP_HIGH)" = 'DMA32 served 13 5 null,Normal served 9 1 null' ]
	[ "$(answers_of zones_6_13-6_1 0 GFP_KERNEL,__GFP_HIGH)" = 'DMA32 served 13 5 null,Normal served 9 1 null' ]
	[ "$(answers_of zones_6_13-5_10 0 GFP_KERNEL,__GFP_HIGH)" = 'DMA32 below_watermark -3 5 null,Normal served 9 1 null' ]
	# Either rule: where they agree, it does not matter.
	[ "$(answers_of zones_6_13-inlined 0 GFP_KERNEL,__GFP_HIGH)" = 'DMA32 unknown null null null,Normal served 9 1 null' ]
	[ "$(answers_of zones_6_13-inlined 0)" = 'DMA32 below_watermark -3 8 null,Normal served 9 2 null' ]
	# 15 - 7 - 2 against half of 6, less a quarter of that in whole pages, and the reserve: the block is highatomic.
	[ "$(answers_of zones_6_13 3 GFP_ATOMIC)" = 'DMA32 served 6 5 3,Normal served 2 1 3' ]
	[ "$(answers_of zones_6_13-5_10 3 GFP_ATOMIC)" = 'DMA32 served 6 5 3,Normal served 2 1 3' ]
	# CMA is for movable requests; flags exclude zones.
	[ "$(answers_of zones_6_13 1 GFP_HIGHUSER_MOVABLE)" = 'DMA32 below_watermark 6 8 2,Normal served 8 2 3' ]
	[ "$(answers_of zones_6_13 0 GFP_DMA32)" = 'DMA32 served 13 6 null,Normal not_allowed null null null' ]
	# The bits of 4.19 give the same answers: 0x20000 is __GFP_HARDWALL there, 0x200000 and 0x400000 are reclaim.
	[ "$(answers_of zones_6_13-4_19 0)" = "$(answers_of zones_6_13-5_10 0)" ]
	[ "$(answers_of zones_6_13-4_19 3 GFP_ATOMIC)" = "$(answers_of zones_6_13-5_10 3 GFP_ATOMIC)" ]
	[ "$(answers_of zones_6_13-4_19 1 0x6280ca)" = "$(answers_of zones_6_13-5_10 1 GFP_HIGHUSER_MOVABLE)" ]
	# Its MemAvailable has the 3 pages that are counted in bytes whole, and half of slab.
	[ "$(synthetic zones_6_13-4_19 'memowner zones -j' | jq -r 'select(.record == "node") | "\(.available_pages) \(.available_kernel_pages)"' | sort -u)" = '39 7' ]
	[ "$(synthetic zones_6_13-4_19 'pageowner -z 0' | grep -c -F 'whether a zone serves order 0, gfp 0x6000c0 (GFP_KERNEL)')" = 1 ]
	# A bit without a name may be that flag; a mask that has none of those is served as ever.
	[ "$(answers_of zones_6_13-unnamed 0)" = "$(answers_of zones_6_13 0)" ]
	synthetic zones_6_13-unnamed 'pageowner -z 0 0xcc1' | grep -q 'node 0 DMA32: unknown: which gfp flag is __GFP_DMA$'
	[ "$(synthetic zones_6_13-unnamed 'pageowner -z 0 0xcc1 -j' | jq -r 'select(.record == "summary") | "\(.complete) \(.warnings[-1])"')" = \
		'false whether a zone serves the request is unknown: which gfp flag is __GFP_DMA' ]
	# Compaction is deferred from order 3 on.
	[ "$(answers_of zones_6_13 2 GFP_ATOMIC)" = 'DMA32 served 10 5 3,Normal served 6 1 3' ]
	[ "$(synthetic zones_6_13 'pageowner -z 3 -j' | jq -r 'select(.record == "row") | .compaction_deferred' | paste -s -d ,)" = true,false ]
	[ "$(synthetic zones_6_13 'pageowner -z 2 -j' | jq -r 'select(.record == "row") | .compaction_deferred' | paste -s -d ,)" = false,false ]
}

@test "zones: the zonelist of each node, of all zones and of its own; one without an end or with a foreign zone" {
	local why
	local -A wrong=([endless]='it has no end' [foreign]='is the address of no zone')

	zonelists() {	# KERNEL ARGUMENTS...
		synthetic "$1" "pageowner -z ${*:2} -j" | tee "$BATS_TEST_TMPDIR/zones" | jq -r 'select(.record == "zonelist") |
			"\(.zonelist_node) \(.rank) \(.node) \(.zone) \(.result) \(.zonelist_source)"' | paste -s -d ,
	}
	[ "$(zonelists zones_6_13 0)" = '0 1 0 DMA32 below_watermark any_node,0 2 1 Normal served any_node,1 1 1 Normal served any_node,1 2 0 DMA32 below_watermark any_node' ]
	# __GFP_THISNODE; flags that exclude a zone.
	[ "$(zonelists zones_6_13-5_10 0 0x200cc0)" = '0 1 0 DMA32 below_watermark any_node,1 1 1 Normal served any_node' ]
	[ "$(zonelists zones_6_13-4_19 0 0x6400c0)" = "$(zonelists zones_6_13-5_10 0 0x200cc0)" ]
	[ "$(zonelists zones_6_13 0 GFP_DMA32)" = '0 1 0 DMA32 served any_node,1 1 0 DMA32 served any_node' ]
	[ "$(zonelists zones_6_13)" = '' ]
	for why in "${!wrong[@]}"; do
		[ "$(zonelists zones_6_13-$why 0)" = '0 1 0 DMA32 below_watermark any_node,0 2 1 Normal served any_node' ]
		[ "$(jq -r 'select(.record == "summary") | .complete' "$BATS_TEST_TMPDIR/zones")" = false ]
		grep -q "the order of the zones is unknown: zonelist of node 1: .*${wrong[$why]}" "$BATS_TEST_TMPDIR/zones"
	done
	[ "$(synthetic zones_6_13 'pageowner -z 0' | grep -A 3 -F 'gfp 0xcc0')" = 'whether a zone serves order 0, gfp 0xcc0 (GFP_KERNEL)
  the node of the request is unknown: an order names no node
  zonelist of node 0: node 0 DMA32, node 1 Normal
  zonelist of node 1: node 1 Normal, node 0 DMA32' ]
	synthetic zones_6_13 'pageowner -z 0 GFP_DMA32' | grep -x '  zonelist of node 1: node 0 DMA32'
	synthetic zones_6_13 'pageowner -z 0 0x200cc4' | grep -x '  zonelist of node 1: no zone that the gfp flags allow'
}

@test "zones: lists that bite their tails, lead elsewhere or into a hole are unknown, the rest is not" {
	local why
	local -A wrong=(
		[loop]='node 0 DMA32: not all free blocks are known: list of free blocks at .*: a link does not point back'
		[astray]='node 1 Normal: not all free blocks are known: list of free blocks at .*: a link does not point back'
		[torn]='node 1 Normal: not all free blocks are known: struct page of a free block at 0xffff88ffffff0000 is not in this dump')

	for why in "${!wrong[@]}"; do
		synthetic zones_6_13-$why 'pageowner -z 0 -j' > "$BATS_TEST_TMPDIR/zones"
		grep -q "${wrong[$why]}" "$BATS_TEST_TMPDIR/zones"
		[ "$(jq -r 'select(.record == "summary") | "\(.status) \(.complete)"' "$BATS_TEST_TMPDIR/zones")" = 'ok false' ]
		# One list and the sum that it belongs to; its zone is still asked.
		[ "$(jq -r 'select(.record == "blocks" and .blocks == null) | "\(.migratetype) \(.order)"' "$BATS_TEST_TMPDIR/zones")" = \
			"$([ $why = loop ] && echo 'Unmovable 0' || echo 'Movable 3')" ]
		[ "$(jq -r 'select(.record == "row") | .listed_pages' "$BATS_TEST_TMPDIR/zones" | grep -c null)" = 1 ]
		[ "$(jq -r 'select(.record == "row") | .result' "$BATS_TEST_TMPDIR/zones" | paste -s -d ,)" = below_watermark,served ]
	done
}
