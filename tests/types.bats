#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# All that the commands ask of types of $SAMPLE in crash, asked again of the program: of its vmlinux by libdw,
# and where the kernel has BTF of the dump alone. The answers are those of crash and its gdb. So are those of symbols,
# addresses and memory, which the program has from the dump.

load helper

# A view of each kind; what they ask does not depend on how much they print.
VIEWS=('memowner' 'memowner -D' 'pageowner -D -n 3' 'pageowner -t top -j' 'pageowner -t list -a -n 3 -j' 'pageowner -m'
	'pageowner -z 4 GFP_ATOMIC,__GFP_COMP' 'pageowner -b 4' 'memowner caches -j' 'memowner objects -n 3 -j'
	'memowner vmalloc -j' 'memowner files -j' 'memowner processes -j' 'memowner cgroups -j'
	'memowner pools -j' 'memowner dmabuf -j' 'memowner sockets -j' 'pageowner pfn:4096'
	'pageowner -g mapper -f class=anon,file,shmem -n 3' 'pageowner -g owner,tgid,comm -n 3' 'pageowner -g caller -o +ages -n 3'
	'allocprof -j' 'allocprof -s calls -c -n 3' 'faults -j' 'faults -v -j' 'faults -e -j' 'faults -b -j -o +stack' 'faults -x -j'
	'faults -k' 'depot -i -a -j' 'depot -a -j')

# Structures with unions, bit fields, functions, arrays in arrays; enumerations with gaps; names that only one kernel has.
TEXTS=(struct:page struct:slab struct:task_struct struct:inode struct:zone struct:kmem_cache struct:module struct:sk_buff
	struct:sock struct:pt_regs struct:super_block struct:mm_struct struct:file_operations struct:net_device struct:signal_struct
	struct:perf_event_attr struct:printk_info struct:desc_struct struct:x86_init_ops union:bpf_attr union:handle_parts
	enum:migratetype enum:pageflags enum:zone_type enum:pageblock_bits enum:page_ext_flags struct:absent get_pfnblock_flags_mask)

MEMORY='symbol|closest|phys|read|read_phys'

setup_file() {
	export DIR=$BUILD/samples/$SAMPLE QUESTIONS=$BATS_FILE_TMPDIR/questions XDG_CACHE_HOME=$BATS_FILE_TMPDIR/cache
	# The mode that asks most.
	export IN=${MODES%% *}
	case $IN in program | alone) IN=$DOOR ;; esac
	local commands=("memowner_asked $BATS_FILE_TMPDIR/raw -t ${TEXTS[*]}") view

	for view in "${VIEWS[@]}"; do
		commands+=("memowner_asked $BATS_FILE_TMPDIR/raw $view > /dev/null")
	done
	BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR ALONE=1 run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $IN) -- \
		"extend $OBJECTS/asked.so" "${commands[@]}" > "$BATS_FILE_TMPDIR/said"
	sort -u "$BATS_FILE_TMPDIR/raw" > "$BATS_FILE_TMPDIR/all"
	export NAMES=$BATS_FILE_TMPDIR/names
	grep -P "^($MEMORY)\t" "$BATS_FILE_TMPDIR/all" > "$NAMES"
	grep -v -P "^($MEMORY)\t" "$BATS_FILE_TMPDIR/all" > "$QUESTIONS"
}

