#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A real dump, $SAMPLE, against what its kernel said of itself before it died, in
# every mode of $MODES that crash opens it in.
# A difference is excused only by a time stamp between T0 and the panic, or by the mark
# of a migration of what was told of another page, never by a share.

load helper

setup_file() {
	export DIR=$BUILD/samples/$SAMPLE OUT=$BATS_FILE_TMPDIR
	export TRUTH=$DIR/truth T0
	T0=$(cat "$TRUTH/t0")
	BATS_TEST_TMPDIR=$OUT ask ${MODES%% *} \
		"pageowner -t list -a -j > $OUT/list.json" "pageowner -t top -j > $OUT/top.json" \
		"pageowner -t top > $OUT/top.txt" "pageowner -t list > $OUT/list.txt" \
		"pageowner -t raw > $OUT/raw.txt" \
		"allocprof -j > $OUT/alloc.json" "allocprof -s size > $OUT/alloc.txt" \
		"allocprof -s calls > $OUT/calls.txt" "faults -j > $OUT/faults.json" \
		"faults > $OUT/faults.txt" "faults -v -j > $OUT/events.json" > "$OUT/crash.txt"
	export PAGE
	PAGE=$(jq -r 'select(.record == "meta") | .page_size' "$OUT/list.json")
	jq -n -r --argjson t0 "$T0" --argjson panic "$(jq 'select(.record == "meta") | .panic_time_ns' "$OUT/list.json")" -f "$TESTS/truth/list.jq" "$OUT/list.json" > "$OUT/list.tsv"
}

ask() {	# MODE COMMAND...
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $1) -- "${@:2}"
}

has() {	# FILE: what this kernel does not have, its truth lacks
	[ -s "$TRUTH/$1" ]
}

of() {	# FILE FILTER: rows of a JSON output
	jq -r "select(.record == \"row\") | $2" "$OUT/$1.json"
}

# Memory allocation profiling as the guest was told to have it.
profiling() {
	case $(cat "$TRUTH/cmdline") in
	*guest.profiling_on_later*) echo on ;;
	*mem_profiling=0* | *mem_profiling=never*) echo off_at_boot ;;
	*guest.profiling_off_later*) echo off_later ;;
	*) echo on ;;
	esac
}

# The fixture's frames have names while it is loaded.
loaded() {
	grep -q '^leaky ' "$TRUTH/modules"
}

summary_of() {
	jq -r "select(.record == \"summary\") | $2" "$OUT/$1.json"
}

# Live allocations from before T0 whose stack has a frame of the fixture's.
allocations() {	# FUNCTION [REGEX THAT THE STACK MUST NOT MATCH]
	awk -F '\t' -v f="$1" -v no="${2:-^$}" '$1 == "live" && $12 ~ "(^|;)" f "\\+0x[0-9a-f]+ \\[leaky\\]" &&
		$12 !~ no { print $2 }' "$OUT/list.tsv" | sort
}

ledger() {	# FUNCTION: pfns that the fixture printed
	awk -v f="$1" '$1 == f { for (i = 5; i <= NF; i++) print $i }' "$TRUTH/ledger" | sort
}

@test "every mode that crash opens it in ($MODES): the same answers" {
	for mode in ${MODES#* }; do
		ask $mode "pageowner -t list -a -j > $OUT/list.other" "pageowner -t top -j > $OUT/top.other" \
			"pageowner -t raw > $OUT/raw.other" \
			"allocprof -j > $OUT/alloc.other" "faults -j > $OUT/faults.other"
		for f in list top alloc faults; do
			cmp "$OUT/$f.json" "$OUT/$f.other"
		done
		cmp "$OUT/raw.txt" "$OUT/raw.other"
	done
}

@test "no message of crash's own and no warning of ours" {
	[ ! -s "$OUT/crash.txt" ] || { cat "$OUT/crash.txt"; false; }
	for f in list top faults events $(has allocinfo && [ "$(profiling)" = on ] && refute grep -q guest.profiling_on_later "$TRUTH/cmdline" && echo alloc); do
		[ "$(summary_of $f '.status, .complete, (.warnings | length)' | xargs)" = 'ok true 0' ]
	done
	grep -v -q guest.profiling_on_later "$TRUTH/cmdline" ||
		[ "$(summary_of alloc '.warnings[]')" = 'profiling was turned on after boot: earlier allocations have no tag and are not counted' ]
	case $(profiling) in
	off_later) [ "$(summary_of alloc '.status, .complete, (.warnings | length)' | xargs)" = 'off_later true 1' ] ;;
	off_at_boot) [ "$(summary_of alloc '.status, .complete, (.warnings | length)' | xargs)" = 'off_at_boot false 1' ] ;;
	esac
}

@test "pageowner -t list equals the kernel's page_owner file, record by record" {
	awk -f "$TESTS/truth/page_owner.awk" "$TRUTH/page_owner" > "$OUT/told.tsv"
	run awk -v t0="$T0" -f "$TESTS/truth/compare.awk" "$OUT/list.tsv" "$OUT/told.tsv"
	echo "$output" | tail -n 20
	[[ "${lines[-1]}" =~ ^same' '([0-9]+)', changed since '([0-9]+)', wrong 0'$ ]]
	[ "${BASH_REMATCH[1]}" -gt 40000 ]
	echo "# ${lines[-1]}" >&3
}

@test "pageowner -t raw is the kernel's page_owner file, byte by byte" {
	run awk -F '\t' -f "$TESTS/truth/raw.awk" t0="$T0" RS= file=ours "$OUT/raw.txt" RS='\n' file=list "$OUT/list.tsv" \
		RS= file=truth "$TRUTH/page_owner"
	echo "$output" | tail -n 40
	[[ "${lines[-1]}" =~ ^bytes' 'same' '([0-9]+)', flags '([0-9]+)', block types '([0-9]+)', slab marks '([0-9]+)', '.*' wrong 0'$ ]]
	[ "${BASH_REMATCH[1]}" -gt 40000 ]
	# Hardly any of those whose record is the same has something else that is not.
	[ "$((BASH_REMATCH[2] + BASH_REMATCH[3] + BASH_REMATCH[4]))" -lt "$((BASH_REMATCH[1] / 40))" ]
	echo "# ${lines[-1]}" >&3
	# Nothing stands between the records, and they rise.
	[ "$(awk -v RS= '{ n += length($0) + 2 } END { printf "%d", n }' "$OUT/raw.txt")" = "$(wc -c < "$OUT/raw.txt")" ]
	[ "$(grep -c '^Page allocated via order ' "$OUT/raw.txt")" = "$(grep -c '^$' "$OUT/raw.txt")" ]
	of list 'select(.allocated and .pfn % pow(2; .order) == 0) | "\(.pfn) \(.migratetype) \(.block_migratetype)"' > "$OUT/blocks"
	run awk '/^PFN / { pfn = $2
		if (pfn ~ /^0x/) { n = 0; for (i = 3; i <= length(pfn); i++) n = n * 16 + index("0123456789abcdef", substr(pfn, i, 1)) - 1; pfn = n }
		print pfn, $4, $8 }' "$OUT/raw.txt"
	diff "$OUT/blocks" <(echo "$output")
}

