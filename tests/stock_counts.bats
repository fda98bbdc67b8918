#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What the kernel's own files counted a second before the death of a stock kernel, $SAMPLE: each figure that a view shows
# is theirs, or within what the files themselves say that it may be off by.
#
# Not compared, as no view shows it: of meminfo Active and Inactive, Mapped, DirectMap, of smaps Referenced, Shared, SwapPss,
# of memory.stat activations and THP, of zram same, huge and compacted pages, inodes, drops and references of sockets, sizes
# of modules. What has a second file instead: the first of two readings, objects of /sys/kernel/slab (slabinfo is later),
# VmRSS of status (smaps), MemFree of a node (zoneinfo). Of an OOM, MemFree, Slab and a cgroup's files and slabs have fallen: the
# report of the OOM has those of the machine, those of a cgroup are below the file's.

load helper
load dump
load stock

setup_file() {
	stock_open
	tally_none
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "memowner case -n 0 -j > $OUT/case.json" \
		"memowner files -n 0 -g mount -j > $OUT/mounts.json" \
		"pageowner -m -j > $OUT/memory.json" "pageowner -z -j > $OUT/zones.json" "pageowner -b -j > $OUT/blocks.json" \
		"memowner caches -j > $OUT/caches.json" "memowner processes -n 0 -j > $OUT/processes.json" \
		"memowner cgroups -n 0 -j > $OUT/cgroups.json" "memowner pools -j > $OUT/pools.json" \
		"memowner sockets -n 0 -j > $OUT/sockets.json" "memowner filesystems -n 0 -j > $OUT/filesystems.json" \
		"faults -n 0 -j > $OUT/faults.json" "faults -v -j > $OUT/events.json" "faults -v -g memcg -j > $OUT/memcgs.json" > "$OUT/said"
	UNADDED=$(unadded)
	# Pages that CPUs keep free: what a zone has free may be on their lists the next moment.
	KEPT=$(awk '$1 == "high:" { n += $2 } END { print n }' "$TRUTH/zoneinfo")
	export UNADDED KEPT
	# The report of the OOM has counters of its moment, in pages.
	sed -E 's/^\[[ .0-9]*\] //; s/\r$//' "$TRUTH/console" | awk '/^Mem-Info:/ { seen = 1; next } /^Node 0 / { exit }
		seen { for (i = 1; i <= NF; i++) if (split($i, part, ":") == 2) print part[1], part[2] }' > "$OUT/reported"
}

@test "meminfo: each figure of it that a view shows" {
	{
		of memory 'select(.counter and (.counter | test("[ +]") | not) and .counter != "nr_zspages") | "\(.counter) \(.counted_pages)"'
		of memory 'select(.counter == "Cached + Buffers - Shmem") | "PageCache \(.counted_pages)"'
		of memory 'select(.counter == "System RAM - MemTotal") | "Reserved \(.counted_pages)"'
		records zones node '"Unevictable \(.unevictable_pages)", "Mlocked \(.mlocked_pages)", "Dirty \(.dirty_pages)", "Writeback \(.writeback_pages)"' |
			awk '{ n[$1] += $2 } END { for (k in n) print k, n[k] }'
		records zones node 'select(.node == 0) | "SwapTotal \(.swap_pages)", "SwapFree \(.swap_free_pages)", "MemAvailable \(.available_pages)"'
		jq -r 'select(.record == "case") | "CommitLimit \(.commit_limit_bytes / 4096)", "Committed_AS \(.committed_bytes / 4096)"' "$OUT/case.json"
	} > "$OUT/ours"
	awk -v ram="$(awk -F '[- ]' 'function number(h,  i, v) { for (i = 1; i <= length(h); i++) v = v * 16 + index("0123456789abcdef", substr(h, i, 1)) - 1; return v }
			/^[0-9a-f]+-[0-9a-f]+ : System RAM/ { n += int((number($2) + 1) / 4096) - int((number($1) + 4095) / 4096) } END { print n }' "$TRUTH/iomem")" '
		{ sub(":", "", $1); told[$1] = $2 / 4; if ($1 !~ /^(Slab|Cached|Buffers)$/) print $1, $2 / 4 }
		END { print "PageCache", told["Cached"] + told["Buffers"] - told["Shmem"]
			print "Slab", told["SReclaimable"] + told["SUnreclaim"]
			print "Reserved", ram - told["MemTotal"] }' "$TRUTH/meminfo" > "$OUT/told"
	# Of a machine that stood still; the others are those of the teller.
	if [ -z "$DIED" ]; then
		# What CPUs kept free goes back to its zone when they are idle; the program that reads the file has memory, too.
		both "$OUT/ours" "$OUT/told" | awk -v unadded="$UNADDED" -v idle="$(awk '$1 == "count:" { n += $2 } END { print n }' "$TRUTH/zoneinfo")" '
			$1 ~ /^Mem(Free|Available)$/ { print $1, $2, $3 - unadded, $3 + unadded + idle; next }
			$1 == "Committed_AS" { print $1, $2, $3 - unadded - 256, $3 + unadded; next }
			$1 ~ /^(AnonPages|Slab|PageTables)$/ { print $1, $2, $3 - unadded, $3 + unadded; next } { print }' | within 19 classes
		return
	fi
	# What an OOM does not change, what it can only take, and what it gives the one that asked.
	both "$OUT/ours" "$OUT/told" | awk -v unadded="$UNADDED" -v stolen="$(grown_since 'pgsteal_(kswapd|direct)')" -v swapped="$(grown_since pswpout)" \
		-v culprit="$(of processes 'select(.comm == "report-builder") | "\(.rss_anon_bytes / 4096) \(.pgtables_bytes / 4096) \(.vsz_bytes / 4096)"')" '
		BEGIN { split(culprit, has, " "); more["AnonPages"] = has[1]; more["PageTables"] = has[2]; more["Committed_AS"] = has[3]
			less["PageCache"] = stolen; less["Shmem"] = swapped; less["SwapFree"] = swapped + 2 * 64 }
		$1 in more { print $1, $2, $3 - unadded, $3 + more[$1] + unadded; next }
		$1 in less { print $1, $2, $3 - less[$1] - unadded, $3 + unadded; next }
		$1 ~ /^(MemFree|MemAvailable|Slab|Dirty|Writeback)$/ { print $1, $2, 0, $3 + unadded; next }
		$1 ~ /^(KernelStack|VmallocUsed)$/ { print $1, $2, $3 - unadded, $3 + unadded; next }
		{ print }' | within 19 classes
	# Its own report, of some milliseconds before.
	awk '{ n[$1] = $2; print } END { print "slab", n["slab_reclaimable"] + n["slab_unreclaimable"] }' "$OUT/reported" > "$OUT/told"
	both <(sed 's/^MemFree /free /; s/^PageTables /pagetables /; s/^Shmem /shmem /; s/^Slab /slab /; s/^Dirty /dirty /; s/^Writeback /writeback /; s/^Unevictable /unevictable /' "$OUT/ours") "$OUT/told" |
		awk -v unadded="$UNADDED" -v kept="$KEPT" '{ off = unadded + ($1 == "free" ? kept : 0); print $1, $2, $3 - off, $3 + off }' | within 7 classes
	both <(of memory 'select(.log_pages != null) | "\(.class) \(.log_pages)"' | sed 's/^buddy /free /; s/^pgtable /pagetables /') "$OUT/told" | within 4 classes
}

