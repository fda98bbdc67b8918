#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What filters leave out, what they propose, and what they say when nothing is left.

load helper

setup_file() {
	export OOM=$BUILD/samples/6.12-oom STOCK=$BUILD/samples/6.12-stock-oom HOLED=$BUILD/samples/6.12-holed
}

# of DUMP ARGUMENT...: what the program says, errors too
of() {
	timeout 60 "$BUILD/memowner" --vmlinux "$1/vmlinux" "$1/vmcore" "${@:2}" 2>&1
}

# left DUMP KEY=VALUE COLUMN 'N UNIT' COMMAND...: that many are unknown and left out, in text and in JSON; with their size
# where it matters
left() {
	local warning="$3 is unknown of $4, which -f leaves out"

	of "$1" "${@:5}" -f "$2" > "$BATS_TEST_TMPDIR/text"
	grep -q -x -E -e "warning: $warning(: (it has|they have) [0-9.]+[MG])?" "$BATS_TEST_TMPDIR/text" || { echo "$*"; cat "$BATS_TEST_TMPDIR/text"; false; }
	of "$1" "${@:5}" -f "$2" -j | jq -e --arg w "$warning" 'select(.record == "summary") | .complete == false and any(.warnings[]; startswith($w))'
}

# all DUMP KEY=VALUE COMMAND...: nothing is left out as unknown, although "-" stands in the column
all() {
	of "$1" "${@:3}" -f "$2" > "$BATS_TEST_TMPDIR/text"
	[ "$(grep -c 'leaves out' "$BATS_TEST_TMPDIR/text")" = 0 ] || { echo "$*"; cat "$BATS_TEST_TMPDIR/text"; false; }
}

@test "rows whose value is unknown are counted where a filter leaves them out; those that have none are not" {
	left "$HOLED" slack=500K.. slack_bytes '6 caches' memowner caches
	grep -q -x 'warning: -f slack=500K\.\.: nothing that is known has it; it is from 0B to 174.2K' "$BATS_TEST_TMPDIR/text"
	left "$OOM" pid=5 pid '92,937 objects of these caches' memowner objects
	grep -q -x 'warning: -f pid=5: it is unknown of all that was read' "$BATS_TEST_TMPDIR/text"
	# Of an object with a call site alone one frame is known.
	left "$OOM" stack=vfs_write stack '92,937 objects of these caches' memowner objects
	grep -q -x 'warning: -f stack=vfs_write: it is unknown of all that was read' "$BATS_TEST_TMPDIR/text"
	left "$OOM" 'stack=*alloc_empty_file*' stack '92,921 objects of these caches' memowner objects
	of "$OOM" memowner objects -X stack=vfs_write | grep -q -x 'warning: stack is unknown of 92,937 objects of these caches, which -X keeps'
	left "$OOM" pages=5.. pages '62 records' depot -a
	# The root of cgroup v2 has no limit, a kernel thread no memory, a pool no kind's number but its own.
	all "$OOM" max=1M.. memowner cgroups
	all "$OOM" rss=1M.. faults
	all "$OOM" rss=1M.. faults -g comm
	all "$OOM" movable=1.. memowner pools
	all "$OOM" references=1.. memowner cgroups
	all "$OOM" root_cache=dentry memowner caches
	all "$OOM" phys=0x1000 memowner vmalloc
	all "$OOM" caller='copy_process*' memowner vmalloc
	all "$OOM" log_swap_bytes=1.. memowner processes
	all "$OOM" last_migrate_reason=compaction pageowner -t list -n 1
	all "$OOM" memcg=/web memowner log
	all "$OOM" avg=1K.. allocprof
	all "$STOCK" swapped_pages=1.. memowner files
	all "$STOCK" rx_queue=1.. memowner sockets
	all "$STOCK" peer_used_by='*dbus*' memowner sockets
}

@test "a sort key that no row has is told apart from one that is unknown" {
	of "$OOM" memowner caches -s root_cache -n 1 > "$BATS_TEST_TMPDIR/text"
	grep -q -x 'warning: not sorted by root_cache: no row is known to have one' "$BATS_TEST_TMPDIR/text"
	of "$OOM" memowner objects -s pid -n 1 > "$BATS_TEST_TMPDIR/text"
	grep -q -x 'warning: not sorted by pid: it is unknown of all rows' "$BATS_TEST_TMPDIR/text"
}

@test "files -f process: the process of each file is looked up without -g as well" {
	[ "$(of "$OOM" memowner files -f process='1(init)' -j | jq -r 'select(.record == "row") | .file' | sort | tr '\n' ' ')" = '/bin/busybox /init ' ]
	silent 'unknown of' "$OOM" memowner files -f process='*'
}

@test "fragmentation -f stack: without page_owner it is unknown, and no fault" {
	left "$STOCK" stack=foo stack '26,947 pages' memowner fragmentation 3
	[ "$(of "$STOCK" memowner fragmentation 3 -X stack=foo | grep -c -x 'warning: -X stack=foo: it is unknown of all that was read')" = 1 ]
}

# says TEXT DUMP COMMAND...: a line of text, and a warning of JSON if it is one
says() {
	of "${@:2}" > "$BATS_TEST_TMPDIR/text" || true
	grep -q -x -F -e "$1" "$BATS_TEST_TMPDIR/text" || { echo "$*"; cat "$BATS_TEST_TMPDIR/text"; false; }
	[ "${1#warning: }" = "$1" ] ||
		of "${@:2}" -j | jq -e --arg w "${1#warning: }" 'select(.record == "summary") | any(.warnings[]; . == $w)' > /dev/null
}

@test "a class that no page of the view can be of names the view that has it" {
	local early='warning: early: these pages are direct here, where no record of page_owner is read; memowner classes tells them apart'

	says "$early" "$OOM" memowner pages -f class=early
	says "$early" "$OOM" memowner pages -X class=early,slab
	says 'pages in use by struct page, whoever allocated them; early ones are direct' "$OOM" memowner pages
	# Without page_owner no page is early, and nothing tells them apart.
	says 'pages in use by struct page, whoever allocated them' "$STOCK" memowner pages -f class=early
	[ "$(grep -c '^warning: early' "$BATS_TEST_TMPDIR/text")" = 0 ]
	says 'warning: class buddy is of pages that are not in use: memowner classes has them' "$OOM" memowner pages -f class=buddy
	says 'warning: class pcp is of pages that are not in use: memowner classes has them' "$OOM" memowner fragmentation 4 -f class=pcp
	says 'warning: class reserved is of pages without a record of page_owner: memowner classes has them' "$OOM" pageowner -f class=reserved
	silent 'warning: ' "$OOM" memowner pages -f class=reserved
	silent 'warning: ' "$OOM" pageowner -f class=early
	says 'warning: -f class=free: nothing that was read has it; known are: pcp, buddy' "$OOM" pageowner -f class=free -f state=free
}

@test "pages -f holder: that slabs and areas have none here is told, unless they were not asked for" {
	local note='warning: holder is known of pages of class direct alone: memowner holders has memory in slabs and vmalloc too'

	says "$note" "$STOCK" memowner pages -f holder=zram -g class
	says "$note" "$OOM" memowner pages -X holder=leaky
	[ "$(of "$OOM" memowner pages -f holder=leaky -f class=direct | grep -c -x -F -e "$note")" = 0 ]
	[ "$(of "$OOM" memowner pages -f 'holder=[[]slab],[[]vmalloc]' | grep -c -x -F -e "$note")" = 0 ]
}

@test "faults -b -f: a thread that is in no page fault is told from one that is not there, with its process" {
	local dump=$BUILD/samples/6.12-faults

	says 'warning: -f comm=stuck: nothing that was read has it; stuck (83) is in no page fault, but 2 other threads of process 83 are (-f tgid=83)' "$dump" faults -b -f comm=stuck
	says 'warning: -f pid=83: nothing that was read has it; stuck (83) is in no page fault, but 2 other threads of process 83 are (-f tgid=83)' "$dump" faults -b -f pid=83
	says 'warning: -f comm=nothere: nothing that was read has it; no thread has this name' "$dump" faults -b -f comm=nothere
	says 'warning: -f comm=mapper: nothing that was read has it; mapper (85) is in no page fault, but 2 other threads of process 83 are (-f tgid=83)' "$dump" faults -b -f comm=reader,mapper
}

@test "faults: a thread that is chosen by its name or number is not all of its process, nor is a group of those kept" {
	local dump=$BUILD/samples/6.12-faults part='filters asked each thread: a row has of its group only the threads that they kept'

	says 'stuck (83) has 3 threads more that the filters leave out, RSS and SWAP are of the process: faults -g tgid -f tgid=83' "$dump" faults -f comm=stuck
	says 'stuck (83) has 3 threads more that the filters leave out, RSS and SWAP are of the process: faults -g tgid -f tgid=83' "$dump" faults -f comm=stuck -g comm
	silent 'leave out' "$dump" faults -f comm=waiter
	silent 'leave out' "$dump" faults -f tgid=83
	says "$part" "$dump" faults -g tgid -X comm=stuck
	says "$part" "$dump" faults -g memcg -f comm=stuck
	# The process keeps the name of its leader, and one of which all threads were kept is whole.
	[ "$(of "$dump" faults -g tgid -f comm=waiter -j | jq -r 'select(.record == "row").comm')" = stuck ]
	[ "$(of "$dump" faults -g tgid -f comm=waiter -j | jq -r 'select(.record == "summary").warnings[0]')" = "$part" ]
	silent "$part" "$dump" faults -g tgid -f tgid=83
	silent "$part" "$dump" faults -g tgid -f threads=2..
	# A filter by the key of the groups keeps whole ones.
	silent "$part" "$dump" faults -g memcg -f memcg=/slow
	silent "$part" "$STOCK" memowner processes -g comm -f comm=systemd
	# Groups of other views, in JSON too.
	of "$STOCK" memowner processes -f rss_bytes=10M.. -g comm -j | jq -e --arg part "${part/thread:/process:}" 'select(.record == "summary").warnings | index($part | sub("threads"; "processes"))'
	of "$OOM" allocprof -g module -f size=50M.. -j | jq -e --arg part "${part//thread/site}" 'select(.record == "summary").warnings | index($part)'
}

