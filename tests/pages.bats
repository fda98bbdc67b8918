#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What each page of a real dump, $SAMPLE, is and who is charged for it, against /proc/kpageflags,
# /proc/kpagecgroup and the kernel's own counters.

load helper
load dump

setup_file() {
	of_sample
	ask_in_one
}

@test "what pages are equals /proc/kpageflags, and where compound pages start" {
	# Pages whose owner has not changed since it was told, if the kernel has the time;
	# those that were free when their flags were told have become something since.
	records_time || return 0
	jq -r --argjson t0 "$T0" 'select(.record == "row" and .allocated and .last_migrate_reason == null and
		.ts_ns < $t0) |
		"\(.pfn) \(.type) \(.head_pfn)"' "$SAID/types.json" > "$OUT/state.txt"
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

# Of tests/probe: "class NAME PAGES" of all pages, "owned NAME PAGES", "counter NAME N".
@test "every page of System RAM has one class, as many as the kernel's own counters have at the panic" {
	local -A n=()
	local what name pages large tags embedded

	while read -r what name pages; do
		n[$what $name]=$pages
	done < "$SAID/probe"
	[ "${n[class -]} ${n[owned -]} ${n[unreadable -]}" = '0 0 0' ]
	refute grep '^problem' "$SAID/probe"
	[ "$(awk '$1 == "class" { n += $3 } END { print n }' "$SAID/probe")" = "$(summary_of list .ram_pages)" ]
	[ "$(awk '$1 == "owned" { n += $3 } END { print n }' "$SAID/probe")" = "$(summary_of list .live)" ]
	# No page of these that page_owner does not call live, and none of its live pages is free.
	for name in slab vmalloc pgtable anon file shmem percpu kstack zsmalloc; do
		[ "${n[class $name]}" = "${n[owned $name]}" ]
	done
	for name in buddy reserved removed free; do
		[ "${n[owned $name]}" = 0 ]
	done
	# But those that CPUs kept when page_owner started, and keep: they got a record, without flags.
	[ "${n[owned pcp]}" = "$(of list 'select(.class == "pcp" and .allocated and .gfp_mask == "0x0" and .order == 0) | .pfn' | wc -l)" ]
	[ "${n[class direct]}" = "$((n[owned direct] + n[owned early] + n[owned pcp]))" ]

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
	# Stacks that are no smaller than a page of this size are not mapped page by page. Up to 5.2 nothing counts these.
	[ "$(awk '$1 == "VmallocUsed:" { print $2 }' "$TRUTH/meminfo")" = 0 ] ||
		[ "$((n[class vmalloc] + (PAGE < 16384 ? n[class kstack] : 0)))" = "$((n[counter nr_vmalloc] + tags))" ]
	# The first chunk is early memory.
	embedded=$(sed -n 's/.*percpu: Embedded \([0-9]*\) pages.*/\1/p' "$TRUTH/dmesg")
	# Without SMP it has PCPU_MIN_UNIT_SIZE, 32 KiB.
	[ -n "$embedded" ] || embedded=$((32768 / PAGE))
	[ "${n[class percpu]}" = "$(((n[counter pcpu_nr_populated] - embedded) * n[counter pcpu_nr_units]))" ]
	[ "${n[class percpu]}" -ge 100 ]
	# Large kmalloc is slab to the kernel since 5.4; it says so of the page itself since 6.15 alone. Of
	# some early pages, which have no stack, nothing tells it.
	large=$(jq -r 'select(.record == "stack" and any(.stack[]; .symbol // "" | test("^(_*kmalloc_large_node|kmalloc_large|kmalloc_order)(_noprof)?$"))) | .handle' \
		"$LIST/rest.json" | awk 'NR == FNR { large[$1]; next } $1 in large { n++ } END { print n + 0 }' - \
		<(listed '@allocated == "true" && @class == "direct" { print @handle }'))
	[[ $SAMPLE != 4.* ]] || large=0
	pages=$((n[counter nr_slab_reclaimable] + n[counter nr_slab_unreclaimable] - n[class slab] - large))
	[ "$pages" -ge 0 ]
	[ "$pages" -le "$([ "$large" = 0 ] && echo 0 || echo 32)" ]
	[ "${n[class slab]}" -gt 1000 ]
}

