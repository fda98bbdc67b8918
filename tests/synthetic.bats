#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Synthetic kernels of each generation, whole and broken, in the real crash.

load helper

@test "top: pages are counted where they are, allocations once" {
	run synthetic v6_9 'pageowner -j'
	[ "$(json 'select(.record == "row") | [.rank, .pages, .bytes, .allocs, (.orders | join("+")),
		.stack[1].symbol] | join(" ")')" = '1 6 24576 3 0+2 leak_first
2 1 4096 1 0 leak_second' ]
}

@test "top: sorted, reversed, cut; what was left out is counted" {
	run synthetic v6_9 'pageowner -s allocs -r -n 1 -o -stack'
	[[ "${lines[1]}" =~ ^' '+2' '+1' '+4.0K ]]
	[ "${lines[2]}" = '... 1 more stack with 24.0K of SIZE (-n 0 shows all)' ]
	[ "${lines[3]}" = 'unknown without the time of the panic: OLDEST, YOUNGEST' ]
	# Which of them are in free blocks this kernel does not say.
	[[ "${lines[4]}" = 'warning: records of pages that are free unknown: '* ]]
	[ "${lines[5]}" = 'scanned 48 = 7 live + 1 freed + 40 empty + 0 undecodable' ]
	[ "${lines[6]}" = 'System RAM 48 pages, 100.0% covered; 0 skipped, 0 unreadable' ]
}

@test "an address: -o a shows a table, -o +a adds a line to the sentences" {
	run synthetic v6_9 'pageowner pfn:0x14 -o +order,+stack' 'pageowner pfn:0x14 -o order'
	[ "${lines[0]}" = 'pfn 0x14 is allocated' ]
	[ "$(grep -c '^  ORDER 2$' <<< "$output")" = 1 ]
	[ "$(grep -c '^    leak_first+0x2$' <<< "$output")" = 1 ]
	[ "$(grep -c -x ORDER <<< "$output")" = 1 ]
}

@test "an address: a range that goes on behind System RAM says so" {
	run synthetic v6_9 'pageowner pfn:0x800e-0x8010 -o pfn' 'pageowner pfn:0x800e-0x800f -o pfn'
	diff - <(grep -v '^warning: records of pages that are free unknown: ' <<< "$output" | sed 's/ *//') <<-END
		PFN
		0x800e
		0x800f
		warning: pfn:0x800e-0x8010: System RAM of this dump ends at pfn 0x800f
		PFN
		0x800e
		0x800f
	END
}

@test "an address on a kernel without records: the state, and why there is no record" {
	local why='page_owner was off at boot: it needs page_owner=on on the kernel command line'

	run synthetic broken-off 'pageowner pfn:0x10' 'pageowner pfn:0x10-0x10'
	[ "${lines[0]}" = "the page_owner record of pfn 0x10 is not available: $why" ]
	[ "${lines[1]}" = '  phys 0x10000' ]
	[[ "${lines[2]}" = '  now unknown: '* ]]
	[ "${lines[-1]}" = "warning: page_owner records are not available: $why" ]
}

