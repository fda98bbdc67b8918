#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A stock kernel, $SAMPLE, whose disks do not get on, and services nearly all of whose threads wait for one lock
# (scripts/sample/guest/disks): memowner stuck against what /sys/block has in flight and says of the device mapper,
# /proc/PID/stack and syscall, and who has which lock by the services themselves.

load helper

setup_file() {
	export OUT=$BATS_FILE_TMPDIR DIR=$BUILD/samples/$SAMPLE
	"$BUILD/memowner" "$DIR/vmcore" stuck -n 0 -j -o +stack > "$OUT/json"
	jq -c 'select(.record == "row")' "$OUT/json" > "$OUT/rows"
	"$BUILD/memowner" "$DIR/vmcore" stuck > "$OUT/text"
}

who() { jq -r --arg name "$1" "select(.comm == \$name) | \"$2\"" "$OUT/rows" | sort -u; }
pid() { awk -v name="($1)" '$2 == name { print $1 }' "$DIR/truth/task_stat" | head -n 1; }
inflight() { awk -v disk="$1" '$1 == disk { print $2 }' "$DIR/truth/inflight"; }

@test "requests that a driver does not complete: as many as /sys/block has in flight, the module, who waits" {
	local disk n

	for disk in bbud0 bbud1 nbd0; do
		n=$(inflight $disk)
		[ "$n" -gt 0 ]
		[ "$(jq -r --arg disk $disk 'select(.disk == $disk) | .disk_requests' "$OUT/rows" | sort -u)" = "$n" ]
	done
	grep -q -E "^bbud0, driver raidbbu: [0-9a-z, ]+ not completed, the oldest started [0-9.]+[a-z]+ ago; [0-9]+ threads? waits? for it" "$OUT/text"
	[ "$(who bbu-odirect '\(.disk) \(.disk_module) \(.task_state)')" = 'bbud0 raidbbu D' ]
	# A disk on which nothing stops is none of them.
	refute grep -E '^(ram3|bbud9)\b' "$OUT/text"
	[ "$(who fine-writer '\(.disk)')" = '' ]
}

@test "disks of the device mapper: those that are suspended, by their names" {
	local disk name

	[ "$(grep -c ' 1$' "$DIR/truth/dm")" = 3 ]
	while read -r disk name _; do
		grep -q -E "^$disk \\($name\\) (is|may be) suspended" "$OUT/text"
	done < "$DIR/truth/dm"
	[ "$(who raw-direct '\(.disk) \(.disk_name) \(.disk_suspended)')" = 'dm-2 vg0-direct true' ]
}

@test "a network block device: its server, and for whom that waits" {
	grep -q -E "^nbd0.* its server blockd \($(pid blockd)\), which waits on a unix socket for tierd \($(pid tierd)\), which is stopped" "$OUT/text"
}

@test "every thread that sleeps uninterruptibly has a row, and its stack is that of /proc" {
	local pid

	awk '$3 == "D" { print $1 }' "$DIR/truth/task_stat" | sort > "$OUT/told"
	[ "$(wc -l < "$OUT/told")" -gt 100 ]
	[ "$(comm -23 "$OUT/told" <(jq -r .pid "$OUT/rows" | sort))" = '' ]
	for pid in $(jq -r 'select(.disk and .comm != "worker") | .pid' "$OUT/rows"); do
		[ "$(awk -v pid="$pid" '$1 == pid { sub(/\+.*/, "", $3); print $3 }' "$DIR/truth/stacks" | tail -n 3)" = \
			"$(jq -r --argjson pid "$pid" 'select(.pid == $pid) | .stack[].symbol' "$OUT/rows" | tail -n 3)" ]
	done
}

@test "a lock in user memory: its address is that of the system call, who has it says the service" {
	local name what tgid tid mutex rwlock

	while read -r name what tgid tid mutex rwlock; do
		[ "$what" = holder ] || continue
		case $name in
		leader-svc)
			# The one that has it waits for a connection: the others rest.
			[ "$(jq -r --argjson tgid "$tgid" 'select(.tgid == $tgid) | .pid' "$OUT/rows")" = '' ]
			continue
			;;
		inode-svc) continue ;;
		esac
		[ "$(jq -r --argjson tgid "$tgid" 'select(.tgid == $tgid and .comm == "worker") | .lock_holder' "$OUT/rows" | sort | uniq -c | xargs)" = "97 $tid" ]
		# A PI futex is a lock of the kernel.
		[ "$name" != pi-svc ] || { grep -q "for PI futex $mutex of $tgid, which signer ($tid) has" "$OUT/text"; continue; }
		[ "$(jq -r --argjson tgid "$tgid" 'select(.tgid == $tgid and .comm == "worker") | "\(.waits_for) \(.holder_mode) \(.lock_address)"' "$OUT/rows" | sort -u)" = \
			"futex futex_owner $(awk -v pid="$(jq -r --argjson tgid "$tgid" 'select(.tgid == $tgid and .comm == "worker") | .pid' "$OUT/rows" | head -n 1)" '$1 == pid { print $3 }' "$DIR/truth/syscalls")" ]
	done < "$DIR/truth/holders"
	# Workers that wait for work have no lock.
	[ "$(jq -r --argjson tgid "$(pid cond-svc)" 'select(.tgid == $tgid) | .pid' "$OUT/rows")" = '' ]
}

@test "services: how many of how many threads wait, what is resident, what the one does that has the lock" {
	local name what tgid tid rss

	[ "$(grep -c ' threads of [a-z]*-svc (' "$OUT/text")" = 8 ]
	while read -r name what tgid tid _; do
		case $what/$name in
		*/leader-svc | */circle-svc) continue ;;
		holder/*) ;;
		*) continue ;;
		esac
		rss=$(awk -v at="/proc/$tgid/status:VmRSS:" '$1 == at { printf "%.1fM", $2 / 1024 }' "$DIR/truth/proc_status")
		grep -q -E "^97 of 101 threads of $name \($tgid\), which has $rss resident, have waited up to [0-9.]+[a-z]+ for .*, which signer \($tid\) has.*; signer \($tid\) (is asleep in|waits for)" "$OUT/text"
	done < "$DIR/truth/holders"
	grep -q -E '^deadlock: signer \([0-9]+\) waits for mutex 0x[0-9a-f]+ of [0-9]+, which auditor \([0-9]+\) has by its words in user memory \(inferred\), which waits for ' "$OUT/text"
	"$BUILD/memowner" "$DIR/vmcore" | grep -q '^stuck .*98 of 101 threads of circle-svc '
}
