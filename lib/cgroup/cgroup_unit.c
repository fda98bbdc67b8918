// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/cgroup_unit.h"

#include <stdio.h>
#include <string.h>

#include "util/array.h"

#define ID_DIGITS 64 /* of a container: SHA-256 */
#define SHORT_ID 12  /* of these, as docker ps and crictl ps list them */

static const char *const kinds[] = { "service", "scope", "slice", "mount", "socket", "swap" };

/* One name of a path. */
struct name {
	const char *text;
	size_t len;
};

/* The name that ends at an end of the path, whose '/' is left out; len 0: there is none. */
static struct name name_before(const char *path, const char *end)
{
	const char *text;

	while (end > path && end[-1] == '/')
		end--;
	text = end;
	while (text > path && text[-1] != '/')
		text--;
	return (struct name){ text, (size_t)(end - text) };
}

static bool ends_in(struct name n, const char *end)
{
	const size_t len = strlen(end);

	return n.len > len && !memcmp(n.text + n.len - len, end, len);
}

static bool begins_with(struct name n, const char *begin)
{
	const size_t len = strlen(begin);

	return n.len > len && !memcmp(n.text, begin, len);
}

static const char *kind_of(struct name n)
{
	char end[16];

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		snprintf(end, sizeof(end), ".%s", kinds[i]);
		if (ends_in(n, end))
			return kinds[i];
	}
	return NULL;
}

static bool copy(struct name n, char *ret)
{
	if (!n.len || n.len >= CGROUP_UNIT_BYTES)
		return false;
	memcpy(ret, n.text, n.len);
	ret[n.len] = '\0';
	return true;
}

bool cgroup_service(const char *path, char ret[CGROUP_UNIT_BYTES])
{
	const char *end = path + strlen(path);

	for (;;) {
		const struct name n = name_before(path, end);
		const char *kind = n.len ? kind_of(n) : NULL;

		if (!n.len)
			return false;
		if (kind && strcmp(kind, "slice") != 0)
			return copy(n, ret);
		end = n.text;
	}
}

const char *cgroup_unit_kind(const char *path)
{
	const struct name n = name_before(path, path + strlen(path));

	return n.len ? kind_of(n) : NULL;
}

/* Where the digits of an ID begin, at the end of a name or before ".scope"; NULL: it has none. */
static const char *id_of(struct name n)
{
	const char *end = n.text + n.len - (ends_in(n, ".scope") ? strlen(".scope") : 0);
	const char *id = end;

	while (id > n.text && end - id < ID_DIGITS && strchr("0123456789abcdef", id[-1]))
		id--;
	return end - id == ID_DIGITS && (id == n.text || id[-1] == '-') ? id : NULL;
}

/*
 * What names have in front of the ID, and whose it is: cgroup drivers systemd and cgroupfs of docker (containerd
 * and CRI-O write theirs into the first), podman's libpod.
 */
static const struct {
	const char *begin, *engine;
} engines[] = {
	{ "docker-", "docker" },      { "libpod-payload-", "podman" },
	{ "libpod-", "podman" },      { "cri-containerd-", "containerd" },
	{ "nerdctl-", "containerd" }, { "crio-", "cri-o" },
};

/* Of an ID alone the folder above may have its engine; below kubepods it is the runtime's. */
static const char *engine_above(const char *path, struct name n)
{
	const struct name above = name_before(path, n.text);

	if (above.len == strlen("docker") && !memcmp(above.text, "docker", above.len))
		return "docker";
	return strstr(path, "kubepods") && strstr(path, "kubepods") < n.text ? "kubernetes"
									     : "container";
}

static const char *engine_of(const char *path, struct name n, const char *id)
{
	for (size_t i = 0; i < ARRAY_SIZE(engines); i++)
		if (begins_with(n, engines[i].begin) && n.text + strlen(engines[i].begin) == id)
			return engines[i].engine;
	return id == n.text ? engine_above(path, n) : "container";
}

/* "systemd-nspawn@NAME.service", "machine-NAME.scope" (systemd-machined), "lxc.payload.NAME" */
static const struct {
	const char *begin, *end, *engine;
} machines[] = {
	{ "systemd-nspawn@", ".service", "nspawn" },
	{ "machine-", ".scope", "machine" },
	{ "lxc.payload.", "", "lxc" },
};

static bool machine_of(struct name n, char *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		const size_t begin = strlen(machines[i].begin), end = strlen(machines[i].end);

		if (!begins_with(n, machines[i].begin) || n.len <= begin + end ||
		    (end && !ends_in(n, machines[i].end)))
			continue;
		snprintf(ret, CGROUP_UNIT_BYTES, "%s %.*s", machines[i].engine,
			 (int)(n.len - begin - end), n.text + begin);
		return true;
	}
	return false;
}

bool cgroup_container(const char *path, char ret[CGROUP_UNIT_BYTES])
{
	const char *end = path + strlen(path);

	for (;;) {
		const struct name n = name_before(path, end);
		const char *id = n.len ? id_of(n) : NULL;

		if (!n.len)
			return false;
		if (id) {
			snprintf(ret, CGROUP_UNIT_BYTES, "%s %.*s", engine_of(path, n, id),
				 SHORT_ID, id);
			return true;
		}
		if (machine_of(n, ret))
			return true;
		end = n.text;
	}
}

const char *cgroup_unit_name(struct hash_bytes *texts, const char *path, cgroup_namer *of)
{
	char name[CGROUP_UNIT_BYTES];

	return path && of(path, name) ? intern(texts, name) : NULL;
}
