#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Tasks inside a page fault in a real dump, $SAMPLE, against what its guest
# (scripts/sample/guest/stuck) wrote down of them, in every mode of $MODES that crash opens it in.

load helper

setup_file() {
	export DIR=$BUILD/samples/$SAMPLE OUT=$BATS_FILE_TMPDIR
	export TRUTH=$DIR/truth
	export SAID
	SAID=$(answers ${MODES##* })
	jq -c 'select(.record == "row")' "$SAID/blocked.json" > "$OUT/rows"
}

ask() {	# MODE COMMAND...
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $1) -- "${@:2}"
}

row() {	# COMM FILTER
	jq -r "select(.comm == \"$1\") | $2" "$OUT/rows"
}

# What tests/probe says of VMAs and stacks.
probe() {	# ARGUMENT...: a command for each 20
	{
		echo "extend $OBJECTS/probe.so"
		printf '%s\n' "$@" | xargs -n 20 echo memowner_probe
		echo quit
	} > "$OUT/probe.in"
	timeout 300 $CRASH $(option_of $DOOR) -s -i "$OUT/probe.in" "$DIR/vmlinux" "$DIR/vmcore" < /dev/null |
		grep -a -E '^(vma|frame|stack) '
}

@test "each task that the guest has in a fault: thread, address, access, mode, file, what it waits for" {
	# The newest clock of a task's line is not told here.
	awk '$4 != "none" { print $1, $2, $3, $4, $5, $6, $7, $8 }' "$TRUTH/stuck" | sort > "$OUT/told"
	[ "$(wc -l < "$OUT/told")" = 8 ]
	# A fault that waits for mmap_lock has no struct vm_fault, which has the access; before
	# 6.1 the struct has the page of the address only, the byte is in the frames or unknown.
	jq -r 'select(.comm != "hungry") |
		[.pid, .tgid, .comm,
		 ({ page_lock: "file" }[.waits_for] // .waits_for),
		 (.access // (if .waits_for == "mmap_lock" then "read" else "unknown" end)), .mode,
		 .address, (if .vma_file == "[anon]" then "-" else .vma_file end)] | join(" ")' \
		"$OUT/rows" | sort > "$OUT/found"
	diff "$OUT/told" "$OUT/found"
	[ "$(row waiter .access)" = null ]
	[ "$(row waiter .address_source)" = stack ]
}

@test "memowner: the process that has the memory, threads in a fault; what page_owner lacks, or the boot option" {
	local lack='not recorded owners: page_owner was off at boot: it needs page_owner=on on the kernel command line'

	if grep -q page_owner=on "$TRUTH/cmdline"; then
		lack='not there process and age of owners: page_owner of this kernel has none'
	fi
	[ "$(wc -l < "$SAID/summary.txt")" -le 40 ]
	grep -q '^   process  *[0-9.]*M  *[0-9.]*%  *[0-9.]*s  hungry (1), anon$' "$SAID/summary.txt"
	grep -q '^  anon .* high, from 60% on: memory of processes$' "$SAID/summary.txt"
	tr -s ' \n' ' ' < "$SAID/summary.txt" | grep -q 'in a page fault: .*, 6 more '
	# In short where the screen has no room left.
	tr -s ' \n' ' ' < "$SAID/summary.txt" | grep -q -E "$lack |(unknown|not recorded|not there) [a-z ,]*owners: .* -j has the reasons"
	[ "$(jq -r 'select(.record == "next") | .command' "$SAID/summary.json" | head -n 3 | xargs -d '\n')" = \
		'memowner processes -o +ppid,executable -f comm=hungry memowner stuck memowner cgroups' ]
	# Three of them are named.
	jq -r 'select(.record == "in_fault") | "\(.pid) \(.waits_for) \(.address)"' "$SAID/summary.json" | sort > "$OUT/named"
	[ "$(wc -l < "$OUT/named")" = 3 ]
	[ "$(jq -r '"\(.pid) \(.waits_for) \(.address)"' "$OUT/rows" | sort | comm -23 "$OUT/named" -)" = '' ]
}

@test "nothing else is in a fault but the task that ran out of memory" {
	[ "$(jq -r .comm "$OUT/rows" | sort | xargs)" = 'copy holder hungry reader second swapin uffd uffdcopy waiter' ]
	[ "$(row hungry '[.pid, .mode, .access, .waits_for, .address_source[0:2], .blocked_ns] | map(tostring) | join(" ")')" = \
		"1 user write oom_killer $(row swapin '.address_source[0:2]') null" ]
	[[ "$(row hungry '[.stack[].symbol] | join(" ")')" = *out_of_memory*' '*handle_mm_fault*@(' asm_exc_'| )page_fault ]]
	tail -n 1 "$SAID/blocked.txt" | grep -q '^9 of [0-9]* threads are inside a page fault$'
	[ "$(jq -r 'select(.record == "summary") | "\(.status) \(.complete) \(.warnings | length)"' "$SAID/blocked.json")" = 'ok true 0' ]
}

@test "since when: after the task told of itself, before the guest read it" {
	local t0

	t0=$(cat "$TRUTH/t0")
	panic=$(jq -r 'select(.record == "meta") | .panic_time_ns' "$SAID/blocked.json")
	while read -r _ _ name reason _ _ _ _ clock; do
		[ "$reason" != none ] || continue
		read -r since age source <<< "$(row "$name" '"\(.since_ns) \(.blocked_ns) \(.since_source)"')"
		echo "$name $clock $since $t0 $age $source"
		# A tick is 4 ms; the time of the last run does not count interrupts.
		[ "$((since + 20000000))" -ge "$clock" ]
		[ "$since" -lt "$t0" ]
		[ "$age" = "$((panic - since))" ]
	done < "$TRUTH/stuck"
}

@test "faults -b and memowner stuck have one answer of each thread: what it waits for, who has it; the summary, too" {
	same_waits "$SAID/blocked.json" "$SAID/stuck.json" "$OUT/same"
	[ "$(wc -l < "$OUT/same")" = 9 ]
}

@test "who waits for mmap_lock is told its holder, which is a writer" {
	[ "$(row waiter '"\(.lock_holder) \(.holder_mode)"')" = "$(awk '$3 == "holder" { print $1 }' "$TRUTH/stuck") writer" ]
	# A userfaultfd that no other process has open.
	[ "$(jq -r 'select(.comm != "waiter") | if .waits_for == "userfaultfd" then .lock_holder == .tgid else .lock_holder == null end' "$OUT/rows" | sort -u)" = true ]
}

@test "the states are those of /proc" {
	jq -r 'select(.comm != "hungry") | "\(.pid) \(.task_state)"' "$OUT/rows" | sort > "$OUT/states"
	awk '{ print $1 }' "$OUT/states" | while read -r pid; do
		sed -n "s/^\($pid\) (.*) \([A-Z]\) .*/\1 \2/p" "$TRUTH/task_stat"
	done > "$OUT/states.told"
	diff "$OUT/states.told" "$OUT/states"
}

@test "the VMA of an address is that of /proc/PID/maps" {
	jq -r 'select(.comm != "hungry" and .tgid != '"$(awk '$3 == "holder" { print $2 }' "$TRUTH/stuck")"') |
		"\(.tgid) \(.vma_start[2:])-\(.vma_end[2:]) \(.vma_perms)"' "$OUT/rows" > "$OUT/vmas"
	[ "$(wc -l < "$OUT/vmas")" = 6 ]
	while read -r tgid range perms; do
		grep -E "^$tgid 0*${range%-*}-0*${range#*-} $perms " "$TRUTH/maps"
	done < "$OUT/vmas"
	[ "$(row holder '"\(.vma_start) \(.vma_perms)"')" = "$(awk '$3 == "holder" { print $7 }' "$TRUTH/stuck") rw-p" ]
}

@test "every VMA of every process: bounds, permissions, offset and name as in /proc/PID/maps" {
	# init has become another program since.
	awk '$1 != 1 && $2 !~ /^ffffffff/ { name = $7; for (i = 8; i <= NF; i++) name = name " " $i
		print "vma " $1, $2, $3, $4 (name == "" ? "" : " " name) }' "$TRUTH/maps" | sort -u > "$OUT/maps.told"
	[ "$(wc -l < "$OUT/maps.told")" -gt 50 ]
	probe $(awk '{ split($3, a, "-"); print "user:" $2 ":" a[1] }' "$OUT/maps.told") | sort -u > "$OUT/maps.found"
	diff "$OUT/maps.told" "$OUT/maps.found"
}

@test "the kernel stacks of sleeping threads are those of /proc/PID/stack, frame for frame" {
	local pid

	probe stacks > "$OUT/frames"
	refute grep -E ' (none|cut)' "$OUT/frames"
	# /proc leaves out functions of the scheduler and of locks; which ones differs.
	local left_out='^(__schedule|schedule|schedule_[a-z_]+|io_schedule|_*rwsem_down_[a-z_]+|down_[a-z_]+)\+'
	awk '{ print $1 }' "$TRUTH/stuck" > "$OUT/pids"
	while read -r pid; do
		sed -n "s/^$pid \[<0>\] \(.*\)\/0x.*/\1/p" "$TRUTH/stacks" | grep -v -E "$left_out" > "$OUT/stack.told"
		sed -n "s/^frame $pid \([^ ]*+0x[0-9a-f]*\).*/\1/p" "$OUT/frames" | grep -v -E "$left_out" > "$OUT/stack.found"
		[ "$(wc -l < "$OUT/stack.told")" -ge 3 ]
		diff "$OUT/stack.told" "$OUT/stack.found"
	done < "$OUT/pids"
	# The stack of a row is the same.
	pid=$(row swapin .pid)
	diff <(sed -n "s/^frame $pid \([^ ]*\)+0x.*/\1/p" "$OUT/frames") <(row swapin '.stack[].symbol')
}

@test "filters, sort and rows of faults -b" {
	run ask ${MODES##* } 'faults -b -n 2' 'faults -b -f access=-' 'faults -b -f waits_for=running' 'faults -b -n 9'
	grep 'inside a page fault' <<< "$output" | sed -E 's/of [0-9]* threads/of N threads/' > "$OUT/sums"
	diff "$OUT/sums" - <<- END
		9 of N threads are inside a page fault; 2 of them shown
		9 of N threads are inside a page fault; $(jq 'select(.access == null)' "$OUT/rows" | grep -c '^{') of them shown
		9 of N threads are inside a page fault; 0 of them shown
		9 of N threads are inside a page fault
	END
	run ask ${MODES##* } 'faults -b -j -f waits_for=userfaultfd,swap_in -s pid' 'faults -b -j -X mode=user -n 1' \
		'faults -b -j -f access=-' 'faults -b -j -f vma=/slow/* -f age=9h..' 'faults -b -j -f address=..ffff' \
		'faults -b -f waits_for=nothing'
	[ "$status" = 0 ]
	[ "$(grep '"record":"row"' <<< "$output" | jq -r .comm | xargs)" = "$(row swapin .comm | sed 's/$/,uffd,uffdcopy/' | tr , '\n' | while read -r n; do
		echo "$(row $n .pid) $n"; done | sort -rn | awk '{ print $2 }' | xargs) $(jq -r 'select(.mode != "user") | "\(.blocked_ns) \(.comm)"' "$OUT/rows" | sort -rn | awk 'NR == 1 { print $2 }') waiter" ]
	[[ "$output" = *"unknown waits_for 'nothing', known are: "* ]]
	[ "$(grep -c '"rows_shown":0,"rows_total":0' <<< "$output")" = 2 ]
}

@test "a stack that is not in the dump: unknown, and the sum says so" {
	local copy=$BATS_TEST_TMPDIR/vmcore

	probe stacks > "$OUT/frames"
	cp "$DIR/vmcore" "$copy"
	for name in uffd reader; do
		"$BUILD/tools/kdump" drop "$copy" "$(sed -n "s/^stack $(row $name .pid) //p" "$OUT/frames")" 1
	done
	run run_crash "$DIR/vmlinux" "$copy" $(option_of ${MODES##* }) -- 'faults -b' 'faults -b -j'
	[[ "$output" = *'7 of '*' threads are inside a page fault; unknown of 2 threads without a whole stack'* ]]
	[ "$(sed -n '/^{/p' <<< "$output" | jq -r 'select(.record == "summary") | "\(.complete) \(.warnings[0])"')" = \
		"false $(sed -n 's/^warning: //p' <<< "$output" | grep 'stacks of 2 threads cannot be read: ')" ]
	# The growth of a class rests on its pages alone.
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$copy" -j > "$OUT/holed"
	[ "$(jq -c 'select(.record == "summary") | [.complete, .sizes_complete, (.unknown | any(.part == "deadlocks"))]' "$OUT/holed")" = '[false,true,true]' ]
	jq -c 'if .name == "anon" then .bytes -= 4096 elif .name == "kstack" then empty else . end' "$OUT/holed" > "$OUT/before"
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$copy" -d "$OUT/before" -j > "$OUT/growth"
	[ "$(jq -r 'select(.record == "row" and .change != "same") | "\(.name) \(.change)"' "$OUT/growth" | xargs)" = 'kstack new anon grown' ]
	[ "$(jq -c 'select(.record == "summary") | [.complete, .warnings, .unknown]' "$OUT/growth")" = '[true,[],[]]' ]
}

@test "all modes of crash say the same" {
	for mode in ${MODES% *}; do
		same_through_doors "$SAID" "$(answers $mode)"
	done
}

@test "memowner stuck: who waits for the mmap_lock, by the list of its waiters, and who has it" {
	local holder tgid uffd name pid

	jq -c 'select(.record == "row")' "$SAID/stuck.json" > "$OUT/stuck"
	holder=$(awk '$3 == "holder" { print $1 }' "$TRUTH/stuck") tgid=$(awk '$3 == "holder" { print $2 }' "$TRUTH/stuck") uffd=$(awk '$3 == "uffd" { print $1 }' "$TRUTH/stuck")
	# The third thread of the process wants to map a page: it is in no fault.
	[ "$(jq -r 'select(.lock and .waits_for != "userfaultfd") | "\(.comm) \(.place) \(.waits_for) \(.lock) \(.lock_holder) \(.holder_comm) \(.holder_mode) \(.lock_waiters)"' "$OUT/stuck" | sort)" = \
		"mapper mmap_lock mmap_lock mmap_lock of $tgid $holder holder writer 2
waiter mmap_lock mmap_lock mmap_lock of $tgid $holder holder writer 2" ]
	[ "$(jq -r 'select(.lock and .waits_for != "userfaultfd") | .lock_address' "$OUT/stuck" | sort -u | wc -l)" = 1 ]
	# A page that no other thread can answer for.
	for name in uffd uffdcopy; do
		pid=$(awk -v name=$name '$3 == name { print $1 }' "$TRUTH/stuck")
		[ "$(jq -r --arg name $name 'select(.comm == $name) | "\(.waits_for) \(.lock) \(.lock_holder) \(.holder_mode) \(.deadlocked)"' "$OUT/stuck")" = \
			"userfaultfd userfaultfd of $pid $pid server true" ]
	done
	[ "$("$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" -j | jq -r 'select(.record == "stuck").remark' | sed 's/^[a-z]* ([0-9]*) and [a-z]* ([0-9]*) wait/2 threads wait/; s/, for [0-9.]*s, as/, for a time, as/')" = \
		"2 threads wait for mmap_lock of $tgid, which holder ($holder) has; holder ($holder) waits for page_lock on /slow/locked, for a time, as a thread of stuck ($tgid) of slow; uffd ($uffd) waits for userfaultfd of $uffd, whose other end it alone has open itself, 1 more thread waits for a server" ]
	# Those of faults -b are all there, with the thread that ran out of memory.
	diff <(jq -r .pid "$OUT/rows" | sort) <(jq -r 'select(.place == "page_fault" or .place == "swap_in" or .place == "oom_killer" or .comm == "waiter") | .pid' "$OUT/stuck" | sort)
	[ "$(jq -r 'select(.comm == "swapin") | "\(.place) \(.waits_for)"' "$OUT/stuck")" = 'swap_in swap_in' ]
	# The thread that panicked waits for what faults -b says.
	[ "$(jq -r 'select(.comm == "hungry") | "\(.place) \(.waits_for)"' "$OUT/stuck")" = "oom_killer $(row hungry .waits_for)" ]
	[ "$(jq -r 'select(.thread_kind == "oom_reaper") | "\(.place) \(.waits_for)"' "$OUT/stuck")" = 'idle work' ]
	[ "$(jq -r .basis "$OUT/stuck" | sort -u)" = derived ]
	[ "$(jq -r 'select(.record == "summary") | "\(.status) \(.complete) \(.warnings | length)"' "$SAID/stuck.json")" = 'ok true 0' ]
}

@test "memowner stuck: a thread that runs again, and is in no list of waiters, waits for a CPU, as faults -b says" {
	local lock waiter task

	lock=$(jq -r 'select(.lock and .waits_for == "mmap_lock") | .lock_address' "$SAID/stuck.json" | head -n 1)
	waiter=$(printf 'struct rw_semaphore.wait_list %s\nquit\n' "$lock" | $CRASH -s "$DIR/vmlinux" "$DIR/vmcore" | sed -n 's/.*next = \(0x[0-9a-f]*\).*/\1/p')
	task=$(printf 'struct rwsem_waiter.task %s\nquit\n' "$waiter" | $CRASH -s "$DIR/vmlinux" "$DIR/vmcore" | sed -n 's/.*task = \(0x[0-9a-f]*\).*/\1/p')
	printf "memowner_poke $task/task_struct.__state:4=0%s %s -j\n" '' 'memowner stuck' ",$waiter/rwsem_waiter.task:8=0" 'memowner stuck' \
		",$waiter/rwsem_waiter.task:8=0" 'faults -b' > "$OUT/commands"
	"$BUILD/tested" -i "$OUT/commands" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" > "$OUT/woken"
	# Still in the list, it has yet to take the lock.
	diff <(jq -r 'select(.task_state == "R" and .function == "rwsem_down_read_slowpath") | .waits_for' "$OUT/woken") \
		<(printf 'mmap_lock\ncpu\ncpu\n')
	[ "$(jq -r 'select(.record == "summary") | .warnings[]' "$OUT/woken" | grep -c 'no waiter')" = 0 ]
}

@test "both views: the last reader that waits again has no lock; who was woken from the wait for a page waits for a CPU" {
	local lock noted at=0 view

	lock=$(jq -r 'select(.lock and .waits_for == "mmap_lock") | .lock_address' "$SAID/stuck.json" | head -n 1)
	printf 'ps mapper reader swapin\nquit\n' | $CRASH -s "$DIR/vmlinux" "$DIR/vmcore" | awk '$4 ~ /^ffff/ { print $NF, "0x" $4 }' > "$OUT/tasks"
	task() { awk -v name="$1" '$1 == name { print $2 }' "$OUT/tasks"; }
	noted=$(printf '0x%x' $(($(task mapper) + 1)))
	for view in 'memowner stuck' 'faults -b'; do
		printf 'memowner_poke %s/rw_semaphore.owner:8=%s,%s/task_struct.__state:4=0,%s/task_struct.__state:4=0 %s -j\n' \
			"$lock" "$noted" "$(task reader)" "$(task swapin)" "$view" > "$OUT/commands"
		"$BUILD/tested" -i "$OUT/commands" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" > "$OUT/again$at"
		at=$((at + 1))
	done
	same_waits "$OUT/again1" "$OUT/again0" "$OUT/same"
	# Another reader, by its stack.
	[ "$(jq -r 'select(.comm == "waiter") | "\(.waits_for) \(.holder_comm) \(.holder_mode)"' "$OUT/again0")" = 'mmap_lock holder reader' ]
	[ "$(jq -r 'select(.comm == "reader" or .comm == "swapin") | "\(.task_state) \(.waits_for)"' "$OUT/again0" | xargs)" = 'R cpu R cpu' ]
}

@test "memowner stuck: a holder that sleeps by a system call of its own is unknown, and doubtful in JSON" {
	local lock httpd

	lock=$(jq -r 'select(.lock and .waits_for == "mmap_lock") | .lock_address' "$SAID/stuck.json" | head -n 1)
	httpd=$(printf 'ps httpd\nquit\n' | $CRASH -s "$DIR/vmlinux" "$DIR/vmcore" | awk '$NF == "httpd" { print "0x" $4, $1 }')
	printf "memowner_poke $lock/rw_semaphore.owner:8=${httpd% *} memowner stuck%s\n" '' ' -j' > "$OUT/commands"
	"$BUILD/tested" -i "$OUT/commands" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" > "$OUT/doubtful"
	grep -q '^ *[0-9]* *waiter .* mmap_lock .* -  unknown$' "$OUT/doubtful"
	[ "$(grep '^{' "$OUT/doubtful" | jq -r 'select(.comm == "waiter") | "\(.lock_holder) \(.holder_comm) \(.lock_holder_doubtful)"')" = "null null true" ]
	[ "$(jq -r 'select(.comm == "waiter") | .lock_holder_doubtful' "$SAID/stuck.json")" = false ]
}

@test "memowner stuck: where each thread sleeps is the innermost function of /proc/PID/stack" {
	local pid function

	jq -r 'select(.function and .place != "idle" and .task_state != "R") | "\(.pid) \(.function)"' "$SAID/stuck.json" |
		grep -v -E ' (_*rwsem_down_[a-z_]+|kcompactd|kswapd)$' > "$OUT/functions"
	[ "$(wc -l < "$OUT/functions")" -ge 7 ]
	while read -r pid function; do
		grep -q "^$pid \[<0>\] $function+" "$TRUTH/stacks"
	done < "$OUT/functions"
}
