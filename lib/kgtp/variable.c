// SPDX-License-Identifier: GPL-2.0-or-later
#include "kgtp/variable.h"

#include "dump/layout.h"
#include "kernel/list.h"

#define VAR_BYTES 256	  /* of struct gtp_var */
#define SOURCE_BYTES 4096 /* of one line */

enum { VAR_NODE, VAR_NUM, VAR_INITIAL, VAR_SRC, VAR_FIELDS };

static const struct layout_row rows[VAR_FIELDS] = {
	[VAR_NODE] = { "struct gtp_var", { "node" }, REQUIRED, "KGTP gtp.c" },
	[VAR_NUM] = { "struct gtp_var", { "num" }, REQUIRED, "KGTP gtp.c" },
	[VAR_INITIAL] = { "struct gtp_var", { "initial_val" }, REQUIRED, "KGTP gtp.c" },
	[VAR_SRC] = { "struct gtp_var", { "src" }, REQUIRED, "KGTP gtp.c" },
};

/* Where 64-bit kernels have them; a name and links that agree verify each record. */
static const struct field fixed[VAR_FIELDS] = {
	[VAR_NODE] = { .present = true, .kind = KIND_STRUCT, .offset = 0, .size = 16 },
	[VAR_NUM] = { .present = true, .kind = KIND_INT, .offset = 20, .size = 4 },
	[VAR_INITIAL] = { .present = true, .kind = KIND_INT, .offset = 24, .size = 8 },
	[VAR_SRC] = { .present = true, .kind = KIND_POINTER, .offset = 32, .size = 8 },
};

/* The numbers that every release has given its own variables (gtp.c, enum of GTP_VAR_*). */
static const char *const builtin_names[] = {
	[1] = "gtp_version",
	[2] = "cpu_id",
	[3] = "current_task",
	[4] = "current_thread_info",
	[5] = "clock",
	[6] = "cooked_clock",
	[7] = "rdtsc",
	[8] = "cooked_rdtsc",
	[9] = "gtp_rb_discard_page_number",
	[13] = "dump_stack",
	[14] = "self_trace",
	[15] = "cpu_number",
	[17] = "kret",
	[18] = "xtime_sec",
	[19] = "xtime_nsec",
	[20] = "ignore_error",
	[21] = "last_errno",
	[22] = "hardirq_count",
	[23] = "softirq_count",
	[24] = "irq_count",
	[25] = "pipe_trace",
	[26] = "current_task_pid",
	[27] = "current_task_user",
	[28] = "current",
	[29] = "bt",
	[30] = "enable",
	[31] = "disable",
	[44] = "step_count",
	[45] = "step_id",
	[47] = "inferior_pid",
	[48] = "task_pt_regs",
};

static const char *const known_names[KGTP_KNOWN_VARIABLES] = {
	[KGTP_VAR_CPU] = "cpu_id",
	[KGTP_VAR_CLOCK] = "clock",
	[KGTP_VAR_COOKED_CLOCK] = "cooked_clock",
	[KGTP_VAR_XTIME_SEC] = "xtime_sec",
	[KGTP_VAR_XTIME_NSEC] = "xtime_nsec",
	[KGTP_VAR_PID] = "current_task_pid",
	[KGTP_VAR_STEP_ID] = "step_id",
};

struct reader {
	struct dump *dump;
	struct field f[VAR_FIELDS];
	struct kgtp_variables *all;
};

/* "1:636c6f636b" is $clock, defined by KGTP itself. */
static enum status read_source(struct reader *r, uint64_t addr, struct kgtp_variable *v)
{
	struct dump *d = r->dump;
	char text[SOURCE_BYTES];
	char *name;
	enum status st;

	if (!addr)
		return ST_OK;
	st = dump_string(d, addr, text, sizeof(text), "src of struct gtp_var");
	if (st != ST_OK)
		return st;
	if ((text[0] != '0' && text[0] != '1') || text[1] != ':')
		return dump_corrupt(d, "src of struct gtp_var is no definition");
	v->source = dump_strdup(d, text);
	name = dump_alloc(d, strlen(text));
	if (!hex_text_decode(text + 2, name))
		return dump_corrupt(d, "src of struct gtp_var is no name");
	v->builtin = text[0] == '1';
	v->name = *name ? name : NULL;
	return ST_OK;
}

