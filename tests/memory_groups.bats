#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Figures of groups, -g: what is counted once, and of which the filters keep all.

load helper

setup_file() {
	export STOCK=$BUILD/samples/6.12-stock-oom OUT=$BATS_FILE_TMPDIR
	of cgroups -j -n 0 > "$OUT/cgroups"
}

of() {
	timeout 60 "$BUILD/memowner" --vmlinux "$STOCK/vmlinux" "$STOCK/vmcore" "$@" 2>&1
}

# rows FILTER FILE
rows() {
	jq -r "select(.record == \"row\") | $1" "$2"
}

# sum COLUMN REGEX: of cgroups whose path meets it
sum() {
	jq -r -s --arg path "$2" "map(select(.record == \"row\" and (.memcg | test(\$path))) | .$1) | add" "$OUT/cgroups"
}

@test "cgroups -g: what has the value and none above it that has it too is summed up, the root is not" {
	local column

	of cgroups -g memcg_state -j > "$OUT/states"
	of cgroups -g unit_kind -j -n 0 > "$OUT/kinds"
	for column in usage_bytes anon_bytes page_cache_bytes shmem_bytes kernel_bytes sock_bytes swap_usage_bytes all_processes; do
		[ "$(rows .$column "$OUT/states")" = "$(sum $column '^/[^/]+$')" ] || { echo $column; false; }
		[ "$(rows "select(.unit_kind == \"slice\") | .$column" "$OUT/kinds")" = "$(sum $column '^/[^/]+[.]slice$')" ] || { echo $column; false; }
		[ "$(rows "select(.unit_kind == \"service\") | .$column" "$OUT/kinds")" = "$(sum $column '[.]service$')" ] || { echo $column; false; }
	done
	[ "$(rows '"\(.cgroups) \(.memcg_state)"' "$OUT/states")" = '34 online' ]
	[ "$(rows 'select(.unit_kind == null)' "$OUT/kinds")" = '' ]
	[ "$(rows '"\(.unit_kind) \(.cgroups) \(.all_processes)"' "$OUT/kinds" | sort)" = 'mount 8 0
scope 1 1
service 19 42
slice 6 42' ]
	jq -e 'select(.record == "summary") | .complete and any(.warnings[]; . == "21 cgroups are below one of another row: the memory is in both rows")' "$OUT/kinds"
}

@test "cgroups -g: what has no value is in no row" {
	of cgroups -g service -j -n 0 > "$OUT/services"
	[ "$(rows .service "$OUT/services" | wc -l)" = 28 ]
	[ "$(rows 'select(.service == null)' "$OUT/services")" = '' ]
	[ "$(rows 'select(.service == "stress.service") | "\(.cgroups) \(.all_processes)"' "$OUT/services")" = '1 9' ]
	of cgroups -g service > "$OUT/text"
	grep -q -x 'warning: 6 cgroups below the root have no value of a key of -g: what is charged to them alone is in no row' "$OUT/text"
	grep -q -x 'the root, which has the memory of all, is in no row' "$OUT/text"
	of cgroups -g container -j > "$OUT/containers"
	[ "$(rows .cgroups "$OUT/containers")" = '' ]
}

@test "cgroups -g: a filter is asked of each, whatever is above it" {
	of cgroups -g memcg_state -f memcg=/system.slice -j > "$OUT/slice"
	[ "$(rows '"\(.cgroups) \(.usage_bytes)"' "$OUT/slice")" = "1 $(sum usage_bytes '^/system[.]slice$')" ]
	of cgroups -g memcg_state -f 'memcg=/system.slice/*' > "$OUT/text"
	grep -q -x 'filters kept 25 of 35 cgroups' "$OUT/text"
	of cgroups -g memcg_state -f 'memcg=/system.slice/*' -j > "$OUT/below"
	[ "$(rows '"\(.cgroups) \(.usage_bytes)"' "$OUT/below")" = "25 $(sum usage_bytes '^/system[.]slice/[^/]+$')" ]
}

@test "cgroups -g: EXISTS and TIMES are of all members" {
	of cgroups -g unit_kind -j -n 0 -o +age_min_ns > "$OUT/kinds"
	[ "$(rows 'select(.unit_kind == "service") | .exists_ns' "$OUT/kinds")" = \
		"$(jq -s 'map(select(.record == "row" and (.memcg | endswith(".service"))) | .exists_ns) | max' "$OUT/cgroups")" ]
	[ "$(rows 'select(.unit_kind == "service") | .age_min_ns' "$OUT/kinds")" = \
		"$(jq -s 'map(select(.record == "row" and (.memcg | endswith(".service"))) | .exists_ns) | min' "$OUT/cgroups")" ]
	[ "$(rows 'select(.unit_kind == "service") | .member_times' "$OUT/kinds")" = 26513_2___ ]
}

@test "processes -g: a file that those keep, too, whom a filter leaves out is not of the group" {
	of processes -n 0 -j -o pid,held_bytes > "$OUT/held"
	for pid in 381 $(rows .pid "$OUT/held" | head -n 5); do
		of processes -g service -f pid=$pid -j -o processes,held_bytes > "$OUT/one"
		[ "$(rows .held_bytes "$OUT/one")" = "$(rows "select(.pid == $pid) | .held_bytes" "$OUT/held")" ] || { echo $pid; false; }
		[ "$(rows .processes "$OUT/one")" = 1 ]
	done
	# Those of PostgreSQL share a segment that no other has.
	of processes -g service -f 'service=postgresql*' -j -o processes,held_bytes > "$OUT/all"
	[ "$(rows .processes "$OUT/all")" = 11 ]
	[ "$(rows .held_bytes "$OUT/all")" -gt 20000000 ]
}

@test "caches -g module: each cache is in one row" {
	of caches -j -n 0 > "$OUT/caches"
	of caches -g module -j -n 0 > "$OUT/modules"
	[ "$(jq -r -s 'map(select(.record == "row")) | "\(map(.caches) | add) \(map(.pages) | add) \(map(.objects) | add) \(map(.inuse_objects) | add) \(map(.slack_bytes) | add)"' "$OUT/modules")" = \
		"$(jq -r -s 'map(select(.record == "row")) | "\(length) \(map(.pages) | add) \(map(.objects) | add) \(map(.inuse_objects) | add) \(map(.slack_bytes) | add)"' "$OUT/caches")" ]
	# Those that the code of the module names.
	[ "$(rows 'select(.module == "scsi_mod") | "\(.caches) \(.pages) \(.objects)"' "$OUT/modules")" = \
		"$(rows 'select(.cache == "scsi_sense_cache") | "1 \(.pages) \(.objects)"' "$OUT/caches")" ]
	[ "$(rows 'select(.module == "kvm") | .caches' "$OUT/modules")" = "$(rows 'select(.cache | test("^kvm_|^x86_emulator|^kvm_mmu|^pte_list_desc")) | .cache' "$OUT/caches" | wc -l)" ]
}

@test "filesystems: CACHED is the inodes that are in memory, and what keeps them" {
	of filesystems -j -n 0 > "$OUT/filesystems"
	of caches -j -n 0 > "$OUT/caches"
	inodes() { jq -s "map(select(.record == \"row\" and (.fs_type | test(\"$1\")))) | unique_by(.device) | map(.$2) | add" "$OUT/filesystems"; }
	objects() { rows "select(.cache == \"$1\") | .inuse_objects" "$OUT/caches"; }
	[ "$(inodes '^ext4$' memory_inodes)" = "$(objects ext4_inode_cache)" ]
	# The rest is of mounts that no process sees: memfd and shared memory without a name.
	[ "$(inodes '^(dev)?tmpfs$' memory_inodes)" -gt 700 ]
	[ "$(inodes '^(dev)?tmpfs$' memory_inodes)" -le "$(objects shmem_inode_cache)" ]
	# Names keep all that tmpfs has, and what is watched is in memory.
	[ "$(inodes '^tmpfs$' named_inodes)" = "$(inodes '^tmpfs$' memory_inodes)" ]
	[ "$(inodes '^ext4$' named_inodes)" = 205 ]
	[ "$(inodes '^ext4$' watched_inodes)" = 5 ]
}

@test "-g: a number is of the unit that a column has under the name that is typed, with groups and without" {
	for group in '' '-g where'; do
		of stuck $group -f since_ns=0.. > "$OUT/zero"
		grep -q '^filters kept 4 of 6 ' "$OUT/zero"
		# Under the name of JSON 9 may be nanoseconds.
		[[ "$(of stuck $group -f since_ns=0..9)" = 'memowner: key since_ns takes a time like '* ]]
		[[ "$(of stuck $group -f since_ns=0.8)" = 'memowner: key since_ns takes a time like '* ]]
		of stuck $group -f since=0..9 | grep -q '^filters kept 1 of 6 '
		of stuck $group -f since=0.80 | grep -q '^filters kept 1 of 6 '
	done
	[ "$(rows .since_ns <(of stuck -f since=0.80 -j))" = 802694840 ]
	[ "$(rows .since_ns <(of stuck -f since=337 -j))" = 337560409539 ]
}

# Of each column a value that a row has, as it is typed: for each row that is chosen a line of filters of the shell, at most 15.
values() {
	jq -n -r --arg names "$1" '[inputs] as $rows
		| [(($names | split(" ")) - ["basis", "stack", "phys"])[] as $c
		| first(range($rows | length) as $i | $rows[$i][$c] | select(. != null and . != "" and . != [] and type != "object")
			| if type == "array" then first else . end | tostring | gsub(","; "\\,") | {$i, v: "\($c)=\(.)\(if $c | endswith("_ns") then "ns" else "" end)"})]
		| group_by(.i)[] | [range(0; length; 15) as $k | .[$k:$k + 15]][] | map("-f", .v | @sh) | join(" ")' "$2"
}

# columns COMMAND...: all that it has, with blanks between
columns() {
	of "$@" -o help | sed '/^Terms:/,$d' | sed -n 's/^\([a-z_0-9]\+\) .*/\1/p' | paste -s -d ' '
}

@test "-g: a filter of each column keeps the same members, and of one the group has what the row has" {
	local noun key count alone names of_groups line n asked=0

	while read -r noun key count alone; do
		names=$(columns $noun $alone)
		of_groups=$(columns $noun -g $key)
		of $noun $alone -n 0 -j -o "${names// /,}" > "$OUT/all"
		rows . "$OUT/all" > "$OUT/rows"
		values "$names" "$OUT/rows" > "$OUT/filters"
		while read -r line; do
			eval "set -- $line"
			of $noun $alone -n 0 -j -o "${names// /,}" "$@" > "$OUT/rows"
			of $noun -g $key -n 0 -j -o "${of_groups// /,}" "$@" > "$OUT/groups"
			n=$(rows .record "$OUT/rows" | wc -l)
			# One that no row had would be equal, too.
			[ "$n $(jq -s "map(.$count // 0) | add" "$OUT/groups")" = "${n/#0/1} $n" ] ||
				{ echo "$noun $line: $n"; grep -E '^memowner|warnings' "$OUT/rows" "$OUT/groups"; return 1; }
			((++asked))
			[ "$n" = 1 ] || continue
			jq -c -s 'map(select(.record == "row")) | .[0] as $row | .[1] | to_entries[]
				| select(.key as $k | $row | has($k)) | select(.value != $row[.key])' "$OUT/rows" "$OUT/groups" > "$OUT/other"
			[ ! -s "$OUT/other" ] || { echo "$noun $line:"; cat "$OUT/other"; return 1; }
		done < "$OUT/filters"
	done <<-'END'
		processes comm processes
		files dir files
		sockets protocol sockets
		caches module caches
		stuck place threads
		vmalloc kind areas -g address
	END
	[ "$asked" -ge 15 ]
}
