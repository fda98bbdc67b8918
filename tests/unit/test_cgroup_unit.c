// SPDX-License-Identifier: GPL-2.0-or-later
/* Units and containers by the path of a cgroup. */
#include "cgroup/cgroup_unit.h"
#include "test.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static bool is_service(const char *path, const char *expected)
{
	char text[CGROUP_UNIT_BYTES];

	return cgroup_service(path, text) ? expected && !strcmp(text, expected) : !expected;
}

static bool is_container(const char *path, const char *expected)
{
	char text[CGROUP_UNIT_BYTES];

	return cgroup_container(path, text) ? expected && !strcmp(text, expected) : !expected;
}

static void services(void)
{
	CHECK(is_service("/system.slice/sshd.service", "sshd.service"));
	CHECK(is_service("/system.slice/sshd.service/a/b", "sshd.service"));
	CHECK(is_service("/user.slice/user-0.slice/user@0.service/app.slice/x.service",
			 "x.service"));
	CHECK(is_service("/user.slice/user-0.slice/session-1.scope", "session-1.scope"));
	CHECK(is_service("/system.slice", NULL));
	CHECK(is_service("/", NULL));
	CHECK(is_service("", NULL));
	CHECK(is_service("/a/.service", NULL));
	CHECK(is_service("/kubepods/burstable/pod1/" ID, NULL));
}

static void kinds(void)
{
	CHECK(!strcmp(cgroup_unit_kind("/system.slice/a.service"), "service"));
	CHECK(!strcmp(cgroup_unit_kind("/system.slice"), "slice"));
	CHECK(!cgroup_unit_kind("/system.slice/a.service/worker"));
	CHECK(!cgroup_unit_kind("/"));
}

static void containers(void)
{
	CHECK(is_container("/system.slice/docker-" ID ".scope", "docker 0123456789ab"));
	CHECK(is_container("/system.slice/docker-" ID ".scope/init.scope", "docker 0123456789ab"));
	CHECK(is_container("/docker/" ID, "docker 0123456789ab"));
	CHECK(is_container("/machine.slice/libpod-" ID ".scope/container", "podman 0123456789ab"));
	CHECK(is_container("/kubepods.slice/kubepods-pod1.slice/cri-containerd-" ID ".scope",
			   "containerd 0123456789ab"));
	CHECK(is_container("/kubepods.slice/kubepods-pod1.slice/crio-" ID ".scope",
			   "cri-o 0123456789ab"));
	CHECK(is_container("/kubepods/burstable/pod1/" ID, "kubernetes 0123456789ab"));
	CHECK(is_container("/machine.slice/systemd-nspawn@web.service/payload", "nspawn web"));
	CHECK(is_container("/machine.slice/machine-web.scope", "machine web"));
	CHECK(is_container("/lxc.payload.web/system.slice/a.service", "lxc web"));
	/* Shorter digits are no ID. */
	CHECK(is_container("/system.slice/docker-0123456789ab.scope", NULL));
	CHECK(is_container("/system.slice/docker.service", NULL));
	CHECK(is_container("/machine.slice/machine-.scope", NULL));
	CHECK(is_container("/", NULL));
}

TESTS({ "services and scopes, the innermost", services }, { "kinds of units", kinds },
      { "containers", containers })
