#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A stock kernel, $SAMPLE, that told what it says of reclaim (scripts/sample/stock/run): memowner pressure, shrinkers
# and what memowner cgroups has of protection, against its files.

load helper

setup_file() {
	export OUT=$BATS_FILE_TMPDIR DIR=$BUILD/samples/$SAMPLE TRUTH=$BUILD/samples/$SAMPLE/truth
	for noun in 'pressure' 'shrinkers' 'cgroups'; do
		"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" $noun -n 0 -j > "$OUT/$noun.json"
		[ "$(jq -r 'select(.record == "summary") | "\(.status) \(.complete)"' "$OUT/$noun.json")" = 'ok true' ]
	done
	# "CGROUP RESOURCE TASKS AVG10 AVG60 AVG300 TOTAL", the machine as /.
	{
		sed -n 's|^/proc/pressure/\([a-z]*\):\([a-z]*\) |/ \1 \2 |p' "$TRUTH/pressure"
		sed -n 's|^\.\(/[^:]*\)/\([a-z]*\)\.pressure:\([a-z]*\) |\1 \2 \3 |p' "$TRUTH/cgroup_files"
	} | sed 's/ [a-z0-9]*=/ /g' | sort > "$OUT/told"
}

rows() {	# NOUN FILTER
	jq -r "select(.record == \"row\") | $2" "$OUT/$1.json"
}

# Numbers as the file has them: two places.
figures() {	# PREFIX
	rows pressure "\"\\(.cgroup) \\(.resource) \\(.stalled_tasks) \\(.${1}avg10_percent) \\(.${1}avg60_percent) \\(.${1}avg300_percent) \\(.${1}stalled_ns / 1000 | floor)\"" |
		awk '{ printf "%s %s %s %.2f %.2f %.2f %s\n", $1, $2, $3, $4, $5, $6, $7 }' | sort
}

# The guest's own service told the truth and went on, with its slice, systemd and the machine, and so did the one
# that then took the memory.
WENT_ON='/|/init[.]scope|/system[.]slice|/system[.]slice/guest[.]service'
grep -q 'guest.death=\(outside\|busy\)' "$BUILD/samples/$SAMPLE/truth/cmdline" || WENT_ON+='|/system[.]slice/report-builder[.]service'
is_busy() { grep -q 'guest.death=busy' "$TRUTH/cmdline"; }
of_others() { grep -v -E "^($WENT_ON) " "$1"; }

@test "pressure: every line of the kernel's files, each with what it said" {
	figures recorded_ > "$OUT/recorded"
	# A cgroup that was made since then has lines of its own; there is none.
	diff <(cut -d ' ' -f 1-3 "$OUT/told" | grep -v '\\' | sort) <(cut -d ' ' -f 1-3 "$OUT/recorded" | grep -v '\\' | sort)
	if is_busy; then skip "all services went on"; fi
	[ "$(of_others "$OUT/told" | wc -l)" -gt 100 ]
	diff <(of_others "$OUT/told" | grep -v '\\') <(of_others "$OUT/recorded" | grep -v '\\')
	# Totals only grow.
	join -t '|' <(sed 's/\(.*\) [0-9.]* [0-9.]* [0-9.]* \([0-9]*\)$/\1|\2/' "$OUT/told") \
		<(sed 's/\(.*\) [0-9.]* [0-9.]* [0-9.]* \([0-9]*\)$/\1|\2/' "$OUT/recorded") > "$OUT/totals"
	awk -F '|' '$3 < $2 { print; bad = 1 } END { exit bad || NR < 100 }' "$OUT/totals"
}

@test "pressure beside /proc/pressure: before is what the kernel's files say, two places" {
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" pressure -d "$TRUTH/pressure" -j |
		jq -r 'select(.record == "row" and .before_percent != null) | "\(.name) \(.before_percent)"' |
		awk '{ printf "%s %s %s %.2f\n", $1, $2, $3, $4 }' | sort > "$OUT/before"
	diff <(awk '$1 == "/" { print $2, $3, $1, $4 }' "$OUT/told" | sort) "$OUT/before"
}

@test "pressure: no update is older than the kernel, those that the guest asked for not older than its question" {
	end=$(jq -r 'select(.record == "meta") | .panic_time_ns' "$OUT/pressure.json")
	join <(of_others "$OUT/told" | grep -v '\\' | cut -d ' ' -f 1 | sort -u) \
		<(rows pressure '"\(.cgroup) \(.updated_age_ns)"' | grep -v '\\' | sort -u) > "$OUT/ages"
	# Idle groups may not be updated when they are read.
	awk -v told="$(cat "$TRUTH/t0")" -v end="$end" '{ n++; ago = $2 / 1e6; since = end / 1e6 - told; if (ago > end / 1e6) { print; bad = 1 } near += ago < since + 1000 }
		END { print n, near; exit bad || n < 20 || near < n / 2 }' "$OUT/ages"
}