@test "pageowner -t raw -n: the first records" {
	ask ${MODES%% *} 'pageowner -t raw -n 3' > "$OUT/raw.few"
	cmp "$OUT/raw.few" <(awk -v RS= -v ORS='\n\n' 'NR <= 3' "$OUT/raw.txt")
}

# page_owner_sort's output as "pages stack", each stack once. Up to 5.17 it counts records.
sorted() {
	awk 'function flush() { if (n) pages[stack] += n * size; n = 0; stack = "" }
		/^[0-9]+ times/ { flush(); n = $1; size = 1; if (match($0, /[0-9]+ pages/)) n = substr($0, RSTART) + 0; next }
		/^Page allocated via order / { size = 2 ^ ($5 + 0); next }
		/^ / { sub(/\/0x[0-9a-f]+/, ""); stack = stack ";" substr($0, 2) }
		END { flush(); for (s in pages) print pages[s], s }' "$1" | sort
}

@test "the kernel's own page_owner_sort reads it, and finds what top has" {
	local series sorter culled=()

	series=$(sed -n 's/^source=linux-source-\([0-9.]*\).*/\1/p' "$DIR/meta")
	# Suites drop a series: then that of another one, whose program reads the same text.
	if ! { sorter=$("$TESTS/../scripts/page-owner-sort" "$series") ||
		sorter=$("$TESTS/../scripts/page-owner-sort" 6.1); } 2> "$OUT/sort.err"; then
		cat "$OUT/sort.err"
		grep -q 'no suite of Debian has' "$OUT/sort.err"
		skip "page_owner_sort of $series cannot be fetched without a network"
	fi
	"$sorter" -x 2>&1 | grep -q -e --cull && culled=(--cull=stacktrace)
	for f in "$OUT/raw.txt" "$TRUTH/page_owner"; do
		run "$sorter" "${culled[@]}" "$f" "$OUT/sorted.${f##*/}"
		[ "$status" = 0 ]
		[ "$(tr '\r' '\n' <<< "$output" | grep -v '^loaded [0-9]*$' | xargs)" = 'sorting .... culling' ]
	done
	[ "$(sorted "$OUT/sorted.page_owner" | awk '{ n += $1 } END { print n }')" = \
		"$(awk '/^Page allocated via order / { n += 2 ^ ($5 + 0) } END { print n }' "$TRUTH/page_owner")" ]
	diff <(sorted "$OUT/sorted.raw.txt") <(jq -r "$STACK"'select(.record == "row") | "\(.pages) " + ([.stack[] |
		";" + (if .symbol then "\(.symbol)+0x\(.offset // 0 | hex)" + (if .module then " [\(.module)]" else "" end)
		else .addr end)] | join(""))' "$OUT/top.json" | sort)
}

