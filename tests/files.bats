#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Files with page cache and shared memory on synthetic kernels (tests/kernels/files_7_3.c): paths
# through mounts, users, swap; what is damaged is unknown.

load helper

# files KERNEL [FILTER]: a line for each row, and the warnings that are about files.
files() {
	synthetic "$1" "memowner files -j ${2:-}" | jq -r 'def text: map(if . == null then "-" else tostring end) | join("|");
		if .record == "row" then [.file, .class, .file_kind, .fs_type, .device, .deleted, .pages, .swapped_pages, .dirty_pages,
			.writeback_pages, .mlocked_pages, .mapped_pages, .difference_pages, .opened_by, .mapped_by, .used_by] | text
		elif .record == "total" then [.name, .pages] | text
		elif .record == "summary" then .warnings[] | select(test("^users|path|swap|the file of")) else empty end'
}

expected() {
	cat <<-'END'
		/spool/trace.log (deleted)|shmem|tmpfs|tmpfs|0:37|true|20|2|20|0|0|0|0|10(hog)||10(hog)
		/spool/old|shmem|tmpfs|tmpfs|0:37|false|0|7|0|0|0|0|0|||
		/data/app.log|file|regular|ext4|8:1|false|3|-|1|1|1|1|0||1(init)|1(init)
		/memfd:cache (deleted)|shmem|memfd|tmpfs|0:3|true|2|0|2|0|0|0|0||1(init)|1(init)
		[block device 8:1]|file|block_device|bdev|8:1|false|2|-|0|0|0|0|0|||
		/SYSV00000001 (deleted)|shmem|sysv_shm|tmpfs|0:3|true|1|0|1|0|0|0|0|||
		/box/inner|shmem|tmpfs|tmpfs|0:38|false|1|0|1|0|0|0|0|||
		[tmpfs, not mounted]/left|shmem|tmpfs|tmpfs|0:39|false|1|0|1|0|0|0|0|||
		[truncated]|shmem|-|-|-|-|1|-|0|0|0|0|-|-|-|-
		/data/swapfile|file|swapfile|ext4|8:1|false|1|-|0|0|0|0|0|||
		[inode 77 of ext4 sda1]|file|regular|ext4|8:1|false|1|-|0|0|0|0|-1|||
		[truncated]|file|-|-|-|-|1|-|0|0|0|0|-|-|-|-
		-|file|-|-|-|-|1|-|0|0|0|0|-|-|-|-
		file|9
		shmem|26
		the file of 1 page is unknown: 1 address_space or inode not in this dump, or corrupt
	END
}

@test "each page is of one file, with its path, kind, swap and users, in both forms of mounts and aliases" {
	diff <(expected) <(files files_7_3)
	diff <(expected) <(files files_7_3-6_12)
}

@test "filters: deleted files, kinds, paths; the pages of all rows are those of the classes" {
	[ "$(files files_7_3 '-f deleted=yes' | head -n 1 | cut -d '|' -f 1)" = '/spool/trace.log (deleted)' ]
	# What the name says, the column and the filter say.
	[ "$(files files_7_3 '-f deleted=yes' | grep '|shmem|' | cut -d '|' -f 1 | sort | xargs)" = \
		'/SYSV00000001 (deleted) /memfd:cache (deleted) /spool/trace.log (deleted)' ]
	has_no_line -F '(deleted)|' <(files files_7_3 '-f deleted=no')
	# A file is found by the path that it had.
	[ "$(files files_7_3 '-f file=/spool/trace.log' | head -n 1 | cut -d '|' -f 1)" = '/spool/trace.log (deleted)' ]
	[ "$(files files_7_3 '-f deleted=yes -f file_kind=tmpfs' | grep -c '|shmem|')" = 1 ]
	[ "$(files files_7_3 '-f file_kind=memfd,sysv_shm -s file' | cut -d '|' -f 1 | head -n 2 | xargs)" = '/SYSV00000001 (deleted) /memfd:cache (deleted)' ]
	[ "$(files files_7_3 '-f file=/data/*' | grep -c ext4)" = 2 ]
	[ "$(files files_7_3 '-X fs_type=tmpfs,ext4' | sed -n 1p | cut -d '|' -f 1)" = '[block device 8:1]' ]
	synthetic files_7_3 'pageowner -m -j' > "$BATS_TEST_TMPDIR/memory"
	[ "$(jq -r 'select(.class == "file" or .class == "shmem") | .pages' "$BATS_TEST_TMPDIR/memory" | sort -n | xargs)" = '9 26' ]
}

