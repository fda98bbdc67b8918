#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# memowner --log: no dump, only the text of a log. What consoles of the guests say against their dumps.

load helper
load log
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

# lacks TEXT FILE [ARGUMENT...]: the answer has a verdict, and not that.
lacks() {
	of_log "${@:2}" > "$BATS_TEST_TMPDIR/lacks"
	grep -q '^verdict' "$BATS_TEST_TMPDIR/lacks"
	refute grep -e "$1" "$BATS_TEST_TMPDIR/lacks"
}

# The verdict, the panic and the report of a summary, as far as both can know them, without time stamps.
statements() {
	jq -c 'select(.record == "verdict" or .record == "panic" or .record == "exception" or .record == "oom")
		| if .record == "verdict" then { record, name } else del(.ts_ns, .log_date, .mems_allowed, .bytes) end'
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
		# Without a report, or with one that sysrq-f asked for, a log does not tell whether memory was short.
		grep -a -q -E 'invoked oom-killer: .*order=[0-9]|page allocation failure' "$BUILD/samples/$s/truth/console" ||
			sed -i '/"verdict"/s/"name":"[a-z_]*"/"name":"unknown"/' "$BATS_TEST_TMPDIR/dump"
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
	of_log "$t/plain" memowner -j | jq -c 'select(.record != "meta" and .record != "case" and .record != "next") | del(.log_date)' > "$t/want"
	[ "$(wc -l < "$t/want")" -gt 15 ]
	for f in level dmesg-x syslog rsyslog monotonic caller plain.gz console; do
		of_log "$t/$f" memowner -j | jq -c 'select(.record != "meta" and .record != "case" and .record != "next") | del(.log_date)' > "$t/got"
		diff "$t/want" "$t/got" || { echo "$f"; false; }
	done
}

@test "lines that are values in quotes: a list of ansible, LAVA, CSV: the same answer" {
	local f t=$BATS_TEST_TMPDIR

	forms
	told "$t/plain" > "$t/want"
	jq -R . "$t/plain" | sed 's/^/        /; $!s/$/,/' > "$t/list"
	{ printf '{\n    "changed": true,\n    "stdout_lines": [\n'; cat "$t/list"; printf '    ]\n}\n'; } > "$t/ansible"
	{ printf 'ok: [web1] => {\n    "msg": [\n'; cat "$t/list"; printf '    ]\n}\n'; } > "$t/debug"
	jq -R -c '{ dt: "2026-11-29T09:01:55.124563", lvl: "target", msg: . }' "$t/plain" | sed 's/^/- /' > "$t/lava"
	{ echo timestamp,host,message; sed 's/"/""/g; s/.*/2026-11-29T09:01:55,web1,"&"/' "$t/plain"; } > "$t/csv"
	{ echo '"@timestamp","message","host"'; sed 's/"/""/g; s/.*/"Nov 29, 2026 @ 09:01:55.124","&","web1"/' "$t/plain"; } > "$t/csv-quoted"
	for f in ansible debug lava csv csv-quoted; do
		told "$t/$f" | diff "$t/want" - || { echo "$f"; false; }
	done
}

@test "dmesg pads the caller and puts a blank before it, with a stamp, a date, a difference or nothing" {
	local f t=$BATS_TEST_TMPDIR want

	forms
	sed 's/^\(\[[^]]*\]\) /\1 [    T514] /' "$t/plain" > "$t/stamp"
	sed 's/^/kern  :warn  : /' "$t/stamp" > "$t/names"
	sed 's/^\[[^]]*\] /[Mon Nov 23 04:42:26 2026] [    T514] /' "$t/plain" > "$t/date"
	sed 's/^\[[^]]*\] /[Mon Nov 23 04:42:26 2026][  T514] /' "$t/plain" > "$t/near"
	sed 's/^\[[^]]*\] /[  +0.000004] [    T514] /' "$t/plain" > "$t/difference"
	sed 's/^\[[^]]*\] /[    T514] /' "$t/plain" > "$t/none"
	sed 's/^\[[^]]*\] /Nov 23 04:42:26 stock kernel: [  T514] /' "$t/plain" > "$t/journal"
	want=$(of_log "$t/plain" log -j | jq -c 'select(.record == "row") | [.comm, .victim_comm, .victim_anon_bytes, .free_bytes, .constraint]')
	for f in stamp names date near difference none journal; do
		[ "$(of_log "$t/$f" log -j | jq -c 'select(.record == "row") | [.comm, .victim_comm, .victim_anon_bytes, .free_bytes, .constraint]')" = "$want" ] || { echo "$f"; false; }
	done
	# What a module has in brackets is a word of its own.
	sed 's/^\(\[[^]]*\]\) \(.* invoked oom-killer: \)/\1 [T1] \2/' "$t/plain" > "$t/module"
	[ "$(of_log "$t/module" log -j | jq -r 'select(.record == "row") | .pid')" != 1 ]
}

@test "a failure of vmalloc is that of an allocation; without its order it is unknown what was short" {
	local t=$BATS_TEST_TMPDIR nodes='nodemask=(null),cpuset=/,mems_allowed=0'

	forms
	sed "s#\\(\\[[^]]*\\] \\)\\(.*\\) invoked oom-killer: .*#\\1\\2: vmalloc error: size 8192, page order 0, failed to allocate pages, mode:0xcc0(GFP_KERNEL), $nodes#; /oom-kill:/,\$d; /Kernel panic/d" "$t/plain" > "$t/pages"
	sed 's/page order 0, failed to allocate pages/exceeds total pages/' "$t/pages" > "$t/exceeds"
	grep -q 'vmalloc error: size 8192, exceeds' "$t/exceeds"
	of_log "$t/pages" log -j | jq -e -s 'map(select(.record == "row"))[0] | .report == "allocation" and .comm == "report-builder" and .order == 0 and .gfp == "GFP_KERNEL"'
	of_log "$t/exceeds" log -j | jq -e -s 'map(select(.record == "row"))[0] | .report == "allocation" and .order == null and .free_bytes > 0'
	of_log "$t/exceeds" memowner -j | jq -e -s 'map(select(.record == "verdict"))[0].name == "unknown"'
	of_log "$t/exceeds" memowner | grep 'an allocation by vmalloc failed: 8.0K were asked for, that is more than all RAM; '
	sed 's/size 8192, exceeds total pages/size 8192, failed to allocated page array size 16/' "$t/exceeds" > "$t/array"
	of_log "$t/array" memowner | grep 'an allocation by vmalloc failed, of what is unknown: 8.0K were asked for; '
}

# Records of a summary that do not tell the file.
told() {
	of_log "$1" memowner -j | jq -c 'select(.record != "meta" and .record != "case" and .record != "next" and .record != "coverage") | del(.log_date)'
}

@test "a mail quotes a report and breaks its lines, a terminal breaks within words: the same answer" {
	local w t=$BATS_TEST_TMPDIR

	forms
	# A mail drops the blanks at which it breaks a line.
	mail() {
		fold -s -w "$1" | sed 's/ *$//; s/^/> > /'
	}
	told "$t/plain" > "$t/want"
	for w in 66 72 76; do
		mail "$w" < "$t/plain" > "$t/mail$w"
		sed 's/^> > /\&gt; \&gt;/' "$t/mail$w" > "$t/page$w"
		told "$t/mail$w" | diff "$t/want" - || { echo "mail $w"; false; }
		told "$t/page$w" | diff "$t/want" - || { echo "page $w"; false; }
	done
	for w in 80 97 104 120; do
		fold -w "$w" "$t/plain" > "$t/terminal$w"
		told "$t/terminal$w" | diff "$t/want" - || { echo "terminal $w"; false; }
	done
	# The first line of the counters broken before its last number, and within a name of the next.
	sed -E 's/( isolated_anon:)([0-9]+)$/\1\n\2/; s/^(\[[^]]*\] )? active_file:/\1 active_\nfile:/; s/ mapped:/ mapped:\n/; s/( free:[0-9])([0-9]+ free_pcp)/\1\n\2/;
		s/( Out of m)(emory: Killed)/\1\n\2/; s/ oom-kill:/ oom-kill\n:/' "$t/plain" > "$t/counters"
	[ "$(wc -l < "$t/counters")" -ge $(($(wc -l < "$t/plain") + 5)) ]
	# A record that begins with another line is a part, of which each figure stands alone.
	told "$t/counters" | jq -c 'select(.record != "missing" and .record != "summary")' > "$t/got"
	jq -c 'select(.record != "missing" and .record != "summary")' "$t/want" | diff - "$t/got"
	# Without stamps each line may be one of its own.
	sed 's/^\[[^]]*\] //' "$t/plain" > "$t/bare"
	told "$t/bare" > "$t/want"
	mail 72 < "$t/bare" > "$t/mail"
	sed 's/^/>   /' "$t/bare" > "$t/quoted"
	for f in mail quoted; do
		told "$t/$f" | diff "$t/want" - || { echo "$f without stamps"; false; }
	done
	[ "$(of_log "$t/quoted" log -j | jq -r 'select(.record == "row") | .comm')" = report-builder ]
}

@test "blanks before and behind, /dev/kmsg with its escapes, a report without stamps among lines that have them" {
	local t=$BATS_TEST_TMPDIR

	forms
	told "$t/plain" > "$t/want"
	sed 's/$/  /' "$t/plain" > "$t/behind"
	told "$t/behind" | diff "$t/want" -
	sed 's/^\[[^]]*\] //' "$t/plain" > "$t/bare"
	told "$t/bare" > "$t/want-bare"
	sed 's/^/ /' "$t/bare" > "$t/before"
	sed 's/^/\xc2\xa0 /' "$t/bare" > "$t/page"
	for f in before page; do
		told "$t/$f" | diff "$t/want-bare" - || { echo "$f"; false; }
	done
	# The lines of the counters are one record there.
	jq -R -r 'capture("^\\[ *(?<s>[0-9]+)\\.(?<us>[0-9]{6})\\] (?<m>.*)$") |
		"4,1,\(((.s | tonumber) * 1000000 + (.us | tonumber))),-;\(.m)"' "$t/plain" |
		sed -E ':a; /;active_anon:/ { N; s/\n4,1,[0-9]+,-;( [a-z_]+:[0-9])/\\x0a\1/; ta }' > "$t/kmsg"
	grep -q 'isolated_anon:[0-9]*\\x0a active_file:' "$t/kmsg"
	told "$t/kmsg" | diff "$t/want" -
	fold -s -w 72 "$t/kmsg" | sed 's/ *$//' > "$t/kmsg-mail"
	told "$t/kmsg-mail" | diff "$t/want" -
	{ cat "$t/bare"; echo 'On another machine:'; echo '[   12.000000] eth0: link up'; } > "$t/both"
	of_log "$t/both" memowner -j | jq -c 'select(.record == "verdict" or .record == "class")' > "$t/got"
	jq -c 'select(.record == "verdict" or .record == "class")' "$t/want-bare" | diff - "$t/got"
}

@test "one line without a stamp of the kernel takes no other line its time" {
	local t=$BATS_TEST_TMPDIR

	forms
	told "$t/plain" > "$t/want"
	sed 's/^/Nov 21 10:15:03 stock kernel: /; 300a Nov 21 10:15:03 stock kernel: audit: backlog' "$t/plain" > "$t/audit"
	told "$t/audit" | diff "$t/want" -
	# Of the report itself it is unknown.
	sed '/ invoked oom-killer: /s/^\[[^]]*\] //; s/^/Nov 21 10:15:03 stock kernel: /' "$t/plain" > "$t/head"
	of_log "$t/head" memowner -j | jq -e -s 'map(select(.record == "oom")) | length == 1 and .[0].ts_ns == null'
}

@test "counters of cgroup v1: with those below where the log has them, else of each one, up to 5.2" {
	local t=$BATS_TEST_TMPDIR

	limited '524288 524288' '524288 524288' '0 524288' |
		sed 's#Memory cgroup stats for /shop:.*#Memory cgroup stats for /shop: cache:80KB rss:51200KB rss_huge:0KB shmem:16KB mapped_file:0KB swap:7KB inactive_anon:0KB\n[  100.000003] Memory cgroup stats for /shop/till: cache:40KB rss:1024KB rss_huge:0KB shmem:0KB mapped_file:0KB swap:0KB#' > "$t/old"
	of_log "$t/old" memowner -j | jq -e -s 'map(select(.record == "holder"))[0] | .name == "/shop" and
		.remark == "limit of 512.0M; anon 51.0M, file 104.0K, shmem 16.0K"'
	limited '524288 524288' '524288 524288' '0 524288' |
		sed 's#Memory cgroup stats for /shop:.*#&\n[  100.000003] cache 4096\n[  100.000003] rss 8192\n[  100.000003] shmem 0\n[  100.000003] total_cache 1048576\n[  100.000003] total_rss 2097152\n[  100.000003] total_shmem 524288#' > "$t/v1"
	of_log "$t/v1" memowner -j | jq -e -s 'map(select(.record == "holder"))[0].remark == "limit of 512.0M; anon 2.0M, file 512.0K, shmem 512.0K"'
}

@test "pid 1 is not in the table of processes: where the rows have not what is anonymous, that is unknown" {
	of_log "$BUILD/samples/6.12-faults/truth/console" memowner > "$BATS_TEST_TMPDIR/init"
	grep -q '^unknown   memory of pid 1, or of rows that are lost: the table of processes leaves pid 1 out, and its 8 rows have [0-9.]*[KM] of the 92[.0-9]*M of anon$' "$BATS_TEST_TMPDIR/init"
	of_log "$BUILD/samples/6.12-stock-oom/truth/console" memowner > "$BATS_TEST_TMPDIR/text"
	refute grep 'memory of pid 1' "$BATS_TEST_TMPDIR/text"
}

@test "a log that ends in its report: rows of processes, and of whom memory ran out, are unknown" {
	local t=$BATS_TEST_TMPDIR console=$BUILD/samples/6.12-stock-oom/truth/console n

	n=$(grep -n -m 1 'invoked oom-killer' "$console" | cut -d : -f 1)
	head -n $((n + 75)) "$console" > "$t/table"
	of_log "$t/table" > "$t/text"
	grep -q -x 'unknown   more processes: the log lacks the end of their table, or records in it' "$t/text"
	grep -q '; others unknown$' "$t/text"
	refute grep 'memory of pid 1' "$t/text"
	for of in 'report-builder invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0' \
		'Killed process 5 (a) total-vm:1kB, anon-rss:1kB'; do
		echo "[  337.614278] $of" > "$t/head"
		of_log "$t/head" memowner -j | jq -e -s 'map(select(.record == "verdict"))[0] | .name == "unknown" and
			(.remark | startswith("the OOM killer ran; whether memory ran out, or a cgroup reached its limit, is in a part"))'
	done
	echo '[  337.614278] Out of memory: Killed process 5 (a) total-vm:1kB, anon-rss:1kB' > "$t/global"
	[ "$(of_log "$t/global" memowner -j | jq -r 'select(.record == "verdict") | .name')" = ran_out ]
}

@test "a file of two boots: log and story tell that they are of one" {
	local t=$BATS_TEST_TMPDIR console=$BUILD/samples/6.12-stock-oom/truth/console

	cat "$console" "$console" > "$t/two"
	[ "$(of_log "$t/two" log -j | tail -n 1 | jq -c '[.complete, .warnings]')" = '[true,["2 boots in this file: the reports are of the last that has any, else of the last that panicked; -L FILE:N is boot N of it, the others have 1 report and 1 panic"]]' ]
	of_log "$t/two" story | grep -q -x 'boots     The file has 2 boots; this is number 2\. -L FILE:N is boot N of it, the others have 1 report and 1 panic\.'
	of_log "$console" story | refute grep '^boots'
}

@test "a clock that goes back is that of another boot, whose panic is none of the report's" {
	local t=$BATS_TEST_TMPDIR

	{
		reports 0
		echo '[   50.000000] Kernel panic - not syncing: Fatal exception in interrupt'
	} > "$t/two"
	# Of the two the one that ran out of memory tells more.
	of_log "$t/two" memowner > "$t/text"
	grep -q '^OOM ' "$t/text"
	refute grep 'Fatal exception' "$t/text"
	grep -q 'part 1 of 2' "$t/text"
	of_log "$t/two" log | grep -q '^warning: 2 parts in this file, as its clock goes back: of several boots or in another order; '
	of_log "$t/two" story | grep -q '^boots     The file has 2 parts, as its clock goes back, of several boots or in another order; this is number 1\. -L FILE:N is part N of it, the others have 1 panic\.$'
	# What stands on the screen is older than the end of the file.
	grep -q '^case .*; by its log alone: part 1 of 2, the last in the file with the first or last line of a report$' "$t/text"
	# CPUs and interrupts are late by less.
	{ reports 0; echo '[   99.500000] eth0: late'; } > "$t/late"
	of_log "$t/late" | grep -q '^OOM '
}

@test "a zone that ran out names what of it is lent to CMA" {
	local t=$BATS_TEST_TMPDIR

	forms
	of_old "$t/plain" 0 | sed -E 's/(Node 1 DMA32 free:)[0-9]+kB/\160000kB/; s/(Node 0 DMA32 free:)[0-9]+kB/\130000kB/; /Node 0 DMA32 free/s/free_cma:0kB/free_cma:29000kB/
		s/gfp_mask=0x[0-9a-f]+\([A-Z_|]*\)/gfp_mask=0xcc0(GFP_KERNEL)/' > "$t/cma"
	of_log "$t/cma" > "$t/text"
	grep -q '^verdict .* free there, but 28.3M of it in CMA, which the request may not use, ' "$t/text"
	# So page cache in it, which reclaim did not have.
	sed -E '/^\[[^]]*\] Node [0-9] DMA32 free/s/ active_file:[0-9]+kB/ active_file:16384kB/' "$t/cma" > "$t/cache"
	of_log "$t/cache" > "$t/text"
	grep -q '^verdict .* may not use, beside [0-9.]*M of page cache, ' "$t/text"
	has_no_line -q 'page cache' <(of_log "$t/cma" | grep '^verdict')
}

@test "page cache that waits to be written is told where it is half of it" {
	local t=$BATS_TEST_TMPDIR

	forms
	of_log "$t/plain" > "$t/text"
	refute grep -q ' being written' "$t/text"
	sed -E 's/active_file:[0-9]+ inactive_file:[0-9]+/active_file:9000 inactive_file:3000/; s/dirty:[0-9]+ writeback:[0-9]+/dirty:6000 writeback:2000/' "$t/plain" > "$t/dirty"
	of_log "$t/dirty" > "$t/text"
	grep -q -E '^  file +46\.9M +12\.2% +23\.4M dirty, 7\.8M being written, of files or to swap$' "$t/text"
}

@test "reports of several kernels in one mail: the release is that of the newest report" {
	local t=$BATS_TEST_TMPDIR

	forms
	sed 's/^\[[^]]*\] //' "$t/plain" | grep -v '^Linux version' > "$t/bare"
	{ sed 's/6\.12\.[0-9]*[^ ]* #/5.10.1-older #/' "$t/bare"; sed 's/6\.12\.[0-9]*[^ ]* #/6.6.6-newer #/' "$t/bare"; } > "$t/two"
	of_log "$t/two" | grep -q '^case .* Linux 6.6.6-newer'
	# Words of another machine behind a log with stamps, or with dates and the name of one: nothing of that one is told of it.
	printf '%s\n' 'Kernel panic - not syncing: Fatal exception' 'CPU: 3 PID: 77 Comm: dbwriter Not tainted 5.10.0-33-amd64 #1' \
		'Hardware name: Dell Inc. PowerEdge' 'Call Trace:' ' panic+0x10/0x20' > "$t/bare"
	for f in plain syslog rsyslog; do
		sed 's/ kernel: \[[^]]*\]/ kernel:/; 400q' "$t/$f" | cat - "$t/bare" > "$t/other"
		of_log "$t/other" > "$t/text"
		grep -q '^case      host unknown, Linux 5.10.0-33-amd64; ' "$t/text"
		grep -q -x '          end at an unknown time; not tainted' "$t/text"
		grep -q -x 'panic     Fatal exception: dbwriter (77) was on CPU 3' "$t/text"
	done
}

@test "dates of other languages: dmesg -T and journalctl" {
	local t=$BATS_TEST_TMPDIR

	forms
	sed 's/^\[[^]]*\] //' "$t/plain" > "$t/bare"
	of_log "$t/bare" memowner -j | jq -c 'select(.record == "verdict" or .record == "class" or .record == "process")' > "$t/want"
	sed 's/^/[二 9月  3 05:57:48 2024] /' "$t/bare" > "$t/dmesg-zh"
	sed 's/^/[lun. nov. 23 05:57:48 2026] /' "$t/bare" > "$t/dmesg-fr"
	sed 's/^/9月 03 05:57:48 stock kernel: /' "$t/bare" > "$t/journal-zh"
	sed 's/^/janv. 23 05:57:48 stock kernel: /' "$t/bare" > "$t/journal-fr"
	sed 's/^/Feb 03 19:57:08 ** kernel: /' "$t/bare" > "$t/journal-starred"
	for f in dmesg-zh dmesg-fr journal-zh journal-fr journal-starred; do
		of_log "$t/$f" memowner -j | jq -c 'select(.record == "verdict" or .record == "class" or .record == "process")' > "$t/got"
		diff "$t/want" "$t/got" || { echo "$f"; false; }
	done
}

@test "counters of 2.6.28 to 2.6.31: anonymous memory of a report that counts no shared memory" {
	local t=$BATS_TEST_TMPDIR/old

	cat > "$t" <<- 'END'
	[  377.426677] backupd invoked oom-killer: gfp_mask=0x201da, order=0, oom_adj=0
	[  377.426686] Pid: 205, comm: backupd Not tainted 2.6.30 #11
	[  377.426742] Mem-Info:
	[  377.426766] Active_anon:290000 active_file:28 inactive_anon:97000
	[  377.426767]  inactive_file:61 unevictable:11000 dirty:0 writeback:0 unstable:0
	[  377.426768]  free:3341 slab:13000 mapped:5880 pagetables:6851 bounce:0
	[  377.426804] 151250 total pagecache pages
	[  377.426810] Free swap  = 0kB
	[  377.426811] Total swap = 979956kB
	[  377.434828] 507136 pages RAM
	[  377.434831] 23325 pages reserved
	END
	of_log "$t" > "$t.text"
	grep -q '^holder    anonymous and shared memory whose processes are not known: 387000 pages, 76.3% of RAM$' "$t.text"
}

@test "the victim of RHEL 7: the user behind its name" {
	local t=$BATS_TEST_TMPDIR/rhel7

	cat > "$t" <<- 'END'
	[  100.000001] tail invoked oom-killer: gfp_mask=0x280da, order=0, oom_score_adj=0
	[  100.000002] CPU: 0 PID: 45 Comm: tail Not tainted 3.10.0-1160.el7.x86_64 #1
	[  100.000003] Out of memory: Kill process 46 (tail) score 900 or sacrifice child
	[  100.000004] Killed process 46 (tail), UID 48, total-vm:58412kB, anon-rss:5000kB, file-rss:8kB, shmem-rss:0kB
	END
	of_log "$t" log -j | jq -e -s 'map(select(.record == "row"))[0] | .victim_pid == 46 and .victim_comm == "tail" and .victim_anon_bytes == 5120000'
}

@test "a part that is older than the first line is of another report" {
	local t=$BATS_TEST_TMPDIR

	{
		echo '[  204.000000] dd invoked oom-killer: gfp_mask=0x100cc0(GFP_USER), order=0, oom_score_adj=0'
		reports 0 | grep -v 'invoked oom-killer\|Linux version'
	} > "$t/older"
	of_log "$t/older" log -j | jq -e -s 'map(select(.record == "row" and .comm == "dd")) | length == 1 and .[0].free_bytes == null and .[0].victim_pid == null'
}

@test "a victim's name of the line before stays where its own line is cut" {
	local t=$BATS_TEST_TMPDIR

	limited '524288 524288' '524288 524288' '0 524288' |
		sed 's/) total-vm.*/)/; /Killed process/i [  100.000007] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/shop,task_memcg=/shop,task=a,pid=5,uid=7' > "$t/cut"
	of_log "$t/cut" log -j | jq -e -s 'map(select(.record == "row"))[0] | .victim_pid == 5 and .victim_comm == "a" and .outcome == "killed"'
}

