#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Groups, filters and views of pageowner on a real dump, $SAMPLE: each against
# the list of all pages, which sample.bats holds against the kernel's own file.

load helper
load dump

KEYS='pid tgid comm order gfp migratetype block_migratetype node zone memcg class'

setup_file() {
	of_sample
	ask_in_one
	# Live pages: a line of its keys and its frames from the innermost on.
	ln -s "$LIST/live.tsv" "$OUT/live.tsv"
}

mode() { echo "${MODES##* }"; }

rows() {	# FILE FILTER
	jq -r "select(.record == \"row\") | $2" "$1"
}

# Pages and allocations by column N of live.tsv.
sums() {
	awk -F '\t' -v n="$1" '{ p[$n]++; a[$n] += $16 } END { for (k in p) print k "\t" p[k] "\t" a[k] }' "$OUT/live.tsv" | sort
}

recorded() {	# KEY: this kernel records it
	[ "$(listed "{ print @$1; exit }")" != null ] || [[ " $KEYS " = *" $1 "* && " pid tgid comm " != *" $1 "* ]]
}

@test "each key groups as the list has it, pages and allocations" {
	local n=1

	for key in $KEYS; do
		n=$((n + 1))
		recorded $key || continue
		diff <(sums $n) <(rows "$SAID/by.$key" "[.$key // \"null\", .pages, .allocs] | @tsv" | sort) || { echo "$key"; false; }
	done
}

@test "two keys at once, the shares of each and what they have in common" {
	ask $(mode) "pageowner -g zone,order -j -o +stacks,+gfp > $OUT/two"
	diff <(awk -F '\t' '{ k = $10 "\t" $5; p[k]++; if (!((k, $13) in seen)) { seen[k, $13]; s[k]++ }
			if (!(k in g)) g[k] = $6; else if (g[k] != $6) g[k] = "null" }
			END { for (k in p) print k "\t" p[k] "\t" s[k] "\t" g[k] }' "$OUT/live.tsv" | sort) \
		<(rows "$OUT/two" '[.zone, .order, .pages, .stacks, .gfp // "null"] | @tsv' | sort)
}

@test "modules and callers follow from the stacks" {
	diff <(awk -F '\t' '{ m = "vmlinux"; n = split($14, f, ";")
			for (i = n; i >= 1; i--) if (f[i] ~ /^0x[0-9a-f]*( \[gone\])?$/) m = "[gone]"; else if (match(f[i], / \[[^]]*\]$/)) m = substr(f[i], RSTART + 2, RLENGTH - 3)
			p[m]++ } END { for (m in p) print m "\t" p[m] }' "$OUT/live.tsv" | sort) \
		<(rows "$SAID/modules" '[.module, .pages] | @tsv' | sort)
	[ "$(rows "$SAID/callers" .pages | awk '{ n += $1 } END { print n }')" = "$(wc -l < "$OUT/live.tsv")" ]
	# No caller is an allocator, and each is a frame of a stack that it is the caller of.
	has_no_line -E -x '(__)?(alloc_pages|kmalloc|vmalloc|kmem_cache_alloc|get_free_pages|folio_alloc|post_alloc_hook|get_page_from_freelist|allocate_slab|alloc_slab_page).*' <(rows "$SAID/callers" .caller)
	rows "$SAID/callers" .caller | grep -v -x null > "$OUT/names"
	[ "$(wc -l < "$OUT/names")" -gt 40 ]
	cut -f 14 "$OUT/live.tsv" | tr ';' '\n' | sort -u > "$OUT/frames"
	[ -z "$(sort -u "$OUT/names" | comm -23 - "$OUT/frames")" ]
	grep -q '^leaky ' "$TRUTH/modules" || return 0
	# In the fixture's stacks it is the fixture.
	[ "$(rows "$SAID/callers" 'select(.caller == "leaky_order3_plain [leaky]") | .allocs')" = 60 ]
}

