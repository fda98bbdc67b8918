// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/dump_info.h"

#include "kernel/boot.h"
#include "kernel/percpu.h"
#include "kernel/printk.h"

void dump_info_read(struct dump *d, bool all, struct dump_info *ret)
{
	struct dump_info info = { .page_size = dump_page_size(d) };
	struct percpu cpus;

	if (all)
		info.kernel = kernel_release(d);
	info.has_cpus = all && percpu_open(d, &cpus) == ST_OK;
	if (info.has_cpus)
		info.cpus = cpus.n;
	info.has_panic_time = printk_panic_time(d, &info.panic_ns, &info.panic_source) == ST_OK;
	if (info.has_panic_time)
		decoder_trace(d, "decide panic at %llu ns, the log's %s",
			      (unsigned long long)info.panic_ns, info.panic_source);
	else
		decoder_trace(d, "decide panic time unknown: %s", d->error);
	d->error[0] = '\0';
	*ret = info;
}

bool age_at_panic(const struct dump_info *info, uint64_t ts_ns, uint64_t *ret)
{
	if (!info->has_panic_time || ts_ns > info->panic_ns)
		return false;
	*ret = info->panic_ns - ts_ns;
	return true;
}
