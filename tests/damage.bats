#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Copies of a real dump, $SAMPLE, with pages that are damaged or missing: what
# can be read is answered, what cannot is counted, and crash goes on.

load helper

# What is asked of the dump before it is damaged, once: a handle, addresses of variables and of the
# last page table of the fixture's module.
setup_file() {
	# If BRIEF crash reads what it needs for this alone: ready sooner, and the damage is the same.
	export DIR=$BUILD/samples/$SAMPLE HANDLE PAGE_EXT PTE MODULE LOG GFP_NAMES OPTION=${BRIEF:+--minimal}
	local values out=$BATS_FILE_TMPDIR

	MODULE=$(awk '$1 == "leaky" { print $6 }' "$DIR/truth/modules")
	run_crash "$DIR/vmlinux" "$DIR/vmcore" -- "pageowner -n 1 -o handle > $out/handle" 'p/x mem_section[0][1].page_ext' \
		'p/x page_offset_base' 'p/x ((unsigned long)&__log_buf - 0xffffffff80000000 + phys_base) / 4096' \
		'p/x ((unsigned long)&gfpflag_names - 0xffffffff80000000 + phys_base) / 4096' "vtop ${MODULE#0x}" > "$out/told"
	HANDLE=$(sed -n 2p "$out/handle")
	mapfile -t values < <(sed -n 's/^\$[0-9]* = //p' "$out/told")
	# First page frame of the page_ext table of section 1, whose entries have 80 bytes.
	PAGE_EXT=$(((values[0] + 80 * 0x8000 - values[1]) >> 12))
	LOG=$((values[2])) GFP_NAMES=$((values[3]))
	PTE=$(awk '$1 == "PTE:" { print $2; exit }' "$out/told")
	[ -n "$PTE" ]
}

setup() {
	cp "$DIR/vmcore" "$BATS_TEST_TMPDIR/vmcore"
}

damage() { "$BUILD/tools/kdump" "$1" "$BATS_TEST_TMPDIR/vmcore" "$2" "$3"; }

ask() {	# COMMAND...
	run_crash "$DIR/vmlinux" "$BATS_TEST_TMPDIR/vmcore" ${OPTION:-} -- "$@"
}

# The last line of each JSON file must be its summary, which is left in FILE.summary, and each line must parse.
valid() {
	for f; do
		jq -c 'select(.record == "summary")' "$f" > "$f.summary" || return 1
		[ "$(wc -l < "$f.summary")" = 1 ] || return 1
		[[ "$(tail -n 1 "$f")" = *'"record":"summary"'* ]] || return 1
	done
}

# Three pages of 4096 bytes, 16 pages into the table: the entries that touch
# them are 819 (65520 / 80) to 972 (77760 / 80).
LOST=154

lost_pages() {	# garble|drop
	local out=$BATS_TEST_TMPDIR

	damage "$1" $((PAGE_EXT + 16)) 3
	run ask "pageowner -t list -j > $out/list.json" "pageowner -j > $out/top.json" 'pageowner -n 1 -o rank' \
		"pageowner pfn:$((0x8000 + 900))" 'depot 0'
	valid "$out"/{list,top}.json
	for f in list top; do
		[ "$(jq -r '"\(.status) \(.complete) \(.unreadable) \(.skipped) \(.undecodable) \(
			.scanned + .unreadable == .ram_pages) \(.live + .freed + .empty == .scanned)"' "$out/$f.json.summary")" = \
			"ok false $LOST 0 0 true true" ]
	done
	[[ "$output" = *"warning: no page_ext entry in this dump for $LOST pages"* ]]
	[[ "$output" = *"the page_ext entry of pfn 0x8384 is not in this dump"* ]]
	[ "${lines[-1]}" = 'warning: handle 0 means no stack' ]
}

@test "pages that do not uncompress: the entries on them are unreadable, no more" {
	lost_pages garble
	# crash's own words stay out of it, and are counted.
	[[ "$output" != *uncompress* ]]
	[[ "$output" =~ 'warning: '[0-9]+' messages of the reader of this dump are not shown' ]]
}

