// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/cpu_notes.h"

/* Of include/uapi/linux/elf.h and linux/elfcore.h: a header, the name "CORE", struct elf_prstatus, which has the registers. */
#define NT_PRSTATUS 1
#define HEADER 12
#define NAME_MOST 8
#define REGISTERS 112 /* in struct elf_prstatus */

static const struct note_form {
	uint32_t bytes;			/* of struct elf_prstatus */
	unsigned int ip, sp, bp, flags; /* numbers of registers */
	uint64_t irq_bit, irqs_off;	/* of flags, and what it is with interrupts off */
} forms[] = {
	/* struct user_regs_struct of x86_64; X86_EFLAGS_IF */
	{ 336, 16, 19, 4, 18, 1 << 9, 0 },
	/* struct user_pt_regs of arm64; PSR_I_BIT */
	{ 392, 32, 31, 29, 33, 1 << 7, 1 << 7 },
};

enum status cpu_registers_read(struct dump *d, unsigned int i, bool is_arm64,
			       struct cpu_registers *ret)
{
	const uint8_t *note = d->ops->cpu_note ? d->ops->cpu_note(d->priv, i) : NULL, *r;
	const struct note_form *form = &forms[is_arm64];
	uint32_t name;

	if (!note)
		return dump_absent(d, "this dump has no registers of CPU %u", i);
	name = le32(note);
	if (name > NAME_MOST || le32(note + 4) != form->bytes || le32(note + 8) != NT_PRSTATUS)
		return dump_fail(d, ST_UNKNOWN, "the note of CPU %u is not that of this machine",
				 i);
	r = note + HEADER + ((name + 3) & ~3U) + REGISTERS;
	*ret = (struct cpu_registers){ le64(r + 8 * form->ip), le64(r + 8 * form->sp),
				       le64(r + 8 * form->bp),
				       (le64(r + 8 * form->flags) & form->irq_bit) ==
					       form->irqs_off };
	return ST_OK;
}
