// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols/frame.h"

#include <stdio.h>
#include <string.h>

const char *frame_label_name(enum frame_label label)
{
	static const char *const names[] = {
		[LABEL_INIT] = "init", [LABEL_GONE] = "gone", [LABEL_UNKNOWN] = "unknown"
	};

	return names[label];
}

const char *frame_text(const struct frame *f, char *buf, size_t size)
{
	const char *open = f->module ? " [" : "", *close = f->module ? "]" : "";
	const char *module = f->module ? f->module : "";

	if (f->symbol)
		snprintf(buf, size, "%s+0x%lx%s%s%s", f->symbol, f->offset, open, module, close);
	else
		snprintf(buf, size, "0x%lx%s%s%s", f->addr, open, module, close);
	return buf;
}

const char *function_text(const struct frame *f, char *buf, size_t size)
{
	if (f->symbol && f->module)
		snprintf(buf, size, "%s [%s]", f->symbol, f->module);
	else if (f->symbol)
		snprintf(buf, size, "%s", f->symbol);
	else if (f->label == LABEL_GONE)
		snprintf(buf, size, "0x%lx [gone]", f->addr);
	else
		frame_text(f, buf, size);
	return buf;
}

const char *frame_place(const struct frame *f, char *buf, size_t size)
{
	if (f && f->symbol)
		return function_text(f, buf, size);
	if (f && f->module)
		snprintf(buf, size, "a function of module %s", f->module);
	else if (f && f->label == LABEL_GONE)
		snprintf(buf, size, "text of no module that is loaded");
	else
		return NULL;
	return buf;
}

static void put_line(struct sink *sink, const char *name, const struct src_loc *at,
		     const char *mark)
{
	sink_text(sink, "    ");
	sink_text(sink, name);
	if (at->file) {
		sink_text(sink, "  ");
		sink_text(sink, at->file);
	}
	if (at->file && at->line)
		sink_printf(sink, ":%u", at->line);
	sink_text(sink, mark);
	sink_text(sink, "\n");
}

void frame_put(const struct frame *f, struct sink *sink)
{
	static const char *const marks[] = {
		[LABEL_NONE] = "",
		[LABEL_INIT] = "  [init, freed]",
		[LABEL_GONE] = "  [no text mapped here: module unloaded, or its init code freed]",
		[LABEL_UNKNOWN] = "  [module unknown: data of modules is not in this dump]",
	};
	static const struct src_loc unknown;
	const struct src_lines *s = f->source;
	char buf[640];

	for (unsigned int i = 0; s && i < s->ninlined; i++) {
		const struct src_loc *p = &s->inlined[i];

		put_line(sink, p->symbol ? p->symbol : "?", p, " (inlined)");
	}
	put_line(sink, frame_text(f, buf, sizeof(buf)), s ? &s->at : &unknown, marks[f->label]);
}

bool stack_is_early(const struct stack *s)
{
	return s && s->n && s->frames[0]->symbol &&
	       !strcmp(s->frames[0]->symbol, "register_early_stack");
}

const char *stack_module(const struct stack *s)
{
	const char *module = s->n ? "vmlinux" : NULL;

	for (unsigned int i = s->n; i-- > 0;) {
		const struct frame *f = s->frames[i];

		if (f->label == LABEL_UNKNOWN)
			module = NULL;
		else if (f->module || f->label == LABEL_GONE)
			module = f->module ? f->module : "[gone]";
	}
	return module;
}

const struct frame *stack_caller(const struct stack *s)
{
	for (unsigned int i = 0; i < s->n; i++)
		if (!s->frames[i]->allocates)
			return s->frames[i];
	return NULL;
}