@test "pressure at the panic: averages of who stands still decay, totals stay" {
	if is_busy; then skip "all services went on"; fi
	rows pressure 'select(.avg10_percent == null)' > "$OUT/unknown"
	[ ! -s "$OUT/unknown" ]
	# The averages are by sched_clock(), ages by the clock of the log.
	rate=$("$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" pressure -n 1 -D | awk '/sched_clock\(\) ran/ { print $4 / $7 }')
	# 1/exp(2/10), 1/exp(2/60) and 1/exp(2/300), in 2,048ths as EXP_10s, EXP_60s and EXP_300s are, for each two seconds
	# and a jiffy since the last update.
	rows pressure "select((.cgroup | test(\"^($WENT_ON)\$\") | not) and .resource != \"cpu\")"' |
		"\(.updated_age_ns) \(.recorded_avg10_percent) \(.avg10_percent) \(.recorded_avg60_percent) \(.avg60_percent) \(.recorded_avg300_percent) \(.avg300_percent) \(.stalled_ns - .recorded_stalled_ns) \(.cgroup)"' |
		awk -v rate="$rate" 'function off(was, now, decay, n) { want = was * decay ^ n; return now > want + 0.06 || now < want * decay - 0.06 }
			{ n = int($1 * rate / 2004000000) }
			$8 != 0 || off($2, $3, 1677 / 2048, n) || off($4, $5, 1981 / 2048, n) || off($6, $7, 2034 / 2048, n) { print; bad = 1 }
			$2 > 0 || $4 > 0 || $6 > 0 { seen++ }
			END { exit bad || !seen }'
}

