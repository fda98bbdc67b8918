#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Names and values of columns and keys: what is accepted, and what a refusal says.

load helper

@test "an option that is refused: the error names what was typed and what is accepted" {
	diff <(synthetic v6_9 'pageowner -g module extra' 'pageowner -g module pfn:1' "pageowner -w $BATS_TEST_TMPDIR/w -f order=0" \
		'pageowner -t tpo' 'pageowner -a' 'allocprof -t tpo' 'allocprof pfn:1-70000' 'depot -a 1' 'faults -a' \
		'pageowner -t list -X SIZE=1M..' 'pageowner -f PFN=x' 2>&1 | sed "s/'extra' is no address:.*/&/; s/: pfn:N.*//; s/\(takes: top tree folded\) .*/\1 .../") - <<-END
	pageowner: 'extra' is no address
	pageowner: -g cannot be combined with the argument 'pfn:1'
	pageowner: -f cannot be combined with -w FILE
	pageowner: unknown view 'tpo', -t takes: top tree folded ...
	pageowner: -a needs -t list
	allocprof: unknown view 'tpo', -t takes: tree raw
	allocprof: 'pfn:1-70000' is more than 65536 pages
	depot: -a takes no argument: '1'
	faults: -a needs -e or -t timeline
	pageowner: -X SIZE cannot be combined with -t list
	pageowner: key PFN takes a number like 5, 0x1f, 2.., ..8 or 2..8, not 'x'
	END
}

@test "a name in another case or with a wrong letter: the refusal has the nearest first" {
	diff <(synthetic v6_9 'pageowner -t Files' 'pageowner Files' 'faults -t Timelin' 'pageowner -o paegs' 'pageowner -g modul' 'pageowner -f modul=x' 'memowner caches -s obects' 2>&1 |
		sed 's/\(known are\|takes\): .*/\1: .../') - <<-END
	pageowner: -t files is the view 'memowner files'
	pageowner: 'files' is a view: memowner files
	faults: unknown view 'Timelin', the nearest is timeline, -t takes: ...
	pageowner: unknown column 'paegs', the nearest is pages, known are: ...
	pageowner: unknown group 'modul', the nearest is module, known are: ...
	pageowner: unknown filter 'modul', the nearest is module, known are: ...
	memowner: unknown sort key 'obects', the nearest is objects, known are: ...
	END
}

@test "a view that needs no page_owner is a noun of memowner: pageowner names it, and prints nothing else" {
	local noun lines

	for noun in $NOUNS; do
		lines+="pageowner -t $noun -n 3 -j"$'\n'"pageowner ${noun^}"$'\n'
		echo "pageowner: -t $noun is the view 'memowner $noun'" >> "$BATS_TEST_TMPDIR/wanted"
		echo "pageowner: '$noun' is a view: memowner $noun" >> "$BATS_TEST_TMPDIR/wanted"
	done
	mapfile -t lines <<< "${lines%$'\n'}"
	diff <(synthetic v6_9 "${lines[@]}" 'pageowner -t memory' 2>&1) \
		<(cat "$BATS_TEST_TMPDIR/wanted"; echo "pageowner: -t memory is the view 'memowner classes'")
}

@test "-m, -z and -b of pageowner are nouns of memowner, in JSON too" {
	local pair

	for pair in '-m=classes' '-z=zones' '-b=fragmentation' '-m -g node=classes -g node' '-b 1 -g class=fragmentation 1 -g class' 'pfn:5=pfn:5'; do
		for json in '' ' -j'; do
			synthetic zones_6_13-blocks "pageowner ${pair%=*}$json" > "$BATS_TEST_TMPDIR/option"
			synthetic zones_6_13-blocks "memowner ${pair#*=}$json" > "$BATS_TEST_TMPDIR/noun"
			grep -q . "$BATS_TEST_TMPDIR/option"
		done
		diff "$BATS_TEST_TMPDIR/option" "$BATS_TEST_TMPDIR/noun"
		jq -r 'select(.record == "meta") | "\(.schema) \(.command) \(.view)"' "$BATS_TEST_TMPDIR/noun"
	done > "$BATS_TEST_TMPDIR/views"
	diff "$BATS_TEST_TMPDIR/views" - <<-END
	2 memowner classes
	2 memowner zones
	2 memowner fragmentation
	2 memowner classes_groups
	2 memowner fragmentation_groups
	2 memowner page
	END
}

