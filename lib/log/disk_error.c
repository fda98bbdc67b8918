// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/disk_error.h"

#include <string.h>

#include "log/log_text.h"

/* How a line begins, what stands before the name of the device, and one of the words that make it an error; "": any. */
static const struct {
	const char *start, *device;
	bool is_fs;
	const char *words[6];
} forms[] = {
	{ "EXT4-fs error ", "(device ", true, { "" } },
	{ "EXT4-fs (", "(", true, { "Remounting filesystem read-only" } },
	{ "EXT3-fs error ", "(device ", true, { "" } },
	{ "EXT2-fs error ", "(device ", true, { "" } },
	{ "JBD2: ", "on ", true, { "Detected IO errors", "Error" } },
	{ "XFS (",
	  "(",
	  true,
	  { "orruption", "nternal error", "I/O error", "xfs_log_force: error", "has been shut down",
	    "shutting down" } },
	{ "BTRFS error ", "(device ", true, { "" } },
	{ "BTRFS critical ", "(device ", true, { "" } },
	{ "F2FS-fs (", "(", true, { "nconsistent", "rror" } },
	{ "FAT-fs (", "(", true, { "error" } },
	{ "Buffer I/O error on dev", "dev ", false, { "" } },
	{ "Buffer I/O error on device ", "device ", false, { "" } },
	{ "I/O error, dev ", "dev ", false, { "" } },
	{ "critical target error, dev ", "dev ", false, { "" } },
	{ "critical medium error, dev ", "dev ", false, { "" } },
	{ "critical space allocation error, dev ", "dev ", false, { "" } },
	{ "critical nexus error, dev ", "dev ", false, { "" } },
	{ "recoverable transport error, dev ", "dev ", false, { "" } },
	{ "timeout error, dev ", "dev ", false, { "" } },
};

/* Up to 6.0 the function stands before what blk_status_t says. */
static const char *without_function(const char *text)
{
	return log_after(text, "blk_update_request: ") ?: log_after(text, "print_req_error: ") ?: text;
}

static void take(const char *text, struct disk_errors *ret, const struct kernel_record *record)
{
	const char *line = without_function(text);

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		const char *after = log_after(line, forms[i].start), *device;

		if (!after || !ANY_OF(k, ARRAY_SIZE(forms[i].words),
				      forms[i].words[k] && strstr(after, forms[i].words[k])))
			continue;
		ret->last = record;
		if (ret->n++)
			return;
		ret->first = record;
		ret->is_fs = forms[i].is_fs;
		log_copy(ret->text, sizeof(ret->text), line, strlen(line));
		device = log_find(line, forms[i].device);
		if (device)
			log_copy(ret->device, sizeof(ret->device), device,
				 strcspn(device, "),: ") < sizeof(ret->device)
					 ? strcspn(device, "),: ")
					 : 0);
		return;
	}
}

void disk_errors_read(const struct kernel_log *log, struct disk_errors *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < log->n; i++)
		if (log->records[i].text)
			take(log->records[i].text, ret, &log->records[i]);
}
