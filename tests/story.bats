#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# memowner story: each figure of a sentence is in the output of the command that the sentence names; events stand in
# the order of their times.

load helper
bats_require_minimum_version 1.5.0

setup_file() {
	export MEMOWNER=$BUILD/memowner OUT=$BATS_FILE_TMPDIR
	local s

	for s in $(samples); do
		story_of "$s" -j > "$OUT/$s.json"
		story_of "$s" > "$OUT/$s.text"
	done
}

samples() {
	ls "$BUILD/samples"
}

# of_dump SAMPLE COMMAND...
of_dump() {
	local dir=$BUILD/samples/$1 vmlinux=()

	[ ! -e "$dir/vmlinux" ] || vmlinux=(--vmlinux "$dir/vmlinux")
	"$MEMOWNER" "${vmlinux[@]}" "$dir/vmcore" "${@:2}"
}

story_of() {
	of_dump "$1" memowner story "${@:2}"
}

# in_one SAMPLE: the commands of $OUT/commands in one session, the n-th answer in $OUT/answer.n
in_one() {
	local dir=$BUILD/samples/$1 vmlinux=()

	[ ! -e "$dir/vmlinux" ] || vmlinux=(--vmlinux "$dir/vmlinux")
	awk -v to="$OUT/answer." '{ print $0 " > " to NR }' "$OUT/commands" > "$OUT/session"
	"$MEMOWNER" "${vmlinux[@]}" -i "$OUT/session" "$dir/vmcore" 2> "$OUT/said" || [ $? = 1 ]
}

@test "each figure of each sentence is in the output of its command, on all samples" {
	local s n=0

	for s in $(samples); do
		has_figures "$OUT/$s.json" in_one "$s" || { echo "sample $s"; false; }
		n=$((n + $(grep -c '"record":"row"' "$OUT/$s.json")))
	done
	[ "$n" -ge 100 ]
}

@test "where memory was not short, processes start that the verdict names, or what else it says of the cause" {
	local s what

	for s in $(samples); do
		grep -q '"event":"verdict".*memory was not short' "$OUT/$s.json" || continue
		while read -r what; do
			grep -e '"event":"verdict"' -e '"event":"holder"' -e '"event":"limit"' -e '"event":"wait"' "$OUT/$s.json" | grep -q -F "$what (" ||
				{ echo "sample $s: $what"; false; }
		done < <(rows "$s" 'select(.event == "start") | .name')
	done
}

# rows SAMPLE FILTER: of its events
rows() {
	jq -r "select(.record == \"row\") | $2" "$OUT/$1.json"
}

@test "the order: by time, what is of the end last; no event is later than the end" {
	local s states='IN("limit", "memory", "user", "pressure", "reclaim", "victim")' first='IN("verdict", "holder")'

	for s in $(samples); do
		echo "$s"
		jq -s -e "map(select(.record == \"row\")) | map(.event | if $first then 0 elif $states then 2 else 1 end) | . == sort" "$OUT/$s.json"
		jq -s -e "(.[0].panic_time_ns) as \$last | map(select(.record == \"row\" and (.event | $states or $first | not)) | .ts_ns)
			| (map(select(. != null)) | . == sort and .[-1] <= \$last) and (index(null) as \$i | \$i == null or (.[\$i:] | all(. == null)))" "$OUT/$s.json"
		[ "$(rows "$s" 'select(.event | IN("verdict", "holder") | not) | .event' | head -n 1)" = boot ]
	done
}

@test "what is of the end has its label once; users of memory are none of what happened where that was not short" {
	local s

	for s in $(samples); do
		[ "$(grep -c '^ *at the end  ' "$OUT/$s.text")" -le 1 ]
		refute grep -q '; [^ ]* last ran then' "$OUT/$s.text"
		jq -e -s 'any(.[]; .event == "verdict" and (.sentence | test("memory was not short: ")))
			and all(.[]; .event != "holder")' "$OUT/$s.json" > /dev/null || continue
		jq -e -s 'all(.[]; .event != "user")' "$OUT/$s.json" > /dev/null
	done
}

