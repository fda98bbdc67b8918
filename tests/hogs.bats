#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A real kernel in which one user has most of the memory, $SAMPLE (scripts/sample/guest/hog):
# with page_owner and without, the commands name it, by figures that its kernel had.
# "make samples" makes the dumps that are not in the repository.

load helper
load dump

setup_file() {
	export DIR=$BUILD/samples/$SAMPLE TRUTH=$BUILD/samples/$SAMPLE/truth OUT=$BATS_FILE_TMPDIR MODE=${MODES##* }
	export HOG CULPRIT CONSOLE=$OUT/console
	HOG=${SAMPLE#*-hog-}
	HOG=${HOG%-bare}
	HOG=${HOG%-v1}
	CULPRIT=$(sed -n 's/^culprit=//p' "$DIR/meta")
	BATS_TEST_TMPDIR=$OUT
	tr -d '\r' < "$TRUTH/console" | sed 's/^\[ *[0-9.]*\] //' > "$CONSOLE"
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "memowner > $OUT/text" "memowner -j > $OUT/summary" \
		"pageowner -m > $OUT/memory.txt" "pageowner -m -j > $OUT/memory" "pageowner -z > $OUT/zones.txt" "pageowner -z -j > $OUT/zones" \
		"pageowner -m -g node,zone -j > $OUT/groups" "memowner files -j > $OUT/files" \
		"memowner processes -n 0 -j > $OUT/processes" "memowner cgroups -n 0 -j > $OUT/cgroups" "pageowner -b -j > $OUT/blocks" "memowner caches -j > $OUT/caches" "memowner vmalloc -n 1 -j > $OUT/areas" "pageowner -t list -a -j > $OUT/list" > "$OUT/said"
	rows summary 'select(.record == "next") | .command' > "$OUT/next"
}

rows() {	# FILE FILTER: of a summary, each statement is a record of its section
	[[ "$1" = *summary ]] && jq -r "$2" "$OUT/$1" || records "$1" row "$2"
}

records() {	# FILE RECORD FILTER
	jq -r "select(.record == \"$2\") | $3" "$OUT/$1"
}

# Records of the page allocator, if the kernel was booted with them.
with_page_owner() {
	grep -q 'page_owner=on' "$TRUTH/cmdline"
}

@test "memowner names the culprit, on one screen" {
	[ -n "$CULPRIT" ]
	# The OOM report names the process that asked last, which is another statement.
	[ "$SAMPLE" != 6.12-hog-order4-bare ] || return 0 # without page_owner no record says who allocated direct pages
	on_screen 80 --vmlinux "$DIR/vmlinux" "$DIR/vmcore" > "$OUT/screen"
	[ "$(wc -l < "$OUT/screen")" -le 40 ]
	refute grep -E '.{81}| $' "$OUT/screen"
	# An option of the command line is no answer of the command.
	grep -v -e guest.hog -e slub_debug "$OUT/text" | grep -F -e "$CULPRIT"
}

@test "every mode that crash opens it in: the same summary" {
	for mode in ${MODES% *}; do
		[ "$mode" != "$MODE" ] || continue
		run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $mode) -- "memowner > $OUT/text.$mode" > "$OUT/said"
		diff "$OUT/text" "$OUT/text.$mode"
	done
}

@test "with page_owner: the records are those of the kernel's file" {
	with_page_owner || return 0 # booted without page_owner
	awk -f "$TESTS/truth/page_owner.awk" "$TRUTH/page_owner" > "$OUT/told.tsv"
	mkdir "$OUT/digest"
	"$TESTS/tools/digest" "$OUT/list" "$(cat "$TRUTH/t0")" "$OUT/digest"
	run awk -v t0="$(cat "$TRUTH/t0")" -f "$TESTS/truth/compare.awk" "$OUT/digest/list.tsv" "$OUT/told.tsv"
	echo "$output" | tail -n 20
	[[ "${lines[-1]}" =~ ^same' '([0-9]+)', changed since '([0-9]+)', wrong 0'$ ]]
	[ "${BASH_REMATCH[1]}" -gt 10000 ]
	echo "# ${lines[-1]}" >&3
}

@test "a node that is full: memowner has the nodes that the task may use" {
	[ "$HOG" = numa ] || return 0 # one node
	grep -q 'mems_allowed 1;' "$OUT/text"
	[ "$(rows summary 'select(.record == "oom") | .mems_allowed')" = 1 ]
	grep -q -E '^verdict   node 1, to which mems_allowed binds the request, ran out: .* in zones that the request may not use$' "$OUT/text"
}

@test "with page_owner: the process that allocated most" {
	local wanted

	with_page_owner || return 0 # booted without page_owner
	[[ "$SAMPLE" != @(4.*|5.10-*) ]] || return 0 # its records have no task
	[ "$HOG" != packets ] || return 0 # received by whatever task an interrupt comes in
	[ "$HOG" != sockets ] || return 0 # the sender allocates what the receiver keeps
	case $HOG in
	memcg) wanted=cartd ;;
	tmpfs | spool) wanted=spoold ;;
	mlock) wanted=dbcache ;;
	zram | zswap) wanted=imagecache ;;
	dentry) wanted=crawlerd ;;
	numa) wanted=solverd ;;
	dmabuf) wanted=cameradaemon ;;
	sharers) wanted=tabled ;;
	vmalloc | slab | order4 | frames) wanted=framegrabd ;;
	esac
	[ "$(rows summary 'select(.record == "owner" and .user_kind == "process") | .comm')" = "$wanted" ]
}

@test "beside a zram stands who has most of what is in swap" {
	[ "$HOG" = zram ] || return 0
	rows summary 'select(.record == "holder" and .user_kind == "zram") | .remark' | grep -q -x -E 'stores [0-9.]+M(, hardly compressed)?; imagecache[a-z]* \([0-9]+\) has [0-9.]+M of [0-9.]+M in swap'
}

