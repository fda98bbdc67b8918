#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# memowner story: each figure of a sentence is in the output of the command that the sentence names; events stand in
# the order of their times.

load helper
bats_require_minimum_version 1.5.0

setup_file() {
	export MEMOWNER=$BUILD/memowner OUT=$BATS_FILE_TMPDIR
	local s

	for s in $(samples); do
		story_of "$s" -j > "$OUT/$s.json"
		story_of "$s" > "$OUT/$s.text"
	done
}

samples() {
	ls "$BUILD/samples"
}

# of_dump SAMPLE COMMAND...
of_dump() {
	local dir=$BUILD/samples/$1 vmlinux=()

	[ ! -e "$dir/vmlinux" ] || vmlinux=(--vmlinux "$dir/vmlinux")
	"$MEMOWNER" "${vmlinux[@]}" "$dir/vmcore" "${@:2}"
}

story_of() {
	of_dump "$1" memowner story "${@:2}"
}

# Numbers with their units, as words: "1,024", "17.2M", "4.4min"; a percent sign stands in a header as well, and of a
# list that is cut the command has the rest.
figures() {
	sed 's/ and [0-9]* more$//' | grep -a -o -E '[0-9][0-9.,]*(min|ms|us|ns|[KMGTBsdh%])?' | sed -E 's/,//g; s/[.%]+$//' | sort -u
}

# has_figures JSON RUN...: of each row of a story the figures, in what RUN and the words of its command print
has_figures() {
	local json=$1 command sentence line lost

	shift
	while IFS=$'\t' read -r command sentence; do
		"$@" $command > "$OUT/answer" || { echo "$command: status $?"; return 1; }
		figures < "$OUT/answer" > "$OUT/told"
		lost=$(printf '%s\n' "$sentence" | figures | comm -23 - "$OUT/told")
		[ "$lost" = '' ] || { echo "$command: nothing has $lost"; echo "$sentence"; return 1; }
	done < <(jq -r 'select(.record == "row") | [.command, .sentence] | @tsv' "$json")
}

@test "each figure of each sentence is in the output of its command, on all samples" {
	local s n=0

	for s in $(samples); do
		has_figures "$OUT/$s.json" of_dump "$s" || { echo "sample $s"; false; }
		n=$((n + $(grep -c '"record":"row"' "$OUT/$s.json")))
	done
	[ "$n" -ge 100 ]
}
