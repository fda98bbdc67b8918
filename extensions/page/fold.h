/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A section to which the first screen does not lead: its title is open, with a line that tells what is in it; what it
 * has stands behind that, in <details>, which needs no script.
 */
#pragma once

#include "dump/dump.h"
#include "util/sink.h"
#include "util/strbuf.h"

#define FOLD_BYTES 512 /* of the names of the first rows */

struct fold {
	struct strbuf names; /* of a table: its first rows; it is put in sink_page.names */
	char room[FOLD_BYTES];
};

void fold_begin(struct fold *f);

/* What is between both is behind the title. rows: of the table. */
void fold_put_line(const struct fold *f, struct sink *page, uint64_t rows);

/* Sections whose answers have no table stand behind all others, with what they say of it. */
struct quiet {
	struct quiet *next;
	size_t section;
	const char *html;
	size_t n;
	bool is_told, is_absent; /* is_absent: this kernel has none */
};

struct quiets {
	struct quiet *first, *last;
};

void quiets_add(struct dump *d, struct quiets *q, size_t section, const char *html, size_t n);

typedef void (*quiet_put)(void *arg, struct sink *page, size_t section);

/* Whether there are any of what this kernel has not, or of what it has. */
bool quiets_have(const struct quiets *q, bool is_absent);

/* title: without markup of its own; head: above what a section says. */
void quiets_put(const struct quiets *q, struct sink *page, quiet_put title, quiet_put head,
		void *arg);
