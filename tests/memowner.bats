#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The summary of a real dump, $SAMPLE: one screen, every figure that of another command, commands
# that run.

load helper

rows() {	# FILE FILTER: of the summary, each statement is a record of its section
	[ "$1" = summary ] && jq -r "$2" "$OUT/$1" || jq -r "select(.record == \"row\") | $2" "$OUT/$1"
}

setup_file() {
	export DIR=$BUILD/samples/$SAMPLE OUT=$BATS_FILE_TMPDIR MODE=${MODES##* }
	BATS_TEST_TMPDIR=$OUT
	ask "memowner > $OUT/text" "memowner -j > $OUT/summary" "pageowner -m -j > $OUT/memory" "memowner caches -j > $OUT/caches" "memowner files -j > $OUT/files" "pageowner -z -j > $OUT/zones" \
		"pageowner -g caller -j > $OUT/caller" "pageowner -g module -j > $OUT/module" \
		"pageowner -g tgid -o +owner,+comm -j > $OUT/process" "pageowner -g memcg -j > $OUT/cgroup" \
		"allocprof -j > $OUT/sites" "memowner processes -j -o pid,executable > $OUT/executables" "faults -j > $OUT/tasks" "faults -b -j > $OUT/blocked" \
		"memowner -D > $OUT/decisions"
	rows summary 'select(.record == "next") | .command' > "$OUT/next"
	# What the sentences on growth say can be asked for, too.
	rows summary 'select(.record == "owner" and .user_kind == "caller" and .span_pages and .name) |
		"pageowner -f \"caller=\(.name | sub(" \\[.*"; ""))\" -f ts=\(.span_start_ns)ns..\(if .span_end_ns then "\(.span_end_ns)ns" else "" end) -g caller -n 1 -j"' |
		awk -v out="$OUT/span" '{ print $0 " > " out NR }' > "$OUT/spans"
	awk -v out="$OUT/asked" '{ print $0 " -j > " out NR }' "$OUT/next" >> "$OUT/spans"
	mapfile -t commands < "$OUT/spans"
	ask "${commands[@]}"
}

ask() {
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "$@" > "$OUT/said"
}

@test "one screen: 40 lines of 80 columns, the same facts as in JSON" {
	on_screen 80 --vmlinux "$DIR/vmlinux" "$DIR/vmcore" > "$OUT/screen"
	[ "$(wc -l < "$OUT/screen")" -le 40 ]
	[ "$(awk 'length > 80' "$OUT/screen")" = '' ]
	# In a file each statement is one line, and more have room.
	[ "$(wc -l < "$OUT/text")" -le 40 ]
	grep -v '^  [0-9]* more  \|^not shown\|^users \|^warning  *[0-9]* more;' "$OUT/screen" | sed 's/^also /     /' > "$OUT/shown"
	diff <(comm -23 <(screen_words "$OUT/shown" | tr -d ',;' | sort -u) <(screen_words "$OUT/text" | tr -d ',;' | sort -u)) /dev/null
	refute grep ' $' "$OUT/text"
	"$TESTS/tools/validate" "$OUT/summary"
	while read -r command; do
		# Behind some a remark says what for.
		sed 's/  # .*//' "$OUT/text" | grep -q -x -F "  $command"
	done < "$OUT/next"
	[ "$(wc -l < "$OUT/next")" = 3 ]
}

@test "it names who has the memory" {
	grep -q -E '^  caller .* leaky_rx_refill \[leaky\]$' "$OUT/text"
	grep -q -E '^  module .* leaky$' "$OUT/text"
	[ "$(rows summary 'select(.record == "owner" and .user_kind == "process") | .comm')" = nic-poll ]
	grep -q '^panic     Out of memory: ' "$OUT/text"
	[ "$(rows summary 'select(.record == "oom") | "\(.name) \(.comm) \(.order) \(.outcome)"')" = 'oom hungry 0 panicked' ]
	# That the process is dead is known where the list of processes is whole.
	[ "$SAMPLE" = 6.12-holed ] || grep -q -E '^  process .* nic-poll \([0-9]+\), dead$' "$OUT/text"
}

@test "what crashkernel= and the kernel itself take is not remarked as high" {
	rows summary 'select(.record == "class" and .name == "reserved") | .remark' > "$OUT/reserved"
	# A hole has the resources from which they follow.
	[ "$SAMPLE" = 6.12-holed ] || [ "$(cat "$OUT/reserved")" = null ]
}

@test "shares are of what this kernel may use, without what crashkernel= sets aside" {
	local ram capture base

	[ "$SAMPLE" = 6.12-kdump ] || return 0 # others have no crashkernel=, or a hole in its place
	ram=$(rows summary 'select(.record == "ram" and .name == "System RAM") | .bytes')
	base=$(rows summary 'select(.record == "ram" and .name == "System RAM") | .base_bytes')
	capture=$((160 << 20))
	[ "$base" = $((ram - capture)) ]
	[ "$(rows summary 'select(.record == "ram" and .name == "MemTotal") | .base_bytes')" = null ]
	# 271.5M of 351.5M; the reservation has no owner that could give it back.
	grep -q -E '^RAM .*; shares are of 351\.5M, outside the capture kernel.s 160\.0M$' "$OUT/text"
	grep -q -E '^holder .* 271\.5M, 77\.3% of RAM' "$OUT/text"
	grep -q -E '^  reserved  181\.8M      -  of boot: .*, crashkernel 160\.0M$' "$OUT/text"
	refute grep -q 'crashkernel=' "$OUT/text"
}

@test "-D prints the limits of the remarks, with reasons" {
	local of

	grep -q -E '^limit +[0-9]+ tenths of a percent of System RAM with which buddy is low: .' "$OUT/decisions"
	for of in slab direct anon; do
		grep -q -E "^limit +[0-9]+ tenths of a percent of System RAM with which class $of is high: ." "$OUT/decisions"
	done
}

@test "classes of RAM are those of pageowner -m" {
	diff <(rows summary 'select(.record == "class") | "\(.name) \(.pages) \(.bytes)"' | sort) \
		<(rows memory 'select(.class) | "\(.class) \(.pages) \(.bytes)"' | sort)
	[ "$(rows summary 'select(.record == "ram" and .name != "MemTotal") | .pages')" = \
		"$(jq -r 'select(.record == "summary") | .ram_pages' "$OUT/memory")" ]
}

@test "the OOM report is that of pageowner -z" {
	local keys='"\(.ts_ns) \(.pid) \(.comm) \(.order) \(.gfp_mask) \(.gfp) \(.constraint) \(.memcg) \(.outcome) \(.victim_pid) \(.victim_comm)"'

	[ "$(rows summary "select(.record == \"oom\") | $keys")" = "$(jq -r "select(.record == \"report\") | $keys" "$OUT/zones")" ]
}

@test "slab caches are those of memowner caches, the largest first" {
	diff <(rows summary 'select(.record == "cache") | "\(.name) \(.pages) \(.bytes)"' | sort) \
		<(rows caches 'select(.pages > 0) | "\(.pages)\t\(.cache) \(.pages) \(.bytes)"' | sort -s -k 1,1nr | head -n 5 | cut -f 2 | sort)
}

@test "files with a tenth of RAM are those of memowner files" {
	diff <(rows summary 'select(.record == "file") | "\(.name) \(.pages) \(.bytes) \(.swapped_pages) \(.used_by)"') \
		<(rows files 'select(.address and .total_bytes * 10 >= '"$(rows summary 'select(.record == "ram" and .name != "MemTotal") | .bytes')"') |
			"\(.file) \(.pages) \(.bytes) \(.swapped_pages) \(.used_by)"' | head -n 3)
}

# largest BY KEY COLUMN...: the rows of the summary are the first ones of a ranking whose key is known.
largest() {
	local by=$1 key=$2 columns

	shift 2
	columns=$(printf '.%s,' "$@")
	rows summary "select(.record == \"owner\" and .user_kind == \"$by\") | [.$key, ${columns%,}] | @tsv" > "$BATS_TEST_TMPDIR/ours"
	[ -s "$BATS_TEST_TMPDIR/ours" ]
	while IFS= read -r line; do
		grep -q -x -F "$line" "$BATS_TEST_TMPDIR/theirs" || { echo "$by: $line"; return 1; }
	done < "$BATS_TEST_TMPDIR/ours"
}

theirs() {	# FILE KEY COLUMN...
	local file=$1 columns

	columns=$(printf '.%s,' "${@:2}")
	rows "$file" "[${columns%,}] | @tsv" > "$BATS_TEST_TMPDIR/theirs"
}

@test "owners are those of pageowner -g, the largest first" {
	local sums='pages bytes allocs age_max_ns age_min_ns'

	theirs caller caller $sums
	largest caller name $sums
	[ "$(cut -f 2 "$BATS_TEST_TMPDIR/ours" | head -n 1)" = "$(rows caller .pages | sort -n -r | head -n 1)" ]
	theirs module module $sums
	largest module name $sums
	[ "$(cut -f 2 "$BATS_TEST_TMPDIR/ours")" = "$(rows module .pages | sort -n -r | head -n 1)" ]
	theirs process tgid $sums owner
	largest process pid $sums owner
	[ "$(cut -f 2 "$BATS_TEST_TMPDIR/ours")" = "$(rows process .pages | sort -n -r | head -n 1)" ]
	# Without CONFIG_MEMCG nothing is charged.
	[ -s "$DIR/truth/memcg_web" ] || return 0
	theirs cgroup memcg $sums
	largest cgroup name $sums
	[ "$(cut -f 2 "$BATS_TEST_TMPDIR/ours")" = "$(rows cgroup 'select((.memcg // "")[:1] == "/") | .pages' | sort -n -r | head -n 1)" ]
}

@test "growth that is neither is mixed; none is of a span that is unknown" {
	[ "$(rows summary 'select(.record == "owner" and (.growth == null) != (.span_pages == null)) | .name')" = '' ]
	# The boot and the last second, nothing between.
	[ "$SAMPLE" != 6.1-oom ] || [ "$(rows summary 'select(.record == "owner" and .user_kind == "cgroup") | .growth')" = mixed ]
}

@test "the span of growth has as many pages as -f ts finds in it" {
	local n=0 pages total

	while IFS=$'\t' read -r pages total; do
		n=$((n + 1))
		[ "$(rows span$n .pages)" = "$pages" ]
		# Nine tenths of them all.
		[ $((pages * 10)) -ge $((total * 9)) ]
	done < <(rows summary 'select(.record == "owner" and .user_kind == "caller" and .span_pages and .name) | [.span_pages, .pages] | @tsv')
	[ "$n" -ge 1 ]
}

@test "sites are those of allocprof, and what is not known is said" {
	if rows sites .tag | grep -q .; then
		diff <(rows summary 'select(.record == "site") | "\(.name) \(.bytes) \(.allocs)"') \
			<(rows sites '"\(.file):\(.line) \(.function)\(if .module == "vmlinux" then "" else " [\(.module)]" end) \(.bytes) \(.calls)"' | head -n 3)
	else
		# What the kernel was built without is not on the screen.
		rows summary 'select(.record == "missing" and .name == "sites") | .remark' | grep -q '^this kernel was built without' ||
			grep -q -E '^unknown   (owners, )?sites: ' "$OUT/text"
		[ "$(rows summary 'select(.record == "missing" and .name == "sites") | .remark')" = \
			"$(jq -r 'select(.record == "summary") | .warnings[0]' "$OUT/sites")" ]
	fi
}

@test "processes and page faults are those of faults and faults -b" {
	diff <(rows summary 'select(.record == "process") | "\(.pid) \(.comm) \(.rss_bytes) \(.swap_bytes) \(.rss_anon_bytes) \(.rss_file_bytes) \(.rss_shmem_bytes)"') \
		<(rows tasks 'select(.pid == .tgid and .rss_bytes != null) | "\(.rss_bytes + .swap_bytes)\t\(.pid) \(.comm) \(.rss_bytes) \(.swap_bytes) \(.rss_anon_bytes) \(.rss_file_bytes) \(.rss_shmem_bytes)"' |
			sort -s -k 1,1nr | head -n 3 | cut -f 2)
	[ "$(rows summary 'select(.record == "faults") | "\(.pid) \(.rate_milli)"')" = \
		"$(rows tasks 'select((.kthread | not) and (.life_ns // 0) >= 1e9) | "\(.pid) \(.rate_milli // 0)"' | sort -k 2,2nr | head -n 1)" ]
	diff <(rows summary 'select(.record == "process" or .record == "faults") | "\(.pid) \(.cgroup)"' | sort -u) \
		<(join <(rows summary 'select(.record == "process" or .record == "faults") | .pid' | sort -u) \
			<(rows tasks '"\(.pid) \(.cgroup)"' | sort))
	# What the guest runs under many names.
	if [ "$SAMPLE" = 6.12-holed ]; then
		# Their struct file is in a hole.
		[ "$(rows summary 'select(.record == "process") | .executable' | sort -u)" = null ]
	else
		[ "$(rows summary 'select(.record == "process") | .executable' | sort -u)" = /bin/work ]
		grep -q -E '^processes .*\([0-9]+\) running /bin/work: anon ' "$OUT/text"
	fi
		diff <(rows summary 'select(.record == "process") | "\(.pid) \(.executable)"' | sort) \
		<(join <(rows summary 'select(.record == "process") | .pid' | sort) \
			<(rows executables '"\(.pid) \(.executable)"' | sort))
	diff <(rows summary 'select(.record == "in_fault") | "\(.pid) \(.waits_for) \(.address)"' | sort) \
		<(rows blocked '"\(.pid) \(.waits_for) \(.address)"' | sort)
}

@test "a site is proposed if it has a tenth of RAM: of a module all sites" {
	local site

	# What an allocator asks for belongs to those who called it.
	refute grep -E 'function=(alloc_slab_page|alloc_zspage|alloc_zpdesc)' "$OUT/next"
	site=$(sed -n -e 's/^allocprof -f function=//p' -e 's/^allocprof -f module=\(.*\)/[\1]/p' "$OUT/next")
	if [ -n "$site" ]; then
		rows summary 'select(.record == "site" and .bytes * 10 >= '"$(rows summary 'select(.record == "ram" and .name != "MemTotal") | .bytes')"') | .name' |
			grep -q -F " $site"
	fi
	if [ "$SAMPLE" = 6.12-oom ]; then
		[ "$site" = '[leaky]' ]
	fi
}

@test "the commands to type run, and show something" {
	for n in 1 2 3; do
		[ "$(rows asked$n .record | wc -l)" -ge 1 ] || { sed -n "${n}p" "$OUT/next"; false; }
		[ "$(jq -r 'select(.record == "summary") | .status' "$OUT/asked$n")" = ok ]
	done
}

@test "a dump with holes is said to be incomplete" {
	[ "$(jq -r 'select(.record == "summary") | .complete' "$OUT/summary")" = "$([ "$SAMPLE" = 6.12-holed ] && echo false || echo true)" ]
	if [ "$SAMPLE" = 6.12-holed ]; then
		grep -q '^warning   ' "$OUT/text"
		# Pages of unknown use may be of users whose lists are in a hole.
		[ "$(rows summary 'select(.record == "missing") | .name' | sort | xargs)" = 'callers of vmalloc deadlocks devices of zram files files in swap limits of processes lists of direct pages modules of some functions some kernel stacks what processes hold' ]
		grep -q ', live or dead: unknown$' "$OUT/text"
		# Its resource tree is in a hole.
		grep -q -E '^RAM       zone spans [0-9.]+M, holes included; MemTotal ' "$OUT/text"
		tail -n 2 "$OUT/text" | tr -s '\n ' ' ' | grep -q -E 'coverage [0-9,]+ of [0-9,]+ pages of zone spans scanned [^ ]*, holes included $'
	else
		grep -q -E '^RAM       System RAM [0-9.]+M, MemTotal ' "$OUT/text"
		grep -q -E '^coverage  [0-9,]+ of [0-9,]+ pages of System RAM scanned' "$OUT/text"
	fi
	# What is not in the dump is told once.
	[ "$(jq -r 'select(.record == "summary") | .warnings[]' "$OUT/summary" | sed 's/^[^:]*: //' | sort | uniq -d)" = '' ]
}

# The words of each line, in the order of the alphabet. Process 0 is boot, no process.
sorted_words() {
	/usr/bin/python3 -c 'import sys
for line in sys.stdin: print(*sorted(word for word in line.split() if word != "-"))' | grep .
}

# Rows without the columns in which none has a value. What several sections lack stands in the
# first of them.
label='s/^ *warning: /warning /' # the summary has it in front of the line
said_words() {
	sed -e '/^ *[A-Z][A-Z_% ]*$/d' -e 's/^filters kept .*//' -e "$label" | sorted_words
}

@test "-H: what the commands say in one page below 1.5 MB, nothing from elsewhere, readable without a script" {
	local id line

	ask "memowner -H $OUT/page" "memowner > $OUT/said.summary" "memowner caches -n 80 > $OUT/said.caches" "memowner processes -n 400 -o +ppid > $OUT/said.processes" \
		"memowner zones > $OUT/said.zones" "memowner cgroups -n 80 -o +high_limit,swap_max_limit,min_limit > $OUT/said.cgroups" "memowner case > $OUT/said.case" "memowner log > $OUT/said.log"
	grep -q "^report saved to $OUT/page\$" "$OUT/said"
	[ "$(stat -c %s "$OUT/page")" -lt 1500000 ]
	refute grep -q -i 'https\{0,1\}://[^w]' "$OUT/page"
	"$TESTS/tools/page_data" "$OUT/page" > "$OUT/parts"
	[ "$(cut -f 1 "$OUT/parts" | xargs)" = 'memory groups folded' ]
	"$TESTS/tools/page_data" "$OUT/page" memory | "$TESTS/tools/validate" /dev/stdin
	# The case has two lines: the second stands below the first.
	grep -A 1 '<span class=label>case<' "$OUT/page" | grep -q '<span class=label></span> <span>panic '
	# Each line that a command prints is in its section, of a table in the same row: its words in another order.
	# Of the commands that the summary proposes it has the answers.
	# The page has rows that the screen has no room for.
	sed -i -e '/^next:$/,/^[^ ]/{ /^next:$/d; /^  /d }' -e '/^not shown /d' "$OUT/said.summary"
	grep -q '>read on</span> <span><a href="#[a-z0-9_]*">' "$OUT/page"
	# The summary stands above what happened.
	"$TESTS/tools/page_data" "$OUT/page" '#story' > "$OUT/read"
	refute grep -E '\[memowner|^verdict|^holder' "$OUT/read"
	for id in summary caches processes zones cgroups case log; do
		# Built without CONFIG_MEMCG it says that.
		if grep -q '^no data: ' "$OUT/said.$id"; then continue; fi
		"$TESTS/tools/page_data" "$OUT/page" "#$id" > "$OUT/read"
		[ "$(wc -l < "$OUT/read")" -gt 3 ]
		"$TESTS/tools/page_data" "$OUT/page" '#' >> "$OUT/read"
		[ "$(wc -l < "$OUT/said.$id")" -gt 3 ]
		while read -r line; do
			echo "$id: $line"
			false
		done < <(comm -23 <(said_words < "$OUT/said.$id" | sort -u) <(sed "$label" "$OUT/read" | sorted_words | sort -u))
	done
}
