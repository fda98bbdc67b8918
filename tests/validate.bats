#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# tests/tools/validate refuses what it should; and -j of synthetic kernels, most without data.

load helper

VALIDATE=$TESTS/tools/validate

setup_file() {
	BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR synthetic v6_9 "pageowner -t list -j > $BATS_FILE_TMPDIR/list" \
		"pageowner -j > $BATS_FILE_TMPDIR/top" "depot 180001 -j > $BATS_FILE_TMPDIR/records" > "$BATS_FILE_TMPDIR/said"
	# As if struct page were known, which this kernel does not have.
	sed -i -e 's/"complete":false/"complete":true/' -e 's/"unknown":\[.*\]/"unknown":[]/' "$BATS_FILE_TMPDIR/list"
}

# What a command makes of a file is one more that refused asks of, with the message that it wants.
messages=()
refuses() {	# MESSAGE FILE COMMAND...
	local file=$BATS_FILE_TMPDIR/$2 changed=$BATS_TEST_TMPDIR/changed.${#messages[@]}

	messages+=("$1")
	"${@:3}" < "$file" > "$changed"
	refute cmp -s "$file" "$changed"
}

# Each of them is refused: all are asked at once, python reads the schemas once.
refused() {
	local i said

	run "$VALIDATE" "$BATS_TEST_TMPDIR"/changed.*
	[ "$status" = 1 ]
	refute grep -q Traceback <<< "$output"
	for i in "${!messages[@]}"; do
		said=$(grep -F "/changed.$i:" <<< "$output")
		[[ "$said" = *": ${messages[i]}"* || "$said" = *":${messages[i]}"* ]] || { echo "$said, not ${messages[i]}"; return 1; }
	done
}

rows() {	# CHANGE
	jq -c "if .record == \"row\" then $1 else . end"
}

frames() {	# CHANGE
	jq -c "if .record == \"stack\" then .stack[1] |= ($1) else . end"
}

summary() {	# CHANGE
	jq -c "if .record == \"summary\" then $1 else . end"
}

meta() {	# CHANGE
	jq -c "if .record == \"meta\" then $1 else . end"
}

# The first line that matches goes to the end of the rows.
later() {	# PATTERN
	awk -v p="$1" '!kept && $0 ~ p { kept = $0; next } /"record":"summary"/ { print kept } { print }'
}

@test "what is right is taken, one answer or more" {
	run "$VALIDATE" "$BATS_FILE_TMPDIR"/{list,top,records}
	[ "$status" = 0 ]
	[ "$output" = '' ]
	run "$VALIDATE" < <(cat "$BATS_FILE_TMPDIR"/{list,top,records})
	[ "$status" = 0 ]
	[ "$output" = '' ]
}

@test "a row with a missing key, another key, a wrong type or a null where none may be is refused" {
	refuses "pageowner-list: 'pfn' is a required property" list rows 'del(.pfn)'
	refuses 'pageowner-list: Additional properties are not allowed' list rows '.more = 1'
	refuses "pageowner-list.pfn: '16' is not of type 'integer'" list rows 'if .pfn == 16 then .pfn = "16" else . end'
	refuses "pageowner-list.order: 0.5 is not of type 'integer'" list rows 'if .order == 0 then .order = 0.5 else . end'
	refuses "pageowner-list.allocated: 1 is not of type 'boolean'" list rows '.allocated = 1'
	refuses "pageowner-list.handle: None is not of type 'string'" list rows '.handle = null'
	refuses "pageowner-list.handle: '0xABC' does not match" list rows '.handle = "0xABC"'
	refuses "pageowner-list.class: 'fish' is not one of" list rows '.class = "fish"'
	refuses "pageowner-top.stack: '' is not of type 'array', 'null'" top rows '.stack = ""'
	refuses "pageowner-top.pages: -1 is less than the minimum" top rows '.pages = -1'
	refuses 'depot-records.stack: None is not of type' records rows '.stack = null'
	refuses "pageowner-list: 'basis' is a required property" list rows 'del(.basis)'
	refuses "pageowner-top.basis: None is not one of" top rows '.basis = null'
	refuses "depot-records.basis: 'derived' is not one of ['recorded']" records rows '.basis = "derived"'
	refuses 'no JSON: key pfn twice' list sed 's/"pfn"/"pfn":1,&/'
	refuses 'no JSON: NaN is no JSON' list sed 's/"order":0/"order":NaN/'
	refuses 'unknown record rows' list rows '.record = "rows"'
	refused
}

@test "frames are looked at, in stack records and in rows" {
	refuses "stack.stack.1: 'addr' is a required property" list frames 'del(.addr)'
	refuses "stack.stack.1.offset: None is not of type 'integer'" list frames '.offset = null'
	refuses 'stack.stack.1.addr: ' list frames '.addr = 5'
	refuses "stack.stack.1.inlined.0: 'line' is a required property" list frames '.inlined = [{ symbol: "a", file: null }]'
	refuses "pageowner-top.stack.0: 'module' is a required property" top rows 'del(.stack[0].module)'
	refused
}

@test "order: meta first, summary last, a stack before its first row and once" {
	refuses 'no summary line' list sed '$d'
	refuses 'a stack record where a meta line belongs' list sed 1d
	refuses 'a meta line before the summary of the last answer' list sed '1p'
	refuses 'a summary record where a meta line belongs' list sed '$p'
	refuses 'a row record where a meta line belongs' list later '"record":"meta"'
	refuses '0: no meta line' list true
	refuses 'the stack 0x180001 comes behind a row that uses it' list later '"record":"stack","handle":"0x180001"'
	refuses 'no stack 0x180001 and 0 more' list sed '/"record":"stack","handle":"0x180001"/d'
	refuses 'the stack 0x180001 once more' list sed '/"record":"stack","handle":"0x180001"/p'
	refuses 'a stack record in a view that has none' top \
		sed "1r $(grep -m 1 '"record":"stack"' "$BATS_FILE_TMPDIR/list" > "$BATS_TEST_TMPDIR/stack"; echo "$BATS_TEST_TMPDIR/stack")"
	refuses 'no JSON: ' list sed '2ipageowner: out of memory'
	refuses 'no object with a record' list sed '2i[1]'
	refuses 'no object with a record' list sed '2i{"record":5}'
	refused
}

@test "meta and summary: commands, views, states and counts that do not exist" {
	refuses 'unknown view pageowner-fish' list meta '.view = "fish"'
	refuses 'unknown view fish-list' list meta '.command = "fish"'
	refuses 'meta.schema: 2 was expected' list meta '.schema = 1'
	refuses 'meta.panic_time_source: ' list meta '.panic_time_source = "guess"'
	refuses 'summary.status: ' list summary '.status = "fine"'
	refuses "summary: 'complete' is a required property" list summary 'del(.complete)'
	refuses "summary.live: None is not of type 'integer'" list summary '.live = null'
	refuses 'rows_shown is not ' list summary '.rows_shown += 1'
	refuses 'rows_shown is not ' list sed '0,/"record":"row"/{/"record":"row"/d}'
	refuses 'summary.warnings.0: 1 is not of type' list summary '.warnings = [1]'
	refuses 'summary.unknown.0: ' list summary '.unknown = [{part: "caches"}]'
	refuses 'complete with a part that could not be read' list summary '.unknown = [{part: "caches", status: "corrupt", reason: "it loops"}]'
	refused
}

@test "every view of synthetic kernels, with and without data" {
	local views=('pageowner' 'pageowner -t list -a' 'pageowner -t tree' 'pageowner pfn:16-20' 'pageowner -k' 'pageowner -k -t top'
		'pageowner -m' 'pageowner -g module -f state=free' allocprof 'depot 180001 5' 'depot -i' 'depot -i -a' faults 'faults -v' 'faults -e' 'faults -e -g ip' 'faults -t timeline' 'faults -e oom:mark_victim'
		'allocprof -g module' 'allocprof -t tree' "allocprof -d $BATS_TEST_TMPDIR/allocinfo" 'allocprof -P alloc_first' 'allocprof -i'
		'allocprof -c alloc_first' 'allocprof -C' 'allocprof pfn:16')
	local commands n=0

	printf '%s\n' 'allocinfo - version: 1.0' '        4096        1 mm/first.c:10 func:alloc_first ' \
		'           8        1 gone.c:7 func:gone ' > "$BATS_TEST_TMPDIR/allocinfo"

	for kernel in no_owner broken-off broken-no_index broken-moved broken-handle broken-pages broken-free broken-wild_ram v4_19 \
		v5_10-holed v6_9-static v6_17-never raw tags_6_12 tags_6_12-off_at_boot tags_6_12-off_later tags_6_12-no_counters \
		tags_6_17 tags_6_17-debug tasks_6_12 tasks_6_12-loop; do
		commands=()
		for view in "${views[@]}"; do
			n=$((n + 1))
			commands+=("$view -j > $BATS_TEST_TMPDIR/answer.$n")
		done
		synthetic $kernel "${commands[@]}" > "$BATS_TEST_TMPDIR/said"
	done
	"$VALIDATE" "$BATS_TEST_TMPDIR"/answer.*
	[ "$(cat "$BATS_TEST_TMPDIR"/answer.* | jq -r 'select(.record == "summary") | .status' | sort -u | xargs)" = \
		'corrupt not_built off_at_boot off_later ok unknown_layout' ]
	# Without data there are a meta and a summary line; what -i tells is data.
	[ "$(jq -n -r '[inputs | {file: input_filename, status, health: (.command == "allocprof" and .view == "health")}] |
		group_by(.file)[] | select((any(.health) or (last.status | IN("ok", "off_later"))) | not) | length' "$BATS_TEST_TMPDIR"/answer.* |
		sort -u)" = 2 ]
}

@test "doc/json.md names every key and every value of a closed set" {
	jq -r '.properties | to_entries[] | .key, (.value | .const?, .enum[]?) | strings' "$TESTS"/../doc/schema/*.json "$TESTS"/../doc/schema/rules/*.json | sort -u > "$BATS_TEST_TMPDIR/words"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/words")" -gt 150 ]
	while read -r word; do
		grep -q -w -F -e "$word" "$TESTS/../doc/json.md" || echo "$word"
	done < "$BATS_TEST_TMPDIR/words" > "$BATS_TEST_TMPDIR/missing"
	diff "$BATS_TEST_TMPDIR/missing" /dev/null
}

@test "-o help of each view lists what its schema knows" {
	local name call seen='' n=0 commands=()

	echo '{' > "$BATS_TEST_TMPDIR/json"
	while IFS=$'\t' read -r name call; do
		# A view of several nouns is asked once; one of JSON needs a file that begins so.
		[[ $name != *-*-* && " $seen " != *" $name "* ]] || continue
		seen+=" $name"
		[[ $name != *-baseline ]] || call=${call/FILE/$BATS_TEST_TMPDIR/json}
		n=$((n + 1))
		commands+=("${call/KEY/module} -o help > $BATS_TEST_TMPDIR/help.$name")
	done < <("$BUILD/document")
	synthetic v6_9 "${commands[@]}"
	for name in "$BATS_TEST_TMPDIR"/help.*; do
		name=${name##*/help.}
		diff <(grep -o '^[a-z][a-z0-9_]*' "$BATS_TEST_TMPDIR/help.$name" | sort) \
			<(jq -r '.properties | keys[] | select(. != "record")' "$TESTS/../doc/schema/$name.json" | sort) ||
			{ echo "$name"; false; }
	done
	[ "$(ls "$BATS_TEST_TMPDIR"/help.* | wc -l)" = "$n" ]
	[ "$n" = "$(ls "$TESTS/../doc/schema" | grep -c -x '[a-z]*-[a-z_]*\.json')" ]
	[ "$n" -ge 20 ]
}