@test "the verdict and the holder stand on top, in the words of the summary" {
	local s part n=0

	for s in $(samples); do
		of_dump "$s" memowner -j > "$OUT/summary.json"
		of_dump "$s" memowner > "$OUT/summary"
		for part in verdict:verdict holder:holds_most; do
			echo "$s ${part%:*}"
			[ "$(rows "$s" "select(.event == \"${part%:*}\") | .sentence")" = \
				"$(jq -s -r "map(select(.record == \"${part#*:}\"))[0].remark // empty" "$OUT/summary.json")" ]
			# "verdict   TEXT" of the one is "verdict   TEXT. [memowner]" of the other, in front of all times.
			diff <(sed -n "/^times /q; s/^${part%:*}  *\(.*\)\. \[memowner\]\$/\1/p" "$OUT/$s.text") \
				<(sed -n "s/^${part%:*}  *//p" "$OUT/summary")
			n=$((n + $(rows "$s" "select(.event == \"${part%:*}\") | .event" | grep -c . || :)))
		done
	done
	[ "$n" -ge 15 ]
}

@test "times: of the log its records, of processes /proc/PID/stat, of files their inodes, of the day the timekeeper" {
	local s pid ns ticks n=0

	for s in $(samples); do
		echo "$s"
		diff <(rows "$s" 'select(.event | IN("oom", "allocation", "mem_info")) | .ts_ns' | sort) \
			<(of_dump "$s" memowner log -j -n 0 | jq 'select(.record == "row") | .ts_ns' | sort)
		while read -r pid ns; do
			ticks=$(awk -v pid="$pid" '{ line = $0; sub(/.*\) /, "") } line ~ "^" pid " " { print $20 }' "$BUILD/samples/$s/truth/task_stat" 2> /dev/null || true)
			[ "$ticks" = '' ] || [ "$ticks" = $((ns / 10000000)) ] || { echo "$pid: $ns ns, $ticks ticks"; false; }
			[ "$ticks" = '' ] || n=$((n + 1))
		done < <(rows "$s" 'select(.event == "start" and (.command | contains("pid="))) | [(.command | capture("pid=(?<n>[0-9]+)").n), .ts_ns] | @tsv')
		for ns in $(rows "$s" 'select(.event == "written") | .utc_s'); do
			of_dump "$s" memowner files -j -n 5 | jq -e -s --argjson s "$ns" 'map(.mtime_utc_s) | index($s)' > /dev/null
		done
		[ "$(rows "$s" 'select(.event | IN("panic", "end")) | .utc_s')" = "$(of_dump "$s" memowner case -j | jq 'select(.record == "case") | .end_utc_s')" ]
	done
	[ "$n" -ge 3 ]
}

@test "one page: 60 lines of 80 columns, the words of the pipe, where each sentence is one line" {
	local s dir vmlinux

	for s in $(samples); do
		echo "$s"
		dir=$BUILD/samples/$s vmlinux=()
		[ ! -e "$dir/vmlinux" ] || vmlinux=(--vmlinux "$dir/vmlinux")
		on_screen 80 "${vmlinux[@]}" "$dir/vmcore" story > "$OUT/screen"
		[ "$(wc -l < "$OUT/screen")" -le 60 ]
		refute grep -E '.{81}| $' "$OUT/screen"
		diff <(screen_words "$OUT/screen") <(screen_words "$OUT/$s.text")
		# A row of JSON is a line, but for those that are folded and counted.
		[ "$(grep -c '\]$' "$OUT/$s.text")" -le "$(rows "$s" .event | grep -c .)" ]
		[ "$(($(sed -n 's/^ *\.\.\. *\(.*\) more[.,].*/\1/p' "$OUT/$s.text" | grep -o -E '[0-9]+' | paste -s -d + | sed 's/^$/0/') + $(grep '\]$' "$OUT/$s.text" | grep -v -c '^ *\.\.\. ')))" = "$(rows "$s" .event | grep -c .)" ]
	done
}

@test "nothing is claimed of what was not read: a dump that is cut, one with holes" {
	local dir=$BUILD/samples/6.12-oom

	head -c 9700000 "$dir/vmcore" > "$OUT/cut"
	run --separate-stderr "$MEMOWNER" --vmlinux "$dir/vmlinux" "$OUT/cut" story -j
	[ "$status" = 0 ]
	jq -s -e '.[-1] | .complete == false and (.unknown | map(.part) | index("counters of reclaim") != null)' <<< "$output"
	run --separate-stderr "$MEMOWNER" --vmlinux "$dir/vmlinux" "$OUT/cut" story
	[ "$status" = 0 ]
	[[ "$output" = *$'\nUnknown: '*'; counters of reclaim (vm_event_states at '*' is not in this dump)'* ]]
	[ "$(jq -s '.[-1].complete' "$OUT/6.12-holed.json")" = false ]
	grep -q '^Unknown: .*the task list ends early' "$OUT/6.12-holed.text"
	grep -q 'leaky: at least .* the oldest known allocated' "$OUT/6.12-holed.text"
}

@test "of a log alone: the events of the log are those of the dump, each figure is in the log" {
	local s log

	for s in $(samples); do
		log=$BUILD/samples/$s/truth/console
		[ -e "$log" ] || continue
		echo "$s"
		# Without a report a log says nothing of memory: status 1.
		"$MEMOWNER" --log "$log" story -j > "$OUT/log" || [ "$(jq -s '.[-1].complete' "$OUT/log")" = false ]
		has_figures "$OUT/log" alone "$MEMOWNER"
		diff <(rows "$s" 'select(.event | IN("oom", "allocation", "mem_info", "change", "panic")) | .sentence' | sed -E 's/^(first|only) report of the log on memory: //') \
			<(jq -r 'select(.record == "row" and (.event | IN("oom", "allocation", "mem_info", "change", "panic"))) | .sentence' "$OUT/log" | sed -E 's/^(first|only) report of the log on memory: //')
	done
}

@test "the commands of a story of a log are typed with -L FILE as its head says, that of the summary too" {
	printf '[    1.000000] Linux version 6.12.0 (a@b) #1 SMP\n' > "$OUT/c1"
	report 1 5 1000 >> "$OUT/c1"
	"$MEMOWNER" --log "$OUT/c1" story > "$OUT/text"
	grep -q -F ", with -L $OUT/c1" "$OUT/text"
	"$MEMOWNER" -L "$OUT/c1" > "$OUT/summary"
	"$MEMOWNER" --log "$OUT/c1" | diff - "$OUT/summary"
	grep -q 'only report of the log on memory: ' "$OUT/text"
	report 2 6 1000 >> "$OUT/c1"
	"$MEMOWNER" --log "$OUT/c1" story | grep -q 'first report of the log on memory: '
}

# report N SECONDS FREE
report() {
	printf '[%5d.00000%d] %s\n' "$2" 1 "web$1 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0" \
		"$2" 2 'Mem-Info:' "$2" 3 "active_anon:1000 inactive_anon:$((1000 * $1)) isolated_anon:0"
	printf '%s\n' ' active_file:0 inactive_file:9 isolated_file:0' ' unevictable:4 dirty:0 writeback:0' \
		" slab_reclaimable:1460 slab_unreclaimable:$((256 * $1))" ' mapped:4142 shmem:5391 pagetables:1202' " free:$3 free_pcp:0 free_cma:0"
	printf '[%5d.00000%d] %s\n' "$2" 4 'Node 0 DMA: 1*4kB (U) 0*8kB = 4kB' \
		"$2" 5 "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/,task=db,pid=$((1000 + $1)),uid=0" \
		"$2" 6 "Out of memory: Killed process $((1000 + $1)) (db) total-vm:5000kB, anon-rss:$((1024 * $1))kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:44kB oom_score_adj:0"
}

# Of a storm each kill is told; of a longer one those behind the first are counted, and what was asked of them is unknown.
@test "a storm of kills: the first and the last stand, the others are counted" {
	local i

	for ((i = 1; i <= 600; i++)); do
		report $i $((100 + 7 * i)) $((5120 - 8 * i))
	done > "$OUT/long.log"
	awk '/invoked oom-killer/ && ++n > 40 { exit } 1' "$OUT/long.log" > "$OUT/storm.log"
	for i in storm long; do
		"$MEMOWNER" --log "$OUT/$i.log" story > "$OUT/$i"
		"$MEMOWNER" --log "$OUT/$i.log" story -j > "$OUT/$i.json"
		"$MEMOWNER" --log "$OUT/$i.log" > "$OUT/$i.summary"
		has_figures "$OUT/$i.json" alone "$MEMOWNER"
		grep -q '^107\.000001  web1 invoked the OOM killer, order 0, GFP_KERNEL; CONSTRAINT_NONE; killed db (1001); the victim had 1\.0M of anonymous memory\.' <(sed 's/^ *//' "$OUT/$i")
		[ "$(grep -c 'invoked the OOM killer' "$OUT/$i")" = 6 ]
	done
	[ "$(grep -c 'invoked oom-killer' "$OUT/storm.log")" = 40 ]
	refute grep -q 'not kept' "$OUT/storm"
	[ "$(jq -r 'select(.event == "oom") | .event' "$OUT/storm.json" | grep -c .)" = 40 ]
	grep -q '^ *\.\.\.  34 reports of the OOM killer more, between 128\.000001 and 359\.000001 s\.' "$OUT/storm"
	# Those of one second have no span.
	sed 's/^\[ *[0-9]*\./[  107./' "$OUT/storm.log" > "$OUT/one.log"
	"$MEMOWNER" --log "$OUT/one.log" story > "$OUT/one"
	grep -q '^ *\.\.\.  [0-9]* reports of the OOM killer more, at 107\.000001 s\.' "$OUT/one"
	grep -q '^380\.000001  web40 invoked .*killed db (1040); the victim had 40\.0M' "$OUT/storm"
	grep -q '^380\.000001  memory at this report: free 18\.8M (20\.0M at the first report), LRU lists of anonymous and shared memory 160\.2M (7\.8M at the first report), unreclaimable slab 40\.0M (1\.0M at the first report)\.' "$OUT/storm"
	grep -q '; the newest of at least 40 reports of the OOM killer' "$OUT/storm.summary"
	grep -q '; at least 39 were killed before, the last, db (1039)' "$OUT/storm.summary"
	# 600 less twice 64
	grep -q '^ *114\.000001  128 more reports were found and not kept' "$OUT/long"
	[ "$(jq -r 'select(.event == "oom") | .event' "$OUT/long.json" | grep -c .)" = 472 ]
	grep -q '; the newest of at least 472 reports of the OOM killer' "$OUT/long.summary"
	grep -q '; at least 471 were killed before' "$OUT/long.summary"
	jq -s -e '.[-1].complete == false' "$OUT/long.json"
	"$MEMOWNER" --log "$OUT/long.log" log -f victim_pid=1020 > "$OUT/asked"
	grep -q -- '-f victim_pid=1020: nothing that is known has it' "$OUT/asked"
	grep -q 'victim_pid is unknown of 128 reports, which -f leaves out' "$OUT/asked"
	"$MEMOWNER" --log "$OUT/storm.log" log -f victim_pid=1020 > "$OUT/asked"
	grep -q 'web20 .* 1020  *db' "$OUT/asked"
}

# CPUs write with stamps of their own: the end of a log is its newest stamp, and nothing is told behind it.
@test "a log whose last line is older than one before: the end is the newest" {
	printf '[%11s] %s\n' 0.000000 'Linux version 6.1.0 (a@b) #1 SMP' 236.629032 'watchdog: BUG: soft lockup - CPU#1 stuck for 21s! [journal:387]' \
		237.278895 'rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:' 236.686451 'R13: 0000000000000000' > "$OUT/behind.log"
	"$MEMOWNER" --log "$OUT/behind.log" story > "$OUT/behind"
	[[ $(grep '^ *[0-9][0-9.]*  ' "$OUT/behind" | tail -n 1) = *'237.278895  the log ends without a panic. [memowner]' ]]
	"$MEMOWNER" --log "$OUT/behind.log" > "$OUT/behind"
	grep -q '4 records up to 237\.278895 s' "$OUT/behind"
}

@test "a log without times: its order, and no time" {
	report 1 100 2560 > "$OUT/two.log"
	report 2 200 2500 >> "$OUT/two.log"
	sed -i 's/^\[[^]]*\] //' "$OUT/two.log"
	"$MEMOWNER" --log "$OUT/two.log" story -j > "$OUT/two"
	jq -s -e 'map(select(.event == "oom") | .sentence | .[0:5]) == ["web1 ", "web2 "] and all(.[]; .ts_ns == null)' "$OUT/two"
	"$MEMOWNER" --log "$OUT/two.log" story | grep -q '^clocks    The log has no times since boot: events are in the order of its lines\.$'
}

@test "a log without times since boot: what came before a report stands before it, in each form of its lines" {
	local order='map(select(.event == "warning" or .event == "oom" or .event == "end") | .event)'

	{
		echo 'Mar 03 10:11:12 web01 kernel: ------------[ cut here ]------------'
		echo 'Mar 03 10:11:12 web01 kernel: WARNING: CPU: 0 PID: 7 at mm/foo.c:12 foo_alloc+0x10/0x20'
		echo 'Mar 03 10:11:12 web01 kernel: CPU: 0 PID: 7 Comm: web7 Not tainted 6.12.95 #1'
		echo 'Mar 03 10:11:12 web01 kernel: RIP: 0010:foo_alloc+0x10/0x20'
		report 1 100 2560 | sed -E 's/^\[[^]]*\] /Mar 03 10:11:12 web01 kernel: /'
	} > "$OUT/dated.log"
	sed 's/^Mar 03 10:11:12 web01 kernel: //' "$OUT/dated.log" > "$OUT/bare.log"
	for of in dated bare; do
		"$MEMOWNER" --log "$OUT/$of.log" story -j > "$OUT/$of"
		[ "$(jq -s -c "$order" "$OUT/$of")" = '["warning","oom","end"]' ]
	done
	"$MEMOWNER" --log "$OUT/bare.log" story | grep -q '^ *-  Linux 6.12.95 booted, before the log begins\.'
}

@test "the guide has the page of a sample" {
	local dir=$BUILD/samples/6.12-hog-frames

	diff <(sed -n '/^<!-- story 6.12-hog-frames -->/,$p' "$TESTS/../doc/guide.md" | sed '1,/^\$ memowner/d; /^```/,$d') \
		<(on_screen 80 --vmlinux "$dir/vmlinux" "$dir/vmcore" story)
}

@test "synthetic kernels, with what is missing or damaged: a page, and rows as the schema has them" {
	local kernel

	for kernel in v6_9 v4_19 v5_10-holed tasks_6_12-loop no_owner tags_6_12 oops_6_12 oops_6_12-torn oops_6_12-gone oops_6_12-memcg broken-ram_loop broken-no_section; do
		echo "$kernel"
		synthetic $kernel 'memowner story' "memowner story -j > $OUT/rows.$kernel" > "$OUT/text"
		[ "$(wc -l < "$OUT/text")" -le 60 ]
		grep -q . "$OUT/text"
	done
	"$TESTS/tools/validate" "$OUT"/rows.*
	synthetic oops_6_12-memcg 'memowner story' | grep -q '^10\.000000 .*eater (45) invoked the OOM killer, order 0, GFP_KERNEL, cgroup /box; CONSTRAINT_MEMCG; killed eater (90)'
}

@test "limits that the first screen names are of the end, with who uses them up" {
	local dir=$BUILD/samples/6.12-stock-oom poke='memowner_poke files_stat/files_stat_struct.max_files:8=300 memowner story'

	printf '%s\n' "$poke -j > $OUT/limit" "$poke > $OUT/limit.text" > "$OUT/commands"
	"$BUILD/tested" --vmlinux "$dir/vmlinux" -i "$OUT/commands" "$dir/vmcore"
	jq -s -e 'any(.[]; .event == "limit" and .name == "postgres" and .command == "memowner" and
		(.sentence | startswith("fs.file-max is used by 11 processes postgres: 103 open files (")))' "$OUT/limit"
	grep -q 'fs\.file-max is used by 11 processes postgres' "$OUT/limit.text"
	refute grep -q '"event":"limit"' "$OUT/6.12-stock-oom.json"
}

