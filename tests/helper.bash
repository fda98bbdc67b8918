# SPDX-License-Identifier: GPL-2.0-or-later
# What the bats files share.

# A test may go to another folder.
: "${CRASH:=crash}" "${BUILD:=$PWD/build}" "${OBJECTS:=$BUILD}"
# bats notes the line of each command before it runs, which takes a quarter of a millisecond: that of the one
# that fails is enough.
bats_debug_trap() {
	trap - DEBUG
}
bats_error_trap() {
	bats_check_status_from_trap
	bats_capture_stack_trace
	BATS_DEBUG_LAST_STACK_TRACE_IS_VALID=1
}
# Bytes: sed and grep are many times slower on characters.
export LC_ALL=C
# bats reads this once for each test, and once for the file before them. It names this file with its whole path.
TESTS=${BASH_SOURCE[0]%/*}
if [ -z "${NOUNS:-}" ]; then
	COMMANDS=$(sed -n 's/^COMMAND(\(.*\))$/\1/p' "$TESTS/../extensions/commands.def" | xargs)
	NOUNS=$(sed -n 's/^NOUN(\(.*\))$/\1/p' "$TESTS/../extensions/nouns.def" | xargs)
	export COMMANDS NOUNS
fi
# memowner has no object of its own: it is in memowner.so and in pageowner.so.
# shellcheck disable=SC2034
SINGLE=${COMMANDS% memowner}

# refute COMMAND...: fails if it succeeds. ("! command" never fails a test.)
refute() {
	if "$@"; then
		return 1
	fi
}

# has_no_line GREP_ARGUMENT... FILE: what the file has, which is something, has no line of grep's
has_no_line() {
	cat "${!#}" > "$BATS_TEST_TMPDIR/has_no_line"
	[ -s "$BATS_TEST_TMPDIR/has_no_line" ]
	refute grep "${@:1:$#-1}" "$BATS_TEST_TMPDIR/has_no_line"
}

# What crash says while it opens the dump is its own.
own_words() {	# FILE
	sed -e '/^NOTE: minimal mode commands:/d' -e '/memowner.so: shared object loaded$/d' \
		-e '/^WARNING: cpu [0-9]*: /d' -e '/^WARNING: /,/^$/d' -e '/./,$!d' "$1"
}

# run_crash VMLINUX DUMP OPTION... -- COMMAND...: output of the commands, run
# with every extension loaded. Fails if crash or we died on the way.
run_crash() {
	# setup_file() has no folder of a test.
	local vmlinux=$1 dump=$2 options=() tmp=${BATS_TEST_TMPDIR:-$BATS_FILE_TMPDIR} commands session

	commands=$tmp/commands
	shift 2
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	case ${options[*]} in
	--program | --alone)
		run_program ${options[0]} "$vmlinux" "$dump" "$@"
		return
		;;
	esac
	# Names of files in a session are of the folder that bats runs in.
	[ -n "${ALONE:-}" ] || session=$(session_of "$vmlinux" "$dump" "${options[@]}")
	if [ -n "$session" ]; then
		in_session "$session" "$@"
		return
	fi
	{
		echo "extend $OBJECTS/memowner.so"
		printf '%s\n' "$@" quit
	} > "$commands"
	timeout 300 $CRASH "${options[@]}" -s -i "$commands" "$vmlinux" "$dump" \
		> "$tmp/out" 2> "$tmp/err" ||
		{ cat "$tmp/out" "$tmp/err"; return 1; }
	own_words "$tmp/out"
	refute grep -q -i -e 'segmentation' -e 'AddressSanitizer' -e '^==[0-9]*==' "$tmp"/{out,err}
}

# run_program --program|--alone VMLINUX DUMP COMMAND...: the same by the program, with vmlinux or by what
# the dump itself has. Commands that a test adds ("extend") are in a build of it beside.
run_program() {
	local given=(--vmlinux "$2") tmp=${BATS_TEST_TMPDIR:-$BATS_FILE_TMPDIR} program=$BUILD/memowner status=0

	[ "$1" = --program ] || given=()
	printf '%s\n' "${@:4}" | sed '/^extend /d' > "$tmp/commands"
	[[ " ${*:4}" != *' extend '* ]] || program=$BUILD/tested
	timeout 300 "$program" "${given[@]}" -i "$tmp/commands" "$3" > "$tmp/out" 2>&1 || status=$?
	[ $status -le 2 ] || { cat "$tmp/out"; return 1; }
	# What is wrong with the words of one has its line here, which crash does not know.
	sed "s|$tmp/commands:[0-9]*: ||" "$tmp/out"
	refute grep -q -i -e 'segmentation' -e 'AddressSanitizer' "$tmp/out"
}

# silent WORDS ARGUMENT...: what of() of the test prints of these, which is something, has no line with the words
silent() {
	of "${@:2}" > "$BATS_TEST_TMPDIR/silent" || [ $? = 1 ] || { cat "$BATS_TEST_TMPDIR/silent"; return 1; }
	[ -s "$BATS_TEST_TMPDIR/silent" ]
	refute grep -F -e "$1" "$BATS_TEST_TMPDIR/silent"
}

# same_through_doors FOLDER FOLDER: answers are the same, but for what tests/differences lists of both doors
same_through_doors() {
	local rules file

	rules=$(awk -F '\t+' '$1 == "both" { print $2 }' "$TESTS/differences")
	[ -n "$rules" ]
	diff <(cd "$1" && ls) <(cd "$2" && ls)
	for file in "$1"/*; do
		diff <(sed -E "$rules" "$file") <(sed -E "$rules" "$2/${file##*/}") || { echo "$file"; return 1; }
	done
}

