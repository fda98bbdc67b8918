#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel that a distribution built, under services, $SAMPLE (scripts/sample/stock): what the views say is what
# the kernel's own files said a second before. Whoever moved since then is known: all services were frozen,
# but for the guest's own, which told the truth, and for what an OOM took away.

load helper
load dump
load stock

setup_file() {
	stock_open
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "memowner > $OUT/text" "memowner -j > $OUT/summary.json" \
		"pageowner -m -j > $OUT/memory.json" "pageowner -z -j > $OUT/zones.json" \
		"memowner caches -j > $OUT/caches.json" "memowner processes -n 0 -j > $OUT/processes.json" \
		"memowner cgroups -n 0 -j > $OUT/cgroups.json" "memowner vmalloc -n 0 -j > $OUT/areas.json" \
		"memowner pools -j > $OUT/pools.json" "memowner files -j > $OUT/files.json" \
		"memowner files -g memcg -j > $OUT/charged.json" "memowner files -g class,deleted -j > $OUT/deleted.json" \
		"memowner processes -g uid -j > $OUT/users.json" "memowner processes -g cgroup -j > $OUT/services.json" \
		"memowner processes -g comm,ppid -X comm=systemd* -j > $OUT/names.json" \
		"pageowner -b -j > $OUT/blocks.json" "faults -j > $OUT/faults.json" > "$OUT/said"
}

@test "memowner names the culprit, and how the machine ended" {
	local culprit flags n

	culprit=$(sed -n 's/^culprit=//p' "$DIR/meta")
	on_screen 80 --vmlinux "$DIR/vmlinux" "$DIR/vmcore" > "$OUT/screen"
	[ "$(wc -l < "$OUT/screen")" -le 40 ]
	refute grep -E '.{81}| $' "$OUT/screen"
	case $DEATH in
	kernel) grep -q -E "^  sockets .* [0-9]+\\($culprit\\)" "$OUT/text" ;;
	# Thousands of small files: where they are, how many, and whose cgroup is charged.
	tmpfs)
		[ "$(of summary 'select(.record == "holder" and .user_kind == "tmpfs") | "\(.name) \(.pages) \(.swapped_pages) \(.remark | sub("^[0-9,]* files of [^,]*, [^,]* of it in swap, the largest [^,]*, "; ""))"')" = \
			"/run/spool $(of files 'select((.file // "") | startswith("/run/spool/")) | "\(.pages) \(.swapped_pages)"' |
				awk '{ pages += $1; swapped += $2 } END { print pages, swapped }') charged to /system.slice/$culprit.service, mounted with size=$(awk '$2 == "/run/spool" { sub(/.*size=/, "", $4); sub(/k.*/, "", $4); printf "%.1fM", $4 / 1024 }' "$TRUTH/mounts")" ]
		n=$(of files 'select((.file // "") | startswith("/run/spool/")) | .file' | wc -l)
		[ "$n" -gt 3000 ]
		grep -q -E '^  memowner( VMCORE)? pages -g memcg -f "file=/run/spool/\*"' "$OUT/text"
		[ "$(of summary 'select(.record == "holder" and .user_kind == "tmpfs") | .remark | split(" ")[0] | gsub(","; "")')" = "$n" ]
		;;
	*) [ -z "$culprit" ] || grep -q "^processes $culprit " "$OUT/text" ;;
	esac
	case $DEATH in
	outside | busy) [ "$(of summary 'select(.record == "panic" or .record == "oom")')" = '' ] ;;
	# A cgroup that is at its limit asks for no block of an order, and of no zone.
	unit)
		[ "$(of blocks 'select(.is_request)')" = '' ]
		refute grep -E '^  memowner zones' "$OUT/text"
		;;
	esac
	case $DEATH in
	unit)
		[ "$(of summary 'select(.record == "panic") | .name')" = 'Out of memory: compulsory panic_on_oom is enabled' ]
		[ "$(of summary 'select(.record == "oom") | "\(.comm) \(.memcg)"')" = "$culprit /system.slice/report-builder.service" ]
		;;
	oom | huge | kernel | tmpfs)
		# What no zone serves at the end: the request that failed, else GFP_KERNEL.
		flags=$(sed -n 's/^  buddy .* no zone gives a page to \([^ ]*\), by its .*/\1/p' "$OUT/text")
		case $flags in '' | GFP_KERNEL) ;; *) grep -q -F "($flags), order=" "$TRUTH/console" ;; esac
		[ "$(of summary 'select(.record == "panic") | .name')" = 'Out of memory: system-wide panic_on_oom is enabled' ]
		[ "$(of summary 'select(.record == "oom") | .comm')" = "$(awk '/ invoked oom-killer: / { print $(NF - 5) }' "$TRUTH/console" | head -n 1)" ]
		;;
	esac
}

# What the types of modules do not change.
known() {
	grep -E '^(panic|OOM|caches|processes|faults) |^  (anon|reserved|slab|file|shmem|vmalloc|pgtable|buddy) ' "$1"
}

@test "each command that memowner proposes has rows" {
	proposals_answer "$DIR/vmcore"
}

@test "every mode that crash opens it in: the same summary" {
	for mode in ${MODES% *}; do
		[ "$mode" != "$MODE" ] || continue
		run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $mode) -- "memowner > $OUT/text.$mode" > "$OUT/said"
		if grep -q 'is of a module' "$OUT/text.$mode" && [ $MODE = alone ]; then
			# The dump has the types of its modules, which crash would have to be given.
			diff <(known "$OUT/text") <(known "$OUT/text.$mode")
		else
			diff "$OUT/text" "$OUT/text.$mode"
		fi
	done
}

@test "every view is whole; what is unknown has its reason" {
	local f warnings whole

	# zram and zsmalloc are modules: their types are not in the name list, and 5.10 has no BTF of modules. Until 6.12
	# gave its pages a type, those of zsmalloc are told by a form of struct zspage that is known.
	warnings='^what zram stores unknown: .* module zram are not (loaded: mod -s zram|known: --modules DIR gives them)$|^page classes are incomplete: pages of zsmalloc are among direct ones: .*: mod -s zsmalloc$'
	# Up to 5.12 a CPU keeps up to 32 of each counter of a cgroup, and the kernel's own file lacks them too.
	inexact='^counters of memory.stat may be up to 32 off for each CPU and cgroup, as in the file of this kernel$'
	for f in summary memory zones caches processes cgroups areas pools files blocks faults; do
		echo "$f: $(tail -n 1 "$OUT/$f.json")"
		# Nothing else makes a view incomplete.
		whole=true
		if jq -r 'select(.record == "summary") | .warnings[]' "$OUT/$f.json" | grep -q -E "$warnings"; then
			whole=false
		fi
		[ "$(jq -r 'select(.record == "summary") | "\(.status) \(.complete)"' "$OUT/$f.json")" = "ok $whole" ]
	done
	[ "$(jq -r 'select(.record == "summary") | .warnings[]' "$OUT"/{summary,memory,zones,caches,processes,cgroups,areas,pools,files,blocks,faults}.json |
		grep -v -E "$warnings|unknown: this kernel was built without page_owner \(CONFIG_PAGE_OWNER\)\$|$inexact|^SWAP counts what processes share ")" = '' ]
	case $SAMPLE in 6.12-* | sid-*) [ "$(jq -r 'select(.record == "summary") | .complete' "$OUT/memory.json")" = true ] ;; esac
	# Debian builds neither. The types of a module that is none of the kernel's are not in the dump.
	diff <(of summary 'select(.record == "missing") | .name' | grep -v '^structures of keeper' | sort) <(printf '%s\n' owners sites)
	# That there was no panic is no part that is unknown.
	[ "$(of summary 'select(.record == "verdict") | .remark | test("; the machine did not panic(;|$)")')" = "$([ -n "$DIED" ] && echo false || echo true)" ]
}

