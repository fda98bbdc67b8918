#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# faults -x on real kernels that died of a fault of LKDTM, against their consoles.
# "make samples" makes their dumps.

load helper

ask() {	# SAMPLE COMMAND...: in each mode
	local dir=$BUILD/samples/$1

	for mode in $("$TESTS/modes" "$dir/meta" "$CRASH"); do
		run_crash "$dir/vmlinux" "$dir/vmcore" $(option_of "$mode") -- "${@:2}"
	done
}

# Lines of the console without their time, up to the registers of user mode.
console() {	# SAMPLE
	tr -d '\r' < "$BUILD/samples/$1/truth/console" | sed -E 's/^\[ *[0-9.]+\] ?//'
}

# first SAMPLE REGEX: what the regex takes of the first line that has it.
first() {
	console "$1" | sed -n -E "s/$2/\1/p" | head -n 1
}

# What each mode says must be the same, and as the console has it.
is_as_told() {	# SAMPLE EXCEPTION ADDRESS_KIND
	local name=$1 modes said rows address code

	modes=$("$TESTS/modes" "$BUILD/samples/$name/meta" "$CRASH")
	[ -n "$modes" ] || return 0
	said=$(ask "$name" 'faults -x -j' 'faults -x' 'faults -b -j')
	rows=$(grep '^{' <<< "$said" | jq -c 'select(.record == "row" and has("exception"))' | sort -u)
	[ "$(wc -l <<< "$rows")" = 1 ]
	row() { jq -r ".$1" <<< "$rows"; }
	[ "$(row exception)" = "$2" ]
	[ "$(row address_kind)" = "$3" ]
	address=$(first "$name" '^CR2: ([0-9a-f]+).*')
	[ "$((0x$address))" = "$(($(row address)))" ]
	code=$(first "$name" '^#PF: error_code\(0x([0-9a-f]+)\).*')
	if [ -n "$code" ]; then
		[ "$((0x$code))" = "$(($(row error_code)))" ]
	else
		[ "$(row error_code)" = null ]
	fi
	[ "$(row ip_symbol)" = "$(first "$name" '^RIP: 0010:([^/]*).*')" ]
	[ "$(row pid)" = "$(first "$name" '^CPU: .* PID: ([0-9]+) Comm: .*')" ]
	[ "$(row cpu)" = "$(first "$name" '^CPU: ([0-9]+) .*')" ]
	[ "$(row comm)" = "$(first "$name" '^CPU: .* Comm: ([^ ]*).*')" ]
	[ "$(row comm)" = victim ]
	[ "$(row panic)" = "$(first "$name" '^Kernel panic - not syncing: (.*)')" ]
	# The frame that the exception left: its stack pointer is the one that was printed.
	[ "$(($(row sp)))" = "$((0x$(first "$name" '^RSP: 0018:([0-9a-f]+).*')))" ]
	[ "$(row regs)" != null ]
	[ "$(row mode)" = kernel ]
	# The task is inside of that fault, but for one that its guard page stopped on another stack.
	[ "$2" != page_fault ] ||
		[ "$(grep '^{' <<< "$said" | jq -r 'select(.record == "row" and has("waits_for")) | "\(.pid) \(.mode) \(.waits_for)"' | sort -u)" = "$(row pid) kernel running" ]
	# One screen.
	[ "$(grep -v -c '^{' <<< "$said")" -le "$((24 * $(wc -w <<< "$modes")))" ]
	refute grep -q -e ffffffffffffffff <(grep -v '^{' <<< "$said")
}

each() {	# CASE EXCEPTION ADDRESS_KIND
	local series n=0

	for series in 5.10 6.1 6.12 7.3; do
		[ -e "$BUILD/samples/$series-fatal-$1/ready" ] || continue
		is_as_told "$series-fatal-$1" "$2" "$3"
		n=$((n + 1))
	done
	[ "$n" -gt 0 ]
}

words() {	# SAMPLE: the error code in words
	ask "$1" 'faults -x -j' | grep '^{' | jq -r 'select(.record == "row") | .error' | sort -u
}

# A page fault, with its error code in words.
page_fault() {	# CASE ADDRESS_KIND ERROR
	each "$1" page_fault "$2"
	[ "$(words "6.12-fatal-$1")" = "$3" ]
}

@test "a read of address 0" {
	page_fault null null_page 'supervisor read, page not present'
}

@test "a write to read-only data" {
	page_fault rodata rodata 'supervisor write, protection violation'
}

@test "an instruction fetch from data" {
	page_fault exec data 'supervisor instruction fetch, protection violation'
}

@test "a read of user memory that is no user copy" {
	page_fault user user 'supervisor read, protection violation'
}

@test "a stack overflow: the guard page, and whose stack it was" {
	each stack stack_overflow stack_guard
	run ask 6.12-fatal-stack 'faults -x'
	[[ "$output" = *"guard page below a stack: of task $(first 6.12-fatal-stack '^CPU: .* PID: ([0-9]+) .*') victim"* ]]
}

@test "a fault of the first process in user mode" {
	run ask 6.12-fatal-init 'faults -x -j'
	[ "$(json 'select(.record == "row") | "\(.exception) \(.mode) \(.address) \(.error) \(.pid) \(.comm)"' | sort -u)" = \
		'user_fault user 0x10 user write, page not present 1 segv' ]
	[ "$(json 'select(.record == "row") | .ip' | sort -u)" = "0x$(first 6.12-fatal-init '^segv\[1\]: segfault at 10 ip 0*([0-9a-f]+) .*')" ]
}

@test "BUG() is no page fault" {
	run ask 6.12-fatal-bug 'faults -x -j'
	[ "$(json 'select(.record == "row") | "\(.exception) \(.address) \(.error_code) \(.ip_symbol)"' | sort -u)" = \
		"bug null null $(first 6.12-fatal-bug '^RIP: 0010:([^/]*).*')" ]
}
