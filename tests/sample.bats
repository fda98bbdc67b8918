#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A real dump, $SAMPLE, against what its kernel said of itself before it died, in
# every mode of $MODES that crash opens it in.
# A difference is excused only by a time stamp between T0 and the panic, or by the mark
# of a migration of what was told of another page, never by a share.


load helper
load dump

setup_file() {
	of_sample
	ask_in_one
	own_commands
}

# What crash's own commands say, where crash opens the dump whole: in $OWN.
own_commands() {
	local commands=() name

	export OWN=$OUT/own
	[[ " $MODES " = *' whole '* ]] || return 0
	open_session "$DIR/vmlinux" "$DIR/vmcore"
	mkdir "$OWN"
	for name in httpd postgres worker; do
		commands+=("vm -p $(of faults "select(.comm == \"$name\") | .pid") > $OWN/vm.$name")
	done
	# Behind "p/x" crash leaves "> FILE" to gdb.
	BATS_TEST_TMPDIR=$OUT ask whole 'p/x failure_handle' 'p/x dummy_handle' 'p/x early_handle' 'p counters' "${commands[@]}" \
		"vm $(of faults 'select(.comm == "hungry") | .pid') > $OWN/vm.hungry" > "$OWN/said"
}

# bats test_tags=pages
@test "every mode that crash opens it in ($MODES): the same answers" {
	for mode in ${MODES% *}; do
		diff -r "$SAID" "$(answers $mode)"
	done
	# Each command of the list has one.
	[ "$(ls "$SAID")" = "$({ sed -n 's/^\([^# ]*\) .*/\1/p' "$TESTS/answers"; echo said; } | sort)" ]
}

# bats test_tags=pages
@test "no message of crash's own and no warning of ours" {
	# Before 5.11 who allocated a page is not recorded.
	refute grep -v -x "$(records_time && echo none || echo 'pageowner: \(pid\|tgid\|comm\): not recorded by this kernel')" "$SAID/said"
	for f in list top faults events $(has allocinfo && [ "$(profiling)" = on ] && refute grep -q guest.profiling_on_later "$TRUTH/cmdline" && echo alloc); do
		# That there are no cgroups is told.
		[ "$(summary_of $f '.status, .complete, (.warnings | map(select(. != "cgroups unknown: this kernel was built without CONFIG_MEMCG")) | length)' | xargs)" = 'ok true 0' ]
	done
	has memcg_web || [ "$(summary_of list '.warnings | length')" = 1 ]
	grep -v -q guest.profiling_on_later "$TRUTH/cmdline" ||
		[ "$(summary_of alloc '.warnings[]')" = 'profiling was turned on after boot: earlier allocations have no tag and are not counted' ]
	case $(profiling) in
	off_later) [ "$(summary_of alloc '.status, .complete, (.warnings | length)' | xargs)" = 'off_later true 1' ] ;;
	off_at_boot) [ "$(summary_of alloc '.status, .complete, (.warnings | length)' | xargs)" = 'off_at_boot false 1' ] ;;
	esac
}

# bats test_tags=pages
@test "pageowner -t list equals the kernel's page_owner file, record by record" {
	awk -f "$TESTS/truth/page_owner.awk" "$TRUTH/page_owner" > "$OUT/told.tsv"
	run awk -v t0="$T0" -f "$TESTS/truth/compare.awk" "$LIST/list.tsv" "$OUT/told.tsv"
	echo "$output" | tail -n 20
	[[ "${lines[-1]}" =~ ^same' '([0-9]+)', changed since '([0-9]+)', wrong 0'$ ]]
	[ "${BASH_REMATCH[1]}" -gt 40000 ]
	echo "# ${lines[-1]}" >&3
}

# bats test_tags=pages
@test "pageowner -t raw is the kernel's page_owner file, byte by byte" {
	run awk -F '\t' -f "$TESTS/truth/raw.awk" t0="$T0" RS= file=ours "$SAID/raw.txt" RS='\n' file=list "$LIST/list.tsv" \
		RS= file=truth "$TRUTH/page_owner"
	echo "$output" | tail -n 40
	[[ "${lines[-1]}" =~ ^bytes' 'same' '([0-9]+)', flags '([0-9]+)', block types '([0-9]+)', slab marks '([0-9]+)', '.*' wrong 0'$ ]]
	[ "${BASH_REMATCH[1]}" -gt 40000 ]
	# Hardly any of those whose record is the same has something else that is not.
	[ "$((BASH_REMATCH[2] + BASH_REMATCH[3] + BASH_REMATCH[4]))" -lt "$((BASH_REMATCH[1] / 40))" ]
	echo "# ${lines[-1]}" >&3
	# Nothing stands between the records, and they rise.
	[ "$(awk -v RS= '{ n += length($0) + 2 } END { printf "%d", n }' "$SAID/raw.txt")" = "$(wc -c < "$SAID/raw.txt")" ]
	[ "$(grep -c '^Page allocated via order ' "$SAID/raw.txt")" = "$(grep -c '^$' "$SAID/raw.txt")" ]
	listed '@allocated == "true" && @head { print @pfn, @migratetype, @block_migratetype }' > "$OUT/blocks"
	run awk '/^PFN / { pfn = $2
		if (pfn ~ /^0x/) { n = 0; for (i = 3; i <= length(pfn); i++) n = n * 16 + index("0123456789abcdef", substr(pfn, i, 1)) - 1; pfn = n }
		print pfn, $4, $8 }' "$SAID/raw.txt"
	diff "$OUT/blocks" <(echo "$output")
}

