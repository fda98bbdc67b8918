#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# memowner --log: logs as people give them in mails: extracts of grep, parts in another order, lines left out.

load helper
load log
bats_require_minimum_version 1.5.0

# A failed allocation of a boot: SECOND ORDER ADDED, of pages put to swap.
failure() {
	awk -v s="$1" '{ printf "[%5d.%06d] %s\n", s, NR, $0 }' <<-END
		a: page allocation failure: order:$2, mode:0xcc0(GFP_KERNEL), nodemask=(null)
		CPU: 0 PID: 110 Comm: a Not tainted 5.8.0-one #15
		Call Trace:
		 warn_alloc+0x100/0x170
		 btracker_queue+0x47/0x170 [dm_cache]
		Mem-Info:
		active_anon:1000 inactive_anon:1000 isolated_anon:0
		 active_file:10000 inactive_file:10000 isolated_file:0
		 unevictable:0 dirty:0 writeback:0
		 slab_reclaimable:1000 slab_unreclaimable:3000
		 mapped:0 shmem:0 pagetables:100 bounce:0
		 free:1500 free_pcp:0 free_cma:0
		20000 total pagecache pages
		200 pages in swap cache
		Swap cache stats: add $3, delete $(($3 - 200)), find 134676/266712
		Free swap  = 770000kB
		Total swap = 786428kB
		32768 pages RAM
		0 pages HighMem/MovableOnly
		3000 pages reserved
	END
}

@test "a text that is indented: as it is without; the -- of grep says that lines were left out" {
	local t=$BATS_TEST_TMPDIR

	{ failure 100 1 1000; echo --; echo '[  300.000001] eth0: link up'; } > "$t/plain"
	sed 's/^/    /' "$t/plain" > "$t/indented"
	diff <(of_log "$t/plain" | sed '/-L/d') <(of_log "$t/indented" | sed '/-L/d')
	has_no_line 'without a panic' <(of_log "$t/indented")
}

@test "a mail as it is sent, in quoted-printable: as the log that is in it" {
	local t=$BATS_TEST_TMPDIR

	tr -d '\r' < "$BUILD/samples/6.12-stock-oom/truth/console" > "$t/whole"
	perl -MMIME::QuotedPrint -0777 -ne 'print encode_qp($_)' "$t/whole" > "$t/mail"
	grep -q '=$' "$t/mail"
	diff <(of_log "$t/whole" | sed '/-L/d') <(of_log "$t/mail" | sed '/-L/d')
	# Lines that a terminal broke behind "=", and numbers behind one, are none.
	printf '%s\n' '[  1.000001] a invoked oom-killer: gfp_mask=' '0xcc0(GFP_KERNEL), order=10, oom_score_adj=22' > "$t/broken"
	[ "$(of_log "$t/broken" log -j | jq -r 'select(.record == "row") | .order')" = 10 ]
}

@test "grep -A: what it left out between two lines is missing, and nothing is denied of it" {
	local t=$BATS_TEST_TMPDIR

	log() {
		failure 100 0 1000 | sed 's/^\[ *\([0-9]*\)\.0000\(..\)\] /May 26 04:10:\2 box kernel: /'
		echo "$1"
		echo 'May 26 06:02:44 box kernel: RIP: 0010:xas_start+0x3d/0x120'
	}
	log 'May 26 04:10:30 box kernel: eth0: link up' > "$t/whole"
	of_log "$t/whole" | grep -q '^verdict .*; the log goes on for 1.9h, without a panic$'
	log -- > "$t/grep"
	of_log "$t/grep" > "$t/text"
	refute grep 'without a panic' "$t/text"
	grep -q '^unknown   panic: a part of the log is missing$' "$t/text"
	of_log "$t/grep" story | grep -q 'the log ends\. '
	# A signature is none: words stand below it.
	(log 'May 26 04:10:30 box kernel: eth0: link up'; printf -- '--\nA. Writer\n') > "$t/mail"
	of_log "$t/mail" | grep -q '^verdict .*, without a panic$'
	(printf -- '--\nA. Writer\n'; cat "$t/whole") > "$t/before"
	of_log "$t/before" | grep -q '^verdict .*, without a panic$'
}

@test "a report without stamps, of which one line has a stamp, is that report" {
	local t=$BATS_TEST_TMPDIR

	failure 0 0 1000 | sed '/ free:/!s/^\[[^]]*\] //' > "$t/log"
	of_log "$t/log" > "$t/text"
	grep -q '^failure  .*: a (110) got no memory, order 0, GFP_KERNEL' "$t/text"
	grep -q '^case .*, Linux 5.8.0-one; ' "$t/text"
	refute grep -E 'without its first line|no time stamp' "$t/text"
	has_no_line 'logged, alone' <(of_log "$t/log" story)
	# Flags that are none are told as the number.
	sed 's/mode:[^,]*,/mode:0x0(),/' "$t/log" > "$t/none"
	of_log "$t/none" | grep -q 'got no memory, order 0, 0x0'
}

