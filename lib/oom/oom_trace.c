// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_trace.h"

#include "log/log_frame.h"
#include "symbols/allocators.h"

/* What writes the report, what charges memory to a cgroup, and what makes packets for others. */
static const char *const not_asking[] = {
	"dump_stack",	  "unwind_backtrace",	  "show_stack",
	"dump_backtrace", "dump_header",	  "oom_kill_process",
	"out_of_memory",  "mem_cgroup_",	  "panic",
	"warn_alloc",	  "try_charge",		  "charge_memcg",
	"__mem_cgroup_",  "obj_cgroup",		  "__memcg_",
	"memcg_",	  "execmem_alloc",	  "vpanic",
	"__alloc_skb",	  "alloc_skb_with_frags", "sock_alloc_send_pskb",
	"sock_wmalloc",
};

/* By machine, by macro of the kernel's source, up to 4.16 without a machine. */
static const char *const entries[] = {
	"__x64_sys_",	"__ia32_sys_",	"__arm64_sys_",
	"__riscv_sys_", "__s390x_sys_", "__loongarch_sys_",
	"__do_sys_",	"__se_sys_",	"__se_compat_sys_",
	"SyS_",		"sys_",
};

const char *system_call_name(const char *function)
{
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
		const char *call = log_after(function, entries[i]);

		if (call && *call)
			return call;
	}
	return NULL;
}

static void take_system_call(struct oom_report *r, const char *name, int len)
{
	char symbol[OOM_FUNCTION];
	const char *call;

	snprintf(symbol, sizeof(symbol), "%.*s", len, name);
	call = system_call_name(symbol);
	if (call)
		snprintf(r->system_call, sizeof(r->system_call), "%s", call);
}

static void take_function(struct oom_report *r, const char *name, int len)
{
	char symbol[OOM_FUNCTION];

	snprintf(symbol, sizeof(symbol), "%.*s", len, name);
	if (*r->function || allocators_has(symbol) ||
	    ANY_OF(i, ARRAY_SIZE(not_asking), log_after(symbol, not_asking[i])))
		return;
	strcpy(r->function, symbol);
}

/*
 * What the innermost of these calls is the OOM killer's, whatever its name has become in a line that was damaged; the task asked
 * above it.
 */
static bool is_allocation(const char *name)
{
	return log_after(name, "__alloc_pages") || log_after(name, "try_charge");
}

static bool is_interrupt(const char *name)
{
	static const char *const names[] = {
		"asm_sysvec_",		"asm_common_interrupt", "common_interrupt", "ret_from_intr",
		"apic_timer_interrupt", "do_softirq",		"el1_irq",	    "el1h_64_irq"
	};

	return ANY_OF(i, ARRAY_SIZE(names), log_after(name, names[i]));
}

/* Who called the OOM killer; a page fault that failed did by itself, for which of both is not told. */
static void take_scope(struct oom_report *r, const char *name)
{
	const bool was_behind = r->is_behind_killer;

	r->is_behind_killer = log_after(name, "out_of_memory") != NULL;
	if (log_after(name, "mem_cgroup_out_of_memory"))
		r->is_cgroup_by_trace = true;
	else if (was_behind && log_after(name, "__alloc_pages"))
		r->global_by = r->global_by ?: "its call trace";
}

bool oom_trace_take(struct oom_report *r, const char *text)
{
	char frame[LOG_FRAME];
	const char *name, *plus, *module;
	int len;

	text = log_frame(text, frame);
	name = text + strspn(text, " ");
	plus = strstr(name, "+0x");
	module = plus ? log_find(plus, " [") : NULL;
	len = plus ? (int)(plus - name) : 0;

	if (name == text || *name == '?' || !plus || len >= OOM_FUNCTION ||
	    name + strcspn(name, " :=") < plus)
		return false;
	/* Where two lines stand in one the address of the next frame is behind this one: "[<ffffffff810eab9c>]". */
	if (module && (!module[strcspn(module, " ]")] || *module == '<'))
		module = NULL;
	if (!r)
		return true;
	if (is_allocation(name) && !r->has_allocation) {
		r->has_allocation = true;
		r->asked_in[0] = r->function[0] = '\0';
	}
	if (module && !*r->asked_in)
		snprintf(r->asked_in, sizeof(r->asked_in), "%.*s [%.*s]", len, name,
			 (int)strcspn(module, " ]"), module);
	take_scope(r, name);
	take_function(r, name, len);
	r->is_of_interrupt |= is_interrupt(name);
	if (!r->is_of_interrupt)
		take_system_call(r, name, len);
	return true;
}

/* What stores logs leaves out blanks at the beginning of a line. */
static bool is_frame_of(const char *text, const char *name)
{
	char frame[LOG_FRAME];
	const char *rest;

	text = log_frame(text, frame);
	rest = log_after(text + strspn(text, " "), name);
	return rest && (*rest == '+' || *rest == '.') && strstr(rest, "+0x");
}

bool oom_trace_is_killer(const char *text)
{
	return is_frame_of(text, "dump_header") || is_frame_of(text, "oom_kill_process");
}

bool oom_trace_is_sysrq(const char *text)
{
	return is_frame_of(text, "moom_callback");
}