@test "classes: what the kernel counts, and each difference has its whole cause" {
	local key class

	[ "$(of memory 'select(.difference_pages != 0 and .difference_pages != null and .cause == null) | .class')" = '' ]
	[ "$(of memory 'select((.cause // "") | test("unknown")) | .class')" = '' ]
	[ "$(of memory 'select(.class == "unknown") | .pages')" = '' ]
	[ "$(($(of memory .pages | paste -s -d +)))" = "$(of summary 'select(.name == "System RAM") | .pages')" ]
	[ "$(($(of summary 'select(.name == "MemTotal") | .pages') * 4))" = "$(awk '$1 == "MemTotal:" { print $2 }' "$TRUTH/meminfo")" ]
	# Counters of a machine that went on for moments.
	if [ "$DEATH" = outside ]; then
		of memory 'select(.counter | IN("AnonPages", "Shmem", "KernelStack", "PageTables")) | "\(.counter) \(.counted_pages * 4)"' |
			awk 'NR == FNR { sub(":", "", $1); told[$1] = $2; next }
				{ n++; d = $2 - told[$1]; if (d < 0) d = -d; if (d * 10 > told[$1]) bad = 1 }
				END { exit bad || n != 4 }' "$TRUTH/meminfo" -
	fi
	# Huge pages nobody takes back.
	# Rows of one size on several nodes are told apart.
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- 'memowner pools' | awk '$0 ~ /KIND/ { shown = / NODE/ } / hugetlb / { seen[$0]++ }
		END { for (row in seen) if (seen[row] > 1) exit 1; exit 0 }'
	[ "$(($(of memory 'select(.class == "hugetlb") | .pages' | grep . || echo 0) * 4))" = "$(awk '$1 == "Hugetlb:" { print $2 }' "$TRUTH/meminfo")" ]
}

@test "cgroups of services have been there as long as any process of theirs, to the second" {
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "memowner cgroups -j > $OUT/exist.json" "faults -j > $OUT/lives.json"
	jq -r 'select(.record == "row" and .exists_ns) | "\(.memcg) \(.exists_ns)"' "$OUT/exist.json" > "$OUT/exist"
	[ "$(grep -c '[.]service ' "$OUT/exist")" -ge 5 ]
	run awk 'FNR == NR { exists[$1] = $2; next } $1 ~ /[.]service$/ && $1 in exists { n++; if ($2 > exists[$1] + 1e9) print } END { print (n > 5) }' \
		"$OUT/exist" <(jq -r 'select(.record == "row" and .life_ns) | "\(.memcg) \(.life_ns)"' "$OUT/lives.json")
	[ "$output" = 1 ]
}

@test "case: who gets transparent huge pages" {
	[ -s "$TRUTH/thp" ] || return 0
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "memowner case -j > $OUT/case.json" 'memowner case' > "$OUT/case"
	jq -r 'select(.record == "case") | .thp_enabled' "$OUT/case.json" > "$OUT/thp"
	diff "$OUT/thp" <(sed -n 's/^[^:]*hugepage.enabled:.*\[\(.*\)\].*/\1/p' "$TRUTH/thp")
	grep -q -x "THP  *$(< "$OUT/thp"); khugepaged .*" "$OUT/case"
	# None was started, and so has made none.
	[ "$(< "$OUT/thp")" != never ] || [ "$(jq -r 'select(.record == "case") | "\(.khugepaged) \(.collapsed_huge_pages)"' "$OUT/case.json")" = 'none 0' ]
}

@test "zones: limits and sizes are those of zoneinfo; free blocks are those that it counts" {
	local moved

	# The file shows limits with the boost, which comes and goes.
	awk '$1 == "Node" { zone = $2 $4; sub(",", "/", zone) }
		$1 == "pages" { delete v }
		$1 ~ /^(boost|min|low|high|spanned|present|managed|cma)$/ { v[$1] = $2 }
		$1 == "protection:" && v["managed"] > 0 { print zone, v["min"] - v["boost"] "/" v["low"] - v["boost"] "/" \
			v["high"] - v["boost"] "/" v["spanned"] "/" v["present"] "/" v["managed"] "/" v["cma"] + 0 }' "$TRUTH/zoneinfo" > "$OUT/told" # 5.10 has no line of cma
	of zones '"\(.node)/\(.zone) \(.min_pages - .boost_pages)/\(.low_pages - .boost_pages)/\(.high_pages - .boost_pages)/\(.spanned_pages)/\(.present_pages)/\(.managed_pages)/\(.cma_pages)"' > "$OUT/zones"
	[ "$(wc -l < "$OUT/zones")" -ge 3 ]
	[ "$(differing "$OUT/zones" "$OUT/told")" = '' ]
	[ "$(of zones 'select(.counted_pages != .listed_pages) | .zone')" = '' ]
	# Blocks of a zone of which a page or two may have come or gone since then.
	if [ "$DEATH" = outside ]; then
		awk '$4 == "DMA" { for (i = 5; i <= NF; i++) print i - 5, $i }' "$TRUTH/buddyinfo" > "$OUT/told"
		jq -r 'select(.record == "blocks" and .migratetype == null and .zone == "DMA") | "\(.order) \(.blocks)"' "$OUT/zones.json" > "$OUT/blocks"
		[ "$(wc -l < "$OUT/told")" -ge 10 ]
		moved=$(($(awk '{ n += $2 * 2 ^ $1 } END { print n }' "$OUT/blocks") - $(awk '{ n += $2 * 2 ^ $1 } END { print n }' "$OUT/told")))
		echo "# zone DMA has $moved free pages more than it had" >&3
		[ "$moved" != 0 ] || [ "$(differing "$OUT/blocks" "$OUT/told")" = '' ]
		[ $((moved * moved)) -le 16 ]
	fi
}

