#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A stock kernel under services, $SAMPLE: views whose figures stock.bats and stock_counts.bats do not have, each by itself, against
# the files that the kernel showed a second before. scripts/stock-views adds up how many there were.

load helper
load dump
load stock

setup_file() {
	stock_open
	tally_none
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "memowner -j > $OUT/summary.json" "memowner case -n 0 -a -j > $OUT/case.json" \
		"memowner pages -n 0 -g class -j > $OUT/pages.json" "memowner objects -n 0 -g cache -j > $OUT/objects.json" \
		"memowner vmalloc -n 0 -j > $OUT/areas.json" "memowner files -n 0 -g mount -j > $OUT/mounts.json" \
		"memowner files -n 0 -g class -j > $OUT/kinds.json" "memowner filesystems -n 0 -j > $OUT/filesystems.json" \
		"memowner pressure -n 0 -j > $OUT/pressure.json" "memowner shrinkers -n 0 -j > $OUT/shrinkers.json" \
		"memowner rcu -n 0 -j > $OUT/rcu.json" "memowner stuck -n 0 -j > $OUT/stuck.json" "memowner log -n 0 -j > $OUT/log.json" "memowner story -j > $OUT/story.json" \
		"memowner pools -n 0 -j > $OUT/pools.json" "faults -v -j > $OUT/events.json" "faults -x > $OUT/fatal" "faults -b -j > $OUT/blocked.json" > "$OUT/said"
	UNADDED=$(unadded)
	export UNADDED
	# Messages of the console, each with its time.
	sed -E 's/\r$//' "$TRUTH/console" | sed -n -E 's/^\[ *([0-9]+)\.([0-9]{6})\] (.*)/\1\2 \3/p' > "$OUT/console"
}

@test "pages: of each class as many as meminfo counts" {
	[ -z "$DIED" ] || return 0
	# Up to 6.14 no page of large kmalloc has a mark. Pages of processes and of tmpfs are in the swap cache, too.
	of pages '"\(.class) \(.pages)"' | awk '{ n[$1] += $2 } END { for (k in n) print k, n[k] }' > "$OUT/ours"
	awk '{ sub(":", "", $1); n[$1] = $1 ~ /^HugePages/ ? $2 * 512 : $2 / 4 }
		END { print "anon", n["AnonPages"], n["AnonPages"] + n["SwapCached"]; print "shmem", n["Shmem"] - n["SwapCached"], n["Shmem"]
			print "kstack", n["KernelStack"], n["KernelStack"]; print "pgtable", n["PageTables"], n["PageTables"]
			print "hugetlb", n["HugePages_Total"], n["HugePages_Total"]; print "reclaimable", n["SReclaimable"], n["SReclaimable"]
			cache = n["Cached"] + n["Buffers"] - n["Shmem"]; print "file", cache, cache }' "$TRUTH/meminfo" > "$OUT/told"
	both "$OUT/ours" "$OUT/told" | awk -v unadded="$UNADDED" '{ print $1, $2, $3 - unadded, $4 + unadded }' | within 6 pages
}