@test "of a log without stamps the time of boot is that of its first line only where it begins with the kernel" {
	local log=$BUILD/samples/6.12-oom/truth/console

	sed 's/^\[ *[0-9.]*\] /Mar 03 10:11:12 web01 kernel: /' "$log" > "$OUT/whole"
	grep -a -A 1000 ' invoked oom-killer' "$OUT/whole" > "$OUT/late"
	"$MEMOWNER" --log "$OUT/whole" story | grep -q -E '^ +10:11:12  Linux 6\.12\.95 booted on host web01'
	"$MEMOWNER" --log "$OUT/late" story | grep -q -E '^ +-  +Linux 6\.12\.95 booted on host web01'
	"$MEMOWNER" --log "$OUT/late" story -j | jq -e -s 'map(select(.event == "boot")) | length == 1 and .[0].log_date == null'
}

# What began it stands first, and the last time behind it; what began once, of a log alone, is not known to be over.
@test "programs that died of themselves: the first time and the last" {
	printf '[%11s] %s\n' 0.000000 'Linux version 6.1.0 (a@b) #1 SMP' \
		37.043948 'feed[221]: segfault at 18 ip 0000000000401810 sp 00007ffc96322f48 error 4 in feed[401000+79000]' \
		47.043948 'feed[231]: segfault at 18 ip 0000000000401810 sp 00007ffc96322f48 error 4 in feed[401000+79000]' \
		57.043948 'once[241]: segfault at 18 ip 0000000000401810 sp 00007ffc96322f48 error 4 in once[401000+79000]' \
		67.043948 'feed[251]: segfault at 18 ip 0000000000401810 sp 00007ffc96322f48 error 4 in feed[401000+79000]' \
		90.000000 'end' > "$OUT/crashes.log"
	"$MEMOWNER" --log "$OUT/crashes.log" story > "$OUT/crashes"
	"$MEMOWNER" --log "$OUT/crashes.log" story -j > "$OUT/crashes.json"
	has_figures "$OUT/crashes.json" alone "$MEMOWNER"
	grep -q '^ *37\.043948  feed ended by an exception of its own, the first of 3 times\. ' "$OUT/crashes"
	grep -q '^ *67\.043948  feed did so the last of these times: feed\[251\]: segfault at 18 ' "$OUT/crashes"
	[ "$(grep -c 'once' "$OUT/crashes")" = 0 ]
	"$MEMOWNER" --log "$OUT/crashes.log" | grep -q 'feed ended by an exception of its own 3 times by the log, 53\.0s before the end for the first time; the last: feed\[251\]'
}

