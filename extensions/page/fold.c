// SPDX-License-Identifier: GPL-2.0-or-later
#include "fold.h"

#include <string.h>

#include "util/units.h"

void fold_begin(struct fold *f)
{
	f->names = STRBUF(f->room);
}

void fold_put_line(const struct fold *f, struct sink *page, uint64_t rows)
{
	if (!rows)
		return;
	sink_printf(page, " <span class=soft>%s: ", PLURAL_TEXT(rows, "row", "rows"));
	html_text(page, f->names.buf, f->names.len);
	sink_text(page, "</span>");
}

void quiets_add(struct dump *d, struct quiets *q, size_t section, const char *html, size_t n)
{
	struct quiet *own = dump_alloc(d, sizeof(*own) + n);

	memcpy(own + 1, html, n);
	*own = (struct quiet){ NULL, section, (const char *)(own + 1), n, false };
	if (q->last)
		q->last->next = own;
	else
		q->first = own;
	q->last = own;
}

void quiets_put(const struct quiets *q, struct sink *page, quiet_put title, quiet_put head,
		void *arg)
{
	if (!q->first)
		return;
	sink_text(page, "<section class=fold><details><summary><h2 id=none>Nothing to show</h2>"
			" <span class=soft>of ");
	for (const struct quiet *own = q->first; own; own = own->next) {
		sink_text(page, own == q->first ? "" : ", ");
		title(arg, page, own->section);
	}
	sink_text(page, "</span></summary>\n");
	for (const struct quiet *own = q->first; own; own = own->next) {
		if (own->is_told)
			continue;
		/* What several say stands once, below all of them. */
		for (struct quiet *same = q->first; same; same = same->next)
			if (same->n == own->n && !memcmp(same->html, own->html, own->n)) {
				head(arg, page, same->section);
				same->is_told = true;
			}
		if (own->n)
			sink_write(page, own->html, own->n);
		else
			sink_text(page, "<p>The answer has no row.</p>\n");
	}
	sink_text(page, "</details></section>\n");
}
