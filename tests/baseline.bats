#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# "-d FILE" of the nouns of memowner: rows beside those of another dump, and beside the kernel's own texts.

load helper

NOUNS_DIFF='classes zones fragmentation pages caches objects files processes cgroups vmalloc pools sockets dmabuf holders shrinkers pressure filesystems'

setup_file() {
	export OOM=$BUILD/samples/6.12-oom STOCK=$BUILD/samples/6.12-stock-oom OUTSIDE=$BUILD/samples/6.1-stock-outside DIR=$BATS_FILE_TMPDIR
	local noun

	for noun in $NOUNS_DIFF faults; do
		echo "$noun -j > $DIR/$noun.now"
		echo "$noun -g help > /dev/null"
	done | grep -v help | "$BUILD/memowner" -i /dev/stdin "$STOCK/vmcore"
	for noun in $NOUNS_DIFF; do
		echo "$noun -j > $DIR/$noun.other"
		[ $noun != pressure ] || echo "faults -j > $DIR/faults.other"
	done | "$BUILD/memowner" -i /dev/stdin "$OUTSIDE/vmcore"
}

# of DUMP ARGUMENT...: what the program says, errors too
of() {
	timeout 60 "$BUILD/memowner" "$1/vmcore" "${@:2}" 2>&1
}

# FILTER FILE: an answer of a dump that has other rows, as many as its summary tells
counted() {
	jq -c "$1" "$2" | jq -c -s '(map(select(.record == "row")) | length) as $n | .[] | if .record == "summary" then .rows_shown = $n | .rows_total = $n else . end'
}

rows() {	# FILTER, of standard input
	jq -r "select(.record == \"row\") | $1"
}

# The sums of a name in an answer of -j: "NAME BYTES" of each, in the order of names.
sums() {	# FILE KEY BYTES
	rows "[.$2 // \"-\", .$3] | @tsv" < "$1" | awk -F '\t' '$2 == "" { unknown[$1] } { n[$1] += $2 }
		END { for (k in n) print k "\t" (k in unknown ? "null" : n[k]) }' | sort
}

