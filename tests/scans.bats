#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Texts of a live kernel for pageowner -R and -d, against the kernel's own files of $SAMPLE and against
# the scan of its dump; comparisons of two boots and of two kernels.

load helper
load dump

setup_file() {
	of_sample
	ask_in_one
}

mode() { echo "${MODES##* }"; }

rows() {	# FILE FILTER
	jq -r "$STACK"'def frames: [.[] | if .symbol then "\(.symbol)+0x\(.offset | hex)\(if .module then " [\(.module)]" else "" end)" else "0x" end]
		| join(";"); select(.record == "row") | '"$2" "$1"
}

@test "the text of page_owner as the dump has it: every view of -R is that of the scan, -d finds no growth" {
	gzip -1 -c "$SAID/raw.txt" > "$OUT/raw.gz"
	ask $(mode) "pageowner -R $SAID/raw.txt -j > $OUT/top" "pageowner -R $OUT/raw.gz -t folded > $OUT/folded" \
		"pageowner -R $OUT/raw.gz -g pid,tgid,comm -j > $OUT/tasks" "pageowner -R $SAID/raw.txt -g order,gfp,migratetype,block_migratetype -j > $OUT/orders" \
		"pageowner -g order,gfp,migratetype,block_migratetype -j > $OUT/orders.scan" "pageowner -g pid,tgid,comm -j > $OUT/tasks.scan" \
		"pageowner -d $OUT/raw.gz -j > $OUT/diff" "pageowner -R $SAID/raw.txt -g module -f order=1.. -j > $OUT/modules" \
		"pageowner -g module -f order=1.. -j > $OUT/modules.scan" > "$OUT/refused"
	for pair in "$SAID/top.json $OUT/top" "$OUT/orders.scan $OUT/orders"; do
		set -- $pair
		diff <(rows $1 '[.pages, .allocs, .orders, .module, .order, .gfp, .migratetype, .block_migratetype, (.stack // [] | frames)] | tojson' | sort) \
			<(rows $2 '[.pages, .allocs, .orders, .module, .order, .gfp, .migratetype, .block_migratetype, (.stack // [] | frames)] | tojson' | sort)
	done
	# Of the init text of a module, which is freed, a text does not tell whose it was.
	diff <(rows "$OUT/modules.scan" 'select(.module == "vmlinux") | .pages') <(rows "$OUT/modules" 'select(.module == "vmlinux") | .pages')
	[ "$(rows "$OUT/modules.scan" .pages | awk '{ n += $1 } END { print n }')" = "$(rows "$OUT/modules" .pages | awk '{ n += $1 } END { print n }')" ]
	# A text has addresses where the dump tells why there is no symbol.
	diff <(sed 's/\[no symbol[^;]*\]/0x/' "$SAID/folded" | sort) <(sort "$OUT/folded") | grep '^[<>]' | grep -v -E '0x|\[' > "$OUT/differ" || :
	[ ! -s "$OUT/differ" ]
	[ "$(rows "$OUT/diff" 'select(.diff_pages != 0) | .rank')" = '' ]
	if [ "$(listed '{ print @tgid; exit }')" = null ]; then
		grep -q -x -E 'pageowner: (pid|tgid): not recorded by this kernel' "$OUT/refused"
		return
	fi
	diff <(rows "$OUT/tasks.scan" '[.pages, .allocs, .pid, .tgid, .comm] | tojson' | sort) <(rows "$OUT/tasks" '[.pages, .allocs, .pid, .tgid, .comm] | tojson' | sort)
}

