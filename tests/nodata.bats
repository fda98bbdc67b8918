#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Why there is no data, or only old data: kernels that were really booted so.
# "make samples" makes their dumps.

load helper

# status and first warning of the commands' summaries, in every mode.
why() {	# SAMPLE COMMAND
	local dir=$BUILD/samples/$1

	for mode in $("$TESTS/modes" "$dir/meta" "$CRASH"); do
		run_crash "$dir/vmlinux" "$dir/vmcore" $(option_of "$mode") -- "$2 -j" |
			jq -r 'select(.record == "summary") | "\(.status): \(.warnings[0] // "-")"'
	done | sort -u
}

rows() {	# SAMPLE COMMAND
	local dir=$BUILD/samples/$1 modes

	read -r -a modes <<< "$("$TESTS/modes" "$dir/meta" "$CRASH")"
	run_crash "$dir/vmlinux" "$dir/vmcore" $(option_of "${modes[0]}") -- "$2 -j" | grep -c '"record":"row"' || :
}

off_at_boot='off_at_boot: memory allocation profiling was off at boot: it needs sysctl.vm.mem_profiling=1 on the kernel command line'

@test "page_owner without its boot option; the others answer" {
	local wanted='off_at_boot: page_owner was off at boot: it needs page_owner=on on the kernel command line'

	[ "$(why 6.12-no-owner pageowner)" = "$wanted; memowner classes, pages and holders answer without" ]
	[ "$(why 6.12-no-owner 'pageowner -t list')" = "$wanted; memowner classes, pages and holders answer without" ]
	[ "$(why 6.12-no-owner 'pageowner pfn:0x1000')" = "ok: page_owner records are not available: ${wanted#off_at_boot: }" ]
	[ "$(why 6.12-no-owner 'depot -i')" = 'off_at_boot: the stack depot is off: nothing that this kernel booted with needs it' ]
	[ "$(why 6.12-no-owner allocprof)" = 'ok: -' ]
	[ "$(why 6.12-no-owner faults)" = 'ok: -' ]
}

@test "profiling off at boot, and off for good" {
	for name in 6.12-tags-off 7.2-tags-off 7.3-tags-off; do
		[ "$(why $name allocprof)" = "$off_at_boot" ]
		[ "$(why $name 'allocprof -C')" = "$off_at_boot" ]
		[ "$(why $name 'allocprof -c leaky_rx_refill')" = "$off_at_boot" ]
	done
	[ "$(why 6.12-tags-never allocprof)" = 'off_at_boot: memory allocation profiling was not supported at boot: the kernel command line has sysctl.vm.mem_profiling=never' ]
	for name in 6.12-tags-off 7.2-tags-off 7.3-tags-off 6.12-tags-never; do
		[ "$(rows $name allocprof)" = 0 ]
		[ "$(why $name pageowner)" = 'ok: -' ]
	done
}

@test "profiling turned off later: rows as they were then, and told" {
	for name in 6.12-tags-off-later 7.2-tags-off-later 7.3-tags-off-later 7.3-compressed-off-later; do
		[ "$(why $name allocprof)" = 'off_later: profiling was turned off before the panic: the counters have not changed since' ]
		[ "$(rows $name allocprof)" -gt 900 ]
	done
}

@test "a kernel as Debian ships it" {
	[ "$(why 6.12-stock-oom pageowner)" = 'not_built: this kernel was built without page_owner (CONFIG_PAGE_OWNER); memowner classes, pages and holders answer without' ]
	[ "$(why 6.12-stock-oom allocprof)" = 'not_built: this kernel was built without memory allocation profiling (CONFIG_MEM_ALLOC_PROFILING)' ]
	[ "$(why 6.12-stock-oom 'depot -i')" = 'off_at_boot: the stack depot is off: nothing that this kernel booted with needs it' ]
	[ "$(why 6.12-stock-oom faults)" = 'ok: -' ]
	[ "$(rows 6.12-stock-oom faults)" -gt 30 ]
	# As many as crash counts itself, the idle ones aside.
	[ "$(rows 6.12-stock-oom faults)" = "$(run_crash "$BUILD/samples/6.12-stock-oom/vmlinux" "$BUILD/samples/6.12-stock-oom/vmcore" -- \
		ps | awk '$1 == ">" { $1 = ""; $0 = $0 } $1 ~ /^[0-9]+$/ && $1 > 0' | wc -l)" ]
}
