#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What holds for the code and the texts as a whole.

load helper

setup() {
	cd "$TESTS/.."
}

COMMANDS='pageowner allocprof depot faults'

help_of() {	# COMMAND: as crash shows it
	synthetic v6_9 "help $1"
}

@test "layers point down: lib/ knows its own headers and libc's, only port.c knows crash" {
	[ "$(grep -l 'defs\.h' lib/* crash/* extensions/* | xargs)" = crash/port.c ]
	for f in lib/*.[ch]; do
		grep -o '^#include "[^"]*"' "$f" | sed 's/.*"\(.*\)"/lib\/\1/' | xargs -r ls > /dev/null
	done
	for f in crash/*.[ch]; do
		grep -o '^#include "[^"]*"' "$f" | sed 's/.*"\(.*\)"/\1/' | while read -r header; do
			[ "$header" = defs.h ] || [ -f "lib/$header" ] || [ -f "crash/$header" ]
		done
	done
	refute grep -n -E '#include "(\.\./|extensions)' lib/* crash/* extensions/*
	# What lib/ prints goes through a sink, what it reads through dump_ops.
	refute grep -n -E '(^|[^_a-z>])(f?printf|f?puts|readmem|error|exit|abort|GETBUF)\(' lib/*.c
}

@test "the shared objects export nothing, so that two of them cannot mix" {
	for so in "$BUILD"/{pageowner,allocprof,depot,faults,memowner}.so; do
		[ "$(nm -D --defined-only "$so")" = '' ]
	done
}

@test "what they need of crash are functions, fp, args and the stable contexts" {
	nm -D --undefined-only "$BUILD/memowner.so" | awk '$1 == "U" { print $2 }' | grep -v @ | sort > "$BATS_TEST_TMPDIR/needs"
	diff - "$BATS_TEST_TMPDIR/needs" <<-END
		__error
		argcnt
		args
		datatype_info
		fp
		gdb_pass_through
		is_module_name
		kernel_symbol_search
		kvtop
		machdep
		pc
		readmem
		register_extension
		value_search
	END
}

@test "no decision reads a release" {
	refute grep -n -i -E 'LINUX_VERSION|THIS_KERNEL|UTS_RELEASE|linux_release|kernel_version' lib/* crash/* extensions/*
	# The banner is read for the meta line and for the names of folders with debug files.
	[ "$(grep -l linux_banner lib/* crash/* extensions/*)" = lib/kernel/boot.c ]
	[ "$(grep -l kernel_release lib/*.c crash/* extensions/* | xargs)" = 'lib/symbols/lines.c extensions/pageowner/scan_write.c lib/kernel/boot.c lib/cli/report.c' ]
}

@test "every source says its licence, once" {
	for f in $(git ls-files | grep -v -E '^samples/|\.md$|^COPYING$|^\.git|^\.clang-format$'); do
		[ "$(grep -c 'SPDX-License-Identi[f]ier' "$f")" = 1 ] || { echo "$f"; false; }
	done
}

@test "one noun a file: none is longer than 400 lines" {
	[ "$(wc -l lib/*.[ch] crash/*.[ch] extensions/*.c tests/unit/*.c tests/fuzz/*.c tests/tools/*.c | awk '$2 != "total" && $1 > 400')" = '' ]
}

@test "help: synopsis, every option, 80 columns, no percent sign" {
	for c in $COMMANDS; do
		run help_of "$c"
		[[ "$output" = *SYNOPSIS* && "$output" = *"$c - "* ]]
		[ "$(awk 'length > 80' <<< "$output")" = '' ]
		[[ "$output" != *%* ]]
		letters=$(sed -n 's/^.*struct usage usage = *{ *"\([^"]*\)".*/\1/p; s/^[[:space:]]*"\([a-zA-Z:]*\)", views,.*/\1/p' "extensions/$c.c" | head -n 1)
		[ -n "$letters" ]
		for letter in $(grep -o . <<< "${letters//:/}"); do
			[ "$(grep -c -E "^ +-$letter( |\$)" <<< "$output")" -ge 1 ] || { echo "$c -$letter"; false; }
			grep -q -E "^ +-$letter( |\$)|\`-$letter" README.md || { echo "README: $c -$letter"; false; }
		done
	done
}

@test "README shows the help of today" {
	for c in $COMMANDS; do
		diff <(help_of "$c" | sed -n '/^DESCRIPTION/,/^EXAMPLES/p' | sed '1d;$d') \
			<(sed -n "/^## \`$c\`/,/^## /p" README.md | sed -n '/^```/,/^```/p' | sed '/^```/d' |
				sed -n '/^DESCRIPTION/,/^EXAMPLES/p' | sed '1d;$d')
	done
}

@test "-o help lists what JSON can have" {
	for view in 'pageowner -t top' 'pageowner -t list' allocprof faults 'faults -v'; do
		synthetic v6_9 "$view -o help" | awk '{ print $1 }' | sort > "$BATS_TEST_TMPDIR/columns"
		[ -s "$BATS_TEST_TMPDIR/columns" ]
		[ "$(uniq -d "$BATS_TEST_TMPDIR/columns")" = '' ]
	done
}

@test "no test has a command that cannot fail" {
	refute grep -n -E '^[[:space:]]*! ' tests/*.bats tests/helper.bash
	# Of "A && B" only the last counts for bats, unless it ends the test.
	refute grep -n -E '^[[:space:]]*\[.*\] && \[' tests/*.bats tests/helper.bash
}

@test "make help names every target" {
	run make -s help
	for target in all check check-unit check-meta check-synthetic check-samples check-fuzz lint bench install uninstall clean; do
		grep -q -w -e "$target" <<< "$output"
	done
}

@test "install and uninstall leave nothing behind" {
	make -s install DESTDIR="$BATS_TEST_TMPDIR/root" EXTENSIONS=/usr/lib/crash/extensions BUILD="$BUILD" > /dev/null
	[ "$(find "$BATS_TEST_TMPDIR/root" -name '*.so' | wc -l)" = 5 ]
	make -s uninstall DESTDIR="$BATS_TEST_TMPDIR/root" EXTENSIONS=/usr/lib/crash/extensions BUILD="$BUILD" > /dev/null
	[ "$(find "$BATS_TEST_TMPDIR/root" -type f)" = '' ]
}

@test "a missing header is one sentence that names the package" {
	run make -s BUILD="$BATS_TEST_TMPDIR/build" CRASH_INC=/nowhere
	[ "$status" -ne 0 ]
	[[ "${lines[0]}" = *'defs.h is missing: install the package crash (Debian) or crash-devel'* ]]
}

@test "the build leaves no file that git does not know" {
	[ "$(git status --porcelain --untracked-files=all | grep '^??')" = '' ]
}
