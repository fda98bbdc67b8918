#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The program memowner: its command line, files of commands, its prompt, signals, where output goes.

load helper
bats_require_minimum_version 1.5.0

setup_file() {
	export MEMOWNER=$BUILD/memowner DUMP=$BUILD/samples/6.12-stock-oom/vmcore
	export OWNERS=$BUILD/samples/6.12-oom
	# Nobody's home gets a history, no pager asks for a key.
	export HOME=$BATS_FILE_TMPDIR PAGER=cat
	unset XDG_STATE_HOME
}

# memowner ARGUMENT...: like run, with what it wrote to standard error in $err
memowner() {
	run --separate-stderr timeout 60 "$MEMOWNER" "$@"
	err=$stderr
}

# one_line STATUS TEXT ARGUMENT...: nothing but one line on standard error, and how it ends
one_line() {
	memowner "${@:3}"
	[ "$output" = '' ] || { echo "output: $output"; false; }
	[ "$err" = "memowner: $2" ] || { echo "said: $err"; false; }
	[ "$status" = "$1" ] || { echo "status $status"; false; }
}

# dialog ARGUMENT... < SCRIPT: on a terminal
dialog() {
	cat > "$BATS_TEST_TMPDIR/script"
	run timeout 120 "$BUILD/tools/dialog" "$BATS_TEST_TMPDIR/script" "$MEMOWNER" "$@"
	output=$(tr -d '\r' <<< "$output")
}

@test "a wrong command line: one line that says what is wrong, status 2" {
	one_line 2 'no VMCORE is given; memowner --help has the details'
	one_line 2 'no VMCORE before pageowner' pageowner -t top
	one_line 2 'unknown option --foo; memowner --help lists them' --foo "$DUMP"
	one_line 2 'unknown option -y; memowner --help lists them' -y "$DUMP"
	one_line 2 '-j is an option of commands and stands behind the dump: memowner VMCORE -j' -j "$DUMP"
	one_line 2 'no VMCORE before pfn:1000' pfn:1000
	one_line 2 "'pfn:x' is no address: pfn:N, pfn:N-M, phys:X, page:X, virt:X or user:PID:X" "$DUMP" pfn:x
	one_line 2 'pfn: no such command; an address is one word, as pfn:N or phys:X, and no such file' "$DUMP" pfn
	one_line 2 '-i needs a value' "$DUMP" -i
	one_line 2 '--vmlinux needs a value' --vmlinux
	one_line 2 '--vmlinux is given twice: a and b' --vmlinux a --vmlinux=b "$DUMP"
	one_line 2 'pagowner: no such command; the nearest is pageowner, and no such file' "$DUMP" pagowner -m
	one_line 2 'bt: no such command' "$DUMP" -- bt
	one_line 2 'no command behind --' "$DUMP" --
	one_line 2 'no VMCORE is given; memowner --help has the details' --
	one_line 2 'no VMCORE before faults' -- faults
	one_line 2 'a command cannot be combined with -i' -i /dev/null "$DUMP" depot 0
	one_line 2 'a command cannot be combined with -p' -p "$DUMP" depot 0
	one_line 2 'more than one of -i, -p, --info, --help and --version' -p -i /dev/null "$DUMP"
	one_line 2 'nosuch: no such command' --help nosuch
	one_line 2 "$OWNERS/vmlinux is no dump but a vmlinux, and no VMCORE is given" "$OWNERS/vmlinux"
}

@test "what is no dump: one line, status 1" {
	local t=$BATS_TEST_TMPDIR

	: > "$t/empty"
	head -c 5000 "$DUMP" > "$t/cut"
	printf 'some text\n' > "$t/text"
	for file in "$t/empty" "$t/cut" "$t/text" "$t" "$t/nosuch" /dev/null; do
		memowner "$file"
		[ "$status" = 1 ] || { echo "$file: status $status"; false; }
		[ "$output" = '' ]
		[[ "$err" = "memowner: "* && "$err" != *$'\n'* ]] || { echo "$file: $err"; false; }
	done
	[[ "$err" = *'/dev/null'* ]]
	memowner "$t/nosuch"
	[ "$err" = "memowner: $t/nosuch: No such file or directory" ]
	one_line 1 "$t/nosuch: No such file or directory" -i "$t/nosuch" "$DUMP"
}

@test "a folder or a name of nothing where a file is needed, and the other way round: one line" {
	local t=$BATS_TEST_TMPDIR

	one_line 1 "$t: a directory; give the dump in it" "$t"
	one_line 1 "$t: a directory; give the vmlinux in it" --vmlinux "$t" "$DUMP"
	one_line 1 "$t/nosuch: No such file or directory" --vmlinux "$t/nosuch" "$DUMP"
	one_line 1 "$DUMP: no directory; give the one that has the modules" --modules "$DUMP" "$DUMP"
	one_line 1 "$t: Is a directory" -i "$t" "$DUMP"
	echo "< $t" > "$t/commands"
	one_line 1 "$t/commands:1: cannot read $t: Is a directory" -i "$t/commands" "$DUMP"
}

@test "a header without the machine: VMCOREINFO has what only one architecture has" {
	local dump=$BATS_TEST_TMPDIR/vmcore sample=$BUILD/samples/6.12-kdump

	perl -0777 -pe 'substr($_, 272, 65) = "\0" x 65' "$sample/vmcore" > "$dump"
	memowner --info "$dump"
	[[ "${lines[1]}" = 'machine '*unknown ]]
	memowner --vmlinux "$sample/vmlinux" "$dump" faults
	[ "$status" = 0 ]
	diff <(echo "$output") <("$MEMOWNER" "$sample/vmcore" faults)
}

@test "VMCOREINFO that leads to another place than the kernel is told" {
	local dump=$BATS_TEST_TMPDIR/vmcore sample=$BUILD/samples/6.12-kdump

	perl -0777 -pe 's/NUMBER\(phys_base\)=(-?)(\d)/"NUMBER(phys_base)=$1" . ($2 == 1 ? 2 : 1)/e' "$sample/vmcore" > "$dump"
	memowner --vmlinux "$sample/vmlinux" "$dump"
	[ "$status" = 1 ]
	[ "$output" = '' ]
	grep -q -x "memowner: $dump: VMCOREINFO is damaged: init_uts_ns, at physical 0x[0-9a-f]* by it, has not the release 6.12.95" <<< "$err"
}

@test "VMCOREINFO that leads to where init_uts_ns and init_mm are not in the dump: the banner tells it" {
	local dump=$BATS_TEST_TMPDIR/vmcore sample=$BUILD/samples/6.12-kdump command

	perl -0777 -pe 's/NUMBER\(phys_base\)=(\d+)/"NUMBER(phys_base)=" . ($1 + 0x200000)/e' "$sample/vmcore" > "$dump"
	for command in faults pageowner memowner 'pageowner -m'; do
		memowner --vmlinux "$sample/vmlinux" "$dump" $command
		[ "$status" = 1 ]
		[[ "$output" = "no data: the kernel's image is damaged in this dump, or VMCOREINFO leads elsewhere: linux_banner at 0x"*' is none' ]] || { echo "$command: $output"; false; }
	done
}

