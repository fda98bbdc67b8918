#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A stock kernel, $SAMPLE, where what was freed waits for RCU (scripts/sample/guest/rcu): memowner rcu against the ledger of the
# driver, and what the kernel complained of.

load helper
load stock

setup_file() {
	export OUT=$BATS_FILE_TMPDIR DIR=$BUILD/samples/$SAMPLE TRUTH=$BUILD/samples/$SAMPLE/truth
	tally_none
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" rcu -n 0 -j > "$OUT/rcu.json"
	[ "$(jq -r 'select(.record == "summary") | "\(.status) \(.complete)"' "$OUT/rcu.json")" = 'ok true' ]
}

@test "callbacks of each function of the driver: how many, of which cache, and their bytes" {
	# "FUNCTION NUMBER BYTES OF AN OBJECT"
	of rcu 'select(.module == "rcupile") | "\(.function)/callbacks \(.callbacks)", "\(.function)/bytes \(.bytes)"' > "$OUT/ours"
	awk '$1 ~ /^rcupile_/ { print $1 "/callbacks", $2 }' "$TRUTH/rcu_ledger" > "$OUT/told"
	awk '$1 == "rcupile_object" { print "rcupile_free/bytes", $4 } $1 == "kmalloc-1k" { print "rcupile_drop/bytes", $4 }' "$TRUTH/slabinfo" |
		while read -r what bytes; do echo "$what $((bytes * $(awk -v f="${what%/*}" '$1 == f { print $2 }' "$TRUTH/rcu_ledger")))"; done >> "$OUT/told"
	both "$OUT/ours" "$OUT/told" | within 4 rcu
	[ "$(of rcu 'select(.function == "rcupile_free") | .cache')" = rcupile_object ]
	[[ "$(of rcu 'select(.function == "rcupile_drop") | .cache')" = kmalloc-*1k* ]]
}

@test "who does not let the grace period end: the CPU and the task of the driver, and no other" {
	# The complaint has each CPU in a line "rcu:  1-....: (154 ticks this GP) ..."; a grace period that began before the driver ran
	# on it has none.
	sed -n -E 's/.*rcu: [ \t]+([0-9]+)-[^ ]*: \(.*/\1/p' "$TRUTH/dmesg" | sort -u > "$OUT/told"
	records rcu holder 'select(.cpu != null) | .cpu' | sort -u | diff "$OUT/told" -
	# "rcu:  Tasks blocked on level-0 rcu_node (CPUs 0-1): P109/1:b..l". A CPU that complains of itself names none, and a task that
	# slept after its CPU had passed waits for the next period.
	sed -n 's/^sleeper - //p' "$TRUTH/rcu_ledger" > "$OUT/sleeper"
	records rcu holder 'select(.cpu == null) | .pid' > "$OUT/tasks"
	if grep -q 'rcu: INFO: .* detected stalls on CPUs/tasks' "$TRUTH/dmesg"; then
		diff <(grep 'rcu: .*Tasks blocked' "$TRUTH/dmesg" | grep -o 'P[0-9][0-9]*' | tr -d P | sort -u) "$OUT/tasks"
	fi
	comm -23 "$OUT/tasks" "$OUT/sleeper" | refute grep .
	cat "$OUT/told" "$OUT/tasks" | awk '{ print NR, 1, 1 }' | within 1 rcu
	[ ! -s "$OUT/told" ] || [ "$(records rcu holder 'select(.cpu != null) | .comm')" = rcu-spinner ]
	[ ! -s "$OUT/tasks" ] ||
		[ "$(records rcu holder 'select(.cpu == null) | "\(.comm) \(.task_state) \(.function) \(.module)"')" = 'rcu-sleeper D sleeps rcupile' ]
}

@test "all callbacks: as many as the kernel's complaint says, or more, that came later" {
	local told

	# "rcu: ... (detected by 0, t=752 jiffies, g=-95, q=5733 ncpus=2)"
	told=$(sed -n -E 's/.*\((detected by [0-9]+, )?t=[0-9]+ jiffies,? .*q=([0-9]+).*/\2/p' "$TRUTH/dmesg" | tail -n 1)
	echo "all $(of rcu .callbacks | awk '{ n += $1 } END { print n }') $told $((told + 2000))" | within 1 rcu
}