# A mail may quote what is newer first, by less than another boot would be.
@test "two parts of a log, the newer first: the log begins and ends with their times, in the case and the story" {
	report 1 107 5112 > "$OUT/parts.log"
	sed -i 's/^\[ *\([0-9]*\)\./[  \1./; /oom-kill:/,$d' "$OUT/parts.log"
	{ echo '[  111.400000] late invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0'; cat "$OUT/parts.log"; } > "$OUT/swapped.log"
	"$MEMOWNER" --log "$OUT/swapped.log" story > "$OUT/swapped"
	[ "$(grep '^ *[1-9][0-9.]*  ' "$OUT/swapped" | head -n 1 | sed 's/^ *//')" = '107.000001  the log begins: what was logged before is missing. [memowner log]' ]
	[ "$(grep '^ *[1-9][0-9.]*  ' "$OUT/swapped" | tail -n 1 | sed 's/^ *//')" = '111.400000  the log ends without a panic. [memowner]' ]
	grep -q '^ *the log ends 1\.9min after boot' "$OUT/swapped"
	"$MEMOWNER" --log "$OUT/swapped.log" > "$OUT/swapped"
	grep -q '^verdict   memory ran out: ' "$OUT/swapped"
	grep -q '^trigger   web1 asked last of those whose report this log has' "$OUT/swapped"
	grep -q '^OOM .* 4\.4s before the end of the log: web1 .*; then late asked, in a report of which this log has the first lines' "$OUT/swapped"
	[ "$("$MEMOWNER" --log "$OUT/swapped.log" log -j | jq -r 'select(.record == "row") | .comm')" = $'late\nweb1' ]
}