@test "caches: each name in /sys/kernel/slab is a cache or merged into one that has its size and aliases" {
	awk -F '[/:]' '/\/slab\/[^:]/ { split($0, part, ":"); n = split(part[1], dir, "/"); name = dir[n - 1]; of[name, dir[n]] = part[2]; names[name] }
		END { for (name in names) print name, of[name, "slab_size"], of[name, "aliases"] }' "$TRUTH/slab_sysfs" | sort > "$OUT/told"
	[ "$(wc -l < "$OUT/told")" -gt 100 ]
	of caches 'select(.cache != "[large kmalloc]") | " \(.slot_bytes) \(.aliases)" as $has | (.cache, ((.alias_names // "") | split(",")[])) + $has' |
		sort | diff "$OUT/told" -
	of caches 'select(.alias_names) | "\(.aliases) \(.alias_names | split(",") | length)"' | awk '$1 != $2 { bad = 1 } END { exit bad || NR < 20 }'
}

@test "caches: those of slabinfo, their slabs and objects" {
	local swapped

	awk 'NR > 2 { print $1, $15 "/" $3 "/" $4 }' "$TRUTH/slabinfo" > "$OUT/told"
	of caches 'select(.cache != "[large kmalloc]") | "\(.cache) \(.slabs)/\(.objects)/\(.slot_bytes)"' > "$OUT/caches"
	diff <(cut -d ' ' -f 1 "$OUT/told" | sort) <(cut -d ' ' -f 1 "$OUT/caches" | sort)
	diff <(awk '{ sub(".*/", "", $2); print }' "$OUT/told" | sort) <(awk '{ sub(".*/", "", $2); print }' "$OUT/caches" | sort)
	[ "$(wc -l < "$OUT/told")" -gt 100 ]
	# The kernel's own counters of the same instant: of all caches.
	[ "$(of caches 'select(.cache != "[large kmalloc]" and (.slabs != .counted_slabs or .objects != .counted_objects)) | .cache')" = '' ]
	[ "$(of caches 'select(.inuse_objects + .free_objects != .objects) | .cache')" = '' ]
	differing "$OUT/caches" "$OUT/told" > "$OUT/differ"
	cat "$OUT/differ"
	echo "# $(($(wc -l < "$OUT/told") - $(wc -l < "$OUT/differ"))) of $(wc -l < "$OUT/told") caches as in slabinfo" >&3
	# Objects fill slabs; those that differ do so by a few slabs, but for what an OOM's shrinkers and timers took.
	[[ $SAMPLE != 6.1-stock-outside && $SAMPLE != 6.12-stock-oom ]] || [ "$(awk -v died="$DIED" '{ split($2, a, "/"); split($3, b, "/"); most = 16 * a[2] / (a[1] ? a[1] : 1) }
		died && $1 ~ /^(buffer_head|dentry|extent_status|radix_tree_node|tw_sock_TCP|[a-z0-9_]*inode_cache)$/ && b[2] < 4 * a[2] + 5000 { next }
		(a[1] - b[1]) ^ 2 > 256 || (a[2] - b[2]) ^ 2 > most ^ 2' "$OUT/differ")" = '' ]
	# Where most is slab that nothing takes back, the report of the OOM has all such caches, in KiB.
	if grep -q 'Unreclaimable slab info:' "$TRUTH/console"; then
		sed -E 's/^\[[ .0-9]*\] //; s/\r$//' "$TRUTH/console" | awk '/^Unreclaimable slab info:/ { seen = 1; next }
			seen && NF == 3 && $3 ~ /KB$/ { print $1, $3 + 0; next }
			seen && $1 != "Name" { exit }' > "$OUT/reported"
		[ "$(wc -l < "$OUT/reported")" -gt 50 ]
		of caches 'select(.reclaimable == false and .objects > 0 and .cache != "[large kmalloc]") | "\(.cache) \(.objects * .slot_bytes / 1024 | floor)"' > "$OUT/held"
		[ "$(differing "$OUT/held" "$OUT/reported")" = '' ]
		awk 'FNR == NR { reported[$1] = 1; next } !($1 in reported)' "$OUT/reported" "$OUT/differ" > "$OUT/rest"
		mv "$OUT/rest" "$OUT/differ"
	fi
	# An OOM comes after shrinkers: caches have fewer slabs since. Else only what the teller itself needs has more,
	# and, of what was swapped out, the handles of zram: one for each page at most, and for that of mkswap.
	if [ -n "$DIED" ]; then
		awk '{ split($2, a, "/"); split($3, b, "/") } a[1] > b[1] && $1 !~ /^zs_handle/ { print $1 }' "$OUT/differ"
		[ "$(of caches 'select(.cache | startswith("zs_handle")) | .inuse_objects' | grep . || echo 0)" -le \
			"$(jq -r 'select(.record == "swap" and (.path | contains("zram"))) | .swap_used_pages + 1' "$OUT/pools.json")" ]
	else
		cut -d ' ' -f 1 "$OUT/differ"
	fi > "$OUT/more"
	# What a unit that reached its limit has in swap is known to the swap cache, in nodes of 64 pages.
	if [ "$DEATH" = unit ]; then
		swapped=$(($(jq -r 'select(.record == "swap") | .swap_used_pages' "$OUT/pools.json" | paste -s -d +) -
			$(awk 'NR > 1 { used += $4 / 4 } END { print used }' "$TRUTH/swaps")))
		if awk -v most=$((swapped / 64 + 8)) '$1 == "radix_tree_node" { split($2, a, "/"); split($3, b, "/"); exit !(a[2] - b[2] <= most) }
			' "$OUT/differ"; then
			sed -i '/^radix_tree_node$/d' "$OUT/more"
		fi
	fi
	# Connections are opened and closed on.
	[ "$DEATH" != busy ] || sed -i -E '/^(tw_sock_TCP|request_sock_TCP|TCP|UNIX(-STREAM)?|sock_inode_cache|dentry|skbuff_[a-z_]*|proc_inode_cache|shmem_inode_cache|mm_struct|ep_head|eventpoll_[a-z]*)$/d' "$OUT/more"
	# Files that were written since have their inodes, dentries and pages.
	[ "$DEATH" != tmpfs ] || sed -i -E '/^(dentry|lsm_inode_cache|radix_tree_node|shmem_inode_cache)$/d' "$OUT/more"
	diff "$OUT/more" <(grep -x -E 'kmalloc.*|vm_area_struct|vma_lock|anon_vma.*|task_struct|pid|mm_struct|files_cache|sighand_cache|signal_cache|filp|vmap_area|bio.*|maple_node|cred.*|lsm_.*|names_cache|pipe.*|proc_inode_cache' "$OUT/more")
}

@test "processes: memory of those that stood still" {
	# smaps of 6.0 to 6.4 lacks transparent huge pages that wait for a fault of NUMA balancing ("smaps: Fix the
	# abnormal memory statistics obtained through /proc/pid/smaps"); status has them.
	awk -F '[/:]+' '$4 == "status" && $5 == "VmRSS" { status[$3] = $6 }
		$4 == "smaps_rollup" && $5 == "Rss" { huge = int((status[$3] - $6) / 2048 + 0.5) * 2048
			lacked = status[$3] - $6 - huge
			print $3 "/Rss", ($6 + (huge > 0 && lacked ^ 2 < 256 ^ 2 ? huge : 0)) * 1024 }' \
		"$TRUTH/proc_status" "$TRUTH/proc_smaps_rollup" > "$OUT/rollup"
	# In smaps Swap has shared memory that was swapped out too.
	awk -F '[/:]+' '$4 == "status" && $5 == "VmSwap" { print $3 "/Swap", $6 * 1024 }' "$TRUTH/proc_status" >> "$OUT/rollup"
	awk -F '[/:]+' '$4 == "status" && $5 ~ /^(VmSize|VmData|VmPTE|VmLck)$/ { print $3 "/" $5, $6 * 1024 }
		$4 == "status" && $5 == "Threads" { print $3 "/" $5, $6 + 0 }' "$TRUTH/proc_status" > "$OUT/status"
	of processes '"\(.pid)/VmSize \(.vsz_bytes)", "\(.pid)/VmData \(.data_bytes)", "\(.pid)/VmPTE \(.pgtables_bytes)", "\(.pid)/VmLck \(.locked_bytes)", "\(.pid)/Threads \(.threads)"' > "$OUT/kept"
	of processes '"\(.pid)/Rss \(.rss_bytes)", "\(.pid)/Swap \(.swap_bytes)"' > "$OUT/held"
	# What each alone maps: of a machine that did not die, where all stood still, the same.
	if [ "$DEATH" = outside ]; then
		awk -F '[/:]+' '$4 == "smaps_rollup" && $5 ~ /^Private_(Clean|Dirty)$/ { n[$3] += $6 * 1024 } END { for (p in n) print p "/Private", n[p] }' \
			"$TRUTH/proc_smaps_rollup" > "$OUT/private"
		of processes '"\(.pid)/Private \(.private_bytes)"' > "$OUT/alone"
		[ "$(of_frozen "$OUT/private" | wc -l)" -gt 20 ]
		# A clean page of a program that the guest runs then, too, is no longer one process's alone; one that the guest
		# ran when it told is so again.
		awk -F '[/:]+' '$4 == "smaps_rollup" && $5 == "Private_Clean" { print $3 "/Private", $6 * 1024 }' "$TRUTH/proc_smaps_rollup" | sort -k 1,1 > "$OUT/clean"
		differing <(of_frozen "$OUT/alone") <(of_frozen "$OUT/private") > "$OUT/differ"
		[ "$(join "$OUT/differ" "$OUT/clean" | awk '$2 > $3 + 4096 || $3 - $2 > $4')" = '' ]
		[ "$(wc -l < "$OUT/differ")" -le 2 ]
		sed -n 's|^/proc/\([0-9]*\)/smaps_rollup:Pss_Anon: *\([0-9]*\) kB|\1/Anon \2|p' "$TRUTH/proc_smaps_rollup" > "$OUT/told"
		of processes '"\(.pid)/Anon \(.pss_anon_bytes / 1024 | floor)"' > "$OUT/shared"
		join <(of_frozen "$OUT/shared" | sort -k 1,1) <(of_frozen "$OUT/told" | sort -k 1,1) > "$OUT/both"
		[ "$(wc -l < "$OUT/both")" -gt 20 ]
		[ "$(awk '($2 - $3) ^ 2 > 1' "$OUT/both")" = '' ]
		sed -n 's|^/proc/\([0-9]*\)/smaps_rollup:AnonHugePages: *\([0-9]*\) kB|\1/Huge \2|p' "$TRUTH/proc_smaps_rollup" > "$OUT/told"
		of processes '"\(.pid)/Huge \(.thp_bytes / 1024)"' > "$OUT/shared"
		join <(of_frozen "$OUT/shared" | sort -k 1,1) <(of_frozen "$OUT/told" | sort -k 1,1) > "$OUT/both"
		[ "$(wc -l < "$OUT/both")" -gt 20 ]
		# khugepaged is not frozen: it may have made one of small pages since.
		[ "$(awk '$2 < $3 || ($2 - $3) % 2048' "$OUT/both")" = '' ]
		[ "$(awk '$2 != $3' "$OUT/both" | wc -l)" -le 1 ]
	fi
	[ "$(wc -l < "$OUT/frozen")" -gt "$([ "$DEATH" = busy ] && echo 7 || echo 20)" ]
	differing <(of_frozen "$OUT/kept") <(of_frozen "$OUT/status") > "$OUT/differ"
	cat "$OUT/differ"
	[ ! -s "$OUT/differ" ]
	differing <(of_frozen "$OUT/held") <(of_frozen "$OUT/rollup") > "$OUT/differ"
	# Up to 6.1 tasks keep pages that status lacks: then smaps is right. Where it has shared memory too, it cannot tell.
	awk -F '[/:]+' '$4 == "smaps_rollup" && $5 == "Swap" { print $3 "/Swap", $6 * 1024 }' "$TRUTH/proc_smaps_rollup" |
		awk -v split_rss="$(split_rss)" 'FNR == NR { mapped[$1] = $2; next } { near = ($2 - $3) ^ 2 < (64 * 4096) ^ 2 }
			near && $1 in mapped && ($2 == mapped[$1] || split_rss && mapped[$1] > $3) { next } { print }' - "$OUT/differ" > "$OUT/rest"
	mv "$OUT/rest" "$OUT/differ"
	cat "$OUT/differ"
	# What reclaim takes from a process is dropped, or goes to swap.
	awk -v died="$([ "$DEATH" = outside ] || echo 1)" '!died || (/Rss / && $2 > $3) || (/Swap / && $2 < $3)' "$OUT/differ" > "$OUT/wrong"
	[ ! -s "$OUT/wrong" ]
	# The cgroup of each, and what the OOM killer thinks of it.
	sed -n 's|^/proc/\([0-9]*\)/cgroup:0::|\1/cgroup |p' "$TRUTH/proc_cgroup" > "$OUT/told"
	sed -n 's|^/proc/\([0-9]*\)/oom_score_adj:|\1/adj |p' "$TRUTH/proc_oom" >> "$OUT/told"
	of processes '"\(.pid)/cgroup \(.cgroup)", "\(.pid)/adj \(.oom_score_adj)"' > "$OUT/ours"
	[ "$(differing <(of_frozen "$OUT/ours") <(of_frozen "$OUT/told"))" = '' ]
}

@test "processes -g: users, parents and services, with the sums of their processes" {
	local key
	local sums='[.processes, .threads, .process_bytes, .rss_bytes, .rss_anon_bytes, .rss_file_bytes, .rss_shmem_bytes, .swap_bytes, .pgtables_bytes, .pss_bytes]'

	# Who each is, as its files said.
	awk -F '[/:\t]+' '$4 == "status" && $5 == "Uid" { print $3 "/uid", $6 } $4 == "status" && $5 == "PPid" { print $3 "/ppid", $6 }' "$TRUTH/proc_status" > "$OUT/told"
	of processes '"\(.pid)/uid \(.uid)", "\(.pid)/ppid \(.ppid)"' > "$OUT/ours"
	[ "$(differing <(of_frozen "$OUT/ours") <(of_frozen "$OUT/told"))" = '' ]
	[ "$(cut -d ' ' -f 2 "$OUT/ours" | sort -u | wc -l)" -gt 4 ]
	# Sums of the rows, each group once.
	for key in users:uid services:cgroup; do
		diff <(of ${key%:*} ".${key#*:} as \$k | $sums | [\$k] + . | @tsv" | sort) \
			<(of processes ".${key#*:} as \$k | $sums | [\$k] + . | @tsv" |
				awk -F '\t' -v OFS='\t' '{ for (i = 2; i <= NF; i++) sum[$1, i] += $i; seen[$1]; n = NF }
					END { for (k in seen) { line = k; for (i = 2; i <= n; i++) line = line OFS sprintf("%d", sum[k, i]); print line } }' | sort)
	done
	diff <(of names '"\(.comm)/\(.ppid) \(.processes)"' | sort) \
		<(of processes 'select(.comm | startswith("systemd") | not) | "\(.comm)/\(.ppid)"' | sort | uniq -c | awk '{ n = $1; sub(/^ *[0-9]+ /, ""); print $0, n }' | sort)
	[ "$(of services .rss_bytes | wc -l)" -gt 8 ]
	[ "$DEATH" = outside ] || return 0
	# All stood still: what the kernel's files said of the processes of each service, PSS to a page of each
	# and one that the guest has no longer. The guest's own maps on: of a clean page that a service alone had, half is
	# the guest's then.
	awk -F '[/:]+' '$4 == "smaps_rollup" && ($5 == "Rss" || $5 == "Pss" || $5 == "Private_Clean") { print $3 "/" $5, $6 * 1024 }' \
		"$TRUTH/proc_smaps_rollup" > "$OUT/told"
	sed -n 's|^/proc/\([0-9]*\)/cgroup:0::|\1 |p' "$TRUTH/proc_cgroup" |
		awk 'FNR == NR { of[$1] = $2; next } { split($1, part, "/"); if (part[1] in of) { sum[of[part[1]] " " part[2]] += $2; n[of[part[1]]] += part[2] == "Rss" } }
			END { for (k in sum) { split(k, c, " "); if (c[2] != "Private_Clean") print k, sum[k], n[c[1]], sum[c[1] " Private_Clean"] / 2 } }' - <(of_frozen "$OUT/told") | sort > "$OUT/of_service"
	[ "$(wc -l < "$OUT/of_service")" -gt 16 ]
	of services '"\(.cgroup) Rss \(.rss_bytes) \(.processes)", "\(.cgroup) Pss \(.pss_bytes) \(.processes)"' | sort > "$OUT/ours"
	join -j 1 <(sed 's/ /|/' "$OUT/of_service" | sort) <(sed 's/ /|/' "$OUT/ours" | sort) > "$OUT/both"
	cat "$OUT/both"
	[ "$(wc -l < "$OUT/both")" = "$(wc -l < "$OUT/of_service")" ]
	[ "$(awk '{ d = $2 - $5; if ($3 != $6 || d < -4096 * ($3 + 1) || d > 4096 * $3 + $4 || ($1 ~ /Rss/ && d)) print }' "$OUT/both")" = '' ]
}

@test "files -g: sums of the files, all pages of their classes; what is written in memory was written since boot" {
	local uptime

	diff <(of deleted '"\(.class) \(.deleted) \(.files) \(.pages) \(.swapped_pages // 0)"' | sort) \
		<(of files 'select(.pages != null) | "\(.class) \(.deleted)/\(.pages) \(.swapped_pages // 0)"' |
			awk -F / '{ split($2, n, " "); files[$1]++; pages[$1] += n[1]; swapped[$1] += n[2] } END { for (k in files) print k, files[k], pages[k], swapped[k] }' | sort)
	[ "$(of charged .pages | awk '{ n += $1 } END { print n }')" = \
		"$({ of memory 'select(.class == "file" or .class == "shmem") | .pages'; of files 'select(.class == "hugetlb") | .pages'; } | awk '{ n += $1 } END { print n }')" ]
	uptime=$(jq 'select(.record == "case") | .uptime_ns / 1e9 | floor' "$OUT/summary.json")
	[ "$(of files 'select(.deleted and .file_kind != "regular" and .mtime_utc_s != null) | .mtime_utc_s' | wc -l)" -gt 4 ]
	[ "$(jq -n --slurpfile all "$OUT/files.json" --argjson up "$uptime" --argjson stop "$(jq 'select(.record == "case") | .end_utc_s' "$OUT/summary.json")" \
		'[$all[] | select(.record == "row" and .deleted and .file_kind != "regular" and .mtime_utc_s != null) | select(.mtime_utc_s > $stop or .mtime_utc_s < $stop - $up - 2)] | length')" = 0 ]
}

@test "processes: what the report of the OOM says of each" {
	[ -n "$DIED" ] || return 0
	of processes 'select(.log_rss_bytes != null) | "\(.pid) \(.pgtables_bytes - .log_pgtables_bytes) \((.rss_bytes - .log_rss_bytes) / 4096) \((.swap_bytes - .log_swap_bytes) / 4096) \(.threads)"' > "$OUT/reported"
	cat "$OUT/reported"
	# The report of a cgroup has its processes only.
	[ "$(wc -l < "$OUT/reported")" -gt "$([ "$DEATH" = unit ] && echo 0 || echo 20)" ]
	# Page tables to the byte. The kernel's counters of pages lack what each CPU, or up to 6.1 each thread, has not
	# added yet: less than 32 pages of each of three kinds, or those of 64 page faults, of which each may map 16
	# pages of a file (fault_around_bytes).
	[ "$(awk -v split_rss="$(split_rss)" '{ batch = $5 > 2 ? 64 * $5 : 64; rss = split_rss ? 16 * batch : 3 * batch }
		$2 || $3 ^ 2 > rss ^ 2 || $4 ^ 2 > batch ^ 2' "$OUT/reported")" = '' ]
}

# Lines "CGROUP|FIGURE VALUE" of those online.
figures() {
	of cgroups 'select(.memcg_state == "online") | .memcg as $c | (if . then
		(["current", .usage_bytes], ["max", .max_limit], ["high", .high_limit], ["low", .low_limit], ["min", .min_limit],
		 ["swap.current", .swap_usage_bytes], ["swap.max", .swap_max_limit],
		 (.memcg_stat // {} | to_entries[] | ["stat." + .key, .value]),
		 (.memcg_events // {} | to_entries[] | ["events." + .key, .value])) else empty end)
		| "\($c)|\(.[0]) \(if .[1] > 9e18 then "max" else .[1] end)"'
}

@test "the summary: a cgroup most of whose memory no process has says which it is" {
	local column name size kind told=0

	while IFS=$'\t' read -r name kind size; do
		case $kind in
		file) column='(.page_cache_bytes // 0) - (.shmem_bytes // 0)' ;;
		*) column=".${kind}_bytes" ;;
		esac
		[ "$(of cgroups "select(.memcg == \"$name\") | $column")" -gt "$(of cgroups "select(.memcg == \"$name\") | .usage_bytes / 2 | floor")" ]
		[ "$(of cgroups "select(.memcg == \"$name\") | $column / 1048576 * 10 | round / 10")" = "${size%.0M}" ] ||
			[ "$(of cgroups "select(.memcg == \"$name\") | $column / 1048576 * 10 | round / 10")M" = "$size" ]
		told=$((told + 1))
	done < <(of summary 'select(.record == "holder" and .user_kind == "cgroup" and (.remark // "" | test("(^|, )(file|shmem) [0-9.]+M(,|$)"))) | "\(.name)\t\(.remark | capture("(^|, )(?<k>file|shmem) (?<n>[0-9.]+M)") | "\(.k)\t\(.n)")"')
	case $SAMPLE in 6.1-stock-outside) [ $told -ge 1 ] ;; esac
}

@test "cgroups: limits, events and memory" {
	local waited

	awk -F : '{ n = split($1, part, "/"); file = part[n]; name = substr($1, 2, length($1) - length(file) - 2) }
		name == "" { name = "/" }
		file ~ /^memory\.(current|max|high|low|min|swap\.current|swap\.max)$/ { sub("memory.", "", file); print name "|" file, $2 }
		file ~ /^memory\.(stat|events)$/ { split($2, word, " "); sub("memory.", "", file); print name "|" file "." word[1], word[2] }' \
		"$TRUTH/cgroup_files" > "$OUT/told"
	# The one that went on: what the kernel's report of its OOM says.
	if [ "$DEATH" = unit ]; then
		grep -v -E '^/system\.slice/report-builder\.service\|(stat\.|current |swap\.current )' "$OUT/told" > "$OUT/stood"
		sed -E 's/^\[[ .0-9]*\] //; s/\r$//' "$TRUTH/console" | awk -v c="/system.slice/report-builder.service|" '
			/^memory: usage / { print c "current", 1024 * $3 }
			/^swap: usage / { print c "swap.current", 1024 * $3 }
			/^Memory cgroup stats for / { seen = 1; next }
			seen && NF != 2 { exit }
			seen { print c "stat." $1, $2 }' > "$OUT/reported"
		[ "$(wc -l < "$OUT/reported")" -gt 20 ]
		cat "$OUT/stood" "$OUT/reported" > "$OUT/told"
	fi
	figures > "$OUT/figures"
	[ "$(grep -c 'service|current' "$OUT/figures")" -gt 15 ]
	# What only one side has: the root has few files, and some figures have no column.
	join -o 0,1.2,2.2 <(sort -k 1,1 "$OUT/figures") <(sort -k 1,1 "$OUT/told") > "$OUT/both"
	[ "$(wc -l < "$OUT/both")" -gt 800 ]
	awk '$2 != $3' "$OUT/both" > "$OUT/differ"
	echo "# $(($(wc -l < "$OUT/both") - $(wc -l < "$OUT/differ"))) of $(wc -l < "$OUT/both") figures of cgroups as in their files" >&3
	# The guest's own service and those above it moved.
	grep -v -E '^(/|/system\.slice|/system\.slice/guest\.service)\|' "$OUT/differ" > "$OUT/others" || :
	# What an OOM took of a service is what can be reclaimed; what it keeps it had.
	if [ "$SAMPLE" = 6.12-stock-oom ]; then
		awk -F '[| ]' 'FNR == NR { told[$1, $2] = $3; next } $2 == "current" && $1 !~ /^\/(system.slice(.(guest|report-builder).service)?)?$/ {
			print $1, $3, told[$1, "current"], told[$1, "stat.anon"] + told[$1, "stat.file"] + told[$1, "stat.slab_reclaimable"] }' \
			"$OUT/told" "$OUT/figures" > "$OUT/kept"
		[ "$(wc -l < "$OUT/kept")" -gt 15 ]
		[ "$(awk '$3 != "" && ($2 > $3 + 2 * 64 * 4096 || $2 + $4 + 64 * 4096 < $3)' "$OUT/kept")" = '' ]
	fi
	# Of services under load only limits and events stay.
	[ "$DEATH" != busy ] || sed -i -E "\\#/($LOADED)(/[^|]*)?[|](current|swap[.]current|stat[.])#d" "$OUT/others"
	# Pages of files may be mapped by processes of any cgroup, those of the teller too; pages go from a CPU's
	# batch to their list, of the same cgroup; a CPU that charges the teller gives back what it had charged in
	# advance for another, up to 64 pages, and the slab bytes of less than one. systemd is told of an end by
	# its cgroup: it runs, and two CPUs charge in advance for it. The reporting cgroup counts its own events.
	# Sockets that wait for late segments of a connection end by their timer.
	waited=$(join <(awk '$1 ~ /^tw_sock_/ { print $1, $2 }' "$TRUTH/slabinfo" | sort) \
		<(of caches 'select(.cache | startswith("tw_sock_")) | "\(.cache) \(.inuse_objects) \(.slot_bytes)"' | sort) |
		awk '$2 > $3 { bytes += ($2 - $3) * ($4 + 8) } END { print bytes + 0 }')
	case $DEATH in
	outside | busy | unit)
		# Up to 5.12 a CPU adds what it kept of a counter whenever that is too much.
		awk -v waited="$waited" -v kept="$([[ $SAMPLE != 5.10-* ]] || echo 1)" '{ cgroup = $1; sub(/\|.*/, "", cgroup); sub(/.*\|/, "", $1); batch = 2 * 64 * 4096 }
			$1 == "stat.file_mapped" || $1 ~ /^stat\.(in)?active_/ { next }
			$1 == "current" && $2 < $3 && ($3 - $2) % 4096 == 0 && $3 - $2 <= batch { next }
			$1 ~ /^stat\.slab_/ && ($2 - $3) ^ 2 < 4096 ^ 2 { next }
			$1 ~ /^stat\.(slab_unreclaimable|kernel)$/ && $2 < $3 && $3 - $2 <= waited { next }
			cgroup == "/init.scope" && ($1 == "current" || $1 == "stat.kernel") && $2 > $3 && $2 - $3 <= batch { next }
			cgroup ~ /report-builder/ && ($1 == "events.max" || $1 == "events.oom") && $2 > $3 { next }
			kept && $1 ~ /^stat\.(anon|file)$/ && ($2 - $3) ^ 2 < batch ^ 2 { next }
			{ print cgroup, $0 }' "$OUT/others" > "$OUT/rest"
		mv "$OUT/rest" "$OUT/others"
		;;
	# The OOM took memory of all: limits and events of those that stood still stay.
	*) sed -i -n '/report-builder/d; /|\(max\|high\|low\|min\|swap\.max\|events\.[a-z_]*\) /p' "$OUT/others" ;;
	esac
	cat "$OUT/others"
	[ ! -s "$OUT/others" ]
}

@test "sockets: states, addresses and queues are those of /proc/net, but for TIME_WAIT (6)" {
	local state='{ established: 1, fin_wait1: 4, close: 7, close_wait: 8, listen: 10 }'
	case $SAMPLE in 6.1-stock-outside | 6.12-stock-oom) ;; *) return 0 ;; esac
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "memowner sockets -n 0 -j > $OUT/sockets.json" > "$OUT/said.sockets"
	diff <(told_sockets | awk '$2 != 6') \
		<(of sockets "select(.family == \"inet\" or .family == \"inet6\") | \"\(.protocol) \($state[.socket_state]) \(.local_address) \(.remote_address) \(.tx_queue) \(.rx_queue)\"" | sort)
	diff <(awk 'NR > 1 { print $8 }' "$TRUTH/net_unix" | sort) <(of sockets 'select(.family == "unix") | .local_address // ""' | sort)
}

@test "vmalloc: areas and pages of each caller" {
	# The per-CPU areas have no pages of their own in the file; ours are those of all chunks.
	awk '!/unpurged/ { caller = $3; sub(/\+.*/, "", caller); n[caller]++; bytes[caller] += $2
			for (i = 4; i <= NF; i++) if ($i ~ /^pages=/) pages[caller] += substr($i, 7) }
		END { for (c in n) if (c != "pcpu_get_vm_areas") print c, n[c] "/" bytes[c] "/" pages[c] + 0 }' "$TRUTH/vmallocinfo_again" > "$OUT/told"
	of areas 'select(.kind != "unpurged") | "\(.caller | sub(" \\[.*"; "")) \(.areas) \(.space_bytes) \(.pages)"' | awk '{ n[$1] += $2; bytes[$1] += $3; pages[$1] += $4 }
		END { for (c in n) if (c != "pcpu_get_vm_areas") print c, n[c] "/" bytes[c] "/" pages[c] }' > "$OUT/areas"
	[ "$(wc -l < "$OUT/areas")" -gt 12 ]
	# Stacks of the teller's own tasks. Text of a module's init is gone: ftrace has kept its name.
	differing "$OUT/areas" "$OUT/told" | awk '$1 != "kernel_clone" && $1 != "keeper_init" && !/^0x[0-9a-f]+ 1.36864.8 /' > "$OUT/differ"
	cat "$OUT/differ"
	[ ! -s "$OUT/differ" ]
}

