#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Dump files with damage of every kind: an answer or one line, never a signal, never a loop.

load helper
bats_require_minimum_version 1.5.0

setup_file() {
	export D=$BATS_FILE_TMPDIR

	xz -dc "$TESTS/dumps/qemu-7.2-elf.xz" > "$D/elf"
	xz -dc "$TESTS/dumps/qemu-7.2-flat.xz" > "$D/flat"
}

# try SEED FILE COMMAND...: the command on a damaged copy ends by itself, with 0 or 1, and with lines
# that all have the program's name.
try() {
	local seed=$1 file=$2 status=0

	"$TESTS/tools/damage" "$seed" "$file" "$D/damaged" > "$D/did"
	timeout 30 "${@:3}" "$D/damaged" > "$D/out" 2> "$D/err" || status=$?
	if [ $status -gt 1 ] || { [ $status = 1 ] && [ "$(wc -l < "$D/err")" = 0 ]; } ||
		[ "$(wc -l < "$D/err")" -gt 3 ]; then
		echo "seed $seed of $file: $(< "$D/did"): status $status"
		cat "$D/err"
		return 1
	fi
}

# In ./check the first of them.
of_all() {	# ALL
	echo $((BRIEF ? $1 / 4 : $1))
}

@test "headers, tables and records of small files: 280 times, or 68" {
	for ((seed = 1; seed <= $(of_all 70); seed++)); do
		for file in elf flat; do
			try $seed "$D/$file" "$BUILD/memowner" --info
			try $seed "$D/$file" "$BUILD/tools/pages" -l
		done
	done
}

@test "a dump of a kernel, the summary: 42 times, or 10" {
	for ((seed = 1; seed <= $(of_all 42); seed++)); do
		try $seed "$BUILD/samples/6.12-oom/vmcore" "$BUILD/memowner"
	done
}

@test "frames of a thread on a CPU that are lost are told, wherever what it waits for is unknown" {
	local d=$BUILD/samples/6.12-oom

	cp "$d/vmcore" "$D/zeros"
	dd if=/dev/zero of="$D/zeros" bs=1M count=1 seek=4 conv=notrunc status=none
	# By the registers in the notes the stack is followed all the same.
	for command in 'faults -b' stuck; do
		"$BUILD/memowner" --vmlinux "$d/vmlinux" "$d/vmcore" $command > "$D/undamaged"
		"$BUILD/memowner" --vmlinux "$d/vmlinux" "$D/zeros" $command | diff "$D/undamaged" -
	done
	# The notes of CPUs are of the name CORE; they are of nobody then.
	LC_ALL=C sed 's/CORE\x00/XXXX\x00/g' "$D/zeros" > "$D/nameless"
	refute cmp -s "$D/zeros" "$D/nameless"
	for command in 'faults -b' stuck memowner; do
		"$BUILD/memowner" --vmlinux "$d/vmlinux" "$D/nameless" $command -j > "$D/out"
		tail -n 1 "$D/out" | jq -e '.complete == false and (.warnings + [.unknown[].reason] | any(test("cannot be followed to the end|unwind tables")))' || { echo "$command"; tail -n 1 "$D/out"; false; }
	done
	"$BUILD/memowner" --vmlinux "$d/vmlinux" "$D/nameless" faults -b > "$D/out"
	grep -q '^warning: what 1 thread waits for may be unknown: ' "$D/out"
}

@test "names of slab caches that are not in the dump: unknown, in every view of caches" {
	local d=$BUILD/samples/7.3-oom

	cp "$d/vmcore" "$D/zeros"
	dd if=/dev/zero of="$D/zeros" bs=1M count=1 seek=6 conv=notrunc status=none
	for command in caches 'caches -g node' 'caches -f cache=kmalloc-64' objects 'pages -g cache' holders; do
		"$BUILD/memowner" --vmlinux "$d/vmlinux" "$D/zeros" $command -j > "$D/out"
		tail -n 1 "$D/out" | jq -e '.record == "summary"' > "$D/is"
	done
	"$BUILD/memowner" --vmlinux "$d/vmlinux" "$D/zeros" caches -j > "$D/out"
	jq -s -e 'map(select(.record == "row" and .cache == null)) | length > 0 and all(.alias_names == null)' "$D/out"
}