# groups KERNEL KEYS [FILTER]: a line for each group.
groups() {
	synthetic "$1" "memowner files -g $2 -j ${3:-}" | jq -r --arg keys "$2" 'def text: map(if . == null then "-" else tostring end) | join("|");
		select(.record == "row") | . as $row | [.files, .pages, .swapped_pages, ($keys | split(",")[] | $row[.])] | text'
}

@test "-g: files by mount, directory, process, whether they are deleted; times of inodes" {
	local kernel

	for kernel in files_7_3 files_7_3-6_12; do
		diff <(groups $kernel mount | sort) - <<- 'END'
			1|1|-|-
			1|1|0|/box
			1|2|-|[bdev, not mounted]
			2|20|9|/spool
			2|2|-|[truncated]
			3|4|0|[tmpfs, not mounted]
			3|5|-|/data
		END
		diff <(groups $kernel deleted,class -f\ class=shmem) - <<- 'END'
			3|23|2|true|shmem
			3|2|7|false|shmem
			1|1|-|-|shmem
		END
		[ "$(groups $kernel process '-f file=/spool/trace*' | head -n 1)" = '1|20|2|10(hog)' ]
		groups $kernel dir > "$BATS_TEST_TMPDIR/dirs"
		grep -q -x '2|20|9|/spool' "$BATS_TEST_TMPDIR/dirs"
		grep -q -x '1|2|0|\[memfd\]' "$BATS_TEST_TMPDIR/dirs"
		[ "$(synthetic $kernel 'memowner files -j' | jq -r 'select(.file == "/data/app.log") | "\(.mtime_utc_s) \(.ctime_utc_s)"')" = '1700000012 1800000012' ]
	done
	[ "$(groups files_7_3 dir '-f bytes=20K..' | wc -l)" = 1 ]
}

@test "the cgroup that most pages of a file are charged to is the one of all, or of files of several; -f finds both" {
	local all="$BATS_TEST_TMPDIR/all" memcg
	local -a files=("$BUILD/memowner" "$BUILD/samples/6.1-stock-outside/vmcore" files -n 0 -j -o memcg,most_memcg,pages)

	"${files[@]}" | jq 'select(.record == "row" and .pages > 0)' > "$all"
	jq -e -s 'all(.memcg == .most_memcg or (.memcg == "[not charged]" or .memcg == "[several]"))
		and any(.memcg == "[several]" and .most_memcg)
		and any(.memcg == "[several]" and (.most_memcg | not))' "$all"
	memcg=$(jq -r 'select(.memcg == "[several]" and .most_memcg) | .most_memcg' "$all" | head -n 1)
	"${files[@]}" -f "most_memcg=$memcg" | jq -s '[.[] | select(.record == "row")]' > "$all.one"
	jq -e 'any(.memcg == "[several]") and all(.most_memcg == $m)' --arg m "$memcg" "$all.one"
	jq -e -s --arg m "$memcg" 'map(select(.most_memcg == $m)) | length == $n' --argjson n "$(jq length "$all.one")" "$all"
}

@test "an address and the summary name the file and its users" {
	synthetic files_7_3 'pageowner pfn:0x10' | grep -q '^  now shmem of /spool/trace.log (deleted), '
	synthetic files_7_3 'pageowner pfn:0x8008' | grep -q '^  now file of an unknown file, '
	synthetic files_7_3 'memowner' > "$BATS_TEST_TMPDIR/text"
	grep -q -x '  file       80.0K  41.7%  /spool/trace.log (deleted), in swap 8.0K, used by hog (10)' "$BATS_TEST_TMPDIR/text"
	grep -q -x '  file          0B   0.0%  /spool/old, in swap 28.0K' "$BATS_TEST_TMPDIR/text"
	grep -q -x '  memowner files  # files by their page cache and shared memory' "$BATS_TEST_TMPDIR/text"
}

