#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The first screen of every dump of the repository: how long it is, what stands on top of it, what it
# says of the machine and of its end, and that what it proposes answers.

load helper

setup_file() {
	local sample dir

	export OUT=$BATS_FILE_TMPDIR SAMPLES
	SAMPLES=$(cd "$TESTS/../samples/vmcores" && echo *)
	for sample in $SAMPLES; do
		dir=$BUILD/samples/$sample
		mkdir "$OUT/$sample"
		on_screen 80 --vmlinux "$dir/vmlinux" "$dir/vmcore" > "$OUT/$sample/screen"
		printf '%s\n' "memowner > $OUT/$sample/text" "memowner -j > $OUT/$sample/json" > "$OUT/$sample/commands"
		"$BUILD/memowner" --vmlinux "$dir/vmlinux" -i "$OUT/$sample/commands" "$dir/vmcore"
	done
}

of() {	# SAMPLE FILTER: of the statements, records of their sections
	jq -r "$2" "$OUT/$1/json"
}

case_of() {	# SAMPLE FILTER
	jq -r "select(.record == \"case\") | $2" "$OUT/$1/json"
}

@test "40 lines of 80 columns; the first 22 have the case, the verdict, classes and users" {
	local sample top

	for sample in $SAMPLES; do
		echo "$sample"
		[ "$(wc -l < "$OUT/$sample/screen")" -le 40 ]
		refute grep -E '.{81}| $' "$OUT/$sample/screen"
		# A file has each statement in one line, and so room for more of them.
		[ "$(wc -l < "$OUT/$sample/text")" -le 40 ]
		grep -v '^  [0-9]* more  \|^not shown\|^users \|^warning   [0-9]* more' "$OUT/$sample/screen" | sed 's/^also /     /' > "$OUT/$sample/shown"
		diff <(comm -23 <(screen_words "$OUT/$sample/shown" | tr -d ',;' | sort -u) <(screen_words "$OUT/$sample/text" | tr -d ',;' | sort -u)) /dev/null
		top=$(head -n 22 "$OUT/$sample/screen")
		[ "$(head -n 1 <<< "$top" | cut -c 1-10)" = 'case      ' ]
		[ "$(sed -n '3s/ .*//p' <<< "$top")" = verdict ]
		# Classes: up to eight, and a line of the rest.
		[ "$(sed -n '/^RAM /,/^users/p' <<< "$top" | grep -c '%')" -ge 4 ]
		[ "$(sed -n '/^RAM /,/^users/p' <<< "$top" | grep -c '%')" -le 9 ]
		# Users: what is behind their header, up to the first line of another part.
		[ "$(sed '1,/^users/d' <<< "$top" | grep -c '^   *[a-z]')" -ge 2 ]
		[ "$(sed '1,/^users/d; /^[a-z]/,$d' "$OUT/$sample/screen" | grep -c '^  [a-z]')" -le 8 ]
		[ "$(sed '1,/^users/d; /^[a-zA-Z]/,$d' "$OUT/$sample/screen" | wc -l)" -le "$(sed '1,/^users/d' <<< "$top" | wc -l)" ]
	done
}

@test "two lines of the case and at most four of the verdict, of which the rest is told below the users" {
	local sample

	for sample in $SAMPLES; do
		echo "$sample"
		[ "$(grep -n -m 1 '^verdict ' "$OUT/$sample/screen" | cut -d : -f 1)" = 3 ]
		[ "$(sed -n '/^verdict/,/^[a-zA-Z]/p' "$OUT/$sample/screen" | grep -c '^verdict\|^ ')" -le 4 ]
		refute grep '^also ' "$OUT/$sample/text"
	done
	# Where the verdict of this one has more.
	on_screen 79 --vmlinux "$BUILD/samples/6.1-stock-outside/vmlinux" "$BUILD/samples/6.1-stock-outside/vmcore" > "$OUT/narrow"
	[ "$(grep -o '^\(users\|also\) ' "$OUT/narrow" | xargs)" = 'users also' ]
}

@test "a narrower terminal has no more than the lines that this text takes there" {
	local sample columns

	for sample in $SAMPLES; do
		for columns in 79 60; do
			echo "$sample $columns"
			on_screen "$columns" --vmlinux "$BUILD/samples/$sample/vmlinux" "$BUILD/samples/$sample/vmcore" > "$OUT/narrow"
			grep -q '^case ' "$OUT/narrow"
			[ "$(wc -l < "$OUT/narrow")" -le $((40 * 80 / columns)) ]
		done
	done
}

@test "the verdict, with the number that carries it" {
	local sample kind text

	while IFS=$'\t' read -r sample kind text; do
		echo "$sample: $(of "$sample" 'select(.record == "verdict") | "\(.name) \(.remark)"')"
		[ "$(of "$sample" 'select(.record == "verdict") | .name')" = "$kind" ]
		[[ "$(of "$sample" 'select(.record == "verdict") | .remark')" = $text ]]
	done <<- 'END'
		6.1-oom	ran_out	memory ran out: 2.0M of 255.5M was free, 0.8%; swap of 48.0M was full; panic by panic_on_oom=1
		6.1-stock-outside	not_short	cgroup /system.slice/system-postgresql.slice/postgresql@15-main.service is frozen: 11 threads, and 17 other cgroups; memory was not short: 151.6M of 383.5M was free, 39.5%; the log has no report that memory ran out; the machine did not panic
		6.12-faults	ran_out	memory ran out: 1.2M of 127.5M was free, 0.9%; swap of 8.0M was full; panic by panic_on_oom=1; mapper (85) and waiter (89) wait for mmap_lock of 83, which holder (93) has
		6.12-hog-frames	no_block	no free block of order 4 or above: 25.4M of 95.5M was free, 26.5%, the largest block is of order 3
		6.12-hog-spool	cgroup_limit	cgroup /shop/checkout reached its limit: 31.9M of 32.0M at the report; 19.3% of RAM was free; panic_on_oom=2 makes even that a panic
		6.12-holed	ran_out	memory ran out: 400.0K was free by the counters of zones; swap of 48.0M was full; panic by panic_on_oom=1
		6.12-stock-oom	ran_out	memory ran out: 5.3M of 383.5M was free, 1.4%; 111.8M of 112.0M of swap was used; panic by panic_on_oom=1
		7.3-oom	ran_out	memory ran out: *
	END
	# The number is that of the class, and of the areas of swap.
	for sample in 6.1-oom 6.12-stock-oom 6.1-stock-outside 6.12-hog-frames; do
		[ "$(of $sample 'select(.record == "verdict") | .pages')" = "$(of $sample 'select(.record == "class" and .name == "buddy") | .pages')" ]
	done
}