@test "nodes and zones: node's meminfo, zoneinfo, buddyinfo and pagetypeinfo" {
	records zones node '"\(.node)/Unevictable \(.unevictable_pages)", "\(.node)/Mlocked \(.mlocked_pages)", "\(.node)/Dirty \(.dirty_pages)", "\(.node)/Writeback \(.writeback_pages)"' > "$OUT/ours"
	of zones '"\(.node) \(.managed_pages)"' | awk '{ all[$1] += $2 } END { for (n in all) print n "/MemTotal", all[n] }' >> "$OUT/ours"
	of pools 'select(.kind == "hugetlb") | "\(.node)/HugePages_Total \(.pages / 512)", "\(.node)/HugePages_Free \((.bytes - .used_bytes) / 4096 / 512)", "\(.node)/HugePages_Surp \(.surplus_pages)"' >> "$OUT/ours"
	awk '{ sub(":", "", $3); print $2 "/" $3, $3 ~ /^Huge/ ? $4 : $4 / 4 }' "$TRUTH/node_meminfo" > "$OUT/told"
	both "$OUT/ours" "$OUT/told" | within 13 zones
	# Of each zone, in the file and now.
	awk '$1 == "Node" { zone = $2 $4; sub(",", "/", zone); count = high = 0 }
		$1 == "nr_zone_unevictable" { print zone "/unevictable", $2 }
		$1 == "nr_free_pages" { print zone "/free", $2 } $1 == "nr_free_cma" { print zone "/free_cma", $2 }
		$1 == "count:" { count += $2 } $1 == "high:" { high += $2 }
		$1 == "start_pfn:" { print zone "/count", count; print zone "/high", high }' "$TRUTH/zoneinfo" > "$OUT/zoneinfo"
	# The report of an OOM is later.
	sed -E 's/^\[[ .0-9]*\] //; s/\r$//' "$TRUTH/console" | awk -F '[ :]' '/^Node [0-9]+ [A-Za-z0-9]+ free:/ { print $2 "/" $3 "/free", $5 / 4 }' > "$OUT/reported_zones"
	awk 'FNR == NR { print; told[$1]; next } !($1 in told)' "$OUT/reported_zones" "$OUT/zoneinfo" > "$OUT/told"
	of zones '"\(.node)/\(.zone)/unevictable \(.unevictable_pages)", "\(.node)/\(.zone)/free \(.counted_pages)", "\(.node)/\(.zone)/free_cma \(.free_cma_pages)", "\(.node)/\(.zone)/count \(.pcp_pages)"' > "$OUT/ours"
	both "$OUT/ours" "$OUT/told" | awk -v unadded="$UNADDED" -v died="$DIED" 'FNR == NR { if (sub("/count$", "", $1)) kept[$1] = $2; sub("/high$", "", $1) && high[$1] = $2; next }
		{ zone = $1; sub("/[a-z_]*$", "", zone) }
		/\/free / { print $1, $2, $3 - unadded, $3 + unadded + (died ? 0 : kept[zone]); next }
		/\/count / { print $1, $2, died ? 0 : $3 - high[zone], $3 + high[zone]; next } { print }' <(grep -E '/(high|count) ' "$OUT/told") - | within 12 zones
	# Blocks: those of a machine that stood still; an OOM takes blocks from one type for another.
	awk '/^Node .* type / { zone = $2 $4; sub(",", "/", zone); sub(",", "", zone); for (i = 7; i <= NF; i++) print zone "/" $6 "/" i - 7, $i }' "$TRUTH/pagetypeinfo" > "$OUT/free"
	awk '/^Number of blocks type/ { for (i = 5; i <= NF; i++) type[i] = $i; next }
		/^Node [0-9]+, zone +[A-Za-z0-9]+ +[0-9 ]+$/ { zone = $2 $4; sub(",", "/", zone); for (i = 5; i <= NF; i++) if ($i) print zone "/" type[i], $i }' "$TRUTH/pagetypeinfo" > "$OUT/told"
	records blocks type '"\(.node)/\(.zone)/\(.block_migratetype) \(.pageblocks)"' > "$OUT/ours"
	if [ -z "$DIED" ]; then
		[ "$(differing "$OUT/ours" "$OUT/told")" = '' ]
		both "$OUT/ours" "$OUT/told" | within 3 fragmentation
		# Of a few pages the teller has taken some, and given some back; not of a zone to which CPUs gave theirs.
		of zones '"\(.node)/\(.zone) \(.counted_pages)"' > "$OUT/counted"
		both "$OUT/counted" <(sed -n 's|/free | |p' "$OUT/zoneinfo") | awk -v unadded="$UNADDED" '($2 - $3) ^ 2 <= unadded ^ 2 { print "^" $1 "/" }' > "$OUT/stood"
		awk '{ zone = $2 $4; sub(",", "/", zone); for (i = 5; i <= NF; i++) print zone "/all/" i - 5, $i }' "$TRUTH/buddyinfo" >> "$OUT/free"
		both <(records zones blocks '"\(.node)/\(.zone)/\(.migratetype // "all")/\(.order) \(.blocks)"') "$OUT/free" |
			awk -v unadded="$UNADDED" '{ order = $1; sub(".*/", "", order); off = int(unadded / 2 ^ order); print $1, $2, $3 - off, $3 + off }' |
			grep -f "$OUT/stood" | within 60 fragmentation
	else
		# "Node 0 DMA: 12*4kB (UM) 9*8kB (UM) ... = 792kB", of the report.
		sed -E 's/^\[[ .0-9]*\] //; s/\r$//' "$TRUTH/console" | awk '/^Node [0-9]+ [A-Za-z0-9]+: [0-9]+\*4kB/ { zone = $2 "/" $3; sub(":", "", zone)
			for (i = order = 0; ++i <= NF;) if ($i ~ /^[0-9]+\*/) { n = $i; sub(/\*.*/, "", n); print zone "/" order++, n } }' > "$OUT/lists"
		both <(records zones blocks 'select(.migratetype == null) | "\(.node)/\(.zone)/\(.order) \(.blocks)"') "$OUT/lists" |
			awk -v unadded="$UNADDED" '{ order = $1; sub(".*/", "", order); off = int(unadded / 2 ^ order); print $1, $2, $3 - off, $3 + off }' | within 33 fragmentation
		both <(sed 's|/[^/]* | |' "$OUT/ours" | awk '{ n[$1] += $2 } END { for (k in n) print k, n[k] }') \
			<(sed 's|/[^/]* | |' "$OUT/told" | awk '{ n[$1] += $2 } END { for (k in n) print k, n[k] }') | within 3 fragmentation
	fi
}