@test "many questions of each kind, with answers" {
	local kind least

	for kind in variable:30 member:300 bits:8 size:20 enumerator:60 enumerates:40 text:20; do
		least=${kind#*:}
		[ "$(awk -F '\t' -v kind="${kind%:*}" '$1 == kind && $4 != "absent"' "$QUESTIONS" | wc -l)" -ge "$least" ]
	done
}

# But for what the BTF of a stock kernel's dump has more, which crash does not read: types of modules, jiffies.
by_vmlinux() {
	run "$BUILD/tools/asked" "$DIR/vmcore" "$DIR/vmlinux" < "$QUESTIONS"
	[ "$status" = 0 ]
	if [[ $SAMPLE = *-stock-* ]]; then
		output=$(grep -v -P '^(variable\tjiffies|(size|member|bits)\tstruct (zram|zspage|zs_pool))\t.*\tabsent, here: ' <<< "$output" || :)
	fi
	echo "$output"
	[ "$output" = '' ]
}

@test "debug information of vmlinux answers them as crash" {
	by_vmlinux
}

@test "so does the index of its names that was kept, and one that is damaged is made anew" {
	local kept size at

	# If BRIEF of a kernel of ours and of a distribution's.
	[ -z "${BRIEF:-}" ] || [[ $SAMPLE != 7.3-* ]] || return 0
	XDG_CACHE_HOME=/proc/absent by_vmlinux
	by_vmlinux
	kept=$(ls "$XDG_CACHE_HOME"/crash-memowner/types/*)
	[[ ${kept##*/} =~ ^[0-9a-f]{40}$ ]]
	cp "$kept" "$BATS_TEST_TMPDIR/good"
	size=$(stat -c %s "$kept")
	for at in 0 8 12 20 30 100 $((size / 2)) $((size - 2)); do
		printf '\377\376' | dd of="$kept" bs=1 seek=$at conv=notrunc status=none
		by_vmlinux
		cmp "$kept" "$BATS_TEST_TMPDIR/good"
	done
	truncate -s 1000 "$kept"
	by_vmlinux
	cmp "$kept" "$BATS_TEST_TMPDIR/good"
	[ "$(ls "$XDG_CACHE_HOME/crash-memowner/types" | wc -l)" = 1 ]
}

@test "all indexes that are kept have at most 256 MiB: what was not used for longest goes" {
	local folder=$BATS_TEST_TMPDIR/cache/crash-memowner/types id=1234567890abcdef i

	mkdir -p "$folder"
	for i in 1 2 3; do
		truncate -s 100M "$folder/$id$i"
		touch -d "2020-01-0$i" "$folder/$id$i"
	done
	# What others keep there is theirs, and counts for nothing.
	truncate -s 300M "$folder/kernel.btf"
	touch -d 2018-01-01 "$folder/kernel.btf"
	XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache by_vmlinux
	[ "$(ls "$folder" | grep -x -E 'kernel.btf|.{17}' | xargs)" = "${id}2 ${id}3 kernel.btf" ]
	[ "$(ls "$folder" | grep -c -E -x '[0-9a-f]{40}')" = 1 ]
	# What is used is the newest.
	touch -d 2019-01-01 "$folder"/????????*
	XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache by_vmlinux
	[ "$(find "$folder" -newermt 2020-02-01 | grep -c -E '[0-9a-f]{40}$')" = 1 ]
}

# A dump without BTF in a folder of its own: caches are told where types are known.
alone() {	# VARIABLE=VALUE...
	env "$@" "$BUILD/memowner" "$BATS_TEST_TMPDIR/vmcore" 2>&1
}

@test "a vmlinux that was not given is found beside the dump, by its build ID alone" {
	[ "$SAMPLE" = 6.12-oom ] || return 0
	ln -s "$(realpath "$DIR/vmcore")" "$BATS_TEST_TMPDIR/vmcore"
	alone | grep -q 'this kernel has no BTF'
	ln -s "$(realpath "$BUILD/samples/6.1-oom/vmlinux")" "$BATS_TEST_TMPDIR/vmlinux"
	alone | grep -q 'this kernel has no BTF'
	ln -s "$(realpath "$DIR/vmlinux")" "$BATS_TEST_TMPDIR/vmlinux-6.12.95"
	alone > "$BATS_TEST_TMPDIR/found"
	refute grep 'memowner:' "$BATS_TEST_TMPDIR/found"
	grep -q '^processes ' "$BATS_TEST_TMPDIR/found"
	# A stripped one beside it is passed over.
	objcopy --strip-debug "$DIR/vmlinux" "$BATS_TEST_TMPDIR/stripped"
	ln -sf stripped "$BATS_TEST_TMPDIR/vmlinux"
	alone | cmp - "$BATS_TEST_TMPDIR/found"
}