@test "parts of one boot in another order: by what was put to swap the newer one is told, as likely" {
	local t=$BATS_TEST_TMPDIR

	{ failure 4694 4 535090; echo; echo 'and before:'; failure 4426 0 533859; } > "$t/mail"
	of_log "$t/mail" > "$t/text"
	grep -q '^case .*: part 1 of 2, the newest with a report, likely: its counts of swap go on from those of another$' "$t/text"
	grep -q '^failure   4694\..*, order 4, ' "$t/text"
	# Of another boot, as far as is known: another build, no swap, counts that are far.
	for i in 's/#15/#16/' 's/add 533859/add 0/' 's/add 533859/add 3859/'; do
		{ failure 4694 4 535090; echo; failure 4426 0 533859 | sed "$i"; } > "$t/two"
		of_log "$t/two" > "$t/text"
		grep -q '^failure   4426\.' "$t/text"
		refute grep 'the newest with a report' "$t/text"
	done
	# What is told need not be the newest.
	{ failure 4694 4 535090; failure 4426 0 0; echo '[   10.000000] eth0: up'; echo '[   10.100000] eth0: down'; } > "$t/three"
	of_log "$t/three" | grep -q '^case .*: part 2 of 3, the last in the file with the first or last line of a report$'
}

@test "a list of memory below the trace of a failed allocation, whose first line a mail has elsewhere, is of that" {
	local t=$BATS_TEST_TMPDIR

	failure 100 0 1000 | sed 1d > "$t/log"
	of_log "$t/log" | grep -q '^verdict .*a list of memory of [^,]*, of a failed allocation of a (110), whose first line this log does not have, at which '
	of_log "$t/log" story | grep -q 'a list of memory was logged, of a failed allocation of a (110), '
	sed '/warn_alloc/d' "$t/log" > "$t/trace"
	of_log "$t/trace" | grep -q '^verdict .*, and no line on who asked for it, '
	sed 's/Call Trace:/Modules linked in: a/' "$t/log" > "$t/none"
	of_log "$t/none" | grep -q '^verdict .*, and no line on who asked for it'
	refute grep 'of a failed allocation of' <<< "$(of_log "$t/none")"
	sed 's/Comm: a Not/Comm: a Kdump: loaded Not/' "$t/log" > "$t/kdump"
	grep -q 'Kdump: loaded' "$t/kdump"
	of_log "$t/kdump" | grep -q '^verdict .*, of a failed allocation of a (110), whose first line'
}

@test "caches and zones that a report of a cgroup has not: the OOM killer ran for the machine" {
	local t=$BATS_TEST_TMPDIR head='[  100.000001] a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=3, oom_score_adj=0'

	printf '%s\n' "$head" '[  100.000002] Unreclaimable slab info:' '[  100.000003] Name                      Used          Total' \
		'[  100.000004] widgets             180000KB     180000KB' > "$t/slab"
	of_log "$t/slab" | grep -q '^verdict   the OOM killer ran for the machine and no cgroup, as its list of caches tells: how much was free is not in this log; '
	printf '%s\n' "$head" '[  100.000002] DMA free:187396kB min:22528kB low:28160kB high:33792kB active_anon:0kB present:783360kB managed:668264kB' > "$t/zone"
	of_log "$t/zone" | grep -q '^verdict   the OOM killer ran for the machine and no cgroup, as its list of zones tells: '
	# Up to 3.8 that of a cgroup had zones: its flags are a number.
	sed -i 's/0xcc0(GFP_KERNEL)/0xd0/' "$t/zone"
	of_log "$t/zone" | grep -q '^verdict   the OOM killer ran; whether memory ran out, or a cgroup reached its limit, '
}

