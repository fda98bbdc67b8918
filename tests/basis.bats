#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What a row of JSON rests on: recorded, derived or inferred, in each record of each view.

load helper

SAMPLE_OF=$BUILD/samples/6.12-oom

setup_file() {
	local name call n=0 handle noun all

	export OUT=$BATS_FILE_TMPDIR
	handle=$("$BUILD/memowner" "$SAMPLE_OF/vmcore" pageowner -n 1 -j | jq -r 'select(.record == "row") | .handle')
	"$BUILD/memowner" "$SAMPLE_OF/vmcore" pageowner -w "$OUT/scan" > /dev/null
	# Each view once; what events of the trace and frames of KGTP have is asked of other dumps, by schema.bats.
	while read -r call; do
		n=$((n + 1))
		case $call in
		allocprof*) call=${call//FILE/$SAMPLE_OF/truth/allocinfo} ;;
		'memowner -d FILE'*)
			echo "memowner -j > $OUT/summary" >> "$OUT/commands"
			call=${call//FILE/$OUT/summary}
			;;
		memowner\ *' -d FILE'*)
			noun=${call#* } noun=${noun%% *}
			# With -a they are compared with what was made with it.
			all=
			[[ "$call" != *' -a' && $noun != case ]] || all=-a
			echo "$noun $all -j > $OUT/noun.$noun$all" >> "$OUT/commands"
			call=${call//FILE/$OUT/noun.$noun$all}
			;;
		'faults -d FILE'*)
			echo "faults -j > $OUT/threads" >> "$OUT/commands"
			call=${call//FILE/$OUT/threads}
			;;
		*) call=${call//FILE/$OUT/scan} ;;
		esac
		call=${call//SITE/alloc_thread_stack_node}
		call=${call//HANDLE/$handle}
		call=${call//ADDR/pfn:1000}
		call=${call//SYSTEM:EVENT/exceptions:page_fault_kernel}
		call=${call/ ID/ 1}
		case $call in *list | 'depot -a') call+=' -n 200' ;; esac
		echo "$call -j"
	done < <("$BUILD/document" | cut -f 2 | sort -u) > "$OUT/calls"
	printf '%s\n' 'pageowner -t list -a -f state=free -n 200 -j' 'pageowner -g class -j' 'pageowner -g caller -j' \
		'pageowner -R '"$OUT/scan"' -j' 'allocprof pfn:1000 -j' 'allocprof -g module -j' \
		'memowner objects -g holder -n 20 -j' 'memowner pages -g holder -j' 'memowner pages -f holder=none -j' \
		'memowner processes -g comm -j' 'memowner files -g dir -j' 'memowner zones 3 -j' 'depot -i -a -j' >> "$OUT/calls"
	awk -v out="$OUT" '{ print $0 " > " out "/answer." NR }' "$OUT/calls" >> "$OUT/commands"
	"$BUILD/memowner" --vmlinux "$SAMPLE_OF/vmlinux" -i "$OUT/commands" "$SAMPLE_OF/vmcore" > "$OUT/said" 2>&1 || [ $? = 1 ] || { cat "$OUT/said"; false; } # some have no data
	[ ! -s "$OUT/said" ] || { head "$OUT/said"; false; }
}

answers_of_all() {
	seq "$(wc -l < "$OUT/calls")" | sed "s|^|$OUT/answer.|"
}

@test "every record of every view says what it rests on" {
	answers_of_all | xargs jq -r 'select(.record | IN("meta", "stack", "summary") | not) |
		select(.basis | IN("recorded", "derived", "inferred") | not) |
		"\(input_filename | split(".") | last) \(.record)"' | sort | uniq -c |
		while read -r n i record; do
			echo "$(sed -n "${i}p" "$OUT/calls"): $n records $record"
		done > "$OUT/without"
	cat "$OUT/without"
	[ ! -s "$OUT/without" ]
	# Something was asked, and each of the three is there.
	[ "$(answers_of_all | xargs cat | jq -r 'select(.record | IN("meta", "stack", "summary") | not) | .basis' | sort | uniq -c |
		awk '$1 > 20 { print $2 }' | xargs)" = 'derived inferred recorded' ]
}