@test "what was in use when page_owner started has no growth: the kernel stamps all of it with that start" {
	local early='select(.record == "owner" and .name == "register_early_stack")'

	with_page_owner || return 0 # booted without page_owner
	[ "$(rows summary "$early | .growth, .span_pages, .span_start_ns, .span_end_ns" | sort -u | tr -d '\n')" = \
		"$(rows summary "$early | null" | sort -u | tr -d '\n')" ]
	refute grep -E 'within 0ns|register_early_stack was allocated' "$OUT/text"
	if [ "$SAMPLE" = 6.12-hog-spool ]; then
		[ "$(rows summary "$early | .user_kind")" = caller ]
	fi
}

# Of a process that changed since, they differ: httpd of 6.12-hog-mlock.
@test "the badness of a row of the log is that of the figures of this row" {
	[ "$(rows processes 'select(.log_badness_pages != null and .oom_score_adj == 0 and
		.log_badness_pages * 4096 != .log_rss_bytes + .log_swap_bytes + .log_pgtables_bytes)')" = '' ]
	[ "$(rows processes 'select(.log_badness_pages != null) | .pid' | wc -l)" -gt 0 ] ||
		[[ "$HOG" = @(order4|frames|slab|zswap|sharers) ]]
}

@test "free pages are low where the watermarks of each zone refuse order 0, GFP_KERNEL" {
	local refused low

	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "pageowner -z 0 GFP_KERNEL -j > $OUT/kernel" > "$OUT/said"
	refused=$(rows kernel .result | sort -u | grep -v -e not_allowed -e no_pages | xargs)
	low=$(rows summary 'select(.record == "class" and .name == "buddy") | .remark')
	if [ "$refused" = below_watermark ]; then
		[[ "$low" = low* ]]
	else
		[[ "$low" != *'no zone gives'* ]]
	fi
	if [ "$SAMPLE" = 7.3-hog-dentry ]; then
		# To what was asked for last.
		[[ "$low" = 'low: no zone gives a page to GFP_'*', by its min watermark and reserve' ]]
	fi
}

@test "memowner proposes the command that shows the culprit" {
	local wanted

	case $HOG in
	dentry | slab) wanted='memowner caches' ;;
	frames | order4) wanted='memowner fragmentation 4' ;;
	mlock | numa | sharers) wanted='memowner processes -n 5' ;;
	memcg) wanted='memowner cgroups' ;;
	tmpfs) wanted='memowner files' ;;
	spool) wanted='memowner files -f memcg=/shop/checkout' ;;
	vmalloc) wanted='memowner vmalloc' ;;
	zram | zswap) wanted='memowner processes -s swap_bytes -n 5' ;;
	dmabuf) wanted='memowner dmabuf' ;;
	sockets) wanted='memowner sockets' ;;
	packets) wanted='memowner pools' ;;
	esac
	grep -q -x -F -e "$wanted" "$OUT/next"
	# Stacks that page_owner registers for itself, sites of allocators, the task that invoked the OOM killer.
	refute grep -E 'register_early_stack|function=(alloc_slab_page|alloc_zspage|alloc_zpdesc)|^faults -b' "$OUT/next"
	[ "$(sort "$OUT/next" | uniq -d)" = '' ]
	[ "$(wc -l < "$OUT/next")" = 3 ]
}

@test "the commands that memowner proposes run" {
	local commands

	mapfile -t commands < "$OUT/next"
	[ "${#commands[@]}" -ge 1 ]
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "${commands[@]}" > "$OUT/asked"
	[ -s "$OUT/asked" ]
	refute grep -E '^(memowner|pageowner|allocprof|faults|depot): (unknown|unexpected)' "$OUT/asked"
	# Of cgroup v1 processes are in the cgroup that is charged, and in / of the default hierarchy.
	refute grep -F 'nothing that was read has it' "$OUT/asked"
}

@test "each command that memowner proposes has rows" {
	proposals_answer "$DIR/vmcore"
}

