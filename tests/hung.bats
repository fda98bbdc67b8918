#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A stock kernel, $SAMPLE, on which FUSE servers do not answer (scripts/sample/guest/hung): memowner stuck against
# /proc/PID/stack, wchan and state of each thread, /sys/fs/fuse/connections and /proc/locks. Who has an mmap_lock for reading, no
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

# In samples made before no server waits for its client.
has_circles() { [ "$(pid circle)" != '' ]; }

# 5.10 has no types of its modules in its BTF: then pointers alone tell the server, and nothing which request it is.
has_types() { [[ $SAMPLE != 5.10-* ]]; }

@test "who waits for an answer: connection, request, the process that has the other end" {
	local stopped left

	stopped=$(connection /stopped) left=$(connection /left)
	if ! has_types; then
		[ "$(who asks '\(.waits_for) \(.lock) \(.request) \(.request_state) \(.lock_holder) \(.holder_comm) \(.holder_mode)')" = \
			"fuse FUSE connection $stopped null null $(pid server) server server" ]
		[ "$(who asks-left '\(.waits_for) \(.lock) \(.request) \(.request_state) \(.lock_holder) \(.holder_comm) \(.holder_mode)')" = \
			"fuse FUSE connection $left null null $(pid heir) heir server" ]
		# How many requests are open no pointer tells.
		[ "$(who asks '\(.lock_waiters) \(.lock_address | startswith("0x"))')" = 'null true' ]
		grep -q -E "^FUSE connection $stopped \(/stopped\), by its pointers alone: [0-9]+ threads wait for it; /dev/fuse of it is open in server \($(pid server)\), which is stopped$" "$OUT/text"
		[ "$(grep -c '^FUSE connection' "$OUT/text")" = $(has_circles && echo 3 || echo 2) ]
		return
	fi
	[ "$(who asks '\(.waits_for) \(.lock) \(.request) \(.request_state) \(.lock_holder) \(.holder_comm) \(.holder_mode)')" = \
		"fuse FUSE connection $stopped FUSE_STATFS pending $(pid server) server server" ]
	# Its server is killed; a child of it has the descriptor, so the kernel ends no request.
	[ "$(who asks-left '\(.waits_for) \(.lock) \(.request) \(.request_state) \(.lock_holder) \(.holder_comm) \(.holder_mode)')" = \
		"fuse FUSE connection $left FUSE_STATFS pending $(pid heir) heir server" ]
	[ "$(who asks '\(.lock_waiters)')" = "$(requests "$stopped")" ]
	[ "$(who asks-left '\(.lock_waiters)')" = "$(requests "$left")" ]
	grep -q -E "^FUSE connection $stopped \(/stopped\): [0-9]+ threads wait for it, $(requests "$stopped") requests are open; /dev/fuse of it is open in server \($(pid server)\), which is stopped$" "$OUT/text"
	grep -q -E "^FUSE connection $left \(/left\): 1 thread waits for it, $(requests "$left") requests? (is|are) open; /dev/fuse of it is open in heir \($(pid heir)\), which (is|waits|sleeps) in " "$OUT/text"
	[ "$(grep -c '^FUSE connection' "$OUT/text")" = $(has_circles && echo 3 || echo 2) ]
}

@test "the first screen: servers that threads wait for, and how many deadlocks there are" {
	"$BUILD/memowner" "$DIR/vmcore" | sed -n 's/^stuck  *//p' > "$OUT/stuck"
	grep -q -F "; and $(($(grep -c '^deadlock: ' "$OUT/text") - 1)) more deadlocks (memowner stuck)" "$OUT/stuck"
	grep -q -E "FUSE connection $(connection /stopped) \(/stopped\)(, by its pointers alone)?: [0-9]+ threads wait for it[,;] .* server \([0-9]+\), which is stopped" "$OUT/stuck"
}