@test "a header is accepted where its key is, in -s, -o, -f and -g" {
	synthetic v6_9 'pageowner -s OLDEST -n 1 -o rank,youngest -j' 'pageowner -g ORDER -j' 'pageowner -t list -f Order=0 -o pfn,TYPE -j' \
		'faults -s RSS -o rss,PID -j' > "$BATS_TEST_TMPDIR/said"
	[ "$(jq -r -s '[.[] | select(.record == "row") | keys | join(" ")] | unique[]' "$BATS_TEST_TMPDIR/said" | grep -c -e '^age_min_ns rank record$' \
		-e '^pfn record type$' -e '^age_max_ns age_min_ns allocs basis bytes cut .* order ')" = 3 ]
}

@test "schemas and tables of doc/ are those that the commands make" {
	cp -r "$TESTS/../doc" "$BATS_TEST_TMPDIR/doc"
	"$BUILD/document" "$BATS_TEST_TMPDIR/doc"
	diff -r "$TESTS/../doc" "$BATS_TEST_TMPDIR/doc"
	# One name, one type, whatever the view: of null and signs aside.
	jq -r '.properties | to_entries[] | select(.key != "record" and .value.type) | [.key, (.value.type | if type == "array" then map(select(. != "null")) | sort | join(" ") else . end)] | @tsv' \
		"$TESTS"/../doc/schema/*.json | sort -u | cut -f 1 | uniq -d > "$BATS_TEST_TMPDIR/twice"
	diff "$BATS_TEST_TMPDIR/twice" /dev/null
}
