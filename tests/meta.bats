#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What holds for the code and the texts as a whole.

load helper

setup() {
	cd "$TESTS/.."
}


help_of() {	# COMMAND: as crash shows it
	synthetic v6_9 "help $1"
}

SOURCES='lib/*/*.[ch] crash/*.[ch] terminal/*.[ch] program/*.[ch] program/*/*.[ch] extensions/*.c extensions/*/*.[ch]'

# files of a tree for the test that a check can fail: NAME is made of the text on standard input
tree() {
	mkdir -p "$BATS_TEST_TMPDIR/tree/$(dirname "$1")"
	cat > "$BATS_TEST_TMPDIR/tree/$1"
}

@test "folders include what the table of folders allows, crash's header is in port.c alone, libdw where names and types are read" {
	run tests/tools/layers $SOURCES
	[ "$status" -eq 0 ]
	[ "$output" = '' ]
	# What is said of a door is said by it.
	refute grep -nE '"[^"]*\bcrash\b([^-]|$)' lib/*/*.[ch] extensions/*.c extensions/*/*.[ch]
}

@test "an include that the table does not allow is told with both files" {
	tree lib/util/a.c <<< '#include "dump/dump.h"'
	tree lib/pages/a.c <<< '#include "symbols/lines.h"'
	tree lib/pages/b.c <<< '#include "zones.h"'
	tree lib/pages/c.c <<< '#include <elfutils/libdw.h>'
	tree lib/pages/d.c <<< '#include <crash/defs.h>'
	tree lib/attic/a.c <<< '#include <stdio.h>'
	tree crash/types.c <<< '#include "defs.h"'
	tree crash/mute.c <<< '#include "zones/zones.h"'
	tree program/door.c <<< '#include "crash/types.h"'
	tree program/file/vmcore.c <<< '#include "names/symbols.h"'
	tree terminal/a.c <<< '#include "dump/dump.h"'
	tree extensions/depot/a.c <<< '#include "faults/tasks.h"'
	tree extensions/depot/b.c <<< '#include "crash/types.h"'
	tree extensions/depot.c <<< '#include "crash/types.h"'
	cd "$BATS_TEST_TMPDIR/tree"
	diff <("$TESTS/tools/layers" $SOURCES | sort) - <<-END
		crash/mute.c: zones/zones.h
		crash/types.c: defs.h
		extensions/depot.c: crash/types.h
		extensions/depot/a.c: faults/tasks.h
		extensions/depot/b.c: crash/types.h
		lib/attic/a.c: no folder of the table
		lib/pages/a.c: symbols/lines.h
		lib/pages/b.c: zones.h
		lib/pages/c.c: <elfutils/libdw.h>
		lib/pages/d.c: <crash/defs.h>
		lib/util/a.c: dump/dump.h
		program/door.c: crash/types.h
		program/file/vmcore.c: names/symbols.h
		terminal/a.c: dump/dump.h
	END
}

# uses FOLDER: "OBJECT OBJECT" where the first needs a symbol of the second
uses() {
	find "$1" -name '*.o' -exec nm -A {} + | sed "s|^$1/||; s/:/ /" | awk '
		$2 == "U" { needed[$3] = needed[$3] " " $1 }
		$3 ~ /^[TDBRVWC]$/ { of[$4] = $1 }
		END {
			for (symbol in needed)
				if (symbol in of)
					for (n = split(needed[symbol], from); n; n--)
						if (from[n] != of[symbol])
							print from[n], of[symbol]
		}' | sort -u
}

@test "no two objects need each other, over however many" {
	mkdir "$BATS_TEST_TMPDIR/objects"
	cp -r "$BUILD"/{lib,crash,terminal,extensions,program} "$BATS_TEST_TMPDIR/objects/"
	uses "$BATS_TEST_TMPDIR/objects" > "$BATS_TEST_TMPDIR/pairs"
	[ "$(grep -c . "$BATS_TEST_TMPDIR/pairs")" -gt 100 ]
	run tsort "$BATS_TEST_TMPDIR/pairs"
	[ "$status" -eq 0 ]
}

@test "a circle of objects is told by name" {
	mkdir "$BATS_TEST_TMPDIR/objects"
	cc -c -x c -o "$BATS_TEST_TMPDIR/objects/a.o" - <<< 'int f(void); int g(void) { return f(); }'
	cc -c -x c -o "$BATS_TEST_TMPDIR/objects/b.o" - <<< 'int g(void); int f(void) { return g(); }'
	run tsort <(uses "$BATS_TEST_TMPDIR/objects")
	[ "$status" -ne 0 ]
	[[ "$output" = *loop*a.o*b.o* || "$output" = *loop*b.o*a.o* ]]
}

