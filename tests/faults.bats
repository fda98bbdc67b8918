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
	1 Z - single / / -
	2 R true a_kernel_thread_with_a_long_name / / -
	3 I true kworker/u8:1+events_unbound - - -
	4 I true kworker/R-a_queue_with_a_long_name / / -
	END
}

@test "threads: names of members as of 5.10; rescuers are named as their workqueue" {
	diff <(threads tasks_6_12-cached pid task_state comm memcg cgroup) - <<-END
	10 S leader /web /web/inner
	11 D thread /web /web/inner
	1 Z single / /
	2 R a_kernel_thread / /
	3 I kworker/u8:1+events_unbound - -
	4 I a_queue_with_a_ / /
	END
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