@test "stacks of threads: one for each task, each idle CPU, and those that CPUs keep" {
	local kstack told cpus threads bytes

	kstack=$(listed '@allocated == "true" && @class == "kstack"' | wc -l)
	told=$(awk '$2 == "nr_kernel_stack" { print $3 }' "$SAID/probe")
	cpus=$(meta_of list .cpus)
	threads=$(of faults .pid | wc -l)
	# The first CPU's idle task has its stack in the image.
	bytes=$((told * 1024 / (threads + cpus - 1)))
	[ "$bytes" = 16384 ]
	[ "$((told * 1024 % bytes))" = 0 ]
	[ "$((kstack * PAGE % bytes))" = 0 ]
	[ "$((kstack * PAGE - told * 1024))" -ge 0 ]
	[ "$((kstack * PAGE - told * 1024))" -le $((2 * cpus * bytes)) ]
}

# Columns of each class of pageowner -m.
accounted() {
	jq -r "select(.record == \"row\") | $1" "$SAID/memory"
}

@test "reasons of differences: their figures add up, none is unknown" {
	[ -z "$(accounted 'select(.difference_pages != null and .difference_pages != 0 and
		(.cause == null or .cause == "unknown")) | .class')" ]
	# VmallocUsed, from 5.3: thread stacks, and the alloc tags of modules, which it does not count.
	[ "$(awk '$1 == "VmallocUsed:" { print $2 }' "$TRUTH/meminfo")" = 0 ] || [ "$(accounted '. ' | jq -r -s '(map(select(.class == "kstack"))[0].pages) as $stacks | .[] |
		select(.class == "vmalloc" and (.difference_pages // 0) != 0) |
		($stacks + .difference_pages) - (.cause | if test("alloc tags") then capture("not (?<n>[0-9]+) page").n | tonumber else 0 end)')" = 0 ]
	for class in anon kstack; do
		[ "$(accounted "select(.class == \"$class\") | [(.cause // \"\" | [scan(\"[0-9,]+ \") | gsub(\"[, ]\"; \"\") | tonumber] | add // 0),
			.difference_pages] | .[0] == .[1]")" = true ]
	done
	[ "$(accounted 'select(.class == "kstack") | .difference_pages')" -gt 0 ]
}

@test "LOG is what the last report in the log says, COUNTED what the counters have at the panic" {
	local report

	report=$(tr -d '\r' < "$TRUTH/console" | awk '/Mem-Info:/ { text = "" } { text = text " " $0 } END { print text }')
	told() {	# NAME...: sum of the counters with these names
		local name n=0
		for name; do
			n=$((n + $(grep -o -E "[ :]$name:[0-9]+ " <<< "$report " | head -n 1 | tr -dc '0-9 ' | xargs)))
		done
		echo "$n"
	}
	[ "$(accounted 'select(.log_pages != null) | "\(.class) \(.log_pages)"' | grep -E '^(slab|shmem|buddy|pcp|pgtable) ' | sort | xargs)" = \
		"buddy $(told free) $([ "$(told free_pcp)" = 0 ] || echo "pcp $(told free_pcp) ")pgtable $(told pagetables) shmem $(told shmem) slab $(told slab_reclaimable slab_unreclaimable)" ]
	ask $MODE 'pageowner -m -n 1' > "$OUT/one"
	grep -q -E '^LOG: report of the OOM killer, [0-9]+[mn]s before the panic, without per-CPU deltas$' "$OUT/one"
	head -n 1 "$OUT/one" | grep -q ' COUNTED *DIFF *LOG *REASON$'
}

@test "owners that live are the processes on the list, and those of no process" {
	local live dead

	read -r live dead < <(awk '$1 == "life" { n[$2] = $3 } END { print n["live"], n["dead"] }' "$SAID/probe")
	# Kernels that do not record it have 0 in its place. No pid was used twice in the guest.
	[ "$live $dead" = "$(awk 'NR == FNR { alive[$1]; next } $1 in alive || $1 == 0 { live++; next } { dead++ }
		END { print live + 0, dead + 0 }' <(of faults .tgid) <(listed '@allocated == "true" { print (@tgid == "null" ? 0 : @tgid) }'))" ]
	[ "$live" -gt $((5000 * 4096 / PAGE)) ]
	[[ "$dead" -gt $((5000 * 4096 / PAGE)) || "$(listed '{ print @tgid; exit }')" = null ]]
}

@test "classes of the fixture's pages, and of pages whose flags the kernel told" {
	listed '@allocated == "true" { printf "0x%x %s\n", @pfn, @class }' | sort > "$OUT/classes"
	class_of() { join <(ledger "$1" | sort -u) "$OUT/classes" | awk '{ print $2 }' | sort | uniq -c | xargs; }
	[ "$(class_of leaky_vmalloc)" = "$(ledger leaky_vmalloc | wc -l) vmalloc" ]
	[ "$(class_of leaky_rx_refill)" = "$(ledger leaky_rx_refill | wc -l) direct" ]
	[ "$(class_of leaky_order3_plain)" = "$(ledger leaky_order3_plain | wc -l) direct" ]
	[[ "$(class_of leaky_kmalloc_large)" =~ ^[0-9]+' '(slab|direct)$ ]]
	records_time || return 0
	listed '@allocated == "true" && @last_migrate_reason == "null" && @ts_ns < '"$T0"' { print @pfn, @class }' > "$OUT/classes"
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
	records_time && has kpagecgroup.base64 || return 0
	# It has inodes: each must be one path, and each path one inode.
	listed '@allocated == "true" && @last_migrate_reason == "null" && @ts_ns < '"$T0"' && @head { print @pfn, @memcg }' > "$OUT/memcg.txt"
	run awk 'NR == FNR { inode[NR - 1] = $1; next } { i = inode[$1]; sub(/^[^ \t]+[ \t]/, ""); print i, $0 }' \
		<(base64 -d "$TRUTH/kpagecgroup.base64" | od -An -v -w8 -t u8 | tr -d ' ') "$OUT/memcg.txt"
	# No inode: not charged, or a slab.
	grep -qx '0 \[not charged\]' <<< "$output"
	sed 's/\[.*\]/none/' <<< "$output" | sort -u > "$OUT/pairs"
	[ "$(cut -d ' ' -f 1 "$OUT/pairs" | sort -u | wc -l)" = "$(wc -l < "$OUT/pairs")" ]
	[ "$(cut -d ' ' -f 2 "$OUT/pairs" | sort -u | xargs)" = '/ /db /web none' ]
	grep -qx '0 none' "$OUT/pairs"
}

# Two pages of each class, of no record and outside of System RAM; second pages of compound pages.
some_pages() {
	listed '{ if (n[@class]++ < 2) print @pfn }'
	echo 0; echo 100; echo 160
	jq -r 'select(.record == "row" and .pfn == .head_pfn + 1) | .pfn' "$SAID/types.json" | head -n 5
}

@test "one page, one answer: alone, in a range and in allocprof; flags of a tail are its head's" {
	local pages pfn all='' ranges='' commands=()

	mapfile -t pages < <(some_pages | sort -nu)
	for pfn in "${pages[@]}"; do
		all+=" pfn:$pfn" ranges+=" pfn:$pfn-$pfn"
	done
	# A look-up asks for the classes of all pages: some pages are commands of their own.
	for pfn in "${pages[@]:0:4}"; do
		commands+=("pageowner -j pfn:$pfn >> $OUT/own")
	done
	ask $MODE "${commands[@]}" "pageowner -j$all > $OUT/alone" "pageowner -j$ranges > $OUT/range" "pageowner$all > $OUT/text" \
		"allocprof -j$all -o pfn,class > $OUT/allocprof"
	for file in alone range allocprof own; do
		jq -r 'select(.record == "row") | "\(.pfn) \(.class)"' "$OUT/$file" > "$OUT/$file.classes"
	done
	diff "$OUT/alone.classes" "$OUT/range.classes"
	diff "$OUT/alone.classes" "$OUT/allocprof.classes"
	diff <(head -n 4 "$OUT/alone.classes") "$OUT/own.classes"
	[ "$(wc -l < "$OUT/alone.classes")" = "${#pages[@]}" ]
	# The text has the class of each, with a record or without.
	diff <(cut -d ' ' -f 2 "$OUT/alone.classes") <(sed -n 's/^  now \([^ ,]*\).*/\1/p' "$OUT/text")
	jq -r 'select(.record == "row" and .pfn == .head_pfn + 1) | "pfn:\(.pfn) pfn:\(.head_pfn)"' "$SAID/types.json" |
		head -n 5 > "$OUT/tails"
	[ "$(wc -l < "$OUT/tails")" = 5 ]
	ask $MODE "pageowner $(xargs < "$OUT/tails")" | sed -n 's/^  now .*flags \([^,]*\).*/\1/p' > "$OUT/flags"
	[ "$(wc -l < "$OUT/flags")" = 10 ]
	[ "$(paste - - < "$OUT/flags" | awk '$1 != $3')" = '' ]
}

@test "files: the pages of all rows are those of the classes, each inode has the pages that it counts" {
	local class

	for class in file shmem; do
		[ "$(of files "select(.class == \"$class\") | .pages" | awk '{ n += $1 } END { print n + 0 }')" = \
			"$(awk -v class=$class '$1 == "class" && $2 == class { n = $3 } END { print n + 0 }' "$SAID/probe")" ]
	done
	[ "$(of files 'select(.difference_pages != 0) | .file')" = '' ]
	[ "$(jq -r 'select(.record == "total") | .difference_pages' "$SAID/files.json" | sort -u)" = 0 ]
	[ "$(summary_of files '.complete, (.warnings | length)' | xargs)" = 'true 0' ]
	# What the guest wrote, it told to its console as well.
	[ "$(of files 'select(.file == "/run/dmesg" and .fs_type == "tmpfs" and .deleted == false and .used_by == "") | .file_bytes')" = \
		"$(wc -c < "$TRUTH/dmesg")" ]
	[ "$(of files 'select(.file == "/run/cgroups") | .file_bytes')" = "$(wc -c < "$TRUTH/proc_cgroup")" ]
	# Shared by fork, swapped out before the panic.
	[[ "$(of files 'select(.file_kind == "shared_anon" and .pages + .swapped_pages == 1024) | .mapped_by')" = *'(pg_buffers)' ]]
	[ "$(of files 'select(.file == "/init") | .opened_by')" = '1(init)' ]
	# Every process, however many.
	[[ "$(of files 'select(.file == "/bin/work" and .mapped_pages > 0) | .mapped_by')" =~ ^[0-9]+\([a-z_]+\)(,\ [0-9]+\([a-z_]+\)){5,}$ ]]
	# Each of its users was there, by /proc, but for the one that began after that and ate the memory.
	of files .used_by | grep -o '[0-9]*([^)]*)' | tr '()' '  ' | while read -r pid comm; do
		[ "$comm" = hungry ] || grep -q "^$pid ($comm) " "$TRUTH/task_stat" || { echo "$pid $comm"; exit 1; }
	done
}

@test "memowner pages -t list: pages in use in rising order, each once, as pageowner -t list -a and pages -g have them" {
	ask $MODE "memowner pages -t list -j -o pfn,pages,class,memcg,node,zone,type > $OUT/runs.json" \
		"memowner pages -t list -j -o pfn,pages,head_pfn -f class=slab > $OUT/heads.json" \
		"memowner pages -t list -n 3 -o +page_flags > $OUT/runs" "memowner pages -g class -j > $OUT/states.json"
	# One row after the other, and none could be longer.
	run jq -r -n 'reduce (inputs | select(.record == "row")) as $r ({};
		if .end and $r.pfn < .end then .bad += 1 else . end |
		if .end == $r.pfn and .was == ($r | del(.pfn, .pages)) then .bad += 1 else . end |
		.end = $r.pfn + $r.pages | .was = ($r | del(.pfn, .pages))) | .bad // 0' "$OUT/runs.json"
	[ "$output" = 0 ]
	diff <(of runs '[.class, .pages] | @tsv' | awk '{ n[$1] += $2 } END { for (c in n) print c, n[c] }' | sort) \
		<(of states '[.class, .pages] | @tsv' | tr '\t' ' ' | sort)
	# A page that has a record is what the list of records says it is.
	of runs '[.pfn, .pages, .class, .memcg // "null", .node, .zone] | @tsv' |
		awk -F '\t' '{ for (i = 0; i < $2; i++) print $1 + i "\t" $3 "\t" $4 "\t" $5 "\t" $6 }' > "$OUT/in_use"
	of list 'select(.allocated and .class != "pcp" and .class != "early") |
		[.pfn, .class, .memcg // "null", .node, .zone] | @tsv' > "$OUT/owned"
	[ "$(wc -l < "$OUT/owned")" -gt 5000 ]
	[ "$(sort "$OUT/owned" | comm -13 <(sort "$OUT/in_use") -)" = '' ]
	# Slabs side by side are told apart by where they begin.
	of heads 'select(.pfn != .head_pfn)' > "$OUT/unheaded"
	[ ! -s "$OUT/unheaded" ]
	[ "$(of heads .pages | sort -nu | wc -l)" -ge 3 ]
	grep -q ' more rows (-n 0 shows all)' "$OUT/runs"
	grep -q 'FLAGS$' "$OUT/runs"
	[ "$(summary_of runs .complete)" = true ]
}

@test "an allocation without gfp flags has gfp 0, and -f gfp=0 keeps all of these" {
	ask $MODE "pageowner -t list -f gfp=0 -j > $OUT/gfp.json"
	of list 'select(.gfp_mask == "0x0" and .allocated and .pfn % pow(2; .order) == 0) | .pfn' > "$OUT/gfp.list"
	[ -s "$OUT/gfp.list" ]
	diff "$OUT/gfp.list" <(of gfp '.pfn')
	[ "$(of gfp .gfp | sort -u)" = 0 ]
}
