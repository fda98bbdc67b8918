#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A vmlinux of another build, the core of another kernel, a core that was cut off: one true line in every command and
# every noun, as text and as JSON, in the program and in crash.

load helper

CUT='incomplete: the file ends before its last page: it was cut off'

# Each command and each noun, if BRIEF every second noun, in crash every eighth, which types them by gdb: one place
# says it of all.  depot alone is asked for nothing.
asked() {
	printf '%s\n' $COMMANDS | sed 's/^depot$/& -i/'
	printf 'memowner %s\n' $NOUNS | awk -v nth=$((BRIEF ? ${NTH:-2} : 1)) 'NR % nth == 0'
}

setup_file() {
	local sample

	export OUT=$BATS_FILE_TMPDIR SAMPLE_OF=$BUILD/samples
	[ "$(asked | wc -l)" -ge $((BRIEF ? 12 : 19)) ]
	for sample in 6.12-oom 7.3-oom 6.12-hog-frames; do
		cut $sample 96
	done
	cut 6.12-hog-frames 99
	rm -f "$OUT/6.12-hog-frames.96"
}

cut() {	# SAMPLE PERCENT
	head -c $(($(stat -L -c %s "$SAMPLE_OF/$1/vmcore") * $2 / 100)) "$SAMPLE_OF/$1/vmcore" > "$OUT/$1.$2"
}

# to_files FOLDER: the lines of a session that answers each, as text and as JSON, in a file for each
to_files() {
	mkdir "$1"
	asked | awk -v to="$1/" '{ print $0 " > " to NR ".text"; print $0 " -j > " to NR ".json" }'
}

