# SPDX-License-Identifier: GPL-2.0-or-later
# What the bats files of stock kernels share, behind helper.bash and dump.bash.

# Services that scripts/sample/stock/run keeps under load, and those who load them.
LOADED='pgbench|postgresql@[^/]*|redis-server|memcached|nginx|web-clients|cache-clients|stress'
LOADED="($LOADED)[.]service|system-postgresql[.]slice"

# In setup_file(): the sample, how it died, and $OUT/frozen, the processes that stood still.
stock_open() {
	export DIR=$BUILD/samples/$SAMPLE TRUTH=$BUILD/samples/$SAMPLE/truth OUT=$BATS_FILE_TMPDIR MODE=${MODES##* }
	export DEATH
	DEATH=$(grep -o 'guest.death=[a-z]*' "$TRUTH/cmdline")
	DEATH=${DEATH#*=}
	BATS_TEST_TMPDIR=$OUT
	# Processes of services: they stood still, but for the one that then took the memory.
	awk -F / -v outside="$([ "$DEATH" != outside ] || echo 1)" '/:0::\/system\.slice\// && !/guest\.service/ && (outside || !/report-builder\.service/) { print $3 }' \
		"$TRUTH/proc_cgroup" | sort -u > "$OUT/all"
	# Nothing is frozen on a busy machine: what has no load stands still.
	if [ "$DEATH" = busy ]; then
		awk -F / -v loaded="/($LOADED)" '$0 ~ loaded { print $3 }' "$TRUTH/proc_cgroup" | sort -u | comm -13 - "$OUT/all" > "$OUT/idle"
		mv "$OUT/idle" "$OUT/all"
	fi
	# A zombie has no memory.
	awk -F '[/:\t]+' '$4 == "status" && $5 == "State" && $6 ~ /^Z/ { print $3 }' "$TRUTH/proc_status" | sort -u | comm -13 - "$OUT/all" > "$OUT/frozen"
	# A panic: the machine went on until memory was used up, all that stood still did so too.
	DIED=1
	case $DEATH in outside | busy) DIED= ;; esac
	export DIED
}

of() {	# FILE FILTER: rows; of the summary, each statement is a record of its section
	[ "$1" = summary ] && jq -r "$2" "$OUT/$1.json" || jq -r "select(.record == \"row\") | $2" "$OUT/$1.json"
}

# Up to 6.1 each thread has counters of pages of its own (SPLIT_RSS_COUNTING).
split_rss() {
	case $SAMPLE in 5.10-* | 6.1-*) echo 1 ;; esac
}

# Lines "KEY OURS TRUTH" that differ, from two files of lines "KEY VALUE".
differing() {	# OURS TRUTH
	join -a 1 -a 2 -e - -o 0,1.2,2.2 <(sort -k 1,1 "$1") <(sort -k 1,1 "$2") | awk '$2 != $3'
}

of_frozen() {	# FILE of lines "PID/KEY VALUE"
	awk 'FNR == NR { frozen[$1] = 1; next } { split($1, part, "/") } part[1] in frozen' "$OUT/frozen" "$1"
}
