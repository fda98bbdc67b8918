#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The summary of synthetic kernels: what is not there is unknown, and no command to type is empty.

load helper

kernels() {
	echo v6_9 v6_17 v4_19 v5_10-holed tasks_6_12 tasks_6_12-loop no_owner tags_6_12 slabexts_7_3 oops_6_12 \
		oops_6_12-torn oops_6_12-gone oops_6_12-memcg broken-no_pool broken-ram_loop broken-off broken-no_section
}

screen() {	# KERNEL: the statements of the section NAME
	synthetic "$1" memowner | sed -n "s/^$2  *//p"
}

@test "at most 40 lines, rows as the schema has them, commands that show rows" {
	local kernel n

	for kernel in $(kernels); do
		synthetic $kernel memowner "memowner -j > $BATS_TEST_TMPDIR/rows.$kernel" > "$BATS_TEST_TMPDIR/text"
		[ -s "$BATS_TEST_TMPDIR/text" ]
		[ "$(wc -l < "$BATS_TEST_TMPDIR/text")" -le 40 ]
		jq -r --arg to "$BATS_TEST_TMPDIR/asked" 'select(.record == "next") | .command + " -j"' "$BATS_TEST_TMPDIR/rows.$kernel" |
			awk -v to="$BATS_TEST_TMPDIR/asked" '{ print $0 " > " to NR }' > "$BATS_TEST_TMPDIR/next"
		mapfile -t commands < "$BATS_TEST_TMPDIR/next"
		[ "${#commands[@]}" = 0 ] || synthetic $kernel "${commands[@]}" > /dev/null
		for n in $(seq ${#commands[@]}); do
			[ "$(jq -r 'select(.record == "row") | .record' "$BATS_TEST_TMPDIR/asked$n" | wc -l)" -ge 1 ] ||
				{ echo "$kernel: ${commands[n - 1]}"; false; }
		done
	done
	"$TESTS/tools/validate" "$BATS_TEST_TMPDIR"/rows.*
}

@test "pages side by side of one stack: each counts for its own process, with its own name" {
	run synthetic v6_9-neighbours 'memowner -j'
	[ "$(json 'select(.user_kind == "process") | "\(.pid) \(.comm) \(.pages) \(.allocs)"')" = '30 null 9 9' ]
	[ "$(json 'select(.user_kind == "caller" and .name == "leak_first") | "\(.pages) \(.allocs)"')" = '16 13' ]
}

@test "a cgroup that ran out of memory: who asked, the cgroup, the victim" {
	[ "$(screen oops_6_12-memcg OOM)" = \
		'10.000000 s, 5ms before the panic: eater (45) invoked the OOM killer, order 0, GFP_KERNEL, cgroup /box; CONSTRAINT_MEMCG; killed eater (90)' ]
	# Without the task of a record.
	[ "$(screen oops_6_12-4_19 OOM)" = "$(screen oops_6_12-memcg OOM | sed 's/ (45)//')" ]
	run synthetic oops_6_12-memcg 'memowner -j'
	[ "$(json 'select(.record == "oom") | "\(.comm) \(.pid) \(.gfp_mask) \(.memcg) \(.victim_comm) \(.victim_pid) \(.outcome)"')" = \
		'eater 45 0xcc0 /box eater 90 killed' ]
	[ "$(json 'select(.record == "panic") | .name')" = 'sysrq triggered crash' ]
}

@test "a report that a user wrote to the log is none; of one that is cut the rest is unknown" {
	[ "$(screen oops_6_12-fake OOM)" = '' ]
	[ "$(screen oops_6_12-fake panic)" = 'sysrq triggered crash' ]
	[ "$(screen oops_6_12-lost OOM)" = '10.000000 s, 5ms before the panic: eater (45) invoked the OOM killer, order 0, GFP_KERNEL; CONSTRAINT_MEMCG (derived); how it ended is unknown; then killed eater (90), whose report is not in this log' ]
	grep -q '^warning   a part of the log is not in this dump$' < <(synthetic oops_6_12-lost memowner)
}

@test "memory was not short is said where the log is read, else it is unknown" {
	run synthetic files_7_3 memowner 'memowner -j'
	[[ "$output" = *$'\nverdict   unknown whether memory ran out: the log cannot be read; at the end 52.0K of 192.0K was free, 27.1%\n'* ]]
	[ "$(json -R 'fromjson? | select(.record == "verdict") | .name')" = unknown ]
	[ "$(json -R 'fromjson? | select(.record == "summary") | .complete')" = false ]
	refute grep -E 'not.short' <<< "$output"
}

@test "an exception: its kind, address, function and task" {
	# The verdict has it, and no line of its own says it again.
	[[ "$(screen oops_6_12 verdict)" = 'the kernel died of page fault, address 0x8, behind a NULL pointer, in leak_first+0x2/0x7, task victim (45); '* ]]
	[ "$(screen oops_6_12 exception)" = '' ]
	[ "$(synthetic oops_6_12 memowner | grep -A 1 '^next:' | tail -n 1)" = '  faults -x  # the exception of the kernel, and where it happened' ]
	[ "$(screen oops_6_12-torn exception)" = '' ]
	[[ "$(screen oops_6_12-init verdict)" = 'init died of SIGSEGV: user fault, address 0x10, task an init (1), and the kernel ends with it; '* ]]
}

@test "what is not there is unknown, with its reason" {
	run synthetic broken-off memowner
	[[ "$output" = *$'not recorded owners: '*'page_owner=on'* || "$output" = *'unknown   RAM: '* ]]
	[[ "$output" = *'not there allocation stacks: this kernel was built without memory allocation profiling'* ]]
	run synthetic oops_6_12-gone memowner
	[[ "$output" = *'unknown   panic, OOM report: the kernel log cannot be read: prb_desc at 0x'* ]]
	[[ "$output" != *'OOM  '* ]]
	run synthetic broken-ram_loop memowner
	[[ "$output" = *'unknown   RAM, classes, '*': resource tree loops'* ]]
	[[ "$output" != *'pageowner'* ]]
}

@test "why owners are unknown, and the boot option that would have told more" {
	local kernel

	for kernel in no_owner oops_6_12; do
		[[ "$(synthetic $kernel memowner)" = *'not there allocation stacks: this kernel was built without '*PAGE_OWNER* ]]
	done
	[[ "$(synthetic no_owner memowner)" = *'not there allocation stacks: this kernel was built without CONFIG_PAGE_OWNER, CONFIG_MEM_ALLOC_PROFILING'* ]]
	[[ "$(synthetic broken-off memowner)" = *'not recorded owners: page_owner was off at boot: it needs page_owner=on on the kernel command line'* ]]
	[[ "$(synthetic broken-ram_loop memowner)" = *'unknown   RAM, '*', owners, '*': resource tree loops'* ]]
}

@test "columns that this kernel does not record are not proposed" {
	local kernel

	for kernel in v5_10-holed v4_19; do
		run synthetic $kernel memowner
		[[ "$output" = *$'not there process and age of owners: page_owner of this kernel has none\n'* ]]
		[[ "$output" = *$'next:\n  pageowner -f caller=leak_first\n'* ]]
	done
	run synthetic v6_9 memowner
	[[ "$output" != *'not recorded'* ]]
	[[ "$output" = *'  pageowner -f caller='*' -o +comm'* ]]
}