@test "pageowner -t raw -n: the first records" {
	cmp "$SAID/raw.few" <(awk -v RS= -v ORS='\n\n' 'NR <= 3' "$SAID/raw.txt")
}

# page_owner_sort's output as "pages stack", each stack once. Up to 5.17 it counts records.
sorted() {
	awk 'function flush() { if (n) pages[stack] += n * size; n = 0; stack = "" }
		/^[0-9]+ times/ { flush(); n = $1; size = 1; if (match($0, /[0-9]+ pages/)) n = substr($0, RSTART) + 0; next }
		/^Page allocated via order / { size = 2 ^ ($5 + 0); next }
		/^ / { sub(/\/0x[0-9a-f]+/, ""); stack = stack ";" substr($0, 2) }
		END { flush(); for (s in pages) print pages[s], s }' "$1" | sort
}

# bats test_tags=slow
@test "the kernel's own page_owner_sort reads it, and finds what top has" {
	local series sorter culled=()

	# Of each series its source is fetched, if BRIEF of one.
	[ -z "${BRIEF:-}" ] || [ "$SAMPLE" = 6.12-oom ] || return 0
	series=$(sed -n 's/^source=linux-source-\([0-9.]*\).*/\1/p' "$DIR/meta")
	# Suites drop a series: then that of another one, whose program reads the same text.
	if ! { sorter=$("$TESTS/../scripts/page-owner-sort" "$series") ||
		sorter=$("$TESTS/../scripts/page-owner-sort" 6.1); } 2> "$OUT/sort.err"; then
		cat "$OUT/sort.err"
		grep -q 'no suite of Debian has' "$OUT/sort.err"
		skip "page_owner_sort of $series cannot be fetched without a network"
	fi
	"$sorter" -x 2>&1 | grep -q -e --cull && culled=(--cull=stacktrace)
	for f in "$SAID/raw.txt" "$TRUTH/page_owner"; do
		run "$sorter" "${culled[@]}" "$f" "$OUT/sorted.${f##*/}"
		[ "$status" = 0 ]
		[ "$(tr '\r' '\n' <<< "$output" | grep -v '^loaded [0-9]*$' | xargs)" = 'sorting .... culling' ]
	done
	[ "$(sorted "$OUT/sorted.page_owner" | awk '{ n += $1 } END { print n }')" = \
		"$(awk '/^Page allocated via order / { n += 2 ^ ($5 + 0) } END { print n }' "$TRUTH/page_owner")" ]
	diff <(sorted "$OUT/sorted.raw.txt") <(jq -r "$STACK"'select(.record == "row") | "\(.pages) " + ([.stack[] |
		";" + (if .symbol then "\(.symbol)+0x\(.offset // 0 | hex)" + (if .module then " [\(.module)]" else "" end)
		else .addr end)] | join(""))' "$SAID/top.json" | sort)
}