@test "shrinkers: shadow nodes as in /proc/vmstat, unused dentries and inodes as in /proc/sys/fs" {
	# Of a machine that went on for long after it told, or that ran out of memory, they are of another time.
	if awk -v end="$(jq -r 'select(.record == "meta") | .panic_time_ns' "$OUT/shrinkers.json")" '{ exit end / 1e6 - $1 > 60000 }' "$TRUTH/t0" && ! grep -q 'guest.death=oom' "$TRUTH/cmdline"; then
		[ "$(rows shrinkers 'select(.function == "count_shadow_nodes") | .objects')" = "$(awk '$1 == "workingset_nodes" { print $2 }' "$TRUTH/vmstat_again")" ]
		# dentry-state: all, unused; inode-state: all, unused. The guest goes on a little.
		for what in dentry inode; do
			told=$(sed -n "s|^/proc/sys/fs/$what-state:[0-9]*\t\([0-9]*\)\t.*|\1|p" "$TRUTH/fs_states")
			found=$(rows shrinkers ".$([ $what = dentry ] && echo dentries || echo inodes) // empty" | awk '{ sum += $1 } END { print sum + 0 }' )
			echo "# $what: $found, told $told"
			[ "$found" -ge $((told - 50)) ]
			[ "$found" -le $((told + 50)) ]
		done
	fi
	# What is on lists by node and cgroup, and what is of no list, is what there is; one that is unknown makes a sum unknown.
	groups() {	# KEYS FILTER
		"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" shrinkers -g "$1" -n 0 -j | jq -s "map(select(.record == \"row\")) | $2" -c
	}
	sum() { jq -s "map(select(.record == \"row\") | .$1 // 0) | add" "$OUT/shrinkers.json"; }
	[ "$(groups shrinker,function,node,memcg 'map(.objects // 0) | add')" = "$(sum objects)" ]
	for keys in memcg node function shrinker,node,memcg; do
		[ "$(groups $keys 'map(.deferred_objects) | add')" = "$(sum deferred_objects)" ]
	done
	diff <(groups function '.[] | [.function, .objects]' | sort) <(jq -sc 'map(select(.record == "row")) | group_by(.function)[] |
		[.[0].function, if any(.objects == null) then null else map(.objects) | add end]' "$OUT/shrinkers.json" | sort)
	[ "$(groups node 'any(.node == null and .objects == null)')" = "$(jq -s 'any(.record == "row" and .objects == null)' "$OUT/shrinkers.json")" ]
	# Each mounted file system has one.
	diff <(awk '{ print $3 }' "$TRUTH/mounts" | sort -u) <(rows shrinkers '.fs_type // empty' | sort -u) | refute grep '^<'
}

@test "settings of vm.* that decide are those of /proc/sys/vm" {
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" case -a -j > "$OUT/case"
	jq -r 'select(.record == "row") | "\(.setting) \(.value)"' "$OUT/case" | sort > "$OUT/settings"
	# The default of a vendor may be another: RHEL 8 has 0.
	[ "$(jq -c 'select(.setting == "vm.compaction_proactiveness") | [.default_value, .changed]' "$OUT/case")" = '[null,null]' ]
	join <(tr '\t' ' ' < "$TRUTH/vm_settings" | sed -n 's|^/proc/sys/vm/\([^:]*\):.*|vm.\1|p' | sort) "$OUT/settings" > "$OUT/both"
	[ "$(wc -l < "$OUT/both")" -gt 40 ]
	diff <(tr '\t' ' ' < "$TRUTH/vm_settings" | sed -n 's|^/proc/sys/vm/\([^:]*\):|vm.\1 |p' | sort | join - <(cut -d ' ' -f 1 "$OUT/both")) "$OUT/both"
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" zones > "$OUT/zones"
	grep -q -x "vm.min_free_kbytes $(sed -n 's|^/proc/sys/vm/min_free_kbytes:||p' "$TRUTH/vm_settings"); all settings: memowner case -a" "$OUT/zones"
}

@test "cgroups: what is granted of memory.min and memory.low, and who is protected; swappiness" {
	[ "$(rows cgroups .swappiness | sort -u)" = "$(sed -n 's|^/proc/sys/vm/swappiness:||p' "$TRUTH/vm_settings")" ]
	grep -q -E 'guest.death=(outside|busy)' "$TRUTH/cmdline" || skip "the guest protects no one"
	rows cgroups 'select(.memcg == "/system.slice") | "\(.min_limit) \(.effective_min) \(.low_limit) \(.effective_low)"' > "$OUT/slice"
	# Until the machine reclaims for the first time nothing is computed.
	if [ "$(awk '/^pgscan_(kswapd|direct) / { n += $2 } END { print n + 0 }' "$TRUTH/vmstat_again")" = 0 ]; then
		[ "$(cat "$OUT/slice")" = "$((48 << 20)) null $((80 << 20)) null" ]
		[ "$(rows cgroups 'select(.memcg == "/system.slice") | .protected_by')" = null ]
		return
	fi
	[ "$(cat "$OUT/slice")" = "$((48 << 20)) $((48 << 20)) $((80 << 20)) $((80 << 20))" ]
	rows cgroups 'select(.memcg | startswith("/system.slice/")) | select(.memcg | ltrimstr("/system.slice/") | contains("/") | not) | "\(.effective_min) \(.effective_low)"' |
		awk '{ min += $1; low += $2 } END { exit !(min > 0 && low > 0) }'
	# memory.low of memcached is beyond what it has, and what its slice is granted.
	rows cgroups 'select(.memcg == "/system.slice/memcached.service") | .effective_low < .low_limit and .effective_low > 0' | grep -q true
	diff <(rows cgroups 'select(.effective_min != null) | if .effective_min > 0 and .effective_min >= .usage_bytes then "min" elif .effective_low > 0 and .effective_low >= .usage_bytes then "low" else "none" end') \
		<(rows cgroups 'select(.effective_min != null) | .protected_by')
}

# The guest went on without who waits here: each stands where it stood.
@test "stuck: the stack of each thread is that of /proc, the function that gave up the CPU its wchan" {
	[ -s "$TRUTH/stacks" ] || skip "the guest told no stacks"
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" stuck -n 0 -j -o +stack > "$OUT/stuck.json"
	# One that ran, or reclaimed, when the stacks were told is idle since.
	rows stuck 'select(.place == "idle") | .pid' | while read -r pid; do
		[[ "$(grep "^/proc/$pid/task/$pid/stack:" "$TRUTH/stacks")" = *shrink_* ]] || ! grep -q "^/proc/$pid/task/$pid/stack:" "$TRUTH/stacks" || echo "$pid"
	done > "$OUT/idle"
	[ "$(wc -l < "$OUT/idle")" -ge 2 ]
	# /proc leaves out functions of the scheduler.
	diff <(rows stuck 'select(.place == "idle") | .pid as $pid | .stack[] | "\($pid) \(.symbol)"' | grep -v -E ' (__schedule|schedule|schedule_[a-z_]+)$' |
			awk 'FNR == NR { of[$1]; next } $1 in of' "$OUT/idle" -) \
		<(while read -r pid; do sed -n "s|^/proc/$pid/task/$pid/stack:\[<0>\] \([^+]*\)+.*|$pid \1|p" "$TRUTH/stacks"; done < "$OUT/idle")
	# wchan of 5.10 follows frame pointers, which kernels with ORC do not have.
	[[ $SAMPLE != 5.10-* ]] || return 0
	diff <(rows stuck 'select(.place == "idle") | "\(.pid) \(.function)"' | awk 'FNR == NR { of[$1]; next } $1 in of' "$OUT/idle" -) \
		<(while read -r pid; do sed -n "s|^/proc/$pid/wchan:|$pid |p" "$TRUTH/wchan"; done < "$OUT/idle")
}
