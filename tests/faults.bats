#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# faults on synthetic kernels: what no real dump has.

load helper

# threads KERNEL COLUMN...: columns of the rows.
threads() {
	local kernel=$1 columns

	shift
	columns=$(printf '.%s,' "$@")
	synthetic "$kernel" 'faults -j' | jq -r "select(.record == \"row\") | [${columns%,}] | map(. // \"-\") | join(\" \")"
}

@test "threads: state, kernel threads by their full name, cgroups as /proc has them" {
	diff <(threads tasks_6_12 pid task_state kthread comm memcg cgroup exited_maj_flt) - <<-END
	10 S - leader /web /web/inner -
	11 D - thread /web /web/inner -
	1 Z - sing?le / / -
	2 R true a_kernel_thread_with_a_long_name / / -
	3 I true kworker/u8:1+events_unbound - - -
	4 I true kworker/R-a_queue_with_a_long_name / / -
	END
}

@test "threads: names of members as of 5.10; rescuers are named as their workqueue" {
	diff <(threads tasks_6_12-cached pid task_state comm memcg cgroup) - <<-END
	10 S leader /web /web/inner
	11 D thread /web /web/inner
	1 Z sing?le / /
	2 R a_kernel_thread / /
	3 I kworker/u8:1+events_unbound - -
	4 I a_queue_with_a_ / /
	END
}

@test "the cgroup in text is that of the memory controller where this is of cgroup v1" {
	local kernel

	for kernel in tasks_6_12:CGROUP:/web/inner tasks_6_12-v1:MEMCG:/web; do
		run synthetic "${kernel%%:*}" 'faults 10'
		[ "$(awk 'NR == 1 { print $NF } $1 == 10 { print $NF }' <<< "$output" | xargs)" = "$(cut -d: -f2,3 --output-delimiter=' ' <<< "$kernel")" ]
	done
	diff <(threads tasks_6_12-v1 pid memcg cgroup | head -n 2) <(printf '%s\n' '10 /web /' '11 /web /')
	# cgroup_disable=memory: nothing is charged to the root, which all processes are in.
	diff <(threads tasks_6_12-off pid memcg cgroup | head -n 2) <(printf '%s\n' '10 - /web/inner' '11 - /web/inner')
}

@test "-H FILE: processes by the cgroup that is charged, where memory is of cgroup v1" {
	local kernel page=$BATS_TEST_TMPDIR/page

	for kernel in tasks_6_12:cgroup tasks_6_12-v1:memcg; do
		rm -f "$page"
		synthetic "${kernel%%:*}" "memowner -H $page"
		grep -q -F "<p class=\"soft mono\">memowner processes -g ${kernel#*:} -n 40</p>" "$page"
	done
}

@test "a cgroup that is not in the dump is unknown, and counted" {
	run synthetic tasks_6_12 'faults -j -f pid=3'
	[ "$(json 'select(.record == "summary") | "\(.complete) \(.warnings[0])"')" = \
		'false no cgroup in this dump for 1 thread' ]
	[ "$(json 'select(.record == "row") | .cgroup')" = null ]
	run synthetic tasks_6_12 'faults -j -f cgroup=-'
	[ "$(json 'select(.record == "row") | .pid')" = 3 ]
}

@test "groups: exited threads count for a process, an mm counts once" {
	run synthetic tasks_6_12 'faults -g tgid -j'
	[ "$(json 'select(.tgid == 10) | "\(.threads) \(.maj_flt) \(.min_flt) \(.exited_maj_flt) \(.exited_min_flt) \(.comm) \(.rss_bytes)"')" = \
		'2 13 307 8 7 leader 425984' ]
	# The mm of this one is not in the dump.
	[ "$(json 'select(.tgid == 1) | .rss_bytes')" = null ]
	run synthetic tasks_6_12 'faults -g comm -j'
	[ "$(json 'select(.comm == "leader") | "\(.maj_flt) \(.min_flt) \(.exited_maj_flt)"')" = '3 100 null' ]
	run synthetic tasks_6_12 'faults -g memcg -j'
	[ "$(json 'select(.record == "row") | "\(.memcg) \(.threads) \(.min_flt)"' | sort)" = "$(printf '%s\n' '/ 3 300' '/web 2 307' 'null 1 0')" ]
	run synthetic tasks_6_12 'faults -g kthread,state -j'
	[ "$(json 'select(.record == "row") | "\(.kthread) \(.task_state) \(.threads)"' | sort | xargs)" = \
		'false D 1 false S 1 false Z 1 true I 2 true R 1' ]
}

