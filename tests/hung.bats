#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A stock kernel, $SAMPLE, on which FUSE servers do not answer (scripts/sample/guest/hung): memowner stuck against
# /proc/PID/stack, wchan and state of each thread and /sys/fs/fuse/connections. Who has an mmap_lock for reading, no
# file of the kernel says: the guest is made so.

load helper

setup_file() {
	export OUT=$BATS_FILE_TMPDIR DIR=$BUILD/samples/$SAMPLE
	"$BUILD/memowner" "$DIR/vmcore" stuck -j -o +function,stack > "$OUT/json"
	jq -c 'select(.record == "row")' "$OUT/json" > "$OUT/rows"
	"$BUILD/memowner" "$DIR/vmcore" stuck > "$OUT/text"
}

who() { jq -r --arg name "$1" "select(.comm == \$name) | \"$2\"" "$OUT/rows"; }
pid() { awk -v name="($1)" '$2 == name { print $1 }' "$DIR/truth/task_stat"; }
connection() { awk -v path="$1" '$5 == path { split($3, dev, ":"); print dev[2] }' "$DIR/truth/mountinfo"; }
requests() { awk -v dev="$1" '$1 == dev { print $2 }' "$DIR/truth/fuse"; }

# 5.10 has no types of its modules in its BTF: then the server is unknown, and that is said.
has_types() { [[ $SAMPLE != 5.10-* ]]; }

@test "who waits for an answer: connection, request, the process that has the other end" {
	local stopped left

	if ! has_types; then
		[ "$(jq -r 'select(.waits_for == "fuse") | "\(.lock) \(.lock_holder) \(.request) \(.deadlocked)"' "$OUT/rows" | sort -u)" = 'null null null null' ]
		return
	fi
	stopped=$(connection /stopped) left=$(connection /left)
	[ "$(who asks '\(.waits_for) \(.lock) \(.request) \(.request_state) \(.lock_holder) \(.holder_comm) \(.holder_mode)')" = \
		"fuse FUSE connection $stopped FUSE_STATFS pending $(pid server) server server" ]
	# Its server is killed; a child of it has the descriptor, so the kernel ends no request.
	[ "$(who asks-left '\(.waits_for) \(.lock) \(.request) \(.request_state) \(.lock_holder) \(.holder_comm) \(.holder_mode)')" = \
		"fuse FUSE connection $left FUSE_STATFS pending $(pid heir) heir server" ]
	[ "$(who asks '\(.lock_waiters)')" = "$(requests "$stopped")" ]
	[ "$(who asks-left '\(.lock_waiters)')" = "$(requests "$left")" ]
	grep -q -E "^FUSE connection $stopped \(/stopped\): [0-9]+ threads wait for it, $(requests "$stopped") requests are open; /dev/fuse of it is open in server \($(pid server)\), which is stopped$" "$OUT/text"
	grep -q -E "^FUSE connection $left \(/left\): 1 thread waits for it, $(requests "$left") requests? (is|are) open; /dev/fuse of it is open in heir \($(pid heir)\), which is in " "$OUT/text"
	[ "$(grep -c '^FUSE connection' "$OUT/text")" = 2 ]
}

@test "story: a thread that waits for a server" {
	"$BUILD/memowner" "$DIR/vmcore" story > "$OUT/story"
	grep -q -E ' one of [0-9]+ threads that were waiting for a server at the end last ran then, ' "$OUT/story"
	# One that waits for the lock which the summary names.
	lock=$("$BUILD/memowner" "$DIR/vmcore" | sed -n 's/^stuck  *[^,]* waits* for //p')
	[ "$lock" = '' ] || grep -F " waits for $lock; " "$OUT/story" | grep -q ' last ran then, .* before the dump[.] \[memowner stuck\]$'
}

@test "who mounts NFS of a server that does not answer" {
	grep -q -E "^$(pid mounts) \[<0>\] rpc_wait_bit_killable\+" "$DIR/truth/stacks"
	[ "$(who mounts '\(.place) \(.waits_for) \(.lock) \(.lock_holder)')" = 'server rpc RPC server 127.0.0.1 (mount) null' ]
}

@test "the answer is complete where each server is known" {
	[ "$(jq -r 'select(.record == "summary") | .complete' "$OUT/json")" = "$(has_types && echo true || echo false)" ]
}

@test "every thread that /proc has in a wait for FUSE, and no other" {
	awk '/ \[<0>\] (request_wait_answer|fuse_get_req|fuse_set_nowrite|fuse_sync_writes|fuse_page_mkwrite|fuse_wait_on_(page|folio)_writeback)\+/ { print $1 }' \
		"$DIR/truth/stacks" | sort -u > "$OUT/told"
	[ "$(wc -l < "$OUT/told")" -ge 4 ]
	diff "$OUT/told" <(jq -r 'select(.waits_for == "fuse" or (.stack | any(.symbol | test("^(request_wait_answer|fuse_set_nowrite|fuse_sync_writes|fuse_page_mkwrite|fuse_wait_on_(page|folio)_writeback)$")))) | .pid' "$OUT/rows" | sort -u)
	if has_types; then
		[ "$(jq -r 'select(.waits_for == "fuse" and .lock == null) | .pid' "$OUT/rows")" = '' ]
	fi
}

