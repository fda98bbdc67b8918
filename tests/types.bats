#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# All that the commands ask of types of $SAMPLE in crash, asked again of the program: of its vmlinux by libdw,
# and where the kernel has BTF of the dump alone. The answers are those of crash and its gdb. So are those of symbols,
# addresses and memory, which the program has from the dump.

load helper

# A view of each kind; what they ask does not depend on how much they print.
VIEWS=('memowner' 'memowner -D' 'pageowner -D -n 3' 'pageowner -t top -j' 'pageowner -t list -a -n 3 -j' 'pageowner -m'
	'pageowner -z 4 GFP_ATOMIC,__GFP_COMP' 'pageowner -b 4' 'pageowner -t caches -j' 'pageowner -t objects -n 3 -j'
	'pageowner -t vmalloc -j' 'pageowner -t files -j' 'pageowner -t processes -j' 'pageowner -t cgroups -j'
	'pageowner -t pools -j' 'pageowner -t dmabuf -j' 'pageowner -t sockets -j' 'pageowner pfn:4096'
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
	export DIR=$BUILD/samples/$SAMPLE QUESTIONS=$BATS_FILE_TMPDIR/questions
	local commands=("memowner_asked $BATS_FILE_TMPDIR/raw -t ${TEXTS[*]}") view

	for view in "${VIEWS[@]}"; do
		commands+=("memowner_asked $BATS_FILE_TMPDIR/raw $view > /dev/null")
	done
	BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR ALONE=1 run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of "${MODES%% *}") -- \
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

@test "debug information of vmlinux answers them as crash" {
	run "$BUILD/tools/asked" "$DIR/vmcore" "$DIR/vmlinux" < "$QUESTIONS"
	[ "$status/$output" = 0/ ]
}

# The vmlinux of a distribution's kernel was made of BTF, with the definitions of variables: of jiffies it has
# none, which is an alias, and of a function put in line the type. MAX_SWAPFILES is no enumerator.
# Without "mod -s" crash knows no type of a module.
@test "BTF of the dump answers them as crash, but for a list of differences" {
	case $SAMPLE in *-stock-*) ;; *) skip "a kernel without BTF" ;; esac
	"$BUILD/tools/asked" "$DIR/vmcore" < "$QUESTIONS" > "$BATS_TEST_TMPDIR/differ"
	cut -f 1,2 "$BATS_TEST_TMPDIR/differ" | sort -u > "$BATS_TEST_TMPDIR/names"
	run grep -v -x -P 'variable\t(jiffies|nr_swapper_spaces)|text\tgfp_to_alloc_flags|(size|member|bits)\tstruct (zram|zspage|zs_pool)' \
		"$BATS_TEST_TMPDIR/names"
	[ "$output" = '' ]
	# An array by the distance to the next symbol is longer by less than its alignment of 32 bytes.
	awk -F '\t' '$2 == "nr_swapper_spaces" { split($4, word, " "); if (word[15] - word[6] > 31 || word[15] < word[6]) exit 1 }' \
		"$BATS_TEST_TMPDIR/differ"
}

# crash cuts ".isra.0" and ".part.0" off, and the vmlinux of a distribution's kernel lacks local names, which the dump has:
# kallsyms is checked by some of each. With --minimal crash does not translate all addresses: none is asked.
@test "symbols of the dump, what lies next to an address and memory are as in crash" {
	nm "$DIR/vmlinux" | awk '{ print $3 }' | sort -u > "$BATS_TEST_TMPDIR/listed"
	[ "$(grep -c -P '^symbol\t.*\t0x' "$NAMES")" -ge 100 ]
	[ "$(grep -c -P '^(closest|read)\t.*\t0x' "$NAMES")" -ge 30 ] || [[ " $MODES" == *" minimal"* ]]
	"$BUILD/tools/asked" "$DIR/vmcore" "$DIR/vmlinux" < "$NAMES" > "$BATS_TEST_TMPDIR/differ"
	run awk -F '\t' 'FILENAME == ARGV[1] { listed[$1]; next }
		$1 != "symbol" || $4 !~ /^absent/ || ($2 in listed && $2 !~ /\.(isra|part|llvm)\./)' \
		"$BATS_TEST_TMPDIR/listed" "$BATS_TEST_TMPDIR/differ"
	[ "$status/$output" = 0/ ]
}