@test "HELD: locks of files have their process, and are all objects of their slab cache" {
	local bytes

	[ "$SAMPLE" = 6.1-stock-outside ] || return 0
	bytes=$(sed -n 's|.*/file_lock_cache/object_size:||p' "$TRUTH/slab_sysfs")
	[ "$("$BUILD/memowner" "$DIR/vmcore" processes -n 0 -j -o comm,held_kinds | jq -r 'select(.record == "row" and (.held_kinds | contains("file lock"))) | "\(.comm): \(.held_kinds)"')" = "cron: 1 key 320B, 1 file lock ${bytes}B" ]
	[ "$(of caches 'select(.cache == "file_lock_cache") | .inuse_objects')" = 1 ]
}

# /run/initctl is a FIFO, which has a ring as well. A pipe that two processes have open is of neither.
@test "HELD: the rings of pipes that one process alone has open, each an object of its slab cache" {
	local bytes

	[ "$SAMPLE" = 6.1-stock-outside ] || return 0
	bytes=$(sed -n 's|.*/kmalloc-cg-1k/object_size:||p' "$TRUTH/slab_sysfs")
	awk -v bytes="$bytes" '/^\/proc\/[0-9]+\/fd:/ { split($0, at, "/"); pid = at[3] }
		$NF ~ /^pipe:|^\/run\/initctl$/ { if (($NF in of) && of[$NF] != pid) shared[$NF]; of[$NF] = pid }
		END { for (p in of) if (!(p in shared)) n[of[p]]++; for (pid in n) print pid, n[pid], n[pid] * bytes / 1024 ".0K" }' "$TRUTH/fds" | sort > "$OUT/told"
	"$BUILD/memowner" "$DIR/vmcore" processes -n 0 -j -o pid,held_kinds |
		jq -r 'select(.record == "row") | .pid as $pid | .held_kinds | capture("(?<n>[0-9]+) rings? of (a pipe|pipes) (?<bytes>[^,]*)") | "\($pid) \(.n) \(.bytes)"' | sort > "$OUT/pipe_rings"
	diff "$OUT/told" "$OUT/pipe_rings"
	[ "$(wc -l < "$OUT/told")" = 3 ]
}

