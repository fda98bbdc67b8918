#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# memowner --log: reports with a damaged character, with a mark that records were dropped, or cut off by another panic.

load helper
load log
bats_require_minimum_version 1.5.0

setup_file() {
	export CONSOLE=$BUILD/samples/6.12-stock-oom/truth/console
}

# A report of 262144 pages of RAM, each line with a stamp of its own; a has 200000 of them.
report() {
	awk '{ printf "[  100.%06d] %s\n", NR, $0 }' <<-END
		a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=${ORDER:-0}, oom_score_adj=0
		CPU: 0 UID: 0 PID: 110 Comm: a Not tainted 6.12.107 #1
		Mem-Info:
		active_anon:0 inactive_anon:205000 isolated_anon:0
		 active_file:0 inactive_file:0 isolated_file:0
		 unevictable:0 dirty:0 writeback:0
		 slab_reclaimable:5000 slab_unreclaimable:25000
		 mapped:0 shmem:0 pagetables:1000
		 sec_pagetables:0 bounce:0
		 kernel_misc_reclaimable:0
		 free:2000 free_pcp:0 free_cma:0
		Node 0 active_anon:0kB inactive_anon:820000kB active_file:0kB inactive_file:0kB unevictable:0kB isolated(anon):0kB isolated(file):0kB mapped:0kB dirty:0kB writeback:0kB shmem:0kB writeback_tmp:0kB kernel_stack:3200kB pagetables:4000kB sec_pagetables:0kB all_unreclaimable? no
		Node 0 DMA free:1000kB boost:0kB min:100kB low:200kB high:300kB reserved_highatomic:0KB free_highatomic:0KB active_anon:0kB inactive_anon:0kB active_file:0kB inactive_file:0kB unevictable:0kB writepending:0kB present:15000kB managed:15000kB mlocked:0kB bounce:0kB free_pcp:0kB local_pcp:0kB free_cma:0kB
		lowmem_reserve[]: 0 900 900 900
		Node 0 DMA32 free:7000kB boost:0kB min:7100kB low:9000kB high:11000kB reserved_highatomic:0KB free_highatomic:0KB active_anon:0kB inactive_anon:820000kB active_file:0kB inactive_file:0kB unevictable:0kB writepending:0kB present:1033576kB managed:1000000kB mlocked:0kB bounce:0kB free_pcp:0kB local_pcp:0kB free_cma:0kB
		lowmem_reserve[]: 0 0 0 0
		Node 0 DMA: 0*4kB 1*8kB (U) 0*16kB 1*32kB (U) 1*64kB (U) 1*128kB (U) 1*256kB (U) 1*512kB (U) 0*1024kB 0*2048kB 0*4096kB = 1000kB
		Node 0 DMA32: 1750*4kB (U) 0*8kB 0*16kB 0*32kB 0*64kB 0*128kB 0*256kB 0*512kB 0*1024kB 0*2048kB 0*4096kB = 7000kB
		0 total pagecache pages
		0 pages in swap cache
		Free swap  = 1000kB
		Total swap = 200000kB
		262144 pages RAM
		0 pages HighMem/MovableOnly
		8394 pages reserved
		0 pages hwpoisoned
		Tasks state (memory values in pages):
		[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name
		[    100]     0   100     2000      500      500        0         0    40960        0             0 b
		[    110]     0   110   400000   200000   200000        0         0  1638400    40000             0 a
		[    120]     0   120     2000      500      500        0         0    40960        0             0 c
		oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/,task=a,pid=110,uid=0
		Out of memory: Killed process 110 (a) total-vm:1600000kB, anon-rss:800000kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:1600kB oom_score_adj:0
	END
}

@test "one counter of Mem-Info with a damaged character: it alone is left out, with a warning" {
	local t=$BATS_TEST_TMPDIR whole damage

	report > "$t/whole"
	whole=$(line verdict "$t/whole")
	[[ $whole == 'verdict   memory ran out: 7.8M of 1.000G was free, '* ]]
	for damage in 's/ isolated_anon:0$/ isolated_an@n:0/' 's/active_anon:0 in/act.ve_anon:0 in/' 's/unevictable:0 d/unevi@table:0 d/' \
		's/pagetables:1000$/pagetables:1x0/' 's/free_pcp:0 free_cma:0$/free_pcp:-5 free_cma:0/' \
		's/free_pcp:0 free_cma:0$/free_pcp:18446744073709551611 free_cma:0/' 's/ free:2000/ free:20O0/'; do
		sed "$damage" "$t/whole" > "$t/damaged"
		refute cmp -s "$t/whole" "$t/damaged"
		[ "$(line verdict "$t/damaged")" = "$whole" ]
		[[ $(line holder "$t/damaged") == 'holder    a (110), which was killed: 781.2M, '* ]]
		# Of a line that does not begin as the kernel's do all is lost, as if it were not there.
		case $damage in
		*unevi@* | *act.ve*) ;;
		*) line warning "$t/damaged" | grep -q -x 'warning   a counter of the report is damaged, and is left out' ;;
		esac
	done
	# The same of a record that has all these lines below one stamp; of one that lost the first of them.
	sed 's/ mapped:4142/ map.ed:4142/' "$CONSOLE" > "$t/damaged"
	refute cmp -s "$CONSOLE" "$t/damaged"
	[ "$(line verdict "$t/damaged")" = "$(line verdict "$CONSOLE")" ]
	report | sed -E '/ active_anon:/d; /\] +(active_file|unevictable|slab_|mapped|sec_|kernel_misc|free):?/s/^\[[^]]*\] / /' > "$t/first"
	grep -q '^  active_file:0 ' "$t/first"
	[ "$(line verdict "$t/first")" = "$whole" ]
}

@test "counters that could not be read are not denied, nor those that zones or another report have" {
	local t=$BATS_TEST_TMPDIR

	report | sed '/ free:2000/!{/_anon:0\|_file:0 \|unevictable:0 d\|slab_rec\|mapped:0 s\|sec_page\|kernel_misc/s/:[0-9]*/:x/g}; s/free:2000 free_pcp:0 free_cma:0/free:2x free_pcp:x free_cma:x/' > "$t/none"
	of_log "$t/none" > "$t/text"
	grep -q '^verdict   memory ran out: how much was free is unknown: ' "$t/text"
	report | sed '/\] active_anon/d; /\]  [a-z_]*:/d; / free:2000/d' > "$t/zones"
	line verdict "$t/zones" | grep -q 'how much was free is unknown: this log has it of zones alone, or of another report'
}

@test "records that were dropped within a report: few of them leave it one, of many what follows is read as one that has lost its first lines" {
	local t=$BATS_TEST_TMPDIR mark

	report > "$t/whole"
	for mark in '** 12 printk messages dropped **' 'Nov 30 10:00:00 web1 systemd-journald[311]: Missed 23 kernel messages'; do
		sed "/\]  unevictable:0/i $mark" "$t/whole" > "$t/few"
		of_log "$t/few" > "$t/text"
		grep -q '^verdict   memory ran out: 7.8M of 1.000G was free, ' "$t/text"
		grep -q '^OOM .*: a (110) invoked the OOM killer, .*; killed a (110)$' "$t/text"
		refute grep 'reports of the OOM killer' "$t/text"
	done
	sed '/\]  unevictable:0/i ** 45 printk messages dropped **' "$t/whole" > "$t/many"
	of_log "$t/many" > "$t/text"
	grep -q '^verdict   memory ran out: 7.8M of 1.000G was free, ' "$t/text"
	grep -q '^holder    a (110), which was killed: ' "$t/text"
	grep -q 'it may be the rest of the report before it' "$t/text"
	sed '/ c$/i ** 45 printk messages dropped **' "$t/whole" > "$t/late"
	line verdict "$t/late" | grep -q '^verdict   memory ran out: how much was free is unknown: a part of the log is missing; '
	# Behind its last line it took nothing of the report.
	(cat "$t/whole"; echo '** 45 printk messages dropped **') > "$t/behind"
	of_log "$t/behind" > "$t/text"
	grep -q '^OOM .*; killed a (110)$' "$t/text"
	refute grep 'the end of their table' "$t/text"
}