@test "pages that were never dumped: the same entries, and crash has nothing to say" {
	# The other test has crash open such a dump as a whole.
	OPTION=--minimal lost_pages drop
	[[ "$output" != *'messages of the reader'* ]]
}

@test "pages that crash is told to read as zeros: by the next command, and only as long as it is told so" {
	local out=$BATS_TEST_TMPDIR asked="pageowner pfn:$((0x8000 + 900))"

	damage drop $((PAGE_EXT + 16)) 3
	OPTION=--minimal ask "$asked > $out/first" 'set zero_excluded on' "$asked > $out/zeros" 'set zero_excluded off' "$asked > $out/last" > /dev/null
	grep -q 'the page_ext entry of pfn 0x8384 is not in this dump' "$out/first"
	refute grep 'is not in this dump' "$out/zeros"
	diff "$out/first" "$out/last"
}

@test "a log that is not in the dump: that a report is missing is told" {
	local out=$BATS_TEST_TMPDIR

	damage drop $LOG 1
	OPTION=--minimal ask "pageowner -z -j > $out/newer.json" "pageowner -z > $out/newer"
	damage drop $((LOG + 1)) 32
	OPTION=--minimal ask "pageowner -z -j > $out/none.json" "pageowner -z > $out/none"
	valid "$out"/{newer,none}.json
	[ "$(jq -r 'select(.record == "report") | .comm' "$out/newer.json")" = hungry ]
	[ "$(jq -r 'select(.record == "report") | .comm' "$out/none.json")" = '' ]
	[ "$(jq -r '"\(.complete) \(.warnings[0])"' "$out/newer.json.summary")" = \
		'false a newer report that memory ran out may be missing: a part of the log is not in this dump' ]
	[ "$(jq -r '"\(.complete) \(.warnings[0])"' "$out/none.json.summary")" = \
		'false a report that memory ran out may be missing: a part of the log is not in this dump' ]
	grep -q -x '  a newer report may be missing: a part of the log is not in this dump' "$out/newer"
	grep -q -x 'log: no report of memory that ran out, but one may be missing: a part of the log is not in this dump' "$out/none"
}

@test "names of gfp flags that are not in the dump: the zones are shown, the request is unknown" {
	local out=$BATS_TEST_TMPDIR

	damage drop $GFP_NAMES 1
	OPTION=--minimal ask "pageowner -z 4 GFP_ATOMIC -j > $out/name.json" "pageowner -z 4 GFP_ATOMIC > $out/name" \
		"pageowner -z 4 0x820 -j > $out/number.json"
	valid "$out"/{name,number}.json
	[ "$(jq -r '"\(.status) \(.complete)"' "$out/name.json.summary")" = 'ok false' ]
	jq -r '.warnings[]' "$out/name.json.summary" | grep -q -x \
		'whether a zone serves the request is unknown: the names of gfp flags are not in this dump; give a number, 0x...'
	[ "$(jq -r 'select(.record == "row") | .result' "$out/name.json" | sort -u)" = unknown ]
	grep -q -x '  unknown: the names of gfp flags are not in this dump; give a number, 0x...' "$out/name"
	[ "$(jq -r 'select(.record == "row") | .result' "$out/number.json" | sort -u)" = served ]
}

@test "damage all over: valid JSON to the end, crash goes on" {
	local out=$BATS_TEST_TMPDIR size at

	size=$(stat -c %s "$out/vmcore")
	for ((at = 3000000; at < size; at += 65536)); do
		printf '\245Z\245Z' | dd of="$out/vmcore" bs=1 seek=$at conv=notrunc status=none
	done
	run ask "pageowner -t list -j > $out/list.json" "pageowner -j > $out/top.json" "allocprof -j > $out/alloc.json" \
		"faults -j > $out/faults.json" "faults -v -j > $out/events.json" "depot -j $HANDLE dead > $out/depot.json" \
		pageowner allocprof faults 'faults -v' "depot $HANDLE" 'pageowner -D' 'depot 0'
	valid "$out"/{list,top,alloc,faults,events,depot}.json
	cat "$out"/{list,top,alloc,faults,events,depot}.json.summary |
		jq -r '"\(.status) \(.complete)"' | grep -q -v '^ok true'
	[[ "$output" = *'warning: handle 0 means no stack'* ]]
}

