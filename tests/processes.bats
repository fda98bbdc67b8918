#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# memowner processes on synthetic kernels: tests/kernels/tasks_6_12.c.

load helper

# rows KERNEL COLUMN...: a line for each process.
rows() {
	synthetic "$1" 'memowner processes -j' | jq -r --args 'select(.record == "row") | [.[$ARGS.positional[]]] |
		map(if . == null then "-" else tostring end) | join(" ")' "${@:2}"
}

@test "processes: one row for each mm, exact counters, threads and other users; a missing mm is unknown" {
	local columns=(pid comm rss_bytes rss_anon_bytes rss_file_bytes rss_shmem_bytes swap_bytes pgtables_bytes locked_bytes
		threads processes mm_users mm_references task_state blocked_threads exiting memcg)

	diff <(rows tasks_6_12 "${columns[@]}") - <<-END
	10 leader 425984 135168 86016 204800 176128 20480 32768 2 1 3 2 S 1 false /web
	1 sing?le - - - - - - - 1 1 - - Z 0 false /
	END
	diff <(rows tasks_6_12-cached "${columns[@]}") - <<-END
	10 leader 319488 -28672 126976 221184 176128 20480 32768 2 1 3 2 S 1 false /web
	1 sing?le - - - - - - - 1 1 - - Z 0 false /
	END
	[[ "$(synthetic tasks_6_12 'memowner processes')" = *'no mm_struct in this dump for 1 process'* ]]
}

@test "processes: what the OOM killer makes of each, by the counters that this kernel reads" {
	# 104 pages, 43 of swap, 5 of page tables, 100 thousandths of 100,000 pages.
	diff <(rows tasks_6_12 oom_state oom_score_adj badness_pages) - <<-END
	eligible 100 10152
	- 0 -
	END
	# Up to 6.1 without what threads have not added, and no counter below 0: 20 + 0 + 50, 40 of swap.
	diff <(rows tasks_6_12-cached oom_state badness_pages) - <<-END
	eligible 10115
	- -
	END
	[ "$(rows tasks_6_12-victim oom_state badness_pages exiting | head -n 1)" = 'victim 10152 true' ]
	[ "$(rows tasks_6_12-reaped oom_state badness_pages exiting | head -n 1)" = 'reaped - true' ]
	# Its memory is not waited for, and is there.
	[ "$(rows tasks_6_12-given_up oom_state badness_pages exiting | head -n 1)" = 'given_up - true' ]
}

@test "processes: where the first thread has exited and another one has the memory, the name is that of the first" {
	[ "$(rows tasks_6_12-zombie pid comm threads | head -n 1)" = '10 leader 1' ]
	[[ "$(synthetic tasks_6_12-zombie 'memowner processes -f comm=leader -j')" = *'"pid":10,"comm":"leader"'* ]]
}

@test "processes: filters, sizes of text" {
	run synthetic tasks_6_12 'memowner processes -f locked_bytes=1.. -j' 'memowner processes -f rss=-' \
		'memowner processes -f oom=victim -j' 'memowner processes -f oom=gone'
	[ "$(grep -c '"record":"row"' <<< "$output")" = 1 ]
	[[ "$output" = *"sing?le"* ]]
	[[ "$output" = *"oom"*"gone"*"eligible"* ]]
}