@test "the case: host, release, time of day of the end, taint and who set it" {
	local sample truth set_at boot end

	for sample in 6.1-stock-outside 6.12-stock-oom; do
		truth=$BUILD/samples/$sample/truth
		[ "$(case_of $sample '"\(.host) \(.kernel)"')" = "stock $(awk '{ print $3 }' "$truth/version")" ]
		grep -q -F "$(case_of $sample .build)" "$truth/version"
		[ "$(case_of $sample .command_line)" = "$(cat "$truth/cmdline")" ]
		# What the kernel said when it read the clock of the machine: then, and how long after boot.
		set_at=$(tr -d '\r' < "$truth/console" | sed -n 's/.*setting system clock to .*(\([0-9]*\)).*/\1/p')
		boot=$(tr -d '\r' < "$truth/console" | sed -n 's/^\[ *\([0-9]*\)\..*setting system clock.*/\1/p')
		end=$(case_of $sample '(.uptime_ns / 1e9 | floor)')
		[ $(($(case_of $sample .end_utc_s) - (set_at + end - boot))) -ge -2 ]
		[ $(($(case_of $sample .end_utc_s) - (set_at + end - boot))) -le 2 ]
		[ "$(case_of $sample '"\(.taint)/\(.tainted_by)"')" = / ]
		grep -q -F "$(date -u -d "@$(case_of $sample .end_utc_s)" '+%Y-%m-%d %H:%M:%S UTC')" "$OUT/$sample/text"
	done
	[ "$(case_of 6.12-stock-oom .end)" = panic ]
	# A panic takes the other CPUs out of the mask of those that are online.
	[ "$(case_of 6.12-stock-oom .online_cpus)" = null ]
	[ "$(case_of 6.1-stock-outside .online_cpus)" = 2 ]
	[ "$(case_of 6.1-stock-outside .end)" = dump ]
	for sample in 6.1-oom 6.12-oom 7.3-oom; do
		[ "$(case_of $sample '"\(.taint)/\(.tainted_by)"')" = "O/$(sed -n 's/^\([^ ]*\) .* (\([A-Z]*\))$/\1 \2/p' "$BUILD/samples/$sample/truth/modules")" ]
	done
	[ "$(case_of 6.12-oom .vmlinux)" = this_build ]
	[ "$("$BUILD/memowner" "$BUILD/samples/6.12-stock-oom/vmcore" memowner -j | jq -r 'select(.record == "case") | .vmlinux')" = none ]
}

@test "memowner case: the command line, what tainted it, and settings of vm.* as the guest made them" {
	local sample dir truth value

	for sample in $SAMPLES; do
		echo "$sample"
		dir=$BUILD/samples/$sample truth=$BUILD/samples/$sample/truth
		"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" case -a -j > "$OUT/case"
		# A process is in the hole: whether it is at a limit is unknown; and a table of files in /proc/sys/kernel.
		[ "$(jq -r 'select(.record == "summary") | .unknown[].part' "$OUT/case" | xargs)" = "$([ $sample != 6.12-holed ] || echo 'limits of processes settings of kernel.* settings of kernel.keys.*')" ]
		[ "$(jq -r 'select(.record == "case") | .command_line' "$OUT/case")" = "$(cat "$truth/cmdline")" ]
		# What is on the screen is not another.
		diff <(jq -c 'select(.record == "case")' "$OUT/case") <(jq -c 'select(.record == "case")' "$OUT/$sample/json")
		value() { jq -r "select(.setting == \"vm.$1\") | .value" "$OUT/case"; }
		# What the panic says of the setting.
		case $(tr -d '\r' < "$truth/console" | grep -m 1 panic_on_oom) in
		*compulsory*) [ "$(value panic_on_oom)" = 2 ] ;;
		*system-wide*) [ "$(value panic_on_oom)" = 1 ] ;;
		esac
		# The watermarks are made of min_free_kbytes: to a page for each zone.
		awk -v kib="$(value min_free_kbytes)" '$1 == "boost" { boost = $2 } $1 == "min" { min = $2 - boost } $1 == "managed" && $2 { zones++; pages += min }
			END { d = kib / 4 - pages; exit d < 0 || d > zones }' "$truth/zoneinfo"
		# Tables of boot, as the kernel said when it made them.
		tr -d '\r' < "$truth/console" | sed -n -E 's/.*(Dentry cache|Inode-cache|TCP established) hash table entries: ([0-9]*) \(order: [0-9]*, ([0-9]*) bytes.*/\1 \2 \3/p' |
			sed -E 's/^Dentry cache/dhash_entries/; s/^Inode-cache/ihash_entries/; s/^TCP established/thash_entries/' | sort > "$OUT/tables"
		[ "$(wc -l < "$OUT/tables")" -ge 2 ]
		diff "$OUT/tables" <(jq -r 'select(.record == "row" and (.setting | test("^[dit]hash_entries$"))) | "\(.setting) \(.value) \(.keeps_bytes)"' "$OUT/case" | sort)
		[ "$(jq -r 'select(.setting == "fs.mount-max") | "\(.value) \(.changed)"' "$OUT/case")" = '100000 false' ]
		# CommitLimit is the share of overcommit_ratio of what are no huge pages, and swap.
		awk -v ratio="$(value overcommit_ratio)" '{ v[$1] = $2 } END { d = int((v["MemTotal:"] - v["Hugetlb:"]) / 4) * ratio / 100 * 4 + v["SwapTotal:"] - v["CommitLimit:"]; exit d < -8 || d > 8 }' "$truth/meminfo"
	done
	dir=$BUILD/samples/6.12-stock-oom
	# What all kernels have, in a directory of a directory; systemd sets the second.
	[ "$("$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" case -a -j |
		jq -r 'select(.setting == "fs.inotify.max_queued_events" or .setting == "fs.nr_open" or .setting == "hugepages-2048kB") | "\(.value) \(.changed) \(.keeps_bytes)"' | xargs)" = \
		'16384 false null 1073741816 true null 3 true 6291456' ]
	dir=$BUILD/samples/6.1-stock-outside
	# The guest wrote it.
	[ "$("$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" case -f setting=vm.drop_caches -o value,default_value | grep -x ' *[0-9]*  [0-9]*' | xargs)" = '3 0' ]
	dir=$BUILD/samples/6.12-oom
	"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" case > "$OUT/case"
	grep -q '^vm\.panic_on_oom  *1  0  *the kernel ends in place of a process$' "$OUT/case"
	refute grep -q '^vm\.swappiness' "$OUT/case"
	# A setting that is asked for is no news either, but asked for; what -a alone shows counts in JSON.
	for value in setting=vm.swappiness value=60 default_value=60; do
		echo "$value"
		"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" case -f "$value" > "$OUT/asked"
		grep -q -x 'vm\.swappiness  *60  *60  *-  0: processes keep.*' "$OUT/asked"
		refute grep -q -e '^host ' -e '^kernel  ' "$OUT/asked"
		# The default of those that follow from the machine is unknown.
		refute grep -q -e 'warning' -e '-a shows' <(grep -v '^warning: \(default_value\|keeps_bytes\|remark\) is unknown of [0-9]* settings, ' "$OUT/asked")
	done
	has_no_line -q -e '^vm\.swappiness' -e '^vm\.panic_on_oom' <("$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" case -X setting=vm.panic_on_oom)
	# But for taint and the words of the command line, which stand above the table.
	[ "$("$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" case -j | jq 'select(.record == "summary") | .rows_total, .rows_shown' | xargs)" = \
		"$("$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" case -a -j | jq -s 'map(select(.record == "row" and (.setting | test("^(taint|boot[.])") | not))) | length') $(grep -c -E '^(vm|fs|kernel)\.|^log_buf_len' "$OUT/case")" ]
	grep -q -x 'modules   leaky O' "$OUT/case"
	grep -q -x -F "booted    $(cat "$dir/truth/cmdline")" "$OUT/case"
}