static enum status add(struct reader *r, const uint8_t *buf)
{
	struct kgtp_variables *all = r->all;
	struct kgtp_variable v = { .number = field_get(&r->f[VAR_NUM], buf),
				   .initial = field_get_signed(&r->f[VAR_INITIAL], buf) };
	enum status st = read_source(r, field_get(&r->f[VAR_SRC], buf), &v);

	if (st != ST_OK)
		return st;
	all->v = arena_more(r->dump->arena, all->v, all->n, sizeof(*all->v));
	all->v[all->n++] = v;
	return ST_OK;
}

static enum status walk(struct reader *r, uint64_t head)
{
	struct dump *d = r->dump;
	const struct field *node = &r->f[VAR_NODE];
	size_t span = layout_span(r->f, VAR_FIELDS);
	uint8_t buf[VAR_BYTES];
	struct list_nodes l = list_of(d, head, "gtp_var_list");
	uint64_t at;
	enum status st = ST_OK;

	if (span > sizeof(buf) || node->size < 16)
		return dump_unknown(d, "struct gtp_var spans %zu bytes", span);
	while (st == ST_OK && list_next(&l, &at))
		st = dump_read(d, at - node->offset, buf, span, "struct gtp_var") ?: add(r, buf);
	return st ?: list_end(&l);
}

static const char *listed_name(const struct kgtp_variables *v, uint32_t number)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->v[i].number == number)
			return v->v[i].name;
	return NULL;
}

static void find_known(struct kgtp_variables *v)
{
	for (size_t k = 0; k < KGTP_KNOWN_VARIABLES; k++) {
		for (size_t i = 0; i < ARRAY_SIZE(builtin_names); i++)
			if (builtin_names[i] && !strcmp(builtin_names[i], known_names[k]))
				v->known[k] = i;
		/* A variable of the user's may have such a name, but is not KGTP's. */
		for (size_t i = 0; i < v->n; i++)
			if (v->v[i].builtin && v->v[i].name &&
			    !strcmp(v->v[i].name, known_names[k]))
				v->known[k] = v->v[i].number;
	}
}

enum status kgtp_variables_read(struct dump *d, const struct kgtp_symbols *s,
				struct kgtp_variables *ret)
{
	struct kgtp_variables all = { .layout = "debug information of KGTP" };
	struct reader r = { .dump = d, .all = &all };
	uint64_t size;
	enum status st = ST_OK;

	if (dump_ask(d, type_size, "struct gtp_var", &size) != ST_OK ||
	    layout_resolve(d, rows, VAR_FIELDS, r.f) != ST_OK) {
		memcpy(r.f, fixed, sizeof(fixed));
		all.layout = "the fixed order of struct gtp_var, checked by links and names";
	}
	decoder_trace(d, "decide layout of struct gtp_var from %s", all.layout);
	if (s->address[KGTP_VAR_LIST])
		st = walk(&r, s->address[KGTP_VAR_LIST]);
	else
		st = dump_absent(d, "the module has no symbol gtp_var_list");
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK) {
		all.problem = dump_why(d);
		decoder_trace(d, "decide trace state variables end early: %s", d->error);
	}
	find_known(&all);
	decoder_trace(d, "decide %zu trace state variables, $clock is %u", all.n,
		      all.known[KGTP_VAR_CLOCK]);
	*ret = all;
	return ST_OK;
}

const char *kgtp_variable_name(const struct kgtp_variables *v, uint32_t number)
{
	const char *name = listed_name(v, number);

	if (!name && number < ARRAY_SIZE(builtin_names))
		name = builtin_names[number];
	return name;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

bool hex_text_decode(const char *hex, char *ret)
{
	for (; *hex; hex += 2) {
		int high = digit(hex[0]), low = high < 0 ? -1 : digit(hex[1]);

		if (low < 0 || !(high | low))
			return false;
		*ret++ = high << 4 | low;
	}
	*ret = '\0';
	return true;
}
