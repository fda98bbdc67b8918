#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A stock kernel, $SAMPLE, with BPF maps of each type, programs, and processes that hold memory which is in no RSS
# (scripts/sample/guest/bpf), against what that kernel said: /proc/PID/fdinfo, and what the system call answered.

load helper

setup_file() {
	export OUT=$BATS_FILE_TMPDIR DIR=$BUILD/samples/$SAMPLE
	"$BUILD/memowner" "$DIR/vmcore" bpf -j > "$OUT/json"
	jq -c 'select(.record == "row")' "$OUT/json" > "$OUT/rows"
}

of_maps() { jq -r "select(.bpf_kind == \"map\") | $1" "$OUT/rows"; }
of_programs() { jq -r "select(.bpf_kind == \"program\") | $1" "$OUT/rows"; }
# KEY PREFIX: "ID VALUE" of each file of a map (PREFIX map) or program (prog).
told() {
	awk -v key="$1" -v id="$2_id" '
		{ split($1, at, ":"); name = at[2]; file[at[1]]; value[at[1], name] = $2 }
		END { for (f in file) if ((f, id) in value && (f, key) in value) print value[f, id], value[f, key] }' \
		"$DIR/truth/fdinfo" | sort -u
}

@test "memory of a map of each type is memlock of its fdinfo; of an arena, of which kernels said 0, unknown" {
	local unknown=

	# The file of 5.10 has what a map is charged for, of all elements that it may have, in pages, without its structure, and
	# of a devmap nothing; that of 6.1 an estimate by the sizes of keys and values.
	case $SAMPLE in
	5.10-*)
		join <(told memlock map) <(of_maps '"\(.bpf_id) \(.bytes) \(.map_flags) \(.bpf_type)"' | sort) > "$OUT/both"
		[ "$(awk '!/ (0x1 .*|lpm_trie|sockhash|devmap.*)$/' "$OUT/both" | wc -l)" -ge 25 ]
		[ "$(awk '{ n = $3 - $2 } / (0x1 .*|lpm_trie|sockhash)$/ ? n > 0 : $5 !~ /^devmap/ && (n > 4096 || n <= -4096)' "$OUT/both")" = '' ]
		return
		;;
	6.1-*) skip "this kernel estimates it" ;;
	esac
	if told memlock map | grep -q ' 0$'; then
		unknown=arena
	fi
	[ "$(told memlock map | wc -l)" -ge 36 ]
	diff <(told memlock map | sed 's/ 0$/ null/') <(of_maps 'select(.opened_by != "") | "\(.bpf_id) \(.bytes)"' | sort)
	[ "$(of_maps 'select(.bytes == null) | .bpf_type')" = "$unknown" ]
	[ "$(jq 'select(.record == "summary") | .complete' "$OUT/json")" = "$([ -z "$unknown" ] && echo true || echo false)" ]
}

