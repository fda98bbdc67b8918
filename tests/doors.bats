#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A real dump, $SAMPLE, through both doors: crash, and the program with vmlinux and, where the dump has its
# types, without.

load helper

@test "every view, as text and as JSON, is the same through crash and the program, but for tests/differences" {
	# Each of them takes half a minute of a processor: make check-doors asks them all.
	run scripts/same-answers ${BRIEF:+-n 40} crash "$BUILD/memowner" "$SAMPLE"
	[ "$status" = 0 ] || { echo "$output"; false; }
	[[ "${lines[-1]}" =~ ^[1-9][0-9]+' answers, 0 differ'$ ]]
}