@test "events, uptime, version: never less than the files said" {
	local end

	if [ -z "$DIED" ]; then
		# What went on then told the files: from the second reading on it did no more than between both.
		end='print $1, $2, $4, $4 + 2 * ($4 - $3)'
	else
		# The one that asked faults for each page that it has or had; reclaim scans them.
		end='print $1, $2, $4, $4 + ($1 ~ /^pg(fault|scan|steal)/ ? pages : $1 == "oom_kill" ? 0 : pages / 8)'
	fi
	both <(of events '"\(.name) \(.count)"') "$TRUTH/vmstat" | join - <(sort -k 1,1 "$TRUTH/vmstat_again") |
		awk -v pages="$(awk '/^MemTotal|^SwapTotal/ { n += $2 / 4 } END { print n }' "$TRUTH/meminfo")" "{ $end }" | within 11 'faults -v'
	jq -r 'select(.record == "case") | "uptime \(.uptime_ns / 1e9)"' "$OUT/case.json" > "$OUT/ours"
	echo "uptime $(cut -d ' ' -f 1 "$TRUTH/uptime") $(sed -n 's/^\[ *\([0-9.]*\)\] Kernel panic.*/\1/p' "$TRUTH/console" | head -n 1)" |
		awk '{ print $1, $2, $3 ? $3 + 0.01 : $2 + 30 }' | join "$OUT/ours" - | within 1 case
	[ "$(jq -r 'select(.record == "case") | "Linux version \(.kernel) \(.build)"' "$OUT/case.json")" = "$(sed -E 's/ \(.*\) #/ #/' "$TRUTH/version")" ]
}