@test "depot: where a record is, its count, its frames" {
	run synthetic v6_9 'depot -j 0x180001 300002'
	[ "$(json "$STACK"'select(.record == "row") |
		[.handle, .pool, .offset, .frames, .count, .pages, (.stack | stack)] | join("|")')" = \
		"0x180001|0|192|3|7|6|$FIRST
0x300002|1|384|3|2|1|$SECOND" ]
}

@test "depot: a count that nobody set is unknown, and so are pages without page_owner's list" {
	run synthetic v6_9 'depot -j 480001'
	[ "$(json 'select(.record == "row") | [.frames, .count, .pages] | map(tostring) | join(" ")')" = '2 null null' ]
	run synthetic v6_8 'depot -j 180000'
	[ "$(json 'select(.record == "row") | [.frames, .count, .pages] | map(tostring) | join(" ")')" = '3 7 null' ]
}

@test "depot: before 6.8 a handle has a bit that says that it is one" {
	[ "$(synthetic v5_10 'depot 81000000')" != '' ]
	[ "$(synthetic v5_10 'depot 1000000')" = 'warning: handle 0x1000000: its valid bit is clear' ]
	[ "$(synthetic v6_1 'depot 100000')" = 'warning: handle 0x100000: its valid bit is clear' ]
}

@test "depot: handles from a file" {
	printf '0x180001\n\n300002\n' > "$BATS_TEST_TMPDIR/handles"
	run synthetic v6_9 "depot -o handle @$BATS_TEST_TMPDIR/handles"
	[[ "${lines[1]}" = 0x180001 && "${lines[5]}" = '' ]]
	[ "${lines[2]}" = 0x300002 ]
}

@test "depot: a file of handles has comments, may be compressed, and is refused by its line" {
	local dir=$BATS_TEST_TMPDIR

	printf '# two\n0x180001 # first\n\n300002\n' > "$dir/some"
	gzip -c "$dir/some" > "$dir/some.gz"
	head -c -9 "$dir/some.gz" > "$dir/cut.gz"
	{ head -c -8 "$dir/some.gz"; printf '12345678'; } > "$dir/bad.gz"
	printf '180001\nx\1y\n' > "$dir/word"
	printf '180001\n180001 300002\n' > "$dir/two"
	printf '180001\n123456789\n' > "$dir/long"
	run synthetic v6_9 "depot -o handle @$dir/some" "depot -o handle @$dir/some.gz" "depot @$dir/cut.gz" "depot @$dir/bad.gz" \
		"depot @$dir/word" "depot @$dir/two" "depot @$dir/long"
	[ "$(grep -c '^0x180001$' <<< "$output")" = 2 ]
	[ "$(grep -c '^0x300002$' <<< "$output")" = 2 ]
	diff <(grep ^depot: <<< "$output") - <<- E
	depot: the file '$dir/cut.gz' is truncated: its gzip data end early
	depot: the file '$dir/bad.gz' is damaged: its gzip data are not correct
	depot: line 2 of the file '$dir/word': 'x?y' is no handle of 32 bits in hexadecimal
	depot: line 2 of the file '$dir/two': '300002' is no handle: a line has one handle
	depot: line 2 of the file '$dir/long': '123456789' is no handle of 32 bits in hexadecimal
	E
}

# Rows of "depot -v": pool, offset and defect, without addresses.
defects_of() {	# KERNEL
	synthetic "$1" 'depot -v -j' | jq -r 'select(.record == "row") | "\(.pool) \(.offset) \(.defect)"' | sed 's/0xffff[0-9a-f]*/ADDRESS/g'
}

@test "depot -a, -v: each generation has the same four records, and no defect" {
	for k in '' -4_19 -5_15 -6_1 -6_8 -6_17 -vendor; do
		run synthetic depots_6_9$k 'depot -v' 'depot -a -j'
		grep -q -E '^checked 4 records in 2 pools, 16 frames, 256 buckets( \(the number that fits the records\))?: no defect$' <<< "$output"
		[ "$(grep "^{" <<< "$output" | jq -r "$STACK"'select(.record == "row") | [.pool, .offset, .frames, (.stack | stack)] | join("|")' | sort)" = \
			"$(printf "%s|4|${FIRST/ startup/ leak_second+0x2 startup}\n" '0|0' '0|64' '1|0' '1|64')" ]
	done
	synthetic depots_6_9-5_15 'depot -v' | grep -q '(the number that fits the records)'
	# The filters of -a.
	run synthetic depots_6_9 'depot -a -o handle -f pool=1 -X count=3' 'depot -a -o handle -f stack=0xffffffff81* -n 1' 'depot -a -f stack=vmalloc' 'depot -a -s frames,count -r -n 1 -o count'
	diff <(sed 's/ *$//' <<< "$output") - <<- E
	 HANDLE
	    0x2
	0x80002
	filters kept 2 records of 4
	 HANDLE
	0x80001
	... 3 more records (-n 0 shows all)
	rows are sorted by count, which is not shown
	filters kept 4 records of 4
	filters kept 0 records of 4
	warning: -f stack=vmalloc: nothing that was read has it
	COUNT
	    2
	... 3 more records (-n 0 shows all)
	2 of these have the same frames as the last row, and what else rows are sorted by
	4 records in the depot
	warning: not sorted by frames: all rows have the same
	E
}

@test "depot -v -j: what was checked, and what was not" {
	checked() { synthetic "$1" 'depot -v -j' | jq -r 'select(.record == "checked") | "\(.name) \(.count)"' | xargs; }
	[ "$(checked depots_6_9)" = 'pools 2 records 4 records_free 0 frames 16 hashed_frames null buckets 256 defects 0 missing_pools 0 missing_bytes 0 missing_frames 0 missing_buckets 0 missing_chains 0' ]
	[ "$(checked depots_6_9-hole)" = 'pools 2 records 2 records_free 0 frames 8 hashed_frames null buckets 256 defects 0 missing_pools 0 missing_bytes 16384 missing_frames 0 missing_buckets 0 missing_chains 2' ]
	[[ "$(checked depots_6_9-text)" = *' defects 1 '* ]]
	[[ "$(checked depots_6_9-free)" = *' records 3 records_free 1 '* ]]
}

@test "depot -v: each defect is located" {
	[ "$(defects_of depots_6_9-handle)" = '0 64 the chain of bucket 1 leads here: no record with the handle of its place' ]
	[ "$(defects_of depots_6_9-size | head -n 1)" = '1 0 the record has 2040 frames, which its pool has no room for' ]
	[ "$(defects_of depots_6_9-unlinked)" = '0 64 no chain has it: its hash is of bucket 1' ]
	[ "$(defects_of depots_6_9-bucket)" = '1 64 it is in the chain of bucket 255, its hash is of 254' ]
	[ "$(defects_of depots_6_9-loop)" = '0 0 the chain of bucket 1 comes to it again, after bucket 1' ]
	[ "$(defects_of depots_6_9-wild)" = '0 64 the chain of bucket 1 leads from here to ADDRESS, which is in no pool' ]
	[ "$(defects_of depots_6_9-text)" = '0 64 frame 3 is ADDRESS: no kernel text' ]
	[ "$(defects_of depots_6_9-prev)" = '0 64 its link back is ADDRESS, not ADDRESS' ]
	[ "$(defects_of depots_6_9-free)" = '0 64 the record is free, but in the chain of bucket 1' ]
	[ "$(defects_of depots_6_9-end)" = '1 128 no record with the handle of its place; 64 bytes to the end of what is in use' ]
	[ "$(defects_of depots_6_9-pool | head -n 1)" = '1 null the table of pools has no pool here, of 2 in use' ]
	[ "$(defects_of depots_6_9-twin | head -n 1)" = '1 null the pool is at ADDRESS as another pool is' ]
}

@test "-d: one group that did not change is not shown" {
	local scan=$BATS_TEST_TMPDIR/scan

	synthetic v6_9 "pageowner -w $scan" > "$BATS_TEST_TMPDIR/said"
	awk -F '\t' -v OFS='\t' 'NR == FNR { if ($1 == "pages" && $2 ~ /180001$/) { records++; pages += $7 } next }
		$1 == "pages" && $2 ~ /180001$/ { next }
		$1 == "coverage" && $2 == "live" { $3 -= pages }
		$1 == "end" { $2 -= records }
		{ print }' "$scan" "$scan" > "$scan.less"
	run synthetic v6_9 "pageowner -d $scan.less"
	grep -q -x '1 group has as many pages as in the saved scan and is not shown (-n 0 shows all)' <<< "$output"
}

@test "-d: pages that a scan lacks, or that are in no known group, may be part of the growth" {
	local scan=$BATS_TEST_TMPDIR/scan

	synthetic v6_9 "pageowner -w $scan" > "$BATS_TEST_TMPDIR/said"
	# Pages without a page_ext entry; frames without a symbol, as of a module that is not in the dump.
	awk -F '\t' -v OFS='\t' '$1 == "coverage" && $2 == "scanned" { $3-- }
		$1 == "coverage" && $2 == "empty" { $3-- }
		$1 == "coverage" && $2 == "unreadable" { $3++ }
		{ print }' "$scan" > "$scan.less"
	awk -F '\t' -v OFS='\t' '$1 == "stack" && $2 ~ /180001$/ { for (i = 4; i <= NF; i++) $i = "0xffffffffc0118065 <unknown>" }
		{ print }' "$scan" > "$scan.unknown"
	run synthetic v6_9 "pageowner -d $scan -g module -j" "pageowner -d $scan.less -g module -j" "pageowner -d $scan.unknown -g module -j"
	[ "$(grep -F '"record":"summary"' <<< "$output" |
		jq -r '"\(.complete) \(.warnings | map(select(test("^(records of pages that are free|names of gfp flags) (were )?unknown") | not)) | join("; "))"')" = \
		$'false \nfalse the saved scan lacks the records of 1 page: GROWTH may include these pages\nfalse a key of -g is unknown for 0 pages now, for 6 in the saved scan: GROWTH of other groups may include these pages' ]
}

@test "depot -u: who uses all handles, or one" {
	users() { synthetic "$1" "depot -u $2 -j" | jq -r 'select(.record == "row") | "\(.user | sub("page_owner, "; "")) \(.uses) \(.handles) \(.user_state)"' | head -n 2; }
	[ "$(users v6_9)" = $'allocation 7 2 counted\nlast free 2 1 counted' ]
	[ "$(users v6_9 180001)" = $'allocation 6 null counted\nlast free 0 null counted' ]
	[ "$(users v6_9 480001)" = $'allocation 0 null counted\nlast free 2 null counted' ]
	[ "$(users v4_19 | tail -n 1)" = 'last free null null not built in' ]
	[ "$(users broken-off | head -n 1)" = 'allocation null null off' ]
	[ "$(synthetic v6_9 'depot -u -j' | jq -r 'select(.user | test("^(KASAN|kmemleak|ref_tracker)")) | "\(.uses) \(.user_state)"' | sort | uniq -c | xargs)" = '7 null not built in' ]
	# A handle that stands for no record has no uses, but not because nobody uses the record.
	run synthetic v6_9 'depot -u 7ec0002' 'depot 7ec0002'
	[[ "${lines[-1]}" = 'warning: handle 0x7ec0002: '* ]]
	[ "$(grep -c -x -F "${lines[-1]}" <<< "$output")" = 2 ]
	# What is built in and cannot be counted says why.
	[ "$(synthetic v4_19-owner_0 'depot -u -j' | jq -r 'select(.user == "KASAN, last free") | "\(.uses) \(.user_state)"')" = 'null not counted' ]
	[ "$(status_of v4_19-owner_0 'depot -u')" = \
		'ok false uses by SLUB tracks unknown: unknown layout: struct track has no member addr; KASAN is not counted: unknown layout: struct kmem_cache has no member kasan_info.alloc_meta_offset' ]
	# None of a part that is not in the dump is unknown.
	[ "$(users v5_10-holed 1 | tail -n 1)" = 'last free null null counted in part' ]
	[ "$(users v5_10-holed)" = $'allocation 6 1 counted in part\nlast free 1 1 counted in part' ]
}

@test "depot -v: what is not in the dump is no defect" {
	run synthetic depots_6_9-hole 'depot -v'
	[ "${lines[0]}" = 'checked 2 records in 2 pools, 8 frames, 256 buckets: no defect in these' ]
	[ "$(grep -c '^warning: not in this dump, and not checked: ' <<< "$output")" = 2 ]
	grep -q -x 'warning: not in this dump, and not checked: 16,384 bytes of pools' <<< "$output"
	grep -q -x 'warning: not in this dump, and not checked: 2 chains, from a record on' <<< "$output"
	[ "$(synthetic depots_6_9-hole 'depot -v -j' | jq -r 'select(.record == "summary") | .complete')" = false ]
	# Buckets that are not there were not checked.
	run synthetic depots_6_9-table 'depot -v' 'depot -v -j'
	[ "${lines[0]}" = 'checked 4 records in 2 pools, 16 frames, 0 buckets: no defect in these' ]
	[ "${lines[1]}" = 'warning: not in this dump, and not checked: 256 buckets of the hash table' ]
	[ "$(grep '^{' <<< "$output" | jq -r 'select(.record == "checked") | select(.name | test("buckets")) | .count' | xargs)" = '0 256' ]
}

# bats test_tags=slow
@test "a file with handles is a text: what never ends is refused at once" {
	printf '180001\000180002\n' > "$BATS_TEST_TMPDIR/binary"
	: > "$BATS_TEST_TMPDIR/empty"
	mkfifo "$BATS_TEST_TMPDIR/fifo"
	CRASH="timeout -s KILL 20 $CRASH"
	run synthetic v6_9 'depot @/dev/zero' "depot @$BATS_TEST_TMPDIR/fifo" \
		"depot @$BATS_TEST_TMPDIR/binary" "depot @$BATS_TEST_TMPDIR/empty" 'depot @/' 'depot 0'
	[ "${lines[0]}" = "depot: cannot read '/dev/zero': it is a pipe or a device: save its text in a file first" ]
	[ "${lines[1]}" = "depot: cannot read '$BATS_TEST_TMPDIR/fifo': it is a pipe or a device: save its text in a file first" ]
	[ "${lines[2]}" = "depot: the file '$BATS_TEST_TMPDIR/binary' has bytes of 0: it is no text" ]
	[ "${lines[3]}" = "depot: the file '$BATS_TEST_TMPDIR/empty' contains no handle" ]
	[ "${lines[4]}" = "depot: cannot read the file '/': Is a directory" ]
	[ "${lines[5]}" = 'warning: handle 0 means no stack' ]
}

undecodable='handle 0x300002'

@test "broken: a record with another handle is not decoded" {
	[ "$(summary broken-handle live undecodable complete)" = '6 1 false' ]
	run synthetic broken-handle 'depot 300002'
	[ "$output" = 'warning: handle 0x300002: the record at 0xffff888001009180 has handle 0x200002' ] ||
		[[ "$output" =~ ^'warning: handle 0x300002: the record at 0x'[0-9a-f]+' has handle 0x200002'$ ]]
}

@test "broken: a record longer than its pool" {
	[ "$(summary broken-size live undecodable)" = '6 1' ]
	run synthetic broken-size 'depot 300002'
	[ "$output" = "warning: $undecodable: a record of 100000 frames" ]
}

@test "broken: a record that runs over the end of its pool" {
	[ "$(summary broken-room live undecodable)" = '6 1' ]
	[ "$(synthetic broken-room 'depot 7ec0002' | tail -n 1)" = 'warning: handle 0x7ec0002: a record of 17 frames' ]
}

health_of() {	# KERNEL
	synthetic "$1" 'depot -i -j' | jq -r 'select(.record == "row") | "\(.name) \(.count)"' | grep -E \
		'^(pools_used|bytes|records|bad_chains|buckets|chains|longest_chain) ' | cut -d ' ' -f 2 | xargs
}

@test "depot -i: an array of chains, and chains that loop" {
	[ "$(health_of v5_10)" = '2 16864 3 0 1024 3 1' ]
	# Each record is counted once, and each chain that comes to one again is told.
	# A chain that ends early may be longer than the longest.
	[ "$(health_of v5_10-loop)" = '2 16864 3 3 1024 3 null' ]
	run synthetic v5_10-loop 'depot -i'
	[ "${lines[-1]}" = 'warning: 3 chains of the hash table end early' ]
	[ "${lines[-2]}" = 'layout: pools in stack_slabs, counted by depot_index; a handle has the number of its pool' ]
	run synthetic depots_6_9 'depot -i'
	[[ "$output" = *$'\nlayout: pools in stack_pools, counted by pools_num; a handle has the number of its pool plus 1\nmean length of the chains in use: '[0-9]*.[0-9][0-9]' records'* ]]
	[ "$(sed -n 's/^mean length of the chains in use: \(.*\) records$/\1/p' <<< "$output")" = \
		"$(synthetic depots_6_9 'depot -i -j' | jq -s -r 'map(select(.record == "row") | { key: .name, value: .count }) | from_entries | .records / .chains' | xargs printf %.2f)" ]
}

@test "depot -i: an index of 0 is that of a pool only if there is one" {
	[ "$(health_of v4_19-unused)" = '0 0 0 0 1024 0 0' ]
	[ "$(health_of v4_19 | cut -d ' ' -f 1)" = 2 ]
	run synthetic v4_19-unused 'depot 80000000'
	[ "$output" = 'warning: handle 0x80000000: there is no pool 0, in use are none' ]
}

@test "broken: a record that would lie outside of its entry" {
	[ "$(status_of broken-offset pageowner)" = 'corrupt false page_owner at 18446744073709551608 of a page_ext entry of 72 bytes' ]
}

@test "layouts that nobody knows: refused, each by its name" {
	[ "$(synthetic broken-no_allocated pageowner)" = 'no data: unknown layout: page_owner.free_handle, but no PAGE_EXT_OWNER_ALLOCATED' ]
	[[ "$(synthetic broken-no_allocated 'pageowner -D')" = *'enum page_ext_flags {PAGE_EXT_OWNER, PAGE_EXT_OWNER_IN_USE}'* ]]
	[ "$(synthetic broken-no_model pageowner)" = 'no data: unknown layout: neither mem_section nor pglist_data.node_mem_map' ]
	[ "$(synthetic v5_10-flat_elsewhere pageowner)" = 'no data: unknown layout: FLATMEM, but no pglist_data.node_page_ext' ]
}

@test "a vendor's index plus one: a hole where the other meaning leads costs nothing" {
	[ "$(synthetic vendor_plus_1-hole 'depot -j 180001' | jq -r 'select(.record == "row") | .frames')" = 3 ]
}

@test "broken: a free record" {
	[ "$(summary broken-free live undecodable)" = '6 1' ]
	run synthetic broken-free 'depot 300002'
	[ "$output" = "warning: $undecodable: its record is free" ]
}

@test "broken: a pool that is gone" {
	[ "$(summary broken-no_pool live undecodable)" = '1 6' ]
	run synthetic broken-no_pool 'depot 180001'
	[ "$output" = 'warning: handle 0x180001: pool 0, offset 0xc0 holds no record' ]
}

@test "broken: a pool that is not in the dump" {
	[ "$(summary broken-wild_pool live undecodable)" = '1 6' ]
	run synthetic broken-wild_pool 'depot 180001'
	[ "$output" = 'warning: stack record at 0xffff88ffffff00c0 is not in this dump' ]
}

@test "broken: impossible orders and handles are counted, not shown" {
	# The page without a handle has no record for the kernel either.
	[ "$(summary broken-pages live freed empty undecodable rows_total)" = '7 1 38 2 9' ]
	run synthetic broken-pages 'pageowner -t list'
	[[ "$output" = *'warning: corrupt page_owner record or stack on 2 pages'* ]]
	[[ "$output" != *order* ]] || [[ "$output" != *' 200 '* ]]
}

@test "broken: the resources loop" {
	run synthetic broken-ram_loop pageowner
	[ "$output" = 'no data: resource tree loops' ]
}

@test "broken: a depot that nobody knows is named" {
	run synthetic broken-no_index pageowner
	[ "$output" = 'no data: unknown layout: union handle_parts has no member pool_index_plus_1, but: handle trie_node root' ]
	# All that is needed to add it.
	[[ "$(synthetic broken-no_index 'pageowner -D' | xargs)" = *'type union handle_parts {'*'u32 trie_node : 22; type u32 root : 10;'* ]]
	run synthetic broken-no_index 'pageowner -j'
	[ "$(json 'select(.record == "summary") | .status')" = unknown_layout ]
}

@test "broken: sections that are not there are skipped, tables that are not in the dump unreadable" {
	[ "$(summary broken-no_section status complete scanned live skipped unreadable ram_pages)" = \
		'not_in_dump false 0 0 16 32 48' ]
	run synthetic broken-no_section 'pageowner -t list'
	[[ "$output" = *'no page_ext entry in this dump for 32 pages'* ]]
	[[ "$output" = *'0.0% covered; 16 skipped, 32 unreadable'* ]]
}

@test "no data says why: not built, off at boot" {
	run synthetic no_owner pageowner allocprof 'depot 1' 'faults -v'
	[ "${lines[0]}" = 'no data: this kernel was built without page_owner (CONFIG_PAGE_OWNER); memowner classes, pages and holders answer without' ]
	[ "${lines[1]}" = 'no data: this kernel was built without memory allocation profiling (CONFIG_MEM_ALLOC_PROFILING)' ]
	[ "${lines[2]}" = 'no data: this kernel was built without CONFIG_STACKDEPOT' ]
	[ "${lines[3]}" = 'no data: this kernel was built without CONFIG_VM_EVENT_COUNTERS' ]
	run synthetic broken-off pageowner
	[ "$output" = 'no data: page_owner was off at boot: it needs page_owner=on on the kernel command line; memowner classes, pages and holders answer without' ]
	run synthetic broken-off 'pageowner -j'
	[ "$(json '.record + " " + (.status // "")')" = 'meta 
summary off_at_boot' ]
}

@test "bad input: one line each, and crash goes on" {
	run synthetic v6_9 'pageowner -q' 'pageowner -n x' 'pageowner -n -1' 'pageowner -n' 'pageowner -t tip' \
		'pageowner -s color' 'pageowner -o pages,nothing' 'pageowner -t list -s pages' \
		'pageowner -t top -a' 'depot' 'depot xyz' 'depot 123456789' 'depot @/nowhere' 'depot 0' \
		'allocprof xyz' 'faults -t x' 'depot 180001 -o handle'
	[[ "${lines[0]}" = 'pageowner: unknown option -q, known are: -t -m -z -b -w -d -k -a -g -f -X '*'-D -h' ]]
	[ "${lines[1]}" = "pageowner: -n takes a number of rows (0: all), not 'x'" ]
	[ "${lines[2]}" = "pageowner: -n takes a number of rows (0: all), not '-1'" ]
	[ "${lines[3]}" = 'pageowner: option -n needs a value: a number of rows (0: all)' ]
	[[ "${lines[4]}" = "pageowner: unknown view 'tip', the nearest is top, -t takes: top tree folded list raw" ]]
	[[ "${lines[5]}" = "pageowner: unknown sort key 'color', known are: pages bytes "* ]]
	[[ "${lines[6]}" = "pageowner: unknown column 'nothing', known are: rank pages bytes "* ]]
	[ "${lines[7]}" = "pageowner: -s cannot be combined with -t list" ]
	[ "${lines[8]}" = "pageowner: -a cannot be combined with -t top" ]
	[ "${lines[9]}" = 'depot: a HANDLE, an @FILE with handles, -a (all records), -i (state of the depot), -v (defects) or -u (users) is required' ]
	[ "${lines[10]}" = "depot: 'xyz' is not a handle: handles are hexadecimal numbers of 32 bits" ]
	[ "${lines[11]}" = "depot: '123456789' is not a handle: handles are hexadecimal numbers of 32 bits" ]
	[ "${lines[12]}" = "depot: cannot read the file '/nowhere': No such file or directory" ]
	[ "${lines[13]}" = 'warning: handle 0 means no stack' ]
	[[ "${lines[14]}" = "allocprof: 'xyz' is no address: pfn:N, "* ]]
	[[ "${lines[15]}" = "faults: unknown view 'x', -t takes: timeline, with -k tracepoints variables" ]]
	[ "${lines[17]}" = 0x180001 ]
}

@test "-t names a view that an option chooses as well" {
	diff <(synthetic v6_9 'pageowner -t counters') <(synthetic v6_9 'pageowner -k')
	[ "$(synthetic v6_9 'pageowner -t diff')" = "pageowner: the view 'diff' needs -d" ]
}

@test "-l takes a folder or nothing; what has no stacks refuses it" {
	mkdir -p "$BATS_TEST_TMPDIR/180001" "$BATS_TEST_TMPDIR/debug"
	cd "$BATS_TEST_TMPDIR"
	BUILD=$(realpath "$OLDPWD/$BUILD" 2>/dev/null || realpath "$BUILD")
	OBJECTS=$BUILD
	run synthetic v6_9 'pageowner -l /nowhere' 'pageowner -l/nowhere' 'depot -i -l' 'memowner -l' 'depot -l nowhere'
	[ "${lines[0]}" = "pageowner: -l takes a folder with debug files, not '/nowhere'" ]
	[ "${lines[1]}" = "${lines[0]}" ]
	[ "${lines[2]}" = "depot: -l cannot be combined with -i" ]
	[[ "${lines[3]}" = 'memowner: unknown option -l, known are:'* ]]
	# No folder of that name: it is an argument.
	[ "${lines[4]}" = "depot: 'nowhere' is not a handle: handles are hexadecimal numbers of 32 bits" ]
	# A handle is one even if a folder is called so; its stack is there without lines.
	for given in '-l 180001' '180001 -l' '-l debug 180001' '180001 -l .' '-l ./180001 180001' '-l./debug 180001'; do
		run synthetic v6_9 "depot $given -j"
		[ "$(json 'select(.record == "row") | "\(.handle) \(.stack | length) \([.stack[] | .file, .line, .inlined] | unique)"')" = '0x180001 3 [null]' ]
		[ "$(json 'select(.record == "summary") | .warnings | length')" = 1 ]
		[[ "$(json 'select(.record == "summary") | .warnings[0]')" = 'no lines of vmlinux: its build-id cannot be checked: '* ]]
	done
}

@test "-h, -o help and -D answer without a scan" {
	run synthetic v6_9 'pageowner -h'
	[ "${lines[0]}" = 'pageowner: pages in use at the panic, by the code that allocated them' ]
	run synthetic v6_9 'pageowner -o help'
	[[ "${lines[0]}" =~ ^rank' '+place ]]
	run synthetic v6_9 'pageowner -D'
	[[ "$output" = *'member struct page_owner.order at 0, 2 bytes'* ]]
	[[ "$output" = *'decide stack depot: index minus 1 is the pool'* ]]
	[[ "$output" != *scanned* ]]
}

sites_of() {
	synthetic "$1" 'allocprof -j' | jq -r 'select(.record == "row") |
		[.bytes, .calls, .function, .module, .file, .line, .accurate] | map(if . == null then "-" else . end) | join(" ")'
}

# But for what is unknown as these kernels have no zones, and no handle of early records.
status_of() {	# KERNEL COMMAND
	synthetic "$1" "$2 -j" | jq -r 'select(.record == "summary") |
		(.warnings | map(select(test("^(records of pages that are free|pages from before page_owner started) unknown") | not))) as $other |
		"\(.status) \(.complete or ($other != .warnings and $other == [])) \($other | join("; "))"'
}

@test "alloc tags of 6.12: summed over possible CPUs, negative sums shown, modules behind the tree" {
	diff <(sites_of tags_6_12) - <<-END
	12288 3 alloc_first vmlinux mm/first.c 10 -
	50 5 alloc_module mod drivers/mod/mod.c 40 -
	8 8 alloc_other mod - 50 -
	0 0 alloc_never vmlinux mm/second.c 30 -
	-200 2 alloc_second vmlinux mm/second.c 20 -
	END
	[ "$(status_of tags_6_12 allocprof)" = 'ok true ' ]
	[ "$(synthetic tags_6_12 'allocprof -s calls -o calls' | sed -n 2p | xargs)" = 8 ]
}

@test "alloc tags: counters of one CPU that are not in the dump make the sums unknown" {
	diff <(sites_of tags_6_12-no_counters) - <<-END
	0 0 alloc_never vmlinux mm/second.c 30 -
	- - alloc_first vmlinux mm/first.c 10 -
	- - alloc_second vmlinux mm/second.c 20 -
	- - alloc_module mod drivers/mod/mod.c 40 -
	- - alloc_other mod - 50 -
	END
	[ "$(status_of tags_6_12-no_counters allocprof)" = 'ok false the counters of 4 sites are not in this dump' ]
}

@test "alloc tags: a site whose names are not in this dump is told, and named by its tag" {
	[ "$(status_of tags_6_12-unnamed allocprof)" = 'ok false the names of 1 site are not in this dump' ]
	[ "$(status_of tags_6_12 allocprof)" = 'ok true ' ]
	synthetic tags_6_12-unnamed 'memowner -j' | jq -r 'select(.record == "site") | .name' | grep -q -x '0x[0-9a-f]*, line 50'
}

@test "alloc tags: a torn module or a loop costs what is behind it, and is told" {
	[ "$(sites_of tags_6_12-torn_range)" = "$(sites_of tags_6_12)" ]
	[[ "$(status_of tags_6_12-torn_range allocprof)" = 'ok false some alloc tags may be missing: alloc tags from 0x'* ]]
	[ "$(sites_of tags_6_12-loop | wc -l)" = 3 ]
	[[ "$(status_of tags_6_12-loop allocprof)" = 'ok false some alloc tags may be missing: xarray node at 0x'*' has shift 2 below 2' ]]
}

@test "alloc tags: off at boot is no data, off later is what was counted until then" {
	[[ "$(status_of tags_6_12-off_at_boot allocprof)" = 'off_at_boot false memory allocation profiling was off or not supported at boot: which is unknown, the kernel command line could not be read' ]]
	[ "$(sites_of tags_6_12-off_later)" = "$(sites_of tags_6_12)" ]
	[[ "$(status_of tags_6_12-off_later allocprof)" = 'off_later true profiling was turned off before the panic'* ]]
}

tasks_of() {
	synthetic "$1" 'faults -j' | jq -r 'select(.record == "row") | [.pid, .tgid, .ppid, .comm, .min_flt, .maj_flt, .cmin_flt,
		.cmaj_flt, .vsz_bytes, .rss_bytes, .swap_bytes] | map(if . == null then "-" else . end) | join(" ")'
}

@test "tasks: every thread, exact rss, kernel threads and a missing mm without" {
	diff <(tasks_of tasks_6_12) - <<-END
	10 10 1 leader 100 3 5 6 4096000 425984 176128
	11 10 1 thread 200 2 5 6 4096000 425984 176128
	1 1 0 sing?le 300 0 0 0 - - -
	2 2 0 a_kernel_thread_with_a_long_name 0 0 0 0 - - -
	3 3 2 kworker/u8:1+events_unbound 0 0 0 0 - - -
	4 4 2 kworker/R-a_queue_with_a_long_name 0 0 0 0 - - -
	END
	[[ "$(status_of tasks_6_12 faults)" = 'ok false no mm_struct in this dump for 1 thread'* ]]
}

@test "tasks: a list that loops ends, and is told" {
	[ "$(tasks_of tasks_6_12-loop | wc -l)" = 3 ]
	[[ "$(status_of tasks_6_12-loop faults)" = 'ok false the task list is incomplete: the task list loops at 0x'* ]]
}

@test "tasks: before 6.2 threads keep a part of the rss of their process" {
	# 20 - 5 + 50 pages, and 1 - 2 + 4 + 10 with the threads; 40 and 3 in swap.
	[ "$(tasks_of tasks_6_12-cached | grep leader)" = "10 10 1 leader 100 3 5 6 4096000 $((78 * 4096)) $((43 * 4096))" ]
}

@test "tasks: a process that is its own next, with threads that are not in the dump" {
	[ "$(tasks_of tasks_6_12-self | wc -l)" = 2 ]
	[[ "$(status_of tasks_6_12-self faults)" = 'ok false the task list is incomplete: the task list loops at 0x'* ]]
}

@test "symbols that do not lead to what they name: no answer, and why" {
	# allocprof and -k would say that the kernel was built without it, of symbols of another one.
	for command in pageowner 'pageowner -t list' 'depot -i' 'depot 180001' memowner allocprof 'faults -k' 'faults -b' 'memowner dmabuf'; do
		run synthetic broken-moved "$command"
		[[ "$output" = 'no data: symbols of vmlinux do not fit this dump: '* ]]
		[ "${#lines[@]}" = 1 ]
	done
	[[ "$(status_of broken-moved pageowner)" = 'corrupt false symbols of vmlinux do not fit this dump'* ]]
}

@test "columns of a look-up are those of the list" {
	run synthetic v6_9 'pageowner -o pfn,comm pfn:0x10' 'pageowner -o rank pfn:0x10' 'pageowner -j -o pfn,order pfn:0x10'
	[ "$(xargs <<< "${lines[1]}")" = '0x10 leaker' ]
	[[ "$output" = *"unknown column 'rank'"* ]]
	[ "$(tail -n 2 <<< "$output" | head -n 1)" = '{"record":"row","pfn":16,"order":0}' ]
}

@test "depot -i tells what it could not count" {
	[ "$(status_of v5_10-holed 'depot -i -a')" = 'ok false no page_ext entry in this dump for 16 pages' ]
	[ "$(status_of v5_10 'depot -i -a')" = 'ok true ' ]
}

@test "a resource that ends beyond all memory is no System RAM" {
	[ "$(status_of broken-wild_ram pageowner)" = "corrupt false impossible System RAM resource 0x10000-0x100000000002ffff" ]
}

# bats test_tags=slow
@test "nothing of ours is wrong under valgrind" {
	cat > "$BATS_TEST_TMPDIR/commands" <<-END
		extend $BUILD/memowner.so
		pageowner
		pageowner -t list -a -j
		pageowner pfn:0x10 phys:999999999000
		depot 180001 dead
		allocprof
		faults
		memowner
		pageowner -q
		quit
	END
	for kernel in v6_9 broken-handle broken-size broken-pages tags_6_12 tasks_6_12-loop; do
		run valgrind -q --error-exitcode=99 --undef-value-errors=no $CRASH --minimal -s -i "$BATS_TEST_TMPDIR/commands" \
			"$BUILD/kernels/$kernel/vmlinux" "$BUILD/kernels/$kernel/ram@0x0"
		[ "$status" = 0 ] || { echo "$kernel: $output" | tail -n 30; false; }
	done
}

@test "vmlinux without a build ID: its linux_banner is that of the dump, or nothing is said" {
	local kernel=$BUILD/kernels/v6_9 other=$BATS_TEST_TMPDIR/vmlinux

	sed -b 's/Linux version 6\.9/Linux version 6.8/' "$kernel/vmlinux" > "$other"
	refute cmp -s "$kernel/vmlinux" "$other"
	run run_crash "$other" "$kernel/ram@0x0" --minimal -- pageowner 'depot -i'
	[ "${#lines[@]}" = 3 ]
	[[ "${lines[1]}" = 'no data: vmlinux is of another build than the kernel of this dump, which says "Linux version 6.9'* ]]
	[ "${lines[2]}" = "${lines[1]}" ]
}
