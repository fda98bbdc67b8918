#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Slab caches and their objects on synthetic kernels (tests/kernels/objects.h): counters, lists of
# nodes, CPUs and sheaves; what is damaged is unknown.

load helper

# caches KERNEL: a line for each cache, and the warnings but that of zones, which no such kernel has.
caches() {
	synthetic "$1" 'memowner caches -j' | jq -r 'def text: map(if . == null then "-" else tostring end) | join(" ");
		if .record == "row" then [.cache, .pages, .slabs, .objects, .inuse_objects, .free_objects, .slack_bytes, .active_objects,
			.counted_slabs, .counted_objects, .reclaimable, .accounted, .aliases] | text
		elif .record == "total" then [.name, .pages] | text
		elif .record == "summary" then .warnings[] | select(test("^the kernel.s counters unknown: unknown layout: struct pglist_data|^names of caches that were merged are missing: ") | not)
		else empty end'
}

# Objects that a CPU or a sheaf has are active to the kernel: one more where there are sheaves.
expected() {	# ACTIVE
	cat <<-END
		plain 3 2 12 8 4 4288 $1 2 12 false false 0
		traced 1 1 4 3 1 3976 4 1 4 false false 2
		boot 0 0 0 0 0 0 - - - true true 0
		slab 4
		reclaimable 0
		unreclaimable 4
	END
}

@test "caches: how many were merged into one is told; of a cache of boot there are none" {
	run synthetic slabexts_6_10 'memowner caches'
	[[ "$output" = *$'\n1 cache has other caches merged into it: see -o +alias_names\n'* ]]
	# Their names are links of sysfs.
	[[ "$output" = *$'\nwarning: names of caches that were merged are missing: this kernel has no /sys/kernel/slab'* ]]
}

@test "caches: in use is what neither slab, CPU nor sheaf has free; counters of nodes in every form" {
	for kernel in slabexts_6_10 slabexts_6_10-hardened slabexts_6_10-nomemcg slabexts_6_10-nodes; do
		diff <(expected 10) <(caches $kernel)
	done
	for kernel in slabexts_6_18 slabexts_7_0 slabexts_7_3 slabexts_7_3-nodes; do
		echo $kernel
		diff <(expected 11) <(caches $kernel)
	done
}

@test "caches: with SLUB_TINY no CPU has objects, what is free is in the slabs alone, no cache is reclaimable" {
	diff <(caches slabexts_6_10-tiny) <(expected 10 | sed -e '1s/ 8 4 4288/ 9 3 3288/' -e '/^boot/s/true true/false true/')
}

@test "caches: counters that differ from the slabs are told; a list of partial slabs that loops counts nothing" {
	diff <(caches slabexts_6_10-counted) - <<-END
		$(expected 10 | sed '1s/ 2 12 false/ 3 12 false/')
		the kernel counted another number of slabs or objects of 1 cache: see -o +counted_slabs,counted_objects
	END
	diff <(caches slabexts_6_10-partial) <(expected -)
}