@test "lines long after a panic are of another boot, and none of this one's story" {
	{
		printf '[%11s] %s\n' 0.000000 'Linux version 6.1.0 (a@b) #1 SMP' 36.100000 'Kernel panic - not syncing: System is deadlocked on memory' \
			36.200000 '---[ end Kernel panic - not syncing: System is deadlocked on memory ]---'
	} > "$OUT/over.log"
	cp "$OUT/over.log" "$OUT/soon.log"
	echo '[   90.000000] watchdog: BUG: soft lockup - CPU#2 stuck for 26s! [dd:70]' >> "$OUT/soon.log"
	echo '[ 4606.000000] watchdog: BUG: soft lockup - CPU#2 stuck for 26s! [dd:70]' >> "$OUT/over.log"
	"$MEMOWNER" --log "$OUT/soon.log" story | grep -q '^ *90\.000000  CPU 2 was stuck'
	"$MEMOWNER" --log "$OUT/over.log" story > "$OUT/over"
	refute grep -q 'CPU 2' "$OUT/over"
	grep -q '^ *36\.100000  the kernel panicked: System is deadlocked on memory' "$OUT/over"
	grep -q '^boots     The file has 2 parts, as its clock goes on long after a panic, of several boots or in another order; this is number 1\. -L FILE:N is part N of it, the others have 1 line of CPUs that were stuck\.$' "$OUT/over"
	"$MEMOWNER" --log "$OUT/over.log" log | grep -q '^warning: 2 parts in this file, as its clock goes on long after a panic: '
	has_no_line -q 'CPU 2' <("$MEMOWNER" --log "$OUT/over.log")
}