@test "an exception without a panic: the task ended where the log goes on, and whether the kernel did is unknown where it ends" {
	local t=$BATS_TEST_TMPDIR

	cat > "$t/log" <<-'END'
		[   40.934629] general protection fault, probably for non-canonical address 0xe993e8b0631e699f: 0000 [#1] PREEMPT SMP NOPTI
		[   40.935686] CPU: 1 PID: 33 Comm: a Tainted: G           OE     6.8.0-rc3 #1
		[   40.936235] RIP: 0010:f+0xbc/0x750 [m]
		[   40.937360] ---[ end trace 0000000000000000 ]---
	END
	of_log "$t/log" | grep -q '^verdict   the kernel had an exception: general protection fault, .*, task a (33); '
	(cat "$t/log"; echo '[  140.000000] eth0: link up') > "$t/on"
	of_log "$t/on" | grep -q '^verdict   a task was ended by general protection fault, .*, task a (33); '
	(cat "$t/log"; echo '[   40.937361] Kernel panic - not syncing: Fatal exception') > "$t/panic"
	of_log "$t/panic" | grep -q '^verdict   the kernel died of general protection fault, '
}

@test "a zone that the request is bound to and that has no memory did not run out" {
	local t=$BATS_TEST_TMPDIR

	failure 30 6 0 | sed 's/0xcc0(GFP_KERNEL)/0x1(GFP_DMA)/; s/free:1500 /free:1537719 /; s/32768 pages RAM/2164609 pages RAM/' |
		sed '/total pagecache/i[   30.000013] Node 0 DMA free:0kB min:0kB low:0kB high:0kB present:128kB managed:0kB free_cma:0kB\n[   30.000013] lowmem_reserve[]: 0 0 6063 6063\n[   30.000013] Node 0 Normal free:6150876kB min:9552kB low:15504kB high:21456kB present:8388608kB managed:8188608kB free_cma:0kB\n[   30.000013] lowmem_reserve[]: 0 0 0 0\n[   30.000013] Node 0 DMA: 0*4kB 0*8kB 0*16kB 0*32kB 0*64kB 0*128kB 0*256kB 0*512kB 0*1024kB 0*2048kB 0*4096kB = 0kB\n[   30.000013] Node 0 Normal: 3*4kB (M) 0*8kB 0*16kB 0*32kB 0*64kB 0*128kB 0*256kB 0*512kB 0*1024kB 1*2048kB (M) 1501*4096kB (M) = 6150876kB' > "$t/log"
	of_log "$t/log" | grep -q '^verdict   zone DMA of node 0 has no memory, and what is free is 5.866G in zone Normal, which the request may not use; '
	sed 's/present:128kB managed:0kB/present:128kB managed:128kB/' "$t/log" > "$t/full"
	of_log "$t/full" | grep -q '^verdict   zone DMA of node 0 ran out: 0B of 128.0K free there, '
}

# A report of a cgroup of 8 MiB that killed the larger one of two of a name.
cgroup_of_two() {
	awk '{ printf "[  100.%06d] %s\n", NR, $0 }' <<-END
		a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
		CPU: 1 PID: 680 Comm: a Not tainted 5.9.0-amd64 #5
		memory: usage 8192kB, limit 8192kB, failcnt 485
		memory+swap: usage 8192kB, limit 9007199254740988kB, failcnt 0
		kmem: usage 124kB, limit 9007199254740988kB, failcnt 0
		Memory cgroup stats for /a:
		anon 8110080
		Tasks state (memory values in pages):
		[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
		[    679]     0   679      746      310    45056        0             0 ${1:-a}
		[    680]     0   680     5246     2163    81920        0             0 a
		oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/a,task_memcg=/a,task=a,pid=680,uid=0
		Memory cgroup out of memory: Killed process 680 (a) total-vm:20984kB, anon-rss:8024kB, file-rss:628kB, shmem-rss:0kB, UID:0 pgtables:80kB oom_score_adj:0
	END
}

@test "what a victim had of a cgroup is what the line of its kill has, in a table without a column of it" {
	local t=$BATS_TEST_TMPDIR

	# Its counters of files are not there, and its name is not its own.
	cgroup_of_two > "$t/two"
	of_log "$t/two" | grep -q '^holder    a (680), which the OOM killer killed: 7.8M, 97.9% of the limit'
	cgroup_of_two sh | sed 's/^\(.* anon 8110080\)$/\1\n[  100.000007] file 0\n[  100.000007] shmem 0/' > "$t/one"
	of_log "$t/one" | grep -q '^holder    a (680), which was killed: 7.8M of its 8.4M, 97.9% of the limit'
	has_no_line about <(line holder "$t/one")
}

# A report of the OOM killer of the machine, of 262144 pages.
killed() {
	awk '{ printf "[  100.%06d] %s\n", NR, $0 }' <<-END
		a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
		CPU: 0 PID: 110 Comm: a Not tainted 6.12.107 #1
		Mem-Info:
		active_anon:0 inactive_anon:205000 isolated_anon:0
		 free:2000 free_pcp:0 free_cma:0
		262144 pages RAM
		0 pages HighMem/MovableOnly
		8394 pages reserved
		oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/,task=a,pid=110,uid=0
		Out of memory: Killed process 110 (a) total-vm:1600000kB, anon-rss:800000kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:1600kB oom_score_adj:0
	END
}

@test "a damaged limit is of its report: another one lacks it" {
	local t=$BATS_TEST_TMPDIR

	cgroup_of_two | sed 's/limit 8192kB, failcnt 485/limit 81.2kB, fai/' > "$t/first"
	of_log "$t/first" | grep -q 'reached its limit, which is unknown: a line of the report is damaged'
	(cat "$t/first"; cgroup_of_two | sed '/memory: usage/d; /memory+swap/d; /kmem/d; s/^\[  100/[  300/') > "$t/two"
	of_log "$t/two" | grep -q 'reached its limit, which this log does not have; '
}

@test "the stamp of the last line lost a digit, or has another one: it is of the boot before it" {
	local t=$BATS_TEST_TMPDIR

	killed > "$t/whole"
	sed '$s/^\[  100/[   10/' "$t/whole" > "$t/log"
	diff <(line verdict "$t/whole") <(line verdict "$t/log")
	# The first one.
	sed "s/^\[  100/[ 4694/" "$t/whole" | sed "\$s/4694/ 694/" > "$t/log"
	diff <(line verdict "$t/whole") <(line verdict "$t/log")
	# A digit that is another one, as far as the clock of before.
	sed 's/^\[  100/[ 4694/' "$t/whole" | sed '$s/4694/4094/' > "$t/log"
	diff <(line verdict "$t/whole") <(line verdict "$t/log")
	# The first one is a zero.
	sed '$s/^\[  1/[  0/' "$t/whole" > "$t/log"
	grep -q '^\[  000' "$t/log"
	diff <(line verdict "$t/whole") <(line verdict "$t/log")
	# Lines of another time are of another boot.
	(cat "$t/whole"; echo '[    3.141592] eth0: link up') > "$t/boot"
	of_log "$t/boot" | grep -q 'part 1 of 2'
	(cat "$t/whole"; printf '%s\n' '[    3.000000] eth0: link up' '** 5 printk messages dropped **'; killed | sed '1,5d; s/^\[  100/[    4/') > "$t/gap"
	of_log "$t/gap" | grep -q '^unknown   panic: a part of the log is missing$'
}

@test "a CPU that was stuck is of one boot, though its line was that of the one before until the next named the release" {
	local t=$BATS_TEST_TMPDIR

	{ printf '%s\n' '[   10.000000] Linux version 5.9.0 (a@b) (gcc) #1 SMP' '[   11.000000] CPU: 1 PID: 5 Comm: a Not tainted 5.9.0 #1' \
		'[   50.000000] BUG: soft lockup - CPU#1 stuck for 22s! [b:6]' '[   50.000001] CPU: 1 PID: 6 Comm: b Not tainted 6.1.0-other #7'
		killed | sed 's/6[.]12[.]107/6.1.0-other/'; } > "$t/log"
	of_log "$t/log" > "$t/text"
	grep -q '^coverage .*boot 2 of 2' "$t/text"
	refute grep 'CPUs that were stuck' "$t/text"
}

@test "a line of words that begins with a date is no damaged line of the kernel" {
	local t=$BATS_TEST_TMPDIR

	killed | sed 's/^\[  100\.0000\(..\)\] /2026-11-30T10:00:\1+00:00 box kernel: /' > "$t/whole"
	of_log "$t/whole" | grep -q '^verdict .*; the log has no panic$'
	(cat "$t/whole"; echo '2026-11-30 was a bad day, says the log') > "$t/words"
	diff <(line verdict "$t/whole") <(line verdict "$t/words")
	(cat "$t/whole"; echo '2026-11-30T10:00:'; tail -n 1 "$t/whole") > "$t/part"
	of_log "$t/part" | grep -q '^warning   a part of the log is missing$'
}

@test "a nodemask that begins with node 0 need not leave one out" {
	local t=$BATS_TEST_TMPDIR

	printf '[  100.00000%s\n' '1] a invoked oom-killer: gfp_mask=0x16080c0(GFP_KERNEL|__GFP_ZERO), nodemask=0,  order=0, oom_score_adj=0' \
		'2] Kernel panic - not syncing: Out of memory and no killable processes...' > "$t/zero"
	of_log "$t/zero" | grep -q '^verdict   memory ran out, that of nodemask 0 at least: '
	sed 's/nodemask=0/nodemask=1/' "$t/zero" > "$t/one"
	of_log "$t/one" | grep -q '^verdict   memory of the nodes ran out that the request may use, by nodemask 1: '
}

@test "several damaged lines in a row may be the end of a report and the head of the next: its victim is of no other" {
	local t=$BATS_TEST_TMPDIR

	killed | sed -n '1,2p; $p' | sed '$s/110 (a)/120 (b)/' > "$t/log"
	of_log "$t/log" | grep -q '^OOM .*: a (110) invoked .*; killed b (120)'
	sed '2a[  100.00a\n[  100.00b' "$t/log" > "$t/lost"
	has_no_line -E '^OOM .*: a \(110\) invoked .*; killed b' <(of_log "$t/lost")
}

@test "a kernel of less RAM behind one that panicked is likely its crash kernel, though its first lines are lost" {
	local t=$BATS_TEST_TMPDIR

	panics() { killed | sed '/oom-kill:/,$d'; echo '[  100.000020] Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled'; }
	{ panics; panics | sed 's/^\[  100/[   35/; s/: a$/: sh/; s/^\(.*\] \)a invoked/\1sh invoked/; s/Comm: a /Comm: sh /; s/262144 pages RAM/131002 pages RAM/'; } > "$t/both"
	of_log "$t/both" > "$t/text"
	grep -q '^case .*: part 1 of 2, the one that panicked before another of less RAM, likely the kernel of kdump$' "$t/text"
	grep -q '^OOM .*: a (110) invoked' "$t/text"
	of_log "$t/both" log | grep -q 'the reports are of the one that panicked before another of less RAM, likely the kernel of kdump; '
	# As much RAM, another kernel, or none that panicked: it is the newest.
	for i in 's/131002/262140/' 's/6.12.107 #1/6.1.0 #1/' '1,/system-wide/{/system-wide/d}'; do
		case $i in
		s/6*) { sed -n '1,/system-wide/p' "$t/both"; sed '1,/system-wide/d' "$t/both" | sed "$i"; } > "$t/two" ;;
		*) sed "$i" "$t/both" > "$t/two" ;;
		esac
		of_log "$t/two" | grep -q '^OOM .*: sh (110) invoked'
	done
}

