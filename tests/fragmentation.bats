#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pageowner -b on a real dump, $SAMPLE: counted once more from the rows of single pages, by awk.

load helper
load dump

setup_file() {
	local caches

	of_sample
	export PER_BLOCK
	PER_BLOCK=$(sed -n '/^Pages per block: */{ s///p; q }' "$TRUTH/pagetypeinfo") # once for each node
	caches=$(of caches 'select(.reclaimable) | .cache' | sort -u | paste -sd ,)
	ask $MODE "pageowner -b 4 -j > $OUT/order4.json" "pageowner -b 4 -g class -j > $OUT/class.json" \
		"pageowner -b 4 -n 2 > $OUT/order4" "pageowner -b -f class=slab -j > $OUT/slab.json" "pageowner -b 4 -f order=99 > $OUT/order99" \
		"pageowner pfn:0-4194303 -o pfn,class,zone,block_migratetype,allocated,order,migratetype,head_pfn > $OUT/pages" \
		"pageowner -t list -a -f cache=$caches -o pfn > $OUT/reclaimable"
	# Pages of System RAM alone: the range has those in between as well.
	awk -v shift="$(awk -v p="$PAGE" 'BEGIN { while (p > 1) { p /= 2; n++ } print n }')" '
		function hex(s,  n, i) { n = 0; s = tolower(s); for (i = 1; i <= length(s); i++) n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return n }
		FNR == NR { if (/: System RAM/ && !/^ /) { split($1, a, "-"); from[++ranges] = int((hex(a[1]) + 2 ^ shift - 1) / 2 ^ shift); to[ranges] = int((hex(a[2]) + 1) / 2 ^ shift) } next }
		FNR == 1 { next }
		{ $1 = hex(substr($1, 3)); for (i = 1; i <= ranges; i++) if ($1 >= from[i] && $1 < to[i]) { $8 = hex(substr($8, 3)); print; next } }
		' "$TRUTH/iomem" "$OUT/pages" > "$OUT/ram"
	# With PREEMPT_RT compaction leaves out what is unevictable (vm.compact_unevictable_allowed).
	if grep -q PREEMPT_RT "$TRUTH/version"; then
		sed -n 's/^PFN \(0x[0-9a-f]*\) .*[(|]unevictable[|)].*/\1/p' "$SAID/raw.txt"
	fi > "$OUT/locked"
	# PFN CLASS ZONE BLOCK ALLOCATED ORDER MIGRATETYPE HEAD MOBILITY BLOCK'S
	awk -v locked="$OUT/locked" 'BEGIN { while ((getline pfn < locked) > 0) unevictable[pfn] }
		FNR == NR { if (FNR > 1) reclaimable[$1]; next }
		!last { if ($4 != "-") block[int($1 / '"$PER_BLOCK"')] = $4; next }
		{ m = $2 ~ /^(anon|file|shmem|zsmalloc)$/ ? "movable" : $2 == "buddy" ? "free" : $2 ~ /^(pcp|free|unaccepted)$/ ? "pcp" : $2 == "-" ? "unknown" : "unmovable"
		if (sprintf("0x%x", $1) in reclaimable) m = "reclaimable"
		if (m == "movable" && sprintf("0x%x", $1) in unevictable) m = "unmovable"
		print $0, m, (int($1 / '"$PER_BLOCK"') in block ? block[int($1 / '"$PER_BLOCK"')] : "-") }' "$OUT/reclaimable" "$OUT/ram" last=1 "$OUT/ram" > "$OUT/pfns"
	[ "$(wc -l < "$OUT/pfns")" = "$(summary_of order4 .ram_pages)" ]
}

of_record() {	# FILE RECORD FILTER
	jq -r "select(.record == \"$2\") | $3" "$OUT/$1.json"
}

@test "a filter that keeps no page: the lists are empty for that reason" {
	[ "$(grep -c 'none that the filters keep$' "$OUT/order99")" = 2 ]
	grep -q '^filters kept 0 of [1-9][0-9,]* pages (0B)$' "$OUT/order99"
}

