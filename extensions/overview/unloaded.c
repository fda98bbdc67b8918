// SPDX-License-Identifier: GPL-2.0-or-later
/* An exception where a module was: which one that may have been, and what it left behind. */
#include "log/oops.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "symbols/symbolize.h"

/* Whether the address lies where modules are loaded to, and in none that is. */
static bool is_of_none(struct summary *s, uint64_t address)
{
	struct symbolizer symbols;

	symbolizer_open(s->dump, &symbols);
	s->dump->error[0] = '\0';
	return symbolize(&symbols, address)->label == LABEL_GONE;
}

const char *summary_unloaded(struct summary *s, const struct oops *o, const struct statement *row)
{
	const bool jumped = log_after(o->ip, "0x");
	const char *at = !jumped ? o->ip : o->nframes ? o->frames[0] : "", *left;

	if (!*o->unloaded || !(jumped || (o->kind == OOPS_PAGE_FAULT && row->address.known &&
					  !s->dump->log_file && is_of_none(s, row->address.n))))
		return NULL;
	left = summary_walked(s, at);
	return left ? dump_text(s->dump, "%s, which likely left %s behind", o->unloaded, left)
		    : o->unloaded;
}
