// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_report.h"

const char *oom_report_kind_name(enum oom_report_kind kind)
{
	static const char *const names[OOM_REPORT_KINDS] = {
		[OOM_REPORT_OOM] = "oom",
		[OOM_REPORT_ALLOCATION] = "allocation",
		[OOM_REPORT_MEM_INFO] = "mem_info",
	};

	return names[kind];
}

const char *oom_outcome_name(enum oom_outcome outcome)
{
	static const char *const names[OOM_OUTCOMES] = {
		[OOM_KILLED] = "killed",
		[OOM_EXITING] = "exiting",
		[OOM_NO_VICTIM] = "no_victim",
		[OOM_PANICKED] = "panicked",
	};

	return names[outcome];
}