@test "threads and processes: faults, state, parent, size, since when; what the OOM killer would choose" {
	local total

	# "PID (COMM) STATE ..."
	told_threads() {
		sed -E 's/^([0-9]+) \((.*)\) /\1 /' "$1" | awk '{ print $1 "/state", $2; print $1 "/ppid", $3; print $1 "/minflt", $9; print $1 "/cminflt", $10
			print $1 "/majflt", $11; print $1 "/cmajflt", $12; print $1 "/start", $21; print $1 "/vsize", $22 }'
	}
	of faults '.pid as $p | "\($p)/state \(.task_state)", "\($p)/ppid \(.ppid)", "\($p)/minflt \(.min_flt)", "\($p)/cminflt \(.cmin_flt)", "\($p)/majflt \(.maj_flt)", "\($p)/cmajflt \(.cmaj_flt)", "\($p)/vsize \(.vsz_bytes)"' > "$OUT/ours"
	told_threads "$TRUTH/task_stat" > "$OUT/told"
	of_frozen <(both "$OUT/ours" "$OUT/told") | within 150 faults
	# That of a process has what its threads did, those that ended too.
	of faults '"\(.tgid)/minflt \(.min_flt)", "\(.tgid)/majflt \(.maj_flt)"' | awk '{ n[$1] += $2 } END { for (k in n) print k, n[k] }' > "$OUT/sums"
	told_threads "$TRUTH/proc_stat" > "$OUT/told"
	awk 'FNR == NR { sum[$1] = $2; next } !($1 in sum)' "$OUT/sums" "$OUT/ours" | cat - "$OUT/sums" > "$OUT/processes"
	of_frozen <(both "$OUT/processes" "$OUT/told") |
		awk '/\/m[a-z]*flt / { print $1, $2, int($3 / 2), $3; next } { print }' | within 150 faults
	# Clock ticks of 10 ms since boot.
	jq -r --argjson stop "$(jq 'select(.record == "case") | .uptime_ns' "$OUT/case.json")" 'select(.record == "row") | "\(.pid)/start \(($stop - .life_ns) / 1e7)"' "$OUT/faults.json" |
		sort -k 1,1 | join - <(grep '/start ' "$OUT/told" | sort -k 1,1) | awk '{ print $1, $2, $3 - 1, $3 + 2 }' | within 90 faults
	of processes '.pid as $p | "\($p)/comm \(.comm)", "\($p)/State \(.task_state)", "\($p)/VmPin \(.pinned_bytes / 1024)", "\($p)/HugetlbPages \(.hugetlb_bytes / 1024)"' > "$OUT/ours"
	sed -n 's|^/proc/\([0-9]*\)/comm:|\1/comm |p' "$TRUTH/proc_comm" > "$OUT/told"
	awk -F '[/:\t ]+' '$5 ~ /^(State|VmPin|HugetlbPages)$/ { print $3 "/" $5, $6 }' "$TRUTH/proc_status" >> "$OUT/told"
	[ "$(differing <(of_frozen "$OUT/ours") <(of_frozen "$OUT/told"))" = '' ]
	# The table of tasks of the OOM's report, and what processes have since: each CPU may have 32 of each kind to add.
	if [ -n "$DIED" ]; then
		sed -E 's/^\[[ .0-9]*\] //; s/\r$//' "$TRUTH/console" | sed -n -E 's/^\[ *([0-9]+)\] +(.*)/\1 \2/p' |
			awk 'NF == 12 { print $1 "/vsize", $4; print $1 "/rss", $5; print $1 "/anon", $6; print $1 "/file", $7; print $1 "/shmem", $8; print $1 "/pgtables", $9; print $1 "/swap", $10 }
				# Up to 6.7 it has no kinds of pages.
				NF == 9 { print $1 "/vsize", $4; print $1 "/rss", $5; print $1 "/pgtables", $6; print $1 "/swap", $7 }' > "$OUT/told"
		both <(of processes 'select(.log_rss_bytes) | .pid as $p | "\($p)/rss \(.log_rss_bytes / 4096)", (if .log_anon_bytes then "\($p)/anon \(.log_anon_bytes / 4096)", "\($p)/file \(.log_file_bytes / 4096)", "\($p)/shmem \(.log_shmem_bytes / 4096)" else empty end), "\($p)/pgtables \(.log_pgtables_bytes)", "\($p)/swap \(.log_swap_bytes / 4096)"') \
			"$OUT/told" | within 90 processes
		of_frozen <(both <(of processes '.pid as $p | "\($p)/vsize \(.vsz_bytes / 4096)", "\($p)/anon \(.rss_anon_bytes / 4096)", "\($p)/file \(.rss_file_bytes / 4096)", "\($p)/shmem \(.rss_shmem_bytes / 4096)", "\($p)/pgtables \(.pgtables_bytes)", "\($p)/swap \(.swap_bytes / 4096)"') "$OUT/told") |
			awk -v batch="$((32 * $(jq 'select(.record == "case") | .cpus' "$OUT/case.json")))" '/\/(vsize|pgtables) / { print; next } { print $1, $2, $3 - batch, $3 + batch }' | within 60 processes
		return
	fi
	# Kinds of pages: smaps counts each that is mapped.
	of processes '.pid as $p | "\($p)/Anonymous \(.rss_anon_bytes / 1024)", "\($p)/Pss \(.pss_bytes / 1024)"' > "$OUT/ours"
	awk -F '[/:\t ]+' '$5 ~ /^(Anonymous|Pss|Private_Clean)$/ { print $3 "/" $5, $6 }' "$TRUTH/proc_smaps_rollup" > "$OUT/told"
	# Of a clean page that one process had, the teller's programs may have a part then.
	of_frozen <(both "$OUT/ours" "$OUT/told" | sed 's/ /:/g; s/:/ /') | tr : ' ' |
		awk 'FNR == NR { if (sub("/Private_Clean", "", $1)) clean[$1] = $2; next }
			{ pid = $1; sub("/.*", "", pid) } /\/Pss / { print $1, $2, $3 - 4 - clean[pid], $3 + 4; next } { print }' "$OUT/told" - | within 40 processes
	both <(of processes '"\(.pid)/0 \(.vsz_bytes / 4096)", "\(.pid)/1 \(.rss_bytes / 4096)", "\(.pid)/2 \((.rss_file_bytes + .rss_shmem_bytes) / 4096)"') \
		<(awk -F '[/: ]' '{ print $3 "/0", $5; print $3 "/1", $6; print $3 "/2", $7 }' "$TRUTH/proc_statm") > "$OUT/both"
	# Up to 6.1 a thread adds its pages after 64 faults, each of which may map 16 pages of a file.
	of_frozen "$OUT/both" | awk '{ off = $1 ~ /\/0$/ ? 0 : 64 * 16; print $1, $2, $3 - off, $3 + off }' | within 60 processes
	# 5.8: mm, oom: keep oom_adj under or at upper limit when printing
	total=$(awk '/^MemTotal|^SwapTotal/ { n += $2 / 4 } END { print n }' "$TRUTH/meminfo")
	both <(of processes '"\(.pid)/score \(.badness_pages)"' | grep -v null) <(sed -n 's|^/proc/\([0-9]*\)/oom_score:|\1/score |p' "$TRUTH/proc_oom") > "$OUT/both"
	of_frozen "$OUT/both" | awk -v total="$total" '{ score = int((1000 + int($2 * 1000 / total)) * 2 / 3); print $1, score, $3 - 1, $3 + 1 }' | within 20 processes
}