@test "the table of processes that a panic of another CPU cut off: rows are missing, and none of those that are there has most" {
	local t=$BATS_TEST_TMPDIR panic

	for panic in 'hung_task: blocked tasks' 'Fatal exception in interrupt' 'sysrq triggered crash'; do
		(report | sed '/ a$/,$d'; echo "[  100.000100] Kernel panic - not syncing: $panic") > "$t/cut"
		of_log "$t/cut" > "$t/text"
		grep -q -x 'unknown   more processes: the log lacks the end of their table, or records in it' "$t/text"
		grep -q -E '^processes of those that are known none has more than [0-9.]+[KM]; others unknown$' "$t/text"
		refute grep 'memory of pid 1' "$t/text"
	done
	# By its caller the same task: what panics in its place is no end of the table.
	(report | sed '/ a$/,$d' | sed 's/^\[[^]]*\]/&[  T110]/'; echo '[  100.000100][  T110] Kernel panic - not syncing: stack-protector') > "$t/cut"
	line unknown "$t/cut" | grep -q 'the log lacks the end of their table'
	# The OOM killer's own panic ends it.
	(report | sed '/oom-kill:/,$d'; echo '[  100.000100] Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled') > "$t/own"
	has_no_line 'more processes' <(of_log "$t/own")
	# A row that is lost, and that no line of a kill names.
	sed '/ a$/d' "$t/own" > "$t/row"
	of_log "$t/row" > "$t/text"
	grep -q -E '^processes of those that are known none has more than [0-9.]+[KM]; others unknown$' "$t/text"
	grep -q '^unknown   memory of pid 1, or of rows that are lost: ' "$t/text"
}

@test "the line of a zone is lost: whether that zone served the request, or had a block, is unknown" {
	local t=$BATS_TEST_TMPDIR

	ORDER=3 report | sed 's/ free:2000/ free:60000/; s/DMA32 free:7000kB/DMA32 free:239000kB/; s/1750\*4kB (U)/59750*4kB (U)/; s/= 7000kB/= 239000kB/; s/inactive_anon:205000/inactive_anon:147000/' > "$t/whole"
	line verdict "$t/whole" | grep -q '^verdict   no free block of order 3 or above in a zone that is above its watermark: 23[0-9.]*M was free'
	sed '/Node 0 DMA32 free:/d' "$t/whole" > "$t/lost"
	of_log "$t/lost" > "$t/text"
	grep -q '^verdict   the OOM killer ran, for a reason that is unknown: 234.4M of 1.000G was free' "$t/text"
	grep -q -x 'warning   the line of a zone is damaged, or missing from the report' "$t/text"
	# Of the node that the request may use: its own line tells that it has a zone.
	report | sed 's/^\(.*\) Node 0 active_anon:.*/&\n\1 Node 1 active_anon:0kB inactive_anon:400000kB active_file:0kB inactive_file:0kB unevictable:0kB isolated(anon):0kB isolated(file):0kB mapped:0kB dirty:0kB writeback:0kB shmem:0kB writeback_tmp:0kB kernel_stack:3200kB pagetables:4000kB sec_pagetables:0kB all_unreclaimable? no/
		s/CONSTRAINT_NONE,nodemask=(null)/CONSTRAINT_MEMORY_POLICY,nodemask=1/; s/mems_allowed=0/mems_allowed=0-1/' > "$t/node"
	has_no_line 'no zone of the nodes that the request may use' <(of_log "$t/node")
}

@test "a damaged figure that RAM cannot hold, or that another line contradicts" {
	local t=$BATS_TEST_TMPDIR

	# The row of who was killed has more than RAM, the line of the kill has not.
	report | sed 's/ 400000   200000   200000 /2000000   900000   900000 /' > "$t/row"
	[[ $(line holder "$t/row") == 'holder    a (110), which was killed: 781.2M, '* ]]
	# More resident than its address space.
	report | sed 's/anon-rss:800000kB/anon-rss:8000000kB/' > "$t/kill"
	has_no_line '7\.[0-9]*G' <(of_log "$t/kill")
	report | sed 's/shmem:0 page/shmem:240000 page/' > "$t/shmem"
	of_log "$t/shmem" > "$t/text"
	grep -q '^warning   figures of the report do not agree: shmem has 240,000, the lists that have it 205,000: ' "$t/text"
	grep -q -E '^  anon or shmem +80[0-9.]*M ' "$t/text"
	report | sed 's/slab_unreclaimable:25000/slab_unreclaimable:225000/' > "$t/slab"
	line warning "$t/slab" | grep -q 'its lines have [0-9,]* pages together, RAM has 262,144: a line may be damaged'
	# Of swap it is not known which of both is damaged.
	report | sed 's/  40000             0 a$/ 900000             0 a/' > "$t/swap"
	of_log "$t/swap" > "$t/text"
	grep -q '^warning   figures of the report do not agree: all swap has 50,000, a process 900,000: ' "$t/text"
	refute grep '3\.433G' "$t/text"
}

@test "a text that quotes the newest report first: its table of processes is its own" {
	local t=$BATS_TEST_TMPDIR

	report > "$t/older"
	sed 's/100\.0000/105.0000/; s/ a$/ zz/; s/(a)/(zz)/; s/\] a invoked/] zz invoked/; s/Comm: a /Comm: zz /; s/task=a,/task=zz,/' "$t/older" > "$t/newer"
	cat "$t/newer" "$t/older" > "$t/both"
	of_log "$t/both" > "$t/text"
	grep -q '^OOM .*: zz (110) invoked the OOM killer, .*; killed zz (110)$' "$t/text"
	grep -q '^holder    zz (110), which was killed: ' "$t/text"
	refute grep '^processes a (110)' "$t/text"
}

@test "a process whose name is a number has its row, where the header of the table is there" {
	local t=$BATS_TEST_TMPDIR

	report | sed 's/ a$/ 531/; s/(a)/(531)/; s/task=a,/task=531,/' > "$t/log"
	of_log "$t/log" > "$t/text"
	grep -q '^holder    531 (110), which was killed: 781.2M, [0-9.]*% of RAM, and 156.2M in swap$' "$t/text"
	refute grep 'more processes' "$t/text"
}

@test "what a program logged of a kill: in whatever boot of several, and in front of what has a later date" {
	local t=$BATS_TEST_TMPDIR

	{
		echo 'Nov 30 09:00:00 web1 systemd-oomd[300]: Killed /a.slice/b.scope due to memory pressure for /a.slice being 70.00% > 60.00% for > 20s with reclaim activity'
		report | sed 's/^/Nov 30 10:00:00 web1 kernel: /'
	} > "$t/one"
	of_log "$t/one" story > "$t/text"
	[ "$(grep -n 'b\.scope' "$t/text" | cut -d : -f 1)" -lt "$(grep -n 'the log begins' "$t/text" | cut -d : -f 1)" ]
	refute grep 'in whatever' "$t/text"
	{
		cat "$t/one"
		echo 'Nov 30 11:00:00 web1 kernel: [    0.000000] Linux version 6.12.107 (a@b) #1'
		report | sed 's/^/Nov 30 11:00:00 web1 kernel: /'
	} > "$t/two"
	of_log "$t/two" story > "$t/text"
	grep 'b\.scope' "$t/text" | grep -q ', in whatever boot'
	# Before or behind what this boot has is unknown.
	[ "$(grep -n 'b\.scope' "$t/text" | cut -d : -f 1)" -gt "$(grep -n 'invoked the OOM killer' "$t/text" | cut -d : -f 1 | tail -n 1)" ]
}

@test "not tainted at one line, and tainted by a later one: by what is unknown" {
	local t=$BATS_TEST_TMPDIR behind

	report > "$t/log"
	of_log "$t/log" | grep -q '; not tainted$'
	for behind in 'foo: loading out-of-tree module taints kernel.' '---[ end trace 0000000000000000 ]---' \
		'foo: module verification failed: signature and/or required key missing - tainting kernel'; do
		{ cat "$t/log"; echo "[  101.000000] $behind"; } > "$t/tainted"
		of_log "$t/tainted" | grep -q '; taint unknown$'
	done
}