# bats test_tags=slow
@test "each header compiles alone, each source names its own header first" {
	# A header that its own source names first was compiled alone, there.
	for h in lib/*/*.h extensions/*/*.h crash/*.h terminal/*.h program/*.h program/*/*.h; do
		[ ! -f "${h%.h}.c" ] || continue
		echo "#include \"$PWD/$h\"" > "$BATS_TEST_TMPDIR/${h//\//.}.c"
	done
	printf '%s\n' "$BATS_TEST_TMPDIR"/*.c |
		xargs -n 25 -P 2 "${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -Ilib -I. -Iprogram -Iextensions
	for c in lib/*/*.c extensions/*/*.c crash/*.c terminal/*.c program/*.c program/*/*.c; do
		if [ ! -f "${c%.c}.h" ] || [ "$c" = crash/port.c ]; then
			continue
		fi
		header=$(basename "${c%.c}.h")
		first=$(grep -m 1 '^#include' "$c")
		[[ "$first" = "#include \"$header\"" || "$first" = "#include \"$(basename "$(dirname "$c")")/$header\"" ]] ||
			{ echo "$c: $first"; false; }
	done
}

@test "what lib/ and the views print goes through a sink, what they read through dump_ops" {
	refute grep -n -E '(^|[^>_a-z])(f?printf|f?puts|readmem|error|exit|abort|GETBUF)\(' lib/*/*.c extensions/*.c extensions/*/*.c
}

@test "one name of a column has one type in JSON, in every view" {
	run tests/tools/types doc/schema
	[ "$status" -eq 0 ]
	[ "$output" = '' ]
	mkdir "$BATS_TEST_TMPDIR/schema"
	cp doc/schema/*.json "$BATS_TEST_TMPDIR/schema/"
	sed -i 's/"pid": { "type": \["integer", "null"\] }/"pid": { "type": "string" }/' "$BATS_TEST_TMPDIR/schema/pageowner-list.json"
	run tests/tools/types "$BATS_TEST_TMPDIR/schema"
	[ "$status" -eq 1 ]
	[[ "$output" = 'pid: '*'string in pageowner-list'* ]]
}

@test "the shared objects export nothing, so that two of them cannot mix" {
	for so in $(printf "$BUILD/%s.so " $COMMANDS); do
		[ "$(nm -D --defined-only "$so")" = '' ]
	done
}

@test "no decision reads a release" {
	refute grep -n -i -E 'LINUX_VERSION|THIS_KERNEL|UTS_RELEASE|linux_release|kernel_version' $SOURCES
	# The banner is read for the meta line, for the names of folders with debug files, to be compared with that of vmlinux, and to be there.
	[ "$(grep -l '"linux_banner"' $SOURCES | xargs)" = 'lib/dump/dump.c lib/kernel/dump_info.c lib/symbols/namelist.c' ]
	[ "$(grep -l 'kernel_release(' $SOURCES | grep '\.c$' | xargs)" = \
		'lib/kernel/dump_info.c lib/symbols/lines.c extensions/memowner/case.c extensions/pageowner/diff.c extensions/pageowner/scan_write.c' ]
}

@test "every source says its licence, once" {
	git ls-files | grep -v -E '^samples/|\.md$|\.png$|\.xz$|^COPYING$|^\.git|^\.clang-format$|^packaging/debian/(copyright|source)' |
		xargs grep -c 'SPDX-License-Identi[f]ier' > "$BATS_TEST_TMPDIR/licences"
	[ "$(grep -c . "$BATS_TEST_TMPDIR/licences")" -gt 300 ]
	[ "$(grep -v ':1$' "$BATS_TEST_TMPDIR/licences")" = '' ]
}

@test "rooms where a newcomer looks: none has more than 45 .c files, each has a README" {
	for room in lib/*/ extensions/*/ crash/ terminal/ program/ program/*/; do
		[ "$(find "$room" -maxdepth 1 -name '*.c' | wc -l)" -le 45 ] || { echo "$room"; return 1; }
		[ -f "$room/README.md" ] || { echo "$room: no README.md"; return 1; }
	done
}

@test "one noun a file: none is longer than 600 lines" {
	[ "$(wc -l $SOURCES tests/*/*.[ch] tests/tools/* | awk '$2 != "total" && $1 > 600')" = '' ]
}

@test "each limit and each size of a buffer that is a constant has its reason" {
	tests/tools/limits $SOURCES
	[ "$(tests/tools/limits -l $SOURCES | grep -c ' -- ')" -gt 150 ]
	tree lib/util/a.c <<-END
		#define MAX_CPUS 8192 /* NR_CPUS goes no higher */
		#define MAX_NODES 16

		/* Of entries. */
		#define HEAD_BYTES 4
		#define TAIL_BYTES 4
	END
	cd "$BATS_TEST_TMPDIR/tree"
	run "$TESTS/tools/limits" lib/util/a.c
	[ "$status" -eq 1 ]
	[ "$output" = 'lib/util/a.c: MAX_NODES 16' ]
}

