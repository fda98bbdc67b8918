#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# memowner --log: no dump, only the text of a log. What consoles of the guests say against their dumps.

load helper
bats_require_minimum_version 1.5.0

setup_file() {
	export MEMOWNER=$BUILD/memowner
}

# of_dump SAMPLE COMMAND...
of_dump() {
	local dir=$BUILD/samples/$1

	"$MEMOWNER" --vmlinux "$dir/vmlinux" "$dir/vmcore" "${@:2}"
}

# of_log FILE ARGUMENT...
of_log() {
	"$MEMOWNER" --log "$@"
}

# The verdict, the panic and the report of a summary, as far as both can know them, without time stamps.
statements() {
	jq -c 'select(.record == "verdict" or .record == "panic" or .record == "exception" or .record == "oom")
		| if .record == "verdict" then { record, name } else del(.ts_ns, .mems_allowed, .bytes) end'
}

# The rows of memowner log: a console has microseconds.
rows() {
	jq -c 'select(.record == "row") | .ts_ns = (.ts_ns / 1000 | floor)'
}

# one_line TEXT FILE: nothing but one line on standard error, status 1
one_line() {
	run --separate-stderr timeout 60 "$MEMOWNER" --log "$2"
	[ "$output" = '' ] || { echo "output: $output"; false; }
	[ "$stderr" = "memowner: $1" ] || { echo "said: $stderr"; false; }
	[ "$status" = 1 ] || { echo "status $status"; false; }
}

@test "the console of each guest: the verdict and the report of its dump" {
	local s n=0

	for s in "$BUILD"/samples/*/; do
		s=${s%/} s=${s##*/}
		of_dump "$s" memowner -j | statements > "$BATS_TEST_TMPDIR/dump"
		of_log "$BUILD/samples/$s/truth/console" memowner -j | statements > "$BATS_TEST_TMPDIR/log"
		# Without a report a log does not tell that memory was not short.
		sed -i 's/"not_short"/"unknown"/' "$BATS_TEST_TMPDIR/dump"
		diff "$BATS_TEST_TMPDIR/dump" "$BATS_TEST_TMPDIR/log" || { echo "$s"; false; }
		n=$((n + 1))
	done
	[ "$n" -ge 10 ]
}

@test "memowner log has the same rows of a console as of the dump" {
	local s

	for s in "$BUILD"/samples/*/; do
		s=${s%/} s=${s##*/}
		of_dump "$s" log -j | rows > "$BATS_TEST_TMPDIR/dump"
		of_log "$BUILD/samples/$s/truth/console" log -j | rows > "$BATS_TEST_TMPDIR/log"
		diff "$BATS_TEST_TMPDIR/dump" "$BATS_TEST_TMPDIR/log" || { echo "$s"; false; }
	done
}

@test "RAM and MemTotal are those of the dump; what a report counts is near to the classes of the dump" {
	of_dump 6.12-stock-oom memowner -j > "$BATS_TEST_TMPDIR/dump"
	of_log "$BUILD/samples/6.12-stock-oom/truth/console" memowner -j > "$BATS_TEST_TMPDIR/log"
	for f in dump log; do
		jq -c 'select(.record == "ram")' "$BATS_TEST_TMPDIR/$f" > "$BATS_TEST_TMPDIR/$f.ram"
	done
	diff "$BATS_TEST_TMPDIR/dump.ram" "$BATS_TEST_TMPDIR/log.ram"
	# Both have these; the guest went on for 78 ms.
	for class in anon shmem pgtable kstack hugetlb reserved; do
		for f in dump log; do
			jq "select(.record == \"class\" and .name == \"$class\") | .pages" \
				"$BATS_TEST_TMPDIR/$f" > "$BATS_TEST_TMPDIR/$f.pages"
		done
		paste "$BATS_TEST_TMPDIR/dump.pages" "$BATS_TEST_TMPDIR/log.pages" |
			awk '{ d = $1 - $2; exit !(NF == 2 && d * d <= $1 * $1 / 400 + 64) }' ||
			{ echo "$class: $(paste "$BATS_TEST_TMPDIR"/{dump,log}.pages)"; false; }
	done
}