@test "swap and zram: what is used" {
	awk 'NR > 1 { print $1, $3 / 4 "/" $4 / 4 "/" $5 }' "$TRUTH/swaps" > "$OUT/told"
	jq -r 'select(.record == "swap") | "\(.path) \(.swap_pages)/\(.swap_used_pages)/\(.priority)"' "$OUT/pools.json" > "$OUT/swaps"
	[ "$(wc -l < "$OUT/told")" = 2 ]
	case $DEATH in
	outside | busy) ;;
	# Its cgroup's share of swap is used up, and a CPU has up to 64 slots in advance.
	unit)
		awk -F / '{ used += $4 } END { exit !(used >= 1024 && used <= 1024 + 2 * 64) }' "$OUT/swaps"
		;;&
	# In an OOM the rest is used up.
	*) sed -i 's|/[0-9]*/|/|' "$OUT/told" "$OUT/swaps" ;;
	esac
	[ "$(differing "$OUT/swaps" "$OUT/told")" = '' ]
	# mm_stat: the pool's pages.
	[ -n "$DIED" ] || [ "$(of pools 'select(.kind == "zsmalloc") | .bytes' | grep . || echo 0)" = \
		"$(sed -n 's|.*/mm_stat:||p' "$TRUTH/zram" | awk '{ print $3 }')" ]
}