@test "a page table that was never dumped does not throw us out of the command" {
	# Module memory is behind page tables: drop the page that holds the fixture's last level.
	local out=$BATS_TEST_TMPDIR

	damage drop $((0x$PTE >> 12)) 1
	# crash itself cannot read its module table from such a dump.
	run run_crash "$DIR/vmlinux" "$out/vmcore" --no_modules ${OPTION:-} -- "pageowner -t list -j > $out/list.json" \
		"pageowner -n 3" "allocprof -j > $out/alloc.json" 'depot 0'
	valid "$out"/{list,alloc}.json
	[ "$(jq -r '"\(.status) \(.undecodable)"' "$out/list.json.summary")" = 'ok 0' ]
	# Its frames stay addresses; its alloc tags are missing, those of vmlinux are not.
	[[ "$output" =~ '    0x'$(printf '%.11s' "${MODULE#0x}") ]]
	[ "$(jq -r '"\(.status) \(.complete) \(.warnings[0])"' "$out/alloc.json.summary" | cut -c 1-52)" = \
		'ok false some alloc tags may be missing: the alloc t' ]
	[ "$(jq -r 'select(.record == "row") | .module' "$out/alloc.json" | sort -u)" = vmlinux ]
	[[ "$output" = *'warning: names of some modules unknown: struct module at 0x'*' is not in this dump'* ]]
	[[ "$output" = *'warning: handle 0 means no stack'* ]]
}

# --minimal does not compare them. The other kernel is of the same release, built once more.
@test "vmlinux of another build: each command says so in one line, and nothing else" {
	local out=$BATS_TEST_TMPDIR other=$BUILD/samples/6.12-kdump/vmcore line='vmlinux is of another build than the kernel of this dump: its build ID is'

	[ -e "$other" ] || skip 'no second kernel'
	run run_crash "$DIR/vmlinux" "$other" --minimal -- memowner 'pageowner -m' 'pageowner -t folded' allocprof 'depot -i' faults 'faults -x' \
		"memowner -H $out/page" "pageowner -j > $out/json"
	[ "$(grep -c "^no data: $line [0-9a-f]*..., that of the dump is [0-9a-f]*\.\.\.$" <<< "$output")" = 8 ]
	[ "${#lines[@]}" = 9 ]
	[ ! -e "$out/page" ]
	valid "$out/json"
	[ "$(jq -r '"\(.status) \(.complete) \(.ram_pages) \(.warnings | length)"' "$out/json.summary")" = 'unknown_layout false null 1' ]
	[[ "${lines[0]}" = "extend: $line"* ]]
}

