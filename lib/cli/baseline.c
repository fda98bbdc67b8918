// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/baseline.h"

#include "cli/baseline_doubts.h"
#include "cli/baseline_pairs.h"

#define PAIR struct baseline_pair
#define DIFF struct baseline_diff

static struct cell value_cell(const struct baseline_value *v)
{
	return cell_if(v->known, cell_int(v->n));
}

static const char *const changes[] = { "grown", "shrunk", "new", "gone", "same", NULL };

/* What is compared has the unit that its column has; beside bytes something may be counted. */
enum quantity { BYTES, NUMBER, SHARE, RATE, QUANTITIES };
enum { GROWTH, NOW, BEFORE, SIDES };

static const struct {
	const char *name;
	enum column_id columns[SIDES + 1];
	const char *unit; /* of text, where the figure does not tell it */
} quantities[QUANTITIES] = {
	[BYTES] = { "size", { COLUMN_diff_bytes, COLUMN_bytes, COLUMN_before_bytes }, "" },
	[NUMBER] = { "number", { COLUMN_diff_count, COLUMN_count, COLUMN_before_count }, "" },
	[SHARE] = { "share", { COLUMN_diff_percent, COLUMN_percent, COLUMN_before_percent }, "%" },
	[RATE] = { "rate",
		   { COLUMN_diff_rate_milli, COLUMN_rate_milli, COLUMN_before_rate_milli },
		   "/s" },
};

enum beside { USED, HELD, BESIDES };

/* What the amount does not have, by the columns of it. */
static const struct {
	enum column_id columns[SIDES + 1];
} besides[BESIDES] = {
	[USED] = { { COLUMN_diff_used_bytes, COLUMN_used_bytes, COLUMN_before_used_bytes } },
	[HELD] = { { COLUMN_diff_held_bytes, COLUMN_held_bytes, COLUMN_before_held_bytes } },
};

static enum quantity quantity_of(const struct baseline *b)
{
	const struct baseline_measure *m = &b->amounts[0];
	enum format format = column_catalogue[m->column].format;

	if (format == FORMAT_HUNDREDTHS)
		return SHARE;
	if (format == FORMAT_MILLI)
		return RATE;
	return m->unit == BASELINE_ROWS || (m->unit == BASELINE_PLAIN && format == FORMAT_PLAIN)
		       ? NUMBER
		       : BYTES;
}

static struct cell measure_cell(const void *record, void *view, unsigned int arg)
{
	const PAIR *p = record;
	const DIFF *d = view;
	enum quantity quantity = arg / SIDES;
	bool is_amount = quantity == quantity_of(d->baseline);
	const struct baseline_value *now = is_amount ? &p->now.amount : &p->now.count;
	const struct baseline_value *before = is_amount ? &p->before.amount : &p->before.count;

	if (!is_amount && (quantity != NUMBER || !d->baseline->many))
		return cell_none();
	if (arg % SIDES == GROWTH)
		return baseline_growth(now, before);
	return value_cell(arg % SIDES == NOW ? now : before);
}

/* What a view has beside the amount. */
static struct cell beside_cell(const void *record, void *view, unsigned int arg)
{
	const PAIR *p = record;
	const DIFF *d = view;

	if (besides[arg / SIDES].columns[NOW] != d->beside.column)
		return cell_none();
	if (arg % SIDES == GROWTH)
		return baseline_growth(&p->now.beside, &p->before.beside);
	return value_cell(arg % SIDES == NOW ? &p->now.beside : &p->before.beside);
}

CELL_WITH(most_cell, PAIR, DIFF, cell_or_none(v->baseline->beside.column, baseline_most_growth(r)))

#define BESIDE(WHAT, SIDE) CELL_OF(beside_cell, (WHAT)*SIDES + (SIDE))

#define MEASURE(QUANTITY, SIDE) CELL_OF(measure_cell, (QUANTITY)*SIDES + (SIDE))

CELL_FROM(change_cell, PAIR, cell_text(baseline_change(r)))
CELL_WITH(name_cell, PAIR, DIFF, cell_text(v->in->opts.json ? r->name : r->shown))
CELL_FROM(basis_cell, PAIR, cell_text(basis_words[r->basis]))
static const char *counted(const DIFF *d)
{
	return d->count.many ?: d->baseline->many;
}