# The kernel of a distribution has what ours lack: nodes, swap on zram, cgroups under limits.
@test "what a hidden name costs is told, and the answer is not complete" {
	local line command

	[ "$SAMPLE" = 6.12-stock-oom ] || return 0
	while read -r line; do
		command=${line##*|}
		"$TESTS/tools/sweep" "$BUILD/tested" "$DIR" "^(${line%|*})\$" "$command" > "$OUT/swept" ||
			{ cat "$OUT/swept"; false; }
		[[ "$(tail -n 1 "$OUT/swept")" =~ ^#\ [0-9]+\ runs,\ [1-9] ]] || { echo "$command: $(cat "$OUT/swept")"; false; }
	done <<- 'EOF'
		%(MM_(FILE|ANON|SHMEM)PAGES|MM_SWAPENTS|memory_cgrp_id)|faults -j
		%MM_SWAPENTS|memowner processes -j
		%(MM_SWAPENTS|PG_swapcache)|memowner
		rb_node|memowner -j
		%(NR_(ZSPAGES|ANON_MAPPED|FREE_PAGES|SHMEM)|PG_swapcache)|pageowner -m -j -n 0
		@(hstates|hugetlb_max_hstate|pcpu_unit_pages|nr_vmalloc_pages)|pageowner -m -j -n 0
		@(numa_node|init_task)|pageowner -z -j
		mm_struct|task_struct|signal_struct|percpu_counter|pageowner -z -j
		@nr_node_ids|memowner caches -j
		%_SLAB_(RECLAIM_)?ACCOUNT|memowner caches -j
		(bpf_(link|prog_aux|prog_list|map)|user_struct|kernfs_node)|memowner bpf -j
		%MEMCG_(LOW|HIGH|MAX|OOM|OOM_KILL|OOM_GROUP_KILL|SWAP_HIGH|SWAP_MAX|SWAP_FAIL|SOCK|PERCPU_B)|memowner cgroups -j
		%NR_(ANON_MAPPED|FILE_PAGES|SHMEM|PAGETABLE|SLAB_RECLAIMABLE_B|ACTIVE_FILE|WRITEBACK)|memowner cgroups -j
	EOF
}

@test "memowner bpf: systemd's programs, links and maps are the files that it has open, attached to cgroups that there are" {
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" bpf -j > "$OUT/bpf.json"
	[ "$(jq 'select(.record == "summary") | .complete' "$OUT/bpf.json")" = true ]
	opened=$(sed -n '/^.proc.1.fd:/,/^$/p' "$TRUTH/fds")
	[ "$(of bpf 'select(.bpf_kind == "program" and (.opened_by | test("\\b1.systemd"))) | .bpf_id' | wc -l)" = "$(grep -c 'anon_inode:bpf-prog' <<< "$opened")" ]
	[ "$(of bpf 'select(.bpf_kind == "map" and (.opened_by | test("\\b1.systemd"))) | .bpf_id' | wc -l)" = "$(grep -c 'anon_inode:bpf-map' <<< "$opened")" ]
	while read -r path; do
		grep -q -F "./${path#/}/cgroup.events" "$TRUTH/cgroup_files"
	done < <(of bpf '.attached_to' | grep -o '/[^,]*')
	# What was found is all that the kernel counts.
	[ "$(of bpf 'select(.bpf_references != .found_references) | .bpf_id')" = '' ]
}

@test "pressure: as of when the averages of the kernel are is told, where those of the end differ" {
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "memowner pressure -n 0 -j > $OUT/pressure.json" "memowner pressure > $OUT/pressure"
	old=$(of pressure 'select(.updated_age_ns and .avg10_percent and ([.avg10_percent, .avg60_percent, .avg300_percent, .stalled_ns]
		!= [.recorded_avg10_percent, .recorded_avg60_percent, .recorded_avg300_percent, .recorded_stalled_ns])) | .cgroup' | sort -u | wc -l)
	[ "$old" = 0 ] || grep -q "^the kernel updated the averages of $old groups* of tasks last .* before the end (updated_age_ns): figures of the end are derived" "$OUT/pressure"
}

# kcompactd alone makes the machine "full" where nothing else runs: cgroups tell who waited.
@test "the summary: pressure is that of the machine where a cgroup has as much, as of when it was summed up" {
	run jq -r 'select(.record == "reclaim" and .name == "pressure") | .remark' <("$BUILD/memowner" "$DIR/vmcore" -j)
	case $SAMPLE in
	6.1-stock-outside) [ "$output" = '' ] ;;
	6.12-stock-oom) [ "$output" = 'PSI memory full avg10 36.43 of the machine, as of 16.5s before the end' ] ;;
	*) ;;
	esac
}