@test "one of another build that was given is refused, with both build IDs" {
	[ "$SAMPLE" = 6.12-oom ] || return 0
	ln -s "$(realpath "$DIR/vmcore")" "$BATS_TEST_TMPDIR/vmcore"
	run "$BUILD/memowner" --vmlinux "$BUILD/samples/6.1-oom/vmlinux" "$BATS_TEST_TMPDIR/vmcore" memowner
	[[ $output = *'vmlinux is of another build than the kernel of this dump: its build ID is '* ]]
	refute grep -q '^caches ' <<< "$output"
}

@test "a server of debuginfod is asked if DEBUGINFOD_URLS is set" {
	local id port pid said

	[ "$SAMPLE" = 6.12-oom ] || return 0
	ldconfig -p | grep -q libdebuginfod.so.1 || return 0
	ln -s "$(realpath "$DIR/vmcore")" "$BATS_TEST_TMPDIR/vmcore"
	id=$(readelf -n "$DIR/vmlinux" | sed -n 's/.*Build ID: //p')
	: > "$BATS_TEST_TMPDIR/server"
	mkdir -p "$BATS_TEST_TMPDIR/www/buildid/$id"
	ln -s "$(realpath "$DIR/vmlinux")" "$BATS_TEST_TMPDIR/www/buildid/$id/debuginfo"
	python3 -u -m http.server -b 127.0.0.1 -d "$BATS_TEST_TMPDIR/www" 0 > "$BATS_TEST_TMPDIR/server" 2> "$BATS_TEST_TMPDIR/requests" 3>&- &
	pid=$!
	for _ in $(seq 100); do
		port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$BATS_TEST_TMPDIR/server")
		[ -z "$port" ] || break
		sleep 0.1
	done
	said=$(alone DEBUGINFOD_URLS= DEBUGINFOD_CACHE_PATH="$BATS_TEST_TMPDIR/cache")
	[ ! -s "$BATS_TEST_TMPDIR/requests" ]
	grep -q 'this kernel has no BTF' <<< "$said"
	said=$(alone DEBUGINFOD_URLS="http://127.0.0.1:$port/" DEBUGINFOD_CACHE_PATH="$BATS_TEST_TMPDIR/cache")
	kill $pid
	grep -q "GET /buildid/$id/debuginfo .* 200" "$BATS_TEST_TMPDIR/requests"
	grep -q '^processes ' <<< "$said"
}

# The vmlinux of a distribution's kernel was made of BTF, with the definitions of variables: of jiffies it has
# none, which is an alias, and of a function put in line the type. MAX_SWAPFILES is no enumerator.
# Without "mod -s" crash knows no type of a module.
@test "BTF of the dump answers them as crash, but for a list of differences" {
	case $SAMPLE in *-stock-*) ;; *) return 0 ;; esac
	"$BUILD/tools/asked" "$DIR/vmcore" < "$QUESTIONS" > "$BATS_TEST_TMPDIR/differ"
	cut -f 1,2 "$BATS_TEST_TMPDIR/differ" | sort -u > "$BATS_TEST_TMPDIR/names"
	run grep -v -x -P 'variable\t(jiffies|nr_swapper_spaces)|text\tgfp_to_alloc_flags|(size|member|bits)\tstruct (zram|zspage|zs_pool)' \
		"$BATS_TEST_TMPDIR/names"
	[ "$output" = '' ]
	# An array by the distance to the next symbol is longer by less than its alignment of 32 bytes.
	awk -F '\t' '$2 == "nr_swapper_spaces" { split($4, word, " "); if (word[15] - word[6] > 31 || word[15] < word[6]) exit 1 }' \
		"$BATS_TEST_TMPDIR/differ"
}

# Of structures of a module whose object nobody gives, too. Nothing has types of modules of 5.10.
@test "a vmlinux takes away no answer that the dump alone gives" {
	case $SAMPLE in *-stock-*) ;; *) return 0 ;; esac
	awk -F '\t' -v OFS='\t' '{ print $1, $2, $3, "-" }' "$QUESTIONS" | sort -u > "$BATS_TEST_TMPDIR/questions"
	"$BUILD/tools/asked" "$DIR/vmcore" < "$BATS_TEST_TMPDIR/questions" | grep -v 'here: absent$' > "$BATS_TEST_TMPDIR/alone"
	"$BUILD/tools/asked" "$DIR/vmcore" "$DIR/vmlinux" < "$BATS_TEST_TMPDIR/questions" | grep 'here: absent$' | cut -f -3 > "$BATS_TEST_TMPDIR/absent"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/alone")" -gt 500 ]
	[[ $SAMPLE = 5.10-* ]] || grep -q 'struct zram' "$BATS_TEST_TMPDIR/alone"
	run grep -F -f "$BATS_TEST_TMPDIR/absent" "$BATS_TEST_TMPDIR/alone"
	echo "$output"
	[ "$output" = '' ]
}

