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

records() {	# FILE RECORD FILTER
	jq -r "select(.record == \"$2\") | $3" "$OUT/$1.json"
}

# Lines "FIGURE OURS LEAST MOST" or "FIGURE OURS TRUTH" of standard input, at least N: each is within. How many were compared of
# VIEW, and how many of them are, is what scripts/stock-views adds up.
within() {	# N VIEW
	cat > "$OUT/bounds"
	mkdir -p "$BUILD/views"
	awk -v n="$1" -v view="$2" -v tally="$BUILD/views/$SAMPLE@$(basename "$BATS_TEST_FILENAME" .bats)" 'NF == 3 { $4 = $3 }
		NF == 4 && $2 == $3 { next }
		NF != 4 || $2 !~ /^-?[0-9.]+$/ || $2 < $3 + 0 || $2 > $4 + 0 { print "#", $0; bad++ }
		END { print view "\t" NR - bad "\t" NR >> tally
			if (NR < n) print "# " NR " figures"
			exit bad || NR < n }' "$OUT/bounds"
}

# In setup_file(): what was compared before is not added up.
tally_none() {
	rm -f "$BUILD/views/$SAMPLE@$(basename "$BATS_TEST_FILENAME" .bats)"
}

# Lines "KEY OURS" of one file beside lines "KEY TRUTH" of another: what both have.
both() {	# OURS TRUTH
	join <(sort -k 1,1 "$1") <(sort -k 1,1 "$2")
}

# How much events have grown since the files were read.
grown_since() {	# REGEX
	both <(of events '"\(.name) \(.count)"') "$TRUTH/vmstat_again" | awk -v name="^($1)\$" '$1 ~ name { n += $2 - $3 } END { print n + 0 }'
}

# Counters of the files lack what CPUs have not added yet: so many pages of all zones at most.
unadded() {
	awk '/ vm stats threshold: / { n += $4 } END { print n }' "$TRUTH/zoneinfo"
}