@test "a dump that was cut: the order of zones is told to be unknown, counted has no difference; bpf: what is in no row" {
	head -c $(($(stat -L -c %s "$DIR/vmcore") * 9 / 10)) "$DIR/vmcore" > "$OUT/cut"
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$OUT/cut" zones > "$OUT/cut.zones" || [ $? = 1 ]
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$OUT/cut" counted -j > "$OUT/cut.counted" || [ $? = 1 ]
	rm "$OUT/cut"
	# What a list lacks of its counter because it was cut is no difference. A kdump may have the map of RAM at its end.
	[ "$(jq -r 'select(.record == "summary") | .status' "$OUT/cut.counted")" = not_in_dump ] || jq -e -s 'map(select(.record == "row" and .counted_pages > 0)) | length > 3 and all(.difference_pages == null or .difference_pages >= 0)' "$OUT/cut.counted"
	# Of one zone there is no order, and not each of these kernels has a report.
	if [ "$(sed -n '/^at the report/,/^at the panic/p' "$OUT/cut.zones" | grep -c '^  node')" -gt 1 ]; then
		grep -q -E '^  (zonelist of node|the order of the zone|the node of the request is unknown)' "$OUT/cut.zones"
	fi
	# The last line of what is in no row.
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" bpf | grep -q '^in no row: machine code.*: memowner vmalloc -f caller=bpf_\*$'
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" vmalloc -f 'caller=bpf_*' | grep -q bpf_prog_
}

