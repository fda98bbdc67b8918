#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Memory cgroups of synthetic kernels (tests/kernels/memcgs.h): limits, events, references, v1 and v2.

load helper

MAX=9223372036854772000 # PAGE_COUNTER_MAX in bytes, 9223372036854771712, as jq prints a sum

# rows KERNEL COLUMN...: of the rows, by |.
rows() {
	local kernel=$1

	shift
	synthetic "$kernel" 'memowner cgroups -j' > "$BATS_TEST_TMPDIR/cgroups"
	jq -r "select(.record == \"row\") | [$(printf '.%s,' "$@" | sed 's/,$//')] | map(. // \"null\" | if type == \"number\" then . + 0 else . end | tostring) | join(\"|\")" "$BATS_TEST_TMPDIR/cgroups"
}

@test "v2: limits are those of the page counters, max where there is none; the root has no files of them" {
	local kernel

	for kernel in memcg_6_12 memcg_6_1 memcg_5_13 memcg_5_10; do
		diff <(rows $kernel memcg memcg_state memcg_version usage_bytes min_limit low_limit high_limit max_limit peak_bytes failcnt) - <<-END
		/web|online|v2|409600|4096|8192|12288|1638400|2048000|6
		/web/inner|online|v2|204800|4096|8192|12288|819200|1024000|6
		/db|dying|v2|122880|4096|8192|12288|491520|614400|6
		/|online|v2|null|null|null|null|null|null|null
		END
	done
	diff <(rows memcg_6_12 memcg swap_usage_bytes swap_high_limit swap_max_limit swap_peak_bytes memsw_bytes soft_limit) - <<-END
	/web|28672|$MAX|36864|40960|null|null
	/web/inner|28672|$MAX|36864|40960|null|null
	/db|28672|$MAX|36864|40960|null|null
	/|null|null|null|null|null|null
	END
}

@test "v1: memory and swap, kernel memory and sockets have counters of their own" {
	diff <(rows memcg_6_12-v1 memcg memcg_version usage_bytes max_limit soft_limit memsw_bytes memsw_limit kmem_bytes kmem_limit tcp_bytes tcp_limit swap_usage_bytes high_limit) - <<-END
	/web|v1|409600|1638400|61440|28672|36864|49152|$MAX|53248|57344|null|null
	/web/inner|v1|204800|819200|61440|28672|36864|49152|$MAX|53248|57344|null|null
	/db|v1|122880|491520|61440|28672|36864|49152|$MAX|53248|57344|null|null
	/|v1|null|16384000|61440|null|36864|49152|$MAX|53248|57344|null|null
	END
}

@test "v2: what reclaim granted of memory.min and memory.low protects up to the usage; swappiness is that of a cgroup of v1, else of the machine" {
	diff <(rows memcg_6_12 memcg effective_min effective_low protected_by swappiness) - <<-END
	/web|163840|245760|none|60
	/web/inner|163840|245760|low|60
	/db|163840|245760|min|60
	/|null|null|null|60
	END
	diff <(rows memcg_6_12-v1 memcg effective_min protected_by swappiness) - <<-END
	/web|null|null|30
	/web/inner|null|null|30
	/db|null|null|30
	/|null|null|60
	END
}

@test "4.18: counters are of the cgroup alone, so those of descendants are added; memory and swap apart from swap" {
	diff <(rows memcg_4_18 memcg memcg_version usage_bytes anon_bytes page_cache_bytes shmem_bytes kernel_bytes swap_usage_bytes memsw_bytes memsw_limit memcg_stat.kernel_stack) - <<-END
	/|v1|86999040|53166080|33832960|24166400|49152|62832640|149831680|36864|19333120
	/web|v1|409600|6758400|4300800|3072000|49152|7987200|28672|36864|2457600
	/web/inner|v1|204800|2252800|1433600|1024000|49152|2662400|28672|36864|819200
	/db|v1|122880|1351680|860160|614400|49152|1597440|28672|36864|491520
	END
	[ "$(rows memcg_4_18 memcg memcg_events.oom_kill memcg_local_events | grep db)" = '/db|30|null' ]
	diff <(synthetic memcg_4_18 'faults -v -g memcg' | awk '$1 == "pgfault" { print $3, $2 }') - <<-END
	/ 1180
	/web 150
	/web/inner 50
	END
}

@test "without use_hierarchy a cgroup has no part of its descendants, but the root of 4.18 adds up all" {
	diff <(rows memcg_4_18-flat memcg anon_bytes swap_usage_bytes | sort) <(printf '%s\n' '/db|1351680|1597440' \
		'/web/inner|2252800|2662400' '/web|4505600|5324800' '/|53166080|62832640')
	[ "$(synthetic memcg_4_18-flat 'memowner cgroups' | grep -c '^warning: use_hierarchy is off: sizes are without those of descendants for 1 memory cgroup$')" = 1 ]
	[ "$(synthetic memcg_4_18 'memowner cgroups' | grep -c use_hierarchy)" = 0 ]
}

