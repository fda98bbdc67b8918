#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What a word of a request means elsewhere, and figures without a unit: each answer says what else there is.

load helper

setup_file() {
	export OOM=$BUILD/samples/6.12-oom STOCK=$BUILD/samples/6.12-stock-oom OUTSIDE=$BUILD/samples/6.1-stock-outside
}

# of DUMP ARGUMENT...: what the program says, errors too
of() {
	timeout 60 "$BUILD/memowner" --vmlinux "$1/vmlinux" "$1/vmcore" "${@:2}" 2>&1
}

@test "pools: sizes of swap areas have a unit, and are those of /proc/swaps" {
	local kib

	of "$OUTSIDE" memowner pools -j > "$BATS_TEST_TMPDIR/json"
	# The header of the area is a page that swapon does not count.
	kib=$(jq -r 'select(.record == "swap") | "\(.path) \(.swap_area_bytes / 1024) \(.swap_used_bytes / 1024)"' "$BATS_TEST_TMPDIR/json")
	diff <(awk 'NR > 1 { print $1, $3, $4 }' "$OUTSIDE/truth/swaps" | sort) <(sort <<< "$kib") ||
		[ "$(awk '{ print $1, $2 }' <<< "$kib" | sort)" = "$(awk 'NR > 1 { print $1, $3 }' "$OUTSIDE/truth/swaps" | sort)" ]
	[ "$(jq -c 'select(.record == "swap") | [.swap_area_bytes == .swap_pages * 4096, .swap_used_bytes == .swap_used_pages * 4096]' "$BATS_TEST_TMPDIR/json" | sort -u)" = '[true,true]' ]
	[ "$(of "$OUTSIDE" memowner pools | sed -n '/^swap areas:$/,$p' | awk 'NR > 2 && $2 ~ /^[0-9.]+[KMG]$/ && $3 ~ /^[0-9.]+[KMGB]$/' | wc -l)" = 2 ]
}

@test "filesystems: the root of a machine without a disk is a tmpfs with a limit; below another it has no row, and that is why" {
	local s

	# nullfs of 7.3 is below it.
	for s in 6.12-oom 7.3-oom 6.12-hog-spool; do
		of "$BUILD/samples/$s" memowner filesystems -f mount=/ -j > "$BATS_TEST_TMPDIR/json"
		[ "$(jq -r 'select(.record == "row") | "\(.fs_type) \(.mount) \(.used_bytes > 2000000) \(.bytes > .used_bytes)"' "$BATS_TEST_TMPDIR/json")" = 'rootfs / true true' ]
	done
	[ "$(jq -r 'select(.record == "row") | "size=\(.bytes / 1024)k,nr_inodes=\(.max_inodes)"' "$BATS_TEST_TMPDIR/json")" = \
		"$(grep -o '^rootfs / rootfs rw,.*' "$BUILD/samples/6.12-hog-spool/truth/mounts" | grep -o 'size=[0-9]*k,nr_inodes=[0-9]*')" ]
	of "$STOCK" memowner filesystems > "$BATS_TEST_TMPDIR/text"
	refute grep -q rootfs "$BATS_TEST_TMPDIR/text"
	of "$STOCK" memowner filesystems -f fs=rootfs | grep -q -x 'warning: no row of / (rootfs): another file system is mounted above it'
	of "$STOCK" memowner filesystems -f mount=/proc | grep -q '^warning: no row of /proc (proc): it has neither a disk nor a limit'
	of "$STOCK" memowner filesystems -f fs=PROC | grep -q '^warning: no row of /proc (proc): '
	of "$STOCK" memowner filesystems -f fs=EXT4 | grep -q -x 'filters kept 1 of 12 file systems'
	has_no_line -q '^warning: no row' <(of "$STOCK" memowner filesystems -f mount=/)
}

@test "files -f deleted: segments of System V are told, as none was deleted" {
	local n

	n=$(of "$STOCK" memowner files -f file_kind=sysv_shm -j | jq -r 'select(.record == "row") | 1' | wc -l)
	[ "$n" = 1 ]
	of "$STOCK" memowner files -f deleted=yes -g process | grep -q '^warning: 1 of these, with [0-9.]*[KM] in memory and swap, is a segment of System V shared memory, .*ipcrm'
	of "$STOCK" memowner files -f deleted=yes -j | grep -q '"1 of these, with [^"]* System V'
	has_no_line -q 'System V' <(of "$STOCK" memowner files -f deleted=yes -X file_kind=sysv_shm -g process)
	has_no_line -q 'System V' <(of "$STOCK" memowner files -f deleted=no)
	of "$STOCK" memowner files | grep -q -x 'SWAPPED: pages of 4.0K'
	has_no_line -q 'pages of 4.0K' <(of "$STOCK" memowner files -o -swapped_pages)
}

