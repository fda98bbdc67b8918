#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The page of "memowner -H": what is in it, as a parser of HTML finds it. tests/tools/browse opens it.

load helper

@test "a name that is markup stays a name; what cannot be read has its reason" {
	synthetic raw-markup "memowner -H $BATS_TEST_TMPDIR/page" "pageowner -g comm -j > $BATS_TEST_TMPDIR/comms"
	grep -q '"comm":"</script><i>"' "$BATS_TEST_TMPDIR/comms"
	"$TESTS/tools/page_data" "$BATS_TEST_TMPDIR/page" > "$BATS_TEST_TMPDIR/parts"
	[ "$(cut -f 1 "$BATS_TEST_TMPDIR/parts" | xargs)" = 'memory groups folded' ]
	"$TESTS/tools/page_data" "$BATS_TEST_TMPDIR/page" groups | grep -q '"comm":"</script><i>"'
	refute grep -q '<i>' "$BATS_TEST_TMPDIR/page"
	"$TESTS/tools/page_data" "$BATS_TEST_TMPDIR/page" '#owners' | grep -q -F '</script><i>'
	# What has no table says why, behind the sections that have one.
	"$TESTS/tools/page_data" "$BATS_TEST_TMPDIR/page" '#sites' > "$BATS_TEST_TMPDIR/sites"
	diff - "$BATS_TEST_TMPDIR/sites" <<- 'END'
		Allocation sites
		allocprof -n 100
		no data: this kernel was built without memory allocation profiling (CONFIG_MEM_ALLOC_PROFILING)
	END
}

@test "a file that exists, no name, and options that the page does not take are refused in one line" {
	echo mine > "$BATS_TEST_TMPDIR/page"
	run synthetic raw-markup "memowner -H $BATS_TEST_TMPDIR/page" 'memowner -H' "memowner -H $BATS_TEST_TMPDIR/new -j" "memowner -H $BATS_TEST_TMPDIR/none/page" \
		"memowner -H $BATS_TEST_TMPDIR"
	[ "${lines[0]}" = "memowner: the file '$BATS_TEST_TMPDIR/page' is there and not overwritten: choose another name" ]
	[ "${lines[1]}" = 'memowner: option -H needs a value: a file' ]
	[ "${lines[2]}" = 'memowner: -j cannot be combined with -H FILE' ]
	[ "${lines[3]}" = "memowner: cannot write the file '$BATS_TEST_TMPDIR/none/page': No such file or directory" ]
	[ "${lines[4]}" = "memowner: cannot write '$BATS_TEST_TMPDIR': it is a directory" ]
	[ "${#lines[@]}" = 5 ]
	[ "$(cat "$BATS_TEST_TMPDIR/page")" = mine ]
	[ ! -e "$BATS_TEST_TMPDIR/new" ]
}

@test "the exception that ended the kernel is a section, and of another end none" {
	synthetic oops_6_12 "memowner -H $BATS_TEST_TMPDIR/oops"
	grep -q '<h2 id="exception">The exception or panic</h2>' "$BATS_TEST_TMPDIR/oops"
	sed -n '/id="exception"/,/<.section>/p' "$BATS_TEST_TMPDIR/oops" | grep -q 'ip  *0xffffffff81[0-9a-f]*  leak_first+0x2'
	synthetic raw-markup "memowner -H $BATS_TEST_TMPDIR/other"
	[ "$(grep -c '<h2 id="exception"' "$BATS_TEST_TMPDIR/other")" = 0 ]
}

@test "what happened stands behind the summary, who waits for whom before the classes" {
	synthetic raw-markup "memowner -H $BATS_TEST_TMPDIR/page"
	grep -o '<h2 id="[a-z]*"' "$BATS_TEST_TMPDIR/page" > "$BATS_TEST_TMPDIR/order"
	[ "$(head -n 2 "$BATS_TEST_TMPDIR/order" | xargs)" = '<h2 id=summary <h2 id=story' ]
	# Each section is there once, with a table or behind those that have one.
	for id in stuck running counted pressure; do
		[ "$(grep -c "id=\"$id\"" "$BATS_TEST_TMPDIR/page")" = 1 ]
	done
}