@test "packages have every document of doc/" {
	for page in doc/*.md; do
		grep -q -x "$page" packaging/debian/docs
		grep -q -x "$page" packaging/debian/memowner.docs
		grep -q "^%doc.* $page\( \|$\)" packaging/crash-memowner.spec
	done
}

@test "manual pages: the words of each help text in their order, each option a term, no warning of groff" {
	scripts/manual "$BATS_TEST_TMPDIR/man"
	for c in $COMMANDS; do
		page=$BATS_TEST_TMPDIR/man/$c.8
		groff -man -ww -Tutf8 -rLL=100n -P-c -P-b -P-o "$page" > "$page.txt" 2> "$page.said"
		[ "$(cat "$page.said")" = '' ]
		diff <(awk -v c="$c" '/^## / { here = $0 == "## `" c "`" } here && !/^(#|```)/' doc/commands.md |
				tr -s ' \n' '\n') \
			<(sed '1,2d; /^SEE ALSO/,$d' "$page.txt" | tr '\342\200\220' '-' | tr -s ' \n' '\n')
		for letter in $(awk -v c="$c" '/^## / { here = $0 == "## `" c "`" } here && /^  -[a-zA-Z] / { print $1 }' doc/commands.md); do
			grep -q "^\.B \\\\$letter" "$page"
		done
	done
}

@test "one version: NEWS.md begins with that of the sources" {
	version=$(sed -n 's/^#define MEMOWNER_VERSION "\(.*\)"$/\1/p' lib/cli/version.h)
	[ "$(sed -n 's/^## \([^ ]*\) .*/\1/p' NEWS.md | head -n 1)" = "$version" ]
	[[ "$version" =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]
	[ "$(awk 'length > 78' NEWS.md)" = '' ]
}

@test "help: synopsis, every option, 90 lines of 80 columns, no percent sign; -h has 24" {
	for c in $COMMANDS; do
		[ "$(synthetic v6_9 "$c -h" | wc -l)" -le 24 ]
		run help_of "$c"
		[ "$(wc -l <<< "$output")" -le 90 ] || { echo "$c: $(wc -l <<< "$output") lines"; false; }
		[[ "$output" = *" in the manual page $c(8)."* ]]
		[[ "$output" = *SYNOPSIS* && "$output" = *"$c - "* ]]
		[ "$(awk 'length > 80' <<< "$output")" = '' ]
		[[ "$output" != *%* ]]
		letters=$(synthetic v6_9 "$c -?" | sed -n 's/.*known are: //p' | tr -d '-')
		[ -n "$letters" ]
		for letter in $letters; do
			[ "$(grep -c -E "^ +-$letter( |\$)" <<< "$output")" -ge 1 ] || { echo "$c -$letter"; false; }
			grep -q -E "^ +-$letter( |\$)" doc/commands.md || { echo "doc/commands.md: $c -$letter"; false; }
		done
	done
}

@test "-h of a noun: what it shows, columns, keys, two examples; 24 lines of 80 columns" {
	for noun in $NOUNS; do
		run "$BUILD/memowner" help "$noun"
		[[ "${lines[0]}" = "memowner $noun: "* && "${lines[1]}" = "usage: memowner $noun"* ]]
		[ "$(wc -l <<< "$output")" -le 24 ] || { echo "$output"; false; }
		[ "$(awk 'length > 80' <<< "$output")" = '' ] || { echo "$output"; false; }
		grep -q '^columns (-o help)' <<< "$output"
		[ "$(sed '1,/^EXAMPLES/d' <<< "$output" | grep -c "^    memowner $noun\b")" -ge 2 ]
		[ -e "extensions/nouns/$noun.c" ]
		grep -q -w "$noun" doc/commands.md
	done
}

@test "doc/commands.md has the help that crash prints, behind it notes and the help of nouns" {
	for c in $COMMANDS; do
		diff <("$BUILD/document" -m "$c" | sed 1d) \
			<(sed -n "/^## \`$c\`/,/^## /p" doc/commands.md | sed '1,/^EXAMPLES/d; /^```/,$d' | sed -n '/^\(NOTES\|VIEWS\)$/,$p')
		diff <(help_of "$c" | sed -n '/^DESCRIPTION/,/^EXAMPLES/p' | sed '1d;$d') \
			<(sed -n "/^## \`$c\`/,/^## /p" doc/commands.md | sed -n '/^```/,/^```/p' | sed '/^```/d' |
				sed -n '/^DESCRIPTION/,/^EXAMPLES/p' | sed '1d;$d')
	done
}

@test "-o help lists what JSON can have" {
	for view in 'pageowner -t top' 'pageowner -t list' allocprof faults 'faults -v'; do
		synthetic v6_9 "$view -o help" | awk '/^[^ ]/ { print $1 }' | sort > "$BATS_TEST_TMPDIR/columns"
		[ -s "$BATS_TEST_TMPDIR/columns" ]
		[ "$(uniq -d "$BATS_TEST_TMPDIR/columns")" = '' ]
	done
}

@test "-o, -f and -g help fit 80 columns; -g help explains terms, -f help values" {
	for options in 'pageowner -o' 'pageowner -t list -o' 'pageowner -f' 'pageowner -g' 'allocprof -o' 'allocprof -c x -o' \
		'allocprof pfn:1 -o' 'allocprof -f' 'allocprof -g' 'depot 1 -o' 'depot -i -o' 'faults -o'; do
		run synthetic v6_9 "$options help"
		[ "${#lines[@]}" -ge 3 ]
		[ "$(awk 'length > 80' <<< "$output")" = '' ]
		case $options in
		*-g) [[ "$output" = *$'\nTerms:\n'* ]] ;;
		*-f) [[ "$output" = *$'\nValues:\n'* ]] ;;
		esac
	done
	run synthetic v6_9 'pageowner -g help'
	for class in $(sed -n 's/.*CLASS_[A-Z]*] = "\([a-z]*\)".*/\1/p' lib/classes/page_class.c); do
		grep -q -E "^(class )?$class  " <<< "$output" || { echo "$class"; false; }
	done
}