@test "the classes are all of System RAM, the zones all that the kernel manages" {
	local ram

	ram=$(awk -F '[- ]' '/^[0-9a-f].*: System RAM/ { n += int((number($2) + 1) / 4096) - int((number($1) + 4095) / 4096) }
		function number(h,   i, v) { v = 0
			for (i = 1; i <= length(h); i++) v = v * 16 + index("0123456789abcdef", substr(h, i, 1)) - 1
			return v }
		END { print n }' "$TRUTH/iomem")
	[ "$(rows memory 'select(.class) | .pages' | awk '{ n += $1 } END { print n }')" = "$ram" ]
	# Records of page_owner are counted where there are any.
	[ "$(records memory summary '"\(.ram_pages) \(.unreadable) \(.scanned + .skipped == .ram_pages)"')" = \
		"$(with_page_owner && echo "$ram 0 true" || echo "null null true")" ]
	# Zones without pages are not shown. Where the file has no boost, all its watermarks have it.
	diff <(awk '/^Node/ { node = $2 + 0; zone = $4 } $1 ~ /^(boost|min|low|high|spanned|present|managed)$/ { v[$1] = $2 }
			$1 == "managed" && v["spanned"] { print node, zone, v["spanned"], v["present"], v["managed"],
				"boost" in v ? v["min"] - v["boost"] : "-", v["low"] - v["min"], v["high"] - v["low"] }' "$TRUTH/zoneinfo") \
		<(rows zones '"\(.node) \(.zone) \(.spanned_pages) \(.present_pages) \(.managed_pages) \(if '"$(grep -c -w boost "$TRUTH/zoneinfo")"' > 0 then .min_pages - .boost_pages else "-" end) \(.low_pages - .min_pages) \(.high_pages - .low_pages)"')
	[ "$(rows zones 'select(.listed_pages != .counted_pages)')" = '' ]
	diff <(rows zones '"\(.node) \(.zone) \(.listed_pages)"') <(rows groups 'select(.class == "buddy") | "\(.node) \(.zone) \(.pages)"')
}

@test "processes: oom_score_adj and locked memory are those of /proc" {
	local adj

	rows processes 'select(.pid != null) | "\(.pid) \(.oom_score_adj)"' | sort > "$OUT/adj"
	# A process that was started since has no line.
	adj=$(sort "$TRUTH/proc_oom_score_adj" | join - "$OUT/adj")
	[ "$(wc -l <<< "$adj")" -ge 4 ]
	[ -z "$(awk '$2 != $3' <<< "$adj")" ]
	# VmLck counts what mlock() has locked, whether a page is there or not.
	diff <(awk '$1 == "Pid:" { pid = $2 } $1 == "VmLck:" && $2 { print pid }' "$TRUTH/proc_status" | sort) \
		<(rows processes 'select(.locked_bytes > 0) | .pid' | grep -x -F -f <(awk '$1 == "Pid:" { print $2 }' "$TRUTH/proc_status") | sort)
}

@test "files: the pages of all rows are those of the classes, each inode has the pages that it counts" {
	diff <(rows files '"\(.class) \(.pages)"' | awk '{ n[$1] += $2 } END { for (c in n) if (n[c]) print c, n[c] }' | sort) \
		<(rows memory 'select(.class == "file" or .class == "shmem") | "\(.class) \(.pages)"' | sort)
	[ "$(rows files 'select(.difference_pages != 0 and .difference_pages != null) | .file')" = '' ]
	[[ "$HOG" != tmpfs && "$HOG" != spool ]] || [[ "$(rows files '"\(.deleted) \(.file_kind) \(.file) \(.opened_by)"' | head -n 1)" = 'true tmpfs /spool/trace.log (deleted) '*'(spoold)' ]]
}

# What -z says of the request: kind, order, constraint, cgroup, and of which zone what.
reason() {
	records zones report '"\(.report) order \(.order) \(.constraint // "-") \(.memcg // "-") \(.outcome // "-")"'
}

@test "slab caches: how many were merged into each is what sysfs had" {
	[ -e "$TRUTH/slab_aliases" ] || return 0
	rows caches 'select(.cache and .aliases != null) | "\(.cache) \(.aliases)"' | sort -u > "$OUT/aliases"
	# Those of caches that exist since are not in the file.
	awk 'NR == FNR { of[$1] = $2; next } $1 in of { n++; if (of[$1] != $2) print } END { if (n < 50) print n " compared" }' \
		"$TRUTH/slab_aliases" "$OUT/aliases" > "$OUT/wrong"
	cat "$OUT/wrong"
	[ ! -s "$OUT/wrong" ]
	# With caches of cgroups, up to 5.8, what is charged is not merged.
	[[ "$SAMPLE" = 4.* ]] || grep -q ' [1-9]' "$OUT/aliases"
}

@test "-z: the request that failed, and why" {
	case $HOG in
	memcg | spool)
		local used limit

		read -r used limit < <(sed -n 's/.*memory: usage \([0-9]*\)kB, limit \([0-9]*\)kB.*/\1 \2/p' "$TRUTH/console" |
			awk '{ printf "%.1fM %.1fM\n", $1 / 1024, $2 / 1024 }')
		[ "$(reason)" = 'oom order 0 CONSTRAINT_MEMCG /shop/checkout panicked' ]
		grep -q -x "  the limit of a memory cgroup was reached, not a watermark: /shop/checkout, $used of $limit" "$OUT/zones.txt"
		;;
	numa)
		# The constraint is in a line behind the one that panics; the nodes are in the task.
		[ "$(reason)" = 'oom order 0 - - panicked' ]
		[ "$(records zones report .mems_allowed)" = 1 ]
		grep -q -x '  node 0 DMA32: not used: the cpuset of the task does not allow this node' "$OUT/zones.txt"
		[ "$(records zones logged 'select(.node == 1) | .result')" = below_watermark ]
		;;
	zswap) [ "$(reason)" = '' ] ;;
	sharers) [ "$(reason)" = 'oom order 0 CONSTRAINT_MEMCG /tiny killed' ] ;;
	order4 | frames)
		[ "$(reason)" = 'allocation order 4 - - -' ]
		[ "$(rows zones .result | sort -u)" = no_block ]
		[ "$(rows zones .largest_order | sort -n | tail -n 1)" -lt 4 ]
		;;
	*)
		[ "$(reason)" = 'oom order 0 CONSTRAINT_NONE - panicked' ]
		# What is served at the panic is no contradiction.
		[ "$(sed -n '/^at the panic, by the dump:/,$p' "$OUT/zones.txt" | grep -c ': served:$')" = 0 ] ||
			grep -q -x '  the request had failed before the report: at the panic it would be served' "$OUT/zones.txt"
		# Between the report and the panic, another CPU may give its free pages back; before the report, too.
		[ "$(records zones logged .result | sort -u)" = below_watermark ] ||
			grep -q -x '  the last try to allocate was before this report: pages were freed in between' "$OUT/zones.txt"
		;;
	esac
}

# "Fallback order for Node 0: 0 1": NODE and the nodes of its list. A kernel without NUMA prints
# no such line and has node 0.
fallbacks() {
	if grep -q '^Fallback order for Node ' "$CONSOLE"; then
		sed -n 's/^Fallback order for Node \([0-9]*\): \(.*[0-9]\) *$/\1 \2/p' "$CONSOLE"
	else
		echo 0 0
	fi
}