@test "a cpuset of nodes that have no zone for the request: that, and not that all memory ran out" {
	local t=$BATS_TEST_TMPDIR

	cat > "$t/movable" <<-END
		[  100.000000] runner invoked oom-killer: gfp_mask=0x500cc2(GFP_HIGHUSER|__GFP_ACCOUNT), order=0, oom_score_adj=0
		[  100.000001] Mem-Info:
		[  100.000002] active_anon:3000 inactive_anon:400 isolated_anon:0
		[  100.000002]  active_file:500 inactive_file:600 isolated_file:0
		[  100.000002]  unevictable:0 dirty:0 writeback:0
		[  100.000002]  slab_reclaimable:70 slab_unreclaimable:80
		[  100.000002]  mapped:9 shmem:10 pagetables:11 bounce:0
		[  100.000002]  free:250000 free_pcp:5 free_cma:0
		[  100.000003] Node 2 Movable free:81920kB min:400kB low:500kB high:600kB reserved_highatomic:0KB active_anon:0kB inactive_anon:0kB active_file:0kB inactive_file:0kB unevictable:0kB writepending:0kB present:102400kB managed:102400kB mlocked:0kB bounce:0kB free_pcp:0kB local_pcp:0kB free_cma:0kB
		[  100.000004] lowmem_reserve[]: 0 0 0 0 0
		[  100.000005] Node 2 Movable: 0*4kB 0*8kB 0*16kB 0*32kB 0*64kB 0*128kB 0*256kB 0*512kB 0*1024kB 0*2048kB 20*4096kB (M) = 81920kB
		[  100.000006] oom-kill:constraint=CONSTRAINT_CPUSET,nodemask=(null),cpuset=far,mems_allowed=2,global_oom,task_memcg=/far,task=b,pid=7,uid=0
		[  100.000007] Out of memory: Killed process 7 (b) total-vm:84000kB, anon-rss:40000kB, file-rss:8000kB, shmem-rss:0kB, UID:0 pgtables:176kB oom_score_adj:0
	END
	of_log "$t/movable" > "$t/text"
	grep -q -x 'verdict   no zone of the nodes that the request may use serves it, by mems_allowed 2: 80.0M was free in zones that it may not use; the log has no panic' "$t/text"
	sed 's/GFP_HIGHUSER/GFP_HIGHUSER_MOVABLE/' "$t/movable" > "$t/served"
	of_log "$t/served" | grep -q '^verdict   unknown whether the nodes ran out that the request may use, by mems_allowed 2: '
}

# The console's own times, 1795409880 s later, are the truth.
@test "dates alone: how long before its end a report is, in seconds that differ; of one second nothing" {
	local t=$BATS_TEST_TMPDIR

	dated() {	# TIME TEXT...
		printf "Nov 23 $1 h kernel: %s\n" "${@:2}"
	}
	report() {	# TIME
		dated "$1" 'a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0' 'memory: usage 98304kB, limit 98304kB, failcnt 9' \
			'oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/a.slice,task_memcg=/a.slice,task=a,pid=5,uid=0' \
			'Memory cgroup out of memory: Killed process 5 (a) total-vm:8kB, anon-rss:4kB, file-rss:0kB, shmem-rss:0kB'
	}
	{ report 10:00:00; report 10:00:04; dated 10:00:23 'Kernel panic - not syncing: sysrq triggered crash'; } > "$t/later"
	of_log "$t/later" > "$t/text"
	grep -q '^verdict   cgroup /a.slice reached its limit: 96.0M of 96.0M at the report, about 19.0s before the panic; ' "$t/text"
	grep -q '^trigger .*; before it, a (5) of 4.0K was killed$' "$t/text"
	of_log "$t/later" memowner -j | jq -e -s '.[0].panic_time_ns == null'
	{ report 10:00:04; dated 10:00:04 'Kernel panic - not syncing: sysrq triggered crash'; } > "$t/same"
	of_log "$t/same" > "$t/text"
	grep -q '^verdict   cgroup /a.slice reached its limit: 96.0M of 96.0M at the report; ' "$t/text"
}

