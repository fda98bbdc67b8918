#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A stock kernel, $SAMPLE, with mounts, watches, requests of io_uring and packets (scripts/sample/guest/kept): who has the objects of
# slab caches, against what the kernel's files said of each process.

load helper

setup_file() {
	export OUT=$BATS_FILE_TMPDIR DIR=$BUILD/samples/$SAMPLE
	"$BUILD/memowner" "$DIR/vmcore" -j > "$OUT/summary"
	"$BUILD/memowner" "$DIR/vmcore" processes -n 0 -o +held_bytes,held_kinds,held_other_bytes -j > "$OUT/processes"
}

told() { awk -v name="$1" -v what="$2" '$1 == name && $2 == what { print $3 }' "$DIR/truth/kept"; }
held() { jq -r --arg comm "$1" 'select(.record == "row" and .comm == $comm) | .held_kinds' "$OUT/processes"; }
kept() { jq -r --arg text "$1" 'select(.record == "cache" and (.kept_by // "" | contains($text))) | .kept_by' "$OUT/summary"; }
# 7.1: below the root of a process is one more, which mountinfo leaves out.
mounts() {
	local n more=0

	n=$(told "$1" mountinfo)
	[[ $SAMPLE != 7.3-* ]] || more=1
	echo $((n + more))
}
number() { sed -n "s/^\([0-9,]*\) .*/\1/p;q" | tr -d ,; }

@test "HELD: watches of both kinds, as many as fdinfo has lines" {
	[ "$(told watcher inotify)" = 80002 ]
	[ "$(held watcher | number)" = $(($(told watcher inotify) + $(told watcher fanotify))) ]
	[[ $(held watcher) = *' watches of inotify and fanotify '* ]]
	# Their inodes are not free when it is gone.
	"$BUILD/memowner" "$DIR/vmcore" processes -s held_bytes > "$OUT/text"
	grep -q -E '^HELD is without 8[0-9],[0-9]{3} inodes that watches of [0-9]+\(watcher\) keep: ' "$OUT/text"
	has_no_line '^HELD is without' <("$BUILD/memowner" "$DIR/vmcore" processes)
}

@test "HELD: mounts of a namespace that one process has, as many as mountinfo has lines; what two are in is of neither" {
	[ "$(held lonely | number)" = "$(mounts lonely)" ]
	[[ $(held lonely) = *' mounts '* ]]
	[[ $(held mounter) != *mounts* ]]
	[[ $(held helper) != *mounts* ]]
}

@test "HELD: requests of io_uring in flight, and free ones that a ring keeps" {
	[ "$(held ioserver | number)" = 200000 ]
	# Not every kernel lists them in fdinfo.
	[[ $(told ioserver polls) = @(0|200000) ]]
	[ "$(held iobatch | sed -n 's/^\(.*, \)*\([0-9,]*\) requests of io_uring.*/\2/p' | tr -d ,)" -ge 1 ]
}

# The types are those of the module itself, which 5.10 has not in memory.
@test "HELD: packets of a tap device that its process does not read, as many as its queue has room for" {
	[ "$(told tapd dropped)" -gt 0 ]
	if [[ $SAMPLE = 5.10-* ]]; then
		[[ $(jq -r 'select(.record == "summary") | .warnings[]' "$OUT/processes") = *'packets of tun and tap devices may be missing'* ]]
		return
	fi
	[ "$(held tapd | number)" = "$(told tapd queue)" ]
	[[ $(held tapd) = *' packets of tun and tap devices '* ]]
}

@test "files: a deleted one that a loop device alone has, which is no process" {
	[ "$(told loop0 backing_file)" = /data/guest.img ]
	"$BUILD/memowner" "$DIR/vmcore" files -f deleted=yes -j > "$OUT/files"
	jq -s -e '[.[] | select(.record == "row" and .used_by == "/dev/loop0")] | length == 1 and
		(.[0].file | test("guest[.]img")) and .[0].bytes == 8 * 1048576' "$OUT/files"
	"$BUILD/memowner" "$DIR/vmcore" files -g process -f deleted=yes -j > "$OUT/files"
	[ "$(jq -r 'select(.record == "row" and .process == "/dev/loop0") | .bytes' "$OUT/files")" = 8388608 ]
}