@test "5.4: anonymous pages and page cache by the items that this kernel charges" {
	diff <(rows memcg_5_4 memcg memcg_version anon_bytes page_cache_bytes shmem_bytes kernel_bytes swap_usage_bytes memcg_stat.swap) - <<-END
	/web|v2|4505600|2867200|2048000|null|0|null
	/web/inner|v2|2252800|1433600|1024000|null|0|null
	/db|v2|1351680|860160|614400|null|0|null
	/|v2|45056000|28672000|20480000|null|null|null
	END
	diff <(rows memcg_5_4-v1 memcg swap_usage_bytes memsw_bytes memsw_limit) - <<-END
	/|53248000|126976000|36864
	/web|5324800|28672|36864
	/web/inner|2662400|28672|36864
	/db|1597440|28672|36864
	END
}

@test "counters of an unknown form cost their columns: limits, events and processes are shown" {
	diff <(rows memcg_6_12-renamed memcg usage_bytes max_limit oom_kills anon_bytes kernel_bytes memcg_stat) - <<-END
	/web|409600|1638400|100|null|null|null
	/web/inner|204800|819200|50|null|null|null
	/db|122880|491520|30|null|null|null
	/|null|null|null|null|null|null
	END
	run synthetic memcg_6_12-renamed 'memowner cgroups -j' 'faults -v -g memcg'
	[ "$(grep '"record":"summary"' <<< "$output" | jq -r '"\(.complete) \(.warnings[0])"')" = \
		'false counters of memory.stat are unknown: struct mem_cgroup has no member vmstats or stat' ]
	[[ "$output" = *'no data: struct mem_cgroup has no member vmstats or stat'* ]]
}

@test "a removed cgroup whose counters of CPUs were freed: what is there now is counted nowhere" {
	diff <(synthetic memcg_6_1-freed 'faults -v -g memcg -j' | jq -r 'select(.name == "pgfault") | "\(.memcg) \(.count)"') - <<-END
	/ 1045
	/web 130
	/web/inner 53
	END
	[ "$(synthetic memcg_6_1 'faults -v -g memcg' | awk '$1 == "pgfault" && $3 == "/" { print $2 }')" = 1046 ]
}

@test "events by the enumerators of the kernel, of the cgroup and local ones; the root of v2 has none" {
	diff <(rows memcg_6_12 memcg oom_kills memcg_events.low memcg_events.max memcg_events.oom_group_kill memcg_local_events.oom_kill memcg_local_events.swap_fail) - <<-END
	/web|100|1|3|0|2|8
	/web/inner|50|1|3|0|2|8
	/db|30|1|3|0|2|8
	/|null|null|null|null|null|null
	END
	# 5.10 has no oom_group_kill, so what follows is elsewhere.
	[ "$(rows memcg_5_10 memcg oom_kills memcg_events.oom_group_kill memcg_local_events.swap_fail | head -n 1)" = '/web|100|null|8' ]
}

@test "a removed cgroup: its references are one number, its ID is referred to by swap entries alone" {
	local kernel

	for kernel in memcg_6_12 memcg_6_12-count; do
		diff <(rows $kernel memcg references swap_entries) - <<-END
		/web|null|4
		/web/inner|null|4
		/db|7|5
		/|null|4
		END
	done
	[ "$(rows memcg_6_12-spread memcg references | grep db)" = '/db|null' ]
	run synthetic memcg_6_12 'memowner cgroups'
	grep -qx 'dying /db: kept by 5 swap entries, other references unknown; not all pages are known' <<< "$output"
	grep -q '^warning: charged pages are unknown: ' <<< "$output"
	run synthetic memcg_6_12-loop 'memowner cgroups'
	grep -q '^warning: the tree of memory cgroups is incomplete: css.children: the link back of 0x' <<< "$output"
	synthetic memcg_6_12 memowner | grep -q -E '^  cgroup .* /web: over its memory\.high of 12\.0K, beyond which it is throttled$'
	[ "$(synthetic memcg_6_12 'memowner cgroups -f memcg=/db -o swap_high,swap_max' | sed -n 2p | xargs)" = 'max 36.0K' ]
	[ "$(synthetic memcg_6_12 'memowner cgroups -f state=dying -o memcg' | sed -n 2p)" = /db ]
	run synthetic v6_9 'memowner cgroups'
	[[ "$output" = 'no data: this kernel was built without CONFIG_MEMCG'* ]]
}

@test "a removed cgroup whose charges are its parent's: its own counters are told as that" {
	synthetic memcg_6_12-moved 'memowner cgroups' | grep -q -x "warning: what was charged has moved to the parent, and is counted by it, of 1 removed cgroup; its own counters still have that"
	synthetic memcg_6_12-moved 'memowner cgroups' | grep -q '^dying /db: kept by .*; what else its counters have its parent has now'
	has_no_line 'has moved to the parent' <(synthetic memcg_6_12 'memowner cgroups')
}

@test "the summary counts removed cgroups below one that is told" {
	synthetic memcg_6_12-many memowner > "$BATS_TEST_TMPDIR/text"
	grep -q -x ' *cgroup  *200.0K      -  /web/inner: .* throttled, .*, 100 removed cgroups below it' "$BATS_TEST_TMPDIR/text"
	grep -q -x '  cgroup    400.0K      -  /web: .* throttled, 100 removed cgroups below it' "$BATS_TEST_TMPDIR/text"
	has_no_line 'removed cgroup' <(synthetic memcg_6_12 memowner)
}