@test "times of day: dmesg -T, syslog, journalctl, RFC 5424, and both clocks" {
	local t=$BATS_TEST_TMPDIR f form want

	forms
	dated() {	# FORMAT
		jq -R -r --arg form "$1" 'capture("^\\[ *(?<s>[0-9]+)\\.[0-9]+\\] (?<rest>.*)$") | (.s | tonumber + 1795409880 | strftime($form)) + .rest' "$t/plain"
	}
	of_log "$t/plain" log -j | jq -c 'select(.record == "row" or .record == "line") | .ts_ns / 1000000000 | floor + 1795409880 | strftime("%Y-%m-%d %H:%M:%S")' > "$t/want"
	[ "$(wc -l < "$t/want")" -gt 50 ]
	while IFS=: read -r f form; do
		dated "$form" > "$t/$f"
		want=$t/want
		sed 's/2026-//' "$t/want" > "$t/yearless"
		[ "$f" != syslog ] || want=$t/yearless
		diff <(of_log "$t/$f" log -j | jq -c 'select(.record == "row" or .record == "line") | .log_date') "$want"
		of_log "$t/$f" | grep -q -E '^ +panic, (2026-)?11-23 05:03:37; not tainted$'
		of_log "$t/$f" story > "$t/story"
		grep -q '^ *05:03:37  only report of the log on memory: report-builder' "$t/story"
		refute grep -q 'The log has no times' "$t/story"
	done <<-'END'
		calendar:[%a %b %e %H:%M:%S %Y] 
		syslog:%b %e %H:%M:%S stock kernel: 
		iso:%Y-%m-%dT%H:%M:%S+0100 stock kernel: 
		precise:%Y-%m-%dT%H:%M:%S.123456+01:00 stock kernel: 
		rfc5424:<4>1 %Y-%m-%dT%H:%M:%S.123456+01:00 stock kernel - - - 
	END
	# With counts of bytes (RFC 6587), with newlines and without, and a last frame that is cut.
	LC_ALL=C awk '{ print length($0) " " $0 }' "$t/rfc5424" > "$t/octets"
	LC_ALL=C awk '{ printf "%d %s", length($0), $0 }' "$t/rfc5424" > "$t/frames"
	for f in octets frames; do
		of_log "$t/$f" | grep -v ' -L ' | diff <(of_log "$t/rfc5424" | grep -v ' -L ') -
		diff <(of_log "$t/$f" log -j | jq -c 'select(.record == "row" or .record == "line") | .log_date') "$t/want"
	done
	head -c "$(($(grep -b -o 'Kernel panic' "$t/frames" | head -1 | cut -d: -f1) + 34))" "$t/frames" > "$t/cut"
	of_log "$t/cut" | grep -q -x ' *panic, 2026-11-23 05:03:37; not tainted'
	paste -d '' <(dated '%b %e %H:%M:%S stock kernel: ' | sed 's/kernel: .*/kernel: /') "$t/plain" > "$t/both"
	of_log "$t/both" | grep -q '^OOM       337\.614278 s, 11-23 05:03:37, 78ms before the panic: '
	of_log "$t/both" story | grep -q '^ *337\.614278  05:03:37  only report '
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

# reports ORDER...: a log with a report of each order, 100 s apart
reports() {
	local order at=100

	echo '[    0.000000] Linux version 6.12.107 (root@kernel) #1 SMP'
	for order; do
		sed "s/^/[  $((at += 100)).000000] /" <<-END
			sh invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=$order, oom_score_adj=0
			Mem-Info:
			active_anon:13976 inactive_anon:0 isolated_anon:0
			 free:1495 free_pcp:930 free_cma:0
			65406 pages RAM
			oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/,task=victim,pid=155,uid=0
			Out of memory: Killed process 155 (victim) total-vm:58412kB, anon-rss:49152kB, file-rss:0kB, shmem-rss:568kB, UID:0 pgtables:136kB oom_score_adj:0
		END
	done
}

@test "a report that sysrq-f asked for does not say that memory ran out" {
	local t=$BATS_TEST_TMPDIR

	reports -1 > "$t/asked"
	of_log "$t/asked" memowner > "$t/text"
	grep -q -x 'verdict   unknown whether memory was short: the log has no report that memory ran out, but one that sysrq-f asked for, at which 1495 of 65406 pages were free, 2.3%; the log has no panic' "$t/text"
	grep -q '^OOM .*: sh invoked the OOM killer by sysrq-f, GFP_KERNEL; CONSTRAINT_NONE; killed victim (155)\(;.*\)*$' "$t/text"
	# A share, and no size without the size of a page.
	grep -q -x '  buddy          -   2.3%  free' "$t/text"
	reports 0 -1 > "$t/both"
	of_log "$t/both" memowner > "$t/text"
	grep -q '^verdict   unknown whether memory was short: it had run out 1.7min before; the log has no panic$' "$t/text"
	reports -1 0 > "$t/newest"
	[ "$(of_log "$t/newest" memowner -j | jq -r 'select(.record == "verdict") | .name')" = ran_out ]
	# Without times.
	sed 's/^\[[^]]*\] //' "$t/both" > "$t/bare"
	of_log "$t/bare" memowner > "$t/text"
	grep -q '^verdict   unknown whether memory was short: it had run out some time before; ' "$t/text"
}

@test "without blocks of free pages the counters of nodes tell the size of a page, and functions of x86 and zones do" {
	local t=$BATS_TEST_TMPDIR way

	forms
	of_log "$t/plain" memowner -j | jq -c 'select(.record == "class" or .record == "ram" or .record == "process") | del(.remark)' > "$t/want"
	# What else tells it is taken out: one is left.
	grep -v -E 'BIOS-e820|RIP: 00|[0-9]\*[0-9]+kB|Memory: ' "$t/plain" | sed 's/-amd64//g' > "$t/less"
	grep -v -E '(do_syscall_64|asm_exc_page_fault|entry_SYSCALL_64_after_hwframe)\+' "$t/less" > "$t/nodes"
	grep -v -E 'Node [0-9] active_anon' "$t/less" > "$t/functions"
	grep -v -E 'Node [0-9] active_anon' "$t/nodes" > "$t/zones"
	grep -v -E 'Node [0-9] [A-Za-z0-9]+ free:' "$t/zones" > "$t/neither"
	for way in nodes functions zones; do
		of_log "$t/$way" memowner -j | jq -c 'select(.record == "class" or .record == "ram" or .record == "process") | del(.remark)' > "$t/got"
		diff <(grep '"ram"\|"anon"\|"slab"\|"process"' "$t/want") <(grep '"ram"\|"anon"\|"slab"\|"process"' "$t/got") || { echo "$way"; false; }
	done
	of_log "$t/neither" > "$t/text"
	grep -q -E '^verdict   memory ran out: [0-9]+ of [0-9]+ pages were free, ' "$t/text"
	grep -q -E '^  anon +- +6[0-9]\.[0-9]% ' "$t/text"
	refute grep -E ' 0\.0% ' "$t/text"
}

@test "reserved memory of a log is not called high: it has what every machine has, as the kernel image" {
	local t=$BATS_TEST_TMPDIR ram

	forms
	ram=$(sed -n 's/.* \([0-9]*\) pages RAM$/\1/p' "$t/plain")
	sed -E "s/[0-9]+ pages reserved$/$((ram / 4)) pages reserved/" "$t/plain" > "$t/reserved"
	of_log "$t/reserved" | grep -q -E '^  reserved +[0-9.]+M  25\.0%  never given to the page allocator$'
}

# The report as up to 4.20, with the nodes of the task.
of_old() {	# FILE NODES
	sed -E '/invoked oom-killer/s/^(\[[^]]*\] )(.*), order=/\1\2, nodemask=(null), order=/' "$1" |
		sed -E "/invoked oom-killer/s/^(\[[^]]*\] )(.*)$/\1\2\n\1report-builder cpuset=a b mems_allowed=$2/"
}

@test "the OOM killer ran where memory was free: not that it ran out, and why is unknown" {
	local t=$BATS_TEST_TMPDIR ram

	forms
	ram=$(sed -n 's/.* \([0-9]*\) pages RAM$/\1/p' "$t/plain")
	# Without the blocks of zones, which say otherwise.
	sed "s/ free:[0-9]* free_pcp/ free:$((ram * 8 / 10)) free_pcp/; /kB = [0-9]*kB$/d" "$t/plain" > "$t/plenty"
	of_log "$t/plenty" memowner -j > "$t/got"
	jq -e -s 'map(select(.record == "verdict")) | length == 1 and .[0].name == "unknown" and (.[0].remark | test("reason that is unknown.*80.0%"))' "$t/got"
}

@test "a cpuset and a policy of memory: the nodes of others, which the report leaves out, have what is free" {
	local t=$BATS_TEST_TMPDIR ram

	forms
	ram=$(sed -n 's/.* \([0-9]*\) pages RAM$/\1/p' "$t/plain")
	grep -v -E 'Node 1 ' "$t/plain" |
		sed -E "s/ free:[0-9]* free_pcp/ free:$((ram * 8 / 10)) free_pcp/; s/CONSTRAINT_NONE/CONSTRAINT_CPUSET/" |
		sed -E 's/mems_allowed=[0-9,-]+/mems_allowed=0/' > "$t/cpuset"
	# The panic stands where the line with the constraint would.
	sed -E '/---/d; s/^(\[[^]]*\] )Kernel panic - .*$/\1oom-kill:constraint=CONSTRAINT_CPUSET,nodemask=(null),cpuset=batch,mems_allowed=0,global_oom,task_memcg=\/,task=a,pid=5,uid=0/' -i "$t/cpuset"
	of_log "$t/cpuset" > "$t/text"
	grep -q -E '^verdict   (zone DMA32 of node 0|the zones of this request) ran out: [0-9.]+M of [0-9.]+M free there, [0-9.]+M in zones that the request may not use' "$t/text"
	grep -q -E '^OOM .* CONSTRAINT_CPUSET, mems_allowed 0;' "$t/text"
	# A zone that is missing may be one of its own.
	sed '/total pagecache pages/d' "$t/cpuset" > "$t/cut"
	of_log "$t/cut" | grep -q '^verdict   unknown whether the nodes ran out that the request may use, by mems_allowed 0: '
	sed 's/CONSTRAINT_CPUSET,nodemask=(null)/CONSTRAINT_MEMORY_POLICY,nodemask=0/' "$t/cpuset" > "$t/policy"
	of_log "$t/policy" > "$t/text"
	grep -q '^OOM .* CONSTRAINT_MEMORY_POLICY, nodemask of node 0;' "$t/text"
	of_log "$t/policy" memowner -j | jq -e -s 'map(select(.record == "oom"))[0].nodemask == "0"'
	# With panic_on_oom=2 the kernel panics before it prints the constraint.
	grep -v -E 'Node 1 ' "$t/plain" |
		sed -E "s/ free:[0-9]* free_pcp/ free:$((ram * 8 / 10)) free_pcp/; s/system-wide panic_on_oom/compulsory panic_on_oom/" > "$t/compulsory"
	of_log "$t/compulsory" | grep -q -E '^verdict   (zone DMA32 of node 0|the zones of this request) ran out: .* in zones that the request may not use'
}

@test "watermarks that are set too high keep what is free: no reason that is unknown" {
	local t=$BATS_TEST_TMPDIR ram

	forms
	ram=$(sed -n 's/.* \([0-9]*\) pages RAM$/\1/p' "$t/plain")
	sed -E "s/ free:[0-9]* free_pcp/ free:$((ram * 4 / 10)) free_pcp/; s/(Node [01] DMA[0-9]* free):[0-9]+kB( .*)? min:[0-9]+kB/\1:70000kB\2 min:80000kB/" "$t/plain" > "$t/high"
	of_log "$t/high" > "$t/text"
	grep -q -E '^verdict   no zone is above its min watermark and reserve: .* free, (39|40)\.[0-9]%; watermarks and reserves keep [0-9.]+M; ' "$t/text"
	of_log "$t/high" memowner -j | jq -e -s 'map(select(.record == "verdict"))[0].name == "watermarks"'
	# One that is not below has what was asked for.
	sed '0,/min:80000kB/s//min:60kB/' "$t/high" > "$t/one"
	of_log "$t/one" | grep -q '^verdict   the OOM killer ran, for a reason that is unknown: '
}

@test "a panic since no process could be killed says so" {
	local t=$BATS_TEST_TMPDIR

	forms
	sed -E 's/^(\[[^]]*\] )Kernel panic - .*$/\1Out of memory and no killable processes...\n\1Kernel panic - not syncing: System is deadlocked on memory/' "$t/plain" > "$t/deadlocked"
	of_log "$t/deadlocked" | grep -q '^verdict   memory ran out: .*; no process could be killed, so the kernel panicked$'
	# As an older kernel has it.
	sed -E 's/^(\[[^]]*\] )Kernel panic - .*$/\1Kernel panic - not syncing: Out of memory and no killable processes.../' "$t/plain" > "$t/older"
	of_log "$t/older" | grep -q '^verdict   memory ran out: .*; no process could be killed, so the kernel panicked$'
}

@test "a request of the kernel that may not use zone Movable, which has what is free: the zone is named" {
	local t=$BATS_TEST_TMPDIR

	forms
	sed -E 's/Node 1 DMA32/Node 1 Movable/; s/(Node 1 Movable free):[0-9]+kB/\1:300000kB/; s/gfp_mask=0x[0-9a-f]+\([^)]*\)/gfp_mask=0xcc0(GFP_KERNEL)/' \
		"$t/plain" > "$t/kernel"
	of_log "$t/kernel" > "$t/text"
	grep -q -E '^verdict   .* ran out: [0-9.]+M of [0-9.]+M free there, [0-9.]+M in zone Movable, which the request may not use' "$t/text"
}

# block ORDER GFP [FAILED]: a report of a machine whose only large blocks are in zone DMA
fragmented() {
	sed 's/^/[  100.000000] /' <<-END
		a invoked oom-killer: gfp_mask=0x40cc0($2), order=$1, oom_score_adj=0
		Mem-Info:
		active_anon:1021 inactive_anon:1588468 isolated_anon:0
		 free:303584 free_pcp:0 free_cma:${3:-0}
		Node 0 DMA free:14336kB min:128kB low:160kB high:192kB reserved_highatomic:0KB active_anon:0kB present:15992kB managed:15360kB free_cma:0kB
		lowmem_reserve[]: 0 2957 7805 7805 7805
		Node 0 Normal free:1200000kB min:41884kB low:52352kB high:62820kB reserved_highatomic:0KB active_anon:0kB present:5242880kB managed:4964088kB free_cma:$((${3:-0} * 4))kB
		lowmem_reserve[]: 0 0 0 0 0
		Node 0 DMA: 0*4kB 0*8kB 0*16kB 0*32kB 0*64kB 0*128kB 0*256kB 0*512kB 0*1024kB 1*2048kB (M) 3*4096kB (M) = 14336kB
		Node 0 Normal: 220000*4kB (UME) 40000*8kB (UME) 0*16kB 0*32kB 0*64kB 0*128kB 0*256kB 0*512kB 0*1024kB ${4:-0}*2048kB${4:+ ($5)} 0*4096kB = $((1200000 + ${4:-0} * 2048))kB
		3925 total pagecache pages
		2097018 pages RAM
		oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/,task=a,pid=5,uid=0
		Out of memory: Killed process 5 (a) total-vm:120000kB, anon-rss:49152kB, file-rss:0kB, shmem-rss:568kB, UID:0 pgtables:136kB oom_score_adj:0
	END
}

@test "blocks that the reserve of a zone or their migrate type keeps are none of a request" {
	local t=$BATS_TEST_TMPDIR

	fragmented 3 GFP_KERNEL > "$t/reserved"
	of_log "$t/reserved" > "$t/text"
	grep -q -x 'verdict   no free block of order 3 or above in a zone that is above its watermark: 1.158G was free, the largest block there is of order 1; the log has no panic' "$t/text"
	fragmented 3 GFP_KERNEL 1000 1 C > "$t/cma"
	of_log "$t/cma" | grep -q '^verdict   no free block of order 3 or above in a zone .* the largest block there is of order 1;'
	fragmented 3 GFP_HIGHUSER_MOVABLE 1000 1 C > "$t/movable"
	[ "$(of_log "$t/movable" memowner -j | jq -r 'select(.record == "verdict") | .name')" != no_block ]
}

@test "memory of CMA is none of a request that is not movable" {
	local t=$BATS_TEST_TMPDIR

	fragmented 0 GFP_KERNEL 296000 | sed 's/ free:303584 / free:304000 /; s/ pages RAM/&/' > "$t/kernel"
	of_log "$t/kernel" | grep -q '^verdict .* was free, [0-9.]*%, 1.129G of it in CMA, which the request may not use; the log has no panic$'
	fragmented 0 GFP_HIGHUSER_MOVABLE 296000 > "$t/movable"
	of_log "$t/movable" > "$t/text"
	refute grep -q CMA "$t/text"
}

# limited MEMORY MEMSW KMEM, each "USAGE LIMIT" in KiB: a report of a cgroup
limited() {
	sed 's/^/[  100.000000] /' <<-END
		a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
		memory: usage ${1% *}kB, limit ${1#* }kB, failcnt 9
		memory+swap: usage ${2% *}kB, limit ${2#* }kB, failcnt 9
		kmem: usage ${3% *}kB, limit ${3#* }kB, failcnt 0
		Memory cgroup stats for /shop:
		oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/shop,task_memcg=/shop,task=a,pid=5,uid=0
		Memory cgroup out of memory: Killed process 5 (a) total-vm:120000kB, anon-rss:49152kB, file-rss:0kB, shmem-rss:568kB, UID:0 pgtables:136kB oom_score_adj:0
	END
}

@test "the limit that a cgroup reached is the one with least room, and no limit is none" {
	local t=$BATS_TEST_TMPDIR none=9007199254740988

	limited '400000 524288' '524288 524288' "5212 $none" > "$t/memsw"
	of_log "$t/memsw" | grep -q -x 'verdict   cgroup /shop reached its limit of memory+swap: 512.0M of 512.0M at the report; the log has no panic'
	limited '524288 524288' '524288 524288' "5212 $none" > "$t/both"
	of_log "$t/both" | grep -q -x 'verdict   cgroup /shop reached its limit: 512.0M of 512.0M at the report; the log has no panic'
	# Which of them is not known where a line is lost.
	sed '/ memory: usage/d' "$t/both" > "$t/lost"
	of_log "$t/lost" | grep -q -x 'verdict   cgroup /shop reached a limit: of memory, whose line this log does not have, or of memory+swap, 512.0M of 512.0M at the report; the log has no panic'
	limited '112640 112640' '163744 163840' "5212 $none" > "$t/swap"
	of_log "$t/swap" | grep -q -x 'verdict   cgroup /shop reached its limit: 110.0M of 110.0M at the report, and of memory+swap 159.9M of 160.0M; the log has no panic'
	limited "400000 $none" "400000 $none" '65536 65536' > "$t/kmem"
	of_log "$t/kmem" > "$t/text"
	grep -q '^verdict   cgroup /shop reached its limit of kmem: 64.0M of 64.0M at the report; ' "$t/text"
	refute grep 'limit of 8' "$t/text"
	limited "400000 $none" "400000 9007199254740928" "5212 $none" > "$t/none"
	of_log "$t/none" | grep -q '^verdict   cgroup /shop had 390.6M charged and no limit set at the report; why '
	# Whose line is lost may have one.
	sed '/ kmem: usage/d' "$t/none" > "$t/less"
	of_log "$t/less" > "$t/text"
	grep -q '^verdict   cgroup /shop reached its limit' "$t/text"
	refute grep 'no limit set' "$t/text"
}

@test "an exception: a jump to where no code is and what was unloaded last, an interrupt by its handler" {
	local t=$BATS_TEST_TMPDIR

	cat > "$t/jump" <<- 'END'
	[    0.000000] Linux version 5.10.0-32-amd64 (a@b) #1 SMP
	[   40.934629] BUG: unable to handle page fault for address: ffffffffc017c012
	[   40.934951] #PF: error_code(0x0010) - not-present page
	[   40.935489] Oops: 0010 [#1] SMP NOPTI
	[   40.935686] CPU: 1 PID: 33 Comm: kworker/1:1 Tainted: G           OE     5.10.0-32-amd64 #1
	[   40.936235] RIP: 0010:0xffffffffc017c012
	[   40.937360] Call Trace:
	[   40.937360]  ? process_one_work+0x1b6/0x350
	[   40.937360] Modules linked in: fuse configfs virtio [last unloaded: fanmon(OE)]
	[   40.937360] CR2: ffffffffc017c012
	[   40.937360] ---[ end trace 9c422e38a50d75cf ]---
	[   40.937360] Kernel panic - not syncing: Fatal exception
	END
	of_log "$t/jump" | grep -q '^verdict   the kernel died of page fault, address 0xffffffffc017c012, task kworker/1:1 (33), which jumped there, where no code is; the module that was unloaded last is fanmon; '
	sed 's/ \[last unloaded: .*\]//' "$t/jump" > "$t/none"
	of_log "$t/none" | grep -q ', which jumped there, where no code is; unknown whether '
	sed 's/?.process_one_work/process_one_work/' "$t/jump" > "$t/work"
	of_log "$t/work" | grep -q '; the module that was unloaded last is fanmon, which likely left a work behind; '
	# Elsewhere what was unloaded last says nothing.
	sed 's/RIP: 0010:.*/RIP: 0010:fuse_get+0x12\/0x40 [fuse]/' "$t/jump" > "$t/symbol"
	of_log "$t/symbol" > "$t/text"
	grep -q ', in fuse_get+0x12/0x40 \[fuse\], task kworker/1:1 (33); ' "$t/text"
	refute grep fanmon "$t/text"

	cat > "$t/irq" <<- 'END'
	[    0.000000] Linux version 6.12.117 (a@b) #1 SMP
	[  115.579873] kernel BUG at drivers/daqcard.c:32!
	[  115.582224] Oops: invalid opcode: 0000 [#1] PREEMPT SMP NOPTI
	[  115.582224] CPU: 0 UID: 0 PID: 162 Comm: shotctl Tainted: G           OE      6.12.117 #1
	[  115.582224] RIP: 0010:daq_push+0x54/0x60 [daqcard]
	[  115.582224] Call Trace:
	[  115.582224]  <IRQ>
	[  115.582224]  daq_interrupt+0x4a/0x80 [daqcard]
	[  115.582224]  __handle_irq_event_percpu+0x4a/0x190
	[  115.582224]  common_interrupt+0x80/0xa0
	[  115.582224]  </IRQ>
	[  115.582224]  <TASK>
	[  115.582224]  asm_common_interrupt+0x26/0x40
	[  115.582224] RIP: 0010:daq_write+0x22/0x30 [daqcard]
	[  115.582224]  vfs_write+0xf8/0x450
	[  115.582224]  </TASK>
	[  115.582224] Modules linked in: daqcard(OE)
	[  115.582224] ---[ end trace 0000000000000000 ]---
	[  115.582224] Kernel panic - not syncing: Fatal exception in interrupt
	END
	of_log "$t/irq" | grep -q '^verdict   the kernel died of BUG at drivers/daqcard.c:32, in daq_push+0x54/0x60 \[daqcard\], in the interrupt handler daq_interrupt \[daqcard\]; it interrupted shotctl (162); '
	# Without the kernel's function that calls those of drivers, an interrupt; its own handler; a timer, of the idle task.
	sed 's/__handle_irq_event_percpu/handle_irq_event/' "$t/irq" > "$t/plain"
	of_log "$t/plain" | grep -q ', in daq_push+0x54/0x60 \[daqcard\], in an interrupt; it interrupted shotctl (162); '
	sed '/daq_interrupt/d' "$t/irq" > "$t/own"
	of_log "$t/own" | grep -q ', in daq_push+0x54/0x60 \[daqcard\], an interrupt handler; it interrupted shotctl (162); '
	sed 's/__handle_irq_event_percpu/call_timer_fn/; s/ common_interrupt/ irq_exit_rcu/; s/PID: 162 Comm: shotctl/PID: 0 Comm: swapper\/0/; /^\[[^]]*\]  <TASK>/,/<.TASK>/d' "$t/irq" > "$t/timer"
	of_log "$t/timer" | grep -q ', in daq_push+0x54/0x60 \[daqcard\], in the timer daq_interrupt \[daqcard\]; it interrupted the idle task; '
	sed '/daq_interrupt/d; s/__handle_irq_event_percpu/__hrtimer_run_queues/; s/ common_interrupt/ hrtimer_interrupt/' "$t/irq" > "$t/hrtimer"
	of_log "$t/hrtimer" | grep -q ', in daq_push+0x54/0x60 \[daqcard\], a high-resolution timer; it interrupted shotctl (162); '
}

@test "what ended the kernel: of a worker the driver whose work it ran, of a pointer what it was, of RCU where the CPU was" {
	local t=$BATS_TEST_TMPDIR

	# The work ended by a jump into the function that died: no frame is of the driver.
	cat > "$t/free" <<- 'END'
	[    0.000000] Linux version 6.1.0-50 (a@b) #1 SMP
	[    9.388904] kernel BUG at mm/slub.c:419!
	[    9.388904] invalid opcode: 0000 [#1] PREEMPT SMP NOPTI
	[    9.388904] CPU: 1 PID: 56 Comm: kworker/1:2 Tainted: G           OE      6.1.0-50 #1
	[    9.388904] Workqueue: events cc_end [cardcache]
	[    9.388904] RIP: 0010:__kmem_cache_free+0x284/0x2a0
	[    9.388904] Call Trace:
	[    9.388904]  <TASK>
	[    9.388904]  process_one_work+0x1c7/0x380
	[    9.388904]  worker_thread+0x4d/0x380
	[    9.388904]  </TASK>
	[    9.388904] Modules linked in: cardcache(OE) virtio_pci
	[    9.388904] ---[ end trace 0000000000000000 ]---
	[    9.397489] Kernel panic - not syncing: Fatal exception
	END
	of_log "$t/free" | grep -q '^verdict   the kernel died of BUG at mm/slub.c:419, in __kmem_cache_free+0x284/0x2a0, called by cc_end \[cardcache\], task kworker/1:2 (56); '
	# A work of the kernel is no driver's.
	sed 's/ \[cardcache\]$//' "$t/free" > "$t/own"
	of_log "$t/own" | grep -q '__kmem_cache_free+0x284/0x2a0, task kworker/1:2 (56); '

	# It had panicked before the report had a stack.
	cat > "$t/atomic" <<- 'END'
	[    0.000000] Linux version 7.3.4 (a@b) #1 SMP
	[    9.356907] BUG: scheduling while atomic: kworker/1:1/49/0x00000002
	[    9.357012] Modules linked in: trunkio(OE) qemu_fw_cfg
	[    9.357323] Kernel panic - not syncing: scheduling while atomic: panic_on_warn set ...
	[    9.359381] CPU: 1 UID: 0 PID: 49 Comm: kworker/1:1 Tainted: G           OE       7.3.4 #1
	[    9.359381] Workqueue: events tr_sync [trunkio]
	[    9.359381] Call Trace:
	[    9.359381]  <TASK>
	[    9.359381]  dump_stack_lvl+0x5d/0x80
	[    9.359381]  check_panic_on_warn.cold+0xf/0x1e
	[    9.359381]  __schedule_bug.cold+0x37/0x48
	[    9.359381]  schedule+0x28/0xa0
	[    9.359381]  process_one_work+0x1cd/0x3c0
	[    9.359381]  </TASK>
	END
	of_log "$t/atomic" | grep -q ': scheduling while atomic: kworker/1:1/49/0x00000002, called by tr_sync \[trunkio\], task kworker/1:1 (49)$'

	cat > "$t/poison" <<- 'END'
	[    0.000000] Linux version 6.12.117 (a@b) #1 SMP
	[    7.371000] Oops: general protection fault, probably for non-canonical address 0xdead000000000110: 0000 [#1] PREEMPT SMP NOPTI
	[    7.371000] CPU: 0 UID: 0 PID: 28 Comm: kworker/1:0 Tainted: G           OE      6.12.117 #1
	[    7.371000] RIP: 0010:pw_walk+0x1b/0x30 [peerwatch]
	[    7.371000] Code: 48 8b 00 <83> 78 10 4d 74 0a
	[    7.371000] RAX: dead000000000100 RBX: ffff8bbd11d23840 RCX: 0000000000000003
	[    7.371000] ---[ end trace 0000000000000000 ]---
	[    7.372000] Kernel panic - not syncing: Fatal exception
	END
	of_log "$t/poison" | grep -q ', address 0xdead000000000110, as LIST_POISON1 in RAX was taken for a pointer: the entry had left its list, in pw_walk'

	# What is wrong stands in a warning, of which the kernel dies at once.
	cat > "$t/fortify" <<- 'END'
	[    0.000000] Linux version 6.12.117 (a@b) #1 SMP
	[    7.790000] ------------[ cut here ]------------
	[    7.790000] strlen: detected buffer overflow: 17 byte read of buffer size 16
	[    7.790000] WARNING: CPU: 1 PID: 70 at lib/string_helpers.c:1032 __fortify_report+0x45/0x50
	[    7.790000] CPU: 1 UID: 0 PID: 70 Comm: kworker/1:2 Tainted: G           OE      6.12.117 #1
	[    7.790000] Call Trace:
	[    7.790000]  __fortify_panic+0xd/0xf
	[    7.790000] ---[ end trace 0000000000000000 ]---
	[    7.805000] ------------[ cut here ]------------
	[    7.805000] kernel BUG at lib/string_helpers.c:1040!
	[    7.805000] Oops: invalid opcode: 0000 [#1] PREEMPT SMP NOPTI
	[    7.805000] CPU: 1 UID: 0 PID: 70 Comm: kworker/1:2 Tainted: G        W  OE      6.12.117 #1
	[    7.805000] RIP: 0010:__fortify_panic+0xd/0xf
	[    7.805000] ---[ end trace 0000000000000000 ]---
	[    7.806000] Kernel panic - not syncing: Fatal exception
	END
	of_log "$t/fortify" | grep -q '^verdict   the kernel died of bug (strlen: detected buffer overflow: 17 byte read of buffer size 16), in __fortify_panic'
	sed 's/PID: 70 at/PID: 71 at/; s/PID: 70 Comm: kworker.1:2 Tainted: G           OE/PID: 71 Comm: other Tainted: G           OE/' "$t/fortify" > "$t/other"
	of_log "$t/other" | grep -q '^verdict   the kernel died of BUG at lib/string_helpers.c:1040, in __fortify_panic'

	cat > "$t/rcu" <<- 'END'
	[    0.000000] Linux version 6.1.0-50 (a@b) #1 SMP
	[   29.624642] rcu: INFO: rcu_preempt self-detected stall on CPU
	[   29.624642] rcu: 	0-....: (4272 ticks this GP) idle=9cf4/1/0x4000000000000000 softirq=764/765 fqs=2295
	[   29.624642] 	(t=5250 jiffies g=-111 q=14 ncpus=2)
	[   29.624642] CPU: 0 PID: 168 Comm: rxdrain/0 Tainted: G           OE      6.1.0-50 #1
	[   29.624642] RIP: 0010:delay_tsc+0x2c/0x60
	[   29.628867] Call Trace:
	[   29.628867]  <TASK>
	[   29.628867]  ? left_over+0x1/0x20 [other]
	[   29.628867]  rx_thread+0xa/0x20 [rxdrain]
	[   29.628867]  kthread+0xda/0x100
	[   29.628867]  </TASK>
	[   29.628867] Kernel panic - not syncing: RCU Stall
	END
	of_log "$t/rcu" | grep -q '; CPU 0 stalled in rx_thread \[rxdrain\], task rxdrain/0 (168)$'
	# No CPU is late: the one that keeps RCU's own thread from its timer.
	cat > "$t/timer" <<- 'END'
	[    0.000000] Linux version 6.1.0-50 (a@b) #1 SMP
	[   28.790233] rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:
	[   28.790593] 	(detected by 0, t=5252 jiffies, g=-199, q=13 ncpus=2)
	[   28.790728] rcu: All QSes seen, last rcu_preempt kthread activity 5252 (4294899418-4294894166), jiffies_till_next_fqs=1
	[   28.790948] rcu: 	Possible timer handling issue on cpu=1 timer-softirq=113
	[   28.791288] task:rcu_preempt     state:R stack:0     pid:15    ppid:2      flags:0x00004000
	[   28.791498] Call Trace:
	[   28.791590]  <TASK>
	[   28.791700]  __schedule+0x34d/0x9e0
	[   28.792123]  </TASK>
	[   28.792189] rcu: Stack dump where RCU GP kthread last ran:
	[   28.794162] Sending NMI from CPU 0 to CPUs 1:
	[   27.803099] NMI backtrace for cpu 1
	[   27.803099] CPU: 1 PID: 168 Comm: sh Tainted: G           OE      6.1.0-50 #1
	[   27.803099] RIP: 0010:pc_wait_ready+0x6/0x20 [pcard]
	[   27.803099] Call Trace:
	[   27.803099]  <TASK>
	[   27.803099]  set_go+0x24/0xfc0 [pcard]
	[   27.803099]  </TASK>
	[   28.803099] Kernel panic - not syncing: RCU Stall
	END
	of_log "$t/timer" | grep -q '; CPU 1 stalled in pc_wait_ready \[pcard\], task sh (168)$'
	# The stack of another CPU is not its.
	sed 's/.*<TASK>/[   29.628867] CPU: 1 PID: 3 Comm: b/' "$t/rcu" > "$t/cpus"
	of_log "$t/cpus" | grep -q '; CPU 0 stalled, task rxdrain/0 (168)$'
}

@test "what ended the kernel: an interrupt that spins for a lock of the code it interrupted, memory that may not be touched so" {
	local t=$BATS_TEST_TMPDIR

	cat > "$t/spin" <<- 'END'
	[    0.000000] Linux version 6.12.117 (a@b) #1 SMP
	[   22.798693] watchdog: BUG: soft lockup - CPU#1 stuck for 13s! [sh:220]
	[   22.799219] CPU: 1 UID: 0 PID: 220 Comm: sh Tainted: G           OE      6.12.117 #1
	[   22.799404] RIP: 0010:native_queued_spin_lock_slowpath+0x64/0x2d0
	[   22.799871] Call Trace:
	[   22.800045]  <IRQ>
	[   22.800165]  ? __pfx_mb_tick+0x10/0x10 [modbusx]
	[   22.800779]  _raw_spin_lock+0x29/0x30
	[   22.800779]  mb_account+0x11/0x30 [modbusx]
	[   22.800779]  call_timer_fn+0x2a/0x120
	[   22.800779]  </IRQ>
	[   22.800779]  <TASK>
	[   22.800779]  asm_sysvec_apic_timer_interrupt+0x1a/0x20
	[   22.800779] RIP: 0010:delay_tsc+0x2c/0x60
	[   22.800779]  mb_update+0x29/0x40 [modbusx]
	[   22.800779]  </TASK>
	[   22.801000] Kernel panic - not syncing: softlockup: hung tasks
	END
	of_log "$t/spin" | grep -q '; CPU 1 stalled in mb_account \[modbusx\], task sh (220), as it spun for a lock in an interrupt; that came while mb_update \[modbusx\] ran there, which likely has the lock$'
	# Of another module, or of a task, it may be of anybody.
	sed 's/mb_update.*/ext4_write+0x29\/0x40 [ext4]/' "$t/spin" > "$t/other"
	of_log "$t/other" | grep -q ', as it spun for a lock$'
	sed '/IRQ>/d' "$t/spin" > "$t/task"
	of_log "$t/task" | grep -q ', as it spun for a lock$'
	# Who went to sleep with one of the same module has it.
	sed '/IRQ>/d; s/modbusx/hsring/' "$t/spin" > "$t/slept"
	sed -i '1r /dev/stdin' "$t/slept" <<- 'END'
	[   19.591511] BUG: scheduling while atomic: ringflush/0/213/0x00000002
	[   19.591769] Modules linked in: hsring(OE) qemu_fw_cfg
	[   19.618092] CPU: 0 UID: 0 PID: 213 Comm: ringflush/0 Tainted: G           OE      6.12.117 #1
	[   19.618470] Call Trace:
	[   19.618562]  <TASK>
	[   19.618728]  __schedule+0x999/0xbe0
	[   19.618842]  msleep+0x2b/0x40
	[   19.618851]  flush_ring+0x1b/0x30 [hsring]
	[   19.618950]  </TASK>
	END
	of_log "$t/slept" | grep -q ', as it spun for a lock; ringflush/0 (213) went to sleep with a spin lock, in flush_ring \[hsring\] ("scheduling while atomic"): likely the one that is waited for$'
	sed '2,10s/hsring\]/ext4]/' "$t/slept" > "$t/other"
	of_log "$t/other" | grep -q ', as it spun for a lock$'

	cat > "$t/user" <<- 'END'
	[    0.000000] Linux version 6.1.0-50 (a@b) #1 SMP
	[    8.100000] BUG: unable to handle page fault for address: 0000000000400040
	[    8.100000] #PF: supervisor read access in kernel mode
	[    8.100000] #PF: error_code(0x0001) - permissions violation
	[    8.100000] Oops: 0001 [#1] PREEMPT SMP NOPTI
	[    8.100000] CPU: 1 PID: 168 Comm: sh Tainted: G           OE      6.1.0-50 #1
	[    8.100000] RIP: 0010:vc_config+0x5/0x20 [vcodec]
	[    8.100000] ---[ end trace 0000000000000000 ]---
	[    8.110000] Kernel panic - not syncing: Fatal exception
	END
	of_log "$t/user" | grep -q ', address 0x400040, which is user memory: the kernel reads and writes that by copy_from_user() and copy_to_user() alone, in vc_config'
	sed 's/0000000000400040/ffffffffc05f409c/; s/0x0001/0x0003/' "$t/user" > "$t/write"
	of_log "$t/write" | grep -q ', address 0xffffffffc05f409c, which may only be read, in vc_config'
	sed 's/0000000000400040/ffffffffc05f409c/; s/0x0001/0x0011/' "$t/user" > "$t/code"
	of_log "$t/code" | grep -q ', which is no code (NX), in vc_config'
	sed 's/0x0001/0x0000/' "$t/user" > "$t/absent"
	of_log "$t/absent" | grep -q ', address 0x400040, in vc_config'
}

@test "what ended the kernel, where its last words tell: the hardware, an NMI, a stack, no root" {
	local t=$BATS_TEST_TMPDIR

	# ended LINE...: a log with these, in one second.
	ended() {
		echo '[    0.000000] Linux version 6.12.107 (a@b) #1 SMP'
		printf '[  500.000000] %s\n' "$@"
	}
	ended 'mce: [Hardware Error]: CPU 3: Machine Check Exception: 5 Bank 5: be00000000800400' \
		'mce: [Hardware Error]: Machine check: Processor context corrupt' 'Kernel panic - not syncing: Fatal machine check' > "$t/mce"
	of_log "$t/mce" | grep -q '^verdict .*; the kernel ended of an error of the hardware: CPU 3: Machine Check Exception: 5 Bank 5: be00000000800400 (Machine check: Processor context corrupt)$'
	ended 'Uhhuh. NMI received for unknown reason 21 on CPU 0.' 'Kernel panic - not syncing: NMI: Not continuing' > "$t/nmi"
	of_log "$t/nmi" | grep -q '^verdict .*; the kernel ended of an NMI that nothing in it had waited for (.*): Uhhuh. NMI received for unknown reason 21 on CPU 0$'
	ended 'Kernel panic - not syncing: Fatal hardware error!' > "$t/cut"
	of_log "$t/cut" | grep -q '^verdict .*; the kernel ended of an error of the hardware, of which the log that was read has no more$'
	ended 'Memory failure: 0x12345: recovery action for dirty LRU page: Recovered' 'Kernel panic - not syncing: sysrq triggered crash' > "$t/page"
	of_log "$t/page" > "$t/text"
	grep -q '^verdict .*; sysrq asked for the panic$' "$t/text"
	grep -q '^log .*the log has an error of the hardware: Memory failure: 0x12345: ' "$t/text"
	of_log "$t/page" story | grep -q -x '500.000000  the log has an error of the hardware: Memory failure: 0x12345: recovery action .* Recovered. \[memowner log\]'
	ended 'nfs: server filer1 not responding, still trying' 'Kernel panic - not syncing: sysrq triggered crash' > "$t/server"
	of_log "$t/server" | grep -q '^log .*the log has a server of files that does not answer: nfs: server filer1 not responding, still trying'
	of_log "$t/server" story | grep -q -x '500.000000  the log has a server of files that does not answer: nfs: server filer1 not responding, still trying. \[memowner log\]'
	ended 'Kernel panic - not syncing: corrupted stack end detected inside scheduler' 'CPU: 1 PID: 4211 Comm: acmed Not tainted 6.12.107 #1' > "$t/stack"
	of_log "$t/stack" | grep -q '^verdict .*; the end of a kernel stack was overwritten, of task acmed (4211)$'
	# kswapd asks for no memory: of lru_gen alone it calls the OOM killer.
	ended 'kswapd0 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0' 'CPU: 0 UID: 0 PID: 42 Comm: kswapd0 Not tainted 6.12.107 #1' \
		'Mem-Info:' 'Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled' > "$t/kswapd"
	of_log "$t/kswapd" | grep -q "^trigger   kswapd0 (42) asked last, for lru_gen's min_ttl_ms: no request had failed, the working set did not fit"
	sed 's/kswapd0/kswapdog/' "$t/kswapd" > "$t/other"
	of_log "$t/other" > "$t/text"
	grep -q '^trigger   kswapdog (42) asked last' "$t/text"
	refute grep min_ttl "$t/text"
	ended 'Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)' > "$t/root"
	of_log "$t/root" | grep -q '^verdict .*; the kernel found no root file system$'
}

@test "what came long before the end: of a cgroup, not of all memory" {
	local t=$BATS_TEST_TMPDIR

	{
		limited '524288 524288' '524288 524288' '0 524288'
		echo '[ 1000.000000] Kernel panic - not syncing: Fatal exception in interrupt'
	} > "$t/cgroup"
	of_log "$t/cgroup" | grep -q -x 'verdict   unknown whether memory was short: cgroup /shop had reached its limit 15.0min before'
	sed 's/Fatal exception in interrupt/sysrq triggered crash/' "$t/cgroup" > "$t/sysrq"
	of_log "$t/sysrq" | grep -q '^verdict .* 15.0min before; sysrq asked for the panic$'
	# The machine went on for some seconds.
	sed 's/1000.000000/ 110.000000/' "$t/cgroup" > "$t/later"
	of_log "$t/later" | grep -q -x 'verdict   cgroup /shop reached its limit: 512.0M of 512.0M at the report, [0-9.]*s before the panic'
	{
		echo '[  100.000000] a: page allocation failure: order:5, mode:0x40cc0(GFP_KERNEL|__GFP_COMP), nodemask=(null),cpuset=/,mems_allowed=0'
		echo '[ 1000.000000] Kernel panic - not syncing: Fatal exception in interrupt'
	} > "$t/failed"
	of_log "$t/failed" | grep -q -x 'verdict   unknown whether memory was short: an allocation of order 5 had failed 15.0min before'
	# Up to 4.20, where nothing but the lines on the victim is there.
	{
		echo '[  100.000000] Memory cgroup out of memory: Kill process 5 (a) score 0 or sacrifice child'
		echo '[  100.000100] Killed process 5 (a) total-vm:2000000kB, anon-rss:1044000kB, file-rss:0kB, shmem-rss:0kB'
	} > "$t/old"
	of_log "$t/old" > "$t/text"
	grep -q -x 'verdict   cgroup of an unknown name reached its limit, which this log does not have; the log has no panic' "$t/text"
	grep -q '^OOM .*; CONSTRAINT_MEMCG (derived); killed a (5)\(;.*\)*$' "$t/text"
}

@test "a line on a victim alone does not hide the report of the same storm" {
	local t=$BATS_TEST_TMPDIR

	reports 0 > "$t/one"
	bare() {
		cat "$t/one"
		echo "[  $1.000000] $2Killed process 7 (b) total-vm:84000kB, anon-rss:40000kB, file-rss:8000kB, shmem-rss:0kB, UID:0 pgtables:176kB oom_score_adj:0"
	}
	bare 201 'Out of memory: ' > "$t/two"
	of_log "$t/two" > "$t/text"
	grep -q -x 'verdict   memory ran out: 1495 of 65406 pages were free, 2.3%; the log has no panic' "$t/text"
	grep -q '^OOM .*: sh invoked .*; killed victim (155); then killed b (7), whose report is not in this log$' "$t/text"
	bare 201 'Memory cgroup out of memory: ' > "$t/cgroup"
	[ "$(of_log "$t/cgroup" memowner -j | jq -r 'select(.record == "verdict") | .name')" = ran_out ]
	bare 400 'Out of memory: ' > "$t/late"
	of_log "$t/late" > "$t/text"
	grep -q '^OOM .*; killed b (7)\(;.*\)*$' "$t/text"
	# That of a cgroup says nothing of all memory.
	{
		limited '524288 524288' '524288 524288' '0 524288'
		echo '[  101.000000] Out of memory: Killed process 7 (b) total-vm:84000kB, anon-rss:40000kB, file-rss:8000kB, shmem-rss:0kB, UID:0 pgtables:176kB oom_score_adj:0'
	} > "$t/global"
	[ "$(of_log "$t/global" memowner -j | jq -r 'select(.record == "verdict") | .name')" = ran_out ]
}

@test "a report whose end is missing: what was free is there" {
	local t=$BATS_TEST_TMPDIR

	forms
	sed '/total pagecache pages/,$d' "$t/plain" > "$t/cut"
	of_log "$t/cut" | grep -q -E '^verdict   memory ran out: [0-9.]+M was free at the report; '
}

@test "what a program has logged is none of the kernel's words" {
	local t=$BATS_TEST_TMPDIR

	{
		echo 'Feb  9 08:09:39 n1 kernel: [90123.100000] eth0: link up'
		reports 0 | sed 's/^/Feb  9 08:10:39 n1 app[333]: /'
	} > "$t/mixed"
	of_log "$t/mixed" > "$t/text" || [ $? = 1 ]
	grep -q '^verdict   unknown whether memory was short: the log has no report that memory ran out; ' "$t/text"
	refute grep '^OOM' "$t/text"
}

@test "a node that a task may not use has free memory, and what is free in its own is CMA's: the zones ran out" {
	local t=$BATS_TEST_TMPDIR

	forms
	of_old "$t/plain" 0 | sed -E 's/(Node 1 DMA32 free:)[0-9]+kB/\160000kB/' > "$t/node"
	of_log "$t/node" memowner -j | jq -e -s 'map(select(.record == "verdict"))[0] | .name == "zone_ran_out" and (.remark | test("58.6M in zones that the request may not use"))'
	of_old "$t/plain" 0-1 | sed -E 's/(Node 1 DMA32 free:)[0-9]+kB/\160000kB/; s/( free:)[0-9]+ /\116000 /' > "$t/both"
	of_log "$t/both" memowner -j | jq -e -s 'map(select(.record == "verdict"))[0].name == "ran_out"'
	sed -E 's/(Node 0 DMA32 free:)[0-9]+kB/\130000kB/; /Node 0 DMA32 free/s/free_cma:0kB/free_cma:29000kB/; s/( free:)[0-9]+ /\116000 /' "$t/node" > "$t/movable"
	of_log "$t/movable" memowner -j | jq -e -s 'map(select(.record == "verdict"))[0].name == "ran_out"'
	sed -E 's/gfp_mask=0x[0-9a-f]+\([A-Z_|]*\)/gfp_mask=0xcc0(GFP_KERNEL)/' "$t/movable" > "$t/cma"
	of_log "$t/cma" memowner -j | jq -e -s 'map(select(.record == "verdict"))[0].name == "zone_ran_out"'
}

@test "call sites and counters of a cgroup are told where the log has them, and not denied" {
	local t=$BATS_TEST_TMPDIR

	of_log "$BUILD/samples/6.12-oom/truth/console" memowner > "$t/text"
	grep -q -x 'sites       154.0M  60.3%  drivers/leaky/leaky.c:69 leaky_rx_refill \[leaky\]' "$t/text"
	grep -q -x 'unknown   owners, slab caches, files, cgroups: this log does not have them' "$t/text"
	refute grep -E 'no line (of the report has it|has it that)' "$t/text"
	of_log "$BUILD/samples/7.3-oom/truth/console" memowner -j |
		jq -e -s 'map(select(.record == "site")) | length == 3 and .[0].bytes == 155 * 1048576 and .[0].allocs == 39765'
	of_log "$BUILD/samples/6.12-hog-spool/truth/console" memowner -j | jq -e -s '
		(map(select(.record == "holder"))[0].remark == "limit of 32.0M; shmem 26.6M, anon 5.1M, pagetables 84.0K") and
		(map(select(.record == "unknown" and (.name | test("cgroups")))) | length == 0)'
}

@test "what is free but in the lists of CPUs, and a few pages that cannot be reclaimed, are classes: the sum is RAM" {
	local s t=$BATS_TEST_TMPDIR

	for s in 6.12-stock-oom 6.12-oom; do
		of_log "$BUILD/samples/$s/truth/console" memowner -j |
			jq -e -s '(map(select(.record == "ram" and .name == "System RAM"))[0].pages) ==
				(map(select(.record == "class").pages) | add)'
	done
	forms
	sed 's/all_unreclaimable? [a-z]*$/& Balloon:0kB gpu_active:2000kB gpu_reclaim:0kB/; s/ free_pcp:[0-9]*/ free_pcp:77/' "$t/plain" > "$t/gpu"
	of_log "$t/gpu" memowner -j | jq -e -s '
		(map(select(.record == "class" and .name == "gpu"))[0].pages == 1000) and
		(map(select(.record == "class" and .name == "pcp"))[0].pages == 77)'
}

@test "a log in objects of JSON is read; one of a form that is unknown is refused and not denied" {
	local t=$BATS_TEST_TMPDIR

	forms
	of_log "$t/plain" memowner -j | jq -c 'select(.record == "verdict" or .record == "class" or .record == "process")' > "$t/want"
	jq -c -R '{ log: (. + "\n"), stream: "stdout", time: "2026-02-09T08:09:39.123456789Z" }' "$t/plain" > "$t/container"
	jq -c -R 'capture("^\\[ *(?<s>[0-9]+)\\.(?<us>[0-9]+)\\] (?<m>.*)$") | { _TRANSPORT: "kernel",
		_HOSTNAME: "stock", _SOURCE_MONOTONIC_TIMESTAMP: (.s + .us), PRIORITY: "4", MESSAGE: .m }' "$t/plain" > "$t/journal"
	for f in container journal; do
		of_log "$t/$f" memowner -j | jq -c 'select(.record == "verdict" or .record == "class" or .record == "process")' > "$t/got"
		diff "$t/want" "$t/got" || { echo "$f"; false; }
	done
	sed 's/^\[[^]]*\] /11-20 10:20:30.000 kern W /' "$t/plain" > "$t/other"
	one_line "'$t/other': the form of its lines is unknown" "$t/other"
}

# As logd writes it: what stands before the first colon is the tag, without the blanks behind; programs have lines too.
logcat() {	# FILE, the head of each line, its sed after that
	sed -E -e 's/^\[[^]]*\] +//' -e 't a' -e ':a' -e 's/^(Node [0-9]+ [A-Za-z0-9]+|[^] :[]+( [^] :[]+)?): ?(.*)/\1\n: \3/' -e 't tag' -e 's/^/\n: /' \
		-e ':tag' -e 's/^([^\n]{0,7})\n/\1 \n/' -e 't tag' -e 's/\n//' -e "s/^/$2/" "$1"
}

@test "free memory of CMA is none that a request of the kernel has: memory ran out, and no watermark is too large" {
	local t=$BATS_TEST_TMPDIR

	cat > "$t/cma" <<-'END'
		[    0.000000] Linux version 6.6.31 (a@b) #1 SMP
		[  600.100000] updater invoked oom-killer: gfp_mask=0x40cc0(GFP_KERNEL|__GFP_COMP), order=0, oom_score_adj=0
		[  600.100010] CPU: 2 PID: 900 Comm: updater Not tainted 6.6.31 #1
		[  600.100020] Mem-Info:
		[  600.100030] active_anon:250 inactive_anon:8100 isolated_anon:0
		                active_file:3000 inactive_file:2000 isolated_file:0
		                unevictable:0 dirty:0 writeback:0
		                slab_reclaimable:1000 slab_unreclaimable:18000
		                mapped:600 shmem:60 pagetables:442
		                sec_pagetables:0 bounce:0
		                kernel_misc_reclaimable:0
		                free:130000 free_pcp:60 free_cma:128400
		[  600.100040] Node 0 active_anon:1000kB inactive_anon:32400kB active_file:12000kB inactive_file:8000kB unevictable:0kB isolated(anon):0kB isolated(file):0kB mapped:2400kB dirty:0kB writeback:0kB shmem:240kB writeback_tmp:0kB kernel_stack:1488kB pagetables:1768kB sec_pagetables:0kB all_unreclaimable? no
		[  600.100050] DMA free:520000kB boost:0kB min:10500kB low:11300kB high:12100kB reserved_highatomic:0KB active_anon:1000kB inactive_anon:32400kB active_file:12000kB inactive_file:8000kB unevictable:0kB writepending:0kB present:786432kB managed:663836kB mlocked:0kB bounce:0kB free_pcp:240kB local_pcp:0kB free_cma:513600kB
		[  600.100060] lowmem_reserve[]: 0 0 0 0
		[  600.100070] DMA: 600*4kB (UME) 500*8kB (UC) 0*16kB 0*32kB 0*64kB 0*128kB 0*256kB 0*512kB 1*1024kB (C) 0*2048kB 125*4096kB (C) = 519424kB
		[  600.100080] 5060 total pagecache pages
		[  600.100090] 0 pages in swap cache
		[  600.100100] Free swap  = 700000kB
		[  600.100110] Total swap = 785664kB
		[  600.100120] 196608 pages RAM
		[  600.100130] 0 pages HighMem/MovableOnly
		[  600.100140] 30649 pages reserved
		[  600.100150] oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/,task=updater,pid=900,uid=0
		[  600.100160] Out of memory: Killed process 900 (updater) total-vm:169600kB, anon-rss:30000kB, file-rss:1400kB, shmem-rss:0kB, UID:0 pgtables:120kB oom_score_adj:0
	END
	of_log "$t/cma" memowner -j > "$t/j"
	[[ "$(jq -r 'select(.record == "verdict") | .name + " " + .remark' "$t/j")" = 'ran_out memory ran out: 507.8M of 768.0M was free, 66.1%, 501.6M of it in CMA, which the request may not use; '* ]]
	# What is movable may have it.
	sed 's/0x40cc0(GFP_KERNEL|__GFP_COMP)/0x140cca(GFP_HIGHUSER_MOVABLE|__GFP_COMP)/' "$t/cma" > "$t/movable"
	of_log "$t/movable" memowner -j > "$t/j"
	[ "$(jq -r 'select(.record == "verdict") | .remark | contains("CMA")' "$t/j")" = false ]
}

@test "logcat -b kernel: the same answer as dmesg without stamps" {
	local f t=$BATS_TEST_TMPDIR

	forms
	sed 's/^\[[^]]*\] */Nov 20 10:20:30 kernel: /' "$t/plain" > "$t/syslog"
	told "$t/syslog" > "$t/want"
	grep -q 'report-builder' "$t/want"
	{ echo '--------- beginning of kernel'; logcat "$t/plain" '11-20 10:20:30.000     0     0 W '
	  echo '11-20 10:20:31.000   710   712 I lmkd    : Out of memory: Killed process 5 (web) total-vm:1kB'; } > "$t/thread"
	logcat "$t/plain" '2026-11-20 10:20:30.000000 +0000  root     0     0 E ' > "$t/long"
	for f in thread long; do
		told "$t/$f" | sed 's/2026-11-20/11-20/g' | diff "$t/want" - || { echo "$f"; false; }
	done
}

@test "a first line of a form that is unknown is not denied" {
	local t=$BATS_TEST_TMPDIR

	{ echo '[    0.000000] Linux version 6.12.107 (root@kernel) #1 SMP'
	  echo '[  100.000000] sh invoked oom-killer: mask=none'; } > "$t/new"
	# Nothing is known of it: status 1.
	of_log "$t/new" memowner > "$t/text" || true
	grep -q -x 'verdict   unknown whether memory was short: the log has a report in a form that is unknown; the log has no panic' "$t/text"
	# Up to 2.6.18.
	echo 'Jul 19 05:19:24 box kernel: Out of Memory: Killed process 2368 (web).' > "$t/old"
	of_log "$t/old" memowner > "$t/text" || true
	grep -q -x 'verdict   unknown whether memory was short: the log has a report in a form that is unknown; the log has no panic' "$t/text"
}

@test "a log of several machines is refused" {
	local t=$BATS_TEST_TMPDIR

	forms
	{ cat "$t/syslog"; sed 's/ stock kernel: / other kernel: /' "$t/syslog"; } > "$t/two"
	one_line "'$t/two': lines of several hosts, as stock and other: give those of one" "$t/two"
}

@test "processes of a cgroup: the line of the victim tells the size of a page" {
	local t=$BATS_TEST_TMPDIR

	cgroup() {	# TOTAL_VM KIB
		cat <<-END
			[  100.000000] java invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
			[  100.000001] memory: usage 102400kB, limit 102400kB, failcnt 58
			[  100.000002] Memory cgroup stats for /box:
			[  100.000003] anon 100000000
			[  100.000004] Tasks state (memory values in pages):
			[  100.000005] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
			[  100.000006] [    155]     0   155     $1    12430   139264        0             0 java
			[  100.000007] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/box,task_memcg=/box,task=java,pid=155,uid=0
			[  100.000008] Memory cgroup out of memory: Killed process 155 (java) total-vm:$2kB, anon-rss:49152kB, file-rss:0kB, shmem-rss:568kB, UID:0 pgtables:136kB oom_score_adj:0
		END
	}
	cgroup 14603 58412 > "$t/4k"
	of_log "$t/4k" memowner -j | jq -e -s 'map(select(.record == "process")) | length == 1 and .[0].rss_bytes == 12430 * 4096'
	cgroup 14603 $((14603 * 64)) > "$t/64k"
	of_log "$t/64k" memowner -j | jq -e -s 'map(select(.record == "process")) | .[0].rss_bytes == 12430 * 65536'
	# Those of sparc64 and alpha.
	cgroup 14603 $((14603 * 8)) > "$t/8k"
	of_log "$t/8k" memowner -j | jq -e -s 'map(select(.record == "process")) | .[0].rss_bytes == 12430 * 8192'
	cat > "$t/blocks" <<-END
		[  100.000000] java invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
		[  100.000001] Mem-Info:
		[  100.000002] active_anon:13 inactive_anon:128 isolated_anon:0
		[  100.000002]  free:12425 free_pcp:30 free_cma:0
		[  100.000003] Normal free:99400kB min:106496kB low:129024kB high:151552kB present:16764544kB managed:16504704kB
		[  100.000004] lowmem_reserve[]: 0 0
		[  100.000005] Normal: 274*8kB (UME) 203*16kB (UME) 188*32kB (UME) 0*64kB 0*128kB = 11456kB
		[  100.000006] 2095568 pages RAM
	END
	of_log "$t/blocks" memowner -j | jq -e -s 'map(select(.record == "ram")) | .[0].bytes == 2095568 * 8192'
	cgroup 14603 60000 > "$t/unknown"
	of_log "$t/unknown" memowner -j | jq -e -s 'map(select(.record == "process")) | length == 0'
}

@test "a report whose first lines are lost names the cgroup that its other lines have" {
	local t=$BATS_TEST_TMPDIR/headless

	cat > "$t" <<-END
		[  100.000000] Task in /box/in killed as a result of limit of /box
		[  100.000001] memory: usage 65536kB, limit 65536kB, failcnt 8
		[  100.000002] Memory cgroup stats for /box: cache:0KB rss:0KB rss_huge:0KB
		[  100.000003] Memory cgroup out of memory: Kill process 155 (java) score 0 or sacrifice child
		[  100.000004] Killed process 155 (java) total-vm:65320kB, anon-rss:61380kB, file-rss:0kB, shmem-rss:0kB
	END
	of_log "$t" memowner > "$t.text"
	grep -q -E '^verdict   cgroup /box reached its limit: 64.0M of 64.0M at the report; ' "$t.text"
	grep -q -E '^OOM .* an unknown task invoked the OOM killer, cgroup /box; CONSTRAINT_MEMCG [(]derived[)]; killed java [(]155[)]' "$t.text"
	[ "$(of_log "$t" memowner log -j | jq -r 'select(.record == "row") | "\(.memcg) \(.victim_pid)"')" = '/box 155' ]
	# Of the lines of several cgroups it is unknown whether the first is there.
	sed -i -e 1,2d -e 4,5d "$t"
	of_log "$t" memowner | grep -q -E '^verdict   cgroup of an unknown name reached its limit'
}

@test "processes of one name: each counts what fork shares, and what is more than all swap is left out" {
	local t=$BATS_TEST_TMPDIR/shared

	cat > "$t" <<-END
		[  100.000000] a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
		[  100.000001] Mem-Info:
		[  100.000002] active_anon:60000 inactive_anon:0 isolated_anon:0
		[  100.000002]  free:500 free_pcp:0 free_cma:0
		[  100.000003] Free swap  = 4096kB
		[  100.000003] Total swap = 204800kB
		[  100.000003] 80000 pages RAM
		[  100.000004] Tasks state (memory values in pages):
		[  100.000005] [  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name
		[  100.000006] [    100]     0   100    50000    30000    30000        0         0   81920    30000             0 web
		[  100.000006] [    101]     0   101    50000    30000    30000        0         0   81920    29000             0 web
		[  100.000007] oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/,task=web,pid=100,uid=0
		[  100.000008] Out of memory: Killed process 100 (web) total-vm:200000kB, anon-rss:120000kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:80kB oom_score_adj:0
	END
	of_log "$t" memowner | grep -q -x '  process   234.4M  75.0%  2 processes web, anon as each counts it, what fork shares too'
	# More than there is: what others leave of it.
	sed 's/active_anon:60000/active_anon:45000/; 3a [  100.000002]  unevictable:100 dirty:0 writeback:0\n[  100.000002]  mapped:0 shmem:0 pagetables:0' "$t" > "$t.more"
	sed -i '/ 101 \+50000/a [  100.000006] [    102]     0   102    50000    5000    5000        0         0   81920    0             0 db' "$t.more"
	pad_rows "$t.more"
	of_log "$t.more" memowner > "$t.text"
	grep -q '^holder    2 processes web: about 156.6M, 50.1% of RAM.*(what the other rows leave of all anon; .*they sum up to 234.4M with what they share since fork)' "$t.text"
	grep -q -x '  process   156.6M  50.1%  2 processes web, what the other rows leave of all anon' "$t.text"
	sed -i 's/29000             0 web/2900             0 web/' "$t"
	pad_rows "$t"
	of_log "$t" memowner | grep -q -x '  process   234.4M  75.0%  2 processes web, anon and swap as each counts them, what fork shares too, in swap 128.5M'
	sed -i '/ 101 \+50000/d' "$t"
	of_log "$t" memowner | grep -q -x '  process   117.2M  37.5%  web (100), which was killed, anon, in swap 117.2M'
}

@test "many processes of one name, and no column of their own memory: how many, and what is unknown" {
	local t=$BATS_TEST_TMPDIR

	forms
	sed -E '/\] \[ +pid +\]/s/rss_anon rss_file rss_shmem//; /\] \[ *[0-9]+\] /d' "$t/plain" > "$t/none"
	{ sed '/\] \[ *pid *\]/q' "$t/none"
	  for i in $(seq 1000 1059); do echo "[  337.670000] [   $i]     0  $i   2000     500  4096  0  0 httpd"; done
	  sed '1,/\] \[ *pid *\]/d' "$t/none"; } > "$t/fleet"
	of_log "$t/fleet" memowner > "$t/text"
	grep -q '^unknown   memory of 60 httpd: their rss is 117.2M together, in which what they share ' "$t/text"
	of_log "$t/fleet" memowner -j | jq -e -s 'map(select(.record == "group" and .comm == "httpd")) | length == 1 and
		.[0].pages == null and .[0].bytes == null and .[0].processes == 60'
}

@test "processes of one name in a cgroup: they have what the rss of all others cannot be; else how many, and what is unknown" {
	local t=$BATS_TEST_TMPDIR rows

	rows="[      5]     0     5    30000     9000 40960 0 0 a
[      7]     0     7    30000     9000 40960 0 0 a
[      8]     0     8    30000     7000 40960 0 0 big
[      6]     0     6    14603        1 40960 0 0 b"
	in_cgroup '' "$rows" $'anon 102400000\nfile 0\nshmem 0\nkernel 4096\npagetables 20480\nslab 4096' > "$t/least"
	of_log "$t/least" > "$t/text"
	# 25,000 pages without 7,001 of the two others.
	grep -q '^holder    2 processes a: about 70.3M, 70.3% of the limit (at least: anon of the cgroup without the rss of all others; rss 70.3M together)$' "$t/text"
	grep -q -x '  process    70.3M      -  2 processes a, at least: anon of the cgroup without the rss of all others; rss 70.3M together' "$t/text"
	refute grep -e 'not known' -e 'memory of 2 a' "$t/text"
	# Who asked is no process of the table: a thread of one that has its name.
	sed 's/PID: 5 /PID: 9 /' "$t/least" > "$t/thread"
	of_log "$t/thread" | grep -q "^trigger   a (9) asked last; it is one of these processes; "
	sed 's/\(\[ *7\].*\) a$/\1 c/' "$t/thread" > "$t/only"
	of_log "$t/only" | grep -q "^trigger   a (9) asked last; by the report's table it is a thread of a (5); "
	sed 's/9000 40960 0 0 a$/5000 40960 0 0 a/; s/7000 40960 0 0 big/2000 40960 0 0 a/; s/\(\[ *7\].*\) a$/\1 c/' "$t/thread" > "$t/several"
	of_log "$t/several" | grep -q "^trigger   a (9) asked last; by the report's table it is a thread of one of 2 processes of that name; "
	sed 's/ a$/ c/' "$t/thread" > "$t/unnamed"
	of_log "$t/unnamed" | grep -q "^trigger   a (9) asked last; what it holds is unknown; "
	# The pid of a victim is that of a thread, where the first one has exited: the row has both.
	sed 's/\[      6\]     0     6    14603        1/[     12]     0     9    14603     6000/; s/pid=6,/pid=12,/; s/process 6 /process 12 /' "$t/least" > "$t/leader"
	of_log "$t/leader" | grep -q -x '  process    23.4M      -  b (9), which was killed, files and shared memory among it'
	# One of them has most of it, whatever the others have.
	sed 's/30000     9000 40960 0 0 a$/30000     17000 40960 0 0 a/; s/\[      7\]     0     7    30000     17000/[      7]     0     7    30000     1000/' "$t/least" | pad_rows > "$t/one"
	of_log "$t/one" | grep -q '^holder    a (5): about 66.4M, 66.4% of the limit (at least: .*; of 70.3M of 2 processes a)$'
	# What is left may be of these and of those: the name of one row is not that of another.
	sed 's/ 7000 40960 0 0 big$/ 9000 40960 0 0 c/; s/^\(.*\)1 40960 0 0 b$/\17000 40960 0 0 c/' "$t/least" | pad_rows > "$t/two"
	of_log "$t/two" > "$t/text"
	grep -q '^holder    .*2 processes a: about ' "$t/text"
	refute grep 'by rss first' "$t/text"
	# Without that counter what they have is unknown, and they are known.
	sed '/anon 102400000/d' "$t/least" > "$t/none"
	of_log "$t/none" | grep -q '^unknown   memory of 2 a: their rss is 70.3M together, '
	# Of the machine there is memory of pid 1, and what no process maps.
	sed 's/CONSTRAINT_MEMCG/CONSTRAINT_NONE/; s/,oom_memcg=[^,]*/,global_oom/; /Memory cgroup stats/,/^\[[^]]*\] slab/d; /memory: usage/d; s/Memory cgroup out/Out/
		/Tasks state/i [  100.000000] Mem-Info:\n[  100.000000] active_anon:25000 inactive_anon:0 isolated_anon:0\n[  100.000000]  unevictable:0 dirty:0 writeback:0\n[  100.000000]  slab_reclaimable:0 slab_unreclaimable:0\n[  100.000000]  mapped:0 shmem:0 pagetables:0\n[  100.000000]  free:500 free_pcp:0 free_cma:0\n[  100.000000] 0 total pagecache pages\n[  100.000000] 26000 pages RAM\n[  100.000000] 100 pages reserved' "$t/least" > "$t/machine"
	of_log "$t/machine" > "$t/text"
	grep -q '^holder    anonymous memory of several processes, by rss first 2 a (70.3M together, ' "$t/text"
	# Of who was killed a line tells what it had of each: that alone is taken off, and a row has files as well.
	sed 's/Killed process .*/Killed process 8 (big) total-vm:120000kB, anon-rss:4000kB, file-rss:0kB, shmem-rss:24000kB/' "$t/machine" > "$t/killed"
	of_log "$t/killed" | grep -q '^holder    anonymous memory of several processes, by rss first 2 a (.*): about 93.7M, '
	sed -i '/\] b$/d; / 0 0 b$/d' "$t/killed"
	of_log "$t/killed" | grep -q '^holder    anonymous memory of several processes, by rss first 2 a (.*): 93.8M, '
	sed 's/Killed process .*/Killed process 5 (a) total-vm:120000kB, anon-rss:4000kB, file-rss:0kB, shmem-rss:32000kB/' "$t/killed" > "$t/one"
	of_log "$t/one" | grep -q '^holder    anonymous memory of several processes, by rss first 2 a (.*): about 70.3M, '
	# Rows that cannot have half of it have it not.
	sed 's/active_anon:25000/active_anon:60000/; s/26000 pages RAM/64000 pages RAM/' "$t/machine" > "$t/norow"
	of_log "$t/norow" | grep -q '^holder    anonymous memory that no row of the table of processes has: about 2.*(of pid 1, which it leaves out, of a row that is lost, or of no process any more)$'
}

@test "a victim whose memory stayed, and a cgroup of which all is killed, are told" {
	local t=$BATS_TEST_TMPDIR

	reports 0 > "$t/plain"
	{ cat "$t/plain"; echo '[  203.000000] oom_reaper: unable to reap pid:155 (victim)'; } > "$t/stays"
	of_log "$t/stays" memowner > "$t/text"
	grep -q '; killed victim (155); its memory was not freed: oom_reaper gave up$' "$t/text"
	# What it left is half of it or more: of 8192 kB that it had nothing, or a little.
	for i in 8192:nothing 7168:'only 1.0M'; do
		{ sed 's/anon-rss:[0-9]*kB/anon-rss:8192kB/' "$t/plain"; echo "[  201.000001] oom_reaper: reaped process 155 (victim), now anon-rss:${i%:*}kB, file-rss:0kB, shmem-rss:0kB"; } > "$t/left"
		of_log "$t/left" > "$t/text"
		grep -q "^OOM .*; killed victim (155); oom_reaper freed ${i#*:} of 8.0M of its anonymous memory$" "$t/text"
		grep -q "^trigger .*; the OOM killer killed victim (155) of [^;]*; of its anonymous memory oom_reaper freed ${i#*:}" "$t/text"
	done
	sed -i 's/now anon-rss:[0-9]*kB/now anon-rss:4096kB/' "$t/left"
	lacks 'oom_reaper freed' "$t/left"
	{ cat "$t/plain"; echo '[  201.000001] Tasks in /a are going to be killed due to memory.oom.group set'; } > "$t/group"
	of_log "$t/group" memowner -j | jq -e -s 'map(select(.record == "oom"))[0].remark == "its whole cgroup is killed: memory.oom.group"'
	# With so many that not all are named.
	for i in $(seq 300 340); do
		echo "[  201.000002] Memory cgroup out of memory: Killed process $i (worker-$i) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:40kB oom_score_adj:0"
	done >> "$t/group"
	of_log "$t/group" memowner -j | jq -r 'select(.record == "oom") | .remark' | grep -q -x 'its whole cgroup is killed: memory\.oom\.group: worker-300 (300), worker-301 (301), .* and [0-9]* more, too'
	of_log "$t/group" log -j | jq -r 'select(.record == "row") | .other_victims' | grep -q '^worker-300 (300), worker-301 (301), '
	of_log "$t/group" | tr -s '\n ' ' ' | grep -q 'worker-300 (300), worker-301 (301)'
	sed 1d "$t/plain" > "$t/late"
	of_log "$t/late" log > "$t/said" 2>&1
	grep -q 'the beginning of the log is missing, and earlier reports may be' "$t/said"
	refute grep overwritten "$t/said"
}

@test "without times the newest of several reports has its processes, and its row is the first" {
	local t=$BATS_TEST_TMPDIR

	forms
	sed 's/^\[[^]]*\] //' "$t/plain" > "$t/bare"
	{ sed 's/report-builder/older/g' "$t/bare" | grep -v '^Kernel panic'; grep -v '^Linux version' "$t/bare"; } > "$t/two"
	of_log "$t/bare" memowner -j | jq -c 'select(.record == "process" or .record == "group")' > "$t/want"
	[ -s "$t/want" ]
	of_log "$t/two" memowner -j | jq -c 'select(.record == "process" or .record == "group")' | diff "$t/want" -
	[ "$(of_log "$t/two" log -j | jq -r 'select(.record == "row") | .comm' | paste -s -d' ')" = 'report-builder older' ]
	# A table that is older than the report is none of it.
	sed -n '/^Tasks state/,$!p' "$t/bare" | cat "$t/bare" - > "$t/older"
	of_log "$t/older" memowner -j | jq -e -s 'map(select(.record == "process")) | length == 0'
}

@test "up to 4.20 a line of its own has the nodes of the task" {
	local t=$BATS_TEST_TMPDIR

	forms
	of_old "$t/plain" 0-1 > "$t/old"
	of_log "$t/old" memowner -j | jq -e -s 'map(select(.record == "oom"))[0].mems_allowed == "0-1"'
	sed 's/ mems_allowed=0-1$/ mems_allowed=0-1x/' "$t/old" > "$t/bad"
	of_log "$t/bad" memowner -j | jq -e -s 'map(select(.record == "oom"))[0].mems_allowed == null'
}

@test "a hung task: what it waits in, by its call trace" {
	local t=$BATS_TEST_TMPDIR

	printf '[  300.%06d] %s\n' 0 'INFO: task mariadbd:437 blocked for more than 120 seconds.' 1 'Call Trace:' 2 ' <TASK>' 3 ' __schedule+0x34d/0x9e0' \
		4 ' schedule+0x5a/0xd0' 5 ' rwsem_down_write_slowpath+0x2f2/0x6c0' 6 ' vm_mmap_pgoff+0xd2/0x170' 7 'Kernel panic - not syncing: hung_task: blocked tasks' > "$t/hung"
	of_log "$t/hung" memowner | grep -q 'mariadbd (437) blocked for more than 120 s, by the log, in rwsem_down_write_slowpath, vm_mmap_pgoff$'
	# It went on.
	sed '$s/.*/[  460.000007] something else/' "$t/hung" > "$t/on"
	of_log "$t/on" memowner | grep -q -x 'stuck     mariadbd (437) blocked for more than 120 s, by the log, in rwsem_down_write_slowpath, vm_mmap_pgoff; 2.7min before the end'
	# It has no report, of which `log` would have a row.
	of_log "$t/on" memowner | grep -q -x "  memowner story -L $t/on  # .*"
	has_no_line 'memowner log' <(of_log "$t/on" memowner)
	# What such a log does not tell is null.
	of_log "$t/on" memowner -j | "$TESTS/tools/validate"
}

@test "lines of two reports in one another, without callers: the summary has no figure that may be of either, and says so" {
	local t=$BATS_TEST_TMPDIR

	printf '[  100.%06d] %s\n' 1 'b: page allocation failure: order:5, mode:0x40dc0(GFP_KERNEL|__GFP_COMP|__GFP_ZERO), nodemask=(null),cpuset=/,mems_allowed=0' \
		2 'a invoked oom-killer: gfp_mask=0x140cca(GFP_HIGHUSER_MOVABLE|__GFP_COMP), order=0, oom_score_adj=0' 3 'Mem-Info:' \
		4 'active_anon:1 inactive_anon:2 isolated_anon:0' 4 ' free:3 free_pcp:0 free_cma:0' 5 'Mem-Info:' \
		6 'active_anon:5 inactive_anon:6 isolated_anon:0' 6 ' free:7 free_pcp:0 free_cma:0' > "$t/two"
	of_log "$t/two" memowner -j > "$t/json" || [ $? = 1 ]
	jq -s -e 'any(.record == "summary" and .complete == false and
		any(.unknown[]; .part == "figures of reports" and (.reason | startswith("lines of two reports stand in one another"))))' "$t/json"
}

@test "a CPU that did not get on: which one, for how long, and what it ran" {
	local t=$BATS_TEST_TMPDIR

	printf '[   46.%06d] %s\n' 1 'rcu: INFO: rcu_preempt self-detected stall on CPU' 2 'rcu: 	1-....: (2535 ticks this GP) idle=e82c/1/0x4' \
		3 '	(t=5251 jiffies g=769 q=5453 ncpus=2)' 4 'CPU: 1 PID: 115 Comm: ethercat-master Not tainted 6.1.0-50-cloud-amd64 #1' \
		5 'Kernel panic - not syncing: RCU Stall' 6 'CPU: 1 PID: 115 Comm: ethercat-master Not tainted 6.1.0-50-cloud-amd64 #1' > "$t/rcu"
	# How long a jiffy is, and how the task was scheduled, is not in a log.
	of_log "$t/rcu" memowner | grep -q -x 'panic     RCU Stall: ethercat-master (115) was on CPU 1, which stalled for 5251 jiffies, by the log'
	of_log "$t/rcu" memowner -j > "$t/json"
	"$TESTS/tools/validate" < "$t/json"
	jq -e -s 'map(select(.record == "panic"))[0] | .cpu == 1 and .stall_ns == null and .sched_policy == null' "$t/json"
	# The one that panicked is not the one that stalled: whose task that was is unknown.
	sed '2s/1-/3-/' "$t/rcu" > "$t/other"
	of_log "$t/other" memowner | grep -q -x 'panic     RCU Stall: CPU 3 stalled for 5251 jiffies, by the log'
	printf '[   46.%06d] %s\n' 1 'watchdog: BUG: soft lockup - CPU#1 stuck for 26s! [poll:9]' 2 'Kernel panic - not syncing: softlockup: hung tasks' > "$t/soft"
	of_log "$t/soft" memowner | grep -q -x 'panic     softlockup: hung tasks: poll (9) was on CPU 1, which stalled for 26.0s, by the log'
	sed '1a [   46.000001] RIP: 0010:edge_wait+0x9/0x20 [edge]' "$t/soft" > "$t/place"
	of_log "$t/place" memowner | grep -q -x 'panic     softlockup: hung tasks: poll (9) was on CPU 1, which stalled for 26.0s in edge_wait \[edge\], by the log'
	# Of a stall that did not end the kernel nothing is said.
	sed '$s/RCU Stall/sysrq triggered crash/; 5s/RCU Stall/sysrq triggered crash/' "$t/rcu" > "$t/on"
	of_log "$t/on" memowner | grep -q -x 'panic     sysrq triggered crash: ethercat-master (115) was on CPU 1'
}

# of_form FILE SED: a report of our own with something before each line, which is no part of it
of_form() {
	sed "$2" "$BATS_TEST_TMPDIR/plain" > "$BATS_TEST_TMPDIR/$1"
	of_log "$BATS_TEST_TMPDIR/$1" log -j | jq -c 'select(.record == "row") | del(.ts_ns, .log_date)' > "$BATS_TEST_TMPDIR/got"
	diff "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/got" || { echo "$1"; false; }
}

@test "kernels of phones, terminal servers, loggers without a host: the same report" {
	local t=$BATS_TEST_TMPDIR pid

	forms
	of_log "$t/plain" log -j | jq -c 'select(.record == "row") | del(.ts_ns, .log_date)' > "$t/want"
	[ "$(wc -l < "$t/want")" = 1 ]
	pid=$(jq .pid "$t/want")
	of_form mediatek "s/^\(\[[^]]*\]\) /<4>\1 -(1)[$pid:report-builder]/"
	of_form hisilicon "s/^\[\([^]]*\)\] /<4>[\1s][pid:$pid,cpu1,report-builder]/"
	of_form samsung "s/^\(\[[^]]*\]\) /<4>\1  [1: report-builder:  $pid] /"
	of_form motorola "s/^\(\[[^]]*\]\) /<4>\1 c1    $pid /"
	of_form terminal 's/^/[2026-11-23 04:42:26] /'
	of_form bare 's/^/2026-11-23T04:42:26.123456Z /'
	of_form no-host 's/^\[[^]]*\] /Nov 23 04:42:26 kernel: /'
	of_form metalog 's/^\[[^]]*\] /Nov 23 04:42:26 [kernel] /'
	of_form busybox 's/^\[[^]]*\] /Nov 23 04:42:26 box kern.warn kernel: /'
	of_form page 's/</\&lt;/g; s/$/<br>/; 1s/^/<pre><code>/; $s/$/<\/code><\/pre>/'
	of_form tag 's/^\[[^]]*\] /kernel: /'
	# rsyslog has a line once more; a lost newline puts the next line behind the path of a cgroup.
	of_form repeated 's/^\(\[[^]]*\]\) \(Node 0 hugepages.*\)$/Nov 23 04:42:26 box kernel: \1 \2\nNov 23 04:42:26 box kernel: message repeated 2 times: [ \1 \2]/; t; s/^/Nov 23 04:42:26 box kernel: /'
}

@test "a fork that pids.max refused is in the log, in the summary of a log and in the story" {
	local t=$BATS_TEST_TMPDIR

	forms
	sed '/invoked oom-killer/i [  337.000000] cgroup: fork rejected by pids controller in /web.service' "$t/plain" > "$t/fork"
	of_log "$t/fork" log | grep -q -x 'warning: pids.max refused a fork in cgroup /web.service, at second 337.000000'
	of_log "$t/fork" log -j | tail -n 1 | jq -e '.warnings | index("pids.max refused a fork in cgroup /web.service, at second 337.000000")'
	of_log "$t/fork" memowner | grep -q -x 'log       pids.max refused a fork in cgroup /web.service, by the log, 692ms before the panic'
	of_log "$t/fork" story | grep -q 'pids.max refused a fork in cgroup /web.service. \[memowner log\]'
	has_no_line -q 'refused a fork' <(of_log "$t/plain" memowner; of_log "$t/plain" log; of_log "$t/plain" story)
	# A path that is a record of its own is unknown; of several cgroups the last is told.
	sed '/invoked oom-killer/i [  337.000000] cgroup: fork rejected by pids controller in \n[  337.000001] cgroup: fork rejected by pids controller in ' "$t/plain" > "$t/two"
	of_log "$t/two" log | grep -q -x 'warning: pids.max refused a fork in cgroup of an unknown name, at second 337.000001; there are such lines of others before'
	# The story has the first as well; of a limit of open files, too.
	sed '/invoked oom-killer/i [  336.000000] cgroup: fork rejected by pids controller in /first.service\n[  336.100000] VFS: file-max limit 24000 reached\n[  337.000000] cgroup: fork rejected by pids controller in /web.service' "$t/plain" > "$t/three"
	of_log "$t/three" story > "$t/story"
	grep -q '336.000000  pids.max refused a fork in cgroup /first.service, the first that is logged. \[memowner log\]' "$t/story"
	grep -q '336.100000  open files reached their limit (fs.file-max). \[memowner log\]' "$t/story"
	grep -q '337.000000  pids.max refused a fork in cgroup /web.service. \[memowner log\]' "$t/story"
}

# in_cgroup COLUMNS ROWS STATISTICS: a report of a cgroup that has 100 MiB and may have no more
in_cgroup() {
	sed 's/^/[  100.000000] /' <<-END
		a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
		CPU: 0 UID: 0 PID: 5 Comm: a Not tainted 6.12.107 #1
		memory: usage 102400kB, limit 102400kB, failcnt 58
		Memory cgroup stats for /box:
		$3
		Tasks state (memory values in pages):
		[  pid  ]   uid  tgid total_vm      rss $1pgtables_bytes swapents oom_score_adj name
		$2
		oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/box,task_memcg=/box,task=b,pid=6,uid=0
		Memory cgroup out of memory: Killed process 6 (b) total-vm:58412kB, anon-rss:0kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:136kB oom_score_adj:0
	END
}

@test "a cgroup of a log: shares are of its limit, its counters tell who has most, kernel is not left out" {
	local t=$BATS_TEST_TMPDIR own='rss_anon rss_file rss_shmem ' other='[      6]     0     6    14603        1 '

	in_cgroup "$own" "[      5]     0     5    14603     7700   7168 20 512 40960 0 0 a
$other 1 0 0 40960 0 0 b" $'anon 29360128\nfile 73400320\nshmem 2097152\nkernel 28672\npagetables 20480\nslab 4096' | pad_rows > "$t/own"
	# Packets of sockets are no kernel memory of cgroup v2.
	in_cgroup "$own" "[      5]     0     5    14603     5200   5120 80 0 40960 0 0 a
$other 1 0 0 40960 0 0 b" $'anon 20971520\nfile 0\nshmem 0\nkernel 28672\nsock 73400320\npagetables 20480\nslab 4096' | pad_rows > "$t/sock"
	of_log "$t/sock" | grep -q -x 'holder    packets in queues of sockets: 70.0M, 70.0% of the limit (whose these are this log does not tell)'
	of_log "$t/own" > "$t/text"
	grep -q -x 'trigger   a (5) asked last and has 28.0M of anonymous memory, 28.0% of the limit; the OOM killer killed b (6) of 0B by its counters, which may lack what is not added to them yet' "$t/text"
	grep -q -x 'holder    page cache of files: 68.0M, 68.0% of the limit' "$t/text"
	# A part of a process is much or not beside the limit, RAM is not known.
	grep -q -x 'processes a (5): anon 28.0M, shared memory 2.0M' "$t/text"
	refute grep '% of RAM' "$t/text"
	# Without a column of its own memory there is its rss.
	in_cgroup '' "[      5]     0     5    14603     1000 40960 0 0 a
$other 40960 0 0 b" $'anon 114688\nfile 4096\nshmem 0\nkernel 104738816\npagetables 20480\nslab 1790744' | pad_rows > "$t/kernel"
	of_log "$t/kernel" > "$t/text"
	grep -q -x 'holder    kernel objects that are charged to it: 99.9M, 99.9% of the limit' "$t/text"
	grep -q 'a (5) asked last; its rss is 3.9M, files among it' "$t/text"
	grep -q -x '  cgroup    100.0M      -  /box: limit of 100.0M; other kernel memory 98.2M, slab 1.7M, anon 112.0K' "$t/text"
	# Counters that leave much of it unexplained tell of nobody that he has most, nor does a limit of other memory.
	sed 's/kernel 104738816/kernel 0/' "$t/kernel" > "$t/part"
	has_no_line '^holder' <(of_log "$t/part")
	sed 's/usage 102400kB, limit 102400kB/usage 40000kB, limit 9007199254740988kB/; /Memory cgroup stats/i [  100.000000] kmem: usage 512kB, limit 512kB, failcnt 7' "$t/own" > "$t/kmem"
	of_log "$t/kmem" > "$t/text"
	refute grep -E '^holder|% of ' "$t/text"
	# More in its parts than in all: the sum of them is no counter.
	sed 's/kernel 104738816/kernel 4096/' "$t/kernel" > "$t/less"
	has_no_line 'other kernel memory' <(of_log "$t/less")
}

@test "what a process cannot have but of shared memory is not told a second time as that" {
	local t=$BATS_TEST_TMPDIR

	shared() {	# ANON
		sed 's/^/[  100.000000] /' <<-END
			b invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
			CPU: 0 PID: 120 Comm: b Not tainted 6.1.107 #1
			Mem-Info:
			active_anon:0 inactive_anon:$((29568 + $1)) isolated_anon:0
			 active_file:20 inactive_file:30 isolated_file:0
			 unevictable:0 dirty:0 writeback:0
			 slab_reclaimable:500 slab_unreclaimable:3800
			 mapped:29000 shmem:29568 pagetables:200
			 free:2000 free_pcp:0 free_cma:0
			65536 pages RAM
			Tasks state (memory values in pages):
			[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
			[ 108] 0 108 26873 26590 253952 0 0 renderd
			[ 120] 0 120 10525 10180 118784 0 0 b
			oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/,task=b,pid=120,uid=0
			Out of memory: Killed process 120 (b) total-vm:42100kB, anon-rss:40068kB, file-rss:4kB, shmem-rss:648kB, UID:0 pgtables:116kB oom_score_adj:0
		END
	}
	shared 13696 > "$t/same"
	of_log "$t/same" > "$t/text"
	grep -q -x 'holder    renderd (108): 103.9M, 40.6% of RAM (files and shared memory among it)' "$t/text"
	# It may be anonymous as well.
	shared 30000 > "$t/unknown"
	of_log "$t/unknown" > "$t/text"
	grep -q -x 'holder    tmpfs and shared memory: 115.5M, 45.1% of RAM; and renderd (108): 103.9M, 40.6% of RAM (files and shared memory among it); a part may be the same memory' "$t/text"
}

@test "page tables are of a process where its row has them, and unknown where no row tells" {
	local t=$BATS_TEST_TMPDIR

	tables() {	# COLUMN ROW...
		sed 's/^/[  100.000000] /' <<-END
			b invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
			CPU: 0 UID: 0 PID: 120 Comm: b Not tainted 6.12.107 #1
			Mem-Info:
			active_anon:600 inactive_anon:0 isolated_anon:0
			 slab_reclaimable:9000 slab_unreclaimable:9000
			 free:500 free_pcp:0 free_cma:0 pagetables:33000 shmem:0
			65536 pages RAM
			Tasks state (memory values in pages):
			[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem $1 swapents oom_score_adj name
			$2
			oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/,task=b,pid=120,uid=0
			Out of memory: Killed process 120 (b) total-vm:200000kB, anon-rss:0kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:80kB oom_score_adj:0
		END
	}
	tables pgtables_bytes "[ 120] 0 120 50000 3 0 3 0 134217728 0 0 b" > "$t/one"
	of_log "$t/one" > "$t/text"
	grep -q -x 'holder    b (120): 128.0M, 50.0% of RAM (page tables)' "$t/text"
	grep -q '^trigger   b (120) asked last; it is the holder; ' "$t/text"
	tables pgtables_bytes "[ 120] 0 120 50000 3 0 3 0 4096 0 0 b" > "$t/little"
	of_log "$t/little" | grep -q -x 'holder    page tables that no row of the table of processes has: 128.9M, 50.4% of RAM'
	tables nr_ptes "[ 120] 0 120 50000 3 0 3 0 9000 0 0 b" > "$t/older"
	of_log "$t/older" | grep -q -x 'holder    page tables of processes that are not known: 128.9M, 50.4% of RAM'
}

@test "what no counter has is one figure, whatever caches the log lists" {
	local t=$BATS_TEST_TMPDIR

	forms
	sed '/\] Tasks state/i [  337.614278] Unreclaimable slab info:\n[  337.614278] Name                      Used          Total\n[  337.614278] kmalloc-cg-512       19156KB      19176KB
		s/ active_anon:[0-9]*/ active_anon:9/; s/ inactive_anon:[0-9]*/ inactive_anon:9/; s/active_anon:9kB/active_anon:36kB/g' "$t/plain" > "$t/rest"
	of_log "$t/rest" > "$t/text"
	grep -q '^caches    kmalloc-cg-512 18.7M' "$t/text"
	# The kernel lists those that cannot be reclaimed.
	grep -q '^unknown   .*, caches that can be reclaimed, ' "$t/text"
	refute grep 'can be reclaimed' <<< "$(of_log "$t/plain")"
	rest=$(awk '$1 == "rest" { print $2 }' "$t/text")
	grep -q "^holder    memory that no line of the report has: $rest, " "$t/text"
}

@test "unevictable memory is nobody's but of what a process may have locked" {
	local t=$BATS_TEST_TMPDIR

	locked() {	# PAGES RSS
		sed 's/^/[  100.000000] /' <<-END
			b invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
			CPU: 0 UID: 0 PID: 120 Comm: b Not tainted 6.12.107 #1
			Mem-Info:
			active_anon:600 inactive_anon:9000 isolated_anon:0
			 unevictable:$1 dirty:0 writeback:0
			 slab_reclaimable:6000 slab_unreclaimable:6000
			 free:500 free_pcp:0 free_cma:0 pagetables:300 shmem:0
			65536 pages RAM
			Tasks state (memory values in pages):
			[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name
			[ 120] 0 120 50000 $2 $2 0 0 4096 0 0 b
			oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/,task=b,pid=120,uid=0
			Out of memory: Killed process 120 (b) total-vm:200000kB, anon-rss:0kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:80kB oom_score_adj:0
		END
	}
	locked 30720 9600 > "$t/ramfs"
	of_log "$t/ramfs" > "$t/text"
	grep -q -x 'holder    unevictable memory (ramfs, or locked) that no process is known to have: 82.5M, 32.2% of RAM' "$t/text"
	# It may have locked all.
	locked 30720 40320 > "$t/mlock"
	of_log "$t/mlock" | grep -q '^holder    b (120), which was killed: 157.5M, '
}

@test "zones that a report leaves out are those the request may not use, and kernel objects are in the others" {
	local t=$BATS_TEST_TMPDIR

	hidden() {	# RESERVE GFP
		sed 's/^/[  100.000000] /' <<-END
			b invoked oom-killer: gfp_mask=0xcc0($2), order=0, oom_score_adj=0
			CPU: 0 UID: 0 PID: 120 Comm: b Not tainted 7.3.4 #1
			Mem-Info:
			active_anon:600 inactive_anon:100 isolated_anon:0
			 unevictable:0 dirty:0 writeback:0
			 slab_reclaimable:200 slab_unreclaimable:19000
			 free:17404 free_pcp:0 free_cma:0 pagetables:300 shmem:0
			Node 0 DMA free:416kB min:196kB low:244kB high:292kB reserved_highatomic:0kB present:15992kB managed:15360kB free_cma:0kB
			lowmem_reserve[]: 0 85 85 $1 $1
			Node 0 DMA32 free:3148kB min:1032kB low:1288kB high:1544kB reserved_highatomic:0kB present:131072kB managed:87428kB free_cma:0kB
			lowmem_reserve[]: 0 0 0 $(($1 - 85)) $(($1 - 85))
			Node 0 DMA: 104*4kB (UM) = 416kB
			Node 0 DMA32: 787*4kB (UM) = 3148kB
			3000 total pagecache pages
			65392 pages RAM
			Unreclaimable slab info:
			Name                      Used          Total
			kmalloc-2k               63000KB      63100KB
			Out of memory: Killed process 120 (b) total-vm:200000kB, anon-rss:0kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:80kB oom_score_adj:0
		END
	}
	hidden 191 GFP_KERNEL > "$t/hidden"
	of_log "$t/hidden" > "$t/text"
	grep -q '^verdict   the zones of this request nearly ran out: 3.5M of 100.4M free there, 64.5M in zone Movable, which the request may not use' "$t/text"
	grep -q '^holder    slab cache kmalloc-2k: 61.6M, 61.4% of these zones' "$t/text"
	# As the memory of processes may be there too, one that has less than half of them need not have most.
	sed 's/63000KB      63100KB/43000KB      43100KB/; /Out of memory: Killed/{
		i [  100.000000] Tasks state (memory values in pages):
		i [  100.000000] [  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name
		i [  100.000000] [    120]     0   120    50000    10300    10300        0         0    81920        0             0 b
	}' "$t/hidden" > "$t/less"
	of_log "$t/less" | grep -q '^holder    of what is known: slab cache kmalloc-2k: 42.1M, 41.9% of these zones'
	# Of 64 bits there is no zone HighMem.
	hidden 191 'GFP_KERNEL|__GFP_HIGHMEM' > "$t/highmem"
	of_log "$t/highmem" | grep -q '^verdict   the zones of this request nearly ran out: 3.5M of 100.4M free there, 64.5M in zone Movable, which the request may not use'
	# No higher zone has pages: what else is free is no zone's.
	hidden 85 GFP_KERNEL > "$t/none"
	has_no_line 'may not use' <(of_log "$t/none")
	# What others are there is unknown where zone Normal is one of them.
	hidden 191 GFP_DMA32 > "$t/lower"
	has_no_line '^holder    slab cache' <(of_log "$t/lower")
}

@test "pools of huge pages of a report: what lies free in the verdict, the pool as the holder, of a node too" {
	local t=$BATS_TEST_TMPDIR

	pools() {	# NODEMASK MEMS_ALLOWED
		sed 's/^/[  100.000000] /' <<-END
			b invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0
			CPU: 0 UID: 0 PID: 120 Comm: b Not tainted 6.12.107 #1
			Mem-Info:
			active_anon:600 inactive_anon:6000 isolated_anon:0
			 active_file:0 inactive_file:0 isolated_file:0
			 unevictable:0 dirty:0 writeback:0
			 slab_reclaimable:200 slab_unreclaimable:9000 kernel_misc_reclaimable:20000
			 free:17404 free_pcp:0 free_cma:0 pagetables:300 shmem:0
			Node 0 DMA32 free:68016kB min:1032kB low:1288kB high:1544kB reserved_highatomic:0kB present:131072kB managed:127428kB free_cma:0kB
			lowmem_reserve[]: 0 0 0 0 0
			Node 1 DMA32 free:1600kB min:1796kB low:2244kB high:2692kB reserved_highatomic:0kB present:131072kB managed:127428kB free_cma:0kB
			lowmem_reserve[]: 0 0 0 0 0
			Node 0 DMA32: 17004*4kB (UM) = 68016kB
			Node 1 DMA32: 400*4kB (UM) = 1600kB
			Node 0 hugepages_total=0 hugepages_free=0 hugepages_surp=0 hugepages_size=1048576kB
			Node 0 hugepages_total=8 hugepages_free=8 hugepages_surp=0 hugepages_size=2048kB
			Node 1 hugepages_total=32 hugepages_free=30 hugepages_surp=0 hugepages_size=2048kB
			3000 total pagecache pages
			0 pages in swap cache
			Free swap  = 0kB
			Total swap = 0kB
			65392 pages RAM
			0 pages HighMem/MovableOnly
			1678 pages reserved
			oom-kill:constraint=CONSTRAINT_$1,cpuset=/,mems_allowed=$2,global_oom,task_memcg=/b,task=b,pid=120,uid=0
			Out of memory: Killed process 120 (b) total-vm:200000kB, anon-rss:20000kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:80kB oom_score_adj:0
		END
	}
	pools 'NONE,nodemask=(null)' 0-1 | sed 's/free:17404/free:1004/; s/free:68016kB/free:2416kB/' > "$t/all"
	of_log "$t/all" > "$t/text"
	grep -q '^verdict   memory ran out: 3.9M of 255.4M was free, 1.5%; no swap; 76.0M of 80.0M in huge pages of 2.0M lie free, for hugetlbfs alone' "$t/text"
	# How many are reserved no report has.
	refute grep '^frees it' "$t/text"
	grep -q -x 'holder    hugetlb pool of 2.0M pages: 80.0M, 31.3% of RAM (38 of 40 are free)' "$t/text"
	grep -q -x '  hugetlb    80.0M  31.3%  2.0M pages: 38 of 40 are free' "$t/text"
	# Whether what no line has is in such pages is unknown where their lines are lost.
	sed '/ hugepages_/d' "$t/all" > "$t/lost"
	of_log "$t/lost" | grep -q '^  rest .*%  no line has it that could be read, and none tells of huge pages$'
	# Those of a node that the request may use are in its zones.
	pools 'MEMORY_POLICY,nodemask=1' 0-1 > "$t/node"
	of_log "$t/node" > "$t/text"
	grep -q '^verdict   zone DMA32 of node 1, to which the memory policy of the request binds it, ran out: 1.6M of 124.4M free there' "$t/text"
	grep -q '^holder    hugetlb pool of 2.0M pages: about 64.0M of its 80.0M, 51.4% of zone DMA32 of node 1 (38 of 40 are free)' "$t/text"
	sed 's/MEMORY_POLICY,nodemask=1,cpuset=\/,mems_allowed=0-1/CPUSET,nodemask=(null),cpuset=db,mems_allowed=1/' "$t/node" > "$t/cpuset"
	of_log "$t/cpuset" | grep -q '^verdict   zone DMA32 of node 1, to which the cpuset of the request binds it, ran out: '
	# Below its mark a zone gives no page, of whatever blocks: those of a zone, and of one that is not asked, need not be there.
	sed '/: [0-9]*\*4kB /d' "$t/node" > "$t/marks"
	of_log "$t/marks" | grep -q '^verdict   zone DMA32 of node 1, to which the memory policy of the request binds it, ran out: 1.6M of 124.4M free there'
	# What the line of that node has, whose processes no line tells.
	sed '/Node 0 DMA32 free/{
h
s/.*/[  100.000000] Node 0 active_anon:800kB inactive_anon:400kB isolated(anon):0kB shmem:0kB all_unreclaimable? yes/p
s/.*/[  100.000000] Node 1 active_anon:90000kB inactive_anon:8000kB isolated(anon):0kB shmem:88064kB all_unreclaimable? yes/p
x
}' "$t/node" > "$t/shared"
	of_log "$t/shared" | grep -q -x 'holder    tmpfs and shared memory: 86.0M, 69.1% of zone DMA32 of node 1'
	sed 's/ shmem:88064kB//' "$t/shared" > "$t/lists"
	of_log "$t/lists" | grep -q '^holder    anonymous and shared memory whose processes are not known: 95.7M, 76.9% of zone DMA32 of node 1$'
	# Two sizes: which of them is where is not told.
	sed '/Node 1 hugepages/s/2048kB/4096kB/' "$t/node" > "$t/sizes"
	has_no_line '^holder    hugetlb' <(of_log "$t/sizes")
}

@test "swap of a group whose table has no column of anonymous memory is as each counts it" {
	local t=$BATS_TEST_TMPDIR

	{
		echo 'worker invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0'
		echo 'Tasks state (memory values in pages):'
		echo '[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name'
		printf '[    %d]     0   %d    20000     6000    81920     7000             0 worker\n' 201 201 202 202 203 203
		echo '[    300]     0   300    20000     1000    81920      100             0 alone'
		echo 'Out of memory: Killed process 201 (worker) total-vm:80000kB, anon-rss:20000kB, file-rss:4000kB, shmem-rss:0kB, UID:0 pgtables:80kB oom_score_adj:0'
	} | sed 's/^/[  100.000000] /' > "$t/log"
	of_log "$t/log" > "$t/text"
	grep -q '^  process .* 3 processes worker, .*files and shared memory among it, swap as each counts it, what fork shares too, in swap 82.0M' "$t/text"
	grep -q '^  process .* alone (300), files and shared memory among it, in swap 400.0K$' "$t/text"
}

@test "a block or two that were freed behind a request of an order: hardly any was free" {
	local t=$BATS_TEST_TMPDIR

	pieces() {	# BLOCKS
		sed 's/^/[  100.000000] /' <<-END
			b invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=2, oom_score_adj=0
			CPU: 0 UID: 0 PID: 120 Comm: b Not tainted 6.12.107 #1
			Mem-Info:
			active_anon:600 inactive_anon:100 isolated_anon:0
			 unevictable:0 dirty:0 writeback:0
			 free:21500 free_pcp:0 free_cma:0 pagetables:300 shmem:0
			Node 0 DMA32 free:86000kB min:1716kB low:2000kB high:2200kB reserved_highatomic:0kB present:254000kB managed:250000kB free_cma:0kB
			lowmem_reserve[]: 0 0 0 0
			Node 0 DMA32: 21480*4kB (UM) 2*8kB (UE) $1*16kB (E) = 86000kB
			3000 total pagecache pages
			65536 pages RAM
			oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/,task=b,pid=120,uid=0
			Out of memory: Killed process 120 (b) total-vm:200000kB, anon-rss:0kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:80kB oom_score_adj:0
		END
	}
	pieces 4 > "$t/few"
	of_log "$t/few" | grep -q '^verdict   hardly a free block of order 2 or above: 64.0K of the 84.0M free was in such blocks'
	pieces 400 > "$t/many"
	has_no_line 'hardly' <(of_log "$t/many")
}

@test "a thread that asked is in the table of its process" {
	forms
	sed -E '/\] \[ *514\] /s/514\]( +[0-9]+ +)514/600]\1514/' "$BATS_TEST_TMPDIR/plain" > "$BATS_TEST_TMPDIR/thread"
	of_log "$BATS_TEST_TMPDIR/plain" | grep '^trigger' > "$BATS_TEST_TMPDIR/want"
	refute grep 'is unknown' "$BATS_TEST_TMPDIR/want"
	of_log "$BATS_TEST_TMPDIR/thread" | grep '^trigger' | diff "$BATS_TEST_TMPDIR/want" -
}

# Two reports of the OOM killer with their tables of tasks: a process that grew, between them.
grown() {
	local second rss swap

	echo '[    0.000000] BIOS-e820: [mem 0x0000000000000000-0x000000000009fbff] usable'
	for second in 100 300; do
		[ "$second" = 100 ] && rss=10496 swap=0 || rss=97280 swap=256
		echo "[  $second.000000] spike invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
[  $second.000001] Tasks state (memory values in pages):
[  $second.000002] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
[  $second.000003] [    812]     0   812   200000   $rss    53248      $swap             0 reportd
[  $second.000004] [     90]     0    90     4000     2000    53248        0             0 spike
[  $second.000005] oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/,task=spike,pid=90,uid=0
[  $second.000006] Out of memory: Killed process 90 (spike) total-vm:16000kB, anon-rss:8000kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:52kB oom_score_adj:0"
	done | pad_rows
}

@test "who grew between two tables of tasks has a row of memowner log, and is no warning" {
	local t=$BATS_TEST_TMPDIR

	grown > "$t/two"
	of_log "$t/two" log > "$t/text"
	grep -q -x 'Who grew, by the first and the last whole table of tasks:' "$t/text"
	[ "$(grep -A 2 '^Who grew' "$t/text" | tail -n 1 | xargs)" = '100.000002 300.000002 812 reportd 1 1 41.0M 380.0M 0B 1.0M -' ]
	refute grep -q 'warning: who grew' "$t/text"
	# The rows of the newest report follow.
	[ "$(grep -c 'reportd' "$t/text")" = 2 ]
	of_log "$t/two" log -j | jq -e -s 'map(select(.record == "growth")) | length == 1 and (.[0] | .pid == 812
		and .comm == "reportd" and .first_table_ns == 100000002000 and .ts_ns == 300000002000
		and .first_rss_bytes == 42991616 and .rss_bytes == 398458880 and .first_swap_bytes == 0
		and .swap_bytes == 1048576 and .memcg == null)'
	# One table has nothing to be compared with.
	sed '/\[  300/d' "$t/two" > "$t/one"
	of_log "$t/one" log -j | jq -e -s 'map(select(.record == "growth")) == []'
	has_no_line -q 'Who grew' <(of_log "$t/one" log)
}

@test "requests for address space that vm.overcommit_memory refused: who asked, in rows and in the summary" {
	local t=$BATS_TEST_TMPDIR

	{ echo '[    0.000000] Linux version 6.12.107 (root@kernel) #1 SMP'
	  echo '[    7.277530] __vm_enough_memory: pid: 163, comm: cronjob, bytes: 314572800 not enough memory for the allocation'
	  echo '[    7.317007] __vm_enough_memory: pid: 162, comm: importd, bytes: 62914560 not enough memory for the allocation'
	  echo '[    7.503984] __vm_enough_memory: pid: 162, comm: importd, bytes: 31457280 not enough memory for the allocation'
	  echo '[   14.065309] Kernel panic - not syncing: sysrq triggered crash'; } > "$t/refused"
	of_log "$t/refused" log > "$t/text"
	grep -q -x 'Requests for address space that vm.overcommit_memory refused:' "$t/text"
	[ "$(grep ' importd ' "$t/text" | xargs)" = '7.503984 162 importd 2 60.0M' ]
	of_log "$t/refused" log -j | jq -e -s 'map(select(.record == "refusal") | [.pid, .comm, .refused, .largest_request_bytes])
		== [[162, "importd", 2, 62914560], [163, "cronjob", 1, 314572800]]'
	of_log "$t/refused" memowner > "$t/summary" || true
	grep -q -x 'log       vm.overcommit_memory refused 3 requests for address space, by the log, the last 6.6s before the end: importd (162) up to 60.0M 2 times, cronjob (163) 300.0M' "$t/summary"
	# Lines that the kernel left out, for their rate.
	sed '/importd, bytes: 3/i [    7.400000] __vm_enough_memory: 12 callbacks suppressed' "$t/refused" > "$t/more"
	of_log "$t/more" log | grep -q -x 'warning: the kernel left out 12 lines on refused requests: it limits their rate'
	of_log "$t/more" memowner > "$t/summary" || true
	grep -q ' refused at least 3 requests ' "$t/summary"
}

@test "limits of other things than memory that the log says were reached" {
	local t=$BATS_TEST_TMPDIR

	forms
	sed '/invoked oom-killer/i [  337.000000] VFS: file-max limit 3600 reached\n[  337.000001] nf_conntrack: nf_conntrack: table full, dropping packet\n[  337.000001] TCP: out of memory -- consider tuning tcp_mem\n[  337.000001] neighbour: arp_cache: neighbor table overflow!\n[  337.000001] vmap allocation for size 4198400 failed: use vmalloc=<size> to increase size\n[  337.000001] vmalloc_node_range for size 8392704 failed: Address range restricted to 0xffffffffc0000000 - 0xffffffffff000000' "$t/plain" > "$t/limits"
	of_log "$t/limits" > "$t/text"
	for said in 'open files reached their limit (fs.file-max 3,600)' 'the table of connections was full and packets were dropped (net.netfilter.nf_conntrack_max)' \
		'TCP sockets had more memory than they may (net.ipv4.tcp_mem)' 'the table of neighbours was full (net.ipv4.neigh.default.gc_thresh3)' \
		'a range of kernel addresses had no room for an area (4.0M)' 'a range of kernel addresses had no room for an area (8.0M)'; do
		grep -q -F "$said, by the log, 692ms before the panic" "$t/text"
	done
	of_log "$t/limits" log | grep -q '^warning: open files reached their limit (fs.file-max 3,600), at second 337.000000; the table of connections '
	# As a program may quote it.
	sed 's/ reached$/ reached, says a program/; s/ VFS: / app: VFS: /; /table full/d; s/ vmap / app: vmap /; s/ vmalloc_node_range / app: vmalloc_node_range /; /tuning tcp_mem/d; /neighbor table/d' "$t/limits" > "$t/quoted"
	has_no_line 'by the log,' <(of_log "$t/quoted")
	has_no_line 'their limit' <(of_log "$t/quoted" log)
}

@test "the end of a log, with the panic and without the report: memory ran out" {
	local t=$BATS_TEST_TMPDIR

	forms
	tail -n 40 "$t/plain" > "$t/tail"
	of_log "$t/tail" | grep -q -x 'verdict   memory ran out: how much was free is not in this log; panic by panic_on_oom=1'
	of_log "$t/tail" log -j | jq -c 'select(.record == "row") | [.report, .comm, .outcome, .constraint, .basis]' > "$t/got"
	[ "$(cat "$t/got")" = '["oom",null,"panicked","CONSTRAINT_NONE","derived"]' ]
}

@test "a first line in a form that is unknown: no report is told, and that it is so" {
	local t=$BATS_TEST_TMPDIR

	forms
	sed 's/\(report-builder invoked\)/(1) [x:\1/' "$t/plain" > "$t/odd"
	of_log "$t/odd" log > "$t/got"
	refute grep -q 'the log has no report' "$t/got"
	grep -q -x 'warning: 1 first line is of a report in a form that is unknown: what belongs to it is not told' "$t/got"
}

@test "flags of a request, whose names a log does not have: the words that are in it" {
	local t=$BATS_TEST_TMPDIR/text

	forms
	of_log "$BATS_TEST_TMPDIR/plain" log -f gfp=GFP_HIGHUSER_MOVABLE -j | jq -e -s 'map(select(.record == "row")) | length == 1'
	of_log "$BATS_TEST_TMPDIR/plain" log -f gfp=GFP_NOSUCH > "$t"
	grep -q '^filters kept 0 of ' "$t"
}

@test "a text that ends without a panic says up to when it tells that nothing was reported" {
	local t=$BATS_TEST_TMPDIR/text

	printf '[    %s] %s\n' 0.000000 'Linux version 6.12.107 (gcc) #1 SMP' 6.021940 'systemd[1]: Started x.' > "$t"
	of_log "$t" log > "$t.said"
	diff "$t.said" - <<-END
		the log has no report of memory that ran out
		warning: the log ends 6.0s after boot without a panic: what was reported behind its end is not in it
	END
	echo '[    7.000000] Kernel panic - not syncing: sysrq triggered crash' >> "$t"
	[ "$(of_log "$t" log)" = 'the log has no report of memory that ran out' ]
}

@test "what is no log: one line, status 1" {
	local t=$BATS_TEST_TMPDIR

	: > "$t/empty"
	tac "$BUILD/samples/6.12-stock-oom/truth/console" > "$t/back"
	one_line "'$t/back': its lines are newest first, as journalctl -r has them: save them oldest first, as tac does" "$t/back"
	one_line "'$t/empty': no line is one of a kernel's log" "$t/empty"
	one_line "'$MEMOWNER': no line is one of a kernel's log" "$MEMOWNER"
	one_line "cannot read the file '$t': Is a directory" "$t"
	one_line "cannot read the file '$t/none': No such file or directory" "$t/none"
	one_line "'$BUILD/samples/6.12-stock-oom/vmcore': a dump, no log: memowner $BUILD/samples/6.12-stock-oom/vmcore" "$BUILD/samples/6.12-stock-oom/vmcore"
	for f in /dev/zero -; do
		one_line "'$f': a log is read from a regular file: save it in one, which may be of gzip" "$f"
	done
	forms
	head -c 1000 "$t/plain.gz" > "$t/cut.gz"
	one_line "the file '$t/cut.gz' is truncated: its gzip data end early" "$t/cut.gz"
	iconv -f latin1 -t utf-16 "$t/plain" > "$t/wide"
	one_line "the file '$t/wide' is UTF-16: save it as UTF-8, as iconv -f UTF-16 does" "$t/wide"
	for order in LE BE; do
		iconv -f latin1 -t utf-16$order "$t/plain" > "$t/wide"
		one_line "the file '$t/wide' is UTF-16 without a mark: save it as UTF-8, as iconv -f UTF-16$order does" "$t/wide"
	done
	xz -0 -c "$t/plain" > "$t/plain.xz"
	one_line "the file '$t/plain.xz' is compressed by xz: uncompress it first" "$t/plain.xz"
}

@test "a file of 2 GiB, or 600 MiB: bounded memory" {
	local t=$BATS_TEST_TMPDIR

	forms
	cp "$t/plain" "$t/large"
	truncate -s $((BRIEF ? 600 : 2048))M "$t/large"
	(ulimit -v 400000; of_log "$t/large" memowner -j) > "$t/got"
	of_log "$t/plain" memowner -j > "$t/want"
	diff <(statements < "$t/want") <(statements < "$t/got")
	rm "$t/large"
}

@test "the command line: what a log has no answer to, and what cannot be meant" {
	run --separate-stderr "$MEMOWNER" --log x zones
	[ "$status" = 2 ]
	[ "$stderr" = 'memowner: zones needs a dump: of a log there are memowner, log and story' ]
	for words in '-n 2 zones' '-j zones' '-f name=x zones' 'memowner -n 2 zones'; do
		run --separate-stderr "$MEMOWNER" --log x $words
		[ "$status" = 2 ]
		[ "$stderr" = 'memowner: zones needs a dump: of a log there are memowner, log and story' ]
	done
	of_log "$BUILD/samples/6.12-oom/truth/console" -n 2 log | grep -q '^ *TIME '
	run --separate-stderr "$MEMOWNER" --log x "$BUILD/samples/6.12-oom/vmcore"
	[ "$status" = 2 ]
	[[ $stderr == *'is read without a dump, and '*' is given' ]]
	for option in "-H $BATS_TEST_TMPDIR/page" "-d $BATS_TEST_TMPDIR/json"; do
		run --separate-stderr "$MEMOWNER" --log "$BUILD/samples/6.12-oom/truth/console" $option
		[ "$status" = 2 ]
		[ "$stderr" = 'memowner: --log (-L) has neither -d nor -H: these need a dump' ]
	done
	run --separate-stderr "$MEMOWNER" --log x -p
	[ "$status" = 2 ]
	of_log "$BUILD/samples/6.12-oom/truth/console" memowner -j > "$BATS_TEST_TMPDIR/named"
	of_log "$BUILD/samples/6.12-oom/truth/console" -j | diff "$BATS_TEST_TMPDIR/named" -
	"$MEMOWNER" log -L "$BUILD/samples/6.12-oom/truth/console" -j > "$BATS_TEST_TMPDIR/behind"
	of_log "$BUILD/samples/6.12-oom/truth/console" log -j | diff - "$BATS_TEST_TMPDIR/behind"
}

@test "a machine that was dumped in the midst of a report: the one before it of the same task says what it would" {
	local t=$BATS_TEST_TMPDIR

	cat > "$t/log" <<-'END'
		[    1.000000] Linux version 6.12.0 (a@b)
		[   80.000000] charger invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
		[   80.000001] memory: usage 49152kB, limit 49152kB, failcnt 9
		[   80.000002] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/box,task_memcg=/box,task=charger,pid=180,uid=0
		[   80.000003] Memory cgroup out of memory: Killed process 181 (victim) total-vm:100kB, anon-rss:40000kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:44kB oom_score_adj:0
		[   80.000500] charger invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
	END
	"$BUILD/memowner" --log "$t/log" > "$t/text"
	grep -q '^verdict   cgroup /box reached its limit: ' "$t/text"
	grep -q '^OOM .*; killed victim (181); then asked again, in a report that had only begun$' "$t/text"
	# Without a report of the same moment it is unknown.
	sed -i 's/^\[   80.000500\]/[   95.000500]/' "$t/log"
	"$BUILD/memowner" --log "$t/log" > "$t/text"
	refute grep '^verdict   cgroup /box reached its limit: ' "$t/text"
}

@test "a panic after a victim gave its memory back: when it had run out, and that the end is not in the log" {
	local t=$BATS_TEST_TMPDIR

	late() {	# SECONDS
		sed 's/^/[  100.000000] /' <<-END
			b invoked oom-killer: gfp_mask=0x140cca(GFP_HIGHUSER_MOVABLE|__GFP_COMP), order=0, oom_score_adj=0
			CPU: 0 UID: 0 PID: 120 Comm: b Not tainted 6.12.107 #1
			Mem-Info:
			active_anon:600 inactive_anon:40000 isolated_anon:0
			 unevictable:0 dirty:0 writeback:0
			 free:1004 free_pcp:0 free_cma:0 pagetables:300 shmem:0
			Node 0 DMA32 free:4016kB min:4132kB low:5288kB high:6544kB reserved_highatomic:0kB present:262144kB managed:254856kB free_cma:0kB
			lowmem_reserve[]: 0 0 0 0 0
			Node 0 DMA32: 1004*4kB (UM) = 4016kB
			3000 total pagecache pages
			0 pages in swap cache
			Free swap  = 0kB
			Total swap = 0kB
			65536 pages RAM
			1678 pages reserved
			oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/b,task=b,pid=120,uid=0
			Out of memory: Killed process 120 (b) total-vm:200000kB, anon-rss:120000kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:80kB oom_score_adj:0
		END
		printf '[  10%d.000000] %s\n' "$1" 'sysrq: Trigger a crash' "$1" 'Kernel panic - not syncing: sysrq triggered crash'
	}
	late 5 > "$t/late"
	of_log "$t/late" | grep -q -x 'verdict   memory had run out 5.0s before the panic: 3.9M of 256.0M was free at the report, 1.5%, 158.6M in anon and shmem; how much was at the end this log does not have; sysrq asked for the panic'
	# Who wrote to the file; a frame that may be left over, or an interrupt of a keyboard, names no one.
	{ late 5; printf '[  105.000%s] %s\n' 010 'CPU: 0 PID: 99 Comm: node-guard Not tainted 6.12.107 #1' 020 ' __handle_sysrq.cold+0x43/0x11a' 030 ' write_sysrq_trigger+0x24/0x40'; } > "$t/written"
	of_log "$t/written" | grep -q '^verdict .*; sysrq asked for the panic: node-guard (99) wrote to /proc/sysrq-trigger$'
	sed 's/node-guard/sbd/' "$t/written" > "$t/sbd"
	of_log "$t/sbd" | grep -q '; sysrq asked for the panic: sbd (99) wrote to /proc/sysrq-trigger; by its name it fences nodes of a cluster: it ends its own where that has lost its partners or disks$'
	sed 's/ write_sysrq/ ? write_sysrq/' "$t/written" > "$t/left"
	of_log "$t/left" | grep -q '^verdict .*; sysrq asked for the panic$'
	# The figures of users are of then, and one of them is no more.
	sed '/oom-kill:/i [  100.000000] Tasks state (memory values in pages):\n[  100.000000] [  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name\n[  100.000000] [    120]     0   120    50000    30000    30000        0         0   81920        0             0 b' "$t/late" > "$t/told"
	of_log "$t/told" > "$t/text"
	grep -q '^users .*  NAME (.*; at the report, 5.0s before the panic)$' "$t/text"
	grep -q -x '  process   117.2M  45.8%  b (120), which was killed, anon' "$t/text"
	grep -q -x 'processes b (120), which was killed: anon 117.2M' "$t/text"
	late 0 > "$t/at_once"
	has_no_line 'at the report, ' <(of_log "$t/at_once")
	of_log "$t/at_once" | grep -q '^verdict   memory ran out: 3.9M of 256.0M was free'
}

@test "a panic that memory had nothing to do with: a named exception in an interrupt, the end of the first process" {
	local t=$BATS_TEST_TMPDIR

	sed 's/^/[   33.863953] /' > "$t/irq" <<-'END'
		Oops: divide error: 0000 [#1] SMP NOPTI
		CPU: 0 UID: 0 PID: 182 Comm: codec Tainted: G           OE       7.3.4 #1
		RIP: 0010:mon_update+0x38/0x50 [mon]
		Call Trace:
		 <TASK>
		 mon_tick+0x1e/0x40 [mon]
		 __irq_exit_rcu+0x96/0xc0
		 </TASK>
		---[ end trace 0000000000000000 ]---
		Kernel panic - not syncing: Fatal exception in interrupt
	END
	of_log "$t/irq" | grep -q '^verdict   the kernel died of divide error, in mon_update+0x38/0x50 \[mon\], in an interrupt; it interrupted codec (182); '
	[ "$("$BUILD/memowner" --log "$t/irq" -j | jq -r 'select(.record == "exception") | .name')" = exception ]
	for code in '00000007 died of signal 7 (SIGBUS)' '00000100 exited with status 1'; do
		printf '[   23.100000] Kernel panic - not syncing: Attempted to kill init! exitcode=0x%s\n' "${code%% *}" > "$t/init"
		printf '[   23.100000] CPU: 1 PID: 1 Comm: svcinit Not tainted 5.10.0 #1\n' >> "$t/init"
		of_log "$t/init" | grep -q "^verdict   .*svcinit (1), the first process, ${code#* }" || { cat "$t/init"; false; }
	done
}

@test "hung tasks: who likely has the lock that they wait for is told as what the kernel says" {
	local t=$BATS_TEST_TMPDIR

	cat > "$t/log" <<-'END'
		[  300.000001] INFO: task kworker/0:3:156 blocked for more than 30 seconds.
		[  300.000002] INFO: task kworker/0:3:156 is blocked on a mutex likely owned by task hsmd: x:327.
		[  300.000003] INFO: task hsmd:328 blocked for more than 30 seconds.
		[  300.000004] INFO: task hsmd:328 is blocked on a mutex likely owned by task hsmd: x:327.
		[  300.000005] INFO: task reader:401 blocked for more than 30 seconds.
		[  300.000006] INFO: task reader:401 <reader> blocked on an rw-semaphore likely owned by task writer:402 <writer>
		[  300.000007] INFO: task writer:403 blocked for more than 30 seconds.
		[  300.000008] INFO: task writer:403 <writer> blocked on an rw-semaphore likely owned by task reader:404 <reader>
		[  300.000009] INFO: task down:405 blocked for more than 30 seconds.
		[  300.000010] INFO: task down:405 blocked on a semaphore likely last held by task up:406
		[  300.000011] INFO: task lost:407 blocked for more than 30 seconds.
		[  300.000012] INFO: task lost:407 is blocked on a semaphore, but the last holder is not found.
		[  300.000013] INFO: task none:408 blocked for more than 30 seconds.
	END
	of_log "$t/log" log -j | jq -c 'select(.record == "standstill") | [.pid, .comm, .lock, .lock_holder, .holder_comm]' | diff - <(
		echo '[156,"kworker/0:3","mutex",327,"hsmd: x"]'
		echo '[328,"hsmd","mutex",327,"hsmd: x"]'
		echo '[401,"reader","rw-semaphore",402,"writer"]'
		echo '[403,"writer","rw-semaphore",404,"reader"]'
		echo '[405,"down","semaphore",406,"up"]'
		echo '[407,"lost","semaphore",null,null]'
		echo '[408,"none",null,null,null]'
	)
	of_log "$t/log" log -j | "$TESTS/tools/validate"
	COLUMNS=400 of_log "$t/log" story > "$t/story"
	grep -q '^300\.000001  task kworker/0:3 (156) was blocked for more than 30 s on a mutex likely owned by hsmd: x (327), as the kernel says\. ' "$t/story"
	grep -q '^300\.000007  task writer (403) was blocked for more than 30 s on an rw-semaphore likely owned by reader (404), a reader, as the kernel says\. ' "$t/story"
	grep -q '^300\.000009  .* on a semaphore likely held last by up (406), as the kernel says\. ' "$t/story"
	grep -q '^300\.000011  .* on a semaphore, of which the kernel did not find the owner\. ' "$t/story"
	grep -q '^300\.000013  task none (408) was blocked for more than 30 s\. ' "$t/story"
	# The one that most wait for, whether the machine panicked of it or not.
	of_log "$t/log" | grep -q -x '          2 tasks are blocked on a mutex likely owned by hsmd: x (327), as the kernel says'
	echo '[  300.000014] Kernel panic - not syncing: hung_task: blocked tasks' >> "$t/log"
	of_log "$t/log" | grep -q '^verdict .*; khungtaskd panicked for 7 tasks that it reported, the last none (408); 2 tasks are blocked on a mutex likely owned by hsmd: x (327), as the kernel says'
	# A line of a program, or of another form, tells of none.
	sed -i 's/likely owned by/owned by/; s/ likely last held by/ last held by/; s/not found/lost/' "$t/log"
	of_log "$t/log" log -j | jq -e -s 'map(select(.record == "standstill")) | length > 0 and all(.lock == null)'
	lacks 'as the kernel says' "$t/log"
}

@test "a cgroup reached its limit behind a report of the machine: the verdict tells of both" {
	local t=$BATS_TEST_TMPDIR

	report() {	# TIME SCOPE PID
		local constraint=NONE, of=global_oom, out=Out
		[ "$2" = machine ] || { constraint=MEMCG; of=oom_memcg=/shop; out='Memory cgroup out'; }
		printf "[%s] %s\n" "$1" 'a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0'
		[ "$2" = machine ] && printf "[%s] %s\n" "$1" 'Mem-Info:' "$1" ' free:200 free_pcp:0 free_cma:0' ||
			printf "[%s] %s\n" "$1" 'memory: usage 4096kB, limit 4096kB, failcnt 5' "$1" 'swap: usage 0kB, limit 0kB, failcnt 0'
		printf "[%s] %s\n" "$1" "oom-kill:constraint=CONSTRAINT_${constraint%,},nodemask=(null),cpuset=/,mems_allowed=0,${of%,},task_memcg=/,task=a,pid=$3,uid=0" \
			"$1" "${out%,} of memory: Killed process $3 (a) total-vm:8000kB, anon-rss:3900kB, file-rss:100kB, shmem-rss:0kB, UID:0 pgtables:40kB oom_score_adj:0"
	}
	{ report 1000.000000 machine 5; report 1100.000000 cgroup 6; } > "$t/one"
	of_log "$t/one" | grep -q '^verdict   cgroup /shop reached its limit: 4.0M of 4.0M at the report; before it the OOM killer ran for the whole machine 1.7min earlier and killed a (5) (memowner log); '
	{ report 900.000000 machine 4; cat "$t/one"; } > "$t/two"
	of_log "$t/two" | grep -q 'ran for the whole machine 2 times, the last time 1.7min earlier, and killed a (5) (memowner log); '
	{ report 900.000000 cgroup 4; report 1100.000000 cgroup 6; } > "$t/none"
	lacks 'whole machine' "$t/none"
	# A cpuset has some nodes of it.
	sed 's/CONSTRAINT_NONE/CONSTRAINT_CPUSET/' "$t/one" > "$t/cpuset"
	lacks 'whole machine' "$t/cpuset"
}

@test "a name that is a number may be that of a process which systemd was starting, and is told as that" {
	local t=$BATS_TEST_TMPDIR

	reports 0 > "$t/log"
	lacks systemd "$t/log"
	for i in 9 12; do
		sed "s/(victim)/($i)/; s/task=victim/task=$i/" "$t/log" > "$t/fd"
		of_log "$t/fd" | grep -q "the OOM killer killed $i (155) (it may be one that systemd was starting: such have a number as name)"
	done
	# No descriptor that it opens first has such a number: it is a name.
	sed 's/(victim)/(531)/; s/task=victim/task=531/' "$t/log" > "$t/test"
	lacks systemd "$t/test"
}

@test "slab caches that got no memory, and tasks and CPUs that did not get on: rows of log, the story, the summary" {
	local t=$BATS_TEST_TMPDIR

	{
		reports 0
		echo '[  210.000001] SLUB: Unable to allocate memory on CPU 1 (of node 0) on node -1, gfp=0x820(GFP_ATOMIC)'
		echo '[  210.000001]   cache: skbuff_head, object size: 480, buffer size: 544, default order: 1, min order: 0'
		echo '[  210.000001]   node 0: slabs: 15, objs: 225, free: 0'
		echo '[  220.000000] INFO: task nfsd:12 blocked for more than 120 seconds.'
		echo '[  221.000000] watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [ksmd:41]'
	} > "$t/log"
	[ "$(of_log "$t/log" log -j | jq -c 'select(.record == "slab") | [.cache, .failures, .node, .order, .gfp, .gfp_mask, .object_bytes, .slabs, .objects, .free_objects]')" = \
		'["skbuff_head",1,null,0,"GFP_ATOMIC","0x820",480,15,225,0]' ]
	of_log "$t/log" log -j | jq -c 'select(.record == "standstill") | [.standstill, .cpu, .pid, .comm, .stall_ns, .count]' | diff - <(
		echo '["hung_task",null,12,"nfsd",120000000000,1]'
		echo '["soft_lockup",1,41,"ksmd",22000000000,1]'
	)
	# Names are there after what found them has ended.
	[ "$(of_log "$t/log" story -j | jq -r 'select(.event == "wait").name' | tr '\n' ' ')" = 'nfsd ksmd ' ]
	COLUMNS=400 of_log "$t/log" story > "$t/story"
	grep -q '^220\.000000  task nfsd (12) was blocked for more than 120 s\. \[memowner log\]' "$t/story"
	grep -q '^221\.000000  CPU 1 was stuck for 22 s in ksmd (41): a soft lockup\.' "$t/story"
	grep -q '^210\.000001  slab got no memory: skbuff_head (order 0, GFP_ATOMIC)\.' "$t/story"
	COLUMNS=400 of_log "$t/log" | grep -q ' slab got no memory, by the log: skbuff_head (order 0, GFP_ATOMIC)'
	COLUMNS=400 of_log "$t/log" | grep -q ' CPU 1 was stuck for 22 s in ksmd (41): a soft lockup'
	# A text that has no more than that is a log.
	sed -n 's/^[^]]*\] //; /^SLUB/,$p' "$t/log" > "$t/bare"
	of_log "$t/bare" log -j | jq -e -s 'map(select(.record == "slab"))[0].cache == "skbuff_head"'
}

@test "a zone of one node ran out: no row tells whose memory is there, and what those of a name must have of it is told" {
	local t=$BATS_TEST_TMPDIR

	# Of node 1 80000 of 100000 pages; the table has 60000, 30000 and 5000.
	sed 's/^/[  100.000000] /' <<-END > "$t/log"
		b invoked oom-killer: gfp_mask=0x140cca(GFP_HIGHUSER_MOVABLE|__GFP_COMP), order=0, oom_score_adj=0
		CPU: 0 UID: 0 PID: 120 Comm: b Not tainted 6.12.107 #1
		Mem-Info:
		active_anon:0 inactive_anon:95000 isolated_anon:0
		 active_file:0 inactive_file:0 isolated_file:0
		 unevictable:0 dirty:0 writeback:0
		 slab_reclaimable:1000 slab_unreclaimable:1000
		 mapped:0 shmem:0 pagetables:500
		 sec_pagetables:0 bounce:0
		 kernel_misc_reclaimable:0
		 free:70500 free_pcp:0 free_cma:0
		Node 1 active_anon:0kB inactive_anon:320000kB active_file:0kB inactive_file:0kB unevictable:0kB isolated(anon):0kB isolated(file):0kB mapped:0kB dirty:0kB writeback:0kB shmem:0kB kernel_stack:500kB pagetables:1000kB all_unreclaimable? yes
		Node 1 DMA32 free:2000kB boost:0kB min:3000kB low:3500kB high:4000kB reserved_highatomic:0KB active_anon:0kB inactive_anon:320000kB active_file:0kB inactive_file:0kB unevictable:0kB writepending:0kB present:400000kB managed:390000kB mlocked:0kB bounce:0kB free_pcp:0kB local_pcp:0kB free_cma:0kB
		lowmem_reserve[]: 0 0 0 0
		Node 1 DMA32: 500*4kB (UM) = 2000kB
		0 total pagecache pages
		0 pages in swap cache
		Free swap  = 0kB
		Total swap = 0kB
		200000 pages RAM
		0 pages HighMem/MovableOnly
		5000 pages reserved
		Tasks state (memory values in pages):
		[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name
		[    118]     0   118    70000    30000    30000        0         0   200704        0             0 tile
		[    119]     0   119    70000    30000    30000        0         0   200704        0             0 tile
		[    120]     0   120    70000    30000    30000        0         0   200704        0             0 b
		[    121]     0   121    70000     5000     5000        0         0   200704        0             0 c
		oom-kill:constraint=CONSTRAINT_MEMORY_POLICY,nodemask=1,cpuset=/,mems_allowed=0-1,global_oom,task_memcg=/b,task=b,pid=120,uid=0
		Out of memory: Killed process 120 (b) total-vm:280000kB, anon-rss:120000kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:196kB oom_score_adj:0
	END
	of_log "$t/log" | grep -q -x 'holder    anonymous memory of processes, of which no row tells the node: 312.5M, 82.1% of zone DMA32 of node 1 (2 processes tile have at least 175.8M of it)'
	# All may be of others.
	sed -i 's/30000    30000        0         0   200704        0             0 tile/ 5000     5000        0         0   200704        0             0 tile/; s/inactive_anon:95000/inactive_anon:90000/' "$t/log"
	[[ $(of_log "$t/log" | grep ^holder) != *'at least'* ]]
}

@test "a journal without stamps of the kernel: what looks like one in front of a text is of the text" {
	local t=$BATS_TEST_TMPDIR i

	for i in 0 1 2 3 4 5 6 7 8 9; do
		echo "Nov 27 10:00:0$i web01 kernel: usb 1-$i: new device"
	done > "$t/before"
	cat > "$t/behind" <<-'END'
		Nov 27 10:06:03 web01 kernel: a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
		Nov 27 10:06:04 web01 kernel: Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled
	END
	{ cat "$t/before"; echo 'Nov 27 10:01:00 web01 kernel: [    2.100000] myapp started'; cat "$t/behind"; } > "$t/journal"
	of_log "$t/journal" memowner -j | jq -e -s 'map(select(.record == "panic"))[0] | .log_date == "11-27 10:06:04" and .ts_ns == null'
	# All of them have one: it is the kernel's.
	sed 's/kernel: /kernel: [  300.000000] /' "$t/behind" > "$t/stamps"
	of_log "$t/stamps" memowner -j | jq -e -s 'map(select(.record == "panic"))[0].ts_ns == 300000000000'
}

@test "a log: the word help behind a noun prints its help" {
	local noun word

	echo '[    1.000000] Kernel panic - not syncing: x' > "$BATS_TEST_TMPDIR/log"
	for noun in log story; do
		for word in help --help; do
			run "$BUILD/memowner" --log "$BATS_TEST_TMPDIR/log" $noun $word
			[ "$status" -eq 0 ]
			[[ "${lines[0]}" = "memowner $noun: "* ]]
		done
	done
}

@test "journalctl -o short-monotonic: a message of a program that begins like one of the kernel is its own" {
	local t=$BATS_TEST_TMPDIR

	of_log "$BUILD/samples/6.12-stock-oom/truth/console" memowner | sed '/^  memowner/d; s/^case *host [a-z]*/case/; /^coverage/d; /^warning/d' > "$t/wanted"
	awk '{ stamp = $0; sub(/\].*/, "]", stamp); sub(/^\[ *[0-9.]+\] /, ""); print stamp " stock kernel: " $0 }' \
		"$BUILD/samples/6.12-stock-oom/truth/console" > "$t/journal"
	for words in 'Out of memory: Killed process 1 (init) total-vm:5kB, anon-rss:4kB, file-rss:0kB, shmem-rss:0kB, UID:0' \
		'Kernel panic - not syncing: no' 'Mem-Info:'; do
		sed "700i [  337.658000] stock myapp[77]: [  337.658000] $words" "$t/journal" > "$t/log"
		of_log "$t/log" memowner | sed '/^  memowner/d; s/^case *host [a-z]*/case/; /^coverage/d; /^warning/d' | diff "$t/wanted" -
	done
}

@test "a log that begins with the table of tasks has its processes; who asked is unknown" {
	local t=$BATS_TEST_TMPDIR

	sed -n '/Tasks state/,$p' "$BUILD/samples/6.12-stock-oom/truth/console" > "$t/log"
	of_log "$t/log" memowner > "$t/text"
	grep -q '^  process   190.1M ' "$t/text"
	grep -q '^OOM       at the latest [0-9.]* s, .*: an unknown task invoked the OOM killer' "$t/text"
	of_log "$t/log" log -j | jq -e -s 'map(select(.record == "row")) | length == 1 and .[0].comm == null and .[0].pid == null'
}

@test "gfp_mask without names is told as the number" {
	local t=$BATS_TEST_TMPDIR

	sed 's/gfp_mask=0x140cca([^)]*)/gfp_mask=0x140cca/' "$BUILD/samples/6.12-stock-oom/truth/console" > "$t/log"
	of_log "$t/log" memowner | grep -q 'invoked the OOM killer, order 0, 0x140cca;'
	of_log "$t/log" log -j | jq -e -s 'map(select(.record == "row"))[0].gfp == "0x140cca"'
}

@test "swap in all is less than a process has there: it is unknown" {
	local t=$BATS_TEST_TMPDIR

	sed 's/Total swap = 114680kB/Total swap = 11468kB/' "$BUILD/samples/6.12-stock-oom/truth/console" > "$t/log"
	of_log "$t/log" memowner > "$t/text"
	refute grep -F '11.2M' "$t/text"
	grep -q 'report-builder (514): 190.1M' "$t/text"
}

@test "no killable process is left: the thread that has the memory is named, by the size of a page that an older kill tells" {
	local t=$BATS_TEST_TMPDIR/left

	cat > "$t" <<- 'END'
	[  364.737486] grower:4583 invoked oom-killer: gfp_mask=0x16080c0(GFP_KERNEL|__GFP_ZERO), nodemask=1,  order=0, oom_score_adj=0
	[  365.036127] [ pid ]   uid  tgid total_vm      rss nr_ptes nr_pmds swapents oom_score_adj name
	[  365.239459] [ 4578]     0  4578 37776030 32890957   64257     138        0             0 grower
	[  365.248067] Out of memory: Kill process 4578 (grower) score 952 or sacrifice child
	[  365.255581] Killed process 4578 (grower) total-vm:151104120kB, anon-rss:131562528kB, file-rss:1300kB, shmem-rss:0kB
	[  365.576164] grower:4585 invoked oom-killer: gfp_mask=0x16080c0(GFP_KERNEL|__GFP_ZERO), nodemask=1,  order=0, oom_score_adj=0
	[  365.576298] [ pid ]   uid  tgid total_vm      rss nr_ptes nr_pmds swapents oom_score_adj name
	[  365.576338] [ 2421]     0  2421     3241      878       9       3        0         -1000 udevd
	[  365.576356] [ 4580]     0  4578 37776030 32890417   64258     138        0             0 grower
	[  365.576361] Kernel panic - not syncing: Out of memory and no killable processes...
	END
	of_log "$t" | grep -q '^  process   125.5G      -  grower (4578), files and shared memory among it$'
	# Of another row no size of a page follows.
	sed -i 's/37776030 32890417/37776031 32890417/' "$t"
	refute grep -q '^  process' <<< "$(of_log "$t")"
}

@test "a list of memory alone is used, and it is no report that memory ran out" {
	local t=$BATS_TEST_TMPDIR

	sed -n '/Mem-Info:/,/pages reserved/p' "$BUILD/samples/6.12-stock-oom/truth/console" > "$t/log"
	of_log "$t/log" memowner > "$t/text"
	grep -q -E '^verdict   unknown whether memory was short: the log has a list of memory of 5.6min after boot, and no line on who asked for it, at which 5.1M of 383.5M was free, 1.3%; the log has no panic$' "$t/text" || { cat "$t/text"; false; }
	grep -q '^RAM       System RAM 383.5M, MemTotal 338.0M' "$t/text"
	# The same figures as with the whole report.
	of_log "$BUILD/samples/6.12-stock-oom/truth/console" memowner -j | jq -c 'select(.record == "class") | [.class, .bytes]' | sort > "$t/whole"
	of_log "$t/log" memowner -j | jq -c 'select(.record == "class") | [.class, .bytes]' | sort > "$t/alone"
	[ -s "$t/alone" ]
	diff <(grep -e anon -e buddy -e slab "$t/whole") <(grep -e anon -e buddy -e slab "$t/alone")
	# It asked for nothing: no line denies that memory ran out later.
	[ "$(of_log "$t/log" memowner -j | jq -r 'select(.record == "verdict") | .name')" = unknown ]
}

@test "rows of the table of processes without their heading: columns by their form" {
	local t=$BATS_TEST_TMPDIR rows

	sed -n '/Tasks state/,$p' "$BUILD/samples/6.12-stock-oom/truth/console" > "$t/with"
	sed 1,2d "$t/with" > "$t/log"
	refute grep -q total_vm "$t/log"
	of_log "$t/log" memowner > "$t/text"
	diff <(of_log "$t/with" memowner | grep -e '^  process' -e '^processes') <(grep -e '^  process' -e '^processes' "$t/text")
	rows=$(grep -c -E '\] \[ *[0-9]+\] ' "$t/log")
	grep -q -x "unknown   more processes: the log lacks the beginning of their table: its columns are told by the form of $rows rows" "$t/text"
	# Of 4.15 to 6.9, and before: whether a number is swap is known where what stands before it is bytes of page tables.
	printf '[   10.000000] %s\n' '[    701]     0   701     9870      310   180224      120             0 journal' \
		'[   4510]  1000  4510  3120450  1780210 34488320   480120             0 java' > "$t/log"
	echo '[   11.000000] Out of memory: Killed process 4510 (java) total-vm:12481800kB, anon-rss:7120000kB, file-rss:840kB, shmem-rss:0kB' >> "$t/log"
	of_log "$t/log" memowner | grep -q '^  process  *6.791G .*java (4510), .* in swap 1.832G'
	sed -i 's/ 180224 / 22 /; s/ 34488320 / 4210 /' "$t/log"
	of_log "$t/log" memowner > "$t/text"
	grep -q '^  process  *6.791G .*java (4510)' "$t/text"
	refute grep -q 'in swap' "$t/text"
}

@test "the size of a page by the release of a processor that has one; where it has several, the table in pages" {
	local t=$BATS_TEST_TMPDIR

	cat > "$t/log" <<-'END'
		[    9.000000] java invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
		[    9.000000] CPU: 3 PID: 4510 Comm: java Not tainted 4.18.0-553.el8_10.x86_64 #1
		[    9.000000] Mem-Info:
		[    9.000000] active_anon:1913921 inactive_anon:0 isolated_anon:0
		[    9.000000]  free:25120 free_pcp:0 free_cma:0
		[    9.000000] 2101150 pages RAM
		[    9.000000] Tasks state (memory values in pages):
		[    9.000000] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
		[    9.000000] [    701]     0   701     9870      310   180224        0             0 journal
		[    9.000000] [   4510]  1000  4510  3120450  1780210 34488320        0             0 java
	END
	of_log "$t/log" memowner | grep -q '^holder    java (4510): 6.791G, 84.7% of RAM'
	sed 's/x86_64/aarch64/' "$t/log" > "$t/arm"
	of_log "$t/arm" memowner > "$t/text"
	grep -q '^holder    memory of processes, first of the table java (4510), rss of 1,780,210 pages: 1913921 pages, 91.1% of RAM$' "$t/text"
	grep -q -x 'unknown   sizes of processes: no line tells the size of a page; first of the table of 2 processes is java (4510), rss of 1,780,210 pages' "$t/text"
	refute grep -q 'not known' "$t/text"
}

@test "lines that a terminal cut at its width: what stood behind is missing, and it is told" {
	local t=$BATS_TEST_TMPDIR line="unknown   what stood behind column 80: lines of the log end there, and none is longer: save it without a terminal's width, as dmesg > FILE does"

	cut -c 1-80 "$BUILD/samples/6.12-stock-oom/truth/console" > "$t/log"
	of_log "$t/log" memowner | grep -q -x "$line"
	sed 's/$/\r/' "$t/log" > "$t/crlf"
	of_log "$t/crlf" memowner | grep -q -x "$line"
	# What goes on in the next line is there; rows of a table are alike in length.
	fold -w 80 "$BUILD/samples/6.12-stock-oom/truth/console" > "$t/folded"
	has_no_line 'stood behind' <(of_log "$t/folded" memowner)
	has_no_line 'stood behind' <(of_log "$BUILD/samples/6.12-stock-oom/truth/console" memowner)
	{ printf '[    9.000000] %s\n' 'java invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0' 'Tasks state (memory values in pages):' \
		'[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name'
	for i in {1000..1030}; do printf '[    9.000000] [   %d]     0  %d     9870     3100   180224        0             0 catalog-app: wo\n' $i $i; done; } > "$t/rows"
	has_no_line 'stood behind' <(of_log "$t/rows" memowner)
	# A number is no name, nor one that ends with its line a gfp mask.
	cut -c 1-100 "$t/rows" > "$t/numbers"
	sed -i 's/ catalog-app: $//; s/ *name$//; s/gfp_mask=0xcc0.*/gfp_mask=0xc/' "$t/numbers"
	refute grep catalog "$t/numbers"
	of_log "$t/numbers" memowner > "$t/text"
	grep -q 'java invoked the OOM killer' "$t/text"
	refute grep -E '(^|[ :]) *0 \(10[0-9]{2}\)' "$t/text"
	refute grep -w 0xc "$t/text"
	# A name that was cut is none, either.
	{ cat "$t/rows" && sed -n '/Mem-Info:/,/pages hwpoisoned/p' "$BUILD/samples/6.12-stock-oom/truth/console"; } | cut -c 1-93 > "$t/names"
	of_log "$t/names" > "$t/text"
	grep -q 'what stood behind column 93' "$t/text"
	grep -q 'catalo\.\.\.' "$t/text"
	refute grep -E 'catalo( |,|$)' "$t/text"
	# The line of the victim has all of it.
	{
		cat "$t/rows"
		echo '[    9.000000] Out of memory: Killed process 1030 (catalog-app: wo) total-vm:39480kB, anon-rss:12400kB, file-rss:0kB, shmem-rss:0kB'
		sed -n '/Mem-Info:/,/pages hwpoisoned/p' "$BUILD/samples/6.12-stock-oom/truth/console"
	} | cut -c 1-93 > "$t/killed"
	of_log "$t/killed" > "$t/text"
	grep -q 'catalog-app: wo (1030), which was killed' "$t/text"
	refute grep -F 'catalo... (1030)' "$t/text"
}

@test "lines of one form that are alike in length are whole; of a few that end together it is told that they are cut" {
	local t=$BATS_TEST_TMPDIR i

	for i in {10..30}; do
		printf '[ 10%d.000000] %s\n' $i 'node invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=969' \
			$i 'memory: usage 65536kB, limit 65536kB, failcnt 100' \
			$i "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=pod1,mems_allowed=0,oom_memcg=/kubepods/pod1,task_memcg=/kubepods/pod1,task=node,pid=45$i,uid=0" \
			$i "Memory cgroup out of memory: Killed process 45$i (node) total-vm:100000kB, anon-rss:60000kB, file-rss:0kB, shmem-rss:0kB, UID:0"
	done > "$t/loop"
	of_log "$t/loop" > "$t/text"
	refute grep 'stood behind' "$t/text"
	sed -n '/Mem-Info:/,$p' "$BUILD/samples/6.12-stock-oom/truth/console" > "$t/report"
	cut -c 1-160 "$t/report" > "$t/cut"
	of_log "$t/cut" > "$t/text"
	grep -q 'what stood behind column 160: ' "$t/text"
	# kernel_stack stands there: a line of the report has it.
	grep -q '^  rest .*  no line has it that could be read$' "$t/text"
	refute grep 'no line of the report has it' "$t/text"
}

@test "a list of memory that sysrq-m asked for is told as that" {
	local t=$BATS_TEST_TMPDIR

	{ echo '[  100.000000] sysrq: Show Memory' && sed -n '/Mem-Info:/,/pages hwpoisoned/p' "$BUILD/samples/6.12-stock-oom/truth/console"; } > "$t/list"
	of_log "$t/list" memowner | grep -q ' a list of memory of [^,]*, which sysrq-m asked for, at which '
	sed 1d "$t/list" > "$t/none"
	of_log "$t/none" memowner | grep -q ' a list of memory of [^,]*, and no line on who asked for it, at which '
}

@test "what programs logged of kills is told as theirs, and makes no verdict" {
	local t=$BATS_TEST_TMPDIR

	cat > "$t/journal" <<-'END'
		Nov 30 10:00:00 web1 systemd[1]: php.service: A process of this unit has been killed by the OOM killer.
		Nov 30 10:00:03 web1 app[200]: Out of memory: Killed process 1234 (fake) total-vm:1000kB, anon-rss:500kB, file-rss:0kB
		Nov 30 10:00:04 web1 earlyoom[300]: sending SIGTERM to process 554 uid 1000 "chrome": badness 900, VmRSS 300 MiB
		Nov 30 10:00:05 web1 earlyoom[300]: sending SIGTERM to process 555 uid 1000 "chrome": badness 900, VmRSS 300 MiB
		Nov 30 10:00:06 web1 kernel: eth0: link up
	END
	of_log "$t/journal" > "$t/text"
	grep -q '^verdict   unknown whether memory was short: the log has no report that memory ran out; ' "$t/text"
	grep -q "by a line that is no report of the kernel's, the OOM killer killed a process of php.service, 11-30 10:00:00$" "$t/text"
	grep -q "kernel's, earlyoom sent SIGTERM to chrome (555), 11-30 10:00:05, and 1 such line before it$" "$t/text"
	refute grep fake "$t/text"
	of_log "$t/journal" story | grep "kernel's, " | sed 's/\. \[memowner\]$//' > "$t/told"
	diff - "$t/told" <<-'END'
	   10:00:00  by a line that is no report of the kernel's, the OOM killer killed a process of php.service
	   10:00:05  by a line that is no report of the kernel's, earlyoom sent SIGTERM to chrome (555), and 1 such line before it
	END
	# Beside stamps of the kernel they stand behind what it had logged by then, and have no time of its clock.
	{ echo 'Nov 30 09:59:59 web1 kernel: [  100.000001] eth1: link up'; cat "$t/journal"; echo 'Nov 30 10:00:09 web1 kernel: [  109.500000] eth2: link up'; } |
		sed 's/kernel: eth0/kernel: [  106.000000] eth0/' > "$t/stamps"
	[ "$(of_log "$t/stamps" story | grep -n "kernel's, \|the log begins\|the log ends without" | sed 's/^[0-9]*: *//; s/  .*//' | tr '\n' ' ')" = '100.000001 10:00:00 10:00:05 109.500000 ' ]
	# Without a line of the kernel it is no log of a kernel, and what stands there is said.
	sed -i '/kernel:/d' "$t/journal"
	one_line "'$t/journal': no line is one of a kernel's log; a program logged: the OOM killer killed a process of php.service; a program logged: earlyoom sent SIGTERM to chrome (555), and 1 such line before it" "$t/journal"
}

# pstore_parts FILE NAME: a log as the files of pstore have it, the newest lines first
pstore_parts() {
	local lines=$(wc -l < "$1") n=1 end

	for ((end = lines; end > 0; end -= 40, n++)); do
		echo "$2 Part$n"
		sed -n "$((end > 40 ? end - 39 : 1)),${end}p" "$1"
	done
}

@test "the parts of pstore, the newest first, are read in the order of time" {
	local t=$BATS_TEST_TMPDIR

	tail -n 130 "$BUILD/samples/6.12-stock-oom/truth/console" > "$t/log"
	of_log "$t/log" > "$t/want"
	grep -q '^panic ' "$t/want"
	pstore_parts "$t/log" 'Panic#1' > "$t/pstore"
	diff <(sed "s|$t/log|FILE|" "$t/want") <(of_log "$t/pstore" | sed "s|$t/pstore|FILE|")
	# A part that is missing is a part of the log that is missing.
	sed '/Part2$/,/Part3$/{/Part3$/!d}' "$t/pstore" > "$t/lost"
	of_log "$t/lost" 2>&1 | grep -q 'a part of the log is missing'
	# Without these lines nothing denies the panic of another part.
	sed '/ Part[0-9]*$/d' "$t/pstore" > "$t/bare"
	of_log "$t/bare" > "$t/text"
	refute grep '; the log has no panic' "$t/text"
	{
		printf '[  20%d.000001] eth0: link up\n' 0 1 2 3 4 5
		grep -v panic "$BUILD/samples/6.12-stock-oom/truth/console" | sed -n '/invoked oom-killer/,$p' | sed 's/^\[[ 0-9.]*\]/[  101.000001]/'
	} > "$t/bare"
	of_log "$t/bare" | grep -q '; this part of the log has no panic'
}

@test "vmalloc of 5.13 and later has an order of its blocks: what it was asked for is told" {
	local t=$BATS_TEST_TMPDIR

	{
		echo '[ 1000.000000] modprobe: vmalloc error: size 1073741824, page order 0, failed to allocate pages, mode:0xcc2(GFP_KERNEL|__GFP_HIGHMEM), nodemask=(null),cpuset=/,mems_allowed=0'
		sed -n '/Mem-Info:/,/pages hwpoisoned/p' "$BUILD/samples/6.12-stock-oom/truth/console" | sed 's/^\[[ 0-9.]*\]/[ 1000.000001]/'
	} > "$t/log"
	of_log "$t/log" > "$t/text"
	grep -q '^verdict   an allocation by vmalloc of 1.000G, in blocks of order 0, failed: ' "$t/text"
	refute grep 'an allocation of order 0 failed' "$t/text"
}

@test "lines that a terminal broke and that are not put together: it is told" {
	local t=$BATS_TEST_TMPDIR

	# A stamp that fills half of a line: what goes on begins within a word of any form.
	tr -d '\r' < "$BUILD/samples/6.12-stock-oom/truth/console" > "$t/all"
	sed 's/^/2023-05-06T07:08:09.123456+02:00 hana01 kernel: /' "$t/all" > "$t/log"
	of_log "$t/log" > "$t/text"
	refute grep 'lines are broken' "$t/text"
	sed 's/\[\( *[0-9]*\.[0-9]*\)\]/[\1][T12345]/' "$t/log" | fold -w 72 | sed 's/^[^2]/ /' > "$t/folded"
	of_log "$t/folded" > "$t/text" || [ $? = 1 ]
	grep -q 'lines are broken at column 72, and not all could be put together' "$t/text"
}

@test "one log twice in a file, as of dmesg and of syslog: one report, of the copy that has more" {
	local t=$BATS_TEST_TMPDIR console=$BUILD/samples/6.12-stock-oom/truth/console

	tr -d '\r' < "$console" | sed -n '/invoked oom-killer/,/Killed process/p' > "$t/one"
	of_log "$t/one" | grep -v '^next\|  memowner \|^coverage' > "$t/told"
	{ cat "$t/one"; sed 's/^\[/Nov 30 10:00:00 web1 kernel: [/' "$t/one"; } > "$t/twice"
	{ awk 'NR % 9 != 4' "$t/one"; sed 's/^\[/Nov 30 10:00:00 web1 kernel: [/' "$t/one"; } > "$t/lost"
	for f in twice lost; do
		[ "$(of_log "$t/$f" log -j | jq -c 'select(.record == "row") | [.comm, .outcome]' | wc -l)" = 1 ]
		of_log "$t/$f" | sed 's/ host web1,/ host unknown,/; s/, 11-30 10:00:00//' | grep -v '^next\|  memowner \|^coverage' | diff "$t/told" -
	done
}

@test "a file of several boots or parts: FILE:N is one of them, in each answer; a file of that name is meant first" {
	local t=$BATS_TEST_TMPDIR

	{
		reports 0 | sed 's/sh invoked/first invoked/'
		reports 0 | sed '1d; s/^\[ *\([0-9]*\)/[ 1\1/; s/sh invoked/second invoked/'
		reports 0 | sed '1d; s/sh invoked/third invoked/'
	} > "$t/log"
	for i in '1 second' '2 third'; do
		set -- $i
		[ "$(of_log "$t/log:$1" log -j | jq -r 'select(.record == "row") | .comm' | head -n 1)" = "$2" ]
		of_log "$t/log:$1" | grep -q "^OOM .*: $2 invoked "
		of_log "$t/log:$1" | grep -q "^  memowner log -L $t/log:$1"
		of_log "$t/log:$1" story | grep -q "this is number $1\. -L FILE:N is part N of it, the others have [12] reports*\.$"
		"$MEMOWNER" log -L "$t/log:$1" | diff - <(of_log "$t/log:$1" log)
	done
	of_log "$t/log:1" | grep -q '^case .*: part 1 of 2, as asked$'
	of_log "$t/log:1" log | grep -q '^warning: .*; the reports are of number 1; -L FILE:N is part N of it, the others have 1 report$'
	of_log "$t/log" | grep -q '^coverage .*; part 2 of 2: -L FILE:N is part N of it, the others have 2 reports$'
	one_line "'$t/log': it has 2 boots or parts, and number 3 is asked for" "$t/log:3"
	one_line "cannot read the file '$t/none:1': No such file or directory" "$t/none:1"
	reports 0 | sed 's/sh invoked/own invoked/' > "$t/log:1"
	of_log "$t/log:1" | grep -q '^OOM .*: own invoked '
}

@test "tabs behind stamps, tabs and newlines in the words of an escape: the same answer" {
	local t=$BATS_TEST_TMPDIR console=$BUILD/samples/6.12-stock-oom/truth/console

	tr -d '\r' < "$console" | grep '^\[' > "$t/plain"
	sed 's/^\(\[[^]]*\]\) /\1\t/' "$t/plain" > "$t/tabs"
	awk '/\] active_anon:/ { sub(/^[^]]*\] /, ""); all = $0; next } all { sub(/^[^]]*\] /, ""); all = all "\\n" $0; if (/free_cma/) { print "[  337.700000] " all; all = "" } next } 1' "$t/plain" > "$t/joined"
	[ "$(grep -c '\\n free:' "$t/joined")" = 1 ]
	for f in tabs joined; do
		diff <(of_log "$t/plain" memowner -j | statements) <(of_log "$t/$f" memowner -j | statements)
		diff <(of_log "$t/plain" | grep '^holder') <(of_log "$t/$f" | grep '^holder')
	done
	for tab in '\\x09' '#011'; do
		printf '%s\n' 'May 26 06:05:44 box kernel: rcu: INFO: rcu_sched self-detected stall on CPU' \
			"May 26 06:05:44 box kernel: rcu: ${tab}21-....: (60003 ticks this GP) idle=6004/1/0x4000000000000000 softirq=11646198/11646198 fqs=26215" \
			"May 26 06:05:44 box kernel: rcu: ${tab}(t=60004 jiffies g=8794409 q=6228675 ncpus=32)" \
			'May 26 06:05:44 box kernel: CPU: 21 PID: 319 Comm: kworker/u65:20 Not tainted 6.6.0 #1' | sed 's/\\\\/\\/' > "$t/stall"
		of_log "$t/stall" story | grep -q 'CPU 21 was stuck in kworker/u65:20 (319): a stall of RCU'
	done
}

@test "the parts of pstore without their headers, the newest first: the log in its order; what are no such parts stay as they are" {
	local t=$BATS_TEST_TMPDIR console=$BUILD/samples/6.12-stock-oom/truth/console

	tr -d '\r' < "$console" | grep '^\[' | tail -n 150 > "$t/whole"
	{ tail -n 40 "$t/whole"; sed -n 61,110p "$t/whole"; head -n 60 "$t/whole"; } > "$t/parts"
	diff <(of_log "$t/whole" | sed '/-L/d') <(of_log "$t/parts" | sed '/-L/d')
	sed 's/^/<4>/' "$t/parts" > "$t/levels"
	diff <(of_log "$t/whole" | sed '/-L/d') <(of_log "$t/levels" | sed '/-L/d')
	# A part between is missing by far more than a second.
	{ tail -n 40 "$t/whole"; head -n 5 "$t/whole"; } > "$t/apart"
	of_log "$t/apart" | grep -q 'part . of 2'
}

@test "a report of 2.6.16, whose first line names no task" {
	local t=$BATS_TEST_TMPDIR

	cat > "$t/old" <<-'END'
		oom-killer: gfp_mask=0x280d2, order=0
		 [<c014c20e>] out_of_memory+0x14e/0x180
		 [<c014e43e>] __alloc_pages+0x27e/0x2f0
		Mem-info:
		DMA per-cpu:
		cpu 0 hot: high 0, batch 1 used:0
		Free pages:        4824kB (0kB HighMem)
		Active:89000 inactive:8000 dirty:0 writeback:0 unstable:0 free:1206 slab:600 mapped:88000 pagetables:100
		Normal free:4824kB min:5804kB low:6504kB high:7204kB active:356000kB inactive:32000kB present:400000kB pages_scanned:551906 all_unreclaimable? yes
		lowmem_reserve[]: 0 0
		Normal: 2*4kB 0*8kB 1*16kB 0*32kB 1*64kB 1*128kB 0*256kB 1*512kB 0*1024kB 2*2048kB 0*4096kB = 4824kB
		Free swap:            0kB
		100000 pages of RAM
		0 pages of HIGHMEM
		989 reserved pages
		Out of Memory: Kill process 137 (shell) score 1243 and children.
		Out of memory: Killed process 562 (repair).
	END
	of_log "$t/old" > "$t/text"
	grep -q '^verdict   memory ran out: 4.7M of 390.6M was free' "$t/text"
	grep -q '^OOM .* an unknown task invoked the OOM killer, order 0, 0x280d2; constraint unknown; killed repair (562)$' "$t/text"
	grep -q '^trigger   an unknown task asked last; ' "$t/text"
	refute grep -E 'first line|was not read' "$t/text"
	of_log "$t/old" story > "$t/story"
	[ "$(grep -c 'killed repair (562)' "$t/story")" = 1 ]
	refute grep -E 'logged, alone|no report of it' "$t/story"
	of_log "$t/old" log -j | grep -q '"pid":null,"comm":null,"order":0'
}

@test "a crash kernel that runs out of memory: what is told is the kernel that panicked before it" {
	local t=$BATS_TEST_TMPDIR

	report() {	# STAMP NAME END...
		printf "[$1] %s\n" "$2 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0" "${@:3}"
	}
	{
		printf '[    0.000000] %s\n' 'Linux version 6.1.0 (a@b) (gcc) #1 SMP' 'Command line: quiet'
		report '  100.000000' big 'Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled'
	} > "$t/first"
	{
		cat "$t/first"
		printf '[    0.000000] %s\n' 'Linux version 6.1.0 (a@b) (gcc) #1 SMP' 'Command line: quiet irqpoll elfcorehdr=0x2b000000'
		report '   30.000000' small 'Kernel panic - not syncing: System is deadlocked on memory'
	} > "$t/both"
	of_log "$t/both" > "$t/text"
	grep -q '^case .* boot 1 of 2, the one that panicked before the kernel of kdump booted$' "$t/text"
	grep -q '^OOM .*: big invoked' "$t/text"
	of_log "$t/both:2" | grep -q '^OOM .*: small invoked'
	# kexec_file_load() puts it first.
	sed 's/quiet irqpoll elfcorehdr=0x2b000000/elfcorehdr=0x2b000000 quiet irqpoll/' "$t/both" > "$t/before"
	of_log "$t/before" | grep -q '^OOM .*: big invoked'
	of_log "$t/both" log | grep -q 'the reports are of the one that panicked before the kernel of kdump booted; '
	# A boot that is none of a crash kernel is newer.
	sed 's/ elfcorehdr=.*//' "$t/both" > "$t/again"
	of_log "$t/again" | grep -q '^OOM .*: small invoked'
	# Nor is the one before it of a kernel that panicked.
	sed '/system-wide/d' "$t/both" > "$t/alive"
	of_log "$t/alive" | grep -q '^OOM .*: small invoked'
}
