// SPDX-License-Identifier: GPL-2.0-or-later
#include "kgtp/trace_file.h"

#include "util/hash_bytes.h"

#define MAX_NUMBER 32767      /* of a tracepoint: 16 bits with a sign, 0 is the end */
#define CPU_ID "6370755f6964" /* "cpu_id" */
#define MAX_BLOCK 65535	      /* bytes of memory: 16 bits */
#define MEMORY_HEAD 11	      /* "M", address, length */
#define VARIABLE_BYTES 13     /* "V", number, value */

static bool fits(const struct kgtp_frame *f)
{
	return f->id && !(f->defects & KGTP_HEAD_LOST) && f->number && f->number <= MAX_NUMBER;
}

/*
 * Why tracing stopped, in words of the format. Only where the whole list tells that nothing but
 * a user stopped it: tstop. Nothing stopped tracing that was on.
 */
static const char *stop_reason(const struct kgtp *k)
{
	bool off = k->known[KGTP_SET_START] && !k->settings[KGTP_SET_START];

	for (size_t i = 0; i < k->tracepoints.n; i++) {
		const char *stopped = k->tracepoints.t[i].stopped;

		if (stopped && !strcmp(stopped, "frame_full"))
			return "tfull:0";
		if (!stopped || strcmp(stopped, "normal") != 0)
			off = false;
	}
	return off && k->tracepoints.known && !k->tracepoints.problem ? "tstop:0" : "tunknown:0";
}

static void put_status(const struct kgtp *k, size_t frames, struct sink *out)
{
	bool circular = k->known[KGTP_SET_CIRCULAR] && k->settings[KGTP_SET_CIRCULAR];
	bool disconnected = k->known[KGTP_SET_DISCONNECTED] && k->settings[KGTP_SET_DISCONNECTED];
	int64_t created = k->known[KGTP_SET_CREATED] ? k->settings[KGTP_SET_CREATED]
						     : (int64_t)frames;

	sink_printf(out, "R %x\n", k->regs.trace_size);
	sink_printf(out,
		    "status 0;%s;tframes:%zx;tcreated:%lx;tfree:0;tsize:0;circular:%d;"
		    "disconn:%d\n",
		    stop_reason(k), frames, created, circular, disconnected);
}

static void put_variables(const struct kgtp *k, struct sink *out)
{
	bool has_cpu = false;

	for (size_t i = 0; i < k->variables.n; i++) {
		const struct kgtp_variable *v = &k->variables.v[i];

		has_cpu |= v->number == k->variables.known[KGTP_VAR_CPU];
		if (v->source)
			sink_printf(out, "tsv %x:%lx:%s\n", v->number, v->initial, v->source);
	}
	/* The CPU of every frame is a variable here, defined in the dump or not. */
	if (!has_cpu)
		sink_printf(out, "tsv %x:0:1:%s\n", k->variables.known[KGTP_VAR_CPU], CPU_ID);
}

static void put_hex(struct sink *out, const char *text)
{
	for (; *text; text++)
		sink_printf(out, "%02x", (unsigned char)*text);
}

/* Without a definition in the dump: what its frames have, so that tdump shows it. */
static void put_plain(struct sink *out, uint64_t number, uint64_t address)
{
	static const char collect[] = "collect $regs";

	sink_printf(out, "tp T%lx:%lx:E:0:0\n", number, address);
	sink_printf(out, "tp Z%lx:%lx:cmd:0:%zx:", number, address, sizeof(collect) - 1);
	put_hex(out, collect);
	sink_text(out, "\n");
}

/* Text of the dump goes into a line only if it cannot end the line. */
static bool is_line(const char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			return false;
	return true;
}

static void put_defined(struct sink *out, const struct kgtp_tracepoint *t)
{
	sink_printf(out, "tp T%lx:%lx:%c:0:%lx\n", t->number, t->address, t->disabled ? 'D' : 'E',
		    t->pass);
	for (const struct kgtp_source *s = t->actions; s; s = s->next)
		if (is_line(s->text))
			sink_printf(out, "tp A%lx:%lx:%s\n", t->number, t->address, s->text);
	for (const struct kgtp_source *s = t->source; s; s = s->next)
		if (is_line(s->text))
			sink_printf(out, "tp Z%lx:%lx:%s\n", t->number, t->address, s->text);
}

/* Definitions that were written already. */
struct defined {
	struct hash_bytes places; /* number and address */
	struct hash_u64 numbers;
};

static void put_other(struct defined *defined, const struct kgtp_frame *f, struct sink *out)
{
	uint64_t key[2] = { f->number, f->pc };
	bool new_place, new_number;

	hash_bytes_get(&defined->places, key, sizeof(key), &new_place);
	hash_u64_get(&defined->numbers, f->number, &new_number);
	/* Without registers nothing tells where: the number alone may be defined already. */
	if (f->has_regs ? new_place : new_number)
		put_plain(out, f->number, f->pc);
}