@test "the host by systemd's line in the log of the kernel; a request that nbd has sent and that is not answered" {
	local t=$BATS_TEST_TMPDIR

	{
		echo '[    2.000000] systemd[1]: Hostname set to <localhost>.'
		echo '[    3.000000] systemd[1]: Hostname set to <web1>.'
		echo '[   83.910426] block nbd0: Possible stuck request ffff8c6ecf856d80: control (write@14868480,8192B). Runtime 30 seconds'
		report
	} > "$t/log"
	of_log "$t/log" > "$t/text"
	grep -q '^case      host web1, ' "$t/text"
	of_log "$t/log" log | grep -q 'block nbd0: Possible stuck request '
	of_log "$t/log" story | grep -q 'block nbd0: Possible stuck request '
}

@test "objects of JSON with a member in each line, as gcloud prints them: the words of the log alone" {
	local t=$BATS_TEST_TMPDIR

	report > "$t/log"
	jq -R -s 'split("\n") | map(select(length > 0) | { insertId: "0", textPayload: ., timestamp: "2026-11-30T10:00:00.000000Z" })' \
		"$t/log" > "$t/json"
	grep -q '^  },$' "$t/json"
	diff <(of_log "$t/log" | grep -v -F "$t/log") <(of_log "$t/json" | grep -v -F "$t/json")
}

@test "what a damaged, cut or lost line had is of no holder: no memory that no line of the report has" {
	local t=$BATS_TEST_TMPDIR damage

	# All that no counter has.
	report | sed 's/inactive_anon:205000/inactive_anon:5000/; s/inactive_anon:820000kB/inactive_anon:20000kB/
		s/ 400000   200000   200000 / 400000     2000     2000 /; s/anon-rss:800000kB/anon-rss:8000kB/' > "$t/whole"
	[[ $(line holder "$t/whole") == 'holder    memory that no line of the report has: '* ]]
	for damage in 's/Node 0 active_anon:0kB inactive_anon:20000kB/Node 0 active_anon:400000kB inactive_anon:20000kB/' \
		's/ 8394 pages reserved/ 83/' 's/isolated_anon:0$/isolated_an@n:0/' '/ DMA32 free:/d'; do
		sed "$damage" "$t/whole" > "$t/damaged"
		refute cmp -s "$t/whole" "$t/damaged"
		of_log "$t/damaged" > "$t/text"
		refute grep 'no line of the report has' "$t/text"
		grep -q -E '^holder    unknown: lines of the report are damaged, cut or lost; .* of RAM is in no line that could be read$' "$t/text"
	done
}

@test "a mark of dropped records: a trace of something else, or one that comes much later, is no part of a report" {
	local t=$BATS_TEST_TMPDIR

	report > "$t/whole"
	(sed '/\]  unevictable:0/i ** 12 printk messages dropped **' "$t/whole"; echo '** 45 printk messages dropped **'; cat <<-END) > "$t/soft"
		[  128.000001] watchdog: BUG: soft lockup - CPU#2 stuck for 26s! [b:100]
		[  128.000002] CPU: 2 UID: 0 PID: 100 Comm: b Not tainted 6.12.107 #1
		[  128.000003] Call Trace:
		[  128.000004]  <TASK>
		[  128.000005]  dump_header+0x4a/0x210
		[  128.000006]  oom_kill_process+0x101/0x190
		[  128.000007]  out_of_memory+0x247/0x5a0
		[  128.000008]  </TASK>
	END
	sed 's/^\[  128/[  700/; s/watchdog: BUG: .*/INFO: task b:100 blocked for more than 122 seconds./' "$t/soft" > "$t/hung"
	sed 's/^\[  128/[  700/; s/watchdog: BUG: .*/foo: a message/; s/^\*\* 45 .*/&\n[  110.000000] foo: another/' "$t/soft" > "$t/late"
	for log in soft hung late; do
		of_log "$t/$log" > "$t/text"
		grep -q '^verdict   memory ran out: 7.8M of 1.000G was free, ' "$t/text"
		grep -q '^holder    a (110), which was killed: ' "$t/text"
		refute grep 'reports of the OOM killer' "$t/text"
	done
	# What is behind such a mark is not the beginning of the log.
	(echo '[   99.000000] foo: a message'; echo '** 45 printk messages dropped **'; sed '1,/ pages in swap cache/d' "$t/whole") > "$t/behind"
	line verdict "$t/behind" | grep -q 'how much was free is unknown: a part of the log is missing; '
}

@test "more zones than are kept: none is called damaged, and no sum of them is told" {
	local t=$BATS_TEST_TMPDIR

	report | awk '
		/Node 0 active_anon/ { for (n = 0; n < 20; n++) { line = $0; sub("Node 0", "Node " n, line); gsub("820000kB|4000kB", "4kB", line); print line } next }
		/Node 0 DMA32 free:/ { print; for (n = 1; n < 20; n++) { line = $0; sub("Node 0", "Node " n, line); gsub("1033576kB|1000000kB", "4kB", line); gsub("820000kB|7000kB", "0kB", line); print line } next }
		/Node 0 DMA32: / { print; for (n = 1; n < 20; n++) { line = $0; sub("Node 0", "Node " n, line); sub("1750.4kB .U.", "0*4kB", line); sub("= 7000kB", "= 0kB", line); print line } next }
		{ print }' > "$t/many"
	[ "$(grep -c ' DMA32 free:' "$t/many")" = 20 ]
	of_log "$t/many" > "$t/text"
	grep -q '^verdict   memory ran out: 7.8M of 1.000G was free, ' "$t/text"
	refute grep -E '^warning   |lost a digit' "$t/text"
}

@test "a damaged line of counters: a word without a colon, a number in two; and what the OOM killer was asked for" {
	local t=$BATS_TEST_TMPDIR damage whole order

	report > "$t/whole"
	whole=$(line verdict "$t/whole")
	for damage in 's/unevictable:0 dirty:0 /unevictable:0 d /' 's/dirty:0 writeback:0$/dir65.148472]/' \
		's/slab_unreclaimable:25000/slab_unreclaimable:25 000/' 's/shmem:0 pagetables/shmem;0 pagetables/'; do
		sed "$damage" "$t/whole" > "$t/damaged"
		refute cmp -s "$t/whole" "$t/damaged"
		of_log "$t/damaged" > "$t/text"
		[ "$(grep '^verdict ' "$t/text")" = "$whole" ]
		grep -q '^warning   a counter of the report is damaged, and is left out$' "$t/text"
		refute grep -E '^  slab +(19|97)\.' "$t/text"
	done
	# Of what was free nothing is known: a block of the order may be what was missing.
	for order in 0 3; do
		ORDER=$order report | sed '/\] active_anon/,/Free swap/d' > "$t/$order"
	done
	line verdict "$t/0" | grep -q '^verdict   memory ran out: how much was free is '
	line verdict "$t/3" | grep -q '^verdict   the OOM killer ran, for a reason that is unknown: how much was free is '
}

