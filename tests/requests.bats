#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Requests that are odd and legitimate get what they ask for, or one line that says why not.

load helper

setup_file() {
	export OOM=$BUILD/samples/6.12-oom STOCK=$BUILD/samples/6.12-stock-oom SPOOL=$BUILD/samples/6.12-hog-spool
}

# of DUMP ARGUMENT...: what the program says, errors too
of() {
	timeout 60 "$BUILD/memowner" --vmlinux "$1/vmlinux" "$1/vmcore" "${@:2}" 2>&1
}

# columns DUMP ARGUMENT...: the table without blanks at the ends of its cells
columns() {
	of "$@" | sed -e 's/  */ /g' -e 's/^ //' -e 's/ $//'
}

# each DUMP: commands of standard input in one run, the output of the n-th in $BATS_TEST_TMPDIR/n
each() {
	awk -v to="$BATS_TEST_TMPDIR/" '{ print $0 " > " to NR }' > "$BATS_TEST_TMPDIR/commands"
	"$BUILD/memowner" --vmlinux "$1/vmlinux" -i "$BATS_TEST_TMPDIR/commands" "$1/vmcore"
}

@test "-o +COLUMN adds this column and no other, in every view that is a table" {
	local view n=0 views=('pageowner -g module' 'pageowner -m' 'memowner processes' 'memowner caches' 'pageowner -t list -n 1'
		'memowner objects' 'memowner files' 'memowner vmalloc' 'memowner pools' 'pageowner -b' 'pageowner -z' faults allocprof)

	for view in "${views[@]}"; do
		echo "$view -o help"
	done | each "$OOM"
	for view in "${views[@]}"; do
		echo "$view"
		n=$((n + 1))
		sed -n -E 's/^([a-z_0-9]+) .*/\1/p' "$BATS_TEST_TMPDIR/$n" | awk -v nth=$((BRIEF ? 3 : 1)) 'NR % nth == 0' | sed "s/.*/$view -o +&/"
	done > "$BATS_TEST_TMPDIR/asked"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/asked")" -gt $((BRIEF ? 50 : 150)) ]
	each "$OOM" < "$BATS_TEST_TMPDIR/asked"
	# Words that the header of each has more, or fewer, than that of its view.
	awk -v folder="$BATS_TEST_TMPDIR/" '
		{
			header = ""
			getline header < (folder NR)
			close(folder NR)
			split("", has)
			for (n = split(header, words, " "); n; n--)
				has[words[n]]
			if (!/ -o /) {
				split("", usual)
				for (word in has)
					usual[word]
				next
			}
			more = 0
			for (word in has)
				more += !(word in usual)
			if (more > 1)
				print $0 ": more: " header
			for (word in usual)
				if (!(word in has))
					print $0 ": less: " word
		}' "$BATS_TEST_TMPDIR/asked" > "$BATS_TEST_TMPDIR/wrong"
	diff "$BATS_TEST_TMPDIR/wrong" /dev/null
}

@test "memowner -o section,name,bytes: each statement has a name, a process the bytes that are resident" {
	local dump

	for dump in "$OOM" "$STOCK" "$SPOOL"; do
		columns "$dump" memowner -o section,name,bytes > "$BATS_TEST_TMPDIR/rows"
		[ "$(grep -c -E '^(process|faults|in_fault|next|owner|missing) ' "$BATS_TEST_TMPDIR/rows")" -ge 6 ]
		[ "$(grep -E '^[a-z_]+ - ' "$BATS_TEST_TMPDIR/rows")" = '' ]
		diff <(of "$dump" memowner | sed -n '/^next:$/,/^coverage/s/^  memowner VMCORE //p' | sed 's/  # .*//') <(sed -n 's/^next \(.*\) -$/\1/p' "$BATS_TEST_TMPDIR/rows" | sed 's/^memowner //') # "$BATS_TEST_TMPDIR/rows")
		[ "$(grep -c -E '^process [^ ]+ \([0-9]+\) [0-9.]+M$' "$BATS_TEST_TMPDIR/rows")" = 3 ]
	done
}

@test "memowner: how long before the panic memory ran out, who is charged, and no zones for a cgroup's limit" {
	of "$OOM" memowner > "$BATS_TEST_TMPDIR/text"
	grep -q -E '^OOM       10\.774437 s, 12ms before the panic: hungry \(181\) invoked the OOM killer, ' "$BATS_TEST_TMPDIR/text"
	# All of its zones ran out.
	refute grep '^  memowner VMCORE zones' "$BATS_TEST_TMPDIR/text"
	of "$SPOOL" memowner > "$BATS_TEST_TMPDIR/text"
	grep -q -E '^  cgroup +31\.9M +28\.6% .* /shop/checkout: 2 processes, at its limit of 32\.0M, oom 1 in memory\.events; shmem 26\.6M, anon 5\.1M$' "$BATS_TEST_TMPDIR/text"
	grep -A 2 '^next:' "$BATS_TEST_TMPDIR/text" | grep -q -x '  memowner VMCORE files -f memcg=/shop/checkout  # files by their page cache and shared memory'
	[ "$(grep -c '^  memowner VMCORE zones' "$BATS_TEST_TMPDIR/text")" = 0 ]
}

# none DUMP FILTER TEXT VIEW...: what a view says of a filter that nothing meets
none() {
	of "$1" "${@:4}" -f "$2" > "$BATS_TEST_TMPDIR/text"
	grep -q -x -F -e "warning: -f $2: nothing that was read has it$3" -e "warning: -f $2: nothing that is known has it$3" \
		-e "${4}: -f $2: nothing that was read has it$3" "$BATS_TEST_TMPDIR/text" ||
		{ echo "$*"; cat "$BATS_TEST_TMPDIR/text"; false; }
}

@test "a number that nothing has: which numbers there are, in the units of the key" {
	none "$OOM" order=42 '; it is from 0 to 6' pageowner
	none "$OOM" pid=99999 '; it is from 0 to 181' pageowner -t list
	none "$OOM" size=10G.. '; it is from 4.0K to 145.8M' pageowner
	none "$OOM" pfn=0x100000000.. '; it is from 0x100 to 0xffdf' pageowner -t tree
	none "$OOM" phys=0xffff00000000 '; it is from 0x100000 to 0xffdffff' pageowner
	none "$OOM" age=100h.. '; it is from 21ms to 10.7s' pageowner -g caller
	none "$OOM" tgid=- '; it is from 0 to 181' pageowner
	none "$OOM" order=42 '; it is from 0 to 6' pageowner -t folded
	none "$OOM" order=42 '; it is from 0 to 6' pageowner -t raw
	none "$OOM" order=42 '; it is from 0 to 6' pageowner -b
	none "$OOM" size=1G.. '; it is from 0B to 153.6M' allocprof
	none "$OOM" pid=7777 '; it is from 1 to 181' faults
	none "$OOM" rss_bytes=1G.. '; it is from 704.0K to 28.8M' faults
	none "$OOM" frames=99 '; it is from 4 to 16' depot -a
	none "$OOM" size=1G.. '; it is from 0B to 6.1M' memowner vmalloc
	none "$SPOOL" size=10G.. '; it is from 8.0K to 26.6M' memowner files
	none "$STOCK" size=10G.. '; it is from 0B to 2.2M' memowner caches
	# What is there is told by its rows alone.
	[ "$(of "$OOM" pageowner -f order=6 | grep -c warning)" = 0 ]
	[ "$(of "$OOM" pageowner -X order=42 | grep -c warning)" = 0 ]
	[ "$(of "$OOM" pageowner -j -f order=42 | jq -r 'select(.record == "summary") | .warnings[]')" = '-f order=42: nothing that was read has it; it is from 0 to 6' ]
}

@test "a word that nothing has: the nearest, or the few that there are" {
	none "$OOM" module=nosuch '; known are: leaky, vmlinux' pageowner
	none "$OOM" module=leak "; the nearest is 'leaky'" pageowner -t list
	none "$OOM" module=leak "; the nearest is 'leaky'" pageowner -t raw
	none "$OOM" module=leak "; the nearest is 'leaky'" allocprof -t raw
	none "$OOM" module=leak "; the nearest is 'leaky'" pageowner -b 4 -g module
	none "$OOM" caller=leaky_rx "; the nearest is 'leaky_rx_refill', '*leaky_rx*' is what has it in its name" pageowner
	none "$OOM" stack=leaky_rx_refil "; the nearest is 'leaky_rx_refill', '*leaky_rx_refil*' is what has it in its name" pageowner
	none "$OOM" cache=dent "; the nearest is 'dentry'" pageowner
	none "$OOM" cache=dent "; the nearest is 'dentry'" memowner caches
	none "$OOM" comm=htpd "; the nearest is 'httpd'" faults
	none "$OOM" memcg=checkout '; known are: /web, /, /db, [by object], [not charged]' pageowner
	none "$SPOOL" memcg=checkout "; the nearest is '/shop/checkout'" memowner cgroups
	none "$SPOOL" file=trace.log "; the nearest is '/spool/trace.log (deleted)'" memowner files
}

# peak DUMP ARGUMENT...: KiB that the program had resident at most
peak() {
	python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$BUILD/memowner" --vmlinux "$1/vmlinux" "$1/vmcore" "${@:2}"
}

@test "pfn:N-M of all memory takes no memory for each page" {
	local few all option

	for option in '' -j '-o +type,+site,+stack'; do
		few=$(peak "$OOM" pageowner pfn:0x100-0x200 $option)
		all=$(peak "$OOM" pageowner pfn:0x100-0xffdf $option)
		# 65,249 rows of cells would be 30 MiB.
		[ $((all - few)) -lt 4096 ] || { echo "$option: $few, $all KiB"; false; }
	done
	[ "$(of "$OOM" pageowner pfn:0x100-0xffdf | grep -c '^ *0x')" = 65248 ]
	[ "$(of "$OOM" pageowner pfn:0-0xffffffffffffffff | grep -c -x 'warning: pfn:0-0xffffffffffffffff: System RAM of this dump ends at pfn 0xffdf')" = 1 ]
	few=$(peak "$OOM" allocprof pfn:0x100-0x200)
	all=$(peak "$OOM" allocprof pfn:0x100-0xffdf)
	[ $((all - few)) -lt 2048 ]
}

@test "what filters the rows of -t list is a column of it, with the value that was asked for" {
	local key missing

	for key in $(of "$OOM" pageowner -t list -f help | sed -n -E '/^Values/q; s/^([a-z_]+) .*/\1/p'); do
		of "$OOM" pageowner -t list -o help | grep -q -E "^$key |[:,] $key(,|$)" || missing+=" $key"
	done
	# The last is of groups.
	[ "$missing" = ' age bytes' ] || [ "$missing" = ' bytes' ] || { echo "no column:$missing"; false; }
	diff <(columns "$OOM" pageowner -t list -f file=/run/dmesg -f mapper='[[]not mapped]' -n 2 -o file,mapper,owner,class,module) - <<-END
	FILE MAPPER OWNER CLASS MODULE
	/run/dmesg [not mapped] dead shmem vmlinux
	/run/dmesg [not mapped] dead shmem vmlinux
	$(of "$OOM" pageowner -t list -f file=/run/dmesg -f mapper='[[]not mapped]' -n 2 -o file | tail -n +4)
	END
	[ "$(of "$OOM" pageowner -t list -f cache=dentry -f caller=__d_alloc -o cache,caller | grep -c '^dentry  *__d_alloc *$')" = \
		"$(of "$OOM" pageowner -t list -f cache=dentry -f caller=__d_alloc -j | grep -c '"record":"row"')" ]
}

