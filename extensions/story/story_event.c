// SPDX-License-Identifier: GPL-2.0-or-later
#include "story.h"

#include <ctype.h>

#include "memowner/case.h"
#include "log/log_file.h"

#define NS_PER_S 1000000000ULL

/* The time of day is known of the end, in seconds. */
static struct maybe_u64 utc_of(const struct summary *s, struct maybe_u64 ts)
{
	struct maybe_u64 utc = s->of_case ? s->of_case->machine.end_utc_s : (struct maybe_u64){ 0 };
	uint64_t age;

	if (!ts.known || !age_at_panic(&s->report->info, ts.n, &age))
		return (struct maybe_u64){ 0 };
	age /= NS_PER_S;
	return (struct maybe_u64){ utc.n - age, utc.known && utc.n >= age };
}

struct maybe_u64 story_end(const struct summary *s)
{
	struct maybe_u64 end = { 0 };

	end.known = time_of_panic(&s->report->info, &end.n);
	return end;
}

struct maybe_u64 story_before_end(const struct summary *s, struct maybe_u64 age)
{
	struct maybe_u64 end = story_end(s);

	return (struct maybe_u64){ end.n - age.n, end.known && age.known && age.n <= end.n };
}

struct story_event *story_add(struct story *st, const struct story_event *event)
{
	struct story_event *e = dump_alloc(st->s->dump, sizeof(*e));
	char utc[UTC_TEXT];

	*e = *event;
	e->what = event->what ? dump_strdup(st->s->dump, event->what) : NULL;
	e->text = dump_strdup(st->s->dump, event->text);
	if (!e->utc_s.known)
		e->utc_s = utc_of(st->s, e->ts);
	if (!e->log_date && e->ts.known)
		e->log_date = log_file_date(st->s->dump, e->ts.n);
	if (e->log_date)
		e->day = e->log_date + (st->s->dump->log_file->has_years ? strlen("2026-") : 0);
	else if (e->utc_s.known)
		e->day = dump_text(st->s->dump, "%.14s",
				   utc_text(e->utc_s.n, utc) + strlen("2026-"));
	if (!e->basis)
		e->basis = "derived";
	e->seq = (unsigned int)st->n++;
	e->next = NULL;
	*st->last = e;
	st->last = &e->next;
	return e;
}

const char *story_command(const struct story *st, const char *command)
{
	bool is_of_log = !strncmp(command, "memowner log", strlen("memowner log"));

	return st->s->dump->log_file && !is_of_log ? "memowner" : command;
}

const char *story_typed(const struct summary *s, const char *command)
{
	return s->dump->log_file ? dump_text(s->dump, "%s -L %s", command, s->in->opts.log)
				 : command;
}

const char *story_filtered(const struct summary *s, const char *command, const char *filter,
			   const char *name)
{
	size_t n = 0;

	while (name && (isalnum((unsigned char)name[n]) || (name[n] && strchr("/._-:+@", name[n]))))
		n++;
	if (!name || !n || name[n] || !strncmp(name, "0x", 2))
		return dump_text(s->dump, "%s -n 0", command);
	return dump_text(s->dump, "%s -f %s=%s", command, filter, name);
}