# here KIND NAME: what the program says of it by the files that follow
here() {
	printf '%s\t%s\t%s\t-\n' "$1" "$2" 200 | "$BUILD/tools/asked" "${@:3}" | sed 's/.*, here: //'
}

# The vmlinux of a sample has zeros in place of its BTF, which the dump has too.
with_btf() {
	local at start stop offset phys bytes

	start=$(here symbol __start_BTF "$DIR/vmcore") stop=$(here symbol __stop_BTF "$DIR/vmcore")
	at=$(here phys "$start" "$DIR/vmcore")
	while read -r _ offset _ phys bytes _; do
		((at < phys || at >= phys + bytes)) ||
			dd if="$DIR/vmcore" of="$BATS_TEST_TMPDIR/btf" bs=64K iflag=skip_bytes,count_bytes status=none \
				skip=$((offset + at - phys)) count=$((stop - start))
	done < <(readelf -l -W "$DIR/vmcore" | grep LOAD)
	objcopy --update-section ".BTF=$BATS_TEST_TMPDIR/btf" "$DIR/vmlinux" "$1"
}

# Debug information of a stock kernel has 200 MiB: without its BTF its names take 4 seconds the first time.
@test "a vmlinux with BTF: its debug information is read for what BTF lacks alone" {
	[ "$SAMPLE" = 6.12-stock-oom ] || return 0
	local list=$BATS_TEST_TMPDIR/vmlinux XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache

	with_btf "$list"
	"$BUILD/memowner" "$DIR/vmcore" memowner > "$BATS_TEST_TMPDIR/alone"
	"$BUILD/memowner" --vmlinux "$list" "$DIR/vmcore" memowner | cmp - "$BATS_TEST_TMPDIR/alone"
	[ ! -e "$XDG_CACHE_HOME/crash-memowner/types" ]
	run "$BUILD/tools/asked" "$DIR/vmcore" "$list" < "$QUESTIONS"
	[ "$(grep -v -P '^(variable\t(jiffies|nr_swapper_spaces)|(size|member|bits)\tstruct (zram|zspage|zs_pool))\t' <<< "$output")" = '' ]
	# This function was put in line: BTF does not have it. Of a variable that is not there nothing is asked.
	rm -rf "$XDG_CACHE_HOME"
	[ "$(here variable absent "$DIR/vmcore" "$list")" = absent ]
	[ ! -e "$XDG_CACHE_HOME/crash-memowner/types" ]
	[[ "$(here text gfp_to_alloc_flags "$DIR/vmcore" "$list")" = 'type = unsigned int ('* ]]
	[ "$(ls "$XDG_CACHE_HOME/crash-memowner/types" | wc -l)" = 1 ]
	[ "$(here text gfp_to_alloc_flags "$DIR/vmcore")" = absent ]
	# One that is stripped has its BTF, and one whose BTF is damaged its debug information.
	objcopy --strip-debug "$list" "$list.stripped"
	"$BUILD/memowner" --vmlinux "$list.stripped" "$DIR/vmcore" memowner | cmp - "$BATS_TEST_TMPDIR/alone"
	[ "$(here text gfp_to_alloc_flags "$DIR/vmcore" "$list.stripped")" = absent ]
	head -c 100000 "$BATS_TEST_TMPDIR/btf" > "$BATS_TEST_TMPDIR/short"
	objcopy --update-section ".BTF=$BATS_TEST_TMPDIR/short" "$DIR/vmlinux" "$list.short"
	"$BUILD/memowner" --vmlinux "$list.short" "$DIR/vmcore" memowner | cmp - "$BATS_TEST_TMPDIR/alone"
}