@test "memowner log: the newest report, line by line as the console has it" {
	local sample dir

	for sample in $SAMPLES; do
		dir=$BUILD/samples/$sample
		"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" log -j > "$OUT/log"
		"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" log > "$OUT/lines"
		if [ "$sample" = 6.1-stock-outside ]; then
			grep -q -x 'the log has no report of memory that ran out' "$OUT/lines"
			[ "$(jq -r 'select(.record == "row") | .record' "$OUT/log")" = '' ]
			continue
		fi
		echo "$sample: $(jq -c 'select(.record == "row")' "$OUT/log" | head -n 1)"
		# Up to the panic nothing is left out, nothing is of another. The console may repeat a line.
		tr -d '\r' < "$dir/truth/console" | sed -n 's/^\[ *[0-9.]*\] //p' | uniq > "$OUT/console"
		jq -r 'select(.record == "line") | .message' "$OUT/log" | sed 's/ *$//' | uniq > "$OUT/ours"
		awk '/invoked oom-killer:|page allocation failure: order:/ { at = NR } { line[NR] = $0 } END { for (i = at; i <= NR; i++) { print line[i]; if (line[i] ~ /Kernel panic|Killed process/) exit } }' "$OUT/console" | sed 's/ *$//' > "$OUT/told"
		[ "$(wc -l < "$OUT/ours")" -gt 30 ]
		# A machine may go on behind an allocation that failed.
		[ "$(jq -r 'select(.record == "row") | .report' "$OUT/log" | head -n 1)" = oom ] || sed -i "$(wc -l < "$OUT/ours")q" "$OUT/told"
		diff "$OUT/told" "$OUT/ours"
		[ "$(jq -r 'select(.record == "row") | .comm' "$OUT/log" | head -n 1)" = "$(sed -n '1s/ invoked oom-killer.*//p; 1s/: page allocation failure.*//p' "$OUT/told")" ]
		[ "$(grep -c '^\[' "$OUT/lines")" = "$(jq -r 'select(.record == "line") | .ts_ns' "$OUT/log" | wc -l)" ]
	done
}

@test "memowner log: what filters leave out is not shown below either, by keys and by columns, in text and JSON" {
	local filter dir=$BUILD/samples/6.12-stock-oom

	for filter in '-f report=allocation' '-f comm=postgres' '-X report=oom' '-f order=3' '-f victim_pid=5'; do
		"$BUILD/memowner" "$dir/vmcore" log $filter -j > "$OUT/log"
		[ "$(jq -r 'select(.record == "line" or .record == "row") | .record' "$OUT/log")" = '' ]
		"$BUILD/memowner" "$dir/vmcore" log $filter > "$OUT/log"
		grep -q -E '^filters (of columns )?kept 0 of 1 (report|row)$' "$OUT/log"
		[ "$(grep -c -e '^\[' -e 'as the kernel wrote it' -e 'has no report' "$OUT/log")" = 0 ]
	done
	for filter in '-f report=oom' '-f comm=report-builder -o comm' '-f order=0 -o comm'; do
		"$BUILD/memowner" "$dir/vmcore" log $filter > "$OUT/log"
		grep -q -x 'The last of these, as the kernel wrote it:' "$OUT/log"
		[ "$(grep -c '^\[' "$OUT/log")" = 101 ]
	done
	run "$BUILD/memowner" "$dir/vmcore" log -f report=alloc
	[ "$output" = "memowner: unknown report 'alloc', the nearest is allocation, known are: oom allocation mem_info" ]
}

# poked SAMPLE VALUES COMMAND...: what a command says if variables of the kernel had other values
poked() {
	local dir=$BUILD/samples/$1

	echo "memowner_poke ${*:2}" > "$OUT/commands"
	"$BUILD/tested" --vmlinux "$dir/vmlinux" -i "$OUT/commands" "$dir/vmcore"
}

@test "what may be promised is CommitLimit, what is promised Committed_AS; the verdict has it where the limit is enforced and near" {
	local sample dir n=0 verdict next

	for sample in $SAMPLES; do
		dir=$BUILD/samples/$sample
		"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" case -j > "$OUT/case"
		[ "$(jq -r 'select(.record == "case") | .commit_limit_bytes / 1024' "$OUT/case")" = "$(awk '$1 == "CommitLimit:" { print $2 }' "$dir/truth/meminfo")" ]
		[ "$(jq -r 'select(.record == "case") | .overcommit' "$OUT/case")" = 0 ]
		n=$((n + 1))
	done
	[ $n -ge 8 ]
	# The process that read the file has ended since: less than a megabyte of it.
	dir=$BUILD/samples/6.1-stock-outside
	"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" case -j | jq -r 'select(.record == "case") | .committed_bytes / 1024' |
		awk -v told="$(awk '$1 == "Committed_AS:" { print $2 }' "$dir/truth/meminfo")" '{ print told - $1; exit $1 > told || told - $1 > 1024 }'
	grep -q -x 'promised  529.2M of a limit of 281.2M, which vm.overcommit_memory=0 does not enforce; what was mapped with MAP_NORESERVE is not in it' <("$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" case)
	# 130 percent of RAM, and swap, are 551.8M.
	poked 6.1-stock-outside sysctl_overcommit_memory:4=2,sysctl_overcommit_ratio:4=130 memowner -j > "$OUT/near"
	verdict=$(jq -r 'select(.record == "verdict") | "\(.name): \(.remark)"' "$OUT/near")
	[[ "$verdict" = 'commit_limit: committed address space is 529.2M of 551.8M, which vm.overcommit_memory=2 enforces; 76.4M in private writable mappings of memcached ('*'); 151.6M of '* ]]
	[ "$(jq -r 'select(.record == "next") | .command' "$OUT/near" | head -n 1)" = 'memowner case -f "setting=vm.overcommit*"' ]
	# Not near, and not enforced.
	[ "$(poked 6.1-stock-outside sysctl_overcommit_memory:4=2,sysctl_overcommit_ratio:4=150 memowner -j | jq -r 'select(.record == "verdict") | .name')" = not_short ]
	[ "$(poked 6.1-stock-outside sysctl_overcommit_memory:4=1,sysctl_overcommit_ratio:4=130 memowner -j | jq -r 'select(.record == "verdict") | .name')" = not_short ]
	poked 6.1-stock-outside sysctl_overcommit_memory:4=2,sysctl_overcommit_kbytes:8=409600 memowner case | grep -q '^promised .* of a limit of 512.0M, which vm.overcommit_memory=2 enforces$'
}