@test "a damaged constraint is no program of BPF; sysrq-f is known by its trace" {
	local t=$BATS_TEST_TMPDIR damage

	report > "$t/whole"
	for damage in CONSTRAINT_NON CONSTRAINTNONE TRAINT_NONE CONSTRAINT_NXNE CO CONSTRAINT_n@NE; do
		sed "s/constraint=CONSTRAINT_NONE/constraint=$damage/" "$t/whole" > "$t/damaged"
		of_log "$t/damaged" > "$t/text"
		[ "$(grep '^verdict ' "$t/text")" = "$(line verdict "$t/whole")" ]
		refute grep -E 'BPF|no constraint of the kernel' "$t/text"
	done
	sed 's/constraint=CONSTRAINT_NONE/constraint=CONSTRAINT_BPF_PSI/' "$t/whole" > "$t/bpf"
	of_log "$t/bpf" | grep -q 'by CONSTRAINT_BPF_PSI, which is no constraint of the kernel'
	# The first line is damaged; before it something else has been told, or not.
	sed 's/^\(\[[^]]*\]\) a invoked oom-killer: gfp_mask.*/\1 a invoked oo-killer/
		s/^\(\[[^]]*\]\) Mem-Info:/\1  dump_header+0x4a\/0x210\n\1  oom_kill_process+0x101\/0x190\n\1  out_of_memory+0x247\/0x5a0\n\1  moom_callback+0x7d\/0xb0\n\1  process_one_work+0x1\/0x2\n&/' "$t/whole" > "$t/sysrq"
	(sed 's/^\[  100/[   50/' "$t/whole"; cat "$t/sysrq") > "$t/second"
	line verdict "$t/sysrq" | grep -q 'but one that sysrq-f asked for'
	of_log "$t/second" | grep -q '^OOM  .* invoked the OOM killer by sysrq-f'
}

@test "a failure of memory that a test injected is no error of the hardware" {
	local t=$BATS_TEST_TMPDIR

	report > "$t/whole"
	{
		cat "$t/whole"
		printf '[  101.%06d] %s\n' 1 'Injecting memory failure for pfn 0x17d70a at process virtual address 0x7f6f1d5ed000' \
			2 'Memory failure: 0x17d70a: recovery action for clean LRU page: Recovered' \
			3 'Injecting memory failure for pfn 0x1f7993 at process virtual address 0x7fbe67bfb000' \
			4 'Memory failure: 0x1f7993: recovery action for dirty LRU page: Recovered' \
			5 'MCE: Killing tester:405 due to hardware memory corruption fault at 7fbe67bfb000'
	} > "$t/injected"
	has_no_line 'hardware' <(of_log "$t/injected")
	has_no_line 'hardware' <(of_log "$t/injected" story)
	# Of another page.
	sed 's/ failure: 0x17d70a/ failure: 0x2/' "$t/injected" > "$t/other"
	of_log "$t/other" story | grep -q 'the log has an error of the hardware: Memory failure: 0x2: '
}

@test "lines without a stamp above the first that has one are no beginning of the log at boot" {
	local t=$BATS_TEST_TMPDIR

	{
		printf '%s\n' ... ' 4095866 pages RAM' ... \
			' Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled'
		report | sed '/oom-kill:/,$d'
		echo '[  100.000100] Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled'
	} > "$t/quoted"
	of_log "$t/quoted" story > "$t/text"
	grep -q -E '^ *100\.000001  the log begins: ' "$t/text"
}

@test "a stamp that jumps for one line is damaged: the log is one, and the record has the time before it" {
	local t=$BATS_TEST_TMPDIR damage

	report > "$t/whole"
	# One less, one that lost its first digits, a digit that is another one, in the report and in its first line.
	for damage in '20s/^\[  100\.0/[    0.0/' '20s/^\[  100\./[    2./' '20s/^\[  100/[  900/' '2s/^\[  100/[  700/' '1s/^\[  100/[   20/'; do
		(printf '[   99.000000] eth0: link up\n[   99.500000] eth0: link up again\n'; cat "$t/whole") > "$t/one"
		sed "$damage" "$t/whole" > "$t/part"
		(head -n 2 "$t/one"; cat "$t/part") > "$t/damaged"
		diff <(line verdict "$t/one") <(line verdict "$t/damaged")
		diff <(line trigger "$t/one") <(line trigger "$t/damaged")
		has_no_line -E 'part 1|part 2' <(of_log "$t/damaged")
	done
	# What goes on from there is of another boot, and so is what begins with the first stamp once more.
	(cat "$t/one"; sed 's/^\[  100/[   50/' "$t/whole") > "$t/two"
	of_log "$t/two" | grep -q 'part 2 of 2: .*, the others have 1 report$'
}

@test "one sign of a kernel's release that is damaged is no other boot" {
	local t=$BATS_TEST_TMPDIR release

	(echo '[    0.000000] Linux version 6.12.107 (a@b) (gcc) #1 SMP'; report) > "$t/whole"
	for release in 6.12x107 6.a2.107 6.12.10.; do
		sed "s/tainted 6.12.107/tainted $release/" "$t/whole" > "$t/damaged"
		diff <(of_log "$t/whole" | sed /next:/,+1d) <(of_log "$t/damaged" | sed /next:/,+1d)
	done
	# A digit is what kernels differ in.
	sed 's/tainted 6.12.107/tainted 6.12.108/' "$t/whole" > "$t/other"
	of_log "$t/other" | grep -q 'boot 2 of 2: '
}

@test "reports of builds of one release, without stamps, are of several boots" {
	local t=$BATS_TEST_TMPDIR n

	for n in 1 2; do
		report | sed "s/^\[[^]]*\] //; s/6.12.107 #1/6.12.107+ #$n/"
	done > "$t/builds"
	of_log "$t/builds" > "$t/text"
	grep -q 'boot 2 of 2: .*, the others have 1 report$' "$t/text"
	refute grep 'before it' "$t/text"
}

@test "a first line whose stamp is damaged, or that a mail has without one" {
	local t=$BATS_TEST_TMPDIR

	report > "$t/whole"
	# A stamp that lost its end, and the name its beginning.
	sed '1s/^\[  100.000001\] a/[  100.00a/' "$t/whole" > "$t/broken"
	(echo '[   99.000000] eth0: link up'; cat "$t/broken") > "$t/behind"
	for n in broken behind; do
		# The line that is damaged may be any.
		diff <(line verdict "$t/whole") <(line verdict "$t/$n" | sed 's/what is there of the log/the log/')
		has_no_line -F '100.00a' <(of_log "$t/$n")
		has_no_line -F '100.00a' <(of_log "$t/$n" story)
		of_log "$t/$n" | grep -q '^OOM  .*: an unknown task invoked the OOM killer'
	done
	sed '1s/^\[[^]]*\] //' "$t/whole" > "$t/mail"
	(echo 'Here is the report:'; echo; cat "$t/mail") > "$t/words"
	(echo '[   99.000000] eth0: link up'; cat "$t/mail") > "$t/behind"
	for n in mail words behind; do
		of_log "$t/$n" > "$t/text"
		grep -q '^OOM  .*: a (110) invoked the OOM killer, order 0, GFP_KERNEL' "$t/text"
		refute grep 'no time stamp' "$t/text"
	done
	# Of another task it is of another report.
	sed '1s/^a /b /' "$t/mail" > "$t/other"
	of_log "$t/other" | grep -q 'the first line of 1 report has no time stamp'
}

@test "a mail that quotes another one has the logs of each: no event of one is told of the other" {
	local t=$BATS_TEST_TMPDIR

	{
		printf '%s\n' 'I see that here too, in a guest:' ''
		report | head -n 1 | sed 's/^\[  100/[  300/; s/\] a inv/] guest inv/'
		printf '%s\n' '' 'On Monday somebody wrote:' '> It dies so:' '>'
		report | sed 's/^/> /'
	} > "$t/mail"
	of_log "$t/mail" > "$t/text"
	grep -q '^OOM  .*: a (110) invoked' "$t/text"
	grep -q 'part 2 of 2: .*, the others have 1 report$' "$t/text"
	has_no_line guest <(of_log "$t/mail" story)
	of_log "$t/mail" story | grep -q '^boots .* as a mail quotes them each in its own way, of several texts'
	of_log "$t/mail:1" | grep -q '^OOM  .*: guest invoked'
	# One sign of a quotation that is lost.
	sed '/^> /{20s/^> //}' "$t/mail" > "$t/lost"
	of_log "$t/lost" | grep -q 'part 2 of 2: '
}

