#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# memowner --log: lines of a report that are lost, cut, or have another in them: what they had is unknown.

load helper
load log
bats_require_minimum_version 1.5.0

setup_file() {
	export CONSOLE=$BUILD/samples/6.12-stock-oom/truth/console OLD=$BUILD/samples/6.1-oom/truth/console
}

@test "counters that are lost: what no line has is a row, and none is called the holder that has less" {
	local t=$BATS_TEST_TMPDIR

	sed '/ slab_reclaimable:/d' "$OLD" > "$t/slab"
	of_log "$t/slab" > "$t/text"
	# No holder is made of it: a line that is lost may have had it.
	grep -q '^holder    .*; [0-9.]*M, [0-9.]*% of RAM is in no line that could be read$' "$t/text"
	refute grep 'no line of the report has' "$t/text"
	grep -q '^  rest  *[0-9.]*M  [0-9.]*%  no line has it that could be read, and none tells of huge pages$' "$t/text"
	# The sum of what is known and the rest is System RAM.
	of_log "$t/slab" memowner -j | jq -e -s 'map(select(.record == "class") | .pages) as $c |
		($c | add) == (map(select(.record == "ram" and .name == "System RAM"))[0].pages)'
	# Shared memory is in the lists of anonymous memory: without its counter they are one row.
	sed '/ mapped:.* shmem:/d' "$CONSOLE" > "$t/shmem"
	of_log "$t/shmem" memowner -j > "$t/json"
	jq -e -s 'map(select(.record == "class") | .name) | index("anon or shmem") and (index("anon") | not)' "$t/json"
}

@test "a counter that is lost and that the lines of all nodes have is taken from these" {
	local t=$BATS_TEST_TMPDIR console

	for console in "$OLD" "$CONSOLE"; do
		of_log "$console" memowner -j | jq -c 'select(.record == "class" or .record == "holds_most")' > "$t/whole"
		sed -E '/^\[[^]]*\] active_anon:/d' "$console" > "$t/lost"
		refute cmp -s "$console" "$t/lost"
		of_log "$t/lost" memowner -j | jq -c 'select(.record == "class" or .record == "holds_most")' > "$t/now"
		cmp "$t/whole" "$t/now"
		# Without these nothing is known of it.
		sed -i '/Node 0 active_anon:/d' "$t/lost"
		of_log "$t/lost" > "$t/text"
		refute grep -q -E '^  (anon|anon or shmem) ' "$t/text"
		grep -q -E '^  rest  .*no line has it that could be read(, and none tells of huge pages)?$' "$t/text"
	done
}

@test "what rows of processes and caches have of a class whose counter is lost is not in the rest as well" {
	local t=$BATS_TEST_TMPDIR

	# 262144 pages of RAM; of anon 100000, of shared memory 60000, of page tables 30000, of slab 50000.
	sed 's/^/[  100.000000] /' <<-END > "$t/whole"
		a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
		CPU: 0 UID: 0 PID: 110 Comm: a Not tainted 6.12.107 #1
		Mem-Info:
		active_anon:150000 inactive_anon:10000 isolated_anon:0
		 active_file:10 inactive_file:10 isolated_file:0
		 unevictable:0 dirty:0 writeback:0
		 slab_reclaimable:1000 slab_unreclaimable:49000
		 mapped:0 shmem:60000 pagetables:30000
		 sec_pagetables:0 bounce:0
		 kernel_misc_reclaimable:0
		 free:2000 free_pcp:0 free_cma:0
		Node 0 DMA32: 2000*4kB (U) = 8000kB
		60020 total pagecache pages
		0 pages in swap cache
		Free swap  = 0kB
		Total swap = 0kB
		262144 pages RAM
		0 pages HighMem/MovableOnly
		5000 pages reserved
		Unreclaimable slab info:
		Name                      Used          Total
		widgets             180000KB     180000KB
		Tasks state (memory values in pages):
		[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name
		[    110]     0   110   200000    99000    99000        0         0 110592000        0             0 a
		Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled
	END
	lost() {	# SED NAME: without the line, of all rows of classes and the named one the sum, and what is known of the holder
		sed "$1" "$t/whole" > "$t/lost"
		refute cmp -s "$t/whole" "$t/lost"
		of_log "$t/lost" memowner -j > "$t/json"
		[ "$(jq -s 'map(select(.record == "class" and .name == "rest") | .pages) | add' "$t/json")" = "$2" ] || { cat "$t/json"; false; }
		jq -e -s 'map(select(.record == "class") | .pages) | add <= 262144' "$t/json"
	}
	# All that no counter has.
	lost '/ kernel_misc/d' 15124
	lost '/active_anon:/d' $((15124 + 160000 - 60000 - 99000))
	[[ $(line holder "$t/lost") == 'holder    a (110): '* ]]
	lost 's/ pagetables:30000/ bounce:0/' $((15124 + 30000 - 27000))
	lost '/ slab_reclaimable:/d' $((15124 + 50000 - 45000))
	[[ $(line holder "$t/lost") != *'no line of the report'* ]]
	# All of them: the rest is the difference.
	lost '/active_anon:/d; / slab_reclaimable:/d; s/ pagetables:30000/ bounce:0/' $((15124 + 240000 - 60000 - 99000 - 27000 - 45000))
	# Nothing has it: then it is the rest.
	lost '/active_anon:/d; /\] \[ *110\]/d' $((15124 + 160000 - 60000))
	[[ $(line holder "$t/lost") == 'holder    unknown: '*' is in no line that could be read' ]]
}

@test "a row of the table of processes that another line stands in: rows are missing, and none of those that are left is all" {
	local t=$BATS_TEST_TMPDIR n

	n=$(grep -n '\] \[ *514\] ' "$CONSOLE" | tail -n 1 | cut -d : -f 1)
	sed "${n}s/^\(.\{40\}\)/\1[  OK  ] Started foo.service - Foo.\r\n/" "$CONSOLE" > "$t/inside"
	of_log "$t/inside" > "$t/text"
	grep -q '^holder    anonymous memory that no row of the table of processes has, of which rows are missing: 21[01].[0-9]M, 5[45].[0-9]% of RAM, and [0-9.]*M in swap (report-builder (514), which asked, has no row)$' "$t/text"
	grep -q -x 'unknown   more processes: the log lacks the end of their table, or records in it' "$t/text"
	# Lost as a whole it leaves no trace but that who asked has no row.
	sed "${n}d" "$CONSOLE" > "$t/lost"
	[[ $(line holder "$t/lost") == *'anonymous memory that no row of the table of processes has: 210.'*'(of pid 1, which it leaves out, of a row that is lost, or of no process any more; report-builder (514), which asked, has no row; '*' of swap has none either)' ]]
	# A digit of one number: its parts are more than rss.
	sed "${n}s/ \([0-9]\)\([0-9]*  *[0-9]*  *[0-9]*  *[0-9]*  *[0-9]*  *[0-9]*  *0 report-builder\)/ \2/" "$CONSOLE" > "$t/digit"
	refute cmp -s "$CONSOLE" "$t/digit"
	[[ $(line holder "$t/digit") == *'of which rows are missing: '* ]]
}

@test "who asked has anon as its column of the table says, and shared memory beside it" {
	local t=$BATS_TEST_TMPDIR

	row() {	# ANON SHMEM
		local n

		n=$(grep -n '\] \[ *514\] ' "$CONSOLE" | tail -n 1 | cut -d : -f 1)
		sed -E "${n}s/(\[ *514\] +[0-9]+ +[0-9]+ +[0-9]+) +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+( +[0-9]+) +[0-9]+ /\1 $(($1 + $2)) $1 0 $2\2 0 /" "$CONSOLE" | pad_rows > "$t/row"
		line trigger "$t/row"
	}
	[[ $(row 0 136) == *'; it has no anonymous memory by its counters, which may lack what is not added to them yet'* ]]
	[[ $(row 3 136) == *'; it has 12.0K of anonymous memory'* ]]
	[[ $(row 3 20000) == *' and has 12.0K of anonymous memory, '*', beside 78.1M of shared memory'* ]]
}

@test "page tables that no row has are not of several processes" {
	local t=$BATS_TEST_TMPDIR

	sed '/^\[[ .0-9]*\] active_anon:/,/ free:/s/ pagetables:[0-9]*/ pagetables:75000/
		/\] \[ *[0-9]*\] /s/[0-9]*\(  *[0-9]*  *-\{0,1\}[0-9]* [^ ]*\)$/4096\1/' "$CONSOLE" | pad_rows > "$t/tables"
	line holder "$t/tables" | grep -q 'page tables that no row of the table of processes has: 293.'
}

