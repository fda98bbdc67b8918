#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Call sites of single allocations on a real dump, $SAMPLE, against the fixture's ledger:
# allocprof -c, allocprof ADDR, allocprof -C.

load helper

WAYS='rx_refill rx_refill_atomic order2_compound order3_plain kmalloc kmalloc_large own_cache vmalloc'

# The first place of a way in the ledger: an address, of pages their pfn, without 0x.
where() {
	awk -v way=$1 '$1 == way { print substr($2 == "object" || way == "leaky_vmalloc" ? $4 : $5, 3); exit }' "$TRUTH/ledger"
}

# The tag of each way is asked for by an address of the ledger: so that of a module that was unloaded is known too.
setup_file() {
	export DIR=$BUILD/samples/$SAMPLE OUT=$BATS_FILE_TMPDIR MODE=${MODES##* }
	export TRUTH=$DIR/truth
	local way where commands=() object page last tag tags

	[ -e "$TRUTH/allocinfo" ] || return 0
	awk '{ kind = $2 == "object" ? "virt:" : "pfn:"; where = $2 == "object" ? substr($4, 3) : $5
		if ($2 != "percpu" && !($1 in seen)) { seen[$1]; print $1, kind where } }' "$TRUTH/ledger" > "$OUT/first"
	while read -r way where; do
		commands+=("allocprof $where -j > $OUT/first.$way")
	done < "$OUT/first"
	object=$(where leaky_own_cache)
	page=$(where leaky_order3_plain)
	last=$((0x$(sed -n 's/^[0-9a-f]*-\([0-9a-f]*\) : System RAM$/\1/p' "$TRUTH/iomem" | tail -n 1) >> 12))
	commands+=("allocprof virt:$(printf %x $((0x$object + 57))) -j > $OUT/object"
		"allocprof pfn:0x$(printf %x $((0x$page + 5))) -j > $OUT/tail"
		"allocprof pfn:0x$(printf %x $((0x$page + 5))) > $OUT/text" "allocprof pfn:0x$page >> $OUT/text"
		"allocprof pfn:0x$page pfn:0x$(printf %x $((0x$page + 1))) pfn:0x$(printf %x $((0x$page + 2))) -j > $OUT/three"
		"allocprof pfn:0x$page-0x$(printf %x $((0x$page + 2))) -j > $OUT/range" "allocprof pfn:$last-$((last + 2)) > $OUT/range.text"
		"allocprof virt:$(where leaky_vmalloc) -j > $OUT/vm" "allocprof virt:$object >> $OUT/text"
		"pageowner pfn:0x$page -j > $OUT/owner" "pageowner virt:$(printf %x $((0x$object + 57))) > $OUT/owner.text")
	BATS_TEST_TMPDIR=$OUT ask "${commands[@]}" "allocprof -C -j > $OUT/check" "allocprof -C > $OUT/check.text" "pageowner -m -j > $OUT/memory" \
		"allocprof -c leaky_percpu -j > $OUT/percpu" "allocprof -j > $OUT/sites" "pageowner -t list -f class=slab -o +type -j > $OUT/slabs" \
		"allocprof phys:1149000 -o +pfn,+stack > $OUT/phys" "allocprof phys:1149000 -o pfn >> $OUT/phys" \
		"pageowner -g module > $OUT/modules.txt" "pageowner -g module -f order=0.. >> $OUT/modules.txt" "pageowner -g module -j > $OUT/modules.json" "pageowner -g module -f module=leaky > $OUT/modules.one" \
		"pageowner -t list -a -f module=leaky -f state=live -o pfn,site -j > $OUT/module.sites" "allocprof -f module=leaky -g module -o bytes > $OUT/module.bytes" \
		"allocprof -X site=*leaky* -n 1 > $OUT/columns.text"
	export OFF='' LISTED=''
	[ "$(jq -r 'select(.record == "summary") | .status' "$OUT/sites")" != off_later ] || OFF=1
	LISTED=$(rows sites 'select(.function == "leaky_rx_refill" and .loaded) | .line')
	commands=()
	mapfile -t tags < <(printf "$OUT/first.leaky_%s\n" $WAYS | xargs jq -r 'select(.record == "row") | .tag')
	# One of each.
	[ "${#tags[@]}" = "$(wc -w <<< "$WAYS")" ]
	for way in $WAYS; do
		commands+=("allocprof -c ${tags[${#commands[@]}]} -j > $OUT/leaky_$way")
	done
	# That of rx_refill.
	tag=${tags[0]}
	BATS_TEST_TMPDIR=$OUT ask "${commands[@]}" "allocprof -c $tag -n 5 -j > $OUT/five" "allocprof -c $tag | head -n 2" > "$OUT/piped"
}

