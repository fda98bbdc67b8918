#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Scripts and targets of make that no other test runs, in a short form.

load helper

setup() {
	cd "$TESTS/.."
}

@test "make bench: a scan, reading alone, memowner and their ratios, of synthetic memory and of a dump" {
	[ -n "$(tests/modes "$BUILD/samples/6.12-oom/meta" "$CRASH")" ] || skip 'this crash does not open the dump'
	# If BRIEF of the dump alone.
	local said=0 other dumps

	other=$(realpath "$BUILD")/samples/6.12-oom/vmcore
	dumps=('1 GiB, not compressed:' '1 GiB, by zlib:' 'sample 6.12-oom:' "dump $other:")
	[ -z "${BRIEF:-}" ] || dumps=("${dumps[@]:2}")
	DUMPS=$other BENCH_RUNS=1 run scripts/bench "$(realpath "$BUILD")" "$([ -n "${BRIEF:-}" ] || echo 1)" 6.12-oom
	[ "$status" = 0 ]
	for dump in "${dumps[@]}"; do
		[ "${lines[said]}" = "$dump" ]
		[[ "${lines[said + 1]}" =~ ^[0-9]+' pages: scan '[0-9]+' ms, reading alone '[0-9.]+' ms in chunks of '[0-9]+'; ratio '[0-9.]+'; ' ]]
		[[ "${lines[said + 2]}" =~ ^'memowner: '[0-9]+' ms, ratio to the scan '[0-9.]+$ ]]
		[[ "${lines[said + 3]}" =~ ^'crash: pageowner of each pfn: '([0-9]+)' MiB more than with the extension alone, and '[0-9]+' of vmlinux'$ ]]
		# What is promised for 4 million pages.
		[ "${BASH_REMATCH[1]}" -le 64 ]
		[[ "${lines[said + 4]}" =~ ^'program: starts in '[0-9.]+' ms, has opened the dump in '[0-9.]+' ms; the file alone, read and uncompressed: '[0-9.]+' ms for '[0-9.]+' MiB, '[0-9.]+' MiB of the file'$ ]]
		for part in 5:pageowner 6:memowner; do
			[[ "${lines[said + ${part%:*}]}" =~ ^"program: ${part#*:} "[0-9.]+' ms, ratio to reading alone in crash '[0-9.]+'; what it reads alone '[0-9.]+' ms, '[0-9.]+'; its start '[0-9.]+' ms, '[0-9.]+'; '[0-9]+' MiB'(.*)$ ]]
			if [[ $dump = sample* ]]; then
				[[ "${BASH_REMATCH[1]}" =~ ^'; the same reader, nothing decided '[0-9.]+' ms, '[0-9.]+$ ]]
			else
				[[ "${BASH_REMATCH[1]}" =~ ^('; opened, and each record and stack looked at once '[0-9.]+' ms, '[0-9.]+)?'; the same reader, nothing decided '([0-9.]+)' ms, '[0-9.]+'; at most '(0.5|1.3)': '(met|not met|'less than reading it alone takes'|'less than the same reader takes that decides nothing')$ ]]
				[[ ${BASH_REMATCH[1]:+walked} = "$([[ $dump != *'not compressed:' ]] || echo walked)" ]]
			fi
		done
		[[ "${lines[said + 7]}" =~ ^'program: -t list -j: '[0-9]+' rows in '[0-9]+' ms, '('too few for a rate'|[0-9.]+' million rows a second without opening the dump; at least 1: '(not )?met)$ ]]
		if [[ $dump = *GiB* ]]; then
			# Why, since these kernels have no struct page.
			[[ "${lines[said + 8]}" =~ ^'program: -t raw: no rows: '.*'struct page' ]]
		else
			[[ "${lines[said + 1]}" = '65406 pages: scan '* ]]
			[[ "${lines[said + 8]}" =~ ^'program: -t raw: '[0-9]+' rows in ' ]]
		fi
		said=$((said + 9))
	done
	[ "$(grep -c '^262144 pages: scan ' <<< "$output")" = $((${#dumps[@]} - 2)) ]
}

@test "make bench-first: the first answer of each sample and of a dump, with vmlinux and without; one that has none failed" {
	local own=$BATS_TEST_TMPDIR/own build

	build=$(realpath "$BUILD")
	mkdir -p "$own/samples"
	ln -s "$build/tools" "$build/memowner" "$own"
	ln -s "$build/samples/6.12-oom" "$own/samples"
	echo no dump > "$own/vmcore"
	BENCH_RUNS=1 run scripts/bench-first "$own" "$own/vmcore"
	[ "$status" = 0 ]
	[ ${#lines[@]} = 3 ]
	[[ "${lines[0]}" =~ ^"$own/samples/6.12-oom/vmcore: "[0-9]+' ms, '[0-9]+' ms of CPU; at most 500: '(met|met by CPU time alone|not met)'; '[0-9]+' MiB; at most 64 with '[0-9]+' records: met'$ ]]
	[[ "${lines[1]}" =~ ^"$own/samples/6.12-oom/vmcore with vmlinux: "[0-9]+' ms, '[0-9]+' ms of CPU; at most 2500: '.*'; at most 314 with '[1-9][0-9]*' records: met'$ ]]
	[[ "${lines[2]}" =~ ^"$own/vmcore: ".*'; at most 1000: met; '[0-9]+' MiB; at most 64 with 0 records: met; it failed'$ ]]
}

@test "the Makefile takes readline and a codec only where the compiler finds its header" {
	[ "$(make -pn CFLAGS=-nostdinc 2> /dev/null | sed -n -E 's/^(CODECS|READLINE) :=[[:space:]]*(\$\(subst ,,[[:space:]]*\))?//p' | tr -d '\n')" = '' ]
	[[ "$(make -pn CFLAGS= 2> /dev/null | grep '^CODECS :=')" = *zstd* ]]
}

@test "same-answers: none differs between a program and itself, each that does is shown" {
	local other=$BATS_TEST_TMPDIR/other

	run scripts/same-answers -d 1 -c 'depot -' "$BUILD/memowner" "$BUILD/memowner" 6.12-oom
	[ "$status" = 0 ]
	[[ "${lines[0]}" =~ ^[1-9][0-9]+' answers, 0 differ'$ ]]
	printf '%s\n' '#!/bin/bash' "exec '$(realpath "$BUILD/memowner")' \"\${@/6.12-oom/6.1-oom}\"" > "$other"
	chmod +x "$other"
	if [ -z "${BRIEF:-}" ]; then # as doors.bats does of other dumps
		run scripts/same-answers -c 'depot -i' crash "$BUILD/memowner" 6.12-oom
		[[ "$status/$output" =~ ^0/[1-9][0-9]*' answers, 0 differ'$ ]]
	fi
	run scripts/same-answers -c 'depot -i' crash "$other" 6.12-oom
	[ "$status" = 1 ]
	[[ "$output" = *'6.12-oom: answer.'*': depot -i'*'<'*'>'*' answers, '[1-9]*' differ' ]]
	run scripts/same-answers -d 0 -c 'depot -i' "$BUILD/memowner" "$other" 6.12-oom
	[ "$status" = 1 ]
	[[ "$output" = *'6.12-oom: answer.'*': depot -i'*'<'*'>'*' answers, '[1-9]*' differ' ]]
}

@test "demo: a stock kernel's dump by the program, and the session of README" {
	run ./demo
	[ "$status" = 0 ]
	[[ "$output" = *'Who owned it?'*'holder    report-builder (514): '*'crash> pageowner'*'leaky_rx_refill'*'The same, by hand:'* ]]
}

@test "update-readme leaves README as it is, with the matrix of the last tests" {
	local tree=$BATS_TEST_TMPDIR/tree

	[ -n "$(tests/modes "$BUILD/samples/6.12-oom/meta" "$CRASH")" ] || skip 'this crash does not open the dump'
	mkdir -p "$tree/build/matrix" "$tree/samples"
	cp -r scripts tests doc README.md "$tree/"
	ln -s "$PWD/samples/vmcores" "$tree/samples/vmcores"
	ln -s "$(realpath "$BUILD")"/{kernels,samples,memowner.so,document} "$tree/build/"
	for sample in samples/vmcores/*; do
		echo "9.9.9 ${sample##*/} whole,minimal 40 2 50000" > "$tree/build/matrix/9.9.9@${sample##*/}"
	done
	# The sessions are compared by tests/sample.bats.
	DUMPS=none BUILD="$tree/build" OBJECTS="$tree/build" "$tree/scripts/update-readme"
	# All but the matrix, which is of these lines.
	diff <(sed '/^<!-- matrix -->/,/^<!-- \/matrix -->/d' README.md) <(sed '/^<!-- matrix -->/,/^<!-- \/matrix -->/d' "$tree/README.md")
	(cd "$tree" && scripts/matrix) > "$BATS_TEST_TMPDIR/matrix"
	diff "$BATS_TEST_TMPDIR/matrix" <(sed '1,/^<!-- matrix -->/d; /^<!-- \/matrix -->/,$d' "$tree/README.md")
}

@test "check-mutants: each line of tests/mutants breaks something that is there" {
	local file from to text

	while IFS='|' read -r file from to; do
		text=$(cat "$TESTS/../$file")
		[[ $text = *"$from"* ]] || echo "$file has no '$from'"
		[[ $to != *'|'* ]] || echo "$file: '$from' ends at a | of its own"
	done < <(grep '|' "$TESTS/mutants" | grep -v '^#') > "$BATS_TEST_TMPDIR/absent"
	diff "$BATS_TEST_TMPDIR/absent" /dev/null
}

@test "check-mutants: one fork that is broken on purpose is seen, and one of which a unit test dies" {
	# One tree: each takes most of a GiB of disk.
	MUTANT_TREES=1 run scripts/check-mutants $'lib/page_owner/page_ext.c|size += flags_size;\nlib/util/hash_u64.c|'
	[ "$status" = 0 ]
	[ "${lines[0]}" = 1..2 ]
	[[ "$output" = *$'\nok 1 - lib/page_owner/page_ext.c: '*' is seen by: '* ]]
	[[ "$output" = *"ok 2 - lib/util/hash_u64.c: 'if (!m->nslots)' is seen by: unit/test_base: test_base runs to its end"* ]]
}

@test "check-mutants: what a limit of time leaves out is counted" {
	# Two trees are copied for it: if BRIEF the test above does that once.
	[ -z "${BRIEF:-}" ] || return 0
	MUTANT_SECONDS=1 MUTANT_TREES=1 run scripts/check-mutants 'lib/page_owner/page_ext.c|'
	[ "$status" = 0 ]
	[[ "${lines[-1]}" =~ ^'# not run: '[0-9]+' of '[0-9]+' mutants: '[0-9]' were tried in 1 s, from number '[0-9]+' on'$ ]]
}

@test "check all: a result for each target, and why one fails or cannot run; the slowest" {
	local tree=$BATS_TEST_TMPDIR/tree

	mkdir -p "$tree/scripts" "$tree/build" "$tree/bin"
	cp check "$tree/"
	cp scripts/common.sh scripts/get-crash scripts/get-jq "$tree/scripts/"
	cat > "$tree/bin/make" <<-'END'
		#!/bin/bash
		case "$*" in
		# More than a pipe holds.
		*check-damage*) seq -f '-	%g	x	-	a test whose name is as long as those of others are' 0 0.0001 1 > build/times.tsv ;;
		*check-browser*) echo 'check-browser: needs packages' >&2; exit 1 ;;
		*check-fuzz*) printf 'ok 1 - x\nnot ok 2 - fuzz: y\n# z\n'; exit 2 ;;
		*check-mutants*) echo '# not run: 400 of 441 mutants: 41 were tried in 1200 s' ;;
		*made-dumps*) printf '%s\n' one two three ;;
		*missing-dumps*) printf '%s\n' two three ;;
		*check-made-here*) [ ! -e build/here ] || exit 1; touch build/here ;;
		*check-made* | *check-matrix*) exit 3 ;;
		esac
	END
	printf '#!/bin/bash\necho Avail\necho ${FREE_KIB:-9000000}\n' > "$tree/bin/df"
	chmod +x "$tree/bin/make" "$tree/bin/df"
	FREE_KIB=2000000 PATH=$tree/bin:$PATH run "$tree/check" all check-damage
	[ "$status" = 1 ]
	[[ "${lines[-1]}" = *': 1 GiB are free for build/ and /tmp: the check needs 8' ]]
	PATH=$tree/bin:$PATH run "$tree/check" all check-damage check-browser check-fuzz
	[ "$status" = 1 ]
	[[ "$output" = *'ok - make check-damage, '[0-9]*' s'* ]]
	[[ "$output" = *'not ok - make check-browser: check-browser: needs packages; see build/all/check-browser.log'* ]]
	[[ "$output" = *'not ok - make check-fuzz: not ok 2 - fuzz: y; see '* ]]
	[[ "$output" = *'the slowest, in seconds:'*'     1.0  x -: a test'* ]]
	[ "${lines[-1]}" = '1 passed, 2 failed, 0 skipped' ]
	# What takes hours and is not there is not run, and that is told; it is no failure.
	PATH=$tree/bin:$PATH run "$tree/check" all check-mutants check-made check-matrix
	[ "$status" = 0 ]
	[[ "$output" = *$'\nok - make check-mutants, '[0-9]*$' s\n'*$'\nok - make check-made-here, '[0-9]*$' s\n'* ]]
	[[ "$output" = *$'\nnot run: make check-mutants: 400 of 441 mutants: 41 were tried in 1200 s\n'* ]]
	[[ "$output" = *$'\nnot run: make check-made: 2 of 3 dumps are not made (make samples: minutes for each); check-made ran on the others\n'* ]]
	[[ "$output" = *$'\nnot run: make check-matrix: 2 of 3 dumps are not made '* ]]
	[ "${lines[-1]}" = '2 passed, 0 failed, 0 skipped' ]
	# Without a word behind it, each target has its line.
	rm "$tree/build/here"
	PATH=$tree/bin:$PATH run "$tree/check" all
	for target in check-packages check-browser kernels check-dropped check-made-here check-damage check-fuzz check-mutants bench; do
		[ "$(grep -c "ok - make $target[,:]" <<< "$output")" -ge 1 ] || { echo "$output"; false; }
	done
	run "$tree/check" all check-nosuch
	[ "$status" = 1 ]
	[[ "$output" = *'no target of all: check-nosuch; they are check-packages '* ]]
}