@test "objects: one by one, threads, processes, dentries, inodes, and of each cache no more than slabinfo has" {
	local idle dead

	of objects '"\(.cache) \(.objects)"' | sort -k 1,1 > "$OUT/ours"
	# Of each CPU but the first there is an idle task, which /proc does not show.
	idle=$(($(grep -c '^    cpu: ' "$TRUTH/zoneinfo") / $(grep -c 'start_pfn:' "$TRUTH/zoneinfo") - 1))
	# What ended since, or before, and waits for RCU.
	dead=$(of rcu 'select(.function == "delayed_put_task_struct") | .callbacks')
	echo "dead $(($(awk '$1 == "task_struct" { print $2 }' "$OUT/ours") - $(wc -l < "$TRUTH/task_stat") - idle)) ${dead:-0}" |
		awk '{ print $1, $3, $2 - 8, $2 + 8 }' | within 1 rcu
	{
		echo "task_struct $(($(wc -l < "$TRUTH/task_stat") + idle + ${dead:-0})) 8"
		echo "sighand_cache $(($(wc -l < "$TRUTH/proc_stat") + idle)) 8"
		echo "signal_cache $(($(wc -l < "$TRUTH/proc_stat") + idle + ${dead:-0})) 8"
		if [ -s "$TRUTH/fs_states" ] && [ -z "$DIED" ]; then
			sed -n -E 's|^/proc/sys/fs/(dentry)-state:([0-9]*)\t.*|\1 \2 50|p' "$TRUTH/fs_states"
			sed -n -E 's|^/proc/sys/fs/inode-state:([0-9]*)\t.*|inodes \1 50|p' "$TRUTH/fs_states"
		fi
	} > "$OUT/told"
	awk '$1 ~ /inode_cache$|^bdev_cache$/ && $1 !~ /^lsm_/ { n += $2 } { print } END { print "inodes", n }' "$OUT/ours" > "$OUT/counted"
	# A cache that others were merged into has objects of theirs.
	sed -n 's|^/sys/kernel/slab/\([^/:]*\)/aliases:[1-9].*|\1|p' "$TRUTH/slab_sysfs" > "$OUT/merged"
	both "$OUT/counted" "$OUT/told" | awk 'FNR == NR { merged[$1]; next } !($1 in merged) { print $1, $2, $3 - $4, $3 + $4 }' "$OUT/merged" - | within 2 objects
	# A CPU keeps free objects of slabs, which the file counts as used. What the teller needs may have more since, and what it
	# left waits for RCU.
	{
		awk 'NR > 2 && $3 > 2 * $5 && $1 !~ /^(zs_handle|zspage)/ { print $1, $2 + $5 }' "$TRUTH/slabinfo"
		of rcu 'select(.cache != "" and .cache) | "\(.cache) \(.callbacks)"'
	} | awk '{ n[$1] += $2 } END { for (c in n) print c, n[c] }' > "$OUT/most"
	both "$OUT/ours" <(awk 'NR > 2 && $3 > 2 * $5 { print $1 }' "$TRUTH/slabinfo" | sort | join - <(sort -k 1,1 "$OUT/most")) |
		awk '{ print $1, $2, 0, $3 }' | within 40 objects
}

@test "vmalloc: areas and pages of each caller" {
	told() {	# FILE: the caller, areas, pages
		awk '{ c = $3; for (i = 3; i <= NF; i++) if ($i ~ /\+0x/) { c = $i; break } sub(/\+0x.*/, "", c); n[c]++
			for (i = 4; i <= NF; i++) if (sub(/^pages=/, "", $i)) pages[c] += $i } END { for (c in n) print c, n[c], pages[c] + 0 }' "$1" | sort -k 1,1
	}
	of areas 'select(.caller) | "\(.caller | split(" ")[0]) \(.areas // 1) \(.pages // 0)"' | awk '{ n[$1] += $2; pages[$1] += $3 } END { for (c in n) print c, n[c], pages[c] }' | sort -k 1,1 > "$OUT/ours"
	join "$OUT/ours" <(told "$TRUTH/vmallocinfo") | join - <(told "$TRUTH/vmallocinfo_again") > "$OUT/both"
	# Threads come and go; of per-CPU memory and of what is mapped the file has no pages.
	awk '{ least = $4 < $6 ? $4 : $6; most = $4 > $6 ? $4 : $6 }
		$1 ~ /thread_stack|dup_task|copy_process|kernel_clone/ { print $1 "/areas", $2, least - 16, most + 16; next }
		{ print $1 "/areas", $2, least, most }
		$5 { print $1 "/pages", $3, ($5 < $7 ? $5 : $7), ($5 > $7 ? $5 : $7) }' "$OUT/both" | within 12 vmalloc
}

