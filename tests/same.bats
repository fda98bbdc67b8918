#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A real dump, $SAMPLE, in another crash: byte by byte the answers in $REFERENCE, the crash in
# which they are checked against the kernel's own word.

load helper

@test "the answers, in each mode ($MODES), are byte by byte those in another crash" {
	local wanted mode

	wanted=$(CRASH=$REFERENCE answers minimal)
	for mode in $MODES; do
		[[ $mode != program && $mode != alone ]] || continue
		diff -r "$wanted" "$(answers $mode)"
	done
	[ "$(ls "$wanted" | wc -l)" -gt 10 ]
}