@test "the size of a page where the boot and the report tell the same RAM" {
	local t=$BATS_TEST_TMPDIR

	{
		printf '[    0.000000] %s\n' 'Linux version 6.12.107 (a@b) (gcc) #1 SMP' 'Memory: 1016344K/1048576K available (19456K kernel code)'
		killed | sed '/oom-kill:/,$d'
	} > "$t/log"
	of_log "$t/log" | grep -q '^verdict   memory ran out: 7.8M of 1.000G was free, 0.8%'
	# Of another boot it may be of other pages.
	sed 's/1048576K/1048000K/' "$t/log" > "$t/other"
	of_log "$t/other" | grep -q '^verdict   memory ran out: 2000 of 262144 pages were free'
}

@test "oom_reaper freed the memory of processes of whose kills no line is left" {
	local t=$BATS_TEST_TMPDIR

	killed > "$t/log"
	printf '[  100.10000%s\n' '0] oom_reaper: reaped process 110 (a), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB' \
		'1] oom_reaper: reaped process 120 (b), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB' \
		'2] oom_reaper: reaped process 130 (c), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB' \
		'3] oom_reaper: reaped process 11 (a), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB' >> "$t/log"
	of_log "$t/log" | grep -q '^unknown   more reports: oom_reaper freed the memory of b (120), c (130): lines on these kills are not in the log$'
}

