#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# $SAMPLE with pages of a class dropped by chance: nothing is stated that the whole dump does not
# state (tests/negatives).  SEEDS drops shares of every class with each of these seeds.

load helper

# What is dropped: CLASS SHARE SEED, each of which was a false statement once; if BRIEF one of a class.
drops() {
	if [ -n "${DROPS:-}" ]; then
		printf '%s\n' "$DROPS"
		return
	fi
	if [ -n "${SEEDS:-}" ]; then
		for class in slab task vmalloc module percpu kstack pgtable early reserved; do
			for share in 0.3 2 20 100; do
				printf "$class $share %s\n" $SEEDS
			done
		done
		return
	fi
	case $SAMPLE in
	6.12-oom) printf '%s\n' 'module 100 1' 'slab 20 1' 'early 20 1' ;;
	7.3-oom)
		printf '%s\n' 'vmalloc 20 7' 'slab 0.3 34' 'task 100 21'
		[ -n "${BRIEF:-}" ] || printf '%s\n' 'vmalloc 20 1' 'slab 20 2' 'slab 5 3'
		;;
	esac
}

answers_of() {	# DUMP FOLDER [parts]
	mkdir -p "$2"
	mapfile -t commands < <("$TESTS/tools/dropped" commands "$TESTS/negatives" "$2" ${3:-})
	BATS_TEST_TMPDIR=$2 of_dump "$1" "${commands[@]}"
}

of_dump() {	# DUMP COMMAND...
	local mode=minimal

	# Many variants: by the program, which opens each in a tenth of the time. In ./check one dump is asked in crash.
	[ -z "${SEEDS:-}${BRIEF:+${SAMPLE#6.12-oom}}" ] || mode=program
	run_crash "$DIR/vmlinux" "$1" $(option_of "$mode") -- "${@:2}"
}

setup_file() {
	export DIR=$BUILD/samples/$SAMPLE OUT=$BATS_FILE_TMPDIR
	answers_of "$DIR/vmcore" "$OUT/whole" parts > "$OUT/said"
	"$TESTS/tools/dropped" classes "$OUT/whole" "$OUT/classes"
}

@test "pages dropped by class: no statement that the whole dump does not make" {
	local class share seed false=0 compared=0

	while read -r class share seed; do
		[ -s "$OUT/classes/$class" ] || continue
		cp "$DIR/vmcore" "$OUT/vmcore"
		chmod u+w "$OUT/vmcore"
		"$TESTS/tools/dropped" pick "$OUT/classes" $class $share $seed |
			"$BUILD/tools/kdump" drop "$OUT/vmcore" -
		rm -rf "$OUT/holed"
		# crash itself may refuse such a dump, or end on it before its first command.
		answers_of "$OUT/vmcore" "$OUT/holed" > "$OUT/said" || :
		if [ ! -e "$OUT/holed/pages" ]; then
			echo "# $SAMPLE, $share % of $class, seed $seed: crash does not open it" >&3
			continue
		fi
		compared=$((compared + 1))
		echo "$SAMPLE, $share % of $class, seed $seed:"
		"$TESTS/tools/dropped" compare "$TESTS/negatives" "$OUT/whole" "$OUT/holed" || false=$((false + 1))
	done < <(drops)
	[ "$compared" -gt 0 ]
	[ "$false" = 0 ]
}

@test "an answer that the whole dump does not have is told" {
	local fake=$BATS_TEST_TMPDIR lists

	cp -r "$OUT/whole" "$fake/whole"
	cp -r "$OUT/whole" "$fake/holed"
	cd "$fake/holed"
	"$TESTS/tools/dropped" compare "$TESTS/negatives" ../whole .
	# A class instead of another, a count that grew, a status, a row that is silently missing.
	sed -i '0,/"class":"slab"/s//"class":"direct"/' pages
	sed -i '$s/"status":"ok"/"status":"off_at_boot"/' modules
	# Not every kernel has sites: there a row of the caches.
	lists=caches
	if grep -q '"name":"modules"' state; then
		sed -i '/"name":"modules"/s/"value":[^,}]*/"value":77/' state
		lists=sites
	fi
	sed -i '0,/"record":"row"/{/"record":"row"/d}' $lists
	run "$TESTS/tools/dropped" compare "$TESTS/negatives" ../whole .
	[ "$status" -eq 1 ]
	[[ "$output" = *"class 'slab' -> 'direct'"* ]]
	[ $lists = caches ] || [[ "$output" = *"state: ('modules',): value"*77* ]]
	[[ "$output" = *"$lists: missing without a word"* ]]
	[[ "$output" = *'modules: status ok -> off_at_boot'* ]]
}