# Another task causes it hours later: each sentence has one time, and the task of then.
@test "a complaint that comes again, of another task: the first time has its own" {
	{
		for i in '1 1 init first_open' '9000 70 loader late_open'; do
			set -- $i
			printf '[%5d.000000] %s\n' "$1" '------------[ cut here ]------------' "$1" "WARNING: CPU: 0 PID: $2 at mm/slub.c:100 check_tag+0x1/0x20" \
				"$1" "CPU: 0 PID: $2 Comm: $3 Not tainted 6.10.0 #1" "$1" 'Call Trace:' "$1" " $4+0x1/0x20" "$1" '---[ end trace 0000000000000000 ]---'
		done
	} > "$OUT/again.log"
	"$MEMOWNER" --log "$OUT/again.log" story | grep -q '^ *1\.000000  the kernel complained: WARNING at mm/slub.c:100 check_tag, called by first_open, task init (1), the first of 2 times\. '
	[ "$("$MEMOWNER" --log "$OUT/again.log" log -j | jq -c 'select(.complaint) | [.ts_ns, .count, .pid, .comm]')" = '[1000000000,2,1,"init"]' ]
}

@test "a kill whose report the log lacks: it is not said that there was none, and what the kernel left out is told" {
	{
		report 1 107 5112
		echo '[  108.000000] oom_kill_process: 214 callbacks suppressed'
		echo '[  108.000001] Out of memory: Killed process 1009 (db) total-vm:5000kB, anon-rss:2048kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:44kB oom_score_adj:0'
	} > "$OUT/left.log"
	tail -n 1 "$OUT/left.log" > "$OUT/first.log"
	for i in first left; do
		"$MEMOWNER" --log "$OUT/$i.log" story > "$OUT/$i"
		refute grep -q 'without a report' "$OUT/$i"
		grep -q '^ *108\.000001  db (1009) was killed; the log has no report of it; ' "$OUT/$i"
	done
	grep -q '^ *108\.000000  the kernel has left out 214 reports of the OOM killer, up to here: it limits their rate\. \[memowner log\]' "$OUT/left"
	"$MEMOWNER" --log "$OUT/left.log" log | grep -q '^warning: the kernel left out 214 reports of the OOM killer: it limits their rate$'
	"$MEMOWNER" --log "$OUT/left.log" | grep -q '; 214 reports of the OOM killer that the kernel left out, as it limits their rate$'
	sed 's/oom_kill_process/warn_alloc/' "$OUT/left.log" > "$OUT/failed.log"
	"$MEMOWNER" --log "$OUT/failed.log" log | grep -q '^warning: the kernel left out 214 reports of failed allocations: it limits their rate$'
	has_no_line -q 'left out' <("$MEMOWNER" --log "$OUT/failed.log")
}