@test "-z: zonelists are in the order that the kernel printed, that of the request is of the node of its CPU" {
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "pageowner -z 0 -j > $OUT/any" "pageowner -z 0 0x200cc0 -j > $OUT/own" > "$OUT/said"
	[ "$(fallbacks | wc -l)" -ge 1 ]
	diff <(fallbacks) <(records any zonelist '"\(.zonelist_node) \(.node)"' | uniq |
		awk '{ if (!($1 in l)) nodes[++n] = $1; l[$1] = l[$1] " " $2 } END { for (i = 1; i <= n; i++) print nodes[i] l[nodes[i]] }')
	[ "$(records own zonelist 'select(.node != .zonelist_node)')" = '' ]
	diff <(fallbacks | cut -d ' ' -f 1) <(records own zonelist .zonelist_node | uniq)
	case $HOG in
	memcg | spool | zswap | sharers) [ "$(records zones zonelist .rank)" = '' ] ;;
	numa)	# CPU 0 is of node 0, the cpuset has node 1 alone.
		[ "$(records zones zonelist '"\(.zonelist_node) \(.zonelist_source) \(.rank) \(.node) \(.result)"' | paste -s -d ,)" = \
			'0 cpu_of_report 1 0 not_allowed,0 cpu_of_report 2 1 below_watermark' ]
		grep -q -x '  zonelist of node 0 (assumed: the node of CPU 0): node 0 DMA32, node 1 DMA32' "$OUT/zones.txt"
		;;
	*) [ "$(records zones zonelist .zonelist_source | sort -u)" = only_node ] ;;
	esac
}

# Of the last report in the log: "ZONE KEY PAGES".
reported() {
	awk '/^Mem-Info:/ { n = 0 } /^(Node [0-9]+ )?[A-Za-z0-9]+ free:[0-9]+kB/ { line[++n] = $0 }
		END { for (i = 1; i <= n; i++) { node = line[i] ~ /^Node/ ? line[i] : "Node 0"; sub(/^Node /, "", node); sub(/ .*/, "", node)
			sub(/^Node [0-9]+ /, "", line[i]); k = split(line[i], f, " ")
			for (j = 2; j <= k; j++) if (split(f[j], kv, ":") == 2 && kv[2] ~ /^[0-9]+[kK]B$/)
				print node, f[1], kv[1], kv[2] / 4 } }' "$CONSOLE"
}

@test "-z: figures of the log and of the dump" {
	local figures='"\(.zone) free \(.free_pages)", "\(.zone) min \(.min_pages)", "\(.zone) low \(.low_pages)", "\(.zone) high \(.high_pages)", "\(.zone) managed \(.managed_pages)"'

	if ! grep -q '^Mem-Info:' "$CONSOLE"; then
		return 0 # its kernel prints no Mem-Info for a cgroup at its limit
	fi
	diff <(reported | awk '$3 ~ /^(free|min|low|high|managed)$/ { print $2, $3, $4 }' | sort) <(records zones logged "$figures" | sort)
}

# A figure of /proc/meminfo or /proc/vmstat that does not change at the end.
told() {	# FILE KEY
	awk -v k="$2" '$1 == k || $1 == k ":" { print $2 }' "$TRUTH/$1"
}

# "PID VMPTE VMSIZE VMSWAP RSS ANONYMOUS" in KiB. VmRSS is an estimate of the kernel, Rss its count of pages.
told_processes() {
	awk -F '[: \t]+' 'FNR == 1 { file++ } file == 1 { if ($2 == "Rss" || $2 == "Anonymous") n[$1, $2] = $3; next }
		$1 == "Pid" { pid = $2 } $1 ~ /^Vm(PTE|Size|Swap)$/ { v[$1] = $2 }
		$1 == "VmSwap" && (pid, "Rss") in n { print pid, v["VmPTE"], v["VmSize"], $2, n[pid, "Rss"], n[pid, "Anonymous"] }' \
		FS='[ :]+' "$TRUTH/proc_smaps_rollup" FS='[: \t]+' "$TRUTH/proc_status" | sort -k 1,1
}

@test "processes: sizes are those of /proc; of the culprit and init, which ran since, at least as large" {
	told_processes > "$OUT/told_processes"
	rows processes 'select(.pid) | "\(.pid) \(.pgtables_bytes / 1024) \(.vsz_bytes / 1024) \(.swap_bytes / 1024) \(.rss_bytes / 1024) \(.rss_anon_bytes / 1024) \(.comm)"' |
		sort -k 1,1 | join "$OUT/told_processes" - > "$OUT/sizes"
	[ "$(wc -l < "$OUT/sizes")" -ge 6 ]
	# Anonymous pages are in memory or in swap; what is not of them is dropped with them only.
	run awk -v culprit="$CULPRIT" '
		$1 == 1 || $12 == culprit || $12 ~ /^(cartd|solverd)$/ { bad = $7 < $2 || $8 < $3; moved++; if (bad) print "less:", $0; next }
		$2 != $7 || $3 != $8 || $4 + $6 != $9 + $11 || ($4 == $9 ? $5 != $10 : $5 < $10) { print "differs:", $0 }' "$OUT/sizes"
	echo "$output"
	[ -z "$output" ]
}

@test "constants of meminfo and zoneinfo; pageblocks of a zone, which may have another type since" {
	[ "$(rows zones .managed_pages | awk '{ n += $1 * 4 } END { print n }')" = "$(told meminfo MemTotal)" ]
	[ "$(records zones node '.swap_pages * 4' | head -n 1)" = "$(told meminfo SwapTotal)" ]
	[ "$(records areas total 'select(.name == "Percpu") | .counted_pages * 4')" = "$(told meminfo Percpu)" ]
	[ "$(told meminfo HugePages_Total)" = '' ] || [ "$(rows memory 'select(.class == "hugetlb") | .pages' | awk '{ n += $1 } END { print n * 4 }')" = \
		"$(told meminfo Hugetlb)" ]
	# A zone of a guest is the highest that any request can use: its reserve is the last one.
	diff <(awk '/^Node/ { node = $2 + 0; zone = $4 } $1 == "managed" { managed = $2 } $1 == "protection:" && managed { gsub(/[(),]/, " "); print node, zone, $NF }' "$TRUTH/zoneinfo") \
		<(rows zones 'select(.reserve_pages != null) | "\(.node) \(.zone) \(.reserve_pages)"') || [ "$(reason)" = '' ]
	diff <(awk '/^Number of blocks type/ { on = 1; next } /^Number of mixed/ { on = 0 } on && /^Node/ && $5 ~ /^[0-9]+$/ { n = 0; for (i = 5; i <= NF; i++) n += $i
			if (n) print $2 + 0, $4, n }' "$TRUTH/pagetypeinfo") \
		<(records blocks type 'select(.zone != null) | "\(.node) \(.zone) \(.pageblocks)"' | awk '{ n[$1 " " $2] += $3 } END { for (z in n) print z, n[z] }' | sort)
}

