#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# $SAMPLE as a file that was cut off: what it says is what the whole dump says, or it is unknown.

load helper
load dump

setup_file() {
	local size percent
	of_sample
	size=$(stat -L -c %s "$DIR/vmcore")
	ask_cut "$DIR/vmcore" whole
	# One copy: some have hundreds of megabytes.
	cp "$DIR/vmcore" "$OUT/cut"
	chmod u+w "$OUT/cut"
	for percent in 96 90 50; do
		truncate -s $((size * percent / 100)) "$OUT/cut"
		ask_cut "$OUT/cut" $percent
	done
	rm "$OUT/cut"
}

views() {
	sed -n 's/^\([a-z.]*\.json\) \([^$]* -j.*\)$/\1 \2/p' "$TESTS/answers" | grep -v -e '-t list' -e truth/
	printf '%s\n' 'memory.json pageowner -m -j' 'caches.all memowner caches -n 0 -j' 'counted.json memowner counted -n 0 -j'  'page.json pageowner pfn:0x2000 -j' \
		'depot.health depot -i -j'
}

# What is asked of a file that was cut off a little.
more() {
	printf '%s\n' 'at.files memowner files -j' 'at.caches memowner caches -j' 'at.vmalloc memowner vmalloc -j' \
		'at.fragmentation memowner fragmentation 4 -j' 'at.text memowner fragmentation 4' \
		'at.scan depot -i -a -j' 'at.all depot -a -n 1' 'at.checked depot -v' 'at.defects depot -v -j' 'at.counters pageowner -k -n 1' \
		'at.rcu memowner rcu' 'at.shrinkers memowner shrinkers -n 0' 'at.shrinkers.json memowner shrinkers -n 0 -j'
}

# Each view in one run of the program.
ask_cut() {	# DUMP NAME
	mkdir "$OUT/$2"
	{
		views
		[[ $2 != 9* ]] || more
	} | sed "s|^\([^ ]*\) \(.*\)|\2 > $OUT/$2/\1|" > "$OUT/commands"
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" -i "$OUT/commands" "$1" 2> "$OUT/$2.err" || [ $? = 1 ]
}

end_of() {	# NAME FILTER FILE
	tail -n 1 "$OUT/$1/$3" | jq -r "$2"
}

# ends NAME: "VIEW STATUS COMPLETE" of each
ends() {
	local names

	mapfile -t names < <(views | cut -d ' ' -f 1)
	(cd "$OUT/$1" && tail -q -n 1 "${names[@]}") | jq -r '"\(.status) \(.complete)"' | paste -d ' ' <(printf '%s\n' "${names[@]}") -
}

@test "an answer that is complete is that of the whole dump, and so is each reason why there is none" {
	local name percent status complete whole n=0 asked=0

	for percent in 96 90 50; do
		while read -r name status complete whole _; do
			asked=$((asked + 1))
			case $status in
			not_in_dump | corrupt) ;;
			*) [ "$status" = "$whole" ] || { echo "$percent $name"; tail -n 1 "$OUT/$percent/$name"; false; } ;;
			esac
			[ "$complete" = true ] || continue
			n=$((n + 1))
			diff <(grep '"record":"row"' "$OUT/whole/$name") <(grep '"record":"row"' "$OUT/$percent/$name")
		done < <(paste -d ' ' <(ends $percent) <(ends whole | cut -d ' ' -f 2-))
	done
	[ $n -ge 3 ]
	[ $asked = $((3 * $(views | wc -l))) ]
}

@test "nothing is said not to be mapped because a page table is not in the dump" {
	local percent

	for percent in 96 90 50; do
		comm -23 <(grep -rhoE '[^":]* is not mapped' "$OUT/$percent" | sort -u) <(grep -rhoE '[^":]* is not mapped' "$OUT/whole" | sort -u) \
			| refute grep .
	done
}

@test "rcu: a CPU whose callbacks are not in the dump leaves no number of them that is all" {
	local percent

	for percent in 96 90; do
		if grep -q 'callbacks of RCU, .* may be missing' "$OUT/$percent/at.rcu"; then
			refute grep -E '^[0-9,]+ callback' "$OUT/$percent/at.rcu"
		fi
	done
}

@test "no warning ends where its reason should stand" {
	grep -rE '^(warning|unknown) .*: *$' "$OUT" | refute grep .
}

