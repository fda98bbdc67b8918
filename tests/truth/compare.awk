# SPDX-License-Identifier: GPL-2.0-or-later
# compare.awk OURS TRUTH: OURS is the output of list.jq, TRUTH that of
# page_owner.awk, of which only records from before t0 count. Prints every
# record that differs without a time stamp between t0 and the panic, or the mark of
# a migration of a record that was told of another page, then the sums. Without time
# stamps, a page that was free then, or was freed at least once, may have become
# another's since; not one of the fixture's.
BEGIN { FS = "\t" }
# All but the page and the migration.
function rest(line,   field)
{
	split(line, field)
	return field[2] " " field[3] " " field[5] " " field[6] " " field[7] " " field[8] " " field[11]
}
function migrated(pfn,   field)
{
	split(record[pfn], field)
	return field[10] != "" && rest(record[pfn]) in elsewhere
}
NR == FNR {
	state[$2] = $1
	sub(/^[a-z]*\t/, "")
	record[$1] = $0
	next
}
$7 < t0 {
	line[++lines] = $0
	elsewhere[rest($0)]
}
END {
	for (i = 1; i <= lines; i++) {
		split(line[i], field)
		pfn = field[1]
		told[pfn] = 1
		if (state[pfn] == "later")
			later++
		else if ((state[pfn] == "live" || state[pfn] == "again") && record[pfn] == line[i])
			same++
		else if (migrated(pfn))
			later++
		else if (field[7] == "" && (state[pfn] == "again" || state[pfn] == "freed") && line[i] !~ /\[leaky\]/)
			later++
		else {
			bad++
			print "the kernel said:", line[i]
			print "we say (" state[pfn] "):", record[pfn]
		}
	}
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