@test "VMCOREINFO that leads to where no memory is: nothing is said to be missing from the dump" {
	local dump=$BATS_TEST_TMPDIR/vmcore sample=$BUILD/samples/6.12-hog-frames given why

	why='is damaged: of the symbols that it has of the image none leads to memory of this dump'
	# A GiB further.
	perl -0777 -pe 's/NUMBER\(phys_base\)=(-\d+)/"NUMBER(phys_base)=0" . ($1 + (1 << 30))/ge' "$sample/vmcore" > "$dump"
	for given in '' "--vmlinux $sample/vmlinux"; do
		one_line 1 "$dump: VMCOREINFO $why" $given "$dump" faults
	done
	# Of one that was cut off the image may be missing.
	truncate -s -65536 "$dump"
	memowner --vmlinux "$sample/vmlinux" "$dump" faults
	[ "$status" = 1 ]
	[[ "$err" != *VMCOREINFO* ]]
}

@test "VMCORE alone is the summary; a command is what it is behind its name" {
	memowner "$DUMP"
	[ "$status" = 0 ]
	[ "$err" = '' ]
	[[ "$output" = 'case      host stock, Linux 6.12.107'*'verdict   memory ran out: '*$'\npanic     Out of memory: '* ]]
	cp <(echo "$output") "$BATS_TEST_TMPDIR/summary"
	memowner "$DUMP" memowner
	diff <(echo "$output") "$BATS_TEST_TMPDIR/summary"
	memowner -- "$DUMP"
	diff <(echo "$output") "$BATS_TEST_TMPDIR/summary"
	memowner -- "$DUMP" faults -v -n 2
	[ "$status" = 0 ]
	cp <(echo "$output") "$BATS_TEST_TMPDIR/faults"
	memowner "$DUMP" -- faults -v -n 2
	diff <(echo "$output") "$BATS_TEST_TMPDIR/faults"
	[ "$status" = 0 ]
	[[ "${lines[0]}" = 'COUNTER '* || "${lines[0]}" = 'NAME '* || "${lines[0]}" = *' NAME' ]] || { echo "$output"; false; }
}

@test "behind VMCORE: options of the summary, and addresses, as behind memowner" {
	local t=$BATS_TEST_TMPDIR address

	memowner "$DUMP" memowner -j
	cp <(echo "$output") "$t/summary"
	memowner "$DUMP" -j
	diff <(echo "$output") "$t/summary"
	memowner "$DUMP" -H "$t/page" --redact
	[ "$status $err" = '0 ' ]
	[ -s "$t/page" ]
	memowner "$DUMP"
	[ "$(grep -A 1 '^next' <<< "$output")" = $'next:\n  memowner VMCORE processes -o +ppid,executable -f comm=report-builder  # each with its parent and its program' ]
	"$MEMOWNER" -i <(echo memowner) "$DUMP" | grep -q -x 'next:'
	for address in pfn:1000 'pfn:0x10-0x12 -j' phys:3e8000 "pfn:1000 pfn:1001 -c 1"; do
		# If BRIEF a range and an address, each of which is followed.
		[ -z "${BRIEF:-}" ] || [[ $address != pfn:1000* ]] || continue
		memowner "$DUMP" memowner $address
		[ "$status" = 0 ]
		cp <(echo "$output") "$t/text"
		memowner "$DUMP" $address
		diff <(echo "$output") "$t/text"
		[ -z "${BRIEF:-}" ] || [ "$address" = phys:3e8000 ] || continue
		memowner -i <(echo "$address") "$DUMP"
		diff <(echo "$output") "$t/text"
	done
	memowner "$DUMP" 1000
	[[ "$status $err" = "2 memowner: '1000' can be pfn:1000 (decimal), "* ]]
	# A file of that name is the dump.
	cd "$t"
	ln -s "$DUMP" pfn:5
	memowner pfn:5 faults -v -n 1
	[ "$status" = 0 ]
}

@test "vmlinux: by its option before or behind the dump, or among the files as crash has it" {
	memowner --vmlinux "$OWNERS/vmlinux" "$OWNERS/vmcore" pageowner -n 1 -o pages
	[ "$status" = 0 ]
	[ "$err" = '' ]
	[ "${lines[0]}" = PAGES ]
	same=$output
	for order in "$OWNERS/vmcore --vmlinux=$OWNERS/vmlinux" "$OWNERS/vmlinux $OWNERS/vmcore" "$OWNERS/vmcore $OWNERS/vmlinux"; do
		memowner $order pageowner -n 1 -o pages
		[ "$status" = 0 ]
		[ "$output" = "$same" ]
	done
}

@test "--modules: lines of a module by an object file below that folder" {
	local elsewhere=$BATS_TEST_TMPDIR/vmlinux folder=$BATS_TEST_TMPDIR/modules sample=$BUILD/samples/6.1-oom

	mkdir -p "$folder/kernel"
	cp "$sample/vmlinux" "$elsewhere"
	memowner --vmlinux "$elsewhere" "$sample/vmcore" pageowner -l -f module=leaky -n 1
	[[ "$output" = *'no lines of module leaky: found no leaky.ko'* ]]
	cp "$sample/leaky.ko" "$folder/kernel/leaky.ko"
	memowner --modules "$folder" --vmlinux "$elsewhere" "$sample/vmcore" pageowner -l -f module=leaky -n 1
	[ "$status" = 0 ]
	[[ "$output" != *'no lines of'* && "$output" = *'[leaky]  drivers/leaky/leaky.c:'* ]]
	one_line 1 "$folder/none: No such file or directory" --modules "$folder/none" "$sample/vmcore"
	# What is proposed has them as well.
	memowner --modules "$folder" "$sample/vmcore"
	[ "$(sed -n '/^next:$/,/^$/p' <<< "$output" | grep -c '^  memowner --modules DIR VMCORE ')" -gt 0 ]
	refute grep '^  memowner VMCORE' <<< "$output"
}

@test "status: 1 where the dump has no answer, 2 where the command is not understood" {
	memowner "$DUMP" pageowner
	[ "$status" = 1 ]
	[[ "$output" = 'no data: '*page_owner* ]]
	memowner "$DUMP" pageowner -j
	[ "$status" = 1 ]
	[ "$(json 'select(.record == "summary") | .status')" = not_built ] || { echo "$output"; false; }
	memowner "$DUMP" pageowner -t nosuch
	[ "$status" = 2 ]
	[ "$output" = '' ]
	[[ "$err" = "pageowner: unknown view 'nosuch', -t takes: "* ]]
	memowner "$DUMP" pageowner -f 'stack=/a"b|c/' -m
	[ "$status" = 2 ]
	[[ "$err" != *crash* ]]
}

