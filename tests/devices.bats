#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Buffers of DMA-BUF, areas of CMA and sockets on synthetic kernels (tests/kernels/devices_7_3.c): each form
# of their lists, counters and packets; what is damaged is unknown.

load helper

# ask KERNEL: the rows of each view, and what is missing, in files of this test.
ask() {
	cd "$BATS_TEST_TMPDIR"
	synthetic "$1" "memowner dmabuf -j > $PWD/dmabuf" "memowner sockets -j > $PWD/sockets" "memowner pools -j > $PWD/pools" \
		"memowner dmabuf -f size=..1 > $PWD/none" "memowner dmabuf > $PWD/all" > said
	refute grep '^filters kept' all
	grep -x 'filters kept 0 of [12] buffers\?' none > /dev/null || cat none
	for view in dmabuf sockets pools; do
		jq -r --arg view $view 'def text: map(if . == null then "-" else tostring end) | join("|");
			if .record == "protocol" then [.protocol, .sockets, .charged_bytes, .accounted_bytes, .reserve_bytes, .difference_bytes] | text
			elif .record == "summary" then (select($view != "pools") | .complete), (.warnings[] | select(test("counters") | not) | gsub("0x[0-9a-f]+"; "X"))
			elif .record != "row" then empty
			elif .exporter then [.bytes, .exporter, .name, .file_references, .attachments, .attached, .opened_by, .mapped_by] | text
			elif .kind then [.kind, .name, .pages, .used_bytes, .pfn, .order, .listed_pages, .movable_pages] | text
			else [.protocol, .socket_state, .local_address, .remote_address, .bytes, .pages, .packets, .rmem_bytes, .wmem_bytes, .forward_bytes,
				.rx_queue, .tx_queue, .used_by] | text end' $view
	done
}

expected() {
	cat <<-'END'
		8388608|system|frame|2|2|gpu.0, isp|10(hog)|
		1048576|reserved||1|0|||1(init)
		true
		UDP|close|0.0.0.0:514|0.0.0.0:0|4608|2|2|4608|0|0|4000|0|10(hog)
		TCP|established|10.0.0.1:5140|10.0.0.2:80|3584|3|2|4096|0|4096|1000|20|10(hog)
		TCP|fin_wait1|10.0.0.1:5141|10.0.0.2:80|2560|1|2|0|4096|0|0|2000|
		UNIX|established|/run/log.sock||2304|1|1|0|0|0|-|-|10(hog)
		TCP|2|12288|12288|8192|0
		true
		cma|media|8|12288|32776|0|5|-
		cma|spare|4|0|32772|1|0|-
	END
}

@test "buffers, sockets and areas, in each form of their lists and counters" {
	diff <(expected) <(ask devices_7_3)
	diff <(expected) <(ask devices_7_3-6_12)
	# What CPUs have in advance is none of this kernel's.
	diff <(expected | sed 's/^TCP|2|12288|12288|8192|0$/TCP|2|12288|12288|0|0/') <(ask devices_7_3-5_10)
}

@test "buffers whose files have one inode, as up to 5.2: each has the processes that have or map its own file" {
	diff <(expected) <(ask devices_7_3-shared)
}

@test "lists that loop, a queue that counts wrong: what was found is shown, the rest is unknown" {
	diff - <(ask devices_7_3-loop) <<-'END'
		8388608|system|frame|2|2|gpu.0, isp|10(hog), others unknown|-
		1048576|reserved||1|0||-|1(init), others unknown
		false
		some buffers are missing: list of dma_bufs: the link back of X leads to X, not to X
		users of buffers may be missing: sk_buff_head at X counts 0 packets, and has more than 0
		UDP|close|0.0.0.0:514|0.0.0.0:0|4608|2|2|4608|0|0|4000|0|10(hog), others unknown
		TCP|established|10.0.0.1:5140|10.0.0.2:80|3584|3|2|4096|0|4096|1000|20|10(hog), others unknown
		TCP|fin_wait1|10.0.0.1:5141|10.0.0.2:80|2560|1|2|0|4096|0|0|2000|-
		UNIX|established|/run/log.sock||-|-|-|0|0|0|-|-|10(hog), others unknown
		TCP|-|-|12288|8192|-
		false
		the packets of 1 socket are unknown, and not in their order: sk_buff_head at X counts 0 packets, and has more than 0
		sockets and their users may be missing: sk_buff_head at X counts 0 packets, and has more than 0
		TCP connections that no process has open may be missing: a chain of TCP connections has no end, or that of another
		cma|media|8|12288|32776|0|5|-
		cma|spare|4|0|32772|1|0|-
	END
}

# Data of packets may be in slabs: what a queue is charged with is more than its pages.
@test "packets that a process does not read have a row of the summary, in slabs too" {
	synthetic devices_7_3-queue memowner | grep -q -x '  held       48.0K  25.0%  hog (10): sockets 48.0K, and maybe more'
	has_no_line -q '^  held ' <(synthetic devices_7_3 memowner)
}

@test "holes: a buffer is missing, packets and users are unknown, what a driver has of an area is known" {
	diff - <(ask devices_7_3-torn) <<-'END'
		8388608|system|frame|2|2|gpu.0, isp|10(hog), others unknown|-
		false
		some buffers are missing: file at X is not in this dump
		users of buffers may be missing: files_struct at X is not in this dump
		TCP|established|10.0.0.1:5140|10.0.0.2:80|3584|3|2|4096|0|4096|1000|20|10(hog), others unknown
		TCP|fin_wait1|10.0.0.1:5141|10.0.0.2:80|2560|1|2|0|4096|0|0|2000|-
		UDP|close|0.0.0.0:514|0.0.0.0:0|-|-|-|4608|0|0|4000|0|10(hog), others unknown
		UNIX|established|/run/log.sock||-|-|-|0|0|0|-|-|10(hog), others unknown
		TCP|-|-|12288|8192|-
		false
		the packets of 2 sockets are unknown, and not in their order: udp_sock at X: packets between two queues
		sockets and their users may be missing: files_struct at X is not in this dump
		cma|media|8|12288|32776|0|5|-
		cma|spare|4|0|32772|1|-|-
		which pages of 1 area of CMA are free or lent is unknown: the bitmap, or struct pages, are not in this dump
	END
}
