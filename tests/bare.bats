#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel that was built without nearly everything, $SAMPLE (scripts/sample/bare.config): what is not built is
# refused by its name, and all else is what the kernel's own files said.

load helper

ABSENT='allocprof bpf cgroups depot dmabuf events frames pageowner pressure sockets system'

setup_file() {
	export DIR=$BUILD/samples/$SAMPLE TRUTH=$BUILD/samples/$SAMPLE/truth OUT=$BATS_FILE_TMPDIR MODE=${MODES##* }
	local mode name commands

	for mode in $MODES; do
		mkdir -p "$OUT/$mode"
		commands=("memowner -j > $OUT/$mode/summary" "memowner case -a -j > $OUT/$mode/case" "depot -i -j > $OUT/$mode/depot" \
			"faults -b -j > $OUT/$mode/blocked" "faults -e -j > $OUT/$mode/events" "faults -v -j > $OUT/$mode/system" "faults -k -j > $OUT/$mode/frames")
		for name in faults pageowner allocprof; do
			commands+=("$name -j > $OUT/$mode/$name")
		done
		for name in classes zones pressure shrinkers fragmentation pages caches objects files processes cgroups vmalloc pools \
			counted sockets dmabuf bpf stuck; do
			commands+=("memowner $name -j > $OUT/$mode/$name")
		done
		run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $mode) -- "${commands[@]}" > "$OUT/said"
	done
}

rows() {	# NOUN FILTER
	jq -r "select(.record == \"row\") | $2" "$OUT/$MODE/$1"
}

@test "every mode that crash opens it in: the same answers" {
	for mode in ${MODES% *}; do
		diff -r "$OUT/$mode" "$OUT/$MODE"
	done
}

@test "what is not built is refused by its name, all else is whole" {
	cd "$OUT/$MODE"
	refute grep -l -E '"unknown_layout"|unknown layout' -- *
	for name in *; do
		jq -r --arg name "$name" 'select(.record == "summary") | "\($name) \(.status) \(.complete)"' "$name"
	done | grep -v ' ok true$' | diff - <(printf '%s not_built false\n' $ABSENT)
}

@test "zones, vmalloc and per-CPU memory are those of the kernel's files" {
	[ "$(rows zones '"\(.zone) \(.min_pages) \(.low_pages) \(.high_pages) \(.spanned_pages) \(.present_pages) \(.managed_pages)"')" = \
		"$(awk '$1 == "Node" { zone = $4 } $1 ~ /^(min|low|high|spanned|present|managed)$/ { line = line " " $2 }
			$1 == "managed" { if ($2) print zone line; line = "" }' "$TRUTH/zoneinfo")" ]
	[ "$(rows vmalloc '"\(.caller) \(.areas) \(.space_bytes)"' | sort)" = \
		"$(awk '{ sub("[+].*", "", $3); n[$3]++; bytes[$3] += $2 } END { for (c in n) print c, n[c], bytes[c] }' "$TRUTH/vmallocinfo" | sort)" ]
	[ "$(($(rows pools 'select(.kind == "percpu") | .pages' | paste -s -d +) * 4))" = "$(awk '$1 == "Percpu:" { print $2 }' "$TRUTH/meminfo")" ]
	[ "$(rows classes 'select(.difference_pages != 0 and .difference_pages != null and .cause == null) | .class')" = '' ]
}

@test "settings and processes are those of /proc" {
	rows case 'select(.setting) | "\(.setting) \(.value)"' | sort > "$OUT/settings"
	tr '\t' ' ' < "$TRUTH/vm_settings" | sed -n 's|^/proc/sys/vm/\([^:]*\):|vm.\1 |p' | sort > "$OUT/told"
	join -j 1 <(cut -d ' ' -f 1 "$OUT/settings") "$OUT/told" > "$OUT/both"
	[ "$(wc -l < "$OUT/both")" -ge 20 ]
	diff "$OUT/both" <(join <(cut -d ' ' -f 1 "$OUT/both") "$OUT/settings")
	# All but the shell that told.
	diff <(awk -F '[/:\t ]+' '$4 == "status" && $5 == "VmRSS" && $3 > 1 { print $3, $6 }' "$TRUTH/proc_status" | sort) \
		<(rows processes 'select(.pid > 1) | "\(.pid) \(.rss_bytes / 1024)"' | sort)
}
