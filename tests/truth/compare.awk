# SPDX-License-Identifier: GPL-2.0-or-later
# compare.awk OURS TRUTH: OURS is the output of list.jq, TRUTH that of
# page_owner.awk, of which only records from before t0 count. Prints every
# record that differs without a time stamp since t0 or the mark of a migration,
# which takes the old time stamp along, then the sums. Without time
# stamps, a page that was free then, or was freed at least once, may have become
# another's since; not one of the fixture's.
BEGIN { FS = "\t" }
function migrated(pfn,   field)
{
	split(record[pfn], field)
	return field[10] != ""
}
NR == FNR {
	state[$2] = $1
	sub(/^[a-z]*\t/, "")
	record[$1] = $0
	next
}
$7 < t0 {
	told[$1] = 1
	if (state[$1] == "later")
		later++
	else if ((state[$1] == "live" || state[$1] == "again") && record[$1] == $0)
		same++
	else if (migrated($1))
		later++
	else if ($7 == "" && (state[$1] == "again" || state[$1] == "freed") && !/\[leaky\]/)
		later++
	else {
		bad++
		print "the kernel said:", $0
		print "we say (" state[$1] "):", record[$1]
	}
}
END {
	for (pfn in state) {
		if (pfn in told)
			continue
		split(record[pfn], field)
		if (state[pfn] == "again" || (state[pfn] == "live" && migrated(pfn)) || (state[pfn] == "live" && field[7] == "" && record[pfn] !~ /\[leaky\]/))
			later++
		else if (state[pfn] == "live") {
			bad++
			print "the kernel did not say:", record[pfn]
		}
	}
	printf "same %d, changed since %d, wrong %d\n", same, later, bad
}