@test "a machine that did not panic is short of memory where none is available: by watermarks, by caches that a setting keeps, without swap" {
	local s=6.1-stock-outside verdict node at all=() one

	# Beside the sum what it is of: lowmem_reserve[1] of DMA32, which no request for the kernel meets. Alone it is no witness.
	for node in 0 1; do
		at=$("$BUILD/memowner" --vmlinux "$BUILD/samples/$s/vmlinux" "$BUILD/samples/$s/vmcore" zones -D 2>&1 | sed -n "s/.*node $node DMA32 pfn .* at //p" | head -n 1)
		all+=("$(printf '0x%x' $((at + 8)))/zone.lowmem_reserve:8=100000")
	done
	one=${all[0]} all=${all[0]},${all[1]}
	[ "$(poked $s totalreserve_pages:8=0 memowner -j | jq -r 'select(.record == "verdict") | .name')" = unknown ]
	# Much is free, and nothing of it is above the watermarks.
	poked $s $all,totalreserve_pages:8=85600,min_free_kbytes:4=140000 memowner -j > "$OUT/kept"
	verdict=$(jq -r 'select(.record == "verdict") | "\(.name): \(.remark)"' "$OUT/kept")
	[[ "$verdict" = *'watermarks: '*'little of what is free may be had: 151.6M of 383.5M was free, 39.5%; vm.min_free_kbytes, 140000, keeps 136.7M, below which '* ]]
	jq -r 'select(.record == "holds_most") | .remark' "$OUT/kept" | grep -q '^no process: the setting vm.min_free_kbytes keeps free 136.7M'
	# A setting that is as the kernel makes it is not the reason.
	[ "$(poked $s $all,totalreserve_pages:8=85600 memowner -j | jq -r 'select(.record == "verdict") | .name')" = short ]
	# What dentries and inodes could give back is not available if no shrinker may take them.
	[ "$(poked $s $one,totalreserve_pages:8=43392 memowner -j | jq -r 'select(.record == "verdict") | .name')" = not_short ]
	poked $s $one,totalreserve_pages:8=43392,sysctl_vfs_cache_pressure:4=0 memowner > "$OUT/pressure"
	grep -q '^verdict .*memory was short, though the log has no OOM report: 151.6M of 383.5M was free, 39.5%, MemAvailable 14.[0-9]M, which counts 13.5M of slab caches that vm.vfs_cache_pressure=0 keeps; ' "$OUT/pressure"
}

@test "what processes of one name share is unknown where a page table cannot be read: the largest alone, and it is told" {
	local mm

	mm=$("$BUILD/memowner" "$BUILD/samples/6.12-stock-oom/vmcore" processes -f comm=stress-ng-vm -s rss_bytes -n 1 -j | jq -r 'select(.record == "row") | .address')
	poked 6.12-stock-oom "$mm/mm_struct.pgd:8=0x1000" memowner -j > "$OUT/shared"
	jq -s -e 'any(.[]; .comm == "stress-ng-vm" and .remark == "anon and swap of the largest; all count 16.3M and 2.7M, what they share is unknown")' "$OUT/shared"
	jq -s -e 'any(.[]; .record == "summary" and .complete == false and any(.unknown[]; .part == "memory that fork shares" and (.reason | startswith("stress-ng-vm: "))))' "$OUT/shared"
	# Where no table names areas of swap, what is there is of the largest.
	poked 6.12-stock-oom nr_swapfiles:4=0 memowner -j > "$OUT/shared"
	jq -s -e 'any(.[]; .comm == "stress-ng-vm" and .remark == "anon; what is in swap is of the largest, all count 2.7M, what they share is unknown")' "$OUT/shared"
	jq -s -e 'any(.[]; .record == "summary" and any(.unknown[]; .part == "memory that fork shares" and (.reason | test("^stress-ng-vm: page tables have 0 pages in swap, the counters [0-9]+$"))))' "$OUT/shared"
	# Two processes that fork() made have the same pages in swap: about what each of them counts.
	"$BUILD/memowner" "$BUILD/samples/6.12-stock-oom/vmcore" processes -f comm=stress-ng-vm -j |
		jq -s -e --argjson n "$(of 6.12-stock-oom 'select(.record == "group" and .comm == "stress-ng-vm") | .swapped_pages')" \
			'map(select(.record == "row") | .swap_bytes / 4096) | length == 2 and $n >= max and $n < add * 0.55'
	# Of a group that has all of its tables nothing is unknown.
	[ "$(of 6.12-stock-oom 'select(.record == "summary") | .unknown[] | select(.part == "memory that fork shares") | .part')" = '' ]
	[ "$(of 6.12-stock-oom 'select(.record == "group" and .remark != null and (.remark | test("share"))) | .comm')" = '' ]
}

@test "a cgroup whose name cannot be read is a cgroup of unknown name, and no device" {
	local memcg

	memcg=$("$BUILD/memowner" "$BUILD/samples/6.12-stock-oom/vmcore" cgroups -f memcg=/system.slice/report-builder.service -j | jq -r 'select(.record == "row") | .address')
	poked 6.12-stock-oom "$memcg/cgroup_subsys_state.cgroup:8=0x1000" memowner | grep -q -x '  cgroup    192.8M  50.3%       -  of unknown name: in swap 72.8M'
	poked 6.12-stock-oom "$memcg/cgroup_subsys_state.cgroup:8=0x1000" memowner story | grep -q -F 'cgroup of unknown name: in swap 72.8M: 192.8M. [memowner]'
}