# What the guest read of its cgroups at T0, and the same at the panic: "CGROUP FILE KEY<tab>VALUE<tab>VALUE AT T0".
both_cgroups() {
	rows cgroups 'select(.memcg_state == "online" and .memcg != "/") | .memcg as $m | (if .memcg_version == "v1" then
			["memory.usage_in_bytes", .usage_bytes], ["memory.limit_in_bytes", .max_limit], ["memory.soft_limit_in_bytes", .soft_limit],
			["memory.max_usage_in_bytes", .peak_bytes], ["memory.failcnt", .failcnt], ["memory.memsw.usage_in_bytes", .memsw_bytes],
			["memory.memsw.limit_in_bytes", .memsw_limit], ["memory.kmem.usage_in_bytes", .kmem_bytes], ["memory.kmem.limit_in_bytes", .kmem_limit],
			["memory.kmem.tcp.usage_in_bytes", .tcp_bytes], ["memory.kmem.tcp.limit_in_bytes", .tcp_limit]
		else
			["memory.current", .usage_bytes], ["memory.max", .max_limit], ["memory.high", .high_limit], ["memory.low", .low_limit],
			["memory.min", .min_limit], ["memory.peak", .peak_bytes], ["memory.swap.current", .swap_usage_bytes],
			["memory.swap.max", .swap_max_limit], ["memory.swap.high", .swap_high_limit], ["memory.swap.peak", .swap_peak_bytes],
			["memory.oom.group", if .oom_group then 1 else 0 end], (.memcg_stat | to_entries[] | ["memory.stat \(.key)", .value])
		end),
		((.memcg_events // {}) | to_entries[] | if .key | startswith("swap_") then ["memory.swap.events \(.key[5:])", .value] else ["memory.events \(.key)", .value] end),
		((.memcg_local_events // {}) | to_entries[] | select(.key | startswith("swap_") | not) | ["memory.events.local \(.key)", .value]) |
		"\($m) \(.[0])\t\(if .[1] == 9223372036854771712 then "max" else .[1] end)"' | sort -t $'\t' -k 1,1 > "$OUT/ours"
	sed -E 's/ ([^ ]+)$/\t\1/; s/\t9223372036854771712$/\tmax/' "$TRUTH/memcg" | sort -t $'\t' -k 1,1 > "$OUT/theirs"
	join -t $'\t' "$OUT/ours" "$OUT/theirs"
}

@test "cgroups: limits are those of the kernel's files, events and peaks at least theirs; only who allocated since has other values" {
	local busy=

	[[ "$HOG" != memcg && "$HOG" != spool ]] || busy=/shop/checkout
	both_cgroups > "$OUT/both"
	[ "$(wc -l < "$OUT/both")" -ge "$(rows cgroups 'select(.memcg_state == "online" and .memcg != "/") | if .memcg_version == "v1" then 8 else 20 end' | awk '{ n += $1 } END { print n }')" ]
	run awk -F '\t' '$1 ~ /(limit_in_bytes|memory\.(max|high|low|min|swap\.max|swap\.high|oom\.group))$/ && $2 != $3 { print "limit:", $0 }
		$1 ~ /(peak|max_usage_in_bytes|failcnt|events(\.local)? [a-z_]+)$/ && ($2 !~ /^[0-9]+$/ || $2 < $3) { print "less:", $0 }' "$OUT/both"
	echo "$output"
	[ -z "$output" ]
	[[ $busy = /* ]] || return 0
	# A cgroup at its limit empties the stocks of CPUs, those of other cgroups too: up to 64 pages
	# of each CPU are charged no more, bytes of objects up to a page of each are counted now.
	run awk -F '\t' -v busy="$busy" -v cpus="$(head -n 1 "$OUT/cgroups" | jq .cpus)" '{ cgroup = $1; sub(/ .*/, "", cgroup) }
		$2 == $3 || index(busy "/", cgroup "/") == 1 { next }
		$1 ~ /memory\.current$/ && $2 < $3 && $3 - $2 <= cpus * 64 * 4096 { next }
		$1 ~ / slab_(un)?reclaimable$/ && $2 > $3 && $2 - $3 <= cpus * 4096 { next }
		{ print "differs:", $0 }' "$OUT/both"
	echo "$output"
	[ -z "$output" ]
	if grep -q '^/ cgroup.stat nr_dying_subsys_memory' "$TRUTH/memcg"; then
		[ "$(rows cgroups 'select(.memcg_state == "dying") | .memcg' | wc -l)" = "$(sed -n 's|^/ cgroup.stat nr_dying_subsys_memory ||p' "$TRUTH/memcg")" ]
	fi
	# The guest filled it to its limit. What CPUs had charged in advance was given back since.
	[ "$(rows cgroups "select(.memcg == \"$busy\") | (.peak_bytes // .max_limit) == .max_limit and (.memcg_events.max // .failcnt) > 0 and .failcnt != 0")" = true ]
	# Every reference of a removed cgroup has a holder.
	# Without counters of references (4.19) they are unknown.
	[ "$(rows cgroups 'select(.memcg_state == "dying" and .other_references != 0) | .other_references' | sort -u)" = "$([[ "$SAMPLE" != 4.* ]] || echo null)" ]
}

@test "memowner names a cgroup at its limit, with its usage" {
	[ "$HOG" = memcg ] || [ "$HOG" = spool ] || return 0 # no cgroup at its limit
	[ "$(rows summary 'select(.record == "holder" and .user_kind == "cgroup") | "\(.name) \(.bytes)"')" = \
		"$(rows cgroups 'select(.memcg == "/shop/checkout") | "\(.memcg) \(.usage_bytes)"')" ]
}

@test "the class that grew has most of the pages, and as many as the kernel counts" {
	local class

	case $HOG in
	memcg | order4 | frames | sharers) class=buddy ;;
	tmpfs | spool) class=shmem ;;
	mlock | numa) class=anon ;;
	zram | zswap) class=zsmalloc ;;
	vmalloc) class=vmalloc ;;
	packets) class=page_pool ;;
	dmabuf) class=direct ;;
	sockets) class=direct ;;
	dentry | slab) class=slab ;;
	esac
	# Of the node that is full.
	[ "$(rows groups "select(\"$HOG\" != \"numa\" or .node == 1) | \"\(.pages) \(.class)\"" | sort -n | tail -n 1 | cut -d ' ' -f 2)" = $class ]
	# A difference has a cause, which names the figure of each part.
	[ "$(rows memory 'select(.class and .difference_pages and .difference_pages != 0 and (.cause == null or .cause == "unknown")) | .class')" = '' ]
}

