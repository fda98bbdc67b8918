# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# For sourcing: messages, packages, the cache, a private apt.

me=${0##*/}
cache=${XDG_CACHE_HOME:-${HOME:-/var/tmp}/.cache}/crash-memowner

say() { printf '%s: %s\n' "$me" "$*" >&2; }
fail() { say "$*"; exit 1; }

# run LOG COMMAND...: quietly; on failure the end of what it printed, and its status.
run() {
	local log=$1 status=0
	shift
	mkdir -p "$(dirname "$log")"
	"$@" > "$log" 2>&1 || status=$?
	[ $status = 0 ] || tail -n 15 "$log" >&2
	return $status
}

# need PACKAGE...: installs those that are missing, through apt.
need() {
	local missing=() sudo=() p

	for p; do
		dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing+=("$p")
	done
	[ ${#missing[@]} != 0 ] || return 0
	command -v apt-get > /dev/null ||
		fail "needs what Debian has in the packages: ${missing[*]}"
	if [ "$(id -u)" != 0 ]; then
		sudo=(sudo)
		{ command -v sudo && sudo true; } > /dev/null ||
			fail "needs packages; as root: apt-get install ${missing[*]}"
	fi
	say "installing ${missing[*]}"
	run "$cache/apt-update.log" "${sudo[@]}" apt-get -q update || say "apt-get update failed, going on"
	run "$cache/apt-install.log" "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
		apt-get -q -y --no-install-recommends install "${missing[@]}" ||
		fail "cannot install ${missing[*]}"
}

# Mirrors of Debian that the machine's own apt has in its sources: by what their lists say of them, or
# by their address where no list was fetched.
own_mirrors() {
	local found

	# shellcheck disable=SC2016
	found=$(apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
		awk -F'|' '$1 == "Debian" && $2 == "Debian" { print $3 }')
	[ -n "$found" ] || found=$(apt-get --print-uris update 2>/dev/null |
		sed -n "s|^'\([^']*\)/dists/.*|\1|p" | grep debian | grep -v security)
	[ -z "$found" ] || echo "$found"
}

# Mirrors to ask, in this order: those of DEBIAN_MIRRORS, those of the machine, and the archive, which
# alone has old suites.
mirrors() {
	local mirrors

	# shellcheck disable=SC2086
	mirrors=$([ -z "${DEBIAN_MIRRORS:-}" ] || printf '%s\n' $DEBIAN_MIRRORS; own_mirrors || :)
	[ -n "$mirrors" ] || say "apt has no mirror of Debian in its sources: DEBIAN_MIRRORS=http://HOST/debian names one"
	{
		[ -z "$mirrors" ] || echo "$mirrors"
		echo http://archive.debian.org/debian
	} | awk '{ sub("/*$", "") } !seen[$0]++'
}

# one_apt COMMAND...: one at a time, since apt refuses a folder that another apt has locked.
one_apt() {
	local lock status=0

	mkdir -p "$cache/apt"
	exec {lock}> "$cache/apt/lock"
	flock "$lock"
	"$@" || status=$?
	exec {lock}>&-
	return $status
}

# private_apt SUITE [ARCHITECTURE]: sets APT_CONFIG to an apt of its own for one suite of
# Debian, so that the system's stays as it is; false if no mirror has the suite.
# Signatures are checked; that a mirror is some weeks old is no reason against it.
private_apt() {
	local suite=$1 suites=("$1") dir=$cache/apt/$1${2:+-$2} mirror

	mkdir -p "$dir"/{lists/partial,cache/archives/partial}
	touch "$dir/status"
	cat > "$dir/apt.conf" <<-END
		Dir::Etc::sourcelist "$dir/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Dir::Etc::preferencesparts "/dev/null";
		Dir::State::lists "$dir/lists";
		Dir::State::status "$dir/status";
		Dir::Cache "$dir/cache";
		Acquire::Languages "none";
		Acquire::Check-Valid-Until "false";
		Acquire::Retries "2";
		APT::Sandbox::User "";
		APT::Default-Release "$suite";
		${2:+APT::Architecture "$2";}
	END
	export APT_CONFIG=$dir/apt.conf
	# What is in backports needs libraries of the suite that it is for.
	[[ $suite != *-backports ]] || suites+=("${suite%-backports}")
	while read -r mirror; do
		# Updates of security stand beside the archive.
		[[ $suite != *-security ]] || mirror=${mirror%/debian}/debian-security
		for type in ${APT_TYPES:-deb deb-src}; do
			for suite in "${suites[@]}"; do
				echo "$type [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main"
			done
		done > "$dir/sources.list"
		if run "$dir/update.log" apt-get -q --error-on=any update; then
			return 0
		fi
	done < <(APT_CONFIG='' mirrors)
	return 1
}

# unpack SUITE ROOT PACKAGE: the package and the libraries it needs, of that suite, into ROOT.
unpack() { one_apt unpack_package "$@"; }
unpack_package() {
	local packages=() deb

	command -v dpkg-deb > /dev/null && private_apt "$1" || return 1
	# shellcheck disable=SC2207
	packages=($(apt-cache depends --no-recommends --no-suggests "$3" |
		awk '$1 ~ /Depends:$/ && $2 ~ /^(lib|zlib)/ { print $2 }'))
	# shellcheck disable=SC2207
	packages+=("$3" $(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts \
		--no-breaks --no-replaces --no-enhances "${packages[@]}" | grep -E '^(lib|zlib)'))
	mkdir -p "$2/debs"
	# shellcheck disable=SC2046
	(cd "$2/debs" && run "$cache/apt/$1/download.log" apt-get -q download \
		$(printf '%s\n' "${packages[@]}" | sort -u)) || return 1
	for deb in "$2"/debs/*.deb; do
		dpkg-deb -x "$deb" "$2" || return 1
	done
	rm -rf "$2/debs"
}

# loader_of ROOT: how a program in it is run, its loader and the path of its libraries.
loader_of() {
	local loader libs

	loader=$(find "$1" -name 'ld-linux*.so.*' | head -n 1)
	libs=$(find "$1" -name '*.so.*' -printf '%h\n' | sort -u | tr '\n' ':')
	[ -n "$loader" ] || return 1
	echo "$loader --library-path $libs"
}

# source_package SERIES DIR: Debian's linux-source-SERIES as DIR/*.deb. The suites move:
# whichever has the package gives it.
source_package() { one_apt find_source_package "$@"; }
find_source_package() {
	local suite

	rm -rf "$2"
	mkdir -p "$2"
	for suite in bookworm bookworm-backports trixie trixie-backports bullseye forky sid; do
		private_apt "$suite" || continue
		apt-cache show "linux-source-$1" > /dev/null 2>&1 || continue
		say "fetching linux-source-$1 from $suite"
		(cd "$2" && run "$cache/apt/linux-source-$1.log" apt-get -q download "linux-source-$1") && break
	done
	unset APT_CONFIG
	[ -n "$(ls "$2")" ]
}