@test "story: a thread that waits for a server" {
	# In text, more than one page has, it may be one of "2 places where threads wait more".
	"$BUILD/memowner" "$DIR/vmcore" story -j | jq -r 'select(.event == "wait") | " \(.sentence). [\(.command)]"' > "$OUT/story"
	grep -q -E '[;,] one of [0-9]+ threads that were waiting for a server at the end; [^ ]+ \([0-9]+\)( has waited since then, for |, which is woken to send its request again, ran last .* before the end, and may have waited for longer)' "$OUT/story"
	# One that waits for the lock which the summary names first, unless it has a deadlock.
	lock=$("$BUILD/memowner" "$DIR/vmcore" | sed -n '/^stuck  *deadlock: /d; /^stuck  */{s///; s/;.*//; s/^[^,]* waits* for //p}')
	[ "$lock" = '' ] || grep -F " waits for $lock; " "$OUT/story" | grep -q ' has waited since then, for .*[.] \[memowner stuck\]$'
}

@test "who mounts NFS of a server that does not answer" {
	grep -q -E "^$(pid mounts) \[<0>\] rpc_wait_bit_killable\+" "$DIR/truth/stacks"
	[ "$(who mounts '\(.place) \(.waits_for) \(.lock) \(.lock_holder)')" = 'server rpc RPC server 127.0.0.1 (mount) null' ]
}

@test "the answer is complete where each server is known" {
	[ "$(jq -r 'select(.record == "summary") | .complete' "$OUT/json")" = true ]
}

@test "every thread that /proc has in a wait for FUSE, and no other" {
	awk '/ \[<0>\] (request_wait_answer|fuse_get_req|fuse_set_nowrite|fuse_sync_writes|fuse_page_mkwrite|fuse_wait_on_(page|folio)_writeback)\+/ { print $1 }' \
		"$DIR/truth/stacks" > "$OUT/waits"
	# Since 6.16 a folio is waited for, in a function of FUSE or of any file system.
	awk '/ \[<0>\] folio_wait_writeback\+/ { waits[$1] = 1 } / \[<0>\] fuse_/ && waits[$1] { print $1 }' "$DIR/truth/stacks" >> "$OUT/waits"
	sort -u "$OUT/waits" > "$OUT/told"
	[ "$(wc -l < "$OUT/told")" -ge 4 ]
	diff "$OUT/told" <(jq -r 'select(.waits_for == "fuse" or (.stack | any(.symbol | test("^(request_wait_answer|fuse_set_nowrite|fuse_sync_writes|fuse_page_mkwrite|fuse_wait_on_(page|folio)_writeback)$")))) | .pid' "$OUT/rows" | sort -u)
	[ "$(jq -r 'select(.waits_for == "fuse" and .lock == null) | .pid' "$OUT/rows")" = '' ]
}

@test "mmap_lock over a swap-in: the reader that has it by its stack, not the one that the lock names" {
	local name

	for name in looked noted; do
		# It reads the arguments of another process, which are in swap.
		[ "$(who ps-$name '\(.place) \(.waits_for)')" = 'swap_in swap_in' ]
		[ "$(jq -r --argjson tgid "$(pid $name)" 'select(.comm == "maps" and .tgid == $tgid) | "\(.place) \(.waits_for) \(.lock) \(.lock_holder) \(.holder_comm) \(.holder_mode)"' "$OUT/rows")" = \
			"mmap_lock mmap_lock mmap_lock of $(pid $name) $(pid ps-$name) ps-$name reader" ]
	done
	# Threads that wait for a page of swap without the lock have none; a writer may wait before others.
	[ "$(jq -r 'select((.holder_comm | IN("reads-page", "populates", "looks")) and .holder_mode != "queued_writer") | .pid' "$OUT/rows")" = '' ]
}

