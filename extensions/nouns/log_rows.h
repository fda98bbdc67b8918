/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of memowner log that are of no report: tables of their own, behind those of the reports. */
#pragma once

#include "log/kernel_log.h"
#include "log/log_file.h"
#include "log/warning.h"
#include "pageowner/view.h"

static inline bool log_has_times(const struct owner_view *v)
{
	return !v->dump->log_file || !v->dump->log_file->has_no_times;
}

/* n rows of size bytes as a table of their own; nothing where there are none. */
void log_put_section(struct owner_view *v, const struct view *view, const void *rows, size_t n,
		     size_t size, const char *heading);

#define LOG_SECTION(v, view, rows, n, heading) \
	log_put_section(v, &(view), rows, n, sizeof((rows)[0]), heading)

extern const struct view log_line_view, log_warning_view;

void log_put_warnings(struct owner_view *v, const struct log_warnings *all);

/* Single lines that tell what went wrong: of disks, the hardware, devices, swap, and one that is most of the log. */
void log_put_signs(struct owner_view *v, const struct kernel_log *log);
