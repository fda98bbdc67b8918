#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A stock kernel, $SAMPLE, before and after leaks of 300 MiB each (scripts/sample/guest/growth): -d shows each first
# in every view that has it, beside the dump of before and beside the kernel's own files of before.

load helper

NOUNS_DIFF='classes pages caches objects files filesystems processes cgroups vmalloc zones fragmentation bpf counted sockets shrinkers faults holders'

# Stock kernels of arm64 up to 6.8 keep no symbols of data.
before() {
	"$BUILD/memowner" --vmlinux "${NOW%/*}/vmlinux" "$BEFORE" "$@"
}

setup_file() {
	local noun

	export AREAS OUT=$BATS_FILE_TMPDIR NOW=$BUILD/samples/$SAMPLE/vmcore BEFORE=$BUILD/samples/$SAMPLE-before/vmcore TRUTH=$BUILD/samples/$SAMPLE/truth
	# Who asks for the array of BPF: what is inline depends on the compiler.
	AREAS=$(grep -o -E 'array_map_alloc|bpf_map_area_alloc' "$TRUTH/vmallocinfo" | sort | uniq -c | sort -n | awk 'END { print $2 }')
	[ -n "$AREAS" ]
	for noun in $NOUNS_DIFF; do
		before $noun -j > "$OUT/$noun.before"
		"$BUILD/memowner" "$NOW" $noun -d "$OUT/$noun.before" -j > "$OUT/$noun"
	done
	before -j > "$OUT/summary.before"
	"$BUILD/memowner" "$NOW" -d "$OUT/summary.before" -j > "$OUT/summary"
}

rows() {	# FILE FILTER
	jq -r "select(.record == \"row\") | $2" "$1"
}

# leaked FILE NAME...: these rows are the first, in any order, and grew by 300 MiB, less what else a page or two of the
# class was freed of, and at most a fifth more.
leaked() {
	diff <(printf '%s\n' "${@:2}" | sort) <(rows "$1" 'select(.diff_bytes >= 1048576 * '${LEAST:-299}' and .diff_bytes < 377487360 and
		(.change == "grown" or .change == "new")) | .name' | sort) &&
		[ "$(rows "$1" .name | head -n $(($# - 1)) | sort)" = "$(printf '%s\n' "${@:2}" | sort)" ]
}