@test "types, sizes of keys and values, entries, flags, names are those that the maps were made with" {
	diff <(awk '$1 == "map" { printf "%s %s %s %s %s %s\n", $2, substr($3, 1, 15), $4, $5, $6, $7 }' "$DIR/truth/bpf" | sed 's/ 0$/ 0x0/' | sort) \
		<(of_maps 'select(.name != "held" and .name != "late") | "\(.bpf_id) \(.name) \(.key_bytes) \(.value_bytes) \(.max_entries) \(.map_flags)"' | sort)
	for name in hash percpu_hash lru_hash array percpu_array ringbuf queue stack lpm_trie bloom_filter sockhash; do
		grep -q "^none $name:" "$DIR/truth/bpf" ||
			[ "$(of_maps "select(.name == \"$name\") | .bpf_type")" = $name ]
	done
	for type in max_entries:max_entries; do
		diff <(told ${type%:*} map) <(of_maps "select(.opened_by != \"\") | \"\(.bpf_id) \(.${type#*:})\"" | sort)
	done
}

@test "programs: machine code, time of loading, user, memory; what they are attached to" {
	# The time is compared by its distance to that of the last: ages are up to the dump.
	diff <(awk '$1 == "prog" { print $2, $3, $4, $6 }' "$DIR/truth/bpf") <(of_programs '"\(.bpf_id) \(.name) \(.jited_bytes) \(.uid)"' | sort)
	[ "$(awk '$1 == "prog" { print $5 }' "$DIR/truth/bpf" | jq -s -c '[.[] - .[0]]')" = "$(of_programs .load_age_ns | jq -s -c 'reverse | [.[0] - .[]]')" ]
	diff <(told memlock prog) <(of_programs 'select(.opened_by != "") | "\(.bpf_id) \(.bytes)"')
	[ "$(of_programs 'select(.attached_to == "cgroup /box") | .name' | sort | xargs)" = 'attached linked' ]
	[ "$(of_maps 'select(.attached_to == "program 1") | .name')" = array ]
}

@test "who holds them: processes, a pinned file alone, a link, a cgroup alone" {
	maps=$(awk '{ print $1 }' "$DIR/truth/maps_pid")
	[[ "$(of_maps 'select(.name == "array") | .opened_by')" =~ ^$maps\(maps\),\ [0-9]+\(sharer\)$ ]]
	[ "$(of_maps 'select(.name == "pinned_only") | "\(.pinned_at) \(.used_by)"')" = '/sys/fs/bpf/net/counts ' ]
	[ "$(of_programs 'select(.name == "caller") | "\(.pinned_at) \(.used_by)"')" = '/sys/fs/bpf/net/caller ' ]
	[[ "$(of_programs 'select(.name == "linked") | "\(.opened_by)/\(.used_by)"')" = "/$maps(maps)"* ]]
	[ "$(of_programs 'select(.name == "attached") | .used_by')" = '' ]
	# The kernel counts what was found, but for the socket that a filter is attached to.
	[ "$(jq -r 'select(.bpf_references != .found_references) | .name' "$OUT/rows")" = filter ]
	# Up to 5.10 no cgroup is charged.
	if [[ $SAMPLE = 5.10-* ]]; then
		[ "$(of_maps 'select(.memcg) | .name')" = '' ]
		return
	fi
	# The root is charged for nothing, or has an obj_cgroup of its own, as since 7.3.
	[[ "$(of_maps 'select(.memcg != "/maps" and .name != "late") | "\(.name) \(.memcg)"')" =~ ^held\ (\[not\ charged\]|/)$ ]]
}

# A ring has 3 pages of its own beside its data: where it is read and written, and its structure.
@test "memowner counted: pages of ring buffers, and who has them" {
	"$BUILD/memowner" "$DIR/vmcore" counted -j | jq -r 'select(.kind == "bpf") | "\(.name | sub(".*map "; "")) \(.pages) \(.other_pages) \(.used_by)"' | sort > "$OUT/rings"
	[ "$(wc -l < "$OUT/rings")" = "$(grep -c -E '^map .* (user_)?ringbuf ' "$DIR/truth/bpf")" ]
	diff "$OUT/rings" <(of_maps 'select(.bpf_type | test("ringbuf")) | "\(.bpf_id) \(.max_entries / 4096 + 3) 0 \(.used_by)"' | sort)
}

@test "memowner counted: rings of io_uring, of a packet socket, and packets, as large as their processes wanted" {
	local name kind megabytes

	"$BUILD/memowner" "$DIR/vmcore" counted -j > "$OUT/counted"
	for kind in uring:io_uring packet:packet; do
		name=${kind%:*} megabytes=$(awk -v name="${kind%:*}" '$1 == name { print $3 }' "$DIR/truth/held")
		[ "$(jq -r --arg kind "${kind#*:}" --arg name "$name" 'select(.kind == $kind and (.used_by | test("^[0-9]+\\(" + $name + "\\)$"))) | .pages' "$OUT/counted")" = $((megabytes * 256)) ]
	done
}

# What a process was told to hold, in MiB, is the ledger; what was free when its twin was killed is the kernel's answer,
# where the guest counted free pages on lists of CPUs as well.
@test "HELD: what each process was told to hold, by kind; what two hold is of neither" {
	local kind pid mib freed bytes as
	declare -A names=([array]='BPF maps and programs' [sockets]=sockets [uring]='rings of io_uring' [buffers]='buffers of io_uring'
		[packet]='rings of packet sockets' [pipes]=pipes [memfd]='' [flight]='' [shared]='' [late]='')

	"$BUILD/memowner" "$DIR/vmcore" processes -n 0 -j -o +held_bytes,held_file_bytes,held_other_bytes,held_kinds | jq -c 'select(.record == "row")' > "$OUT/processes"
	while read -r kind pid mib freed; do
		read -r bytes as < <(jq -r --argjson pid "$pid" 'select(.pid == $pid) | "\(.held_file_bytes + .held_other_bytes) \(.held_kinds)"' "$OUT/processes")
		echo "$kind $mib M: $bytes, $as; $freed K were free"
		[[ "$as" = "${names[$kind]}"* ]]
		case $kind in
		shared)
			[ "$bytes" = 0 ]
			continue
			;;
		# Elements that a map may have, and has not.
		late) [ "$bytes" -le $((1 << 20)) ] ;;
		flight) [ "$("$BUILD/memowner" "$DIR/vmcore" files -g process -j | jq -r --arg who "in flight to $pid(flight)" 'select(.process == $who) | "\(.files) \(.bytes)"')" = "$mib $((mib << 20))" ] ;;&
		*)
			[ "$bytes" -ge $((mib << 20)) ]
			[ "$bytes" -le $(((mib << 20) * 103 / 100)) ]
			;;
		esac
		grep -q '^pipes ' "$DIR/truth/held" || continue
		bytes=$(jq -r --argjson pid "$pid" 'select(.pid == $pid) | .held_bytes' "$OUT/processes")
		[ $((bytes / 1024 - freed)) -le $((freed / 50 + 512)) ]
		[ $((freed - bytes / 1024)) -le $((freed / 50 + 512)) ]
	done < "$DIR/truth/held"
	# Each process that was told to has one kind, and no other process has much.
	[ "$(jq -r 'select(.held_other_bytes > 1000000) | .comm' "$OUT/processes" | sort | xargs)" = "$(awk '$1 !~ /^(memfd|flight|shared|late)$/ { print $1 }' "$DIR/truth/held" | sort | xargs)" ]
	[ "$("$BUILD/memowner" "$DIR/vmcore" processes -j -o +held_kinds | jq -r 'select(.record == "summary") | .warnings | length')" = 0 ]
}

