#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Every example of every help, on terminals of two widths and in a file, of the dump $SAMPLE.

load helper
load dump

# The commands of the examples but -H, which writes a file once, and the summary, which has more rows in a file
# (screen.bats); of every allocation the first 50. If BRIEF every second.
examples() {
	sed -n '/^EXAMPLES/,/^```/s/^    \([a-z]* *.*\)/\1/p' "$TESTS/../doc/commands.md" |
		grep -E "^ *($(tr ' ' '|' <<< "$COMMANDS"))( |\$)" | grep -v -e ' -H ' -e '^ *memowner$' | sed -e 's/^ *//' -e 's/-t list -o +stack/& -n 50/' |
		awk -v nth=$((BRIEF ? 2 : 1)) 'NR % nth == 0'
}

without_progress() {
	sed -e 's/\r*$//' -e 's/.*\r//'
}

# on_terminal COLUMNS COMMAND...: what a terminal shows of crash, without what a progress line left behind
on_terminal() {
	{
		echo "extend $OBJECTS/memowner.so"
		printf '%s\n' "${@:2}" quit
	} > "$BATS_TEST_TMPDIR/commands"
	"$BUILD/tools/pty" -w "$1" $CRASH $(option_of $MODE) -s --no_scroll -i "$BATS_TEST_TMPDIR/commands" "$DIR/vmlinux" "$DIR/vmcore" |
		without_progress | sed '0,/shared object loaded/d'
}

# The same of the program, which is ready sooner.
by_program() {
	printf '%s\n' "${@:2}" > "$BATS_TEST_TMPDIR/commands"
	"$BUILD/tools/pty" -w "$1" "$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" -i "$BATS_TEST_TMPDIR/commands" | without_progress
}

setup_file() {
	export DIR=$BUILD/samples/$SAMPLE OUT=$BATS_FILE_TMPDIR MODE
	MODE=$DOOR
	mapfile -t commands < <(examples)
	[ "${#commands[@]}" -ge 40 ]
	BATS_TEST_TMPDIR=$OUT run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of program) -- "${commands[@]}" > "$OUT/file"
	BATS_TEST_TMPDIR=$OUT by_program 80 "${commands[@]}" > "$OUT/narrow"
	BATS_TEST_TMPDIR=$OUT by_program 1000 "${commands[@]}" > "$OUT/wide"
	[ "$(wc -l < "$OUT/file")" -gt 300 ]
}

# Numbers, sizes and times, each as often as it is there.
figures() {
	tr -s ' ' '\n' < "$1" | sed 's/[,;]$//' | grep -E '^-?[0-9][0-9.,]*[a-zA-Z%]*$' | sort
}

@test "80 columns: no line of any example is longer, but one of a single word" {
	awk 'length > 80 && NF > 1' "$OUT/narrow" > "$OUT/long"
	diff "$OUT/long" /dev/null
	# It is no test of short lines.
	[ "$(awk 'length > 80' "$OUT/file" | wc -l)" -ge 10 ]
}

@test "a file: every sentence is a line, for grep" {
	refute grep -E ',$|^  (without what CPUs|were freed as well)|^since 6' "$OUT/file"
}

@test "80 columns: no figure is cut or left out" {
	diff <(figures "$OUT/file") <(figures "$OUT/narrow")
	[ "$(figures "$OUT/file" | wc -l)" -gt 1000 ]
}

@test "a file has every text as it is, and so has a wide terminal" {
	# "begin with ..00" is of the bytes that objects begin with.
	grep -v 'begin with [.0-9a-f]*' "$OUT/file" > "$OUT/file_texts"
	refute grep -n -E '[^. ]\.\.( |$)|(^| )\.\.[^. ]' "$OUT/file_texts"
	# The tests above are of a table that is narrower.
	[ "$(grep -c -E '[^. ]\.\.( |$)|(^| )\.\.[^. ]' "$OUT/narrow")" -ge 5 ]
	diff <(sed 's/ *$//' "$OUT/file" | tr -s ' ') <(sed 's/ *$//' "$OUT/wide" | tr -s ' ')
}

@test "a pipe and a file of a terminal's session are none" {
	on_terminal 80 "pageowner -m > $OUT/redirected" "allocprof -i | cat > $OUT/piped" "memowner | grep ^OOM > $OUT/found" > /dev/null
	diff "$OUT/redirected" <(run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- 'pageowner -m')
	[ "$(awk 'length > 80' "$OUT/redirected" | wc -l)" -ge 1 ]
	[ "$(awk 'length > 80' "$OUT/piped" | wc -l)" -ge 1 ]
	# A statement of the summary is one line.
	[ "$(grep -c 'invoked the OOM killer, .* the kernel panicked$' "$OUT/found")" = 1 ]
}

@test "80 columns: an error is continued in the next line; in a file it is one line" {
	on_terminal 80 'pageowner -f nope=1' > "$OUT/error"
	[ "$(wc -l < "$OUT/error")" -ge 3 ]
	[ "$(awk 'length > 80' "$OUT/error" | wc -l)" = 0 ]
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- 'pageowner -f nope=1' > "$OUT/error_in_file"
	[ "$(wc -l < "$OUT/error_in_file")" = 1 ]
	# The words are the same.
	diff <(tr -s ' \n' '\n' < "$OUT/error") <(tr -s ' \n' '\n' < "$OUT/error_in_file")
}

@test "control characters and JSON on a terminal" {
	on_terminal 80 'pageowner -t raw -n 2' 'pageowner -n 1 -j' > "$OUT/as_is"
	# Text for other tools is not wrapped.
	[ "$(grep -c '^{.*}$' "$OUT/as_is")" = 3 ]
	refute grep -q -P '[\x00-\x08\x0b-\x1f\x7f]' "$OUT/as_is"
}

@test "80 columns: a column that is left out for want of room is named below the rows" {
	by_program 80 'memowner processes -n 2' > "$BATS_TEST_TMPDIR/narrow"
	refute grep -q -E '^ *PID .* CGROUP' "$BATS_TEST_TMPDIR/narrow"
	grep -q -E 'without room in a line: CGROUP \(-o \+cgroup\)$' "$BATS_TEST_TMPDIR/narrow"
	by_program 80 'memowner processes -n 2 -o +cgroup' > "$BATS_TEST_TMPDIR/asked"
	by_program 200 'memowner processes -n 2' > "$BATS_TEST_TMPDIR/wide"
	grep -q -x ' *CGROUP' "$BATS_TEST_TMPDIR/asked"
	grep -q -E '^ *PID .* CGROUP$' "$BATS_TEST_TMPDIR/wide"
	for width in asked wide; do
		refute grep 'without room' "$BATS_TEST_TMPDIR/$width"
	done
}

@test "60 columns: flags of a report of the log are continued behind a |" {
	by_program 60 'memowner log' > "$OUT/log"
	awk 'length > 60' "$OUT/log" > "$OUT/long"
	diff "$OUT/long" /dev/null
	[[ "$(tr -d '\n ' < "$OUT/log")" = *'gfp_mask=0x140dca(GFP_HIGHUSER_MOVABLE|__GFP_COMP|__GFP_ZERO),order=0'* ]]
}