/* Tracepoints of frames that the list does not have, each once; those with an address first. */
static enum status put_others(const struct kgtp *k, struct sink *out)
{
	struct defined defined;

	hash_bytes_init(&defined.places, k->dump->arena, 1);
	hash_u64_init(&defined.numbers, k->dump->arena, 1);
	for (unsigned int with_regs = 2; with_regs--;) {
		for (size_t i = 0; i < k->frames.n; i++) {
			const struct kgtp_frame *f = &k->frames.f[i];

			if (!(i & 1023) && dump_stopped(k->dump))
				return ST_STOPPED;
			if (fits(f) && f->has_regs == with_regs && !kgtp_tracepoint_of(k, f))
				put_other(&defined, f, out);
		}
	}
	return ST_OK;
}

static void put_number(struct sink *out, uint64_t v, size_t size)
{
	/* Loads and stores of this build are little-endian, as the dump is. */
	sink_write(out, (const char *)&v, size);
}

static void put_regs(const struct kgtp_registers *regs, const uint8_t *raw, struct sink *out)
{
	sink_write(out, "R", 1);
	for (unsigned int i = 0; i < regs->n; i++)
		if (regs->r[i].trace_size)
			put_number(out, field_get(&regs->r[i].field, raw), regs->r[i].trace_size);
}

static void put_memory(const struct kgtp_memory *m, struct sink *out)
{
	for (size_t at = 0, len; at < m->size; at += len) {
		len = m->size - at < MAX_BLOCK ? m->size - at : MAX_BLOCK;
		sink_write(out, "M", 1);
		put_number(out, m->address + at, 8);
		put_number(out, len, 2);
		sink_write(out, (const char *)m->bytes + at, len);
	}
}

static void put_variable(uint32_t number, int64_t value, struct sink *out)
{
	sink_write(out, "V", 1);
	put_number(out, number, 4);
	put_number(out, (uint64_t)value, 8);
}

static size_t content_size(const struct kgtp *k, const struct kgtp_content *c)
{
	size_t size = c->has_regs ? 1 + k->regs.trace_size : 0;

	for (size_t i = 0; i < c->nmemory; i++)
		size += c->memory[i].size +
			(c->memory[i].size + MAX_BLOCK - 1) / MAX_BLOCK * MEMORY_HEAD;
	return size + (c->nvariables + 1) * VARIABLE_BYTES;
}

static void put_frame(const struct kgtp *k, const struct kgtp_frame *f,
		      const struct kgtp_content *c, struct sink *out)
{
	put_number(out, f->number, 2);
	put_number(out, content_size(k, c), 4);
	if (c->has_regs)
		put_regs(&k->regs, c->regs, out);
	for (size_t i = 0; i < c->nmemory; i++)
		put_memory(&c->memory[i], out);
	put_variable(k->variables.known[KGTP_VAR_CPU], f->ring->cpu, out);
	for (size_t i = 0; i < c->nvariables; i++)
		put_variable(c->variables[i].number, c->variables[i].value, out);
}

enum status kgtp_trace_file_put(void *arg, struct sink *out)
{
	struct kgtp_trace_file *file = arg;
	struct kgtp *k = file->kgtp;
	struct kgtp_content content = { 0 };
	enum status st = ST_OK;

	for (size_t i = 0; i < k->frames.n; i++)
		file->written += fits(&k->frames.f[i]);
	file->left_out = k->frames.n - file->written;
	sink_text(out, "\x7fTRACE0\n");
	put_status(k, file->written, out);
	put_variables(k, out);
	for (size_t i = 0; i < k->tracepoints.n; i++)
		if (k->tracepoints.t[i].number && k->tracepoints.t[i].number <= MAX_NUMBER)
			put_defined(out, &k->tracepoints.t[i]);
	st = put_others(k, out);
	sink_text(out, "\n");
	for (size_t i = 0; st == ST_OK && i < k->frames.n; i++) {
		if (!fits(&k->frames.f[i]))
			continue;
		st = kgtp_frame_content(&k->reader, &k->frames.f[i], &content);
		if (st == ST_OK)
			put_frame(k, &k->frames.f[i], &content, out);
	}
	put_number(out, 0, 2);
	return st;
}

enum status kgtp_trace_file_copy(void *arg, struct sink *out)
{
	struct kgtp *k = arg;
	struct dump *d = k->dump;
	uint64_t page = dump_page_size(d), len;
	char *buf = dump_alloc(d, page);
	enum status st = ST_OK;

	for (uint64_t at = 0; st == ST_OK && at < k->file_size; at += len) {
		len = page - ((k->file + at) & (page - 1));
		if (len > k->file_size - at)
			len = k->file_size - at;
		if (dump_stopped(d))
			return ST_STOPPED;
		st = dump_read(d, k->file + at, buf, len, "gtp_frame_file");
		if (st == ST_OK)
			sink_write(out, buf, len);
	}
	return st;
}
