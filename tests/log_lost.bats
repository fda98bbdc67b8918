#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# memowner --log: lines of a report that are lost, cut, or have another in them: what they had is unknown.

load helper
bats_require_minimum_version 1.5.0

setup_file() {
	export CONSOLE=$BUILD/samples/6.12-stock-oom/truth/console OLD=$BUILD/samples/6.1-oom/truth/console
}

of_log() {	# FILE ARGUMENT...
	"$BUILD/memowner" --log "$@"
}

# The line of the summary that begins so.
line() {	# WORD FILE
	of_log "$2" | grep "^$1 "
}

@test "counters that are lost: what no line has is a row, and none is called the holder that has less" {
	local t=$BATS_TEST_TMPDIR

	sed '/ slab_reclaimable:/d' "$OLD" > "$t/slab"
	of_log "$t/slab" > "$t/text"
	grep -q '^holder    memory that no line of the report has: ' "$t/text"
	grep -q '^  rest  *[0-9.]*M  [0-9.]*%  no line of the report has it$' "$t/text"
	# The sum of what is known and the rest is System RAM.
	of_log "$t/slab" memowner -j | jq -e -s 'map(select(.record == "class") | .pages) as $c |
		($c | add) == (map(select(.record == "ram" and .name == "System RAM"))[0].pages)'
	# Shared memory is in the lists of anonymous memory: without its counter they are one row.
	sed '/ mapped:.* shmem:/d' "$CONSOLE" > "$t/shmem"
	of_log "$t/shmem" memowner -j > "$t/json"
	jq -e -s 'map(select(.record == "class") | .name) | index("anon or shmem") and (index("anon") | not)' "$t/json"
}

@test "a row of the table of processes that another line stands in: rows are missing, and none of those that are left is all" {
	local t=$BATS_TEST_TMPDIR n

	n=$(grep -n '\] \[ *514\] ' "$CONSOLE" | tail -n 1 | cut -d : -f 1)
	sed "${n}s/^\(.\{40\}\)/\1[  OK  ] Started foo.service - Foo.\r\n/" "$CONSOLE" > "$t/inside"
	of_log "$t/inside" > "$t/text"
	grep -q '^holder    anonymous memory that no row of the table of processes has, of which rows are missing: 21[01].[0-9]M, 5[45].[0-9]% of RAM, and [0-9.]*M in swap (report-builder (514), which asked, has no row)$' "$t/text"
	grep -q -x 'unknown   more processes: the log lacks the end of their table, or records in it' "$t/text"
	# Lost as a whole it leaves no trace but that who asked has no row.
	sed "${n}d" "$CONSOLE" > "$t/lost"
	[[ $(line holder "$t/lost") == *'anonymous memory that no row of the table of processes has: 210.'*'(of processes that have ended, or of a row that is lost; report-builder (514), which asked, has no row; '*' of swap has none either)' ]]
	# A digit of one number: its parts are more than rss.
	sed "${n}s/ \([0-9]\)\([0-9]*  *[0-9]*  *[0-9]*  *[0-9]*  *[0-9]*  *[0-9]*  *0 report-builder\)/ \2/" "$CONSOLE" > "$t/digit"
	refute cmp -s "$CONSOLE" "$t/digit"
	[[ $(line holder "$t/digit") == *'of which rows are missing: '* ]]
}

@test "page tables that no row has are not of several processes" {
	local t=$BATS_TEST_TMPDIR

	sed '/^\[[ .0-9]*\] active_anon:/,/ free:/s/ pagetables:[0-9]*/ pagetables:75000/
		/\] \[ *[0-9]*\] /s/[0-9]*\(  *[0-9]*  *-\{0,1\}[0-9]* [^ ]*\)$/4096\1/' "$CONSOLE" > "$t/tables"
	line holder "$t/tables" | grep -q 'page tables that no row of the table of processes has: 293.'
}

@test "the first line of a report is lost: its time is that of a later one, at the latest" {
	local t=$BATS_TEST_TMPDIR

	sed '/invoked oom-killer/d' "$CONSOLE" > "$t/first"
	line OOM "$t/first" | grep -q '^OOM       at the latest [0-9.]* s, .*: an unknown task invoked the OOM killer'
	of_log "$t/first" memowner -j | jq -e -s 'map(select(.record == "oom"))[0] | .comm == null and
		.remark == "its first line is not in the log: ts_ns is of a later one, at the latest"'
	of_log "$CONSOLE" memowner -j | jq -e -s 'map(select(.record == "oom"))[0] | .remark == null'
}

@test "memory in no class of a report that has call sites: the largest is told" {
	[[ $(line holder "$BUILD/samples/7.3-oom/truth/console") == 'holder    memory that is in no class of the report: '*' (the largest call site has 155.0M: leaky.c:74 leaky_rx_refill [leaky])' ]]
}
