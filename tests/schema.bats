#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What -j prints of a real dump, $SAMPLE, against doc/schema: every view, every key of -g.

load helper

# Each key of -g; those that a kernel may not record are alone.
KEYS='caller,module,order,gfp,migratetype,block_migratetype node,zone,memcg,class,state,file pid tgid comm age owner'
SITE=alloc_thread_stack_node
SAVED_KEYS='caller,module,order,gfp module tgid comm'

setup_file() {
	export DIR=$BUILD/samples/$SAMPLE OUT=$BATS_FILE_TMPDIR
	local commands=() nouns=() key noun percpu object truth=$DIR/truth
	local most=order,gfp,zone,node,class,memcg,comm,pid,tgid,module,migratetype,block_migratetype # more than fit beside the stack
	local refused=("pageowner -d $OUT/none -j" "pageowner -d $OUT/scan -g zone -j" "pageowner -R $OUT/none -j"
		"pageowner -t tree -g $most -j" "pageowner -t folded -g $most"
		"pageowner -R $OUT/scan -k -t top -j" 'depot zz -j' 'pageowner pfn:x -j')

	for key in $KEYS; do
		commands+=("pageowner -g $key -n 100 -j > $OUT/json/key.$key")
	done
	for key in $SAVED_KEYS; do
		commands+=("pageowner -d $OUT/scan -g $key -n 100 -j > $OUT/json/diff.$key")
	done
	for noun in $NOUNS; do
		nouns+=("memowner $noun -j > $OUT/json/$noun")
	done
	for key in "${!refused[@]}"; do
		commands+=("${refused[key]} > $OUT/refused.$((key + 1))")
	done
	# A site with pages and objects, one of per-CPU memory, and an object, where the fixture left them.
	percpu=$(grep -o -m 1 leaky_percpu "$truth/allocinfo" 2> /dev/null || echo $SITE)
	object=$(awk '$2 == "object" { print "virt:" substr($4, 3); exit }' "$truth/ledger" 2> /dev/null || :)
	commands+=("allocprof -j > $OUT/json/sites" "allocprof -g module,dir -j > $OUT/json/groups"
		"allocprof -t tree -j > $OUT/json/site.tree" "allocprof -d $truth/allocinfo -j > $OUT/json/site.diff" "allocprof -d $OUT/json/sites -j > $OUT/json/site.baseline"
		"allocprof -P $SITE -j > $OUT/json/cpus" "allocprof -i -j > $OUT/json/state" "allocprof -C -j > $OUT/json/check"
		"allocprof -c $SITE -j > $OUT/json/context" "allocprof -c $percpu -n 9 -j -o +stack > $OUT/json/context.percpu"
		"allocprof pfn:1000 phys:1000800 $object -j > $OUT/json/address")
	# Of the whole list only the keys are looked at, which the digest has.
	export LIST
	LIST=$(digest)
	mkdir "$OUT/json"
	BATS_TEST_TMPDIR=$OUT ask "${nouns[@]}" "pageowner -w $OUT/scan > /dev/null" "pageowner -n 100 -j > $OUT/json/top" \
		"pageowner -t list -n 300 -j > $OUT/json/list" \
		"pageowner -t list -a -f state=free -n 300 -j > $OUT/json/list.free" \
		"pageowner -t tree -n 300 -j > $OUT/json/tree" "pageowner -t tree -g callee -n 300 -j > $OUT/json/tree.callee" \
		"pageowner -t tree -g class,node -n 300 -j > $OUT/json/tree.keys" \
		"pageowner pfn:1000-1100 pfn:0 pfn:268435455 -j > $OUT/json/page" "pageowner pfn:1000 -c 4 -j > $OUT/json/page.near" \
		"pageowner -k -n 100 -j > $OUT/json/counters" "pageowner -k -t top -n 100 -j > $OUT/json/drift" \
		"pageowner -m -j > $OUT/json/memory" "pageowner -m -g node,zone -j > $OUT/json/memory.groups" "allocprof -d $truth/allocinfo -g module -j > $OUT/json/growth" "pageowner -z -j > $OUT/json/zones" "pageowner -z 3 -j > $OUT/json/zones.3" "pageowner -b 3 -j > $OUT/json/blocks" "pageowner -b -g stack,class,module -j > $OUT/json/mixed" "pageowner -d $OUT/scan -n 100 -j > $OUT/json/diff" \
		"!sed -e '/^kernel/s/[^[:blank:]]*\$/9.8.7/' -e '/^page_size/s/[0-9].*/65536/' -e /^panic_ns/d $OUT/scan > $OUT/scan.other" \
		"pageowner -R $OUT/scan.other -n 10 -j > $OUT/json/saved.other" \
		"pageowner -R $OUT/scan -n 100 -j > $OUT/json/saved" "pageowner -R $OUT/scan -t tree -n 300 -j > $OUT/json/saved.tree" \
		"pageowner -R $OUT/scan -g order,gfp -j > $OUT/json/saved.keys" "pageowner -f comm=no-such -j > $OUT/json/nothing" \
		"pageowner -n 2 -l -j > $OUT/json/lines" \
		"depot -i -j > $OUT/json/health" "depot -a -n 50 -j > $OUT/json/depot.all" "depot -v -j > $OUT/json/defects" "depot -u -j > $OUT/json/users" "depot -i -a -j > $OUT/json/health.scan" "faults -j > $OUT/json/tasks" \
		"memowner -j > $OUT/json/summary" "memowner caches -d $OUT/json/caches -j > $OUT/json/cache.diff" "pageowner -d $OUT/json/top -j -n 100 > $OUT/json/top.baseline" "memowner files -g mount,deleted -j > $OUT/json/files_groups" "memowner files -g process,memcg,dir -j > $OUT/json/files_groups.users" "memowner processes -g comm,uid,cgroup -j > $OUT/json/processes_groups" "memowner cgroups -g memcg,unit_kind -j > $OUT/json/cgroups_groups" "memowner caches -g module -j > $OUT/json/caches_groups" "memowner stuck -g where,holder -j > $OUT/json/stuck.groups" "memowner case -a -j > $OUT/json/case" "memowner pages -g memcg,zone -j > $OUT/json/pages.memcg" "memowner pages -t list -n 300 -j > $OUT/json/pages.list" "faults -v -j > $OUT/json/system" "faults -v -g memcg -j > $OUT/json/memcgs" "faults -g tgid,comm,memcg -j > $OUT/json/fault.groups" "faults -e -n 300 -j > $OUT/json/events" "${commands[@]}" \
		"memowner shrinkers -g memcg,node -j > $OUT/json/shrinkers.groups" "memowner sockets -g remote_address,used_by -j > $OUT/json/sockets.groups" \
		"faults -e -g ip,vma -j > $OUT/json/ranking" "faults -x -j > $OUT/json/fatal" "faults -b -j > $OUT/json/blocked" "faults -t timeline -j > $OUT/json/timeline" \
		"faults -e exceptions:page_fault_kernel -j > $OUT/json/traced" "faults -d $OUT/json/tasks -j > $OUT/json/fault.baseline" \
		"faults -k -j > $OUT/json/frames" "faults -k 1 -j > $OUT/json/frame" \
		"faults -k -t tracepoints -j > $OUT/json/tracepoints" "faults -k -t variables -j > $OUT/json/variables" \
		"pageowner -n 50 -o handle > $OUT/handles" "!sed -i -e 1d -e '/^\.\.\./,\$d' $OUT/handles" \
		"depot @$OUT/handles 1 0 -j > $OUT/json/records" > "$OUT/said"
}