@test "direct allocations of the fixture are exactly those that it printed" {
	loaded || return 0
	for way in leaky_rx_refill leaky_rx_refill_atomic leaky_order2_compound leaky_order3_plain \
		leaky_kmalloc_large; do
		diff <(ledger $way) <(allocations $way 'allocate_slab')
		[ "$(ledger $way | wc -l)" -ge 25 ]
	done
	[ "$(ledger leaky_rx_refill | wc -l)" -gt 30000 ]
	# Their orders too.
	for order in 0:leaky_rx_refill 2:leaky_order2_compound 3:leaky_order3_plain 2:leaky_kmalloc_large; do
		[ "$(grep -c "${order#*:}+0x" "$OUT/list.tsv")" -gt 0 ]
		[ -z "$(awk -F '\t' -v f="${order#*:}" -v o="${order%:*}" '$1 == "live" && $12 ~ f "\\+0x" &&
			$12 !~ "allocate_slab" && $3 != o' "$OUT/list.tsv")" ]
	done
}

@test "pages behind the fixture's vmalloc are exactly those that it printed" {
	loaded || return 0
	[ "$(ledger leaky_vmalloc | wc -l)" = "$((16 * $(grep -c '^leaky_vmalloc ' "$TRUTH/ledger")))" ]
	diff <(ledger leaky_vmalloc) <(allocations leaky_vmalloc 'allocate_slab|pte_alloc')
}

@test "what an unloaded module left is live, with addresses in the place of names" {
	loaded && return
	for way in leaky_rx_refill leaky_order2_compound leaky_order3_plain leaky_kmalloc_large leaky_vmalloc; do
		[ "$(comm -23 <(ledger $way) <(awk -F '\t' '$1 == "live" && $12 ~ /;0xffffffff/ { print $2 }' "$OUT/list.tsv" | sort) |
			wc -l)" = 0 ]
	done
}

@test "many stacks stay apart, deep ones are as deep as the kernel cuts them" {
	grep -q guest.deep "$TRUTH/cmdline" || return 0
	[ "$(awk -F '\t' '$1 == "live" && $7 == "pathfinder" || $9 == "pathfinder" { print $12 }' "$OUT/list.tsv" |
		grep -c .)" -ge 4000 ]
	[ "$(awk -F '\t' '$9 == "pathfinder" { print $12 }' "$OUT/list.tsv" | sort -u | wc -l)" -ge 4000 ]
	awk -F '\t' '$9 == "diver" { print $12 }' "$OUT/list.tsv" | awk -F ';' '{ print NF }' | sort -u | grep -qx 16
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
	[ "$(awk -F '\t' '$12 ~ /leaky_rx_refill\+/ && $12 !~ /slab/ { print $5 }' "$OUT/list.tsv" | sort -u)" = 'GFP_KERNEL|__GFP_ZERO' ]
	[ "$(awk -F '\t' '$12 ~ /leaky_rx_refill_atomic\+/ && $12 !~ /slab/ { print $5 }' "$OUT/list.tsv" | sort -u)" = 'GFP_ATOMIC|__GFP_ZERO' ]
}

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
		"$(jq -r 'select(.record == "row" and .allocated and .pfn % pow(2; .order) == 0) | .pfn' "$OUT/list.json" | wc -l)" ]
	has show_stacks && loaded || return 0
	diff <(awk '/^ / { sub(/\/0x[0-9a-f]+/, ""); s = s ";" substr($0, 2); next }
		/^nr_base_pages/ { if (s ~ /;leaky_(rx|order|kmalloc_large)/ && s !~ /slab|ledger_/) print $2, s; s = "" }' \
		"$TRUTH/show_stacks" | sort) \
	     <(jq -r "$STACK"'select(.record == "row") | "\(.pages) " + ([.stack[] | ";\(.symbol)+0x\(.offset // 0 | hex)" +
		(if .module then " [\(.module)]" else "" end)] | join(""))' "$OUT/top.json" |
		grep -E ';leaky_(rx|order|kmalloc_large)' | grep -v -E 'slab|ledger_' | sort)
}

@test "top names the leak first, depot resolves its handle, with the same pages" {
	local handle pages

	loaded || return 0
	handle=$(of top .handle | head -n 1)
	pages=$(of top .pages | head -n 1)
	[ "$(of top '[.stack[] | select(.module == "leaky") | .symbol][0]' | head -n 1)" = leaky_rx_refill ]
	run ask ${MODES%% *} "depot -j $handle" "pageowner -j pfn:$(ledger leaky_vmalloc | head -n 1)" \
		'pageowner phys:fffffffff000'
	[ "$(head -n 3 <<< "$output" | jq -r 'select(.record == "row") | .stack | map(.symbol) | index("leaky_rx_refill") != null')" = true ]
	[ "$(head -n 3 <<< "$output" | jq -r 'select(.record == "row") | .pages')" = "$(has show_stacks && echo "$pages" || echo null)" ]
	[ "$(sed -n 5p <<< "$output" | jq -r '[.stack[].symbol] | index("leaky_vmalloc") != null')" = true ]
	[[ "${lines[6]}" = 'warning: pfn 0x'*'ffffffff is not System RAM of this dump' ]]
	[ "${#lines[@]}" = 7 ]
}

@test "output into a pipe ends quietly when nobody reads on" {
	# crash finds the other end of a pipe by looking through /proc, and at times it does not.
	for try in 1 2 3 4 5 6 7 8; do
		run ask ${MODES%% *} 'pageowner -t list | head -n 2' 'pageowner -n 1 | wc -l' \
			'depot 0'
		[[ "$output" = *'pipe operation failed'* ]] || break
	done
	[[ "${lines[0]}" = *PFN*ORDER* && "${lines[1]}" = *0x1* ]]
	[ "${lines[2]}" -gt 10 ]
	[ "${lines[3]}" = 'warning: handle 0 means no stack' ]
	[ "${#lines[@]}" = 4 ]
}

@test "allocprof equals allocinfo: every site; the fixture's to the byte; or says that it was not built in" {
	if ! has allocinfo; then
		[ "$(jq -r .record "$OUT/alloc.json" | xargs)" = 'meta summary' ]
		[ "$(summary_of alloc .status)" = not_built ]
		grep -qx 'no data: .*(CONFIG_MEM_ALLOC_PROFILING)' "$OUT/alloc.txt"
		return
	fi
	if [ "$(profiling)" = off_at_boot ]; then
		# Not supported, there is no file at all; else nothing was ever counted.
		[ "$(jq -r .record "$OUT/alloc.json" | xargs)" = 'meta summary' ]
		[ -z "$(awk '/:[0-9]+ / && ($1 != 0 || $2 != 0)' "$TRUTH/allocinfo")" ]
		grep -q '^no data: memory allocation profiling was ' "$OUT/alloc.txt"
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
	[ "$(of alloc 'select(.function == "leaky_own_cache") | .bytes')" = $((5000 * 200)) ]
	[ "$(of alloc 'select(.function == "leaky_order3_plain") | .bytes')" = $((60 * 8 * PAGE)) ]
}

@test "allocprof sorts by size and calls; the leak comes first" {
	has allocinfo && [ "$(profiling)" != off_at_boot ] || return 0
	loaded || return 0
	grep -q -E '^ *[0-9.]+M +[0-9]+ +[0-9]+.0K +[0-9.]+  leaky_rx_refill +leaky' <(sed -n 2p "$OUT/alloc.txt")
	grep -q leaky_record <(sed -n 2p "$OUT/calls.txt")
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
	[ "$output" -ge 30 ]
	[ "$(of faults 'select(.comm == "postgres") | .maj_flt')" -ge $((1000 * 4096 / PAGE)) ]
}

@test "faults -v: counters at or above /proc/vmstat" {
	of events '[.name, .count] | @tsv' > "$OUT/events.tsv"
	run awk 'NR == FNR { told[$1] = $2; next } $1 in told { n++; if ($2 < told[$1]) print "less:", $0 }
		END { print n }' "$TRUTH/vmstat" "$OUT/events.tsv"
	[ "$output" -ge 9 ]
}

@test "JSON Lines: meta first, summary last, the keys that others build on" {
	for f in list top alloc faults events; do
		[ "$(jq -r .record "$OUT/$f.json" | sed -n '1p;$p' | xargs)" = 'meta summary' ]
		[ "$(jq -r .record "$OUT/$f.json" | sort -u | grep -v -x -e meta -e row -e stack -e summary)" = '' ]
	done
	keys() { jq -r "select(.record == \"$2\") | keys_unsorted | join(\" \")" "$OUT/$1.json" | sort -u; }
	[ "$(keys list meta)" = 'record schema command view version kernel arch page_size cpus panic_time_ns panic_time_source' ]
	[ "$(keys list summary)" = 'record status complete interrupted scanned live freed empty skipped unreadable undecodable ram_pages covered_pages rows_shown rows_total warnings' ]
	[ "$(keys list row)" = 'record pfn order gfp_mask gfp pid tgid comm ts_ns free_ts_ns free_pid free_tgid handle free_handle allocated migratetype block_migratetype last_migrate_reason node zone class memcg' ]
	for key in rank pages bytes allocs handle age_min_ns age_max_ns stack; do
		keys top row | grep -q -w $key
	done
	for key in $(has allocinfo && [ "$(profiling)" != off_at_boot ] && echo bytes calls file line function module accurate loaded tag); do
		keys alloc row | grep -q -w $key
	done
	for key in pid tgid ppid comm min_flt maj_flt cmin_flt cmaj_flt vsz_bytes rss_bytes swap_bytes; do
		keys faults row | grep -q -w $key
	done
	jq -r 'select(.record == "row" or .record == "stack") | .stack // [] | .[] | keys_unsorted | join(" ")' "$OUT/list.json" |
		sort -u | grep -qx 'addr symbol offset module file line inlined label'
	[ "$(jq -r 'select(.record == "meta") | "\(.kernel) \(.page_size) \(.panic_time_source)"' "$OUT/list.json")" = \
		"$(sed -n 's/^kernel=//p' "$DIR/meta") $PAGE panic_record" ]
}

@test "JSON Lines: a stack once, before the first row that uses it; rows in pfn order" {
	jq -r 'if .record == "stack" then "S \(.handle)" elif .record == "row" then "R \(.pfn) \(.handle) \(.free_handle // "")" else empty end' \
		"$OUT/list.json" | awk '$1 == "S" { if (seen[$2]++) bad++; next }
		{ if (!seen[$3] || ($4 != "" && !seen[$4]) || $2 <= last) bad++; last = $2 } END { exit bad != 0 || NR < 50000 }'
}

@test "text fits 100 columns and ends with what it covers" {
	for f in top list alloc calls faults; do
		# Why there is none is a line of its own.
		[ "$(awk 'length > 100 && !/^no data: /' "$OUT/$f.txt" | wc -l)" = 0 ]
	done
	tail -n 2 "$OUT/top.txt" | head -n 1 | grep -q -E '^scanned [0-9,]+ = [0-9,]+ live \+ [0-9,]+ freed \+ [0-9,]+ empty \+ 0 undecodable$'
	tail -n 1 "$OUT/top.txt" | grep -q -E "^System RAM [0-9,]+ pages, $(grep -q guest.offline "$TRUTH/cmdline" && echo '[0-9.]+% covered; 32,768' || echo '100.0% covered; 0') skipped, 0 unreadable$"
	has allocinfo && [ "$(profiling)" != off_at_boot ] || return 0
	tail -n 1 "$OUT/alloc.txt" | grep -q -E '^[0-9,]+ sites, 0 unreadable; summed over [0-9]+ possible CPUs$'
}

@test "depot -i: sound, as the kernel's own counters have it at the panic" {
	local -A health
	local counters

	while read -r name value; do
		health[$name]=$value
	done < <(ask ${MODES%% *} 'depot -i -a -j' | jq -r 'select(.record == "row") | "\(.name) \(.count)"')
	[ "${health[bad_chains]}" = 0 ]
	[ "${health[pools_max]}" -ge 8191 ]
	[ "${health[owned_pages]}" = "$(summary_of top .live)" ]
	# Every stack of the list is among them.
	[ "${health[records]}" -ge "$(jq -r 'select(.record == "stack") | .handle' "$OUT/list.json" | wc -l)" ]
	[ "${health[record_bytes]}" -le "${health[bytes]}" ]
	if [[ " $MODES " = *' whole '* ]]; then
		read -r failure dummy < <(ask whole 'p/x failure_handle' 'p/x dummy_handle' | awk '{ print $NF }' | xargs)
		[ "${health[blind_pages]}" = "$(jq -r 'select(.record == "row" and .allocated) | .handle' "$OUT/list.json" |
			grep -c -x -e "$failure" -e "$dummy")" ]
	fi
	if [[ " $MODES " = *' whole '* ]]; then
		[ "${health[early_pages]}" = "$(jq -r 'select(.record == "row" and .allocated) | .handle' "$OUT/list.json" |
			grep -c -x "$(ask whole 'p/x early_handle' | awk '{ print $NF }')")" ]
	fi
	has stackdepot_stats || return 0
	[ "${health[records]}" -ge "$(awk '/^persistent_count/ { print $2 }' "$TRUTH/stackdepot_stats")" ]
	[[ " $MODES " = *' whole '* ]] || return 0
	counters=$(ask whole 'p counters' | tr -d '{},' | awk 'NF >= 6 { print $(NF - 1), $NF }')
	[ "$counters" = "${health[records]} ${health[record_bytes]}" ]
}

@test "Ctrl-C at any moment leaves crash as it was" {
	echo "extend $OBJECTS/memowner.so" > "$OUT/extend"
	for command in 'allocprof -n 1' 'pageowner -n 1' "depot $(of top .handle | head -n 1)"; do
		# Between the end of a command and its prompt crash itself jumps on Ctrl-C, out of
		# whatever it does; at times it hangs then.
		for try in 1 2 3; do
			run "$BUILD/tools/pty" 60*20 "$command" $CRASH $(option_of ${MODES%% *}) -s --no_scroll \
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
	local page

	page=$(of list .pfn | head -n 1)
	run ask minimal "pageowner virt:abcd$(ask minimal 'pageowner -D' |
		sed -n 's/.* direct map 0x....\([0-9a-f]*\)-.*/\1/p')" 'pageowner virt:123456789abc'
	[[ "${lines[0]}" = *'is not canonical' ]]
	[[ "${lines[1]}" = *'is not mapped'* ]]
}

@test "faults: rss and swap are the pages that crash's own vm -p finds there" {
	local pid

	[[ " $MODES " = *' whole '* ]] || return 0
	for name in httpd postgres worker; do
		pid=$(of faults "select(.comm == \"$name\") | .pid")
		ask whole "vm -p $pid" | awk '$1 ~ /^[0-9a-f]+$/ && NF == 2 && $2 ~ /^[0-9a-f]+$/ { n++ }
			/SWAP/ { s++ } END { print n * page, s * page }' page=$PAGE > "$OUT/counted"
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
	ask whole "vm $pid" | awk '$1 ~ /^ff/ && $3 ~ /^[0-9a-f]+$/ { print $2, $3 }' > "$OUT/vmas"
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
	mapfile -t vtops < <(sed "s/^/vtop -c $pid /" "$OUT/addresses")
	mapfile -t ours < <(sed "s/^/pageowner -j user:$pid:/" "$OUT/addresses")
	ask whole "${vtops[@]}" | awk '/^VIRTUAL/ { getline; print ($2 ~ /^[0-9a-f]+$/ ? $2 : "-") }' | while read -r phys; do
		[ "$phys" = - ] && echo null || echo $((0x$phys / PAGE))
	done > "$OUT/theirs"
	ask whole "${ours[@]}" | jq -s -r '.[] | if .record == "row" then .pfn elif .record == "summary" and .rows_total == 0 then
		if .warnings[0] | test("is not mapped") then null else "?" end else empty end' > "$OUT/ours"
	diff "$OUT/theirs" "$OUT/ours"
	[ "$(grep -c '^[0-9]' "$OUT/ours")" -ge 5 ]
	[ "$(grep -c null "$OUT/ours")" -ge 5 ]
}

@test "README's session is what the commands print" {
	[ "$SAMPLE" = 6.12-oom ] || return 0
	diff "$TESTS/../README.md" <("$TESTS/../scripts/session" < "$TESTS/../README.md")
	[ "$(grep -c '^crash> ' "$TESTS/../README.md")" -ge 7 ]
}

@test "every example of the help texts runs as it stands" {
	local examples=()

	# They are written for this one.
	[ "$SAMPLE" = 6.12-oom ] || return 0

	for c in pageowner allocprof depot faults; do
		mapfile -t -O "${#examples[@]}" examples < <(ask minimal "help $c" |
			sed '1,/^EXAMPLES/d' | sed -n 's/^    \([a-z]\)/\1/p')
	done
	[ "${#examples[@]}" -ge 10 ]
	run ask ${MODES%% *} "${examples[@]}"
	refute grep -E '^(pageowner|allocprof|depot|faults|crash|warning|no data): ' <<< "$output"
	[ "${#lines[@]}" -gt 50000 ]
}

@test "what pages are equals /proc/kpageflags, and where compound pages start" {
	ask ${MODES%% *} "pageowner -t list -a -j -o pfn,type,head_pfn,allocated,ts_ns,free_handle,last_migrate_reason > $OUT/state.json"
	# Pages whose owner has not changed since it was told, if the kernel has the time;
	# those that were free when their flags were told have become something since.
	[ "$(of list .ts_ns | head -n 1)" != null ] || return 0
	jq -r --argjson t0 "$T0" 'select(.record == "row" and .allocated and .last_migrate_reason == null and
		.ts_ns < $t0) |
		"\(.pfn) \(.type) \(.head_pfn)"' "$OUT/state.json" > "$OUT/state.txt"
	run awk 'function bit(n) { return int(flags[$1] / 2 ^ n) % 2 }
		NR == FNR { flags[NR - 1] = $1; next }
		{ want = bit(7) ? "slab" : bit(10) ? "free" : bit(26) ? "pgtable" : bit(17) ? "hugetlb" : bit(23) ? "offline" : bit(12) ? "anon" : "-"
		  n[$2]++
		  if (want == "free") next
		  if (want != "-" ? $2 != want : $2 !~ /^(null|file|zsmalloc|large_kmalloc)$/) print "type:", $0, "not", want
		  if (bit(16) != ($3 != $1)) print "head:", $0 }
		END { print (n["slab"] > 500) (n["anon"] + n["file"] > 100) (n["pgtable"] > 20) }' \
		<(base64 -d "$TRUTH/kpageflags.base64" | od -An -v -w8 -t u8 | tr -d " ") "$OUT/state.txt"
	[ "$output" = 111 ]
}