@test "a pool of huge pages that mostly lies free is in the verdict, and who maps the others beside it" {
	local pool free=90 mm is h=hstates/hstate

	mm=$("$BUILD/memowner" "$BUILD/samples/6.12-stock-oom/vmcore" processes -f pid=463 -j | jq -r 'select(.record == "row") | .address')
	pool() {
		echo "$h.order:4=9,$h.nr_huge_pages:8=100,$h.free_huge_pages:8=$((2 * $1)),$h.nr_huge_pages_node:4=50,$h.nr_huge_pages_node+4:4=50,$h.free_huge_pages_node:4=$1,$h.free_huge_pages_node+4:4=$1"
	}
	poked 6.12-stock-oom "$(pool 45),$mm/mm_struct.hugetlb_usage:8=5120" memowner > "$OUT/idle"
	grep -q -x 'verdict   memory ran out: 5.3M of 383.5M was free, 1.4%; .*; 180.0M of 200.0M in huge pages of 2.0M lie free, for hugetlbfs alone; panic by panic_on_oom=1' "$OUT/idle"
	grep -q -x '  hugetlb   200.0M  52.2% .* 2.0M pages: 90 of 100 are free; mapped by postgres (463) 20.0M' "$OUT/idle"
	[ "$(sed -n '/^next:/{n;p;}' "$OUT/idle")" = '  memowner pools  # pools of pages by name, and swap' ]
	poked 6.12-stock-oom "$(pool 45)" memowner | grep -q -x '  hugetlb  .* 90 of 100 are free; no process maps the others'
	# Promised to who has mapped it, mostly in use, small: no finding.
	for is in "$(pool 45),$h.resv_huge_pages:8=60" "$(pool 20)" "$h.order:4=9"; do
		poked 6.12-stock-oom "$is" memowner > "$OUT/idle"
		[ "$(grep -c 'lie free' "$OUT/idle")" = 0 ]
	done
	[ "$(poked 6.12-stock-oom "$mm/mm_struct.hugetlb_usage:8=5120" memowner processes -s hugetlb_bytes -n 1 -j | jq -r 'select(.record == "row") | "\(.pid) \(.hugetlb_bytes)"')" = '463 20971520' ]
	# As the kernel's own files have it.
	[ "$(grep -c 'HugetlbPages:.* 0 kB' "$BUILD/samples/6.12-stock-oom/truth/proc_status")" -gt 40 ]
	"$BUILD/memowner" "$BUILD/samples/6.12-stock-oom/vmcore" processes -n 0 -j | jq -s -e 'map(select(.record == "row") | .hugetlb_bytes) | length > 40 and all(. == 0)'
}

# boot_of SAMPLE VALUES: option and bytes of the next boot, with other values; empty: none
boot_of() {
	poked "$1" "$2" memowner -j | jq -r 'select(.record == "boot") | "\(.name) \(.bytes)"'
}

@test "the next boot: the option that records who allocates what has much memory and no owner, and what it takes" {
	local sample off=page_owner_inited:4=0 sites=alloc_tag_cttype:8=0 told pages entry dir cache

	# The kernel tells at boot how much all clients of page_ext have: page_owner's share of its entry.
	while read -r sample pages entry; do
		told=$(sed -n 's/.* allocated \([0-9]*\) bytes of page_ext.*/\1/p' "$BUILD/samples/$sample/truth/console" | head -n 1)
		[ "$told" = $((pages * entry)) ]
		# A word of flags, and a reference of allocation profiling where it is built in.
		[ "$sample" = 6.1-oom ] && entry=$((entry - 8)) || entry=$((entry - 16))
		[ "$sample" = 7.3-oom ] && entry=$((entry + 8))
		[ "$(boot_of "$sample" "$off$([ "$sample" = 6.1-oom ] || echo ",$sites")")" = "page_owner=on $((pages * entry))" ]
	done <<- END
	6.1-oom 65536 64
	6.12-oom 65536 80
	7.3-oom 65536 72
	6.12-kdump 131072 80
	END
	# With either of them owners are known; nothing is proposed for what has little memory.
	[ "$(boot_of 6.12-oom "$off")" = '' ]
	[ "$(boot_of 6.12-oom "$sites")" = '' ]
	[ "$(boot_of 6.12-faults "$sites")" = '' ]
	for sample in $SAMPLES; do
		[ "$(of "$sample" 'select(.record == "boot")')" = '' ]
	done
	poked 6.12-oom "$off,$sites" memowner | grep -q -x 'next boot page_owner=on takes at least 4.0M and tells who allocates direct pages'
	# Built without: another kernel, and no option.
	dir=$BUILD/samples/6.1-oom
	echo 'memowner_blind page_owner,@page_owner_inited memowner' > "$OUT/commands"
	"$BUILD/tested" --vmlinux "$dir/vmlinux" -i "$OUT/commands" "$dir/vmcore" > "$OUT/without"
	# Roots have most of them.
	grep -q '^~ root .* -> direct pages' "$OUT/without"
	refute grep '^next boot' "$OUT/without"
	# Objects: a quarter of RAM is slab, and most of that one cache, which had tracks: its slots had room for two.
	dir=$BUILD/samples/6.12-hog-frames
	[ "$(boot_of 6.12-hog-frames "$sites")" = '' ]
	cache=$("$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" caches -f cache=framegrab_buf -j | jq -r 'select(.record == "row") | .address')
	[ "$(boot_of 6.12-hog-frames "$sites,$cache/kmem_cache.flags:4=0")" = "slub_debug=U,framegrab_buf $((20255 * 64))" ]
	# Objects that are aligned take whole steps more, as those of kmalloc's powers of two.
	[ "$(boot_of 6.12-hog-frames "$sites,$cache/kmem_cache.flags:4=0,$cache/kmem_cache.align:4=128")" = "slub_debug=U,framegrab_buf $((20255 * (896 - 712)))" ]
	[ "$(awk '$1 == "framegrab_buf" { print $3, $4 }' "$dir/truth/slabinfo")" = '20255 712' ]
	# A name of many caches is of one only if none is merged into it.
	[[ "$(boot_of 6.12-hog-frames "$sites,$cache/kmem_cache.flags:4=0,$cache/kmem_cache.refcount:4=3")" = 'slub_debug=U '[0-9]* ]]
}

# Names of user's processes, of their cgroups, of files and of mounts, as the files of the guest had them.
names_of() {	# SAMPLE
	local truth=$BUILD/samples/$1/truth

	awk -F '[/:\t]+' '$4 == "status" && $5 == "Name" { name = $6; at = $3 } $4 == "status" && $5 == "VmRSS" && $3 == at { print name }' "$truth/proc_status"
	sed -n 's/.*cgroup:0:://p' "$truth/proc_cgroup" | tr / '\n'
	awk '{ print $2 }' "$truth/mounts" 2> /dev/null | sed -n '/^\/.*[a-z]/p'
	sed -n 's|.* \(/[^ ]*[a-z][^ ]*\)$|\1|p' "$truth/fds" "$truth/proc_fd" 2> /dev/null || :
	# Of the dump itself: processes that exited too.
	of "$1" '.comm | strings'
	case_of "$1" .host
	case_of "$1" .command_line
}

@test "memowner objects: of objects with a track allocation profiling knows the call site as well" {
	local dir=$BUILD/samples/6.12-hog-frames rows

	rows=$("$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" objects -f cache=framegrab_buf -g site -j | jq -r 'select(.record == "row") | "\(.objects) \(.site)"')
	[ "$rows" = '20255 drivers/framegrab/framegrab.c:42 framegrab_get_buf [framegrab]' ]
	# Of 20,255 calls counted there, as many.
	[ "$(awk '$3 == "drivers/framegrab/framegrab.c:42" { print $2 }' "$dir/truth/allocinfo")" = 20255 ]
}