@test "a few records dropped in the table of a cgroup's report: it is one report" {
	local t=$BATS_TEST_TMPDIR

	{
		printf '[  100.%06d] %s\n' 1 'a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0' \
			2 'CPU: 0 UID: 0 PID: 110 Comm: a Not tainted 6.12.107 #1' 3 'memory: usage 102400kB, limit 102400kB, failcnt 58' \
			4 'Memory cgroup stats for /box:' 5 'anon 100000000' 6 'file 0' 7 'Tasks state (memory values in pages):' \
			8 '[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name' \
			9 '[    110]     0   110   400000    24000    24000        0         0  1638400        0             0 a'
		echo '[  100.000010] ** 12 printk messages dropped **'
		printf '[  100.%06d] %s\n' 30 '[    120]     0   120     2000      500      500        0         0    40960        0             0 c' \
			31 'oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/box,task_memcg=/box,task=a,pid=110,uid=0' \
			32 'Memory cgroup out of memory: Killed process 110 (a) total-vm:1600000kB, anon-rss:96000kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:1600kB oom_score_adj:0'
	} > "$t/dropped"
	of_log "$t/dropped" > "$t/text"
	grep -q '^verdict   cgroup /box reached its limit: 100.0M of 100.0M at the report' "$t/text"
	grep -q '^OOM  .*: a (110) invoked the OOM killer, .* killed a (110)$' "$t/text"
	refute grep 'at least 2 reports' "$t/text"
}

@test "a panic for want of a process to kill is of no cgroup" {
	local t=$BATS_TEST_TMPDIR

	printf '[  100.%06d] %s\n' 1 'a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), nodemask=1,  order=0, oom_score_adj=0' \
		2 'Kernel panic - not syncing: Out of memory and no killable processes...' > "$t/nodes"
	line verdict "$t/nodes" | grep -q '^verdict   memory of the nodes ran out that the request may use, by nodemask 1: how much was free is '
	sed 's/nodemask=1, /nodemask=(null),/' "$t/nodes" > "$t/all"
	line verdict "$t/all" | grep -q '^verdict   memory ran out: how much was free is '
}

@test "two reports in one another: neither has what may be of the other, and there are no more than two" {
	local t=$BATS_TEST_TMPDIR

	report > "$t/one"
	{
		printf '[  100.%06d] %s\n' 1 'boxed invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0' \
			2 'CPU: 1 UID: 0 PID: 210 Comm: boxed Not tainted 6.12.107 #1' 3 'Call Trace:' \
			4 ' dump_header+0x43/0x1b3' 5 ' oom_kill_process+0x90/0x11d' 6 ' out_of_memory+0x25c/0x26f' \
			7 ' mem_cgroup_out_of_memory+0x8a/0xa6' 8 'memory: usage 102400kB, limit 102400kB, failcnt 58' \
			9 'Memory cgroup stats for /box:' 10 'anon 100000000' 11 'file 0'
	} > "$t/two"
	paste -d '\n' "$t/one" "$t/two" | sed '/^$/d' | awk '{ sub(/^\[[^]]*\]/, sprintf("[  100.%06d]", NR)); print }' > "$t/mixed"
	of_log "$t/mixed" > "$t/text"
	grep -q '^unknown   figures of reports: lines of two reports stand in one another' "$t/text"
	refute grep -E 'this log does not have;|at least [3-9] reports' "$t/text"
}

@test "what a tool has behind each line, or grep -n before it, is none of it" {
	local t=$BATS_TEST_TMPDIR n

	report > "$t/whole"
	sed "s/.*/ '&',/; 1s/^ /[/; \$s/,\$/]/" "$t/whole" > "$t/list"
	sed 's/.*/2026 Nov 30 10:00:00 sw1 %KERN-4-SYSTEM_MSG: & - kernel/' "$t/whole" > "$t/switch"
	awk '{ printf "\"Nov 30 10:00:00 box kernel: %s\",\"2026-11-30T10:00:%02d.000+0000\"\n", $0, NR }' "$t/whole" > "$t/table"
	# Before it: grep -n of two files, an editor.
	sed 's/^/Nov 30 10:00:00 box kernel: /' "$t/whole" | awk '{ printf "messages%s%d%s%s\n", NR == 1 ? ":" : "-", NR + 7, NR == 1 ? ":" : "-", $0 }' > "$t/grep"
	sed 's/^/Nov 30 10:00:00 box kernel: /' "$t/whole" | awk '{ printf "%6d\t%s\n", NR, $0 }' > "$t/editor"
	for n in grep editor; do
		of_log "$t/$n" | grep -q '^          the log ends .*11-30 10:00:00'
	done
	for n in list switch table grep editor; do
		diff <(line verdict "$t/whole") <(line verdict "$t/$n")
		diff <(line holder "$t/whole") <(line holder "$t/$n")
		diff <(line processes "$t/whole") <(line processes "$t/$n")
	done
}

@test "a line with a part of a stamp is a damaged line of the kernel: its words, or that they are missing" {
	local t=$BATS_TEST_TMPDIR damage whole

	{
		echo '[    1.000000] foo: a message'
		report | sed 's/^\[  100/[121972/'
		echo '[121979.000000] foo: another'
	} > "$t/whole"
	of_log "$t/whole" | grep -v -F "$t/" > "$t/text"
	# Digits that are missing, that are more, and another one; then the clock is where it was.
	for damage in '/pages in swap cache/s/\[1219/[/' '/pages in swap cache/s/\[12197/[/' '/pages RAM/s/\[121/[7121/' \
		'/pages RAM/s/\[12/[32/' '/ b$/s/\[1219/[/'; do
		sed "$damage" "$t/whole" > "$t/damaged"
		refute cmp -s "$t/whole" "$t/damaged"
		diff "$t/text" <(of_log "$t/damaged" | grep -v -F "$t/")
	done
	# A boot that goes on is one, whatever its digits.
	{ cat "$t/whole"; printf '[  %s] foo: %s\n' 1.000000 a 7.000000 b; } > "$t/boots"
	of_log "$t/boots" | grep -q 'part 1 of 2'
	# The end of the stamp is missing, or its beginning: the words are whole.
	for damage in '/pages in swap cache/s/\.0000[0-9]*\]/.00]/' '/pages in swap cache/s/^\[12197/97/'; do
		sed "$damage" "$t/whole" > "$t/damaged"
		refute cmp -s "$t/whole" "$t/damaged"
		diff "$t/text" <(of_log "$t/damaged" | grep -v -F "$t/")
	done
	# Where the words begin is unknown: of a first line, of a row, of the line of a zone.
	sed 's/^\[121972.*a invoked/[121972.04pi invoked/' "$t/whole" > "$t/head"
	of_log "$t/head" > "$t/text"
	grep -q '^verdict   memory ran out: 7.8M of 1.000G was free' "$t/text"
	grep -q '^holder    a (110), which was killed: ' "$t/text"
	grep -q '^OOM       at the latest 12197[0-9.]* s, ' "$t/text"
	grep -q '^OOM .*: an unknown task invoked the OOM killer' "$t/text"
	refute grep -E '04pi|another form' "$t/text"
	sed '/ b$/s/^\[.*  100\]/[121972.0   100]/' "$t/whole" > "$t/row"
	refute cmp -s "$t/whole" "$t/row"
	line unknown "$t/row" | grep -q 'more processes: the log lacks the end of their table, or records in it'
	report | sed 's/^\[[^]]*\] /[Wed Dec 17 11:32:14 2025] /; / b$/s/^.*  100\]/[Wed Dec 17 11:   100]/' > "$t/date"
	line unknown "$t/date" | grep -q 'more processes: the log lacks the end of their table, or records in it'
	# A report of a cgroup, which has no block of memory.
	{
		printf '[  100.%06d] %s\n' 1 'a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0' \
			2 'CPU: 0 UID: 0 PID: 110 Comm: a Not tainted 6.12.107 #1' 3 'memory: usage 102400kB, limit 102400kB, failcnt 58'
		echo '[  100.0swap: usage 0kB, limit 9007199254740988kB, failcnt 0'
		printf '[  100.%06d] %s\n' 5 'oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/box,task_memcg=/box,task=a,pid=110,uid=0' \
			6 'Memory cgroup out of memory: Killed process 110 (a) total-vm:1600000kB, anon-rss:100000kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:1600kB oom_score_adj:0'
	} > "$t/cgroup"
	line verdict "$t/cgroup" | grep -q '^verdict   cgroup /box reached its limit: 100.0M of 100.0M at the report; what is there of the log has no panic$'
}