@test "caches: the list slab_caches that leads nowhere, slabs and sheaves that are damaged: unknown, never 0" {
	diff <(caches slabexts_6_10-caches) - <<-END
		$(expected 10 | sed /boot/d)
		caches without a slab are missing: kmem_cache at 0xffff88fffeffffa0 is not in this dump
	END
	# What the slabs of a cache have is unknown when one of them cannot be true.
	for kernel in slabexts_6_10-none slabexts_6_10-inuse; do
		diff <(caches $kernel) - <<-END
			$(expected 10 | sed -e '1s/.*/plain 4 3 - - - - 10 2 12 false false 0/' -e 's/^slab 4/slab 5/' -e 's/^unreclaimable 4/unreclaimable 5/')
			1 slab has impossible numbers of objects
			the kernel counted another number of slabs or objects of 1 cache: see -o +counted_slabs,counted_objects
		END
	done
	diff <(caches slabexts_6_10-cache | grep -v '^the kernel counted') - <<-END
		$(expected 10 | sed -e '/boot/i - 1 1 - - - - - - - - - -' -e 's/^slab 4/slab 5/' -e 's/^reclaimable.*/reclaimable -/' -e 's/^unreclaimable.*/unreclaimable -/')
		the cache of 1 slab page is unknown: slab or kmem_cache not in this dump, or corrupt
	END
	for kernel in 'barn_loop a list of sheaves without end' 'barn_huge a sheaf of 2147483647 objects'; do
		diff <(caches slabexts_6_18-${kernel%% *}) - <<-END
			$(expected 11 | sed '1s/ 12 8 4 4288/ 12 - - -/')
			objects in use are unknown for some caches: ${kernel#* }
		END
	done
}

@test "SLAB without its members is refused, not read as SLUB" {
	run synthetic slabexts_6_10-batchcount 'memowner caches' 'memowner objects'
	[ "$(sed 's/, but: .*//' <<< "$output")" = "no data: unknown layout: struct slab has no member s_mem
no data: unknown layout: struct slab has no member s_mem" ]
}

# objects KERNEL OPTION...: cache, state, objects, bytes, threads, ages, site and stack of each group.
objects() {
	synthetic "$1" "memowner objects -j -s cache,objects,age_max_ns -o +state ${*:2}" | jq -r "$STACK"'
		def text: map(if . == null then "-" else tostring end) | join(" ");
		if .record == "row" then [.cache, .state, .objects, .bytes, .threads, .age_max_ns, .age_min_ns, .site, (.stack // [] | stack | if . == "" then null else . end)] | text
		elif .record == "summary" then .complete, .warnings[] else empty end'
}

@test "objects: by track, by call site without one, by neither; free ones by their last free" {
	for kernel in slabexts_6_10 slabexts_6_18 slabexts_7_0 slabexts_7_3; do
		echo $kernel
		diff <(objects $kernel) - <<-END
			plain live 5 5000 - - - - -
			plain live 2 2000 - - - mm/take.c:10 take_objects [vmlinux] -
			plain live 1 1000 - - - drivers/mod.c:50 take_in_module [mod] -
			traced live 1 192 1 2000000000 2000000000 mm/take.c:10 take_objects [vmlinux] alloc_pages+0x2 leak_second+0x2 startup_64+0x2
			traced live 1 192 1 1000000000 1000000000 mm/take.c:10 take_objects [vmlinux] alloc_pages+0x2 leak_first+0x2 startup_64+0x2
			traced live 1 192 - - - mm/take.c:10 take_objects [vmlinux] -
			true
			age_max_ns is unknown of 4 of 6 rows, which come last
		END
		diff <(objects $kernel -f state=free) - <<-END
			plain free 4 4000 - - - - -
			traced free 1 192 1 100000000 100000000 - free_pages+0x2 startup_64+0x2
			true
			age_max_ns is unknown of 1 of 2 rows, which come last
		END
	done
}

@test "an object whose reference leads to no tag: neither with a call site nor without" {
	run synthetic slabexts_6_10-nowhere 'memowner objects -n 0'
	grep -q -x '11 objects in use = 2 with a track + 3 with a call site alone + 5 without + 1 unknown' <<< "$output"
	grep -q -x 'warning: the call site of 1 object is not in this dump' <<< "$output"
	run synthetic slabexts_6_10 'memowner objects -n 0'
	grep -q -x '11 objects in use = 2 with a track + 4 with a call site alone + 5 without' <<< "$output"
}

@test "an address in a slab: its object, free or in use; where slabs cannot be known, a reason and complete false" {
	lookup() {	# KERNEL ADDR
		synthetic "$1" "pageowner virt:$2" "pageowner -j virt:$2" | grep -E '^  (now|in) |warning: .*slab|"record":"(object|summary)"' |
			sed -e 's/^{"record":"\([a-z]*\)".*"object_state":\([^,]*\).*/\1 \2/' -e 's/^.*summary.*"complete":\([a-z]*\),.*slab.*/complete \1/' -e '/^{/d' -e 's/, but: .*//'
	}
	diff <(lookup slabexts_6_10 ffff888001100007) - <<-'END'
		  now slab plain, flags 0x40
		  in the object at 0xffff888001100000 of plain, in use, at mm/take.c:10 take_objects [vmlinux]
		object "in use"
	END
	diff <(lookup slabexts_6_10 ffff8880011007d0) - <<-'END'
		  now slab plain, flags 0x40
		  in the object at 0xffff8880011007d0 of plain, free
		object "free"
	END
	diff <(lookup slabexts_6_10-batchcount ffff888001100007) - <<-'END'
		  now slab of an unknown cache, flags 0x40
		warning: slab caches unknown: unknown layout: struct slab has no member s_mem
		complete false
	END
	diff <(lookup slabexts_6_10-cache ffff88800110a007) - <<-'END'
		  now slab of an unknown cache, flags 0x0
		warning: the cache of the slab at pfn 0x110a is unknown: kmem_cache at 0xffff88800110afa0 is corrupt, or not in this dump
		warning: the object of the slab at pfn 0x110a is unknown: kmem_cache at 0xffff88800110afa0 is corrupt, or not in this dump
		complete false
	END
}

@test "KFENCE: its page is of no slab, its object has who allocated and who freed it, a guard page is of the object before it" {
	diff <(caches slabexts_6_10-kfence) <(expected 10)
	lookup() {
		synthetic "slabexts_6_10-${2:-kfence}" "pageowner $1" | sed -n '/KFENCE/,/^warning/{/^warning/d;p}'
	}
	object() {
		cat <<-END
			  ${1:+$1 }KFENCE object 0 at 0xffff88800110efc8, 56 bytes of plain, free
			  allocated 6.0s before the panic by pid 42 on CPU 1
			    alloc_pages+0x2
			    leak_first+0x2
			  freed 1.0s before the panic by pid 43 on CPU 0
			    free_pages+0x2
		END
	}
	diff <(lookup virt:ffff88800110e010) <(object)
	# Frames have names where nothing recorded who has the page.
	diff <(lookup virt:ffff88800110e010 kfence_off) <(object)
	diff <(lookup pfn:0x110f) <(object "guard page behind")
	diff <(lookup pfn:0x110c) <(echo "  guard page before the first KFENCE object")
	run synthetic slabexts_6_10-kfence 'pageowner -j pfn:0x110e'
	[ "$(jq -r 'select(.record == "object") | [.address, .cache, .object_bytes, .object_state, .kfence, .guard_page, .pid, .cpu, .ts_ns, .free_pid, .free_ts_ns,
		(.stack | length), (.free_stack | length)] | join(" ")' <<< "$output")" = \
		"0xffff88800110efc8 plain 56 free true false 42 1 4000000000 43 9000000000 2 1" ]
}

@test "an object of KFENCE has its call site: its reference is one of objects, and no part of slab pages" {
	local of='select(.record == "row" and (.name | test("objects|slab pages|left over"))) | "\(.name) \(.bytes) \(.count)"'

	output=$(synthetic slabexts_6_10-kfence_used 'allocprof -j virt:ffff88800110efc8')
	[ "$(jq -r 'select(.record == "row") | [.address, .bytes, .requested, .allocated, .site, .pid, .ts_ns, (.stack | length)] | map(tostring) | join(" ")' <<< "$output")" = \
		"0xffff88800110efc8 1000 56 true mm/take.c:10 take_objects [vmlinux] 42 4000000000 2" ]
	output=$(synthetic slabexts_6_10-kfence_used 'allocprof -C -j')
	diff <(jq -r "$of" <<< "$output" | sed 's/references of objects 4576 7/references of objects 3576 6/') <(synthetic slabexts_6_10-kfence 'allocprof -C -j' | jq -r "$of")
	jq -r "$of" <<< "$output" | grep -q -x 'references of objects 4576 7'
	output=$(synthetic slabexts_6_10-kfence_used 'allocprof -j -c take.c:10')
	[ "$(jq -r 'select(.record == "row" and .pid == 42) | "\(.address) \(.bytes) \(.requested) \(.cache)"' <<< "$output")" = '0xffff88800110efc8 1000 56 plain' ]
}