@test "direct allocations of the fixture are exactly those that it printed" {
	loaded || return 0
	for way in leaky_rx_refill leaky_rx_refill_atomic leaky_order2_compound leaky_order3_plain \
		leaky_kmalloc_large; do
		diff <(ledger $way) <(allocations $way 'allocate_slab|cache_(grow_begin|alloc)')
		[ "$(ledger $way | wc -l)" -ge 25 ]
	done
	[ "$(ledger leaky_rx_refill | wc -l)" -gt 30000 ]
	# Their orders too.
	for order in 0:leaky_rx_refill 2:leaky_order2_compound 3:leaky_order3_plain 2:leaky_kmalloc_large; do
		[ "$(grep -c "${order#*:}+0x" "$LIST/list.tsv")" -gt 0 ]
		[ -z "$(awk -F '\t' -v f="${order#*:}" -v o="${order%:*}" '$1 == "live" && $12 ~ f "\\+0x" &&
			$12 !~ "allocate_slab|cache_(grow_begin|alloc)" && $3 != o' "$LIST/list.tsv")" ]
	done
}

@test "pages behind the fixture's vmalloc are exactly those that it printed" {
	loaded || return 0
	[ "$(ledger leaky_vmalloc | wc -l)" = "$((16 * $(grep -c '^leaky_vmalloc ' "$TRUTH/ledger")))" ]
	diff <(ledger leaky_vmalloc) <(allocations leaky_vmalloc 'allocate_slab|cache_(grow_begin|alloc)|pte_alloc')
}

@test "what an unloaded module left is live, with addresses in the place of names" {
	loaded && return
	for way in leaky_rx_refill leaky_order2_compound leaky_order3_plain leaky_kmalloc_large leaky_vmalloc; do
		[ "$(comm -23 <(ledger $way) <(awk -F '\t' '$1 == "live" && $12 ~ /;0xffffffff/ { print $2 }' "$LIST/list.tsv" | sort) |
			wc -l)" = 0 ]
	done
}

@test "many stacks stay apart, deep ones are as deep as the kernel cuts them" {
	grep -q guest.deep "$TRUTH/cmdline" || return 0
	[ "$(awk -F '\t' '$1 == "live" && $7 == "pathfinder" || $9 == "pathfinder" { print $12 }' "$LIST/list.tsv" |
		grep -c .)" -ge 4000 ]
	[ "$(awk -F '\t' '$9 == "pathfinder" { print $12 }' "$LIST/list.tsv" | sort -u | wc -l)" -ge 4000 ]
	awk -F '\t' '$9 == "diver" { print $12 }' "$LIST/list.tsv" | awk -F ';' '{ print NF }' | sort -u | grep -qx 16
}

@test "memory that was taken offline has no records and is counted" {
	grep -q guest.offline "$TRUTH/cmdline" || return 0
	[ "$(summary_of list .skipped)" = 32768 ]
}

@test "what the fixture allocated and freed is not live" {
	[ -z "$(allocations leaky_churn)" ]
}

@test "one leak with two gfp masks stays two" {
	loaded || return 0
	[ "$(awk -F '\t' '$12 ~ /leaky_rx_refill\+/ && $12 !~ /slab|cache_(grow|alloc)/ { print $5 }' "$LIST/list.tsv" | sort -u)" = 'GFP_KERNEL|__GFP_ZERO' ]
	[ "$(awk -F '\t' '$12 ~ /leaky_rx_refill_atomic\+/ && $12 !~ /slab|cache_(grow|alloc)/ { print $5 }' "$LIST/list.tsv" | sort -u)" = 'GFP_ATOMIC|__GFP_ZERO' ]
}

# bats test_tags=pages
@test "every page of System RAM is accounted for, every handle decodes" {
	summary_of list '.scanned == .live + .freed + .empty + .undecodable' | grep -qx true
	summary_of list '.scanned + .skipped + .unreadable == .ram_pages' | grep -qx true
	[ "$(summary_of list '.undecodable')" = 0 ]
	# System RAM as /proc/iomem has it, whole pages.
	[ "$(summary_of list '.ram_pages')" = "$(awk -F '[- ]' -v page=$PAGE '/^[0-9a-f].*: System RAM/ {
		n += int((strtonum("0x" $2) + 1) / page) - int((strtonum("0x" $1) + page - 1) / page) }
		function strtonum(h,   i, v) { v = 0; h = tolower(h)
			for (i = 3; i <= length(h); i++) v = v * 16 + index("0123456789abcdef", substr(h, i, 1)) - 1
			return v }
		END { print n }' "$TRUTH/iomem")" ]
}

@test "top adds up to the list, and to the kernel's own counters of the fixture's stacks" {
	[ "$(of top .pages | awk '{ n += $1 } END { print n }')" = "$(summary_of top .live)" ]
	[ "$(of top .allocs | awk '{ n += $1 } END { print n }')" = \
		"$(listed '@allocated == "true" && @head' | wc -l)" ]
	has show_stacks && loaded || return 0
	diff <(awk '/^ / { sub(/\/0x[0-9a-f]+/, ""); s = s ";" substr($0, 2); next }
		/^nr_base_pages/ { if (s ~ /;leaky_(rx|order|kmalloc_large)/ && s !~ /slab|cache_(grow|alloc)|ledger_/) print $2, s; s = "" }' \
		"$TRUTH/show_stacks" | sort) \
	     <(jq -r "$STACK"'select(.record == "row") | "\(.pages) " + ([.stack[] | ";\(.symbol)+0x\(.offset // 0 | hex)" +
		(if .module then " [\(.module)]" else "" end)] | join(""))' "$SAID/top.json" |
		grep -E ';leaky_(rx|order|kmalloc_large)' | grep -v -E 'slab|cache_(grow|alloc)|ledger_' | sort)
}

@test "top names the leak first, depot resolves its handle, with the same pages" {
	local handle pages

	loaded || return 0
	handle=$(of top .handle | head -n 1)
	pages=$(of top .pages | head -n 1)
	[ "$(of top '[.stack[] | select(.module == "leaky") | .symbol][0]' | head -n 1)" = leaky_rx_refill ]
	run ask $MODE "depot -j $handle" "pageowner -j pfn:$(ledger leaky_vmalloc | head -n 1)" \
		'pageowner phys:fffffffff000' 'pageowner pfn:0xfffffffff'
	[ "$(head -n 3 <<< "$output" | jq -r 'select(.record == "row") | .stack | map(.symbol) | index("leaky_rx_refill") != null')" = true ]
	[ "$(head -n 3 <<< "$output" | jq -r 'select(.record == "row") | .pages')" = "$(has show_stacks && echo "$pages" || echo null)" ]
	[ "$(sed -n 5p <<< "$output" | jq -r '[.stack[].symbol] | index("leaky_vmalloc") != null')" = true ]
	[ "${lines[6]}" = 'phys:fffffffff000 (pfn 0xfffffffff) is not System RAM of this dump' ]
	[[ "$output" = *$'\n''pfn:0xfffffffff (0xfffffffff) is not System RAM of this dump'* ]]
	# That there is no struct page is not told; makedumpfile may leave out the table of sections.
	refute grep -q 'does not exist' <<< "$output"
	[ "$(grep -c -x '  now unknown: struct page is not in this dump' <<< "$output")" = $((${#lines[@]} - 10)) ]
}

# bats test_tags=slow
@test "output into a pipe ends quietly when nobody reads on" {
	# crash finds the other end of a pipe by looking through /proc, and at times it does not.
	for ((try = 0; try < 30; try++)); do
		run ask $MODE 'pageowner -t list | head -n 2' 'pageowner -n 1 | wc -l' \
			'depot 0'
		[[ "$output" = *'pipe operation failed'* ]] || break
	done
	[[ "${lines[0]}" = *PFN*ORDER* && "${lines[1]}" = *0x1* ]]
	# crash does not wait for wc: its line may follow that of the next command.
	[ "$(grep -x '[0-9]*' <<< "$output")" -gt 10 ]
	[ "$(sed 1,2d <<< "$output" | grep -v -x '[0-9]*')" = 'warning: handle 0 means no stack' ]
	[ "${#lines[@]}" = 4 ]
}

@test "allocprof equals allocinfo: every site; the fixture's to the byte; or says that it was not built in" {
	if ! has allocinfo; then
		[ "$(jq -r .record "$SAID/alloc.json" | xargs)" = 'meta summary' ]
		[ "$(summary_of alloc .status)" = not_built ]
		grep -qx 'no data: .*(CONFIG_MEM_ALLOC_PROFILING)' "$SAID/alloc.txt"
		return
	fi
	if [ "$(profiling)" = off_at_boot ]; then
		# Not supported, there is no file at all; else nothing was ever counted.
		[ "$(jq -r .record "$SAID/alloc.json" | xargs)" = 'meta summary' ]
		[ -z "$(awk '/:[0-9]+ / && ($1 != 0 || $2 != 0)' "$TRUTH/allocinfo")" ]
		grep -q '^no data: memory allocation profiling was ' "$SAID/alloc.txt"
		return
	fi
	awk -f "$TESTS/truth/allocinfo.awk" "$TRUTH/allocinfo" > "$OUT/allocinfo.tsv"
	of alloc 'select(.loaded) | [.bytes, .calls, .file, .line, .module, .function] | @tsv' > "$OUT/alloc.tsv"
	diff <(cut -f 3- "$OUT/allocinfo.tsv" | sort) <(cut -f 3- "$OUT/alloc.tsv" | sort)
	diff <(grep -P '\tleaky\t' "$OUT/allocinfo.tsv" | sort) <(grep -P '\tleaky\t' "$OUT/alloc.tsv" | sort)
	[ "$(grep -c -P '\tleaky\t' "$OUT/alloc.tsv")" -ge 11 ] || refute loaded
	# Most other sites were idle as well; all were read.
	[ "$(of alloc 'select(.bytes == null) | .tag' | wc -l)" = 0 ]
	[ "$(comm -12 <(sort "$OUT/allocinfo.tsv") <(sort "$OUT/alloc.tsv") | wc -l)" -gt 700 ]
	# From when it was turned off on, all.
	[ "$(profiling)" = on ] || diff <(sort "$OUT/allocinfo.tsv") <(sort "$OUT/alloc.tsv")
}

@test "allocprof agrees with what the fixture says of itself" {
	has allocinfo && loaded && [ "$(profiling)" = on ] || return 0
	awk '{ n[$1]++; if ($2 == "object" || $2 == "large" || $2 == "percpu") bytes[$1] += $3 }
		END { for (f in n) print f, n[f] }' "$TRUTH/ledger" | sort > "$OUT/ways"
	for way in leaky_rx_refill leaky_rx_refill_atomic leaky_order2_compound leaky_order3_plain leaky_kmalloc \
		leaky_own_cache leaky_kmalloc_large; do
		[ "$(of alloc "select(.function == \"$way\") | .calls")" = "$(awk -v w=$way '$1 == w { print $2 }' "$OUT/ways")" ]
	done
	[ "$(of alloc 'select(.function == "leaky_own_cache") | .bytes')" = $((5000 * $(awk '$1 == "leaky_cache" { print $4 }' "$TRUTH/slabinfo"))) ]
	[ "$(of alloc 'select(.function == "leaky_order3_plain") | .bytes')" = $((60 * 8 * PAGE)) ]
}

@test "allocprof sorts by size and calls; the leak comes first" {
	has allocinfo && [ "$(profiling)" != off_at_boot ] || return 0
	loaded || return 0
	grep -q -E '^ *[0-9.]+M +[0-9]+ +[0-9]+.0K +[0-9.]+  leaky_rx_refill +leaky' <(sed -n 2p "$SAID/alloc.txt")
	grep -q leaky_record <(sed -n 2p "$SAID/calls.txt")
}

@test "faults: tasks that sleep since T0 as in /proc, others at or above it" {
	awk -f "$TESTS/truth/stat.awk" "$TRUTH/task_stat" | sort -n > "$OUT/stat.tsv"
	of faults '[.pid, .comm, .ppid, .min_flt, .cmin_flt, .maj_flt, .cmaj_flt] | @tsv' | sort -n > "$OUT/faults.tsv"
	for name in httpd preforkd postgres pg_buffers worker; do
		diff <(grep -P "\t$name\t" "$OUT/stat.tsv") <(grep -P "\t$name\t" "$OUT/faults.tsv")
	done
	diff <(grep thread- "$OUT/stat.tsv") <(grep thread- "$OUT/faults.tsv")
	[ "$(grep -c thread- "$OUT/faults.tsv")" = 4 ]
	run awk -F '\t' 'NR == FNR { for (i = 4; i <= 7; i++) told[$1, i] = $i; next }
		($1, 4) in told { n++; for (i = 4; i <= 7; i++) if ($i + 0 < told[$1, i] + 0) print "less:", $0 }
		END { print n }' "$OUT/stat.tsv" "$OUT/faults.tsv"
	[ "${#lines[@]}" = 1 ]
	[ "$output" -ge 20 ]
	# Up to 5.3 it cannot ask for its pages to be swapped out.
	[[ $SAMPLE = 4.* ]] || [ "$(of faults 'select(.comm == "postgres") | .maj_flt')" -ge $((1000 * 4096 / PAGE)) ]
}

@test "faults -v: counters at or above /proc/vmstat" {
	of events '[.name, .count] | @tsv' > "$OUT/events.tsv"
	run awk 'NR == FNR { told[$1] = $2; next } $1 in told { n++; if ($2 < told[$1]) print "less:", $0 }
		END { print n }' "$TRUTH/vmstat" "$OUT/events.tsv"
	[ "$output" -ge 9 ]
}

@test "JSON Lines: meta first, summary last, the keys that others build on" {
	for f in list top alloc faults events; do
		[ "$(sed -n '1p;$p' "$SAID/$f.json" | jq -r .record | xargs)" = 'meta summary' ]
	done
	[ "$(cut -f 1 "$LIST/keys" | xargs)" = 'meta row stack summary' ]
	[ "$(cat "$SAID"/{top,alloc,faults,events}.json | jq -r .record | sort -u | grep -v -x -e meta -e row -e summary)" = '' ]
	for f in top alloc faults; do
		jq -r '"\(.record)\t\(keys_unsorted | join(" "))"' "$SAID/$f.json" | sort -u > "$OUT/keys.$f"
	done
	keys() {	# FILE RECORD
		awk -F '\t' -v record="$2" '$1 == record { print $2 }' "$([ "$1" = list ] && echo "$LIST/keys" || echo "$OUT/keys.$1")"
	}
	[ "$(keys list meta)" = 'record schema command view version kernel arch page_size cpus mem_total_bytes panic_time_ns panic_time_source options' ]
	[ "$(keys list summary)" = 'record status complete sizes_complete interrupted scanned live freed empty skipped unreadable undecodable ram_pages covered_pages rows_shown rows_total warnings unknown' ]
	[ "$(keys list row)" = 'record pfn order gfp_mask gfp pid tgid comm ts_ns free_ts_ns free_pid free_tgid handle free_handle allocated migratetype block_migratetype last_migrate_reason node zone class memcg basis' ]
	for key in rank pages bytes allocs handle age_min_ns age_max_ns stack; do
		keys top row | grep -q -w $key
	done
	for key in $(has allocinfo && [ "$(profiling)" != off_at_boot ] && echo bytes calls file line function module accurate loaded tag); do
		keys alloc row | grep -q -w $key
	done
	for key in pid tgid ppid comm min_flt maj_flt cmin_flt cmaj_flt vsz_bytes rss_bytes swap_bytes; do
		keys faults row | grep -q -w $key
	done
	[ "$(cut -f 1 "$LIST/frames")" = 'addr symbol offset module file line inlined label' ]
	[ "$(meta_of list '"\(.kernel) \(.page_size) \(.panic_time_source)"')" = \
		"$(sed -n 's/^kernel=//p' "$DIR/meta") $PAGE panic_record" ]
}

@test "JSON Lines: a stack once, before the first row that uses it; rows in pfn order" {
	awk '$1 == "S" { if (seen[$2]++) bad++; next }
		{ if (!seen[$3] || ($4 != "" && !seen[$4]) || $2 <= last) bad++; last = $2 } END { exit bad != 0 || NR < 50000 }' "$LIST/order"
}

@test "text has every word and ends with what it covers" {
	for f in top list alloc calls faults; do
		[ -s "$SAID/$f.txt" ]
		# It is a file: tests/width.bats has terminals.
		refute grep -q -E '[^. ]\.\.( |$)|(^| )\.\.[^. ]' "$SAID/$f.txt"
	done
	tail -n 2 "$SAID/top.txt" | head -n 1 | grep -q -E '^scanned [0-9,]+ = [0-9,]+ live \+ [0-9,]+ freed \+ [0-9,]+ empty \+ 0 undecodable$'
	tail -n 1 "$SAID/top.txt" | grep -q -E "^System RAM [0-9,]+ pages, $(grep -q guest.offline "$TRUTH/cmdline" && echo '[0-9.]+% covered; 32,768' || echo '100.0% covered; 0') skipped, 0 unreadable$"
	has allocinfo && [ "$(profiling)" != off_at_boot ] || return 0
	tail -n 1 "$SAID/alloc.txt" | grep -q -E '^[0-9,]+ sites, 0 unreadable; summed over [0-9]+ possible CPUs?$'
}

@test "depot -i: sound, as the kernel's own counters have it at the panic" {
	local -A health
	local counters

	while read -r name value; do
		health[$name]=$value
	done < <(of health '"\(.name) \(.count)"')
	[ "${health[bad_chains]}" = 0 ]
	[ "${health[pools_max]}" -ge 8191 ]
	[ "${health[owned_pages]}" = "$(summary_of top .live)" ]
	# Every stack of the list is among them.
	[ "${health[records]}" -ge "$(grep -c '"record":"stack"' "$LIST/rest.json")" ]
	[ "${health[record_bytes]}" -le "${health[bytes]}" ]
	if [[ " $MODES " = *' whole '* ]]; then
		read -r failure dummy early < <(awk 'NR <= 3 { print $NF }' "$OWN/said" | xargs)
		[ "${health[blind_pages]}" = "$(listed '@allocated == "true" { print @handle }' |
			grep -c -x -e "$failure" -e "$dummy")" ]
	fi
	if [[ " $MODES " = *' whole '* ]]; then
		[ "${health[early_pages]}" = "$(listed '@allocated == "true" { print @handle }' |
			grep -c -x "$early")" ]
	fi
	# Without a scan pages from before page_owner are not among them.
	has_no_line -q 'tracked pages have no usable stack' <(ask $MODE 'depot -i')
	has stackdepot_stats || return 0
	[ "${health[records]}" -ge "$(awk '/^persistent_count/ { print $2 }' "$TRUTH/stackdepot_stats")" ]
	[[ " $MODES " = *' whole '* ]] || return 0
	counters=$(< "$OWN/said" tr -d '{},' | awk 'NF >= 6 { print $(NF - 1), $NF }')
	[ "$counters" = "${health[records]} ${health[record_bytes]}" ]
}

@test "depot -a: every record, with the pages that the kernel counted of the fixture's stacks" {
	local handle

	[ "$(of depot .handle | wc -l)" = "$(of health 'select(.name == "records") | .count')" ]
	[ "$(of depot .handle | sort -u | wc -l)" = "$(of depot .handle | wc -l)" ]
	# Each stack of the ranking is among them, with the same frames.
	diff <(of top '[.handle, .stack] | tojson' | sort) \
		<(of depot '[.handle, .stack] | tojson' | sort | grep -F -f <(of top '"\"\(.handle)\""'))
	# Sound, hashes of frames included.
	ask $MODE 'depot -v' "depot -v -j > $OUT/defects.json" "depot -u -j > $OUT/users.json" "depot -u $(of top .handle | head -n 1) -j > $OUT/user.json" > "$OUT/verified"
	[ "$(of users 'select(.user == "page_owner, allocation") | "\(.uses) \(.handles)"')" = "$(summary_of top .live) $(of top .handle | wc -l)" ]
	[ "$(of user 'select(.user == "page_owner, allocation") | .uses')" = "$(of top .pages | head -n 1)" ]
	uses=$(of users 'select(.user == "page_owner, last free") | .uses')
	[[ $SAMPLE != 4.* ]] || uses=${uses/null/0} # it records no stack of who freed
	[ "$uses" = "$(listed '@free_handle != "null" && @free_handle != "" { n++ } END { print n + 0 }')" ]
	tr -d , < "$OUT/verified" | grep -q -E "^checked $(of depot .handle | wc -l) records in [0-9]+ pools [0-9]+ frames [0-9]+ buckets: no defect\$"
	refute grep '^warning: ' "$OUT/verified"
	[ "$(jq -r 'select(.record == "checked" and (.name | test("^(records|pools|frames|buckets)$"))) | "\(.count) \(.name)"' "$OUT/defects.json" | xargs)" = \
		"$(tr -d , < "$OUT/verified" | sed -n 's/^checked \([0-9]*\) records in \([0-9]*\) pools \([0-9]*\) frames \([0-9]*\) buckets: .*/\2 pools \1 records \3 frames \4 buckets/p')" ]
	handle=$(of depot 'select(.stack | any(.symbol == "vfs_write")) | .handle' | sort)
	ask $MODE 'depot -a -n 0 -j -f stack=vfs_write' "depot -a -j -s frames" 'depot -a -j -f frames=16.. -X stack=*+0x*' \
		'depot -a -n 0 -j -f "stack=/^vfs_write\+/"' "depot -a -n 0 -j -f stack=leaky -f stack=[leaky] > $OUT/module.json" > "$OUT/asked.json"
	[ "$(of module .handle)" = "$(of depot 'select(.stack | any(.module == "leaky")) | .handle')" ]
	[ "$(jq -r -n '[inputs | if .record == "meta" then "meta" elif .record == "row" then .handle else empty end] | join(" ")' "$OUT/asked.json" |
		sed 's/ meta.*//; s/^meta //' | tr ' ' '\n' | sort)" = "$handle" ]
	[ "$(jq -r -n '[inputs | if .record == "meta" then "meta" elif .record == "row" then .frames else empty end] | join(" ")' "$OUT/asked.json" |
		sed 's/ meta/\n/g' | sed -n 2p)" = " $(of depot .frames | sort -n -r | xargs)" ]
	[ "$(jq -r 'select(.record == "summary") | .rows_total' "$OUT/asked.json" | xargs)" = \
		"$(wc -l <<< "$handle") $(of depot .handle | wc -l) 0 $(wc -l <<< "$handle")" ]
	has show_stacks && loaded || return 0
	diff <(awk '/^ / { sub(/\/0x[0-9a-f]+/, ""); s = s ";" substr($0, 2); next }
		/^nr_base_pages/ { if (s ~ /;leaky_(rx|order|kmalloc_large)/ && s !~ /slab|cache_(grow|alloc)|ledger_/) print $2, s; s = "" }' \
		"$TRUTH/show_stacks" | sort) \
	     <(jq -r "$STACK"'select(.record == "row" and .pages > 0) | "\(.pages) " + ([.stack[] | ";\(.symbol)+0x\(.offset // 0 | hex)" +
		(if .module then " [\(.module)]" else "" end)] | join(""))' "$SAID/depot.json" |
		grep -E ';leaky_(rx|order|kmalloc_large)' | grep -v -E 'slab|cache_(grow|alloc)|ledger_' | sort)
}

# bats test_tags=slow
@test "Ctrl-C at any moment leaves crash as it was" {
	# What crash does then does not depend on the dump.
	[ -z "${BRIEF:-}" ] || [ "$SAMPLE" = 6.12-oom ] || return 0
	echo "extend $OBJECTS/memowner.so" > "$OUT/extend"
	for command in 'allocprof -n 1' 'pageowner -n 1' "depot $(of top .handle | head -n 1)"; do
		# Between the end of a command and its prompt crash itself jumps on Ctrl-C, out of
		# whatever it does; at times it hangs then.
		for try in 1 2 3; do
			run "$BUILD/tools/pty" 60*20 "$command" $CRASH $(option_of $DOOR) -s --no_scroll \
				-i "$OUT/extend" "$DIR/vmlinux" "$DIR/vmcore"
			[[ "$status" != 0 && "$output" = *'0 unreadable'*'^C'* ]] || break
		done
		[ "$status" = 0 ]
		[[ "$output" = *'rd: '* ]]
		# Whatever it was that was broken off, this kernel has it.
		[[ "$output" != *'unknown layout'* ]]
	done
}

@test "addresses that are not canonical are none" {
	local mode=minimal

	# If BRIEF crash is asked of one dump.
	[ -z "${BRIEF:-}" ] || [ "$SAMPLE" = 6.12-oom ] || mode=$MODE
	run ask $mode "pageowner virt:abcd$(ask $MODE 'memowner processes -n 1 -j' | jq -r 'select(.record == "row") | .address[6:]')" 'pageowner virt:123456789abc'
	[[ "${lines[0]}" = *'is not canonical'* ]]
	[[ "${lines[1]}" = *'is not mapped'* ]]
}

@test "faults: rss and swap are the pages that crash's own vm -p finds there" {
	local pid

	[[ " $MODES " = *' whole '* ]] || return 0
	for name in httpd postgres worker; do
		pid=$(of faults "select(.comm == \"$name\") | .pid")
		awk '$1 ~ /^[0-9a-f]+$/ && NF == 2 && $2 ~ /^[0-9a-f]+$/ { n++ }
			/SWAP/ { s++ } END { print n * page, s * page }' page=$PAGE "$OWN/vm.$name" > "$OUT/counted"
		# crash 8.0.2 does not know the maple tree, where mappings are since 6.1.
		if [ "$(cat "$OUT/counted")" = '0 0' ] && [[ "$($CRASH -v)" = *'crash 8.0.2'* ]]; then
			continue
		fi
		[ "$(cat "$OUT/counted")" = "$(of faults "select(.pid == $pid) | \"\(.rss_bytes) \(.swap_bytes)\"")" ]
	done
}

@test "user:PID:X is the page that crash's own vtop finds" {
	local pid address

	[[ " $MODES " = *' whole '* ]] || return 0
	pid=$(of faults 'select(.comm == "hungry") | .pid')
	# Its biggest mapping: some pages are in memory, some in swap.
	awk '$1 ~ /^ff/ && $3 ~ /^[0-9a-f]+$/ { print $2, $3 }' "$OWN/vm.hungry" > "$OUT/vmas"
	# crash 8.0.2 does not know the maple tree, where mappings are since 6.1.
	if [ ! -s "$OUT/vmas" ]; then
		[[ "$($CRASH -v)" = *'crash 8.0.2'* ]]
		return
	fi
	while read -r start end; do
		echo "$((0x$end - 0x$start)) $((0x$start)) $((0x$end))"
	done < "$OUT/vmas" | sort -n | tail -n 1 > "$OUT/biggest"
	read -r _ first last < "$OUT/biggest"
	for ((at = first; at < last; at += (last - first) / 40 / PAGE * PAGE)); do
		printf '%x\n' "$at"
	done > "$OUT/addresses"
	mapfile -t vtops < <(sed "s|.*|vtop -c $pid & >> $OUT/vtops|" "$OUT/addresses")
	rm -f "$OUT/vtops"
	ask whole "${vtops[@]}"
	# Of an address that is not mapped, whether its PTE keeps something: "swap", or "none".
	awk '/^VIRTUAL/ { if (at != "") print at; getline; at = $2 ~ /^[0-9a-f]+$/ ? $2 : "none" }
		/^ *PTE: / { if (at == "none" && $NF != "0") at = "swap" }
		END { print at }' "$OUT/vtops" | while read -r phys; do
		case $phys in none | swap) echo $phys ;; *) echo $((0x$phys / PAGE)) ;; esac
	done > "$OUT/theirs"
	# A row for each address that is mapped, in their order; a warning for each that is not.
	xargs -n 10 < "$OUT/addresses" | while read -r some; do
		ask $MODE "pageowner -j $(sed "s/[^ ]*/user:$pid:&/g" <<< "$some")" > "$OUT/mine"
		jq -s -r --arg addresses "$some" '[.[] | select(.record == "row") | .pfn] as $rows |
			([.[] | select(.record == "summary") | .warnings[] | capture("^0x(?<at>[0-9a-f]+) of pid [0-9]+ is not resident(?<in>.*)") |
				{(.at): (if .in | startswith(" but in swap (entry 0x") then "swap" else "none" end)}] | add) as $unmapped |
			reduce ($addresses | split(" ")[]) as $at ({n: 0, out: []};
				if $unmapped[$at] then .out += [$unmapped[$at]] else .out += [$rows[.n]] | .n += 1 end) | .out[]' "$OUT/mine"
	done > "$OUT/ours"
	diff "$OUT/theirs" "$OUT/ours"
	[ "$(grep -c '^[0-9]' "$OUT/ours")" -ge 5 ]
	[ "$(grep -c swap "$OUT/ours")" -ge 5 ]
	# Where it has no VMA nothing is mapped.
	run ask $MODE "pageowner user:$pid:$(printf '%x' "$((last + 0x40000000))") user:$pid:0"
	[ "${lines[0]}" = "warning: $(printf '%#x' "$((last + 0x40000000))") is not mapped: pid $pid has no VMA there" ]
	[ "${lines[1]}" = "warning: 0x0 is not mapped: pid $pid has no VMA there" ]
}

# bats test_tags=slow
@test "the sessions of README and of the guide are what the commands print" {
	[ "$SAMPLE" = 6.12-oom ] || return 0
	[ -e "$BUILD/samples/6.12-faults/ready" ]
	# The other dumps of the guide have a user with most of the memory: tests/hogs.bats.
	export DUMPS='6.12-oom 6.12-faults'
	# As one text: each dump is opened once.
	for text in README.md doc/guide.md; do
		[ "$(grep -c '^crash> ' "$TESTS/../$text")" -ge 7 ]
		cat "$TESTS/../$text"
	done > "$OUT/texts"
	diff "$OUT/texts" <("$TESTS/../scripts/session" < "$OUT/texts")
}

# bats test_tags=slow
@test "every example of the help texts runs as it stands" {
	local examples=()

	# They are written for this one.
	[ "$SAMPLE" = 6.12-oom ] || return 0

	# As crash prints them, and the manual pages: meta.bats compares.
	mapfile -t examples < <(sed -n -E "s/^ {4,6}((${COMMANDS// /|})( .*)?)$/\1/p" "$TESTS/../doc/commands.md")
	[ "${#examples[@]}" -ge 70 ]
	# One writes a page, which must not be there from another run.
	cd "$OUT"
	# Tens of thousands of lines: bats takes seconds to split them.
	ask $MODE "${examples[@]}" > "$OUT/examples"
	[ -s report.html ]
	# The guest's instance "late" has a buffer that is too small for what it was told to trace.
	# No guest of these has KGTP, nor sockets or buffers of drivers.
	refute grep -E '^(pageowner|allocprof|depot|faults|memowner|crash|warning|no data): ' < <(grep -v -E \
		-e '^warning: (instance late lost events: |[0-9]+ events of other clocks |FIRST and LAST are of the clock )' \
		-e '^warning: [0-9]+ cgroups below the root have no value of a key of -g: ' \
		-e '^warning: stack is not known in full of [0-9,]+ pages, which -f leaves out' -e '^warning: slabs are of no cgroup, each of their objects is ' \
		-e '^warning: -f cache=kmalloc-1k leaves out [0-9]+ (page|cache)s? for this size: kmalloc-cg-1k$' \
		-e '^warning: RSS (of|and its parts of) [0-9]+ groups? counts? a page that processes share once ' \
		-e '^warning: DMA addresses behind an IOMMU, those that are no row of eight, and what struct page has beside its list .buffer heads. are not followed: ' \
		-e '^warning: structures of leaky are unknown: memowner --modules DIR names them, with leaky[.]ko and its debug information in DIR' \
		-e '^warning: -f [a-z_]*=[0-9.a-zA-Z_]*: nothing that (was read|is known) has it; (it is|known are:) ' -e '^warning: [a-z_]+ is unknown of [0-9,]+ [a-z]+, which -f leaves out(: (it has|they have) [0-9.]+[MG])?$' \
		-e '^no data: (this kernel was built without CONFIG_PSI$|KGTP was not loaded: |this kernel has no sockets: |this kernel was built without CONFIG_(DMA_SHARED_BUFFER|BPF_SYSCALL))' "$OUT/examples")
	[ "$(grep -c . "$OUT/examples")" -gt 50000 ]
}

@test "synthetic kernels of this generation are laid out like it" {
	local asked=('pageowner -D' 'depot -D' 'allocprof -D' 'faults -D' 'faults -v -g memcg -D') series

	# They are made for a crash of x86_64.
	[ "$(meta_of list .arch)" = x86_64 ] || return 0
	# And with SMP.
	grep -q ' __per_cpu_offset$' "$TRUTH/kallsyms" || return 0

	series=$(sed -n 's/^source=linux-source-\([0-9.]*\).*/\1/p' "$DIR/meta")
	ask $MODE "${asked[@]}" > "$OUT/real.notes"
	for kernel in $(awk -v s="$series" '$1 == s { $1 = ""; print }' "$TESTS/truth/synthetic"); do
		synthetic "$kernel" "${asked[@]}" > "$OUT/synthetic.notes"
		[ "$(grep -c ^member "$OUT/synthetic.notes")" -gt 10 ]
		run "$TESTS/truth/layout" "$OUT/real.notes" "$OUT/synthetic.notes" "$DIR/vmlinux"
		[ -z "$output" ] || { echo "$kernel: $output"; false; }
	done
}

@test "direct pages by lists: those of ring buffers are those that page_owner has of their functions" {
	[[ "$SAMPLE" = @(6.12-oom|7.3-oom) ]] || return 0
	local of="$BUILD/samples/$SAMPLE" listed recorded

	listed=$("$BUILD/memowner" --vmlinux "$of/vmlinux" "$of/vmcore" counted -j | jq -s 'map(select(.kind == "ftrace" and .name != "names of tasks") | .pages) | add')
	recorded=$("$BUILD/memowner" --vmlinux "$of/vmlinux" "$of/vmcore" classes -n 0 -j | jq -s 'map(select(.caller // "" | test("^(__rb_allocate_pages|rb_allocate_cpu_buffer|alloc_cpu_data)")) | .pages) | add')
	[ "$listed" = "$recorded" ]
	[ "$listed" -gt 100 ]
}