@test "the guide's session of this dump is what the commands print" {
	[ -e "$TESTS/../samples/vmcores/$SAMPLE/SHA256SUMS" ] || return 0 # the guide has dumps of the repository
	[ "$(grep -c "^<!-- dump $SAMPLE -->\$" "$TESTS/../doc/guide.md")" -ge 1 ]
	diff "$TESTS/../doc/guide.md" <(DUMPS=$SAMPLE "$TESTS/../scripts/session" < "$TESTS/../doc/guide.md")
}

@test "pages of a page_pool are those of the device that received them" {
	[ "$HOG" = packets ] || return 0 # no network
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "memowner pools -j > $OUT/pools" > "$OUT/said"
	[ "$(rows pools 'select(.kind == "page_pool") | "\(.name) \(.driver)"' | sort | xargs)" = 'eth0 virtio_net eth1 virtio_net' ]
	[ "$(rows pools 'select(.kind == "page_pool") | .pages' | awk '{ n += $1 } END { print n }')" = \
		"$(rows memory 'select(.class == "page_pool") | .pages')" ]
}

# "PROTOCOL STATE LOCAL REMOTE TX RX", as the kernel's files have it, addresses as they are printed.
@test "sockets: queues and addresses are those of /proc/net, memory that of sockstat, the users are named" {
	local state='{ established: 1, fin_wait1: 4, close: 7, listen: 10 }'

	[ "$HOG" = sockets ] || [ "$HOG" = packets ] || return 0 # no traffic
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "memowner sockets -j > $OUT/sockets" "memowner pools -j > $OUT/pools" > "$OUT/said"
	[ "$(records sockets summary '"\(.complete) \(.warnings | length)"')" = 'true 0' ]
	# What is queued is what the socket is charged with.
	[ "$(rows sockets 'select(.family != "unix" and .bytes != .rmem_bytes + .wmem_bytes) | .address')" = '' ]
	if [ "$HOG" = packets ]; then
		diff <(awk 'NR > 1 { print $7 }' "$TRUTH/net_packet" | sort) <(rows sockets 'select(.protocol == "PACKET") | .rmem_bytes' | sort)
		[[ "$(rows sockets '"\(.pages == .pool_pages) \(.used_by)"' | head -n 1)" = 'true '*'(collectord)' ]]
		[ "$(rows pools 'select(.name == "eth1") | .used_by')" = "$(rows sockets .used_by | head -n 1)" ]
		return
	fi
	diff <(told_sockets) <(rows sockets "select(.rx_queue != null) | \"\(.protocol) \($state[.socket_state]) \(.local_address) \(.remote_address) \(.tx_queue) \(.rx_queue)\"" | sort)
	[ "$(rows sockets 'select(.family == "unix") | .local_address' | sort | xargs)" = "$(awk 'NR > 1 { print $8 }' "$TRUTH/net_unix" | sort | xargs)" ]
	# sockstat leaves out what CPUs keep in advance.
	[ "$(records sockets protocol 'select(.protocol | startswith("TCP")) | (.accounted_bytes - .reserve_bytes) / 4096')" = \
		"$(awk '$1 == "TCP:" { print $NF }' "$TRUTH/net_sockstat")" ]
	[ "$(records sockets protocol 'select(.difference_bytes != 0) | .protocol')" = '' ]
	[ "$(rows sockets 'select(.bytes > 20000000) | .used_by' | sort | uniq -c | sed 's/ *//')" = "6 $(rows sockets .used_by | grep logship | head -n 1)" ]
	# Closed with data left; not accepted.
	[ "$(rows sockets 'select(.used_by == "") | .socket_state' | sort | xargs)" = 'established fin_wait1' ]
	[ "$(rows sockets 'select(.family == "unix" and .bytes > 0) | .peer_used_by')" = "$(rows sockets .used_by | grep shopfront | head -n 1)" ]
}

# The guest stands still from then on, but a page may come back from swap: then it is out of zswap.
@test "the pool of zswap has the pages that zswap counts, and all of its class" {
	local -A was
	local stored entries

	[ "$HOG" = zswap ] || return 0 # no zswap
	while read -r name value; do was[$name]=$value; done < "$TRUTH/zswap"
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "memowner pools -j > $OUT/pools" "rd zswap_entry_cache > $OUT/entry" > "$OUT/said"
	[ "$(rows pools 'select(.driver == "zswap") | "\(.kind) \(.name) \(.bytes)"')" = \
		"${was[zpool]:-zsmalloc} ${was[compressor]} ${was[pool_total_size]}" ]
	[ "$(rows pools 'select(.kind == "zsmalloc" or .driver == "zswap") | .pages' | awk '{ n += $1 } END { print n }')" = \
		"$(rows memory 'select(.class == "zsmalloc") | .pages')" ]
	# A struct zswap_entry for each page; a cache that was merged has other objects as well.
	stored=$(rows pools 'select(.driver == "zswap") | .stored_bytes / 4096')
	entries=$(rows caches "select(.address == \"0x$(awk 'NF > 1 { print $2 }' "$OUT/entry")\") | \"\(.inuse_objects) \(.cache)\"")
	case $entries in
	*' zswap_entry') [ "$stored" = "${entries% *}" ] ;;
	*) [ "$stored" -le "${entries% *}" ] ;;
	esac
	[ "$stored" -le "${was[stored_pages]}" ]
}

