# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of memowner(1) for bash: files, then what the program itself says of its commands.

_memowner() {
	local cur=${COMP_WORDS[COMP_CWORD]} i=1 word words command=

	COMPREPLY=()
	words=$(memowner --complete '' 2> /dev/null)
	# The first word that names a command ends the files; behind an option with a value stands none.
	for (( ; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		case $word in
		--vmlinux | --modules | --log | -L | -i | --input) i=$((i + 1)) ;;
		--) command=$((i + 1)) && break ;;
		-*) ;;
		*) [[ $'\n'$words$'\n' != *$'\n'$word$'\n'* ]] || { command=$i && break; } ;;
		esac
	done
	# "KEY=" is a word of its own for bash; the program has it as one.
	if [ -n "$command" ] && [ "$command" -lt "$COMP_CWORD" ]; then
		local line=${COMP_LINE:0:COMP_POINT} whole
		whole=${line##*[[:blank:]]}
		local -a before=("${COMP_WORDS[@]:command:COMP_CWORD-command}")
		if [ "$whole" != "$cur" ]; then
			read -r -a before <<< "${line%"$whole"}"
			while [ ${#before[@]} != 0 ] && [ "${before[0]}" != "${COMP_WORDS[command]}" ]; do
				before=("${before[@]:1}")
			done
		fi
		mapfile -t COMPREPLY < <(memowner --complete "${before[@]}" "$whole" 2> /dev/null)
		if [[ $whole = *=* ]]; then
			COMPREPLY=("${COMPREPLY[@]#"${whole%%=*}="}")
		elif [ ${#COMPREPLY[@]} = 1 ] && [[ ${COMPREPLY[0]} = *= ]]; then
			compopt -o nospace
		fi
		[ ${#COMPREPLY[@]} != 0 ] || compopt -o default
		return
	fi
	case $cur in
	-*) mapfile -t COMPREPLY < <(compgen -W '--vmlinux --modules --log --input --prompt --info --help --version' -- "$cur") ;;
	*)
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -f -- "$cur"; [ "$COMP_CWORD" = 1 ] || compgen -W "$words" -- "$cur")
		;;
	esac
}
complete -F _memowner memowner
