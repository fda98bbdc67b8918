# SPDX-License-Identifier: GPL-2.0-or-later
# "pageowner -t list -a -j" in the form of page_owner.awk, behind a word that
# says what may be compared: "live" or "freed" before t0, "later" since. A kernel
# that records no time: "again" is what was freed at least once and can have become
# another's since; "live" are the fixture's pages and what was never freed.
def hex: . as $n | if $n == 0 then "0" else
	[$n | recurse(if . >= 16 then (. / 16 | floor) else empty end) | . % 16] | reverse
	| map("0123456789abcdef"[.:. + 1]) | join("") end;
def frame: if .symbol then "\(.symbol)+0x\(.offset | hex)" + (if .module then " [\(.module)]" else "" end)
	else .addr end;
foreach inputs as $r ({stacks: {}};
	if $r.record == "stack" then .stacks[$r.handle] = ([$r.stack[] | frame] | join(";")) else . end;
	if $r.record == "row" then
		[(if $r.ts_ns == null then
			if $r.allocated | not then "freed"
			elif $r.pfn % pow(2; $r.order) != 0 then "tail"
			elif $r.free_handle and (.stacks[$r.handle] | contains("[leaky]") | not) then "again"
			else "live" end
		  elif $panic != null and ($r.ts_ns > $panic or $r.free_ts_ns > $panic) then "live"
		  elif $r.ts_ns >= $t0 or $r.free_ts_ns >= $t0 then "later"
		  elif $r.allocated | not then "freed"
		  elif $r.pfn % pow(2; $r.order) == 0 then "live" else "tail" end),
		 "0x\($r.pfn | hex)", $r.order, $r.gfp_mask, (if $r.gfp == "0" then "" else $r.gfp end), $r.pid, $r.tgid, $r.ts_ns, $r.comm,
		 $r.migratetype, ($r.last_migrate_reason // ""), .stacks[$r.handle]] | @tsv
	else empty end)
