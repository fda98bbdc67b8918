#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The program on a real dump, $SAMPLE, of a kernel without BTF, and no vmlinux.

load helper
load dump

setup_file() {
	of_sample
}

# A vmlinux beside the dump would be found.
setup() {
	ln -sf "$(realpath "$DIR/vmcore")" "$OUT/vmcore"
	run --separate-stderr "$BUILD/memowner" "$OUT/vmcore"
}

bats_require_minimum_version 1.5.0

@test "what is missing is one line, and so is what would help" {
	[ "${#stderr_lines[@]}" = 1 ]
	[[ "$stderr" = *'no BTF'*'--vmlinux FILE' ]]
	[ "$status" = 0 ]
}

@test "the log, whose layout VMCOREINFO has, says how the machine died: the lines of panic and OOM are those with vmlinux" {
	section() { sed -n "/^$1 /,/^[a-zR]/p" | sed -n '1p; 2,${/^ /p}'; }
	for name in panic OOM; do
		diff <(section $name <<< "$output") <(section $name < "$SAID/summary.txt")
	done
	section OOM < "$SAID/summary.txt" | grep -q 'invoked the OOM killer, order 0, GFP_HIGHUSER'
}

@test "nothing is said of memory whose structures are not known: no class, no cache, no owner" {
	# The table of a report is the log's.
	grep -v ', by the report in the log' <<< "$output" |
		refute grep -E '^(owners|caches|files|sites|faults) |^  [a-z]+ +[0-9.]+[KMG]'
	grep -q '^unknown   RAM, classes' <<< "$output"
}

@test "a dump that was cut off is told on standard error, and in JSON as a warning" {
	cp "$DIR/vmcore" "$OUT/cut"
	truncate -s -65536 "$OUT/cut"
	run --separate-stderr "$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$OUT/cut" pageowner -m -j
	[[ "$stderr" = *"$OUT/cut: incomplete: the file ends before its last page: "* ]]
	tail -n 1 <<< "$output" | jq -e '[.warnings[] | select(contains("incomplete: the file ends before its last page: "))] | length == 1'
}

@test "page 0: a variable with the base of struct page names a range, no page" {
	run "$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" pfn:0
	[[ "$output" = *pfn:0* ]]
	refute grep -E 'vmemmap_base|named by the list' <<< "$output"
}