@test "a page fault in the writeback of a FUSE file: who has its lock, who waits for that" {
	local has=protects/writer waits connection

	connection="FUSE connection $(connection /stopped)"

	# Before 6.4 a page fault has mmap_lock itself, and who changes the mapping waits for that, before any reader.
	[ "$(who protects '\(.place)')" = lock ] || has=protects/queued_writer waits=mmap_lock
	[ "$(who ps-mapped '\(.place) \(.lock) \(.holder_comm)/\(.holder_mode)')" = "mmap_lock mmap_lock of $(pid mapped) $has" ]
	[ "$(who writes-file '\(.waits_for) \(.holder_comm) \(.holder_mode)')" = 'rwsem writes-back writer' ]
	# 7.3 waits for the page, as for that of any file: whose it is says which connection.
	[ "$(who writes-back '\(.waits_for) \(.lock)')" = "fuse $connection" ]
	[ "$(who writes-page '\(.place) \(.waits_for) \(.lock)')" = "page_fault fuse $connection" ]
	# Since 6.15 a VMA counts its readers, and has no rw_semaphore.
	if grep -q "^$(pid protects) .* __vma_start_write+" "$DIR/truth/stacks"; then
		[ "$(who protects '\(.waits_for) \(.holder_comm) \(.holder_mode) \(.deadlocked)')" = 'lock writes-page reader false' ]
		who protects '\(.lock)' | grep -q -E "^lock of VMA 0x[0-9a-f]+ of $(pid mapped)$"
	else
		[ "$(who protects '\(.place) \(.holder_comm) \(.holder_mode)')" = "${waits:-lock} writes-page reader" ]
	fi
}

@test "a cgroup at its limit: who is charged has the lock of a file that another one writes to" {
	[[ $SAMPLE != 5.* ]] || skip "up to 5.18 it sleeps without its locks"
	[ "$(who queued '\(.place) \(.waits_for) \(.lock_holder) \(.holder_comm) \(.holder_mode) \(.deadlocked)')" = \
		"lock rwsem $(pid limited) limited writer false" ]
	[ "$(who limited '\(.place) \(.waits_for) \(.lock) \(.function)' | sed 's/ __mem/ mem/')" = 'charge memory_high null mem_cgroup_handle_over_high' ]
	grep -q -E "^$(pid limited) \[<0>\] _*mem_cgroup_handle_over_high\+" "$DIR/truth/stacks"
	"$BUILD/memowner" "$DIR/vmcore" cgroups -f memcg=/full -j | jq -s -e 'any(.[]; .memcg == "/full" and .usage_bytes > .high_limit)'
}

@test "faults -b has the same answer of each thread in a page fault, and the summary" {
	"$BUILD/memowner" "$DIR/vmcore" faults -b -n 0 -j > "$OUT/blocked"
	same_waits "$OUT/blocked" "$OUT/json" "$OUT/same"
	[ "$(wc -l < "$OUT/same")" -ge 5 ]
	"$BUILD/memowner" "$DIR/vmcore" -j | jq -r 'select(.record == "in_fault") | "\(.pid) \(.waits_for)"' | sort > "$OUT/named"
	[ "$(wc -l < "$OUT/named")" = 3 ]
	[ "$(comm -23 "$OUT/named" <(jq -r 'select(.record == "row") | "\(.pid) \(.waits_for)"' "$OUT/blocked" | sort))" = '' ]
}

@test "the stacks are those of /proc, what is first of them is wchan" {
	local pid left_out='^(__switch_to|__schedule|schedule|io_schedule|schedule_[a-z_]+|rwsem_down_[a-z_]+|down_[a-z_]+|__wait_on_bit|out_of_line_wait_on_bit|__mutex_lock[a-z_.0-9]*|mutex_lock[a-z_]*)$'

	for pid in $(jq -r 'select(.waits_for != "running" and .waits_for != "cpu" and .task_state == "D") | .pid' "$OUT/rows"); do
		sed -n "s/^$pid \[<0>\] \([^+]*\)+.*/\1/p" "$DIR/truth/stacks" | grep -v -E "$left_out" > "$OUT/told"
		jq -r --argjson pid "$pid" 'select(.pid == $pid) | .stack[].symbol' "$OUT/rows" | grep -v -E "$left_out" > "$OUT/found"
		[ -s "$OUT/told" ]
		diff "$OUT/told" "$OUT/found"
		# That of 5.10 follows frame pointers, which kernels with ORC do not have.
		[[ $SAMPLE = 5.10-* ]] || [ "$(head -n 1 "$OUT/found")" = "$(awk -v pid="$pid" '$1 == pid { print $2 }' "$DIR/truth/wchan")" ]
	done
}

