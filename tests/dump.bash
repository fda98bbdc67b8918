# SPDX-License-Identifier: GPL-2.0-or-later
# What the bats files share that look at a real dump, $SAMPLE, with the truth that its kernel told.
# $SAID: the answers in the quickest mode; $LIST: tables of the list among them.

of_sample() {
	export DIR=$BUILD/samples/$SAMPLE OUT=$BATS_FILE_TMPDIR
	export TRUTH=$DIR/truth T0 SAID LIST PAGE MODE=${MODES##* }
	T0=$(cat "$TRUTH/t0")
	SAID=$(answers $MODE)
	LIST=$(digest)
	PAGE=$(head -n 1 "$SAID/list.json" | jq -r .page_size)
}

ask() {	# MODE COMMAND...
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $1) -- "${@:2}"
}

# In setup_file(): what is asked in the quickest mode is asked in one session.
ask_in_one() {
	open_session "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE)
}

has() {	# FILE: what this kernel does not have, its truth lacks
	[ -s "$TRUTH/$1" ]
}

of() {	# FILE FILTER: rows of a JSON output, of an answer or of this test
	jq -r "select(.record == \"row\") | $2" "$(json_file $1)"
}

json_file() {
	[ -e "$OUT/$1.json" ] && echo "$OUT/$1.json" || echo "$SAID/$1.json"
}

# Built with SMP, the kernel says at boot what the first chunk of per-CPU memory has.
has_smp() {
	grep -q 'percpu: Embedded' "$TRUTH/dmesg"
}

# Up to 5.17 kernels have no time of an allocation in its record.
records_time() {
	[ "$(listed '{ print @ts_ns; exit }')" != null ]
}

# Memory allocation profiling as the guest was told to have it.
profiling() {
	case $(cat "$TRUTH/cmdline") in
	*guest.profiling_on_later*) echo on ;;
	*mem_profiling=0* | *mem_profiling=never*) echo off_at_boot ;;
	*guest.profiling_off_later*) echo off_later ;;
	*) echo on ;;
	esac
}

# The fixture's frames have names while it is loaded.
loaded() {
	grep -q '^leaky ' "$TRUTH/modules"
}

summary_of() {	# FILE FILTER
	tail -n 1 "$(json_file $1)" | jq -r "select(.record == \"summary\") | $2"
}

meta_of() {	# FILE FILTER
	head -n 1 "$(json_file $1)" | jq -r "select(.record == \"meta\") | $2"
}

# Live allocations from before T0 whose stack has a frame of the fixture's.
allocations() {	# FUNCTION [REGEX THAT THE STACK MUST NOT MATCH]
	awk -F '\t' -v f="$1" -v no="${2:-^$}" '$1 == "live" && $12 ~ "(^|;)" f "\\+0x[0-9a-f]+ \\[leaky\\]" &&
		$12 !~ no { print $2 }' "$LIST/list.tsv" | sort
}

ledger() {	# FUNCTION: pfns that the fixture printed
	awk -v f="$1" '$1 == f { for (i = 5; i <= NF; i++) print $i }' "$TRUTH/ledger" | sort
}

# Of /proc/net/tcp, tcp6, udp, udp6: protocol, state, addresses, queues.
told_sockets() {
	awk 'function number(h,   i, v) { v = 0; for (i = 1; i <= length(h); i++) v = v * 16 + index("0123456789ABCDEF", substr(h, i, 1)) - 1; return v }
		function four(h) { return number(substr(h, 7, 2)) "." number(substr(h, 5, 2)) "." number(substr(h, 3, 2)) "." number(substr(h, 1, 2)) }
		function text(a,   p) { split(a, p, ":")
			return (length(p[1]) == 8 ? four(p[1]) : p[1] ~ /^0+$/ ? "[::]" : p[1] == "00000000000000000000000001000000" ? "[::1]" : "?") ":" number(p[2]) }
		$1 ~ /^[0-9]+:$/ { split($5, q, ":"); n = FILENAME; sub(/.*net_/, "", n)
			print toupper(substr(n, 1, 3)) (n ~ /6$/ ? "v6" : ""), number($4), text($2), text($3), number(q[1]), number(q[2]) }' \
		"$TRUTH"/net_tcp "$TRUTH"/net_tcp6 "$TRUTH"/net_udp "$TRUTH"/net_udp6 | sort
}