# crash 9 shows names of Rust as its source has them. It cuts ".isra.0" and ".part.0" off, and the vmlinux of a distribution's kernel lacks local names, which the dump has:
# kallsyms is checked by some of each. With --minimal crash does not translate all addresses: none is asked.
@test "symbols of the dump, what lies next to an address and memory are as in crash" {
	nm "$DIR/vmlinux" | awk '{ print $3 }' | sort -u > "$BATS_TEST_TMPDIR/listed"
	[ "$(grep -c -P '^symbol\t.*\t0x' "$NAMES")" -ge 100 ]
	[ "$(grep -c -P '^(closest|read)\t.*\t0x' "$NAMES")" -ge 30 ] || [ $IN = minimal ]
	"$BUILD/tools/asked" "$DIR/vmcore" "$DIR/vmlinux" < "$NAMES" > "$BATS_TEST_TMPDIR/differ"
	run awk -F '\t' 'FILENAME == ARGV[1] { listed[$1]; next }
		$1 != "symbol" || $4 !~ /^absent/ || ($2 in listed && $2 !~ /\.(isra|part|llvm)\.|_RN/)' \
		"$BATS_TEST_TMPDIR/listed" "$BATS_TEST_TMPDIR/differ"
	[ "$status/$output" = 0/ ]
}

# Two pages of the names of kallsyms are gone.
@test "names that are not in the dump come from vmlinux, and without one are unknown" {
	local dump=$BATS_TEST_TMPDIR/vmcore phys

	[ "$(head -c 5 "$DIR/vmcore")" = KDUMP ] || return 0
	phys=$(awk -F '\t' '$2 == "kallsyms_names" { print "phys\t" $4 "\t\t-" }' "$NAMES" |
		"$BUILD/tools/asked" "$DIR/vmcore" "$DIR/vmlinux" | sed 's/.*here: //')
	[[ "$phys" = 0x* ]]
	cp "$DIR/vmcore" "$dump"
	"$BUILD/tools/kdump" drop "$dump" $(((phys >> 12) + 20)) 2
	"$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$DIR/vmcore" memowner -j > "$BATS_TEST_TMPDIR/whole"
	run "$BUILD/memowner" --vmlinux "$DIR/vmlinux" "$dump" memowner -j
	[ "$status" = 0 ]
	diff <(echo "$output") "$BATS_TEST_TMPDIR/whole"
	run "$BUILD/tools/asked" "$dump" "$DIR/vmlinux" < "$NAMES"
	[ "$status" = 0 ]
	refute grep -q -P '^symbol\t.*here: absent' <<< "$output"
	run "$BUILD/memowner" "$dump" memowner
	[[ "$output" = *'names of '[1-9]*' symbols are not in this dump, or corrupt: --vmlinux FILE gives them'* ]]
}

@test "--modules: types of a loaded module are those of its object, if that is of this build" {
	local questions=$BATS_TEST_TMPDIR/questions other

	[ -e "$DIR/leaky.ko" ] || return 0
	# Of a type that the kernel has, no module adds a member.
	printf '%s\t%s\t%s\t-\n' size 'struct entry' '' enumerates 'enum kind' VMALLOC enumerator PERCPU '' \
		member 'struct entry' kind member 'struct page' kind > "$questions"
	run "$BUILD/tools/asked" "$DIR/vmcore" "$DIR/vmlinux" "$DIR" < "$questions"
	[ "$output" = "$(printf '%s\t%s\t%s\t-, here: %s\n' size 'struct entry' '' 40 enumerates 'enum kind' VMALLOC 1 enumerator PERCPU '' 4 \
		member 'struct entry' kind 'kind 1 at 36 size 4 bits 0+0' member 'struct page' kind absent)" ]
	for other in '' "$BUILD/samples/6.12-faults"; do
		run "$BUILD/tools/asked" "$DIR/vmcore" "$DIR/vmlinux" ${other:+"$other"} < "$questions"
		[ "$(grep -c -E 'here: (absent|0)$' <<< "$output")" = 5 ]
	done
}