@test "the summary: who has of a cache has so of the objects that caches has in use" {
	local name of n=0

	"$BUILD/memowner" "$DIR/vmcore" caches -n 0 -j > "$OUT/caches"
	while IFS=$'\t' read -r name of; do
		jq -r --arg name "$name" 'select(.record == "row" and .cache == $name) | .inuse_objects' "$OUT/caches" | grep -q -x "$of" || { echo "$name: $of"; false; }
		n=$((n + 1))
	done < <(jq -r 'select(.record == "cache" and .kept_by) | [.name, (.kept_by | capture("of (?<n>[0-9,]+) objects").n | gsub(","; ""))] | @tsv' "$OUT/summary")
	[ $n -ge 2 ]
}

@test "the summary: who has the objects of the largest caches" {
	[[ $(kept mounts) = *'mounts in the mount namespace of mounter ('*') and 1 more' ]]
	[ "$(kept mounts | number)" = "$(mounts mounter)" ]
	[[ $(kept 'requests of io_uring in flight') = '200,000 of '*' of ioserver ('*')' ]]
	[[ $(kept inodes) = '80,000 of '*' objects are inodes that watches of inotify keep, of watcher ('*')' ]]
	# A struct cgroup and a struct mem_cgroup, where both are of one cache; from 7.1 on pages go to the parent, and keep none.
	if [ "$(told jobs nr_dying_descendants)" = 0 ]; then
		[[ $SAMPLE = 7.3-* && $(kept 'removed cgroups') = '' ]]
	else
		[[ $(kept 'removed cgroups') = *' of 2,400 removed cgroups below /jobs'* ]]
		[ "$(told jobs nr_dying_descendants)" = 2400 ]
		[ "$(kept 'removed cgroups' | number)" -ge 2400 ]
	fi
	# A cache of a name that others share is asked for by the variable that the kernel has of it.
	[ "$(jq -r 'select(.record == "cache" and .kept_by == null) | .name' "$OUT/summary" | grep -c -E 'mnt_cache|io_kiocb')" = 0 ]
}

@test "signals that a process blocks: as many as SigQ has, who sent them, and whose objects they are" {
	[ "$(told deaf sigq)" -ge 40001 ]
	"$BUILD/memowner" "$DIR/vmcore" processes -n 0 -o pid,comm,queued_signals,signal_senders,signal_number,signal_blocked,user_signals -j > "$OUT/signals"
	# Of all processes of root, which the guest's are, one has them.
	[ "$(jq -s '[.[] | select(.record == "row") | .queued_signals] | add' "$OUT/signals")" = "$(told deaf sigq)" ]
	[ "$(jq -r 'select(.record == "row" and .comm == "deaf") | [.queued_signals, .signal_number, .signal_blocked, .user_signals] | @tsv' "$OUT/signals")" = "40001	37	true	$(told deaf sigq)" ]
	[ "$(jq -r 'select(.record == "row" and .comm == "deaf") | .signal_senders' "$OUT/signals")" = "2 PIDs, most by caller ($(told caller pid))" ]
	[ "$(jq -c 'select(.record == "row" and .comm == "caller") | [.queued_signals, .signal_senders, .signal_number, .signal_blocked]' "$OUT/signals")" = '[0,"",null,null]' ]
	[ "$(held deaf | number)" = 40001 ]
	[[ $(held deaf) = *"queued signals that it blocks, sent by 2 PIDs, most by caller ($(told caller pid)),"* ]]
}

# The guest reads the file, and goes on for some periods until QEMU stops it.
@test "a cgroup that its cpu.max keeps from running: as many periods as cpu.stat has" {
	local said periods throttled

	[ "$(told encode throttled_usec)" -gt 1000000 ]
	said=$(jq -r 'select(.record == "verdict") | .remark' "$OUT/summary" | grep -o 'cgroup /encode may run for 2ms of each 100ms (cpu.max), and had used that up in [0-9,]* of [0-9,]* periods')
	read -r throttled periods <<< "$(sed 's/.* up in \(.*\) of \(.*\) periods/\1 \2/; s/,//g' <<< "$said")"
	[ $((periods - $(told encode nr_periods))) -ge 0 ]
	[ $((periods - $(told encode nr_periods))) -le 100 ]
	[ $((throttled - $(told encode nr_throttled))) -ge 0 ]
	[ $((throttled - $(told encode nr_throttled))) -le $((periods - $(told encode nr_periods) + 1)) ]
}
