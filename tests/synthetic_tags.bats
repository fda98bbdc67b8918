#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# References to call sites in every form of slab, page and per-CPU chunk, and the tracks of slub_debug=U, on
# synthetic kernels (tests/kernels/objects.h): all generations say the same.

load helper

WHOLE='slabexts_6_10 slabexts_6_10-nomemcg slabexts_6_10-top_byte slabexts_6_10-inside slabexts_6_10-hardened pagerefs_6_13
	slabexts_6_18 slabexts_6_18-nomemcg slabexts_6_18-hardened slabexts_7_0 slabexts_7_0-later slabexts_7_0-vectors
	slabexts_7_0-nomemcg slabexts_7_3 slabexts_7_3-vectors slabexts_7_3-uncharged slabexts_7_3-nomemcg'

# Where tests/kernels/objects.h has its objects: "plain 4", "traced 2", "failed 3", "broken 0".
address() {
	case $1 in
	plain) printf %x $((0xffff888001100000 + $2 * 1000 + ${3:-0})) ;;
	traced) printf %x $((0xffff888001102008 + $2 * 192 + ${3:-0})) ;;
	failed) printf %x $((0xffff888001103000 + $2 * 1000 + ${3:-0})) ;;
	broken) printf %x $((0xffff88800110a000 + $2 * 1000 + ${3:-0})) ;;
	esac
}

EACH="virt:$(address plain 0 7) virt:$(address plain 1) virt:$(address plain 2) virt:$(address plain 3 999) virt:$(address plain 4 17)
	virt:$(address plain 5) virt:$(address plain 6) virt:$(address plain 7 1) virt:$(address plain 8) virt:$(address traced 0)
	virt:$(address traced 1 39) virt:$(address traced 2) virt:$(address traced 3 -8) virt:$(address failed 0) virt:$(address failed 3)
	pfn:0x1104 pfn:0x1105 pfn:0x1107 pfn:0x1108 pfn:0x1109 pfn:0x110b"

