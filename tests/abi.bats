#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What depends on the crash that loads the extensions: symbols, words of a command line, Ctrl-C,
# its context, several shared objects.

load helper

# inflate and its like are zlib's, which has no version for them.
@test "what they need of crash are functions, fp, args and the stable contexts" {
	nm -D --undefined-only "$BUILD/memowner.so" | awk '$1 == "U" { print $2 }' | grep -v @ | sort > "$BATS_TEST_TMPDIR/needs"
	diff - "$BATS_TEST_TMPDIR/needs" <<-END
		__error
		argcnt
		args
		datatype_info
		diskdump_get_prstatus_percpu
		enumerator_value
		fp
		gdb_pass_through
		inflate
		inflateEnd
		inflateInit2_
		inflateReset
		is_module_name
		kernel_symbol_search
		kvtop
		machdep
		netdump_get_prstatus_percpu
		pc
		readmem
		register_extension
		symbol_search
		value_search
	END
}

@test "quotes: a hint where crash does not take them" {
	run synthetic v6_9 "pageowner '5" 'pageowner -f stack="a' 'pageowner -f "stack=/a|b/" -n 1 -o pages'
	[ "${lines[0]}" = "pageowner: ''5': crash takes single quotes for letters: words with | ! < > belong in double quotes, as in \"stack=/a|b/\"" ]
	[[ "${lines[1]}" = "pageowner: 'stack=\"a': crash takes double quotes around a whole word only"* ]]
	[[ "${lines[2]}" = 'filters kept '* || "${lines[2]}" = PAGES ]]
	run synthetic v6_9 "pageowner -f 'stack=/a/'"
	[ "$output" = "pageowner: ''stack=/a/'': crash takes single quotes for letters: words with | ! < > belong in double quotes, as in \"stack=/a|b/\"" ]
}

@test "Ctrl-C gives the partial result, with its coverage, and crash goes on" {
	local kernel=$BUILD/kernels/huge

	truncate -s 5G "$kernel/ram"
	echo "extend $BUILD/memowner.so" > "$BATS_TEST_TMPDIR/extend"
	run "$BUILD/tools/pty" 300 pageowner $CRASH --minimal -s --no_scroll -i "$BATS_TEST_TMPDIR/extend" \
		"$kernel/vmlinux" "$kernel/ram@0x0"
	[[ "$output" =~ 'scanned '([0-9,]+)' = 0 live' ]]
	[ "${BASH_REMATCH[1]//,/}" -gt 0 ]
	[ "${BASH_REMATCH[1]//,/}" -lt 50331648 ]
	[[ "$output" = *'covered; 0 skipped, 0 unreadable; INTERRUPTED, partial'* ]]
	[[ "$output" = *'INTERRUPTED, partial'*'crash> depot 0'*'warning: handle 0 means no stack'* ]]
}

@test "built for a crash whose context is another: refused with one line, and crash goes on" {
	local include=$CRASH_INC

	mkdir -p "$BATS_TEST_TMPDIR/include"
	sed 's/^struct program_context {/& char of_another_release[8];/' "$include/defs.h" > "$BATS_TEST_TMPDIR/include/defs.h"
	refute cmp -s "$include/defs.h" "$BATS_TEST_TMPDIR/include/defs.h"
	# Of all objects, port.o alone knows the header.
	mkdir "$BATS_TEST_TMPDIR/build"
	cp -a "$BUILD"/{flags,headers,lib,crash,extensions,single} "$BATS_TEST_TMPDIR/build/"
	rm "$BATS_TEST_TMPDIR/build/crash/port.o"
	make -s -C "$TESTS/.." BUILD="$BATS_TEST_TMPDIR/build" CRASH_INC="$BATS_TEST_TMPDIR/include" CFLAGS=-O0 KEEP=1 \
		"$BATS_TEST_TMPDIR/build/depot.so" > /dev/null
	printf 'extend %s\ndepot 180001\nsym startup_64\nquit\n' "$BATS_TEST_TMPDIR/build/depot.so" > "$BATS_TEST_TMPDIR/commands"
	run $CRASH --minimal -s -i "$BATS_TEST_TMPDIR/commands" "$BUILD/kernels/v6_9/vmlinux" "$BUILD/kernels/v6_9/ram@0x0"
	[[ "$output" = *'memowner: built for another crash than this one, whose context has another size'* ]]
	[[ "$output" = *'startup_64'* ]]
	[[ "$output" != *'HANDLE'* ]]
}

@test "one shared object for each command, and not beside the one with all" {
	for name in $SINGLE; do
		run_crash "$BUILD/kernels/v6_9/vmlinux" "$BUILD/kernels/v6_9/ram@0x0" --minimal -- \
			"extend $BUILD/$name.so" > "$BATS_TEST_TMPDIR/both"
		grep -q "\"$name\" is a duplicate of a currently-existing command" "$BATS_TEST_TMPDIR/both"
	done
	printf 'extend %s/pageowner.so\nextend %s/depot.so\npageowner -n 1 -o pages\ndepot -o handle 180001\nextend -u\nquit\n' \
		"$BUILD" "$BUILD" > "$BATS_TEST_TMPDIR/commands"
	run $CRASH --minimal -s -i "$BATS_TEST_TMPDIR/commands" "$BUILD/kernels/v6_9/vmlinux" \
		"$BUILD/kernels/v6_9/ram@0x0"
	[[ "$output" = *$'PAGES\n    6'* ]]
	[[ "$output" = *0x180001* ]]
	[[ "$output" = *'depot.so: shared object unloaded'* ]]
}

@test "pageowner.so has memowner: its summary and its views can be typed" {
	printf 'extend %s/pageowner.so\nmemowner zone\nmemowner pages -h\nmemowner -o section\nallocprof -i\nquit\n' "$BUILD" > "$BATS_TEST_TMPDIR/commands"
	run $CRASH --minimal -s -i "$BATS_TEST_TMPDIR/commands" "$BUILD/kernels/v6_9/vmlinux" "$BUILD/kernels/v6_9/ram@0x0"
	[[ "$output" = *"memowner: 'zone' is no address and no view, the nearest is zones, views are: $NOUNS"* ]]
	[[ "$output" = *'memowner pages: pages in use'* ]]
	[[ "$output" = *SECTION* ]]
	[[ "$output" != *'allocprof'*'TOTAL'* ]]
}
