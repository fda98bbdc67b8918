/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a cgroup was made for, by its path alone: a unit of systemd (systemd.unit(5): its name ends in what kind it is),
 * and a container, whose engine has put its ID there.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "util/hash_bytes.h"

#define CGROUP_UNIT_BYTES 256 /* of a name: NAME_MAX, with its NUL */

/*
 * The innermost service, scope, mount, socket or swap unit that the path is in: "sshd.service" of
 * "/system.slice/sshd.service/a".  A slice is none: it holds others.  False: it is in none.
 */
bool cgroup_service(const char *path, char ret[CGROUP_UNIT_BYTES]);

/* The kind of the unit that the last name of the path is, "service", "scope", "slice", ...; NULL: it is none. */
const char *cgroup_unit_kind(const char *path);

/*
 * "docker 0123456789ab": the engine where the path has it, and 12 digits of the ID, as engines list it.  Of
 * systemd-nspawn, machined and LXC the name of the machine.  False: the path names none.
 */
bool cgroup_container(const char *path, char ret[CGROUP_UNIT_BYTES]);

/* One of these two, kept in texts; NULL: the path, which may be NULL, names none. */
typedef bool cgroup_namer(const char *path, char ret[CGROUP_UNIT_BYTES]);
const char *cgroup_unit_name(struct hash_bytes *texts, const char *path, cgroup_namer *of);