@test "the kernel's files at T0: pages and allocations of each stack, plain and compressed" {
	awk -f "$TESTS/truth/page_owner.awk" "$TRUTH/page_owner" |
		awk -F '\t' '{ p[$11] += 2 ^ $2; a[$11]++ } END { for (s in p) printf "%d %d %s\n", p[s], a[s], s }' | sort > "$OUT/stacks"
	gzip -1 -c "$TRUTH/page_owner" > "$OUT/truth.gz"
	ask $(mode) "pageowner -R $TRUTH/page_owner -j > $OUT/t0" "pageowner -R $OUT/truth.gz -j -n 20 > $OUT/t0.gz" \
		"pageowner -R $TRUTH/page_owner -n 1" > "$OUT/text"
	diff <(sed -E 's/(^|[ ;])0x[0-9a-f]+/\10x/g' "$OUT/stacks" | sort) <(rows "$OUT/t0" '"\(.pages) \(.allocs) \(.stack | frames)"' | sort)
	diff <(rows "$OUT/t0" '[.pages, .allocs] | tojson' | head -n 20) <(rows "$OUT/t0.gz" '[.pages, .allocs] | tojson')
	[ "$(tail -n 1 "$OUT/text")" = "warning: rows are those of the text of page_owner in $TRUTH/page_owner: $(grep -c '^Page allocated via' "$TRUTH/page_owner" |
		sed ':a;s/\B[0-9]\{3\}\>/,&/;ta') records with $(awk '{ n += $1 } END { print n }' "$OUT/stacks" | sed ':a;s/\B[0-9]\{3\}\>/,&/;ta') pages, PFN $(sed -n 's/^PFN \([0-9a-fx]*\) .*/\1/p' "$TRUTH/page_owner" | head -n 1 | xargs printf '%#x') to 0x$(
		awk '/^Page allocated/ { order = $5 + 0 } /^PFN/ { pfn = $2 } END { print pfn, order }' "$TRUTH/page_owner" | { read -r pfn order; printf %x $((pfn + (1 << order) - 1)); })" ]
	[ "$(jq -r 'select(.record != "row") | "\(.kernel) \(.complete) \(.scanned)"' "$OUT/t0" | xargs)" = 'null null null null true null' ]
	diff <(ask $(mode) "pageowner -R $TRUTH/page_owner -f pfn=0x1149" "pageowner -R $TRUTH/page_owner -g memcg" "pageowner -R $TRUTH/page_owner -f class=slab") - <<- E
	pageowner: pfn: not read from the text '$TRUTH/page_owner', even where it has it
	pageowner: memcg: not read from the text '$TRUTH/page_owner', even where it has it
	pageowner: class: not in the file '$TRUTH/page_owner'
	E
}

@test "a text of show_stacks: pages of each stack, and nothing else" {
	has show_stacks || return 0
	awk '/^ / { sub(/\/0x[0-9a-f]+/, ""); s = s ";" substr($0, 2); next }
		/^nr_base_pages/ { n[s] += $2; s = "" } END { for (s in n) print n[s], substr(s, 2) }' "$TRUTH/show_stacks" |
		sed -E 's/(^|[ ;])0x[0-9a-f]+/\10x/g' | sort > "$OUT/counted.stacks"
	ask $(mode) "pageowner -R $TRUTH/show_stacks -j > $OUT/counted" "pageowner -d $TRUTH/show_stacks -j > $OUT/counted.diff" \
		"pageowner -R $TRUTH/show_stacks -g pid" "pageowner -R $TRUTH/show_stacks -f order=0" "pageowner -d $TRUTH/show_stacks -g gfp" \
		"pageowner -R $TRUTH/show_stacks -d $TRUTH/show_stacks" > "$OUT/text"
	diff "$OUT/counted.stacks" <(rows "$OUT/counted" '"\(.pages) \(.stack | frames)"' | sort)
	[ "$(rows "$OUT/counted" '"\(.allocs) \(.orders) \(.handle) \(.age_max_ns)"' | sort -u)" = 'null null null null' ]
	# What show_stacks does not count is no growth.
	[ "$(rows "$OUT/counted.diff" 'select(.stack | any(.symbol == "register_early_stack")) | .rank')" = '' ]
	grep -q '^no group changed: ' "$OUT/text"
	diff <(grep ^pageowner: "$OUT/text") - <<- E
	pageowner: pid: not in the file '$TRUTH/show_stacks'
	pageowner: order: not in the file '$TRUTH/show_stacks'
	pageowner: gfp: not in the file '$TRUTH/show_stacks'
	E
}

@test "of two texts, the comparison names the stack that grew" {
	local pages

	# The fixture's largest leak is not there yet, and half of another.
	awk -v RS= -v ORS='\n\n' '/leaky_until_free/ { next } /leaky_kmalloc_large/ && n++ % 2 { next } { print }' "$TRUTH/page_owner" > "$OUT/before"
	[ "$(grep -c leaky_until_free "$TRUTH/page_owner")" -gt 1000 ]
	ask $(mode) "pageowner -R $TRUTH/page_owner -d $OUT/before -n 1" "pageowner -R $TRUTH/page_owner -d $OUT/before -g caller -j > $OUT/growth" > "$OUT/said"
	pages=$(awk -v RS= '/leaky_rx_refill\+[^\n]*\n leaky_until_free/ && !/cache_alloc/' "$TRUTH/page_owner" | grep -c '^Page allocated via order 0')
	[[ "$(sed -n 2p "$OUT/said")" =~ ^' '+1' '+[0-9.]+M' '+$pages' '+$pages' '+0$ ]]
	grep -q '^    leaky_until_free+0x' "$OUT/said"
	[[ "$(rows "$OUT/growth" '"\(.caller) \(.diff_pages)"' | head -n 1)" = "leaky_rx_refill [leaky] $pages" ]]
}

