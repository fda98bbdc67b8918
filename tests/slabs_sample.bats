#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Slab caches of a real dump, $SAMPLE: against the class slab, the kernel's own counters,
# /proc/slabinfo of the guest, crash's kmem -s, and the objects one by one.

load helper
load dump

setup_file() {
	of_sample
}

@test "pages of all caches are those of class slab, to the page, and the kernel's counters but for large kmalloc" {
	local slab rows

	slab=$(awk '$1 == "class" && $2 == "slab" { print $3 }' "$SAID/probe")
	rows=$(of caches .pages | awk '{ n += $1 } END { print n }')
	[ "$rows" = "$slab" ]
	[ "$slab" -gt 1000 ]
	jq -r 'select(.record == "total") | [.name, .pages, .counted_pages] | @tsv' "$SAID/caches.json" > "$OUT/totals"
	awk -v slab="$slab" '{ n[$1] = $2; c[$1] = $3 } $1 == "reclaimable" && $2 != $3 { exit 1 }
		END { exit NR != 3 || n["slab"] != slab || n["slab"] != n["reclaimable"] + n["unreclaimable"] || c["slab"] != c["reclaimable"] + c["unreclaimable"] }' "$OUT/totals"
	# Since 6.15 large kmalloc has a page type, and a row.
	[[ $(of caches .cache) != *'[large kmalloc]'* ]] || awk '$2 != $3 { exit 1 }' "$OUT/totals"
	[ "$(summary_of caches '.complete, ([.warnings[] | select(contains("has no /sys/kernel/slab: built with") | not)] | length)' | xargs)" = 'true 0' ]
}

@test "a difference from the counter has a cause; that of class slab is in its part too" {
	[ "$(jq -r 'select(.record == "total" and .name != "reclaimable" and .difference_pages != 0) | .cause' "$SAID/caches.json" | sort -u | wc -l)" -le 1 ]
	[ "$(jq -r 'select(.record == "total" and .difference_pages != 0 and .cause == null) | .name' "$SAID/caches.json")" = '' ]
}

@test "slabs and objects are what each kmem_cache_node counted; what is in use adds up" {
	of caches 'select(.cache != "[large kmalloc]") | [.slabs, .counted_slabs, .objects, .counted_objects, .inuse_objects, .free_objects, .active_objects] | map(. // "null") | @tsv' > "$OUT/counts"
	# SLUB_TINY merges most of them.
	[ "$(wc -l < "$OUT/counts")" -gt $(has slabinfo && echo 60 || echo 30) ]
	# Without SLUB_DEBUG the kernel counts nothing.
	run awk -v counted="$(has slabinfo && echo 1)" 'counted && ($1 != $2 || $3 != $4 || $5 > $7 || $7 > $3) || !counted && ($2 $4 $7 != "nullnullnull") || $5 + $6 != $3' "$OUT/counts"
	[ -z "$output" ]
	# An own count: the objects one by one.
	diff <(of caches 'select(.inuse_objects > 0) | "\(.cache) \(.inuse_objects)"' | sort) \
		<(of objects '"\(.cache) \(.objects)"' | sort)
}

@test "caches are those of /proc/slabinfo; other numbers of slabs have slabs from after T0, or fewer" {
	has slabinfo || return 0
	# Up to 5.8 those of cgroups are summed up there: "dentry(4:web)".
	diff <(awk 'NR > 2 { print $1, $4 }' "$TRUTH/slabinfo" | sort) \
		<(of caches 'select(.cache != "[large kmalloc]") | "\(.cache | sub("\\([0-9]+:.*\\)$"; "")) \(.slot_bytes)"' | sort -u)
	records_time || return 0
	ask $MODE "pageowner -g cache -f class=slab -f ts=..${T0}ns -j > $OUT/old.json"
	# truth: slabs, objects, pages of a slab
	run awk 'FNR == 1 { file++ }
		file == 1 { if (FNR > 2) { slabs[$1] = $15; objects[$1] = $3; each[$1] = $6 } next }
		file == 2 { old[$1] = $2; next }
		{ n++
		  if ($2 == slabs[$1] && $3 == objects[$1]) { same++; next }
		  if (old[$1] > slabs[$1] * each[$1]) print "older:", $0
		  if ($4 <= old[$1] && $2 > slabs[$1]) print "more:", $0 }
		END { print (same >= n * 3 / 4) }' "$TRUTH/slabinfo" \
		<(of old 'select(.cache) | "\(.cache) \(.pages)"') \
		<(of caches 'select(.cache != "[large kmalloc]") | "\(.cache) \(.slabs) \(.objects) \(.pages)"')
	[ "$output" = 1 ]
	# The guest keeps all of these, and the fixture frees none.
	[ "$(of caches 'select(.cache == "leaky_cache") | .inuse_objects')" = 5000 ]
}