@test "no answer begins with an empty line" {
	local dump view n views=()

	for view in $NOUNS 'pageowner -t tree' 'pageowner -t top' 'pageowner -t list'; do
		views+=("$view")
	done

	for dump in "$OOM" "$STOCK"; do
		for view in "${views[@]}"; do
			printf '%s\n%s -f bytes=1000G..\n' "$view" "$view"
		done | each "$dump" > "$BATS_TEST_TMPDIR/said" 2>&1 || [ $? = 2 ]
		for n in $(seq $((2 * ${#views[@]}))); do
			[ "$(head -n 1 "$BATS_TEST_TMPDIR/$n")" != '' ] || [ ! -s "$BATS_TEST_TMPDIR/$n" ] ||
				{ echo "$dump: ${views[(n - 1) / 2]}"; false; }
		done
	done
}

@test "pageowner -g class says that its totals are not those of memowner classes" {
	local line='classes of pages with an owner; memowner classes has those of every page of System RAM'

	[ "$(of "$OOM" pageowner -g class | grep -c -x "$line")" = 1 ]
	[ "$(of "$OOM" pageowner -g class,module -n 1 | grep -c -x "$line")" = 1 ]
	silent 'memowner classes' "$OOM" pageowner -g module
	silent 'memowner classes' "$OOM" pageowner -g class -j
}

@test "allocprof -d with the file of another kernel says so" {
	[[ "$(of "$OOM" allocprof -d "$BUILD/samples/7.3-oom/truth/allocinfo")" = *$'\nwarning: '*' is of another kernel: 966 of its 1,104 sites of vmlinux are not in this one'* ]]
	[ "$(of "$OOM" allocprof -d "$OOM/truth/allocinfo" | grep -c warning)" = 0 ]
	# Modules come and go in one kernel.
	sed 's/leaky_/gone_/g' "$OOM/truth/allocinfo" > "$BATS_TEST_TMPDIR/allocinfo"
	silent 'another kernel' "$OOM" allocprof -d "$BATS_TEST_TMPDIR/allocinfo"
}

@test "memowner cgroups: what is told below the table is of the cgroups that the filters keep" {
	[[ "$(of "$SPOOL" memowner cgroups)" = *'log: memory cgroup /shop/checkout reached its limit'* ]]
	[[ "$(of "$SPOOL" memowner cgroups -f memcg=/shop/*)" = *'log: memory cgroup /shop/checkout reached its limit'*'its largest process'* ]]
	[ "$(of "$SPOOL" memowner cgroups -f memcg=/web | grep -c -e '^log:' -e checkout -e 'its largest')" = 0 ]
	[ "$(of "$SPOOL" memowner cgroups -f processes=44.. | grep -c -e '^log:' -e checkout -e 'its largest')" = 0 ]
}

@test "memowner cgroups: below the table are the pages of the root's row, and all others; slabs by whether an object is charged" {
	local dump charged

	for dump in "$OOM" "$STOCK" "$SPOOL" "$BUILD/samples/7.3-oom"; do
		charged=$(of "$dump" memowner cgroups -f memcg=/ -j | jq -r 'select(.record == "row") | .pages')
		of "$dump" memowner cgroups | sed -n 's/^of .* of \([0-9,]*\) pages of System RAM \([0-9,]*\) are charged and \([0-9,]*\) are not; \([0-9,]*\) are slabs of caches, of \([0-9,]*\) of them objects are charged$/\1 \2 \3 \4 \5/p' |
			tr -d , > "$BATS_TEST_TMPDIR/pages"
		awk -v charged="$charged" '$1 != $2 + $3 + $4 || $2 != charged || !$4 || !$5 || $5 > $4 / 2 { print; bad = 1 } END { exit bad || NR != 1 }' "$BATS_TEST_TMPDIR/pages"
	done
	# What each address in a slab says of the objects beside it: all slabs of a kernel that has a vector for each.
	of "$OOM" pageowner -t list -f class=slab -j | jq -r 'select(.record == "row") | "pfn:\(.pfn) \(.order)"' > "$BATS_TEST_TMPDIR/slabs"
	cut -d ' ' -f 1 "$BATS_TEST_TMPDIR/slabs" | xargs -n 100 echo memowner > "$BATS_TEST_TMPDIR/commands"
	of "$OOM" -i "$BATS_TEST_TMPDIR/commands" > "$BATS_TEST_TMPDIR/text"
	awk 'FNR == NR { pages[$1] = 2 ^ $2; next } /^pfn / { page = "pfn:" $2 } /, objects charged: / { n += pages[page] } END { print n }' \
		<(while IFS=': ' read -r _ pfn order; do printf 'pfn:0x%x %d\n' "$pfn" "$order"; done < "$BATS_TEST_TMPDIR/slabs") \
		"$BATS_TEST_TMPDIR/text" > "$BATS_TEST_TMPDIR/charged"
	[ "$(of "$OOM" memowner cgroups | sed -n 's/.* are slabs of caches, of \([0-9]*\) of them objects are charged$/\1/p')" = "$(< "$BATS_TEST_TMPDIR/charged")" ]
}

@test "pages beside System RAM are told, one and in a range, by memowner ADDR and allocprof, in text and JSON" {
	local outside

	# All pfns up to the last one of System RAM, less those that /proc/iomem has.
	outside=$(sed -n 's/^\([0-9a-f]*\)-\([0-9a-f]*\) : System RAM$/\1 \2/p' "$STOCK/truth/iomem" | (
		ram=0
		while read -r first last; do
			end=$(((0x$last + 1) >> 12))
			ram=$((ram + end - ((0x$first + 4095) >> 12)))
		done
		echo $((end - ram))
	))
	[ "$outside" = 98 ]
	of "$STOCK" memowner pfn:0-0xffffffffffffffff -j | tail -n 1 | jq -r '.warnings[1]' > "$BATS_TEST_TMPDIR/text"
	[ "$(< "$BATS_TEST_TMPDIR/text")" = 'pfn:0-0xffffffffffffffff: 98 of 98,266 pages are not System RAM of this dump, the first is pfn 0x0' ]
	[[ "$(of "$STOCK" memowner pfn:0x9e-0xa1)" = *$'\nwarning: pfn:0x9e-0xa1: 3 of 4 pages are not System RAM of this dump, the first is pfn 0x9f\n'* ]]
	[[ "$(of "$STOCK" memowner pfn:0x9d -c 2)" = *$'\nwarning: pfn:0x9d: 1 of 5 pages is not System RAM of this dump, the first is pfn 0x9f\n'* ]]
	silent 'System RAM' "$STOCK" memowner pfn:0x9c-0x9e
	run of "$STOCK" memowner pfn:0x9f-0xa0
	[ "$status" = 1 ]
	# Without page_owner too, and with it by who looks for allocation sites.
	for asked in "$STOCK memowner" "$OOM memowner" "$OOM allocprof"; do
		run of $asked pfn:0xa0 -j
		[ "$status" = 1 ]
		jq -e 'select(.record == "summary") | (.complete | not) and .warnings[0] == "pfn:0xa0 (0xa0) is not System RAM of this dump"' <<< "$output"
	done
	[[ "$(of "$OOM" allocprof pfn:0x9d-0xa1)" = *$'\nwarning: pfn:0x9d-0xa1: 3 of 5 pages are not System RAM of this dump, the first is pfn 0x9f' ]]
}

@test "memowner objects: module and caller are those of the call site, as allocprof counts them" {
	local function n

	of "$OOM" memowner objects -g module -j > "$BATS_TEST_TMPDIR/modules"
	[ "$(jq -r 'select(.rank == 1) | "\(.module) \(.basis)"' "$BATS_TEST_TMPDIR/modules")" = 'leaky recorded' ]
	# What has no site has no module.
	[ "$(jq -r 'select(.record == "row" and .module == null) | .objects' "$BATS_TEST_TMPDIR/modules")" = \
		"$(of "$OOM" memowner objects | sed -n 's/^.* call site + \([0-9,]*\) without$/\1/p' | tr -d ,)" ]
	of "$OOM" memowner objects -f module=leaky -g caller -n 0 -j > "$BATS_TEST_TMPDIR/callers"
	[ "$(jq -s 'map(select(.record == "row")) | length' "$BATS_TEST_TMPDIR/callers")" = 4 ]
	for function in leaky_record leaky_kmalloc leaky_own_cache; do
		n=$(jq -r "select(.caller == \"$function [leaky]\") | .objects" "$BATS_TEST_TMPDIR/callers")
		[ "$n" = "$(of "$OOM" allocprof -f function=$function -j | jq -s 'map(select(.record == "row").calls) | add')" ]
	done
	[ "$(of "$OOM" memowner objects -f caller=leaky_record -g site -j | jq -r 'select(.record == "row") | .site')" = 'drivers/leaky/leaky.c:55 leaky_record [leaky]' ]
}

@test "memowner objects: where no struct page could be read there is no answer, and no 0 objects" {
	head -c 9000000 "$OOM/vmcore" > "$BATS_TEST_TMPDIR/cut"
	"$BUILD/memowner" --vmlinux "$OOM/vmlinux" "$BATS_TEST_TMPDIR/cut" memowner objects > "$BATS_TEST_TMPDIR/text" 2> /dev/null || [ $? = 1 ]
	[ "$(head -n 1 "$BATS_TEST_TMPDIR/text")" = 'no data: no struct page in this dump: any page may be a slab page' ]
	[ "$(grep -c '0 objects' "$BATS_TEST_TMPDIR/text")" = 0 ]
	"$BUILD/memowner" --vmlinux "$OOM/vmlinux" "$BATS_TEST_TMPDIR/cut" memowner objects -j > "$BATS_TEST_TMPDIR/text" 2> /dev/null || [ $? = 1 ]
	[ "$(tail -n 1 "$BATS_TEST_TMPDIR/text" | jq -r '"\(.status) \(.complete)"')" = 'not_in_dump false' ]
}

@test "what pointers never tell is told with each answer by pointers, which is complete where all could be read" {
	local asked n=0

	for asked in holders 'objects -g holder' 'objects -f holder=none' 'pages -g holder' pfn:0x3174; do
		n=$((n + 1))
		echo "memowner $asked -j > $BATS_TEST_TMPDIR/$n"
	done > "$BATS_TEST_TMPDIR/commands"
	echo "memowner pfn:0x2000 -j > $BATS_TEST_TMPDIR/0" >> "$BATS_TEST_TMPDIR/commands"
	of "$OOM" -i "$BATS_TEST_TMPDIR/commands"
	while [ $n -gt 0 ]; do
		tail -n 1 "$BATS_TEST_TMPDIR/$n" | jq -e '.complete and .warnings[-1] == "DMA addresses behind an IOMMU, those that are no row of eight, and what struct page has beside its list (buffer heads) are not followed: more may lead to what is told"'
		n=$((n - 1))
	done
	# A page of a process is none of those that pointers are followed to.
	tail -n 1 "$BATS_TEST_TMPDIR/0" | jq -e '.complete and .warnings == []'
}

@test "memowner processes: HELD is what a kill would free: a process that is small, and alone has a large deleted file" {
	local dump pid bytes

	columns "$SPOOL" memowner processes -s held_bytes -o pid,comm,rss_bytes,held_bytes,held_file_bytes -n 1 > "$BATS_TEST_TMPDIR/text"
	[ "$(sed -n 2p "$BATS_TEST_TMPDIR/text")" = '84 spoold 1.8M 27.7M 26.6M' ]
	for dump in "$SPOOL" "$OOM" "$STOCK"; do
		of "$dump" memowner processes -n 0 -j -o pid,rss_anon_bytes,private_bytes,pgtables_bytes,held_bytes,held_file_bytes,held_other_bytes > "$BATS_TEST_TMPDIR/held"
		jq -s -e 'map(select(.record == "row")) | length > 5 and all((.held_bytes - .held_file_bytes - .held_other_bytes - .pgtables_bytes) as $anon |
			$anon >= 0 and $anon <= .private_bytes and $anon <= .rss_anon_bytes)' "$BATS_TEST_TMPDIR/held"
		# The same files by process, with neither what has a name nor what several use.
		of "$dump" memowner files -g process -f deleted=yes -n 0 -j |
			jq -r 'select(.record == "row" and .process != "[several]" and .process != "[none]" and .bytes > 0) | "\(.process | sub("\\(.*"; "")) \(.bytes)"' | sort > "$BATS_TEST_TMPDIR/files"
		jq -r 'select(.record == "row" and .held_file_bytes > 0) | "\(.pid) \(.held_file_bytes)"' "$BATS_TEST_TMPDIR/held" | sort | diff "$BATS_TEST_TMPDIR/files" -
	done
	# Anonymous memory that children share is nobody's to free; what one alone maps is in its HELD.
	jq -s -e 'map(select(.record == "row") | .private_bytes) | add > 0' "$BATS_TEST_TMPDIR/held"
	# Where users of files may be missing it is unknown.
	head -c 9800000 "$OOM/vmcore" > "$BATS_TEST_TMPDIR/cut"
	"$BUILD/memowner" --vmlinux "$OOM/vmlinux" "$BATS_TEST_TMPDIR/cut" processes -j -o pid,held_bytes > "$BATS_TEST_TMPDIR/held" 2> /dev/null
	[ "$(jq -r 'select(.record == "row") | .held_bytes' "$BATS_TEST_TMPDIR/held" | sort -u)" = null ]
	tail -n 1 "$BATS_TEST_TMPDIR/held" | jq -e '(.complete | not) and any(.warnings[]; startswith("what processes hold is unknown: "))'
}

@test "lists that end early: what their views add up to is a lower bound" {
	local cut=$BATS_TEST_TMPDIR/cut n at

	cp "$OOM/vmcore" "$cut"
	chmod u+w "$cut"
	# A task_struct in the middle of the list, and a shrinker.
	of "$OOM" pageowner -t list -n 0 -f cache=task_struct -o pfn | sed -n '6s/^ *//p' | xargs -I % "$BUILD/tools/kdump" drop "$cut" % 1
	at=$(of "$OOM" memowner shrinkers -n 0 -j -o address | jq -r 'select(.record == "row") | .address' | sed -n 8p)
	of "$OOM" memowner "$at" -j | jq -r 'select(.record == "row") | .pfn' | head -n 1 | xargs -I % "$BUILD/tools/kdump" drop "$cut" % 1
	for n in 'processes -n 1' 'faults -n 1' 'shrinkers -n 1'; do
		"$BUILD/memowner" --vmlinux "$OOM/vmlinux" "$cut" $n > "$BATS_TEST_TMPDIR/part" 2> /dev/null
		grep -q -E '^at least [0-9]+ (processes with memory|threads; faults are counted|shrinkers;)' "$BATS_TEST_TMPDIR/part" || { cat "$BATS_TEST_TMPDIR/part"; false; }
		of "$OOM" $n | refute grep '^at least [0-9]* [pts]'
	done
}

@test "gfp: a flag is found by its bit in each mask of page_owner, in the dump and in a text of it" {
	local flag bit order mask

	# Pages of "ORDER MASK" lines whose mask has the bit.
	pages() {
		awk -v bit="$1" '{ digit = length($2) - int(bit / 4)
			if (digit > 2) n += int((index("0123456789abcdef", substr($2, digit, 1)) - 1) / 2 ^ (bit % 4)) % 2 * 2 ^ $1 }
			END { print n + 0 }'
	}
	kept() { sed -n 's/^filters kept \([0-9,]*\) of .*/\1/p' | tr -d ,; }
	sed -n 's/^Page allocated via order \([0-9]*\), mask \(0x[0-9a-f]*\)(.*/\1 \2/p' "$OOM/truth/page_owner" > "$BATS_TEST_TMPDIR/text"
	of "$OOM" pageowner -t list -n 0 -j -o order,gfp_mask | jq -r 'select(.record == "row") | "\(.order) \(.gfp_mask)"' > "$BATS_TEST_TMPDIR/list"
	# No flag at all: pages of boot, before page_owner started.
	[ "$(of "$OOM" pageowner -f gfp=0 | kept)" = "$(awk '$2 == "0x0" { n += 2 ^ $1 } END { print n + 0 }' "$BATS_TEST_TMPDIR/list")" ]
	[ "$(of "$OOM" pageowner -f gfp=0 | kept)" -gt 1000 ]
	# Bits of 6.12: include/linux/gfp_types.h.
	while read -r flag bit; do
		[ "$(pages "$bit" < "$BATS_TEST_TMPDIR/text")" -gt 50 ]
		[ "$(of "$OOM" pageowner -R "$OOM/truth/page_owner" -g module -f "gfp=$flag" | kept)" = "$(pages "$bit" < "$BATS_TEST_TMPDIR/text")" ]
		[ "$(of "$OOM" pageowner -g module -f "gfp=$flag" | kept)" = "$(pages "$bit" < "$BATS_TEST_TMPDIR/list")" ]
		[ "$(of "$OOM" pageowner -g module -X "gfp=$flag" | kept)" = $(($(pages 0 < <(sed 's/ .*/ 0x1/' "$BATS_TEST_TMPDIR/list")) - $(pages "$bit" < "$BATS_TEST_TMPDIR/list"))) ]
	done <<-END
	__GFP_MOVABLE 3
	__GFP_IO 6
	__GFP_DIRECT_RECLAIM 10
	__GFP_ACCOUNT 22
	END
	# A word is that word: pages of others that have all of its flags (0xcc0) are counted.
	while read -r flag; do
		of "$OOM" pageowner -t list -n 0 -j -o order,gfp_mask,gfp ${flag:+-f "$flag"} |
			jq -r 'select(.record == "row" and (.gfp // "" | split("|") | index("GFP_KERNEL") | not)) | "\(.order) \(.gfp_mask)"' > "$BATS_TEST_TMPDIR/others"
		bit=0
		while read -r order mask; do
			((bit += ((mask & 0xcc0) == 0xcc0) << order, 1))
		done < "$BATS_TEST_TMPDIR/others"
		[ "$bit" -gt 20 ]
		of "$OOM" pageowner -g module -f gfp=GFP_KERNEL ${flag:+-f "$flag"} > "$BATS_TEST_TMPDIR/text"
		[ "$(sed -n 's/^warning: -f gfp=GFP_KERNEL leaves out \([0-9,]*\) pages that have all flags of it in another word: .*GFP_KERNEL_ACCOUNT.*/\1/p' "$BATS_TEST_TMPDIR/text" | tr -d ,)" = "$bit" ]
	done <<-END

	order=0
	END
	of "$OOM" pageowner -R "$OOM/truth/page_owner" -g module -f gfp=__GFP_IO > "$BATS_TEST_TMPDIR/text"
	grep -q -x 'warning: which flags a word of gfp, as GFP_KERNEL, has in it is told by the kernel of this dump' "$BATS_TEST_TMPDIR/text"
}

@test "a step of ages as it is printed, one of the flags of a report, and what are no objects" {
	local step pages=0

	of "$OOM" pageowner -g age -j > "$BATS_TEST_TMPDIR/steps"
	[ "$(jq -r 'select(.record == "row") | .age' "$BATS_TEST_TMPDIR/steps" | wc -l)" -ge 3 ]
	while read -r step pages; do
		[ "$(of "$OOM" pageowner -f "age=$step" -g age -j | jq -r 'select(.record == "row") | "\(.age) \(.pages)"')" = "$step $pages" ]
	done < <(jq -r 'select(.record == "row") | "\(.age) \(.pages)"' "$BATS_TEST_TMPDIR/steps")
	[[ "$(of "$OOM" pageowner -f age=10s-1s)" = *"key age takes "* ]]
	for step in GFP_HIGHUSER_MOVABLE __GFP_COMP '__GFP_C*' 'GFP_HIGHUSER_MOVABLE|__GFP_COMP'; do
		[ "$(of "$STOCK" memowner log -f "gfp=$step" -j | jq -r 'select(.record == "row") | .comm')" = report-builder ]
	done
	# A flag inside of a word, and the mask of the log; a name of several flags is a word alone.
	step=$(of "$STOCK" memowner log | sed -n 's/.*gfp_mask=\(0x[0-9a-f]*\)(.*/\1/p' | head -n 1)
	for step in __GFP_MOVABLE __GFP_IO '__GFP_MOV*' "$step"; do
		[ "$(of "$STOCK" memowner log -f "gfp=$step" -j | jq -r 'select(.record == "row") | .comm')" = report-builder ]
	done
	none "$STOCK" gfp=__GFP_ACCOUNT '' memowner log
	none "$STOCK" gfp=GFP_KERNEL '' memowner log
	grep -q -x 'warning: -f gfp=GFP_KERNEL leaves out 1 report that has all flags of it in another word: GFP_HIGHUSER_MOVABLE' "$BATS_TEST_TMPDIR/text"
	none "$STOCK" gfp=GFP_TRANSHUGE '; it is a word: one flag, as __GFP_IO, is found inside of words' memowner log
	diff <(of "$STOCK" memowner log -f gfp=__GFP_NONE) - <<-END
	memowner: unknown gfp '__GFP_NONE': a flag is written as in GFP_KERNEL or __GFP_COMP
	END
	[ "$(of "$STOCK" memowner log -f gfp=GFP_KERNEL -j | jq -r 'select(.record == "row") | .comm')" = '' ]
	none "$BUILD/samples/7.3-oom" 'cache=[large kmalloc]' '; [large kmalloc] is pages without objects, which memowner caches has' memowner objects
}

@test "a filter of what no column shows has it read: processes by their executable" {
	of "$STOCK" processes -f 'executable=*postgres*' -j > "$BATS_TEST_TMPDIR/kept"
	of "$STOCK" processes -n 0 -o +executable -j > "$BATS_TEST_TMPDIR/all"
	[ "$(jq -r 'select(.record == "row") | .pid' "$BATS_TEST_TMPDIR/kept" | sort)" = \
		"$(jq -r 'select(.record == "row" and (.executable // "" | contains("postgres"))) | .pid' "$BATS_TEST_TMPDIR/all" | sort)" ]
	[ "$(grep -c '"record":"row"' "$BATS_TEST_TMPDIR/kept")" -gt 2 ]
	[ "$(of "$STOCK" processes -g comm -f 'executable=*postgres*' -j | jq -s 'map(select(.record == "row").processes) | add')" = "$(grep -c '"record":"row"' "$BATS_TEST_TMPDIR/kept")" ]
}

@test "pages of several sockets are counted with one of them, which is said beside them" {
	of "$BUILD/samples/6.1-stock-outside" sockets > "$BATS_TEST_TMPDIR/text"
	grep -q -x 'PAGES: 17 pages with packets of several sockets are of the one that was found first; SIZE is what each has' "$BATS_TEST_TMPDIR/text"
	has_no_line '^PAGES: ' <(of "$OOM" sockets)
}

# none_of CUT VIEW: its text; status 1, and no row and no status "ok" in JSON
none_of() {
	local status=0

	"$BUILD/memowner" --vmlinux "$OOM/vmlinux" "$@" > "$BATS_TEST_TMPDIR/text" 2> /dev/null || status=$?
	[ "$status" = 1 ] || { echo "$2: status $status"; false; }
	"$BUILD/memowner" --vmlinux "$OOM/vmlinux" "$@" -j > "$BATS_TEST_TMPDIR/json" 2> /dev/null || status=$((status + 1))
	[ "$status" = 2 ]
	[ "$(jq -r 'select(.record == "summary") | "\(.status) \(.complete) \(.rows_total)"' "$BATS_TEST_TMPDIR/json")" = 'not_in_dump false 0' ]
}

@test "a cut dump: no panic, no cause and no 0 without ground; the release is that of VMCOREINFO" {
	local cut=$BATS_TEST_TMPDIR/cut holed=$BUILD/samples/6.12-holed

	head -c $(($(stat -L -c %s "$OOM/vmcore") * 70 / 100)) "$OOM/vmcore" > "$cut"
	"$BUILD/memowner" "$cut" case > "$BATS_TEST_TMPDIR/text" 2> /dev/null
	grep -q '^end       at an unknown time, ' "$BATS_TEST_TMPDIR/text"
	grep -q -x 'vmlinux   none, and no types were found in the dump' "$BATS_TEST_TMPDIR/text"
	[ "$(grep -c -e '^no panic' -e 'end  *dump' "$BATS_TEST_TMPDIR/text")" = 0 ]
	[ "$("$BUILD/memowner" "$cut" case -j 2> /dev/null | jq -r 'select(.record == "case") | .end')" = null ]
	# Nothing was read: that is no answer, of which a script is told.
	none_of "$cut" processes
	grep -q -x 'no process with memory could be read' "$BATS_TEST_TMPDIR/text"
	[ "$(grep -c -e '(null)' -e '^0 processes' "$BATS_TEST_TMPDIR/text")" = 0 ]
	none_of "$cut" faults
	grep -q -x 'no thread could be read' "$BATS_TEST_TMPDIR/text"
	none_of "$cut" log
	grep -q -x -e 'no report of memory that ran out was found' -e 'no data: .*' "$BATS_TEST_TMPDIR/text"
	# Of these most were read.
	[ "$(of "$holed" faults -f comm=nonsuch | tail -n 1)" = 'no such thread was found in what could be read' ]
	[ "$(of "$holed" faults 999999 | tail -n 1)" = 'no such thread was found in what could be read' ]
	head -c $(($(stat -L -c %s "$STOCK/vmcore") * 70 / 100)) "$STOCK/vmcore" > "$cut"
	"$BUILD/memowner" "$cut" case 2> /dev/null | grep -q -x 'kernel    6.12.107+deb13-cloud-amd64'
	rm "$cut"
	# Pages that the dump does not tell may be what a counter has: no cause.
	[ "$(of "$holed" memowner caches | sed -n 's/^slab  .* //p')" = unknown ]
	[[ "$(of "$OOM" memowner caches | grep '^slab  ')" = *'  large kmalloc pages carry no slab flag: direct' ]]
	[ "$(of "$BUILD/samples/6.1-stock-outside" faults -x)" = 'no fault: the machine did not panic, the log has neither a panic nor an oops' ]
	of "$BUILD/samples/6.1-stock-outside" faults -x -j | tail -n 1 | jq -e '.complete and .status == "ok"'
}

@test "memowner processes: shared memory in swap is told, and is that of the files" {
	local pages view

	pages=$(of "$STOCK" memowner files -n 0 -j | jq -s 'map(select(.record == "row") | .swapped_pages // 0) | add')
	[ "$pages" -gt 5000 ]
	for view in 'memowner processes' 'memowner processes -g comm'; do
		[ "$(of "$STOCK" $view | sed -n 's/^SWAP is of anonymous memory; at least \(.*\)M of shared memory is in swap: memowner files$/\1/p')" = \
			"$(awk -v pages="$pages" 'BEGIN { printf "%.1f", int(pages * 40 / 1024) / 10 }')" ]
	done
	silent 'SWAP is of' "$SPOOL" memowner processes
	[[ "$(of "$STOCK" memowner processes -o help | xargs)" = *' swap_bytes anonymous memory of the process that is in swap, as VmSwap has it; '* ]]
}

@test "-g by what struct page tells needs no page_owner; by what only a record tells it does" {
	local key

	of "$STOCK" pageowner -g mapper -n 1 > "$BATS_TEST_TMPDIR/text"
	grep -q -E '^ +1 .* 49\.6  514\(report-builder\)$' "$BATS_TEST_TMPDIR/text"
	grep -q -x 'pages in use by struct page, whoever allocated them' "$BATS_TEST_TMPDIR/text"
	of "$STOCK" pageowner -g memcg -j > "$BATS_TEST_TMPDIR/rows"
	"$TESTS/tools/validate" "$BATS_TEST_TMPDIR/rows"
	[ "$(jq -r 'select(.rank == 1) | .memcg' "$BATS_TEST_TMPDIR/rows")" = /system.slice/report-builder.service ]
	# The classes are those of -m, but free pages.
	diff <(of "$STOCK" pageowner -g class -j | jq -r 'select(.record == "row") | "\(.class) \(.pages)"' | sort) \
		<(of "$STOCK" pageowner -m -j | jq -r 'select(.record == "row") | "\(.class) \(.pages)"' | grep -v -E '^(buddy|pcp|free) ' | sort)
	[[ "$(of "$STOCK" pageowner -g memcg,class -f class=anon)" = *$'\nfilters kept 62,890 of 96,814 pages (245.7M)\n'* ]]
	for key in caller comm memcg,order age; do
		[ "$(of "$STOCK" pageowner -g $key)" = 'no data: this kernel was built without page_owner (CONFIG_PAGE_OWNER); memowner classes, pages and holders answer without' ]
	done
	[ "$(of "$STOCK" pageowner -g memcg -f comm=postgres)" = 'no data: this kernel was built without page_owner (CONFIG_PAGE_OWNER); memowner classes, pages and holders answer without' ]
}

@test "a page that is older than page_owner: no task, and no time of its own" {
	of "$OOM" pageowner pfn:0x104 > "$BATS_TEST_TMPDIR/text"
	grep -q -E '^  allocated before page_owner started, 10\.7s before the panic, order 0, gfp 0x0$' "$BATS_TEST_TMPDIR/text"
	of "$OOM" allocprof pfn:0x104 | grep -q -E '^  allocated before page_owner started, 10\.7s before the panic$'
	of "$OOM" depot -i | grep -q -E '^owned_pages +[0-9]+  pages with a page_owner record, by refcount, '
}

# says DUMP TEXT ARGUMENT...: one line and no more
says() {
	[ "$(of "$1" "${@:3}")" = "$2" ] || { of "$1" "${@:3}"; false; }
}

@test "a word where an address, an order or a call site is expected: what it may be instead" {
	local site=': a site is FILE:LINE, a function or the address of a tag; of an unloaded module, the address that -C shows'

	says "$OOM" "pageowner: 'leaky' is no address: pfn:N, virt:X, ... (-h); by its name: a function or module -f stack=leaky, a command -f comm=leaky" pageowner leaky
	says "$OOM" "allocprof: 'leaky' is no address: pfn:N, virt:X, ... (-h); by its name: a function -f function=leaky, a module -f module=leaky" allocprof leaky
	says "$OOM" "allocprof: 'mm/slub.c' is no address: pfn:N, virt:X, ... (-h); by its name: a file -f file=mm/slub.c" allocprof mm/slub.c
	says "$OOM" "allocprof: 'mm/slub.c:2463' is no address: pfn:N, virt:X, ... (-h); by its place: a call site -c mm/slub.c:2463" allocprof mm/slub.c:2463
	says "$OOM" 'memowner: -E (--redact) needs -H FILE' memowner --redact
	says "$OOM" "pageowner: 'foo:1' is no address: pfn:N, pfn:N-M, phys:X, page:X, virt:X or user:PID:X" pageowner foo:1
	says "$OOM" "pageowner: 'pfn:1e': hexadecimal has 0x: pfn:0x1e" pageowner pfn:1e
	says "$OOM" "pageowner: an order is a number from 0 to 10, not 'x'" pageowner -b x
	says "$OOM" "pageowner: unexpected argument '5'" pageowner -b 4 5
	says "$OOM" "pageowner: an order is a number from 0 to 10, not 'GFP_KERNEL'; an order stands before it: 0 GFP_KERNEL" pageowner -z GFP_KERNEL
	says "$OOM" "pageowner: -b cannot be combined with the argument 'pfn:0x10'" pageowner -b pfn:0x10
	says "$OOM" "allocprof: no call site 'leaky_rx_refil'; the nearest is 'leaky_rx_refill'$site" allocprof -c leaky_rx_refil
	says "$OOM" "allocprof: no call site 'memory.c:1000'; the nearest is 'mm/memory.c:1063'$site" allocprof -c memory.c:1000
	says "$OOM" "allocprof: no call site 'mm/memori.c:5'; the nearest file is 'mm/memory.c'$site" allocprof -c mm/memori.c:5
	says "$OOM" "allocprof: no call site 'nosuch'$site" allocprof -c nosuch
}

@test "-s by a column that is not shown shows it; one that no row knows orders nothing, and is told" {
	local old=$BUILD/samples/6.1-oom

	columns "$old" pageowner -s tasks -n 1 | head -n 2 > "$BATS_TEST_TMPDIR/tasks"
	diff "$BATS_TEST_TMPDIR/tasks" - <<-'END'
		RANK PAGES SIZE TRACKED% RAM% ALLOCS ORDERS OLDEST YOUNGEST HANDLE TASKS
		1 186 744.0K 0.3 0.3 186 0 13.8s 13.4s 0x4c50003 8
	END
	of "$old" pageowner -s tasks -n 2 -j | jq -c 'select(.record == "row") | .tasks' | xargs > "$BATS_TEST_TMPDIR/json"
	[ "$(cat "$BATS_TEST_TMPDIR/json")" = '8 7' ]
	[[ "$(columns "$old" pageowner -s tasks -o rank,pages -n 1 | head -n 1)" = 'RANK PAGES' ]]
	# Kernels before 6.9 count no users of a stack.
	of "$old" depot -a -s count -n 1 > "$BATS_TEST_TMPDIR/count"
	[ "$(tail -n 1 "$BATS_TEST_TMPDIR/count")" = 'warning: not sorted by count: it is unknown of all rows' ]
	of "$old" depot -a -n 1 -j | jq -e 'select(.record == "summary") | .warnings == []'
	has_no_line 'not sorted' <(of "$OOM" depot -a -s count -n 1)
}

@test "rank is the place by the sort keys, with -r as well: the last first" {
	local view

	for view in 'pageowner' 'pageowner -g module' 'pageowner -g comm -s age_max_ns' 'memowner objects -g cache'; do
		of "$OOM" $view -n 0 -j | jq -c 'select(.record == "row")' > "$BATS_TEST_TMPDIR/forward"
		of "$OOM" $view -r -n 0 -j | jq -c 'select(.record == "row")' > "$BATS_TEST_TMPDIR/back"
		# Rows that do not know the key come last in both.
		diff <(sort "$BATS_TEST_TMPDIR/forward") <(sort "$BATS_TEST_TMPDIR/back")
		[ "$(jq -r .rank "$BATS_TEST_TMPDIR/forward" | head -n 1)" = 1 ]
		[ "$(jq -r .rank "$BATS_TEST_TMPDIR/back" | head -n 1)" -gt 1 ]
	done
	[ "$(of "$OOM" pageowner -g module -r -n 0 -j | jq -r 'select(.record == "row") | "\(.rank) \(.module)"' | xargs)" = '2 vmlinux 1 leaky' ]
}

@test "-s by what some rows do not know: how many, and that they come last" {
	local unknown

	unknown=$(of "$OOM" depot -a -n 0 -j | jq -r 'select(.record == "row" and .count == null) | .handle' | wc -l)
	[ "$unknown" -gt 10 ]
	[ "$(of "$OOM" depot -a -s count -n 1 | grep -c -x "warning: count is unknown of $unknown of 567 rows, which come last")" = 1 ]
	[ "$(of "$OOM" depot -a -s count -r -n 0 -j | jq -r 'select(.record == "row") | .count' | tail -n "$unknown" | sort -u)" = null ]
	[ "$(of "$OOM" depot -a -s frames -n 1 | grep -c warning)" = 0 ]
	[ "$(of "$OOM" depot -a -n 1 | grep -c warning)" = 0 ]
}

@test "names that there are instead of a word: the most like it first" {
	none "$OOM" memcg=/dbase '; known are: /db, /, /web, [by object], [not charged]' pageowner
	none "$OOM" memcg=websrv '; known are: /web, /db, /, [by object], [not charged]' pageowner
}

@test "terminals of 20, 40 and 80 columns: no line of any command or noun is longer, but one word that is so by itself" {
	local dump columns view

	for dump in "$OOM" "$BUILD/samples/7.3-oom"; do
		for columns in 20 40 80; do
			case ${BRIEF:+brief}/${dump##*/}/$columns in brief/6.12-oom/40 | brief/7.3-oom/[28]0) continue ;; esac
			{
				sed 's/^depot$/& -i/' <<< "${COMMANDS// /$'\n'}"
				sed 's/^/memowner /; s/holders$/& -n 2/' <<< "${NOUNS// /$'\n'}"
				printf '%s\n' 'pageowner -t list -n 2' 'pageowner -t tree -n 2' 'pageowner -k -n 2' 'pageowner pfn:0x2000' 'allocprof -i' \
					'allocprof -t tree' 'allocprof -c leaky_rx_refill -n 2' 'depot -a -n 2' 'depot -v' 'faults -e -n 2' 'faults -b' 'faults -v' \
					'pageowner -g help' 'pageowner -o help' 'pageowner -f help' 'pageowner -h' 'memowner caches -h' 'pageowner -f nope=1'
			} > "$BATS_TEST_TMPDIR/commands"
			on_screen $columns --vmlinux "$dump/vmlinux" -i "$BATS_TEST_TMPDIR/commands" "$dump/vmcore" > "$BATS_TEST_TMPDIR/screen"
			[ "$(wc -l < "$BATS_TEST_TMPDIR/screen")" -gt 400 ]
			awk -v columns=$columns 'length > columns { line = $0; if (NF > 1 || length($1) <= columns) print columns ": " line }' "$BATS_TEST_TMPDIR/screen" > "$BATS_TEST_TMPDIR/long"
			diff "$BATS_TEST_TMPDIR/long" /dev/null
		done
	done
}

@test "faults -g: RSS of a group of several processes has what they map for each of them, which is said" {
	local groups line

	groups=$(of "$STOCK" memowner processes -j | jq -s '[.[] | select(.record == "row" and .rss_bytes > 0)] |
		group_by(.comm) | map(select(length > 1)) | length')
	line=$(of "$STOCK" faults -g tgid,comm -j | jq -r 'select(.record == "summary") | .warnings[]' | grep '^RSS of' || true)
	[ "$line" = '' ]
	of "$STOCK" faults -g comm -f comm=postgres > "$BATS_TEST_TMPDIR/text"
	grep -q -x 'warning: RSS of 1 group counts a page that processes share once for each that maps it: memowner processes -g has PSS, memowner cgroups what a cgroup is charged' "$BATS_TEST_TMPDIR/text"
	of "$STOCK" faults -g comm -j > "$BATS_TEST_TMPDIR/rows"
	jq -r 'select(.record == "summary") | .warnings[]' "$BATS_TEST_TMPDIR/rows" | grep -q "^RSS of $groups groups counts "
	jq -e 'select(.record == "summary") | .complete' "$BATS_TEST_TMPDIR/rows"
}

@test "pools says of a machine without swap that it has none, and of no other" {
	local none=$BUILD/samples/6.12-hog-spool

	of "$none" memowner pools | grep -q -x 'swap: none'
	of "$none" memowner zones | grep -q -x 'swap: none'
	refute grep -q 'swap: none' <<< "$(of "$STOCK" memowner pools)"
	of "$STOCK" memowner pools | grep -q -x 'swap areas:'
}

@test "swap that processes share counts for each of them: said where the rows have more than is in use" {
	local view used line

	used=$(of "$STOCK" memowner pools -j | jq -r 'select(.record == "swap") | .swap_used_pages' | awk '{ n += $1 } END { print n * 4096 }')
	for view in 'faults -g tgid' 'faults -g comm' 'memowner processes'; do
		of "$STOCK" $view -n 0 -j > "$BATS_TEST_TMPDIR/rows"
		[ "$(jq -s 'map(select(.record == "row") | .swap_bytes) | add' "$BATS_TEST_TMPDIR/rows")" -gt "$used" ]
		line=$(jq -r 'select(.record == "summary") | .warnings[] | select(startswith("SWAP counts"))' "$BATS_TEST_TMPDIR/rows")
		[[ "$line" = "SWAP counts what processes share for each of them: "*"M in all processes, 111.8M of swap in use" ]]
		jq -e 'select(.record == "summary") | .complete' "$BATS_TEST_TMPDIR/rows"
		[ "$(of "$STOCK" $view | grep -c -x -F "warning: $line")" = 1 ]
	done
	# What filters keep has less than is in use, or one process alone.
	for view in '-f comm=postgres' '-f comm=postgres -g comm' '-X comm=redis-server -g service'; do
		of "$STOCK" memowner processes $view > "$BATS_TEST_TMPDIR/rows"
		grep -q -E '^warning: SWAP counts what processes share for each of them: .*M in all processes, 111.8M of swap in use$' "$BATS_TEST_TMPDIR/rows"
	done
	silent 'SWAP counts' "$STOCK" memowner processes -f pid=1
	# Less than is in use says nothing, and a process shares nothing with itself: its threads are in five groups.
	of "$OOM" faults -g comm > "$BATS_TEST_TMPDIR/comm"
	refute grep 'SWAP counts' "$BATS_TEST_TMPDIR/comm"
	grep -q -x 'warning: 1 process has threads in several groups, and its RSS and SWAP are in each of them' "$BATS_TEST_TMPDIR/comm"
	silent 'several groups' "$OOM" faults -g comm -f 'comm=thread-0'
	of "$OOM" faults -g comm -j | jq -e 'select(.record == "summary") | .complete'
	# Shared swap is the same, however the threads of a process are divided.
	diff <(of "$STOCK" faults -g comm | grep '^warning: SWAP') <(of "$STOCK" faults -g tgid | grep '^warning: SWAP')
	[[ "$(of "$STOCK" faults -g comm)" = *$'\nwarning: 3 processes have threads in several groups, and their RSS and SWAP are in each of them\n'* ]]
	silent 'several groups' "$STOCK" faults -g tgid
	silent 'SWAP counts' "$STOCK" faults -g comm -f comm=postgres
	silent 'SWAP counts' "$OOM" faults -g tgid
}

@test "a stack that cannot be followed to its end: faults -b and the summary say that a page fault may be missing" {
	local dump=$BUILD/samples/6.12-hog-frames copy=$BATS_TEST_TMPDIR/vmcore pfn

	echo 'memowner_probe stacks' > "$BATS_TEST_TMPDIR/commands"
	pfn=$("$BUILD/tested" --vmlinux "$dump/vmlinux" -i "$BATS_TEST_TMPDIR/commands" "$dump/vmcore" | sed -n 's/^stack 2 //p')
	cp "$dump/vmcore" "$copy"
	chmod u+w "$copy"
	# The outermost address of a function in the stack of kthreadd is none any more.
	python3 - "$copy" "$pfn" <<- 'END'
		import struct, sys
		with open(sys.argv[1], "r+b") as f:
		    head, pfn = f.read(64), int(sys.argv[2], 0)
		    first, count = struct.unpack_from("<Q", head, 32)[0], struct.unpack_from("<H", head, 56)[0]
		    for i in range(count):
		        f.seek(first + 56 * i)
		        kind, _, at, _, phys, size = struct.unpack("<IIQQQQ", f.read(40))
		        if kind == 1 and phys <= pfn << 12 < phys + size:
		            at += (pfn << 12) - phys
		            break
		    f.seek(at)
		    words = struct.unpack("<512Q", f.read(4096))
		    last = [i for i, word in enumerate(words) if word >> 31 == 0x1ffffffff][-1]
		    f.seek(at + 8 * last)
		    f.write(struct.pack("<Q", 1))
	END
	"$BUILD/memowner" --vmlinux "$dump/vmlinux" "$copy" faults -b | grep -x 'warning: 1 stack cannot be followed to the end: kthreadd (2) beyond ret_from_fork'
	"$BUILD/memowner" --vmlinux "$dump/vmlinux" "$copy" memowner | grep -x 'unknown   deadlocks: 1 stack cannot be followed to the end: kthreadd (2) beyond ret_from_fork; threads in a page fault may be missing'
	"$BUILD/memowner" --vmlinux "$dump/vmlinux" "$copy" memowner -j | tail -n 1 | jq -e '.complete | not'
	silent 'may be missing' "$dump" memowner
}

@test "memowner ADDR of a kernel without page_owner: what is there, and what leads to it" {
	local dump

	for dump in "$STOCK" $([ -n "${BRIEF:-}" ] || echo "$BUILD/samples/6.1-stock-outside"); do
		of "$dump" memowner pfn:0x2000 > "$BATS_TEST_TMPDIR/text"
		grep -q '^  phys 0x2000000, struct page 0x' "$BATS_TEST_TMPDIR/text"
		of "$dump" memowner pfn:0x2000 -j > "$BATS_TEST_TMPDIR/rows"
		"$TESTS/tools/validate" "$BATS_TEST_TMPDIR/rows"
	done
}

@test "an argument of a noun: the filter that was meant; a noun that is misspelt is told before its options" {
	local views='views are: '

	says "$OOM" "memowner: memowner caches takes no argument: 'dentry'; -f KEY=*dentry* keeps what has it, KEY is cache or module" memowner caches dentry
	says "$OOM" "memowner: memowner processes takes no argument: '1'; -f pid=1 keeps what has it" memowner processes 1
	says "$OOM" "memowner: memowner processes takes no argument: 'httpd'; -f KEY=*httpd* keeps what has it, KEY is comm, executable, memcg, cgroup, service or container" memowner processes httpd
	says "$OOM" "memowner: memowner pages takes no argument: 'slab'; -f class=slab keeps what has it" memowner pages slab
	says "$OOM" "memowner: memowner pools takes no argument: 'zsmalloc'; -f kind=zsmalloc keeps what has it" memowner pools zsmalloc
	says "$OOM" "memowner: memowner sockets takes no argument: '22'; -f used_by=22 keeps what has it" memowner sockets 22
	[[ "$(of "$OOM" memowner FILES -n 1)" = "memowner: 'FILES' is no address and no view, the nearest is files, $views"* ]]
	[[ "$(of "$OOM" memowner filez -s x)" = "memowner: 'filez' is no address and no view, the nearest is files, $views"* ]]
	# What is proposed answers.
	[ "$(of "$OOM" memowner caches -f cache=dentry -j | grep -c '"record":"row"')" = 1 ]
	[ "$(of "$OOM" memowner processes -f pid=1 -j | grep -c '"record":"row"')" = 1 ]
	[ "$(of "$OOM" memowner pages -f class=slab -j | grep -c '"record":"row"')" -ge 1 ]
}

@test "words that are none of a command: one line each, help, and what was meant" {
	local word pfn cache

	says "$OOM" "faults: a PID is a decimal number, not 'httpd'; a command by its name: -f comm=httpd" faults httpd
	says "$OOM" "faults: a PID is a decimal number, not '1-5'; a range: -f pid=1..5" faults 1-5
	of "$OOM" faults 0 | grep -q -x 'warning: pid 0 is that of the idle tasks of CPUs, which are in no list of tasks'
	says "$OOM" "pageowner: '12' can be pfn:12 (decimal), pfn:0x12 or phys:12: say which" pageowner 12
	# A handle is no call stack; a whole page in decimal is another page in hexadecimal.
	of "$OOM" pageowner -f stack=0x2e40005 | grep -q -x 'warning: -f stack=0x2e40005: nothing that is known has it; a stack by its number is -f handle=0x2e40005'
	of "$OOM" memowner phys:1048576 | grep -q -x 'warning: phys:1048576 is hexadecimal: decimal it is phys:0x100000'
	has_no_line 'is hexadecimal' <(of "$OOM" memowner phys:1149000; of "$OOM" memowner phys:0x1048576; of "$OOM" memowner pfn:4096)
	says "$OOM" "pageowner: key age: the range '9s..8s' ends before it starts" pageowner -f age=9s..8s
	says "$OOM" "pageowner: the range 'pfn:0x104-0x100' ends before it starts" pageowner pfn:0x104-0x100
	for word in help --help; do
		diff <(of "$OOM" pageowner $word) <(of "$OOM" pageowner -h)
		diff <(of "$OOM" depot $word) <(of "$OOM" depot -h)
	done
	diff <(of "$OOM" memowner help files) <(of "$OOM" memowner files -h)
	[[ "$(of "$OOM" memowner help filez)" = "memowner: 'filez' is no address and no view, the nearest is files, "* ]]
	# show_handles of page_owner_stacks has handles in decimal (0x2e40005).
	of "$OOM" depot 48496645 | grep -q -x 'warning: handle 0x48496645: there is no pool 91716, in use are 0 to 4; decimal 48496645 is handle 0x2e40005'
	has_no_line decimal <(of "$OOM" depot 2e40006; of "$OOM" depot 12; of "$OOM" depot 2e40005)
	# Slab pages of a range have their cache, as each alone.
	of "$OOM" pageowner pfn:0x100-0x2ff -o pfn,class,cache -j | jq -r 'select(.class == "slab") | "\(.pfn) \(.cache)"' > "$BATS_TEST_TMPDIR/caches"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/caches")" -gt 10 ]
	[ "$(grep -c ' null$' "$BATS_TEST_TMPDIR/caches")" = 0 ]
	read -r pfn cache < "$BATS_TEST_TMPDIR/caches"
	of "$OOM" pageowner pfn:$pfn | grep -q -w "now slab.*$cache"
	# What is in swap is mapped, and not resident; nor is what was never touched.
	[[ "$(of "$OOM" pageowner user:181:7f3085868000)" = 'warning: 0x7f3085868000 of pid 181 is not resident but in swap (entry 0x'* ]]
	[ "$(of "$OOM" pageowner user:181:7f3082868000)" = 'warning: 0x7f3082868000 of pid 181 is not resident: no page in the VMA 0x7f30827cc000-0x7f30860cc000' ]
	[ "$(of "$OOM" pageowner user:181:7f3087868000)" = 'warning: 0x7f3087868000 is not mapped: pid 181 has no VMA there' ]
}

# kept DUMP ARGUMENT...: what the filters kept, and the sum of FIELD of the rows
kept() {	# FIELD DUMP ARGUMENT...
	echo "$(of "${@:2}" | sed -n 's/^filters kept //p'): $(of "${@:2}" -j | jq -s "map(select(.record == \"row\").$1) | add // 0")"
}

@test "-g: what the filters kept is told in what the groups consist of, as many as the rows have" {
	diff <(
		kept processes "$STOCK" memowner processes -g comm -f rss_bytes=10M..
		kept processes "$STOCK" memowner processes -g comm -f comm=postgres
		kept processes "$STOCK" memowner processes -g comm -X comm=postgres
		kept files "$STOCK" memowner files -g fs -f fs=ext4
		kept files "$STOCK" memowner files -g dir -f 'dir=/run*'
		kept files "$STOCK" memowner files -g dir -f dir=/dev
		kept files "$STOCK" memowner files -g fs -f bytes=1M..
		kept areas "$STOCK" memowner vmalloc -f size=500K..1M
		kept objects "$STOCK" memowner objects -f bytes=1M..
		kept objects "$STOCK" memowner objects -f bytes=1M.. -f 'cache=kmalloc-*'
		kept pages "$OOM" memowner pages -f bytes=1M..20M
		kept pages "$OOM" memowner fragmentation 4 -f size=1M.. -g class
	) - <<-'END'
		2 of 43 processes: 2
		11 of 43 processes: 11
		32 of 43 processes: 32
		3 of 112 files: 3
		97 of 112 files: 97
		0 of 112 files: 0
		1 of 3 groups: 108
		1 of 29 groups: 137
		3 of 106 groups: 16978
		23,748 of 23,748 objects of these caches (cache), and of these 1 of 28 groups (bytes): 311
		12,869 of 64,390 pages (50.3M): 12869
		55,426 of 55,831 pages (216.5M): 55426
	END
	[[ "$(of "$STOCK" memowner processes -g comm -f help | xargs)" = *' of groups, keys and columns that they lack filter the processes that they consist of '* ]]
}

@test "a name of a merged cache: the cache that serves it, in every view; where names cannot be told, that it may be one" {
	local cache=anon_vma_chain view

	# The kernel's own files of both are of one cache.
	[ "$(grep -E '/(fs_cache|anon_vma_chain)/(slabs|objects|aliases|slab_size):' "$STOCK/truth/slab_sysfs" | sed 's/.*://' | sort | uniq -c | awk '$1 == 2' | wc -l)" = 4 ]
	for view in 'memowner caches' 'memowner objects' 'memowner pages' 'memowner fragmentation -g class'; do
		none "$STOCK" cache=fs_cache "; 'fs_cache' is merged into '$cache'" $view
	done
	none "$OOM" cache=fs_cache "; 'fs_cache' is merged into 'kmalloc-cg-64'" pageowner
	[ "$(of "$STOCK" memowner caches -f 'alias_names=*fs_cache*' -j | jq -r 'select(.record == "row") | .cache')" = $cache ]
	echo "memowner_blind @slab_kset memowner caches -f cache=fs_cache" > "$BATS_TEST_TMPDIR/blind"
	"$BUILD/tested" --vmlinux "$STOCK/vmlinux" -i "$BATS_TEST_TMPDIR/blind" "$STOCK/vmcore" > "$BATS_TEST_TMPDIR/text" 2>&1
	grep -q -F "has it; it may be merged into another cache: the names of those are unknown; the nearest is 'files_cache'" "$BATS_TEST_TMPDIR/text"
	echo "memowner_blind @slab_kset memowner caches -j" > "$BATS_TEST_TMPDIR/blind"
	"$BUILD/tested" --vmlinux "$STOCK/vmlinux" -i "$BATS_TEST_TMPDIR/blind" "$STOCK/vmcore" | tail -n 1 |
		jq -e '(.complete | not) and (.warnings[0] | startswith("names of caches that were merged are missing: "))'
}

@test "MemTotal above the end of RAM, and areas of swap that are not what the kernel counts: unknown, and said" {
	local said=$BATS_TEST_TMPDIR/said

	printf 'memowner_poke %s memowner\n' _totalram_pages:8=0xffffff total_swap_pages:8=1 > "$BATS_TEST_TMPDIR/poke"
	"$BUILD/tested" --vmlinux "$STOCK/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$STOCK/vmcore" > "$said" 2>&1
	grep -q '^unknown .*MemTotal.*: _totalram_pages is 16777215 pages, max_pfn [1-9][0-9]*$' "$said"
	echo 'memowner_poke _totalram_pages:8=40000 memowner' > "$BATS_TEST_TMPDIR/poke"
	"$BUILD/tested" --vmlinux "$STOCK/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$STOCK/vmcore" 2>&1 |
		grep -q '^unknown .*MemTotal.*: MemTotal is 40000 pages, and zones manage [1-9][0-9]*$'
	# The other views that read it.
	printf 'memowner_poke _totalram_pages:8=40000 memowner %s\n' 'classes -j' 'case -j' > "$BATS_TEST_TMPDIR/poke"
	"$BUILD/tested" --vmlinux "$STOCK/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$STOCK/vmcore" 2> /dev/null > "$BATS_TEST_TMPDIR/json"
	jq -s -e '[.[] | select(.record == "meta").mem_total_bytes] == [null, null]' "$BATS_TEST_TMPDIR/json"
	jq -s -e 'any(.[]; .class? == "reserved" and .counted_pages == null)' "$BATS_TEST_TMPDIR/json"
	[ "$(jq -s '[.[] | select(.record == "summary") | select((.complete | not) and any(.warnings[]; test("MemTotal is 40000 pages")))] | length' "$BATS_TEST_TMPDIR/json")" = 2 ]
	grep -q '^unknown .*swap.*: the areas of swap_info have [1-9][0-9]* pages, total_swap_pages is 1$' "$said"
	# What is in use of an area is not free among all.
	printf 'memowner_poke nr_swap_pages:8=20000 memowner %s\n' '' 'pools -j' > "$BATS_TEST_TMPDIR/poke"
	"$BUILD/tested" --vmlinux "$STOCK/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$STOCK/vmcore" > "$BATS_TEST_TMPDIR/used" 2>&1
	grep -q '^unknown .*swap.*: the areas of swap_info use 28619 pages, by nr_swap_pages 8670 of 28670 are in use$' "$BATS_TEST_TMPDIR/used"
	refute grep '^RAM .*swap' "$BATS_TEST_TMPDIR/used"
	tail -n 1 "$BATS_TEST_TMPDIR/used" | jq -e '(.complete | not) and any(.warnings[]; test("swap.*nr_swap_pages 8670"))'
	[ "$(grep -c '^RAM .*MemTotal' "$said")" = 1 ]
	[ "$(grep -c '^RAM .*swap' "$said")" = 1 ]
}

@test "a process that counts less than its page tables have: its memory is unknown, and nobody that has ended is blamed" {
	local said=$BATS_TEST_TMPDIR/said mm count

	# An address as processes has it, and the count of the second percpu_counter of rss_stat.
	mm=$("$BUILD/memowner" --vmlinux "$STOCK/vmlinux" "$STOCK/vmcore" processes -f comm=report-builder -j | jq -r 'select(.record == "row").address')
	count=$(printf '0x%x' $((mm + 816 + 40 + 8)))
	for n in 0 24000; do
		printf 'memowner_poke %s:8=%d memowner %s\n' "$count" $n '' "$count" $n 'processes -j' > "$BATS_TEST_TMPDIR/poke"
		"$BUILD/tested" --vmlinux "$STOCK/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$STOCK/vmcore" > "$said" 2>&1
		grep -q '^unknown .*memory of processes: page tables of 514 have 48,706 pages, its counters ' "$said"
		grep -q '^holder .*report-builder' "$said"
		refute grep -E 'no process there is has|processes that have ended|is not in this dump' "$said"
		jq -R -s -e '[split("\n")[] | fromjson? | select(.record == "row" and .pid == 514)] | length == 1 and .[0].rss_anon_bytes == null' "$said"
		tail -n 1 "$said" | jq -e '(.complete | not) and any(.warnings[]; test("page tables of 514"))'
	done
	# One that counts what its tables have is left as it is.
	echo "memowner_poke $count:8=48400 memowner" > "$BATS_TEST_TMPDIR/poke"
	"$BUILD/tested" --vmlinux "$STOCK/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$STOCK/vmcore" | refute grep 'page tables of'
}

@test "a cgroup that lost its parent has no path, and one whose references live was not removed" {
	local said=$BATS_TEST_TMPDIR/said memcg=0xffffa19001157800 node=0xffffa190003edbb0

	of "$OOM" cgroups -j | jq -s -e --arg at $memcg 'any(.[]; .address? == $at and .memcg == "/web" and .memcg_state == "online")'
	printf 'memowner_poke %s memowner %s\n' $memcg/mem_cgroup.css.flags:4=0 'cgroups -j' $memcg/mem_cgroup.css.flags:4=0 '' > "$BATS_TEST_TMPDIR/poke"
	"$BUILD/tested" --vmlinux "$OOM/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$OOM/vmcore" > "$said" 2>&1
	jq -R -s -e '[split("\n")[] | fromjson? | select(.memcg? == "/web")] | length == 1 and .[0].memcg_state == "online"' "$said"
	jq -R -s -e '[split("\n")[] | fromjson? | select(.record == "summary")] | length == 1 and (.[0].complete | not) and any(.[0].warnings[]; test("state of cgroups.*without CSS_ONLINE"))' "$said"
	grep -q '^unknown   state of cgroups: css.flags at 0xffffa19001157800 ' "$said"
	# One that was removed: __PERCPU_REF_DEAD.
	echo "memowner_poke $memcg/mem_cgroup.css.flags:4=0,$memcg/mem_cgroup.css.refcnt.percpu_count_ptr:8=3 memowner cgroups -j" > "$BATS_TEST_TMPDIR/poke"
	"$BUILD/tested" --vmlinux "$OOM/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$OOM/vmcore" 2>&1 | jq -R -s -e '[split("\n")[] | fromjson? | select(.memcg? == "/web")] | length == 1 and .[0].memcg_state == "dying"'
	printf "memowner_poke $node/kernfs_node.parent:8=0 memowner %s\n" 'cgroups -j' '' 'processes -j -f pid=53' > "$BATS_TEST_TMPDIR/poke"
	"$BUILD/tested" --vmlinux "$OOM/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$OOM/vmcore" > "$said" 2>&1
	jq -R -s -e --arg at $memcg '[split("\n")[] | fromjson? | select(.address? == $at or .pid? == 53)] | length == 2 and all(.[]; .memcg == null)' "$said"
	jq -R -s -e '[split("\n")[] | fromjson? | select(.record == "summary")] | length == 2 and all(.[]; (.complete | not) and any(.warnings[]; test("paths of cgroups.*no parent")))' "$said"
	grep -q '^unknown   paths of cgroups: kernfs_node at 0xffffa190003edbb0 has a name and no parent$' "$said"
}

@test "a super_block that is in use has a mount: where its list has none, the path of its files is unknown" {
	local said=$BATS_TEST_TMPDIR/said super=0xff1bf37b8c908800 list

	of "$STOCK" files -f 'file=/dev/shm/PostgreSQL*' | grep -q 'PostgreSQL'
	list=$(printf '0x%x' $((super + 224)))
	# The other end of the list has it.
	printf "memowner_poke $super/super_block.s_mounts:8=$list%s memowner %s\n" '' 'files -f fs=tmpfs -n 0' ",$list+8:8=$list" 'files -f fs=tmpfs -n 0 -j' \
		",$list+8:8=$list" 'filesystems -j' > "$BATS_TEST_TMPDIR/poke"
	"$BUILD/tested" --vmlinux "$STOCK/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$STOCK/vmcore" > "$said" 2>&1
	[ "$(grep -c ' /dev/shm/PostgreSQL' "$said")" -ge 2 ]
	refute grep 'tmpfs, not mounted]/PostgreSQL' "$said"
	jq -R -s -e '[split("\n")[] | fromjson? | select(.record == "summary")] | length == 2 and all(.[]; (.complete | not) and any(.warnings[]; test("super_block at 0xff1bf37b8c908800 has no mount, and s_active is 6")))' "$said"
}

@test "a zone whose watermarks are not equally far apart has lost one: they are unknown, and MemAvailable" {
	local said=$BATS_TEST_TMPDIR/said zone=0xff1bf37b8bfd5c80

	of "$STOCK" zones -j | jq -s -e 'any(.[]; .zone? == "DMA32" and .node == 0 and .min_pages == 302 and .low_pages == 377 and .high_pages == 452)'
	printf "memowner_poke $zone/zone._watermark:8=151 memowner zones -j\n" > "$BATS_TEST_TMPDIR/poke"
	"$BUILD/tested" --vmlinux "$STOCK/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$STOCK/vmcore" > "$said" 2>&1
	jq -R -s -e '[split("\n")[] | fromjson? | select(.record == "row" and .zone == "DMA32" and .node == 0)] | length == 1 and .[0].min_pages == null' "$said"
	tail -n 1 "$said" | jq -e '(.complete | not) and ([.warnings[] | select(test("(watermarks are|MemAvailable is) unknown.*151, 377, 452 are not equally far apart"))] | length == 2)'
}

@test "a list of free blocks, or of free pages of a CPU, whose head leads past them is unknown, not empty" {
	local said=$BATS_TEST_TMPDIR/said head

	# Order 8 of Movable: zone.free_area[8].free_list[1] of Debian's 6.12.
	head=$(printf '0x%x' $((0xff1bf37b97ea5c80 + 256 + 8 * 88 + 16)))
	of "$STOCK" zones -j | jq -s -e 'any(.[]; .record == "blocks" and .node == 1 and .order == 8 and .migratetype == "Movable" and .blocks == 1)'
	echo "memowner_poke $head:8=$head memowner zones -j" > "$BATS_TEST_TMPDIR/poke"
	"$BUILD/tested" --vmlinux "$STOCK/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$STOCK/vmcore" > "$said" 2>&1
	jq -R -s -e '[split("\n")[] | fromjson? | select(.record == "blocks" and .node == 1 and .order == 8 and .migratetype == "Movable")] | length == 1 and .[0].blocks == null' "$said"
	tail -n 1 "$said" | jq -e '(.complete | not) and any(.warnings[]; test("not all free blocks are known: list of free blocks .* has 0xff9442c0c0350008 as the last"))'
	# Of CPU 1: per_cpu_pages.lists[0].
	of "$OOM" zones -j | jq -s -e 'any(.[]; .record == "pcp" and .zone == "DMA32" and .order == 0 and .migratetype == "Unmovable" and .pages == 239)'
	echo 'memowner_poke 0xffffa1900f8bfa20:8=0xffffa1900f8bfa20 memowner zones -j' > "$BATS_TEST_TMPDIR/poke"
	"$BUILD/tested" --vmlinux "$OOM/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$OOM/vmcore" > "$said" 2>&1
	jq -R -s -e '[split("\n")[] | fromjson? | select(.record == "pcp" and .zone == "DMA32" and .order == 0 and .migratetype == "Unmovable")] | length == 1 and .[0].pages == null' "$said"
	tail -n 1 "$said" | jq -e '(.complete | not) and any(.warnings[]; test("not all lists of CPUs are known: per_cpu_pages.lists"))'
}

@test "a counter of pages that nodes and the whole machine have differently is told of neither" {
	local index at said=$BATS_TEST_TMPDIR/said

	# enum node_stat_item of Debian's 6.12.
	for index in 17:anon:NR_ANON_MAPPED 6:slab:NR_SLAB_UNRECLAIMABLE_B; do
		at=$((${index%%:*} * 8))
		printf "memowner_poke vm_node_stat+$at:8=%d memowner classes -j\n" 1000 > "$BATS_TEST_TMPDIR/poke"
		"$BUILD/tested" --vmlinux "$STOCK/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$STOCK/vmcore" > "$said" 2> /dev/null
		jq -s -e --arg class "$(cut -d: -f2 <<< "$index")" '[.[] | select(.class? == $class)] | length == 1 and .[0].counted_pages == null' "$said"
		tail -n 1 "$said" | jq -e --arg name "${index##*:}" '(.complete | not) and any(.warnings[]; test("counters of pages.*: \($name) is [1-9][0-9]*, and vm_node_stat has 1000"))'
	done
	"$BUILD/memowner" --vmlinux "$STOCK/vmlinux" "$STOCK/vmcore" classes -j | jq -s -e 'all(.[] | select(.class? == ("anon", "slab")); .counted_pages > 1000)'
}

@test "a pointer of the log's ring that leads beside its records: the log is unknown, not empty, and the machine may have panicked" {
	local said=$BATS_TEST_TMPDIR/said word

	for word in descs:1=0xd0 infos:1=0xd0 count_bits:1=0; do
		echo "memowner_poke printk_rb_static/printk_ringbuffer.desc_ring.$word memowner" > "$BATS_TEST_TMPDIR/poke"
		"$BUILD/tested" --vmlinux "$STOCK/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$STOCK/vmcore" > "$said" 2>&1
		grep -q '^unknown .*panic.*: .*log' "$said"
		refute grep -E 'did not panic|no report that memory|no OOM report' "$said"
	done
}

# Types that are there in any kernel are no witness that what they are for was built in.
@test "a kernel without swap, cgroups, /sys/kernel/slab or modules: that is the reason, and no layout that is unknown" {
	local cgroups=cgroup,css_set,cgroup_root,cgroup_subsys_state,mem_cgroup,@cgrp_dfl_root,@memory_cgrp_subsys,%memory_cgrp_id
	local swap=swap_header,@swap_info,@nr_swapfiles,@nr_swap_pages,@total_swap_pages,@swapper_spaces text=$BATS_TEST_TMPDIR/text

	printf '%s\n' "memowner_blind $swap memowner -j" "memowner_blind $swap memowner zones -j" "memowner_blind $swap memowner pools -j" \
		"memowner_blind $swap memowner processes -n 1 -j" "memowner_blind $swap memowner cgroups -n 1 -j" \
		"memowner_blind $cgroups memowner -j" "memowner_blind $cgroups memowner processes -n 1 -j" "memowner_blind $cgroups faults -n 1 -j" "memowner_blind @slab_kset,slab_attribute memowner caches -j" > "$BATS_TEST_TMPDIR/blind"
	"$BUILD/tested" --vmlinux "$STOCK/vmlinux" -i "$BATS_TEST_TMPDIR/blind" "$STOCK/vmcore" > "$text"
	[ "$(jq -c 'select(.record == "summary") | [.complete, (.unknown | map(.part))]' "$text" | sort -u | paste -s -d ' ')" = \
		'[true,["owners","sites"]] [true,[]]' ]
	jq -r 'select(.record == "verdict") | .remark' "$text" | grep -q '; no swap'
	printf '%s\n' "memowner_blind $cgroups faults -g cgroup" "memowner_blind $cgroups memowner processes -g memcg" \
		"memowner_blind @slab_kset,slab_attribute memowner caches -n 1 -j" "memowner_blind @modules,load_info faults -k" > "$BATS_TEST_TMPDIR/blind"
	"$BUILD/tested" --vmlinux "$STOCK/vmlinux" -i "$BATS_TEST_TMPDIR/blind" "$STOCK/vmcore" > "$text" 2>&1 || :
	grep -q '"names of caches that were merged are missing: this kernel has no /sys/kernel/slab: built with CONFIG_SLUB_TINY, or without CONFIG_SYSFS"' "$text"
	[ "$(grep -c -x 'warning: cgroups unknown: this kernel was built without CONFIG_CGROUPS' "$text")" = 2 ]
	grep -x 'no data: KGTP is a module, and this kernel has no modules' "$text"
}

@test "memowner caches: with -g node a row is no cache, and what is told of caches is of those that are kept" {
	local merged='other caches merged into' pages cut=$BATS_TEST_TMPDIR/cut

	# One of 32 has no slab, and so no node.
	[ "$(of "$STOCK" memowner caches -g node -j | jq -r 'select(.record == "row" and .aliases > 0) | .address' | sort -u | wc -l)" = 31 ]
	[ "$(of "$STOCK" memowner caches | grep -c -x "32 caches have $merged them: see -o +alias_names")" = 1 ]
	[ "$(of "$STOCK" memowner caches -g node | grep -c -x "31 caches have $merged them: see -o +alias_names")" = 1 ]
	[[ "$(of "$STOCK" memowner caches -g node -n 3)" = *$'\n... 220 more rows with '* ]]
	[[ "$(of "$STOCK" memowner caches -g node -f 'cache=kmalloc-*')" = *$'\nfilters kept 55 of 223 rows\n'* ]]
	pages=$(of "$STOCK" memowner caches -j | jq -s 'map(select(.record == "row" and .aliases > 0).pages) | sort | last')
	[ "$(of "$STOCK" memowner caches -f "pages=$pages" | grep -c -x "1 cache has $merged it: see -o +alias_names")" = 1 ]
	silent "$merged" "$STOCK" memowner caches -f "pages=$pages" -g node
	# Pages that are missing may be slabs: there is no number that another one could differ from.
	mkdir "$cut"
	head -c 9000000 "$OOM/vmcore" > "$cut/vmcore"
	ln -s "$OOM/vmlinux" "$cut"
	of "$cut" memowner caches -j | grep "^{" > "$BATS_TEST_TMPDIR/rows"
	[ "$(jq -s 'map(select(.record == "row" and .slabs == null and .counted_slabs != null)) | length > 0' "$BATS_TEST_TMPDIR/rows")" = true ]
	[ "$(grep -c 'the kernel counted another number' "$BATS_TEST_TMPDIR/rows")" = 0 ]
}

@test "log, dmabuf: nothing that could be read is no answer, and status 1" {
	local view status

	for view in log dmabuf; do
		head -c 300000000 "$STOCK/vmcore" > "$BATS_TEST_TMPDIR/cut"
		status=0
		"$BUILD/memowner" --vmlinux "$STOCK/vmlinux" "$BATS_TEST_TMPDIR/cut" $view -j > "$BATS_TEST_TMPDIR/json" || status=$?
		tail -n 1 "$BATS_TEST_TMPDIR/json"
		[ "$status" = 1 ]
		[ "$(tail -n 1 "$BATS_TEST_TMPDIR/json" | jq -r '"\(.status) \(.complete)"')" = 'not_in_dump false' ]
	done
}

# left DUMP KEY=VALUE 'N UNIT' COMMAND...: that many are unknown and left out, in text and in JSON
left() {
	local warning="${2%%=*} is unknown of $3, which -f leaves out"

	of "$1" "${@:4}" -f "$2" > "$BATS_TEST_TMPDIR/text"
	grep -q -x -F -e "warning: $warning" "$BATS_TEST_TMPDIR/text" || { echo "$*"; cat "$BATS_TEST_TMPDIR/text"; false; }
	of "$1" "${@:4}" -f "$2" -j | jq -e --arg w "$warning" 'select(.record == "summary") | .complete == false and any(.warnings[]; . == $w)'
}

@test "-f by what is unknown of some pages says of how many, and is not complete; where all is known, nothing" {
	local holed=$BUILD/samples/6.12-holed n

	n=$(of "$holed" pageowner -g class -n 0 -j | jq -r 'select(.record == "row" and .class == null) | .pages')
	[ "$n" = 66885 ]
	left "$holed" class=direct '66,885 pages' pageowner -g caller
	left "$holed" class=anon '66,885 pages' pageowner
	left "$holed" owner=dead '69,789 pages' pageowner
	# Another filter refuses them for what is known, or what is unknown is asked for or not asked for.
	silent 'leaves out' "$holed" pageowner -f class=anon -f order=99
	silent 'leaves out' "$holed" pageowner -f class=-
	silent 'leaves out' "$holed" pageowner -X class=-
	silent 'leaves out' "$OOM" pageowner -f class=anon
}

@test "a dump cut before its struct pages: every view ends by itself, and one that read no page and has no row has no answer" {
	local view n=0

	head -c 9000000 "$OOM/vmcore" > "$BATS_TEST_TMPDIR/cut"
	sed -n 's/^NOUN(\(.*\))/memowner \1/p' "$TESTS/../extensions/nouns.def" > "$BATS_TEST_TMPDIR/views"
	printf '%s\n' memowner faults 'depot -i' allocprof pageowner{,' -g module',' -m',' -b',' -z',' -k',' -t list',' -t tree'} >> "$BATS_TEST_TMPDIR/views"
	awk -v to="$BATS_TEST_TMPDIR/" '{ print $0 " -j > " to NR }' "$BATS_TEST_TMPDIR/views" > "$BATS_TEST_TMPDIR/commands"
	"$BUILD/memowner" --vmlinux "$OOM/vmlinux" -i "$BATS_TEST_TMPDIR/commands" "$BATS_TEST_TMPDIR/cut" 2> "$BATS_TEST_TMPDIR/errors" || [ $? = 1 ]
	while read -r view; do
		n=$((n + 1))
		tail -n 1 "$BATS_TEST_TMPDIR/$n" | jq -e '.record == "summary" and
			(.status != "ok" or .rows_total > 0 or .rows_shown > 0 or .scanned != 0 or .unreadable == 0)' || { echo "$view"; false; }
	done < "$BATS_TEST_TMPDIR/views"
	for view in 'pageowner -g module' 'pageowner -t raw' 'memowner pages'; do
		status=0
		"$BUILD/memowner" --vmlinux "$OOM/vmlinux" "$BATS_TEST_TMPDIR/cut" $view > "$BATS_TEST_TMPDIR/text" 2> "$BATS_TEST_TMPDIR/errors" || status=$?
		[ "$status" = 1 ]
		[ "$view" = 'pageowner -t raw' ] || grep -q -x 'no data: of the 65,503 pages of zone spans none could be read' "$BATS_TEST_TMPDIR/text"
	done
}

@test "-o stack where no stack is known: each row says so" {
	[ "$(of "$OOM" memowner objects -o stack -n 2 | grep -c -x '    stack: -')" = 2 ]
	[ "$(of "$OOM" memowner objects -o +stack -n 1 | grep -c -x '    stack: -')" = 1 ]
	silent 'stack: -' "$OOM" memowner objects -n 1
	silent 'stack: -' "$OOM" pageowner -o stack -n 2
}

@test "two views, a filter of classes, two words for an address, an address in decimal: what helps" {
	says "$OOM" 'memowner: one view at a time: memowner classes, then memowner zones' memowner classes zones
	says "$OOM" 'memowner: one view at a time: memowner classes, then memowner zones' classes zones
	says "$OOM" 'memowner: addresses and views are asked for apart: memowner classes' memowner pfn:0x100 classes
	[ "$(of "$OOM" memowner classes -f class=slab,anon -j | jq -r 'select(.record == "row").class' | xargs)" = 'anon slab' ]
	of "$OOM" memowner zones -f zone=DMA32 > "$BATS_TEST_TMPDIR/zones"
	grep -q -x 'filters kept 1 of 1 row' "$BATS_TEST_TMPDIR/zones"
	grep -q -x 'what is below is of all zones' "$BATS_TEST_TMPDIR/zones"
	diff <(of "$OOM" memowner 18446640238599782600 | sed 's/0xffffa190012ac0c8\|18446640238599782600/X/g') <(of "$OOM" memowner 0xffffa190012ac0c8 | sed s/0xffffa190012ac0c8/X/g)
	diff <(of "$OOM" memowner PFN:4425 | sed s/PFN/pfn/) <(of "$OOM" memowner pfn:4425)
	[[ "$(of "$OOM" pfn 4425 || true)" = *'pfn: no such command; an address is one word, as pfn:N or phys:X'* ]]
	[[ "$(of "$OOM" memowner pfn 4425 || true)" = *"'pfn' is no address and no view, an address is one word, as pfn:N or phys:X, views are: "* ]]
}

@test "an option by its word behind the dump; a dump for a baseline is no text" {
	of "$STOCK" --redact -H "$BATS_TEST_TMPDIR/page.html"
	[ -s "$BATS_TEST_TMPDIR/page.html" ]
	run of "$STOCK" --redact
	[[ "$output" = *'-E (--redact) needs -H FILE'* ]]
	run of "$STOCK" memowner classes -d "$BUILD/samples/6.1-stock-outside/vmcore"
	[[ "$output" = *"has bytes of 0: it is no text but a dump, of which a view prints one with -j" ]]
	run of "$STOCK" memowner classes -d "$OOM/truth/meminfo"
	[[ "$output" = *$'\nthe total is unknown: of reserved and 3 more its size is, now or before\n'* ]]
	[ "$(of "$STOCK" memowner zones gfp_atomic || true)" = "memowner: an order is a number from 0 to 10, not 'gfp_atomic'; an order stands before it: 0 GFP_ATOMIC" ]
}

@test "a number that is typed as it is printed is refused; groups of what filters kept say so; options by their words" {
	local t=$BATS_TEST_TMPDIR

	run of "$STOCK" memowner caches -f bytes=1,048,576..
	[[ "$output" = *"key bytes: '1,048,576..' is 1 and 048, for a comma is between values: a number is written without one"* ]]
	run of "$OOM" pageowner -f pages=1,000.. -g caller
	[[ "$output" = *"key pages: '1,000..' is 1 and 000.."* ]]
	# Two values, and threads, which are no quantities.
	of "$OOM" pageowner -f pages=1000..,1 -g caller -n 1 > "$t/both"
	of "$STOCK" memowner processes -f pid=1,1000 -n 1 | grep -q '^  1  systemd'
	# Filters of members are before the groups.
	of "$STOCK" memowner processes -f rss_bytes=10M.. -g comm | grep -q -x 'filters asked each process: a row has of its group only the processes that they kept'
	of "$STOCK" memowner processes -f rss_bytes=0.. -g comm | refute grep 'of its group'
	of "$OOM" allocprof -g module -f size=50M.. | grep -q -x 'filters asked each site: a row has of its group only the sites that they kept'
	run of "$STOCK" memowner story --redact
	[[ "$output" = *'unknown option --redact, known are: '* ]]
	of "$OOM" pageowner pfn:0x10000000000000 | grep -q -x '  beyond all physical addresses'
}

@test "figures without a unit, words of two meanings and columns that are unknown of all have a line that says so" {
	of "$OOM" memowner zones | grep -q -x 'figures of memory are pages of 4.0K, those of reclaim below too'
	of "$OOM" memowner zones -j | jq -e -s '.[-1].record == "summary"' > /dev/null
	# A cgroup is kept for any of its processes, and shows the one that has most.
	of "$STOCK" memowner cgroups -f comm=stress-ng-vm -o memcg,comm > "$BATS_TEST_TMPDIR/kept"
	grep -q ' report-builder$' "$BATS_TEST_TMPDIR/kept"
	grep -q -x 'TGID and COMM are of the process that has most, filters ask all, those of descendants too' "$BATS_TEST_TMPDIR/kept"
	silent 'TGID and' "$STOCK" memowner cgroups -f state=online -n 1
	of "$OOM" memowner objects -g pid | grep -q -x 'not recorded: tasks and ages; a call site has none, slub_debug=U does'
	of "$OOM" memowner objects -f age=1s.. | grep -q -x 'not recorded: tasks and ages; a call site has none, slub_debug=U does'
	silent 'tasks and ages' "$OOM" memowner objects -n 1
}

@test "filters of log are of its reports: of the tables below it is told" {
	local f=$BATS_TEST_TMPDIR/log told='filters are of reports alone: the tables below have all of the log'

	printf '%s\n' '[    0.000000] Linux version 6.1.0' '[   99.000000] INFO: task cat:400 blocked for more than 30 seconds.' \
		'[  100.000000] Kernel panic - not syncing: hung_task: blocked tasks' > "$f"
	timeout 60 "$BUILD/memowner" --log "$f" log -f comm=awk > "$f.said"
	grep -q '^99\.000000  hung_task' "$f.said"
	grep -q -x "$told" "$f.said"
	[ "$(timeout 60 "$BUILD/memowner" --log "$f" log | grep -c "$told")" = 0 ]
}

@test "a column that is no key of -g: whether - is several values or an unknown one" {
	local told=': - where the pages of a group have several'

	of "$OOM" pageowner -g comm -n 3 -o +pid,class | grep -q -x "PID, CLASS$told"
	# Of the row that is shown all are of one process; who freed a page is unknown.
	silent "$told" "$OOM" pageowner -n 1 -o +comm,tgid
	silent "$told" "$OOM" pageowner -f state=free -g module -o +comm
	of "$OOM" pageowner -g comm -o +pid -j | jq -e -s '.[-1].record == "summary"' > /dev/null
}

@test "a key that -g has not: not that no process has one, but what groups by it" {
	# What all of a group have is in its row.
	of "$STOCK" memowner processes -g uid -s processes -o +comm -n 1 | grep -q -x 'no row that is shown has the same comm in all of its processes: -g uid,comm groups by it, too'
	of "$OOM" memowner files -g class -o +dir | grep -q -x 'no row that is shown has the same dir in all of its files: -g class,dir groups by it, too'
	silent 'no row that' "$OOM" memowner processes -g comm -o +uid -n 2
	of "$OOM" allocprof -g module -o +dir -n 1 | grep -q -x 'no row that is shown has dir: -g module,dir groups by it, too'
	silent 'no row that' "$OOM" memowner processes -g comm,uid -o +uid -n 2
	of "$STOCK" memowner objects -g cache -o +module -n 2 | grep -q -x 'module is unknown of all rows that are shown (if all objects of the group have the same)'
}

@test "zones: what a zone keeps from a request is no column where nobody made one" {
	of "$BUILD/samples/6.1-stock-outside" memowner zones > "$BATS_TEST_TMPDIR/none"
	grep -q -E '^NODE +ZONE .* HIGH$' "$BATS_TEST_TMPDIR/none"
	refute grep RESERVE "$BATS_TEST_TMPDIR/none"
	of "$BUILD/samples/6.1-stock-outside" memowner zones 0 > "$BATS_TEST_TMPDIR/asked"
	grep -q -E '^NODE +ZONE .* HIGH +RESERVE' "$BATS_TEST_TMPDIR/asked"
	of "$BUILD/samples/6.1-stock-outside" memowner zones -o zone,reserve_pages > "$BATS_TEST_TMPDIR/named"
	grep -q RESERVE "$BATS_TEST_TMPDIR/named"
}

@test "processes: HELD is without the objects of what is open, which is told where they are many" {
	local task=0xff1bf37b82914200 files offset

	of "$STOCK" pageowner "$task" | grep -q -F 'task_struct of 262(redis-server)'
	offset=$(strings -n 8 "$STOCK/vmcore" | sed -n 's/^KERNELOFFSET=//p' | head -n 1)
	files=$(printf '0x%x' $((0x$(nm "$STOCK/vmlinux" | awk '$3 == "init_files" { print $1 }') + 0x$offset)))
	# As if it had the table of init_files, and that the descriptors that are bits of the kernel's code.
	printf "memowner_poke $task/task_struct.files:8=$files,init_files/files_struct.fdtab:4=4096,init_files/files_struct.fdtab+24:8=0x%x memowner processes %s\n" \
		$((0xffffffff81001000 + 0x$offset)) '-o pid,descriptors,held_bytes -f comm=redis-server' \
		$((0xffffffff81001000 + 0x$offset)) '-o pid,descriptors -f comm=redis-server' \
		$((0xffffffff81001000 + 0x$offset)) '-o pid,descriptors,held_bytes -f pid=1' > "$BATS_TEST_TMPDIR/poke"
	"$BUILD/tested" --vmlinux "$STOCK/vmlinux" -i "$BATS_TEST_TMPDIR/poke" "$STOCK/vmcore" > "$BATS_TEST_TMPDIR/text" 2>&1
	[ "$(grep -c "^HELD is without the kernel's objects" "$BATS_TEST_TMPDIR/text")" = 1 ]
	grep -q -E "^HELD is without the kernel's objects \(slab\) of what is open: redis-server \(262\) has [12],[0-9]{3} descriptors, whose struct file alone takes up to [0-9]+\.[0-9]K, sockets and inodes beside: memowner, memowner caches$" "$BATS_TEST_TMPDIR/text"
}