@test "files: of each mounted tmpfs and of all others, as meminfo and statfs count" {
	[ -z "$DIED" ] || return 0
	awk '{ sub(":", "", $1); n[$1] = $2 / 4 } END { print "shmem", n["Shmem"]; print "file", n["Cached"] + n["Buffers"] - n["Shmem"] }' "$TRUTH/meminfo" > "$OUT/told"
	of kinds 'select(.class) | "\(.class) \(.pages)"' > "$OUT/ours"
	both "$OUT/ours" "$OUT/told" | awk -v unadded="$UNADDED" '{ print $1, $2, $3 - unadded, $3 + unadded }' | within 2 files
	[ -s "$TRUTH/statfs" ] || return 0
	awk '$7 == 4096 && $2 > $3 { print $1, ($2 - $3) * $7 }' "$TRUTH/statfs" > "$OUT/told"
	of mounts '"\(.mount) \(.total_bytes)"' > "$OUT/ours"
	grep -F -x -f <(awk '$3 == "tmpfs" { print $2 }' "$TRUTH/mounts") <(cut -d ' ' -f 1 "$OUT/told") | sort | join - <(sort -k 1,1 "$OUT/told") > "$OUT/tmpfs"
	# The guest itself writes what it is going to tell into /run.
	both "$OUT/ours" "$OUT/tmpfs" | awk '{ print $1, $2, $3 - 65536, $3 + ($1 == "/run" ? 1048576 : 65536) }' | within 1 files
}

@test "filesystems: size, free space and inodes of each, as statfs says" {
	records filesystems row '"\(.mount)|\(.fs_type) \(.bytes) \(.unused_bytes) \(.available_bytes) \(.max_inodes) \(.free_inodes)"' | sort -u -k 1,1 > "$OUT/ours"
	if [ -s "$TRUTH/statfs" ]; then
		# The last one mounted at a place is that which statfs shows.
		awk 'FNR == NR { fs[$2] = $3; next } fs[$1] { print $1 "|" fs[$1], $2 * $7, $3 * $7, $4 * $7, $5, $6 }' "$TRUTH/mounts" "$TRUTH/statfs" > "$OUT/told"
		both "$OUT/ours" "$OUT/told" | awk -v died="$DIED" '$2 == $7 && $5 == $10 { moved = $1 ~ /\|(ext4|xfs)$/ || $1 ~ /^\/run\|/ ? 16 * 1048576 : 0; if (died) moved = $2
			print $1 "/bytes", $2, $7; print $1 "/free", $3, $8 - moved, $8 + moved; print $1 "/avail", $4, $9 - moved, $9 + moved
			print $1 "/inodes", $5, $10; print $1 "/ifree", $6, $11 - (moved ? 500 : 0), $11 + (moved ? 500 : 0) }' | within 20 filesystems
	fi
	# Options of mounts have the size, and of tmpfs how many inodes it may have.
	sed -n -E 's/^[^ ]+ ([^ ]+) (tmpfs|devtmpfs) .*[,]size=([0-9]+)k(,nr_inodes=([0-9]+))?.*/\1|\2 \3 \5/p' "$TRUTH/mounts" > "$OUT/mounted"
	both <(records filesystems row '"\(.mount)|\(.fs_type) \(.bytes)/\(.max_inodes)"') "$OUT/mounted" | awk '{ split($2, n, "/"); seen[$1]
		if (n[1] == $3 * 1024) size[$1] = 1; if (n[1] == $3 * 1024 && (!$4 || n[2] == $4)) both[$1] = 1 } END { for (m in seen) { print m "/size", size[m] + 0, 1; print m "/inodes", both[m] + 0, 1 } }' | within 6 filesystems
}

# Services that went on: the guest's own, those above it, and, of a machine that died, the one that took the memory.
went_on() {
	echo "^(/|/init[.]scope|/system[.]slice|/system[.]slice/guest[.]service${DIED:+|/system[.]slice/report-builder[.]service}) "
}

