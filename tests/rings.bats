#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Trace buffers of synthetic kernels (tests/kernels/rings.h): each form of record, each fork of
# the structures, and lists and records that are not in order.

load helper

# events KERNEL [OPTION]: a line for each: address, CPU, time, mark.
events() {
	synthetic "$1" "faults -e -j $2" > "$BATS_TEST_TMPDIR/events"
	jq -r 'select(.record == "row") | "\(.address) \(.cpu) \(.ts_ns) \(.mark)"' "$BATS_TEST_TMPDIR/events"
}

buffer() {	# INSTANCE BUFFER KEYS: of the last events
	jq -r "select(.record == \"buffer\" and .instance == \"$1\" and .buffer == \"$2\") | [$3] | map(tostring) | join(\" \")" "$BATS_TEST_TMPDIR/events"
}

of_summary() {	# FILTER
	jq -r "select(.record == \"summary\") | $1" "$BATS_TEST_TMPDIR/events"
}

warned() {
	of_summary '.warnings[]' | grep -q -F -e "$1"
}

# In the order of time; the last is of a clock that counts no nanoseconds.
ALL='0xc000 0 1000000000 null
0x2000 0 2000000100 null
0x3000 0 3000000000 null
0x7000 1 3000000010 null
0x8000 1 3268435471 null
0xffff888000000000 1 3268435472 null
0x4000 0 4000000000 null
0x5000 0 4000000007 null
0x6000 0 5000000000 null
0x9000 1 7000000000 null
0xa000 1 7000000003 null
0xd000 1 null null'

@test "records of every form, in the order of their time, in every layout" {
	for kernel in ring_6_12 ring_5_4 ring_5_4-perf ring_7_2 ring_6_12-order; do
		diff <(echo "$ALL") <(events $kernel) || { echo "$kernel"; false; }
		[ "$(of_summary '"\(.status) \(.complete)"')" = 'ok true' ]
		[ "$(buffer global main .clock,.tracing,.enabled,.limits,.records,.expected,.overwritten,.dropped,.consumed)" = \
			'local on page_fault_user,page_fault_kernel filter 12 12 5 2 1' ]
		[ "$(buffer global snapshot .records,.expected)" = '1 1' ]
		# tracing_on is 0, and of the second event only its past is known.
		[ "$(buffer late main .clock,.tracing,.enabled,.limits,.expected)" = 'counter off page_fault_user none 1' ]
		[ "$(jq -r 'select(.record == "buffer") | .instance' "$BATS_TEST_TMPDIR/events" | xargs)" = 'global global late' ]
	done
	[ "$(buffer late main .records)" = 2 ]
}

@test "the lists of fields are in a hole: the types of the records have them, and -D says so" {
	diff <(echo "$ALL") <(events ring_6_12-fields)
	[ "$(of_summary '"\(.status) \(.complete)"')" = 'ok true' ]
	synthetic ring_6_12-fields 'faults -e -D' > "$BATS_TEST_TMPDIR/notes"
	grep -q '^decide common fields of events by struct trace_entry: their list is not in this dump$' "$BATS_TEST_TMPDIR/notes"
	grep -q '^decide fields of an event by struct trace_event_raw_x86_exceptions: their list is not in this dump$' "$BATS_TEST_TMPDIR/notes"
}

@test "-s ts_ns: times of two clocks are compared by the time to the panic, unknown last" {
	diff <(events ring_6_12-mono '-s ts_ns' | cut -d' ' -f1,3) - <<-END
	0xa000 7000000003
	0x9000 7000000000
	0x6000 5000000000
	0x5000 4000000007
	0x4000 4000000000
	0xffff888000000000 3268435472
	0x8000 3268435471
	0x7000 3000000010
	0x3000 3000000000
	0x2000 2000000100
	0xc000 1000000000
	0xd000 2500000000
	END
	warned 'the events are of more than one clock: sorted by the time to the panic, which is unknown of 1 events: they come last'
	# One clock: by its times, without a remark.
	[ "$(events ring_6_12-mono '-f instance=global -s TIME -r' | head -n 1 | cut -d' ' -f3)" = 1000000000 ]
	refute warned 'more than one clock'
	events ring_6_12-mono '-s TO_PANIC -r -o address,to_panic' > /dev/null
	[ "$(jq -r 'select(.record == "row") | .to_panic' "$BATS_TEST_TMPDIR/events" | xargs)" = \
		'-9.000000 -7.999999 -7.000000 -6.999999 -6.731564 -6.731564 -6.000000 -5.999999 -5.000000 -3.000000 -2.999999 null' ]
}