@test "mmap_lock over a swap-in: the reader that has it by its stack, not the one that the lock names" {
	local name

	for name in looked noted; do
		# It reads the arguments of another process, which are in swap.
		[ "$(who ps-$name '\(.place) \(.waits_for)')" = 'swap_in page_lock' ]
		[ "$(jq -r --argjson tgid "$(pid $name)" 'select(.comm == "maps" and .tgid == $tgid) | "\(.place) \(.waits_for) \(.lock) \(.lock_holder) \(.holder_comm) \(.holder_mode)"' "$OUT/rows")" = \
			"mmap_lock rwsem mmap_lock of $(pid $name) $(pid ps-$name) ps-$name reader" ]
	done
	# Threads that wait for a page of swap without the lock have none.
	[ "$(jq -r 'select(.holder_comm == "reads-page" or .holder_comm == "populates" or .holder_comm == "looks") | .pid' "$OUT/rows")" = '' ]
}

@test "a page fault in the writeback of a FUSE file: who has its lock, who waits for that" {
	local has=protects/writer connection

	connection="FUSE connection $(connection /stopped)"
	has_types || connection=null

	# Before 6.4 a page fault has mmap_lock itself, and who changes the mapping waits for that.
	[ "$(who protects '\(.place)')" = lock ] || has=writes-page/reader
	[ "$(who ps-mapped '\(.place) \(.lock) \(.holder_comm)/\(.holder_mode)')" = "mmap_lock mmap_lock of $(pid mapped) $has" ]
	[ "$(who writes-file '\(.waits_for) \(.holder_comm) \(.holder_mode)')" = 'rwsem writes-back writer' ]
	# 7.3 waits for the page, as for that of any file.
	if grep -q "^$(pid writes-back) .* folio_wait_writeback+" "$DIR/truth/stacks"; then
		[ "$(who writes-back '\(.waits_for) \(.lock)')" = 'page_lock null' ]
		[ "$(who writes-page '\(.place) \(.waits_for) \(.lock)')" = 'page_fault page_lock null' ]
	else
		[ "$(who writes-back '\(.waits_for) \(.lock)')" = "fuse $connection" ]
		[ "$(who writes-page '\(.place) \(.waits_for) \(.lock)')" = "page_fault fuse $connection" ]
	fi
	# Since 6.15 a VMA counts its readers, and has no rw_semaphore.
	if grep -q "^$(pid protects) .* __vma_start_write+" "$DIR/truth/stacks"; then
		[ "$(who protects '\(.waits_for) \(.holder_comm) \(.holder_mode) \(.deadlocked)')" = 'lock writes-page reader false' ]
		who protects '\(.lock)' | grep -q -E "^lock of VMA 0x[0-9a-f]+ of $(pid mapped)$"
	else
		[ "$(who protects '\(.waits_for) \(.holder_comm) \(.holder_mode)')" = 'rwsem writes-page reader' ]
	fi
}

@test "a cgroup at its limit: who is charged has the lock of a file that another one writes to" {
	[[ $SAMPLE != 5.* ]] || skip "up to 5.18 it sleeps without its locks"
	[ "$(who queued '\(.place) \(.waits_for) \(.lock_holder) \(.holder_comm) \(.holder_mode) \(.deadlocked)')" = \
		"lock rwsem $(pid limited) limited writer false" ]
	[ "$(who limited '\(.place) \(.waits_for) \(.lock) \(.function)' | sed 's/ __mem/ mem/')" = 'charge reclaim null mem_cgroup_handle_over_high' ]
	grep -q -E "^$(pid limited) \[<0>\] _*mem_cgroup_handle_over_high\+" "$DIR/truth/stacks"
	"$BUILD/memowner" "$DIR/vmcore" cgroups -f memcg=/full -j | jq -s -e 'any(.[]; .memcg == "/full" and .usage_bytes > .high_limit)'
}

@test "the stacks are those of /proc, what is first of them is wchan" {
	local pid left_out='^(__schedule|schedule|io_schedule|schedule_[a-z_]+|rwsem_down_[a-z_]+|down_[a-z_]+|__wait_on_bit|out_of_line_wait_on_bit|__mutex_lock[a-z_.0-9]*|mutex_lock[a-z_]*)$'

	for pid in $(jq -r 'select(.waits_for != "running" and .waits_for != "cpu" and .task_state == "D") | .pid' "$OUT/rows"); do
		sed -n "s/^$pid \[<0>\] \([^+]*\)+.*/\1/p" "$DIR/truth/stacks" | grep -v -E "$left_out" > "$OUT/told"
		jq -r --argjson pid "$pid" 'select(.pid == $pid) | .stack[].symbol' "$OUT/rows" | grep -v -E "$left_out" > "$OUT/found"
		[ -s "$OUT/told" ]
		diff "$OUT/told" "$OUT/found"
		# That of 5.10 follows frame pointers, which kernels with ORC do not have.
		[[ $SAMPLE = 5.10-* ]] || [ "$(head -n 1 "$OUT/found")" = "$(awk -v pid="$pid" '$1 == pid { print $2 }' "$DIR/truth/wchan")" ]
	done
}

@test "a connection whose server is gone with all descriptors: no thread waits" {
	[ "$(who asks-gone .)" = '' ]
	refute grep '/gone' "$OUT/text"
}

@test "the summary names memowner stuck" {
	"$BUILD/memowner" "$DIR/vmcore" memowner -j | jq -r 'select(.record == "next") | .command' > "$OUT/next"
	grep -q '^memowner stuck$' "$OUT/next"
}
