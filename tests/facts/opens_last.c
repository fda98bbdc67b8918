// SPDX-License-Identifier: GPL-2.0-or-later
/* What only kernels are asked of which struct mnt_namespace is known: their types were read again since. */
#include "opens_table.h"

#include "collect/mount_namespaces.h"
#include "files/io_requests.h"
#include "files/watches.h"

#define OPENS(X)                                          \
	X(io_requests_find, struct io_requests)           \
	X(mount_namespaces_read, struct mount_namespaces) \
	X(watches_find, struct watches)

// clang-format off
OPENS(DEFINE_OPEN)

const struct open_function opens_last[] = {
	OPENS(NAME)
	{ 0 },
};
// clang-format on