@test "a cgroup that reached its limit of memory+swap and the one of memory: shares are of the latter" {
	local t=$BATS_TEST_TMPDIR

	cgroup_of_two sh | sed 's/memory+swap: usage 8192kB, limit 9007199254740988kB/memory+swap: usage 16384kB, limit 16384kB/; s/limit 8192kB, failcnt 485/limit 8200kB, failcnt 485/' |
		sed 's/^\(.* anon 8110080\)$/\1\n[  100.000007] file 0\n[  100.000007] shmem 0/' > "$t/log"
	of_log "$t/log" | grep -q '^verdict .* reached its limit of memory+swap: 16.0M of 16.0M'
	of_log "$t/log" | grep -q '^holder    a (680), which was killed: 7.8M of its 8.4M, 97.9% of its limit of memory'
}

@test "lockups of the other parts of a file are counted where those parts are named" {
	local t=$BATS_TEST_TMPDIR

	{
		printf '[ 3098.00000%s\n' '1] watchdog: BUG: soft lockup - CPU#38 stuck for 26s! [a:258]' '2] watchdog: BUG: soft lockup - CPU#38 stuck for 52s! [a:258]'
		killed
	} > "$t/log"
	of_log "$t/log" | grep -q '; part 2 of 2: -L FILE:N is part N of it, the others have 2 lines of CPUs that were stuck$'
	of_log "$t/log:1" | grep -q '; part 1 of 2: -L FILE:N is part N of it, the others have 1 report$'
}

