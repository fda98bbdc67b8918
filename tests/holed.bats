#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# $SAMPLE is a dump with holes, of the same memory as $LIKE, which has none: the
# answers are those of the whole dump, less what the holes cost, and that is told.

load helper

setup_file() {
	export OUT=$BATS_FILE_TMPDIR
	local sample said name

	for sample in $SAMPLE $LIKE; do
		said=$(SAMPLE=$sample answers ${MODES##* })
		for name in list top alloc faults trace; do
			ln -s "$said/$name.json" "$OUT/$name.$sample"
		done
		ln -s "$said/blocked.txt" "$OUT/blocked.$sample"
		run_crash "$BUILD/samples/$sample/vmlinux" "$BUILD/samples/$sample/vmcore" $(option_of $DOOR) -- \
			"pageowner -D > $OUT/notes.$sample" "allocprof -D > $OUT/sites.$sample" > "$OUT/crash.txt"
		[ ! -s "$OUT/crash.txt" ]
		# Beside a view that is text of another format.
		refute grep -v '^pageowner: modules of some functions unknown: ' "$said/said"
	done
}

rows() {	# NAME DUMP
	grep '"record":"\(row\|stack\)"' "$OUT/$1.$2"
}

summary() {	# NAME FILTER [DUMP]
	tail -n 1 "$OUT/$1.${3:-$SAMPLE}" | jq -r "select(.record == \"summary\") | $2"
}

# Whether the page of a direct-map address was dumped.
dumped() {	# DUMP ADDRESS
	local base

	base=$(sed -n 's/.*direct map \(0x[0-9a-f]*\)-.*/\1/p' "$OUT/notes.$1")
	"$BUILD/tools/kdump" has "$BUILD/samples/$1/vmcore" $((($2 - base) >> 12)) 1
}

# The address that a warning names was in the whole dump, and is not in this one.
is_hole() {	# WARNING
	local address=${1##* at }

	address=${address%% *}
	[ "$(dumped "$LIKE" "$address")" = yes ] || return 1
	[ "$(dumped "$SAMPLE" "$address")" = no ]
}

@test "pageowner: every record and every stack of the whole dump" {
	for name in list top; do
		# But for classes, which depend on more of the dump, and shares of System RAM. The sections
		# of leaky are in a hole: the module of a frame of its init is unknown.
		for dump in "$LIKE" "$SAMPLE"; do
			rows $name "$dump" |
				awk '{ sub(/,"class":("[a-z]*"|null)/, ""); sub(/,"ram_percent":[0-9.]+/, "")
					gsub(/"symbol":null,"offset":null,"module":(null|"leaky")/, "\"symbol\":null"); gsub(/"label":("init"|"unknown")/, "\"label\":0") } 1' > "$OUT/rows.$dump"
		done
		diff "$OUT/rows.$LIKE" "$OUT/rows.$SAMPLE"
		is_hole "$(summary $name '.warnings[] | select(startswith("modules of some functions unknown: "))')"
	done
	[ "$(rows list "$SAMPLE" | wc -l)" -gt 70000 ]
	[ "$(summary list '.status, .complete, .unreadable, .undecodable' | xargs)" = 'ok false 0 0' ]
	[ "$(summary list '.live, .freed' | xargs)" = "$(summary list '.live, .freed' "$LIKE" | xargs)" ]
	[ "$(summary list '.warnings | length')" = 4 ]
	[[ "$(summary list '.warnings[1]')" = 'the resource tree is not in the dump; using zone spans, holes included: struct resource at 0x'*' is not in this dump' ]]
	is_hole "$(summary list '.warnings[1]')"
}

@test "classes of pages: those of the whole dump, or unknown" {
	[[ "$(summary list '.warnings[0]')" = 'page classes are incomplete: vmalloc: vmap_area at 0x'*' is not in this dump' ]]
	is_hole "$(summary list '.warnings[0]')"
	classes() { rows list "$1" | awk -F '"class":' '/"record":"row"/ { sub(/,.*/, "", $2); gsub(/"/, "", $2); print $2 }'; }
	[ "$(classes "$LIKE" | wc -l)" = "$(rows list "$LIKE" | grep -c '"record":"row"')" ]
	paste <(classes "$LIKE") <(classes "$SAMPLE") | sort | uniq -c > "$OUT/classes"
	# All that struct page says of itself; of what others list, what can be reached.
	[ -z "$(awk '$2 != $3 && $3 != "null" || $2 ~ /slab|pgtable|anon|shmem|zsmalloc/ && $2 != $3' "$OUT/classes")" ]
	awk '$2 == "vmalloc" && $3 == "null" { lost = $1 } $2 == "vmalloc" && $3 == $2 { n = $1 }
		$2 == "direct" && $3 != "null" { bad = 1 } END { exit !(lost > 0 && n > 1000 && !bad) }' "$OUT/classes"
}

# The codetag_module of leaky is in a hole: the symbols that bound its tags lead to them.
@test "direct pages by lists: what could not be read is unknown, and so is the rest" {
	"$BUILD/memowner" --vmlinux "$BUILD/samples/$SAMPLE/vmlinux" "$BUILD/samples/$SAMPLE/vmcore" counted -j > "$OUT/counted"
	[ "$(jq -r 'select(.record == "row") | .pages' "$OUT/counted" | sort -u)" = null ]
	[ "$(jq -r 'select(.record == "part") | .pages' "$OUT/counted" | sort -u)" = null ]
	[ -n "$(jq -r 'select(.record == "part" and .name == "rest") | .cause // ""' "$OUT/counted")" ]
	[ "$(tail -n 1 "$OUT/counted" | jq .complete)" = false ]
	is_hole "$(tail -n 1 "$OUT/counted" | jq -r '.warnings[] | select(startswith("pages of ftrace may be missing: "))')"
}

@test "allocprof: all sites, those of a module included of which the kernel's own list is cut" {
	diff <(rows alloc "$LIKE") <(rows alloc "$SAMPLE")
	[ "$(grep -c '"module":"leaky"' "$OUT/alloc.$SAMPLE")" -gt 5 ]
	[ "$(summary alloc '.status, .complete' | xargs)" = 'ok true' ]
	grep -q 'tags of modules by their symbols: codetag_module at 0x.* is not in this dump' "$OUT/sites.$SAMPLE"
	is_hole "$(sed -n 's/.*tags of modules by their symbols: //p' "$OUT/sites.$SAMPLE")"
}

@test "the summary: users are those of what is known" {
	"$BUILD/memowner" --vmlinux "$BUILD/samples/$SAMPLE/vmlinux" "$BUILD/samples/$SAMPLE/vmcore" 2> "$OUT/err" | grep -q -x 'users .* NAME (.*; of what is known)'
}

@test "faults: the threads that can be reached; the others are counted" {
	local told all

	told=$(summary faults '.warnings[0]' | sed -n 's/^\([0-9]*\) of \([0-9]*\) threads are not in this dump: .*/\1 \2/p')
	all=$(rows faults "$LIKE" | wc -l)
	[ "$told" = "$((all - $(rows faults "$SAMPLE" | wc -l))) $all" ]
	[ "${told% *}" -gt 0 ]
	is_hole "$(summary faults '.warnings[0]')"
	[ "$(summary faults .complete)" = false ]
	# What is shown is right; a parent that is missing is unknown, as is a missing mm.
	run jq -n -r --slurpfile whole "$OUT/faults.$LIKE" --slurpfile holed "$OUT/faults.$SAMPLE" '
		($whole | map(select(.record == "row") | {key: (.pid | tostring), value: .}) | from_entries) as $by_pid |
		$holed[] | select(.record == "row") | . as $row | to_entries[] |
		select(.value != $by_pid[$row.pid | tostring][.key] and .value != null) |
		"\($row.pid) \(.key)" + if .key == "comm" and (.value as $start | $by_pid[$row.pid | tostring].comm |
			startswith($start)) then " cut" else "" end'
	[ "$(grep -v ' comm cut$' <<< "$output")" = '' ]
	# Names that are cut are counted.
	told=$(summary faults '.warnings[]' | sed -n 's/^the names of \([0-9]*\) kernel threads are incomplete: .*/\1/p')
	[ "$told" -ge "$(grep -c ' comm cut$' <<< "$output")" ]
	[ "$(grep -c ' comm cut$' <<< "$output")" -gt 0 ]
}

@test "processes: of a list of threads that cannot be walked to its end the number is unknown" {
	local dump

	for dump in "$LIKE" "$SAMPLE"; do
		"$BUILD/memowner" --vmlinux "$BUILD/samples/$dump/vmlinux" "$BUILD/samples/$dump/vmcore" processes -a -n 0 -j |
			jq -c 'select(.record == "row" and .pid) | [.pid, .threads, .blocked_threads]' | sort > "$OUT/threads.$dump"
	done
	grep -q ',null,null\]' "$OUT/threads.$SAMPLE"
	grep -v ',null,null\]' "$OUT/threads.$SAMPLE" | comm -23 - "$OUT/threads.$LIKE" | refute grep .
}

@test "faults -g: nor are the threads of a group counted of which the list has a hole" {
	local dump key

	for key in tgid comm; do
		for dump in "$LIKE" "$SAMPLE"; do
			"$BUILD/memowner" --vmlinux "$BUILD/samples/$dump/vmlinux" "$BUILD/samples/$dump/vmcore" faults -g $key -n 0 -j |
				jq -c --arg key $key 'select(.record == "row") | [.[$key], .threads]' | sort > "$OUT/groups.$dump"
		done
		grep -q ',null\]' "$OUT/groups.$SAMPLE"
		grep -v ',null\]' "$OUT/groups.$SAMPLE" | comm -23 - "$OUT/groups.$LIKE" | refute grep .
	done
}

@test "faults -b: threads that the list does not reach are unknown" {
	[ "$(tail -n 1 "$OUT/blocked.$SAMPLE" | sed 's/of [0-9]* threads/of N threads/')" = \
		'1 of N threads is inside a page fault; unknown of threads that the task list does not reach' ]
	[ "$(tail -n 1 "$OUT/blocked.$LIKE" | sed 's/of [0-9]* threads/of N threads/')" = '1 of N threads is inside a page fault' ]
}

# The lists of the fields of events and the ring buffers are in holes; the fields are of the types of
# vmlinux, and an event that can be read is that of the whole dump.
@test "faults -e: no event that the whole dump has not, and what is missing is told" {
	[ -z "$(comm -23 <(rows trace "$SAMPLE" | sort) <(rows trace "$LIKE" | sort))" ]
	[ "$(summary trace .complete)" = false ]
	[[ "$(summary trace '.warnings[-1]')" = 'no event was found, but not all trace buffers can be read' ]]
	is_hole "$(summary trace '.warnings[]' | grep -m 1 ' at 0x')"
}

@test "the summary: deadlocks are unknown where stuck does not see all threads, with its reason" {
	"$BUILD/memowner" --vmlinux "$BUILD/samples/$SAMPLE/vmlinux" "$BUILD/samples/$SAMPLE/vmcore" -j > "$OUT/summary.json"
	"$BUILD/memowner" --vmlinux "$BUILD/samples/$SAMPLE/vmlinux" "$BUILD/samples/$SAMPLE/vmcore" stuck -j > "$OUT/stuck.json"
	reason=$(tail -n 1 "$OUT/stuck.json" | jq -r 'select(.complete | not) | .warnings[0]')
	[ -n "$reason" ]
	[ "$(tail -n 1 "$OUT/summary.json" | jq -r '.complete, (.unknown[] | select(.part == "deadlocks") | .reason)')" = $'false\n'"$reason" ]
}
