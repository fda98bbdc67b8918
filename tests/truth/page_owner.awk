# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's page_owner file as one line per record:
# pfn order gfp_mask gfp pid tgid ts comm type migrated stack, separated by tabs
function flush()
{
	if (pfn != "")
		printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", pfn, order, mask, gfp, pid, tgid, ts, comm, \
			type, migrated, stack
	pfn = ""
}
/^Page allocated via order / {
	flush()
	match($0, /order [0-9]+/); order = substr($0, RSTART + 6, RLENGTH - 6)
	match($0, /mask 0x[0-9a-f]+/); mask = substr($0, RSTART + 5, RLENGTH - 5)
	rest = substr($0, RSTART + RLENGTH + 1)
	gfp = substr(rest, 1, index(rest, ")") - 1)
	match($0, /pid [0-9]+/); pid = substr($0, RSTART + 4, RLENGTH - 4)
	match($0, /tgid [0-9]+ \(/); tgid = substr($0, RSTART + 5, RLENGTH - 7)
	rest = substr($0, RSTART + RLENGTH)
	match(rest, /\), ts [0-9]+ ns/); comm = substr(rest, 1, RSTART - 1)
	ts = substr(rest, RSTART + 6, RLENGTH - 9)
	migrated = stack = ""
	next
}
# Decimal before 6.3.
/^PFN / { pfn = $2 ~ /^0x/ ? $2 : sprintf("0x%x", $2); type = $4; next }
/^Page has been migrated/ { sub(/.*reason: /, ""); migrated = $0; next }
/^ / {
	# " symbol+0x1f/0x80 [module]" without the size
	frame = substr($0, 2)
	sub(/\/0x[0-9a-f]+/, "", frame)
	stack = stack (stack == "" ? "" : ";") frame
}
END { flush() }