# asked QUESTION ADDRESS-OR-NAME: where it is
asked() {
	printf '%s\t%s\t\t-\n' "$1" "$2" | "$BUILD/tools/asked" "$BUILD/samples/6.12-oom/vmcore" "$BUILD/samples/6.12-oom/vmlinux" 2> /dev/null |
		sed -n 's/.*here: \(0x[0-9a-f]*\).*/\1/p'
}

# A third of the tokens have two letters: nothing in the table tells "ta" from "to".
@test "one letter of a token of kallsyms is another: no name is believed, 40 times, or 10" {
	local phys

	phys=$(asked phys "$(asked symbol kallsyms_token_table)")
	echo "kallsyms_token_table $phys 850" > "$D/places"
	for ((seed = 1; seed <= $(of_all 40); seed++)); do
		"$TESTS/tools/damage" -p "$D/places" -k token $seed "$BUILD/samples/6.12-oom/vmcore" "$D/damaged" > "$D/did"
		grep -q -E '^token: .+ is ' "$D/did"
		run "$BUILD/memowner" "$D/damaged" faults -n 1
		[[ "$status" = 1 && "${lines[0]}" =~ ^memowner:\ (names\ of\ kallsyms\ are\ damaged|kallsyms_token_table\ is\ corrupt).*:\ --vmlinux\ FILE\ gives\ symbols$ ]] || {
			echo "seed $seed: $(< "$D/did"): $output"
			false
		}
	done
}

@test "a report of which the order is not in the dump: which order was requested is unknown" {
	local sample=$BUILD/samples/6.1-oom

	[ "$("$TESTS/tools/damage" -k dropped 30260054 "$sample/vmcore" "$D/damaged")" = 'dropped: 13120 of 65600 pages' ]
	"$BUILD/memowner" --vmlinux "$sample/vmlinux" "$D/damaged" memowner -j > "$D/summary"
	jq -e -s 'map(select(.record == "oom")) | length == 1 and .[0].order == null' "$D/summary"
	"$BUILD/memowner" --vmlinux "$sample/vmlinux" "$D/damaged" pageowner -b -j > "$D/blocks"
	jq -e -s 'map(select(.record == "row")) | length > 5 and all(.is_request == null)' "$D/blocks"
}

@test "counters that no machine can have are unknown, and no sum is of them" {
	echo "contig_page_data $(asked phys "$(asked symbol contig_page_data)") 8192" > "$D/places"
	"$TESTS/tools/damage" -p "$D/places" -k contig_page_data 30260019 "$BUILD/samples/6.12-oom/vmcore" "$D/damaged"
	"$BUILD/memowner" --vmlinux "$BUILD/samples/6.12-oom/vmlinux" "$D/damaged" pageowner -m -j > "$D/classes"
	jq -e -s 'map(select(.record == "row" and .counter != null)) | length > 5 and all(.counted_pages == null or .counted_pages < 65536)' "$D/classes"
}

# 1.2 ms later than the record of the panic a CPU's clock ended.
@test "the log is lost: what rests on another end of time says so, and ages differ by that alone" {
	local sample=$BUILD/samples/6.12-kdump end="times are up to 17.327 s, the latest clock of a CPU's run queue"
	local lost="the log, or a part of it, cannot be read; $end"

	[ "$("$TESTS/tools/damage" -k packed 866 "$sample/vmcore" "$D/damaged")" = 'packed: 119 pages' ]
	memowner() { "$BUILD/memowner" --vmlinux "$sample/vmlinux" "$D/damaged" "$@"; }
	mkdir -p "$D/whole" "$D/holed"
	# With all views of the table.
	export SEEDS=1
	"$BUILD/memowner" --vmlinux "$sample/vmlinux" "$sample/vmcore" allocprof -c alloc_slab_page -n 0 -j > "$D/whole/site"
	memowner allocprof -c alloc_slab_page -n 0 -j > "$D/holed/site"
	"$TESTS/tools/dropped" compare "$TESTS/negatives" "$D/whole" "$D/holed"
	# An age that another end does not explain, and another end that nobody tells.
	mkdir "$D/false" "$D/silent"
	sed 's/"age_ns":[0-9]/&0/' "$D/holed/site" > "$D/false/site"
	run "$TESTS/tools/dropped" compare "$TESTS/negatives" "$D/whole" "$D/false"
	[[ "$status" = 1 && "$output" = *': age_ns '* ]]
	sed 's/"the time of the panic"/"another part"/' "$D/holed/site" > "$D/silent/site"
	run "$TESTS/tools/dropped" compare "$TESTS/negatives" "$D/whole" "$D/silent"
	[[ "$status" = 1 && "$output" = *': age_ns '* ]]
	for command in 'pageowner -n 1' 'memowner case' 'faults -n 1'; do
		memowner $command > "$D/text"
		grep -q -x -F "warning: the time of the panic unknown: $lost" "$D/text"
		memowner $command -j > "$D/json"
		jq -e -s --arg lost "$lost" '.[-1] | .complete == false and
			(.unknown | any(.part == "the time of the panic" and .reason == $lost))' "$D/json"
	done
	memowner memowner > "$D/text"
	grep -q -E '^unknown   (.*, )?the time of the panic[,:]' "$D/text"
	memowner memowner -j > "$D/json"
	jq -e -s 'map(select(.record == "missing" and .name == "the time of the panic")) | length == 1' "$D/json"
	# A saved scan says it of its own end, whatever the dump is on which it is read.
	memowner pageowner -w "$D/scan"
	"$BUILD/memowner" --vmlinux "$sample/vmlinux" "$sample/vmcore" pageowner -R "$D/scan" -n 1 > "$D/text"
	grep -q -x -F "warning: the time of the panic unknown: $lost" "$D/text"
	"$BUILD/memowner" --vmlinux "$sample/vmlinux" "$sample/vmcore" pageowner -w "$D/panic"
	memowner pageowner -R "$D/panic" -n 1 > "$D/text"
	refute grep -q 'time of the panic\|times are' "$D/text"
}