@test "status: 1 where nothing that the arguments name is in the dump, 0 where one of them is" {
	local t=$BATS_TEST_TMPDIR command

	for command in 'faults 99999' 'faults -j 99999' 'pageowner user:99999:1000' 'pageowner -j user:99999:1000'; do
		memowner "$DUMP" $command
		[ "$status" = 1 ] || { echo "$command: status $status"; false; }
		[[ "$output" = *'no task has pid 99999'* ]]
	done
	# A row for each, of what is not System RAM.
	for command in 'phys:fffffffff000' '-j phys:fffffffff000' 'pfn:0xfffffffff phys:fffffffff000'; do
		memowner --vmlinux "$OWNERS/vmlinux" "$OWNERS/vmcore" pageowner $command
		[ "$status" = 1 ] || { echo "$command: status $status"; false; }
		[[ "$output" = *' is not System RAM of this dump'* ]]
	done
	memowner --vmlinux "$OWNERS/vmlinux" "$OWNERS/vmcore" allocprof user:99999:1000
	[ "$status" = 1 ]
	memowner --vmlinux "$OWNERS/vmlinux" "$OWNERS/vmcore" depot 0x999999
	[ "$status" = 1 ]
	for command in 'faults 1 99999' 'faults -f comm=nobody' 'faults -D 99999' 'pageowner -z 4' 'pageowner pfn:0x1000' 'pageowner pfn:0x1000 phys:fffffffff000' 'pageowner -m'; do
		memowner "$DUMP" $command
		[ "$status" = 0 ] || { echo "$command: status $status"; false; }
	done
	# A summary that knows what VMCOREINFO has, and nothing else.
	head -c 3000000 "$OWNERS/vmcore" > "$t/cut"
	touch -d "1 hour ago" "$t/cut"
	memowner --vmlinux "$OWNERS/vmlinux" "$t/cut"
	[ "$(grep -v '^unknown  ' <<< "$output")" = "case      host unknown, Linux 6.12.95
          end at an unknown time; taint unknown
verdict   unknown whether memory was short: how much was free is not in this dump
warning   $t/cut: incomplete: the file ends before its last page: it was cut off" ]
	[ "$status" = 1 ]
	# The page of a ticket says it itself.
	"$BUILD/memowner" --vmlinux "$OWNERS/vmlinux" "$t/cut" story 2> /dev/null > "$t/story" || [ $? = 1 ]
	grep -q -F "Unknown: $t/cut: incomplete: the file ends before its last page: it was cut off; " "$t/story"
	memowner --vmlinux "$OWNERS/vmlinux" "$t/cut" memowner -j
	[ "$status" = 1 ]
	[ "$(json 'select(.record == "summary") | .status')" = not_in_dump ]
}

@test "a verdict says how much was free by the counters, else by the report, and that it is unknown for want of types" {
	local cut=$BATS_TEST_TMPDIR/cut sample bytes types text

	ln -s "$OWNERS/vmcore" "$BATS_TEST_TMPDIR/vmcore"
	memowner "$BATS_TEST_TMPDIR/vmcore" memowner
	[ "$(grep ^verdict <<< "$output")" = 'verdict   memory ran out: 1.4M was free at the report; panic by panic_on_oom=1' ] || { echo "$output"; false; }
	while IFS=$'\t' read -r sample bytes text; do
		types=
		[[ "$sample" = *stock* ]] || types="--vmlinux $BUILD/samples/$sample/vmlinux"
		head -c "$bytes" "$BUILD/samples/$sample/vmcore" > "$cut"
		memowner $types "$cut" memowner
		[ "$(grep ^verdict <<< "$output")" = "verdict   $text" ] || { echo "$sample $bytes: $output"; false; }
	done <<- 'END'
		6.12-oom	8000000	memory ran out: 1.4M was free by the counters of zones, without what CPUs had not added to them yet; swap of 48.0M was full; panic by panic_on_oom=1
		6.12-stock-oom	391500000	memory ran out: 5.1M was free at the report; 111.8M of 112.0M of swap was used; panic by panic_on_oom=1
		6.12-stock-oom	1000000	unknown whether memory was short: how much was free is unknown without types of this kernel
	END
}

@test "zones: the report's own figures decide where no zone of the dump can be read, as they do in the whole dump" {
	local cut=$BATS_TEST_TMPDIR/cut

	logged() { jq -c 'select(.record == "logged")' <<< "$output" | sort; }
	head -c 391500000 "$DUMP" > "$cut"
	memowner "$cut" zones -j
	[ "$(jq -r 'select(.record == "logged") | .result' <<< "$output")" = $'below_watermark\nbelow_watermark\nbelow_watermark' ]
	logged > "$BATS_TEST_TMPDIR/of_cut"
	memowner "$DUMP" zones -j
	diff "$BATS_TEST_TMPDIR/of_cut" <(logged)
}

@test "a file with pages that do not uncompress is damaged: each answer that met one says so" {
	local sample=$BUILD/samples/6.12-kdump holes=$BATS_TEST_TMPDIR/holes at

	cp "$sample/vmcore" "$holes"
	for ((at = 5000000; at < 9000000; at += 4096)); do
		printf '%064d' 0 | dd of="$holes" bs=64 seek=$((at / 64)) conv=notrunc status=none
	done
	memowner --vmlinux "$sample/vmlinux" "$holes" classes
	grep -q -x -F "warning: $holes: damaged: a page that was asked for does not uncompress; it is not in this dump" <<< "$output"
	memowner --vmlinux "$sample/vmlinux" "$holes" classes -j
	jq -s -e 'any(.record == "summary" and .complete == false and any(.warnings[]; contains("damaged")))' <<< "$output"
	memowner --vmlinux "$sample/vmlinux" "$sample/vmcore" classes
	[[ "$output" != *damaged* ]]
}

@test "stuck: a thread that is asked for and is no row was looked at, left out before, or is none" {
	local sample=$BUILD/samples/6.12-faults value text

	while IFS=$'\t' read -r value text; do
		memowner --vmlinux "$sample/vmlinux" "$sample/vmcore" stuck -f $value
		grep -q -x -F "warning: -f ${value##*-f }: nothing that $text" <<< "$output" || { echo "$value: $output"; false; }
	done <<- 'END'
		pid=83	was read has it; stuck (83) is at none of these places, on no lock, but 3 other threads of process 83 are (-f tgid=83)
		pid=2..4	was read has it; kthreadd (2) is at none of these places, on no lock; pool_workqueue_ (3) is at none of these places, on no lock; kworker/R-kvfre (4) is at none of these places, on no lock
		pid=999	was read has it; no thread has this number; it is from 1 to 94
		comm=nobody	was read has it; no thread has this name
		where=swap_in -f pid=1	the filters before it keep has it; a filter before this one leaves out hungry (1)
	END
}

@test "files: a time that two clocks of whole seconds give is shown in seconds, not as 0ns or 5.0s" {
	local sample=$BUILD/samples/6.12-hog-spool

	memowner --vmlinux "$sample/vmlinux" "$sample/vmcore" files -f file=/spool/trace.log*,/run/access.log -o file,written_ns
	[ "$(awk '/^\// { print $1, $NF }' <<< "$output" | sort)" = $'/run/access.log 5s\n/spool/trace.log 0s' ] || { echo "$output"; false; }
}

@test "files: the segment of System V of a database, who made it, and as many attaches as processes use it" {
	memowner "$DUMP" files -f file_kind=sysv_shm -o file,shm_id,attaches,created_by,used_by -j
	[ "$(jq -r 'select(.record == "row") | [.shm_id, .attaches, .created_by, (.used_by | split(", ") | length)] | join(" ")' <<< "$output")" = \
		'0 11 381(postgres) 11' ]
}

@test "a program is no vmlinux, wherever it stands" {
	one_line 2 "$MEMOWNER is no dump and no vmlinux, but another ELF program or library" "$MEMOWNER"
	one_line 2 "$MEMOWNER is no dump and no vmlinux, but another ELF program or library" "$MEMOWNER" "$DUMP" faults
	one_line 2 "$MEMOWNER is no dump and no vmlinux, but another ELF program or library" "$DUMP" "$MEMOWNER"
	one_line 2 "$MEMOWNER is no vmlinux, but another ELF program or library" --vmlinux "$MEMOWNER" "$DUMP"
}

@test "a vmlinux that was cut off is said to be, not to lack its debug information" {
	local cut=$BATS_TEST_TMPDIR/vmlinux bytes

	for bytes in 1000 20000000 52000000; do
		head -c $bytes "$OWNERS/vmlinux" > "$cut"
		memowner --vmlinux "$cut" "$OWNERS/vmcore" zones
		[ "$status" = 0 ]
		[ "$err" = "memowner: $cut was cut off: it ends before its section headers" ] || { echo "$bytes: $err"; false; }
	done
}

@test "a core without VMCOREINFO: the message names it" {
	local core=$BATS_TEST_TMPDIR/core

	# One segment of two pages at physical address 4096.
	perl -e 'print "\x7fELF\2\1\1", "\0" x 9, pack("S<S<L<Q<Q<Q<L<S<S<S<S<S<S<", 4, 62, 1, 0, 64, 0, 0, 64, 56, 1, 64, 0, 0),
		pack("L<L<Q<Q<Q<Q<Q<Q<", 1, 7, 4096, 0xffff888000001000, 4096, 8192, 8192, 0), "\0" x (4096 - 120 + 8192)' > "$core"
	one_line 1 "$core: no VMCOREINFO: neither as a note nor in memory" "$core"
}

@test "behind -- the first word is a file, even with the name of a command" {
	cd "$BATS_TEST_TMPDIR"
	ln -s "$DUMP" faults
	memowner -- faults faults -n 1 -o pid
	[ "$status/${lines[0]}" = 0/PID ] || { echo "$output$err"; false; }
	memowner -- faults
	[[ "$output" = 'case      '*$'\npanic     Out of memory: '* ]]
}

@test "without types no layout is unknown for another reason, and each part says so" {
	local dump=$BATS_TEST_TMPDIR/vmcore why='types of this kernel are not known: --vmlinux FILE gives them'

	ln -s "$OWNERS/vmcore" "$dump"
	memowner "$dump"
	[ "$(grep -c '^unknown ' <<< "$output")" = 1 ]
	[[ "$output" = *"$why"* && "$output" = 'case      '*$'\npanic     Out of memory: '* ]]
	[[ "$err" = 'memowner: this kernel has no BTF (CONFIG_DEBUG_INFO_BTF): '* ]]
	for command in 'pageowner -m' 'memowner files' faults allocprof 'depot -i' 'memowner processes' 'pageowner pfn:0x100' 'faults -e'; do
		memowner "$dump" $command
		[ "$status" = 1 ]
		[ "$output" = "no data: $why" ] || { echo "$command: $output"; false; }
	done
}

@test "an image of zeros is damaged: neither another kernel nor missing" {
	local dump=$BATS_TEST_TMPDIR/vmcore sample=$BUILD/samples/6.12-hog-frames

	perl -e 'local $/; open F, "<", shift; $_ = <F>; my ($info) = /(OSRELEASE=[^\n]*\nBUILD-ID=[^\n]*\nPAGESIZE=[\n -~]*)/ or die;
		my ($start, $end) = map { $info =~ /SYMBOL\($_\)=(\w+)/; hex($1) - 0xffffffff80000000 } "_stext", "init_uts_ns";
		my ($base) = $info =~ /NUMBER\(phys_base\)=(-?\d+)/; my ($n, $at) = (unpack("S<", substr($_, 56, 2)), unpack("Q<", substr($_, 32, 8)));
		for my $i (0 .. $n - 1) { my ($type, undef, $off, undef, $phys, $size) = unpack "L<L<Q<Q<Q<Q<", substr($_, $at + 56 * $i, 56);
			next unless $type == 1 && $start + $base >= $phys && $start + $base < $phys + $size;
			my $bytes = ($end - $start) & ~4095; substr($_, $off + $start + $base - $phys, $bytes) = "\0" x $bytes; }
		print' "$sample/vmcore" > "$dump"
	memowner "$dump" faults
	[ "$status/$err" = "1/memowner: kallsyms is damaged: of 0 symbols: --vmlinux FILE gives symbols" ]
	# The reason is that of the symbols: types may be there.
	[ "$output" = 'no data: kallsyms is damaged: of 0 symbols: --vmlinux FILE gives symbols' ]
	memowner --vmlinux "$sample/vmlinux" "$dump" faults
	[ "$status" = 1 ]
	[[ "$output" = "no data: the kernel's image is damaged in this dump, or VMCOREINFO leads elsewhere: init_mm.pgd is 0, not 0xffff"* ]] || { echo "$output$err"; false; }
}

@test "--help: every command; of one what crash prints; needs no dump" {
	memowner --help
	[ "$status" = 0 ]
	for c in $COMMANDS; do
		grep -q "^  $c  " <<< "$output"
	done
	[ "$(awk 'length > 80' <<< "$output")" = '' ]
	for c in $COMMANDS; do
		for call in "--help $c" "-h $c" "help $c" "$DUMP help $c"; do
			memowner $call
			[ "$status" = 0 ]
			diff <(echo "$output") <(sed -n "/^## \`$c\`/,/^## /p" "$TESTS/../doc/commands.md" | sed -n '/^```/,/^```/p' |
				sed '/^```/d; /^\(NOTES\|VIEWS\)$/,$d' | sed -e '$ {/^$/d}')
		done
	done
	memowner --version
	[ "$output" = "memowner $(sed -n 's/^#define MEMOWNER_VERSION "\(.*\)"$/\1/p' "$TESTS/../lib/cli/version.h")" ]
}

@test "nouns: a view of memowner by its name alone, wherever options stand; help of each" {
	local t=$BATS_TEST_TMPDIR

	"$MEMOWNER" "$DUMP" memowner caches -n 3 > "$t/caches"
	for call in 'caches -n 3' 'memowner -n 3 caches'; do
		"$MEMOWNER" "$DUMP" $call | cmp - "$t/caches"
	done
	printf 'caches -n 3\nmemowner caches -n 3\nhelp zones\nhelp memowner zones\nmemowner zones -h\n' > "$t/commands"
	"$MEMOWNER" -i "$t/commands" "$DUMP" > "$t/said"
	"$MEMOWNER" help zones > "$t/help"
	cmp "$t/said" <(cat "$t"/{caches,caches,help,help,help})
	# Without a dump too.
	for call in 'zones -h' 'zones -o free --help' 'memowner zones -h'; do
		"$MEMOWNER" $call | cmp - "$t/help"
	done
	# An address is an argument of memowner; of help there is no other help than that of the program.
	"$MEMOWNER" help memowner > "$t/help"
	for call in 'pfn:1000 -h' 'help pfn:1000'; do
		"$MEMOWNER" $call | cmp - "$t/help"
	done
	"$MEMOWNER" help help | cmp - <("$MEMOWNER" --help)
	one_line 2 "'zone' is no address and no view, the nearest is zones, views are: $NOUNS" "$DUMP" memowner zone
	one_line 2 'cachs: no such command; the nearest is caches, and no such file' "$DUMP" cachs
	one_line 2 'memowner caches takes no argument: '"'x'; -f KEY=*x* keeps what has it, KEY is cache or module" "$DUMP" caches x
	one_line 2 "comm is no key of -g here, known are: block_migratetype node zone memcg class cache file mapper holder" "$DUMP" pages -g comm
	one_line 2 'no VMCORE before files' files
	# A dump may have the name of a noun.
	ln -s "$DUMP" "$t/files"
	(cd "$t" && "$MEMOWNER" files caches -n 3) | cmp - "$t/caches"
}

@test "every noun answers, and so does an address" {
	# If BRIEF each third: all are asked in sessions.
	for noun in $(printf '%s\n' $NOUNS | awk -v nth=$((BRIEF ? 3 : 1)) 'NR % nth == 0'); do
		memowner "$DUMP" "$noun" -j
		[ "$(head -n 1 <<< "$output" | jq -r .command)" = memowner ]
		[ "$(tail -n 1 <<< "$output" | jq -r .record)" = summary ]
	done
	memowner "$DUMP" memowner pfn:1000 -c 1
	[[ "${lines[1]}" = *0x3e7* && "${lines[2]}" = *0x3e8* ]]
}

@test "pages: groups of struct page alone, the same with records of page_owner and without" {
	local t=$BATS_TEST_TMPDIR

	# This kernel has no page_owner: pageowner -g groups by struct page as well.
	for keys in class memcg,class mapper zone,node cache file; do
		"$MEMOWNER" "$DUMP" memowner pages -g $keys -n 0 -o pages,bytes,$keys > "$t/pages"
		"$MEMOWNER" "$DUMP" pageowner -g $keys -n 0 -o pages,bytes,$keys > "$t/pageowner"
		[ "$(wc -l < "$t/pages")" -ge 3 ]
		diff "$t/pages" <(grep -v '^warning: page_owner records are not available' "$t/pageowner")
	done
	# Of all pages in use, whoever has a record of them.
	memowner "$OWNERS/vmcore" pages -j
	[ "$(jq -s 'map(select(.record == "row") | .pages) | add' <<< "$output")" -gt 55000 ]
	[[ "$output" != *page_owner* ]]
}

@test "holders: the module and the variable that keep what page_owner records for the module, which it is not told" {
	local t=$BATS_TEST_TMPDIR recorded found

	"$MEMOWNER" "$OWNERS/vmcore" memowner holders -n 0 -j > "$t/holders"
	recorded=$("$MEMOWNER" "$OWNERS/vmcore" pageowner -g module -f class=direct -f module=leaky -j | jq 'select(.record == "row") | .bytes')
	[ "$recorded" -gt 100000000 ]
	found=$(jq -s 'map(select(.module == "leaky" and .most == "direct pages") | .most_bytes) | add' "$t/holders")
	[ $((found * 100)) -ge $((recorded * 98)) ]
	# No page of others.
	[ $((found * 1000)) -le $((recorded * 1005)) ]
	[ "$(jq -s -r 'map(select(.record == "row"))[0] | "\(.root) \(.root_kind) \(.way)"' "$t/holders")" = 'ledger [leaky] variable ledger [leaky] -> list of kmalloc-64 -> direct pages' ]
	[ "$(jq -s -r 'map(select(.record == "row") | .basis) | unique[]' "$t/holders")" = inferred ]
	# Tasks, inodes and their like are in use: none may be told as one to which nothing leads.
	jq -e -s 'map(select(.record == "total" and .of_objects > 1000 and .objects * 100 <= .of_objects)) | length == 2' "$t/holders"
	memowner "$OWNERS/vmcore" holders -n 5
	# Of what nothing leads to, how sure it is is not told.
	[ "$(grep -c '^~.* [0-9.]*$' <<< "$output")" -ge 4 ]
}

@test "an address: the words that lead to its memory, and what keeps it, which is what page_owner has" {
	local t=$BATS_TEST_TMPDIR pfn word

	pfn=$("$MEMOWNER" "$OWNERS/vmcore" pageowner -t list -f class=direct -f module=leaky -n 1 -j | jq 'select(.record == "row") | .pfn')
	memowner "$OWNERS/vmcore" memowner "pfn:$pfn"
	[[ $output =~ $'\n  1 word leads there:\n    '(0x[0-9a-f]+)'  kmalloc-64 '(0x[0-9a-f]+)'+0x18, by its struct page'$'\n  ~kept by ledger [leaky] -> list of kmalloc-64 -> direct pages: 100.0% of walks back agree' ]]
	word=${BASH_REMATCH[1]}
	[ $((word - BASH_REMATCH[2])) = 24 ]
	# The object that has the word is in a list: two lead to it.
	"$MEMOWNER" "$OWNERS/vmcore" memowner "virt:$word" -j > "$t/object"
	[ "$(jq -r 'select(.record == "object") | .address' "$t/object")" = "${BASH_REMATCH[2]}" ]
	[ "$(jq -s -r 'map(select(.record == "reference" and .basis == "derived") | .leads_to) | join(" ")' "$t/object")" = '0 0' ]
	[ "$(jq -r 'select(.basis == "inferred") | "\(.root) \(.module) \(.confidence | floor)"' "$t/object")" = 'ledger [leaky] leaky 100' ]
	# What the program reads of a process is no memory of the kernel's.
	"$MEMOWNER" "$OWNERS/vmcore" pageowner "pfn:$pfn" -j > "$t/owner"
	[ -z "$(jq 'select(.record == "reference")' "$t/owner")" ]
	pfn=$("$MEMOWNER" "$OWNERS/vmcore" pageowner -t list -f class=anon -n 1 -j | jq 'select(.record == "row") | .pfn')
	"$MEMOWNER" "$OWNERS/vmcore" memowner "pfn:$pfn" -j > "$t/anon"
	[ -z "$(jq 'select(.record == "reference")' "$t/anon")" ]
}

@test "an address: the variable of the kernel or of a module that is there" {
	local name address

	for name in oom_lock ledger; do
		address=$(awk -v "name=$name" '$3 == name { print $1 }' "$OWNERS/truth/kallsyms")
		memowner "$OWNERS/vmcore" memowner "virt:$address"
		grep -q -x -E "  symbol $name( \[leaky\])?" <<< "$output"
		[ "$("$MEMOWNER" "$OWNERS/vmcore" memowner "virt:$address" -j | jq -r 'select(.record == "row") | .symbol' | head -c ${#name})" = "$name" ]
	done
	# Within it, with the offset.
	memowner "$OWNERS/vmcore" memowner "virt:$(printf %x $((0x$address + 8)))"
	[[ $output = *$'\n  symbol ledger+0x8 [leaky]\n'* ]]
	# The direct map has no names.
	"$MEMOWNER" "$OWNERS/vmcore" memowner pfn:4425 -j | jq -e -s 'map(select(.record == "row")) | .[0].symbol == null'
}

@test "-i: commands of a file or of standard input, comments, quotes, output to files and programs" {
	local t=$BATS_TEST_TMPDIR

	cat > "$t/commands" <<-END
		# a comment

		faults -n 1 -o pid > $t/one
		faults -n 1 -o pid >> $t/one
		faults -j "-n" '1' | head -n 1 | wc -l
		!echo from a program
		help depot | head -n 2
		< $t/more
		quit
		nothing behind quit
	END
	echo "faults -n 1 -o pid > \"$t/a file\"" > "$t/more"
	memowner -i "$t/commands" "$DUMP"
	[ "$status" = 0 ] || { echo "$err"; false; }
	[ "$err" = '' ]
	[ "$output" = $'1\nfrom a program\nNAME\n  depot - call stacks behind stack depot handles' ]
	[ "$(grep -c PID "$t/one")" = 2 ]
	cmp <(head -n 3 "$t/one") <(head -n 3 "$t/a file")
	memowner "$DUMP" -i - < "$t/commands"
	[ "$status" = 0 ]
	[ "$(grep -c PID "$t/one")" = 2 ]
}

@test "-i: what is wrong is told with its line, the rest goes on, the status is the worst" {
	local t=$BATS_TEST_TMPDIR

	cat > "$t/commands" <<-END
		bt
		faults -n "1
		faults -n 1 >
		faults -n 1 > $t/no/folder
		depot 0
		< $t/commands
		< $t/nosuch
		help nosuch
		faults -n 1 -o pid
	END
	memowner -i "$t/commands" "$DUMP"
	[ "$status" = 2 ]
	[[ "$output" = *PID* ]]
	[ "${stderr_lines[0]}" = "memowner: $t/commands:1: bt: no such command" ]
	[ "${stderr_lines[1]}" = "memowner: $t/commands:2: a quote has no end" ]
	[ "${stderr_lines[2]}" = "memowner: $t/commands:3: no file follows > or >>" ]
	[ "${stderr_lines[3]}" = "memowner: $t/commands:4: cannot write $t/no/folder: No such file or directory" ]
	grep -q "^memowner: $t/commands:6: $t/commands: files name files 8 deep" <<< "$err"
	grep -q "^memowner: $t/commands:7: cannot read $t/nosuch: No such file or directory" <<< "$err"
	grep -q "^memowner: $t/commands:8: nosuch: no such command" <<< "$err"
	# What is wrong with the words of a command as well.
	printf '%s\n' '' 'faults -Q' 'memowner caches -s nosuch' > "$t/wrong"
	memowner -i "$t/wrong" "$DUMP"
	[ "$status" = 2 ]
	[[ "${stderr_lines[0]}" = "faults: $t/wrong:2: unknown option -Q, "* ]]
	[[ "${stderr_lines[1]}" = "memowner: $t/wrong:3: unknown sort key 'nosuch', "* ]]
	printf 'faults -n 1\0' > "$t/bytes"
	memowner -i "$t/bytes" "$DUMP"
	[ "$status" = 2 ]
	[ "$err" = "memowner: $t/bytes:1: no line of text" ]
}

@test "-i: no output is written over a dump, its vmlinux or the commands" {
	cp "$OWNERS/vmcore" "$BATS_TEST_TMPDIR/dump"
	ln -s dump "$BATS_TEST_TMPDIR/link"
	cp "$OWNERS/vmlinux" "$BATS_TEST_TMPDIR/vmlinux"
	cd "$BATS_TEST_TMPDIR"
	printf '%s\n' 'faults -n 1 > dump' 'faults -n 1 >> ./link' 'faults > vmlinux' 'faults > commands' 'faults -n 1 > other' > commands
	memowner --vmlinux vmlinux -i commands dump
	[ "$status" = 2 ]
	[ "${stderr_lines[*]}" = 'memowner: commands:1: dump is being read, and is not written memowner: commands:2: ./link is being read, and is not written memowner: commands:3: vmlinux is being read, and is not written memowner: commands:4: commands is being read, and is not written' ]
	cmp dump "$OWNERS/vmcore"
	cmp vmlinux "$OWNERS/vmlinux"
	[ "$(wc -l < commands)" = 5 ]
	[ -s other ]
}

@test "a reader that goes away is no error; a full disk is one, and the status 1" {
	# More than a pipe takes.
	memowner "$OWNERS/vmlinux" "$OWNERS/vmcore" pageowner -t list -j
	[ "${#output}" -gt 200000 ]
	head -n 1 <<< "$output" > "$BATS_TEST_TMPDIR/line"
	timeout 60 "$MEMOWNER" "$OWNERS/vmlinux" "$OWNERS/vmcore" pageowner -t list -j 2> "$BATS_TEST_TMPDIR/err" | head -n 1 > "$BATS_TEST_TMPDIR/first"
	status=("${PIPESTATUS[@]}")
	[ "${status[*]}" = '0 0' ]
	[ ! -s "$BATS_TEST_TMPDIR/err" ]
	cmp "$BATS_TEST_TMPDIR/first" "$BATS_TEST_TMPDIR/line"
	run timeout 60 sh -c '"$MEMOWNER" "$DUMP" > /dev/full'
	[ "$status" = 1 ]
	[ "$output" = 'memowner: cannot write all of the output: No space left on device' ]
	run timeout 60 sh -c '"$MEMOWNER" --help > /dev/full'
	[ "$status" = 1 ]
	memowner -i <(printf '%s\n' 'faults > /dev/full' 'faults -n 1 -o pid') "$DUMP"
	[ "$status" = 1 ]
	[[ "$err" = 'memowner: '*':1: faults: cannot write all of the output: No space left on device' ]]
	[[ "$output" = PID* ]]
}

@test "Ctrl-C: the program ends as by SIGINT; one that nobody reads ends as well" {
	yes 'depot 0' | head -n 1000000 > "$BATS_TEST_TMPDIR/many"
	dialog -i "$BATS_TEST_TMPDIR/many" "$DUMP" <<-END
		expect no data
		press ^C
	END
	[ "$status" = 130 ]
	# The other end of the pipe is open and not read.
	mkfifo "$BATS_TEST_TMPDIR/fifo"
	sleep 60 < "$BATS_TEST_TMPDIR/fifo" &
	reader=$!
	dialog -i <(echo "pageowner -t list -j > $BATS_TEST_TMPDIR/fifo") "$OWNERS/vmlinux" "$OWNERS/vmcore" <<-END
		pause 2000
		press ^C
	END
	kill "$reader"
	[ "$status" = 130 ]
}

@test "prompt: commands, completion, history; Ctrl-C ends the command or the line, not the program" {
	ldd "$MEMOWNER" | grep -q readline || skip 'built without readline'
	yes 'depot 0' | head -n 1000000 > "$BATS_TEST_TMPDIR/many"
	dialog -p "$DUMP" <<-END
		expect memowner>
		type faults -n 1 -o pid
		expect PID
		expect memowner>
		type < $BATS_TEST_TMPDIR/many
		expect no data
		press ^C
		expect memowner>
		keys all of this line
		expect all of this line
		press ^U
		type nosuch
		expect memowner: nosuch: no such command
		expect memowner>
		press a
		press l
		press l
		press ^I
		expect allocprof
		type -t to
		expect unknown view 'to'
		expect memowner>
		press x
		expect x
		press ^C
		expect memowner>
		press ^D
	END
	[ "$status" = 0 ]
	grep -q '^allocprof -t to' "$HOME/.local/state/memowner/history"
	[ "$(stat -c %a "$HOME/.local/state/memowner/history")" = 600 ]
	# Of a program that reads what comes, on the terminal only.
	PAGER='sed s/^/paged:/' dialog -p "$DUMP" <<-END
		expect memowner>
		type faults -n 1 -o pid
		expect paged:PID
		expect memowner>
		type quit
	END
	[ "$status" = 0 ]
	run "$MEMOWNER" -p "$DUMP" <<< $'depot 0\nquit'
	[ "$status" = 0 ]
	[[ "$output" = *'no data: '* ]]
}

@test "a terminal has its width, and the line of progress is gone" {
	dialog "$DUMP" <<< ''
	[ "$status" = 0 ]
	[ "$(awk 'length > 100' <<< "$output")" = '' ]
	dialog "$DUMP" memowner zone <<< ''
	[ "$status" = 2 ]
	[ "${#lines[@]}" -le 3 ]
}

# words WORD...: what the last can become
words() {
	"$MEMOWNER" --complete "$@" | paste -s -d ' '
}

@test "completion: commands, options, views, columns, keys and their values, by the tables of the commands" {
	[ "$(words '')" = "$COMMANDS $NOUNS help" ]
	[ "$(words memowner z)/$(words zo)" = zones/zones ]
	[ "$(words memowner caches -o +obj)" = "$(words caches -o +obj)" ]
	[ "$(words memowner caches -g '')" = 'node module help' ]
	[ "$(words pageo)" = pageowner ]
	[ "$(words help de)" = depot ]
	[[ " $(words pageowner -) " = *' -t '*' -j '* ]]
	[ "$(words pageowner -t f)" = folded ]
	[ "$(words memowner caches -o +obj)" = "$("$MEMOWNER" "$DUMP" memowner caches -o help | sed -n 's/^\(obj[a-z_]*\) .*/+\1/p' | paste -s -d ' ')" ]
	[ "$(words faults -g tgid,k)" = tgid,kthread ]
	[ "$(words faults -f kth)" = kthread= ]
	[ "$(words faults -f kthread=)" = 'kthread=yes kthread=no' ]
	[ "$(words nosuch x)" = '' ]
	# Each word that is offered is taken: of options and their values, of filters where the values are known.
	for c in $COMMANDS; do
		for option in -o -s -g -t -f; do
			"$MEMOWNER" --complete "$c" "$option" '' | sed "s/^/$c $option /; s/=\$/=-/; s/^depot/depot -a/; s/ -f [^=]*\$/& -h/"
		done
	done > "$BATS_TEST_TMPDIR/offered"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/offered")" -gt 200 ]
	memowner -i <(sed 's/$/ > \/dev\/null/' "$BATS_TEST_TMPDIR/offered") "$OWNERS/vmlinux" "$OWNERS/vmcore"
	[ "$(grep -i unknown <<< "$err")" = '' ]
}

