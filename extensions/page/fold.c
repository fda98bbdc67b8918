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
	static const char absent[] = "no data: this kernel was built without ";
	struct quiet *own = dump_alloc(d, sizeof(*own) + n);

	memcpy(own + 1, html, n);
	*own = (struct quiet){ .section = section,
			       .html = (const char *)(own + 1),
			       .n = n,
			       .is_absent = memmem(html, n, absent, strlen(absent)) != NULL };
	if (q->last)
		q->last->next = own;
	else
		q->first = own;
	q->last = own;
}

static bool has_any(const struct quiets *q, bool is_absent)
{
	return ANY_NEXT(own, q->first, own->is_absent == is_absent);
}

static void put_fold(const struct quiets *q, struct sink *page, bool is_absent, quiet_put title,
		     quiet_put head, void *arg)
{
	const char *between = "";

	if (!has_any(q, is_absent))
		return;
	sink_printf(page,
		    "<section class=fold><details><summary><h2 id=%s>%s</h2> "
		    "<span class=soft>%s",
		    is_absent ? "absent" : "none",
		    is_absent ? "Not there, in this kernel" : "Nothing to show",
		    is_absent ? "" : "of ");
	for (const struct quiet *own = q->first; own; own = own->next) {
		if (own->is_absent != is_absent)
			continue;
		sink_text(page, between);
		title(arg, page, own->section);
		between = ", ";
	}
	sink_text(page, "</span></summary>\n");
	for (const struct quiet *own = q->first; own; own = own->next) {
		if (own->is_told || own->is_absent != is_absent)
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

void quiets_put(const struct quiets *q, struct sink *page, quiet_put title, quiet_put head,
		void *arg)
{
	put_fold(q, page, true, title, head, arg);
	put_fold(q, page, false, title, head, arg);
}

bool quiets_have(const struct quiets *q, bool is_absent)
{
	return has_any(q, is_absent);
}