@test "filters keep what they say: text, globs, regular expressions, numbers, sizes, and not" {
	local n=0 pids

	pids=$(cut -f 2 "$OUT/live.tsv" | sort | uniq -c | sort -rn | awk 'NR <= 2 { print $2 }' | paste -sd ,)
	ask $(mode) "pageowner -g zone -j -f order=1.. > $OUT/f1" "pageowner -g zone -j -X order=0 > $OUT/f2" \
		"pageowner -g zone -j -f stack=get_page_from_freelist > $OUT/f3" \
		"pageowner -g zone -j -f stack=/alloc.*slab/ > $OUT/f4" "pageowner -g zone -j -X stack=*slab* > $OUT/f5" \
		"pageowner -g zone -j -f pfn=0x1000..0x7fff > $OUT/f6" "pageowner -j -f size=64K..1M > $OUT/f7" \
		"pageowner -g zone -j -f phys=1000800..1002001 > $OUT/f8" \
		"pageowner -g zone -j -f gfp=*__GFP_ZERO* -f order=0 > $OUT/f9"
	pages() { rows "$OUT/$1" .pages | awk '{ n += $1 } END { print n + 0 }'; }
	live() { awk -F '\t' "$1"' { n++ } END { print n + 0 }' "$OUT/live.tsv"; }
	[ "$(pages f1)" = "$(live '$5 >= 1')" ]
	[ "$(pages f2)" = "$(pages f1)" ]
	[ "$(pages f1)" -gt 500 ]
	[ "$(pages f3)" = "$(live '$14 ~ /(^|;)get_page_from_freelist(;|$)/')" ]
	[ "$(pages f3)" -gt 30000 ]
	[ "$(pages f4)" = "$(live '{ hit = 0; n2 = split($14, f, ";"); for (i = 1; i <= n2; i++) if (f[i] ~ /alloc.*slab/) hit = 1 } hit')" ]
	# SLAB has no function of that name.
	[ "$(pages f4)" -gt 100 ] || refute grep -q allocate_slab "$OUT/live.tsv"
	[ "$(pages f5)" = "$(live '{ hit = 0; n2 = split($14, f, ";"); for (i = 1; i <= n2; i++) if (f[i] ~ /slab/) hit = 1 } !hit')" ]
	[ "$(pages f6)" = "$(live '$1 >= 4096 && $1 <= 32767')" ]
	[ "$(pages f7)" = "$(cut -f 13 "$OUT/live.tsv" | sort | uniq -c | awk -v p=$PAGE '$1 * p >= 65536 && $1 * p <= 1048576 { n += $1 } END { print n + 0 }')" ]
	[ "$(pages f8)" = "$(live "int(\$1) >= int(16779264 / $PAGE) && int(\$1) <= int(16785409 / $PAGE)")" ]
	[ "$(pages f9)" = "$(live '$6 ~ /__GFP_ZERO/ && $5 == 0')" ]
	[ "$(pages f9)" -gt 1000 ]
	recorded pid || return 0
	ask $(mode) "pageowner -j -f pid=$pids > $OUT/f10"
	[ "$(pages f10)" = "$(live "\$2 == ${pids%,*} || \$2 == ${pids#*,}")" ]
	recorded comm || return 0
	ask $(mode) "pageowner -g zone -j -f comm=kworker* > $OUT/f11"
	[ "$(pages f11)" = "$(live '$4 ~ /^kworker/')" ]
	[ "$(pages f11)" -gt 20 ]
}

@test "ages are those at the panic; free pages are asked for by name" {
	local panic

	recorded ts_ns || return 0
	panic=$(head -n 1 "$SAID/list.json" | jq .panic_time_ns)
	ask $(mode) "pageowner -g zone -j -f age=..2s > $OUT/young" "pageowner -g age -j > $OUT/ages" \
		"pageowner -j -o +ages -n 1 > $OUT/steps" "pageowner -g state -f state=live,free -j > $OUT/state" \
		"pageowner -f state=free -g zone -j > $OUT/free" "pageowner -g age -s age -j > $OUT/by_age" "pageowner -g age -s AGE -r -j > $OUT/by_age_r"
	[ "$(rows "$OUT/young" .pages | awk '{ n += $1 } END { print n }')" = \
		"$(awk -F '\t' -v t="$panic" 't >= $15 && t - $15 <= 2000000000 { n++ } END { print n }' "$OUT/live.tsv")" ]
	[ "$(rows "$OUT/ages" .pages | awk '{ n += $1 } END { print n }')" = "$(wc -l < "$OUT/live.tsv")" ]
	[ "$(rows "$OUT/ages" 'select(.age == "1s-10s") | .pages')" = \
		"$(awk -F '\t' -v t="$panic" 't - $15 >= 1000000000 && t - $15 < 10000000000 { n++ } END { print n }' "$OUT/live.tsv")" ]
	# Steps by age, the oldest first, not by their text.
	[ "$(rows "$OUT/by_age" .age_max_ns)" = "$(rows "$OUT/ages" .age_max_ns | sort -rn)" ]
	[ "$(rows "$OUT/by_age_r" .age)" = "$(rows "$OUT/by_age" .age | tac)" ]
	[ "$(rows "$OUT/by_age" .age | wc -l)" -ge 3 ]
	[ "$(rows "$OUT/steps" '[.ages[]] | add == '"$(rows "$OUT/steps" .pages)")" = true ]
	[ "$(rows "$OUT/state" '"\(.state) \(.pages)"' | sort | xargs)" = \
		"$(listed '@allocated == "false"' | wc -l | sed -n 's/^[1-9]/free &/p' | tr '\n' ' ')live $(wc -l < "$OUT/live.tsv")" ]
	[ "$(rows "$OUT/free" .pages | awk '{ n += $1 } END { print n + 0 }')" = "$(listed '@allocated == "false"' | wc -l)" ]
}

@test "folded stacks are those of the list, outermost first, in bytes" {
	diff <(awk -F '\t' -v page=$PAGE '{ n = split($14, f, ";"); s = n == 16 ? "[truncated at 16];" : ""
			for (i = n; i >= 1; i--) s = s f[i] (i > 1 ? ";" : ""); b[s] += page }
			END { for (s in b) print s " " b[s] }' "$OUT/live.tsv" | sort) <(sort "$SAID/folded")
}

@test "folded stacks make a flame graph with a public tool" {
	[ "$SAMPLE" = 6.12-oom ] || return 0
	"$TESTS/../scripts/flamegraph" < "$SAID/folded" > "$OUT/graph.svg"
	[ "$(sed -n 's/.*<title>all (\([0-9,]*\) bytes, 100%).*/\1/p' "$OUT/graph.svg" | tr -d ,)" = "$(($(wc -l < "$OUT/live.tsv") * PAGE))" ]
	[ "$(grep -c '<title>' "$OUT/graph.svg")" -gt 100 ]
}

@test "the tree: roots add up to all, children to their parent" {
	for tree in tree callee; do
		rows "$SAID/$tree" '[.id, .parent // 0, .pages, .self_pages, .depth] | @tsv' > "$OUT/nodes"
		[ "$(awk '!$2 { n += $3 } END { print n }' "$OUT/nodes")" = "$(wc -l < "$OUT/live.tsv")" ]
		[ -z "$(awk '{ pages[$1] = $3; below[$2] += $3; self[$1] = $4; depth[$1] = $5; if ($2 && depth[$2] != $5 - 1) print "depth", $0 }
			END { for (i in pages) if (pages[i] != below[i] + self[i]) print "node", i }' "$OUT/nodes")" ]
	done
	# Each leaf of the callers' tree is an innermost frame.
	[ "$(rows "$SAID/callee" 'select(.parent == null) | .frame' | sort | xargs -d '\n')" = \
		"$(cut -f 14 "$OUT/live.tsv" | sed 's/;.*//' | sort -u | xargs -d '\n')" ]
}

@test "the kernel's own counters, and how far they are from a scan" {
	[ -s "$TRUTH/show_stacks" ] || { ask $(mode) 'pageowner -k' | grep -q '^no data: this kernel does not count'; return; }
	# What it lists is counted for pages that have it, those that it could not list as well.
	[ -z "$(comm -23 <(rows "$SAID/counted" '[.handle, .pages] | @tsv' | sort) \
		<(rows "$SAID/drift" 'select(.counted_pages > 0) | [.handle, .counted_pages] | @tsv' | sort))" ]
	[ "$(rows "$SAID/counted" .handle | wc -l)" -gt 250 ]
	[ -z "$(rows "$SAID/drift" 'select(.drift_pages != .counted_pages - .pages) | .handle')" ]
	[ "$(rows "$SAID/drift" 'select(.drift_pages == 0) | .handle' | wc -l)" -gt 400 ]
	[ "$(rows "$SAID/drift" 'select(.drift_pages != 0 and (.stack | map(.symbol) | any(. == "register_early_stack" or . == "register_dummy_stack" or . == "register_failure_stack") | not)) | .handle' | wc -l)" -lt 5 ]
}

@test "a saved scan answers as the dump did, and differs from it by nothing" {
	rm -f "$OUT/scan"
	ask $(mode) "pageowner -w $OUT/scan" "pageowner -R $OUT/scan -t folded > $OUT/folded.saved" \
		"pageowner -R $OUT/scan -j > $OUT/top.saved" "pageowner -d $OUT/scan -j > $OUT/diff" \
		"pageowner -R $OUT/scan -g order,gfp -j > $OUT/saved" "pageowner -g order,gfp -j > $OUT/direct"
	cmp "$SAID/folded" "$OUT/folded.saved"
	diff <(rows "$SAID/top.json" 'del(.stack) | tojson') <(rows "$OUT/top.saved" 'del(.stack) | tojson')
	diff <(rows "$OUT/saved" 'del(.rank, .stack) | tojson' | sort) <(rows "$OUT/direct" 'del(.rank, .stack) | tojson' | sort)
	[ "$(rows "$OUT/diff" 'select(.diff_pages != 0) | .rank')" = '' ]
	[ "$(rows "$OUT/diff" .before_pages | awk '{ n += $1 } END { print n }')" = "$(wc -l < "$OUT/live.tsv")" ]
	run ask $(mode) "pageowner -d $OUT/scan"
	[[ "${lines[0]}" =~ ^'no group changed: '[0-9,]+' groups have as many pages as in the saved scan'$ ]]
	[ "$(ask $(mode) "pageowner -R $OUT/scan -k -t top" "pageowner -R $OUT/scan -l" | grep -c 'cannot be combined with -R')" = 2 ]
	# One stack taken away, and the sums of the file are those without it: it is named, with the pages.
	awk -F '\t' -v OFS='\t' -v h="$(rows "$SAID/top.json" .handle | head -n 1)" '
		NR == FNR { if ($1 == "pages" && $2 == h) { records++; pages += $7 } next }
		$1 == "pages" && $2 == h { next }
		$1 == "coverage" && $2 == "live" { $3 -= pages }
		$1 == "end" { $2 -= records }
		{ print }' "$OUT/scan" "$OUT/scan" > "$OUT/less"
	ask $(mode) "pageowner -d $OUT/less -n 1 -j > $OUT/diff"
	# The text has that stack alone, and counts the others.
	run ask $(mode) "pageowner -d $OUT/less"
	[[ "${lines[1]}" =~ ^' '+1' ' ]]
	[ "$(grep -c ' groups have as many pages as in the saved scan and are not shown (-n 0 shows all)$' <<< "$output")" = 1 ]
	[ "$(rows "$OUT/diff" '"\(.handle) \(.diff_pages) \(.before_pages)"')" = "$(rows "$SAID/top.json" '"\(.handle) \(.pages) 0"' | head -n 1)" ]
}

@test "a saved scan that is cut, changed or lacks what is asked for is refused; labels are kept" {
	local lines

	rm -f "$OUT/kept"
	ask $(mode) "pageowner -w $OUT/kept" "pageowner -g module -j > $OUT/modules" "pageowner -R $OUT/kept -g module -j > $OUT/modules.saved" \
		"pageowner -d $OUT/kept -g module -j > $OUT/modules.diff" > /dev/null
	diff <(rows "$OUT/modules" '[.module, .pages] | @tsv' | sort) <(rows "$OUT/modules.saved" '[.module, .pages] | @tsv' | sort)
	[ "$(rows "$OUT/modules.diff" .diff_pages | sort -u)" = 0 ]
	grep -q ' <init>' "$OUT/kept"
	head -n 100 "$OUT/kept" > "$OUT/kept.cut"
	sed '/^pages/{s/\t[0-9]*\t\([0-9]*\t[0-9-]*\t[0-9-]*\)$/\t1234567\t\1/;:a;n;ba}' "$OUT/kept" > "$OUT/kept.changed"
	refute cmp -s "$OUT/kept" "$OUT/kept.changed"
	sed '/^end/d' "$OUT/kept" > "$OUT/kept.endless"
	run ask $(mode) "pageowner -R $OUT/kept.cut" "pageowner -R $OUT/kept.changed" "pageowner -R $OUT/kept.endless" \
		"pageowner -d $OUT/kept -f zone=DMA*" "pageowner -d $OUT/kept -f age=1s.." "pageowner -d $OUT/kept -f state=free"
	[[ "${lines[0]}" = *': no end record' || "${lines[0]}" = *'a handle without'* ]]
	[[ "${lines[1]}" = *'the sum of pages differs from the coverage' ]]
	[[ "${lines[2]}" = *'no end record' ]]
	[ "${lines[3]}" = 'pageowner: zone: not part of a saved scan' ]
	[[ "${lines[4]}" = *'not part of a saved scan' || "${lines[4]}" = *'not recorded by this kernel' ]]
	[ "${lines[5]}" = 'pageowner: state: not part of a saved scan' ]
	[ "${#lines[@]}" = 6 ]
}

@test "values are taken as they are shown" {
	local caller gfp handle

	caller=$(rows "$SAID/callers" .caller | head -n 1)
	gfp=$(rows "$SAID/by.gfp" .gfp | head -n 1)
	handle=$(rows "$SAID/top.json" .handle | head -n 1)
	pages() { rows "$OUT/v$1" .pages | awk '{ n += $1 } END { print n + 0 }'; }
	ask $(mode) "pageowner -j -f \"caller=$caller\" > $OUT/v1" "pageowner -j -f caller=${caller%% *} > $OUT/v2" \
		"pageowner -j -f \"gfp=$gfp\" > $OUT/v3" "pageowner -j -f gfp=__GFP_ZERO > $OUT/v4" "pageowner -j -f handle=${handle#0x} > $OUT/v5" \
		"pageowner -j -f handle=$handle > $OUT/v6" "pageowner -j -f module=[gone] > $OUT/v7"
	[ "$(pages 1)" = "$(rows "$SAID/callers" .pages | head -n 1)" ]
	[ "$(pages 2)" -ge "$(pages 1)" ]
	[ "$(pages 3)" = "$(rows "$SAID/by.gfp" .pages | head -n 1)" ]
	[ "$(pages 4)" = "$(awk -F '\t' '$6 ~ /(^|\|)__GFP_ZERO(\||$)/ { n++ } END { print n }' "$OUT/live.tsv")" ]
	[ "$(pages 5)" = "$(rows "$SAID/top.json" .pages | head -n 1)" ]
	[ "$(pages 6)" = "$(pages 5)" ]
	[ "$(pages 7)" = "$(awk -F '\t' '{ n = split($14, f, ";"); for (i = 1; i <= n; i++) { if (f[i] ~ /^0x[0-9a-f]*( \[gone\])?$/) { g++; break } if (f[i] ~ / \[/) break } } END { print g + 0 }' "$OUT/live.tsv")" ]
}

@test "values that only the dump tells: nodes, zones, migrate types are checked, in any case" {
	local type zone

	diff <(ask $(mode) 'pageowner -f node=7' 'pageowner -X node=7..' 'pageowner -t list -f zone=Foo' 'pageowner -f migratetype=unmov' \
		'pageowner -X BLOCK=unmov' | sed 's/known are: .*/known/') - <<-END
	pageowner: unknown node '7', known
	pageowner: unknown node '7..', known
	pageowner: unknown zone 'Foo', known
	pageowner: unknown migratetype 'unmov', the nearest is Unmovable, known
	pageowner: unknown BLOCK 'unmov', the nearest is Unmovable, known
	END
	zone=$(cut -f 10 "$OUT/live.tsv" | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
	type=$(cut -f 7 "$OUT/live.tsv" | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
	ask $(mode) "pageowner -g zone -j -f zone=${zone,,} > $OUT/zone" "pageowner -g zone -j -f MIGRATETYPE=${type^^} -f node=0.. > $OUT/type"
	[ "$(rows "$OUT/zone" .pages)" = "$(awk -F '\t' -v z="$zone" '$10 == z { n++ } END { print n }' "$OUT/live.tsv")" ]
	[ "$(rows "$OUT/type" .pages | awk '{ n += $1 } END { print n }')" = "$(awk -F '\t' -v t="$type" '$7 == t { n++ } END { print n }' "$OUT/live.tsv")" ]
}

@test "all columns at once, groups by size, what is kept of them" {
	ask $(mode) "pageowner -n 1 -j -o +caller,+module,+order,+gfp,+migratetype,+zone,+class,+node,+block_migratetype,+memcg,+state > $OUT/wide" \
		"pageowner -f size=1M.. -g caller -n 1 > $OUT/kept.txt" "pageowner -f size=1M.. -g caller -j > $OUT/kept.json"
	[ "$(rows "$OUT/wide" '[.module, .order, .zone, .class, .node, .state] | map(. == null) | any')" = false ]
	[ "$(sed -n 's/^filters kept \([0-9,]*\) of .*/\1/p' "$OUT/kept.txt" | tr -d ,)" = "$(rows "$OUT/kept.json" .pages | awk '{ n += $1 } END { print n }')" ]
	ask $(mode) 'pageowner -g callee' | grep -qx 'pageowner: -g callee needs -t tree'
}

@test "ranges and neighbours: a row for each page" {
	local first

	first=$(rows "$SAID/list.json" 'select(.order >= 2 and .pfn % 4 == 0) | .pfn' | head -n 1)
	ask $(mode) "pageowner pfn:$first-$((first + 9)) -j > $OUT/range" "pageowner pfn:$((first + 5)) -c 4 -j > $OUT/near" \
		"pageowner pfn:$first-$((first + 9)) -o pfn,handle > $OUT/text"
	[ "$(rows "$OUT/range" .pfn | xargs)" = "$(seq $first $((first + 9)) | xargs)" ]
	[ "$(rows "$OUT/near" .pfn | xargs)" = "$(seq $((first + 1)) $((first + 9)) | xargs)" ]
	[ "$(wc -l < "$OUT/text")" = 11 ]
	diff <(rows "$OUT/range" 'select(.handle != null and .allocated) | "\(.pfn) \(.handle)"') \
		<(awk -F '\t' -v a="$first" '$1 >= a && $1 <= a + 9 { print $1, $13 }' "$OUT/live.tsv")
}

@test "-m: every page has a class, beside the kernel's own counters" {
	local -A pages=() counted=()
	local class n c

	[ "$(rows "$SAID/memory" .pages | awk '{ n += $1 } END { print n }')" = "$(tail -n 1 "$SAID/list.json" | jq .ram_pages)" ]
	while read -r class n c; do
		pages[$class]=$n counted[$class]=$c
	done < <(rows "$SAID/memory" '"\(.class) \(.pages) \(.counted_pages)"')
	# What is used is used by pages that have an owner. A page that page_owner found on the list of a CPU when it
	# started has the record of an allocation that never was.
	while read -r class n; do
		[[ $class != pcp || $n -ge ${pages[$class]} ]] || continue
		[ "${pages[$class]}" = "$n" ] || { echo "$class: ${pages[$class]}, not $n"; false; }
	done < <(rows "$SAID/by.class" '"\(.class) \(.pages)"')
	for class in buddy pgtable shmem zsmalloc; do
		[ "${pages[$class]:-0}" = "${counted[$class]:-0}" ]
	done
	[ "${pages[anon]}" -ge "${counted[anon]}" ]
	[ "${pages[kstack]}" -ge "${counted[kstack]}" ]
	# A difference is counted and has its cause, no difference has none.
	[ -z "$(rows "$SAID/memory" 'select(.counted_pages != null and (.difference_pages != .pages - .counted_pages or
		(.difference_pages == 0) != (.cause == null))) | .class')" ]
	# The pages that are nobody's are all somebody's.
	[ "$(jq -r 'select(.record == "direct") | .pages' "$SAID/memory" | awk '{ n += $1 } END { print n }')" = "${pages[direct]}" ]
	grep -q '^leaky ' "$TRUTH/modules" || return 0
	[ "$(jq -r 'select(.record == "direct") | .caller' "$SAID/memory" | head -n 1)" = 'leaky_rx_refill [leaky]' ]
}

@test "frames of boot's text and of a module that is gone say so" {
	ask $(mode) "pageowner -f stack=kernel_init_freeable -n 1" > "$OUT/init"
	grep -q -E '^    kernel_init_freeable\+0x[0-9a-f]+  \[init, freed\]$' "$OUT/init"
	refute grep -E 'do_one_initcall.*freed' "$OUT/init"
	# Of a module that is there it can be the text of its init alone, which is its own.
	if grep -q '^leaky ' "$TRUTH/modules"; then
		[ "$(rows "$SAID/top.json" '.stack[] | select(.label == "gone") | .addr' | grep -c . || :)" = 0 ]
		[ "$(rows "$SAID/top.json" '.stack[] | select(.module == "leaky" and .symbol == null) | .label' | sort -u | grep -v '^init$' || :)" = '' ]
		return
	fi
	[ "$(rows "$SAID/top.json" '.stack[] | select(.label == "gone") | .addr' | grep -c . || :)" -gt 0 ]
	ask $(mode) 'pageowner -n 1' | grep -q -E '^    0x[0-9a-f]+  \[no text mapped here: module unloaded, or its init code freed\]$'
	ask $(mode) 'pageowner -g module' | grep -qx '\[gone\]: no text mapped here: module unloaded, or its init code freed; last unloaded: leaky'
	[ "$(ask $(mode) 'pageowner -g module -n 1 -j' | jq -r 'select(.record == "row") | .module')" = '[gone]' ]
}

@test "which processes still exist, of those that allocated" {
	recorded tgid || { ask $(mode) 'pageowner -g owner' | grep -qx 'pageowner: owner: not recorded by this kernel'; return; }
	ask $(mode) "pageowner -g owner,tgid -j > $OUT/owners"
	diff <(rows "$OUT/owners" '"\(.tgid) \(.owner)"' | sort) \
		<(rows "$OUT/owners" .tgid | sort -u | awk 'NR == FNR { alive[$1]; next } { print $1, $1 in alive || !$1 ? "live" : "dead" }' \
			<(rows "$SAID/faults.json" .tgid) - | sort)
	grep -q dead <(rows "$OUT/owners" .owner)
}

@test "every view with every option, as doc/views.md has it" {
	local commands=() wanted=() names=() prints=() command cell cell_noun got n=0 all=0 handle pfn

	[ "$SAMPLE" = 6.12-oom ] || return 0
	handle=$(rows "$SAID/top.json" .handle | head -n 1)
	pfn=$(rows "$SAID/list.json" .pfn | head -n 1)
	rm -f "$OUT"/{scan,new}*
	commands=("pageowner -w $OUT/scan > /dev/null" "memowner -j > $OUT/noun." "faults -j > $OUT/faults")
	for command in $NOUNS; do
		commands+=("memowner $command -j > $OUT/noun.$command")
	done
	while IFS=$'\t' read -r command cell; do
		# If BRIEF each refusal, and of the answers, which take most, each sixth.
		all=$((all + 1))
		[ -z "${BRIEF:-}" ] || [ "$cell" != yes ] || [ $((all % 6)) = 0 ] || continue
		n=$((n + 1))
		command=${command//-w FILE/-w $OUT/new$n}
		command=${command//-H FILE/-H $OUT/page$n}
		command=${command//-L FILE/-L $TRUTH/console}
		case $command in
		allocprof*) command=${command//FILE/$TRUTH/allocinfo} ;;
		'faults -d FILE'*) command=${command//FILE/$OUT/faults} ;;
		'memowner -d FILE'*) command=${command//FILE/$OUT/noun.} ;;
		memowner\ *' -d FILE'*)
			read -r _ cell_noun _ <<< "$command"
			command=${command//FILE/$OUT/noun.$cell_noun}
			# Of these the rows have no key but those of -g.
			case $cell_noun/$command in
			pages/*' -g memcg' | objects/*' -g module')
				commands+=("memowner $cell_noun -g ${command##* } -j > $OUT/noun.$cell_noun.by")
				command=${command/noun.$cell_noun/noun.$cell_noun.by}
				;;
			processes/*' -a' | case/* | stuck/*' -a')
				commands+=("memowner $cell_noun -a -j > $OUT/noun.$cell_noun.by")
				command=${command/noun.$cell_noun/noun.$cell_noun.by}
				;;
			esac
			;;
		*) command=${command//FILE/$OUT/scan} ;;
		esac
		command=${command//SITE/alloc_thread_stack_node}
		command=${command//HANDLE/$handle}
		command=${command//ADDR/pfn:$pfn}
		command=${command// ID/ 1}
		commands+=("$command > $OUT/cell.$n")
		names[n]=$command
		wanted[n]=$cell
	done < <("$BUILD/document" -c)
	[ "$all" -gt 350 ]
	ask $(mode) "${commands[@]}" > "$OUT/cells"
	# What a cell printed: its refusal and nothing else, or an answer.
	for ((i = 1; i <= n; i++)); do
		echo "$OUT/cell.$i"
	done | xargs awk '
		FNR == 1 { got[FILENAME] = /^(pageowner|allocprof|depot|faults|memowner): / ? "-" : "yes" }
		FNR == 2 && got[FILENAME] == "-" { got[FILENAME] = "more" }
		FNR == 1 && got[FILENAME] == "yes" || FNR == 2 { nextfile }
		END { for (name in got) { cell = name; sub(/.*cell\./, "", cell); print cell, got[name] } }' > "$OUT/printed"
	while read -r i got; do
		prints[i]=$got
	done < "$OUT/printed"
	for ((i = 1; i <= n; i++)); do
		got=${prints[i]:-nothing}
		[ "$got" = "${wanted[i]}" ] || echo "${names[i]}: $got, not ${wanted[i]}"
	done > "$OUT/wrong"
	cat "$OUT/wrong"
	[ ! -s "$OUT/wrong" ]
}