@test "README: what the program answers of a dump and nothing else" {
	local readme=$TESTS/../README.md dump command

	dump=$(sed -n 's/^<!-- program \(.*\) -->$/\1/p' "$readme")
	[ -e "$BUILD/samples/$dump/vmcore" ]
	command=$(sed -n '/^<!-- program /,/^```$/s/^\$ memowner vmcore//p' "$readme")
	diff <(sed -n '/^<!-- program /,$p' "$readme" | sed '1,/^\$ memowner/d; /^```/,$d') <(on_screen 80 "$BUILD/samples/$dump/vmcore" $command)
}

@test "the summary: in a pipe each statement is one line, a terminal wraps it once, at its own width" {
	local width

	memowner "$DUMP"
	[ "$(grep -c -E '^OOM .* report-builder \(514\) .*; CONSTRAINT_NONE [(]derived[)]; the kernel panicked$' <<< "$output")" = 1 ]
	# Rows overlap, and what SIZE of a process is.
	grep -q -x 'users  *SIZE .* NAME (by SIZE + swap; indented: in row above)' <<< "$output"
	grep -q -x '    process 190.3M .* report-builder (514), anon, in swap 72.8M' <<< "$output"
	# No line of the log has it.
	[ "$("$MEMOWNER" "$DUMP" zones | grep -o '^  constraint [^,]*')" = '  constraint CONSTRAINT_NONE (derived)' ]
	"$MEMOWNER" "$DUMP" processes | grep -q '^OOM report in the log, .*: CONSTRAINT_NONE (derived)$'
	[ "$({ "$MEMOWNER" "$DUMP" memowner -j; "$MEMOWNER" "$DUMP" zones -j; "$MEMOWNER" "$DUMP" log -j; } | jq -r 'select(.constraint) | .basis' | xargs)" = 'derived derived derived' ]
	[ "$(grep -c '^processes report-builder .* swap ' <<< "$output")" = 1 ]
	# Of the case the end is told in short where there is no room.
	words_of() { sed 's/  # .*//' "$1" | tr -s ' \n' '  ' | sed -E 's/ up ([0-9.]+[a-z]+);/ \1 after boot;/' | tr ' ' '\n'; }
	for width in 40 80 132; do
		on_screen $width "$DUMP" > "$BATS_TEST_TMPDIR/$width"
		[ "$(awk -v width=$width 'length > width && NF > 1' "$BATS_TEST_TMPDIR/$width")" = '' ]
		# The words are the same, and a paragraph goes on below its first word; a file has room for more rows.
		diff <(words_of "$BATS_TEST_TMPDIR/40") <(words_of "$BATS_TEST_TMPDIR/$width")
		diff <(comm -23 <(grep -E '^(case|verdict|holder|trigger|OOM|panic|reclaim|next)' <<< "$output" | tr -s ' \n' '\n' | sort -u) \
			<(words_of "$BATS_TEST_TMPDIR/$width" | sort -u)) /dev/null
		[ "$(sed -n '/^OOM/,/^processes/p' "$BATS_TEST_TMPDIR/$width" | grep -c -v -E '^(OOM|processes) |^ {10}[^ ]|^ {1,9}[^ ]+$')" = 0 ]
	done
	[ "$(wc -l < "$BATS_TEST_TMPDIR/132")" -lt "$(wc -l < "$BATS_TEST_TMPDIR/80")" ]
}