@test "a row with a number that lost digits is left out, whichever: its columns are not as wide as those of others" {
	local t=$BATS_TEST_TMPDIR damage

	report | pad_rows > "$t/whole"
	[[ $(line holder "$t/whole") == 'holder    a (110), which was killed: 781.2M, '*' and 156.2M in swap' ]]
	# Of swap; of the blanks before it; of all that it is resident.
	for damage in '/ a$/s/  40000 / 40 /' '/ a$/s/   40000 / 40000 /' '/ a$/s/  400000 / 400 /' '/ a$/s/  110 / 1 /'; do
		sed "$damage" "$t/whole" > "$t/damaged"
		refute cmp -s "$t/whole" "$t/damaged"
		of_log "$t/damaged" > "$t/text"
		line unknown "$t/damaged" | grep -q 'more processes: the log lacks the end of their table, or records in it'
		grep -q '^holder    a (110), which the OOM killer killed: 781.2M, ' "$t/text"
		refute grep -E '160\.0K in swap|a \(1\)' "$t/text"
	done
	# A number that is too large for its column makes it wider, and a page that shows blanks as one all of them narrow.
	sed '/ b$/s/ *2000 / 12345678901234 /' "$t/whole" > "$t/wide"
	refute cmp -s "$t/whole" "$t/wide"
	diff <(line holder "$t/whole") <(line holder "$t/wide")
	has_no_line 'more processes' <(of_log "$t/wide")
	sed 's/  */ /g' "$t/whole" > "$t/blanks"
	diff <(line holder "$t/whole") <(line holder "$t/blanks")
	has_no_line 'more processes' <(of_log "$t/blanks")
	# The beginning of a row is lost, or a sign in it: it is no line of something else.
	for damage in '/ b$/s/\[  *100\] *0 /9 0 /' '/ b$/s/\[  *100\]/[ 1x0]/'; do
		sed "$damage" "$t/whole" > "$t/damaged"
		refute cmp -s "$t/whole" "$t/damaged"
		line unknown "$t/damaged" | grep -q 'more processes: the log lacks the end of their table, or records in it'
	done
	# Who is not of the table has most, and a row may be lost.
	sed '/Out of memory: Killed/d; s/^\(\[[^]]*\]\) oom-kill:.*/\1 Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled/
		s/ 400000 / 400 /' "$t/whole" > "$t/panic"
	has_no_line '^processes none has more' <(of_log "$t/panic")
}

@test "what was free has digits of the next number: it is what all zones have, and their blocks" {
	local t=$BATS_TEST_TMPDIR

	report > "$t/whole"
	sed 's/ free:2000 free_pcp:0/ free:20000/' "$t/whole" > "$t/damaged"
	of_log "$t/damaged" > "$t/text"
	grep -q '^verdict   memory ran out: 7.8M of 1.000G was free, ' "$t/text"
	grep -q '^warning   figures of the report do not agree: free has 20,000, its zones or nodes 2,000: ' "$t/text"
	# A zone is missing: it may have the rest.
	sed 's/present:15000kB/present:11000kB/' "$t/damaged" > "$t/zone"
	has_no_line 'figures of the report do not agree: free' <(of_log "$t/zone")
}

@test "a name that lost characters in one line of its report is the whole one of another" {
	local t=$BATS_TEST_TMPDIR damage

	report | sed 's/ a$/ webserver/; s/(a)/(webserver)/; s/task=a,/task=webserver,/' | pad_rows > "$t/whole"
	for damage in 's/ webserver$/ wver/' 's/(webserver)/(werver)/'; do
		sed "$damage" "$t/whole" > "$t/damaged"
		refute cmp -s "$t/whole" "$t/damaged"
		diff <(line holder "$t/whole") <(line holder "$t/damaged")
		has_no_line -E 'wver|werver' <(of_log "$t/damaged")
	done
}

@test "the line of a limit is there and damaged: it is not said that the log does not have it" {
	local t=$BATS_TEST_TMPDIR damage

	printf '[  100.%06d] %s\n' 1 'a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0' \
		2 'CPU: 0 UID: 0 PID: 110 Comm: a Not tainted 6.12.107 #1' 3 'memory: usage 102400kB, limit 102400kB, failcnt 58' \
		4 'oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/box,task_memcg=/box,task=a,pid=110,uid=0' > "$t/whole"
	line verdict "$t/whole" | grep -q '^verdict   cgroup /box reached its limit: 100.0M of 100.0M at the report'
	for damage in 's/limit 102400kB/limit 1024nt/' 's/, limit 1/,mit 1/'; do
		sed "$damage" "$t/whole" > "$t/damaged"
		line verdict "$t/damaged" | grep -q '^verdict   cgroup /box reached its limit, which is unknown: a line of the report is damaged; '
	done
	sed '/memory: usage/d' "$t/whole" > "$t/lost"
	line verdict "$t/lost" | grep -q '^verdict   cgroup /box reached its limit, which this log does not have; '
}

@test "a limit far below what is charged, and one that no machine can have, lost digits: there is no share of it" {
	local t=$BATS_TEST_TMPDIR

	printf '[  100.%06d] %s\n' 1 'a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0' \
		2 'CPU: 0 UID: 0 PID: 110 Comm: a Not tainted 6.12.107 #1' 3 'memory: usage 102400kB, limit 102400kB, failcnt 58' \
		4 'oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/box,task_memcg=/box,task=a,pid=110,uid=0' > "$t/whole"
	for limit in 102kB 9007199254740kB 10240kB; do
		sed "s/limit 102400kB/limit $limit/" "$t/whole" > "$t/damaged"
		line verdict "$t/damaged" | grep -q '^verdict   cgroup /box reached its limit, which is in doubt: the figure in the log does not fit what was charged; '
		has_no_line -E '[0-9]{3}\.[0-9]%|[0-9]P |of 100\.0K|of 10\.0M' <("$BUILD/memowner" --log "$t/damaged")
	done
	# A limit that was lowered a little, and none.
	sed 's/limit 102400kB/limit 92160kB/' "$t/whole" > "$t/lowered"
	line verdict "$t/lowered" | grep -q '^verdict   cgroup /box reached its limit: 100.0M of 90.0M at the report'
}

@test "RAM that is less than what each of several counters has lost digits: nothing has a share of it" {
	local t=$BATS_TEST_TMPDIR

	# A terminal cut what zones have of RAM.
	report | sed 's/ present:.*//' > "$t/whole"
	"$BUILD/memowner" --log "$t/whole" > "$t/said"
	grep -q '^RAM .*1\.000G' "$t/said"
	sed 's/262144 pages RAM/2144 pages RAM/' "$t/whole" > "$t/damaged"
	"$BUILD/memowner" --log "$t/damaged" > "$t/said"
	grep -q 'pages RAM has 2,144, one of its counters 205,000' "$t/said"
	refute grep -E '[0-9]{3,}\.[0-9]%' "$t/said"
	grep -q '^verdict   memory ran out: 7.8M was free' "$t/said"
}

@test "a number of an editor behind many blanks is no prefix, and ends no program" {
	local t=$BATS_TEST_TMPDIR

	{
		printf '%200s7\tNov 30 10:00:00 box kernel: words\n' ''
		report
	} > "$t/log"
	line verdict "$t/log" | grep -q '^verdict   memory ran out: 7.8M of 1.000G was free'
}

@test "a short name is none of a longer one that has its letters; a thread of a process has a row of its own" {
	local t=$BATS_TEST_TMPDIR

	report | sed '1,2s/\ba invoked/java invoked/; 2s/Comm: a /Comm: java /' > "$t/log"
	line holder "$t/log" | grep -q '^holder    a (110)'
	# Its first thread has exited: the table has another one of it.
	report | sed 's/\[    110\]/[   1103]/' > "$t/thread"
	grep -q '\[   1103\]     0   110 ' "$t/thread"
	line processes "$t/thread" > "$t/said"
	line holder "$t/thread" | grep -q '^holder    a (110)'
	refute grep 'unknown' "$t/said"
}