# on_screen COLUMNS ARGUMENT...: what a terminal of that width shows of the program, without what a
# progress line left behind
on_screen() {
	"$BUILD/tools/pty" -w "$1" "$BUILD/memowner" "${@:2}" | sed -e 's/\r*$//' -e 's/.*\r//'
}

# screen_words FILE: words of a screen of the summary, one a line, with commands as the prompt takes them
screen_words() {
	sed -E '/^next:/,$s/^  memowner VMCORE (pageowner|allocprof|depot|faults)/  \1/' "$1" | tr -s ' \n' '  ' |
		sed 's/memowner VMCORE/memowner/g' | tr ' ' '\n'
}

session_of() {	# VMLINUX DUMP OPTION...: its folder, if it is open
	local s

	for s in "$BATS_FILE_TMPDIR"/session.*; do
		if [ -e "$s/of" ] && [ "$(< "$s/of")" = "$*" ]; then
			echo "$s"
			return
		fi
	done
}

# open_session VMLINUX DUMP OPTION...: in setup_file(), one crash for what the tests of the file ask
# of this dump with these options. A command keeps nothing for the next but what debug information
# said of types, and pages.
open_session() {
	local s

	# The program is as quick without.
	[[ "${*:3}" != --program && "${*:3}" != --alone ]] || return 0
	s=$(mktemp -d "$BATS_FILE_TMPDIR/session.XXXX")
	mkfifo "$s/in" "$s/never"
	echo "extend $OBJECTS/memowner.so" > "$s/commands"
	# Its standard input stays open for writing; no other file of ours may.
	(
		exec 0<> "$s/in"
		for fd in /proc/self/fd/*; do
			fd=${fd##*/}
			[ "$fd" -le 2 ] || eval "exec $fd>&-"
		done
		exec timeout 600 $CRASH "${@:3}" -s -i "$s/commands" "$1" "$2"
	) > "$s/out" 2> "$s/err" &
	echo $! > "$s/pid"
	echo "$*" > "$s/of"
}

# in_session FOLDER COMMAND...: run_crash in that session.
in_session() {
	local s=$1 tmp=${BATS_TEST_TMPDIR:-$BATS_FILE_TMPDIR} old pid

	shift
	(
		flock 9
		pid=$(cat "$s/pid")
		printf '%s\n' "$@" "!echo > $s/done" > "$tmp/commands"
		rm -f "$s/done"
		# What came before the first commands is crash's own, and taken away below.
		[ ! -e "$s/read" ] && old=0 || old=$(cat "$s/read")
		echo "< $tmp/commands" 1<> "$s/in"
		# Nothing is written to the second: to wait for that is sleep(1) without a process.
		exec 8<> "$s/never"
		until [ -e "$s/done" ]; do
			read -r -t 0.02 <&8 && continue
			kill -0 "$pid" || { cat "$s/out" "$s/err"; exit 1; }
		done
		tail -c +$((old + 1)) "$s/out" > "$tmp/out"
		stat -c %s "$s/out" > "$s/read"
	) 9> "$s/lock" || return 1
	own_words "$tmp/out"
	refute grep -q -i -e 'segmentation' -e 'AddressSanitizer' -e '^==[0-9]*==' "$tmp/out" "$s/err"
}