# Its words are in no line of the summary, where the machine ran out of memory as well.
@test "what single lines tell of disks, devices and the hardware is in the rows of memowner log" {
	{
		printf '[%11s] %s\n' 10.000000 'MCE: Killing victim:70 due to hardware memory corruption fault at 7f0000000000' \
			11.000000 'MCE: Killing victim:71 due to hardware memory corruption fault at 7f0000001000' \
			12.000000 'md/raid:md1: Disk failure on vdb1, disabling device.' \
			13.000000 'BUG: Bad page state in process kcompactd0  pfn:15dd7' \
			14.000000 'EXT4-fs error (device vda): ext4_lookup:70: inode #2: comm ls: deleted inode referenced: 12'
		report 1 107 5112
	} > "$OUT/signs.log"
	"$MEMOWNER" --log "$OUT/signs.log" story -j > "$OUT/signs"
	has_figures "$OUT/signs" alone "$MEMOWNER"
	[ "$(grep -c '"the log has [^"]*"[^}]*"command":"memowner log' "$OUT/signs")" = 4 ]
	"$MEMOWNER" --log "$OUT/signs.log" log -j | jq -c 'select(.sign) | [.record, .ts_ns / 1e9, .count, .sign, .message]' > "$OUT/rows"
	diff - "$OUT/rows" <<-'END'
		["sign",14,1,"an error of a file system","EXT4-fs error (device vda): ext4_lookup:70: inode #2: comm ls: deleted inode referenced: 12"]
		["sign",11,2,"an error of the hardware","MCE: Killing victim:71 due to hardware memory corruption fault at 7f0000001000"]
		["sign",13,1,"state of pages or of swap that cannot be","BUG: Bad page state in process kcompactd0  pfn:15dd7"]
		["sign",12,1,"an error of a device","md/raid:md1: Disk failure on vdb1, disabling device."]
	END
	"$MEMOWNER" --log "$OUT/signs.log" log | grep -q '^Other lines that tell what went wrong:$'
}
