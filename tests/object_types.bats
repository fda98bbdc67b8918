#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What objects are said to be, beside caches that are named by their structure and were taken for ones of
# no single structure.

load helper

setup_file() {
	export OUT=$BATS_FILE_TMPDIR
	# shellcheck disable=SC2046 # names of dumps
	"$TESTS/tools/type_table" "$BUILD" $(awk -F '|' '/^<!-- truth/ { table = 1 } /^<!-- end/ { table = 0 } table && $2 ~ /^ [0-9]/ { print $2 }' "$TESTS/../doc/types.md") > "$OUT/table"
}

@test "the table of doc/types.md is what the types are in the dumps" {
	diff <(sed -n '/^<!-- truth of types/,/^<!-- end/{//!p}' "$TESTS/../doc/types.md" |
		awk -F ' [|] ' -v OFS=' | ' -v brief="${BRIEF:-}" '/^[|] [0-9]/ && brief && rows++ { $3 = "-" } { print }') "$OUT/table"
	[ "$(wc -l < "$OUT/table")" -ge 7 ]
}

@test "below 0.5 % of the objects of hidden caches have a wrong type, whether one is hidden or all" {
	[ "$(awk -F ' [|] ' '$1 ~ /^[|] [0-9]/ { split($3, one, " "); split($4, all, " "); n++; bad += $3 != "-" && one[3] * 200 > $2 || all[3] * 200 > $2 } END { print (n >= 5), bad + 0 }' "$OUT/table")" = '1 0' ]
}

@test "three of four objects of hidden caches have their type, on four of five dumps" {
	local dumps=5

	[ -z "${BRIEF:-}" ] || dumps=1
	[ "$(awk -F ' [|] ' '$1 ~ /^[|] [0-9]/ { split($3, one, " "); n += $3 != "-"; few += $3 != "-" && one[1] * 4 < $2 * 3 } END { print n, (few <= n / 5) }' "$OUT/table")" = "$dumps 1" ]
}

@test "objects -g type: structures of kmalloc are those of the functions that allocated them" {
	local dir=$BUILD/samples/6.12-oom

	"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" objects -g type,caller -f 'cache=kmalloc-*' -n 0 -j > "$OUT/rows"
	jq -s -e '[.[] | select(.record == "row") | {key: .caller, value: .struct_type}] | map(select(.value)) | group_by(.key) | map({key: .[0].key, value: map(.value)}) | from_entries |
		.alloc_super == ["struct super_block"] and .device_private_init == ["struct device_private"] and
		.pci_alloc_dev == ["struct pci_dev"] and .tty_register_device_attr == ["struct device"] and
		.serial_base_port_add == ["struct serial_port_device"] and .set_kthread_struct == ["struct kthread"]' "$OUT/rows"
	jq -s -e 'map(select(.record == "row")) | all(.basis == "inferred") and any(.struct_type == null)' "$OUT/rows"
}

@test "objects -g type: a structure that a module alone has, by its debug information" {
	local dir=$BUILD/samples/6.1-oom

	"$BUILD/memowner" --vmlinux "$dir/vmlinux" --modules "$dir" "$dir/vmcore" objects -g type,cache -f 'type=*leaky*' -j > "$OUT/rows"
	jq -s -e --argjson ledger "$(wc -l < "$dir/truth/ledger")" '[.[] | select(.record == "row")] | length == 1 and .[0].struct_type == "struct entry [leaky]" and
		.[0].cache == "kmalloc-64" and .[0].type_confidence <= 90 and .[0].objects >= $ledger - 1 and .[0].objects < $ledger + 100' "$OUT/rows"
	"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" objects -g type -f 'type=*leaky*' -j > "$OUT/rows"
	jq -s -e '[.[] | select(.record == "row" and .struct_type)] == []' "$OUT/rows"
}