# close_sessions: fails if a crash ended otherwise than by "quit". To open for writing alone would wait for
# a crash that is gone.
close_sessions() {
	local s

	for s in "$BATS_FILE_TMPDIR"/session.*; do
		[ -e "$s/of" ] || continue
		echo quit 1<> "$s/in"
		wait "$(cat "$s/pid")" || { cat "$s/out" "$s/err"; return 1; }
	done
}

# The option of crash that makes a mode of tests/modes; of run_program for those without crash.
option_of() {
	[ "$1" = whole ] || echo "--$1"
}

# synthetic KERNEL COMMAND...
synthetic() {
	local kernel=$BUILD/kernels/$1

	shift
	run_crash "$kernel/vmlinux" "$kernel/ram@0x0" --minimal -- "$@"
}

# json FILTER: rows of the last output that run kept, through jq.
json() {
	jq -r "$@" <<< "$output"
}

# The frames of a stack in JSON as one word.
# shellcheck disable=SC2034
STACK='def hex: if . == 0 then "0" else [recurse(if . >= 16 then . / 16 | floor else empty end) | . % 16]
	| reverse | map("0123456789abcdef"[.:. + 1]) | join("") end;
def stack: [.[] | "\(.symbol)+0x\(.offset | hex)"] | join(" ");'

# The stacks of synthetic kernels.
# shellcheck disable=SC2034
FIRST='alloc_pages+0x2 leak_first+0x2 startup_64+0x2'
SECOND='alloc_pages+0x2 leak_second+0x2 startup_64+0x2'
FREE='free_pages+0x2 startup_64+0x2'

# summary KERNEL KEY...
summary() {
	local kernel=$1 keys

	shift
	keys=$(printf '.%s,' "$@")
	synthetic "$kernel" 'pageowner -t list -a -j' |
		jq -r "select(.record == \"summary\") | [${keys%,}] | map(tostring) | join(\" \")"
}

# answers MODE: the folder with what the commands of tests/answers say of $SAMPLE in $CRASH that
# opens it in this mode. One session of crash answers them all, once for each build.
answers() {
	local version dir truth=$BUILD/samples/$SAMPLE/truth

	case $1 in
	program | alone) version=memowner ;;
	*) version=${CRASH_VERSION:-$($CRASH -v | awk '$1 == "crash" { print $2; exit }')} ;;
	esac
	dir=$(realpath -m "$BUILD/answers/$version/$SAMPLE/$1")
	mkdir -p "${dir%/*}"
	(
		flock 9
		if [ "$dir" -nt "$OBJECTS/memowner.so" ] && [ "$dir" -nt "$TESTS/answers" ] && [ "$dir" -nt "$OBJECTS/probe.so" ] && [ "$dir" -nt "$BUILD/memowner" ]; then
			exit
		fi
		rm -rf "$dir" "$dir.new"
		mkdir "$dir.new"
		ln -s "$(realpath "$truth")" "$dir.new/truth"
		mapfile -t commands < <(sed -n 's/^\([^# ]*\) \(.*\)/\2 > \1/p' "$TESTS/answers")
		OBJECTS=$(realpath "$OBJECTS") DIR=$(realpath "$BUILD/samples/$SAMPLE")
		cd "$dir.new"
		ALONE=1 run_crash "$DIR/vmlinux" "$DIR/vmcore" $(option_of $1) -- "extend $OBJECTS/probe.so" "${commands[@]}" |
			sed '/probe.so: shared object loaded$/d' > said
		rm truth
		touch .
		mv "$dir.new" "$dir"
	) 9> "$dir.lock" || return 1
	echo "$dir"
}

# same_waits BLOCKED STUCK FILE: in -j of faults -b and of memowner stuck each thread waits for the same, with one holder.
same_waits() {
	local of='"\(.pid) \(.waits_for) \(.place) \(.lock_holder) \(.holder_mode) \(.blocked_ns)"'

	jq -r "select(.record == \"row\") | $of" "$1" | sort > "$3"
	diff "$3" <(jq -r --slurpfile in <(jq -c 'select(.record == "row") | .pid' "$1") \
		"select(.record == \"row\" and (.pid | IN(\$in[]))) | $of" "$2" | sort)
}

# digest: the folder with the tables that tests/tools/digest makes of the list in the quickest mode.
digest() {
	local from dir

	from=$(answers "${MODES##* }") || return 1
	dir=$from.digest
	(
		flock 9
		if [ "$dir" -nt "$from" ] && [ "$dir" -nt "$TESTS/tools/digest" ]; then
			exit
		fi
		rm -rf "$dir" "$dir.new"
		mkdir "$dir.new"
		"$TESTS/tools/digest" "$from/list.json" "$(cat "$BUILD/samples/$SAMPLE/truth/t0")" "$dir.new"
		mv "$dir.new" "$dir"
	) 9> "$dir.lock" || return 1
	echo "$dir"
}