# Lines of tests/probe: "class NAME PAGES" of all pages, "owned NAME PAGES", "counter NAME N".
probe() {	# MODE
	printf '%s\n' "extend $OBJECTS/probe.so" memowner_probe quit > "$OUT/probe.in"
	timeout 300 $CRASH $(option_of $1) -s -i "$OUT/probe.in" "$DIR/vmlinux" "$DIR/vmcore" < /dev/null |
		grep -E '^(class|owned|life|ram|unreadable|problem|counter) '
}

@test "every page of System RAM has one class, as many as the kernel's own counters have at the panic" {
	local -A n=()
	local what name pages large tags embedded

	probe ${MODES%% *} > "$OUT/probe"
	for mode in ${MODES#* }; do
		cmp "$OUT/probe" <(probe $mode)
	done
	while read -r what name pages; do
		n[$what $name]=$pages
	done < "$OUT/probe"
	[ "${n[class -]} ${n[owned -]} ${n[unreadable -]}" = '0 0 0' ]
	refute grep '^problem' "$OUT/probe"
	[ "$(awk '$1 == "class" { n += $3 } END { print n }' "$OUT/probe")" = "$(summary_of list .ram_pages)" ]
	[ "$(awk '$1 == "owned" { n += $3 } END { print n }' "$OUT/probe")" = "$(summary_of list .live)" ]
	# No page of these that page_owner does not call live, and none of its live pages is free.
	for name in slab vmalloc pgtable anon file shmem percpu kstack zsmalloc; do
		[ "${n[class $name]}" = "${n[owned $name]}" ]
	done
	for name in buddy pcp reserved removed free; do
		[ "${n[owned $name]}" = 0 ]
	done
	[ "${n[class direct]}" = "$((n[owned direct] + n[owned early]))" ]

	[ "${n[class buddy]}" = "${n[counter nr_free_pages]}" ]
	[ "${n[class zsmalloc]}" = "${n[counter nr_zspages]}" ]
	[ "${n[class zsmalloc]}" -gt 10 ]
	[ "${n[class shmem]}" = "${n[counter nr_shmem]}" ]
	[ "${n[class shmem]}" -gt 10 ]
	[ "${n[class pgtable]}" = "${n[counter nr_page_table_pages]}" ]
	[ "${n[class pgtable]}" -gt 10 ]
	# What is in the swap cache and not mapped is no anonymous page by the kernel's counter.
	[ "$((n[class anon] + n[class file] + n[class shmem]))" -le "$((n[counter nr_anon_pages] + n[counter nr_file_pages]))" ]
	[ "${n[class anon]}" -ge "${n[counter nr_anon_pages]}" ]
	[ "${n[class anon]}" -gt 1000 ]
	[ "$((n[class anon] - n[counter nr_anon_pages]))" -le "$((n[counter nr_file_pages] - n[class file] - n[class shmem]))" ]
	# Memory for the tags of modules is an area that is not filled by vmalloc().
	tags=$(awk '/ alloc_tag_init\+/ { sub(/.*pages=/, ""); n += $1 } END { print n + 0 }' "$TRUTH/vmallocinfo")
	has allocinfo && [ "$tags" -le 8 ] || [ "$tags" = 0 ]
	# Stacks that are no smaller than a page of this size are not mapped page by page.
	[ "$((n[class vmalloc] + (PAGE < 16384 ? n[class kstack] : 0)))" = "$((n[counter nr_vmalloc] + tags))" ]
	# The first chunk is early memory.
	embedded=$(sed -n 's/.*percpu: Embedded \([0-9]*\) pages.*/\1/p' "$TRUTH/dmesg")
	[ "${n[class percpu]}" = "$(((n[counter pcpu_nr_populated] - embedded) * n[counter pcpu_nr_units]))" ]
	[ "${n[class percpu]}" -ge 100 ]
	# Large kmalloc is slab to the kernel; it says so of the page itself since 6.15 alone. Of
	# some early pages, which have no stack, nothing tells it.
	large=$(jq -r 'select(.record == "stack" and any(.stack[]; .symbol // "" | test("^(_*kmalloc_large_node|kmalloc_large|kmalloc_order)(_noprof)?$"))) | .handle' \
		"$OUT/list.json" | awk 'NR == FNR { large[$1]; next } $1 in large { n++ } END { print n + 0 }' - \
		<(of list 'select(.allocated and .class == "direct") | .handle'))
	pages=$((n[counter nr_slab_reclaimable] + n[counter nr_slab_unreclaimable] - n[class slab] - large))
	[ "$pages" -ge 0 ]
	[ "$pages" -le "$([ "$large" = 0 ] && echo 0 || echo 32)" ]
	[ "${n[class slab]}" -gt 1000 ]
}

@test "stacks of threads: one for each task, each idle CPU, and those that CPUs keep" {
	local kstack told cpus threads bytes

	kstack=$(of list 'select(.allocated and .class == "kstack") | .pfn' | wc -l)
	told=$(probe ${MODES%% *} | awk '$2 == "nr_kernel_stack" { print $3 }')
	cpus=$(jq -r 'select(.record == "meta") | .cpus' "$OUT/list.json")
	threads=$(of faults .pid | wc -l)
	# The first CPU's idle task has its stack in the image.
	bytes=$((told * 1024 / (threads + cpus - 1)))
	[ "$bytes" = 16384 ]
	[ "$((told * 1024 % bytes))" = 0 ]
	[ "$((kstack * PAGE % bytes))" = 0 ]
	[ "$((kstack * PAGE - told * 1024))" -ge 0 ]
	[ "$((kstack * PAGE - told * 1024))" -le $((2 * cpus * bytes)) ]
}

@test "owners that live are the processes on the list, and those of no process" {
	local live dead

	read -r live dead < <(probe ${MODES%% *} | awk '$1 == "life" { n[$2] = $3 } END { print n["live"], n["dead"] }')
	# Kernels that do not record it have 0 in its place. No pid was used twice in the guest.
	[ "$live $dead" = "$(awk 'NR == FNR { alive[$1]; next } $1 in alive || $1 == 0 { live++; next } { dead++ }
		END { print live + 0, dead + 0 }' <(of faults .tgid) <(of list 'select(.allocated) | .tgid // 0'))" ]
	[ "$live" -gt $((5000 * 4096 / PAGE)) ]
	[[ "$dead" -gt $((5000 * 4096 / PAGE)) || "$(of list .tgid | head -n 1)" = null ]]
}

@test "classes of the fixture's pages, and of pages whose flags the kernel told" {
	of list 'select(.allocated) | "\(.pfn) \(.class)"' | awk '{ printf "0x%x %s\n", $1, $2 }' | sort > "$OUT/classes"
	class_of() { join <(ledger "$1" | sort -u) "$OUT/classes" | awk '{ print $2 }' | sort | uniq -c | xargs; }
	[ "$(class_of leaky_vmalloc)" = "$(ledger leaky_vmalloc | wc -l) vmalloc" ]
	[ "$(class_of leaky_rx_refill)" = "$(ledger leaky_rx_refill | wc -l) direct" ]
	[ "$(class_of leaky_order3_plain)" = "$(ledger leaky_order3_plain | wc -l) direct" ]
	[[ "$(class_of leaky_kmalloc_large)" =~ ^[0-9]+' '(slab|direct)$ ]]
	[ "$(of list .ts_ns | head -n 1)" != null ] || return 0
	jq -r --argjson t0 "$T0" 'select(.record == "row" and .allocated and .last_migrate_reason == null and .ts_ns < $t0) |
		"\(.pfn) \(.class)"' "$OUT/list.json" > "$OUT/classes"
	run awk 'function bit(n) { return int(flags[$1] / 2 ^ n) % 2 }
		NR == FNR { flags[NR - 1] = $1; next }
		bit(10) { next }
		{ want = bit(7) ? "slab" : bit(26) ? "pgtable" : bit(12) ? "anon" : bit(5) && bit(14) ? "shmem" : "-"
		  n[$2]++
		  if (want != "-" ? $2 != want : $2 ~ /^(pgtable|anon|shmem|buddy|null)$/) print $0, "not", want }
		END { print (n["slab"] > 500) (n["anon"] + n["shmem"] > 100) (n["pgtable"] > 20) (n["early"] > 100) }' \
		<(base64 -d "$TRUTH/kpageflags.base64" | od -An -v -w8 -t u8 | tr -d " ") "$OUT/classes"
	[ "$output" = 1111 ]
}

@test "pages are charged to the cgroups of /proc/kpagecgroup" {
	[ "$(of list .ts_ns | head -n 1)" != null ] || return 0
	# It has inodes: each must be one path, and each path one inode.
	jq -r --argjson t0 "$T0" 'select(.record == "row" and .allocated and .last_migrate_reason == null and .ts_ns < $t0 and
		.pfn % pow(2; .order) == 0) | "\(.pfn) \(.memcg)"' "$OUT/list.json" > "$OUT/memcg.txt"
	run awk 'NR == FNR { inode[NR - 1] = $1; next } { print inode[$1], $2 }' \
		<(base64 -d "$TRUTH/kpagecgroup.base64" | od -An -v -w8 -t u8 | tr -d ' ') "$OUT/memcg.txt"
	sort -u <<< "$output" > "$OUT/pairs"
	[ "$(cut -d ' ' -f 1 "$OUT/pairs" | sort -u | wc -l)" = "$(wc -l < "$OUT/pairs")" ]
	[ "$(cut -d ' ' -f 2 "$OUT/pairs" | sort -u | xargs)" = '/ /db /web null' ]
	grep -qx '0 null' "$OUT/pairs"
}

@test "synthetic kernels of this generation are laid out like it" {
	local asked=('pageowner -D' 'depot -D' 'allocprof -D' 'faults -D') series

	# They are made for a crash of x86_64.
	jq -e 'select(.record == "meta" and .arch == "x86_64")' "$OUT/list.json" > /dev/null || return 0

	series=$(sed -n 's/^source=linux-source-\([0-9.]*\).*/\1/p' "$DIR/meta")
	ask minimal "${asked[@]}" > "$OUT/real.notes"
	for kernel in $(awk -v s="$series" '$1 == s { $1 = ""; print }' "$TESTS/truth/synthetic"); do
		synthetic "$kernel" "${asked[@]}" > "$OUT/synthetic.notes"
		[ "$(grep -c ^member "$OUT/synthetic.notes")" -gt 10 ]
		run "$TESTS/truth/layout" "$OUT/real.notes" "$OUT/synthetic.notes" "$DIR/vmlinux"
		[ -z "$output" ] || { echo "$kernel: $output"; false; }
	done
}

# Frames of -l as "addr function@file:line... file:line", once each.
places() {	# JSON MODULE
	jq -r --argjson of "$2" 'select(.record == "row") | .stack[] | select(.module == $of and .file != null) |
		"\(.addr) \([(.inlined[] | "\(.symbol)@\(.file):\(.line)"), "\(.file):\(.line)"] | join(" "))"' "$1" | sort -u
}

# The same by another reader of DWARF: the call before each address, which lies SLIDE
# above the file's.
told_places() {	# FILE SLIDE CUT < ADDRESSES
	local addr

	while read -r addr; do
		printf '0x%x\n' $((addr - 1 - $2))
	done | llvm-symbolizer --obj="$1" --inlines --functions=linkage --output-style=GNU --addresses |
		awk -v cut="$3" -f "$TESTS/truth/places.awk"
}

# By how much the dump has a symbol above where the file has it.
slide_of() {	# SYMBOL FILE
	echo $((0x$(awk -v s="$1" '$3 == s { print $1; exit }' "$TRUTH/kallsyms") -
		0x$(readelf -sW "$2" | awk -v s="$1" '$8 == s { print $2; exit }')))
}

same_places() {	# JSON MODULE FILE SLIDE CUT LEAST
	places "$1" "$2" > "$OUT/places"
	[ "$(wc -l < "$OUT/places")" -ge "$6" ]
	diff <(cut -d ' ' -f 2- "$OUT/places") <(cut -d ' ' -f 1 "$OUT/places" | told_places "$3" "$4" "$5")
}

# Makes it a file of another build and prints the build-id that it had.
rebuild() {	# FILE SECTION
	local id at bytes hex

	id=$(readelf -n "$1" 2>/dev/null | awk '/Build ID/ { print $3 }')
	read -r at bytes < <(readelf -SW "$1" | sed 's/^.*\] //' | awk -v s="$2" '$1 == s { print $4, $5 }')
	hex=$(tail -c +$((0x$at + 1)) "$1" | head -c $((0x$bytes)) | od -An -v -tx1 | tr -d ' \n')
	[[ "$hex" = *$id* ]] || return 1
	hex=${hex%%$id*}
	printf 'XXXX' | dd of="$1" bs=1 seek=$((0x$at + ${#hex} / 2)) conv=notrunc status=none
	echo "$id"
}

@test "-l: frames of vmlinux are where another reader of its DWARF says, functions in line too" {
	[ "$(uname -m)" = "$(jq -r 'select(.record == "meta") | .arch' "$OUT/list.json")" ] || return 0
	ask ${MODES%% *} "pageowner -t top -l -j > $OUT/lines.json"
	same_places "$OUT/lines.json" null "$DIR/vmlinux" "$(slide_of _stext "$DIR/vmlinux")" '^/usr/src/(linux|build)/' 200
	# Functions in line are there, and every frame of vmlinux has a file.
	[ "$(cut -d ' ' -f 3- "$OUT/places" | grep -c .)" -ge 50 ]
	[ "$(of lines '.stack[] | select(.module == null and .file == null and (.symbol | . != null)) | .addr')" = '' ]
	# But for its source, the answer is what it is without -l.
	diff <(of lines 'del(.stack[].file, .stack[].line, .stack[].inlined)') \
		<(of top 'del(.stack[].file, .stack[].line, .stack[].inlined)')
	[ "$(of top '.stack[] | select(.file != null or .line != null or .inlined != null)')" = '' ]
}

@test "-l: a folder with files by build-id, as packages of debug information have them" {
	local id file

	id=$(readelf -n "$DIR/vmlinux" 2>/dev/null | awk '/Build ID/ { print $3 }')
	file=$OUT/store/.build-id/${id:0:2}/${id:2}.debug
	mkdir -p "${file%/*}"
	ln -sf "$DIR/vmlinux" "$file"
	ask ${MODES%% *} "pageowner -t top -l $OUT/store -D" > "$OUT/store.text"
	grep -q -x -F "debug file $file: used" "$OUT/store.text"
}

@test "-l: frames of the module are in its source, where another reader says" {
	local id folder

	loaded || return 0
	ask ${MODES%% *} "pageowner -t top -l -j > $OUT/lines.json"
	if [ ! -f "$DIR/leaky.ko" ]; then
		[ "$(summary_of lines '.warnings[]')" = 'no lines of module leaky: found no leaky.ko and no leaky.ko.debug' ]
		return
	fi
	summary_of lines '.warnings | length' | grep -qx 0
	folder=$(readelf --debug-dump=info --dwarf-depth=1 "$DIR/leaky.ko" 2>/dev/null |
		awk '/DW_AT_comp_dir/ { print $NF; exit }')
	same_places "$OUT/lines.json" '"leaky"' "$DIR/leaky.ko" "$(slide_of leaky_rx_refill "$DIR/leaky.ko")" \
		"^(/usr/src/linux|$folder)/" 5
	[ "$(awk '$NF !~ /(^|\/)leaky\.c:[0-9]+$/' "$OUT/places")" = '' ]
	# Not if it is another one.
	mkdir -p "$OUT/other"
	cp "$DIR/leaky.ko" "$OUT/other/leaky.ko"
	id=$(rebuild "$OUT/other/leaky.ko" .note.gnu.build-id)
	ask ${MODES%% *} "pageowner -t top -l $OUT/other -j > $OUT/lines.json"
	[ "$(of lines '.stack[] | select(.module == "leaky" and .file != null)')" = '' ]
	[ "$(of lines '.stack[] | select(.module == null and .file != null) | .addr' | sort -u | wc -l)" -ge 200 ]
	summary_of lines '.warnings[]' | grep -q "^no lines of module leaky: $OUT/other/leaky.ko: its build-id is 58585858.*, in the dump it is ${id:0:14}"
	[ "$(summary_of lines '.warnings | length')" = 1 ]
}

@test "-l: a vmlinux of another build is refused by its name, the stacks are there" {
	local id

	mkdir -p "$OUT/another/deep"
	cp "$DIR/vmlinux" "$OUT/another/deep/vmlinux"
	id=$(rebuild "$OUT/another/deep/vmlinux" .notes)
	ask ${MODES%% *} "pageowner -t top -l $OUT/another -j > $OUT/lines.json" "pageowner -t top -n 2 -l $OUT/another > $OUT/lines.txt"
	rm "$OUT/another/deep/vmlinux"
	diff <(of lines '.stack[] | select(.module == null)') <(of top '.stack[] | select(.module == null)')
	[ "$(summary_of lines '.warnings[]' | grep -c vmlinux)" = 1 ]
	summary_of lines '.warnings[]' |
		grep -q "^no lines of vmlinux: $OUT/another/deep/vmlinux: its build-id is 58585858.*, in the dump it is ${id:0:14}"
	[ "$(grep -c '^warning: no lines of vmlinux: ' "$OUT/lines.txt")" = 1 ]
}

@test "-l: debug files that are cut off or damaged cost lines, nothing else" {
	local size=$(stat -c %s "$DIR/vmlinux") n commands=()

	for n in 0 63 100 4096 $((size / 2)) $((size * 9 / 10)) $((size - 4096)); do
		mkdir -p "$OUT/cut/$n"
		head -c $n "$DIR/vmlinux" > "$OUT/cut/$n/vmlinux"
	done
	# Each has a stretch of its debug information replaced by bytes that are not.
	for n in .debug_info .debug_abbrev .debug_line .debug_rnglists .debug_str; do
		mkdir -p "$OUT/cut/$n"
		cp "$DIR/vmlinux" "$OUT/cut/$n/"
		readelf -SW "$DIR/vmlinux" | sed 's/^.*\] //' | awk -v s=$n '$1 == s { print $4, $5 }' > "$OUT/section"
		[ -s "$OUT/section" ]
		while read -r at bytes; do
			head -c $((0x$bytes / 2)) "$DIR/vmcore" | tail -c 200000 |
				dd of="$OUT/cut/$n/vmlinux" oflag=seek_bytes seek=$((0x$at + 0x$bytes / 3)) bs=64k conv=notrunc status=none
		done < "$OUT/section"
	done
	for n in "$OUT"/cut/*; do
		commands+=("pageowner -t top -n 100 -l $n -j > $n/lines.json")
	done
	for n in "$OUT"/cut/.d*; do
		commands+=("pageowner -t top -n 100 -l $n -j > $n/lines.json")
	done
	ask ${MODES%% *} "${commands[@]}" "pageowner -t top -n 100 -j > $OUT/cut/plain.json"
	for n in 0 63 100 4096 $((size / 2)) .debug_info .debug_line; do
		diff <(jq 'select(.record == "row") | del(.stack[].file, .stack[].line, .stack[].inlined)' "$OUT/cut/$n/lines.json") \
			<(jq 'select(.record == "row") | del(.stack[].file, .stack[].line, .stack[].inlined)' "$OUT/cut/plain.json")
	done
	for n in 0 63 100 4096; do
		jq -r 'select(.record == "summary") | .warnings[]' "$OUT/cut/$n/lines.json" | grep -q "^no lines of vmlinux: $OUT/cut/$n/vmlinux: "
	done
	rm -rf "$OUT/cut"
}

@test "-l in text: file and line behind each frame, functions in line before it, 100 columns" {
	local handle

	handle=$(of top .handle | head -n 1)
	run ask ${MODES%% *} 'pageowner -t top -n 5 -l' "depot -l $handle" "depot -l $DIR $handle"
	[ "$(grep -c -E '^    [a-zA-Z_0-9.]+\+0x[0-9a-f]+  [^ ]+\.[chS]:[0-9]+$' <<< "$output")" -ge 40 ]
	[ "$(grep -c -E '^    [a-zA-Z_0-9.]+  [^ ]+\.[ch]:[0-9]+ \(inlined\)$' <<< "$output")" -ge 5 ]
	[ "$(awk 'length > 100 && !/^warning/' <<< "$output")" = '' ]
	# From everywhere the same.
	ask ${MODES%% *} "depot -l -j $handle > $OUT/depot.json" "pageowner -t top -l -j > $OUT/lines.json" \
		"pageowner -t list -l -n 1 -j -o +stack > $OUT/one.json"
	[ "$(of depot '.stack | tojson')" = "$(of lines '.stack | tojson' | head -n 1)" ]
	[[ "$(jq -r 'select(.record == "stack") | .stack[0].file' "$OUT/one.json")" = mm/*.c ]]
}
