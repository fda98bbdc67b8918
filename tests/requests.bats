#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Requests that are odd and legitimate get what they ask for, or one line that says why not.

load helper

setup_file() {
	export OOM=$BUILD/samples/6.12-oom STOCK=$BUILD/samples/6.12-stock-oom SPOOL=$BUILD/samples/6.12-hog-spool
}

# of DUMP ARGUMENT...: what the program says, errors too
of() {
	timeout 60 "$BUILD/memowner" --vmlinux "$1/vmlinux" "$1/vmcore" "${@:2}" 2>&1
}

# columns DUMP ARGUMENT...: the table without blanks at the ends of its cells
columns() {
	of "$@" | sed -e 's/  */ /g' -e 's/^ //' -e 's/ $//'
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

@test "memowner -o section,name,bytes: each statement has a name, a process the bytes that are resident" {
	local dump

	for dump in "$OOM" "$STOCK" "$SPOOL"; do
		columns "$dump" memowner -o section,name,bytes > "$BATS_TEST_TMPDIR/rows"
		[ "$(grep -c -E '^(process|faults|in_fault|next|owner|missing) ' "$BATS_TEST_TMPDIR/rows")" -ge 6 ]
		[ "$(grep -E '^[a-z_]+ - ' "$BATS_TEST_TMPDIR/rows")" = '' ]
		diff <(of "$dump" memowner | sed -n '/^next:/,/^coverage/s/^  //p') <(sed -n 's/^next \(.*\) -$/\1/p' "$BATS_TEST_TMPDIR/rows")
		[ "$(grep -c -E '^process [^ ]+ \([0-9]+\) [0-9.]+M$' "$BATS_TEST_TMPDIR/rows")" = 3 ]
	done
}

@test "memowner: how long before the panic memory ran out, who is charged, and no zones for a cgroup's limit" {
	of "$OOM" memowner > "$BATS_TEST_TMPDIR/text"
	grep -q -E '^OOM       10\.774437 s, 12ms before the panic: hungry \(181\) invoked the OOM killer, ' "$BATS_TEST_TMPDIR/text"
	grep -q -x '  pageowner -z' "$BATS_TEST_TMPDIR/text"
	of "$SPOOL" memowner > "$BATS_TEST_TMPDIR/text"
	grep -q -x 'holders   cgroup 31\.9M 28\.6% charged to /shop/checkout: at its limit of 32\.0M, 1 time out of memory' "$BATS_TEST_TMPDIR/text"
	grep -q -x '  pageowner -t cgroups' "$BATS_TEST_TMPDIR/text"
	[ "$(grep -c '^  pageowner -z' "$BATS_TEST_TMPDIR/text")" = 0 ]
}