@test "processes -o held_bytes: what of swap is in RAM is told, for HELD is without it" {
	local swapped='^HELD is without SWAP, which is in RAM as well: zram0, 48\.0M in 1\.[0-9]M; the end of hungry \([0-9]+\) would free up to about [0-9.]+[KM] of that, by its share$'

	of "$OOM" memowner processes -s held_bytes -n 1 | grep -q -E "$swapped"
	of "$OOM" memowner processes -g comm -o held_bytes | grep -q -E "$swapped"
	of "$OOM" memowner processes -o held_bytes -j | jq -r 'select(.record == "summary").warnings[]' | grep -q -E "$swapped"
	silent 'HELD is' "$OOM" memowner processes -n 1
	# Another area of swap is no zram: how much of each process is in which is not known.
	says 'HELD is without what of SWAP is in zram, which is in RAM as well: zram0, 43.4M in 6.3M' "$STOCK" memowner processes -s held_bytes -n 1
	# HELD of a group is a sum of what each of it has alone.
	says 'HELD of a group is without anonymous memory that several of it share: up to 2.4M of stress-ng-mmap (525) and 8 more of its group, less where others share it; so of 2 more groups' "$STOCK" memowner processes -g service -o held_bytes
	silent 'HELD of a group' "$STOCK" memowner processes -g service -o held_bytes -f comm=systemd
	silent 'HELD of a group' "$STOCK" memowner processes -g service -n 1
}

@test "stuck -f: a thread that is not stuck is told from one that is not there" {
	local dump=$BUILD/samples/6.12-faults

	says 'warning: -f pid=83: nothing that was read has it; stuck (83) is at none of these places, on no lock, but 3 other threads of process 83 are (-f tgid=83)' "$dump" memowner stuck -g where -f pid=1,83
	says 'warning: -f comm=cpuhp/*: nothing that was read has it; cpuhp/0 (19) is at none of these places, on no lock; cpuhp/1 (20) is at none of these places, on no lock' "$dump" memowner stuck -f 'comm=cpuhp/*'
	# Another filter left its row out, or it is one.
	silent 'at none of these places' "$dump" memowner stuck -f where=idle -f pid=69
	silent 'at none of these places' "$dump" memowner stuck -f pid=80..90 -X pid=83
}

@test "stuck -f: threads that the filters keep beside the rows; a kernel thread by all of its name" {
	local dump=$STOCK kept rows

	kept=$(of "$dump" memowner stuck -a -f state=S -j | jq -r 'select(.record == "row") | .pid' | sort -u | wc -l)
	rows=$(of "$dump" memowner stuck -f state=S -j | jq -r 'select(.record == "row") | .pid' | sort -u | wc -l)
	[ "$rows" -gt 0 ]
	of "$dump" memowner stuck -f state=S > "$BATS_TEST_TMPDIR/text"
	grep -q -x "warning: $((kept - rows)) more threads that the filters keep are at none of these places: -a has them" "$BATS_TEST_TMPDIR/text"
	silent 'more threads that the filters keep' "$dump" memowner stuck -a -f state=S
	silent 'more threads that the filters keep' "$dump" memowner stuck -X state=S
	# One that no row has by its name has a line of its own.
	silent 'more thread that the filters keep' "$dump" memowner stuck -f comm=memcached,oom_reaper
	says 'warning: -f comm=memcached: nothing that was read has it; memcached (259) is at none of these places, on no lock' "$dump" memowner stuck -f comm=memcached,oom_reaper
	silent 'at these places' "$dump" memowner stuck -a -f comm=memcached
	# Of a process others wait.
	dump=$BUILD/samples/6.12-faults
	says 'warning: 3 other threads of process 83 (stuck) are at these places, and -f leaves them out: -f tgid=83' "$dump" memowner stuck -a -f comm=stuck
	silent 'at these places' "$dump" memowner stuck -a -f comm=mapper
	silent 'at these places' "$dump" memowner stuck -a -f tgid=83 -f pid=80..100
	dump=$STOCK
	# faults has /proc/PID/stat's name of it.
	[ "$(of "$dump" memowner stuck -a -f comm=kworker/R-kvfree_rcu_reclaim -j | jq -r 'select(.record == "row") | .comm')" = kworker/R-kvfre ]
	[ "$(of "$dump" memowner stuck -a -X comm=kworker/R-kvfree_rcu_reclaim -j | jq -r 'select(.record == "row" and .comm == "kworker/R-kvfre") | .pid')" = '' ]
}

@test "processes -f state: of the first thread of each, and threads of others that it may mean" {
	local dump=$BUILD/samples/6.12-faults

	says 'warning: state is that of the first thread: 1 process in another one has 3 threads in state D: memowner stuck -a -f state=D' "$dump" memowner processes -f state=D
	says 'warning: state is that of the first thread of a process: memowner faults has that of each' "$dump" memowner processes -X state=S
	# No process has a thread in it.
	silent 'the first thread' "$STOCK" memowner processes -f state=D
	silent 'the first thread' "$dump" memowner processes -f comm=stuck
}

@test "stuck -a: threads that are not stuck have a row, and what each does, in words and by its stack" {
	local dump=$BUILD/samples/6.12-faults

	says 'COMM     PID  S  DOES' "$dump" memowner stuck -a -f comm='cpuhp/*' -o comm,pid,state,does
	says 'cpuhp/0   19  S  is asleep in smpboot_thread_fn' "$dump" memowner stuck -a -f comm='cpuhp/*' -o comm,pid,state,does
	[ "$(of "$dump" memowner stuck -a -n 0 -o +stack | grep -c '    smpboot_thread_fn')" -gt 2 ]
}

@test "protocols, states and file systems in any case" {
	of "$STOCK" memowner sockets -f protocol=TCP -j > "$BATS_TEST_TMPDIR/upper"
	of "$STOCK" memowner sockets -f protocol=tcp -j | jq -s 'map(select(.record == "row"))' | cmp - <(jq -s 'map(select(.record == "row"))' "$BATS_TEST_TMPDIR/upper")
	[ "$(grep -c '"record":"row"' "$BATS_TEST_TMPDIR/upper")" -gt 5 ]
	says 'filters kept 24 of 94 sockets' "$STOCK" memowner sockets -f state=LISTEN
	says 'filters kept 48 of 58 rows' "$STOCK" memowner shrinkers -f flags=memcg_aware
	says 'filters kept 1 of 58 rows' "$STOCK" memowner shrinkers -f flags=nonslab
	# Groups have those that have nothing too.
	says 'filters kept 11 of 58 shrinkers' "$STOCK" memowner shrinkers -f fs_type=tmpfs
	[ "$(of "$STOCK" memowner shrinkers -g fs -f fs_type=tmpfs -j | jq -r 'select(.record == "row") | .shrinkers')" = 11 ]
	[ "$(of "$STOCK" memowner shrinkers -g fs -j | jq -s 'map(select(.record == "row") | .shrinkers) | add')" = 58 ]
	# A group that is last because its sum is unknown is not told as a small one.
	says '... 28 more groups, of 1 of which objects is unknown (-n 0 shows all)' "$STOCK" memowner shrinkers -g fs -n 3
	says "warning: -f used_by=none: nothing that was read has it; '-' is what has none" "$STOCK" memowner files -f used_by=none
	says 'filters kept 108 of 112 files' "$STOCK" memowner files -f fs=TMPFS
	# systemd mounts it with nr_inodes=800k; since 6.6 what is left is in bytes.
	says '/run   818801' "$STOCK" memowner filesystems -f max_inodes=819200 -o mount,free_inodes
}

# proposes DUMP NOUN WORD KEY FILTER: the refusal of the word names the key and how it is typed, and the filter keeps a row
proposes() {
	local line

	line=$(of "$1" memowner "$2" "$3" || true)
	grep -q -F -e "memowner: memowner $2 takes no argument: '$3'; -f " <<< "$line"
	grep -q -F -e "=${5#*=} keeps what has it" <<< "$line" || { echo "$line"; false; }
	grep -q -w -e "$4" <<< "${line##*; -f}" || { echo "$line: no $4"; false; }
	[ "$(of "$1" memowner "$2" -f "$5" -j | jq -s 'map(select(.record == "row")) | length > 0')" = true ]
}

@test "what an argument can have been meant for: each key that may have it, and a filter that keeps what has it" {
	proposes "$STOCK" files /dev/zero file 'file=*/dev/zero*'
	proposes "$STOCK" files ext4 fs_type 'fs_type=*ext4*'
	proposes "$STOCK" vmalloc zram module 'module=*zram*'
	proposes "$STOCK" log oom report report=oom
	proposes "$STOCK" cgroups postgres memcg 'memcg=*postgres*'
	proposes "$STOCK" sockets UNIX protocol 'protocol=*UNIX*'
	proposes "$STOCK" pages SLAB class class=slab
	proposes "$STOCK" processes 1 pid pid=1
	proposes "$OOM" caches dentry cache 'cache=*dentry*'
	proposes "$OOM" objects dentry cache 'cache=*dentry*'
	# pages has no pid, and a path is no name of a file system.
	[ "$(of "$OOM" memowner pages 123)" = "memowner: memowner pages takes no argument: '123'" ]
	[[ "$(of "$STOCK" memowner files /dev/zero)" = *', KEY is file, mount, dir or memcg' ]]
}