# listed PROGRAM: awk over the rows of the list, with @NAME for a column of it.
listed() {
	local names name n=0 program=$1

	IFS=$'\t' read -r -a names < "$LIST/rows.tsv"
	for name in "${names[@]}"; do
		n=$((n + 1))
		# No name is the start of another behind @.
		program=$(sed "s/@$name\\b/\$$n/g" <<< "$program")
	done
	awk -F '\t' "NR == 1 { next } $program" "$LIST/rows.tsv"
}

# keep_time NAME WALL: a line of $BUILD/times.tsv: CPU seconds of this process and its
# children, seconds, file, dump, test. Without a process: it is done for each test.
keep_time() {
	local ms=0 taken seconds words

	# In a pipe "times" would be that of the subshell.
	times > "$BATS_FILE_TMPDIR/times.$$"
	# Two lines of two, as 1m2.345s.
	read -r -d '' -a words < "$BATS_FILE_TMPDIR/times.$$" || :
	for taken in "${words[@]}"; do
		seconds=${taken#*m}
		seconds=${seconds%s}
		# With 10#, 08 is not octal.
		ms=$((ms + 60000 * ${taken%m*} + 10#${seconds/./}))
	done
	printf '%d.%02d\t%s\t%s\t%s\t%s\n' $((ms / 1000)) $((ms % 1000 / 10)) "$2" "${BATS_TEST_FILENAME##*/}" "${SAMPLE:--}" "$1" \
		>> "$BUILD/times.tsv"
}

BEGAN=$EPOCHREALTIME

teardown() {
	local took=$(((${EPOCHREALTIME/./} - ${BEGAN/./}) / 10000))

	printf -v took '%d.%02d' $((took / 100)) $((took % 100))
	keep_time "$BATS_TEST_DESCRIPTION" $took
}

# What setup_file() took is what is missing in the sum of the tests.
teardown_file() {
	close_sessions
	keep_time '(the whole file)' -
}

# alone RUN...: the commands of $OUT/commands, each by a run of its own; the n-th answer in $OUT/answer.n
alone() {
	local command vmcore=$1 n=0

	while read -r command; do
		n=$((n + 1))
		"$@" $command > "$OUT/answer.$n" || [ -s "$OUT/answer.$n" ] || { echo "$command: status $?"; return 1; }
	done < "$OUT/commands"
}

# has_figures JSON RUN...: of each row of a story the figures, in what RUN says of the commands of all: numbers with
# their units, as words: "1,024", "17.2M", "4.4min"; a percent sign stands in a header as well, and of a list that is
# cut the command has the rest.
has_figures() {
	jq -r 'select(.record == "row") | [.command, .sentence] | @tsv' "$1" > "$OUT/rows"
	cut -f 1 "$OUT/rows" | sort -u > "$OUT/commands"
	"${@:2}"
	awk -F '\t' -v answer="$OUT/answer." '
		# What a line of an answer tells; of a sentence what no line does.
		function figures(text, command, tells,   word, lost) {
			sub(/ and [0-9]* more$/, "", text)
			for (; match(text, /[0-9][0-9.,]*(min|ms|us|ns|[KMGTBsdh%])?/); text = substr(text, RSTART + RLENGTH)) {
				word = substr(text, RSTART, RLENGTH)
				gsub(/,/, "", word)
				sub(/[.%]+$/, "", word)
				if (tells)
					told[command, word]
				else if (!((command, word) in told))
					lost = lost " " word
			}
			return lost
		}
		NR == FNR { while ((getline line < (answer NR)) > 0) figures(line, $0, 1); next }
		{ lost = figures($2, $1, 0) }
		lost != "" { print $1 ": nothing has" lost; print $2 }' "$OUT/commands" "$OUT/rows" > "$OUT/wrong"
	diff "$OUT/wrong" /dev/null
}

# Each command that the summary of a dump proposes has rows: one that answers with nothing leads nowhere.
proposals_answer() {	# VMCORE
	local command vmcore=$1 n=0

	while read -r command; do
		n=$((n + 1))
		eval "set -- $command"
		"$BUILD/memowner" "$vmcore" "$@" -j | jq -e -n 'any(inputs; .record == "row")' > /dev/null || { echo "no row: $command"; return 1; }
	done < <("$BUILD/memowner" "$vmcore" memowner -j | jq -r 'select(.record == "next") | .command')
	[ "$n" -ge 1 ]
}
