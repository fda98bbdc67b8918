# SPDX-License-Identifier: GPL-2.0-or-later
# Of tests of logs that are cut or damaged.

of_log() {	# FILE ARGUMENT...
	"$BUILD/memowner" --log "$@"
}

# The line of the summary that begins so.
line() {	# WORD FILE
	of_log "$2" | grep "^$1 "
}