@test "objects -g type: what modules of a stock kernel have of the kernel itself is not of their structures" {
	local dir sample

	for sample in 6.12-stock-oom 6.1-stock-outside; do
		dir=$BUILD/samples/$sample
		"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" objects -g holder,type,cache -n 0 -j > "$OUT/rows"
		# Of what several or nobody keep it may be; fields of trace events and lists of modules are the kernel's.
		jq -s -e '[.[] | select(.record == "row" and .type_confidence <= 90 and ((.struct_type // "") | test("\\[[a-z0-9_]+\\]$")))] |
			length >= 5 and all(.holder != "vmlinux" and (.cache != "ftrace_event_field" or .struct_type == "struct zspage [zsmalloc]")) and
			all(.type_confidence <= 50 or .objects >= 3)' "$OUT/rows"
	done
}

@test "holders: the way names the structure that nearly all steps are, where types of the module are known" {
	local dir=$BUILD/samples/6.1-oom way

	"$BUILD/memowner" --vmlinux "$dir/vmlinux" --modules "$dir" "$dir/vmcore" holders -n 0 -j > "$OUT/rows"
	way=$(jq -s -r '[.[] | select(.record == "row" and .module == "leaky")][0] | "\(.basis) \(.way)"' "$OUT/rows")
	[[ $way =~ ^'inferred ledger [leaky] -> list of struct entry.addr (kmalloc-64, type '([0-9]+)'%) -> direct pages'$ ]]
	[ "${BASH_REMATCH[1]}" -ge 40 ]
	# By its shape alone: of no link to it a type is known.
	[ "${BASH_REMATCH[1]}" -le 90 ]
	# Buffers of ftrace have pages of their own, by pages that pointers of a type lead to.
	jq -s -e 'any(.[]; .record == "row" and ((.way // "") | test("^global_trace[.]array_buffer[.]buffer -> struct trace_buffer[.]buffers .*struct ring_buffer_per_cpu \\(kmalloc-[0-9]+, type 100%\\)")))' "$OUT/rows"
	# Of objects of several types each has its own, where a typed pointer leads to it.
	jq -s -e 'any(.[]; .record == "row" and ((.way // "") | test("^major_names(\\[\\])? -> struct blk_major_name \\(kmalloc-[0-9]+, type 100%\\)")))' "$OUT/rows"
	"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" holders -j > "$OUT/rows"
	refute grep -q 'struct entry\|, type [0-9]*%' "$OUT/rows"
}

@test "objects -g type: of a module without debug information, what its objects have in common, and what would name them" {
	local dir=$BUILD/samples/6.1-oom

	"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" objects -g holder,type -f holder=leaky -f cache=kmalloc-64 -j > "$OUT/rows"
	# struct entry { struct list_head node; void *data; ... }
	jq -s -e '[.[] | select(.record == "row")] | length == 1 and (.[0].content | startswith("kmalloc-64: link +0x0"))' "$OUT/rows"
	jq -s -e '[.[] | .warnings // [] | .[] | select(test("structures of leaky are unknown: .* --modules DIR.* leaky.ko"))] | length == 1' "$OUT/rows"
	"$BUILD/memowner" --vmlinux "$dir/vmlinux" --modules "$dir" "$dir/vmcore" objects -g holder,type -f holder=leaky -f cache=kmalloc-64 -j > "$OUT/rows"
	jq -s -e '[.[] | select(.record == "row")][0] | .content == null and .struct_type' "$OUT/rows"
	refute grep -q 'structures of leaky' "$OUT/rows"
}

@test "objects -g type: through crash as by the program, of a vmlinux with debug information and of one with BTF" {
	local sample dir

	for sample in 6.12-oom 6.12-stock-oom; do
		dir=$BUILD/samples/$sample
		printf '%s\n' "extend $BUILD/memowner.so" "memowner objects -g struct_type,cache -j > $OUT/crash" quit > "$OUT/commands"
		"$CRASH" ${BRIEF:+--minimal} -s -i "$OUT/commands" "$dir/vmlinux" "$dir/vmcore" < /dev/null > /dev/null
		"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" objects -g struct_type,cache -j > "$OUT/program"
		grep -q '"struct_type":"struct ' "$OUT/program"
		diff <(grep '"record":"row"' "$OUT/program") <(grep '"record":"row"' "$OUT/crash")
	done
}