ask() {
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "$@"
}

rows() {	# FILE FILTER
	jq -r "select(.record == \"row\") | $2" "$OUT/$1"
}

total() {	# FILE FILTER: of the one line among all that jq would read
	grep '^{"record":"total"' "$OUT/$1" | jq -r "$2"
}

part() {	# NAME FILTER, of a total or of the first part of that name
	rows check "select(.name == \"$1\") | $2" | head -n 1
}

# Profiling was off at the panic: what was freed since has kept its count and its reference.
off() {
	[ -n "$OFF" ]
}

# The module is still there.
listed() {
	[ -n "$LISTED" ]
}

hex() {	# the first field, a number, in hexadecimal
	awk '{ n = $1; $1 = ""; printf "0x%x%s\n", n, $0 }'
}

@test "pages: exactly those that the module holds" {
	for way in rx_refill rx_refill_atomic order2_compound order3_plain; do
		# What is no page is no row of the ledger.
		diff <(awk -v w=leaky_$way '$1 == w { print $5, $3 }' "$TRUTH/ledger" | sort) \
			<(rows leaky_$way 'if .kind != "page" then "0 \(.kind)" elif .sure then "\(.pfn) \(.order)" else empty end' | hex | sort)
	done
	# kmalloc beyond its caches is pages.
	diff <(awk '$1 == "leaky_kmalloc_large" { print $5, 2 }' "$TRUTH/ledger" | sort) \
		<(rows leaky_kmalloc_large 'select(.sure) | "\(.pfn) \(.order)"' | hex | sort)
}

@test "nothing is unsure while profiling is on; then, what may be another's is marked" {
	local way stale

	if ! off; then
		[ "$(cat "$OUT"/leaky_* "$OUT/percpu" | jq -r 'select(.record == "row" and .sure != true) | .address')" = '' ]
		[ "$(grep -h '^{"record":"total"' "$OUT"/leaky_* "$OUT/percpu" | jq -r '"\(.unsure) \(.stale)"' | sort -u)" = '0 0' ]
		return
	fi
	for way in $WAYS percpu; do
		[ "$way" = percpu ] || way=leaky_$way
		# Each reference that was counted is listed, or known to be of what was freed.
		[ "$(total $way '.calls + .stale == .counted_calls')" = true ]
		[ "$(total $way .unsure)" = "$(rows $way 'select(.sure | not) | .kind' | wc -l)" ]
	done
	# What a page has from before is not said to be another's: those that came later have stacks.
	for way in rx_refill rx_refill_atomic; do
		stale=$(total leaky_$way .stale)
		[ "$stale" -gt 0 ]
		rows leaky_$way 'select(.sure | not) | "\(.pfn) -"' | hex | cut -d ' ' -f 1 | sort > "$OUT/unsure"
		awk -v w=leaky_$way '$1 == w { print $5 }' "$TRUTH/ledger" | sort | comm -12 - "$OUT/unsure" > "$OUT/wrong"
		[ ! -s "$OUT/wrong" ]
	done
	[ "$(total leaky_order3_plain .stale) $(total leaky_order2_compound .stale) $(total leaky_kmalloc_large .stale)" = '12 12 12' ]
	[ "$(total leaky_own_cache .stale)" = 300 ]
}