@test "holders -f module: areas that the module made are told where they have more, and the size of what is left out" {
	local pages

	pages=$(of "$OOM" memowner vmalloc -f module=leaky -j | jq -r 'select(.record == "row") | .pages' | awk '{ n += $1 } END { print n }')
	[ "$pages" -gt 0 ]
	of "$OOM" memowner holders -f module=leaky -f bytes=..1K > "$BATS_TEST_TMPDIR/text"
	grep -q '^warning: [0-9]* areas\? of vmalloc with [0-9.]*[KM] note a function of leaky as the one that made them: memowner vmalloc -f module=leaky; ' "$BATS_TEST_TMPDIR/text"
	has_no_line -q ' of vmalloc with ' <(of "$OOM" memowner holders -f module=leaky)
	# More than a tenth of what is kept.
	of "$BUILD/samples/6.12-hog-frames" memowner holders -f module=framegrab |
		grep -q -E '^warning: module is unknown of [0-9]+ roots?, which -f leaves out: (it has|they have) [0-9.]+M$'
	of "$OOM" memowner holders -f module=leaky | grep -q -E '^warning: module is unknown of [0-9]+ roots?, which -f leaves out$'
}

@test "pageowner -R: shares are of the memory that they are of in the dump; without its size they are unknown" {
	local kdump=$BUILD/samples/6.12-kdump scan=$BATS_TEST_TMPDIR/scan

	of "$kdump" pageowner -w "$scan"
	# As crashkernel= sets 160 MiB aside.
	of "$kdump" pageowner -g module -o ram_percent,pages,module > "$BATS_TEST_TMPDIR/dump"
	of "$kdump" pageowner -R "$scan" -g module -o ram_percent,pages,module > "$BATS_TEST_TMPDIR/scan.text"
	diff <(grep -E '^ +[0-9.]+ +[0-9]+ +[a-z]+$' "$BATS_TEST_TMPDIR/dump") <(grep -E '^ +[0-9.]+ +[0-9]+ +[a-z]+$' "$BATS_TEST_TMPDIR/scan.text")
	of "$kdump" pageowner -R "$scan" -f ram=60.. -g module | grep -q '^filters kept 1 of 2 rows$'
	grep -v '^coverage.capture' "$scan" > "$scan.older"
	of "$kdump" pageowner -R "$scan.older" -g module > "$BATS_TEST_TMPDIR/older"
	refute grep -q 'RAM%.*MODULE' "$BATS_TEST_TMPDIR/older"
	grep -q '^warning: shares of RAM are unknown: the saved scan, of 2.0.0 or older, ' "$BATS_TEST_TMPDIR/older"
	sed 's/^coverage\tcapture.*/coverage\tcapture\t999999/' "$scan" > "$scan.wrong"
	of "$kdump" pageowner -R "$scan.wrong" | grep -q ': more pages than System RAM has$'
	# The last lines have all pages of System RAM.
	for file in "$BATS_TEST_TMPDIR/dump" "$BATS_TEST_TMPDIR/scan.text"; do
		grep -q -x "RAM% is of 351.5M: System RAM without the capture kernel's 160.0M" "$file"
	done
	has_no_line -q '^RAM% is of' <(of "$OOM" pageowner -g module)
}

@test "pageowner -R: what a scan does not tell is unknown, and what was unknown of the dump stays it" {
	local scan=$BATS_TEST_TMPDIR/scan holed=$BUILD/samples/6.12-holed

	of "$holed" pageowner -w "$scan"
	of "$holed" pageowner -g module | grep -E '^warning: (modules of some|the resource tree)' > "$BATS_TEST_TMPDIR/dump"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/dump")" = 2 ]
	of "$OOM" pageowner -R "$scan" -g module | grep -E '^warning: (modules of some|the resource tree)' | diff "$BATS_TEST_TMPDIR/dump" -
	of "$OOM" pageowner -R "$scan" -g module | grep -q '^zone spans 131,033 pages, '
	# Compared with, it is the scan that lacks them.
	of "$OOM" pageowner -d "$scan" -g module > "$BATS_TEST_TMPDIR/diff"
	grep -q -E '^warning: modules of some functions were unknown in the saved scan: ' "$BATS_TEST_TMPDIR/diff"
	refute grep 'functions unknown: ' "$BATS_TEST_TMPDIR/diff"
	# A record has the first and the last time of its pages.
	[ "$(of "$OOM" pageowner -R "$scan" -g module -o +ages -j | jq -c 'select(.record == "row") | .ages' | sort -u)" = null ]
}

