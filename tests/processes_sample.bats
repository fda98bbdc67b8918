#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# memowner processes on a real dump, $SAMPLE: against the table of tasks in its OOM report, faults,
# and /proc/PID of T0.

load helper
load dump

setup_file() {
	of_sample
	ask_in_one
	ask $MODE "faults -g tgid -j > $OUT/threads.json" "memowner processes > $OUT/text" "memowner processes -o comm,rss > $OUT/two" "memowner processes -a -j > $OUT/mms.json" \
		"pageowner -g mapper,class -f class=anon,file,shmem -n 0 -j > $OUT/mapped.json" \
		"pageowner -t list -f class=anon -f mapper=*hungry* -n 40 -j > $OUT/anon.json" > "$OUT/said"
}

# The table of tasks of the last OOM report, as the console has it: a row for each process.
logged() {
	tr -d '\r' < "$TRUTH/console" | awk -v want="$*" '
		/\] \[ +pid +\] +uid +tgid total_vm/ { sub(/.*\] \[/, ""); gsub(/[][]/, " "); n = split($0, title); on = 1; rows = ""; next }
		on && /\] \[ *[0-9]+\] / {
			sub(/^[^]]*\] /, ""); gsub(/[][]/, " "); $0 = $0
			for (i = 1; i <= n; i++) at[title[i]] = $i
			line = ""
			k = split(want, w, " ")
			for (i = 1; i <= k; i++) line = line (i > 1 ? " " : "") (w[i] in at ? at[w[i]] : "-")
			rows = rows line "\n"
			next
		}
		on && /Kernel panic|oom-kill:/ { on = 0 }
		END { printf "%s", rows }'
}

@test "BADNESS is explained where it is shown" {
	grep -q '^BADNESS: pages of rss, swap and page tables by the kernel.s counters, to which CPUs or threads may have some to add' "$OUT/text"
	grep -q '; a BADNESS below 0 is killed last$' "$OUT/text"
	# The unit of a column, where that is shown.
	[ "$(grep -c '; ADJ in thousandths of ' "$OUT/text")" = "$(grep -c '^ *PID.* ADJ ' "$OUT/text")" ]
	refute grep BADNESS "$OUT/two"
	[ "$(head -n 1 "$OUT/two" | xargs)" = 'COMM RSS' ]
}

@test "processes have the counters of their threads, and one row each" {
	diff <(of processes 'select(.pid) | "\(.pid) \(.rss_bytes) \(.rss_anon_bytes) \(.rss_file_bytes) \(.rss_shmem_bytes) \(.swap_bytes)"' | sort) \
		<(of threads 'select(.rss_bytes != null) | "\(.tgid) \(.rss_bytes) \(.rss_anon_bytes) \(.rss_file_bytes) \(.rss_shmem_bytes) \(.swap_bytes)"' | sort)
	[ "$(of processes .address | sort | uniq -d)" = '' ]
	[ "$(of processes 'select(.rss_bytes != .rss_anon_bytes + .rss_file_bytes + .rss_shmem_bytes or
		.process_bytes != .rss_bytes + .swap_bytes + .pgtables_bytes)')" = '' ]
}

@test "the row of the log is that of its process, and the kernel read what is there at the panic" {
	[ -n "$(logged tgid)" ] || skip "the log has no table of tasks"
	diff <(logged tgid rss swapents pgtables_bytes rss_anon rss_file rss_shmem | sort) \
		<(of processes 'select(.log_rss_bytes != null) |
			[.pid, .log_rss_bytes, .log_swap_bytes, .log_pgtables_bytes, .log_anon_bytes, .log_file_bytes, .log_shmem_bytes] | @tsv' |
			awk -v page=$PAGE '{ for (i = 2; i <= NF; i++) if (i != 4 && $i != "") $i /= page; for (; i <= 7; i++) $i = "-"; print }' | sort)
	# The kernel panicked in the report: nothing has changed since.
	grep -q "the log's table lists $(logged tgid | wc -l) processes; $(logged tgid | wc -l) have the same counters at the panic" "$OUT/text"
	[ "$(of processes 'select(.log_badness_pages != null and .badness_pages != .log_badness_pages)')" = '' ]
	[ "$(of processes 'select(.oom_state == "eligible") | .pid' | wc -l)" = "$(logged tgid | wc -l)" ]
}