@test "memowner(1): every option of --help, every command and view, no warning of groff" {
	local page=$BATS_TEST_TMPDIR/man/memowner.1

	"$TESTS/../scripts/manual" "$BATS_TEST_TMPDIR/man"
	groff -man -ww -Tutf8 -P-c -P-b -P-u "$page" > "$page.txt" 2> "$page.said"
	[ "$(cat "$page.said")" = '' ]
	tr '\342\200\220' '-' < "$page.txt" | tr -s ' ' > "$page.plain"
	memowner --help
	for option in $(grep -o -E '^  (-[a-zA-Z], )?--[a-z]+' <<< "$output" | tr ',' ' ') $COMMANDS $NOUNS; do
		grep -q -e "^ *\($option\|-[a-zA-Z].*, $option\)\([ ,=]\|\$\)" "$page.plain" || { echo "$option"; cat "$page.plain"; false; }
	done
	refute grep -q '@[A-Z]*@' "$page"
	for option in $(sed -n "s/.*compgen -W '\(--[^']*\)'.*/\1/p" "$TESTS/../packaging/memowner.bash"); do
		grep -q -e " $option" <<< "$output"
	done
}

@test "completion in bash: files before a command, then what the program offers" {
	cat > "$BATS_TEST_TMPDIR/ask" <<-'END'
		PATH=$1:$PATH
		. "$2"
		COMP_LINE=$3 COMP_POINT=${#3}
		# As COMP_WORDBREAKS of bash has it.
		read -r -a COMP_WORDS <<< "${3//=/ = }"
		[[ $3 != *[\ =] ]] || COMP_WORDS+=('')
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_memowner 2> /dev/null
		echo "${COMPREPLY[*]}"
	END
	: > "$BATS_TEST_TMPDIR/vmcore"
	asked() { (cd "$BATS_TEST_TMPDIR" && bash ask "$(realpath "$BUILD")" "$(realpath "$TESTS")/../packaging/memowner.bash" "$1"); }
	[ "$(asked 'memowner vmc')" = vmcore ]
	[ "$(asked 'memowner vmcore pageo')" = pageowner ]
	[ "$(asked 'memowner --vmlinux depot vmcore pageowner -t f')" = folded ]
	[ "$(asked 'memowner vmcore faults -f kth')" = kthread= ]
	[ "$(asked 'memowner vmcore faults -f kthread=y')" = yes ]
	[ "$(asked 'memowner vmcore -- faults -g tgid,k')" = tgid,kthread ]
	[ "$(asked 'memowner --vm')" = --vmlinux ]
}

@test "memory that cannot be had ends a command, and not the prompt behind it" {
	local t=$BATS_TEST_TMPDIR kib ended=0 whole=0

	printf '%s\n' "pageowner -w $t/scan" "memowner -H $t/page" 'depot -h' > "$t/lines"
	# With the least of these the dump cannot be opened, with the most all is answered.
	for kib in $(seq 40000 $((BRIEF ? 12000 : 4000)) 200000); do
		rm -f "$t/scan" "$t/page"
		status=0
		(ulimit -v "$kib"; exec timeout 60 "$MEMOWNER" -i "$t/lines" "$DUMP") > "$t/out" 2> "$t/err" || status=$?
		grep -q '^depot: call stacks' "$t/out" || continue
		if ! grep -q 'out of memory' "$t/err"; then
			whole=$((whole + 1))
			[ -z "$BRIEF" ] || break
			continue
		fi
		grep -E -q -x '(pageowner|memowner): out of memory( \([0-9]+ bytes more\))?' "$t/err"
		[ "$status" = 1 ] || { echo "$kib KiB: status $status"; cat "$t/err"; false; }
		if grep -q '^pageowner: out' "$t/err"; then [ ! -e "$t/scan" ]; fi
		if grep -q '^memowner: out' "$t/err"; then [ ! -e "$t/page" ]; fi
		ended=$((ended + 1))
	done
	echo "$ended ended, $whole whole"
	[ "$ended" -gt 0 ]
	[ "$whole" -gt 0 ]
}

@test "one Ctrl-C, whenever it comes: nothing, or what is there and that it is a part" {
	local dir=$BUILD/samples/6.12-oom t

	"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" holders > "$BATS_TEST_TMPDIR/whole"
	for t in 0.02 0.03 0.05 0.08 0.12; do
		timeout -s INT "$t" "$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" holders > "$BATS_TEST_TMPDIR/text" 2> /dev/null || :
		[ ! -s "$BATS_TEST_TMPDIR/text" ] || grep -q 'INTERRUPTED, partial' "$BATS_TEST_TMPDIR/text" || cmp "$BATS_TEST_TMPDIR/whole" "$BATS_TEST_TMPDIR/text"
		timeout -s INT "$t" "$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" holders -j > "$BATS_TEST_TMPDIR/json" 2> /dev/null || :
		[ ! -s "$BATS_TEST_TMPDIR/json" ] || jq -s -e '.[-1].record == "summary"' "$BATS_TEST_TMPDIR/json"
	done
}

@test "odd requests of a stranger: a log beside a dump, -H -, a vmlinux that is text, keys that help lists" {
	local dir=$BUILD/samples/6.12-stock-oom

	printf '[    1.000000] Linux version 6.1.0 (a@b)\n' > "$BATS_TEST_TMPDIR/log"
	run "$BUILD/memowner" "$dir/vmcore" log -L "$BATS_TEST_TMPDIR/log"
	[ "$status" -ne 0 ]
	[[ "$output" = *"--log $BATS_TEST_TMPDIR/log is read without a dump, and $dir/vmcore is given" ]]
	echo "log -L $BATS_TEST_TMPDIR/log" > "$BATS_TEST_TMPDIR/commands"
	"$BUILD/memowner" "$dir/vmcore" -i "$BATS_TEST_TMPDIR/commands" | grep -q -x 'warning: this is of the file alone: the dump was not read'
	cd "$BATS_TEST_TMPDIR"
	# A folder may have a file with the name of a view: behind a log it is the view.
	: > story
	run "$BUILD/memowner" --log log story
	[[ "$output" = *'Linux 6.1.0 booted. [memowner]'* ]]
	run "$BUILD/memowner" "$dir/vmcore" -H -
	[ "$status" -ne 0 ]
	[ ! -e ./- ]
	run "$BUILD/memowner" --vmlinux log "$dir/vmcore" case -n 1
	[ "${lines[0]}" = 'memowner: log: not a valid ELF file: it is not used' ]
	has_no_line 'build is unknown' <("$BUILD/memowner" --vmlinux log "$dir/vmcore" 2> /dev/null)
	run "$BUILD/memowner" "$dir/vmcore" pages -s rank
	[[ "$output" = 'memowner: rank is a column that rows are not sorted by, known are: pages bytes '* ]]
	refute grep -w 'callee\|state' <("$BUILD/memowner" fragmentation -h | sed -n '/^keys of -g/,/^[A-Z]/p')
}
