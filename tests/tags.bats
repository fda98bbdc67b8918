#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Memory allocation profiling of 6.17 and later on synthetic kernels: what no sample has.

load helper

rows() {	# KERNEL COMMAND FILTER
	synthetic "$1" "$2 -j" | jq -r "select(.record == \"row\") | $3 | map(if . == null then \"-\" else . end) | join(\" \")"
}

summary() {	# KERNEL COMMAND
	synthetic "$1" "$2 -j" | jq -r 'select(.record == "summary") | "\(.status) \(.complete) \(.warnings | join("; "))"'
}

all() {
	rows "$1" allocprof '[.bytes, .calls, .function, .module, .file, .line, .accurate, .loaded]'
}

LOADED='8192 2 alloc_first vmlinux mm/first.c 10 false true
50 1 alloc_second vmlinux ./include/linux/second.h 20 true true
40 4 probe net_b drivers/same.c 30 true true
20 2 probe net_a drivers/same.c 30 true true
0 0 never net_a drivers/same.c 40 true true
0 0 never net_b drivers/same.c 40 true true'

@test "two modules of one source, a site that is not whole, one that an unloaded module left" {
	diff <(all tags_6_17) <(sed '1a 80 8 - - - 50 true false' <<< "$LOADED")
	[ "$(summary tags_6_17 allocprof)" = 'ok true 1 site belongs to a module that is not loaded' ]
	diff <(rows tags_6_17 'allocprof -g file' '[.file, .bytes, .sites]') - <<-END
	mm/first.c 8192 1
	- 80 1
	drivers/same.c 60 4
	./include/linux/second.h 50 1
	END
	diff <(rows tags_6_17 'allocprof -g file,module -f dir=drivers' '[.file, .module, .bytes, .calls, .sites, .avg]') - <<-END
	drivers/same.c net_b 40 4 2 10
	drivers/same.c net_a 20 2 2 10
	END
	[ "$(rows tags_6_17 'allocprof -f file=-' '[.bytes]')" = 80 ]
	[ "$(rows tags_6_17 'allocprof -f accurate=no' '[.bytes]')" = 8192 ]
	[ "$(rows tags_6_17 'allocprof -f loaded=no' '[.bytes]')" = 80 ]
}

@test "the text of 2.0: its mark, and nothing of what is unloaded" {
	diff <(synthetic tags_6_17 'allocprof -t raw') - <<-END
	allocinfo - version: 2.0
	#     <size>  <calls> <tag info>
	        8192        2 mm/first.c:10 func:alloc_first accurate:no 
	          50        1 ./include/linux/second.h:20 func:alloc_second 
	          20        2 drivers/same.c:30 [net_a] func:probe 
	           0        0 drivers/same.c:40 [net_a] func:never 
	          40        4 drivers/same.c:30 [net_b] func:probe 
	           0        0 drivers/same.c:40 [net_b] func:never 
	END
	# A kernel whose texts are not known is not guessed at.
	[ "$(synthetic tags_6_12 'allocprof -t raw')" = "no data: unknown layout: this kernel has no text 'allocinfo - version: ' of /proc/allocinfo" ]
}

@test "a view that an option asks for is not shown without it" {
	run synthetic tags_6_12 'allocprof -t diff' 'allocprof -t cpus' 'allocprof -t context -j' 'pageowner -t diff' 'pageowner -t save'
	[ "$status" = 0 ]
	diff - <(printf '%s\n' "${lines[@]}") <<-END
	allocprof: the view 'diff' needs -d
	allocprof: the view 'cpus' needs -P
	allocprof: the view 'context' needs -c
	pageowner: the view 'diff' needs -d
	pageowner: the view 'save' needs -w
	END
}

@test "a tree that is torn, or leads out of the area, costs the unloaded and is told" {
	diff <(all tags_6_17-torn_tree) <(echo "$LOADED")
	[[ "$(summary tags_6_17-torn_tree allocprof)" = 'ok false some alloc tags may be missing: maple tree node at 0x'*' is torn' ]]
	diff <(all tags_6_17-outside) <(echo "$LOADED")
	[ "$(summary tags_6_17-outside allocprof)" = 'ok false some alloc tags may be missing: tags of an unloaded module end at 0xef of 0xc8 bytes' ]
}

@test "counters that were freed with their module are not read" {
	diff <(all tags_6_17-stale) <(echo "$LOADED"; echo '- - - - - 50 true false')
	[ "$(summary tags_6_17-stale allocprof)" = 'ok true 1 site belongs to a module that is not loaded; the counters of 1 site are unknown: this kernel freed them with their module' ]
	[ "$(rows tags_6_17-stale 'allocprof -i' '[.name, .value]' | grep -E '^(unloaded|unreadable|bytes) ' | xargs)" = 'unloaded 1 unreadable 0 bytes -' ]
}