@test "caches: objects of slabinfo and sysfs, of a size, in slabs of an order" {
	awk 'NR > 2 { print $1 "/per", $5; print $1 "/active", $2 }' "$TRUTH/slabinfo" > "$OUT/told"
	sed -n -E 's|^/sys/kernel/slab/([^/:]*)/(object_size\|order\|objs_per_slab):|\1/\2 |p' "$TRUTH/slab_sysfs" >> "$OUT/told"
	of caches 'select(.cache != "[large kmalloc]" and .slabs > 0 and (.orders | length) == 1) | .cache as $c | "\($c)/per \(.objects / .slabs)", "\($c)/objs_per_slab \(.objects / .slabs)", "\($c)/order \(.orders[0])", "\($c)/object_size \(.object_bytes)"' > "$OUT/ours"
	both "$OUT/ours" "$OUT/told" | within 200 caches
	awk 'NR > 2 { pages[$1] = $6 } END { for (c in pages) { order = 0; while (2 ^ order < pages[c]) order++; print c, order } }' "$TRUTH/slabinfo" > "$OUT/orders"
	both <(of caches 'select(.cache != "[large kmalloc]" and .slabs > 0 and (.orders | length) == 1) | "\(.cache) \(.orders[0])"') "$OUT/orders" | within 90 caches
	# Objects in use: of a cache with the slabs and objects that it had, but for those of CPUs, a slab each.
	awk 'NR > 2 { print $1, $15 "/" $3, $2, $5 }' "$TRUTH/slabinfo" | sort -k 1,1 > "$OUT/told"
	of caches '"\(.cache) \(.slabs)/\(.objects) \(.active_objects)"' | sort -k 1,1 | join - "$OUT/told" |
		awk -v cpus="$(grep -c '^    cpu: ' "$TRUTH/zoneinfo")" -v died="$DIED" '$2 == $4 { print $1, $3, (died ? 0 : $5 - cpus * $6), $5 + cpus * $6 }' | within 40 caches
}