@test "many small files: the summary names their file system, and how many they are" {
	synthetic files_7_3-small 'memowner' > "$BATS_TEST_TMPDIR/text"
	grep -q -x '  tmpfs      24.0K  12.5%  /spool: 6 files, 6 of them deleted (24.0K)' "$BATS_TEST_TMPDIR/text"
	# Nobody else has them.
	grep -q -x '   held      24.0K  12.5%  no process: 6 deleted files that none has open or maps: the kernel keeps them' "$BATS_TEST_TMPDIR/text"
	# Those that have a line of their own are not among them.
	grep -q -x '  file       80.0K  41.7%  /spool/trace.log (deleted), in swap 8.0K, used by hog (10)' "$BATS_TEST_TMPDIR/text"
	synthetic files_7_3-small 'memowner -j' | jq -r 'select(.record == "holder") | "\(.user_kind) \(.name) \(.pages) \(.swapped_pages)"' > "$BATS_TEST_TMPDIR/rows"
	[ "$(cat "$BATS_TEST_TMPDIR/rows")" = $'tmpfs /spool 6 0\nheld no process 6 null' ]
	[ "$(grep -c -x '  memowner files  # files by their page cache and shared memory' "$BATS_TEST_TMPDIR/text")" = 1 ]
	# Single files explain the rest.
	has_no_line '^  tmpfs ' <(synthetic files_7_3 memowner)
}

@test "rings of AIO have a link and no name: they are of the process that has them mapped, or of none" {
	synthetic files_7_3-rings memowner > "$BATS_TEST_TMPDIR/text"
	grep -q -F ' no process: 8 rings of io_setup() that none has open or maps: the kernel keeps them' "$BATS_TEST_TMPDIR/text"
	grep -q -x -F '  memowner files -f fs_type=aio -g process  # files by their page cache and shared memory' "$BATS_TEST_TMPDIR/text"
	[ "$(synthetic files_7_3-rings 'memowner files -f fs_type=aio -g process -j' | jq -r 'select(.record == "row" and .process == "[none]") | .files')" -ge 6 ]
}

@test "deleted files that events of fanotify keep are of the process that has not read them" {
	synthetic files_7_3-events 'memowner' | tr -s ' \n' ' ' > "$BATS_TEST_TMPDIR/text"
	grep -q -F ' held 20.0K 10.4% hog (10): 5 deleted files that its fanotify queue keeps, which has 6 events that were not read and no limit ' \
		"$BATS_TEST_TMPDIR/text"
	# Where the summary sends who reads that, they are as many.
	[ "$(synthetic files_7_3-events 'memowner files -f deleted=yes -g process -j' |
		jq -r 'select(.record == "row" and .process == "fanotify queue of 10(hog)") | "\(.files) \(.bytes)"')" = '5 20480' ]
	[ "$(synthetic files_7_3-events 'memowner files -f used_by=hog -j' | jq -r 'select(.record == "row").used_by' | grep -c -x 'fanotify queue of 10(hog)')" = 5 ]
	# To 5.6 an event has its path itself.
	[ "$(synthetic files_7_3-events_5_6 'memowner files -f deleted=yes -g process -j' |
		jq -r 'select(.record == "row" and .process == "fanotify queue of 10(hog)") | "\(.files) \(.bytes)"')" = '5 20480' ]
}

@test "a segment of System V that no process has attached: who made it, and what is left of that one" {
	synthetic files_7_3-segments 'memowner' | tr -s ' \n' ' ' > "$BATS_TEST_TMPDIR/text"
	grep -q -F ' sysv_shm 28.0K 14.6% SysV shared memory /SYSV00000001, which no process has attached: made by user 26, process 118, which has ended ' \
		"$BATS_TEST_TMPDIR/text"
	synthetic files_7_3-segments 'memowner -j' > "$BATS_TEST_TMPDIR/json"
	[ "$(jq -r 'select(.record == "holder") | "\(.user_kind) \(.pages)"' "$BATS_TEST_TMPDIR/json")" = 'sysv_shm 7' ]
	[ "$(synthetic files_7_3-segments 'memowner files -f deleted=yes -o file,shm_id,attaches,created_by -j' |
		jq -r 'select(.record == "row") | [.file, .shm_id, .attaches, .created_by] | join("|")' | sort)" = \
		$'/SYSV00000001 (deleted)|0|0|118(ended)\n/memfd:cache (deleted)|1|1|10(hog)\n/spool/trace.log (deleted)|||' ]
	# A kernel that has none of their types has no segments, and nothing is missing.
	[ "$(synthetic files_7_3 'memowner files -o file,shm_id -j' | jq -r 'select(.record == "summary").warnings[]' | grep -c 'System V')" = 0 ]
}