@test "the first line of a report is lost: its time is that of a later one, at the latest" {
	local t=$BATS_TEST_TMPDIR

	sed '/invoked oom-killer/d' "$CONSOLE" > "$t/first"
	line OOM "$t/first" | grep -q '^OOM       at the latest [0-9.]* s, .*: an unknown task invoked the OOM killer'
	of_log "$t/first" memowner -j | jq -e -s 'map(select(.record == "oom"))[0] | .comm == null and
		.remark == "its first line is not in the log, or was not read: ts_ns is of a later one, at the latest"'
	of_log "$CONSOLE" memowner -j | jq -e -s 'map(select(.record == "oom"))[0] | .remark == null'
}

@test "the end of a panic alone, as on a screen: there was one, and by memory" {
	local t=$BATS_TEST_TMPDIR

	sed -n '/Kernel panic - not syncing/,$p' "$CONSOLE" | sed 1d > "$t/end"
	line case "$t/end" > /dev/null
	of_log "$t/end" > "$t/text"
	grep -q '^          panic 5.6min after boot; ' "$t/text"
	grep -q '^verdict   memory ran out: how much was free is not in this log; panic by panic_on_oom=1$' "$t/text"
	refute grep -q 'no panic' "$t/text"
	of_log "$t/end" story | grep -q '  the kernel panicked: Out of memory: system-wide panic_on_oom is enabled. '
}

@test "memory in no class of a report that has call sites: the largest is told" {
	[[ $(line holder "$BUILD/samples/7.3-oom/truth/console") == 'holder    memory that is in no class of the report: '*' (the largest call site has 155.0M: leaky.c:74 leaky_rx_refill [leaky])' ]]
}

# Numbers of the first and the last line of the newest report, up to a panic.
span() {	# CONSOLE
	awk '/invoked oom-killer/ { from = NR } /Kernel panic - not syncing: |Killed process / { to = NR } END { print from, to }' "$1"
}