@test "cgroups: memory of services that stood still, what they had at most, how many there are" {
	# Lines "CGROUP|FIGURE VALUE".
	awk -F '[: ]' '/^\.\/system\.slice\/[^:]*\/memory\.(stat|swap\.current):/ && !/guest\.service|report-builder/ { name = substr($1, 2); key = $2
			if (sub("/memory.swap.current$", "", name)) { print name "|swapped", $2; next } sub("/memory.stat$", "", name); print name "|" key, $3 }' "$TRUTH/cgroup_files" > "$OUT/told"
	of cgroups 'select(.memcg_state == "online" and .memcg_stat) | .memcg as $c | "\($c)|swapped \(.swap_usage_bytes)", "\($c)|slab \(.slab_bytes)", (.memcg_stat | to_entries[] | "\($c)|\(.key) \(.value)")' > "$OUT/ours"
	of memcgs '"\(.memcg)|\(.name) \(.count)"' | grep -v null >> "$OUT/ours"
	both "$OUT/ours" "$OUT/told" > "$OUT/both"
	if [ -z "$DIED" ]; then
		# 5.13: mm: memcontrol: switch to rstat. Before, the file lacks what CPUs have not added, of each 32 pages, or bytes.
		case $SAMPLE in
		5.10-*) awk -v off=$((32 * $(jq 'select(.record == "case") | .cpus' "$OUT/case.json"))) '$1 ~ /\|(swapped|.*peak)$/ { print; next }
			{ n = $1 ~ /\|(pg|workingset_|thp_)/ ? off : 4096 * off; print $1, $2, $3 - n, $3 + n }' "$OUT/both" ;;
		*) cat "$OUT/both" ;;
		esac | within 500 cgroups
	else
		# Reclaim took of pages and slabs, what it could write went to swap: that of the machine is held by its report.
		awk -v scanned="$(grown_since 'pgscan_(kswapd|direct)')" -v swapped="$(grown_since 'pswpout')" 'FNR == NR { told[$1] = $3; next } { c = f = $1; sub(/\|.*/, "", c); sub(/.*\|/, "", f) }
			f == "swapped" { print $1, $2, 0, $3 + told[c "|anon"] + told[c "|shmem"]; next }
			f ~ /^(anon|shmem|file|file_mapped|kernel|slab|slab_reclaimable|slab_unreclaimable)$/ { print $1, $2, 0, $3; next }
			f ~ /^pg(scan|steal)_/ { print $1, $2, $3, $3 + scanned; next }
			f ~ /^(pswp|zswp)(in|out)$/ { print $1, $2, $3, $3 + swapped; next }
			f ~ /active|swapcached/ { next } { print }' "$OUT/both" "$OUT/both" | within 400 cgroups
	fi
	# 5.19: mm/memcontrol: export memcg->watermark via sysfs for v2 memcg
	awk -F : '{ n = split($1, part, "/"); file = part[n]; name = substr($1, 2, length($1) - length(file) - 2) }
		file == "memory.peak" || file == "memory.swappiness" { print name "|" file, $2 }' "$TRUTH/cgroup_files" |
		grep -v -E '^(/system\.slice)?\||guest\.service|report-builder|init\.scope' > "$OUT/told" || :
	of cgroups 'select(.memcg_state == "online") | "\(.memcg)|memory.peak \(.peak_bytes)", "\(.memcg)|memory.swappiness \(.swappiness)"' | sort -k 1,1 > "$OUT/ours"
	[ ! -s "$OUT/told" ] || both "$OUT/ours" "$OUT/told" | within 10 cgroups
	# Below systemd-udevd.service there is one without the controller of memory.
	echo "online $(of cgroups 'select(.memcg_state == "online") | .memcg' | wc -l) $(awk -F : '{ path = $1; sub("/[^/]*$", "", path) } /\/cgroup.events:populated/ { all[path] } /\/memory.stat:/ { has[path] }
		$1 == "./cgroup.stat" && $2 ~ /^nr_descendants / { split($2, d, " ") } END { for (c in all) without += c != "." && !(c in has); print d[2] + 1 - without }' "$TRUTH/cgroup_files")" | within 1 cgroups
}

@test "pools: zram as its device says, huge pages of each node" {
	sed -n 's|.*/mm_stat: *||p' "$TRUTH/zram" | awk '{ print "stored", $1; print "used", $2; print "pool", $3; print "most", $5 }' > "$OUT/told"
	of pools 'select(.name == "zram0") | "stored \(.stored_bytes)", "used \(.used_bytes)", "pool \(.bytes)"' > "$OUT/ours"
	[ -s "$OUT/ours" ]
	# What zram stores is in a structure of its module, of which 5.10 has no BTF, and its vmlinux none.
	case $SAMPLE in 5.10-*) sed -i '/ null$/d' "$OUT/ours" ;; esac
	if [ -z "$DIED" ]; then
		both "$OUT/ours" "$OUT/told" | within $(($(wc -l < "$OUT/ours"))) pools
	elif [ -s "$OUT/ours" ]; then
		# It is as full as it was, or more: what is stored takes no more than it did at most.
		[ "$(awk 'FNR == NR { told[$1] = $2; next } $1 == "pool" && $2 > told["most"]' "$OUT/told" "$OUT/ours")" = '' ]
	fi
	echo "size $(records pools swap 'select(.path | contains("zram")) | (.swap_pages + 1) * 4096') $(sed -n 's|.*/disksize:||p' "$TRUTH/zram")" | within 1 pools
	sed -n -E 's|^/sys/devices/system/node/node([0-9])/hugepages/hugepages-2048kB/([a-z]*)_hugepages:|\1/\2 |p' "$TRUTH/hugepages" | grep -v ' 0$' > "$OUT/told"
	of pools 'select(.kind == "hugetlb") | "\(.node)/nr \(.pages / 512)", "\(.node)/free \((.bytes - .used_bytes) / 4096 / 512)"' | grep -v ' 0$' > "$OUT/ours"
	[ "$(differing "$OUT/ours" "$OUT/told")" = '' ]
	both <(of pools 'select(.kind == "hugetlb") | "nr \(.pages / 512)", "free \((.bytes - .used_bytes) / 4096 / 512)", "surplus \(.surplus_pages / 512)", "resv \(.reserved_pages / 512)"' |
		awk '{ n[$1] += $2 } END { for (k in n) print k, n[k] }') \
		<(sed -n -E 's|^/sys/kernel/mm/hugepages/hugepages-2048kB/([a-z]*)_hugepages:|\1 |p' "$TRUTH/hugepages") | within 4 pools
}

# Lines "VALUE NUMBER" of lines "ADDRESS VALUE": before 5.12 no option of the kernel shows addresses in its files.
values() {	# FILE
	awk '{ n[$2]++ } END { for (v in n) print v, n[v] }' "$1"
}