@test "-H FILE --redact: no name of the guest is in the page, one has one pseudonym, figures stay" {
	local sample dir page

	for sample in 6.12-stock-oom 6.12-hog-spool $([ -n "${BRIEF:-}" ] || echo 6.1-stock-outside 6.12-oom); do
		dir=$BUILD/samples/$sample
		for page in plain redacted; do
			rm -f "$OUT/$page"
			"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" memowner -H "$OUT/$page" $([ $page = plain ] || echo --redact) > /dev/null
			# What is of the page is not of the dump: its style, its script, titles of columns.
			sed -e '/<style>/,/<\/style>/d' -e '/^<script>$/,$d' -e 's/<p class=soft>[^<]*<.p>//; s/ title="[^"]*"/ /g; s/<[^>]*>/ /g; s/&#39;/'\''/g; s/&#62;/>/g' "$OUT/$page" > "$OUT/$page.text"
		done
		# Files of the kernel are on each machine, but for those of a process.
		names_of $sample | sort -u | grep -v -x -E '\(none\)|.||/proc(/[a-z].*)?|/sys(/kernel/(mm|slab)/.*)?' > "$OUT/names"
		echo "$sample: $(wc -l < "$OUT/names") names, $(grep -c -w -F -f "$OUT/names" "$OUT/plain.text") lines have one"
		[ "$(grep -c -w -F -f "$OUT/names" "$OUT/plain.text")" -gt 10 ]
		# The guest's own script has the name of a word of ours.
		refute grep -n -w -F -f "$OUT/names" <(sed 's/run queue//g' "$OUT/redacted.text")
		refute grep -E '(0x)?[0-9a-f]{4}[0-9a-f]{12}\b|[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+:' "$OUT/redacted.text"
		# Sizes are those of the page with names.
		diff <("$TESTS/tools/page_data" "$OUT/plain" '#processes' | grep -o -E '\b[0-9.]+[KMG]\b') <("$TESTS/tools/page_data" "$OUT/redacted" '#processes' | grep -o -E '\b[0-9.]+[KMG]\b')
		# As many commands and cgroups as there are.
		[ "$("$TESTS/tools/page_data" "$OUT/plain" '#names' | grep -c "$(printf '\t')")" = "$("$TESTS/tools/page_data" "$OUT/redacted" '#names' | grep -c "$(printf '\t')")" ]
		[ "$("$TESTS/tools/page_data" "$OUT/redacted" '#names' | cut -f 1 | grep '^cmd-' | sort | uniq -d)" = '' ]
	done
}

@test "-H FILE: memory.high of cgroups, peers of sockets, files and TCP connections of the process that has most, the stack of the panic" {
	local dir=$BUILD/samples/6.12-stock-oom data=$TESTS/tools/page_data pid part

	rm -f "$OUT/page"
	"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" memowner -H "$OUT/page" > /dev/null
	[ "$(stat -c %s "$OUT/page")" -lt 1500000 ]
	"$data" "$OUT/page" '#cgroups' | grep -q -w HIGH
	"$data" "$OUT/page" '#sockets' | grep -q -w PEER_USED_BY
	pid=$("$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" memowner processes -n 0 -j |
		jq -s 'map(select(.record == "row" and .rss_bytes)) | max_by(.rss_bytes + .swap_bytes) | .pid')
	# What has no row is no section.
	for part in files sockets; do
		"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" memowner $part -f "used_by=$pid" -j > "$OUT/rows"
		[ "$(grep -c '"record":"row"' "$OUT/rows")" = 0 ] || grep -q -F "memowner $part -f used_by=$pid " "$OUT/page"
		[ "$(grep -c '"record":"row"' "$OUT/rows")" != 0 ] || refute grep -F "memowner $part -f used_by=" "$OUT/page"
	done
	# A filter that the page has chosen is no news.
	refute grep -F 'nothing that was read has it' "$OUT/page"
	"$data" "$OUT/page" '#exception' > "$OUT/exception"
	grep -q -x 'call trace in the log:' "$OUT/exception"
	grep -q '^out_of_memory' "$OUT/exception"
}

@test "what is used: swap, cgroups and groups of processes are those of their views" {
	local dir=$BUILD/samples/6.12-stock-oom

	"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" memowner pools -j > "$OUT/pools"
	"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" memowner cgroups -n 0 -j > "$OUT/cgroups"
	"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" faults -j > "$OUT/tasks"
	# In MiB, with one place.
	grep -q "^RAM .*; $(jq -r 'select(.record == "swap") | "\(.swap_pages) \(.swap_used_pages)"' "$OUT/pools" |
		awk '{ pages += $1; used += $2 } END { printf "swap %.1fM, %.1fM used", pages / 256, used / 256 }')\$" "$OUT/6.12-stock-oom/text"
	of 6.12-stock-oom 'select(.record == "holder" and .user_kind == "cgroup") | "\(.name) \(.bytes)"' > "$OUT/ours"
	[ -s "$OUT/ours" ]
	while read -r line; do
		grep -q -x -F "$line" <(jq -r 'select(.record == "row") | "\(.memcg) \(.usage_bytes)"' "$OUT/cgroups")
	done < "$OUT/ours"
	of 6.12-stock-oom 'select(.record == "group") | "\(.comm)\t\(.cgroup)\t\(.processes) \(.bytes)"' > "$OUT/ours"
	[ "$(wc -l < "$OUT/ours")" = 4 ]
	# What fork shares is counted once, and with processes outside in part: about what the largest has at least.
	jq -r 'select(.record == "row" and .pid == .tgid and .rss_anon_bytes != null) | [.comm, .cgroup, .rss_anon_bytes] | @tsv' "$OUT/tasks" |
		awk -F '\t' 'NR == FNR { split($3, is, " "); n[$1 "\t" $2] = is[1]; bytes[$1 "\t" $2] = is[2]; next }
			($1 "\t" $2) in n { k = $1 "\t" $2; seen[k]++; sum[k] += $3; most[k] = $3 > most[k] ? $3 : most[k] }
			END { for (k in n) if (seen[k] != n[k] || bytes[k] < most[k] * 0.9 || bytes[k] > sum[k]) { print k, n[k], bytes[k], seen[k], most[k], sum[k]; bad = 1 } exit bad }' "$OUT/ours" -
}

