#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Scripts and targets of make that no other test runs, in a short form.

load helper

setup() {
	cd "$TESTS/.."
}

@test "make bench: a scan, reading alone, memowner and their ratios, of synthetic memory and of a dump" {
	[ -n "$(tests/modes "$BUILD/samples/6.12-oom/meta" "$CRASH")" ] || skip 'this crash does not open the dump'
	run scripts/bench "$(realpath "$BUILD")" 1 6.12-oom
	[ "$status" = 0 ]
	[[ "${lines[0]}" =~ ^'1048576 pages: scan '[0-9]+' ms, reading alone '[0-9]+' ms in chunks of '[0-9]+'; ratio '[0-9.]+'; ' ]]
	[[ "${lines[1]}" =~ ^'memowner: '[0-9]+' ms, ratio to the scan '[0-9.]+$ ]]
	[ "${lines[2]}" = 'sample 6.12-oom:' ]
	[[ "${lines[3]}" = '65406 pages: scan '* ]] || [[ "${lines[3]}" =~ ^[0-9]+' pages: scan ' ]]
	[[ "${lines[4]}" =~ ^'memowner: '[0-9]+' ms, ratio to the scan '[0-9.]+$ ]]
}

@test "demo: the session of README" {
	run ./demo
	[ "$status" = 0 ]
	[[ "$output" = *'Who owned its memory?'*'crash> pageowner'*'leaky_rx_refill'*'The same, by hand:'* ]]
}

@test "update-readme leaves README as it is, with the matrix of the last tests" {
	local tree=$BATS_TEST_TMPDIR/tree

	[ -n "$(tests/modes "$BUILD/samples/6.12-oom/meta" "$CRASH")" ] || skip 'this crash does not open the dump'
	mkdir -p "$tree/build/matrix" "$tree/samples"
	cp -r scripts tests doc README.md "$tree/"
	ln -s "$PWD/samples/vmcores" "$tree/samples/vmcores"
	ln -s "$(realpath "$BUILD")"/{kernels,samples,memowner.so} "$tree/build/"
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

@test "check-mutants: one fork that is broken on purpose is seen" {
	run scripts/check-mutants 'lib/mm/page_ext.c|size += flags_size;'
	[ "$status" = 0 ]
	[ "${lines[0]}" = 1..1 ]
	[[ "${lines[1]}" = 'ok 1 - lib/mm/page_ext.c: '*' is seen by: '* ]]
}

@test "each shell script is one, each of the guest's as well" {
	for script in scripts/* scripts/sample/{initramfs,kernel,run-guest,stage} scripts/sample/stock/{run,userland,disk} check demo .ci/run; do
		[ -f "$script" ] || continue
		bash -n "$script"
	done
	sh -n scripts/sample/guest/init
	sh -n scripts/sample/guest/capture
	sh -n scripts/sample/stock/init
}