@test "-s by a share that is rounded: rows are in the order of the size that it is of" {
	local view

	for view in 'memowner classes' 'memowner vmalloc' 'pageowner -g caller' 'memowner files' 'memowner caches'; do
		# Reserved memory has no share here, and is last.
		# shellcheck disable=SC2086
		of "$OOM" $view -s ram -n 0 -o ram_percent,pages | grep -E '^ *[0-9.]+ +[0-9]+$' | awk '{ print $2 }' > "$BATS_TEST_TMPDIR/pages"
		[ "$(wc -l < "$BATS_TEST_TMPDIR/pages")" -gt 2 ]
		sort -n -r -C "$BATS_TEST_TMPDIR/pages" || { echo "$view"; head -n 30 "$BATS_TEST_TMPDIR/pages"; false; }
	done
}

@test "a word that is no class is refused with the classes; names are found by a part, or with more behind them" {
	for class in pagecache page_cache; do
		of "$OOM" memowner classes -f class=$class | grep -q -x "memowner: unknown class '$class', known are: slab .* unreadable; page cache is file"
	done
	of "$OOM" memowner classes -f class=ANON | grep -q -x 'filters kept 1 of 13 rows'
	of "$OOM" memowner files -f class=cache | grep -q 'known are: file shmem hugetlb; page cache is file$'
	of "$OOM" memowner caches -f cache=dentry_cache | grep -q "the nearest is 'dentry'$"
	of "$STOCK" memowner cgroups -f memcg=sstm-journald.service | grep -q 'systemd-journald.service'
	of "$OOM" pageowner -f handle=97124353 | grep -q '; decimal 97124353 is 0x5ca0001$'
	of "$OOM" allocprof -c leaky | grep -q "^allocprof: no call site 'leaky'; it is a module: -f module=leaky keeps its sites: "
	of "$OOM" allocprof -f dir=mm/ | grep -q "the nearest is 'mm'$"
}

@test "where -X leaves out all that -f keeps, a line says so" {
	local line='warning: no row is left: -X leaves out all that the others keep'

	of "$OOM" pageowner -f module=leaky -X module=leaky -g module | grep -q -x "$line"
	of "$OOM" memowner caches -f objects=1.. -X objects=1.. | grep -q -x "$line"
	of "$OOM" memowner caches -X objects=0.. | grep -q -x 'warning: no row is left: -X leaves out all that there is'
	has_no_line -q 'no row is left' <(of "$OOM" memowner caches -X cache=nosuch)
	# Nothing was there before.
	has_no_line -q 'no row is left' <(of "$OOM" memowner dmabuf -X bytes=1)
}

@test "pressure: resources of which no line is shown are told; an address inside of a struct page is of that page" {
	of "$STOCK" memowner pressure -n 2 > "$BATS_TEST_TMPDIR/text"
	grep -q -E '^no line of io \(some [0-9.]+[a-z]+ of /\), cpu \(some [0-9.]+[a-z]+ of /\) is shown: ' "$BATS_TEST_TMPDIR/text"
	has_no_line -q '^no line of' <(of "$STOCK" memowner pressure -n 0)
	of "$OOM" pageowner page:fffff42e8004c040 | grep -q '^pfn 0x1301 is allocated$'
	of "$OOM" pageowner fffff42e8004c048 | grep -q '^warning: 0xfffff42e8004c048 is 8 bytes inside of the struct page at 0xfffff42e8004c040, that of pfn:0x1301$'
	has_no_line -q 'inside of the struct page' <(of "$OOM" pageowner fffff42e8004c040 pfn:0x1301 phys:1301000)
}

