#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Every view of allocprof on a real dump, $SAMPLE: the text against the kernel's own
# /proc/allocinfo, the others against the list of all sites, which sample.bats holds
# against that file.

load helper

setup_file() {
	export DIR=$BUILD/samples/$SAMPLE OUT=$BATS_FILE_TMPDIR
	export TRUTH=$DIR/truth
	open_session "$DIR/vmlinux" "$DIR/vmcore" $(option_of ${MODES##* })
	BATS_TEST_TMPDIR=$OUT ask "allocprof -j > $OUT/sites.json" "allocprof -t raw > $OUT/raw" \
		"allocprof -t tree -j > $OUT/tree.json" "allocprof -d $TRUTH/allocinfo -j > $OUT/diff.json" \
		"allocprof -i -j > $OUT/state.json"
	rows sites '[.bytes, .calls, .file // "-", .line, .module // "-", .function // "-", .loaded, .accurate, .tag] | map(tostring) | @tsv' \
		> "$OUT/sites.tsv"
}

ask() {	# COMMAND...
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of ${MODES##* }) -- "$@"
}

rows() {	# NAME FILTER
	jq -r "select(.record == \"row\") | $2" "$OUT/$1.json"
}

# Bytes that crashkernel= took.
capture_bytes() {
	local from to

	IFS=' -' read -r from to _ <<< "$(sed -n 's/ : Crash kernel$//p' "$TRUTH/iomem")"
	[ -n "$from" ] && echo $((0x$to + 1 - 0x$from)) || echo 0
}

state() {	# NAME
	rows state "select(.name == \"$1\") | .value"
}

# Lines of an allocinfo without their counters.
names() {
	sed -E 's/^ *-?[0-9]+ +[0-9]+ //' "$1"
}

# Bytes, calls and sites by an expression over $1 bytes .. $9 tag.
sums() {
	awk -F '\t' "{ k = $1; b[k] += \$1; c[k] += \$2; n[k]++ } END { for (k in b) printf \"%s\t%d\t%d\t%d\n\", k, b[k], c[k], n[k] }" \
		"$OUT/sites.tsv" | sort
}

@test "raw is /proc/allocinfo: every line in its place, counters where they stood still to the byte" {
	cmp <(names "$TRUTH/allocinfo") <(names "$OUT/raw")
	# What is not the same is as wide as printf makes it.
	[ "$(comm -12 <(sort "$TRUTH/allocinfo") <(sort "$OUT/raw") | wc -l)" -gt 850 ]
	cmp <(grep -F '[leaky]' "$TRUTH/allocinfo") <(grep -F '[leaky]' "$OUT/raw")
	[ -z "$(sed 1,2d "$OUT/raw" | grep -v -E '^( {0,11}-?[0-9]{1,12}|-?[0-9]{12,}) ( {0,7}[0-9]{1,8}|[0-9]{8,}) [^ ]+:[0-9]+ (\[[^ ]+\] )?func:[^ ]+ (accurate:no )?$')" ]
	# The same numbers as the rows.
	diff <(sed 1,2d "$OUT/raw" | awk '{ print $1, $2 }' | sort) <(awk -F '\t' '$7 == "true" { print $1, $2 }' "$OUT/sites.tsv" | sort)
	# Filters and -n leave lines out and nothing else.
	ask "allocprof -t raw -f file=mm/* -n 5 > $OUT/five"
	cmp "$OUT/five" <(sed -n 1,2p "$OUT/raw"; grep -E ' mm/[^ ]*:[0-9]+ ' "$OUT/raw" | head -n 5)
}

@test "each key groups as the list has it" {
	ask "allocprof -g module -j > $OUT/module.json" "allocprof -g function -j > $OUT/function.json" \
		"allocprof -g file -j > $OUT/file.json" "allocprof -g dir -j > $OUT/dir.json" \
		"allocprof -g module,dir -j > $OUT/both.json"
	of() { rows "$1" "[($2 | map(. // \"-\") | join(\" \")), .bytes, .calls, .sites] | @tsv" | sort; }
	diff <(sums '$5') <(of module '[.module]')
	diff <(sums '$6') <(of function '[.function]')
	diff <(sums '$3') <(of file '[.file]')
	# shellcheck disable=SC2016
	dir='(match($3, /\/[^\/]*$/) ? substr($3, 1, RSTART - 1) : $3 == "-" ? "-" : ".")'
	diff <(sums "$dir") <(of dir '[.dir]')
	diff <(sums "\$5 \" \" $dir") <(of both '[.module, .dir]')
	[ "$(rows file 'select(.avg != (if .calls == 0 then null else .bytes / .calls | trunc end)) | .file')" = '' ]
	[ "$(jq -r 'select(.record == "row") | keys_unsorted | join(" ")' "$OUT/both.json" | sort -u)" = 'record bytes calls basis avg sites module dir' ]
}

@test "shares are of all sites, and of System RAM" {
	ask "allocprof -o bytes,total,ram -j > $OUT/shares.json" "allocprof -g module -f module=vmlinux -o +total,+ram -j > $OUT/share.json" \
		"pageowner -n 1 -j > $OUT/pages.json"
	# What a capture kernel has no process can use.
	ram=$(jq -r 'select(.record == "summary") | .ram_pages * 4096' "$OUT/pages.json")
	ram=$((ram - $(capture_bytes)))
	all=$(rows sites .bytes | awk '{ n += $1 } END { printf "%d", n }')
	[ "$(rows shares "select(.total_percent - 100 * .bytes / $all | fabs > 0.06) | .bytes" | wc -l)" = 0 ]
	[ "$(rows shares "select(.ram_percent - 100 * .bytes / $ram | fabs > 0.06) | .bytes" | wc -l)" = 0 ]
	[ "$(rows shares 'select(.ram_percent > 1) | .bytes' | wc -l)" -gt 2 ]
	# Of all, also with filters; the text says the same.
	[ "$(rows share ".total_percent - 100 * .bytes / $all | fabs < 0.06")" = true ]
	ask 'allocprof -n 1' > "$OUT/text"
	grep -q -E "^ *[0-9.]+[KMG] +[0-9]+ +[0-9.]+[KMGB] +$(rows shares .ram_percent | head -n 1) " "$OUT/text"
	grep -q -E '^all sites [0-9.]+M; [0-9.]+M without pages counted again as objects: slabs [0-9.]+M, per-CPU [0-9.]+M$' "$OUT/text"
}

@test "filters keep what they say" {
	ask "allocprof -j -f size=4K..1M > $OUT/f1.json" "allocprof -j -f file=mm/*,fs/* -X module=leaky > $OUT/f2.json" \
		"allocprof -j -f calls=0 > $OUT/f3.json" "allocprof -j -f line=..100 -f size=1.. > $OUT/f4.json" \
		"allocprof -j -f function=/alloc.*page/ > $OUT/f5.json" "allocprof -j -f size=..-1 > $OUT/f6.json" \
		"allocprof -j -X accurate=no > $OUT/f7.json" "allocprof -j -f loaded=no > $OUT/f8.json" \
		"allocprof -j -f size=-1M..0 > $OUT/f9.json" "allocprof -j -f dir=mm > $OUT/f10.json" "allocprof -j -f module=- > $OUT/f11.json"
	kept() { diff <(awk -F '\t' "$2 { print \$9 }" "$OUT/sites.tsv" | sort) <(rows $1 .tag | sort); }
	kept f1 '$1 >= 4096 && $1 <= 1048576'
	kept f2 '$3 ~ /^(mm|fs)\// && $5 != "leaky"'
	kept f3 '$2 == 0'
	kept f4 '$4 <= 100 && $1 >= 1'
	kept f5 '$6 ~ /alloc.*page/'
	kept f6 '$1 < 0'
	# A kernel that does not tell refuses it.
	if [ "$(rows sites .accurate | head -n 1)" = null ]; then
		grep -qx 'allocprof: accurate: not recorded by this kernel' "$OUT/f7.json"
	else
		kept f7 '$8 != "false"'
	fi
	kept f8 '$7 == "false"'
	kept f9 '$1 <= 0 && $1 >= -1048576'
	kept f10 '$3 ~ /^mm\/[^\/]*$/'
	kept f11 '$5 == "-"'
	[ "$(rows f1 .tag | wc -l)" -gt 10 ]
	[ "$(rows f5 .tag | wc -l)" -gt 5 ]
}

@test "the tree: each folder and file is the sum of its sites, and each folder of its own" {
	diff <(awk -F '\t' '{ sub(/^(\.\/)+/, "", $3); if ($3 == "-") $3 = "[unknown]"; n = split($3, part, "/"); path = ""
			for (i = 1; i <= n; i++) { path = path part[i] (i < n ? "/" : "")
				b[path] += $1; c[path] += $2; s[path]++ } }
			END { for (p in b) printf "%s\t%d\t%d\t%d\n", p, b[p], c[p], s[p] }' "$OUT/sites.tsv" | sort) \
		<(rows tree '[.path // "[unknown]", .bytes, .calls, .sites] | @tsv' | sort)
	rows tree '[.id, .parent // 0, .bytes, .depth, .sites, (.name | endswith("/"))] | @tsv' > "$OUT/nodes"
	[ -z "$(awk '{ bytes[$1] = $3; below[$2] += $3; depth[$1] = $4; dir[$1] = $6; if ($2 && depth[$2] != $4 - 1) print "depth", $0 }
		END { for (i in bytes) if (dir[i] == "true" && bytes[i] != below[i]) print "node", i }' "$OUT/nodes")" ]
	# Of equals the bigger stands first, and -n keeps the biggest with their folders.
	ask "allocprof -t tree -n 3 > $OUT/tree.txt"
	[ "$(sed -n '2,4p' "$OUT/tree.txt" | awk '{ print $1 }' | wc -l)" = 3 ]
	[[ "$(sed -n 5p "$OUT/tree.txt")" =~ ^\.\.\.' '[0-9,]+' more branches' ]]
}

@test "-d: what grew since the kernel's own file was read; idle sites by nothing" {
	local first

	awk -f "$TESTS/truth/allocinfo.awk" "$TRUTH/allocinfo" > "$OUT/before.tsv"
	# Sites of one line are one: bytes now less those before.
	diff <(cat "$OUT/before.tsv" <(awk -F '\t' -v OFS='\t' '$7 == "true" { print "now", $1, $2, $3, $4, $5, $6 }' "$OUT/sites.tsv") | awk -F '\t' '
			$1 == "now" { k = $4 ":" $5 " " $6 " " $7; b[k] += $2; c[k] += $3; next }
			{ k = $3 ":" $4 " " $5 " " $6; b[k] -= $1; c[k] -= $2 }
			END { for (k in b) printf "%s %d %d\n", k, b[k], c[k] }' | sort) \
		<(rows diff 'select(.file != null) | "\(.file):\(.line) \(.module) \(.function) \(.diff_bytes) \(.diff_calls)"' | sort)
	[ "$(rows diff 'select(.diff_bytes != .bytes - .before_bytes or .diff_calls != .calls - .before_calls) | .line' | wc -l)" = 0 ]
	[ "$(rows diff 'select(.diff_bytes == 0 and .diff_calls == 0) | .line' | wc -l)" -gt 800 ]
	[ -z "$(rows diff 'select(.module == "leaky" and (.diff_bytes != 0 or .diff_calls != 0)) | .line')" ]
	[ -z "$(rows diff 'select((.change == "added" or .change == "removed") and .file != null) | .line')" ]
	[ -z "$(rows diff 'select(.file != null and .diff_bytes != 0 and .change != (if .diff_bytes > 0 then "grown" else "shrunk" end)) | .line')" ]
	rows diff .change | grep -q -x grown
	# Sorted, the same; a site less has come, one more has gone.
	first=$(rows diff 'select(.module == "vmlinux" and .bytes > 0 and .before_bytes > 0) | "\(.file):\(.line)"' | head -n 1)
	sort -h -r "$TRUTH/allocinfo" > "$OUT/sorted"
	{ grep -v -F " $first " "$TRUTH/allocinfo"; echo '        4096        1 gone/away.c:7 [gone] func:gone_alloc accurate:no '; } > "$OUT/other"
	# A part of the file has not each site of vmlinux, as the file has, used or not.
	head -n 200 "$TRUTH/allocinfo" > "$OUT/part"
	ask "allocprof -d $OUT/part > $OUT/part.txt"
	grep -q -E "^warning: '.*/part' is not all of /proc/allocinfo: [0-9,]+ of the [0-9,]+ sites of vmlinux are not in it, and what it lacks is told as added$" "$OUT/part.txt"
	ask "allocprof -d $OUT/sorted -j > $OUT/diff2.json" "allocprof -d $OUT/other -j > $OUT/diff3.json" "allocprof -d $OUT/other -f module=gone > $OUT/diff.txt"
	diff <(rows diff tojson | sort) <(rows diff2 tojson | sort)
	[ "$(rows diff3 'select(.change == "added" and .file != null) | "\(.file):\(.line) \(.before_bytes)"' | sort -u)" = "$first 0" ]
	[ "$(rows diff3 'select(.change == "removed") | "\(.file):\(.line) \(.module) \(.function) \(.bytes) \(.diff_bytes) \(.diff_calls)"')" = 'gone/away.c:7 gone gone_alloc 0 -4096 -1' ]
	grep -q -E '^ *-4\.0K +0B +4\.0K +-1 +removed +gone_alloc +gone +gone/away\.c:7$' "$OUT/diff.txt"
}

@test "-d: a file that is none is refused in one line" {
	printf 'allocinfo - version: 3.0\n' > "$OUT/v3"
	: > "$OUT/empty"
	head -c 3000 "$DIR/vmlinux" > "$OUT/elf"
	cat "$TRUTH/allocinfo" "$TRUTH/allocinfo" > "$OUT/twice"
	run ask "allocprof -d $OUT/v3" "allocprof -d $OUT/empty" "allocprof -d $OUT/elf" "allocprof -d $OUT/nowhere" "allocprof -d $TRUTH/t0 -j" "allocprof -d $OUT/twice"
	[ "${#lines[@]}" = 6 ]
	[ "${lines[5]}" = "allocprof: line $(($(wc -l < "$TRUTH/allocinfo") + 1)) of the file '$OUT/twice': it has more than one /proc/allocinfo" ]
	[ "${lines[0]}" = "allocprof: the file '$OUT/v3' is not a /proc/allocinfo of version 1.0 or 2.0: 'allocinfo - version: 3.0'" ]
	[ "${lines[1]}" = "allocprof: the file '$OUT/empty' contains no site of /proc/allocinfo" ]
	# Which of both depends on where a kernel's first bytes happen to have the end of a line.
	[[ "${lines[2]}" = "allocprof: line 1 of the file '$OUT/elf' is not a line of /proc/allocinfo: '?ELF"* ||
		"${lines[2]}" = "allocprof: the file '$OUT/elf' has bytes of 0: it is no text" ]]
	[ "${lines[3]}" = "allocprof: cannot read the file '$OUT/nowhere': No such file or directory" ]
	[[ "${lines[4]}" = "allocprof: line 1 of the file "* ]]
}

@test "-P: a row for each possible CPU, their sum is the site's" {
	local cpus tag commands=() n=0

	cpus=$(jq -r 'select(.record == "meta") | .cpus' "$OUT/sites.json")
	for tag in $(sort -n -r "$OUT/sites.tsv" | awk -F '\t' 'NR <= 6 || $2 == 0 && !z++ { print $9 }'); do
		commands+=("allocprof -P $tag -j")
	done
	ask "${commands[@]}" > "$OUT/cpus.json"
	diff <(rows cpus '[.tag, .bytes, .calls] | @tsv' | awk '{ b[$1] += $2; c[$1] += $3; n[$1]++ }
			END { for (t in b) printf "%s %d %d %d\n", t, b[t], c[t], n[t] }' | sort) \
		<(sort -n -r "$OUT/sites.tsv" | awk -F '\t' -v cpus="$cpus" 'NR <= 6 || $2 == 0 && !z++ { print $9, $1, $2, cpus }' | sort)
	[ "$(rows cpus 'select(.bytes != 0) | .cpu' | sort -u | wc -l)" -ge 1 ]
	# A site by its place, by the end of it, by its function.
	ask "allocprof -P mm/slub.c:$(awk -F '\t' '$3 == "mm/slub.c" { print $4; exit }' "$OUT/sites.tsv") -j" > "$OUT/place.json"
	[ "$(rows place '"\(.file):\(.line)"' | sort -u)" = "mm/slub.c:$(awk -F '\t' '$3 == "mm/slub.c" { print $4; exit }' "$OUT/sites.tsv")" ]
	ask "allocprof -P slub.c:$(awk -F '\t' '$3 == "mm/slub.c" { print $4; exit }' "$OUT/sites.tsv") -j" > "$OUT/end.json"
	# The first line tells what was asked.
	diff <(sed 1d "$OUT/place.json") <(sed 1d "$OUT/end.json")
	run ask 'allocprof -P lub.c:1' 'allocprof -P nowhere -j'
	[[ "${lines[0]}" = "allocprof: no call site 'lub.c:1'; the nearest file is 'mm/slub.c': a site is FILE:LINE, a function or the address of a tag"* ]]
	[ "${#lines[@]}" = 2 ]
	# A function has as many sites as the list: the CPUs of each, which add up to its row.
	ask 'allocprof -P alloc_slab_page -j' 'allocprof -j -f function=alloc_slab_page' > "$OUT/both"
	diff <(jq -r 'select(.cpu != null) | "\(.tag) \(.bytes) \(.calls)"' "$OUT/both" |
			awk '{ b[$1] += $2; c[$1] += $3 } END { for (t in b) print t, b[t], c[t] }' | sort) \
		<(jq -r 'select(.record == "row" and .cpu == null) | "\(.tag) \(.bytes) \(.calls)"' "$OUT/both" | sort)
	[ "$(jq -r 'select(.cpu != null) | .tag' "$OUT/both" | sort -u | wc -l)" -ge 2 ]
}

@test "-d -g: a group is the sum of its sites, now and in the file" {
	# What the file lacks was added, what it alone has was removed.
	ask 'allocprof -t raw' | sed -e '/ mm\/slub\.c:/d' -e 's/^ *\([0-9]\{1,\}\)[0-9] /\1 /' > "$OUT/before"
	echo '4096 1 gone/file.c:7 [gone_module] func:gone' >> "$OUT/before"
	ask "allocprof -d $OUT/before -j > $OUT/sites.json" "allocprof -d $OUT/before -g module -j > $OUT/modules.json" \
		"allocprof -d $OUT/before -g dir,file -j > $OUT/dirs.json" "allocprof -d $OUT/before -g MODULE -n 1 > $OUT/text"
	sums() { awk -F '\t' '{ d[$1] += $2; b[$1] += $3; n[$1] += $4 } END { for (k in d) print k "\t" d[k] "\t" b[k] "\t" n[k] }' | sort; }
	diff <(rows sites '[.module, .diff_bytes, .before_bytes, 1] | @tsv' | sums) \
		<(rows modules '[.module, .diff_bytes, .before_bytes, .sites] | @tsv' | sort)
	[ "$(rows modules 'select(.module == "gone_module") | "\(.change) \(.diff_bytes) \(.before_bytes)"')" = 'removed -4096 4096' ]
	[ "$(rows dirs 'select(.file == "mm/slub.c") | "\(.dir) \(.change) \(.before_bytes)"')" = 'mm added 0' ]
	[ "$(rows dirs .diff_bytes | awk '{ n += $1 } END { print n }')" = "$(rows sites .diff_bytes | awk '{ n += $1 } END { print n }')" ]
	grep -q 'more groups (-n 0 shows all)$' "$OUT/text"
}

@test "-i: the state, with sums that are those of the rows" {
	# Turned off later, it has what it counted until then.
	[ "$(state built) $(state on)" = "true $(grep -q guest.profiling_off_later "$TRUTH/cmdline" && echo false || echo true)" ]
	[[ "$(state supported)" =~ ^(true|null)$ ]]
	[ "$(state tags)" = "$(wc -l < "$OUT/sites.tsv")" ]
	[ "$(state bytes) $(state calls)" = "$(awk -F '\t' '{ b += $1; c += $2 } END { printf "%d %d", b, c }' "$OUT/sites.tsv")" ]
	[ "$(state slab_page_bytes)" = "$(awk -F '\t' '$6 == "alloc_slab_page" { b += $1 } END { printf "%d", b }' "$OUT/sites.tsv")" ]
	[ "$(state percpu_page_bytes)" = "$(awk -F '\t' '$6 == "pcpu_alloc_pages" || $6 == "pcpu_create_chunk" { b += $1 } END { printf "%d", b }' "$OUT/sites.tsv")" ]
	[ "$(state percpu_page_bytes)" -gt 1000000 ]
	[ "$(state once_bytes)" = "$(($(state bytes) - $(state slab_page_bytes) - $(state percpu_page_bytes)))" ]
	[ "$(state once_bytes)" -lt "$(state in_use_bytes)" ]
	[ "$(state modules)" = "$(awk -F '\t' '$7 == "true" && $5 != "vmlinux" { print $5 }' "$OUT/sites.tsv" | sort -u | wc -l)" ]
	# 6.13 and later keep the tags of all modules in one area; before, nobody can tell.
	unloaded=null
	[ "$(nm "$DIR/vmlinux" | grep -c ' module_tags$')" = 0 ] || unloaded=$(awk -F '\t' '$7 == "false"' "$OUT/sites.tsv" | wc -l)
	[ "$(state unloaded)" = "$unloaded" ]
	# What tells it where kernels have no warnings: a mode (6.12), a symbol (7.2) that only it has.
	case $(sed -n 's/^source=//p' "$DIR/meta") in
	*tagdebug.config) [ "$(state debug)" = true ] ;;
	linux-source-6.12*) [ "$(state debug)" = false ] ;;
	*) [ "$(state debug)" = null ] ;;
	esac
	# What it booted with, and what that made of it.
	option=$(grep -o -E 'sysctl\.vm\.mem_profiling=[^ ]*' "$TRUTH/cmdline" || echo none)
	[ "$(state option)" = "${option#*=}" ]
	[[ "$option" != *compressed ]] || [ "$(state compressed)" = true ]
	if head -n 1 "$TRUTH/allocinfo" | grep -q ' 2\.0$'; then
		[ "$(state inaccurate)" = "$(grep -c ' accurate:no' "$TRUTH/allocinfo")" ]
		[ "$(awk -F '\t' '$8 == "false"' "$OUT/sites.tsv" | wc -l)" = "$(grep -c ' accurate:no' "$TRUTH/allocinfo")" ]
	else
		[ "$(state inaccurate)" = null ]
	fi
	# Pages of slabs are at least what was counted since the tags were there, and no more than all.
	[ "$(state slab_page_bytes)" -le "$(state slab_bytes)" ]
	[ "$(state slab_bytes)" -lt "$(state in_use_bytes)" ]
	[ "${option#*=}" = 0 ] || [ "$((100 * $(state slab_page_bytes) / $(state slab_bytes)))" -ge 90 ]
}

@test "what a module left behind when it was unloaded is what the kernel said then" {
	grep -q 'allocated at module unload' "$TRUTH/dmesg" || return 0
	diff <(sed -n 's/.*\] [^ ]*:\([0-9]*\) module leaky func:[^ ]* has \([0-9]*\) allocated at module unload$/\1 \2/p' "$TRUTH/dmesg" | sort -n) \
		<(rows sites 'select(.loaded | not) | "\(.line) \(.bytes)"' | sort -n)
	# The names went with the module.
	[ "$(rows sites 'select(.loaded | not) | "\(.module) \(.file) \(.function)"' | sort -u)" = 'null null null' ]
	refute grep -q '(null)' "$OUT/raw"
}