# What a summary says, by name: verdict, who has most, who asked, the report, RAM and its classes. Of a damaged log
# against the whole one: what is neither the same, nor unknown, nor told to be no more than what is left.
TOLD='def told: {
		cause: [.[] | select(.record == "verdict")][0],
		most: [.[] | select(.record == "holds_most") | { name, bytes, swapped_pages }],
		words: ([.[] | select(.record == "holds_most")][0].remark // ""),
		oom: [.[] | select(.record == "oom")][0],
		trigger: ([.[] | select(.record == "trigger")][0] | { name }),
		rows: ([.[] | select(.record == "ram" or .record == "class") | { key: .name, value: .pages }] | from_entries)
	};
	def strange($w): . as $d |
		(if $d.cause.name == $w.cause.name or $d.cause.name == "unknown" then empty else { verdict: $d.cause } end),
		(if $d.cause.name == "unknown" or $d.cause.bytes == null or $d.cause.bytes == $w.cause.bytes then empty
			else { bytes: $d.cause } end),
		# Of a class that no row has, or of several, by the rows that are left.
		($d.most[] | select(. as $m | $w.most | index($m) | not)
			| select(.name != null or ($d.words | test("no row|no line|no class|not known|no owner of most|rss alone|several processes") | not))
			| select((.name // "" | test("^[0-9]+ processes ")) and .bytes <= ($w.most[0].bytes // 0) | not)
			| { most: . , words: $d.words }),
		($d.trigger | select(.name != null and .name != $w.trigger.name
			and (.name as $n | $w.trigger.name // "" | startswith($n + " (") | not)) | { trigger: . }),
		($d.oom | select(. and .ts_ns != $w.oom.ts_ns and (.remark // "" | test("at the latest") | not)) | { ts: .ts_ns }),
		(["pid", "comm", "order", "outcome", "victim_pid", "victim_comm", "victim_anon_bytes", "constraint"][] as $k
			| select($d.oom[$k] != null and $d.oom[$k] != $w.oom[$k]) | { ($k): $d.oom[$k] }),
		($d.rows | to_entries[] | select(.key != "rest" and .key != "anon or shmem" and .value != $w.rows[.key]));'

@test "each line of a report, and each two, are lost, and another line stands behind each: no other name, no other figure" {
	local t=$BATS_TEST_TMPDIR console from to i how n=0

	for console in "$CONSOLE" "$OLD" "$BUILD/samples/6.12-hog-spool/truth/console"; do
		read -r from to < <(span "$console")
		[ "$((to - from))" -gt 40 ]
		of_log "$console" memowner -j > "$t/whole"
		for ((i = from; i <= to; i += BRIEF ? 2 : 1)); do
			sed "${i}d" "$console" > "$t/one"
			sed "${i},$((i + 1))d" "$console" > "$t/two"
			sed "${i}s/^\(\[[^]]*\]\).*/&\n\1 e1000e 0000:00:1f.6 eth0: NIC Link is Down/" "$console" > "$t/foreign"
			for how in one two foreign; do
				of_log "$t/$how" memowner -j > "$t/damaged"
				jq -c -s --slurpfile whole "$t/whole" "$TOLD"' ($whole | told) as $w | told | strange($w)' \
					"$t/damaged" > "$t/strange"
				[ ! -s "$t/strange" ] || { echo "$console, line $i, $how: $(cat "$t/strange")"; false; }
				n=$((n + 1))
			done
		done
	done
	[ "$n" -gt $((BRIEF ? 250 : 500)) ]
	# What the comparison is for: another figure, and another name.
	sed 's/"name":"buddy","pages":[0-9]*/"name":"buddy","pages":1/' "$t/whole" > "$t/figure"
	jq -c -s --slurpfile whole "$t/whole" "$TOLD"' ($whole | told) as $w | told | strange($w)' "$t/figure" > "$t/strange"
	of_log "$CONSOLE" memowner -j | jq -c -s --slurpfile whole "$t/whole" "$TOLD"' ($whole | told) as $w | told | strange($w)' >> "$t/strange"
	[ "$(wc -l < "$t/strange")" -gt 5 ]
}

@test "without the counter of what was free, or of RAM: by zones above their marks it is unknown whether memory ran out" {
	local t=$BATS_TEST_TMPDIR

	report() {	# FREE LINE
		sed 's/^/[  100.000000] /' <<-END
			b invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0
			CPU: 0 UID: 0 PID: 120 Comm: b Not tainted 6.12.107 #1
			Mem-Info:
			active_anon:600 inactive_anon:6000 isolated_anon:0
			 active_file:0 inactive_file:0 isolated_file:0
			 free:78271 free_pcp:0 free_cma:0
			Node 1 DMA32 free:$1kB min:23292kB low:29112kB high:34932kB present:524288kB managed:500000kB
			lowmem_reserve[]: 0 0 0 0 0
			Node 1 DMA32: $(($1 / 4))*4kB (UM) = $1kB
			0 pages in swap cache
			$2
			Kernel panic - not syncing: Out of memory: compulsory panic_on_oom is enabled
		END
	}
	report 22988 '0 pages hwpoisoned' > "$t/ram"
	line verdict "$t/ram" | grep -q 'verdict   the OOM killer ran, for a reason that is unknown: 305.7M was free at the report'
	report 22988 '262008 pages RAM' | sed '/ free:78271/d' > "$t/free"
	line verdict "$t/free" | grep -q 'for a reason that is unknown: how much was free is unknown: this log has it of zones alone, or of another report'
	report 22988 '0 pages hwpoisoned' | sed 's/free:78271/free:5747/' > "$t/short"
	line verdict "$t/short" | grep -q 'verdict   memory ran out: 22.4M was free at the report'
}

@test "a figure that lost a digit: what nodes and zones have of the same is not near it, and it is left out with a warning" {
	local t=$BATS_TEST_TMPDIR pages n

	pages=$(sed -n 's/^\[[^]]*\]  free:\([0-9]*\) .*/\1/p' "$OLD" | tail -n 1)
	sed "s/ free:$pages / free:${pages%?} /" "$OLD" > "$t/free"
	of_log "$t/free" > "$t/text"
	grep -q '^warning   figures of the report do not agree: free has [0-9,]*, its zones or nodes [0-9,]*: a line may be damaged, and it is left out$' "$t/text"
	refute grep -q '^  buddy ' "$t/text"
	sed 's/\] active_anon:./] active_anon:/' "$OLD" > "$t/anon"
	of_log "$t/anon" > "$t/text"
	grep -q 'do not agree: active_anon has ' "$t/text"
	refute grep -q '^  anon ' "$t/text"
	sed 's/\([0-9]\)\([0-9]*\) pages RAM/\1 pages RAM/' "$OLD" > "$t/ram"
	of_log "$t/ram" > "$t/text"
	grep -q 'do not agree: pages RAM has ' "$t/text"
	refute grep -q 'System RAM' "$t/text"
	of_log "$OLD" > "$t/text"
	refute grep -q 'do not agree' "$t/text"
	# The end of a name, which the first line has whole.
	n=$(grep -n '\] \[ *514\] ' "$CONSOLE" | tail -n 1 | cut -d : -f 1)
	sed "${n}s/-builder/-buil/" "$CONSOLE" > "$t/name"
	line holder "$t/name" | grep -q '^holder    report-builder (514): '
}

@test "a digit lost of a figure that the report has twice: reserved, lists of CPUs, page tables, small ones, free of a zone, huge pages" {
	local t=$BATS_TEST_TMPDIR one

	while IFS='|' read -r name before class; do
		sed -E "s/($before[0-9]*)[0-9]( |\$|\r)/\1\2/" "$OLD" > "$t/short"
		refute cmp -s "$OLD" "$t/short"
		of_log "$t/short" > "$t/text"
		grep -q "^warning   figures of the report do not agree: $name has [0-9,]*, its zones or nodes [0-9,]*: " "$t/text"
		refute grep -q "^  $class " "$t/text"
	done <<-END
		pages reserved|^\[[^]]*\] 42|reserved
		free_pcp| free_pcp:|pcp
		pagetables| shmem:652 pagetables:|pgtable
		shmem| shmem:65|shmem
	END
	# Its blocks, whose line adds up, have what the zone has.
	sed 's/DMA32 free:1952kB/DMA32 free:195kB/' "$OLD" > "$t/zone"
	of_log "$t/zone" | grep -q '^warning   figures of the report do not agree: free of a zone has 48, its zones or nodes 515: '
}

@test "a digit lost of a row: it is shorter than all others of its table, and is left out as others that are lost" {
	local t=$BATS_TEST_TMPDIR digit

	for digit in 's/\[    155\]     0   155/[    15]     0   155/' 's/0   155    13067/0   15    13067/' \
		's/     5734   139264/     573   139264/' 's/   139264     7032/   139264     702/'; do
		sed "$digit" "$OLD" > "$t/short"
		refute cmp -s "$OLD" "$t/short"
		of_log "$t/short" > "$t/text"
		refute grep -q '^  process .*hungry' "$t/text"
		grep -q '^unknown   more processes: the log lacks ' "$t/text"
	done
	# Where a tool took blanks away no row is shorter than it was.
	sed -E 's/(\] \[) *155\]  *0  *155  */\1155] 0 155 /' "$OLD" > "$t/blanks"
	sed -i -E '/\] \[ *(43|44|45|46|47)\]/s/  +/ /g' "$t/blanks"
	refute cmp -s "$OLD" "$t/blanks"
	line users "$t/blanks"
	of_log "$t/blanks" | grep -q '^  process .*hungry (155)'
}

@test "a digit lost of a pid: of the task that asked the panic or the table has it, of a victim the line before" {
	local t=$BATS_TEST_TMPDIR

	# The panic of the same task has it whole.
	sed -E '0,/PID: 514 Comm: report-builder/s//PID: 54 Comm: report-builder/' "$CONSOLE" > "$t/pid"
	refute cmp -s "$CONSOLE" "$t/pid"
	line trigger "$t/pid" | grep -q '^trigger   report-builder (514) asked last; '
	# Without that line its row has one digit more: which one it is remains unknown.
	sed -i -E '/PID: 514 Comm: report-builder/d' "$t/pid"
	of_log "$t/pid" memowner -j | jq -e -s 'map(select(.record == "oom"))[0] | .comm == "report-builder" and .pid == null'
	sed 's/^/[  100.000000] /' <<-END > "$t/killed"
		a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
		CPU: 0 UID: 0 PID: 110 Comm: a Not tainted 6.12.107 #1
		memory: usage 9804kB, limit 98304kB, failcnt 5
		Tasks state (memory values in pages):
		[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name
		[    324]     0   324    25000    20000    20000        0         0   200704        0             0 big
		oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/x,task_memcg=/x,task=big,pid=324,uid=0
		Memory cgroup out of memory: Killed process 34 (big) total-vm:100000kB, anon-rss:8000kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:196kB oom_score_adj:0
	END
	of_log "$t/killed" memowner -j > "$t/json"
	jq -e -s 'map(select(.record == "oom"))[0] | .victim_pid == 324 and .victim_anon_bytes == null' "$t/json"
	# A cgroup that ran out has what it may have: not a tenth.
	jq -e -s 'map(select(.record == "holder" and .name == "/x"))[0].bytes == null' "$t/json"
	sed -i 's/usage 9804kB/usage 98300kB/; s/process 34 (big)/process 324 (big)/; s/anon-rss:8000kB/anon-rss:80000kB/' "$t/killed"
	of_log "$t/killed" memowner -j > "$t/json"
	jq -e -s 'map(select(.record == "oom"))[0] | .victim_pid == 324 and .victim_anon_bytes == 81920000' "$t/json"
	jq -e -s 'map(select(.record == "holder" and .name == "/x"))[0].bytes == 100659200' "$t/json"
}

@test "a digit lost of the release: the first line of the boot has it; of slab, stacks and huge pages what they cannot be below" {
	local t=$BATS_TEST_TMPDIR release

	release=$(sed -n 's/^\[[^]]*\] Linux version \([^ ]*\) .*/\1/p' "$CONSOLE" | tail -n 1)
	[ -n "$release" ]
	sed "s/ainted ${release//./\\.} #/ainted ${release/6.12/6.2} #/" "$CONSOLE" > "$t/release"
	refute cmp -s "$CONSOLE" "$t/release"
	line case "$t/release" | grep -q "Linux $release, "
	sed 's/^/[  100.000000] /' <<-END > "$t/slab"
		a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
		CPU: 0 UID: 0 PID: 110 Comm: a Not tainted 6.12.107 #1
		Mem-Info:
		active_anon:150000 inactive_anon:10000 isolated_anon:0
		 active_file:10 inactive_file:10 isolated_file:0
		 unevictable:0 dirty:0 writeback:0
		 slab_reclaimable:1000 slab_unreclaimable:4900
		 mapped:0 shmem:60000 pagetables:30000
		 sec_pagetables:0 bounce:0
		 kernel_misc_reclaimable:0
		 free:2000 free_pcp:0 free_cma:0
		Node 0 DMA32: 2000*4kB (U) = 8000kB
		Node 0 hugepages_total=3 hugepages_free=0 hugepages_surp=0 hugepages_size=204kB
		60020 total pagecache pages
		0 pages in swap cache
		Free swap  = 0kB
		Total swap = 0kB
		262144 pages RAM
		0 pages HighMem/MovableOnly
		5000 pages reserved
		Unreclaimable slab info:
		Name                      Used          Total
		widgets               18000KB     180000KB
		gadgets                20000KB      20000KB
		Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled
	END
	of_log "$t/slab" > "$t/text"
	# A row of the list that is shorter than its columns is left out.
	refute grep -q 'widgets' "$t/text"
	sed -i 's/widgets               18000KB/widgets               180000KB/' "$t/slab"
	of_log "$t/slab" > "$t/text"
	grep -q '^  cache .*widgets' "$t/text"
	grep -q '^warning   figures of the report do not agree: slab_unreclaimable has 4,900, its caches 50,000: ' "$t/text"
	refute grep -q '^  slab ' "$t/text"
	# No size of a huge page.
	refute grep -q '^  hugetlb ' "$t/text"
	sed 's/=204kB/=2048kB/' "$t/slab" > "$t/huge"
	of_log "$t/huge" | grep -q '^  hugetlb '
}

@test "figures that a report has once are named where another part of it is damaged" {
	local told='^unknown   whether slab, .*kstack lost a digit: the report does not have each of them twice$'

	of_log "$OLD" | refute grep -q 'lost a digit'
	sed '/ DMA32 free:/d' "$OLD" > "$BATS_TEST_TMPDIR/zone"
	of_log "$BATS_TEST_TMPDIR/zone" | grep -q "$told"
}

@test "a log that begins with any line of its report: the verdict of the whole one, or that its beginning is missing" {
	local t=$BATS_TEST_TMPDIR first last n

	of_log "$CONSOLE" > "$t/whole"
	first=$(grep -n ' Mem-Info:' "$CONSOLE" | cut -d : -f 1) last=$(grep -n ' pages hwpoisoned' "$CONSOLE" | cut -d : -f 1)
	for ((n = first; n < last; n++)); do
		tail -n "+$n" "$CONSOLE" > "$t/cut"
		of_log "$t/cut" > "$t/said"
		# Of some zones alone it is not told that they ran out.
		grep '^verdict ' "$t/said" | sed -E 's/ the OOM killer ran, for a reason that is unknown: / memory ran out: /; s/; [^;]* of swap was used//' > "$t/verdict"
		grep -q -x -F "$(grep '^verdict ' "$t/whole" | sed 's/; [^;]* of swap was used//')" "$t/verdict" ||
			grep -q -x 'verdict   memory ran out: how much was free is unknown: the log begins within the report; panic by panic_on_oom=1' "$t/verdict"
	done
	# What the beginning may have had is not called memory that no line has.
	tail -n "+$(($(grep -n ' slab_reclaimable:' "$OLD" | cut -d : -f 1) + 1))" "$OLD" > "$t/cut"
	line holder "$t/cut" | grep -q ' of RAM is in no line that could be read$'
	# Up to where all counters are still there.
	tail -n "+$((first + 8))" "$CONSOLE" > "$t/cut"
	[ "$(of_log "$t/cut" | sed -n '/^verdict /,/^holder /p')" = "$(sed -n '/^verdict /,/^holder /p' "$t/whole")" ]
}

@test "a part of a report without its first line is no log without a report" {
	local t=$BATS_TEST_TMPDIR

	grep -E '\] \[ +[0-9]+\] ' "$CONSOLE" > "$t/rows"
	grep ' dump_header+' "$CONSOLE" > "$t/frame"
	for n in rows frame; do
		grep -q . "$t/$n"
		of_log "$t/$n" | grep -q '^verdict   the OOM killer ran'
	done
	grep 'Node 0 DMA.* free:' "$CONSOLE" > "$t/zones"
	of_log "$t/zones" | grep -q -x 'verdict   unknown whether memory was short: the log has a part of a report on memory, without its first line; the log has no panic'
}

@test "a page fault that failed, of a log that ends before what was free: why is unknown" {
	local t=$BATS_TEST_TMPDIR

	sed '/ mapped:/q; s/gfp_mask=[^,]*/gfp_mask=0x0()/' "$CONSOLE" > "$t/fault"
	line verdict "$t/fault" | grep -q '^verdict   the OOM killer ran for a page fault that failed, why is unknown: how much was free is not in this log; '
}

@test "numbers of a list before each line, tabs behind it, a frame, blanks that a page shows as one: the verdict and the holder of the log" {
	local t=$BATS_TEST_TMPDIR

	tr -d '\r' < "$CONSOLE" > "$t/plain"
	of_log "$t/plain" | grep -E '^(verdict|holder) ' > "$t/told"
	awk '{ print "  " NR ". <4>" $0 "  " }' "$t/plain" > "$t/numbered"
	sed 's/$/\t/' "$t/plain" > "$t/tabs"
	sed 's/  */ /g' "$t/plain" > "$t/blanks"
	sed 's/.*/`&`/' "$t/plain" > "$t/quotes"
	sed 's/.*/│ &   │/' "$t/plain" > "$t/box"
	sed 's/.*/    `&`  /' "$t/plain" > "$t/indented"
	sed 's/[_*[]/\\&/g; s/]/\\]/g' "$t/plain" > "$t/escaped"
	for n in numbered tabs blanks quotes box indented escaped; do
		of_log "$t/$n" | grep -E '^(verdict|holder) ' | diff "$t/told" -
	done
}

@test "words in another form than the kernel's: a panic and a report are not denied" {
	local t=$BATS_TEST_TMPDIR

	tr '[:lower:]' '[:upper:]' < "$CONSOLE" > "$t/upper"
	sed 's/: /; /g' "$CONSOLE" > "$t/signs"
	for n in upper signs; do
		of_log "$t/$n" > "$t/text" || true
		run ! grep -q 'has no panic\|without a panic\|does not have$' "$t/text"
		grep -q "^unknown   panic: a part of the log is in another form than the kernel's: it is not read" "$t/text"
		of_log "$t/$n" log > "$t/text" || true
		run ! grep -q 'without a panic' "$t/text"
		grep -q "a part of the log is in another form than the kernel's: reports may be missing" "$t/text"
		of_log "$t/$n" story > "$t/text" || true
		run ! grep -q 'without a panic' "$t/text"
	done
}

@test "the row of who was killed is lost: the line of its kill has it, rows are missing, and none of the others is all" {
	local t=$BATS_TEST_TMPDIR

	# 262144 pages of RAM; of anon 200000, of which the killed one had 180000; swap of 100000, all used.
	sed 's/^/[  100.000000] /' <<-END > "$t/whole"
		a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
		CPU: 0 UID: 0 PID: 110 Comm: a Not tainted 6.6.30-amd64 #1
		Mem-Info:
		active_anon:190000 inactive_anon:10000 isolated_anon:0
		 active_file:10 inactive_file:10 isolated_file:0
		 unevictable:0 dirty:0 writeback:0
		 slab_reclaimable:1000 slab_unreclaimable:9000
		 mapped:0 shmem:0 pagetables:3000
		 sec_pagetables:0 bounce:0
		 kernel_misc_reclaimable:0
		 free:2000 free_pcp:0 free_cma:0
		Node 0 DMA32: 2000*4kB (U) = 8000kB
		60020 total pagecache pages
		100000 pages in swap cache
		Free swap  = 0kB
		Total swap = 400000kB
		262144 pages RAM
		0 pages HighMem/MovableOnly
		5000 pages reserved
		Tasks state (memory values in pages):
		[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
		[    100]     0   100     2000     1000    40960        0             0 b
		[    105]     0   105     2000      900    40960        0             0 c
		[    110]     0   110   200000   181000  1658880    90000             0 a
		oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/,task=a,pid=110,uid=0
		Out of memory: Killed process 110 (a) total-vm:800000kB, anon-rss:720000kB, file-rss:4000kB, shmem-rss:0kB, UID:0 pgtables:1620kB oom_score_adj:0
	END
	[[ $(line holder "$t/whole") == 'holder    a (110), which was killed: '* ]]
	sed '/ 181000 /d' "$t/whole" > "$t/lost"
	of_log "$t/lost" > "$t/text"
	grep -q -x 'holder    a (110), which the OOM killer killed: 703.1M, 68.7% of RAM (when it was killed; 390.6M of swap is of no row that is known, and how much of it it had is unknown)' "$t/text"
	grep -q -x 'unknown   more processes: their table has no row of a (110), which was killed: rows of it are lost' "$t/text"
	grep -q '^processes a (110), which was killed: anon 703.1M; others unknown$' "$t/text"
	refute grep -E 'pid 1|none has more|in swap \(a \(110\), which asked' "$t/text"
	of_log "$t/lost" memowner -j | jq -e -s 'map(select(.record == "process" and .pid == 110))[0] |
		.rss_anon_bytes == 720000 * 1024 and .pgtables_bytes == 1620 * 1024 and .swap_bytes == null'
	# All rows: no table, and no other process.
	sed -E '/^\[  100.000000\] \[/d' "$t/whole" > "$t/lost"
	of_log "$t/lost" > "$t/text"
	grep -q '^holder    a (110), which the OOM killer killed: 703.1M, 68.7% of RAM (when it was killed)$' "$t/text"
	refute grep 'pid 1' "$t/text"
}

@test "page tables of less than a page, as with pages of 64 KiB, are told in bytes" {
	sed 's/^/[  100.000000] /' <<-END > "$BATS_TEST_TMPDIR/log"
		a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
		Mem-Info:
		active_anon:1900 inactive_anon:100 isolated_anon:0
		 free:200 free_pcp:0 free_cma:0
		Node 0 Normal: 200*64kB (U) = 12800kB
		16384 pages RAM
		0 pages HighMem/MovableOnly
		500 pages reserved
		Tasks state (memory values in pages):
		[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
		[    110]     0   110     2000     1900    51200        0             0 a
		Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled
	END
	of_log "$BATS_TEST_TMPDIR/log" memowner -j | jq -e -s 'map(select(.record == "process"))[0].pgtables_bytes == 51200'
}

# The report of a cgroup, as 5.4 and later print it, with a constraint and the limit of it.
report_of_cgroup() {	# CONSTRAINT LIMIT_KIB
	sed 's/^/[  100.000000] /' <<-END
		a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
		CPU: 0 UID: 0 PID: 110 Comm: a Not tainted 6.6.30-amd64 #1
		memory: usage 40000kB, limit $2kB, failcnt 5
		swap: usage 0kB, limit 0kB, failcnt 0
		Memory cgroup stats for /shop/queue:
		anon 4096000
		file 0
		kernel 34816000
		kernel_stack 16384
		pagetables 0
		slab 34799616
		shmem 0
		Tasks state (memory values in pages):
		[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
		[    110]     0   110     2000     1000    40960        0             0 a
		oom-kill:constraint=$1,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/shop/queue,task_memcg=/shop/queue,task=a,pid=110,uid=0
		Memory cgroup out of memory: Killed process 110 (a) total-vm:8000kB, anon-rss:3900kB, file-rss:100kB, shmem-rss:0kB, UID:0 pgtables:40kB oom_score_adj:0
	END
}

@test "the line that names the cgroup of a report is cut or lost: its name is in that of the counters, and they are told" {
	local t=$BATS_TEST_TMPDIR n constraint

	for constraint in CONSTRAINT_MEMCG CONSTRAINT_NONE CONSTRAINT_BPF_PSI; do
		report_of_cgroup $constraint 40000 > "$t/whole"
		of_log "$t/whole" | grep -E '^(verdict|holder|  cgroup)' > "$t/text"
		grep -q -E '^verdict   cgroup /shop/queue (reached its limit: 39.1M of 39.1M|had 39.1M charged of a limit of 39.1M) at the report' "$t/text"
		grep -q '^holder    kernel objects that are charged to it: 33.2M, ' "$t/text"
		# In front of the nodes, in the name, behind it, before the victim; none of it.
		for n in 80 105 110 112 115 118 120 140 150; do
			sed -E "/oom-kill:/s/^(.{$n}).*/\1/" "$t/whole" > "$t/cut"
			of_log "$t/cut" | grep -E '^(verdict|holder|  cgroup)' > "$t/now"
			cmp "$t/text" "$t/now" || { echo "$constraint $n"; false; }
		done
		# Of which nothing tells that another than the kernel asked.
		[[ $constraint != *BPF* ]] || continue
		sed '/oom-kill:/d' "$t/whole" > "$t/cut"
		sed -E '/oom-kill:/s/^(.{50}).*/\1/' "$t/whole" > "$t/short"
		for n in cut short; do
			of_log "$t/$n" | grep -E '^(verdict|holder|  cgroup)' > "$t/now"
			cmp "$t/text" "$t/now"
		done
	done
	# Of another cgroup, or of all memory, it is none of this report.
	report_of_cgroup CONSTRAINT_MEMCG 40000 | sed -E '/oom-kill:/s/oom_memcg=.*/oom_memcg=\/shop\/z/' > "$t/cut"
	[[ $(line verdict "$t/cut") == 'verdict   cgroup of an unknown name reached its limit: '* ]]
}

@test "a cgroup without a limit, in which a program of BPF asked for a victim, reached none" {
	local t=$BATS_TEST_TMPDIR

	report_of_cgroup CONSTRAINT_BPF_PSI 9007199254740988 > "$t/log"
	[[ $(line verdict "$t/log") == 'verdict   cgroup /shop/queue had 39.1M charged and no limit set at the report; the OOM killer was asked for a victim in it by CONSTRAINT_BPF_PSI, which is no constraint of the kernel: a program of BPF may have; '* ]]
	report_of_cgroup CONSTRAINT_MEMCG 9007199254740988 > "$t/log"
	[[ $(line verdict "$t/log") == 'verdict   cgroup /shop/queue had 39.1M charged and no limit set at the report; why the OOM killer was asked for a victim in it is unknown; '* ]]
	# One that is set was not what it reached; nor did the machine run out.
	report_of_cgroup CONSTRAINT_BPF_PSI 524288 > "$t/set"
	[[ $(line verdict "$t/set") == 'verdict   cgroup /shop/queue had 39.1M charged of a limit of 512.0M at the report; the OOM killer was asked for a victim in it by CONSTRAINT_BPF_PSI, '* ]]
	sed 's/constraint=CONSTRAINT_NONE/constraint=CONSTRAINT_BPF_PSI/; s/^\(\[[^]]*\] \)Kernel panic - not syncing: Out of memory.*/\1oom-kill:constraint=CONSTRAINT_BPF_PSI,nodemask=(null),cpuset=\/,mems_allowed=0,global_oom,task_memcg=\/,task=a,pid=5,uid=0/' "$CONSOLE" > "$t/machine"
	[[ $(line verdict "$t/machine") == 'verdict   the OOM killer was asked for a victim by CONSTRAINT_BPF_PSI, which is no constraint of the kernel: a program of BPF may have: '*' was free, '* ]]
	# Without the line of swap there may have been one of memory and swap together.
	sed -i '/swap: usage/d' "$t/log"
	[[ $(line verdict "$t/log") == 'verdict   cgroup /shop/queue reached its limit, which this log does not have; '* ]]
}

@test "the first line of a report is cut at any column: what stands behind it is no part of it" {
	local t=$BATS_TEST_TMPDIR n head

	for head in 'a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0' \
		'a invoked oom-killer: gfp_mask=0x60(GFP_KERNEL), nodemask=0,  order=0, oom_score_adj=-1000'; do
		# In front of the first digit of the flags it is none.
		for n in $(seq 34 ${#head}); do
			cat <<-END > "$t/log"
				${head:0:n}
				a cpuset=/ mems_allowed=0
				CPU: 0 UID: 0 PID: 110 Comm: a Tainted: G         C         6.6.30-amd64 #1, Debian
				Mem-Info:
				active_anon:1900 inactive_anon:100 isolated_anon:0
				 free:200 free_pcp:0 free_cma:0
				Node 0 Normal: 200*4kB (U) = 800kB
				16384 pages RAM
			END
			of_log "$t/log" > "$t/text"
			grep -q '^OOM       at an unknown time: a (110) invoked the OOM killer' "$t/text" || { cat "$t/log" "$t/text"; false; }
			grep -q '^verdict   memory ran out: 800.0K of 64.0M was free' "$t/text"
		done
	done
}

@test "RAM is lost: zones that have all that is reserved, free and on the lists of the system have it" {
	local t=$BATS_TEST_TMPDIR

	of_log "$CONSOLE" | grep -E '^(RAM|holder)|^  [a-z]+ +[0-9]' > "$t/whole"
	sed '/ pages RAM/d' "$CONSOLE" > "$t/lost"
	of_log "$t/lost" | grep -E '^(RAM|holder)|^  [a-z]+ +[0-9]' > "$t/now"
	cmp "$t/whole" "$t/now"
	# One zone is not there, or what is reserved is not.
	sed '/Node 0 DMA free:/d' "$t/lost" > "$t/zone"
	sed '/ pages reserved/d' "$t/lost" > "$t/reserved"
	for lost in zone reserved; do
		of_log "$t/$lost" > "$t/text"
		refute grep '^RAM ' "$t/text"
	done
}

@test "a cgroup whose counters are lost: who had more than half of its limit is its holder" {
	local t=$BATS_TEST_TMPDIR

	report_of_cgroup CONSTRAINT_MEMCG 40000 |
		sed 's/^\(\[[^]]*\] anon\) .*/\1 38000000/; s/ 2000     1000    40960/20000     9500    40960/
			s/anon-rss:3900kB/anon-rss:37000kB/; s/total-vm:[0-9]*kB/total-vm:80000kB/; /\] slab /d; /kernel 3/d' > "$t/whole"
	[[ $(line holder "$t/whole") == 'holder    a (110), which was killed: '* ]]
	sed '/\] file 0/d' "$t/whole" > "$t/file"
	[[ $(line holder "$t/file") == 'holder    a (110), which was killed: 36.1M of its 37.1M, 92.5% of the limit (files and shared memory among it)' ]]
	# Without a table: what was killed is among what the counter has.
	sed '/\] \[/d; /Tasks state/d' "$t/whole" > "$t/table"
	[[ $(line holder "$t/table") == 'holder    a (110), which the OOM killer killed: 36.1M, 92.5% of the limit (when it was killed)' ]]
	sed '/\] file 0/d' "$t/table" > "$t/both"
	[[ $(line holder "$t/both") == "$(line holder "$t/table")" ]]
	# Less than half of it: who has the rest is unknown.
	sed 's/anon-rss:37000kB/anon-rss:17000kB/' "$t/both" > "$t/less"
	grep -q . <<< "$(line verdict "$t/less")"
	refute grep -q . <<< "$(line holder "$t/less")"
}

@test "slab is the holder where most of what the page allocator was given is in it" {
	local t=$BATS_TEST_TMPDIR

	# 100000 pages, of which 60000 are reserved; slab of 19000, and 12000 that no line has.
	sed 's/^/[  100.000000] /' <<-END > "$t/log"
		a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
		Mem-Info:
		active_anon:2000 inactive_anon:1000 isolated_anon:0
		 active_file:10 inactive_file:10 isolated_file:0
		 unevictable:0 dirty:0 writeback:0
		 slab_reclaimable:1000 slab_unreclaimable:18000
		 mapped:0 shmem:0 pagetables:1000
		 sec_pagetables:0 bounce:0
		 kernel_misc_reclaimable:0
		 free:4000 free_pcp:0 free_cma:0
		Node 0 DMA32: 4000*4kB (U) = 16000kB
		100 total pagecache pages
		100000 pages RAM
		60000 pages reserved
		Kernel panic - not syncing: Out of memory and no killable processes...
	END
	[[ $(line holder "$t/log") == 'holder    kernel objects (slab): 74.2M, 19.0% of RAM (no owner of most of it is known)'* ]]
	of_log "$t/log" log -j | jq -e -s '.[] | select(.record == "report" or .outcome != null) | .outcome == "panicked"'
}

@test "a mail that breaks the first line of a report and leaves out what follows: the report and its caches; one that is not read is told" {
	local t=$BATS_TEST_TMPDIR

	printf '%s\n' '> [49689.000001] ip invoked oom-killer: ' '> gfp_mask=0xc2cc0(GFP_KERNEL|__GFP_NOWARN), order=3, oom_score_adj=0 ...' \
		'> [49689.000002] Unreclaimable slab info:' '> [49689.000003] Name                      Used          Total' \
		'> [49689.000004] shelf_map            3207098KB    3375622KB' '> ...' > "$t/mail"
	[ "$(of_log "$t/mail" log -j | jq -c 'select(.record == "row") | [.comm, .order]')" = '["ip",3]' ]
	of_log "$t/mail" > "$t/text"
	grep -q '^caches    shelf_map or others merged with it 3\.219G$' "$t/text"
	refute grep -q 'slab caches' "$t/text"
	of_log "$t/mail" story | grep -q '^at the report  cache shelf_map or others merged with it: 3\.219G\. '
	# Caches of a later report are not those of this one.
	{ echo '[49688.000000] a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0 [...]'; sed 's/gfp_mask=/gfp=/; s/^> //' "$t/mail"; } > "$t/other"
	of_log "$t/other" > "$t/text"
	grep -q '^unknown   more reports: the first line of 1 report is in a form that is unknown: what belongs to it is not told$' "$t/text"
	refute grep -q shelf_map "$t/text"
	of_log "$t/other" story | tr '\n' ' ' | grep -q 'Unknown: more reports (the first line of 1 report is in a form that is unknown'
}

@test "lines that were folded at a width, in words or at blanks: the answer of the whole log" {
	local t=$BATS_TEST_TMPDIR w how

	tr -d '\r' < "$CONSOLE" | grep '^\[' | tail -n 160 > "$t/plain"
	sed 's/^\[ *\([0-9.]*\)\] /2023-05-06T07:08:09.123456+02:00 hana01 kernel: [\1][T12345] /' "$t/plain" > "$t/syslog"
	for log in plain syslog; do
		of_log "$t/$log" | sed '/-L/d' > "$t/told"
		for w in 72 80 100 132; do
			for how in '' -s; do
				fold $how -w "$w" "$t/$log" > "$t/folded"
				of_log "$t/folded" | sed '/-L/d' | diff "$t/told" - || { echo "$log $w $how"; false; }
			done
		done
	done
	# A mail that leaves lines out behind some that are alike, and the longest, breaks none.
	for i in 1 2 3 4 5 6; do
		echo "[  10$i.000000] ps$i invoked oom-killer: gfp_mask=0x16080c0(GFP_KERNEL|__GFP_ZERO|__GFP_NOTRACK), nodemask=(null),  order=0, oom_score_adj=0"
		echo '(...snipped...)'
	done > "$t/left"
	[ "$(of_log "$t/left" log -j | grep -c '"record":"row"')" = 6 ]
}

@test "the first line of a panic is lost: that the kernel panicked its trace tells, and why is unknown" {
	local t=$BATS_TEST_TMPDIR

	sed '/Kernel panic - not syncing/d' "$CONSOLE" > "$t/log"
	grep -q ' panic+0x' "$t/log"
	grep -q '; the kernel panicked: the line that says why is not in this log$' <(line verdict "$t/log")
	grep -q ' the log ends; the kernel panicked, and the line that says why is not in it\.' <(of_log "$t/log" story)
	has_no_line -e 'without a panic' -e 'has no panic' <(of_log "$t/log"; of_log "$t/log" story; of_log "$t/log" log 2>&1)
}

@test "a log with the boot and no report: the RAM that the kernel had when it booted" {
	local t=$BATS_TEST_TMPDIR

	tr -d '\r' < "$CONSOLE" | sed '/invoked oom-killer/,$d' > "$t/boot"
	grep -q 'Memory: [0-9]*K/[0-9]*K available (' "$t/boot"
	of_log "$t/boot" memowner -j | jq -e -s --argjson kib "$(sed -n 's/.*Memory: [0-9]*K\/\([0-9]*\)K available.*/\1/p' "$t/boot")" \
		'map(select(.record == "ram")) | length == 1 and .[0].name == "System RAM when it booted" and .[0].bytes == $kib * 1024'
	of_log "$t/boot" | grep -q '^RAM       System RAM when it booted [0-9.]*M$'
	has_no_line 'when it booted' <(of_log "$CONSOLE")
	sed '/Memory: /s/ available//' "$t/boot" > "$t/other"
	has_no_line '^RAM' <(of_log "$t/other")
}
