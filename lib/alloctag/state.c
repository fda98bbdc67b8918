// SPDX-License-Identifier: GPL-2.0-or-later
#include "alloctag/state.h"

#include "kernel/dump_info.h"
#include "kernel/rodata.h"
#include "kernel/static_key.h"

static enum answer answer(bool yes)
{
	return yes ? ANSWER_YES : ANSWER_NO;
}

static enum answer read_key(struct dump *d, const char *name)
{
	bool on;

	return static_key_read(d, name, &on) == ST_OK ? answer(on) : ANSWER_UNKNOWN;
}

/* Up to 6.12 it was __meminitdata: without memory hotplug it is gone after boot. */
static bool is_init_data(struct dump *d, uint64_t addr)
{
	uint64_t start, end;

	return dump_symbol(d, "__init_begin", &start) == ST_OK &&
	       dump_symbol(d, "__init_end", &end) == ST_OK && addr >= start && addr < end;
}

static enum answer read_support(struct dump *d)
{
	uint64_t addr, value;

	if (!dump_has_symbol(d, "mem_profiling_support") ||
	    dump_symbol(d, "mem_profiling_support", &addr) != ST_OK || is_init_data(d, addr) ||
	    dump_value(d, "mem_profiling_support", &value) != ST_OK || value > 1)
		return ANSWER_UNKNOWN;
	return answer(value);
}

void codetag_state_read(struct dump *d, struct codetag_state *ret)
{
	struct codetag_state s = { .supported = ANSWER_UNKNOWN };

	s.supported = read_support(d);
	s.on = read_key(d, "mem_alloc_profiling_key");
	if (dump_has_symbol(d, "mem_profiling_compressed"))
		s.compressed = read_key(d, "mem_profiling_compressed");
	s.knows_option = boot_option(d, PROFILING_OPTION, &s.option) == ST_OK;
	d->error[0] = '\0';
	*ret = s;
}

/*
 * With CONFIG_MEM_ALLOC_PROFILING_DEBUG profiling cannot be turned off: up to 6.12 the mode of the
 * sysctl is read-only then, later a handler refuses the write.  The mode is read-only as well where
 * profiling is not supported, so it decides for profiling that is on alone.
 */
static enum answer debug_by_mode(struct dump *d)
{
	struct field mode;
	uint8_t raw[8];
	uint64_t addr;

	if (dump_has_symbol(d, "proc_mem_profiling_handler") ||
	    dump_symbol(d, "memory_allocation_profiling_sysctls", &addr) != ST_OK ||
	    dump_ask(d, member, "struct ctl_table", "mode", &mode) != ST_OK ||
	    mode.size > sizeof(raw) ||
	    dump_read(d, addr + mode.offset, raw, mode.size, "ctl_table.mode") != ST_OK)
		return ANSWER_UNKNOWN;
	mode.offset = 0;
	if (field_get(&mode, raw) & 0222)
		return ANSWER_NO;
	return read_key(d, "mem_alloc_profiling_key") == ANSWER_YES ? ANSWER_YES : ANSWER_UNKNOWN;
}

enum answer codetag_debug(struct dump *d)
{
	/* alloc_tag_add_check() in include/linux/alloc_tag.h */
	static const struct rodata_part part = { "alloc_tag was not cleared",
						 "alloc_tag was not cleared" };
	const char *text;
	enum status st = rodata_find(d, &part, &text, 1);
	enum answer ret = ANSWER_UNKNOWN;

	if (st == ST_OK && text)
		ret = ANSWER_YES;
	else if (dump_knows_symbol(d, "alloc_tag_add_early_pfn_ptr")) /* 7.2 */
		ret = ANSWER_YES;
	else if (st == ST_OK && dump_knows_symbol(d, "__warn_printk")) /* CONFIG_BUG */
		ret = ANSWER_NO;
	else
		ret = debug_by_mode(d);
	d->error[0] = '\0';
	return ret;
}

/* As kstrtobool() has it; "never" is no as well. */
bool codetag_off_at_boot(const struct codetag_state *s)
{
	const char *o = s->option;

	if (!o || !o[0])
		return false;
	return strchr("0nNfF", o[0]) || (strchr("oO", o[0]) && o[1] && strchr("fF", o[1]));
}

enum answer codetags_counted(const struct codetags *tags)
{
	for (size_t i = 0; i < tags->n; i++)
		if (tags->sites[i].bytes || tags->sites[i].calls)
			return ANSWER_YES;
	return tags->unreadable || tags->stale || tags->problem ? ANSWER_UNKNOWN : ANSWER_NO;
}

const char *codetag_off_text(enum answer counted)
{
	return counted == ANSWER_YES ? "profiling was turned off before the panic: the counters "
				       "have not changed since"
				     : "profiling was off at the panic; whether it was on before "
				       "is unknown: counters of sites are not in this dump";
}

const char *codetag_reason(const struct codetag_state *s)
{
	/* "never" and a failure of it look like off, and like no option. */
	if (!s->knows_option)
		return s->supported == ANSWER_NO
			       ? "memory allocation profiling was not supported at boot: why is "
				 "unknown, the kernel command line could not be read"
			       : "memory allocation profiling was off or not supported at boot: "
				 "which is unknown, the kernel command line could not be read";
	if (s->option && !strncmp(s->option, "never", 5))
		return "memory allocation profiling was not supported at boot: the kernel "
		       "command line has " PROFILING_OPTION "=never";
	if (s->option && s->supported == ANSWER_NO)
		return "memory allocation profiling was not supported at boot, though the kernel "
		       "command line has " PROFILING_OPTION ": the log says why";
	if (s->supported == ANSWER_NO)
		return "memory allocation profiling was not supported at boot: "
		       "it needs " PROFILING_OPTION "=1 on the kernel command line";
	if (s->option && s->supported == ANSWER_UNKNOWN && !codetag_off_at_boot(s))
		return "memory allocation profiling counted nothing, though the kernel command "
		       "line has " PROFILING_OPTION ": whether it was supported is unknown";
	return "memory allocation profiling was off at boot: "
	       "it needs " PROFILING_OPTION "=1 on the kernel command line";
}