@test "one digit is another: what stands there twice tells, the kernel prints no zero in front, and both figures of the victim are doubted" {
	local t=$BATS_TEST_TMPDIR

	report > "$t/whole"
	has_no_line -q '^warning ' <(of_log "$t/whole")
	# Of RAM, by the zones, which have all that is reserved and free.
	sed 's/ 262144 pages RAM/ 282144 pages RAM/' "$t/whole" > "$t/ram"
	of_log "$t/ram" > "$t/text"
	grep -q '^RAM       System RAM 1.000G, ' "$t/text"
	grep -q '^warning   figures of the report do not agree: pages RAM has 282,144, its zones or nodes 262,144: ' "$t/text"
	# Of what is reserved, where RAM is that of the zones.
	sed 's/ 8394 pages reserved/ 9394 pages reserved/' "$t/whole" > "$t/reserved"
	has_no_line -q '  reserved ' <(of_log "$t/reserved")
	sed 's/active_anon:0 inactive_anon:205000 /active_anon:0 inactive_anon:245000 /' "$t/whole" > "$t/anon"
	line warning "$t/anon" | grep -q 'inactive_anon has 245,000, its zones or nodes 205,000: '
	# A zero in front.
	sed 's/slab_unreclaimable:25000/slab_unreclaimable:05000/' "$t/whole" > "$t/zero"
	of_log "$t/zero" > "$t/text"
	grep -q '^warning   a counter of the report is damaged, and is left out' "$t/text"
	refute grep -q '^  slab ' "$t/text"
	sed '/ b$/s/ 500      500 / 500      050 /' "$t/whole" > "$t/row"
	refute cmp -s "$t/whole" "$t/row"
	line unknown "$t/row" | grep -q 'more processes: '
	# The line of the kill and the row of the same process: neither is told as what was killed.
	sed 's/anon-rss:800000kB/anon-rss:700000kB/' "$t/whole" > "$t/victim"
	of_log "$t/victim" > "$t/text"
	grep -q '^warning   figures of the report do not agree: the line of the kill has 175,000, the row of the same process 200,000: ' "$t/text"
	grep -q '^trigger .*; the OOM killer killed a (110)$' "$t/text"
	# It had a little less by then.
	sed 's/anon-rss:800000kB/anon-rss:799000kB/' "$t/whole" > "$t/less"
	has_no_line -q '^warning ' <(of_log "$t/less")
}

@test "what is in swap of rows that are lost is of no process that has a row" {
	local t=$BATS_TEST_TMPDIR

	# Up to 6.9 the table has rss alone; a is two processes.
	report | sed 's/ rss_anon rss_file rss_shmem / /; s/^\(.*\] *[0-9]* *[0-9]* *[0-9]* *[0-9]*\) *[0-9]* *[0-9]* *[0-9]* \( *[0-9]* *[0-9]* *0 [abc]\)$/\1\2/
		/ a$/{s/ 40000 / 20000 /;h;s/110\(.*\)110/111\1111/;s/200000/150000/;p;g}
		/Out of memory: Killed/d; s/^\(\[[^]]*\]\) oom-kill:.*/\1 Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled/' |
		pad_rows > "$t/whole"
	[[ $(line holder "$t/whole") == *'by rss first 2 a '* ]]
	has_no_line 'in swap' <(line holder "$t/whole")
	sed '/ c$/s/ 500 / 5/' "$t/whole" > "$t/lost"
	of_log "$t/lost" > "$t/text"
	grep -q '^holder .*of which rows are missing, by rss first 2 a ' "$t/text"
	refute grep '^holder .* in swap' "$t/text"
}

@test "lines that a terminal cut: a release at the end of its line may go on, and no part of the next words is of a name" {
	local t=$BATS_TEST_TMPDIR width

	(echo '[    0.000000] Linux version 6.1.0-50-cloud-amd64 (debian-kernel@lists.debian.org) (gcc-12) #1 SMP'
	report | sed 's/6\.12\.107/6.1.0-50-cloud-amd64/; s/Comm: a /Comm: payd /; s/ a invoked/ payd invoked/; /oom-kill:/,$d'
	cat <<-END
		[  100.000100] Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled
		[  100.000101] CPU: 0 UID: 0 PID: 110 Comm: payd Not tainted 6.1.0-50-cloud-amd64 #1
		[  100.000102] Hardware name: QEMU Standard PC (i440FX + PIIX, 1996), BIOS 1.16.3-debian-1.16.3-2
		[  100.000103] Workqueue: events_unbound an_unusually_long_name_of_a_function_of_a_driver [driver]
		[  100.000104] ---[ end Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled ]---
	END
	) > "$t/whole"
	for width in 42 47 51 53 55 58; do
		cut -c1-$width "$t/whole" > "$t/cut"
		of_log "$t/cut" > "$t/text"
		grep -q "^unknown   what stood behind column $width: " "$t/text"
		refute grep -E 'pay \(110\)|payd [NT][a-z ]*\(110\)' "$t/text"
		refute grep -E 'Linux 6\.1(\.0(-50(-c[a-z]*)?)?)?;' "$t/text"
	done
}

# The same with dates alone, as dmesg -T has them.
dated() {	# FILE...
	sed -E 's/^\[[^]]*\] /[Mon Nov 30 10:00:14 2026] /' "$@"
}

@test "one report whose lines are of two times: a date that jumps for one line, and more than a minute within" {
	local t=$BATS_TEST_TMPDIR line

	report | sed '/ CPU: 0 /a [  100.000003] Call Trace:\n[  100.000003]  dump_header+0x4a/0x1ff\n[  100.000003]  oom_kill_process.cold+0xa/0xaa' > "$t/stamped"
	dated "$t/stamped" > "$t/whole"
	[[ $(line verdict "$t/whole") == 'verdict   memory ran out: 7.8M of 1.000G was free, '* ]]
	for line in 4 8 20; do
		for date in 'Nov 30 10:02:14 2026' 'Dec 30 10:00:14 2026' 'Nov 30 10:00:14 2126'; do
			sed "${line}s/Nov 30 10:00:14 2026/$date/" "$t/whole" > "$t/jump"
			refute cmp -s "$t/whole" "$t/jump"
			diff <(of_log "$t/whole" | sed 's/whole/jump/') <(of_log "$t/jump")
		done
	done
	# A console that was held up: within the trace, between zones, before a row.
	for line in oom_kill_process 'Node 0 DMA32 free' ' c$'; do
		sed -E "/$line/,\$s/^\[  100/[  171/" "$t/stamped" > "$t/late"
		of_log "$t/late" > "$t/text"
		grep -q '^verdict   memory ran out: 7.8M of 1.000G was free, ' "$t/text"
		grep -q '^OOM .*: a (110) invoked the OOM killer, .*; killed a (110)$' "$t/text"
		refute grep 'reports of the OOM killer' "$t/text"
	done
	# A clock that was set goes on from there.
	sed '20,$s/10:00:14/10:02:14/' "$t/whole" > "$t/set"
	[[ $(line OOM "$t/set") == *'2026-11-30 10:00:14: '* ]]
	line coverage "$t/set" | grep -q '2026-11-30 10:02:14'
}

