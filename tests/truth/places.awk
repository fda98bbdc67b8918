# SPDX-License-Identifier: GPL-2.0-or-later
# What llvm-symbolizer says of addresses, as the frames of -l are written: for each
# address a line, "function@file:line" of each function put in line, then "file:line".
# cut: folders in front of the files, as a regular expression.
function flush_line(	i, line) {
	for (i = 1; i <= n; i++)
		line = line (i > 1 ? " " : "") (i < n ? name[i] "@" : "") place[i]
	if (seen)
		print line
	n = want_place = 0
}
/^0x/ { flush_line(); seen = 1; next }
!NF { next }
!want_place { name[n + 1] = $1; want_place = 1; next }
{
	sub(/ \(discriminator.*/, "")
	gsub(/\/\.\//, "/")
	sub(cut, "")
	sub(/^\.\//, "")
	place[++n] = $0
	want_place = 0
}
END { flush_line() }