# each_says FOLDER LINE: every answer there has this text once, and JSON in its warnings
each_says() {
	local n=0 asked

	while read -r asked; do
		n=$((n + 1))
		[ "$(grep -c -F -- "$2" "$1/$n.text")" = 1 ] || { echo "$asked:"; cat "$1/$n.text"; return 1; }
	done < <(asked)
	tail -q -n 1 "$1"/*.json > "$OUT/ends"
	jq -c --arg line "$2" 'select(.warnings | map(select(contains($line))) | length != 1)' "$OUT/ends" > "$OUT/silent"
	[ "$(wc -l < "$OUT/ends")/$(cat "$OUT/silent")" = $n/ ] || { cat "$OUT/silent"; return 1; }
}

@test "program: a vmlinux of another build or kernel is named once and not used, whatever is asked" {
	local dir=$SAMPLE_OF/6.12-oom other=$SAMPLE_OF/7.3-oom asked
	local line='memowner: vmlinux is of another build than the kernel of this dump: its build ID is .*: it is not used'

	while read -r asked; do
		# shellcheck disable=SC2086 # words of a command
		"$BUILD/memowner" --vmlinux "$SAMPLE_OF/6.12-kdump/vmlinux" "$dir/vmcore" $asked > "$OUT/with" 2> "$OUT/said" || [ $? = 1 ]
		# shellcheck disable=SC2086
		"$BUILD/memowner" "$dir/vmcore" $asked 2> /dev/null | cmp - "$OUT/with" || { echo "$asked"; false; }
		grep -q -x "$line" "$OUT/said"
		[ "$(wc -l < "$OUT/said")" = 1 ] || { echo "$asked"; cat "$OUT/said"; false; }
	done < <(asked)
	# Of another kernel, in one session.
	asked > "$OUT/commands"
	"$BUILD/memowner" --vmlinux "$dir/vmlinux" -i "$OUT/commands" "$other/vmcore" > "$OUT/with" 2> "$OUT/said" || [ $? = 1 ]
	"$BUILD/memowner" -i "$OUT/commands" "$other/vmcore" 2> /dev/null | cmp - "$OUT/with"
	[ "$(grep -c -x "$line" "$OUT/said")" = 1 ]
	# A reader of JSON does not see standard error.
	while read -r asked; do
		"$BUILD/memowner" --vmlinux "$asked/vmlinux" "$dir/vmcore" memowner classes -j > "$OUT/with" 2> "$OUT/said"
		diff <(sed 's/^memowner: //' "$OUT/said") <(tail -n 1 "$OUT/with" | jq -r '.warnings[] | select(contains("of another build"))')
	done < <(printf "$SAMPLE_OF/%s\n" 6.12-kdump 7.3-oom)
}

@test "program: a vmlinux of another build beside the dump, which nothing names, is named once and not used" {
	local dir=$BATS_TEST_TMPDIR/beside dump asked

	mkdir "$dir"
	# With the types of the dump, and without types.
	for dump in 6.12-stock-oom 6.12-oom; do
		ln -sf "$SAMPLE_OF/$dump/vmcore" "$dir/vmcore"
		for asked in '' case 'caches -n 1'; do
			"$BUILD/memowner" "$dir/vmcore" $asked > "$OUT/without" 2> "$OUT/before" || [ $? = 1 ]
			cp --reflink=auto "$SAMPLE_OF/7.3-oom/vmlinux" "$dir/vmlinux"
			"$BUILD/memowner" "$dir/vmcore" $asked > "$OUT/with" 2> "$OUT/said" || [ $? = 1 ]
			cmp "$OUT/without" "$OUT/with"
			[ "$(grep -v -x -F -f "$OUT/before" "$OUT/said" | grep -c -x "memowner: $dir/vmlinux: vmlinux is of another build than the kernel of this dump: its build ID is .*: it is not used")" = 1 ]
			[ "$(grep -c . "$OUT/said")" = $(($(grep -c . "$OUT/before" || :) + 1)) ]
			rm "$dir/vmlinux"
		done
	done
	# One that fits is used without a word, and what is no such file is none.
	cp "$TESTS/helper.bash" "$dir/vmlinux"
	"$BUILD/memowner" "$dir/vmcore" case 2>&1 | refute grep 'of another build'
}

@test "program: a core that was cut off says so in each answer, and once when it is opened" {
	local sample

	for sample in 6.12-oom 7.3-oom; do
		to_files "$OUT/$sample" > "$OUT/commands"
		"$BUILD/memowner" --vmlinux "$SAMPLE_OF/$sample/vmlinux" -i "$OUT/commands" "$OUT/$sample.96" 2> "$OUT/said" || [ $? = 1 ]
		[ "$(grep -c -F "$CUT" "$OUT/said")" = 1 ]
		each_says "$OUT/$sample" "$OUT/$sample.96: $CUT"
	done
	has_no_line -r -F "$CUT" <("$BUILD/memowner" --vmlinux "$SAMPLE_OF/$sample/vmlinux" "$SAMPLE_OF/$sample/vmcore" memowner 2>&1)
}

@test "program: half of a core, without its types: one line when it is opened, in every command, and no page has another" {
	local command half=$OUT/half/vmcore n=0

	mkdir -p "$OUT/half"
	head -c $(($(stat -Lc %s "$SAMPLE_OF/6.12-stock-oom/vmcore") / 2)) "$SAMPLE_OF/6.12-stock-oom/vmcore" > "$half"
	for command in memowner 'memowner stuck' 'memowner pfn:0x1000' 'memowner files' 'memowner story' pageowner 'depot -a' 'faults -b' "memowner -H $OUT/half/page"; do
		# shellcheck disable=SC2086 # words
		"$BUILD/memowner" "$half" $command 2>&1 > "$OUT/half/said" | grep -F -v "$half: $CUT" > "$OUT/half/more" || :
		[ ! -s "$OUT/half/more" ] || { echo "$command: $(cat "$OUT/half/more")"; false; }
		n=$((n + 1))
	done
	[ "$n" = 9 ]
	# The report of its log asks for nodes, which need types.
	[ "$("$BUILD/memowner" "$OUT/6.12-oom.96" memowner zones 2>&1 > /dev/null | wc -l)" = 1 ]
}

@test "crash: a core of another kernel gives one line in each answer, and nothing else" {
	local n

	to_files "$OUT/other" > "$OUT/commands"
	mapfile -t commands < "$OUT/commands"
	run_crash "$SAMPLE_OF/6.12-oom/vmlinux" "$SAMPLE_OF/7.3-oom/vmcore" --minimal -- "${commands[@]}" > /dev/null
	each_says "$OUT/other" "symbols of vmlinux do not fit this dump: they were not moved as KASLR moved the kernel, or it is another kernel's"
	for n in "$OUT"/other/*.text; do
		[ "$(wc -l < "$n")" = 1 ]
	done
}

@test "crash: a core that was cut off says so in each answer" {
	local dir=$SAMPLE_OF/6.12-hog-frames NTH=8

	to_files "$OUT/cut" > "$OUT/commands"
	mapfile -t commands < "$OUT/commands"
	run_crash "$dir/vmlinux" "$OUT/6.12-hog-frames.99" --minimal -- "${commands[@]}" > "$OUT/session"
	each_says "$OUT/cut" "$OUT/6.12-hog-frames.99: $CUT"
	run_crash "$dir/vmlinux" "$dir/vmcore" --minimal -- 'memowner classes' > "$OUT/whole"
	refute grep -F incomplete "$OUT/whole"
}