@test "pressure: each line of the kernel's files of those that stood still" {
	if [ ! -s "$TRUTH/pressure" ] || [ "$DEATH" = busy ]; then return; fi
	sed -n 's|^\.\(/[^:]*\)/\([a-z]*\)\.pressure:\([a-z]*\) avg10=\([0-9.]*\) avg60=\([0-9.]*\) avg300=\([0-9.]*\) total=|\1 \2 \3 \4 \5 \6 |p' "$TRUTH/cgroup_files" |
		grep -v -E "$(went_on)" | grep -v '\\' | sed 's/ /|/; s/ /|/' > "$OUT/told"
	of pressure '"\(.cgroup)|\(.resource)|\(.stalled_tasks) \(.recorded_avg10_percent) \(.recorded_avg60_percent) \(.recorded_avg300_percent) \(.recorded_stalled_ns / 1000 | floor)"' > "$OUT/ours"
	both "$OUT/ours" "$OUT/told" | awk '{ print $1, $2 + 0 == $6 + 0 && $3 + 0 == $7 + 0 && $4 + 0 == $8 + 0 && $5 == $9, 1 }' | within 100 pressure
}

@test "shrinkers, settings: shadow nodes, unused dentries and inodes, vm.*" {
	if [ -s "$TRUTH/vm_settings" ]; then
		tr '\t' ' ' < "$TRUTH/vm_settings" | sed -n 's|^/proc/sys/vm/\([^:]*\):\(.*\)|vm.\1 \2|p' | awk '{ k = $1; $1 = ""; gsub(/ +/, "_"); print k, $0 }' > "$OUT/told"
		of case '"\(.setting) _\(.value | gsub(" "; "_"))"' > "$OUT/ours"
		both "$OUT/ours" "$OUT/told" | awk '{ print $1, $2 == $3, 1 }' | within 40 'case -a'
		# Without a variable of their own.
		grep -q '^vm.nr_hugepages ' "$OUT/told"
		diff <(grep -E '^vm.nr_(overcommit_)?hugepages' "$OUT/told") <(grep -E '^vm.nr_(overcommit_)?hugepages' "$OUT/ours")
	fi
	if [ -z "$DIED" ]; then
		{
			of shrinkers 'select(.function == "count_shadow_nodes") | "nodes \(.objects)"'
			[ ! -s "$TRUTH/fs_states" ] || of shrinkers '"dentry \(.dentries // 0)", "inode \(.inodes // 0)"' | awk '{ n[$1] += $2 } END { for (k in n) print k, n[k] }'
		} > "$OUT/ours"
		{
			awk '$1 == "workingset_nodes" { print "nodes", $2 }' "$TRUTH/vmstat_again"
			[ ! -s "$TRUTH/fs_states" ] || sed -n -E 's|^/proc/sys/fs/([a-z]*)-state:[0-9]*\t([0-9]*)(\t.*)?|\1 \2|p' "$TRUTH/fs_states"
		} > "$OUT/told"
		both "$OUT/ours" "$OUT/told" | awk '$1 == "nodes" { print; next } { print $1, $2, $3 - 50, $3 + 50 }' | within 1 shrinkers
	fi
}

@test "stuck: of each thread that waits, a function that its stack in /proc has" {
	if [ ! -s "$TRUTH/stacks" ] || [ -n "$DIED" ] || [ "$DEATH" = busy ]; then return; fi
	of stuck 'select(.task_state != "R" and .function) | "\(.pid) \(.function)"' > "$OUT/ours"
	sed -n -E 's|^/proc/[0-9]*/task/([0-9]*)/stack:\[<0>\] ([^+]*)\+.*|\1 \2|p' "$TRUTH/stacks" > "$OUT/told"
	awk 'FNR == NR { seen[$1]; at[$1, $2]; next } $1 in seen { print $1 "/" $2, ($1, $2) in at, 1 }' "$OUT/told" "$OUT/ours" | within 1 stuck
}