# size count exporter inode name devices, of bufinfo: names of devices are in lines of their own.
bufinfo() {
	awk -F '\t' 'NF >= 7 && $1 ~ /^[0-9]+$/ { line = $1 + 0 " " $4 + 0 " " $5 " " $6 + 0 " " ($7 == "<none>" ? "" : $7); devices = "" }
		/^\t/ && !/Attached Devices/ { devices = devices (devices == "" ? "" : ", ") substr($0, 2) }
		/^Total [0-9]+ devices attached/ { print line " " devices }' "$TRUTH/dma_buf_bufinfo"
}

@test "buffers of DMA-BUF are those of bufinfo, with the processes that keep them; CMA and balloon as the kernel counts" {
	[ "$HOG" = dmabuf ] || return 0
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "memowner pools -j > $OUT/pools" "memowner dmabuf -j > $OUT/dmabuf" > "$OUT/said"
	[ "$(bufinfo | wc -l)" -ge 10 ]
	diff <(bufinfo | sort) <(rows dmabuf '"\(.bytes) \(.file_references) \(.exporter) \(.inode) \(.name) \(.attached)"' | sort)
	[ "$(rows dmabuf 'select(.name == "shared") | .opened_by' | sed 's/[0-9]*//g')" = '(cameradaemon), (encoderd)' ]
	[ "$(rows dmabuf 'select(.name == "preview") | .opened_by + "/" + .mapped_by' | sed 's/[0-9]*//g')" = '/(cameradaemon), (encoderd)' ]
	[ "$(rows dmabuf 'select(.name == "scanout") | .used_by')" = '' ]
	[ "$(rows dmabuf 'select(.name == "queued") | .used_by' | sed 's/[0-9]*//g')" = 'in flight to (cameradaemon), in flight to (encoderd)' ]
	[ "$(records dmabuf summary .complete)" = true ]
	[ "$(rows pools 'select(.kind == "cma") | "\(.name) \(.pages) \(.used_bytes / 4096) \(.pfn) \(.order)"')" = \
		"reserved $(cut -d ' ' -f 2 "$TRUTH"/cma_count) $(cut -d ' ' -f 2 "$TRUTH"/cma_used) $(cut -d ' ' -f 2 "$TRUTH"/cma_base_pfn) $(cut -d ' ' -f 2 "$TRUTH"/cma_order_per_bit)" ]
	[ "$(rows pools 'select(.kind == "balloon") | "\(.driver) \(.pages) \(.counted_pages)"')" = \
		"virtio_balloon $(told vmstat balloon_inflate) $(told vmstat balloon_inflate)" ]
	[ "$(cat "$TRUTH/qemu_balloon")" = "balloon: actual=$((256 - $(told vmstat balloon_inflate) / 256))" ]
	[ "$(rows memory 'select(.class == "reserved") | "\(.difference_pages) \(.cause)"')" = \
		"-$(told vmstat balloon_inflate) MemTotal is without the pages of balloons" ]
	# The memfd of the buffer of udmabuf is closed: its pages are of no file.
	[ "$(rows memory 'select(.class == "shmem") | "\(.difference_pages) \(.cause)"')" = '256 256 truncated, not yet freed' ]
	[ "$(rows files 'select(.file == "[truncated]") | "\(.class) \(.pages)"')" = 'shmem 256' ]
	[ "$(rows cgroups 'select(.memcg == "/camera") | "\(.memcg_charged.shmem) \(.memcg_stat.shmem)"')" = '256 0' ]
}

# without [PFN] < PFNS: PFNS, but PFN, are dropped from $OUT/vmcore; what the rest answers.
without() {
	grep -v -x -F "${1:-none}" | "$BUILD/tools/kdump" drop "$OUT/vmcore" -
	run_crash "$DIR/vmlinux" "$OUT/vmcore" --minimal -- "memowner pools -j > $OUT/holed.pools" "memowner dmabuf -j > $OUT/holed.dmabuf" \
		"memowner -j > $OUT/holed.summary" > "$OUT/said"
}

pfn_at() {	# ADDRESS: on the whole dump
	run_crash "$DIR/vmlinux" "$DIR/vmcore" --minimal -- "pageowner -j $1 > $OUT/at" > "$OUT/said"
	rows at .pfn
}

copy_dump() {
	rm -f "$OUT/vmcore"
	cp "$DIR/vmcore" "$OUT/vmcore"
	chmod u+w "$OUT/vmcore"
	run_crash "$DIR/vmlinux" "$DIR/vmcore" --minimal -- "memowner pools -j > $OUT/pools" "memowner dmabuf -j > $OUT/dmabuf" \
		"pageowner pfn:0-4194303 -o pfn,class -j > $OUT/pages" "rd vmemmap_base > $OUT/vmemmap" > "$OUT/said"
}