# The console of a guest in the forms in which tools and loggers write it.
forms() {
	local t=$BATS_TEST_TMPDIR console=$BUILD/samples/6.12-stock-oom/truth/console

	tr -d '\r' < "$console" | grep -a '^\[ *[0-9]' > "$t/plain"
	sed 's/^/<4>/' "$t/plain" > "$t/level"
	sed 's/^/kern  :warn  : /' "$t/plain" > "$t/dmesg-x"
	sed 's/^/Nov 23 04:42:26 stock kernel: /' "$t/plain" > "$t/syslog"
	sed 's/^/2026-11-23T04:42:26.123456+01:00 stock kernel: /' "$t/plain" > "$t/rsyslog"
	sed 's/^\(\[[^]]*\]\) /\1 stock kernel: /' "$t/plain" > "$t/monotonic"
	sed 's/\(\[[^]]*\]\)/\1[  T514]/' "$t/plain" > "$t/caller"
	gzip -c "$t/plain" > "$t/plain.gz"
	cp "$console" "$t/console"
}

@test "dmesg, syslog, journalctl, a serial console, gzip: the same answer" {
	local f t=$BATS_TEST_TMPDIR

	forms
	of_log "$t/plain" memowner -j | jq -c 'select(.record != "meta" and .record != "case" and .record != "next")' > "$t/want"
	[ "$(wc -l < "$t/want")" -gt 15 ]
	for f in level dmesg-x syslog rsyslog monotonic caller plain.gz console; do
		of_log "$t/$f" memowner -j | jq -c 'select(.record != "meta" and .record != "case" and .record != "next")' > "$t/got"
		diff "$t/want" "$t/got" || { echo "$f"; false; }
	done
}

@test "without the kernel's stamps times are unknown, and figures are not" {
	local t=$BATS_TEST_TMPDIR f

	forms
	sed 's/^\[[^]]*\] /Nov 23 04:42:26 stock kernel: /' "$t/plain" > "$t/journal"
	sed 's/^\[[^]]*\] //' "$t/plain" > "$t/bare"
	sed 's/^\[[^]]*\] /[Mon Nov 23 04:42:26 2026] /' "$t/plain" > "$t/calendar"
	of_log "$t/plain" memowner -j | jq -c 'select(.record == "verdict" or .record == "class" or .record == "process")' > "$t/want"
	for f in journal bare calendar; do
		of_log "$t/$f" memowner -j > "$t/all"
		jq -c 'select(.record == "verdict" or .record == "class" or .record == "process")' "$t/all" > "$t/got"
		diff "$t/want" "$t/got" || { echo "$f"; false; }
		jq -e -s 'map(select(.record == "oom")) | length == 1 and .[0].ts_ns == null and .[0].pid == 514' "$t/all"
		jq -e -s '.[0].panic_time_ns == null' "$t/all"
	done
}

@test "what is no log: one line, status 1" {
	local t=$BATS_TEST_TMPDIR

	: > "$t/empty"
	one_line "'$t/empty': no line is one of a kernel's log" "$t/empty"
	one_line "'$MEMOWNER': no line is one of a kernel's log" "$MEMOWNER"
	one_line "cannot read the file '$t': Is a directory" "$t"
	one_line "cannot read the file '$t/none': No such file or directory" "$t/none"
	one_line "cannot read '/dev/zero': it is no regular file" /dev/zero || one_line "cannot read the file '/dev/zero': it is no regular file" /dev/zero
	forms
	head -c 1000 "$t/plain.gz" > "$t/cut.gz"
	one_line "the file '$t/cut.gz' is truncated: its gzip data end early" "$t/cut.gz"
}

@test "a file of 2 GiB: bounded memory" {
	local t=$BATS_TEST_TMPDIR

	forms
	cp "$t/plain" "$t/large"
	truncate -s 2G "$t/large"
	(ulimit -v 400000; of_log "$t/large" memowner -j) > "$t/got"
	of_log "$t/plain" memowner -j > "$t/want"
	diff <(statements < "$t/want") <(statements < "$t/got")
	rm "$t/large"
}

@test "the command line: what a log has no answer to, and what cannot be meant" {
	run --separate-stderr "$MEMOWNER" --log x zones
	[ "$status" = 2 ]
	[ "$stderr" = 'memowner: zones needs a dump: of a log there are memowner and log' ]
	run --separate-stderr "$MEMOWNER" --log x "$BUILD/samples/6.12-oom/vmcore"
	[ "$status" = 2 ]
	[[ $stderr == *'is read without a dump, and '*' is given' ]]
	run --separate-stderr "$MEMOWNER" --log x -p
	[ "$status" = 2 ]
	"$MEMOWNER" log -L "$BUILD/samples/6.12-oom/truth/console" -j > "$BATS_TEST_TMPDIR/behind"
	of_log "$BUILD/samples/6.12-oom/truth/console" log -j | diff - "$BATS_TEST_TMPDIR/behind"
}