@test "a file system of which no file has most has one row, with what is in swap; no file of it has another" {
	synthetic files_7_3-spill 'memowner' > "$BATS_TEST_TMPDIR/text"
	grep -q -x '  tmpfs      80.0K  41.7%  /spool: 2 files of 176.0K, 96.0K of it in swap, the largest /spool/trace.log (deleted) 88.0K used by hog (10)' \
		"$BATS_TEST_TMPDIR/text"
	refute grep -E '^  file .*/spool' "$BATS_TEST_TMPDIR/text"
}

@test "files that reclaim cannot have: the class says so, and their file system or who locked them has a row" {
	synthetic files_7_3-ramfs 'memowner' > "$BATS_TEST_TMPDIR/text"
	grep -q -x '  file       36.0K  18.8%  high: 20.0K unevictable, mlocked 4.0K' "$BATS_TEST_TMPDIR/text"
	grep -q -x '  ramfs      20.0K  10.4%  /data: 3 files, the largest /data/app.log 12.0K, cannot be reclaimed' "$BATS_TEST_TMPDIR/text"
	synthetic files_7_3-mlocked 'memowner' > "$BATS_TEST_TMPDIR/text"
	grep -q -x '  file       56.0K  29.2%  high: 24.0K unevictable, mlocked 24.0K' "$BATS_TEST_TMPDIR/text"
	grep -q -x '  held       24.0K  12.5%  init (1): 1 file mlocked, the largest /data/app.log 24.0K' "$BATS_TEST_TMPDIR/text"
	# The command that the story names has the sum.
	[ "$(synthetic files_7_3-mlocked 'memowner files -f used_by=1 -f mlocked_pages=1.. -g class -o +mlocked_pages -j' | jq -c 'select(.record == "row") | [.files, .mlocked_pages]')" = '[1,6]' ]
	# What mlock() alone keeps can be written out; the mapping of hog has not locked it.
	refute grep -E '^  [a-z].*(/data:|hog \(10\): )' "$BATS_TEST_TMPDIR/text"
	# A mapping that is not locked, a few pages that are: none is told.
	has_no_line -E ' unevictable|files? mlocked' <(synthetic files_7_3 memowner)
}

@test "network namespaces in which no process lives are told where slabs are large" {
	synthetic files_7_3-nets memowner | tr -s ' \n' ' ' > "$BATS_TEST_TMPDIR/text"
	grep -q -F '~network namespaces: 120, in 119 of them no process lives, at least 1 of them is mounted, one at /spool; sockets, tables and devices of each are in kmalloc and other caches; candidate' \
		"$BATS_TEST_TMPDIR/text"
	refute grep -q 'cache=net_namespace' "$BATS_TEST_TMPDIR/text"
	[ "$(synthetic files_7_3-nets 'memowner -j' | jq -r 'select(.record == "missing" and .name == "users of network namespaces") | .remark')" = \
		'the files of 1 namespace are unknown: they are not in this dump' ]
	[[ "$(synthetic files_7_3-astray 'memowner -j' | jq -r 'select(.name == "network namespaces") | "\(.record) \(.remark)"')" = \
		'missing net_namespace_list: the link back of '* ]]
}

# What a damaged kernel says otherwise: lines of expected(), changed by sed, and a warning.
otherwise() {	# CASE SED [WARNING]
	diff <(expected | sed -e "$2"; [ -z "${3:-}" ] || echo "$3") <(files "files_7_3-$1")
}

@test "mounts that loop, paths that loop: the inode is told, its path is unknown" {
	otherwise chain 's/^\[tmpfs, not mounted\]\/left|shmem|tmpfs|tmpfs|0:39|false/[inode 7 of tmpfs tmpfs]|shmem|-|tmpfs|0:39|-/' \
		"$(files files_7_3-chain | grep '^the path of 1 file is unknown: mounts of a super_block loop at 0x')"
	otherwise names 's/^\/spool\/trace.log (deleted)|shmem|tmpfs|tmpfs|0:37|true/[inode 2 of tmpfs tmpfs]|shmem|-|tmpfs|0:37|-/
		s/^\/spool\/old|shmem|tmpfs|tmpfs|0:37|false/[inode 3 of tmpfs tmpfs]|shmem|-|tmpfs|0:37|-/' \
		"$(files files_7_3-names | grep '^the path of 2 files is unknown: ')"
}