@test "pageowner -f stack=: a stack that the kernel truncated may have what it does not show" {
	local filter

	for filter in '-f stack=entry_SYSCALL_64_after_hwframe' '-X stack=entry_SYSCALL_64_after_hwframe'; do
		# shellcheck disable=SC2086
		of "$OOM" pageowner $filter -g module > "$BATS_TEST_TMPDIR/stacks"
		grep -q -E "^warning: stack is not known in full of 2,383 pages, which (-X keeps|-f leaves out)" "$BATS_TEST_TMPDIR/stacks"
	done
	# What is met is known.
	refute grep 'not known in full' <<< "$(of "$OOM" pageowner -X stack=leaky_rx_refill -f module=leaky -f caller=leaky_rx_refill -g module)"
}

@test "files -f memcg: shared ones are those that the other filters keep" {
	of "$OUTSIDE" memowner files -f 'memcg=/*' | grep -q '^warning: 2 files .*, of which others are charged for a part, '
	of "$OUTSIDE" memowner files -f 'memcg=/*' -f fs=nosuch > "$BATS_TEST_TMPDIR/none"
	grep -q nosuch "$BATS_TEST_TMPDIR/none"
	refute grep 'are charged for a part' "$BATS_TEST_TMPDIR/none"
}

@test "pageowner -d SCAN: what shrank behind the last row, another size of RAM and pids of another boot are told" {
	local scan=$BATS_TEST_TMPDIR/scan kdump=$BUILD/samples/6.12-kdump

	of "$kdump" pageowner -w "$scan"
	of "$OOM" pageowner -d "$scan" -g caller -n 4 > "$BATS_TEST_TMPDIR/text"
	[ "$(grep -o '^[0-9]* groups that shrank are not shown, with [0-9.]*M' "$BATS_TEST_TMPDIR/text")" = \
		"$(of "$OOM" pageowner -d "$scan" -g caller -j | jq -r 'select(.record == "row" and .diff_bytes < 0) | -.diff_bytes' |
			awk '{ n++; sum += $1 } END { printf "%d groups that shrank are not shown, with %.1fM\n", n, sum / 1048576 }')" ]
	grep -q -x 'warning: System RAM is 255.5M now, 351.5M in the saved scan, without what crashkernel= sets aside' "$BATS_TEST_TMPDIR/text"
	refute grep -q 'process IDs' "$BATS_TEST_TMPDIR/text"
	of "$OOM" pageowner -d "$scan" -g tgid | grep -q '^warning: process IDs are those of one boot: '
	# The same machine, and a scan that does not tell what is set aside.
	grep -v '^coverage.capture' "$scan" > "$scan.older"
	has_no_line -q 'System RAM is' <(of "$kdump" pageowner -d "$scan.older"; of "$kdump" pageowner -d "$scan")
}

@test "-d of a text with rounded sizes: what differs by less has not shrunk; a word of flags, and pools, are named as they are" {
	of "$STOCK" memowner processes > "$BATS_TEST_TMPDIR/text"
	of "$STOCK" memowner processes -d "$BATS_TEST_TMPDIR/text" -n 0 > "$BATS_TEST_TMPDIR/diff"
	grep -q -E '^ +- +190\.3M +190\.3M .*report-builder$' "$BATS_TEST_TMPDIR/diff"
	[ "$(awk '$2 == $3 && /shrunk|grown/' "$BATS_TEST_TMPDIR/diff")" = '' ]
	of "$OOM" pageowner -f gfp=0xcc0 | grep -q 'pages that have all flags of it and more: GFP_KERNEL'
	of "$OOM" memowner processes -s locked -n 2 | grep -q -x 'warning: not sorted by locked_bytes: all rows have the same'
	has_no_line -q 'not sorted by' <(of "$OOM" memowner processes -s locked -n 0)
}

