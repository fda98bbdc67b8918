#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# faults -k: KGTP's rings in synthetic kernels, whole and damaged, in the real crash.

load helper

# "ID CPU TRACEPOINT RANGES BYTES DEFECTS" of each frame
frames() {	# KERNEL [OPTION...]
	synthetic "$1" "faults -k -j ${*:2}" | jq -r 'select(.record == "row") |
		[.frame_id, .cpu, .tracepoint, .ranges, .bytes, .defects] | map(tostring) | join(" ")'
}

# status, completeness and warnings of -k
why() {	# KERNEL
	synthetic "$1" 'faults -k -j' | jq -r 'select(.record == "summary") |
		"\(.status) \(.complete) \(.warnings | join("; "))"'
}

numbers_only='tracepoints have numbers only: the module has no symbol gtp_list'

@test "frames of all rings in order of their ids, a value over three pages as one" {
	diff <(frames kgtp) - <<-END
		1 0 7 1 12 null
		2 0 8 1 7856 null
		3 1 7 1 12 null
		4 0 7 0 0 null
	END
	[ "$(why kgtp)" = "ok true $numbers_only" ]
	synthetic kgtp 'faults -k -j' > "$BATS_TEST_TMPDIR/frames"
	"$TESTS/tools/validate" "$BATS_TEST_TMPDIR/frames"
	[ "$(jq -r 'select(.frame_id == 1) | [.ts_ns, .time_source, .pid, .symbol, .page_fault, .registers, .variables] | map(tostring) | join(" ")' \
		"$BATS_TEST_TMPDIR/frames")" = '1500000 $clock 321 handle_mm_fault+0x0 true true 2' ]
	[ "$(jq -r 'select(.frame_id == 2) | [.ts_ns, .pid, .symbol, .page_fault, .registers] | map(tostring) | join(" ")' \
		"$BATS_TEST_TMPDIR/frames")" = 'null null null null false' ]
	[ "$(synthetic kgtp 'faults -k' | tail -n 1)" = '4 frames of 6 begun, 0 pages overwritten, not circular; tracing was on' ]
}

@test "filters, sorting and rows" {
	[ "$(frames kgtp -f tracepoint=7 -X cpu=1 | cut -d ' ' -f 1 | xargs)" = '1 4' ]
	[ "$(frames kgtp -f pid=321 | cut -d ' ' -f 1)" = 1 ]
	[ "$(frames kgtp -f page_fault=true | cut -d ' ' -f 1)" = 1 ]
	[ "$(frames kgtp -f 'symbol=handle_*' | cut -d ' ' -f 1)" = 1 ]
	[ "$(frames kgtp -f symbol=handle_mm_fault | cut -d ' ' -f 1)" = 1 ]
	[ "$(frames kgtp -f symbol=handle_mm_fault+0x0 | cut -d ' ' -f 1)" = 1 ]
	[ "$(frames kgtp -X symbol=handle_mm_fault | cut -d ' ' -f 1 | xargs)" = '2 3 4' ]
	[ "$(frames kgtp -f frame_id=2..3 | cut -d ' ' -f 1 | xargs)" = '2 3' ]
	[ "$(frames kgtp -f ts_ns=1ms..2ms | cut -d ' ' -f 1)" = 1 ]
	[ "$(frames kgtp -r | cut -d ' ' -f 1 | xargs)" = '4 3 2 1' ]
	[ "$(frames kgtp -s bytes -n 1 | cut -d ' ' -f 1)" = 2 ]
}