@test "while profiling is off, a free page or object keeps no site" {
	local pfn='' object way

	off || return 0
	# The first places that janitor freed and nobody has now: of the module's own cache, each third.
	rows leaky_own_cache .address | sort > "$OUT/held"
	object=$(head -n 1 "$OUT/held")
	for n in 1 2 3 4 5; do
		printf 'allocprof virt:%x -j\n' $((object + 200 * n))
	done > "$OUT/near"
	mapfile -t near < "$OUT/near"
	ask "${near[@]}" > "$OUT/near.json"
	[ "$(rows near.json 'select(.allocated == false) | "\(.site) \(.tag) \(.sure) \(.left_site | test("leaky_own_cache"))"' | sort -u)" = 'null null null true' ]
	[ "$(rows near.json 'select(.allocated) | "\(.site | test("leaky_own_cache")) \(.left_site)"' | sort -u)" = 'true null' ]
	# A page of a late allocation is not said to be of the first one for sure.
	for way in rx_refill rx_refill_atomic; do
		[ -n "$pfn" ] || pfn=$(rows leaky_$way 'select(.sure | not) | .pfn' | hex | head -n 1 | tr -d ' ')
	done
	[ -n "$pfn" ]
	ask "allocprof pfn:$pfn -j > $OUT/late" "allocprof pfn:$pfn" "pageowner pfn:$pfn" > "$OUT/late.text"
	[ "$(rows late '"\(.sure) \(.left_site)"')" = 'null null' ]
	[ "$(grep -c -E "^  (tag|at) .*leaky_rx_refill(_atomic)? \[leaky\], or " "$OUT/late.text")" = 2 ]
}

@test "objects: exactly those that the module holds" {
	for way in kmalloc own_cache; do
		# Others have come into places of a cache that is not its own.
		if off && [ $way = kmalloc ]; then
			awk '$1 == "leaky_kmalloc" { print $4 }' "$TRUTH/ledger" | sort > "$OUT/kmalloc.ledger"
			[ -z "$(rows leaky_kmalloc .address | sort | comm -13 - "$OUT/kmalloc.ledger")" ]
			continue
		fi
		diff <(awk -v w=leaky_$way '$1 == w { print $4 }' "$TRUTH/ledger" | sort) \
			<(rows leaky_$way 'if .kind == "object" then .address else "0 \(.kind)" end' | sort)
	done
	[ "$(rows leaky_own_cache .cache | sort -u)" = leaky_cache ]
	# One of sixteen, by the caller, with KMALLOC_PARTITION_CACHES.
	[ "$(rows leaky_kmalloc .cache | sort -u | sed "s,^kmalloc-part-[0-9]*-,kmalloc-,")" = kmalloc-1k ]
}

@test "vmalloc: its pages, listed as such, and what it needs itself" {
	diff <(awk '$1 == "leaky_vmalloc" { for (i = 5; i <= NF; i++) print $i }' "$TRUTH/ledger" | sort) \
		<(rows leaky_vmalloc 'select(.kind == "page" and .class == "vmalloc" and .sure) | .pfn' | hex | tr -d ' ' | sort)
	[ "$(rows leaky_vmalloc 'select(.kind == "page" and .class != "vmalloc" and .sure) | .pfn')" = '' ]
	# An array of its pages for each area.
	[ "$(rows leaky_vmalloc 'select(.kind == "object") | .class' | sort | uniq -c | xargs)" = \
		"$(grep -c '^leaky_vmalloc ' "$TRUTH/ledger") vmalloc" ]
}

@test "per-CPU memory: what the module holds, but for the chunk of boot" {
	listed || return 0
	rows percpu 'select(.kind == "percpu") | .address' | sort > "$OUT/percpu.addresses"
	awk '$1 == "leaky_percpu" { print $4 }' "$TRUTH/ledger" | sort > "$OUT/percpu.ledger"
	[ -z "$(comm -23 "$OUT/percpu.addresses" "$OUT/percpu.ledger")" ]
	[ "$(($(wc -l < "$OUT/percpu.addresses") + $(total percpu .stale)))" = "$(awk '/func:leaky_percpu/ { print $2 }' "$TRUTH/allocinfo")" ]
	[ "$(rows percpu .bytes | sort -u)" = 2048 ]
}