@test "-f ts_ns: of a clock that counts no nanoseconds the time is unknown" {
	[ -z "$(events ring_6_12 '-f instance=late -f ts_ns=..1h')" ]
	warned 'ts_ns is unknown of '
}

@test "pid, name and mode are of the record, the dump's own lists and the saved names" {
	events ring_6_12 > /dev/null
	[ "$(jq -r 'select(.record == "row") | "\(.pid):\(.comm):\(.mode)"' "$BATS_TEST_TMPDIR/events" | xargs)" = \
		'55:eater:user 55:eater:user 56:null:kernel 58:null:user 58:null:user 58:null:kernel 55:eater:user 0:<idle>:user 57:null:user 58:null:user 58:null:user 55:eater:user' ]
	[ "$(jq -r 'select(.record == "row") | "\(.ip) \(.error_code) \(.error)"' "$BATS_TEST_TMPDIR/events" | sort -u)" = '0x401000 0x6 user write, page not present' ]
	events ring_5_4 > /dev/null
	[ "$(jq -r 'select(.record == "row") | .comm' "$BATS_TEST_TMPDIR/events" | grep -c -x eater)" = 4 ]
}

@test "libtraceevent decodes records of every form to the same events" {
	local kernel mode

	for kernel in ring_6_12 ring_5_4 ring_7_2; do
		synthetic $kernel 'faults -e -j' "extend $BUILD/probe.so" 'memowner_probe rings' > "$BATS_TEST_TMPDIR/both"
		while read -r _ number name; do
			mode=${name##*_}
			sed -e 1d -e "s/@NUMBER@/$number/" -e "s/@MODE@/$mode/" "$TESTS/truth/page_fault.format" > "$BATS_TEST_TMPDIR/$mode"
		done < <(grep '^event ' "$BATS_TEST_TMPDIR/both")
		grep '^page ' "$BATS_TEST_TMPDIR/both" | "$BUILD/tools/kbuffer" "$BATS_TEST_TMPDIR"/{user,kernel} > "$BATS_TEST_TMPDIR/second"
		sed -n '/^{/p' "$BATS_TEST_TMPDIR/both" |
			jq -r 'select(.record == "row") | "\(.instance) \(.buffer) \(.cpu) \(.ts_ns) \(.pid) \(.mode) \(.address) \(.ip) \(.error_code)"' > "$BATS_TEST_TMPDIR/first"
		# It adds the time of a discarded record, 99, to the next one, which the kernel's own reader does
		# not (rb_update_read_stamp() of kernel/trace/ring_buffer.c). Of a clock that counts no nanoseconds we tell no time.
		sed -i -e 's/ 3268435571 58 kernel / 3268435472 58 kernel /' -e 's/^late main 1 500 /late main 1 null /' "$BATS_TEST_TMPDIR/second"
		diff <(sort "$BATS_TEST_TMPDIR/first") <(sort "$BATS_TEST_TMPDIR/second") || { echo $kernel; false; }
	done
}

@test "-a: what a reader took and what was not committed, with a mark" {
	diff <(events ring_6_12 -a) <(sed -e '/^0x2000/i 0x1000 0 2000000000 consumed' -e '/^0xa000/a 0xb000 1 7000000007 uncommitted' <<< "$ALL")
	events ring_6_12 > /dev/null
	warned 'instance global: 1 record was taken by a reader and is still there: -a shows them'
	warned 'instance global: 36 bytes were not committed: -a shows what is in them'
	warned 'instance global lost events: 5 overwritten, 2 not recorded'
}

@test "a length that cannot be spoils its own sub-buffer, whose records have a mark" {
	diff <(events ring_6_12-corrupt) <(sed -e '/^0x5000/d' -e '/^0x4000/s/null/damaged/' <<< "$ALL")
	warned 'instance global: 1 sub-buffer is damaged, its events are marked: a record has an impossible length'
	warned 'instance global: the kernel counts 12 records, 10 were found'
	[ "$(of_summary .complete)" = false ]
	diff <(events ring_6_12-beyond) <(sed -e '/^0x6000/s/null/damaged/' <<< "$ALL")
	warned 'more is committed than a sub-buffer has room for'
}

@test "the mark of lost events in a commit counter is no length" {
	diff <(echo "$ALL") <(events ring_6_12-missed)
	warned 'instance global: events were lost before 1 sub-buffer'
}

@test "lists that lead nowhere, round or past the commit page: found, marked, never twice" {
	local kernel

	# From where the list breaks off the way back leads on.
	diff <(events ring_6_12-broken) <(sed -E '/^0x(2|3|4|5|6)000 /s/null/cut/' <<< "$ALL")
	warned 'instance global: the list of sub-buffers of 1 CPU is incomplete in this dump: its events are marked'
	[ "$(of_summary .complete)" = false ]
	diff <(events ring_6_12-loop) <(sed -E '/^0x(2|3|4|5|6)000 /s/null/damaged/' <<< "$ALL")
	diff <(events ring_6_12-short) <(sed -E '/^0x(2|3|4|5|6)000 /s/null/damaged/' <<< "$ALL")
	for kernel in no_head commit; do
		diff <(events ring_6_12-$kernel) <(sed -E '/^0x(2|3|4|5|6)000 /s/null/damaged/' <<< "$ALL")
		[ "$(of_summary .complete)" = false ]
	done
}

@test "links back that differ are told, the way forth counts" {
	diff <(echo "$ALL") <(events ring_6_12-disagree)
	warned 'instance global: links of sub-buffers of 1 CPU disagree'
}

@test "while the writer moves the head, the new one counts" {
	# What it is about to overwrite is overwritten for the kernel.
	diff <(events ring_6_12-moving) <(sed -e '/^0x3000/d' <<< "$ALL")
}

@test "why there is no event: never enabled, taken by a reader, dumped into the log, turned off" {
	synthetic ring_6_12-never 'faults -e' > "$BATS_TEST_TMPDIR/never"
	grep -q '^no data: exceptions:page_fault_user was never enabled in any instance; boot option trace_event=exceptions:page_fault_user' "$BATS_TEST_TMPDIR/never"
	events ring_6_12-never
	[ "$(of_summary .status)" = off_at_boot ]
	synthetic ring_6_12-taken 'faults -e' > "$BATS_TEST_TMPDIR/taken"
	grep -q '^no data: the buffers are empty: a reader took 12 records$' "$BATS_TEST_TMPDIR/taken"
	events ring_6_12-taken
	[ "$(of_summary .status)" = not_in_dump ]
	synthetic ring_6_12-dumped 'faults -e' > "$BATS_TEST_TMPDIR/dumped"
	grep -q '^no data: the kernel wrote the trace buffers to its log and emptied them (ftrace_dump_on_oops)' "$BATS_TEST_TMPDIR/dumped"
	# What was recorded before is there.
	diff <(echo "$ALL") <(events ring_6_12-off)
	[ "$(of_summary .status)" = off_later ]
	[ "$(buffer global main .enabled)" = none ]
	synthetic v6_9 'faults -e' > "$BATS_TEST_TMPDIR/none"
	grep -q '^no data: this kernel was built without CONFIG_TRACING' "$BATS_TEST_TMPDIR/none"
}

@test "filters: text tells how many of the events they kept" {
	run synthetic ring_6_12 'faults -e -f comm=nosuch' 'faults -e -g ip -f pid=99999' 'faults -e oom:mark_victim -f comm=nosuch' 'faults -e'
	[ "$(grep -c '^filters kept 0 of [1-9][0-9]* events*$' <<< "$output")" = 3 ]
	[ "$(grep -c '^filters kept' <<< "$output")" = 3 ]
}

@test "any event by name: signed numbers, dynamic and relative texts" {
	synthetic ring_6_12 'faults -e oom:mark_victim -j' > "$BATS_TEST_TMPDIR/events"
	[ "$(jq -c 'select(.record == "row") | [.ts_ns, .cpu, .pid, .comm, .fields]' "$BATS_TEST_TMPDIR/events")" = \
		'[3000000050,0,55,"eater",{"comm":"killed","score":-5,"where":"zone"}]' ]
	synthetic ring_6_12 'faults -e oom:mark_victim' > "$BATS_TEST_TMPDIR/text"
	grep -q -x '    comm=killed score=-5 where=zone' "$BATS_TEST_TMPDIR/text"
	# A text outside of its record is unknown.
	synthetic ring_6_12-outside 'faults -e oom:mark_victim -j' > "$BATS_TEST_TMPDIR/events"
	[ "$(jq -c 'select(.record == "row") | .fields' "$BATS_TEST_TMPDIR/events")" = '{"comm":null,"score":-5,"where":"zone"}' ]
}
