// SPDX-License-Identifier: GPL-2.0-or-later
#include "usage.h"

#include "shell/help.h"

static const char head[] =
	"usage: memowner [OPTION]... VMCORE... [COMMAND [ARGUMENT]...]\n"
	"       memowner --log FILE [log|story [ARGUMENT]...]\n"
	"\n"
	"Tells from a kernel dump who owned memory. Without COMMAND: the summary, whose\n"
	"options stand behind VMCORE.\n"
	"VMCORE is the dump; several are the parts of one that was split.\n"
	"\n"
	"  --vmlinux FILE    the kernel with debug information, where the dump has no\n"
	"                    types or symbols, and for -l; also without the option\n"
	"  --modules DIR     object files of modules: types, and lines for -l\n"
	"  -L, --log FILE    no dump, only a log: dmesg, a console, journalctl, syslog\n"
	"  -i, --input FILE  run the commands of FILE, one a line; -: of standard input\n"
	"  -p, --prompt      read commands from the terminal\n"
	"  --info            only what the files are: format, kernel, memory in them\n"
	"  -h, --help [COMMAND]\n"
	"  -V, --version\n"
	"\n"
	"COMMAND is one of:\n";

static const char tail[] =
	"\n"
	"Exit status: 0, or 1 if the dump cannot be read or has no answer, 2 if the\n"
	"command line is wrong.\n";

void usage_print(struct sink *s)
{
	sink_text(s, head);
	help_list(s, port_commands, 2);
	sink_text(s, "\nor one view of memowner:\n");
	help_nouns(s, port_commands, 2);
	sink_text(s, "\nor the address of a page or an object: pfn:N, phys:X, page:X, virt:X,\n"
		     "user:PID:X, or a number that is one of the kernel.\n");
	sink_text(s, tail);
}