# What is looked at of the lines of each file.
DIGEST="$STACK"'
	def keys: { objects: [.kind, .address, .bytes, .cache, .requested, .pid, .ts_ns, .age_ns, .handle],
		pages: [.kind, .address, .pfn, .order, .bytes, .pid, .comm, .ts_ns, .handle],
		module: [.kind, .address, .bytes, .cache], percpu: [.kind, .address, .bytes, .pfn],
		check: [.sum, .name, .bytes, .count], sites: [.bytes, .calls, .line, .loaded],
		each: [.kind, .address, .offset, .bytes, .allocated, .site, .requested, .pid, .age_ns, .free_pid, .free_age_ns],
		tags: [.argument, .tag], broken: [.kind, .allocated, .site], gone: [.kind, .pfn],
		tracks: [.kind, .address, .offset, .allocated, .bytes, .cache, .site, .pid, .age_ns, .free_pid, .free_age_ns,
			(.stack // [] | stack), (.free_stack // [] | stack)] };
	def text: map(if . == null then "-" else tostring end) | join(" ");
	(input_filename | split("/") | last) as $file |
	if .record == "row" then "\($file) row \(keys[$file] | text)", (select($file == "each") | "tags row \(keys.tags | text)")
	elif .record == "stack" then "\($file) stack \(.handle) \(.stack | stack)"
	elif .record == "site" then "\($file) site \(.site)"
	elif .record == "total" then "\($file) total \(.calls) \(.bytes) \(.counted_calls) \(.counted_bytes) \(.cause)"
	elif .record == "summary" then
		# Synthetic kernels have no zones, no areas of vmalloc and no list of tasks.
		[.warnings[] | select(test("^(page classes are|vmalloc.s own allocations are|the list of tasks is) incomplete|" +
			"^(records of pages that are free|pages from before page_owner started) unknown") | not)] as $other |
		# These two alone make an answer incomplete.
		([.warnings[] | select(test("^(records of pages|pages from before)"))] | length > 0 and ($other | length) == 0) as $zones |
		"\($file) summary \(.status) \(.complete or $zones) \($other | join("; "))",
		"\($file) scan \(.scanned) \(.live) \(.undecodable)"
	else empty end'

# ask KERNEL: all that the tests below want to know of it, once, in $OUT.
ask() {
	OUT=$BATS_FILE_TMPDIR/$1
	[ ! -e "$OUT" ] || return 0
	mkdir "$OUT"
	synthetic "$1" "allocprof -c take_objects -j > $OUT/objects" "allocprof -c take_pages -j > $OUT/pages" \
		"allocprof -c take_in_module -j > $OUT/module" "allocprof -c take_percpu -j > $OUT/percpu" \
		"allocprof -C -j > $OUT/check" "allocprof $(xargs <<< "$EACH") -j > $OUT/each" "allocprof -j > $OUT/sites" \
		"allocprof virt:$(address broken 0) virt:$(address broken 1) virt:$(address broken 2) -j > $OUT/broken"
	jq -r "$DIGEST" "$OUT"/* > "$OUT/digest"
}

lines() {	# FILE RECORD
	sed -n "s/^$1 $2 //p" "$OUT/digest"
}

rows() {
	lines "$1" row
}

TAKEN='object 0xffff888001100000 1000 plain - - - - -
object 0xffff888001100fa0 1000 plain - - - - -
object 0xffff888001102008 192 traced 33 100 9000000000 1000000000 0x180001
object 0xffff8880011020c8 192 traced 40 101 8000000000 2000000000 0x300002
object 0xffff888001102248 192 traced - - - - -'

@test "objects of a site: in vectors, tails and objects, with and without memcg, plain and hardened, the pointer inside and outside" {
	for kernel in $WHOLE; do
		echo "$kernel"
		ask "$kernel"
		diff -u <(echo "$TAKEN") <(rows objects)
		[ "$(lines objects total)" = '5 2576 5 2576 null' ]
		[ "$(lines objects summary)" = 'ok true ' ]
		[ "$(lines objects stack)" = \
			"0x180001 $FIRST
0x300002 $SECOND" ]
	done
}

@test "pages of a site: references in page_ext and in page flags" {
	for kernel in $WHOLE; do
		echo "$kernel"
		ask "$kernel"
		diff -u - <(rows pages) <<-END
		page 0xffff888001104000 4356 0 4096 200 taker 5000 0x300002
		page 0xffff888001106000 4358 1 8192 200 taker 5000 0x300002
		END
		[ "$(lines pages total)" = '2 12288 2 12288 null' ]
		diff -u - <(rows module) <<-END
		object 0xffff8880011003e8 1000 plain
		page 0xffff888001109000 4096 -
		END
		[ "$(lines module total)" = '2 5096 2 5096 null' ]
	done
}

@test "per-CPU memory: both kinds of addresses, both orders of members, both ways to count" {
	local start

	for kernel in $WHOLE; do
		echo "$kernel"
		ask "$kernel"
		start=$(nm "$BUILD/kernels/$kernel/vmlinux" | awk '$3 == "__per_cpu_start" { print $1 }')
		diff -u - <(rows percpu) <<-END
		percpu $(printf '0x%x' $((0x$start + 0x10020))) 64 -
		percpu $(printf '0x%x' $((0x$start + 0x10060))) 8 -
		END
		case $kernel in
		# 72 bytes; in each of two copies; and with a pointer of memcg for each four.
		slabexts_7_*-nomemcg) [ "$(lines percpu total)" = '2 144 2 144 null' ] ;;
		slabexts_7_*) [ "$(lines percpu total)" = '2 288 2 288 null' ] ;;
		*) [ "$(lines percpu total)" = '2 72 2 72 null' ] ;;
		esac
	done
	ask slabexts_6_10
	[[ "$(rows percpu)" = 'percpu 0x10020 '* ]]
	ask slabexts_6_18
	[[ "$(rows percpu)" = 'percpu 0xffffffff8'* ]]
}

@test "an address: its object and site, who allocated and freed it; empty, lost, uncharged, free" {
	for kernel in $WHOLE; do
		echo "$kernel"
		ask "$kernel"
		diff -u - <(rows each) <<-END
		object 0xffff888001100000 7 1000 true mm/take.c:10 take_objects [vmlinux] - - - - -
		object 0xffff8880011003e8 0 1000 true drivers/mod.c:50 take_in_module [mod] - - - - -
		object 0xffff8880011007d0 0 1000 false - - - - - -
		object 0xffff888001100bb8 999 1000 true none: deliberately not tagged by the kernel (CODETAG_EMPTY) - - - - -
		object 0xffff888001100fa0 17 1000 true mm/take.c:10 take_objects [vmlinux] - - - - -
		object 0xffff888001101388 0 1000 false - - - - - -
		object 0xffff888001101770 0 1000 false - - - - - -
		object 0xffff888001101b58 1 1000 true - - - - - -
		object 0xffff888001102008 0 192 true mm/take.c:10 take_objects [vmlinux] 33 100 1000000000 - -
		object 0xffff8880011020c8 39 192 true mm/take.c:10 take_objects [vmlinux] 40 101 2000000000 102 3000000000
		object 0xffff888001102188 0 192 false - 8 104 400000000 103 100000000
		object 0xffff888001102248 -8 192 true mm/take.c:10 take_objects [vmlinux] - - - - -
		object 0xffff888001103000 0 1000 true lost: the kernel had no memory for the references of its slab - - - - -
		object 0xffff888001103bb8 0 1000 false lost: the kernel had no memory for the references of its slab - - - - -
		page 0xffff888001104000 0 4096 true mm/take.c:20 take_pages [vmlinux] - 200 9999995000 - -
		page 0xffff888001105000 0 4096 - none: deliberately not tagged by the kernel (CODETAG_EMPTY) - 200 9999995000 - -
		page 0xffff888001106000 4096 8192 true mm/take.c:20 take_pages [vmlinux] - 200 9999995000 - -
		page 0xffff888001108000 0 - false - - - - - -
		page 0xffff888001109000 0 4096 true drivers/mod.c:50 take_in_module [mod] - 200 9999995000 - -
		$(gone "$kernel")
		END
		[ "$(lines each summary)" = "ok false virt:$(address plain 8): after the last object of its slab" ]
	done
}

# The page of a module that is not there any more.
gone() {
	case $1 in
	# Its data was kept where it is.
	slabexts_6_10*) set -- 'drivers/gone.c:60 take_and_go [gone], of an unloaded module' ;;
	*) set -- "$(gone_tag), line 60 of an unloaded module" ;;
	esac
	echo "page 0xffff88800110b000 0 4096 true $1 - 200 9999995000 - -"
}

gone_tag() {
	rows tags | sed -n 's/^pfn:0x110b //p'
}

@test "what each site counted is what refers to it, but for unloaded modules whose tags are in no list" {
	local percpu missing

	for kernel in $WHOLE; do
		echo "$kernel"
		ask "$kernel"
		[ "$(lines check site)" = '' ]
		percpu=$(lines percpu total | cut -d ' ' -f 2)
		case $kernel in
		# One page of 4096 bytes. Here its counters are known as well,
		slabexts_6_18* | slabexts_7_*) missing=0 ;;
		# here they were freed with their module, or are in no list.
		*) missing=4096 ;;
		esac
		diff -u - <(rows check) <<-END
		- counters of all sites $((36864 + 3576 + percpu - missing)) $((15 - missing / 4096))
		counters of all sites references of pages $((36864 - missing)) $((7 - missing / 4096))
		counters of all sites references of objects 3576 6
		counters of all sites references of per-CPU memory $percpu 2
		counters of all sites stale references 0 0
		counters of all sites without a reference 0 0
		- references to tags without counters $missing $((missing / 4096))
		- pages in use - -
		pages in use charged to a site - -
		pages in use charged to a site, unsure - -
		pages in use allocated before page_owner started - -
		pages in use deliberately not tagged by the kernel - -
		pages in use guard pages - -
		pages in use without a tag - -
		- pages with a page_owner record 45056 11
		pages with a page_owner record charged to a site 36864 9
		pages with a page_owner record charged to a site, unsure 0 0
		pages with a page_owner record allocated before page_owner started - -
		pages with a page_owner record deliberately not tagged by the kernel 4096 1
		pages with a page_owner record without a tag 4096 1
		- charged pages without a page_owner record - -
		- slab pages 16384 4
		slab pages objects charged to a site 3576 6
		slab pages objects charged to a site, unsure 0 0
		slab pages objects deliberately not tagged by the kernel 1000 1
		slab pages objects without a tag 1000 1
		slab pages objects in slabs without tags 3000 3
		slab pages free objects 4192 5
		slab pages not in this dump, or corrupt 0 0
		slab pages left over 3616 -
		END
		[ "$(lines check summary)" = 'ok true ' ]
	done
}

@test "a page of an unloaded module: its site by address, its counters where the kernel keeps them" {
	local tag

	for kernel in slabexts_6_10 pagerefs_6_13 slabexts_6_18; do
		ask $kernel
		tag=$(gone_tag)
		synthetic $kernel "allocprof -c $tag -j > $OUT/gone"
		jq -r "$DIGEST" "$OUT/gone" >> "$OUT/digest"
		[ "$(rows gone)" = 'page 4363' ]
	done
	OUT=$BATS_FILE_TMPDIR/slabexts_6_18
	[ "$(lines gone total)" = '1 4096 1 4096 null' ]
	[ "$(rows sites | grep false)" = '4096 1 60 false' ]
	OUT=$BATS_FILE_TMPDIR/pagerefs_6_13
	[ "$(lines gone total)" = '1 4096 null null the counters of this tag are unknown' ]
	[ "$(rows sites | grep false)" = '- - 60 false' ]
	OUT=$BATS_FILE_TMPDIR/slabexts_6_10
	[ "$(lines gone total)" = '1 4096 null null the counters of this tag are unknown' ]
	[ "$(rows sites | cut -d ' ' -f 3 | sort | xargs)" = '10 20 30 40 50' ]
}

@test "turned off later: what was freed since and kept its tag is not listed, nor summed" {
	ask slabexts_6_10-off_later
	diff -u <(echo "$TAKEN") <(rows objects)
	[ "$(lines objects total)" = '5 2576 9 5768 profiling was turned off: memory freed since is still counted' ]
	rows check | grep -q -x 'counters of all sites references of objects 3576 6'
	# Four objects, and a page of the module whose stack says that it is another's.
	rows check | grep -q -x "counters of all sites stale references $((3192 + 4096)) 5"
	rows check | grep -q -x 'counters of all sites without a reference 0 0'
	rows check | grep -q -x 'slab pages free objects 4192 5'
	[ "$(lines check site)" = '' ]
	[ "$(rows each | sed -n 3p)" = "object 0x$(address plain 2) 0 1000 false - - - - - -" ]
	# Without its free list, a slab may have such ones among the rows.
	ask slabexts_6_10-off_loop
	[[ "$(lines objects summary)" = 'off_later false '* ]]
	rows check | grep -q -x 'slab pages left over - -'
}

@test "turned off and on again: free objects that kept their tag are not listed, and tell of it" {
	ask slabexts_6_10-toggled
	diff -u <(echo "$TAKEN") <(rows objects)
	[ "$(lines objects total)" = '5 2576 9 5768 profiling was turned off: memory freed since is still counted' ]
	[ "$(lines objects summary)" = 'ok true profiling was off for some time: 4 references are stale, others may be' ]
	# Without zones, which references are of free pages is unknown.
	[ "$(lines check summary)" = 'ok false profiling was off for some time: 4 references are stale, others may be' ]
	rows check | grep -q -x 'counters of all sites stale references 3192 4'
	rows check | grep -q -x 'counters of all sites without a reference 0 0'
	[ "$(rows each | sed -n 3p)" = "object 0x$(address plain 2) 0 1000 false - - - - - -" ]
}

@test "7.3 without tags in its slabs, decided at boot: pages have theirs, objects none" {
	ask slabexts_7_3-no_codetag
	[ "$(rows objects)" = '' ]
	[ "$(rows pages | cut -d ' ' -f 2 | xargs)" = '0xffff888001104000 0xffff888001106000' ]
	[ "$(rows each | head -n 1)" = "object 0x$(address plain 0) 7 1000 true - - - - - -" ]
	rows check | grep -q -x 'counters of all sites references of objects 0 0'
	rows check | grep -q -x 'slab pages objects in slabs without tags 8576 11'
}

# What was said of a slab that makes no sense: where -c and -C end, and of three of its objects.
broken() {
	diff -u <(echo "$TAKEN") <(rows objects | head -n 5)
	echo "$(rows objects | wc -l) $(lines objects summary)"
	lines check summary
	rows broken
	lines broken summary
}

BAD='ok false 1 slab is corrupt or not in this dump'
SITE='mm/take.c:10 take_objects [vmlinux]'

@test "a vector that leads nowhere" {
	ask slabexts_6_10-wild
	diff -u - <(broken) <<-END
	5 ok false 
	$BAD
	object true -
	object true -
	object true -
	ok false $(for i in 0 1 2; do printf 'virt:%s: the reference to its allocation site is not in this dump; ' "$(address broken $i)"; done | sed 's/; $//')
	END
}

@test "a free list that loops or leads between objects: what is on it until there is free" {
	local why="the free list of the slab at 0x$(address broken 0) leads to 0x$(address broken 0)"

	for kernel in slabexts_6_10-loop slabexts_6_18-loop; do
		ask $kernel
		diff -u - <(broken) <<-END
		7 ok true 
		$BAD
		object false $SITE
		object false $SITE
		object - -
		ok false $why
		END
	done
	why="the free object at 0x$(address broken 1) is not followed by one"
	ask slabexts_6_10-astray
	diff -u - <(broken) <<-END
	7 ok true 
	$BAD
	object false $SITE
	object false $SITE
	object - -
	ok false $why
	END
}

@test "numbers of a slab that cannot be: more in use than there are, none at all, references too near or too far" {
	local why

	for kernel in 'slabexts_6_10-inuse 9 of 4 objects in use' 'slabexts_6_10-none 0 objects of 1000' \
		'slabexts_7_0-stride_0 tags 0 bytes apart' 'slabexts_7_0-stride_huge tags 2147483647 bytes apart'; do
		echo "$kernel"
		why="the slab of pfn 0x110a has ${kernel#* }"
		ask "${kernel%% *}"
		diff -u - <(broken) <<-END
		5 ok false 
		$BAD
		ok false $why
		END
	done
}

@test "a slab of no cache" {
	ask slabexts_6_10-cache
	diff -u - <(broken | sed 's/0xffff888[0-9a-f]*/ADDRESS/g') <<-END
	5 ok false 
	$BAD
	ok false kmem_cache at ADDRESS has objects of 0 bytes; kmem_cache at ADDRESS is corrupt, or not in this dump
	END
}

@test "tracks outside of the slot, or not in the dump: the object without, and that is told" {
	ask slabexts_6_10-room
	diff -u - <(broken) <<-END
	7 ok false 2 object tracks are missing: objects of torn have no room for tracks
	ok true 
	object true $SITE
	object true $SITE
	object true -
	ok false 6 object tracks are missing: objects of torn have no room for tracks
	END
	[ "$(rows objects | tail -n 2 | sort -u)" = "object 0x$(address broken 0) 1000 torn - - - - -
object 0x$(address broken 1) 1000 torn - - - - -" ]
	ask slabexts_6_10-absent
	[ "$(rows objects | tail -n 2)" = 'object 0xffff888008001008 192 traced - - - - -
object 0xffff8880080010c8 192 traced - - - - -' ]
	[ "$(lines objects summary)" = 'ok false 2 object tracks are missing: struct track at 0xffff888008001040 is not in this dump' ]
}

@test "a track whose stack is in no pool: the rest of it, and that is told" {
	ask slabexts_6_10-handle
	diff -u <(sed 's/0x180001/-/' <<< "$TAKEN") <(rows objects)
	[ "$(lines objects summary)" = 'ok true the stacks of 1 allocation are not in the depot, or not in this dump' ]
	[ "$(lines objects stack)" = "0x300002 $SECOND" ]
}

@test "sheaves without end, or longer than any: the list of free objects is incomplete" {
	for kernel in 'barn_loop a list of sheaves without end' 'barn_huge a sheaf of 2147483647 objects'; do
		ask "slabexts_6_18-${kernel%% *}"
		[ "$(lines check summary)" = "ok false the list of free objects is incomplete: ${kernel#* }" ]
		rows check | grep -q -x 'slab pages objects charged to a site 3576 6'
		rows check | grep -q -x 'slab pages free objects - -'
		rows check | grep -q -x 'slab pages objects without a tag - -'
		[ "$(lines objects summary)" = "ok false the list of free objects is incomplete: ${kernel#* }" ]
		# What has a tag is not free all the same.
		[[ "$(rows each | head -n 1)" = "object 0x$(address plain 0) 7 1000 true mm/take.c:10 "* ]]
		[[ "$(rows each | sed -n 8p)" = "object 0x$(address plain 7) 1 1000 - - "* ]]
	done
}

@test "per-CPU chunks that cannot be read, or loop: the others, once, and that is told" {
	local why

	for kernel in 'chunk_wild 0 pcpuobj_ext at 0xffff88ffff000000 is not in this dump' \
		'chunk_pages 0 a per-CPU chunk of 4294967295 pages' 'chunk_loop 2 per-CPU chunks without end'; do
		read -r kernel n why <<< "$kernel"
		echo "$kernel"
		ask "slabexts_6_10-$kernel"
		[ "$(rows percpu | wc -l)" = "$n" ]
		[ "$(lines percpu summary)" = "ok false per-CPU memory is not available: $why" ]
		[ "$(lines check summary)" = "ok false per-CPU memory is not available: $why" ]
	done
}

@test "a reference of a page that leads nowhere, an index beyond all tags, bits that are no index" {
	ask slabexts_6_10-wild_ref
	rows check | grep -q -x 'pages with a page_owner record charged to a site 40960 10'
	rows check | grep -q -x -e '- references to tags without counters 8192 2'
	ask pagerefs_6_13-beyond
	[ "$(lines check scan) $(lines pages scan)" = '32 7 1 32 7 1' ]
	[ "$(rows pages | cut -d ' ' -f 2 | xargs)" = '0xffff888001104000 0xffff888001106000' ]
	ask pagerefs_6_13-mask
	for file in pages check; do
		[ "$(lines $file summary)" = 'corrupt false alloc tags in page flags: 4, mask 0x1ffd << 40' ]
	done
}

@test "references alone in page_ext, from its first byte on: page_owner is off, only compound pages say how many they are" {
	ask pagerefs_6_10
	diff -u - <(rows pages) <<-END
	page 0xffff888001104000 4356 - - - - - -
	page 0xffff888001106000 4358 1 8192 - - - -
	END
	[ "$(lines pages total)" = '2 12288 2 12288 null' ]
	[ "$(rows objects | head -n 2)" = "$(head -n 2 <<< "$TAKEN")" ]
	[ "$(lines pages summary)" = 'ok true order, task and stack of pages are unknown: this kernel was built without page_owner (CONFIG_PAGE_OWNER)' ]
}

@test "depot -u counts the tracks of objects in use, as memowner objects does" {
	for kernel in slabexts_6_10 slabexts_7_3; do
		echo "$kernel"
		synthetic $kernel "depot -u -j > $BATS_TEST_TMPDIR/users" "memowner objects -j > $BATS_TEST_TMPDIR/tracked"
		[ "$(jq -r 'select(.user == "SLUB track, allocation") | "\(.uses) \(.handles)"' "$BATS_TEST_TMPDIR/users")" = '2 2' ]
		[ "$(jq -r 'select(.handle) | .objects' "$BATS_TEST_TMPDIR/tracked" | xargs)" = '1 1' ]
		# Of the one that is free, and of one that was free before.
		[ "$(jq -r 'select(.user == "SLUB track, last free") | "\(.uses) \(.handles)"' "$BATS_TEST_TMPDIR/users")" = '2 1' ]
	done
}

@test "tracks with frames of their own, to 5.17, in a kernel without call sites" {
	local at='virt:ffff8880011'

	for kernel in tracks_5_10 tracks_5_10-inside tracks_5_10-swabbed tracks_5_10-mixed; do
		echo "$kernel"
		OUT=$BATS_TEST_TMPDIR
		synthetic $kernel "allocprof ${at}00008 ${at}00308 ${at}00788 ${at}00a88 ${at}01088 -j > $OUT/tracks"
		jq -r "$DIGEST" "$OUT/tracks" > "$OUT/digest"
		diff -u - <(rows tracks) <<-END
		object 0xffff888001100008 0 true 384 traced - 100 1000000000 - - $FIRST 
		object 0xffff888001100308 0 false 384 traced - 104 400000000 103 100000000 alloc_pages+0x2 free_pages+0x2
		object 0xffff888001100788 0 false 384 traced - - - - -  
		object 0xffff888001100a88 0 false 384 traced - - - - -  
		object 0xffff888001101088 0 true 384 traced - 101 2000000000 102 3000000000 $SECOND $FREE
		END
	done
}

@test "every answer is as doc/schema says" {
	local files=()

	for kernel in $WHOLE slabexts_6_10-room slabexts_6_10-loop slabexts_7_3-no_codetag pagerefs_6_13-beyond pagerefs_6_13-mask; do
		ask "$kernel"
		files+=("$OUT"/{objects,pages,module,percpu,check,each,sites,broken})
	done
	"$TESTS/tools/validate" "${files[@]}"
}