CELL_WITH(counted_cell, PAIR, DIFF, cell_or_none(counted(v), cell_text(counted(v))))
CELL_WITH(key_cell, PAIR, DIFF, cell_text(v->key))
CELL_WITH(compared_cell, PAIR, DIFF, cell_text(v->view))

#define MEASURES                                                                    \
	{ COLUMN_diff_bytes, IN_BOTH, MEASURE(BYTES, GROWTH) },                     \
		{ COLUMN_bytes, IN_BOTH | SIGNED, "now", MEASURE(BYTES, NOW) },     \
		{ COLUMN_before_bytes, IN_BOTH, MEASURE(BYTES, BEFORE) },           \
		{ COLUMN_diff_percent, IN_BOTH | SIGNED, MEASURE(SHARE, GROWTH) },  \
		{ COLUMN_percent, IN_BOTH, "now", MEASURE(SHARE, NOW) },            \
		{ COLUMN_before_percent, IN_BOTH, MEASURE(SHARE, BEFORE) },         \
		{ COLUMN_diff_rate_milli, IN_BOTH, MEASURE(RATE, GROWTH) },         \
		{ COLUMN_rate_milli, IN_BOTH | SIGNED, "now", MEASURE(RATE, NOW) }, \
		{ COLUMN_before_rate_milli, IN_BOTH, MEASURE(RATE, BEFORE) },       \
		{ COLUMN_diff_count, IN_BOTH, MEASURE(NUMBER, GROWTH) },            \
		{ COLUMN_count, IN_BOTH | SIGNED, "now, of what counted names",     \
		  MEASURE(NUMBER, NOW) },                                           \
	{                                                                           \
		COLUMN_before_count, IN_BOTH, MEASURE(NUMBER, BEFORE)               \
	}