@test "one frame: registers by this kernel's pt_regs, variables by name, memory whole" {
	run synthetic kgtp 'faults -k 1 2 -j'
	"$TESTS/tools/validate" <(printf '%s\n' "$output")
	[ "$(json 'select(.frame_id == 1 and .part == "register" and (.name == "rsi" or .name == "rsp")) | "\(.name) \(.value)"' | xargs)" = \
		'rsi 0x7f0000001000 rsp 0xabc' ]
	[ "$(json 'select(.part == "variable") | "\(.name) \(.number) \(.value)"' | xargs)" = 'clock 5 1500000 current_task_pid 26 321' ]
	[ "$(json 'select(.frame_id == 1 and .part == "memory") | "\(.address) \(.bytes) \(.pieces) \(.data)"')" = \
		'0xffff888000001000 12 1 68656c6c6f20776f726c6400' ]
	[ "$(json 'select(.frame_id == 2 and .part == "memory") | "\(.address) \(.bytes) \(.pieces) \(.data[0:2]) \(.data[-2:])"')" = \
		'0xffffc90000123000 7856 3 61 66' ]
	run synthetic kgtp 'faults -k 1'
	[[ "$output" = *'frame 1 of cpu 0, tracepoint 7 at 0x'*' handle_mm_fault+0x0, handles page faults'* ]]
	[[ "$output" = *'ffff888000001000: 68 65 6c 6c 6f 20 77 6f  72 6c 64 00             |hello world.|'* ]]
	run synthetic kgtp 'faults -k 2 -n 1'
	[[ "$output" = *'... 7,840 more bytes (-n 0 shows all)'* ]]
}

