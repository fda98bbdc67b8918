#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# faults -k on real kernels with our module kgtpfix, against the ledger of what it wrote.
# "make samples" makes their dumps.

load helper

ask() {	# SAMPLE MODE COMMAND...
	local dir=$BUILD/samples/$1

	run_crash "$dir/vmlinux" "$dir/vmcore" $(option_of "$2") -- "${@:3}"
}

modes() {	# SAMPLE
	"$TESTS/modes" "$BUILD/samples/$1/meta" "$CRASH"
}

# Parts of frames, one a line: ID reg NAME VALUE, ID var NUMBER VALUE, ID mem ADDRESS SIZE BYTES.
# The kernel declares cs and ss with 2 bytes or with 8: 2 are compared.
ledger() {	# SAMPLE
	awk 'BEGIN {
		n = split("r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss", names)
	}
	$1 == "frame" { id = $2 }
	$1 == "regs" {
		for (i = 1; i <= n; i++) {
			value = ""
			for (k = 0; k < 8; k++)
				value = substr($2, 16 * (i - 1) + 2 * k + 1, 2) value
			print id, "reg", names[i], names[i] ~ /^[cs]s$/ ? substr(value, 13) : value
		}
	}
	$1 == "var" || $1 == "mem" { $1 = id " " $1; print }' "$BUILD/samples/$1/truth/ledger"
}

parts() {	# rows of faults -k ID -j
	jq -r 'select(.record == "row") | "\(.frame_id) " + (
		if .part == "register" then "reg \(.name) " +
			(("000000000000000" + .value[2:])[-(if .name == "cs" or .name == "ss" then 4 else 16 end):])
		elif .part == "variable" then "var \(.number) \(.value)"
		elif .part == "memory" then "mem \(.address) \(.bytes) \(.data)"
		else "\(.part) \(.bytes)" end)'
}

# Lines of the frames with these ids.
of() {	# FILE-OF-IDS
	awk 'NR == FNR { wanted[$1]; next } $1 in wanted' "$1" - | sort
}

# What is left of a frame without its head: each part is the end of one that was written.
are_ends() {	# LEDGER PARTS
	awk 'NR == FNR { if ($2 == "mem") { bytes[$1, ++n[$1]] = $5 } else { written[$0] } next }
	$2 != "mem" && !($0 in written) { print "not written:", $0; bad = 1 }
	$2 == "mem" {
		found = 0
		for (i = 1; i <= n[$1]; i++)
			if (length($5) && substr(bytes[$1, i], length(bytes[$1, i]) - length($5) + 1) == $5)
				found = 1
		if (!found) {
			print "not written:", $1, $3, $4
			bad = 1
		}
	}
	END { exit bad }' "$1" "$2"
}

# Every frame of the ledger is equal, or marked, or told as lost.
check_ledger() {	# SAMPLE MODE
	local t=$BATS_TEST_TMPDIR state=$BUILD/samples/$1/truth/ledger

	ask "$1" "$2" 'faults -k -j' > "$t/list"
	jq -r 'select(.record == "row") | "\(.frame_id) \(.cpu) \(.tracepoint) \(.defects)"' "$t/list" > "$t/frames"
	ask "$1" "$2" "faults -k $(cut -d ' ' -f 1 "$t/frames" | xargs) -n 0 -j" | parts > "$t/parts"
	ledger "$1" > "$t/ledger"
	# Id, CPU, tracepoint and mark of all frames that have their heads.
	awk 'BEGIN { mark["whole"] = "null"; mark["cut"] = "ring-full"; mark["in-progress"] = "in-progress" }
		$1 == "frame" && $5 in mark { print $2, $3, $4, mark[$5] }' "$state" > "$t/wanted"
	grep -q ' null$' "$t/wanted"
	diff "$t/wanted" <(grep -v ' head-lost$' "$t/frames")
	diff <(of "$t/wanted" < "$t/ledger") <(of "$t/wanted" < "$t/parts" | grep -v ' unwritten ')
	# Tails are of frames that have lost their heads, and nothing else is listed.
	awk '$1 == "frame" && $5 == "head-lost" { print $2, $3 }' "$state" > "$t/lost"
	grep ' head-lost$' "$t/frames" | cut -d ' ' -f 1,2 > "$t/tails" || :
	refute grep -v -x -F -f "$t/lost" "$t/tails"
	of "$t/tails" < "$t/parts" > "$t/left"
	are_ends "$t/ledger" "$t/left"
}

@test "every frame that was written comes back equal, or is marked, or is told as lost" {
	local name mode n=0

	for name in 5.10-kgtp 5.10-kgtp-circular 6.12-kgtp 6.12-kgtp-circular; do
		for mode in $(modes $name); do
			check_ledger $name "$mode"
			n=$((n + 1))
		done
	done
	[ "$n" -gt 0 ] || skip "this crash opens none of these"
}

@test "what is not shown is told" {
	local name mode

	for name in 5.10-kgtp 6.12-kgtp; do
		for mode in $(modes $name); do
			run ask $name "$mode" 'faults -k'
			[[ "$output" = *'rings with a page at a reader of gtpframe_pipe (pid 4242): 1; frames of that page are not shown'* ]]
			[[ "${lines[-1]}" = '41 frames of 47 begun, 0 pages overwritten, not circular; tracing was on' ]]
		done
	done
	for name in 5.10-kgtp-circular 6.12-kgtp-circular; do
		for mode in $(modes $name); do
			run ask $name "$mode" 'faults -k'
			[[ "${lines[-1]}" =~ ^69\ frames\ of\ 147\ begun,\ [1-9][0-9]*\ pages\ overwritten,\ circular ]]
		done
	done
}

@test "-w: the trace file that was ready in memory" {
	local mode t=$BATS_TEST_TMPDIR

	printf '\x7fTRACE0\nR 94\nstatus 0;tstop:0\ntp T1:10:E:0:0\n\n' > "$t/wanted"
	printf '\x01\x00\x0d\x00\x00\x00V\x05\x00\x00\x00\x2a\0\0\0\0\0\0\0\0\0' >> "$t/wanted"
	[ -n "$(modes 6.12-kgtp-file)" ] || skip "this crash does not open it"
	for mode in $(modes 6.12-kgtp-file); do
		rm -f "$t/tfile"
		ask 6.12-kgtp-file "$mode" "faults -k -w $t/tfile"
		cmp "$t/wanted" "$t/tfile"
	done
}