@test "the summary names who holds a tenth of memory: a BPF map, buffers that io_uring pins" {
	local kind pid mib rest

	"$BUILD/memowner" "$DIR/vmcore" -j > "$OUT/summary"
	while read -r kind pid mib rest; do
		[ "$mib" -ge 39 ] || continue
		case $kind in
		array) [ "$(jq -r 'select(.user_kind == "bpf") | "\(.name) \(.remark)"' "$OUT/summary")" = "$pid(array) array held (ID 2, $mib.0M)" ] ;;
		buffers) [ "$(jq -r 'select(.user_kind == "held") | "\(.name): \(.remark)"' "$OUT/summary")" = "buffers ($pid): buffers of io_uring $mib.0M" ] ;;
		esac
	done < "$DIR/truth/held"
	jq -e 'select(.record == "summary") | .complete' "$OUT/summary" > /dev/null
}

@test "beside its own answer: a map of unknown size is one row, the others are the same" {
	"$BUILD/memowner" "$DIR/vmcore" bpf -d "$OUT/json" -j > "$OUT/diff"
	"$TESTS/tools/validate" "$OUT/diff"
	[ "$(jq -r 'select(.record == "row" and .change != "same") | .bytes' "$OUT/diff" | sort -u)" = "$(jq 'select(.bytes == null) | "null"' -r "$OUT/rows" | sort -u)" ]
	[ "$(jq -c 'select(.record == "summary") | .complete' "$OUT/diff")" = "$(jq -c 'select(.record == "summary") | .complete' "$OUT/json")" ]
	# Maps without names have their types.
	jq -c 'if .record == "row" then .name = null else . end' "$OUT/json" > "$OUT/nameless"
	"$BUILD/memowner" "$DIR/vmcore" bpf -d "$OUT/nameless" -j > "$OUT/diff"
	[ "$(jq -r 'select(.record == "row") | .key' "$OUT/diff" | sort -u)" = bpf_kind,bpf_type ]
}

# Between the two the file of the truth is written and the console.
@test "memowner zones: MemAvailable of the same second" {
	local is said

	is=$("$BUILD/memowner" "$DIR/vmcore" zones -j | jq -r 'select(.record == "node") | .available_pages * 4')
	said=$(awk '$1 == "MemAvailable:" { print $2 }' "$DIR/truth/meminfo")
	echo "$is and $said"
	[ $((is - said)) -le 512 ]
	[ $((said - is)) -le 512 ]
}