@test "each leak is first in every view that has it" {
	leaked "$OUT/classes" anon shmem slab vmalloc direct
	leaked "$OUT/pages" anon shmem slab vmalloc direct
	leaked "$OUT/summary" anon shmem slab vmalloc direct
	leaked "$OUT/files" '/run/spool (deleted)'
	leaked "$OUT/filesystems" '/run tmpfs'
	leaked "$OUT/processes" web-worker
	leaked "$OUT/cgroups" /web /names
	leaked "$OUT/objects" dentry
	leaked "$OUT/bpf" 'map array'
	leaked "$OUT/counted" 'packet rx'
	# Of memory of no single root, which is memory too: three of the leaks are in the slabs, direct and vmalloc. Where
	# names of variables are missing there may be more roots, so that how much each grew is unknown.
	if jq -s -e '.[-1].warnings | any(contains("KALLSYMS_ALL"))' "$OUT/holders" > /dev/null; then
		missing=yes
		[ -z "$(rows "$OUT/holders" 'select(.diff_bytes) | .name')" ]
		jq -r '.warnings[]?' "$OUT/holders" | grep -q '^the growth of .* is unknown; by what was read it is largest of ~several modules, or a module and vmlinux, from'
	else
		[ "$(rows "$OUT/holders" 'select(.diff_bytes >= 1048576 * 299 * 3 and .change == "grown") | .name' | head -n 1)" = "$(rows "$OUT/holders" .name | head -n 1)" ]
	fi
	leaked "$OUT/sockets" PACKET
	leaked "$OUT/vmalloc" "$AREAS"
	# What is free is less by all of them.
	[ "$(rows "$OUT/zones" '.diff_bytes / 1048576 | floor' | sort -n | head -n 1)" -lt -1490 ]
	[ "$(rows "$OUT/zones" .diff_bytes | head -n 1)" = "$(rows "$OUT/zones" .diff_bytes | sort -n | head -n 1)" ]
	[ "$(rows "$OUT/fragmentation" .diff_bytes | head -n 1)" = "$(rows "$OUT/fragmentation" .diff_bytes | sort -n | head -n 1)" ]
	rows "$OUT/fragmentation" '.diff_bytes' | awk '{ sum += $1 } END { exit sum / 1048576 > -1490 }'
	# 1,024 names for each of 1,683 less 43 times.
	[ "$(rows "$OUT/shrinkers" 'select(.diff_count) | "\(.name) \(.diff_count / 1000 | round)"' | head -n 1 | sed 's/^sb-ext4:[^ ]* /sb-sysfs /')" = 'sb-sysfs 1679' ]
	# Faults are told by second of life, so who is first, or grew, depends on how fast the guest is: rates are those of
	# both dumps.
	rate() {	# NAME FILE: of all threads of that name
		jq -s --arg name "$1" '[.[] | select(.record == "row" and .comm == $name) | .rate_milli] | add' "$2"
	}
	"$BUILD/memowner" "$NOW" faults -n 0 -j > "$OUT/rates.before"
	want=$(rate web-worker "$OUT/rates.before") before=$(rate web-worker "$OUT/faults.before")
	[ "$want" -gt 0 ]
	[ "$(rows "$OUT/faults" 'select(.name == "web-worker") | "\(.rate_milli) \(.before_rate_milli) \(.diff_rate_milli)"')" = "$want $before $((want - before))" ]
	[ "$(rows "$OUT/faults" .diff_rate_milli | head -n 1)" = "$(rows "$OUT/faults" .diff_rate_milli | sort -n -r | head -n 1)" ]
	for file in "$OUT"/*[a-z]; do
		case $file in *.before) continue ;; esac
		"$TESTS/tools/validate" "$file"
		[ "$file" != "$OUT/holders" ] || [ -z "$missing" ] || continue
		[ "$(jq 'select(.record == "summary") | .complete' "$file")" = true ]
	done
}

# near FILE FILE: lines "NAME BYTES" of the same names, whose bytes differ by no more than a megabyte.
near() {
	diff <(cut -d ' ' -f 1 "$1") <(cut -d ' ' -f 1 "$2") && [ -s "$1" ] &&
		[ "$(join "$1" "$2" | awk '{ n = $2 - $3; if (n > 1048576 || n < -1048576) print }')" = '' ]
}

@test "slab caches: the difference is that of /proc/slabinfo of the two times" {
	leaked "$OUT/caches" dentry
	awk 'FNR < 3 { next } NR == FNR { before[$1] = $15 * $6; next } { n = $15 * $6 - before[$1]; if (n > 4096 || n < -4096) print $1, n * 4096 }' \
		"$TRUTH/before_slabinfo" "$TRUTH/slabinfo" | sort > "$OUT/told"
	rows "$OUT/caches" 'select(.diff_bytes > 16777216 or .diff_bytes < -16777216) | "\(.name) \(.diff_bytes)"' | sort > "$OUT/found"
	near "$OUT/told" "$OUT/found"
	"$BUILD/memowner" "$NOW" caches -d "$TRUTH/before_slabinfo" -j > "$OUT/text"
	rows "$OUT/text" 'select(.diff_bytes != null and (.diff_bytes > 16777216 or .diff_bytes < -16777216)) | "\(.name) \(.diff_bytes)"' | sort > "$OUT/found"
	near "$OUT/told" "$OUT/found"
}

@test "beside the kernel's own files of before: the same" {
	local t=$OUT/text

	text() {	# NOUN FILE
		"$BUILD/memowner" "$NOW" "$1" -d "$TRUTH/before_$2" -j > "$t"
		"$TESTS/tools/validate" "$t"
	}
	text classes meminfo
	# Free pages in lists of CPUs are among direct there, and there are fewer now.
	LEAST=280 leaked "$t" anon shmem slab vmalloc direct
	text vmalloc vmallocinfo
	leaked "$t" "$AREAS"
	text processes proc_status
	leaked "$t" web-worker
	text zones zoneinfo
	[ "$(rows "$t" '.diff_bytes / 1048576 | floor' | sort -n | head -n 1)" -lt -1490 ]
	text zones buddyinfo
	[ "$(rows "$t" '.diff_bytes / 1048576 | floor' | sort -n | head -n 1)" -lt -1490 ]
}

@test "by each key: the rows of a leak are first" {
	by() {	# KEY
		before pages -g "$1" -j > "$OUT/by.before"
		"$BUILD/memowner" "$NOW" pages -g "$1" -d "$OUT/by.before" -j > "$OUT/by"
	}

	by file
	leaked "$OUT/by" '[anon]' '/run/spool (deleted)' '[slab]' '[vmalloc]' '[direct]'
	by cache
	leaked "$OUT/by" '[anon]' '[shmem]' dentry '[vmalloc]' '[direct]'
	by memcg
	[ "$(rows "$OUT/by" .name | head -n 4 | sort | xargs)" = '/ /web [by object] [not charged]' ]
}

@test "before beside now: each leak is what shrank most" {
	"$BUILD/memowner" "$NOW" classes -j > "$OUT/now"
	[ "$(before classes -d "$OUT/now" -r -n 5 -j | jq -r 'select(.record == "row") | .name' | sort | xargs)" = 'anon direct shmem slab vmalloc' ]
}

@test "meminfo: direct is what the counters leave, stacks once; unknown where lines are missing" {
	local t=$OUT/text direct='select(.name == "direct") | "\(.change) \(.bytes) \(.diff_bytes)"' want

	"$BUILD/memowner" "$NOW" classes -d "$TRUTH/meminfo" -j > "$t"
	want=$(rows "$t" "$direct")
	# Threads that end: VmallocUsed has their stacks too.
	awk '$1 == "KernelStack:" || $1 == "VmallocUsed:" { $2 += 100000 } $1 == "MemFree:" { $2 -= 100000 } { print }' "$TRUTH/meminfo" > "$OUT/stacks"
	"$BUILD/memowner" "$NOW" classes -d "$OUT/stacks" -j > "$t"
	[ "$(rows "$t" "$direct")" = "$want" ]
	for n in 3 30; do
		head -n "$n" "$TRUTH/before_meminfo" > "$OUT/part"
		"$BUILD/memowner" "$NOW" classes -d "$OUT/part" -j > "$t"
		[ "$(rows "$t" "$direct")" = 'null null null' ]
		# Those first of whose class there is a row.
		jq -r 'select(.record == "summary") | .unknown[0].reason' "$t" > "$OUT/reason"
		grep -q -x -E "$OUT/part is not all of /proc/meminfo: it has no (Percpu|Cached \+ Buffers - Shmem)" "$OUT/reason"
	done
}

@test "whose arrays of BPF are is known: no pointers are followed for their areas" {
	# Of these pointers there is no room for all without a file.
	TMPDIR=$OUT/none "$BUILD/memowner" "$NOW" > "$OUT/screen"
	grep -q 'bpf .* filter (' "$OUT/screen"
	refute grep -q '^unknown .*pointers' "$OUT/screen"
}