# "FLOCK WRITE 104 00:15:5 0 EOF"; what breaks a lease has no file.
lock_lines() {
	jq -r 'select(.lock_file) | "\(.waits_for) \(.lock_mode) \(.tgid) \(.device | sub(":"; " ")) \(.inode) \(.lock_start // 0) \(.lock_end // 9223372036854775807)"' "$OUT/rows" |
		while read -r kind mode tgid major minor inode start end; do
			case $kind in
			flock) kind=FLOCK ;;
			posix_lock) kind=POSIX ;;
			ofd_lock) kind=OFDLCK tgid=-1 ;;
			lease) kind=LEASE ;;
			esac
			[ "$mode" = shared ] && mode=READ || mode=WRITE
			# jq rounds it.
			[[ $end != 922337203685477* ]] || end=EOF
			[ "$kind" != LEASE ] && printf '%s %s %s %02x:%02x:%s %s %s\n' "$kind" "$mode" "$tgid" "$major" "$minor" "$inode" "$start" "$end" ||
				echo "$kind $mode $tgid <none>:0 $start $end"
		done | sort
}

@test "locks of files: every request of /proc/locks, who has the lock" {
	[ -e "$DIR/truth/file_locks" ] || skip "a sample made before"
	awk '$2 == "->" { print $3, $5, $6, $7, $8, $9 }' "$DIR/truth/file_locks" | sort > "$OUT/told"
	lock_lines > "$OUT/found"
	[ "$(wc -l < "$OUT/found")" = $(has_circles && echo 23 || echo 22) ]
	# 5.10 shows no requests that wait for requests.
	if [[ $SAMPLE = 5.10-* ]]; then
		[ "$(comm -23 "$OUT/told" "$OUT/found")" = '' ]
		[ "$(comm -13 "$OUT/told" "$OUT/found" | grep -c '^FLOCK WRITE ')" = 4 ]
	else
		diff "$OUT/told" "$OUT/found"
	fi
	# The process that took it: one has passed its on, and ended.
	awk '$2 != "->" { pid[$1] = $5 } $2 == "->" && $6 > 0 && pid[$1] > 0 { print $6, pid[$1] }' "$DIR/truth/file_locks" | grep -v "^$(pid pass-w) " | sort > "$OUT/told"
	jq -r 'select(.lock_file and .comm != "pass-w" and .waits_for != "ofd_lock") | "\(.tgid) \(.lock_holder)"' "$OUT/rows" | sort > "$OUT/found"
	[[ $SAMPLE = 5.10-* ]] || diff "$OUT/told" "$OUT/found"
	[ "$(comm -23 "$OUT/told" "$OUT/found")" = '' ]
	[ "$(jq -r 'select(.comm == "pass-w") | "\(.holder_comm) \(.holder_mode) \(.lock_owners)"' "$OUT/rows")" = 'passed process 1' ]
}