# The pages of DUMP whose PFNs are on standard input, dropped from a copy: $BATS_TEST_TMPDIR/vmcore.
without_pages() {
	cp "$DIR/vmcore" "$BATS_TEST_TMPDIR/vmcore"
	chmod u+w "$BATS_TEST_TMPDIR/vmcore"
	"$BUILD/tools/kdump" drop "$BATS_TEST_TMPDIR/vmcore" -
}

@test "memowner and -m have the same classes without records of page_owner" {
	local out=$BATS_TEST_TMPDIR

	"$TESTS/tools/dropped" pick "$OUT/classes" early 2 1 | without_pages
	of_dump "$out/vmcore" "memowner > $out/text" "memowner -j > $out/summary" "pageowner -m -j > $out/memory"
	jq -r 'select(.record == "class") | "\(.name) \(.pages)"' "$out/summary" | sort > "$out/classes"
	jq -r 'select(.record == "row") | "\(.class // "unknown") \(.pages)"' "$out/memory" | sort > "$out/expected"
	grep -q '^unknown ' "$out/expected"
	diff "$out/expected" "$out/classes"
	# A page of unknown use may be of a larger cache or cgroup than those that are named.
	if grep -q '^caches ' "$out/text"; then
		tr -s '\n ' ' ' < "$out/text" | grep -q -E ' caches [^;]*; others unknown '
	else
		# None that is known has two percent of RAM.
		jq -s -e 'map(select(.record == "ram"))[0].bytes as $ram |
			all(.[]; .record != "cache" or .bytes * 50 < $ram)' "$out/summary" > /dev/null
	fi
	[ "$(jq -r 'select(.record == "owner" and .user_kind == "cgroup") | .remark' "$out/summary")" = 'others unknown' ]
	# The root has what no other has, and is no row of the screen.
	refute grep -E '^  cgroup .* /[^ ]*$' <(grep -v -E '(, others unknown|: .*)$' "$out/text")
}

@test "without the list of alloc tags, profiling is not said to be off" {
	local out=$BATS_TEST_TMPDIR pfn

	[ -s "$DIR/truth/allocinfo" ] || return 0
	pfn=$(run_crash "$DIR/vmlinux" "$DIR/vmcore" --minimal -- 'rd alloc_tag_cttype' |
		sed -n 's/^[0-9a-f]*: *\([0-9a-f]\{16\}\) .*/\1/p')
	pfn=$(of_dump "$DIR/vmcore" "pageowner 0x$pfn -j" | sed -n 's/.*"pfn":\([0-9]*\).*/\1/p' | head -n 1)
	echo "$pfn" | without_pages
	of_dump "$out/vmcore" "allocprof $(head -n 40 "$OUT/classes/anon" | sed 's/^/pfn:/' | tr '\n' ' ')" > "$out/said"
	grep -q 'allocation sites are not available: codetag_type at' "$out/said"
	grep -q '^  tag mm/memory.c' "$out/said"
	refute grep -E 'profiling (is|was) off' "$out/said"
}

@test "without the mm_struct of a process, the largest one of its cgroup is unknown" {
	local out=$BATS_TEST_TMPDIR mm

	mm=$(of_dump "$DIR/vmcore" 'memowner processes -n 1 -j' | jq -r 'select(.record == "row") | .address')
	of_dump "$DIR/vmcore" "pageowner virt:${mm#0x} -j" | jq -r 'select(.record == "row") | .pfn' | without_pages
	of_dump "$out/vmcore" "memowner cgroups -j > $out/cgroups" > "$out/said"
	jq -r 'select(.memcg == "/") | "\(.processes > 1) \(.tgid) \(.comm) \(.rss_bytes)"' "$out/cgroups" > "$out/root"
	[ "$(cat "$out/root")" = 'true null null null' ]
	[ "$(jq -r 'select(.record == "summary") | .complete' "$out/cgroups")" = false ]
	jq -r '.warnings[]?' "$out/cgroups" | grep -q -x 'the largest process of each cgroup is unknown: that of [1-9] process\(es\)\? is not in this dump, or damaged'
}
