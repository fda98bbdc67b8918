# SPDX-License-Identifier: GPL-2.0-or-later
# raw.awk t0=T0 RS= file=ours OURS RS='\n' file=list LIST RS= file=truth TRUTH: OURS is "pageowner -t raw", LIST the output of list.jq,
# TRUTH the guest's own file. Compares record by record, byte by byte. What may have changed
# since t0 although the record is the same one:
# - flags that say how a page is used now: each bit that differs must be one of those below, by
#   name, and as many bits as names differ;
# - the type of its pageblock: then the kernel gave the block to the other type, and there is
#   an allocation of that type in it from since;
# - "Slab cache page": vectors of a slab are made when they are needed.
# Otherwise as in compare.awk: a time stamp since t0, the mark of a migration, or, without time
# stamps, a page that was freed before and is not the fixture's. Prints what differs, then the sums.
BEGIN {
	n = split("referenced uptodate dirty lru active workingset locked waiters writeback private " \
		"owner_priv_1 owner_2 private_2 swapcache mappedtodisk reclaim unevictable mlocked", name, " ")
	for (i = 1; i <= n; i++)
		is_volatile[name[i]]
	for (i = 0; i < 16; i++)
		digit[substr("0123456789abcdef", i + 1, 1)] = i
}
# How many bits differ.
function bits(a, b,   i, n, x, y)
{
	a = sprintf("%20s", substr(a, 3))
	b = sprintf("%20s", substr(b, 3))
	for (i = 1; i <= 20; i++) {
		x = digit[substr(a, i, 1)] + 0
		y = digit[substr(b, i, 1)] + 0
		for (; x || y; y = int(y / 2)) {
			n += x % 2 != y % 2
			x = int(x / 2)
		}
	}
	return n + 0
}
# Whether two "0x8001c(uptodate|dirty|lru)" differ by volatile names alone.
function same_flags(a, b,   i, n, m, x, y, seen, differ, part, other)
{
	if (a == b)
		return 1
	split(a, part, /[()]/)
	split(b, other, /[()]/)
	n = split(part[2], x, "|")
	m = split(other[2], y, "|")
	for (i = 1; i <= n; i++)
		seen[x[i]]++
	for (i = 1; i <= m; i++)
		seen[y[i]]++
	for (i in seen)
		if (seen[i] == 1) {
			if (!(i in is_volatile))
				return 0
			differ++
		}
	return differ && differ == bits(part[1], other[1])
}
# The record without what may be another, and apart what that is.
function cut(record,   line, n, i, rest)
{
	n = split(record, line, "\n")
	match(line[2], / Block [0-9]+ type [^ ]+ Flags /)
	block = substr(line[2], RSTART, RLENGTH)
	flags = substr(line[2], RSTART + RLENGTH)
	split(block, word, " ")
	block = word[2]
	type = word[4]
	rest = line[1] "\n" substr(line[2], 1, RSTART - 1)
	slab = 0
	for (i = 3; i <= n; i++)
		if (line[i] == "Slab cache page")
			slab = 1
		else
			rest = rest "\n" line[i]
	return rest
}
# All but the page, its flags and the migration.
function bare(record,   line, n, i, rest)
{
	n = split(record, line, "\n")
	rest = line[1]
	for (i = 3; i <= n; i++)
		if (line[i] !~ /^Page has been migrated|^Slab cache|^Charged/)
			rest = rest "\n" line[i]
	return rest
}
function stamp(record)
{
	if (!match(record, / ts [0-9]+ ns/))
		return ""
	return substr(record, RSTART + 4, RLENGTH - 7) + 0
}
function pfn_of(record,   word)
{
	split(substr(record, index(record, "\nPFN ") + 5, 20), word, " ")
	return word[1] ~ /^0x/ ? word[1] : sprintf("0x%x", word[1])
}
function is_migrated(pfn)
{
	return ours[pfn] ~ /\nPage has been migrated/ && bare(ours[pfn]) in elsewhere
}
function excused(pfn)
{
	return state[pfn] == "later" || is_migrated(pfn)
}
file == "ours" { ours[pfn_of($0)] = $0; next }
file == "list" { state[$2] = $1; next }
{
	pfn = pfn_of($0)
	if (stamp($0) != "" && stamp($0) >= t0)
		next
	told[pfn] = $0
	elsewhere[bare($0)]
	timed = stamp($0) != ""
}
function compare(pfn,   a, b, b_block, b_type, b_flags, b_slab)
{
	b = cut(ours[pfn])
	b_block = block; b_type = type; b_flags = flags; b_slab = slab
	a = cut(told[pfn])
	if (a != b || block != b_block || !same_flags(flags, b_flags) || (slab && !b_slab))
		return 0
	if (type != b_type) {
		changed_block[block] = b_type
		blocks++
	} else if (flags != b_flags)
		flagged++
	else
		slabs++
	return 1
}
function report(pfn)
{
	bad++
	print "the kernel said:\n" told[pfn] "\nwe say (" state[pfn] "):\n" ours[pfn]
}
END {
	for (pfn in told) {
		if (ours[pfn] == told[pfn])
			same++
		else if (ours[pfn] != "" && compare(pfn))
			;
		else if (excused(pfn) || (!timed && (state[pfn] == "again" || state[pfn] == "freed") &&
			told[pfn] !~ /\[leaky\]/))
			later++
		else
			report(pfn)
	}
	for (pfn in ours) {
		if (ours[pfn] == "")
			continue
		if (!(pfn in told) || bare(ours[pfn]) != bare(told[pfn])) {
			cut(ours[pfn])
			split(substr(ours[pfn], index(ours[pfn], "\nPFN ") + 5), word, " ")
			since[block, word[3]]
		}
		if (pfn in told)
			continue
		if (excused(pfn) || state[pfn] == "again" || (!timed && ours[pfn] !~ /\[leaky\]/))
			later++
		else
			report(pfn)
	}
	for (block in changed_block)
		if (!((block, changed_block[block]) in since)) {
			bad++
			print "block", block, "is", changed_block[block], "without an allocation of that type"
		}
	printf "bytes same %d, flags %d, block types %d, slab marks %d, changed since %d, wrong %d\n", same, flagged, \
		blocks, slabs, later, bad
}
