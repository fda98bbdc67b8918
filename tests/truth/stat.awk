# SPDX-License-Identifier: GPL-2.0-or-later
# Lines of /proc/<pid>/stat as pid, comm, ppid, min_flt, cmin_flt, maj_flt, cmaj_flt.
{
	open = index($0, "(")
	match($0, /.*\)/)	# the last one: names may hold some
	comm = substr($0, open + 1, RLENGTH - open - 1)
	split(substr($0, RLENGTH + 2), f, " ")
	printf "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", $1, comm, f[2], f[8], f[9], f[10], f[11]
}