@test "a report without its first line may be the rest of the one before it, or that line was not read" {
	local t=$BATS_TEST_TMPDIR

	# More is missing behind the counters than a report may lack.
	report | sed '/\]  unevictable:0/i ** 45 printk messages dropped **' > "$t/rest"
	line OOM "$t/rest" | grep -q 'it may be the rest of the report before it: ts_ns is of a later line, at the latest'
	has_no_line 'reports of the OOM killer' <(of_log "$t/rest")
	# Its first line is there and damaged.
	report | sed 's/ invoked oom-killer: / invoer: /' > "$t/head"
	line OOM "$t/head" | grep -q 'its first line is not in the log, or was not read: ts_ns is of a later one, at the latest'
	# The log begins within it.
	report | sed '1,/ inactive_anon:/{/ inactive_anon:/!d}' > "$t/within"
	line OOM "$t/within" | grep -q 'its first line is not in the log: ts_ns is of a later one, at the latest'
	# Up to 4.20 of a table that lost its beginning: the line of the choice, and that of the kill behind it.
	report | sed '1,/ pid /d; /oom-kill:/d; s/Out of memory: Killed.*/Out of memory: Kill process 110 (a) score 651 or sacrifice child/' |
		sed '$a [  100.000050] Killed process 110 (a) total-vm:1600000kB, anon-rss:800000kB, file-rss:0kB, shmem-rss:0kB' > "$t/tail"
	of_log "$t/tail" > "$t/text"
	grep -q '^verdict   memory ran out: ' "$t/text"
	refute grep 'reports of the OOM killer' "$t/text"
}

@test "what a line that was cut may have is not denied" {
	local t=$BATS_TEST_TMPDIR

	(report | sed '/ total pagecache/,$d'; report | sed '1,/ pages hwpoisoned/d'
	printf '[  100.000099] %s\n' 'Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled') | cut -c1-55 > "$t/cut"
	of_log "$t/cut" > "$t/text"
	grep -q '^unknown   what stood behind column 55: ' "$t/text"
	refute grep -E '^verdict.*(does not have|of zones alone)' "$t/text"
	grep -q '^verdict .*unknown: lines of the log are cut at column 55' "$t/text"
}

@test "a line that is there twice, in a log of dates alone: one report; frames that were joined; letters lost in a release" {
	local t=$BATS_TEST_TMPDIR n

	report | dated > "$t/whole"
	[[ $(line verdict "$t/whole") == 'verdict   memory ran out: 7.8M of 1.000G was free, '* ]]
	for n in 3 11 13 17 20 23 28 33; do
		sed "${n}{p;p}" "$t/whole" > "$t/twice"
		diff <(line verdict "$t/whole"; line OOM "$t/whole"; line holder "$t/whole") <(line verdict "$t/twice"; line OOM "$t/twice"; line holder "$t/twice")
	done
	report | sed '/ CPU: 0 /a [  100.000003] Call Trace:\n[  100.000003]  [<ffffffff810e85fe>] dump_header+0x6e/0xc2 [<ffffffff810eab9c>] oom_kill_process+0x2c/0x280' > "$t/joined"
	has_no_line '<ffff' <(line OOM "$t/joined")
	# The clock goes on: it is the same kernel.
	(report | sed '/oom-kill:/,$d; s/6\.12\.107/5.10.0-32-cloud-amd64/'
	cat <<-END
		[  100.000100] Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled
		[  100.000101] CPU: 0 UID: 0 PID: 110 Comm: a Not tainted 5.10.0-32-clamd64 #1
	END
	) > "$t/release"
	of_log "$t/release" > "$t/text"
	grep -q '^verdict   memory ran out: .*; panic by panic_on_oom=1$' "$t/text"
	refute grep -E 'boot [12] of 2|clamd64' "$t/text"
}

@test "a flavour that a release lacks is another kernel, not letters that were lost" {
	local t=$BATS_TEST_TMPDIR release

	for release in 5.10.0-32-amd64:5.10.0-32-cloud-amd64 6.12.107:6.12.107-rt; do
		printf '%s\n' "CPU: 0 PID: 110 Comm: a Not tainted ${release#*:} #1" 'Call Trace:' ' warn_alloc+0x100/0x170' > "$t/first"
		{ cat "$t/first"; echo 'b invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0'
			echo "CPU: 0 PID: 120 Comm: b Not tainted ${release%:*} #1"
			echo 'Out of memory: Killed process 120 (b) total-vm:1000kB, anon-rss:900kB, file-rss:0kB, shmem-rss:0kB'; } > "$t/log"
		of_log "$t/log" > "$t/text"
		grep -q "^case  .*Linux ${release%:*}[;, ]" "$t/text" || { cat "$t/text"; false; }
	done
}

@test "a digit in the release of one line, letters lost of the OOM killer's functions and of names of GFP" {
	local t=$BATS_TEST_TMPDIR

	(echo '[    0.000000] Linux version 6.1.0-50-cloud-amd64 (a@b) (gcc) #1 SMP'
	echo '[  100.000000] a line of something else'
	report | sed '/oom-kill:/,$d; s/6\.12\.107/6.1.0-50-cloud-amd64/
		/ CPU: 0 /a [  100.000003] Call Trace:\n[  100.000003]  duheader+0x4d/0x3e0\n[  100.000003]  oof_memory+0x105/0x360\n[  100.000003]  __alloc_pages_slowpath+0xa78/0xa90\n[  100.000003]  __alloc_pages+0x88/0x2f0\n[  100.000003]  pipe_write+0x27e/0x4c0'
	cat <<-END
		[  100.000101] Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled
		[  100.000102] CPU: 0 UID: 0 PID: 110 Comm: a Not tainted 6.1.0-50-cloud-amd62 #1
	END
	) > "$t/whole"
	of_log "$t/whole" > "$t/text"
	grep -q '^verdict   memory ran out: .*; panic by panic_on_oom=1$' "$t/text"
	refute grep -E 'boot [12] of 2|amd62|duheader|oof_memory' "$t/text"
	grep -q 'Linux 6.1.0-50-cloud-amd64' "$t/text"
	report | sed 's/(GFP_KERNEL)/(FP_KERNEL)/' > "$t/gfp"
	line OOM "$t/gfp" | grep -q 'order 0, 0xcc0; '
}

@test "a line of a node that is cut behind its kernel_stack, or that differs from the lists: the stacks are what it says" {
	local t=$BATS_TEST_TMPDIR cut stacks

	report > "$t/whole"
	stacks=$(of_log "$t/whole" | grep '^  kstack  ')
	for cut in 's/(Node 0 active_anon.*kernel_stack:3200kB).*/\1/' 's/(Node 0 active_anon.*kernel_stack:3200kB paget).*/\1/' \
		's/(Node 0 active_anon.*) all_unrecl.*/\1/' 's/(Node 0 active_anon.* )pagetables:4000kB/\1pagetab@es:4000kB/' \
		's/(Node 0 active_anon:0kB inactive_anon:)820000kB/\1787200kB/'; do
		sed -E "$cut" "$t/whole" > "$t/cut"
		refute cmp -s "$t/whole" "$t/cut"
		[ "$(of_log "$t/cut" | grep '^  kstack  ')" = "$stacks" ]
		[ "$(of_log "$t/cut" | awk '$1 == "rest" { print $2 }')" = 58.4M ]
	done
	# Of a number that is cut nothing is known.
	for cut in 's/(Node 0 active_anon.*kernel_stack:320).*/\1/' 's/(Node 0 active_anon.*kernel_stack:3200)kB .*/\1/'; do
		sed -E "$cut" "$t/whole" > "$t/cut"
		of_log "$t/cut" > "$t/text"
		grep -q '^  rest .* no line has it that could be read' "$t/text"
		refute grep '^  kstack' "$t/text"
	done
}

@test "a counter that differs from that of the nodes by less than a thousandth of RAM has moved, and is no damage" {
	local t=$BATS_TEST_TMPDIR

	report | sed -E 's/ active_file:0 inactive_file:0 / active_file:29 inactive_file:200 /; s/(Node 0 active_anon.*) active_file:0kB inactive_file:0kB/\1 active_file:728kB inactive_file:800kB/' > "$t/log"
	of_log "$t/log" > "$t/text"
	grep -q '^  rest ' "$t/text"
	refute grep 'do not agree' "$t/text"
	# A hundred times as much has not.
	sed -i 's/active_file:728kB/active_file:72800kB/' "$t/log"
	of_log "$t/log" | grep -q 'active_file has 29, its zones or nodes 18,200'
}
