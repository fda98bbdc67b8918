#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A real dump, $SAMPLE, in another crash: byte by byte the answers of the program, which are checked
# against the kernel's own word.

load helper

@test "the answers, in each mode ($MODES), are byte by byte those of the program" {
	local wanted mode

	wanted=$(answers program)
	for mode in $MODES; do
		[[ $mode != program && $mode != alone ]] || continue
		diff -r "$wanted" "$(answers $mode)"
	done
	[ "$(ls "$wanted" | wc -l)" -gt 10 ]
}
