#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A stock kernel, $SAMPLE, that hangs in deadlocks made on purpose (scripts/sample/guest/deadlocks): memowner stuck
# against what the driver says of its locks and /proc/PID/stack of where each thread was.

load helper

setup_file() {
	export OUT=$BATS_FILE_TMPDIR DIR=$BUILD/samples/$SAMPLE
	"$BUILD/memowner" "$DIR/vmcore" stuck -j -o +stack > "$OUT/json"
	jq -c 'select(.record == "row")' "$OUT/json" > "$OUT/rows"
	"$BUILD/memowner" "$DIR/vmcore" stuck > "$OUT/text"
	# With PREEMPT_RT a mutex is an rt_mutex, and a semaphore has one.
	export MUTEX=mutex OWNER=owner
	if grep -q PREEMPT_RT "$DIR/truth/version"; then MUTEX=rt_mutex OWNER=rwbase.rtmutex.owner; fi
}

lock() {	# NAME: address and thread, as the driver says; mmap_lock was mmap_sem
	sed 's/^mmap_sem /mmap_lock /' "$DIR/truth/locks" | awk -v name="$1" '$1 == name { print $2, $3 }'
}

@test "each lock: its address and name, the thread that has it" {
	for name in deadlock_mutex deadlock_rwsem reclaim_mutex; do
		[ "$(jq -r --arg name "$name [deadlock]" 'select(.lock == $name) | "\(.lock_address) \(.lock_holder)"' "$OUT/rows" | sort -u)" = "$(lock $name)" ]
	done
	[ "$(jq -r 'select(.place == "mmap_lock") | "\(.lock_address) \(.lock_holder) \(.holder_comm) \(.holder_mode)"' "$OUT/rows")" = "$(lock mmap_lock) mmap-holder writer" ]
	# There is no lock that the driver did not name, but that of a file in samples made before.
	[ "$(jq -r 'select(.lock_address and .comm != "queued") | .lock_address' "$OUT/rows" | sort -u)" = "$(awk '{ print $2 }' "$DIR/truth/locks" | sort -u)" ]
}

@test "five kinds of waiters: a deadlock, reclaim, kswapd, a victim with its mmap_lock, others" {
	who() { jq -r --arg name "$1" 'select(.comm == $name) | "\(.place) \(.waits_for) \(.holder_comm) \(.deadlocked)"' "$OUT/rows"; }
	[ "$(who has-mutex)" = 'lock rwsem has-rwsem true' ]
	[ "$(who has-rwsem)" = "lock $MUTEX has-mutex true" ]
	[ "$(who waits)" = "lock $MUTEX has-mutex false" ]
	[ "$(who mmap-holder)" = "lock $MUTEX has-mutex false" ]
	[ "$(who victim)" = 'mmap_lock mmap_lock mmap-holder false' ]
	# Who was first in reclaim has what the others in reclaim wait for.
	[ "$(who dropper)" = "reclaim $MUTEX has-mutex false" ]
	[ "$(who kswapd0)" = "reclaim $MUTEX dropper false" ]
	# By its name, and what it waits for in the function in which both wait: a task that exited with it may have had its task_struct.
	[ "$(jq -r 'select(.comm == "kswapd0") | .lock_holder_doubtful' "$OUT/rows")" = true ]
	# One that allocates gets into the shrinker, or is kept back before, for kswapd.
	[ "$(who hog)" = "reclaim $MUTEX dropper false" ] || [ "$(who hog)" = 'reclaim reclaim kswapd0 false' ]
	[ "$(jq -r 'select(.comm == "kswapd0") | .thread_kind' "$OUT/rows")" = kswapd ]
	[ "$(who oom_reaper)" = 'idle work null false' ]
	grep -q -E '^deadlock: has-mutex \([0-9]+\) waits for deadlock_rwsem \[deadlock\], which has-rwsem \([0-9]+\) has, which waits for deadlock_mutex \[deadlock\], which has-mutex \([0-9]+\) has$' "$OUT/text"
}

@test "the victim keeps its 48 MiB: the OOM reaper gave it up" {
	jq -s -e '.[] | select(.comm == "victim") | .oom_state == "given_up" and .rss_bytes >= 48 * 1048576 and .mm_users == 2' "$OUT/rows"
	grep -q -E '^OOM victim victim \([0-9]+\): not reaped, and not waited for, [0-9.]+M resident, .*; waits for mmap_lock of [0-9]+, which mmap-holder \([0-9]+\) has$' "$OUT/text"
}