@test "texts that are cut, damaged or something else are refused by file and line" {
	local f=$OUT/bad front=' (of a page_owner that was cut in front, leave out what stands before its first "Page allocated")'

	[ "$SAMPLE" = 6.12-oom ] || return 0
	head -n 28 "$TRUTH/page_owner" > "$OUT/some"
	head -n 5 "$OUT/some" > "$f.cut"
	sed -n '3,$p' "$OUT/some" > "$f.front"
	sed -n '2,$p' "$OUT/some" > "$f.second"
	printf ' f+0x1/0x2\nnr_base_pages: 5\n\n g+0x1/0x2\nnr_base_pages: 3' > "$f.cut_stacks"
	sed 's/^PFN/PfN/' "$OUT/some" > "$f.pfn"
	sed '3s/.*/ what is this/' "$OUT/some" > "$f.frame"
	sed '8s/order 0/order 77/' "$OUT/some" > "$f.order"
	sed '8s/, pid 0//' "$OUT/some" > "$f.pid"
	sed '3,6d' "$OUT/some" > "$f.none"
	{ sed -n 1,2p "$OUT/some"; for i in {1..300}; do echo ' f+0x1/0x2'; done; echo; } > "$f.deep"
	{ sed -n 1,2p "$OUT/some"; printf ' %70000s\n\n' x; } > "$f.long"
	printf ' f+0x1/0x2\n\n' > "$f.stacks"
	printf ' f+0x1/0x2\nnr_base_pages: -5\n\n' > "$f.negative"
	printf 'handle: 1\nnr_base_pages: 5\n\n' > "$f.handles"
	printf '\n\n' > "$f.empty"
	# A name of a task may have a line feed, or what the text has behind a name.
	{ sed '1s/(swapper)/(a\nb), ts 1 ns)/' "$OUT/some"; } > "$OUT/name"
	ask minimal "pageowner -R $f.cut" "pageowner -R $f.front" "pageowner -R $f.second" "pageowner -d $f.cut_stacks" "pageowner -R $f.pfn" "pageowner -R $f.frame" "pageowner -d $f.order" "pageowner -R $f.pid" "pageowner -R $f.none" \
		"pageowner -R $f.deep" "pageowner -R $f.long" "pageowner -R $f.stacks" "pageowner -R $f.negative" "pageowner -R $f.handles" "pageowner -R $f.empty" \
		"pageowner -R $OUT/name -g comm -j > $OUT/names" > "$OUT/said"
	diff "$OUT/said" - <<- E
	pageowner: the file '$f.cut' ends inside of its first record, at line 5: it is truncated
	pageowner: line 5 of the file '$f.front': no number of pages behind a call stack$front: ''
	pageowner: the file '$f.second' is not a saved scan: line 1: neither 'crash-memowner scan 1' nor a line of page_owner or show_stacks$front
	pageowner: the file '$f.cut_stacks' ends inside of a record, at line 5: it is truncated
	pageowner: line 2 of the file '$f.pfn': no line with the PFN of a record: 'PfN 0x100 type Unmovable Block 0 type Un'
	pageowner: line 7 of the file '$f.frame': a call stack has a frame that is none: 'what is this?init_page_owner+0x2b/0x290?'
	pageowner: line 8 of the file '$f.order': no first line of a page_owner record: 'Page allocated via order 77, mask 0x0(),'
	pageowner: line 8 of the file '$f.pid': no first line of a page_owner record: 'Page allocated via order 0, mask 0x0(), '
	pageowner: line 3 of the file '$f.none': the record has no call stack: ''
	pageowner: line 259 of the file '$f.deep': a call stack is too long: ' f+0x1/0x2'
	pageowner: the file '$f.long' has a line that is too long
	pageowner: line 2 of the file '$f.stacks': no number of pages behind a call stack$front: ''
	pageowner: line 2 of the file '$f.negative': no line of show_stacks: 'nr_base_pages: -5'
	pageowner: the file '$f.handles' is not a saved scan: line 1: neither 'crash-memowner scan 1' nor a line of page_owner or show_stacks$front
	pageowner: the file '$f.empty' is not a saved scan: line 2: the file is empty
	E
	[ "$(rows "$OUT/names" .comm | sort | tr '\n' '|')" = 'a|b), ts 1 ns|swapper|' ] ||
		[ "$(rows "$OUT/names" '.comm | tojson' | sort | xargs)" = 'a\nb), ts 1 ns swapper' ]
}

