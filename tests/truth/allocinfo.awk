# SPDX-License-Identifier: GPL-2.0-or-later
# /proc/allocinfo as bytes, calls, file, line, module, function, separated by tabs.
/ func:/ {
	n = split($3, at, ":")
	line = at[n]
	file = substr($3, 1, length($3) - length(line) - 1)
	module = $4 ~ /^\[.*\]$/ ? substr($4, 2, length($4) - 2) : "vmlinux"
	match($0, / func:[^ ]*/)
	printf "%s\t%s\t%s\t%s\t%s\t%s\n", $1, $2, file, line, module, substr($0, RSTART + 6, RLENGTH - 6)
}