@test "no list of names is cut without a word; a misspelt column, of a filter too, has the nearest" {
	local line n

	line=$(of "$OOM" memowner cgroups -o xyz || true)
	n=$(wc -w <<< "${line##*known are: }")
	[[ "$line" = *' ... and '*' more (-o help)' ]]
	# Behind the names stand "... and N more (-o help)".
	[ "$((n - 6 + $(sed 's/.* and \([0-9]*\) more .*/\1/' <<< "$line")))" = "$(of "$OOM" memowner cgroups -o help | grep -c '^[a-z]')" ]
	[[ "$(of "$OOM" memowner cgroups -o differenc_pages || true)" = *', the nearest is difference_pages, known are: '* ]]
	[[ "$(of "$OOM" memowner cgroups -f differenc_pages=1 || true)" = *', the nearest is difference_pages, known are: memcg memcg_state usage_bytes, and columns of -o help' ]]
	[[ "$(of "$OOM" memowner caches -s slak || true)" = *', the nearest is SLACK, known are: '* ]]
	[[ "$(of "$OOM" pageowner -g clas || true)" = *', the nearest is class, known are: '* ]]
}

@test "fragmentation -f node and zone: of all tables; other keys say that they are of pages; blocks of one page have no near ones" {
	local where

	for where in 'node=1 1 DMA32' 'zone=DMA 0 DMA'; do
		read -r filter node zone <<< "$where"
		of "$STOCK" memowner fragmentation -f "$filter" -j > "$BATS_TEST_TMPDIR/rows"
		[ "$(jq -r 'select(.record == "row" or .record == "type") | "\(.node) \(.zone)"' "$BATS_TEST_TMPDIR/rows" | sort -u)" = "$node $zone" ]
		[ "$(jq -r 'select(.record == "summary") | .warnings[]' "$BATS_TEST_TMPDIR/rows" | grep -c 'is of unmovable')" = 0 ]
	done
	# The sentence is the sum of the rows that are there.
	of "$STOCK" memowner fragmentation 4 -f node=1 > "$BATS_TEST_TMPDIR/text"
	grep -q '^order 4: 31 free, 1881 more if pages were moved, 59 more if reclaimable pages were freed as well; 1098 have an unmovable page$' "$BATS_TEST_TMPDIR/text"
	says 'warning: -f class is of unmovable and reclaimable pages: what is told of orders and of pageblocks is of all pages' \
		"$STOCK" memowner fragmentation 4 -f node=1 -f class=slab
	says 'filters kept 18 of 33 rows' "$STOCK" memowner fragmentation 4 -f blocks=1..
	silent 'one allocation keeps' "$STOCK" memowner fragmentation 0
}

@test "a value as it is printed selects the row that printed it: sizes, times, rates, stamps, max" {
	# selects DUMP COLUMN COMMAND...: each value of the column in text, as a filter, keeps rows, and all of them have it
	selects() {
		local value values

		values=$(of "$1" "${@:3}" -n 5 -o "$2" | sed -n '2,6p' | tr -d ' ' | sort -u)
		[ -n "$values" ]
		for value in $values; do
			[ "$value" != - ] || continue
			[ "$(of "$1" "${@:3}" -n 0 -f "$2=$value" -o "$2" | sed -n '2,/^[^ 0-9m]/p' | grep -E '^ *([0-9.]+[A-Za-z]*|max)$' | tr -d ' ' | sort -u)" = "$value" ] ||
				{ echo "$* $value"; of "$1" "${@:3}" -n 0 -f "$2=$value" -o "$2"; false; }
		done
	}

	selects "$STOCK" rss memowner processes
	selects "$STOCK" anon memowner cgroups
	selects "$STOCK" max memowner cgroups
	selects "$OOM" oldest pageowner -g caller
	selects "$OOM" youngest pageowner -g caller
	selects "$OOM" rate faults
	selects "$OOM" size memowner vmalloc
	selects "$OOM" size allocprof
	[ "$(of "$STOCK" memowner processes -f rss_bytes=190.3M -j | jq -s 'map(select(.record == "row")) | length')" = 1 ]
	[ "$(of "$STOCK" memowner processes -f rss_bytes=190.3M.. -j | jq -s 'map(select(.record == "row")) | length')" = 1 ]
}

@test "the largest order is that of the kernel of the dump, whatever was typed" {
	says "memowner: an order is a number from 0 to 10, not 'DMA'; zones, nodes and migrate types are all told without it" "$STOCK" memowner zones DMA
	says "memowner: an order is a number from 0 to 10, not '11'" "$STOCK" memowner zones 11
	says "memowner: an order is a number from 0 to 10, not '11'" "$STOCK" memowner fragmentation 11
}

@test "each warning stands once" {
	local view

	for view in pages classes 'pages -g cache' caches files objects fragmentation 'fragmentation 4 -g class' vmalloc processes; do
		# shellcheck disable=SC2086
		[ "$(of "$HOLED" memowner $view | grep '^warning: ' | sort | uniq -d)" = '' ] || { echo "$view"; false; }
	done
}

