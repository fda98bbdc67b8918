# SPDX-License-Identifier: GPL-2.0-or-later
# Rows of $buffer of $instance as tests/truth/trace.awk prints the guest's file of it: time is
# rounded to microseconds, and the instruction is a function where it is the kernel's.
select(.record == "row" and .instance == $instance and .buffer == $buffer) |
	"\(.pid) \(.cpu) \((.ts_ns + 500) / 1000 | floor) \(.mode) \(.address) \(if .ip_symbol then .ip_symbol | sub("\\+0x.*"; "") else .ip end) \(.error_code)"
