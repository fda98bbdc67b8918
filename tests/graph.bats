#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What the graph of pointers says of the owners of memory, beside what the kernel recorded and the graph
# was not told.

load helper

setup_file() {
	export OUT=$BATS_FILE_TMPDIR
	# shellcheck disable=SC2046 # names of dumps
	"$TESTS/tools/graph_table" "$BUILD" $(awk -F '|' '/^<!-- truth/ { table = 1 } /^<!-- end/ { table = 0 } table && $2 ~ /^ [0-9]/ { print $2 }' "$TESTS/../doc/holders.md") > "$OUT/table"
}

# cells COLUMN: "RIGHT WRONG ALL" of each dump that has them.
cells() {
	awk -F ' [|] ' -v c="$1" '$1 ~ /^[|] [0-9]/ && $c != "-" { print $c }' "$OUT/table" | sed 's,/,,; s,of,,'
}

@test "the table of doc/holders.md is what the graph finds in the dumps" {
	diff <(sed -n '/^<!-- truth of holders/,/^<!-- end/{//!p}' "$TESTS/../doc/holders.md") "$OUT/table"
	[ "$(wc -l < "$OUT/table")" -ge 10 ]
}

@test "pages of a module that leaks: 98 % have their module, no page of anybody has a wrong one" {
	# The driver of 6.12-hog-frames lost all of its pages, and no word leads to them.
	[ "$(cells 3 | awk '$1 == 0 { lost++; next } { n++; bad += $1 * 100 < $3 * 98 } END { print (n >= 4), lost, bad }')" = '1 1 0' ]
	[ "$(cells 2 | awk '{ n++; wrong += $2 } END { print (n >= 6), wrong }')" = '1 0' ]
}

@test "no variable of a stock kernel is in memory of its image that it freed" {
	local sample

	for sample in 6.1-stock-outside 6.12-stock-oom; do
		"$BUILD/tools/graph_truth" "$BUILD/samples/$sample/vmcore" | jq -e '.nodes > 100000 and .freed_pages == 0'
	done
}

@test "stock kernels: no object that is alive for certain, and no node of a cache, has no root; a word that few have is no proof" {
	local sample

	for sample in 6.1-stock-outside 6.12-stock-oom; do
		"$BUILD/memowner" "$BUILD/samples/$sample/vmcore" holders -n 1 -j > "$OUT/holders"
		jq -s -e 'map(select(.record == "total"))[-1] | .of_objects > 9000 and .objects * 1000 < .of_objects' "$OUT/holders"
		"$BUILD/memowner" "$BUILD/samples/$sample/vmcore" objects -g holder -f cache=kmem_cache_node -j > "$OUT/objects"
		jq -s -e 'map(select(.record == "row")) | length > 0 and all(.holder != "none")' "$OUT/objects"
	done
}

@test "a stock kernel: an open file has its path and process, a device its name, a way begins at the list of the kernel that leads there" {
	"$BUILD/memowner" "$BUILD/samples/6.12-stock-oom/vmcore" holders -n 0 > "$OUT/roots"
	grep -q '^~open file /dev/autofs of 1(systemd) \[autofs4\] ' "$OUT/roots"
	grep -q ' evdev_handler \[evdev\] -> list of kmalloc-1k of device event1\( \|$\)' "$OUT/roots"
	# The way stands in a line below.
	grep -q '^    __this_module \[ahci\] -> .* kmalloc-4k of device 0000:00:1f.2$' "$OUT/roots"
	grep -q '^    super_blocks -> list of kmalloc-2k naming configfs_fs_type \[configfs\]\( \|$\)' "$OUT/roots"
	# No driver of it forgot objects.
	refute grep '^~none:' "$OUT/roots"
}

@test "kmalloc of more than two pages is one allocation: what words inside lead to has a root" {
	"$BUILD/memowner" --vmlinux "$BUILD/samples/7.3-oom/vmlinux" "$BUILD/samples/7.3-oom/vmcore" holders -f root=vmap_nodes -j |
		jq -s -e 'map(select(.record == "row")) | length == 1 and .[0].most_bytes == 32768 and .[0].most_objects == 1 and .[0].objects > 200'
}