@test "5.0 and 5.1: the constraint, the choice and the kill are lines of one report; a log that begins within its table too" {
	local t=$BATS_TEST_TMPDIR

	killed | sed '/Out of memory: Killed/{s/\(.*\] \).*/\1Out of memory: Kill process 110 (a) score 9 or sacrifice child\n[  100.000011] Killed process 110 (a) total-vm:1600000kB, anon-rss:800000kB, file-rss:0kB, shmem-rss:0kB/}' > "$t/log"
	of_log "$t/log" > "$t/text"
	grep -q '^OOM .*: a (110) invoked the OOM killer, order 0, GFP_KERNEL; CONSTRAINT_NONE; killed a (110)$' "$t/text"
	refute grep -E 'at least 2|not in this log' "$t/text"
	# Of a cgroup, and of 4.20 and before, which have no line of the constraint.
	cgroup_of_two | sed '/cgroup out of memory: Killed/{s/\(.*\] \).*/\1Memory cgroup out of memory: Kill process 680 (a) score 9 or sacrifice child\n[  100.000014] Killed process 680 (a) total-vm:20984kB, anon-rss:8024kB, file-rss:628kB, shmem-rss:0kB/}' > "$t/cgroup"
	of_log "$t/cgroup" | grep -q '^OOM .*; CONSTRAINT_MEMCG; killed a (680)$'
	sed '/oom-kill:/d' "$t/log" > "$t/old"
	of_log "$t/old" | grep -q '^OOM .*: a (110) invoked the OOM killer, order 0, GFP_KERNEL; constraint unknown; killed a (110)$'
	# One of another process is of another report.
	sed 's/: Kill process 110 (a)/: Kill process 120 (b)/; s/Killed process 110 (a)/Killed process 120 (b)/' "$t/log" > "$t/other"
	of_log "$t/other" | grep -q '^OOM .*: a (110) invoked .*; then killed b (120), whose report is not in this log$'
	{ echo '[  100.000000] [  100]     0   100     2000      500      10        0             0 b'; echo '[  100.000000] [  110]     0   110   400000   200000     400    40000             0 a'; sed '1,/oom-kill:/d' "$t/log"; } > "$t/table"
	of_log "$t/table" > "$t/text"
	grep -q '^verdict   memory ran out: how much was free is not in this log; ' "$t/text"
	refute grep 'at least 2' "$t/text"
}

@test "a line that lost a part of its stamp confirms none that is doubted" {
	local t=$BATS_TEST_TMPDIR

	killed > "$t/whole"
	sed '6s/^\[  100/[   10/; 7s/^\[  100.000007\] /00.000007] /' "$t/whole" > "$t/log"
	diff <(line verdict "$t/whole") <(line verdict "$t/log")
}

@test "where lines are cut at a column nothing is said to be missing from the log that may have stood behind it" {
	local t=$BATS_TEST_TMPDIR i

	for i in 1 2 3 4; do
		killed | sed "/Mem-Info/i[  100.000002] Hardware name: QEMU Standard PC (i440FX + PIIX, 1996), BIOS 1.10.2-1 04/01/2014" | sed "s/^\[  100/[  10$i/"
	done | cut -c 1-60 > "$t/log"
	of_log "$t/log" > "$t/text"
	grep -q 'what stood behind column 60' "$t/text"
	has_no_line -E 'this log does not have;|not in this log' <(line verdict "$t/log")
}

@test "a log with a gap and no panic ends at its last line: no time of a panic is unknown" {
	local t=$BATS_TEST_TMPDIR

	(failure 100 0 1000; echo --; echo '[  300.000000] eth0: x') > "$t/log"
	of_log "$t/log" > "$t/text"
	grep -q '^          the log ends 5.0min after boot; not tainted$' "$t/text"
	grep -q '^unknown   panic: a part of the log is missing$' "$t/text"
	refute grep -E 'time of the panic|at an unknown time' "$t/text"
}

@test "of whom memory ran out, by who called the OOM killer in its call trace" {
	local t=$BATS_TEST_TMPDIR head='[  100.000001] a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0'

	printf '%s\n' "$head" '[  100.000002] CPU: 2 PID: 110 Comm: a Not tainted 5.9.0 #1' '[  100.000003] Call Trace:' '[  100.000004]  dump_header+0x4a/0x201' \
		'[  100.000005]  oom_kill_process.cold+0xb/0x10' '[  100.000006]  out_of_memory+0xed/0x2e0' \
		'[  100.000007]  ? oom_killer_disable+0x210/0x210' '[  100.000008]  mem_cgroup_out_of_memory+0x198/0x1c0' > "$t/cgroup"
	of_log "$t/cgroup" | grep -q '^verdict   a cgroup reached its limit, as the call trace tells; which one is in a part of the report that this log does not have; '
	sed 's/mem_cgroup_out_of_memory/__alloc_pages_slowpath.constprop.0/' "$t/cgroup" > "$t/machine"
	of_log "$t/machine" | grep -q '^verdict   the OOM killer ran for the machine and no cgroup, as its call trace tells: '
	# Not of a page fault, which calls it without either, nor of what may be no frame.
	sed 's/mem_cgroup_out_of_memory/pagefault_out_of_memory/' "$t/cgroup" > "$t/fault"
	of_log "$t/fault" | grep -q '^verdict   the OOM killer ran; whether memory ran out, or a cgroup reached its limit, '
	sed 's/ mem_cgroup_out_of_memory/ ? mem_cgroup_out_of_memory/' "$t/cgroup" > "$t/stale"
	of_log "$t/stale" | grep -q '^verdict   the OOM killer ran; whether memory ran out, or a cgroup reached its limit, '
}

