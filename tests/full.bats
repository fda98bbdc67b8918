#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# $SAMPLE has file systems that are full (scripts/sample/guest/full): memowner filesystems beside df, and the summary.

load helper

setup_file() {
	export DIR=$BUILD/samples/$SAMPLE OUT=$BATS_FILE_TMPDIR
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" filesystems -n 0 -j > "$OUT/found"
}

@test "size, what is in use and what is available are those of df" {
	diff <(awk '$6 ~ /^\/(run|data|small)$/ { print $6, $2 * 1024, $3 * 1024, $4 * 1024 }' "$DIR/truth/df" | sort) \
		<(jq -r 'select(.record == "row") | "\(.mount) \(.bytes) \(.used_bytes) \(.available_bytes)"' "$OUT/found" | sort)
	# nr_inodes=100, of which the root is one.
	jq -e -s 'map(select(.mount == "/run"))[0] | .max_inodes == 100 and .free_inodes < 100' "$OUT/found"
	[ "$(jq -r 'select(.record == "summary") | .complete' "$OUT/found")" = true ]
	[ "$(jq -r 'select(.mount == "/data") | .fs_type + " " + .disk_id' "$OUT/found")" = 'ext4 ram0' ]
}

@test "a removed file that is open is one with its blocks" {
	read -r _ blocks < "$DIR/truth/log_bytes"
	[ "$(jq -r 'select(.mount == "/data") | "\(.removed_files) \(.removed_bytes)"' "$OUT/found")" = "1 $((blocks * 512))" ]
	[ "$(jq -r 'select(.mount == "/small") | "\(.removed_files) \(.removed_bytes)"' "$OUT/found")" = '0 0' ]
}

@test "the summary names the largest that is full, and who keeps the file" {
	local line
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" memowner > "$OUT/text"
	line=$(grep '^stuck' "$OUT/text")
	[[ $line = *'the file system /data (ext4 on ram0) is full: of '*' nothing is left for processes; '* ]]
	[[ $line = *"/data/log/query.log (deleted), which sleep ($(cat "$DIR/truth/holder")) has open" ]]
	grep -F -q 'memowner VMCORE filesystems' "$OUT/text"
	refute grep -F -q '/small' <<< "$line"
}

@test "without pages of the cache the super block of ext4 is missing: what is available is unknown, the size that of the disk" {
	local filtered=$OUT/filtered
	cp "$DIR/vmcore" "$filtered"
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" pfn:0-0xffff -j |
		jq -r 'select(.class == "file") | .pfn' > "$OUT/pfns"
	[ -s "$OUT/pfns" ]
	"$BUILD/tools/kdump" drop "$filtered" - < "$OUT/pfns"
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$filtered" filesystems -f mount=/data -j > "$OUT/cut"
	[ "$(jq -r 'select(.record == "row") | .available_bytes' "$OUT/cut")" = null ]
	[ "$(jq -r 'select(.record == "row") | .unused_bytes' "$OUT/cut")" = "$(jq -r 'select(.mount == "/data") | .unused_bytes' "$OUT/found")" ]
	jq -r 'select(.record == "summary") | "\(.complete) \(.sizes_complete) \(.warnings[])"' "$OUT/cut" |
		grep -q '^false true USED, AVAIL, USE% and INODES of [1-9]* file systems\? are unknown, and SIZE at most that, by the disk: the super block, '
	[ "$(jq -r 'select(.record == "row") | .used_bytes' "$OUT/cut")" = null ]
	# mke2fs made it as large as its disk.
	[ "$(jq -r 'select(.record == "row") | .bytes' "$OUT/cut")" = "$(jq -r 'select(.mount == "/data") | .bytes' "$OUT/found")" ]
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$filtered" memowner > "$OUT/text"
	grep -q '^stuck .*the file system /data (ext4 on ram0) may be full: of .* is free, and how much of that root alone may use is not in this dump' "$OUT/text"
}
