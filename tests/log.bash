# SPDX-License-Identifier: GPL-2.0-or-later
# Of tests of logs that are cut or damaged.

of_log() {	# FILE ARGUMENT...
	"$BUILD/memowner" --log "$@"
}

# The line of the summary that begins so.
line() {	# WORD FILE
	of_log "$2" | grep "^$1 "
}

# Rows of a table of tasks are padded as the kernel does it, in these files or in what comes in.
pad_rows() {	# FILE...
	perl ${1:+-i} -pe 's{\[ *(\d+)\]((?: +-?\d+){6,}) (?=\S+\s*$)}{sprintf("[%7d]", $1) . join("", map { sprintf(" %13s", $_) } split(" ", $2)) . " "}e' "$@"
}