# "NAME NUMBER KEYS" of the rows of each answer, a line for each set of keys.
row_keys() {
	[ -e "$OUT/keys" ] || grep -l '^{' "$OUT"/json/* |
		xargs jq -r 'select(.record == "row") | "\(input_filename | split("/") | last) \(keys | join(","))"' |
		sort | uniq -c | awk '{ print $2, $1, $3 }' > "$OUT/keys"
	awk -v name="$1" '$1 == name' "$OUT/keys"
}

ask() {	# COMMAND...
	run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of ${MODES##* }) -- "$@"
}

rows() {	# NAME FILTER
	jq -r "select(.record == \"row\") | $2" "$OUT/json/$1"
}

# This kernel does not record a key, says so in one line, and no row of the list has it.
is_refused() {	# NAME KEY
	[ "$(cat "$OUT/json/$1")" = "pageowner: $2: not recorded by this kernel" ] || return 1
	case $2 in
	age) set -- "$1" ts_ns ;;
	owner) set -- "$1" tgid ;;
	esac
	[ "$(rows list ".$2" | sort -u)" = null ]
}

@test "every view, and every key of -g, as doc/schema has it" {
	local files=() file name views

	while read -r file; do
		name=${file##*/}
		case $name in
		key.* | diff.*) is_refused "$name" "${name#*.}" && continue ;;
		nothing) is_refused "$name" comm && continue ;;
		esac
		files+=("$file")
	done < <(ls "$OUT"/json/*)
	[ "${#files[@]}" -ge 24 ]
	"$TESTS/tools/validate" "${files[@]}"
	views=$(cat "${files[@]}" | jq -r 'select(.record == "meta") | "\(.command)-\(.view)"' | sort -u | xargs)
	[ "$views" = "$(cd "$TESTS/../doc/schema" && ls *-*.json | grep -x '[a-z]*-[a-z_]*\.json' | sed 's/\.json$//' | sort | xargs)" ]
}

@test "what is asked for is there: rows, keys, lines" {
	local key n=0

	for name in top list tree tree.callee tree.keys page page.near memory diff saved saved.tree saved.keys tasks system memcgs events ranking timeline traced health records; do
		# The list of fields of an event may be in a hole: no data, which the summary says.
		case $SAMPLE.$name in 6.12-holed.events | 6.12-holed.ranking | 6.12-holed.timeline | 6.12-holed.traced) continue ;; esac
		[ "$name" != memcgs ] || [ -s "$DIR/truth/memcg_web" ] || continue
		[ "$(row_keys $name | awk '{ n += $2 } END { print n + 0 }')" -gt 1 ] || { echo "$name"; false; }
	done
	# Where pages are missing, no page is certain to be nobody's.
	[ -n "$LIKE" ] || [ "$(grep -c '"record":"direct"' "$OUT/json/memory")" -gt 0 ]
	[ "$(rows zones .record)" = row ]
	[ "$(grep -c '"record":"blocks"' "$OUT/json/zones")" -gt 40 ]
	[ "$(rows list.free .allocated | sort -u)" = "$([ "$(jq 'select(.record == "summary") | .freed' "$OUT/json/list")" = 0 ] || echo false)" ]
	for name in $(printf 'key.%s ' $KEYS; printf 'diff.%s ' $SAVED_KEYS); do
		is_refused $name ${name#*.} && continue
		for key in $(tr , ' ' <<< "${name#*.}"); do
			n=$((n + 1))
			[ "$(rows $name "has(\"$key\")" | sort -u)" = true ] || { echo "$name $key"; false; }
		done
	done
	[ "$n" -ge 17 ]
	# A group of one stack names it, one of many does not.
	[ "$(rows diff.module 'select(.module == "vmlinux") | .handle == null and .stack == null')" = true ]
	[ "$(rows diff '.handle != null and (.stack | length > 0)' | sort -u)" = true ]
}

@test "every view of call sites has rows, groups the keys that were asked for, and a total" {
	grep -q -x -e ok -e off_later <(jq -r 'select(.record == "summary") | .status' "$OUT/json/sites") || return 0
	# A chunk that is missing may be that of the fixture's per-CPU memory.
	for name in sites groups site.tree site.diff state check context address $([ -n "$LIKE" ] || echo context.percpu); do
		[ "$(rows $name .record | wc -l)" -gt 1 ] || { echo "$name"; false; }
	done
	[ "$(rows cpus .cpu | wc -l)" = "$(jq 'select(.record == "meta") | .cpus' "$OUT/json/cpus")" ]
	[ "$(rows groups 'keys | join(" ")' | sort -u)" = 'avg basis bytes calls dir module record sites' ]
	[ "$(jq -r 'select(.record == "total") | .calls' "$OUT/json/context")" = "$(rows context .kind | wc -l)" ]
	# Each stack stands before the rows that name it, none is there twice.
	[ "$(rows context 'select(.handle != null) | .handle' | sort -u)" = \
		"$(jq -r 'select(.record == "stack") | .handle' "$OUT/json/context" | sort)" ]
}

# The keys that a schema asks for.
required() {	# NAME
	jq -r '.required | sort | join(",")' "$TESTS/../doc/schema/$1.json"
}

@test "rows have the keys that their schema asks for, and no other" {
	local pair name

	for pair in top:pageowner-top list:pageowner-list page:memowner-page tree:pageowner-tree counters:pageowner-counters \
		diff:pageowner-diff memory:memowner-classes zones:memowner-zones blocks:memowner-fragmentation sites:allocprof-sites site.tree:allocprof-tree site.diff:allocprof-diff \
		cpus:allocprof-cpus state:allocprof-health context:allocprof-context check:allocprof-check address:allocprof-page records:depot-records depot.all:depot-all health:depot-health \
		tasks:faults-tasks system:faults-system memcgs:faults-memcgs events:faults-events timeline:faults-timeline traced:faults-records blocked:faults-blocked; do
		name=${pair%%:*}
		[ "$(row_keys $name)" ] || continue
		[ "$(row_keys $name | cut -d ' ' -f 3)" = "$(required ${pair#*:})" ] || { echo "$name"; false; }
	done
}

@test "the whole list: one set of keys a record" {
	local record names n

	[ "$(awk -F '\t' '{ print $1, ($3 > 1 ? "many" : 1) }' "$LIST/keys" | xargs)" = 'meta 1 row many stack many summary 1' ]
	while IFS=$'\t' read -r record names n; do
		[ "$(tr ' ' '\n' <<< "$names" | sort | paste -sd ,)" = "$(required ${record/row/pageowner-list})" ] || { echo "$record"; false; }
	done < "$LIST/keys"
}

@test "a command line that is wrong gives one line and no JSON" {
	[ "$(cat "$OUT"/refused.* | grep -c -E '^(pageowner|depot): ')" = 8 ]
	[ "$(cat "$OUT"/refused.* | wc -l)" = 8 ]
	grep -q -x 'pageowner: zone: not part of a saved scan' "$OUT/refused.2"
	cmp "$OUT/refused.4" "$OUT/refused.5"
}

@test "the meta line of a saved scan is that of its kernel" {
	[ "$(jq -r 'select(.record == "meta") | [.kernel, .page_size, .panic_time_ns, .panic_time_source] | @tsv' "$OUT/json/saved.other" | xargs)" = '9.8.7 65536' ]
	[ "$(rows saved.other '.bytes == .pages * 65536' | sort -u)" = true ]
	[ "$(jq -r 'select(.record == "meta") | [.kernel, .page_size, .panic_time_ns] | @tsv' "$OUT/json/saved")" = \
		"$(jq -r 'select(.record == "meta") | [.kernel, .page_size, .panic_time_ns] | @tsv' "$OUT/json/top")" ]
}

@test "counters that this kernel does not keep are no data, with a scan as well" {
	for name in counters drift; do
		if [ -n "$LIKE" ]; then
			[ "$(jq -r .status "$OUT/json/$name" | tail -n 1)" = not_in_dump ]
		elif [ -s "$DIR/truth/show_stacks" ]; then
			[ "$(jq -r .status "$OUT/json/$name" | tail -n 1)" = ok ]
		else
			[ "$(jq -r .status "$OUT/json/$name" | tail -n 1)" = not_built ]
		fi
	done
}
