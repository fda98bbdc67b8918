#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Dump files that QEMU and makedumpfile wrote, of one guest: the same memory in each.

load helper
bats_require_minimum_version 1.5.0

setup_file() {
	export D=$BATS_FILE_TMPDIR SUM='272 pages, 0 unreadable, 0 corrupt, sum 68c689dd7608d5a6'
	export PATH=$PATH:/usr/sbin:/sbin

	xz -dc "$TESTS/dumps/qemu-7.2-elf.xz" > "$D/elf"
	xz -dc "$TESTS/dumps/qemu-7.2-flat.xz" > "$D/flat"
	# makedumpfile takes program headers at 64 for granted.
	perl -e 'local $/; open F, "<", $ARGV[0]; $_ = <F>; ($at, $n) = (unpack("x32Q", $_), unpack("x56S", $_));
		substr($_, 64, $n * 56) = substr($_, $at, $n * 56); substr($_, 32, 16) = pack("QQ", 64, 0);
		substr($_, 52, 12) = pack("SSSSSS", 64, 56, $n, 64, 0, 0); print' "$D/elf" > "$D/elf64"
	pages -l "$D/elf" > "$D/elf.list"
}

pages() {	# OPTION... FILE...
	timeout 60 "$BUILD/tools/pages" "$@" 2> "${BATS_TEST_TMPDIR:-$D}/err"
}

same() { [ "$(pages "$@")" = "$SUM" ]; }

recode() {	# OPTION... FILE...: of the guest
	timeout 60 makedumpfile "${@:1:$#-1}" "$D/elf64" "${@: -1}" > "$BATS_TEST_TMPDIR/log" 2>&1
}

@test "QEMU's ELF and its flattened kdump have the same memory, byte by byte, in reads of any length" {
	same "$D/elf"
	same "$D/flat"
	same "$D/elf64"
	for n in 8 64 1024; do
		same -u $n "$D/elf"
		same -u $n "$D/flat"
	done
	# Pages of zeros, of text, and one of random bytes, the BIOS twice.
	[ "$(cut -d ' ' -f 2 "$D/elf.list" | sort | uniq -c | sort -rn | awk 'NR == 1 { print $1, $2 }')" = '260 c71c0011' ]
}

@test "makedumpfile's kdump: zlib, lzo, zstd, uncompressed, split, flattened, rearranged" {
	for o in "-c -d 0" "-l -d 0" "-z -d 0" "-d 0" "-c -d 1" "-d 1"; do
		case $o in -z*) makedumpfile -v 2>&1 | grep -q 'zstd.*enabled' || continue ;; esac
		rm -f "$D/k"
		# shellcheck disable=SC2086
		recode $o "$D/k"
		same "$D/k"
	done
	timeout 60 makedumpfile --split -c -d 0 "$D/elf64" "$D"/{s1,s2,s3} > /dev/null 2>&1
	same "$D/s3" "$D/s1" "$D/s2"
	timeout 60 makedumpfile -F -c -d 0 "$D/elf64" > "$D/f" 2> /dev/null
	same "$D/f"
	timeout 60 makedumpfile -R "$D/r" < "$D/f" > /dev/null 2>&1
	same "$D/r"
	rm "$D/r"
	timeout 60 makedumpfile -R "$D/r" < "$D/flat" > /dev/null 2>&1
	same "$D/r"
}

@test "makedumpfile's ELF: what was left out is missing, not zero" {
	recode -E -d 0 "$D/e"
	same "$D/e"
	rm "$D/e"
	recode -E -d 1 "$D/e"
	pages -l "$D/e" | sort > "$D/some"
	[ "$(wc -l < "$D/some")" -lt 272 ]
	# All that it has is as it was, and only pages of zeros are missing.
	[ "$(sort "$D/elf.list" | comm -13 - "$D/some" | grep -v pages)" = '' ]
	[ "$(sort "$D/elf.list" | comm -23 - "$D/some" | grep -v pages | cut -d ' ' -f 2 | sort -u)" = c71c0011 ]
}

@test "a flattened file cut off anywhere: its pages are right or missing" {
	n=$(stat -c %s "$D/flat")
	opened=0
	for ((at = 0; at < n; at += 4999)); do
		head -c $at "$D/flat" > "$D/cut"
		pages -l "$D/cut" > "$D/cut.list" || { [ "$(wc -l < "$BATS_TEST_TMPDIR/err")" = 1 ]; continue; }
		opened=$((opened + 1))
		[ "$(grep -v -E 'pages|unreadable|corrupt' "$D/cut.list" | grep -c -v -x -F -f "$D/elf.list")" = 0 ]
	done
	[ $opened -gt 3 ]
}

@test "with zlib alone the reader builds, and names the method that it lacks" {
	command -v "${CC:-cc}"
	${CC:-cc} -std=gnu11 -D_GNU_SOURCE -I"$TESTS/../lib" -I"$TESTS/../program" -Wall -Wextra -Werror \
		-c -o "$D/codec.o" "$TESTS/../program/file/codec.c"
	# shellcheck disable=SC2046
	${CC:-cc} -o "$D/pages" "$BUILD/tests/tools/pages.o" "$D/codec.o" \
		$(find "$BUILD/program/file" -name '*.o' ! -name codec.o) "$BUILD"/lib/*/*.o -ldw -lelf -lz
	refute grep -q -E 'deflate|lzo|snappy|zstd' <(ldd "$D/pages" | grep -v -E 'libdw|libelf')
	[ "$("$D/pages" "$D/flat" 2> /dev/null)" = "$SUM" ]
	rm -f "$D/k"
	recode -l -d 0 "$D/k"
	[ "$("$D/pages" "$D/k" 2>&1)" = "pages: $D/k: its pages are compressed by lzo, which this build does not have" ]
}

@test "--info says what a file is, one line for what is no dump" {
	run --separate-stderr "$BUILD/memowner" --info "$D/flat"
	[ "$status" = 0 ]
	diff - <(echo "$output") <<-END
		format      flattened kdump, zlib
		machine     x86_64
		block       4096 bytes
		memory      1.1 MiB in 2 ranges
		VMCOREINFO  none
	END
	head -c 100000 "$D/elf" > "$D/cut"
	"$BUILD/memowner" --info "$D/cut" | grep -q '^incomplete  the file ends before its last page: it was cut off\b'
	# A copy that goes on changes the file.
	"$BUILD/memowner" --info "$D/cut" | grep -q 'or is still being written, as it changed less than a minute ago$'
	touch -d '1 hour ago' "$D/cut"
	"$BUILD/memowner" --info "$D/cut" | grep -q '^incomplete  the file ends before its last page: it was cut off$'
	mkdir "$D/kdump"
	cp "$D/cut" "$D/kdump/vmcore"
	"$BUILD/memowner" "$D/kdump/vmcore" case 2>&1 >&- | refute grep 'its log is in'
	: > "$D/kdump/vmcore-dmesg.txt"
	[ "$("$BUILD/memowner" "$D/kdump/vmcore" case 2>&1 > /dev/null | grep -c -x "memowner: its log is in $D/kdump/vmcore-dmesg.txt: memowner --log $D/kdump/vmcore-dmesg.txt")" = 1 ]
	gzip -c "$D/elf" > "$D/elf.gz"
	: > "$D/empty"
	for f in "$D/elf.gz" "$D/empty" "$D" "$D/none" "$TESTS/program_files.bats" /dev/null; do
		run --separate-stderr "$BUILD/memowner" --info "$f"
		[ "$status" = 1 ]
		[ "$output" = '' ]
		[[ "${stderr:?}" = "memowner: $f: "* ]]
	done
}