@test "cgroups: processes are as many as their view has; none without a limit is there whose shown children have four fifths of it" {
	local sample dir

	for sample in 6.1-stock-outside 6.12-hog-spool 6.12-stock-oom; do
		dir=$BUILD/samples/$sample
		"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" memowner cgroups -n 0 -j | jq -c 'select(.record == "row")' > "$OUT/cgroups"
		# With those of descendants, as its sizes are.
		jq -r '[.memcg, .processes, .all_processes] | @tsv' "$OUT/cgroups" | awk -F '\t' '{ own[$1] = $2; all[$1] = $3 }
			END { for (top in all) { sum = 0; for (path in own) if (top == "/" || index(path "/", top "/") == 1) sum += own[path]
				if (sum != all[top]) { print top, sum, all[top]; bad = 1 } } exit bad }'
		of "$sample" 'select(.record == "holder" and .user_kind == "cgroup") | [.name, .bytes, .remark] | @tsv' > "$OUT/ours"
		[ -s "$OUT/ours" ]
		awk -F '\t' 'FNR == NR { n[$1] = $2; next }
			{ sum = 0; for (path in n) if (index(path "/", $1 "/") == 1) sum += n[path]
			  split($3, words, " "); if (words[1] == "no") words[1] = 0
			  size[$1] = $2; limited[$1] = $3 ~ /at its/; if (words[1] != sum) { print $0, sum; bad = 1 } }
			END { for (top in size) { below = 0; for (path in size) if (index(path, top "/") == 1) below += size[path]
				if (below >= size[top] * 0.8 && !limited[top]) { print top, below; bad = 1 } }
				exit bad }' <(jq -r '[.memcg, .processes] | @tsv' "$OUT/cgroups") "$OUT/ours"
		# One that is large has a row, or nearly all of it is of those below it that have.
		jq -r '[.memcg, .usage_bytes] | @tsv' "$OUT/cgroups" | awk -F '\t' -v ram="$(of "$sample" 'select(.record == "ram" and .name == "System RAM") | .bytes')" '
			FNR == NR { shown[$1] = $2; next }
			$1 != "/" && $2 >= ram / 10 && !($1 in shown) { below = 0; for (path in shown) if (index(path, $1 "/") == 1) below += shown[path]
				if (below < $2 * 0.8) { print; bad = 1 } }
			END { exit bad }' "$OUT/ours" -
	done
}

@test "a cgroup that reached its limit: first what is charged to it, its parts are those of memory.stat" {
	"$BUILD/memowner" --vmlinux "$BUILD/samples/6.12-hog-spool/vmlinux" "$BUILD/samples/6.12-hog-spool/vmcore" memowner cgroups -f memcg=/shop/checkout -j > "$OUT/cgroup"
	[ "$(jq -r 'select(.record == "row") | .memcg_stat | [.shmem, .anon] | map(. / 1048576 * 10 | round / 10) | "shmem \(.[0])M, anon \(.[1])M"' "$OUT/cgroup")" = \
		"$(of 6.12-hog-spool 'select(.record == "holder" and .name == "/shop/checkout") | .remark' | sed 's/.*; //')" ]
	sed -n '/^users/,/^panic/p' "$OUT/6.12-hog-spool/text" | sed -n 2,4p > "$OUT/first"
	[ "$(grep -c -e '  /shop/checkout: 2 processes, at its limit of 32.0M' -e '  /spool/trace.log (deleted), charged to checkout' -e '  cartd (81) in checkout' "$OUT/first")" = 3 ]
}

@test "every command that a screen proposes answers with rows" {
	local sample dir n

	for sample in $SAMPLES; do
		dir=$BUILD/samples/$sample
		of "$sample" 'select(.record == "next") | .command' > "$OUT/$sample/next"
		n=$(wc -l < "$OUT/$sample/next")
		# Of a machine that has memory and does not stand still there is less to ask.
		case "$n $(of "$sample" 'select(.record == "verdict") | .name')" in 3\ * | '2 not_short') ;; *) false ;; esac
		awk -v to="$OUT/$sample/asked" '{ print $0 " -j > " to NR }' "$OUT/$sample/next" > "$OUT/$sample/commands"
		"$BUILD/memowner" --vmlinux "$dir/vmlinux" -i "$OUT/$sample/commands" "$dir/vmcore"
		for n in $(seq "$n"); do
			[ "$(jq -r 'select(.record == "row") | .record' "$OUT/$sample/asked$n" | wc -l)" -ge 1 ] ||
				{ echo "$sample: $(sed -n "${n}p" "$OUT/$sample/next")"; false; }
		done
	done
	# Of a cgroup that reached its limit: that cgroup, and what it has.
	diff "$OUT/6.12-hog-spool/next" - <<- 'END'
		pageowner -g caller -f memcg=/shop/checkout
		memowner files -f memcg=/shop/checkout
		memowner processes -n 5 -f cgroup=/shop/checkout
	END
	[ "$(head -n 1 "$OUT/6.12-hog-frames/next")" = 'memowner fragmentation 4' ]
	# No zone refused anything.
	refute grep '^memowner zones' "$OUT/6.1-stock-outside/next"
}

@test "sites, caches, processes and statements on reclaim that have no room are counted" {
	local sample record word

	for sample in 6.12-holed 6.12-kdump; do
		[ -e "$BUILD/samples/$sample/vmcore" ] || continue
		"$BUILD/memowner" --vmlinux "$BUILD/samples/$sample/vmlinux" "$BUILD/samples/$sample/vmcore" > "$OUT/text"
		"$BUILD/memowner" --vmlinux "$BUILD/samples/$sample/vmlinux" "$BUILD/samples/$sample/vmcore" -j > "$OUT/rows"
		while read -r record word; do
			grep -q '"record":"'"$record"'"' "$OUT/rows" || continue
			# Caches with less than two percent of RAM are no finding.
			[ "$record" != cache ] || jq -s -e 'map(select(.record == "ram"))[0].bytes as $ram |
				any(.[]; .record == "cache" and .bytes * 50 >= $ram)' "$OUT/rows" > /dev/null || continue
			grep -q -E "^$word  *[^ ]|^not shown .*[0-9] (${record}|${word}|statements? on ${record})" "$OUT/text"
		done <<< $'site sites\ncache caches\nprocess processes\nreclaim reclaim'
	done
}

@test "-j: the record of a section has all that is known of a statement, and no more than its section has" {
	local sample dir columns known='with_entries(select(.value != null))'

	for sample in $SAMPLES; do
		dir=$BUILD/samples/$sample
		columns=$("$BUILD/memowner" "$dir/vmcore" memowner -o help | sed -n 's/^\([a-z_][a-z_]*\) .*/\1/p' | paste -s -d ,)
		"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" memowner -j -o "$columns" > "$OUT/$sample/wide"
		diff <(jq -S -c 'select(.record == "row") | .record = .section | del(.section) | if .record == "next" then del(.name) else . end | '"$known" "$OUT/$sample/wide") \
			<(jq -S -c 'select(.record | IN("meta", "case", "summary") | not) | '"$known" "$OUT/$sample/json")
		[ "$(jq -r 'select(.record == "class") | keys | join(" ")' "$OUT/$sample/json" | sort -u)" = 'basis bytes name pages record remark used_bytes' ]
	done
}

@test "a list of what processes hold that cannot be read is unknown, and the summary is not complete" {
	poked 6.12-stock-oom init_nsproxy/nsproxy.mnt_ns:8=0x1000 memowner -j > "$OUT/held"
	jq -s -e 'any(.[]; .record == "summary" and .complete == false and
		any(.unknown[]; .part == "what processes hold" and .reason == "HELD is a lower bound, mounts may be missing: mnt_namespace at 0x1000 is not in this dump"))' "$OUT/held"
	[ "$(of 6.12-stock-oom 'select(.record == "summary") | .unknown[] | select(.part == "what processes hold") | .part')" = '' ]
}

