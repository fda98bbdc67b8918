#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A real kernel with KASAN, kmemleak and ref_tracker, $SAMPLE (scripts/sample/guest/depot): "depot -u" has
# as many records of each user as the ledger of the guest's driver, /sys/kernel/debug/kmemleak, the
# reports of KASAN and the text of ref_tracker. "make samples" makes the dump.

load helper
load dump

setup_file() {
	export DIR=$BUILD/samples/$SAMPLE TRUTH=$BUILD/samples/$SAMPLE/truth OUT=$BATS_FILE_TMPDIR MODE=${MODES##* }
	BATS_TEST_TMPDIR=$OUT
	tr -d '\r' < "$TRUTH/console" | sed 's/^\[ *[0-9.]*\] //' > "$OUT/console"
	ask "depot -u -j > $OUT/users" "depot -a -j -n 0 > $OUT/records" "pageowner -n 1 -j > $OUT/top" > "$OUT/said"
	# "FUNCTION HANDLE" of the stacks of the driver's own records, not of what the allocator or a debugging tool
	# allocated for them.
	jq -r 'select(.record == "row") | .handle as $h | select([.stack[] | .symbol // ""] | any(test("^(___slab_alloc|allocate_slab|alloc_slab_obj_exts|__alloc_empty_sheaf|__create_object)")) | not) |
		.stack[] | .symbol // "" | select(startswith("depotfix_")) | "\(.) \($h)"' "$OUT/records" | sort -u > "$OUT/handles"
	jq -r 'select(.record == "row") | .handle' "$OUT/records" > "$OUT/all"
	ask "depot -u @$OUT/all -j > $OUT/uses" >> "$OUT/said"
	jq -r 'select(.record == "row" and .uses != null and .uses > 0) | "\(.user)\t\(.handle)\t\(.uses)"' "$OUT/uses" > "$OUT/table"
}

ask() {	# COMMAND...
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $MODE) -- "$@"
}

# uses USER FUNCTION: how often the user refers to stacks that have the function.
uses() {
	awk -F '\t' -v user="$1" -v name="$2" 'NR == FNR { split($0, f, " "); if (f[1] == name) of[f[2]] = 1; next }
		$1 == user && $2 in of { n += $3 } END { print n + 0 }' "$OUT/handles" "$OUT/table"
}

ledger() {	# WAY STATE
	grep -c "^$1 $2 " "$TRUTH/ledger"
}

@test "no user is unknown that is built in, but KMSAN" {
	# No list has all directories of ref_tracker.
	[ "$(jq -r 'select(.record == "row" and .user_state != "counted") | "\(.user) \(.user_state)"' "$OUT/users" | xargs -d '\n')" = \
		'ref_tracker, reference counted in part ref_tracker, release counted in part KMSAN not built in' ]
	[ "$(jq -r 'select(.record == "row" and .user == "page_owner, allocation") | .uses' "$OUT/users")" = "$(jq -r 'select(.record == "summary") | .live' "$OUT/top")" ]
	refute grep -E '^(crash|depot|pageowner): ' "$OUT/said"
}

@test "KASAN: allocations of objects in use, frees of objects in the quarantine, as the driver has them" {
	for way in keep shape tiny; do
		kept=$way freed=$way
		case $way in
		keep) freed=drop ;;
		shape) kept=shaped freed=unshape ;;
		tiny) freed=trim ;;
		esac
		[ "$(uses 'KASAN, allocation' depotfix_$way)" = "$(ledger $kept live)" ]
		[ "$(uses 'KASAN, last free' depotfix_$freed)" = "$(ledger $kept freed)" ]
		[ "$(ledger $kept freed)" -gt 0 ]
	done
	[ "$(uses 'KASAN, allocation' depotfix_remember)" = "$(ledger remember live)" ]
	[ "$(uses 'KASAN, allocation' depotfix_forget)" = "$(ledger forget live)" ]
	# call_rcu() is deferred work; the free has the stack of RCU, which is not the driver's alone.
	[ "$(uses 'KASAN, deferred work' depotfix_defer)" = "$(ledger defer freed)" ]
	[ "$(uses 'KASAN, allocation' depotfix_defer)" = 0 ]
}

# Frames below the line with a title, "Freed by task", in one of the reports of KASAN.
frames_of() {	# TITLE NUMBER
	awk -v title="$1" 'index($0, title) == 1 { here = 1; next } here && /^ [^ ]/ { sub(/\/0x[0-9a-f]+/, ""); sub(/^ */, ""); print; next }
		here { here = 0; print "" }' "$OUT/console" | awk -v RS= -v n="$2" 'NR == n' | grep -v '^?'
}