@test "found and counted are the same, as /proc/allocinfo had it" {
	listed || return 0
	if off; then
		for way in $WAYS; do
			[ "$(total leaky_$way '"\(.counted_bytes) \(.counted_calls) \(.cause)"')" = \
				"$(awk -v w=func:leaky_$way '$0 ~ w " *$" { print $1, $2, "profiling was turned off: memory freed since is still counted" }' "$TRUTH/allocinfo")" ]
		done
		# Per-CPU memory as the kernel counts it, what is left out as well.
		[ "$(total percpu '.bytes * .counted_calls == .counted_bytes * .calls')" = true ]
		return
	fi
	for way in $WAYS; do
		[ "$(total leaky_$way '"\(.bytes) \(.calls) \(.cause) \(.bytes == .counted_bytes and .calls == .counted_calls)"')" = \
			"$(awk -v w=func:leaky_$way '$0 ~ w " *$" { print $1, $2, "null true" }' "$TRUTH/allocinfo")" ]
	done
	[ "$(total percpu '"\(.counted_bytes) \(.counted_calls) \(.cause)"')" = \
		"$(awk '/func:leaky_percpu/ { print $1, $2, "null" }' "$TRUTH/allocinfo")" ]
}

@test "each page has its task, its time and its stack" {
	[ "$(rows leaky_order3_plain 'select(.sure) | "\(.comm) \(.derived)"' | sort -u)" = 'ring-setup false' ]
	[ "$(rows leaky_rx_refill '[.comm, .pid, .tgid, .ts_ns, .handle] | index(null)' | sort -u)" = null ]
	# What page_owner's own file says of the pages.
	diff <(awk 'FNR == NR { if ($1 == "leaky_order3_plain") held[$5]; next }
			/^Page allocated via order/ { line = $0 }
			/^PFN 0x/ && $2 in held { match(line, /pid [0-9]+/); pid = substr(line, RSTART + 4, RLENGTH - 4)
				match(line, /ts [0-9]+/); print $2, pid, substr(line, RSTART + 3, RLENGTH - 3) }' \
			"$TRUTH/ledger" "$TRUTH/page_owner" | sort) \
		<(rows leaky_order3_plain '"\(.pfn) \(.pid) \(.ts_ns)"' | hex | sort)
	jq -r 'select(.record == "stack") | .handle + " " + ([.stack[] | .symbol // "-"] | join(" "))' "$OUT/leaky_order3_plain" > "$OUT/stacks"
	[ "$(rows leaky_order3_plain .handle | sort -u)" = "$(cut -d ' ' -f 1 "$OUT/stacks" | sort -u)" ]
	listed || return 0
	[ "$(grep -c -v leaky_order3_plain "$OUT/stacks")" = 0 ]
}

@test "with slub_debug=U each object has its pid, its time and its stack, else none of them" {
	# Of a kernel that is built so, as debug kernels are, each cache has tracks.
	if [ "$SAMPLE" != 6.12-debug ] && ! grep -q slub_debug=U "$TRUTH/cmdline"; then
		[ "$(rows leaky_own_cache '"\(.pid) \(.ts_ns) \(.handle) \(.requested)"' | sort -u)" = 'null null null null' ]
		return
	fi
	for way in kmalloc own_cache; do
		[ "$(rows leaky_$way '[.pid, .ts_ns, .age_ns, .handle] | index(null)' | sort -u)" = null ]
		# One task leaked them all, in the order of the ledger, between others of its kind.
		[ "$(rows leaky_$way .pid | sort -u | wc -l)" = 1 ]
		[ "$(jq -r 'select(.record == "stack") | [.stack[0, 1].symbol | select(. == "leaky_'$way'")][0]' "$OUT/leaky_$way" | sort -u)" = leaky_$way ]
	done
	# Both ways of a task: what page_owner and slub say of it is the same.
	[ "$(rows leaky_kmalloc .requested | sort -u)" = 1000 ]
	paste -d ' ' <(awk '$1 == "leaky_own_cache" { print $4 }' "$TRUTH/ledger") \
		<(rows leaky_own_cache '"\(.address) \(.ts_ns)"' | sort | join - <(awk '$1 == "leaky_own_cache" { print $4, NR }' "$TRUTH/ledger" | sort) |
			sort -n -k 3 | cut -d ' ' -f 2) > "$OUT/times"
	sort -s -n -k 2 -c "$OUT/times"
	# It has exited: its name is not made up.
	[ "$(rows leaky_own_cache '"\(.comm) \(.tgid) \(.derived)"' | sort -u)" = 'null null null' ]
}

@test "an address inside an object or a page finds its start and its site" {
	local object page

	object=$(where leaky_own_cache)
	page=$(where leaky_order3_plain)
	[ "$(rows object '"\(.kind) \(.address) \(.offset) \(.cache) \(.allocated) \(.tag)"')" = \
		"object 0x$object 57 leaky_cache true $(rows first.leaky_own_cache .tag)" ]
	[ "$(rows tail '"\(.kind) \(.order) \(.bytes) \(.offset) \(.allocated) \(.tag)"')" = \
		"page 3 32768 20480 true $(rows first.leaky_order3_plain .tag)" ]
	[ "$(rows tail '"\(.pfn) \(.head_pfn)"')" = "$((0x$page + 5)) $((0x$page))" ]
	[ "$(rows object .head_pfn)" = null ]
	grep -q "^pfn:0x$(printf %x $((0x$page + 5))) is page 5 of the allocation at pfn 0x$page of 32.0K, " "$OUT/text"
	grep -q "^pfn:0x$page is in the page at pfn 0x$page of 32.0K, " "$OUT/text"
	[ "$(rows vm '"\(.kind) \(.class) \(.tag)"')" = "page vmalloc $(rows first.leaky_vmalloc .tag)" ]
	grep -q "is byte 0 of the object at 0x$object of leaky_cache" "$OUT/text"
	grep -q "^  in the object at 0x$object of leaky_cache" "$OUT/owner.text"
	listed || return 0
	grep -q "^  in the object at 0x$object of leaky_cache, in use, at .*leaky.c:[0-9]* leaky_own_cache \[leaky\]" "$OUT/owner.text"
	[[ "$(rows owner .site)" = *'leaky_order3_plain [leaky]' ]]
	grep -q -E '^  tag .*leaky_own_cache \[leaky\](, or what was there before left it: profiling is off)?$' "$OUT/text"
}

@test "every site has the references that it counted, to the byte" {
	[ "$(rows check .name | wc -l)" = 30 ]
	if off; then
		# None has come since; some went with the slabs that had them.
		[ "$(jq -r 'select(.record == "site" and .calls > .counted_calls) | .site' "$OUT/check")" = '' ]
		[ "$(jq -r 'select(.record == "site" and .calls != .counted_calls) | .site' "$OUT/check" | wc -l)" -lt 20 ]
		[ "$(part 'stale references' .count)" -gt 0 ]
		return
	fi
	# Of compaction_alloc() as many are counted as have its tag; the bytes are others, for a reason that was not found.
	if [ "$SAMPLE" = 6.12-debug ]; then
		[ "$(jq -r 'select(.record == "site") | "\(.site) \(.calls == .counted_calls)"' "$OUT/check")" = 'mm/compaction.c:1883 compaction_alloc [vmlinux] true' ]
		return
	fi
	[ "$(jq -c 'select(.record == "site")' "$OUT/check")" = '' ]
	[ "$(part 'without a reference' '"\(.bytes) \(.count)"')" = '0 0' ]
	[ "$(part 'stale references' '"\(.bytes) \(.count)"')" = '0 0' ]
	# What a module left behind is in no list, where the kernel takes its tags out.
	if listed || rows sites 'select(.loaded == false) | .tag' | grep -q .; then
		[ "$(part 'references to tags without counters' .count)" = 0 ]
	else
		[ "$(part 'references to tags without counters' .count)" -ge "$(wc -l < "$TRUTH/ledger")" ]
	fi
}

@test "a total is the sum of its parts, and what pageowner -m and slabinfo have" {
	# Off, what was freed since hides how this kernel counts per-CPU memory, and may hide how long pages are.
	rows check '[.sum // "-", .name, .bytes // "-", .count // "-"] | @tsv' | awk -F '\t' -v totals=$(off && echo 1 || echo 4) '
		$1 == "-" && $2 !~ /^(references|charged)/ { bytes[$2] = $3; count[$2] = $4 }
		$1 != "-" { b[$1] += $3; n[$1] += $4; if ($3 == "-" && $2 !~ /before/) unknown[$1] }
		END { for (t in bytes) if (!(t in unknown)) {
				known++
				if (b[t] != bytes[t] || (t != "slab pages" && n[t] != count[t])) { print t, bytes[t], b[t], count[t], n[t]; bad = 1 } }
			exit bad || known < totals }'
	[ "$(rows check 'select((.sum == "pages in use" or .sum == "slab pages") and .bytes != null) | .bytes >= 0' | sort -u)" = true ]
	[ "$(part 'pages in use' .count)" = "$(rows memory 'select(.class | IN("buddy", "pcp", "reserved", "offline", "unknown") | not) | .pages' | awk "{ n += \$1 } END { print n }")" ]
	# Of class slab is large kmalloc too, where it has a mark (6.15 and later).
	[ "$(part 'slab pages' .count)" = "$(rows slabs 'select(.type == "slab") | .order' | awk "{ n += 2 ^ \$1 } END { print n }")" ]
	# Objects come and go between T0 and the panic.
	has slabinfo || return 0
	objects=$(rows check 'select(.sum == "slab pages" and .count != null) | .count' | awk "{ n += \$1 } END { print n }")
	there=$(awk 'NR > 2 { n += $3 } END { print n }' "$TRUTH/slabinfo")
	[ "$((objects > there ? objects - there : there - objects))" -lt "$((there / 4))" ]
}

# The rows and the sum of each site, site by site.
by_tag() {
	jq -r 'select(.record == "row" or .record == "total") | "\(.tag) \(.record) \(tojson)"' "$1" | sort -s -k 1,2
}

@test "sites are found by file:line and function; what is not one site is refused" {
	local line each=()

	listed || return 0
	line=$(rows sites 'select(.function == "leaky_own_cache") | .line')
	rows sites 'select(.function == "alloc_slab_page") | .tag' | sort > "$OUT/slab.tags"
	while read -r tag; do
		each+=("allocprof -c $tag -j >> $OUT/each.json")
	done < "$OUT/slab.tags"
	run ask "allocprof -c leaky.c:$line -n 1" "allocprof -c leaky_own_cache -n 1 -o address" 'allocprof -c y.c:1' \
		'allocprof -c no_such_function' 'allocprof -c leaky_own_cache -s bytes' "allocprof -c leaky_own_cache pfn:1" \
		"allocprof -c alloc_slab_page -j > $OUT/two.json" "${each[@]}" "allocprof -C -n 1 > $OUT/one"
	[ "$(grep -c "^\.\.\. $(($(grep -c '^leaky_own_cache ' "$TRUTH/ledger") - 1)) more rows" <<< "${output//,/}")" = 2 ]
	[ "$(grep -c '^the same to the byte$' <<< "$output")" = $(off && echo 0 || echo 2) ]
	grep -q "^allocprof: no call site 'y.c:1'.*: a site is FILE:LINE, a function or the address" <<< "$output"
	# A function has as many sites as /proc/allocinfo lists: each has its rows, its name and its sum.
	jq -r 'select(.record == "total") | .tag' "$OUT/two.json" | sort > "$OUT/two.tags"
	[ "$(wc -l < "$OUT/two.tags")" -ge 2 ]
	diff "$OUT/two.tags" "$OUT/slab.tags"
	diff <(by_tag "$OUT/two.json") <(by_tag "$OUT/each.json")
	diff <(grep '^pages in use' "$OUT/one") <(grep '^pages in use' "$OUT/check.text")
	grep -q "^allocprof: no call site 'no_such_function'" <<< "$output"
	grep -q "^allocprof: -s cannot be combined with -c SITE" <<< "$output"
	grep -q '^allocprof: -c cannot be combined with the argument ' <<< "$output"
}

@test "a closed pipe, a limit and no rows" {
	[ "$(rows five .kind | wc -l)" = 5 ]
	[ "$(jq -r 'select(.record == "summary") | .rows_total' "$OUT/five")" = "$(grep -c '^{"record":"row"' "$OUT/leaky_rx_refill")" ]
	[ "$(wc -l < "$OUT/piped")" = 2 ]
}

@test "what an unloaded module left is named, where the kernel keeps its tags" {
	local tag

	listed && return 0
	tag=$(jq -r 'select(.record == "row") | .tag' "$OUT/first.leaky_rx_refill")
	ask "allocprof -C" "allocprof -c $tag -n 1" > "$OUT/left"
	grep -q -E '^(drivers/leaky/leaky.c:[0-9]+ leaky_rx_refill \[leaky\]|0x[0-9a-f]+, line [0-9]+)(,)? of an unloaded module' "$OUT/left"
	[ "$(sed -n 's/^found *\([0-9,]*\) allocations.*/\1/p' "$OUT/left" | tr -d ,)" = "$(grep -c '^leaky_rx_refill ' "$TRUTH/ledger")" ]
}

@test "an address with -o +a keeps its sentences" {
	run cat "$OUT/phys"
	[[ "${lines[0]}" = 'phys:1149000 is '* ]]
	[ "$(grep -c '^  PFN 0x1149$' <<< "$output")" = 1 ]
	[[ "${lines[-2]}" =~ ^' '*PFN$ ]]
}

@test "pageowner -g module says why allocprof has another size of a module" {
	local line

	if ! listed || off || ! grep -q '"module":"leaky"' "$OUT/modules.json"; then
		refute grep -q 'allocprof has' "$OUT/modules.txt"
		return 0
	fi
	# With a filter the pages are not all of the module.
	[ "$(grep -c 'allocprof has' "$OUT/modules.txt")" = 1 ]
	line=$(grep '^leaky: of ' "$OUT/modules.txt")
	# One of modules leaves out none of its pages.
	grep -q -x -F "$line" "$OUT/modules.one"
	kib() { awk '{ print $1 * ($1 ~ /M$/ ? 1024 : $1 ~ /G$/ ? 1048576 : 1) }' <<< "${1%,}"; }
	near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a - b < 120 && b - a < 120) }'; }
	read -r _ _ all own _ _ _ _ _ _ others _ <<< "$line"
	near "$(kib "$all")" "$(($(jq -r 'select(.module == "leaky") | .bytes' "$OUT/modules.json") / 1024))"
	near "$(kib "$all")" "$(awk -v a="$(kib "$own")" -v b="$(kib "$others")" 'BEGIN { print a + b }')"
	refute near "$(kib "$others")" 0
	# The pages of the sites of leaky that are no slabs or per-CPU memory.
	near "$(kib "$own")" "$(($(grep -c '\[leaky\]"}' "$OUT/module.sites") * 4))"
	[[ "$(grep 'allocprof has' "$OUT/modules.txt")" = *" has $(sed -n 2p "$OUT/module.bytes" | xargs) at its sites: "* ]]
}