@test "locks of files: circles, several owners, conflicts, in rows and in words" {
	[ -e "$DIR/truth/file_locks" ] || skip "a sample made before"
	[ "$(jq -r 'select(.lock_file and .deadlocked and .comm != "circle") | .comm' "$OUT/rows" | sort | xargs)" = 'flock-a flock-b mix-a mix-b ofd-a ofd-b self' ]
	# One of several can give it back.
	[ "$(jq -r 'select(.lock_file and .deadlocked == null) | .comm' "$OUT/rows" | sort | xargs)" = 'fork-w table-w thread-w' ]
	[ "$(who fork-w '\(.holder_comm) \(.holder_mode) \(.lock_owners)')" = 'forked processes 2' ]
	[ "$(who table-w '\(.holder_comm) \(.holder_mode) \(.lock_owners)')" = 'table processes 2' ]
	[ "$(who thread-w '\(.holder_comm) \(.holder_mode) \(.lock_owners)')" = 'threads process 1' ]
	[ "$(who range-w '\(.lock_conflicts)') $(who range-x '\(.lock_conflicts)') $(who shared-w '\(.lock_conflicts)')" = '2 1 2' ]
	[ "$(who gone-w '\(.lock_file)')" = '/l/gone (deleted)' ]
	grep -q -E '^5 threads wait for flock of /run/lock/indexer.lock, which indexer \([0-9]+\) has; indexer \([0-9]+\) is asleep in fifo_open$' "$OUT/text"
	grep -q -E '^deadlock: mix-a \([0-9]+\) waits for flock of /l/n, which mix-b \([0-9]+\) has, which waits for POSIX lock of bytes 0-99 of /l/m, which mix-a \([0-9]+\) has$' "$OUT/text"
	grep -q -E '^deadlock: self \([0-9]+\) waits for flock of /l/self, which self \([0-9]+\) has$' "$OUT/text"
	grep -q -E '^thread-w .* which threads \([0-9]+\) has; threads .* with one of its 2 threads$' "$OUT/text"
	"$BUILD/memowner" "$DIR/vmcore" memowner -j | jq -r 'select(.record == "stuck") | .remark' |
		grep -q -E '; 5 threads wait for flock of /run/lock/indexer.lock, which indexer \([0-9]+\) has; indexer \([0-9]+\) is asleep in fifo_open'
	grep -q -E '^fork-w .* which forked \([0-9]+\) and 1 more process have; ' "$OUT/text"
}

@test "deadlocks through servers: of a userfaultfd, of FUSE" {
	has_circles || skip "a sample made before"
	[ "$(who faults '\(.waits_for) \(.lock) \(.lock_holder) \(.holder_mode) \(.deadlocked)')" = \
		"userfaultfd userfaultfd of $(pid faults) $(pid faults-server) server true" ]
	[ "$(who faults-server '\(.lock) \(.lock_holder) \(.holder_mode) \(.deadlocked)')" = "i_rwsem of /l/faulted $(pid faults) writer true" ]
	grep -q -x "deadlock: faults ($(pid faults)) waits for userfaultfd of $(pid faults), whose other end faults-server ($(pid faults-server)) has open, which waits for i_rwsem of /l/faulted, which faults ($(pid faults)) has" "$OUT/text"
	[ "$(who circle '\(.lock) \(.lock_holder)')" = "flock of /l/served $(pid makes)" ]
	[ "$(who makes '\(.lock) \(.lock_holder) \(.holder_mode) \(.deadlocked)')" = "FUSE connection $(connection /circle) $(pid circle) server true" ]
	grep -q -x "deadlock: circle ($(pid circle)) waits for flock of /l/served, which makes ($(pid makes)) has, which waits for FUSE connection $(connection /circle), whose other end circle ($(pid circle)) has open" "$OUT/text"
}

@test "a connection whose server is gone with all descriptors: no thread waits" {
	[ "$(who asks-gone .)" = '' ]
	refute grep -F '(/gone)' "$OUT/text"
}

@test "the summary names memowner stuck" {
	"$BUILD/memowner" "$DIR/vmcore" memowner -j | jq -r 'select(.record == "next") | .command' > "$OUT/next"
	grep -q '^memowner stuck$' "$OUT/next"
}

@test "each command that memowner proposes has rows" {
	proposals_answer "$DIR/vmcore"
}