@test "counted: no difference of pages that are unknown" {
	jq -c 'select(.record == "row" and .pages == null and .difference_pages != null)' "$OUT"/*/counted.json | refute grep .
}

@test "no section of the summary vanishes without a word" {
	local percent section part

	for percent in 96 90 50; do
		while read -r section part; do
			grep -q "\"record\":\"$section\"" "$OUT/whole/summary.json" || continue
			grep -q "\"record\":\"$section\"" "$OUT/$percent/summary.json" ||
				jq -e --arg part "$part" 'select(.record == "summary") | any(.unknown[]; .part == $part)' "$OUT/$percent/summary.json" ||
				{ echo "$percent $section"; false; }
		done <<- 'END'
			class classes
			owner owners
			cache caches
			file files
			site sites
			process processes
			oom panic, OOM report
		END
		[ "$(end_of $percent .complete summary.json)" = false ]
	done
}

@test "pages are told where the resource tree is not, the zones by the log" {
	[ "$(end_of 96 '.warnings | map(select(startswith("the resource tree is not in the dump; using "))) | length' memory.json)" = 1 ]
	# What the log said of classes, and the pages that cannot be read.
	[ "$(jq -r 'select(.class == "unreadable") | .pages > 20000' "$OUT/96/memory.json")" = true ]
	# None that was seen is not none.
	jq -e -s 'map(select(.record == "row" and .log_pages > 0)) | length > 3 and all(.pages == null or .pages > 0)' "$OUT/96/memory.json"
	for class in slab pgtable shmem; do
		[ "$(jq -r "select(.class == \"$class\") | .log_pages" "$OUT/96/memory.json")" = \
			"$(jq -r "select(.class == \"$class\") | .log_pages" "$OUT/whole/memory.json")" ]
	done
	[ "$(jq -r 'select(.record == "logged") | "\(.node) \(.zone) \(.free_pages) \(.min_pages)"' "$OUT/96/zones.json")" = \
		"$(jq -r 'select(.record == "logged") | "\(.node) \(.zone) \(.free_pages) \(.min_pages)"' "$OUT/whole/zones.json")" ]
	[ "$(end_of 96 .status zones.json)" = ok ]
	# It has no struct page that could be read.
	refute grep -E 'is no struct page|no pfn' "$OUT/96/memory.json"
	[ "$(jq -r 'select(.record == "row") | .class' "$OUT/96/page.json")" = null ]
}

@test "fragmentation: what no struct page says is unknown, not 0" {
	local json=$OUT/90/at.fragmentation

	jq -e -s 'map(select(.record == "row")) | length > 0 and
		all(.[]; .unknown_blocks == 0 or ([.whole_blocks, .movable_blocks, .reclaimable_blocks, .unmovable_blocks] | all(. != 0)))' "$json"
	jq -e -s 'map(select(.record == "type")) | length > 0 and
		all(.[]; .unknown_pages == 0 or ([.listed_pages, .pcp_pages, .movable_pages, .reclaimable_pages, .unmovable_pages] | all(. != 0)))' "$json"
	jq -e -s 'all(.[] | select(.record == "type"); .unknown_blocks == 0 or .lost_blocks != 0)' "$json"
	grep -E '^order 4: unknown: each of [0-9,]+ blocks has a page of unknown use$' "$OUT/90/at.text"
}

@test "files, caches, vmalloc: of a class of which no page was seen, and others cannot be, the number is unknown" {
	local view

	for view in files caches vmalloc; do
		jq -e -s 'map(select(.record == "total")) | length > 0 and all(.[]; .pages != 0 and (.pages != null or .difference_pages == null))' "$OUT/96/at.$view" ||
			{ echo "$view"; grep '"total"' "$OUT/96/at.$view"; false; }
	done
}

@test "depot and pageowner -k: records that are not in the dump are not 0, and have no verdict" {
	local percent counts='map(select(.record == "row") | {key: .name, value: .count}) | from_entries'

	for percent in 96 90; do
		(cd "$OUT/$percent" && refute grep -E '^checked 0 records.*: no defect|^0 records in|^0 stacks, ' at.checked at.all at.counters)
		jq -e -s "$counts"' | .bad_chains == null or .bad_chains == 0 or (.records != 0 and .frames != 0 and .chains > 0)' "$OUT/$percent/at.scan"
		jq -e -s "$counts"' | .owned_pages != 0' "$OUT/$percent/at.scan"
		jq -e -s 'map(select(.record == "checked") | {key: .name, value: .count}) | from_entries |
			.records != 0 or .missing_pools + .missing_chains + .missing_buckets == 0 or .defects == null' "$OUT/$percent/at.defects"
	done
}

@test "classes: the difference of pages that are unknown is null, as the schema has it" {
	grep '"pages":null.*"difference_pages":null' "$OUT/96/memory.json"
	"$TESTS/tools/validate" "$OUT/96/memory.json"
}

@test "shrinkers: what is not in the dump is not what only a function could tell" {
	local unread only

	only=$(sed -n 's/^.* only a function of the kernel could tell for //p' "$OUT/96/at.shrinkers")
	unread=$(sed -n 's/^warning: how many objects there are is not in this dump for \([0-9]*\) .*/\1/p' "$OUT/96/at.shrinkers")
	[ -z "$only" ] || [ $((only + ${unread:-0})) = "$(jq -s 'map(select(.record == "row" and .objects == null)) | length' "$OUT/96/at.shrinkers.json")" ]
}
