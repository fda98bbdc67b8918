# SPDX-License-Identifier: GPL-2.0-or-later
# Lines of tracefs' trace file that are page faults, as "faults -e -j" has them through
# trace.jq: pid, CPU, microseconds, mode, address, instruction, error code.
match($0, /-[0-9]+ +\[[0-9]+\]/) && /: page_fault_(user|kernel): / {
	split(substr($0, RSTART + 1, RLENGTH - 1), a, /[ \[\]]+/)
	rest = substr($0, RSTART + RLENGTH)
	match(rest, /[0-9]+\.[0-9]+:/)
	stamp = substr(rest, RSTART, RLENGTH - 1)
	sub(/\./, "", stamp)
	sub(/^0+/, "", stamp)
	match(rest, /page_fault_[a-z]+/)
	mode = substr(rest, RSTART + 11, RLENGTH - 11)
	n = split(rest, f, /[ =]/)
	print a[1], a[2] + 0, stamp, mode, f[n - 4], f[n - 2], f[n]
}
