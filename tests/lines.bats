#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Files and lines of the frames of a real dump, $SAMPLE, against another reader of the same DWARF.

load helper
load dump

setup_file() {
	of_sample
	ask_in_one
}

# Frames of -l as "addr function@file:line... file:line", once each.
places() {	# JSON MODULE
	jq -r --argjson of "$2" 'select(.record == "row") | .stack[] | select(.module == $of and .file != null) |
		"\(.addr) \([(.inlined[] | "\(.symbol)@\(.file):\(.line)"), "\(.file):\(.line)"] | join(" "))"' "$1" | sort -u
}

# The same by another reader of DWARF: the call before each address, which lies SLIDE
# above the file's.
told_places() {	# FILE SLIDE CUT < ADDRESSES
	local addr

	while read -r addr; do
		printf '0x%x\n' $((addr - 1 - $2))
	done | llvm-symbolizer --obj="$1" --inlines --functions=linkage --output-style=GNU --addresses |
		awk -v cut="$3" -f "$TESTS/truth/places.awk"
}

# By how much the dump has a symbol above where the file has it.
slide_of() {	# SYMBOL FILE
	echo $((0x$(awk -v s="$1" '$3 == s { print $1; exit }' "$TRUTH/kallsyms") -
		0x$(readelf -sW "$2" | awk -v s="$1" '$8 == s { print $2; exit }')))
}

same_places() {	# JSON MODULE FILE SLIDE CUT LEAST
	places "$1" "$2" > "$OUT/places"
	[ "$(wc -l < "$OUT/places")" -ge "$6" ]
	diff <(cut -d ' ' -f 2- "$OUT/places") <(cut -d ' ' -f 1 "$OUT/places" | told_places "$3" "$4" "$5")
}