# Neither has a build ID that crash can read: VMCOREINFO is not among the notes of QEMU's dump.
@test "a core of another kernel, and a vmlinux of another one: each command says so in one line" {
	local out=$BATS_TEST_TMPDIR other=$BUILD/samples/6.1-oom vmlinux core
	local commands=(memowner 'pageowner -m' 'pageowner -z' allocprof 'allocprof -i' 'depot -i' faults 'faults -b' 'faults -k' 'faults -e'
		'faults -x' 'memowner dmabuf' 'pageowner pfn:0x2000')

	for pair in "$DIR/vmlinux $other/vmcore" "$other/vmlinux $DIR/vmcore"; do
		read -r vmlinux core <<< "$pair"
		run run_crash "$vmlinux" "$core" --minimal -- "${commands[@]}"
		[ "$(grep -c -e '^no data: symbols of vmlinux do not fit this dump: ' -e '^no data: vmlinux is of another build ' <<< "$output")" = ${#commands[@]} ]
		[ "$(grep -c . <<< "$output")" -le $((${#commands[@]} + 2)) ]
		# The program has the symbols of the dump itself, and takes no type of such a file.
		ln -sf "$core" "$out/vmcore"
		printf '%s\n' "${commands[@]}" > "$out/commands"
		run "$BUILD/memowner" --vmlinux "$vmlinux" -i "$out/commands" "$out/vmcore"
		[ "$(grep -c '^memowner: vmlinux is of another build than the kernel of this dump.*: it is not used$' <<< "$output")" = 1 ]
		grep -q -x 'no fault: by the log the panic was "Out of memory: system-wide panic_on_oom is enabled"' <<< "$output"
		refute grep -q -E '^ +(direct|anon|slab|buddy) |^NODE|^PID' <<< "$output"
	done
}

# A page of the banner that is cut off, and a vmlinux whose notes were stripped.
@test "a vmlinux that cannot be compared: each command says so, and nothing of types that are not known" {
	local out=$BATS_TEST_TMPDIR unknown='the build of vmlinux unknown: .*vmlinux .*has .*build ID, and linux_banner cannot be compared'
	local commands=('pageowner -m' allocprof 'depot -i' faults 'memowner caches') size other=$BUILD/samples/7.3-oom/vmlinux

	size=$(stat -L -c %s "$DIR/vmcore")
	head -c $((size * 30 / 100)) "$DIR/vmcore" > "$out/cut"
	objcopy --remove-section .notes "$DIR/vmlinux" "$out/vmlinux"
	printf '%s\n' "${commands[@]}" memowner > "$out/commands"
	run "$BUILD/memowner" --vmlinux "$out/vmlinux" -i "$out/commands" "$out/cut"
	[ "$(grep -c -x -E "(warning|pageowner|allocprof|depot|faults|memowner): $unknown" <<< "$output")" = ${#commands[@]} ]
	[ "$(grep -c '^unknown   the build of vmlinux: vmlinux has no build ID, ' <<< "$output")" = 1 ]
	ALONE=1 run run_crash "$out/vmlinux" "$out/cut" --minimal -- "${commands[@]}"
	[ "$(grep -c -x -E "(warning|pageowner|allocprof|depot|faults|memowner): $unknown" "$out/err")" = ${#commands[@]} ]
	refute grep -E 'no possible CPU|MemTotal 0B|off at boot' <<< "$output"
	# One that can: the banner is there.
	[ "$("$BUILD/memowner" --vmlinux "$out/vmlinux" "$DIR/vmcore" allocprof -n 1 2>&1 | grep -c 'the build of vmlinux')" = 0 ]
	# Another release is told by VMCOREINFO, and no layout of the kernel is said to be unknown.
	objcopy --remove-section .notes "$other" "$out/vmlinux"
	run "$BUILD/memowner" --vmlinux "$out/vmlinux" -i "$out/commands" "$out/cut"
	[[ "$output" = *'memowner: vmlinux is of another build than the kernel of this dump: it says "Linux version 7.3'*', the release of the dump is 6.12'* ]]
	refute grep -E 'has no member|another layout|has no symbol' <<< "$output"
	[ "$(grep -c 'types of this kernel are not known: ' <<< "$output")" -ge 3 ]
}

# A page table of zeros maps nothing: the chunks say how many pages they have.
@test "per-CPU memory whose page tables are lost is in no other class: pages that may be of it are unknown" {
	local out=$BATS_TEST_TMPDIR chunk pages units populated

	units=$("$BUILD/memowner" "$DIR/vmcore" case -j | jq -s '.[0].cpus')
	"$BUILD/memowner" "$DIR/vmcore" pools -j -n 0 | jq -r 'select(.kind == "percpu" and .name != "first chunk") | "\(.address) \(.pages)"' > "$out/chunks"
	# Of one that is not full: no chunk has more pages than it may have.
	read -r chunk pages < <(sort -n -k 2 "$out/chunks")
	populated=$((pages / units))
	printf "memowner_poke $chunk/pcpu_chunk.nr_populated:4=%u memowner classes -j\n" $populated $((populated + 1)) > "$out/commands"
	"$BUILD/tested" -i "$out/commands" "$DIR/vmcore" > "$out/json"
	jq -c 'select(.record == "summary") | [.complete, .warnings[]]' "$out/json" > "$out/ends"
	[ "$(sed -n 1p "$out/ends")" = '[true]' ]
	[[ "$(sed -n 2p "$out/ends")" = '[false,"page classes are incomplete: per-CPU memory: page tables have '*' of '*' pages of its chunks'* ]]
	[ "$(jq -r 'select(.record == "row" and .class == "direct") | .class' "$out/json" | wc -l)" = 1 ]
}