@test "log, story, the summary: reports, panic and starts of processes at the times of the console and of /proc" {
	# Of the newest report each line is one of the console; of a machine that did not run out of memory there is none.
	records log line '(.ts_ns / 1000 | floor) as $at | .message | split("\n")[] | "\($at) \(.)"' > "$OUT/lines"
	awk 'FNR == NR { said[$0]; next } { print "line" FNR, $0 in said, 1 }' "$OUT/console" "$OUT/lines" > "$OUT/bound"
	echo "reports $(of log 'select(.report == "oom") | .pid' | wc -l) $(grep -c ' invoked oom-killer: ' "$OUT/console")" >> "$OUT/bound"
	of log 'select(.report == "oom") | "\(.ts_ns / 1000 | floor) \(.comm) invoked"' | awk 'FNR == NR { if (/ invoked oom-killer/) said[$1 " " $2 " invoked"]; next } { print "report" FNR, $0 in said, 1 }' "$OUT/console" - >> "$OUT/bound"
	within 1 log < "$OUT/bound"
	{
		echo "oom $(of story 'select(.event == "oom") | .name' | wc -l) $(grep -c ' invoked oom-killer: ' "$OUT/console")"
		echo "panic $(of story 'select(.event == "panic") | .name' | wc -l) $(grep -c '^[0-9]* Kernel panic - ' "$OUT/console")"
		of story 'select(.event == "oom") | "\(.ts_ns / 1000 | floor)"' | while read -r at; do
			echo "oom_at $at $(awk '/ invoked oom-killer: / { print $1 }' "$OUT/console" | grep -x "$at" || echo 0)"
		done
		# The panic takes a while to be printed.
		of story 'select(.event == "panic") | "\(.ts_ns / 1000 | floor)"' | while read -r at; do
			echo "panic_at $at $(awk '/ Kernel panic - / { print $1, $1 + 1000; exit }' "$OUT/console")"
		done
		echo "booted $(of story 'select(.event == "boot") | .sentence' | grep -c -F "Linux $(cut -d ' ' -f 3 "$TRUTH/version") booted on") 1"
		# "NAME (PID)", in ticks of 10 ms.
		of story 'select(.event == "start") | "\(.sentence | capture("\\((?<pid>[0-9]+)\\)") | .pid) \(.ts_ns / 1e7)"' |
			sort -k 1,1 | join - <(sed -E 's/^([0-9]+) \(.*\) /\1 /' "$TRUTH/proc_stat" | awk '{ print $1, $21 }' | sort -k 1,1) | awk '{ print "start" $1, $2, $3 - 1, $3 + 2 }'
	} > "$OUT/bound"
	within 3 story < "$OUT/bound"
	{
		of summary 'select(.name == "MemTotal") | "MemTotal \(.pages * 4)"'
		echo "panic $(of summary 'select(.record == "panic") | .name' | wc -l) $(grep -c '^[0-9]* Kernel panic - ' "$OUT/console")"
		echo "oom $(of summary 'select(.record == "oom") | .comm' | wc -l) $(grep -c ' invoked oom-killer: ' "$OUT/console")"
		if [ -n "$DIED" ]; then
			echo "text $([ "$(sed -n 's/.* Kernel panic - not syncing: //p' "$OUT/console" | head -n 1)" = "$(of summary 'select(.record == "panic") | .name')" ] && echo 1 || echo 0) 1"
			echo "asked $([ "$(sed -n 's/^[0-9]* \(.*\) invoked oom-killer: .*/\1/p' "$OUT/console" | tail -n 1)" = "$(of summary 'select(.record == "oom") | .comm')" ] && echo 1 || echo 0) 1"
		fi
	} | awk -v total="$(awk '$1 == "MemTotal:" { print $2 }' "$TRUTH/meminfo")" '$1 == "MemTotal" { $3 = total } { print }' | within 3 memowner
	[ -n "$DIED" ] || return 0
	# What ended it: the text of the panic, and the page fault that asked for memory.
	echo "text $(grep -c -F "\"$(sed -n 's/.* Kernel panic - not syncing: //p' "$OUT/console" | head -n 1)\"" "$OUT/fatal") 1" | within 1 'faults -x'
	echo "asks $(of blocked 'select(.place == "oom_killer") | .comm' | grep -c -x "$(sed -n 's/^[0-9]* \(.*\) invoked oom-killer: .*/\1/p' "$OUT/console" | tail -n 1)") 1" | within 1 'faults -b'
}