# Makes it a file of another build and prints the build-id that it had.
rebuild() {	# FILE SECTION
	local id at bytes hex

	id=$(readelf -n "$1" 2>/dev/null | awk '/Build ID/ { print $3 }')
	read -r at bytes < <(readelf -SW "$1" | sed 's/^.*\] //' | awk -v s="$2" '$1 == s { print $4, $5 }')
	hex=$(tail -c +$((0x$at + 1)) "$1" | head -c $((0x$bytes)) | od -An -v -tx1 | tr -d ' \n')
	[[ "$hex" = *$id* ]] || return 1
	hex=${hex%%$id*}
	printf 'XXXX' | dd of="$1" bs=1 seek=$((0x$at + ${#hex} / 2)) conv=notrunc status=none
	echo "$id"
}

@test "-l: frames of vmlinux are where another reader of its DWARF says, functions in line too" {
	[ "$(uname -m)" = "$(meta_of list .arch)" ] || return 0
	same_places "$SAID/lines.json" null "$DIR/vmlinux" "$(slide_of _stext "$DIR/vmlinux")" '^/usr/src/(linux|build)/' 200
	# Functions in line are there, and every frame of vmlinux has a file.
	[ "$(cut -d ' ' -f 3- "$OUT/places" | grep -c .)" -ge 50 ]
	[ "$(of lines '.stack[] | select(.module == null and .file == null and (.symbol | . != null)) | .addr')" = '' ]
	# But for its source, the answer is what it is without -l.
	diff <(of lines 'del(.stack[].file, .stack[].line, .stack[].inlined)') \
		<(of top 'del(.stack[].file, .stack[].line, .stack[].inlined)')
	[ "$(of top '.stack[] | select(.file != null or .line != null or .inlined != null)')" = '' ]
}

@test "-l: a folder with files by build-id, as packages of debug information have them" {
	local id file

	id=$(readelf -n "$DIR/vmlinux" 2>/dev/null | awk '/Build ID/ { print $3 }')
	file=$OUT/store/.build-id/${id:0:2}/${id:2}.debug
	mkdir -p "${file%/*}"
	ln -sf "$(realpath "$DIR/vmlinux")" "$file"
	ask $MODE "pageowner -t top -l $OUT/store -D" > "$OUT/store.text"
	grep -q -x -F "debug file $file: used" "$OUT/store.text"
}

@test "-l: frames of the module are in its source, where another reader says" {
	local id folder

	loaded || return 0
	if [ ! -f "$DIR/leaky.ko" ]; then
		[ "$(summary_of lines '.warnings[]')" = 'no lines of module leaky: found no leaky.ko and no leaky.ko.debug' ]
		return
	fi
	summary_of lines '.warnings | length' | grep -qx 0
	folder=$(readelf --debug-dump=info --dwarf-depth=1 "$DIR/leaky.ko" 2>/dev/null |
		awk '/DW_AT_comp_dir/ { print $NF; exit }')
	same_places "$SAID/lines.json" '"leaky"' "$DIR/leaky.ko" "$(slide_of leaky_rx_refill "$DIR/leaky.ko")" \
		"^(/usr/src/linux|${folder//+/\\+})/" 5
	[ "$(awk '$NF !~ /(^|\/)leaky\.c:[0-9]+$/' "$OUT/places")" = '' ]
	# Not if it is another one.
	mkdir -p "$OUT/other"
	cp "$DIR/leaky.ko" "$OUT/other/leaky.ko"
	id=$(rebuild "$OUT/other/leaky.ko" .note.gnu.build-id)
	ask $MODE "pageowner -t top -l $OUT/other -j > $OUT/moved.json"
	[ "$(of moved '.stack[] | select(.module == "leaky" and .file != null)')" = '' ]
	[ "$(of moved '.stack[] | select(.module == null and .file != null) | .addr' | sort -u | wc -l)" -ge 200 ]
	summary_of moved '.warnings[]' | grep -q "^no lines of module leaky: $OUT/other/leaky.ko: its build-id is 58585858.*, in the dump it is ${id:0:14}"
	[ "$(summary_of moved '.warnings | length')" = 1 ]
}

@test "-l: a vmlinux of another build is refused by its name, the stacks are there" {
	local id

	mkdir -p "$OUT/another/deep"
	cp "$DIR/vmlinux" "$OUT/another/deep/vmlinux"
	id=$(rebuild "$OUT/another/deep/vmlinux" .notes)
	ask $MODE "pageowner -t top -l $OUT/another -j > $OUT/another.json" "pageowner -t top -n 2 -l $OUT/another > $OUT/another.txt"
	rm "$OUT/another/deep/vmlinux"
	diff <(of another '.stack[] | select(.module == null)') <(of top '.stack[] | select(.module == null)')
	[ "$(summary_of another '.warnings[]' | grep -c vmlinux)" = 1 ]
	summary_of another '.warnings[]' |
		grep -q "^no lines of vmlinux: $OUT/another/deep/vmlinux: its build-id is 58585858.*, in the dump it is ${id:0:14}"
	[ "$(grep -c '^warning: no lines of vmlinux: ' "$OUT/another.txt")" = 1 ]
}

@test "-l: debug files that are cut off or damaged cost lines, nothing else" {
	local size=$(stat -c %s "$DIR/vmlinux") n commands=()

	for n in 0 63 100 4096 $((size / 2)) $((size * 9 / 10)) $((size - 4096)); do
		mkdir -p "$OUT/cut/$n"
		head -c $n "$DIR/vmlinux" > "$OUT/cut/$n/vmlinux"
	done
	# Each has a stretch of its debug information replaced by bytes that are not.
	for n in .debug_info .debug_abbrev .debug_line .debug_rnglists .debug_str; do
		mkdir -p "$OUT/cut/$n"
		cp "$DIR/vmlinux" "$OUT/cut/$n/"
		readelf -SW "$DIR/vmlinux" | sed 's/^.*\] //' | awk -v s=$n '$1 == s { print $4, $5 }' > "$OUT/section"
		[ -s "$OUT/section" ]
		while read -r at bytes; do
			head -c $((0x$bytes / 2)) "$DIR/vmcore" | tail -c 200000 |
				dd of="$OUT/cut/$n/vmlinux" oflag=seek_bytes seek=$((0x$at + 0x$bytes / 3)) bs=64k conv=notrunc status=none
		done < "$OUT/section"
	done
	for n in "$OUT"/cut/*; do
		commands+=("pageowner -t top -n 100 -l $n -j > $n/lines.json")
	done
	for n in "$OUT"/cut/.d*; do
		commands+=("pageowner -t top -n 100 -l $n -j > $n/lines.json")
	done
	ask $MODE "${commands[@]}" "pageowner -t top -n 100 -j > $OUT/cut/plain.json"
	for n in 0 63 100 4096 $((size / 2)) .debug_info .debug_line; do
		diff <(jq 'select(.record == "row") | del(.stack[].file, .stack[].line, .stack[].inlined)' "$OUT/cut/$n/lines.json") \
			<(jq 'select(.record == "row") | del(.stack[].file, .stack[].line, .stack[].inlined)' "$OUT/cut/plain.json")
	done
	for n in 0 63 100 4096; do
		jq -r 'select(.record == "summary") | .warnings[]' "$OUT/cut/$n/lines.json" | grep -q "^no lines of vmlinux: $OUT/cut/$n/vmlinux: "
	done
	rm -rf "$OUT/cut"
}

@test "-l in text: file and line behind each frame, functions in line before it, nothing cut" {
	local handle

	handle=$(of top .handle | head -n 1)
	run ask $MODE 'pageowner -t top -n 5 -l' "depot -l $handle" "depot -l $DIR $handle"
	[ "$(grep -c -E '^    [a-zA-Z_0-9.]+\+0x[0-9a-f]+  [^ ]+\.[chS]:[0-9]+$' <<< "$output")" -ge 40 ]
	[ "$(grep -c -E '^    [a-zA-Z_0-9.]+  [^ ]+\.[ch]:[0-9]+ \(inlined\)$' <<< "$output")" -ge 5 ]
	[ "$(grep -F '..' <<< "$output" | grep -v '^\.\.\. ')" = '' ]
	# From everywhere the same.
	ask $MODE "depot -l -j $handle > $OUT/depot.json" \
		"pageowner -t list -l -n 1 -j -o +stack > $OUT/one.json"
	[ "$(of depot '.stack | tojson')" = "$(of lines '.stack | tojson' | head -n 1)" ]
	[[ "$(jq -r 'select(.record == "stack") | .stack[0].file' "$OUT/one.json")" = mm/*.c ]]
	# Frames of other commands: a page's stack, and the thread that is inside a page fault.
	ask $MODE "faults -b -o +stack -l -j > $OUT/blocked.json" \
		"allocprof -l -j pfn:$(jq -r 'select(.record == "row") | .pfn' "$OUT/one.json") > $OUT/page.json"
	[ "$(of page '.stack | tojson')" = "$(jq -r 'select(.record == "stack") | .stack | tojson' "$OUT/one.json")" ]
	jq -r 'select(.record == "row") | .stack[]? | tojson' "$SAID/lines.json" | sort -u > "$OUT/known"
	[ "$(of blocked '.stack[]? | tojson' | sort -u | comm -12 - "$OUT/known" | wc -l)" -ge 5 ]
}