@test "an option that is given twice with two values is refused; -f and -X add up" {
	diff <(synthetic v6_9 'pageowner -n 1 -n 2' 'pageowner -t list -t tree' 'pageowner -s bytes -s allocs' 'pageowner -l -l /tmp' \
		'pageowner -m -z' 'pageowner -t list -m' 'depot -n 3 -n 0x3 nonsense') - <<-END
	pageowner: -n is given twice: 1 and 2
	pageowner: -t is given twice: list and tree
	pageowner: -s is given twice: bytes and allocs
	pageowner: -l is given twice: without a value and /tmp
	pageowner: -z cannot be combined with -m
	pageowner: -m cannot be combined with -t list
	depot: 'nonsense' is not a handle: handles are hexadecimal numbers of 32 bits
	END
	diff <(synthetic v6_9 'pageowner -j -f order=0 -f order=1.. -n 2 -n 2' | jq -r 'select(.record == "summary") | .status') <(echo ok)
}

@test "a device in place of a file is named as such" {
	diff <(synthetic v6_9 'pageowner -d /dev/null' 'pageowner -R /dev/null' 'depot @/dev/null') - <<-END
	pageowner: cannot read '/dev/null': it is a pipe or a device: save its text in a file first
	pageowner: cannot read '/dev/null': it is a pipe or a device: save its text in a file first
	depot: cannot read '/dev/null': it is a pipe or a device: save its text in a file first
	END
}

@test "a header, in any case, is accepted in every view for -s, -o, -f and -X, and for -g where its column is a key" {
	"$BUILD/document" -k > "$BATS_TEST_TMPDIR/headers"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/headers")" -gt 2000 ]
	for one in 'faults -e -s TO_PANIC' 'faults -e -f instruction=-' 'faults -e -g ip -f INSTRUCTION=-' 'allocprof -f SITE=-' \
		'faults -X rate=-' 'faults -b -f HOLDER=-' 'memowner caches -f reclaim=-' 'pageowner -f RAM%=-'; do
		grep -q -x "$one	yes" "$BATS_TEST_TMPDIR/headers"
	done
	diff /dev/null <(grep -v '	yes$' "$BATS_TEST_TMPDIR/headers")
}

@test "-f with a column that is no key: keeps rows by what they show" {
	local all one

	rows() {	# COMMAND FILTER
		synthetic tasks_6_12 "$1 -j" | jq -c "select(.record == \"row\") | $2"
	}
	all=$(rows faults 'select(.cmaj_flt >= 1) | .pid')
	[ -n "$all" ]
	[ "$(rows 'faults -f CMAJFLT=1..' .pid)" = "$all" ]
	[ "$(rows 'faults -X cmaj_flt=1..' .pid)" = "$(rows faults 'select(.cmaj_flt == 0) | .pid')" ]
	[ "$(rows 'faults -f VSZ=1M..' .pid)" = "$(rows faults 'select(.vsz_bytes != null and .vsz_bytes >= 1048576) | .pid')" ]
	[ "$(rows 'faults -f RATE=-' .pid)" = "$(rows faults .pid)" ]
	[ "$(rows 'faults -g tgid -f THREADS=2..' .threads)" = "$(rows 'faults -g tgid' 'select(.threads >= 2) | .threads')" ]
	[ "$(rows 'faults -f RSS=-' .pid)" = "$(rows faults 'select(.rss_bytes == null) | .pid')" ]
	[ "$(rows 'faults -f VSZ=-' .pid)" = "$(rows faults 'select(.vsz_bytes == null) | .pid')" ]
	grep -q -x 'filters kept 1 of 5 rows' <(synthetic tasks_6_12 'faults -g tgid -f THREADS=2..')
	diff <(synthetic tasks_6_12 'faults -g RSS' 'faults -f RATE=x' 'pageowner -t tree -f DEPTH=1' 'pageowner -f RANK=1' 'faults -f NOPE=1' 2>&1 |
		sed 's/known are:.*\(, and columns.*\)/known are: ...\1/; s/known are: [a-z].*/known are: .../') - <<-END
	faults: RSS is a column, but no key of -g, known are: ...
	faults: key RATE takes a number like 5, 2.5, 0.1.., ..8 or 2..8.5, not 'x'
	pageowner: DEPTH is a column, but no key of -f, known are: ...
	pageowner: RANK is a column, but no key of -f, known are: ..., and columns of -o help but rank, cut, basis
	faults: unknown filter 'NOPE', known are: ..., and columns of -o help
	END
}

