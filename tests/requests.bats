#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Requests that are odd and legitimate get what they ask for, or one line that says why not.

load helper

setup_file() {
	export OOM=$BUILD/samples/6.12-oom STOCK=$BUILD/samples/6.12-stock-oom
}

# of DUMP ARGUMENT...: what the program says, errors too
of() {
	timeout 60 "$BUILD/memowner" --vmlinux "$1/vmlinux" "$1/vmcore" "${@:2}" 2>&1
}

# each DUMP: commands of standard input in one run, the output of the n-th in $BATS_TEST_TMPDIR/n
each() {
	awk -v to="$BATS_TEST_TMPDIR/" '{ print $0 " > " to NR }' > "$BATS_TEST_TMPDIR/commands"
	"$BUILD/memowner" --vmlinux "$1/vmlinux" -i "$BATS_TEST_TMPDIR/commands" "$1/vmcore"
}

# Words that a header has more than another one, in one line.
more() {	# FILE THAN
	comm -23 <(head -n 1 "$1" | tr -s ' ' '\n' | grep . | sort -u) <(head -n 1 "$2" | tr -s ' ' '\n' | grep . | sort -u) | tr '\n' ' '
}

@test "-o +COLUMN adds this column and no other, in every view that is a table" {
	local view asked n=0 default more views=('pageowner -g module' 'pageowner -m' 'pageowner -t processes' 'pageowner -t caches' 'pageowner -t list -n 1'
		'pageowner -t objects' 'pageowner -t files' 'pageowner -t vmalloc' 'pageowner -t pools' 'pageowner -b' 'pageowner -z' faults allocprof)

	for view in "${views[@]}"; do
		echo "$view -o help"
	done | each "$OOM"
	for view in "${views[@]}"; do
		echo "$view"
		n=$((n + 1))
		sed -n -E 's/^([a-z_0-9]+) .*/\1/p' "$BATS_TEST_TMPDIR/$n" | sed "s/.*/$view -o +&/"
	done > "$BATS_TEST_TMPDIR/asked"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/asked")" -gt 150 ]
	each "$OOM" < "$BATS_TEST_TMPDIR/asked"
	n=0
	while read -r asked; do
		n=$((n + 1))
		[[ "$asked" = *' -o '* ]] || default=$n
		more=$(more "$BATS_TEST_TMPDIR/$n" "$BATS_TEST_TMPDIR/$default")
		[[ "$more" != *' '*' '* ]] || { echo "$asked: more: $more"; false; }
		more=$(more "$BATS_TEST_TMPDIR/$default" "$BATS_TEST_TMPDIR/$n")
		[ "$more" = '' ] || { echo "$asked: less: $more"; false; }
	done < "$BATS_TEST_TMPDIR/asked"
}