@test "a cgroup at its pids.max is told with the forks that it refused, by whatever member counts them" {
	local css=0xff1bf37b91029200 # cgroup.subsys[pids_cgrp_id] of report-builder.service, which has one process
	local is='cgroup /system.slice/report-builder.service has 1 of 1 processes and threads that pids.max allows'

	[ "$(poked 6.12-stock-oom "$css/pids_cgroup.limit:8=1" memowner case | grep '^limits')" = "limits    $is: report-builder (514) has 1 of them" ]
	[ "$(poked 6.12-stock-oom "$css/pids_cgroup.limit:8=1,$css/pids_cgroup.events:8=5" memowner case | grep '^limits')" = \
		"limits    $is, which refused 5 forks since boot: report-builder (514) has 1 of them" ]
	poked 6.12-stock-oom "$css/pids_cgroup.limit:8=2" memowner case | grep -q '^limits    none of '
	# Up to 6.10; pids.current of the same second.
	css=0xffff893e10c08600
	is=$(sed -n 's,^\./\(system.slice/system-postgresql.slice/postgresql@15-main.service\)/pids.current:\(.*\),cgroup /\1 has \2 of \2,p' "$BUILD/samples/6.1-stock-outside/truth/cgroup_files")
	[ "$(poked 6.1-stock-outside "$css/pids_cgroup.limit:8=${is##* },$css/pids_cgroup.events_limit:8=7" memowner case | grep '^limits')" = \
		"limits    $is processes and threads that pids.max allows, which refused 7 forks since boot: ${is##* } are processes postgres" ]
	# What is below one that is full was refused by its limit, or by one of its own: these kernels do not tell.
	is=${is%/*}${is#*.service}
	[ "$(poked 6.1-stock-outside "0xffff893e10266600/pids_cgroup.limit:8=${is##* },$css/pids_cgroup.events_limit:8=7,0xffff893e10266600/pids_cgroup.events_limit:8=8" memowner case | grep '^limits')" = \
		"limits    $is processes and threads that pids.max allows: ${is##* } are processes postgres, and 15 forks in it were refused since boot (8 in itself, 7 in postgresql@15-main.service)" ]
}

@test "who has most of the open files that fs.file-max allows is named, with their kinds, and so has processes" {
	local limit='this kernel has [0-9,]* of 300 open files that fs.file-max allows: '

	poked 6.12-stock-oom files_stat/files_stat_struct.max_files:8=300 memowner -j > "$OUT/full"
	jq -s -e 'any(.[]; .record == "limit" and .name == "fs.file-max" and .comm == "postgres" and .count == 103 and .processes == 11 and
		(.remark | startswith("11 processes postgres: 103 open files (")))' "$OUT/full"
	poked 6.12-stock-oom files_stat/files_stat_struct.max_files:8=300 memowner case | grep -q "^limits    ${limit}11 processes postgres have 103 of them"
	# Of a list of tasks that breaks off it is not known who has most.
	poked 6.12-stock-oom files_stat/files_stat_struct.max_files:8=300,init_task/task_struct.tasks:8=0x1000 memowner case |
		grep -q -x 'limits    this kernel has [0-9,]* of 300 open files that fs.file-max allows'
}

@test "open files of a process are those of /proc/PID/fd: what was opened twice is two, its sockets are all of them" {
	local sample n=0

	for sample in $(ls "$BUILD/samples"); do
		[ -f "$BUILD/samples/$sample/truth/fds" ] || continue
		"$BUILD/memowner" --vmlinux "$BUILD/samples/$sample/vmlinux" "$BUILD/samples/$sample/vmcore" \
			processes -n 0 -o pid,comm,open_files,open_kinds -j |
			jq -r 'select(.record == "row") | "\(.pid) \(.comm) \(.open_files) \((.open_kinds | capture("(?<n>[0-9]+) sockets?").n) // 0)"' > "$OUT/open"
		# The shell that wrote the file had it open.
		awk 'NR == FNR { if (/^\/proc/) { split($0, of, "/"); pid = of[3] } else if (/ -> /) { fds[pid]++; file = $0; sub(/.* -> /, "", file)
				if (!seen[pid, file]++) { files[pid]++; sockets[pid] += file ~ /^socket:/ } } next }
			$1 in fds && $2 != "run" { n++; if ($3 < files[$1] || $3 > fds[$1] || $4 != sockets[$1] + 0) { print; bad = 1 } }
			END { exit bad || n < 30 }' "$BUILD/samples/$sample/truth/fds" "$OUT/open"
		n=$((n + 1))
	done
	[ "$n" -ge 2 ]
}

@test "a limit that is nearly used is told, with the mappings that /proc/PID/maps has; of no sample otherwise" {
	local sample dir limit

	for sample in $SAMPLES; do
		dir=$BUILD/samples/$sample
		[[ "$("$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" case -j | jq -r 'select(.record == "case") | .limits_used')" = @(|null) ]]
	done
	dir=$BUILD/samples/6.12-hog-frames
	for limit in 13 18 20; do
		poked 6.12-hog-frames "sysctl_max_map_count:4=$limit" memowner case -j |
			jq -r 'select(.record == "case") | .limits_used' | tr ';' '\n' |
			sed -n 's/.*(\([0-9]*\)) has \([0-9]*\) of '"$limit"' mappings that vm.max_map_count allows$/\1 \2/p' |
			sort > "$OUT/told.$limit"
		awk -v limit="$limit" '{ n[$1]++ } END { for (pid in n) if (n[pid] * 1000 >= limit * 950) print pid, n[pid] }' \
			"$dir/truth/proc_maps" | sort | diff - "$OUT/told.$limit"
	done
	[ "$(cat "$OUT"/told.* | wc -l)" = 3 ]
	grep -q '^verdict   .*; stress-ng-mmap (389) has 1,487 of 1,500 mappings that vm.max_map_count allows; memory was not short: ' \
		<(poked 6.1-stock-outside sysctl_max_map_count:4=1500 memowner)
	# Threads by /proc/PID/status of all processes.
	limit="this kernel has $(awk '/:Threads:/ { n += $NF } END { print n }' "$BUILD/samples/6.1-stock-outside/truth/proc_status") of 100"
	[ "$(poked 6.1-stock-outside max_threads:4=100,pid_max:4=100 memowner case | grep '^limits')" = \
		"limits    $limit threads that kernel.threads-max allows: 11 are processes postgres; $limit PIDs that kernel.pid_max allows: 11 are processes postgres" ]
}

@test "80 and 60 columns: settings have their names whole, and what they are for" {
	local columns dir=$BUILD/samples/6.12-stock-oom

	for columns in 80 60; do
		"$BUILD/tools/pty" -w $columns "$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" case -a | tr -d '\r' > "$OUT/case"
		sed '1,/^SETTING/d' "$OUT/case" | refute grep -F '..'
		grep -q '^fs.epoll.max_user_watches ' "$OUT/case"
		refute grep -E ".{$((columns + 1))}" "$OUT/case"
	done
}
