#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# faults on a real dump, $SAMPLE, against /proc and cgroupfs of its guest.

load helper

setup_file() {
	export DIR=$BUILD/samples/$SAMPLE OUT=$BATS_FILE_TMPDIR
	export TRUTH=$DIR/truth
	BATS_TEST_TMPDIR=$OUT ask ${MODES##* } "faults -j > $OUT/tasks.json" "faults > $OUT/tasks.txt" \
		"faults -g tgid -j > $OUT/tgid.json" "faults -g memcg -j > $OUT/memcg.json" \
		"faults -v -j > $OUT/system.json" "faults -v -g memcg -j > $OUT/counters.json" > "$OUT/crash.txt"
}

ask() {	# MODE COMMAND...
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $1) -- "${@:2}"
}

of() {	# FILE FILTER: rows of a JSON output
	jq -r "select(.record == \"row\") | $2" "$OUT/$1.json"
}

# Tasks that slept since T0: those of the workload, and their threads.
SLEEPERS='httpd|preforkd|postgres|pg_buffers|worker|thread-[0-9]+'

@test "threads: state, parent and faults are those of /proc/PID/task/TID/stat" {
	# pid, comm, state, ppid, min, cmin, maj, cmaj
	sed -n -E "s/^([0-9]+) \(($SLEEPERS)\) (.) ([0-9]+) [-0-9]+ [-0-9]+ [-0-9]+ [-0-9]+ [0-9]+ ([0-9]+) ([0-9]+) ([0-9]+) ([0-9]+) .*/\1 \2 \3 \4 \5 \6 \7 \8/p" \
		"$TRUTH/task_stat" | sort -n > "$OUT/told"
	[ "$(wc -l < "$OUT/told")" -ge 9 ]
	of tasks "select(.comm | test(\"^($SLEEPERS)\$\")) |
		\"\(.pid) \(.comm) \(.task_state) \(.ppid) \(.min_flt) \(.cmin_flt) \(.maj_flt) \(.cmaj_flt)\"" | sort -n > "$OUT/found"
	diff "$OUT/told" "$OUT/found"
}

@test "kernel threads: all of /proc, by their full name; workers of workqueues change theirs" {
	# Flags are the ninth field; PF_KTHREAD.
	sed -E 's/^([0-9]+) \((.*)\) . [-0-9]+ [-0-9]+ [-0-9]+ [-0-9]+ [-0-9]+ ([0-9]+) .*/\1 \3 \2/' "$TRUTH/task_stat" |
		awk 'int($2 / 2097152) % 2 { pid = $1; $1 = $2 = ""; print pid $0 }' | sed 's/  / /' | sort -n > "$OUT/told"
	of tasks 'select(.kthread) | "\(.pid) \(.comm)"' | sort -n > "$OUT/found"
	[ "$(wc -l < "$OUT/told")" -ge 15 ]
	# Those that started after T0, or ended, are workers.
	run diff <(grep -v -E '^[0-9]+ kworker/[u0-9]' "$OUT/told") <(grep -v -E '^[0-9]+ kworker/[u0-9]' "$OUT/found")
	[ -z "$output" ]
	awk '{ print length($2) }' "$OUT/found" | sort -n | tail -n 1 > "$OUT/longest"
	[ "$(cat "$OUT/longest")" -gt 15 ]
	# In both, and only the work that they did last may differ.
	join <(grep -E '^[0-9]+ kworker/[u0-9]' "$OUT/told" | sort) <(sort "$OUT/found") |
		awk '{ split($2, a, /[-+]/); split($3, b, /[-+]/); n++; if (a[1] != b[1]) print "other:", $0 } END { print n }' > "$OUT/workers"
	[ "$(wc -l < "$OUT/workers")" = 1 ]
	[ "$(cat "$OUT/workers")" -ge 3 ]
}

@test "processes: threads that exited count, as in /proc/PID/stat" {
	sed -n -E "s/^([0-9]+) \(($SLEEPERS)\) . [0-9]+ [-0-9]+ [-0-9]+ [-0-9]+ [-0-9]+ [0-9]+ ([0-9]+) [0-9]+ ([0-9]+) .*/\1 \2 \3 \4/p" \
		"$TRUTH/proc_stat" | sort -n > "$OUT/told"
	[ "$(wc -l < "$OUT/told")" -ge 5 ]
	of tgid "select(.comm | test(\"^($SLEEPERS)\$\")) | \"\(.tgid) \(.comm) \(.min_flt) \(.maj_flt)\"" | sort -n > "$OUT/found"
	diff "$OUT/told" "$OUT/found"
	# The workload has a process with threads that exited.
	[ "$(of tgid 'select(.comm == "worker") | .exited_min_flt')" -gt 0 ]
	# A process with all its threads.
	[ "$(of tgid 'select(.comm == "worker") | .threads')" = "$(sed -n '/^Name:\tworker$/,/^Threads/s/^Threads:\t//p' "$TRUTH/proc_status")" ]
}

@test "cgroups are those of /proc/PID/cgroup; groups add up" {
	of tasks 'select(.pid == .tgid) | "\(.pid) 0::\(.cgroup)"' | sort > "$OUT/found"
	join <(sort "$TRUTH/proc_cgroup") "$OUT/found" | awk '$2 != $3 { print } { n++ } END { print n }' > "$OUT/joined"
	[ "$(wc -l < "$OUT/joined")" = 1 ]
	[ "$(cat "$OUT/joined")" -ge 20 ]
	has memcg_web || return 0
	[ "$(of memcg .memcg | sort | xargs)" = '/ /db /web' ]
	[ "$(of memcg .threads | jq -s add)" = "$(of tasks .pid | wc -l)" ]
	[ "$(of memcg '.maj_flt - .exited_maj_flt' | jq -s add)" = "$(of tasks .maj_flt | jq -s add)" ]
	[ "$(of memcg .rss_bytes | jq -s 'map(values) | add')" = \
		"$(of tasks 'select(.pid == .tgid) | .rss_bytes' | jq -s 'map(values) | add')" ]
}

