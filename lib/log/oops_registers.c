// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/oops_registers.h"

#include <ctype.h>
#include <string.h>

#include "log/log_text.h"

#define DIGITS 16 /* of a register of 64 bits */

/* The stack pointer, segments and control registers are no data of the code. */
static bool is_general(const char *name, size_t len)
{
	static const char *const names[] = { "RAX", "RBX", "RCX", "RDX", "RSI", "RDI", "RBP", "R08",
					     "R09", "R10", "R11", "R12", "R13", "R14", "R15" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (len == strlen(names[i]) && !strncmp(name, names[i], len))
			return true;
	return (len == 2 || len == 3) && *name == 'x' && isdigit((unsigned char)name[1]) &&
	       (len == 2 || isdigit((unsigned char)name[2]));
}

static void add(struct oops_registers *r, const char *name, size_t len, uint64_t value)
{
	for (unsigned int i = 0; i < r->n; i++)
		if (strlen(r->all[i].name) == len && !strncmp(r->all[i].name, name, len))
			return;
	if (r->n == OOPS_REGISTERS)
		return;
	log_copy(r->all[r->n].name, sizeof(r->all[r->n].name), name, len);
	r->all[r->n++].value = value;
}

void oops_registers_line(struct oops_registers *r, const char *line)
{
	for (const char *colon = line; (colon = strchr(colon, ':')); colon++) {
		const char *end = colon, *start, *digits = colon + 1, *behind;
		uint64_t value;

		while (end > line && end[-1] == ' ')
			end--;
		for (start = end; start > line && isalnum((unsigned char)start[-1]);)
			start--;
		digits += strspn(digits, " ");
		if (is_general(start, (size_t)(end - start)) &&
		    (behind = log_take_hex(digits, &value)) && behind - digits == DIGITS)
			add(r, start, (size_t)(end - start), value);
	}
}