@test "pid 1, which no table of processes has, is no thread of a process of its name" {
	local t=$BATS_TEST_TMPDIR

	asked() {
		killed | sed "s/PID: 110/PID: $1/; /oom-kill:/i[  100.000008] Tasks state (memory values in pages):\n[  100.000008] [  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name\n[  100.000008] [    353]     0   353     2000      500      500        0         0    40960        0             0 a"
	}
	asked 1 > "$t/init"
	has_no_line 'a thread of' <(of_log "$t/init")
	asked 354 > "$t/thread"
	of_log "$t/thread" | grep -q "^trigger .*; by the report's table it is a thread of a (353)"
}

@test "what a process has by a table without a column of anonymous memory is called rss" {
	local t=$BATS_TEST_TMPDIR

	cgroup_of_two sh | sed '/\] sh$/d; / 679 .* sh$/d; s/usage 8192kB/usage 132kB/; s/limit 8192kB/limit 132kB/; s/usage 124kB/usage 4kB/; /stats for/,/anon 8110080/d; s/ 2163    81920 / 389    40960 /; s/anon-rss:8024kB, file-rss:628kB/anon-rss:84kB, file-rss:1468kB/' > "$t/log"
	of_log "$t/log" | grep -q '^holder    a (680), which was killed: 84.0K of its 1.5M, 63.6% of the limit (rss 1.5M, page tables 40.0K)$'
}

@test "what a mail left out before the first line of the log is no part of it" {
	local t=$BATS_TEST_TMPDIR

	(printf '%s\n' 'root@box:~# ./poc' '...'; killed) > "$t/log"
	diff <(of_log "$t/log" | grep -v '^  memowner') <(killed > "$t/whole"; of_log "$t/whole" | grep -v '^  memowner')
}

@test "reports of two kernels without stamps, and stamped lines in the words behind them: none of the reports is lost" {
	local t=$BATS_TEST_TMPDIR

	{
		failure 1 0 1000 | sed 's/^\[[^]]*\] //; s/5.8.0-one/5.7.0/' | head -n 3
		failure 1 0 1000 | sed 's/^\[[^]]*\] //'
		printf '%s\n' 'Your system splits it into zones:' '[    0.000000] Zone ranges:' '[    0.000000]   Normal   empty' "That's odd."
	} > "$t/mail"
	of_log "$t/mail" > "$t/text"
	grep -q '^case .*, Linux 5.8.0-one; ' "$t/text"
	grep -q '^verdict   an allocation of order 0 failed: 1500 of 32768 pages were free' "$t/text"
	refute grep -E 'no time stamp|missing:' "$t/text"
}

@test "words of a mail that quote a first line behind others of their own are no report that was left out" {
	local t=$BATS_TEST_TMPDIR

	(echo 'With 768 MB I get the same "kswapd0: page allocation failure: order:0, mode:0xcc0(GFP_KERNEL),nodemask=(null)" as before.'; failure 100 0 1000) > "$t/mail"
	has_no_line 'no time stamp' <(of_log "$t/mail")
	(failure 99 0 1000 | sed -n '1s/^\[[^]]*\] a:/b:/p'; failure 100 0 1000) > "$t/bare"
	of_log "$t/bare" | grep -q 'the first line of 1 report has no time stamp'
}

@test "a failed allocation whose first line lost the name of the task: the line behind it has it" {
	local t=$BATS_TEST_TMPDIR

	failure 100 5 1000 | sed 's/a: page allocation failure/page allocation failure/' > "$t/nameless"
	grep -q -E '(^|\] )page allocation failure: order:5' "$t/nameless"
	failure 100 5 1000 > "$t/whole"
	diff <(of_log "$t/whole" | sed '/^next:/,$d') <(of_log "$t/nameless" | sed '/^next:/,$d')
	of_log "$t/nameless" | grep -q '^trigger   a (110) asked last'
	# Of a text without stamps too, and in pieces.
	sed 's/^\[[^]]*\] //' "$t/nameless" > "$t/bare"
	of_log "$t/bare" | grep -q '^trigger   a (110) asked last'
	# Neither is known.
	sed '/^\[[^]]*\] CPU: /d' "$t/nameless" > "$t/none"
	of_log "$t/none" | grep -q '^trigger   an unknown task asked last'
}