@test "crash's own kmem -s says the same of every cache" {
	# It dies on 7.3, and needs more than --minimal.
	[[ "$SAMPLE $MODES" =~ ^6\.(1|12)-oom\ .*whole ]] || return 0
	ask whole 'kmem -s' > "$OUT/kmem"
	diff <(awk 'NF == 7 && $1 != "CACHE" { print $7, "0x" $1, $2, $3, $4, $5 }' "$OUT/kmem" | sort) \
		<(of caches '"\(.cache) \(.address) \(.object_bytes) \(.inuse_objects) \(.objects) \(.slabs)"' | sort)
	[ "$(of caches .cache | wc -l)" -gt 60 ]
}

@test "objects by cgroup: as many, and as many bytes, as memowner cgroups found to be charged; their sum is all objects" {
	ask $MODE "memowner objects -g memcg -j > $OUT/memcgs.json" "memowner objects -g cgroup -f memcg=/db,/web -j > $OUT/two.json" "memowner cgroups -j > $OUT/cgroups.json"
	[ "$(of objects .objects | awk '{ n += $1 } END { print n }')" = "$(of memcgs .objects | awk '{ n += $1 } END { print n }')" ]
	# Charged is the room of the object in its slab, and a pointer (obj_full_size()).
	diff <(of memcgs 'select(.memcg != "[not charged]") | "\(.memcg) \(.objects) \(.bytes + 8 * .objects)"' | sort) \
		<(of cgroups 'select(.memcg_charged.objects > 0) | "\(.memcg) \(.memcg_charged.objects) \(.memcg_charged.object_bytes)"' | sort)
	diff <(of two '"\(.memcg) \(.objects)"') <(of memcgs 'select(.memcg == "/db" or .memcg == "/web") | "\(.memcg) \(.objects)"')
	[ "$(of memcgs '.reparented_objects' | sort -u)" = 0 ]
	[ "$(of memcgs .basis | sort -u)" = derived ]
}

@test "who filled the slabs of a cache, and who has its objects" {
	local tracked

	loaded || return 0
	ask $MODE "pageowner -g caller -f cache=leaky_cache -j > $OUT/filled.json" \
		"memowner objects -f cache=leaky_cache -j > $OUT/kept.json" "pageowner -g cache -j > $OUT/by_cache.json" \
		"memowner caches -g node -j > $OUT/by_node.json"
	[ "$(of filled '"\(.caller) \(.pages)"')" = "leaky_own_cache [leaky] $(of caches 'select(.cache == "leaky_cache") | .pages')" ]
	# Pages of caches, and of the rest by class: all that are live.
	diff <(of by_cache 'select(.cache | test("^\\[") | not) | "\(.cache) \(.pages)"' | sort) \
		<(of caches 'select(.cache != "[large kmalloc]" and .pages > 0) | "\(.cache) \(.pages)"' | sort)
	[ "$(of by_cache .pages | awk '{ n += $1 } END { print n }')" = "$(summary_of list .live)" ]
	[ "$(of by_node .pages | awk '{ n += $1 } END { print n }')" = "$(of caches .pages | awk '{ n += $1 } END { print n }')" ]
	grep -q slub_debug "$TRUTH/cmdline" && tracked=1 || tracked=0
	[ "$(of kept '"\(.objects) \(.cache)"' | head -n 1)" = '5000 leaky_cache' ]
	if [ $tracked = 1 ]; then
		[ "$(of kept '"\(.stack[0].symbol) \(.threads)"')" = 'leaky_own_cache 1' ]
	elif has allocinfo && [ "$(profiling)" = on ]; then
		[[ "$(of kept .site)" = *'leaky_own_cache [leaky]' ]]
	else
		case $SAMPLE in
	*-slabdebug) [[ "$(summary_of kept '.warnings[0]')" = 'callers are unknown: the last one of each object, which CONFIG_DEBUG_SLAB keeps, '* ]] ;;
	*) [[ "$(summary_of kept '.warnings[0]')" = 'not recorded: callers; slub_debug=U '* ]] ;;
	esac
	fi
}