@test "objects of kmalloc: 98 % of those of modules have their module, of all below 0.5 % have a wrong one" {
	[ "$(cells 6 | awk '{ n++; bad += $1 * 100 < $3 * 98; wrong += $2 } END { print (n >= 4), bad, wrong }')" = '1 0 0' ]
	[ "$({ cells 6; cells 7; } | awk '{ wrong += $2; all += $3 } END { print (all > 100000), (wrong * 1000 < all * 5) }')" = '1 1' ]
}

@test "the first screen: where nothing recorded owners, the variable that leads to most of the direct pages, and that it is inferred" {
	local dir=$BUILD/samples/6.12-oom

	# As a kernel without page_owner and allocation profiling.
	printf '%s\n' "memowner_blind page_owner,alloc_tag memowner > $OUT/screen" "memowner_blind page_owner,alloc_tag memowner -j > $OUT/json" "pageowner -m -j > $OUT/classes" "memowner -j > $OUT/with" "memowner_blind page_owner,alloc_tag,pcpu_chunk memowner -j > $OUT/less" > "$OUT/commands"
	"$BUILD/tested" --vmlinux "$dir/vmlinux" -i "$OUT/commands" "$dir/vmcore"
	grep -q '^users .* NAME (.*; ~: inferred)' "$OUT/screen"
	grep -q -E '^~ root +1[0-9]{2}\.[0-9]M +6[0-9]\.[0-9]% .* ledger \[leaky\] -> list of kmalloc-64 -> direct pages, confidence of the owner [0-9.]+%$' "$OUT/screen"
	grep -A 1 '^next:' "$OUT/screen" | grep -q -x '  memowner holders  # who keeps memory, by the pointers in the dump'
	[ "$(jq -r 'select(.basis == "inferred" and .record == "candidate") | "\(.record) \(.user_kind) \(.name)"' "$OUT/json")" = 'candidate root ledger [leaky]' ]
	# Not more than the class has, and no module twice.
	[ "$(jq -s 'map(select(.basis == "inferred") | .pages) | add' "$OUT/json")" -gt 40000 ]
	refute grep -q "candidate, low confidence" "$OUT/screen"
	# Without some of the roots the row is there, and that they are missing is told.
	[ "$(jq -r 'select(.basis == "inferred" and .record == "candidate") | .name' "$OUT/less")" = 'ledger [leaky]' ]
	jq -e 'select(.record == "summary") | (.complete | not) and any(.unknown[]; .part == "other owners by pointers" and (.reason | startswith("roots are missing: allocations of per-CPU memory: ")))' "$OUT/less"
	[ -z "$(jq -r 'select(.record == "summary") | .unknown[] | select(.part == "owners by pointers")' "$OUT/json")" ]
	# What is recorded needs no inference.
	[ -z "$(jq 'select(.basis == "inferred")' "$OUT/with")" ]
	[ "$(jq -r 'select(.record == "owner") | .basis' "$OUT/with" | sort -u)" = recorded ]
}