@test "filters of columns: the rows that they kept, counted as other lines count" {
	[ -e "$TRUTH/allocinfo" ] || return 0
	grep -q -x -E 'filters kept [0-9]{1,3}(,[0-9]{3})* of [0-9]{1,3}(,[0-9]{3})* rows' "$OUT/columns.text"
}

@test "a range of pages: the rows of each of them, and where System RAM ends" {
	[ -e "$TRUTH/allocinfo" ] || return 0
	[ "$(rows range .pfn | wc -l)" = 3 ]
	diff <(rows range 'del(.argument)') <(rows three 'del(.argument)')
	[ "$(cut -d ' ' -f 1 "$OUT/range.text" | head -n 1)" = ARGUMENT ]
	[ "$(wc -l < "$OUT/range.text")" = 3 ]
	tail -n 1 "$OUT/range.text" | grep -q -E '^warning: pfn:[0-9]+-[0-9]+: System RAM of this dump ends at pfn 0x[0-9a-f]+$'
}

@test "what -c and -C scanned: first pages with a tag, which are not the live pages of pageowner" {
	run cat "$OUT/check.text"
	[ "$(grep -c -E '^scanned [0-9,]+ = [0-9,]+ first pages with a tag [+] [0-9,]+ stale [+] [0-9,]+ without [+] 0 undecodable$' <<< "$output")" = 1 ]
	refute grep -q ' live ' <<< "$output"
}