@test "sockets of netlink and unix: each that the files have, with its queues" {
	local hashed

	if grep -q '^00000000' "$TRUTH/net_unix"; then hashed=1; fi
	# A socket that no process has open is the kernel's; one without a port is in no file.
	awk 'NR > 1 && $3 != 0 { print $1, $5 "/" $6 }' "$TRUTH/net_netlink" > "$OUT/told"
	of sockets 'select(.family == "netlink") | "\(.address | ltrimstr("0x")) \(.rmem_bytes)/\(.wmem_bytes)"' > "$OUT/ours"
	[ "$(wc -l < "$OUT/told")" -gt 4 ]
	if [ -n "$hashed" ]; then
		both <(values "$OUT/ours") <(values "$OUT/told") | awk '{ print $1, $2, $3, $3 + 1 }' | within 1 sockets
	else
		[ "$(join -a 2 -e - -o 0,1.2,2.2 <(sort -k 1,1 "$OUT/ours") <(sort -k 1,1 "$OUT/told") | awk '$2 != $3')" = '' ]
		both "$OUT/ours" "$OUT/told" | awk '{ print $1, $2 == $3, 1 }' | within 5 sockets
	fi
	awk 'NR > 1 { sub(":", "", $1); print $1, $5 "/" $8 }' "$TRUTH/net_unix" > "$OUT/told"
	of sockets 'select(.family == "unix") | "\(.address | ltrimstr("0x")) \({ stream: "0001", dgram: "0002", seqpacket: "0005" }[.socket_type])/\(.local_address // "")"' > "$OUT/ours"
	if [ -n "$hashed" ]; then
		values "$OUT/ours" > "$OUT/shown"
		values "$OUT/told" > "$OUT/listed"
	else
		cp "$OUT/ours" "$OUT/shown"
		cp "$OUT/told" "$OUT/listed"
	fi
	[ "$(differing "$OUT/shown" "$OUT/listed")" = '' ]
	both "$OUT/shown" "$OUT/listed" | awk '{ print $1, $2 == $3, 1 }' | within 15 sockets
	# Who has them open, of those that stood still: the socket of an inode, and the descriptors of that inode.
	awk 'FNR == NR { frozen[$1]; next } FILENAME ~ /fds$/ { if (split($0, at, "/") > 2 && /^\/proc/) pid = at[3]
			else if ($NF ~ /^socket:/ && pid in frozen) { gsub(/[^0-9]/, "", $NF); users[$NF] = users[$NF] " " pid } next }
		FNR > 1 { sub(":", "", $1); unix = FILENAME ~ /unix$/; inode = unix ? $7 : $NF; n = split(users[inode], u, " "); for (i = 1; i <= n; i++) print $1, u[i], unix ? $8 : "netlink" }' \
		"$OUT/frozen" "$TRUTH/fds" "$TRUTH/net_unix" "$TRUTH/net_netlink" | sort -u > "$OUT/told"
	of sockets 'select(.family == "unix" or .family == "netlink") | (.address | ltrimstr("0x")) as $a | (if .family == "unix" then .local_address // "" else "netlink" end) as $at |
		(.used_by // "" | split(", ")[] | "\($a) \(split("(")[0]) \($at)")' |
		awk 'FNR == NR { frozen[$1]; next } $2 in frozen' "$OUT/frozen" - | sort -u > "$OUT/ours"
	[ "$(wc -l < "$OUT/told")" -gt 20 ]
	if [ -n "$hashed" ]; then
		diff <(grep -v ' netlink$' "$OUT/told" | sed 's/^[^ ]* //' | sort | uniq -c) <(grep -v ' netlink$' "$OUT/ours" | sed 's/^[^ ]* //' | sort | uniq -c)
		return
	fi
	# A netlink socket without a port is in no file.
	[ "$(comm -23 "$OUT/told" "$OUT/ours")" = '' ]
	[ "$(comm -13 "$OUT/told" "$OUT/ours" | grep -v -F -f <(of sockets 'select(.family == "netlink") | .address | ltrimstr("0x")'))" = '' ]
	awk '{ print $1 "/" $2, 1, 1 }' "$OUT/told" | within 20 sockets
}

@test "sockets: how many there are, and the memory of TCP, its pages in advance too" {
	awk '$1 == "sockets:" { print "used", $3 } $1 ~ /^(TCP|UDP)6?:$/ { for (i = 2; i < NF; i += 2) print $1 $i, $(i + 1) }' \
		"$TRUTH/net_sockstat" "$TRUTH/net_sockstat6" > "$OUT/told"
	# 5.10 says "used" of some that no file lists and no process has: what they are was not found.
	case $SAMPLE in 5.10-*) sed -i '/^used /d' "$OUT/told" ;; esac
	{
		# Those that only wait for their time to end are no struct socket, and have a number of their own.
		echo "used $(of sockets 'select(.socket_state != "time_wait") | .address' | wc -l)"
		echo "TCP:tw $(of sockets 'select(.socket_state == "time_wait") | .address' | wc -l)"
		for protocol in TCP UDP; do
			echo "$protocol:inuse $(of sockets "select(.family == \"inet\" and .protocol == \"$protocol\" and .socket_state != \"time_wait\") | .address" | wc -l)"
			echo "${protocol}6:inuse $(of sockets "select(.family == \"inet6\" and .socket_state != \"time_wait\" and (.protocol | startswith(\"$protocol\"))) | .address" | wc -l)"
			records sockets protocol "select(.protocol | split(\", \") | index(\"$protocol\")) | \"$protocol:alloc \(.sockets)\", \"$protocol:mem \((.charged_bytes - .reserve_bytes) / 4096)\""
		done
	} > "$OUT/ours"
	# Their timers go on, and one may be closed before its file is read.
	both "$OUT/ours" "$OUT/told" | awk '$1 == "TCP:tw" { print $1, $2, 0, $3; next } $1 == "used" { print $1, $2, $3 - 1, $3; next } { print }' | within 8 sockets
}