# blank SYMBOL BYTE COMMAND...: the answer where the page of the symbol is full of one byte
blank() {
	echo "here $(asked phys "$(asked symbol "$1")") 4096" > "$D/places"
	[[ "$("$TESTS/tools/damage" -p "$D/places" -k "$2" 6 "$BUILD/samples/6.12-oom/vmcore" "$D/damaged")" = "$2: pages 1 at "0x* ]]
	"$BUILD/memowner" --vmlinux "$BUILD/samples/6.12-oom/vmlinux" "$D/damaged" "${@:3}" > "$D/out" || :
}

@test "pages that are there and full of zeros, or of ones, are no ground: not off, no swap, no name" {
	local what

	for what in 'page_owner_inited pageowner' 'mem_alloc_profiling_key allocprof'; do
		blank ${what% *} zeroed ${what#* } -j
		tail -n 1 "$D/out" | jq -e '.status == "corrupt"'
	done
	# What a page without a list is, the record tells that may be there.
	blank page_owner_inited zeroed pageowner pfn:0-0xffff -o pfn,class -j
	jq -e -s 'map(select(.record == "row" and .class == "direct")) == []' "$D/out"
	# Whether they are on is told by what there is of them.
	blank memory_cgrp_subsys_enabled_key zeroed memowner cgroups -j
	[ "$(jq -s 'map(select(.record == "row")) | length' "$D/out")" = 3 ]
	# A cgroup without a hierarchy is none of v1; a set without one of memory is of no cgroup.
	for what in cgrp_dfl_root init_css_set; do
		blank $what zeroed memowner cgroups -j
		jq -e -s 'map(select(.record == "row") | .memcg_version) | index("v1") == null' "$D/out"
		[ $what = cgrp_dfl_root ] || jq -e -s 'map(select(.record == "row")) | length > 0 and all(.processes == null)' "$D/out"
	done
	for what in zeroed ones; do
		blank total_swap_pages $what memowner zones -j
		jq -e -s 'map(select(.record == "node")) | length > 0 and all(.swap_pages == null)' "$D/out"
		tail -n 1 "$D/out" | jq -e '.complete == false'
	done
}

@test "init_uts_ns or init_mm full of zeros: one page that is lost, and not another kernel; what rests on it is unknown" {
	blank init_uts_ns zeroed memowner
	grep -q '^case      host unknown, Linux 6.12' "$D/out"
	grep -q '^verdict   memory ran out' "$D/out"
	blank init_mm zeroed memowner
	grep -q '^verdict   memory ran out' "$D/out"
	# Without the banner it may be elsewhere.
	echo "here $(asked phys "$(asked symbol linux_banner)") 4096" > "$D/places"
	"$TESTS/tools/damage" -p "$D/places" -k zeroed 6 "$D/damaged" "$D/both"
	run "$BUILD/memowner" --vmlinux "$BUILD/samples/6.12-oom/vmlinux" "$D/both" faults
	[ "$status" = 1 ]
	[[ "$output" = *'VMCOREINFO leads elsewhere: init_mm.pgd is 0, not 0x'* ]]
}

# _mapcount is the witness: 513 pages and more were in no process.
@test "page tables that are full of zeros: of pages that struct page counts as mapped the process is unknown" {
	local d=$BUILD/samples/6.12-oom seed

	"$BUILD/memowner" --vmlinux "$d/vmlinux" "$d/vmcore" pageowner pfn:0-0xffff -o pfn,class -j |
		jq -r 'select(.record == "row" and .class == "pgtable") | "here \(.pfn * 4096) 4096"' > "$D/places"
	for seed in 40 ${BRIEF:-6}; do
		[ "$seed" != 1 ] || break
		"$TESTS/tools/damage" -p "$D/places" -k zeroed "$seed" "$d/vmcore" "$D/damaged"
		"$BUILD/memowner" --vmlinux "$d/vmlinux" "$D/damaged" memowner pages -g mapper,class -n 0 -j > "$D/out"
		[ "$(jq -r 'select(.mapper == "[not mapped]") | "\(.class) \(.pages)"' "$D/out")" = $'shmem 48\nanon 1' ]
		[ "$(jq -r 'select(.record == "row" and .mapper == null and .class == "anon") | .pages > 0' "$D/out")" = true ]
		tail -n 1 "$D/out" | jq -e '.complete == false'
	done
}

# The line of a file that was cut off has the path of the dump, in which a word is that others say of themselves.
damaged() {	# OPTION...: of a dump, every view as text and JSON; the whole dump is asked once
	run "$TESTS/tools/damaged" -r "$@" "$BUILD" "$D/are-damaged" "$BUILD/samples/6.12-oom/vmcore,$BUILD/samples/6.12-oom/vmlinux"
	echo "$output"
}

@test "each view of a dump that lost bytes in each way: what the whole dump says, or unknown" {
	# If BRIEF each view in one of two ways.
	damaged -k lost -f 13 -n $(of_all 8) ${BRIEF:+-v 2}
	[ "$status" = 0 ]
	[[ "$output" = $(of_all 8)' variants ('*' of CPU each; 0 with findings' ]]
}

@test "a file that was cut off: each view says what the whole dump says, or unknown" {
	damaged -c 96
	[ "$status" = 0 ]
	[[ "$output" = '1 variants (1 lost), '*' of CPU each; 0 with findings' ]]
}

@test "a file of which struct pages are missing has at least the pages that are there" {
	local dump=$BUILD/samples/6.12-stock-oom/vmcore pfn page at

	cp -L "$dump" "$D/holes"
	chmod u+w "$D/holes"
	has_no_line -q 'at least: shared anonymous memory' <("$BUILD/memowner" "$dump")
	pfn=$("$BUILD/memowner" "$dump" pfn:0x1000-0x17000 | awk '$8 == "shmem" { print $1 }' | sed -n 4000p)
	page=$("$BUILD/memowner" "$dump" "pfn:$pfn" | grep -o 'struct page 0x[0-9a-f]*' | grep -o '0x.*')
	at=$("$BUILD/memowner" "$dump" "virt:$page" | sed -n 's/^  phys 0x\([0-9a-f]*\)000,.*/\1/p')
	# The segment of memory ends in front of that page, and the small one has what is behind it.
	python3 - "$D/holes" "$at" <<-'END'
		import struct, sys
		PHDR = "<IIQQQQQQ"
		hole = int(sys.argv[2], 16) << 12
		with open(sys.argv[1], "r+b") as f:
		    head = f.read(1 << 16)
		    table, n = struct.unpack_from("<Q", head, 32)[0], struct.unpack_from("<H", head, 56)[0]
		    at = [table + 56 * i for i in range(n) if struct.unpack_from(PHDR, head, table + 56 * i)[0] == 1]
		    small = min(at, key=lambda a: struct.unpack_from(PHDR, head, a)[5])
		    large = max(a for a in at if a != small and struct.unpack_from(PHDR, head, a)[4] <= hole)
		    kind, flags, offset, virt, phys, size, _, align = struct.unpack_from(PHDR, head, large)
		    front, behind = hole - phys, hole - phys + 4096
		    for where, skip, left in (large, 0, front), (small, behind, size - behind):
		        f.seek(where)
		        f.write(struct.pack(PHDR, kind, flags, offset + skip, virt + skip, phys + skip, left, left, align))
	END
	"$BUILD/memowner" "$D/holes" > "$D/out"
	grep -q '  at least: shared anonymous memory (/dev/zero)' "$D/out"
}

# A descriptor that leads beyond the file, with pages that are there behind it, is damaged: it is not the end that is missing.
@test "a page whose descriptor leads beyond the end of the file: damaged, not cut off" {
	local dump=$BUILD/samples/6.12-oom/vmcore size

	size=$(stat -L -c %s "$dump")
	cp -L "$dump" "$D/leads"
	python3 - "$D/leads" <<-'END'
		import struct, sys
		b = open(sys.argv[1], "r+b")
		data = b.read()
		last = 0  # descriptors: offset, size, flags, page_flags of 24 bytes; those of the last pages ascend to the end
		for at in range(0, min(len(data) - 48, 4 << 20), 8):
		    a, n, f = struct.unpack_from("<QII", data, at)
		    c, m, g = struct.unpack_from("<QII", data, at + 24)
		    if 0 < n <= 4096 and a + n == c and 0 < m <= 4096 and f == g == 1:
		        last = at
		b.seek(last - 24 * 8)
		b.write(struct.pack("<Q", 1 << 50))
	END
	"$BUILD/memowner" --info "$D/leads" > "$D/out"
	grep -q '^incomplete  some descriptors of its pages are damaged: they lead beyond its end' "$D/out"
	head -c $((size - 5000)) "$dump" > "$D/leads"
	"$BUILD/memowner" --info "$D/leads" > "$D/out"
	grep -q '^incomplete  the file ends before its last page: it was cut off' "$D/out"
}

# One word of 4 bytes of a variable, where the kernel's image is by VMCOREINFO.
poke() {	# DUMP VMLINUX SYMBOL VALUE
	local program

	read -r -d '' program <<-'END' || :
	import importlib.machinery, importlib.util, re, struct, sys
	sys.dont_write_bytecode = True
	loader = importlib.machinery.SourceFileLoader("damage", sys.argv[1])
	damage = importlib.util.module_from_spec(importlib.util.spec_from_loader("damage", loader))
	loader.exec_module(damage)
	d = damage.Dump(sys.argv[2], "r+b")
	info = bytes(d.data[slice(*d.info())]).decode()
	base = int(re.search(r"^NUMBER\(phys_base\)=(-?\d+)", info, re.M)[1])
	offset = int(re.search(r"^KERNELOFFSET=([0-9a-f]+)", info, re.M)[1], 16)
	at = next(int(line.split()[0], 16) for line in sys.stdin if line.split()[-1] == sys.argv[3])
	def change(piece):
	    piece[:] = struct.pack("<I", int(sys.argv[4]))
	sys.exit(not d.change(at + offset + base - 0xffffffff80000000, 4, change))
	END
	nm "$2" | python3 -c "$program" "$TESTS/tools/damage" "$1" "$3" "$4"
}

@test "one damaged word: totalreserve_pages, tainted_mask, a setting: unknown, by a second witness" {
	local vmlinux=$BUILD/samples/6.12-kdump/vmlinux name

	"$BUILD/memowner" --vmlinux "$vmlinux" "$BUILD/samples/6.12-kdump/vmcore" case -a | grep -q -E '^vm.dirty_ratio +20 +20 '
	cp -L "$BUILD/samples/6.12-kdump/vmcore" "$D/word"
	chmod u+w "$D/word"
	for name in 'totalreserve_pages 0' 'tainted_mask 0' 'vm_dirty_ratio 101'; do
		poke "$D/word" "$vmlinux" $name
	done
	"$BUILD/memowner" --vmlinux "$vmlinux" "$D/word" > "$D/out"
	"$BUILD/memowner" --vmlinux "$vmlinux" "$D/word" zones > "$D/zones"
	grep -q -E 'totalreserve_pages is 0, of the zones at least [0-9]{3}' "$D/zones"
	grep -q -E 'unknown .*tainted_mask is 0, and leaky has O' "$D/out"
	grep -q '; taint unknown (leaky O)' "$D/out"
	"$BUILD/memowner" --vmlinux "$vmlinux" "$D/word" case -a > "$D/out"
	grep -q -E '^vm[.]dirty_ratio +- +20 ' "$D/out"
	grep -q -x 'warning: the value of 1 setting is corrupt: dirty_ratio is 101, which its file takes from 0 to 100 alone' "$D/out"
}

@test "a dump that is cut off says so, and what it lacks for that, in one line" {
	local size part

	size=$(stat -L -c %s "$BUILD/samples/6.12-stock-oom/vmcore")
	for part in 10 50 90; do
		head -c $((size * part / 100)) "$BUILD/samples/6.12-stock-oom/vmcore" > "$D/cut"
		"$BUILD/memowner" "$D/cut" zones > "$D/out" 2> "$D/error" || :
		[ "$(grep -c . "$D/error")" = 1 ]
		grep -q "^memowner: $D/cut: incomplete: the file ends before its last page" "$D/error"
		[ $part != 10 ] || grep -q '; kallsyms.* is not in this dump: --vmlinux FILE gives symbols$' "$D/error"
	done
}

@test "a signal, an answer that is no JSON and one that is false are found" {
	cat > "$D/program" <<-'END'
		#!/bin/bash
		"$BUILD/memowner" "$@"
		[[ "${*: -1}" = */variant-* ]] || exit 0
		answers=$(dirname "$4")
		sed -i '$s/^{/{{/' "$answers/tasks"
		sed -i 's/"comm":"httpd"/"comm":"nobody"/' "$answers/processes"
		[ "$(< "$D/are-damaged/seed")" = 4 ] || kill -SEGV $$
	END
	chmod +x "$D/program"
	damaged -p "$D/program" -k dropped -f 4 -n 2
	[ "$status" = 1 ]
	[[ "$output" = *': tasks: invalid JSON: '* && "$output" = *": processes: "*"comm 'httpd' -> 'nobody'"* ]]
	[[ "$output" = *'seed 5: '*': signal 11 after '*'; 2 with findings' ]]
}

@test "what ends a session is told with its command, and what stands behind it is asked" {
	# Dies in "depot -v", and of "depot -u" it says something else in a session of its own.
	cat > "$D/program" <<-'END'
		#!/bin/bash
		if [[ "$*" = *' depot '* ]]; then
			"$BUILD/memowner" "$@" | sed 's/0/1/'
		elif grep -q '^depot -v -j' "$4" && [[ "$5" = */variant-* ]]; then
			sed -i '1,/^depot -v -j/!d' "$4"
			"$BUILD/memowner" "$@"
			kill -SEGV $$
		else
			"$BUILD/memowner" "$@"
		fi
	END
	chmod +x "$D/program"
	damaged -p "$D/program" -k dropped -f 4 -n 1
	[ "$status" = 1 ]
	[[ "$output" = *'seed 4: 6.12-oom, dropped, '*': depot -v -j: signal 11 after '*'; 1 with findings' ]]
	[ "$(grep -c '^seed' <<< "$output")" = 1 ]
	[[ "$output" =~ \ ([0-9]+)\ answers,\  && ${BASH_REMATCH[1]} -gt 70 ]]
}

@test "files of which a struct page is missing have pages that are counted, and not told as all" {
	local d=$BUILD/samples/6.12-oom pfn page of

	ask() {	# DUMP ARGUMENT...
		"$BUILD/memowner" --vmlinux "$d/vmlinux" "$@"
	}
	pfn=$(ask "$d/vmcore" pageowner -t list -f file=/bin/busybox -n 1 -j -o pfn | jq -r 'select(.record == "row") | .pfn')
	page=$(ask "$d/vmcore" "pfn:$pfn" | grep -o 'struct page 0x[0-9a-f]*' | cut -d ' ' -f 3)
	of=$(ask "$d/vmcore" "virt:$page" -j | jq -r 'select(.record == "row") | .pfn')
	cp "$d/vmcore" "$D/without"
	chmod u+w "$D/without"
	"$BUILD/tools/kdump" drop "$D/without" "$of" 1
	ask "$D/without" memowner files > "$D/out"
	grep -q '^warning: some pages of [0-9]* files* are not in this dump: PAGES are those that are' "$D/out"
	ask "$D/without" memowner files -j | jq -e -s 'last.complete == false'
	ask "$d/vmcore" memowner files | refute grep 'are not in this dump: PAGES'
	# A reason stands behind each colon.
	ask "$D/without" memowner sockets > "$D/out" || :
	ask "$D/without" memowner caches >> "$D/out"
	refute grep -E '^warning.*: *$' "$D/out"
}