@test "orders: aligned blocks that are free, or would be by moving, by reclaim, or never" {
	diff <(awk '{ for (o = 0; o <= 10; o++) { b = int($1 / 2 ^ o); k = o " " b
				n[k]++; zone[k] = $3; if ($9 != "free") has[k, $9]++; at[k] = o } }
			END { for (k in n) { o = at[k]; if (n[k] != 2 ^ o) continue
				s = (k, "unmovable") in has ? 4 : (k, "unknown") in has ? 5 : (k, "reclaimable") in has ? 3 : ((k, "movable") in has || (k, "pcp") in has) ? 2 : 1
				c[o, s]++ }
			for (o = 0; o <= 10; o++) { u = c[o, 5] + 0; print o, known(c[o, 1], u), known(c[o, 2], u), known(c[o, 3], u), known(c[o, 4], u), u } }
			function known(n, unknown) { return n ? n : unknown ? "null" : 0 }' "$OUT/pfns") \
		<(of order4 'select(.zone != null) | "\(.order) \(.whole_blocks) \(.movable_blocks) \(.reclaimable_blocks) \(.unmovable_blocks) \(.unknown_blocks)"')
	# By the kernel's own count, as -z has it.
	diff <(jq -r 'select(.record == "blocks" and .migratetype == null) | "\(.zone) \(.order) \(.blocks)"' "$SAID/zones.json") \
		<(of order4 'select(.zone != null) | "\(.zone) \(.order) \(.blocks)"')
	[ "$(of order4 'select(.order == 10) | .lower_pages')" = "$(jq -r 'select(.record == "blocks" and .migratetype == null and .order < 10) | .pages' "$SAID/zones.json" | awk '{ n += $1 } END { print n }')" ]
	[ "$(of order4 'select(.is_request) | .order')" = 4 ]
	[ "$(of fragmentation 'select(.is_request) | .order')" = "$(jq -r 'select(.record == "report") | .order' "$SAID/zones.json")" ]
}