@test "the same key in another view: what is charged object by object, of several cgroups, or of another cache, is told" {
	local slabs='warning: slabs are of no cgroup, each of their objects is ([by object]): memowner objects -f memcg=/system.slice/memcached.service has these, '

	of "$STOCK" memowner pages -f memcg=/system.slice/memcached.service | grep -q -F "$slabs"
	has_no_line -q 'slabs are of no cgroup' <(of "$STOCK" memowner pages -f 'memcg=[by object]'; of "$STOCK" memowner pages -X memcg=/ -g memcg)
	of "$OUTSIDE" memowner files -f memcg=/system.slice/guest.service -j > "$BATS_TEST_TMPDIR/json"
	of "$OUTSIDE" memowner files -f most_memcg=/system.slice/guest.service -j -o memcg,bytes > "$BATS_TEST_TMPDIR/most"
	[ "$(jq -r 'select(.record == "summary") | .warnings[]' "$BATS_TEST_TMPDIR/json" | sed -n 's/^\([0-9]*\) files\? with .* of memcg \[several\]: -f most_memcg=.*/\1/p')" = \
		"$(jq -r 'select(.record == "row" and .memcg == "[several]") | 1' "$BATS_TEST_TMPDIR/most" | wc -l)" ]
	[ "$(jq -r 'select(.record == "row") | 1' "$BATS_TEST_TMPDIR/most" | wc -l)" -gt "$(jq -r 'select(.record == "row") | 1' "$BATS_TEST_TMPDIR/json" | wc -l)" ]
	of "$OOM" memowner caches -f module=leaky | grep -q '^warning: module is the one that made the cache: '
	has_no_line -q '^warning: module is the one' <(of "$OOM" memowner caches -f cache=leaky_cache)
}

@test "objects: what their slabs have beside them is that of caches" {
	local line

	line=$(of "$STOCK" memowner objects -f cache=ext4_inode_cache | grep '^slabs of the caches that were looked at have ')
	[ "$line" = "slabs of the caches that were looked at have $(of "$STOCK" memowner caches -f cache=ext4_inode_cache | awk '$NF == "ext4_inode_cache" { print $2 }'), of it 798.4K objects in use: memowner caches has all" ]
	has_no_line -q '^slabs of the caches' <(of "$OOM" memowner objects -f cache=leaky_cache)
}

@test "pages -g mapper: huge pages of hugetlbfs are in no page table that is walked, which is told" {
	local h=hstates/hstate value

	# The pool of the other size has three huge pages of this one, of which two are in use.
	value=$h.order:4=9,$h.nr_huge_pages:8=3,$h.free_huge_pages:8=1,$h.nr_huge_pages_node:4=3,$h.free_huge_pages_node:4=1

	printf "memowner_poke $value memowner pages %s\n" '-g mapper' '-g class' '-g mapper -X class=hugetlb' '-f mapper=1' > "$BATS_TEST_TMPDIR/poke"
	"$BUILD/tested" --vmlinux "$STOCK/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$STOCK/vmcore" > "$BATS_TEST_TMPDIR/text" 2>&1
	[ "$(grep -c -x 'warning: mapper is unknown of the 4.0M of huge pages (hugetlb) that are in use: processes -o +hugetlb_bytes and files -f class=hugetlb have them' "$BATS_TEST_TMPDIR/text")" = 2 ]
	echo "memowner_poke $value,$h.free_huge_pages_node+4:4=1 memowner pages -g mapper" > "$BATS_TEST_TMPDIR/poke"
	"$BUILD/tested" --vmlinux "$STOCK/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$STOCK/vmcore" 2>&1 |
		grep -q '^warning: mapper of huge pages unknown: hstate of order 9: '
	# None of them is in use.
	of "$STOCK" memowner pages -g mapper > "$BATS_TEST_TMPDIR/whole"
	grep -q MAPPER "$BATS_TEST_TMPDIR/whole"
	refute grep 'mapper is unknown' "$BATS_TEST_TMPDIR/whole"
}

@test "a setting that its file does not take is corrupt, and said" {
	echo 'memowner_poke vm_dirty_bytes:8=16 memowner case -a' > "$BATS_TEST_TMPDIR/poke"
	"$BUILD/tested" --vmlinux "$OUTSIDE/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$OUTSIDE/vmcore" > "$BATS_TEST_TMPDIR/text" 2>&1
	grep -q -x 'warning: the value of 1 setting is corrupt: dirty_bytes is 16, which its file takes from 8192 on' "$BATS_TEST_TMPDIR/text"
	grep -q -E '^vm\.dirty_bytes +- ' "$BATS_TEST_TMPDIR/text"
	echo 'memowner_poke vm_dirty_bytes:8=16 memowner case -a -j' > "$BATS_TEST_TMPDIR/poke"
	"$BUILD/tested" --vmlinux "$OUTSIDE/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$OUTSIDE/vmcore" 2> /dev/null | jq -e -s 'map(select(.record == "summary"))[-1].complete == false'
}