@test "users: VMAs that loop, tables that cannot be or are not in the dump: unknown, never none" {
	otherwise maps '/app.log/s/|1(init)|1(init)$/|-|-/
		/app.log/s/||-/||-/' "$(files files_7_3-maps | grep '^users of files may be missing: i_mmap: rb_node at 0x.* is not below 0x')"
	# Who maps a file is not known either: a process may lack.
	otherwise fds '/^\/\|^\[[bit][lmn]/s/|10(hog)||10(hog)$/|-|-|-/
		/^\/\|^\[[bit][lmn]/s/|||$/|-|-|-/
		s/||1(init)|1(init)$/|-|1(init), others unknown|1(init), others unknown/' \
		"$(files files_7_3-fds | grep '^users of files may be missing: fdtable at 0x.* has 4294967295 descriptors')"
	# Of a file that no process uses that is known; the file system of that kernel is btrfs.
	otherwise alone 's/|10(hog)||10(hog)$/|||/
		s/ext4/btrfs/g
		s/inode 77 of/metadata of/'
	files files_7_3-torn > "$BATS_TEST_TMPDIR/torn"
	grep -q '^\[inode 2 of tmpfs tmpfs\]|shmem|-|tmpfs|0:37|-|20|2|.*|10(hog), others unknown|-|10(hog), others unknown$' "$BATS_TEST_TMPDIR/torn"
	grep -q '^the path of 6 files is unknown: mount at 0x.* is not in this dump$' "$BATS_TEST_TMPDIR/torn"
	refute grep -q 'not mounted' "$BATS_TEST_TMPDIR/torn"
}

@test "a list of inodes in swap that loops is told; what it had is there" {
	otherwise swap '' "$(files files_7_3-swap | grep '^files that are in swap may be missing: shmem_swaplist loops at 0x')"
}

@test "a file in swap of whose other pages none is found: how many it has is unknown, not 0" {
	files files_7_3-absent > "$BATS_TEST_TMPDIR/absent"
	grep -q -x '/spool/old|shmem|tmpfs|tmpfs|0:37|false|-|7|-|-|-|-|-|||' "$BATS_TEST_TMPDIR/absent"
	[ "$(files files_7_3-absent '-f size=0' | grep -c '|shmem|')" = 0 ]
	synthetic files_7_3-absent 'memowner' | grep -q -x '  file           -      -  /spool/old, in swap 28.0K'
}

@test "filters that keep no row say so; no empty line is before the tables behind the rows" {
	local said

	said=$(synthetic files_7_3 'memowner files -f fs_type=nix')
	grep -q '^NAME ' <<< "$(head -n 1 <<< "$said")"
	grep -q -x 'filters kept 0 of 13 files' <<< "$said"
	synthetic files_7_3 'memowner files -f fs_type=ext4 -n 2' | grep -q -x 'filters kept 3 of 13 files'
	said=$(synthetic slabexts_7_3 'memowner caches -f cache=nix')
	grep -q '^NAME ' <<< "$(head -n 1 <<< "$said")"
	grep -q -E '^filters kept 0 of [1-9][0-9]* caches?$' <<< "$said"
	synthetic memcg_6_12 'memowner cgroups -f memcg=nix' | grep -q -E '^filters kept 0 of [1-9][0-9]* cgroups?$'
	synthetic tasks_6_12 'memowner processes -f comm=nix' | grep -q -E '^filters kept 0 of [1-9][0-9]* process(es)?$'
}

@test "where memory is short and no report says so, the summary has the pressure of the machine, or why there is none" {
	synthetic files_7_3-full memowner > "$BATS_TEST_TMPDIR/text"
	grep -q -x 'reclaim   this kernel has no PSI' "$BATS_TEST_TMPDIR/text"
	has_no_line '^reclaim' <(synthetic files_7_3 memowner)
}