@test "what does not change after T0 is as in /proc/PID/status: VmLck, VmPin, threads" {
	# Processes of both times.
	join -j 1 <(of processes 'select(.pid) | "\(.pid) \(.locked_bytes / 1024) \(.pinned_bytes / 1024) \(.threads)"' | sort -k 1,1) \
		<(awk '$1 == "Tgid:" { t = $2 } $1 == "Pid:" { p = $2 } $1 == "VmLck:" { l = $2 } $1 == "VmPin:" { n = $2 }
			$1 == "Threads:" && l != "" { if (t == p) print p, l, n, $2; l = "" }' "$TRUTH/proc_status" | sort -k 1,1) > "$OUT/both"
	awk '$2 != $5 || $3 != $6 || $4 != $7 { exit 1 }' "$OUT/both"
	[ "$(wc -l < "$OUT/both")" -gt 4 ]
	[ "$(summary_of processes '.complete, (.warnings | length)' | xargs)" = 'true 0' ]
}

@test "pages that a process maps by its page tables are its counters; pages that none maps" {
	# After fork() anonymous pages are shared; in these guests each process executed a file.
	diff <(of mapped 'select(.class == "anon" and (.mapper | contains("("))) | "\(.mapper) \(.bytes)"' | sort) \
		<(of processes 'select(.rss_anon_bytes > 0) | "\(.pid)(\(.comm)) \(.rss_anon_bytes)"' | sort)
	[ "$(of mapped 'select(.mapper == null or (.mapper | startswith("mm_struct")))')" = '' ]
	# Pages from before page_owner have no record: init may map one more.
	diff <(of mapped 'select(.class == "shmem" and .mapper == "6 processes") | .bytes') \
		<(of processes 'select(.pid != 1) | .rss_shmem_bytes' | sort -n | head -n 1)
}

@test "PSS: what all processes have together is each page that one of them maps" {
	# The pages of anonymous memory are not shared in these guests; what is shared is counted once.
	[ "$(of processes 'select(.pss_bytes == null or .pss_bytes > .rss_bytes or .pss_bytes < .rss_anon_bytes) | .pid')" = '' ]
	local pss shared

	pss=$(of processes .pss_bytes | awk '{ n += $1 } END { print n }')
	shared=$(of mapped 'select(.mapper != "[not mapped]") | .bytes' | awk '{ n += $1 } END { print n }')
	# Two pages of vdso, and four of its data in 7.3, have no mapping; each PSS is rounded down.
	awk -v pss=$pss -v shared=$shared -v page=$PAGE 'BEGIN { exit !(pss - shared <= 6 * page && shared - pss <= 16) }'
}

@test "an address: where a page is mapped, which leads back to the page" {
	mapfile -t pfns < <(of anon .pfn)
	[ ${#pfns[@]} -gt 10 ]
	ask $MODE "pageowner ${pfns[*]/#/pfn:} > $OUT/pages" > "$OUT/said"
	mapfile -t places < <(sed -n 's/^  mapped by \([0-9]*\)(.*) at 0x\([0-9a-f]*\), mapcount 1$/user:\1:\2/p' "$OUT/pages")
	[ ${#places[@]} = ${#pfns[@]} ]
	ask $MODE "pageowner ${places[*]} -j > $OUT/back.json" > "$OUT/said"
	diff <(of back .pfn) <(printf '%s\n' "${pfns[@]}")
}

# Without memory cgroups they share a cache of their size, or others share theirs (signal_struct).
has_mm_cache() {
	[ "$(of caches 'select(.cache == "mm_struct" and (.aliases // 0) == 0) | .slabs')" != '' ]
}

@test "-a: every mm_struct of the slab cache has a row; those without a task are the kernel's own" {
	if ! has_mm_cache; then
		[[ "$(summary_of mms '.warnings[]')" = 'mm_structs without a task are unknown: they are among other objects of the cache '@(kmalloc-1k|mm_struct) ]]
		return
	fi
	[ "$(of mms .address | sort -u | wc -l)" = "$(of caches 'select(.cache | test("^mm_struct(\\([0-9]+:.*\\))?$")) | .inuse_objects' | awk '{ n += $1 } END { print n }')" ]
	diff <(of mms 'select(.pid) | .address' | sort) <(of processes .address | sort)
	# 4.19 has no address space of its own to change code in.
	[ "$(of mms 'select(.pid == null) | .comm')$SAMPLE" = "4.${SAMPLE#4.}" ] ||
		[[ "$(of mms 'select(.pid == null) | "\(.comm) \(.mm_users) \(.rss_bytes) \(.threads)"')" = '['*'poke_mm] 1 0 0' ]] ||
		[ "$(of mms 'select(.pid == null) | "\(.comm) \(.mm_users) \(.rss_bytes) \(.threads)"')" = '[poking_mm] 1 0 0' ]
}

@test "-a: users are threads, and each reference to an mm_struct has its holder" {
	has_mm_cache || return 0
	[ "$(of mms 'select(.unknown_users != 0 or .unknown_references != 0) | .address')" = '' ]
	# A CPU without a task of its own keeps the page tables that it had last.
	# It has none but its own, where it is the only one.
	[ "$(meta_of processes .cpus)" != 1 ] || [ "$(of mms 'select(.mm_references > 1) | .address')" != '' ] || return 0
	[[ "$(of mms 'select(.mm_references > 1) | "\(.mm_references) \(.mm_holders)"')" =~ ^'2 active_mm of '[0-9]+'('[^,]*')'$ ]]
}