@test "the command line, and of init its sizes, its cgroup and what the OOM killer thinks of it" {
	[ "$(records case case .command_line)" = "$(cat "$TRUTH/cmdline")" ]
	{
		sed -n -E 's,^/proc/1/status:(VmSize|VmData|VmPTE|VmLck):[ \t]*([0-9]+) kB,\1 \2,p; s,^/proc/1/status:Threads:[ \t]*,Threads ,p' "$TRUTH/proc_status"
		sed -n 's|^/proc/1/cgroup:0::|cgroup |p' "$TRUTH/proc_cgroup"
		sed -n 's|^/proc/1/oom_score_adj:|adj |p' "$TRUTH/proc_oom"
	} | sort > "$OUT/told"
	of processes 'select(.pid == 1) | "VmSize \(.vsz_bytes / 1024)", "VmData \(.data_bytes / 1024)", "VmPTE \(.pgtables_bytes / 1024)", "VmLck \(.locked_bytes / 1024)",
		"Threads \(.threads)", "cgroup \(.cgroup)", "adj \(.oom_score_adj)"' | sort | diff "$OUT/told" -
	[ "$(wc -l < "$OUT/told")" = 7 ]
}

@test "each mount that files are told of is one of /proc/mounts" {
	of mounts '.mount | select(startswith("[") | not)' | sort > "$OUT/ours"
	[ "$(wc -l < "$OUT/ours")" -ge 2 ]
	awk '{ print $2 }' "$TRUTH/mounts" | sort | comm -13 - "$OUT/ours" | refute grep .
}

@test "swap areas: their size, and what an OOM left of them, as its report has it" {
	local free total
	# A page of each area has its header, and is not counted.
	total=$(awk 'NR > 1 { n += $3 } END { print n + 0 }' "$TRUTH/swaps")
	[ "$(records pools swap .swap_pages | awk '{ n += $1 } END { print n * 4 }')" = "$total" ]
	[ -n "$DIED" ] || return 0
	free=$(sed -n -E 's/.*Free swap += ([0-9]+)kB.*/\1/p' "$TRUTH/console" | tail -n 1)
	[ "$(records pools swap '(.swap_pages - .swap_used_pages)' | awk '{ n += $1 } END { print n * 4 }')" = "$free" ]
}

@test "bpf: filters of seccomp of each process, as many as Seccomp_filters of /proc/PID/status" {
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" bpf -n 0 -f bpf_kind=seccomp -j > "$OUT/seccomp.json"
	# A filter that several processes have counts for each of them.
	records seccomp row '.bpf_programs as $n | .used_by | split(", ")[] | "\(sub("\\(.*"; "")) \($n)"' |
		awk '{ n[$1] += $2 } END { for (pid in n) print pid, n[pid] }' > "$OUT/ours"
	sed -n 's|^/proc/\([0-9]*\)/status:Seccomp_filters:\t\([1-9][0-9]*\)$|\1 \2|p' "$TRUTH/proc_status" > "$OUT/told"
	# Of those that died since, or that an OOM killed, nothing is left.
	both "$OUT/ours" "$OUT/told" | within 3 bpf
	jq -s -e 'map(select(.record == "row")) | all(.bytes > 0 and .bytes % 4096 == 0 and .bpf_id == null and .original_bytes >= 8 * .bpf_programs)' "$OUT/seccomp.json"
}

@test "filesystems: each tmpfs that has a size, and devtmpfs" {
	sed -n -E 's/^[^ ]+ ([^ ]+) (tmpfs|devtmpfs) .*[,]size=([0-9]+)k(,nr_inodes=([0-9]+))?.*/\2 \1 \3 \5/p' "$TRUTH/mounts" |
		awk '{ print $1, $2, $3 * 1024, $4 ? $4 : "any" }' | sort > "$OUT/mounted"
	grep -q '^devtmpfs /dev ' "$OUT/mounted"
	records filesystems row '"\(.fs_type) \(.mount) \(.bytes) \(.max_inodes)"' > "$OUT/ours"
	while read -r fs mount bytes inodes; do
		awk -v fs="$fs" -v mount="$mount" -v bytes="$bytes" -v inodes="$inodes" '$1 == fs && $2 == mount && $3 == bytes &&
			(inodes == "any" || $4 == inodes) { n++ } END { exit !n }' "$OUT/ours" || { echo "$fs $mount $bytes $inodes"; false; }
	done < "$OUT/mounted"
}

@test "processes: the counter of SigQ of a user, and who has these signals" {
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" processes -n 0 -o pid,uid,queued_signals,signal_senders,user_signals -j > "$OUT/signals.json"
	records signals row '"\(.pid) \(.user_signals)"' > "$OUT/ours"
	sed -n 's|^/proc/\([0-9]*\)/status:SigQ:\t\([0-9]*\)/.*|\1 \2|p' "$TRUTH/proc_status" > "$OUT/told"
	# Between the file and the end signals come and go; no process queues many of them.
	both "$OUT/ours" "$OUT/told" | awk '{ print $1, $2, $3 - 8, $3 + 8 }' | within 5 processes
	# POSIX timers count for a user, and wait for no process.
	jq -s -e 'map(select(.record == "row" and .uid != null and .user_signals != null)) | group_by(.uid) |
		all((map(.queued_signals) | add) <= .[0].user_signals)' "$OUT/signals.json"
}