@test "a second key behind a comma is refused; objects -g site has its column" {
	says "memowner: 'swap=1M..' would be a value of rss: another key is another -f" "$STOCK" memowner processes -f rss=5M..,swap=1M..
	says "memowner: 'SWAP=1' would be a value of comm: another key is another -X" "$STOCK" memowner processes -X comm=a,SWAP=1
	says 'memowner: life is a column of groups: it needs -g' "$STOCK" memowner processes -f life=1min..
	says 'memowner: order is no key of -g here, known are: block_migratetype node zone memcg class cache file mapper holder' "$STOCK" memowner pages -g order
	# A share of what MemTotal and reserved memory are together, as other views have it; of the root none is known.
	[ "$(of "$STOCK" memowner cgroups -n 0 -o memcg,usage_bytes,ram_percent -j | jq -s '(98168 * 4096) as $ram |
		map(select(.record == "row") | (.usage_bytes == null) == (.ram_percent == null) and (.ram_percent == null or ((.usage_bytes * 100 / $ram - .ram_percent) | fabs) < 0.0501)) | [length > 30, all]' -c)" = '[true,true]' ]
	[ "$(of "$STOCK" memowner cgroups -n 1 -o +ram_percent | head -n 1 | tr -s ' ' '\n' | grep -c -x RAM%)" = 1 ]
	# What a cgroup is made for is a key of processes and cgroups.
	says "memowner: unknown group 'container', memcg is the path of a service or container, known are: block_migratetype node zone memcg class cache file mapper holder" "$STOCK" memowner pages -g container
	[ "$(of "$STOCK" memowner processes -f 'service=ssh*' -j | jq -s 'map(select(.record == "row").comm | startswith("sshd")) | length > 0 and all')" = true ]
	[[ "$(of "$STOCK" memowner sockets -g service)" = "memowner: unknown group 'service', known are: "* ]]
	# As many keys as pages has.
	for keys in class class,memcg,mapper,file,cache,node,zone,block_migratetype,holder; do
		of "$STOCK" memowner pages -g "$keys" -n 0 -j | jq -s 'map(select(.record == "row").pages) | add'
	done | uniq -c | grep -q -E '^ *2 [1-9]'
	says 'memowner: -g caller needs page_owner: this kernel was built without page_owner (CONFIG_PAGE_OWNER); -g class and -g cache answer without, and memowner holders' "$STOCK" memowner fragmentation 4 -g caller
	# What is no key may be a part of a name.
	silent 'another' "$STOCK" memowner files -f 'file=/x,a=b'
	[ "$(of "$STOCK" memowner objects -g site | head -n 1 | tr -s ' ')" = 'RANK OBJECTS SIZE SITE' ]
}

@test "-X tells what it keeps as unknown; a list that names some of its users is no answer on the others" {
	says 'warning: owner is unknown of 69,789 pages, which -X keeps' "$HOLED" pageowner -X owner=dead -g comm
	of "$HOLED" pageowner -X owner=dead -g comm -j | tail -n 1 | jq -e '.complete == false'
	silent 'which -X keeps' "$OOM" pageowner -X owner=dead
	of "$HOLED" memowner files -f 'used_by=nosuch' > "$BATS_TEST_TMPDIR/text"
	grep -q -E '^warning: -f used_by=nosuch: nothing that is known has it' "$BATS_TEST_TMPDIR/text"
	grep -q -E '^warning: used_by is (unknown|not known in full) of [0-9]+ files, which -f leaves out$' "$BATS_TEST_TMPDIR/text"
	grep -q -E '^warning: used_by is (unknown|not known in full) of [0-9]+ files, which -X keeps$' <(of "$HOLED" memowner files -X used_by=nosuch)
}

@test "what is looked up with an option or a key alone is refused without it" {
	says 'memowner: -f node needs -g node' "$STOCK" memowner caches -f node=1
	says 'memowner: -s node needs -g node' "$STOCK" memowner caches -s node
	says 'memowner: -f mm_holders needs -a' "$STOCK" memowner processes -f 'mm_holders=*kswapd*'
	says 'memowner: -X unknown_users needs -a' "$STOCK" memowner processes -X unknown_users=1..
	says 'memowner: -f confidence needs -g holder' "$STOCK" memowner pages -f confidence=1..
	says 'pageowner: -s drift_pages needs -k' "$OOM" pageowner -s drift_pages
	[ "$(of "$STOCK" memowner caches -g node -f node=1 -n 1 | grep -c needs)" = 0 ]
	[ "$(of "$STOCK" memowner processes -a -f unknown_users=0.. | grep -c needs)" = 0 ]
}

@test "a filter that nothing meets names where it can be: paths below, threads, the column of all users; ~ is a mark" {
	of "$STOCK" memowner processes -f cgroup=/system.slice > "$BATS_TEST_TMPDIR/text"
	grep -q -x -F "warning: -f cgroup=/system.slice: nothing that was read has it; '/system.slice/*' is what is below it" "$BATS_TEST_TMPDIR/text"
	says 'warning: rows are processes with memory of their own: threads, zombies and those of the kernel are in faults' "$STOCK" memowner processes -f 'comm=kworker*'
	says 'warning: process is of a file that one process alone has, as 1(init): used_by has all of them' "$STOCK" memowner files -f process=postgres
	silent 'threads, zombies' "$STOCK" memowner processes -f comm=postgres
	# Zombies have no memory of their own; a state that a process has is no reason for the sentence.
	says 'warning: rows are processes with memory of their own: threads, zombies and those of the kernel are in faults' "$STOCK" memowner processes -f state=Z
	silent 'threads, zombies' "$STOCK" memowner processes -f state=S
	of "$OOM" memowner pages -g holder -n 0 | grep -o -E '~[a-z_]+' | head -n 1 > "$BATS_TEST_TMPDIR/holder"
	[ -s "$BATS_TEST_TMPDIR/holder" ]
	[ "$(of "$OOM" memowner pages -g holder -f "holder=$(< "$BATS_TEST_TMPDIR/holder")" -j | jq -s 'map(select(.record == "row")) | length')" = 1 ]
}

# Rows of files that a process uses, of all rows as JSON has them.
uses() {	# DUMP PROCESS
	of "$1" memowner files -j -n 0 | jq -r --arg who "$2" 'select(.record == "row" and ((.used_by // "") | split(", ") | index($who))) | .file' | sort
}

@test "each user of a file is known: all of them in JSON, in a pipe and to filters; a terminal counts those without room" {
	local last

	# libc has tens of users: the last one of them as well as the first.
	last=$(of "$STOCK" memowner files -j -n 0 -f 'file=*/libc.so.6' | jq -r 'select(.record == "row") | .used_by' | sed 's/.*, //')
	[[ "$last" =~ ^[0-9]+\(.*\)$ ]]
	[ "$(uses "$STOCK" "$last" | wc -l)" -ge 2 ]
	for word in "$last" "${last%%(*}"; do
		diff <(uses "$STOCK" "$last") <(of "$STOCK" memowner files -j -f "used_by=$word" | jq -r 'select(.record == "row").file' | sort)
		silent '/libc.so.6' "$STOCK" memowner files -j -X "used_by=$word"
	done
	[ "$(of "$STOCK" memowner files -f used_by=memcached -j | jq -r 'select(.record == "row").file' | grep -c '/libc.so.6$')" = 1 ]
	has_no_line -E ' and [0-9]+ more' <(of "$STOCK" memowner files -n 0; of "$STOCK" memowner files -j)
	says "warning: -f used_by=memcache: nothing that was read has it; the nearest is 'memcached', '*memcache*' is what has it in its name" "$STOCK" memowner files -f used_by=memcache
	on_screen 130 --vmlinux "$STOCK/vmlinux" "$STOCK/vmcore" memowner files -n 8 > "$BATS_TEST_TMPDIR/text"
	grep -q -E ' and [0-9]+ more ' "$BATS_TEST_TMPDIR/text"
	grep -q -E '\(systemd\) [+][0-9]+ ' <(on_screen 80 --vmlinux "$STOCK/vmlinux" "$STOCK/vmcore" memowner files -n 8)
}

@test "cgroups -f tgid= and comm= ask every process of a cgroup and of those below it" {
	of "$STOCK" memowner processes -j | jq -r 'select(.record == "row" and (.memcg | length > 1) and .comm) | "\(.pid)\t\(.comm)\t\(.memcg)"' > "$BATS_TEST_TMPDIR/processes"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/processes")" -gt 20 ]
	while IFS=$'\t' read -r pid comm cgroup; do
		of "$STOCK" memowner cgroups -f "tgid=$pid" -j | jq -r 'select(.record == "row").memcg' > "$BATS_TEST_TMPDIR/rows"
		# Its own and those above, to the root.
		[ "$(wc -l < "$BATS_TEST_TMPDIR/rows")" = "$(tr -dc / <<< "$cgroup" | wc -c | awk '{ print $1 + 1 }')" ] || { echo "$pid $cgroup"; cat "$BATS_TEST_TMPDIR/rows"; false; }
		grep -q -x -F -e "$cgroup" "$BATS_TEST_TMPDIR/rows"
		[ "$(of "$STOCK" memowner cgroups -X "comm=$comm" -j | jq -r 'select(.record == "row").memcg' | grep -c -x -F -e "$cgroup")" = 0 ]
	done < <(tail -n 4 "$BATS_TEST_TMPDIR/processes")
	says "warning: -f comm=Kthreadd: nothing that was read has it; the nearest is 'kthreadd'" "$STOCK" memowner cgroups -f comm=Kthreadd
}