@test "a value of a known set: refused with the set where it is none of it, accepted in any case" {
	local classes

	classes=$(grep -o '\[CLASS_[A-Z_]*] = "[a-z_]*"' "$TESTS/../lib/classes/page_class.c" | cut -d '"' -f 2 | xargs)
	diff <(synthetic tasks_6_12 'pageowner -f class=slabs -m' 'faults -f state=Q' 'faults -X S=q' 'faults -f kthread=maybe' \
		'faults -b -f STATE=Q' 'faults -e -f mode=usr' 'faults -k -f page_fault=2' 'allocprof -X loaded=maybe' \
		'pageowner -f owner=gone' 'pageowner -f class=slabs') - <<-END
	pageowner: -f cannot be combined with -m
	faults: unknown state 'Q', known are: R S D T t X Z P I
	faults: unknown S 'q', known are: R S D T t X Z P I
	faults: unknown kthread 'maybe', known are: yes no
	faults: unknown STATE 'Q', known are: R S D T t X Z P I
	faults: unknown mode 'usr', the nearest is user, known are: user kernel
	faults: unknown page_fault '2', known are: yes no
	allocprof: unknown loaded 'maybe', known are: yes no
	pageowner: unknown owner 'gone', known are: live dead
	pageowner: unknown class 'slabs', the nearest is slab, known are: $classes; page cache is file
	END
	# T and t are two states; of one that is written otherwise there is one only.
	diff <(synthetic tasks_6_12 'faults -j -f state=d' 'faults -j -f state=D' 'faults -j -f "S=/d|z/"' 'faults -j -f kthread=TRUE' 'faults -j -X KTHREAD=no' |
		jq -r 'select(.record == "row") | "\(.pid) \(.task_state)"' | sort | uniq -c | sort -rn | awk '{ print $2, $3, $1 }') - <<-END
	11 D 3
	4 I 2
	3 I 2
	2 R 2
	1 Z 1
	END
}

@test "gfp flags: a name that the kernel does not have is refused" {
	diff <(synthetic raw 'pageowner -f gfp=FOO' 'pageowner -X gfp=GFP_KERNEL,__GFP_FOO') - <<-END
	pageowner: unknown gfp 'FOO': a flag is written as in GFP_KERNEL or __GFP_COMP
	pageowner: unknown gfp '__GFP_FOO': a flag is written as in GFP_KERNEL or __GFP_COMP
	END
	has_no_line 'unknown gfp' <(synthetic raw 'pageowner -f gfp=GFP_KERNEL' 'pageowner -f gfp=*FOO*' 'pageowner -f gfp=0x1' 'pageowner -f gfp=/FOO/' 'pageowner -f gfp=-')
}

@test "one thing, one name: header, name and old name are one key, for -f, -X, -g, -s and -o" {
	for pair in 'pageowner -t list -f ts=..1s|pageowner -t list -f TIME=..1s' 'pageowner -t list -f ts_ns=..1s|pageowner -t list -X TIME=1000000001ns..' \
		'pageowner -f size=8K..|pageowner -f bytes=8K..' 'pageowner -g age -s AGE|pageowner -g Age -s age' \
		'pageowner -t list -o TIME,phys|pageowner -t list -o ts_ns,PHYS' 'faults -f state=S|faults -f task_state=S' 'faults -f RSS=1..|faults -f rss_bytes=1..' \
		'faults -g S|faults -g state' 'faults -g TASK_STATE|faults -g state' 'pageowner -t list -f AGE=1s..|pageowner -t list -f age_ns=1s..' \
		'pageowner -s OLDEST|pageowner -s age_max_ns'; do
		synthetic v6_9 "${pair%|*}" > "$BATS_TEST_TMPDIR/one"
		synthetic v6_9 "${pair#*|}" > "$BATS_TEST_TMPDIR/two"
		# What a warning names is what was typed.
		sed -i 's/^warning: -f [A-Za-z_]*=/warning: -f KEY=/' "$BATS_TEST_TMPDIR"/{one,two}
		diff "$BATS_TEST_TMPDIR/one" "$BATS_TEST_TMPDIR/two"
		refute grep -q "unknown [a-z ]*'" "$BATS_TEST_TMPDIR/one"
	done
}
