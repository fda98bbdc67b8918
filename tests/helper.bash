# SPDX-License-Identifier: GPL-2.0-or-later
# What the bats files share.

: "${CRASH:=crash}" "${BUILD:=build}" "${OBJECTS:=$BUILD}"
TESTS=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")

# refute COMMAND...: fails if it succeeds. ("! command" never fails a test.)
refute() {
	if "$@"; then
		return 1
	fi
}

# run_crash VMLINUX DUMP OPTION... -- COMMAND...: output of the commands, run
# with every extension loaded. Fails if crash or we died on the way.
run_crash() {
	local vmlinux=$1 dump=$2 options=() commands=$BATS_TEST_TMPDIR/commands

	shift 2
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	{
		echo "extend $OBJECTS/memowner.so"
		printf '%s\n' "$@" quit
	} > "$commands"
	timeout 300 $CRASH "${options[@]}" -s -i "$commands" "$vmlinux" "$dump" \
		> "$BATS_TEST_TMPDIR/out" 2> "$BATS_TEST_TMPDIR/err" ||
		{ cat "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/err"; return 1; }
	# What crash says while it opens the dump is its own.
	sed -e '/^NOTE: minimal mode commands:/d' -e '/memowner.so: shared object loaded$/d' \
		-e '/^WARNING: cpu [0-9]*: /d' -e '/^WARNING: /,/^$/d' -e '/./,$!d' "$BATS_TEST_TMPDIR/out"
	refute grep -q -i -e 'segmentation' -e 'AddressSanitizer' -e '^==[0-9]*==' "$BATS_TEST_TMPDIR"/{out,err}
}

# The option of crash that makes a mode of tests/modes.
option_of() {
	[ "$1" = whole ] || echo "--$1"
}

# synthetic KERNEL COMMAND...
synthetic() {
	local kernel=$BUILD/kernels/$1

	shift
	run_crash "$kernel/vmlinux" "$kernel/ram@0x0" --minimal -- "$@"
}

# json FILTER: rows of the last output that run kept, through jq.
json() {
	jq -r "$@" <<< "$output"
}

# The frames of a stack in JSON as one word.
# shellcheck disable=SC2034
STACK='def hex: if . == 0 then "0" else [recurse(if . >= 16 then . / 16 | floor else empty end) | . % 16]
	| reverse | map("0123456789abcdef"[.:. + 1]) | join("") end;
def stack: [.[] | "\(.symbol)+0x\(.offset | hex)"] | join(" ");'

# The stacks of synthetic kernels.
# shellcheck disable=SC2034
FIRST='alloc_pages+0x2 leak_first+0x2 startup_64+0x2'
SECOND='alloc_pages+0x2 leak_second+0x2 startup_64+0x2'
FREE='free_pages+0x2 startup_64+0x2'

# summary KERNEL KEY...
summary() {
	local kernel=$1 keys

	shift
	keys=$(printf '.%s,' "$@")
	synthetic "$kernel" 'pageowner -t list -a -j' |
		jq -r "select(.record == \"summary\") | [${keys%,}] | map(tostring) | join(\" \")"
}