@test "pages -f mapper= finds a process among several that map a page: as many as its rss has, without the vDSO" {
	local rss pages

	rss=$(of "$STOCK" memowner processes -f comm=sshd -j | jq -r 'select(.record == "row") | "\(.pid) \(.rss_file_bytes + .rss_anon_bytes + .rss_shmem_bytes)"' | head -n 1)
	for word in "${rss% *}" "${rss% *}(sshd)"; do
		pages=$(of "$STOCK" memowner pages -f "mapper=$word" -g class -j | jq -s 'map(select(.record == "row" and (.class | IN("anon", "file", "shmem"))).bytes) | add')
		# rss has the pages of the vDSO as well, which are of the kernel.
		pages=$(((${rss#* } - pages) / 4096))
		[[ "$pages" = [012] ]] || { echo "$word: $pages pages fewer than rss $rss"; false; }
	done
	# What a row has as its name selects it all the same.
	[ "$(of "$STOCK" memowner pages -f 'mapper=3 processes' -g mapper -j | jq -r 'select(.record == "row").mapper')" = '3 processes' ]
	[ "$(of "$STOCK" memowner pages -X mapper=postgres -g mapper -j | jq -r 'select(.record == "row").mapper' | grep -c postgres)" = 0 ]
	says "warning: -f mapper=sshx: nothing that was read has it; the nearest is 'sshd'" "$STOCK" memowner pages -f mapper=sshx
}

@test "a word that is no argument, a pattern in another case: what is meant is proposed" {
	says "memowner: an order is a number from 0 to 10, not 'normal'; zones, nodes and migrate types are all told without it" "$STOCK" memowner zones normal
	says "memowner: an order is a number from 0 to 10, not 'movable'; -f block_migratetype=Movable keeps what has it" "$STOCK" memowner fragmentation movable
	says "memowner: an order is a number from 0 to 10, not 'dma32'; -f zone=DMA32 keeps what has it" "$STOCK" memowner fragmentation dma32
	says "memowner: memowner classes takes no argument: 'Slab'; memowner pages -f class=slab keeps what has it" "$STOCK" memowner classes Slab
	says "memowner: memowner cgroups takes no argument: '300'; -f tgid=300 keeps what has it" "$STOCK" memowner cgroups 300
	says "memowner: memowner files takes no argument: '300'; -f used_by=300 keeps what has it" "$STOCK" memowner files 300
	says "memowner: memowner files takes no argument: 'sshd'; -f KEY=*sshd* keeps what has it, KEY is file, mount, dir, process, used_by, memcg, most_memcg or fs_type" "$STOCK" memowner files sshd
	says "memowner: memowner log takes no argument: 'OOM'; -f report=oom keeps what has it" "$STOCK" memowner log OOM
	says "memowner: unknown filter 'serve', the nearest is service, known are: pid comm uid ppid executable memcg cgroup service container oom_state process_bytes rss_bytes locked_bytes, and columns of -g comm -o help" "$STOCK" memowner processes -g memcg -f serve=1
	says "warning: -f comm=*Systemd*: nothing that was read has it; the nearest is 'systemd'" "$STOCK" memowner processes -f 'comm=*Systemd*'
	says "warning: -f file=*LIBC.so*: nothing that was read has it; the nearest is '/usr/lib/x86_64-linux-gnu/libc.so.6'" "$STOCK" memowner files -f 'file=*LIBC.so*'
	says "warning: -f cache=DENTRY: nothing that was read has it; the nearest is 'dentry'" "$STOCK" memowner caches -f cache=DENTRY
	says "warning: -f comm=Systemd: nothing that was read has it; the nearest is 'systemd'" "$STOCK" memowner processes -f comm=Systemd
}

@test "users of rows: pid= and comm= are told where they are, '-' is no user at all, a process alone by its name" {
	says "memowner: unknown filter 'pid', used_by takes the pid or the name of a process, known are: protocol family socket_state local_address remote_address used_by peer_used_by bytes, and columns of -o help" "$STOCK" memowner sockets -f pid=1
	[[ "$(of "$STOCK" memowner files -f comm=sshd)" = "memowner: unknown filter 'comm', used_by takes the pid or the name of a process, known are: "* ]]
	[[ "$(of "$STOCK" memowner cgroups -f pid=1)" = "memowner: unknown filter 'pid', tgid takes the pid of a process, known are: "* ]]
	of "$STOCK" memowner files -n 0 -j | jq -r 'select(.record == "row" and .used_by == "").file' | sort > "$BATS_TEST_TMPDIR/none"
	[ -s "$BATS_TEST_TMPDIR/none" ]
	diff "$BATS_TEST_TMPDIR/none" <(of "$STOCK" memowner files -f used_by=- -j | jq -r 'select(.record == "row").file' | sort)
	[ "$(of "$STOCK" memowner files -X used_by=- -j | jq -r 'select(.record == "row").used_by' | grep -c -x '')" = 0 ]
	[ "$(of "$STOCK" memowner files -f process=systemd-journal -j | jq -r 'select(.record == "row").used_by' | sort -u | grep -c '^[0-9]*(systemd-journal)$')" = 1 ]
}

@test "each word of a list that nothing has is told as one alone is; so are the notes on where it can be" {
	says "warning: -f comm=nginxx: nothing that was read has it; the nearest is 'nginx'" "$STOCK" memowner processes -f comm=postgres,nginxx
	says "warning: -f cache=inode_cachex: nothing that was read has it; the nearest is 'inode_cache'" "$STOCK" memowner caches -f cache=dentry,inode_cachex
	says "warning: -X cache=dentri: nothing that was read has it; the nearest is 'dentry'" "$STOCK" memowner caches -X cache=inode_cache,dentri
	says "warning: -f pid=999: nothing that was read has it; it is from 1 to 626" "$STOCK" memowner processes -f pid=550,999
	says "warning: -f file=/run/guest.cgfile: nothing that was read has it; the nearest is '/run/guest.cgfiles'" "$STOCK" memowner files -f file=/dev/zero*,/run/guest.cgfiles,/run/guest.cgfile
	says "warning: -f used_by=memcache: nothing that was read has it; the nearest is 'memcached', '*memcache*' is what has it in its name" "$STOCK" memowner files -f used_by=memcached,memcache
	says 'warning: rows are processes with memory of their own: threads, zombies and those of the kernel are in faults' "$STOCK" memowner processes -f 'comm=postgres,kworker*'
	says 'warning: class buddy is of pages that are not in use: memowner classes has them' "$OOM" memowner pages -f class=slab,buddy
	says 'warning: -f badness=67: nothing that was read has it; it is from -103241 to 119530; a comma is between values: 67451 is one' "$STOCK" memowner processes -f badness=67,451
	# What is in the same row as another is asked as well.
	of "$STOCK" memowner cgroups -f comm=nginx,postgres,pgbench -f memcg=/ > "$BATS_TEST_TMPDIR/text"
	of "$STOCK" memowner caches -f orders=0,1,2,3 >> "$BATS_TEST_TMPDIR/text"
	refute grep 'nothing that' "$BATS_TEST_TMPDIR/text"
}

@test "a value as it is printed has commas and brackets: of a mount, of a list, of a kernel thread" {
	local value

	[ "$(of "$STOCK" memowner files -f 'mount=[tmpfs, not mounted]' -o +mount -j | jq -r 'select(.record == "row").mount' | sort -u)" = '[tmpfs, not mounted]' ]
	[ "$(of "$STOCK" memowner files -X 'mount=[tmpfs, not mounted]' -o +mount -j | jq -r 'select(.record == "row").mount' | grep -c tmpfs)" = 0 ]
	[ "$(of "$STOCK" memowner files -f 'mount=[tmpfs\, not*],/run' -o +mount -j | jq -r 'select(.record == "row").mount' | sort -u | tr '\n' ' ')" = '/run [tmpfs, not mounted] ' ]
	value=$(of "$STOCK" memowner cgroups -j | jq -r 'select(.record == "row").cause // empty' | grep , | head -n 1)
	[ "$(of "$STOCK" memowner cgroups -f "cause=$value" -j | jq -r 'select(.record == "row").cause' | sort -u)" = "$value" ]
	value=$(of "$STOCK" memowner caches -j | jq -r 'select(.record == "row").alias_names // empty' | grep , | head -n 1)
	[ "$(of "$STOCK" memowner caches -f "alias_names=$value" -j | jq -r 'select(.record == "row").alias_names')" = "$value" ]
	of "$STOCK" memowner files -f 'used_by=1(systemd), 189(systemd-journal)' > "$BATS_TEST_TMPDIR/text"
	refute grep 'nothing that' "$BATS_TEST_TMPDIR/text"
	for value in '[kthreadd]' kthreadd '[kthr*'; do
		[ "$(of "$STOCK" faults -f "comm=$value" -j | jq -r 'select(.record == "row").comm')" = kthreadd ]
	done
	[ "$(of "$STOCK" faults -f 'comm=[kworker*' -g comm -j | jq -r 'select(.record == "row").comm' | grep -c '^kworker/')" -gt 5 ]
}

@test "what has the value all the same is named: pages not in use, files without pages, what an address is in" {
	local address

	of "$STOCK" memowner vmalloc -g address -s space_bytes -n 1 -o address,space_bytes -j | jq -r 'select(.record == "row") | "\(.address) \(.space_bytes)"' > "$BATS_TEST_TMPDIR/area"
	read -r address size < "$BATS_TEST_TMPDIR/area"
	for at in 0 8 $((size - 1)); do
		[ "$(of "$STOCK" memowner vmalloc -f "address=$(printf '%#x' $((address + at)))" -j | jq -r 'select(.record == "row").address')" = "$address" ]
	done
	says "warning: module is that of the caller: memory that modules themselves are in is of kind exec" "$STOCK" memowner vmalloc -f module=kvm
	silent 'module is that' "$STOCK" memowner vmalloc -f module=zram
	address=$(of "$STOCK" memowner caches -f cache=dentry -o address | sed -n 2p | tr -d ' ')
	address=$(printf '%#x' $((address + 8)))
	of "$STOCK" memowner caches -f "address=$address" > "$BATS_TEST_TMPDIR/text"
	grep -q -E "^warning: -f address=$address: nothing that was read has it; it is from 0x[0-9a-f]* to 0x[0-9a-f]*; memowner $address tells what it is in\$" "$BATS_TEST_TMPDIR/text"
	of "$STOCK" memowner "$address" > "$BATS_TEST_TMPDIR/text"
	grep -q kmem_cache "$BATS_TEST_TMPDIR/text"
	says 'warning: pages here are those in use: memowner ADDR, as pfn:1000, has any page' "$STOCK" memowner pages -f pfn=1000
	says 'warning: not every page is in this view: memowner ADDR, as pfn:1000, has any page' "$OOM" pageowner -f phys=0
	silent 'those in use:' "$STOCK" memowner pages -X pfn=1000
	says 'warning: rows are allocations, by their first page, which none of these is: -a has each page' "$OOM" pageowner -t list -f "pfn=$(($(of "$OOM" pageowner -t list -f order=3 -n 1 -j | jq 'select(.record == "row").pfn') + 3))"
	silent 'by their first page' "$OOM" pageowner -t list -f order=3 -n 1
	says 'warning: rows are files with pages in memory or in swap: one without has no row' "$STOCK" memowner files -f used_by=514
	says 'warning: rows are files with pages in memory or in swap: one without has no row' "$STOCK" memowner files -g dir -f file=/nosuch
	silent 'has no row' "$STOCK" memowner files -f used_by=1
}

@test "a name in brackets, as ps has it of a kernel thread, is that name in every view" {
	local view pid

	pid=$(of "$STOCK" faults -f comm=kswapd0 -j | jq -r 'select(.record == "row").pid')
	[ "$pid" -gt 1 ]
	for view in 'memowner stuck -a' faults; do
		[ "$(of "$STOCK" $view -f 'comm=[kswapd0]' -j | jq -r 'select(.record == "row").pid')" = "$pid" ]
		of "$STOCK" $view -f 'comm=[kswapd9]' | grep -q "the nearest is '\[\?kswapd0\]\?'"
	done
	# A set of signs is one where something is beside it; one of two signs is one.
	of "$STOCK" faults -f 'comm=[jk]swapd0' | grep -q '^filters kept 1 of'
	[ "$(of "$OOM" pageowner -g comm -f 'comm=[kworker/u17:1]' -j | jq -r 'select(.record == "row").comm')" = kworker/u17:1 ]
}

@test "a folder between slashes is a regular expression: told where paths elsewhere meet it" {
	says "warning: -f file=/dev/: between slashes it is a regular expression, which '/run/udev/data/+acpi:LNXCPU:01' meets too; '/dev' is the path, '/dev/*' what is below it" \
		"$STOCK" memowner files -f file=/dev/
	has_no_line 'between slashes' <(of "$STOCK" memowner files -f file=/dev/shm/)
	has_no_line 'between slashes' <(of "$STOCK" memowner files -f 'file=/^.dev/')
	# Where nothing is of that folder, too; a mount point is what has the path, and what is not mounted has none.
	says "warning: -f mount=/tmp/: between slashes it is a regular expression, which '[tmpfs, not mounted]' meets; '/tmp' is the path, '/tmp/*' what is below it" \
		"$STOCK" memowner files -f mount=/tmp/ -g fs
	silent 'between slashes' "$STOCK" memowner files -f mount=/run/ -g fs
	# Names of threads are no paths.
	silent 'between slashes' "$STOCK" memowner processes -f comm=/postgres/
}

@test "pressure -f resource: where no line is of it, what lines are of" {
	says 'the lines of this dump are of memory, io, cpu' "$STOCK" memowner pressure -f resource=irq
	has_no_line 'lines of this dump' <(of "$STOCK" memowner pressure -f resource=cpu)
}

@test "nouns are found by words of /proc and of other tools, caches by what they were called" {
	local word

	while read -r word noun; do
		[ "$(of "$STOCK" "$word")" = "memowner: $word: no such command; the nearest is $noun, and no such file" ] || { of "$STOCK" "$word"; false; }
		[[ "$(of "$STOCK" memowner "$word")" = "memowner: '$word' is no address and no view, the nearest is $noun, views are: "* ]]
	done <<< $'slab caches\nswap pools\nOOM log\nprocs processes\nbuddyinfo zones\nfilez files'
	says "warning: -f cache=kmalloc-2048: nothing that was read has it; the nearest is 'kmalloc-2k'" "$STOCK" memowner caches -f cache=kmalloc-2048
	says "warning: -f cache=inode: nothing that was read has it; the nearest is 'inode_cache', '*inode*' is what has it in its name" "$STOCK" memowner caches -f cache=inode
}

@test "a round limit of a range of times is exact: no row below it, and the two halves are the whole" {
	kept() {
		of "$OOM" pageowner -g age -f "age=$1" | sed -n 's/^filters kept \([0-9,]*\) of .*/\1/p' | tr -d ,
	}

	[ "$(($(kept ..100ms) + $(kept 100ms..)))" = 59987 ]
	[ "$(of "$OOM" pageowner -g age -f age=100ms..1s -j | jq -r 'select(.record == "row").age')" = 100ms-1s ]
}

@test "values as a sentence has them, a name within a path, the user of a process: the nearest" {
	says "warning: -f function=leaky_rx_refill [leaky]: nothing that was read has it; the nearest is 'leaky_rx_refill'" "$OOM" allocprof -f 'function=leaky_rx_refill [leaky]'
	says "warning: -f comm=nic-poll (101): nothing that was read has it; the nearest is 'nic-poll'" "$OOM" pageowner -g comm -f 'comm=nic-poll (101)'
	[[ "$(of "$OOM" allocprof -P 'leaky_rx_refill [leaky]' || true)" = *"no call site 'leaky_rx_refill [leaky]'; the nearest is 'leaky_rx_refill'"* ]]
	says "warning: -f cgroup=system.slice: nothing that was read has it; '*/system.slice/*' is what is below it" "$STOCK" memowner processes -f cgroup=system.slice
	[ "$(of "$STOCK" memowner processes -f 'cgroup=*/system.slice/*' -j | grep -c '"record":"row"')" = 42 ]
	says "warning: -f cgroup=postgres: nothing that was read has it; -f comm=postgres keeps what has it there; the nearest is '/system.slice/system-postgresql.slice/postgresql@17-main.service'" "$STOCK" memowner processes -f cgroup=postgres
	says 'warning: -f fs=proc: nothing that was read has it; known are: ext4, tmpfs, devtmpfs; rows are file systems with a disk, or with a limit as tmpfs' "$STOCK" memowner filesystems -f fs=proc
	says 'warning: -f setting=kernel.hostname: nothing that was read has it; rows are some settings of vm.*, fs.*, kernel.*, net.* and of boot' "$STOCK" memowner case -f setting=kernel.hostname
	says "warning: -f memcg=system.slice: nothing that was read has it; the nearest is '/system.slice', '*system.slice*' is what has it in its name" "$STOCK" memowner cgroups -f memcg=system.slice
	# Paths as a container, the mount of cgroups and /proc/PID/cgroup have them.
	local path
	for path in /../cron.service /sys/fs/cgroup/system.slice/cron.service 0::/system.slice/cron.service cron.service/; do
		says "warning: -f memcg=$path: nothing that was read has it; the nearest is '/system.slice/cron.service'" "$STOCK" memowner cgroups -f "memcg=$path"
	done
	[[ "$(of "$STOCK" memowner processes -f age=1h.. || true)" = "memowner: unknown filter 'age', known are: "* ]]
	[[ "$(of "$STOCK" memowner files -s name || true)" = "memowner: unknown sort key 'name', the nearest is file, "* ]]
	# Either word for a cgroup is the other where a view has one of the two.
	says "warning: -f cgroup=system.slice: nothing that was read has it; the nearest is '/system.slice', '*system.slice*' is what has it in its name" "$STOCK" memowner cgroups -f cgroup=system.slice
	diff <(of "$STOCK" memowner files -g cgroup) <(of "$STOCK" memowner files -g memcg)
	diff <(of "$STOCK" memowner pages -g cgroup -o cgroup,pages -j | grep -v '"meta"') <(of "$STOCK" memowner pages -g memcg -o memcg,pages -j | grep -v '"meta"')
	refute diff -q <(of "$STOCK" memowner processes -g cgroup -j) <(of "$STOCK" memowner processes -g memcg -j)
	says "memowner: -X comm=VALUE leaves out what -f keeps, and != is not known" "$STOCK" memowner processes -f comm!=x
	says "memowner: 'rss>10M': a filter is KEY=VALUE, a range KEY=FROM.. KEY=..TO or KEY=FROM..TO" "$STOCK" memowner processes -f 'rss>10M'
	says "memowner: memowner pages takes no argument: 'pfn:0x100'; memowner pfn:0x100 shows what it is" "$STOCK" memowner pages pfn:0x100
	[[ "$(of "$STOCK" memowner processes -f user=root || true)" = "memowner: unknown filter 'user', uid takes the number of a user, known are: "* ]]
}

@test "what is typed as other tools have it: how it is typed here" {
	local dump=$BUILD/samples/6.12-faults

	says 'warning: -f comm=systemd|postgres: nothing that was read has it; a comma is between values: comm=systemd,postgres' "$STOCK" memowner processes -f 'comm=systemd|postgres'
	says 'warning: -f comm=^post: nothing that was read has it; a regular expression stands between slashes, as in /^web|db$/' "$STOCK" memowner processes -f 'comm=^post'
	says 'warning: -f comm=/^post: nothing that was read has it; a regular expression stands between slashes, as in /^web|db$/' "$STOCK" memowner processes -f 'comm=/^post'
	says "warning: -f comm=/Systemd/: nothing that was read has it; the nearest is 'systemd'" "$STOCK" memowner processes -f comm=/Systemd/
	says 'warning: -f comm=postgres: nothing that the filters before it keep has it; known are: systemd; all filters must hold: -f comm=systemd,postgres keeps what has either' "$STOCK" memowner processes -f comm=systemd -f comm=postgres
	says 'warning: -f module=kernel: nothing that was read has it; -f dir=kernel keeps what has it there; known are: leaky, vmlinux' "$OOM" allocprof -f module=kernel
	[[ "$(of "$STOCK" memowner processes -f 'pid=1|2' || true)" = *", not '1|2'; a comma is between values" ]]
	[[ "$(of "$STOCK" memowner processes -f rss=5M-8M || true)" = *", not '5M-8M'; a range is FROM.., ..TO or FROM..TO" ]]
	[[ "$(of "$STOCK" memowner sockets -f port=22 || true)" = "memowner: unknown filter 'port', local_address and remote_address take a port as '*:22', "* ]]
	[[ "$(of "$STOCK" memowner sockets -f peer=x || true)" = "memowner: unknown filter 'peer', remote_address takes '192.0.2.1:*', peer_used_by a process, "* ]]
	for value in dentry, ,dentry dentry,,filp; do
		[ "$(of "$STOCK" memowner caches -f cache=$value || true)" = 'memowner: key cache: a comma is between values, and one of these is empty' ]
	done
	says "warning: -f local=22: nothing that was read has it; '*:22' is what has that port" "$STOCK" memowner sockets -f local=22
	says "warning: -f local=127.0.0.1: nothing that was read has it; '127.0.0.1:*' is what has that address" "$STOCK" memowner sockets -f local=127.0.0.1
	# Threads that have no row are told by their name in another case too.
	says "warning: -f comm=/CPUHP/: nothing that was read has it; in another case it is 'cpuhp/0'" "$dump" memowner stuck -f comm=/CPUHP/
	# What a list has behind a comma is no part of a name, of -o as of -f.
	diff <(of "$STOCK" memowner caches -n 3 -o 'cache, size' -s 'size, cache') <(of "$STOCK" memowner caches -n 3 -o cache,size -s size,cache)
	# A column that no row can have is none of these rows, and what asks for it is told when there is one.
	[ "$(of "$dump" faults -g comm | grep -c RATE)" = 0 ]
	[ "$(of "$dump" faults -g tgid | grep -c RATE)" = 1 ]
	[ "$(of "$dump" faults -g comm -s rate || true)" = 'faults: -s rate_milli needs -g tgid' ]
	[ "$(of "$dump" faults -g comm -f rate=1.. || true)" = 'faults: -f rate_milli needs -g tgid' ]
}

@test "what rows rest on by the columns that are shown chooses none: no filter depends on columns" {
	for view in 'memowner objects' 'memowner pages'; do
		for more in '' '-o +basis'; do
			[[ "$(of "$STOCK" $view -f basis=inferred $more || true)" = 'memowner: basis is a column, but no key of -f, known are: '* ]]
		done
	done
	[[ "$(of "$OOM" pageowner -f basis=recorded || true)" = 'pageowner: basis is a column, but no key of -f, known are: '* ]]
	# Of rows that rest on one thing, whatever is shown, it is one as any other.
	says 'filters kept 43 of 43 rows' "$STOCK" memowner processes -f basis=derived
}

@test "that filters kept all is told as well" {
	says 'filters kept 195 of 195 rows' "$STOCK" memowner caches -f inuse_objects=0..
	says 'filters kept 57,442 of 57,442 rows' "$OOM" pageowner -t list -n 1 -X gfp_mask=0xfffffffff
	says 'filters kept 2,200 of 57,442 rows' "$OOM" pageowner -t list -n 1 -f type=slab
	says 'filters kept 1 of 9 threads' "$BUILD/samples/6.12-faults" faults -b -f comm=swapin
}

@test "an address that is not mapped: what is, at this boot, and how an address of a process is typed" {
	local at='; at this boot the direct map is 0x[0-9a-f]*-0x[0-9a-f]*, the kernel 0x[0-9a-f]*-0x[0-9a-f]*'

	for address in ffffffff81234567 0xffff888003c00000; do
		of "$OOM" memowner "$address" | grep -q -x "warning: 0x${address#0x} is not mapped$at"
		of "$OOM" pageowner "virt:$address" | grep -q -x "warning: 0x${address#0x} is not mapped$at"
	done
	of "$OOM" pageowner virt:0x1234 | grep -q -x 'warning: 0x1234 is not mapped; an address of a process is user:PID:X'
}

@test "a word that is known, and that nothing has behind the filters before it" {
	local of='known are'

	of "$OOM" pageowner -f module=leaky -f class=anon | grep -q -x 'warning: -f class=anon: nothing that the filters before it keep has it; known are: .*direct.*'
	of "$OOM" pageowner -f tgid=101 -f owner=live | grep -q -x 'warning: -f owner=live: nothing that the filters before it keep has it; known are: dead'
	of "$OOM" faults -f comm=hungry -f state=D | grep -q -x 'warning: -f state=D: nothing that the filters before it keep has it; known are: R'
	of "$OOM" memowner files -f fs_type=tmpfs -f class=file | grep -q -x 'warning: -f class=file: nothing .* keep has it; known are: shmem'
	# To leave it out leaves all.
	says 'warning: -f state=D: nothing that was read has it; known are: S, I, R' "$OOM" faults -f state=D
	silent "$of" "$OOM" faults -X state=D
	silent "$of" "$OOM" pageowner -f module=leaky -X class=anon -g class
}

@test "of freed pages a row has the allocation, and filters ask the last free: it is told" {
	local told='of freed pages '

	of "$OOM" pageowner -t list -f state=free -f pid=33 -o pid,free_pid -j | jq -s -e '[.[] | select(.record == "row")] | length == 492 and all(.[]; .free_pid == 33 and .pid != 33)'
	of "$OOM" pageowner -t list -f state=free -f pid=33 -n 1 | grep -q "^${told}PID, COMM, TIME, HANDLE are of the allocation, filters by them, AGE, CALLER of the last free: -o +free_pid,free_ts_ns,free_handle$"
	of "$OOM" pageowner -f state=live,free -g pid -n 1 | grep -q "^${told}stacks, tasks, times and ages are of the last free$"
	silent "$told" "$OOM" pageowner -t folded -f state=free
	silent "$told" "$OOM" pageowner -g pid -n 1
}

@test "-g: what all of a group have is in its row, a sum of what has one; filters of members and of groups are told apart" {
	local one

	# The key of each group is a column of it.
	[ "$(of "$STOCK" memowner files -g most_memcg -j | jq -c 'select(.record == "row") | has("most_memcg")' | sort -u)" = true ]
	of "$STOCK" memowner files -g most_memcg -n 1 | grep -q -E '^FILES .* MOST_MEMCG$'
	for one in '' '-g comm'; do
		of "$STOCK" memowner processes $one -o locked_bytes -j | jq -s 'map(select(.record == "row").locked_bytes) | add'
	done > "$BATS_TEST_TMPDIR/locked"
	[ "$(uniq "$BATS_TEST_TMPDIR/locked" | wc -l)" = 1 ]
	refute grep -v '^[1-9]' "$BATS_TEST_TMPDIR/locked"
	one=$(of "$STOCK" memowner processes -g comm -o comm,processes,pid,uid,memcg -j)
	[ "$(jq -c 'select(.comm == "redis-server") | [.processes, .pid, .uid, .memcg]' <<< "$one")" = '[1,262,100,"/system.slice/redis-server.service"]' ]
	[ "$(jq -c 'select(.comm == "postgres") | [.processes > 1, .pid]' <<< "$one")" = '[true,null]' ]
	says 'filters kept 2 of 43 processes (rss), and of these 2 of 2 groups (swap)' "$STOCK" memowner processes -g comm -f rss=10M.. -f swap=0..
	says 'filters kept 3 of 112 files (fs), and of these 1 of 1 group (size)' "$STOCK" memowner files -g fs -f fs=ext4 -f size=0..
	grep -q -E '^filters kept [0-9]+ of [0-9]+ groups$' <(of "$STOCK" memowner processes -g comm -f swap=1M..)
	# What several map is in it once for each.
	one='^warning: RSS and its parts of [0-9]+ groups? count a page that processes share once for each that maps it: PSS counts it once'
	grep -q -E "$one" <(of "$STOCK" memowner processes -g comm)
	grep -q -E "$one" <(of "$STOCK" memowner processes -g comm -o comm,processes,anon,pss)
	# Without PSS it is not known.
	silent 'groups count a page' "$STOCK" memowner processes -g comm -o comm,processes,anon
	says 'warning: RSS and its parts of 8 groups may count a page that processes share once for each that maps it: PSS (-o +pss_bytes) has it once, memowner cgroups what is charged' "$STOCK" memowner processes -g comm -o comm,processes,anon
	silent 'may count a page' "$STOCK" memowner processes -g comm
	silent 'RSS and its parts' "$STOCK" memowner processes -g comm -o comm,processes,swap
	silent 'RSS and its parts' "$STOCK" memowner processes
	# What members alone have chooses these.
	[ "$(of "$STOCK" memowner processes -g comm -f state=R -j | jq -s 'map(select(.record == "row").processes) | add')" = \
		"$(of "$STOCK" memowner processes -f state=R -j | grep -c '"row"')" ]
}

@test "a word of a known set that no row has is told, with those that there are; a kind whose name others begin with, and these" {
	says 'warning: -f oom=skipped: nothing that was read has it; known are: eligible, unkillable' "$STOCK" memowner processes -f oom=skipped
	silent nothing "$STOCK" memowner processes -f oom=eligible,skipped
	silent nothing "$STOCK" memowner processes -X oom=skipped
	says 'warning: -f protocol=UNIX leaves out 44 sockets of UNIX-STREAM' "$STOCK" memowner sockets -f protocol=UNIX -g used_by
	says 'warning: -X protocol=unix keeps 44 sockets of UNIX-STREAM' "$STOCK" memowner sockets -X protocol=unix
	silent 'of UNIX-STREAM' "$STOCK" memowner sockets -f 'protocol=unix*' -g used_by
	silent 'of UNIX-STREAM' "$STOCK" memowner sockets -f protocol=unix,unix-stream
	says 'warning: -f family=inet leaves out 5 sockets of inet6' "$STOCK" memowner sockets -f family=inet -g socket_state
	says 'warning: -f cache=kmalloc-1k leaves out 2 caches for this size: kmalloc-cg-1k, kmalloc-rcl-1k' "$STOCK" memowner caches -f cache=kmalloc-1k
	says 'warning: -f cache=kmalloc-1k leaves out 1 cache for this size: kmalloc-cg-1k' "$STOCK" memowner objects -f cache=kmalloc-1k
	silent 'leaves out' "$STOCK" memowner objects -f 'cache=kmalloc-*'
	silent 'leaves out' "$STOCK" memowner caches -f cache=TCP
	# A number of flags is exact, in any case of its digits.
	of "$OOM" pageowner -f gfp=0xCC0 | grep -q -E '^warning: -f gfp=0xCC0 leaves out [0-9,]+ pages that have all flags of it and more: GFP_[A-Z_]+\|__GFP_'
	diff <(of "$OOM" pageowner -f gfp=0XCC0 -j | grep '"row"') <(of "$OOM" pageowner -f gfp=0xcc0 -j | grep '"row"')
}

@test "an order by what is the same in all rows is none, where it is not shown or not of all rows" {
	says 'warning: not sorted by oom_kills: all rows have the same' "$STOCK" memowner cgroups -s oom_kills -n 1 -o memcg
	says 'warning: not sorted by oom_kills: all rows have the same' "$STOCK" memowner cgroups -s oom_kills -n 1
	silent 'not sorted' "$STOCK" memowner cgroups -s oom_kills -n 0
	silent 'not sorted' "$STOCK" memowner processes -s rss -n 1 -o comm,pid
}

@test "-s: of rows that are not shown how many have as much as the last one that is" {
	local all ties threes

	all=$(of "$STOCK" memowner processes -s adj -r -n 0 -j | jq -r 'select(.record == "row").oom_score_adj')
	ties=$(grep -c -x -e "$(head -1 <<< "$all")" <<< "$all")
	[ "$ties" -gt 2 ]
	says "$((ties - 1)) of these have the same oom_score_adj as the last row" "$STOCK" memowner processes -s adj -r -n 1
	says "$((ties - 2)) of these $([ "$ties" = 3 ] && echo has || echo have) the same oom_score_adj as the last row" "$STOCK" memowner processes -s adj -r -n 2
	all=$(of "$STOCK" faults -s maj_flt -n 0 -j | jq -r 'select(.record == "row").maj_flt')
	threes=$(($(grep -c -x 3 <<< "$all") - 1))
	says "$threes of these $([ "$threes" = 1 ] && echo has || echo have) the same maj_flt as the last row" "$STOCK" faults -s maj_flt -n "$(grep -n -m 1 -x 3 <<< "$all" | cut -d : -f 1)"
	silent 'the same oom_score_adj' "$STOCK" memowner processes -s adj -r -n "$ties"
	# Nor where both have none at all, or another second key.
	silent 'as the last row' "$STOCK" memowner processes -s locked -n 1
	silent 'as the last row' "$STOCK" memowner processes -s adj,pid -r -n 1
}

@test "a path keeps itself alone: what is below it is told, where there is something that has the path, too" {
	says "warning: -f memcg=/system.slice leaves out 21,749 objects of these caches below it: '/system.slice/*'" "$STOCK" memowner objects -f memcg=/system.slice
	says "warning: -f memcg=/system.slice: nothing that was read has it; '/system.slice/*' is what is below it" "$STOCK" memowner pages -f memcg=/system.slice
	silent 'leaves out' "$STOCK" memowner pages -f memcg=/system.slice
	says "warning: -f memcg=/ leaves out 69,346 pages below it: '/*'" "$STOCK" memowner pages -f memcg=/
	says "warning: -X memcg=/ keeps 69,346 pages below it: '/*'" "$STOCK" memowner pages -X memcg=/
	silent 'below it' "$STOCK" memowner pages -f 'memcg=/*'
	says "warning: -f dir=kernel leaves out 212 rows below it: 'kernel/*'" "$OOM" allocprof -t tree -f dir=kernel
}

@test "columns without their unit, words of other keys, of other tools and of commands: what is meant" {
	local one areas

	[ "$(of "$STOCK" memowner cgroups -o memcg,usage -s usage -n 3)" = "$(of "$STOCK" memowner cgroups -o memcg,usage_bytes -s usage_bytes -n 3)" ]
	[ "$(of "$STOCK" memowner stuck -f blocked=1m.. -n 1)" = "$(of "$STOCK" memowner stuck -f blocked_ns=1min.. -n 1)" ]
	of "$STOCK" memowner stuck -f blocked=1m.. -n 1 | grep -q '^filters kept 1 of 6 threads$'
	[[ "$(of "$STOCK" memowner cgroups -s bytes)" = "memowner: unknown sort key 'bytes', the nearest is usage_bytes, "* ]]
	for one in cpu cpu,lock lock,cpu; do
		[[ "$(of "$STOCK" memowner stuck -f where=$one)" = "memowner: unknown where 'cpu', known are: "*' oom_lock idle; -f waits_for=cpu keeps what has it there' ]]
	done
	[ "$(of "$STOCK" memowner pools -f kind=)" = 'memowner: key kind needs a value of 1 to 256 characters: kind=VALUE' ]
	[[ "$(of "$STOCK" memowner pools -f kind=zram)" = *' balloon cma; zram and zswap are drivers: -f driver=zram; swap areas stand below the pools' ]]
	[ "$(of "$STOCK" memowner task:460)" = "memowner: 'task:460' is no address: memowner processes -f pid=460 has it" ]
	[[ "$(of "$STOCK" pid:460)" = *'; processes -f pid=460 has it'* ]]
	[ "$(of "$STOCK" memowner faults)" = "memowner: 'faults' is a command of its own, without memowner before it" ]
	# Each stack is of another thread.
	areas=$(of "$STOCK" memowner vmalloc -g address -f kind=kstack -o address,kind -n 6 -j | jq -r 'select(.record == "row").address')
	for one in $areas; do
		of "$STOCK" memowner "virt:$one" | sed -n 's/^  kernel stack of //p'
	done > "$BATS_TEST_TMPDIR/threads"
	[ "$(sort -u "$BATS_TEST_TMPDIR/threads" | wc -l)" -ge 5 ]
	[ "$(sort "$BATS_TEST_TMPDIR/threads" | uniq -d)" = '' ]
	silent 'kernel stack of' "$STOCK" memowner pfn:0x100
	[ "$(of "$STOCK" memowner pfn:0x1000-1003)" = "memowner: the range 'pfn:0x1000-1003' ends before it starts: its end is decimal, hexadecimal has 0x" ]
	says "warning: -f service=server*: nothing that was read has it; '*server*' is what has it in its name" "$STOCK" memowner processes -f 'service=server*'
	# Nothing of what was typed is taken for a name: /dev/mapper/vg-root is a dm-0.
	of "$STOCK" memowner files -f mount=/dev/mapper/vg-root | grep -q '; where a disk is mounted memowner filesystems tells$'
	of "$STOCK" memowner filesystems -f mount=/dev/vdc | grep -q '; disk_id is the disk that it is on$'
	silent 'disk is mounted' "$STOCK" memowner files -f mount=/,/dev/shm
	# The first by what is not shown are not those with most of what is.
	says 'rows are sorted by process_bytes, which is not shown' "$STOCK" memowner processes -o pid,comm,held -n 3
	silent 'rows are sorted' "$STOCK" memowner processes -o pid,comm,held -n 0
	silent 'rows are sorted' "$STOCK" memowner processes -o pid,comm,held -s held -n 3
	silent 'rows are sorted' "$STOCK" memowner processes -n 3
}

# rows ARGUMENT...: of all rows of the view
rows() {
	of "$STOCK" memowner "$@" -n 0 -j | jq -c 'select(.record == "row")'
}

@test "-g of each key of each view: rows have it, and together as many members as there are, with sums that are theirs" {
	local noun key keys one

	while read -r noun members sums; do
		rows $noun > "$BATS_TEST_TMPDIR/rows"
		keys=$(of "$STOCK" memowner $noun -g help | sed '/^Terms:/,$d' | sed -n 's/^\([a-z_]\+\) .*/\1/p')
		[ -n "$keys" ]
		for key in $keys; do
			rows $noun -g "$key" > "$BATS_TEST_TMPDIR/groups"
			jq -e -s --arg k "$key" 'all(.[]; has($k)) and (map(.[$k]) | length == (unique | length))' "$BATS_TEST_TMPDIR/groups" > /dev/null ||
				{ echo "$noun -g $key: rows"; return 1; }
			diff <(jq -s "length, ([$sums] | map(tostring) | join(\" \"))" "$BATS_TEST_TMPDIR/rows") \
				<(jq -s "(map(.$members) | add), ([$sums] | map(tostring) | join(\" \"))" "$BATS_TEST_TMPDIR/groups") ||
				{ echo "$noun -g $key: sums"; return 1; }
		done
	done <<-'END'
		processes processes (map(.rss_bytes)|add),(map(.swap_bytes)|add),(map(.locked_bytes)|add)
		files files (map(.pages)|add),(map(.total_bytes)|add)
		sockets sockets (map(.bytes)|add)
	END
	for one in '' '-g dir'; do
		[[ "$(of "$STOCK" memowner files $one -f mtime=..10s)" = *"not '..10s'; written_ns takes how long ago that is" ]]
	done
	says 'warning: -f swap=5G..: nothing that was read has it; it is from 0B to 72.8M; it is asked of each thread, not of groups' "$STOCK" faults -g comm -f swap=5G..
}

@test "a range between values, a path between slashes, several PIDs, an event as a path: what is meant is told" {
	says 'warning: -f ts=5s..6s: nothing that was read has it; it is from 1.268920 to 10.991369; the nearest are 2.453285 and 9.699574' "$OOM" faults -e -f ts=5s..6s
	silent 'the nearest are' "$STOCK" memowner processes -f rss=1G..2G
	[[ "$(of "$STOCK" memowner filesystems -f mount=/opt/)" = *"; between slashes it is a regular expression, '/opt' is the path; "* ]]
	silent 'is the path' "$STOCK" memowner processes -f comm=/nosuch/
	says "faults: a PID is a decimal number, not '1,2'; of several: -f pid=1,2" "$STOCK" faults 1,2
	says "faults: -e takes one event as SYSTEM:EVENT, not 'exceptions/page_fault_user': exceptions:page_fault_user" "$OOM" faults -e exceptions/page_fault_user
	says "faults: -e takes one event as SYSTEM:EVENT, not 'page_fault_user': exceptions:page_fault_user, or -e alone" "$OOM" faults -e page_fault_user
	says '-n is of the callers of direct pages, of which none is known: these are all classes' "$STOCK" memowner classes -n 1
	silent 'these are all classes' "$OOM" memowner classes -n 1
}

@test "-g: a row without a name is told, and keys that -o leaves out" {
	says 'the row without used_by is of those that have none: -f used_by=-' "$STOCK" memowner files -g used_by -n 0
	silent 'the row without' "$STOCK" memowner sockets -g protocol
	silent 'the row without' "$STOCK" memowner sockets -g used_by -f used_by=redis-server
	says 'rows are groups by zone, which is not shown' "$STOCK" memowner classes -g zone -o class,pages
	says 'rows are groups by comm, which is not shown' "$STOCK" memowner processes -g comm,uid -o uid,rss
	silent 'rows are groups by' "$STOCK" memowner processes -g comm,uid -o uid,rss,comm
	silent 'which is not shown' "$STOCK" memowner classes -g zone
}

@test "file systems at one path: that there are several is told" {
	# It is one path, of four.
	[ "$(of "$STOCK" memowner filesystems -j | jq -r 'select(.record == "row").mount' | sort | uniq -d)" = /dev ]
	says '/dev has several file systems: one covers another, or is seen by processes with mounts of their own alone' "$STOCK" memowner filesystems
	silent 'several file systems' "$STOCK" memowner filesystems -f mount=/
}

@test "a hint with a value that has blanks or brackets is typed as it stands, in quotes" {
	local hint t=$BATS_TEST_TMPDIR

	of "$BUILD/samples/6.12-oom" pageowner -g module -f 'memcg=[not charged]' > "$t/text"
	hint=$(sed -n 's/^warning: slabs are of no cgroup, .*: memowner \(objects -f .*\) has these, .*/\1/p' "$t/text")
	[ "$hint" = 'objects -f "memcg=[not charged]"' ]
	echo "$hint" > "$t/commands"
	"$BUILD/memowner" --vmlinux "$BUILD/samples/6.12-oom/vmlinux" -i "$t/commands" "$BUILD/samples/6.12-oom/vmcore" | grep -q OBJECTS
	# What keeps all is no hint.
	of "$BUILD/samples/6.12-oom" memowner processes -f 'container=*' > "$t/all" 2>&1 || true
	grep -q . "$t/all"
	refute grep -F '=* keeps' "$t/all"
	refute grep -F '=* or ' "$t/all"
}