@test "holder is a key: pages and objects by what keeps them, and those that nothing leads to" {
	local dir=$BUILD/samples/6.12-oom

	printf '%s\n' "memowner pages -g holder -j > $OUT/pages" "memowner pages -g holder -n 3 > $OUT/text" "memowner pages -f holder=leaky -f class=direct -g zone -j > $OUT/leaky" "memowner objects -g holder,cache -j > $OUT/objects" "memowner objects -f holder=none -g cache -j > $OUT/none" "memowner holders -j -n 0 > $OUT/holders" > "$OUT/commands"
	"$BUILD/memowner" --vmlinux "$dir/vmlinux" -i "$OUT/commands" "$dir/vmcore"
	# The leak of page_owner's table above.
	[ "$(jq 'select(.record == "row" and .holder == "leaky") | .pages' "$OUT/pages")" = "$(cells 3 | awk 'NR == 1 { print $1 }')" ]
	[ "$(jq -s 'map(select(.record == "row") | .pages) | add' "$OUT/leaky")" = "$(cells 3 | awk 'NR == 1 { print $1 }')" ]
	[ "$(jq -r 'select(.record == "row") | "\(.basis) \(.holder | test("^\\["))"' "$OUT/pages" | sort -u | xargs)" = 'derived true inferred false' ]
	grep -q -E '^ +1 +[0-9]+ .* ~leaky +100\.0$' "$OUT/text"
	# Objects and pages of modules are what memowner holders sums up, and nothing is in two groups.
	[ "$(jq -s 'map(select(.holder == "leaky") | .bytes) | add' "$OUT/objects")" -le "$(jq -s 'map(select(.module == "leaky") | .bytes) | add' "$OUT/holders")" ]
	[ "$(jq -s 'map(select(.record == "row" and .holder == "none") | .objects) | add' "$OUT/objects")" = "$(jq -s 'map(select(.record == "row") | .objects) | add' "$OUT/none")" ]
	[ "$(jq -r 'select(.record == "row") | .basis' "$OUT/none" | sort -u)" = inferred ]
	jq -e 'select(.record == "summary") | .complete and any(.warnings[]; test("words lead to [0-9]+ pages of [0-9]+ that are free, and no root to 0 objects of [0-9]{3,} \\(tasks, inodes, ...\\) that are in use for certain"))' "$OUT/none"
	# What names a module alone is told beside it, where there is some: 0 of what is in use is no sign that none is lost.
	"$BUILD/memowner" --vmlinux "$BUILD/samples/6.12-hog-frames/vmlinux" "$BUILD/samples/6.12-hog-frames/vmcore" objects -g holder > "$OUT/lost"
	grep -q -E 'that are in use for certain; nor does one lead to 13\.[0-9]M that names a module$' "$OUT/lost"
	refute grep -q -E 'certain; nor' "$OUT/text"
}

@test "where words are missing no sum is known, nor that nothing leads to memory; without a struct page there is no answer" {
	local dir=$BUILD/samples/6.12-holed whole=$BUILD/samples/6.1-stock-outside/vmcore base pfn

	printf '%s\n' "memowner holders -j > $OUT/sums" "memowner objects -g holder -j > $OUT/objects" "memowner objects -f holder=none -j > $OUT/none" "memowner pages -g holder > $OUT/pages" > "$OUT/commands"
	"$BUILD/memowner" --vmlinux "$dir/vmlinux" -i "$OUT/commands" "$dir/vmcore"
	jq -s -e 'map(select(.record == "total")) | length == 8 and all(.bytes == null and .objects == null and .of_objects == null)' "$OUT/sums"
	[ "$(jq -r 'select(.record == "row") | .holder' "$OUT/objects" | sed 's/^stack of [0-9]*(.*)$/stack/' | sort -u | xargs)" = 'leaky several stack unknown vmlinux' ]
	[ -z "$(jq 'select(.record == "row")' "$OUT/none")" ]
	grep -q -x 'holders are inferred from pointers, of which some are missing: what no root leads to is unknown' "$OUT/pages"
	refute grep -q -E '~none|no root to' "$OUT/pages"
	# The direct map begins at a GiB, and the dump has less than that.
	base=$(($("$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" processes -n 1 -j | jq -r 'select(.record == "row") | .address') & ~((1 << 30) - 1)))
	"$BUILD/memowner" --vmlinux "$dir/vmlinux" "$dir/vmcore" pageowner -t list -f class=slab -n 0 -o pfn -j |
		jq -r 'select(.record == "row") | .pfn' | awk 'NR % 40 == 0' | head -n $((BRIEF ? 4 : 30)) |
		while read -r pfn; do printf 'memowner virt:%x\n' $((base + (pfn << 12) + 512)); done > "$OUT/commands"
	"$BUILD/memowner" --vmlinux "$dir/vmlinux" -i "$OUT/commands" "$dir/vmcore" > "$OUT/addresses"
	grep -q -x '  no word that was read leads there' "$OUT/addresses"
	refute grep -E 'no word that is followed|no root that is known' "$OUT/addresses"
	# Its struct pages are at the end of the file.
	head -c "$(($(stat -L -c %s "$whole") * 97 / 100))" "$whole" > "$OUT/cut"
	"$BUILD/memowner" "$OUT/cut" holders > "$OUT/none" || [ $? = 1 ]
	rm "$OUT/cut"
	[ "$(head -n 1 "$OUT/none")" = 'no data: no struct page in this dump: which memory is kept is unknown' ]
}