@test "filters by what a process has; what is not known meets no number" {
	for filter in 'rss_bytes=400K..':'10 11' 'rss=..400K':'' 'swap_bytes=100K..':'10 11' 'rss_bytes=-':'1 2 3 4' 'maj_flt=3..':10 \
		'min_flt=200..299':11 'ppid=2':'3 4' 'kthread=yes':'2 3 4' 'comm=kworker*':'3 4' 'comm=/long/':'2 4' 'state=D,Z':'11 1' \
		'tgid=10':'10 11' 'memcg=/web':'10 11'; do
		run synthetic tasks_6_12 "faults -j -f ${filter%%:*}"
		[ "$(json 'select(.record == "row") | .pid' | xargs)" = "${filter#*:}" ]
	done
}

@test "filters: text tells how many of the threads they kept" {
	run synthetic tasks_6_12 'faults -f comm=nosuch' 'faults -f kthread=yes 10 3' 'faults'
	[ "$(grep '^filters kept' <<< "$output")" = 'filters kept 0 of 6 threads
filters kept 1 of 3 threads' ]
}

@test "PIDs: threads and processes; one that is missing in a list with a hole is not called dead" {
	run synthetic tasks_6_12 'faults -j 10 3'
	[ "$(json 'select(.record == "row") | .pid' | xargs)" = '10 11 3' ]
	run synthetic tasks_6_12 'faults -j 77'
	[ "$(json 'select(.record == "summary") | .warnings[0]')" = 'no task has pid 77' ]
	run synthetic tasks_6_12-loop 'faults -j 77'
	[ "$(json 'select(.record == "summary") | .warnings[1]')" = 'pid 77 is not among the threads that were reached' ]
}

@test "text: kernel threads stand in brackets" {
	run synthetic tasks_6_12 'faults' 'faults -n 0' 'faults 3'
	[ "$(grep -c '\[kworker/u8:1+' <<< "$output")" = 2 ]
	[ "$(grep -c '^3 kernel threads without a fault not shown' <<< "$output")" = 1 ]
}

# fatal CASE COLUMN...: of the row of faults -x on the kernel of an oops.
fatal() {
	local columns

	columns=$(printf '.%s,' "${@:2}")
	synthetic "oops_6_12$1" 'faults -x -j' | jq -r "select(.record == \"row\") | [${columns%,}] | map(. // \"-\") | join(\"|\")"
}

@test "fatal: address, error code in words, instruction and task of each exception" {
	local ip frame='victim|1|0xffffc90001102f00|0xffffc90001103000'

	ip=$(fatal '' ip)
	[[ "$ip" =~ ^0xffffffff81[0-9a-f]{6}$ ]]
	what() { fatal "$1" exception mode address address_kind error_code error ip_symbol pid comm cpu regs sp ip; }
	[ "$(what '')" = "page_fault|kernel|0x8|null_page|0x0|supervisor read, page not present|leak_first+0x2|45|$frame|$ip" ]
	[ "$(what -rodata)" = "page_fault|kernel|0xffffffff81001008|rodata|0x3|supervisor write, protection violation|leak_first+0x2|45|$frame|$ip" ]
	[ "$(what -user)" = "page_fault|kernel|0x7f0000001000|user|0x1|supervisor read, protection violation|leak_first+0x2|45|$frame|$ip" ]
	[ "$(what -gp)" = "general_protection_fault|kernel|0xdead000000000108|non_canonical|-|-|leak_first+0x2|45|$frame|$ip" ]
	# CR2 is of an earlier page fault.
	[ "$(what -double)" = "double_fault|kernel|-|-|-|-|leak_first+0x2|45|$frame|$ip" ]
	[ "$(what -stack)" = "stack_overflow|kernel|0xffffc900010ffff8|stack_guard|-|-|leak_first+0x2|45|$frame|$ip" ]
	[ "$(fatal -stack address_text)" = 'guard page below a stack: of task 45 victim, 0xffffc90001100000-0xffffc90001104000' ]
	# Of two lines that an oops begins with, the first.
	[ "$(fatal -stack ts_ns)" = 10000000000 ]
	[ "$(fatal -double ts_ns)" = 10000000000 ]
	[ "$(fatal '' ts_ns panic call_trace)" = '10000000000|Fatal exception|startup_64+0x2/0x10' ]
}

@test "fatal: the log before 5.10 tells the same" {
	[ "$(fatal -5_4 exception address error_code error pid comm cpu regs ts_ns panic call_trace)" = \
		"$(fatal '' exception address error_code error pid comm cpu regs ts_ns panic call_trace)" ]
	[ "$(fatal -4_19 exception panic)" = 'none|sysrq triggered crash' ]
}

@test "fatal: orig_ax in the exception frame is no error code" {
	for case in '' -gp -double -stack; do
		run synthetic "oops_6_12$case" 'faults -x' 'faults -x -j'
		[[ "$output" = *0xffffc90001102f00* ]]
		[[ "$output" != *ffffffffffffffff* ]]
		[[ "$output" != *18446744073709551615* ]]
	done
}

@test "fatal: a panic that is no fault is one line, also behind an oops that the kernel survived" {
	run synthetic oops_6_12-panicked 'faults -x'
	[ "$output" = 'no fault: by the log the panic was "sysrq triggered crash"' ]
	run synthetic oops_6_12-oom 'faults -x'
	[ "$output" = 'no fault: by the log the panic was "Out of memory: compulsory panic_on_oom is enabled"' ]
	[ "$(fatal -oom exception address)" = 'none|-' ]
}

@test "fatal: unknown where the records of the oops were overwritten" {
	run synthetic oops_6_12-cut 'faults -x'
	[ "$output" = 'unknown: by the log the panic was "Fatal exception", but the log has no oops of that' ]
	run synthetic oops_6_12-cut 'faults -x -j'
	[ "$(json 'select(.record == "row") | "\(.exception) \(.pid) \(.panic)"')" = 'null null Fatal exception' ]
	[ "$(json 'select(.record == "summary") | .complete')" = false ]
}

@test "fatal: an oops is no cause where records behind it are not in the dump" {
	run synthetic oops_6_12-torn 'faults -x'
	[ "$output" = 'no data: a part of the log is not in this dump, and the rest does not tell what ended the kernel' ]
	run synthetic oops_6_12-between 'faults -x' 'faults -x -j'
	[ "${lines[0]}" = 'unknown: by the log the panic was "Fatal exception", but the log has no oops of that' ]
	[ "$(grep '^{' <<< "$output" | jq -r 'select(.record == "summary") | "\(.complete) \(.warnings[0])"')" = \
		'false a part of the log is not in this dump' ]
}

@test "fatal: the first process ended by a signal without its line is unknown; by its exit it is no fault" {
	[ "$(fatal -init exception address error mode pid comm)" = 'user_fault|0x10|user write, page not present|user|1|an init' ]
	[ "$(fatal -signal exception)" = - ]
	[ "$(fatal -exited exception)" = none ]
}

@test "fatal: lines of an oops that a user wrote to the log do not count" {
	[ "$(fatal -forged address error_code pid comm cpu ts_ns)" = '0x8|0x0|45|victim|1|10002000000' ]
	run synthetic oops_6_12-quiet 'faults -x'
	[ "$output" = 'no fault: the machine did not panic, the log has neither a panic nor an oops' ]
	run synthetic oops_6_12-gone 'faults -x'
	[[ "$output" = 'no data: prb_desc at 0x'*' is not in this dump' ]]
}

# memcgs KERNEL: a line for each memory cgroup with its counters that are not 0.
memcgs() {
	synthetic "$1" 'faults -v -g memcg -j' > "$BATS_TEST_TMPDIR/memcgs"
	jq -r 'select(.record == "row" and .count != 0) | "\(.memcg) \(.name) \(.count)"' "$BATS_TEST_TMPDIR/memcgs" |
		awk '!($1 in all) { order[++n] = $1; all[$1] = $1 } { all[$1] = all[$1] " " $2 "=" $3 } END { for (i = 1; i <= n; i++) print all[order[i]] }'
}

# Totals, what children left pending and what CPUs counted since the last flush: tests/kernels/memcgs.h.
@test "counters of memory cgroups: after a flush of every layout, removed cgroups in their parents" {
	local kernel

	for kernel in memcg_6_12 memcg_6_1; do
		diff <(memcgs $kernel) - <<-END
		/ pgfault=1046 pgmajfault=1046000 pswpout=385 workingset_refault_anon=2092 workingset_refault_file=3138
		/web pgfault=130 pgmajfault=130000 pswpout=231 workingset_refault_anon=260 workingset_refault_file=390
		/web/inner pgfault=53 pgmajfault=53000 pswpout=154 workingset_refault_anon=106 workingset_refault_file=159
		END
	done
	# Without a table, swapping is not counted.
	diff <(memcgs memcg_5_13) - <<-END
	/ pgfault=1046 pgmajfault=1046000 workingset_refault_anon=2092 workingset_refault_file=3138
	/web pgfault=130 pgmajfault=130000 workingset_refault_anon=260 workingset_refault_file=390
	/web/inner pgfault=53 pgmajfault=53000 workingset_refault_anon=106 workingset_refault_file=159
	END
	diff <(memcgs memcg_5_10) - <<-END
	/ pgfault=1000 pgmajfault=1000000 workingset_refault_anon=2000 workingset_refault_file=3000
	/web pgfault=100 pgmajfault=100000 workingset_refault_anon=200 workingset_refault_file=300
	/web/inner pgfault=50 pgmajfault=50000 workingset_refault_anon=100 workingset_refault_file=150
	END
	[ "$(jq -r 'select(.record == "summary") | "\(.complete) \(.warnings | join("; "))"' "$BATS_TEST_TMPDIR/memcgs")" = \
		'true counts may be up to 32 lower than what happened, for each CPU and cgroup, as in memory.stat of this kernel' ]
}

@test "counters that -n leaves out are counted" {
	run synthetic memcg_6_12 'faults -v -g memcg -n 14' 'faults -v -g memcg -n 4 -s count'
	[ "${lines[15]}" = '... 1 more counter (-n 0 shows all)' ]
	[ "${lines[-1]}" = '... 11 more counters (-n 0 shows all)' ]
}

@test "counters of memory cgroups: what is missing leaves its cgroup and those above unknown" {
	[ "$(memcgs memcg_6_12-torn | cut -d ' ' -f 1,2)" = $'/ pgfault=null\n/web pgfault=null\n/web/inner pgfault=53' ]
	[ "$(jq -r 'select(.record == "summary") | "\(.complete) \(.warnings | join("; "))"' "$BATS_TEST_TMPDIR/memcgs")" = \
		'false counters are not all in this dump for 2 memory cgroups' ]
	[ "$(memcgs memcg_6_12-loop | cut -d ' ' -f 1,2)" = $'/ pgfault=null\n/web pgfault=130\n/web/inner pgfault=53' ]
	[[ "$(jq -r 'select(.record == "summary") | "\(.complete) \(.warnings[0])"' "$BATS_TEST_TMPDIR/memcgs")" = \
		'false the tree of memory cgroups is incomplete: css.children: the link back of 0x'* ]]
}