@test "memory as structures" {
	run synthetic kgtp 'faults -k 1 -T qspinlock -j'
	[ "$(json 'select(.part == "member") | "\(.name) \(.value)"' | xargs)" = 'val 1819043176 val 1870078063 val 6581362' ]
	run synthetic kgtp 'faults -k 1 -T "struct list_head"'
	[[ "$output" = *'struct list_head at 0xffff888000001000, in part'* ]]
	[[ "$output" = *'next = 0x6f77206f6c6c6568'*'prev = not collected'* ]]
	[ "$(synthetic kgtp 'faults -k 1 -T no_such')" = "faults: -T: debug information has no structure or union 'no_such'" ]
	[ "$(synthetic kgtp 'faults -k -T list_head' 'faults -k x')" = "faults: -T needs -k ID
faults: 'x' is no id of a frame" ]
	run synthetic kgtp 'faults -k 1 2 -s bytes -n 2 -o part,bytes'
	[ "$(xargs <<< "${lines[*]:0:3}")" = 'PART SIZE memory 7.7K memory 12B' ]
}

@test "tracepoints and variables: what frames and lists tell" {
	run synthetic kgtp 'faults -k -t tracepoints -j'
	[ "$(json 'select(.record == "row") | "\(.tracepoint) \(.symbol) \(.hits) \(.page_fault)"' | xargs)" = \
		'7 handle_mm_fault+0x0 1 true 8 null 1 null 7 null 2 null' ]
	run synthetic kgtp 'faults -k -t variables -j'
	[ "$(json 'select(.record == "row") | "\(.number) \(.name) \(.builtin) \(.initial_value)"' | xargs)" = \
		'5 clock true 0 60 mine false -4' ]
}

@test "a ring that is locked, wild, torn or out of its order says so" {
	[ "$(frames kgtp-locked | grep -w in-progress)" = '3 1 7 1 12 in-progress' ]
	[[ "$(why kgtp-locked)" = 'ok true CPUs that were writing a frame (in-progress): 1; '* ]]
	[ "$(frames kgtp-wild | grep bad)" = '2 0 8 2 3808 bad-bytes' ]
	[[ "$(why kgtp-wild)" = 'ok false damaged frames: 1, see defects; '* ]]
	[ "$(frames kgtp-torn | sed -n 2p)" = '2 0 8 2 7856 hole' ]
	[ "$(frames kgtp-torn | sed -n 4p)" = '4 0 7 0 0 null' ]
	[[ "$(why kgtp-torn)" = 'ok false damaged rings: 1, first that of cpu 0: a page is not in this dump; damaged frames: 1, see defects; '* ]]
	[ "$(frames kgtp-stale | tail -n 1)" = '900 0 7 0 0 bad-id' ]
	[ "$(synthetic kgtp-stale 'faults -k 900' | sed -n 2p)" = '  bad-id: its id is not above the id before it, or was never given' ]
}

@test "overwritten pages, counters that are damaged, a page of zeros: text and JSON say so" {
	[[ "$(why kgtp-overwritten)" = 'ok true pages of older frames that were overwritten: 3; '* ]]
	[ "$(synthetic kgtp-overwritten 'faults -k' | tail -n 1)" = '4 frames of 6 begun, 3 pages overwritten, circular; tracing was on' ]
	[[ "$(why kgtp-counters)" = 'ok false gtp_frame_create is damaged: -7; gtp_rb_discard_page_number is damaged: -1; '* ]]
	[ "$(synthetic kgtp-counters 'faults -k' | tail -n 1)" = '4 frames, not circular; tracing was on' ]
	[ "$(frames kgtp-zeros | grep -v null$)" = '2 0 8 2 3808 bad-bytes' ]
}

@test "a variable with a pointer is hexadecimal, a negative number is not" {
	[ "$(synthetic kgtp-pointer 'faults -k 1 -j' | jq -r 'select(.part == "variable") | "\(.number) \(.value)"' | xargs)" = \
		'5 1500000 3 0xffff987912345680' ]
	[[ "$(synthetic kgtp-pointer 'faults -k 1')" = *' = 0xffff987912345680'* ]]
}

@test "a step of while-stepping is told from a hit" {
	[ "$(synthetic kgtp-step 'faults -k -j' | jq -r 'select(.record == "row") | "\(.frame_id) \(.probe)"' | xargs)" = \
		'1 step 2 null 3 null 4 null' ]
	[[ "$(synthetic kgtp-step 'faults -k 1')" = *', tracepoint 7 (step) at 0x'* ]]
	[ "$(synthetic kgtp-step 'faults -k -f probe=step -j' | jq -r 'select(.record == "row") | .frame_id')" = 1 ]
	# Of tracepoint 7 at that address there is the step, and no hit.
	[ "$(synthetic kgtp-step 'faults -k -t tracepoints -j' | jq -r 'select(.symbol == "handle_mm_fault+0x0") | .hits')" = 0 ]
}

@test "a CPU without pages, a ring with the number of another CPU, a layout that does not verify itself" {
	[ "$(frames kgtp-unset | cut -d ' ' -f 1 | xargs)" = '1 2 4' ]
	[ "$(why kgtp-unset)" = "ok true $numbers_only" ]
	[ "$(frames kgtp-renumbered | cut -d ' ' -f 1 | xargs)" = '1 2 4' ]
	[[ "$(why kgtp-renumbered)" = 'ok false damaged rings: 1, first that of cpu 1: struct gtp_rb_s has the number of another CPU; '* ]]
	[ "$(synthetic kgtp-shifted 'faults -k')" = 'no data: unknown layout: struct gtp_rb_s does not verify itself on any CPU: r or w is no place in a page' ]
}

@test "a page at a reader: the frame that began on it has its tail left" {
	diff <(frames kgtp-taken) - <<-END
		2 0 null 1 4096 head-lost
		3 1 7 1 12 null
		4 0 7 0 0 null
	END
	[[ "$(why kgtp-taken)" = 'ok false rings with a page at a reader of gtpframe_pipe (pid 77): 1; frames of that page are not shown; '* ]]
}

@test "no rings, rings that were read, other frame stores, no KGTP: each one line" {
	[[ "$(why kgtp-empty)" = 'ok true KGTP is loaded (module gtp) and has no rings: gtp_rb_page_count is 0; '* ]]
	[[ "$(why kgtp-file)" = 'ok true the rings are empty, but gtp_frame_file has a GDB trace file of 16 bytes that KGTP wrote: -w FILE saves it; '* ]]
	[ "$(synthetic kgtp-simple 'faults -k')" = 'no data: module gtp is KGTP built with FRAME_SIMPLE=1: frames are in one buffer (gtp_frame) instead of per-CPU rings, not decoded' ]
	[[ "$(synthetic kgtp-ftrace 'faults -k')" = 'no data: module gtp is KGTP built with GTP_FTRACE_RING_BUFFER: '* ]]
	# The GPRS driver of the kernel has the same name.
	[ "$(synthetic kgtp-gprs 'faults -k')" = 'no data: KGTP was not loaded: none of 1 modules has gtp_rb and gtp_rb_page_count' ]
	[ "$(synthetic v6_9 'faults -k')" = 'no data: KGTP is a module, and this kernel has no modules' ]
	[[ "$(why kgtp-gprs)" = 'not_built false '* ]]
	# What would tell is missing: nothing is claimed.
	[[ "$(why kgtp-unnamed)" = 'not_in_dump false whether KGTP was loaded is unknown: no symbols of data are known of 1 modules, gtp among them'*' MODULE'* ]]
	[[ "$(why kgtp-nowhere)" = 'not_in_dump false whether KGTP was loaded is unknown: symbols of 1 modules, gtp among them, are not in this dump' ]]
}

@test "-D says where symbols and layouts come from" {
	run synthetic kgtp 'faults -k -D'
	[[ "$output" = *'decide symbols of KGTP from kallsyms of the module in the dump'* ]]
	[[ "$output" = *'decide layout of struct gtp_rb_s from the fixed order of struct gtp_rb_s, checked by its CPU number and its links'* ]]
	[[ "$output" = *'decide layout of struct gtp_var from the fixed order of struct gtp_var, checked by links and names'* ]]
}

gdb_on() {	# FILE COMMAND...
	local file=$1 commands=(-ex 'set architecture i386:x86-64' -ex "target tfile $1") c

	shift
	for c; do commands+=(-ex "$c"); done
	gdb -q -nx -batch "${commands[@]}" 2>&1
}

@test "GDB opens the trace file and shows the same values" {
	local file=$BATS_TEST_TMPDIR/tfile

	[ "$(synthetic kgtp "faults -k -w $file" | head -n 1)" = "4 frames written to $file" ]
	# Tracing was on: nobody stopped it.
	grep -aq '^status 0;tunknown:0;tframes:4;' "$file"
	run gdb_on "$file" tstatus 'tfind 0' 'print/x $rsi' 'print $clock' 'print $cpu_id' 'x/s 0xffff888000001000' \
		'tfind 1' 'x/1xb 0xffffc90000123000' 'x/1xb 0xffffc90000123000+7855' 'x/1xb 0xffffc90000123000+7856' \
		'tfind 2' 'print $cpu_id' 'tfind 0' tdump
	[[ "$output" = *'Buffer contains 4 trace frames (of 6 created total)'* ]]
	[[ "$output" = *'$1 = 0x7f0000001000'*'$2 = 1500000'*'$3 = 0'*'"hello world"'* ]]
	[[ "$output" = *'0xffffc90000123000:'*'0x61'*'0xffffc90000124eaf:'*'0x66'* ]]
	# Behind what was collected there is nothing.
	[[ "$output" = *'0xffffc90000124eb0:'*'<unavailable>'* || "$output" = *'Cannot access memory at address 0xffffc90000124eb0'* ]]
	[[ "$output" = *'$4 = 1'*'Data collected at tracepoint'*'rsi            0x7f0000001000'* ]]
	# What is there stays.
	[[ "$(synthetic kgtp "faults -k -w $file")" = "faults: the file '$file' is there and not overwritten: choose another name"* ]]
	[[ "$(synthetic kgtp "faults -k -w $file.json -j")" = 'faults: -w '*'-j'* ]]
	[ ! -e "$file.json" ]
	[ "$(synthetic kgtp-file "faults -k -w $file.own" | head -n 1)" = "16 bytes of gtp_frame_file written to $file.own" ]
	printf '\177TRACE0\nR 94\n\n\0\0' | cmp - "$file.own"
}