@test "not supported at boot: why, and -i answers" {
	local state='[.name, .value]'

	[ "$(summary tags_6_17-unsupported allocprof)" = 'off_at_boot false memory allocation profiling was not supported at boot: it needs sysctl.vm.mem_profiling=1 on the kernel command line' ]
	[ "$(summary tags_6_17-never allocprof)" = 'off_at_boot false memory allocation profiling was not supported at boot: the kernel command line has sysctl.vm.mem_profiling=never' ]
	[ "$(summary tags_6_17-cut allocprof)" = 'off_at_boot false memory allocation profiling was not supported at boot: why is unknown, the kernel command line could not be read' ]
	[ "$(summary tags_6_17-failed allocprof)" = 'off_at_boot false memory allocation profiling was not supported at boot, though the kernel command line has sysctl.vm.mem_profiling: the log says why' ]
	[ "$(rows tags_6_17-never 'allocprof -i' "$state" | head -n 7 | xargs)" = 'built true supported false on true option never compressed true debug false tags -' ]
	[ "$(rows tags_6_17-debug 'allocprof -i' "$state" | grep -E '^(supported|option|debug|tags|modules|unloaded|inaccurate|negative|bytes|slab_bytes) ' | xargs)" = \
		'supported true option none debug true tags 7 modules 2 unloaded 1 inaccurate 1 negative 0 bytes 8382 slab_bytes -' ]
	# It has no zones either.
	[[ "$(summary tags_6_12-no_counters 'allocprof -i')" = "ok false the kernel's counters unknown: unknown layout: struct pglist_data has no member node_zones"*'the counters of 4 sites are not in this dump' ]]
	[ "$(rows tags_6_12 'allocprof -i' "$state" | grep -E '^(inaccurate|negative|bytes) ' | xargs)" = 'inaccurate - negative 1 bytes 12146' ]
	[ "$(synthetic no_owner 'allocprof -i')" = 'no data: this kernel was built without memory allocation profiling (CONFIG_MEM_ALLOC_PROFILING)' ]
}

@test "sums below zero: rows, groups, folders, CPUs, filters and growth" {
	local file=$BATS_TEST_TMPDIR/saved

	[ "$(rows tags_6_12 'allocprof -f size=..-1' '[.function, .bytes, .calls]')" = 'alloc_second -200 2' ]
	[ "$(rows tags_6_12 'allocprof -f size=-200..0' '[.bytes]' | xargs)" = '0 -200' ]
	[ "$(rows tags_6_12 'allocprof -g file -f file=mm/second.c' '[.bytes, .calls, .sites, .avg]')" = '-200 2 2 -100' ]
	[ "$(rows tags_6_12 'allocprof -t tree -f file=mm/*' '[.path, .bytes]' | xargs)" = 'mm/ 12088 mm/first.c 12288 mm/second.c -200' ]
	[ "$(rows tags_6_12 'allocprof -P second.c:20' '[.cpu, .bytes, .calls]' | xargs)" = '0 100 3 2 -300 -1' ]
	# A site that never counted has no counters.
	[ "$(rows tags_6_12 'allocprof -P alloc_never' '[.cpu, .bytes, .calls]' | xargs)" = '0 0 0 2 0 0' ]
	[ "$(rows tags_6_12-no_counters 'allocprof -P alloc_first' '[.cpu, .bytes, .calls]' | xargs)" = '0 4096 1 2 - -' ]
	printf '%s\n' '        -300        1 mm/second.c:20 func:alloc_second ' '0 0 mm/second.c:30 func:alloc_never' > "$file"
	[ "$(rows tags_6_12 "allocprof -d $file -f file=mm/second.c" '[.line, .diff_bytes, .diff_calls, .before_bytes, .change]' | xargs)" = '20 100 1 -300 grown 30 0 0 0 same' ]
	[ "$(rows tags_6_12-no_counters "allocprof -d $file -f line=20" '[.diff_bytes, .bytes, .before_bytes]')" = '- - -300' ]
}

@test "-d and -R take text files alone: a pipe could keep them waiting, a device never end" {
	local dir=$BATS_TEST_TMPDIR

	mkfifo "$dir/pipe"
	printf 'allocinfo - version: 1.0\n\0\0\n' > "$dir/zeros"
	run synthetic tags_6_17 'allocprof -d /dev/zero' "allocprof -d $dir/pipe" "allocprof -d $dir" "allocprof -d $dir/zeros" 'allocprof -c 0x0'
	[ "${lines[0]}" = "allocprof: cannot read '/dev/zero': it is a pipe or a device: save its text in a file first" ]
	[ "${lines[1]}" = "allocprof: cannot read '$dir/pipe': it is a pipe or a device: save its text in a file first" ]
	[ "${lines[2]}" = "allocprof: cannot read the file '$dir': Is a directory" ]
	[ "${lines[3]}" = "allocprof: the file '$dir/zeros' has bytes of 0: it is no text" ]
}