@test "what is in use, or held, may grow while the rest is as before: it is shown, and ranks the rows" {
	f=$BATS_TEST_TMPDIR
	# Per-CPU chunks are as large as before, 200,000 bytes more of one are in use.
	of "$OUTSIDE" pools -j | jq -c 'if .kind == "percpu" and (.name // "" | startswith("chunk")) then .used_bytes -= 200000
		elif .kind == "hugetlb" then .used_bytes = 2097152 else . end' > "$f/pools"
	of "$OUTSIDE" pools -d "$f/pools" -j | rows '"\(.name) \(.change) \(.diff_bytes) \(.diff_used_bytes) \(.used_bytes - .before_used_bytes)"' > "$f/rows"
	[ "$(head -n 1 "$f/rows")" = 'percpu chunk grown 0 200000 200000' ]
	grep -q '^hugetlb .* shrunk 0 -[24]*[0-9]* -' "$f/rows"
	of "$OUTSIDE" pools -d "$f/pools" > "$f/text"
	sed -n 1,2p "$f/text" | tr -s ' ' | grep -A 1 '^GROWTH SIZE BEFORE USED+ USED CHANGE NAME$' | tail -n 1 | grep -q '^ 0B 360.0K 360.0K 195.3K 218.8K grown percpu chunk$'
	grep -q '^USED is used_bytes: bytes that are in use$' "$f/text"
	refute grep -q 'chunk same' "$f/text"
	# The class of huge pages, in both views that have it.
	of "$OUTSIDE" classes -j | jq -c 'if .class == "hugetlb" then .used_bytes = 2097152 else . end' > "$f/classes"
	[ "$(of "$OUTSIDE" classes -d "$f/classes" -j | rows 'select(.change != "same") | "\(.name) \(.change) \(.diff_bytes) \(.diff_used_bytes)"')" = 'hugetlb shrunk 0 -2097152' ]
	sed 's/^HugePages_Free:.*/HugePages_Free: 2/' "$OUTSIDE/truth/meminfo" > "$f/meminfo"
	of "$OUTSIDE" classes -d "$f/meminfo" -j | rows 'select(.name == "hugetlb") | "\(.diff_used_bytes) \(.before_used_bytes)"' > "$f/used"
	[ "$(cat "$f/used")" = '-2097152 2097152' ]
	of "$OUTSIDE" -j | jq -c 'if .record == "class" and .name == "hugetlb" then .used_bytes = 2097152 else . end' > "$f/summary"
	[ "$(of "$OUTSIDE" -d "$f/summary" -j | rows 'select(.change != "same") | "\(.name) \(.change) \(.diff_bytes) \(.diff_used_bytes)"')" = 'hugetlb shrunk 0 -2097152' ]
	# What processes hold is asked for where the file has it; else what is compared is told.
	of "$STOCK" processes -j -o +held_bytes | jq -c 'if .comm == "redis-server" then .held_bytes -= 1000000 elif .comm == "report-builder" then .rss_bytes -= 4096 | .process_bytes -= 4096 else . end' > "$f/held"
	of "$STOCK" processes -d "$f/held" -j | rows 'select(.change != "same") | "\(.name) \(.change) \(.diff_bytes) \(.diff_held_bytes)"' > "$f/rows"
	diff "$f/rows" - <<< "$(printf 'redis-server grown 0 1000000\nreport-builder grown 4096 0')"
	jq -c 'del(.held_bytes)' "$f/held" > "$f/without"
	of "$STOCK" processes -d "$f/without" -j | jq -r '.warnings[]?' | grep -q "^held_bytes is not compared: $f/without has none; with -o +held_bytes -j has it$"
	[ "$(of "$STOCK" processes -d "$f/held" | grep -o -E '^(SIZE|HELD) is [a-z_]+( and [a-z_]+)?')" = 'SIZE is process_bytes and hugetlb_bytes
HELD is held_bytes' ]
	refute grep -q 'HELD' <<< "$(of "$STOCK" processes -d "$f/without" | head -n 1)"
}

@test "a PSS that is unknown makes no size of processes unknown: -d compares them all" {
	local f=$BATS_TEST_TMPDIR table

	ln -s "$OOM/vmlinux" "$f/vmlinux"
	cp "$OOM/vmcore" "$f/vmcore"
	table=$(of "$OOM" pageowner -t list -f class=pgtable -f comm=postgres -n 1 -j | rows .pfn)
	"$BUILD/tools/kdump" drop "$f/vmcore" "$table" 1
	of "$f" processes -j > "$f/before"
	jq -r 'select(.record == "summary") | "\(.complete) \(.sizes_complete) \(.warnings[])"' "$f/before" |
		grep -q '^false true PSS of 1 process is unknown: a page table of 0x[0-9a-f]* is not in this dump$'
	[ "$(rows 'select(.pss_bytes == null) | .comm' < "$f/before")" = postgres ]
	of "$f" processes -d "$f/before" > "$f/text"
	grep -q '^7 rows are as large as before' "$f/text"
	refute grep -q -E 'growth of|not complete|total is unknown' "$f/text"
	# What is gone from the file is new: the file has the size of each that there was.
	jq -c 'if .record == "summary" then .rows_shown = 6 | .rows_total = 6 else select(.comm != "postgres") end' "$f/before" > "$f/six"
	[ "$(of "$f" processes -d "$f/six" -j | rows 'select(.change != "same") | "\(.name) \(.change)"')" = 'postgres new' ]
}

@test "processes -d: huge pages are beside what is resident, by JSON and by status" {
	local f=$BATS_TEST_TMPDIR

	jq -c 'if .comm == "report-builder" then .hugetlb_bytes = 104857600 else . end' "$DIR/processes.now" > "$f/json"
	of "$STOCK" processes -d "$f/json" -j | rows 'select(.name == "report-builder") | .diff_bytes' > "$f/diff"
	[ "$(cat "$f/diff")" = -104857600 ]
	sed 's/HugetlbPages:.*/HugetlbPages:\t  102400 kB/' "$STOCK/truth/proc_status" > "$f/status"
	of "$STOCK" processes -d "$f/status" -j | rows 'select(.name == "report-builder") | .before_bytes' > "$f/with"
	of "$STOCK" processes -d "$STOCK/truth/proc_status" -j | rows 'select(.name == "report-builder") | .before_bytes' > "$f/without"
	[ $(($(cat "$f/with") - $(cat "$f/without"))) = 104857600 ]
}

@test "a mark of UTF-8 before the first line is none of it" {
	local f=$BATS_TEST_TMPDIR text

	for text in "caches slabinfo" "vmalloc vmallocinfo" "classes meminfo"; do
		{ printf '\xef\xbb\xbf'; cat "$OUTSIDE/truth/${text#* }"; } > "$f/marked"
		diff <(of "$OUTSIDE" ${text% *} -n 0 -d "$f/marked") <(of "$OUTSIDE" ${text% *} -n 0 -d "$OUTSIDE/truth/${text#* }" | sed "s|$OUTSIDE/truth/${text#* }|$f/marked|")
	done
	printf '\xef\xbb\xbfcase\r\n' > "$f/commands"
	diff <("$BUILD/memowner" -i "$f/commands" "$OUTSIDE/vmcore" 2>&1) <(of "$OUTSIDE" case)
}

@test "lines that end as those of another system are the same lines" {
	local f=$BATS_TEST_TMPDIR/crlf oom=$BUILD/samples/6.12-oom noun text

	while read -r noun text; do
		sed 's/$/\r/' "$OUTSIDE/truth/$text" > "$f"
		diff <(of "$OUTSIDE" $noun -n 0 -d "$f") <(of "$OUTSIDE" $noun -n 0 -d "$OUTSIDE/truth/$text" | sed "s|$OUTSIDE/truth/$text|$f|")
	done <<-'END'
		caches slabinfo
		vmalloc vmallocinfo
		classes meminfo
		zones zoneinfo
		processes proc_status
	END
	for text in 'pageowner -d page_owner' 'pageowner -d show_stacks' 'allocprof -d allocinfo'; do
		noun=${text% *} text=${text##* }
		sed 's/$/\r/' "$oom/truth/$text" > "$f"
		diff <("$BUILD/memowner" --vmlinux "$oom/vmlinux" "$oom/vmcore" $noun "$f" 2>&1) \
			<("$BUILD/memowner" --vmlinux "$oom/vmlinux" "$oom/vmcore" $noun "$oom/truth/$text" 2>&1 | sed "s|$oom/truth/$text|$f|")
	done
}

# twice VIEW FILE: refused, and its figures are of no text
twice() {
	local f=$BATS_TEST_TMPDIR/$2

	cat "$OUTSIDE/truth/$2" "$OUTSIDE/truth/$2" > "$f"
	run of "$OUTSIDE" "$1" -d "$f"
	[ "$status" != 0 ]
	[[ "$output" = "memowner: line "*" of the file '$f': it has more than one /proc/"* ]] || { echo "$output"; false; }
}

@test "a text that is there twice is no text of what there was before; a thread is no process, and hidden addresses are none" {
	local f=$BATS_TEST_TMPDIR

	for text in "caches slabinfo" "vmalloc vmallocinfo" "classes meminfo" "zones zoneinfo" "zones buddyinfo" "processes proc_status"; do
		echo "$text"
		twice $text
	done
	sed 's/^0x[0-9a-f]*-0x[0-9a-f]*/0x0000000000000000-0x0000000000000000/' "$OUTSIDE/truth/vmallocinfo" > "$f/hidden"
	diff <(of "$OUTSIDE" vmalloc -d "$f/hidden") <(of "$OUTSIDE" vmalloc -d "$OUTSIDE/truth/vmallocinfo" | sed "s|$OUTSIDE/truth/vmallocinfo|$f/hidden|")
	# /proc/*/task/*/status has each thread of a process, with the memory of all.
	awk '{ print } /^Name:/ { block = "" } { block = block $0 "\n" } /^Pid:/ { pid = $2 } /^nonvoluntary/ { sub("\nPid:\t" pid "\n", "\nPid:\t" pid + 100000 "\n", block); printf "%s", block }' \
		"$OUTSIDE/truth/proc_status" > "$f/threads"
	[ "$(grep -c ^Pid: "$f/threads")" = $((2 * $(grep -c ^Pid: "$OUTSIDE/truth/proc_status"))) ]
	diff <(of "$OUTSIDE" processes -d "$f/threads") <(of "$OUTSIDE" processes -d "$OUTSIDE/truth/proc_status" | sed "s|$OUTSIDE/truth/proc_status|$f/threads|")
}

@test "each noun beside its own answer: every row is the same, and the answer is as doc/schema has it" {
	for noun in $NOUNS_DIFF; do
		echo "$noun -d $DIR/$noun.now -j > $BATS_TEST_TMPDIR/$noun.json"
		echo "$noun -d $DIR/$noun.now > $BATS_TEST_TMPDIR/$noun.text"
	done | of "$STOCK" -i /dev/stdin
	for noun in $NOUNS_DIFF; do
		[ "$(rows 'select(.change != "same" and (.bytes // .percent // (select(.compared == "shrinkers") | .count)) != null)' < "$BATS_TEST_TMPDIR/$noun.json")" = '' ]
		[ "$(jq 'select(.record == "total") | .diff_bytes // .diff_count // 0' "$BATS_TEST_TMPDIR/$noun.json")" = 0 ]
		[ "$(rows .compared < "$BATS_TEST_TMPDIR/$noun.json" | sort -u)" = "$([ $noun = dmabuf ] || echo $noun)" ]
		[ $noun = dmabuf ] || grep -q -E "^[0-9,]+ rows are as large as before and not shown" "$BATS_TEST_TMPDIR/$noun.text"
	done
	"$TESTS/tools/validate" "$BATS_TEST_TMPDIR"/*.json
}

@test "stuck, log and case beside another machine: places and reports by their number, settings by their value" {
	local noun t=$BATS_TEST_TMPDIR

	for noun in stuck log; do
		of "$STOCK" $noun -j > "$t/$noun"
		of "$OUTSIDE" $noun -j > "$t/$noun.other"
		of "$STOCK" $noun -d "$t/$noun" -j | jq -e -s 'map(select(.record == "row").change) | length > 0 and all(. == "same")'
		of "$STOCK" $noun -d "$t/$noun.other" -j > "$t/$noun.json"
	done
	of "$STOCK" case -a -j > "$t/case"
	of "$OUTSIDE" case -a -j > "$t/case.other"
	of "$STOCK" case -d "$t/case" -j | jq -e -s 'map(select(.record == "row").change) | length > 0 and all(. == "same")'
	of "$STOCK" case -d "$t/case.other" -j > "$t/case.json"
	"$TESTS/tools/validate" "$t"/*.json
	diff <(rows '"\(.place // "-") \(.waits_for // "-") \(.function // "-")"' < "$t/stuck" | sort | uniq -c | awk '{ print $2, $3, $4, $1 }' | sort) \
		<(rows 'select(.count > 0) | "\(.name) \(.count)"' < "$t/stuck.json" | sort)
	[ "$(rows .report < "$t/log" | wc -l)" = "$(rows .count < "$t/log.json" | paste -s -d + | bc)" ]
	diff <(sort -u <(rows '"\(.setting) \(.value)"' < "$t/case")) <(rows 'select(.count > 0) | .name' < "$t/case.json" | sort)
	[ "$(rows 'select(.setting | startswith("boot.")) | .setting' < "$t/case" | wc -l)" = "$(wc -w < "$STOCK/truth/cmdline")" ]
	# A value that is another one here was there before.
	rows 'select(.change == "new") | .name | split(" ")[0]' < "$t/case.json" | sort > "$t/new"
	rows 'select(.change == "gone") | .name | split(" ")[0]' < "$t/case.json" | sort > "$t/gone"
	[ -n "$(comm -12 "$t/new" "$t/gone")" ]
	# Without a dump.
	"$BUILD/memowner" --log "$STOCK/truth/console" log -j > "$t/console"
	"$BUILD/memowner" --log "$STOCK/truth/console" log -d "$t/console" -j | jq -e -s 'map(select(.record == "row").change) | length > 0 and all(. == "same")'
	of "$STOCK" stuck -d "$t/stuck.other" -g where | grep -q 'rows are matched by place$'
	# What has nothing to compare says so in one line.
	run of "$STOCK" story -d "$t/log"
	[ $status -ne 0 ]
	[ "${#lines[@]}" = 1 ]
	[[ $output = "memowner: unknown option -d: nothing here is compared with another machine; memowner -d FILE, and -d of the views that have it, compare; known are: "* ]]
}

@test "beside another machine: before and now are the sums of each name in the two answers" {
	local noun key bytes

	while read -r noun key bytes; do
		of "$STOCK" $noun -d "$DIR/$noun.other" -j > "$BATS_TEST_TMPDIR/diff"
		diff <(sums "$DIR/$noun.now" $key $bytes | awk -F '\t' '$2 != 0') \
			<(rows '[.name // "-", .bytes] | @tsv' < "$BATS_TEST_TMPDIR/diff" | awk -F '\t' '$2 == "" { $2 = "null" } $2 != 0' OFS='\t' | sort)
		diff <(sums "$DIR/$noun.other" $key $bytes | awk -F '\t' '$2 != 0') \
			<(rows '[.name // "-", .before_bytes] | @tsv' < "$BATS_TEST_TMPDIR/diff" | awk -F '\t' '$2 == "" { $2 = "null" } $2 != 0' OFS='\t' | sort)
		[ "$(rows 'select(.diff_bytes != (if .bytes == null or .before_bytes == null then null else .bytes - .before_bytes end)) | .name' < "$BATS_TEST_TMPDIR/diff")" = '' ]
		# The biggest growth is first.
		[ "$(rows '.diff_bytes // "-"' < "$BATS_TEST_TMPDIR/diff" | grep -v -e -x | head -n 1)" = "$(rows '.diff_bytes // empty' < "$BATS_TEST_TMPDIR/diff" | sort -rn | head -n 1)" ]
	done <<-END
	classes class bytes
	files file total_bytes
	processes comm process_bytes
	cgroups memcg usage_bytes
	vmalloc caller bytes
	sockets protocol bytes
	END
	[ "$(of "$STOCK" processes -d "$DIR/processes.other" -n 1 | sed -n 2p | xargs)" = '223.2M 263.6M 40.4M 0 grown report-builder' ]
}

@test "shrinkers by numbers, pressure by shares of time, faults by times per second: each in the columns of its unit, and in those alone" {
	local noun side key value unit other

	while read -r noun key value unit other; do
		of "$STOCK" $noun -d "$DIR/$noun.other" -j > "$BATS_TEST_TMPDIR/diff"
		[ "$(rows "select(.diff_$unit != null and .diff_$unit != 0) | .name" < "$BATS_TEST_TMPDIR/diff" | wc -l)" -gt 2 ]
		for side in now other; do
			jq -c '.place = "\(.resource) \(.stalled_tasks) \(.cgroup)"' "$DIR/$noun.$side" > "$BATS_TEST_TMPDIR/side"
			diff <(sums "$BATS_TEST_TMPDIR/side" $key $value | awk -F '\t' '$2 != 0') \
				<(rows "[.name // \"-\", .$([ $side = now ] || echo before_)$unit] | @tsv" < "$BATS_TEST_TMPDIR/diff" |
					awk -F '\t' '$2 == "" { $2 = "null" } $2 != 0 { print $1 "\t" ($2 == "null" ? $2 : $2 + 0) }' | sort)
		done
		[ "$(rows "[.bytes, .diff_bytes, .before_bytes, .diff_$other, .$other, .before_$other] | unique | tojson" < "$BATS_TEST_TMPDIR/diff" | sort -u)" = '[null]' ]
		[ "$(rows "select(.diff_$unit and ((.diff_$unit - (.$unit - .before_$unit)) | fabs > 0.001)) | .name" < "$BATS_TEST_TMPDIR/diff")" = '' ]
	done <<-END
		shrinkers shrinker objects count percent
		pressure place avg10_percent percent count
		faults comm rate_milli rate_milli percent
	END
	diff <(sums "$DIR/faults.other" comm maj_flt) <(rows 'select(.before_rate_milli) | [.name, .before_count] | @tsv' < "$BATS_TEST_TMPDIR/diff" | sort) |
		awk '/^</ || (/^>/ && $NF != 0)' > "$BATS_TEST_TMPDIR/lines"
	[ ! -s "$BATS_TEST_TMPDIR/lines" ]
	run of "$STOCK" faults -d "$DIR/faults.other"
	[[ "${lines[0]}" =~ ^RATE\+\ +RATE\ +RATE_BEFORE\ +COUNT\+\ +CHANGE\ +NAME$ && "$output" = *'/s more'* ]]
	run of "$STOCK" pressure -d "$DIR/pressure.other"
	[[ "${lines[0]}" =~ ^SHARE\+\ +SHARE%\ +SHARE_BEFORE\ +CHANGE\ +NAME$ ]]
	[[ "$output" = *'no total: shares of a time are not summed up'* && "$output" != *GROWTH* ]]
	run of "$STOCK" shrinkers -d "$DIR/shrinkers.other"
	[[ "${lines[0]}" =~ ^COUNT\+\ +COUNT\ +COUNT_BEFORE\ +CHANGE\ +NAME$ ]]
	# Without its name a file does not tell what tasks waited for.
	echo 'some avg10=0.00 avg60=0.00 avg300=0.00 total=0' > "$BATS_TEST_TMPDIR/memory"
	run of "$STOCK" pressure -d "$BATS_TEST_TMPDIR/memory"
	[[ "$output" = *"nor /proc/pressure/* with their names"* ]]
	printf '/proc/pressure/%s\n' 'memory:some avg10=1.05 avg60=0.00 avg300=0.00 total=9' 'cpu:full avg10=0.00 avg60=0.00 avg300=0.00 total=0' > "$BATS_TEST_TMPDIR/memory"
	[ "$(of "$STOCK" pressure -d "$BATS_TEST_TMPDIR/memory" -j | rows 'select(.before_percent) | "\(.name) \(.before_percent + 0)"')" = $'memory some / 1.05\ncpu full / 0' ]
}

@test "what is inferred has its mark and its confidence in text, in each line" {
	local t=$BATS_TEST_TMPDIR

	# A root of a module has the name of that.
	jq -c 'if .record == "row" and .root_kind == "boot" then .root = "all [keeper]" | .module = "keeper" | .bytes = 1 | .confidence = 71.5 else . end' "$DIR/holders.now" > "$t/file"
	of "$STOCK" holders -d "$t/file" > "$t/text"
	[ "$(sed -n 2,3p "$t/text" | awk '{ sub(" *[0-9.]*$", ""); print }' | grep -c ' ~')" = 2 ]
	grep -q -E ' gone +~all \[keeper\] +71\.5$' "$t/text"
	grep -q '^~total [0-9.]*M now, ' "$t/text"
	[ "$(of "$STOCK" holders -d "$t/file" -j | rows 'select(.change == "gone") | "\(.name) \(.basis) \(.confidence)"')" = 'all [keeper] inferred 71.5' ]
	[ "$(of "$STOCK" caches -d "$DIR/caches.now" -n 0 | grep -c -e '~' -e CONFIDENCE)" = 0 ]
}

@test "classes -d: of a class whose pages are all in reserved memory the counter is compared, and nothing is gone" {
	local d=$BUILD/samples/6.12-hog-spool

	of "$d" classes | grep -q -E '^percpu +0 +0B +0\.0 +280 +-280  the first chunk is in reserved memory$'
	of "$d" classes -d "$d/truth/meminfo" -n 0 > "$BATS_TEST_TMPDIR/text"
	grep -q . "$BATS_TEST_TMPDIR/text"
	refute grep -E '(gone|new) +percpu' "$BATS_TEST_TMPDIR/text"
	of "$d" classes -d "$BUILD/samples/7.3-oom/truth/meminfo" | grep -q -E '^ *-4\.4M +1\.1M +5\.5M  shrunk  percpu'
}

@test "the machine and the kernel of the baseline are told where they are others" {
	of "$STOCK" classes -d "$DIR/classes.other" > "$BATS_TEST_TMPDIR/text"
	grep -q -x "warning: the kernel is 6.12.107+deb13-cloud-amd64 now, 6.1.0-50-cloud-amd64 in $DIR/classes.other" "$BATS_TEST_TMPDIR/text"
	grep -q -x "warning: MemTotal is 338.0M now, 344.3M in $DIR/classes.other" "$BATS_TEST_TMPDIR/text"
	# Two boots of one machine differ by some pages; two sizes that look the same are told in kB.
	jq -c 'if .record == "meta" then .mem_total_bytes -= 4096 else . end' "$DIR/classes.now" > "$BATS_TEST_TMPDIR/page"
	has_no_line MemTotal <(of "$STOCK" classes -d "$BATS_TEST_TMPDIR/page")
	[ "$(jq -s '.[0].mem_total_bytes / 1024' "$DIR/classes.now")" = "$(awk '$1 == "MemTotal:" { print $2 }' "$STOCK/truth/meminfo")" ]
}

@test "texts of the kernel of the same second: what stood still is the same" {
	local T=$OUTSIDE/truth

	# Caches whose line did not change while the truth was told.
	of "$OUTSIDE" caches -d "$T/slabinfo" -j > "$BATS_TEST_TMPDIR/caches"
	comm -12 <(sort "$T/slabinfo") <(sort "$T/slabinfo_again") | awk 'NR > 1 && $1 != "#" { print $1 }' | sort > "$BATS_TEST_TMPDIR/still"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/still")" -gt 140 ]
	# A process began, and one ended, behind that.
	[ "$(rows 'select(.change != "same") | .name' < "$BATS_TEST_TMPDIR/caches" | sort | comm -12 - "$BATS_TEST_TMPDIR/still" | xargs)" = 'filp signal_cache' ]
	[ "$(rows 'select(.diff_bytes > 65536 or .diff_bytes < -65536) | .name' < "$BATS_TEST_TMPDIR/caches")" = '' ]
	[ "$(rows 'select(.change == "new" or .change == "gone") | .name' < "$BATS_TEST_TMPDIR/caches")" = '' ]
	# Areas of the vmalloc space, by pages and by their number.
	of "$OUTSIDE" vmalloc -d "$T/vmallocinfo" -j > "$BATS_TEST_TMPDIR/areas"
	[ "$(rows 'select(.change != "same") | .name' < "$BATS_TEST_TMPDIR/areas")" = pcpu_get_vm_areas ]
	[ "$(rows 'select(.diff_count != 0) | .name' < "$BATS_TEST_TMPDIR/areas")" = '' ]
	[ "$(rows '.before_count' < "$BATS_TEST_TMPDIR/areas" | paste -s -d + | bc)" = "$(wc -l < "$T/vmallocinfo")" ]
	# Free blocks and pages of each zone; the counters of meminfo.
	for text in zones/zoneinfo zones/buddyinfo fragmentation/buddyinfo; do
		of "$OUTSIDE" ${text%/*} -d "$T/${text#*/}" -j > "$BATS_TEST_TMPDIR/zones"
		[ "$(rows 'select(.change == "new" or .change == "gone" or .change == null) | .name' < "$BATS_TEST_TMPDIR/zones")" = '' ]
		[ "$(rows 'select(.diff_bytes > 1048576 or .diff_bytes < -1048576) | .name' < "$BATS_TEST_TMPDIR/zones")" = '' ]
	done
	diff <(awk '{ sub(",", "", $2); for (i = 5; i <= NF; i++) print "node " $2 " " $4 " order " i - 5, $i }' "$T/buddyinfo" | sort) \
		<(rows '"\(.name) \(.before_count)"' < <(of "$OUTSIDE" fragmentation -d "$T/buddyinfo" -j) | sort)
	of "$OUTSIDE" classes -d "$T/meminfo" -j > "$BATS_TEST_TMPDIR/classes"
	[ "$(rows 'select(.name == "anon") | .before_bytes / 1024' < "$BATS_TEST_TMPDIR/classes")" = "$(awk '$1 == "AnonPages:" { print $2 }' "$T/meminfo")" ]
	[ "$(rows 'select(.diff_bytes != null and (.diff_bytes > 1048576 or .diff_bytes < -1048576)) | .name' < "$BATS_TEST_TMPDIR/classes")" = '' ]
	[ "$(rows 'select(.change == "new" or .change == "gone") | .name' < "$BATS_TEST_TMPDIR/classes")" = '' ]
	# Of processes what the kernel showed, by name.
	of "$OUTSIDE" processes -d "$T/proc_status" -j > "$BATS_TEST_TMPDIR/processes"
	diff <(sed 's,^/proc/[0-9]*/status:,,' "$T/proc_status" | awk -F '\t' '$1 == "Name:" { name = $2 } $1 ~ /^Vm(RSS|PTE|Swap):/ { n[name] += $2 * 1024 }
		END { for (k in n) print k "\t" n[k] }' | sort) \
		<(rows 'select(.before_bytes > 0) | [.name, .before_bytes] | @tsv' < "$BATS_TEST_TMPDIR/processes" | sort)
}

@test "the folder of a report of sos: the file of the view is found there, or is said to be missing" {
	local sos=$BATS_TEST_TMPDIR/sos noun text

	mkdir -p "$sos/proc" "$sos/sos_commands/process"
	while read -r noun text; do
		run of "$OUTSIDE" $noun -d "$sos"
		[[ "$output" = *"the folder '$sos' has no"*"$text"* ]]
		cp "$OUTSIDE/truth/${text##*/}" "$sos/$text"
		diff <(of "$OUTSIDE" $noun -d "$sos" -j) <(of "$OUTSIDE" $noun -d "$OUTSIDE/truth/${text##*/}" -j | sed "s,$OUTSIDE/truth,$sos/${text%/*},")
	done <<-'END'
		classes proc/meminfo
		caches proc/slabinfo
		vmalloc proc/vmallocinfo
		zones proc/zoneinfo
		fragmentation proc/buddyinfo
	END
	printf '%s\n' 'USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND' 'root 2 0.0 0.0 0 0 ? - Nov25 0:00 [kthreadd]' \
		'root 1 0.0 0.1 21912 13084 ? - Nov25 0:10 /sbin/init' 'root - 0.0 - - - - Ss Nov25 0:10 -' > "$sos/sos_commands/process/ps_auxwwwm"
	[ "$(of "$OUTSIDE" processes -d "$sos" -j | rows 'select(.name == "init") | .before_bytes / 1024')" = 13084 ]
	run of "$OUTSIDE" -d "$sos"
	[ "$output" = "memowner: the folder '$sos' has no text of the summary: classes -d $sos reads its proc/meminfo" ]
	run of "$OUTSIDE" pools -d "$sos"
	[[ "$output" = *"the folder '$sos' has no text of this view"* ]]
	# The files of a folder have their names, those that are there.
	mkdir "$sos/proc/pressure"
	run of "$STOCK" pressure -d "$sos"
	[[ "$output" = *"the file '$sos/proc/pressure/"*"' is empty" ]]
	echo 'some avg10=1.05 avg60=0.00 avg300=0.00 total=9' > "$sos/proc/pressure/memory"
	echo 'full avg10=0.25 avg60=0.00 avg300=0.00 total=9' > "$sos/proc/pressure/io"
	[ "$(of "$STOCK" pressure -d "$sos" -j | rows 'select(.before_percent) | "\(.name) \(.before_percent)"')" = $'memory some / 1.05\nio full / 0.25' ]
}

@test "ps: RSS by the name of the process, wherever its columns stand" {
	local want

	# What the kernel said, as ps would.
	sed 's,^/proc/\([0-9]*\)/status:,\1\t,' "$OUTSIDE/truth/proc_status" | awk -F '\t' '$2 == "Name:" { name = $3 } $2 == "VmRSS:" { print $1, $3 + 0, name }' > "$BATS_TEST_TMPDIR/list"
	{ echo 'USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND'
		awk '{ print "root", $1, "0.0 0.1 1000", $2, "? Ss 10:00 0:01", "/usr/bin/" $3 " --option" }' "$BATS_TEST_TMPDIR/list"
		echo 'root 2 0.0 0.0 0 0 ? S 10:00 0:00 [kthreadd]'; } > "$BATS_TEST_TMPDIR/aux"
	{ echo '                 STARTED   RSS CMD     '; awk '{ print "Thu Nov 26 10:00:00 2026", $2, $3 ":", "worker" }' "$BATS_TEST_TMPDIR/list"; } > "$BATS_TEST_TMPDIR/lstart"
	{ echo 'COMMAND RSS PID'; awk '{ print "-" $3, "x y", $2, $1 }' "$BATS_TEST_TMPDIR/list"; } > "$BATS_TEST_TMPDIR/comm"
	sed -E '3~2s,( 0:01 )(/), \1 \\_ \2,; 4~4s,( 0:01 )(/), \1 |   \\_ \2,' "$BATS_TEST_TMPDIR/aux" > "$BATS_TEST_TMPDIR/forest"
	grep -q '|   \\_ /usr' "$BATS_TEST_TMPDIR/forest"
	want=$(awk '{ n[$3] += $2 * 1024 } END { for (k in n) print k, n[k] }' "$BATS_TEST_TMPDIR/list" | sort)
	for text in aux forest lstart comm; do
		of "$OUTSIDE" processes -d "$BATS_TEST_TMPDIR/$text" -j > "$BATS_TEST_TMPDIR/json"
		diff <(echo "$want") <(rows 'select(.before_bytes > 0) | "\(.name) \(.before_bytes)"' < "$BATS_TEST_TMPDIR/json" | sort)
		# Beside RSS only RSS can stand.
		diff <(sums "$DIR/processes.other" comm rss_bytes) <(rows 'select(.bytes > 0) | [.name, .bytes] | @tsv' < "$BATS_TEST_TMPDIR/json" | sort)
	done
	# A script that its own file names.
	printf 'RSS COMMAND\n100 /usr/bin/python3 /usr/sbin/report-builder\n200 /usr/bin/python3 -m x\n' > "$BATS_TEST_TMPDIR/script"
	[ "$(of "$STOCK" processes -d "$BATS_TEST_TMPDIR/script" -j | rows 'select(.before_bytes > 0) | "\(.name) \(.before_bytes)"' | xargs)" = 'report-builder 102400 python3 204800' ]
	of "$STOCK" processes -d "$BATS_TEST_TMPDIR/script" | grep -q '^warning: .*; ps has command lines: '
	[ "$(of "$STOCK" processes -d "$BATS_TEST_TMPDIR/script" -g cgroup)" = "memowner: the rows of the file '$BATS_TEST_TMPDIR/script' have no cgroup" ]
}

@test "grown, shrunk, new, gone; a cache under another name; the largest growth first" {
	local file=$BATS_TEST_TMPDIR/changed

	# 300 MB less before of one cache, 1 MB more of another, one that is not there, one that is there alone.
	jq -c 'if .cache == "task_struct" then .bytes -= 300000000 elif .cache == "radix_tree_node" then .bytes += 1000000
		elif .cache == "vm_area_struct" then empty elif .cache == "filp" then ., .cache = "no-more" else . end' "$DIR/caches.now" > "$file"
	of "$STOCK" caches -d "$file" -j > "$BATS_TEST_TMPDIR/json"
	[ "$(rows 'select(.change != "same") | "\(.name) \(.change) \(.diff_bytes)"' < "$BATS_TEST_TMPDIR/json")" = "$(
		echo task_struct grown 300000000
		echo vm_area_struct new "$(rows 'select(.cache == "vm_area_struct") | .bytes' < "$DIR/caches.now")"
		echo no-more gone "$(rows 'select(.cache == "filp") | -.bytes' < "$DIR/caches.now")"
		echo radix_tree_node shrunk -1000000)" ]
	[ "$(of "$STOCK" caches -d "$file" -n 1 | sed -n 2p | awk '{ print $NF, $1 }')" = 'task_struct 286.1M' ]
	[ "$(of "$STOCK" caches -d "$file" -f change=gone -o name,before_bytes | sed -n 2p | awk '{ print $1 }')" = no-more ]
	[ "$(of "$STOCK" caches -d "$file" -r -o name | sed -n 2p)" = radix_tree_node ]
	# The kernel of the baseline has chosen the other name of two that are merged.
	rows 'select(.cache == "kernfs_node_cache") | .alias_names' < "$DIR/caches.now" | grep -q -x kvm_async_pf
	jq -c 'if .cache == "kernfs_node_cache" then .cache = "kvm_async_pf" | .alias_names = "kernfs_node_cache" else . end' "$DIR/caches.now" > "$file"
	[ "$(of "$STOCK" caches -d "$file" -j | rows 'select(.change != "same") | .name')" = '' ]
	jq -c 'if .cache == "kernfs_node_cache" then .cache = "kvm_async_pf" | .alias_names = null else . end' "$DIR/caches.now" > "$file"
	[ "$(of "$STOCK" caches -d "$file" -j | rows 'select(.change != "same") | .name')" = '' ]
	of "$STOCK" caches -d "$file" | grep -q -E '^warning: 1 name is merged with another on one side, and counted in its row: (kvm_async_pf in that of kernfs_node_cache|kernfs_node_cache in that of kvm_async_pf)$'
	of "$STOCK" caches -d "$DIR/caches.now" | refute grep -q 'merged with another'
	# Objects come and go in the same pages.
	jq -c 'if .cache == "task_struct" then .inuse_objects -= 7 else . end' "$DIR/caches.now" > "$file"
	[ "$(of "$STOCK" caches -d "$file" -j | rows 'select(.diff_count != 0) | "\(.name) \(.change) \(.diff_count)"')" = 'task_struct same 7' ]
}

@test "what rows are matched by is a key of -f and -X as name is, where it is that alone" {
	local file=$DIR/pages.groups

	of "$STOCK" pages -g zone -j > "$file"
	for given in "caches -d $DIR/caches.now -f:cache=task_struct,kmalloc-*" "classes -d $DIR/classes.now -X:CLASS=slab" "pages -d $file -g zone -f:zone=DMA32"; do
		of "$STOCK" ${given/:/ } -j | jq -c 'select(.record != "meta" and .record != "summary")' > "$BATS_TEST_TMPDIR/own"
		of "$STOCK" ${given/:*=/ name=} -j | jq -c 'select(.record != "meta" and .record != "summary")' > "$BATS_TEST_TMPDIR/name"
		grep -q '"row"' "$BATS_TEST_TMPDIR/own"
		diff "$BATS_TEST_TMPDIR/own" "$BATS_TEST_TMPDIR/name"
	done
	[ "$(of "$STOCK" zones -d "$DIR/zones.now" -f zone=DMA32)" = 'memowner: zone is no key of -f here: name is, with all that rows are matched by' ]
	# What -g has without -d is no unknown key, and the help has those of both.
	[ "$(of "$STOCK" files -d "$DIR/files.now" -g mount)" = 'memowner: mount is no key of -g with -d, known are: file fs_type class deleted' ]
	[[ "$(of "$STOCK" files -d "$DIR/files.now" -f mount=/)" = 'memowner: mount is no key of -f with -d, known are: columns '* ]]
	grep -q -x 'keys of -g, -d       file fs_type class deleted' <(of "$STOCK" files -h)
	[ "$(of "$STOCK" pages -d "$file" -g zone -X class=slab)" = 'memowner: class is no key of -X here: name is, with all that rows are matched by (zone)' ]
}

@test "what shrank is told, what is compared, and of filters the total of what they keep" {
	local file=$BATS_TEST_TMPDIR/changed

	jq -c 'if .cache == "task_struct" then .bytes -= 300000000 elif .cache == "radix_tree_node" then .bytes += 1000000
		elif .cache == "filp" then .bytes += 3000000 else . end' "$DIR/caches.now" > "$file"
	of "$STOCK" caches -d "$file" -n 1 > "$BATS_TEST_TMPDIR/text"
	grep -q -x '2 of these shrank by 3.8M in all, most of all filp, by 2.9M (-r)' "$BATS_TEST_TMPDIR/text"
	grep -q -x 'COUNT+ counts objects in use; rows are matched by cache' "$BATS_TEST_TMPDIR/text"
	# A cgroup has the memory of those below it.
	of "$STOCK" cgroups -j | jq -c 'if .usage_bytes then .usage_bytes += 1000000 else . end' > "$file.cgroups"
	of "$STOCK" cgroups -d "$file.cgroups" -n 1 | grep -q -E '^[0-9]+ of these shrank, most of all .*, by 976\.6K \(-r\)$'
	of "$STOCK" caches -d "$file" -f name=task_struct,filp > "$BATS_TEST_TMPDIR/text"
	grep -q -x 'of what filters kept: total [0-9.]*M now, -[0-9.]*M before: 283.2M more' "$BATS_TEST_TMPDIR/text"
	of "$STOCK" caches -d "$file" -f name=vm_area_struct | grep -q ' same '
	of "$STOCK" caches -d "$file" -f comm=x | grep -q ", known are: columns of -d FILE -o help but rank$"
	of "$STOCK" zones -d "$STOCK/truth/zoneinfo" > "$BATS_TEST_TMPDIR/text"
	grep -q '^SIZE is free_pages, in bytes: free pages by the counter' "$BATS_TEST_TMPDIR/text"
	grep -q ' node 1 DMA32$' "$BATS_TEST_TMPDIR/text"
	of "$STOCK" vmalloc -d "$STOCK/truth/vmallocinfo" > "$BATS_TEST_TMPDIR/text"
	[ "$(grep -c ' -$' "$BATS_TEST_TMPDIR/text")" = "$(grep -c -x 'NAME - has all rows that have no caller' "$BATS_TEST_TMPDIR/text")" ]
}

@test "the summary, page_owner and allocation profiling beside their JSON; text files of these as ever" {
	local oom=$BUILD/samples/6.12-oom spool=$BUILD/samples/6.12-hog-spool t=$BATS_TEST_TMPDIR command

	on() { "$BUILD/memowner" --vmlinux "$1/vmlinux" "$1/vmcore" "${@:2}" 2>&1; }
	of "$STOCK" -j > "$t/summary"
	of "$STOCK" -d "$t/summary" | grep -q -x '13 rows are as large as before and not shown (-n 0 shows all)'
	[ "$(of "$STOCK" classes -d "$t/summary")" = "memowner: the file '$t/summary' has another view: memowner summary, not memowner classes" ]
	of "$OUTSIDE" -d "$t/summary" -j > "$t/json"
	diff <(jq -r 'select(.record == "class") | "\(.name) \(.bytes)"' "$t/summary" | sort) \
		<(rows 'select(.before_bytes > 0) | "\(.name) \(.before_bytes)"' < "$t/json" | sort)
	for command in pageowner 'pageowner -g module' allocprof 'allocprof -g module'; do
		on "$spool" $command -j > "$t/other"
		on "$oom" $command -j > "$t/own"
		on "$oom" $command -d "$t/own" | grep -q ' rows are as large as before and not shown'
		on "$oom" $command -d "$t/other" -j > "$t/json"
		"$TESTS/tools/validate" "$t/json"
		[ "$(rows '.bytes' < "$t/json" | paste -s -d + | bc)" = "$(rows '.bytes' < "$t/own" | paste -s -d + | bc)" ]
		[ "$(rows '.before_bytes' < "$t/json" | paste -s -d + | bc)" = "$(rows '.bytes' < "$t/other" | paste -s -d + | bc)" ]
		# The fixture leaks in one of the two.
		rows .name < "$t/json" | head -n 1 | grep -q leaky
	done
	[ "$(on "$oom" pageowner -d "$t/own")" = "pageowner: the file '$t/own' has another view: allocprof groups, not pageowner top" ]
	[ "$(on "$oom" allocprof -d "$t/own")" = "allocprof: the file '$t/own' has another view: allocprof groups, not allocprof sites: make it without -g" ]
	on "$oom" pageowner -g module -j > "$t/own"
	[ "$(on "$oom" pageowner -d "$t/own")" = "pageowner: the rows of the file '$t/own' are by module (-g), not by stack: make it without -g" ]
	# Of one stack a group of another key has its name.
	on "$oom" pageowner -g caller -j > "$t/own"
	[ "$(on "$oom" pageowner -d "$t/own")" = "pageowner: the rows of the file '$t/own' are by caller (-g), not by stack: make it without -g" ]
	on "$oom" pageowner -j > "$t/own"
	[ "$(on "$oom" pageowner -g comm -d "$t/own")" = "pageowner: the rows of the file '$t/own' have no comm: make it with -g comm" ]
	on "$oom" allocprof -d "$oom/truth/allocinfo" -j | head -n 1 | jq -r .view | grep -q -x diff
}

@test "a baseline that is not whole: new and gone are unknown, and it is told" {
	local whole=$BATS_TEST_TMPDIR/whole file=$BATS_TEST_TMPDIR/file why

	counted 'select(.cache != "vm_area_struct")' "$DIR/caches.now" > "$whole"
	[ "$(of "$STOCK" caches -d "$whole" -j | rows 'select(.name == "vm_area_struct") | .change')" = new ]
	while IFS='|' read -r change why; do
		jq -c "$change" "$whole" > "$file"
		of "$STOCK" caches -d "$file" -j > "$BATS_TEST_TMPDIR/json"
		[ "$(rows 'select(.name == "vm_area_struct") | "\(.change) \(.before_bytes) \(.diff_bytes)"' < "$BATS_TEST_TMPDIR/json")" = 'null null null' ]
		[ "$(jq 'select(.record == "summary") | .complete' "$BATS_TEST_TMPDIR/json")" = false ]
		jq -r 'select(.record == "summary") | .warnings[]' "$BATS_TEST_TMPDIR/json" > "$BATS_TEST_TMPDIR/warnings"
		grep -q "$why" "$BATS_TEST_TMPDIR/warnings"
		grep -q 'it is unknown whether new: the largest is vm_area_struct, ' "$BATS_TEST_TMPDIR/warnings"
		[ "$(jq 'select(.record == "total") | .diff_bytes' "$BATS_TEST_TMPDIR/json")" = null ]
		"$TESTS/tools/validate" "$BATS_TEST_TMPDIR/json"
	done <<-'END'
	if .record == "summary" then .sizes_complete = false else . end|/file is not complete: what is not in it may have been there
	if .record == "summary" then .rows_total += 5 else . end|/file is not complete
	select(.record != "summary")|/file is not complete
	END
	# An unknown value has no difference.
	jq -c 'if .cache == "task_struct" then .bytes = null else . end' "$DIR/caches.now" > "$file"
	[ "$(of "$STOCK" caches -d "$file" -j | rows 'select(.name == "task_struct") | "\(.change) \(.diff_bytes)"')" = 'null null' ]
	# A limit of -n is one as well.
	of "$STOCK" processes -j -n 3 > "$file"
	of "$STOCK" processes -d "$file" | grep -q 'it is unknown whether new'
}

@test "a text that is cut, or has a part of the rows: new is unknown, and there is no total" {
	local T=$OUTSIDE/truth f=$BATS_TEST_TMPDIR/file j=$BATS_TEST_TMPDIR/json noun text how why

	while IFS='|' read -r noun text how why; do
		"${how%% *}" ${how#* } "$T/$text" > "$f"
		of "$OUTSIDE" $noun -d "$f" -j > "$j"
		"$TESTS/tools/validate" "$j"
		echo "$noun $how"
		[ "$(rows 'select(.change == "new" or .change == "gone" or .before_bytes == 0 and .bytes > 0) | .name' < "$j")" = '' ]
		[ "$(jq -c 'select(.record == "total") | .diff_bytes' "$j")" = null ]
		[ "$(jq -r 'select(.record == "summary") | "\(.complete) \(.unknown[0].part): \(.unknown[0].reason)"' "$j")" = "false what else was there before: $f is not all of $why" ]
	done <<-'END'
	caches|slabinfo|head -n 2|/proc/slabinfo: it has no line of kmem_cache
	caches|slabinfo|head -n 40|/proc/slabinfo: it has no line of kmem_cache
	caches|slabinfo|head -c 3000|/proc/slabinfo: its last line has no end
	vmalloc|vmallocinfo|head -c 3000|/proc/vmallocinfo: its last line has no end
	vmalloc|vmallocinfo|head -n 30|/proc/vmallocinfo: it has no line of unpurged vm_area
	zones|buddyinfo|head -n 1|/proc/buddyinfo: it has no line of node 0 DMA32
	fragmentation|buddyinfo|head -c 60|/proc/buddyinfo: its last line has no end
	zones|zoneinfo|head -n 40|/proc/zoneinfo: it has no line of node 0 DMA
	processes|proc_status|head -n 30|/proc/PID/status of each process: it has no line of kthreadd
	processes|proc_status|head -n 4000|/proc/PID/status of each process: of its last process, ab (476), it has no line behind SigIgn, of others nonvoluntary_ctxt_switches
	END
}

@test "processes that a text has tell of those that it lacks; where none does, on what the new ones rest is told" {
	local f=$BATS_TEST_TMPDIR status=$OUTSIDE/truth/proc_status last why

	lacks() {	# WHY
		of "$OUTSIDE" processes -d "$f/text" | grep -q -x -F "warning: what else was there before unknown: $f/text is not all of $1" || { of "$OUTSIDE" processes -d "$f/text"; false; }
		[ "$(of "$OUTSIDE" processes -d "$f/text" -j | rows 'select(.change == "new") | .name')" = '' ]
	}
	# Whole processes, in the order that a shell has.
	awk -F / '$3 < 5 || $3 ~ /^[1-4]/' "$status" > "$f/text"
	last=$(tail -n 1 "$f/text" | cut -d / -f 3)
	lacks "/proc/PID/status of each process: in the order of names it ends at PID $last"
	# The first of them are missing, as a whole or in part.
	awk -F / '$3 != 1' "$status" > "$f/text"
	lacks "/proc/PID/status of each process: it has not process 1, the parent of $(awk -F '[/\t]' '$4 == "status:PPid:" && $5 == 1 { pid = $3 } END { print pid }' "$f/text")"
	tail -n +12 "$status" > "$f/text"
	lacks '/proc/PID/status of each process: it begins within a process'
	# Chosen lines: kernel threads end at another one.
	grep -E ':(Name|Tgid|Pid|PPid|VmRSS|VmPTE|VmSwap|HugetlbPages):' "$status" > "$f/text"
	diff <(of "$OUTSIDE" processes -d "$f/text" -f bytes=1M.. | grep -v ^warning) <(of "$OUTSIDE" processes -d "$status" -f bytes=1M.. | grep -v ^warning)
	# By number, without its end.
	awk -F / '{ print $3 "\t" NR "\t" $0 }' "$status" | sort -n -k 1,1 -k 2,2 | cut -f 3- > "$f/sorted"
	awk -F / '$3 < 100' "$f/sorted" > "$f/text"
	of "$OUTSIDE" processes -d "$f/text" | grep -q -x "warning: what is new rests on $f/text having each process: where it was cut between two the text does not show it"
	has_no_line -q 'rests on' <(of "$OUTSIDE" processes -d "$DIR/processes.other")
	# ps lists itself.
	{ echo 'USER PID RSS COMMAND'; echo 'root 1 9000 /sbin/init'; echo 'root 2 0 [kthreadd]'; } > "$f/text"
	lacks 'ps with RSS: it has no line of ps, which lists itself'
	echo 'root 900 4000 ps axo user,pid,rss,args' >> "$f/text"
	of "$OUTSIDE" processes -d "$f/text" | grep -q -x "warning: what is new rests on $f/text having each process: where lines were left out the text does not show it"
}

@test "a text of page_owner that was cut between two records: what it covers is compared" {
	local dump=$BUILD/samples/6.12-oom f=$BATS_TEST_TMPDIR/file whole=$BATS_TEST_TMPDIR/whole sums=$BATS_TEST_TMPDIR/sums part
	local kdump=$BUILD/samples/6.12-kdump

	on() { "$BUILD/memowner" --vmlinux "$dump/vmlinux" "$dump/vmcore" pageowner "$@" 2>&1; }
	on -g module -d "$dump/truth/page_owner" > "$whole"
	refute grep 'is not all of page_owner' "$whole"
	# A driver that has not grown: its pages of those PFNs are as many in the text.
	refute grep leaky "$whole"
	for part in 'NR <= 43000' 'NR > 43000' 'NR > 300' 'NR > 20000 && NR < 30000'; do
		awk -v RS= -v ORS='\n\n' "$part" "$dump/truth/page_owner" > "$f"
		on -g module -d "$f" > "$sums"
		grep -q -E "^warning: $f is not all of page_owner: it has PFN 0x[0-9a-f]+ to 0x[0-9a-f]+, and [0-9,]+ pages beyond are older than its newest record; what it has is compared, [0-9,]+ of 65,406 pages$" "$sums"
		refute grep leaky "$sums"
		[ "$(on -g module -d "$f" -j | jq 'select(.record == "summary").complete')" = false ]
	done
	# Without times nothing tells whether it was all; out of order it is of no order.
	sed -E 's/, ts [0-9]+ ns$//' "$f" > "$f.timeless"
	on -g module -d "$f.timeless" | grep -q -E "^warning: $f.timeless has PFN 0x[0-9a-f]+ to 0x[0-9a-f]+: whether it is all of page_owner is unknown, and GROWTH may include [0-9,]+ pages beyond$"
	awk -v RS= -v ORS='\n\n' '{ a[NR] = $0 } END { for (i = NR; i; i--) print a[i] }' "$f" > "$f.back"
	has_no_line 'all of page_owner' <(on -g module -d "$f.back")
	# Another machine has other times: by them nothing is told to be missing, and all pages of this one are compared.
	"$BUILD/memowner" --vmlinux "$kdump/vmlinux" "$kdump/vmcore" pageowner -n 1 -d "$dump/truth/page_owner" > "$sums" 2>&1
	grep -q '^warning: .*: whether it is all of page_owner is unknown, and GROWTH may include 19,027 pages beyond$' "$sums"
	grep -q '^scanned 130,936 = ' "$sums"
}

@test "JSON of which lines were left out, or added: its summary tells how many there were" {
	local f=$BATS_TEST_TMPDIR/file

	# As by grep -v, to see no more of a cache; of all; of what tells how many there were.
	grep -v task_struct "$DIR/caches.now" > "$f.less"
	grep -v '"record":"row"' "$DIR/caches.now" > "$f.none"
	jq -c 'if .record == "summary" then del(.rows_shown, .rows_total) else . end' "$DIR/caches.now" | grep -v task_struct > "$f.untold"
	for how in less none untold; do
		of "$STOCK" caches -d "$f.$how" -j > "$f.json"
		[ "$(rows 'select(.change == "new") | .name' < "$f.json")" = '' ]
		[ "$(jq -c 'select(.record == "total") | .diff_bytes' "$f.json")" = null ]
		of "$STOCK" caches -d "$f.$how" | grep -q "^warning: $f.$how is not complete: "
	done
	jq -c 'if .record == "row" and .cache == "task_struct" then ., . else . end' "$DIR/caches.now" > "$f.more"
	run of "$STOCK" caches -d "$f.more"
	[[ "$status" != 0 && "$output" =~ ^"memowner: the file '$f.more' has "[0-9]+' rows, and tells of '[0-9]+': others were added'$ ]]
	# Who made it is told by its first line.
	jq -c 'if .record == "meta" then del(.view) else . end' "$DIR/caches.now" > "$f.viewless"
	[ "$(of "$STOCK" caches -d "$f.viewless" || :)" = "memowner: line 1 of the file '$f.viewless' is no JSON of this program" ]
}

@test "a dump with holes beside the whole one of the same second: nothing has grown, shrunk, is new or gone" {
	local whole=$BUILD/samples/6.12-kdump holed=$BUILD/samples/6.12-holed t=$BATS_TEST_TMPDIR side noun

	on() { "$BUILD/memowner" --vmlinux "$1/vmlinux" "$1/vmcore" "${@:2}" 2>&1; }
	for noun in classes caches vmalloc 'pages -g class'; do
		on "$whole" $noun -j > "$t/whole"
		on "$holed" $noun -j > "$t/holed"
		on "$whole" ${noun% -g*} -d "$t/holed" ${noun#"${noun% -g*}"} -j > "$t/now-whole"
		on "$holed" ${noun% -g*} -d "$t/whole" ${noun#"${noun% -g*}"} -j > "$t/now-holed"
		for side in whole holed; do
			[ "$(jq 'select(.record == "total") | .diff_bytes' "$t/now-$side")" = null ]
			[ "$(rows 'select(.diff_bytes != null or .diff_count != null) | .name' < "$t/now-$side")" = '' ]
		done
		# The whole one has more, for certain not less.
		[ "$(rows 'select(.change != null) | "\(.name) \(.change)"' < <(cat "$t/now-whole" "$t/now-holed"))" = '' ]
	done
	# Half of a row before: then more has come, however much was not read.
	on "$holed" caches -j > "$t/holed"
	jq -c 'if .cache == "kmalloc-1k" then .bytes /= 2 else . end' < <(on "$whole" caches -j) > "$t/half"
	on "$holed" caches -d "$t/half" -j > "$t/json"
	[ "$(rows 'select(.change != null) | "\(.name) \(.change) \(.diff_bytes)"' < "$t/json")" = 'kmalloc-1k grown null' ]
	jq -r 'select(.record == "summary") | .warnings[]' "$t/json" |
		grep -q -x 'the growth of [0-9]* rows is unknown; by what was read it is largest of kmalloc-1k, from 2.1M to 4.2M'
	# The counters of the kernel are all there; that no page of a class is left is not known.
	on "$holed" classes -d "$whole/truth/meminfo" -j > "$t/json"
	diff <(rows 'select(.diff_bytes != null and (.name | startswith("direct") | not)) | "\(.name) \(.diff_bytes)"' < "$t/json" | sort) \
		<(on "$whole" classes -d "$whole/truth/meminfo" -j | rows 'select((.name | startswith("direct") | not) and .name != "reserved" and .name != "file" and .diff_bytes != null) | "\(.name) \(.diff_bytes)"' | sort)
}

@test "large kmalloc, which /proc/slabinfo never lists; counters that CPUs have not added to" {
	local new=$BUILD/samples/7.3-oom old=$BUILD/samples/6.12-oom t=$BATS_TEST_TMPDIR

	on() { "$BUILD/memowner" --vmlinux "$1/vmlinux" "$1/vmcore" "${@:2}" 2>&1; }
	rows_of_large() { rows 'select(.name == "[large kmalloc]") | "\(.bytes) \(.before_bytes) \(.diff_bytes) \(.change)"' < "$t/json"; }
	sum() { rows "select(.name != \"[large kmalloc]\") | .$1" < "$t/json" | paste -s -d + | bc; }
	on "$new" caches -j > "$t/new"
	on "$old" caches -j > "$t/old"
	on "$new" caches -d "$new/truth/slabinfo" -j > "$t/json"
	[ "$(rows_of_large)" = '720896 null null null' ]
	[ "$(jq -r 'select(.record == "total") | "\(.bytes) \(.before_bytes)"' "$t/json")" = "$(sum bytes) $(sum before_bytes)" ]
	jq -r 'select(.record == "summary") | .warnings[]' "$t/json" | grep -q -F "/truth/slabinfo has no row of [large kmalloc], whatever there was: its growth is unknown, and it is in no total"
	# A kernel without a page type of it has no row either.
	on "$new" caches -d "$t/old" -j > "$t/json"
	[ "$(rows_of_large)" = '720896 null null null' ]
	on "$old" caches -d "$t/new" -j > "$t/json"
	[ "$(rows_of_large)" = 'null 720896 null null' ]
	counted 'select(.record != "row" or .cache != "[large kmalloc]")' "$t/new" > "$t/less"
	on "$new" caches -d "$t/less" -j > "$t/json"
	[ "$(rows_of_large)" = '720896 0 720896 new' ]
	# vm_stat_diff: none of lists, nor of blocks.
	for text in zones/zoneinfo:1 zones/buddyinfo:0 fragmentation/buddyinfo:0 classes/meminfo:1; do
		of "$STOCK" ${text%/*} -d "$STOCK/truth/$(basename "${text%:*}")" > "$t/text"
		[ "$(grep -c '^warning: .*what CPUs have not added to .* yet' "$t/text")" = "${text#*:}" ]
	done
	of "$STOCK" zones -d "$DIR/zones.now" | grep -q 'what CPUs have not added to the counter yet'
}

@test "what is no baseline is refused in one line" {
	local f=$BATS_TEST_TMPDIR

	head -c 700 "$DIR/caches.now" > "$f/cut"
	cat "$DIR/caches.now" "$DIR/caches.now" > "$f/two"
	: > "$f/empty"
	echo '{"record":"meta"' > "$f/torn"
	echo '[]' > "$f/list"
	jq -c 'del(.cache)' "$DIR/caches.now" > "$f/nameless"
	jq -c 'del(.bytes)' "$DIR/caches.now" > "$f/sizeless"
	while read -r name change; do
		jq -c "if .record == \"meta\" then $change else . end" "$DIR/caches.now" > "$f/$name"
	done <<-'END'
	filtered .options = ["-f cache=k*"]
	grouped .options = ["-g node"]
	untold del(.options)
	newer .schema = 9
	END
	seq 100 > "$f/text"
	gzip -c "$DIR/caches.now" | head -c 2000 > "$f/cut.gz"
	mkfifo "$f/pipe"
	for case in "$DIR/files.now" "$f/cut" "$f/two" "$f/empty" "$f/torn" "$f/list" "$f/nameless" "$f/sizeless" "$f/filtered" "$f/grouped" "$f/untold" "$f/newer" "$f/text" "$f/none" "$f/cut.gz" "$OUTSIDE/truth/meminfo" "$f" - "$f/pipe"; do
		run of "$STOCK" caches -d "$case"
		[ "$status" != 0 ]
		[ "${#lines[@]}" = 1 ]
		[[ "$output" = memowner:*"'$case'"* ]]
		echo "${output//$f/DIR}"
	done > "$f/said"
	diff "$f/said" - <<-END
	memowner: the file '$DIR/files.now' has another view: memowner files, not memowner caches
	memowner: line 2 of the file 'DIR/cut' is no JSON of this program
	memowner: line 201 of the file 'DIR/two': it has more than one answer
	memowner: the file 'DIR/empty' is empty
	memowner: line 1 of the file 'DIR/torn' is no JSON of this program
	memowner: the file 'DIR/list' is no JSON of this view, nor /proc/slabinfo: '[]'
	memowner: the rows of the file 'DIR/nameless' have no cache
	memowner: the rows of the file 'DIR/sizeless' have no bytes
	memowner: the file 'DIR/filtered' was made with -f cache=k*: its rows are not those of this view
	memowner: the rows of the file 'DIR/grouped' are by node (-g), not by cache: make it without -g
	memowner: the file 'DIR/untold' does not tell its options
	memowner: the file 'DIR/newer' has schema 9, this program reads 2: make it anew
	memowner: the file 'DIR/text' is no JSON of this view, nor /proc/slabinfo: '1'
	memowner: cannot read the file 'DIR/none': No such file or directory
	memowner: the file 'DIR/cut.gz' is truncated: its gzip data end early
	memowner: the file '$OUTSIDE/truth/meminfo' is no JSON of this view, nor /proc/slabinfo: 'MemTotal:         352600 kB'
	memowner: the folder 'DIR' has no proc/slabinfo
	memowner: cannot read '-': it is no name of standard input here: save that in a file first
	memowner: cannot read 'DIR/pipe': it is a pipe or a device: save its text in a file first
	END
}

@test "gzip, several dumps in one file, a group by another key" {
	gzip -c "$DIR/caches.now" > "$BATS_TEST_TMPDIR/gz"
	of "$STOCK" caches -d "$BATS_TEST_TMPDIR/gz" | grep -q '^195 rows are as large as before'
	of "$STOCK" processes -d "$DIR/processes.other" -g cgroup -j > "$BATS_TEST_TMPDIR/json"
	diff <(sums "$DIR/processes.now" cgroup process_bytes) <(rows 'select(.bytes > 0) | [.name, .bytes] | @tsv' < "$BATS_TEST_TMPDIR/json" | sort)
	[ "$(rows .key < "$BATS_TEST_TMPDIR/json" | sort -u)" = cgroup ]
	of "$STOCK" files -g fs_type -j > "$BATS_TEST_TMPDIR/groups"
	of "$STOCK" files -d "$BATS_TEST_TMPDIR/groups" -g fs_type | grep -q 'rows are as large as before'
}

@test "meminfo has no pages of zsmalloc, whole as it is: then direct is compared with these, and no line is missed" {
	local d=$BUILD/samples/6.12-oom j=$BATS_TEST_TMPDIR/j t=$BATS_TEST_TMPDIR/meminfo counted

	"$BUILD/memowner" --vmlinux "$d/vmlinux" "$d/vmcore" classes -d "$d/truth/meminfo" -j > "$j"
	[ "$(jq -r 'select(.record == "row" and (.name == "direct" or .name == "zsmalloc")) | "\(.name) \(.change) \(.diff_bytes)"' "$j" | sort | xargs)" = 'zsmalloc null null' ]
	counted=$(jq 'select(.record == "row" and .name == "direct, zsmalloc") | .before_bytes' "$j")
	# A leak of 300 MB that no counter has.
	awk '$1 == "MemFree:" { $2 += 300000 } { print }' "$d/truth/meminfo" > "$t"
	"$BUILD/memowner" --vmlinux "$d/vmlinux" "$d/vmcore" classes -d "$t" -j > "$j"
	[ "$(jq 'select(.record == "row" and .name == "direct, zsmalloc") | .before_bytes' "$j")" = $((counted - 300000 * 1024)) ]
	[ "$(jq -c 'select(.record == "summary") | .unknown' "$j")" = '[]' ]
	[ "$(jq -r 'select(.record == "row" and .name == "anon") | .change' "$j")" = grown ]
}

@test "counts beside sizes: of a cgroup with those below it, of file systems; a name with counts is one name" {
	local t=$BATS_TEST_TMPDIR

	of "$STOCK" cgroups -j | jq -c 'if .record == "row" and .memcg == "/system.slice" then .all_processes += 3 else . end' > "$t/before"
	[ "$(of "$STOCK" cgroups -d "$t/before" -n 0 -j | rows 'select(.diff_count != 0 and .diff_count != null) | "\(.name) \(.diff_count)"')" = '/system.slice -3' ]
	of "$STOCK" cgroups -d "$t/before" | grep -q -x 'COUNT+ counts processes, those of descendants among them; rows are matched by memcg'
	of "$STOCK" filesystems -j > "$t/before"
	[ "$(of "$STOCK" filesystems -d "$t/before" -n 0 -j | rows .diff_count | sort -u)" = 0 ]
	of "$STOCK" bpf -j | jq -c 'if .bpf_kind == "seccomp" then .name = "7 filters of 3 threads" else . end' > "$t/before"
	[ "$(of "$STOCK" bpf -d "$t/before" -n 0 -j | rows 'select(.name | startswith("seccomp")) | "\(.name) \(.change)"')" = 'seccomp same' ]
}

@test "filters of the file are no other rows where the same are asked of both sides" {
	local t=$BATS_TEST_TMPDIR

	of "$STOCK" processes -f comm=memcached -j > "$t/filtered"
	[ "$(of "$STOCK" processes -d "$t/filtered" -f comm=memcached -n 0 -j | rows '"\(.name) \(.change) \(.diff_bytes)"')" = 'memcached same 0' ]
	of "$STOCK" processes -d "$t/filtered" -f comm=redis-server | grep -q -x "memowner: the file '$t/filtered' was made with -f comm=memcached: its rows are not those of this view"
	of "$STOCK" processes -f rss=1M.. -j > "$t/filtered"
	[[ "$(of "$STOCK" processes -d "$t/filtered" -f rss=1M..)" = *'rss is no key of -f with -d'* ]]
	# Rows that were left out may be those that have a name.
	of "$STOCK" bpf -j | jq -c 'if .record == "row" then .bpf_type = null elif .record == "summary" then .rows_total += 1 else . end' > "$t/cut"
	[ "$(of "$STOCK" bpf -d "$t/cut")" = "memowner: no row of the file '$t/cut' has a bpf_type: make it without -n" ]
}

@test "counted: what is in no row is compared as a row is, and unknown where one side does not know it" {
	local t=$BATS_TEST_TMPDIR bytes

	of "$STOCK" counted -j > "$t/now"
	bytes=$(jq -r 'select(.record == "part" and .name == "rest") | .bytes' "$t/now")
	[ "$bytes" -gt 0 ]
	sed "/\"rest\"/s/\"bytes\":$bytes/\"bytes\":$((bytes / 2))/" "$t/now" > "$t/before"
	of "$STOCK" counted -d "$t/before" -j | jq -e -s --argjson more $((bytes - bytes / 2)) 'map(select(.name == "rest")) | length == 1 and .[0].diff_bytes == $more and .[0].change == "grown"'
	for i in s/"\"bytes\":$bytes"/'"bytes":null'/ d; do
		sed "/\"rest\"/$i" "$t/now" > "$t/before"
		of "$STOCK" counted -d "$t/before" -j | jq -e -s 'map(select(.name == "rest")) | length == 1 and .[0].diff_bytes == null and .[0].change == null'
	done
}

@test "meminfo: of page cache of which no page is left the classes say that it is gone" {
	local d=$BUILD/samples/6.12-oom t=$BATS_TEST_TMPDIR/meminfo

	awk '$1 == "Cached:" { $2 += 61440 } $1 == "Buffers:" { $2 = 0 } { print }' "$d/truth/meminfo" > "$t"
	"$BUILD/memowner" --vmlinux "$d/vmlinux" "$d/vmcore" classes -d "$t" -f class=file > "$t.out"
	grep -q -x -E -e '-60\.0M +0B +60\.0M +gone +file' "$t.out"
	# Where there was none either, it has no row.
	awk '$1 == "Buffers:" { $2 = 0 } { print }' "$d/truth/meminfo" > "$t"
	"$BUILD/memowner" --vmlinux "$d/vmlinux" "$d/vmcore" classes -d "$t" > "$t.out"
	run grep -w gone "$t.out"
	[ "$status" -eq 1 ]
}

@test "areas that have no memory of their own: more of them are no row that is as large as before" {
	local t=$BATS_TEST_TMPDIR

	of "$STOCK" vmalloc -n 0 -j > "$t/now"
	jq -e -s '.[] | select(.record == "row" and .bytes == 0 and .caller == "irq_init_percpu_irqstack")' "$t/now"
	jq -c 'if .bytes == 0 and .caller == "irq_init_percpu_irqstack" then .areas -= 1 else . end' "$t/now" > "$t/fewer"
	[ "$(of "$STOCK" vmalloc -d "$t/fewer" -j | rows 'select(.change != "same") | "\(.name) \(.change) \(.diff_bytes) \(.diff_count)"')" = 'irq_init_percpu_irqstack grown 0 1' ]
	of "$STOCK" vmalloc -d "$t/fewer" | grep -q -E '^ *0B +0B +0B +1 +grown +irq_init_percpu_irqstack$'
}