@test "pageblocks by migrate type: pages, blocks that are lost, mixed as the kernel counts" {
	diff <(awk '{ t = $10; b = int($1 / '"$PER_BLOCK"'); n[t, $9]++; types[t]; o = int($1 / 16); seen[o]++; type4[o] = type4[o] ? type4[o] : t
			if ($9 == "unknown") { ub[t, b]; uo[o] }
			if ($9 ~ /^(unmovable|reclaimable)$/) { if (!((t, b) in lost)) { lost[t, b]; l[t]++ } if (!(o in bad)) bad[o] } }
			END { for (o in bad) if (seen[o] == 16) lo[type4[o]]++
				for (o in uo) if (seen[o] == 16 && !(o in bad)) luo[type4[o]]++
				for (k in ub) if (!(k in lost)) { split(k, of, SUBSEP); lu[of[1]]++ }
				for (t in types) { u = n[t, "unknown"] + 0
					print t, known(l[t], lu[t]), known(lo[t], luo[t]), known(n[t, "free"], u), known(n[t, "pcp"], u), known(n[t, "movable"], u), known(n[t, "reclaimable"], u), known(n[t, "unmovable"], u), u } }
			function known(n, unknown) { return n ? n : unknown ? "null" : 0 }' "$OUT/pfns" | sort) \
		<(of_record order4 type 'select(.zone != null) | "\(.block_migratetype // "-") \(.lost_blocks) \(.lost_order_blocks) \(.listed_pages) \(.pcp_pages) \(.movable_pages) \(.reclaimable_pages) \(.unmovable_pages) \(.unknown_pages)"' | sort)
	[ "$(of_record order4 type 'select(.zone != null) | .pageblocks' | awk '{ n += $1 } END { print n }')" = \
		"$(awk '/^Number of blocks type/ { getline; for (i = 5; i <= NF; i++) n += $i } END { print n }' "$TRUTH/pagetypeinfo")" ]
	# pagetypeinfo_showmixedcount_print(): it leaves out free and reserved pages, steps over allocations, and ends a block at the first that differs.
	[ -z "$LIKE" ] || return 0
	diff <(awk '{ b = int($1 / '"$PER_BLOCK"'); types[$10] } $1 < next_pfn || b in mixed || $2 ~ /^(buddy|reserved)$/ || $5 != "yes" { next }
			$7 != $10 { mixed[b]; n[$10]++; next } { next_pfn = $1 + 2 ^ $6 }
			END { for (t in types) print t, n[t] + 0 }' "$OUT/pfns" | sort) \
		<(of_record order4 type 'select(.zone != null) | "\(.block_migratetype) \(.mixed_blocks)"' | sort)
}

@test "who: classes of unmovable and reclaimable pages, in movable pageblocks and in blocks of 16 pages" {
	diff <(awk '$9 ~ /^(unmovable|reclaimable)$/ { n[$2]++; m[$2] += $10 ~ /^(Movable|CMA)$/; b = int($1 / '"$PER_BLOCK"'); o = int($1 / 16)
			if (!(($2, b) in in_block)) { in_block[$2, b]; blocks[$2]++ } r[$2] += $9 == "reclaimable"
			if (!(($2, o) in in_order)) { in_order[$2, o]; orders[$2]++; kinds[o]++; last[o] = $2 } }
			END { for (o in kinds) if (kinds[o] == 1) sole[last[o]]++
				for (c in n) print c, n[c], m[c] + 0, r[c] + 0, blocks[c], sole[c] + 0, orders[c] }' "$OUT/pfns" | sort) \
		<(of class '"\(.class) \(.pages) \(.mixed_pages) \(.reclaimable_pages) \(.affected_blocks) \(.sole_blocks) \(.lost_order_blocks)"' | sort)
	[ "$(of_record slab owner .class | sort -u)" = slab ]
	[ "$(of_record slab owner .pages | awk '{ n += $1 } END { print n }')" = "$(of class 'select(.class == "slab") | .pages')" ]
	[ "$(of class .lost_order_blocks)" = "$(of class .lost_order_blocks | sort -rn)" ]
}

@test "blocks of 16 pages that one allocation keeps: each is one, and none is missing" {
	diff <(awk '{ o = int($1 / 16); n[o]++; f[o] += $9 == "free"; if ($9 == "free") next
			first = $8 == $1 && $5 == "yes" ? $1 - $1 % 2 ^ $6 : $8; if ($9 == "unknown") skip[o]
			if (o in u && u[o] != first) several[o]; u[o] = first; used[o]++; if (!(o in up)) up[o] = $1
			if ($9 == "unknown") { ub[t, b]; uo[o] }
			if ($9 ~ /^(unmovable|reclaimable)$/) { if (o in x && x[o] != first) severalx[o]; x[o] = first; fixed[o]++; if (!(o in xp)) xp[o] = $1 } }
			END { for (o in used) { if (n[o] != 16 || o in skip) continue
				if (o in x && !(o in severalx) && fixed[o] < 16) print o * 16, f[o], 16 - f[o] - fixed[o], xp[o], fixed[o]
				else if (!(o in x) && !(o in several) && used[o] < 16) print o * 16, f[o], 16 - f[o] - used[o], up[o], used[o] } }' "$OUT/pfns" | sort) \
		<(of_record order4 near '"\(.block_pfn) \(.listed_pages) \(.movable_pages) \(.pfn) \(.pages)"' | sort)
	[ "$(of_record order4 near .pfn | wc -l)" -gt 0 ]
	# The least to move first.
	[ "$(of_record order4 near .movable_pages)" = "$(of_record order4 near .movable_pages | sort -n)" ]
	grep -q '^order 4: ' "$OUT/order4"
}
