#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Areas of the vmalloc space and pools of a real dump, $SAMPLE, against /proc/vmallocinfo, /proc/swaps
# and the kernel's own counters.

load helper
load dump

setup_file() {
	of_sample
}

# /proc/vmallocinfo: size, caller, pages, physical address, flags.
vmallocinfo() {
	awk '/unpurged vm_area/ { next } {
		n = 0; phys = "0x0"; flags = ""; caller = "-"; i = 3
		if ($i ~ /\+0x/) { caller = $i; sub(/\/0x[0-9a-f]+$/, "", caller); i++
			if ($i ~ /^\[/) { caller = caller " " $i; i++ } }
		for (; i <= NF; i++)
			if ($i ~ /^pages=/) n = substr($i, 7)
			else if ($i ~ /^phys=/) { phys = $i; sub(/phys=0x0*/, "0x", phys) }
			else if ($i !~ /^N[0-9]+=|^vpages$/) flags = flags (flags == "" ? "" : ",") $i
		print $2, caller, n, phys, flags }' "$TRUTH/vmallocinfo" | sort
}

# Pages of classes of -m.
classes() {
	jq "select(.record == \"row\" and ($1)) | .pages" "$SAID/memory" | awk '{ n += $1 } END { print n }'
}

@test "areas of vmalloc are those of /proc/vmallocinfo, line by line, but for stacks of threads of later" {
	local stacks

	has vmallocinfo || return 0
	of areas 'select(.areas != 1 or .address == null) | .caller' > "$OUT/odd"
	[ ! -s "$OUT/odd" ]
	# Per-CPU chunks have no pages of their own there.
	# What is freed and not unmapped yet goes on changing.
	of areas 'select(.kind != "unpurged") | [.space_bytes, .symbol // "-", (if .kind == "percpu" then 0 else .pages end), .phys // "0x0", .vm_flags // "vm_map_ram"] | join(" ")' | sort > "$OUT/areas"
	[ "$(wc -l < "$OUT/areas")" -gt 60 ]
	stacks=$(of areas 'select(.kind == "kstack") | .symbol' | sort -u)
	diff <(vmallocinfo | grep -v -F "$stacks") <(grep -v -F "$stacks" "$OUT/areas")
	[ "$(vmallocinfo | grep -c -F "$stacks")" -ge 20 ]
}

@test "pages of all areas are VmallocUsed and, with the first chunk, Percpu" {
	jq -r 'select(.record == "total") | [.name, .pages, .counted_pages, .difference_pages, .cause // "-"] | @tsv' "$SAID/callers_of_areas.json" > "$OUT/totals"
	# Without SMP per-CPU memory is in no area.
	if ! has_smp; then
		[ "$(cut -f 1 "$OUT/totals")" = VmallocUsed ]
		[ "$(($(of pools 'select(.kind == "percpu") | .pages' | paste -s -d +) - 32768 / PAGE))" = "$(classes '.class == "percpu"')" ]
		return
	fi
	[ "$(cut -f 1 "$OUT/totals" | xargs)" = 'VmallocUsed Percpu' ]
	# Up to 5.2 the kernel does not count the first.
	awk -F '\t' -v tags="$(of areas 'select(.caller == "alloc_tag_init") | .pages')" -v release="$SAMPLE" \
		'release ~ /^4/ && $1 == "VmallocUsed" && $3 $4 == "" { next }
		$4 != $2 - $3 || $1 == "VmallocUsed" && $4 != tags + 0 || ($4 == 0) != ($5 == "-") || $5 == "unknown" { print; bad = 1 } END { exit bad }' "$OUT/totals"
	# The classes of -m are the same pages.
	[ "$(of areas 'select(.kind == "percpu") | .pages' | awk '{ n += $1 } END { print n }')" = "$(classes '.class == "percpu"')" ]
	[ "$(of areas 'select(.kind != "percpu") | .pages' | awk '{ n += $1 } END { print n }')" = "$(classes '.class == "vmalloc" or .class == "kstack"')" ]
	[ "$(summary_of areas '.complete, (.warnings | length)' | xargs)" = 'true 0' ]
}

@test "groups of areas add up; memory of modules is exec; the fixture's areas have its name" {
	[ "$(of callers_of_areas '[.areas, .pages, .space_bytes] | @tsv' | awk '{ for (i = 1; i <= 3; i++) n[i] += $i } END { print n[1], n[2], n[3] }')" = \
		"$(of areas '[.areas, .pages, .space_bytes] | @tsv' | awk '{ for (i = 1; i <= 3; i++) n[i] += $i } END { print n[1], n[2], n[3] }')" ]
	loaded || return 0
	[ "$(of callers_of_areas 'select(.module == "leaky") | "\(.caller) \(.areas) \(.pages) \(.kind)"')" = 'leaky_vmalloc [leaky] 50 800 vmalloc' ]
	[ "$(of areas 'select(.kind == "exec") | .pages' | awk '{ n += $1 } END { print n + 0 }')" -gt 0 ]
}