#define BESIDES_OF(WHAT, NAME, NOTE)                                                   \
	{ COLUMN_diff_##NAME##_bytes, IN_BOTH, NOTE, BESIDE(WHAT, GROWTH) },           \
		{ COLUMN_##NAME##_bytes, IN_BOTH | SIGNED, "now", BESIDE(WHAT, NOW) }, \
	{                                                                              \
		COLUMN_before_##NAME##_bytes, IN_JSON, BESIDE(WHAT, BEFORE)            \
	}

#define BASIS_NOTE "the weaker one of the two rows, of a row of a text recorded"

const struct view_column baseline_columns[BASELINE_COLUMNS] = {
	{ COLUMN_rank, IN_JSON | KNOWN | NO_SORT_KEY },
	MEASURES,
	BESIDES_OF(USED, used, "of classes and pools"),
	BESIDES_OF(HELD, held, "of processes"),
	{ COLUMN_growth_bytes, 0, "what rows of classes, pools and processes are ranked by",
	  CELL_BY(most_cell) },
	{ COLUMN_change, IN_BOTH, .choices = changes, CELL_BY(change_cell) },
	{ COLUMN_name, IN_BOTH, "that rows are matched by: the values of key", CELL_BY(name_cell) },
	{ COLUMN_counted, IN_JSON, CELL_BY(counted_cell) },
	{ COLUMN_key, IN_JSON | KNOWN, CELL_BY(key_cell) },
	{ COLUMN_compared, IN_JSON | KNOWN, CELL_BY(compared_cell) },
	BASIS_BY(basis_cell, BASIS_NOTE),
	{ COLUMN_confidence, IN_JSON | OR_NONE, "the lowest of the rows",
	  UINT_MAYBE(PAIR, confidence) },
};

static const struct view_column totals[] = { MEASURES, BASIS_BY(basis_cell, BASIS_NOTE) };

const struct view baseline_total_view = { "diff-total", "", COLUMNS_OF(totals),
					  .command = "memowner" };
const struct view baseline_json_total_view = { "baseline-total", "", COLUMNS_OF(totals) };

/* Text has what is compared, and of what is counted beside it the growth. */
void baseline_prepare(struct cmdline *in)
{
	const struct baseline *b = in->opts.json ? NULL : in->shown->baseline;

	for (size_t i = 0; b && i < QUANTITIES; i++)
		if (i != quantity_of(b))
			rows_hide(in, quantities[i].columns + (i == NUMBER && b->many));
	/* Until both sides have it. */
	for (size_t i = 0; b && i < BESIDES; i++)
		rows_hide(in, besides[i].columns);
}

/* "12.0M", "345", "1.25%", "14.5/s" */
static const char *amount_text(const DIFF *d, int64_t n, char buf[CELL_TEXT_BYTES])
{
	enum quantity quantity = quantity_of(d->baseline);
	const struct cell cell = cell_int(n);

	table_cell_text(&column_catalogue[quantities[quantity].columns[GROWTH]], &cell, buf);
	return strcat(buf, quantities[quantity].unit);
}
#define AMOUNT(d, n) amount_text(d, n, (char[CELL_TEXT_BYTES]){ "" })
#define AMOUNT_OF(d, growth) AMOUNT(d, (growth) < 0 ? (int64_t)(-(uint64_t)(growth)) : (growth))

/* What the view prints, which is read line by line: no more than one is kept. */
struct capture {
	struct baseline_side *side;
	enum status status;
	char *line;
	size_t len, room;
};

static void add_piece(struct capture *c, const char *s, size_t n)
{
	if (c->len + n + 1 > c->room) {
		size_t room = 2 * (c->len + n + 1);
		char *line = dump_alloc(c->side->dump, room);

		memcpy(line, c->line, c->len);
		c->line = line;
		c->room = room;
	}
	memcpy(c->line + c->len, s, n);
	c->len += n;
	c->line[c->len] = '\0';
}

static bool keep(void *priv, const char *s, size_t n)
{
	struct capture *c = priv;
	const char *end;

	for (; (end = memchr(s, '\n', n)); s = end + 1) {
		add_piece(c, s, (size_t)(end - s));
		n -= (size_t)(end + 1 - s);
		if (c->status == ST_OK)
			c->status = baseline_json_line(c->side, c->line);
		c->len = 0;
	}
	add_piece(c, s, n);
	return true;
}

/* The command line of the view that is compared: what chooses what it looks at stays; what the file has is asked for. */
static int inner_line(const struct cmdline *in, const struct baseline_diff *d, char *name,
		      char **argv)
{
	const struct baseline *b = d->baseline;
	static char json[] = "-j", all[] = "-a", group[] = "-g", notes[] = "-D", saved[] = "-R",
		    columns[] = "-o", log[] = "-L";
	int argc = 0;

	argv[argc++] = name;
	argv[argc++] = in->opts.notes ? notes : json;
	if (in->opts.all || b->asks_all)
		argv[argc++] = all;
	if (b->passes_groups && in->opts.group) {
		argv[argc++] = group;
		argv[argc++] = (char *)in->opts.group;
	}
	if (in->opts.log) {
		argv[argc++] = log;
		argv[argc++] = (char *)in->opts.log;
	}
	if (in->opts.saved) {
		argv[argc++] = saved;
		argv[argc++] = (char *)in->opts.saved;
	}
	if (b->asks_beside && baseline_has(&d->before, b->beside.column)) {
		argv[argc++] = columns;
		argv[argc++] = (char *)dump_text(d->now.dump, "+%s",
						 column_catalogue[b->beside.column].name);
	}
	for (unsigned int i = 0; i < in->opts.nargs; i++)
		argv[argc++] = (char *)in->opts.args[i];
	argv[argc] = NULL;
	return argc;
}

/* Asks the view; its output becomes rows, unless -D asked for what it decides. */
static enum status ask_view(const struct command_spec *spec, const struct command_run *run,
			    struct baseline_diff *d, char *name)
{
	char *argv[OPTS_ARGS + 12], empty[1] = "";
	const struct cmdline outer = *run->in;
	struct sink *kept = dump_alloc(run->dump, sizeof(*kept));
	struct capture captured = { .side = &d->now, .line = empty };
	int argc = inner_line(&outer, d, name, argv);
	enum status st;

	if (outer.opts.notes)
		return command_run(spec, run, argc, argv);
	*kept = *run->out;
	sink_init(run->out, keep, &captured);
	st = command_run(spec, run, argc, argv);
	sink_flush(run->out);
	*run->out = *kept;
	*run->in = outer;
	return st ?: captured.status;
}

/* A leak among them would not be seen: they have no growth, and come last. */
static void tell_unpaired(struct report *r, struct baseline_diff *d)
{
	const PAIR *largest = NULL, *unsized = NULL;
	uint64_t n = 0, unsizeds = 0;

	for (size_t i = 0; i < d->in->table.n; i++) {
		const PAIR *p = d->in->table.rows[i][BASELINE_COLUMNS].record;

		if (p->now.rows && !p->now.amount.known && !unsizeds++)
			unsized = p;
		if (p->is_lacking)
			report_warn(r,
				    "%s has no row of %s, whatever there was: its growth is "
				    "unknown, and it is in no total",
				    p->now.rows ? d->before.path : "this view", p->shown);
		if (p->before.rows || p->before.is_none || !p->now.amount.known || p->is_lacking)
			continue;
		n++;
		if (!largest || p->now.amount.n > largest->now.amount.n)
			largest = p;
	}
	if (n)
		report_warn(r, "%s not in %s, and it is unknown whether new: the largest is %s, %s",
			    PLURAL_TEXT(n, "row is", "rows are"), d->before.path,
			    largest->shown ?: "without a name", AMOUNT(d, largest->now.amount.n));
	if (unsized)
		report_warn(r, "the size that is compared is unknown of %s%s, and so is the growth",
			    unsized->shown ?: "what has no name",
			    unsizeds > 1 ? dump_text(r->dump, " and %s",
						     COUNT_OF(unsizeds - 1, "more row"))
					 : "");
}

/* Of what there may be more: by what was read the largest growth is not overlooked. */
static void tell_bounds(struct report *r, struct baseline_diff *d)
{
	const PAIR *most = NULL;
	int64_t growth = 0;
	uint64_t n = 0;

	for (size_t i = 0; i < d->in->table.n; i++) {
		const PAIR *p = d->in->table.rows[i][BASELINE_COLUMNS].record;
		const struct baseline_value *now = &p->now.amount, *before = &p->before.amount;
		int64_t more;

		if (!now->known || !before->known || (!now->is_bound && !before->is_bound))
			continue;
		n++;
		if (!p->is_rest && !__builtin_sub_overflow(now->n, before->n, &more) &&
		    more > growth) {
			growth = more;
			most = p;
		}
	}
	if (most)
		report_warn(r,
			    "the growth of %s is unknown; by what was read it is largest of %s, "
			    "from %s to %s",
			    COUNT_OF(n, "row"), most->shown, AMOUNT(d, most->before.amount.n),
			    AMOUNT(d, most->now.amount.n));
	else if (n)
		report_warn(r, "the growth of %s is unknown", COUNT_OF(n, "row"));
}

/* The sum of the rows that filters keep, of all without one. */
static void sum_up(struct baseline_diff *d)
{
	const struct table *t = &d->in->table;

	for (size_t i = 0; d->in->filters.nrows && i < t->n; i++)
		baseline_add_total(d, t->rows[i][BASELINE_COLUMNS].record);
	for (struct hash_bytes_entry *e = d->pairs.first; !d->in->filters.nrows && e; e = e->next) {
		const PAIR *p = e->value;

		if (!p->merged)
			baseline_add_total(d, p);
	}
	baseline_end_total(d);
}

/* Growth is first, of free memory what shrank: the others are not to be overlooked. */
static void put_others(struct report *r, const struct baseline_diff *d, size_t shown)
{
	const struct table *t = &d->in->table;
	const PAIR *most = NULL;
	/* Neither shares nor rows that hold others have a sum. */
	bool has_sum = quantity_of(d->baseline) != SHARE && !d->baseline->overlap;
	bool are_grown = d->in->shown->sorted_up;
	struct cell end = cell_int(0);
	int64_t sum = 0;
	uint64_t n = 0;

	for (size_t i = shown; i < t->n; i++) {
		const PAIR *p = t->rows[i][BASELINE_COLUMNS].record;
		const struct cell diff = baseline_growth(&p->now.amount, &p->before.amount);

		if (diff.kind != CELL_INT || (are_grown ? diff.i <= 0 : diff.i >= 0))
			continue;
		n++;
		sum = (int64_t)((uint64_t)sum + (uint64_t)diff.i);
		if (are_grown ? diff.i > end.i : diff.i < end.i) {
			end = diff;
			most = p;
		}
	}
	if (most)
		sink_printf(r->sink, "%s of these %s%s%s, most of all %s, by %s (-r)\n",
			    COUNT_TEXT(n), are_grown ? "grew" : "shrank", has_sum ? " by " : "",
			    has_sum ? dump_text(r->dump, "%s in all", AMOUNT_OF(d, sum)) : "",
			    most->shown ?: "what has no name", AMOUNT_OF(d, end.i));
}

/* What the columns are, where their headers do not say it. */
static void put_words(struct report *r, const struct baseline_diff *d, size_t shown)
{
	const struct column *amount = &column_catalogue[d->amount.column],
			    *plus = &column_catalogue[d->amount.plus];
	enum quantity quantity = quantity_of(d->baseline);
	const struct table *t = &d->in->table;
	bool unnamed = false;

	if (quantity != NUMBER && !d->amount.plus &&
	    d->amount.column != quantities[quantity].columns[NOW])
		sink_printf(r->sink, "%s is %s%s: %s\n",
			    column_catalogue[quantities[quantity].columns[NOW]].title, amount->name,
			    d->amount.unit == BASELINE_PLAIN ? "" : ", in bytes", amount->help);
	if (d->amount.plus)
		sink_printf(r->sink, "%s is %s and %s: %s\n",
			    column_catalogue[quantities[quantity].columns[NOW]].title, amount->name,
			    plus->name, plus->help);
	if (d->beside.column)
		sink_printf(r->sink, "%s is %s: %s\n", column_catalogue[d->beside.column].title,
			    column_catalogue[d->beside.column].name,
			    column_catalogue[d->beside.column].help);
	if (d->baseline->many)
		sink_printf(r->sink, "%s counts %s; rows are matched by %s\n",
			    column_catalogue[COLUMN_diff_count].title, counted(d), d->key);
	for (size_t i = 0; i < shown; i++)
		unnamed |= !((const PAIR *)t->rows[i][BASELINE_COLUMNS].record)->name;
	if (unnamed)
		sink_printf(r->sink, "NAME - has all rows that have no %s\n", d->key);
}

/* Which rows leave the total open: the largest that is known, by its name. */
static void put_no_total(struct report *r, const struct baseline_diff *d, const char *of)
{
	const struct table *t = &d->in->table;
	const PAIR *most = NULL;
	uint64_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		const PAIR *p = t->rows[i][BASELINE_COLUMNS].record;

		if (baseline_growth(&p->now.amount, &p->before.amount).kind == CELL_INT)
			continue;
		n++;
		most = !most || p->now.amount.n > most->now.amount.n ? p : most;
	}
	sink_printf(r->sink, "%sthe total is unknown: of %s%s its %s is, now or before\n", of,
		    most && most->shown ? most->shown : "a row",
		    n > 1 ? dump_text(r->dump, " and %s more", COUNT_TEXT(n - 1)) : "",
		    quantities[quantity_of(d->baseline)].name);
}

static void put_total(struct report *r, const struct baseline_diff *d)
{
	const PAIR *t = &d->total;
	const struct cell diff = baseline_growth(&t->now.amount, &t->before.amount);
	const char *of = d->in->filters.nrows ? "of what filters kept: " : "";
	const char *mark = t->basis == BASIS_INFERRED ? "~" : "";

	if (d->unchanged)
		sink_printf(r->sink, "%s as large as before%s\n",
			    PLURAL_TEXT(d->unchanged, "row is", "rows are"),
			    d->shows_all ? "" : " and not shown (-n 0 shows all)");
	if (d->baseline->overlap)
		sink_printf(r->sink, "no total: %s\n", d->baseline->overlap);
	else if (diff.kind == CELL_INT)
		sink_printf(r->sink, "%s%stotal %s now, %s before: %s %s\n", of, mark,
			    AMOUNT(d, t->now.amount.n), AMOUNT(d, t->before.amount.n),
			    AMOUNT_OF(d, diff.i), diff.i < 0 ? "less" : "more");
	else
		put_no_total(r, d, of);
}

static void put_end(struct report *r, struct baseline_diff *d, size_t shown)
{
	struct cmdline *in = d->in;

	sum_up(d);
	if (r->json) {
		rows_put_record(r, in->shown->below, &d->total, d);
		return;
	}
	report_rest(r, in->table.n - shown, in->shown->row, in->shown->many, NULL);
	if (!in->opts.sort && !in->opts.reverse)
		put_others(r, d, shown);
	put_total(r, d);
	put_words(r, d, shown);
}

/* Before the text of the row. */
static void show_beside(struct baseline_diff *d)
{
	struct table *t = &d->in->table;

	for (size_t i = 0; i < BESIDES; i++) {
		if (besides[i].columns[NOW] != d->beside.column)
			continue;
		table_show(t, besides[i].columns[GROWTH]);
		table_show(t, besides[i].columns[NOW]);
		if (d->baseline->many)
			table_show(t, COLUMN_diff_count);
		table_show(t, COLUMN_change);
		table_show(t, COLUMN_name);
	}
}

static void show(struct baseline_diff *d, struct report *r)
{
	struct cmdline *in = d->in;
	size_t shown;

	/* What is asked for is shown, though it be the same. */
	d->shows_all = in->opts.json || in->filters.nrows || (in->opts.has_rows && !in->opts.rows);
	hash_bytes_for_each(const PAIR, p, &d->pairs) {
		const char *change = p->merged ? NULL : baseline_change(p);

		if (p->merged || (!p->now.rows && d->before.text && d->before.text->is_part &&
				  !p->before.amount.n))
			continue;
		d->unchanged += change && !in->filters.nrows && !strcmp(change, "same");
		if (d->shows_all || !change || strcmp(change, "same"))
			rows_add(in, p, d);
	}
	if (!in->opts.json && !in->opts.columns)
		show_beside(d);
	if (d->has_confidence && !in->opts.json && !in->opts.columns)
		table_show(&in->table, COLUMN_confidence);
	rows_sort(in);
	baseline_tell_doubts(r, d);
	tell_unpaired(r, d);
	tell_bounds(r, d);
	baseline_tell_side(r, &d->before);
	baseline_tell_side(r, &d->now);
	report_meta(r);
	shown = report_rows(r, &in->table, &in->opts, in->shown->rows);
	put_end(r, d, shown);
	report_end(r, NULL,
		   d->now.complete && d->before_whole && (d->before.text || d->before.complete));
}

static bool has_no_data(const struct baseline_side *s)
{
	return s->status && strcmp(s->status, "ok") && strcmp(s->status, "off_later");
}

/* In its own words; NULL: it has none. */
static const char *why_no_data(const struct baseline_side *s)
{
	for (const struct baseline_word *w = s->words; w; w = w->next)
		if (!w->part)
			return w->text;
	return NULL;
}

/* What the view has no data of has no difference. */
static enum status no_data(struct baseline_diff *d, struct report *r)
{
	enum availability why = AVAILABLE;

	while (why < CORRUPT && strcmp(availability_name(why), d->now.status))
		why++;
	if (why_no_data(&d->now))
		dump_absent(r->dump, "%s", why_no_data(&d->now));
	report_meta(r);
	report_no_data(r, why);
	return ST_OK;
}

enum status baseline_run(const struct command_spec *spec, const struct command_run *run, char *name)
{
	struct baseline_diff *d = dump_alloc(run->dump, sizeof(*d));
	struct report *r = run->report;
	enum status st;

	d->baseline = run->in->shown->baseline;
	d->in = run->in;
	baseline_open(d, run->dump, run->in->opts.diff);
	/* The file first: it is quick, and may be none. */
	st = baseline_file_read(&d->before) ?: ask_view(spec, run, d, name);
	if (st != ST_OK || d->in->opts.notes)
		return st;
	d->view = d->now.view;
	report_init(r, run->dump, run->out, spec->command ?: spec->help[0], run->in->shown->name,
		    run->in->opts.json);
	r->filters = &run->in->filters;
	r->opts = &run->in->opts;
	run->out->unwrapped = run->in->opts.json;
	if (has_no_data(&d->now))
		return no_data(d, r);
	if (d->before.command &&
	    (strcmp(d->before.command, d->now.command) || !baseline_same_view(&d->before, &d->now)))
		return dump_usage(run->dump, "the file '%s' has another view: %s %s, not %s %s%s",
				  d->before.path, d->before.command, d->before.view, d->now.command,
				  d->now.view,
				  spec->command || strcmp(d->before.command, d->now.command)
					  ? ""
					  : baseline_make_it(d));
	if (has_no_data(&d->before))
		return dump_usage(run->dump, "the file '%s' has no data to compare with: %s",
				  d->before.path, why_no_data(&d->before) ?: d->before.status);
	if (d->before.text && d->before.text->end)
		d->before.text->end(&d->before, &d->now);
	st = baseline_pair_up(d);
	if (st == ST_OK)
		show(d, r);
	return st;
}