# As 5.4 leaves them where memory ends within a block of the largest order: of a page in that block nothing is unknown.
@test "a struct page behind the end of System RAM that was never written says nothing of pages before it" {
	local last at

	[ "$SAMPLE" = 6.12-stock-oom ] || return 0 # of one kernel
	last=$("$BUILD/memowner" "$DIR/vmcore" pageowner pfn:0-9999999 -o pfn -j | jq -r 'select(.record == "summary") | .warnings[]' |
		sed -n 's/.*ends at pfn //p')
	at=$("$BUILD/memowner" "$DIR/vmcore" pageowner "pfn:$last" | sed -n 's/.*struct page \(0x[0-9a-f]*\).*/\1/p')
	printf 'memowner classes -j\nmemowner_poke 0x%x/page.compound_head:8=0x1 memowner classes -j\n' $((at + 3 * 64)) > "$OUT/behind"
	"$BUILD/tested" -i "$OUT/behind" "$DIR/vmcore" | jq -c 'select(.record != "meta")' > "$OUT/classes.behind"
	[ "$(grep -c '"record":"summary"' "$OUT/classes.behind")" = 2 ]
	[ "$(sed '/"record":"summary"/q' "$OUT/classes.behind")" = "$(sed '1,/"record":"summary"/d' "$OUT/classes.behind")" ]
}