@test "each shell script is one, each of the guest's as well" {
	for script in scripts/* scripts/sample/{initramfs,kernel,run-guest,stage} scripts/sample/stock/{run,userland,disk,modules,driver} check demo .ci/run; do
		[ -f "$script" ] || continue
		bash -n "$script"
	done
	sh -n scripts/sample/guest/init
	sh -n scripts/sample/guest/capture
	sh -n scripts/sample/guest/deadlocks
	sh -n scripts/sample/guest/hung
	sh -n scripts/sample/guest/growth
	sh -n scripts/sample/guest/shrinkers
	sh -n scripts/sample/guest/own
	sh -n scripts/sample/stock/init
	sh -n scripts/sample/stock/truth
}

@test "make-sample takes a case outside of the project, and says what it lacks" {
	dir=$BATS_TEST_TMPDIR
	printf 'series=debian-trixie init=dies.sh module=driver\n' > "$dir/mine"
	run scripts/make-sample "$dir/mine" "$dir/out"
	[ "$status" = 1 ]
	[[ "$output" = *"mine: there is no dies.sh" ]]
	: > "$dir/dies.sh"
	run scripts/make-sample "$dir/mine" "$dir/out"
	[ "$status" = 1 ]
	[[ "$output" = *"mine: there is no driver/Kbuild" ]]
	run scripts/make-sample "$dir/yours" "$dir/out"
	[ "$status" = 1 ]
	[[ "$output" = *"usage: make-sample CASE|PATH [FOLDER]; "* ]]
	[ ! -e "$dir/out" ]
}

# assembler NAME...: source of functions
assembler() {
	printf '\t.globl %s\n\t.type %s, @function\n%s:\tret\n\t.size %s, 1\n' $(printf '%s\n' "$@" "$@" "$@" "$@" | sort)
}

@test "reduce: types of variables and functions; a function of assembler, whose type nobody says, is left out" {
	cd "$BATS_TEST_TMPDIR"
	printf 'struct one { int a; long b; } variable = { 1, 2 };\nlong of_c(struct one *one, int n) { return one->b + n; }\n' > c.c
	assembler _start of_asm > a.S
	gcc -g -c c.c a.S
	# Behind another unit: its references count from its own beginning.
	ld -z noexecstack -o whole c.o a.o
	readelf --debug-dump=abbrev whole | grep -q DW_FORM_ref_udata
	# BTF without types, so that all are of DWARF: magic, version, header of 24 bytes, one string.
	printf '\x9f\xeb\x01\0\x18\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0' > btf
	objcopy --add-section .BTF=btf whole
	"$TESTS/../scripts/sample/reduce" whole small of_c of_asm 2> said
	[[ "$(cat said)" = *' 2 variables: '* ]]
	[ "$(readelf --debug-dump=info small | sed -n -E '/DW_TAG_(variable|structure_type|member|formal_parameter)/,/DW_AT_type|byte_size/s/.*DW_AT_name .*: ([a-z_]+)$/\1/p' | tr '\n' ' ')" = \
		'one a b variable of_c ' ]
}

# mirrors_of LINE...: mirrors() where apt knows ORIGIN|LABEL|REPO_URI, or would fetch what is in quotes
mirrors_of() {
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	printf '%s\n' "$@" > "$BATS_TEST_TMPDIR/known"
	printf '#!/bin/sh\ncase $* in\n*indextargets*) grep "|" %s ;;\n*) grep "^\047" %s ;;\nesac\n' "$BATS_TEST_TMPDIR"/known{,} \
		> "$BATS_TEST_TMPDIR/bin/apt-get"
	chmod +x "$BATS_TEST_TMPDIR/bin/apt-get"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH bash -c 'set -e; . scripts/common.sh; mirrors' 2>&1
}

@test "mirrors of Debian are those of the machine's apt; one line where it has none" {
	local archive=http://archive.debian.org/debian

	[ "$(mirrors_of 'Debian|Debian|http://mirror.example/pub/remote/' 'Debian|Debian|http://mirror.example/pub/remote/' \
		'Debian|Debian-Security|http://mirror.example/debian-security/' 'Docker|Docker CE|https://download.example/linux/debian' \
		"'http://mirror.example/debian/dists/sid/InRelease' x 0")" = "http://mirror.example/pub/remote"$'\n'$archive ]
	# No list was fetched: nothing is known but addresses.
	[ "$(mirrors_of "'http://mirror.example/debian-remote/dists/bookworm/InRelease' x 0" \
		"'http://mirror.example/debian-security/dists/bookworm-security/InRelease' x 0")" = "http://mirror.example/debian-remote"$'\n'$archive ]
	[ "$(mirrors_of 'Ubuntu|Ubuntu|http://mirror.example/ubuntu/')" = \
		"bash: apt has no mirror of Debian in its sources: DEBIAN_MIRRORS=http://HOST/debian names one"$'\n'$archive ]
	[ "$(DEBIAN_MIRRORS='http://a.example/d http://b.example/d' mirrors_of 'Ubuntu|Ubuntu|http://mirror.example/ubuntu/')" = \
		"http://a.example/d"$'\nhttp://b.example/d\n'$archive ]
	# No host of a mirror is in the scripts.
	refute grep -rn -E 'deb\.debian\.org|ftp\.[a-z.]*debian\.org' scripts check demo Makefile
}

@test "a test that fails is told with its line, in a function too" {
	printf '%s\n' "load '$TESTS/helper'" 'inner() {' '	[ "$1" = 2 ]' '}' '@test "fails" {' '	inner 3' '}' > "$BATS_TEST_TMPDIR/fails.bats"
	run bats --tap "$BATS_TEST_TMPDIR/fails.bats"
	[ "$status" = 1 ]
	[[ "$output" = *"not ok 1 fails"*"function \`inner' in file "*"fails.bats, line 3,"*"test file "*"fails.bats, line 6)"* ]]
}

@test "run-fuzzers: if BRIEF the same inputs on each run, else what was found before and new ones" {
	local folder=$BATS_TEST_TMPDIR

	printf '#!/bin/sh\necho "with $*"\necho "Done 7 runs in 1 second(s)"\n' > "$folder/decoder"
	chmod +x "$folder/decoder"
	BRIEF=1 run scripts/run-fuzzers "$folder" 9 decoder
	[ "$status $output" = $'0 1..1\nok 1 - fuzz: decoder, 7 runs' ]
	grep -q -E ' -seed=1 -len_control=0 -runs=[0-9]+$' "$folder/decoder.log"
	[ "$(grep -c -E 'max_total_time|corpus' "$folder/decoder.log")" = 0 ]
	BRIEF='' run scripts/run-fuzzers "$folder" 9 decoder
	[ "$status" = 0 ]
	grep -q -E ' -max_total_time=9 .*/corpus-decoder$' "$folder/decoder.log"
	[ "$(grep -c -E 'seed|runs=' "$folder/decoder.log")" = 0 ]
}

@test "same-answers: a dump that is not unpacked has no answers, which is no success" {
	run scripts/same-answers -d 0 "$BUILD/memowner" "$BUILD/memowner" nosuch
	[ "$status" = 1 ]
	[[ "${lines[0]}" = *'/samples/nosuch: not unpacked (make '*'samples/nosuch/ready)' ]]
	[ "${lines[1]}" = '0 answers, 0 differ' ]
}