@test "KASAN: the stacks are those of its reports" {
	local handle stack

	[ "$(grep -c '^BUG: KASAN: ' "$OUT/console")" = 2 ]
	for n in 1 2; do
		for title in 'Allocated by task' 'Freed by task'; do
			stack=$(frames_of "$title" $n)
			[ "$(wc -l <<< "$stack")" -gt 5 ]
			[[ "$stack" = *depotfix_* ]]
			user='KASAN, allocation'
			[ "$title" = 'Allocated by task' ] || user='KASAN, last free'
			handle=$(awk -F '\t' -v user="$user" '$1 == user { print $2 }' "$OUT/table" | grep -x -F -f <(jq -r "$STACK"'
				select(.record == "row") | select(([.stack[] | "\(.symbol)+0x\(.offset | hex)" + (if .module then " [\(.module)]" else "" end)] | join("\n")) == $stack) | .handle' \
				--arg stack "$stack" "$OUT/records"))
			[ "$(wc -w <<< "$handle")" = 1 ]
		done
	done
}

@test "kmemleak: the objects that it reported, one by one" {
	# A kernel that found a reference to each of them has an empty file, and tells of none.
	if [ ! -e "$TRUTH/kmemleak" ]; then
		[[ "$SAMPLE" = 7.3-* ]]
		[ "$(jq -r 'select(.record == "leak") | .address' "$OUT/users")" = '' ]
		[ "$(jq -r 'select(.record == "row" and .user == "kmemleak, reported object") | .uses' "$OUT/users")" = 0 ]
		return
	fi
	awk '/^unreferenced object/ { p = $3; size = $5; gsub(/[():]/, "", size) }
		/^  comm / { sub(/^  comm "/, ""); comm = $0; sub(/", pid .*/, "", comm); pid = $0; sub(/.*, pid /, "", pid); sub(/,.*/, "", pid)
			printf "%s %s %s %s\n", p, size, pid, comm }' "$TRUTH/kmemleak" | sort > "$OUT/reported"
	[ "$(wc -l < "$OUT/reported")" -ge 12 ]
	diff "$OUT/reported" <(jq -r 'select(.record == "leak") | "\(.address) \(.bytes) \(.pid) \(.comm)"' "$OUT/users" | sort)
	# Ages differ by what the times in jiffies differ.
	diff <(awk '/^unreferenced object/ { p = $3 } /^  comm / { sub(/.*jiffies /, ""); print $1, p }' "$TRUTH/kmemleak" | sort | cut -d ' ' -f 2) \
		<(jq -r 'select(.record == "leak") | "\(.age_ns) \(.address)"' "$OUT/users" | sort -s -n -r -k 1,1 | cut -d ' ' -f 2) > "$OUT/order" ||
		[ "$(jq -r 'select(.record == "leak") | .age_ns' "$OUT/users" | sort -u | wc -l)" -lt "$(wc -l < "$OUT/reported")" ]
	[ "$(jq -r 'select(.record == "row" and .user == "kmemleak, reported object") | .uses' "$OUT/users")" = "$(wc -l < "$OUT/reported")" ]
	[ "$(uses 'kmemleak, reported object' depotfix_forget)" = "$(ledger forget live)" ]
	[ "$(jq -r 'select(.record == "leak" and .comm == "forgetd") | .bytes' "$OUT/users" | sort | uniq -c | xargs)" = "$(ledger forget live) 512" ]
}

@test "kmemleak: objects that are not reported have a user too" {
	[ "$(uses 'kmemleak, object' depotfix_remember)" = "$(ledger remember live)" ]
	[ "$(uses 'kmemleak, object' depotfix_forget)" = "$(ledger forget live)" ]
	[ "$(uses 'kmemleak, reported object' depotfix_remember)" = 0 ]
	[ "$(uses 'kmemleak, object' depotfix_keep)" = "$(ledger keep live)" ]
}

@test "ref_tracker: references by stack and by directory, held and released" {
	# The driver held 9 of each kind and released 4.
	[ "$(uses 'ref_tracker, reference' depotfix_hold)" = 10 ]
	[ "$(uses 'ref_tracker, release' depotfix_release)" = 8 ]
	tr -d '\r' < "$TRUTH/dmesg" | sed 's/^\[ *[0-9.]*\] //' > "$OUT/dmesg"
	awk '/^depotfix: dir / { live += $6; released += $8 } END { print live, released }' "$OUT/dmesg" > "$OUT/sums"
	[ "$(jq -r 'select(.record == "row" and (.user | startswith("ref_tracker"))) | .uses' "$OUT/users" | xargs)" = "$(cat "$OUT/sums")" ]
	# "NAME@POINTER has N/TOTAL users at", then the stack, by ref_tracker_dir_print().
	awk '/^ref_tracker: .* has [0-9]+\/[0-9]+ users at/ { n = $0; sub(/.* has /, "", n); sub(/\/.*/, "", n); getline; frame = $1; sub(/\/0x.*/, "", frame)
		of[frame] += n } END { for (f in of) print of[f], f }' "$OUT/dmesg" | sort > "$OUT/first"
	[ "$(wc -l < "$OUT/first")" -gt 3 ]
	diff "$OUT/first" <(jq -r -s "$STACK"'(map(select(.record == "row" and .stack)) | map({(.handle): (.stack[0] | "\(.symbol)+0x\(.offset | hex)")}) | add) as $first |
		map(select(.record == "row" and .user == "ref_tracker, reference" and .uses > 0)) | group_by($first[.handle])[] |
		"\(map(.uses) | add) \($first[.[0].handle])"' "$OUT/records" "$OUT/uses" | sort)
}
