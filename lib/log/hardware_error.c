// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/hardware_error.h"

#include <ctype.h>
#include <string.h>

/* How a line begins, and what it has in it behind that; the reason of an error stands in a line behind it. */
static const struct form {
	const char *start, *has;
	enum { FORM_ERROR, FORM_NMI, FORM_REASON } kind;
	bool is_numbered; /* "{1}" before it: BERT tells without what the firmware kept of the boot before */
} forms[] = {
	/* Without "Exception" it was found later, at boot what the firmware kept of the boot before. */
	{ "[Hardware Error]: CPU ", ": Machine Check Exception: ", FORM_ERROR },
	{ "[Hardware Error]: Machine check: ", "", FORM_REASON },
	{ "[Hardware Error]: event severity: ", "fatal", FORM_ERROR, true },
	{ "[Hardware Error]: event severity: ", "recoverable", FORM_ERROR, true },
	{ "[Hardware Error]:   section_type: ", "", FORM_REASON, true },
	{ "Uncorrected hardware memory error in user-access at ", "", FORM_ERROR },
	{ "Uhhuh. NMI received for unknown reason ", "", FORM_NMI },
	{ "NMI: PCI system error (SERR) for reason ", "", FORM_ERROR },
	{ "NMI: IOCK error (debug interrupt?) for reason ", "", FORM_ERROR },
	{ "AER: ", "Uncorrected (", FORM_ERROR },
	{ "AER: ", "Uncorrectable (", FORM_ERROR }, /* 6.8 */
	{ "EDAC ", " UE ", FORM_ERROR },
	{ "Memory failure: ", ": recovery action for ", FORM_ERROR },
	{ "Memory failure: ", " due to hardware memory corruption", FORM_REASON },
	/* Of a page that was found to be bad before. */
	{ "MCE: Killing ", " due to hardware memory corruption fault at ", FORM_ERROR },
};

static const char *const panics[] = {
	"Fatal machine check",
	"Fatal local machine check",
	"Machine check from unknown source",
	"Local fatal machine check",
	"Panicing machine check CPU died",
	"Too many consecutive machine checks",
	"Consecutive machine checks to different user pages",
	"Timeout: Not all CPUs entered broadcast exception handler",
	"Timeout: Monarch CPU ",
	"Timeout: Subject CPUs unable to finish machine check processing",
	"Timeout synchronizing machine check over CPUs", /* up to 5.10 */
	"Fatal hardware error!",
	"GHES: Fatal hardware error", /* 6.12 */
	"NMI: Not continuing",
	"NMI IOCK error: Not continuing",
	"An NMI occurred", /* hpwdt */
};

bool hardware_error_is_panic(const char *panic)
{
	return ANY_OF(i, ARRAY_SIZE(panics), log_after(panic, panics[i]));
}

/* "{1}" numbers records of the firmware, before AER and others stand a driver and its device. */
static const char *without_prefix(const char *line)
{
	const char *aer;

	if (*line == '{') {
		const char *end = line + 1;

		while (isdigit((unsigned char)*end))
			end++;
		return *end == '}' ? end + 1 : line;
	}
	aer = log_after(line, "pcieport ") ? strstr(line, ": AER: ") : NULL;
	return aer ? aer + 2 : log_after(line, "mce: ") ?: line;
}

static const struct form *form_of(const char *line, bool is_numbered)
{
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		const char *after = log_after(line, forms[i].start);

		if (after && strstr(after, forms[i].has) && (is_numbered || !forms[i].is_numbered))
			return &forms[i];
	}
	return NULL;
}

/* "... on CPU 0." without its full stop: the text goes on. */
static void keep(char *ret, const char *text)
{
	const size_t n = strlen(text);

	log_copy(ret, HARDWARE_ERROR_TEXT, text, n && text[n - 1] == '.' ? n - 1 : n);
}

/* " ADDR 12345000" of a machine check, " at 12345000" in user mode, "0x12345:" of a page. */
static void take_place(struct hardware_errors *ret, const char *text)
{
	const char *pfn = log_after(text, "Memory failure: ");
	const char *address = log_find(text, " ADDR ") ?: log_find(text, " in user-access at ");

	if (pfn)
		ret->pfn.known = log_take_hex(pfn, &ret->pfn.value) != NULL;
	else if (address)
		ret->address.known = log_take_hex(address, &ret->address.value) != NULL;
}

#define INJECTED 16 /* pages, the last of a test that injects one after the other */

/* Pages that a test said are bad: by frame, and where its process has them. */
struct injected {
	uint64_t pfn[INJECTED], address[INJECTED];
	unsigned int n;
};

/*
 * "Injecting memory failure for pfn 0x17d70a at process virtual address 0x7f6f1d5ed000": madvise_inject_error(), up to 4.18
 * "for page". hwpoison_inject() has "at pfn".
 */
static bool take_injected(struct injected *all, const char *line)
{
	const char *rest = log_after(line, "Injecting memory failure ");
	const char *pfn = rest ? log_find(rest, " pfn ") ?: log_after(rest, "for page ") ?:
			  log_after(rest, "at pfn ") : NULL;
	const char *address = rest ? log_find(rest, " virtual address ") : NULL;
	const unsigned int at = all->n % INJECTED;

	if (!rest)
		return false;
	all->pfn[at] = all->address[at] = 0;
	if (pfn)
		log_take_hex(pfn, &all->pfn[at]);
	if (address)
		log_take_hex(address, &all->address[at]);
	all->n++;
	return true;
}

static bool has(const struct injected *all, const uint64_t *values, const char *number)
{
	const unsigned int n = all->n < INJECTED ? all->n : INJECTED;
	uint64_t value;

	return number && log_take_hex(number, &value) && value && ANY_OF(i, n, values[i] == value);
}

/* The hardware has nothing to do with it. */
static bool is_injected(const struct injected *all, const char *line)
{
	return has(all, all->pfn, log_after(line, "Memory failure: ")) ||
	       has(all, all->address, log_find(line, " memory corruption fault at "));
}

static void take(const struct kernel_record *rec, struct injected *injected,
		 struct hardware_errors *ret)
{
	const char *line = without_prefix(rec->text);
	const struct form *form = form_of(line, *rec->text == '{');
	const char *text = log_after(line, "[Hardware Error]: ") ?: line;

	if (take_injected(injected, line) || is_injected(injected, line))
		return;
	while (*text == ' ')
		text++;
	if (form && form->kind == FORM_REASON && ret->n) {
		keep(ret->reason, text);
	} else if (form && form->kind != FORM_REASON) {
		ret->first = ret->first ?: rec;
		ret->last = rec;
		ret->n++;
		ret->is_nmi = form->kind == FORM_NMI;
		ret->address.known = ret->pfn.known = false;
		keep(ret->text, text);
		*ret->reason = '\0';
		take_place(ret, text);
	} else if (ret->n && log_after(line, "[Hardware Error]: ")) {
		take_place(ret, text);
	}
}

void hardware_errors_read(const struct kernel_log *log, struct hardware_errors *ret)
{
	struct injected injected = { 0 };

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < log->n; i++)
		if (log->records[i].text)
			take(&log->records[i], &injected, ret);
}