# The tasks of both cgroups sleep since T0: they fault no more, but their pages may be reclaimed.
@test "counters of memory cgroups are those of memory.stat" {
	has memcg_web || return 0
	for cgroup in web db; do
		of counters "select(.memcg == \"/$cgroup\") | \"\(.name) \(.count)\"" | sort > "$OUT/found"
		sort "$TRUTH/memcg_$cgroup" | join - "$OUT/found" > "$OUT/joined"
		[ "$(wc -l < "$OUT/found")" -ge 8 ]
		# Each has its line in memory.stat.
		[ "$(wc -l < "$OUT/joined")" = "$(wc -l < "$OUT/found")" ]
		[ "$(awk '/^(pgscan|pgsteal|pswpout)/ ? $3 < $2 : $3 != $2' "$OUT/joined")" = '' ]
	done
	[ "$(of counters 'select(.memcg == "/db" and .name == "pgmajfault") | .count > 0')" = true ]
	[ "$(of counters .memcg | uniq | head -n 1)" = / ]
	[ "$(of counters .memcg | sort -u | xargs)" = '/ /db /web' ]
	# In 5.10 CPUs hold back some.
	[ "$(jq -r 'select(.record == "summary") | "\(.complete) \(.warnings | length)"' "$OUT/counters.json")" = "true $(grep -c '^kernel=5\.10\.' "$DIR/meta")" ]
}

@test "counters of the root cgroup are those of the system, those of its children not more" {
	has memcg_web || return 0
	of counters 'select(.memcg == "/") | "\(.name) \(.count)"' | sort > "$OUT/root"
	of counters 'select(.memcg != "/") | "\(.name) \(.count)"' |
		awk '{ n[$1] += $2 } END { for (name in n) print name, n[name] }' | sort > "$OUT/children"
	of system '"\(.name) \(.count)"' | sort > "$OUT/system"
	join "$OUT/root" "$OUT/system" | join - "$OUT/children" > "$OUT/joined"
	[ "$(wc -l < "$OUT/joined")" = "$(wc -l < "$OUT/root")" ]
	[ "$(grep -c -E '^(pgfault|pgmajfault|pgscan_direct) ' "$OUT/joined")" = 3 ]
	[ "$(awk '$4 > $2' "$OUT/joined")" = '' ]
	# What CPUs hold back of counters of a node, 125 each, is in the cgroup only.
	[ "$(awk -v cpus="$(jq 'select(.record == "meta") | .cpus' "$OUT/system.json")" \
		'/^pg(maj)?fault/ ? $2 != $3 : $2 < $3 || $2 > $3 + 125 * cpus' "$OUT/joined")" = '' ]
}

@test "rss is the sum of its parts; rate and life go together" {
	[ "$(of tasks 'select(.rss_bytes != null) | .rss_bytes - .rss_anon_bytes - .rss_file_bytes - .rss_shmem_bytes' | sort -u)" = 0 ]
	[ "$(of tasks 'select(.rate_milli == null or .life_ns == null)')" = '' ]
	[ "$(of tasks 'select(((.maj_flt + .min_flt) * 1e12 / .life_ns - .rate_milli) | fabs > 1.001)')" = '' ]
}

@test "text: kernel threads without faults are left out and counted; PIDs, filters" {
	local hidden

	hidden=$(of tasks 'select(.kthread and .maj_flt == 0 and .min_flt == 0) | .pid' | wc -l)
	grep -q -x "$hidden kernel threads without a fault not shown (-n 0 shows all)" "$OUT/tasks.txt"
	refute grep -q '\[' "$OUT/tasks.txt"
	run ask ${MODES##* } 'faults -n 0' 'faults -f state=Q' 'faults -j 1 99999' 'faults -j -f maj_flt=1..' \
		'faults -j -f kthread=no -X comm=thread-*' 'faults -v 1' 'faults x1' 'faults comm=x2' 'faults -g pid'
	[ "$(grep -c '^ *[0-9].* \[' <<< "$output")" = "$hidden" ]
	grep -q "^faults: unknown state 'Q', known are: R S D T t X Z P I$" <<< "$output"
	grep -q "^faults: -v takes no argument: '1'$" <<< "$output"
	grep -q "^faults: a PID is a decimal number, not 'x1'; a command by its name: -f comm=x1$" <<< "$output"
	# A filter without its -f.
	grep -q "^faults: .* not 'comm=x2'; a command by its name: -f comm=x2$" <<< "$output"
	grep -q "^faults: pid is a column, but no key of -g, known are: tgid " <<< "$output"
	sed -n '/^{/p' <<< "$output" > "$OUT/several.json"
	[ "$(jq -r 'select(.record == "row" and .kthread) | .pid' "$OUT/several.json")" = '' ]
	[ "$(jq -r 'select(.record == "summary") | .warnings[0] // "-"' "$OUT/several.json" | xargs)" = 'no task has pid 99999 - -' ]
	[ "$(jq -r 'select(.record == "summary") | .rows_total' "$OUT/several.json" | xargs)" = \
		"1 $(of tasks 'select(.maj_flt > 0) | .pid' | wc -l) $(of tasks 'select(.kthread | not) | select(.comm | startswith("thread-") | not) | .pid' | wc -l)" ]
}