@test "the stacks of threads that hung already are those of /proc, what is first of them is wchan" {
	local pid wchan

	for pid in $(jq -r 'select(.comm | IN("has-mutex", "has-rwsem", "waits", "victim", "mmap-holder", "dropper")) | .pid' "$OUT/rows"); do
		# /proc leaves out functions of the scheduler and of locks.
		local waits='__switch_to|__schedule|schedule|schedule_[a-z_]+|_*rwsem_down_[a-z_]+|down_[a-z_]+|__mutex_lock[a-z_.0-9]*|mutex_lock[a-z_]*|rt_mutex_slowlock_block[a-z.0-9]*'
		local left_out="^($waits|_*rt_mutex_[a-z_.0-9]*|_*rwbase_[a-z_]*)\$"
		sed -n "s/^$pid \[<0>\] \([^+]*\)+.*/\1/p" "$DIR/truth/stacks" | grep -v -E "$left_out" > "$OUT/told"
		jq -r --argjson pid "$pid" 'select(.pid == $pid) | .stack[].symbol' "$OUT/rows" | grep -v -E "$left_out" > "$OUT/found"
		[ -s "$OUT/told" ]
		diff "$OUT/told" "$OUT/found"
		# That of 5.10 follows frame pointers, which kernels with ORC do not have. With PREEMPT_RT it is of the locks.
		[[ $SAMPLE != 5.10-* && -e $DIR/truth/wchan ]] || continue
		wchan=$(jq -r --argjson pid "$pid" 'select(.pid == $pid) | .stack[].symbol' "$OUT/rows" | grep -v -x -E "$waits" | head -n 1)
		[ "$wchan" = "$(awk -v pid="$pid" '$1 == pid { print $2 }' "$DIR/truth/wchan")" ]
	done
}

@test "the verdict is by the zones: that sysrq-f asked for a victim says nothing of memory" {
	local rest='the log has no report that memory ran out, but one that sysrq-f asked for; the machine did not panic'

	"$BUILD/memowner" "$DIR/vmcore" memowner > "$OUT/summary"
	# Threads that have waited for memory since then are told where the zones have enough again.
	grep -q -E '^verdict   memory was (short: .* no swap; '"$rest"'|not short: [^;]*; '"$rest"'; [0-9]+ threads wait in reclaim); 2 threads are in a deadlock: [^ ]+ \([0-9]+\), [^ ]+ \([0-9]+\), asleep in [a-z_, ]+ \[deadlock\]$' "$OUT/summary"
	grep -q -E '^OOM .* before the dump: .* invoked the OOM killer by sysrq-f, ' "$OUT/summary"
	"$BUILD/memowner" "$DIR/vmcore" memowner processes > "$OUT/processes"
	grep -q -E "^the log's table lists [0-9]+ processes; [0-9]+ have the same counters at the dump" "$OUT/processes"
}

@test "the summary names memowner stuck, and the deadlock" {
	"$BUILD/memowner" "$DIR/vmcore" memowner -j | jq -r 'select(.record == "stuck") | .remark' > "$OUT/deadlock"
	grep -q -F "$(grep '^deadlock: ' "$OUT/text")" "$OUT/deadlock"
	# Before it what keeps memory from coming free: kswapd behind one in reclaim, the victim and its lock.
	grep -q -E '^kswapd0 \([0-9]+\) waits for reclaim_mutex \[deadlock\], which dropper \([0-9]+\) likely has by its name in it: ' "$OUT/deadlock"
	grep -q -E '; dropper \([0-9]+\), in reclaim itself, waits for deadlock_mutex \[deadlock\], which has-mutex \([0-9]+\) has; ' "$OUT/deadlock"
	grep -q -E '; victim \([0-9]+\), a victim of the OOM killer, waits for mmap_lock of [0-9]+, which mmap-holder \([0-9]+\) has; ' "$OUT/deadlock"
	"$BUILD/memowner" "$DIR/vmcore" memowner -j | jq -r 'select(.record == "next") | .command' > "$OUT/next"
	grep -q '^memowner stuck$' "$OUT/next"
}

@test "the story counts all that are asleep on locks, in reclaim as well" {
	local n

	n=$(jq -s 'map(select(.lock_address)) | length' "$OUT/rows")
	"$BUILD/memowner" "$DIR/vmcore" story | grep -q -E "one of $n threads that were asleep on locks at the end"
}

@test "each command that memowner proposes has rows" {
	proposals_answer "$DIR/vmcore"
}

@test "an owner that is no live task: the holder is unknown, and the answer is not complete" {
	local address

	address=$(lock mmap_lock | cut -d ' ' -f 1)
	printf "memowner_poke $address/rw_semaphore.$OWNER:8=0xffff880000000040 %s -j\n" 'memowner stuck' memowner > "$OUT/commands"
	"$BUILD/tested" -i "$OUT/commands" "$DIR/vmcore" > "$OUT/both"
	sed '/"record":"summary"/q' "$OUT/both" > "$OUT/lost.json"
	sed '1,/"record":"summary"/d' "$OUT/both" > "$OUT/lost.summary"
	[ "$(jq -c 'select(.comm == "victim") | [.lock_address, .lock_holder, .holder_comm, .deadlocked]' "$OUT/lost.json")" = "[\"$address\",null,null,null]" ]
	[ "$(jq -c 'select(.record == "summary") | [.complete, .warnings[0]]' "$OUT/lost.json")" = \
		'[false,"1 thread waits for '"$(jq -r 'select(.comm == "victim") | .lock' "$OUT/json")"', who has it is unknown: the task that it names is in no list of tasks: it has ended, or the lock is damaged"]' ]
	jq -s -e '.[-1] | .complete == false and any(.unknown[]; .part == "deadlocks")' "$OUT/lost.summary"
	[ "$(jq 'select(.record == "summary") | .complete' "$OUT/json")" = true ]
}
