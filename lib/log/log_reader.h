/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What log_file.c keeps while it reads a text. */
#pragma once

#include "log/log_boot.h"
#include "log/log_entry.h"
#include "log/log_marks.h"
#include "log/log_parts.h"
#include "log/log_pieces.h"
#include "log/log_prefix.h"
#include "log/log_repeats.h"

struct log_reader {
	struct dump *dump;
	struct log_boot *now,
		*kept; /* kept: an earlier one that tells of memory or of a panic; NULL */
	unsigned int boots, kept_boot;
	bool is_by_ram; /* that kernel is known by its RAM alone, likely */
	bool is_by_swap; /* kept is of one boot with what is behind it in the file, and the newer part, likely */
	unsigned int crashed_boot; /* the last whose crash kernel is the next one; 0: none */
	unsigned int part;	   /* that is asked for; 0: none is */
	unsigned int begun, panics, lockups; /* of the boots before this one, kept ones too */
	bool has_stamps, has_zeros, wants_more, has_indent;
	bool has_members;     /* of objects of JSON, which are no words of a log */
	bool has_fields;      /* of journalctl -o verbose or export, which is not read */
	unsigned int columns; /* of the table of processes; 0: no header was there */
	size_t indent;	      /* blanks before the words of a report that was quoted */
	bool takes_bare;      /* words without a stamp are the kernel's, though others have one */
	unsigned int changes; /* of the release and the taint */
	bool left_out; /* of a text without stamps somebody left out lines, since the last report began */
	bool left_bare; /* a report is among the words that were left out for want of a stamp */
	unsigned int bare_reports; /* first lines of reports before the first stamp */
	unsigned int left_reports; /* that were left out so */
	bool has_clock_boots, clock_goes_back, is_quoted; /* see struct log_file */
	unsigned int quotes,
		text_quotes; /* times that a mail quotes this line; the last of the kernel */
	size_t width; /* bytes of the words behind which a terminal broke that header; 0: it did not */
	char host[LOG_HOST], other_host[LOG_HOST]; /* of lines of the kernel; "": none */
	char monotonic[LOG_HOST];
	bool replays;	     /* the next line is the last one once more, which was cut */
	uint32_t line_bytes; /* of the newest line, as the file has it */
	uint64_t line_ns;    /* stamp of the line that the last record ends with */
	struct log_steps steps;
	struct log_stray stray;
	struct log_jump jump;
	bool is_behind_dashes; /* the line before is grep's between lines that it took, as of grep -A */
	char head
		[LOG_FILE_TEXT]; /* a first line of a report without a stamp, if the newest line is one; "": it is not */
	struct log_prefix prefix;
	struct log_twins twins;
	struct log_entry *entry;
	struct log_pieces *pieces;
	size_t lines, hex_lines;      /* hex_lines: of a hex dump */
	struct log_sequence sequence; /* of /dev/kmsg */
};
