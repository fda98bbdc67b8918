#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Names and values of columns and keys: what is accepted, and what a refusal says.

load helper

@test "an option that is refused: the error names what was typed and what is accepted" {
	diff <(synthetic v6_9 'pageowner -g module extra' 'pageowner -g module pfn:1' "pageowner -w $BATS_TEST_TMPDIR/w -f order=0" \
		'pageowner -t tpo' 'pageowner -a' 'allocprof -t tpo' 'allocprof -g file pfn:1-2' 'depot -a 1' 'faults -a' \
		'pageowner -t list -X SIZE=1M..' 'pageowner -f PFN=x' 2>&1 | sed "s/'extra' is no address:.*/&/; s/: pfn:N.*//") - <<-END
	pageowner: 'extra' is no address
	pageowner: -g cannot be combined with the argument 'pfn:1'
	pageowner: -f cannot be combined with -w FILE
	pageowner: unknown view 'tpo', -t takes: top tree folded list raw caches objects vmalloc processes
	pageowner: -a needs -t list
	allocprof: unknown view 'tpo', -t takes: tree raw
	allocprof: 'pfn:1-2' is more than one page
	depot: unexpected argument '1'
	faults: -a needs -e or -t timeline
	pageowner: -X SIZE cannot be combined with -t list
	pageowner: key PFN takes a number like 5, 0x1f, 2.., ..8 or 2..8, not 'x'
	END
}

@test "a value of a known set: refused with the set where it is none of it, accepted in any case" {
	local classes

	classes=$(sed -n 's/.*CLASS_[A-Z]*] = "\([a-z]*\)".*/\1/p' "$TESTS/../lib/mm/page_class.c" | xargs)
	diff <(synthetic tasks_6_12 'pageowner -f class=slabs -m' 'faults -f state=Q' 'faults -X S=q' 'faults -f kthread=maybe' \
		'faults -b -f STATE=Q' 'faults -e -f mode=usr' 'faults -k -f page_fault=2' 'allocprof -X loaded=maybe' \
		'pageowner -f owner=gone' 'pageowner -f class=slabs') - <<-END
	pageowner: -f cannot be combined with -m
	faults: unknown state 'Q', known are: R S D T t X Z P I
	faults: unknown S 'q', known are: R S D T t X Z P I
	faults: unknown kthread 'maybe', known are: yes no
	faults: unknown STATE 'Q', known are: R S D T t X Z P I
	faults: unknown mode 'usr', known are: user kernel
	faults: unknown page_fault '2', known are: yes no
	allocprof: unknown loaded 'maybe', known are: yes no
	pageowner: unknown owner 'gone', known are: live dead
	pageowner: unknown class 'slabs', known are: $classes
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
	refute grep 'unknown gfp' <(synthetic raw 'pageowner -f gfp=GFP_KERNEL' 'pageowner -f gfp=*FOO*' 'pageowner -f gfp=0x1' 'pageowner -f gfp=/FOO/' 'pageowner -f gfp=-')
}

@test "one thing, one name: header, name and old name are one key, for -f, -X, -g, -s and -o" {
	for pair in 'pageowner -t list -f ts=..1s|pageowner -t list -f TIME=..1s' 'pageowner -t list -f ts_ns=..1s|pageowner -t list -X TIME=1000000001ns..' \
		'pageowner -f size=8K..|pageowner -f bytes=8K..' 'pageowner -g age -s AGE|pageowner -g Age -s age' \
		'pageowner -t list -o TIME,phys|pageowner -t list -o ts_ns,PHYS' 'faults -f state=S|faults -f task_state=S' 'faults -f RSS=1..|faults -f rss_bytes=1..' \
		'faults -g S|faults -g state' 'faults -g TASK_STATE|faults -g state' 'pageowner -t list -f AGE=1s..|pageowner -t list -f age_ns=1s..' \
		'pageowner -s OLDEST|pageowner -s age_max_ns'; do
		synthetic v6_9 "${pair%|*}" > "$BATS_TEST_TMPDIR/one"
		synthetic v6_9 "${pair#*|}" > "$BATS_TEST_TMPDIR/two"
		diff "$BATS_TEST_TMPDIR/one" "$BATS_TEST_TMPDIR/two"
		refute grep -q "unknown [a-z ]*'" "$BATS_TEST_TMPDIR/one"
	done
}
