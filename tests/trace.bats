#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Events of a real dump, $SAMPLE, against the files of tracefs that its guest read with tracing
# off, in every mode of $MODES that crash opens it in.

load helper

setup_file() {
	export DIR=$BUILD/samples/$SAMPLE OUT=$BATS_FILE_TMPDIR
	export TRUTH=$DIR/truth
	export SAID EVENTS
	SAID=$(answers ${MODES##* })
	EVENTS=$SAID/trace.json
	# A CPU that has events: the second, where there is one.
	LAST=$(jq 'select(.record == "meta") | if .cpus > 1 then 1 else 0 end' "$EVENTS")
	export LAST
	[ -n "$LIKE" ] || ask_all
}

# Keys of -g that are columns of the list.
NAMES='pid comm cpu instance mode ip ip_symbol error_code error vma_file'

# What the tests ask, in one session.
ask_all() {
	local pid key commands=()

	if workload; then
		pid=$(of "$EVENTS" 'select(.comm == "postgres") | .pid' | head -n 1)
		echo "$pid" > "$OUT/postgres"
		commands=("faults -e -j -f pid=$pid > $OUT/pid" "faults -e -j -f comm=post* > $OUT/comm" "faults -e -j -X mode=user > $OUT/kernel"
			"faults -e -j -f instance=late -f cpu=$LAST > $OUT/late" "faults -e -j -f error_code=0x14 > $OUT/code"
			"faults -e -j -f address=400000..5fffff > $OUT/address" "faults -e -j -f ip_symbol=__put_user* > $OUT/symbol"
			"faults -e -j -f age=1s.. > $OUT/age" "faults -e -j -n 7 > $OUT/seven" "faults -e -j -r -n 7 > $OUT/newest"
			"faults -e -j -s address -n 7 > $OUT/sorted" "faults -e -j -f mark=damaged > $OUT/none"
			"faults -t timeline -j > $OUT/timeline" "faults -e -t timeline -n 3 > $OUT/timeline.txt"
			"faults -e exceptions:page_fault_kernel -j > $OUT/traced" "faults -e oom:mark_victim -j > $OUT/victim"
			"faults -e no:such > $OUT/refused" "faults -e exceptions: >> $OUT/refused" "faults -e -g pid oom:mark_victim >> $OUT/refused")
		for key in $NAMES instance,mode address VMA; do
			commands+=("faults -e -g $key -j > $OUT/by.$key")
		done
	fi
	BATS_TEST_TMPDIR=$OUT ask ${MODES##* } "extend $OBJECTS/probe.so" "memowner_probe rings > $OUT/rings" \
		"faults -e -g mode,instance -j > $OUT/by" "faults -e -g mode -f instance=late > $OUT/late.txt" \
		"faults -e -g instance -f ts_ns=1s.. > $OUT/times.txt" "faults -e -g instance -f ts_ns=1s.. -X instance=late > $OUT/own.txt" \
		"faults -e -t timeline -f instance=late -n 1 > $OUT/late.line" "${commands[@]}" > "$OUT/said"
}

ask() {	# MODE COMMAND...
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $1) -- "${@:2}"
}

of() {	# FILE FILTER: rows of a JSON output
	jq -r "select(.record == \"row\") | $2" "$1"
}

# Other tests are about the workload of most guests, not about tasks inside a page fault.
workload() {
	[ ! -e "$TRUTH/stuck" ] || return 1
	[ -z "$LIKE" ]
}

# Lines of INSTANCE BUFFER FILE, FILE of the guest being about this buffer.
told_buffers() {
	echo global main trace
	[ ! -e "$TRUTH/snapshot" ] || echo global snapshot snapshot
	[ ! -e "$TRUTH/trace_late" ] || echo late main trace_late
}

# That part of a row that a sum of rows can be held against.
buffer() {	# INSTANCE BUFFER FILTER
	jq -r --arg instance $1 --arg buffer $2 'select(.record == "buffer" and .instance == $instance and .buffer == $buffer) | '"$3" "$EVENTS"
}

@test "every event of every buffer that the guest read, line for line" {
	local instance buffer file lines=0

	while read -r instance buffer file; do
		awk -f "$TESTS/truth/trace.awk" "$TRUTH/$file" > "$OUT/told"
		jq -r --arg instance $instance --arg buffer $buffer -f "$TESTS/truth/trace.jq" "$EVENTS" > "$OUT/found"
		[ -s "$OUT/told" ]
		lines=$((lines + $(wc -l < "$OUT/told")))
		if [ -z "$LIKE" ]; then
			cmp "$OUT/told" "$OUT/found"
		else
			# Where sub-buffers are missing, no event is there that was not, and it is said.
			[ "$(sort "$OUT/found" | comm -23 - <(sort "$OUT/told"))" = '' ]
			cmp "$OUT/told" "$OUT/found" || [ "$(jq 'select(.record == "summary") | .complete' "$EVENTS")" = false ]
		fi
	done < <(told_buffers)
	[ $lines -gt 5000 ]
	# Of other dumps tests/sample.bats counts what was compared.
	[ ! -e "$TRUTH/stuck" ] || echo "# same $lines, wrong 0" >&3
}

@test "names of tasks are those that the guest read" {
	local instance buffer file

	[ -z "$LIKE" ] || return 0
	while read -r instance buffer file; do
		grep -E ': page_fault_(user|kernel): ' "$TRUTH/$file" | sed -E 's/^ *(.*)-[0-9]+ +\[.*/\1/' > "$OUT/names.told"
		of "$EVENTS" "select(.instance == \"$instance\" and .buffer == \"$buffer\") | .comm" > "$OUT/names.found"
		[ "$(wc -l < "$OUT/names.told")" = "$(wc -l < "$OUT/names.found")" ]
		# The kernel had forgotten the name of some.
		paste "$OUT/names.told" "$OUT/names.found" | awk -F '\t' '$1 != "<...>" && $1 != $2' > "$OUT/names.wrong"
		diff "$OUT/names.wrong" /dev/null
	done < <(told_buffers)
}

@test "counters of a buffer are those of the header of the guest's file" {
	local instance buffer file there written

	[ -z "$LIKE" ] || return 0
	while read -r instance buffer file; do
		read -r there written <<< "$(sed -n 's/^# entries-in-buffer\/entries-written: \([0-9]*\)\/\([0-9]*\) .*/\1 \2/p' "$TRUTH/$file")"
		[ "$(buffer $instance $buffer .records)" = "$there" ]
		[ "$(buffer $instance $buffer .expected)" = "$there" ]
		[ "$(buffer $instance $buffer '.expected + .overwritten')" = "$written" ]
		[ "$(buffer $instance $buffer '"\(.tracing) \(.enabled) \(.limits) \(.dropped) \(.consumed)"')" = 'off page_fault_user,page_fault_kernel none 0 0' ]
	done < <(told_buffers)
}

# What tracefs has in events/exceptions/page_fault_MODE/format. Guests that did not write it down have
# the text of those that did but for the number, which is that of the dump.
formats() {
	local number name

	while read -r _ number name; do
		sed -e 1d -e "s/@NUMBER@/$number/" -e "s/@MODE@/${name##*_}/" "$TESTS/truth/page_fault.format" > "$OUT/format_${name##*_}"
		if [ -e "$TRUTH/format_${name##*_}" ]; then
			diff "$TRUTH/format_${name##*_}" "$OUT/format_${name##*_}" || return 1
		fi
	done < <(grep '^event ' "$1")
}

@test "libtraceevent decodes the same sub-buffers to the same events" {
	[ -z "$LIKE" ] || return 0
	formats "$OUT/rings"
	grep '^page ' "$OUT/rings" | "$BUILD/tools/kbuffer" "$OUT/format_user" "$OUT/format_kernel" | sort > "$OUT/second"
	of "$EVENTS" '"\(.instance) \(.buffer) \(.cpu) \(.ts_ns) \(.pid) \(.mode) \(.address) \(.ip) \(.error_code)"' | sort > "$OUT/first"
	[ "$(wc -l < "$OUT/first")" -gt 5000 ]
	diff "$OUT/first" "$OUT/second"
}

@test "the instance that recorded until the panic has its newest events" {
	workload || return 0
	[ "$(jq -r 'select(.record == "buffer" and .instance == "late") | "\(.clock) \(.tracing) \(.records > 0) \(.overwritten > 0)"' "$EVENTS")" = 'local on true true' ]
	[ "$(jq -r 'select(.record == "buffer" and .instance == "late") | .records == .expected' "$EVENTS")" = true ]
	# The time only rises.
	of "$EVENTS" .ts_ns > "$OUT/stamps"
	sort -n -c "$OUT/stamps"
	[ "$(of "$EVENTS" .mark | sort -u)" = null ]
	# What died of the lack of memory faulted last.
	[ "$(of "$EVENTS" 'select(.instance == "late") | .comm' | tail -n 50 | grep -c -x hungry)" -gt 20 ]
}

@test "every mode that crash opens it in ($MODES): the same events" {
	for mode in ${MODES% *}; do
		cmp "$EVENTS" "$(answers $mode)/trace.json"
	done
}

# Where sched_clock() is not stable, an instance with the clock local has no times of the log.
TIMED='select(.instance == "global")'

@test "filters keep what they say, -X leaves it out, -n and -r count" {
	local pid

	workload || return 0
	pid=$(cat "$OUT/postgres")
	# A row is the same line, whatever else there is.
	kept() { cmp <(grep '"record":"row"' "$OUT/$1") <(awk "/\"record\":\"row\"/ && $2" "$EVENTS"); }
	kept pid "/\"pid\":$pid,/"
	kept comm '/"comm":"post/'
	kept kernel '/"mode":"kernel"/'
	kept late '/"instance":"late"/ && /"cpu":'"$LAST"',/'
	kept code '/"error_code":"0x14"/'
	kept symbol '/"ip_symbol":"__put_user/'
	for file in pid comm kernel late code address symbol age; do
		[ "$(of "$OUT/$file" .pid | wc -l)" -gt 0 ] || { echo "$file"; false; }
	done
	[ "$(of "$OUT/age" .instance | sort -u)" = global ]
	[ "$(of "$OUT/address" '.address | length' | sort -u)" = 8 ]
	grep '"record":"row"' "$EVENTS" > "$OUT/all"
	[ "$(jq -r 'select(.record == "summary") | "\(.rows_shown) \(.rows_total)"' "$OUT/seven")" = "7 $(wc -l < "$OUT/all")" ]
	cmp <(grep '"record":"row"' "$OUT/seven") <(head -n 7 "$OUT/all")
	cmp <(grep '"record":"row"' "$OUT/newest") <(tail -n 7 "$OUT/all" | tac)
	cmp <(of "$OUT/sorted" .address) <(sed 's/.*"address":"\([^"]*\)".*/\1/' "$OUT/all" | awk '{ print length($0), $0 }' | sort -s -k 1,1nr -k 2,2r | head -n 7 | cut -d " " -f 2)
	[ "$(of "$OUT/none" .pid | wc -l)" = 0 ]
	# The summary of no row that a filter keeps is no "no data".
	[ "$(jq -r 'select(.record == "summary") | .status' "$OUT/none")" = ok ]
}

@test "text has the same events, relative to the panic" {
	workload || return 0
	[ "$(grep -c -E '^ +(-[0-9]+\.[0-9]{6}|-) +[0-9]' "$SAID/trace.txt")" = "$(of "$EVENTS" .pid | wc -l)" ]
	[ "$(grep -c -E '^ +-[0-9]+\.[0-9]{6} ' "$SAID/trace.txt")" = "$(of "$EVENTS" "$TIMED | .pid" | wc -l)" ]
	[ "$(head -n 1 "$SAID/trace.txt" | xargs)" = 'TO_PANIC CPU PID COMM ADDRESS INSTRUCTION ERROR VMA' ]
	grep -q -E '^ *-[0-9.]+ +[01] +1 +init +0x7ff[0-9a-f]* .* user write, .*\[stack\]$' "$SAID/trace.txt"
}

@test "-g counts what the list has, by each key and by two" {
	local key n=0

	workload || return 0
	# What the list has in the column of each key.
	of "$EVENTS" "[.${NAMES// /, .}] | map(tostring) | @tsv" > "$OUT/columns"
	for key in $NAMES instance,mode; do
		n=$((n + 1))
		diff <(awk -F '\t' -v n=$n '{ k = n > 10 ? $4 " " $5 : $n; count[k]++ } END { for (k in count) print count[k] "\t" k }' "$OUT/columns" | sort) \
			<(of "$OUT/by.$key" "[.events, (.${key/,/ + \" \" + .} | tostring)] | @tsv" | sort) || { echo "$key"; false; }
		of "$OUT/by.$key" .events | sort -n -r -c
	done
	# Of addresses it is the page.
	[ "$(of "$OUT/by.address" '.address[-3:]' | sort -u)" = 000 ]
	[ "$(of "$OUT/by.address" .events | awk '{ n += $1 } END { print n }')" = "$(wc -l < "$OUT/columns")" ]
	[ "$(of "$OUT/by.VMA" .events | head -n 1)" -gt 0 ]
	# Threads are counted once each.
	[ "$(of "$OUT/by.mode" 'select(.mode == "user") | .threads')" = "$(awk -F '\t' '$5 == "user" { print $1 }' "$OUT/columns" | sort -u | wc -l)" ]
}

@test "times of a ranking are of one clock, and events of several instances are told" {
	[ -z "$LIKE" ] || return 0
	of "$OUT/by" '"\(.mode) \(.instance) \(.first_ts_ns) \(.last_ts_ns)"' | sort > "$OUT/by.found"
	of "$EVENTS" '"\(.mode) \(.instance) \(.ts_ns)"' |
		awk '{ key = $1 " " $2 } !(key in first) || $3 < first[key] { first[key] = $3 } $3 > last[key] { last[key] = $3 }
			END { for (key in first) print key, (key ~ /late/ ? "null null" : first[key] " " last[key]) }' | sort > "$OUT/by.told"
	diff "$OUT/by.told" "$OUT/by.found"
	[ "$(jq -r 'select(.record == "summary") | .warnings[0]' "$OUT/by")" = \
		"FIRST and LAST are of the clock global: $(of "$EVENTS" 'select(.instance == "late") | .pid' | wc -l) events of other clocks have none" ]
	[ -s "$OUT/late.txt" ]
	refute grep -q -e 'other clocks' -e 'instances recorded' "$OUT/late.txt"
	# Also where a filter left one clock alone.
	grep -q -x 'warning: FIRST and LAST are of the clock local, which is not that of the log' "$OUT/late.txt"
	grep -q -x 'warning: the timeline is of the clock local, which is not that of the log' "$OUT/late.line"
	grep -q -x 'warning: ts_ns of events of instance late is of its clock, local, which is not that of the log' "$OUT/times.txt"
	refute grep -q '^warning: ts_ns' "$OUT/own.txt"
	[ "$(tail -n 2 "$SAID/trace.txt")" = "$(printf '%s\n' 'no time to the panic for events of instance late: its clock, local, is not that of the log' \
		'2 instances recorded: what several saw is an event in each (-f instance=NAME keeps one)')" ]
}

@test "the timeline has each event in its interval" {
	workload || return 0
	# Each character from the list: none, 1, to 9, to 99, to 999, more.
	jq -r -n --slurpfile lines "$OUT/timeline" '($lines | map(select(.record == "row"))) as $rows | ($rows[0]) as $first |
		[inputs | select(.record == "row") | '"$TIMED"' | [.pid, ((.ts_ns - $first.first_ts_ns) / $first.interval_ns | floor)]] |
		group_by(.[0]) | .[] | .[0][0] as $pid | (map(.[1]) | group_by(.) | map({key: (.[0] | tostring), value: length}) | from_entries) as $n |
		"\($pid) \([range(64) | $n[tostring] // 0 | if . == 0 then " " elif . == 1 then "." elif . <= 9 then ":" elif . <= 99 then "+" elif . <= 999 then "#" else "@" end] | join(""))"' \
		"$EVENTS" | sort > "$OUT/drawn"
	of "$OUT/timeline" '"\(.pid) \(.timeline)"' | sort | diff "$OUT/drawn" -
	[ "$(grep -c . "$OUT/drawn")" -gt 5 ]
	[ "$(jq -r 'select(.record == "summary") | .warnings[]' "$OUT/timeline" | grep -c -E '^[0-9]+ events of other clocks are left out$')" = 1 ]
	grep -q -E '^a character is [0-9a-z.]+, the first begins at [0-9.]+, the panic is at [0-9.]+$' "$OUT/timeline.txt"
}

@test "any event by name: its fields are those of the page-fault list" {
	workload || return 0
	diff <(of "$EVENTS" 'select(.mode == "kernel") | "\(.ts_ns) \(.cpu) \(.pid) \(.comm) \(.error_code | ltrimstr("0x"))"') \
		<(of "$OUT/traced" '"\(.ts_ns) \(.cpu) \(.pid) \(.comm) \(.fields.error_code)"')
	[ "$(of "$OUT/traced" '.fields | keys_unsorted | join(" ")' | sort -u)" = 'address ip error_code' ]
	[ "$(of "$OUT/victim" .pid | wc -l)" = 0 ]
	[ "$(jq -r 'select(.record == "summary") | .status' "$OUT/victim")" = off_at_boot ]
	[ "$(sed -n 1p "$OUT/refused")" = 'no data: this kernel has no event no:such' ]
	[ "$(sed -n 2p "$OUT/refused")" = "faults: -e takes one event as SYSTEM:EVENT, not 'exceptions:'" ]
	[ "$(sed -n 3p "$OUT/refused")" = 'faults: -g counts page faults: no SYSTEM:EVENT with it' ]
}