@test "a text that ends inside of a record: what is whole is shown, and that the rest is missing" {
	local f=$OUT/short n whole bytes

	[ "$SAMPLE" = 6.12-oom ] || return 0
	whole=$(awk -v RS= 'NR <= 200 { n += length($0) + 2 } END { print n }' "$TRUTH/page_owner")
	# In the first line of the next record, in its PFN, in a frame, and behind a whole line.
	for bytes in 30 140 260 "$(tail -c +$((whole + 1)) "$TRUTH/page_owner" | head -n 4 | wc -c)"; do
		head -c $((whole + bytes)) "$TRUTH/page_owner" > "$f"
		ask $(mode) "pageowner -R $f -j > $f.json" "pageowner -R $f -n 1 > $f.text"
		[ "$(rows "$f.json" .allocs | awk '{ n += $1 } END { print n }')" = 200 ]
		n=$(($(head -c $whole "$f" | wc -l) + $(tail -c +$((whole + 1)) "$f" | awk 'END { print NR }')))
		[ "$(tail -n 1 "$f.text")" = "warning: $f ends inside of a record, at line $n: it was cut, and what stood behind is missing" ]
		jq -e 'select(.record == "summary") | .complete == false' "$f.json"
	done
	head -c $whole "$TRUTH/page_owner" > "$f"
	ask $(mode) "pageowner -R $f -n 1" | grep -q '200 records with [0-9]* pages, PFN 0x100 to 0x[0-9a-f]*$'
	printf ' f+0x1/0x2\nnr_base_pages: 5\n\n g+0x1/0x2\nnr_base_pages: 3' > "$f"
	ask $(mode) "pageowner -R $f" | grep -q "^warning: $f ends inside of a record, at line 5: it was cut, and what stood behind is missing$"
	# Of the last one the empty line alone may be missing.
	echo >> "$f"
	ask $(mode) "pageowner -R $f -j" | jq -s -e '(map(select(.record == "row") | .pages) | add) == 8 and .[-1].complete'
}

@test "another boot, another kernel: stacks match by name, not by address" {
	local here=$DIR other=$BUILD/samples/6.12-oom old=$BUILD/samples/6.1-oom pages

	[ "$SAMPLE" = 6.12-kdump ] || return 0
	[ -e "$other/ready" ]
	[ -e "$old/ready" ]
	rm -f "$OUT"/*.scan
	# KASLR put them elsewhere.
	[ "$(grep ' _stext$' "$other/truth/kallsyms")" != "$(grep ' _stext$' "$TRUTH/kallsyms")" ]
	DIR=$other ask $(mode) "pageowner -w $OUT/other.scan" "pageowner -n 1 -j > $OUT/other.top" > /dev/null
	ask $(mode) "pageowner -d $OUT/other.scan -n 1 -j > $OUT/boots" "pageowner -d $old/truth/page_owner -g caller -n 1 -j > $OUT/kernels" \
		"pageowner -d $old/truth/page_owner -n 1 -j > $OUT/kernels.stacks" "pageowner -d $other/truth/page_owner -n 1 -j > $OUT/boots.text"
	pages="$(rows "$SAID/top.json" .pages | head -n 1) $(rows "$OUT/other.top" .pages)"
	[ "$(rows "$OUT/boots" '"\(.pages) \(.before_pages)"')" = "$pages" ]
	[ "$(rows "$OUT/boots.text" '"\(.pages) \(.before_pages)"')" = "$pages" ]
	[ "$(summary_of boots .warnings[0])" = null ] || [ "$(jq -r 'select(.record == "summary") | .warnings[]' "$OUT/boots")" = '' ]
	# The offsets and the allocators of 6.1 are others: the caller and what called it are the same.
	[ "$(rows "$OUT/kernels.stacks" '"\(.pages) \(.stack[3].symbol)"')" = "${pages% *} leaky_rx_refill" ]
	[ "$(rows "$OUT/kernels.stacks" .before_pages)" = "$(awk -v RS= '/leaky_rx_refill\+[^\n]*\n leaky_until_free/' "$old/truth/page_owner" | grep -c '^Page allocated')" ]
	[ "$(rows "$OUT/kernels" .caller)" = 'leaky_rx_refill [leaky]' ]
	[[ "$(jq -r 'select(.record == "summary") | .warnings[] | select(startswith("call stacks"))' "$OUT/kernels.stacks")" = 'call stacks are compared from the caller on, by functions without offsets: '*" has "*" bytes now, "*" in $old/truth/page_owner" ]]
}