@test "no text has a word of tests/coinages: README, doc, help, messages, comments" {
	sed -e '/^#/d' -e 's/\t.*//' tests/coinages > "$BATS_TEST_TMPDIR/patterns"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/patterns")" -ge 20 ]
	# The list finds what it is for.
	grep -q -w -i -E -f "$BATS_TEST_TMPDIR/patterns" <<< 'the slab makes no sense'
	refute grep -r -n -I -w -i -E -f "$BATS_TEST_TMPDIR/patterns" README.md CONTRIBUTING.md Makefile demo doc \
		extensions lib crash terminal program packaging scripts --include='*.md' --include='*.[ch]' --include='*.def' --include=Makefile --include='[a-z-]*'
}

@test "no test has a command that cannot fail" {
	refute grep -n -E '^[[:space:]]*! ' tests/*.bats tests/helper.bash
	# Of "A && B" only the last counts for bats, unless it ends the test.
	refute grep -n -E '^[[:space:]]*\[.*\] && \[' tests/*.bats tests/helper.bash
}

@test "each bats file is run by ./check, or is for dumps that are not in the repository" {
	for file in tests/*.bats; do
		name=$(basename "$file" .bats)
		if grep -q '[$]SAMPLE\>' "$file"; then
			grep -o '^[^#]*files+*=([^)]*)' tests/run-sample
		else
			grep -E '^SYNTHETIC :=|^BATS_RUNS :=|nodata\.bats' tests/tests.mk
		fi | grep -q -w -e "$name" || { echo "$file"; false; }
	done
}

@test "make help names every target" {
	run make -s help
	for target in all check check-unit check-meta check-synthetic check-samples check-fuzz lint bench install uninstall clean; do
		grep -q -w -e "$target" <<< "$output"
	done
}

@test "install and uninstall leave nothing behind" {
	make -s install DESTDIR="$BATS_TEST_TMPDIR/root" EXTENSIONS=/usr/lib/crash/extensions BUILD="$BUILD" > /dev/null
	[ "$(find "$BATS_TEST_TMPDIR/root" -name '*.so' | wc -l)" = "$(wc -w <<< "$COMMANDS")" ]
	[ -x "$BATS_TEST_TMPDIR/root/usr/local/bin/memowner" ]
	make -s uninstall DESTDIR="$BATS_TEST_TMPDIR/root" EXTENSIONS=/usr/lib/crash/extensions BUILD="$BUILD" > /dev/null
	[ "$(find "$BATS_TEST_TMPDIR/root" -type f)" = '' ]
}

@test "a missing header is one sentence that names the package" {
	run make -s BUILD="$BATS_TEST_TMPDIR/build" CRASH_INC=/nowhere
	[ "$status" -ne 0 ]
	[[ "${lines[0]}" = *'defs.h is missing: install the package crash (Debian) or crash-devel'* ]]
}

# bats test_tags=slow
@test "the build leaves no file that git does not know" {
	diff <(git status --porcelain --untracked-files=all | grep '^??') /dev/null
}