@test "dumps with holes: memowner says which sums are lower bounds; a balloon has one row, and no function for a driver" {
	local balloon buffer offline

	[ "$HOG" = dmabuf ] || return 0
	copy_dump
	buffer=$(rows dmabuf 'select(.name == "frame-5") | .address')
	pfn_at "$buffer" > "$OUT/drop"
	# vtop is no command of --minimal, the one mode in which crash 8.0.6 opens 7.3.
	if [[ "$SAMPLE" != 7.3-* ]]; then
		offline=$(rows pages 'select(.class == "offline") | .pfn' | sort -n | sed -n '4000p')
		[ -n "$offline" ]
		offline=$(($(awk '{ print "0x" $2 }' "$OUT/vmemmap") + offline * 64))
		run_crash "$DIR/vmlinux" "$DIR/vmcore" --no_modules -- "vtop $(printf %x "$offline") > $OUT/vtop" > "$OUT/said"
		echo $((0x$(awk '/^VIRTUAL/ { getline; print $2 }' "$OUT/vtop") / 4096)) >> "$OUT/drop"
	fi
	[[ "$(xargs < "$OUT/drop")" =~ ^[0-9]+(' '[0-9]+)?$ ]]
	without < "$OUT/drop"
	[ "$(rows holed.dmabuf .bytes | wc -l)" -lt "$(rows dmabuf .bytes | wc -l)" ]
	[ "$(records holed.dmabuf summary .complete)" = false ]
	rows holed.summary 'select(.record == "holder" and .user_kind == "dma_buf") | .remark' | grep -q 'and maybe more'
	[ "$(rows holed.pools 'select(.kind == "balloon") | "\(.name) \(.pages)"')" = "$(rows pools 'select(.kind == "balloon") | "\(.name) \(.pages)"')" ]
	[ "$(records holed.pools summary .complete)" = "$([ "$(wc -l < "$OUT/drop")" = 1 ] && echo true || echo false)" ]

	# No slab page but that of the struct virtio_balloon: its device is not found.
	copy_dump
	balloon=$(pfn_at "$(rows pools 'select(.kind == "balloon") | .address')")
	rows pages 'select(.class == "slab") | .pfn' > "$OUT/drop"
	[ "$(wc -l < "$OUT/drop")" -gt 1000 ]
	without "$balloon" < "$OUT/drop"
	[ "$(rows holed.pools 'select(.kind == "balloon") | "\(.name) \(.driver)"')" = 'null null' ]
	rm "$OUT/vmcore"
}

@test "mm_structs of processes that have exited: what holds them, and what is not known" {
	[ "$HOG" = sharers ] || return 0 # none outlives its process
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "memowner processes -a -j > $OUT/mms" "memowner processes -a > $OUT/mms.txt" > "$OUT/said"
	# framed: the kernel thread holds a reference, the driver is a user; lensed: the driver holds the only reference.
	[ "$(rows mms 'select(.comm == null and .mm_users == 1) | "\(.mm_references) \(.unknown_users) \(.unknown_references) \(.mm_holders | sub("[0-9]+"; "N"))"')" = \
		'2 1 0 kthread_use_mm() of N(framegrab_read)' ]
	[ "$(rows mms 'select(.comm == null and .unknown_references != 0) | "\(.mm_users) \(.mm_references) \(.unknown_references) \(.mm_holders)"')" = '0 1 1 null' ]
	# Of others that have exited a CPU may have the page tables still.
	[ "$(rows mms 'select(.comm == null and .mm_references == 1 and .unknown_references == 0) | .mm_holders' | grep -v '^active_mm of ' |
		sed 's/[0-9][0-9]*/N/')" = 'oom_mm of N(victimd)' ]
	# brokerd: a reference of each file that readerd has open.
	[ "$(rows mms 'select(.comm == null and .mm_references > 2) | .mm_users, .unknown_references' | xargs)" = '0 0' ]
	rows mms 'select(.comm == null and .mm_references > 2) | .mm_holders' | grep -q '^/proc/PID/[a-z_]* open in [0-9]*(readerd), '
	[ "$(rows mms 'select(.comm == null and .mm_references > 2) | .mm_references')" = "$(awk -v pid="$(rows mms 'select(.comm == "readerd") | .pid')" '
		/^\/proc\// { on = $0 == "/proc/" pid "/fd:" } on && / -> (\/proc\/[0-9]+\/(mem|environ|auxv|pagemap|maps|smaps|smaps_rollup|numa_maps)|anon_inode:\[userfaultfd\])/ { n++ }
		END { print n }' "$TRUTH/proc_fd")" ]
	# Others have what the tasks and CPUs have.
	[ "$(rows mms 'select(.comm != null and (.unknown_users != 0 or .unknown_references != 0))')" = '' ]
	grep -q '^mm_struct 0x[0-9a-f]* without a task: mm_users 1, mm_count 2; referenced by kthread_use_mm() of [0-9]*(framegrab_read); 1 unknown user$' "$OUT/mms.txt"
	grep -q '^mm_struct 0x[0-9a-f]* without a task: mm_users 0, mm_count 1; 1 unknown reference$' "$OUT/mms.txt"
}

@test "PSS is that of smaps_rollup, where a process has as many pages as it had" {
	[ -s "$TRUTH/proc_smaps_rollup" ] || return 0 # sockets and dmabuf of older guests
	local least=0 changed='^init '

	# hungry came since, and maps the file of these.
	[[ "$HOG" != @(packets|sockets|dmabuf) ]] || changed='^(init|httpd|pg_buffers|worker) '
	rows processes 'select(.pid) | "\(.pid) \(.comm) \(.rss_bytes / 1024) \(if .pss_bytes then .pss_bytes / 1024 | floor else "-" end)"' | sort -k 1,1 |
		join - <(awk '$2 == "Rss:" { rss = $3 } $2 == "Pss:" { print $1, rss, $3 }' "$TRUTH/proc_smaps_rollup" | sort -k 1,1) |
		cut -d ' ' -f 2- | grep -v -E "$changed" | awk '$2 == $4 { print $1, $3, $5 }' > "$OUT/pss"
	[ "$(awk '$2 != $3' "$OUT/pss")" = '' ]
	case $HOG in
	sharers) least=10 ;;
	spool | frames | slab) least=5 ;;
	esac
	[ "$(wc -l < "$OUT/pss")" -ge $least ]
	[ "$(rows processes 'select(.pss_bytes == null or .pss_bytes > .rss_bytes) | .comm')" = '' ]
}
