#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pageowner -z on a real dump, $SAMPLE: against -m, the report in the kernel's log and /proc/zoneinfo.

load helper
load dump

setup_file() {
	of_sample
	export CONSOLE=$OUT/console
	tr -d '\r' < "$TRUTH/console" | sed 's/^\[ *[0-9.]*\] //' > "$CONSOLE"
}

records() {	# RECORD FILTER
	jq -r "select(.record == \"$1\") | $2" "$SAID/zones.json"
}

# Of the last report: "ZONE KEY VALUE" in KiB.
reported() {
	awk '/^Mem-Info:/ { n = 0 } /^(Node [0-9]+ )?[A-Za-z0-9]+ free:[0-9]+kB/ { line[++n] = $0 }
		END { for (i = 1; i <= n; i++) { sub(/^Node [0-9]+ /, "", line[i]); k = split(line[i], f, " ")
			for (j = 2; j <= k; j++) if (split(f[j], kv, ":") == 2 && kv[2] ~ /^[0-9]+[kK]B$/)
				print f[1], kv[1], kv[2] + 0 } }' "$CONSOLE"
}

@test "free blocks: as many as the kernel counted, in all as many as pages of the class buddy" {
	# Of each order the lists have what nr_free says.
	[ -z "$(records blocks '"\(.node) \(.zone) \(.order) \(.migratetype // "-") \(.blocks)"' |
		awk '{ k = $1 " " $2 " " $3 } $4 == "-" { all[k] = $5; next } { sum[k] += $5 }
			END { for (k in all) if (all[k] != sum[k]) print k, all[k], sum[k] }')" ]
	[ "$(records row 'select(.listed_pages != .counted_pages)')" = '' ]
	[ "$(records row .listed_pages | awk '{ n += $1 } END { print n }')" = \
		"$(jq -r 'select(.record == "row" and .class == "buddy") | .pages' "$SAID/memory")" ]
	[ "$(records blocks 'select(.migratetype == null) | .pages' | awk '{ n += $1 } END { print n }')" = \
		"$(jq -r 'select(.record == "row" and .class == "buddy") | .counted_pages' "$SAID/memory")" ]
}

@test "lists of CPUs: their blocks are the pages that their counters have" {
	[ "$(records row '"\(.zone) \(.pcp_pages)"')" = "$(records pcp '"\(.zone) \(.pages)"' | awk '!($1 in n) { order[++k] = $1 } { n[$1] += $2 } END { for (i = 1; i <= k; i++) print order[i], n[order[i]] }')" ]
	[ "$(records pcp '"\(.migratetype) \(.order)"' | sort | uniq -d)" = '' ]
}

@test "what the log says of each zone milliseconds before is what the dump has" {
	local kib=$(($(meta_of zones .page_size) / 1024)) zone

	[ "$(records report .outcome)" = panicked ]
	[ "$(records logged .zone | wc -l)" -ge 1 ]
	for zone in $(records logged .zone); do
		# No task but the one that panics could run in between: even the figures that it used are the same.
		# A debug kernel takes pages to print.
		[ "$SAMPLE" != 6.12-debug ] || continue
		[ "$(records row "select(.zone == \"$zone\") | \"\(.managed_pages) \(.free_pages) \(.pcp_pages) \(.min_pages) \(.low_pages) \(.high_pages) \(.free_cma_pages)\"")" = \
			"$(records logged "select(.zone == \"$zone\") | \"\(.managed_pages) \(.free_pages) \(.pcp_pages) \(.min_pages) \(.low_pages) \(.high_pages) \(.free_cma_pages)\"")" ]
		diff <(reported | awk -v z="$zone" -v k=$kib '$1 == z && $2 ~ /^(free|min|low|high|managed|free_pcp|free_cma)$/ { print $2, $3 / k }' | sort) \
			<(records logged "select(.zone == \"$zone\") | \"free \(.free_pages)\", \"min \(.min_pages)\", \"low \(.low_pages)\", \"high \(.high_pages)\",
				\"managed \(.managed_pages)\", \"free_pcp \(.pcp_pages)\", \"free_cma \(.free_cma_pages)\"" | sort)
		# "2*4kB (UM) 0*8kB ...": blocks by order.
		diff <(grep -E "^(Node [0-9]+ )?$zone: .* = [0-9]+kB\$" "$CONSOLE" | tail -n 1 | grep -o '[0-9]*\*' | tr -d '*') \
			<(records blocks "select(.zone == \"$zone\" and .migratetype == null) | .blocks")
	done
}

@test "the request is that of the report, and no zone serves it: the kernel had none" {
	local head

	# Up to 4.20 a mask of nodes stands between the two.
	head=$(grep ' invoked oom-killer: ' "$CONSOLE" | tail -n 1 | sed 's/, nodemask=[^ ]*, order=/, order=/')
	[ "$head" = "$(records report '"\(.comm) invoked oom-killer: gfp_mask=\(.gfp_mask)(\(.gfp)), order=\(.order)"')${head##*order=[0-9]}" ]
	[ "$(records logged .result | sort -u)" = below_watermark ]
	[ "$(records logged 'select(.usable_pages > .limit_pages)')" = '' ]
	[ "$(records row .result | grep -v -x -e not_allowed -e no_pages | sort -u)" = below_watermark ]
}

@test "LRU lists of each zone: the counters are the pages that struct page has on one" {
	ask $MODE "memowner zones -j > $OUT/lru.zones" "memowner pages -t list -f page_flags=lru -o node,zone,pages,page_flags -j > $OUT/lru.pages"
	# Which generation is active is in no flag of a page (MGLRU).
	diff <(jq -r 'select(.record == "row") | "\(.node)/\(.zone)" as $z | ($z + " anon \(.inactive_anon_pages + .active_anon_pages)"),
			($z + " file \(.inactive_file_pages + .active_file_pages)"), ($z + " locked \(.unevictable_pages)")' "$OUT/lru.zones" | grep -v ' 0$' | sort) \
		<(jq -r 'select(.record == "row") | "\(.node)/\(.zone) \(.pages) \(.page_flags)"' "$OUT/lru.pages" |
			awk '{ f = "|" $3 "|"; n[$1 " " (f ~ /[|]unevictable[|]/ ? "locked" : f ~ /[|]swapbacked[|]/ ? "anon" : "file")] += $2 }
				END { for (i in n) print i, n[i] }' | sort)
	jq -s -e 'any(.[]; .record == "row" and .inactive_anon_pages > 0)' "$OUT/lru.zones" > /dev/null
}

@test "sizes and watermarks without the boost are those of /proc/zoneinfo" {
	# Zones without pages are not shown.
	diff <(awk '/^Node/ { node = $2 + 0; zone = $4 } $1 ~ /^(boost|min|low|high|spanned|present|managed)$/ { v[$1] = $2 }
			$1 == "managed" && v["spanned"] { print node, zone, v["spanned"], v["present"], v["managed"],
				v["min"] - v["boost"], v["low"] - v["boost"], v["high"] - v["boost"] }' "$TRUTH/zoneinfo") \
		<(records row '"\(.node) \(.zone) \(.spanned_pages) \(.present_pages) \(.managed_pages) \(.min_pages - (.boost_pages // 0)) \(.low_pages - (.boost_pages // 0)) \(.high_pages - (.boost_pages // 0))"')
}

@test "reclaim: kswapd stopped where the report calls a node unreclaimable, swap as in the report" {
	local kib=$(($(meta_of zones .page_size) / 1024))

	[ "$(grep -c 'all_unreclaimable? yes' "$CONSOLE")" = 0 ] || [ "$(records node .kswapd_failures)" -ge 16 ]
	[ "$(records node '.swap_pages' | head -n 1)" = $(($(sed -n 's/^Total swap = \([0-9]*\)kB$/\1/p' "$CONSOLE" | tail -n 1) / kib)) ]
	[ "$(records node '.swap_free_pages' | head -n 1)" = $(($(sed -n 's/^Free swap  = \([0-9]*\)kB$/\1/p' "$CONSOLE" | tail -n 1) / kib)) ]
}

@test "the text: one screen, each figure shown, and an order that is asked for" {
	local free sign least

	ask $MODE "pageowner -z > $OUT/text" "pageowner -z 10 > $OUT/ten" "pageowner -z 0 GFP_ATOMIC > $OUT/atomic" \
		"pageowner -z 16 > $OUT/order" "pageowner -z 1 GFP_NONE > $OUT/gfp" "pageowner -z 1 2 3 > $OUT/more" \
		"pageowner -z 4 GFP_ATOMIC, > $OUT/comma" "pageowner -z 4 \"\" > $OUT/empty" "pageowner -z 4 0 > $OUT/zero" \
		"pageowner -z 11 > $OUT/eleven" "pageowner -z \"\" > $OUT/none" "pageowner -z \" 4\" > $OUT/blank"
	[ "$(wc -l < "$OUT/text")" -le 31 ]
	# Sentences are one line each.
	[ "$(awk 'length > 95 && !/: (free blocks have|blocks on lists of CPUs:) / && !/^MemAvailable /' "$OUT/text")" = '' ]
	grep -q -x "    free $(records row .free_pages | head -n 1) <= min $(records row .min_pages | head -n 1)\( (.*)\)\?" "$OUT/text"
	# The counter differs from the free blocks: a line says so, with both.
	diff <(records row 'select(.listed_pages != null and .free_pages != null and .listed_pages != .free_pages) | "\(.zone) \(.listed_pages) \(.free_pages)"') \
		<(tr -d , < "$OUT/text" | sed -n 's/^node [0-9]* \([^ ]*\): free blocks have \([0-9]*\) pages; FREE \([0-9]*\) is the .*/\1 \2 \3/p')
	grep -q '^log: hungry (pid [0-9]*) invoked the OOM killer, [0-9]*[mn]s before the panic$' "$OUT/text"
	grep -q -x '  node 0 DMA32: refused, too few free pages:' "$OUT/ten"
	grep -q -x 'whether a zone serves order 10, gfp 0x\(6000c0\|cc0\) (GFP_KERNEL)' "$OUT/ten"
	refute grep -q 'at the report, by the figures of the log' "$OUT/ten"
	grep -q -x 'whether a zone serves order 0, gfp 0x[0-9a-f]* (GFP_ATOMIC)' "$OUT/atomic"
	# The comparison is with what the request must leave, and true.
	read -r free sign least < <(sed -n 's/^    free \([0-9]*\) \([<>]=*\) \([0-9]*\); of min [0-9]*\( (.*)\)\? this request must leave \3$/\1 \2 \3/p' "$OUT/atomic")
	[ "$sign" = "$([ "$free" -gt "$least" ] && echo '>' || echo '<=')" ]
	[ "$(cat "$OUT/order")" = "pageowner: an order is a number from 0 to 10, not '16'" ]
	[ "$(cat "$OUT/gfp")" = "pageowner: unknown gfp flag 'GFP_NONE': behind the order stand gfp flags, such as 4 GFP_ATOMIC,__GFP_COMP, or a number, 0x..." ]
	[ "$(cat "$OUT/zero")" = "$(sed s/GFP_NONE/0/ "$OUT/gfp")" ]
	[ "$(cat "$OUT/comma")" = "$(sed s/GFP_NONE// "$OUT/gfp")" ]
	[ "$(cat "$OUT/empty")" = "$(cat "$OUT/comma")" ]
	[ "$(cat "$OUT/eleven")" = 'pageowner: an order is a number from 0 to 10, not '"'11'" ]
	[ "$(cat "$OUT/none")" = "pageowner: an order is a number from 0 to 10, not ''" ]
	[ "$(cat "$OUT/blank")" = "pageowner: an order is a number from 0 to 10, not ' 4'" ]
	[ "$(cat "$OUT/more")" = "pageowner: unexpected argument '3'" ]
}

@test "classes by node and zone: their sums are those of -m, all classes of a zone are its pages" {
	ask $MODE "pageowner -m -g zone,node -j > $OUT/groups" "pageowner -m -g node -j > $OUT/nodes"
	diff <(jq -r 'select(.record == "row") | "\(.class) \(.pages)"' "$SAID/memory" | sort) \
		<(jq -r 'select(.record == "row") | "\(.class) \(.pages)"' "$OUT/groups" | awk '{ n[$1] += $2 } END { for (c in n) print c, n[c] }' | sort)
	diff <(jq -r 'select(.record == "row") | "\(.node) \(.class) \(.pages)"' "$OUT/groups" | awk '{ n[$1 " " $2] += $3 } END { for (c in n) print c, n[c] }' | sort) \
		<(jq -r 'select(.record == "row") | "\(.node) \(.class) \(.pages)"' "$OUT/nodes" | sort)
	# Free pages of each zone are those on its lists.
	diff <(records row '"\(.zone) \(.listed_pages)"') <(jq -r 'select(.record == "row" and .class == "buddy") | "\(.zone) \(.pages)"' "$OUT/groups")
}

@test "what does not move: RAM and swap are those of /proc/meminfo, mlocked pages those of the last report, else of meminfo" {
	local mlocked counted

	has meminfo || return 0
	# Processes lock memory after that file was read. A report names each zone that has pages.
	mlocked=$(reported | awk '$2 == "mlocked" { n += $3; told = 1 } END { if (told) print n }')
	# The report is without what each CPU has not added to the counter: one byte, so that it is 125 pages at most.
	counted=$(records node .mlocked_pages | awk -v kib=$(($(meta_of zones .page_size) / 1024)) '{ n += $1 } END { print n * kib }')
	[ -z "$mlocked" ] || [ $((counted - mlocked)) -lt 0 ] || [ $(((counted - mlocked) / 4)) -gt $((125 * $(meta_of zones .cpus))) ] || mlocked=$counted
	diff <(awk -v kib=$(($(meta_of zones .page_size) / 1024)) -v mlocked="$mlocked" '$1 == "Mlocked:" && mlocked != "" { $2 = mlocked }
			/^(MemTotal|SwapTotal|Mlocked):/ { print $1, $2 / kib }' "$TRUTH/meminfo" | sort) \
		<({
			records row '"MemTotal: \(.managed_pages)"'
			records node '"Mlocked: \(.mlocked_pages)", (select(.node == 0) | "SwapTotal: \(.swap_pages)")'
		} | awk '{ n[$1] += $2 } END { for (k in n) print k, n[k] }' | sort)
}