@test "pools: per-CPU chunks are Percpu, zram has the pages of zsmalloc, swap areas are those of /proc/swaps" {
	local percpu

	percpu=$(of pools 'select(.kind == "percpu") | .pages' | awk '{ n += $1 } END { print n }')
	if has_smp; then
		[ "$percpu" = "$(jq -r 'select(.record == "total" and .name == "Percpu") | .counted_pages' "$SAID/callers_of_areas.json")" ]
	fi
	# Nothing changed them between T0 and the panic.
	[ ! -s "$TRUTH/meminfo" ] || [ "$((percpu * PAGE / 1024))" = "$(awk '$1 == "Percpu:" { print $2 }' "$TRUTH/meminfo")" ]
	[ "$(of pools 'select(.kind == "percpu" and (.used_bytes == null or .used_bytes < 0)) | .name')" = '' ]
	[ "$(of pools 'select(.kind == "percpu") | .used_bytes' | head -n 1)" -gt 0 ]
	[ "$(of pools 'select(.kind == "zsmalloc") | "\(.name) \(.pages)"')" = "zram0 $(classes '.class == "zsmalloc"')" ]
	[ "$(of pools 'select(.kind == "zsmalloc") | .used_bytes <= .pages * '$PAGE' and .stored_bytes >= .used_bytes')" = true ]
	diff <(awk 'NR > 1 { print $1, $3, $5 }' "$TRUTH/swaps") \
		<(jq -r 'select(.record == "swap") | "\(.path) \(.swap_pages * '$PAGE' / 1024) \(.priority)"' "$SAID/pools.json")
	[ "$(jq -r 'select(.record == "swap") | .swap_pages - .swap_used_pages' "$SAID/pools.json" | awk '{ n += $1 } END { print n + 0 }')" = \
		"$(jq -r 'select(.swap_free_pages != null) | .swap_free_pages' "$SAID/zones.json" | head -n 1)" ]
	[ "$(summary_of pools '.complete, (.warnings | length)' | xargs)" = 'true 0' ]
}

@test "static per-CPU memory is as the kernel says at boot, that of a module its section" {
	local said sites

	has_smp || return 0
	said=$(sed -n 's|.*percpu: Embedded [0-9]* pages/cpu s\([0-9]*\) r\([0-9]*\) .*|\1 \2|p' "$TRUTH/dmesg")
	[ -n "$said" ]
	jq -r 'select(.record == "percpu") | "\(.module) \(.cpu_bytes) \(.bytes)"' "$(json_file pools)" > "$OUT/static"
	[ "$(awk '$1 == "vmlinux" { s = $2; next } { r += $2 } END { print s, r }' "$OUT/static")" = "$said" ]
	[ "$(awk -v cpus="$(meta_of pools .cpus)" '$3 != $2 * cpus' "$OUT/static")" = '' ]
	refute grep '^null ' "$OUT/static"
	# Up to 6.12 a module has the counters of its allocation sites there, and leaky nothing else.
	sites=$(grep -c -s '\[leaky\]' "$TRUTH/allocinfo" || true)
	case $SAMPLE in
	6.12-*) [ "$(sed -n 's/^leaky \([0-9]*\) .*/\1/p' "$OUT/static")" = "$(((sites + 0) * 16))" ] ;;
	*) refute grep '^leaky ' "$OUT/static" ;;
	esac
}

@test "what leads to memory: without symbols of data variables of modules have no names, and the answer says so" {
	ask "${MODES##* }" "memowner holders -n 0 -j > $OUT/roots" > /dev/null
	# CONFIG_KALLSYMS_ALL.
	if grep -q ' init_uts_ns$' "$TRUTH/kallsyms"; then
		[ "$(jq -r 'select(.record == "summary") | .warnings[] | select(contains("names of variables"))' "$OUT/roots")" = '' ]
		[ "$(jq -r 'select(.record == "row") | .root' "$OUT/roots" | grep -c '^~*ledger')" -ge 1 ]
	else
		[ "$(jq -r 'select(.record == "summary") | .complete' "$OUT/roots")" = false ]
		[ "$(jq -r 'select(.record == "summary") | .warnings[] | select(contains("names of variables"))' "$OUT/roots")" = \
			"roots are missing: names of variables of modules and of CPUs: this kernel was built without CONFIG_KALLSYMS_ALL" ]
		# Those of vmlinux are in its file.
		jq -r 'select(.record == "row") | .root' "$OUT/roots" | grep -v '\[' | sed 's/^~//' > "$OUT/named"
		grep -q '^[a-z_]*[a-z]' "$OUT/named"
		refute grep -x data "$OUT/named"
		refute grep -E '"root":"~?leaky_' "$OUT/roots"
		jq -r 'select(.record == "row" and .root_kind == "variable" and .module == "vmlinux") | .root' "$OUT/roots" | sed 's/^~//' | sort -u |
			comm -23 - <(nm "$DIR/vmlinux" | awk '{ print $3 }' | sort -u) | refute grep .
	fi
}