@test "words of grep before lines without stamps: a file, a number, both; a name with a colon is none" {
	local t=$BATS_TEST_TMPDIR form

	failure 100 5 1000 | sed 's/^\[[^]]*\] //' > "$t/bare"
	of_log "$t/bare" | sed '/^next:/,$d' > "$t/whole"
	grep -q '^trigger   a (110) asked last' "$t/whole"
	for form in 's/^/kern.log:/' 's/^/web-1:kern.log:/' '='; do
		if [ "$form" = = ]; then
			grep -n . "$t/bare" > "$t/log"
		else
			sed "$form" "$t/bare" > "$t/log"
		fi
		diff "$t/whole" <(of_log "$t/log" | sed '/^next:/,$d')
	done
	sed 's/^a: /kworker\/u8:2: /; s/Comm: a /Comm: kworker\/u8:2 /' "$t/bare" > "$t/log"
	of_log "$t/log" | grep -q '^trigger   kworker/u8:2 (110) asked last'
	# Up to 4.20 the name stands in a second line.
	{ echo 'kworker/u8:2 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0'; echo 'kworker/u8:2 cpuset=/ mems_allowed=0'; sed '1d; s/Comm: a /Comm: kworker\/u8:2 /' "$t/bare"; } > "$t/log"
	of_log "$t/log" | grep -q '^trigger   kworker/u8:2 (110) asked last'
}

@test "rows of tasks whose blanks became tabs; lines without stamps that are newest first" {
	local t=$BATS_TEST_TMPDIR dump=$BUILD/samples/6.12-stock-oom/truth/console

	grep -a -A 110 'invoked oom-killer' "$dump" | sed '/Kernel panic/q' > "$t/log"
	of_log "$t/log" | sed '/^next:/,$d' > "$t/whole"
	grep -q '^holder    report-builder (514)' "$t/whole"
	unexpand -a "$t/log" > "$t/tabs"
	grep -q -P '\t.*\t.*report-builder' "$t/tabs"
	diff "$t/whole" <(of_log "$t/tabs" | sed '/^next:/,$d')
	sed 's/^\[[^]]*\] //' "$t/log" | tac > "$t/newest"
	run of_log "$t/newest"
	[ "$status" = 1 ]
	[[ "$output" = *'its lines are newest first, as journalctl -r has them: save them oldest first, as tac does' ]]
	# Several reports, one behind the other, are in order.
	sed 's/^\[[^]]*\] //' "$t/log" > "$t/bare"
	cat "$t/bare" "$t/bare" "$t/bare" > "$t/three"
	of_log "$t/three" | grep -q '^verdict   memory ran out'
}

@test "the size of a page is unknown: so is that of the rows that are not shown" {
	local t=$BATS_TEST_TMPDIR

	failure 100 5 1000 | sed 's/pagetables:100 bounce:0/pagetables:100 bounce:10/; s/shmem:0/shmem:300/; s/unevictable:0/unevictable:20/; s/inactive_file:10000/inactive_file:5000/' > "$t/log"
	of_log "$t/log" > "$t/text"
	grep -E -q '^  [2-9] more +-$' "$t/text"
	refute grep -E '^  [0-9]+ more +0B' "$t/text"
}

@test "lines of code bytes are of one length and are not cut there" {
	local t=$BATS_TEST_TMPDIR bytes=(7e 0f 85 db fe ff ff e8 08 35 5f ff e9 d1 fe cf 48 83 3d 2d 07 d1 06 00 0f 84 27 03 8b 7d d0 57 9d) i n

	# With the number of the line, the forms of beginnings and ends differ.
	for n in 1 6 11 16 21 26 31; do
		printf '[  100.0000%02d] Call Trace:\n[  100.0000%02d] Code:' $n $n
		for ((i = 0; i < 43; i++)); do printf ' %s' "${bytes[(n + i * n) % 33]}"; done
		printf ' <0f>'
		for ((i = 0; i < 20; i++)); do printf ' %s' "${bytes[(n + i * 7) % 33]}"; done
		printf '\n'
	done > "$t/oopses"
	failure 101 5 1000 | grep -v 'Node 0' >> "$t/oopses"
	of_log "$t/oopses" > "$t/text"
	grep -q '^failure ' "$t/text"
	refute grep 'column' "$t/text"
	# Others that end there tell that the log is cut.
	sed 's/Code: /Mode: /' "$t/oopses" > "$t/cut"
	of_log "$t/cut" > "$t/text"
	grep -q 'what stood behind column' "$t/text"
}
